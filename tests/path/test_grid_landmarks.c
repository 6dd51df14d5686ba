// Landmarks of grid maps: whatever their number, ways stay the cheapest, and fewer cells are taken.
#include "path/path_internal.h"
#include "ploy/path/grid_map.h"
#include "tests/path/tile_maps.h"

static ploy_grid_map *make_map(test_context *t, const ploy_tiles *tiles, int32_t landmarks) {
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.tables = true;
    def.landmarks = landmarks;
    return maps_grid_with(t, tiles, &def);
}

// Units of the way, -1 for none; adds the cells taken.
static int64_t cost_of(test_context *t, ploy_grid_search *search, const ploy_grid_map *map,
                       int32_t start, int32_t goal, int64_t *taken) {
    CHECK_OK(ploy_grid_search_run(search, map, start, goal));
    *taken += ploy_grid_search_stats_of(search).taken;
    ploy_grid_cost cost;
    if (ploy_grid_search_outcome(search) != PLOY_SEARCH_FOUND) return -1;
    CHECK(ploy_grid_search_cost(search, goal, &cost));
    return cost.units;
}

TEST(any_number_of_landmarks_leaves_ways_the_cheapest) {
    int64_t taken[9] = {0}, unused = 0;
    ploy_grid_search *fast = maps_search(t, PLOY_GRID_FAST);
    ploy_grid_search *oracle = maps_search(t, PLOY_GRID_DIJKSTRA);
    for (int64_t seed = 0; seed < test_rounds(12); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles *tiles = maps_plain(t, ploy_rng_int(&rng, 30, 160), ploy_rng_int(&rng, 30, 160));
        // Up to half: then the map falls into many parts, each with landmarks of its own.
        maps_scatter(tiles, &rng, ploy_rng_range(&rng, 0.1f, 0.5f));
        ploy_grid_map *maps[9];
        for (int32_t i = 0; i <= 8; i++) maps[i] = make_map(t, tiles, i);
        for (int32_t k = 0; k < 12; k++) {
            int32_t start = (int32_t)ploy_rng_below(&rng, (uint64_t)maps_count(tiles));
            int32_t goal = (int32_t)ploy_rng_below(&rng, (uint64_t)maps_count(tiles));
            int64_t want = cost_of(t, oracle, maps[0], start, goal, &unused);
            for (int32_t i = 0; i <= 8; i++) {
                CHECK_INT(cost_of(t, fast, maps[i], start, goal, &taken[i]), want);
            }
        }
        for (int32_t i = 0; i <= 8; i++) ploy_grid_map_destroy(maps[i]);
        ploy_tiles_destroy(tiles);
    }
    CHECK(taken[4] < taken[1]);
    CHECK(taken[1] < taken[0]);
    ploy_grid_search_destroy(fast);
    ploy_grid_search_destroy(oracle);
}

// A sack: the goal lies behind it, and without landmarks the whole sack is filled first.
TEST(a_search_does_not_fill_a_sack) {
    ploy_tiles *tiles = maps_plain(t, 60, 60);
    for (int32_t i = 10; i < 50; i++) {
        CHECK_OK(ploy_tiles_set(tiles, i * 60 + 49, PLOY_TILE_BLOCKED));
        CHECK_OK(ploy_tiles_set(tiles, 10 * 60 + i, PLOY_TILE_BLOCKED));
        CHECK_OK(ploy_tiles_set(tiles, 49 * 60 + i, PLOY_TILE_BLOCKED));
    }
    for (int32_t y = 12; y < 48; y += 3) { // something to turn at
        for (int32_t x = 14; x < 46; x += 3) {
            CHECK_OK(ploy_tiles_set(tiles, y * 60 + x, PLOY_TILE_BLOCKED));
        }
    }
    ploy_grid_map *with = make_map(t, tiles, 4), *without = make_map(t, tiles, 0);
    ploy_grid_search *fast = maps_search(t, PLOY_GRID_FAST);
    int64_t few = 0, many = 0;
    int64_t cost = cost_of(t, fast, with, 30 * 60 + 5, 30 * 60 + 55, &few);
    CHECK_INT(cost_of(t, fast, without, 30 * 60 + 5, 30 * 60 + 55, &many), cost);
    CHECK(few * 2 < many);
    ploy_grid_search_destroy(fast);
    ploy_grid_map_destroy(with);
    ploy_grid_map_destroy(without);
    ploy_tiles_destroy(tiles);
}

static ploy_result prepare_again(const ploy_env *env, void *arg) {
    ploy_tiles *tiles = arg;
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.tables = true;
    ploy_grid_map *map = NULL;
    ploy_result result = ploy_grid_map_create(&def, tiles, env, &map);
    if (result == PLOY_OK) {
        ploy_tiles_set(tiles, 5, ploy_tiles_get(tiles, 5) == 0 ? PLOY_TILE_OPEN : 0);
        result = ploy_grid_map_refresh(map);
    }
    if (result == PLOY_OK) result = ploy_grid_map_prepare(map);
    // Out of memory leaves a map without tables, never with wrong ones.
    if (result == PLOY_OK && !ployi_grid_map_prepared(map)) result = PLOY_ERR_STATE;
    ploy_grid_map_destroy(map);
    return result;
}

TEST(prepare_survives_every_failing_allocation) {
    ploy_tiles *tiles = maps_plain(t, 20, 20);
    CHECK_FAIL_NTH(prepare_again, tiles);
    ploy_tiles_destroy(tiles);
}
