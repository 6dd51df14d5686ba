// Segments in space and capsules.
#include "ploy/geom/capsule.h"

#include "geom/geom_internal.h"

#include "geom/solid_internal.h"

static double capsule_clamp01(double t) {
    return t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
}

ployi_dvec3 ployi_segment3_offset(ploy_vec3 from, ploy_vec3 to, ploy_vec3 point, double *place) {
    ployi_dvec3 along = ployi_dvec3_between(to, from), offset = ployi_dvec3_between(point, from);
    double length_sq = ployi_dvec3_dot(along, along);
    *place = length_sq > 0.0 ? capsule_clamp01(ployi_dvec3_dot(offset, along) / length_sq) : 0.0;
    if (*place >= 1.0) return ployi_dvec3_between(point, to); // exactly, not nearly
    return ployi_dvec3_add_scaled(offset, along, -*place);
}

ploy_capsule ploy_capsule_upright(ploy_vec3 foot, float height, float radius) {
    float r = (float)ployi_solid_radius(radius);
    float top = height > 2.0f * r ? height - r : r;
    return ploy_capsule_make(ploy_vec3_make(foot.x, foot.y, foot.z + r),
                             ploy_vec3_make(foot.x, foot.y, foot.z + top), r);
}

ploy_box3 ploy_box3_of_capsule(ploy_capsule capsule) {
    ploy_box3 box = ploy_box3_make(capsule.segment.from, capsule.segment.to);
    return ploy_box3_grow(box, (float)ployi_solid_radius(capsule.radius));
}

ploy_vec3 ploy_segment3_closest(ploy_segment3 segment, ploy_vec3 point, float *t) {
    double place;
    (void)ployi_segment3_offset(segment.from, segment.to, point, &place);
    if (t != NULL) *t = (float)place;
    if (place >= 1.0) return segment.to;
    ployi_dvec3 along = ployi_dvec3_between(segment.to, segment.from);
    return ployi_dvec3_round(ployi_dvec3_add_scaled(ployi_dvec3_of(segment.from), along, place));
}

static double capsule_distance_sq(ploy_segment3 segment, ploy_vec3 point, double *place) {
    ployi_dvec3 offset = ployi_segment3_offset(segment.from, segment.to, point, place);
    return ployi_dvec3_dot(offset, offset);
}

float ploy_segment3_distance_sq(ploy_segment3 segment, ploy_vec3 point) {
    double place;
    return (float)capsule_distance_sq(segment, point, &place);
}

// The nearest pair of places so far.
typedef struct capsule_pair {
    double gap_sq, s, t;
} capsule_pair;

static void capsule_keep(capsule_pair *best, double gap_sq, double s, double t) {
    if (!(gap_sq < best->gap_sq)) return;
    best->gap_sq = gap_sq;
    best->s = s;
    best->t = t;
}

// The square of the distance between points s of a and t of b is convex over the unit square: its
// least value lies where both are perpendicular to the line between them, or on the square's rim, which is
// an end of one segment against all of the other. Each candidate is a true distance, so a last one
// spoilt by nearly parallel segments does no harm.
static capsule_pair capsule_nearest(ploy_segment3 a, ploy_segment3 b) {
    ployi_dvec3 u = ployi_dvec3_between(a.to, a.from), v = ployi_dvec3_between(b.to, b.from);
    ployi_dvec3 w = ployi_dvec3_between(a.from, b.from);
    double uu = ployi_dvec3_dot(u, u), uv = ployi_dvec3_dot(u, v), vv = ployi_dvec3_dot(v, v);
    double uw = ployi_dvec3_dot(u, w), vw = ployi_dvec3_dot(v, w), place, gap_sq;
    capsule_pair best = {0.0, 0.0, 0.0};
    best.gap_sq = capsule_distance_sq(b, a.from, &best.t);
    gap_sq = capsule_distance_sq(b, a.to, &place);
    capsule_keep(&best, gap_sq, 1.0, place);
    gap_sq = capsule_distance_sq(a, b.from, &place);
    capsule_keep(&best, gap_sq, place, 0.0);
    gap_sq = capsule_distance_sq(a, b.to, &place);
    capsule_keep(&best, gap_sq, place, 1.0);
    double den = uu * vv - uv * uv;
    if (den > 0.0) {
        double s = capsule_clamp01((uv * vw - vv * uw) / den);
        double t = capsule_clamp01((uu * vw - uv * uw) / den);
        ployi_dvec3 offset = ployi_dvec3_add_scaled(ployi_dvec3_add_scaled(w, u, s), v, -t);
        capsule_keep(&best, ployi_dvec3_dot(offset, offset), s, t);
    }
    return best;
}

float ploy_segment3_gap_sq(ploy_segment3 a, ploy_segment3 b, float *s, float *t) {
    capsule_pair best = capsule_nearest(a, b);
    if (s != NULL) *s = (float)best.s;
    if (t != NULL) *t = (float)best.t;
    return (float)best.gap_sq;
}

bool ploy_capsule_contains(ploy_capsule capsule, ploy_vec3 point) {
    double radius = ployi_solid_radius(capsule.radius), place;
    return capsule_distance_sq(capsule.segment, point, &place) <= radius * radius;
}

ploy_vec3 ploy_capsule_closest(ploy_capsule capsule, ploy_vec3 point) {
    if (ploy_capsule_contains(capsule, point)) return point;
    double place;
    ployi_dvec3 offset =
        ployi_segment3_offset(capsule.segment.from, capsule.segment.to, point, &place);
    ployi_dvec3 axis = ployi_dvec3_sub(ployi_dvec3_of(point), offset);
    return ployi_dvec3_round(
        ployi_dvec3_add_scaled(axis, ployi_dvec3_unit(offset), ployi_solid_radius(capsule.radius)));
}

bool ploy_capsule_overlaps(ploy_capsule a, ploy_capsule b) {
    double radius = ployi_solid_radius(a.radius) + ployi_solid_radius(b.radius);
    return capsule_nearest(a.segment, b.segment).gap_sq <= radius * radius;
}

bool ploy_capsule_overlaps_sphere(ploy_capsule capsule, ploy_sphere sphere) {
    double radius = ployi_solid_radius(capsule.radius) + ployi_solid_radius(sphere.radius), place;
    return capsule_distance_sq(capsule.segment, sphere.centre, &place) <= radius * radius;
}

static bool capsule_sweep(ploy_ray3 ray, double moving, ploy_capsule capsule, ploy_hit3 *out) {
    double still = ployi_solid_radius(capsule.radius), radius = moving + still, place;
    ploy_segment3 axis = capsule.segment;
    ployi_dvec3 offset = ployi_segment3_offset(axis.from, axis.to, ray.origin, &place);
    ployi_dvec3 along = ployi_dvec3_of(ray.direction);
    if (ployi_dvec3_dot(offset, offset) < radius * radius) {
        // On the axis itself the way out is square to it, against the ray as far as can be.
        ployi_dvec3 line = ployi_dvec3_unit(ployi_dvec3_between(axis.to, axis.from));
        ployi_dvec3 against =
            ployi_dvec3_sub(ployi_dvec3_scale(line, ployi_dvec3_dot(along, line)), along);
        if (ployi_dvec3_dot(against, against) < 1e-12 && !ployi_dvec3_is_zero(line)) {
            against = ployi_dvec3_of(ploy_vec3_perp(ployi_dvec3_round(line)));
        }
        return ployi_inside_tell(ray, offset, against, still, out);
    }
    ployi_touch touch = {-1.0, {0.0, 0.0, 0.0}};
    ployi_touch_capsule(ployi_dvec3_between(axis.from, ray.origin),
                        ployi_dvec3_between(axis.to, ray.origin), radius, along, &touch);
    return ployi_touch_tell(ray, &touch, moving, out);
}

bool ploy_ray3_hit_capsule(ploy_ray3 ray, ploy_capsule capsule, ploy_hit3 *out) {
    return capsule_sweep(ray, 0.0, capsule, out);
}

bool ploy_sweep3_hit_capsule(ploy_sweep3 sweep, ploy_capsule capsule, ploy_hit3 *out) {
    return capsule_sweep(sweep.ray, ployi_solid_radius(sweep.radius), capsule, out);
}
