// Searching hierarchies: plans that reach the goal, corridors, and where policies go wrong.
#include "path/path_internal.h"
#include "tests/path/toy_levels.h"

static ploy_hierarchy_search *make_search(test_context *t, ploy_hierarchy_mode mode,
                                          ploy_hierarchy_aim aim, int32_t widen) {
    ploy_env env = ploy_env_default();
    ploy_hierarchy_search_def def = ploy_hierarchy_search_def_default();
    def.mode = mode;
    def.aim = aim;
    def.widen = widen;
    def.least_cost = 1.0f;
    ploy_hierarchy_search *search = NULL;
    CHECK_OK(ploy_hierarchy_search_create(&def, &env, &search));
    return search;
}

// What the best way costs, INFINITY if there is none.
static double best_cost(test_context *t, ploy_search *flat, const ploy_frozen_graph *graph,
                        int32_t start, int32_t goal) {
    ploy_space space = ploy_frozen_graph_space(graph);
    ploy_search_start from = {start, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &from, goal);
    CHECK_OK(ploy_search_run(flat, &query));
    double cost = (double)INFINITY;
    if (ploy_search_outcome_of(flat) == PLOY_SEARCH_FOUND) {
        ploy_search_path(flat, goal, NULL, 0, &cost);
    }
    return cost;
}

// Every edge of the answer is one of the graph's, and they lead from the start on.
static double walk(test_context *t, const ploy_hierarchy_search *search,
                   const ploy_frozen_graph *graph, int32_t start) {
    static ploy_edge edges[4096];
    double cost = 0.0, told = -1.0;
    int32_t at = start, count = ploy_hierarchy_search_path(search, edges, 4096, &told);
    CHECK(count >= 0 && count <= 4096);
    for (int32_t i = 0; i < count; i++) {
        const ploy_edge *out;
        int32_t ways = ployi_frozen_graph_out(graph, at, &out), k = 0;
        while (k < ways && (out[k].to != edges[i].to || out[k].cost != edges[i].cost)) k++;
        CHECK(k < ways);
        cost += edges[i].cost;
        at = edges[i].to;
    }
    CHECK_INT(at, ploy_hierarchy_search_end(search));
    CHECK_NEAR(told, cost, 1e-9 * (1.0 + cost));
    return cost;
}

// Asks again from the end of each plan until the goal is there; the cost of all, or -1.
static double follow(test_context *t, ploy_hierarchy_search *search,
                     const ploy_hierarchy *hierarchy, int32_t start, int32_t goal) {
    double cost = 0.0;
    for (int32_t turns = 0; start != goal; turns++) {
        CHECK(turns < 2000);
        CHECK_OK(ploy_hierarchy_search_run(search, hierarchy, start, goal));
        if (ployi_hierarchy_search_outcome(search) == PLOY_SEARCH_NONE) return -1.0;
        CHECK_INT(ployi_hierarchy_search_outcome(search), PLOY_SEARCH_FOUND);
        cost += walk(t, search, ployi_hierarchy_graph(hierarchy, 0), start);
        CHECK(ploy_hierarchy_search_end(search) != start);
        start = ploy_hierarchy_search_end(search);
    }
    return cost;
}

TEST(following_plans_reaches_the_goal) {
    double sums[5] = {0.0}, worst[5] = {0.0}, best_sum = 0.0;
    int64_t taken[5] = {0}, flat_taken = 0;
    ploy_env env = ploy_env_default();
    ploy_search_def flat_def = ploy_search_def_default();
    ploy_search *flat = NULL;
    CHECK_OK(ploy_search_create(&flat_def, &env, &flat));
    ploy_hierarchy_search *searches[5] = {
        make_search(t, PLOY_HIERARCHY_REFINE, PLOY_HIERARCHY_AIM_DOOR, 0),
        make_search(t, PLOY_HIERARCHY_REFINE, PLOY_HIERARCHY_AIM_CENTRE, 0),
        make_search(t, PLOY_HIERARCHY_EXCLUDE, PLOY_HIERARCHY_AIM_DOOR, 0),
        make_search(t, PLOY_HIERARCHY_EXCLUDE, PLOY_HIERARCHY_AIM_DOOR, 1),
        make_search(t, PLOY_HIERARCHY_EXCLUDE, PLOY_HIERARCHY_AIM_DOOR, 8)};
    for (int64_t seed = 0; seed < test_rounds(8); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles *tiles = maps_plain(t, ploy_rng_int(&rng, 10, 50), ploy_rng_int(&rng, 10, 40));
        maps_scatter(tiles, &rng, ploy_rng_range(&rng, 0.1f, 0.4f));
        toy_floor floor = toy_floor_make(t, tiles);
        ploy_hierarchy *hierarchy = toy_hierarchy(t, floor.graph, seed % 3 == 0, seed % 3 == 1, 1);
        toy_add_blocks(t, hierarchy, 5.0f, 2);
        for (int32_t k = 0; k < 8; k++) {
            int32_t start = (int32_t)ploy_rng_below(&rng, (uint64_t)floor.count);
            int32_t goal = (int32_t)ploy_rng_below(&rng, (uint64_t)floor.count);
            double best = best_cost(t, flat, floor.graph, start, goal);
            if (start == goal) continue;
            bool there = best < (double)INFINITY;
            flat_taken += ploy_search_stats_of(flat).taken;
            if (there) best_sum += best;
            for (int32_t i = 0; i < 5; i++) {
                double cost = follow(t, searches[i], hierarchy, start, goal);
                CHECK_INT(cost >= 0.0, there);
                if (!there) continue;
                CHECK(cost >= best - 1e-9);
                sums[i] += cost;
                if (cost / best > worst[i]) worst[i] = cost / best;
                taken[i] += ploy_hierarchy_search_taken(searches[i], 0);
                if (i < 2) continue;
                // PTH-32: excluded, but no worse than the best if that lies in the corridor.
                CHECK_INT(ploy_hierarchy_search_end(searches[i]), goal);
                int32_t plan[512];
                int32_t count = ployi_hierarchy_search_plan(searches[i], 1, plan, 512);
                bool inside = count <= 512 && i == 2;
                ploy_search_node node;
                for (int32_t at = goal; inside && at >= 0; at = node.parent) {
                    int32_t group = ploy_hierarchy_node(hierarchy, 0, at, 1), m = 0;
                    while (m < count && plan[m] != group) m++;
                    inside = m < count;
                    CHECK(ploy_search_get(flat, at, &node));
                }
                if (inside) CHECK_NEAR(cost, best, 1e-9 * (1.0 + best));
            }
        }
        ploy_hierarchy_destroy(hierarchy);
        toy_floor_free(&floor);
    }
    static const char *const names[5] = {"door", "centre", "exclude", "widened", "widened by 8"};
    for (int32_t i = 0; i < 5; i++) {
        printf("%s: %.2f %% longer than the best, worst %.2f times; %.0f taken of %.0f\n", names[i],
               100.0 * (sums[i] / best_sum - 1.0), worst[i], (double)taken[i], (double)flat_taken);
        ploy_hierarchy_search_destroy(searches[i]);
    }
    CHECK(sums[2] / best_sum < 1.25);
    CHECK(sums[3] <= sums[2] && sums[4] <= sums[3]);
    CHECK(worst[2] < 3.0);
    CHECK(taken[2] < flat_taken);
    ploy_search_destroy(flat);
}

// PTH-31: two buildings of two rooms; level 3 is the whole world.
TEST(the_first_level_is_the_highest_on_which_start_and_goal_differ) {
    static const toy_way ways[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1},
                                   {4, 5, 1}, {5, 6, 1}, {6, 7, 1}};
    ploy_frozen_graph *graph = toy_freeze(t, toy_graph_make(t, false, 8, ways, COUNT_OF(ways)));
    ploy_hierarchy *hierarchy = toy_hierarchy(t, graph, 0, 0, 1);
    static const int32_t rooms[8] = {0, 0, 1, 1, 2, 2, 3, 3}, houses[4] = {0, 0, 1, 1};
    static const int32_t world[2] = {0, 0};
    CHECK_OK(ploy_hierarchy_add_level(hierarchy, rooms, 4, NULL));
    CHECK_OK(ploy_hierarchy_add_level(hierarchy, houses, 2, NULL));
    CHECK_OK(ploy_hierarchy_add_level(hierarchy, world, 1, NULL));
    static const struct {
        const char *row;
        int32_t start, goal, level, end; // end of the first refined plan
    } rows[] = {
        {"across the world", 0, 7, 2, 2}, {"in one house", 0, 3, 1, 3}, {"in one room", 4, 5, 0, 5},
        {"nowhere", 6, 6, -1, 6},         {"next room", 1, 2, 1, 2},
    };
    ploy_hierarchy_search *search =
        make_search(t, PLOY_HIERARCHY_REFINE, PLOY_HIERARCHY_AIM_DOOR, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_OK(ploy_hierarchy_search_run(search, hierarchy, rows[i].start, rows[i].goal));
        CHECK_INT(ploy_hierarchy_search_first_level(search), rows[i].level);
        CHECK_INT(ploy_hierarchy_search_end(search), rows[i].end);
        CHECK_INT(ployi_hierarchy_search_plan(search, 3, NULL, 0), 0);
    }
    ploy_hierarchy_search_destroy(search);
    ploy_hierarchy_destroy(hierarchy);
    ploy_frozen_graph_destroy(graph);
}

// PTH-33: from the start (0) to the goal (1). One way leads through a hall that takes 50 to cross
// (2, 3), the other through two closets (4, 5 and 6, 7) that take 2 each.
static const toy_way few_rooms_ways[] = {{0, 2, 1}, {2, 3, 50}, {3, 1, 1}, {0, 4, 1},
                                         {4, 5, 2}, {5, 6, 1},  {6, 7, 2}, {7, 1, 1}};
static const int32_t few_rooms_groups[8] = {0, 1, 2, 2, 3, 3, 4, 4};
// The direct way leads through a room (2, 3) that takes 1 to cross from the start's door, but 60
// from its other door (4), to a cellar (5). A way round takes 4 rooms (6, 7), (8, 9) of 8 each.
static const toy_way far_door_ways[] = {{0, 2, 1}, {2, 3, 1}, {3, 1, 1}, {4, 2, 60}, {4, 5, 1},
                                        {0, 6, 1}, {6, 7, 8}, {7, 8, 1}, {8, 9, 8},  {9, 1, 1}};
static const int32_t far_door_groups[10] = {0, 1, 2, 2, 2, 3, 4, 4, 5, 5};

TEST(policies_fail_where_they_are_known_to) {
    static const struct {
        const char *row;
        const toy_way *ways;
        size_t way_count;
        const int32_t *groups;
        int32_t nodes, group_count;
        float minimum, maximin, average;
        double want; // cost of the way that it takes
    } rows[] = {
        {"minimum takes the fewest rooms", few_rooms_ways, 8, few_rooms_groups, 8, 5, 1, 0, 0, 52},
        {"maximin does not", few_rooms_ways, 8, few_rooms_groups, 8, 5, 0, 1, 0, 7},
        {"average does not", few_rooms_ways, 8, few_rooms_groups, 8, 5, 0, 0, 1, 7},
        {"minimum goes directly", far_door_ways, 10, far_door_groups, 10, 6, 1, 0, 0, 3},
        {"maximin fears the far door", far_door_ways, 10, far_door_groups, 10, 6, 0, 1, 0, 19},
        {"average fears it too", far_door_ways, 10, far_door_groups, 10, 6, 0, 0, 1, 19},
    };
    ploy_hierarchy_search *search =
        make_search(t, PLOY_HIERARCHY_EXCLUDE, PLOY_HIERARCHY_AIM_DOOR, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_frozen_graph *graph =
            toy_freeze(t, toy_graph_make(t, false, rows[i].nodes, rows[i].ways, rows[i].way_count));
        ploy_hierarchy *hierarchy =
            toy_hierarchy(t, graph, rows[i].minimum, rows[i].maximin, rows[i].average);
        CHECK_OK(ploy_hierarchy_add_level(hierarchy, rows[i].groups, rows[i].group_count, NULL));
        CHECK_OK(ploy_hierarchy_search_run(search, hierarchy, 0, 1));
        CHECK_NEAR(walk(t, search, graph, 0), rows[i].want, 1e-12);
        double best = i < 3 ? 7.0 : 3.0;
        printf("%s: %.2f times the best\n", rows[i].row, rows[i].want / best);
        ploy_hierarchy_destroy(hierarchy);
        ploy_frozen_graph_destroy(graph);
    }
    ploy_hierarchy_search_destroy(search);
}

// A walker that asks again at the end of each leg: kept plans of higher levels give the same walk
// for less work.
TEST(kept_plans_lead_the_same_way_with_less_work) { // PTH-31
    int64_t taken[2] = {0, 0};
    for (int64_t seed = 0; seed < test_rounds(8); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_tiles *tiles = maps_plain(t, 48, 48);
        maps_scatter(tiles, &rng, 0.2f);
        toy_floor floor = toy_floor_make(t, tiles);
        ploy_hierarchy *hierarchy = toy_hierarchy(t, floor.graph, 0, 0, 1);
        toy_add_blocks(t, hierarchy, 6.0f, 2);
        int32_t start = (int32_t)ploy_rng_below(&rng, (uint64_t)floor.count);
        int32_t goal = (int32_t)ploy_rng_below(&rng, (uint64_t)floor.count);
        double costs[2] = {0, 0};
        for (int32_t keep = 0; keep < 2; keep++) {
            ploy_env env = ploy_env_default();
            ploy_hierarchy_search_def def = ploy_hierarchy_search_def_default();
            ploy_hierarchy_search *search = NULL;
            def.keep = keep == 1;
            CHECK_OK(ploy_hierarchy_search_create(&def, &env, &search));
            int32_t at = start, legs = 0;
            for (; at != goal && legs < 2000; legs++) {
                CHECK_OK(ploy_hierarchy_search_run(search, hierarchy, at, goal));
                if (ployi_hierarchy_search_outcome(search) != PLOY_SEARCH_FOUND) break;
                costs[keep] += walk(t, search, floor.graph, at);
                at = ploy_hierarchy_search_end(search);
                for (int32_t i = 1; i < 3; i++) {
                    taken[keep] += ploy_hierarchy_search_taken(search, i);
                }
            }
            CHECK(legs < 2000);
            ploy_hierarchy_search_destroy(search);
        }
        CHECK_NEAR(costs[1], costs[0], 0.2 * costs[0] + 1e-9); // equal plans may differ in ties
        ploy_hierarchy_destroy(hierarchy);
        toy_floor_free(&floor);
    }
    CHECK(taken[1] * 2 < taken[0]);
}

TEST(slices_change_nothing) {
    ploy_rng rng = ploy_rng_make(5);
    ploy_tiles *tiles = maps_plain(t, 40, 40);
    maps_scatter(tiles, &rng, 0.25f);
    toy_floor floor = toy_floor_make(t, tiles);
    ploy_hierarchy *hierarchy = toy_hierarchy(t, floor.graph, 0, 0, 1);
    toy_add_blocks(t, hierarchy, 6.0f, 2);
    for (int32_t k = 0; k < 12; k++) {
        ploy_hierarchy_mode mode = (ploy_hierarchy_mode)(k % 2);
        ploy_hierarchy_search *whole = make_search(t, mode, PLOY_HIERARCHY_AIM_DOOR, 1);
        ploy_hierarchy_search *sliced = make_search(t, mode, PLOY_HIERARCHY_AIM_DOOR, 1);
        int32_t start = (int32_t)ploy_rng_below(&rng, (uint64_t)floor.count);
        int32_t goal = (int32_t)ploy_rng_below(&rng, (uint64_t)floor.count);
        CHECK_OK(ploy_hierarchy_search_run(whole, hierarchy, start, goal));
        CHECK_OK(ploy_hierarchy_search_begin(sliced, hierarchy, start, goal));
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_task_step(ploy_hierarchy_search_task(sliced), &budget);
        }
        CHECK_OK(result);
        CHECK_INT(ployi_hierarchy_search_outcome(sliced), ployi_hierarchy_search_outcome(whole));
        CHECK_INT(ploy_hierarchy_search_end(sliced), ploy_hierarchy_search_end(whole));
        for (int32_t level = 0; level < 3; level++) {
            CHECK_INT(ploy_hierarchy_search_taken(sliced, level),
                      ploy_hierarchy_search_taken(whole, level));
        }
        if (ployi_hierarchy_search_outcome(whole) == PLOY_SEARCH_FOUND) {
            CHECK_SAME(walk(t, sliced, floor.graph, start), walk(t, whole, floor.graph, start));
        }
        ploy_hierarchy_search_destroy(whole);
        ploy_hierarchy_search_destroy(sliced);
    }
    ploy_hierarchy_destroy(hierarchy);
    toy_floor_free(&floor);
}

static ploy_result run_one(const ploy_env *env, void *arg) {
    ploy_hierarchy_search_def def = ploy_hierarchy_search_def_default();
    def.mode = PLOY_HIERARCHY_EXCLUDE;
    ploy_hierarchy_search *search = NULL;
    ploy_result result = ploy_hierarchy_search_create(&def, env, &search);
    if (result == PLOY_OK) result = ploy_hierarchy_search_run(search, arg, 0, 1);
    TEST_REPORT(result, env, search, ploy_hierarchy_search_memory);
    ploy_hierarchy_search_destroy(search);
    return result;
}

TEST(a_search_survives_every_failing_allocation_and_bad_questions) {
    ploy_frozen_graph *graph = toy_freeze(t, toy_graph_make(t, false, 8, few_rooms_ways, 8));
    ploy_hierarchy *hierarchy = toy_hierarchy(t, graph, 0, 0, 1);
    CHECK_OK(ploy_hierarchy_add_level(hierarchy, few_rooms_groups, 5, NULL));
    CHECK_FAIL_NTH(run_one, hierarchy);
    ploy_hierarchy_search *search =
        make_search(t, PLOY_HIERARCHY_REFINE, PLOY_HIERARCHY_AIM_DOOR, 0);
    CHECK_INT(ploy_hierarchy_search_step(search, NULL), PLOY_ERR_STATE);
    CHECK_INT(ploy_hierarchy_search_begin(search, hierarchy, 0, 8), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_hierarchy_search_begin(search, hierarchy, -1, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_hierarchy_search_begin(search, NULL, 0, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_hierarchy_search_path(search, NULL, 0, NULL), -1);
    CHECK_INT(ploy_hierarchy_search_end(search), PLOY_STATE_NONE);
    ploy_hierarchy_search_destroy(search);
    ploy_hierarchy_destroy(hierarchy);
    ploy_frozen_graph_destroy(graph);
}
