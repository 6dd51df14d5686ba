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

// Takes a polygon if it is better. @return true if the limit may be lower now.
static inline bool navnear_try(navnear_best *best, int32_t id) {
    const ploy_navmesh *mesh = best->mesh;
    if (best->island >= 0 && mesh->polygons[id].island != best->island) return false;
    if (ployi_nav_fits(mesh, id) < best->clearance) return false;
    ploy_vec2 at = ploy_vec2_from_vec3(best->point);
    bool held = ployi_nav_holds(mesh, id, at);
    if (best->gap_sq == 0.0 && !held) return false;
    ploy_vec2 near = held ? at : ployi_nav_closest_edge(mesh, id, at);
    ploy_vec3 place = ploy_vec3_from_vec2(near, ployi_nav_height(mesh, id, near));
    double x = (double)place.x - (double)best->point.x, y = (double)place.y - (double)best->point.y;
    double rise = fabs((double)place.z - (double)best->point.z), gap_sq = x * x + y * y;
    if (gap_sq > best->reach_sq) return false;
    if (best->step >= 0.0f) {
        double high = held ? fmax(rise - (double)best->step, 0.0) : rise;
        gap_sq += high * high;
    }
    if (rise > (double)best->height || gap_sq > best->gap_sq) return false;
    if (gap_sq == best->gap_sq && best->polygon >= 0 &&
        (rise > best->rise || (rise == best->rise && id > best->polygon))) {
        return false;
    }
    best->polygon = id;
    best->place = place;
    best->gap_sq = gap_sq;
    best->rise = rise;
    return true;
}

// Room for the nodes of one path down the hierarchy, and their siblings.
enum { NAVNEAR_STACK = 3 * PLOYI_NAV_BOXES_DEPTH + 4 };

// How far a point is outside of each box; 0 or less: within.
static inline void navnear_outside(const ployi_nav_boxes *node, ploy_vec2 at, float out[4]) {
    for (int32_t i = 0; i < 4; i++) {
        float left = node->min_x[i] - at.x, right = at.x - node->max_x[i];
        float below = node->min_y[i] - at.y, above = at.y - node->max_y[i];
        float x = left > right ? left : right, y = below > above ? below : above;
        out[i] = x > y ? x : y;
    }
}

// Tries the polygons whose boxes hold the point.
static void navnear_under(navnear_best *best, bool (*visit)(void *user, int32_t id), void *user) {
    const ployi_nav_boxes *boxes = best->mesh->boxes;
    ploy_vec2 at = ploy_vec2_from_vec3(best->point);
    int32_t stack[NAVNEAR_STACK], count = 0;
    stack[count++] = 0;
    while (count > 0) {
        const ployi_nav_boxes *node = &boxes[stack[--count]];
        float outside[4];
        navnear_outside(node, at, outside);
        for (int32_t i = 0; i < 4; i++) {
            int32_t child = node->child[i];
            if (outside[i] > 0.0f || child == 0) continue;
            if (child > 0) {
                stack[count++] = child;
            } else if (visit != NULL) {
                visit(user, ~child);
            } else {
                navnear_try(best, ~child);
            }
        }
    }
}

typedef struct navnear_wait {
    float gap_sq;
    int32_t node;
} navnear_wait;

// Tries the polygons in boxes within the reach, the nearer ones first.
static void navnear_around(navnear_best *best) {
    const ployi_nav_boxes *boxes = best->mesh->boxes;
    ploy_vec2 at = ploy_vec2_from_vec3(best->point);
    navnear_wait stack[NAVNEAR_STACK];
    int32_t count = 0;
    double limit = best->reach_sq;
    navnear_wait root = {0.0f, 0};
    stack[count++] = root;
    while (count > 0) {
        navnear_wait top = stack[--count];
        // Distances that overflow are as good as any.
        if ((double)top.gap_sq > limit && top.gap_sq <= FLT_MAX) continue;
        if (top.node < 0) {
            // Places are rounded, boxes are not: look a hair further.
            if (navnear_try(best, ~top.node)) {
                limit = fmin(best->gap_sq, best->reach_sq) * 1.000001 + 1e-30;
            }
            continue;
        }
        const ployi_nav_boxes *node = &boxes[top.node];
        int32_t base = count;
        for (int32_t i = 0; i < 4; i++) {
            float left = node->min_x[i] - at.x, right = at.x - node->max_x[i];
            float below = node->min_y[i] - at.y, above = at.y - node->max_y[i];
            float x = left > right ? left : right, y = below > above ? below : above;
            x = x > 0.0f ? x : 0.0f;
            y = y > 0.0f ? y : 0.0f;
            navnear_wait next = {x * x + y * y, node->child[i]};
            if (next.node == 0) continue;
            int32_t place = count++;
            while (place > base && stack[place - 1].gap_sq < next.gap_sq) {
                stack[place] = stack[place - 1];
                place--;
            }
            stack[place] = next;
        }
    }
}

// Of all polygons, seen from above or, with a step of 0 or more, in space.
static int32_t navnear_all(const ploy_navmesh *mesh, ploy_vec3 point, float radius, float height,
                           int32_t island, float clearance, float step, ploy_vec3 *place) {
    double reach = (double)radius;
    navnear_best best = {mesh, point, height,        island, clearance, step,
                         -1,   point, reach * reach, 0.0,    0.0};
    // Most points are on the floor: then only the boxes that hold them matter.
    navnear_under(&best, NULL, NULL);
    if (best.polygon < 0) {
        // In space the height adds to what is seen from above.
        double most = step >= 0.0f ? (double)height : 0.0;
        best.gap_sq = reach * reach + most * most;
        navnear_around(&best);
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
    bool fits = ployi_nav_fits(mesh, hint) >= width;
    if (fits && navnear_over(mesh, hint, point, height)) return hint;
    int32_t done = 0, found = -1;
    ployi_nav_flood_begin(query);
    ployi_nav_flood_reach(query, hint);
    for (int32_t ring = 0; ring < 2 && found < 0; ring++) {
        for (int32_t end = query->flood_count; done < end && found < 0; done++) {
            const ployi_nav_polygon *p = &mesh->polygons[query->queue[done]];
            for (int32_t e = p->first; e < p[1].first; e++) {
                int32_t next = mesh->edges[e].neighbour;
                if (next < 0 || !ployi_nav_flood_reach(query, next)) continue;
                fits = ployi_nav_fits(mesh, next) >= width;
                if (fits && navnear_over(mesh, next, point, height)) {
                    found = next;
                    break;
                }
            }
        }
    }
    ployi_nav_flood_end(query);
    return found;
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

static bool navnear_fall_visit(void *user, int32_t id) {
    navnear_fall *fall = user;
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
        navnear_best under;
        memset(&under, 0, sizeof under);
        under.mesh = query->mesh;
        under.point = ploy_vec3_from_vec2(fall.at, 0.0f);
        navnear_under(&under, navnear_fall_visit, &fall);
        if (fall.polygon < 0) continue;
        *out = ployi_nav_place(query->mesh, fall.polygon, fall.at);
        return PLOY_OK;
    }
    return PLOY_ERR_NOT_FOUND;
}
