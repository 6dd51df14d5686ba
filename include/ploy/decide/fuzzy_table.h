/// @file ploy/decide/fuzzy_table.h
/// Rules as tables: fuzzy associative matrices, Combs' linear rule bases, and the block format.
///
/// A matrix gives the conclusion for each pair of terms of two inputs; it builds rules of a
/// ploy_fuzzy_type and prints them back with the degrees that fired. Combs' method has one rule for
/// each single term, so that the number of rules is the sum of the terms, not their product as in a
/// matrix.
///
/// The block format works directly on degrees, without a type: each rule names one state of every
/// input. Technique: Millington, "AI for Games", 5.5.5 and 5.5.6. Threads: the plain functions have
/// no state.
#pragma once

#include "ploy/decide/fuzzy.h"

/// Adds the rules of a matrix: `if ROW is r and COLUMN is c then OUTPUT is cells[r * columns + c]`.
/// @param column  -1: a matrix of one column.
/// @param cells   names of the output's terms; NULL or "" for no rule.
PLOY_API ploy_result ploy_fuzzy_type_matrix(ploy_fuzzy_type *type, int32_t block, int32_t row,
                                            int32_t column, int32_t output,
                                            const char *const *cells);
/// Adds Combs' rules for one input: `if INPUT is t then OUTPUT is cells[t]`.
PLOY_API ploy_result ploy_fuzzy_type_combs(ploy_fuzzy_type *type, int32_t block, int32_t input,
                                           int32_t output, const char *const *cells);
/// A starting point for Combs' rules: the most frequent conclusion of each row and each column of a
/// matrix, one vote per cell; of equals, the output's later term.
/// @param cells       rows x columns term numbers, -1 for none.
/// @param row_terms   rows numbers. @param column_terms  columns numbers; -1 without votes.
PLOY_API void ploy_fuzzy_combs_vote(const int32_t *cells, int32_t rows, int32_t columns,
                                    int32_t terms, int32_t *row_terms, int32_t *column_terms);

/// A rule of the block format: one state of every input; states are numbered across all inputs.
typedef struct ploy_fuzzy_block_rule {
    const int32_t *states; ///< as many as there are inputs
    int32_t conclusion;    ///< number of an output state
} ploy_fuzzy_block_rule;
