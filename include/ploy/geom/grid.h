/// @file ploy/geom/grid.h
/// A hash grid: finds neighbours without testing all points.
///
/// The plane is cut into square cells; each point is kept with the others of its cell, and a query
/// looks only at the cells it covers. There is no world size: cells are hashed, so points may lie
/// anywhere. Made for crowds that move every step: rebuild sorts all points into their cells at
/// once (counting sort, O(count)); insert, move and remove change single points between rebuilds.
///
/// Points are named by ids from 0 to capacity - 1, an agent's index as a rule. Answers as in
/// ploy/geom/index.h, a point being a box without size. A cell about as large as the usual query
/// radius is fastest.
///
/// Memory is allocated by create alone: 44 to 56 bytes a point. Cost of a query: cells covered plus
/// points in them; rays and sweeps look at the cells on their way, from where points begin to where
/// they end. Never more cells than there are points: then all points are tested instead.
/// Threads: queries may run on many threads while nothing changes. Units: metres.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/index.h"
#include "ploy/geom/vec.h"

typedef struct ploy_grid ploy_grid;

typedef struct ploy_grid_def {
    uint32_t cookie;
    int32_t capacity; ///< ids go from 0 to capacity - 1
    float cell_size;  ///< m, side of a cell
} ploy_grid_def;

PLOY_API ploy_grid_def ploy_grid_def_default(void);
PLOY_API ploy_fields ploy_grid_fields(void);

/// Creates an empty grid. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grid_create(const ploy_grid_def *def, const ploy_env *env,
                                      ploy_grid **out);
PLOY_API void ploy_grid_destroy(ploy_grid *grid);

/// Replaces everything by the view's points, ids 0 to count - 1. Points that are not finite are
/// left out. @return PLOY_ERR_CAPACITY or PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_grid_rebuild(ploy_grid *grid, const ploy_points *points);

/// @return PLOY_ERR_ARGUMENT if the id is out of range or the point not finite, PLOY_ERR_EXISTS.
PLOY_API ploy_result ploy_grid_insert(ploy_grid *grid, int32_t id, ploy_vec2 point);
/// @return PLOY_ERR_ARGUMENT likewise, PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_grid_move(ploy_grid *grid, int32_t id, ploy_vec2 point);
/// @return PLOY_ERR_NOT_FOUND if there is no such point.
PLOY_API ploy_result ploy_grid_remove(ploy_grid *grid, int32_t id);
PLOY_API void ploy_grid_clear(ploy_grid *grid);

/// How many points there are.
PLOY_API int32_t ploy_grid_count(const ploy_grid *grid);
/// @return false, leaving out alone, if there is no such point.
PLOY_API bool ploy_grid_get(const ploy_grid *grid, int32_t id, ploy_vec2 *out);

/// See ploy_index2_find and ploy_visit_fn.
PLOY_API int32_t ploy_grid_find(const ploy_grid *grid, const ploy_query2 *query, ploy_found *out,
                                int32_t capacity, ploy_query_stats *stats);
PLOY_API void ploy_grid_visit(const ploy_grid *grid, const ploy_query2 *query, ploy_visit_fn fn,
                              void *user, ploy_query_stats *stats);
/// The grid as any index; valid as long as it lives.
PLOY_API ploy_index2 ploy_grid_index(const ploy_grid *grid);

PLOY_API void ploy_grid_describe(const ploy_grid *grid, ploy_describe *out);
/// Outlines the cells that hold points.
PLOY_API void ploy_grid_draw(const ploy_grid *grid, ploy_draw *out);
PLOY_API void ploy_grid_memory(const ploy_grid *grid, ploy_memory_fn fn, void *user);
