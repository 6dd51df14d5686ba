// Rays and moving bodies against polygons.
//
// A ray enters a polygon either through the inside of an edge, from its outer side, or at a corner
// that lies exactly on the ray, if the ray leads into the polygon's angle there. Both are decided
// by the sides on which the corners lie of the ray, and those are exact: a side is a sum of four
// products of two floats.
#include "ploy/geom/polygon_hit.h"

#include "geom/geom_internal.h"
#include "geom/polygon_internal.h"
#include "geom/predicates_inline.h"
#include "ploy/base/math.h"

// The sign of ax * bx + ay * by with b = point - origin, exactly.
static int32_t polygon_hit_sign(double ax, double ay, ploy_vec2 point, ploy_vec2 origin) {
    ployi_dvec2 b = ployi_dvec2_between(point, origin);
    double x = ax * b.x, y = ay * b.y, sum = x + y;
    double bound = (fabs(x) + fabs(y)) * 3.3306690738754716e-16; // as in ployi_orient2
    if (sum > bound) return 1;
    if (-sum > bound) return -1;
    if (!ploy_is_finite_d(x + y)) return 0;
    ployi_expansion exact;
    ployi_expansion_init(&exact);
    ployi_expansion_add(&exact, ax * (double)point.x);
    ployi_expansion_add(&exact, -(ax * (double)origin.x));
    ployi_expansion_add(&exact, ay * (double)point.y);
    ployi_expansion_add(&exact, -(ay * (double)origin.y));
    return ployi_expansion_sign(&exact);
}

// +1 if the point lies to the left of the ray, -1 to the right, 0 on its line.
static int32_t polygon_hit_side(ploy_ray2 ray, ploy_vec2 point) {
    return polygon_hit_sign(-(double)ray.direction.y, (double)ray.direction.x, point, ray.origin);
}

// +1 if the point lies before the ray's start, -1 behind.
static int32_t polygon_hit_ahead(ploy_ray2 ray, ploy_vec2 point) {
    return polygon_hit_sign((double)ray.direction.x, (double)ray.direction.y, point, ray.origin);
}

// The unit normal out of an edge, of a polygon that turns this way.
static ployi_dvec2 polygon_hit_normal(ploy_segment2 edge, int32_t turn) {
    ployi_dvec2 along = ployi_dvec2_unit(ployi_dvec2_between(edge.to, edge.from));
    double sign = turn < 0 ? -1.0 : 1.0;
    return ployi_dvec2_make(sign * along.y, -sign * along.x);
}

// The start is inside: the nearest point of the outline, and the vector to it.
static void polygon_hit_exit(ploy_polygon polygon, ploy_vec2 origin, bool within, ploy_hit2 *out) {
    ploy_polyline outline = ploy_polygon_outline(polygon);
    ploy_polyline_nearest nearest = ploy_polyline_find(&outline, origin);
    ployi_dvec2 offset = ployi_dvec2_between(nearest.point, origin);
    double sign = within ? 1.0 : -1.0;
    ployi_dvec2 normal = ployi_dvec2_unit(ployi_dvec2_scale(offset, sign));
    if (offset.x == 0.0 && offset.y == 0.0 && nearest.edge >= 0) {
        normal = polygon_hit_normal(ploy_polygon_edge(polygon, nearest.edge),
                                    ploy_polygon_turn(polygon));
    }
    ploy_hit2 hit = {0.0f, nearest.point, ployi_dvec2_round(normal), true};
    *out = hit;
}

// The nearest corner in one direction of the walk that is not this one; the corner itself if all
// are one point.
static int32_t polygon_hit_other(ploy_polygon polygon, int32_t corner, bool forward) {
    int32_t at = corner;
    for (int32_t i = 0; i < polygon.count; i++) {
        at = forward ? ployi_polygon_next(polygon, at) : ployi_polygon_before(polygon, at);
        if (!ploy_vec2_equal(polygon.points[at], polygon.points[corner])) return at;
    }
    return corner;
}

// Whether a ray through a corner leads strictly into the angle there. For a counter-clockwise
// outline the angle lies to the left of the direction to the next corner and to the right of that to the
// corner before: both at a convex corner, one of them at a reflex one.
static bool polygon_hit_enters(ploy_ray2 ray, ploy_vec2 before, ploy_vec2 at, ploy_vec2 next) {
    int32_t next_side = polygon_hit_side(ray, next), before_side = polygon_hit_side(ray, before);
    int32_t bend = ployi_orient2(before, at, next);
    if (bend > 0) return next_side < 0 && before_side > 0;
    if (bend < 0) return next_side < 0 || before_side > 0;
    return next_side < 0;
}

// The first segment met, for outlines that enclose nothing.
static bool polygon_hit_thin(ploy_ray2 ray, ploy_polygon polygon, ploy_hit2 *out) {
    bool met = false;
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_hit2 hit;
        if (!ploy_ray2_hit_segment(ray, ploy_polygon_edge(polygon, i), &hit)) continue;
        if (met && hit.distance >= out->distance) continue;
        *out = hit;
        met = true;
    }
    return met;
}

// Whichever of two edges faces the ray more.
static ployi_dvec2 polygon_hit_facing(ployi_dvec2 a, ployi_dvec2 b, ploy_ray2 ray) {
    ployi_dvec2 heading = ployi_dvec2_of(ray.direction);
    return ployi_dvec2_dot(b, heading) < ployi_dvec2_dot(a, heading) ? b : a;
}

static bool polygon_hit_ray(ploy_ray2 ray, ploy_polygon polygon, ploy_hit2 *out) {
    int32_t turn = ploy_polygon_turn(polygon);
    if (turn == 0) return polygon_hit_thin(ray, polygon, out);
    if (ploy_polygon_locate(polygon, ray.origin) == PLOY_LOCATION_INSIDE) {
        polygon_hit_exit(polygon, ray.origin, true, out);
        return true;
    }
    ployi_dvec2 heading = ployi_dvec2_of(ray.direction), origin = ployi_dvec2_of(ray.origin);
    if (heading.x == 0.0 && heading.y == 0.0) return false;
    double best = (double)ray.length;
    bool met = false;
    int32_t side = polygon_hit_side(ray, polygon.points[0]);
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_segment2 edge = ploy_polygon_edge(polygon, i);
        int32_t next_side = polygon_hit_side(ray, edge.to), this_side = side;
        side = next_side;
        if (this_side == 0) { // the corner where the edge begins
            if (polygon_hit_ahead(ray, edge.from) < 0) continue;
            if (i > 0 && ploy_vec2_equal(edge.from, polygon.points[i - 1])) continue;
            int32_t next = polygon_hit_other(polygon, i, true);
            int32_t before = polygon_hit_other(polygon, i, false);
            ploy_vec2 ahead = polygon.points[turn > 0 ? next : before];
            ploy_vec2 behind = polygon.points[turn > 0 ? before : next];
            if (!polygon_hit_enters(ray, behind, edge.from, ahead)) continue;
            ployi_dvec2 from = ployi_dvec2_between(edge.from, ray.origin);
            double distance = sqrt(ployi_dvec2_dot(from, from));
            if (!(distance <= best) || (met && distance == best)) continue;
            best = distance;
            met = true;
            ploy_segment2 last = {polygon.points[before], edge.from};
            ploy_segment2 first = {edge.from, polygon.points[next]};
            ployi_dvec2 normal = polygon_hit_facing(polygon_hit_normal(last, turn),
                                                    polygon_hit_normal(first, turn), ray);
            ploy_hit2 hit = {(float)best, edge.from, ployi_dvec2_round(normal), false};
            *out = hit;
        } else if (this_side * next_side < 0 && this_side == turn) { // from its outer side
            int32_t start = ployi_orient2(edge.from, edge.to, ray.origin);
            if (start == turn) continue; // behind the ray's start
            ployi_dvec2 along = ployi_dvec2_between(edge.to, edge.from);
            ployi_dvec2 from = ployi_dvec2_between(edge.from, ray.origin);
            double distance = ployi_dvec2_cross(from, along) / ployi_dvec2_cross(heading, along);
            distance = distance > 0.0 && start != 0 ? distance : 0.0; // NaN too
            if (!(distance <= best) || (met && distance == best)) continue;
            best = distance;
            met = true;
            ploy_vec2 point = ployi_dvec2_round(ployi_dvec2_add_scaled(origin, heading, distance));
            ploy_hit2 hit = {(float)best, point, ployi_dvec2_round(polygon_hit_normal(edge, turn)),
                             false};
            *out = hit;
        }
    }
    return met;
}

bool ploy_ray2_hit_polygon(ploy_ray2 ray, ploy_polygon polygon, ploy_hit2 *out) {
    ploy_hit2 hit;
    if (!polygon_hit_ray(ray, polygon, &hit)) return false;
    if (out != NULL) *out = hit;
    return true;
}

bool ploy_sweep_hit_polygon(ploy_sweep sweep, ploy_polygon polygon, ploy_hit2 *out) {
    if (!(sweep.radius > 0.0f)) return ploy_ray2_hit_polygon(sweep.ray, polygon, out);
    if (polygon.count == 0) return false;
    ploy_hit2 best = {0.0f, {0.0f, 0.0f}, {0.0f, 0.0f}, false};
    ploy_polyline outline = ploy_polygon_outline(polygon);
    ploy_polyline_nearest nearest = ploy_polyline_find(&outline, sweep.ray.origin);
    ployi_dvec2 offset = ployi_dvec2_between(nearest.point, sweep.ray.origin);
    bool within = ploy_polygon_contains(polygon, sweep.ray.origin);
    if (within || ployi_dvec2_dot(offset, offset) < (double)sweep.radius * (double)sweep.radius) {
        polygon_hit_exit(polygon, sweep.ray.origin, within, &best);
        if (out != NULL) *out = best;
        return true;
    }
    bool met = false;
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_hit2 hit;
        if (!ploy_sweep_hit_segment(sweep, ploy_polygon_edge(polygon, i), &hit)) continue;
        if (met && hit.distance >= best.distance) continue;
        best = hit;
        met = true;
    }
    if (met && out != NULL) *out = best;
    return met;
}

// A moving box meets an edge where its centre enters the edge grown by the box: what lies within
// three slabs, across x, across y and across the edge. Slab `axis` is low <= axis . point <= high.
typedef struct polygon_hit_slabs {
    ployi_dvec2 axis[3];
    double low[3], high[3];
    int32_t count;
} polygon_hit_slabs;

static polygon_hit_slabs polygon_hit_grown(ploy_segment2 edge, ployi_dvec2 half) {
    ployi_dvec2 from = ployi_dvec2_of(edge.from), to = ployi_dvec2_of(edge.to);
    ployi_dvec2 across = ployi_dvec2_unit(ployi_dvec2_make(from.y - to.y, to.x - from.x));
    double reach = fabs(across.x) * half.x + fabs(across.y) * half.y;
    double level = ployi_dvec2_dot(across, from);
    polygon_hit_slabs slabs = {
        {{1.0, 0.0}, {0.0, 1.0}, across},
        {(from.x < to.x ? from.x : to.x) - half.x, (from.y < to.y ? from.y : to.y) - half.y,
         level - reach},
        {(from.x > to.x ? from.x : to.x) + half.x, (from.y > to.y ? from.y : to.y) + half.y,
         level + reach},
        // An edge along x or y has its own slab twice; once will do, and has no rounding.
        across.x == 0.0 || across.y == 0.0 ? 2 : 3,
    };
    return slabs;
}

// As box_enter in box.c, over slabs. @return false, or where; *slab -1 for a start strictly inside.
static bool polygon_hit_slabs_enter(const polygon_hit_slabs *slabs, ployi_dvec2 origin,
                                    ployi_dvec2 offset, double length, double *distance,
                                    int32_t *slab) {
    double enter = -1.0, leave = length;
    bool inside = true;
    *slab = -1;
    for (int32_t i = 0; i < slabs->count; i++) {
        double at = ployi_dvec2_dot(slabs->axis[i], origin);
        double speed = ployi_dvec2_dot(slabs->axis[i], offset);
        bool within = at > slabs->low[i] && at < slabs->high[i];
        inside = inside && within;
        if (speed == 0.0) {
            bool flat = slabs->low[i] == slabs->high[i] && at == slabs->low[i];
            if (!within && !flat) return false;
            continue;
        }
        double near_at = ((speed > 0.0 ? slabs->low[i] : slabs->high[i]) - at) / speed;
        double far_at = ((speed > 0.0 ? slabs->high[i] : slabs->low[i]) - at) / speed;
        if (near_at > enter) {
            enter = near_at;
            *slab = i;
        }
        leave = far_at < leave ? far_at : leave;
    }
    *distance = enter;
    if (inside) {
        *slab = -1;
        return true;
    }
    return *slab >= 0 && enter >= 0.0 && enter <= length && enter <= leave;
}

// Where box and edge touch, the box's centre being `centre` and slab the one it just entered.
static ploy_vec2 polygon_hit_touch(ploy_segment2 edge, ployi_dvec2 centre, ployi_dvec2 half,
                                   ployi_dvec2 normal, int32_t slab) {
    ployi_dvec2 corner = {centre.x - (normal.x < 0.0 ? -half.x : half.x),
                          centre.y - (normal.y < 0.0 ? -half.y : half.y)};
    if (slab == 2) { // the box's corner on the edge
        return ploy_segment2_closest(edge, ployi_dvec2_round(corner), NULL);
    }
    // The edge's end that reaches furthest toward the box, or, of an edge along the box's side, the
    // point before the centre.
    double reach = ployi_dvec2_dot(normal, ployi_dvec2_between(edge.to, edge.from));
    if (reach > 0.0) return edge.to;
    if (reach < 0.0) return edge.from;
    return ploy_segment2_closest(edge, ployi_dvec2_round(centre), NULL);
}

bool ploy_box2_sweep_hit_polygon(ploy_box2 box, ploy_vec2 direction, float length,
                                 ploy_polygon polygon, ploy_hit2 *out) {
    if (ploy_box2_is_empty(box) || polygon.count == 0) return false;
    ployi_dvec2 low = ployi_dvec2_of(box.min), high = ployi_dvec2_of(box.max);
    ployi_dvec2 half = {(high.x - low.x) * 0.5, (high.y - low.y) * 0.5};
    ployi_dvec2 centre = {low.x + half.x, low.y + half.y}, along = ployi_dvec2_of(direction);
    ploy_vec2 middle = ployi_dvec2_round(centre);
    if (half.x == 0.0 && half.y == 0.0) {
        ploy_ray2 ray = {box.min, direction, length};
        return ploy_ray2_hit_polygon(ray, polygon, out);
    }
    ploy_location location = ploy_polygon_locate(polygon, middle);
    bool met = location == PLOY_LOCATION_INSIDE, inside = met;
    double best = (double)length;
    ploy_hit2 hit = {0.0f, {0.0f, 0.0f}, {0.0f, 0.0f}, false};
    for (int32_t i = 0; i < polygon.count && !inside; i++) {
        ploy_segment2 edge = ploy_polygon_edge(polygon, i);
        polygon_hit_slabs slabs = polygon_hit_grown(edge, half);
        double distance;
        int32_t slab;
        if (!polygon_hit_slabs_enter(&slabs, centre, along, best, &distance, &slab)) continue;
        inside = slab < 0;
        if (inside || (met && distance >= best)) continue;
        met = true;
        best = distance;
        double sign = ployi_dvec2_dot(slabs.axis[slab], along) > 0.0 ? -1.0 : 1.0;
        ployi_dvec2 normal = ployi_dvec2_scale(slabs.axis[slab], sign);
        hit.distance = (float)distance;
        hit.normal = ployi_dvec2_round(normal);
        hit.point = polygon_hit_touch(edge, ployi_dvec2_add_scaled(centre, along, distance), half,
                                      normal, slab);
    }
    if (inside) {
        polygon_hit_exit(polygon, middle, location != PLOY_LOCATION_OUTSIDE, &hit);
        met = true;
    }
    if (met && out != NULL) *out = hit;
    return met;
}
