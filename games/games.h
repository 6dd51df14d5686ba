/// @file games/games.h
/// The games: whole ones on top of the library, each a simulation as the labs are.
///
/// What `ploy play NAME --json` prints of a game beside its hash are the values in the group
/// "summary" that the game describes; of a game that speaks (PLOY_SIM_SPEAKS) it prints the texts in
/// the group "said" too, after each tick.
#pragma once

#include "ploy/exec/sim.h"

/// Every game, ended by NULL.
PLOY_API const ploy_sim_type *const *ploy_games(void);
