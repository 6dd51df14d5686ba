// Any-angle paths: legal by a walker that knows only squares and lines, never longer than the
// grid's, and near the best that lines between cells can do.
#include "path/grid_angle_internal.h"
#include "path/path_internal.h"

#include "tests/path/tile_maps.h"

TEST(the_field_table_is_sound) {
    CHECK_OK(ploy_fields_check_table(ployi_grid_angle_fields(), NULL));
    CHECK_TEXT(ployi_grid_angle_text(PLOY_GRID_ANGLE_LAZY), "lazy");
    CHECK_TEXT(ployi_grid_angle_text(PLOY_GRID_ANGLE_COUNT), "?");
}

static ployi_grid_angle *make_angle(test_context *t, ploy_grid_angle_algorithm algorithm) {
    ploy_env env = ploy_env_default();
    ployi_grid_angle_def def = ployi_grid_angle_def_default();
    def.algorithm = algorithm;
    ployi_grid_angle *angle = NULL;
    CHECK_OK(ployi_grid_angle_create(&def, &env, &angle));
    return angle;
}

// Sight without walking: no blocked square is touched. Between two blocked squares that share only
// a corner, open squares would let it pass: there the rule "one" looks at both.
static bool slow_sight(const ploy_grid_map *map, int32_t a, int32_t b) {
    const ploy_tiles *tiles = ployi_grid_map_tiles(map);
    int32_t width = ploy_tiles_width(tiles);
    ploy_tile_corners corners = ploy_tiles_def_of(tiles).corners;
    maps_point from = maps_centre(a, width), to = maps_centre(b, width);
    if (!ploy_grid_map_fits(map, a) || !ploy_grid_map_fits(map, b)) return false;
    for (int32_t cell = 0; cell < maps_count(tiles); cell++) {
        if (ploy_grid_map_fits(map, cell)) continue;
        if (maps_touches(from, to, cell, width, corners != PLOY_TILE_CORNERS_CLEAR)) return false;
        if (corners != PLOY_TILE_CORNERS_ONE) continue;
        // Its other half lies across the corner that the line passes through.
        for (int32_t k = -1; k <= 1; k += 2) {
            int32_t x = cell % width + k, other = cell + width + k;
            if (x < 0 || x >= width || other >= maps_count(tiles)) continue;
            if (ploy_grid_map_fits(map, other)) continue;
            if (!maps_touches(from, to, cell, width, false)) continue;
            maps_point corner = {2 * (cell % width + (k + 1) / 2), 2 * (cell / width + 1)};
            if (maps_side(from, to, corner) == 0) return false;
        }
    }
    return true;
}

TEST(sight_is_that_of_lines_and_squares) {
    for (int64_t seed = 0; seed < test_rounds(30); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = ploy_rng_int(&rng, 2, 12);
        def.height = ploy_rng_int(&rng, 2, 12);
        def.corners = (ploy_tile_corners)(seed % 3);
        ploy_tiles *tiles = maps_make(t, &def);
        maps_scatter(tiles, &rng, 0.2f);
        ploy_grid_map *map = maps_grid(t, tiles, 1, false);
        for (int32_t a = 0; a < maps_count(tiles); a++) {
            for (int32_t b = 0; b <= a; b++) {
                bool sees = ploy_grid_sight(map, a, b);
                CHECK_INT(ploy_grid_sight(map, b, a), sees);
                CHECK_INT(sees, slow_sight(map, a, b));
            }
        }
        CHECK(!ploy_grid_sight(map, -1, 0));
        CHECK(!ploy_grid_sight(map, 0, maps_count(tiles)));
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

static double distance(int32_t a, int32_t b, int32_t width) {
    double dx = (double)(a % width - b % width), dy = (double)(a / width - b / width);
    return sqrt(dx * dx + dy * dy);
}

// Runs one query and walks the answer; its length, -1 if there is none.
static double answer(test_context *t, ployi_grid_angle *angle, ploy_grid_search *grid,
                     const ploy_grid_map *map, int32_t start, int32_t goal, bool slow) {
    int32_t turns[512], width = ploy_tiles_width(ployi_grid_map_tiles(map)), at = start;
    CHECK_OK(ployi_grid_angle_run(angle, map, start, goal));
    CHECK_OK(ploy_grid_search_run(grid, map, start, goal));
    int32_t count = ployi_grid_angle_path(angle, turns, 512);
    if (ploy_grid_search_outcome(grid) == PLOY_SEARCH_NONE) {
        CHECK_INT(ployi_grid_angle_outcome(angle), PLOY_SEARCH_NONE);
        CHECK_INT(count, -1);
        return -1.0;
    }
    CHECK_INT(ployi_grid_angle_outcome(angle), PLOY_SEARCH_FOUND);
    CHECK(count >= 0 && count <= 512);
    double length = 0.0;
    for (int32_t i = 0; i < count; i++) {
        CHECK(slow ? slow_sight(map, at, turns[i]) : ploy_grid_sight(map, at, turns[i]));
        length += distance(at, turns[i], width);
        at = turns[i];
    }
    CHECK_INT(at, goal);
    CHECK_NEAR(ployi_grid_angle_length(angle), length, 1e-9);
    ploy_grid_cost cost;
    CHECK(ploy_grid_search_cost(grid, goal, &cost));
    CHECK(length <= cost.length + 1e-9);
    CHECK(length >= distance(start, goal, width) - 1e-9);
    return length;
}

// The shortest way over lines of sight between any cells, looking at all of them.
static void slow_lengths(const ploy_grid_map *map, int32_t start, double *lengths) {
    const ploy_tiles *tiles = ployi_grid_map_tiles(map);
    int32_t count = maps_count(tiles), width = ploy_tiles_width(tiles);
    bool *done = calloc((size_t)count, sizeof *done);
    for (int32_t i = 0; i < count; i++) lengths[i] = i == start ? 0.0 : (double)INFINITY;
    for (;;) {
        int32_t at = -1;
        for (int32_t i = 0; i < count; i++) {
            if (!done[i] && lengths[i] < (double)INFINITY && (at < 0 || lengths[i] < lengths[at])) {
                at = i;
            }
        }
        if (at < 0) break;
        done[at] = true;
        for (int32_t i = 0; i < count; i++) {
            double length = lengths[at] + distance(at, i, width);
            if (!done[i] && length < lengths[i] && ploy_grid_sight(map, at, i)) lengths[i] = length;
        }
    }
    free(done);
}

TEST(paths_are_legal_and_near_the_best) {
    double worst[2] = {1.0, 1.0}, sums[2] = {0.0, 0.0}, best_sum = 0.0, grid_sum = 0.0;
    ployi_grid_angle *angles[2] = {make_angle(t, PLOY_GRID_ANGLE_THETA),
                                   make_angle(t, PLOY_GRID_ANGLE_LAZY)};
    ploy_grid_search *grid = maps_search(t, PLOY_GRID_ASTAR);
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = ploy_rng_int(&rng, 4, 22);
        def.height = ploy_rng_int(&rng, 4, 22);
        if (seed % 4 == 3) def.corners = (ploy_tile_corners)(1 + seed / 4 % 2);
        int32_t size = seed % 7 == 6 ? 2 : 1;
        ploy_tiles *tiles = maps_make(t, &def);
        maps_scatter(tiles, &rng, ploy_rng_range(&rng, 0.1f, 0.35f));
        ploy_grid_map *map = maps_grid(t, tiles, size, false);
        int32_t count = maps_count(tiles);
        double *lengths = malloc((size_t)count * sizeof *lengths);
        int32_t start = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
        if (ploy_grid_map_fits(map, start)) slow_lengths(map, start, lengths);
        for (int32_t k = 0; k < 8; k++) {
            int32_t goal = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
            for (int32_t i = 0; i < 2; i++) {
                double length = answer(t, angles[i], grid, map, start, goal, true);
                if (!(length > 0.0)) continue;
                CHECK(length >= lengths[goal] - 1e-9);
                if (length / lengths[goal] > worst[i]) worst[i] = length / lengths[goal];
                sums[i] += length;
                if (i == 0) best_sum += lengths[goal];
                ploy_grid_cost cost;
                if (i == 0 && ploy_grid_search_cost(grid, goal, &cost)) grid_sum += cost.length;
            }
        }
        free(lengths);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
    printf("longer than the best: theta %.3f %% (worst %.2f), lazy %.3f %% (worst %.2f), grid "
           "%.3f %%\n",
           100.0 * (sums[0] / best_sum - 1.0), 100.0 * (worst[0] - 1.0),
           100.0 * (sums[1] / best_sum - 1.0), 100.0 * (worst[1] - 1.0),
           100.0 * (grid_sum / best_sum - 1.0));
    for (int32_t i = 0; i < 2; i++) {
        CHECK(worst[i] < 1.15); // ways of a few cells; 1.113 in 800 maps
        CHECK(sums[i] / best_sum < 1.015);
        CHECK(sums[i] < grid_sum);
        ployi_grid_angle_destroy(angles[i]);
    }
    ploy_grid_search_destroy(grid);
}

TEST(slices_change_nothing) {
    for (int64_t seed = 0; seed < test_rounds(8); seed++) {
        TEST_SEED(seed);
        ploy_tiles *tiles;
        int32_t start, goal, a[256], b[256];
        ploy_grid_map *map = maps_far(t, seed, &tiles, &start, &goal);
        ployi_grid_angle *whole = make_angle(t, (ploy_grid_angle_algorithm)(seed % 2));
        ployi_grid_angle *sliced = make_angle(t, (ploy_grid_angle_algorithm)(seed % 2));
        CHECK_OK(ployi_grid_angle_run(whole, map, start, goal));
        CHECK_OK(ployi_grid_angle_begin(sliced, map, start, goal));
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_task_step(ployi_grid_angle_task(sliced), &budget);
        }
        CHECK_OK(result);
        int32_t count = ployi_grid_angle_path(whole, a, 256);
        CHECK_INT(ployi_grid_angle_path(sliced, b, 256), count);
        CHECK_BYTES(a, b, (size_t)count * sizeof a[0]);
        ployi_grid_angle_stats one = ployi_grid_angle_stats_of(whole);
        ployi_grid_angle_stats other = ployi_grid_angle_stats_of(sliced);
        CHECK_INT(one.taken, other.taken);
        CHECK_INT(one.looked, other.looked);
        CHECK_INT(one.units, other.units);
        ployi_grid_angle_destroy(whole);
        ployi_grid_angle_destroy(sliced);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

TEST(what_lines_cannot_answer_is_refused) {
    ployi_grid_angle *angle = make_angle(t, PLOY_GRID_ANGLE_LAZY);
    ploy_tiles *tiles = maps_plain(t, 9, 9);
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    CHECK_INT(ployi_grid_angle_step(angle, NULL), PLOY_ERR_STATE);
    CHECK_INT(ployi_grid_angle_begin(angle, map, 0, 81), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_grid_angle_begin(angle, map, -1, 3), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_grid_angle_begin(angle, NULL, 0, 3), PLOY_ERR_ARGUMENT);
    CHECK_OK(ployi_grid_angle_run(angle, map, 5, 5));
    CHECK_INT(ployi_grid_angle_path(angle, NULL, 0), 0);
    CHECK_OK(ployi_grid_angle_begin(angle, map, 5, 60));
    ployi_grid_angle_cancel(angle);
    CHECK_INT(ployi_grid_angle_path(angle, NULL, 0), -1);
    CHECK_OK(ploy_tiles_set(tiles, 7, 2));
    CHECK_OK(ploy_tiles_set_cost(tiles, 2, 3.0f));
    CHECK_OK(ploy_grid_map_refresh(map));
    CHECK_INT(ployi_grid_angle_begin(angle, map, 0, 3), PLOY_ERR_UNSUPPORTED);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    ployi_grid_angle_destroy(angle);
}

static ploy_result run_one(const ploy_env *env, void *arg) {
    ployi_grid_angle_def def = ployi_grid_angle_def_default();
    ployi_grid_angle *angle = NULL;
    ploy_result result = ployi_grid_angle_create(&def, env, &angle);
    if (result == PLOY_OK) result = ployi_grid_angle_run(angle, arg, 0, 24 * 24 - 1);
    ployi_grid_angle_destroy(angle);
    return result;
}

TEST(a_search_survives_every_failing_allocation_and_needs_none_when_warm) {
    ploy_tiles *tiles = maps_winding(t);
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    CHECK_FAIL_NTH(run_one, map);
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ployi_grid_angle_def def = ployi_grid_angle_def_default();
    ployi_grid_angle *angle = NULL;
    CHECK_OK(ployi_grid_angle_create(&def, &env, &angle));
    CHECK_OK(ployi_grid_angle_run(angle, map, 0, 24 * 24 - 1));
    int64_t calls = counts.calls, bytes = 0;
    CHECK_OK(ployi_grid_angle_run(angle, map, 0, 24 * 24 - 1));
    CHECK_INT(counts.calls, calls);
    ployi_grid_angle_memory(angle, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ployi_grid_angle_destroy(angle);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}
