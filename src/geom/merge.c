// Convex merging of triangles; the technique is described in the header.
//
// Triangle t's edge i is half edge 3 t + i; those of one polygon are linked in a ring. Taking an
// edge away joins two rings:
//
//        a        d             a -> d, c -> b
//      ----> v ---->
//            |^                 h goes down from v to w in the polygon on its left (b, a), its twin
//          h || g               g up in the other (c, d)
//            v|
//      <---- w <----
//        b        c
//
// Invariants: (1) every ring is convex, straight corners allowed; (2) next and before are inverse;
// (3) an edge that could not go once can never go later, as angles only grow: one pass is enough.
#include "ploy/geom/merge.h"

#include "geom/geom_internal.h"
#include "geom/lattice_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/geom/predicates.h"

#include <string.h>

static const ploy_field merge_fields[] = {
    PLOY_FIELD_I32(ploy_merge_def, max_corners, PLOY_MERGE_CORNERS_MAX, 3, PLOY_MERGE_CORNERS_MAX,
                   "", "most corners of a polygon"),
    PLOY_FIELD_BOOL(ploy_merge_def, walls, true, "constraints within the area are walls"),
};

struct ploy_merge {
    ploy_env env;
    ploy_merge_def def;
    ploy_array polygons;   // ploy_merge_polygon
    ploy_array vertices;   // int32_t
    ploy_array corners;    // ploy_vec2
    ploy_array neighbours; // int32_t
    ploy_array polygon_of; // int32_t
};

typedef struct merge_edge {
    double length_sq;
    int32_t low, high; // vertices
    int32_t half;
} merge_edge;

typedef struct merge_work {
    ploy_cdt_view view;
    int32_t *next, *before, *twin; // of half edges; twin -1 where nothing is behind
    int32_t *parent;               // of triangles: a forest, whose roots represent polygons
    int32_t *size;                 // of a root: corners
    bool *gone;                    // half edges taken away
    merge_edge *edges;
    int32_t edge_count;
} merge_work;

ploy_fields ploy_merge_fields(void) {
    return PLOY_FIELDS(ploy_merge_def, merge_fields);
}

ploy_merge_def ploy_merge_def_default(void) {
    ploy_merge_def def;
    ploy_fields_default(ploy_merge_fields(), &def);
    return def;
}

ploy_result ploy_merge_create(const ploy_merge_def *def, const ploy_env *env, ploy_merge **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_merge_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_merge *merge = ploy_env_alloc(env, sizeof *merge);
    if (merge == NULL) return PLOY_ERR_MEMORY;
    merge->env = *env;
    merge->def = *def;
    ploy_array_init(&merge->polygons, sizeof(ploy_merge_polygon), env);
    ploy_array_init(&merge->vertices, sizeof(int32_t), env);
    ploy_array_init(&merge->corners, sizeof(ploy_vec2), env);
    ploy_array_init(&merge->neighbours, sizeof(int32_t), env);
    ploy_array_init(&merge->polygon_of, sizeof(int32_t), env);
    *out = merge;
    return PLOY_OK;
}

void ploy_merge_destroy(ploy_merge *merge) {
    if (merge == NULL) return;
    ploy_env env = merge->env;
    ploy_array_fini(&merge->polygons);
    ploy_array_fini(&merge->vertices);
    ploy_array_fini(&merge->corners);
    ploy_array_fini(&merge->neighbours);
    ploy_array_fini(&merge->polygon_of);
    ploy_env_free(&env, merge, sizeof *merge);
}

// ---- half edges ----

static int32_t merge_from(const merge_work *work, int32_t half) {
    return work->view.triangles[half / 3].corner[(half + 1) % 3];
}

static int32_t merge_to(const merge_work *work, int32_t half) {
    return work->view.triangles[half / 3].corner[(half % 3 + 2) % 3];
}

static int32_t merge_root(merge_work *work, int32_t triangle) {
    while (work->parent[triangle] != triangle) {
        work->parent[triangle] = work->parent[work->parent[triangle]];
        triangle = work->parent[triangle];
    }
    return triangle;
}

static int32_t merge_order(const void *a, const void *b) {
    const merge_edge *e = a, *f = b;
    if (e->length_sq != f->length_sq) return e->length_sq > f->length_sq ? -1 : 1;
    if (e->low != f->low) return e->low < f->low ? -1 : 1;
    return e->high < f->high ? -1 : e->high > f->high;
}

static bool merge_inside(const merge_work *work, int32_t triangle) {
    return triangle >= 0 && (work->view.triangles[triangle].flags & PLOY_CDT_INSIDE) != 0;
}

// Links every triangle's edges, and lists those that may go.
static void merge_link(merge_work *work, bool walls) {
    for (int32_t t = 0; t < work->view.triangle_count; t++) {
        const ploy_cdt_triangle *triangle = &work->view.triangles[t];
        work->parent[t] = t;
        work->size[t] = 3;
        for (int32_t i = 0; i < 3; i++) {
            int32_t half = 3 * t + i, other = triangle->neighbour[i];
            bool constraint = (triangle->flags & ((uint32_t)PLOY_CDT_CONSTRAINT_0 << i)) != 0;
            work->next[half] = 3 * t + (i + 1) % 3;
            work->before[half] = 3 * t + (i + 2) % 3;
            work->twin[half] = -1;
            if (!merge_inside(work, t) || !merge_inside(work, other) || (constraint && walls)) {
                continue;
            }
            for (int32_t k = 0; k < 3; k++) {
                if (work->view.triangles[other].neighbour[k] == t &&
                    merge_from(work, 3 * other + k) == merge_to(work, half)) {
                    work->twin[half] = 3 * other + k;
                }
            }
            if (constraint || work->twin[half] < half) continue; // once, from the lower side
            int32_t from = merge_from(work, half), to = merge_to(work, half);
            ployi_dvec2 offset =
                ployi_dvec2_between(work->view.points[to], work->view.points[from]);
            merge_edge edge = {ployi_dvec2_dot(offset, offset), ploy_mini(from, to),
                               ploy_maxi(from, to), half};
            work->edges[work->edge_count++] = edge;
        }
    }
}

// Whether the path over two edges stays convex in the vertex between them. Two sides of one edge
// would leave it sticking into the polygon.
static bool merge_bends_well(const merge_work *work, int32_t in, int32_t out) {
    const ploy_vec2 *points = work->view.points;
    if (work->twin[in] == out) return false;
    return ploy_orient2(points[merge_from(work, in)], points[merge_to(work, in)],
                        points[merge_to(work, out)]) >= 0;
}

static void merge_take(merge_work *work, int32_t half, int32_t max_corners) {
    int32_t twin = work->twin[half];
    int32_t p = merge_root(work, half / 3), q = merge_root(work, twin / 3);
    if (p == q || work->size[p] + work->size[q] - 2 > max_corners) return;
    int32_t a = work->before[half], b = work->next[half];
    int32_t c = work->before[twin], d = work->next[twin];
    if (!merge_bends_well(work, a, d) || !merge_bends_well(work, c, b)) return; // keeps (1)
    work->next[a] = d;
    work->before[d] = a;
    work->next[c] = b;
    work->before[b] = c;
    work->gone[half] = work->gone[twin] = true;
    int32_t root = ploy_mini(p, q), child = ploy_maxi(p, q);
    work->size[root] += work->size[child] - 2;
    work->parent[child] = root;
}

static bool merge_prepare(merge_work *work, ploy_arena *scratch) {
    int64_t halves = 3 * (int64_t)work->view.triangle_count;
    work->next = ploy_arena_alloc_array(scratch, halves, sizeof *work->next);
    work->before = ploy_arena_alloc_array(scratch, halves, sizeof *work->before);
    work->twin = ploy_arena_alloc_array(scratch, halves, sizeof *work->twin);
    work->gone = ploy_arena_alloc_array(scratch, halves, sizeof *work->gone);
    work->edges = ploy_arena_alloc_array(scratch, halves, sizeof *work->edges);
    work->parent = ploy_arena_alloc_array(scratch, halves / 3, sizeof *work->parent);
    work->size = ploy_arena_alloc_array(scratch, halves / 3, sizeof *work->size);
    return work->next != NULL && work->before != NULL && work->twin != NULL && work->gone != NULL &&
           work->edges != NULL && work->parent != NULL && work->size != NULL;
}

// ---- building ----

// Makes room for everything, so that nothing fails once the old polygons go.
static ploy_result merge_reserve(ploy_merge *merge, merge_work *work) {
    int32_t polygons = 0, corners = 0;
    for (int32_t t = 0; t < work->view.triangle_count; t++) {
        if (!merge_inside(work, t) || merge_root(work, t) != t) continue;
        polygons++;
        corners += work->size[t];
    }
    ploy_result result = ploy_array_reserve(&merge->polygons, polygons);
    if (result == PLOY_OK) result = ploy_array_reserve(&merge->vertices, corners);
    if (result == PLOY_OK) result = ploy_array_reserve(&merge->corners, corners);
    if (result == PLOY_OK) result = ploy_array_reserve(&merge->neighbours, corners);
    if (result == PLOY_OK) {
        result = ploy_array_reserve(&merge->polygon_of, work->view.triangle_count);
    }
    return result;
}

// The half edge of a triangle that is left, or -1.
static int32_t merge_start(const merge_work *work, int32_t triangle) {
    for (int32_t i = 0; i < 3; i++) {
        if (!work->gone[3 * triangle + i]) return 3 * triangle + i;
    }
    return -1;
}

static ploy_result merge_fill(ploy_merge *merge, merge_work *work) {
    ploy_result result = PLOY_OK;
    ploy_array_clear(&merge->polygons);
    ploy_array_clear(&merge->vertices);
    ploy_array_clear(&merge->corners);
    ploy_array_clear(&merge->neighbours);
    ploy_array_clear(&merge->polygon_of);
    // The root of a polygon is its lowest triangle, so roots come first and in order.
    int32_t count = 0;
    for (int32_t t = 0; t < work->view.triangle_count && result == PLOY_OK; t++) {
        int32_t root = merge_root(work, t), number = -1;
        if (merge_inside(work, t)) {
            number = root == t ? count++ : PLOY_ARRAY_ITEMS(&merge->polygon_of, int32_t)[root];
        }
        result = ploy_array_push(&merge->polygon_of, &number);
    }
    // A triangle may have lost all its edges: a later one of the polygon begins the ring then.
    ploy_merge_polygon none = {-1, 0};
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = ploy_array_push(&merge->polygons, &none);
    }
    ploy_merge_polygon *polygons = PLOY_ARRAY_ITEMS(&merge->polygons, ploy_merge_polygon);
    const int32_t *polygon_of = PLOY_ARRAY_ITEMS(&merge->polygon_of, int32_t);
    int32_t *starts = work->size; // by polygon: its first half edge; sizes are no longer needed
    for (int32_t i = 0; i < count; i++) starts[i] = -1;
    for (int32_t t = 0; t < work->view.triangle_count; t++) {
        int32_t polygon = polygon_of[t];
        if (polygon >= 0 && starts[polygon] < 0) starts[polygon] = merge_start(work, t);
    }
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        polygons[i].first = merge->vertices.count;
        int32_t half = starts[i];
        do {
            int32_t vertex = merge_from(work, half), twin = work->twin[half];
            int32_t neighbour = twin >= 0 ? polygon_of[twin / 3] : -1;
            result = ploy_array_push(&merge->vertices, &vertex);
            if (result == PLOY_OK) {
                result = ploy_array_push(&merge->corners, &work->view.points[vertex]);
            }
            if (result == PLOY_OK) result = ploy_array_push(&merge->neighbours, &neighbour);
            half = work->next[half];
        } while (half != starts[i] && result == PLOY_OK);
        polygons[i].count = merge->vertices.count - polygons[i].first;
    }
    return result;
}

ploy_result ploy_merge_build(ploy_merge *merge, const ploy_cdt *cdt, ploy_arena *scratch) {
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    merge_work work;
    memset(&work, 0, sizeof work);
    work.view = ploy_cdt_get(cdt);
    ploy_result result = merge_prepare(&work, scratch) ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        merge_link(&work, merge->def.walls);
        if (!ployi_lattice_sort(work.edges, work.edge_count, sizeof *work.edges, merge_order,
                                scratch)) {
            result = PLOY_ERR_MEMORY;
        }
    }
    for (int32_t i = 0; i < work.edge_count && result == PLOY_OK; i++) {
        merge_take(&work, work.edges[i].half, merge->def.max_corners);
    }
    if (result == PLOY_OK) result = merge_reserve(merge, &work);
    if (result == PLOY_OK) result = merge_fill(merge, &work);
    ploy_arena_rewind(scratch, mark);
    return result;
}

// ---- looking ----

ploy_merge_view ploy_merge_get(const ploy_merge *merge) {
    ploy_merge_view view = {merge->polygons.items,   merge->polygons.count,   merge->vertices.items,
                            merge->corners.items,    merge->neighbours.items, merge->vertices.count,
                            merge->polygon_of.items, merge->polygon_of.count};
    return view;
}

ploy_polygon ployi_merge_polygon_at(const ploy_merge *merge, int32_t polygon) {
    const ploy_merge_polygon *own = ploy_array_at(&merge->polygons, polygon);
    if (own == NULL) return ploy_polygon_make(NULL, 0);
    return ploy_polygon_make(PLOY_ARRAY_ITEMS(&merge->corners, ploy_vec2) + own->first, own->count);
}

bool ploy_merge_portal(const ploy_merge *merge, int32_t from, int32_t to, ploy_segment2 *out) {
    const ploy_merge_polygon *own = ploy_array_at(&merge->polygons, from);
    if (own == NULL || to < 0) return false;
    const int32_t *neighbours = PLOY_ARRAY_ITEMS(&merge->neighbours, int32_t);
    for (int32_t i = 0; i < own->count; i++) {
        if (neighbours[own->first + i] != to) continue;
        // Corners go counter-clockwise: who leaves has the edge's end on the left.
        ploy_segment2 edge = ploy_polygon_edge(ployi_merge_polygon_at(merge, from), i);
        *out = ploy_segment2_make(edge.to, edge.from);
        return true;
    }
    return false;
}

void ploy_merge_describe(const ploy_merge *merge, ploy_describe *out) {
    ploy_merge_view view = ploy_merge_get(merge);
    uint64_t hash = 0;
    double area = 0.0;
    for (int32_t i = 0; i < view.polygon_count; i++) {
        hash = ploy_hash_combine(hash, (uint64_t)view.polygons[i].count);
        area += (double)ploy_polygon_area(ployi_merge_polygon_at(merge, i));
    }
    for (int32_t i = 0; i < view.corner_count; i++) {
        uint64_t both = (uint64_t)(uint32_t)view.vertices[i] << 32;
        hash = ploy_hash_combine(hash, both | (uint32_t)view.neighbours[i]);
    }
    ploy_describe_i64(out, "polygons", PLOY_STATE, view.polygon_count);
    ploy_describe_i64(out, "corners", PLOY_STATE, view.corner_count);
    ploy_describe_u64(out, "shape", PLOY_STATE, hash);
    ploy_describe_f32(out, "area", PLOY_DERIVED, (float)area);
}

void ploy_merge_draw(const ploy_merge *merge, ploy_draw *out) {
    ploy_merge_view view = ploy_merge_get(merge);
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < view.polygon_count; i++) {
        ploy_polygon polygon = ployi_merge_polygon_at(merge, i);
        // Four tints, so that neighbours can mostly be told apart.
        static const ploy_style tints[4] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                            PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS, tints[i % 4], nobody, polygon.points,
                          polygon.count, 0.15f);
        for (int32_t k = 0; k < polygon.count; k++) {
            ploy_segment2 edge = ploy_polygon_edge(polygon, k);
            int32_t behind = view.neighbours[view.polygons[i].first + k];
            if (behind > i) continue; // drawn from the other side
            ploy_draw_line(out, behind < 0 ? PLOY_LAYER_WORLD : PLOY_LAYER_PATHS,
                           behind < 0 ? PLOY_STYLE_WALL : PLOY_STYLE_PATH, nobody, edge.from,
                           edge.to);
        }
    }
}

void ploy_merge_memory(const ploy_merge *merge, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"merge", sizeof *merge, 1};
    fn(user, &item);
    ploy_array_memory(&merge->polygons, fn, user);
    ploy_array_memory(&merge->vertices, fn, user);
    ploy_array_memory(&merge->corners, fn, user);
    ploy_array_memory(&merge->neighbours, fn, user);
    ploy_array_memory(&merge->polygon_of, fn, user);
}
