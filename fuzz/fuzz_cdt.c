// Arbitrary points, rings and constraints to the triangulation, then arbitrary changes to it. The
// first byte says how coordinates are read: as whole floats, or as points of a small lattice, where
// everything touches. After every change the mesh must be sound, and at the end it must be what a
// fresh build of the same set is.
#include <stdlib.h>
#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/cdt.h"
#include "ploy/geom/predicates.h"

enum { MOST_POINTS = 64, MOST_EDGES = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
    if (!condition) abort();
}

typedef struct reader {
    const uint8_t *data;
    size_t size;
    bool floats;
} reader;

static uint8_t read_byte(reader *in) {
    if (in->size == 0) return 0;
    in->size--;
    return *in->data++;
}

static ploy_vec2 read_point(reader *in) {
    ploy_vec2 point;
    if (in->floats && in->size >= sizeof point) {
        memcpy(&point, in->data, sizeof point);
        in->data += sizeof point;
        in->size -= sizeof point;
        return point;
    }
    float x = (float)(read_byte(in) % 16);
    return ploy_vec2_make(x, (float)(read_byte(in) % 16));
}

// Neighbours agree, every triangle has area, every edge that may flip need not; as many triangles
// as Euler's formula requires.
static void check_mesh(const ploy_cdt *cdt) {
    ploy_cdt_view view = ploy_cdt_get(cdt);
    int32_t border = 0;
    for (int32_t t = 0; t < view.triangle_count; t++) {
        const ploy_cdt_triangle *a = &view.triangles[t];
        ploy_vec2 p[3];
        for (int32_t i = 0; i < 3; i++) {
            check(ploy_cdt_has_vertex(cdt, a->corner[i]));
            p[i] = view.points[a->corner[i]];
        }
        check(ploy_orient2(p[0], p[1], p[2]) > 0);
        for (int32_t i = 0; i < 3; i++) {
            if (a->neighbour[i] < 0) {
                border++;
                continue;
            }
            const ploy_cdt_triangle *b = &view.triangles[a->neighbour[i]];
            int32_t j = b->neighbour[0] == t ? 0 : b->neighbour[1] == t ? 1 : 2;
            check(b->neighbour[j] == t && b->corner[(j + 1) % 3] == a->corner[(i + 2) % 3]);
            check((a->flags >> i & 1u) == (b->flags >> j & 1u));
            if ((a->flags >> i & 1u) != 0) continue;
            check(ploy_in_circle(p[0], p[1], p[2], view.points[b->corner[j]]) <= 0);
        }
    }
    if (view.triangle_count > 0) {
        check(view.triangle_count == 2 * ploy_cdt_vertex_count(cdt) - 2 - border);
    }
}

// Each triangle's corners are joined in a fresh build, too.
static void check_fresh(const ploy_cdt *cdt, const ploy_env *env) {
    static ploy_vec2 points[2 * MOST_POINTS];
    static int32_t place[2 * MOST_POINTS];
    static ploy_cdt_edge edges[MOST_EDGES];
    ploy_cdt_view view = ploy_cdt_get(cdt);
    int32_t count = 0, edge_count = ploy_cdt_edges(cdt, edges, MOST_EDGES);
    if (view.point_count > 2 * MOST_POINTS || edge_count > MOST_EDGES) return;
    for (int32_t v = 0; v < view.point_count; v++) {
        place[v] = count;
        if (ploy_cdt_has_vertex(cdt, v)) points[count++] = view.points[v];
    }
    for (int32_t i = 0; i < edge_count; i++) {
        edges[i].from = place[edges[i].from];
        edges[i].to = place[edges[i].to];
    }
    ploy_cdt_def def = ploy_cdt_def_default();
    ploy_cdt *fresh = NULL;
    if (ploy_cdt_create(&def, env, &fresh) != PLOY_OK) return;
    check(ploy_cdt_build(fresh, points, count, edges, edge_count, NULL) == PLOY_OK);
    check(ploy_cdt_triangle_count(fresh) == view.triangle_count);
    for (int32_t t = 0; t < view.triangle_count; t++) {
        const int32_t *corner = view.triangles[t].corner;
        for (int32_t i = 0; i < 3; i++) {
            check(ploy_cdt_find_edge(fresh, place[corner[i]], place[corner[(i + 1) % 3]], NULL,
                                     NULL));
        }
    }
    ploy_cdt_destroy(fresh);
}

static void change(ploy_cdt *cdt, reader *in) {
    uint8_t what = read_byte(in);
    int32_t slots = ploy_cdt_get(cdt).point_count;
    int32_t a = read_byte(in) % (slots + 1), b = read_byte(in) % (slots + 1);
    ploy_vec2 point;
    switch (what % 6) {
    case 0:
    case 1:
        if (ploy_cdt_vertex_count(cdt) < MOST_POINTS) {
            (void)ploy_cdt_insert_point(cdt, read_point(in), NULL);
        }
        break;
    case 2: (void)ploy_cdt_remove_point(cdt, a); break;
    case 3:
        if (ploy_cdt_edge_count(cdt) < MOST_EDGES) (void)ploy_cdt_insert_edge(cdt, a, b, NULL);
        break;
    case 4: (void)ploy_cdt_remove_edge(cdt, a, b); break;
    default:
        point = read_point(in);
        (void)ploy_cdt_flood(cdt, &point, 1, (what & 64) != 0);
        (void)ploy_cdt_fill(cdt, (what & 128) != 0 ? PLOY_FILL_NON_ZERO : PLOY_FILL_EVEN_ODD);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3) return 0;
    reader in = {data + 1, size - 1, (data[0] & 1) != 0};
    ploy_env env = ploy_env_default();
    ploy_cdt_def def = ploy_cdt_def_default();
    def.capacity = 0;
    ploy_cdt *cdt = NULL;
    ploy_rings *rings = NULL;
    ploy_vec2 points[MOST_POINTS];
    int32_t count = read_byte(&in) % MOST_POINTS;
    for (int32_t i = 0; i < count; i++) points[i] = read_point(&in);
    if (ploy_cdt_create(&def, &env, &cdt) == PLOY_OK &&
        ploy_rings_create(&env, &rings) == PLOY_OK) {
        if ((data[0] & 2) != 0) { // as rings
            int32_t length = 3 + (data[0] >> 2) % 8;
            for (int32_t at = 0; at + length <= count; at += length) {
                (void)ploy_rings_add(rings, points + at, length);
            }
            (void)ploy_cdt_build_rings(cdt, rings, PLOY_FILL_NON_ZERO, NULL);
        } else {
            (void)ploy_cdt_build(cdt, points, count, NULL, 0, NULL);
        }
        check_mesh(cdt);
        for (int32_t step = 0; step < 64 && in.size > 0; step++) {
            change(cdt, &in);
            check_mesh(cdt);
        }
        check_fresh(cdt, &env);
    }
    ploy_rings_destroy(rings);
    ploy_cdt_destroy(cdt);
    return 0;
}
