// Domains that the planner's tests share, and the slow, obvious planner they compare with.
#pragma once

#include <stdlib.h>

#include "decide/decide_internal.h"
#include "ploy/base/rng.h"
#include "ploy/decide/goap.h"
#include "tests/test.h"

// Ends the building; nothing is left after a fault.
static inline ploy_result goap_test_finish(ploy_goap_type **out) {
    ploy_result result = ploy_goap_type_finish(*out);
    if (result == PLOY_OK) return PLOY_OK;
    ploy_goap_type_destroy(*out);
    *out = NULL;
    return result;
}

// Five actions, each possible only after the one before it; `toggles` more that lead nowhere.
static inline ploy_result goap_make_kitchen(const ploy_env *env, int32_t toggles,
                                            ploy_goap_type **out) {
    static const char *const steps[] = {"get-raw", "insert", "cook", "remove", "eat"};
    ploy_result result = ploy_goap_type_create(env, out);
    if (result != PLOY_OK) return result;
    ploy_goap_var stage = ploy_goap_type_int(*out, "stage", 0, 5);
    ploy_goap_var light[8];
    for (int32_t i = 0; i < toggles; i++) {
        char name[16];
        snprintf(name, sizeof name, "light%d", (int)i);
        light[i] = ploy_goap_type_bool(*out, name);
    }
    for (int32_t i = 0; i < 5; i++) {
        ploy_goap_need need = ploy_goap_is(stage, i);
        ploy_goap_gain gain = ploy_goap_set_to(stage, i + 1);
        ploy_goap_action action = ploy_goap_action_make(steps[i], 1.0);
        action.needs = &need;
        action.need_count = 1;
        action.gains = &gain;
        action.gain_count = 1;
        (void)ploy_goap_type_action(*out, &action);
    }
    for (int32_t i = 0; i < 2 * toggles; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s%d", i % 2 != 0 ? "on" : "off", (int)(i / 2));
        ploy_goap_gain gain = ploy_goap_set_to(light[i / 2], i % 2);
        ploy_goap_action action = ploy_goap_action_make(name, 1.0);
        action.gains = &gain;
        action.gain_count = 1;
        (void)ploy_goap_type_action(*out, &action);
    }
    return goap_test_finish(out);
}

enum { GOAP_TEST_VARS = 5, GOAP_TEST_ACTIONS = 9 };

// A random domain: some bools, some numbers that are set and added to. `plain`: only conditions
// that a backward search understands.
static inline ploy_goap_type *goap_make_random(test_context *t, ploy_rng *rng, bool plain,
                                               bool free_actions, const ploy_env *env) {
    ploy_goap_type *type = NULL;
    CHECK_OK(ploy_goap_type_create(env, &type));
    ploy_goap_var vars[GOAP_TEST_VARS];
    int32_t most[GOAP_TEST_VARS];
    // Costs that are not whole, but whose sums are exact, take another way through the estimates.
    double unit = ploy_rng_chance(rng, 0.3f) ? 0.25 : 1.0;
    for (int32_t i = 0; i < GOAP_TEST_VARS; i++) {
        char name[16];
        snprintf(name, sizeof name, "v%d", (int)i);
        most[i] = ploy_rng_chance(rng, 0.5f) ? 1 : ploy_rng_int(rng, 2, 4);
        vars[i] = most[i] == 1 ? ploy_goap_type_bool(type, name)
                               : ploy_goap_type_int(type, name, 0, most[i]);
    }
    for (int32_t i = 0; i < GOAP_TEST_ACTIONS; i++) {
        char name[16];
        ploy_goap_need needs[2];
        ploy_goap_gain gains[2];
        snprintf(name, sizeof name, "a%d", (int)i);
        ploy_goap_action action =
            ploy_goap_action_make(name, unit * ploy_rng_int(rng, free_actions ? 0 : 1, 4));
        action.needs = needs;
        action.gains = gains;
        action.need_count = ploy_rng_int(rng, 0, 2);
        action.gain_count = ploy_rng_int(rng, 1, 2);
        for (int32_t k = 0; k < action.need_count; k++) {
            int32_t v = ploy_rng_int(rng, 0, GOAP_TEST_VARS - 1);
            ploy_goap_test test = (ploy_goap_test)ploy_rng_int(rng, 0, 3);
            if (plain && test == PLOY_GOAP_DIFFERENT) test = PLOY_GOAP_EQUAL;
            needs[k] = ploy_goap_need_make(vars[v], test, ploy_rng_int(rng, 0, most[v]));
        }
        int32_t first = ploy_rng_int(rng, 0, GOAP_TEST_VARS - 1);
        for (int32_t k = 0; k < action.gain_count; k++) {
            int32_t v = (first + k) % GOAP_TEST_VARS;
            gains[k] = most[v] > 1 && ploy_rng_chance(rng, 0.6f)
                           ? ploy_goap_add_to(vars[v], ploy_rng_int(rng, -2, 2))
                           : ploy_goap_set_to(vars[v], ploy_rng_int(rng, 0, most[v]));
        }
        CHECK_INT(ploy_goap_type_action(type, &action), i);
    }
    CHECK_OK(ploy_goap_type_finish(type));
    return type;
}

static inline int32_t goap_random_goal(ploy_rng *rng, const ploy_goap_type *type, bool plain,
                                       ploy_goap_need goal[2]) {
    for (int32_t i = 0; i < 2; i++) {
        ploy_goap_var var = {(uint32_t)ploy_rng_int(rng, 1, ploy_goap_type_vars(type))};
        ploy_goap_test test = (ploy_goap_test)ploy_rng_int(rng, 0, 3);
        if (plain && test == PLOY_GOAP_DIFFERENT) test = PLOY_GOAP_AT_LEAST;
        goal[i] = ploy_goap_need_make(var, test, ploy_rng_int(rng, 0, 3));
    }
    return ploy_rng_int(rng, 1, 2);
}

// The least cost from every world by relaxing all edges until nothing changes (Bellman and Ford).
// Worlds of these domains fit into one word of few bits. @return INFINITY if there is no plan.
static inline double goap_slow_cost(const ploy_goap_type *type, uint64_t start,
                                    const ploy_goap_need *goal, int32_t count) {
    enum { WORLDS = 1 << 15 };
    double *costs = malloc(WORLDS * sizeof *costs), best = (double)INFINITY;
    int32_t *open = malloc(WORLDS * sizeof *open), first = 0, last = 0;
    uint8_t *waits = calloc(WORLDS, 1);
    for (int32_t i = 0; i < WORLDS; i++) costs[i] = (double)INFINITY;
    costs[start] = 0.0;
    open[last++] = (int32_t)start;
    while (first != last) { // a ring of worlds whose cost has fallen
        uint64_t world = (uint64_t)open[first++ & (WORLDS - 1)];
        waits[world] = 0;
        if (ployi_goap_world_holds(type, &world, goal, count) && costs[world] < best) {
            best = costs[world];
        }
        for (int32_t a = 0; a < ploy_goap_type_actions(type); a++) {
            double price = ployi_goap_world_price(type, &world, a);
            uint64_t after = world;
            if (!(price < (double)INFINITY)) continue;
            ploy_goap_world_apply(type, &after, a);
            if (costs[world] + price >= costs[after]) continue;
            costs[after] = costs[world] + price;
            if (!waits[after]) open[last++ & (WORLDS - 1)] = (int32_t)after;
            waits[after] = 1;
        }
    }
    free(costs);
    free(open);
    free(waits);
    return best;
}
