// A behavior tree: a guard fights while it sees an enemy and walks its round otherwise.
// You see what it does in each step, and that walking is broken off cleanly when the enemy comes.
// Shows ploy_bt_builder, leaves with a start and a stop, a condition on a blackboard's key.
#include <stdio.h>

#include "ploy/decide/bt_builder.h"

static const ploy_blackboard_key guard_keys[] = {
    {"enemy", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "sees one"},
};

static ploy_result walk_start(ploy_bt_call *call) {
    (void)call;
    printf("  sets out\n");
    return PLOY_OK;
}

// Three steps long; the count is in the instance and zero at each start.
static ploy_result walk_step(ploy_bt_call *call, ploy_status *status) {
    int *steps = call->state;
    *status = ++*steps < 3 ? PLOY_STATUS_RUNNING : PLOY_STATUS_SUCCESS;
    printf("  walks\n");
    return PLOY_OK;
}

// Whatever ends the walk comes here, once for each start.
static void walk_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    (void)call;
    printf("  stops walking: %s\n", ploy_exit_reason_text(reason));
}

static ploy_result fight_step(ploy_bt_call *call, ploy_status *status) {
    (void)call;
    printf("  fights\n");
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static const ploy_bt_leaf walk = {.name = "walk",
                                  .start = walk_start,
                                  .step = walk_step,
                                  .stop = walk_stop,
                                  .state_size = (int32_t)sizeof(int)};
static const ploy_bt_leaf fight = {.name = "fight", .step = fight_step};

// Reactive: the fight is asked first in every step, and takes over from the walk.
static ploy_result build_guard(const ploy_blackboard_layout *layout, const ploy_env *env,
                               ploy_bt **out) {
    ploy_bt_builder *builder = NULL;
    ploy_result result = ploy_bt_builder_create("guard", layout, env, &builder);
    if (result != PLOY_OK) return result;
    ploy_bt_condition no_enemy =
        ploy_bt_condition_make("enemy", PLOY_BT_EQUAL, ploy_value_bool(false));
    ploy_bt_builder_open(builder, PLOY_BT_REACTIVE_FALLBACK, "guard");
    ploy_bt_builder_add_leaf(builder, &fight, NULL, NULL, NULL, 0);
    ploy_bt_builder_when_holds(builder, PLOY_BT_SKIP_IF, &no_enemy);
    ploy_bt_builder_add_leaf(builder, &walk, NULL, NULL, NULL, 0);
    ploy_bt_builder_close(builder);
    result = ploy_bt_builder_build(builder, NULL, out); // every fault so far ends up here
    ploy_bt_builder_destroy(builder);
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_bt *bt = NULL;
    ploy_bt_instance *guard = NULL; // one for each character; the tree is shared
    if (ploy_blackboard_layout_create(guard_keys, 1, "guard", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &context.blackboard) != PLOY_OK ||
        build_guard(layout, &env, &bt) != PLOY_OK ||
        ploy_bt_instance_create(&def, bt, NULL, &env, &guard) != PLOY_OK) {
        return 1;
    }
    ploy_slot enemy = ploy_blackboard_layout_find(layout, "enemy");
    for (; context.tick < 6; ploy_step_context_next(&context)) {
        ploy_blackboard_set_bool(context.blackboard, enemy, context.tick == 1);
        printf("step %d\n", (int)context.tick);
        ploy_status status;
        if (ploy_bt_instance_step(guard, &context, &status) != PLOY_OK) return 1;
        printf("  %s\n", ploy_status_text(status));
    }
    ploy_bt_instance_destroy(guard);
    ploy_bt_destroy(bt);
    ploy_blackboard_destroy(context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
