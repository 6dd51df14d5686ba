// Voxel landscapes: surface, soil, strata and caves.
#include "tests/generate/terrain_test.h"

#include "ploy/generate/voxels.h"

static ploy_voxels *voxels_test_run(test_context *t, const ploy_voxels_def *def,
                                    const ploy_heightmap *map, const ploy_env *env) {
    ploy_voxels *voxels = NULL;
    CHECK_OK(ploy_voxels_begin(def, ploy_rng_key_make(5), map, NULL, env, &voxels));
    CHECK_OK(ploy_voxels_step(voxels, NULL));
    return voxels;
}

TEST(ground_is_soil_over_layers_of_rock) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 5, 4, &env);
    for (int32_t i = 0; i < 20; i++) ploy_heightmap_elevation(map)[i] = 10.0f;
    ploy_voxels_def def = ploy_voxels_def_default();
    def.bottom = -2.0f;
    def.layers = 16;
    def.soil = 2.0f;
    def.stratum = 4.0f;
    def.rocks = 2;
    def.bend = 0.0f;
    def.cave_width = 0.0f;
    ploy_voxels *voxels = voxels_test_run(t, &def, map, &env);
    // Middles at -1.5, -0.5, 0.5, ...: rocks of 4 m by height, soil from 8 to 10 m, then air.
    static const int32_t want[16] = {3, 3, 2, 2, 2, 2, 3, 3, 3, 3, 1, 1, 0, 0, 0, 0};
    for (int32_t layer = 0; layer < 16; layer++) {
        for (int32_t cell = 0; cell < 20; cell++) {
            CHECK_INT(ploy_voxels_at(voxels, cell % 5, cell / 5, layer), want[layer]);
        }
    }
    CHECK_INT(ploy_voxels_at(voxels, 5, 0, 0), 0);
    CHECK_INT(ploy_voxels_at(voxels, 0, 0, -1), 0);
    CHECK_INT(ploy_voxels_outcome(voxels).count, 12 * 20);
    ploy_voxels_cancel(voxels);
    ploy_heightmap_destroy(map);
}

TEST(caves_are_below_their_depth_and_follow_their_width) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, 48, 40, 12.0f, 3, &env);
    ploy_voxels_def def = ploy_voxels_def_default();
    def.cave_width = 0.0f;
    ploy_voxels *solid = voxels_test_run(t, &def, map, &env);
    def.cave_width = 0.07f;
    ploy_voxels *narrow = voxels_test_run(t, &def, map, &env);
    def.cave_width = 0.2f;
    ploy_voxels *wide = voxels_test_run(t, &def, map, &env);
    int32_t first = 0, second = 0;
    for (int32_t i = 0; i < 48 * 40 * def.layers; i++) {
        int32_t x = i % 48, y = i / 48 % 40, layer = i / (48 * 40);
        int32_t before = ploy_voxels_at(solid, x, y, layer);
        int32_t after = ploy_voxels_at(narrow, x, y, layer);
        float middle = def.bottom + (float)layer + 0.5f;
        float depth = ploy_heightmap_elevation(map)[y * 48 + x] - middle;
        CHECK_INT(before != 0, depth > 0.0f);
        if (depth < def.cave_depth) CHECK_INT(after, before);
        CHECK(after == before || after == 0); // caves take away and change nothing else
        if (after == 0 && before != 0) CHECK_INT(ploy_voxels_at(wide, x, y, layer), 0);
        first += after == 0 && before != 0;
        second += ploy_voxels_at(wide, x, y, layer) == 0 && before != 0;
    }
    CHECK(first > 500 && second > 2 * first);
    ploy_voxels_cancel(solid);
    ploy_voxels_cancel(narrow);
    ploy_voxels_cancel(wide);
    ploy_heightmap_destroy(map);
}
