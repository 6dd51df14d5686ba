/// @file ploy/board/othello.h
/// Othello (Reversi) on 4x4, 6x6 or 8x8 squares.
///
/// Players place discs in turn; each move must turn at least one line of enemy discs between two
/// own discs. A player without such a move passes, and the game ends when neither has one. Results
/// are margins in hundredths of a disc, and so are evaluations; empty squares go to the winner.
///
/// Text of a position: one character per square from a1 (top left) by rows, `X` black (first), `O`
/// white, `-` empty, then a blank and the side to move: the form of OBF files. Moves are `d3` or
/// `pass`.
///
/// The evaluation adds mobility, squares beside enemy discs, corners, the squares next to empty
/// corners, stable discs, the count of discs and, on 8x8 squares, patterns of edges, corners and
/// diagonals, with weights that change with the phase and were learned (`fit` of
/// ploy/board/learn.h).
/// Symmetries: the eight of the square.
#pragma once

#include "ploy/board/game.h"

typedef struct ploy_board_othello_def {
    uint32_t cookie; ///< set by the default; leave alone
    int32_t size;    ///< rows and columns: 4, 6 or 8
} ploy_board_othello_def;

PLOY_API ploy_board_othello_def ploy_board_othello_def_default(void);
PLOY_API ploy_fields ploy_board_othello_fields(void);

/// A position. Bit column + 8 * row, row 0 at the top, for every size.
typedef struct ploy_board_othello_position {
    uint64_t discs[2]; ///< of black and white
    uint64_t moves;    ///< squares open to the side to move; derived by make
    uint8_t side;      ///< 0 black, 1 white
    uint8_t over;      ///< 1 if neither side has a move
    uint8_t size;      ///< rows and columns
    uint8_t unused[5]; ///< 0
} ploy_board_othello_position;

/// The move that places no disc. Others are square + 1.
#define PLOY_BOARD_OTHELLO_PASS ((ploy_board_move)65)

/// The rules of Othello.
PLOY_API const ploy_board_type *ploy_board_othello(void);
