/// @file ploy/geom/quadtree.h
/// A loose quadtree: boxes of the plane that come, move and go, in a world of known size.
///
/// The world is a square; cells with many boxes are cut into four, over and over. Cells are loose,
/// twice as wide as their share, so that a box lies wholly in a cell of about its own size wherever
/// its middle is, and a small step leaves it there. What is too large for any cell or outside the
/// world is kept at the top and always asked: allowed, and slow if there is much of it.
///
/// Ids go from 0 to capacity - 1. Insert, move and remove cost O(levels), whatever the order; there
/// is nothing to rebuild or to tune but the world's size. A ploy_bvh2 needs no world and finds rays
/// faster; this is for much that moves at random. Answers as in ploy/geom/index.h.
///
/// Memory is allocated by create alone: 100 bytes a box. Threads: queries may run on many threads
/// while nothing changes. Units: metres.
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

/// @return PLOY_ERR_ARGUMENT if the id is out of range or the box empty or not finite,
///         PLOY_ERR_EXISTS.
PLOY_API ploy_result ploy_quadtree_insert(ploy_quadtree *tree, int32_t id, ploy_box2 box);
/// @return PLOY_ERR_ARGUMENT likewise, PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_quadtree_move(ploy_quadtree *tree, int32_t id, ploy_box2 box);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_quadtree_remove(ploy_quadtree *tree, int32_t id);
PLOY_API void ploy_quadtree_clear(ploy_quadtree *tree);

/// How many boxes there are.
PLOY_API int32_t ploy_quadtree_count(const ploy_quadtree *tree);
/// @return false, leaving out alone, if there is no such box.
PLOY_API bool ploy_quadtree_get(const ploy_quadtree *tree, int32_t id, ploy_box2 *out);

/// See ploy_index2_find and ploy_visit_fn.
PLOY_API int32_t ploy_quadtree_find(const ploy_quadtree *tree, const ploy_query2 *query,
                                    ploy_found *out, int32_t capacity, ploy_query_stats *stats);
PLOY_API void ploy_quadtree_visit(const ploy_quadtree *tree, const ploy_query2 *query,
                                  ploy_visit_fn fn, void *user, ploy_query_stats *stats);
/// The tree as any index; valid as long as it lives.
PLOY_API ploy_index2 ploy_quadtree_index(const ploy_quadtree *tree);

PLOY_API void ploy_quadtree_describe(const ploy_quadtree *tree, ploy_describe *out);
/// Outlines the boxes and, fainter, the cells that hold any, as wide as their share.
PLOY_API void ploy_quadtree_draw(const ploy_quadtree *tree, ploy_draw *out);
PLOY_API void ploy_quadtree_memory(const ploy_quadtree *tree, ploy_memory_fn fn, void *user);
