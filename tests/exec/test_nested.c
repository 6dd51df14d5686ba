#include "ploy/base/writer.h"
#include "ploy/exec/maker.h"
#include "tests/exec/trace_probe.h"
#include "tests/test.h"

// A behavior whose every function does what the test says.
typedef struct nest_probe {
    ploy_result enter, step, commit, message, load;
    ploy_status status;
    int32_t enters, steps, exits, saves, loads;
    ploy_exit_reason reason;
    ploy_nested *leave; // exited within the step
    bool again;         // and entered again
    bool sends;
    const char *blame;
} nest_probe;

static ploy_result nest_enter(void *self, ploy_step_context *context) {
    (void)context;
    ((nest_probe *)self)->enters++;
    return ((nest_probe *)self)->enter;
}

static ploy_result nest_step(void *self, ploy_step_context *context, ploy_status *status) {
    nest_probe *probe = self;
    probe->steps++;
    if (probe->sends) {
        ploy_message message;
        memset(&message, 0, sizeof message);
        (void)ploy_outbox_message(context->outbox, &message);
    }
    if (probe->leave != NULL) ploy_nested_exit(probe->leave, context, PLOY_EXIT_INTERRUPTED);
    if (probe->again) (void)ploy_nested_enter(probe->leave, NULL, "again", context);
    ploy_step_blame(context, probe->blame);
    *status = probe->status;
    return probe->step;
}

static void nest_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context;
    ((nest_probe *)self)->exits++;
    ((nest_probe *)self)->reason = reason;
}

static ploy_result nest_commit(void *self, ploy_step_context *context) {
    (void)context;
    return ((nest_probe *)self)->commit;
}

static ploy_result nest_message(void *self, ploy_step_context *context, const ploy_message *message,
                                bool *handled) {
    (void)context;
    (void)message;
    *handled = true;
    return ((nest_probe *)self)->message;
}

static void nest_visit(ploy_visit *v, void *object) {
    nest_probe *probe = object;
    ploy_visit_i32(v, "steps", PLOY_STATE, &probe->steps);
    if (!ploy_visit_loads(v)) return;
    probe->loads++;
    ploy_visit_result(v, probe->load);
}

static const ploy_behavior_type nest_type = {
    .name = "probe",
    .enter = nest_enter,
    .step = nest_step,
    .exit = nest_exit,
    .commit = nest_commit,
    .message = nest_message,
    .visit = nest_visit,
};

static ploy_result nest_make(void *user, const ploy_env *env, ploy_behavior *out) {
    (void)env;
    out->type = &nest_type;
    out->self = user;
    return PLOY_OK;
}

typedef struct nest_log {
    char text[512];
    int32_t lines;
} nest_log;

static void nest_log_line(void *user, ploy_severity severity, const char *text) {
    nest_log *log = user;
    if (severity != PLOY_SEVERITY_ERROR) return;
    log->lines++;
    strncat(log->text, text, sizeof log->text - strlen(log->text) - 1);
}

static ploy_env nest_env(nest_log *log) {
    ploy_env env = ploy_env_default();
    memset(log, 0, sizeof *log);
    env.log = nest_log_line;
    env.log_user = log;
    return env;
}

TEST(an_error_of_any_call_is_a_failure_that_exits_once_and_logs_the_path) {
    for (int32_t call = 0; call < 4; call++) {
        nest_log log;
        ploy_env env = nest_env(&log);
        nest_probe probe = {.status = PLOY_STATUS_RUNNING};
        ploy_nested nested;
        CHECK_OK(ploy_nested_make(&nested, ploy_maker_of(nest_make, &probe), &env));
        ploy_step_path outer = {NULL, "guard", NULL};
        ploy_step_context context = {.agent = ploy_agent_id_make(7, 1), .path = &outer};
        ploy_message message;
        memset(&message, 0, sizeof message);
        if (call == 0) probe.enter = PLOY_ERR_LIMIT;
        if (call == 1) probe.step = PLOY_ERR_LIMIT;
        if (call == 2) probe.commit = PLOY_ERR_LIMIT;
        if (call == 3) probe.message = PLOY_ERR_LIMIT;
        CHECK_INT(ploy_nested_enter(&nested, &env, "attack", &context),
                  call == 0 ? PLOY_STATUS_FAILURE : PLOY_STATUS_RUNNING);
        CHECK_INT(ploy_nested_step(&nested, &env, "attack", &context),
                  call < 2 ? PLOY_STATUS_FAILURE : PLOY_STATUS_RUNNING);
        ploy_nested_commit(&nested, &env, "attack", &context);
        CHECK_INT(nested.status, call < 3 ? PLOY_STATUS_FAILURE : PLOY_STATUS_RUNNING);
        CHECK(!ploy_nested_message(&nested, &env, "attack", &context, &message));
        CHECK_INT(nested.status, PLOY_STATUS_FAILURE);
        CHECK(nested.failed && !nested.entered);
        CHECK_INT(probe.exits, 1);
        CHECK_INT(probe.reason, PLOY_EXIT_ERROR);
        CHECK(context.path == &outer);
        ploy_nested_exit(&nested, &context, PLOY_EXIT_REMOVED); // not entered: nothing
        CHECK_INT(probe.exits, 1);
        CHECK_INT(log.lines, 1);
        CHECK_TEXT(log.text, "agent 7: guard/attack: a stated limit was reached");
        probe.enter = PLOY_OK;
        CHECK_INT(ploy_nested_enter(&nested, &env, "attack", &context), PLOY_STATUS_RUNNING);
        CHECK(nested.entered && !nested.failed);
        ploy_nested_destroy(&nested);
    }
}

TEST(the_path_ends_with_the_part_that_failed) {
    nest_log log;
    ploy_env env = nest_env(&log);
    nest_probe probe = {.step = PLOY_ERR_CALLBACK, .blame = "aim"};
    ploy_nested nested;
    CHECK_OK(ploy_nested_make(&nested, ploy_maker_of(nest_make, &probe), &env));
    ploy_step_context context = {.tick = 1};
    (void)ploy_nested_enter(&nested, &env, "attack", &context);
    (void)ploy_nested_step(&nested, &env, "attack", &context);
    CHECK_TEXT(log.text, "attack/aim: a callback of the caller reported failure");
}

TEST(a_path_too_long_for_the_line_loses_its_beginning) {
    nest_log log;
    ploy_env env = nest_env(&log);
    char name[200];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    nest_probe probe = {.step = PLOY_ERR_LIMIT};
    ploy_nested nested;
    CHECK_OK(ploy_nested_make(&nested, ploy_maker_of(nest_make, &probe), &env));
    ploy_step_path first = {NULL, name, NULL}, second = {&first, name, NULL};
    ploy_step_context context = {.agent = ploy_agent_id_make(123456, 1), .path = &second};
    (void)ploy_nested_enter(&nested, &env, "end", &context);
    (void)ploy_nested_step(&nested, &env, "end", &context);
    CHECK(strstr(log.text, "xxx/end: a stated limit was reached") != NULL);
}

TEST(what_a_failed_step_sent_is_taken_back) {
    nest_log log;
    ploy_env env = nest_env(&log);
    ploy_outbox *outbox = NULL;
    CHECK_OK(ploy_outbox_create(ploy_agent_id_make(1, 1), 8, 8, &env, &outbox));
    ploy_step_context context = {.outbox = outbox};
    for (int32_t i = 0; i < 2; i++) {
        nest_probe probe = {.sends = true, .step = i == 0 ? PLOY_OK : PLOY_ERR_LIMIT};
        ploy_nested nested;
        CHECK_OK(ploy_nested_make(&nested, ploy_maker_of(nest_make, &probe), &env));
        (void)ploy_nested_enter(&nested, &env, "speak", &context);
        (void)ploy_nested_step(&nested, &env, "speak", &context);
        CHECK_INT(ploy_outbox_message_count(outbox), 1); // the first one's
    }
    ploy_outbox_destroy(outbox);
}

TEST(a_step_that_was_left_within_changes_nothing_more) {
    for (int32_t again = 0; again < 2; again++) {
        nest_log log;
        ploy_env env = nest_env(&log);
        nest_probe probe = {.step = PLOY_ERR_LIMIT, .again = again == 1};
        ploy_nested nested;
        CHECK_OK(ploy_nested_make(&nested, ploy_maker_of(nest_make, &probe), &env));
        probe.leave = &nested;
        ploy_step_context context = {.tick = 1};
        (void)ploy_nested_enter(&nested, &env, "place", &context);
        (void)ploy_nested_step(&nested, &env, "place", &context);
        CHECK_INT(probe.exits, 1);
        CHECK_INT(probe.reason, PLOY_EXIT_INTERRUPTED);
        CHECK(nested.entered == (again == 1) && !nested.failed);
        CHECK_INT(log.lines, 0);
    }
}

TEST(an_error_is_told_to_the_trace) {
    nest_log log;
    ploy_env env = nest_env(&log);
    nest_probe probe = {.step = PLOY_ERR_LIMIT};
    ploy_nested nested;
    CHECK_OK(ploy_nested_make(&nested, ploy_maker_of(nest_make, &probe), &env));
    trace_why seen = {0};
    ploy_trace trace = trace_probe(&seen);
    ploy_step_context context = {.trace = &trace};
    (void)ploy_nested_enter(&nested, &env, "place", &context);
    (void)ploy_nested_step(&nested, &env, "place", &context);
    CHECK_INT(seen.rejected, 1);
    CHECK_INT(seen.depth, 0);
}

static ploy_json *nest_take(test_context *t, const ploy_nested *nested, const ploy_env *env) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_nested_save(nested, &json);
    CHECK_OK(ploy_json_writer_finish(&json));
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(buffer.bytes, buffer.size, "saved", &def, env, NULL, &doc));
    ploy_buffer_fini(&buffer);
    return doc;
}

TEST(a_saved_behavior_goes_on_or_stays_ended) {
    static const struct {
        const char *row;
        ploy_status status;
        ploy_result step;
        bool enter, entered;
    } rows[] = {
        {"runs", PLOY_STATUS_RUNNING, PLOY_OK, true, true},
        {"succeeded", PLOY_STATUS_SUCCESS, PLOY_OK, true, false},
        {"failed", PLOY_STATUS_FAILURE, PLOY_ERR_LIMIT, true, false},
        {"was never entered", PLOY_STATUS_RUNNING, PLOY_OK, false, false},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        nest_probe probe = {.status = rows[i].status, .step = rows[i].step};
        nest_probe other = {.status = PLOY_STATUS_RUNNING};
        ploy_nested old, fresh;
        ploy_step_context context = {.tick = 1};
        CHECK_OK(ploy_nested_make(&old, ploy_maker_of(nest_make, &probe), &env));
        CHECK_OK(ploy_nested_make(&fresh, ploy_maker_of(nest_make, &other), &env));
        if (rows[i].enter) {
            (void)ploy_nested_enter(&old, &env, "place", &context);
            (void)ploy_nested_step(&old, &env, "place", &context);
        }
        ploy_json *doc = nest_take(t, &old, &env);
        CHECK_OK(ploy_nested_load(&fresh, &env, "place", &context, doc, ploy_json_root(doc), NULL));
        CHECK(fresh.entered == rows[i].entered);
        CHECK(fresh.failed == old.failed);
        CHECK_INT(fresh.status, old.status);
        CHECK_INT(other.loads, rows[i].entered ? 1 : 0);
        CHECK_INT(other.enters, 0);
        CHECK_INT(other.steps, rows[i].entered ? 1 : 0);
        ploy_json_destroy(doc);
        // A value that is missing enters it.
        ploy_nested missing;
        CHECK_OK(ploy_nested_make(&missing, ploy_maker_of(nest_make, &other), &env));
        doc = nest_take(t, &old, &env);
        ploy_json_node none = ploy_json_member(doc, ploy_json_root(doc), "nothing");
        CHECK_OK(ploy_nested_load(&missing, &env, "place", &context, doc, none, NULL));
        CHECK(missing.entered);
        CHECK_INT(other.enters, 1);
        ploy_json_destroy(doc);
    }
}

TEST(a_running_behavior_is_handed_over) {
    ploy_env env = ploy_env_default();
    for (int32_t same = 0; same < 2; same++) {
        nest_probe probe = {.status = PLOY_STATUS_RUNNING};
        nest_probe other = {.status = PLOY_STATUS_RUNNING};
        ploy_nested old, fresh;
        ploy_step_context context = {.tick = 1};
        CHECK_OK(ploy_nested_make(&old, ploy_maker_of(nest_make, &probe), &env));
        CHECK_OK(ploy_nested_make(&fresh, ploy_maker_of(nest_make, &other), &env));
        (void)ploy_nested_enter(&old, &env, "place", &context);
        (void)ploy_nested_step(&old, &env, "place", &context);
        CHECK_OK(ploy_nested_hand_over(&old, &fresh, same == 1, &env, "place", &context, NULL));
        CHECK(fresh.entered && !old.entered);
        CHECK(fresh.behavior.self == (same == 1 ? &probe : &other));
        CHECK_INT(probe.exits, same == 1 ? 0 : 1);
        if (same == 0) CHECK_INT(probe.reason, PLOY_EXIT_REPLACED);
        CHECK_INT(other.loads, same == 1 ? 0 : 1);
        CHECK_INT(((nest_probe *)fresh.behavior.self)->steps, 1);
    }
}

TEST(an_error_while_handing_over_makes_the_new_one_fail) {
    nest_log log;
    ploy_env env = nest_env(&log);
    nest_probe probe = {.status = PLOY_STATUS_RUNNING};
    nest_probe other = {.status = PLOY_STATUS_RUNNING, .load = PLOY_ERR_LIMIT};
    ploy_nested old, fresh;
    ploy_step_context context = {.tick = 1};
    CHECK_OK(ploy_nested_make(&old, ploy_maker_of(nest_make, &probe), &env));
    CHECK_OK(ploy_nested_make(&fresh, ploy_maker_of(nest_make, &other), &env));
    (void)ploy_nested_enter(&old, &env, "place", &context);
    CHECK_OK(ploy_nested_hand_over(&old, &fresh, false, &env, "place", &context, NULL));
    CHECK(fresh.failed && !fresh.entered);
    CHECK_INT(other.exits, 1);
    CHECK_INT(log.lines, 1);
}

static ploy_result nest_hand_over_all(const ploy_env *env, void *arg) {
    nest_probe probe = {.status = PLOY_STATUS_RUNNING}, other = probe;
    ploy_nested old, fresh;
    ploy_step_context context = {.tick = 1};
    (void)arg;
    ploy_result result = ploy_nested_make(&old, ploy_maker_of(nest_make, &probe), env);
    if (result == PLOY_OK) {
        result = ploy_nested_make(&fresh, ploy_maker_of(nest_make, &other), env);
    }
    if (result != PLOY_OK) return result;
    (void)ploy_nested_enter(&old, env, "place", &context);
    result = ploy_nested_hand_over(&old, &fresh, false, env, "place", &context, NULL);
    bool kept = result == PLOY_OK ? fresh.entered && !old.entered : old.entered && !fresh.entered;
    return kept ? result : PLOY_ERR_STATE;
}

TEST(a_hand_over_without_memory_leaves_the_old_one_running) {
    CHECK_FAIL_NTH(nest_hand_over_all, NULL);
}
