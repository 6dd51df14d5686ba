// Programs: calls, a loop and a thousand instances that yield, beside the same scripts in Lua.
//
// Both sides run text that does the same, and the results are compared. Ours counts every
// instruction against a budget; Lua runs without a hook.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/decide/program.h"
#include "ploy/decide/routine.h"

#ifdef PLOY_BENCH_LUA
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#endif

enum {
    PROGRAM_FIB_CALLS = 35421,
    PROGRAM_TURNS = 100000,
    PROGRAM_MINDS = 1000,
    PROGRAM_TICKS = 20
};

// fib(21) makes 2 fib(22) - 1 calls.
static const char program_fib[] = "function fib(n) {\n"
                                  "  if n < 2 { return n }\n"
                                  "  return fib(n - 1) + fib(n - 2)\n"
                                  "}\n"
                                  "return fib(21)\n";
static const char program_loop[] = "local sum = 0\n"
                                   "for i = 1, 100000 {\n"
                                   "  if i * 3 > sum { sum += i } else { sum -= 7 }\n"
                                   "}\n"
                                   "return sum\n";
static const char program_mind[] = "local n = 0\n"
                                   "while true { n += 1; yield }\n";

typedef struct program_data {
    ploy_program *program;
    ploy_program_instance *minds[PROGRAM_MINDS];
    int32_t count;
    double value;
    ploy_routine routines[PROGRAM_MINDS];
    double numbers[PROGRAM_MINDS];
#ifdef PLOY_BENCH_LUA
    lua_State *lua;
    lua_State *threads[PROGRAM_MINDS];
    double theirs;
#endif
} program_data;

static void program_need(bool fine) {
    if (fine) return;
    fprintf(stderr, "ploy: cannot set up the benchmark\n");
    exit(2);
}

static void program_once(void *self) {
    program_data *data = self;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    ploy_status status;
    ploy_program_instance_restart(data->minds[0]);
    (void)ploy_program_step(data->minds[0], &context, &status);
    data->value = ploy_program_value(data->minds[0]).as.f64;
}

static void program_resume(void *self) {
    program_data *data = self;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    for (int32_t tick = 0; tick < PROGRAM_TICKS; tick++) {
        for (int32_t i = 0; i < PROGRAM_MINDS; i++) {
            ploy_status status;
            (void)ploy_program_step(data->minds[i], &context, &status);
        }
    }
}

static ploy_result program_count(ploy_routine *routine, void *owner) {
    double *n = owner;
    PLOY_ROUTINE_BEGIN(routine);
    for (;;) {
        *n += 1.0;
        PLOY_ROUTINE_YIELD(routine);
    }
    PLOY_ROUTINE_END(routine);
}

static void program_routines(void *self) {
    static const ploy_routine_state states[] = {{"count", program_count, NULL}};
    static const ploy_routine_def def = {"count", states, 1, NULL, 0, 0};
    program_data *data = self;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.1f);
    for (int32_t tick = 0; tick < PROGRAM_TICKS; tick++) {
        for (int32_t i = 0; i < PROGRAM_MINDS; i++) {
            ploy_status status;
            (void)ploy_routine_step(&data->routines[i], &def, &data->numbers[i], &context, &status);
        }
    }
}

#ifdef PLOY_BENCH_LUA
static const char program_lua_fib[] =
    "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
    "return function() return fib(21) end\n";
static const char program_lua_loop[] =
    "return function()\n"
    "  local sum = 0\n"
    "  for i = 1, 100000 do if i * 3 > sum then sum = sum + i else sum = sum - 7 end end\n"
    "  return sum\n"
    "end\n";
static const char program_lua_mind[] =
    "local yield = coroutine.yield\n"
    "return function() local n = 0; while true do n = n + 1; yield() end end\n";

static void program_lua_open(program_data *data, const char *text) {
    data->lua = luaL_newstate();
    program_need(data->lua != NULL);
    luaL_openlibs(data->lua);
    program_need(luaL_dostring(data->lua, text) == 0 && lua_isfunction(data->lua, -1));
}

static void program_lua_once(void *self) {
    program_data *data = self;
    lua_pushvalue(data->lua, -1);
    program_need(lua_pcall(data->lua, 0, 1, 0) == 0);
    data->theirs = lua_tonumber(data->lua, -1);
    lua_pop(data->lua, 1);
}

static void program_lua_resume(void *self) {
    program_data *data = self;
    for (int32_t tick = 0; tick < PROGRAM_TICKS; tick++) {
        for (int32_t i = 0; i < PROGRAM_MINDS; i++) {
            int results = 0;
            program_need(lua_resume(data->threads[i], data->lua, 0, &results) == LUA_YIELD);
        }
    }
}
#endif

static program_data *program_open(const char *text, int32_t count) {
    program_data *data = calloc(1, sizeof *data);
    program_need(data != NULL);
    ploy_env env = ploy_env_default();
    ploy_program_def def = ploy_program_def_default();
    def.step_units = 1000000000;
    program_need(ploy_program_create(&def, text, strlen(text), "bench", NULL, &env, NULL,
                                     &data->program) == PLOY_OK);
    data->count = count;
    for (int32_t i = 0; i < count; i++) {
        program_need(ploy_program_instance_create(data->program, &env, &data->minds[i]) == PLOY_OK);
        data->routines[i] = ploy_routine_make();
    }
    return data;
}

static void program_close(program_data *data) {
    for (int32_t i = 0; i < data->count; i++) ploy_program_instance_destroy(data->minds[i]);
    ploy_program_destroy(data->program);
#ifdef PLOY_BENCH_LUA
    if (data->lua != NULL) lua_close(data->lua);
#endif
    free(data);
}

void bench_decide_program(bench_run *run) {
    bool fib = bench_size(run) == 0;
    double operations = fib ? (double)PROGRAM_FIB_CALLS : (double)PROGRAM_TURNS;
    program_data *data = program_open(fib ? program_fib : program_loop, 1);
    bench_side peer = bench_nothing();
#ifdef PLOY_BENCH_LUA
    program_lua_open(data, fib ? program_lua_fib : program_lua_loop);
    peer = bench_call(program_lua_once, data, operations);
#endif
    bench_measure(run, bench_call(program_once, data, operations), peer, bench_nothing());
#ifdef PLOY_BENCH_LUA
    if (!(fabs(data->value - data->theirs) < 0.5)) bench_fail(run, "Lua comes to another result");
#endif
    program_close(data);
}

void bench_decide_program_resume(bench_run *run) {
    double operations = (double)PROGRAM_MINDS * PROGRAM_TICKS;
    program_data *data = program_open(program_mind, PROGRAM_MINDS);
    bench_side peer = bench_nothing();
#ifdef PLOY_BENCH_LUA
    program_lua_open(data, program_lua_mind);
    for (int32_t i = 0; i < PROGRAM_MINDS; i++) {
        data->threads[i] = lua_newthread(data->lua);
        (void)luaL_ref(data->lua, LUA_REGISTRYINDEX);
        lua_pushvalue(data->lua, -1);
        lua_xmove(data->lua, data->threads[i], 1);
    }
    peer = bench_call(program_lua_resume, data, operations);
#endif
    bench_measure(run, bench_call(program_resume, data, operations), peer,
                  bench_call(program_routines, data, operations));
    program_close(data);
}
