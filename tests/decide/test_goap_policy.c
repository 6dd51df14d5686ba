// Policies where actions may have several outcomes (GOB-15).
#include <math.h>

#include "decide/decide_internal.h"
#include "ploy/decide/goap_policy.h"
#include "tests/decide/goap_test.h"

enum { POLICY_WORDS = 4, POLICY_WORLDS = 3000, POLICY_GAMBLES = 7 };

// A door: picking the lock costs 1 and works in half of the cases; breaking it costs 3 and always
// works, but in one of four cases the noise wakes the dog, and that is the end of it.
static ploy_result policy_make_door(const ploy_env *env, ploy_goap_type **out) {
    ploy_result result = ploy_goap_type_create(env, out);
    if (result != PLOY_OK) return result;
    ploy_goap_var open = ploy_goap_type_bool(*out, "open");
    ploy_goap_var dog = ploy_goap_type_bool(*out, "dog");
    ploy_goap_var skill = ploy_goap_type_bool(*out, "skill");
    static const char *const ids[] = {"pick", "pick-fails", "break", "break-wakes"};
    static const double costs[] = {1.0, 1.0, 3.0, 3.0};
    for (int32_t i = 0; i < 4; i++) {
        ploy_goap_need needs[2] = {ploy_goap_is(dog, 0), ploy_goap_is(skill, 1)};
        ploy_goap_gain gain = i == 3 ? ploy_goap_set_to(dog, 1) : ploy_goap_set_to(open, i != 1);
        ploy_goap_action action = ploy_goap_action_make(ids[i], costs[i]);
        action.needs = needs;
        action.need_count = i < 2 ? 2 : 1;
        action.gains = &gain;
        action.gain_count = 1;
        (void)ploy_goap_type_action(*out, &action);
    }
    return goap_test_finish(out);
}

static const ploy_goap_branch door_pick[] = {{0, 0.5}, {1, 0.5}};
static const ploy_goap_branch door_break[] = {{2, 0.75}, {3, 0.25}};
static const ploy_goap_gamble door_gambles[] = {{door_pick, 2}, {door_break, 2}};

TEST(a_gamble_is_worth_its_mean) {
    static const struct {
        const char *row;
        bool skill;
        double give_up, cost, chance;
        int32_t choice;
    } rows[] = {
        {"picking until it opens", true, 100.0, 2.0, 1.0, 0},
        {"who cannot pick breaks it", false, 100.0, 3.0 + 0.25 * 100.0, 0.75, 1},
        {"not worth it", false, 3.9, 3.9, 0.0, -1},
        {"just worth it", false, 4.1, 3.0 + 0.25 * 4.1, 0.75, 1},
    };
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(policy_make_door(&env, &type));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_goap_policy_def def = ploy_goap_policy_def_default();
        def.give_up = rows[i].give_up;
        ploy_goap_policy *policy = NULL;
        CHECK_OK(ploy_goap_policy_create(&def, type, door_gambles, 2, &env, &policy));
        uint64_t world[POLICY_WORDS];
        ploy_goap_world_clear(type, world);
        CHECK_INT(ploy_goap_policy_step(policy, NULL), PLOY_ERR_STATE);
        CHECK_INT(ploy_goap_policy_choice(policy, world), -1);
        CHECK_OK(
            ploy_goap_world_set(type, world, ploy_goap_type_find(type, "skill"), rows[i].skill));
        ploy_goap_need goal = ploy_goap_is(ploy_goap_type_find(type, "open"), 1);
        CHECK_OK(ploy_goap_policy_begin(policy, world, &goal, 1));
        CHECK_OK(ploy_goap_policy_step(policy, NULL));
        CHECK_NEAR(ploy_goap_policy_cost(policy, world), rows[i].cost, 1e-9);
        CHECK_NEAR(ploy_goap_policy_chance(policy, world), rows[i].chance, 1e-9);
        CHECK_INT(ploy_goap_policy_choice(policy, world), rows[i].choice);
        ploy_goap_policy_destroy(policy);
    }
    ploy_goap_type_destroy(type);
}

// The obvious method: every world that can be, and the equation again and again, all worlds at once.
typedef struct policy_naive {
    uint64_t worlds[POLICY_WORLDS][POLICY_WORDS];
    double cost[POLICY_WORLDS], next[POLICY_WORLDS];
    int32_t count;
} policy_naive;

static int32_t policy_naive_find(policy_naive *naive, const uint64_t *world) {
    for (int32_t i = 0; i < naive->count; i++) {
        if (memcmp(naive->worlds[i], world, sizeof naive->worlds[i]) == 0) return i;
    }
    if (naive->count == POLICY_WORLDS) return -1;
    memcpy(naive->worlds[naive->count], world, sizeof naive->worlds[0]);
    return naive->count++;
}

// What a gamble would cost in a world, by the last turn's numbers; infinite if it may not be done.
static double policy_naive_gamble(policy_naive *naive, const ploy_goap_type *type, int32_t at,
                                  const ploy_goap_gamble *gamble) {
    double sum = ployi_goap_world_price(type, naive->worlds[at], gamble->branches[0].action);
    for (int32_t k = 0; k < gamble->count; k++) {
        if (!ployi_goap_world_allows(type, naive->worlds[at], gamble->branches[k].action)) {
            return (double)INFINITY;
        }
    }
    for (int32_t k = 0; k < gamble->count && sum < (double)INFINITY; k++) {
        uint64_t after[POLICY_WORDS];
        memcpy(after, naive->worlds[at], sizeof after);
        ploy_goap_world_apply(type, after, gamble->branches[k].action);
        int32_t to = policy_naive_find(naive, after);
        if (to >= 0) sum += gamble->branches[k].chance * naive->cost[to];
    }
    return sum;
}

TEST(policies_cost_what_the_equation_says_whatever_the_budget) {
    static policy_naive naive;
    ploy_env env = ploy_env_default();
    int32_t gambled = 0;
    for (int64_t round = 0; round < test_rounds(60); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_goap_type *type = goap_make_random(t, &rng, false, false, &env);
        ploy_goap_branch branches[POLICY_GAMBLES][2];
        ploy_goap_gamble gambles[POLICY_GAMBLES];
        for (int32_t g = 0; g < POLICY_GAMBLES; g++) {
            double chance = (double)ploy_rng_int(&rng, 1, 10) / 10.0;
            for (int32_t k = 0; k < 2; k++) {
                branches[g][k].action = ploy_rng_int(&rng, 0, GOAP_TEST_ACTIONS - 1);
                branches[g][k].chance = k == 0 ? chance : 1.0 - chance;
            }
            gambles[g].branches = branches[g];
            gambles[g].count = 2;
        }
        ploy_goap_policy_def def = ploy_goap_policy_def_default();
        def.give_up = 20.0;
        uint64_t world[POLICY_WORDS];
        memset(world, 0, sizeof world);
        ploy_goap_var var = {(uint32_t)ploy_rng_int(&rng, 1, GOAP_TEST_VARS)};
        ploy_goap_need goal = ploy_goap_is(var, 1);
        ploy_goap_world_clear(type, world);
        ploy_goap_policy *policy = NULL;
        CHECK_OK(ploy_goap_policy_create(&def, type, gambles, POLICY_GAMBLES, &env, &policy));
        CHECK_OK(ploy_goap_policy_begin(policy, world, &goal, 1));
        ploy_result result;
        do {
            ploy_budget budget = ploy_budget_units(1 + round % 7);
            result = ploy_goap_policy_step(policy, &budget);
        } while (result == PLOY_IN_PROGRESS);
        CHECK_OK(result);
        // Worlds that come up in the first turn begin at the price of giving up, too.
        naive.count = 0;
        for (int32_t i = 0; i < POLICY_WORLDS; i++) naive.cost[i] = def.give_up;
        (void)policy_naive_find(&naive, world);
        for (int32_t turn = 0; turn < 300; turn++) {
            for (int32_t at = 0; at < naive.count; at++) {
                naive.next[at] = def.give_up;
                if (ployi_goap_world_holds(type, naive.worlds[at], &goal, 1)) naive.next[at] = 0.0;
                for (int32_t g = 0; g < POLICY_GAMBLES && naive.next[at] > 0.0; g++) {
                    double value = policy_naive_gamble(&naive, type, at, &gambles[g]);
                    if (value < naive.next[at]) naive.next[at] = value;
                }
            }
            memcpy(naive.cost, naive.next, sizeof naive.cost[0] * (size_t)naive.count);
        }
        CHECK_INT(ployi_goap_policy_worlds(policy, NULL), naive.count);
        for (int32_t at = 0; at < naive.count; at++) {
            CHECK_NEAR(ploy_goap_policy_cost(policy, naive.worlds[at]), naive.cost[at], 1e-6);
            double chance = ploy_goap_policy_chance(policy, naive.worlds[at]);
            CHECK(chance >= 0.0 && chance <= 1.0);
            gambled += ploy_goap_policy_choice(policy, naive.worlds[at]) >= 0;
        }
        ploy_goap_policy_destroy(policy);
        ploy_goap_type_destroy(type);
    }
    CHECK(gambled > 50);
}

static ploy_result policy_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_goap_type *type = NULL;
    ploy_goap_policy *policy = NULL;
    ploy_result result = policy_make_door(env, &type);
    ploy_goap_policy_def def = ploy_goap_policy_def_default();
    if (result == PLOY_OK) {
        result = ploy_goap_policy_create(&def, type, door_gambles, 2, env, &policy);
    }
    uint64_t world[POLICY_WORDS] = {0};
    if (result == PLOY_OK) result = ploy_goap_policy_begin(policy, world, NULL, 0);
    if (result == PLOY_OK) result = ploy_goap_policy_step(policy, NULL);
    ploy_goap_policy_destroy(policy);
    ploy_goap_type_destroy(type);
    return result;
}

TEST(bad_gambles_are_refused_and_every_failing_allocation_is_survived) {
    static const ploy_goap_branch less[] = {{0, 0.5}, {1, 0.4}}, more[] = {{0, 1.5}},
                                  odd[] = {{0, NAN}}, gone[] = {{77, 1.0}};
    static const struct {
        const char *row;
        ploy_goap_gamble gamble;
    } rows[] = {{"less than 1", {less, 2}},           {"more than 1", {more, 1}},
                {"not a number", {odd, 1}},           {"no such action", {gone, 1}},
                {"no branch at all", {door_pick, 0}}, {"nothing", {NULL, 1}}};
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    ploy_goap_policy *policy = NULL;
    ploy_goap_policy_def def = ploy_goap_policy_def_default();
    CHECK_OK(policy_make_door(&env, &type));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_goap_policy_create(&def, type, &rows[i].gamble, 1, &env, &policy),
                  PLOY_ERR_ARGUMENT);
        CHECK(policy == NULL);
    }
    t->row = NULL;
    def.give_up = -1.0;
    CHECK_INT(ploy_goap_policy_create(&def, type, door_gambles, 2, &env, &policy),
              PLOY_ERR_ARGUMENT);
    // One world is kept: all that leads on counts as given up.
    def = ploy_goap_policy_def_default();
    def.max_worlds = 1;
    uint64_t world[POLICY_WORDS] = {0};
    ploy_goap_need goal = ploy_goap_is(ploy_goap_type_find(type, "open"), 1);
    CHECK_OK(ploy_goap_policy_create(&def, type, door_gambles, 2, &env, &policy));
    CHECK_OK(ploy_goap_policy_begin(policy, world, &goal, 1));
    CHECK_OK(ploy_goap_policy_step(policy, NULL));
    CHECK_NEAR(ploy_goap_policy_cost(policy, world), def.give_up, 0.0);
    CHECK_INT(ploy_goap_policy_choice(policy, world), -1);
    ploy_goap_policy_destroy(policy);
    ploy_goap_type_destroy(type);
    CHECK_FAIL_NTH(policy_body, NULL);
}
