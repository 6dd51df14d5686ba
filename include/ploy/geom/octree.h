/// @file ploy/geom/octree.h
/// A loose octree: a spatial index for 3D boxes that are added, moved and removed in a world of
/// known size.
///
/// The world is a cube; cells with many boxes are split into eight, recursively. Cells are loose:
/// their bounds are doubled, so that a box fits in a cell of about its own size wherever its centre
/// is, and stays there after a small move. Boxes that are too large for any cell or outside the
/// world are kept at the root and tested by every query: allowed, but slow if there are many.
///
/// Ids go from 0 to capacity - 1. Insert, move and remove cost O(levels), whatever the order; there
/// is nothing to rebuild, and only the world's size to tune. A ploy_bvh3 needs no world size and
/// answers ray queries faster; use an octree for many boxes that move at random. Queries work as
/// described in ploy/geom/index.h.
///
/// Only create allocates: 164 bytes a box. Threads: queries may run on many threads while nothing
/// changes. Units: metres.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/index.h"

typedef struct ploy_octree ploy_octree;

typedef struct ploy_octree_def {
    uint32_t cookie;
    int32_t capacity; ///< ids go from 0 to capacity - 1
    ploy_vec3 centre; ///< m, of the world
    float size;       ///< m, side of the world
    int32_t levels;   ///< most levels of cells below the world
} ploy_octree_def;

PLOY_API ploy_octree_def ploy_octree_def_default(void);
PLOY_API ploy_fields ploy_octree_fields(void);

/// Creates an empty tree. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_octree_create(const ploy_octree_def *def, const ploy_env *env,
                                        ploy_octree **out);
PLOY_API void ploy_octree_destroy(ploy_octree *tree);

/// @return PLOY_ERR_ARGUMENT if the id is out of range or the box is empty or not finite,
///         PLOY_ERR_EXISTS.
PLOY_API ploy_result ploy_octree_insert(ploy_octree *tree, int32_t id, ploy_box3 box);
/// @return PLOY_ERR_ARGUMENT as for insert, PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_octree_move(ploy_octree *tree, int32_t id, ploy_box3 box);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_octree_remove(ploy_octree *tree, int32_t id);
PLOY_API void ploy_octree_clear(ploy_octree *tree);

/// The number of boxes.
PLOY_API int32_t ploy_octree_count(const ploy_octree *tree);
/// @return false, leaving out alone, if there is no such box.
PLOY_API bool ploy_octree_get(const ploy_octree *tree, int32_t id, ploy_box3 *out);

/// See ploy_index3_find and ploy_visit_fn.
PLOY_API int32_t ploy_octree_find(const ploy_octree *tree, const ploy_query3 *query,
                                  ploy_found *out, int32_t capacity, ploy_query_stats *stats);
PLOY_API void ploy_octree_visit(const ploy_octree *tree, const ploy_query3 *query, ploy_visit_fn fn,
                                void *user, ploy_query_stats *stats);
/// The tree as a generic index; valid until the tree is destroyed.
PLOY_API ploy_index3 ploy_octree_index(const ploy_octree *tree);

PLOY_API void ploy_octree_describe(const ploy_octree *tree, ploy_describe *out);
/// Outlines the boxes and, fainter, the cells that hold any, without the doubled bounds.
PLOY_API void ploy_octree_draw(const ploy_octree *tree, ploy_draw *out);
PLOY_API void ploy_octree_memory(const ploy_octree *tree, ploy_memory_fn fn, void *user);
