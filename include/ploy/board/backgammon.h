/// @file ploy/board/backgammon.h
/// Backgammon without the doubling cube: dice are chance moves, and a whole turn is one move.
///
/// Player 0 moves from point 24 down to 1 and off, player 1 the opposite direction. The first roll
/// decides who starts and is never a double. As many dice as possible must be used, and the larger
/// one if only one can be used. Two turns that end in the same position are one move. Gammons count
/// as simple wins.
///
/// Text of a position: 24 numbers with commas (point 1 to 24; player 0's checkers positive, player
/// 1's negative), `; bar A B; off A B; ` and the side to move (`0`, `1`, or `-` before the first
/// roll) with its dice (`0 31`) if they are thrown. Moves are written from the mover's view:
/// `13/11+24/18`, `bar/22`, `6/off`, `pass`; dice are `31`, with the player in front at the start
/// (`0:31`).
///
/// The evaluation counts pips, blots in reach, made points, checkers on the bar and borne off.
#pragma once

#include "ploy/board/game.h"

typedef struct ploy_board_backgammon_def {
    uint32_t cookie; ///< set by the default; leave alone
    int32_t limit;   ///< turns after which the game is drawn
} ploy_board_backgammon_def;

PLOY_API ploy_board_backgammon_def ploy_board_backgammon_def_default(void);
PLOY_API ploy_fields ploy_board_backgammon_fields(void);
/// The rules of backgammon.
PLOY_API const ploy_board_type *ploy_board_backgammon(void);
