/// @file ploy/path/navmesh.h
/// The navigation mesh: the floor as convex polygons, and the neighbour behind each edge.
///
/// Within a convex polygon every straight line is free, so a path through a level is a sequence of
/// polygons. An edge that two polygons share is the portal between them. A mesh is built from an
/// outline with holes, shrunk by an agent's radius, or from polygons that an artist drew; it never
/// changes afterwards. Queries are in ploy/path/navmesh_query.h. Technique: Snook, "Simplified 3D
/// Movement and Pathfinding Using Navigation Meshes", 2000; the polygons of the outline come from a
/// constrained Delaunay triangulation, merged (ploy/geom/merge.h).
///
/// Polygons are defined over the plane: x and y give the position, z the height of the floor.
/// Floors may overlap at different heights, but no floor is vertical. Each polygon has an area (the
/// kind of floor: 0 to PLOY_NAVMESH_AREAS - 1, priced by the query's filter) and flags (which
/// agents may go there). Links join polygons that share no edge: ladders, jumps, teleporters, in
/// one direction or both.
///
/// Cost: building O(n log n). Memory: one block and a hierarchy of boxes: 37 bytes a corner, 17 a
/// vertex and 187 a polygon; the detail takes 12 a vertex, 56 a triangle (their number rounded up
/// to a multiple of 4) and 4 a polygon. Units: metres. Threads: a mesh may be read by many.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/name.h"
#include "ploy/base/writer.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/rings.h"

/// A mesh. Opaque, immutable.
typedef struct ploy_navmesh ploy_navmesh;

/// The number of kinds of floor.
#define PLOY_NAVMESH_AREAS 32
/// Most corners of all polygons together, and most corners of one.
#define PLOY_NAVMESH_CORNERS_MAX (1 << 24)
#define PLOY_NAVMESH_POLYGON_MAX 1024

/// How a mesh is made. Start from ploy_navmesh_def_default().
typedef struct ploy_navmesh_def {
    uint32_t cookie;
    float radius; ///< m; of an outline: width of the rim that is left out (the agent's radius)
    float slack;  ///< m; of an outline: largest error of round corners
    int32_t max_corners; ///< of an outline: most corners of a polygon
    float weld;          ///< m; of polygons: vertices this close together are merged
    float step_height;   ///< m; of polygons: how far up and down T-junctions and links search
    bool stitch;         ///< of polygons: repair T-junctions that are exactly on an edge
    bool skip_faults;    ///< leave out faulty polygons and links instead of failing
} ploy_navmesh_def;

PLOY_API ploy_navmesh_def ploy_navmesh_def_default(void);
PLOY_API ploy_fields ploy_navmesh_fields(void);

/// A connection without a shared edge. Plain data without gaps; start from
/// ploy_navmesh_link_make().
typedef struct ploy_navmesh_link {
    ploy_vec3 from, to; ///< on the floor, or within step_height of it
    float cost;         ///< in metres of floor; below 0: the length of the straight line
    uint32_t two_way;   ///< 0: only from -> to
    uint32_t area;      ///< its price; also multiplies its cost
    uint32_t flags;     ///< which agents may use it
    ploy_name kind;     ///< "jump", "ladder", ...: copied to the path edge
    ploy_id id;         ///< the game's: copied to the path edge's link
} ploy_navmesh_link;

/// A one-way link at the cost of its length, of area 0 and flags 1.
PLOY_API ploy_navmesh_link ploy_navmesh_link_make(ploy_vec3 from, ploy_vec3 to);

/// The terrain within polygons, which may be less even than the plane through their corners:
/// triangles that cover each polygon, seen from above; borrowed. Paths ignore the detail; heights
/// use it.
typedef struct ploy_navmesh_detail {
    const ploy_vec3 *vertices;
    int32_t vertex_count;
    const int32_t *sizes; ///< how many triangles each polygon has; 0: its corners define the height
    const int32_t *triangles; ///< three vertices for each, polygon by polygon
    int32_t triangle_count;
} ploy_navmesh_detail;

/// Polygons from outside; borrowed. Arrays may be NULL where noted.
typedef struct ploy_navmesh_soup {
    const ploy_vec3 *vertices;
    int32_t vertex_count;
    const int32_t *sizes; ///< how many corners each polygon has
    int32_t polygon_count;
    const int32_t *corners; ///< vertices of the polygons, polygon by polygon
    int32_t corner_count;
    const uint8_t *areas;  ///< of polygons; NULL: 0
    const uint16_t *flags; ///< of polygons; NULL: 1
    const uint8_t
        *closed; ///< of corners: the edge from there is forced to be a wall; NULL: none is
    const ploy_navmesh_link *links;
    int32_t link_count;
    const float *clearances; ///< m, of polygons: the largest radius of an agent that fits, 0 or
                             ///< more; NULL: any
    const ploy_navmesh_detail *detail; ///< NULL: none
} ploy_navmesh_soup;

/// Builds a mesh from polygons: welds vertices, turns polygons counter-clockwise, joins them where
/// they share an edge, and reports T-junctions as a warning (a vertex within another polygon's
/// edge, through which no agent can go).
/// @param diags  receives every fault with its polygon (as line, from 1): fewer than three
/// different
///               corners, no area, not convex, an edge shared by three, a link without floor. May
///               be NULL.
/// @return PLOY_ERR_ARGUMENT for invalid settings, counts, indices, areas or numbers,
///         and for faults unless they are skipped; PLOY_ERR_LIMIT; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navmesh_create(const ploy_navmesh_def *def, const ploy_navmesh_soup *soup,
                                         const ploy_env *env, ploy_diags *diags,
                                         ploy_navmesh **out);

/// Builds a mesh of the floor that rings enclose, at height 0, shrunk by the radius along every
/// outline. If the radius is 0, sides must not cross (ploy_cdt_build_rings).
/// @param links  may be NULL with count 0. @return as above.
PLOY_API ploy_result ploy_navmesh_create_rings(const ploy_navmesh_def *def, const ploy_rings *rings,
                                               ploy_fill fill, const ploy_navmesh_link *links,
                                               int32_t link_count, const ploy_env *env,
                                               ploy_diags *diags, ploy_navmesh **out);

/// Most agent sizes of one mesh.
#define PLOY_NAVMESH_SIZES_MAX 8

/// Builds one mesh for agents of several sizes: the floor of the smallest, cut along the rims of
/// the floors of the others. A polygon's clearance is the largest radius that fits. A query for one
/// of the radii uses exactly the floor that ploy_navmesh_create_rings would build for that radius;
/// a query for a radius in between uses the floor of the next larger one. def's own radius is not
/// used.
/// @param radii  m, ascending, each larger than the one before by more than def's slack.
/// @return as above.
PLOY_API ploy_result ploy_navmesh_create_sizes(const ploy_navmesh_def *def, const ploy_rings *rings,
                                               ploy_fill fill, const float *radii, int32_t count,
                                               const ploy_navmesh_link *links, int32_t link_count,
                                               const ploy_env *env, ploy_diags *diags,
                                               ploy_navmesh **out);

/// NULL is allowed.
PLOY_API void ploy_navmesh_destroy(ploy_navmesh *mesh);

/// Writes the mesh as bytes: a version, the polygons and links, a checksum. The same mesh gives the
/// same bytes. @return the writer's error.
PLOY_API ploy_result ploy_navmesh_save(const ploy_navmesh *mesh, ploy_writer *writer);
/// Reads a mesh, equal to the one saved. Files of older versions can be read; saving writes the
/// current version. Nothing in the bytes is trusted.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_VERSION, PLOY_ERR_MEMORY; diags (may be NULL) has the reason.
PLOY_API ploy_result ploy_navmesh_load(const void *bytes, size_t size, const char *name,
                                       const ploy_env *env, ploy_diags *diags, ploy_navmesh **out);

/// The contents of a mesh, in numbers.
typedef struct ploy_navmesh_stats {
    int32_t polygons, vertices, edges; ///< edges: of all polygons; shared ones count twice
    int32_t portals;      ///< shared edges: links of the polygon graph, nodes of the edge graph
    int32_t portal_pairs; ///< pairs of portals of one polygon: links of the edge graph
    int32_t walls;        ///< edges with nothing behind them
    int32_t links;
    int32_t islands;     ///< parts that are not joined by any portal or link
    int32_t t_junctions; ///< vertices within an edge that is a wall
    int32_t skipped;     ///< faulty polygons and links that were left out; 0 once loaded
    int32_t details;     ///< triangles of the terrain within polygons
    float area;          ///< m^2, of the floor seen from above
} ploy_navmesh_stats;

PLOY_API ploy_navmesh_stats ploy_navmesh_stats_of(const ploy_navmesh *mesh);

/// Identifies the contents: the same for meshes with the same polygons, links and details, wherever
/// they are in memory. A stored number therefore shows whether data was built for this mesh.
PLOY_API uint64_t ploy_navmesh_generation(const ploy_navmesh *mesh);

/// Copies the mesh back into polygons: to inspect them, or to change areas and create a new mesh.
/// @param out  the caller frees it with ploy_navmesh_soup_destroy; it does not need the mesh.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navmesh_soup_create(const ploy_navmesh *mesh, const ploy_env *env,
                                              ploy_navmesh_soup **out);
/// NULL is allowed.
PLOY_API void ploy_navmesh_soup_destroy(ploy_navmesh_soup *soup);

/// One polygon. Out of range: zero, without corners.
typedef struct ploy_navmesh_polygon {
    int32_t first, count; ///< its edges, [first, first + count), from each corner to the next
    uint32_t area, flags;
    int32_t island;   ///< polygons of different islands cannot reach one another
    float clearance;  ///< m, the largest radius of an agent that fits; INFINITY: any
    float surface;    ///< m^2, seen from above
    ploy_vec3 centre; ///< mean of its corners: its representative point
} ploy_navmesh_polygon;

PLOY_API ploy_navmesh_polygon ploy_navmesh_polygon_at(const ploy_navmesh *mesh, int32_t polygon);

/// One edge of a polygon, seen from within: the floor is to the left of from -> to.
typedef struct ploy_navmesh_edge {
    ploy_vec3 from, to;
    int32_t neighbour; ///< the polygon on the other side; -1: a wall
    int32_t twin;      ///< the same edge seen from there, or -1
    bool wall_from;    ///< a wall ends in `from`
    bool wall_to;      ///< a wall ends in `to`
} ploy_navmesh_edge;

/// Out of range: a wall without length.
PLOY_API ploy_navmesh_edge ploy_navmesh_edge_at(const ploy_navmesh *mesh, int32_t edge);

/// Returns the height of a polygon's floor at a point; outside its outline, the height of the
/// nearest point on it. Uses the detail triangle there if the polygon has any, otherwise the
/// triangles from its first corner to the others. Cost: linear in the number of triangles.
PLOY_API float ploy_navmesh_height(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);
/// Returns true if the point is over the polygon or its outline, decided exactly.
PLOY_API bool ploy_navmesh_holds(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);
/// Returns the point of a polygon nearest to a point, seen from above, with its height.
PLOY_API ploy_vec3 ploy_navmesh_closest(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point);

/// Describes the counts, and a hash of everything.
PLOY_API void ploy_navmesh_describe(const ploy_navmesh *mesh, ploy_describe *out);
/// Draws polygons filled on PLOY_LAYER_REGIONS, portals as hints, walls as walls, links as arrows.
PLOY_API void ploy_navmesh_draw(const ploy_navmesh *mesh, ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_navmesh_memory(const ploy_navmesh *mesh, ploy_memory_fn fn, void *user);
