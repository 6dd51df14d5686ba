/// @file ploy/geom/cdt.h
/// Constrained Delaunay triangulation: turns points and walls into triangles without slivers, as
/// far as the walls allow. The base of navigation meshes, Voronoi cells and terrain.
///
/// Of all triangulations of the points, Delaunay's leaves no point inside the circle around any
/// triangle, which maximizes the smallest angle. Constraints are edges that must be part of the
/// mesh; the rule then holds for points that a triangle sees without crossing one. No points
/// are added (Steiner-free). Technique: points go in along a Hilbert curve in rounds (Amenta, Choi
/// and Rote, "Incremental constructions con BRIO", 2003), edges flip until the rule holds (Lawson
/// 1977), constraints cut a channel that is filled again (Anglada 1997); all questions are answered
/// exactly (ploy/geom/predicates.h). Where four or more points lie on one circle, a symbolic
/// perturbation by their coordinates decides (Devillers and Teillaud 2011), so the triangles depend
/// on the points and constraints alone, never on the order or history in which they came.
///
/// Triangles cover the convex hull of the points and lie packed in one array. Corners go
/// counter-clockwise (with y up); edge i of a triangle lies opposite its corner i, from corner
/// i + 1 to corner i + 2, and so does neighbour i. Which triangles count as inside is a mark on
/// each: all of them until ploy_cdt_fill or ploy_cdt_flood says otherwise.
///
/// Vertices are numbers that stay until they are removed; numbers of removed ones are used again.
/// Triangle numbers change with every change. Coordinates: any finite floats, 0 and -0 being the
/// same; equal points are one vertex. Fewer than three points, or all on one line: vertices and
/// constraints, no triangles.
///
/// Cost: build O(n log n) for points as they come in practice; insert and remove a few edges' work
/// near the place; locate O(1) on average from its grid of hints for evenly spread points, walking
/// on from there. About 100 bytes a vertex, twice that after a second build (a build that fails
/// must change nothing). Units: metres. Threads: reading from many at a time while nothing changes.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/rings.h"

/// A triangulation. Opaque.
typedef struct ploy_cdt ploy_cdt;

/// Most vertices of one triangulation.
#define PLOY_CDT_MAX (1 << 24)

/// Settings. Start from ploy_cdt_def_default().
typedef struct ploy_cdt_def {
    uint32_t cookie;
    int32_t capacity; ///< vertices there is room for from the start; more make it grow
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

/// Everything at a glance, borrowed: valid until the triangulation changes.
typedef struct ploy_cdt_view {
    const ploy_cdt_triangle *triangles;
    int32_t triangle_count;
    const ploy_vec2 *points; ///< by vertex number; see ploy_cdt_has_vertex for gaps
    int32_t point_count;     ///< one past the largest vertex number
} ploy_cdt_view;

/// What a place is on.
typedef enum ploy_cdt_place {
    PLOY_CDT_OUTSIDE,     ///< not within the hull
    PLOY_CDT_IN_TRIANGLE, ///< strictly within one
    PLOY_CDT_ON_EDGE,     ///< strictly between the ends of one
    PLOY_CDT_ON_VERTEX
} ploy_cdt_place;

/// Where a point is.
typedef struct ploy_cdt_location {
    ploy_cdt_place place;
    int32_t triangle; ///< holds the point (on an edge: the lower number of the two); outside: one
                      ///< with an edge on the hull that the point lies beyond; -1 without triangles
    int32_t index;    ///< the edge (on an edge, outside) or corner (on a vertex); otherwise 0
    int32_t vertex;   ///< on a vertex: which; otherwise -1
} ploy_cdt_location;

/// Creates an empty triangulation. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_cdt_create(const ploy_cdt_def *def, const ploy_env *env, ploy_cdt **out);
/// NULL is allowed.
PLOY_API void ploy_cdt_destroy(ploy_cdt *cdt);
/// Removes everything and keeps the memory.
PLOY_API void ploy_cdt_clear(ploy_cdt *cdt);

// ---- all at once ----

/// Replaces everything by the points and constraints; every triangle counts as inside.
/// Vertices are numbered as the points are; an equal point gets the vertex of the first, and the
/// next number goes to the next different one (ploy_cdt_input_vertex). Constraints as in
/// ploy_cdt_insert_edge, except that one whose ends are equal points is left out.
/// @param points  may be NULL with count 0; so may edges.
/// @param diags   hears which point is not finite, which edge has an end that is no point, and for
///                every refused edge which earlier one it crosses, by their places in `edges`.
///                May be NULL.
/// @return PLOY_ERR_ARGUMENT for what diags hears, PLOY_ERR_LIMIT for more than PLOY_CDT_MAX points
///         or edges, PLOY_ERR_MEMORY; nothing is changed then.
PLOY_API ploy_result ploy_cdt_build(ploy_cdt *cdt, const ploy_vec2 *points, int32_t count,
                                    const ploy_cdt_edge *edges, int32_t edge_count,
                                    ploy_diags *diags);

/// The same from rings: their corners, in order, are the points, their sides the constraints, and
/// what they hold under the fill rule is inside. Rings may touch in corners and share sides or
/// parts of them; a corner may lie on another's side. Sides that cross elsewhere are refused:
/// ploy_rings_boolean cleans such rings up.
PLOY_API ploy_result ploy_cdt_build_rings(ploy_cdt *cdt, const ploy_rings *rings, ploy_fill fill,
                                          ploy_diags *diags);

/// The vertex that point `index` of the last build became; -1 out of range. Later changes do not
/// touch it, so it may have been removed since.
PLOY_API int32_t ploy_cdt_input_vertex(const ploy_cdt *cdt, int32_t index);

// ---- one by one ----

/// Adds a point. On a constraint it divides it; on a vertex it is that vertex, and nothing changes.
/// New triangles inherit the inside mark of the place, beyond the hull the mark is off unless no
/// region was set since the last build or clear.
/// @param vertex  may be NULL.
/// @return PLOY_ERR_ARGUMENT if it is not finite, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY; nothing is
///         changed then.
PLOY_API ploy_result ploy_cdt_insert_point(ploy_cdt *cdt, ploy_vec2 point, int32_t *vertex);

/// Removes a vertex. A constraint that only passes through it becomes one piece again.
/// @return PLOY_ERR_NOT_FOUND if there is no such vertex, PLOY_ERR_STATE if a constraint ends in it
///         or two cross there (remove them first), PLOY_ERR_MEMORY; nothing is changed then.
PLOY_API ploy_result ploy_cdt_remove_point(ploy_cdt *cdt, int32_t vertex);

/// Adds a constraint between two vertices. Vertices that lie exactly on it divide it into pieces;
/// it may overlap others on the same line. Constraints are counted: one that is added twice must be
/// removed twice, and a piece stays as long as any constraint covers it.
/// Its direction only matters to PLOY_FILL_NON_ZERO. Marks stay as they are: call ploy_cdt_fill
/// again once all changes are made.
/// @param diags  hears which constraint it crosses, by their ends. May be NULL.
/// @return PLOY_ERR_ARGUMENT if an end is no vertex or both are the same, PLOY_ERR_STATE if it
///         crosses a constraint between vertices, PLOY_ERR_MEMORY; nothing is changed then.
PLOY_API ploy_result ploy_cdt_insert_edge(ploy_cdt *cdt, int32_t from, int32_t to,
                                          ploy_diags *diags);

/// Removes one constraint that was added between these vertices: in this direction if there is
/// one, otherwise in the other. Its vertices stay.
/// @return PLOY_ERR_NOT_FOUND if there is none, changing nothing.
PLOY_API ploy_result ploy_cdt_remove_edge(ploy_cdt *cdt, int32_t from, int32_t to);

// ---- regions ----

/// Marks as inside what the constraints hold, taken as rings: even-odd by how many constraints lie
/// between a triangle and the outside, non-zero by their directions (counter-clockwise rings count
/// +1, clockwise ones -1). Constraints that divide nothing (an open wall) change nothing. Where
/// they do not close into rings, a part counts from the part across the fewest borders from the
/// outside; of several such the one of the highest count.
/// Cost: O(triangles). @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; nothing is changed then.
PLOY_API ploy_result ploy_cdt_fill(ploy_cdt *cdt, ploy_fill fill);

/// Marks the parts, bounded by constraints and the hull, that hold the seeds: from all outside,
/// flood rooms with `true`; from all inside, holes with `false`. A seed on an edge or vertex is
/// held by every triangle that touches it, one outside the hull by none.
/// @return PLOY_ERR_ARGUMENT for a seed that is not finite or a count below 0; nothing is changed
///         then.
PLOY_API ploy_result ploy_cdt_flood(ploy_cdt *cdt, const ploy_vec2 *seeds, int32_t count,
                                    bool inside);

// ---- looking ----

/// The arrays.
PLOY_API ploy_cdt_view ploy_cdt_get(const ploy_cdt *cdt);
/// How many vertices, triangles, and different constraints (as added, each counted once).
PLOY_API int32_t ploy_cdt_vertex_count(const ploy_cdt *cdt);
PLOY_API int32_t ploy_cdt_triangle_count(const ploy_cdt *cdt);
PLOY_API int32_t ploy_cdt_edge_count(const ploy_cdt *cdt);
/// True if there is a vertex of this number.
PLOY_API bool ploy_cdt_has_vertex(const ploy_cdt *cdt, int32_t vertex);
/// A vertex's point; (0, 0) if there is no such vertex.
PLOY_API ploy_vec2 ploy_cdt_point(const ploy_cdt *cdt, int32_t vertex);

/// The constraints as added, by vertices, in the order of adding; each once.
/// @param out  the first `capacity` of them. May be NULL with capacity 0.
/// @return how many there are.
PLOY_API int32_t ploy_cdt_edges(const ploy_cdt *cdt, ploy_cdt_edge *out, int32_t capacity);

/// Finds the edge between two vertices.
/// @param triangle, index  one triangle that has it, and which of its edges it is; the one to the
///        left of from -> to where there are two. May be NULL.
/// @return false if they are not joined.
PLOY_API bool ploy_cdt_find_edge(const ploy_cdt *cdt, int32_t from, int32_t to, int32_t *triangle,
                                 int32_t *index);

/// The vertices round the hull, counter-clockwise from the one with the least x, and of those the
/// least y; those on its straight sides are among them. 0 without triangles.
/// @return how many there are, which may be more than capacity.
PLOY_API int32_t ploy_cdt_hull(const ploy_cdt *cdt, int32_t *out, int32_t capacity);

/// A walk over the triangles round a vertex, counter-clockwise; round a vertex on the hull it
/// begins at the hull. Open, owned by the caller.
///
///     for (ploy_cdt_fan fan = ploy_cdt_fan_begin(cdt, v); fan.triangle >= 0;
///          ploy_cdt_fan_next(cdt, &fan)) ...
typedef struct ploy_cdt_fan {
    int32_t triangle; ///< the present one; -1 at the end
    int32_t corner;   ///< which of its corners the vertex is
    int32_t first;    ///< where the walk began
} ploy_cdt_fan;

/// Begins; triangle is -1 at once for a vertex without triangles.
PLOY_API ploy_cdt_fan ploy_cdt_fan_begin(const ploy_cdt *cdt, int32_t vertex);
PLOY_API void ploy_cdt_fan_next(const ploy_cdt *cdt, ploy_cdt_fan *fan);

/// Where a point is, exactly. Walks from triangle to triangle toward it.
/// @param hint  a triangle near it, such as the last answer's: then the walk starts there. Below 0
///              or out of range: the grid of hints finds one. The hint changes the cost alone,
///              except that of several edges a point outside lies beyond any may be returned.
PLOY_API ploy_cdt_location ploy_cdt_locate(const ploy_cdt *cdt, ploy_vec2 point, int32_t hint);

// ---- sight ----

/// Counts as they are, everything else folded into one number.
PLOY_API void ploy_cdt_describe(const ploy_cdt *cdt, ploy_describe *out);
/// Triangles marked inside on PLOY_LAYER_REGIONS, edges as hints, constraints as walls.
PLOY_API void ploy_cdt_draw(const ploy_cdt *cdt, ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_cdt_memory(const ploy_cdt *cdt, ploy_memory_fn fn, void *user);
