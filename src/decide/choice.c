// Nested behaviors of which at most one runs; see the header.
#include "choice.h"

#include <string.h>

ploy_result ployi_choice_init(ployi_choice *choice, int32_t count, ployi_choice_maker_fn maker,
                              const void *user, const ploy_env *env) {
    memset(choice, 0, sizeof *choice);
    choice->env = *env;
    choice->running = -1;
    if (count == 0) return PLOY_OK;
    choice->made = ploy_env_alloc_zero(env, (size_t)count * sizeof *choice->made);
    if (choice->made == NULL) return PLOY_ERR_MEMORY;
    choice->count = count;
    for (int32_t i = 0; i < count; i++) {
        ploy_result result = ploy_nested_make(&choice->made[i], maker(user, i), env);
        if (result == PLOY_OK) continue;
        ployi_choice_fini(choice);
        return result;
    }
    return PLOY_OK;
}

void ployi_choice_fini(ployi_choice *choice) {
    for (int32_t i = choice->count - 1; i >= 0; i--) ploy_nested_destroy(&choice->made[i]);
    if (choice->count > 0) {
        ploy_env_free(&choice->env, choice->made, (size_t)choice->count * sizeof *choice->made);
    }
    memset(choice, 0, sizeof *choice);
    choice->running = -1;
}

ploy_result ployi_choice_check(int32_t count, ployi_choice_maker_fn maker, const void *user,
                               const ploy_env *env, const ploy_blackboard_layout *inner,
                               const ploy_blackboard_layout *outer, ploy_diags *diags) {
    ploy_result result = ploy_maker_check_layout(inner, outer, diags);
    for (int32_t i = 0; i < count; i++) {
        ploy_result one =
            ploy_maker_check(maker(user, i), outer != NULL ? outer : inner, env, diags);
        if (result == PLOY_OK) result = one;
    }
    return result;
}

bool ployi_choice_has(const ployi_choice *choice, int32_t index) {
    return index >= 0 && index < choice->count && choice->made[index].behavior.type != NULL;
}

void ployi_choice_leave(ployi_choice *choice, ploy_step_context *context, ploy_exit_reason reason) {
    int32_t index = choice->running;
    choice->running = -1; // first, in case exit looks
    if (index >= 0) ploy_nested_exit(&choice->made[index], context, reason);
}

ploy_status ployi_choice_step(ployi_choice *choice, ploy_step_context *context, int32_t index,
                              const char *place) {
    if (choice->running != index) ployi_choice_leave(choice, context, PLOY_EXIT_INTERRUPTED);
    if (!ployi_choice_has(choice, index)) return PLOY_STATUS_SUCCESS;
    ploy_nested *nested = &choice->made[index];
    ploy_status status = PLOY_STATUS_RUNNING;
    if (choice->running != index) {
        choice->running = index;
        status = ploy_nested_enter(nested, &choice->env, place, context);
    }
    if (status == PLOY_STATUS_RUNNING) {
        status = ploy_nested_step(nested, &choice->env, place, context);
    }
    if (!nested->entered && choice->running == index) choice->running = -1;
    return status;
}

void ployi_choice_commit(ployi_choice *choice, ploy_step_context *context, const char *place) {
    int32_t index = choice->running;
    if (index < 0) return;
    ploy_nested_commit(&choice->made[index], &choice->env, place, context);
    if (!choice->made[index].entered && choice->running == index) choice->running = -1;
}

bool ployi_choice_message(ployi_choice *choice, ploy_step_context *context,
                          const ploy_message *message, const char *place) {
    int32_t index = choice->running;
    if (index < 0) return false;
    bool handled = ploy_nested_message(&choice->made[index], &choice->env, place, context, message);
    if (!choice->made[index].entered && choice->running == index) choice->running = -1;
    return handled;
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
    ploy_nested_save(&choice->made[choice->running], out);
    ploy_json_write_end_object(out);
}

const char *ployi_choice_saved(const ploy_json *doc, ploy_json_node state, const char *key) {
    ploy_json_node saved = ploy_json_member(doc, state, key);
    if (ploy_json_type_of(doc, saved) != PLOY_JSON_OBJECT) return NULL;
    return ploy_json_text(doc, ploy_json_member(doc, saved, "id"), NULL);
}

ploy_result ployi_choice_load(ployi_choice *choice, ploy_step_context *context,
                              const ploy_json *doc, ploy_json_node state, const char *key,
                              int32_t index, const char *place, ploy_diags *diags) {
    if (!ployi_choice_has(choice, index)) return PLOY_OK;
    ploy_json_node saved = ploy_json_member(doc, ploy_json_member(doc, state, key), "behavior");
    ploy_result result =
        ploy_nested_load(&choice->made[index], &choice->env, place, context, doc, saved, diags);
    if (choice->made[index].entered) choice->running = index;
    return result;
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
    ploy_describe_begin(out, "runs");
    ploy_describe_text(out, "id", PLOY_STATE, id);
    ploy_nested_describe(&choice->made[choice->running], out);
    ploy_describe_end(out);
}

void ployi_choice_draw(const ployi_choice *choice, ploy_draw *out) {
    if (choice->running >= 0) ploy_nested_draw(&choice->made[choice->running], out);
}
