// Walking straight along a navigation mesh.
//
// The walk goes from polygon to polygon through the edge that the line crosses. Which one that is
// depends on the sides of the edge's ends alone, decided exactly, so the walk neither gets lost
// nor turns back. A line through a vertex leaves through the polygon round it that holds what comes
// next; if there is none, the vertex is where it ends.
#include "path/navmesh_query_internal.h"
#include "ploy/base/math.h"

typedef struct navray {
    const ploy_navmesh_query *query;
    const ploy_navmesh *mesh;
    ploy_vec2 from, to;
} navray;

static int32_t navray_before(const ployi_nav_polygon *p, int32_t edge) {
    return edge > p->first ? edge - 1 : p[1].first - 1;
}

// True if the polygon, at its corner `edge`, holds the beginning of the line to the end.
static bool navray_opens(const navray *ray, int32_t polygon, int32_t edge) {
    const ployi_nav_polygon *p = &ray->mesh->polygons[polygon];
    ploy_vec2 before = ray->mesh->edges[navray_before(p, edge)].at, at = ray->mesh->edges[edge].at;
    ploy_vec2 after = ployi_nav_end(ray->mesh, edge);
    return ployi_nav_turn(at, after, ray->to) >= 0 && ployi_nav_turn(before, at, ray->to) >= 0;
}

// Goes round a vertex, first in one direction, then in the other, to the polygon in which the line continues.
// @param polygon, edge  in: one with that corner. @return the polygon; -1: walls are in the way.
static int32_t navray_round(const navray *ray, int32_t polygon, int32_t edge) {
    const ploy_navmesh *mesh = ray->mesh;
    for (int32_t side = 0; side < 2; side++) {
        int32_t p = polygon, e = edge;
        for (int32_t guard = 0; guard < mesh->stats.polygons; guard++) {
            // One way round leads through the edge that ends in the vertex, whose twin begins
            // there; the other way through the edge that begins there, whose twin ends in it.
            int32_t through = side == 0 ? navray_before(&mesh->polygons[p], e) : e;
            int32_t twin = mesh->edges[through].twin;
            if (twin < 0 || !ployi_nav_may_enter(ray->query, mesh->edges[through].neighbour)) break;
            p = mesh->edges[through].neighbour;
            e = twin;
            if (side == 1) e = ployi_nav_after(mesh, twin);
            if (p == polygon) break;
            if (navray_opens(ray, p, e)) return p;
        }
    }
    return -1;
}

// An edge that the end lies behind; -1: it is within.
static int32_t navray_outside(const navray *ray, int32_t polygon) {
    const ployi_nav_polygon *p = &ray->mesh->polygons[polygon];
    int32_t outside = -1;
    for (int32_t e = p->first; e < p[1].first; e++) {
        ploy_vec2 a = ray->mesh->edges[e].at, b = ployi_nav_end(ray->mesh, e);
        if (ployi_nav_turn(a, b, ray->to) < 0) outside = e;
    }
    return outside;
}

// The edge through which the line leaves a polygon; -1 if it does not. *corner is the corner
// that it leaves through, -1 if it is none. Each corner's side is requested once.
static int32_t navray_exit(const navray *ray, int32_t polygon, int32_t *corner) {
    const ploy_navmesh *mesh = ray->mesh;
    const ployi_nav_polygon *p = &mesh->polygons[polygon];
    int32_t end = p[1].first;
    int32_t side_first = ployi_nav_turn(ray->from, ray->to, mesh->edges[p->first].at);
    int32_t side_a = side_first;
    *corner = -1;
    for (int32_t e = p->first; e < end; e++) {
        int32_t next = e + 1 < end ? e + 1 : p->first;
        int32_t side_b =
            e + 1 < end ? ployi_nav_turn(ray->from, ray->to, mesh->edges[next].at) : side_first;
        bool leaves = side_a <= 0 && side_b >= 0 &&
                      ployi_nav_turn(mesh->edges[e].at, mesh->edges[next].at, ray->to) < 0;
        if (leaves) {
            if (side_b == 0) *corner = next;
            if (side_a == 0) *corner = e;
            return e;
        }
        side_a = side_b;
    }
    return -1;
}

// The same for a polygon that was entered across an edge, which `twin` is here: the line has one end
// of that at its left and the other at its right, so from there the next corner at its left is the
// end of the edge that it leaves through; and if its end is not behind that, it is within.
static int32_t navray_cross(const navray *ray, int32_t twin, int32_t *corner) {
    const ploy_navmesh *mesh = ray->mesh;
    *corner = -1;
    int32_t e = ployi_nav_after(mesh, twin);
    ploy_vec2 at = mesh->edges[e].at;
    while (e != twin) {
        int32_t next = ployi_nav_after(mesh, e);
        ploy_vec2 end = mesh->edges[next].at;
        int32_t side = ployi_nav_turn(ray->from, ray->to, end);
        if (side >= 0) {
            if (ployi_nav_turn(at, end, ray->to) >= 0) return -1;
            if (side == 0) *corner = next;
            return e;
        }
        e = next;
        at = end;
    }
    return -1; // never: the twin's beginning is at the left
}

static float navray_share(const navray *ray, ploy_vec2 point) {
    double x = (double)ray->to.x - (double)ray->from.x, y = (double)ray->to.y - (double)ray->from.y;
    double along =
        x * ((double)point.x - (double)ray->from.x) + y * ((double)point.y - (double)ray->from.y);
    double whole = x * x + y * y;
    return whole > 0.0 ? ploy_clampf((float)(along / whole), 0.0f, 1.0f) : 0.0f;
}

// Where the line meets an edge, and how much of the line is before that.
static ploy_vec2 navray_meet(const navray *ray, ploy_vec2 a, ploy_vec2 b, float *share) {
    double dx = (double)ray->to.x - (double)ray->from.x,
           dy = (double)ray->to.y - (double)ray->from.y;
    double ex = (double)b.x - (double)a.x, ey = (double)b.y - (double)a.y;
    double wx = (double)ray->from.x - (double)a.x, wy = (double)ray->from.y - (double)a.y;
    double cross = dx * ey - dy * ex;
    if (cross == 0.0) {
        *share = navray_share(ray, a);
        return a;
    }
    double s = (dx * wy - dy * wx) / cross;
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    *share = ploy_clampf((float)((ex * wy - ey * wx) / cross), 0.0f, 1.0f);
    return ploy_vec2_make((float)((double)a.x + s * ex), (float)((double)a.y + s * ey));
}

static void navray_stop(const navray *ray, int32_t polygon, int32_t edge, int32_t corner,
                        ploy_navmesh_hit *out) {
    const ploy_navmesh *mesh = ray->mesh;
    ploy_vec2 a = mesh->edges[edge].at, b = ployi_nav_end(mesh, edge);
    if (corner >= 0) {
        out->at = mesh->edges[corner].at;
        out->share = navray_share(ray, out->at);
    } else {
        out->at = navray_meet(ray, a, b, &out->share);
    }
    out->hit = true;
    out->edge = edge;
    out->normal = ploy_segment2_normal(ploy_segment2_make(a, b));
    out->polygon = polygon;
}

ploy_result ploy_navmesh_find_ray(const ploy_navmesh_query *query, ploy_navmesh_place from,
                                  ploy_vec2 to, ploy_navmesh_hit *out) {
    if (out == NULL || !ployi_nav_place_ok(query, &from) || !ploy_vec2_is_finite(to)) {
        return PLOY_ERR_ARGUMENT;
    }
    navray ray = {query, query->mesh, ploy_vec2_from_vec3(from.point), to};
    int32_t polygon = from.polygon, entered = -1;
    // Each polygon is left once; the guard is for starts that are not on their polygon.
    for (int32_t guard = 0; guard <= query->mesh->stats.polygons; guard++) {
        int32_t corner = -1;
        int32_t edge = entered >= 0 ? navray_cross(&ray, entered, &corner)
                                    : navray_exit(&ray, polygon, &corner);
        bool crossed = edge >= 0;
        // Some only if the start is off its polygon by a rounding.
        if (!crossed && entered < 0) edge = navray_outside(&ray, polygon);
        if (edge < 0) {
            out->hit = false;
            out->polygon = polygon;
            out->at = to;
            out->edge = -1;
            out->normal = ploy_vec2_zero();
            out->share = 1.0f;
            return PLOY_OK;
        }
        int32_t next = query->mesh->edges[edge].neighbour;
        if (corner >= 0) {
            next = navray_round(&ray, polygon, corner);
        } else if (!ployi_nav_may_enter(query, next)) {
            next = -1;
        }
        if (next < 0 || guard == query->mesh->stats.polygons) {
            navray_stop(&ray, polygon, edge, corner, out);
            return PLOY_OK;
        }
        polygon = next;
        // Round a corner, or beside a polygon that the start was off, nothing is known of the next.
        entered = corner < 0 && crossed ? query->mesh->edges[edge].twin : -1;
    }
    return PLOY_OK;
}

ploy_navmesh_place ploy_navmesh_hit_place(const ploy_navmesh_query *query,
                                          const ploy_navmesh_hit *hit) {
    ploy_navmesh_place place;
    place.polygon = hit->polygon;
    bool within = hit->polygon >= 0 && hit->polygon < query->mesh->stats.polygons;
    if (!within) place.polygon = -1;
    float height = within ? ployi_nav_height(query->mesh, hit->polygon, hit->at) : 0.0f;
    place.point = ploy_vec3_from_vec2(hit->at, height);
    place.distance = 0.0f;
    return place;
}
