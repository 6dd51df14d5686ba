#include "path/path_internal.h"
#include "ploy/path/dependency.h"

#include <math.h>

#include "ploy/base/rng.h"
#include "tests/test.h"

// The example of GRA-08.
enum { MILL, WOOD, FORGE, IRON, POWDER, BARRACKS, ARROWS, ARCHER, SWORDSMAN, GUNNER, KINDS };

static const struct {
    int32_t thing, needed;
    double cost;
} example[] = {
    {WOOD, MILL, 2},      {IRON, FORGE, 5},      {FORGE, WOOD, 4},      {POWDER, FORGE, 3},
    {ARROWS, WOOD, 1},    {ARCHER, ARROWS, 2},   {ARCHER, BARRACKS, 1}, {SWORDSMAN, BARRACKS, 1},
    {SWORDSMAN, IRON, 3}, {GUNNER, BARRACKS, 1}, {GUNNER, POWDER, 2},   {GUNNER, IRON, 4},
};

static ploy_dependency *make(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_dependency *tree = NULL;
    CHECK_OK(ploy_dependency_create(KINDS, &env, &tree));
    for (size_t i = 0; i < COUNT_OF(example); i++) {
        CHECK_OK(
            ploy_dependency_add(tree, example[i].thing, example[i].needed, example[i].cost, 0));
    }
    return tree;
}

static void check_list(test_context *t, const int32_t *got, int32_t count, const int32_t *want,
                       int32_t want_count) {
    CHECK_INT(count, want_count);
    CHECK_BYTES(got, want, (size_t)want_count * sizeof *want);
}

TEST(what_must_be_there_before_is_listed_in_an_order_to_make_it) { // GRA-08
    ploy_dependency *tree = make(t);
    int32_t out[KINDS];
    static const int32_t archer[] = {MILL, WOOD, BARRACKS, ARROWS};
    static const int32_t gunner[] = {MILL, WOOD, FORGE, IRON, POWDER, BARRACKS};
    check_list(t, out, ploy_dependency_before(tree, ARCHER, out, KINDS), archer, 4);
    check_list(t, out, ploy_dependency_before(tree, GUNNER, out, KINDS), gunner, 6);
    // An enemy with a gun has all of this.
    check_list(t, out, ploy_dependency_implies(tree, GUNNER, out, KINDS), gunner, 6);
    CHECK_INT(ploy_dependency_before(tree, MILL, out, KINDS), 0);
    CHECK_INT(ploy_dependency_before(tree, KINDS, out, KINDS), -1);
    CHECK_INT(ploy_dependency_before(tree, GUNNER, NULL, 0), 6);
    ploy_dependency_destroy(tree);
}

TEST(the_barracks_unlock_three_units_and_the_mill_only_wood_at_once) { // GRA-08
    ploy_dependency *tree = make(t);
    bool units[KINDS] = {false};
    units[ARCHER] = units[SWORDSMAN] = units[GUNNER] = true;
    CHECK_INT(ploy_dependency_unlocks(tree, BARRACKS, units, true), 3);
    CHECK_INT(ploy_dependency_unlocks(tree, BARRACKS, NULL, false), 3);
    CHECK_INT(ploy_dependency_unlocks(tree, MILL, units, true), 0);
    CHECK_INT(ploy_dependency_unlocks(tree, MILL, NULL, true), 1);
    CHECK_INT(ploy_dependency_unlocks(tree, MILL, units, false), 3);
    CHECK_INT(ploy_dependency_unlocks(tree, MILL, NULL, false), 8);
    ploy_dependency_destroy(tree);
}

TEST(what_comes_next_follows_from_what_is_owned) {
    ploy_dependency *tree = make(t);
    bool owned[KINDS] = {false};
    int32_t out[KINDS];
    static const int32_t at_first[] = {MILL, BARRACKS}, later[] = {FORGE, BARRACKS, ARROWS};
    check_list(t, out, ploy_dependency_next(tree, owned, out, KINDS), at_first, 2);
    owned[MILL] = owned[WOOD] = true;
    check_list(t, out, ploy_dependency_next(tree, owned, out, KINDS), later, 3);
    CHECK(ployi_dependency_ready(tree, FORGE, owned) && !ployi_dependency_ready(tree, IRON, owned));
    ploy_dependency_destroy(tree);
}

TEST(the_targets_to_hit_are_those_without_a_substitute) {
    ploy_dependency *tree = make(t);
    ploy_env env = ploy_env_default();
    bool owned[KINDS] = {true, true, true, true, true, true, false, false, false, false};
    int32_t out[KINDS];
    static const int32_t all[] = {MILL, WOOD, FORGE, IRON, POWDER, BARRACKS};
    check_list(t, out, ploy_dependency_critical(tree, GUNNER, owned, out, KINDS), all, 6);
    CHECK_INT(ploy_dependency_critical(tree, ARCHER, owned, out, KINDS), 0); // no arrows anyway
    ploy_dependency_destroy(tree);
    // A house of wood or of stone: neither is critical while both are there.
    CHECK_OK(ploy_dependency_create(4, &env, &tree));
    CHECK_OK(ploy_dependency_add(tree, 3, 0, 1, 0));
    CHECK_OK(ploy_dependency_add(tree, 3, 1, 1, 1));
    CHECK_OK(ploy_dependency_add(tree, 3, 2, 1, 1));
    bool both[4] = {true, true, true, false}, one[4] = {true, true, false, false};
    static const int32_t tool[] = {0}, two[] = {0, 1};
    check_list(t, out, ploy_dependency_critical(tree, 3, both, out, 4), tool, 1);
    check_list(t, out, ploy_dependency_critical(tree, 3, one, out, 4), two, 2);
    check_list(t, out, ploy_dependency_implies(tree, 3, out, 4), tool, 1);
    CHECK_INT(ploy_dependency_before(tree, 3, out, 4), 3);
    // Two groups want one of each.
    CHECK_OK(ploy_dependency_add(tree, 2, 0, 1, 1));
    CHECK_OK(ploy_dependency_add(tree, 2, 1, 1, 2));
    bool first[4] = {true, false, false, false}, second[4] = {false, true, false, false};
    CHECK(!ployi_dependency_ready(tree, 2, first) && !ployi_dependency_ready(tree, 2, second));
    CHECK(ployi_dependency_ready(tree, 2, both));
    ploy_dependency_destroy(tree);
}

TEST(the_cheapest_plan_counts_what_is_shared_once) {
    ploy_dependency *tree = make(t);
    int32_t out[KINDS], count = 0;
    double cost = 0.0;
    static const int32_t all[] = {MILL, WOOD, FORGE, IRON, POWDER, BARRACKS, GUNNER};
    CHECK_OK(ploy_dependency_plan(tree, GUNNER, NULL, 100, out, KINDS, &count, &cost));
    check_list(t, out, count, all, 7);
    CHECK_SAME(cost, 2.0 + 4.0 + 5.0 + 3.0 + 1.0 + 2.0 + 4.0); // the forge is paid for once
    bool owned[KINDS] = {false};
    owned[FORGE] = owned[BARRACKS] = true;
    static const int32_t rest[] = {IRON, POWDER, GUNNER};
    CHECK_OK(ploy_dependency_plan(tree, GUNNER, owned, 100, out, KINDS, &count, &cost));
    check_list(t, out, count, rest, 3);
    CHECK_SAME(cost, 15.0);
    owned[GUNNER] = true;
    CHECK_OK(ploy_dependency_plan(tree, GUNNER, owned, 100, out, KINDS, &count, &cost));
    CHECK_INT(count, 0);
    ploy_dependency_destroy(tree);
}

enum { SOME = 9 };
typedef struct needs {
    int32_t needed[SOME][SOME], group[SOME][SOME], count[SOME];
    double cost[SOME][SOME];
} needs;

// The least over all subsets of things that could be made: slow and obvious.
static double slow_plan(const needs *n, int32_t x, const bool *owned) {
    double best = INFINITY;
    for (int32_t set = 0; set < 1 << SOME; set++) {
        if ((set >> x & 1) == 0) continue;
        double sum = 0.0;
        for (int32_t i = 0; i < SOME && sum < INFINITY; i++) {
            if ((set >> i & 1) == 0) continue;
            double least[4] = {0.0, INFINITY, INFINITY, INFINITY};
            bool used[4] = {false};
            for (int32_t k = 0; k < n->count[i]; k++) {
                int32_t g = n->group[i][k], other = n->needed[i][k];
                bool there = owned[other] || (set >> other & 1) != 0;
                used[g] = true;
                if (g == 0)
                    sum += there ? n->cost[i][k] : INFINITY;
                else if (there && n->cost[i][k] < least[g])
                    least[g] = n->cost[i][k];
            }
            for (int32_t g = 1; g < 4; g++) sum += used[g] ? least[g] : 0.0;
            if (owned[i]) sum = INFINITY; // not made again
        }
        if (sum < best) best = sum;
    }
    return best;
}

TEST(plans_with_alternatives_are_as_cheap_as_brute_force) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(120); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_dependency *tree = NULL;
        needs n;
        bool owned[SOME];
        memset(&n, 0, sizeof n);
        CHECK_OK(ploy_dependency_create(SOME, &env, &tree));
        for (int32_t i = 0; i < SOME; i++) owned[i] = i < SOME - 1 && ploy_rng_chance(&rng, 0.15f);
        for (int32_t step = 0; step < 18; step++) {
            int32_t thing = ploy_rng_int(&rng, 1, SOME - 1),
                    needed = ploy_rng_int(&rng, 0, thing - 1);
            int32_t group = ploy_rng_int(&rng, 0, 3);
            double cost = (double)ploy_rng_int(&rng, 0, 9);
            if (ploy_dependency_add(tree, thing, needed, cost, group) != PLOY_OK) continue;
            int32_t k = n.count[thing]++;
            n.needed[thing][k] = needed;
            n.group[thing][k] = group;
            n.cost[thing][k] = cost;
        }
        int32_t out[SOME], count = 0;
        double cost = -1.0;
        bool have[SOME];
        CHECK_OK(ploy_dependency_plan(tree, SOME - 1, owned, 10000, out, SOME, &count, &cost));
        CHECK_SAME(cost, slow_plan(&n, SOME - 1, owned));
        memcpy(have, owned, sizeof have);
        for (int32_t i = 0; i < count; i++) { // and it can be carried out
            CHECK(ployi_dependency_ready(tree, out[i], have) && !have[out[i]]);
            have[out[i]] = true;
        }
        CHECK(have[SOME - 1]);
        ploy_dependency_destroy(tree);
    }
}

TEST(circles_and_bad_needs_are_refused) {
    ploy_dependency *tree = make(t);
    ploy_env env = ploy_env_default();
    CHECK_INT(ploy_dependency_add(tree, MILL, GUNNER, 1, 0), PLOY_ERR_STATE);
    CHECK_INT(ploy_dependency_add(tree, MILL, MILL, 1, 0), PLOY_ERR_STATE);
    CHECK_INT(ploy_dependency_add(tree, WOOD, MILL, 1, 0), PLOY_ERR_EXISTS);
    CHECK_INT(ploy_dependency_add(tree, WOOD, KINDS, 1, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_dependency_add(tree, WOOD, IRON, NAN, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_dependency_add(tree, WOOD, BARRACKS, -1, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_dependency_add(tree, WOOD, BARRACKS, 1, -1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_dependency_before(tree, WOOD, NULL, 0), 1);
    int32_t count = 7;
    CHECK_INT(ploy_dependency_plan(tree, WOOD, NULL, 0, NULL, 0, &count, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(count, 7);
    ploy_dependency_destroy(tree);
    CHECK_INT(ploy_dependency_create(0, &env, &tree), PLOY_ERR_ARGUMENT);
    CHECK(tree == NULL);
}

static ploy_result tree_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_dependency *tree = NULL;
    int32_t out[4], count = 0;
    ploy_result result = ploy_dependency_create(4, env, &tree);
    if (result == PLOY_OK) result = ploy_dependency_add(tree, 3, 2, 1, 1);
    if (result == PLOY_OK) result = ploy_dependency_add(tree, 3, 1, 1, 1);
    if (result == PLOY_OK) result = ploy_dependency_plan(tree, 3, NULL, 50, out, 4, &count, NULL);
    if (result == PLOY_OK && ploy_dependency_implies(tree, 3, out, 4) < 0) result = PLOY_ERR_MEMORY;
    if (result == PLOY_OK && ploy_dependency_unlocks(tree, 1, NULL, false) < 0) {
        result = PLOY_ERR_MEMORY;
    }
    TEST_REPORT(result, env, tree, ploy_dependency_memory);
    ploy_dependency_destroy(tree);
    return result;
}

TEST(dependencies_survive_a_failure_of_every_allocation) {
    CHECK_FAIL_NTH(tree_body, NULL);
}
