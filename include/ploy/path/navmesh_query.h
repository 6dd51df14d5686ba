/// @file ploy/path/navmesh_query.h
/// Questions to a navigation mesh: where am I, how do I get there, what is in the way?
///
/// A query holds the memory that questions need, a pool of nodes of fixed size that is allocated at
/// create, whatever the size of the mesh, and the filter that says
/// what the floor costs and where an agent may go; none of its queries allocates (a ploy_path that
/// is written to grows as it must). Searches are A* (Hart, Nilsson and Raphael 1968) over polygons
/// or over the edges between them; the path through what they find is pulled tight like a string
/// (the funnel; Lee and Preparata 1984, in Mononen's form, 2010): the shortest within that row of
/// polygons, which need not be the shortest of all. Of equal costs the deeper node goes first, then
/// the lower number: answers are the same everywhere.
///
/// A search may be sliced: begin, step with a budget (one unit is one node taken from the open
/// list), result. Units: metres. Threads: one caller for each query; many may share a mesh.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/rng.h"
#include "ploy/exec/path_service.h"
#include "ploy/geom/path.h"
#include "ploy/path/costs.h"
#include "ploy/path/navmesh.h"

/// A query. Opaque.
typedef struct ploy_navmesh_query ploy_navmesh_query;

/// What the floor costs and where an agent may go. Plain data.
typedef struct ploy_navmesh_filter {
    float cost[PLOY_NAVMESH_AREAS]; ///< of a metre of each area, above 0
    uint32_t include;               ///< a polygon or link needs one of these flags
    uint32_t exclude;               ///< and none of these
    float clearance; ///< m; in a mesh for several sizes: what is too narrow for that is not there
} ploy_navmesh_filter;

/// Every area at 1, all flags included, none excluded, a clearance of 0.
PLOY_API ploy_navmesh_filter ploy_navmesh_filter_default(void);

/// A place on the mesh.
typedef struct ploy_navmesh_place {
    int32_t polygon; ///< -1: none
    ploy_vec3 point; ///< on its floor
    float distance;  ///< m, from the point that was requested, seen from above
} ploy_navmesh_place;

/// Creates a query over a mesh, which must outlive it.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navmesh_query_create(const ploy_navmesh *mesh, const ploy_env *env,
                                               ploy_navmesh_query **out);
/// NULL is allowed.
PLOY_API void ploy_navmesh_query_destroy(ploy_navmesh_query *query);

/// Most nodes that a search reaches, and polygons that a flood does, by default and at most.
#define PLOY_NAVMESH_NODES 4096
#define PLOY_NAVMESH_NODES_MIN 16
#define PLOY_NAVMESH_NODES_MAX (1 << 24)

/// Replaces the memory for nodes, about 72 bytes for each of them (and two bits for each polygon);
/// never more than the mesh has use for. A search that needs more leaves out what it reaches last
/// and reports that in its answer (`limited`); floods return PLOY_ERR_LIMIT. A search under way is
/// cancelled. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; the query is unchanged then.
PLOY_API ploy_result ploy_navmesh_query_set_nodes(ploy_navmesh_query *query, int32_t nodes);

/// Replaces the filter; a search under way is cancelled.
/// @return PLOY_ERR_ARGUMENT, changing nothing, for a cost that is not within 1e-3 to 1e6.
PLOY_API ploy_result ploy_navmesh_query_set_filter(ploy_navmesh_query *query,
                                                   const ploy_navmesh_filter *filter);

/// A hook for what metres of polygons and links cost a search, on top of the filter; a search under
/// search is cancelled. Rays and floods do not ask it. @param costs  copied; NULL: none.
PLOY_API void ploy_navmesh_query_set_costs(ploy_navmesh_query *query, const ploy_cost_hook *costs);

// ---- where ----

/// What to make of a point that is over no floor nearby.
typedef enum ploy_navmesh_airborne {
    PLOY_NAVMESH_DROP,      ///< it is where a plumb line from it ends, however far below
    PLOY_NAVMESH_HOLD_LAST, ///< it is jumping: as long as it is not over the floor near the hint, it
                            ///< counts as at the hint
    PLOY_NAVMESH_CLOSEST ///< it is on the nearest floor in space, so that a point just off a rim is
    ///< on the rim and not far below; over a floor up to the mesh's step_height
    ///< does not count
} ploy_navmesh_airborne;

/// How far to look. Start from ploy_navmesh_reach_default().
typedef struct ploy_navmesh_reach {
    float radius; ///< m, seen from above
    float height; ///< m up and down; floors further away are not there
    ploy_navmesh_airborne airborne;
} ploy_navmesh_reach;

/// No limits; PLOY_NAVMESH_DROP.
PLOY_API ploy_navmesh_reach ploy_navmesh_reach_default(void);

/// Finds the polygon that a point is on: the nearest seen from above (PLOY_NAVMESH_CLOSEST: in
/// space), of those as near the nearest in height, of those the lowest number. First the hint is
/// tried, then polygons up to two neighbours from it, so that who moves a little is found at once;
/// where floors lie over one another the hint therefore decides between those in reach. Of the
/// filter only the clearance counts here.
/// @param hint   the last answer's polygon; -1: none.
/// @param reach  NULL: the default.
/// @return PLOY_ERR_NOT_FOUND if none is in reach, PLOY_ERR_ARGUMENT for a point that is not
///         finite.
PLOY_API ploy_result ploy_navmesh_find_nearest(ploy_navmesh_query *query, ploy_vec3 point,
                                               int32_t hint, const ploy_navmesh_reach *reach,
                                               ploy_navmesh_place *out);

/// Where an agent in the air will land: the first floor that its parabola goes down through,
/// sampled 60 times a second. @param gravity  m/s^2, downward, above 0. @param seconds  how long to
/// look, up to 60. @return PLOY_ERR_NOT_FOUND if it lands nowhere, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_navmesh_find_landing(ploy_navmesh_query *query, ploy_vec3 point,
                                               ploy_vec3 velocity, float gravity, float seconds,
                                               ploy_navmesh_place *out);

// ---- paths ----

/// What is searched.
typedef enum ploy_navmesh_method {
    PLOY_NAVMESH_EDGES,    ///< A* over the middles of portals
    PLOY_NAVMESH_POLYGONS, ///< A* over the centres of polygons
    PLOY_NAVMESH_CROSSINGS ///< A* over portals, each crossed where the straight line to the goal
                           ///< comes nearest: shorter paths from fewer nodes; the usual choice
} ploy_navmesh_method;

/// "edges", "polygons", "crossings".
PLOY_API const char *ploy_navmesh_method_text(ploy_navmesh_method method);

/// The request.
typedef struct ploy_navmesh_request {
    ploy_navmesh_place from, to; ///< from ploy_navmesh_find_nearest
    ploy_navmesh_method method;
    float radius; ///< m; in a mesh for several sizes only polygons that are wide enough are gone
                  ///< over, in others portals are trimmed by it where they touch walls; 0 for a
                  ///< mesh built with the agent's radius
    /// Any polygon that satisfies this, the cheapest to get into; `to` is not read then, and
    /// portals count at their middles in place of crossings. NULL: the place.
    bool (*is_goal)(void *user, int32_t polygon);
    void *user; ///< of is_goal
} ploy_navmesh_request;

/// Crossings, a radius of 0.
PLOY_API ploy_navmesh_request ploy_navmesh_request_make(ploy_navmesh_place from,
                                                        ploy_navmesh_place to);

/// What came of it.
typedef struct ploy_navmesh_answer {
    ploy_path_outcome outcome; ///< open, found, or partial: to the nearest place one can reach;
                               ///< none if no polygon is_goal
    ploy_navmesh_place end;    ///< where the path ends
    float cost;                ///< of the search's graph, not of the pulled string
    int64_t pops;              ///< nodes taken from the open list
    int32_t open;              ///< nodes left on it
    bool limited; ///< the query had too few nodes: another path may be complete or cheaper
} ploy_navmesh_answer;

/// Begins a search; one under way is forgotten.
/// @return PLOY_ERR_ARGUMENT for places that are not on the mesh or a radius out of range,
///         PLOY_ERR_DENIED if the filter forbids the start's polygon.
PLOY_API ploy_result ploy_navmesh_query_begin(ploy_navmesh_query *query,
                                              const ploy_navmesh_request *request);
/// Goes on searching. @param budget  NULL: to the end.
/// @return PLOY_IN_PROGRESS, PLOY_OK when there is an answer, PLOY_ERR_STATE without a search.
PLOY_API ploy_result ploy_navmesh_query_step(ploy_navmesh_query *query, ploy_budget *budget);
/// Forgets the search.
PLOY_API void ploy_navmesh_query_cancel(ploy_navmesh_query *query);
/// The answer so far. outcome PLOY_PATH_NONE: no search.
PLOY_API ploy_navmesh_answer ploy_navmesh_query_answer(const ploy_navmesh_query *query);
/// The polygons of the path, first to last; borrowed until the next search. None while it is open.
PLOY_API const int32_t *ploy_navmesh_query_corridor(const ploy_navmesh_query *query,
                                                    int32_t *count);
/// Writes the result as a path, pulled tight. Links are edges with their kind and id.
/// @return PLOY_ERR_STATE while there is no path; PLOY_ERR_MEMORY, the path being empty then.
PLOY_API ploy_result ploy_navmesh_query_path(ploy_navmesh_query *query, ploy_path *path);
/// The same while the search is open: the path to the place nearest to the goal that it has
/// reached, so that an agent can set out. The search is not affected. Cost: O(edges).
/// @return PLOY_ERR_STATE without a search; PLOY_ERR_MEMORY, the path being empty then.
PLOY_API ploy_result ploy_navmesh_query_peek(ploy_navmesh_query *query, ploy_path *path);

/// All at once: begin, step to the end, path (which may be NULL, and is empty if there is none).
PLOY_API ploy_result ploy_navmesh_find_path(ploy_navmesh_query *query,
                                            const ploy_navmesh_request *request, ploy_path *path,
                                            ploy_navmesh_answer *answer);

// ---- along the floor ----

/// Where a straight walk ends.
typedef struct ploy_navmesh_hit {
    bool hit;         ///< false: it reached the end
    int32_t polygon;  ///< where it ended
    int32_t edge;     ///< the wall that was hit; -1
    ploy_vec2 at;     ///< m, where it ended
    ploy_vec2 normal; ///< of that wall, away from it; zero
    float share;      ///< of the line walked, 0 to 1
} ploy_navmesh_hit;

/// Walks straight along the floor until a wall, or floor that the filter forbids, is in the way.
/// Decided exactly: a line that touches a corner passes it. The height where it ends is not
/// computed, because most callers do not need it; see ploy_navmesh_hit_place.
/// @return PLOY_ERR_ARGUMENT for a start off the mesh or an end that is not finite.
PLOY_API ploy_result ploy_navmesh_find_ray(const ploy_navmesh_query *query, ploy_navmesh_place from,
                                           ploy_vec2 to, ploy_navmesh_hit *out);

/// The place where a walk ended, with the height of the floor: to walk on from.
PLOY_API ploy_navmesh_place ploy_navmesh_hit_place(const ploy_navmesh_query *query,
                                                   const ploy_navmesh_hit *hit);

/// Moves along the floor toward a point as far as walls allow, sliding along them: the place
/// nearest to the point among those that are joined to the start within the circle round both.
PLOY_API ploy_result ploy_navmesh_find_move(ploy_navmesh_query *query, ploy_navmesh_place from,
                                            ploy_vec2 to, ploy_navmesh_place *out);

/// How far the nearest wall is, up to a distance; *out is max then, and edge -1.
/// @param edge, nearest  may be NULL.
PLOY_API ploy_result ploy_navmesh_find_wall(ploy_navmesh_query *query, ploy_navmesh_place from,
                                            float max, float *out, int32_t *edge,
                                            ploy_vec2 *nearest);

/// The walls within a distance that can be reached within it, nearest first: what avoidance
/// steers clear of. Equal ones come in a fixed order. The floor lies to the left of each.
/// @param out  the first `capacity` of them. @param count  how many there are.
PLOY_API ploy_result ploy_navmesh_find_walls(ploy_navmesh_query *query, ploy_navmesh_place from,
                                             float radius, ploy_segment2 *out, int32_t capacity,
                                             int32_t *count);

/// A place anywhere that the filter allows, every square metre alike. Cost: O(polygons).
/// @return PLOY_ERR_NOT_FOUND if nothing is allowed.
PLOY_API ploy_result ploy_navmesh_find_random(ploy_navmesh_query *query, ploy_rng *rng,
                                              ploy_navmesh_place *out);
/// A place within a radius of another that can be reached within it.
PLOY_API ploy_result ploy_navmesh_find_random_near(ploy_navmesh_query *query,
                                                   ploy_navmesh_place from, float radius,
                                                   ploy_rng *rng, ploy_navmesh_place *out);

/// The search: its kind, outcome and statistics; the records are scratch and not state.
PLOY_API void ploy_navmesh_query_describe(const ploy_navmesh_query *query, ploy_describe *out);
/// The corridor's polygons and portals; while a search is open, the polygons that it has reached.
PLOY_API void ploy_navmesh_query_draw(const ploy_navmesh_query *query, ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_navmesh_query_memory(const ploy_navmesh_query *query, ploy_memory_fn fn,
                                        void *user);
