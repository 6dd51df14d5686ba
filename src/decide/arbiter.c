// Arbitration; the technique is described in the header.
//
// Invariants: (1) names of a type differ; (2) an arbiter has one bias for each strategy of its type;
// (3) current is the index of the strategy whose goal was installed last, -1 if it is no longer in
// the set.
#include "ploy/decide/arbiter.h"

#include "decide/decide_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "condition_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/json.h"
#include "ploy/base/math.h"

static const char *const arbiter_ties[] = PLOYI_TIES_NAMES;
static const ploy_field arbiter_fields[] = {
    PLOY_FIELD_F32(ploy_arbiter_def, commitment, 0, 0, 10, "", "bonus of the strategy that runs"),
    PLOY_FIELD_BOOL(ploy_arbiter_def, keep_under, 0, "the old strategy waits under the new one"),
    PLOY_FIELD_BOOL(ploy_arbiter_def, clamp_biased, 0, "clamps after the bias"),
    PLOY_FIELD_F64(ploy_arbiter_def, period, 0.5, 0, 1e6, "s", "between two arbitrations"),
    PLOY_FIELD_ENUM(ploy_arbiter_def, ties, PLOY_TIES_FIRST, arbiter_ties,
                    "which of equal strategies wins"),
    PLOY_FIELD_I32(ploy_arbiter_def, capacity, 64, 1, 65536, "", "most goals at a time"),
};

typedef struct arbiter_item {
    ploy_evaluator evaluator;
    char name[PLOY_ARBITER_NAME_MAX + 1];
} arbiter_item;

struct ploy_arbiter_type {
    ploy_env env;
    ploy_arbiter_def def;
    const ploy_blackboard_layout *layout;
    ploy_conditions *conditions;
    ploy_array items; // arbiter_item
    ploy_result result;
    bool finished;
};

typedef struct arbiter_bias {
    float bias;
    float score; // in the last arbitration, for descriptions
} arbiter_bias;

struct ploy_arbiter {
    ploy_env env;
    const ploy_arbiter_type *type;
    ploy_goals *goals;
    ploy_array biases; // arbiter_bias
    int32_t current;
    bool started;
    double last; // s, of the last arbitration
};

ploy_fields ploy_arbiter_fields(void) {
    return PLOY_FIELDS(ploy_arbiter_def, arbiter_fields);
}

ploy_arbiter_def ploy_arbiter_def_default(void) {
    ploy_arbiter_def def;
    ploy_fields_default(ploy_arbiter_fields(), &def);
    return def;
}

ploy_evaluator ploy_evaluator_make(const char *name, ploy_score score, const ploy_goal_type *goal) {
    ploy_evaluator evaluator;
    memset(&evaluator, 0, sizeof evaluator);
    evaluator.name = name;
    evaluator.score = score;
    evaluator.goal = goal;
    evaluator.bias = 1.0f;
    return evaluator;
}

// ---- the type

ploy_result ploy_arbiter_type_create(const ploy_arbiter_def *def,
                                     const ploy_blackboard_layout *layout, const ploy_env *env,
                                     ploy_arbiter_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_arbiter_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_arbiter_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->env = *env;
    type->def = *def;
    type->layout = layout;
    ploy_array_init(&type->items, sizeof(arbiter_item), env);
    result = ploy_conditions_create(layout, env, &type->conditions);
    if (result != PLOY_OK) {
        ploy_arbiter_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_arbiter_type_destroy(ploy_arbiter_type *type) {
    if (type == NULL) return;
    ploy_env env = type->env;
    ploy_conditions_destroy(type->conditions);
    ploy_array_fini(&type->items);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_conditions *ploy_arbiter_type_conditions(ploy_arbiter_type *type) {
    return type->conditions;
}

static arbiter_item *arbiter_at(const ploy_arbiter_type *type, int32_t index) {
    return PLOY_ARRAY_AT(&type->items, arbiter_item, index);
}

static int32_t arbiter_find(const ploy_arbiter_type *type, const char *name) {
    for (int32_t i = 0; i < type->items.count && name != NULL; i++) {
        if (strcmp(arbiter_at(type, i)->name, name) == 0) return i;
    }
    return -1;
}

static ploy_result arbiter_add(ploy_arbiter_type *type, const ploy_evaluator *evaluator) {
    if (evaluator == NULL || evaluator->name == NULL || evaluator->goal == NULL ||
        ploy_score_is_none(evaluator->score) ||
        !ployi_score_valid(type->conditions, evaluator->score) ||
        evaluator->param_size > PLOY_GOAL_PARAMS_MAX ||
        !ploy_in_range(evaluator->bias, 0.0f, 10.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    size_t length = strlen(evaluator->name);
    if (length == 0 || length > PLOY_ARBITER_NAME_MAX) return PLOY_ERR_ARGUMENT;
    if (arbiter_find(type, evaluator->name) >= 0) return PLOY_ERR_EXISTS;
    arbiter_item item;
    memset(&item, 0, sizeof item);
    item.evaluator = *evaluator;
    item.evaluator.name = NULL; // the copy is in the item, which moves
    memcpy(item.name, evaluator->name, length);
    return ploy_array_push(&type->items, &item);
}

ploy_result ploy_arbiter_type_add(ploy_arbiter_type *type, const ploy_evaluator *evaluator) {
    if (type->finished) return PLOY_ERR_STATE;
    ploy_result result = ploy_conditions_result(type->conditions); // why there is no score
    if (result == PLOY_OK) result = arbiter_add(type, evaluator);
    if (type->result == PLOY_OK) type->result = result;
    return result;
}

ploy_result ploy_arbiter_type_finish(ploy_arbiter_type *type) {
    if (type->finished) return PLOY_ERR_STATE;
    if (type->result != PLOY_OK) return type->result;
    ploy_result result = ploy_conditions_result(type->conditions);
    type->finished = result == PLOY_OK;
    return result;
}

int32_t ploy_arbiter_type_count(const ploy_arbiter_type *type) {
    return type->items.count;
}

const char *ploy_arbiter_type_name(const ploy_arbiter_type *type, int32_t index) {
    const arbiter_item *item = arbiter_at(type, index);
    return item != NULL ? item->name : "";
}

// ---- the arbiter

// The biases of a type, those of the same names taken over.
static ploy_result arbiter_fill(const ploy_arbiter *arbiter, const ploy_arbiter_type *type,
                                ploy_array *biases) {
    ploy_array_init(biases, sizeof(arbiter_bias), &arbiter->env);
    for (int32_t i = 0; i < type->items.count; i++) {
        const arbiter_item *item = arbiter_at(type, i);
        arbiter_bias bias = {item->evaluator.bias, 0.0f};
        int32_t old = arbiter->biases.count > 0 ? arbiter_find(arbiter->type, item->name) : -1;
        if (old >= 0) bias = PLOY_ARRAY_ITEMS(&arbiter->biases, arbiter_bias)[old];
        ploy_result result = ploy_array_push(biases, &bias);
        if (result == PLOY_OK) {
            const ploy_goal_type *goal = item->evaluator.goal;
            result = ploy_goals_register(arbiter->goals, &goal, 1);
        }
        if (result == PLOY_OK || result == PLOY_ERR_EXISTS) continue;
        ploy_array_fini(biases);
        return result;
    }
    return PLOY_OK;
}

ploy_result ploy_arbiter_create(const ploy_arbiter_type *type, void *owner, const ploy_env *env,
                                ploy_arbiter **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || type == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->finished) return PLOY_ERR_STATE;
    ploy_arbiter *arbiter = ploy_env_alloc_zero(env, sizeof *arbiter);
    if (arbiter == NULL) return PLOY_ERR_MEMORY;
    arbiter->env = *env;
    arbiter->type = type;
    arbiter->current = -1;
    ploy_array_init(&arbiter->biases, sizeof(arbiter_bias), env);
    ploy_goals_def goals = ploy_goals_def_default();
    goals.capacity = type->def.capacity;
    ploy_array biases;
    ploy_result result = ploy_goals_create(&goals, owner, env, &arbiter->goals);
    if (result == PLOY_OK) result = arbiter_fill(arbiter, type, &biases);
    if (result != PLOY_OK) {
        ploy_arbiter_destroy(arbiter);
        return result;
    }
    arbiter->biases = biases;
    *out = arbiter;
    return PLOY_OK;
}

void ploy_arbiter_destroy(ploy_arbiter *arbiter) {
    if (arbiter == NULL) return;
    ploy_env env = arbiter->env;
    ploy_goals_destroy(arbiter->goals);
    ploy_array_fini(&arbiter->biases);
    ploy_env_free(&env, arbiter, sizeof *arbiter);
}

ploy_goals *ploy_arbiter_goals(ploy_arbiter *arbiter) {
    return arbiter->goals;
}

ploy_result ploy_arbiter_set_type(ploy_arbiter *arbiter, const ploy_arbiter_type *type) {
    if (type == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->finished) return PLOY_ERR_STATE;
    ploy_array biases;
    ploy_result result = arbiter_fill(arbiter, type, &biases);
    if (result != PLOY_OK) return result;
    arbiter->current = arbiter_find(
        type, arbiter->current >= 0 ? ploy_arbiter_type_name(arbiter->type, arbiter->current)
                                    : NULL); // keeps (3)
    ploy_array_fini(&arbiter->biases);
    arbiter->biases = biases;
    arbiter->type = type;
    return PLOY_OK;
}

ploy_result ploy_arbiter_set_bias(ploy_arbiter *arbiter, const char *name, float bias) {
    int32_t index = arbiter_find(arbiter->type, name);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    if (!ploy_in_range(bias, 0.0f, 10.0f)) return PLOY_ERR_ARGUMENT;
    PLOY_ARRAY_ITEMS(&arbiter->biases, arbiter_bias)[index].bias = bias;
    return PLOY_OK;
}

const char *ployi_arbiter_nearest(const ploy_arbiter *arbiter, const char *name) {
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < arbiter->type->items.count; i++) {
        ploy_nearest_offer(&nearest, arbiter_at(arbiter->type, i)->name);
    }
    return nearest.best;
}

float ployi_arbiter_bias(const ploy_arbiter *arbiter, const char *name) {
    int32_t index = arbiter_find(arbiter->type, name);
    return index >= 0 ? PLOY_ARRAY_ITEMS(&arbiter->biases, arbiter_bias)[index].bias : (float)NAN;
}

void ployi_arbiter_draw_biases(ploy_arbiter *arbiter, ploy_rng *rng, float low, float high) {
    for (int32_t i = 0; i < arbiter->biases.count; i++) {
        PLOY_ARRAY_ITEMS(&arbiter->biases, arbiter_bias)
        [i].bias = ploy_clampf(ploy_rng_range(rng, low, high), 0.0f, 10.0f);
    }
}

// One member of "bias": checked, and set if `apply`.
static void arbiter_load_bias(ploy_arbiter *arbiter, const ploy_json *doc, ploy_json_node node,
                              ploy_diags *diags, bool apply, int32_t *faults) {
    const char *key = ploy_json_key(doc, node, NULL);
    float bias = 0.0f;
    int32_t index = arbiter_find(arbiter->type, key);
    if (index < 0) {
        ploy_json_fault(doc, node, diags, "unknown strategy", NULL,
                        ployi_arbiter_nearest(arbiter, key));
        ++*faults;
    } else if (ploy_json_f32(doc, node, &bias) != PLOY_OK || !ploy_in_range(bias, 0.0f, 10.0f)) {
        ploy_json_fault(doc, node, diags, "invalid bias", "a number from 0 to 10", NULL);
        ++*faults;
    } else if (apply) {
        PLOY_ARRAY_ITEMS(&arbiter->biases, arbiter_bias)[index].bias = bias;
    }
}

ploy_result ploy_arbiter_load(ploy_arbiter *arbiter, const void *bytes, size_t size,
                              const char *name, ploy_diags *diags) {
    static const char *const keys[] = {"bias"};
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, &def, &arbiter->env, diags, &doc);
    if (result != PLOY_OK) return result;
    ploy_json_node root = ploy_json_root(doc), biases = ploy_json_member(doc, root, "bias");
    int32_t faults = 0;
    if (ploy_json_type_of(doc, root) != PLOY_JSON_OBJECT ||
        ploy_json_type_of(doc, biases) != PLOY_JSON_OBJECT) {
        ploy_json_fault(doc, root, diags, "invalid personality", "{\"bias\": {...}}", NULL);
        faults++;
    } else {
        faults += ploy_json_check_keys(doc, root, keys, 1, diags);
    }
    for (int32_t apply = 0; apply < 2 && faults == 0; apply++) {
        for (int32_t i = 0; i < ploy_json_count(doc, biases); i++) {
            arbiter_load_bias(arbiter, doc, ploy_json_at(doc, biases, i), diags, apply != 0,
                              &faults);
        }
    }
    ploy_json_destroy(doc);
    return faults == 0 ? PLOY_OK : PLOY_ERR_FORMAT;
}

float ploy_arbiter_score(const ploy_arbiter *arbiter, int32_t index, const ploy_moment *moment) {
    const ploy_arbiter_type *type = arbiter->type;
    const arbiter_item *item = arbiter_at(type, index);
    if (item == NULL) return 0.0f;
    float score = ploy_score_value(type->conditions, item->evaluator.score, moment);
    if (!(score > 0.0f)) return 0.0f; // NaN too
    if (!type->def.clamp_biased) score = ploy_minf(score, 1.0f);
    score *= PLOY_ARRAY_ITEMS(&arbiter->biases, arbiter_bias)[index].bias;
    return type->def.clamp_biased ? ploy_minf(score, 1.0f) : score;
}

// The best and the second; `running` gets the bonus.
static int32_t arbiter_best(const ploy_arbiter *arbiter, const ploy_moment *moment, int32_t running,
                            float *score, float *margin) {
    int32_t best = -1, equal = 1;
    float most = 0.0f, second = 0.0f;
    for (int32_t i = 0; i < arbiter->type->items.count; i++) {
        float own = ploy_arbiter_score(arbiter, i, moment);
        if (i == running) own += arbiter->type->def.commitment;
        bool tie = best >= 0 && own == most;
        equal = tie ? equal + 1 : equal;
        if (best < 0 || own > most || (tie && ployi_tie(arbiter->type->def.ties, equal, moment))) {
            if (best >= 0) second = most;
            if (own > most) equal = 1;
            best = i;
            most = own;
        } else if (own > second) {
            second = own;
        }
    }
    if (score != NULL) *score = most;
    if (margin != NULL) *margin = most - second;
    return best;
}

int32_t ploy_arbiter_choose(const ploy_arbiter *arbiter, const ploy_moment *moment, float *score,
                            float *margin) {
    return arbiter_best(arbiter, moment, -1, score, margin);
}

// The scores are those that were compared: with the bonus of the running strategy.
static void arbiter_trace(const ploy_arbiter *arbiter, const ploy_moment *moment, int32_t best,
                          int32_t running) {
    const ploy_step_context *context = moment->context;
    if (context->trace == NULL) return;
    float bonus = arbiter->type->def.commitment, most = 0.0f, other = 0.0f;
    char pursued[64] = "the most desirable, and pursued already";
    for (int32_t i = 0; i < arbiter->type->items.count; i++) {
        if (i != best) other = ploy_maxf(other, ploy_arbiter_score(arbiter, i, moment));
    }
    // The bonus is the reason only where another would win without it.
    if (bonus > 0.0f && best >= 0 && ploy_arbiter_score(arbiter, best, moment) <= other) {
        snprintf(pursued, sizeof pursued, "pursued already, which adds %g", (double)bonus);
    }
    if (best >= 0) most = ploy_arbiter_score(arbiter, best, moment);
    if (best >= 0 && best == running) most += bonus;
    ploy_trace_begin(context->trace, context->agent, "strategy", "arbitration");
    for (int32_t i = 0; i < arbiter->type->items.count; i++) {
        float own = ploy_arbiter_score(arbiter, i, moment);
        bool possible = own > 0.0f;
        if (i == running) own += bonus;
        ploy_outcome outcome = i == best  ? PLOY_OUTCOME_WON
                               : possible ? PLOY_OUTCOME_LOST
                                          : PLOY_OUTCOME_REJECTED;
        const char *reason = i == best && i == running ? pursued
                             : i == best               ? "the most desirable"
                             : !possible               ? "not desirable at all"
                             : own == most             ? "equal; the tie was broken against it"
                             : i == running            ? "pursued until now, less desirable"
                                                       : "less desirable";
        ploy_trace_option(context->trace, arbiter_at(arbiter->type, i)->name, outcome, (double)own,
                          reason);
    }
    ploy_trace_end(context->trace);
}

// Nothing was weighed: a goal below must come to its end first.
static void arbiter_trace_kept(const ploy_arbiter *arbiter, const ploy_step_context *context) {
    if (context->trace == NULL || arbiter->current < 0) return;
    ploy_trace_begin(context->trace, context->agent, "strategy", "arbitration");
    ploy_trace_option(context->trace, arbiter_at(arbiter->type, arbiter->current)->name,
                      PLOY_OUTCOME_WON, NAN, "kept until a committed goal has ended");
    ploy_trace_end(context->trace);
}

// Whether the strategy is the first goal of the root already.
static bool arbiter_pursued(const ploy_goals *goals, const ploy_evaluator *evaluator) {
    ploy_goal first = ploy_goals_first(goals, ploy_goals_root(goals));
    ploy_goal_status status = ploy_goals_status(goals, first);
    if (ploy_goals_type_of(goals, first) != evaluator->goal) return false;
    if (status != PLOY_GOAL_ACTIVE && status != PLOY_GOAL_INACTIVE) return false;
    return memcmp(ployi_goals_params(goals, first), evaluator->params, PLOY_GOAL_PARAMS_MAX) == 0;
}

ploy_result ploy_arbiter_step(ploy_arbiter *arbiter, ploy_step_context *context) {
    ploy_goals *goals = arbiter->goals;
    ploy_goal root = ploy_goals_root(goals), first = ploy_goals_first(goals, root);
    ploy_goal_status status = ploy_goals_status(goals, first);
    bool idle = !ployi_goals_has(goals, first) || status == PLOY_GOAL_COMPLETED ||
                status == PLOY_GOAL_FAILED;
    bool due = !arbiter->started || context->now - arbiter->last >= arbiter->type->def.period;
    if (!idle && !due && arbiter->current >= 0) return PLOY_OK;
    if (!idle && ploy_goals_committed(goals)) {
        arbiter_trace_kept(arbiter, context);
        return PLOY_OK;
    }
    ploy_moment moment = ploy_moment_make(context);
    int32_t running = idle ? -1 : arbiter->current;
    int32_t best = arbiter_best(arbiter, &moment, running, NULL, NULL);
    arbiter_trace(arbiter, &moment, best, running);
    for (int32_t i = 0; i < arbiter->biases.count; i++) {
        PLOY_ARRAY_ITEMS(&arbiter->biases, arbiter_bias)
        [i].score = ploy_arbiter_score(arbiter, i, &moment);
    }
    arbiter->started = true;
    arbiter->last = context->now;
    if (best < 0) return PLOY_OK;
    const ploy_evaluator *evaluator = &arbiter_at(arbiter->type, best)->evaluator;
    arbiter->current = best;
    if (arbiter_pursued(goals, evaluator)) return PLOY_OK;
    if (!arbiter->type->def.keep_under) ploy_goals_clear(goals, context, root);
    return ploy_goals_add(goals, context, root, PLOY_GOAL_FRONT, evaluator->goal, evaluator->params,
                          evaluator->param_size, NULL);
}

int32_t ploy_arbiter_current(const ploy_arbiter *arbiter) {
    return arbiter->current;
}

// ---- the behavior

static ploy_result arbiter_step_self(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_arbiter *arbiter = self;
    ploy_goal_status goals = PLOY_GOAL_ACTIVE;
    ploy_result result = ploy_arbiter_step(arbiter, context);
    *status = arbiter->current >= 0 ? PLOY_STATUS_RUNNING : PLOY_STATUS_FAILURE;
    if (result == PLOY_OK) result = ploy_goals_step(arbiter->goals, context, &goals);
    return result;
}

static void arbiter_exit_self(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ploy_arbiter *arbiter = self;
    ploy_behavior_exit(ploy_goals_behavior(arbiter->goals), context, reason);
    arbiter->current = -1;
    arbiter->started = false;
}

static ploy_result arbiter_message_self(void *self, ploy_step_context *context,
                                        const ploy_message *message, bool *handled) {
    ploy_arbiter *arbiter = self;
    return ploy_goals_message(arbiter->goals, context, message, handled);
}

static const char *arbiter_visit_text(const void *user, uint32_t number) {
    return ploy_arbiter_type_name(user, (int32_t)number);
}

// { "strategy": "attack", "last": 1.5, "bias": {...}, "goals": { a behavior } }
static void arbiter_visit_own(ploy_visit *v, void *object) {
    ploy_arbiter *arbiter = object;
    const ploy_arbiter_type *type = arbiter->type;
    arbiter_bias *biases = PLOY_ARRAY_ITEMS(&arbiter->biases, arbiter_bias);
    ploy_visit_table strategies = {arbiter_visit_text,
                                   NULL,
                                   type,
                                   (uint32_t)arbiter->biases.count,
                                   "strategy",
                                   "no longer exists: chooses again"};
    if (ploy_visit_tolerates(v)) {
        arbiter->current = -1;
        arbiter->last = 0.0;
    }
    ploy_visit_object(v, "arbiter", arbiter, sizeof *arbiter);
    PLOY_VISIT_SCRATCH(v, arbiter->env);
    PLOY_VISIT_SCRATCH(v, arbiter->type);
    PLOY_VISIT_SCRATCH(v, arbiter->goals);
    ploy_visit_buffer(v, "arbiter.biases", &arbiter->biases);
    ploy_visit_ref(v, "strategy", PLOY_STATE, (uint32_t *)&arbiter->current, &strategies);
    bool started = ploy_visit_optional(v, "last", arbiter->started);
    PLOY_VISIT_WRITE(v, arbiter->started, started);
    PLOY_VISIT_SCRATCH(v, arbiter->started); // whether there is a time
    ploy_describe_f64(v->describe, "last", PLOY_STATE, arbiter->last);
    if (started) ploy_visit_f64(v, "last", PLOY_SAVED, &arbiter->last);
    ploy_visit_begin(v, "bias", PLOY_SAVED);
    for (int32_t i = 0; i < arbiter->biases.count; i++) {
        ploy_visit_f32_in(v, arbiter_at(type, i)->name, PLOY_STATE, &biases[i].bias, 0.0f, 10.0f);
    }
    ploy_visit_end(v);
    ploy_visit_begin(v, "desirability", PLOY_DERIVED); // as of the last arbitration
    for (int32_t i = 0; i < arbiter->biases.count; i++) {
        ploy_describe_f32(v->describe, arbiter_at(type, i)->name, PLOY_NOTE, biases[i].score);
    }
    ploy_visit_end(v);
}

static void arbiter_visit(ploy_visit *v, void *object) {
    ploy_arbiter *arbiter = object;
    arbiter_visit_own(v, arbiter);
    ploy_visit_behavior(v, "goals", ploy_goals_behavior(arbiter->goals), v->context);
}

static void arbiter_destroy_self(void *self) {
    ploy_arbiter_destroy(self);
}

static const ploy_behavior_type arbiter_behavior = {.name = "arbiter",
                                                    .step = arbiter_step_self,
                                                    .exit = arbiter_exit_self,
                                                    .message = arbiter_message_self,
                                                    .destroy = arbiter_destroy_self,
                                                    .visit = arbiter_visit};

void ploy_arbiter_describe(const ploy_arbiter *arbiter, ploy_describe *out) {
    ploy_visit_describe(arbiter_visit_own, arbiter, NULL, out);
}

ploy_behavior ploy_arbiter_behavior(ploy_arbiter *arbiter) {
    ploy_behavior behavior = {&arbiter_behavior, arbiter};
    return behavior;
}

static ploy_result arbiter_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_arbiter *arbiter = NULL;
    ploy_result result = ploy_arbiter_create(user, NULL, env, &arbiter);
    if (result == PLOY_OK) *out = ploy_arbiter_behavior(arbiter);
    return result;
}

static ploy_result arbiter_check(const void *user, const ploy_blackboard_layout *layout,
                                 ploy_diags *diags) {
    return ploy_maker_check_layout(((const ploy_arbiter_type *)user)->layout, layout, diags);
}

ploy_maker ploy_arbiter_type_maker(ploy_arbiter_type *type) {
    ploy_maker maker = {arbiter_make, type, "arbiter", arbiter_check};
    return maker;
}

// ---- features

float ploy_feature_distance(float cost, float least, float most) {
    if (!(cost < most)) return 1.0f;
    return ploy_maxf(cost, least) / most;
}

float ploy_feature_share(float have, float most) {
    return most > 0.0f ? ploy_clampf(have / most, 0.0f, 1.0f) : 0.0f;
}
