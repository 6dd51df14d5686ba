// A cleaning robot: searching and picking up lie inside "clean", and when the power is low it
// refuels and goes on where it was. Shows ploy_hsm: states in states, deep history, events.
#include <stdio.h>

#include "ploy/decide/hsm.h"

static ploy_result robot_enter(void *user, const ploy_hsm_turn *turn) {
    (void)turn;
    printf("  begins to %s\n", (const char *)user);
    return PLOY_OK;
}

static ploy_hsm_state robot_state(ploy_hsm_type *type, const char *id, ploy_hsm_state parent,
                                  ploy_hsm_kind kind) {
    ploy_hsm_hooks hooks = {.enter = robot_enter, .user = (void *)(uintptr_t)id};
    return ploy_hsm_type_state(type, id, parent, kind, &hooks, ploy_maker_none());
}

static ploy_result robot_build(ploy_hsm_type *type) {
    ploy_hsm_state clean = robot_state(type, "clean", ploy_hsm_root(), PLOY_HSM_STATE);
    ploy_hsm_state search = robot_state(type, "search", clean, PLOY_HSM_STATE);
    ploy_hsm_state pick = robot_state(type, "pick up", clean, PLOY_HSM_STATE);
    ploy_hsm_state last = robot_state(type, "last", clean, PLOY_HSM_DEEP_HISTORY);
    ploy_hsm_state refuel = robot_state(type, "refuel", ploy_hsm_root(), PLOY_HSM_STATE);
    ploy_hsm_rule rules[] = {
        ploy_hsm_rule_make("seen", search, "trash", &pick),
        ploy_hsm_rule_make("done", pick, "disposed", &search),
        ploy_hsm_rule_make("low", clean, "power.low", &refuel), // from anywhere in clean
        ploy_hsm_rule_make("full", refuel, "power.full", &last),
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        (void)ploy_hsm_type_add(type, &rules[i]); // finish tells of the first fault
    }
    return ploy_hsm_type_finish(type);
}

int main(void) {
    static const char *const events[] = {"trash", "power.low", "trash", "power.full", "disposed"};
    ploy_env env = ploy_env_default();
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_hsm_type *type = NULL;
    ploy_hsm *robot = NULL;
    if (ploy_hsm_type_create(&def, NULL, &env, &type) != PLOY_OK || robot_build(type) != PLOY_OK ||
        ploy_hsm_create(type, NULL, &env, &robot) != PLOY_OK) {
        return 1;
    }
    printf("start\n");
    ploy_result result = ploy_behavior_enter(ploy_hsm_get(robot), &context);
    for (size_t i = 0; i < sizeof events / sizeof events[0] && result == PLOY_OK; i++) {
        printf("%s\n", events[i]);
        ploy_hsm_event event = ploy_hsm_event_make(events[i]);
        ploy_status status;
        result = ploy_hsm_send(robot, &event);
        if (result == PLOY_OK) result = ploy_behavior_step(ploy_hsm_get(robot), &context, &status);
    }
    printf("done: %s, searching: %s\n", ploy_result_text(result),
           ploy_hsm_is_in(robot, "search") ? "yes" : "no");
    ploy_behavior_exit(ploy_hsm_get(robot), &context, PLOY_EXIT_REMOVED);
    ploy_hsm_destroy(robot);
    ploy_hsm_type_destroy(type);
    return result == PLOY_OK ? 0 : 1;
}
