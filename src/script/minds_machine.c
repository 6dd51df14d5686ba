// State machines whose states are tables of Lua functions; see ploy/script/minds.h.
//
// The machine is a ploy_fsm; its hooks call the functions. Handles to them are made once: an edited
// script is a new machine, and ploy_behavior_reload moves the agents to it by the names of states.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/name.h"
#include "script/minds_internal.h"

enum { MACHINE_ENTER, MACHINE_EXECUTE, MACHINE_EXIT, MACHINE_MESSAGE, MACHINE_HOOKS };
static const char *const machine_hooks[MACHINE_HOOKS] = {"enter", "execute", "exit", "message"};

typedef struct machine_state {
    ploy_lua_machine *machine;
    char name[PLOYI_MINDS_NAME];
    ploy_lua_ref functions[MACHINE_HOOKS];
    bool has[MACHINE_HOOKS];
} machine_state;

struct ploy_lua_machine {
    ploy_env env;
    ploy_lua_minds *minds;
    ploy_fsm_type *type;
    int32_t count;         // of states, with the global one
    machine_state *states; // stays where it is: hooks point into it
    size_t states_size;
    char path[PLOY_LUA_PATH_MAX];
};

// ---- hooks

// Why the machine is in its state: what the hook asked for and where. A message that changes nothing decides nothing, nor
// does a global state.
static void machine_trace(const machine_state *state, int32_t hook, const ployi_minds_call *call,
                          ploy_fsm_state from) {
    ploy_trace *trace = call->context->trace;
    bool keeps = hook == MACHINE_EXECUTE && strcmp(state->name, "global") != 0;
    if (trace == NULL || (call->to.number == 0 && !keeps)) return;
    const char *name = machine_hooks[hook];
    char asked[64], silent[64], left[64];
    snprintf(asked, sizeof asked, "%s requested it in line %d", name, (int)call->line);
    snprintf(silent, sizeof silent, "%s did not request it", name);
    snprintf(left, sizeof left, "%s requested another state", name);
    ploy_trace_begin(trace, call->context->agent, "state", "state machine in Lua");
    ploy_trace_text(trace, "function", state->name);
    uint32_t won = call->to.number != 0 ? call->to.number : from.number;
    for (uint32_t i = 1; i <= (uint32_t)ploy_fsm_type_count(call->type); i++) {
        ploy_outcome outcome = PLOY_OUTCOME_SKIPPED;
        const char *reason = silent;
        if (i == won) {
            outcome = PLOY_OUTCOME_WON;
            reason = call->to.number != 0 ? asked : "no other state was requested";
        } else if (i == from.number) {
            outcome = PLOY_OUTCOME_LOST;
            reason = left;
        }
        ploy_trace_option(trace, ploy_fsm_type_id(call->type, (ploy_fsm_state){i}), outcome,
                          (double)NAN, reason);
    }
    ploy_trace_end(trace);
}

static ploy_result machine_call(machine_state *state, int32_t hook, const ploy_fsm_turn *turn,
                                const ploy_value *args, int32_t count, ploy_value *out) {
    ploy_lua_minds *minds = state->machine->minds;
    ploy_lua_ref self;
    if (!state->has[hook]) return PLOY_OK;
    ploy_result result = ploy_lua_minds_self(minds, turn->context->agent, &self);
    if (result != PLOY_OK) return result;
    ployi_minds_call call;
    ployi_minds_watch watch;
    ploy_fsm_state from = ploy_fsm_current(turn->fsm);
    ployi_minds_begin(minds, &call, turn->context);
    call.turn = turn;
    call.type = state->machine->type;
    ployi_minds_agent(minds, turn->context, state->name);
    ployi_minds_watch_begin(&watch, minds, turn->context, PLOY_LUA_GLOBALS);
    result = ploy_lua_call(minds->lua, state->functions[hook], self, args, count, out,
                           out != NULL ? 1 : 0);
    ploy_lua_watch_end(&watch);
    ployi_minds_end(minds, &call);
    if (result < PLOY_OK) ployi_minds_log(minds, turn->context->agent, state->name);
    if (result == PLOY_OK) machine_trace(state, hook, &call, from);
    (void)ploy_lua_release(minds->lua, self);
    return result;
}

static ploy_result machine_enter(void *user, const ploy_fsm_turn *turn) {
    return machine_call(user, MACHINE_ENTER, turn, NULL, 0, NULL);
}

static ploy_result machine_execute(void *user, const ploy_fsm_turn *turn) {
    return machine_call(user, MACHINE_EXECUTE, turn, NULL, 0, NULL);
}

static void machine_exit(void *user, const ploy_fsm_turn *turn) {
    (void)machine_call(user, MACHINE_EXIT, turn, NULL, 0, NULL); // an error is in the log
}

static ploy_result machine_message(void *user, const ploy_fsm_turn *turn,
                                   const ploy_message *message, bool *handled) {
    ploy_value args[2] = {ploy_value_name(message->kind), ploy_value_id(message->sender.id)};
    ploy_value result = ploy_value_none();
    ploy_result done = machine_call(user, MACHINE_MESSAGE, turn, args, 2, &result);
    *handled = done == PLOY_OK && result.type == PLOY_VALUE_BOOL && result.as.b;
    return done;
}

// ---- reading the table

static void machine_note(const ploy_lua_machine *machine, ploy_diags *diags, ploy_severity severity,
                         ploy_result code, const char *state, const char *text,
                         const char *nearest) {
    char message[PLOY_DIAG_TEXT_MAX];
    snprintf(message, sizeof message, text, state);
    ploy_diags_add(diags, severity, code, machine->path, 0, 0, message, NULL, nearest);
}

// The functions of a state, and what else is in its table.
static ploy_result machine_read_state(ploy_lua_machine *machine, machine_state *state,
                                      ploy_lua_ref table, ploy_diags *diags) {
    ploy_lua *lua = machine->minds->lua;
    for (int32_t i = 0; i < MACHINE_HOOKS; i++) {
        ploy_result got = ploy_lua_get_ref(lua, table, machine_hooks[i], &state->functions[i]);
        if (got == PLOY_ERR_MEMORY) return got;
        if (got != PLOY_OK) continue;
        state->has[i] = ploy_lua_kind_of(lua, state->functions[i]) == PLOY_LUA_FUNCTION;
        if (state->has[i]) continue;
        (void)ploy_lua_release(lua, state->functions[i]);
        machine_note(machine, diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, machine_hooks[i],
                     "expected a function for '%s'", NULL);
        return PLOY_ERR_FORMAT;
    }
    if (!state->has[MACHINE_EXECUTE]) {
        machine_note(machine, diags, PLOY_SEVERITY_INFO, PLOY_OK, state->name,
                     "state '%s' has no function execute", NULL);
    }
    ploy_value key = ploy_value_none(), value;
    ploy_result result;
    while ((result = ploy_lua_next(lua, table, &key, &value)) == PLOY_OK) {
        if (key.type != PLOY_VALUE_TEXT || value.type != PLOY_VALUE_NONE) continue; // data
        ploy_nearest nearest = ploy_nearest_make(key.as.text);
        bool known = false;
        for (int32_t i = 0; i < MACHINE_HOOKS; i++) {
            known = known || strcmp(machine_hooks[i], key.as.text) == 0;
            ploy_nearest_offer(&nearest, machine_hooks[i]);
        }
        if (known || nearest.best == NULL) continue;
        machine_note(machine, diags, PLOY_SEVERITY_WARNING, PLOY_ERR_NOT_FOUND, key.as.text,
                     "unknown function '%s' of a state", nearest.best);
    }
    return result == PLOY_ERR_MEMORY ? result : PLOY_OK;
}

static ploy_result machine_add(ploy_lua_machine *machine, ploy_lua_ref all, const char *name,
                               machine_state *state, ploy_diags *diags) {
    ploy_lua *lua = machine->minds->lua;
    ploy_lua_ref table;
    state->machine = machine;
    snprintf(state->name, sizeof state->name, "%s", name);
    ploy_result result = ploy_lua_get_ref(lua, all, name, &table);
    if (result != PLOY_OK) return result;
    if (ploy_lua_kind_of(lua, table) != PLOY_LUA_TABLE || strlen(name) >= sizeof state->name) {
        machine_note(machine, diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name,
                     "expected a table for state '%s'", NULL);
        result = PLOY_ERR_FORMAT;
    }
    if (result == PLOY_OK) result = machine_read_state(machine, state, table, diags);
    (void)ploy_lua_release(lua, table);
    if (result != PLOY_OK) return result;
    ploy_fsm_hooks hooks = {machine_enter, machine_execute, machine_exit, machine_message, NULL,
                            state};
    if (strcmp(name, "global") == 0) return ploy_fsm_type_set_global(machine->type, &hooks);
    ploy_fsm_state made =
        ploy_fsm_type_state(machine->type, state->name, &hooks, ploy_maker_none());
    return made.number != 0 ? PLOY_OK : PLOY_ERR_MEMORY;
}

// The initial state, and the end of the definition.
static ploy_result machine_finish(ploy_lua_machine *machine, ploy_lua_ref all, ploy_diags *diags) {
    ploy_value initial = ploy_value_none();
    ploy_fsm_state first = {1};
    ploy_result result = ploy_lua_get(machine->minds->lua, all, "initial", &initial);
    if (result == PLOY_ERR_MEMORY) return result;
    if (result == PLOY_OK) {
        if (initial.type != PLOY_VALUE_TEXT) {
            machine_note(machine, diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "initial",
                         "expected the name of a state for '%s'", NULL);
            return PLOY_ERR_FORMAT;
        }
        first = ploy_fsm_type_find(machine->type, initial.as.text);
    }
    if (first.number == 0 || ploy_fsm_type_count(machine->type) == 0) {
        const char *name = initial.type == PLOY_VALUE_TEXT ? initial.as.text : "";
        ploy_nearest nearest = ploy_nearest_make(name);
        for (int32_t i = 0; i < machine->count; i++) {
            ploy_nearest_offer(&nearest, machine->states[i].name);
        }
        machine_note(machine, diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name,
                     "unknown initial state '%s'", nearest.best);
        return PLOY_ERR_FORMAT;
    }
    return ploy_fsm_type_finish(machine->type, first);
}

static ploy_result machine_build(ploy_lua_machine *machine, const ploy_fsm_def *def,
                                 ploy_lua_ref all, ploy_diags *diags) {
    ploy_lua *lua = machine->minds->lua;
    ploy_value key = ploy_value_none(), value;
    int32_t count = 0;
    ploy_result result;
    while ((result = ploy_lua_next(lua, all, &key, &value)) == PLOY_OK) count++;
    if (result != PLOY_ERR_NOT_FOUND) return result;
    machine->states_size = (size_t)(count > 0 ? count : 1) * sizeof(machine_state);
    machine->states = ploy_env_alloc_zero(&machine->env, machine->states_size);
    if (machine->states == NULL) return PLOY_ERR_MEMORY;
    ploy_fsm_def plain = ploy_fsm_def_default();
    result = ploy_fsm_type_create(def != NULL ? def : &plain, NULL, &machine->env, &machine->type);
    key = ploy_value_none();
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = ploy_lua_next(lua, all, &key, &value);
        if (result != PLOY_OK) return result;
        if (key.type != PLOY_VALUE_TEXT) {
            machine_note(machine, diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "",
                         "expected only named states%s", NULL);
            return PLOY_ERR_FORMAT;
        }
        if (strcmp(key.as.text, "initial") == 0) continue;
        char name[PLOYI_MINDS_NAME];
        snprintf(name, sizeof name, "%s", key.as.text); // the key's text may move
        result = machine_add(machine, all, name, &machine->states[machine->count++], diags);
    }
    return result == PLOY_OK ? machine_finish(machine, all, diags) : result;
}

ploy_result ploy_lua_machine_create(ploy_lua_minds *minds, const char *path,
                                    const ploy_fsm_def *def, const ploy_env *env, ploy_diags *diags,
                                    ploy_lua_machine **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (minds == NULL || path == NULL || env == NULL || strlen(path) >= PLOY_LUA_PATH_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_lua_ref all;
    ploy_result result = ploy_lua_get_ref(minds->lua, PLOY_LUA_GLOBALS, path, &all);
    bool table = result == PLOY_OK && ploy_lua_kind_of(minds->lua, all) == PLOY_LUA_TABLE;
    if (!table) {
        char message[PLOY_DIAG_TEXT_MAX];
        if (result == PLOY_OK) (void)ploy_lua_release(minds->lua, all);
        if (result == PLOY_ERR_MEMORY) return result;
        snprintf(message, sizeof message, "expected a table of states at '%.100s'", path);
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, path, 0, 0, message, NULL,
                       NULL);
        return PLOY_ERR_NOT_FOUND;
    }
    ploy_lua_machine *machine = ploy_env_alloc_zero(env, sizeof *machine);
    result = machine != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (machine != NULL) {
        machine->env = *env;
        machine->minds = minds;
        snprintf(machine->path, sizeof machine->path, "%s", path);
        result = machine_build(machine, def, all, diags);
    }
    (void)ploy_lua_release(minds->lua, all);
    if (result != PLOY_OK) {
        ploy_lua_machine_destroy(machine);
        return result;
    }
    *out = machine;
    return PLOY_OK;
}

void ploy_lua_machine_destroy(ploy_lua_machine *machine) {
    if (machine == NULL) return;
    ploy_env env = machine->env;
    ploy_fsm_type_destroy(machine->type);
    for (int32_t i = 0; i < machine->count; i++) {
        for (int32_t k = 0; k < MACHINE_HOOKS; k++) {
            if (!machine->states[i].has[k]) continue;
            (void)ploy_lua_release(machine->minds->lua, machine->states[i].functions[k]);
        }
    }
    ploy_env_free(&env, machine->states, machine->states_size);
    ploy_env_free(&env, machine, sizeof *machine);
}

ploy_fsm_type *ploy_lua_machine_type(const ploy_lua_machine *machine) {
    return machine->type;
}
