// What the tests of the triangulation share: a checker that knows nothing of how it was made, sets
// of points of many kinds, and a slow rule for which constraints are fine.
#pragma once

#include "geom/geom_internal.h"
#include "tests/geom/geom_test.h"

#include "ploy/base/hash.h"
#include "ploy/geom/cdt.h"
#include "ploy/geom/hull.h"
#include "ploy/geom/predicates.h"

enum { CDT_TEST_POINTS = 128, CDT_TEST_EDGES = 64 };

typedef struct cdt_test_input {
    ploy_vec2 points[CDT_TEST_POINTS];
    int32_t count;
    ploy_cdt_edge edges[CDT_TEST_EDGES];
    int32_t edge_count;
} cdt_test_input;

static inline ploy_cdt *cdt_test_make(test_context *t) {
    ploy_cdt_def def = ploy_cdt_def_default();
    ploy_env env = ploy_env_default();
    ploy_cdt *cdt = NULL;
    CHECK_OK(ploy_cdt_create(&def, &env, &cdt));
    return cdt;
}

static inline bool cdt_test_less(ploy_vec2 a, ploy_vec2 b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// On the segment, ends included.
static inline bool cdt_test_on(ploy_vec2 a, ploy_vec2 b, ploy_vec2 p) {
    if (cdt_test_less(b, a)) {
        ploy_vec2 swap = a;
        a = b;
        b = swap;
    }
    return !cdt_test_less(p, a) && !cdt_test_less(b, p) && ploy_orient2(a, b, p) == 0;
}

// Points of one of several kinds.
enum { CDT_TEST_KINDS = 8 };
static inline ploy_vec2 cdt_test_point(ploy_rng *rng, int32_t kind) {
    switch (kind) {
    case 0: return test_random_vec2(rng, 100.0f);
    case 1: return test_lattice_vec2(rng, 4);
    case 2: return test_lattice_vec2(rng, 40);
    case 3: { // on two circles, exactly
        static const int32_t at[12][2] = {{25, 0},    {0, 25},  {-25, 0},  {0, -25},
                                          {15, 20},   {20, 15}, {-7, 24},  {24, -7},
                                          {-20, -15}, {7, -24}, {-15, 20}, {-24, 7}};
        int32_t i = ploy_rng_int(rng, 0, 11), scale = ploy_rng_int(rng, 1, 2);
        return test_v2(at[i][0] * scale, at[i][1] * scale);
    }
    case 4: { // all on one line, nearly always
        int32_t i = ploy_rng_int(rng, -20, 20);
        return test_v2(3 * i, 2 * i + (ploy_rng_int(rng, 0, 30) == 0));
    }
    case 5: return ploy_vec2_scale(test_random_vec2(rng, 1.0f), 3.0e38f);
    case 6: return ploy_vec2_scale(test_lattice_vec2(rng, 9), 1.4e-45f);
    default: { // everything at once
        float scale = ploy_rng_int(rng, 0, 1) ? 1.0e9f : 1.0f;
        return ploy_vec2_scale(test_lattice_vec2(rng, 6), scale);
    }
    }
}

// Whether two constraints meet where no point is.
static inline bool cdt_test_crosses(const cdt_test_input *in, ploy_cdt_edge e, ploy_cdt_edge f) {
    ploy_vec2 a = in->points[e.from], b = in->points[e.to], c = in->points[f.from],
              d = in->points[f.to];
    if (ploy_orient2(a, b, c) * ploy_orient2(a, b, d) >= 0) return false;
    if (ploy_orient2(c, d, a) * ploy_orient2(c, d, b) >= 0) return false;
    for (int32_t i = 0; i < in->count; i++) {
        if (cdt_test_on(a, b, in->points[i]) && cdt_test_on(c, d, in->points[i])) return false;
    }
    return true;
}

static inline void cdt_test_random(ploy_rng *rng, cdt_test_input *in) {
    int32_t kind = ploy_rng_int(rng, 0, CDT_TEST_KINDS - 1);
    in->count = ploy_rng_int(rng, 0, ploy_rng_int(rng, 0, 3) == 0 ? CDT_TEST_POINTS : 24);
    for (int32_t i = 0; i < in->count; i++) in->points[i] = cdt_test_point(rng, kind);
    in->edge_count = 0;
    int32_t tries = in->count > 1 ? ploy_rng_int(rng, 0, CDT_TEST_EDGES) : 0;
    for (int32_t i = 0; i < tries; i++) {
        ploy_cdt_edge edge = {ploy_rng_int(rng, 0, in->count - 1),
                              ploy_rng_int(rng, 0, in->count - 1)};
        bool fine = true;
        for (int32_t k = 0; k < in->edge_count; k++) {
            fine = fine && !cdt_test_crosses(in, edge, in->edges[k]);
        }
        if (fine) in->edges[in->edge_count++] = edge;
    }
}

static inline bool cdt_test_bit(const ploy_cdt_triangle *t, int32_t i) {
    return (t->flags >> i & 1u) != 0;
}

// Twice the area, in double.
static inline double cdt_test_area(const ploy_vec2 *p, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 2; i < count; i++) {
        double ax = (double)p[i - 1].x - (double)p[0].x, ay = (double)p[i - 1].y - (double)p[0].y;
        double bx = (double)p[i].x - (double)p[0].x, by = (double)p[i].y - (double)p[0].y;
        sum += ax * by - ay * bx;
    }
    return sum;
}

// Each constraint is there as edges between the vertices on it. @return pieces, repeated ones too.
static inline void cdt_test_check_edges(test_context *t, const ploy_cdt *cdt) {
    ploy_cdt_view view = ploy_cdt_get(cdt);
    static ploy_cdt_edge edges[4096];
    static int32_t on[4096];
    int32_t count = ploy_cdt_edges(cdt, edges, 4096);
    CHECK(count <= 4096 && count == ploy_cdt_edge_count(cdt));
    int32_t marked = 0;
    for (int32_t k = 0; k < view.triangle_count; k++) {
        for (int32_t i = 0; i < 3; i++) {
            const ploy_cdt_triangle *tri = &view.triangles[k];
            if (!cdt_test_bit(tri, i) || tri->neighbour[i] > k) continue;
            marked++; // each marked edge lies on some constraint
            ploy_vec2 a = view.points[tri->corner[(i + 1) % 3]];
            ploy_vec2 b = view.points[tri->corner[(i + 2) % 3]];
            bool covered = false;
            for (int32_t e = 0; e < count && !covered; e++) {
                ploy_vec2 from = view.points[edges[e].from], to = view.points[edges[e].to];
                covered = cdt_test_on(from, to, a) && cdt_test_on(from, to, b);
            }
            CHECK(covered);
        }
    }
    if (view.triangle_count == 0) return;
    for (int32_t e = 0; e < count; e++) {
        ploy_vec2 a = view.points[edges[e].from], b = view.points[edges[e].to];
        int32_t found = 0;
        for (int32_t v = 0; v < view.point_count; v++) {
            if (!ploy_cdt_has_vertex(cdt, v) || !cdt_test_on(a, b, view.points[v])) continue;
            int32_t at = found++; // sorted by insertion
            while (at > 0 && cdt_test_less(view.points[v], view.points[on[at - 1]])) {
                on[at] = on[at - 1];
                at--;
            }
            on[at] = v;
        }
        CHECK(found >= 2);
        for (int32_t i = 1; i < found; i++) {
            int32_t triangle = -1, index = -1;
            CHECK(ploy_cdt_find_edge(cdt, on[i - 1], on[i], &triangle, &index));
            CHECK(cdt_test_bit(&view.triangles[triangle], index));
        }
    }
    CHECK(count > 0 || marked == 0);
}

static inline void cdt_test_check(test_context *t, const ploy_cdt *cdt) {
    ploy_cdt_view view = ploy_cdt_get(cdt);
    static ploy_vec2 hull[4096];
    int32_t alive = 0, border = 0;
    double sum = 0.0;
    for (int32_t v = 0; v < view.point_count; v++) {
        if (!ploy_cdt_has_vertex(cdt, v)) continue;
        hull[alive++] = view.points[v];
        int32_t own = ployi_cdt_vertex_triangle(cdt, v);
        CHECK_INT(own >= 0, view.triangle_count > 0);
        if (own < 0) continue;
        const int32_t *corner = view.triangles[own].corner;
        CHECK(corner[0] == v || corner[1] == v || corner[2] == v);
    }
    CHECK_INT(alive, ploy_cdt_vertex_count(cdt));
    for (int32_t k = 0; k < view.triangle_count; k++) {
        const ploy_cdt_triangle *a = &view.triangles[k];
        ploy_vec2 p[3];
        for (int32_t i = 0; i < 3; i++) {
            CHECK(ploy_cdt_has_vertex(cdt, a->corner[i]));
            p[i] = view.points[a->corner[i]];
        }
        CHECK_INT(ploy_orient2(p[0], p[1], p[2]), 1);
        sum += cdt_test_area(p, 3);
        for (int32_t i = 0; i < 3; i++) {
            CHECK(a->neighbour[i] >= -1 && a->neighbour[i] < view.triangle_count);
            if (a->neighbour[i] < 0) {
                border++;
                continue;
            }
            const ploy_cdt_triangle *b = &view.triangles[a->neighbour[i]];
            int32_t j = b->neighbour[0] == k ? 0 : b->neighbour[1] == k ? 1 : 2;
            CHECK_INT(b->neighbour[j], k);
            CHECK_INT(b->corner[(j + 1) % 3], a->corner[(i + 2) % 3]);
            CHECK_INT(b->corner[(j + 2) % 3], a->corner[(i + 1) % 3]);
            CHECK_INT(cdt_test_bit(a, i), cdt_test_bit(b, j));
            if (cdt_test_bit(a, i)) continue;
            CHECK(ploy_in_circle(p[0], p[1], p[2], view.points[b->corner[j]]) <= 0);
        }
    }
    // Triangles that all go counter-clockwise and have the hull's area together cannot overlap.
    int32_t corners = ploy_hull2(hull, alive, hull);
    double area = cdt_test_area(hull, corners), largest = 0.0;
    for (int32_t i = 0; i < corners; i++) {
        largest = fmax(largest, fmax(fabs((double)hull[i].x), fabs((double)hull[i].y)));
    }
    CHECK_NEAR(sum, area, 1e-12 * area + 1e-13 * largest * largest); // slivers cancel
    CHECK_INT(view.triangle_count > 0, corners >= 3);
    if (corners >= 3) CHECK_INT(view.triangle_count, 2 * alive - 2 - border); // Euler
    CHECK_INT(ployi_cdt_hull(cdt, NULL, 0), border);
    cdt_test_check_edges(t, cdt);
}

static inline uint64_t cdt_test_point_bits(ploy_vec2 p) {
    uint32_t x, y;
    memcpy(&x, &p.x, sizeof x);
    memcpy(&y, &p.y, sizeof y);
    return (uint64_t)x << 32 | y;
}

// The triangles by their points alone, whatever their numbers and order: equal for equal meshes.
static inline uint64_t cdt_test_shape(const ploy_cdt *cdt) {
    ploy_cdt_view view = ploy_cdt_get(cdt);
    uint64_t sum = (uint64_t)ploy_cdt_vertex_count(cdt);
    for (int32_t k = 0; k < view.triangle_count; k++) {
        const ploy_cdt_triangle *a = &view.triangles[k];
        int32_t least = 0;
        for (int32_t i = 1; i < 3; i++) {
            if (cdt_test_less(view.points[a->corner[i]], view.points[a->corner[least]])) least = i;
        }
        uint64_t hash = 1;
        for (int32_t i = 0; i < 3; i++) {
            int32_t at = (least + i) % 3;
            hash = ploy_hash_combine(hash, cdt_test_point_bits(view.points[a->corner[at]]));
            hash = ploy_hash_combine(hash, cdt_test_bit(a, at));
        }
        sum += hash;
    }
    return sum;
}
