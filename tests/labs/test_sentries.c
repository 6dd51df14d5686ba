// The sentries: what they learn beats guards at random places.
#include "labs/sentries.h"

#include "ploy/learn/actor.h"
#include "tests/labs/lab_test.h"
#include "tests/state.h"

enum { EPISODES = 2000 };

// Mean and variance of the returns of many greedy episodes, with seeds from `first` on.
static void sentries_measure(test_context *t, const ploy_problem_type *type, ploy_actor actor,
                             uint64_t first, double *mean, double *variance) {
    ploy_env env = ploy_env_default();
    ploy_problem *problem = NULL;
    CHECK_OK(ploy_problem_create(type, &env, &problem));
    double sum = 0.0, squares = 0.0;
    for (uint64_t i = 0; i < EPISODES; i++) {
        double one = 0.0;
        ploy_problem_reset(problem, first + i);
        for (ploy_problem_result step = {0.0f, false, false}; !step.terminated && !step.truncated;
             one += (double)step.reward) {
            bool allowed[PLOY_PROBLEM_ACTIONS_MAX];
            (void)ploy_problem_allowed(problem, allowed);
            ploy_situation now = {ploy_problem_state(problem), NULL, allowed};
            step = ploy_problem_step(problem, ploy_actor_best(actor, &now));
        }
        sum += one;
        squares += one * one;
    }
    *mean = sum / EPISODES;
    *variance = squares / EPISODES - *mean * *mean;
    ploy_problem_destroy(problem);
}

TEST(sentries_learn_better_places_than_random_ones) {
    const ploy_problem_type *type = sentries_problem();
    CHECK_INT(type->space.states, 17 * 17 * 17 * 2); // 9,826: one shared sighting
    CHECK_INT(type->space.actions, 3 * 15 + 1);
    ploy_env env = ploy_env_default();
    ploy_problem *problem = NULL;
    ploy_actor actor = {NULL, NULL};
    CHECK_OK(ploy_problem_create(type, &env, &problem));
    bool allowed[PLOY_PROBLEM_ACTIONS_MAX];
    CHECK_INT(ploy_problem_allowed(problem, allowed), 3 * 12 + 1); // every guard to 12 empty places
    (void)ploy_problem_step(problem, 0);
    CHECK_INT(ploy_problem_allowed(problem, allowed), 1); // one moves: all others wait
    ploy_problem_destroy(problem);
    ploy_q_def def = ploy_q_def_default();
    def.explore_schedule = PLOY_Q_CONSTANT;
    def.rate_schedule = PLOY_Q_GEOMETRIC; // at a constant 0.3 luck never averages out
    def.rate = 0.3f;
    def.rate_last = 0.005f;
    def.schedule_steps = 300000;
    def.explore = def.explore_last = 0.3f;
    // These settings were chosen with seed 1 and episodes 7000 to 8999. Seeds of training and of
    // episodes are others here.
    for (uint64_t seed = 101; seed <= 103; seed++) {
        TEST_SEED(seed);
        CHECK_OK(ploy_problem_create(type, &env, &problem));
        CHECK_OK(ploy_actor_create(ploy_actors_find("q"), &def, &type->space, seed, &env, &actor));
        ploy_play_task *task = NULL;
        CHECK_OK(ploy_play_begin(problem, actor, 300000, 0.0f, seed, &env, &task));
        CHECK_OK(ploy_play_step(task, NULL));
        ploy_play_cancel(task);
        double learned, scattered, a, b;
        sentries_measure(t, type, actor, seed * 1000000, &learned, &a);
        sentries_measure(t, sentries_scattered(), actor, seed * 1000000 + 500000, &scattered, &b);
        double z = (learned - scattered) / sqrt((a + b) / EPISODES);
        printf("sentries, seed %d: learned %.3f, at random places %.3f, z %.1f\n", (int)seed,
               learned, scattered, z);
        CHECK(z > 2.33); // one-sided test of two means, p < 0.01
        ploy_actor_destroy(actor);
        ploy_problem_destroy(problem);
    }
}

TEST(an_episode_of_sentries_is_saved_in_between) {
    ploy_env env = ploy_env_default();
    ploy_problem *a = NULL, *b = NULL;
    CHECK_OK(ploy_problem_create(sentries_problem(), &env, &a));
    CHECK_OK(ploy_problem_create(sentries_problem(), &env, &b));
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TEST_SEED(seed);
        ploy_problem_reset(a, seed);
        for (uint64_t i = 0; i < seed; i++) (void)ploy_problem_step(a, (int32_t)(i * 7 % 46));
        state_check s = {ploy_problem_visit, a, NULL, NULL, NULL};
        state_check_copy(t, &s, b);
        for (int32_t i = 0; i < 60; i++) {
            ploy_problem_result x = ploy_problem_step(a, i % 46), y = ploy_problem_step(b, i % 46);
            CHECK_SAME(x.reward, y.reward);
            CHECK_INT(ploy_problem_state(a), ploy_problem_state(b));
        }
    }
    ploy_problem_destroy(a);
    ploy_problem_destroy(b);
}

TEST(the_lab_of_sentries_learns_rewinds_and_survives_a_lack_of_memory) {
    ploy_env env = ploy_env_default();
    static const char *const settings[] = {"speed=300", NULL};
    ploy_sim *sim = lab_start(t, "sentries", settings, &env);
    lab_run(t, sim, 20);
    CHECK_INT((int64_t)lab_number(t, sim, "play/steps"), 6000);
    CHECK(lab_drawn(sim) > 100);
    lab_check_rewind(t, sim, 3);
    lab_command(t, sim, "again", ploy_value_none()); // steps once
    CHECK_INT((int64_t)lab_number(t, sim, "play/steps"), 300);
    ploy_sim_destroy(sim);
    char name[] = "sentries";
    CHECK_FAIL_NTH(lab_create, name);
}
