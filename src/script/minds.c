// What behaviors in Lua share: the functions that scripts call, agents' tables, loading.
#include <stdio.h>
#include <string.h>

#include "ploy/base/name.h"
#include "script/minds_internal.h"

// Written in Lua, because it needs no more: classes, and functions that block a coroutine.
static const char minds_prelude[] =
    "local yield, setmetatable, rawget = coroutine.yield, setmetatable, rawget\n"
    "local pcall, error, now = pcall, error, now\n"
    "local stage = stage\n"
    "local building = {}\n"
    "local function construct(c, object, ...)\n"
    "  while c and not rawget(c, '__init') do c = c.base end\n"
    "  if not c then return end\n"
    "  building[#building + 1] = { object = object, class = c }\n"
    "  local ok, message = pcall(c.__init, object, ...)\n"
    "  building[#building] = nil\n"
    "  if not ok then error(message, 0) end\n"
    "end\n"
    "function class(name, base)\n"
    "  local c = { class = name, base = base }\n"
    "  c.__index = c\n"
    "  return setmetatable(c, { __index = base, __call = function(_, ...)\n"
    "    local object = setmetatable({}, c)\n"
    "    construct(c, object, ...)\n"
    "    return object\n"
    "  end })\n"
    "end\n"
    "function super(...)\n"
    "  local top = building[#building]\n"
    "  if not top then error('super: expected a call inside __init', 2) end\n"
    "  construct(top.class.base, top.object, ...)\n"
    "end\n"
    "function wait(seconds)\n"
    "  local till = now() + seconds\n"
    "  while now() < till do yield() end\n"
    "end\n"
    "local function await(id)\n"
    "  while true do\n"
    "    local state = stage.state(id)\n"
    "    if state == 'succeeded' then return true end\n"
    "    if state ~= 'waiting' and state ~= 'moving' and state ~= 'acting' then return false end\n"
    "    yield()\n"
    "  end\n"
    "end\n"
    "function go(actor, place) return await(stage.request(actor, 'go', place)) end\n"
    "function face(actor, place) return await(stage.request(actor, 'face', place)) end\n"
    "function play(actor, what) return await(stage.request(actor, 'play', what)) end\n"
    "function say(actor, text)\n"
    "  stage.show(actor, text)\n"
    "  return await(stage.request(actor, 'say', ''))\n"
    "end\n"
    "function ask(actor, question, options)\n"
    "  stage.offer(actor, question, options)\n"
    "  local n = stage.answer()\n"
    "  while n == 0 do yield(); n = stage.answer() end\n"
    "  return n, options[n]\n"
    "end\n";

void ployi_minds_begin(ploy_lua_minds *minds, ployi_minds_call *call, ploy_step_context *context) {
    memset(call, 0, sizeof *call);
    call->outer = minds->call;
    call->context = context;
    minds->call = call;
}

void ployi_minds_end(ploy_lua_minds *minds, ployi_minds_call *call) {
    minds->call = call->outer;
}

void ployi_minds_agent(ploy_lua_minds *minds, const ploy_step_context *context, const char *path) {
    // Each script of an agent draws from its own range.
    uint32_t draw = (uint32_t)(ploy_name_of(path).hash & 0xffff) << 8;
    ploy_lua_set_agent(minds->lua, context->agent, draw);
}

void ployi_minds_log(const ploy_lua_minds *minds, ploy_agent_id agent, const char *path) {
    char text[PLOY_LUA_ERROR_MAX + 128];
    snprintf(text, sizeof text, "agent %u: %s: %s", (unsigned)agent.id.index, path,
             ploy_lua_error(minds->lua));
    ploy_env_log(&minds->env, PLOY_SEVERITY_ERROR, text);
}

// ---- functions that scripts call

static const ploy_step_context *minds_context(const ploy_lua_minds *minds) {
    return minds->call != NULL ? minds->call->context : NULL;
}

static ploy_result minds_now(void *user, ploy_lua_frame *frame) {
    const ploy_step_context *context = minds_context(user);
    frame->results[0] = ploy_value_f64(context != NULL ? context->now : 0.0);
    frame->result_count = 1;
    return PLOY_OK;
}

static ploy_result minds_tick(void *user, ploy_lua_frame *frame) {
    const ploy_step_context *context = minds_context(user);
    frame->results[0] = ploy_value_i64(context != NULL ? (int64_t)context->tick : 0);
    frame->result_count = 1;
    return PLOY_OK;
}

static ploy_result minds_dt(void *user, ploy_lua_frame *frame) {
    const ploy_step_context *context = minds_context(user);
    frame->results[0] = ploy_value_f64(context != NULL ? (double)context->dt : 0.0);
    frame->result_count = 1;
    return PLOY_OK;
}

static void minds_unknown(ploy_lua_frame *frame, const char *what, const char *name,
                          const char *nearest) {
    snprintf(frame->error, sizeof frame->error, "unknown %s '%.40s'%s%.40s%s", what, name,
             nearest != NULL ? " (did you mean '" : "", nearest != NULL ? nearest : "",
             nearest != NULL ? "'?)" : "");
}

static ploy_result minds_kind(void *user, ploy_lua_frame *frame) {
    (void)user;
    frame->results[0] = ploy_value_name(ploy_name_of(frame->args[0].as.text));
    frame->result_count = 1;
    return PLOY_OK;
}

static ploy_result minds_slot(const ploy_lua_minds *minds, ploy_lua_frame *frame,
                              ploy_blackboard **board, ploy_slot *slot) {
    const ploy_step_context *context = minds_context(minds);
    *board = context != NULL ? context->blackboard : NULL;
    if (*board == NULL) {
        snprintf(frame->error, sizeof frame->error, "the agent has no blackboard");
        return PLOY_ERR_STATE;
    }
    const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(*board);
    *slot = ploy_blackboard_layout_find(layout, frame->args[0].as.text);
    if (!ploy_slot_is_none(*slot)) return PLOY_OK;
    ploy_nearest nearest = ploy_nearest_make(frame->args[0].as.text);
    for (int32_t i = 1; i <= ploy_blackboard_layout_count(layout); i++) {
        ploy_nearest_offer(&nearest, ploy_blackboard_layout_name(layout, (ploy_slot){(uint32_t)i}));
    }
    minds_unknown(frame, "key", frame->args[0].as.text, nearest.best);
    return PLOY_ERR_NOT_FOUND;
}

static ploy_result minds_get(void *user, ploy_lua_frame *frame) {
    ploy_blackboard *board;
    ploy_slot slot;
    ploy_result result = minds_slot(user, frame, &board, &slot);
    if (result == PLOY_OK) result = ploy_blackboard_get(board, slot, &frame->results[0]);
    frame->result_count = 1;
    return result;
}

static ploy_result minds_set(void *user, ploy_lua_frame *frame) {
    ploy_blackboard *board;
    ploy_slot slot;
    ploy_result result = minds_slot(user, frame, &board, &slot);
    return result == PLOY_OK ? ploy_blackboard_set(board, slot, &frame->args[1]) : result;
}

static const ploy_fsm_turn *minds_turn(const ploy_lua_minds *minds, ploy_lua_frame *frame) {
    const ploy_fsm_turn *turn = minds->call != NULL ? minds->call->turn : NULL;
    if (turn == NULL) {
        snprintf(frame->error, sizeof frame->error, "expected a call inside a machine's state");
    }
    return turn;
}

// Notes what a hook asks for, as the reason of the change.
static void minds_asked(ploy_lua_minds *minds, const ploy_fsm_turn *turn, ploy_fsm_state to) {
    if (turn->context->trace == NULL) return;
    minds->call->to = to;
    minds->call->line = ployi_minds_line(minds);
}

static ploy_result minds_change(void *user, ploy_lua_frame *frame) {
    ploy_lua_minds *minds = user;
    const ploy_fsm_turn *turn = minds_turn(minds, frame);
    if (turn == NULL) return PLOY_ERR_STATE;
    const ploy_fsm_type *type = minds->call->type;
    const char *name = frame->args[0].as.text;
    ploy_fsm_state state = ploy_fsm_type_find(type, name);
    if (state.number == 0) {
        ploy_nearest nearest = ploy_nearest_make(name);
        for (int32_t i = 1; i <= ploy_fsm_type_count(type); i++) {
            ploy_nearest_offer(&nearest, ploy_fsm_type_id(type, (ploy_fsm_state){(uint32_t)i}));
        }
        minds_unknown(frame, "state", name, nearest.best);
        return PLOY_ERR_NOT_FOUND;
    }
    minds_asked(minds, turn, state);
    return ploy_fsm_change(turn->fsm, turn->context, state);
}

static ploy_result minds_back(void *user, ploy_lua_frame *frame) {
    const ploy_fsm_turn *turn = minds_turn(user, frame);
    if (turn == NULL) return PLOY_ERR_STATE;
    minds_asked(user, turn, ploy_fsm_previous(turn->fsm));
    return ploy_fsm_revert(turn->fsm, turn->context);
}

static ploy_result minds_name(ploy_lua_minds *minds, ploy_lua_frame *frame, bool previous) {
    const ploy_fsm_turn *turn = minds_turn(minds, frame);
    if (turn == NULL) return PLOY_ERR_STATE;
    ploy_fsm_state state = previous ? ploy_fsm_previous(turn->fsm) : ploy_fsm_current(turn->fsm);
    frame->results[0] = ploy_value_text(ploy_fsm_type_id(minds->call->type, state));
    frame->result_count = 1;
    return PLOY_OK;
}

static ploy_result minds_current(void *user, ploy_lua_frame *frame) {
    return minds_name(user, frame, false);
}

static ploy_result minds_previous(void *user, ploy_lua_frame *frame) {
    return minds_name(user, frame, true);
}

// ---- create

ploy_result ploy_lua_minds_create(ploy_lua *lua, const ploy_env *env, ploy_lua_minds **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (lua == NULL || env == NULL || !lua->def.coroutine) return PLOY_ERR_ARGUMENT;
    ploy_lua_minds *minds = ploy_env_alloc_zero(env, sizeof *minds);
    if (minds == NULL) return PLOY_ERR_MEMORY;
    minds->env = *env;
    minds->lua = lua;
    ploy_array_init(&minds->scripts, sizeof(ployi_minds_script), env);
    const ploy_lua_function functions[] = {
        {"now", minds_now, "()", 1, minds},
        {"tick", minds_tick, "()", 1, minds},
        {"dt", minds_dt, "()", 1, minds},
        {"name", minds_kind, "(text)", 1, minds},
        {"get", minds_get, "(text)", 2, minds},
        {"set", minds_set, "(text, any)", 2, minds},
        {"change", minds_change, "(text)", 4, minds},
        {"back", minds_back, "()", 4, minds},
        {"current", minds_current, "()", 1, minds},
        {"previous", minds_previous, "()", 1, minds},
    };
    ploy_result result = PLOY_OK;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && result == PLOY_OK; i++) {
        result = ploy_lua_register(lua, &functions[i]);
    }
    if (result == PLOY_OK) result = ployi_minds_open_stage(minds);
    if (result == PLOY_OK) result = ployi_minds_open_keep(minds);
    if (result == PLOY_OK) {
        result = ploy_lua_run(lua, minds_prelude, sizeof minds_prelude - 1, "minds", NULL);
    }
    if (result == PLOY_OK) result = ploy_lua_new_table(lua, &minds->agents);
    if (result != PLOY_OK) {
        ploy_array_fini(&minds->scripts);
        ploy_env_free(env, minds, sizeof *minds);
        return result;
    }
    *out = minds;
    return PLOY_OK;
}

void ploy_lua_minds_destroy(ploy_lua_minds *minds) {
    if (minds == NULL) return;
    for (int32_t i = 0; i < minds->keep_count; i++) {
        (void)ploy_lua_release(minds->lua, minds->keeps[i].function);
    }
    (void)ploy_lua_release(minds->lua, minds->agents);
    ploy_env env = minds->env;
    for (int32_t i = 0; i < minds->scripts.count; i++) {
        ployi_minds_script *script = &PLOY_ARRAY_ITEMS(&minds->scripts, ployi_minds_script)[i];
        ploy_env_free(&env, script->text, script->size);
    }
    ploy_array_fini(&minds->scripts);
    ploy_env_free(&env, minds, sizeof *minds);
}

// Keeps a copy of the text, by which functions are compared after an edit.
static ploy_result minds_keep_text(ploy_lua_minds *minds, const char *name, const void *bytes,
                                   size_t size) {
    ployi_minds_script made, *at = NULL;
    memset(&made, 0, sizeof made);
    snprintf(made.name, sizeof made.name, "%s", name);
    for (int32_t i = 0; i < minds->scripts.count && at == NULL; i++) {
        ployi_minds_script *script = &PLOY_ARRAY_ITEMS(&minds->scripts, ployi_minds_script)[i];
        if (strcmp(script->name, made.name) == 0) at = script;
    }
    made.size = size;
    made.text = ploy_env_alloc(&minds->env, size);
    if (made.text == NULL && size > 0) return PLOY_ERR_MEMORY;
    if (size > 0) memcpy(made.text, bytes, size);
    if (at != NULL) {
        ploy_env_free(&minds->env, at->text, at->size);
        *at = made;
        return PLOY_OK;
    }
    ploy_result result = ploy_array_push(&minds->scripts, &made);
    if (result != PLOY_OK) ploy_env_free(&minds->env, made.text, size);
    return result;
}

ploy_result ploy_lua_minds_load(ploy_lua_minds *minds, const void *bytes, size_t size,
                                const char *name, ploy_diags *diags) {
    ploy_result result = ployi_minds_keep_find(minds);
    if (result != PLOY_OK) return result;
    minds->reloading = true;
    result = ploy_lua_run(minds->lua, bytes, size, name, diags);
    minds->reloading = false;
    if (result == PLOY_OK) result = minds_keep_text(minds, name, bytes, size);
    return result == PLOY_OK ? ployi_minds_keep_join(minds) : result;
}

ploy_result ploy_lua_minds_self(ploy_lua_minds *minds, ploy_agent_id agent, ploy_lua_ref *out) {
    char key[32];
    snprintf(key, sizeof key, "%u:%u", (unsigned)agent.id.index, (unsigned)agent.id.generation);
    ploy_result result = ploy_lua_get_ref(minds->lua, minds->agents, key, out);
    if (result == PLOY_OK && ploy_lua_kind_of(minds->lua, *out) == PLOY_LUA_TABLE) return result;
    if (result == PLOY_OK) (void)ploy_lua_release(minds->lua, *out);
    result = ploy_lua_new_table(minds->lua, out);
    if (result != PLOY_OK) return result;
    result = ploy_lua_set_ref(minds->lua, minds->agents, key, *out);
    if (result != PLOY_OK) (void)ploy_lua_release(minds->lua, *out);
    return result;
}

ploy_step_context *ploy_lua_minds_context(const ploy_lua_minds *minds) {
    return minds->call != NULL ? minds->call->context : NULL;
}

ploy_result ploy_lua_minds_call(ploy_lua_minds *minds, const char *path, ploy_step_context *context,
                                const ploy_value *args, int32_t arg_count, ploy_value *result) {
    ploy_lua_ref function, self;
    ploy_result done = ploy_lua_get_ref(minds->lua, PLOY_LUA_GLOBALS, path, &function);
    if (done != PLOY_OK) return done;
    done = ploy_lua_minds_self(minds, context->agent, &self);
    if (done == PLOY_OK) {
        ployi_minds_call call;
        ployi_minds_watch watch;
        ployi_minds_begin(minds, &call, context);
        ployi_minds_agent(minds, context, path);
        ployi_minds_watch_begin(&watch, minds, context, PLOY_LUA_GLOBALS);
        done = ploy_lua_call(minds->lua, function, self, args, arg_count, result,
                             result != NULL ? 1 : 0);
        ploy_lua_watch_end(&watch);
        ployi_minds_end(minds, &call);
        if (done < PLOY_OK) ployi_minds_log(minds, context->agent, path);
        (void)ploy_lua_release(minds->lua, self);
    }
    (void)ploy_lua_release(minds->lua, function);
    return done;
}
