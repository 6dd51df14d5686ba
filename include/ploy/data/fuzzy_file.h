/// @file ploy/data/fuzzy_file.h
/// Fuzzy systems as files: FLL and FLD of fuzzylite, and FCL (IEC 61131-7).
///
/// FLL is fuzzylite's own language: `Engine:`, `InputVariable:`, `OutputVariable:` and `RuleBlock:`
/// sections of `key: value` lines. FCL is the language of the standard: FUNCTION_BLOCK with
/// VAR_INPUT, FUZZIFY, DEFUZZIFY and RULEBLOCK, with the extensions of fuzzylite and jFuzzyLogic
/// (names of shapes, formulas, hedges). FLD is a table: a row of names, then a row of numbers for
/// each evaluation.
///
/// Loaders continue after a fault and report all faults of a file, each with line, column and the
/// nearest valid name. Where FCL is not specific: AND and OR follow from each other, otherwise they
/// are MIN and MAX; ACT is MIN, ACCU is MAX; a missing RANGE is the range that the terms cover; an
/// area is sampled `samples` times.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/decide/fuzzy.h"

/// Reads an FLL file into a finished type.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_NOT_FOUND (a rule's name), PLOY_ERR_LIMIT or PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_fll_load(const void *bytes, size_t size, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_fuzzy_type **out);
/// Writes an FLL file; numbers are exact. Features that fuzzylite does not have (ploy's own
/// defuzzifiers, singletons) are written under ploy's names, which only ploy reads.
PLOY_API ploy_result ploy_fll_save(const ploy_fuzzy_type *type, ploy_writer *writer);

/// Reads a function block of an FCL file into a finished type.
/// @param block    its name; NULL: the first.
/// @param samples  of areas, which FCL does not specify; 0: 100.
PLOY_API ploy_result ploy_fcl_load(const void *bytes, size_t size, const char *name,
                                   const char *block, int32_t samples, const ploy_env *env,
                                   ploy_diags *diags, ploy_fuzzy_type **out);
/// Writes an FCL file.
/// @return PLOY_ERR_UNSUPPORTED, with part of the text written, for features that FCL lacks:
///         activations other than all rules, and ploy's own defuzzifiers.
PLOY_API ploy_result ploy_fcl_save(const ploy_fuzzy_type *type, ploy_writer *writer);

/// A table of numbers with named columns.
typedef struct ploy_fld ploy_fld;

PLOY_API ploy_result ploy_fld_load(const void *bytes, size_t size, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_fld **out);
/// NULL is allowed.
PLOY_API void ploy_fld_destroy(ploy_fld *fld);
/// NaN out of range.
PLOY_API double ploy_fld_get(const ploy_fld *fld, int32_t row, int32_t column);

/// The comparison of a type with a table of expected results.
typedef struct ploy_fld_report {
    int32_t rows;
    double worst;      ///< largest |ours - table|; infinite where only one of them is NaN
    int32_t worst_row; ///< from 0
    int32_t worst_output;
    double ours, wanted; ///< there
} ploy_fld_report;

/// Evaluates every row in order with one instance and compares all outputs. Columns are found by
/// the variables' names.
/// @return PLOY_ERR_NOT_FOUND if a variable has no column (the diags name it).
PLOY_API ploy_result ploy_fld_compare(const ploy_fld *fld, const ploy_fuzzy_type *type,
                                      const ploy_env *env, ploy_diags *diags, ploy_fld_report *out);
