/// @file ploy/geom/path.h
/// A path: what pathfinding hands to movement.
///
/// A path is a polyline whose edges store how they are travelled: on foot, through a door or by a
/// teleporter, how fast and at what cost. Points are 2D, each with the height of the floor there;
/// flat games leave heights 0. Places are metres along the path (ploy/geom/polyline.h, which also
/// finds the nearest place). A teleporter's edge has the length of the straight line although no
/// agent walks it, so check the link of an edge before following it.
///
/// Memory: one block, which grows by doubling; following allocates nothing. Threads: many threads
/// may read a const path.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/name.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/polyline.h"

/// How an agent gets from one point to the next.
typedef struct ploy_path_edge {
    ploy_name kind;    ///< "door", "jump", "teleporter", ...; none: walked
    float cost;        ///< as computed by the planner, in its own unit
    float speed_limit; ///< m/s; 0: none
    ploy_id link;      ///< the door, lift or teleporter, or none
} ploy_path_edge;

typedef struct ploy_path ploy_path;

typedef struct ploy_path_def {
    uint32_t cookie;
    int32_t capacity; ///< points that fit before it grows
    bool closed;      ///< a loop: the last point leads to the first
} ploy_path_def;

PLOY_API ploy_path_def ploy_path_def_default(void);
PLOY_API ploy_fields ploy_path_fields(void);

/// Creates a path without points.
PLOY_API ploy_result ploy_path_create(const ploy_path_def *def, const ploy_env *env,
                                      ploy_path **out);
PLOY_API void ploy_path_destroy(ploy_path *path);

/// Makes room for this many points in total, so that no append allocates up to that number.
/// @return PLOY_ERR_LIMIT, PLOY_ERR_MEMORY; the path is unchanged then.
PLOY_API ploy_result ploy_path_reserve(ploy_path *path, int32_t points);

/// Adds a point at the end.
/// @param edge  how an agent gets there from the previous point (ignored for the first point).
///              NULL: walked, at the cost of its length in metres.
/// @return PLOY_ERR_ARGUMENT if a number is not finite or a speed limit is below 0;
///         PLOY_ERR_MEMORY. On an error the path is unchanged.
PLOY_API ploy_result ploy_path_append(ploy_path *path, ploy_vec2 point, float height,
                                      const ploy_path_edge *edge);

/// Makes `path` a copy of `from`.
PLOY_API ploy_result ploy_path_copy(ploy_path *path, const ploy_path *from);

/// Keeps points 0 to `index` and continues along another path: the rest of a plan that was found
/// later, or a path around something that has closed. If the other path's first point is not point
/// `index`, a walked edge leads to it. An empty path cuts off everything after `index`.
/// @return PLOY_ERR_ARGUMENT for an index out of range, a closed path, or `from` being this path;
///         PLOY_ERR_MEMORY. On an error the path is unchanged.
PLOY_API ploy_result ploy_path_splice(ploy_path *path, int32_t index, const ploy_path *from);

/// Removes all points; keeps the memory.
PLOY_API void ploy_path_clear(ploy_path *path);

/// The number of points.
PLOY_API int32_t ploy_path_count(const ploy_path *path);

/// The points as a polyline, valid until the path changes.
PLOY_API ploy_polyline ploy_path_polyline(const ploy_path *path);

/// Metres from the first point to the last, or once around if closed.
PLOY_API float ploy_path_length(const ploy_path *path);
/// The sum of the edges' costs.
PLOY_API double ploy_path_cost(const ploy_path *path);

/// Point `index`; zero out of range.
PLOY_API ploy_vec2 ploy_path_point(const ploy_path *path, int32_t index);
/// Height of point `index`; 0 out of range.
PLOY_API float ploy_path_height(const ploy_path *path, int32_t index);
/// The edge from point `index` to the next; NULL out of range.
PLOY_API const ploy_path_edge *ploy_path_edge_from(const ploy_path *path, int32_t index);

/// The point, with its height, at a place.
PLOY_API ploy_vec3 ploy_path_at(const ploy_path *path, float along);
/// The edge at a place; NULL if no edge has a length.
PLOY_API const ploy_path_edge *ploy_path_edge_at(const ploy_path *path, float along);

/// Visits a ploy_path (ploy/base/visit.h).
PLOY_API void ploy_path_visit(ploy_visit *v, void *path);
PLOY_API void ploy_path_describe(const ploy_path *path, ploy_describe *out);
/// Draws the path for an owner, or none; edges with a link get a mark.
PLOY_API void ploy_path_draw(const ploy_path *path, ploy_agent_id owner, ploy_draw *out);
PLOY_API void ploy_path_memory(const ploy_path *path, ploy_memory_fn fn, void *user);
