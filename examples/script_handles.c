// Behavior that is swapped while the game runs: a handle keeps a script function alive, and assigning
// another function changes what the guard does. Draws depend on the agent and the tick alone. Shows
// ploy_lua_ref, ploy_lua_set_ref, ploy_lua_return, ploy_lua_start and ploy_lua_set_agent.
#include <stdio.h>
#include <string.h>

#include "ploy/script/lua.h"

static const char script[] = "guard = {}\n"
                             "function calm() return 'looks around' end\n"
                             "function alarmed() return 'runs ' .. math.random(9) .. ' m' end\n"
                             "function patrol() for i = 1, 2 do coroutine.yield(i) end end\n"
                             "seen = which() == calm\n";

// Keeps the function calm, and returns it.
static ploy_result which(void *user, ploy_lua_frame *frame) {
    ploy_lua_ref *calm = user;
    ploy_result result = ploy_lua_get_ref(frame->lua, PLOY_LUA_GLOBALS, "calm", calm);
    return result == PLOY_OK ? ploy_lua_return(frame, 0, *calm) : result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    ploy_lua *lua = NULL;
    if (ploy_lua_create(&def, &env, &lua) != PLOY_OK) return 1;
    ploy_lua_ref calm;
    const ploy_lua_function host = {"which", which, "()", 1, &calm};
    if (ploy_lua_register(lua, &host) != PLOY_OK ||
        ploy_lua_run(lua, script, strlen(script), "guard.lua", NULL) != PLOY_OK) {
        return 1;
    }
    static const char *const moods[] = {"calm", "alarmed", "alarmed"};
    for (uint32_t i = 0; i < 3; i++) {
        ploy_lua_ref mood, now;
        ploy_value did;
        ploy_lua_tick(lua, ploy_rng_key_make(7), i);
        ploy_lua_set_agent(lua, (ploy_agent_id){{4, 1}}, 0);
        if (ploy_lua_get_ref(lua, PLOY_LUA_GLOBALS, moods[i], &mood) != PLOY_OK ||
            ploy_lua_set_ref(lua, PLOY_LUA_GLOBALS, "guard.think", mood) != PLOY_OK ||
            ploy_lua_get_ref(lua, PLOY_LUA_GLOBALS, "guard.think", &now) != PLOY_OK ||
            ploy_lua_call(lua, now, PLOY_LUA_GLOBALS, NULL, 0, &did, 1) != PLOY_OK) {
            return 1;
        }
        printf("tick %u: the guard %s%s\n", (unsigned)i, did.as.text,
               ploy_lua_same(lua, now, calm) ? " (calm)" : "");
    }
    ploy_lua_ref patrol, walk;
    ploy_lua_status status = PLOY_LUA_READY;
    if (ploy_lua_get_ref(lua, PLOY_LUA_GLOBALS, "patrol", &patrol) != PLOY_OK ||
        ploy_lua_start(lua, patrol, PLOY_LUA_GLOBALS, &walk) != PLOY_OK) {
        return 1;
    }
    while (ploy_lua_status_of(lua, walk) != PLOY_LUA_DONE) {
        if (ploy_lua_resume(lua, walk, NULL, 0, NULL, NULL, 0, &status) != PLOY_OK) return 1;
        printf("patrol: %s\n", ploy_lua_status_text(status));
    }
    ploy_lua_destroy(lua);
    return 0;
}
