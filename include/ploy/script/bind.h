/// @file ploy/script/bind.h
/// Bindings: the library's functions, callable from Lua scripts.
///
///     ploy_lua_bind(lua, "geom");
///     ploy_lua_bind(lua, "move");          // script: ploy.move.wander_create({}, 8)
///
/// tools/bind-lua.mjs generates them from the roles of parameters in ploy_api.json; about nine of
/// ten functions are bound, and unbound.txt in the build directory names the others with the
/// reason. In a script, `ploy_wander_step` is `ploy.move.wander_step(wander, ...)` or
/// `wander:step(...)`. Settings are tables, small structs are values, arrays are sequences,
/// callbacks are functions, a failed result is an error with the library's text. The guide lists
/// all rules: docs/guide/script-bindings.md.
///
/// Safety. Objects are counted: none is freed while a script or another object uses it. Handles
/// that were released, lent, given away or are of another type are errors that name the parameter,
/// and so are numbers out of range, NaN and sequences of the wrong length. Nothing that starts
/// threads, reads files or depends on the clock is bound.
///
/// Memory of bound objects comes from the state's env, at most the def's `memory_kb` of it beside
/// the scripts' own. Each call charges one unit and more for long arguments; the work inside the
/// library is not counted, so give long work a budget. Threads: as the state.
///
/// This is the component ploy::script_bind, built if liblua5.4, Node and clang are found.
#pragma once

#include "ploy/script/lua.h"

/// Makes a module ("base", "geom", "search", "exec", "world", "path", "move", "decide", "tactics",
/// "learn", "generate", "board", "data") available as `ploy.<module>`. Binding it again does
/// nothing. Functions are looked up when a script first uses them, so an unused module costs about
/// 200 bytes.
/// @return PLOY_ERR_NOT_FOUND for an unknown module, PLOY_ERR_MEMORY; ploy_lua_error has the text.
PLOY_API ploy_result ploy_lua_bind(ploy_lua *lua, const char *module);
