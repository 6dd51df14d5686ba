// Markov processes and machines: the text's vectors, and what they keep.
#include "decide/decide_internal.h"
#include "ploy/base/rng.h"
#include "ploy/decide/markov.h"
#include "tests/test.h"

static void check_vector(test_context *t, const double *got, const double *want, int32_t count) {
    for (int32_t i = 0; i < count; i++) CHECK_NEAR(got[i], want[i], 1e-12);
}

static const double markov_safe[4] = {1, 0.5, 1, 1.5};
static const double markov_shot[16] = {0.1, 0.3, 0.3, 0.3, 0, 0.8, 0, 0,
                                       0,   0,   0.8, 0,   0, 0,   0, 0.8};

// MKV-01, MKV-05: sniping points after a shot, and recovering.
TEST(a_process_moves_shares_along_its_rows) {
    static const double after[4] = {0.1, 0.7, 1.1, 1.5}, calm[4] = {0.43, 0.97, 1.33, 1.69};
    static const double rested[4] = {1.3, 0.85, 1.3, 1.75}, column[4] = {1, 0.4, 0.8, 1.2};
    double out[4], next[4], recover[16];
    ploy_markov_step(markov_shot, 4, markov_safe, out);
    check_vector(t, out, after, 4);
    ploy_markov_fill(recover, 4, 1, 0.1);
    ploy_markov_step(recover, 4, out, next);
    check_vector(t, next, calm, 4);
    ploy_markov_step(recover, 4, markov_safe, next);
    check_vector(t, next, rested, 4);
    ployi_markov_step_column(markov_shot, 4, markov_safe, out); // as the listing multiplies
    check_vector(t, out, column, 4);
    CHECK(!ployi_markov_is_conservative(markov_shot, 4, 1e-9));
    CHECK_INT(ploy_markov_largest(markov_safe, 4), 3); // MKV-06: snipe from there
}

// MKV-02, MKV-03.
TEST(a_conservative_process_keeps_its_sum_and_settles) {
    static const double first[4] = {0.62, 0.44, 0.5, 0.44}, second[4] = {0.572, 0.464, 0.5, 0.464};
    static const double even[4] = {0.5, 0.5, 0.5, 0.5};
    double m[16], v[4] = {0.7, 0.4, 0.5, 0.4}, scratch[4];
    ploy_markov_fill(m, 4, 0.7, 0.1);
    CHECK(ployi_markov_is_conservative(m, 4, 1e-12));
    ployi_markov_iterate(m, 4, 1, v, scratch);
    check_vector(t, v, first, 4);
    ployi_markov_iterate(m, 4, 1, v, scratch);
    check_vector(t, v, second, 4);
    CHECK(ploy_markov_settle(m, 4, 1e-15, 1000, v, scratch) > 0);
    for (int32_t i = 0; i < 4; i++) CHECK_NEAR(v[i], even[i], 1e-12);
    static const double swing[4] = {0, 1, 1, 0};
    double w[2] = {1, 0};
    CHECK_INT(ploy_markov_settle(swing, 2, 1e-9, 100, w, scratch), -1);
    for (int64_t round = 0; round < test_rounds(100); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        double sum = 0, after = 0, u[4];
        for (int32_t i = 0; i < 16; i++) m[i] = ploy_rng_double(&rng) + 0.01;
        CHECK_OK(ployi_markov_normalise(m, 4));
        for (int32_t i = 0; i < 4; i++) sum += u[i] = ploy_rng_double(&rng);
        ployi_markov_iterate(m, 4, 7, u, scratch);
        for (int32_t i = 0; i < 4; i++) after += u[i];
        CHECK_NEAR(after, sum, 1e-12);
    }
    double zero[4] = {1, 1, 0, 0};
    CHECK_INT(ployi_markov_normalise(zero, 2), PLOY_ERR_ARGUMENT);
    CHECK_NEAR(zero[0], 1, 0);
}

// MKV-08.
TEST(an_affine_process_settles_wherever_it_starts) {
    static const struct { double a, b, c; } rows[] = {{0.5, 0, 0.25}, {0.4, 0.1, 0.15}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        double m[16], constants[4] = {rows[i].c, rows[i].c, rows[i].c, rows[i].c}, wide[25];
        double v[5] = {0.9, 0.7, 0.5, 0.3, 1}, scratch[5];
        ploy_markov_fill(m, 4, rows[i].a, rows[i].b);
        ploy_markov_affine(m, 4, constants, wide);
        ployi_markov_iterate(wide, 5, 1, v, scratch);
        if (i == 0) {
            static const double want[5] = {0.7, 0.6, 0.5, 0.4, 1};
            check_vector(t, v, want, 5);
        }
        CHECK(ploy_markov_settle(wide, 5, 1e-15, 1000, v, scratch) > 0);
        for (int32_t k = 0; k < 4; k++) CHECK_NEAR(v[k], 0.5, 1e-9);
    }
}

// MKV-07.
TEST(a_chain_is_learned_drawn_and_predicted) {
    static const double weather[4] = {0.8, 0.2, 0.4, 0.6};
    ploy_rng rng = ploy_rng_make(5);
    enum { DAYS = 20000 };
    static int32_t states[DAYS];
    int32_t state = 0;
    for (int32_t i = 0; i < DAYS; i++) {
        states[i] = state;
        state = ploy_markov_draw(weather, 2, state, ploy_rng_double(&rng));
    }
    double learned[4], v[2] = {1, 0}, scratch[2];
    CHECK_OK(ploy_markov_learn(states, DAYS, 2, 0, learned));
    for (int32_t i = 0; i < 4; i++) CHECK_NEAR(learned[i], weather[i], 0.02);
    CHECK(ployi_markov_is_conservative(learned, 2, 1e-12));
    ployi_markov_iterate(weather, 2, 2, v, scratch); // the day after tomorrow
    CHECK_NEAR(v[0], 0.72, 1e-12);
    static const int32_t wrong[] = {0, 2}, once[] = {0, 0};
    CHECK_INT(ploy_markov_learn(wrong, 2, 2, 0, learned), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_markov_learn(once, 2, 2, 0, learned));
    CHECK_NEAR(learned[3], 0.5, 0); // never seen: even
    static const double nothing[1] = {0};
    CHECK_INT(ploy_markov_draw(nothing, 1, 0, 0.5), -1);
    CHECK_INT(ploy_markov_draw(weather, 2, 0, 0.9999999), 1);
}

static bool trigger_is_set(void *user, const ploy_moment *moment, const float *args) {
    (void)moment, (void)args;
    return *(const bool *)user;
}

static ploy_result count_action(void *user, const ploy_moment *moment) {
    (void)moment;
    ++*(int32_t *)user;
    return PLOY_OK;
}

// MKV-04, MKV-05: the default on steps 3, 6, 9; a trigger on step 2 moves it to step 5.
TEST(a_machine_applies_the_first_trigger_or_waits_for_the_default) {
    ploy_env env = ploy_env_default();
    for (int32_t shoot_at = 0; shoot_at <= 2; shoot_at += 2) {
        bool shot = false;
        int32_t actions = 0;
        ploy_markov_def def = ploy_markov_def_default();
        def.reset_steps = 3;
        def.max = 2;
        ploy_markov_type *type = NULL;
        ploy_markov *markov = NULL;
        CHECK_OK(ploy_markov_type_create(&def, NULL, &env, &type));
        ploy_condition when =
            ploy_condition_call(ploy_markov_type_conditions(type), "shot", trigger_is_set, &shot);
        double recover[16];
        ploy_markov_fill(recover, 4, 1, 0.1);
        CHECK_OK(ploy_markov_type_add(type, "shot", when, markov_shot, count_action, &actions));
        CHECK_OK(ploy_markov_type_add(type, "too", when, recover, count_action, &actions));
        CHECK_OK(ploy_markov_type_set_default(type, recover));
        CHECK_OK(ploy_markov_type_set_initial(type, markov_safe));
        CHECK_OK(ploy_markov_type_finish(type));
        CHECK_OK(ploy_markov_create(type, &env, &markov));
        for (int32_t step = 1; step <= 9; step++) {
            int32_t fired = 0;
            shot = step == shoot_at;
            ploy_moment moment = ploy_moment_make(NULL);
            CHECK_OK(ploy_markov_update(markov, &moment, &fired));
            int32_t want = shot ? 0 : (step - shoot_at) % 3 == 0 && step > shoot_at ? -2 : -1;
            CHECK_INT(fired, want);
        }
        CHECK_INT(actions, shoot_at > 0 ? 1 : 0);
        for (int32_t i = 0; i < 4; i++) CHECK(ploy_markov_vector(markov)[i] <= 2); // held
        ploy_step_context context;
        memset(&context, 0, sizeof context);
        CHECK_OK(ploy_behavior_enter(ploy_markov_behavior(markov), &context));
        check_vector(t, ploy_markov_vector(markov), markov_safe, 4);
        static const double bad[4] = {1, 2, 3, (double)INFINITY};
        CHECK_INT(ployi_markov_set_vector(markov, bad), PLOY_ERR_ARGUMENT);
        ploy_markov_destroy(markov);
        ploy_markov_type_destroy(type);
    }
}

TEST(a_faulty_machine_does_not_finish) {
    ploy_env env = ploy_env_default();
    static const double bad[1] = {(double)NAN}, fine[1] = {1};
    for (int32_t fault = 0; fault < 4; fault++) {
        ploy_markov_def def = ploy_markov_def_default();
        ploy_markov_type *type = NULL;
        ploy_markov *markov = NULL;
        def.count = 1;
        def.reset_steps = fault == 1 ? 5 : 0;
        CHECK_OK(ploy_markov_type_create(&def, NULL, &env, &type));
        (void)ploy_markov_type_add(type, "t", ploy_condition_none(), fault == 2 ? bad : fine, NULL,
                                   NULL);
        if (fault == 3) (void)ploy_markov_type_set_initial(type, bad);
        CHECK_INT(ploy_markov_type_finish(type) == PLOY_OK, fault == 0);
        CHECK_INT(ploy_markov_create(type, &env, &markov) == PLOY_OK, fault == 0);
        ploy_markov_destroy(markov);
        ploy_markov_type_destroy(type);
    }
    ploy_markov_def def = ploy_markov_def_default();
    ploy_markov_type *type = NULL;
    def.min = 1;
    def.max = 0;
    CHECK_INT(ploy_markov_type_create(&def, NULL, &env, &type), PLOY_ERR_ARGUMENT);
}

static ploy_result build_machine(const ploy_env *env, void *arg) {
    ploy_markov_type *type = NULL;
    ploy_markov *markov = NULL;
    (void)arg;
    ploy_markov_def def = ploy_markov_def_default();
    ploy_result result = ploy_markov_type_create(&def, NULL, env, &type);
    if (result != PLOY_OK) return result;
    (void)ploy_markov_type_add(type, "t", ploy_condition_none(), markov_shot, NULL, NULL);
    (void)ploy_markov_type_set_default(type, markov_shot);
    result = ploy_markov_type_finish(type);
    if (result == PLOY_OK) result = ploy_markov_create(type, env, &markov);
    ploy_markov_destroy(markov);
    ploy_markov_type_destroy(type);
    return result;
}

TEST(building_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(build_machine, NULL);
}
