// The heuristics: never too much where they promise it, zero at the goal, infinite where nothing
// leads, and in their order.
#include "decide/decide_internal.h"
#include "tests/decide/goap_test.h"

#include "decide/goap_internal.h"

// Landmarks that a world hands on to those which one action makes of it never say too much either.
static void check_shared_cuts(test_context *t, const ploy_goap_type *type, ployi_goap_relax *relax,
                              uint64_t world, const ploy_goap_need *goal, int32_t count) {
    if (!(ployi_goap_relax_parent(relax, &world) < (double)INFINITY)) return;
    for (int32_t i = 0; i < ploy_goap_type_actions(type); i++) {
        uint64_t after = world;
        if (!ployi_goap_world_allows(type, &world, i)) continue;
        ploy_goap_world_apply(type, &after, i);
        double shared = ployi_goap_relax_child(relax, &after, i);
        CHECK(shared >= 0.0);
        CHECK(shared <= goap_slow_cost(type, after, goal, count) + 1e-9);
    }
}

TEST(max_and_landmarks_never_say_too_much_and_landmarks_say_no_less) {
    ploy_env env = ploy_env_default();
    int32_t sharper = 0;
    for (int64_t round = 0; round < test_rounds(1500); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 5);
        ploy_goap_type *type = goap_make_random(t, &rng, false, round % 2 == 0, &env);
        ploy_goap_need goal[2];
        int32_t count = goap_random_goal(&rng, type, false, goal);
        ployi_goap_relax *relax = NULL;
        CHECK_OK(ployi_goap_relax_create(type, &env, &relax));
        CHECK_OK(
            ployi_goap_relax_goal(relax, goal, 0)); // another goal before leaves nothing behind
        CHECK_OK(ployi_goap_relax_goal(relax, goal, count));
        uint64_t world = 0;
        for (uint32_t v = 1; v <= (uint32_t)ploy_goap_type_vars(type); v++) {
            ploy_goap_var var = {v};
            (void)ploy_goap_world_set(type, &world, var, ploy_rng_int(&rng, 0, 1));
        }
        double want = goap_slow_cost(type, world, goal, count);
        double most = ployi_goap_relax_estimate(relax, &world, PLOY_GOAP_MAX);
        double add = ployi_goap_relax_estimate(relax, &world, PLOY_GOAP_ADD);
        double ff = ployi_goap_relax_estimate(relax, &world, PLOY_GOAP_FF);
        double cut = ployi_goap_relax_estimate(relax, &world, PLOY_GOAP_LANDMARKS);
        CHECK(most <= want + 1e-9);
        CHECK(cut <= want + 1e-9);
        CHECK(most <= cut + 1e-9);
        CHECK(most <= add + 1e-9 && ff <= add + 1e-9);
        CHECK((most < (double)INFINITY) == (add < (double)INFINITY));
        if (cut > most + 1e-9 && cut < (double)INFINITY) sharper++;
        if (ployi_goap_world_holds(type, &world, goal, count)) CHECK_NEAR(cut, 0.0, 0.0);
        check_shared_cuts(t, type, relax, world, goal, count);
        ployi_goap_relax_destroy(relax);
        ploy_goap_type_destroy(type);
    }
    CHECK(sharper > 0);
}

TEST(a_number_too_large_for_facts_counts_as_had) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    CHECK_OK(ploy_goap_type_create(&env, &type));
    ploy_goap_var gold = ploy_goap_type_int(type, "gold", 0, 5000);
    ploy_goap_var sword = ploy_goap_type_bool(type, "sword");
    ploy_goap_gain dug = ploy_goap_add_to(gold, 400), bought = ploy_goap_set_to(sword, 1);
    ploy_goap_need rich = ploy_goap_need_make(gold, PLOY_GOAP_AT_LEAST, 1000);
    ploy_goap_action dig = ploy_goap_action_make("dig", 2.0),
                     buy = ploy_goap_action_make("buy", 1.0);
    dig.gains = &dug;
    dig.gain_count = 1;
    buy.needs = &rich;
    buy.need_count = 1;
    buy.gains = &bought;
    buy.gain_count = 1;
    (void)ploy_goap_type_action(type, &dig);
    (void)ploy_goap_type_action(type, &buy);
    CHECK_OK(ploy_goap_type_finish(type));
    ploy_goap_need goal = ploy_goap_is(sword, 1);
    for (int32_t h = PLOY_GOAP_BLIND; h <= PLOY_GOAP_LANDMARKS; h++) {
        ploy_goap_def def = ploy_goap_def_default();
        def.heuristic = (ploy_goap_heuristic)h;
        ploy_goap *goap = NULL;
        uint64_t world = 0;
        CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
        CHECK_OK(ploy_goap_run(goap, &world, &goal, 1));
        CHECK_NEAR(ploy_goap_cost(goap), 7.0, 0.0); // dig three times, buy
        ploy_goap_destroy(goap);
    }
    ploy_goap_type_destroy(type);
}
