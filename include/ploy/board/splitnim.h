/// @file ploy/board/splitnim.h
/// Split-Nim: a turn splits one pile into two unequal ones; a player who cannot move loses.
///
/// Moves are written as the two new piles, such as "5+2". A position is the piles, largest first,
/// with dashes and the side to move: "4-2-1 2" (the second player moves).
#pragma once

#include "ploy/board/game.h"

typedef struct ploy_board_splitnim_def {
    uint32_t cookie; ///< set by the default; leave alone
    int32_t coins;   ///< of the first pile
} ploy_board_splitnim_def;

PLOY_API ploy_board_splitnim_def ploy_board_splitnim_def_default(void);
PLOY_API ploy_fields ploy_board_splitnim_fields(void);

/// The rules of Split-Nim.
PLOY_API const ploy_board_type *ploy_board_splitnim(void);
