/// @file ploy/board/connect4.h
/// Connect Four of any size: drop discs into columns, four in a row wins.
///
/// Moves are columns, written 1 to 9. A position is its rows from the top, "X" for the first
/// player, "O" for the second, "." for empty, separated by "/"; the columns played so far, such as
/// "4453", are read too. Technique: bit sets with one spare row, Tromp 1995; every line of four is
/// found by three shifts.
#pragma once

#include "ploy/board/game.h"

typedef struct ploy_board_connect4_def {
    uint32_t cookie; ///< set by the default; leave alone
    int32_t width;   ///< columns
    int32_t height;  ///< rows; (height + 1) * width is at most 64
    int32_t line;    ///< discs in a row that win
} ploy_board_connect4_def;

PLOY_API ploy_board_connect4_def ploy_board_connect4_def_default(void);
PLOY_API ploy_fields ploy_board_connect4_fields(void);

/// A position, for solvers. Bit column * (height + 1) + row.
typedef struct ploy_board_connect4_position {
    uint64_t hash;
    uint64_t discs[2]; ///< of each player
    int32_t count;     ///< discs on the board; the first player moves when it is even
    int32_t won;       ///< the last move completed a line
} ploy_board_connect4_position;

/// The rules of Connect Four.
PLOY_API const ploy_board_type *ploy_board_connect4(void);
