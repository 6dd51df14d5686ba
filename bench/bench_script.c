// Lua in the sandbox beside plain Lua of the same library in the same process.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

#ifndef PLOY_HAS_SCRIPT_LUA

static void script_missing(bench_run *run) {
    bench_fail(run, "the component script_lua is not built");
}

void bench_script_call(bench_run *run) {
    script_missing(run);
}

void bench_script_pairs(bench_run *run) {
    script_missing(run);
}

void bench_script_fib(bench_run *run) {
    script_missing(run);
}

void bench_script_loop(bench_run *run) {
    script_missing(run);
}

void bench_script_minds(bench_run *run) {
    script_missing(run);
}

void bench_script_load(bench_run *run) {
    script_missing(run);
}

#else

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "ploy/base/region.h"
#include "ploy/script/lua.h"

enum { SCRIPT_CALLS = 1000, SCRIPT_MINDS = 1000, SCRIPT_LINES = 10000 };

// One script in our state and in a plain one; both call the global function `work`.
typedef struct script_pair {
    ploy_lua *ours;
    lua_State *plain;
    ploy_lua_ref work;
    ploy_region *region;
    int64_t argument;
    int32_t calls;
    int64_t our_sum, plain_sum;
    const char *text;
    size_t size;
    bool failed;
} script_pair;

static void script_ours(void *self) {
    script_pair *pair = self;
    ploy_value arg = ploy_value_i64(pair->argument), out;
    ploy_lua_tick(pair->ours, ploy_rng_key_make(1), 1);
    for (int32_t i = 0; i < pair->calls; i++) {
        if (ploy_lua_call(pair->ours, pair->work, PLOY_LUA_GLOBALS, &arg, 1, &out, 1) != PLOY_OK) {
            pair->failed = true;
        }
        pair->our_sum += out.as.i64;
    }
}

// The function is at 1.
static void script_plain(void *self) {
    script_pair *pair = self;
    lua_State *L = pair->plain;
    for (int32_t i = 0; i < pair->calls; i++) {
        lua_pushvalue(L, 1);
        lua_pushinteger(L, pair->argument);
        if (lua_pcall(L, 1, 1, 0) != LUA_OK) pair->failed = true;
        pair->plain_sum += lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
}

static bool script_open(bench_run *run, script_pair *pair, const char *text, bool region) {
    memset(pair, 0, sizeof *pair);
    pair->calls = 1;
    ploy_env env = ploy_env_default(), inside = env;
    ploy_lua_def def = ploy_lua_def_default();
    def.call_units = 2000000000;
    def.memory_kb = 1 << 17;
    if (region) {
        if (ploy_region_create((size_t)256 << 20, &env, &pair->region) != PLOY_OK) return false;
        inside = ploy_region_env(pair->region);
    }
    pair->plain = luaL_newstate();
    bool good = pair->plain != NULL && ploy_lua_create(&def, &inside, &pair->ours) == PLOY_OK;
    if (good) {
        luaL_openlibs(pair->plain);
        good = ploy_lua_run(pair->ours, text, strlen(text), "bench", NULL) == PLOY_OK &&
               ploy_lua_get_ref(pair->ours, PLOY_LUA_GLOBALS, "work", &pair->work) == PLOY_OK &&
               luaL_dostring(pair->plain, text) == LUA_OK;
    }
    if (good) {
        lua_settop(pair->plain, 0);
        lua_getglobal(pair->plain, "work");
    } else {
        bench_fail(run, "a state could not be made");
    }
    return good;
}

static void script_close(bench_run *run, script_pair *pair) {
    if (pair->failed) bench_fail(run, "a call failed");
    ploy_lua_destroy(pair->ours);
    ploy_region_destroy(pair->region);
    if (pair->plain != NULL) lua_close(pair->plain);
}

// Both must compute the same.
static void script_compare(bench_run *run, script_pair *pair, double operations) {
    script_ours(pair);
    script_plain(pair);
    if (pair->our_sum != pair->plain_sum) bench_fail(run, "plain Lua computes something else");
    bench_measure(run, bench_call(script_ours, pair, operations),
                  bench_call(script_plain, pair, operations), bench_nothing());
}

void bench_script_call(bench_run *run) {
    script_pair pair;
    if (script_open(run, &pair, "function work(n) return n + 1 end", false)) {
        pair.argument = 41;
        pair.calls = SCRIPT_CALLS;
        script_compare(run, &pair, SCRIPT_CALLS);
    }
    script_close(run, &pair);
}

void bench_script_pairs(bench_run *run) {
    char text[512];
    script_pair pair;
    // Names as games have them, and numbers as values.
    snprintf(
        text, sizeof text,
        "local t = {} for i = 1, %d do t['agent' .. i * 7919 %% 10007] = i end\n"
        "function work(n) local s = 0 for k = 1, n do for name, v in pairs(t) do s = s + v end "
        "end return s end",
        (int)bench_size(run));
    if (script_open(run, &pair, text, false)) {
        pair.argument = 4000 / bench_size(run);
        script_compare(run, &pair, 4000.0);
    }
    script_close(run, &pair);
}

void bench_script_fib(bench_run *run) {
    script_pair pair;
    if (script_open(run, &pair,
                    "function work(n) if n < 2 then return n end return work(n - 1) + work(n - 2) "
                    "end",
                    false)) {
        pair.argument = 20;
        script_compare(run, &pair, 1.0);
    }
    script_close(run, &pair);
}

void bench_script_loop(bench_run *run) {
    script_pair pair;
    if (script_open(run, &pair,
                    "function work(n) local s = 0 for i = 1, n do s = s + i % 7 end return s end",
                    false)) {
        pair.argument = 100000;
        script_compare(run, &pair, 100000.0);
    }
    script_close(run, &pair);
}

void bench_script_minds(bench_run *run) {
    char text[1024];
    script_pair pair;
    snprintf(
        text, sizeof text,
        "local minds = {}\n"
        "local function think(id) local gold, tired, log = 0, 0, {}\n"
        "  while true do\n"
        "    if tired > 2 then tired = tired - 1 else gold = gold + 2 tired = tired + 1 end\n"
        "    if gold > 4 then log[#log %% 5 + 1] = {id, gold} gold = 0 end\n"
        "    coroutine.yield(gold)\n"
        "  end end\n"
        "for i = 1, %d do minds[i] = coroutine.create(think) coroutine.resume(minds[i], i) end\n"
        "function work() local s = 0 for i = 1, #minds do\n"
        "  local ok, gold = coroutine.resume(minds[i]) s = s + gold end return s end",
        SCRIPT_MINDS);
    if (script_open(run, &pair, text, true)) script_compare(run, &pair, SCRIPT_MINDS);
    script_close(run, &pair);
}

static void script_load_ours(void *self) {
    script_pair *pair = self;
    ploy_lua_ref chunk;
    ploy_lua_tick(pair->ours, ploy_rng_key_make(1), 1);
    if (ploy_lua_load(pair->ours, pair->text, pair->size, "bench", NULL, &chunk) != PLOY_OK) {
        pair->failed = true;
    }
    (void)ploy_lua_release(pair->ours, chunk);
}

static void script_load_plain(void *self) {
    script_pair *pair = self;
    if (luaL_loadbuffer(pair->plain, pair->text, pair->size, "bench") != LUA_OK) {
        pair->failed = true;
    }
    lua_pop(pair->plain, 1);
}

void bench_script_load(bench_run *run) {
    script_pair pair;
    size_t room = (size_t)SCRIPT_LINES * 64;
    char *text = malloc(room);
    if (text == NULL) return;
    size_t at = 0;
    for (int i = 0; i < SCRIPT_LINES / 4; i++) {
        at += (size_t)snprintf(text + at, room - at,
                               "function guard%d(self, target)\n"
                               "  local distance = self.x - target.x * %d\n"
                               "  if distance > 10 then return 'idle', distance end\n"
                               "end\n",
                               i % 100, i);
    }
    if (script_open(run, &pair, "function work() end", false)) {
        pair.text = text;
        pair.size = at;
        bench_measure(run, bench_call(script_load_ours, &pair, SCRIPT_LINES),
                      bench_call(script_load_plain, &pair, SCRIPT_LINES), bench_nothing());
    }
    script_close(run, &pair);
    free(text);
}

#endif
