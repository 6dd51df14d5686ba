#include "ploy/learn/actor.h"

#include <math.h>
#include <string.h>

#include "ploy/learn/experience.h"
#include "tests/state.h"
#include "tests/test.h"

typedef struct run {
    const ploy_problem_type *type;
    ploy_problem *problem;
    ploy_actor actor;
    ploy_play_report report;
} run;

static run play(test_context *t, const char *problem, const char *actor, const void *def,
                int64_t steps, float restart, uint64_t seed) {
    ploy_env env = ploy_env_default();
    run r = {ploy_problems_find(problem), NULL, {NULL, NULL}, {0, 0, 0, 0}};
    ploy_play_task *task = NULL;
    CHECK_OK(ploy_problem_create(r.type, &env, &r.problem));
    CHECK_OK(ploy_actor_create(ploy_actors_find(actor), def, &r.type->space, seed, &env, &r.actor));
    CHECK_OK(ploy_play_begin(r.problem, r.actor, steps, restart, seed, &env, &task));
    CHECK_OK(ploy_play_step(task, NULL));
    r.report = ploy_play_result(task);
    ploy_play_cancel(task);
    return r;
}

static void end(run *r) {
    ploy_actor_destroy(r->actor);
    ploy_problem_destroy(r->problem);
}

TEST(the_update_rule_has_the_catalog_value) {
    CHECK_NEAR(ploy_q_update(0.5, 0.3, 1, 0.75, 0.8), 0.83, 1e-12);
}

// Deterministic problems: a rate of 1 has nothing to average.
static ploy_q_def settled(void) {
    ploy_q_def def = ploy_q_def_default();
    def.rate_schedule = PLOY_Q_CONSTANT;
    def.rate = 1.0f;
    def.explore = 0.3f;
    return def;
}

TEST(q_learning_finds_the_best_values_of_every_grid) {
    static const char *const names[] = {"chain",      "grid4", "grid5",     "windy",
                                        "windy_king", "trap",  "trap_short"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        t->row = names[i];
        uint64_t seeds = test_rounds(1) > 1 ? 10 : 3;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            t->seed = seed;
            double q[70 * 8];
            ploy_q_def def = settled();
            run r = play(t, names[i], "q", &def, 100000, 0.1f, seed);
            CHECK_OK(ploy_oracle_best(r.type, (double)r.type->space.discount, q));
            CHECK(ploy_oracle_error(r.type, r.actor, q) < 0.01);
            CHECK(ploy_oracle_agrees(r.type, r.actor, q, 1e-6));
            end(&r);
        }
    }
}

TEST(a_chain_converges_to_powers_of_the_discount) {
    static const double want[11] = {1,       .75,     .5625,   .421875, .316406, .237305,
                                    .177979, .133484, .100113, .075085, .056314};
    ploy_q_def def = settled();
    run r = play(t, "chain", "q", &def, 50000, 0.1f, 1);
    for (int32_t j = 0; j < 11; j++) {
        ploy_situation now = {10 - j, NULL, NULL};
        double values[PLOY_PROBLEM_ACTIONS_MAX];
        ploy_actor_values(r.actor, &now, values);
        CHECK_NEAR(values[1], want[j], 1e-6);
    }
    end(&r);
}

TEST(slippery_ice_is_learned_within_5_hundredths) {
    uint64_t seeds = test_rounds(1) > 1 ? 10 : 1;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        t->seed = seed;
        double q[64];
        ploy_q_def def = ploy_q_def_default();
        def.explore = 0.5f;
        run r = play(t, "lake", "q", &def, 1000000, 0.1f, seed);
        CHECK_OK(ploy_oracle_best(r.type, 0.99, q));
        CHECK(ploy_oracle_error(r.type, r.actor, q) < 0.05);
        CHECK(ploy_oracle_agrees(r.type, r.actor, q, 1e-6));
        end(&r);
    }
}

TEST(the_cliff_tells_on_policy_from_off_policy) {
    static const char *const names[] = {"q", "sarsa", "expected_sarsa"};
    uint64_t seeds = test_rounds(1) > 1 ? 10 : 3;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        t->seed = seed;
        for (int32_t i = 0; i < 3; i++) {
            t->row = names[i];
            ploy_q_def def = ploy_q_def_default();
            def.rate_schedule = PLOY_Q_GEOMETRIC;
            def.rate = 0.5f;
            def.rate_last = 0.01f;
            def.schedule_steps = 300000;
            def.explore = 0.1f;
            run r = play(t, "cliff", names[i], &def, 400000, 0.0f, seed);
            double greedy = ploy_play_greedy(r.problem, r.actor, 1, 1);
            if (i == 0) CHECK_NEAR(greedy, -13, 0);
            if (i > 0) CHECK(greedy <= -15 && greedy >= -17);
            end(&r);
        }
    }
}

TEST(a_reward_trap_is_reported_with_its_values) {
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; i < 2; i++) {
        ploy_q_def def = settled();
        run r = play(t, i == 0 ? "trap" : "trap_short", "q", &def, 50000, 0.1f, 3);
        ploy_situation b = {0, NULL, NULL}, c = {1, NULL, NULL};
        double at_b[PLOY_PROBLEM_ACTIONS_MAX], at_c[PLOY_PROBLEM_ACTIONS_MAX];
        ploy_actor_values(r.actor, &b, at_b);
        ploy_actor_values(r.actor, &c, at_c);
        ploy_trap traps[4] = {{0, 0, 0, 0}};
        int32_t count = ploy_oracle_traps(r.type, r.actor, &env, traps, 4);
        if (i == 0) {
            CHECK_NEAR(at_b[0], 0.22857, 1e-5);
            CHECK_NEAR(at_c[0], 0.17143, 1e-5);
            CHECK_NEAR(at_c[1], 0.13348, 1e-5);
            CHECK_INT(count, 1);
            CHECK_INT(traps[0].state, 0);
            CHECK_INT(traps[0].length, 2);
            CHECK_INT(traps[0].trapped, 2);
            CHECK_NEAR(traps[0].reward, 0.05, 1e-6);
        } else {
            CHECK_NEAR(at_c[1], 0.17798, 1e-5);
            CHECK_INT(count, 0);
        }
        end(&r);
    }
}

TEST(temporal_differences_learn_the_random_walk) {
    for (int32_t i = 0; i < 2; i++) {
        uint64_t seeds = test_rounds(1) > 1 ? 10 : 2;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            t->seed = seed;
            ploy_td_def def = ploy_td_def_default();
            def.trace = i == 0 ? 0.0f : 0.5f;
            run r = play(t, "walk", "td", &def, 600000, 0.0f, seed);
            for (int64_t s = 1; s <= 5; s++) {
                ploy_situation now = {s, NULL, NULL};
                double values[PLOY_PROBLEM_ACTIONS_MAX];
                ploy_actor_values(r.actor, &now, values);
                CHECK_NEAR(values[0], (double)s / 6.0, 0.02);
            }
            end(&r);
        }
    }
}

TEST(td_with_a_model_walks_to_the_nearest_corner) {
    ploy_td_def def = ploy_td_def_default();
    def.model = ploy_problems_find("grid4")->model;
    run r = play(t, "grid4", "td", &def, 50000, 0.1f, 2);
    CHECK_NEAR(ploy_play_greedy(r.problem, r.actor, 50, 9), -2.14, 0.5);
    end(&r);
}

TEST(every_store_variant_and_actor_solves_the_windy_grid) {
    for (int32_t i = 0; i < 6; i++) {
        ploy_q_def def = settled();
        if (i == 0) def.store = PLOY_Q_HASH;
        if (i == 1) def.trace = 0.8f, def.rate = 0.5f;
        if (i == 2) def.steps = 4, def.rate = 0.3f, def.explore = 0.1f;
        if (i == 3) def.rate_schedule = PLOY_Q_LINEAR, def.rate = 0.7f, def.rate_last = 0.1f;
        ploy_actor_critic_def critic = ploy_actor_critic_def_default();
        const char *name = i < 4 ? "q" : i == 4 ? "expected_sarsa" : "actor_critic";
        if (i == 4)
            def.explore = 0.1f, def.explore_schedule = PLOY_Q_GEOMETRIC, def.explore_last = 0.001f;
        run r = play(t, "windy", name, i == 5 ? (const void *)&critic : (const void *)&def, 200000,
                     0.05f, 4);
        t->row = name;
        double greedy = ploy_play_greedy(r.problem, r.actor, 1, 1);
        CHECK(greedy >= (i == 2 || i == 5 ? -19 : -15));
        end(&r);
    }
}

TEST(the_hash_store_takes_an_unvisited_action_over_a_bad_one) {
    ploy_env env = ploy_env_default();
    ploy_q_def def = settled();
    def.store = PLOY_Q_HASH;
    ploy_actor actor;
    const ploy_problem_type *type = ploy_problems_find("grid4");
    CHECK_OK(ploy_actor_create(ploy_actors_find("q"), &def, &type->space, 1, &env, &actor));
    ploy_situation now = {5, NULL, NULL}, next = {6, NULL, NULL};
    ploy_problem_result bad = {-1.0f, true, false};
    CHECK_OK(ploy_actor_learn(actor, &now, 0, bad, &next, -1));
    CHECK_INT(ploy_actor_best(actor, &now), 1);
    bool allowed[PLOY_PROBLEM_ACTIONS_MAX] = {true, false, false, false};
    now.allowed = allowed; // hard constraints are masks
    CHECK_INT(ploy_actor_best(actor, &now), 0);
    CHECK_INT(ploy_actor_choose(actor, &now), 0);
    ploy_actor_destroy(actor);
}

TEST(a_player_s_steps_teach_without_acting) {
    ploy_env env = ploy_env_default();
    const ploy_problem_type *type = ploy_problems_find("chain");
    ploy_q_def def = settled();
    ploy_actor actor;
    CHECK_OK(ploy_actor_create(ploy_actors_find("q"), &def, &type->space, 1, &env, &actor));
    for (int32_t round = 0; round < 12; round++) {
        for (int64_t s = 0; s < 11; s++) { // the player always goes on
            ploy_situation now = {s, NULL, NULL}, next = {s + 1, NULL, NULL};
            ploy_problem_result result = {s == 10 ? 1.0f : 0.0f, s == 10, false};
            CHECK_OK(ploy_actor_learn(actor, &now, 1, result, &next, s == 10 ? -1 : 1));
        }
    }
    ploy_situation start = {0, NULL, NULL};
    CHECK_INT(ploy_actor_best(actor, &start), 1);
    CHECK_INT(ploy_actor_learn(actor, &start, 9, (ploy_problem_result){0, false, false}, &start, 0),
              PLOY_ERR_ARGUMENT);
    ploy_actor_destroy(actor);
}

TEST(tiles_balance_the_pole_for_a_while) {
    ploy_q_def def = ploy_q_def_default();
    def.store = PLOY_Q_TILES;
    def.rate_schedule = PLOY_Q_CONSTANT;
    def.rate = 0.3f;
    def.explore_schedule = PLOY_Q_LINEAR;
    def.explore = 0.2f;
    def.explore_last = 0.0f;
    def.schedule_steps = 60000;
    run r = play(t, "cartpole", "sarsa", &def, 60000, 0.0f, 3);
    CHECK(ploy_play_greedy(r.problem, r.actor, 10, 77) > 100);
    end(&r);
}

// Soak, seconds for each seed. A DQN forgets and learns again, so the best of the nets scored
// after 10,000 steps each counts; 100 fresh episodes must agree.
TEST(a_dqn_balances_the_pole_for_4_of_5_seeds) {
    if (test_rounds(1) == 1) return;
    int32_t good = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        ploy_env env = ploy_env_default();
        run r = play(t, "cartpole", "dqn", NULL, 0, 0.0f, seed);
        ploy_problem *fresh = NULL;
        ploy_play_task *task = NULL;
        CHECK_OK(ploy_problem_create(r.type, &env, &fresh));
        CHECK_OK(ploy_play_begin(r.problem, r.actor, 300000, 0.0f, seed, &env, &task));
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(10000);
            result = ploy_play_step(task, &budget);
            (void)ploy_play_keep_best(fresh, r.actor, 100, 1000, NULL);
        }
        double mean = ploy_play_greedy(fresh, r.actor, 100, 5000);
        printf("dqn, seed %d: %.1f steps on the pole\n", (int)seed, mean);
        good += mean >= 475 ? 1 : 0;
        ploy_play_cancel(task);
        ploy_problem_destroy(fresh);
        end(&r);
    }
    CHECK(good >= 4);
}

TEST(a_frozen_dqn_acts_with_its_best_net) {
    ploy_env env = ploy_env_default();
    ploy_dqn_def def = ploy_dqn_def_default();
    def.hidden = 8;
    def.hidden2 = 0;
    def.buffer = 64;
    def.batch = 8;
    def.warm_up = 8;
    def.rate = 0.01f;
    def.explore_steps = 2000;
    run r = play(t, "cartpole", "dqn", &def, 100, 0.0f, 3);
    ploy_problem *apart = NULL;
    CHECK_OK(ploy_problem_create(r.type, &env, &apart));
    double best = -1.0, last = 0.0;
    int32_t kept = 0;
    for (int32_t i = 0; i < 60 && (kept < 2 || last == best); i++) {
        ploy_play_task *task = NULL;
        CHECK_OK(ploy_play_begin(r.problem, r.actor, 200, 0.0f, (uint64_t)i, &env, &task));
        CHECK_OK(ploy_play_step(task, NULL));
        ploy_play_cancel(task);
        bool keeps = ploy_play_keep_best(apart, r.actor, 5, 100, &last);
        CHECK_INT(keeps, last > best);
        kept += keeps;
        best = last > best ? last : best;
        CHECK_SAME(ploy_play_greedy(apart, r.actor, 5, 100), best); // the same episodes
    }
    CHECK(kept > 1); // otherwise nothing was shown
    ploy_situation now = {-1, (const float[4]){0.1f, 0.2f, 0.03f, 0.4f}, NULL};
    double present[PLOY_PROBLEM_ACTIONS_MAX], frozen[PLOY_PROBLEM_ACTIONS_MAX];
    CHECK(last < best);
    ploy_actor_values(r.actor, &now, present);
    ploy_actor_freeze(r.actor, true);
    ploy_actor_values(r.actor, &now, frozen);
    CHECK(present[0] != frozen[0]);
    CHECK(
        !ploy_play_keep_best(apart, r.actor, 5, 100, NULL)); // it learns nothing, so keeps nothing
    // Saved and loaded with it, also into an actor that was never scored.
    ploy_actor other;
    CHECK_OK(ploy_actor_create(r.actor.type, &def, &r.type->space, 9, &env, &other));
    state_check s = {ploy_actor_visit, &other, NULL, NULL, NULL};
    state_check_copy(t, &s, &r.actor); // which forgets its best net
    ploy_actor_freeze(r.actor, true);
    CHECK(ploy_play_keep_best(apart, r.actor, 5, 100, NULL) == false);
    ploy_actor_freeze(r.actor, false);
    ploy_actor_freeze(other, false);
    CHECK(ploy_play_keep_best(apart, r.actor, 5, 100, &best)); // its first one
    state_check scored = {ploy_actor_visit, &r.actor, NULL, NULL, NULL};
    state_check_copy(t, &scored, &other);
    CHECK_SAME(ploy_play_greedy(apart, other, 5, 100), best);
    CHECK(!ploy_play_keep_best(apart, other, 5, 100, NULL)); // equal to the loaded one
    state_check_all(t, &scored);
    ploy_actor_destroy(other);
    ploy_problem_destroy(apart);
    end(&r);
}

TEST(a_small_dqn_learns_the_chain) {
    ploy_dqn_def def = ploy_dqn_def_default();
    def.hidden = 24;
    def.hidden2 = 0;
    def.buffer = 2000;
    def.batch = 16;
    def.warm_up = 200;
    def.explore_steps = 2000;
    def.target_every = 100;
    def.rate = 0.003f;
    run r = play(t, "chain", "dqn", &def, 6000, 0.1f, 2);
    CHECK_NEAR(ploy_play_greedy(r.problem, r.actor, 1, 1), 1, 1e-6);
    end(&r);
}

TEST(saved_in_between_every_actor_goes_on_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        const ploy_actor_type *type = ploy_actors_at(i);
        t->row = type->name;
        const ploy_problem_type *kind = ploy_problems_find("grid4");
        ploy_q_def q = ploy_q_def_default();
        q.store = i == 0 ? PLOY_Q_HASH : PLOY_Q_DENSE;
        q.trace = i == 1 ? 0.5f : 0.0f;
        q.steps = i == 2 ? 3 : 1;
        ploy_dqn_def dqn = ploy_dqn_def_default();
        dqn.hidden = 3;
        dqn.hidden2 = 0;
        dqn.buffer = 12;
        dqn.batch = 2;
        dqn.warm_up = 4;
        const void *def = i < 3 ? (const void *)&q : i == 5 ? (const void *)&dqn : NULL;
        ploy_actor a, b;
        CHECK_OK(ploy_actor_create(type, def, &kind->space, 7, &env, &a));
        CHECK_OK(ploy_actor_create(type, def, &kind->space, 8, &env, &b));
        ploy_problem *problem = NULL;
        ploy_play_task *task = NULL;
        CHECK_OK(ploy_problem_create(kind, &env, &problem));
        CHECK_OK(ploy_play_begin(problem, a, 30, 0.0f, 1, &env, &task));
        while (ploy_play_step(task, &(ploy_budget){.units = 7, .check_at = INT64_MAX}) ==
               PLOY_IN_PROGRESS) {
        }
        ploy_play_cancel(task);
        state_check s = {ploy_actor_visit, &a, NULL, NULL, NULL};
        state_check_all(t, &s);
        state_check_copy(t, &s, &b);
        for (int32_t k = 0; k < 2; k++) {
            CHECK_OK(ploy_play_begin(problem, k == 0 ? a : b, 50, 0.1f, 5, &env, &task));
            CHECK_OK(ploy_play_step(task, NULL));
            ploy_play_cancel(task);
        }
        CHECK_UINT(ploy_actor_hash(a), ploy_actor_hash(b));
        uint64_t before = ploy_actor_hash(a);
        ploy_actor_freeze(a, true);
        uint64_t frozen = ploy_actor_hash(a);
        CHECK(before != frozen);
        CHECK_OK(ploy_play_begin(problem, a, 50, 0.1f, 5, &env, &task));
        CHECK_OK(ploy_play_step(task, NULL));
        ploy_play_cancel(task);
        CHECK_UINT(ploy_actor_hash(a), frozen);
        ploy_actor_destroy(a);
        ploy_actor_destroy(b);
        ploy_problem_destroy(problem);
    }
}

// Small settings of each kind, so that logs and files are short. @return NULL: the defaults.
typedef union small_def {
    ploy_q_def q;
    ploy_dqn_def dqn;
} small_def;

static const void *small(const ploy_actor_type *type, small_def *def) {
    if (strcmp(type->name, "dqn") == 0) {
        def->dqn = ploy_dqn_def_default();
        def->dqn.hidden = 3;
        def->dqn.hidden2 = 0;
        def->dqn.buffer = 12;
        def->dqn.batch = 2;
        def->dqn.warm_up = 4;
        def->dqn.target_every = 8;
        return def;
    }
    if (type->fields().items != ploy_q_fields().items) return NULL;
    def->q = ploy_q_def_default();
    def->q.store = strcmp(type->name, "q") == 0 ? PLOY_Q_HASH : PLOY_Q_DENSE;
    def->q.trace = strcmp(type->name, "sarsa") == 0 ? 0.5f : 0.0f;
    def->q.steps = strcmp(type->name, "expected_sarsa") == 0 ? 3 : 1;
    return def;
}

static ploy_actor small_actor(test_context *t, const ploy_actor_type *type, const ploy_env *env,
                              uint64_t seed) {
    small_def def;
    ploy_actor actor;
    const ploy_problem_space *space = &ploy_problems_find("grid4")->space;
    CHECK_OK(ploy_actor_create(type, small(type, &def), space, seed, env, &actor));
    return actor;
}

TEST(a_reset_actor_is_as_after_create) {
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        const ploy_actor_type *type = ploy_actors_at(i);
        t->row = type->name;
        ploy_actor fresh = small_actor(t, type, &env, 7), actor = small_actor(t, type, &env, 7);
        ploy_problem *problem = NULL;
        ploy_play_task *task = NULL;
        CHECK_OK(ploy_problem_create(ploy_problems_find("grid4"), &env, &problem));
        CHECK_INT(ploy_actor_space(actor)->states, 16);
        CHECK(ploy_actor_def(actor) != ploy_actor_def(fresh)); // each has a copy
        CHECK_BYTES(ploy_actor_def(actor), ploy_actor_def(fresh), type->fields().size);
        for (int32_t round = 0; round < 2; round++) { // and it learns the same again
            ploy_actor one = round == 0 ? actor : fresh;
            CHECK_OK(ploy_play_begin(problem, one, 60, 0.1f, 5, &env, &task));
            CHECK_OK(ploy_play_step(task, NULL));
            ploy_play_cancel(task);
            if (round == 1) continue;
            uint64_t learned = ploy_actor_hash(actor);
            CHECK(learned != ploy_actor_hash(fresh));
            (void)ploy_actor_keep_best(actor, 1.0);
            ploy_actor_freeze(actor, true);
            learned = ploy_actor_hash(actor);
            ploy_actor_reset(actor); // frozen: no effect
            CHECK(ploy_actor_frozen(actor));
            CHECK_UINT(ploy_actor_hash(actor), learned);
            ploy_actor_freeze(actor, false);
            ploy_actor_reset(actor);
            CHECK_INT(ploy_actor_steps(actor), 0);
            CHECK_UINT(ploy_actor_hash(actor), ploy_actor_hash(fresh));
            CHECK_OK(ploy_play_begin(problem, actor, 60, 0.1f, 5, &env, &task));
            CHECK_OK(ploy_play_step(task, NULL));
            ploy_play_cancel(task);
        }
        CHECK_UINT(ploy_actor_hash(actor), ploy_actor_hash(fresh));
        ploy_problem_destroy(problem);
        ploy_actor_destroy(actor);
        ploy_actor_destroy(fresh);
    }
}

TEST(frozen_actors_change_no_byte_and_draw_no_number) {
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        t->row = ploy_actors_at(i)->name;
        ploy_actor actor = small_actor(t, ploy_actors_at(i), &env, 7);
        ploy_problem *problem = NULL;
        ploy_play_task *task = NULL;
        CHECK_OK(ploy_problem_create(ploy_problems_find("grid4"), &env, &problem));
        for (int32_t round = 0; round < 2; round++) { // learning, then frozen
            uint64_t before = ploy_actor_hash(actor);
            ploy_actor_freeze(actor, round == 1);
            if (round == 1) before = ploy_actor_hash(actor);
            CHECK_OK(ploy_play_begin(problem, actor, 200, 0.1f, 5, &env, &task));
            CHECK_OK(ploy_play_step(task, NULL));
            ploy_play_cancel(task);
            CHECK(!ploy_actor_keep_best(actor, 1.0) || round == 0);
            CHECK((ploy_actor_hash(actor) == before) == (round == 1));
        }
        ploy_problem_destroy(problem);
        ploy_actor_destroy(actor);
    }
}

TEST(steps_of_actors_allocate_nothing) {
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        t->row = ploy_actors_at(i)->name;
        test_counts counts = {0};
        ploy_env env = test_counting_env(&counts);
        ploy_actor actor = small_actor(t, ploy_actors_at(i), &env, 7);
        ploy_problem *problem = NULL;
        ploy_play_task *task = NULL;
        CHECK_OK(ploy_problem_create(ploy_problems_find("grid4"), &env, &problem));
        CHECK_OK(ploy_play_begin(problem, actor, 5000, 0.1f, 5, &env, &task));
        ploy_budget warm = ploy_budget_units(2000); // the hash map of "q" has every pair
        CHECK_INT(ploy_play_step(task, &warm), PLOY_IN_PROGRESS);
        int64_t calls = counts.calls;
        CHECK_OK(ploy_play_step(task, NULL));
        (void)ploy_play_greedy(problem, actor, 10, 1);
        CHECK_INT(counts.calls, calls);
        ploy_play_cancel(task);
        ploy_problem_destroy(problem);
        ploy_actor_destroy(actor);
        CHECK_INT(counts.bytes, 0);
    }
}

TEST(tiles_allocate_nothing_in_a_step) {
    test_counts counts = {0};
    ploy_env env = test_counting_env(&counts);
    ploy_q_def def = ploy_q_def_default();
    def.store = PLOY_Q_TILES;
    const ploy_problem_type *pole = ploy_problems_find("cartpole");
    ploy_actor actor;
    ploy_problem *problem = NULL;
    ploy_play_task *task = NULL;
    CHECK_OK(ploy_actor_create(ploy_actors_find("sarsa"), &def, &pole->space, 1, &env, &actor));
    CHECK_OK(ploy_problem_create(pole, &env, &problem));
    CHECK_OK(ploy_play_begin(problem, actor, 2000, 0.0f, 5, &env, &task));
    int64_t calls = counts.calls;
    CHECK_OK(ploy_play_step(task, NULL));
    CHECK_INT(counts.calls, calls);
    ploy_play_cancel(task);
    ploy_problem_destroy(problem);
    ploy_actor_destroy(actor);
}

// The same problem, which counts how often an episode begins in it.
static int64_t walk_starts;
static void (*walk_reset)(void *self, ploy_rng *rng, int64_t state);
static void counted_reset(void *self, ploy_rng *rng, int64_t state) {
    walk_starts++;
    walk_reset(self, rng, state);
}

TEST(a_restart_of_a_tenth_makes_walks_of_ten_states) { // nine actions lead on in the same walk
    ploy_env env = ploy_env_default();
    ploy_problem_type type = *ploy_problems_find("grid5"); // endless
    type.space.step_limit = 0;
    walk_reset = type.reset;
    type.reset = counted_reset;
    ploy_actor actor;
    ploy_problem *problem = NULL;
    ploy_play_task *task = NULL;
    CHECK_OK(ploy_problem_create(&type, &env, &problem));
    CHECK_OK(ploy_actor_create(ploy_actors_find("q"), NULL, &type.space, 1, &env, &actor));
    enum { STEPS = 200000 };
    CHECK_OK(ploy_play_begin(problem, actor, STEPS, 0.1f, 1, &env, &task));
    walk_starts = 0;
    CHECK_OK(ploy_play_step(task, NULL));
    CHECK_NEAR((double)STEPS / (double)walk_starts - 1.0, 9.0, 0.2);
    CHECK_INT(ploy_play_result(task).episodes, 0);
    ploy_play_cancel(task);
    ploy_problem_destroy(problem);
    ploy_actor_destroy(actor);
}

static void told_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}
static void told_option(void *user, const char *name, ploy_outcome outcome, double score,
                        const char *reason) {
    char *text = user;
    size_t size = strlen(text);
    (void)reason;
    snprintf(text + size, 256 - size, "%s %s %.3f", name, ploy_outcome_text(outcome), score);
}
static void told_value(void *user, const char *name, const ploy_value *value) {
    char *text = user;
    size_t size = strlen(text);
    snprintf(text + size, 256 - size, " %s %d; ", name, (int)value->as.i64);
}
static void told_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void told_end(void *user) {
    (void)user;
}

TEST(reasons_of_an_actor_are_values_and_visits) {
    ploy_env env = ploy_env_default();
    ploy_actor actor;
    ploy_q_def def = settled();
    def.rate = 0.5f;
    const ploy_problem_type *type = ploy_problems_find("grid4");
    CHECK_OK(ploy_actor_create(ploy_actors_find("q"), &def, &type->space, 1, &env, &actor));
    ploy_situation now = {5, NULL, NULL}, next = {6, NULL, NULL};
    ploy_problem_result paid = {1.0f, true, false}, cost = {-1.0f, true, false};
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_actor_learn(actor, &now, 2, paid, &next, -1));
    CHECK_OK(ploy_actor_learn(actor, &now, 0, cost, &next, -1));
    static const bool allowed[4] = {true, false, true, true};
    now.allowed = allowed;
    char text[256] = "";
    ploy_trace trace = {told_begin, told_option, told_value, told_note, told_end, text};
    ploy_actor_explain(actor, &now, ploy_agent_id_none(), &trace);
    char want[256] = "";
    snprintf(want, sizeof want,
             "action 00 %s -0.500 visits 1; action 01 %s 0.000 visits 0; "
             "action 02 %s 0.875 visits 3; action 03 %s 0.000 visits 0; ",
             ploy_outcome_text(PLOY_OUTCOME_LOST), ploy_outcome_text(PLOY_OUTCOME_REJECTED),
             ploy_outcome_text(PLOY_OUTCOME_WON), ploy_outcome_text(PLOY_OUTCOME_LOST));
    CHECK_TEXT(text, want);
    ploy_actor_destroy(actor);
}

TEST(situations_that_the_space_lacks_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_q_def tiles = ploy_q_def_default();
    tiles.store = PLOY_Q_TILES;
    static const float fine[4] = {0.1f, 0.2f, 0.03f, 0.4f}, broken[4] = {0.1f, NAN, 0.03f, 0.4f};
    static const float wide[4] = {0.1f, INFINITY, 0.03f, 0.4f};
    for (int32_t i = 0; i < 8; i++) {
        // Each on the grid, where states count, then two on the pole, where numbers do.
        static const char *const names[] = {
            "q", "sarsa", "expected_sarsa", "td", "actor_critic", "dqn", "q", "dqn"};
        const ploy_actor_type *type = ploy_actors_find(names[i]);
        const ploy_problem_type *kind = ploy_problems_find(i < 6 ? "grid4" : "cartpole");
        t->row = type->name;
        small_def def;
        const void *settings = i == 6 ? (const void *)&tiles : small(type, &def);
        ploy_actor actor;
        CHECK_OK(ploy_actor_create(type, settings, &kind->space, 1, &env, &actor));
        const ploy_situation good = {3, i < 6 ? NULL : fine, NULL};
        const ploy_situation states[] = {
            {-1, NULL, NULL}, {16, NULL, NULL}, {INT64_MAX, NULL, NULL}};
        const ploy_situation numbers[] = {{3, NULL, NULL}, {3, broken, NULL}, {3, wide, NULL}};
        ploy_problem_result paid = {1.0f, false, false}, odd = {NAN, false, false};
        uint64_t hash = ploy_actor_hash(actor);
        for (int32_t k = 0; k < 3; k++) {
            const ploy_situation *bad = i < 6 ? &states[k] : &numbers[k];
            double values[PLOY_PROBLEM_ACTIONS_MAX] = {9.0, 9.0};
            char text[256] = "";
            ploy_trace trace = {told_begin, told_option, told_value, told_note, told_end, text};
            CHECK_INT(ploy_actor_best(actor, bad), -1);
            CHECK_INT(ploy_actor_choose(actor, bad), 0);
            ploy_actor_values(actor, bad, values);
            CHECK_SAME(values[0] + values[1], 0.0);
            ploy_actor_explain(actor, bad, ploy_agent_id_none(), &trace);
            CHECK_TEXT(text, "");
            CHECK_INT(ploy_actor_learn(actor, bad, 0, paid, &good, 0), PLOY_ERR_ARGUMENT);
            CHECK_INT(ploy_actor_learn(actor, &good, 0, paid, bad, 0), PLOY_ERR_ARGUMENT);
        }
        CHECK_INT(ploy_actor_learn(actor, &good, 0, odd, &good, 0), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_actor_learn(actor, NULL, 0, paid, &good, 0), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_actor_steps(actor), 0);
        CHECK_UINT(ploy_actor_hash(actor), hash);
        CHECK_OK(ploy_actor_learn(actor, &good, 0, paid, &good, 0));
        ploy_actor_destroy(actor);
    }
}

TEST(the_net_of_a_dqn_gives_its_values) {
    ploy_env env = ploy_env_default();
    ploy_actor q = small_actor(t, ploy_actors_find("q"), &env, 1);
    ploy_actor dqn = small_actor(t, ploy_actors_find("dqn"), &env, 1);
    CHECK(ploy_dqn_net(q) == NULL);
    CHECK(ploy_dqn_net((ploy_actor){NULL, NULL}) == NULL);
    const ploy_net *net = ploy_dqn_net(dqn);
    CHECK_INT(ploy_net_input_count(net), 16);
    CHECK_INT(ploy_net_output_count(net), 4);
    float in[16] = {0}, out[4], scratch[256];
    CHECK(ploy_net_scratch(net) <= 256);
    in[5] = 1.0f; // one input for each state
    ploy_net_run(net, in, out, scratch);
    ploy_situation now = {5, NULL, NULL};
    double values[PLOY_PROBLEM_ACTIONS_MAX];
    ploy_actor_values(dqn, &now, values);
    for (int32_t a = 0; a < 4; a++) CHECK_SAME(values[a], (double)out[a]);
    CHECK(ploy_actor_keep_best(dqn, 1.0));
    CHECK(ploy_dqn_net(dqn) != net); // the kept one
    ploy_actor_destroy(q);
    ploy_actor_destroy(dqn);
}

TEST(the_memory_of_actors_is_reported) {
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        t->row = ploy_actors_at(i)->name;
        test_counts counts = {0};
        ploy_env env = test_counting_env(&counts);
        ploy_actor actor = small_actor(t, ploy_actors_at(i), &env, 7);
        state_check s = {ploy_actor_visit, &actor, NULL, NULL, NULL};
        state_check_memory(t, &s, &counts);
        ploy_actor_destroy(actor);
        CHECK_INT(counts.bytes, 0);
    }
}

// Steps over a grid, with a mask at times; half of the steps are a player's. Resets, freezes and
// scores come in between.
static void live(test_context *t, ploy_experience *log, int32_t steps, bool acts) {
    static const bool mask[4] = {true, false, true, true};
    ploy_rng rng = ploy_rng_make(9);
    for (int32_t i = 0; i < steps; i++) {
        ploy_situation now = {ploy_rng_int(&rng, 0, 15), NULL, i % 3 == 0 ? mask : NULL};
        ploy_situation next = {ploy_rng_int(&rng, 0, 15), NULL, i % 4 == 0 ? mask : NULL};
        ploy_problem_result result = {ploy_rng_range(&rng, -1, 1), i % 10 == 9, i % 14 == 13};
        bool ends = result.terminated || result.truncated;
        int32_t action = 2, after = 3;
        if (acts && i % 2 == 0) CHECK_OK(ploy_experience_choose(log, &now, &action));
        if (acts && i % 2 == 0) CHECK_OK(ploy_experience_choose(log, &next, &after));
        CHECK_OK(ploy_experience_learn(log, &now, action, result, &next, ends ? -1 : after));
        if (i == 20) CHECK_OK(ploy_experience_reset(log));
        if (i == 30) CHECK_OK(ploy_experience_keep_best(log, 3.5, NULL));
        if (i == 40) CHECK_OK(ploy_experience_freeze(log, true));
        if (i == 45) CHECK_OK(ploy_experience_freeze(log, false));
    }
}

TEST(a_replayed_log_rebuilds_an_actor_s_bytes) {
    ploy_env plain = ploy_env_default();
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        const ploy_actor_type *type = ploy_actors_at(i);
        t->row = type->name;
        test_counts counts = {0};
        ploy_env env = test_counting_env(&counts);
        ploy_actor actor = small_actor(t, type, &plain, 7), again = small_actor(t, type, &plain, 7);
        ploy_actor other = small_actor(t, type, &plain, 8);
        ploy_experience *log = NULL, *copy = NULL;
        CHECK_OK(ploy_experience_create_actor(actor, 1 << 20, &env, &log));
        live(t, log, 60, true);
        size_t size = 0;
        const unsigned char *bytes = ploy_experience_bytes(log, &size);
        uint64_t empty = ploy_actor_hash(again), learned = ploy_actor_hash(actor);
        CHECK(empty != learned);
        CHECK_INT(ploy_experience_replay_actor(other, bytes, size), PLOY_ERR_FORMAT); // other seed
        CHECK_INT(ploy_experience_replay_actor(again, bytes, size - 1), PLOY_ERR_FORMAT);
        CHECK_INT(ploy_experience_replay_actor(again, bytes, 5), PLOY_ERR_FORMAT);
        CHECK_UINT(ploy_actor_hash(again), empty); // a broken log changes nothing
        CHECK_OK(ploy_experience_replay_actor(again, bytes, size));
        CHECK_UINT(ploy_actor_hash(again), learned);
        // Saved and loaded, both go on to the same bytes.
        state_check s = {ploy_experience_visit, log, NULL, NULL, NULL};
        state_check_memory(t, &s, &counts);
        CHECK_OK(ploy_experience_create_actor(again, 1 << 20, &plain, &copy));
        state_check_copy(t, &s, copy);
        live(t, log, 15, true);
        live(t, copy, 15, true);
        CHECK_UINT(ploy_actor_hash(again), ploy_actor_hash(actor));
        size_t size2 = 0;
        bytes = ploy_experience_bytes(log, &size);
        const void *bytes2 = ploy_experience_bytes(copy, &size2);
        CHECK_INT(size2, size);
        CHECK_BYTES(bytes2, bytes, size);
        ploy_experience_destroy(copy);
        ploy_experience_destroy(log);
        CHECK_INT(counts.bytes, 0);
        ploy_actor_destroy(actor);
        ploy_actor_destroy(again);
        ploy_actor_destroy(other);
    }
}

TEST(a_log_of_an_actor_refuses_what_its_space_lacks) {
    ploy_env env = ploy_env_default();
    const ploy_problem_space *pole = &ploy_problems_find("cartpole")->space;
    ploy_dqn_def def = ploy_dqn_def_default();
    def.hidden = def.hidden2 = 2;
    def.buffer = 4;
    ploy_actor actor = small_actor(t, ploy_actors_find("sarsa"), &env, 1), dqn;
    CHECK_OK(ploy_actor_create(ploy_actors_find("dqn"), &def, pole, 1, &env, &dqn));
    ploy_experience *log = NULL, *seen = NULL;
    CHECK_OK(ploy_experience_create_actor(actor, 200, &env, &log));
    CHECK_OK(ploy_experience_create_actor(dqn, 1 << 10, &env, &seen));
    size_t empty = 0, size = 0;
    (void)ploy_experience_bytes(log, &empty);
    uint64_t hash = ploy_actor_hash(actor);
    ploy_problem_result result = {1.0f, false, false}, infinite = {INFINITY, false, false};
    ploy_situation good = {3, NULL, NULL}, below = {-1, NULL, NULL}, above = {16, NULL, NULL};
    int32_t action = 0;
    CHECK_INT(ploy_experience_choose(log, &below, &action), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_experience_choose(log, &good, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_experience_learn(log, &above, 0, result, &good, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_experience_learn(log, &good, 0, result, NULL, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_experience_learn(log, &good, 4, result, &good, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_experience_learn(log, &good, 0, result, &good, 4), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_experience_learn(log, &good, 0, infinite, &good, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_experience_keep_best(log, NAN, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_experience_observe(log, (double[1]){0}), PLOY_ERR_ARGUMENT); // of learners
    float numbers[4] = {0, NAN, 0, 0};
    ploy_situation broken = {-1, numbers, NULL}, none = {-1, NULL, NULL};
    CHECK_INT(ploy_experience_choose(seen, &broken, &action), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_experience_choose(seen, &none, &action), PLOY_ERR_ARGUMENT);
    numbers[1] = 0.5f;
    CHECK_OK(ploy_experience_choose(seen, &broken, &action));
    (void)ploy_experience_bytes(log, &size);
    CHECK_INT(size, empty);
    CHECK_UINT(ploy_actor_hash(actor), hash);
    // A full log refuses the step, and the actor does not learn it.
    ploy_result learned = PLOY_OK;
    while (learned == PLOY_OK) {
        hash = ploy_actor_hash(actor);
        learned = ploy_experience_learn(log, &good, 0, result, &good, 0);
    }
    CHECK_INT(learned, PLOY_ERR_LIMIT);
    CHECK_UINT(ploy_actor_hash(actor), hash);
    CHECK(ploy_actor_steps(actor) > 0);
    // Bytes that claim an action, a part or a state that does not exist.
    unsigned char bytes[200];
    const void *kept = ploy_experience_bytes(log, &size);
    memcpy(bytes, kept, size);
    ploy_actor again = small_actor(t, ploy_actors_find("sarsa"), &env, 1);
    static const struct {
        const char *row;
        size_t at; // behind the header of 16
        unsigned char value;
    } rows[] = {{"kind 0", 0, 0},         {"an example", 0, 1},       {"kind 8", 0, 8},
                {"state 16", 1, 16},      {"parts 4", 9, 4},          {"action 4", 11, 4},
                {"next action 4", 12, 5}, {"an end of kind 4", 13, 4}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        unsigned char before = bytes[16 + rows[i].at];
        bytes[16 + rows[i].at] = rows[i].value;
        CHECK_INT(ploy_experience_replay_actor(again, bytes, size), PLOY_ERR_FORMAT);
        bytes[16 + rows[i].at] = before;
    }
    CHECK_INT(ploy_actor_steps(again), 0);
    CHECK_OK(ploy_experience_replay_actor(again, bytes, size));
    CHECK_UINT(ploy_actor_hash(again), ploy_actor_hash(actor));
    ploy_experience_destroy(log);
    ploy_experience_destroy(seen);
    ploy_actor_destroy(actor);
    ploy_actor_destroy(again);
    ploy_actor_destroy(dqn);
}

static ploy_result create_and_play(const ploy_env *env, void *arg) {
    const ploy_problem_type *kind = ploy_problems_find("grid4");
    const ploy_actor_type *type = arg;
    ploy_q_def q = ploy_q_def_default();
    q.store = PLOY_Q_HASH;
    ploy_dqn_def dqn = ploy_dqn_def_default();
    dqn.hidden = 3;
    dqn.buffer = 12;
    ploy_problem *problem = NULL;
    ploy_actor actor = {NULL, NULL};
    ploy_play_task *task = NULL;
    const void *def = strcmp(type->name, "q") == 0     ? (const void *)&q
                      : strcmp(type->name, "dqn") == 0 ? (const void *)&dqn
                                                       : NULL;
    ploy_result result = ploy_problem_create(kind, env, &problem);
    if (result == PLOY_OK) result = ploy_actor_create(type, def, &kind->space, 1, env, &actor);
    if (result == PLOY_OK) result = ploy_play_begin(problem, actor, 40, 0.1f, 1, env, &task);
    if (result == PLOY_OK) result = ploy_play_step(task, NULL);
    ploy_play_cancel(task);
    ploy_actor_destroy(actor);
    ploy_problem_destroy(problem);
    return result;
}

// Actor, problem and task are saved together, as a game saves them.
TEST(play_saved_in_mid_episode_goes_on_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    const ploy_problem_type *kind = ploy_problems_find("windy");
    ploy_actor actors[2];
    ploy_problem *problems[2] = {NULL, NULL};
    ploy_play_task *tasks[2] = {NULL, NULL};
    for (int32_t i = 0; i < 2; i++) { // the second one has other seeds
        uint64_t seed = 3 + (uint64_t)i;
        CHECK_OK(
            ploy_actor_create(ploy_actors_find("q"), NULL, &kind->space, seed, &env, &actors[i]));
        CHECK_OK(ploy_problem_create(kind, &env, &problems[i]));
        CHECK_OK(ploy_play_begin(problems[i], actors[i], 500, 0.1f, seed, &env, &tasks[i]));
    }
    ploy_budget budget = ploy_budget_units(137);
    CHECK_INT(ploy_play_step(tasks[0], &budget), PLOY_IN_PROGRESS);
    state_check task = {ploy_play_visit, tasks[0], NULL, NULL, NULL};
    state_check_all(t, &task);
    state_check_copy(t, &task, tasks[1]);
    state_check actor = {ploy_actor_visit, &actors[0], NULL, NULL, NULL};
    state_check_copy(t, &actor, &actors[1]);
    state_check problem = {ploy_problem_visit, problems[0], NULL, NULL, NULL};
    state_check_copy(t, &problem, problems[1]);
    for (int32_t i = 0; i < 2; i++) CHECK_OK(ploy_play_step(tasks[i], NULL));
    CHECK_UINT(ploy_actor_hash(actors[0]), ploy_actor_hash(actors[1]));
    CHECK_UINT(ploy_visit_hash(ploy_play_visit, tasks[0], NULL),
               ploy_visit_hash(ploy_play_visit, tasks[1], NULL));
    for (int32_t i = 0; i < 2; i++) {
        ploy_play_cancel(tasks[i]);
        ploy_problem_destroy(problems[i]);
        ploy_actor_destroy(actors[i]);
    }
}

TEST(every_allocation_of_an_actor_may_fail) {
    for (int32_t i = 0; ploy_actors_at(i) != NULL; i++) {
        ploy_actor_type type = *ploy_actors_at(i);
        t->row = type.name;
        CHECK_FAIL_NTH(create_and_play, &type);
        CHECK_OK(ploy_fields_check_table(type.fields(), NULL));
    }
}

TEST(a_store_that_does_not_suit_is_refused) {
    ploy_env env = ploy_env_default();
    ploy_actor actor;
    ploy_q_def def = ploy_q_def_default();
    const ploy_problem_type *pole = ploy_problems_find("cartpole"),
                            *grid = ploy_problems_find("grid4");
    CHECK_INT(ploy_actor_create(ploy_actors_find("q"), &def, &pole->space, 1, &env, &actor),
              PLOY_ERR_ARGUMENT);
    def.store = PLOY_Q_TILES;
    CHECK_INT(ploy_actor_create(ploy_actors_find("q"), &def, &grid->space, 1, &env, &actor),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_actor_create(ploy_actors_find("td"), NULL, &pole->space, 1, &env, &actor),
              PLOY_ERR_ARGUMENT);
    def.store = PLOY_Q_DENSE;
    def.states_max = 10;
    CHECK_INT(ploy_actor_create(ploy_actors_find("q"), &def, &grid->space, 1, &env, &actor),
              PLOY_ERR_ARGUMENT);
    CHECK(actor.type == NULL);
    CHECK(ploy_actors_find("none") == NULL);
}
