/// @file ploy/script/minds.h
/// Behaviors in Lua: state machines, leaves, conditions, classes, dialogue and stage direction.
///
///     miner = { initial = "home",
///         home = { enter = function(self) say_line("Home, at last.") end,
///                  execute = function(self) if self.fatigue == 0 then change("dig") end end },
///         dig = { ... } }
///
/// `self` is a private table of the agent, which survives changes of state and reloads.
///
/// A machine is a table of states. A state has the functions enter, execute, exit and
/// message(self, kind, sender), all of them optional. `kind == name("stew")` compares a message's
/// kind; a message is handled if the function returns true. The state `global` executes before the
/// current one, and `initial` is the name of the first state. Inside, `change(name)` changes the
/// state (the running function continues to its end), `back()` returns to the previous state,
/// `current()` and `previous()` return names. The machine itself is a ploy_fsm.
///
/// A maker turns a function into a behavior: the function runs as a coroutine, and when it yields,
/// the behavior is RUNNING until the next step. If it returns false, the behavior fails; if it
/// returns "running", it is called again in the next step; any other result is success. A script
/// can therefore be a leaf of a tree, an action, a goal's behavior or the behavior inside a state.
/// A function can also be a word of a set of conditions.
///
/// Scripts may call `now()`, `tick()`, `dt()`, `get(key)` and `set(key, value)` (the agent's
/// blackboard), `wait(seconds)`, and with a stage `say(actor, text)`, `ask(actor, question,
/// options)`, `go(actor, place)`, `face(actor, place)` and `play(actor, animation)`, which block
/// the coroutine until the action is done. `Pet = class("Pet", Animal)` makes a class;
/// `Pet("Albert")` calls its `__init`, in which `super(...)` calls that of the base.
///
/// Reload. ploy_lua_minds_load runs an edited script in the same state: functions and tables are
/// replaced by name, agents keep their tables, and `local gold = keep("gold", 0)` keeps the local
/// variable: the new functions share it with the old ones. A coroutine whose function did not
/// change continues; other coroutines restart, and ploy_behavior_reload lists them.
///
/// A script that is traced with a probe (ploy/exec/script_probe.h) reports its lines to the probe.
/// Cost: a call into Lua per hook. Threads: one caller at a time; serial engines only. Component
/// ploy::script_lua.
#pragma once

#include "ploy/decide/fsm.h"
#include "ploy/exec/action.h"
#include "ploy/exec/script_probe.h"
#include "ploy/script/lua.h"

/// The data that all behaviors in one Lua state share. Opaque.
typedef struct ploy_lua_minds ploy_lua_minds;

/// Registers the functions above in the globals of the state.
/// @param lua  with the library coroutine; must outlive the minds.
PLOY_API ploy_result ploy_lua_minds_create(ploy_lua *lua, const ploy_env *env,
                                           ploy_lua_minds **out);
/// Destroy everything that was created from it first. NULL is allowed.
PLOY_API void ploy_lua_minds_destroy(ploy_lua_minds *minds);
/// Runs a script for the first time, or runs an edited one in its place.
/// @return as ploy_lua_run; after a failure the globals may be partly replaced.
PLOY_API ploy_result ploy_lua_minds_load(ploy_lua_minds *minds, const void *bytes, size_t size,
                                         const char *name, ploy_diags *diags);
/// Gets a handle to an agent's table, which is created if necessary. The caller releases it.
PLOY_API ploy_result ploy_lua_minds_self(ploy_lua_minds *minds, ploy_agent_id agent,
                                         ploy_lua_ref *out);
/// Calls the function at a path with the agent's table as the first argument, for handlers of
/// triggers and events. @param context  names the agent; its trace may carry a probe.
/// @return as ploy_lua_call; PLOY_ERR_NOT_FOUND if there is no such function.
PLOY_API ploy_result ploy_lua_minds_call(ploy_lua_minds *minds, const char *path,
                                         ploy_step_context *context, const ploy_value *args,
                                         int32_t arg_count, ploy_value *result);

/// Returns the context of the call in progress, for host functions; NULL outside calls.
PLOY_API ploy_step_context *ploy_lua_minds_context(const ploy_lua_minds *minds);

// ---- state machines

/// A table of states as a definition. Opaque.
typedef struct ploy_lua_machine ploy_lua_machine;

/// Builds a machine from the table at a path. Missing functions are reported as notes, unknown
/// ones as warnings with the nearest name. A step with a trace reports the decision "state": what
/// was requested, and the line of the script that requested it.
/// @param def  NULL: the default.
/// @return PLOY_ERR_NOT_FOUND if there is no such table, PLOY_ERR_FORMAT for a state that is not a
///         table or an unknown initial state. If no initial state is given, it is the first in
///         order.
PLOY_API ploy_result ploy_lua_machine_create(ploy_lua_minds *minds, const char *path,
                                             const ploy_fsm_def *def, const ploy_env *env,
                                             ploy_diags *diags, ploy_lua_machine **out);
/// Destroy its behaviors first. NULL is allowed.
PLOY_API void ploy_lua_machine_destroy(ploy_lua_machine *machine);
/// Returns the definition of the machine, for makers, drawing and queries about states.
PLOY_API ploy_fsm_type *ploy_lua_machine_type(const ploy_lua_machine *machine);

// ---- functions as behaviors

/// A function as a definition of behaviors. Opaque.
typedef struct ploy_lua_mind ploy_lua_mind;

/// Creates a definition of behaviors from a function.
/// @param path  of a function; it is looked up when a behavior is entered, and again after a load.
/// @return PLOY_ERR_NOT_FOUND if there is no such function.
PLOY_API ploy_result ploy_lua_mind_create(ploy_lua_minds *minds, const char *path,
                                          const ploy_env *env, ploy_lua_mind **out);
/// Destroy its behaviors first. NULL is allowed.
PLOY_API void ploy_lua_mind_destroy(ploy_lua_mind *mind);
PLOY_API ploy_maker ploy_lua_mind_maker(const ploy_lua_mind *mind);
/// Adds the function as a word to a set of conditions: it holds if the function returns neither
/// nil, false nor 0. An error in the script is logged and counts as false.
/// @param arity  how many numbers the word takes; they follow `self`.
/// @param mind   must outlive the set.
PLOY_API ploy_result ploy_lua_mind_register(ploy_lua_mind *mind, ploy_conditions *set,
                                            const char *name, int32_t arity);

// ---- dialogue and stage direction

/// Maximum number of options of a question, and of bytes in the name of an actor or place.
#define PLOY_LUA_OPTIONS_MAX 8

/// The game's side of say, ask, go, face and play.
typedef struct ploy_lua_stage {
    ploy_actions *actions; ///< "go" moves; "face" and "play" animate; "say" presents
    /// Returns the agent with a name, or the none id.
    ploy_agent_id (*actor)(void *user, const char *name);
    /// Gets the position of a named place or actor. @return false if there is none.
    bool (*place)(void *user, const char *name, ploy_vec2 *out);
    /// Shows a line. May be NULL.
    void (*show)(void *user, ploy_agent_id actor, const char *text);
    /// Shows a question with its options; answer it with ploy_lua_minds_answer. May be NULL.
    void (*offer)(void *user, ploy_agent_id actor, const char *question, const char *const *options,
                  int32_t count);
    void *user;
} ploy_lua_stage;

/// Sets the stage. @param stage  copied; NULL: none.
PLOY_API void ploy_lua_minds_set_stage(ploy_lua_minds *minds, const ploy_lua_stage *stage);
/// Answers the open question with an option, counted from 1. Call it from a command input.
/// @return PLOY_ERR_STATE if no question is open, PLOY_ERR_ARGUMENT if there is no such option.
PLOY_API ploy_result ploy_lua_minds_answer(ploy_lua_minds *minds, int32_t option);
/// Returns the number of options of the open question; 0 if none is open.
PLOY_API int32_t ploy_lua_minds_options(const ploy_lua_minds *minds);

// ---- watching

/// Connects a state to a probe. The caller provides the memory; its contents are private.
typedef struct ploy_lua_watch {
    ploy_lua *lua;
    ploy_script_probe *probe;
    void *thread, *outer_user; ///< what is observed, and what observed it before
    void (*outer)(void);
    int32_t outer_mask;
    ploy_agent_id agent;
    void *at;          ///< the thread that reports
    char names[2][64]; ///< of the frame and the variable that were asked for last
} ploy_lua_watch;

/// Reports the lines, calls and returns of everything that the state runs from now on, in
/// coroutines that are created from now on too. Behaviors do so by themselves if their trace
/// carries a probe. Units are counted in steps of up to 256, so the units of a function are an
/// estimate.
/// @param watch  must not move until the end.
PLOY_API void ploy_lua_watch_begin(ploy_lua_watch *watch, ploy_lua *lua, ploy_script_probe *probe);
PLOY_API void ploy_lua_watch_end(ploy_lua_watch *watch);
/// Lists the executable lines of all functions that can be reached from the globals, for coverage.
PLOY_API ploy_result ploy_lua_expect_lines(ploy_lua *lua, ploy_script_profile *profile);
