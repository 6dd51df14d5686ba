/// @file ploy/geom/grid.h
/// A hash grid: who is near, without asking everybody.
///
/// The plane is cut into square cells; each point is kept with the others of its cell, and a query
/// looks only at the cells it covers. There is no world size: cells are hashed, so points may lie
/// anywhere. Made for crowds that move every step: rebuild sorts all points into their cells at
/// once (counting sort, O(count)); insert, move and remove change single points between rebuilds.
///
/// Points are named by ids from 0 to capacity - 1, an agent's index as a rule. Answers depend only
/// on the points, never on cell size or history, and come in a fixed order: equal to asking every
/// point in turn. A cell about as large as the usual query radius is fastest.
///
/// Memory is allocated by create alone. Cost of a query: cells covered plus points in them.
/// Threads: queries may run on many threads while nothing changes.
/// Units: metres. Distances are compared as squares in double, so "within" is decided by the points
/// and not by rounding; edges count as within.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/vec.h"

typedef struct ploy_grid ploy_grid;

typedef struct ploy_grid_def {
    uint32_t cookie;
    int32_t capacity; ///< ids go from 0 to capacity - 1
    float cell_size;  ///< m, side of a cell
} ploy_grid_def;

/// One of the nearest points.
typedef struct ploy_grid_near {
    double distance_sq; ///< m^2
    int32_t id;
} ploy_grid_near;

PLOY_API ploy_grid_def ploy_grid_def_default(void);
PLOY_API ploy_fields ploy_grid_fields(void);

/// Creates an empty grid. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grid_create(const ploy_grid_def *def, const ploy_env *env,
                                      ploy_grid **out);
PLOY_API void ploy_grid_destroy(ploy_grid *grid);

/// Replaces everything by the view's points, ids 0 to count - 1. Points that are not finite are
/// kept but never found.
/// @return PLOY_ERR_CAPACITY, changing nothing, if there are more points than ids.
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

/// The points no further than radius from the centre.
/// @param out  their ids in ascending order; of more than capacity, the lowest ones. What lies
///             behind them in out may be overwritten. May be NULL with capacity 0, to count.
/// @return how many there are, which may be more than capacity. 0 for a radius below 0 or NaN.
PLOY_API int32_t ploy_grid_find_radius(const ploy_grid *grid, ploy_vec2 centre, float radius,
                                       int32_t *out, int32_t capacity);

/// The points within a box, likewise.
PLOY_API int32_t ploy_grid_find_box(const ploy_grid *grid, ploy_box2 box, int32_t *out,
                                    int32_t capacity);

/// The up to `count` nearest points no further than max_distance (INFINITY for no limit), nearest
/// first, equally near ones by id. Whoever stands at the point is among them, the asker too.
/// @param out  room for count. @return how many were found.
PLOY_API int32_t ploy_grid_find_nearest(const ploy_grid *grid, ploy_vec2 point, float max_distance,
                                        ploy_grid_near *out, int32_t count);

PLOY_API void ploy_grid_describe(const ploy_grid *grid, ploy_describe *out);
/// Outlines the cells that hold points.
PLOY_API void ploy_grid_draw(const ploy_grid *grid, ploy_draw *out);
PLOY_API void ploy_grid_memory(const ploy_grid *grid, ploy_memory_fn fn, void *user);
