// string. Temporary: Lua's own.
#include <lualib.h>

#include "script/script_internal.h"

void ployi_script_open_string(lua_State *L) {
    luaL_requiref(L, "string", luaopen_string, 1);
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    lua_pop(L, 1);
}
void ployi_script_open_table(lua_State *L) {
    luaL_requiref(L, "table", luaopen_table, 1);
    lua_pop(L, 1);
}
void ployi_script_open_utf8(lua_State *L) {
    luaL_requiref(L, "utf8", luaopen_utf8, 1);
    lua_pop(L, 1);
}
