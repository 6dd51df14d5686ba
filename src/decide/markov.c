// Markov processes and state machines; described in the header.
//
// Invariants of a machine: (1) every element is finite and within the def's bounds; (2) left counts
// the steps until the default matrix, 1 to reset_steps while there is one.
#include "ploy/decide/markov.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "choice.h"
#include "decide_internal.h"
#include "ploy/base/math.h"

// ---- processes ----

void ploy_markov_step(const double *matrix, int32_t count, const double *v, double *out) {
    for (int32_t j = 0; j < count; j++) out[j] = 0.0;
    // Row by row: the matrix is read in the order in which it lies, and the sums run in the order
    // of i, as they would column by column.
    for (int32_t i = 0; i < count; i++) {
        const double *row = matrix + (size_t)i * (size_t)count;
        for (int32_t j = 0; j < count; j++) out[j] += v[i] * row[j];
    }
}

void ployi_markov_step_column(const double *matrix, int32_t count, const double *v, double *out) {
    for (int32_t i = 0; i < count; i++) {
        const double *row = matrix + (size_t)i * (size_t)count;
        double sum = 0.0;
        for (int32_t j = 0; j < count; j++) sum += row[j] * v[j];
        out[i] = sum;
    }
}

void ployi_markov_iterate(const double *matrix, int32_t count, int64_t steps, double *v,
                          double *scratch) {
    for (int64_t i = 0; i < steps; i++) {
        ploy_markov_step(matrix, count, v, scratch);
        memcpy(v, scratch, (size_t)count * sizeof *v);
    }
}

int64_t ploy_markov_settle(const double *matrix, int32_t count, double tolerance, int64_t max_steps,
                           double *v, double *scratch) {
    for (int64_t step = 1; step <= max_steps; step++) {
        ploy_markov_step(matrix, count, v, scratch);
        double change = 0.0;
        for (int32_t i = 0; i < count; i++) {
            double by = fabs(scratch[i] - v[i]);
            if (!(by <= change)) change = by; // NaN counts as a change
        }
        memcpy(v, scratch, (size_t)count * sizeof *v);
        if (change <= tolerance) return step;
        if (change != change) return -1;
    }
    return -1;
}

static double markov_row_sum(const double *matrix, int32_t count, int32_t row) {
    double sum = 0.0;
    for (int32_t j = 0; j < count; j++) sum += matrix[(size_t)row * (size_t)count + (size_t)j];
    return sum;
}

bool ployi_markov_is_conservative(const double *matrix, int32_t count, double tolerance) {
    for (int32_t i = 0; i < count; i++) {
        if (!(fabs(markov_row_sum(matrix, count, i) - 1.0) <= tolerance)) return false;
    }
    return true;
}

ploy_result ployi_markov_normalise(double *matrix, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        double sum = markov_row_sum(matrix, count, i);
        if (sum == 0.0 || !ploy_is_finite_d(sum)) return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        double sum = markov_row_sum(matrix, count, i);
        for (int32_t j = 0; j < count; j++) matrix[(size_t)i * (size_t)count + (size_t)j] /= sum;
    }
    return PLOY_OK;
}

void ploy_markov_affine(const double *matrix, int32_t count, const double *constants, double *out) {
    size_t wide = (size_t)count + 1;
    for (int32_t i = 0; i <= count; i++) {
        double *row = out + (size_t)i * wide;
        const double *from = i < count ? matrix + (size_t)i * (size_t)count : constants;
        memcpy(row, from, (size_t)count * sizeof *row);
        row[count] = i < count ? 0.0 : 1.0; // the last element stays 1
    }
}

void ploy_markov_fill(double *matrix, int32_t count, double same, double other) {
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < count; j++) {
            matrix[(size_t)i * (size_t)count + (size_t)j] = i == j ? same : other;
        }
    }
}

ploy_result ploy_markov_learn(const int32_t *states, int64_t length, int32_t count, double prior,
                              double *matrix) {
    if (count < 1 || count > PLOY_MARKOV_MAX || !(prior >= 0.0) || !ploy_is_finite_d(prior)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int64_t k = 0; k < length; k++) {
        if (states[k] < 0 || states[k] >= count) return PLOY_ERR_ARGUMENT;
    }
    ploy_markov_fill(matrix, count, prior, prior);
    for (int64_t k = 0; k + 1 < length; k++) {
        matrix[(size_t)states[k] * (size_t)count + (size_t)states[k + 1]] += 1.0;
    }
    for (int32_t i = 0; i < count; i++) {
        double sum = markov_row_sum(matrix, count, i);
        for (int32_t j = 0; j < count; j++) {
            double *share = &matrix[(size_t)i * (size_t)count + (size_t)j];
            *share = sum > 0.0 ? *share / sum : 1.0 / count;
        }
    }
    return PLOY_OK;
}

int32_t ploy_markov_largest(const double *v, int32_t count) {
    int32_t best = -1;
    for (int32_t i = 0; i < count; i++) {
        if (v[i] == v[i] && (best < 0 || v[i] > v[best])) best = i;
    }
    return best;
}

int32_t ploy_markov_draw(const double *matrix, int32_t count, int32_t state, double share) {
    if (state < 0 || state >= count) return -1;
    const double *row = matrix + (size_t)state * (size_t)count;
    double sum = 0.0;
    int32_t last = -1;
    for (int32_t j = 0; j < count; j++) {
        if (!(row[j] > 0.0)) continue;
        sum += row[j];
        last = j;
    }
    double at = share * sum, so_far = 0.0;
    for (int32_t j = 0; j < count; j++) {
        if (!(row[j] > 0.0)) continue;
        so_far += row[j];
        if (at < so_far) return j;
    }
    return last; // rounding left a sliver behind the last share
}

// ---- the machine ----

static const ploy_field markov_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_markov_def, count, 4, 1, PLOY_MARKOV_MAX, "",
                         "elements of the vector"),
    PLOY_FIELD_I32_FIXED(ploy_markov_def, reset_steps, 0, 0, INT32_MAX, "",
                         "steps until the default matrix"),
    PLOY_FIELD_F64(ploy_markov_def, min, -1e300, -1e300, 1e300, "", "smallest an element may be"),
    PLOY_FIELD_F64(ploy_markov_def, max, 1e300, -1e300, 1e300, "", "largest an element may be"),
};

ploy_fields ploy_markov_fields(void) {
    return PLOY_FIELDS(ploy_markov_def, markov_fields);
}

ploy_markov_def ploy_markov_def_default(void) {
    ploy_markov_def def;
    ploy_fields_default(ploy_markov_fields(), &def);
    return def;
}

typedef struct markov_transition {
    ploy_name id;
    ploy_condition condition;
    ploy_markov_action_fn action;
    void *user;
    double *matrix;
} markov_transition;

struct ploy_markov_type {
    ployi_build build;
    ploy_markov_def def;
    ploy_conditions *conditions;
    ploy_array transitions; // of markov_transition
    ploy_array names;       // ploy_name of each element, or empty
    ploy_array makers;      // ploy_maker of each element, or empty
    const ploy_blackboard_layout *layout;
    ploy_slot key;    // gets the id of the largest element; may be none
    double *fallback; // the default matrix, or NULL
    double *initial;
};

static size_t markov_bytes(const ploy_markov_type *type, bool matrix) {
    size_t count = (size_t)type->def.count; // at most 4096: its square fits
    return count * (matrix ? count : 1) * sizeof(double);
}

ploy_result ploy_markov_type_create(const ploy_markov_def *def,
                                    const ploy_blackboard_layout *layout, const ploy_env *env,
                                    ploy_markov_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_markov_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!(def->min <= def->max)) return PLOY_ERR_ARGUMENT;
    ploy_markov_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->def = *def;
    type->build.env = *env;
    ploy_array_init(&type->transitions, sizeof(markov_transition), env);
    ploy_array_init(&type->names, sizeof(ploy_name), env);
    ploy_array_init(&type->makers, sizeof(ploy_maker), env);
    type->layout = layout;
    result = ployi_build_init(&type->build, env);
    if (result == PLOY_OK) result = ploy_conditions_create(layout, env, &type->conditions);
    if (result == PLOY_OK) {
        type->initial = ploy_env_alloc_zero(env, markov_bytes(type, false));
        if (type->initial == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result != PLOY_OK) {
        ploy_markov_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_markov_type_destroy(ploy_markov_type *type) {
    if (type == NULL) return;
    ploy_env env = type->build.env;
    for (int32_t i = 0; i < type->transitions.count; i++) {
        markov_transition *item = PLOY_ARRAY_AT(&type->transitions, markov_transition, i);
        ploy_env_free(&env, item->matrix, markov_bytes(type, true));
    }
    ploy_array_fini(&type->transitions);
    ploy_array_fini(&type->names);
    ploy_array_fini(&type->makers);
    ploy_env_free(&env, type->fallback, markov_bytes(type, true));
    ploy_env_free(&env, type->initial, markov_bytes(type, false));
    ploy_conditions_destroy(type->conditions);
    ployi_build_fini(&type->build);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_conditions *ploy_markov_type_conditions(ploy_markov_type *type) {
    return type->conditions;
}

static bool markov_all_finite(const double *numbers, size_t bytes) {
    for (size_t i = 0; i < bytes / sizeof *numbers; i++) {
        if (!ploy_is_finite_d(numbers[i])) return false;
    }
    return true;
}

// A copy of a matrix, or NULL after a fault.
static double *markov_copy(ploy_markov_type *type, const char *id, const double *matrix) {
    size_t bytes = markov_bytes(type, true);
    if (matrix == NULL || !markov_all_finite(matrix, bytes)) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "missing numbers in the matrix of",
                                id);
        return NULL;
    }
    double *copy = ploy_env_alloc(&type->build.env, bytes);
    if (copy == NULL) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_MEMORY, "invalid matrix of", id);
        return NULL;
    }
    memcpy(copy, matrix, bytes);
    return copy;
}

ploy_result ploy_markov_type_add(ploy_markov_type *type, const char *id, ploy_condition condition,
                                 const double *matrix, ploy_markov_action_fn action, void *user) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    if (!ployi_condition_valid(type->conditions, condition)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown condition of", id);
    }
    markov_transition item = {ployi_build_name(&type->build, "transition", id), condition, action,
                              user, NULL};
    if (ploy_name_is_none(item.id)) return type->build.result;
    item.matrix = markov_copy(type, id, matrix);
    if (item.matrix == NULL) return type->build.result;
    ploy_result result = ploy_array_push(&type->transitions, &item);
    if (result != PLOY_OK) {
        ploy_env_free(&type->build.env, item.matrix, markov_bytes(type, true));
        return ployi_build_fault(&type->build, result, "transition", id);
    }
    return PLOY_OK;
}

ploy_result ploy_markov_type_set_default(ploy_markov_type *type, const double *matrix) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    double *copy = markov_copy(type, "default", matrix);
    if (copy == NULL) return type->build.result;
    ploy_env_free(&type->build.env, type->fallback, markov_bytes(type, true));
    type->fallback = copy;
    return PLOY_OK;
}

ploy_result ploy_markov_type_set_initial(ploy_markov_type *type, const double *v) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    if (v == NULL || !markov_all_finite(v, markov_bytes(type, false))) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "missing numbers in", "initial");
    }
    memcpy(type->initial, v, markov_bytes(type, false));
    return PLOY_OK;
}

ploy_result ploy_markov_type_name(ploy_markov_type *type, int32_t element, const char *id) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    if (element < 0 || element >= type->def.count || id == NULL || id[0] == '#') {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "invalid element name", id);
    }
    int32_t found = ploy_markov_type_find(type, id);
    if (found >= 0 && found != element) {
        return ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "duplicate element id", id);
    }
    ploy_name name = ployi_build_name(&type->build, "invalid element name", id);
    if (ploy_name_is_none(name)) return type->build.result;
    ploy_result result = ploy_array_resize(&type->names, type->def.count); // zero: none
    if (result != PLOY_OK) return ployi_build_fault(&type->build, result, "element", id);
    PLOY_ARRAY_ITEMS(&type->names, ploy_name)[element] = name;
    return PLOY_OK;
}

ploy_result ploy_markov_type_option(ploy_markov_type *type, int32_t element, ploy_maker maker) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    if (element < 0 || element >= type->def.count || ploy_maker_is_none(maker)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "missing element or behavior for",
                                 "option");
    }
    ploy_result result = ploy_array_resize(&type->makers, type->def.count); // zero: none
    if (result != PLOY_OK) return ployi_build_fault(&type->build, result, "element", "option");
    PLOY_ARRAY_ITEMS(&type->makers, ploy_maker)[element] = maker;
    return PLOY_OK;
}

ploy_result ploy_markov_type_key(ploy_markov_type *type, const char *key) {
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    ploy_result result = PLOY_ERR_NOT_FOUND;
    if (type->layout != NULL && key != NULL) {
        result =
            ploy_blackboard_layout_resolve(type->layout, key, PLOY_VALUE_NAME, NULL, &type->key);
    }
    if (result == PLOY_OK) return PLOY_OK;
    return ployi_build_fault(&type->build, result, "expected a name key, found", key);
}

const char *ployi_markov_type_id(const ploy_markov_type *type, int32_t element) {
    const ploy_name *name = PLOY_ARRAY_AT(&type->names, ploy_name, element);
    return name != NULL ? ployi_build_text(&type->build, *name) : "";
}

int32_t ploy_markov_type_find(const ploy_markov_type *type, const char *id) {
    ploy_name name = ploy_name_of(id);
    for (int32_t i = 0; i < type->names.count && !ploy_name_is_none(name); i++) {
        if (ploy_name_equal(PLOY_ARRAY_ITEMS(&type->names, ploy_name)[i], name)) return i;
    }
    return -1;
}

ploy_result ploy_markov_type_finish(ploy_markov_type *type) {
    if (type->build.finished) return PLOY_ERR_STATE;
    if (type->build.result == PLOY_OK)
        type->build.result = ploy_conditions_result(type->conditions);
    if (type->build.result == PLOY_OK && type->def.reset_steps > 0 && type->fallback == NULL) {
        (void)ployi_build_fault(&type->build, PLOY_ERR_STATE, "missing matrix for", "default");
    }
    type->build.finished = type->build.result == PLOY_OK;
    return type->build.result;
}

struct ploy_markov {
    ploy_env env;
    const ploy_markov_type *type;
    size_t size;
    double *v, *next;
    int32_t left;
    int32_t last;        // what fired last, as update returns it
    ployi_choice choice; // the elements' behaviors
};

static void markov_start(ploy_markov *markov) {
    memcpy(markov->v, markov->type->initial, markov_bytes(markov->type, false));
    markov->left = markov->type->def.reset_steps;
    markov->last = -1;
}

static ploy_maker markov_maker(const void *user, int32_t index) {
    return PLOY_ARRAY_ITEMS(&((const ploy_markov_type *)user)->makers, ploy_maker)[index];
}

ploy_result ploy_markov_create(const ploy_markov_type *type, const ploy_env *env,
                               ploy_markov **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->build.finished) return PLOY_ERR_STATE;
    size_t head = (sizeof(ploy_markov) + 15) / 16 * 16;
    size_t size = head + 2 * markov_bytes(type, false);
    ploy_markov *markov = ploy_env_alloc_zero(env, size);
    if (markov == NULL) return PLOY_ERR_MEMORY;
    markov->env = *env;
    markov->type = type;
    markov->size = size;
    markov->v = (double *)(void *)((char *)markov + head);
    markov->next = markov->v + type->def.count;
    markov_start(markov);
    ploy_result result =
        ployi_choice_init(&markov->choice, type->makers.count, markov_maker, type, env);
    if (result != PLOY_OK) {
        ploy_env_free(env, markov, size);
        return result;
    }
    *out = markov;
    return PLOY_OK;
}

void ploy_markov_destroy(ploy_markov *markov) {
    if (markov == NULL) return;
    ploy_env env = markov->env;
    ployi_choice_fini(&markov->choice);
    ploy_env_free(&env, markov, markov->size);
}

static void markov_apply(ploy_markov *markov, const double *matrix) {
    const ploy_markov_def *def = &markov->type->def;
    ploy_markov_step(matrix, def->count, markov->v, markov->next);
    for (int32_t i = 0; i < def->count; i++) { // keeps (1); NaN, of infinities, becomes min
        double x = markov->next[i];
        markov->v[i] = x > def->max ? def->max : x >= def->min ? x : def->min;
    }
    markov->left = def->reset_steps;
}

ploy_result ploy_markov_update(ploy_markov *markov, const ploy_moment *moment, int32_t *fired) {
    const ploy_markov_type *type = markov->type;
    ploy_trace *trace = moment->context != NULL ? moment->context->trace : NULL;
    ploy_trace_begin(trace, moment->context != NULL ? moment->context->agent : ploy_agent_id_none(),
                     "vector", "markov");
    ploy_result result = PLOY_OK;
    markov->last = -1;
    for (int32_t i = 0; i < type->transitions.count; i++) {
        const markov_transition *item = PLOY_ARRAY_AT(&type->transitions, markov_transition, i);
        const char *id = ployi_build_text(&type->build, item->id);
        if (markov->last >= 0) {
            ploy_trace_option(trace, id, PLOY_OUTCOME_SKIPPED, (double)NAN, "an earlier one fired");
            continue;
        }
        if (!ploy_condition_test(type->conditions, item->condition, moment)) {
            ploy_trace_option(trace, id, PLOY_OUTCOME_REJECTED, (double)NAN, "not triggered");
            continue;
        }
        ploy_trace_option(trace, id, PLOY_OUTCOME_WON, (double)NAN, "triggered");
        markov->last = i;
        markov_apply(markov, item->matrix);
        if (item->action != NULL) result = item->action(item->user, moment);
        if (trace == NULL) break;
    }
    if (markov->last < 0 && type->def.reset_steps > 0 && --markov->left <= 0) {
        markov->last = -2;
        markov_apply(markov, type->fallback);
        ploy_trace_note(trace, "Nothing happened for a while: the default matrix was applied.");
    }
    ploy_trace_end(trace);
    if (fired != NULL) *fired = markov->last;
    return result;
}

const double *ploy_markov_vector(const ploy_markov *markov) {
    return markov->v;
}

ploy_result ployi_markov_set_vector(ploy_markov *markov, const double *v) {
    size_t bytes = markov_bytes(markov->type, false);
    if (v == NULL || !markov_all_finite(v, bytes)) return PLOY_ERR_ARGUMENT;
    memcpy(markov->v, v, bytes);
    return PLOY_OK;
}

// The key of an element in a file: its id, or '#' and its place.
static const char *markov_key(const ploy_markov_type *type, int32_t element, char text[16]) {
    const char *id = ployi_markov_type_id(type, element);
    if (id[0] != '\0') return id;
    int32_t at = 15;
    text[at] = '\0';
    do {
        text[--at] = (char)('0' + element % 10);
    } while ((element /= 10) > 0);
    text[--at] = '#';
    return text + at;
}

// ---- as a behavior ----

static ploy_result markov_enter(void *self, ploy_step_context *context) {
    (void)context;
    markov_start(self);
    return PLOY_OK;
}

static ploy_result markov_behave(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_markov *markov = self;
    const ploy_markov_type *type = markov->type;
    ploy_moment moment = ploy_moment_make(context);
    *status = PLOY_STATUS_RUNNING;
    ploy_result result = ploy_markov_update(markov, &moment, NULL);
    if (result != PLOY_OK) return result;
    int32_t largest = ploy_markov_largest(markov->v, type->def.count); // there is one, by (1)
    bool knows = context->blackboard != NULL &&
                 ploy_blackboard_layout_of(context->blackboard) == type->layout;
    if (knows && !ploy_slot_is_none(type->key)) {
        char text[16];
        result = ploy_blackboard_set_name(context->blackboard, type->key,
                                          ploy_name_of(markov_key(type, largest, text)));
    }
    if (type->makers.count == 0 || result != PLOY_OK) return result;
    if (ployi_choice_has(&markov->choice, largest)) {
        *status = ployi_choice_step(&markov->choice, context, largest,
                                    ployi_markov_type_id(type, largest));
    } else {
        ployi_choice_leave(&markov->choice, context, PLOY_EXIT_INTERRUPTED);
    }
    return PLOY_OK;
}

static void markov_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ployi_choice_leave(&((ploy_markov *)self)->choice, context, reason);
}

static ploy_result markov_commit(void *self, ploy_step_context *context) {
    ploy_markov *markov = self;
    ployi_choice_commit(&markov->choice, context,
                        ployi_markov_type_id(markov->type, markov->choice.running));
    return PLOY_OK;
}

static ploy_result markov_message(void *self, ploy_step_context *context,
                                  const ploy_message *message, bool *handled) {
    ploy_markov *markov = self;
    *handled = ployi_choice_message(&markov->choice, context, message,
                                    ployi_markov_type_id(markov->type, markov->choice.running));
    return PLOY_OK;
}

static void markov_draw(const void *self, ploy_draw *out) {
    ployi_choice_draw(&((const ploy_markov *)self)->choice, out);
}

// The keys of elements and the ids of transitions, for visiting.
typedef struct markov_names {
    const ploy_markov_type *type;
    char text[16];
} markov_names;

static const char *markov_visit_element(const void *user, uint32_t number) {
    markov_names *names = (markov_names *)user;
    if (number >= (uint32_t)names->type->def.count) return "";
    return markov_key(names->type, (int32_t)number, names->text);
}

static const char *markov_visit_transition(const void *user, uint32_t number) {
    const ploy_markov_type *type = user;
    const markov_transition *item =
        PLOY_ARRAY_AT(&type->transitions, markov_transition, (int32_t)number);
    return item != NULL ? ployi_build_text(&type->build, item->id) : "";
}

// { "vector": { "safe": 0.5, "#1": 2 }, "left": 3, "transition": "shot", "option": { ... } };
// "default": true instead of a transition if the default one came last
static void markov_visit(ploy_visit *v, void *object) {
    ploy_markov *markov = object;
    const ploy_markov_type *type = markov->type;
    markov_names names = {type, ""};
    ploy_visit_table elements = {markov_visit_element,      NULL,      &names,
                                 (uint32_t)type->def.count, "element", NULL};
    ploy_visit_table transitions = {markov_visit_transition,           NULL,         type,
                                    (uint32_t)type->transitions.count, "transition", NULL};
    if (ploy_visit_tolerates(v)) markov_start(markov);
    ploy_visit_object(v, "markov", markov, markov->size);
    PLOY_VISIT_SCRATCH(v, markov->env);
    PLOY_VISIT_SCRATCH(v, markov->type);
    PLOY_VISIT_SCRATCH(v, markov->size);
    PLOY_VISIT_SCRATCH(v, markov->v);
    PLOY_VISIT_SCRATCH(v, markov->next);
    ploy_visit_scratch(v, markov + 1, (size_t)((char *)markov->v - (char *)(markov + 1)));
    ploy_visit_scratch(v, markov->next, markov_bytes(type, false));
    ploy_visit_begin(v, "vector", PLOY_SAVED);
    for (int32_t i = 0; i < type->def.count; i++) {
        ploy_visit_begin_item(v, i, PLOY_DERIVED);
        ploy_visit_key(v, markov_key(type, i, names.text));
        ploy_visit_f64_in(v, "value", PLOY_STATE, &markov->v[i], type->def.min, type->def.max);
        ploy_visit_end(v);
    }
    ploy_visit_gone(v, &elements);
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "left", PLOY_STATE, &markov->left, 0, type->def.reset_steps);
    ploy_describe_i64(v->describe, "last", PLOY_STATE, markov->last);
    int32_t by_default = -2, none = -1;
    if (ploy_visit_optional(v, "default", markov->last == -2)) {
        ploy_json_writer *json = ploy_visit_writer(v, "default");
        if (json != NULL) ploy_json_write_bool(json, true);
        if (ploy_visit_reader(v, "default", NULL, NULL, NULL)) {
            PLOY_VISIT_WRITE(v, markov->last, by_default);
        }
        PLOY_VISIT_SCRATCH(v, markov->last);
    } else if (ploy_visit_optional(v, "transition", markov->last >= 0)) {
        ploy_visit_ref(v, "transition", PLOY_SAVED, (uint32_t *)&markov->last, &transitions);
    } else {
        PLOY_VISIT_WRITE(v, markov->last, none);
        PLOY_VISIT_SCRATCH(v, markov->last);
    }
    elements.what = "option";
    elements.lost = "no longer exists: it restarts";
    ployi_choice_visit(v, &markov->choice, "option", &elements);
}

void ploy_markov_describe(const ploy_markov *markov, ploy_describe *out) {
    ploy_visit_describe(markov_visit, markov, NULL, out);
}

static void markov_destroy_self(void *self) {
    ploy_markov_destroy(self);
}

static const ploy_behavior_type markov_behavior = {.name = "markov",
                                                   .enter = markov_enter,
                                                   .step = markov_behave,
                                                   .exit = markov_exit,
                                                   .commit = markov_commit,
                                                   .message = markov_message,
                                                   .draw = markov_draw,
                                                   .destroy = markov_destroy_self,
                                                   .visit = markov_visit};

ploy_behavior ploy_markov_behavior(ploy_markov *markov) {
    ploy_behavior behavior = {markov != NULL ? &markov_behavior : NULL, markov};
    return behavior;
}

static ploy_result markov_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_markov *markov = NULL;
    ploy_result result = ploy_markov_create(user, env, &markov);
    if (result == PLOY_OK) *out = ploy_markov_behavior(markov);
    return result;
}

static ploy_result markov_check(const void *user, const ploy_blackboard_layout *layout,
                                ploy_diags *diags) {
    const ploy_markov_type *type = user;
    return ployi_choice_check(type->makers.count, markov_maker, type, &type->build.env,
                              type->layout, layout, diags);
}

ploy_maker ploy_markov_type_maker(ploy_markov_type *type) {
    ploy_maker maker = {markov_make, type, NULL, markov_check};
    return maker;
}
