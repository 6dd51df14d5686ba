// A worker, a low battery and a fire: alarms of two levels interrupt the work and return to what
// they interrupted. The fire interrupts charging too; a low battery does not interrupt the flight.
// Shows ploy_fsm_type_alarm. It needs room on the stack for each level: a machine with one place for
// two levels is refused.
#include <stdio.h>

#include "ploy/decide/fsm.h"

static const ploy_blackboard_key robot_keys[] = {
    {"low", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the battery is low"},
    {"fire", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the hall burns"},
    {"crates", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "there are crates to stack"},
};

// Makes a type with room for `places` interrupted states.
static ploy_result robot_build(const ploy_blackboard_layout *layout, int32_t stack,
                               const ploy_env *env, ploy_fsm_type **out) {
    ploy_fsm_def def = ploy_fsm_def_default();
    def.stack = stack;
    ploy_result result = ploy_fsm_type_create(&def, layout, env, out);
    if (result != PLOY_OK) return result;
    ploy_conditions *set = ploy_fsm_type_conditions(*out);
    ploy_maker none = ploy_maker_none();
    ploy_fsm_state sweep = ploy_fsm_type_state(*out, "sweep", NULL, none);
    ploy_fsm_state pile = ploy_fsm_type_state(*out, "stack crates", NULL, none);
    ploy_fsm_state charge = ploy_fsm_type_state(*out, "charge", NULL, none);
    ploy_fsm_state flee = ploy_fsm_type_state(*out, "flee", NULL, none);
    ploy_condition low = ploy_condition_bool(set, "low");
    ploy_condition fire = ploy_condition_bool(set, "fire");
    ploy_fsm_rule crates =
        ploy_fsm_rule_make("crates", sweep, ploy_condition_bool(set, "crates"), pile);
    (void)ploy_fsm_type_add(*out, &crates); // finish reports the first fault
    (void)ploy_fsm_type_alarm(*out, "battery", 1, low, charge, ploy_condition_not(set, low));
    (void)ploy_fsm_type_alarm(*out, "fire", 2, fire, flee, ploy_condition_not(set, fire));
    return ploy_fsm_type_finish(*out, sweep);
}

// Prints the state in each of the hours.
static ploy_result robot_run(const ploy_blackboard_layout *layout, int32_t stack,
                             ploy_step_context *context, const ploy_env *env) {
    static const bool hours[][3] = {
        {false, false, false}, {false, false, true}, {true, false, true},
        {true, true, true},    {true, false, true},  {false, false, true},
        {false, true, true},   {true, true, true},   {false, false, true}}; // low, fire, crates
    ploy_fsm_type *type = NULL;
    ploy_fsm *fsm = NULL;
    ploy_result result = robot_build(layout, stack, env, &type);
    if (result == PLOY_OK) result = ploy_fsm_create(type, NULL, env, &fsm);
    if (result == PLOY_OK) result = ploy_behavior_enter(ploy_fsm_behavior(fsm), context);
    for (size_t i = 0; i < sizeof hours / sizeof hours[0] && result == PLOY_OK; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            ploy_slot slot = {k + 1};
            (void)ploy_blackboard_set_bool(context->blackboard, slot, hours[i][k]);
        }
        ploy_status status;
        result = ploy_behavior_step(ploy_fsm_behavior(fsm), context, &status);
        printf("  %s%s: %s\n", hours[i][0] ? "low battery" : "charged", hours[i][1] ? ", fire" : "",
               ploy_fsm_type_id(type, ploy_fsm_current(fsm)));
        ploy_step_context_next(context);
    }
    if (fsm != NULL) ploy_behavior_exit(ploy_fsm_behavior(fsm), context, PLOY_EXIT_REMOVED);
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(type);
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    if (ploy_blackboard_layout_create(robot_keys, 3, "robot", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &context.blackboard) != PLOY_OK) {
        return 1;
    }
    ploy_result result = PLOY_OK;
    for (int32_t stack = 2; stack > 0 && result == PLOY_OK; stack--) {
        printf("places on the stack: %d\n", (int)stack);
        result = robot_run(layout, stack, &context, &env);
    }
    printf("  %s\n", ploy_result_name(result));
    ploy_blackboard_destroy(context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    return result == PLOY_ERR_LIMIT ? 0 : 1;
}
