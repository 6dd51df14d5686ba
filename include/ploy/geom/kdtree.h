/// @file ploy/geom/kdtree.h
/// A kd-tree: a spatial index for fixed 2D points, fast even if they are unevenly distributed.
///
/// The build splits the points at the median along the longer side of their bounds, repeatedly,
/// until a handful is left; each part keeps its bounds. Nothing is tuned to a radius or a density,
/// so one tree serves short and long queries alike: waypoints, cover, spawn points, samples. There
/// is no insert or move: rebuild, or use a grid or a ploy_bvh2 for moving points.
///
/// Queries work as described in ploy/geom/index.h. Cost: build O(n log n); small radius and box
/// queries O(log n + found), nearest O(log n) on average. Only create allocates: 24 to 28 bytes a
/// point. Threads: queries may run on many threads while nothing changes. Units: metres.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/index.h"

typedef struct ploy_kdtree ploy_kdtree;

typedef struct ploy_kdtree_def {
    uint32_t cookie;
    int32_t capacity; ///< most points
} ploy_kdtree_def;

PLOY_API ploy_kdtree_def ploy_kdtree_def_default(void);
PLOY_API ploy_fields ploy_kdtree_fields(void);

/// Creates an empty tree. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_kdtree_create(const ploy_kdtree_def *def, const ploy_env *env,
                                        ploy_kdtree **out);
PLOY_API void ploy_kdtree_destroy(ploy_kdtree *tree);

/// Replaces everything with the view's points, ids 0 to count - 1. Points that are not finite are
/// left out.
/// @return PLOY_ERR_CAPACITY or PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_kdtree_rebuild(ploy_kdtree *tree, const ploy_points *points);

/// The number of points.
PLOY_API int32_t ploy_kdtree_count(const ploy_kdtree *tree);

/// See ploy_index2_find and ploy_visit_fn.
PLOY_API int32_t ploy_kdtree_find(const ploy_kdtree *tree, const ploy_query2 *query,
                                  ploy_found *out, int32_t capacity, ploy_query_stats *stats);
PLOY_API void ploy_kdtree_visit(const ploy_kdtree *tree, const ploy_query2 *query, ploy_visit_fn fn,
                                void *user, ploy_query_stats *stats);
/// The tree as a generic index; valid until the tree is destroyed.
PLOY_API ploy_index2 ploy_kdtree_index(const ploy_kdtree *tree);

PLOY_API void ploy_kdtree_describe(const ploy_kdtree *tree, ploy_describe *out);
/// Outlines the bounds of the leaves.
PLOY_API void ploy_kdtree_draw(const ploy_kdtree *tree, ploy_draw *out);
PLOY_API void ploy_kdtree_memory(const ploy_kdtree *tree, ploy_memory_fn fn, void *user);
