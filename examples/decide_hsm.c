// A cleaning robot: searching and picking up lie inside "clean", and when the power is low it
// refuels and continues where it was. Shows ploy_hsm_type_from_table: states in
// states, deep history, events.
#include <stdio.h>

#include "ploy/decide/hsm_table.h"

static ploy_result robot_enter(void *user, const ploy_hsm_turn *turn) {
    (void)turn;
    printf("  begins to %s\n", (const char *)user);
    return PLOY_OK;
}

// What lies in a state follows it.
static const ploy_hsm_state_row states[] = {
    {"clean", .hooks = {.enter = robot_enter, .user = (void *)"clean"}},
    {"search", "clean", .hooks = {.enter = robot_enter, .user = (void *)"search"}},
    {"pick up", "clean", .hooks = {.enter = robot_enter, .user = (void *)"pick up"}},
    {"last", "clean", .kind = PLOY_HSM_DEEP_HISTORY},
    {"refuel", .hooks = {.enter = robot_enter, .user = (void *)"refuel"}},
};
static const ploy_hsm_rule_row rules[] = {
    {"seen", .from = "search", .on = "trash", .to = "pick up"},
    {"done", .from = "pick up", .on = "disposed", .to = "search"},
    {"low", .from = "clean", .on = "power.low", .to = "refuel"}, // from anywhere in clean
    {"full", .from = "refuel", .on = "power.full", .to = "last"},
};
static const ploy_hsm_table robot_table = {states, 5, .rules = rules, .rule_count = 4};

int main(void) {
    static const char *const events[] = {"trash", "power.low", "trash", "power.full", "disposed"};
    ploy_env env = ploy_env_default();
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_hsm_type *type = NULL;
    ploy_hsm *robot = NULL;
    if (ploy_hsm_type_from_table(NULL, &robot_table, NULL, &env, &type) != PLOY_OK ||
        ploy_hsm_create(type, NULL, &env, &robot) != PLOY_OK) {
        return 1;
    }
    printf("start\n");
    ploy_result result = ploy_behavior_enter(ploy_hsm_behavior(robot), &context);
    for (size_t i = 0; i < sizeof events / sizeof events[0] && result == PLOY_OK; i++) {
        printf("%s\n", events[i]);
        ploy_hsm_event event = ploy_hsm_event_make(events[i]);
        ploy_status status;
        result = ploy_hsm_send(robot, &event);
        if (result == PLOY_OK)
            result = ploy_behavior_step(ploy_hsm_behavior(robot), &context, &status);
    }
    printf("done: %s, searching: %s\n", ploy_result_text(result),
           ploy_hsm_is_in(robot, "search") ? "yes" : "no");
    ploy_behavior_exit(ploy_hsm_behavior(robot), &context, PLOY_EXIT_REMOVED);
    ploy_hsm_destroy(robot);
    ploy_hsm_type_destroy(type);
    return result == PLOY_OK ? 0 : 1;
}
