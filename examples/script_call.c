// A rule of the game in Lua: loaded once, its function called with values, its table read by path.
// Shows ploy_lua_run, ploy_lua_get_ref, ploy_lua_call and ploy_lua_get.
#include <stdio.h>
#include <string.h>

#include "ploy/script/lua.h"

static const char rules[] = "damage = {sword = 5, axe = 8}\n"
                            "hits = 0\n"
                            "function hit(weapon, armor)\n"
                            "  hits = hits + 1\n"
                            "  return math.max(0, damage[weapon] - armor), hits\n"
                            "end\n";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    ploy_lua *lua = NULL;
    if (ploy_lua_create(&def, &env, &lua) != PLOY_OK) return 1;
    if (ploy_lua_run(lua, rules, strlen(rules), "rules.lua", NULL) != PLOY_OK) return 1;
    ploy_lua_ref hit;
    if (ploy_lua_get_ref(lua, PLOY_LUA_GLOBALS, "hit", &hit) != PLOY_OK) return 1;

    static const char *const weapons[] = {"sword", "axe", "spoon"};
    for (int i = 0; i < 3; i++) {
        ploy_value args[2] = {ploy_value_text(weapons[i]), ploy_value_i64(3)}, results[2];
        if (ploy_lua_call(lua, hit, PLOY_LUA_GLOBALS, args, 2, results, 2) == PLOY_OK) {
            printf("%s: %d, hits so far: %d\n", weapons[i], (int)results[0].as.i64,
                   (int)results[1].as.i64);
        } else {
            printf("%s\n", ploy_lua_error(lua));
        }
    }
    ploy_value sword;
    if (ploy_lua_get(lua, PLOY_LUA_GLOBALS, "damage.sword", &sword) == PLOY_OK) {
        printf("damage.sword is %d\n", (int)sword.as.i64);
    }
    if (ploy_lua_get(lua, PLOY_LUA_GLOBALS, "damage.sowrd", &sword) != PLOY_OK) {
        printf("%s\n", ploy_lua_error(lua));
    }
    (void)ploy_lua_release(lua, hit);
    ploy_lua_destroy(lua);
    return 0;
}
