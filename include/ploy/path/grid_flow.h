/// @file ploy/path/grid_flow.h
/// A flow field: the path from everywhere to the nearest of some goals, for many agents at once.
///
/// One flood from the goals gives each cell what the path from it costs, and the step to take
/// first. A thousand agents then need one look each where a thousand searches would cost a thousand
/// floods' worth. The work is done in slices, and an edit of the map repairs what it changed alone:
/// paths that led through the cell are forgotten and found again from what is left beside them.
///
///     > > v # . .       costs are whole numbers, as in ploy/path/grid_search.h; directions are
///     > > v # v <       those of tiles, and vectors point along them, for flow following in
///     > > > > G <       `move` (ploy_flow_grid)
///
/// Techniques: Dijkstra from the goals; repair as in Ramalingam and Reps, "An Incremental Algorithm
/// for a Generalization of the Shortest-Path Problem" (1996). The use for crowds: Emerson, "Crowd
/// Pathfinding and Steering Using Flow Field Tiles" (Game AI Pro, 2013).
///
/// One unit of work is one cell taken, or 64 cells pointed. What a field holds when it is ready
/// depends on map and goals alone, not on slices or on edits before.
///
/// Memory: 42 bytes a cell, all taken at create. Threads: one caller at a time; reading from many.
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

/// Creates a field without goals: nothing leads anywhere.
/// @param map  must outlive it. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grid_flow_create(const ploy_grid_flow_def *def, const ploy_grid_map *map,
                                           const ploy_env *env, ploy_grid_flow **out);
/// NULL is allowed.
PLOY_API void ploy_grid_flow_destroy(ploy_grid_flow *flow);

/// Takes other goals and restarts. Vectors stay as they were until the costs are there. A goal
/// where the body does not fit counts as soon as it does.
/// @return PLOY_ERR_ARGUMENT for an invalid cell, leaving everything as it was.
PLOY_API ploy_result ploy_grid_flow_begin(ploy_grid_flow *flow, const int32_t *goals,
                                          int32_t count);
/// After ploy_grid_map_refresh: begins to repair what the changes touch; restarts if they are
/// many, if it was still at work, or if the body is larger than a cell.
PLOY_API void ploy_grid_flow_refresh(ploy_grid_flow *flow);
/// Works until the field is ready (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). NULL: until
/// it is ready.
PLOY_API ploy_result ploy_grid_flow_step(ploy_grid_flow *flow, ploy_budget *budget);
/// begin, then step to the end.
PLOY_API ploy_result ploy_grid_flow_run(ploy_grid_flow *flow, const int32_t *goals, int32_t count);
/// Stops and forgets the goals; nothing leads anywhere.
PLOY_API void ploy_grid_flow_cancel(ploy_grid_flow *flow);
/// As a task for schedulers of long work.
PLOY_API ploy_task ploy_grid_flow_task(ploy_grid_flow *flow);

/// What the path from a cell to the nearest goal costs.
/// @return false, leaving out alone, if there is none, or none yet.
PLOY_API bool ploy_grid_flow_cost(const ploy_grid_flow *flow, int32_t cell, ploy_grid_cost *out);
/// The direction of the first step: of equally good ones the lowest; -1 at a goal and where no path
/// leads.
PLOY_API int32_t ploy_grid_flow_direction(const ploy_grid_flow *flow, int32_t cell);
/// A unit vector for each cell, row by row; zero at goals and where no path leads. Beside free
/// cells blocked ones point out of the wall, so that who was pushed in comes out again. Lent.
PLOY_API const ploy_vec2 *ploy_grid_flow_vectors(const ploy_grid_flow *flow);

typedef struct ploy_grid_flow_stats {
    int64_t forgotten; ///< cells whose path was lost
    int64_t taken;     ///< cells whose neighbours were looked at
    int64_t pointed;   ///< cells whose direction was computed
    int64_t units;     ///< of work
} ploy_grid_flow_stats;

/// What was done since the last begin or refresh.
PLOY_API ploy_grid_flow_stats ploy_grid_flow_stats_of(const ploy_grid_flow *flow);

/// Costs as shades, directions as arrows.
PLOY_API void ploy_grid_flow_draw(const ploy_grid_flow *flow, ploy_draw *out);
PLOY_API void ploy_grid_flow_describe(const ploy_grid_flow *flow, ploy_describe *out);
PLOY_API void ploy_grid_flow_memory(const ploy_grid_flow *flow, ploy_memory_fn fn, void *user);

/// Finders that read flow fields: "flow", optimal. Each finder keeps the field of its last goal, so
/// that agents which ask one finder for the same place share one flood. A goal by predicate floods
/// from every cell that satisfies it. They refuse cost hooks, variety, a radius wider than the
/// map's body, and all requests while the map is behind its tiles.
/// @param map  must outlive the finders.
PLOY_API ploy_finder_factory ploy_grid_flow_finder(const ploy_grid_map *map);
