// Creating and describing a state.
#include <locale.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "script/script_internal.h"

static const ploy_field state_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_lua_def, memory_kb, 49152, 192, 1 << 21, "KiB",
                         "most memory; a call ends when its values take a third"),
    PLOY_FIELD_I32(ploy_lua_def, call_units, 1000000, 100, 2000000000, "",
                   "most units of one call, load or resume"),
    PLOY_FIELD_I32(ploy_lua_def, tick_units, 2000000000, 100, 2000000000, "",
                   "most units of one tick"),
    PLOY_FIELD_I32(ploy_lua_def, collect_kb, 64, 0, 1 << 20, "KiB",
                   "garbage collection in each tick"),
    PLOY_FIELD_I32_FIXED(ploy_lua_def, string_kb, 1024, 1, 1 << 20, "KiB", "longest string"),
    PLOY_FIELD_BOOL(ploy_lua_def, math, true, "library math"),
    PLOY_FIELD_BOOL(ploy_lua_def, string, true, "library string, and methods of strings"),
    PLOY_FIELD_BOOL(ploy_lua_def, table, true, "library table"),
    PLOY_FIELD_BOOL(ploy_lua_def, coroutine, true, "library coroutine"),
    PLOY_FIELD_BOOL(ploy_lua_def, utf8, true, "library utf8"),
    PLOY_FIELD_BOOL(ploy_lua_def, load, true, "function load, for text only"),
    PLOY_FIELD_BOOL(ploy_lua_def, compiled, false, "compiled scripts are accepted"),
};

ploy_fields ploy_lua_fields(void) {
    return PLOY_FIELDS(ploy_lua_def, state_fields);
}

ploy_lua_def ploy_lua_def_default(void) {
    ploy_lua_def def;
    ploy_fields_default(ploy_lua_fields(), &def);
    return def;
}

const char *ploy_lua_version(void) {
    return LUA_RELEASE;
}

// Names of the library's C functions, for the hash of a state.
static void state_name(lua_State *L, int names, const char *prefix) {
    int table = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        if (lua_type(L, -2) == LUA_TSTRING && lua_iscfunction(L, -1)) {
            lua_pushfstring(L, "%s%s", prefix, lua_tostring(L, -2));
            lua_rawset(L, names); // pops the function as its key
            lua_pushnil(L);
        } else if (prefix[0] == 0 && lua_istable(L, -1) && !lua_rawequal(L, -1, table)) {
            lua_pushfstring(L, "%s.", lua_tostring(L, -2));
            lua_insert(L, -2);
            state_name(L, names, lua_tostring(L, -2));
            lua_remove(L, -2);
        }
        lua_pop(L, 1);
    }
}

static int state_open(lua_State *L) {
    const ploy_lua *lua = ployi_script_of(L);
    luaL_checkversion(L);
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawseti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_METAS);
    ployi_script_open_base(L, &lua->def);
    ployi_script_open_objects(L);
    if (lua->def.math) ployi_script_open_math(L);
    if (lua->def.string) ployi_script_open_string(L);
    if (lua->def.table) ployi_script_open_table(L);
    if (lua->def.coroutine) ployi_script_open_coroutine(L);
    if (lua->def.utf8) ployi_script_open_utf8(L);
    lua_createtable(L, 0, 128);
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_NAMES);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    state_name(L, lua_gettop(L) - 1, "");
    return 0;
}

ploy_result ploy_lua_create(const ploy_lua_def *def, const ploy_env *env, ploy_lua **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_lua_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (strcmp(localeconv()->decimal_point, ".") != 0) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "script: expected a decimal point in the locale; call setlocale(LC_ALL, "
                     "\"C\") first");
        return PLOY_ERR_UNSUPPORTED;
    }
    ploy_lua *lua = ploy_env_alloc_zero(env, sizeof *lua);
    if (lua == NULL) return PLOY_ERR_MEMORY;
    lua->env = *env;
    lua->def = *def;
    lua->most = (size_t)def->memory_kb * 1024;
    lua->cap = lua->most / 3;
    lua->grain = def->call_units / 16 < 256 ? def->call_units / 16 : 256;
    lua->first = lua->grain < 16 ? lua->grain : 16;
    const uintptr_t bits = (uintptr_t)lua;
    lua->owner = (uint32_t)ploy_hash_bytes(&bits, sizeof bits, 0) | 1u;
    lua->factor = 1;
    lua->memory_event = -1;
    lua->replay_event = -1;
    lua->limit = INT64_MAX;
    lua->soft = INT64_MAX;
    lua->tick_end = def->tick_units;
    lua->free_slot = -1;
    lua->collect_at = (size_t)64 * 1024;
    ploy_array_init(&lua->slots, sizeof(ployi_script_slot), &lua->env);
    ploy_array_init(&lua->hosts, sizeof(void *), &lua->env);
    lua->main = lua_newstate(ployi_script_alloc, lua);
    lua->at = lua->main;
    if (lua->main == NULL) {
        ploy_lua_destroy(lua);
        return PLOY_ERR_MEMORY;
    }
    *(ploy_lua **)lua_getextraspace(lua->main) = lua;
    (void)lua_gc(lua->main, LUA_GCSTOP);
    result = ployi_script_protect(lua, state_open, NULL);
    if (result != PLOY_OK) {
        if (result == PLOY_ERR_ARGUMENT) {
            ploy_env_log(env, PLOY_SEVERITY_ERROR, lua->error);
            result = PLOY_ERR_UNSUPPORTED;
        }
        ploy_lua_destroy(lua);
        return result;
    }
    // Room on the base level, which stays: describing needs it and must not allocate.
    if (!lua_checkstack(lua->main, 1024)) {
        ploy_lua_destroy(lua);
        return PLOY_ERR_MEMORY;
    }
    lua_sethook(lua->main, ployi_script_hook, LUA_MASKCOUNT, lua->grain);
    lua->error[0] = 0;
    *out = lua;
    return PLOY_OK;
}

void ploy_lua_destroy(ploy_lua *lua) {
    if (lua == NULL) return;
    if (lua->main != NULL) lua_close(lua->main);
    for (int32_t i = 0; i < lua->hosts.count; i++) {
        void **block = &PLOY_ARRAY_ITEMS(&lua->hosts, void *)[i];
        ploy_env_free(&lua->env, *block, sizeof(ployi_script_host));
    }
    ploy_env_free(&lua->env, lua->stacks, lua->stack_capacity * sizeof *lua->stacks);
    ploy_array_fini(&lua->hosts);
    ploy_array_fini(&lua->slots);
    ploy_env env = lua->env;
    ploy_env_free(&env, lua, sizeof *lua);
}

void ploy_lua_tick(ploy_lua *lua, ploy_rng_key key, uint64_t tick) {
    if (lua->depth > 0) return;
    lua->key = key;
    lua->tick = tick;
    lua->draw = 0;
    lua->tick_end = lua->units + lua->def.tick_units;
    if (lua->def.collect_kb > 0) ployi_script_collect(lua, lua->main, lua->def.collect_kb);
}

void ploy_lua_set_agent(ploy_lua *lua, ploy_agent_id agent, uint32_t draw) {
    lua->agent = agent;
    lua->draw = draw;
}

ploy_lua_stats ploy_lua_get_stats(const ploy_lua *lua) {
    ploy_lua_stats stats = {lua->units,      lua->last_units,   lua->tick_end - lua->units,
                            lua->events,     lua->memory_event, lua->bytes,
                            lua->peak_bytes, lua->refs};
    if (stats.tick_left < 0) stats.tick_left = 0;
    return stats;
}

void ploy_lua_set_memory_event(ploy_lua *lua, int64_t event) {
    lua->replay_event = event;
}

const char *ploy_lua_error(const ploy_lua *lua) {
    return lua->error;
}

void ploy_lua_set_print(ploy_lua *lua, ploy_lua_print_fn fn, void *user) {
    lua->print = fn;
    lua->print_user = user;
}
