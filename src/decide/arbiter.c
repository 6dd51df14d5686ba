// Arbitration; the technique is described in the header.
//
// Invariants: (1) names of the set differ; (2) current is the index of the evaluator whose goal was
// installed last, -1 if it is no longer in the set.
#include "ploy/decide/arbiter.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/json.h"
#include "ploy/base/math.h"

static const ploy_field arbiter_fields[] = {
    PLOY_FIELD_F32(ploy_arbiter_def, commitment, 0, 0, 10, "", "bonus of the strategy that runs"),
    PLOY_FIELD_BOOL(ploy_arbiter_def, keep_under, 0, "the old strategy waits under the new one"),
    PLOY_FIELD_BOOL(ploy_arbiter_def, clamp_biased, 0, "clamps after the bias"),
    PLOY_FIELD_F64(ploy_arbiter_def, period, 0.5, 0, 1e6, "s", "between two arbitrations"),
};

typedef struct arbiter_item {
    ploy_evaluator evaluator;
    char name[PLOY_ARBITER_NAME_MAX + 1];
    float score; // in the last arbitration, for people
} arbiter_item;

struct ploy_arbiter {
    ploy_env env;
    ploy_arbiter_def def;
    ploy_array items; // arbiter_item
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

ploy_evaluator ploy_evaluator_make(const char *name, ploy_desirability_fn desirability,
                                   const ploy_goal_type *goal, void *user) {
    ploy_evaluator evaluator;
    memset(&evaluator, 0, sizeof evaluator);
    evaluator.name = name;
    evaluator.desirability = desirability;
    evaluator.goal = goal;
    evaluator.bias = 1.0f;
    evaluator.user = user;
    return evaluator;
}

ploy_result ploy_arbiter_create(const ploy_arbiter_def *def, const ploy_env *env,
                                ploy_arbiter **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_arbiter_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_arbiter *arbiter = ploy_env_alloc_zero(env, sizeof *arbiter);
    if (arbiter == NULL) return PLOY_ERR_MEMORY;
    arbiter->env = *env;
    arbiter->def = *def;
    arbiter->current = -1;
    ploy_array_init(&arbiter->items, sizeof(arbiter_item), env);
    *out = arbiter;
    return PLOY_OK;
}

void ploy_arbiter_destroy(ploy_arbiter *arbiter) {
    if (arbiter == NULL) return;
    ploy_env env = arbiter->env;
    ploy_array_fini(&arbiter->items);
    ploy_env_free(&env, arbiter, sizeof *arbiter);
}

static arbiter_item *arbiter_at(const ploy_arbiter *arbiter, int32_t index) {
    return PLOY_ARRAY_AT(&arbiter->items, arbiter_item, index);
}

static int32_t arbiter_find(const ploy_array *items, const char *name) {
    for (int32_t i = 0; i < items->count && name != NULL; i++) {
        if (strcmp(PLOY_ARRAY_AT(items, arbiter_item, i)->name, name) == 0) return i;
    }
    return -1;
}

static ploy_result arbiter_add_to(ploy_array *items, const ploy_evaluator *evaluator) {
    if (evaluator == NULL || evaluator->name == NULL || evaluator->desirability == NULL ||
        evaluator->goal == NULL || evaluator->param_size > PLOY_GOAL_PARAMS_MAX ||
        !ploy_in_range(evaluator->bias, 0.0f, 10.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    size_t length = strlen(evaluator->name);
    if (length == 0 || length > PLOY_ARBITER_NAME_MAX) return PLOY_ERR_ARGUMENT;
    if (arbiter_find(items, evaluator->name) >= 0) return PLOY_ERR_EXISTS;
    arbiter_item item;
    memset(&item, 0, sizeof item);
    item.evaluator = *evaluator;
    item.evaluator.name = NULL; // the copy is in the item, which moves
    memcpy(item.name, evaluator->name, length);
    return ploy_array_push(items, &item);
}

ploy_result ploy_arbiter_add(ploy_arbiter *arbiter, const ploy_evaluator *evaluator) {
    return arbiter_add_to(&arbiter->items, evaluator);
}

ploy_result ploy_arbiter_remove(ploy_arbiter *arbiter, const char *name) {
    int32_t index = arbiter_find(&arbiter->items, name);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    (void)ploy_array_remove(&arbiter->items, index);
    if (arbiter->current == index) arbiter->current = -1; // keeps (2)
    if (arbiter->current > index) arbiter->current--;
    return PLOY_OK;
}

ploy_result ploy_arbiter_replace(ploy_arbiter *arbiter, const ploy_evaluator *evaluators,
                                 int32_t count) {
    ploy_array items;
    ploy_array_init(&items, sizeof(arbiter_item), &arbiter->env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = arbiter_add_to(&items, &evaluators[i]);
    }
    if (result != PLOY_OK) {
        ploy_array_fini(&items);
        return result;
    }
    const arbiter_item *running = arbiter_at(arbiter, arbiter->current);
    arbiter->current = running != NULL ? arbiter_find(&items, running->name) : -1;
    ploy_array_fini(&arbiter->items);
    arbiter->items = items;
    return PLOY_OK;
}

int32_t ploy_arbiter_count(const ploy_arbiter *arbiter) {
    return arbiter->items.count;
}

const char *ploy_arbiter_name(const ploy_arbiter *arbiter, int32_t index) {
    const arbiter_item *item = arbiter_at(arbiter, index);
    return item != NULL ? item->name : "";
}

ploy_result ploy_arbiter_set_bias(ploy_arbiter *arbiter, const char *name, float bias) {
    int32_t index = arbiter_find(&arbiter->items, name);
    if (index < 0) return PLOY_ERR_NOT_FOUND;
    if (!ploy_in_range(bias, 0.0f, 10.0f)) return PLOY_ERR_ARGUMENT;
    arbiter_at(arbiter, index)->evaluator.bias = bias;
    return PLOY_OK;
}

float ploy_arbiter_bias(const ploy_arbiter *arbiter, const char *name) {
    int32_t index = arbiter_find(&arbiter->items, name);
    return index >= 0 ? arbiter_at(arbiter, index)->evaluator.bias : (float)NAN;
}

void ploy_arbiter_draw_biases(ploy_arbiter *arbiter, ploy_rng *rng, float low, float high) {
    for (int32_t i = 0; i < arbiter->items.count; i++) {
        arbiter_at(arbiter, i)->evaluator.bias =
            ploy_clampf(ploy_rng_range(rng, low, high), 0.0f, 10.0f);
    }
}

// One member of "bias": checked, and set if `apply`.
static void arbiter_load_bias(ploy_arbiter *arbiter, const ploy_json *doc, ploy_json_node node,
                              ploy_diags *diags, bool apply, int32_t *faults) {
    const char *key = ploy_json_key(doc, node, NULL);
    float bias = 0.0f;
    int32_t index = arbiter_find(&arbiter->items, key);
    if (index < 0) {
        ploy_nearest nearest = ploy_nearest_make(key);
        for (int32_t i = 0; i < arbiter->items.count; i++) {
            ploy_nearest_offer(&nearest, arbiter_at(arbiter, i)->name);
        }
        ploy_json_fault(doc, node, diags, "unknown strategy", NULL, nearest.best);
        ++*faults;
    } else if (ploy_json_f32(doc, node, &bias) != PLOY_OK || !ploy_in_range(bias, 0.0f, 10.0f)) {
        ploy_json_fault(doc, node, diags, "not a bias", "a number from 0 to 10", NULL);
        ++*faults;
    } else if (apply) {
        arbiter_at(arbiter, index)->evaluator.bias = bias;
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
        ploy_json_fault(doc, root, diags, "not a personality", "{\"bias\": {...}}", NULL);
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

float ploy_arbiter_score(const ploy_arbiter *arbiter, int32_t index, const void *view) {
    const arbiter_item *item = arbiter_at(arbiter, index);
    if (item == NULL) return 0.0f;
    float score = item->evaluator.desirability(item->evaluator.user, view);
    if (!(score > 0.0f)) return 0.0f; // NaN too
    if (!arbiter->def.clamp_biased) score = ploy_minf(score, 1.0f);
    score *= item->evaluator.bias;
    return arbiter->def.clamp_biased ? ploy_minf(score, 1.0f) : score;
}

// The best and the second; `running` gets the bonus.
static int32_t arbiter_best(const ploy_arbiter *arbiter, const void *view, int32_t running,
                            float *score, float *margin) {
    int32_t best = -1;
    float most = 0.0f, second = 0.0f;
    for (int32_t i = 0; i < arbiter->items.count; i++) {
        float own = ploy_arbiter_score(arbiter, i, view);
        if (i == running) own += arbiter->def.commitment;
        if (own >= most) { // the later of equals
            if (best >= 0) second = most;
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

int32_t ploy_arbiter_choose(const ploy_arbiter *arbiter, const void *view, float *score,
                            float *margin) {
    return arbiter_best(arbiter, view, -1, score, margin);
}

static void arbiter_trace(const ploy_arbiter *arbiter, const ploy_step_context *context,
                          const void *view, int32_t best) {
    if (context->trace == NULL) return;
    ploy_trace_begin(context->trace, context->agent, "strategy", "arbitration");
    for (int32_t i = 0; i < arbiter->items.count; i++) {
        float own = ploy_arbiter_score(arbiter, i, view);
        ploy_trace_option(context->trace, arbiter_at(arbiter, i)->name,
                          i == best    ? PLOY_OUTCOME_WON
                          : own > 0.0f ? PLOY_OUTCOME_LOST
                                       : PLOY_OUTCOME_REJECTED,
                          (double)own, i == arbiter->current ? "pursued already" : "");
    }
    ploy_trace_end(context->trace);
}

// Is the strategy the first goal of the root already?
static bool arbiter_pursued(const ploy_goals *goals, const ploy_evaluator *evaluator) {
    ploy_goal first = ploy_goals_first(goals, ploy_goals_root(goals));
    ploy_goal_status status = ploy_goals_status(goals, first);
    if (ploy_goals_type_of(goals, first) != evaluator->goal) return false;
    if (status != PLOY_GOAL_ACTIVE && status != PLOY_GOAL_INACTIVE) return false;
    return memcmp(ploy_goals_params(goals, first), evaluator->params, PLOY_GOAL_PARAMS_MAX) == 0;
}

ploy_result ploy_arbiter_step(ploy_arbiter *arbiter, ploy_goals *goals, ploy_step_context *context,
                              const void *view) {
    ploy_goal root = ploy_goals_root(goals), first = ploy_goals_first(goals, root);
    ploy_goal_status status = ploy_goals_status(goals, first);
    bool idle = !ploy_goals_has(goals, first) || status == PLOY_GOAL_COMPLETED ||
                status == PLOY_GOAL_FAILED;
    bool due = !arbiter->started || context->now - arbiter->last >= arbiter->def.period;
    if (!idle && !due && arbiter->current >= 0) return PLOY_OK;
    int32_t best = arbiter_best(arbiter, view, idle ? -1 : arbiter->current, NULL, NULL);
    arbiter_trace(arbiter, context, view, best);
    for (int32_t i = 0; i < arbiter->items.count; i++) {
        arbiter_at(arbiter, i)->score = ploy_arbiter_score(arbiter, i, view);
    }
    arbiter->started = true;
    arbiter->last = context->now;
    if (best < 0) return PLOY_OK;
    const ploy_evaluator *evaluator = &arbiter_at(arbiter, best)->evaluator;
    arbiter->current = best;
    if (arbiter_pursued(goals, evaluator)) return PLOY_OK;
    if (!arbiter->def.keep_under) ploy_goals_clear(goals, context, root);
    return ploy_goals_add(goals, context, root, PLOY_GOAL_FRONT, evaluator->goal, evaluator->params,
                          evaluator->param_size, NULL);
}

int32_t ploy_arbiter_current(const ploy_arbiter *arbiter) {
    return arbiter->current;
}

void ploy_arbiter_describe(const ploy_arbiter *arbiter, ploy_describe *out) {
    ploy_describe_text(out, "strategy", PLOY_STATE, ploy_arbiter_name(arbiter, arbiter->current));
    ploy_describe_f64(out, "last", PLOY_STATE, arbiter->last);
    for (int32_t i = 0; i < arbiter->items.count; i++) {
        ploy_describe_f32(out, arbiter_at(arbiter, i)->name, PLOY_STATE,
                          arbiter_at(arbiter, i)->evaluator.bias);
    }
    ploy_describe_begin(out, "desirability"); // as of the last arbitration
    for (int32_t i = 0; i < arbiter->items.count; i++) {
        const arbiter_item *item = arbiter_at(arbiter, i);
        ploy_describe_f32(out, item->name, PLOY_NOTE, item->score);
    }
    ploy_describe_end(out);
}

float ploy_feature_distance(float cost, float least, float most) {
    if (!(cost < most)) return 1.0f;
    return ploy_maxf(cost, least) / most;
}

float ploy_feature_share(float have, float most) {
    return most > 0.0f ? ploy_clampf(have / most, 0.0f, 1.0f) : 0.0f;
}
