/// @file ploy/path/navmesh_query.h
/// Queries on a navigation mesh: locating points, finding paths, testing for walls.
///
/// A query object holds the memory for its queries, a pool of nodes of fixed size that is allocated
/// at create, whatever the size of the mesh, and the filter that says what the floor costs and
/// where an agent may go. No query allocates, except that a ploy_path grows when it is written.
/// Searches are A* (Hart, Nilsson and Raphael 1968) over polygons or over the edges between them;
/// the path through the polygons found is pulled tight like a string (the funnel algorithm; Lee and
/// Preparata 1984, in Mononen's form, 2010). It is the shortest within that sequence of polygons,
/// which need not be the shortest of all. Among equal costs the deeper node goes first, then the
/// lower number, so answers are the same on all platforms.
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
    float cost[PLOY_NAVMESH_AREAS]; ///< for a metre of each area, above 0
    uint32_t include;               ///< a polygon or link needs one of these flags
    uint32_t exclude;               ///< and none of these
    float clearance; ///< m; in a mesh for several sizes: excludes polygons with less clearance
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

/// The default and the largest number of nodes of a search, and of polygons of a flood.
#define PLOY_NAVMESH_NODES 4096
#define PLOY_NAVMESH_NODES_MIN 16
#define PLOY_NAVMESH_NODES_MAX (1 << 24)

/// Replaces the memory for nodes: about 72 bytes for each node (and two bits for each polygon),
/// never more than the mesh can use. A search that needs more nodes leaves out those it reaches
/// last and reports that in its answer (`limited`); floods return PLOY_ERR_LIMIT. Cancels a search
/// under way. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; the query is unchanged then.
PLOY_API ploy_result ploy_navmesh_query_set_nodes(ploy_navmesh_query *query, int32_t nodes);

/// Replaces the filter. Cancels a search under way.
/// @return PLOY_ERR_ARGUMENT, changing nothing, for a cost outside 1e-3 to 1e6.
PLOY_API ploy_result ploy_navmesh_query_set_filter(ploy_navmesh_query *query,
                                                   const ploy_navmesh_filter *filter);

/// Sets a hook for the cost of a metre of polygons and links, on top of the filter. Cancels a
/// search under way. Rays and floods do not call the hook. @param costs  copied; NULL: none.
PLOY_API void ploy_navmesh_query_set_costs(ploy_navmesh_query *query, const ploy_cost_hook *costs);

// ---- where ----

/// How to treat a point that has no floor close below it.
typedef enum ploy_navmesh_airborne {
    PLOY_NAVMESH_DROP,      ///< it is on the floor vertically below, however far
    PLOY_NAVMESH_HOLD_LAST, ///< it is jumping: until it is over the floor near the hint, it
                            ///< counts as at the hint
    PLOY_NAVMESH_CLOSEST    ///< it is on the nearest floor in space: a point just outside a rim is
    ///< on the rim, not far below; a height up to the mesh's step_height above a floor is ignored
} ploy_navmesh_airborne;

/// How far to look. Start from ploy_navmesh_reach_default().
typedef struct ploy_navmesh_reach {
    float radius; ///< m, seen from above
    float height; ///< m up and down; floors further away are ignored
    ploy_navmesh_airborne airborne;
} ploy_navmesh_reach;

/// No limits; PLOY_NAVMESH_DROP.
PLOY_API ploy_navmesh_reach ploy_navmesh_reach_default(void);

/// Finds the polygon that a point is on: the nearest seen from above (PLOY_NAVMESH_CLOSEST: in
/// space); among equals the nearest in height, then the lowest number. Tries the hint first, then
/// polygons up to two neighbours from it, so that an agent that has moved a little is found at
/// once. Where floors overlap, the hint therefore decides between those in reach. Only the filter's
/// clearance is used here.
/// @param hint   the last answer's polygon; -1: none.
/// @param reach  NULL: the default.
/// @return PLOY_ERR_NOT_FOUND if no floor is in reach, PLOY_ERR_ARGUMENT for a point that is not
///         finite.
PLOY_API ploy_result ploy_navmesh_find_nearest(ploy_navmesh_query *query, ploy_vec3 point,
                                               int32_t hint, const ploy_navmesh_reach *reach,
                                               ploy_navmesh_place *out);

/// Finds where an agent in the air will land: the first floor that its parabola crosses downward,
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
    /// The goal is the cheapest polygon to enter that satisfies this. `to` is then not read, and
    /// portals are crossed at their middles instead of at crossings. NULL: the goal is `to`.
    bool (*is_goal)(void *user, int32_t polygon);
    void *user; ///< of is_goal
} ploy_navmesh_request;

/// Crossings, a radius of 0.
PLOY_API ploy_navmesh_request ploy_navmesh_request_make(ploy_navmesh_place from,
                                                        ploy_navmesh_place to);

/// The result of a search.
typedef struct ploy_navmesh_answer {
    ploy_path_outcome outcome; ///< open, found, or partial: to the nearest reachable point;
                               ///< none if no polygon is_goal
    ploy_navmesh_place end;    ///< where the path ends
    float cost;                ///< in the search's graph, not of the tightened path
    int64_t pops;              ///< nodes taken from the open list
    int32_t open;              ///< nodes left on it
    bool limited;              ///< the query ran out of nodes: a complete or cheaper path may exist
} ploy_navmesh_answer;

/// Begins a search and drops any search under way.
/// @return PLOY_ERR_ARGUMENT for places that are not on the mesh or a radius out of range,
///         PLOY_ERR_DENIED if the filter forbids the start's polygon.
PLOY_API ploy_result ploy_navmesh_query_begin(ploy_navmesh_query *query,
                                              const ploy_navmesh_request *request);
/// Continues the search. @param budget  NULL: to the end.
/// @return PLOY_IN_PROGRESS, PLOY_OK when there is an answer, PLOY_ERR_STATE without a search.
PLOY_API ploy_result ploy_navmesh_query_step(ploy_navmesh_query *query, ploy_budget *budget);
/// Drops the search.
PLOY_API void ploy_navmesh_query_cancel(ploy_navmesh_query *query);
/// Returns the answer so far; its outcome is PLOY_PATH_NONE without a search.
PLOY_API ploy_navmesh_answer ploy_navmesh_query_answer(const ploy_navmesh_query *query);
/// Returns the polygons of the path, first to last; borrowed until the next search. None while the
/// search is open.
PLOY_API const int32_t *ploy_navmesh_query_corridor(const ploy_navmesh_query *query,
                                                    int32_t *count);
/// Writes the result as a path, pulled tight. Links are edges with their kind and id.
/// @return PLOY_ERR_STATE while there is no path; PLOY_ERR_MEMORY, with an empty path.
PLOY_API ploy_result ploy_navmesh_query_path(ploy_navmesh_query *query, ploy_path *path);
/// Does the same while the search is open: writes the path to the reached place that is nearest to
/// the goal, so that an agent can set out. The search is not affected. Cost: O(edges).
/// @return PLOY_ERR_STATE without a search; PLOY_ERR_MEMORY, with an empty path.
PLOY_API ploy_result ploy_navmesh_query_peek(ploy_navmesh_query *query, ploy_path *path);

/// Begins a search, steps it to the end and writes the path (which may be NULL, and is empty if
/// none was found).
PLOY_API ploy_result ploy_navmesh_find_path(ploy_navmesh_query *query,
                                            const ploy_navmesh_request *request, ploy_path *path,
                                            ploy_navmesh_answer *answer);

// ---- along the floor ----

/// Where a straight walk ends.
typedef struct ploy_navmesh_hit {
    bool hit;         ///< false: it reached the end
    int32_t polygon;  ///< where it ended
    int32_t edge;     ///< the wall that was hit, or -1
    ploy_vec2 at;     ///< m, where it ended
    ploy_vec2 normal; ///< of that wall, pointing away from it; zero if none
    float share;      ///< of the line walked, 0 to 1
} ploy_navmesh_hit;

/// Walks straight along the floor until a wall, or floor that the filter forbids, blocks the line.
/// Decided exactly: a line that touches a corner passes it. The height where it ends is not
/// computed, because most callers do not need it; see ploy_navmesh_hit_place.
/// @return PLOY_ERR_ARGUMENT for a start off the mesh or an end that is not finite.
PLOY_API ploy_result ploy_navmesh_find_ray(const ploy_navmesh_query *query, ploy_navmesh_place from,
                                           ploy_vec2 to, ploy_navmesh_hit *out);

/// Returns the place where a walk ended, with the height of the floor, to continue from.
PLOY_API ploy_navmesh_place ploy_navmesh_hit_place(const ploy_navmesh_query *query,
                                                   const ploy_navmesh_hit *hit);

/// Moves along the floor toward a point as far as walls allow, sliding along them. Finds the place
/// nearest to the point among those connected to the start within the circle around both.
PLOY_API ploy_result ploy_navmesh_find_move(ploy_navmesh_query *query, ploy_navmesh_place from,
                                            ploy_vec2 to, ploy_navmesh_place *out);

/// Finds the distance to the nearest wall, up to max. If there is none, *out is max and *edge is
/// -1.
/// @param edge, nearest  may be NULL.
PLOY_API ploy_result ploy_navmesh_find_wall(ploy_navmesh_query *query, ploy_navmesh_place from,
                                            float max, float *out, int32_t *edge,
                                            ploy_vec2 *nearest);

/// Finds the walls within a distance that can also be reached within that distance, nearest first,
/// for obstacle avoidance. Walls at equal distance come in a fixed order. The floor is to the left
/// of each wall.
/// @param out  the first `capacity` of them. @param count  how many there are.
PLOY_API ploy_result ploy_navmesh_find_walls(ploy_navmesh_query *query, ploy_navmesh_place from,
                                             float radius, ploy_segment2 *out, int32_t capacity,
                                             int32_t *count);

/// Picks a random place on the floor that the filter allows, uniformly by area. Cost: O(polygons).
/// @return PLOY_ERR_NOT_FOUND if nothing is allowed.
PLOY_API ploy_result ploy_navmesh_find_random(ploy_navmesh_query *query, ploy_rng *rng,
                                              ploy_navmesh_place *out);
/// Picks a random place within a radius of another that can also be reached within that radius.
PLOY_API ploy_result ploy_navmesh_find_random_near(ploy_navmesh_query *query,
                                                   ploy_navmesh_place from, float radius,
                                                   ploy_rng *rng, ploy_navmesh_place *out);

/// Describes the search: its kind, outcome and statistics. The node records are scratch memory, not
/// state.
PLOY_API void ploy_navmesh_query_describe(const ploy_navmesh_query *query, ploy_describe *out);
/// Draws the corridor's polygons and portals; while a search is open, the polygons that it has
/// reached.
PLOY_API void ploy_navmesh_query_draw(const ploy_navmesh_query *query, ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_navmesh_query_memory(const ploy_navmesh_query *query, ploy_memory_fn fn,
                                        void *user);
