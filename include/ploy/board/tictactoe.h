/// @file ploy/board/tictactoe.h
/// Tic-tac-toe: three in a line on 3 x 3 squares.
///
/// Squares are 0 to 8 in reading order; moves are written a1 to c3 (column, then row from the
/// bottom) and also read as a square's number. A position is nine of "X", "O" and ".", rows from
/// the top separated by "/", such as "X.O/.X./..O"; who moves follows from the counts.
#pragma once

#include "ploy/board/game.h"

typedef struct ploy_board_tictactoe_def {
    uint32_t cookie; ///< set by the default; leave alone
    bool misere;     ///< three in a line loses
} ploy_board_tictactoe_def;

PLOY_API ploy_board_tictactoe_def ploy_board_tictactoe_def_default(void);
PLOY_API ploy_fields ploy_board_tictactoe_fields(void);

/// The rules of tic-tac-toe.
PLOY_API const ploy_board_type *ploy_board_tictactoe(void);
