// String matching, the scores of predictors, and handicaps.
#include "ploy/learn/ngram.h"

#include "learn/learn_internal.h"

#include <string.h>

static const ploy_field string_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_string_def, length, 3, 1, PLOY_NGRAM_LENGTH_MAX, "",
                         "actions in a sequence"),
    PLOY_FIELD_I32_FIXED(ploy_string_def, max_actions, 10000, 32, 1 << 24, "",
                         "actions kept; the older half is dropped"),
};

typedef struct string_match {
    ploy_learner_common common;
    ploy_string_def def;
    int32_t classes, target;
    ploy_array actions; // int32_t
} string_match;

ploy_fields ploy_string_fields(void) {
    return PLOY_FIELDS(ploy_string_def, string_fields);
}

ploy_string_def ploy_string_def_default(void) {
    ploy_string_def def;
    ploy_fields_default(ploy_string_fields(), &def);
    return def;
}

static void string_destroy(void *object) {
    string_match *self = object;
    ploy_env env = self->common.env;
    ploy_array_fini(&self->actions);
    ploy_env_free(&env, self, sizeof *self);
}

static ploy_result string_create(const void *def, const ploy_learner_common *common, void **out) {
    string_match *self = ploy_env_alloc_zero(&common->env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->common = *common;
    self->def = *(const ploy_string_def *)def;
    self->classes = ploy_schema_classes(common->schema);
    self->target = ploy_schema_target(common->schema);
    ploy_array_init(&self->actions, sizeof(int32_t), &common->env);
    *out = self;
    return PLOY_OK;
}

static void string_reset(void *object) {
    ploy_array_clear(&((string_match *)object)->actions);
}

static ploy_result string_observe(void *object, const double *example) {
    string_match *self = object;
    int32_t action = (int32_t)example[self->target];
    if (self->actions.count >= self->def.max_actions) {
        int32_t half = self->actions.count / 2, *items = PLOY_ARRAY_ITEMS(&self->actions, int32_t);
        memmove(items, items + half, (size_t)(self->actions.count - half) * sizeof *items);
        self->actions.count -= half;
    }
    return ploy_array_push(&self->actions, &action);
}

// How often an action followed the last ones. -1 counts all actions.
static int32_t string_count(const string_match *self, int32_t action) {
    const int32_t *items = PLOY_ARRAY_ITEMS(&self->actions, int32_t);
    int32_t window = self->def.length - 1, count = self->actions.count, found = 0;
    for (int32_t i = 0; i + window < count; i++) {
        if (window > 0 &&
            memcmp(items + i, items + count - window, (size_t)window * sizeof *items) != 0) {
            continue;
        }
        found += action < 0 || items[i + window] == action;
    }
    return found;
}

static void string_predict(const void *object, const double *input, double *posteriors,
                           ploy_answer *out) {
    const string_match *self = object;
    (void)input;
    int32_t total = string_count(self, -1), best = 0, best_count = -1;
    if (total == 0) return;
    for (int32_t i = 0; i < self->classes; i++) {
        int32_t count = string_count(self, i);
        if (posteriors != NULL) posteriors[i] = (double)count / total;
        if (count > best_count) {
            best_count = count;
            best = i;
        }
    }
    out->opinion = true;
    out->category = best;
    out->confidence = (double)best_count / total;
}

static int64_t string_size(const void *object) {
    return ((const string_match *)object)->actions.count;
}

static void string_visit(ploy_visit *v, void *object) {
    string_match *self = object;
    ploy_visit_object(v, "string", self, sizeof *self);
    PLOY_VISIT_SCRATCH(v, self->common); // visited by the front
    PLOY_VISIT_SCRATCH(v, self->def);
    PLOY_VISIT_SCRATCH(v, self->classes);
    PLOY_VISIT_SCRATCH(v, self->target);
    int32_t count =
        ploy_visit_array(v, "actions", PLOY_STATE, &self->actions, self->def.max_actions);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "action", PLOY_STATE, PLOY_ARRAY_AT(&self->actions, int32_t, i), 0,
                          self->classes - 1);
    }
    ploy_visit_end(v);
}

static void string_explain(const void *object, const double *input, ploy_trace *trace) {
    const string_match *self = object;
    (void)input;
    int32_t total = string_count(self, -1);
    ploy_trace_i64(trace, "matches", total);
    for (int32_t i = 0; i < self->classes && total > 0; i++) {
        int32_t count = string_count(self, i);
        ploy_trace_option(trace, ploy_schema_value_at(self->common.schema, self->target, i),
                          2 * count > total ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          (double)count / total, "share of what followed the last actions");
    }
}

static void string_draw(const void *object, ploy_draw *out) {
    const string_match *self = object;
    double shares[64] = {0};
    int32_t classes = self->classes < 64 ? self->classes : 64, total = string_count(self, -1);
    for (int32_t i = 0; i < classes && total > 0; i++) {
        shares[i] = (double)string_count(self, i) / total;
    }
    ployi_learner_draw_bars(self->common.schema, shares, classes, out);
}

static const ploy_learner_type string_type = {
    "string",
    "searches the history for the last actions",
    "one action",
    "actions",
    PLOY_LEARNER_CATEGORIES | PLOY_LEARNER_MISSING | PLOY_LEARNER_CLASSIFIES | PLOY_LEARNER_COUNTS |
        PLOY_LEARNER_SEQUENCE,
    ploy_string_fields,
    string_create,
    string_destroy,
    string_observe,
    NULL,
    NULL,
    NULL,
    string_predict,
    string_reset,
    string_size,
    string_visit,
    string_explain,
    string_draw,
    NULL,
};

const ploy_learner_type *ploy_string_learner(void) {
    return &string_type;
}

// ---- scores

ploy_result ploy_ngram_score(ploy_learner learner, const int32_t *actions, int32_t count,
                             int32_t *right) {
    const ploy_schema *schema = ploy_learner_schema(learner);
    if (right == NULL || (actions == NULL && count > 0) || ploy_schema_count(schema) != 1) {
        return PLOY_ERR_ARGUMENT;
    }
    *right = 0;
    for (int32_t i = 0; i < count; i++) {
        double row = actions[i];
        ploy_answer answer = ploy_learner_predict(learner, &row, NULL);
        ploy_result result = ploy_learner_observe(learner, &row);
        if (result != PLOY_OK) return result;
        *right += answer.opinion && answer.category == actions[i];
    }
    return PLOY_OK;
}

ploy_result ploy_ngram_curve(const ploy_schema *schema, const int32_t *actions, int32_t count,
                             int32_t max, const ploy_env *env, double *shares) {
    if (shares == NULL || max < 1 || max > PLOY_NGRAM_LENGTH_MAX) return PLOY_ERR_ARGUMENT;
    for (int32_t length = 1; length <= max; length++) {
        ploy_ngram_def def = ploy_ngram_def_default();
        def.length = length;
        ploy_learner learner;
        int32_t right = 0;
        ploy_result result = ploy_learner_create(ploy_ngram_learner(), &def, schema, env, &learner);
        if (result != PLOY_OK) return result;
        result = ploy_ngram_score(learner, actions, count, &right);
        ploy_learner_destroy(learner);
        if (result != PLOY_OK) return result;
        shares[length - 1] = count > 0 ? (double)right / count : 0.0;
    }
    return PLOY_OK;
}

// ---- handicap

static const ploy_field handicap_fields[] = {
    PLOY_FIELD_F32(ploy_handicap_def, use, 1, 0, 1, "", "probability that a prediction is used"),
    PLOY_FIELD_F32(ploy_handicap_def, min_confidence, 0, 0, 1, "",
                   "less certain predictions are not used"),
};

ploy_fields ploy_handicap_fields(void) {
    return PLOY_FIELDS(ploy_handicap_def, handicap_fields);
}

ploy_handicap_def ploy_handicap_def_default(void) {
    ploy_handicap_def def;
    ploy_fields_default(ploy_handicap_fields(), &def);
    return def;
}

ploy_answer ploy_handicap_apply(const ploy_handicap_def *def, ploy_answer answer, ploy_rng *rng) {
    bool used = ploy_rng_chance(rng, def->use);
    if (!answer.opinion || !used || answer.confidence < (double)def->min_confidence) {
        return ploy_answer_none();
    }
    return answer;
}
