// A watchman who dozes: the leaf sleeps until the bell rings or ten seconds have passed, and until
// then a step of the tree costs almost nothing. You see in which ticks the leaf runs, and until when
// a scheduler may leave it out. Shows ploy_bt_sleep, ploy_bt_instance_asleep and ploy_bt_port_ref.
#include <stdio.h>

#include "ploy/decide/bt_builder.h"

static const ploy_blackboard_key keys[] = {
    {"bell", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "rings"},
};
static const ploy_bt_port ports[] = {{"bell", PLOY_VALUE_BOOL, false}};

static ploy_result doze(ploy_bt_call *call, ploy_status *status) {
    ploy_blackboard_ref bell = ploy_bt_port_ref(call, 0);
    if (ploy_blackboard_get_bool(bell.board, bell.slot)) {
        printf("%4.1f s: opens the gate\n", call->context->now);
        *status = PLOY_STATUS_SUCCESS;
        return PLOY_OK;
    }
    printf("%4.1f s: looks up and dozes off\n", call->context->now);
    *status = PLOY_STATUS_RUNNING;
    return ploy_bt_sleep(call, 0, 10.0, false); // until the key of port 0 changes, or 10 s
}

static const ploy_bt_leaf watch = {
    .name = "watch", .step = doze, .ports = ports, .port_count = 1, .sleeps = true};

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_bt_builder *builder = NULL;
    ploy_bt *bt = NULL;
    ploy_bt_instance *watchman = NULL;
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_bt_bind bell = {"bell", "bell", {PLOY_VALUE_NONE, {0}}};
    if (ploy_blackboard_layout_create(keys, 1, "watch", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &context.blackboard) != PLOY_OK ||
        ploy_bt_builder_create("watch", layout, &env, &builder) != PLOY_OK) {
        return 1;
    }
    ploy_bt_builder_add_leaf(builder, &watch, NULL, NULL, &bell, 1);
    if (ploy_bt_builder_build(builder, NULL, &bt) != PLOY_OK ||
        ploy_bt_instance_create(&def, bt, NULL, &env, &watchman) != PLOY_OK) {
        return 1;
    }
    ploy_slot slot = ploy_blackboard_layout_find(layout, "bell");
    ploy_status status = PLOY_STATUS_RUNNING;
    for (; status == PLOY_STATUS_RUNNING; ploy_step_context_next(&context)) {
        if (context.tick == 14) ploy_blackboard_set_bool(context.blackboard, slot, true);
        if (ploy_bt_instance_step(watchman, &context, &status) != PLOY_OK) return 1;
        double until = 0.0;
        if (context.tick % 5 == 1 && ploy_bt_instance_asleep(watchman, &until)) {
            printf("%4.1f s: asleep until %.1f s\n", context.now, until);
        }
    }
    ploy_bt_instance_destroy(watchman);
    ploy_bt_destroy(bt);
    ploy_bt_builder_destroy(builder);
    ploy_blackboard_destroy(context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
