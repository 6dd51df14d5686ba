#include "ploy/exec/behavior.h"

#include "tests/test.h"

typedef struct spy {
    int32_t enters, steps, exits, commits, messages, destroys, describes, draws;
    ploy_exit_reason reason;
    ploy_result result;
    ploy_status status;
    ploy_step_context *context;
} spy;

static ploy_result spy_enter(void *self, ploy_step_context *context) {
    spy *s = self;
    s->enters++;
    s->context = context;
    return s->result;
}

static ploy_result spy_step(void *self, ploy_step_context *context, ploy_status *status) {
    spy *s = self;
    s->steps++;
    s->context = context;
    if ((int)s->status >= 0) *status = s->status;
    return s->result;
}

static void spy_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    spy *s = self;
    (void)context;
    s->exits++;
    s->reason = reason;
}

static ploy_result spy_commit(void *self, ploy_step_context *context) {
    (void)context;
    ((spy *)self)->commits++;
    return ((spy *)self)->result;
}

static ploy_result spy_message(void *self, ploy_step_context *context, const ploy_message *message,
                               bool *handled) {
    (void)context, (void)message;
    ((spy *)self)->messages++;
    *handled = true;
    return ((spy *)self)->result;
}

static void spy_destroy(void *self) {
    ((spy *)self)->destroys++;
}

static int32_t described, drawn;

static void spy_visit(ploy_visit *v, void *object) {
    (void)object;
    if (v->describe != NULL) described++;
}

static void spy_draw(const void *self, ploy_draw *out) {
    (void)self, (void)out;
    drawn++;
}

static const ploy_behavior_type spy_type = {.name = "spy",
                                            .enter = spy_enter,
                                            .step = spy_step,
                                            .exit = spy_exit,
                                            .commit = spy_commit,
                                            .message = spy_message,
                                            .destroy = spy_destroy,
                                            .draw = spy_draw,
                                            .visit = spy_visit};

TEST(calls_reach_the_type_with_their_arguments) {
    spy s = {.status = PLOY_STATUS_SUCCESS};
    ploy_behavior behavior = {&spy_type, &s};
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("x"));
    ploy_status status = PLOY_STATUS_RUNNING;
    bool handled = false;
    ploy_describe describe = {NULL, NULL, NULL, NULL};
    ploy_draw draw = {NULL, NULL, 0};
    CHECK_OK(ploy_behavior_enter(behavior, &context));
    CHECK(s.context == &context);
    CHECK_OK(ploy_behavior_step(behavior, &context, &status));
    CHECK_INT(status, PLOY_STATUS_SUCCESS);
    CHECK_OK(ploy_behavior_commit(behavior, &context));
    CHECK_OK(ploy_behavior_message(behavior, &context, &message, &handled));
    CHECK(handled);
    CHECK_OK(ploy_behavior_message(behavior, &context, &message, NULL));
    ploy_behavior_exit(behavior, &context, PLOY_EXIT_INTERRUPTED);
    CHECK_INT(s.reason, PLOY_EXIT_INTERRUPTED);
    described = drawn = 0;
    ploy_behavior_describe(behavior, &describe);
    ploy_behavior_draw(behavior, &draw);
    ploy_behavior_describe(behavior, NULL);
    ploy_behavior_draw(behavior, NULL);
    ploy_behavior_destroy(behavior);
    CHECK_INT(s.enters + s.steps + s.exits + s.commits + s.messages + s.destroys, 7);
    CHECK_INT(described, 1);
    CHECK_INT(drawn, 1);
}

TEST(what_a_type_leaves_out_is_left_out) {
    ploy_behavior_type bare;
    memset(&bare, 0, sizeof bare);
    bare.step = spy_step;
    spy s = {.status = PLOY_STATUS_RUNNING};
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("x"));
    ploy_describe describe = {NULL, NULL, NULL, NULL};
    ploy_draw draw = {NULL, NULL, 0};
    const ploy_behavior_type *types[] = {&bare, NULL};
    for (size_t i = 0; i < 2; i++) {
        ploy_behavior behavior = {types[i], &s};
        bool handled = true;
        ploy_status status = PLOY_STATUS_SKIPPED;
        CHECK_OK(ploy_behavior_enter(behavior, &context));
        CHECK_OK(ploy_behavior_commit(behavior, &context));
        CHECK_OK(ploy_behavior_message(behavior, &context, &message, &handled));
        CHECK(!handled);
        ploy_behavior_exit(behavior, &context, PLOY_EXIT_FINISHED);
        ploy_behavior_describe(behavior, &describe);
        ploy_behavior_draw(behavior, &draw);
        ploy_behavior_destroy(behavior);
        CHECK_INT(ploy_behavior_step(behavior, &context, &status),
                  i == 0 ? PLOY_OK : PLOY_ERR_ARGUMENT);
        CHECK_INT(status, i == 0 ? PLOY_STATUS_RUNNING : PLOY_STATUS_SKIPPED);
    }
    CHECK_INT(ploy_behavior_message((ploy_behavior){&spy_type, &s}, &context, NULL, NULL),
              PLOY_ERR_ARGUMENT);
}

TEST(answers_that_make_no_sense_are_errors) {
    spy s = {.status = (ploy_status)-1}; // says fine and sets nothing
    ploy_behavior behavior = {&spy_type, &s};
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("x"));
    ploy_status status = PLOY_STATUS_SKIPPED;
    CHECK_INT(ploy_behavior_step(behavior, &context, &status), PLOY_ERR_CALLBACK);
    s.status = (ploy_status)42;
    CHECK_INT(ploy_behavior_step(behavior, &context, &status), PLOY_ERR_CALLBACK);
    s.status = PLOY_STATUS_RUNNING;
    s.result = PLOY_IN_PROGRESS;
    bool handled = false;
    CHECK_INT(ploy_behavior_step(behavior, &context, &status), PLOY_ERR_CALLBACK);
    CHECK_INT(ploy_behavior_enter(behavior, &context), PLOY_ERR_CALLBACK);
    CHECK_INT(ploy_behavior_commit(behavior, &context), PLOY_ERR_CALLBACK);
    CHECK_INT(ploy_behavior_message(behavior, &context, &message, &handled), PLOY_ERR_CALLBACK);
    CHECK(!handled); // set only on PLOY_OK
    s.result = PLOY_ERR_LIMIT;
    CHECK_INT(ploy_behavior_step(behavior, &context, &status), PLOY_ERR_LIMIT);
    CHECK_INT(status, PLOY_STATUS_SKIPPED);
    CHECK_INT(ploy_behavior_step(behavior, &context, NULL), PLOY_ERR_ARGUMENT);
}

TEST(texts_are_those_of_the_enumerators) {
    CHECK_TEXT(ploy_status_text(PLOY_STATUS_RUNNING), "running");
    CHECK_TEXT(ploy_status_text(PLOY_STATUS_SUCCESS), "success");
    CHECK_TEXT(ploy_status_text(PLOY_STATUS_FAILURE), "failure");
    CHECK_TEXT(ploy_status_text(PLOY_STATUS_SKIPPED), "skipped");
    CHECK_TEXT(ploy_status_text((ploy_status)77), "?");
    CHECK_TEXT(ploy_exit_reason_text(PLOY_EXIT_FINISHED), "finished");
    CHECK_TEXT(ploy_exit_reason_text(PLOY_EXIT_INTERRUPTED), "interrupted");
    CHECK_TEXT(ploy_exit_reason_text(PLOY_EXIT_REPLACED), "replaced");
    CHECK_TEXT(ploy_exit_reason_text(PLOY_EXIT_REMOVED), "removed");
    CHECK_TEXT(ploy_exit_reason_text(PLOY_EXIT_ERROR), "error");
    CHECK_TEXT(ploy_exit_reason_text((ploy_exit_reason)77), "?");
}

// ---- saving ----

// Keeps a number; "old" ones know the key "n", and take it up only if it is there.
typedef struct keeper {
    int64_t n;
    int32_t enters, exits, loads;
} keeper;

static ploy_result keeper_enter(void *self, ploy_step_context *context) {
    (void)context;
    ((keeper *)self)->enters++;
    return PLOY_OK;
}

static ploy_result keeper_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)context;
    ((keeper *)self)->n++;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void keeper_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context;
    if (reason == PLOY_EXIT_REPLACED) ((keeper *)self)->exits++;
}

static void keeper_visit(ploy_visit *v, void *object) {
    keeper *self = object;
    if (ploy_visit_loads(v)) self->loads++;
    ploy_visit_i64(v, "n", PLOY_STATE, &self->n);
}

static const ploy_behavior_type keeper_type = {.name = "keeper",
                                               .enter = keeper_enter,
                                               .step = keeper_step,
                                               .exit = keeper_exit,
                                               .visit = keeper_visit};
static const ploy_behavior_type forgetful_type = {
    .name = "keeper", .enter = keeper_enter, .step = keeper_step, .exit = keeper_exit};
static const ploy_behavior_type stranger_type = {
    .name = "stranger", .enter = keeper_enter, .step = keeper_step, .exit = keeper_exit};

TEST(a_mind_is_handed_over_or_restarts_and_says_so) {
    static const struct {
        const char *row;
        const ploy_behavior_type *type;
        int32_t loads, enters, warnings;
        int64_t n;
    } rows[] = {
        {"goes on", &keeper_type, 1, 0, 0, 3},
        {"keeps nothing", &forgetful_type, 0, 1, 1, 0},
        {"is another", &stranger_type, 0, 1, 1, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_env env = ploy_env_default();
        ploy_step_context context;
        memset(&context, 0, sizeof context);
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        keeper old = {3, 1, 0, 0}, fresh = {0, 0, 0, 0};
        ploy_behavior from = {&keeper_type, &old}, to = {rows[i].type, &fresh};
        CHECK_OK(ploy_behavior_reload(from, to, &context, &env, diags));
        CHECK_INT(old.exits, 1);
        CHECK_INT(fresh.loads, rows[i].loads);
        CHECK_INT(fresh.enters, rows[i].enters);
        CHECK_INT(fresh.n, rows[i].n);
        CHECK_INT(ploy_diags_count(diags), rows[i].warnings);
        if (rows[i].warnings > 0) {
            CHECK_INT(ploy_diags_get(diags, 0)->severity, PLOY_SEVERITY_WARNING);
        }
        ploy_diags_destroy(diags);
    }
}

static ploy_blackboard *left_with, *taken_up_with;

static void noting_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)self, (void)reason;
    left_with = context->blackboard;
}

static void noting_visit(ploy_visit *v, void *object) {
    const ploy_step_context *context = v->context;
    (void)object;
    if (ploy_visit_loads(v)) taken_up_with = context->blackboard;
}

TEST(a_mind_with_another_blackboard_is_left_with_the_old_one) {
    ploy_env env = ploy_env_default();
    ploy_behavior_type type = keeper_type;
    type.exit = noting_exit;
    type.visit = noting_visit;
    keeper old = {3, 1, 0, 0}, fresh = {0, 0, 0, 0};
    ploy_behavior from = {&type, &old}, to = {&type, &fresh};
    ploy_step_context one, two;
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    one.blackboard = (ploy_blackboard *)&old; // only handed on
    two.blackboard = (ploy_blackboard *)&fresh;
    CHECK_OK(ploy_behavior_hand_over(from, &one, to, &two, &env, NULL));
    CHECK(left_with == one.blackboard && taken_up_with == two.blackboard);
    CHECK_INT(ploy_behavior_hand_over(from, NULL, to, &two, &env, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_behavior_hand_over(from, &one, to, NULL, &env, NULL), PLOY_ERR_ARGUMENT);
}

static ploy_result keeper_reload(const ploy_env *env, void *arg) {
    keeper old = {3, 1, 0, 0}, fresh = {0, 0, 0, 0};
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    ploy_behavior from = {&keeper_type, &old}, to = {&keeper_type, &fresh};
    ploy_result result = ploy_behavior_reload(from, to, &context, env, NULL);
    // Out of memory the old one still runs.
    if (old.exits != (result == PLOY_OK) || fresh.loads != old.exits) *(bool *)arg = false;
    return result;
}

TEST(a_reload_without_memory_changes_nothing) {
    bool fine = true;
    CHECK_FAIL_NTH(keeper_reload, &fine);
    CHECK(fine);
}

TEST(a_context_made_by_hand_is_empty_and_moves_on) {
    ploy_agent_id agent = ploy_agent_id_make(3, 2);
    ploy_step_context context = ploy_step_context_make(agent, NULL, 0.25f);
    CHECK(ploy_id_equal(context.agent.id, agent.id));
    CHECK_UINT(context.tick, 0);
    CHECK_SAME(context.now, 0.0);
    CHECK(context.blackboard == NULL && context.budget == NULL && context.trace == NULL);
    CHECK(context.scratch == NULL && context.outbox == NULL);
    CHECK(context.world == NULL && context.game == NULL);
    ploy_step_context_next(&context);
    ploy_step_context_next(&context);
    CHECK_UINT(context.tick, 2);
    CHECK_SAME(context.now, 0.5);
    CHECK_SAME(context.dt, 0.25f);
}
