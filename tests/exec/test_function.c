#include "ploy/base/writer.h"
#include "ploy/exec/maker.h"
#include "tests/test.h"

// Counts up to a limit; the count is its state.
typedef struct count_state {
    uint32_t cookie;
    int32_t count;
    float sum;
} count_state;

static const ploy_field count_fields[] = {
    PLOY_FIELD_I32(count_state, count, 1, 0, 100, "", "steps so far"),
    PLOY_FIELD_F32(count_state, sum, 0.5f, -1e6f, 1e6f, "", "sum of the steps"),
};

static ploy_fields count_table(void) {
    return PLOY_FIELDS(count_state, count_fields);
}

typedef struct count_user {
    int32_t limit, enters, exits;
    ploy_result entering;
} count_user;

static ploy_result count_enter(void *user, void *state, ploy_step_context *context) {
    count_user *u = user;
    (void)state;
    (void)context;
    u->enters++;
    return u->entering;
}

static ploy_result count_step(void *user, void *state, ploy_step_context *context,
                              ploy_status *status) {
    count_state *s = state;
    s->count++;
    s->sum += context->dt;
    *status = s->count >= ((count_user *)user)->limit ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void count_exit(void *user, void *state, ploy_step_context *context,
                       ploy_exit_reason reason) {
    (void)state;
    (void)context;
    (void)reason;
    ((count_user *)user)->exits++;
}

static ploy_result count_message(void *user, void *state, ploy_step_context *context,
                                 const ploy_message *message, bool *handled) {
    (void)user;
    (void)context;
    (void)message;
    ((count_state *)state)->count = 0;
    *handled = true;
    return PLOY_OK;
}

static ploy_function count_function(count_user *user) {
    ploy_function function = {"count",       count_step, count_enter,         count_exit,
                              count_message, user,       sizeof(count_state), count_table};
    return function;
}

static ploy_json *function_take(test_context *t, ploy_behavior behavior, const ploy_env *env) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_behavior_save(behavior, &json);
    CHECK_OK(ploy_json_writer_finish(&json));
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(buffer.bytes, buffer.size, "saved", &def, env, NULL, &doc));
    ploy_buffer_fini(&buffer);
    return doc;
}

static uint64_t function_hash(ploy_behavior behavior) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_behavior_describe(behavior, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(a_function_starts_from_its_defaults_on_each_enter) {
    ploy_env env = ploy_env_default();
    count_user user = {.limit = 4};
    ploy_function function = count_function(&user);
    ploy_behavior behavior = {NULL, NULL};
    CHECK_OK(ploy_maker_make(ploy_function_maker(&function), &env, &behavior));
    ploy_step_context context = {.dt = 0.25f};
    for (int32_t run = 0; run < 2; run++) {
        CHECK_OK(ploy_behavior_enter(behavior, &context));
        ploy_status status = PLOY_STATUS_RUNNING;
        int32_t steps = 0;
        while (status == PLOY_STATUS_RUNNING) {
            CHECK_OK(ploy_behavior_step(behavior, &context, &status));
            steps++;
        }
        CHECK_INT(steps, 3); // from 1, the table's default, to 4
        ploy_behavior_exit(behavior, &context, PLOY_EXIT_FINISHED);
    }
    CHECK_INT(user.enters, 2);
    CHECK_INT(user.exits, 2);
    ploy_message message;
    memset(&message, 0, sizeof message);
    bool handled = false;
    CHECK_OK(ploy_behavior_message(behavior, &context, &message, &handled));
    CHECK(handled);
    ploy_behavior_destroy(behavior);
}

TEST(a_function_is_saved_by_its_field_table) {
    ploy_env env = ploy_env_default();
    count_user user = {.limit = 10};
    ploy_function function = count_function(&user);
    ploy_behavior old = {NULL, NULL}, fresh = {NULL, NULL};
    CHECK_OK(ploy_function_behavior(&function, &env, &old));
    CHECK_OK(ploy_function_behavior(&function, &env, &fresh));
    ploy_step_context context = {.dt = 0.1f};
    ploy_status status;
    CHECK_OK(ploy_behavior_enter(old, &context));
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_behavior_step(old, &context, &status));
    ploy_json *doc = function_take(t, old, &env);
    CHECK_OK(ploy_behavior_load(fresh, &context, doc, ploy_json_root(doc), NULL));
    CHECK_INT(user.enters, 1); // loaded, not entered
    CHECK(function_hash(old) == function_hash(fresh));
    CHECK_OK(ploy_behavior_step(fresh, &context, &status));
    CHECK(function_hash(old) != function_hash(fresh));
    CHECK_OK(ploy_behavior_step(old, &context, &status));
    CHECK(function_hash(old) == function_hash(fresh));
    ploy_json_destroy(doc);
    ploy_behavior_destroy(old);
    ploy_behavior_destroy(fresh);
}

TEST(a_function_restarts_if_its_saved_state_does_not_fit) {
    ploy_env env = ploy_env_default();
    static const struct {
        const char *row, *text;
        int32_t enters;
    } rows[] = {
        {"fits",
         "{\"type\":\"function\",\"state\":{\"function\":\"count\",\"state\":{\"count\":7}}}", 0},
        {"another name", "{\"type\":\"function\",\"state\":{\"function\":\"sum\",\"state\":{}}}",
         1},
        {"out of range",
         "{\"type\":\"function\",\"state\":{\"function\":\"count\",\"state\":{\"count\":700}}}", 1},
        {"another field",
         "{\"type\":\"function\",\"state\":{\"function\":\"count\",\"state\":{\"n\":7}}}", 1},
        {"no state", "{\"type\":\"function\",\"state\":{\"function\":\"count\"}}", 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        count_user user = {.limit = 10};
        ploy_function function = count_function(&user);
        ploy_behavior behavior = {NULL, NULL};
        CHECK_OK(ploy_function_behavior(&function, &env, &behavior));
        ploy_step_context context = {.dt = 0.1f};
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        ploy_json_def def = ploy_json_def_default();
        ploy_json *doc = NULL;
        CHECK_OK(
            ploy_json_load(rows[i].text, strlen(rows[i].text), "saved", &def, &env, NULL, &doc));
        CHECK_OK(ploy_behavior_load(behavior, &context, doc, ploy_json_root(doc), diags));
        CHECK_INT(user.enters, rows[i].enters);
        CHECK_INT(ploy_diags_count(diags), rows[i].enters);
        ploy_json_destroy(doc);
        ploy_diags_destroy(diags);
        ploy_behavior_destroy(behavior);
    }
}

TEST(a_function_without_a_table_restarts_on_load_unless_it_has_no_state) {
    ploy_env env = ploy_env_default();
    for (int32_t bytes = 0; bytes < 2; bytes++) {
        count_user user = {.limit = 10};
        ploy_function function = count_function(&user);
        function.fields = NULL;
        function.state_size = bytes == 0 ? 0 : sizeof(count_state);
        ploy_behavior behavior = {NULL, NULL};
        CHECK_OK(ploy_function_behavior(&function, &env, &behavior));
        ploy_step_context context = {.dt = 0.1f};
        ploy_json *doc = function_take(t, behavior, &env);
        CHECK_OK(ploy_behavior_load(behavior, &context, doc, ploy_json_root(doc), NULL));
        CHECK_INT(user.enters, bytes);
        ploy_json_destroy(doc);
        ploy_behavior_destroy(behavior);
    }
}

TEST(a_function_that_is_not_complete_is_refused) {
    ploy_env env = ploy_env_default();
    count_user user = {.limit = 1};
    ploy_behavior behavior = {NULL, NULL};
    for (int32_t i = 0; i < 4; i++) {
        ploy_function function = count_function(&user);
        if (i == 0) function.name = NULL;
        if (i == 1) function.step = NULL;
        if (i == 2) function.state_size = 4; // the table says otherwise
        if (i == 3) {
            function.fields = NULL;
            function.state_size = (size_t)1 << 30;
        }
        CHECK_INT(ploy_function_behavior(&function, &env, &behavior), PLOY_ERR_ARGUMENT);
        CHECK(behavior.type == NULL);
    }
}
