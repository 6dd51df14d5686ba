// What the tests of landscapes share: maps from formulas and from random numbers.
#pragma once

#include "tests/test.h"

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/generate/heightmap.h"

static inline ploy_heightmap *terrain_test_map(test_context *t, int32_t columns, int32_t rows,
                                               const ploy_env *env) {
    ploy_heightmap_def def = ploy_heightmap_def_default();
    def.columns = columns;
    def.rows = rows;
    ploy_heightmap *map = NULL;
    CHECK_OK(ploy_heightmap_create(&def, env, &map));
    return map;
}

// Hills: a few sine waves by the seed, from 0 to `high` metres, and a little noise.
static inline ploy_heightmap *terrain_test_hills(test_context *t, int32_t columns, int32_t rows,
                                                 float high, uint64_t seed, const ploy_env *env) {
    ploy_heightmap *map = terrain_test_map(t, columns, rows, env);
    float *elevation = ploy_heightmap_elevation(map);
    ploy_rng rng = ploy_rng_make(seed);
    for (int32_t wave = 0; wave < 12; wave++) {
        float scale = 24.0f * ploy_rng_range(&rng, 0.2f, 2.0f) / (float)columns;
        float angle = ploy_rng_range(&rng, 0.0f, 6.28f), phase = ploy_rng_range(&rng, 0.0f, 6.28f);
        float sine, cosine;
        ploy_sincosf(angle, &sine, &cosine);
        for (int32_t i = 0; i < columns * rows; i++) {
            float along = (float)(i % columns) * cosine + (float)(i / columns) * sine;
            elevation[i] += ploy_sinf(along * scale + phase) / scale;
        }
    }
    for (int32_t i = 0; i < columns * rows; i++) elevation[i] += ploy_rng_range(&rng, 0.0f, 0.3f);
    ploy_heightmap_rescale(map, 0.0f, high);
    return map;
}

static inline double terrain_test_sum(const ploy_heightmap *map, const char *layer) {
    const float *values = ploy_heightmap_layer(map, layer, PLOY_HEIGHTMAP_F32);
    double sum = 0.0;
    if (values == NULL) return 0.0;
    for (int32_t i = 0; i < ploy_heightmap_cells(map); i++) sum += (double)values[i];
    return sum;
}
