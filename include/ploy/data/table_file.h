/// @file ploy/data/table_file.h
/// Tables of examples from files: ARFF, CSV, the MONK's problems and FANN's training data.
///
/// - ARFF (Weka): `@attribute name {a, b}`, `numeric`, `real`, `integer` or `string`, then `@data`;
///   sparse rows too. Strings become categories. Dates are refused.
/// - CSV: a column is numeric if every value is a number. The first row names the columns if none
///   of its cells is a number or occurs again in its column; otherwise they are c1, c2, ... The
///   first row of scikit-learn's files (rows, columns, names of the classes) is recognized too.
/// - MONK's: `class a1 a2 a3 a4 a5 a6 id`, separated by blanks; the id is ignored.
///
/// `?` and an empty cell are missing values. The last column is the target; in MONK's, the first.
/// Several faults are reported, with line and column. Cost: linear. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/learn/table.h"

typedef enum ploy_table_format {
    /// By the name's ending: .arff, .csv; otherwise CSV if a comma is in line 1; .data.
    PLOY_TABLE_ANY,
    PLOY_TABLE_ARFF,
    PLOY_TABLE_CSV,
    PLOY_TABLE_MONKS,
    PLOY_TABLE_FANN ///< ploy/data/fann.h
} ploy_table_format;

/// Reads a table.
/// @param bytes  need not end with a zero.
/// @param name   of the file, for messages and for PLOY_TABLE_ANY.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT with the reasons in diags, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_table_load(const void *bytes, size_t size, const char *name,
                                     ploy_table_format format, const ploy_env *env,
                                     ploy_diags *diags, ploy_examples **out);
