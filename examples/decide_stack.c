// A whole character: an alarm that looks in every step, a decider that is asked only when nothing
// waits, and a manager between them and the body. You see a patrol, shots at step 4 that send it
// into cover at once, and the patrol again. Shows ploy_action_stack.
#include <stdio.h>

#include "ploy/decide/action_stack.h"

// Every action takes two steps of the body.
static ploy_result body_act(void *user, ploy_action_id id, const ploy_action_request *request,
                            float dt, ploy_status *status) {
    int *steps = (int *)user + id.id.index;
    (void)dt;
    printf(" %s", ploy_name_equal(request->kind, ploy_name_of("patrol")) ? "patrols" : "hides");
    *status = ++*steps == 2 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result body_begin(void *user, ploy_action_id id, const ploy_action_request *request) {
    (void)request;
    ((int *)user)[id.id.index] = 0;
    return PLOY_OK;
}

static ploy_result want(ploy_step_context *context, const char *kind, ploy_status *status) {
    ploy_action_request request =
        ploy_action_request_make(context->agent, ploy_name_of(kind), PLOY_ACTION_MOVE);
    *status = PLOY_STATUS_SUCCESS; // decided; the manager keeps at it
    return ploy_outbox_action(context->outbox, &request);
}

static ploy_result alarm_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self;
    *status = PLOY_STATUS_RUNNING;
    return context->tick == 4 ? want(context, "cover", status) : PLOY_OK;
}

static ploy_result decider_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self;
    printf(" [decides]");
    return want(context, "patrol", status);
}

static ploy_result make(void *user, const ploy_env *env, ploy_behavior *out) {
    (void)env;
    out->type = user; // neither has a state of its own
    out->self = NULL;
    return PLOY_OK;
}

int main(void) {
    static ploy_behavior_type alarm_type = {.name = "alarm", .step = alarm_step};
    static ploy_behavior_type decider_type = {.name = "decider", .step = decider_step};
    int steps[8] = {0};
    ploy_env env = ploy_env_default();
    ploy_action_host host = {.move = {body_begin, body_act, NULL, steps}};
    ploy_actions_def body = ploy_actions_def_default();
    body.capacity = 8;
    ploy_action_stack_def def = ploy_action_stack_def_default();
    def.urgency = 10; // what the alarm wants comes before all else
    ploy_actions *actions = NULL;
    ploy_action_book *book = NULL;
    ploy_action_stack *stack = NULL;
    ploy_maker alarm = ploy_maker_of(make, &alarm_type),
               decider = ploy_maker_of(make, &decider_type);
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_action_part patrol = ploy_action_part_make("patrol", PLOY_ACTION_MOVE, 1);
    ploy_action_part cover = ploy_action_part_make("cover", PLOY_ACTION_MOVE, 1);
    cover.interrupts = true;
    if (ploy_actions_create(&body, &host, &env, &actions) != PLOY_OK ||
        ploy_action_book_create(&env, &book) != PLOY_OK) {
        return 1;
    }
    ploy_action_book_add(book, &patrol);
    ploy_action_book_add(book, &cover);
    if (ploy_action_book_finish(book) != PLOY_OK ||
        ploy_action_stack_create(&def, book, context.agent, alarm, decider, actions, &env,
                                 &stack) != PLOY_OK) {
        return 1;
    }
    ploy_behavior behavior = ploy_action_stack_get(stack);
    for (; context.tick < 9; ploy_step_context_next(&context)) {
        ploy_status status;
        printf("%d:", (int)context.tick);
        ploy_behavior_step(behavior, &context, &status); // thinks
        ploy_behavior_commit(behavior, &context);        // starts, goes on, ends
        ploy_actions_step(actions, 1.0f);                // the body acts
        printf("\n");
    }
    ploy_action_stack_destroy(stack);
    ploy_action_book_destroy(book);
    ploy_actions_destroy(actions);
    return 0;
}
