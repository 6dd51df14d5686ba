// Two searches that meet: the cost that one finds, and a smaller fill.
#include "ploy/search/search.h"

#include <stdlib.h>

#include "tests/search/toy_space.h"
#include "tests/test.h"

static ploy_search *made(test_context *t, const ploy_env *env) {
    ploy_search_def def = ploy_search_def_default();
    def.method = PLOY_SEARCH_METHOD_BIDIRECTIONAL;
    ploy_search *both = NULL;
    CHECK_OK(ploy_search_create(&def, env, &both));
    return both;
}

static ploy_result begun(ploy_search *both, const ploy_space *space, int32_t from, int32_t goal) {
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, goal);
    return ploy_search_begin(both, &query);
}

TEST(the_path_costs_what_the_slow_way_finds) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    for (int64_t seed = 0; seed < test_rounds(1000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t goal = (int32_t)ploy_rng_below(&rng, TOY_STATES);
        toy_random(toy, &rng, TOY_ZERO, goal);
        int32_t from = (int32_t)ploy_rng_below(&rng, (uint64_t)toy->space.count);
        if (seed % 2 == 0) toy->space.estimate = NULL;
        double costs[TOY_STATES];
        toy_costs(toy, from, false, costs);
        ploy_search *both = made(t, &env);
        for (int32_t slices = 0; slices < 2; slices++) {
            CHECK_OK(begun(both, &toy->space, from, goal));
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(slices == 0 ? PLOY_BUDGET_UNLIMITED : 1);
                result = ploy_search_step(both, &budget);
            }
            CHECK_OK(result);
            ploy_edge path[TOY_STATES];
            double cost = 0.0;
            int32_t count = ploy_search_path(both, goal, path, TOY_STATES, &cost);
            CHECK_INT(ploy_search_outcome_of(both),
                      costs[goal] < INFINITY ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE);
            if (count < 0) continue;
            CHECK_SAME(cost, costs[goal]);
            toy_check_path(t, toy, from, goal, path, count, cost);
        }
        ploy_search_destroy(both);
    }
    free(toy);
}

// A square of cells, four neighbours, cost 1; estimates in steps.
enum { SIDE = 61 };

static ploy_result cells_expand(void *user, int32_t state, ploy_edges *out) {
    (void)user;
    static const int32_t dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    for (int32_t i = 0; i < 4; i++) {
        int32_t x = state % SIDE + dx[i], y = state / SIDE + dy[i];
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE) continue;
        ploy_result result = ploy_edges_add(out, y * SIDE + x, 1.0, i);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static double cells_estimate(void *user, int32_t state, int32_t goal) {
    (void)user;
    return abs(state % SIDE - goal % SIDE) + abs(state / SIDE - goal / SIDE);
}

TEST(without_estimates_two_fills_are_smaller_than_one) {
    ploy_env env = ploy_env_default();
    ploy_space cells = {SIDE * SIDE, cells_expand, cells_expand, NULL, NULL};
    int32_t from = 30 * SIDE + 15, goal = 30 * SIDE + 45;
    ploy_search_def def = ploy_search_def_default();
    ploy_search *both = made(t, &env), *one = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &one));
    for (int32_t informed = 0; informed < 2; informed++) {
        cells.estimate = informed ? cells_estimate : NULL;
        ploy_search_start start = {from, 0.0};
        ploy_search_query query = ploy_search_query_make(&cells, &start, goal);
        CHECK_OK(ploy_search_run(one, &query));
        CHECK_OK(begun(both, &cells, from, goal));
        CHECK_OK(ploy_search_step(both, NULL));
        double cost = 0.0;
        CHECK_INT(ploy_search_path(both, goal, NULL, 0, &cost), 30);
        CHECK_SAME(cost, 30);
        int64_t taken = ploy_search_stats_of(both).taken;
        if (!informed) CHECK(taken * 3 < ploy_search_stats_of(one).taken * 2);
    }
    ploy_search_destroy(one);
    ploy_search_destroy(both);
}

static ploy_result met(const ploy_env *env, void *arg) {
    toy_space *toy = arg;
    ploy_search_def def = ploy_search_def_default();
    def.method = PLOY_SEARCH_METHOD_BIDIRECTIONAL;
    ploy_search *both = NULL;
    ploy_result result = ploy_search_create(&def, env, &both);
    if (result == PLOY_OK) result = begun(both, &toy->space, 0, 40);
    if (result == PLOY_OK) result = ploy_search_step(both, NULL);
    ploy_search_destroy(both);
    return result;
}

TEST(bad_input_is_refused_and_memory_may_run_out) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    ploy_rng rng = ploy_rng_make(8);
    toy_random(toy, &rng, TOY_ZERO, 40);
    CHECK_FAIL_NTH(met, toy);
    env.log = NULL;
    ploy_search *both = made(t, &env);
    CHECK_INT(ploy_search_step(both, NULL), PLOY_ERR_STATE);
    CHECK_INT(begun(both, &toy->space, 0, PLOY_STATE_NONE), PLOY_ERR_UNSUPPORTED);
    CHECK_INT(begun(both, &toy->space, 0, 64), PLOY_ERR_ARGUMENT);
    toy->space.expand_back = NULL;
    CHECK_INT(begun(both, &toy->space, 0, 1), PLOY_ERR_ARGUMENT);
    ploy_search_destroy(both);
    free(toy);
}

static bool never_five(void *user, int32_t state) {
    (void)user;
    return state != 5;
}

TEST(a_goal_that_may_not_be_entered_is_not_reached_from_behind) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    toy_init(toy, 6);
    for (int32_t i = 0; i < 5; i++) toy_add(toy, i, i + 1, 1.0);
    ploy_search *both = made(t, &env);
    ploy_search_start start = {0, 0.0};
    ploy_search_query query = ploy_search_query_make(&toy->space, &start, 5);
    query.allow = never_five;
    CHECK_OK(ploy_search_run(both, &query));
    CHECK_INT(ploy_search_outcome_of(both), PLOY_SEARCH_NONE);
    query.goal = 4;
    CHECK_OK(ploy_search_run(both, &query));
    CHECK_INT(ploy_search_path(both, 4, NULL, 0, NULL), 4);
    CHECK_INT(ploy_search_path(both, 2, NULL, 0, NULL), 2); // reached by the forward side
    ploy_search_destroy(both);
    free(toy);
}
