/// @file ploy/geom/index.h
/// One question for all spatial indices: what is near, within, on the way?
///
/// A ploy_query2 (on the plane) or ploy_query3 (in space) is made by one of its makers and given to
/// any index: ploy_grid_find, ploy_kdtree_find, ploy_bvh2_find, ploy_bvh3_find ... What an index
/// holds are boxes named by ids; a point is a box without size. Answers are what asking every box
/// in turn gives, to the bit: they depend on the boxes alone, never on the index, its settings or
/// its history.
///
///     kind      who is found                                   rank               order
///     radius    boxes no further than radius from a point      m^2 to the point   by id
///     box       boxes that share a point with a box            0                  by id
///     nearest   the nearest boxes, up to a distance            m^2 to the point   by rank, then id
///     ray       boxes that a ray enters (ploy_ray2_hit_box)    m along the ray    by rank, then id
///     sweep     boxes that a moving circle meets               m along the ray    by rank, then id
///               (ploy_sweep_hit_box)
///
/// The first two are sets: find returns how many there are, even without room for all. The
/// other three are ranked: find gives as many as there is room for and looks no further, so that
/// the first thing on a ray is found fast. To learn whether there are more, give room for one more.
///
/// Visiting is for objects that are not boxes: the index reports whose box the query touches,
/// the visitor asks its own shape and may cut the rest of the search short.
///
/// Squares are summed in double; edges count as within. A radius or length below 0 or NaN and
/// places that are not finite find nothing. Nothing here allocates. Threads: finding and visiting
/// may run on many threads while the index does not change. Units: metres.
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

/// Receives all that a query visits, in the order in which it does: for pictures of how an index
/// works. Watching is slower and changes no answer.
typedef struct ploy_query_watch {
    /// @param bounds  of a part of the index (z = 0 on the plane), or of a thing that is asked.
    /// @param id      of that thing; -1 for a part of the index.
    void (*look)(void *user, ploy_box3 bounds, int32_t id);
    void *user;
} ploy_query_watch;

/// A question on the plane. Members that the kind does not use are zero.
typedef struct ploy_query2 {
    ploy_query_kind kind;
    ploy_vec2 point; ///< radius, nearest: from where
    float radius;    ///< radius, nearest: how far, INFINITY for no limit; sweep: of the circle
    ploy_box2 box;   ///< box
    ploy_ray2 ray;   ///< ray, sweep
    const ploy_query_watch *watch; ///< NULL, as the makers have it, or who is notified
} ploy_query2;

/// A question in space.
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
/// Not above 0, the sweep's radius makes it a ray.
PLOY_API ploy_query2 ploy_query2_sweep(ploy_sweep sweep);

/// The same in space.
PLOY_API ploy_query3 ploy_query3_radius(ploy_vec3 centre, float radius);
PLOY_API ploy_query3 ploy_query3_box(ploy_box3 box);
PLOY_API ploy_query3 ploy_query3_nearest(ploy_vec3 point, float max_distance);
PLOY_API ploy_query3 ploy_query3_ray(ploy_ray3 ray);
/// The moving ball is taken as the cube around it: the ray is asked against boxes grown by the
/// radius (ploy_box3_grow). Round corners are the visitor's business.
PLOY_API ploy_query3 ploy_query3_sweep(ploy_ray3 ray, float radius);

/// One answer.
typedef struct ploy_found {
    double rank; ///< see the table above
    int32_t id;
} ploy_found;

/// What a query touched. Each find and visit adds to it, so that sums over many need no work.
typedef struct ploy_query_stats {
    int64_t nodes;   ///< parts of the index whose bounds were looked at
    int64_t objects; ///< things that were asked themselves
    int64_t found;   ///< of those, the ones that the query met, returned or not
} ploy_query_stats;

/// Receives each object whose box the query touches, in no order to rely on. On ray and sweep boxes
/// count as touched a hair early, so that a shape which fills its box is never missed.
/// @param limit  the largest rank still of interest: lower it to what was found, and things whose
///               boxes are further away are not reported. Things as far as the limit are, so that ties
///               can be settled by id.
/// @return false to stop.
typedef bool (*ploy_visit_fn)(void *user, int32_t id, double *limit);

/// Any index of the plane, for callers independent of the kind: labs, batches, a game's own.
typedef struct ploy_index2 {
    int32_t (*find)(const void *self, const ploy_query2 *query, ploy_found *out, int32_t capacity,
                    ploy_query_stats *stats);
    void (*visit)(const void *self, const ploy_query2 *query, ploy_visit_fn fn, void *user,
                  ploy_query_stats *stats);
    const void *self;
} ploy_index2;

/// Any index of space.
typedef struct ploy_index3 {
    int32_t (*find)(const void *self, const ploy_query3 *query, ploy_found *out, int32_t capacity,
                    ploy_query_stats *stats);
    void (*visit)(const void *self, const ploy_query3 *query, ploy_visit_fn fn, void *user,
                  ploy_query_stats *stats);
    const void *self;
} ploy_index3;

/// @param out    room for capacity answers; of more, the first ones in the order above are kept.
///               The rest may be overwritten. May be NULL with capacity 0.
/// @param stats  may be NULL.
/// @return of a set how many there are, which may be more than capacity; of ranked queries how many
///         were written.
PLOY_API int32_t ploy_index2_find(ploy_index2 index, const ploy_query2 *query, ploy_found *out,
                                  int32_t capacity, ploy_query_stats *stats);
PLOY_API int32_t ploy_index3_find(ploy_index3 index, const ploy_query3 *query, ploy_found *out,
                                  int32_t capacity, ploy_query_stats *stats);

/// Many queries at once, over jobs (NULL: here and now); the same answers for any worker count.
/// @param out     room for count * capacity: the answers of query i begin at out[i * capacity].
/// @param totals  room for count: what find returned for each.
/// @return PLOY_ERR_ARGUMENT for a count or capacity below 0.
PLOY_API ploy_result ploy_index2_find_batch(ploy_index2 index, const ploy_query2 *queries,
                                            int32_t count, ploy_found *out, int32_t capacity,
                                            int32_t *totals, const ploy_jobs *jobs);
PLOY_API ploy_result ploy_index3_find_batch(ploy_index3 index, const ploy_query3 *queries,
                                            int32_t count, ploy_found *out, int32_t capacity,
                                            int32_t *totals, const ploy_jobs *jobs);
