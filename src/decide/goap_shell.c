// Planners as behaviors; see the header.
#include "goap_shell.h"

ploy_result ployi_goap_shell_type_init(ployi_goap_shell_type *type,
                                       const ployi_goap_shell_kind *kind,
                                       const ploy_goap_type *domain,
                                       const ploy_blackboard_layout *layout, int32_t count,
                                       const ploy_env *env) {
    type->env = *env;
    type->kind = kind;
    ploy_array_init(&type->makers, sizeof(ploy_maker), env);
    ploy_array_init(&type->goal, sizeof(ploy_goap_need), env);
    ploy_result result = ployi_goap_board_init(&type->keys, domain, layout, env);
    return result == PLOY_OK ? ploy_array_resize(&type->makers, count) : result;
}

void ployi_goap_shell_type_fini(ployi_goap_shell_type *type) {
    ployi_goap_board_fini(&type->keys);
    ploy_array_fini(&type->makers);
    ploy_array_fini(&type->goal);
}

ploy_result ployi_goap_shell_type_set_goal(ployi_goap_shell_type *type, const ploy_goap_need *goal,
                                           int32_t count) {
    if (count < 0 || count > PLOY_GOAP_PARTS_MAX || (count > 0 && goal == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!ployi_goap_need_valid(type->keys.domain, &goal[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_array_reserve(&type->goal, count);
    if (result != PLOY_OK) return result;
    ploy_array_clear(&type->goal);
    if (count > 0) (void)ploy_array_push_many(&type->goal, goal, count); // there is room
    return PLOY_OK;
}

// ---- the maker ----

static ploy_maker goap_shell_maker(const void *user, int32_t index) {
    return PLOY_ARRAY_ITEMS(&((const ployi_goap_shell_type *)user)->makers, ploy_maker)[index];
}

static ploy_result goap_shell_make(void *user, const ploy_env *env, ploy_behavior *out) {
    const ployi_goap_shell_type *type = user;
    ployi_goap_shell *shell = ploy_env_alloc_zero(env, type->kind->size);
    if (shell == NULL) return PLOY_ERR_MEMORY;
    shell->env = *env;
    shell->type = type;
    shell->choice.running = -1;
    ploy_array_init(&shell->memory, sizeof(uint64_t), env);
    ploy_result result =
        ploy_array_resize(&shell->memory, type->kind->worlds * type->keys.domain->words);
    if (result == PLOY_OK) {
        result = ployi_choice_init(&shell->choice, type->makers.count, goap_shell_maker, type, env);
    }
    if (result == PLOY_OK) result = type->kind->fill(shell, env);
    if (result != PLOY_OK) {
        type->kind->behavior->destroy(shell);
        return result;
    }
    out->type = type->kind->behavior;
    out->self = shell;
    return PLOY_OK;
}

static ploy_result goap_shell_check(const void *user, const ploy_blackboard_layout *layout,
                                    ploy_diags *diags) {
    const ployi_goap_shell_type *type = user;
    return ployi_choice_check(type->makers.count, goap_shell_maker, type, &type->env,
                              type->keys.layout, layout, diags);
}

ploy_maker ployi_goap_shell_type_maker(ployi_goap_shell_type *type) {
    ploy_maker maker = {goap_shell_make, type, NULL, goap_shell_check};
    return maker;
}

// ---- the behavior ----

static const char *goap_shell_id(const ployi_goap_shell *shell, int32_t index) {
    return shell->type->kind->id(shell->type, index);
}

ploy_status ployi_goap_shell_act(ployi_goap_shell *shell, ploy_step_context *context,
                                 int32_t action) {
    return ployi_choice_step(&shell->choice, context, action, goap_shell_id(shell, action));
}

ploy_result ployi_goap_shell_commit(void *self, ploy_step_context *context) {
    ployi_goap_shell *shell = self;
    ployi_choice_commit(&shell->choice, context, goap_shell_id(shell, shell->choice.running));
    return PLOY_OK;
}

ploy_result ployi_goap_shell_message(void *self, ploy_step_context *context,
                                     const ploy_message *message, bool *handled) {
    ployi_goap_shell *shell = self;
    *handled = ployi_choice_message(&shell->choice, context, message,
                                    goap_shell_id(shell, shell->choice.running));
    return PLOY_OK;
}

void ployi_goap_shell_draw(const void *self, ploy_draw *out) {
    ployi_choice_draw(&((const ployi_goap_shell *)self)->choice, out);
}

void ployi_goap_shell_destroy(ployi_goap_shell *shell) {
    ploy_env env = shell->env;
    ployi_choice_fini(&shell->choice);
    ploy_array_fini(&shell->memory);
    ploy_env_free(&env, shell, shell->type->kind->size);
}

void ployi_goap_shell_visit(ploy_visit *v, ployi_goap_shell *shell) {
    if (ploy_visit_tolerates(v)) {
        ploy_goap_world_clear(shell->type->keys.domain, ployi_goap_shell_memory(shell));
    }
    ploy_visit_object(v, "planner", shell, shell->type->kind->size);
    PLOY_VISIT_SCRATCH(v, shell->env);
    PLOY_VISIT_SCRATCH(v, shell->type);
    ploy_visit_buffer(v, "planner.memory", &shell->memory);
}

void ployi_goap_shell_visit_choice(ploy_visit *v, ployi_goap_shell *shell, const char *key,
                                   const ploy_visit_table *table) {
    ployi_choice_visit(v, &shell->choice, key, table);
}

static const char *goap_shell_text(const void *user, uint32_t number) {
    const ployi_goap_shell_type *type = user;
    return number < (uint32_t)type->makers.count ? type->kind->id(type, (int32_t)number) : "";
}

ploy_visit_table ployi_goap_shell_table(const ployi_goap_shell *shell, const char *what) {
    ploy_visit_table table = {goap_shell_text,
                              NULL,
                              shell->type,
                              (uint32_t)shell->type->makers.count,
                              what,
                              "no longer exists: it restarts"};
    return table;
}
