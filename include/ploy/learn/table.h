/// @file ploy/learn/table.h
/// Tables of examples: what every learner learns from.
///
/// A schema names typed columns, numbers or categories, and one of them as the target. A row has
/// one double for each column: the number itself, or the index of the category. A value can be
/// missing. The same row serves for learning and for prediction; a prediction ignores the target.
///
///     ploy_schema *schema;
///     ploy_schema_create(&env, &schema);
///     ploy_schema_add(schema, "distance", PLOY_COLUMN_NUMBER);
///     ploy_schema_add(schema, "brake", PLOY_COLUMN_CATEGORY);
///     ploy_schema_add_value(schema, 1, "no");
///     ploy_schema_add_value(schema, 1, "yes");
///     ploy_schema_set_target(schema, 1);
///
/// Readers of files are in ploy/data/table_file.h. Cost: a row is 8 bytes per column. Threads: many
/// may read at the same time; everything else takes one caller.
#pragma once

#include "ploy/base/visit.h"

#include <math.h>

/// Longest name of a column or a category, with its terminating zero.
#define PLOY_COLUMN_NAME_MAX 64
/// Maximum number of columns of a schema and of categories of a column.
#define PLOY_SCHEMA_COLUMNS_MAX 4096
#define PLOY_COLUMN_VALUES_MAX 65536

/// Largest absolute value of a number: squares, and sums of as many as there can be, stay finite.
#define PLOY_TABLE_NUMBER_MAX 1e140

/// A missing value. Infinite, so that it differs from every number; test with ploy_is_missing.
#define PLOY_MISSING ((double)INFINITY)
/// PLOY_MISSING.
static inline double ploy_missing(void) {
    return PLOY_MISSING;
}
/// Whether a value is missing.
static inline bool ploy_is_missing(double value) {
    return !(value < PLOY_MISSING); // NaN counts as missing too
}

/// Whether a row may have that number; false for NaN.
static inline bool ploy_table_accepts(double number) {
    return number >= -PLOY_TABLE_NUMBER_MAX && number <= PLOY_TABLE_NUMBER_MAX;
}

typedef enum ploy_column_kind {
    PLOY_COLUMN_NUMBER,  ///< a number, at most PLOY_TABLE_NUMBER_MAX from 0
    PLOY_COLUMN_CATEGORY ///< one of a list of named values, stored as its index
} ploy_column_kind;

/// "number", "category".
PLOY_API const char *ploy_column_kind_text(ploy_column_kind kind);

// ---- schema

/// Names and kinds of columns. Opaque.
typedef struct ploy_schema ploy_schema;

/// A schema without columns. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_schema_create(const ploy_env *env, ploy_schema **out);
PLOY_API ploy_result ploy_schema_copy(const ploy_schema *schema, const ploy_env *env,
                                      ploy_schema **out);
/// NULL is allowed.
PLOY_API void ploy_schema_destroy(ploy_schema *schema);

/// Appends a column. The first column is the target until ploy_schema_set_target.
/// @return PLOY_ERR_ARGUMENT if the name is empty, too long or already used; PLOY_ERR_LIMIT,
///         PLOY_ERR_MEMORY; the schema is unchanged then.
PLOY_API ploy_result ploy_schema_add(ploy_schema *schema, const char *name, ploy_column_kind kind);
/// Appends a category to a column of categories. @return as ploy_schema_add.
PLOY_API ploy_result ploy_schema_add_value(ploy_schema *schema, int32_t column, const char *text);
/// @return PLOY_ERR_ARGUMENT if there is no such column.
PLOY_API ploy_result ploy_schema_set_target(ploy_schema *schema, int32_t column);

/// Number of columns; the target is one of them.
PLOY_API int32_t ploy_schema_count(const ploy_schema *schema);
/// Name, kind and number of categories of a column; "", PLOY_COLUMN_NUMBER and 0 out of range.
PLOY_API const char *ploy_schema_name_at(const ploy_schema *schema, int32_t column);
PLOY_API ploy_column_kind ploy_schema_kind_at(const ploy_schema *schema, int32_t column);
PLOY_API int32_t ploy_schema_value_count(const ploy_schema *schema, int32_t column);
/// Name of a category; "" out of range.
PLOY_API const char *ploy_schema_value_at(const ploy_schema *schema, int32_t column, int32_t value);
/// Index of the target's column; -1 without columns.
PLOY_API int32_t ploy_schema_target(const ploy_schema *schema);
/// Number of classes: the target's categories; 0 if it is a number.
PLOY_API int32_t ploy_schema_classes(const ploy_schema *schema);
/// Index of the column or category of that name; -1 if there is none.
PLOY_API int32_t ploy_schema_find(const ploy_schema *schema, const char *name);
PLOY_API int32_t ploy_schema_find_value(const ploy_schema *schema, int32_t column,
                                        const char *text);
/// Checks a row: categories and numbers in range, or missing.
PLOY_API bool ploy_schema_accepts(const ploy_schema *schema, const double *row);
/// Equal for equal names, kinds, categories and target.
PLOY_API uint64_t ploy_schema_hash(const ploy_schema *schema);
/// Visits the whole schema; a load replaces the columns.
PLOY_API void ploy_schema_visit(ploy_visit *v, void *object);

// ---- examples

/// Rows under one schema. Opaque.
typedef struct ploy_examples ploy_examples;

/// An empty table with a copy of the schema. @return PLOY_ERR_ARGUMENT without columns,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_examples_create(const ploy_schema *schema, const ploy_env *env,
                                          ploy_examples **out);
/// NULL is allowed.
PLOY_API void ploy_examples_destroy(ploy_examples *examples);
PLOY_API const ploy_schema *ploy_examples_schema(const ploy_examples *examples);
/// Makes room for that many rows, so that adding them allocates nothing.
PLOY_API ploy_result ploy_examples_reserve(ploy_examples *examples, int32_t count);
/// Appends a row. @return PLOY_ERR_ARGUMENT if a value is out of range, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_examples_add(ploy_examples *examples, const double *row);
PLOY_API void ploy_examples_clear(ploy_examples *examples);
PLOY_API int32_t ploy_examples_count(const ploy_examples *examples);
/// A row, valid until the next one is added; NULL out of range.
PLOY_API const double *ploy_examples_at(const ploy_examples *examples, int32_t row);
PLOY_API uint64_t ploy_examples_hash(const ploy_examples *examples);
/// The rows; the schema is fixed at create.
PLOY_API void ploy_examples_visit(ploy_visit *v, void *object);

/// Splits by fold: a row is in fold (index modulo folds). Test rows are those of `fold`.
/// @param fold  0 to folds - 1.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY with both NULL.
PLOY_API ploy_result ploy_examples_split(const ploy_examples *examples, int32_t fold, int32_t folds,
                                         const ploy_env *env, ploy_examples **train,
                                         ploy_examples **test);
/// Options of ploy_examples_prepare.
typedef struct ploy_prepare_options {
    const bool *drop;     ///< columns to leave out, one for each; NULL: none. Never the target.
    int32_t most_values;  ///< columns of whole numbers with at most this many become categories
    int32_t most_classes; ///< the same for the target; PLOY_COLUMN_VALUES_MAX: any numbers
    bool occurring;       ///< leaves out categories that do not occur; sorts the target's by name
} ploy_prepare_options;
PLOY_API ploy_prepare_options ploy_prepare_options_default(void);
/// Copies the rows to a schema that suits learners of categories.
PLOY_API ploy_result ploy_examples_prepare(const ploy_examples *examples,
                                           const ploy_prepare_options *options, const ploy_env *env,
                                           ploy_examples **out);
/// Copies the rows to another schema: columns match by name, categories by text. A value that the
/// schema does not have becomes missing.
/// @return PLOY_ERR_NOT_FOUND if a column is missing, its index in *column (may be NULL);
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_examples_fit(const ploy_examples *examples, const ploy_schema *schema,
                                       const ploy_env *env, ploy_examples **out, int32_t *column);
