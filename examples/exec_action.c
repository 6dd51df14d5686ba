// Asking a body to act: "eat" needs the table, so the character walks there first; the second meal
// starts at once; a request that the game has no controller for is refused. Shows ploy_actions.
#include <stdio.h>

#include "ploy/exec/action.h"

typedef struct diner {
    float x; // m along the hall; the table is at 3
} diner;

static bool is_there(void *user, const ploy_action_request *request) {
    const diner *who = user;
    return who->x >= request->position.x - request->reach;
}

static ploy_result walk(void *user, ploy_action_id id, const ploy_action_request *request, float dt,
                        ploy_status *status) {
    (void)id;
    diner *who = user;
    who->x += 1.5f * dt;
    printf("walks to %.1f m\n", who->x);
    *status = is_there(user, request) ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result start_eating(void *user, ploy_action_id id, const ploy_action_request *request) {
    (void)user;
    (void)id;
    (void)request;
    printf("eats\n"); // the animation plays by itself; without a step it is done at once
    return PLOY_OK;
}

static void report(void *user, const ploy_action_report *done) {
    (void)user;
    printf("meal %d: %s\n", (int)done->request.token, ploy_action_state_text(done->state));
}

int main(void) {
    diner who = {0.0f};
    ploy_action_host host = {.move = {.step = walk, .user = &who},
                             .animate = {.begin = start_eating, .user = &who},
                             .there = is_there,
                             .done = report,
                             .user = &who};
    ploy_env env = ploy_env_default();
    ploy_actions_def def = ploy_actions_def_default();
    ploy_actions *actions = NULL;
    if (ploy_actions_create(&def, &host, &env, &actions) != PLOY_OK) return 1;
    ploy_action_request eat = ploy_action_request_make(ploy_agent_id_make(0, 1),
                                                       ploy_name_of("eat"), PLOY_ACTION_ANIMATE);
    eat.position = ploy_vec3_make(3.0f, 0.0f, 0.0f);
    eat.reach = 0.5f;
    eat.flags = PLOY_ACTION_MOVE_FIRST;
    for (eat.token = 1; eat.token <= 2; eat.token++) ploy_actions_request(actions, &eat, NULL);
    while (ploy_actions_live_count(actions) > 0) ploy_actions_step(actions, 1.0f);
    eat.effect = PLOY_ACTION_CHANGE;
    printf("research: %s\n", ploy_result_text(ploy_actions_request(actions, &eat, NULL)));
    ploy_actions_destroy(actions);
    return 0;
}
