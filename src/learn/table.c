// Schemas and tables of examples; see the header.
//
// Invariants:
//   (1) target is the index of a column, or -1 while there is none;
//   (2) names of columns are different, and so are the categories of each column;
//   (3) every value of a row is missing, a number within the limits, or the index of a category.
#include "ploy/learn/table.h"

#include "ploy/base/hash.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"

#include "learn/learn_internal.h"

#include <string.h>

typedef struct schema_value {
    char text[PLOY_COLUMN_NAME_MAX];
} schema_value;

typedef struct schema_column {
    char name[PLOY_COLUMN_NAME_MAX];
    int32_t kind;
    int32_t first; // of its values in the list of all
    int32_t count;
} schema_column;

struct ploy_schema {
    ploy_env env;
    ploy_array columns; // of schema_column
    ploy_array values;  // of schema_value, grouped by column in order
    ploy_map by_text;   // schema_key to the number of the first value with that key
    int32_t target;
};

struct ploy_examples {
    ploy_env env;
    ploy_schema *schema;
    ploy_array rows; // of as many doubles as there are columns
};

const char *ploy_column_kind_text(ploy_column_kind kind) {
    return kind == PLOY_COLUMN_NUMBER ? "number" : kind == PLOY_COLUMN_CATEGORY ? "category" : "";
}

// ---- schema

ploy_result ploy_schema_create(const ploy_env *env, ploy_schema **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_schema *schema = ploy_env_alloc_zero(env, sizeof *schema);
    if (schema == NULL) return PLOY_ERR_MEMORY;
    schema->env = *env;
    ploy_array_init(&schema->columns, sizeof(schema_column), env);
    ploy_array_init(&schema->values, sizeof(schema_value), env);
    ploy_map_init(&schema->by_text, sizeof(int32_t), env);
    schema->target = -1;
    *out = schema;
    return PLOY_OK;
}

static uint64_t schema_key(int32_t column, const char *text) {
    return ploy_hash_combine((uint64_t)column, ploy_hash_text(text));
}

// Makes the value findable. Of values with equal keys the map holds the first.
static ploy_result schema_index_value(ploy_schema *schema, int32_t column, const char *text,
                                      int32_t number) {
    void *held = NULL;
    bool added = false;
    ploy_result result = ploy_map_ensure(&schema->by_text, schema_key(column, text), &held, &added);
    if (result == PLOY_OK && added) memcpy(held, &number, sizeof number);
    return result;
}

// Fills the map again, after values were read or copied. There is room: it was reserved.
static void schema_index(void *object) {
    ploy_schema *schema = object;
    ploy_map_clear(&schema->by_text);
    for (int32_t i = 0; i < schema->columns.count; i++) {
        for (int32_t k = 0; k < ploy_schema_value_count(schema, i); k++) {
            (void)schema_index_value(schema, i, ploy_schema_value_at(schema, i, k), k);
        }
    }
}

ploy_result ploy_schema_copy(const ploy_schema *schema, const ploy_env *env, ploy_schema **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (schema == NULL) return PLOY_ERR_ARGUMENT;
    ploy_schema *copy = NULL;
    ploy_result result = ploy_schema_create(env, &copy);
    if (result != PLOY_OK) return result;
    result = ploy_array_push_many(&copy->columns, schema->columns.items, schema->columns.count);
    if (result == PLOY_OK) {
        result = ploy_array_push_many(&copy->values, schema->values.items, schema->values.count);
    }
    if (result == PLOY_OK) result = ploy_map_reserve(&copy->by_text, schema->values.count);
    if (result == PLOY_OK) schema_index(copy);
    copy->target = schema->target;
    if (result == PLOY_OK) {
        *out = copy;
    } else {
        ploy_schema_destroy(copy);
    }
    return result;
}

void ploy_schema_destroy(ploy_schema *schema) {
    if (schema == NULL) return;
    ploy_map_fini(&schema->by_text);
    ploy_array_fini(&schema->values);
    ploy_array_fini(&schema->columns);
    ploy_env env = schema->env;
    ploy_env_free(&env, schema, sizeof *schema);
}

static bool schema_name_fits(const char *name) {
    return name != NULL && name[0] != 0 && strlen(name) < PLOY_COLUMN_NAME_MAX;
}

static schema_column *schema_column_at(const ploy_schema *schema, int32_t column) {
    return schema == NULL ? NULL : PLOY_ARRAY_AT(&schema->columns, schema_column, column);
}

ploy_result ploy_schema_add(ploy_schema *schema, const char *name, ploy_column_kind kind) {
    if (schema == NULL || !schema_name_fits(name) || ploy_column_kind_text(kind)[0] == 0 ||
        ploy_schema_find(schema, name) >= 0) {
        return PLOY_ERR_ARGUMENT;
    }
    if (schema->columns.count >= PLOY_SCHEMA_COLUMNS_MAX) return PLOY_ERR_LIMIT;
    schema_column *column = ploy_array_add(&schema->columns);
    if (column == NULL) return PLOY_ERR_MEMORY;
    memcpy(column->name, name, strlen(name));
    column->kind = (int32_t)kind;
    column->first = schema->values.count;
    if (schema->target < 0) schema->target = 0; // keeps (1)
    return PLOY_OK;
}

ploy_result ploy_schema_add_value(ploy_schema *schema, int32_t index, const char *text) {
    schema_column *column = schema_column_at(schema, index);
    if (column == NULL || column->kind != PLOY_COLUMN_CATEGORY || !schema_name_fits(text) ||
        ploy_schema_find_value(schema, index, text) >= 0) {
        return PLOY_ERR_ARGUMENT;
    }
    if (column->count >= PLOY_COLUMN_VALUES_MAX) return PLOY_ERR_LIMIT;
    schema_value value;
    memset(&value, 0, sizeof value);
    memcpy(value.text, text, strlen(text));
    ploy_result result = ploy_array_insert(&schema->values, column->first + column->count, &value);
    if (result == PLOY_OK) {
        result = schema_index_value(schema, index, text, column->count);
        if (result != PLOY_OK) ploy_array_remove(&schema->values, column->first + column->count);
    }
    if (result != PLOY_OK) return result;
    column->count++;
    for (int32_t i = index + 1; i < schema->columns.count; i++) {
        PLOY_ARRAY_ITEMS(&schema->columns, schema_column)[i].first++;
    }
    return PLOY_OK;
}

ploy_result ploy_schema_set_target(ploy_schema *schema, int32_t column) {
    if (schema_column_at(schema, column) == NULL) return PLOY_ERR_ARGUMENT;
    schema->target = column;
    return PLOY_OK;
}

int32_t ploy_schema_count(const ploy_schema *schema) {
    return schema == NULL ? 0 : schema->columns.count;
}

const char *ploy_schema_name_at(const ploy_schema *schema, int32_t column) {
    const schema_column *item = schema_column_at(schema, column);
    return item == NULL ? "" : item->name;
}

ploy_column_kind ploy_schema_kind_at(const ploy_schema *schema, int32_t column) {
    const schema_column *item = schema_column_at(schema, column);
    return item == NULL ? PLOY_COLUMN_NUMBER : (ploy_column_kind)item->kind;
}

int32_t ploy_schema_value_count(const ploy_schema *schema, int32_t column) {
    const schema_column *item = schema_column_at(schema, column);
    return item == NULL ? 0 : item->count;
}

const char *ploy_schema_value_at(const ploy_schema *schema, int32_t column, int32_t value) {
    const schema_column *item = schema_column_at(schema, column);
    if (item == NULL || value < 0 || value >= item->count) return "";
    return PLOY_ARRAY_AT(&schema->values, schema_value, item->first + value)->text;
}

int32_t ploy_schema_target(const ploy_schema *schema) {
    return schema == NULL ? -1 : schema->target;
}

int32_t ploy_schema_classes(const ploy_schema *schema) {
    return ploy_schema_value_count(schema, ploy_schema_target(schema));
}

int32_t ploy_schema_find(const ploy_schema *schema, const char *name) {
    if (name == NULL) return -1;
    for (int32_t i = 0; i < ploy_schema_count(schema); i++) {
        if (strcmp(schema_column_at(schema, i)->name, name) == 0) return i;
    }
    return -1;
}

int32_t ploy_schema_find_value(const ploy_schema *schema, int32_t column, const char *text) {
    if (text == NULL || schema == NULL) return -1;
    const int32_t *first = ploy_map_get(&schema->by_text, schema_key(column, text));
    if (first == NULL) return -1;
    // Almost always the first is the one; another text with the same key is after it.
    for (int32_t i = *first; i < ploy_schema_value_count(schema, column); i++) {
        if (strcmp(ploy_schema_value_at(schema, column, i), text) == 0) return i;
    }
    return -1;
}

bool ploy_schema_accepts(const ploy_schema *schema, const double *row) {
    if (schema == NULL || row == NULL) return false;
    for (int32_t i = 0; i < schema->columns.count; i++) {
        const schema_column *column = schema_column_at(schema, i);
        if (row[i] == PLOY_MISSING) continue;
        if (!ploy_table_accepts(row[i])) return false;
        if (column->kind != PLOY_COLUMN_CATEGORY) continue;
        if (!(row[i] >= 0.0 && row[i] < (double)column->count)) return false;
        if ((double)(int32_t)row[i] != row[i]) return false;
    }
    return true;
}

static uint64_t schema_hash_text(uint64_t hash, const char *text) {
    return ploy_hash_combine(hash, ploy_hash_text(text));
}

uint64_t ploy_schema_hash(const ploy_schema *schema) {
    int32_t count = ploy_schema_count(schema);
    uint64_t hash = ploy_hash_combine((uint64_t)count, (uint64_t)ploy_schema_target(schema));
    for (int32_t i = 0; i < count; i++) {
        const schema_column *column = schema_column_at(schema, i);
        hash = schema_hash_text(hash, column->name);
        hash = ploy_hash_combine(hash, (uint64_t)column->kind);
        hash = ploy_hash_combine(hash, (uint64_t)column->count);
        for (int32_t k = 0; k < column->count; k++) {
            hash = schema_hash_text(hash, ploy_schema_value_at(schema, i, k));
        }
    }
    return hash;
}

static const char *schema_kind_text(int32_t kind) {
    return ploy_column_kind_text((ploy_column_kind)kind);
}

void ploy_schema_visit(ploy_visit *v, void *object) {
    ploy_schema *schema = object;
    ploy_visit_object(v, "schema", schema, sizeof *schema);
    ploy_visit_after(v, schema_index, schema);
    PLOY_VISIT_SCRATCH(v, schema->env);
    PLOY_VISIT_SCRATCH(v, schema->by_text);
    if (v->memory != NULL) ploy_map_memory(&schema->by_text, v->memory, v->memory_user);
    int32_t count =
        ploy_visit_array(v, "columns", PLOY_STATE, &schema->columns, PLOY_SCHEMA_COLUMNS_MAX);
    for (int32_t i = 0; i < count; i++) {
        schema_column *column = schema_column_at(schema, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_text(v, "name", PLOY_STATE, column->name, sizeof column->name);
        PLOY_VISIT_ENUM(v, "kind", PLOY_STATE, column->kind, schema_kind_text, 2);
        ploy_visit_i32_in(v, "first", PLOY_SAVED, &column->first, 0, INT32_MAX);
        ploy_visit_i32_in(v, "count", PLOY_STATE, &column->count, 0, PLOY_COLUMN_VALUES_MAX);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    int32_t values = ploy_visit_array(v, "values", PLOY_STATE, &schema->values, 1 << 24);
    for (int32_t i = 0; i < values; i++) {
        schema_value *value = PLOY_ARRAY_AT(&schema->values, schema_value, i);
        ploy_visit_text(v, "value", PLOY_STATE, value->text, sizeof value->text);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        int32_t room = ploy_maxi(values, ploy_map_count(&schema->by_text));
        (void)ploy_visit_result(v, ploy_map_reserve(&schema->by_text, room));
        ploy_map_clear(&schema->by_text);
    }
    int32_t first = 0;
    bool fits = true; // columns partition the values; names are unique: (2)
    for (int32_t i = 0; i < count && ploy_visit_loads(v) && ploy_visit_is_ok(v) && fits; i++) {
        const schema_column *column = schema_column_at(schema, i);
        fits = column->first == first && column->count <= values - first &&
               (column->count == 0 || column->kind == PLOY_COLUMN_CATEGORY) &&
               column->name[0] != 0 && ploy_schema_find(schema, column->name) == i;
        for (int32_t k = 0; fits && k < column->count; k++) {
            const char *text = ploy_schema_value_at(schema, i, k);
            fits = text[0] != 0 && ploy_schema_find_value(schema, i, text) < 0 &&
                   schema_index_value(schema, i, text, k) == PLOY_OK;
        }
        first += column->count;
    }
    ploy_visit_check(v, fits && (first == values || !ploy_visit_loads(v) || !ploy_visit_is_ok(v)),
                     "columns and values do not match", "different names, one list of values");
    ploy_visit_i32_in(v, "target", PLOY_STATE, &schema->target, count > 0 ? 0 : -1, count - 1);
}

// ---- examples

ploy_result ploy_examples_create(const ploy_schema *schema, const ploy_env *env,
                                 ploy_examples **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || ploy_schema_count(schema) == 0) return PLOY_ERR_ARGUMENT;
    ploy_examples *examples = ploy_env_alloc_zero(env, sizeof *examples);
    if (examples == NULL) return PLOY_ERR_MEMORY;
    examples->env = *env;
    ploy_array_init(&examples->rows, (size_t)ploy_schema_count(schema) * sizeof(double), env);
    ploy_result result = ploy_schema_copy(schema, env, &examples->schema);
    if (result != PLOY_OK) {
        ploy_env_free(env, examples, sizeof *examples);
        return result;
    }
    *out = examples;
    return PLOY_OK;
}

void ploy_examples_destroy(ploy_examples *examples) {
    if (examples == NULL) return;
    ploy_array_fini(&examples->rows);
    ploy_schema_destroy(examples->schema);
    ploy_env env = examples->env;
    ploy_env_free(&env, examples, sizeof *examples);
}

const ploy_schema *ploy_examples_schema(const ploy_examples *examples) {
    return examples == NULL ? NULL : examples->schema;
}

ploy_result ploy_examples_reserve(ploy_examples *examples, int32_t count) {
    return examples == NULL ? PLOY_ERR_ARGUMENT : ploy_array_reserve(&examples->rows, count);
}

ploy_result ploy_examples_add(ploy_examples *examples, const double *row) {
    if (examples == NULL || !ploy_schema_accepts(examples->schema, row)) return PLOY_ERR_ARGUMENT;
    return ploy_array_push(&examples->rows, row);
}

void ploy_examples_clear(ploy_examples *examples) {
    if (examples != NULL) ploy_array_clear(&examples->rows);
}

int32_t ploy_examples_count(const ploy_examples *examples) {
    return examples == NULL ? 0 : examples->rows.count;
}

const double *ploy_examples_at(const ploy_examples *examples, int32_t row) {
    return examples == NULL ? NULL : ploy_array_at(&examples->rows, row);
}

double *ployi_examples_at(ploy_examples *examples, int32_t row) {
    return ploy_array_at(&examples->rows, row);
}

void ployi_examples_pop(ploy_examples *examples) {
    (void)ploy_array_pop(&examples->rows, NULL);
}

uint64_t ploy_examples_hash(const ploy_examples *examples) {
    if (examples == NULL) return 0;
    uint64_t seed = ploy_schema_hash(examples->schema);
    return ploy_hash_bytes(examples->rows.items,
                           (size_t)examples->rows.count * examples->rows.item_size, seed);
}

void ploy_examples_visit(ploy_visit *v, void *object) {
    ploy_examples *examples = object;
    ploy_visit_object(v, "examples", examples, sizeof *examples);
    PLOY_VISIT_SCRATCH(v, examples->env);
    PLOY_VISIT_SCRATCH(v, examples->schema);
    if (v->memory != NULL) ploy_schema_visit(v, examples->schema);
    int32_t columns = ploy_schema_count(examples->schema);
    int32_t rows = ploy_visit_array(v, "rows", PLOY_STATE, &examples->rows, 1 << 28);
    for (int32_t i = 0; i < rows; i++) {
        double *row = ploy_array_at(&examples->rows, i);
        ploy_visit_fixed(v, "row", PLOY_STATE, columns);
        for (int32_t k = 0; k < columns; k++) {
            ploy_visit_f64_in(v, "value", PLOY_STATE, &row[k], -1.7976931348623157e308,
                              PLOY_MISSING);
        }
        ploy_visit_check(v, !ploy_visit_is_ok(v) || ploy_schema_accepts(examples->schema, row),
                         "a row does not fit the schema", "indexes of categories");
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

ploy_result ploy_examples_split(const ploy_examples *examples, int32_t fold, int32_t folds,
                                const ploy_env *env, ploy_examples **train, ploy_examples **test) {
    if (train == NULL || test == NULL) return PLOY_ERR_ARGUMENT;
    *train = *test = NULL;
    if (examples == NULL || env == NULL || folds < 1 || fold < 0 || fold >= folds) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_examples *parts[2] = {NULL, NULL};
    ploy_result result = ploy_examples_create(examples->schema, env, &parts[0]);
    if (result == PLOY_OK) result = ploy_examples_create(examples->schema, env, &parts[1]);
    for (int32_t i = 0; i < examples->rows.count && result == PLOY_OK; i++) {
        result =
            ploy_array_push(&parts[i % folds == fold]->rows, ploy_array_at(&examples->rows, i));
    }
    if (result != PLOY_OK) {
        ploy_examples_destroy(parts[0]);
        ploy_examples_destroy(parts[1]);
        return result;
    }
    *train = parts[0];
    *test = parts[1];
    return PLOY_OK;
}
