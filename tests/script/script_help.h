// What the tests of the module script share: a state, and running text in it.
#pragma once

#include <string.h>

#include "ploy/base/alloc.h"
#include "ploy/script/lua.h"
#include "tests/test.h"

static inline ploy_lua *script_create(test_context *t, const ploy_lua_def *def) {
    ploy_lua_def settings = def != NULL ? *def : ploy_lua_def_default();
    ploy_env env = ploy_env_default();
    ploy_lua *lua = NULL;
    CHECK_OK(ploy_lua_create(&settings, &env, &lua));
    return lua;
}

static inline ploy_result script_try(ploy_lua *lua, const char *text) {
    return ploy_lua_run(lua, text, strlen(text), "test", NULL);
}

static inline void script_run(test_context *t, ploy_lua *lua, const char *text) {
    ploy_result result = script_try(lua, text);
    if (result != PLOY_OK) CHECK_TEXT(ploy_lua_error(lua), "");
    CHECK_OK(result);
}

static inline int64_t script_integer(test_context *t, ploy_lua *lua, const char *path) {
    ploy_value value;
    CHECK_OK(ploy_lua_get(lua, PLOY_LUA_GLOBALS, path, &value));
    CHECK_INT(value.type, PLOY_VALUE_I64);
    return value.as.i64;
}

static inline const char *script_text(test_context *t, ploy_lua *lua, const char *path) {
    ploy_value value;
    CHECK_OK(ploy_lua_get(lua, PLOY_LUA_GLOBALS, path, &value));
    CHECK_INT(value.type, PLOY_VALUE_TEXT);
    return value.as.text;
}
