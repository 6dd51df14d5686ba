// Shared by the files of behaviors in Lua.
#pragma once

#include "ploy/exec/script_probe.h"
#include "ploy/script/minds.h"
#include "script/script_internal.h"

enum { PLOYI_MINDS_NAME = 64, PLOYI_MINDS_KEEPS = 64 };

// A call into Lua that is in progress, on the C stack.
typedef struct ployi_minds_call {
    struct ployi_minds_call *outer;
    ploy_step_context *context;
    const ploy_fsm_turn *turn; // of a machine's hook, otherwise NULL
    const ploy_fsm_type *type; // of that machine
    ploy_fsm_state to;         // the state that the hook asked for last, if a trace asks; 0: none
    int32_t line;              // of the script where it did
} ployi_minds_call;

// A local variable that survives reloads.
typedef struct ployi_minds_keep {
    char name[PLOYI_MINDS_NAME];
    ploy_lua_ref function; // that has it as an upvalue; globals: none was found
    int32_t upvalue;
} ployi_minds_keep;

// The text of a script.
typedef struct ployi_minds_script {
    char name[PLOYI_MINDS_NAME];
    char *text;
    size_t size;
} ployi_minds_script;

struct ploy_lua_minds {
    ploy_env env;
    ploy_lua *lua;
    ploy_lua_ref agents; // tables of agents by "index:generation"
    ployi_minds_call *call;
    ploy_lua_stage stage;
    bool has_stage;
    int32_t options, answer; // of the open question, and what was answered; 0: none
    ploy_id asker;           // the agent whose script asked
    char question[PLOYI_MINDS_NAME], offered[PLOY_LUA_OPTIONS_MAX][PLOYI_MINDS_NAME]; // for traces
    bool reloading;
    ploy_array scripts; // ployi_minds_script: the text of each, as loaded last
    int32_t keep_count;
    ployi_minds_keep keeps[PLOYI_MINDS_KEEPS];
};

// Begins and ends a call: host functions find the context in between.
void ployi_minds_begin(ploy_lua_minds *minds, ployi_minds_call *call, ploy_step_context *context);
void ployi_minds_end(ploy_lua_minds *minds, ployi_minds_call *call);
// Sets the agent of draws.
void ployi_minds_agent(ploy_lua_minds *minds, const ploy_step_context *context, const char *path);
// Logs what went wrong in a script.
void ployi_minds_log(const ploy_lua_minds *minds, ploy_agent_id agent, const char *path);
// Hash of the lines of a function's text, wherever they are; 0 if it is not a Lua function of a
// loaded script.
uint64_t ployi_minds_hash(ploy_lua_minds *minds, ploy_lua_ref function);

// ---- minds_stage.c
ploy_result ployi_minds_open_stage(ploy_lua_minds *minds);

// ---- minds_keep.c
ploy_result ployi_minds_open_keep(ploy_lua_minds *minds);
// Finds the kept variables in the functions of the globals, before they are replaced.
ploy_result ployi_minds_keep_find(ploy_lua_minds *minds);
// Lets the new functions share them.
ploy_result ployi_minds_keep_join(ploy_lua_minds *minds);

// ---- minds_probe.c
typedef ploy_lua_watch ployi_minds_watch;

// The line of the script that called the host function that runs; 0 if there is none.
int32_t ployi_minds_line(const ploy_lua_minds *minds);

// Observes a thread (the running one for none) if the context's trace carries a probe.
void ployi_minds_watch_begin(ployi_minds_watch *watch, ploy_lua_minds *minds,
                             const ploy_step_context *context, ploy_lua_ref thread);
