// Memory-bounded search: the best path that fits, in as many states as it was given.
#include "ploy/search/search.h"
#include "search/search_internal.h"

#include <stdlib.h>

#include "tests/search/toy_space.h"
#include "tests/test.h"

static ploy_search *made(test_context *t, int32_t capacity, int32_t branching,
                         const ploy_env *env) {
    ploy_search_def def = ploy_search_def_default();
    def.method = PLOY_SEARCH_METHOD_SMA_STAR;
    def.capacity = capacity;
    def.branching = branching;
    ploy_search *bounded = NULL;
    CHECK_OK(ploy_search_create(&def, env, &bounded));
    return bounded;
}

static ploy_result begun(ploy_search *bounded, const ploy_space *space, int32_t from,
                         int32_t goal) {
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, goal);
    return ploy_search_begin(bounded, &query);
}

// The fewest edges of a cheapest path: each edge made dearer by a hair that cannot add up to one.
static int32_t shallowest(const toy_space *toy, int32_t from, int32_t goal) {
    toy_space *tilted = malloc(sizeof *tilted);
    *tilted = *toy;
    for (int32_t s = 0; s < tilted->space.count; s++) {
        for (int32_t i = 0; i < tilted->out_count[s]; i++) tilted->out[s][i].cost += 0x1p-12;
    }
    double costs[TOY_STATES];
    toy_costs(tilted, from, false, costs);
    free(tilted);
    return (int32_t)((costs[goal] - floor(costs[goal])) * 0x1p12);
}

// Keeps the first few states and edges of a random graph, so that trees stay small.
static void make_small(toy_space *toy, ploy_rng *rng, toy_estimates quality, int32_t goal) {
    toy_random(toy, rng, TOY_ZERO, goal);
    toy_space *small = malloc(sizeof *small);
    toy_init(small, toy->space.count < 10 ? toy->space.count : 10);
    for (int32_t s = 0; s < small->space.count; s++) {
        for (int32_t i = 0; i < toy->out_count[s] && small->out_count[s] < 3; i++) {
            if (toy->out[s][i].to >= small->space.count) continue;
            toy_add(small, s, toy->out[s][i].to, toy->out[s][i].cost);
        }
    }
    *toy = *small;
    toy->space.user = toy;
    free(small);
    double exact[TOY_STATES];
    toy_costs(toy, goal, true, exact);
    for (int32_t s = 0; s < toy->space.count; s++) {
        double most = exact[s] < INFINITY ? exact[s] : 50.0;
        if (quality == TOY_CONSISTENT) toy->estimates[s] = floor(most / 2.0);
        if (quality == TOY_ADMISSIBLE) toy->estimates[s] = floor(most * ploy_rng_double(rng));
        if (quality == TOY_EXACT) toy->estimates[s] = exact[s];
    }
}

TEST(what_fits_is_found_and_is_the_best) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    int64_t again = 0;
    for (int64_t seed = 0; seed < test_rounds(1200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t goal = (int32_t)ploy_rng_below(&rng, 9);
        make_small(toy, &rng, (toy_estimates)(seed % 4), goal);
        int32_t from = (int32_t)ploy_rng_below(&rng, (uint64_t)toy->space.count);
        double costs[TOY_STATES];
        toy_costs(toy, from, false, costs);
        int32_t capacity = 2 + (int32_t)ploy_rng_below(&rng, seed % 3 == 0 ? 200 : 10);
        ploy_search *bounded = made(t, capacity, 3, &env);
        CHECK_OK(begun(bounded, &toy->space, from, goal));
        ploy_budget budget = ploy_budget_units(1000000);
        CHECK_OK(ploy_search_step(bounded, &budget)); // it ends
        ploy_search_stats stats = ploy_search_stats_of(bounded);
        CHECK(stats.peak_open <= capacity);
        again += stats.reopened;
        ploy_search_outcome outcome = ploy_search_outcome_of(bounded);
        if (costs[goal] == INFINITY) {
            CHECK(outcome == PLOY_SEARCH_NONE || outcome == PLOY_SEARCH_PRUNED);
        } else if (shallowest(toy, from, goal) + 1 <= capacity) {
            CHECK_INT(outcome, PLOY_SEARCH_FOUND);
        }
        ploy_edge path[TOY_STATES];
        double cost = -1.0;
        int32_t count = ploy_search_path(bounded, goal, path, TOY_STATES, &cost);
        CHECK_INT(ploy_search_goal(bounded), outcome == PLOY_SEARCH_FOUND ? goal : PLOY_STATE_NONE);
        if (outcome == PLOY_SEARCH_FOUND) {
            CHECK(count >= 0);
            // Cheaper paths are known to be missed only if something was cut off.
            if (ployi_search_bound(bounded) == 1.0) CHECK_SAME(cost, costs[goal]);
            toy_check_path(t, toy, from, goal, path, count, cost);
            if (shallowest(toy, from, goal) + 1 <= capacity) CHECK_SAME(cost, costs[goal]);
            CHECK(cost >= costs[goal]);
        }
        ploy_search_destroy(bounded);
    }
    CHECK(again > 0); // things were forgotten and made again
    free(toy);
}

TEST(slices_change_nothing) {
    ploy_env env = ploy_env_default();
    toy_space *toy = malloc(sizeof *toy);
    for (int64_t seed = 0; seed < test_rounds(100); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        make_small(toy, &rng, TOY_ADMISSIBLE, 8);
        ploy_search *bounded = made(t, 8, 3, &env);
        ploy_search_stats whole = ploy_search_stats_of(bounded);
        for (int32_t slices = 0; slices < 2; slices++) {
            CHECK_OK(begun(bounded, &toy->space, 0, 8));
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(slices == 0 ? 1000000 : 1);
                result = ploy_search_step(bounded, &budget);
            }
            CHECK_OK(result);
            ploy_search_stats stats = ploy_search_stats_of(bounded);
            if (slices == 0) whole = stats;
            CHECK_INT(stats.opened, whole.opened);
            CHECK_INT(stats.forgotten, whole.forgotten);
        }
        ploy_search_destroy(bounded);
    }
    free(toy);
}

static ploy_result bounded_made(const ploy_env *env, void *arg) {
    toy_space *toy = arg;
    ploy_search_def def = ploy_search_def_default();
    def.method = PLOY_SEARCH_METHOD_SMA_STAR;
    def.capacity = 16;
    ploy_search *bounded = NULL;
    ploy_result result = ploy_search_create(&def, env, &bounded);
    if (result == PLOY_OK) result = begun(bounded, &toy->space, 0, 2);
    if (result == PLOY_OK) result = ploy_search_step(bounded, NULL);
    ploy_search_destroy(bounded);
    return result;
}

TEST(bad_input_is_refused_and_memory_may_run_out) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    toy_space *toy = malloc(sizeof *toy);
    toy_init(toy, 3);
    toy_add(toy, 0, 1, 1);
    toy_add(toy, 1, 2, 1);
    toy_add(toy, 0, 2, 5);
    CHECK_FAIL_NTH(bounded_made, toy);
    ploy_search *bounded = made(t, 4, 1, &env);
    CHECK_INT(ploy_search_step(bounded, NULL), PLOY_ERR_STATE);
    CHECK_INT(begun(bounded, NULL, 0, 2), PLOY_ERR_ARGUMENT);
    CHECK_INT(begun(bounded, &toy->space, 0, 3), PLOY_ERR_ARGUMENT);
    CHECK_OK(begun(bounded, &toy->space, 0, 2));
    CHECK_INT(ploy_search_step(bounded, NULL), PLOY_ERR_LIMIT); // two edges, room for one
    CHECK_INT(ploy_search_path(bounded, 2, NULL, 0, NULL), -1);
    ploy_search_destroy(bounded);
    bounded = made(t, 2, 2, &env); // too small for the cheap way, large enough for the dear one
    CHECK_OK(begun(bounded, &toy->space, 0, 2));
    CHECK_OK(ploy_search_step(bounded, NULL));
    double cost = 0.0;
    CHECK_INT(ploy_search_path(bounded, 2, NULL, 0, &cost), 1);
    CHECK_SAME(cost, 5);
    toy->out[0][0].cost = -1;
    CHECK_OK(begun(bounded, &toy->space, 0, 2));
    CHECK_INT(ploy_search_step(bounded, NULL), PLOY_ERR_CALLBACK);
    ploy_search_destroy(bounded);
    free(toy);
}
