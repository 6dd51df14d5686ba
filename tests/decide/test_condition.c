// Conditions.
#include <math.h>

#include "decide/decide_internal.h"
#include "ploy/decide/condition.h"
#include "tests/test.h"

static const ploy_blackboard_key condition_keys[] = {
    {"flag", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"level", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"count", PLOY_VALUE_U64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"health", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"way", PLOY_VALUE_VEC3, {PLOY_VALUE_NONE, {0}}, NULL},
    {"team", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, NULL},
    {"far", PLOY_VALUE_F64, {PLOY_VALUE_NONE, {0}}, NULL},
};

typedef struct condition_fixture {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_conditions *set;
    ploy_step_context context;
    ploy_moment moment;
} condition_fixture;

static void condition_begin(test_context *t, condition_fixture *f) {
    memset(f, 0, sizeof *f);
    f->env = ploy_env_default();
    CHECK_OK(ploy_blackboard_layout_create(condition_keys, (int32_t)COUNT_OF(condition_keys), "c",
                                           &f->env, NULL, &f->layout));
    CHECK_OK(ploy_blackboard_create(f->layout, &f->env, &f->board));
    CHECK_OK(ploy_conditions_create(f->layout, &f->env, &f->set));
    f->context.blackboard = f->board;
    f->moment = ploy_moment_make(&f->context);
}

static void condition_end(condition_fixture *f) {
    ploy_conditions_destroy(f->set);
    ploy_blackboard_destroy(f->board);
    ploy_blackboard_layout_destroy(f->layout);
}

static bool condition_holds(condition_fixture *f, ploy_condition condition) {
    return ploy_condition_test(f->set, condition, &f->moment);
}

TEST(both_ends_belong_to_a_range) { // DTR-02
    static const float values[] = {2.0f, 5.0f, 5.0001f, 1.9999f};
    static const bool want[] = {true, true, false, false};
    condition_fixture f;
    condition_begin(t, &f);
    ploy_condition range = ploy_condition_range(f.set, "health", 2, 5);
    ploy_condition length = ploy_condition_length(f.set, "way", 2, 5);
    ploy_slot health = ploy_blackboard_layout_find(f.layout, "health");
    ploy_slot way = ploy_blackboard_layout_find(f.layout, "way");
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        float vec[3] = {0, -values[i], 0};
        CHECK_OK(ploy_blackboard_set_f32(f.board, health, values[i]));
        CHECK_OK(ploy_blackboard_set_vec(f.board, way, vec));
        CHECK_INT(condition_holds(&f, range), want[i]);
        CHECK_INT(condition_holds(&f, length), want[i]);
    }
    condition_end(&f);
}

TEST(every_kind_of_test_reads_its_key) { // DTR-02, DTR-05
    condition_fixture f;
    condition_begin(t, &f);
    static const int64_t set[] = {7, -3};
    ploy_condition flag = ploy_condition_bool(f.set, "flag");
    ploy_condition level = ploy_condition_int(f.set, "level", -3, 2);
    ploy_condition any = ploy_condition_any_of(f.set, "level", set, 2);
    ploy_condition count = ploy_condition_int(f.set, "count", -5, 1);
    ploy_condition red = ploy_condition_is(f.set, "team", "red");
    ploy_condition far = ploy_condition_range(f.set, "far", 20, (double)INFINITY);
    CHECK_OK(ploy_conditions_result(f.set));
    CHECK(!condition_holds(&f, flag) && condition_holds(&f, level) && !condition_holds(&f, any));
    CHECK(condition_holds(&f, count) && !condition_holds(&f, red) && !condition_holds(&f, far));
    ploy_slot slot = {1};
    CHECK_OK(ploy_blackboard_set_bool(f.board, slot, true));
    slot.number = 2;
    CHECK_OK(ploy_blackboard_set_i64(f.board, slot, -3));
    slot.number = 3;
    CHECK_OK(ploy_blackboard_set_u64(f.board, slot, UINT64_MAX));
    slot.number = 6;
    CHECK_OK(ploy_blackboard_set_name(f.board, slot, ploy_name_of("red")));
    slot.number = 7;
    CHECK_OK(ploy_blackboard_set_f64(f.board, slot, 1e300));
    CHECK(condition_holds(&f, flag) && condition_holds(&f, level) && condition_holds(&f, any));
    CHECK(!condition_holds(&f, count) && condition_holds(&f, red) && condition_holds(&f, far));
    f.context.blackboard = NULL;
    CHECK(!condition_holds(&f, flag));
    condition_end(&f);
}

typedef struct condition_probe {
    bool answer;
    int calls;
    float seen;
} condition_probe;

static bool condition_ask(void *user, const ploy_moment *moment, const float *args) {
    condition_probe *probe = user;
    (void)moment;
    probe->calls++;
    if (args != NULL) probe->seen = args[0];
    return probe->answer;
}

TEST(joined_conditions_have_their_truth_tables_and_stop_early) { // SMC-03
    condition_fixture f;
    condition_begin(t, &f);
    condition_probe a = {0}, b = {0};
    ploy_condition x = ploy_condition_call(f.set, "x", condition_ask, &a);
    ploy_condition y = ploy_condition_call(f.set, "y", condition_ask, &b);
    ploy_condition both = ploy_condition_and(f.set, x, y), one = ploy_condition_or(f.set, x, y);
    ploy_condition differ = ploy_condition_xor(f.set, x, y), no = ploy_condition_not(f.set, x);
    for (int i = 0; i < 4; i++) {
        a.answer = (i & 1) != 0;
        b.answer = (i & 2) != 0;
        b.calls = 0;
        CHECK_INT(condition_holds(&f, both), a.answer && b.answer);
        CHECK_INT(b.calls, a.answer ? 1 : 0);
        b.calls = 0;
        CHECK_INT(condition_holds(&f, one), a.answer || b.answer);
        CHECK_INT(b.calls, a.answer ? 0 : 1);
        CHECK_INT(condition_holds(&f, differ), a.answer != b.answer);
        CHECK_INT(condition_holds(&f, no), !a.answer);
    }
    CHECK_INT(ployi_condition_size(f.set, both), 2);
    CHECK_OK(ployi_condition_set_cost(f.set, x, 10.0f));
    CHECK_NEAR(ployi_condition_cost(f.set, both), 11.0, 0.0);
    condition_end(&f);
}

TEST(generic_tests_look_at_time_status_and_messages) { // SMC-04
    condition_fixture f;
    condition_begin(t, &f);
    ploy_condition late = ploy_condition_elapsed(f.set, 2.0);
    ploy_condition done = ploy_condition_status(f.set, PLOY_STATUS_SUCCESS);
    ploy_condition noise = ploy_condition_message(f.set, "noise");
    CHECK(!condition_holds(&f, late) && !condition_holds(&f, done) && !condition_holds(&f, noise));
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("noise"));
    f.moment.elapsed = 2.0;
    f.moment.status = PLOY_STATUS_SUCCESS;
    f.moment.message = &message;
    CHECK(condition_holds(&f, late) && condition_holds(&f, done) && condition_holds(&f, noise));
    condition_end(&f);
}

TEST(a_vocabulary_checks_names_and_numbers) { // NTU-22
    for (int i = 0; i < 4; i++) {
        condition_fixture f;
        condition_begin(t, &f);
        condition_probe probe = {true, 0, 0};
        float args[2] = {3.0f, 4.0f};
        CHECK_OK(ploy_conditions_register(f.set, "within", condition_ask, &probe, 1));
        if (i == 0) {
            ploy_condition made = ploy_condition_named(f.set, "within", args, 1);
            CHECK(condition_holds(&f, made));
            CHECK_NEAR(probe.seen, 3.0, 0.0);
            char text[64] = "";
            ploy_buffer buffer;
            ploy_buffer_init(&buffer, 100, &f.env);
            ploy_writer writer = ploy_buffer_writer(&buffer);
            ploy_condition_print(f.set, ploy_condition_not(f.set, made), &writer);
            snprintf(text, sizeof text, "%s", ploy_buffer_text(&buffer));
            ploy_buffer_fini(&buffer);
            CHECK_TEXT(text, "not within(3)");
        }
        if (i == 1) (void)ploy_condition_named(f.set, "witin", args, 1);
        if (i == 2) (void)ploy_condition_named(f.set, "within", args, 2);
        if (i == 3) (void)ploy_conditions_register(f.set, "within", condition_ask, NULL, 0);
        static const ploy_result want[] = {PLOY_OK, PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT,
                                           PLOY_ERR_EXISTS};
        CHECK_INT(ploy_conditions_result(f.set), want[i]);
        condition_end(&f);
    }
}

TEST(bad_conditions_are_faults_that_stay) {
    for (int i = 0; i < 6; i++) {
        condition_fixture f;
        condition_begin(t, &f);
        ploy_condition none = ploy_condition_none(), bad = none;
        if (i == 0) bad = ploy_condition_bool(f.set, "nothing");
        if (i == 1) bad = ploy_condition_bool(f.set, "level");
        if (i == 2) bad = ploy_condition_range(f.set, "health", (double)NAN, 1);
        if (i == 3) bad = ploy_condition_and(f.set, none, none);
        if (i == 4) bad = ploy_condition_any_of(f.set, "level", NULL, 3);
        if (i == 5) {
            ploy_condition deep = ploy_condition_always(f.set);
            for (int k = 0; k < 40; k++) deep = ploy_condition_and(f.set, deep, deep);
            bad = deep;
        }
        CHECK(ploy_condition_is_none(bad));
        CHECK(ploy_conditions_result(f.set) < PLOY_OK);
        CHECK(ploy_condition_is_none(ploy_condition_bool(f.set, "flag"))); // too late
        condition_end(&f);
    }
}

// Every text is a condition made of plain nodes, an expression, or both.
static float condition_half(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)moment;
    return args != NULL ? args[0] / 2 : 0.5f;
}

static const ploy_word condition_words[] = {
    {"half", NULL, condition_half, NULL, 1},
    {"a_half", NULL, condition_half, NULL, 0},
};

TEST(texts_mean_what_the_language_says) {
    static const struct {
        const char *text;
        bool want;
    } rows[] = {
        {"flag", true},
        {"!flag || level < 0", false},
        {"not level == 3", false},
        {"not flag and not flag or flag", true},
        {"level == 3 && 3 == level && 4 > level", true},
        {"0 < level < 5", true},
        {"0 < level < 3", false},
        {"health - 1 > level * 3", true},
        {"health > level ? flag : 0", true},
        {"team == 'red'", true},
        {"team != \"red\"", false},
        {"asked", true},
        {"asked && within(3)", true},
        {"within(level)", true},
        {"half(level) == 1.5", true},
        {"a_half > 0.4 && half(8) <= 4", true},
        {"after(2)", true},
        {"after(2.5) or on('noise')", false},
        {"on('smell')", true},
        {"status('failure')", true},
        {"status('success')", false},
        {"count", false},
        {"far", true},
        {"-far < -1", true},
        {"true", true},
        {"false", false},
    };
    condition_fixture f;
    condition_begin(t, &f);
    condition_probe probe = {true, 0, 0};
    CHECK_OK(ploy_conditions_register(f.set, "asked", condition_ask, &probe, 0));
    CHECK_OK(ploy_conditions_register(f.set, "within", condition_ask, &probe, 1));
    CHECK_OK(ploy_conditions_register_words(f.set, condition_words, 2));
    CHECK_OK(ploy_blackboard_set_bool(f.board, (ploy_slot){1}, true));
    CHECK_OK(ploy_blackboard_set_i64(f.board, (ploy_slot){2}, 3));
    CHECK_OK(ploy_blackboard_set_f32(f.board, (ploy_slot){4}, 20));
    CHECK_OK(ploy_blackboard_set_name(f.board, (ploy_slot){6}, ploy_name_of("red")));
    CHECK_OK(ploy_blackboard_set_f64(f.board, (ploy_slot){7}, 1.5));
    ploy_message message;
    memset(&message, 0, sizeof message);
    message.kind = ploy_name_of("smell");
    f.moment.message = &message;
    f.moment.elapsed = 2.25;
    f.moment.status = PLOY_STATUS_FAILURE;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_condition made = ploy_condition_text(f.set, rows[i].text);
        CHECK_OK(ploy_conditions_result(f.set));
        CHECK_INT(condition_holds(&f, made), rows[i].want);
        ploy_score score = ploy_score_text(f.set, rows[i].text);
        CHECK_INT(ploy_score_value(f.set, score, &f.moment) != 0.0f, rows[i].want);
    }
    CHECK_NEAR(probe.seen, 3, 0); // within(level)
    condition_end(&f);
}

TEST(scores_are_keys_functions_and_texts) {
    condition_fixture f;
    condition_begin(t, &f);
    CHECK_OK(ploy_conditions_register_words(f.set, condition_words, 2));
    CHECK_OK(ploy_blackboard_set_f32(f.board, (ploy_slot){4}, 20));
    ploy_score key = ploy_score_key(f.set, "health");
    ploy_score call = ploy_score_call(f.set, "half", condition_half, NULL);
    ploy_score text = ploy_score_text(f.set, "1 - health / 100 + half(health)");
    CHECK_OK(ploy_conditions_result(f.set));
    CHECK_NEAR(ploy_score_value(f.set, key, &f.moment), 20, 0);
    CHECK_NEAR(ploy_score_value(f.set, call, &f.moment), 0.5, 0);
    CHECK_NEAR(ploy_score_value(f.set, text, &f.moment), 10.8, 1e-6);
    CHECK_NEAR(ploy_score_value(f.set, ploy_score_none(), &f.moment), 0, 0);
    f.context.blackboard = NULL; // nothing is known then
    CHECK(isnan(ploy_score_value(f.set, key, &f.moment)));
    CHECK(isnan(ploy_score_value(f.set, text, &f.moment)));
    condition_end(&f);
}

TEST(a_bad_text_is_told_with_its_place) {
    static const struct {
        const char *text, *want;
        ploy_result result;
    } rows[] = {
        {"level <", "f:3:12: error: unexpected end of the expression; expected a value",
         PLOY_ERR_FORMAT},
        {"flag && leevl < 2",
         "f:3:13: error: unknown key or function 'leevl' (did you mean 'level'?)",
         PLOY_ERR_NOT_FOUND},
        {"hlaf(2) > 1", "f:3:5: error: unknown function 'hlaf' (did you mean 'half'?)",
         PLOY_ERR_NOT_FOUND},
        {"half(2, 3) > 1", "f:3:5: error: wrong number of arguments", PLOY_ERR_ARGUMENT},
        {"status('fine')", "f:3:5: error: invalid text for the function", PLOY_ERR_ARGUMENT},
        {"on(3)", "f:3:5: error: expected one text in quotes", PLOY_ERR_ARGUMENT},
        {"level = 3", "f:3:5: error: unexpected assignment in a condition or score",
         PLOY_ERR_ARGUMENT},
        {"way > 3",
         "f:3:5: error: unexpected vector or id in an expression; expected a number, text or name",
         PLOY_ERR_ARGUMENT},
        {"'red'", "f:3:5: error: wrong type; expected one number or truth value",
         PLOY_ERR_ARGUMENT},
    };
    condition_fixture f;
    condition_begin(t, &f);
    CHECK_OK(ploy_conditions_register_words(f.set, condition_words, 2));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        ploy_diags *diags = NULL;
        ploy_condition out = {77};
        char text[256];
        CHECK_OK(ploy_diags_create(4, &f.env, &diags));
        CHECK_INT(ploy_condition_read(f.set, rows[i].text, "f", 3, 5, diags, &out), rows[i].result);
        CHECK_INT(out.number, 77);
        (void)ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        CHECK_TEXT(text, rows[i].want);
        ploy_diags_destroy(diags);
    }
    CHECK_OK(ploy_conditions_result(f.set)); // a loader's faults are not the set's
    condition_end(&f);
}

static ploy_result condition_build_all(const ploy_env *env, void *arg) {
    static const float args[] = {1.0f};
    (void)arg;
    ploy_conditions *set = NULL;
    ploy_result result = ploy_conditions_create(NULL, env, &set);
    if (result != PLOY_OK) return result;
    (void)ploy_conditions_register(set, "w", condition_ask, NULL, 1);
    ploy_condition a = ploy_condition_named(set, "w", args, 1);
    (void)ploy_condition_or(set, a, ploy_condition_message(set, "m"));
    (void)ploy_condition_text(set, "not w(2) || on('m') && (w(1) ? 1 : 0)");
    (void)ploy_score_text(set, "w(1) + 2");
    result = ploy_conditions_result(set);
    TEST_REPORT(result, env, set, ploy_conditions_memory);
    ploy_conditions_destroy(set);
    return result;
}

TEST(conditions_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(condition_build_all, NULL);
}
