// Circles and sweeps.
//
// A moving circle meets a shape where its centre meets the shape grown by its radius (the Minkowski
// sum), so every sweep is a ray against a grown shape: a circle stays a circle, a segment becomes a
// capsule. A convex outline is met first at the nearest of its parts that is met at all.
#include "ploy/geom/circle.h"

#include "geom/geom_internal.h"

static double circle_radius(float radius) {
    return radius > 0.0f ? (double)radius : 0.0;
}

// Distance along the ray to a circle about a point given from the ray's origin; -1 if it is not met
// from outside. The origin must not be strictly inside.
static double circle_enter(ployi_dvec2 centre, double radius, ployi_dvec2 along) {
    double speed_sq = ployi_dvec2_dot(along, along); // 1 but for the rounding of the direction
    double approach = ployi_dvec2_dot(centre, along);
    if (!(approach > 0.0)) return -1.0;
    // How far beside the centre the ray passes, from the foot of the perpendicular: subtracting
    // squares of long distances instead would drown a small radius far away.
    ployi_dvec2 foot = ployi_dvec2_add_scaled(centre, along, -approach / speed_sq);
    double room = radius * radius - ployi_dvec2_dot(foot, foot);
    if (!(room > 0.0)) return -1.0; // passing in bare touch stops nothing
    // The smaller root as product of the roots over the larger: no cancellation near the edge.
    double gap = sqrt(ployi_dvec2_dot(centre, centre));
    double product = (gap - radius) * (gap + radius);
    if (product < 0.0) product = 0.0; // touching, as far as rounding can tell
    return product / (approach + sqrt(speed_sq * room));
}

static bool circle_tell(ploy_ray2 ray, double distance, bool inside, ployi_dvec2 normal,
                        double radius, ploy_hit2 *out) {
    if (out == NULL) return true;
    ployi_dvec2 at =
        ployi_dvec2_add_scaled(ployi_dvec2_of(ray.origin), ployi_dvec2_of(ray.direction), distance);
    if (normal.x == 0.0 && normal.y == 0.0) { // the very middle: any way out is as short
        normal = ployi_dvec2_scale(ployi_dvec2_of(ray.direction), -1.0);
        if (normal.x == 0.0 && normal.y == 0.0) normal.x = 1.0;
    }
    out->distance = (float)distance;
    out->point = ployi_dvec2_round(ployi_dvec2_add_scaled(at, normal, -radius));
    out->normal = ployi_dvec2_round(normal);
    out->inside = inside;
    return true;
}

// The sweep of a circle of radius `moving` against a segment thickened by `still`.
static bool circle_sweep_capsule(ploy_ray2 ray, double moving, ploy_segment2 segment, double still,
                                 ploy_hit2 *out) {
    double radius = moving + still;
    if (!(radius > 0.0)) return ploy_ray2_hit_segment(ray, segment, out);
    ployi_dvec2 along = ployi_dvec2_of(ray.direction);
    ployi_dvec2 from = ployi_dvec2_between(segment.from, ray.origin);
    ployi_dvec2 to = ployi_dvec2_between(segment.to, ray.origin);
    ployi_dvec2 axis = ployi_dvec2_between(segment.to, segment.from);
    double length = sqrt(ployi_dvec2_dot(axis, axis));
    axis = ployi_dvec2_unit(axis);
    ployi_dvec2 left = ployi_dvec2_make(-axis.y, axis.x);
    double place = -ployi_dvec2_dot(from, axis); // of the origin, in the segment's own frame
    double height = -ployi_dvec2_dot(from, left);

    // The way out from the nearest point of the segment, and how far that is.
    double nearest = place > 0.0 ? (place < length ? place : length) : 0.0;
    ployi_dvec2 offset = nearest <= 0.0      ? ployi_dvec2_scale(from, -1.0)
                         : nearest >= length ? ployi_dvec2_scale(to, -1.0)
                                             : ployi_dvec2_scale(left, height);
    double gap_sq = ployi_dvec2_dot(offset, offset);
    if (gap_sq < radius * radius) {
        ployi_dvec2 out_of = ployi_dvec2_unit(offset);
        // On the thin axis itself both sides are as near; out against the ray.
        if (gap_sq == 0.0 && length > 0.0) {
            double side = ployi_dvec2_dot(left, along) > 0.0 ? -1.0 : 1.0;
            out_of = ployi_dvec2_scale(left, side);
        }
        // The touching point is on the thing's own outline, which may be far behind us.
        if (out != NULL) {
            ployi_dvec2 on_axis = ployi_dvec2_add_scaled(ployi_dvec2_of(ray.origin), offset, -1.0);
            if (out_of.x == 0.0 && out_of.y == 0.0) {
                out_of = ployi_dvec2_scale(along, -1.0);
                if (out_of.x == 0.0 && out_of.y == 0.0) out_of.x = 1.0;
            }
            out->distance = 0.0f;
            out->point = ployi_dvec2_round(ployi_dvec2_add_scaled(on_axis, out_of, still));
            out->normal = ployi_dvec2_round(out_of);
            out->inside = true;
        }
        return true;
    }

    // The two long sides first, then the two round ends.
    double best = -1.0;
    ployi_dvec2 normal = ployi_dvec2_make(0.0, 0.0);
    double sink = ployi_dvec2_dot(along, left) * (height > 0.0 ? -1.0 : 1.0);
    double above = fabs(height) - radius;
    if (length > 0.0 && above >= 0.0 && sink > 0.0) {
        double distance = above / sink;
        double at = place + ployi_dvec2_dot(along, axis) * distance;
        if (at >= 0.0 && at <= length) {
            best = distance;
            normal = height > 0.0 ? left : ployi_dvec2_scale(left, -1.0);
        }
    }
    ployi_dvec2 ends[2] = {from, to};
    for (int32_t i = 0; i < 2; i++) {
        double distance = circle_enter(ends[i], radius, along);
        if (distance < 0.0 || (best >= 0.0 && best <= distance)) continue;
        best = distance;
        normal = ployi_dvec2_unit(
            ployi_dvec2_add_scaled(ployi_dvec2_scale(along, distance), ends[i], -1.0));
    }
    if (!(best >= 0.0 && best <= (double)ray.length)) return false;
    return circle_tell(ray, best, false, normal, moving, out);
}

ploy_sweep ploy_sweep_between(ploy_vec2 from, ploy_vec2 to, float radius) {
    ploy_sweep sweep = {ploy_ray2_between(from, to), radius};
    return sweep;
}

bool ploy_circle_contains(ploy_circle circle, ploy_vec2 point) {
    ployi_dvec2 offset = ployi_dvec2_between(point, circle.centre);
    double radius = circle_radius(circle.radius);
    return ployi_dvec2_dot(offset, offset) <= radius * radius;
}

bool ploy_circle_overlaps(ploy_circle a, ploy_circle b) {
    ployi_dvec2 offset = ployi_dvec2_between(b.centre, a.centre);
    double radius = circle_radius(a.radius) + circle_radius(b.radius);
    return ployi_dvec2_dot(offset, offset) <= radius * radius;
}

bool ploy_circle_overlaps_segment(ploy_circle circle, ploy_segment2 segment) {
    double radius = circle_radius(circle.radius);
    return ployi_segment2_distance_sq(segment, circle.centre) <= radius * radius;
}

int32_t ploy_circle_cross_x_axis(ploy_circle circle, float x[2]) {
    double radius = circle_radius(circle.radius), height = fabs((double)circle.centre.y);
    double room = (radius - height) * (radius + height);
    if (!(room >= 0.0)) return 0;
    double width = sqrt(room);
    x[0] = (float)((double)circle.centre.x - width);
    if (width == 0.0) return 1;
    x[1] = (float)((double)circle.centre.x + width);
    return 2;
}

int32_t ploy_circle_cross_circle(ploy_circle a, ploy_circle b, ploy_vec2 points[2]) {
    double ra = circle_radius(a.radius), rb = circle_radius(b.radius);
    ployi_dvec2 offset = ployi_dvec2_between(b.centre, a.centre);
    double gap = sqrt(ployi_dvec2_dot(offset, offset));
    if (!(gap > 0.0) || gap > ra + rb || gap < fabs(ra - rb)) return 0;
    ployi_dvec2 axis = ployi_dvec2_unit(offset);
    // From a's centre to the chord; (ra - rb)(ra + rb) keeps digits that ra^2 - rb^2 loses.
    double along = (gap + (ra - rb) * (ra + rb) / gap) * 0.5;
    double room = (ra - along) * (ra + along);
    double half = room > 0.0 ? sqrt(room) : 0.0;
    ployi_dvec2 foot = ployi_dvec2_add_scaled(ployi_dvec2_of(a.centre), axis, along);
    ployi_dvec2 left = ployi_dvec2_make(-axis.y, axis.x);
    points[0] = ployi_dvec2_round(ployi_dvec2_add_scaled(foot, left, half));
    if (half == 0.0) return 1;
    points[1] = ployi_dvec2_round(ployi_dvec2_add_scaled(foot, left, -half));
    return 2;
}

int32_t ploy_circle_tangents(ploy_circle circle, ploy_vec2 point, ploy_vec2 points[2]) {
    double radius = circle_radius(circle.radius);
    ployi_dvec2 offset = ployi_dvec2_between(point, circle.centre);
    double gap_sq = ployi_dvec2_dot(offset, offset);
    double gap = sqrt(gap_sq);
    double room = (gap - radius) * (gap + radius);
    if (!(room > 0.0)) return 0;
    ployi_dvec2 foot =
        ployi_dvec2_add_scaled(ployi_dvec2_of(circle.centre), offset, radius * radius / gap_sq);
    ployi_dvec2 left = ployi_dvec2_make(-offset.y, offset.x);
    double half = radius * sqrt(room) / gap_sq;
    points[0] = ployi_dvec2_round(ployi_dvec2_add_scaled(foot, left, half));
    points[1] = ployi_dvec2_round(ployi_dvec2_add_scaled(foot, left, -half));
    return 2;
}

bool ploy_ray2_hit_circle(ploy_ray2 ray, ploy_circle circle, ploy_hit2 *out) {
    ploy_segment2 point = {circle.centre, circle.centre};
    return circle_sweep_capsule(ray, 0.0, point, circle_radius(circle.radius), out);
}

bool ploy_ray2_hit_capsule(ploy_ray2 ray, ploy_segment2 segment, float radius, ploy_hit2 *out) {
    return circle_sweep_capsule(ray, 0.0, segment, circle_radius(radius), out);
}

bool ploy_sweep_hit_circle(ploy_sweep sweep, ploy_circle circle, ploy_hit2 *out) {
    ploy_segment2 point = {circle.centre, circle.centre};
    return circle_sweep_capsule(sweep.ray, circle_radius(sweep.radius), point,
                                circle_radius(circle.radius), out);
}

bool ploy_sweep_hit_segment(ploy_sweep sweep, ploy_segment2 segment, ploy_hit2 *out) {
    return circle_sweep_capsule(sweep.ray, circle_radius(sweep.radius), segment, 0.0, out);
}

bool ploy_sweep_hit_capsule(ploy_sweep sweep, ploy_segment2 segment, float radius, ploy_hit2 *out) {
    return circle_sweep_capsule(sweep.ray, circle_radius(sweep.radius), segment,
                                circle_radius(radius), out);
}
