// A path is requested and comes as a message: it goes to the deepest goal at the front first, and
// up from there until a goal handles it. A message that none knows comes back unhandled. Shows
// ploy_goals_message.
#include <stdio.h>

#include "ploy/decide/goals.h"

static bool is_kind(const ploy_message *message, const char *kind) {
    return ploy_name_equal(message->kind, ploy_name_of(kind));
}

static ploy_result walk_message(const ploy_goal_turn *turn, const ploy_message *message,
                                bool *handled) {
    *handled = is_kind(message, "path ready");
    printf("  walk: %s\n", *handled ? "follows the path, done" : "not mine");
    return *handled ? ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_COMPLETED) : PLOY_OK;
}

static ploy_result fetch_message(const ploy_goal_turn *turn, const ploy_message *message,
                                 bool *handled) {
    *handled = is_kind(message, "item gone");
    printf("  fetch: %s\n", *handled ? "gives up" : "not mine");
    return *handled ? ploy_goals_set_status(turn->goals, turn->goal, PLOY_GOAL_FAILED) : PLOY_OK;
}

static ploy_result never_message(const ploy_goal_turn *turn, const ploy_message *message,
                                 bool *handled) {
    (void)turn, (void)message, (void)handled;
    printf("  pick up: is not at the front and gets no message\n");
    return PLOY_OK;
}

static const ploy_goal_type walk = {.name = "walk", .message = walk_message};
static const ploy_goal_type pick_up = {.name = "pick up", .message = never_message};

static ploy_result fetch_plan(const ploy_goal_turn *turn) {
    ploy_result result = ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_REAR,
                                        &walk, NULL, 0, NULL);
    if (result != PLOY_OK) return result;
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_REAR, &pick_up, NULL, 0,
                          NULL);
}

static const ploy_goal_type fetch = {
    .name = "fetch", .composite = true, .activate = fetch_plan, .message = fetch_message};

int main(void) {
    static const char *const kinds[] = {"weather", "item gone", "path ready"};
    ploy_env env = ploy_env_default();
    ploy_goals_def def = ploy_goals_def_default();
    ploy_result result = PLOY_OK;
    for (int i = 0; i < 3 && result == PLOY_OK; i++) {
        ploy_goals *goals = NULL;
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
        ploy_goal_status status = PLOY_GOAL_ACTIVE;
        bool handled = false;
        ploy_message message =
            ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of(kinds[i]));
        result = ploy_goals_create(&def, NULL, &env, &goals);
        if (result != PLOY_OK) break;
        result = ploy_goals_add(goals, &context, ploy_goals_root(goals), PLOY_GOAL_REAR, &fetch,
                                NULL, 0, NULL);
        if (result == PLOY_OK) result = ploy_goals_step(goals, &context, &status); // plans
        printf("%s\n", kinds[i]);
        if (result == PLOY_OK) result = ploy_goals_message(goals, &context, &message, &handled);
        printf("  %s\n", handled ? "handled" : "unhandled");
        ploy_goals_destroy(goals);
    }
    return result == PLOY_OK ? 0 : 1;
}
