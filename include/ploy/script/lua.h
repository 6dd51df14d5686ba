/// @file ploy/script/lua.h
/// Lua 5.4 in a deterministic sandbox: scripts for users and modders.
///
///     ploy_lua_def def = ploy_lua_def_default();
///     ploy_lua *lua = NULL;
///     ploy_lua_create(&def, &env, &lua);
///     ploy_lua_run(lua, text, size, "rules.lua", diags);      // defines add
///     ploy_lua_ref add;
///     ploy_lua_get_ref(lua, PLOY_LUA_GLOBALS, "add", &add);
///     ploy_value args[2] = {ploy_value_i64(5), ploy_value_i64(8)}, sum;
///     ploy_lua_call(lua, add, PLOY_LUA_GLOBALS, args, 2, &sum, 1);   // 13
///
/// The language is Debian's unmodified Lua. Library functions whose results differ between runs or
/// machines, or that do long work inside one call, are replaced; docs/guide/script.md lists them.
///
/// Limits. One unit is one instruction of Lua's virtual machine; library functions and host
/// functions charge by their work, and long strings by their length. A call ends with
/// PLOY_ERR_LIMIT at `call_units` or when the tick's units are spent, and with PLOY_ERR_MEMORY at
/// `memory_kb`. A script cannot catch either. Coroutines share the account. Units are counted in
/// steps of at most 256 instructions, so a call may exceed its units by one step. Memory never
/// exceeds `memory_kb`: a call ends when its values take a third of that.
///
/// Memory. All memory of a state comes from its env. A state that was created in a region's env
/// rewinds with the region, including suspended coroutines, and therefore needs no save.
///
/// In C++, host functions must not be unwound by longjmp: this is a C interface, and Lua's errors
/// pass only through this module. Cost: a call of a small function takes about 2.4
/// times as long as a bare lua_pcall. Threads: one caller at a time. Use it in serial engines only.
///
/// This is the component ploy::script_lua, built if liblua5.4 is found.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/writer.h"

/// Maximum number of arguments, and of results, of a host function.
#define PLOY_LUA_ARGS_MAX 16
/// Longest path "a.b.c", including the terminating zero.
#define PLOY_LUA_PATH_MAX 256
/// Bytes kept of an error message with its traceback, including the terminating zero.
#define PLOY_LUA_ERROR_MAX 1024

/// A state: globals, functions, coroutines and their account. Opaque.
typedef struct ploy_lua ploy_lua;

/// Settings. Start from ploy_lua_def_default() and change what you need; create copies it.
typedef struct ploy_lua_def {
    uint32_t cookie;
    int32_t
        memory_kb; ///< KiB, never exceeded; a call whose values take a third of it ends, because
                   ///< a table that grows needs its new and its old place until then
    int32_t call_units; ///< maximum units of one call, load or resume
    int32_t tick_units; ///< maximum units between two calls of ploy_lua_tick
    int32_t collect_kb; ///< KiB of garbage collection in each ploy_lua_tick; 0: only when needed
    int32_t string_kb;  ///< maximum length of a string, KiB
    bool math;          ///< library math
    bool string;        ///< library string, and methods of strings
    bool table;         ///< library table
    bool coroutine;     ///< library coroutine
    bool utf8;          ///< library utf8
    bool load;          ///< function load, for text only
    bool compiled;      ///< load accepts the output of ploy_lua_compile; only for trusted files
} ploy_lua_def;

PLOY_API ploy_lua_def ploy_lua_def_default(void);
PLOY_API ploy_fields ploy_lua_fields(void);

/// Returns the release of Lua, such as "Lua 5.4.4". Instruction counts depend on it, so recordings
/// of scripted simulations store it.
PLOY_API const char *ploy_lua_version(void);

/// Creates a state.
/// @param env  for all memory; may be a region's.
/// @return PLOY_ERR_ARGUMENT for a setting out of range, PLOY_ERR_UNSUPPORTED if the library found
///         at run time is another release or the decimal separator of the process's locale is not a
///         point (both are logged), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_lua_create(const ploy_lua_def *def, const ploy_env *env, ploy_lua **out);
/// Frees everything; all handles expire. NULL is allowed. Do not call it from a host function.
PLOY_API void ploy_lua_destroy(ploy_lua *lua);

// ---- handles

/// A handle to any value in a state. Plain data; all zero is PLOY_LUA_GLOBALS, the table of global
/// variables, which needs no release. Each handle keeps its value alive until it is released.
/// Handles contain bits of the state's address: do not hash them.
typedef struct ploy_lua_ref {
    ploy_id id;
    uint32_t owner; ///< identifies the state
} ploy_lua_ref;

#define PLOY_LUA_GLOBALS ploy_lua_globals()
/// Returns the handle of the global variables.
PLOY_API ploy_lua_ref ploy_lua_globals(void);

typedef enum ploy_lua_kind {
    PLOY_LUA_INVALID, ///< the handle has expired or belongs to another state
    PLOY_LUA_NIL,
    PLOY_LUA_BOOL,
    PLOY_LUA_NUMBER,
    PLOY_LUA_TEXT,
    PLOY_LUA_TABLE,
    PLOY_LUA_FUNCTION,
    PLOY_LUA_THREAD, ///< a coroutine
    PLOY_LUA_OBJECT, ///< a vector, id or name, or an object of a binding
    PLOY_LUA_KINDS
} ploy_lua_kind;

/// Returns the kind of the value behind a handle; PLOY_LUA_INVALID if it has expired.
PLOY_API ploy_lua_kind ploy_lua_kind_of(const ploy_lua *lua, ploy_lua_ref ref);
/// Releases a handle. @return PLOY_ERR_NOT_FOUND if it has expired, PLOY_ERR_ARGUMENT if it belongs
/// to another state.
PLOY_API ploy_result ploy_lua_release(ploy_lua *lua, ploy_lua_ref ref);
/// Returns true if both handles are valid and hold the same value. Runs no script.
PLOY_API bool ploy_lua_same(const ploy_lua *lua, ploy_lua_ref a, ploy_lua_ref b);
/// Returns the bytes of a text, with a zero after them; NULL if it is not a text. The pointer is
/// valid as long as the handle is.
PLOY_API const char *ploy_lua_text(const ploy_lua *lua, ploy_lua_ref ref, size_t *size);

// ---- values by path

/// Values are passed as ploy_value: nil is none, integers are i64, other numbers f64, strings text
/// (up to their first zero byte). Vectors, ids and names are objects with operators; `vec2(1, 2)`
/// and `vec3(1, 2, 3)` create vectors in scripts. Tables, functions and coroutines need a handle.

/// Reads the value at a path below a table: "guard.speed", "waves.3.count"; "" is the value itself.
/// Parts of digits are also indices. Metamethods are not called. The text of a result is valid
/// until the value is changed or collected.
/// @return PLOY_ERR_NOT_FOUND if a part of the path is nil (ploy_lua_error names it and the nearest
///         name) or the handle has expired; PLOY_ERR_ARGUMENT if the value needs a handle.
PLOY_API ploy_result ploy_lua_get(ploy_lua *lua, ploy_lua_ref from, const char *path,
                                  ploy_value *out);
/// Gets the value at a path as a handle; the value may be of any kind.
PLOY_API ploy_result ploy_lua_get_ref(ploy_lua *lua, ploy_lua_ref from, const char *path,
                                      ploy_lua_ref *out);
/// Writes the value at a path. Missing tables on the path are created.
/// @return PLOY_ERR_ARGUMENT if a part of the path is not a table or the path is empty.
PLOY_API ploy_result ploy_lua_set(ploy_lua *lua, ploy_lua_ref from, const char *path,
                                  const ploy_value *value);
PLOY_API ploy_result ploy_lua_set_ref(ploy_lua *lua, ploy_lua_ref from, const char *path,
                                      ploy_lua_ref value);
/// Iterates over a table in order: numbers, then texts by their bytes. Start with *key none and
/// pass each key to the next call. A value that needs a handle is none.
/// @return PLOY_ERR_NOT_FOUND after the last key; PLOY_ERR_ARGUMENT if it is not a table or has
///         keys of other kinds.
PLOY_API ploy_result ploy_lua_next(ploy_lua *lua, ploy_lua_ref table, ploy_value *key,
                                   ploy_value *value);
/// Creates an empty table.
PLOY_API ploy_result ploy_lua_new_table(ploy_lua *lua, ploy_lua_ref *out);

// ---- running scripts

/// Compiles a script, or accepts the output of ploy_lua_compile, without running it. Errors are
/// reported in diags (may be NULL) with line and column.
/// @param name   of the file, for messages.
/// @param chunk  the function to call.
/// @return PLOY_ERR_FORMAT for an invalid script and for any other bytecode, PLOY_ERR_DENIED for
///         compiled scripts if the def does not allow them, PLOY_ERR_VERSION for another release of
///         Lua.
PLOY_API ploy_result ploy_lua_load(ploy_lua *lua, const void *bytes, size_t size, const char *name,
                                   ploy_diags *diags, ploy_lua_ref *chunk);
/// Loads a script and calls it once. Runtime errors are reported in diags too.
PLOY_API ploy_result ploy_lua_run(ploy_lua *lua, const void *bytes, size_t size, const char *name,
                                  ploy_diags *diags);
/// Compiles a script to bytes, which include Lua's release and a hash.
/// @param strip  leaves out names and lines.
PLOY_API ploy_result ploy_lua_compile(ploy_lua *lua, const void *bytes, size_t size,
                                      const char *name, bool strip, ploy_diags *diags,
                                      ploy_writer *out);

/// Calls a function in protected mode.
/// @param self     passed as the first argument, unless it is PLOY_LUA_GLOBALS.
/// @param results  result_count values; missing ones are none, and so are those that need a handle
///                 (ploy_lua_result). Texts are valid until the next call into the state.
/// @return PLOY_ERR_CALLBACK if the script raised an error, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY (in all
///         three cases ploy_lua_error has the text); PLOY_ERR_NOT_FOUND for an expired handle;
///         PLOY_ERR_ARGUMENT if it is not callable.
PLOY_API ploy_result ploy_lua_call(ploy_lua *lua, ploy_lua_ref fn, ploy_lua_ref self,
                                   const ploy_value *args, int32_t arg_count, ploy_value *results,
                                   int32_t result_count);
/// Makes a handle to a result of the last call or resume, counted from 0.
PLOY_API ploy_result ploy_lua_result(ploy_lua *lua, int32_t index, ploy_lua_ref *out);
/// Returns the message of the last failure, with place and traceback: "rules.lua:3: ...". "" if
/// there was none.
PLOY_API const char *ploy_lua_error(const ploy_lua *lua);

typedef enum ploy_lua_status {
    PLOY_LUA_READY,   ///< before the first resume
    PLOY_LUA_YIELDED, ///< at coroutine.yield or a host function in progress
    PLOY_LUA_STOPPED, ///< the budget was spent
    PLOY_LUA_DONE,
    PLOY_LUA_FAILED,
    PLOY_LUA_STATUSES
} ploy_lua_status;

/// "ready", "yielded", "stopped", "done", "failed".
PLOY_API const char *ploy_lua_status_text(ploy_lua_status status);

/// Creates a coroutine from a function.
/// @param self  passed as the first argument of the function, unless it is PLOY_LUA_GLOBALS.
PLOY_API ploy_result ploy_lua_start(ploy_lua *lua, ploy_lua_ref fn, ploy_lua_ref self,
                                    ploy_lua_ref *thread);
/// Continues a coroutine until it yields, ends or has spent the budget. Lua cannot stop inside a
/// comparison of table.sort, a replacement function of gsub or another call through C; there the
/// coroutine ends with PLOY_ERR_LIMIT after 10 budgets.
/// @param args    in the first resume the arguments of the function, later the results of its
///                yield; ignored after PLOY_LUA_STOPPED.
/// @param budget  NULL: call_units; exceeding it is then an error instead of a stop.
/// @param status  why it returned.
/// @return as ploy_lua_call; PLOY_ERR_STATE if it is done or has failed.
PLOY_API ploy_result ploy_lua_resume(ploy_lua *lua, ploy_lua_ref thread, const ploy_value *args,
                                     int32_t arg_count, ploy_budget *budget, ploy_value *results,
                                     int32_t result_count, ploy_lua_status *status);
PLOY_API ploy_lua_status ploy_lua_status_of(const ploy_lua *lua, ploy_lua_ref thread);

// ---- time, random numbers, limits

/// Begins a tick: refills the tick's units and does its share of garbage collection. Do not call it
/// from a host function.
/// @param key  for math.random: each draw is a function of (key, agent, tick, draw number).
PLOY_API void ploy_lua_tick(ploy_lua *lua, ploy_rng_key key, uint64_t tick);
/// Sets the agent that the following calls belong to, and the number of its next draw.
PLOY_API void ploy_lua_set_agent(ploy_lua *lua, ploy_agent_id agent, uint32_t draw);

typedef struct ploy_lua_stats {
    int64_t units;        ///< spent since create
    int64_t last_units;   ///< spent by the last call
    int64_t tick_left;    ///< units left in this tick
    int64_t events;       ///< points passed since create at which a limit can end a call
    int64_t memory_event; ///< the event at which memory_kb last ended a call; -1: never
    size_t bytes, peak_bytes;
    int32_t refs; ///< handles not yet released
} ploy_lua_stats;

/// Returns the current account.
PLOY_API ploy_lua_stats ploy_lua_get_stats(const ploy_lua *lua);
/// Sets the event at which a call ends with PLOY_ERR_MEMORY. Memory depends on Lua's hash seed, so
/// this event is an input: record stats.memory_event, and in a replay pass it here before the call.
/// The call then ends at the same place, and no call ends for memory before it. INT64_MAX: none does.
PLOY_API void ploy_lua_set_memory_event(ploy_lua *lua, int64_t event);

// ---- host functions

/// A call of a host function by a script.
typedef struct ploy_lua_frame {
    ploy_lua *lua;
    const ploy_value *args; ///< none for values that need a handle: see ploy_lua_arg
    int32_t arg_count;
    ploy_value results[PLOY_LUA_ARGS_MAX]; ///< copied when the function returns
    int32_t result_count;                  ///< 0 on entry
    char error[160];                       ///< may be set with an error result; "" on entry
} ploy_lua_frame;

/// A function of the game. It may call the state again.
/// @return PLOY_OK; PLOY_IN_PROGRESS: yield, and call again with the same arguments when the
///         coroutine is resumed; an error becomes an error of the script.
typedef ploy_result (*ploy_lua_fn)(void *user, ploy_lua_frame *frame);

typedef struct ploy_lua_function {
    const char *name; ///< path of the global: "add", "game.add"
    ploy_lua_fn fn;
    /// "(number, text, vec2?)": bool, integer, number, text, id, name, vec2, vec3, vec4, table,
    /// function, any; `?` if it may be missing. NULL: anything.
    const char *signature;
    int32_t cost; ///< units of a call
    void *user;
} ploy_lua_function;

/// Registers one function. Wrong arguments are errors that name the function and the argument.
/// @return PLOY_ERR_FORMAT for an invalid signature; PLOY_ERR_ARGUMENT as ploy_lua_set.
PLOY_API ploy_result ploy_lua_register(ploy_lua *lua, const ploy_lua_function *function);
/// Makes a handle to an argument of the running host function, counted from 0.
PLOY_API ploy_result ploy_lua_arg(ploy_lua_frame *frame, int32_t index, ploy_lua_ref *out);
/// Sets a result of the running host function, counted from 0, to the value of a handle.
PLOY_API ploy_result ploy_lua_return(ploy_lua_frame *frame, int32_t index, ploy_lua_ref value);

/// Receives each line of print. NULL: the env's log, as information.
typedef void (*ploy_lua_print_fn)(void *user, const char *text, size_t size);
PLOY_API void ploy_lua_set_print(ploy_lua *lua, ploy_lua_print_fn fn, void *user);

// ---- settings from scripts

/// Reads a table into a def through its field table: every name must be a field. Nested defs are
/// tables, vectors are vec2(x, y), {x, y} or {x = 1, y = 2}, enums the names of their choices.
/// Missing fields keep their value. If there is any error, the def is unchanged.
/// @param name   for messages.
/// @return PLOY_ERR_FORMAT with all errors in diags (may be NULL), PLOY_ERR_NOT_FOUND,
///         PLOY_ERR_ARGUMENT if it is not a table or the def did not start from its default.
PLOY_API ploy_result ploy_lua_read_fields(ploy_lua *lua, ploy_lua_ref from, const char *path,
                                          ploy_fields fields, void *def, const char *name,
                                          ploy_diags *diags);
/// Runs a configuration script in a new state with small limits and reads its globals, or the table
/// that it returns, into a def. Errors have a line and a column.
PLOY_API ploy_result ploy_lua_load_fields(ploy_fields fields, void *def, const void *bytes,
                                          size_t size, const char *name, const ploy_env *env,
                                          ploy_diags *diags);

// ---- inspection

/// Describes the account and the globals; the hash of everything reachable is STATE.
PLOY_API void ploy_lua_describe(const ploy_lua *lua, ploy_describe *out);
/// Returns a hash of everything reachable: globals, handles, closures and suspended coroutines. It
/// does not depend on Lua's hash seed, on addresses or on garbage. 0 inside a host function.
PLOY_API uint64_t ploy_lua_hash(const ploy_lua *lua);
