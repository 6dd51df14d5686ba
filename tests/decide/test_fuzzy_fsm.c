// Fuzzy state machines: the text's examples, and that degrees stay degrees.
#include "decide/decide_internal.h"
#include "ploy/base/rng.h"
#include "ploy/decide/fuzzy_fsm.h"
#include "tests/test.h"

typedef struct chart {
    ploy_fuzzy_fsm_type *type;
    ploy_fuzzy_fsm *fsm;
} chart;

static chart make_chart(test_context *t, const double *initial, int32_t states,
                        const ploy_fuzzy_fsm_transition *transitions, int32_t count,
                        bool simultaneous, const char *degree) {
    chart made = {NULL, NULL};
    ploy_env env = ploy_env_default();
    ploy_fuzzy_fsm_def def = ploy_fuzzy_fsm_def_default();
    def.simultaneous = simultaneous;
    CHECK_OK(ploy_fuzzy_fsm_type_create(&def, NULL, &env, &made.type));
    for (int32_t i = 0; i < states; i++) {
        char id[] = "A";
        id[0] = (char)('A' + i);
        CHECK_INT(ploy_fuzzy_fsm_type_state(made.type, id, initial[i]), i);
    }
    for (int32_t i = 0; i < count; i++) {
        ploy_fuzzy_fsm_transition transition = transitions[i];
        if (degree != NULL) {
            transition.degree = ploy_score_text(ploy_fuzzy_fsm_type_conditions(made.type), degree);
        }
        CHECK_OK(ploy_fuzzy_fsm_type_add(made.type, &transition));
    }
    CHECK_OK(ploy_fuzzy_fsm_type_finish(made.type));
    CHECK_OK(ploy_fuzzy_fsm_create(made.type, &env, &made.fsm));
    return made;
}

static void free_chart(chart *made) {
    ploy_fuzzy_fsm_destroy(made->fsm);
    ploy_fuzzy_fsm_type_destroy(made->type);
}

static ploy_fuzzy_fsm_transition arrow(int32_t from, int32_t to, double dot) {
    return ploy_fuzzy_fsm_transition_make(from, ploy_condition_none(), to, dot);
}

// FZL-15, FZL-16.
TEST(degrees_move_as_the_text_says) {
    ploy_fuzzy_fsm_transition one[] = {arrow(0, 1, 0.6)};
    ploy_fuzzy_fsm_transition two[] = {arrow(0, 1, 0.6), arrow(1, 2, 1)};
    ploy_fuzzy_fsm_transition many[] = {arrow(0, 1, 0.2)};
    many[0].target_count = 2;
    many[0].targets[1] = 2;
    many[0].dots[1] = 0.7;
    ploy_fuzzy_fsm_transition self[] = {arrow(0, 0, 0.8)};
    const struct {
        const char *row;
        const ploy_fuzzy_fsm_transition *transitions;
        int32_t count;
        bool simultaneous;
        double initial[3], want[3];
    } rows[] = {
        {"A to B", one, 1, false, {0.4, 0, 0}, {0.4, 0.4, 0}},
        {"to B that is active", one, 1, false, {0.4, 0.3, 0}, {0.4, 0.4, 0}},
        {"one after the other", two, 2, false, {0.8, 0.5, 0}, {0.4, 0, 0.6}},
        {"at the same time", two, 2, true, {0.8, 0.5, 0}, {0.4, 0.6, 0.5}},
        {"several degrees", many, 1, false, {0.5, 0.6, 0.4}, {0.3, 0.6, 0.5}},
        {"to itself", self, 1, false, {0.5, 0, 0}, {0.5, 0, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        chart made = make_chart(t, rows[i].initial, 3, rows[i].transitions, rows[i].count,
                                rows[i].simultaneous, NULL);
        ploy_moment moment = ploy_moment_make(NULL);
        ploy_fuzzy_fsm_step(made.fsm, &moment);
        for (int32_t s = 0; s < 3; s++) {
            CHECK_NEAR(ploy_fuzzy_fsm_degree(made.fsm, s), rows[i].want[s], 1e-12);
        }
        free_chart(&made);
    }
}

TEST(a_degree_of_triggering_scales_the_transition) {
    ploy_fuzzy_fsm_transition arrows[] = {arrow(0, 1, 1)};
    static const double initial[] = {1, 0};
    chart made = make_chart(t, initial, 2, arrows, 1, false, "1 / 2");
    ploy_status status;
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    ploy_behavior behavior = ploy_fuzzy_fsm_behavior(made.fsm);
    CHECK_OK(ploy_behavior_enter(behavior, &context));
    CHECK_OK(ploy_behavior_step(behavior, &context, &status));
    CHECK_INT(status, PLOY_STATUS_RUNNING);
    CHECK_NEAR(ploy_fuzzy_fsm_degree(made.fsm, 0), 0.5, 1e-12);
    CHECK_NEAR(ploy_fuzzy_fsm_degree(made.fsm, 1), 0.5, 1e-12);
    CHECK_OK(ploy_behavior_enter(behavior, &context)); // begins anew
    CHECK_NEAR(ploy_fuzzy_fsm_degree(made.fsm, 0), 1, 0);
    free_chart(&made);
}

TEST(degrees_stay_degrees) {
    for (int64_t round = 0; round < test_rounds(100); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        double initial[6];
        ploy_fuzzy_fsm_transition arrows[12];
        for (int32_t i = 0; i < 6; i++) initial[i] = ploy_rng_double(&rng);
        for (int32_t i = 0; i < 12; i++) {
            arrows[i] =
                arrow(ploy_rng_int(&rng, 0, 5), ploy_rng_int(&rng, 0, 5), ploy_rng_double(&rng));
        }
        chart made = make_chart(t, initial, 6, arrows, 12, round % 2 == 0, NULL);
        ploy_moment moment = ploy_moment_make(NULL);
        for (int32_t step = 0; step < 20; step++) {
            ploy_fuzzy_fsm_step(made.fsm, &moment);
            for (int32_t s = 0; s < 6; s++) {
                double degree = ployi_fuzzy_fsm_degrees(made.fsm)[s];
                CHECK(degree >= 0 && degree <= 1);
            }
        }
        free_chart(&made);
    }
}

TEST(faults_stay_with_the_type) {
    ploy_env env = ploy_env_default();
    for (int32_t fault = 0; fault < 6; fault++) {
        ploy_fuzzy_fsm_def def = ploy_fuzzy_fsm_def_default();
        ploy_fuzzy_fsm_type *type = NULL;
        ploy_fuzzy_fsm *fsm = NULL;
        CHECK_OK(ploy_fuzzy_fsm_type_create(&def, NULL, &env, &type));
        if (fault != 1) (void)ploy_fuzzy_fsm_type_state(type, "A", fault == 2 ? 1.5 : 1);
        if (fault == 3) (void)ploy_fuzzy_fsm_type_state(type, "A", 1);
        ploy_fuzzy_fsm_transition bad = arrow(0, fault == 4 ? 7 : 0, fault == 5 ? -1 : 1);
        if (fault != 1) (void)ploy_fuzzy_fsm_type_add(type, &bad);
        CHECK_INT(ploy_fuzzy_fsm_type_finish(type) == PLOY_OK, fault == 0);
        CHECK_INT(ploy_fuzzy_fsm_create(type, &env, &fsm) == PLOY_OK, fault == 0);
        if (fault == 0) {
            CHECK_INT(ployi_fuzzy_fsm_set_degree(fsm, 0, 2), PLOY_ERR_ARGUMENT);
            CHECK_OK(ployi_fuzzy_fsm_set_degree(fsm, 0, 0.5));
            CHECK_TEXT(ploy_fuzzy_fsm_type_id(type, 0), "A");
        }
        ploy_fuzzy_fsm_destroy(fsm);
        ploy_fuzzy_fsm_type_destroy(type);
    }
}

static ploy_result build_chart(const ploy_env *env, void *arg) {
    ploy_fuzzy_fsm_type *type = NULL;
    ploy_fuzzy_fsm *fsm = NULL;
    (void)arg;
    ploy_fuzzy_fsm_def def = ploy_fuzzy_fsm_def_default();
    ploy_result result = ploy_fuzzy_fsm_type_create(&def, NULL, env, &type);
    if (result != PLOY_OK) return result;
    (void)ploy_fuzzy_fsm_type_state(type, "A", 1);
    (void)ploy_fuzzy_fsm_type_state(type, "B", 0);
    ploy_fuzzy_fsm_transition go = arrow(0, 1, 0.5);
    (void)ploy_fuzzy_fsm_type_add(type, &go);
    result = ploy_fuzzy_fsm_type_finish(type);
    if (result == PLOY_OK) result = ploy_fuzzy_fsm_create(type, env, &fsm);
    ploy_fuzzy_fsm_destroy(fsm);
    ploy_fuzzy_fsm_type_destroy(type);
    return result;
}

TEST(building_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(build_chart, NULL);
}
