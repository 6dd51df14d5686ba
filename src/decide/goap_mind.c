// GOAP agents from a definition: the blackboard is the world, actions are behaviors. Described in
// ploy/decide/goap_agent.h.
//
// Invariant: while the agent is in the middle of an action that has a behavior, that one runs in the
// choice; else none does.
#include <string.h>

#include "goap_shell.h"

#include "decide/decide_internal.h"
#include "ploy/decide/goap_agent.h"

struct ploy_goap_agent_type {
    ployi_goap_shell_type shell;
    ploy_goap_agent_def def;
    const ploy_htn_type *recipes;
    ploy_htn_task task;
};

typedef struct goap_mind {
    ployi_goap_shell shell;
    ploy_goap_agent *agent;
} goap_mind;

static const ployi_goap_shell_kind goap_mind_kind;

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
    type->def = *def;
    result = ployi_goap_shell_type_init(&type->shell, &goap_mind_kind, domain, layout,
                                        domain->actions.count, env);
    if (result != PLOY_OK) {
        ploy_goap_agent_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_goap_agent_type_destroy(ploy_goap_agent_type *type) {
    if (type == NULL) return;
    ploy_env env = type->shell.env;
    ployi_goap_shell_type_fini(&type->shell);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_result ploy_goap_agent_type_set_goal(ploy_goap_agent_type *type, const ploy_goap_need *goal,
                                          int32_t count) {
    ploy_result result = ployi_goap_shell_type_set_goal(&type->shell, goal, count);
    if (result == PLOY_OK) type->recipes = NULL;
    return result;
}

ploy_result ploy_goap_agent_type_set_task(ploy_goap_agent_type *type, const ploy_htn_type *recipes,
                                          ploy_htn_task task) {
    if (recipes == NULL || ployi_htn_domain(recipes) != type->shell.keys.domain ||
        ployi_htn_type_id(recipes, task)[0] == '\0') {
        return PLOY_ERR_ARGUMENT;
    }
    type->recipes = recipes;
    type->task = task;
    return PLOY_OK;
}

ploy_result ploy_goap_agent_type_set_action(ploy_goap_agent_type *type, const char *action,
                                            ploy_maker maker) {
    if (action == NULL) return PLOY_ERR_ARGUMENT;
    int32_t found = ploy_goap_type_find_action(type->shell.keys.domain, action);
    if (found < 0) return PLOY_ERR_NOT_FOUND;
    PLOY_ARRAY_ITEMS(&type->shell.makers, ploy_maker)[found] = maker;
    return PLOY_OK;
}

// ---- hands ----

static ploy_result goap_mind_sense(void *user, ploy_step_context *context,
                                   const ploy_goap_type *domain, uint64_t *world) {
    const ployi_goap_shell *shell = user;
    (void)domain;
    ployi_goap_board_look(&shell->type->keys, context->blackboard, ployi_goap_shell_memory(shell),
                          world);
    return PLOY_OK;
}

static ploy_result goap_mind_act(void *user, ploy_step_context *context, int32_t action, bool first,
                                 ploy_status *status) {
    ployi_goap_shell *shell = user;
    if (first) ployi_choice_leave(&shell->choice, context, PLOY_EXIT_INTERRUPTED);
    *status = ployi_goap_shell_act(shell, context, action);
    if (*status != PLOY_STATUS_SUCCESS) return PLOY_OK;
    return ployi_goap_board_do(&shell->type->keys, context->blackboard,
                               ployi_goap_shell_memory(shell), action);
}

static void goap_mind_stop(void *user, ploy_step_context *context, int32_t action) {
    ployi_goap_shell *shell = user;
    (void)action;
    ployi_choice_leave(&shell->choice, context, PLOY_EXIT_INTERRUPTED);
}

// ---- the behavior ----

static ploy_result goap_mind_enter(void *self, ploy_step_context *context) {
    goap_mind *mind = self;
    ploy_goap_world_clear(mind->shell.type->keys.domain, ployi_goap_shell_memory(&mind->shell));
    return ploy_behavior_enter(ploy_goap_agent_behavior(mind->agent), context);
}

static ploy_result goap_mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    goap_mind *mind = self;
    return ploy_behavior_step(ploy_goap_agent_behavior(mind->agent), context, status);
}

static void goap_mind_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    goap_mind *mind = self;
    ployi_choice_leave(&mind->shell.choice, context, reason);
    ploy_behavior_exit(ploy_goap_agent_behavior(mind->agent), context, reason);
}

static void goap_mind_destroy(void *self) {
    goap_mind *mind = self;
    ploy_goap_agent_destroy(mind->agent);
    ployi_goap_shell_destroy(&mind->shell);
}

// In a load, only the action that the agent is in the middle of can go on.
static bool goap_mind_find(const void *user, const char *text, uint32_t *number) {
    const goap_mind *mind = user;
    int32_t action = -1;
    if (!ployi_goap_agent_acts(mind->agent, &action)) return false;
    *number = (uint32_t)action;
    return strcmp(ploy_goap_type_action_id(mind->shell.type->keys.domain, action), text) == 0;
}

static const char *goap_mind_text(const void *user, uint32_t number) {
    const goap_mind *mind = user;
    return ploy_goap_type_action_id(mind->shell.type->keys.domain, (int32_t)number);
}

// { "agent": { ... }, "memory": { "ammo": 3 }, "action": { "id": "reload", "behavior": { ... } } }
static void goap_mind_visit(ploy_visit *v, void *object) {
    goap_mind *mind = object;
    ployi_goap_shell_visit(v, &mind->shell);
    PLOY_VISIT_SCRATCH(v, mind->agent);
    if (v->describe != NULL) {
        ploy_goap_agent_describe(mind->agent, v->describe);
    } else {
        ploy_visit_behavior(v, "agent", ploy_goap_agent_behavior(mind->agent), v->context);
    }
    ployi_goap_board_visit(v, &mind->shell.type->keys, ployi_goap_shell_memory(&mind->shell));
    ploy_visit_table actions = {goap_mind_text,
                                goap_mind_find,
                                mind,
                                (uint32_t)mind->shell.type->makers.count,
                                "the behavior of action",
                                "no longer exists: it restarts"};
    ployi_goap_shell_visit_choice(v, &mind->shell, "action", &actions);
    int32_t action = -1;
    if (ploy_visit_tolerates(v) && ployi_goap_agent_acts(mind->agent, &action) &&
        mind->shell.choice.running != action) {
        ployi_goap_agent_drop(mind->agent); // it begins again, with the behavior it has now
    }
}

static const ploy_behavior_type goap_mind_type = {.name = "goap",
                                                  .enter = goap_mind_enter,
                                                  .step = goap_mind_step,
                                                  .exit = goap_mind_exit,
                                                  .commit = ployi_goap_shell_commit,
                                                  .message = ployi_goap_shell_message,
                                                  .destroy = goap_mind_destroy,
                                                  .draw = ployi_goap_shell_draw,
                                                  .visit = goap_mind_visit};

static ploy_result goap_mind_fill(void *self, const ploy_env *env) {
    goap_mind *mind = self;
    const ploy_goap_agent_type *type = (const ploy_goap_agent_type *)mind->shell.type;
    const ploy_goap_hands hands = {goap_mind_sense, goap_mind_act, goap_mind_stop, mind};
    ploy_result result =
        ploy_goap_agent_create(&type->def, type->shell.keys.domain, &hands, env, &mind->agent);
    if (result != PLOY_OK) return result;
    result = type->recipes != NULL
                 ? ploy_goap_agent_set_task(mind->agent, type->recipes, type->task)
                 : ploy_goap_agent_set_goal(mind->agent,
                                            PLOY_ARRAY_ITEMS(&type->shell.goal, ploy_goap_need),
                                            type->shell.goal.count);
    if (result == PLOY_OK) ployi_goap_agent_fix(mind->agent);
    return result;
}

static const char *goap_mind_id(const void *type, int32_t index) {
    return ploy_goap_type_action_id(((const ployi_goap_shell_type *)type)->keys.domain, index);
}

static const ployi_goap_shell_kind goap_mind_kind = {&goap_mind_type, sizeof(goap_mind), 1,
                                                     goap_mind_id, goap_mind_fill};

ploy_maker ploy_goap_agent_type_maker(ploy_goap_agent_type *type) {
    return ployi_goap_shell_type_maker(&type->shell);
}

ploy_goap_agent *ploy_goap_agent_of(ploy_behavior behavior) {
    return behavior.type == &goap_mind_type ? ((goap_mind *)behavior.self)->agent : NULL;
}
