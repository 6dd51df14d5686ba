// Thermal and hydraulic erosion and droplets: the catalog's vectors, what is conserved, symmetry, and
// the plain version of bench/erosion_plain.h.
#include "tests/generate/terrain_test.h"

#include <stdlib.h>

#include "bench/erosion_plain.c"
#include "ploy/generate/erosion.h"

// The angle whose threshold is `threshold` metres at spacing 1.
static float erosion_test_angle(double threshold) {
    return (float)ploy_atan(threshold);
}

TEST(loose_ground_moves_an_eighth_of_the_excess) {
    static const struct {
        double height, moved;
    } rows[] = {{0.5, 0}, {1, 0}, {2, 0.125}, {3, 0.25}, {10, 0.25}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_heightmap *map = terrain_test_map(t, 5, 5, &env);
        float *elevation = ploy_heightmap_elevation(map);
        elevation[12] = (float)rows[i].height;
        ploy_thermal_def def = ploy_thermal_def_default();
        def.angle = erosion_test_angle(1.0);
        def.passes = 1;
        CHECK_OK(ploy_thermal_run(&def, ploy_rng_key_make(1), map, &env));
        CHECK_NEAR(elevation[12], rows[i].height - 4 * rows[i].moved, 1e-6);
        CHECK_NEAR(elevation[11], rows[i].moved, 1e-6);
        CHECK_NEAR(elevation[7], rows[i].moved, 1e-6);
        CHECK_SAME(elevation[6], 0.0f);
        ploy_heightmap_destroy(map);
    }
}

TEST(a_peak_comes_to_rest_at_the_angle_of_repose) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 5, 5, &env);
    float *elevation = ploy_heightmap_elevation(map);
    elevation[12] = 4.0f;
    ploy_thermal_def def = ploy_thermal_def_default();
    def.angle = erosion_test_angle(1.0);
    def.passes = 1;
    CHECK_OK(ploy_thermal_run(&def, ploy_rng_key_make(1), map, &env));
    CHECK_NEAR(elevation[12], 3.0, 1e-6);
    CHECK_NEAR(elevation[17], 0.25, 1e-6);
    def.passes = 30;
    CHECK_OK(ploy_thermal_run(&def, ploy_rng_key_make(1), map, &env));
    CHECK_NEAR(elevation[12], 1.6, 2e-6);
    CHECK_NEAR(elevation[17], 0.6, 2e-6);
    CHECK_NEAR(terrain_test_sum(map, "elevation"), 4.0, 1e-5);
    ploy_heightmap_destroy(map);
}

TEST(cells_at_the_edge_only_receive) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 4, 3, &env);
    float *elevation = ploy_heightmap_elevation(map);
    elevation[4] = 9.0f; // at the edge: stays
    elevation[6] = 9.0f; // inside: slides to the edge too
    ploy_thermal_def def = ploy_thermal_def_default();
    def.angle = erosion_test_angle(1.0);
    def.passes = 1;
    CHECK_OK(ploy_thermal_run(&def, ploy_rng_key_make(1), map, &env));
    CHECK_SAME(elevation[4], 9.0f);
    CHECK_NEAR(elevation[7], 0.25, 1e-6);
    CHECK_NEAR(elevation[6], 8.0, 1e-6);
    ploy_heightmap_destroy(map);
}

TEST(only_low_ground_moves_below_the_altitude) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 9, 5, &env);
    float *elevation = ploy_heightmap_elevation(map);
    elevation[2 * 9 + 2] = 9.0f;
    elevation[2 * 9 + 6] = 4.0f;
    ploy_thermal_def def = ploy_thermal_def_default();
    def.angle = erosion_test_angle(1.0);
    def.passes = 1;
    def.max_altitude = 5.0f;
    CHECK_OK(ploy_thermal_run(&def, ploy_rng_key_make(1), map, &env));
    CHECK_SAME(elevation[2 * 9 + 2], 9.0f);
    CHECK_NEAR(elevation[2 * 9 + 6], 3.0, 1e-6);
    ploy_heightmap_destroy(map);
}

TEST(wind_moves_more_ground_along_with_it) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 5, 5, &env);
    float *elevation = ploy_heightmap_elevation(map);
    elevation[12] = 9.0f;
    ploy_thermal_def def = ploy_thermal_def_default();
    def.angle = erosion_test_angle(1.0);
    def.passes = 1;
    def.wind = 0.5f; // toward +x
    CHECK_OK(ploy_thermal_run(&def, ploy_rng_key_make(1), map, &env));
    CHECK_NEAR(elevation[13], 0.375, 1e-6);
    CHECK_NEAR(elevation[11], 0.125, 1e-6);
    CHECK_NEAR(elevation[7], 0.25, 1e-6);
    CHECK_NEAR(terrain_test_sum(map, "elevation"), 9.0, 1e-5);
    ploy_heightmap_destroy(map);
}

TEST(thermal_erosion_comes_to_rest) {
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 3; seed++) {
        TEST_SEED(seed);
        ploy_heightmap *map = terrain_test_hills(t, 64, 64, 8.0f, seed, &env);
        double before = terrain_test_sum(map, "elevation");
        ploy_thermal_def def = ploy_thermal_def_default();
        def.angle = erosion_test_angle(0.2);
        def.passes = 200000;
        def.settle = 1e-5f;
        ploy_terrain *terrain = NULL;
        CHECK(ploy_thermal_excess(map, def.angle) > 0.1f);
        CHECK_OK(ploy_thermal_begin(&def, ploy_rng_key_make(1), map, NULL, &env, &terrain));
        CHECK_OK(ploy_terrain_step(terrain, NULL));
        ploy_generate_outcome outcome = ploy_terrain_outcome(terrain);
        CHECK(outcome.done && !outcome.partial);
        CHECK(outcome.attempts < def.passes);
        CHECK(ploy_thermal_excess(ploy_terrain_heights(terrain), def.angle) <= 1e-5f);
        double after = terrain_test_sum(ploy_terrain_heights(terrain), "elevation");
        CHECK_NEAR(after / before, 1.0, 1e-5);
        ploy_terrain_cancel(terrain);
        ploy_heightmap_destroy(map);
    }
}

TEST(too_few_passes_to_settle_is_a_partial_result) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, 32, 32, 20.0f, 1, &env);
    ploy_thermal_def def = ploy_thermal_def_default();
    def.passes = 5;
    def.settle = 1e-6f;
    ploy_terrain *terrain = NULL;
    CHECK_OK(ploy_thermal_begin(&def, ploy_rng_key_make(1), map, NULL, &env, &terrain));
    CHECK_OK(ploy_terrain_step(terrain, NULL));
    CHECK(ploy_terrain_outcome(terrain).partial);
    CHECK_TEXT(ploy_terrain_outcome(terrain).limit, "passes");
    ploy_terrain_cancel(terrain);
    ploy_heightmap_destroy(map);
}

// ---- hydraulic

static ploy_hydraulic_def erosion_test_catalog(void) {
    ploy_hydraulic_def def = ploy_hydraulic_def_default();
    def.passes = 1;
    def.rain = 1.0f;
    def.flow_rate = 0.1f;
    def.pick = 0.05f;
    def.solubility = 0.1f;
    def.drop = 0.02f;
    def.evaporation = 0.5f;
    return def;
}

TEST(one_pass_of_rain_gives_the_published_numbers) {
    static const double elevation[] = {1.99, 0.98, -0.01}, water[] = {0.45, 0.5, 0.55};
    static const double material[2][3] = {{0, 0.01, 0.03}, {0.009, 0.019, 0.012}};
    ploy_env env = ploy_env_default();
    for (int32_t share = 0; share < 2; share++) {
        ploy_heightmap *map = terrain_test_map(t, 3, 3, &env);
        for (int32_t i = 0; i < 9; i++) ploy_heightmap_elevation(map)[i] = (float)(2 - i % 3);
        ploy_hydraulic_def def = erosion_test_catalog();
        def.share = share == 0 ? PLOY_SEDIMENT_OF_FLOW : PLOY_SEDIMENT_OF_WATER;
        CHECK_OK(ploy_hydraulic_run(&def, ploy_rng_key_make(1), map, &env));
        const float *w = ploy_heightmap_layer(map, "water", PLOY_HEIGHTMAP_F32);
        const float *s = ploy_heightmap_layer(map, "sediment", PLOY_HEIGHTMAP_F32);
        for (int32_t i = 0; i < 9; i++) {
            CHECK_NEAR(ploy_heightmap_elevation(map)[i], elevation[i % 3], 1e-6);
            CHECK_NEAR(w[i], water[i % 3], 1e-6);
            CHECK_NEAR(s[i], material[share][i % 3], 1e-6);
        }
        CHECK_NEAR(terrain_test_sum(map, "elevation") + terrain_test_sum(map, "sediment"), 9, 1e-5);
        ploy_heightmap_destroy(map);
    }
}

static erosion_plain erosion_test_plain(const ploy_heightmap *map, const ploy_hydraulic_def *def) {
    const ploy_heightmap_def *size = ploy_heightmap_def_of(map);
    int32_t count = ploy_heightmap_cells(map);
    erosion_plain plain = {calloc((size_t)count, sizeof(erosion_plain_cell)),
                           size->columns,
                           size->rows,
                           def->rain,
                           def->flow_rate,
                           def->carry,
                           def->pick,
                           def->drop,
                           def->solubility,
                           def->evaporation,
                           def->share == PLOY_SEDIMENT_OF_WATER};
    for (int32_t i = 0; i < count; i++) {
        plain.cells[i].elevation = ploy_heightmap_elevation(map)[i];
    }
    return plain;
}

TEST(the_plain_version_gives_the_same_landscape) {
    ploy_env env = ploy_env_default();
    for (int32_t variant = 0; variant < 8; variant++) {
        TEST_SEED(variant);
        ploy_heightmap *map = terrain_test_hills(t, 40, 33, 6.0f, (uint64_t)variant + 1, &env);
        ploy_hydraulic_def def = ploy_hydraulic_def_default();
        // Near the thresholds rounding decides and the two part: few passes with them, more without.
        def.passes = variant < 4 ? 20 : 4;
        if (variant < 4) def.pick = def.drop = 0.0f;
        def.rain = 0.0113f; // no sum of a few rains is a threshold
        def.carry = (variant & 1) != 0 ? 0.5f : 0.0f;
        def.share = (variant & 2) != 0 ? PLOY_SEDIMENT_OF_WATER : PLOY_SEDIMENT_OF_FLOW;
        erosion_plain plain = erosion_test_plain(map, &def);
        CHECK_OK(ploy_hydraulic_run(&def, ploy_rng_key_make(1), map, &env));
        for (int32_t pass = 0; pass < def.passes; pass++) erosion_plain_step(&plain);
        const float *water = ploy_heightmap_layer(map, "water", PLOY_HEIGHTMAP_F32);
        const float *flow = ploy_heightmap_layer(map, "flow", PLOY_HEIGHTMAP_F32);
        for (int32_t i = 0; i < ploy_heightmap_cells(map); i++) {
            CHECK_NEAR(ploy_heightmap_elevation(map)[i], plain.cells[i].elevation, 2e-4);
            CHECK_NEAR(water[i], plain.cells[i].water, 2e-4);
            CHECK_NEAR(flow[i], plain.cells[i].total, 2e-4);
        }
        free(plain.cells);
        ploy_heightmap_destroy(map);
    }
}

// One long run: what it conserves, at every tenth pass.
static void erosion_test_conserve(test_context *t, int32_t side, int32_t passes,
                                  const ploy_hydraulic_def *settings) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, side, side, 60.0f, 4, &env);
    double ground = terrain_test_sum(map, "elevation"), water = 0.0;
    ploy_hydraulic_def def = *settings;
    def.passes = passes;
    ploy_terrain *terrain = NULL;
    CHECK_OK(ploy_hydraulic_begin(&def, ploy_rng_key_make(1), map, NULL, &env, &terrain));
    const ploy_heightmap *now = ploy_terrain_heights(terrain);
    for (int32_t pass = 1; pass <= passes; pass++) {
        ploy_budget budget = ploy_budget_units(side + 3); // a pass of four stages
        CHECK(ploy_terrain_step(terrain, &budget) >= PLOY_OK);
        water = (water + (double)def.rain * side * side) * (1.0 - (double)def.evaporation);
        if (pass % 10 != 0 && pass != passes) continue;
        double sum = terrain_test_sum(now, "elevation") + terrain_test_sum(now, "sediment");
        CHECK_NEAR(sum / ground, 1.0, 1e-6);
        CHECK_NEAR(terrain_test_sum(now, "water") / water, 1.0, 1e-5);
    }
    CHECK_OK(ploy_terrain_step(terrain, NULL));
    CHECK_INT(ploy_terrain_outcome(terrain).attempts, passes);
    const float *left = ploy_heightmap_layer(now, "water", PLOY_HEIGHTMAP_F32);
    const float *sediment = ploy_heightmap_layer(now, "sediment", PLOY_HEIGHTMAP_F32);
    for (int32_t i = 0; i < side * side; i++) CHECK(left[i] >= 0.0f && sediment[i] >= 0.0f);
    ploy_terrain_cancel(terrain);
    ploy_heightmap_destroy(map);
}

TEST(ground_and_sediment_are_conserved) {
    ploy_hydraulic_def def = ploy_hydraulic_def_default();
    // The long form is 500 passes over 512 by 512 cells.
    bool long_form = test_rounds(1) > 1;
    erosion_test_conserve(t, long_form ? 512 : 128, long_form ? 500 : 120, &def);
}

TEST(options_conserve_ground_and_sediment_too) {
    ploy_hydraulic_def def = ploy_hydraulic_def_default();
    def.share = PLOY_SEDIMENT_OF_WATER;
    def.carry = 0.8f;
    erosion_test_conserve(t, 48, 60, &def);
    def.loose = 3.0f;
    erosion_test_conserve(t, 48, 60, &def);
}

TEST(water_runs_into_the_valley) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 32, 32, &env);
    float *elevation = ploy_heightmap_elevation(map);
    for (int32_t i = 0; i < 32 * 32; i++) elevation[i] = fabsf((float)(i % 32) - 15.5f);
    ploy_hydraulic_def def = ploy_hydraulic_def_default();
    CHECK_OK(ploy_hydraulic_run(&def, ploy_rng_key_make(1), map, &env));
    const float *water = ploy_heightmap_layer(map, "water", PLOY_HEIGHTMAP_F32);
    CHECK(water[16 * 32 + 15] > 10.0f * water[16 * 32 + 3]);
    CHECK(elevation[16 * 32 + 5] < 10.4f); // the slopes lost ground
    ploy_heightmap_destroy(map);
}

TEST(wind_rain_rock_and_loose_ground_matter) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 32, 8, &env);
    float *elevation = ploy_heightmap_elevation(map);
    for (int32_t i = 0; i < 32 * 8; i++)
        elevation[i] = 8.0f - 0.5f * fabsf((float)(i % 32) - 15.5f);
    ploy_heightmap *rock = NULL, *soft = NULL;
    CHECK_OK(ploy_heightmap_copy(map, &env, &rock));
    CHECK_OK(ploy_heightmap_copy(map, &env, &soft));
    // Wind toward +x: the slope that rises toward +x gets more rain than the other.
    ploy_hydraulic_def def = ploy_hydraulic_def_default();
    def.passes = 1;
    def.windward = 1.0f;
    def.flow_rate = 0.0f;
    CHECK_OK(ploy_hydraulic_run(&def, ploy_rng_key_make(1), map, &env));
    const float *water = ploy_heightmap_layer(map, "water", PLOY_HEIGHTMAP_F32);
    CHECK_NEAR(water[4 * 32 + 8] / water[4 * 32 + 24], 3.0, 1e-4);
    // Soft rock on one half loses more.
    void *layer = NULL;
    CHECK_OK(ploy_heightmap_add(rock, "softness", PLOY_HEIGHTMAP_F32, &layer));
    for (int32_t i = 0; i < 32 * 8; i++) ((float *)layer)[i] = i % 32 < 16 ? 0.1f : 1.0f;
    def = ploy_hydraulic_def_default();
    def.passes = 30;
    CHECK_OK(ploy_hydraulic_run(&def, ploy_rng_key_make(1), rock, &env));
    const float *after = ploy_heightmap_elevation(rock);
    CHECK(8.0f - 0.5f * 5.5f - after[4 * 32 + 10] <
          0.5f * (8.0f - 0.5f * 5.5f - after[4 * 32 + 21]));
    // All rock of softness 1 is the same as no layer: both loops give equal bits.
    ploy_heightmap *plain = NULL;
    CHECK_OK(ploy_heightmap_copy(soft, &env, &plain));
    CHECK_OK(ploy_heightmap_add(soft, "softness", PLOY_HEIGHTMAP_F32, &layer));
    for (int32_t i = 0; i < 32 * 8; i++) ((float *)layer)[i] = 1.0f;
    CHECK_OK(ploy_hydraulic_run(&def, ploy_rng_key_make(1), soft, &env));
    CHECK_OK(ploy_hydraulic_run(&def, ploy_rng_key_make(1), plain, &env));
    CHECK_BYTES(ploy_heightmap_elevation(soft), ploy_heightmap_elevation(plain),
                32 * 8 * sizeof(float));
    // Ground that was put down goes on more easily.
    ploy_heightmap *loose = terrain_test_hills(t, 32, 32, 8.0f, 3, &env), *firm = NULL;
    CHECK_OK(ploy_heightmap_copy(loose, &env, &firm));
    def.loose = 20.0f;
    CHECK_OK(ploy_hydraulic_run(&def, ploy_rng_key_make(1), loose, &env));
    def.loose = 1.0f;
    CHECK_OK(ploy_hydraulic_run(&def, ploy_rng_key_make(1), firm, &env));
    CHECK(memcmp(ploy_heightmap_elevation(loose), ploy_heightmap_elevation(firm),
                 32 * 32 * sizeof(float)) != 0);
    ploy_heightmap_destroy(map);
    ploy_heightmap_destroy(rock);
    ploy_heightmap_destroy(soft);
    ploy_heightmap_destroy(plain);
    ploy_heightmap_destroy(loose);
    ploy_heightmap_destroy(firm);
}

// ---- symmetry

// (x, y) -> (side - 1 - y, x): a quarter turn.
static void erosion_test_turn(const ploy_heightmap *map, ploy_heightmap *turned, int32_t side) {
    const float *from = ploy_heightmap_elevation(map);
    float *to = ploy_heightmap_elevation(turned);
    for (int32_t i = 0; i < side * side; i++) {
        to[(i % side) * side + side - 1 - i / side] = from[i];
    }
}

TEST(a_turned_map_gives_the_turned_result) {
    enum { SIDE = 48 };
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_hills(t, SIDE, SIDE, 12.0f, 7, &env);
    ploy_heightmap *turned = terrain_test_map(t, SIDE, SIDE, &env);
    erosion_test_turn(map, turned, SIDE);
    ploy_heightmap *thermal = NULL, *thermal_turned = NULL, *want = NULL;
    CHECK_OK(ploy_heightmap_copy(map, &env, &thermal));
    CHECK_OK(ploy_heightmap_copy(turned, &env, &thermal_turned));
    CHECK_OK(ploy_heightmap_copy(turned, &env, &want));
    ploy_hydraulic_def rain = ploy_hydraulic_def_default();
    CHECK_OK(ploy_hydraulic_run(&rain, ploy_rng_key_make(1), map, &env));
    CHECK_OK(ploy_hydraulic_run(&rain, ploy_rng_key_make(1), turned, &env));
    erosion_test_turn(map, want, SIDE);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        CHECK_NEAR(ploy_heightmap_elevation(turned)[i], ploy_heightmap_elevation(want)[i], 1e-5);
    }
    ploy_thermal_def slide = ploy_thermal_def_default();
    slide.angle = 0.2f;
    CHECK_OK(ploy_thermal_run(&slide, ploy_rng_key_make(1), thermal, &env));
    CHECK_OK(ploy_thermal_run(&slide, ploy_rng_key_make(1), thermal_turned, &env));
    erosion_test_turn(thermal, want, SIDE);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        CHECK_NEAR(ploy_heightmap_elevation(thermal_turned)[i], ploy_heightmap_elevation(want)[i],
                   1e-5);
    }
    ploy_heightmap_destroy(map);
    ploy_heightmap_destroy(turned);
    ploy_heightmap_destroy(thermal);
    ploy_heightmap_destroy(thermal_turned);
    ploy_heightmap_destroy(want);
}

// ---- droplets

TEST(droplets_carry_ground_downhill_and_lose_none) {
    ploy_env env = ploy_env_default();
    for (int32_t radius = 1; radius <= 6; radius += 5) {
        ploy_heightmap *map = terrain_test_hills(t, 48, 48, 12.0f, 5, &env), *before = NULL;
        CHECK_OK(ploy_heightmap_copy(map, &env, &before));
        ploy_droplets_def def = ploy_droplets_def_default();
        def.radius = radius;
        CHECK_OK(ploy_droplets_run(&def, ploy_rng_key_make(2), map, &env));
        double sum = terrain_test_sum(before, "elevation");
        CHECK_NEAR(terrain_test_sum(map, "elevation") / sum, 1.0, 1e-6);
        // Ground went from high to low: the weighted sum of heights fell.
        double high = 0.0, low = 0.0;
        for (int32_t i = 0; i < 48 * 48; i++) {
            double old = (double)ploy_heightmap_elevation(before)[i];
            high += old * old;
            low += old * (double)ploy_heightmap_elevation(map)[i];
        }
        CHECK(low < high);
        ploy_heightmap_destroy(map);
        ploy_heightmap_destroy(before);
    }
}

TEST(droplets_leave_level_ground_alone) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = terrain_test_map(t, 16, 16, &env);
    ploy_droplets_def def = ploy_droplets_def_default();
    CHECK_OK(ploy_droplets_run(&def, ploy_rng_key_make(2), map, &env));
    for (int32_t i = 0; i < 256; i++) CHECK_SAME(ploy_heightmap_elevation(map)[i], 0.0f);
    ploy_heightmap_destroy(map);
}
