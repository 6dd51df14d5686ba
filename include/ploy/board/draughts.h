/// @file ploy/board/draughts.h
/// Draughts: English checkers and eight relatives, one move generator driven by a table of rules.
///
/// | rules | board | men capture | kings | obligation | a man that reaches the last row in a capture |
/// |---|---|---|---|---|---|
/// | english | 8x8 | forward | short | none | stops |
/// | international | 10x10 | all directions | long | most pieces | continues as a man |
/// | brazilian | 8x8 | all directions | long | most pieces | continues as a man |
/// | russian | 8x8 | all directions | long | none | continues as a king |
/// | pool | 8x8 | all directions | long | none | continues as a man |
/// | italian | 8x8 | forward, no kings | short | most pieces, with a king, most kings, kings first | stops |
/// | spanish | 8x8 | forward | long | most pieces, then most kings | stops |
/// | czech | 8x8 | forward | long | with a king | stops |
/// | frisian | 10x10 | all directions, also straight | long | highest value, then with a king | continues as a man |
///
/// A capture is one move and must be completed; captured pieces leave the board at its end, so they
/// block until then and cannot be jumped twice. A player who cannot move loses. A game without a
/// capture or a man's move for `quiet_plies` plies is drawn. Frisian: a king may make three quiet
/// moves in a row while its side has men.
///
/// Squares are numbered by rows from the top. Black has the top, white the bottom; black moves
/// first in English
/// checkers, white in all others. Text of a position is PDN's: `W:W21,22,K30:B1,2,K5` (ranges such
/// as `1-12` are read too). Moves are `11-15` and `22x15`, with every landing square where that is
/// ambiguous (`22x15x8`).
#pragma once

#include "ploy/board/game.h"

typedef enum ploy_board_draughts_rules {
    PLOY_BOARD_DRAUGHTS_ENGLISH,
    PLOY_BOARD_DRAUGHTS_INTERNATIONAL,
    PLOY_BOARD_DRAUGHTS_BRAZILIAN,
    PLOY_BOARD_DRAUGHTS_RUSSIAN,
    PLOY_BOARD_DRAUGHTS_POOL,
    PLOY_BOARD_DRAUGHTS_ITALIAN,
    PLOY_BOARD_DRAUGHTS_SPANISH,
    PLOY_BOARD_DRAUGHTS_CZECH,
    PLOY_BOARD_DRAUGHTS_FRISIAN
} ploy_board_draughts_rules;
#define PLOY_BOARD_DRAUGHTS_RULES 9

typedef struct ploy_board_draughts_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_board_draughts_rules rules;
    bool routes;         ///< list captures of the same pieces by different routes separately
    int32_t quiet_plies; ///< plies without a capture or a man's move after which the game is drawn
} ploy_board_draughts_def;

PLOY_API ploy_board_draughts_def ploy_board_draughts_def_default(void);
PLOY_API ploy_fields ploy_board_draughts_fields(void);

/// A position; bit = square number - 1.
typedef struct ploy_board_draughts_position {
    uint64_t pieces[2];     ///< of white and black
    uint64_t kings;         ///< of both
    uint8_t side;           ///< 0 white, 1 black
    uint8_t over;           ///< 1: the side to move cannot move, 2: drawn
    uint8_t king_square[2]; ///< Frisian: the king that moved last, square + 1; 0: none
    uint8_t king_moves[2];  ///< Frisian: its quiet moves in a row
    uint16_t quiet;         ///< plies since the last capture or man's move
} ploy_board_draughts_position;

/// The rules of draughts. Player 0 moves first (black in English checkers).
PLOY_API const ploy_board_type *ploy_board_draughts(void);
