// The ground within polygons: what is wrong with it, and how high it is.
//
// A polygon's corners are as high as the ground there, but hills and hollows between them are not in
// them. Triangles over the polygon hold these; a point's height is that of the triangle over it.
// Heights are asked for with every place that is told, and a polygon may have a hundred triangles:
// so they are kept a second time, four at a time with the box that they are in.
// Technique: the detail mesh of Mononen's Recast, 2009.
#include "path/navmesh_internal.h"
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

int64_t ployi_nav_detail_grounds(const ploy_navmesh_detail *detail, const int32_t *source,
                                 int32_t polygons) {
    int64_t fours = 0;
    for (int32_t i = 0; i < polygons; i++) fours += (detail->sizes[source[i]] + 3) / 4;
    return fours;
}

// Puts one triangle in its place, counter-clockwise; one without area stays away.
static void navdetail_put(ployi_nav_ground *ground, int32_t lane, const ploy_vec3 at[3]) {
    ploy_vec2 a = ploy_vec2_from_vec3(at[0]), b = ploy_vec2_from_vec3(at[1]);
    ploy_vec2 c = ploy_vec2_from_vec3(at[2]);
    float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (!(fabsf(area) > 0.0f && fabsf(area) < INFINITY)) return;
    for (int32_t k = 0; k < 3; k++) {
        const ploy_vec3 *corner = &at[area > 0.0f ? k : 2 - k];
        ground->x[k][lane] = corner->x;
        ground->y[k][lane] = corner->y;
        ground->z[k][lane] = corner->z;
    }
    // Places on outlines are rounded: a millimetre beside it they are over it still.
    ploy_vec2 corners[3] = {a, b, c};
    ploy_box2 box = ploy_box2_grow(ploy_box2_around(corners, 3), 1e-3f);
    ground->box = ploy_box2_merge(ground->box, box);
    ground->area[lane] = fabsf(area);
}

// The triangles of one polygon, four at a time. They are sorted into square cells first, row by row
// there and back, so that four lie near one another and most fours can be passed over by their box.
static ploy_result navdetail_group(ploy_navmesh *mesh, const int32_t *triangles, int32_t count,
                                   ploy_box2 box, ployi_nav_ground *out, ploy_arena *scratch) {
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    int32_t side = 1;
    while (4 * side * side < count) side++;
    int32_t *cells = ploy_arena_alloc_array(scratch, count, sizeof *cells);
    int32_t *starts = ploy_arena_alloc_array(scratch, (int64_t)side * side + 1, sizeof *starts);
    if (cells == NULL || starts == NULL) return PLOY_ERR_MEMORY;
    memset(starts, 0, ((size_t)side * (size_t)side + 1) * sizeof *starts);
    ploy_vec2 size = ploy_vec2_sub(box.max, box.min);
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 middle = ploy_vec2_zero();
        for (int32_t k = 0; k < 3; k++) {
            middle = ploy_vec2_add(
                middle,
                ploy_vec2_scale(ploy_vec2_from_vec3(mesh->detail_vertices[triangles[3 * i + k]]),
                                1.0f / 3.0f));
        }
        float x = (middle.x - box.min.x) / size.x, y = (middle.y - box.min.y) / size.y;
        int32_t column = (int32_t)(ploy_clampf(x, 0.0f, 0.9999f) * (float)side);
        int32_t row = (int32_t)(ploy_clampf(y, 0.0f, 0.9999f) * (float)side);
        cells[i] = row * side + (row % 2 == 0 ? column : side - 1 - column);
        starts[cells[i] + 1]++;
    }
    for (int32_t i = 0; i < side * side; i++) starts[i + 1] += starts[i];
    for (int32_t i = 0; i < count; i++) {
        int32_t place = starts[cells[i]]++;
        ploy_vec3 at[3];
        for (int32_t k = 0; k < 3; k++) at[k] = mesh->detail_vertices[triangles[3 * i + k]];
        navdetail_put(&out[place / 4], place % 4, at);
    }
    ploy_arena_rewind(scratch, mark);
    return PLOY_OK;
}

static void navdetail_clear(ployi_nav_ground *ground) {
    ground->box = ploy_box2_empty();
    for (int32_t k = 0; k < 12; k++) {
        ground->x[k / 4][k % 4] = ground->y[k / 4][k % 4] = NAN;
        ground->z[k / 4][k % 4] = 0.0f;
        ground->area[k % 4] = NAN;
    }
}

ploy_result ployi_nav_detail_fill(ploy_navmesh *mesh, const ploy_navmesh_detail *detail,
                                  const int32_t *source, ploy_arena *scratch) {
    int32_t polygon = 0, from = 0, to = 0, fours = 0;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < detail->vertex_count; i++) {
        mesh->detail_vertices[i] = detail->vertices[i];
    }
    for (int32_t i = 0; i < mesh->stats.polygons && result == PLOY_OK; i++) {
        while (polygon < source[i]) from += detail->sizes[polygon++]; // left out
        int32_t count = detail->sizes[polygon];
        mesh->polygons[i].first_ground = fours;
        mesh->detail_sizes[i] = count;
        for (int32_t k = 0; k < 3 * count; k++) {
            mesh->detail_triangles[3 * to + k] = detail->triangles[3 * from + k];
        }
        const ployi_nav_polygon *p = &mesh->polygons[i];
        ploy_box2 box = ploy_box2_empty();
        for (int32_t e = p->first; e < p->first + p->count; e++) {
            box = ploy_box2_merge(box, ploy_box2_make(mesh->edges[e].at, mesh->edges[e].at));
        }
        int32_t end = fours + (count + 3) / 4;
        for (int32_t k = fours; k < end; k++) navdetail_clear(&mesh->grounds[k]);
        result = navdetail_group(mesh, mesh->detail_triangles + 3 * (size_t)to, count, box,
                                 mesh->grounds + fours, scratch);
        fours = end;
        to += count;
    }
    mesh->polygons[mesh->stats.polygons].first_ground = fours;
    mesh->stats.details = to;
    mesh->detail.vertices = mesh->detail_vertices;
    mesh->detail.vertex_count = detail->vertex_count;
    mesh->detail.sizes = mesh->detail_sizes;
    mesh->detail.triangles = mesh->detail_triangles;
    mesh->detail.triangle_count = to;
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
    for (int32_t i = 1; i + 1 < p->count; i++) {
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

static void navdetail_get(const ployi_nav_ground *ground, int32_t lane, ploy_vec3 at[3]) {
    for (int32_t k = 0; k < 3; k++) {
        at[k] = ploy_vec3_make(ground->x[k][lane], ground->y[k][lane], ground->z[k][lane]);
    }
}

// The triangle of a four that a point lies deepest in, as a share of its area; all alike, so that
// compilers do them at once. *deep is that share, or stays if none is deeper. @return -1: none.
static int32_t navdetail_lane(const ployi_nav_ground *g, ploy_vec2 point, float *deep) {
    float least[4];
    for (int32_t i = 0; i < 4; i++) {
        float x0 = g->x[0][i] - point.x, x1 = g->x[1][i] - point.x, x2 = g->x[2][i] - point.x;
        float y0 = g->y[0][i] - point.y, y1 = g->y[1][i] - point.y, y2 = g->y[2][i] - point.y;
        float a = x1 * y2 - y1 * x2, b = x2 * y0 - y2 * x0, c = x0 * y1 - y0 * x1;
        float ab = a < b ? a : b;
        least[i] = (ab < c ? ab : c) / g->area[i];
    }
    int32_t best = -1;
    for (int32_t i = 0; i < 4; i++) {
        if (!(least[i] > *deep)) continue;
        *deep = least[i];
        best = i;
    }
    return best;
}

// Where triangles leave gaps, and nobody has checked that they do not, a point is as high as the
// nearest place of a triangle, more or less: never higher than its corners.
static double navdetail_gap(const ploy_navmesh *mesh, const ployi_nav_polygon *p, ploy_vec2 point) {
    double best = -(double)INFINITY;
    double height = (double)mesh->vertices[mesh->edges[p->first].vertex].z;
    for (int32_t i = 4 * p->first_ground; i < 4 * p[1].first_ground; i++) {
        ploy_vec3 at[3];
        double share[3], sum = 0.0;
        navdetail_get(&mesh->grounds[i / 4], i % 4, at);
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
    if (p->first_ground == p[1].first_ground) return navdetail_fan(mesh, p, point);
    // A hair beside a triangle is over it, unless another is better.
    float deep = -1e-3f;
    int32_t best = -1;
    for (int32_t i = p->first_ground; i < p[1].first_ground && deep < 0.0f; i++) {
        const ployi_nav_ground *ground = &mesh->grounds[i];
        if (!ploy_box2_contains(ground->box, point)) continue;
        int32_t lane = navdetail_lane(ground, point, &deep);
        if (lane >= 0) best = 4 * i + lane;
    }
    if (best < 0) return (float)navdetail_gap(mesh, p, point);
    ploy_vec3 at[3];
    double share[3];
    navdetail_get(&mesh->grounds[best / 4], best % 4, at);
    navdetail_shares(at, point, share);
    return (float)(share[0] * (double)at[0].z + share[1] * (double)at[1].z +
                   share[2] * (double)at[2].z);
}

void ployi_nav_detail_heights(ploy_navmesh *mesh) {
    for (int32_t i = 0; i < mesh->stats.vertices; i++) mesh->heights[i] = mesh->vertices[i].z;
    for (int32_t i = mesh->stats.polygons - 1; i >= 0 && mesh->stats.details > 0; i--) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        for (int32_t e = p->first; e < p->first + p->count; e++) {
            mesh->heights[mesh->edges[e].vertex] = ployi_nav_height(mesh, i, mesh->edges[e].at);
        }
    }
}

float ploy_navmesh_height(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point) {
    if (polygon < 0 || polygon >= mesh->stats.polygons || !ploy_vec2_is_finite(point)) return 0.0f;
    return ployi_nav_height(mesh, polygon, ployi_nav_closest(mesh, polygon, point));
}
