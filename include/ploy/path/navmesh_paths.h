/// @file ploy/path/navmesh_paths.h
/// A path service over a navigation mesh: many characters ask, one search works on it in slices.
///
/// Requests wait in the order they came; each step takes as many nodes from open lists as its
/// budget allows, going on with the search of the step before. Places are found with
/// ploy_navmesh_find_nearest; what lies too far from the floor gets PLOY_PATH_NONE. A way that does
/// not get there is PLOY_PATH_PARTIAL. A request's radius trims portals, its profile names a
/// filter, its mask is not used. Answers are kept until they are polled or cancelled.
///
/// One unit of budget is one node taken from an open list, or one request that needs no search.
/// Memory: paths grow until they are as long as ways get; then nothing allocates.
/// Threads: one caller at a time; many services may share a mesh.
#pragma once

#include "ploy/path/navmesh_query.h"

/// The service. Opaque.
typedef struct ploy_navmesh_paths ploy_navmesh_paths;

/// Most profiles of one service.
#define PLOY_NAVMESH_PROFILES 16

/// Settings. Start from ploy_navmesh_paths_def_default().
typedef struct ploy_navmesh_paths_def {
    uint32_t cookie;
    int32_t capacity; ///< most tickets at once
    float reach;      ///< m, seen from above: how far from the floor one may be asked for
    float height;     ///< m, up and down likewise
    ploy_navmesh_method method;
} ploy_navmesh_paths_def;

PLOY_API ploy_navmesh_paths_def ploy_navmesh_paths_def_default(void);
PLOY_API ploy_fields ploy_navmesh_paths_fields(void);

/// @param mesh  must outlive the service. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navmesh_paths_create(const ploy_navmesh_paths_def *def,
                                               const ploy_navmesh *mesh, const ploy_env *env,
                                               ploy_navmesh_paths **out);
/// NULL is allowed.
PLOY_API void ploy_navmesh_paths_destroy(ploy_navmesh_paths *paths);

/// Says what a profile may go on and what it costs; requests that name none, or one that is not
/// known, get the default filter. A request that is being worked on keeps the filter it began with.
/// @return PLOY_ERR_ARGUMENT for no name or a filter out of range, PLOY_ERR_CAPACITY.
PLOY_API ploy_result ploy_navmesh_paths_set_profile(ploy_navmesh_paths *paths, ploy_name profile,
                                                    const ploy_navmesh_filter *filter);

/// The interface over it, valid as long as it lives.
PLOY_API ploy_path_service ploy_navmesh_paths_service(ploy_navmesh_paths *paths);
/// Reports the bytes held.
PLOY_API void ploy_navmesh_paths_memory(const ploy_navmesh_paths *paths, ploy_memory_fn fn,
                                        void *user);
