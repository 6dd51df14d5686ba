/// @file ploy/decide/goal_fight.h
/// Goals of a fighter's movement: attack, hunt, dodge from side to side.
///
/// These goals decide only where a fighter moves while it fights. Choosing a weapon, aiming and
/// shooting are independent of them, so that it fires whenever it can.
///
///     attack               target in view and room at the side: dodge; no room: charge
///       dodge side to side until the target is out of view
///     attack               target out of view
///       hunt               where it was last sensed, then explore
///         move to
///
/// The target and the free space come from the ploy_goal_mover that owns the tree (target and
/// side_step; explore for hunting). Attack and hunt complete when there is no target left, so that
/// the arbiter above chooses again. Technique: Buckland,
/// "Programming Game AI by Example", chapter 9, which leaves hunt and dodge to the reader.
/// Differences: if the fighter learns a newer place while it hunts (a shot heard, a comrade's
/// report), it goes there at once; a side step that takes too long is aborted.
///
/// Units: metres, seconds. Threads: as ploy/decide/goal_moves.h.
#pragma once

#include "ploy/decide/goal_moves.h"

/// Moves as an attacker does, until there is no target or the target is out of view.
PLOY_API const ploy_goal_type *ploy_goal_attack(void);
/// Searches for the target, until it is in view or forgotten.
PLOY_API const ploy_goal_type *ploy_goal_hunt(void);
/// Steps to one side and to the other while the target is in view; fails if neither side has room.
PLOY_API const ploy_goal_type *ploy_goal_dodge(void);

/// Registers these goals with a tree, so that a saved tree can contain them. They need those of
/// ploy_goal_moves_register too.
PLOY_API ploy_result ploy_goal_fight_register(ploy_goals *goals);
