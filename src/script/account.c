// The account of a state: units, memory, and how a limit ends a call.
//
// Invariants:
//   (1) `events` counts the places where a limit can end a call, and nothing else: hooks, charges
//       of C functions, and allocations of objects and long strings. Their order follows from the
//       script alone, not from Lua's hash seed: the sizes of tables' vectors and short strings,
//       which may be interned already, are left out;
//   (2) a stop stays set until the outermost call has ended. Every function that catches errors
//       raises it again, and the hook of the running thread fires at each instruction, so that
//       handlers of xpcall and __close get nowhere;
//   (3) a call from outside and each resume start the counter of their thread, at a short step that
//       doubles up to the grain; half of the step that it did not finish is charged at its end. What a call is charged therefore depends on its instructions alone,
//       and not on what ran before it or on an observer that was set in between;
//   (4) no allocation takes `bytes` above `most`. A call ends at the first event above `cap`, a third of that:
//       what grows between two events, one vector at a time, at most doubles and needs its old place meanwhile;
//   (5) collection runs only in hooks, in ploy_lua_tick and when an allocation has failed; __mode
//       and __gc were removed before, so no script can observe when.
#include <string.h>

#include "script/script_internal.h"

enum {
    ACCOUNT_LONG = 80,              // bytes; smaller strings may be interned
    ACCOUNT_BYTES_PER_UNIT = 64,    // of long strings
    ACCOUNT_FACTOR_BYTES = 16384,   // one instruction may compare strings of this length
    ACCOUNT_EMERGENCIES = 64,       // full collections for failed allocations in one call
    ACCOUNT_STEP_KB = 32,           // collected in one hook
    ACCOUNT_COLLECT_MIN = 64 * 1024 // bytes in use below which nothing is collected
};

static bool account_is_event(const void *block, size_t old_size, size_t new_size) {
    if (block != NULL) return false;
    if (old_size == LUA_TSTRING) return new_size > ACCOUNT_LONG;
    return old_size == LUA_TTABLE || old_size == LUA_TFUNCTION || old_size == LUA_TUSERDATA ||
           old_size == LUA_TTHREAD;
}

// ---- stacks of threads
//
// Lua moves arguments without a hook: a chain of __call, or ever longer lists of arguments, take
// time in proportion to the square of the stack. So the allocator knows which blocks are stacks, in
// a hash set of addresses, and limits their growth: the first vector after a thread is one, and a
// vector that is allocated directly before a stack is freed takes its place.

enum {
    ACCOUNT_FIRST_STACK = (2 * LUA_MINSTACK + 5) * 16, // bytes of a new thread's stack
    ACCOUNT_STACK_BYTES = 700 * 1024 // a longer one ends the call; 40,960 slots fit
};

static size_t account_stack_home(const ploy_lua *lua, const void *block) {
    return (size_t)((uintptr_t)block >> 4) * 2654435761u & (lua->stack_capacity - 1);
}

static void account_add_stack(ploy_lua *lua, void *block) {
    if (lua->stack_count * 2 >= lua->stack_capacity) {
        size_t old = lua->stack_capacity, more = old == 0 ? 16 : old * 2;
        void **blocks = ploy_env_alloc_zero(&lua->env, more * sizeof *blocks);
        if (blocks == NULL) return; // this one is not limited
        void **olds = lua->stacks;
        lua->stacks = blocks;
        lua->stack_capacity = more;
        lua->stack_count = 0;
        for (size_t i = 0; i < old; i++) {
            if (olds[i] != NULL) account_add_stack(lua, olds[i]);
        }
        ploy_env_free(&lua->env, olds, old * sizeof *olds);
    }
    size_t at = account_stack_home(lua, block);
    while (lua->stacks[at] != NULL) at = (at + 1) & (lua->stack_capacity - 1);
    lua->stacks[at] = block;
    lua->stack_count++;
}

// Returns the place of a stack in the set, or stack_capacity.
static size_t account_find_stack(const ploy_lua *lua, const void *block) {
    if (lua->stack_capacity == 0) return 0;
    size_t at = account_stack_home(lua, block);
    for (; lua->stacks[at] != NULL; at = (at + 1) & (lua->stack_capacity - 1)) {
        if (lua->stacks[at] == block) return at;
    }
    return lua->stack_capacity;
}

static void account_remove_stack(ploy_lua *lua, size_t at) {
    size_t mask = lua->stack_capacity - 1;
    lua->stacks[at] = NULL;
    lua->stack_count--;
    // What was pushed past the gap moves back into it.
    for (size_t next = (at + 1) & mask; lua->stacks[next] != NULL; next = (next + 1) & mask) {
        size_t home = account_stack_home(lua, lua->stacks[next]);
        if (((next - home) & mask) >= ((next - at) & mask)) {
            lua->stacks[at] = lua->stacks[next];
            lua->stacks[next] = NULL;
            at = next;
        }
    }
}

static void *account_refuse(ploy_lua *lua, ployi_script_stop stop) {
    if (lua->stop == PLOYI_SCRIPT_STOP_NONE) {
        lua->stop = stop;
        lua->memory_event = lua->events;
    }
    lua->retry = false;
    return NULL;
}

// In a replay the recorded event ends the call, so the cap does not.
static size_t account_cap(const ploy_lua *lua) {
    return lua->replay_event > lua->events ? lua->most : lua->cap;
}

// An allocation that is an event. Returns false if it is refused.
static bool account_event(ploy_lua *lua, size_t kind, size_t size) {
    if (lua->stop == PLOYI_SCRIPT_STOP_MEMORY || lua->stop == PLOYI_SCRIPT_STOP_STRING) {
        return false;
    }
    if (!lua->retry) {
        lua->events++;
        if (kind == LUA_TSTRING) {
            lua->units += (int64_t)(size / ACCOUNT_BYTES_PER_UNIT);
            if (size > (size_t)lua->def.string_kb * 1024 + ACCOUNT_LONG) {
                (void)account_refuse(lua, PLOYI_SCRIPT_STOP_STRING);
                return false;
            }
            if (size > lua->longest) {
                lua->longest = size;
                lua->factor = 1 + (int64_t)(size / ACCOUNT_FACTOR_BYTES);
            }
        }
        if (lua->events == lua->replay_event || lua->stack_full) {
            (void)account_refuse(lua, PLOYI_SCRIPT_STOP_MEMORY);
            return false;
        }
    }
    if (lua->bytes + size <= account_cap(lua)) return true;
    if (lua->retry || ++lua->emergencies > ACCOUNT_EMERGENCIES) {
        (void)account_refuse(lua, PLOYI_SCRIPT_STOP_MEMORY);
    } else {
        lua->retry = true; // Lua collects everything and asks once more
    }
    return false;
}

void *ployi_script_alloc(void *user, void *block, size_t old_size, size_t new_size) {
    ploy_lua *lua = user;
    size_t held = block != NULL ? old_size : 0;
    size_t stack =
        held >= ACCOUNT_FIRST_STACK ? account_find_stack(lua, block) : lua->stack_capacity;
    bool is_stack = stack < lua->stack_capacity;
    void *vector = lua->last_vector;
    lua->last_vector = NULL;
    if (new_size == 0) {
        if (is_stack) {
            account_remove_stack(lua, stack);
            if (vector != NULL) {
                account_add_stack(lua, vector);
                if (lua->last_size > ACCOUNT_STACK_BYTES) lua->stack_full = true;
            }
        }
        lua->bytes -= held;
        ploy_env_free(&lua->env, block, held);
        return NULL;
    }
    if (account_is_event(block, old_size, new_size)) {
        if (!account_event(lua, old_size, new_size)) return NULL;
    } else if (new_size > held && lua->bytes + (new_size - held) > lua->most) { // keeps (4)
        if (lua->retry) return account_refuse(lua, PLOYI_SCRIPT_STOP_MEMORY);
        lua->retry = true;
        return NULL;
    }
    if (new_size > ACCOUNT_STACK_BYTES && new_size > held && lua->stack_full) {
        return account_refuse(lua, PLOYI_SCRIPT_STOP_MEMORY); // where no event follows
    }
    // Ends the call at the next event.
    if (is_stack && new_size > ACCOUNT_STACK_BYTES && new_size > held) lua->stack_full = true;
    void *made = ploy_env_resize(&lua->env, block, held, new_size);
    if (made == NULL) {
        if (lua->retry) return account_refuse(lua, PLOYI_SCRIPT_STOP_MEMORY);
        lua->retry = new_size > held;
        return NULL;
    }
    if (new_size > held) lua->retry = false;
    if (is_stack && made != block) {
        account_remove_stack(lua, stack);
        account_add_stack(lua, made);
    } else if (lua->new_thread && block == NULL && new_size == ACCOUNT_FIRST_STACK) {
        account_add_stack(lua, made);
    }
    if (block == NULL) lua->new_thread = old_size == LUA_TTHREAD;
    if (block == NULL && old_size == 0 && new_size > ACCOUNT_FIRST_STACK) {
        lua->last_vector = made;
        lua->last_size = new_size;
    }
    lua->bytes = lua->bytes - held + new_size;
    if (lua->bytes > lua->peak_bytes) lua->peak_bytes = lua->bytes;
    return made;
}

static void account_raise(lua_State *L) {
    ploy_lua *lua = ployi_script_of(L);
    lua_sethook(L, ployi_script_hook, LUA_MASKCOUNT, 1); // keeps (2)
    lua_pushlightuserdata(L, lua);
    lua_error(L);
}

// Stops if a limit is reached; every caller has counted its event.
static void account_check(lua_State *L, ploy_lua *lua) {
    if (lua->stop == PLOYI_SCRIPT_STOP_NONE &&
        (lua->events == lua->replay_event || lua->stack_full)) {
        (void)account_refuse(lua, PLOYI_SCRIPT_STOP_MEMORY);
    }
    if (lua->stop == PLOYI_SCRIPT_STOP_NONE && lua->units >= lua->limit) {
        lua->stop = PLOYI_SCRIPT_STOP_UNITS;
    }
    if (lua->stop != PLOYI_SCRIPT_STOP_NONE) account_raise(L);
}

void ployi_script_charge(lua_State *L, int64_t units) {
    ploy_lua *lua = ployi_script_of(L);
    if (lua->depth == 0) return; // while the libraries are opened
    lua->events++;
    // Work that is refused is not done, so it does not count beyond the limit.
    lua->units = units < lua->limit - lua->units ? lua->units + units : lua->limit;
    if (lua->units >= lua->limit || lua->stop != PLOYI_SCRIPT_STOP_NONE ||
        lua->events == lua->replay_event || lua->stack_full) {
        account_check(L, lua);
    }
}

void ployi_script_rethrow(lua_State *L) {
    ploy_lua *lua = ployi_script_of(L);
    if (lua->stop != PLOYI_SCRIPT_STOP_NONE) account_raise(L);
}

void ployi_script_clean_metas(lua_State *L) {
    if (!lua_checkstack(L, 8)) return;
    ploy_lua *lua = ployi_script_of(L);
    if (lua_rawgeti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_METAS) == LUA_TTABLE) {
        static const char *const names[] = {"__mode", "__gc"};
        lua_pushnil(L);
        while (lua_next(L, -2) != 0) {
            lua_pop(L, 1);
            for (int i = 0; i < 2; i++) {
                // The names are strings of Lua's own, which exist from the start: no allocation.
                lua_pushstring(L, names[i]);
                if (lua_rawget(L, -2) != LUA_TNIL) {
                    lua_pushstring(L, names[i]);
                    lua_pushnil(L);
                    lua_rawset(L, -4);
                    ploy_env_log(&lua->env, PLOY_SEVERITY_WARNING,
                                 i == 0 ? "script: removed metatable field '__mode'"
                                        : "script: removed metatable field '__gc'");
                }
                lua_pop(L, 1);
            }
        }
    }
    lua_pop(L, 1);
}

void ployi_script_collect(ploy_lua *lua, lua_State *L, int kb) {
    ployi_script_clean_metas(L); // keeps (5)
    bool whole = true;
    if (kb < 0) {
        (void)lua_gc(L, LUA_GCCOLLECT);
    } else {
        whole = lua_gc(L, LUA_GCSTEP, kb) != 0;
    }
    if (whole) {
        lua->collect_at = lua->bytes * 2;
        if (lua->collect_at > lua->cap / 4 * 3) lua->collect_at = lua->cap / 4 * 3;
        if (lua->collect_at < ACCOUNT_COLLECT_MIN) lua->collect_at = ACCOUNT_COLLECT_MIN;
    }
}

void ployi_script_hook(lua_State *L, lua_Debug *ar) {
    ploy_lua *lua = ployi_script_of(L);
    if (ar->event != LUA_HOOKCOUNT) {
        if (lua->observer != NULL) lua->observer(lua->observer_user, lua, L, ar);
        return;
    }
    if (lua->depth == 0) return;
    int step = lua_gethookcount(L);
    lua->events++;
    lua->units += step * lua->factor;
    if (lua->bytes > lua->collect_at && lua->stop == PLOYI_SCRIPT_STOP_NONE) {
        ployi_script_collect(lua, L, ACCOUNT_STEP_KB);
        if (lua->bytes > account_cap(lua)) {
            ployi_script_collect(lua, L, -1);
            if (lua->bytes > account_cap(lua)) (void)account_refuse(lua, PLOYI_SCRIPT_STOP_MEMORY);
        }
    }
    account_check(L, lua);
    if (step < lua->grain) { // keeps (3); here it does not disturb the count
        int next = 2 * step < lua->grain ? 2 * step : lua->grain;
        lua_sethook(L, ployi_script_hook, lua_gethookmask(L), next);
        lua->step = next;
    }
    if (lua->units >= lua->soft && lua_isyieldable(L)) {
        lua->preempted = true;
        (void)lua_yield(L, 0);
    }
}

void ployi_script_observe(ploy_lua *lua, lua_State *L, int mask, ployi_script_observer fn,
                          void *user) {
    lua->observer = fn;
    lua->observer_user = user;
    lua->observer_mask = fn != NULL ? mask : 0;
    // A thread that is observed already may be running: its count must continue, to keep (3).
    int wanted = LUA_MASKCOUNT | lua->observer_mask;
    if (lua_gethookmask(L) != wanted) lua_sethook(L, ployi_script_hook, wanted, lua->grain);
}

void ployi_script_count(ploy_lua *lua, lua_State *L) {
    lua->step = lua->first;
    lua_sethook(L, ployi_script_hook, LUA_MASKCOUNT | lua->observer_mask, lua->first);
}

ploy_result ployi_script_enter(ploy_lua *lua, ployi_script_entry *entry, int64_t budget) {
    entry->at = lua->at;
    entry->base = lua->base;
    entry->limit = lua->limit;
    entry->soft = lua->soft;
    if (lua->depth == 0) {
        lua->stop = PLOYI_SCRIPT_STOP_NONE;
        lua->emergencies = 0;
        lua->retry = false;
        lua->stack_full = false;
        lua->error[0] = 0;
        if (lua->ended_count == PLOY_LUA_SIM_ENDS_MAX) {
            ployi_script_fail(lua, "memory has ended too many calls of this tick");
            return PLOY_ERR_LIMIT;
        }
        if (lua->units >= lua->tick_end) {
            ployi_script_fail(lua, "the units of this tick are spent");
            return PLOY_ERR_LIMIT;
        }
        lua->last_start = lua->units;
        ployi_script_count(lua, lua->at);
        lua->soft = INT64_MAX;
        lua->limit = lua->units + lua->def.call_units;
        if (budget >= 0 && budget <= INT32_MAX) {
            lua->soft = lua->units + budget;
            lua->limit = lua->units + budget * 10 + lua->grain;
        }
        if (lua->limit > lua->tick_end) lua->limit = lua->tick_end;
    } else if (lua->stop != PLOYI_SCRIPT_STOP_NONE) {
        return lua->stop == PLOYI_SCRIPT_STOP_UNITS ? PLOY_ERR_LIMIT : PLOY_ERR_MEMORY;
    } else {
        lua->soft = INT64_MAX; // what the host function calls cannot be interrupted
    }
    lua->preempted = false;
    lua->depth++;
    return PLOY_OK;
}

ploy_result ployi_script_leave(ploy_lua *lua, const ployi_script_entry *entry, int status) {
    ploy_result result = PLOY_OK;
    if (lua->stop != PLOYI_SCRIPT_STOP_NONE) {
        bool units = lua->stop == PLOYI_SCRIPT_STOP_UNITS;
        result = units ? PLOY_ERR_LIMIT : PLOY_ERR_MEMORY;
        if (lua->error[0] == 0) {
            ployi_script_fail(lua, units ? "limit of units reached" : "limit of memory reached");
        }
    } else if (status == LUA_ERRMEM) {
        result = PLOY_ERR_MEMORY;
        if (lua->error[0] == 0) ployi_script_fail(lua, "not enough memory");
    } else if (status != LUA_OK && status != LUA_YIELD) {
        result = PLOY_ERR_CALLBACK;
        if (lua->error[0] == 0) ployi_script_fail(lua, "error in an error handler");
    }
    int64_t limit = lua->limit;
    lua->depth--;
    lua->at = entry->at;
    lua->base = entry->base;
    lua->limit = entry->limit;
    lua->soft = entry->soft;
    if (lua->depth == 0) {
        lua->stack_full = false;
        if (lua->stop == PLOYI_SCRIPT_STOP_NONE) { // keeps (3)
            int64_t units = lua->units + (lua->step >> 1) * lua->factor;
            lua->units = units < limit ? units : limit;
        }
        lua->last_units = lua->units - lua->last_start;
        if (lua->stop != PLOYI_SCRIPT_STOP_NONE) {
            if (lua->stop != PLOYI_SCRIPT_STOP_UNITS) ployi_script_ended(lua);
            lua->stop = PLOYI_SCRIPT_STOP_NONE;
            lua_sethook(lua->main, ployi_script_hook, LUA_MASKCOUNT | lua->observer_mask,
                        lua->grain);
            if (lua->bytes > lua->cap) ployi_script_collect(lua, lua->main, -1);
        }
    }
    return result;
}

void ployi_script_fail(ploy_lua *lua, const char *text) {
    size_t size = strlen(text);
    if (size >= sizeof lua->error) size = sizeof lua->error - 1;
    memcpy(lua->error, text, size);
    lua->error[size] = 0;
}
