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

void ployi_choice_visit(ploy_visit *v, ployi_choice *choice, const char *key,
                        const ploy_visit_table *table) {
    PLOY_VISIT_SCRATCH(v, choice->env);
    PLOY_VISIT_SCRATCH(v, choice->made);
    PLOY_VISIT_SCRATCH(v, choice->count);
    ploy_visit_block(v, "choice", choice->made, (size_t)choice->count * sizeof *choice->made);
    if (v->mode == PLOY_VISIT_MEMORY) {
        for (int32_t i = 0; i < choice->count; i++) {
            ploy_visit_nested(v, key, PLOY_DERIVED, &choice->made[i], &choice->env, NULL);
        }
        return;
    }
    PLOY_VISIT_SCRATCH(v, choice->running); // visited below if one runs
    if (!ploy_visit_optional(v, key, choice->running >= 0)) return;
    ploy_visit_key(v, key);
    ploy_visit_begin(v, "runs", PLOY_STATE); // in the file { "id": "patrol", "behavior": { ... } }
    bool known = ploy_visit_ref(v, "id", PLOY_STATE, (uint32_t *)&choice->running, table);
    if (known && ploy_visit_loads(v) && !ployi_choice_has(choice, choice->running)) {
        int32_t none = -1;
        if (choice->running >= 0)
            ploy_visit_lost(v, table->what, ploy_visit_peek(v, "id"), "no longer exists");
        PLOY_VISIT_WRITE(v, choice->running, none);
    }
    if (known && choice->running >= 0) {
        ploy_nested *nested = &choice->made[choice->running];
        ploy_nested_describe(nested, v->describe);
        ploy_visit_nested(v, "behavior", PLOY_SAVED, nested, &choice->env,
                          table->text(table->user, (uint32_t)choice->running));
        if (ploy_visit_loads(v) && !nested->entered) choice->running = -1;
    }
    ploy_visit_end(v);
}

void ployi_choice_draw(const ployi_choice *choice, ploy_draw *out) {
    if (choice->running >= 0) ploy_nested_draw(&choice->made[choice->running], out);
}
