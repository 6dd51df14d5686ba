// A guard as a behavior tree of five leaves, from one constant table.
// You see which leaves act in each step. Shows ploy_bt_from_table and conditions as text.
#include <stdio.h>

#include "ploy/decide/bt_table.h"

static ploy_result act(ploy_bt_call *call, ploy_status *status) {
    printf("%d: %s\n", (int)call->context->tick, (const char *)call->user);
    *status = PLOY_STATUS_SUCCESS;
    return PLOY_OK;
}

static const ploy_blackboard_key keys[] = {{.name = "danger", .type = PLOY_VALUE_I64}};
static const ploy_bt_row rows[] = {
    {.depth = 0, PLOY_BT_REACTIVE_FALLBACK, "guard"},
    {1, PLOY_BT_SEQUENCE, "fight", .when = "danger > 0 && danger < 3"},
    {2, PLOY_BT_LEAF, "draw", .step = act, .user = (void *)"draws the sword"},
    {2, PLOY_BT_LEAF, "strike", .step = act, .user = (void *)"strikes"},
    {1, PLOY_BT_SEQUENCE, "flee", .when = "danger >= 3"},
    {2, PLOY_BT_LEAF, "shout", .step = act, .user = (void *)"shouts for help"},
    {2, PLOY_BT_LEAF, "run", .step = act, .user = (void *)"runs"},
    {1, PLOY_BT_LEAF, "patrol", .step = act, .user = (void *)"walks its round"},
};

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_bt *bt = NULL;
    ploy_behavior mind = {NULL, NULL};
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    if (ploy_blackboard_layout_create(keys, 1, "guard", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &context.blackboard) != PLOY_OK ||
        ploy_bt_from_table("guard", rows, 8, layout, &env, NULL, &bt) != PLOY_OK ||
        ploy_maker_make(ploy_bt_maker(bt), &env, &mind) != PLOY_OK)
        return 1;
    for (ploy_status status; context.tick < 5; context.tick++) {
        ploy_blackboard_set_i64(context.blackboard, (ploy_slot){1}, (int64_t)context.tick);
        if (ploy_behavior_step(mind, &context, &status) != PLOY_OK) return 1;
    }
    ploy_behavior_destroy(mind);
    ploy_bt_destroy(bt);
    ploy_blackboard_destroy(context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
