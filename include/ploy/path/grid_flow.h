/// @file ploy/path/grid_flow.h
/// A flow field: the path from everywhere to the nearest of some goals, for many agents at once.
///
/// One flood from the goals gives each cell the cost of its path and the first step. A thousand
/// agents then need one lookup each instead of a thousand searches. The work is done in slices, and
/// an edit of the map repairs only what it changed: paths that led through the cell are dropped and
/// found again from the remaining cells beside them.
///
///     > > v # . .       costs are whole numbers, as in ploy/path/grid_search.h; directions are
///     > > v # v <       those of tiles, and vectors point along them, for flow following in
///     > > > > G <       `move` (ploy_flow_grid)
///
/// Techniques: Dijkstra from the goals; repair as in Ramalingam and Reps, "An Incremental Algorithm
/// for a Generalization of the Shortest-Path Problem" (1996). The use for crowds: Emerson, "Crowd
/// Pathfinding and Steering Using Flow Field Tiles" (Game AI Pro, 2013).
///
/// One unit of work is one cell taken, or 64 cells pointed. The contents of a finished field depend
/// only on map and goals, not on slices or earlier edits.
///
/// Memory: 42 bytes a cell, all allocated at create. Threads: one caller at a time; many may read.
#pragma once

#include "ploy/path/finder.h"
#include "ploy/path/grid_search.h"

typedef struct ploy_grid_flow_def {
    uint32_t cookie;
    bool smooth; ///< where all neighbours are free, point down the slope of the costs, not along
                 ///< one of eight directions
} ploy_grid_flow_def;

PLOY_API ploy_grid_flow_def ploy_grid_flow_def_default(void);
PLOY_API ploy_fields ploy_grid_flow_fields(void);

/// Opaque.
typedef struct ploy_grid_flow ploy_grid_flow;

/// Creates a field without goals and therefore without paths.
/// @param map  must outlive it. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grid_flow_create(const ploy_grid_flow_def *def, const ploy_grid_map *map,
                                           const ploy_env *env, ploy_grid_flow **out);
/// NULL is allowed.
PLOY_API void ploy_grid_flow_destroy(ploy_grid_flow *flow);

/// Replaces the goals and restarts. Vectors stay unchanged until the costs are computed. A goal
/// where the body does not fit counts as soon as it fits.
/// @return PLOY_ERR_ARGUMENT for an invalid cell, changing nothing.
PLOY_API ploy_result ploy_grid_flow_begin(ploy_grid_flow *flow, const int32_t *goals,
                                          int32_t count);
/// Call it after ploy_grid_map_refresh. Begins to repair what the changes touch; restarts if there
/// are many, if the field was not ready, or if the body is larger than a cell.
PLOY_API void ploy_grid_flow_refresh(ploy_grid_flow *flow);
/// Works until the field is ready (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). NULL: until
/// it is ready.
PLOY_API ploy_result ploy_grid_flow_step(ploy_grid_flow *flow, ploy_budget *budget);
/// Begins a field and steps it to the end.
PLOY_API ploy_result ploy_grid_flow_run(ploy_grid_flow *flow, const int32_t *goals, int32_t count);
/// Stops and drops the goals, and with them all paths.
PLOY_API void ploy_grid_flow_cancel(ploy_grid_flow *flow);
/// Returns the field as a task for schedulers of long work.
PLOY_API ploy_task ploy_grid_flow_task(ploy_grid_flow *flow);

/// Finds the cost of the path from a cell to the nearest goal.
/// @return false, leaving out alone, if there is none, or none yet.
PLOY_API bool ploy_grid_flow_cost(const ploy_grid_flow *flow, int32_t cell, ploy_grid_cost *out);
/// Returns the direction of the first step, among equals the lowest; -1 at a goal and where there
/// is no path.
PLOY_API int32_t ploy_grid_flow_direction(const ploy_grid_flow *flow, int32_t cell);
/// Returns a unit vector for each cell, row by row; zero at goals and where there is no path.
/// Blocked cells next to free ones point out of the wall, so that an agent pushed in gets out
/// again. Borrowed.
PLOY_API const ploy_vec2 *ploy_grid_flow_vectors(const ploy_grid_flow *flow);

typedef struct ploy_grid_flow_stats {
    int64_t forgotten; ///< cells whose path was lost
    int64_t taken;     ///< cells whose neighbours were visited
    int64_t pointed;   ///< cells whose direction was computed
    int64_t units;     ///< of work
} ploy_grid_flow_stats;

/// Returns the statistics since the last begin or refresh.
PLOY_API ploy_grid_flow_stats ploy_grid_flow_stats_of(const ploy_grid_flow *flow);

/// Draws costs as shades and directions as arrows.
PLOY_API void ploy_grid_flow_draw(const ploy_grid_flow *flow, ploy_draw *out);
PLOY_API void ploy_grid_flow_describe(const ploy_grid_flow *flow, ploy_describe *out);
PLOY_API void ploy_grid_flow_memory(const ploy_grid_flow *flow, ploy_memory_fn fn, void *user);

/// Finders that read flow fields: "flow", optimal. Each finder keeps the field of its last goal, so
/// that requests to one finder for the same place share one flood. A goal by predicate floods from
/// every cell that satisfies it. They refuse cost hooks, variety, a radius wider than the map's
/// body, and all requests while the map is out of date with its tiles.
/// @param map  must outlive the finders.
PLOY_API ploy_finder_factory ploy_grid_flow_finder(const ploy_grid_map *map);
