/// @file ploy/path/navmesh_exact.h
/// The shortest path over a navigation mesh, seen from above: none is shorter.
///
/// A search over polygons or the middles of edges fixes a sequence of polygons before the actual
/// path through them is known. This one searches by visibility: a node is a piece of a portal and
/// the bend from which it is visible, so costs are those of the final path itself. Technique:
/// Polyanya (Cui, Harabor and Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017).
///
/// Only distance counts; areas, flags, links and heights are ignored. Agents are points: build the
/// mesh with their radius. Memory is allocated at create: 52 bytes a node, 9 a vertex and 4 a
/// polygon; nothing allocates afterwards. Units: metres. Threads: one caller; many may share a
/// mesh.
#pragma once

#include "ploy/path/navmesh_query.h"

/// The search. Opaque.
typedef struct ploy_navmesh_exact ploy_navmesh_exact;

/// Settings. Start from ploy_navmesh_exact_def_default().
typedef struct ploy_navmesh_exact_def {
    uint32_t cookie;
    int32_t nodes; ///< most nodes that one search may make
    float radius;  ///< m, of the agent, in a mesh for several sizes (ploy_navmesh_create_sizes)
} ploy_navmesh_exact_def;

PLOY_API ploy_navmesh_exact_def ploy_navmesh_exact_def_default(void);
PLOY_API ploy_fields ploy_navmesh_exact_fields(void);

/// @param mesh  must outlive the search. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navmesh_exact_create(const ploy_navmesh_exact_def *def,
                                               const ploy_navmesh *mesh, const ploy_env *env,
                                               ploy_navmesh_exact **out);
/// NULL is allowed.
PLOY_API void ploy_navmesh_exact_destroy(ploy_navmesh_exact *exact);

/// Begins a search and drops any search under way.
/// @return PLOY_ERR_ARGUMENT for places that are not on the mesh, PLOY_ERR_LIMIT.
PLOY_API ploy_result ploy_navmesh_exact_begin(ploy_navmesh_exact *exact, ploy_navmesh_place from,
                                              ploy_navmesh_place to);
/// Continues the search. One unit of budget is one node taken from the open list. NULL: to the end.
/// @return PLOY_IN_PROGRESS, PLOY_OK when there is an answer, PLOY_ERR_STATE without a search,
///         PLOY_ERR_LIMIT if the nodes run out: the search is then over.
PLOY_API ploy_result ploy_navmesh_exact_step(ploy_navmesh_exact *exact, ploy_budget *budget);
/// Returns the outcome (found, none, or open while the search runs) and the path's length.
PLOY_API ploy_path_outcome ploy_navmesh_exact_outcome(const ploy_navmesh_exact *exact,
                                                      float *length);
/// Writes the path. @return PLOY_ERR_STATE if none was found; PLOY_ERR_MEMORY, with an empty path.
PLOY_API ploy_result ploy_navmesh_exact_path(ploy_navmesh_exact *exact, ploy_path *path);
/// Reports the bytes held.
PLOY_API void ploy_navmesh_exact_memory(const ploy_navmesh_exact *exact, ploy_memory_fn fn,
                                        void *user);
