// A dialogue in Lua: say and ask block the script until the line is spoken and the player has
// chosen. You see the lines of both replies. Shows ploy_lua_stage and ploy_lua_minds_answer.
#include <stdio.h>
#include <string.h>

#include "ploy/script/lua.h"
#include "ploy/script/minds.h"

static const char text[] =
    "function greet(self)\n"
    "  say('guard', 'Good day!')\n"
    "  local n = ask('guard', 'What brings you here?', {'Friendship', 'Your money!'})\n"
    "  say('guard', n == 1 and 'Be welcome.' or 'Away with you!')\n"
    "end\n";

static ploy_agent_id find_actor(void *user, const char *name) {
    (void)user;
    return strcmp(name, "guard") == 0 ? ploy_agent_id_make(1, 1) : ploy_agent_id_none();
}

static bool find_place(void *user, const char *name, ploy_vec2 *out) {
    (void)user, (void)name, (void)out;
    return false; // no one goes anywhere
}

static void show(void *user, ploy_agent_id actor, const char *line) {
    (void)user, (void)actor;
    printf("guard: %s\n", line);
}

static void offer(void *user, ploy_agent_id actor, const char *question, const char *const *options,
                  int32_t count) {
    (void)user, (void)actor;
    printf("guard: %s\n", question);
    for (int32_t i = 0; i < count; i++) printf("  %d: %s\n", (int)i + 1, options[i]);
}

// A line is spoken as soon as it begins; a game would play a sound here.
static ploy_result spoken(void *user, ploy_action_id id, const ploy_action_request *request) {
    (void)user, (void)id, (void)request;
    return PLOY_OK;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    ploy_actions_def queue = ploy_actions_def_default();
    ploy_action_host host = {.present = {.begin = spoken}};
    ploy_actions *actions = NULL;
    ploy_lua *lua = NULL;
    ploy_lua_minds *minds = NULL;
    ploy_lua_mind *greet = NULL;
    if (ploy_actions_create(&queue, &host, &env, &actions) != PLOY_OK ||
        ploy_lua_create(&def, &env, &lua) != PLOY_OK ||
        ploy_lua_minds_create(lua, &env, &minds) != PLOY_OK ||
        ploy_lua_minds_load(minds, text, sizeof text - 1, "guard.lua", NULL) != PLOY_OK ||
        ploy_lua_mind_create(minds, "greet", &env, &greet) != PLOY_OK) {
        return 1;
    }
    const ploy_lua_stage stage = {actions, find_actor, find_place, show, offer, NULL};
    ploy_lua_minds_set_stage(minds, &stage);
    for (int32_t choice = 1; choice <= 2; choice++) {
        ploy_behavior mind = {NULL, NULL};
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
        ploy_status status = PLOY_STATUS_RUNNING;
        if (ploy_maker_make(ploy_lua_mind_maker(greet), &env, &mind) != PLOY_OK ||
            ploy_behavior_enter(mind, &context) != PLOY_OK) {
            return 1;
        }
        while (status == PLOY_STATUS_RUNNING) {
            ploy_lua_tick(lua, context.key, context.tick);
            if (ploy_behavior_step(mind, &context, &status) != PLOY_OK) return 1;
            if (ploy_lua_minds_options(minds) > 0) { // in a game: when the player presses a key
                printf("player: %d\n", (int)choice);
                if (ploy_lua_minds_answer(minds, choice) != PLOY_OK) return 1;
            }
            if (ploy_actions_step(actions, context.dt) != PLOY_OK) return 1;
            ploy_step_context_next(&context);
        }
        ploy_behavior_exit(mind, &context, PLOY_EXIT_FINISHED);
        ploy_behavior_destroy(mind);
    }
    ploy_lua_mind_destroy(greet);
    ploy_lua_minds_destroy(minds);
    ploy_lua_destroy(lua);
    ploy_actions_destroy(actions);
    return 0;
}
