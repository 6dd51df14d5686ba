// Shared inside the module script: the state behind ploy_lua and Lua's own interface to it.
//
// Rules for every lua_CFunction of the module:
//   - charge work by ployi_script_charge; it raises when a limit is reached;
//   - after catching an error (lua_pcallk, lua_resume) call ployi_script_rethrow, so that limits
//     pass through;
//   - no luaL_ref: integer keys of the registry from PLOYI_SCRIPT_REFS on belong to handles, those
//     below are listed here. Use ployi_script_ref.
//   - everything that may raise runs below ployi_script_protect or a call.
#pragma once

#include <lauxlib.h>
#include <lua.h>

#include "ploy/base/array.h"
#include "ploy/script/lua.h"
#include "ploy/script/lua_sim.h"

// Integer keys of the registry.
enum {
    PLOYI_SCRIPT_VALUE_META = 8, // metatable of vectors, ids and names
    PLOYI_SCRIPT_ORDER,          // keys of the traversal in progress, for next
    PLOYI_SCRIPT_METAS,          // weak set of the metatables that scripts have set
    PLOYI_SCRIPT_NAMES,          // C functions to their names
    PLOYI_SCRIPT_BIND,           // for the bindings
    PLOYI_SCRIPT_MINDS,          // for behaviors in Lua
    PLOYI_SCRIPT_REFS = 32       // handles from here on
};

typedef enum ployi_script_stop {
    PLOYI_SCRIPT_STOP_NONE,
    PLOYI_SCRIPT_STOP_UNITS,
    PLOYI_SCRIPT_STOP_MEMORY,
    PLOYI_SCRIPT_STOP_STRING // a string longer than string_kb
} ployi_script_stop;

// Called for each hook event other than the account's; see ployi_script_observe.
typedef void (*ployi_script_observer)(void *user, ploy_lua *lua, lua_State *L, lua_Debug *ar);

typedef struct ployi_script_slot {
    uint32_t generation; // odd while in use
    int32_t next;        // free list; -1 ends it
} ployi_script_slot;

struct ploy_lua {
    ploy_env env;
    ploy_lua_def def;
    lua_State *main;
    lua_State *at;  // the running thread; main while idle
    int32_t base;   // stack slots of `at` that belong to the caller of the running host function
    int32_t depth;  // calls in progress
    uint32_t owner; // of handles: bits of the address, never 0

    // The account; see account.c.
    int64_t units, events;
    int64_t limit;    // units at which the running call ends
    int64_t soft;     // units at which a resumed coroutine stops; INT64_MAX: none
    int64_t tick_end; // units at which the tick's share is spent
    int64_t last_start, last_units;
    int64_t memory_event, replay_event;
    // The ends by memory of this tick, and those of the tick that is repeated; see lua_sim.h.
    int64_t ended[PLOY_LUA_SIM_ENDS_MAX], repeated[PLOY_LUA_SIM_ENDS_MAX];
    int32_t ended_count, repeated_count, repeated_next;
    bool simulated, repeats;
    int32_t grain, first, step; // instructions to a hook: at most, in a new call, and now
    int64_t factor;             // units for each instruction; grows with the longest string
    ployi_script_stop stop;
    bool handler;    // the base level begins with the handler of errors
    bool preempted;  // the last yield was forced by the budget
    bool retry;      // the next request repeats one that failed
    bool new_thread; // the last block was a thread; its stack follows
    bool stack_full; // a stack has become too long
    int32_t emergencies;
    size_t bytes, peak_bytes, longest;
    size_t cap, most; // bytes at which an event ends the call, and that are never exceeded
    size_t collect_at;
    void **stacks; // hash set of the blocks that are stacks
    size_t stack_capacity, stack_count;
    void *last_vector; // allocated by the last request, or NULL
    size_t last_size;

    ploy_rng_key key;
    uint64_t tick;
    ploy_agent_id agent;
    uint32_t draw;

    ploy_array slots; // ployi_script_slot of handles
    int32_t free_slot, refs;
    ploy_array hosts; // struct ployi_script_host *

    ployi_script_observer observer;
    void *observer_user;
    int observer_mask;
    ploy_lua_print_fn print;
    void *print_user;
    char error[PLOY_LUA_ERROR_MAX];
};

// The state that a thread belongs to.
static inline ploy_lua *ployi_script_of(lua_State *L) {
    return *(ploy_lua **)lua_getextraspace(L);
}

// ---- account.c
void *ployi_script_alloc(void *user, void *block, size_t old_size, size_t new_size);
void ployi_script_hook(lua_State *L, lua_Debug *ar);
// Charges units; raises if a limit is reached.
void ployi_script_charge(lua_State *L, int64_t units);
// Raises again if a limit ended something that was just caught.
void ployi_script_rethrow(lua_State *L);
// Sets an observer of call, return and line events (lua_sethook's masks) for all threads that are
// created from now on, and for the given thread. The counter of a thread that is running
// without one restarts, so a budget may then end up to one grain later.
void ployi_script_observe(ploy_lua *lua, lua_State *L, int mask, ployi_script_observer fn,
                          void *user);
// Starts the counter of instructions of a thread that is about to run.
void ployi_script_count(ploy_lua *lua, lua_State *L);
// Collects garbage at a place where the script is not running C code.
void ployi_script_collect(ploy_lua *lua, lua_State *L, int kb);
// Removes __gc and __mode from the metatables that scripts have set.
void ployi_script_clean_metas(lua_State *L);

// A call into the state: begin, lua_pcall or lua_resume, end.
typedef struct ployi_script_entry {
    lua_State *at;
    int32_t base;
    int64_t limit, soft;
} ployi_script_entry;
// @param budget  units; below 0: call_units.
// @return PLOY_ERR_LIMIT if the tick's units are spent.
// A call ended at lua->memory_event. In lua_sim.c.
void ployi_script_ended(ploy_lua *lua);
ploy_result ployi_script_enter(ploy_lua *lua, ployi_script_entry *entry, int64_t budget);
// Ends the call and turns Lua's status into a result.
ploy_result ployi_script_leave(ploy_lua *lua, const ployi_script_entry *entry, int status);
// The message handler: keeps text and traceback in lua->error.
int ployi_script_traceback(lua_State *L);
void ployi_script_fail(ploy_lua *lua, const char *text);

// ---- values.c
// Pushes a value. May raise for lack of memory (texts, objects).
void ployi_script_push(lua_State *L, const ploy_value *value);
// Reads a value. @return false, with none in out, if it needs a handle.
bool ployi_script_read(lua_State *L, int index, ploy_value *out);
// Returns the value of an object made by ployi_script_push, or NULL.
const ploy_value *ployi_script_object(lua_State *L, int index);
// Pushes the value of a handle; on failure pushes nothing.
ploy_result ployi_script_push_ref(ploy_lua *lua, lua_State *L, ploy_lua_ref ref);
// The same without a message, where the stack has room. Returns Lua's type, LUA_TNONE on failure.
int ployi_script_push_known(const ploy_lua *lua, lua_State *L, ploy_lua_ref ref);
// Pops a value into a new handle. Cannot raise.
ploy_result ployi_script_ref(ploy_lua *lua, lua_State *L, ploy_lua_ref *out);
// Runs a C function with a pointer as its one argument, protected.
ploy_result ployi_script_protect(ploy_lua *lua, lua_CFunction fn, void *arg);
// Pushes the value at a path below the value on top, which it replaces. Returns false and sets
// lua->error if a part is missing; nil is then on top.
bool ployi_script_walk(ploy_lua *lua, lua_State *L, const char *path);
// Assigns the value on top at a path below the table under it; pops both. Raises.
void ployi_script_assign(lua_State *L, const char *path);

// ---- calls.c
// Compiles text or compiled bytes and pushes the function; raises a message.
void ployi_script_compile_text(lua_State *L, const char *bytes, size_t size, const char *name,
                               bool text_only);

// Adds lua->error to diags, with its place.
void ployi_script_diagnose(ploy_lua *lua, const char *name, ploy_result code, ploy_diags *diags);

// ---- tokens.c
// Raises for operators that are not repeatable: `^`, except `^2`.
void ployi_script_check_tokens(lua_State *L, const char *text, size_t size, const char *name);

// ---- lib_coroutine.c
// Whether a suspended coroutine waits for another one that the budget stopped.
bool ployi_script_waits_inside(lua_State *thread);

// ---- lib_order.c
int ployi_script_pairs(lua_State *L);
// Lua's next in order: replaces the key on top by the next pair of the table at `index`, or by
// nothing. Returns whether there is one.
bool ployi_script_next(lua_State *L, int index);
// For a debugger, which must not allocate. The number of keys of a table outside its list of elements, and the n-th key
// in the order of pairs with its value, pushed; false if there is none, or for n from PLOYI_SCRIPT_KEYS on.
enum { PLOYI_SCRIPT_KEYS = 32 };
int32_t ployi_script_fields(lua_State *L, int table, int32_t *elements);
bool ployi_script_key_at(lua_State *L, int table, int32_t n);

// ---- lib_pattern.c
int ployi_script_find(lua_State *L);
int ployi_script_match(lua_State *L);
int ployi_script_gmatch(lua_State *L);
int ployi_script_gsub(lua_State *L);

// Most results of table.unpack and string.byte: passing arguments on costs no units.
enum { PLOYI_SCRIPT_RESULTS = 8192 };

// ---- host.c
// A registered host function: name, function, arguments. One block of this size each.
typedef struct ployi_script_host {
    char name[PLOY_LUA_PATH_MAX];
    ploy_lua_fn fn;
    void *user;
    int32_t cost;
    int32_t arg_count; // of the signature; -1: anything
    int32_t needed;    // arguments that may not be missing
    uint8_t kinds[PLOY_LUA_ARGS_MAX];
} ployi_script_host;

// Returns the name of the host function at `index`, or NULL if it is another function.
const char *ployi_script_host_name(lua_State *L, int index);

// ---- libraries; each leaves the stack as it was
void ployi_script_open_base(lua_State *L, const ploy_lua_def *def);
void ployi_script_open_math(lua_State *L);
void ployi_script_open_string(lua_State *L);
void ployi_script_open_table(lua_State *L);
void ployi_script_open_coroutine(lua_State *L);
void ployi_script_open_utf8(lua_State *L);
void ployi_script_open_objects(lua_State *L);
// Pushes the text of a value as tostring does, without addresses.
const char *ployi_script_tostring(lua_State *L, int index, size_t *size);
