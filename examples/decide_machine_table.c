// A guard as a state machine of three states, from constant tables.
// You see what it does in each step. Shows ploy_fsm_type_from_table and conditions as text.
#include <stdio.h>

#include "ploy/decide/fsm_table.h"

static ploy_result say(void *user, const ploy_fsm_turn *turn) {
    printf("%d: %s\n", (int)turn->context->tick, (const char *)user);
    return PLOY_OK;
}

static const ploy_blackboard_key keys[] = {{.name = "danger", .type = PLOY_VALUE_I64}};
static const ploy_fsm_state_row states[] = {
    {"patrol", .hooks = {.execute = say, .user = (void *)"walks its round"}},
    {"attack", .hooks = {.execute = say, .user = (void *)"attacks"}},
    {"flee", .hooks = {.execute = say, .user = (void *)"runs"}},
};
static const ploy_fsm_rule_row rules[] = {
    {"spotted", .from = "patrol", .when = "danger > 0", .to = "attack"},
    {"too many", .when = "danger > 3", .to = "flee"}, // from every state
    {"safe", .from = "flee", .when = "danger < 3 && after(2)", .to = "patrol"},
};
static const ploy_fsm_table guard = {states, 3, rules, 3, .keys = keys, .key_count = 1};

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_fsm_type *type = NULL;
    ploy_behavior mind = {NULL, NULL};
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    if (ploy_fsm_type_from_table(NULL, &guard, NULL, &env, &type) != PLOY_OK ||
        ploy_blackboard_create(ploy_fsm_type_layout(type), &env, &context.blackboard) != PLOY_OK ||
        ploy_maker_make(ploy_fsm_type_maker(type), &env, &mind) != PLOY_OK ||
        ploy_behavior_enter(mind, &context) != PLOY_OK)
        return 1;
    for (ploy_status status; context.tick < 10; context.tick++) {
        ploy_blackboard_set_i64(context.blackboard, (ploy_slot){1}, (int64_t)context.tick % 5);
        if (ploy_behavior_step(mind, &context, &status) != PLOY_OK) return 1;
    }
    ploy_behavior_destroy(mind);
    ploy_blackboard_destroy(context.blackboard);
    ploy_fsm_type_destroy(type);
}
