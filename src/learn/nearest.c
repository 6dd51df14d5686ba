// Nearest neighbours; the rules are in the header.
//
// Invariants:
//   (1) examples holds at most max_examples rows; once full, row `oldest` is replaced next;
//   (2) low and high are the range of each column over everything ever observed.
#include "ploy/learn/nearest.h"

#include "learn/learn_internal.h"

#include <string.h>

static const ploy_field nearest_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_nearest_def, neighbours, 1, 1, PLOY_NEAREST_MOST, "",
                         "examples that vote"),
    PLOY_FIELD_BOOL(ploy_nearest_def, scale, false, "compare numbers as shares of their range"),
    PLOY_FIELD_I32_FIXED(ploy_nearest_def, max_examples, 100000, 1, 1 << 24, "",
                         "examples kept; the oldest is replaced"),
};

typedef struct nearest_learner {
    ploy_learner_common common;
    ploy_nearest_def def;
    ploy_examples *examples;
    int32_t oldest;
    int32_t columns;
    double *low, *high;
} nearest_learner;

typedef struct nearest_vote {
    double distance;
    int32_t row;
} nearest_vote;

ploy_fields ploy_nearest_fields(void) {
    return PLOY_FIELDS(ploy_nearest_def, nearest_fields);
}

ploy_nearest_def ploy_nearest_def_default(void) {
    ploy_nearest_def def;
    ploy_fields_default(ploy_nearest_fields(), &def);
    return def;
}

static void nearest_reset(void *object) {
    nearest_learner *self = object;
    ploy_examples_clear(self->examples);
    self->oldest = 0;
    for (int32_t i = 0; i < self->columns; i++) {
        self->low[i] = 1.0; // above high: no value so far
        self->high[i] = 0.0;
    }
}

static void nearest_destroy(void *object) {
    nearest_learner *self = object;
    ploy_env env = self->common.env;
    ploy_examples_destroy(self->examples);
    ploy_env_free(&env, self->low, (size_t)self->columns * 2 * sizeof(double));
    ploy_env_free(&env, self, sizeof *self);
}

static ploy_result nearest_create(const void *def, const ploy_learner_common *common, void **out) {
    nearest_learner *self = ploy_env_alloc_zero(&common->env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->common = *common;
    self->def = *(const ploy_nearest_def *)def;
    self->columns = ploy_schema_count(common->schema);
    ploy_result result = ploy_examples_create(common->schema, &common->env, &self->examples);
    if (result == PLOY_OK) {
        self->low = ploy_env_alloc_zero(&common->env, (size_t)self->columns * 2 * sizeof(double));
        if (self->low == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result != PLOY_OK) {
        nearest_destroy(self);
        return result;
    }
    self->high = self->low + self->columns;
    nearest_reset(self);
    *out = self;
    return PLOY_OK;
}

static ploy_result nearest_observe(void *object, const double *example) {
    nearest_learner *self = object;
    int32_t count = ploy_examples_count(self->examples);
    if (count < self->def.max_examples) {
        ploy_result result = ploy_examples_add(self->examples, example);
        if (result != PLOY_OK) return result;
    } else { // keeps (1)
        memcpy(ployi_examples_at(self->examples, self->oldest), example,
               (size_t)self->columns * sizeof *example);
        self->oldest = (self->oldest + 1) % self->def.max_examples;
    }
    for (int32_t i = 0; i < self->columns; i++) {
        if (ploy_is_missing(example[i])) continue;
        bool first = self->low[i] > self->high[i];
        if (first || example[i] < self->low[i]) self->low[i] = example[i];
        if (first || example[i] > self->high[i]) self->high[i] = example[i];
    }
    return PLOY_OK;
}

static double nearest_distance(const nearest_learner *self, const double *a, const double *b) {
    const ploy_schema *schema = self->common.schema;
    int32_t target = ploy_schema_target(schema);
    double sum = 0.0;
    for (int32_t i = 0; i < self->columns; i++) {
        if (i == target) continue;
        double gap;
        if (ploy_is_missing(a[i]) || ploy_is_missing(b[i])) {
            gap = 1.0;
        } else if (ploy_schema_kind_at(schema, i) == PLOY_COLUMN_CATEGORY) {
            gap = a[i] == b[i] ? 0.0 : 1.0;
        } else {
            double range = self->high[i] - self->low[i];
            gap = a[i] - b[i];
            if (self->def.scale) gap = range > 0.0 ? gap / range : 0.0;
        }
        sum += gap * gap;
    }
    return sum;
}

// The nearest rows, nearest first; among equal ones the older row.
static int32_t nearest_find(const nearest_learner *self, const double *input,
                            nearest_vote votes[PLOY_NEAREST_MOST]) {
    int32_t count = 0;
    for (int32_t i = 0; i < ploy_examples_count(self->examples); i++) {
        nearest_vote vote = {nearest_distance(self, ploy_examples_at(self->examples, i), input), i};
        int32_t at = count;
        while (at > 0 && vote.distance < votes[at - 1].distance) at--;
        if (at >= self->def.neighbours) continue;
        if (count < self->def.neighbours) count++;
        for (int32_t k = count - 1; k > at; k--) votes[k] = votes[k - 1];
        votes[at] = vote;
    }
    return count;
}

static void nearest_predict(const void *object, const double *input, double *posteriors,
                            ploy_answer *out) {
    const nearest_learner *self = object;
    int32_t target = ploy_schema_target(self->common.schema);
    int32_t classes = ploy_schema_classes(self->common.schema);
    nearest_vote votes[PLOY_NEAREST_MOST];
    int32_t count = nearest_find(self, input, votes);
    if (count == 0) return;
    out->opinion = true;
    if (classes == 0) {
        double sum = 0.0;
        for (int32_t i = 0; i < count; i++) {
            sum += ploy_examples_at(self->examples, votes[i].row)[target];
        }
        out->value = sum / count;
        out->confidence = 1.0;
        return;
    }
    int32_t best = 0;
    for (int32_t i = 0; i < count; i++) { // at most PLOY_NEAREST_MOST squared
        int32_t category = (int32_t)ploy_examples_at(self->examples, votes[i].row)[target];
        int32_t same = 0;
        for (int32_t k = 0; k < count; k++) {
            same += (int32_t)ploy_examples_at(self->examples, votes[k].row)[target] == category;
        }
        if (same > best) {
            best = same;
            out->category = category;
        }
    }
    out->confidence = (double)best / count;
    if (posteriors == NULL) return;
    for (int32_t i = 0; i < classes; i++) posteriors[i] = 0.0;
    for (int32_t i = 0; i < count; i++) {
        posteriors[(int32_t)ploy_examples_at(self->examples, votes[i].row)[target]] += 1.0 / count;
    }
}

static int64_t nearest_size(const void *object) {
    return ploy_examples_count(((const nearest_learner *)object)->examples);
}

static void nearest_visit(ploy_visit *v, void *object) {
    nearest_learner *self = object;
    ploy_visit_object(v, "nearest", self, sizeof *self);
    PLOY_VISIT_SCRATCH(v, self->def);
    PLOY_VISIT_SCRATCH(v, self->examples);
    PLOY_VISIT_SCRATCH(v, self->columns);
    PLOY_VISIT_SCRATCH(v, self->low);
    PLOY_VISIT_SCRATCH(v, self->high);
    ploy_visit_object(v, "nearest.ranges", self->low, (size_t)self->columns * 2 * sizeof(double));
    ploy_examples_visit(v, self->examples);
    int32_t count = ploy_examples_count(self->examples);
    ploy_visit_check(v, count <= self->def.max_examples, "too many examples", NULL);
    ploy_visit_i32_in(v, "oldest", PLOY_STATE, &self->oldest, 0, self->def.max_examples - 1);
    ploy_visit_fixed(v, "ranges", PLOY_STATE, self->columns * 2);
    for (int32_t i = 0; i < self->columns * 2; i++) {
        ploy_visit_f64(v, "range", PLOY_STATE, &self->low[i]);
    }
    ploy_visit_end(v);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    bool targets = true; // rows without a target are never kept
    for (int32_t i = 0; i < count; i++) {
        int32_t target = ploy_schema_target(self->common.schema);
        targets = targets && !ploy_is_missing(ploy_examples_at(self->examples, i)[target]);
    }
    ploy_visit_check(v, targets, "an example has no target", NULL);
}

static void nearest_explain(const void *object, const double *input, ploy_trace *trace) {
    const nearest_learner *self = object;
    const ploy_schema *schema = self->common.schema;
    nearest_vote votes[PLOY_NEAREST_MOST];
    int32_t count = nearest_find(self, input, votes);
    for (int32_t i = 0; i < count; i++) {
        double value = ploy_examples_at(self->examples, votes[i].row)[ploy_schema_target(schema)];
        bool number = ploy_schema_classes(schema) == 0;
        ploy_trace_option(
            trace,
            number ? "neighbour"
                   : ploy_schema_value_at(schema, ploy_schema_target(schema), (int32_t)value),
            PLOY_OUTCOME_WON, -votes[i].distance, "one of the nearest examples");
        ploy_trace_i64(trace, "example", votes[i].row);
    }
}

// Examples over their first two columns, by class.
static void nearest_draw(const void *object, ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B, PLOY_STYLE_AGENT_C,
                                        PLOY_STYLE_AGENT_D};
    const nearest_learner *self = object;
    int32_t target = ploy_schema_target(self->common.schema);
    int32_t axes[2] = {-1, -1};
    for (int32_t i = 0, k = 0; i < self->columns && k < 2; i++) {
        if (i != target) axes[k++] = i;
    }
    for (int32_t i = 0; i < ploy_examples_count(self->examples); i++) {
        const double *row = ploy_examples_at(self->examples, i);
        float at[2] = {50.0f, 50.0f};
        for (int32_t k = 0; k < 2; k++) {
            if (axes[k] < 0 || ploy_is_missing(row[axes[k]])) continue;
            double range = self->high[axes[k]] - self->low[axes[k]];
            if (range > 0.0) at[k] = (float)(100.0 * (row[axes[k]] - self->low[axes[k]]) / range);
        }
        bool number = ploy_schema_classes(self->common.schema) == 0;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, styles[number ? 0 : (uint32_t)row[target] % 4],
                       ploy_agent_id_none(), ploy_vec2_make(at[0], at[1]), 0.8f, 0.8f);
    }
}

static const ploy_learner_type nearest_type = {
    "nearest",
    "k nearest neighbours: the baseline",
    "one example",
    "examples",
    PLOY_LEARNER_NUMBERS | PLOY_LEARNER_CATEGORIES | PLOY_LEARNER_MISSING |
        PLOY_LEARNER_CLASSIFIES | PLOY_LEARNER_ESTIMATES,
    ploy_nearest_fields,
    nearest_create,
    nearest_destroy,
    nearest_observe,
    NULL,
    NULL,
    NULL,
    nearest_predict,
    nearest_reset,
    nearest_size,
    nearest_visit,
    nearest_explain,
    nearest_draw,
    NULL,
};

const ploy_learner_type *ploy_nearest_learner(void) {
    return &nearest_type;
}
