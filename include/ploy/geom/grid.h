/// @file ploy/geom/grid.h
/// A hash grid: finds neighbours without testing all points.
///
/// The plane is divided into square cells; points are stored by cell, and a query examines only the
/// cells it covers. There is no world size: cells are hashed, so points may be anywhere. Made for
/// crowds that move every step: rebuild sorts all points into their cells at once (counting sort,
/// O(count)); insert, move and remove change single points between rebuilds.
///
/// Points have ids from 0 to capacity - 1, usually an agent's index. Queries work as described in
/// ploy/geom/index.h; a point is a box of size zero. Cells about as large as the usual query radius
/// are fastest.
///
/// Only create allocates: 44 to 56 bytes a point. Cost of a query: cells covered plus points in
/// them; rays and sweeps examine the cells along them, within the bounds of the points. A query
/// that covers more cells than there are points tests all points instead. Threads: queries may run
/// on many threads while nothing changes. Units: metres.
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

/// Replaces everything with the view's points, ids 0 to count - 1. Points that are not finite are
/// left out. @return PLOY_ERR_CAPACITY or PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_grid_rebuild(ploy_grid *grid, const ploy_points *points);

/// @return PLOY_ERR_ARGUMENT if the id is out of range or the point is not finite, PLOY_ERR_EXISTS.
PLOY_API ploy_result ploy_grid_insert(ploy_grid *grid, int32_t id, ploy_vec2 point);
/// @return PLOY_ERR_ARGUMENT as for insert, PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_grid_move(ploy_grid *grid, int32_t id, ploy_vec2 point);
/// @return PLOY_ERR_NOT_FOUND if there is no such point.
PLOY_API ploy_result ploy_grid_remove(ploy_grid *grid, int32_t id);
PLOY_API void ploy_grid_clear(ploy_grid *grid);

/// The number of points.
PLOY_API int32_t ploy_grid_count(const ploy_grid *grid);
/// @return false, leaving out alone, if there is no such point.
PLOY_API bool ploy_grid_get(const ploy_grid *grid, int32_t id, ploy_vec2 *out);

/// See ploy_index2_find and ploy_visit_fn.
PLOY_API int32_t ploy_grid_find(const ploy_grid *grid, const ploy_query2 *query, ploy_found *out,
                                int32_t capacity, ploy_query_stats *stats);
PLOY_API void ploy_grid_visit(const ploy_grid *grid, const ploy_query2 *query, ploy_visit_fn fn,
                              void *user, ploy_query_stats *stats);
/// The grid as a generic index; valid until the grid is destroyed.
PLOY_API ploy_index2 ploy_grid_index(const ploy_grid *grid);

PLOY_API void ploy_grid_describe(const ploy_grid *grid, ploy_describe *out);
/// Outlines the cells that hold points.
PLOY_API void ploy_grid_draw(const ploy_grid *grid, ploy_draw *out);
PLOY_API void ploy_grid_memory(const ploy_grid *grid, ploy_memory_fn fn, void *user);
