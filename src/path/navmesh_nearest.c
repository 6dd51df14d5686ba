// Which polygon a point is on.
//
// Who asked a moment ago is hardly ever far from the last answer, so the hint's polygon is tried,
// then those up to two portals away, and only then the hierarchy of boxes.
#include "path/navmesh_query_internal.h"
#include "ploy/base/math.h"

#include <string.h>

// ---- all polygons ----

typedef struct navnear_best {
    const ploy_navmesh *mesh;
    ploy_vec3 point;
    float height;   // most difference
    int32_t island; // -1: any
    float clearance;
    float step; // m that a point may be over a floor as if it were on it; below 0: seen from above
    int32_t polygon;
    ploy_vec3 place;
    double reach_sq; // seen from above
    double gap_sq, rise;
} navnear_best;

static bool navnear_visit(void *user, int32_t id, double *limit) {
    navnear_best *best = user;
    const ploy_navmesh *mesh = best->mesh;
    if (best->island >= 0 && mesh->polygons[id].island != best->island) return true;
    if (mesh->polygons[id].clearance < best->clearance) return true;
    ploy_vec2 at = ploy_vec2_from_vec3(best->point);
    bool held = ploy_navmesh_holds(mesh, id, at);
    if (best->gap_sq == 0.0 && !held) return true;
    ploy_vec2 near = held ? at : ployi_nav_closest(mesh, id, at);
    ploy_vec3 place = ploy_vec3_from_vec2(near, ployi_nav_height(mesh, id, near));
    double x = (double)place.x - (double)best->point.x, y = (double)place.y - (double)best->point.y;
    double rise = fabs((double)place.z - (double)best->point.z), gap_sq = x * x + y * y;
    if (gap_sq > best->reach_sq) return true;
    if (best->step >= 0.0f) {
        double high = held ? fmax(rise - (double)best->step, 0.0) : rise;
        gap_sq += high * high;
    }
    if (rise > (double)best->height || gap_sq > best->gap_sq) return true;
    if (gap_sq == best->gap_sq && best->polygon >= 0 &&
        (rise > best->rise || (rise == best->rise && id > best->polygon))) {
        return true;
    }
    best->polygon = id;
    best->place = place;
    best->gap_sq = gap_sq;
    best->rise = rise;
    // Places are rounded, boxes are not: look a hair further.
    *limit = fmin(gap_sq, best->reach_sq) * 1.000001 + 1e-30;
    return true;
}

// Of all polygons, seen from above or, with a step of 0 or more, in space.
static int32_t navnear_all(const ploy_navmesh *mesh, ploy_vec3 point, float radius, float height,
                           int32_t island, float clearance, float step, ploy_vec3 *place) {
    double reach = (double)radius;
    navnear_best best = {mesh, point, height,        island, clearance, step,
                         -1,   point, reach * reach, 0.0,    0.0};
    // Most points are on the floor: then only the boxes that hold them matter.
    ploy_query2 query = ploy_query2_radius(ploy_vec2_from_vec3(point), 0.0f);
    ploy_bvh2_visit(mesh->bvh, &query, navnear_visit, &best, NULL);
    if (best.polygon < 0) {
        // In space the height adds to what is seen from above.
        double most = step >= 0.0f ? (double)height : 0.0;
        best.gap_sq = reach * reach + most * most;
        query = ploy_query2_nearest(ploy_vec2_from_vec3(point), radius);
        ploy_bvh2_visit(mesh->bvh, &query, navnear_visit, &best, NULL);
    }
    if (best.polygon >= 0) *place = best.place;
    return best.polygon;
}

int32_t ployi_nav_nearest(const ploy_navmesh *mesh, ploy_vec3 point, float radius, float height,
                          int32_t island, float clearance, ploy_vec3 *place) {
    return navnear_all(mesh, point, radius, height, island, clearance, -1.0f, place);
}

int32_t ployi_nav_closest_in_space(const ploy_navmesh *mesh, ploy_vec3 point, float radius,
                                   float height, float clearance, ploy_vec3 *place) {
    return navnear_all(mesh, point, radius, height, -1, clearance, mesh->def.step_height, place);
}

// ---- with a hint ----

ploy_navmesh_reach ploy_navmesh_reach_default(void) {
    ploy_navmesh_reach reach = {INFINITY, INFINITY, PLOY_NAVMESH_DROP};
    return reach;
}

void ployi_nav_flood_begin(ploy_navmesh_query *query) {
    if (++query->flood_round != 0) return;
    memset(query->flooded, 0, (size_t)query->mesh->stats.polygons * sizeof *query->flooded);
    query->flood_round = 1;
}

static bool navnear_over(const ploy_navmesh *mesh, int32_t polygon, ploy_vec3 point, float height) {
    ploy_vec2 at = ploy_vec2_from_vec3(point);
    return ploy_navmesh_holds(mesh, polygon, at) &&
           fabsf(ploy_navmesh_height(mesh, polygon, at) - point.z) <= height;
}

// The first polygon up to two portals from the hint that the point is over; -1: none.
static int32_t navnear_coherent(ploy_navmesh_query *query, ploy_vec3 point, int32_t hint,
                                float height) {
    const ploy_navmesh *mesh = query->mesh;
    float width = query->filter.clearance;
    bool fits = mesh->polygons[hint].clearance >= width;
    if (fits && navnear_over(mesh, hint, point, height)) return hint;
    ployi_nav_flood_begin(query);
    query->flooded[hint] = query->flood_round;
    query->queue[0] = hint;
    int32_t count = 1, done = 0;
    for (int32_t ring = 0; ring < 2; ring++) {
        for (int32_t end = count; done < end; done++) {
            const ployi_nav_polygon *p = &mesh->polygons[query->queue[done]];
            for (int32_t e = p->first; e < p->first + p->count; e++) {
                int32_t next = mesh->edges[e].neighbour;
                if (next < 0 || query->flooded[next] == query->flood_round) continue;
                query->flooded[next] = query->flood_round;
                query->queue[count++] = next;
                fits = mesh->polygons[next].clearance >= width;
                if (fits && navnear_over(mesh, next, point, height)) return next;
            }
        }
    }
    return -1;
}

ploy_result ploy_navmesh_find_nearest(ploy_navmesh_query *query, ploy_vec3 point, int32_t hint,
                                      const ploy_navmesh_reach *reach, ploy_navmesh_place *out) {
    ploy_navmesh_reach all = ploy_navmesh_reach_default();
    if (reach == NULL) reach = &all;
    if (out == NULL || !ploy_vec3_is_finite(point) || !(reach->radius >= 0.0f) ||
        !(reach->height >= 0.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    const ploy_navmesh *mesh = query->mesh;
    bool hinted = hint >= 0 && hint < mesh->stats.polygons;
    int32_t polygon = hinted ? navnear_coherent(query, point, hint, reach->height) : -1;
    if (polygon < 0 && hinted && reach->airborne == PLOY_NAVMESH_HOLD_LAST) polygon = hint;
    ploy_vec3 place = point;
    if (polygon < 0) {
        float clearance = query->filter.clearance;
        polygon = reach->airborne == PLOY_NAVMESH_CLOSEST
                      ? ployi_nav_closest_in_space(mesh, point, reach->radius, reach->height,
                                                   clearance, &place)
                      : ployi_nav_nearest(mesh, point, reach->radius, reach->height, -1, clearance,
                                          &place);
        if (polygon < 0) return PLOY_ERR_NOT_FOUND;
        out->polygon = polygon;
        out->point = place;
        out->distance = ploy_vec2_distance(ploy_vec2_from_vec3(place), ploy_vec2_from_vec3(point));
        return PLOY_OK;
    }
    *out = ployi_nav_place(mesh, polygon, ploy_vec2_from_vec3(point));
    return PLOY_OK;
}

// ---- landing ----

typedef struct navnear_fall {
    const ploy_navmesh *mesh;
    ploy_vec2 at;
    float from, to; // m, heights: it falls through these
    int32_t polygon;
    float height;
} navnear_fall;

static bool navnear_fall_visit(void *user, int32_t id, double *limit) {
    navnear_fall *fall = user;
    (void)limit;
    if (!ploy_navmesh_holds(fall->mesh, id, fall->at)) return true;
    float height = ploy_navmesh_height(fall->mesh, id, fall->at);
    if (height > fall->from || height < fall->to) return true;
    bool higher = fall->polygon < 0 || height > fall->height ||
                  (height == fall->height && id < fall->polygon);
    if (!higher) return true;
    fall->polygon = id;
    fall->height = height;
    return true;
}

ploy_result ploy_navmesh_find_landing(ploy_navmesh_query *query, ploy_vec3 point,
                                      ploy_vec3 velocity, float gravity, float seconds,
                                      ploy_navmesh_place *out) {
    if (out == NULL || !ploy_vec3_is_finite(point) || !ploy_vec3_is_finite(velocity) ||
        !ploy_in_range(gravity, FLT_MIN, 1e6f) || !ploy_in_range(seconds, 0.0f, 60.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    navnear_fall fall = {query->mesh, ploy_vec2_from_vec3(point), point.z, point.z, -1, 0.0f};
    int32_t samples = (int32_t)ceilf(seconds * 60.0f);
    for (int32_t i = 1; i <= samples; i++) {
        float t = (float)i / 60.0f;
        fall.from = fall.to;
        fall.to = point.z + velocity.z * t - 0.5f * gravity * t * t;
        fall.at = ploy_vec2_make(point.x + velocity.x * t, point.y + velocity.y * t);
        if (!(fall.to < fall.from) || !ploy_vec2_is_finite(fall.at)) continue; // still rising
        ploy_query2 under = ploy_query2_radius(fall.at, 0.0f);
        ploy_bvh2_visit(query->mesh->bvh, &under, navnear_fall_visit, &fall, NULL);
        if (fall.polygon < 0) continue;
        *out = ployi_nav_place(query->mesh, fall.polygon, fall.at);
        return PLOY_OK;
    }
    return PLOY_ERR_NOT_FOUND;
}
