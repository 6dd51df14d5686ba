// Replace a placeholder while the game runs. The level starts with a guard that only waits; the real
// patrol takes its place in tick 2, under the same id and with the same blackboard. Shows
// ploy_engine_replace.
#include <stdio.h>

#include "ploy/exec/engine.h"

static const ploy_blackboard_key keys[] = {
    {"post", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "number of the guard's post"},
};

static ploy_result wait_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self;
    printf("%d: waits\n", (int)context->tick);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void wait_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)self, (void)context;
    printf("the placeholder ends: %s\n", ploy_exit_reason_text(reason));
}

static ploy_result patrol_enter(void *self, ploy_step_context *context) {
    const ploy_slot *post = self;
    int64_t first = ploy_blackboard_get_i64(context->blackboard, *post);
    printf("the patrol begins at post %d\n", (int)first);
    return PLOY_OK;
}

static ploy_result patrol_step(void *self, ploy_step_context *context, ploy_status *status) {
    const ploy_slot *post = self;
    int64_t next = ploy_blackboard_get_i64(context->blackboard, *post) + 1;
    printf("%d: walks to post %d\n", (int)context->tick, (int)next);
    *status = PLOY_STATUS_RUNNING;
    return ploy_blackboard_set_i64(context->blackboard, *post, next);
}

int main(void) {
    static const ploy_behavior_type placeholder = {
        .name = "placeholder", .step = wait_step, .exit = wait_exit};
    static const ploy_behavior_type patrol = {
        .name = "patrol", .enter = patrol_enter, .step = patrol_step};
    ploy_env env = ploy_env_default();
    ploy_engine_def def = ploy_engine_def_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    ploy_engine *engine = NULL;
    if (ploy_blackboard_layout_create(keys, 1, "guard", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &board) != PLOY_OK ||
        ploy_engine_create(&def, &env, &engine) != PLOY_OK) {
        return 1;
    }
    ploy_slot post = ploy_blackboard_layout_find(layout, "post");
    ploy_engine_entry entry = ploy_engine_entry_default();
    ploy_engine_id id;
    entry.behavior.type = &placeholder;
    entry.agent = ploy_agent_id_make(0, 1);
    entry.blackboard = board;
    ploy_result result = ploy_blackboard_set_i64(board, post, 7);
    if (result == PLOY_OK) result = ploy_engine_register(engine, &entry, &id);
    for (int tick = 0; tick < 4 && result == PLOY_OK; tick++) {
        if (tick == 2) result = ploy_engine_replace(engine, id, (ploy_behavior){&patrol, &post});
        if (result == PLOY_OK) result = ploy_engine_step(engine, 0.5f, NULL, NULL);
    }
    ploy_engine_destroy(engine);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    return result == PLOY_OK ? 0 : 1;
}
