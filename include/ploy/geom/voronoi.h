/// @file ploy/geom/voronoi.h
/// Dirichlet or Voronoi cells: the part of the plane that is nearer to one site than to any other.
/// Territories, nearest guard posts, rooms that grow from points.
///
/// Built from a Delaunay triangulation, whose edges join exactly the sites with neighbouring cells:
/// each cell is the box, cut by the line halfway to every neighbour. Sites are the triangulation's
/// vertices, so equal ones are one; on a line they have strips for cells; where four or more lie on
/// a circle, cells meet in a point and no edge without length is returned. A site outside the box
/// may have a cell within it, or none.
///
/// Cells are convex and go counter-clockwise. Their corners are computed for each by itself, in
/// double, and rounded: those of neighbours agree within rounding. The same bits everywhere.
/// Cost: O(n) on top of the triangulation, for sites with few neighbours as in practice. A build
/// keeps copies of what it needs. Units: metres.
/// Threads: reading from many at a time while nothing changes.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/box.h"
#include "ploy/geom/cdt.h"

/// Cells of sites. Opaque.
typedef struct ploy_voronoi ploy_voronoi;

/// One cell: its corners and edges are [first, first + count) of the view's arrays; count 0 if
/// there is none.
typedef struct ploy_voronoi_cell {
    int32_t first, count;
} ploy_voronoi_cell;

/// Everything at a glance, borrowed: valid until the next build.
typedef struct ploy_voronoi_view {
    const ploy_voronoi_cell *cells; ///< by site, that is, by vertex of the triangulation
    const ploy_vec2 *sites;
    int32_t site_count;        ///< one past the largest vertex; some may not be there
    const ploy_vec2 *corners;  ///< counter-clockwise
    const int32_t *neighbours; ///< the site behind the edge from a corner to the next; -1: the box
    int32_t corner_count;      ///< of all cells together
} ploy_voronoi_view;

/// Creates one without cells. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_voronoi_create(const ploy_env *env, ploy_voronoi **out);
/// NULL is allowed.
PLOY_API void ploy_voronoi_destroy(ploy_voronoi *voronoi);

/// Replaces the cells by those of a triangulation's vertices.
/// @param scratch  given back before return.
/// @return PLOY_ERR_STATE if it has constraints, as it is not Delaunay's then; PLOY_ERR_ARGUMENT if
///         the box has no inside or is not finite; PLOY_ERR_MEMORY. Nothing is changed then.
PLOY_API ploy_result ploy_voronoi_build(ploy_voronoi *voronoi, const ploy_cdt *cdt, ploy_box2 box,
                                        ploy_arena *scratch);

/// The arrays.
PLOY_API ploy_voronoi_view ploy_voronoi_get(const ploy_voronoi *voronoi);
/// A site's cell, valid until the next build; one without corners if there is none.
PLOY_API ploy_polygon ploy_voronoi_cell_of(const ploy_voronoi *voronoi, int32_t site);
/// The site nearest to a point, by walking from neighbour to neighbour as long as they are nearer;
/// of equally near ones the same for the same hint. O(sqrt(n)) steps on average, few from a good
/// hint.
/// @param hint  a site near it, such as the last answer; any number will do.
/// @return -1 without sites or for a point that is not finite.
PLOY_API int32_t ploy_voronoi_nearest(const ploy_voronoi *voronoi, ploy_vec2 point, int32_t hint);

/// Counts, and everything folded into one number.
PLOY_API void ploy_voronoi_describe(const ploy_voronoi *voronoi, ploy_describe *out);
/// Cells on PLOY_LAYER_REGIONS, sites as points.
PLOY_API void ploy_voronoi_draw(const ploy_voronoi *voronoi, ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_voronoi_memory(const ploy_voronoi *voronoi, ploy_memory_fn fn, void *user);
