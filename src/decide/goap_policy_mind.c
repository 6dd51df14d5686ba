// Policies as behaviors: the blackboard is the world, gambles are behaviors. Described in
// ploy/decide/goap_policy.h.
#include "goap_shell.h"

#include "decide/decide_internal.h"
#include "ploy/decide/goap_policy.h"

struct ploy_goap_policy_type {
    ployi_goap_shell_type shell;
    ploy_goap_policy_def def;
    ploy_array gambles;  // ploy_goap_gamble; branches point into the next
    ploy_array branches; // ploy_goap_branch
};

typedef struct policy_mind {
    ployi_goap_shell shell; // its memory is two worlds, the second as it was seen last
    ploy_goap_policy *policy;
    bool solving, solved;
} policy_mind;

static const ployi_goap_shell_kind policy_mind_kind;

static ploy_result policy_type_copy(ploy_goap_policy_type *type, const ploy_goap_gamble *gambles,
                                    int32_t count) {
    ploy_result result = PLOY_OK;
    if (count > 0) result = ploy_array_push_many(&type->gambles, gambles, count);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = ploy_array_push_many(&type->branches, gambles[i].branches, gambles[i].count);
    }
    if (result != PLOY_OK) return result;
    const ploy_goap_branch *at = PLOY_ARRAY_ITEMS(&type->branches, ploy_goap_branch);
    for (int32_t i = 0; i < count; i++) {
        PLOY_ARRAY_ITEMS(&type->gambles, ploy_goap_gamble)[i].branches = at;
        at += gambles[i].count;
    }
    return PLOY_OK;
}

ploy_result ploy_goap_policy_type_create(const ploy_goap_policy_def *def,
                                         const ploy_goap_type *domain,
                                         const ploy_goap_gamble *gambles, int32_t count,
                                         const ploy_blackboard_layout *layout, const ploy_env *env,
                                         ploy_goap_policy_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    // One that cannot make a policy is refused here, not when its first behavior is made.
    ploy_goap_policy *probe = NULL;
    ploy_result result = ploy_goap_policy_create(def, domain, gambles, count, env, &probe);
    ploy_goap_policy_destroy(probe);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < i; k++) {
            if (gambles[i].branches[0].action == gambles[k].branches[0].action)
                return PLOY_ERR_ARGUMENT;
        }
    }
    ploy_goap_policy_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->def = *def;
    ploy_array_init(&type->gambles, sizeof(ploy_goap_gamble), env);
    ploy_array_init(&type->branches, sizeof(ploy_goap_branch), env);
    result =
        ployi_goap_shell_type_init(&type->shell, &policy_mind_kind, domain, layout, count, env);
    if (result == PLOY_OK) result = policy_type_copy(type, gambles, count);
    if (result != PLOY_OK) {
        ploy_goap_policy_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_goap_policy_type_destroy(ploy_goap_policy_type *type) {
    if (type == NULL) return;
    ploy_env env = type->shell.env;
    ployi_goap_shell_type_fini(&type->shell);
    ploy_array_fini(&type->gambles);
    ploy_array_fini(&type->branches);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_result ploy_goap_policy_type_set_goal(ploy_goap_policy_type *type, const ploy_goap_need *goal,
                                           int32_t count) {
    return ployi_goap_shell_type_set_goal(&type->shell, goal, count);
}

ploy_result ployi_goap_policy_type_set_action(ploy_goap_policy_type *type, int32_t gamble,
                                              ploy_maker maker) {
    if (gamble < 0 || gamble >= type->shell.makers.count) return PLOY_ERR_ARGUMENT;
    PLOY_ARRAY_ITEMS(&type->shell.makers, ploy_maker)[gamble] = maker;
    return PLOY_OK;
}

// ---- the behavior ----

static const ploy_goap_policy_type *policy_mind_type_of(const policy_mind *mind) {
    return (const ploy_goap_policy_type *)mind->shell.type;
}

static uint64_t *policy_mind_memory(const policy_mind *mind) {
    return ployi_goap_shell_memory(&mind->shell);
}

static uint64_t *policy_mind_world(const policy_mind *mind) {
    return policy_mind_memory(mind) + mind->shell.type->keys.domain->words;
}

static const ploy_goap_gamble *policy_mind_gamble(const ploy_goap_policy_type *type, int32_t i) {
    return &PLOY_ARRAY_ITEMS(&type->gambles, ploy_goap_gamble)[i];
}

// A gamble's id is that of its first action.
static const char *policy_mind_id(const void *user, int32_t gamble) {
    const ploy_goap_policy_type *type = user;
    if (gamble < 0 || gamble >= type->gambles.count) return "";
    return ploy_goap_type_action_id(type->shell.keys.domain,
                                    policy_mind_gamble(type, gamble)->branches[0].action);
}

static ploy_result policy_mind_enter(void *self, ploy_step_context *context) {
    policy_mind *mind = self;
    (void)context;
    ploy_goap_world_clear(mind->shell.type->keys.domain, policy_mind_memory(mind));
    ploy_goap_policy_cancel(mind->policy);
    mind->solving = mind->solved = false;
    return PLOY_OK;
}

// Solves from the world as it was seen; PLOY_IN_PROGRESS while the budget does not suffice.
static ploy_result policy_mind_solve(policy_mind *mind, ploy_step_context *context) {
    if (!mind->solving) {
        ploy_result begun =
            ploy_goap_policy_begin(mind->policy, policy_mind_world(mind),
                                   PLOY_ARRAY_ITEMS(&mind->shell.type->goal, ploy_goap_need),
                                   mind->shell.type->goal.count);
        if (begun != PLOY_OK) return begun;
        mind->solving = true;
        mind->solved = false;
    }
    ploy_result result = ploy_goap_policy_step(mind->policy, context->budget);
    if (result == PLOY_IN_PROGRESS) return result;
    mind->solving = false;
    mind->solved = result == PLOY_OK;
    return result;
}

// Which branch a gamble took; -1 if the behavior has changed the board itself.
static int32_t policy_mind_branch(const policy_mind *mind, const ploy_step_context *context,
                                  int32_t gamble, ploy_status status) {
    const ploy_goap_gamble *it = policy_mind_gamble(policy_mind_type_of(mind), gamble);
    if (ployi_choice_has(&mind->shell.choice, gamble)) {
        if (it->count > 2) return -1;
        return status == PLOY_STATUS_FAILURE ? it->count - 1 : 0;
    }
    double share =
        (double)ploy_rng_float_at(context->key, context->agent.id.index, context->tick, 0);
    int32_t branch = 0;
    while (branch + 1 < it->count && share >= it->branches[branch].chance)
        share -= it->branches[branch++].chance;
    return branch;
}

static void policy_mind_trace(const policy_mind *mind, ploy_step_context *context, int32_t chosen) {
    if (context->trace == NULL) return;
    const uint64_t *world = policy_mind_world(mind);
    ploy_trace_begin(context->trace, context->agent, "choose", "policy");
    ploy_trace_option(
        context->trace, chosen >= 0 ? policy_mind_id(mind->shell.type, chosen) : "give up",
        PLOY_OUTCOME_WON, ploy_goap_policy_cost(mind->policy, world), "the least expected cost");
    ploy_trace_f32(context->trace, "chance", (float)ploy_goap_policy_chance(mind->policy, world));
    ploy_trace_end(context->trace);
}

static ploy_result policy_mind_act(policy_mind *mind, ploy_step_context *context, int32_t gamble) {
    ploy_status status = ployi_goap_shell_act(&mind->shell, context, gamble);
    if (status == PLOY_STATUS_RUNNING) return PLOY_OK;
    int32_t branch = policy_mind_branch(mind, context, gamble, status);
    if (branch < 0) return PLOY_OK;
    return ployi_goap_board_do(
        &mind->shell.type->keys, context->blackboard, policy_mind_memory(mind),
        policy_mind_gamble(policy_mind_type_of(mind), gamble)->branches[branch].action);
}

static ploy_result policy_mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    policy_mind *mind = self;
    const ployi_goap_shell_type *type = mind->shell.type;
    *status = PLOY_STATUS_RUNNING;
    if (mind->shell.choice.running >= 0)
        return policy_mind_act(mind, context, mind->shell.choice.running);
    if (!mind->solving) {
        ployi_goap_board_look(&type->keys, context->blackboard, policy_mind_memory(mind),
                              policy_mind_world(mind));
    }
    const uint64_t *world = policy_mind_world(mind);
    if (ployi_goap_world_holds(type->keys.domain, world,
                               PLOY_ARRAY_ITEMS(&type->goal, ploy_goap_need), type->goal.count)) {
        *status = PLOY_STATUS_SUCCESS;
        return PLOY_OK;
    }
    double cost = mind->solved ? ploy_goap_policy_cost(mind->policy, world) : 0.0;
    if (!mind->solved || cost != cost) {
        ploy_result result = policy_mind_solve(mind, context);
        if (result != PLOY_OK) return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
    }
    int32_t gamble = ploy_goap_policy_choice(mind->policy, world);
    policy_mind_trace(mind, context, gamble);
    if (gamble < 0) {
        *status = PLOY_STATUS_FAILURE;
        return PLOY_OK;
    }
    return policy_mind_act(mind, context, gamble);
}

static void policy_mind_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    policy_mind *mind = self;
    ployi_choice_leave(&mind->shell.choice, context, reason);
    ploy_goap_policy_cancel(mind->policy);
    mind->solving = mind->solved = false;
}

static void policy_mind_destroy(void *self) {
    policy_mind *mind = self;
    ploy_goap_policy_destroy(mind->policy);
    ployi_goap_shell_destroy(&mind->shell);
}

// { "memory": { ... }, "gamble": { "id": "pick", "behavior": { ... } } }; a policy is solved again
static void policy_mind_visit(ploy_visit *v, void *object) {
    policy_mind *mind = object;
    if (ploy_visit_tolerates(v)) (void)policy_mind_enter(mind, v->context);
    ployi_goap_shell_visit(v, &mind->shell);
    PLOY_VISIT_SCRATCH(v, mind->policy);
    PLOY_VISIT_SCRATCH(v, mind->solving);
    PLOY_VISIT_SCRATCH(v, mind->solved);
    ploy_describe_bool(v->describe, "solving", PLOY_STATE, mind->solving);
    ploy_describe_bool(v->describe, "solved", PLOY_STATE, mind->solved);
    ployi_goap_board_visit(v, &mind->shell.type->keys, policy_mind_memory(mind));
    ploy_visit_begin(v, "policy", PLOY_DERIVED);
    ploy_goap_policy_describe(mind->policy, v->describe);
    ploy_visit_end(v);
    if (v->mode == PLOY_VISIT_MEMORY) {
        ployi_goap_policy_memory(mind->policy, v->memory, v->memory_user);
    }
    ploy_visit_table gambles = ployi_goap_shell_table(&mind->shell, "gamble");
    ployi_goap_shell_visit_choice(v, &mind->shell, "gamble", &gambles);
}

static const ploy_behavior_type policy_mind_type = {.name = "policy",
                                                    .enter = policy_mind_enter,
                                                    .step = policy_mind_step,
                                                    .exit = policy_mind_exit,
                                                    .commit = ployi_goap_shell_commit,
                                                    .message = ployi_goap_shell_message,
                                                    .destroy = policy_mind_destroy,
                                                    .draw = ployi_goap_shell_draw,
                                                    .visit = policy_mind_visit};

static ploy_result policy_mind_fill(void *self, const ploy_env *env) {
    policy_mind *mind = self;
    const ploy_goap_policy_type *type = policy_mind_type_of(mind);
    return ploy_goap_policy_create(&type->def, type->shell.keys.domain,
                                   PLOY_ARRAY_ITEMS(&type->gambles, ploy_goap_gamble),
                                   type->gambles.count, env, &mind->policy);
}

static const ployi_goap_shell_kind policy_mind_kind = {&policy_mind_type, sizeof(policy_mind), 2,
                                                       policy_mind_id, policy_mind_fill};

ploy_maker ploy_goap_policy_type_maker(ploy_goap_policy_type *type) {
    return ployi_goap_shell_type_maker(&type->shell);
}
