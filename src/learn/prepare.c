// Turns a table into what a learner of categories needs; the options are described in the header.
#include "ploy/base/number.h"
#include "ploy/learn/table.h"

#include "learn/learn_internal.h"

#include <stdio.h>
#include <string.h>

// What becomes of one column.
typedef struct prepare_column {
    bool drop;
    bool categories; // numbers become categories
    int32_t to;      // column of the new schema
    int32_t first;   // of its part of `old`
    int32_t count;   // of values
} prepare_column;

typedef struct prepare {
    const ploy_examples *examples;
    const ploy_schema *schema;
    ploy_prepare_options options;
    prepare_column *columns;
    ploy_array old; // double: the old value of each new category, sorted into the new order
} prepare;

ploy_prepare_options ploy_prepare_options_default(void) {
    ploy_prepare_options options;
    memset(&options, 0, sizeof options);
    return options;
}

static void prepare_number_text(double value, char text[PLOY_COLUMN_NAME_MAX]) {
    memset(text, 0, PLOY_COLUMN_NAME_MAX);
    ploy_print_f64(value, text);
}

static void prepare_text(const prepare *p, int32_t column, double value,
                         char text[PLOY_COLUMN_NAME_MAX]) {
    if (p->columns[column].categories) {
        prepare_number_text(value, text);
    } else {
        snprintf(text, PLOY_COLUMN_NAME_MAX, "%s",
                 ploy_schema_value_at(p->schema, column, (int32_t)value));
    }
}

// Order of categories: by number or by place in the old schema; of the target by name.
static bool prepare_before(const prepare *p, int32_t column, double a, double b) {
    if (column != ploy_schema_target(p->schema) || !p->options.occurring) return a < b;
    char left[PLOY_COLUMN_NAME_MAX], right[PLOY_COLUMN_NAME_MAX];
    prepare_text(p, column, a, left);
    prepare_text(p, column, b, right);
    return strcmp(left, right) < 0;
}

// Adds a value to the sorted list of a column. @return PLOY_ERR_LIMIT above `most`.
static ploy_result prepare_add(prepare *p, int32_t column, double value, int32_t most) {
    prepare_column *item = &p->columns[column];
    int32_t low = 0, high = item->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        double there = *PLOY_ARRAY_AT(&p->old, double, item->first + middle);
        if (there == value) return PLOY_OK;
        if (prepare_before(p, column, there, value)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (item->count >= most) return PLOY_ERR_LIMIT;
    ploy_result result = ploy_array_insert(&p->old, item->first + low, &value);
    if (result == PLOY_OK) item->count++;
    return result;
}

// Lists the values of a column of whole numbers. @return PLOY_ERR_LIMIT if it is not one.
static ploy_result prepare_numbers(prepare *p, int32_t column, int32_t most, bool whole) {
    for (int32_t i = 0; i < ploy_examples_count(p->examples); i++) {
        double value = ploy_examples_at(p->examples, i)[column];
        if (ploy_is_missing(value)) continue;
        if (whole && (value < -1e9 || value > 1e9 || (double)(int64_t)value != value)) {
            return PLOY_ERR_LIMIT;
        }
        ploy_result result = prepare_add(p, column, value, most);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result prepare_categories(prepare *p, int32_t column) {
    ploy_result result = PLOY_OK;
    if (!p->options.occurring) {
        for (int32_t k = 0; k < ploy_schema_value_count(p->schema, column); k++) {
            result = prepare_add(p, column, k, INT32_MAX);
            if (result != PLOY_OK) return result;
        }
    }
    for (int32_t i = 0; i < ploy_examples_count(p->examples) && result == PLOY_OK; i++) {
        double value = ploy_examples_at(p->examples, i)[column];
        if (!ploy_is_missing(value)) result = prepare_add(p, column, value, INT32_MAX);
    }
    return result;
}

static ploy_result prepare_look(prepare *p, int32_t column) {
    prepare_column *item = &p->columns[column];
    item->first = p->old.count;
    bool target = column == ploy_schema_target(p->schema);
    if (ploy_schema_kind_at(p->schema, column) == PLOY_COLUMN_NUMBER) {
        int32_t most = target ? p->options.most_classes : p->options.most_values;
        if (most == 0) return PLOY_OK;
        item->categories = true; // before the values are listed: their names depend on it
        ploy_result result = prepare_numbers(p, column, most, most < PLOY_COLUMN_VALUES_MAX);
        if (result == PLOY_ERR_LIMIT && most < PLOY_COLUMN_VALUES_MAX) { // it stays a number
            item->categories = false;
            item->count = 0;
            return ploy_array_resize(&p->old, item->first);
        }
        if (result != PLOY_OK) return result;
    } else {
        ploy_result result = prepare_categories(p, column);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result prepare_schema(prepare *p, ploy_schema *schema) {
    int32_t count = ploy_schema_count(p->schema);
    for (int32_t i = 0; i < count; i++) {
        prepare_column *item = &p->columns[i];
        if (item->drop) continue;
        item->to = ploy_schema_count(schema);
        bool category =
            item->categories || ploy_schema_kind_at(p->schema, i) == PLOY_COLUMN_CATEGORY;
        ploy_result result = ploy_schema_add(schema, ploy_schema_name_at(p->schema, i),
                                             category ? PLOY_COLUMN_CATEGORY : PLOY_COLUMN_NUMBER);
        for (int32_t k = 0; k < item->count && result == PLOY_OK; k++) {
            char text[PLOY_COLUMN_NAME_MAX];
            prepare_text(p, i, *PLOY_ARRAY_AT(&p->old, double, item->first + k), text);
            result = ploy_schema_add_value(schema, item->to, text);
        }
        if (result == PLOY_OK && i == ploy_schema_target(p->schema)) {
            result = ploy_schema_set_target(schema, item->to);
        }
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static double prepare_value(const prepare *p, int32_t column, double value) {
    const prepare_column *item = &p->columns[column];
    if (ploy_is_missing(value)) return PLOY_MISSING;
    for (int32_t k = 0; k < item->count; k++) {
        if (*PLOY_ARRAY_AT(&p->old, double, item->first + k) == value) return k;
    }
    return value; // a number that stays one
}

static ploy_result prepare_run(prepare *p, const ploy_env *env, ploy_examples **out) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < ploy_schema_count(p->schema) && result == PLOY_OK; i++) {
        p->columns[i].drop =
            p->options.drop != NULL && p->options.drop[i] && i != ploy_schema_target(p->schema);
        if (!p->columns[i].drop) result = prepare_look(p, i);
    }
    ploy_schema *schema = NULL;
    if (result == PLOY_OK) result = ploy_schema_create(env, &schema);
    if (result == PLOY_OK) result = prepare_schema(p, schema);
    ploy_examples *examples = NULL;
    if (result == PLOY_OK) result = ploy_examples_create(schema, env, &examples);
    int32_t columns = ploy_schema_count(schema), rows = ploy_examples_count(p->examples);
    ploy_schema_destroy(schema);
    if (result == PLOY_OK) result = ploy_examples_reserve(examples, rows);
    size_t size = (size_t)columns * sizeof(double);
    double *row = result == PLOY_OK ? ploy_env_alloc(env, size) : NULL;
    if (result == PLOY_OK && row == NULL) result = PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < rows && result == PLOY_OK; i++) {
        const double *from = ploy_examples_at(p->examples, i);
        for (int32_t k = 0; k < ploy_schema_count(p->schema); k++) {
            if (!p->columns[k].drop) row[p->columns[k].to] = prepare_value(p, k, from[k]);
        }
        result = ploy_examples_add(examples, row);
    }
    ploy_env_free(env, row, size);
    if (result == PLOY_OK) {
        *out = examples;
    } else {
        ploy_examples_destroy(examples);
    }
    return result;
}

ploy_result ploy_examples_prepare(const ploy_examples *examples,
                                  const ploy_prepare_options *options, const ploy_env *env,
                                  ploy_examples **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (examples == NULL || options == NULL || env == NULL || options->most_values < 0 ||
        options->most_classes < 0) {
        return PLOY_ERR_ARGUMENT;
    }
    prepare p;
    memset(&p, 0, sizeof p);
    p.examples = examples;
    p.schema = ploy_examples_schema(examples);
    p.options = *options;
    size_t size = (size_t)ploy_schema_count(p.schema) * sizeof *p.columns;
    p.columns = ploy_env_alloc_zero(env, size);
    if (p.columns == NULL) return PLOY_ERR_MEMORY;
    ploy_array_init(&p.old, sizeof(double), env);
    ploy_result result = prepare_run(&p, env, out);
    ploy_array_fini(&p.old);
    ploy_env_free(env, p.columns, size);
    return result;
}

static double prepare_fit(const ploy_schema *from, int32_t source, double value,
                          const ploy_schema *to, int32_t column) {
    bool number = ploy_schema_kind_at(from, source) == PLOY_COLUMN_NUMBER;
    if (ploy_is_missing(value)) return PLOY_MISSING;
    char text[PLOY_COLUMN_NAME_MAX];
    if (number) {
        if (ploy_schema_kind_at(to, column) == PLOY_COLUMN_NUMBER) return value;
        prepare_number_text(value, text);
    } else {
        snprintf(text, sizeof text, "%s", ploy_schema_value_at(from, source, (int32_t)value));
        if (ploy_schema_kind_at(to, column) == PLOY_COLUMN_NUMBER) {
            double parsed = 0.0;
            return ploy_parse_f64(text, strlen(text), NULL, &parsed) == PLOY_OK ? parsed
                                                                                : PLOY_MISSING;
        }
    }
    int32_t found = ploy_schema_find_value(to, column, text);
    return found < 0 ? PLOY_MISSING : found;
}

ploy_result ploy_examples_fit(const ploy_examples *examples, const ploy_schema *schema,
                              const ploy_env *env, ploy_examples **out, int32_t *column) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (examples == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    const ploy_schema *from = ploy_examples_schema(examples);
    int32_t columns = ploy_schema_count(schema), rows = ploy_examples_count(examples);
    for (int32_t i = 0; i < columns; i++) {
        if (ploy_schema_find(from, ploy_schema_name_at(schema, i)) >= 0) continue;
        if (column != NULL) *column = i;
        return PLOY_ERR_NOT_FOUND;
    }
    ploy_examples *fitted = NULL;
    ploy_result result = ploy_examples_create(schema, env, &fitted);
    if (result == PLOY_OK) result = ploy_examples_reserve(fitted, rows);
    // A row, and where each of its columns comes from: names are looked up once, not in every row.
    size_t size = (size_t)columns * (sizeof(double) + sizeof(int32_t));
    double *row = result == PLOY_OK ? ploy_env_alloc(env, size) : NULL;
    if (result == PLOY_OK && row == NULL) result = PLOY_ERR_MEMORY;
    int32_t *sources = row != NULL ? (int32_t *)(void *)(row + columns) : NULL;
    for (int32_t k = 0; k < columns && result == PLOY_OK; k++) {
        sources[k] = ploy_schema_find(from, ploy_schema_name_at(schema, k));
    }
    for (int32_t i = 0; i < rows && result == PLOY_OK; i++) {
        for (int32_t k = 0; k < columns; k++) {
            int32_t source = sources[k];
            row[k] = prepare_fit(from, source, ploy_examples_at(examples, i)[source], schema, k);
        }
        result = ploy_examples_add(fitted, row);
    }
    ploy_env_free(env, row, size);
    if (result == PLOY_OK) {
        *out = fitted;
    } else {
        ploy_examples_destroy(fitted);
    }
    return result;
}
