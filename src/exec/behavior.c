// The calls through a behavior's type, in one place: so that every holder treats missing functions
// and wrong answers of a game's own types alike.
#include "ploy/exec/behavior.h"

#include <string.h>

#include "exec/exec_internal.h"

const char *ploy_status_text(ploy_status status) {
    switch (status) {
    case PLOY_STATUS_RUNNING: return "running";
    case PLOY_STATUS_SUCCESS: return "success";
    case PLOY_STATUS_FAILURE: return "failure";
    case PLOY_STATUS_SKIPPED: return "skipped";
    }
    return "?";
}

const char *ploy_exit_reason_text(ploy_exit_reason reason) {
    switch (reason) {
    case PLOY_EXIT_FINISHED: return "finished";
    case PLOY_EXIT_INTERRUPTED: return "interrupted";
    case PLOY_EXIT_REPLACED: return "replaced";
    case PLOY_EXIT_REMOVED: return "removed";
    case PLOY_EXIT_ERROR: return "error";
    }
    return "?";
}

void ploy_step_blame(ploy_step_context *context, const char *part) {
    if (context == NULL || context->path == NULL || context->path->fault != NULL) return;
    context->path->fault = part;
}

// "In progress" is no answer to "did it work": running is a status, not a result.
static ploy_result behavior_result(ploy_result result) {
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

ploy_step_context ploy_step_context_make(ploy_agent_id agent, ploy_blackboard *blackboard,
                                         float dt) {
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    context.agent = agent;
    context.blackboard = blackboard;
    context.dt = dt;
    return context;
}

void ploy_step_context_next(ploy_step_context *context) {
    context->tick++;
    context->now += (double)context->dt;
}

ploy_result ploy_behavior_enter(ploy_behavior behavior, ploy_step_context *context) {
    if (behavior.type == NULL || behavior.type->enter == NULL) return PLOY_OK;
    return behavior_result(behavior.type->enter(behavior.self, context));
}

ploy_result ploy_behavior_step(ploy_behavior behavior, ploy_step_context *context,
                               ploy_status *status) {
    if (behavior.type == NULL || behavior.type->step == NULL || status == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_status answer = (ploy_status)-1;
    ploy_result result = behavior_result(behavior.type->step(behavior.self, context, &answer));
    if (result != PLOY_OK) return result;
    switch (answer) {
    case PLOY_STATUS_RUNNING:
    case PLOY_STATUS_SUCCESS:
    case PLOY_STATUS_FAILURE:
    case PLOY_STATUS_SKIPPED: *status = answer; return PLOY_OK;
    }
    return PLOY_ERR_CALLBACK; // it forgot to answer
}

void ploy_behavior_exit(ploy_behavior behavior, ploy_step_context *context,
                        ploy_exit_reason reason) {
    if (behavior.type == NULL || behavior.type->exit == NULL) return;
    behavior.type->exit(behavior.self, context, reason);
}

ploy_result ploy_behavior_commit(ploy_behavior behavior, ploy_step_context *context) {
    if (behavior.type == NULL || behavior.type->commit == NULL) return PLOY_OK;
    return behavior_result(behavior.type->commit(behavior.self, context));
}

ploy_result ploy_behavior_message(ploy_behavior behavior, ploy_step_context *context,
                                  const ploy_message *message, bool *handled) {
    if (message == NULL) return PLOY_ERR_ARGUMENT;
    bool answer = false;
    ploy_result result = PLOY_OK;
    if (behavior.type != NULL && behavior.type->message != NULL) {
        result = behavior_result(behavior.type->message(behavior.self, context, message, &answer));
    }
    if (result == PLOY_OK && handled != NULL) *handled = answer;
    return result;
}

void ploy_behavior_destroy(ploy_behavior behavior) {
    if (behavior.type == NULL || behavior.type->destroy == NULL) return;
    behavior.type->destroy(behavior.self);
}

void ploy_behavior_describe(ploy_behavior behavior, ploy_describe *out) {
    if (behavior.type == NULL || behavior.type->visit == NULL || out == NULL) return;
    ploy_visit_describe(behavior.type->visit, behavior.self, NULL, out);
}

void ploy_behavior_memory(ploy_behavior behavior, ploy_memory_fn fn, void *user) {
    if (behavior.type == NULL || behavior.type->visit == NULL) return;
    ploy_visit_memory(behavior.type->visit, behavior.self, fn, user);
}

void ploy_behavior_draw(ploy_behavior behavior, ploy_draw *out) {
    if (behavior.type == NULL || behavior.type->draw == NULL || out == NULL) return;
    behavior.type->draw(behavior.self, out);
}

void ploy_behavior_save(ploy_behavior behavior, ploy_json_writer *out) {
    if (out == NULL) return;
    if (behavior.type == NULL) {
        ploy_json_write_null(out);
        return;
    }
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "type");
    ploy_json_write_text(out, behavior.type->name);
    if (behavior.type->visit != NULL) {
        ploy_json_write_key(out, "state");
        ploy_visit_save(behavior.type->visit, behavior.self, NULL, out);
    }
    ploy_json_write_end_object(out);
}

void ploy_behavior_lost(const ploy_json *doc, ploy_json_node node, ploy_diags *diags,
                        const char *what, const char *name, const char *why) {
    if (diags == NULL) return;
    char text[PLOY_DIAG_TEXT_MAX];
    size_t used = 0;
    const char *parts[] = {what, " '", name, "' ", why};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *c = parts[i]; c != NULL && *c != '\0' && used + 1 < sizeof text; c++) {
            text[used++] = *c;
        }
    }
    text[used] = '\0';
    ploy_json_position at = ploy_json_position_of(doc, node);
    ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_OK, ploy_json_name(doc), at.line, at.column,
                   text, NULL, NULL);
}

ploy_result ploy_behavior_load(ploy_behavior behavior, ploy_step_context *context,
                               const ploy_json *doc, ploy_json_node saved, ploy_diags *diags) {
    if (behavior.type == NULL) return PLOY_OK;
    if (doc == NULL || context == NULL) return PLOY_ERR_ARGUMENT;
    const char *type = ploy_json_text(doc, ploy_json_member(doc, saved, "type"), NULL);
    ploy_json_node state = ploy_json_member(doc, saved, "state");
    if (strcmp(type, behavior.type->name) != 0) {
        ploy_behavior_lost(doc, saved, diags, "a behavior of type", type,
                           "stood here; the one that does now restarts");
    } else if (behavior.type->visit != NULL && ploy_json_type_of(doc, state) == PLOY_JSON_OBJECT) {
        return behavior_result(ploy_visit_load_known(behavior.type->visit, behavior.self, context,
                                                     doc, state, NULL, diags));
    } else {
        ploy_behavior_lost(doc, saved, diags, "a behavior of type", type,
                           "keeps nothing: restarts");
    }
    return ploy_behavior_enter(behavior, context);
}

ploy_result ploy_behavior_reload(ploy_behavior old, ploy_behavior fresh, ploy_step_context *context,
                                 const ploy_env *env, ploy_diags *diags) {
    return ploy_behavior_hand_over(old, context, fresh, context, env, diags);
}

ploy_result ploy_behavior_hand_over(ploy_behavior old, ploy_step_context *from, ploy_behavior fresh,
                                    ploy_step_context *to, const ploy_env *env, ploy_diags *diags) {
    bool left = false;
    return ployi_behavior_hand_over(old, from, fresh, to, env, diags, &left);
}

ploy_result ployi_behavior_hand_over(ploy_behavior old, ploy_step_context *from,
                                     ploy_behavior fresh, ploy_step_context *to,
                                     const ploy_env *env, ploy_diags *diags, bool *left) {
    if (from == NULL || to == NULL || env == NULL || fresh.type == NULL) return PLOY_ERR_ARGUMENT;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_behavior_save(old, &json);
    ploy_result result = ploy_json_writer_finish(&json);
    ploy_json *doc = NULL;
    ploy_json_def def = ploy_json_def_default();
    if (result == PLOY_OK) {
        result = ploy_json_load(buffer.bytes, buffer.size, "reload", &def, env, diags, &doc);
    }
    ploy_buffer_fini(&buffer);
    if (result != PLOY_OK) return result;
    ploy_behavior_exit(old, from, PLOY_EXIT_REPLACED);
    *left = true;
    result = ploy_behavior_load(fresh, to, doc, ploy_json_root(doc), diags);
    ploy_json_destroy(doc);
    return result;
}
