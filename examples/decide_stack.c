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

static ploy_result alarm_step(void *user, void *state, ploy_step_context *context,
                              ploy_status *status) {
    (void)user, (void)state;
    *status = PLOY_STATUS_RUNNING;
    return context->tick == 4 ? want(context, "cover", status) : PLOY_OK;
}

static ploy_result decider_step(void *user, void *state, ploy_step_context *context,
                                ploy_status *status) {
    (void)user, (void)state;
    printf(" [decides]");
    return want(context, "patrol", status);
}

int main(void) {
    static const ploy_function alarm_function = {.name = "alarm", .step = alarm_step};
    static const ploy_function decider_function = {.name = "decider", .step = decider_step};
    int steps[8] = {0};
    ploy_env env = ploy_env_default();
    ploy_action_host host = {.move = {body_begin, body_act, NULL, steps}};
    ploy_actions_def body = ploy_actions_def_default();
    body.capacity = 8;
    ploy_action_stack_def def = ploy_action_stack_def_default();
    def.urgency = 10; // the alarm's actions come before all others
    ploy_actions *actions = NULL;
    ploy_action_book *book = NULL;
    ploy_action_stack_type *type = NULL;
    ploy_behavior behavior;
    ploy_maker alarm = ploy_function_maker(&alarm_function);
    ploy_maker decider = ploy_function_maker(&decider_function);
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
        ploy_action_stack_type_create(&def, book, alarm, decider, actions, &env, &type) !=
            PLOY_OK ||
        ploy_maker_make(ploy_action_stack_type_maker(type), &env, &behavior) != PLOY_OK ||
        ploy_behavior_enter(behavior, &context) != PLOY_OK) {
        return 1;
    }
    for (; context.tick < 9; ploy_step_context_next(&context)) {
        ploy_status status;
        printf("%d:", (int)context.tick);
        ploy_behavior_step(behavior, &context, &status); // thinks
        ploy_behavior_commit(behavior, &context);        // starts, goes on, ends
        ploy_actions_step(actions, 1.0f);                // the body acts
        printf("\n");
    }
    ploy_behavior_exit(behavior, &context, PLOY_EXIT_REMOVED);
    ploy_behavior_destroy(behavior);
    ploy_action_stack_type_destroy(type);
    ploy_action_book_destroy(book);
    ploy_actions_destroy(actions);
    return 0;
}
