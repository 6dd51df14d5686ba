// What lies round a place of a navigation mesh: everything that is joined to it within a circle.
//
// Sliding moves, walls and random places all flood the polygons outward from a place,
// through portals that touch the circle; each looks at different things on the way.
#include "path/navmesh_query_internal.h"
#include "ploy/base/math.h"

typedef struct navflood {
    ploy_navmesh_query *query;
    ploy_vec2 centre;
    double limit_sq; // m^2; may be lowered while it runs
    // Called for each edge within the limit that cannot be gone through. May be NULL.
    void (*wall)(struct navflood *flood, int32_t edge, ploy_segment2 side, ploy_vec2 near);
    // Called for each polygon; true to stop. May be NULL.
    bool (*polygon)(struct navflood *flood, int32_t polygon);
    // What the users find.
    ploy_vec2 wanted, best;
    double best_sq;
    int32_t best_edge, best_polygon;
    ploy_segment2 *segments;
    int32_t capacity, found;
} navflood;

static double navflood_gap_sq(ploy_vec2 a, ploy_vec2 b) {
    double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y;
    return x * x + y * y;
}

// @return PLOY_ERR_LIMIT if the query has no room for all polygons.
static ploy_result navflood_run(navflood *flood, int32_t start) {
    ploy_navmesh_query *query = flood->query;
    const ploy_navmesh *mesh = query->mesh;
    ployi_nav_flood_begin(query);
    ployi_nav_flood_reach(query, start);
    for (int32_t i = 0; i < query->flood_count; i++) {
        int32_t polygon = query->queue[i];
        const ployi_nav_polygon *p = &mesh->polygons[polygon];
        if (flood->polygon != NULL && flood->polygon(flood, polygon)) {
            query->flood_full = false; // it has what it needed
            break;
        }
        for (int32_t e = p->first; e < p[1].first; e++) {
            ploy_segment2 side = {mesh->edges[e].at, ployi_nav_end(mesh, e)};
            ploy_vec2 near = ploy_segment2_closest(side, flood->centre, NULL);
            if (navflood_gap_sq(near, flood->centre) > flood->limit_sq) continue;
            if (ployi_nav_may_enter(query, mesh->edges[e].neighbour)) {
                ployi_nav_flood_reach(query, mesh->edges[e].neighbour);
            } else if (flood->wall != NULL) {
                flood->wall(flood, e, side, near);
            }
        }
    }
    ployi_nav_flood_end(query);
    return query->flood_full ? PLOY_ERR_LIMIT : PLOY_OK;
}

static navflood navflood_make(ploy_navmesh_query *query, ploy_vec2 centre, float radius) {
    navflood flood = {query,  centre,   (double)radius * (double)radius,
                      NULL,   NULL,     centre,
                      centre, INFINITY, -1,
                      -1,     NULL,     0,
                      0};
    return flood;
}

// ---- moving ----

static bool navflood_arrives(navflood *flood, int32_t polygon) {
    if (!ploy_navmesh_holds(flood->query->mesh, polygon, flood->wanted)) return false;
    flood->best = flood->wanted;
    flood->best_sq = 0.0;
    flood->best_polygon = polygon;
    return true;
}

static void navflood_slides(navflood *flood, int32_t edge, ploy_segment2 side, ploy_vec2 near) {
    (void)near;
    ploy_vec2 point = ploy_segment2_closest(side, flood->wanted, NULL);
    double gap_sq = navflood_gap_sq(point, flood->wanted);
    if (!(gap_sq < flood->best_sq)) return;
    flood->best = point;
    flood->best_sq = gap_sq;
    flood->best_polygon = ployi_nav_polygon_of(flood->query->mesh, edge);
}

ploy_result ploy_navmesh_find_move(ploy_navmesh_query *query, ploy_navmesh_place from, ploy_vec2 to,
                                   ploy_navmesh_place *out) {
    if (out == NULL || !ployi_nav_place_ok(query, &from) || !ploy_vec2_is_finite(to)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_vec2 start = ploy_vec2_from_vec3(from.point);
    float radius = 0.5f * ploy_vec2_distance(start, to);
    // A hair wider, so that a wall at the place belongs to it.
    navflood flood = navflood_make(query, ploy_vec2_lerp(start, to, 0.5f), radius * 1.001f + 1e-3f);
    flood.wall = navflood_slides;
    flood.polygon = navflood_arrives;
    flood.wanted = to;
    flood.best = start;
    flood.best_sq = navflood_gap_sq(start, to);
    flood.best_polygon = from.polygon;
    ploy_result result = navflood_run(&flood, from.polygon);
    if (result != PLOY_OK) return result;
    *out = ployi_nav_place(query->mesh, flood.best_polygon, flood.best);
    out->distance = ploy_vec2_distance(ploy_vec2_from_vec3(out->point), to);
    return PLOY_OK;
}

// ---- walls ----

static void navflood_nearest(navflood *flood, int32_t edge, ploy_segment2 side, ploy_vec2 near) {
    double gap_sq = navflood_gap_sq(near, flood->centre);
    (void)side;
    if (gap_sq > flood->best_sq || (gap_sq == flood->best_sq && edge > flood->best_edge)) return;
    flood->best_sq = flood->limit_sq = gap_sq;
    flood->best = near;
    flood->best_edge = edge;
}

static bool navflood_ok(const ploy_navmesh_query *query, const ploy_navmesh_place *from,
                        float radius) {
    return ployi_nav_place_ok(query, from) && ploy_in_range(radius, 0.0f, 1e9f);
}

ploy_result ploy_navmesh_find_wall(ploy_navmesh_query *query, ploy_navmesh_place from, float max,
                                   float *out, int32_t *edge, ploy_vec2 *nearest) {
    if (out == NULL || !navflood_ok(query, &from, max)) return PLOY_ERR_ARGUMENT;
    navflood flood = navflood_make(query, ploy_vec2_from_vec3(from.point), max);
    flood.wall = navflood_nearest;
    ploy_result result = navflood_run(&flood, from.polygon);
    if (result != PLOY_OK) return result;
    *out = flood.best_edge >= 0 ? (float)sqrt(flood.best_sq) : max;
    if (edge != NULL) *edge = flood.best_edge;
    if (nearest != NULL) *nearest = flood.best;
    return PLOY_OK;
}

// Keeps the nearest ones sorted; a later one goes behind those as near.
static void navflood_collect(navflood *flood, int32_t edge, ploy_segment2 side, ploy_vec2 near) {
    (void)edge;
    double gap_sq = navflood_gap_sq(near, flood->centre);
    int32_t at = ploy_mini(flood->found++, flood->capacity);
    while (at > 0) {
        ploy_vec2 before = ploy_segment2_closest(flood->segments[at - 1], flood->centre, NULL);
        if (navflood_gap_sq(before, flood->centre) <= gap_sq) break;
        if (at < flood->capacity) flood->segments[at] = flood->segments[at - 1];
        at--;
    }
    if (at < flood->capacity) flood->segments[at] = side;
}

ploy_result ploy_navmesh_find_walls(ploy_navmesh_query *query, ploy_navmesh_place from,
                                    float radius, ploy_segment2 *out, int32_t capacity,
                                    int32_t *count) {
    if (count == NULL || capacity < 0 || (out == NULL && capacity > 0) ||
        !navflood_ok(query, &from, radius)) {
        return PLOY_ERR_ARGUMENT;
    }
    navflood flood = navflood_make(query, ploy_vec2_from_vec3(from.point), radius);
    flood.wall = navflood_collect;
    flood.segments = out;
    flood.capacity = capacity;
    ploy_result result = navflood_run(&flood, from.polygon);
    if (result != PLOY_OK) return result;
    *count = flood.found;
    return PLOY_OK;
}

// ---- random places ----

// A place in a polygon, every square metre alike: a triangle of its fan by area, then a point.
static ploy_navmesh_place navflood_in_polygon(const ploy_navmesh *mesh, int32_t polygon,
                                              ploy_rng *rng) {
    const ployi_nav_polygon *p = &mesh->polygons[polygon];
    const ployi_nav_edge *corners = &mesh->edges[p->first];
    float pick = ploy_rng_float(rng) * p->surface, sum = 0.0f;
    int32_t i = 1;
    for (; i + 2 < ployi_nav_count(p); i++) {
        ploy_vec2 ab = ploy_vec2_sub(corners[i].at, corners[0].at);
        sum += 0.5f * ploy_vec2_cross(ab, ploy_vec2_sub(corners[i + 1].at, corners[0].at));
        if (pick < sum) break;
    }
    float u = sqrtf(ploy_rng_float(rng)), v = ploy_rng_float(rng);
    ploy_vec2 far = ploy_vec2_lerp(corners[i].at, corners[i + 1].at, v);
    ploy_navmesh_place place =
        ployi_nav_place(mesh, polygon, ploy_vec2_lerp(corners[0].at, far, u));
    place.distance = 0.0f;
    return place;
}

// One of the polygons of a list (NULL: all) that the filter allows, by area; -1: none.
static int32_t navflood_choose(const ploy_navmesh_query *query, const int32_t *list, int32_t count,
                               ploy_rng *rng) {
    const ploy_navmesh *mesh = query->mesh;
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) {
        int32_t polygon = list != NULL ? list[i] : i;
        if (ployi_nav_may_enter(query, polygon)) sum += (double)mesh->polygons[polygon].surface;
    }
    double pick = ploy_rng_double(rng) * sum;
    int32_t last = -1;
    for (int32_t i = 0; i < count; i++) {
        int32_t polygon = list != NULL ? list[i] : i;
        if (!ployi_nav_may_enter(query, polygon)) continue;
        last = polygon;
        pick -= (double)mesh->polygons[polygon].surface;
        if (pick < 0.0) break;
    }
    return last;
}

ploy_result ploy_navmesh_find_random(ploy_navmesh_query *query, ploy_rng *rng,
                                     ploy_navmesh_place *out) {
    if (rng == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    int32_t polygon = navflood_choose(query, NULL, query->mesh->stats.polygons, rng);
    if (polygon < 0) return PLOY_ERR_NOT_FOUND;
    *out = navflood_in_polygon(query->mesh, polygon, rng);
    return PLOY_OK;
}

ploy_result ploy_navmesh_find_random_near(ploy_navmesh_query *query, ploy_navmesh_place from,
                                          float radius, ploy_rng *rng, ploy_navmesh_place *out) {
    if (rng == NULL || out == NULL || !navflood_ok(query, &from, radius)) return PLOY_ERR_ARGUMENT;
    ploy_vec2 centre = ploy_vec2_from_vec3(from.point);
    navflood flood = navflood_make(query, centre, radius);
    ploy_result result = navflood_run(&flood, from.polygon);
    if (result != PLOY_OK) return result;
    // Polygons reach out of the circle: throw again. One that is hardly touched is hardly ever hit
    // within it, so there is an end, at the place itself.
    for (int32_t i = 0; i < 256; i++) {
        int32_t polygon = navflood_choose(query, query->queue, query->flood_count, rng);
        if (polygon < 0) break;
        ploy_navmesh_place place = navflood_in_polygon(query->mesh, polygon, rng);
        if (navflood_gap_sq(ploy_vec2_from_vec3(place.point), centre) > flood.limit_sq) continue;
        *out = place;
        return PLOY_OK;
    }
    *out = from;
    return PLOY_OK;
}
