// Grid searches: all find the cheapest way, in any slices, on any map turned any way.
#include "path/grid_internal.h"
#include "path/path_internal.h"
#include "ploy/path/grid_search.h"

#include "tests/path/tile_maps.h"

TEST(the_field_table_is_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_grid_search_fields(), NULL));
    CHECK_TEXT(ploy_grid_algorithm_text(PLOY_GRID_JPS), "jps");
    CHECK_TEXT(ploy_grid_algorithm_text(PLOY_GRID_ALGORITHM_COUNT), "?");
}

// s q + d p has the sign of s + d sqrt(2), for |d| < q: p / q is a convergent, p^2 = 2 q^2 + 1. The
// sign of s + d sqrt(2) itself is known from s^2 - 2 d^2, in whole numbers.
TEST(units_compare_as_lengths_do) {
    const int64_t q = PLOY_GRID_STRAIGHT, p = PLOY_GRID_DIAGONAL;
    CHECK(p * p - 2 * q * q == 1);
    // The worst case for each d is the s next to d sqrt(2); all small d, and the convergents.
    int64_t last = 1, next = 2;
    for (int64_t i = 1; i < 200000; i++) {
        int64_t d = i;
        if (i % 1000 == 0 && next < q) { // denominators of convergents: 2, 5, 12, 29, ...
            d = next;
            next = 2 * next + last;
            last = d;
        }
        int64_t s = (int64_t)sqrt(2.0 * (double)d * (double)d);
        while (s * s < 2 * d * d) s++;
        while (s * s > 2 * d * d) s--;
        CHECK(s * s < 2 * d * d && (s + 1) * (s + 1) > 2 * d * d);
        CHECK(s * q < d * p);
        CHECK((s + 1) * q > d * p);
    }
    CHECK_INT(next, q); // all were tried, and q is the next
    ploy_grid_cost cost = ploy_grid_cost_make(3, 2);
    CHECK_INT(cost.units, 3 * q + 2 * p);
    CHECK_NEAR(cost.length, 3.0 + 2.0 * sqrt(2.0), 1e-12);
}

// Walks the path by the rules of the tiles, knowing nothing of grids' searches; its cost in units.
static int64_t walk(test_context *t, const ploy_tiles *tiles, int32_t size,
                    const ploy_grid_search *search, int32_t start, int32_t goal) {
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    walker.size = size;
    int32_t ways = ploy_tiles_def_of(tiles).neighbours == PLOY_TILE_FOUR ? 4 : 8;
    int32_t room = maps_count(tiles), at = start;
    int32_t *cells = malloc((size_t)room * sizeof *cells);
    int32_t count = ploy_grid_search_path(search, goal, cells, room);
    int64_t straight = 0, diagonal = 0;
    CHECK(count >= 0 && count <= room);
    for (int32_t i = 0; i < count; i++) {
        int32_t way = 0;
        while (way < ways && ploy_tiles_neighbour(tiles, at, way) != cells[i]) way++;
        CHECK(way < ways);
        CHECK(ploy_tiles_walker_step(&walker, at, way) < (double)INFINITY);
        int64_t cost = (int64_t)ploy_tiles_cost(tiles, ploy_tiles_get(tiles, cells[i]));
        if (ways == 8 && way % 2 != 0) {
            diagonal += cost;
        } else {
            straight += cost;
        }
        at = cells[i];
    }
    CHECK_INT(at, goal);
    free(cells);
    ploy_grid_cost cost;
    CHECK(ploy_grid_search_cost(search, goal, &cost));
    CHECK_INT(cost.straight, straight);
    CHECK_INT(cost.diagonal, diagonal);
    CHECK_INT(cost.units, ploy_grid_cost_make(straight, diagonal).units);
    return cost.units;
}

// Runs one query and checks everything about the answer; -1 if there is none.
static int64_t answer(test_context *t, ploy_grid_search *search, const ploy_grid_map *map,
                      int32_t size, int32_t start, int32_t goal) {
    CHECK_OK(ploy_grid_search_run(search, map, start, goal));
    if (ploy_grid_search_outcome(search) == PLOY_SEARCH_NONE) {
        CHECK(!ploy_grid_map_connected(map, start, goal));
        CHECK_INT(ploy_grid_search_stats_of(search).taken, 0); // no flood
        if (goal != start) CHECK_INT(ploy_grid_search_path(search, goal, NULL, 0), -1);
        return -1;
    }
    CHECK_INT(ploy_grid_search_outcome(search), PLOY_SEARCH_FOUND);
    return walk(t, ployi_grid_map_tiles(map), size, search, start, goal);
}

// Cell by cell, the cheapest neighbour that is not done yet: Dijkstra without any queue.
static int64_t *slow_costs(const ploy_tiles *tiles, int32_t size, int32_t start) {
    int32_t count = maps_count(tiles);
    bool four = ploy_tiles_def_of(tiles).neighbours == PLOY_TILE_FOUR;
    int64_t *costs = malloc((size_t)count * sizeof *costs);
    bool *done = calloc((size_t)count, sizeof *done);
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    walker.size = size;
    for (int32_t i = 0; i < count; i++) costs[i] = INT64_MAX;
    if (ployi_tiles_walker_fits(&walker, start)) costs[start] = 0;
    for (;;) {
        int32_t at = -1;
        for (int32_t i = 0; i < count; i++) {
            if (!done[i] && costs[i] < INT64_MAX && (at < 0 || costs[i] < costs[at])) at = i;
        }
        if (at < 0) break;
        done[at] = true;
        for (int32_t way = 0; way < (four ? 4 : 8); way++) {
            int32_t to = ploy_tiles_neighbour(tiles, at, way);
            if (to < 0 || !(ploy_tiles_walker_step(&walker, at, way) < (double)INFINITY)) continue;
            bool diagonal = !four && way % 2 != 0;
            int64_t enter = (int64_t)ploy_tiles_cost(tiles, ploy_tiles_get(tiles, to));
            int64_t cost = costs[at] + enter * (diagonal ? PLOY_GRID_DIAGONAL : PLOY_GRID_STRAIGHT);
            if (cost < costs[to]) costs[to] = cost;
        }
    }
    free(done);
    return costs;
}

TEST(every_algorithm_finds_the_cheapest_way) {
    ploy_grid_search *searches[PLOY_GRID_ALGORITHM_COUNT];
    for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) {
        searches[i] = maps_search(t, (ploy_grid_algorithm)i);
    }
    for (int64_t seed = 0; seed < test_rounds(120); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles_def def = ploy_tiles_def_default();
        def.width = ploy_rng_int(&rng, 1, seed % 4 == 0 ? 150 : 24);
        def.height = ploy_rng_int(&rng, 1, 18);
        bool jumps = seed % 3 != 2; // others have costs, four ways or corners that are cut
        if (!jumps) {
            def.neighbours = seed % 2 == 0 ? PLOY_TILE_FOUR : PLOY_TILE_EIGHT;
            def.corners = (ploy_tile_corners)(seed / 6 % 3);
        }
        int32_t size = seed % 7 == 6 ? 2 : 1;
        ploy_tiles *tiles = maps_make(t, &def);
        maps_scatter(tiles, &rng, ploy_rng_range(&rng, 0.05f, 0.45f));
        int32_t count = maps_count(tiles);
        if (!jumps && seed % 4 < 2) {
            CHECK_OK(ploy_tiles_set_cost(tiles, 2, (float)ploy_rng_int(&rng, 2, 9)));
            for (int32_t i = 0; i < count / 3; i++) {
                int32_t cell = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                if (ploy_tiles_passable(tiles, cell)) CHECK_OK(ploy_tiles_set(tiles, cell, 2));
            }
        }
        ploy_grid_map *map = maps_grid(t, tiles, size, jumps);
        for (int32_t turn = 0; turn < 4; turn++) {
            int32_t start = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
            int64_t *costs = slow_costs(tiles, size, start);
            for (int32_t k = 0; k < 6; k++) {
                int32_t goal = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                int64_t want = costs[goal] < INT64_MAX ? costs[goal] : -1;
                for (int32_t i = 0; i < (jumps ? 4 : 2); i++) {
                    CHECK_INT(answer(t, searches[i], map, size, start, goal), want);
                }
            }
            // Without a goal: everywhere.
            CHECK_OK(ploy_grid_search_run(searches[0], map, start, PLOY_STATE_NONE));
            for (int32_t cell = 0; cell < count && costs[start] == 0; cell++) {
                ploy_grid_cost cost;
                bool reached = ploy_grid_search_cost(searches[0], cell, &cost);
                CHECK_INT(reached, costs[cell] < INT64_MAX);
                if (reached) CHECK_INT(cost.units, costs[cell]);
            }
            free(costs);
        }
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
    for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) ploy_grid_search_destroy(searches[i]);
}

// One of the eight ways to turn and mirror a square.
static int32_t turned(int32_t cell, int32_t side, int32_t symmetry) {
    int32_t x = cell % side, y = cell / side;
    if ((symmetry & 1) != 0) x = side - 1 - x;
    if ((symmetry & 2) != 0) y = side - 1 - y;
    return (symmetry & 4) != 0 ? x * side + y : y * side + x;
}

TEST(turning_the_map_or_the_question_changes_no_cost) {
    enum { SIDE = 70 };
    for (int64_t seed = 0; seed < test_rounds(12); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles *tiles = maps_plain(t, SIDE, SIDE);
        maps_scatter(tiles, &rng, 0.3f);
        int64_t wants[8];
        for (int32_t symmetry = 0; symmetry < 8; symmetry++) {
            ploy_tiles *other = maps_plain(t, SIDE, SIDE);
            for (int32_t i = 0; i < SIDE * SIDE; i++) {
                CHECK_OK(
                    ploy_tiles_set(other, turned(i, SIDE, symmetry), ploy_tiles_get(tiles, i)));
            }
            ploy_grid_map *map = maps_grid(t, other, 1, true);
            ploy_rng draws = ploy_rng_make((uint64_t)seed + 1000);
            for (int32_t k = 0; k < 8; k++) {
                int32_t a = turned((int32_t)ploy_rng_below(&draws, SIDE * SIDE), SIDE, symmetry);
                int32_t b = turned((int32_t)ploy_rng_below(&draws, SIDE * SIDE), SIDE, symmetry);
                for (int32_t i = 1; i < PLOY_GRID_ALGORITHM_COUNT; i++) {
                    ploy_grid_search *search = maps_search(t, (ploy_grid_algorithm)i);
                    int64_t cost = answer(t, search, map, 1, a, b);
                    if (symmetry == 0 && i == 1) wants[k] = cost;
                    CHECK_INT(cost, wants[k]);
                    CHECK_INT(answer(t, search, map, 1, b, a), wants[k]);
                    ploy_grid_search_destroy(search);
                }
            }
            ploy_grid_map_destroy(map);
            ploy_tiles_destroy(other);
        }
        ploy_tiles_destroy(tiles);
    }
}

TEST(blocking_a_cell_never_shortens_a_way) {
    for (int64_t seed = 0; seed < test_rounds(10); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles *tiles = maps_plain(t, 60, 40);
        maps_scatter(tiles, &rng, 0.15f);
        ploy_grid_map *map = maps_grid(t, tiles, 1, true);
        ploy_grid_search *fast = maps_search(t, PLOY_GRID_FAST);
        ploy_grid_search *astar = maps_search(t, PLOY_GRID_ASTAR);
        int64_t last = 0;
        for (int32_t turn = 0; turn < 40 && last >= 0; turn++) {
            CHECK_OK(ploy_grid_map_refresh(map));
            if (turn % 3 == 0) CHECK_OK(ploy_grid_map_prepare(map)); // otherwise fast is jps
            int64_t cost = answer(t, fast, map, 1, 0, 60 * 40 - 1);
            CHECK_INT(answer(t, astar, map, 1, 0, 60 * 40 - 1), cost);
            if (cost >= 0) CHECK(cost >= last);
            last = cost;
            int32_t cells[4096], count = ploy_grid_search_path(fast, 60 * 40 - 1, cells, 4096);
            if (count < 2) break;
            // On the path itself, where it hurts.
            int32_t at = (int32_t)ploy_rng_below(&rng, (uint64_t)count - 1);
            CHECK_OK(ploy_tiles_set(tiles, cells[at], PLOY_TILE_BLOCKED));
        }
        ploy_grid_search_destroy(fast);
        ploy_grid_search_destroy(astar);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

// Walls that come and go, one at a time and a few at a time, without prepare: the tables equal those
// of a map made anew, and answers are the best at once.
TEST(tables_follow_edits_and_answers_stay_optimal) {
    int32_t followed = 0;
    for (int64_t seed = 0; seed < test_rounds(24); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t width = ploy_rng_int(&rng, 5, 70), height = ploy_rng_int(&rng, 5, 70);
        int32_t count = width * height, size = seed % 6 == 5 ? 2 : 1;
        ploy_tiles *tiles = maps_plain(t, width, height);
        maps_scatter(tiles, &rng, ploy_rng_range(&rng, 0.0f, 0.45f));
        ploy_grid_map *map = maps_grid(t, tiles, size, true);
        ploy_grid_search *fast = maps_search(t, PLOY_GRID_FAST);
        ploy_grid_search *astar = maps_search(t, PLOY_GRID_ASTAR);
        for (int32_t turn = 0; turn < 40; turn++) {
            for (int32_t k = ploy_rng_int(&rng, 1, 3); k > 0; k--) {
                int32_t cell = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                bool open = ploy_tiles_passable(tiles, cell);
                CHECK_OK(ploy_tiles_set(tiles, cell, open ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN));
            }
            CHECK_OK(ploy_grid_map_refresh(map));
            CHECK(ployi_grid_map_prepared(map));
            ploy_grid_map *fresh = maps_grid(t, tiles, size, true);
            CHECK(memcmp(map->jumps, fresh->jumps, (size_t)count * 8 * sizeof *map->jumps) == 0);
            followed += map->mark_slack < PLOYI_GRID_SLACK_MAX;
            for (int32_t k = 0; k < 4; k++) {
                int32_t from = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                int32_t to = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                CHECK_INT(answer(t, fast, map, size, from, to),
                          answer(t, astar, fresh, size, from, to));
            }
            ploy_grid_map_destroy(fresh);
            if (turn % 10 == 9) CHECK_OK(ploy_grid_map_prepare(map));
        }
        CHECK_INT(map->mark_slack, 0);
        ploy_grid_search_destroy(fast);
        ploy_grid_search_destroy(astar);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
    CHECK(followed > 50); // landmarks were in use after edits
}

static uint64_t hash_of(const ploy_grid_search *search) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_grid_search_describe(search, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(slices_give_what_one_shot_gives) {
    ploy_rng rng = ploy_rng_make(3);
    ploy_tiles *tiles = maps_plain(t, 150, 90);
    maps_scatter(tiles, &rng, 0.25f);
    CHECK_OK(ploy_tiles_set(tiles, 0, PLOY_TILE_OPEN));
    ploy_grid_map *map = maps_grid(t, tiles, 1, true);
    int32_t goal = 150 * 90 - 1;
    while (!ploy_grid_map_connected(map, 0, goal)) goal--;
    for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) {
        t->row = ploy_grid_algorithm_text((ploy_grid_algorithm)i);
        ploy_grid_search *whole = maps_search(t, (ploy_grid_algorithm)i);
        ploy_grid_search *sliced = maps_search(t, (ploy_grid_algorithm)i);
        CHECK_OK(ploy_grid_search_run(whole, map, 0, goal));
        for (int64_t units = 1; units < 100; units *= 5) {
            CHECK_OK(ploy_grid_search_begin(sliced, map, 0, goal));
            int64_t spent = 0;
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(units);
                result = ploy_task_step(ploy_grid_search_task(sliced), &budget);
                spent += budget.spent;
                CHECK(spent < 1000000);
            }
            CHECK_OK(result);
            CHECK_UINT(hash_of(sliced), hash_of(whole));
            // Everything is paid for, but for what the last jump overdrew.
            CHECK(spent <= ploy_grid_search_stats_of(whole).units);
            CHECK(spent + 64 >= ploy_grid_search_stats_of(whole).units);
        }
        // Cancelled anywhere, it has nothing to do, and the next search is none the worse.
        for (int64_t k = 0; k < 50; k += 7) {
            ploy_budget budget = ploy_budget_units(k);
            CHECK_OK(ploy_grid_search_begin(sliced, map, 0, goal));
            CHECK(ploy_grid_search_step(sliced, &budget) >= PLOY_OK);
            ploy_grid_search_cancel(sliced);
            CHECK_INT(ploy_grid_search_step(sliced, NULL), PLOY_ERR_STATE);
        }
        CHECK_OK(ploy_grid_search_run(sliced, map, 0, goal));
        CHECK_UINT(hash_of(sliced), hash_of(whole));
        ploy_grid_search_destroy(whole);
        ploy_grid_search_destroy(sliced);
    }
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}

// The slow way: every cell asked for its cost.
static int32_t slow_nearest(const ploy_grid_search *search, const ploy_tiles *tiles, int32_t goal) {
    int32_t width = ploy_tiles_width(tiles), best = -1;
    double best_gap = 0.0;
    ploy_grid_cost cost, best_cost = ploy_grid_cost_make(0, 0);
    for (int32_t cell = 0; cell < maps_count(tiles); cell++) {
        if (!ploy_grid_search_cost(search, cell, &cost)) continue;
        double dx = abs(cell % width - goal % width), dy = abs(cell / width - goal / width);
        double gap = fmax(dx, dy) + (sqrt(2.0) - 1.0) * fmin(dx, dy);
        bool same = fabs(gap - best_gap) < 1e-9;
        if (best >= 0 && (same ? cost.units >= best_cost.units : gap > best_gap)) continue;
        best = cell;
        best_gap = gap;
        best_cost = cost;
    }
    return best;
}

TEST(the_nearest_cell_is_known_while_it_searches) {
    ploy_tiles *tiles;
    int32_t start, goal, between = 0;
    ploy_grid_map *map = maps_far(t, 1, &tiles, &start, &goal);
    for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) {
        t->row = ploy_grid_algorithm_text((ploy_grid_algorithm)i);
        ploy_grid_search *search = maps_search(t, (ploy_grid_algorithm)i);
        CHECK_INT(ployi_grid_search_nearest(search), -1);
        CHECK_OK(ploy_grid_search_begin(search, map, start, goal));
        CHECK_INT(ployi_grid_search_nearest(search), start);
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(40);
            result = ploy_grid_search_step(search, &budget);
            int32_t nearest = ployi_grid_search_nearest(search);
            CHECK_INT(nearest, slow_nearest(search, tiles, goal));
            walk(t, tiles, 1, search, start, nearest);
            between += nearest != start && nearest != goal;
        }
        CHECK_OK(result);
        CHECK_INT(ployi_grid_search_nearest(search), goal);
        ploy_grid_search_destroy(search);
    }
    CHECK(between > 10);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}

TEST(wrong_questions_are_refused) {
    ploy_tiles *tiles = maps_text(t,
                                  "..2"
                                  "#..",
                                  3, 2);
    ploy_grid_map *map = maps_grid(t, tiles, 1, true);
    ploy_grid_search *search = maps_search(t, PLOY_GRID_JPS);
    CHECK_INT(ploy_grid_search_step(search, NULL), PLOY_ERR_STATE);
    CHECK_INT(ploy_grid_search_path(search, 0, NULL, 0), -1);
    CHECK_INT(ploy_grid_search_begin(search, NULL, 0, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_search_begin(search, map, -1, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_search_begin(search, map, 0, 6), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_search_begin(search, map, 0, PLOY_STATE_NONE), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_search_outcome(search), PLOY_SEARCH_IDLE);
    // Start and goal are the same: nothing to walk. Blocked: no way.
    CHECK_OK(ploy_grid_search_run(search, map, 0, 0));
    CHECK_INT(ploy_grid_search_outcome(search), PLOY_SEARCH_FOUND);
    CHECK_INT(ploy_grid_search_path(search, 0, NULL, 0), 0);
    CHECK_OK(ploy_grid_search_run(search, map, 3, 3));
    CHECK_INT(ploy_grid_search_outcome(search), PLOY_SEARCH_NONE);
    CHECK_OK(ploy_grid_search_run(search, map, 0, 3));
    CHECK_INT(ploy_grid_search_outcome(search), PLOY_SEARCH_NONE);
    // Jumps are wrong where costs differ.
    CHECK_OK(ploy_tiles_set_cost(tiles, 2, 4.0f));
    CHECK_OK(ploy_grid_map_refresh(map));
    CHECK_INT(ploy_grid_search_begin(search, map, 0, 2), PLOY_ERR_UNSUPPORTED);
    ploy_grid_search_destroy(search);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}

static ploy_result search_one(const ploy_env *env, void *arg) {
    ploy_grid_search_def def = ploy_grid_search_def_default();
    def.algorithm = PLOY_GRID_DIJKSTRA;
    ploy_grid_search *search = NULL;
    ploy_result result = ploy_grid_search_create(&def, env, &search);
    if (result == PLOY_OK) result = ploy_grid_search_run(search, arg, 0, PLOY_STATE_NONE);
    ploy_grid_search_destroy(search);
    return result;
}

TEST(a_search_survives_every_failing_allocation) {
    ploy_tiles *tiles = maps_plain(t, 90, 90);
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    CHECK_FAIL_NTH(search_one, map);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}

TEST(a_warm_search_allocates_nothing) {
    ploy_rng rng = ploy_rng_make(9);
    ploy_tiles *tiles = maps_plain(t, 120, 120);
    maps_scatter(tiles, &rng, 0.3f);
    ploy_grid_map *map = maps_grid(t, tiles, 1, true);
    for (int32_t i = 0; i < PLOY_GRID_ALGORITHM_COUNT; i++) {
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_grid_search_def def = ploy_grid_search_def_default();
        def.algorithm = (ploy_grid_algorithm)i;
        ploy_grid_search *search = NULL;
        CHECK_OK(ploy_grid_search_create(&def, &env, &search));
        int64_t calls = 0;
        for (int32_t round = 0; round < 2; round++) {
            ploy_rng draws = ploy_rng_make(4);
            for (int32_t k = 0; k < 50; k++) {
                int32_t start = (int32_t)ploy_rng_below(&draws, 14400);
                int32_t goal = (int32_t)ploy_rng_below(&draws, 14400);
                CHECK_OK(ploy_grid_search_run(search, map, start, goal));
            }
            if (round == 0) calls = counts.calls;
        }
        CHECK_INT(counts.calls, calls);
        ploy_grid_search_destroy(search);
        CHECK_INT(counts.bytes, 0);
    }
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}

static void count_fill(void *user, const ploy_draw_item *item) {
    int32_t *seen = user;
    if (item->layer == PLOY_LAYER_PATHS && (int32_t)item->style < PLOY_STYLE_COUNT) {
        seen[item->style]++;
    }
}

// PTH-12: the fill can be seen, cell by cell and drawn.
TEST(the_fill_can_be_seen) {
    ploy_tiles *tiles = maps_plain(t, 30, 20);
    for (int32_t y = 3; y < 20; y++) CHECK_OK(ploy_tiles_set(tiles, y * 30 + 15, 0));
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    ploy_grid_search *search = maps_search(t, PLOY_GRID_ASTAR);
    int32_t start = 10 * 30 + 10, goal = 10 * 30 + 20, closed = 0, open = 0;
    CHECK_OK(ploy_grid_search_begin(search, map, start, goal));
    ploy_budget budget = ploy_budget_units(40);
    CHECK_INT(ploy_grid_search_step(search, &budget), PLOY_IN_PROGRESS);
    CHECK_INT(ploy_grid_search_path(search, goal, NULL, 0), -1);
    for (int32_t i = 0; i < 600; i++) {
        closed += ploy_grid_search_status(search, i) == PLOY_SEARCH_CLOSED;
        open += ploy_grid_search_status(search, i) == PLOY_SEARCH_SEEN;
    }
    ploy_grid_search_stats stats = ploy_grid_search_stats_of(search);
    CHECK(stats.taken > 20 && stats.taken <= 40); // what is left over is taken and passed by
    CHECK_INT(closed + stats.reopened, stats.taken);
    CHECK(open > 0 && open <= stats.peak_open);
    CHECK_OK(ploy_grid_search_step(search, NULL));
    int32_t seen[PLOY_STYLE_COUNT] = {0};
    ploy_draw draw = {count_fill, seen, ~0u};
    ploy_grid_search_draw(search, &draw);
    CHECK(seen[PLOY_STYLE_CLOSED] > 0);
    CHECK(seen[PLOY_STYLE_PATH] > 0);
    // The path cut off short by the room given keeps its beginning.
    int32_t cells[64], few[3], count = ploy_grid_search_path(search, goal, cells, 64);
    CHECK_INT(ploy_grid_search_path(search, goal, few, 3), count);
    CHECK_BYTES(few, cells, sizeof few);
    ploy_grid_search_destroy(search);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}
