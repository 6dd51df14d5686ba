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
/// Writes the matrix of two inputs and an output as text: in each cell the conclusion and the
/// degree to which it fired in the last step, with a star if it fired.
PLOY_API void ploy_fuzzy_print_matrix(const ploy_fuzzy *fuzzy, int32_t row, int32_t column,
                                      int32_t output, ploy_writer *writer);

/// A rule of the block format: one state of every input; states are numbered across all inputs.
typedef struct ploy_fuzzy_block_rule {
    const int32_t *states; ///< as many as there are inputs
    int32_t conclusion;    ///< number of an output state
} ploy_fuzzy_block_rule;

/// Applies the rules: a conclusion's degree is the largest of its rules' degrees, and a rule's
/// degree is the smallest of its states'. Evaluation of a rule stops at the first state that cannot
/// raise its conclusion.
/// @param out  output_count degrees. @return the number of states evaluated.
PLOY_API int64_t ploy_fuzzy_block_decide(const double *degrees, int32_t inputs,
                                         const ploy_fuzzy_block_rule *rules, int32_t rule_count,
                                         double *out, int32_t output_count);
/// The same for a complete block: conclusions of every combination, the last input's states
/// fastest: index ((s0 * n1 + s1) * n2 + s2) and so on; -1 for no rule.
/// @param counts  states of each input, at most 16 inputs. @return PLOY_ERR_ARGUMENT for more, or
///                a count below 1.
PLOY_API ploy_result ploy_fuzzy_block_decide_complete(const double *degrees, const int32_t *counts,
                                                      int32_t inputs, const int32_t *conclusions,
                                                      double *out, int32_t output_count);
/// Combs' method: state s alone concludes conclusions[s], -1 for nothing.
PLOY_API void ploy_fuzzy_block_decide_combs(const double *degrees, int32_t states,
                                            const int32_t *conclusions, double *out,
                                            int32_t output_count);

/// The block format for many characters at once, in bytes: degrees[s * characters + c] is state s
/// of character c, out[o * characters + c] conclusion o. Rules do not stop early, so that each rule
/// is one pass over all characters, which compilers vectorise. The results are those of
/// ploy_fuzzy_block_decide, rounded.
PLOY_API void ploy_fuzzy_block_decide_bytes(const uint8_t *degrees, int32_t characters,
                                            int32_t inputs, const ploy_fuzzy_block_rule *rules,
                                            int32_t rule_count, uint8_t *out, int32_t output_count);
