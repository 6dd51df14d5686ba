/// @file ploy/geom/index.h
/// One query interface for all spatial indices: what is near, inside or on a line?
///
/// A ploy_query2 (on the plane) or ploy_query3 (in space) is made by one of the functions below and
/// passed to any index: ploy_grid_find, ploy_kdtree_find, ploy_bvh2_find, ploy_bvh3_find ... An
/// index holds boxes with ids; a point is a box of size zero. Results are bit-identical to testing
/// every box in turn: they depend only on the boxes, never on the index, its settings or its
/// history.
///
///     kind      what is found                                  rank               order
///     radius    boxes no further than radius from a point      m^2 to the point   by id
///     box       boxes that share a point with a box            0                  by id
///     nearest   the nearest boxes, up to a distance            m^2 to the point   by rank, then id
///     ray       boxes that a ray enters (ploy_ray2_hit_box)    m along the ray    by rank, then id
///     sweep     boxes that a moving circle meets               m along the ray    by rank, then id
///               (ploy_sweep_hit_box)
///
/// The first two are sets: find returns the total number, even if the array is too small. The other
/// three are ranked: find returns as many as fit and looks no further, so that the first object on
/// a ray is found fast. To check whether there are more, pass room for one more.
///
/// Visiting is for objects that are not boxes: the index reports each object whose box the query
/// touches; the visitor tests the object's shape and may end the search early.
///
/// Squares are summed in double; edges count as inside. A radius or length below 0 or NaN, or a
/// position that is not finite, finds nothing. Nothing here allocates. Threads: finding and
/// visiting may run on many threads while the index does not change. Units: metres.
#pragma once

#include "ploy/base/jobs.h"
#include "ploy/geom/box.h"
#include "ploy/geom/circle.h"
#include "ploy/geom/segment.h"

typedef enum ploy_query_kind {
    PLOY_QUERY_RADIUS,
    PLOY_QUERY_BOX,
    PLOY_QUERY_NEAREST,
    PLOY_QUERY_RAY,
    PLOY_QUERY_SWEEP
} ploy_query_kind;

/// "radius", "box", "nearest", "ray", "sweep".
PLOY_API const char *ploy_query_kind_text(ploy_query_kind kind);

/// Receives everything that a query examines, in order, to show how an index works. Watching makes
/// a query slower but does not change its results.
typedef struct ploy_query_watch {
    /// @param bounds  of a part of the index (z = 0 on the plane), or of an object that is tested.
    /// @param id      of the object; -1 for a part of the index.
    void (*look)(void *user, ploy_box3 bounds, int32_t id);
    void *user;
} ploy_query_watch;

/// A query on the plane. Members that the kind does not use are zero.
typedef struct ploy_query2 {
    ploy_query_kind kind;
    ploy_vec2 point; ///< radius, nearest: the centre
    float radius;    ///< radius, nearest: how far, INFINITY for no limit; sweep: of the circle
    ploy_box2 box;   ///< box
    ploy_ray2 ray;   ///< ray, sweep
    const ploy_query_watch *watch; ///< NULL (the default), or a receiver to notify
} ploy_query2;

/// A query in space.
typedef struct ploy_query3 {
    ploy_query_kind kind;
    ploy_vec3 point;
    float radius;
    ploy_box3 box;
    ploy_ray3 ray;
    const ploy_query_watch *watch;
} ploy_query3;

/// A query of each kind.
PLOY_API ploy_query2 ploy_query2_radius(ploy_vec2 centre, float radius);
PLOY_API ploy_query2 ploy_query2_box(ploy_box2 box);
/// @param max_distance  INFINITY for no limit.
PLOY_API ploy_query2 ploy_query2_nearest(ploy_vec2 point, float max_distance);
PLOY_API ploy_query2 ploy_query2_ray(ploy_ray2 ray);
/// If the sweep's radius is not above 0, the query is a ray.
PLOY_API ploy_query2 ploy_query2_sweep(ploy_sweep sweep);

/// The same in space.
PLOY_API ploy_query3 ploy_query3_radius(ploy_vec3 centre, float radius);
PLOY_API ploy_query3 ploy_query3_box(ploy_box3 box);
PLOY_API ploy_query3 ploy_query3_nearest(ploy_vec3 point, float max_distance);
PLOY_API ploy_query3 ploy_query3_ray(ploy_ray3 ray);
/// The moving ball is approximated by the cube around it: the ray is tested against boxes grown by
/// the radius (ploy_box3_grow). A visitor that needs round corners tests them itself.
PLOY_API ploy_query3 ploy_query3_sweep(ploy_ray3 ray, float radius);

/// One result.
typedef struct ploy_found {
    double rank; ///< see the table above
    int32_t id;
} ploy_found;

/// Work counters. Each find and visit adds to them, so that one struct can sum over many queries.
typedef struct ploy_query_stats {
    int64_t nodes;   ///< parts of the index whose bounds were tested
    int64_t objects; ///< objects that were tested
    int64_t found;   ///< objects that matched, returned or not
} ploy_query_stats;

/// Receives each object whose box the query touches, in no particular order. For ray and sweep,
/// boxes count as touched slightly early, so that a shape which fills its box is never missed.
/// @param limit  the largest rank still of interest. Lower it to the rank of what was found, and
///               objects whose boxes are further away are not reported. Objects exactly at the
///               limit are still reported, so that ties can be broken by id.
/// @return false to stop.
typedef bool (*ploy_visit_fn)(void *user, int32_t id, double *limit);

/// An index of any kind on the plane, for code that does not depend on the kind: labs, batches, a
/// game's own index.
typedef struct ploy_index2 {
    int32_t (*find)(const void *self, const ploy_query2 *query, ploy_found *out, int32_t capacity,
                    ploy_query_stats *stats);
    void (*visit)(const void *self, const ploy_query2 *query, ploy_visit_fn fn, void *user,
                  ploy_query_stats *stats);
    const void *self;
} ploy_index2;

/// An index of any kind in space.
typedef struct ploy_index3 {
    int32_t (*find)(const void *self, const ploy_query3 *query, ploy_found *out, int32_t capacity,
                    ploy_query_stats *stats);
    void (*visit)(const void *self, const ploy_query3 *query, ploy_visit_fn fn, void *user,
                  ploy_query_stats *stats);
    const void *self;
} ploy_index3;

/// @param out    room for capacity results. If there are more, the first ones in the order above
///               are kept. Unused elements may be overwritten. May be NULL with capacity 0.
/// @param stats  may be NULL.
/// @return for sets, the total number, which may be above capacity; for ranked queries, the number
///         written.
PLOY_API int32_t ploy_index2_find(ploy_index2 index, const ploy_query2 *query, ploy_found *out,
                                  int32_t capacity, ploy_query_stats *stats);
PLOY_API int32_t ploy_index3_find(ploy_index3 index, const ploy_query3 *query, ploy_found *out,
                                  int32_t capacity, ploy_query_stats *stats);

/// Runs many queries at once, over jobs (NULL: on the calling thread). Results are the same for any
/// worker count.
/// @param out     room for count * capacity: the results of query i begin at out[i * capacity].
/// @param totals  room for count: what find returned for each.
/// @return PLOY_ERR_ARGUMENT for a count or capacity below 0.
PLOY_API ploy_result ploy_index2_find_batch(ploy_index2 index, const ploy_query2 *queries,
                                            int32_t count, ploy_found *out, int32_t capacity,
                                            int32_t *totals, const ploy_jobs *jobs);
PLOY_API ploy_result ploy_index3_find_batch(ploy_index3 index, const ploy_query3 *queries,
                                            int32_t count, ploy_found *out, int32_t capacity,
                                            int32_t *totals, const ploy_jobs *jobs);
