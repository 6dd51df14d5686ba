// Shared between the files of the triangulation: the mesh, and the steps everything is made of.
//
//        corner 2
//          / \            Edge i lies opposite corner i and goes from corner i + 1 to corner i + 2.
//   edge 1/   \edge 0     A "half" names one side of an edge: triangle * 3 + i.
//        /     \          The hull's edges have no neighbour (-1): there is no outer triangle and
//  corner 0---corner 1    no vertex at infinity to distinguish from the others.
//        edge 2
//
// Invariants of a mesh, between calls:
//   (1) triangles [0, triangle_count) cover the convex hull of the vertices, each counter-clockwise
//       and with area; neighbours point at each other and agree on which edges are constraints;
//   (2) an edge that is no constraint is locally Delaunay (ployi_cdt_is_illegal says no);
//   (3) vertices[v].triangle has v as a corner; LONE while all vertices lie on one line (then there
//       are no triangles and no pieces), GONE for a number that is free;
//   (4) `edges` counts the constraints as they were added, by their two ends in order; `pieces`
//       counts, for each edge of the mesh that is a constraint, how many cover it, and their
//       directions;
//   (5) vertices[v].uses is how many constraints end in v, repeated ones counted;
//   (6) there is room for two triangles a vertex, which is more than n vertices can have (2 n - 5);
//   (7) marks are all 0 and work_count is 0;
//   (8) every cell of the hints holds a number of a vertex that was there once.
#pragma once

#include "geom/predicates_inline.h"
#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/geom/cdt.h"

enum { PLOYI_CDT_LONE = -1, PLOYI_CDT_GONE = -2 };

typedef struct ployi_cdt_vertex {
    int32_t triangle; // or LONE, GONE
    int32_t uses;     // of a free number: the next free one, -1 at the end
} ployi_cdt_vertex;

// A constraint's edge of the mesh, found by ployi_cdt_key(lower, higher vertex).
typedef struct ployi_cdt_piece {
    int32_t count; // constraints that cover it
    int32_t turn;  // those from the lower to the higher vertex less those the other way
} ployi_cdt_piece;

// Vertices by place, for walks without a hint.
typedef struct ployi_cdt_hints {
    int32_t *cells;
    int32_t capacity; // cells allocated
    int32_t columns, rows;
    int32_t made_for; // vertices when it was made
    double x, y, x_scale, y_scale;
} ployi_cdt_hints;

typedef struct ployi_cdt_mesh {
    ploy_env env;
    void *block; // points, vertices, triangles, work and marks, in one piece that grows as one
    size_t size;
    int32_t capacity; // vertices
    ploy_vec2 *points;
    ployi_cdt_vertex *vertices;
    ploy_cdt_triangle *triangles;
    int32_t *work;  // triangles that wait to be looked at, or scratch
    uint8_t *marks; // 1 for those that wait
    int32_t work_count;
    int32_t slots; // vertex numbers ever given out
    int32_t alive; // vertices there are
    int32_t free;  // the first free number, or -1
    int32_t triangle_count;
    bool bounded; // a region was set: what lies beyond the hull is outside
    ploy_map pieces;
    ploy_map edges; // int32_t counts
    ployi_cdt_hints hints;
    ploy_array inputs; // int32_t: the vertex of each point of the last build
} ployi_cdt_mesh;

// One vertex of the border of a hole, and the edge from it to the next.
typedef struct ployi_cdt_link {
    int32_t vertex;
    int32_t outer;    // the half beyond the edge; -1 on the hull; -2 - k: see ployi_cdt_fill_chain
    int32_t own;      // the half that was within, before the hole was made
    bool constrained; // the edge is a constraint
} ployi_cdt_link;

struct ploy_cdt {
    ploy_env env;
    ploy_cdt_def def;
    ployi_cdt_mesh mesh;
    ployi_cdt_mesh spare; // where a build happens; also its memory for the next one
    // Scratch, empty between calls.
    ploy_array links;   // ployi_cdt_link
    ploy_array numbers; // int32_t
    ploy_array keys;    // uint64_t
};

static inline int32_t ployi_cdt_after(int32_t i) {
    return i == 2 ? 0 : i + 1;
}

static inline int32_t ployi_cdt_before(int32_t i) {
    return i == 0 ? 2 : i - 1;
}

static inline uint64_t ployi_cdt_key(int32_t from, int32_t to) {
    return (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
}

static inline int32_t ployi_cdt_key_from(uint64_t key) {
    return (int32_t)(uint32_t)(key >> 32);
}

static inline int32_t ployi_cdt_key_to(uint64_t key) {
    return (int32_t)(uint32_t)key;
}

// By x, then y.
static inline bool ployi_cdt_less(ploy_vec2 a, ploy_vec2 b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static inline bool ployi_cdt_same(ploy_vec2 a, ploy_vec2 b) {
    return a.x == b.x && a.y == b.y;
}

// Which corner of a triangle a vertex is; it is one.
static inline int32_t ployi_cdt_corner(const ploy_cdt_triangle *triangle, int32_t vertex) {
    return triangle->corner[0] == vertex ? 0 : triangle->corner[1] == vertex ? 1 : 2;
}

// Beyond which edge of a triangle another lies; it is a neighbour.
static inline int32_t ployi_cdt_side(const ploy_cdt_triangle *triangle, int32_t neighbour) {
    return triangle->neighbour[0] == neighbour ? 0 : triangle->neighbour[1] == neighbour ? 1 : 2;
}

// Notes in `triangle`, if there is one, that its neighbour `old` is now `other`.
static inline void ployi_cdt_tell(ploy_cdt_triangle *triangles, int32_t triangle, int32_t old,
                                  int32_t other) {
    if (triangle < 0) return;
    triangles[triangle].neighbour[ployi_cdt_side(&triangles[triangle], old)] = other;
}

// Whether the edge a - b between the triangles (p, a, b) and (q, b, a) must flip. Of four points on
// one circle the last by x and y counts as lifted off it by less than any number (Devillers and
// Teillaud, "Perturbations for Delaunay and weighted Delaunay 3D triangulations", 2011): it stays
// clear of the other three, so the edge goes between its two neighbours.
static inline bool ployi_cdt_is_illegal(const ploy_vec2 *points, int32_t p, int32_t a, int32_t b,
                                        int32_t q) {
    int32_t inside = ployi_in_circle(points[p], points[a], points[b], points[q]);
    if (inside != 0) return inside > 0;
    ploy_vec2 of_edge = ployi_cdt_less(points[a], points[b]) ? points[b] : points[a];
    return ployi_cdt_less(points[p], of_edge) && ployi_cdt_less(points[q], of_edge);
}

// ---- cdt_mesh.c: steps that keep all invariants but (2), unless said otherwise ----

void ployi_cdt_mesh_init(ployi_cdt_mesh *mesh, const ploy_env *env);
void ployi_cdt_mesh_fini(ployi_cdt_mesh *mesh);
void ployi_cdt_mesh_clear(ployi_cdt_mesh *mesh);
// Room for that many vertices and their triangles.
ploy_result ployi_cdt_mesh_reserve(ployi_cdt_mesh *mesh, int32_t vertices);
// Three vertices, counter-clockwise, as the first triangle.
void ployi_cdt_mesh_begin(ployi_cdt_mesh *mesh, int32_t a, int32_t b, int32_t c);
// Joins a vertex whose point was located (and is no vertex) to the mesh and restores (2).
void ployi_cdt_mesh_join(ployi_cdt_mesh *mesh, int32_t vertex, ploy_cdt_location at);
// Lets a triangle wait for ployi_cdt_settle, which restores (2).
void ployi_cdt_touch(ployi_cdt_mesh *mesh, int32_t triangle);
void ployi_cdt_settle(ployi_cdt_mesh *mesh);
// The hull's edge after that of a half, counter-clockwise.
int32_t ployi_cdt_hull_next(const ployi_cdt_mesh *mesh, int32_t half);

// Slots of triangles that a hole left, to be used again in order.
typedef struct ployi_cdt_slots {
    const int32_t *items;
    int32_t count, used;
} ployi_cdt_slots;

// Fills the hole to the left of an open chain of links as far as it is concave, with new triangles
// that wait. What is left of the chain is in its place; @return how many links. A link with outer
// -2 - k has no triangle beyond it yet: inner[k] is set to the half that came to lie on it.
int32_t ployi_cdt_fill_chain(ployi_cdt_mesh *mesh, ployi_cdt_link *chain, int32_t count,
                             ployi_cdt_slots *slots, uint32_t inside, int32_t *inner);
// Fills the hole that a vertex at `centre` left within a closed chain all round it.
// next, before: scratch, count each.
void ployi_cdt_fill_ring(ployi_cdt_mesh *mesh, ployi_cdt_link *ring, int32_t count,
                         ploy_vec2 centre, ployi_cdt_slots *slots, uint32_t inside, int32_t *next,
                         int32_t *before);
// Joins two halves as one edge; one may be -1.
void ployi_cdt_link_halves(ployi_cdt_mesh *mesh, int32_t a, int32_t b, bool constrained);
// Gives back the slots that were not used, moving the last triangles into them.
void ployi_cdt_slots_finish(ployi_cdt_mesh *mesh, const ployi_cdt_slots *slots);
// Sorts numbers of points by x, then y, then number: a heap sort, for points on one line.
void ployi_cdt_sort(const ploy_vec2 *points, int32_t *items, int32_t count);

// ---- cdt_edge.c: constraints on a mesh ----

// Adds a constraint. Nothing is changed on failure: PLOY_ERR_STATE with the piece that is crossed,
// or PLOY_ERR_MEMORY.
ploy_result ployi_cdt_add_edge(ploy_cdt *cdt, ployi_cdt_mesh *mesh, int32_t from, int32_t to,
                               ploy_cdt_edge *crossed);
// Counts again which edges of the mesh are pieces, when triangles came to be. Room was reserved.
void ployi_cdt_cover_all(ployi_cdt_mesh *mesh);
// True if both ends of `piece` lie on the constraint.
bool ployi_cdt_covers(const ployi_cdt_mesh *mesh, ploy_cdt_edge edge, ploy_cdt_edge piece);

// ---- cdt_locate.c ----

// From a triangle on; `mesh` has some.
ploy_cdt_location ployi_cdt_walk(const ployi_cdt_mesh *mesh, ploy_vec2 point, int32_t triangle);
ploy_cdt_location ployi_cdt_locate(const ployi_cdt_mesh *mesh, ploy_vec2 point, int32_t hint);
// Room for the hints of that many vertices; then hints for all there are.
ploy_result ployi_cdt_hints_reserve(ployi_cdt_mesh *mesh, int32_t vertices);
void ployi_cdt_hints_make(ployi_cdt_mesh *mesh);
// A vertex came, or goes and leaves the place to another.
void ployi_cdt_hints_set(ployi_cdt_mesh *mesh, int32_t vertex);
void ployi_cdt_hints_replace(ployi_cdt_mesh *mesh, int32_t vertex, int32_t other);

// ---- cdt_region.c ----

// ploy_cdt_fill on a mesh.
ploy_result ployi_cdt_fill(ploy_cdt *cdt, ployi_cdt_mesh *mesh, ploy_fill fill);
