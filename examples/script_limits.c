// A script that runs forever: a call ends at its limit, which pcall cannot catch, and the next call
// works; as a coroutine the same loop is stopped by each budget and continues in the next tick.
// Shows the limits of ploy_lua_def and ploy_lua_resume.
#include <stdio.h>
#include <string.h>

#include "ploy/script/lua.h"

static const char script[] = "turns = 0\n"
                             "function forever() while true do turns = turns + 1 end end\n"
                             "function stubborn() while true do pcall(forever) end end\n"
                             "function hoard() local t = {} while true do t[#t + 1] = {} end end\n";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    def.call_units = 50000;
    def.memory_kb = 256;
    ploy_lua *lua = NULL;
    if (ploy_lua_create(&def, &env, &lua) != PLOY_OK) return 1;
    if (ploy_lua_run(lua, script, strlen(script), "loop.lua", NULL) != PLOY_OK) return 1;

    static const char *const names[] = {"forever", "stubborn", "hoard"};
    ploy_lua_ref fn;
    for (int i = 0; i < 3; i++) {
        if (ploy_lua_get_ref(lua, PLOY_LUA_GLOBALS, names[i], &fn) != PLOY_OK) return 1;
        ploy_result result = ploy_lua_call(lua, fn, PLOY_LUA_GLOBALS, NULL, 0, NULL, 0);
        printf("%s: %s\n", names[i], ploy_result_text(result));
        (void)ploy_lua_release(lua, fn);
    }

    ploy_lua_ref thread;
    ploy_lua_status status;
    ploy_value turns = ploy_value_i64(0);
    if (ploy_lua_set(lua, PLOY_LUA_GLOBALS, "turns", &turns) != PLOY_OK ||
        ploy_lua_get_ref(lua, PLOY_LUA_GLOBALS, "forever", &fn) != PLOY_OK ||
        ploy_lua_start(lua, fn, PLOY_LUA_GLOBALS, &thread) != PLOY_OK) {
        return 1;
    }
    for (uint64_t tick = 0; tick < 3; tick++) {
        ploy_budget budget = ploy_budget_units(8192);
        ploy_lua_tick(lua, ploy_rng_key_make(1), tick);
        if (ploy_lua_resume(lua, thread, NULL, 0, &budget, NULL, 0, &status) != PLOY_OK) return 1;
        if (ploy_lua_get(lua, PLOY_LUA_GLOBALS, "turns", &turns) != PLOY_OK) return 1;
        printf("tick %d: %s after %d turns\n", (int)tick, ploy_lua_status_text(status),
               (int)turns.as.i64);
    }
    ploy_lua_destroy(lua);
    return 0;
}
