// Water on landscapes: filled hollows against a slow fill, drained areas against walks, lakes with
// known outlines, where rivers end.
#include "tests/generate/terrain_test.h"

#include <stdlib.h>

#include "ploy/generate/water.h"

static ploy_water *water_test_run(test_context *t, const ploy_heightmap *map,
                                  const ploy_water_def *def, const ploy_env *env) {
    ploy_water *water = NULL;
    CHECK_OK(ploy_water_begin(def, ploy_rng_key_make(1), map, NULL, env, &water));
    CHECK_OK(ploy_water_step(water, NULL));
    CHECK(ploy_water_outcome(water).done);
    return water;
}

static const int32_t *water_test_layer(const ploy_water *water, const char *name) {
    return ploy_heightmap_layer(ploy_water_heights(water), name, PLOY_HEIGHTMAP_I32);
}

// Lowers a flooded map until nothing changes (Planchon and Darboux, 2001).
static void water_test_fill(const float *elevation, float *filled, int32_t columns, int32_t rows) {
    for (int32_t i = 0; i < columns * rows; i++) {
        int32_t x = i % columns, y = i / columns;
        bool edge = x == 0 || y == 0 || x == columns - 1 || y == rows - 1;
        filled[i] = edge ? elevation[i] : 1e9f;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < columns * rows; i++) {
            int32_t x = i % columns, y = i / columns;
            if (x == 0 || y == 0 || x == columns - 1 || y == rows - 1) continue;
            float low = 1e9f;
            for (int32_t d = 0; d < 9; d++) {
                if (d != 4) low = ploy_minf(low, filled[i + (d / 3 - 1) * columns + d % 3 - 1]);
            }
            float level = ploy_maxf(elevation[i], low);
            changed = changed || level < filled[i];
            filled[i] = ploy_minf(filled[i], level);
        }
    }
}

TEST(hollows_fill_to_their_rim_and_all_water_leaves) {
    enum { COLUMNS = 41, ROWS = 33, CELLS = COLUMNS * ROWS };
    static float want[CELLS];
    static int32_t passes[CELLS];
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TEST_SEED(seed);
        ploy_heightmap *map = terrain_test_hills(t, COLUMNS, ROWS, 9.0f, seed, &env);
        // Whole metres make flats and ties.
        if (seed % 2 == 0) {
            for (int32_t i = 0; i < CELLS; i++) {
                ploy_heightmap_elevation(map)[i] = floorf(ploy_heightmap_elevation(map)[i]);
            }
        }
        ploy_water_def def = ploy_water_def_default();
        ploy_water *water = water_test_run(t, map, &def, &env);
        const float *filled =
            ploy_heightmap_layer(ploy_water_heights(water), "filled", PLOY_HEIGHTMAP_F32);
        const int32_t *drain = water_test_layer(water, "drain");
        const int32_t *drained = water_test_layer(water, "drained");
        water_test_fill(ploy_heightmap_elevation(map), want, COLUMNS, ROWS);
        memset(passes, 0, sizeof passes);
        int64_t out = 0;
        for (int32_t i = 0; i < CELLS; i++) {
            CHECK_SAME(filled[i], want[i]);
            int32_t steps = 0;
            for (int32_t cell = i; cell >= 0; cell = drain[cell]) {
                passes[cell]++;
                CHECK(++steps <= CELLS);
                if (drain[cell] >= 0) CHECK(filled[drain[cell]] <= filled[cell]);
            }
            if (drain[i] < 0) out += drained[i];
        }
        for (int32_t i = 0; i < CELLS; i++) CHECK_INT(drained[i], passes[i]);
        CHECK_INT(out, CELLS);
        ploy_water_cancel(water);
        ploy_heightmap_destroy(map);
    }
}

TEST(rivers_end_in_the_sea_at_the_edge_or_in_a_lake) {
    ploy_env env = ploy_env_default();
    int32_t ends[4] = {0}, lakes_left = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TEST_SEED(seed);
        ploy_heightmap *map = terrain_test_hills(t, 80, 64, 20.0f, seed, &env);
        ploy_water_def def = ploy_water_def_default();
        def.sea_level = 4.0f;
        def.river_area = 30.0f;
        ploy_water *water = water_test_run(t, map, &def, &env);
        int32_t count = 0, lake_count = 0, cells = 0;
        const ploy_river *rivers = ploy_water_rivers(water, &count);
        const ploy_river_point *points = ploy_water_points(water);
        const int32_t *lake = water_test_layer(water, "lake");
        const int32_t *drained = water_test_layer(water, "drained");
        const int32_t *drain = water_test_layer(water, "drain");
        const float *depth =
            ploy_heightmap_layer(ploy_water_heights(water), "water", PLOY_HEIGHTMAP_F32);
        ploy_water_lakes(water, &lake_count);
        CHECK(count > 0);
        for (int32_t i = 0; i < count; i++) {
            const ploy_river_point *line = points + rivers[i].first;
            int32_t last = line[rivers[i].count - 1].cell;
            ends[rivers[i].end]++;
            lakes_left += rivers[i].from_lake >= 0;
            bool own_last = rivers[i].end == PLOY_RIVER_AT_EDGE;
            cells += rivers[i].count - !own_last - (rivers[i].from_lake >= 0);
            for (int32_t k = 1; k < rivers[i].count; k++) {
                CHECK_INT(drain[line[k - 1].cell], line[k].cell);
                CHECK(line[k].width >= line[k - 1].width);
                CHECK(line[k].position.z <= line[k - 1].position.z);
            }
            switch (rivers[i].end) {
            case PLOY_RIVER_AT_EDGE: CHECK_INT(drain[last], -1); break;
            case PLOY_RIVER_IN_SEA: CHECK(ploy_heightmap_elevation(map)[last] <= 4.0f); break;
            case PLOY_RIVER_IN_LAKE:
                CHECK_INT(lake[last] - 1, rivers[i].into);
                CHECK(rivers[i].into < lake_count && depth[last] > 0.0f);
                break;
            case PLOY_RIVER_IN_RIVER: CHECK(rivers[i].into < i && rivers[i].into >= 0); break;
            }
        }
        // Every cell that drains enough, and is neither sea nor lake, is on exactly one river.
        int32_t want = 0;
        for (int32_t i = 0; i < 80 * 64; i++) {
            bool sea = lake[i] == 0 && depth[i] > 0.0f;
            sea = sea || (drain[i] < 0 && ploy_heightmap_elevation(map)[i] <= 4.0f);
            want += drained[i] >= 30 && lake[i] == 0 && !sea;
        }
        CHECK_INT(cells, want);
        ploy_water_cancel(water);
        ploy_heightmap_destroy(map);
    }
    for (int32_t i = 0; i < 4; i++) CHECK(ends[i] > 0); // the maps show all four
    CHECK(lakes_left > 0);
    CHECK_TEXT(ploy_river_end_text(PLOY_RIVER_IN_LAKE), "lake");
}

// A plain at 10 m with a hollow of 5 by 4 cells, 3 m deep, an island in it, and a rim at 9 m.
static ploy_heightmap *water_test_hollow(test_context *t, const ploy_env *env) {
    ploy_heightmap_def def = ploy_heightmap_def_default();
    def.columns = 12;
    def.rows = 10;
    def.spacing = 2.0f;
    def.origin = ploy_vec2_make(100.0f, 50.0f);
    ploy_heightmap *map = NULL;
    CHECK_OK(ploy_heightmap_create(&def, env, &map));
    float *elevation = ploy_heightmap_elevation(map);
    for (int32_t i = 0; i < 120; i++) elevation[i] = 10.0f;
    for (int32_t y = 3; y < 7; y++) {
        for (int32_t x = 3; x < 8; x++) elevation[y * 12 + x] = 7.0f;
    }
    elevation[4 * 12 + 5] = 12.0f;
    for (int32_t x = 8; x < 12; x++) elevation[5 * 12 + x] = 9.0f; // the outflow
    return map;
}

TEST(a_hollow_becomes_a_lake_with_an_island) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = water_test_hollow(t, &env);
    ploy_water_def def = ploy_water_def_default();
    def.river_area = 40.0f;
    ploy_water *water = water_test_run(t, map, &def, &env);
    int32_t count = 0, rivers = 0;
    const ploy_lake *lake = ploy_water_lakes(water, &count);
    CHECK_INT(count, 1);
    CHECK_SAME(lake->level, 9.0f);
    CHECK_SAME(lake->depth, 2.0f);
    CHECK_SAME(lake->area, 19.0f * 4.0f);
    CHECK_INT(lake->ring_count, 2);
    const ploy_rings *rings = ploy_water_rings(water);
    CHECK_NEAR(ploy_rings_area(rings), lake->area, 1e-3);
    CHECK(!ploy_rings_is_hole(rings, 0) && ploy_rings_is_hole(rings, 1));
    CHECK_INT(ploy_rings_get(rings, 0).count, 4);
    ploy_box2 box = ploy_rings_box(rings);
    CHECK_SAME(box.min.x, 105.0f);
    CHECK_SAME(box.max.y, 63.0f);
    CHECK_INT(lake->outlet, 5 * 12 + 7);
    const ploy_river *river = ploy_water_rivers(water, &rivers);
    CHECK_INT(rivers, 1);
    CHECK_INT(river->from_lake, 0);
    CHECK_INT(river->end, PLOY_RIVER_AT_EDGE);
    CHECK_INT(river->count, 5); // in the lake, then the four cells of the outflow
    const ploy_river_point *last = ploy_water_points(water) + river->count - 1;
    CHECK_NEAR(last->width, 0.03 * sqrt(4.0 * water_test_layer(water, "drained")[71]), 1e-5);
    ploy_water_cancel(water);
    // Deeper lakes only: none, and then the river runs through.
    def.lake_depth = 2.5f;
    water = water_test_run(t, map, &def, &env);
    ploy_water_lakes(water, &count);
    CHECK_INT(count, 0);
    CHECK_INT(ploy_water_outcome(water).rejected, 1);
    ploy_water_cancel(water);
    ploy_heightmap_destroy(map);
}

TEST(limits_are_results_that_name_themselves) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = water_test_hollow(t, &env);
    ploy_water_def def = ploy_water_def_default();
    def.max_lakes = 0;
    ploy_water *water = water_test_run(t, map, &def, &env);
    CHECK(ploy_water_outcome(water).partial);
    CHECK_TEXT(ploy_water_outcome(water).limit, "max_lakes");
    ploy_water_cancel(water);
    ploy_heightmap_destroy(map);
    map = terrain_test_hills(t, 60, 60, 20.0f, 3, &env);
    def = ploy_water_def_default();
    def.river_area = 30.0f;
    water = water_test_run(t, map, &def, &env);
    int32_t all = 0, kept = 0;
    int32_t largest = ploy_water_rivers(water, &all)->count;
    CHECK(all > 5);
    ploy_water_cancel(water);
    def.max_rivers = 3;
    water = water_test_run(t, map, &def, &env);
    CHECK_INT(ploy_water_rivers(water, &kept)->count, largest);
    CHECK_INT(kept, 3);
    CHECK_TEXT(ploy_water_outcome(water).limit, "max_rivers");
    ploy_water_cancel(water);
    ploy_heightmap_destroy(map);
}

static ploy_result water_test_make(const ploy_env *env, void *arg) {
    ploy_water_def def = ploy_water_def_default();
    def.river_area = 40.0f;
    ploy_water *water = NULL;
    ploy_result result = ploy_water_begin(&def, ploy_rng_key_make(1), arg, NULL, env, &water);
    if (result == PLOY_OK) result = ploy_water_step(water, NULL);
    ploy_water_cancel(water);
    return result;
}

TEST(running_out_of_memory_leaks_nothing) {
    ploy_env env = ploy_env_default();
    ploy_heightmap *map = water_test_hollow(t, &env);
    CHECK_FAIL_NTH(water_test_make, map);
    ploy_heightmap_destroy(map);
}
