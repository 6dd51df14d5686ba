// Elevations from noise; see the header.
#include "ploy/generate/hills.h"

#include <string.h>

#include "generate/terrain_internal.h"
#include "ploy/base/math.h"

// Samples computed at once.
#define HILLS_CHUNK 256

static const char *const hills_kinds[] = {"white", "value", "perlin", "simplex", "cellular"};
static const char *const hills_fractals[] = {"single", "fbm", "ridged", "billow"};

static const ploy_field hills_fields[] = {
    PLOY_FIELD_I32(ploy_hills_def, columns, 128, 2, 2048, "", "cells along x of a new map"),
    PLOY_FIELD_I32(ploy_hills_def, rows, 128, 2, 2048, "", "cells along y of a new map"),
    PLOY_FIELD_F32(ploy_hills_def, spacing, 1, 1e-3f, 1e5f, "m", "distance of its cells"),
    PLOY_FIELD_F32(ploy_hills_def, low, 0, -1e5f, 1e5f, "m", "what noise of -1 adds"),
    PLOY_FIELD_F32(ploy_hills_def, high, 24, -1e5f, 1e5f, "m", "what noise of 1 adds"),
    PLOY_FIELD_F32(ploy_hills_def, exponent, 1, 0.1f, 10, "",
                   "above 1: wide valleys and narrow peaks"),
    PLOY_FIELD_F32(ploy_hills_def, size, 64, 1e-3f, 1e6f, "m", "width of the largest hills"),
    PLOY_FIELD_ENUM(ploy_hills_def, kind, PLOY_NOISE_PERLIN, hills_kinds, "kind of noise"),
    PLOY_FIELD_ENUM(ploy_hills_def, fractal, PLOY_NOISE_FBM, hills_fractals,
                    "how octaves are summed"),
    PLOY_FIELD_I32(ploy_hills_def, octaves, 6, 1, PLOY_NOISE_OCTAVES, "",
                   "of a fractal; each has hills half as wide"),
    PLOY_FIELD_F32(ploy_hills_def, gain, 0.5f, 0, 1, "",
                   "height of an octave over that of the one before"),
    PLOY_FIELD_F32(ploy_hills_def, warp, 0.3f, 0, 100, "",
                   "shift of the hills by more noise, as a share of their size"),
};

ploy_fields ploy_hills_fields(void) {
    return PLOY_FIELDS(ploy_hills_def, hills_fields);
}

ploy_hills_def ploy_hills_def_default(void) {
    ploy_hills_def def;
    ploy_fields_default(ploy_hills_fields(), &def);
    return def;
}

typedef struct hills_state {
    ploy_terrain terrain;
    ploy_hills_def def;
    ploy_noise noise;
} hills_state;

static ploy_result hills_setup(ploy_terrain *terrain, ploy_rng_key key) {
    hills_state *self = (hills_state *)(void *)terrain;
    terrain->passes = 1;
    ploy_noise_def def = ploy_noise_def_default();
    def.frequency = 1.0f / self->def.size;
    def.kind = self->def.kind;
    def.fractal = self->def.fractal;
    def.octaves = self->def.octaves;
    def.gain = self->def.gain;
    def.warp = self->def.warp;
    return ploy_noise_init(&self->noise, &def, ploy_generate_stream(key, "noise"), &terrain->env);
}

static void hills_stage(ploy_terrain *terrain, int32_t stage, int32_t first, int32_t count) {
    const hills_state *self = (const hills_state *)(const void *)terrain;
    (void)stage;
    const ploy_heightmap_def *size = ploy_heightmap_def_of(terrain->map);
    float *elevation = ploy_heightmap_elevation(terrain->map), samples[HILLS_CHUNK];
    ploy_noise_grid grid =
        ploy_noise_grid_make(size->origin, size->spacing, size->columns, size->rows);
    grid.rows = 1;
    for (int32_t row = first; row < first + count; row++) {
        grid.first_row = row;
        for (int32_t column = 0; column < size->columns; column += HILLS_CHUNK) {
            grid.first_column = column;
            grid.columns = ploy_mini(HILLS_CHUNK, size->columns - column);
            ploy_noise_fill2(&self->noise, &grid, samples, HILLS_CHUNK);
            float *out = elevation + (size_t)row * (size_t)size->columns + column;
            for (int32_t i = 0; i < grid.columns; i++) {
                float share = ploy_clampf(0.5f + 0.5f * samples[i], 0.0f, 1.0f);
                if (self->def.exponent != 1.0f) share = ploy_powf(share, self->def.exponent);
                out[i] += self->def.low + (self->def.high - self->def.low) * share;
            }
        }
    }
}

static const ployi_terrain_type hills_type = {"hills",
                                              sizeof(hills_state),
                                              offsetof(hills_state, def),
                                              ploy_hills_fields,
                                              false,
                                              hills_setup,
                                              NULL,
                                              hills_stage,
                                              NULL,
                                              NULL,
                                              NULL};

ploy_result ploy_hills_begin(const ploy_hills_def *def, ploy_rng_key key, const ploy_heightmap *map,
                             ploy_trace *trace, const ploy_env *env, ploy_terrain **out) {
    if (map != NULL) return ployi_terrain_begin(&hills_type, def, key, map, trace, env, out);
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_hills_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_heightmap_def size = ploy_heightmap_def_default();
    size.columns = def->columns;
    size.rows = def->rows;
    size.spacing = def->spacing;
    ploy_heightmap *made = NULL;
    result = ploy_heightmap_create(&size, env, &made);
    if (result != PLOY_OK) return result;
    return ployi_terrain_begin_own(&hills_type, def, key, made, trace, env, out);
}

ploy_result ploy_hills_run(const ploy_hills_def *def, ploy_rng_key key, ploy_heightmap *map,
                           const ploy_env *env) {
    return ployi_terrain_run(&hills_type, def, key, map, env);
}

static ploy_result hills_front_begin(const void *def, ploy_rng_key key, const ploy_content *input,
                                     ploy_trace *trace, const ploy_env *env, void **out) {
    ploy_terrain *terrain = NULL;
    ploy_result result = ploy_hills_begin(def, key, input->heights, trace, env, &terrain);
    *out = terrain;
    return result;
}

const ploy_generator_type *ploy_hills_generator(void) {
    static const ploy_generator_type type = {"hills",
                                             "hills and mountains from noise",
                                             "one row",
                                             0,
                                             PLOY_CONTENT_HEIGHTS,
                                             PLOY_CONTENT_HEIGHTS,
                                             ploy_hills_fields,
                                             hills_front_begin,
                                             PLOYI_TERRAIN_TABLE};
    return &type;
}
