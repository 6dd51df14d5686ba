/// @file ploy/geom/cdt.h
/// Constrained Delaunay triangulation: turns points and walls into triangles, with as few slivers
/// as the walls allow. The base of navigation meshes, Voronoi cells and terrain.
///
/// In a Delaunay triangulation no point is inside the circumcircle of any triangle, which maximizes
/// the smallest angle. Constraints are edges that must be part of the mesh; the rule then applies
/// only to points visible from the triangle without crossing a constraint. No points are added
/// (Steiner-free). Technique: points are inserted along a Hilbert curve in rounds (Amenta, Choi and
/// Rote, "Incremental constructions con BRIO", 2003), edges flip until the rule holds (Lawson
/// 1977), constraints cut a channel that is triangulated again (Anglada 1997); all predicates are
/// exact (ploy/geom/predicates.h). If four or more points are on one circle, a symbolic
/// perturbation by their coordinates decides (Devillers and Teillaud 2011), so the triangles depend
/// only on the points and constraints, never on the order in which they were added.
///
/// Triangles cover the convex hull of the points and are packed in one array. Corners go
/// counter-clockwise (with y up); edge i of a triangle is opposite its corner i, from corner i + 1
/// to corner i + 2, and neighbour i is beyond it. Each triangle has an inside mark, which is set
/// until ploy_cdt_fill or ploy_cdt_flood changes it.
///
/// A vertex keeps its number until it is removed; the number is then used again. Triangle numbers
/// change with every modification. Coordinates: any finite floats, with 0 and -0 equal; equal
/// points are one vertex. With fewer than three points, or all on one line, there are vertices and
/// constraints but no triangles.
///
/// Cost: build O(n log n) for typical points; insert and remove change a few edges nearby; locate
/// O(1) on average for evenly spread points, by a walk that starts from a grid of hints. About 100
/// bytes a vertex, twice that after a second build (because a build that fails must change
/// nothing). Units: metres. Threads: many may read at a time while nothing changes.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/rings.h"

/// A triangulation. Opaque.
typedef struct ploy_cdt ploy_cdt;

/// Maximum number of vertices of a triangulation.
#define PLOY_CDT_MAX (1 << 24)

/// Settings. Start from ploy_cdt_def_default().
typedef struct ploy_cdt_def {
    uint32_t cookie;
    int32_t capacity; ///< vertices that fit before it grows
} ploy_cdt_def;

PLOY_API ploy_cdt_def ploy_cdt_def_default(void);
PLOY_API ploy_fields ploy_cdt_fields(void);

/// Bits of ploy_cdt_triangle.flags.
enum {
    PLOY_CDT_CONSTRAINT_0 = 1, ///< edge 0 is a constraint or part of one; edge i: 1 << i
    PLOY_CDT_CONSTRAINT_1 = 2,
    PLOY_CDT_CONSTRAINT_2 = 4,
    PLOY_CDT_INSIDE = 8 ///< the triangle counts as inside
};

/// One triangle.
typedef struct ploy_cdt_triangle {
    int32_t corner[3];    ///< vertices, counter-clockwise
    int32_t neighbour[3]; ///< the triangle beyond edge i, opposite corner i; -1: none, on the hull
    uint32_t flags;       ///< PLOY_CDT_CONSTRAINT_0 << i, PLOY_CDT_INSIDE
} ploy_cdt_triangle;

/// A constraint by the numbers of its ends: of input points for build, of vertices elsewhere.
typedef struct ploy_cdt_edge {
    int32_t from, to;
} ploy_cdt_edge;

/// The arrays, borrowed: valid until the triangulation changes.
typedef struct ploy_cdt_view {
    const ploy_cdt_triangle *triangles;
    int32_t triangle_count;
    const ploy_vec2 *points; ///< by vertex number; see ploy_cdt_has_vertex for gaps
    int32_t point_count;     ///< one past the largest vertex number
} ploy_cdt_view;

/// What a point is on.
typedef enum ploy_cdt_place {
    PLOY_CDT_OUTSIDE,     ///< not in the hull
    PLOY_CDT_IN_TRIANGLE, ///< strictly inside a triangle
    PLOY_CDT_ON_EDGE,     ///< strictly between the ends of an edge
    PLOY_CDT_ON_VERTEX
} ploy_cdt_place;

/// Where a point is.
typedef struct ploy_cdt_location {
    ploy_cdt_place place;
    /// Contains the point; on an edge, the lower number of the two. Outside: a triangle with an
    /// edge on the hull that the point is beyond. -1 without triangles.
    int32_t triangle;
    int32_t index;  ///< the edge (on an edge, outside) or corner (on a vertex); otherwise 0
    int32_t vertex; ///< on a vertex: its number; otherwise -1
} ploy_cdt_location;

/// Creates an empty triangulation. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_cdt_create(const ploy_cdt_def *def, const ploy_env *env, ploy_cdt **out);
/// NULL is allowed.
PLOY_API void ploy_cdt_destroy(ploy_cdt *cdt);
/// Removes everything and keeps the memory.
PLOY_API void ploy_cdt_clear(ploy_cdt *cdt);

// ---- all at once ----

/// Replaces everything with the points and constraints; every triangle counts as inside. Vertices
/// are numbered in the order of the points. A repeated point shares the vertex of the first equal
/// one and uses up no number (ploy_cdt_input_vertex). Constraints work as in ploy_cdt_insert_edge,
/// except that one whose ends are equal points is ignored.
/// @param points  may be NULL with count 0; so may edges.
/// @param diags   receives points that are not finite, edges with an invalid end, and for each
///                rejected edge the earlier one that it crosses, by their positions in `edges`. May
///                be NULL.
/// @return PLOY_ERR_ARGUMENT for the errors in diags, PLOY_ERR_LIMIT for more than PLOY_CDT_MAX
///         points or edges, PLOY_ERR_MEMORY; nothing is changed then.
PLOY_API ploy_result ploy_cdt_build(ploy_cdt *cdt, const ploy_vec2 *points, int32_t count,
                                    const ploy_cdt_edge *edges, int32_t edge_count,
                                    ploy_diags *diags);

/// The same from rings: their corners, in order, are the points, their sides the constraints, and
/// the area that they contain under the fill rule is inside. Rings may touch at corners and share
/// sides or parts of sides; a corner may be on another ring's side. Sides that cross elsewhere are
/// rejected; ploy_rings_boolean cleans up such rings.
PLOY_API ploy_result ploy_cdt_build_rings(ploy_cdt *cdt, const ploy_rings *rings, ploy_fill fill,
                                          ploy_diags *diags);

/// The vertex that point `index` of the last build became; -1 out of range. Later changes do not
/// update it, so the vertex may have been removed since.
PLOY_API int32_t ploy_cdt_input_vertex(const ploy_cdt *cdt, int32_t index);

// ---- one by one ----

/// Adds a point. A point on a constraint splits it; a point on a vertex is that vertex, and nothing
/// changes. New triangles inherit the inside mark of the triangle at that point. Beyond the hull
/// the mark is off, unless no region was set since the last build or clear.
/// @param vertex  may be NULL.
/// @return PLOY_ERR_ARGUMENT if the point is not finite, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY; nothing
///         is changed then.
PLOY_API ploy_result ploy_cdt_insert_point(ploy_cdt *cdt, ploy_vec2 point, int32_t *vertex);

/// Removes a vertex. A constraint that only passes through it becomes one piece again.
/// @return PLOY_ERR_NOT_FOUND if there is no such vertex, PLOY_ERR_STATE if a constraint ends at it
///         or two cross there (remove them first), PLOY_ERR_MEMORY; nothing is changed then.
PLOY_API ploy_result ploy_cdt_remove_point(ploy_cdt *cdt, int32_t vertex);

/// Adds a constraint between two vertices. Vertices exactly on it split it into pieces; it may
/// overlap others on the same line. Constraints are counted: one that is added twice must be
/// removed twice, and a piece stays as long as any constraint covers it. The direction matters only
/// to PLOY_FILL_NON_ZERO. Inside marks do not change: call ploy_cdt_fill again after the last
/// change.
/// @param diags  receives the constraint that it crosses, by its ends. May be NULL.
/// @return PLOY_ERR_ARGUMENT if an end is not a vertex or both are the same, PLOY_ERR_STATE if it
///         crosses a constraint between vertices, PLOY_ERR_MEMORY; nothing is changed then.
PLOY_API ploy_result ploy_cdt_insert_edge(ploy_cdt *cdt, int32_t from, int32_t to,
                                          ploy_diags *diags);

/// Removes one constraint that was added between these vertices: in this direction if there is
/// one, otherwise in the other. Its vertices stay.
/// @return PLOY_ERR_NOT_FOUND if there is none, changing nothing.
PLOY_API ploy_result ploy_cdt_remove_edge(ploy_cdt *cdt, int32_t from, int32_t to);

// ---- regions ----

/// Marks as inside the area that the constraints enclose, taken as rings: even-odd by the number of
/// constraints between a triangle and the outside, non-zero by their directions (counter-clockwise
/// rings count +1, clockwise ones -1). Constraints that separate nothing (an open wall) have no
/// effect. Where constraints do not close into rings, a part counts from its neighbour that is the
/// fewest borders away from the outside; of several, from the one with the highest count. Cost:
/// O(triangles). @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; nothing is changed then.
PLOY_API ploy_result ploy_cdt_fill(ploy_cdt *cdt, ploy_fill fill);

/// Marks the parts, bounded by constraints and the hull, that contain the seeds: starting from all
/// outside, flood rooms with `true`; starting from all inside, flood holes with `false`. A seed on
/// an edge or vertex is in every triangle that touches it; a seed outside the hull is in none.
/// @return PLOY_ERR_ARGUMENT for a seed that is not finite or a count below 0; nothing is changed
///         then.
PLOY_API ploy_result ploy_cdt_flood(ploy_cdt *cdt, const ploy_vec2 *seeds, int32_t count,
                                    bool inside);

// ---- reading ----

/// The arrays.
PLOY_API ploy_cdt_view ploy_cdt_get(const ploy_cdt *cdt);
/// The number of vertices, of triangles, and of distinct constraints (as added, each counted once).
PLOY_API int32_t ploy_cdt_vertex_count(const ploy_cdt *cdt);
PLOY_API int32_t ploy_cdt_triangle_count(const ploy_cdt *cdt);
PLOY_API int32_t ploy_cdt_edge_count(const ploy_cdt *cdt);
/// True if there is a vertex with this number.
PLOY_API bool ploy_cdt_has_vertex(const ploy_cdt *cdt, int32_t vertex);
/// A vertex's point; (0, 0) if there is no such vertex.
PLOY_API ploy_vec2 ploy_cdt_point(const ploy_cdt *cdt, int32_t vertex);

/// The constraints as added, by vertices, in the order added; each once.
/// @param out  the first `capacity` of them. May be NULL with capacity 0.
/// @return their number.
PLOY_API int32_t ploy_cdt_edges(const ploy_cdt *cdt, ploy_cdt_edge *out, int32_t capacity);

/// Finds the edge between two vertices.
/// @param triangle, index  a triangle that has the edge, and the edge's index in it; of two
///        triangles, the one to the left of from -> to. May be NULL.
/// @return false if the vertices are not joined.
PLOY_API bool ploy_cdt_find_edge(const ploy_cdt *cdt, int32_t from, int32_t to, int32_t *triangle,
                                 int32_t *index);

/// Iterates over the triangles around a vertex, counter-clockwise; around a vertex on the hull it
/// begins at the hull. A public struct, owned by the caller.
///
///     for (ploy_cdt_fan fan = ploy_cdt_fan_begin(cdt, v); fan.triangle >= 0;
///          ploy_cdt_fan_next(cdt, &fan)) ...
typedef struct ploy_cdt_fan {
    int32_t triangle; ///< the current one; -1 at the end
    int32_t corner;   ///< which of its corners the vertex is
    int32_t first;    ///< where the iteration began
} ploy_cdt_fan;

/// Begins the iteration; triangle is -1 at once for a vertex without triangles.
PLOY_API ploy_cdt_fan ploy_cdt_fan_begin(const ploy_cdt *cdt, int32_t vertex);
PLOY_API void ploy_cdt_fan_next(const ploy_cdt *cdt, ploy_cdt_fan *fan);

/// Finds where a point is, exactly, by walking from triangle to triangle toward it.
/// @param hint  a triangle near the point, such as the last result's, where the walk starts. Below
///              0 or out of range: the grid of hints finds one. The hint affects only the cost,
///              except that for a point outside which is beyond several edges, any of them may be
///              returned.
PLOY_API ploy_cdt_location ploy_cdt_locate(const ploy_cdt *cdt, ploy_vec2 point, int32_t hint);

// ---- inspection ----

/// Writes the counts and a hash of everything else.
PLOY_API void ploy_cdt_describe(const ploy_cdt *cdt, ploy_describe *out);
/// Draws triangles marked inside on PLOY_LAYER_REGIONS, edges as hints, constraints as walls.
PLOY_API void ploy_cdt_draw(const ploy_cdt *cdt, ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_cdt_memory(const ploy_cdt *cdt, ploy_memory_fn fn, void *user);
