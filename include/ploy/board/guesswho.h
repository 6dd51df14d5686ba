/// @file ploy/board/guesswho.h
/// Guess Who?: each player has drawn a person; the first player to identify the other's person
/// wins.
///
/// A question about a feature that k of the n remaining persons have leaves k or n - k of them.
/// Which persons have it does not matter, so a move is the number k, and the persons are numbered
/// such that the first k have it. Two chance moves draw the persons at the start; they are hidden.
/// With 24 persons and perfect play, the first player wins 63.19 % (Nica, "Optimal Strategy in
/// Guess Who?", 2016).
///
/// Moves are written "draw 5" and "ask 3". A position is "24 24 - - 1": the persons that remain for
/// each player, the person that each has to find ("-": not drawn yet), the player to move.
#pragma once

#include "ploy/board/game.h"

typedef struct ploy_board_guesswho_def {
    uint32_t cookie; ///< set by the default; leave alone
    int32_t persons; ///< of each player
} ploy_board_guesswho_def;

PLOY_API ploy_board_guesswho_def ploy_board_guesswho_def_default(void);
PLOY_API ploy_fields ploy_board_guesswho_fields(void);

/// The winning chance of the player to move, under perfect play, with `own` persons left against
/// `other`. Cost: O(own^2 * other) per call; both at most 40. @return 0 to 1.
PLOY_API double ploy_board_guesswho_value(int32_t own, int32_t other);

/// The rules of Guess Who?
PLOY_API const ploy_board_type *ploy_board_guesswho(void);
