// Nested behaviors of which at most one runs; see the header.
#include "choice.h"

#include <stdio.h>
#include <string.h>

ploy_result ployi_choice_init(ployi_choice *choice, int32_t count, ployi_choice_maker_fn maker,
                              const void *user, const ploy_env *env) {
    memset(choice, 0, sizeof *choice);
    choice->env = *env;
    choice->running = choice->faulty = -1;
    if (count == 0) return PLOY_OK;
    choice->made = ploy_env_alloc_zero(env, (size_t)count * sizeof *choice->made);
    if (choice->made == NULL) return PLOY_ERR_MEMORY;
    choice->count = count;
    for (int32_t i = 0; i < count; i++) {
        ploy_result result = ploy_maker_make(maker(user, i), env, &choice->made[i]);
        if (result == PLOY_OK) continue;
        ployi_choice_fini(choice);
        return result;
    }
    return PLOY_OK;
}

void ployi_choice_fini(ployi_choice *choice) {
    ploy_env env = choice->env;
    for (int32_t i = choice->count - 1; i >= 0; i--) ploy_behavior_destroy(choice->made[i]);
    if (choice->count > 0) {
        ploy_env_free(&env, choice->made, (size_t)choice->count * sizeof *choice->made);
    }
    memset(choice, 0, sizeof *choice);
    choice->running = choice->faulty = -1;
}

bool ployi_choice_has(const ployi_choice *choice, int32_t index) {
    return index >= 0 && index < choice->count && choice->made[index].type != NULL;
}

static ploy_behavior choice_running(const ployi_choice *choice) {
    ploy_behavior none = {NULL, NULL};
    return choice->running >= 0 ? choice->made[choice->running] : none;
}

void ployi_choice_leave(ployi_choice *choice, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_behavior behavior = choice_running(choice);
    choice->running = -1; // first, in case exit looks
    ploy_behavior_exit(behavior, context, reason);
}

ploy_status ployi_choice_step(ployi_choice *choice, ploy_step_context *context, int32_t index) {
    ploy_status status = PLOY_STATUS_SUCCESS;
    ploy_result result = PLOY_OK;
    if (choice->running != index) ployi_choice_leave(choice, context, PLOY_EXIT_INTERRUPTED);
    if (!ployi_choice_has(choice, index)) return status;
    if (choice->running != index) {
        choice->running = index;
        result = ploy_behavior_enter(choice->made[index], context);
    }
    if (result == PLOY_OK) result = ploy_behavior_step(choice->made[index], context, &status);
    if (result != PLOY_OK) {
        ploy_trace_text(context->trace, choice->made[index].type->name, ploy_result_text(result));
        choice->faulty = index;
        choice->fault = result;
        status = PLOY_STATUS_FAILURE;
    }
    if (status == PLOY_STATUS_RUNNING || choice->running != index) return status;
    ployi_choice_leave(choice, context, result != PLOY_OK ? PLOY_EXIT_ERROR : PLOY_EXIT_FINISHED);
    return status;
}

ploy_result ployi_choice_commit(ployi_choice *choice, ploy_step_context *context) {
    if (choice->faulty >= 0) {
        char text[200];
        snprintf(text, sizeof text, "nested behavior '%.60s' failed: %.80s",
                 choice->made[choice->faulty].type->name, ploy_result_text(choice->fault));
        ploy_env_log(&choice->env, PLOY_SEVERITY_ERROR, text);
        choice->faulty = -1;
    }
    return ploy_behavior_commit(choice_running(choice), context);
}

ploy_result ployi_choice_message(ployi_choice *choice, ploy_step_context *context,
                                 const ploy_message *message, bool *handled) {
    return ploy_behavior_message(choice_running(choice), context, message, handled);
}

// "key": { "id": "patrol", "behavior": { ... } }
void ployi_choice_save(const ployi_choice *choice, ploy_json_writer *out, const char *key,
                       const char *id) {
    if (choice->running < 0) return;
    ploy_json_write_key(out, key);
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "id");
    ploy_json_write_text(out, id);
    ploy_json_write_key(out, "behavior");
    ploy_behavior_save(choice_running(choice), out);
    ploy_json_write_end_object(out);
}

const char *ployi_choice_saved(const ploy_json *doc, ploy_json_node state, const char *key) {
    ploy_json_node saved = ploy_json_member(doc, state, key);
    if (ploy_json_type_of(doc, saved) != PLOY_JSON_OBJECT) return NULL;
    return ploy_json_text(doc, ploy_json_member(doc, saved, "id"), NULL);
}

ploy_result ployi_choice_load(ployi_choice *choice, ploy_step_context *context,
                              const ploy_json *doc, ploy_json_node state, const char *key,
                              int32_t index, ploy_diags *diags) {
    if (!ployi_choice_has(choice, index)) return PLOY_OK;
    ploy_json_node saved = ploy_json_member(doc, ploy_json_member(doc, state, key), "behavior");
    choice->running = index; // an enter that fails is left like any other
    return ploy_behavior_load(choice->made[index], context, doc, saved, diags);
}

void ployi_choice_lose(const ploy_json *doc, ploy_json_node state, const char *key,
                       const char *what, ploy_diags *diags) {
    const char *id = ployi_choice_saved(doc, state, key);
    if (id == NULL) return;
    ploy_behavior_lost(doc, ploy_json_member(doc, state, key), diags, what, id,
                       "is gone: it restarts");
}

void ployi_choice_describe(const ployi_choice *choice, ploy_describe *out, const char *id) {
    if (choice->running < 0) return;
    ploy_describe_text(out, "runs", PLOY_STATE, id);
    ploy_describe_begin(out, "behavior");
    ploy_behavior_describe(choice_running(choice), out);
    ploy_describe_end(out);
}

void ployi_choice_draw(const ployi_choice *choice, ploy_draw *out) {
    ploy_behavior_draw(choice_running(choice), out);
}
