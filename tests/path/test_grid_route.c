// Routes over blocks: found exactly where there is a way, legal, and not much too long.
#include "ploy/path/grid_blocks.h"
#include "tests/path/tile_maps.h"

typedef struct scene {
    ploy_tiles *tiles;
    ploy_grid_map *map;
    ploy_grid_blocks *blocks;
} scene;

static scene make_scene(test_context *t, ploy_tiles *tiles, int32_t size, int32_t side) {
    ploy_env env = ploy_env_default();
    scene made = {tiles, maps_grid(t, tiles, size, false), NULL};
    ploy_grid_blocks_def blocks = ploy_grid_blocks_def_default();
    blocks.side = side;
    CHECK_OK(ploy_grid_blocks_create(&blocks, made.map, &env, &made.blocks));
    return made;
}

static void free_scene(scene *s) {
    ploy_grid_blocks_destroy(s->blocks);
    ploy_grid_map_destroy(s->map);
    ploy_tiles_destroy(s->tiles);
}

// Walks cells by the rules of the tiles; what it costs.
static double walk(test_context *t, const scene *s, int32_t size, int32_t start, int32_t goal,
                   const int32_t *cells, int32_t count) {
    ploy_tiles_walker walker = ploy_tiles_walker_make(s->tiles, NULL);
    walker.size = size;
    int32_t ways = ploy_tiles_def_of(s->tiles).neighbours == PLOY_TILE_FOUR ? 4 : 8;
    double length = 0.0;
    for (int32_t i = 0; i < count; i++) {
        int32_t way = 0;
        while (way < ways && ploy_tiles_neighbour(s->tiles, start, way) != cells[i]) way++;
        CHECK(way < ways);
        double cost = ploy_tiles_walker_step(&walker, start, way);
        CHECK(cost < (double)INFINITY);
        length += cost;
        start = cells[i];
    }
    CHECK_INT(start, goal);
    return length;
}

TEST(routes_are_found_where_there_is_a_way_and_are_not_much_too_long) {
    double worst = 1.0, worst_smooth = 1.0, sum = 0.0, smooth_sum = 0.0, best_sum = 0.0;
    ploy_env env = ploy_env_default();
    ploy_grid_search *best = maps_search(t, PLOY_GRID_ASTAR);
    ploy_grid_route *route = NULL;
    CHECK_OK(ploy_grid_route_create(&env, &route));
    for (int64_t seed = 0; seed < test_rounds(30); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles_def tiles_def = ploy_tiles_def_default();
        tiles_def.width = ploy_rng_int(&rng, 1, 90);
        tiles_def.height = ploy_rng_int(&rng, 1, 60);
        if (seed % 5 == 4) tiles_def.neighbours = PLOY_TILE_FOUR;
        if (seed % 4 == 3) tiles_def.corners = PLOY_TILE_CORNERS_ONE;
        ploy_tiles *tiles = maps_make(t, &tiles_def);
        maps_scatter(tiles, &rng, ploy_rng_range(&rng, 0.0f, 0.4f));
        int32_t count = maps_count(tiles), size = seed % 7 == 6 ? 2 : 1;
        bool weighted = seed % 6 == 5;
        if (weighted) {
            CHECK_OK(ploy_tiles_set_cost(tiles, 2, 5.0f));
            for (int32_t i = 0; i < count / 4; i++) {
                int32_t cell = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                if (ploy_tiles_passable(tiles, cell)) CHECK_OK(ploy_tiles_set(tiles, cell, 2));
            }
        }
        scene s = make_scene(t, tiles, size, ploy_rng_int(&rng, 4, 16));
        int32_t *cells = malloc(2 * (size_t)count * sizeof *cells);
        for (int32_t k = 0; k < 10; k++) {
            int32_t start = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
            int32_t goal = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
            CHECK_OK(ploy_grid_search_run(best, s.map, start, goal));
            CHECK_OK(ploy_grid_route_run(route, s.blocks, start, goal));
            CHECK_INT(ploy_grid_route_outcome(route), ploy_grid_search_outcome(best));
            int32_t steps = ploy_grid_route_path(route, cells, 2 * count), sum_legs = 0;
            if (ploy_grid_search_outcome(best) != PLOY_SEARCH_FOUND) {
                CHECK_INT(steps, -1);
                CHECK_INT(ploy_grid_route_legs(route), -1);
                continue;
            }
            CHECK(steps >= 0 && steps <= 2 * count);
            double length = walk(t, &s, size, start, goal, cells, steps);
            CHECK_NEAR(ploy_grid_route_length(route), length, 1e-9 * (1.0 + length));
            for (int32_t leg = 0; leg < ploy_grid_route_legs(route); leg++) {
                int32_t some[256], found = ploy_grid_route_leg(route, leg, some, 256);
                CHECK_BYTES(some, cells + sum_legs, (size_t)found * sizeof some[0]);
                sum_legs += found;
            }
            CHECK_INT(sum_legs, steps);
            CHECK_INT(ploy_grid_route_leg(route, ploy_grid_route_legs(route), NULL, 0), -1);
            ploy_grid_cost cost;
            CHECK(ploy_grid_search_cost(best, goal, &cost));
            CHECK(length >= cost.length - 1e-9);
            int32_t kept = ploy_grid_smooth(s.map, start, cells, steps);
            CHECK(kept <= steps);
            double smooth = walk(t, &s, size, start, goal, cells, kept);
            CHECK(smooth <= length + 1e-9);
            CHECK(smooth >= cost.length - 1e-9);
            if (start == goal || weighted) continue;
            sum += length;
            smooth_sum += smooth;
            best_sum += cost.length;
            if (length / cost.length > worst) worst = length / cost.length;
            if (smooth / cost.length > worst_smooth) worst_smooth = smooth / cost.length;
        }
        free(cells);
        free_scene(&s);
    }
    printf("routes: %.2f %% longer than the best, worst %.2f times; smoothed %.2f %%, %.2f times\n",
           100.0 * (sum / best_sum - 1.0), worst, 100.0 * (smooth_sum / best_sum - 1.0),
           worst_smooth);
    CHECK(sum / best_sum < 1.12);
    CHECK(smooth_sum / best_sum < 1.06);
    CHECK(worst < 2.0); // near cells are joined directly, whatever borders lie between
    CHECK(worst_smooth < 1.5);
    ploy_grid_search_destroy(best);
    ploy_grid_route_destroy(route);
}

// The square of the benchmark: open, one cell of ten in bars.
TEST(long_routes_are_at_most_5_percent_longer_once_smoothed) {
    enum { SIDE = 1024 };
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(1);
    ploy_tiles *tiles = maps_plain(t, SIDE, SIDE);
    uint8_t *kinds = malloc((size_t)SIDE * SIDE);
    memset(kinds, PLOY_TILE_OPEN, (size_t)SIDE * SIDE);
    for (int32_t i = 0; i < SIDE * SIDE / 120; i++) {
        int32_t x = ploy_rng_int(&rng, 4, SIDE - 12), y = ploy_rng_int(&rng, 4, SIDE - 12);
        bool across = ploy_rng_below(&rng, 2) == 0;
        for (int32_t k = 0; k < 12; k++) {
            int32_t dx = across ? k % 6 : k / 6, dy = across ? k / 6 : k % 6;
            kinds[(y + dy) * SIDE + x + dx] = PLOY_TILE_BLOCKED;
        }
    }
    ploy_tiles_set_all(tiles, kinds);
    free(kinds);
    scene s = make_scene(t, tiles, 1, 16);
    ploy_grid_search *best = maps_search(t, PLOY_GRID_ASTAR);
    ploy_grid_route *route = NULL;
    CHECK_OK(ploy_grid_route_create(&env, &route));
    int32_t *cells = malloc((size_t)SIDE * SIDE * sizeof *cells);
    double sum = 0.0, best_sum = 0.0;
    int64_t taken = 0, best_taken = 0;
    for (int32_t k = 0; k < 20; k++) {
        int32_t start = k == 0 ? 0 : (int32_t)ploy_rng_below(&rng, SIDE * SIDE);
        int32_t goal = k == 0 ? SIDE * SIDE - 1 : (int32_t)ploy_rng_below(&rng, SIDE * SIDE);
        if (!ploy_grid_map_fits(s.map, start) || !ploy_grid_map_fits(s.map, goal)) continue;
        CHECK_OK(ploy_grid_search_run(best, s.map, start, goal));
        if (ploy_grid_search_outcome(best) != PLOY_SEARCH_FOUND) continue;
        CHECK_OK(ploy_grid_route_run(route, s.blocks, start, goal));
        int32_t steps = ploy_grid_route_path(route, cells, SIDE * SIDE);
        steps = ploy_grid_smooth(s.map, start, cells, steps);
        ploy_grid_cost cost;
        CHECK(ploy_grid_search_cost(best, goal, &cost));
        double length = walk(t, &s, 1, start, goal, cells, steps);
        CHECK(length <= 1.05 * cost.length);
        sum += length;
        best_sum += cost.length;
        taken += ploy_grid_route_taken(route);
        best_taken += ploy_grid_search_stats_of(best).taken;
    }
    printf("1024 x 1024: %.2f %% longer, %lld places taken, A* %lld cells\n",
           100.0 * (sum / best_sum - 1.0), (long long)taken, (long long)best_taken);
    CHECK(sum <= 1.03 * best_sum);
    CHECK(taken * 60 < best_taken);
    free(cells);
    ploy_grid_route_destroy(route);
    ploy_grid_search_destroy(best);
    free_scene(&s);
}

TEST(slices_change_nothing_and_edits_must_be_followed) {
    ploy_rng rng = ploy_rng_make(3);
    ploy_tiles *tiles = maps_plain(t, 100, 100);
    maps_scatter(tiles, &rng, 0.2f);
    CHECK_OK(ploy_tiles_set(tiles, 0, PLOY_TILE_OPEN));
    scene s = make_scene(t, tiles, 1, 10);
    ploy_env env = ploy_env_default();
    ploy_grid_route *whole = NULL, *sliced = NULL;
    CHECK_OK(ploy_grid_route_create(&env, &whole));
    CHECK_OK(ploy_grid_route_create(&env, &sliced));
    int32_t goal = 100 * 100 - 1, a[4000], b[4000];
    while (!ploy_grid_map_connected(s.map, 0, goal)) goal--;
    CHECK_OK(ploy_grid_route_run(whole, s.blocks, 0, goal));
    CHECK_OK(ploy_grid_route_begin(sliced, s.blocks, 0, goal));
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(1);
        result = ploy_grid_route_step(sliced, &budget);
    }
    CHECK_OK(result);
    CHECK_INT(ploy_grid_route_taken(sliced), ploy_grid_route_taken(whole));
    int32_t count = ploy_grid_route_path(whole, a, 4000);
    CHECK(count <= 4000);
    CHECK_INT(ploy_grid_route_path(sliced, b, 4000), count);
    CHECK_BYTES(a, b, (size_t)count * sizeof a[0]);
    // Fewer than there are: the first ones.
    CHECK_INT(ploy_grid_route_path(sliced, b, 7), count);
    CHECK_BYTES(a, b, 7 * sizeof a[0]);
    CHECK_OK(ploy_tiles_set(tiles, 0, PLOY_TILE_BLOCKED));
    CHECK_OK(ploy_grid_map_refresh(s.map));
    CHECK_INT(ploy_grid_route_begin(whole, s.blocks, 1, goal), PLOY_ERR_STATE);
    CHECK(ploy_grid_blocks_refresh(s.blocks) > 0);
    CHECK_OK(ploy_grid_route_run(whole, s.blocks, 0, goal));
    CHECK_INT(ploy_grid_route_outcome(whole), PLOY_SEARCH_NONE);
    CHECK_INT(ploy_grid_route_begin(whole, s.blocks, -1, goal), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_route_begin(whole, s.blocks, 0, 10000), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_route_begin(whole, NULL, 0, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_route_step(whole, NULL), PLOY_ERR_STATE);
    ploy_grid_route_destroy(whole);
    ploy_grid_route_destroy(sliced);
    free_scene(&s);
}

static ploy_result run_one(const ploy_env *env, void *arg) {
    ploy_grid_route *route = NULL;
    ploy_result result = ploy_grid_route_create(env, &route);
    if (result == PLOY_OK) result = ploy_grid_route_run(route, arg, 0, 39 * 40 + 39);
    ploy_grid_route_destroy(route);
    return result;
}

TEST(a_route_survives_every_failing_allocation) {
    scene s = make_scene(t, maps_plain(t, 40, 40), 1, 8);
    CHECK_FAIL_NTH(run_one, s.blocks);
    free_scene(&s);
}
