// The nearest places of two shapes; see the header.
#include "ploy/geom/closest.h"

#include <math.h>

static double closest_gap_sq(ploy_vec2 a, ploy_vec2 b) {
    double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y;
    return x * x + y * y;
}

static ploy_closest2 closest_make(ploy_vec2 a, ploy_vec2 b) {
    ploy_closest2 closest = {a, b, (float)sqrt(closest_gap_sq(a, b))};
    return closest;
}

ploy_closest2 ploy_segment2_closest_segment(ploy_segment2 a, ploy_segment2 b) {
    ploy_crossing2 crossing;
    if (ploy_segment2_touches(a, b, &crossing)) {
        ploy_closest2 shared = {crossing.point, crossing.point, 0.0f};
        return shared;
    }
    // Two segments that do not touch are nearest at an end of one of them.
    const ploy_vec2 on_a[4] = {a.from, a.to, ploy_segment2_closest(a, b.from, NULL),
                               ploy_segment2_closest(a, b.to, NULL)};
    const ploy_vec2 on_b[4] = {ploy_segment2_closest(b, a.from, NULL),
                               ploy_segment2_closest(b, a.to, NULL), b.from, b.to};
    int32_t best = 0;
    for (int32_t i = 1; i < 4; i++) {
        if (closest_gap_sq(on_a[i], on_b[i]) < closest_gap_sq(on_a[best], on_b[best])) best = i;
    }
    return closest_make(on_a[best], on_b[best]);
}

static ploy_closest2 closest_nothing(void) {
    ploy_closest2 nothing = {{0.0f, 0.0f}, {0.0f, 0.0f}, INFINITY};
    return nothing;
}

ploy_closest2 ploy_polygon_closest_segment(ploy_polygon polygon, ploy_segment2 segment) {
    ploy_closest2 best = closest_nothing();
    if (polygon.count > 0 && ploy_polygon_contains(polygon, segment.from)) {
        return closest_make(segment.from, segment.from);
    }
    double least = INFINITY;
    for (int32_t i = 0; i < polygon.count; i++) {
        ploy_closest2 one = ploy_segment2_closest_segment(ploy_polygon_edge(polygon, i), segment);
        double gap_sq = closest_gap_sq(one.a, one.b);
        if (!(gap_sq < least)) continue;
        least = gap_sq;
        best = one;
        if (least == 0.0) break;
    }
    return best;
}

ploy_closest2 ploy_polygon_closest_polygon(ploy_polygon a, ploy_polygon b) {
    ploy_closest2 best = closest_nothing();
    if (a.count == 0 || b.count == 0) return best;
    // If one lies within the other no edges meet, but then any of its corners is shared.
    if (ploy_polygon_contains(b, a.points[0])) return closest_make(a.points[0], a.points[0]);
    double least = INFINITY;
    for (int32_t i = 0; i < b.count && least > 0.0; i++) {
        ploy_closest2 one = ploy_polygon_closest_segment(a, ploy_polygon_edge(b, i));
        double gap_sq = closest_gap_sq(one.a, one.b);
        if (!(gap_sq < least)) continue;
        least = gap_sq;
        best = one;
    }
    return best;
}

ploy_closest2 ploy_closest2_round(ploy_closest2 closest, float a_radius, float b_radius) {
    double gap = sqrt(closest_gap_sq(closest.a, closest.b));
    double ra = a_radius > 0.0f ? (double)a_radius : 0.0;
    double rb = b_radius > 0.0f ? (double)b_radius : 0.0;
    if (!(closest.distance < INFINITY)) return closest;
    if (gap <= ra + rb) {
        // Between the two, in the share of their radii.
        double share = ra + rb > 0.0 ? ra / (ra + rb) : 0.0;
        ploy_vec2 shared = ploy_vec2_lerp(closest.a, closest.b, (float)share);
        return closest_make(shared, shared);
    }
    ploy_closest2 rounded = {ploy_vec2_lerp(closest.a, closest.b, (float)(ra / gap)),
                             ploy_vec2_lerp(closest.b, closest.a, (float)(rb / gap)),
                             (float)(gap - ra - rb)};
    return rounded;
}

bool ploy_box2_sweep_hit_segment(ploy_box2 box, ploy_vec2 direction, float length,
                                 ploy_segment2 segment, ploy_hit2 *out) {
    const ploy_vec2 points[2] = {segment.from, segment.to};
    ploy_polygon thin = {points, 2};
    return ploy_box2_sweep_hit_polygon(box, direction, length, thin, out);
}

bool ploy_box2_sweep_hit_circle(ploy_box2 box, ploy_vec2 direction, float length,
                                ploy_circle circle, ploy_hit2 *out) {
    // As the box sees it, the circle comes the other way.
    ploy_sweep sweep;
    sweep.ray.origin = circle.centre;
    sweep.ray.direction = ploy_vec2_scale(direction, -1.0f);
    sweep.ray.length = length;
    sweep.radius = circle.radius;
    ploy_hit2 hit;
    if (ploy_box2_is_empty(box) || !ploy_sweep_hit_box(sweep, box, &hit)) return false;
    hit.point = ploy_vec2_add(hit.point, ploy_vec2_scale(direction, hit.distance));
    hit.normal = ploy_vec2_scale(hit.normal, -1.0f);
    if (out != NULL) *out = hit;
    return true;
}
