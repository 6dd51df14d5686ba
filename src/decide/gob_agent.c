// Goal-oriented behavior as a behavior; see the header.
//
// Invariants: (1) a finished type has `motives` changes for each action, side by side; (2) an agent
// has one nested behavior for each action, and at most that of `current` is entered.
#include "ploy/decide/gob_agent.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "condition_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"

typedef struct gob_agent_motive {
    ploy_motive motive; // its name is kept by the build
    ploy_score score;
} gob_agent_motive;

typedef struct gob_agent_action {
    ploy_gob_action action; // changes are set by finish
    ploy_condition when;
    ploy_maker inside;
} gob_agent_action;

struct ploy_gob_agent_type {
    ployi_build build;
    ploy_gob_def def;
    const ploy_blackboard_layout *layout;
    ploy_conditions *conditions;
    ploy_array motives; // gob_agent_motive
    ploy_array actions; // gob_agent_action
    ploy_array changes; // float
};

struct ploy_gob_agent {
    ploy_env env;
    const ploy_gob_agent_type *type;
    ploy_array motives;  // ploy_motive
    ploy_array insides;  // ploy_nested, one for each action
    ploy_array possible; // ploy_gob_action, scratch of a choice
    int32_t current;     // action, -1 for none
    double since;        // s in the current action
};

ploy_result ploy_gob_agent_type_create(const ploy_gob_def *def,
                                       const ploy_blackboard_layout *layout, const ploy_env *env,
                                       ploy_gob_agent_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_gob_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_gob_agent_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->build.env = *env;
    type->def = *def;
    type->layout = layout;
    ploy_array_init(&type->motives, sizeof(gob_agent_motive), env);
    ploy_array_init(&type->actions, sizeof(gob_agent_action), env);
    ploy_array_init(&type->changes, sizeof(float), env);
    result = ployi_build_init(&type->build, env);
    if (result == PLOY_OK) result = ploy_conditions_create(layout, env, &type->conditions);
    if (result != PLOY_OK) {
        ploy_gob_agent_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_gob_agent_type_destroy(ploy_gob_agent_type *type) {
    if (type == NULL) return;
    ploy_env env = type->build.env;
    ploy_conditions_destroy(type->conditions);
    ploy_array_fini(&type->motives);
    ploy_array_fini(&type->actions);
    ploy_array_fini(&type->changes);
    ployi_build_fini(&type->build);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_conditions *ploy_gob_agent_type_conditions(ploy_gob_agent_type *type) {
    return type->conditions;
}

// Keeps a name, and reports one that is used twice. NULL after a fault.
static const char *gob_agent_name(ploy_gob_agent_type *type, const char *name, bool used) {
    if (used) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "duplicate name", name);
        return NULL;
    }
    ploy_name kept = ployi_build_name(&type->build, "invalid name", name);
    return ploy_name_is_none(kept) ? NULL : ployi_build_text(&type->build, kept);
}

static int32_t gob_agent_find_motive(const ploy_gob_agent_type *type, const char *name) {
    for (int32_t i = 0; i < type->motives.count && name != NULL; i++) {
        const gob_agent_motive *item = &PLOY_ARRAY_ITEMS(&type->motives, gob_agent_motive)[i];
        if (strcmp(item->motive.name, name) == 0) return i;
    }
    return -1;
}

static int32_t gob_agent_find_action(const ploy_gob_agent_type *type, const char *name) {
    for (int32_t i = 0; i < type->actions.count && name != NULL; i++) {
        const gob_agent_action *item = &PLOY_ARRAY_ITEMS(&type->actions, gob_agent_action)[i];
        if (strcmp(item->action.name, name) == 0) return i;
    }
    return -1;
}

ploy_result ploy_gob_agent_type_motive(ploy_gob_agent_type *type, const ploy_motive *motive,
                                       ploy_score score) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    ploy_result result = ploy_conditions_result(type->conditions); // why there is no score
    bool fine =
        motive != NULL && ployi_score_valid(type->conditions, score) && type->actions.count == 0 &&
        motive->max > 0.0f && ploy_in_range(motive->value, 0.0f, 1e9f) &&
        ploy_in_range(motive->rate, -1e9f, 1e9f) && ploy_in_range(motive->weight, 0.0f, 1e9f) &&
        ploy_in_range(motive->exponent, 0.01f, 100.0f);
    if (result == PLOY_OK && !fine) result = PLOY_ERR_ARGUMENT;
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "invalid motive",
                                 motive != NULL ? motive->name : "");
    }
    gob_agent_motive item = {*motive, score};
    item.motive.name =
        gob_agent_name(type, motive->name, gob_agent_find_motive(type, motive->name) >= 0);
    if (item.motive.name == NULL) return type->build.result;
    result = ploy_array_push(&type->motives, &item);
    if (result == PLOY_OK) return PLOY_OK;
    return ployi_build_fault(&type->build, result, "out of memory for motive", motive->name);
}

ploy_result ploy_gob_agent_type_action(ploy_gob_agent_type *type, const ploy_gob_action *action,
                                       ploy_condition when, ploy_maker inside) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    ploy_result result = ploy_conditions_result(type->conditions);
    bool fine = action != NULL && action->changes != NULL && type->motives.count > 0 &&
                ployi_condition_valid(type->conditions, when) &&
                ploy_in_range(action->duration, 0.0f, 1e9f);
    for (int32_t i = 0; fine && i < type->motives.count; i++) {
        fine = ploy_in_range(action->changes[i], -1e9f, 1e9f);
    }
    if (result == PLOY_OK && !fine) result = PLOY_ERR_ARGUMENT;
    if (result != PLOY_OK) {
        return ployi_build_fault(&type->build, result, "invalid action",
                                 action != NULL ? action->name : "");
    }
    gob_agent_action item = {*action, when, inside};
    item.action.name =
        gob_agent_name(type, action->name, gob_agent_find_action(type, action->name) >= 0);
    if (item.action.name == NULL) return type->build.result;
    result = ploy_array_push_many(&type->changes, action->changes, type->motives.count);
    if (result == PLOY_OK) result = ploy_array_push(&type->actions, &item);
    if (result == PLOY_OK) return PLOY_OK;
    return ployi_build_fault(&type->build, result, "out of memory for action", action->name);
}

ploy_result ploy_gob_agent_type_finish(ploy_gob_agent_type *type) {
    if (type->build.finished) return PLOY_ERR_STATE;
    if (type->build.result != PLOY_OK) return type->build.result;
    ploy_result result = ploy_conditions_result(type->conditions);
    gob_agent_action *actions = PLOY_ARRAY_ITEMS(&type->actions, gob_agent_action);
    for (int32_t i = 0; i < type->actions.count && result == PLOY_OK; i++) {
        actions[i].action.changes =
            PLOY_ARRAY_ITEMS(&type->changes, float) + i * type->motives.count; // makes (1)
        result = ploy_maker_check(actions[i].inside, type->layout, &type->build.env, NULL);
    }
    type->build.finished = result == PLOY_OK;
    return result;
}

// ---- the agent

ploy_result ploy_gob_agent_create(const ploy_gob_agent_type *type, const ploy_env *env,
                                  ploy_gob_agent **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    ploy_gob_agent *agent = ploy_env_alloc_zero(env, sizeof *agent);
    if (agent == NULL) return PLOY_ERR_MEMORY;
    agent->env = *env;
    agent->type = type;
    agent->current = -1;
    ploy_array_init(&agent->motives, sizeof(ploy_motive), env);
    ploy_array_init(&agent->insides, sizeof(ploy_nested), env);
    ploy_array_init(&agent->possible, sizeof(ploy_gob_action), env);
    ploy_result result = ploy_array_reserve(&agent->possible, type->actions.count);
    for (int32_t i = 0; i < type->motives.count && result == PLOY_OK; i++) {
        result = ploy_array_push(&agent->motives,
                                 &PLOY_ARRAY_ITEMS(&type->motives, gob_agent_motive)[i].motive);
    }
    for (int32_t i = 0; i < type->actions.count && result == PLOY_OK; i++) {
        ploy_nested inside;
        result = ploy_nested_make(
            &inside, PLOY_ARRAY_ITEMS(&type->actions, gob_agent_action)[i].inside, env);
        if (result != PLOY_OK) break;
        result = ploy_array_push(&agent->insides, &inside);
        if (result != PLOY_OK) ploy_nested_destroy(&inside);
    }
    if (result != PLOY_OK) {
        ploy_gob_agent_destroy(agent);
        return result;
    }
    *out = agent;
    return PLOY_OK;
}

void ploy_gob_agent_destroy(ploy_gob_agent *agent) {
    if (agent == NULL) return;
    for (int32_t i = 0; i < agent->insides.count; i++) {
        ploy_nested_destroy(&PLOY_ARRAY_ITEMS(&agent->insides, ploy_nested)[i]);
    }
    ploy_env env = agent->env;
    ploy_array_fini(&agent->motives);
    ploy_array_fini(&agent->insides);
    ploy_array_fini(&agent->possible);
    ploy_env_free(&env, agent, sizeof *agent);
}

ploy_motive *ploy_gob_agent_motives(ploy_gob_agent *agent, int32_t *count) {
    if (count != NULL) *count = agent->motives.count;
    return PLOY_ARRAY_ITEMS(&agent->motives, ploy_motive);
}

static const gob_agent_action *gob_agent_at(const ploy_gob_agent *agent) {
    return &PLOY_ARRAY_ITEMS(&agent->type->actions, gob_agent_action)[agent->current];
}

const char *ploy_gob_agent_action(const ploy_gob_agent *agent) {
    return agent->current >= 0 ? gob_agent_at(agent)->action.name : "";
}

static ploy_nested *gob_agent_inside(ploy_gob_agent *agent) {
    return &PLOY_ARRAY_ITEMS(&agent->insides, ploy_nested)[agent->current];
}

static void gob_agent_grow(ploy_gob_agent *agent, const ploy_moment *moment) {
    ploy_motive *motives = PLOY_ARRAY_ITEMS(&agent->motives, ploy_motive);
    for (int32_t i = 0; i < agent->motives.count; i++) {
        ploy_score score = PLOY_ARRAY_ITEMS(&agent->type->motives, gob_agent_motive)[i].score;
        if (ploy_score_is_none(score)) {
            motives[i].value = ploy_motive_after(&motives[i], 0.0f, moment->context->dt);
        } else {
            float value = ploy_score_value(agent->type->conditions, score, moment);
            motives[i].value = value > 0.0f ? ploy_minf(value, motives[i].max) : 0.0f;
        }
    }
}

// The best of the actions that are possible now, -1 for none.
static int32_t gob_agent_choose(ploy_gob_agent *agent, const ploy_moment *moment) {
    const ploy_gob_agent_type *type = agent->type;
    const gob_agent_action *actions = PLOY_ARRAY_ITEMS(&type->actions, gob_agent_action);
    const ploy_step_context *context = moment->context;
    ploy_array_clear(&agent->possible);
    for (int32_t i = 0; i < type->actions.count; i++) {
        if (!ploy_condition_test(type->conditions, actions[i].when, moment)) continue;
        ploy_gob_action action = actions[i].action;
        action.label = i;
        (void)ploy_array_push(&agent->possible, &action); // the room was reserved
    }
    ploy_rng rng =
        ploy_rng_make(ploy_rng_u64_at(context->key, context->agent.id.index, context->tick, 0));
    const ploy_gob_action *possible = PLOY_ARRAY_ITEMS(&agent->possible, ploy_gob_action);
    int32_t best = ploy_gob_choose(&type->def, PLOY_ARRAY_ITEMS(&agent->motives, ploy_motive),
                                   agent->motives.count, possible, agent->possible.count, &rng,
                                   context->trace, context->agent, NULL);
    return best >= 0 ? possible[best].label : -1;
}

// The changes of an action that succeeded, to the motives that are the agent's own.
static void gob_agent_apply(ploy_gob_agent *agent) {
    ploy_motive *motives = PLOY_ARRAY_ITEMS(&agent->motives, ploy_motive);
    const float *changes = gob_agent_at(agent)->action.changes;
    for (int32_t i = 0; i < agent->motives.count; i++) {
        ploy_score score = PLOY_ARRAY_ITEMS(&agent->type->motives, gob_agent_motive)[i].score;
        if (!ploy_score_is_none(score)) continue;
        motives[i].value = ploy_motive_after(&motives[i], changes[i], 0.0f);
    }
}

static void gob_agent_leave(ploy_gob_agent *agent, ploy_step_context *context,
                            ploy_exit_reason reason) {
    if (agent->current >= 0) ploy_nested_exit(gob_agent_inside(agent), context, reason);
    agent->current = -1;
    agent->since = 0.0;
}

static ploy_result gob_agent_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_gob_agent *agent = self;
    ploy_moment moment = ploy_moment_make(context);
    moment.elapsed = agent->since;
    gob_agent_grow(agent, &moment);
    *status = PLOY_STATUS_RUNNING;
    if (agent->current < 0) {
        agent->current = gob_agent_choose(agent, &moment);
        if (agent->current < 0) {
            *status = PLOY_STATUS_FAILURE;
            return PLOY_OK;
        }
        (void)ploy_nested_enter(gob_agent_inside(agent), &agent->env, ploy_gob_agent_action(agent),
                                context);
    }
    agent->since += (double)context->dt;
    ploy_nested *inside = gob_agent_inside(agent);
    ploy_status acted = agent->since >= (double)gob_agent_at(agent)->action.duration
                            ? PLOY_STATUS_SUCCESS
                            : PLOY_STATUS_RUNNING;
    if (inside->behavior.type != NULL) {
        acted = ploy_nested_step(inside, &agent->env, ploy_gob_agent_action(agent), context);
    }
    if (acted == PLOY_STATUS_RUNNING) return PLOY_OK;
    if (acted == PLOY_STATUS_SUCCESS) gob_agent_apply(agent);
    gob_agent_leave(agent, context, PLOY_EXIT_FINISHED);
    return PLOY_OK;
}

static void gob_agent_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    gob_agent_leave(self, context, reason);
}

static ploy_result gob_agent_message(void *self, ploy_step_context *context,
                                     const ploy_message *message, bool *handled) {
    ploy_gob_agent *agent = self;
    *handled =
        agent->current >= 0 && ploy_nested_message(gob_agent_inside(agent), &agent->env,
                                                   ploy_gob_agent_action(agent), context, message);
    return PLOY_OK;
}

static ploy_result gob_agent_commit(void *self, ploy_step_context *context) {
    ploy_gob_agent *agent = self;
    if (agent->current >= 0) {
        ploy_nested_commit(gob_agent_inside(agent), &agent->env, ploy_gob_agent_action(agent),
                           context);
    }
    return PLOY_OK;
}

static void gob_agent_draw(const void *self, ploy_draw *out) {
    const ploy_gob_agent *agent = self;
    if (agent->current < 0) return;
    ploy_nested_draw(&PLOY_ARRAY_ITEMS(&agent->insides, ploy_nested)[agent->current], out);
}

static void gob_agent_destroy_self(void *self) {
    ploy_gob_agent_destroy(self);
}

static const char *gob_agent_visit_text(const void *user, uint32_t number) {
    const ploy_gob_agent_type *type = user;
    const gob_agent_action *item = PLOY_ARRAY_AT(&type->actions, gob_agent_action, (int32_t)number);
    return item != NULL ? item->action.name : "";
}

// { "motives": {"hunger": 3}, "action": "eat", "since": 1.5, "inside": ... }
static void gob_agent_visit(ploy_visit *v, void *object) {
    ploy_gob_agent *agent = object;
    const ploy_gob_agent_type *type = agent->type;
    ploy_visit_table actions = {
        gob_agent_visit_text,          NULL,     type,
        (uint32_t)type->actions.count, "action", "no longer exists: chooses again"};
    if (ploy_visit_tolerates(v)) {
        ploy_visit_result(v, agent->current >= 0 ? PLOY_ERR_STATE : PLOY_OK);
        agent->since = 0.0;
    }
    ploy_visit_object(v, "gob agent", agent, sizeof *agent);
    PLOY_VISIT_SCRATCH(v, agent->env);
    PLOY_VISIT_SCRATCH(v, agent->type);
    ploy_visit_buffer(v, "gob agent.motives", &agent->motives);
    ploy_visit_buffer(v, "gob agent.insides", &agent->insides);
    ploy_visit_buffer(v, "gob agent.possible", &agent->possible);
    ploy_visit_begin(v, "motives", PLOY_STATE);
    for (int32_t i = 0; i < agent->motives.count; i++) {
        ploy_motive *motive = PLOY_ARRAY_AT(&agent->motives, ploy_motive, i);
        ploy_visit_f32_in(v, motive->name, PLOY_STATE, &motive->value, 0.0f, motive->max);
    }
    ploy_visit_end(v);
    ploy_visit_ref(v, "action", PLOY_STATE, (uint32_t *)&agent->current, &actions);
    ploy_visit_f64_in(v, "since", PLOY_STATE, &agent->since, 0.0, DBL_MAX);
    for (int32_t i = 0; i < agent->insides.count; i++) {
        ploy_nested *inside = PLOY_ARRAY_AT(&agent->insides, ploy_nested, i);
        ploy_visit_nested(v, "inside", i == agent->current ? PLOY_STATE : PLOY_DERIVED, inside,
                          &agent->env, ploy_gob_agent_action(agent));
    }
}

void ploy_gob_agent_describe(const ploy_gob_agent *agent, ploy_describe *out) {
    ploy_visit_describe(gob_agent_visit, agent, NULL, out);
}

static const ploy_behavior_type gob_agent_behavior = {.name = "gob",
                                                      .step = gob_agent_step,
                                                      .exit = gob_agent_exit,
                                                      .commit = gob_agent_commit,
                                                      .message = gob_agent_message,
                                                      .destroy = gob_agent_destroy_self,
                                                      .draw = gob_agent_draw,
                                                      .visit = gob_agent_visit};

ploy_behavior ploy_gob_agent_behavior(ploy_gob_agent *agent) {
    ploy_behavior behavior = {&gob_agent_behavior, agent};
    return behavior;
}

static ploy_result gob_agent_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_gob_agent *agent = NULL;
    ploy_result result = ploy_gob_agent_create(user, env, &agent);
    if (result == PLOY_OK) *out = ploy_gob_agent_behavior(agent);
    return result;
}

static ploy_result gob_agent_check(const void *user, const ploy_blackboard_layout *layout,
                                   ploy_diags *diags) {
    const ploy_gob_agent_type *type = user;
    ploy_result result = ploy_maker_check_layout(type->layout, layout, diags);
    const ploy_blackboard_layout *inner = layout != NULL ? layout : type->layout;
    for (int32_t i = 0; i < type->actions.count; i++) {
        const gob_agent_action *item = &PLOY_ARRAY_ITEMS(&type->actions, gob_agent_action)[i];
        ploy_result fault = ploy_maker_check(item->inside, inner, &type->build.env, diags);
        if (result == PLOY_OK) result = fault;
    }
    return result;
}

ploy_maker ploy_gob_agent_type_maker(ploy_gob_agent_type *type) {
    ploy_maker maker = {gob_agent_make, type, "gob", gob_agent_check};
    return maker;
}
