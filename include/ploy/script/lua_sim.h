/// @file ploy/script/lua_sim.h
/// A Lua state in a simulation: its ticks, and the calls that memory ended as inputs.
///
///     ploy_lua_sim_begin(lua, "guards", sim);      // first in the simulation's step
///     ploy_lua_call(lua, ...);
///     result = ploy_lua_sim_end(lua, "guards", sim);
///
/// How much memory a script takes depends on Lua's hash seed, so the place where `memory_kb` ends a
/// call differs between runs. It is therefore an input: the step in which it happens reports it
/// (ploy_sim_measure), a recorder adds it to the tick, and when the tick is executed again, here or
/// on another machine, the call ends at the same place.
///
/// Cost: that of ploy_lua_tick. Threads: one caller at a time.
#pragma once

#include "ploy/exec/sim.h"
#include "ploy/script/lua.h"

/// Most calls that memory may end in one tick; later calls of the tick return PLOY_ERR_LIMIT.
#define PLOY_LUA_SIM_ENDS_MAX 16

/// Begins a tick: ploy_lua_tick with the step's key and tick, and the inputs of this name.
/// @param name  of the state among those of the simulation; must live as long as its type.
PLOY_API void ploy_lua_sim_begin(ploy_lua *lua, const char *name, const ploy_sim_context *sim);
/// Ends it: reports the calls that memory ended since ploy_lua_sim_begin.
/// @return the error of ploy_sim_measure.
PLOY_API ploy_result ploy_lua_sim_end(ploy_lua *lua, const char *name, const ploy_sim_context *sim);
