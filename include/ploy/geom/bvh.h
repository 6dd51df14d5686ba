/// @file ploy/geom/bvh.h
/// Bounding-volume hierarchies: spatial indices for boxes that overlap, differ in size and move.
///
/// ploy_bvh2 holds 2D boxes, ploy_bvh3 3D boxes: walls, bodies, triggers, anything with bounds. Ids
/// go from 0 to capacity - 1. Rebuild sorts everything at once and gives the best tree; refit keeps
/// the tree and updates boxes that all moved a little; insert, move and remove change single boxes.
/// A box that is inserted or moved alone gets a margin in the tree, so that most moves change only
/// the box itself. Queries test the boxes, never the margins.
///
/// Queries work as described in ploy/geom/index.h. The tree always stays balanced (heights of
/// siblings differ by at most one), so its depth is at most 1.45 log2 count. Cost: rebuild O(n log
/// n), refit O(n), insert, move and remove O(log n), small queries O(log n + found) after rebuild.
/// Boxes inserted one by one make a looser tree; with a hundred thousand boxes, its queries examine
/// up to two and a half times as many nodes. Rebuild once after loading.
///
/// Only create allocates: 128 bytes a box. Threads: queries may run on many threads while nothing
/// changes. Units: metres.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/index.h"

typedef struct ploy_bvh2 ploy_bvh2;
typedef struct ploy_bvh3 ploy_bvh3;

/// Settings of both.
typedef struct ploy_bvh_def {
    uint32_t cookie;
    int32_t capacity; ///< ids go from 0 to capacity - 1
    float margin;     ///< m around boxes inserted or moved alone; about one step's motion
} ploy_bvh_def;

PLOY_API ploy_bvh_def ploy_bvh_def_default(void);
PLOY_API ploy_fields ploy_bvh_fields(void);

// ---- the plane ----

/// Creates an empty hierarchy. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_bvh2_create(const ploy_bvh_def *def, const ploy_env *env,
                                      ploy_bvh2 **out);
PLOY_API void ploy_bvh2_destroy(ploy_bvh2 *bvh);

/// Replaces everything with these boxes, ids 0 to count - 1. Boxes that are empty or not finite are
/// skipped. @return PLOY_ERR_CAPACITY or PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_bvh2_rebuild(ploy_bvh2 *bvh, const ploy_box2 *boxes, int32_t count);

/// Updates the boxes with ids 0 to count - 1 without changing the tree; ids not in the tree are
/// skipped, and boxes with higher ids do not change. Queries get slower after boxes have moved far:
/// then rebuild.
/// @return PLOY_ERR_ARGUMENT, changing nothing, if count is out of range, or the box of an id in
///         the tree is empty or not finite.
PLOY_API ploy_result ploy_bvh2_refit(ploy_bvh2 *bvh, const ploy_box2 *boxes, int32_t count);

/// @return PLOY_ERR_ARGUMENT if the id is out of range or the box is empty or not finite,
///         PLOY_ERR_EXISTS.
PLOY_API ploy_result ploy_bvh2_insert(ploy_bvh2 *bvh, int32_t id, ploy_box2 box);
/// @return PLOY_ERR_ARGUMENT as for insert, PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_bvh2_move(ploy_bvh2 *bvh, int32_t id, ploy_box2 box);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_bvh2_remove(ploy_bvh2 *bvh, int32_t id);
PLOY_API void ploy_bvh2_clear(ploy_bvh2 *bvh);

/// The number of boxes.
PLOY_API int32_t ploy_bvh2_count(const ploy_bvh2 *bvh);
/// @return false, leaving out alone, if there is no such box.
PLOY_API bool ploy_bvh2_get(const ploy_bvh2 *bvh, int32_t id, ploy_box2 *out);

/// See ploy_index2_find and ploy_visit_fn.
PLOY_API int32_t ploy_bvh2_find(const ploy_bvh2 *bvh, const ploy_query2 *query, ploy_found *out,
                                int32_t capacity, ploy_query_stats *stats);
PLOY_API void ploy_bvh2_visit(const ploy_bvh2 *bvh, const ploy_query2 *query, ploy_visit_fn fn,
                              void *user, ploy_query_stats *stats);
/// The hierarchy as a generic index; valid until it is destroyed.
PLOY_API ploy_index2 ploy_bvh2_index(const ploy_bvh2 *bvh);

PLOY_API void ploy_bvh2_describe(const ploy_bvh2 *bvh, ploy_describe *out);
/// Outlines the boxes and, fainter, the inner nodes.
PLOY_API void ploy_bvh2_draw(const ploy_bvh2 *bvh, ploy_draw *out);
PLOY_API void ploy_bvh2_memory(const ploy_bvh2 *bvh, ploy_memory_fn fn, void *user);

// ---- space ----

/// Creates an empty hierarchy. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_bvh3_create(const ploy_bvh_def *def, const ploy_env *env,
                                      ploy_bvh3 **out);
PLOY_API void ploy_bvh3_destroy(ploy_bvh3 *bvh);

/// Replaces everything with these boxes, ids 0 to count - 1. Boxes that are empty or not finite are
/// skipped. @return PLOY_ERR_CAPACITY or PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_bvh3_rebuild(ploy_bvh3 *bvh, const ploy_box3 *boxes, int32_t count);

/// Updates the boxes with ids 0 to count - 1 without changing the tree; ids not in the tree are
/// skipped, and boxes with higher ids do not change. Queries get slower after boxes have moved far:
/// then rebuild.
/// @return PLOY_ERR_ARGUMENT, changing nothing, if count is out of range, or the box of an id in
///         the tree is empty or not finite.
PLOY_API ploy_result ploy_bvh3_refit(ploy_bvh3 *bvh, const ploy_box3 *boxes, int32_t count);

/// @return PLOY_ERR_ARGUMENT if the id is out of range or the box is empty or not finite,
///         PLOY_ERR_EXISTS.
PLOY_API ploy_result ploy_bvh3_insert(ploy_bvh3 *bvh, int32_t id, ploy_box3 box);
/// @return PLOY_ERR_ARGUMENT as for insert, PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_bvh3_move(ploy_bvh3 *bvh, int32_t id, ploy_box3 box);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_bvh3_remove(ploy_bvh3 *bvh, int32_t id);
PLOY_API void ploy_bvh3_clear(ploy_bvh3 *bvh);

/// The number of boxes.
PLOY_API int32_t ploy_bvh3_count(const ploy_bvh3 *bvh);
/// @return false, leaving out alone, if there is no such box.
PLOY_API bool ploy_bvh3_get(const ploy_bvh3 *bvh, int32_t id, ploy_box3 *out);

/// See ploy_index3_find and ploy_visit_fn.
PLOY_API int32_t ploy_bvh3_find(const ploy_bvh3 *bvh, const ploy_query3 *query, ploy_found *out,
                                int32_t capacity, ploy_query_stats *stats);
PLOY_API void ploy_bvh3_visit(const ploy_bvh3 *bvh, const ploy_query3 *query, ploy_visit_fn fn,
                              void *user, ploy_query_stats *stats);
/// The hierarchy as a generic index; valid until it is destroyed.
PLOY_API ploy_index3 ploy_bvh3_index(const ploy_bvh3 *bvh);

PLOY_API void ploy_bvh3_describe(const ploy_bvh3 *bvh, ploy_describe *out);
/// Outlines the boxes and, fainter, the inner nodes.
PLOY_API void ploy_bvh3_draw(const ploy_bvh3 *bvh, ploy_draw *out);
PLOY_API void ploy_bvh3_memory(const ploy_bvh3 *bvh, ploy_memory_fn fn, void *user);
