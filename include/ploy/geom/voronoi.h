/// @file ploy/geom/voronoi.h
/// Voronoi (Dirichlet) cells: the parts of the plane nearer to one site than to any other. For
/// territories, nearest guard posts, rooms that grow from points.
///
/// Built from a Delaunay triangulation, whose edges join exactly the sites with neighbouring cells:
/// each cell is the box, cut by the perpendicular bisector to every neighbour. Sites are the
/// triangulation's vertices, so equal sites are one. Sites on a line have strips as cells. Where
/// four or more are on a circle, cells meet at a point, and no edge of length 0 is returned. A site
/// outside the box may have a cell inside the box, or none.
///
/// Cells are convex and go counter-clockwise. Corners are computed for each cell separately, in
/// double, and rounded: those of neighbours agree within rounding. Bit-identical on all platforms.
/// Cost: O(n) on top of the triangulation, for sites with few neighbours, as is usual. A build
/// keeps copies of what it needs. Units: metres. Threads: many may read at a time while nothing
/// changes.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/box.h"
#include "ploy/geom/cdt.h"

/// Cells of sites. Opaque.
typedef struct ploy_voronoi ploy_voronoi;

/// One cell: its corners and edges are [first, first + count) of the view's arrays; count is 0 if
/// the site has no cell.
typedef struct ploy_voronoi_cell {
    int32_t first, count;
} ploy_voronoi_cell;

/// The arrays, borrowed: valid until the next build.
typedef struct ploy_voronoi_view {
    const ploy_voronoi_cell *cells; ///< by site, which is a vertex of the triangulation
    const ploy_vec2 *sites;
    int32_t site_count;        ///< one past the largest vertex; some may not exist
    const ploy_vec2 *corners;  ///< counter-clockwise
    const int32_t *neighbours; ///< the site across the edge from a corner to the next; -1: the box
    int32_t corner_count;      ///< of all cells together
} ploy_voronoi_view;

/// Creates an empty set of cells. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_voronoi_create(const ploy_env *env, ploy_voronoi **out);
/// NULL is allowed.
PLOY_API void ploy_voronoi_destroy(ploy_voronoi *voronoi);

/// Rebuilds the cells from a triangulation's vertices.
/// @param scratch  temporary memory, released before return.
/// @return PLOY_ERR_STATE if it has constraints, because it may then not be Delaunay;
///         PLOY_ERR_ARGUMENT if the box has no inside or is not finite; PLOY_ERR_MEMORY. Nothing is
///         changed then.
PLOY_API ploy_result ploy_voronoi_build(ploy_voronoi *voronoi, const ploy_cdt *cdt, ploy_box2 box,
                                        ploy_arena *scratch);

/// The arrays.
PLOY_API ploy_voronoi_view ploy_voronoi_get(const ploy_voronoi *voronoi);
/// A site's cell, valid until the next build; a polygon without corners if there is none.
PLOY_API ploy_polygon ploy_voronoi_cell_of(const ploy_voronoi *voronoi, int32_t site);
/// The site nearest to a point, found by walking to nearer neighbours. Of equally near sites, the
/// same one for the same hint. O(sqrt(n)) steps on average, few with a good hint.
/// @param hint  a site near the point, such as the last result; any number is allowed.
/// @return -1 without sites or for a point that is not finite.
PLOY_API int32_t ploy_voronoi_nearest(const ploy_voronoi *voronoi, ploy_vec2 point, int32_t hint);

/// Writes the counts and a hash of everything.
PLOY_API void ploy_voronoi_describe(const ploy_voronoi *voronoi, ploy_describe *out);
/// Draws cells on PLOY_LAYER_REGIONS, sites as points.
PLOY_API void ploy_voronoi_draw(const ploy_voronoi *voronoi, ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_voronoi_memory(const ploy_voronoi *voronoi, ploy_memory_fn fn, void *user);
