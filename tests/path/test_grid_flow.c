// Flow fields: as cheap as Dijkstra says, in any slices, repaired as good as new.
#include "path/path_internal.h"
#include "ploy/path/grid_flow.h"

#include "ploy/base/hash.h"
#include "tests/path/tile_maps.h"

TEST(the_field_table_is_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_grid_flow_fields(), NULL));
}

static ploy_grid_flow *make_flow(test_context *t, const ploy_grid_map *map) {
    ploy_env env = ploy_env_default();
    ploy_grid_flow_def def = ploy_grid_flow_def_default();
    ploy_grid_flow *flow = NULL;
    CHECK_OK(ploy_grid_flow_create(&def, map, &env, &flow));
    return flow;
}

// A random map of one of several kinds, and up to three goals.
static ploy_tiles *throw_map(test_context *t, ploy_rng *rng, int64_t seed, int32_t goals[3],
                             int32_t *goal_count) {
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = ploy_rng_int(rng, 1, 90);
    def.height = ploy_rng_int(rng, 1, 40);
    if (seed % 5 == 4) def.neighbours = PLOY_TILE_FOUR;
    def.corners = (ploy_tile_corners)(seed % 3);
    ploy_tiles *tiles = maps_make(t, &def);
    maps_scatter(tiles, rng, ploy_rng_range(rng, 0.0f, 0.4f));
    int32_t count = maps_count(tiles);
    if (seed % 2 == 1) {
        CHECK_OK(ploy_tiles_set_cost(tiles, 2, 4.0f));
        for (int32_t i = 0; i < count / 4; i++) {
            int32_t cell = (int32_t)ploy_rng_below(rng, (uint64_t)count);
            if (ploy_tiles_passable(tiles, cell)) CHECK_OK(ploy_tiles_set(tiles, cell, 2));
        }
    }
    *goal_count = ploy_rng_int(rng, 1, 3);
    for (int32_t i = 0; i < 3; i++) goals[i] = (int32_t)ploy_rng_below(rng, (uint64_t)count);
    return tiles;
}

// The tiles' own steps, searched backwards from the goals by the generic core.
static void check_against_search(test_context *t, const ploy_tiles *tiles, int32_t size,
                                 const ploy_grid_flow *flow, const int32_t *goals,
                                 int32_t goal_count) {
    ploy_env env = ploy_env_default();
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    walker.size = size;
    ploy_space space = ploy_tiles_space(&walker);
    ploy_search_start starts[3];
    int32_t start_count = 0;
    for (int32_t i = 0; i < goal_count; i++) {
        if (!ployi_tiles_walker_fits(&walker, goals[i])) continue;
        starts[start_count].state = goals[i];
        starts[start_count++].cost = 0.0;
    }
    ploy_search_def def = ploy_search_def_default();
    def.weight = 0.0;
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    ploy_search_query query = ploy_search_query_make(&space, starts, PLOY_STATE_NONE);
    query.start_count = start_count;
    query.backward = true;
    if (start_count > 0) CHECK_OK(ploy_search_run(search, &query));
    for (int32_t cell = 0; cell < maps_count(tiles); cell++) {
        ploy_search_node node;
        ploy_grid_cost cost, after;
        bool reached = start_count > 0 && ploy_search_get(search, cell, &node);
        CHECK_INT(ploy_grid_flow_cost(flow, cell, &cost), reached);
        int32_t next = ployi_grid_flow_next(flow, cell);
        int32_t direction = ploy_grid_flow_direction(flow, cell);
        if (!reached || cost.units == 0) {
            CHECK_INT(next, PLOY_STATE_NONE);
            CHECK_INT(direction, -1);
            continue;
        }
        CHECK_NEAR(cost.length, node.cost, 1e-9 * (1.0 + node.cost));
        // The step is legal, and pays exactly what the cost falls by.
        CHECK_INT(ploy_tiles_neighbour(tiles, cell,
                                       ploy_tiles_def_of(tiles).neighbours == PLOY_TILE_FOUR
                                           ? direction / 2
                                           : direction),
                  next);
        CHECK(ploy_grid_flow_cost(flow, next, &after));
        int64_t enter = (int64_t)ploy_tiles_cost(tiles, ploy_tiles_get(tiles, next));
        CHECK_INT(cost.units - after.units,
                  enter * (direction % 2 != 0 ? PLOY_GRID_DIAGONAL : PLOY_GRID_STRAIGHT));
        ploy_vec2 vector = ployi_grid_flow_at(flow, ploy_tiles_localise(tiles, cell));
        CHECK_NEAR(vector.x * vector.x + vector.y * vector.y, 1.0, 1e-5);
    }
    ploy_search_destroy(search);
}

TEST(costs_are_those_of_dijkstra_to_the_nearest_goal) {
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t goals[3], goal_count, size = seed % 6 == 5 ? 2 : 1;
        ploy_tiles *tiles = throw_map(t, &rng, seed, goals, &goal_count);
        ploy_grid_map *map = maps_grid(t, tiles, size, false);
        ploy_grid_flow *flow = make_flow(t, map);
        CHECK_OK(ploy_grid_flow_run(flow, goals, goal_count));
        CHECK(ployi_grid_flow_ready(flow));
        check_against_search(t, tiles, size, flow, goals, goal_count);
        ploy_grid_flow_destroy(flow);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

// All that a field says, folded into one number.
static uint64_t flow_hash(const ploy_tiles *tiles, const ploy_grid_flow *flow) {
    uint64_t hash = ploy_hash_bytes(ploy_grid_flow_vectors(flow),
                                    (size_t)maps_count(tiles) * sizeof(ploy_vec2), 1);
    for (int32_t cell = 0; cell < maps_count(tiles); cell++) {
        ploy_grid_cost cost = ploy_grid_cost_make(0, 0);
        if (!ploy_grid_flow_cost(flow, cell, &cost)) cost.units = -1;
        hash = ploy_hash_combine(hash, (uint64_t)cost.units);
        hash = ploy_hash_combine(hash, (uint64_t)ploy_grid_flow_direction(flow, cell));
    }
    return hash;
}

TEST(repairs_are_as_good_as_new) {
    int64_t repaired = 0, made = 0;
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t goals[3], goal_count, size = seed % 9 == 8 ? 2 : 1;
        ploy_tiles *tiles = throw_map(t, &rng, seed, goals, &goal_count);
        int32_t count = maps_count(tiles);
        ploy_grid_map *map = maps_grid(t, tiles, size, false);
        ploy_grid_flow *flow = make_flow(t, map), *fresh = make_flow(t, map);
        CHECK_OK(ploy_grid_flow_run(flow, goals, goal_count));
        for (int32_t turn = 0; turn < 12; turn++) {
            int32_t edits = turn == 7 ? 90 : ploy_rng_int(&rng, 1, 5); // 90: past the journal
            for (int32_t i = 0; i < edits; i++) {
                int32_t cell = (int32_t)ploy_rng_below(&rng, (uint64_t)count);
                if (ploy_rng_below(&rng, 6) == 0) cell = goals[0]; // goals close and open too
                CHECK_OK(ploy_tiles_set(tiles, cell, (uint8_t)ploy_rng_below(&rng, 3)));
            }
            CHECK_OK(ploy_grid_map_refresh(map));
            ploy_grid_flow_refresh(flow);
            if (turn == 3) { // changed again amid the work
                ploy_budget budget = ploy_budget_units(3);
                ploy_grid_flow_step(flow, &budget);
                CHECK_OK(ploy_tiles_set(tiles, goals[1], 0));
                CHECK_OK(ploy_grid_map_refresh(map));
                ploy_grid_flow_refresh(flow);
            }
            CHECK_OK(ploy_grid_flow_step(flow, NULL));
            CHECK_OK(ploy_grid_flow_run(fresh, goals, goal_count));
            CHECK_UINT(flow_hash(tiles, flow), flow_hash(tiles, fresh));
            repaired += ploy_grid_flow_stats_of(flow).taken;
            made += ploy_grid_flow_stats_of(fresh).taken;
        }
        ploy_grid_flow_destroy(flow);
        ploy_grid_flow_destroy(fresh);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
    CHECK(repaired * 2 < made); // it is worth it
}

TEST(slices_change_nothing) {
    for (int64_t seed = 0; seed < test_rounds(6); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t goals[3], goal_count;
        ploy_tiles *tiles = throw_map(t, &rng, seed, goals, &goal_count);
        ploy_grid_map *map = maps_grid(t, tiles, 1, false);
        ploy_grid_flow *whole = make_flow(t, map), *sliced = make_flow(t, map);
        for (int32_t turn = 0; turn < 2; turn++) {
            if (turn == 0) {
                CHECK_OK(ploy_grid_flow_begin(whole, goals, goal_count));
                CHECK_OK(ploy_grid_flow_begin(sliced, goals, goal_count));
            } else {
                int32_t middle = maps_count(tiles) / 2;
                CHECK_OK(ploy_tiles_set(tiles, middle, ploy_tiles_passable(tiles, middle) ? 0 : 1));
                CHECK_OK(ploy_grid_map_refresh(map));
                ploy_grid_flow_refresh(whole);
                ploy_grid_flow_refresh(sliced);
            }
            CHECK_OK(ploy_grid_flow_step(whole, NULL));
            int64_t steps = 0;
            ploy_result result = PLOY_IN_PROGRESS;
            ploy_task task = ploy_grid_flow_task(sliced);
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(1);
                result = ploy_task_step(task, &budget);
                steps++;
            }
            CHECK_OK(result);
            CHECK_INT(ploy_grid_flow_stats_of(sliced).units, ploy_grid_flow_stats_of(whole).units);
            CHECK_INT(steps, ploy_grid_flow_stats_of(whole).units);
            CHECK_UINT(flow_hash(tiles, whole), flow_hash(tiles, sliced));
        }
        ploy_grid_flow_cancel(sliced);
        CHECK(ployi_grid_flow_ready(sliced));
        ploy_grid_cost cost;
        CHECK(!ploy_grid_flow_cost(sliced, goals[0], &cost));
        ploy_grid_flow_destroy(whole);
        ploy_grid_flow_destroy(sliced);
        ploy_grid_map_destroy(map);
        ploy_tiles_destroy(tiles);
    }
}

TEST(who_stands_in_a_wall_is_pointed_out_of_it) {
    ploy_tiles *tiles = maps_text(t,
                                  ".....#"
                                  "..#..#"
                                  ".....#",
                                  6, 3);
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    ploy_grid_flow *flow = make_flow(t, map);
    int32_t goal = 6;
    CHECK_OK(ploy_grid_flow_run(flow, &goal, 1));
    ploy_vec2 out = ployi_grid_flow_at(flow, ploy_tiles_localise(tiles, 8));
    CHECK_SAME(out.x, -1.0f); // towards the cheapest beside it
    CHECK_SAME(out.y, 0.0f);
    CHECK_SAME(ployi_grid_flow_at(flow, ploy_vec2_make(-5.0f, 0.0f)).x, 0.0f);
    CHECK_INT(ployi_grid_flow_next(flow, 99), PLOY_STATE_NONE);
    int32_t bad = 18;
    CHECK_INT(ploy_grid_flow_begin(flow, &bad, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_grid_flow_begin(flow, NULL, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_grid_flow_next(flow, 7), 6); // as it was
    ploy_grid_flow_destroy(flow);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}

static ploy_result create_one(const ploy_env *env, void *arg) {
    ploy_grid_flow_def def = ploy_grid_flow_def_default();
    ploy_grid_flow *flow = NULL;
    ploy_result result = ploy_grid_flow_create(&def, arg, env, &flow);
    ploy_grid_flow_destroy(flow);
    return result;
}

TEST(create_survives_every_failing_allocation_and_work_allocates_nothing) {
    ploy_tiles *tiles = maps_plain(t, 64, 64);
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    CHECK_FAIL_NTH(create_one, map);
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_grid_flow_def def = ploy_grid_flow_def_default();
    ploy_grid_flow *flow = NULL;
    CHECK_OK(ploy_grid_flow_create(&def, map, &env, &flow));
    int64_t calls = counts.calls, bytes = 0;
    int32_t goal = 2000;
    CHECK_OK(ploy_grid_flow_run(flow, &goal, 1));
    CHECK_INT(counts.calls, calls);
    ploy_grid_flow_memory(flow, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    CHECK((double)bytes / (64.0 * 64.0) < 42.5); // a little for the object itself
    ploy_grid_flow_destroy(flow);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}
