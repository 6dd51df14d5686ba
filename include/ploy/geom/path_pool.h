/// @file ploy/geom/path_pool.h
/// A pool of paths, so that a warm step that finds a path allocates nothing.
///
/// A character that plans takes a path, fills it, follows it and gives it back. The next taker gets
/// the path that was given back last, empty, with the memory that it has. A pool that is empty
/// creates a path; ploy_path_pool_reserve creates them in advance.
///
/// Cost: O(1). Allocates only in create and reserve, if a taker finds the pool empty, and if a path
/// gets more points than `points`. Threads: one caller at a time.
#pragma once

#include "ploy/geom/path.h"

typedef struct ploy_path_pool ploy_path_pool;

typedef struct ploy_path_pool_def {
    uint32_t cookie;
    int32_t points; ///< that fit in each path before it grows
    int32_t paths;  ///< created in advance
} ploy_path_pool_def;

PLOY_API ploy_path_pool_def ploy_path_pool_def_default(void);
PLOY_API ploy_fields ploy_path_pool_fields(void);

/// Creates a pool with def->paths unused paths.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_path_pool_create(const ploy_path_pool_def *def, const ploy_env *env,
                                           ploy_path_pool **out);
/// Frees the pool and its unused paths. Paths that are taken must be given back first, or freed with
/// ploy_path_destroy. NULL is allowed.
PLOY_API void ploy_path_pool_destroy(ploy_path_pool *pool);

/// Creates paths until the pool has made `paths` in total, so that this many can be in use without an
/// allocation.
/// @return PLOY_ERR_ARGUMENT if paths is negative or above 2^20, PLOY_ERR_MEMORY; the paths created
///         until then stay in the pool.
PLOY_API ploy_result ploy_path_pool_reserve(ploy_path_pool *pool, int32_t paths);

/// Takes an empty path, which is not closed.
/// @return PLOY_ERR_MEMORY if the pool was empty and no path could be created; *out is NULL then.
PLOY_API ploy_result ploy_path_pool_take(ploy_path_pool *pool, ploy_path **out);

/// Gives a path back. A path from elsewhere is accepted too: the pool owns it from now on. NULL is
/// allowed.
PLOY_API void ploy_path_pool_give(ploy_path_pool *pool, ploy_path *path);
