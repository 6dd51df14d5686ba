// The basic functions. Lua's own are kept where they are repeatable and do bounded work; the others
// are replaced or left out: no dofile, loadfile, require, no io, os, package, debug.
#include <lualib.h>
#include <string.h>

#include "script/script_internal.h"

const char *ployi_script_tostring(lua_State *L, int index, size_t *size) {
    if (luaL_callmeta(L, index, "__tostring")) {
        if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
    } else {
        switch (lua_type(L, index)) {
        case LUA_TNUMBER: {
            double number = lua_tonumber(L, index);
            lua_pushvalue(L, index);
            // The sign of a NaN differs between processors.
            if (number != number) {
                lua_pop(L, 1);
                lua_pushliteral(L, "nan");
            }
            break;
        }
        case LUA_TSTRING: lua_pushvalue(L, index); break;
        case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"); break;
        case LUA_TNIL: lua_pushliteral(L, "nil"); break;
        default: // an address would differ between runs
            if (luaL_getmetafield(L, index, "__name") != LUA_TSTRING) {
                lua_pushstring(L, luaL_typename(L, index));
            }
            break;
        }
    }
    return lua_tolstring(L, -1, size);
}

static int base_tostring(lua_State *L) {
    luaL_checkany(L, 1);
    (void)ployi_script_tostring(L, 1, NULL);
    return 1;
}

static int base_print(lua_State *L) {
    ploy_lua *lua = ployi_script_of(L);
    int count = lua_gettop(L);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (int i = 1; i <= count; i++) {
        size_t size;
        (void)ployi_script_tostring(L, i, &size);
        ployi_script_charge(L, 1 + (int64_t)(size / 16));
        if (i > 1) {
            lua_pushliteral(L, "\t");
            lua_insert(L, -2);
            lua_concat(L, 2);
        }
        luaL_addvalue(&buffer);
    }
    luaL_pushresult(&buffer);
    size_t size;
    const char *line = lua_tolstring(L, -1, &size);
    if (lua->print != NULL) {
        lua->print(lua->print_user, line, size);
    } else {
        ploy_env_log(&lua->env, PLOY_SEVERITY_INFO, line);
    }
    return 0;
}

static int base_next(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    if (ployi_script_next(L, 1)) return 2;
    lua_pushnil(L);
    return 1;
}

static int base_finish_call(lua_State *L, int status, lua_KContext extra) {
    if (status != LUA_OK && status != LUA_YIELD) {
        ployi_script_rethrow(L);
        lua_pushboolean(L, 0);
        lua_pushvalue(L, -2);
        return 2;
    }
    return lua_gettop(L) - (int)extra;
}

static int base_pcall(lua_State *L) {
    luaL_checkany(L, 1);
    ployi_script_charge(L, 2);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, base_finish_call);
    return base_finish_call(L, status, 0);
}

// The script's handler is not called for limits, and charges like any function.
static int base_handler(lua_State *L) {
    const ploy_lua *lua = ployi_script_of(L);
    if (lua->stop != PLOYI_SCRIPT_STOP_NONE) return 1;
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

static int base_xpcall(lua_State *L) {
    int count = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    ployi_script_charge(L, 4);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, base_handler, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);
    int status = lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, base_finish_call);
    return base_finish_call(L, status, 2);
}

static int base_setmetatable(lua_State *L) {
    int type = lua_type(L, 2);
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        return luaL_error(L, "cannot change a protected metatable");
    }
    if (type == LUA_TTABLE) {
        static const char *const refused[] = {"__gc", "__mode"};
        for (int i = 0; i < 2; i++) {
            lua_pushstring(L, refused[i]);
            if (lua_rawget(L, 2) != LUA_TNIL) {
                return luaL_error(L, "metatable field '%s' is not supported here", refused[i]);
            }
            lua_pop(L, 1);
        }
        // Remembered, because the fields could still be added later.
        lua_rawgeti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_METAS);
        lua_pushvalue(L, 2);
        if (lua_rawget(L, -2) == LUA_TNIL) {
            lua_pushvalue(L, 2);
            lua_pushboolean(L, 1);
            lua_rawset(L, -4);
        }
    }
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

// Joins the pieces that a function returns.
static const char *base_pieces(lua_State *L, size_t *size) {
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (;;) {
        ployi_script_charge(L, 4);
        lua_pushvalue(L, 1);
        lua_call(L, 0, 1);
        if (lua_isnil(L, -1)) {
            lua_pop(L, 1);
            break;
        }
        if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "reader function must return a string");
        if (lua_rawlen(L, -1) == 0) {
            lua_pop(L, 1);
            break;
        }
        luaL_addvalue(&buffer);
    }
    luaL_pushresult(&buffer);
    return lua_tolstring(L, -1, size);
}

static int base_compile(lua_State *L) {
    size_t size;
    const char *text = lua_tolstring(L, 1, &size);
    ployi_script_compile_text(L, text, size, lua_tostring(L, 2), true);
    return 1;
}

static int base_load(lua_State *L) {
    size_t size;
    bool has_env = lua_gettop(L) >= 4;
    const char *text = lua_tolstring(L, 1, &size);
    const char *name = luaL_optstring(L, 2, "=(load)");
    const char *mode = luaL_optstring(L, 3, "t");
    lua_settop(L, 4);
    if (text == NULL) {
        luaL_checktype(L, 1, LUA_TFUNCTION);
        text = base_pieces(L, &size);
        lua_replace(L, 1);
    }
    if (strchr(mode, 't') == NULL) {
        lua_pushnil(L);
        lua_pushliteral(L, "load: expected mode 't' (bytecode is not accepted)");
        return 2;
    }
    ployi_script_charge(L, 16 + (int64_t)(size / 16));
    if (name[0] == '=' || name[0] == '@') name++;
    lua_pushcfunction(L, base_compile);
    lua_pushvalue(L, 1);
    lua_pushstring(L, name);
    if (lua_pcall(L, 2, 1, 0) != LUA_OK) {
        ployi_script_rethrow(L);
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    if (has_env) {
        lua_pushvalue(L, 4);
        if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
    }
    return 1;
}

// Lua's own, which reads all of a long text.
static int base_tonumber(lua_State *L) {
    if (lua_type(L, 1) == LUA_TSTRING) ployi_script_charge(L, (int64_t)(lua_rawlen(L, 1) / 16));
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int base_collectgarbage(lua_State *L) {
    const char *option = luaL_optstring(L, 1, "collect");
    if (strcmp(option, "collect") == 0 || strcmp(option, "step") == 0) {
        lua_pushinteger(L, 0); // the host collects
        return 1;
    }
    return luaL_error(L, "collectgarbage: option '%s' is not repeatable", option);
}

void ployi_script_open_base(lua_State *L, const ploy_lua_def *def) {
    static const luaL_Reg replaced[] = {{"tostring", base_tostring},
                                        {"print", base_print},
                                        {"pairs", ployi_script_pairs},
                                        {"next", base_next},
                                        {"pcall", base_pcall},
                                        {"xpcall", base_xpcall},
                                        {"setmetatable", base_setmetatable},
                                        {"collectgarbage", base_collectgarbage},
                                        {NULL, NULL}};
    static const char *const removed[] = {"dofile", "loadfile", "load", "warn"};
    luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
    luaL_setfuncs(L, replaced, 0);
    for (size_t i = 0; i < sizeof removed / sizeof removed[0]; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, removed[i]);
    }
    lua_getfield(L, -1, "tonumber");
    lua_pushcclosure(L, base_tonumber, 1);
    lua_setfield(L, -2, "tonumber");
    if (def->load) {
        lua_pushcfunction(L, base_load);
        lua_setfield(L, -2, "load");
    }
    lua_pop(L, 1);
}
