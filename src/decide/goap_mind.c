// GOAP agents from a definition: the blackboard is the world, actions are behaviors. Described in
// ploy/decide/goap_agent.h.
//
// Invariant: while the agent is in the middle of an action that has a behavior, that one runs in the
// choice; else none does.
#include <string.h>

#include "choice.h"
#include "goap_board.h"
#include "ploy/decide/goap_agent.h"

struct ploy_goap_agent_type {
    ploy_env env;
    ploy_goap_agent_def def;
    ployi_goap_board keys;
    ploy_array makers; // ploy_maker of each action
    ploy_array goal;   // ploy_goap_need
    const ploy_htn_type *recipes;
    ploy_htn_task task;
};

typedef struct goap_mind {
    ploy_env env;
    const ploy_goap_agent_type *type;
    ploy_goap_agent *agent;
    ployi_choice choice;
    ploy_array memory; // uint64_t: a world, of which only the variables without keys count
} goap_mind;

ploy_result ploy_goap_agent_type_create(const ploy_goap_agent_def *def,
                                        const ploy_goap_type *domain,
                                        const ploy_blackboard_layout *layout, const ploy_env *env,
                                        ploy_goap_agent_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || domain == NULL || !domain->build.finished) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_goap_agent_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_goap_agent_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->env = *env;
    type->def = *def;
    ploy_array_init(&type->makers, sizeof(ploy_maker), env);
    ploy_array_init(&type->goal, sizeof(ploy_goap_need), env);
    result = ployi_goap_board_init(&type->keys, domain, layout, env);
    if (result == PLOY_OK) result = ploy_array_resize(&type->makers, domain->actions.count);
    if (result != PLOY_OK) {
        ploy_goap_agent_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_goap_agent_type_destroy(ploy_goap_agent_type *type) {
    if (type == NULL) return;
    ploy_env env = type->env;
    ployi_goap_board_fini(&type->keys);
    ploy_array_fini(&type->makers);
    ploy_array_fini(&type->goal);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_result ploy_goap_agent_type_set_goal(ploy_goap_agent_type *type, const ploy_goap_need *goal,
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
    (void)ploy_array_push_many(&type->goal, goal, count); // there is room
    type->recipes = NULL;
    return PLOY_OK;
}

ploy_result ploy_goap_agent_type_set_task(ploy_goap_agent_type *type, const ploy_htn_type *recipes,
                                          ploy_htn_task task) {
    if (recipes == NULL || ployi_htn_domain(recipes) != type->keys.domain ||
        ploy_htn_type_id(recipes, task)[0] == '\0') {
        return PLOY_ERR_ARGUMENT;
    }
    type->recipes = recipes;
    type->task = task;
    return PLOY_OK;
}

ploy_result ploy_goap_agent_type_set_action(ploy_goap_agent_type *type, const char *action,
                                            ploy_maker maker) {
    if (action == NULL) return PLOY_ERR_ARGUMENT;
    int32_t found = ploy_goap_type_find_action(type->keys.domain, action);
    if (found < 0) return PLOY_ERR_NOT_FOUND;
    PLOY_ARRAY_ITEMS(&type->makers, ploy_maker)[found] = maker;
    return PLOY_OK;
}

// ---- hands ----

static uint64_t *goap_mind_memory(const goap_mind *mind) {
    return PLOY_ARRAY_ITEMS(&mind->memory, uint64_t);
}

static const char *goap_mind_running(const goap_mind *mind) {
    return ploy_goap_type_action_id(mind->type->keys.domain, mind->choice.running);
}

static ploy_result goap_mind_sense(void *user, ploy_step_context *context,
                                   const ploy_goap_type *domain, uint64_t *world) {
    const goap_mind *mind = user;
    (void)domain;
    ployi_goap_board_look(&mind->type->keys, context->blackboard, goap_mind_memory(mind), world);
    return PLOY_OK;
}

static ploy_result goap_mind_act(void *user, ploy_step_context *context, int32_t action, bool first,
                                 ploy_status *status) {
    goap_mind *mind = user;
    if (first) ployi_choice_leave(&mind->choice, context, PLOY_EXIT_INTERRUPTED);
    *status = ployi_choice_step(&mind->choice, context, action,
                                ploy_goap_type_action_id(mind->type->keys.domain, action));
    if (*status != PLOY_STATUS_SUCCESS) return PLOY_OK;
    return ployi_goap_board_do(&mind->type->keys, context->blackboard, goap_mind_memory(mind),
                               action);
}

static void goap_mind_stop(void *user, ploy_step_context *context, int32_t action) {
    goap_mind *mind = user;
    (void)action;
    ployi_choice_leave(&mind->choice, context, PLOY_EXIT_INTERRUPTED);
}

// ---- the behavior ----

static ploy_result goap_mind_enter(void *self, ploy_step_context *context) {
    goap_mind *mind = self;
    ploy_goap_world_clear(mind->type->keys.domain, goap_mind_memory(mind));
    return ploy_behavior_enter(ploy_goap_agent_behavior(mind->agent), context);
}

static ploy_result goap_mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    goap_mind *mind = self;
    return ploy_behavior_step(ploy_goap_agent_behavior(mind->agent), context, status);
}

static void goap_mind_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    goap_mind *mind = self;
    ployi_choice_leave(&mind->choice, context, reason);
    ploy_behavior_exit(ploy_goap_agent_behavior(mind->agent), context, reason);
}

static ploy_result goap_mind_commit(void *self, ploy_step_context *context) {
    goap_mind *mind = self;
    ployi_choice_commit(&mind->choice, context, goap_mind_running(mind));
    return PLOY_OK;
}

static ploy_result goap_mind_message(void *self, ploy_step_context *context,
                                     const ploy_message *message, bool *handled) {
    goap_mind *mind = self;
    *handled = ployi_choice_message(&mind->choice, context, message, goap_mind_running(mind));
    return PLOY_OK;
}

static void goap_mind_destroy(void *self) {
    goap_mind *mind = self;
    ploy_env env = mind->env;
    ploy_goap_agent_destroy(mind->agent);
    ployi_choice_fini(&mind->choice);
    ploy_array_fini(&mind->memory);
    ploy_env_free(&env, mind, sizeof *mind);
}

static void goap_mind_describe(const void *self, ploy_describe *out) {
    const goap_mind *mind = self;
    ploy_goap_agent_describe(mind->agent, out);
    ployi_goap_board_describe(&mind->type->keys, goap_mind_memory(mind), out);
    ployi_choice_describe(&mind->choice, out, goap_mind_running(mind));
}

static void goap_mind_draw(const void *self, ploy_draw *out) {
    ployi_choice_draw(&((const goap_mind *)self)->choice, out);
}

// { "agent": { ... }, "memory": { "ammo": 3 }, "action": { "id": "reload", "behavior": { ... } } }
static void goap_mind_save(const void *self, ploy_json_writer *out) {
    const goap_mind *mind = self;
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "agent");
    ploy_behavior_save(ploy_goap_agent_behavior(mind->agent), out);
    ployi_goap_board_save(&mind->type->keys, goap_mind_memory(mind), out);
    ployi_choice_save(&mind->choice, out, "action", goap_mind_running(mind));
    ploy_json_write_end_object(out);
}

static ploy_result goap_mind_load(void *self, ploy_step_context *context, const ploy_json *doc,
                                  ploy_json_node state, ploy_diags *diags) {
    goap_mind *mind = self;
    ploy_goap_world_clear(mind->type->keys.domain, goap_mind_memory(mind));
    ployi_goap_board_load(&mind->type->keys, goap_mind_memory(mind), doc, state, diags);
    ploy_result result = ploy_behavior_load(ploy_goap_agent_behavior(mind->agent), context, doc,
                                            ploy_json_member(doc, state, "agent"), diags);
    if (result != PLOY_OK) return result;
    int32_t action = -1;
    bool acts = ployi_goap_agent_acts(mind->agent, &action);
    const char *saved = ployi_choice_saved(doc, state, "action");
    bool same = acts && saved != NULL && ployi_choice_has(&mind->choice, action) &&
                strcmp(ploy_goap_type_action_id(mind->type->keys.domain, action), saved) == 0;
    if (same) {
        return ployi_choice_load(&mind->choice, context, doc, state, "action", action,
                                 ploy_goap_type_action_id(mind->type->keys.domain, action), diags);
    }
    if (saved != NULL) ployi_choice_lose(doc, state, "action", "the behavior of action", diags);
    if (acts) ployi_goap_agent_drop(mind->agent); // it begins again, with the behavior it has now
    return PLOY_OK;
}

static const ploy_behavior_type goap_mind_type = {.name = "goap",
                                                  .enter = goap_mind_enter,
                                                  .step = goap_mind_step,
                                                  .exit = goap_mind_exit,
                                                  .commit = goap_mind_commit,
                                                  .message = goap_mind_message,
                                                  .destroy = goap_mind_destroy,
                                                  .describe = goap_mind_describe,
                                                  .draw = goap_mind_draw,
                                                  .save = goap_mind_save,
                                                  .load = goap_mind_load};

static ploy_maker goap_mind_maker(const void *user, int32_t index) {
    return PLOY_ARRAY_ITEMS(&((const ploy_goap_agent_type *)user)->makers, ploy_maker)[index];
}

static ploy_result goap_mind_fill(goap_mind *mind, const ploy_env *env) {
    const ploy_goap_agent_type *type = mind->type;
    const ploy_goap_hands hands = {goap_mind_sense, goap_mind_act, goap_mind_stop, mind};
    ploy_result result = ploy_array_resize(&mind->memory, type->keys.domain->words);
    if (result != PLOY_OK) return result;
    result = ployi_choice_init(&mind->choice, type->makers.count, goap_mind_maker, type, env);
    if (result == PLOY_OK) {
        result = ploy_goap_agent_create(&type->def, type->keys.domain, &hands, env, &mind->agent);
    }
    if (result != PLOY_OK) return result;
    result =
        type->recipes != NULL
            ? ploy_goap_agent_set_task(mind->agent, type->recipes, type->task)
            : ploy_goap_agent_set_goal(mind->agent, PLOY_ARRAY_ITEMS(&type->goal, ploy_goap_need),
                                       type->goal.count);
    if (result == PLOY_OK) ployi_goap_agent_fix(mind->agent);
    return result;
}

static ploy_result goap_mind_make(void *user, const ploy_env *env, ploy_behavior *out) {
    goap_mind *mind = ploy_env_alloc_zero(env, sizeof *mind);
    if (mind == NULL) return PLOY_ERR_MEMORY;
    mind->env = *env;
    mind->type = user;
    mind->choice.running = -1;
    ploy_array_init(&mind->memory, sizeof(uint64_t), env);
    ploy_result result = goap_mind_fill(mind, env);
    if (result != PLOY_OK) {
        goap_mind_destroy(mind);
        return result;
    }
    out->type = &goap_mind_type;
    out->self = mind;
    return PLOY_OK;
}

static ploy_result goap_mind_check(const void *user, const ploy_blackboard_layout *layout,
                                   ploy_diags *diags) {
    const ploy_goap_agent_type *type = user;
    return ployi_choice_check(type->makers.count, goap_mind_maker, type, &type->env,
                              type->keys.layout, layout, diags);
}

ploy_maker ploy_goap_agent_type_maker(ploy_goap_agent_type *type) {
    ploy_maker maker = {goap_mind_make, type, NULL, goap_mind_check};
    return maker;
}

ploy_goap_agent *ploy_goap_agent_of(ploy_behavior behavior) {
    return behavior.type == &goap_mind_type ? ((goap_mind *)behavior.self)->agent : NULL;
}
