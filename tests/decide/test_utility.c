// Utility: curves, compensation, commitment, guards and nesting.
#include "decide/decide_internal.h"
#include "ploy/decide/utility.h"
#include "tests/test.h"

TEST(curves_give_what_their_formulas_say) {
    static const float xs[] = {0, 1, 3}, ys[] = {0.2f, 1, 0.5f};
    ploy_curve table;
    CHECK_OK(ploy_curve_table(xs, ys, 3, &table));
    const struct {
        const char *row;
        ploy_curve curve;
        float x, want;
    } rows[] = {
        {"as it is", ploy_curve_linear(1, 0), 0.3f, 0.3f},
        {"turned round", ploy_curve_linear(-1, 1), 0.3f, 0.7f},
        {"clamped above", ploy_curve_linear(2, 0), 0.7f, 1},
        {"clamped below", ploy_curve_linear(-2, 1), 0.7f, 0},
        {"quadratic", ploy_curve_power(2), 0.5f, 0.25f},
        {"power below 0", ploy_curve_power(2), -1, 0},
        {"inverse", ploy_curve_inverse(0.1f, 1), 0.5f, 0.2f},
        {"inverse square", ploy_curve_inverse(0.1f, 2), 0.5f, 0.4f},
        {"inverse cube", ploy_curve_inverse(0.1f, 3), 0.5f, 0.8f},
        {"inverse at 0", ploy_curve_inverse(0.1f, 1), 0, 1},
        {"logistic in the middle", ploy_curve_logistic(10, 0.5f), 0.5f, 0.5f},
        {"logistic at the end", ploy_curve_logistic(10, 0.5f), 1, 0.9933071f},
        {"table between", table, 0.5f, 0.6f},
        {"table on a point", table, 1, 1},
        {"table beyond", table, 9, 0.5f},
        {"table before", table, -9, 0.2f},
        {"not a number", table, NAN, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_NEAR(ploy_curve_at(&rows[i].curve, rows[i].x), rows[i].want, 1e-5);
    }
    static const float falling[] = {1, 0};
    CHECK_INT(ploy_curve_table(falling, ys, 2, &table), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_curve_table(xs, ys, 0, &table), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_curve_table(xs, ys, 17, &table), PLOY_ERR_ARGUMENT);
}

static const ploy_blackboard_key keys[] = {
    {"hunger", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"fear", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"food", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"name", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, NULL},
};

// A behavior that counts what happens to it.
typedef struct counted {
    int32_t entered, stepped, exited, until;
    ploy_exit_reason reason;
} counted;

static ploy_result counted_enter(void *self, ploy_step_context *context) {
    (void)context;
    ((counted *)self)->entered++;
    return PLOY_OK;
}

static ploy_result counted_step(void *self, ploy_step_context *context, ploy_status *status) {
    counted *own = self;
    (void)context;
    own->stepped++;
    *status =
        own->until != 0 && own->stepped >= own->until ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void counted_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context;
    ((counted *)self)->exited++;
    ((counted *)self)->reason = reason;
}

static const ploy_behavior_type counted_type = {
    .name = "counted", .enter = counted_enter, .step = counted_step, .exit = counted_exit};

static ploy_result counted_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_behavior behavior = {&counted_type, user};
    (void)env;
    *out = behavior;
    return PLOY_OK;
}

typedef struct scene {
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_utility_type *type;
    ploy_utility_option eat, flee, idle;
    ploy_step_context context;
    ploy_moment moment;
    counted eating, fleeing;
} scene;

static void scene_begin(test_context *t, scene *s, float commitment, bool compensate,
                        const ploy_env *env) {
    memset(s, 0, sizeof *s);
    CHECK_OK(ploy_blackboard_layout_create(keys, 4, "keys", env, NULL, &s->layout));
    CHECK_OK(ploy_blackboard_create(s->layout, env, &s->board));
    ploy_utility_def def = ploy_utility_def_default();
    def.commitment = commitment;
    def.compensate = compensate;
    CHECK_OK(ploy_utility_type_create(&def, s->layout, env, &s->type));
    ploy_maker eating = ploy_maker_of(counted_make, &s->eating),
               fleeing = ploy_maker_of(counted_make, &s->fleeing);
    s->eat = ploy_utility_type_option(s->type, "eat", 1, eating);
    s->flee = ploy_utility_type_option(s->type, "flee", 1, fleeing);
    s->idle = ploy_utility_type_option(s->type, "idle", 0.05f, ploy_maker_none());
    ploy_curve same = ploy_curve_linear(1, 0);
    // Added out of order: finish sorts them.
    ploy_conditions *set = ploy_utility_type_conditions(s->type);
    CHECK_OK(ploy_utility_type_consider(s->type, s->flee, ploy_score_key(set, "fear"), 0, 1, same));
    CHECK_OK(
        ploy_utility_type_consider(s->type, s->eat, ploy_score_text(set, "hunger"), 0, 100, same));
    CHECK_OK(ploy_utility_type_consider(s->type, s->eat, ploy_score_key(set, "food"), 0, 2, same));
    CHECK_OK(ploy_utility_type_guard(s->type, s->eat, ploy_condition_int(set, "food", 1, 99)));
    CHECK_OK(ploy_utility_type_finish(s->type));
    s->context.blackboard = s->board;
    s->context.dt = 0.1f;
    s->moment = ploy_moment_make(&s->context);
}

static void scene_end(scene *s) {
    ploy_utility_type_destroy(s->type);
    ploy_blackboard_destroy(s->board);
    ploy_blackboard_layout_destroy(s->layout);
}

static void scene_set(test_context *t, scene *s, float hunger, float fear, int64_t food) {
    CHECK_OK(ploy_blackboard_set_f32(s->board, ploy_blackboard_layout_find(s->layout, "hunger"),
                                     hunger));
    CHECK_OK(
        ploy_blackboard_set_f32(s->board, ploy_blackboard_layout_find(s->layout, "fear"), fear));
    CHECK_OK(
        ploy_blackboard_set_i64(s->board, ploy_blackboard_layout_find(s->layout, "food"), food));
}

TEST(scores_are_products_compensated_for_their_number) {
    ploy_env env = ploy_env_default();
    for (int32_t compensate = 0; compensate < 2; compensate++) {
        scene s;
        scene_begin(t, &s, 0, compensate != 0, &env);
        scene_set(t, &s, 60, 0.4f, 1);
        // Two considerations, 0.6 and 0.5: each v + (1 - v) (1 - 1/2) v.
        float want = compensate ? (0.6f + 0.4f * 0.5f * 0.6f) * (0.5f + 0.5f * 0.5f * 0.5f) : 0.3f;
        CHECK_NEAR(ploy_utility_score(s.type, s.eat, &s.moment), want, 1e-6);
        CHECK_NEAR(ploy_utility_score(s.type, s.flee, &s.moment), 0.4f, 1e-6);
        CHECK_NEAR(ploy_utility_score(s.type, s.idle, &s.moment), 0.05f, 1e-6);
        ploy_utility_option none = {0};
        float score = 0.0f;
        ploy_utility_option best = ploy_utility_choose(s.type, &s.moment, none, &score);
        CHECK_INT(best.number, compensate ? s.eat.number : s.flee.number);
        scene_set(t, &s, 100, 0.0f, 0); // the guard: nothing to eat, nothing to fear
        CHECK_SAME(ploy_utility_score(s.type, s.eat, &s.moment), 0.0);
        CHECK_INT(ploy_utility_choose(s.type, &s.moment, none, NULL).number, s.idle.number);
        scene_end(&s);
    }
}

TEST(commitment_keeps_nearly_equal_options_from_alternating) {
    ploy_env env = ploy_env_default();
    for (int32_t committed = 0; committed < 2; committed++) {
        scene s;
        ploy_utility *utility = NULL;
        ploy_status status;
        scene_begin(t, &s, committed ? 0.1f : 0.0f, false, &env);
        CHECK_OK(ploy_utility_create(s.type, &env, &utility));
        ploy_behavior behavior = ploy_utility_behavior(utility);
        CHECK_OK(ploy_behavior_enter(behavior, &s.context));
        for (int32_t i = 0; i < 20; i++) {
            scene_set(t, &s, 50, i % 2 != 0 ? 0.52f : 0.48f, 2);
            CHECK_OK(ploy_behavior_step(behavior, &s.context, &status));
            CHECK_INT(status, PLOY_STATUS_RUNNING);
        }
        CHECK_INT(s.eating.entered, committed ? 1 : 10);
        scene_set(t, &s, 50, 0.9f, 2); // a real reason still interrupts
        CHECK_OK(ploy_behavior_step(behavior, &s.context, &status));
        CHECK_INT(ploy_utility_current(utility).number, s.flee.number);
        CHECK_INT(s.eating.reason, PLOY_EXIT_INTERRUPTED);
        ploy_behavior_exit(behavior, &s.context, PLOY_EXIT_REMOVED);
        CHECK_INT(s.eating.entered, s.eating.exited);
        CHECK_INT(s.fleeing.entered, s.fleeing.exited);
        ploy_utility_destroy(utility);
        scene_end(&s);
    }
}

TEST(an_option_that_ends_ends_the_chooser_and_none_is_failure) {
    ploy_env env = ploy_env_default();
    scene s;
    ploy_utility *utility = NULL;
    ploy_status status;
    scene_begin(t, &s, 0, true, &env);
    s.eating.until = 3;
    CHECK_OK(ploy_utility_create(s.type, &env, &utility));
    ploy_behavior behavior = ploy_utility_behavior(utility);
    scene_set(t, &s, 90, 0, 2);
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_behavior_step(behavior, &s.context, &status));
    CHECK_INT(status, PLOY_STATUS_SUCCESS);
    CHECK_INT(s.eating.reason, PLOY_EXIT_FINISHED);
    scene_set(t, &s, 0, 0, 0);
    CHECK_OK(ploy_behavior_step(behavior, &s.context, &status)); // idle: nothing inside
    CHECK_INT(status, PLOY_STATUS_SUCCESS);
    ploy_utility_destroy(utility);
    scene_end(&s);
    ploy_utility_def def = ploy_utility_def_default();
    def.least = 0.5f;
    CHECK_OK(ploy_utility_type_create(&def, NULL, &env, &s.type));
    (void)ploy_utility_type_option(s.type, "weak", 0.4f, ploy_maker_none());
    CHECK_OK(ploy_utility_type_finish(s.type));
    CHECK_OK(ploy_utility_create(s.type, &env, &utility));
    CHECK_OK(ploy_behavior_step(ploy_utility_behavior(utility), &s.context, &status));
    CHECK_INT(status, PLOY_STATUS_FAILURE);
    ploy_utility_destroy(utility);
    ploy_utility_type_destroy(s.type);
}

TEST(faults_of_a_definition_are_told_by_finish) {
    static const char *const rows[] = {"a key that is none",   "a key of text",   "an empty range",
                                       "a curve that is none", "an option twice", "no function"};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 4, "keys", &env, NULL, &layout));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i];
        ploy_utility_def def = ploy_utility_def_default();
        ploy_utility_type *type = NULL;
        CHECK_OK(ploy_utility_type_create(&def, layout, &env, &type));
        ploy_utility_option eat = ploy_utility_type_option(type, "eat", 1, ploy_maker_none());
        ploy_curve curve = ploy_curve_linear(1, i == 3 ? NAN : 0);
        ploy_result result = PLOY_ERR_EXISTS;
        ploy_conditions *set = ploy_utility_type_conditions(type);
        if (i < 2) {
            ploy_score bad = ploy_score_key(set, i == 0 ? "hungry" : "name");
            result = ploy_utility_type_consider(type, eat, bad, 0, 1, curve);
        }
        if (i == 2 || i == 3) {
            result = ploy_utility_type_consider(type, eat, ploy_score_key(set, "hunger"), 0,
                                                i == 2 ? 0.0f : 1.0f, curve);
        }
        if (i == 4) (void)ploy_utility_type_option(type, "eat", 1, ploy_maker_none());
        if (i == 5) {
            ploy_score none = ploy_score_call(set, "fn", NULL, NULL);
            result = ploy_utility_type_consider(type, eat, none, 0, 1, curve);
        }
        CHECK(result < PLOY_OK);
        CHECK_INT(ploy_utility_type_finish(type), result);
        ploy_utility *utility = NULL;
        CHECK_INT(ploy_utility_create(type, &env, &utility), PLOY_ERR_STATE);
        ploy_utility_type_destroy(type);
    }
    ploy_blackboard_layout_destroy(layout);
}

static float half(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)moment, (void)args;
    return 0.5f;
}

static ploy_result make_utility(const ploy_env *env, void *arg) {
    ploy_utility_def def = ploy_utility_def_default();
    ploy_utility_type *type = NULL;
    ploy_utility *utility = NULL;
    ploy_result result = ploy_utility_type_create(&def, NULL, env, &type);
    if (result != PLOY_OK) return result;
    ploy_maker maker = ploy_maker_of(counted_make, arg);
    for (int32_t i = 0; i < 5; i++) {
        char name[8] = {(char)('a' + i), '\0'};
        ploy_utility_option option = ploy_utility_type_option(type, name, 1, maker);
        ploy_score score = ploy_score_call(ploy_utility_type_conditions(type), "half", half, NULL);
        (void)ploy_utility_type_consider(type, option, score, 0, 1, ploy_curve_power(2));
    }
    result = ploy_utility_type_finish(type);
    if (result == PLOY_OK) result = ploy_utility_create(type, env, &utility);
    ploy_utility_destroy(utility);
    ploy_utility_type_destroy(type);
    return result;
}

// A constant table gives the same type as the calls, and the same faults.
static const ploy_word table_words[] = {{"half", NULL, half, NULL, 0}};

static const ploy_utility_row table_rows[] = {
    {.option = "eat", .when = "food >= 1", .score = "hunger", .high = 100},
    {.option = "eat", .score = "food", .high = 2},
    {.option = "flee", .score = "fear", .curve = {PLOY_CURVE_POWER, .exponent = 2}},
    {.option = "idle", .weight = 0.05f},
    {.option = "hum", .score = "half * 0.2"},
};

TEST(a_table_makes_the_type_that_calls_make) {
    ploy_env env = ploy_env_default();
    scene s;
    scene_begin(t, &s, 0, true, &env);
    ploy_utility_type *type = NULL;
    CHECK_OK(ploy_utility_type_from(NULL, s.layout, table_words, 1, table_rows,
                                    (int32_t)COUNT_OF(table_rows), &env, &type));
    CHECK_INT(ploy_utility_type_count(type), 4);
    for (int32_t i = 0; i < 40; i++) {
        ploy_value hunger = ploy_value_f64(3.0 * i), food = ploy_value_i64(i % 3);
        CHECK_OK(
            ploy_blackboard_set(s.board, ploy_blackboard_layout_find(s.layout, "hunger"), &hunger));
        CHECK_OK(
            ploy_blackboard_set(s.board, ploy_blackboard_layout_find(s.layout, "food"), &food));
        CHECK_SAME(ploy_utility_score(type, ploy_utility_type_find(type, "eat"), &s.moment),
                   ploy_utility_score(s.type, s.eat, &s.moment));
    }
    CHECK_NEAR(ploy_utility_score(type, ploy_utility_type_find(type, "hum"), &s.moment), 0.1, 1e-6);
    CHECK_NEAR(ploy_utility_score(type, ploy_utility_type_find(type, "idle"), &s.moment), 0.05,
               1e-6);
    ploy_utility_type_destroy(type);
    static const ploy_utility_row bad[] = {{.option = "eat", .score = "hungr"}};
    CHECK_INT(ploy_utility_type_from(NULL, s.layout, NULL, 0, bad, 1, &env, &type),
              PLOY_ERR_NOT_FOUND);
    CHECK(type == NULL);
    static const ploy_utility_row again[] = {
        {.option = "eat"}, {.option = "flee"}, {.option = "eat"}};
    CHECK_INT(ploy_utility_type_from(NULL, s.layout, NULL, 0, again, 3, &env, &type),
              PLOY_ERR_EXISTS);
    scene_end(&s);
}

static ploy_result make_table(const ploy_env *env, void *arg) {
    ploy_utility_type *type = NULL;
    ploy_result result = ploy_utility_type_from(NULL, arg, table_words, 1, table_rows,
                                                (int32_t)COUNT_OF(table_rows), env, &type);
    ploy_utility_type_destroy(type);
    return result;
}

TEST(making_survives_every_failing_allocation) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, 4, "keys", &env, NULL, &layout));
    CHECK_FAIL_NTH(make_table, layout);
    ploy_blackboard_layout_destroy(layout);
    counted own = {0, 0, 0, 0, PLOY_EXIT_FINISHED};
    CHECK_FAIL_NTH(make_utility, &own);
}
