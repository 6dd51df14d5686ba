/// @file ploy/decide/heuristics.h
/// Rules of thumb: small functions that make a good choice cheaply, for cases where finding the
/// best one is not worth the cost.
///
/// - Unit values: one number for each kind of piece shows which side is ahead and what is worth its
///   price.
/// - Most constrained first: tasks that only few agents can do are assigned first.
/// - Most difficult first: the largest things are placed first, while there is room.
/// - Most promising first: a rough score orders the options.
/// - Reach creep: a unit takes a small step to engage an enemy that is just out of reach.
/// - Greedy junctions: at a junction, take the exit that points most nearly at the target.
///
/// Technique: Millington, "AI for Games", 3rd edition, 2.2.2. Ties are broken by index. Units:
/// metres. Cost: see each function; nothing allocates. Threads: pure functions.
#pragma once

#include "ploy/base/env.h"
#include "ploy/geom/vec.h"

/// Returns the own side's value minus the enemy's; above 0, the own side is ahead.
PLOY_API double ploy_worth_advantage(const double *values, const int32_t *own, const int32_t *enemy,
                                     int32_t kinds);

/// Assigns items, those with the fewest candidates first. Each goes to the free agent that can do
/// the fewest of the remaining items; an agent gets at most one.
/// @param can    agent i can do item j: can[i * items + j].
/// @param taker  one for each item: its agent, or -1 if no agent was left for it.
/// @param idle   scratch, one for each agent.
/// @return the number of assigned items. Cost: O(items * agents * items).
PLOY_API int32_t ploy_most_constrained_first(const bool *can, int32_t agents, int32_t items,
                                             int32_t *taker, bool *idle);

/// Places things of a size into groups with room, the largest first, each into the group with the
/// most room left.
/// @param sizes  of the things; a size below 0 or NaN fits nowhere.
/// @param room   of the groups; reduced to the room left.
/// @param group  one for each thing: its group, or -1.
/// @param order  scratch, one for each thing.
/// @param sorted false places them in the order given, for comparison.
/// @return how many found a place. Cost: O(things * (things + groups)).
PLOY_API int32_t ploy_most_difficult_first(const float *sizes, int32_t things, float *room,
                                           int32_t groups, bool sorted, int32_t *group,
                                           int32_t *order);
