/// @file ploy/geom/quadtree.h
/// A loose quadtree: a spatial index for 2D boxes that are added, moved and removed in a world of
/// known size.
///
/// The world is a square; cells with many boxes are split into four, recursively. Cells are loose:
/// their bounds are doubled, so that a box fits in a cell of about its own size wherever its centre
/// is, and stays there after a small move. Boxes that are too large for any cell or outside the
/// world are kept at the root and tested by every query: allowed, but slow if there are many.
///
/// Ids go from 0 to capacity - 1. Insert, move and remove cost O(levels), whatever the order; there
/// is nothing to rebuild, and only the world's size to tune. A ploy_bvh2 needs no world size and
/// answers ray queries faster; use a quadtree for many boxes that move at random. Queries work as
/// described in ploy/geom/index.h.
///
/// Only create allocates: 100 bytes a box. Threads: queries may run on many threads while nothing
/// changes. Units: metres.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/index.h"

typedef struct ploy_quadtree ploy_quadtree;

typedef struct ploy_quadtree_def {
    uint32_t cookie;
    int32_t capacity; ///< ids go from 0 to capacity - 1
    ploy_vec2 centre; ///< m, of the world
    float size;       ///< m, side of the world
    int32_t levels;   ///< most levels of cells below the world
} ploy_quadtree_def;

PLOY_API ploy_quadtree_def ploy_quadtree_def_default(void);
PLOY_API ploy_fields ploy_quadtree_fields(void);

/// Creates an empty tree. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_quadtree_create(const ploy_quadtree_def *def, const ploy_env *env,
                                          ploy_quadtree **out);
PLOY_API void ploy_quadtree_destroy(ploy_quadtree *tree);

/// @return PLOY_ERR_ARGUMENT if the id is out of range or the box is empty or not finite,
///         PLOY_ERR_EXISTS.
PLOY_API ploy_result ploy_quadtree_insert(ploy_quadtree *tree, int32_t id, ploy_box2 box);
/// @return PLOY_ERR_ARGUMENT as for insert, PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_quadtree_move(ploy_quadtree *tree, int32_t id, ploy_box2 box);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_quadtree_remove(ploy_quadtree *tree, int32_t id);
PLOY_API void ploy_quadtree_clear(ploy_quadtree *tree);

/// The number of boxes.
PLOY_API int32_t ploy_quadtree_count(const ploy_quadtree *tree);
/// @return false, leaving out unchanged, if there is no such box.
PLOY_API bool ploy_quadtree_get(const ploy_quadtree *tree, int32_t id, ploy_box2 *out);

/// See ploy_index2_find and ploy_visit_fn.
PLOY_API int32_t ploy_quadtree_find(const ploy_quadtree *tree, const ploy_query2 *query,
                                    ploy_found *out, int32_t capacity, ploy_query_stats *stats);
PLOY_API void ploy_quadtree_visit(const ploy_quadtree *tree, const ploy_query2 *query,
                                  ploy_visit_fn fn, void *user, ploy_query_stats *stats);
/// The tree as a generic index; valid until the tree is destroyed.
PLOY_API ploy_index2 ploy_quadtree_index(const ploy_quadtree *tree);

PLOY_API void ploy_quadtree_describe(const ploy_quadtree *tree, ploy_describe *out);
/// Outlines the boxes and, fainter, the cells that hold any, without the doubled bounds.
PLOY_API void ploy_quadtree_draw(const ploy_quadtree *tree, ploy_draw *out);
PLOY_API void ploy_quadtree_memory(const ploy_quadtree *tree, ploy_memory_fn fn, void *user);
