/// @file ploy/path/corridor.h
/// A path corridor: the sequence of polygons that an agent walks along, kept valid while the agent
/// and its goal move.
///
/// An agent that follows a fixed line is lost as soon as it is pushed off it. A corridor stores the
/// polygons of the path instead, and recomputes the tight path from wherever the agent is, so being
/// pushed costs nothing while the agent stays in these polygons. An agent that leaves them is led
/// back by a small search to the next bend, and a goal that moves away is followed by one from the
/// last bend. Only if such a repair runs out of nodes does the corridor become stale and need a new
/// search. Technique: Mononen, the path corridor of Detour, 2010; ours repairs the sequence with
/// searches instead of keeping the polygons that were walked over.
///
/// The mesh is the query's. Calls run through that query and drop its search. Memory is allocated
/// at create (8 bytes a polygon of capacity, and paths that grow to the longest path needed);
/// afterwards nothing allocates. Cost: a move recomputes the path, linear in the number of
/// polygons; a repair adds up to `repair` nodes. Units: metres. Threads: one caller.
#pragma once

#include "ploy/path/navmesh_query.h"

/// A corridor. Opaque.
typedef struct ploy_corridor ploy_corridor;

/// Settings. Start from ploy_corridor_def_default().
typedef struct ploy_corridor_def {
    uint32_t cookie;
    int32_t capacity; ///< most polygons of the sequence
    int32_t repair;   ///< most nodes of a repair search
    int32_t ahead;    ///< how many bends ahead ploy_corridor_shorten looks
    float radius;     ///< m, of the agent, as in ploy_navmesh_request
} ploy_corridor_def;

PLOY_API ploy_corridor_def ploy_corridor_def_default(void);
PLOY_API ploy_fields ploy_corridor_fields(void);

/// Creates a corridor without polygons. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_corridor_create(const ploy_corridor_def *def, const ploy_env *env,
                                          ploy_corridor **out);
/// NULL is allowed.
PLOY_API void ploy_corridor_destroy(ploy_corridor *corridor);

/// Takes over the path that a query's search found, whole or partial.
/// @return PLOY_ERR_STATE without an answer, PLOY_ERR_CAPACITY if the sequence is too long,
///         PLOY_ERR_MEMORY; the corridor is unchanged then.
PLOY_API ploy_result ploy_corridor_set(ploy_corridor *corridor, const ploy_navmesh_query *query);

/// Empties the corridor.
PLOY_API void ploy_corridor_clear(ploy_corridor *corridor);

/// Moves the agent toward a point, sliding along walls (ploy_navmesh_find_move), and repairs the
/// sequence.
/// @return PLOY_ERR_STATE if empty, PLOY_ERR_CHANGED if the query's mesh is not the one that
///         the path was found on (search again and set it), PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_corridor_move(ploy_corridor *corridor, ploy_navmesh_query *query,
                                        ploy_vec2 to);
/// Moves the goal in the same way.
PLOY_API ploy_result ploy_corridor_move_goal(ploy_corridor *corridor, ploy_navmesh_query *query,
                                             ploy_vec2 to);
/// Looks for a shorter path to the bend `ahead` bends away and takes it. Call it occasionally.
PLOY_API ploy_result ploy_corridor_shorten(ploy_corridor *corridor, ploy_navmesh_query *query);

/// The state of a corridor.
typedef struct ploy_corridor_state {
    ploy_navmesh_place agent; ///< polygon -1: the corridor is empty
    ploy_navmesh_place goal;  ///< where the corridor leads
    int32_t polygons;
    bool partial; ///< the search that made it found a partial path
    /// A repair failed: the polygons are unchanged, but no longer lead from the agent to the goal.
    bool stale;
    int32_t repairs; ///< since ploy_corridor_set
} ploy_corridor_state;

PLOY_API ploy_corridor_state ploy_corridor_get(const ploy_corridor *corridor);
/// Returns the tight path from the agent to the goal; borrowed until the agent or the goal moves.
PLOY_API const ploy_path *ploy_corridor_path(const ploy_corridor *corridor);
/// Returns where to go next: the first bend that is further than `near` metres, or the goal.
PLOY_API ploy_vec3 ploy_corridor_next(const ploy_corridor *corridor, float near);

/// Visits a ploy_corridor (ploy/base/visit.h): polygons, agent, goal and state. Loaded polygons are
/// compared with the mesh of the next query; if they are not from that mesh, the call returns
/// PLOY_ERR_CHANGED.
PLOY_API void ploy_corridor_visit(ploy_visit *v, void *corridor);
PLOY_API void ploy_corridor_describe(const ploy_corridor *corridor, ploy_describe *out);
/// Draws the polygons and the tight path. @param mesh  the one the path was found on.
PLOY_API void ploy_corridor_draw(const ploy_corridor *corridor, const ploy_navmesh *mesh,
                                 ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_corridor_memory(const ploy_corridor *corridor, ploy_memory_fn fn, void *user);
