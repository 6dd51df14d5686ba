/// @file ploy/data/obf.h
/// OBF files: Othello problems, one position per line with the exact score of each move.
///
///     --XXXXX--OOOXX-O-...--OOOOO-- X; G8:+18; H1:+12;
///
/// Squares from a1 by rows (16, 36 or 64 of `X`, `O`, `-`), the side to move, then moves with
/// scores in discs. Empty lines and lines that begin with `%` or `#` are skipped.
#pragma once

#include "ploy/base/diags.h"

typedef struct ploy_obf_move {
    char text[8];  ///< in lower case: "g8", "pass"
    int32_t score; ///< discs, for the side to move
} ploy_obf_move;

typedef struct ploy_obf_problem {
    char position[72];    ///< as ploy_board_othello reads it: squares, a blank, the side
    int32_t size;         ///< rows and columns
    int32_t line;         ///< of the file
    int32_t first, count; ///< moves
} ploy_obf_problem;

/// A loaded file. Opaque.
typedef struct ploy_obf ploy_obf;

/// Reads a file. Every faulty line is reported.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_obf_load(const void *bytes, size_t size, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_obf **out);
PLOY_API void ploy_obf_destroy(ploy_obf *obf);

PLOY_API int32_t ploy_obf_count(const ploy_obf *obf);
/// NULL out of range.
PLOY_API const ploy_obf_problem *ploy_obf_at(const ploy_obf *obf, int32_t index);
/// Returns a move of a problem, 0 to its count - 1; NULL out of range.
PLOY_API const ploy_obf_move *ploy_obf_move_at(const ploy_obf *obf, const ploy_obf_problem *problem,
                                               int32_t index);
