// Behaviors of your own under the engine: a dog hears a noise and alerts its guard, who wakes up.
// Shows ploy_behavior_type, a blackboard, and messages between characters.
#include <stdio.h>

#include "ploy/exec/engine.h"

static const ploy_agent_id dog_id = {{0, 1}}, guard_id = {{1, 1}};

static const ploy_blackboard_key guard_keys[] = {
    {"awake", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "has heard the dog"},
};

// The dog barks in tick 2. What it sends goes through its outbox: dogs may think in parallel.
static ploy_result dog_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self;
    *status = PLOY_STATUS_RUNNING;
    if (context->tick != 2) return PLOY_OK;
    printf("%d: the dog barks\n", (int)context->tick);
    ploy_message bark = ploy_message_make(dog_id, guard_id, ploy_name_of("bark"));
    return ploy_outbox_message(context->outbox, &bark);
}

// The guard sleeps until its blackboard says otherwise; then it is done.
static ploy_result guard_step(void *self, ploy_step_context *context, ploy_status *status) {
    const ploy_slot *awake = self; // resolved once, when the guard was made
    bool up = ploy_blackboard_get_bool(context->blackboard, *awake);
    printf("%d: the guard %s\n", (int)context->tick, up ? "gets up" : "sleeps");
    *status = up ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result guard_message(void *self, ploy_step_context *context,
                                 const ploy_message *message, bool *handled) {
    const ploy_slot *awake = self;
    *handled = ploy_name_equal(message->kind, ploy_name_of("bark"));
    return *handled ? ploy_blackboard_set_bool(context->blackboard, *awake, true) : PLOY_OK;
}

int main(void) {
    static const ploy_behavior_type dog = {.name = "dog", .step = dog_step};
    static const ploy_behavior_type guard = {
        .name = "guard", .step = guard_step, .message = guard_message};
    ploy_env env = ploy_env_default();
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine_entry entry = ploy_engine_entry_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_engine *engine = NULL;
    if (ploy_blackboard_layout_create(guard_keys, 1, "guard", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &board) != PLOY_OK ||
        ploy_engine_create(&def, &env, &engine) != PLOY_OK) {
        return 1;
    }
    ploy_slot awake = ploy_blackboard_layout_find(layout, "awake");
    entry.behavior.type = &dog;
    entry.agent = dog_id;
    ploy_result result = ploy_engine_register(engine, &entry, NULL);
    entry.behavior.type = &guard;
    entry.behavior.self = &awake;
    entry.agent = guard_id;
    entry.blackboard = board;
    entry.once = true; // when finished, stays so
    if (result == PLOY_OK) result = ploy_engine_register(engine, &entry, NULL);
    for (int tick = 0; tick < 5 && result == PLOY_OK; tick++) {
        result = ploy_engine_step(engine, 0.5f, NULL, NULL);
    }
    printf("done: %s\n", ploy_result_text(result));
    ploy_engine_destroy(engine);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    return result == PLOY_OK ? 0 : 1;
}
