// Constraints and partial orders of plans (GOB-15).
#include "decide/decide_internal.h"
#include "ploy/decide/goap_plans.h"
#include "tests/decide/goap_test.h"

enum { PLANS_WORDS = 4, PLANS_STEPS = 32 };

// A world of random values.
static void plans_world(const ploy_goap_type *type, ploy_rng *rng, uint64_t *world) {
    ploy_goap_world_clear(type, world);
    for (uint32_t i = 1; i <= (uint32_t)ploy_goap_type_vars(type); i++) {
        ploy_goap_var var = {i};
        (void)ploy_goap_world_set(type, world, var, ploy_rng_int(rng, 0, 4));
    }
}

static ploy_goap_need plans_need(const ploy_goap_type *type, ploy_rng *rng) {
    ploy_goap_var var = {(uint32_t)ploy_rng_int(rng, 1, ploy_goap_type_vars(type))};
    return ploy_goap_need_make(var, (ploy_goap_test)ploy_rng_int(rng, 0, 3),
                               ploy_rng_int(rng, -1, 5));
}

TEST(kept_conditions_forbid_exactly_what_would_break_them) {
    ploy_env env = ploy_env_default();
    int32_t allowed = 0, forbidden = 0;
    for (int64_t round = 0; round < test_rounds(200); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_goap_type *type = goap_make_random(t, &rng, false, false, &env), *kept = NULL;
        ploy_goap_need keep[2] = {plans_need(type, &rng), plans_need(type, &rng)};
        int32_t count = ploy_rng_int(&rng, 0, 2);
        CHECK_OK(ploy_goap_type_keep(type, keep, count, &env, &kept));
        CHECK_INT(ploy_goap_type_words(kept), ploy_goap_type_words(type));
        CHECK_INT(ploy_goap_type_actions(kept), ploy_goap_type_actions(type));
        for (int32_t k = 0; k < 40; k++) {
            uint64_t world[PLANS_WORDS], after[PLANS_WORDS];
            plans_world(type, &rng, world);
            if (!ployi_goap_world_holds(type, world, keep, count)) continue;
            for (int32_t a = 0; a < ploy_goap_type_actions(type); a++) {
                memcpy(after, world, sizeof after);
                ploy_goap_world_apply(type, after, a);
                bool may = ployi_goap_world_allows(type, world, a) &&
                           ployi_goap_world_holds(type, after, keep, count);
                CHECK_INT(ployi_goap_world_allows(kept, world, a), may);
                CHECK_TEXT(ploy_goap_type_action_id(kept, a), ploy_goap_type_action_id(type, a));
                allowed += may;
                forbidden += !may;
            }
        }
        ploy_goap_type_destroy(kept);
        ploy_goap_type_destroy(type);
    }
    CHECK(allowed > 1000 && forbidden > 1000);
}

static ploy_result plans_body(const ploy_env *env, void *arg) {
    (void)arg;
    static const char *const colours[] = {"red", "green"};
    ploy_goap_type *type = NULL, *kept = NULL;
    ploy_result result = ploy_goap_type_create(env, &type);
    if (result != PLOY_OK) return result;
    ploy_goap_var colour = ploy_goap_type_choice(type, "colour", colours, 2);
    ploy_goap_gain gain = ploy_goap_set_to(colour, 1);
    ploy_goap_action paint = ploy_goap_action_make("paint", 1.0);
    paint.gains = &gain;
    paint.gain_count = 1;
    (void)ploy_goap_type_action(type, &paint);
    result = ploy_goap_type_finish(type);
    ploy_goap_need keep = ploy_goap_is(colour, 0);
    if (result == PLOY_OK) result = ploy_goap_type_keep(type, &keep, 1, env, &kept);
    ploy_goap_type_destroy(kept);
    ploy_goap_type_destroy(type);
    return result;
}

TEST(keeping_survives_every_failing_allocation_and_bad_conditions) {
    CHECK_FAIL_NTH(plans_body, NULL);
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL, *kept = NULL;
    CHECK_OK(goap_make_kitchen(&env, 0, &type));
    ploy_goap_var none = {0};
    ploy_goap_need bad = ploy_goap_is(none, 1);
    CHECK_INT(ploy_goap_type_keep(type, &bad, 1, &env, &kept), PLOY_ERR_ARGUMENT);
    CHECK(kept == NULL);
    CHECK_INT(ploy_goap_type_keep(NULL, NULL, 0, &env, &kept), PLOY_ERR_ARGUMENT);
    ploy_goap_type_destroy(type);
}

// Any order of a plan that goes through its stages comes to the same world, every step allowed.
TEST(the_steps_of_a_stage_may_come_in_any_order) {
    ploy_env env = ploy_env_default();
    int32_t together = 0;
    for (int64_t round = 0; round < test_rounds(400); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_goap_type *type = goap_make_random(t, &rng, false, false, &env);
        uint64_t start[PLANS_WORDS], end[PLANS_WORDS], world[PLANS_WORDS];
        plans_world(type, &rng, start);
        memcpy(end, start, sizeof end);
        int32_t plan[PLANS_STEPS], stages[PLANS_STEPS], order[PLANS_STEPS], count = 0;
        for (int32_t k = 0; k < 60 && count < 10; k++) {
            int32_t action = ploy_rng_int(&rng, 0, GOAP_TEST_ACTIONS - 1);
            if (!ployi_goap_world_allows(type, end, action)) continue;
            ploy_goap_world_apply(type, end, action);
            plan[count++] = action;
        }
        int32_t most = ploy_goap_plan_stages(type, plan, count, stages), placed = 0;
        for (int32_t stage = 0; stage < most; stage++) {
            int32_t first = placed;
            for (int32_t i = 0; i < count; i++) {
                if (stages[i] == stage) order[placed++] = plan[i];
            }
            CHECK(placed > first);
            together += placed - first > 1;
            ploy_rng_shuffle(&rng, &order[first], placed - first, sizeof order[0]);
        }
        CHECK_INT(placed, count);
        memcpy(world, start, sizeof world);
        for (int32_t i = 0; i < count; i++) {
            CHECK(ployi_goap_world_allows(type, world, order[i]));
            ploy_goap_world_apply(type, world, order[i]);
        }
        for (int32_t i = 0; i < ploy_goap_type_words(type); i++) CHECK_UINT(world[i], end[i]);
        ploy_goap_type_destroy(type);
    }
    CHECK(together > 100);
}

TEST(only_what_disturbs_needs_an_order) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(goap_make_kitchen(&env, 2, &type)); // five in a row, then off0, on0, off1, on1
    int32_t plan[] = {0, 6, 1, 8, 2}, stages[5];
    CHECK_INT(ploy_goap_plan_stages(type, plan, 5, stages), 3);
    static const int32_t want[] = {0, 0, 1, 0, 2};
    for (int32_t i = 0; i < 5; i++) CHECK_INT(stages[i], want[i]);
    CHECK(ploy_goap_type_commute(type, 6, 8));  // two lights
    CHECK(!ploy_goap_type_commute(type, 5, 6)); // one light, off and on
    CHECK(ploy_goap_type_commute(type, 6, 6));  // on twice is on
    CHECK(!ploy_goap_type_commute(type, 6, 99));
    CHECK_INT(ploy_goap_plan_stages(type, NULL, 0, NULL), 0);
    ploy_goap_type_destroy(type);
}
