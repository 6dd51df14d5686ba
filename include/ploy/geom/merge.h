/// @file ploy/geom/merge.h
/// Convex polygons from triangles: few large cells instead of many small ones, each with what lies
/// behind its edges. The ground plan of a navigation mesh.
///
/// Within a convex polygon every straight line is free, so a mesh needs no more edges than those
/// that keep its polygons convex. Edges between triangles that are inside are taken away, the
/// longest first, as long as what comes out is convex. Technique: Hertel and Mehlhorn, "Fast
/// triangulation of simple polygons", 1983: with no limit on corners, and vertices on the outlines
/// only, there are at most four times as many polygons as in the best partition; the order, by
/// length, is ours. Equal lengths go by vertex numbers: the same triangles and vertices give the
/// same polygons; their order is that of the triangles.
///
/// Polygons may have straight corners, where more than one neighbour is behind a side: every edge
/// has one neighbour or none. Decided exactly. Cost: O(n log n) for n triangles. A build keeps
/// copies of what it needs; the triangulation may change afterwards. Units: metres.
/// Threads: reading from many at a time while nothing changes.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/cdt.h"

/// Most corners of a polygon that may be asked for.
#define PLOY_MERGE_CORNERS_MAX 1024

/// Convex polygons. Opaque.
typedef struct ploy_merge ploy_merge;

/// Settings. Start from ploy_merge_def_default().
typedef struct ploy_merge_def {
    uint32_t cookie;
    int32_t max_corners; ///< of a polygon, 3 or more: 3 leaves the triangles as they are
    bool walls;          ///< constraints with inside on both sides are walls: nothing behind them
} ploy_merge_def;

PLOY_API ploy_merge_def ploy_merge_def_default(void);
PLOY_API ploy_fields ploy_merge_fields(void);

/// One polygon: its corners and edges are [first, first + count) of the view's arrays.
typedef struct ploy_merge_polygon {
    int32_t first, count;
} ploy_merge_polygon;

/// Everything at a glance, borrowed: valid until the next build.
typedef struct ploy_merge_view {
    const ploy_merge_polygon *polygons; ///< in the order of their first triangles
    int32_t polygon_count;
    const int32_t *vertices;   ///< of each corner, counter-clockwise: numbers of the triangulation
    const ploy_vec2 *corners;  ///< where they are
    const int32_t *neighbours; ///< the polygon behind the edge from a corner to the next; -1: none
    int32_t corner_count;      ///< of all polygons together
    const int32_t *polygon_of; ///< by triangle, as at the build: its polygon; -1 if it was outside
    int32_t triangle_count;
} ploy_merge_view;

/// Creates one without polygons. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_merge_create(const ploy_merge_def *def, const ploy_env *env,
                                       ploy_merge **out);
/// NULL is allowed.
PLOY_API void ploy_merge_destroy(ploy_merge *merge);

/// Replaces the polygons by those of the triangles that count as inside.
/// @param scratch  given back before return.
/// @return PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_merge_build(ploy_merge *merge, const ploy_cdt *cdt, ploy_arena *scratch);

/// The arrays.
PLOY_API ploy_merge_view ploy_merge_get(const ploy_merge *merge);
/// The edge through which one goes from a polygon to another, its left end first for who goes
/// through. @return false, leaving out alone, if they are no neighbours; the first if they share
/// several.
PLOY_API bool ploy_merge_portal(const ploy_merge *merge, int32_t from, int32_t to,
                                ploy_segment2 *out);

/// Counts, and everything folded into one number.
PLOY_API void ploy_merge_describe(const ploy_merge *merge, ploy_describe *out);
/// Polygons filled on PLOY_LAYER_REGIONS, portals as hints, outlines as walls.
PLOY_API void ploy_merge_draw(const ploy_merge *merge, ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_merge_memory(const ploy_merge *merge, ploy_memory_fn fn, void *user);
