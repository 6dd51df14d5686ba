#include "ploy/learn/problem.h"

#include "ploy/learn/actor.h"
#include "tests/state.h"
#include "tests/test.h"

TEST(models_give_the_reference_values) {
    static const double grid4[16] = {0,   -14, -20, -22, -14, -18, -20, -20,
                                     -20, -20, -18, -14, -22, -20, -14, 0};
    static const double grid5[25] = {3.3,  8.8,  4.4,  5.3,  1.5,  1.5,  3.0,  2.3,  1.9,
                                     0.5,  0.1,  0.7,  0.7,  0.4,  -0.4, -1.0, -0.4, -0.4,
                                     -0.6, -1.2, -1.9, -1.3, -1.2, -1.4, -2.0};
    static const double best5[25] = {22.0, 24.4, 22.0, 19.4, 17.5, 19.8, 22.0, 19.8, 17.8,
                                     16.0, 17.8, 19.8, 17.8, 16.0, 14.4, 16.0, 17.8, 16.0,
                                     14.4, 13.0, 14.4, 16.0, 14.4, 13.0, 11.7};
    double v[70], q[70 * 8];
    CHECK_OK(ploy_oracle_policy(ploy_problems_find("grid4"), 1.0, NULL, v));
    for (int32_t i = 0; i < 16; i++) CHECK_NEAR(v[i], grid4[i], 1e-6);
    CHECK_OK(ploy_oracle_policy(ploy_problems_find("grid5"), 0.9, NULL, v));
    for (int32_t i = 0; i < 25; i++) CHECK_NEAR(v[i], grid5[i], 0.05);
    CHECK_OK(ploy_oracle_best(ploy_problems_find("grid5"), 0.9, q));
    for (int32_t i = 0; i < 25; i++) {
        double best = q[i * 4];
        for (int32_t a = 1; a < 4; a++) best = q[i * 4 + a] > best ? q[i * 4 + a] : best;
        CHECK_NEAR(best, best5[i], 0.05);
    }
    CHECK_OK(ploy_oracle_policy(ploy_problems_find("walk"), 1.0, NULL, v));
    for (int32_t i = 1; i <= 5; i++) CHECK_NEAR(v[i], i / 6.0, 1e-6);
}

static double best_at(const char *name, double discount, int64_t state, double *q) {
    const ploy_problem_type *type = ploy_problems_find(name);
    if (ploy_oracle_best(type, discount, q) != PLOY_OK) return -1e9;
    double best = q[state * type->space.actions];
    for (int32_t a = 1; a < type->space.actions; a++) {
        double value = q[state * type->space.actions + a];
        best = value > best ? value : best;
    }
    return best;
}

TEST(the_best_returns_are_those_of_the_books) {
    double q[70 * 8];
    CHECK_NEAR(best_at("cliff", 1.0, 36, q), -13, 1e-9);
    CHECK_NEAR(best_at("windy", 1.0, 30, q), -15, 1e-9);
    CHECK_NEAR(best_at("windy_king", 1.0, 30, q), -7, 1e-9);
    CHECK_NEAR(best_at("lake", 0.99, 0, q), 0.5420259, 1e-6);
    CHECK_NEAR(best_at("lake", 1.0, 0, q), 14.0 / 17.0, 1e-6);
    // The safe path over the cliff: up to the top row, along it, and down at the end.
    double shares[48 * 4] = {0}, values[48];
    for (int32_t s = 0; s < 48; s++) shares[s * 4 + (s % 12 == 11 ? 2 : s < 12 ? 1 : 0)] = 1.0;
    CHECK_OK(ploy_oracle_policy(ploy_problems_find("cliff"), 1.0, shares, values));
    CHECK_NEAR(values[36], -17, 1e-9);
}

TEST(policy_iteration_agrees_with_value_iteration) {
    static const char *const names[] = {"chain", "grid5", "lake", "trap"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        t->row = names[i];
        const ploy_problem_type *type = ploy_problems_find(names[i]);
        double v[70], q[70 * 8];
        int32_t policy[70], sweeps = 0;
        double discount = (double)type->space.discount;
        CHECK_OK(ploy_oracle_improve(type, discount, policy, v, &sweeps));
        CHECK_OK(ploy_oracle_best(type, discount, q));
        for (int64_t s = 0; s < type->space.states; s++) {
            double best = q[s * type->space.actions];
            for (int32_t a = 1; a < type->space.actions; a++) {
                if (q[s * type->space.actions + a] > best) best = q[s * type->space.actions + a];
            }
            CHECK_NEAR(v[s], best, 1e-6);
        }
        CHECK(sweeps >= 1 && sweeps < 30);
    }
    CHECK_INT(ploy_oracle_best(ploy_problems_find("cartpole"), 0.9, (double[1]){0}),
              PLOY_ERR_UNSUPPORTED);
}

TEST(probabilities_of_every_model_add_up) {
    for (int32_t i = 0; ploy_problems_at(i) != NULL; i++) {
        const ploy_problem_type *type = ploy_problems_at(i);
        t->row = type->name;
        for (int64_t s = 0; type->model != NULL && s < type->space.states; s++) {
            for (int32_t a = 0; a < type->space.actions; a++) {
                ploy_problem_outcome outcomes[PLOY_PROBLEM_OUTCOMES_MAX];
                int32_t count = type->model(s, a, outcomes);
                double sum = count == 0 ? 1.0 : 0.0;
                for (int32_t k = 0; k < count; k++) {
                    sum += outcomes[k].probability;
                    CHECK(outcomes[k].state >= 0 && outcomes[k].state < type->space.states);
                }
                CHECK_NEAR(sum, 1, 1e-12);
            }
        }
    }
}

TEST(the_pole_falls_without_balance_and_episodes_are_cut) {
    ploy_env env = ploy_env_default();
    ploy_problem *problem = NULL;
    CHECK_OK(ploy_problem_create(ploy_problems_find("cartpole"), &env, &problem));
    ploy_problem_result result = {0, false, false};
    int32_t steps = 0;
    for (; !result.terminated; steps++) result = ploy_problem_step(problem, 1);
    CHECK(steps >= 8 && steps <= 11); // always pushing the same way
    CHECK_SAME(ploy_problem_step(problem, 1).reward, 0);
    ploy_problem_reset(problem, 3);
    result.terminated = result.truncated = false;
    for (steps = 0; !result.terminated && !result.truncated; steps++) { // a hand-made controller
        float o[4];
        ploy_problem_observe(problem, o);
        result =
            ploy_problem_step(problem, o[2] + 0.5f * o[3] + 0.05f * o[0] + 0.1f * o[1] > 0 ? 1 : 0);
    }
    CHECK_INT(steps, 500);
    CHECK(result.truncated && !result.terminated);
    ploy_problem_destroy(problem);
}

static ploy_result create_once(const ploy_env *env, void *arg) {
    ploy_problem *problem = NULL;
    ploy_result result = ploy_problem_create(ploy_problems_find(arg), env, &problem);
    ploy_problem_destroy(problem);
    return result;
}

TEST(every_problem_saves_and_repeats) {
    ploy_env env = ploy_env_default();
    for (int32_t i = 0; ploy_problems_at(i) != NULL; i++) {
        const ploy_problem_type *type = ploy_problems_at(i);
        t->row = type->name;
        char name[32];
        snprintf(name, sizeof name, "%s", type->name);
        CHECK_FAIL_NTH(create_once, name);
        ploy_problem *a = NULL, *b = NULL;
        CHECK_OK(ploy_problem_create(type, &env, &a));
        CHECK_OK(ploy_problem_create(type, &env, &b));
        ploy_problem_reset(a, 9);
        for (int32_t k = 0; k < 5; k++) (void)ploy_problem_step(a, k % type->space.actions);
        state_check s = {ploy_problem_visit, a, NULL, NULL, NULL};
        state_check_all(t, &s);
        state_check_copy(t, &s, b);
        for (int32_t k = 0; k < 20; k++) {
            ploy_problem_result x = ploy_problem_step(a, k % type->space.actions);
            ploy_problem_result y = ploy_problem_step(b, k % type->space.actions);
            CHECK(x.reward == y.reward && x.terminated == y.terminated);
        }
        CHECK_UINT(ploy_visit_hash(ploy_problem_visit, a, NULL),
                   ploy_visit_hash(ploy_problem_visit, b, NULL));
        ploy_problem_destroy(a);
        ploy_problem_destroy(b);
    }
}

TEST(a_batch_over_workers_equals_one_by_one) {
    enum { COUNT = 9 };
    static const int32_t workers[] = {1, 2, 4};
    for (size_t w = 0; w < COUNT_OF(workers); w++) {
        ploy_env env = ploy_env_default();
        ploy_job_pool *pool = NULL;
        CHECK_OK(ploy_job_pool_create(workers[w], &env, &pool));
        ploy_problem *a[COUNT], *b[COUNT];
        int32_t actions[COUNT];
        ploy_problem_result results[COUNT];
        for (int32_t i = 0; i < COUNT; i++) {
            CHECK_OK(ploy_problem_create(ploy_problems_find("lake"), &env, &a[i]));
            CHECK_OK(ploy_problem_create(ploy_problems_find("lake"), &env, &b[i]));
            ploy_problem_reset(a[i], (uint64_t)i);
            ploy_problem_reset(b[i], (uint64_t)i);
            actions[i] = i % 4;
        }
        for (int32_t k = 0; k < 10; k++) {
            CHECK_OK(ploy_problem_step_batch(a, COUNT, actions, ploy_job_pool_jobs(pool), results));
            for (int32_t i = 0; i < COUNT; i++) {
                CHECK_SAME(ploy_problem_step(b[i], actions[i]).reward, results[i].reward);
            }
        }
        for (int32_t i = 0; i < COUNT; i++) {
            CHECK_UINT(ploy_visit_hash(ploy_problem_visit, a[i], NULL),
                       ploy_visit_hash(ploy_problem_visit, b[i], NULL));
            ploy_problem_destroy(a[i]);
            ploy_problem_destroy(b[i]);
        }
        ploy_job_pool_destroy(pool);
    }
}
