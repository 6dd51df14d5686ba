// The ground within polygons: what is wrong with it, and how high it is.
//
// A polygon's corners are as high as the ground there, but hills and hollows between them are not in
// them. Triangles over the polygon hold these; a point's height is that of the triangle over it.
// Heights are requested with every place, and a polygon may have a hundred triangles: so each eight
// of them have a box.
// Technique: the detail mesh of Mononen's Recast, 2009.
#include "path/navmesh_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"

#include <string.h>

// ---- checks and copies ----

const char *ployi_nav_detail_check(const ploy_navmesh_detail *detail, int32_t polygons,
                                   int32_t *line) {
    *line = 0;
    bool arrays = detail->vertex_count >= 0 && detail->triangle_count >= 0 &&
                  detail->vertex_count <= PLOY_NAVMESH_CORNERS_MAX &&
                  detail->triangle_count <= PLOY_NAVMESH_CORNERS_MAX &&
                  (detail->vertices != NULL || detail->vertex_count == 0) &&
                  (detail->triangles != NULL || detail->triangle_count == 0) &&
                  (detail->sizes != NULL || polygons == 0);
    if (!arrays) return "detail count is out of range or a detail array is missing";
    for (int32_t i = 0; i < detail->vertex_count; i++) {
        ploy_vec3 at = detail->vertices[i];
        if (ploy_in_range(at.x, -1e9f, 1e9f) && ploy_in_range(at.y, -1e9f, 1e9f) &&
            ploy_in_range(at.z, -1e9f, 1e9f)) {
            continue;
        }
        return "detail vertex is not finite or out of range";
    }
    int32_t left = detail->triangle_count;
    for (int32_t i = 0; i < polygons; i++) {
        *line = i + 1;
        if (detail->sizes[i] < 0 || detail->sizes[i] > left) {
            return "wrong number of triangles of a polygon";
        }
        left -= detail->sizes[i];
    }
    *line = 0;
    if (left != 0) return "detail has triangles that belong to no polygon";
    for (int32_t i = 0; i < 3 * detail->triangle_count; i++) {
        if (detail->triangles[i] >= 0 && detail->triangles[i] < detail->vertex_count) continue;
        return "detail triangle refers to an unknown vertex";
    }
    return NULL;
}

static uint64_t navdetail_bits(ploy_vec3 at) {
    uint32_t bits[3];
    memcpy(&bits[0], &at.x, sizeof bits[0]);
    memcpy(&bits[1], &at.y, sizeof bits[1]);
    memcpy(&bits[2], &at.z, sizeof bits[2]);
    return ploy_hash_combine((uint64_t)bits[0] << 32 | bits[1], bits[2]);
}

int32_t ployi_nav_detail_weld(const ploy_navmesh_detail *detail, int32_t *number,
                              const ploy_env *env) {
    ploy_map firsts; // by hash of the bits: the first vertex + 1; those of equal hashes stay apart
    ploy_map_init(&firsts, sizeof(int32_t), env);
    ploy_result result = ploy_map_reserve(&firsts, detail->vertex_count);
    int32_t count = 0;
    for (int32_t i = 0; i < detail->vertex_count && result == PLOY_OK; i++) {
        void *slot = NULL;
        bool added = false;
        int32_t first = i + 1;
        result = ploy_map_ensure(&firsts, navdetail_bits(detail->vertices[i]), &slot, &added);
        if (result != PLOY_OK) break;
        if (added) {
            memcpy(slot, &first, sizeof first);
        } else {
            memcpy(&first, slot, sizeof first);
        }
        const ploy_vec3 *same = &detail->vertices[first - 1], *own = &detail->vertices[i];
        bool equal = same->x == own->x && same->y == own->y && same->z == own->z;
        number[i] = !added && equal ? number[first - 1] : count++;
    }
    ploy_map_fini(&firsts);
    return result == PLOY_OK ? count : -1;
}

// Writes the triangles of one polygon. They are sorted into square cells, row by row there and back,
// so that neighbours in the list are near one another and most boxes can be passed over.
static ploy_result navdetail_write(ploy_navmesh *mesh, const ploy_navmesh_detail *detail,
                                   const int32_t *number, int32_t from, int32_t polygon,
                                   ploy_arena *scratch) {
    const ployi_nav_polygon *p = &mesh->polygons[polygon];
    int32_t to = p->first_detail, count = p[1].first_detail - to, side = 1;
    const int32_t *triangles = detail->triangles + 3 * (size_t)from;
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    while (4 * side * side < count) side++;
    int32_t *cells = ploy_arena_alloc_array(scratch, count, sizeof *cells);
    int32_t *starts = ploy_arena_alloc_array(scratch, (int64_t)side * side + 1, sizeof *starts);
    if (cells == NULL || starts == NULL) return PLOY_ERR_MEMORY;
    memset(starts, 0, ((size_t)side * (size_t)side + 1) * sizeof *starts);
    ploy_box2 box = ploy_box2_empty();
    for (int32_t e = p->first; e < p[1].first; e++) {
        box = ploy_box2_merge(box, ploy_box2_make(mesh->edges[e].at, mesh->edges[e].at));
    }
    ploy_vec2 size = ploy_vec2_sub(box.max, box.min);
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 middle = ploy_vec2_zero();
        for (int32_t k = 0; k < 3; k++) {
            ploy_vec2 corner = ploy_vec2_from_vec3(detail->vertices[triangles[3 * i + k]]);
            middle = ploy_vec2_add(middle, ploy_vec2_scale(corner, 1.0f / 3.0f));
        }
        float x = (middle.x - box.min.x) / size.x, y = (middle.y - box.min.y) / size.y;
        int32_t column = (int32_t)(ploy_clampf(x, 0.0f, 0.9999f) * (float)side);
        int32_t row = (int32_t)(ploy_clampf(y, 0.0f, 0.9999f) * (float)side);
        cells[i] = row * side + (row % 2 == 0 ? column : side - 1 - column);
        starts[cells[i] + 1]++;
    }
    for (int32_t i = 0; i < side * side; i++) starts[i + 1] += starts[i];
    for (int32_t i = 0; i < count; i++) {
        int32_t place = to + starts[cells[i]]++;
        for (int32_t k = 0; k < 3; k++) {
            int32_t vertex = number[triangles[3 * i + k]];
            if (mesh->detail_short != NULL) {
                mesh->detail_short[3 * place + k] = (uint16_t)vertex;
            } else {
                mesh->detail_long[3 * place + k] = vertex;
            }
        }
    }
    ploy_arena_rewind(scratch, mark);
    return PLOY_OK;
}

ploy_result ployi_nav_detail_fill(ploy_navmesh *mesh, const ploy_navmesh_detail *detail,
                                  const int32_t *source, const int32_t *number,
                                  ploy_arena *scratch) {
    for (int32_t i = 0; i < detail->vertex_count; i++) {
        mesh->detail_vertices[number[i]] = detail->vertices[i];
    }
    int32_t polygon = 0, from = 0;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < mesh->stats.polygons && result == PLOY_OK; i++) {
        while (polygon < source[i]) from += detail->sizes[polygon++]; // left out
        mesh->polygons[i + 1].first_detail =
            mesh->polygons[i].first_detail + detail->sizes[polygon];
        result = navdetail_write(mesh, detail, number, from, i, scratch);
    }
    for (int32_t i = 0; i < mesh->stats.details && result == PLOY_OK; i++) {
        ploy_box2 *box = &mesh->detail_boxes[i / PLOYI_NAV_DETAIL_BOX];
        if (i % PLOYI_NAV_DETAIL_BOX == 0) *box = ploy_box2_empty();
        ploy_vec2 corners[3];
        for (int32_t k = 0; k < 3; k++) {
            corners[k] = ploy_vec2_from_vec3(*ployi_nav_detail(mesh, 3 * i + k));
        }
        // Places on outlines are rounded: a millimetre beside it they are over it still.
        *box = ploy_box2_merge(*box, ploy_box2_grow(ploy_box2_around(corners, 3), 1e-3f));
    }
    return result;
}

// ---- heights ----

// Twice the area of a triangle, in double: products of floats are exact there.
static double navdetail_twice(ploy_vec3 a, ploy_vec3 b, ploy_vec2 c) {
    return ((double)b.x - (double)a.x) * ((double)c.y - (double)a.y) -
           ((double)b.y - (double)a.y) * ((double)c.x - (double)a.x);
}

// What the corners of a triangle count for at a point, 1 together. @return the least, which is below
// 0 outside; -INFINITY for a triangle without area.
static double navdetail_shares(const ploy_vec3 at[3], ploy_vec2 point, double out[3]) {
    double whole = navdetail_twice(at[0], at[1], ploy_vec2_from_vec3(at[2]));
    if (!(fabs(whole) > 0.0)) return -(double)INFINITY;
    out[0] = navdetail_twice(at[1], at[2], point) / whole;
    out[1] = navdetail_twice(at[2], at[0], point) / whole;
    out[2] = 1.0 - out[0] - out[1];
    double least = out[0] < out[1] ? out[0] : out[1];
    return out[2] < least ? out[2] : least;
}

// The floor is the fan of triangles round a polygon's first corner.
static float navdetail_fan(const ploy_navmesh *mesh, const ployi_nav_polygon *p, ploy_vec2 point) {
    ploy_vec3 at[3] = {mesh->vertices[mesh->edges[p->first].vertex], {0, 0, 0}, {0, 0, 0}};
    double best = -(double)INFINITY, height = (double)at[0].z, share[3];
    for (int32_t i = 1; i + 1 < ployi_nav_count(p); i++) {
        at[1] = mesh->vertices[mesh->edges[p->first + i].vertex];
        at[2] = mesh->vertices[mesh->edges[p->first + i + 1].vertex];
        double least = navdetail_shares(at, point, share);
        if (!(least > best)) continue; // the triangle that holds it, or nearly
        best = least;
        height =
            share[0] * (double)at[0].z + share[1] * (double)at[1].z + share[2] * (double)at[2].z;
    }
    return (float)height;
}

static void navdetail_get(const ploy_navmesh *mesh, int32_t triangle, ploy_vec3 at[3]) {
    for (int32_t k = 0; k < 3; k++) at[k] = *ployi_nav_detail(mesh, 3 * triangle + k);
}

// How deep a point lies in a triangle, as a share of its area; below 0 outside, -INFINITY without
// area.
static inline float navdetail_depth(const ploy_navmesh *mesh, int32_t triangle, ploy_vec2 point) {
    const ploy_vec3 *p0 = ployi_nav_detail(mesh, 3 * triangle);
    const ploy_vec3 *p1 = ployi_nav_detail(mesh, 3 * triangle + 1);
    const ploy_vec3 *p2 = ployi_nav_detail(mesh, 3 * triangle + 2);
    float x0 = p0->x - point.x, x1 = p1->x - point.x, x2 = p2->x - point.x;
    float y0 = p0->y - point.y, y1 = p1->y - point.y, y2 = p2->y - point.y;
    float a = x1 * y2 - y1 * x2, b = x2 * y0 - y2 * x0, c = x0 * y1 - y0 * x1;
    float whole = (p1->x - p0->x) * (p2->y - p0->y) - (p1->y - p0->y) * (p2->x - p0->x);
    if (!(fabsf(whole) > 0.0f && fabsf(whole) < INFINITY)) return -INFINITY;
    float sign = whole > 0.0f ? 1.0f : -1.0f; // clockwise: all are turned round
    a *= sign;
    b *= sign;
    c *= sign;
    float least = a < b ? a : b;
    return (least < c ? least : c) / fabsf(whole);
}

// Where triangles leave gaps, which was not checked, a point is as high as the
// nearest place of a triangle, more or less: never higher than its corners.
static double navdetail_gap(const ploy_navmesh *mesh, const ployi_nav_polygon *p, ploy_vec2 point) {
    double best = -(double)INFINITY;
    double height = (double)mesh->vertices[mesh->edges[p->first].vertex].z;
    for (int32_t i = p->first_detail; i < p[1].first_detail; i++) {
        ploy_vec3 at[3];
        double share[3], sum = 0.0;
        navdetail_get(mesh, i, at);
        double least = navdetail_shares(at, point, share);
        if (!(least > best)) continue;
        best = least;
        height = 0.0;
        for (int32_t k = 0; k < 3; k++) {
            share[k] = share[k] > 0.0 ? share[k] : 0.0;
            sum += share[k];
            height += share[k] * (double)at[k].z;
        }
        height /= sum;
    }
    return height;
}

float ployi_nav_height(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point) {
    const ployi_nav_polygon *p = &mesh->polygons[polygon];
    int32_t end = p[1].first_detail;
    if (p->first_detail == end) return navdetail_fan(mesh, p, point);
    // A hair beside a triangle is over it, unless another is better.
    float deep = -1e-3f;
    int32_t best = -1;
    bool few = end - p->first_detail <= PLOYI_NAV_DETAIL_BOX;
    for (int32_t i = p->first_detail; i < end && deep < 0.0f;) {
        int32_t box = i / PLOYI_NAV_DETAIL_BOX;
        int32_t stop = few ? end : ploy_mini((box + 1) * PLOYI_NAV_DETAIL_BOX, end);
        bool look = few || ploy_box2_contains(mesh->detail_boxes[box], point);
        for (; look && i < stop && deep < 0.0f; i++) {
            float depth = navdetail_depth(mesh, i, point);
            if (!(depth > deep)) continue;
            deep = depth;
            best = i;
        }
        i = stop;
    }
    if (best < 0) return (float)navdetail_gap(mesh, p, point);
    ploy_vec3 at[3];
    double share[3];
    navdetail_get(mesh, best, at);
    navdetail_shares(at, point, share);
    return (float)(share[0] * (double)at[0].z + share[1] * (double)at[1].z +
                   share[2] * (double)at[2].z);
}

void ployi_nav_detail_heights(ploy_navmesh *mesh) {
    for (int32_t i = 0; i < mesh->stats.vertices; i++) mesh->heights[i] = mesh->vertices[i].z;
    for (int32_t i = mesh->stats.polygons - 1; i >= 0 && mesh->stats.details > 0; i--) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        for (int32_t e = p->first; e < p[1].first; e++) {
            mesh->heights[mesh->edges[e].vertex] = ployi_nav_height(mesh, i, mesh->edges[e].at);
        }
    }
}

float ploy_navmesh_height(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point) {
    if (polygon < 0 || polygon >= mesh->stats.polygons || !ploy_vec2_is_finite(point)) return 0.0f;
    return ployi_nav_height(mesh, polygon, ployi_nav_closest(mesh, polygon, point));
}
