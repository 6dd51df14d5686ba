// A bound function in the sandbox beside a lua_CFunction written by hand in plain Lua, for the same
// call: automaton:cell(x, y), an object and two numbers in, a number out.
#include "bench/bench.h"

#ifndef PLOY_HAS_SCRIPT_BIND

void bench_script_bind(bench_run *run) {
    bench_fail(run, "the component script_bind is not built");
}

#else

#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <string.h>

#include "ploy/geom/automaton.h"
#include "ploy/script/bind.h"

enum { BIND_CALLS = 10000 };

typedef struct bind_pair {
    ploy_lua *ours;
    lua_State *plain;
    ploy_lua_ref work;
    int64_t our_sum, plain_sum;
    bool failed;
} bind_pair;

static int bind_cell(lua_State *L) {
    ploy_automaton **automaton = luaL_checkudata(L, 1, "automaton");
    lua_Integer x = luaL_checkinteger(L, 2);
    lua_Integer y = luaL_checkinteger(L, 3);
    luaL_argcheck(L, x >= INT32_MIN && x <= INT32_MAX, 2, "out of range");
    luaL_argcheck(L, y >= INT32_MIN && y <= INT32_MAX, 3, "out of range");
    lua_pushinteger(L, ploy_automaton_cell(*automaton, (int32_t)x, (int32_t)y));
    return 1;
}

static void bind_ours(void *self) {
    bind_pair *pair = self;
    ploy_value out = ploy_value_i64(-1);
    ploy_lua_tick(pair->ours, ploy_rng_key_make(1), 1);
    if (ploy_lua_call(pair->ours, pair->work, PLOY_LUA_GLOBALS, NULL, 0, &out, 1) != PLOY_OK) {
        pair->failed = true;
    }
    pair->our_sum = out.as.i64;
}

static void bind_plain(void *self) {
    bind_pair *pair = self;
    lua_State *L = pair->plain;
    lua_getglobal(L, "work");
    if (lua_pcall(L, 0, 1, 0) != LUA_OK) pair->failed = true;
    pair->plain_sum = lua_tointeger(L, -1);
    lua_pop(L, 1);
}

static bool bind_open(bind_pair *pair, ploy_automaton *automaton, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    def.call_units = 2000000000;
    pair->plain = luaL_newstate();
    if (pair->plain == NULL || ploy_lua_create(&def, &env, &pair->ours) != PLOY_OK) return false;
    static const char make[] = "a = ploy.geom.automaton_create({width = 16, height = 16})";
    if (ploy_lua_bind(pair->ours, "geom") != PLOY_OK ||
        ploy_lua_run(pair->ours, make, strlen(make), "make", NULL) != PLOY_OK ||
        ploy_lua_run(pair->ours, text, strlen(text), "bench", NULL) != PLOY_OK ||
        ploy_lua_get_ref(pair->ours, PLOY_LUA_GLOBALS, "work", &pair->work) != PLOY_OK) {
        return false;
    }
    lua_State *L = pair->plain;
    *(ploy_automaton **)lua_newuserdatauv(L, sizeof automaton, 0) = automaton;
    luaL_newmetatable(L, "automaton");
    lua_newtable(L);
    lua_pushcfunction(L, bind_cell);
    lua_setfield(L, -2, "cell");
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_setglobal(L, "a");
    return luaL_dostring(L, text) == LUA_OK;
}

void bench_script_bind(bench_run *run) {
    static const char text[] = "local a = a\n"
                               "function work()\n"
                               "    local s = 0\n"
                               "    for i = 1, 10000 do s = s + a:cell(3, 5) end\n"
                               "    return s\n"
                               "end\n";
    ploy_env env = ploy_env_default();
    bind_pair pair = {0};
    ploy_automaton *automaton = NULL;
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = def.height = 16;
    bool good = ploy_automaton_create(&def, &env, &automaton) == PLOY_OK &&
                bind_open(&pair, automaton, text);
    if (good) {
        bench_measure(run, bench_call(bind_ours, &pair, BIND_CALLS),
                      bench_call(bind_plain, &pair, BIND_CALLS), bench_nothing());
    }
    if (!good || pair.failed || pair.our_sum != pair.plain_sum) bench_fail(run, "a call failed");
    if (pair.plain != NULL) lua_close(pair.plain);
    ploy_lua_destroy(pair.ours);
    ploy_automaton_destroy(automaton);
}

#endif
