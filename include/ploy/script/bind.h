/// @file ploy/script/bind.h
/// Bindings: call the library's functions from Lua scripts.
///
///     ploy_lua_bind(lua, "geom");
///     ploy_lua_bind(lua, "move");          // script: ploy.move.wander_create({}, 8)
///
/// tools/bind-lua.mjs generates them from the roles of parameters in ploy_api.json. About 90 % of
/// the functions are bound; unbound.txt in the build directory lists the others with the reason. In
/// a script, `ploy_wander_step` is `ploy.move.wander_step(wander, ...)` or `wander:step(...)`.
/// Settings are tables, small structs are values, arrays are sequences, callbacks are functions, a
/// failed result is an error with the library's text. The guide lists all rules:
/// docs/guide/script-bindings.md.
///
/// Safety. Objects are reference-counted: none is freed while a script or another object uses it.
/// Passing a handle that was released, lent or given away, or that has another type, is an error
/// that names the parameter. The same holds for numbers out of range, NaN and sequences of the
/// wrong length. Functions that start threads, read files or depend on the clock are not bound.
///
/// The memory of bound objects comes from the state's env; it is limited to the def's `memory_kb`,
/// in addition to the memory of scripts. Each call charges one unit, and more for long arguments.
/// The work inside the library is not counted, so give long work a budget. Threads: as the state.
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
