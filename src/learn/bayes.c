// Naive Bayes; the formulas are in the header.
//
// Invariants:
//   (1) counts of a column add up, for each class, to at most the examples of that class;
//   (2) number, mean and squares of a column of numbers are those of Welford's running form.
#include "ploy/learn/bayes.h"

#include "ploy/base/math.h"

#include "learn/learn_internal.h"

#include <string.h>

static const ploy_field bayes_fields[] = {
    PLOY_FIELD_F64(ploy_bayes_def, smoothing, 1, 0, 1e6, "", "added to every count of a category"),
    PLOY_FIELD_F64(ploy_bayes_def, min_deviation, 1e-3, 1e-9, 1, "",
                   "least deviation, as a share of the column's"),
};

typedef struct bayes_number {
    double n, mean, squares; // squares: sum of squared differences from the mean
} bayes_number;

typedef struct bayes {
    ploy_learner_common common;
    ploy_bayes_def def;
    int32_t columns, classes, target;
    int64_t total;
    size_t size;           // of the block that starts at `numbers`
    int64_t cells, places; // lengths of `counts` and `numbers`
    bayes_number *numbers; // for each column of numbers, each class and all of them
    int64_t *counts;       // classes first, then each column's values, by class
    int64_t *offset;       // of each column's part of counts or numbers
    int64_t *values;       // categories of each column; -1: numbers
} bayes;

ploy_fields ploy_bayes_fields(void) {
    return PLOY_FIELDS(ploy_bayes_def, bayes_fields);
}

ploy_bayes_def ploy_bayes_def_default(void) {
    ploy_bayes_def def;
    ploy_fields_default(ploy_bayes_fields(), &def);
    return def;
}

static bool bayes_is_number(const bayes *self, int32_t column) {
    return self->values[column] < 0;
}

static void bayes_reset(void *object) {
    bayes *self = object;
    memset(self->numbers, 0, (size_t)self->places * sizeof *self->numbers);
    memset(self->counts, 0, (size_t)self->cells * sizeof *self->counts);
    self->total = 0;
}

static void bayes_destroy(void *object) {
    bayes *self = object;
    ploy_env env = self->common.env;
    ploy_env_free(&env, self->numbers, self->size);
    ploy_env_free(&env, self, sizeof *self);
}

static ploy_result bayes_create(const void *def, const ploy_learner_common *common, void **out) {
    bayes *self = ploy_env_alloc_zero(&common->env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->common = *common;
    self->def = *(const ploy_bayes_def *)def;
    self->columns = ploy_schema_count(common->schema);
    self->classes = ploy_schema_classes(common->schema);
    self->target = ploy_schema_target(common->schema);
    self->cells = self->classes;
    for (int32_t i = 0; i < self->columns; i++) {
        if (i == self->target) continue;
        if (ploy_schema_kind_at(common->schema, i) == PLOY_COLUMN_NUMBER) {
            self->places += self->classes + 1;
        } else {
            self->cells +=
                ((int64_t)ploy_schema_value_count(common->schema, i) + 1) * self->classes;
        }
    }
    self->size = (size_t)self->places * sizeof(bayes_number) +
                 ((size_t)self->cells + (size_t)self->columns * 2) * sizeof(int64_t);
    self->numbers = ploy_env_alloc_zero(&common->env, self->size);
    if (self->numbers == NULL) {
        ploy_env_free(&common->env, self, sizeof *self);
        return PLOY_ERR_MEMORY;
    }
    self->counts = (int64_t *)(void *)(self->numbers + self->places);
    self->offset = self->counts + self->cells;
    self->values = self->offset + self->columns;
    int64_t cell = self->classes, place = 0;
    for (int32_t i = 0; i < self->columns; i++) {
        bool number = ploy_schema_kind_at(common->schema, i) == PLOY_COLUMN_NUMBER;
        self->values[i] = number ? -1 : ploy_schema_value_count(common->schema, i);
        if (i == self->target) continue;
        if (bayes_is_number(self, i)) {
            self->offset[i] = place;
            place += self->classes + 1;
        } else { // one more value, which counts all: the sum of the others for each class
            self->offset[i] = cell;
            cell += (self->values[i] + 1) * self->classes;
        }
    }
    *out = self;
    return PLOY_OK;
}

static void bayes_add_number(bayes_number *number, double value) {
    double gap = value - number->mean;
    number->n += 1.0;
    number->mean += gap / number->n;
    number->squares += gap * (value - number->mean);
}

static ploy_result bayes_observe(void *object, const double *example) {
    bayes *self = object;
    int32_t category = (int32_t)example[self->target];
    self->counts[category]++;
    self->total++;
    for (int32_t i = 0; i < self->columns; i++) {
        if (i == self->target || ploy_is_missing(example[i])) continue;
        if (bayes_is_number(self, i)) {
            bayes_number *numbers = self->numbers + self->offset[i];
            bayes_add_number(&numbers[category], example[i]);
            bayes_add_number(&numbers[self->classes], example[i]);
            continue;
        }
        int64_t values = self->values[i];
        int64_t *counts = self->counts + self->offset[i];
        counts[(int32_t)example[i] * self->classes + category]++;
        counts[values * self->classes + category]++; // the sum
    }
    return PLOY_OK;
}

// Variance of a column of numbers in a class, and how far the value is from its mean. False if
// nothing is known.
static bool bayes_normal(const bayes *self, int32_t column, double value, int32_t category,
                         double *variance, double *gap) {
    const bayes_number *all = self->numbers + self->offset[column] + self->classes;
    const bayes_number *own = self->numbers + self->offset[column] + category;
    if (own->n < 1.0 || all->squares <= 0.0) return false;
    double least = self->def.min_deviation * self->def.min_deviation * all->squares / all->n;
    *variance = own->squares / own->n;
    if (*variance < least) *variance = least;
    *gap = value - own->mean;
    return true;
}

// P(category of a column | class); 1 if it says nothing.
static double bayes_share(const bayes *self, int32_t column, double value, int32_t category) {
    int64_t values = self->values[column];
    if (!(value >= 0.0 && value < (double)values)) return 1.0;
    const int64_t *counts = self->counts + self->offset[column];
    double n = (double)counts[(int32_t)value * self->classes + category];
    double sum = (double)counts[values * self->classes + category];
    double share = sum + self->def.smoothing * (double)values;
    return share > 0.0 ? (n + self->def.smoothing) / share : 1.0; // nothing seen with this class
}

// ln P(value of a column | class), or 0 if it says nothing; -infinity rules the class out.
static double bayes_term(const bayes *self, int32_t column, double value, int32_t category) {
    if (column == self->target || ploy_is_missing(value)) return 0.0;
    if (bayes_is_number(self, column)) {
        double variance, gap;
        if (!bayes_normal(self, column, value, category, &variance, &gap)) return 0.0;
        return -0.5 * (ploy_log(6.283185307179586 * variance) + gap * gap / variance);
    }
    double p = bayes_share(self, column, value, category);
    return p > 0.0 ? ploy_log(p) : -(double)INFINITY;
}

// A product, whose logarithm is taken once: that costs more than all the rest of an answer.
typedef struct bayes_product {
    double product; // from 1e-150 to 1e150
    double logs;    // of what did not fit
} bayes_product;

static void bayes_times(bayes_product *s, double factor) {
    bool fits = factor > 1e-150 && factor < 1e150;
    if (fits) s->product *= factor;
    if (!fits) s->logs += factor > 0.0 ? ploy_log(factor) : -(double)INFINITY;
    if (s->product > 1e-150 && s->product < 1e150) return;
    s->logs += ploy_log(s->product);
    s->product = 1.0;
}

// ln P(class) plus the terms of all columns.
static double bayes_score(const bayes *self, const double *input, int32_t category) {
    if (self->counts[category] == 0) return -(double)INFINITY;
    bayes_product shares = {(double)self->counts[category] / (double)self->total, 0.0};
    bayes_product variances = {1.0, 0.0};
    double gaps = 0.0;
    for (int32_t i = 0; i < self->columns; i++) {
        if (i == self->target || ploy_is_missing(input[i])) continue;
        if (bayes_is_number(self, i)) {
            double variance, gap;
            if (!bayes_normal(self, i, input[i], category, &variance, &gap)) continue;
            bayes_times(&variances, 6.283185307179586 * variance);
            gaps += gap * gap / variance;
        } else {
            bayes_times(&shares, bayes_share(self, i, input[i], category));
        }
    }
    double score = ploy_log(shares.product) + shares.logs;
    if (self->places == 0) return score;
    return score - 0.5 * (ploy_log(variances.product) + variances.logs + gaps);
}

static void bayes_predict(const void *object, const double *input, double *posteriors,
                          ploy_answer *out) {
    const bayes *self = object;
    if (self->total == 0) return;
    double best = -(double)INFINITY;
    // Scores are made of logarithms, so they are kept for the second pass where there is room.
    double kept[64], *scores = posteriors != NULL ? posteriors : self->classes <= 64 ? kept : NULL;
    for (int32_t i = 0; i < self->classes; i++) {
        double score = bayes_score(self, input, i);
        if (scores != NULL) scores[i] = score;
        if (score > best) {
            best = score;
            out->category = i;
        }
    }
    if (out->category < 0) return; // every class was ruled out
    out->opinion = true;
    double sum = 0.0; // of the scores relative to the best, so that none overflows
    for (int32_t i = 0; i < self->classes; i++) {
        double score = scores != NULL ? scores[i] : bayes_score(self, input, i);
        double p = score >= best - 700.0 ? ploy_exp(score - best) : 0.0;
        if (posteriors != NULL) posteriors[i] = p;
        sum += p;
    }
    for (int32_t i = 0; i < self->classes && posteriors != NULL; i++) posteriors[i] /= sum;
    out->confidence = 1.0 / sum;
}

static int64_t bayes_size(const void *object) {
    const bayes *self = object;
    int64_t size = 0;
    for (int64_t i = 0; i < self->cells; i++) size += self->counts[i] > 0;
    for (int64_t i = 0; i < self->places; i++) size += self->numbers[i].n > 0.0;
    return size;
}

static void bayes_visit(ploy_visit *v, void *object) {
    bayes *self = object;
    ploy_visit_object(v, "bayes", self, sizeof *self);
    PLOY_VISIT_SCRATCH(v, self->common); // visited by the front
    PLOY_VISIT_SCRATCH(v, self->def);
    PLOY_VISIT_SCRATCH(v, self->columns);
    PLOY_VISIT_SCRATCH(v, self->classes);
    PLOY_VISIT_SCRATCH(v, self->target);
    PLOY_VISIT_SCRATCH(v, self->size);
    PLOY_VISIT_SCRATCH(v, self->cells);
    PLOY_VISIT_SCRATCH(v, self->places);
    PLOY_VISIT_SCRATCH(v, self->numbers);
    PLOY_VISIT_SCRATCH(v, self->counts);
    PLOY_VISIT_SCRATCH(v, self->offset);
    PLOY_VISIT_SCRATCH(v, self->values);
    ploy_visit_object(v, "bayes.counts", self->numbers, self->size);
    ploy_visit_scratch(v, self->offset, (size_t)self->columns * 2 * sizeof *self->offset);
    ploy_visit_i64_in(v, "total", PLOY_STATE, &self->total, 0, INT64_C(1) << 53);
    // Bounded, so that sums of counts cannot overflow.
    ploy_visit_fixed(v, "counts", PLOY_STATE, (int32_t)self->cells);
    for (int64_t i = 0; i < self->cells; i++) {
        ploy_visit_i64_in(v, "count", PLOY_STATE, &self->counts[i], 0, INT64_C(1) << 53);
    }
    ploy_visit_end(v);
    ploy_visit_fixed(v, "numbers", PLOY_STATE, (int32_t)self->places);
    for (int64_t i = 0; i < self->places; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_f64_in(v, "n", PLOY_STATE, &self->numbers[i].n, 0.0, 1e15);
        ploy_visit_f64_in(v, "mean", PLOY_STATE, &self->numbers[i].mean, -1e150, 1e150);
        ploy_visit_f64_in(v, "squares", PLOY_STATE, &self->numbers[i].squares, 0.0, 1e300);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    int64_t sum = 0;
    for (int32_t i = 0; i < self->classes; i++) sum += self->counts[i];
    ploy_visit_check(v, sum == self->total, "the classes do not add up to the total", NULL);
}

static void bayes_explain(const void *object, const double *input, ploy_trace *trace) {
    const bayes *self = object;
    const ploy_schema *schema = self->common.schema;
    ploy_answer answer = ploy_answer_none();
    bayes_predict(object, input, NULL, &answer);
    if (!answer.opinion) return;
    for (int32_t i = 0; i < self->classes; i++) {
        double score = bayes_score(self, input, i);
        ploy_trace_option(trace, ploy_schema_value_at(schema, self->target, i),
                          i == answer.category ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, score,
                          "log of prior times likelihood");
    }
    // Log-odds of each column: how far it moved the answer from the best of the other classes.
    int32_t second = -1;
    double best = -(double)INFINITY;
    for (int32_t i = 0; i < self->classes; i++) {
        double score = i == answer.category ? best : bayes_score(self, input, i);
        if (i == answer.category || score < best) continue;
        best = score;
        second = i;
    }
    for (int32_t i = 0; i < self->columns && second >= 0; i++) {
        if (i == self->target || ploy_is_missing(input[i])) continue;
        double for_it = bayes_term(self, i, input[i], answer.category);
        double against = bayes_term(self, i, input[i], second);
        if (!ploy_is_finite_d(against)) continue; // it alone ruled the other class out
        ploy_trace_f32(trace, ploy_schema_name_at(schema, i), (float)(for_it - against));
    }
}

static void bayes_draw(const void *object, ploy_draw *out) {
    const bayes *self = object;
    double shares[64];
    int32_t classes = self->classes < 64 ? self->classes : 64;
    for (int32_t i = 0; i < classes; i++) {
        shares[i] = self->total > 0 ? (double)self->counts[i] / (double)self->total : 0.0;
    }
    ployi_learner_draw_bars(self->common.schema, shares, classes, out);
}

static const ploy_learner_type bayes_type = {
    "bayes",
    "naive Bayes: counts categories, fits numbers with normal distributions",
    "one example",
    "counts",
    PLOY_LEARNER_NUMBERS | PLOY_LEARNER_CATEGORIES | PLOY_LEARNER_MISSING |
        PLOY_LEARNER_CLASSIFIES | PLOY_LEARNER_COUNTS,
    ploy_bayes_fields,
    bayes_create,
    bayes_destroy,
    bayes_observe,
    NULL,
    NULL,
    NULL,
    bayes_predict,
    bayes_reset,
    bayes_size,
    bayes_visit,
    bayes_explain,
    bayes_draw,
    NULL,
};

const ploy_learner_type *ploy_bayes_learner(void) {
    return &bayes_type;
}
