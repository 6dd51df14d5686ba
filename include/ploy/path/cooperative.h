/// @file ploy/path/cooperative.h
/// Paths for many agents that do not collide: windowed hierarchical cooperative A*.
///
/// Time advances in ticks; in each tick an agent follows one edge of a space or waits. No two
/// agents share a state, and no two change places. Agents plan one after the other, each around
/// what the others have reserved in a table, and only a window of ticks ahead. Beyond the window
/// the estimate is the true distance to the goal without other agents, so a short search in time is
/// based on a long one in space. An agent that found no path plans first next time, then the others
/// in turn.
///
/// This is fast and not complete: agents may wait for each other forever in corridors where one
/// would have to move back a long distance. ploy/path/conflicts.h finds the best solution or
/// reports that it gave up. One guarantee always holds: no step is a collision; an agent that would
/// run into another waits.
///
/// Technique: Silver, "Cooperative Pathfinding" (2005), with true distances searched backward once
/// for each goal.
///
/// Memory: 4 bytes for each agent and state, 16 for each reservation. Threads: one caller.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/path/finder.h"
#include "ploy/path/representation.h"
#include "ploy/search/space.h"

/// Opaque.
typedef struct ploy_cooperative ploy_cooperative;

typedef struct ploy_cooperative_def {
    uint32_t cookie;
    int32_t capacity; ///< most agents
    int32_t window;   ///< ticks planned ahead
    int32_t renew;    ///< ticks after which an agent plans again, at most the window
} ploy_cooperative_def;

PLOY_API ploy_cooperative_def ploy_cooperative_def_default(void);
PLOY_API ploy_fields ploy_cooperative_fields(void);
/// @param space  with a count and reverse edges; copied; what it points to must stay valid and not
///               change. Each edge takes a tick; costs are not read.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_cooperative_create(const ploy_cooperative_def *def,
                                             const ploy_space *space, const ploy_env *env,
                                             ploy_cooperative **out);
/// NULL is allowed.
PLOY_API void ploy_cooperative_destroy(ploy_cooperative *cooperative);

/// Adds an agent; they are numbered from 0. @return PLOY_ERR_ARGUMENT for an invalid state,
/// PLOY_ERR_EXISTS if the state is occupied, PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_cooperative_add(ploy_cooperative *cooperative, int32_t start,
                                          int32_t goal, int32_t *out);
/// Changes an agent's goal. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_cooperative_set_goal(ploy_cooperative *cooperative, int32_t agent,
                                               int32_t goal);
/// Call it after the space has changed. Rebuilds distances and plans. @return PLOY_ERR_MEMORY or
/// the error of expand.
PLOY_API ploy_result ploy_cooperative_changed(ploy_cooperative *cooperative);

/// Runs one tick: agents whose plan is old replan, then all agents follow their plans.
/// @return PLOY_ERR_MEMORY, the error of expand, or PLOY_ERR_STATE if an edge leads to a state beyond
///         the space's count at create; no agent has then moved.
PLOY_API ploy_result ploy_cooperative_step(ploy_cooperative *cooperative);

PLOY_API int32_t ploy_cooperative_count(const ploy_cooperative *cooperative);
/// Return an agent's state, its goal, and its planned state after some ticks, or PLOY_STATE_NONE.
PLOY_API int32_t ploy_cooperative_state(const ploy_cooperative *cooperative, int32_t agent);
PLOY_API int32_t ploy_cooperative_goal(const ploy_cooperative *cooperative, int32_t agent);
PLOY_API int32_t ploy_cooperative_planned(const ploy_cooperative *cooperative, int32_t agent,
                                          int32_t ticks);

typedef struct ploy_cooperative_stats {
    int64_t ticks;
    int64_t plans;  ///< searches
    int64_t taken;  ///< states they took
    int64_t failed; ///< searches that found no path through the window
    int64_t held;   ///< steps not taken because another agent was in the way
} ploy_cooperative_stats;

/// Returns the statistics so far.
PLOY_API ploy_cooperative_stats ploy_cooperative_stats_of(const ploy_cooperative *cooperative);
PLOY_API void ploy_cooperative_describe(const ploy_cooperative *cooperative, ploy_describe *out);
PLOY_API void ploy_cooperative_memory(const ploy_cooperative *cooperative, ploy_memory_fn fn,
                                      void *user);
/// The group's visitor, for saves. A load needs a group with the same def over the same space; it
/// may have other agents, or none.
PLOY_API void ploy_cooperative_visit(ploy_visit *v, void *cooperative);

/// A group to avoid. Start from ploy_cooperative_finder_def_default().
typedef struct ploy_cooperative_finder_def {
    const ploy_cooperative *group; ///< must outlive the finders
    /// The places; its states are those of the group's space. Read by make; what it points to must
    /// outlive the finders.
    const ploy_representation *level;
    int32_t max_ticks; ///< of the longest path
} ploy_cooperative_finder_def;

PLOY_API ploy_cooperative_finder_def ploy_cooperative_finder_def_default(void);
/// Finders of paths that avoid the planned paths of a group's agents: "cooperative". A step or a
/// wait (an edge of the kind "wait") takes a tick and costs 1. As far as the plans reach, the path
/// is never in a state that an agent occupies at that tick and never changes places with one. It
/// takes the fewest ticks possible with those plans. An agent of the group that is at the start
/// does not block itself. A step of the group ends the search with PLOY_ERR_CHANGED. They refuse
/// cost hooks, goals by predicate and variety.
/// @param def  must stay valid as long as the factory is used.
PLOY_API ploy_finder_factory ploy_cooperative_finder(const ploy_cooperative_finder_def *def);
