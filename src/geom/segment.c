// Segments, rays, walls and planes.
//
// Whether a line passes a segment is decided by the sides on which its two ends lie, each computed
// from that end alone: two segments that share an end get the same number for it, so nothing slips
// through between them, whatever the rounding.
#include "ploy/geom/segment.h"

#include "geom/geom_internal.h"

static double segment_clamp01(double t) {
    return t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
}

// The nearest point's place on from -> to.
static double segment_place(ploy_segment2 segment, ploy_vec2 point) {
    ployi_dvec2 along = ployi_dvec2_between(segment.to, segment.from);
    double length_sq = ployi_dvec2_dot(along, along);
    if (!(length_sq > 0.0)) return 0.0;
    ployi_dvec2 offset = ployi_dvec2_between(point, segment.from);
    return segment_clamp01(ployi_dvec2_dot(offset, along) / length_sq);
}

double ployi_segment2_distance_sq(ploy_segment2 segment, ploy_vec2 point) {
    ployi_dvec2 along = ployi_dvec2_between(segment.to, segment.from);
    ployi_dvec2 offset = ployi_dvec2_between(point, segment.from);
    ployi_dvec2 gap = ployi_dvec2_add_scaled(offset, along, -segment_place(segment, point));
    return ployi_dvec2_dot(gap, gap);
}

static double segment_height3(ploy_plane3 plane, ploy_vec3 point) {
    ploy_vec3 o = plane.point, n = plane.normal;
    return ((double)point.x - (double)o.x) * (double)n.x +
           ((double)point.y - (double)o.y) * (double)n.y +
           ((double)point.z - (double)o.z) * (double)n.z;
}

ploy_vec2 ploy_segment2_closest(ploy_segment2 segment, ploy_vec2 point, float *t) {
    double place = segment_place(segment, point);
    if (t != NULL) *t = (float)place;
    if (place >= 1.0) return segment.to; // exactly, not nearly
    ployi_dvec2 along = ployi_dvec2_between(segment.to, segment.from);
    return ployi_dvec2_round(ployi_dvec2_add_scaled(ployi_dvec2_of(segment.from), along, place));
}

float ploy_segment2_distance_sq(ploy_segment2 segment, ploy_vec2 point) {
    return (float)ployi_segment2_distance_sq(segment, point);
}

float ploy_segment2_distance(ploy_segment2 segment, ploy_vec2 point) {
    return (float)sqrt(ployi_segment2_distance_sq(segment, point));
}

float ploy_segment2_gap_sq(ploy_segment2 a, ploy_segment2 b) {
    if (ploy_segment2_touches(a, b, NULL)) return 0.0f;
    // Segments that do not meet are nearest at an end of one of them.
    double gap = ployi_segment2_distance_sq(a, b.from);
    double others[3] = {ployi_segment2_distance_sq(a, b.to), ployi_segment2_distance_sq(b, a.from),
                        ployi_segment2_distance_sq(b, a.to)};
    for (int32_t i = 0; i < 3; i++) gap = others[i] < gap ? others[i] : gap;
    return (float)gap;
}

static bool segment_tell(ploy_segment2 a, double r, double s, ploy_crossing2 *out) {
    if (out != NULL) {
        ployi_dvec2 along = ployi_dvec2_between(a.to, a.from);
        ployi_dvec2 point = ployi_dvec2_add_scaled(ployi_dvec2_of(a.from), along, r);
        out->r = (float)r;
        out->s = (float)s;
        out->point = ployi_dvec2_round(point);
        out->distance = (float)(r * sqrt(ployi_dvec2_dot(along, along)));
    }
    return true;
}

bool ploy_segment2_crosses(ploy_segment2 a, ploy_segment2 b, ploy_crossing2 *out) {
    ployi_dvec2 along_a = ployi_dvec2_between(a.to, a.from);
    ployi_dvec2 along_b = ployi_dvec2_between(b.to, b.from);
    ployi_dvec2 gap = ployi_dvec2_between(b.from, a.from);
    double den = ployi_dvec2_cross(along_a, along_b);
    if (den == 0.0) return false;
    double r = ployi_dvec2_cross(gap, along_b) / den;
    double s = ployi_dvec2_cross(gap, along_a) / den;
    if (!(r > 0.0 && r < 1.0 && s > 0.0 && s < 1.0)) return false;
    return segment_tell(a, r, s, out);
}

// Both on one line (or points): the first place along a that b covers too.
static bool segment_overlaps(ploy_segment2 a, ploy_segment2 b, ploy_crossing2 *out) {
    ployi_dvec2 along = ployi_dvec2_between(a.to, a.from);
    double length_sq = ployi_dvec2_dot(along, along);
    if (!(length_sq > 0.0)) { // a is a point
        if (ployi_segment2_distance_sq(b, a.from) > 0.0) return false;
        return segment_tell(a, 0.0, segment_place(b, a.from), out);
    }
    double from = ployi_dvec2_dot(ployi_dvec2_between(b.from, a.from), along) / length_sq;
    double to = ployi_dvec2_dot(ployi_dvec2_between(b.to, a.from), along) / length_sq;
    double low = from < to ? from : to, high = from < to ? to : from;
    if (!(low <= 1.0 && high >= 0.0)) return false;
    double r = low > 0.0 ? low : 0.0;
    double s = to == from ? 0.0 : segment_clamp01((r - from) / (to - from));
    return segment_tell(a, r, s, out);
}

bool ploy_segment2_touches(ploy_segment2 a, ploy_segment2 b, ploy_crossing2 *out) {
    ployi_dvec2 along_a = ployi_dvec2_between(a.to, a.from);
    // On which sides of the line through a, seen from a.from, do b's ends lie?
    double side_from = ployi_dvec2_cross(along_a, ployi_dvec2_between(b.from, a.from));
    double side_to = ployi_dvec2_cross(along_a, ployi_dvec2_between(b.to, a.from));
    if (side_from == 0.0 && side_to == 0.0) return segment_overlaps(a, b, out);
    if (!((side_from <= 0.0 && side_to >= 0.0) || (side_from >= 0.0 && side_to <= 0.0))) {
        return false;
    }
    // They differ, so b is no point and not parallel to a.
    double s = side_from / (side_from - side_to);
    ployi_dvec2 along_b = ployi_dvec2_between(b.to, b.from);
    double r =
        ployi_dvec2_cross(ployi_dvec2_between(b.from, a.from), along_b) / (side_to - side_from);
    if (!(r >= 0.0 && r <= 1.0)) return false;
    return segment_tell(a, r, s, out);
}

ploy_ray2 ploy_ray2_make(ploy_vec2 origin, ploy_vec2 direction) {
    ploy_ray2 ray = {origin, ploy_vec2_normalise(direction), INFINITY};
    return ray;
}

ploy_ray3 ploy_ray3_make(ploy_vec3 origin, ploy_vec3 direction) {
    ploy_ray3 ray = {origin, ploy_vec3_normalise(direction), INFINITY};
    return ray;
}

ploy_ray2 ploy_ray2_between(ploy_vec2 from, ploy_vec2 to) {
    ploy_vec2 offset = ploy_vec2_sub(to, from);
    ploy_ray2 ray = {from, ploy_vec2_normalise(offset), ploy_vec2_length(offset)};
    return ray;
}

ploy_ray3 ploy_ray3_between(ploy_vec3 from, ploy_vec3 to) {
    ploy_vec3 offset = ploy_vec3_sub(to, from);
    ploy_ray3 ray = {from, ploy_vec3_normalise(offset), ploy_vec3_length(offset)};
    return ray;
}

bool ploy_ray2_hit_segment(ploy_ray2 ray, ploy_segment2 segment, ploy_hit2 *out) {
    ployi_dvec2 along = ployi_dvec2_of(ray.direction);
    ployi_dvec2 to_from = ployi_dvec2_between(segment.from, ray.origin);
    ployi_dvec2 to_to = ployi_dvec2_between(segment.to, ray.origin);
    double side_from = ployi_dvec2_cross(along, to_from);
    double side_to = ployi_dvec2_cross(along, to_to);
    double distance;
    ploy_vec2 normal;
    if (side_from == 0.0 && side_to == 0.0) {
        // Along the segment, or without direction.
        double from = ployi_dvec2_dot(to_from, along), to = ployi_dvec2_dot(to_to, along);
        double low = from < to ? from : to, high = from < to ? to : from;
        if (!(high >= 0.0)) return false;
        distance = low > 0.0 ? low : 0.0;
        if (ploy_vec2_is_zero(ray.direction)) {
            if (ployi_segment2_distance_sq(segment, ray.origin) > 0.0) return false;
            normal = ploy_segment2_normal(segment);
        } else {
            normal = ploy_vec2_negate(ray.direction);
        }
    } else {
        if (!((side_from <= 0.0 && side_to >= 0.0) || (side_from >= 0.0 && side_to <= 0.0))) {
            return false;
        }
        ployi_dvec2 across = ployi_dvec2_between(segment.to, segment.from);
        distance = ployi_dvec2_cross(to_from, across) / (side_to - side_from);
        normal = ploy_segment2_normal(segment); // to the left; the ray may come from there
        if (side_from > side_to) normal = ploy_vec2_negate(normal);
    }
    if (!(distance >= 0.0 && distance <= (double)ray.length)) return false;
    if (out != NULL) {
        out->distance = (float)distance;
        out->point =
            ployi_dvec2_round(ployi_dvec2_add_scaled(ployi_dvec2_of(ray.origin), along, distance));
        out->normal = normal;
        out->inside = false;
    }
    return true;
}

bool ploy_ray2_hit_plane(ploy_ray2 ray, ploy_plane2 plane, ploy_hit2 *out) {
    ployi_dvec2 normal = ployi_dvec2_of(plane.normal), along = ployi_dvec2_of(ray.direction);
    double height = ployi_dvec2_dot(ployi_dvec2_between(ray.origin, plane.point), normal);
    double rate = ployi_dvec2_dot(along, normal);
    if (height != 0.0 && rate == 0.0) return false;
    double distance = height == 0.0 ? 0.0 : -height / rate;
    if (!(distance >= 0.0 && distance <= (double)ray.length)) return false;
    if (out != NULL) {
        out->distance = (float)distance;
        out->point =
            ployi_dvec2_round(ployi_dvec2_add_scaled(ployi_dvec2_of(ray.origin), along, distance));
        out->normal = rate > 0.0 ? ploy_vec2_negate(plane.normal) : plane.normal;
        out->inside = false;
    }
    return true;
}

bool ploy_ray3_hit_plane(ploy_ray3 ray, ploy_plane3 plane, ploy_hit3 *out) {
    ploy_vec3 n = plane.normal, d = ray.direction, o = ray.origin;
    double height = segment_height3(plane, o);
    double rate = (double)d.x * (double)n.x + (double)d.y * (double)n.y + (double)d.z * (double)n.z;
    if (height != 0.0 && rate == 0.0) return false;
    double distance = height == 0.0 ? 0.0 : -height / rate;
    if (!(distance >= 0.0 && distance <= (double)ray.length)) return false;
    if (out != NULL) {
        out->distance = (float)distance;
        out->point = ploy_vec3_make((float)((double)o.x + (double)d.x * distance),
                                    (float)((double)o.y + (double)d.y * distance),
                                    (float)((double)o.z + (double)d.z * distance));
        out->normal = rate > 0.0 ? ploy_vec3_negate(n) : n;
        out->inside = false;
    }
    return true;
}

ploy_wall ploy_wall_make(ploy_vec2 from, ploy_vec2 to) {
    ploy_wall wall = {{from, to}, ploy_segment2_normal(ploy_segment2_make(from, to))};
    return wall;
}

ploy_plane2 ployi_wall_plane(ploy_wall wall) {
    ploy_plane2 plane = {wall.segment.from, wall.normal};
    return plane;
}

ploy_plane2 ploy_plane2_make(ploy_vec2 point, ploy_vec2 normal) {
    ploy_plane2 plane = {point, ploy_vec2_normalise(normal)};
    return plane;
}

ploy_plane3 ploy_plane3_make(ploy_vec3 point, ploy_vec3 normal) {
    ploy_plane3 plane = {point, ploy_vec3_normalise(normal)};
    return plane;
}

float ploy_plane2_distance(ploy_plane2 plane, ploy_vec2 point) {
    return (float)ployi_dvec2_dot(ployi_dvec2_between(point, plane.point),
                                  ployi_dvec2_of(plane.normal));
}

float ploy_plane3_distance(ploy_plane3 plane, ploy_vec3 point) {
    return (float)segment_height3(plane, point);
}

int32_t ploy_plane2_side(ploy_plane2 plane, ploy_vec2 point) {
    float distance = ploy_plane2_distance(plane, point);
    return (distance > 0.0f) - (distance < 0.0f);
}

int32_t ploy_plane3_side(ploy_plane3 plane, ploy_vec3 point) {
    float distance = ploy_plane3_distance(plane, point);
    return (distance > 0.0f) - (distance < 0.0f);
}
