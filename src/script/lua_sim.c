// A Lua state in a simulation; see the header.
#include "ploy/script/lua_sim.h"

#include <string.h>

#include "script/script_internal.h"

// The next place where memory ended a call, or that there is none.
static void lua_sim_expect(ploy_lua *lua) {
    if (lua->repeated_next < lua->repeated_count) {
        lua->replay_event = lua->repeated[lua->repeated_next];
    } else {
        lua->replay_event = lua->repeats ? INT64_MAX : -1;
    }
}

void ploy_lua_sim_begin(ploy_lua *lua, const char *name, const ploy_sim_context *sim) {
    ploy_lua_tick(lua, sim->key, sim->tick);
    lua->simulated = true;
    lua->repeats = sim->repeats;
    lua->ended_count = lua->repeated_count = lua->repeated_next = 0;
    for (int32_t i = 0; i < sim->input_count; i++) {
        const ploy_input *input = &sim->inputs[i];
        if (input->kind != PLOY_INPUT_UNITS || strcmp(input->name, name) != 0) continue;
        if (lua->repeated_count == PLOY_LUA_SIM_ENDS_MAX) break;
        uint64_t event = input->value.as.u64;
        lua->repeated[lua->repeated_count++] = event < INT64_MAX ? (int64_t)event : INT64_MAX;
    }
    lua_sim_expect(lua);
}

void ployi_script_ended(ploy_lua *lua) {
    if (!lua->simulated) return;
    if (lua->ended_count < PLOY_LUA_SIM_ENDS_MAX) {
        lua->ended[lua->ended_count++] = lua->memory_event;
    }
    if (lua->replay_event == lua->memory_event) {
        lua->repeated_next++;
        lua_sim_expect(lua);
    }
}

ploy_result ploy_lua_sim_end(ploy_lua *lua, const char *name, const ploy_sim_context *sim) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < lua->ended_count && result == PLOY_OK; i++) {
        result = ploy_sim_measure(sim, name, (uint64_t)lua->ended[i]);
    }
    lua->ended_count = 0;
    return result;
}
