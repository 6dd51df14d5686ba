/// @file ploy/decide/goal_fetch.h
/// Fetching items: which item of a kind to go to, the goal that gets it, and weaving under fire.
///
/// ploy_item_choose picks the item that is cheapest to reach. With `aware` it also accepts an item
/// that was taken, if it will have respawned at the time of arrival: an agent that knows the
/// respawn times is there first. The costs come from any search or table of the game (all-pairs
/// costs make this O(items)).
///
///     get item (health)     gets an item from the mover, goes there, waits if necessary
///       move to             completed when it is picked up, failed when it is gone
///
/// ploy_goal_weave makes an agent swerve from side to side on its course to an item, so that it is
/// harder to hit and still makes progress. It is a layer over steering, not a goal: path, items and
/// arrival are unchanged. Technique: Buckland, "Programming Game AI by Example", chapter 9 and its
/// exercises. Difference: while the path is searched, the agent seeks towards the item, whose
/// position is known, and does not wander.
///
/// Units: metres, seconds. Threads: the functions may be called by many threads; the goal as in
/// ploy/decide/goal_moves.h.
#pragma once

#include "ploy/decide/goal_moves.h"

/// An item of the kind, as ploy_item_choose weighs it.
typedef struct ploy_item_option {
    float cost;  ///< m to walk there; INFINITY: it cannot be reached
    float pause; ///< s until it respawns; 0: it is there; INFINITY: never
} ploy_item_option;

/// Returns whether the item is there when an agent with this speed arrives: it is there already, or
/// respawns in time. @param speed  m/s.
PLOY_API bool ploy_item_in_time(ploy_item_option option, float speed);
/// Returns the cheapest option that is there or, if `aware`, respawns in time. Among equals the
/// first; -1 if there is none.
PLOY_API int32_t ploy_item_choose(const ploy_item_option *options, int32_t count, float speed,
                                  bool aware);

/// Parameters of get item. Plain data without gaps.
typedef struct ploy_goal_item_params {
    ploy_name kind;    ///< for the mover's find_item
    float patience;    ///< s to wait at the place for an item that is not there yet
    uint32_t reserved; ///< 0
} ploy_goal_item_params;

/// Goes to an item of a kind. Needs the mover's find_item and item.
PLOY_API const ploy_goal_type *ploy_goal_get_item(void);
/// Registers the goal with a tree, so that a saved tree can contain it. It needs those of
/// ploy_goal_moves_register too.
PLOY_API ploy_result ploy_goal_fetch_register(ploy_goals *goals);

/// Returns the place to steer towards instead of `to`: ahead, alternately left and right of the
/// line. At least 80 % of the speed remains along the line. Nearer than 2 width, and for a width or
/// period that is not above 0, it is `to` itself.
/// @param width   m, how far to each side. @param period  s from one side to the other and back.
PLOY_API ploy_vec2 ploy_goal_weave(ploy_vec2 at, ploy_vec2 to, double now, float width,
                                   float period);
