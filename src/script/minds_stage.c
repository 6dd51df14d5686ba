// Dialogue and stage direction: the functions below say, ask, go, face and play of minds.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script/minds_internal.h"

static ploy_result stage_actor(const ploy_lua_minds *minds, ploy_lua_frame *frame,
                               ploy_agent_id *out) {
    const char *name = frame->args[0].as.text;
    if (!minds->has_stage) {
        snprintf(frame->error, sizeof frame->error, "no stage is set");
        return PLOY_ERR_STATE;
    }
    *out = minds->stage.actor(minds->stage.user, name);
    if (!ploy_id_is_none(out->id)) return PLOY_OK;
    snprintf(frame->error, sizeof frame->error, "unknown actor '%.60s'", name);
    return PLOY_ERR_NOT_FOUND;
}

// stage.request(actor, kind, place or what): the id of an action.
static ploy_result stage_request(void *user, ploy_lua_frame *frame) {
    ploy_lua_minds *minds = user;
    ploy_agent_id actor;
    ploy_result result = stage_actor(minds, frame, &actor);
    if (result != PLOY_OK) return result;
    const char *kind = frame->args[1].as.text;
    const ploy_value *where = &frame->args[2];
    bool moves = strcmp(kind, "go") == 0, turns = strcmp(kind, "face") == 0;
    bool says = strcmp(kind, "say") == 0;
    ploy_action_effect effect = moves  ? PLOY_ACTION_MOVE
                                : says ? PLOY_ACTION_PRESENT
                                       : PLOY_ACTION_ANIMATE;
    ploy_action_request request = ploy_action_request_make(actor, ploy_name_of(kind), effect);
    if (moves || turns) {
        ploy_vec2 to = ploy_vec2_make(0.0f, 0.0f);
        bool found = where->type == PLOY_VALUE_VEC2;
        if (found) to = ploy_vec2_make(where->as.vec[0], where->as.vec[1]);
        if (where->type == PLOY_VALUE_TEXT) {
            found = minds->stage.place(minds->stage.user, where->as.text, &to);
        }
        if (!found) {
            snprintf(frame->error, sizeof frame->error, "unknown place '%.60s'",
                     where->type == PLOY_VALUE_TEXT ? where->as.text : "?");
            return PLOY_ERR_NOT_FOUND;
        }
        request.position = ploy_vec3_make(to.x, to.y, 0.0f);
    } else if (!says && where->type == PLOY_VALUE_TEXT) {
        request.style = ploy_name_of(where->as.text);
    }
    ploy_action_id id;
    result = ploy_actions_request(minds->stage.actions, &request, &id);
    frame->results[0] = ploy_value_id(id.id);
    frame->result_count = 1;
    return result;
}

static ploy_result stage_state(void *user, ploy_lua_frame *frame) {
    const ploy_lua_minds *minds = user;
    if (!minds->has_stage) return PLOY_ERR_STATE;
    ploy_action_id id = {frame->args[0].as.id};
    frame->results[0] =
        ploy_value_text(ploy_action_state_text(ploy_actions_state(minds->stage.actions, id)));
    frame->result_count = 1;
    return PLOY_OK;
}

static ploy_result stage_show(void *user, ploy_lua_frame *frame) {
    const ploy_lua_minds *minds = user;
    ploy_agent_id actor;
    ploy_result result = stage_actor(minds, frame, &actor);
    if (result == PLOY_OK && minds->stage.show != NULL) {
        minds->stage.show(minds->stage.user, actor, frame->args[1].as.text);
    }
    return result;
}

// stage.offer(actor, question, options): opens a question; one is open at a time. A script that was
// restarted replaces the question that it had asked before.
static ploy_result stage_offer(void *user, ploy_lua_frame *frame) {
    ploy_lua_minds *minds = user;
    ploy_agent_id actor;
    ploy_result result = stage_actor(minds, frame, &actor);
    if (result != PLOY_OK) return result;
    const ploy_step_context *context = ploy_lua_minds_context(minds);
    ploy_id asker = context != NULL ? context->agent.id : ploy_agent_id_none().id;
    if (minds->options > 0 && !ploy_id_equal(asker, minds->asker)) {
        snprintf(frame->error, sizeof frame->error, "another question is open");
        return PLOY_ERR_STATE;
    }
    ploy_lua_ref table;
    const char *options[PLOY_LUA_OPTIONS_MAX];
    ploy_lua_ref texts[PLOY_LUA_OPTIONS_MAX];
    int32_t count = 0;
    result = ploy_lua_arg(frame, 2, &table);
    if (result != PLOY_OK) return result;
    for (; count < PLOY_LUA_OPTIONS_MAX; count++) {
        char index[16];
        snprintf(index, sizeof index, "%d", (int)count + 1);
        if (ploy_lua_get_ref(minds->lua, table, index, &texts[count]) != PLOY_OK) break;
        options[count] = ploy_lua_text(minds->lua, texts[count], NULL);
        if (options[count] != NULL) continue;
        (void)ploy_lua_release(minds->lua, texts[count]);
        break;
    }
    if (count == 0) {
        snprintf(frame->error, sizeof frame->error, "expected a list of options");
        result = PLOY_ERR_ARGUMENT;
    } else {
        minds->options = count;
        minds->asker = asker;
        minds->answer = 0;
        snprintf(minds->question, sizeof minds->question, "%s", frame->args[1].as.text);
        for (int32_t i = 0; i < count; i++) {
            snprintf(minds->offered[i], sizeof minds->offered[i], "%s", options[i]);
        }
        if (minds->stage.offer != NULL) {
            minds->stage.offer(minds->stage.user, actor, frame->args[1].as.text, options, count);
        }
    }
    for (int32_t i = 0; i < count; i++) (void)ploy_lua_release(minds->lua, texts[i]);
    (void)ploy_lua_release(minds->lua, table);
    return result;
}

// Why the script goes on as it does: what the player answered.
static void stage_trace(const ploy_lua_minds *minds) {
    const ploy_step_context *context = ploy_lua_minds_context(minds);
    ploy_trace *trace = context != NULL ? context->trace : NULL;
    if (trace == NULL) return;
    ploy_trace_begin(trace, context->agent, "answer", "question to the player");
    ploy_trace_text(trace, "question", minds->question);
    for (int32_t i = 0; i < minds->options; i++) {
        bool taken = i + 1 == minds->answer;
        ploy_trace_option(trace, minds->offered[i], taken ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          (double)NAN,
                          taken ? "the player answered this" : "the player answered otherwise");
    }
    ploy_trace_end(trace);
}

// stage.answer(): the option that was chosen, 0 while the question is open.
static ploy_result stage_answer(void *user, ploy_lua_frame *frame) {
    ploy_lua_minds *minds = user;
    frame->results[0] = ploy_value_i64(minds->answer);
    frame->result_count = 1;
    if (minds->answer > 0) stage_trace(minds);
    if (minds->answer > 0) minds->options = minds->answer = 0;
    return PLOY_OK;
}

ploy_result ployi_minds_open_stage(ploy_lua_minds *minds) {
    const ploy_lua_function functions[] = {
        {"stage.request", stage_request, "(text, text, any)", 10, minds},
        {"stage.state", stage_state, "(id)", 1, minds},
        {"stage.show", stage_show, "(text, text)", 4, minds},
        {"stage.offer", stage_offer, "(text, text, table)", 10, minds},
        {"stage.answer", stage_answer, "()", 1, minds},
    };
    ploy_result result = PLOY_OK;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && result == PLOY_OK; i++) {
        result = ploy_lua_register(minds->lua, &functions[i]);
    }
    return result;
}

void ploy_lua_minds_set_stage(ploy_lua_minds *minds, const ploy_lua_stage *stage) {
    minds->has_stage = stage != NULL;
    if (stage != NULL) minds->stage = *stage;
}

ploy_result ploy_lua_minds_answer(ploy_lua_minds *minds, int32_t option) {
    if (minds->options == 0) return PLOY_ERR_STATE;
    if (option < 1 || option > minds->options) return PLOY_ERR_ARGUMENT;
    minds->answer = option;
    return PLOY_OK;
}

int32_t ploy_lua_minds_options(const ploy_lua_minds *minds) {
    return minds->answer > 0 ? 0 : minds->options;
}
