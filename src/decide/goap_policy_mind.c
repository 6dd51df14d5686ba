// Policies as behaviors: the blackboard is the world, gambles are behaviors. Described in
// ploy/decide/goap_policy.h.
#include <string.h>

#include "choice.h"
#include "goap_board.h"
#include "ploy/decide/goap_policy.h"

struct ploy_goap_policy_type {
    ploy_env env;
    ploy_goap_policy_def def;
    ployi_goap_board keys;
    ploy_array gambles; // ploy_goap_gamble; ways point into the next
    ploy_array ways;    // ploy_goap_way
    ploy_array makers;  // ploy_maker of each gamble
    ploy_array goal;    // ploy_goap_need
};

typedef struct policy_mind {
    ploy_env env;
    const ploy_goap_policy_type *type;
    ploy_goap_policy *policy;
    ployi_choice choice;
    ploy_array memory; // uint64_t: two worlds, the memory and the world as it was seen last
    bool solving, solved;
} policy_mind;

static ploy_result policy_type_copy(ploy_goap_policy_type *type, const ploy_goap_gamble *gambles,
                                    int32_t count) {
    ploy_result result = ploy_array_resize(&type->makers, count);
    if (result == PLOY_OK && count > 0) {
        result = ploy_array_push_many(&type->gambles, gambles, count);
    }
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = ploy_array_push_many(&type->ways, gambles[i].ways, gambles[i].count);
    }
    if (result != PLOY_OK) return result;
    const ploy_goap_way *at = PLOY_ARRAY_ITEMS(&type->ways, ploy_goap_way);
    for (int32_t i = 0; i < count; i++) {
        PLOY_ARRAY_ITEMS(&type->gambles, ploy_goap_gamble)[i].ways = at;
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
            if (gambles[i].ways[0].action == gambles[k].ways[0].action) return PLOY_ERR_ARGUMENT;
        }
    }
    ploy_goap_policy_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->env = *env;
    type->def = *def;
    ploy_array_init(&type->gambles, sizeof(ploy_goap_gamble), env);
    ploy_array_init(&type->ways, sizeof(ploy_goap_way), env);
    ploy_array_init(&type->makers, sizeof(ploy_maker), env);
    ploy_array_init(&type->goal, sizeof(ploy_goap_need), env);
    result = ployi_goap_board_init(&type->keys, domain, layout, env);
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
    ploy_env env = type->env;
    ployi_goap_board_fini(&type->keys);
    ploy_array_fini(&type->gambles);
    ploy_array_fini(&type->ways);
    ploy_array_fini(&type->makers);
    ploy_array_fini(&type->goal);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_result ploy_goap_policy_type_set_goal(ploy_goap_policy_type *type, const ploy_goap_need *goal,
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

ploy_result ploy_goap_policy_type_set_action(ploy_goap_policy_type *type, int32_t gamble,
                                             ploy_maker maker) {
    if (gamble < 0 || gamble >= type->makers.count) return PLOY_ERR_ARGUMENT;
    PLOY_ARRAY_ITEMS(&type->makers, ploy_maker)[gamble] = maker;
    return PLOY_OK;
}

// ---- the behavior ----

static uint64_t *policy_mind_memory(const policy_mind *mind) {
    return PLOY_ARRAY_ITEMS(&mind->memory, uint64_t);
}

static uint64_t *policy_mind_world(const policy_mind *mind) {
    return policy_mind_memory(mind) + mind->type->keys.domain->words;
}

static const ploy_goap_gamble *policy_mind_gamble(const ploy_goap_policy_type *type, int32_t i) {
    return &PLOY_ARRAY_ITEMS(&type->gambles, ploy_goap_gamble)[i];
}

// A gamble's id is that of its first action.
static const char *policy_mind_id(const ploy_goap_policy_type *type, int32_t gamble) {
    if (gamble < 0 || gamble >= type->gambles.count) return "";
    return ploy_goap_type_action_id(type->keys.domain,
                                    policy_mind_gamble(type, gamble)->ways[0].action);
}

static ploy_result policy_mind_enter(void *self, ploy_step_context *context) {
    policy_mind *mind = self;
    (void)context;
    ploy_goap_world_clear(mind->type->keys.domain, policy_mind_memory(mind));
    ploy_goap_policy_cancel(mind->policy);
    mind->solving = mind->solved = false;
    return PLOY_OK;
}

// Solves from the world as it was seen; PLOY_IN_PROGRESS while the budget does not suffice.
static ploy_result policy_mind_solve(policy_mind *mind, ploy_step_context *context) {
    if (!mind->solving) {
        ploy_result begun = ploy_goap_policy_begin(
            mind->policy, policy_mind_world(mind),
            PLOY_ARRAY_ITEMS(&mind->type->goal, ploy_goap_need), mind->type->goal.count);
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

// Which way a gamble went; -1 if the behavior has changed the board itself.
static int32_t policy_mind_way(const policy_mind *mind, const ploy_step_context *context,
                               int32_t gamble, ploy_status status) {
    const ploy_goap_gamble *it = policy_mind_gamble(mind->type, gamble);
    if (ployi_choice_has(&mind->choice, gamble)) {
        if (it->count > 2) return -1;
        return status == PLOY_STATUS_FAILURE ? it->count - 1 : 0;
    }
    double share =
        (double)ploy_rng_float_at(context->key, context->agent.id.index, context->tick, 0);
    int32_t way = 0;
    while (way + 1 < it->count && share >= it->ways[way].chance) share -= it->ways[way++].chance;
    return way;
}

static void policy_mind_trace(const policy_mind *mind, ploy_step_context *context, int32_t chosen) {
    if (context->trace == NULL) return;
    const uint64_t *world = policy_mind_world(mind);
    ploy_trace_begin(context->trace, context->agent, "choose", "policy");
    ploy_trace_option(context->trace, chosen >= 0 ? policy_mind_id(mind->type, chosen) : "give up",
                      PLOY_OUTCOME_WON, ploy_goap_policy_cost(mind->policy, world),
                      "the least expected cost");
    ploy_trace_f32(context->trace, "chance", (float)ploy_goap_policy_chance(mind->policy, world));
    ploy_trace_end(context->trace);
}

static ploy_result policy_mind_act(policy_mind *mind, ploy_step_context *context, int32_t gamble) {
    ploy_status status =
        ployi_choice_step(&mind->choice, context, gamble, policy_mind_id(mind->type, gamble));
    if (status == PLOY_STATUS_RUNNING) return PLOY_OK;
    int32_t way = policy_mind_way(mind, context, gamble, status);
    if (way < 0) return PLOY_OK;
    return ployi_goap_board_do(&mind->type->keys, context->blackboard, policy_mind_memory(mind),
                               policy_mind_gamble(mind->type, gamble)->ways[way].action);
}

static ploy_result policy_mind_step(void *self, ploy_step_context *context, ploy_status *status) {
    policy_mind *mind = self;
    const ploy_goap_policy_type *type = mind->type;
    *status = PLOY_STATUS_RUNNING;
    if (mind->choice.running >= 0) return policy_mind_act(mind, context, mind->choice.running);
    if (!mind->solving) {
        ployi_goap_board_look(&type->keys, context->blackboard, policy_mind_memory(mind),
                              policy_mind_world(mind));
    }
    const uint64_t *world = policy_mind_world(mind);
    if (ploy_goap_world_holds(type->keys.domain, world,
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
    ployi_choice_leave(&mind->choice, context, reason);
    ploy_goap_policy_cancel(mind->policy);
    mind->solving = mind->solved = false;
}

static ploy_result policy_mind_commit(void *self, ploy_step_context *context) {
    policy_mind *mind = self;
    ployi_choice_commit(&mind->choice, context, policy_mind_id(mind->type, mind->choice.running));
    return PLOY_OK;
}

static ploy_result policy_mind_message(void *self, ploy_step_context *context,
                                       const ploy_message *message, bool *handled) {
    policy_mind *mind = self;
    *handled = ployi_choice_message(&mind->choice, context, message,
                                    policy_mind_id(mind->type, mind->choice.running));
    return PLOY_OK;
}

static void policy_mind_destroy(void *self) {
    policy_mind *mind = self;
    ploy_env env = mind->env;
    ploy_goap_policy_destroy(mind->policy);
    ployi_choice_fini(&mind->choice);
    ploy_array_fini(&mind->memory);
    ploy_env_free(&env, mind, sizeof *mind);
}

static void policy_mind_describe(const void *self, ploy_describe *out) {
    const policy_mind *mind = self;
    ploy_describe_bool(out, "solving", PLOY_STATE, mind->solving);
    ploy_describe_bool(out, "solved", PLOY_STATE, mind->solved);
    ployi_goap_board_describe(&mind->type->keys, policy_mind_memory(mind), out);
    ploy_describe_begin(out, "policy");
    ploy_goap_policy_describe(mind->policy, out);
    ploy_describe_end(out);
    ployi_choice_describe(&mind->choice, out, policy_mind_id(mind->type, mind->choice.running));
}

static void policy_mind_draw(const void *self, ploy_draw *out) {
    ployi_choice_draw(&((const policy_mind *)self)->choice, out);
}

// { "memory": { ... }, "gamble": { "id": "pick", "behavior": { ... } } }
static void policy_mind_save(const void *self, ploy_json_writer *out) {
    const policy_mind *mind = self;
    ploy_json_write_begin_object(out);
    ployi_goap_board_save(&mind->type->keys, policy_mind_memory(mind), out);
    ployi_choice_save(&mind->choice, out, "gamble",
                      policy_mind_id(mind->type, mind->choice.running));
    ploy_json_write_end_object(out);
}

static ploy_result policy_mind_load(void *self, ploy_step_context *context, const ploy_json *doc,
                                    ploy_json_node state, ploy_diags *diags) {
    policy_mind *mind = self;
    (void)policy_mind_enter(self, context);
    ployi_goap_board_load(&mind->type->keys, policy_mind_memory(mind), doc, state, diags);
    const char *id = ployi_choice_saved(doc, state, "gamble");
    if (id == NULL) return PLOY_OK;
    for (int32_t i = 0; i < mind->type->gambles.count; i++) {
        const char *own = policy_mind_id(mind->type, i);
        if (strcmp(own, id) != 0 || !ployi_choice_has(&mind->choice, i)) continue;
        return ployi_choice_load(&mind->choice, context, doc, state, "gamble", i, own, diags);
    }
    ployi_choice_lose(doc, state, "gamble", "gamble", diags);
    return PLOY_OK;
}

static const ploy_behavior_type policy_mind_type = {.name = "policy",
                                                    .enter = policy_mind_enter,
                                                    .step = policy_mind_step,
                                                    .exit = policy_mind_exit,
                                                    .commit = policy_mind_commit,
                                                    .message = policy_mind_message,
                                                    .destroy = policy_mind_destroy,
                                                    .describe = policy_mind_describe,
                                                    .draw = policy_mind_draw,
                                                    .save = policy_mind_save,
                                                    .load = policy_mind_load};

static ploy_maker policy_mind_maker(const void *user, int32_t index) {
    return PLOY_ARRAY_ITEMS(&((const ploy_goap_policy_type *)user)->makers, ploy_maker)[index];
}

static ploy_result policy_mind_make(void *user, const ploy_env *env, ploy_behavior *out) {
    const ploy_goap_policy_type *type = user;
    policy_mind *mind = ploy_env_alloc_zero(env, sizeof *mind);
    if (mind == NULL) return PLOY_ERR_MEMORY;
    mind->env = *env;
    mind->type = type;
    mind->choice.running = -1;
    ploy_array_init(&mind->memory, sizeof(uint64_t), env);
    ploy_result result = ploy_array_resize(&mind->memory, 2 * type->keys.domain->words);
    if (result == PLOY_OK) {
        result = ployi_choice_init(&mind->choice, type->makers.count, policy_mind_maker, type, env);
    }
    if (result == PLOY_OK) {
        result = ploy_goap_policy_create(&type->def, type->keys.domain,
                                         PLOY_ARRAY_ITEMS(&type->gambles, ploy_goap_gamble),
                                         type->gambles.count, env, &mind->policy);
    }
    if (result != PLOY_OK) {
        policy_mind_destroy(mind);
        return result;
    }
    out->type = &policy_mind_type;
    out->self = mind;
    return PLOY_OK;
}

static ploy_result policy_mind_check(const void *user, const ploy_blackboard_layout *layout,
                                     ploy_diags *diags) {
    const ploy_goap_policy_type *type = user;
    return ployi_choice_check(type->makers.count, policy_mind_maker, type, &type->env,
                              type->keys.layout, layout, diags);
}

ploy_maker ploy_goap_policy_type_maker(ploy_goap_policy_type *type) {
    ploy_maker maker = {policy_mind_make, type, NULL, policy_mind_check};
    return maker;
}
