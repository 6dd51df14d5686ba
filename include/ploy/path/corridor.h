/// @file ploy/path/corridor.h
/// A path corridor: the sequence of polygons that an agent walks along, kept valid while it and its
/// goal move.
///
/// Who follows a fixed line is lost as soon as it is pushed off it. A corridor keeps the polygons
/// of the path instead, and pulls the string again from wherever the agent is: being pushed about
/// costs nothing while one stays in the row. Who leaves it gets a small search back to the next
/// bend, and a goal that walks off is followed by one from the last bend. Only if such a repair
/// runs out of its nodes is the corridor stale, and needs a new search.
/// Technique: Mononen, the path corridor of Detour, 2010; ours mends the row with searches instead
/// of keeping what was walked over.
///
/// The mesh is the query's; questions go through it and forget its search. Memory is taken at
/// create (8 bytes a polygon of capacity, and paths that grow until they are as long as strings
/// get); then nothing allocates. Cost: a move pulls the string, linear in the row; a repair adds up
/// to `repair` nodes. Units: metres. Threads: one caller.
#pragma once

#include "ploy/path/navmesh_query.h"

/// A corridor. Opaque.
typedef struct ploy_corridor ploy_corridor;

/// Settings. Start from ploy_corridor_def_default().
typedef struct ploy_corridor_def {
    uint32_t cookie;
    int32_t capacity; ///< most polygons of a row
    int32_t repair;   ///< most nodes of a search that mends the row
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
/// @return PLOY_ERR_STATE without an answer, PLOY_ERR_CAPACITY if the row is too long,
///         PLOY_ERR_MEMORY; the corridor is as it was then.
PLOY_API ploy_result ploy_corridor_set(ploy_corridor *corridor, const ploy_navmesh_query *query);

/// Forgets everything.
PLOY_API void ploy_corridor_clear(ploy_corridor *corridor);

/// Moves the agent toward a point, sliding along walls (ploy_navmesh_find_move), and mends the row.
/// @return PLOY_ERR_STATE without a row, PLOY_ERR_CHANGED if the query's mesh is not the one that
///         the row was found on (search again and set it), PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_corridor_move(ploy_corridor *corridor, ploy_navmesh_query *query,
                                        ploy_vec2 to);
/// Moves the goal likewise.
PLOY_API ploy_result ploy_corridor_move_goal(ploy_corridor *corridor, ploy_navmesh_query *query,
                                             ploy_vec2 to);
/// Looks for a shorter path to the bend `ahead` bends away, and takes it: call it now and then.
PLOY_API ploy_result ploy_corridor_shorten(ploy_corridor *corridor, ploy_navmesh_query *query);

/// The state of a corridor.
typedef struct ploy_corridor_state {
    ploy_navmesh_place agent; ///< polygon -1: there is no row
    ploy_navmesh_place goal;  ///< where the row leads
    int32_t polygons;
    bool partial; ///< as the search said that made it
    bool stale;   ///< a repair failed: the row still leads where it led, but not to where the goal
                  ///< went, or not from where the agent is
    int32_t repairs; ///< since ploy_corridor_set
} ploy_corridor_state;

PLOY_API ploy_corridor_state ploy_corridor_get(const ploy_corridor *corridor);
/// The string from the agent to the goal; borrowed until something moves.
PLOY_API const ploy_path *ploy_corridor_path(const ploy_corridor *corridor);
/// Where to go next: the first bend that is further than `near` metres, or the goal.
PLOY_API ploy_vec3 ploy_corridor_next(const ploy_corridor *corridor, float near);

/// Row, agent, goal and state.
/// Visits a ploy_corridor (ploy/base/visit.h). A loaded row is compared with the mesh of the next
/// query; if it is not one of that mesh, the call returns PLOY_ERR_CHANGED.
PLOY_API void ploy_corridor_visit(ploy_visit *v, void *corridor);
PLOY_API void ploy_corridor_describe(const ploy_corridor *corridor, ploy_describe *out);
/// The polygons of the row and the string. @param mesh  the row's.
PLOY_API void ploy_corridor_draw(const ploy_corridor *corridor, const ploy_navmesh *mesh,
                                 ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_corridor_memory(const ploy_corridor *corridor, ploy_memory_fn fn, void *user);
