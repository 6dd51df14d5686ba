/// @file ploy/path/conflicts.h
/// Conflict-based search: optimal paths for a few agents that must not collide.
///
/// The rules are those of ploy/path/cooperative.h: in a tick each agent follows an edge or waits,
/// no two share a state or change places. The search minimises the sum of the ticks until each
/// agent stays at its goal.
///
/// The agents' individual shortest paths come first. Where two collide, the problem is split:
/// either one or the other must not be there at that tick. Each side replans one agent, and the
/// cheapest side is continued until nothing collides. The answer is optimal; the time grows with
/// the number of conflicts, so this is for few agents or loose crowds.
///
/// Technique: Sharon, Stern, Felner, Sturtevant, "Conflict-Based Search for Optimal Multi-Agent
/// Pathfinding" (2015). One unit of budget is one state taken by a plan.
///
/// Memory: a path for each side of a split, until the next begin. Threads: one caller.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/path/finder.h"
#include "ploy/path/representation.h"
#include "ploy/search/search.h"

/// Opaque.
typedef struct ploy_conflicts ploy_conflicts;

typedef struct ploy_conflicts_def {
    uint32_t cookie;
    int32_t max_nodes; ///< sides of splits after which the search gives up
    int32_t max_ticks; ///< of the longest path
} ploy_conflicts_def;

PLOY_API ploy_conflicts_def ploy_conflicts_def_default(void);
PLOY_API ploy_fields ploy_conflicts_fields(void);
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_conflicts_create(const ploy_conflicts_def *def, const ploy_env *env,
                                           ploy_conflicts **out);
/// NULL is allowed.
PLOY_API void ploy_conflicts_destroy(ploy_conflicts *conflicts);

/// An agent's start and goal.
typedef struct ploy_conflicts_agent {
    int32_t start, goal;
} ploy_conflicts_agent;

/// Begins. @param space  with a count and reverse edges; copied; what it points to must stay valid.
/// @return PLOY_ERR_ARGUMENT for invalid states, two agents with one start or one goal, or no
///         agents; PLOY_ERR_MEMORY. There is nothing to do then.
PLOY_API ploy_result ploy_conflicts_begin(ploy_conflicts *conflicts, const ploy_space *space,
                                          const ploy_conflicts_agent *agents, int32_t count);
/// Continues the search. @return PLOY_IN_PROGRESS; PLOY_OK when there is an outcome; PLOY_ERR_STATE
/// if there is nothing to do; PLOY_ERR_MEMORY or the error of expand, after which there is nothing
/// to do.
PLOY_API ploy_result ploy_conflicts_step(ploy_conflicts *conflicts, ploy_budget *budget);
PLOY_API void ploy_conflicts_cancel(ploy_conflicts *conflicts);
/// Begins a search and steps it to the end.
PLOY_API ploy_result ploy_conflicts_run(ploy_conflicts *conflicts, const ploy_space *space,
                                        const ploy_conflicts_agent *agents, int32_t count);

/// Returns found; none if an agent has no path at all; pruned if the search gave up.
PLOY_API ploy_search_outcome ploy_conflicts_outcome(const ploy_conflicts *conflicts);
/// Returns the sum of all agents' ticks until they are at their goals; -1 without a solution.
PLOY_API int64_t ploy_conflicts_cost(const ploy_conflicts *conflicts);

typedef struct ploy_conflicts_stats {
    int64_t nodes; ///< sides that were made
    int64_t plans;
    int64_t taken; ///< states, the units
} ploy_conflicts_stats;

/// Describes the statistics so far.
PLOY_API void ploy_conflicts_describe(const ploy_conflicts *conflicts, ploy_describe *out);
PLOY_API void ploy_conflicts_memory(const ploy_conflicts *conflicts, ploy_memory_fn fn, void *user);

/// Other agents to plan for. Start from ploy_conflicts_finder_def_default().
typedef struct ploy_conflicts_finder_def {
    /// The places. Read by make; what it points to must outlive the finders.
    const ploy_representation *level;
    ploy_conflicts_def conflicts;
    int32_t capacity; ///< most others
    /// Writes the other agents to plan for, at most capacity of them, and returns their number.
    int32_t (*others)(void *user, const ploy_path_request *request, ploy_conflicts_agent *out,
                      int32_t capacity);
    void *user;
} ploy_conflicts_finder_def;

PLOY_API ploy_conflicts_finder_def ploy_conflicts_finder_def_default(void);
/// Finders for one agent's part of the best plan for all: "conflicts". A step or a wait (an edge of
/// the kind "wait") takes a tick and costs 1. The sum over all agents is least, so this agent's
/// path alone need not be. Others whose start is that of the request are left out, because that is
/// the agent itself. They refuse cost hooks, goals by predicate and variety; begin also refuses a
/// goal that another agent has. If the search gives up, there is no path.
/// @param def  must stay valid as long as the factory is used.
PLOY_API ploy_finder_factory ploy_conflicts_finder(const ploy_conflicts_finder_def *def);
