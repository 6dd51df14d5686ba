// Where memory ends a script depends on Lua's hash seed, so a recording stores the place as an input,
// and the replay ends the script there, although it has more memory. Shows
// ploy_lua_set_memory_event.
#include <stdio.h>
#include <string.h>

#include "ploy/script/lua.h"

static const char script[] =
    "n = 0\n"
    "local t = {}\n"
    "while true do n = n + 1; t['item' .. n] = {n}; t['item' .. n - 9] = nil\n"
    "  t[n] = n end\n";

// Runs the script. Returns how far it came.
static int64_t run(int32_t memory_kb, int64_t *event) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    def.memory_kb = memory_kb;
    def.call_units = 100000000;
    ploy_lua *lua = NULL;
    if (ploy_lua_create(&def, &env, &lua) != PLOY_OK) return -1;
    ploy_lua_set_memory_event(lua, *event);
    ploy_result result = ploy_lua_run(lua, script, strlen(script), "hoard.lua", NULL);
    ploy_value n = ploy_value_i64(-1);
    if (result == PLOY_ERR_MEMORY) (void)ploy_lua_get(lua, PLOY_LUA_GLOBALS, "n", &n);
    *event = ploy_lua_get_stats(lua).memory_event;
    ploy_lua_destroy(lua);
    return n.as.i64;
}

int main(void) {
    int64_t event = -1;
    int64_t live = run(512, &event);
    int64_t replayed = run(65536, &event);
    printf("ended by memory: %s\n", live > 1000 ? "yes" : "no");
    printf("the replay ended at the same place: %s\n", replayed == live ? "yes" : "no");
    return 0;
}
