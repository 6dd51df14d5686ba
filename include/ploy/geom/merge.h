/// @file ploy/geom/merge.h
/// Convex polygons from triangles: few large cells instead of many small ones, each with the
/// neighbours across its edges. The basis of a navigation mesh.
///
/// Every straight line within a convex polygon is free, so a mesh needs only the edges that keep
/// its polygons convex. Edges between inside triangles are removed, the longest first, as long as
/// the resulting polygon is convex. Technique: Hertel and Mehlhorn, "Fast triangulation of simple
/// polygons", 1983: with no limit on corners, and vertices only on the outlines, there are at most
/// four times as many polygons as in the best partition; the order by length is our addition. Ties
/// are broken by vertex numbers, so the same triangles and vertices give the same polygons, in the
/// order of the triangles.
///
/// A side with several neighbours has straight corners between them: every edge has one neighbour
/// or none. Decided exactly. Cost: O(n log n) for n triangles. A build keeps copies of what it
/// needs; the triangulation may change afterwards. Units: metres. Threads: many may read at a time
/// while nothing changes.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/cdt.h"

/// Largest allowed max_corners.
#define PLOY_MERGE_CORNERS_MAX 1024

/// Convex polygons. Opaque.
typedef struct ploy_merge ploy_merge;

/// Settings. Start from ploy_merge_def_default().
typedef struct ploy_merge_def {
    uint32_t cookie;
    int32_t max_corners; ///< of a polygon, 3 or more; 3 keeps the triangles
    bool walls;          ///< constraints with inside on both sides are walls: no neighbour there
} ploy_merge_def;

PLOY_API ploy_merge_def ploy_merge_def_default(void);
PLOY_API ploy_fields ploy_merge_fields(void);

/// One polygon: its corners and edges are [first, first + count) of the view's arrays.
typedef struct ploy_merge_polygon {
    int32_t first, count;
} ploy_merge_polygon;

/// The arrays, borrowed: valid until the next build.
typedef struct ploy_merge_view {
    const ploy_merge_polygon *polygons; ///< in the order of their first triangles
    int32_t polygon_count;
    const int32_t *vertices;   ///< of each corner, counter-clockwise: vertices of the triangulation
    const ploy_vec2 *corners;  ///< their positions
    const int32_t *neighbours; ///< the polygon across the edge from a corner to the next; -1: none
    int32_t corner_count;      ///< of all polygons together
    const int32_t *polygon_of; ///< by triangle, as of the build: its polygon; -1 if outside
    int32_t triangle_count;
} ploy_merge_view;

/// Creates an empty set of polygons. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_merge_create(const ploy_merge_def *def, const ploy_env *env,
                                       ploy_merge **out);
/// NULL is allowed.
PLOY_API void ploy_merge_destroy(ploy_merge *merge);

/// Rebuilds the polygons from the triangles that count as inside.
/// @param scratch  temporary memory, released before return.
/// @return PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_merge_build(ploy_merge *merge, const ploy_cdt *cdt, ploy_arena *scratch);

/// The arrays.
PLOY_API ploy_merge_view ploy_merge_get(const ploy_merge *merge);
/// Finds the edge between two neighbouring polygons; out.from is its left end as seen when
/// crossing. @return false, leaving out alone, if they are not neighbours. Of several shared edges,
/// the first is returned.
PLOY_API bool ploy_merge_portal(const ploy_merge *merge, int32_t from, int32_t to,
                                ploy_segment2 *out);

/// Writes the counts and a hash of everything.
PLOY_API void ploy_merge_describe(const ploy_merge *merge, ploy_describe *out);
/// Draws polygons filled on PLOY_LAYER_REGIONS, portals as hints, outlines as walls.
PLOY_API void ploy_merge_draw(const ploy_merge *merge, ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_merge_memory(const ploy_merge *merge, ploy_memory_fn fn, void *user);
