/// @file ploy/geom/path.h
/// A path: what pathfinding hands to movement.
///
/// A polyline whose edges say how they are travelled: on foot, through a door, by a teleporter, how
/// fast, at what cost. Points are of the plane, each with the height of the ground there, so flat
/// games leave heights 0. Places are metres along it (ploy/geom/polyline.h, which also finds the
/// nearest place); a teleporter's edge has the length of the straight line although no agent walks
/// it, so look at its link before following it.
///
/// Memory: one block, which grows by doubling; following allocates nothing. Threads: a const path
/// may be read by many.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/name.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/polyline.h"

/// How one gets from a point to the next.
typedef struct ploy_path_edge {
    ploy_name kind;    ///< "door", "jump", "teleporter", ...; none: walked
    float cost;        ///< what the planner counted, in its own unit
    float speed_limit; ///< m/s; 0: none
    ploy_id link;      ///< the door, lift or teleporter; none if there is none
} ploy_path_edge;

typedef struct ploy_path ploy_path;

typedef struct ploy_path_def {
    uint32_t cookie;
    int32_t capacity; ///< points that fit before it grows
    bool closed;      ///< a round: the last point leads to the first
} ploy_path_def;

PLOY_API ploy_path_def ploy_path_def_default(void);
PLOY_API ploy_fields ploy_path_fields(void);

/// Creates a path without points.
PLOY_API ploy_result ploy_path_create(const ploy_path_def *def, const ploy_env *env,
                                      ploy_path **out);
PLOY_API void ploy_path_destroy(ploy_path *path);

/// Adds a point at the end.
/// @param edge  how one gets there from the point before (ignored for the first); NULL: in the
///              as walked, at the cost of its length in metres.
/// @return PLOY_ERR_ARGUMENT if a number is not finite or a speed limit below 0; PLOY_ERR_MEMORY;
///         either leaves the path as it was.
PLOY_API ploy_result ploy_path_append(ploy_path *path, ploy_vec2 point, float height,
                                      const ploy_path_edge *edge);

/// Makes `path` equal to another.
PLOY_API ploy_result ploy_path_copy(ploy_path *path, const ploy_path *from);

/// Keeps points 0 to `index` and goes on along another path: the rest of a plan that was found
/// later, or a path around what has closed. If its first point is not point `index`, an ordinary
/// edge leads there. An empty path cuts off what is behind `index`.
/// @return PLOY_ERR_ARGUMENT for an index out of range, a closed path, or `from` being this path;
///         PLOY_ERR_MEMORY; either leaves the path as it was.
PLOY_API ploy_result ploy_path_splice(ploy_path *path, int32_t index, const ploy_path *from);

/// Removes all points; keeps the memory.
PLOY_API void ploy_path_clear(ploy_path *path);

/// How many points there are.
PLOY_API int32_t ploy_path_count(const ploy_path *path);

/// The points as a polyline, valid until the path changes.
PLOY_API ploy_polyline ploy_path_polyline(const ploy_path *path);

/// Metres from the first point to the end; around, if closed.
PLOY_API float ploy_path_length(const ploy_path *path);
/// The sum of the edges' costs.
PLOY_API double ploy_path_cost(const ploy_path *path);

/// Point `index`; zero out of range.
PLOY_API ploy_vec2 ploy_path_point(const ploy_path *path, int32_t index);
/// Height of point `index`; 0 out of range.
PLOY_API float ploy_path_height(const ploy_path *path, int32_t index);
/// The edge from point `index` to the next; NULL out of range.
PLOY_API const ploy_path_edge *ploy_path_edge_from(const ploy_path *path, int32_t index);

/// The point, with the ground's height, at a place.
PLOY_API ploy_vec3 ploy_path_at(const ploy_path *path, float along);
/// The edge at a place; NULL if nothing has a length.
PLOY_API const ploy_path_edge *ploy_path_edge_at(const ploy_path *path, float along);

/// Visits a ploy_path (ploy/base/visit.h).
PLOY_API void ploy_path_visit(ploy_visit *v, void *path);
PLOY_API void ploy_path_describe(const ploy_path *path, ploy_describe *out);
/// Draws it for an owner (none for a path without one); edges with a link get a mark.
PLOY_API void ploy_path_draw(const ploy_path *path, ploy_agent_id owner, ploy_draw *out);
PLOY_API void ploy_path_memory(const ploy_path *path, ploy_memory_fn fn, void *user);
