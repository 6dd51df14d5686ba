// N-grams; see the header.
//
// A window is a number: the level, the context and the last actions as digits of a mixed radix.
//
// Invariants:
//   (1) counts has `classes` counters for each record, or, if dense, for each possible window;
//   (2) index maps the key of each record to its place; it is rebuilt after a load.
#include "ploy/learn/ngram.h"

#include "ploy/base/map.h"

#include "learn/learn_internal.h"

#include <string.h>

#define NGRAM_FIELDS(length_value, levels_value, threshold_value)                                 \
    PLOY_FIELD_I32_FIXED(ploy_ngram_def, length, length_value, 1, PLOY_NGRAM_LENGTH_MAX, "",      \
                         "actions in a sequence"),                                                \
        PLOY_FIELD_BOOL(ploy_ngram_def, levels, levels_value, "count all shorter sequences too"), \
        PLOY_FIELD_I32(ploy_ngram_def, threshold, threshold_value, 0, 1 << 24, "",                \
                       "a window must have been seen more often"),                                \
        PLOY_FIELD_F64(ploy_ngram_def, min_share, 0, 0, 1, "", "least share of the answer"),      \
        PLOY_FIELD_BOOL(ploy_ngram_def, certain, false, "ask a lower bound of the share"),        \
        PLOY_FIELD_BOOL(ploy_ngram_def, dense, false, "one array for all windows"),               \
        PLOY_FIELD_I32_FIXED(ploy_ngram_def, max_windows, 1 << 20, 1, 1 << 24, "",                \
                             "windows kept; new ones are ignored then")

static const ploy_field ngram_fields[] = {NGRAM_FIELDS(3, false, 0)};
static const ploy_field ngram_raw_fields[] = {NGRAM_FIELDS(1, false, 0)};
static const ploy_field ngram_hierarchical_fields[] = {NGRAM_FIELDS(8, true, 3)};

typedef struct ngram {
    ploy_learner_common common;
    ploy_ngram_def def;
    int32_t columns, classes, target;
    uint64_t contexts;                      // number of different contexts
    int32_t history[PLOY_NGRAM_LENGTH_MAX]; // the last actions, the newest last
    int32_t known;                          // of them
    ploy_array keys;                        // uint64_t, one for each record; empty if dense
    ploy_array counts;                      // int32_t
    ploy_map index;                         // key to int32_t
    int64_t offset[PLOY_NGRAM_LENGTH_MAX];  // of each level's windows, if dense
    int64_t ignored;                        // windows that found no room
} ngram;

ploy_fields ploy_ngram_fields(void) {
    return PLOY_FIELDS(ploy_ngram_def, ngram_fields);
}
ploy_fields ploy_ngram_raw_fields(void) {
    return PLOY_FIELDS(ploy_ngram_def, ngram_raw_fields);
}
ploy_fields ploy_ngram_hierarchical_fields(void) {
    return PLOY_FIELDS(ploy_ngram_def, ngram_hierarchical_fields);
}

ploy_ngram_def ploy_ngram_def_default(void) {
    ploy_ngram_def def;
    ploy_fields_default(ploy_ngram_fields(), &def);
    return def;
}

static int32_t ngram_lowest(const ngram *self) {
    return self->def.levels ? 1 : self->def.length;
}

static void ngram_destroy(void *object) {
    ngram *self = object;
    ploy_env env = self->common.env;
    ploy_map_fini(&self->index);
    ploy_array_fini(&self->keys);
    ploy_array_fini(&self->counts);
    ploy_env_free(&env, self, sizeof *self);
}

// Counts windows. @return PLOY_ERR_LIMIT if they do not fit a number, or, if dense, memory.
static ploy_result ngram_measure(ngram *self) {
    uint64_t windows = 1;
    for (int32_t i = 0; i < self->columns; i++) {
        if (i == self->target) continue;
        windows *= (uint64_t)ploy_schema_value_count(self->common.schema, i) + 1;
        if (windows > UINT64_C(1) << 40) return PLOY_ERR_LIMIT;
    }
    self->contexts = windows;
    int64_t total = 0;
    for (int32_t level = 1; level <= self->def.length; level++) {
        self->offset[level - 1] = total;
        if (level >= ngram_lowest(self)) total += (int64_t)windows * self->classes;
        if (windows > (UINT64_C(1) << 58) / (uint64_t)self->classes) return PLOY_ERR_LIMIT;
        if (self->def.dense && total > PLOY_NGRAM_DENSE_MAX) return PLOY_ERR_LIMIT;
        windows *= (uint64_t)self->classes;
    }
    return self->def.dense ? ploy_array_resize(&self->counts, (int32_t)total) : PLOY_OK;
}

static ploy_result ngram_create(const void *def, const ploy_learner_common *common, void **out) {
    ngram *self = ploy_env_alloc_zero(&common->env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->common = *common;
    self->def = *(const ploy_ngram_def *)def;
    self->columns = ploy_schema_count(common->schema);
    self->classes = ploy_schema_classes(common->schema);
    self->target = ploy_schema_target(common->schema);
    ploy_array_init(&self->keys, sizeof(uint64_t), &common->env);
    ploy_array_init(&self->counts, sizeof(int32_t), &common->env);
    ploy_map_init(&self->index, sizeof(int32_t), &common->env);
    ploy_result result = ngram_measure(self);
    if (result != PLOY_OK) {
        if (result == PLOY_ERR_LIMIT) {
            ploy_env_log(&common->env, PLOY_SEVERITY_ERROR,
                         "an N-gram of this length has too many windows; reduce length");
        }
        ngram_destroy(self);
        return result;
    }
    *out = self;
    return PLOY_OK;
}

static void ngram_reset(void *object) {
    ngram *self = object;
    ploy_array_clear(&self->keys);
    ploy_map_clear(&self->index);
    if (self->def.dense) {
        for (int32_t i = 0; i < self->counts.count; i++) {
            PLOY_ARRAY_ITEMS(&self->counts, int32_t)[i] = 0;
        }
    } else {
        ploy_array_clear(&self->counts);
    }
    memset(self->history, 0, sizeof self->history);
    self->known = 0;
    self->ignored = 0;
}

// ---- windows

static uint64_t ngram_key(const ngram *self, const double *row, int32_t level) {
    uint64_t key = 0;
    for (int32_t i = 0; i < level - 1; i++) {
        int32_t action = self->history[PLOY_NGRAM_LENGTH_MAX - (level - 1) + i];
        key = key * (uint64_t)self->classes + (uint64_t)action;
    }
    for (int32_t i = 0; i < self->columns; i++) {
        if (i == self->target) continue;
        int32_t values = ploy_schema_value_count(self->common.schema, i);
        double value = row[i];
        bool known = value >= 0.0 && value < values;
        key = key * (uint64_t)(values + 1) + (uint64_t)(known ? (int32_t)value : values);
    }
    return self->def.dense ? key : key * PLOY_NGRAM_LENGTH_MAX + (uint64_t)(level - 1);
}

// The counters of a window, or NULL if it was never seen.
static int32_t *ngram_find(const ngram *self, const double *row, int32_t level) {
    if (level - 1 > self->known) return NULL;
    uint64_t key = ngram_key(self, row, level);
    int64_t place;
    if (self->def.dense) {
        place = self->offset[level - 1] + (int64_t)key * self->classes;
    } else {
        const int32_t *record = ploy_map_get(&self->index, key);
        if (record == NULL) return NULL;
        place = (int64_t)*record * self->classes;
    }
    return PLOY_ARRAY_ITEMS(&self->counts, int32_t) + place;
}

// Makes room for one more record. @return false if there is none, which is not an error.
static bool ngram_add(ngram *self, const double *row, int32_t level) {
    if (self->keys.count >= self->def.max_windows) {
        self->ignored++;
        return false;
    }
    uint64_t key = ngram_key(self, row, level);
    int32_t record = self->keys.count;
    (void)ploy_array_push(&self->keys, &key); // observe made room for all three
    (void)ploy_array_push_many(&self->counts, NULL, self->classes);
    (void)ploy_map_put(&self->index, key, &record);
    return true;
}

static ploy_result ngram_reserve(ngram *self) {
    if (self->def.dense) return PLOY_OK;
    int32_t more = self->keys.count + self->def.length;
    ploy_result result = PLOY_OK;
    if (self->keys.capacity < more) result = ploy_array_reserve(&self->keys, more * 3 / 2);
    if (result == PLOY_OK && (int64_t)more * self->classes * 2 > INT32_MAX) return PLOY_ERR_LIMIT;
    if (result == PLOY_OK && self->counts.capacity < more * self->classes) {
        result = ploy_array_reserve(&self->counts, more * self->classes * 3 / 2);
    }
    return result == PLOY_OK ? ploy_map_reserve(&self->index, more) : result;
}

static ploy_result ngram_observe(void *object, const double *example) {
    ngram *self = object;
    ploy_result result = ngram_reserve(self);
    if (result != PLOY_OK) return result;
    int32_t action = (int32_t)example[self->target];
    for (int32_t level = ngram_lowest(self); level <= self->def.length; level++) {
        if (level - 1 > self->known) break;
        int32_t *counts = ngram_find(self, example, level);
        if (counts == NULL && ngram_add(self, example, level)) {
            counts = ngram_find(self, example, level);
        }
        if (counts != NULL && counts[action] < INT32_MAX) counts[action]++;
    }
    memmove(self->history, self->history + 1, sizeof self->history - sizeof self->history[0]);
    self->history[PLOY_NGRAM_LENGTH_MAX - 1] = action;
    if (self->known < PLOY_NGRAM_LENGTH_MAX) self->known++;
    return PLOY_OK;
}

// ---- answers

// Wilson's lower bound of a share at 95 %.
static double ngram_lower_bound(double share, double n) {
    const double z = 1.959963985, zz = z * z;
    double root = sqrt(share * (1.0 - share) / n + zz / (4.0 * n * n));
    double bound = (share + zz / (2.0 * n) - z * root) / (1.0 + zz / n);
    return bound > 0.0 ? bound : 0.0;
}

// The counters that answer, and their sum; NULL if none has enough samples.
static const int32_t *ngram_answering(const ngram *self, const double *input, int64_t *total,
                                      int32_t *level) {
    for (*level = self->def.length; *level >= ngram_lowest(self); --*level) {
        const int32_t *counts = ngram_find(self, input, *level);
        *total = 0;
        for (int32_t i = 0; i < self->classes && counts != NULL; i++) *total += counts[i];
        if (*total > self->def.threshold) return counts;
    }
    return NULL;
}

static void ngram_predict(const void *object, const double *input, double *posteriors,
                          ploy_answer *out) {
    const ngram *self = object;
    int64_t total = 0;
    int32_t level = 0, best = 0;
    const int32_t *counts = ngram_answering(self, input, &total, &level);
    if (counts == NULL) return;
    for (int32_t i = 1; i < self->classes; i++) {
        if (counts[i] > counts[best]) best = i;
    }
    double share = (double)counts[best] / (double)total;
    double sure = self->def.certain ? ngram_lower_bound(share, (double)total) : share;
    if (sure < self->def.min_share) return;
    out->opinion = true;
    out->category = best;
    out->confidence = share;
    for (int32_t i = 0; i < self->classes && posteriors != NULL; i++) {
        posteriors[i] = (double)counts[i] / (double)total;
    }
}

static int64_t ngram_size(const void *object) {
    const ngram *self = object;
    if (!self->def.dense) return self->keys.count;
    int64_t size = 0;
    for (int32_t i = 0; i < self->counts.count; i += self->classes) {
        bool seen = false;
        for (int32_t k = 0; k < self->classes; k++) {
            seen = seen || PLOY_ARRAY_ITEMS(&self->counts, int32_t)[i + k] > 0;
        }
        size += seen;
    }
    return size;
}

// ---- state

static void ngram_restore(void *object) {
    ngram *self = object;
    ploy_map_clear(&self->index);
    for (int32_t i = 0; i < self->keys.count; i++) {
        (void)ploy_map_put(&self->index, *PLOY_ARRAY_AT(&self->keys, uint64_t, i), &i);
    }
}

static bool ngram_keys_differ(const ngram *self) {
    for (int32_t i = 1; i < self->keys.count; i++) { // the index is rebuilt: equal keys would merge
        uint64_t key = *PLOY_ARRAY_AT(&self->keys, uint64_t, i);
        for (int32_t k = i - 1; k >= 0 && k >= i - 64; k--) {
            if (*PLOY_ARRAY_AT(&self->keys, uint64_t, k) == key) return false;
        }
    }
    return true;
}

static void ngram_visit(ploy_visit *v, void *object) {
    ngram *self = object;
    ploy_visit_object(v, "ngram", self, sizeof *self);
    PLOY_VISIT_SCRATCH(v, self->common); // visited by the front
    ploy_visit_after(v, ngram_restore, self);
    PLOY_VISIT_SCRATCH(v, self->def);
    PLOY_VISIT_SCRATCH(v, self->columns);
    PLOY_VISIT_SCRATCH(v, self->classes);
    PLOY_VISIT_SCRATCH(v, self->target);
    PLOY_VISIT_SCRATCH(v, self->contexts);
    PLOY_VISIT_SCRATCH(v, self->index);
    PLOY_VISIT_SCRATCH(v, self->offset);
    if (v->memory != NULL) ploy_map_memory(&self->index, v->memory, v->memory_user);
    ploy_visit_fixed(v, "history", PLOY_STATE, PLOY_NGRAM_LENGTH_MAX);
    for (int32_t i = 0; i < PLOY_NGRAM_LENGTH_MAX; i++) {
        ploy_visit_i32_in(v, "action", PLOY_STATE, &self->history[i], 0, self->classes - 1);
    }
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "known", PLOY_STATE, &self->known, 0, PLOY_NGRAM_LENGTH_MAX);
    ploy_visit_i64_in(v, "ignored", PLOY_STATE, &self->ignored, 0, INT64_MAX);
    int32_t records = ploy_visit_array(v, "keys", PLOY_STATE, &self->keys,
                                       self->def.dense ? 0 : self->def.max_windows);
    for (int32_t i = 0; i < records; i++) {
        ploy_visit_u64(v, "key", PLOY_STATE, PLOY_ARRAY_AT(&self->keys, uint64_t, i));
    }
    ploy_visit_end(v);
    int32_t count = self->counts.count;
    if (self->def.dense) {
        ploy_visit_fixed(v, "counts", PLOY_STATE, count);
        if (v->memory != NULL) ploy_array_memory(&self->counts, v->memory, v->memory_user);
        PLOY_VISIT_SCRATCH(v, self->counts);
    } else {
        count = ploy_visit_array(v, "counts", PLOY_STATE, &self->counts, INT32_MAX);
    }
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "count", PLOY_STATE, PLOY_ARRAY_AT(&self->counts, int32_t, i), 0,
                          INT32_MAX);
    }
    ploy_visit_end(v);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    bool fits = self->def.dense || count == (int64_t)records * self->classes;
    if (!ploy_visit_check(v, fits && ngram_keys_differ(self), "keys and counts do not match",
                          NULL)) {
        return;
    }
    (void)ploy_visit_result(v, ploy_map_reserve(&self->index, records));
}

// ---- sight

static void ngram_explain(const void *object, const double *input, ploy_trace *trace) {
    const ngram *self = object;
    int64_t total = 0;
    int32_t level = 0;
    const int32_t *counts = ngram_answering(self, input, &total, &level);
    if (counts == NULL) return;
    ploy_trace_i64(trace, "window", level - 1);
    ploy_trace_i64(trace, "samples", total);
    int32_t best = 0;
    for (int32_t i = 1; i < self->classes; i++) best = counts[i] > counts[best] ? i : best;
    for (int32_t i = 0; i < self->classes; i++) {
        ploy_trace_option(trace, ploy_schema_value_at(self->common.schema, self->target, i),
                          i == best ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          (double)counts[i] / (double)total, "share of what followed the window");
    }
}

// What follows the present window without context.
static void ngram_draw(const void *object, ploy_draw *out) {
    const ngram *self = object;
    double shares[64] = {0}, sum = 0.0;
    int32_t classes = self->classes < 64 ? self->classes : 64;
    for (int64_t i = 0; i < self->counts.count; i++) { // over all windows, if none is given
        int32_t action = (int32_t)(i % self->classes);
        if (action < classes) shares[action] += PLOY_ARRAY_ITEMS(&self->counts, int32_t)[i];
    }
    for (int32_t i = 0; i < classes; i++) sum += shares[i];
    for (int32_t i = 0; i < classes && sum > 0.0; i++) shares[i] /= sum;
    ployi_learner_draw_bars(self->common.schema, shares, classes, out);
}

#define NGRAM_TYPE(type_name, help_text, table)                                                 \
    {                                                                                           \
        type_name, help_text, "one action", "windows",                                          \
            PLOY_LEARNER_CATEGORIES | PLOY_LEARNER_MISSING | PLOY_LEARNER_CLASSIFIES |          \
                PLOY_LEARNER_COUNTS | PLOY_LEARNER_SEQUENCE,                                    \
            table, ngram_create, ngram_destroy, ngram_observe, NULL, NULL, NULL, ngram_predict, \
            ngram_reset, ngram_size, ngram_visit, ngram_explain, ngram_draw, NULL               \
    }

static const ploy_learner_type ngram_types[] = {
    NGRAM_TYPE("ngram", "N-gram: what followed the last actions before", ploy_ngram_fields),
    NGRAM_TYPE("raw", "how often each action occurred", ploy_ngram_raw_fields),
    NGRAM_TYPE("hierarchical", "N-grams of all lengths; the longest with enough samples answers",
               ploy_ngram_hierarchical_fields),
};

const ploy_learner_type *ploy_ngram_learner(void) {
    return &ngram_types[0];
}
const ploy_learner_type *ploy_ngram_raw_learner(void) {
    return &ngram_types[1];
}
const ploy_learner_type *ploy_ngram_hierarchical_learner(void) {
    return &ngram_types[2];
}
