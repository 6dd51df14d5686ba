#include "decide/decide_internal.h"
#include "ploy/decide/action_stack.h"

#include "tests/test.h"

// A guard that patrols, two frames a round, and takes cover while it is shot at.
typedef struct post {
    ploy_env env;
    ploy_actions *actions;
    ploy_action_book *book;
    ploy_action_stack *stack;
    ploy_step_context context;
    ploy_budget budget;
    bool shot;
    int32_t shy;   // how often the decider is asked in vain
    int32_t asked; // the decider, so far
    int32_t enters, exits;
    int32_t frames; // of the action under way
    char log[256];
} post;

static ploy_result post_begin(void *user, ploy_action_id id, const ploy_action_request *request) {
    (void)id;
    (void)request;
    ((post *)user)->frames = 0;
    return PLOY_OK;
}

static ploy_result post_act(void *user, ploy_action_id id, const ploy_action_request *request,
                            float dt, ploy_status *status) {
    (void)id;
    (void)dt;
    post *it = user;
    bool patrol = ploy_name_equal(request->kind, ploy_name_of("patrol"));
    size_t used = strlen(it->log);
    it->log[used] = patrol ? 'p' : 'c';
    *status = ++it->frames >= 2 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result post_want(ploy_step_context *context, const char *kind) {
    ploy_action_request request =
        ploy_action_request_make(ploy_agent_id_make(3, 1), ploy_name_of(kind), PLOY_ACTION_ANIMATE);
    return ploy_outbox_action(context->outbox, &request);
}

static ploy_result post_alarm(void *self, ploy_step_context *context, ploy_status *status) {
    post *it = self;
    *status = PLOY_STATUS_RUNNING;
    return it->shot ? post_want(context, "cover") : PLOY_OK;
}

static ploy_result post_enter(void *self, ploy_step_context *context) {
    (void)context;
    ((post *)self)->enters++;
    return PLOY_OK;
}

static void post_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context;
    (void)reason;
    ((post *)self)->exits++;
}

static ploy_result post_decide(void *self, ploy_step_context *context, ploy_status *status) {
    post *it = self;
    it->asked++;
    *status = PLOY_STATUS_SUCCESS;
    if (it->shy > 0) {
        it->shy--;
        return PLOY_OK;
    }
    ploy_message hello;
    memset(&hello, 0, sizeof hello);
    hello.kind = ploy_name_of("hello");
    ploy_outbox_message(context->outbox, &hello);
    return post_want(context, "patrol");
}

static ploy_result post_make_alarm(void *user, const ploy_env *env, ploy_behavior *out) {
    static const ploy_behavior_type type = {.name = "alarm", .step = post_alarm};
    (void)env;
    out->type = &type;
    out->self = user;
    return PLOY_OK;
}

static ploy_result post_make_decider(void *user, const ploy_env *env, ploy_behavior *out) {
    static const ploy_behavior_type type = {
        .name = "decider", .enter = post_enter, .step = post_decide, .exit = post_exit};
    (void)env;
    out->type = &type;
    out->self = user;
    return PLOY_OK;
}

static ploy_result post_open(post *it, const ploy_env *env) {
    memset(it, 0, sizeof *it);
    it->env = *env;
    ploy_action_controller all = {post_begin, post_act, NULL, it};
    ploy_action_host host = {.animate = all};
    ploy_actions_def def = ploy_actions_def_default();
    def.capacity = 8;
    ploy_result result = ploy_actions_create(&def, &host, env, &it->actions);
    if (result == PLOY_OK) result = ploy_action_book_create(env, &it->book);
    if (result != PLOY_OK) return result;
    ploy_action_part part = ploy_action_part_make("patrol", PLOY_ACTION_ANIMATE, 1);
    ploy_action_book_add(it->book, &part);
    part = ploy_action_part_make("cover", PLOY_ACTION_ANIMATE, 1);
    part.interrupts = true;
    ploy_action_book_add(it->book, &part);
    result = ploy_action_book_finish(it->book);
    if (result != PLOY_OK) return result;
    ploy_action_stack_def stack = ploy_action_stack_def_default();
    stack.urgency = 10;
    ploy_maker alarm = ploy_maker_of(post_make_alarm, it),
               decider = ploy_maker_of(post_make_decider, it);
    it->context.budget = NULL;
    it->context.dt = 0.1f;
    return ploy_action_stack_create(&stack, it->book, ploy_agent_id_make(3, 1), alarm, decider,
                                    it->actions, env, &it->stack);
}

static void post_close(post *it) {
    ploy_action_stack_destroy(it->stack);
    ploy_action_book_destroy(it->book);
    ploy_actions_destroy(it->actions);
}

static void post_frame(test_context *t, post *it) {
    ploy_behavior behavior = ploy_action_stack_behavior(it->stack);
    ploy_status status = PLOY_STATUS_FAILURE;
    CHECK_OK(ploy_behavior_step(behavior, &it->context, &status));
    CHECK_INT(status, PLOY_STATUS_RUNNING);
    CHECK_OK(ploy_behavior_commit(behavior, &it->context));
    CHECK_OK(ploy_actions_step(it->actions, 0.1f));
    it->context.now += 0.1;
}

// ACT-11: alarm, then the queue, then the decider until it wants something.
TEST(the_alarm_comes_first_and_the_decider_only_when_nothing_waits) {
    ploy_env env = ploy_env_default();
    post it;
    CHECK_OK(post_open(&it, &env));
    for (int32_t f = 0; f < 3; f++) post_frame(t, &it);
    CHECK_TEXT(it.log, "pp"); // the third frame notices the end
    CHECK_INT(it.asked, 1);   // nobody asks again while it acts
    post_frame(t, &it);
    CHECK_TEXT(it.log, "ppp");
    CHECK_INT(it.asked, 2);
    it.shot = true;
    post_frame(t, &it);
    it.shot = false;
    CHECK_TEXT(it.log, "pppc"); // pushed aside at once
    CHECK_INT(it.asked, 2);
    ploy_action_event event;
    ploy_action_manager *manager = ployi_action_stack_manager(it.stack);
    CHECK(ploy_action_manager_event(manager, ploy_action_manager_event_count(manager) - 1, &event));
    CHECK(ploy_name_equal(event.source, ploy_name_of("alarm")));
    CHECK_SAME(event.priority, 10);
    ploy_behavior_exit(ploy_action_stack_behavior(it.stack), &it.context, PLOY_EXIT_INTERRUPTED);
    CHECK_INT(ployi_action_manager_active_count(manager), 0);
    CHECK_INT(it.enters, it.exits);
    post_close(&it);
}

// ACT-11: the decider is asked again in the same step, but not without end nor without budget.
TEST(the_decider_is_asked_until_it_wants_something_or_the_budget_is_out) {
    static const struct {
        const char *row;
        int32_t shy;
        int64_t budget;
        int32_t asked;
        const char *log;
    } rows[] = {
        {"at once", 0, 100, 1, "p"},          {"at the third time", 2, 100, 3, "p"},
        {"not in this step", 9, 100, 4, ""},  {"no budget left", 2, 3, 2, ""},
        {"for the alarm alone", 0, 1, 0, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_env env = ploy_env_default();
        post it;
        CHECK_OK(post_open(&it, &env));
        it.shy = rows[i].shy;
        it.budget = ploy_budget_units(rows[i].budget);
        it.context.budget = &it.budget;
        post_frame(t, &it);
        CHECK_INT(it.asked, rows[i].asked);
        CHECK_TEXT(it.log, rows[i].log);
        CHECK_INT(it.enters, it.exits); // it answers at once
        post_close(&it);
    }
}

TEST(what_thinkers_tell_others_goes_on) {
    ploy_env env = ploy_env_default();
    post it;
    CHECK_OK(post_open(&it, &env));
    ploy_outbox *outbox = NULL;
    CHECK_OK(ploy_outbox_create(ploy_agent_id_make(3, 1), 4, 4, &env, &outbox));
    it.context.outbox = outbox;
    post_frame(t, &it);
    CHECK_INT(ploy_outbox_message_count(outbox), 1);
    CHECK_INT(ploy_outbox_action_count(outbox), 0);
    ploy_outbox_destroy(outbox);
    post_close(&it);
}

static ploy_result post_make(const ploy_env *env, void *arg) {
    (void)arg;
    post it;
    ploy_result result = post_open(&it, env);
    post_close(&it);
    return result;
}

TEST(every_failing_allocation_is_survived_and_the_table_is_right) {
    CHECK_FAIL_NTH(post_make, NULL);
    CHECK_OK(ploy_fields_check_table(ploy_action_stack_fields(), NULL));
    ploy_action_stack *stack = NULL;
    CHECK_INT(ploy_action_stack_create(NULL, NULL, ploy_agent_id_none(), ploy_maker_none(),
                                       ploy_maker_none(), NULL, NULL, &stack),
              PLOY_ERR_ARGUMENT);
    CHECK(stack == NULL);
}
