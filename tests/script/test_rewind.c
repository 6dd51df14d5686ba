// A state in a region: what is restored and run again gives equal bytes. The place where memory
// ends a call is an input.
#include "tests/rewind.h"
#include "tests/script/script_help.h"

enum { REWIND_MINDS = 1000 };

static const char rewind_text[] =
    "local minds, log = {}, {}\n"
    "local function think(id)\n"
    "  local seen, gold = {}, 0\n"
    "  while true do\n"
    "    gold = gold + math.random(3)\n"
    "    seen[#seen % 7 + 1] = id .. ':' .. gold\n"
    "    if gold > 40 then gold = 0; log[id % 50] = table.concat(seen, ',') end\n"
    "    local rest = coroutine.yield(gold)\n"
    "    if rest then seen = {rest} end\n"
    "  end\n"
    "end\n"
    "function begin(n) for i = 1, n do minds[i] = coroutine.create(think);\n"
    "  coroutine.resume(minds[i], i) end end\n"
    "function step(t) local sum = 0\n"
    "  for i, co in ipairs(minds) do\n"
    "    local ok, gold = coroutine.resume(co, i % 97 == t % 97 and 'rest' .. t or nil)\n"
    "    sum = sum + gold\n"
    "  end\n"
    "  for k, v in pairs(log) do sum = sum + #v end\n"
    "  return sum\n"
    "end\n";

typedef struct rewind_sim {
    ploy_lua *lua;
    ploy_lua_ref step;
} rewind_sim;

static int64_t rewind_ticks(test_context *t, rewind_sim *sim, uint64_t from, uint64_t count) {
    int64_t sum = 0;
    for (uint64_t tick = from; tick < from + count; tick++) {
        ploy_lua_tick(sim->lua, ploy_rng_key_make(5), tick);
        ploy_value arg = ploy_value_i64((int64_t)tick), out;
        CHECK_OK(ploy_lua_call(sim->lua, sim->step, PLOY_LUA_GLOBALS, &arg, 1, &out, 1));
        sum += out.as.i64;
    }
    return sum;
}

TEST(a_thousand_suspended_coroutines_rewind) {
    ploy_env env = ploy_env_default();
    ploy_region *region = NULL;
    CHECK_OK(ploy_region_create((size_t)64 << 20, &env, &region));
    ploy_env inside = ploy_region_env(region);
    ploy_lua_def def = ploy_lua_def_default();
    rewind_sim sim;
    CHECK_OK(ploy_lua_create(&def, &inside, &sim.lua));
    script_run(t, sim.lua, rewind_text);
    ploy_lua_ref begin;
    ploy_value count = ploy_value_i64(REWIND_MINDS);
    CHECK_OK(ploy_lua_get_ref(sim.lua, PLOY_LUA_GLOBALS, "begin", &begin));
    CHECK_OK(ploy_lua_get_ref(sim.lua, PLOY_LUA_GLOBALS, "step", &sim.step));
    CHECK_OK(ploy_lua_call(sim.lua, begin, PLOY_LUA_GLOBALS, &count, 1, NULL, 0));
    (void)rewind_ticks(t, &sim, 0, 10);
    ploy_snapshot *before = NULL, *after = NULL, *again = NULL;
    uint64_t early = ploy_lua_hash(sim.lua);
    CHECK_OK(ploy_region_snapshot(region, &before));
    int64_t sum = rewind_ticks(t, &sim, 10, 60);
    uint64_t late = ploy_lua_hash(sim.lua);
    CHECK(early != late);
    CHECK_OK(ploy_region_snapshot(region, &after));
    CHECK_OK(ploy_region_restore(region, before));
    CHECK_UINT(ploy_lua_hash(sim.lua), early);
    CHECK_INT(rewind_ticks(t, &sim, 10, 60), sum);
    CHECK_UINT(ploy_lua_hash(sim.lua), late);
    CHECK_OK(ploy_region_snapshot(region, &again));
    CHECK_INT(ployi_snapshot_difference(after, again), -1);
    CHECK(ployi_region_valid(region));
    ploy_snapshot_destroy(before);
    ploy_snapshot_destroy(after);
    ploy_snapshot_destroy(again);
    ploy_lua_destroy(sim.lua);
    ploy_region_destroy(region);
}

// A script that takes memory until it is stopped, in several kinds of allocations.
static const char *const rewind_greedy[] = {
    "n = 0 local t = {} while true do n = n + 1 t[n] = {n} end",
    ("n = 0 local t = {} while true do n = n + 1 t['key' .. n] = n t['key' .. n - 50] = nil "
     "t[n] = 'v' .. n end"),
    "n = 0 local s = {} while true do n = n + 1 s[n] = ('x'):rep(200 + n) end",
    "n = 0 local function f() n = n + 1 return f() + 1 end f()",
    "n = 0 local t = {} while true do n = n + 1 t['k' .. n] = n end", // no events but hooks
    "n = 0 local t = {} while true do n = n + 1 t[n] = n end",
    "n = 0 local f while true do n = n + 1 local g = f f = function() return g end end",
};

TEST(a_replay_stops_where_memory_ended_the_call) {
    ploy_lua_def small = ploy_lua_def_default(), large = small;
    small.memory_kb = 2100;
    small.call_units = large.call_units = 10000000;
    large.memory_kb = 1 << 18;
    for (size_t i = 0; i < COUNT_OF(rewind_greedy); i++) {
        t->row = rewind_greedy[i];
        ploy_lua *lua = script_create(t, &small);
        CHECK_INT(script_try(lua, rewind_greedy[i]), PLOY_ERR_MEMORY);
        int64_t n = script_integer(t, lua, "n"), event = ploy_lua_get_stats(lua).memory_event;
        CHECK(n > 100 && event > 0);
        ploy_lua_destroy(lua);
        // Another state has another hash seed; with memory enough, or as little.
        for (int round = 0; round < 4; round++) {
            lua = script_create(t, round % 2 == 0 ? &large : &small);
            ploy_lua_set_memory_event(lua, event);
            CHECK_INT(script_try(lua, rewind_greedy[i]), PLOY_ERR_MEMORY);
            CHECK_INT(script_integer(t, lua, "n"), n);
            CHECK_INT(ploy_lua_get_stats(lua).memory_event, event);
            ploy_lua_destroy(lua);
        }
    }
}

static ploy_result rewind_life(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_lua_def def = ploy_lua_def_default();
    ploy_lua *lua = NULL;
    ploy_result result = ploy_lua_create(&def, env, &lua);
    if (result != PLOY_OK) return result;
    static const char text[] = "t = {a = 1} function f(s, v) t[s] = {v} "
                               "local co = coroutine.wrap(function() coroutine.yield() end) co() "
                               "for k in pairs(t) do t[k] = k .. s end return s:rep(100), t end";
    result = ploy_lua_run(lua, text, sizeof text - 1, "life", NULL);
    ploy_lua_ref fn = PLOY_LUA_GLOBALS, table, thread;
    ploy_value args[2] = {ploy_value_text("word"), ploy_value_vec2(1, 2)}, out;
    if (result == PLOY_OK) result = ploy_lua_get_ref(lua, PLOY_LUA_GLOBALS, "f", &fn);
    if (result == PLOY_OK) result = ploy_lua_call(lua, fn, PLOY_LUA_GLOBALS, args, 2, &out, 1);
    if (result == PLOY_OK) result = ploy_lua_result(lua, 1, &table);
    if (result == PLOY_OK) result = ploy_lua_set(lua, PLOY_LUA_GLOBALS, "x.y.z", &args[0]);
    if (result == PLOY_OK) result = ploy_lua_start(lua, fn, PLOY_LUA_GLOBALS, &thread);
    ploy_lua_status status;
    if (result == PLOY_OK) {
        result = ploy_lua_resume(lua, thread, args, 2, NULL, &out, 1, &status);
    }
    ploy_lua_destroy(lua);
    return result;
}

TEST(every_failing_allocation_is_survived) {
    CHECK_FAIL_NTH(rewind_life, NULL);
}

static ploy_result rewind_settings(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_lua_def def = ploy_lua_def_default();
    static const char text[] = "memory_kb = 256 call_units = 5 * 1000";
    return ploy_lua_load_fields(ploy_lua_fields(), &def, text, sizeof text - 1, "cfg", env, NULL);
}

TEST(settings_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(rewind_settings, NULL);
}
