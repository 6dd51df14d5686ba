/// @file ploy/geom/segment.h
/// Segments, rays, walls and planes: line of sight, feelers, goal lines.
///
/// A segment has two ends. A ray has an origin, a unit direction and a length, which may be
/// infinite. A wall is a segment with a front; a plane (a line, in two dimensions) has no ends. The
/// first hit of a ray or a sweep is returned as a ploy_hit2, with the same naming for all shapes:
/// ploy_ray2_hit_<shape>, ploy_sweep_hit_<shape>.
///
/// Degenerate shapes are valid: a segment of length 0 is a point, and a ray without a direction
/// hits only what it starts in. Inner sums are double, so coordinates up to 1e9 m are fine; NaN
/// input gives false. Units: metres. Everything here is pure; any thread.
#pragma once

#include "ploy/geom/vec.h"

typedef struct ploy_segment2 {
    ploy_vec2 from, to;
} ploy_segment2;

typedef struct ploy_ray2 {
    ploy_vec2 origin;
    ploy_vec2 direction; ///< unit, or zero
    float length;        ///< m; INFINITY for no end
} ploy_ray2;

typedef struct ploy_ray3 {
    ploy_vec3 origin;
    ploy_vec3 direction; ///< unit, or zero
    float length;        ///< m; INFINITY for no end
} ploy_ray3;

/// The first hit of a ray or sweep.
typedef struct ploy_hit2 {
    float distance;   ///< m along the ray
    ploy_vec2 point;  ///< on the shape that was hit
    ploy_vec2 normal; ///< unit, out of the shape, against the ray
    bool inside;      ///< the start was inside the shape; distance is 0
} ploy_hit2;

typedef struct ploy_hit3 {
    float distance;
    ploy_vec3 point;
    ploy_vec3 normal;
    bool inside;
} ploy_hit3;

/// A segment with a front: obstacles and the edges of a pitch.
typedef struct ploy_wall {
    ploy_segment2 segment;
    ploy_vec2 normal; ///< unit
} ploy_wall;

/// An infinite line, given by a point and a normal.
typedef struct ploy_plane2 {
    ploy_vec2 point;
    ploy_vec2 normal; ///< unit
} ploy_plane2;

typedef struct ploy_plane3 {
    ploy_vec3 point;
    ploy_vec3 normal; ///< unit
} ploy_plane3;

/// How two segments meet.
typedef struct ploy_crossing2 {
    float r;         ///< along the first, 0 at `from`, 1 at `to`
    float s;         ///< along the second
    ploy_vec2 point; ///< on both
    float distance;  ///< m from the first segment's `from`
} ploy_crossing2;

static inline ploy_segment2 ploy_segment2_make(ploy_vec2 from, ploy_vec2 to) {
    ploy_segment2 segment = {from, to};
    return segment;
}

static inline float ploy_segment2_length(ploy_segment2 segment) {
    return ploy_vec2_distance(segment.from, segment.to);
}

/// The point at t: `from` at t = 0, `to` at t = 1.
static inline ploy_vec2 ploy_segment2_at(ploy_segment2 segment, float t) {
    return ploy_vec2_lerp(segment.from, segment.to, t);
}

/// The unit normal, to the left of from -> to; zero for a point.
static inline ploy_vec2 ploy_segment2_normal(ploy_segment2 segment) {
    return ploy_vec2_perp(ploy_vec2_normalise(ploy_vec2_sub(segment.to, segment.from)));
}

/// The point of the segment nearest to a point. @param t  its position on the segment, 0 to 1; may
/// be NULL.
PLOY_API ploy_vec2 ploy_segment2_closest(ploy_segment2 segment, ploy_vec2 point, float *t);

/// The distance (squared, plain) from a point to the segment.
PLOY_API float ploy_segment2_distance_sq(ploy_segment2 segment, ploy_vec2 point);
PLOY_API float ploy_segment2_distance(ploy_segment2 segment, ploy_vec2 point);

/// The squared distance between two segments; 0 if they touch.
PLOY_API float ploy_segment2_gap_sq(ploy_segment2 a, ploy_segment2 b);

/// True if the segments cross at inner points: end points do not count, and neither do parallel
/// segments, even if they overlap. @param out  may be NULL.
PLOY_API bool ploy_segment2_crosses(ploy_segment2 a, ploy_segment2 b, ploy_crossing2 *out);

/// True if the segments share any point, ends included. If they overlap along a line, the shared
/// point nearest to a.from is returned. Watertight: a segment that passes where two others share an
/// end touches at least one of them. @param out  may be NULL.
PLOY_API bool ploy_segment2_touches(ploy_segment2 a, ploy_segment2 b, ploy_crossing2 *out);

/// Makes an infinite ray; the direction may have any length.
PLOY_API ploy_ray2 ploy_ray2_make(ploy_vec2 origin, ploy_vec2 direction);
PLOY_API ploy_ray3 ploy_ray3_make(ploy_vec3 origin, ploy_vec3 direction);

/// Makes a ray that ends at the second point.
PLOY_API ploy_ray2 ploy_ray2_between(ploy_vec2 from, ploy_vec2 to);
PLOY_API ploy_ray3 ploy_ray3_between(ploy_vec3 from, ploy_vec3 to);

static inline ploy_vec2 ploy_ray2_at(ploy_ray2 ray, float distance) {
    return ploy_vec2_add_scaled(ray.origin, ray.direction, distance);
}

static inline ploy_vec3 ploy_ray3_at(ploy_ray3 ray, float distance) {
    return ploy_vec3_add_scaled(ray.origin, ray.direction, distance);
}

/// Finds the first point of the segment on the ray, ends included; watertight as above. Segments
/// are thin: no start is inside one. If the ray runs along the segment, the normal is against the
/// ray.
/// @param out  set only if true is returned; may be NULL.
PLOY_API bool ploy_ray2_hit_segment(ploy_ray2 ray, ploy_segment2 segment, ploy_hit2 *out);

/// Finds where the ray hits the plane, from either side. A ray in the plane hits it at distance 0,
/// with the plane's normal.
PLOY_API bool ploy_ray2_hit_plane(ploy_ray2 ray, ploy_plane2 plane, ploy_hit2 *out);
PLOY_API bool ploy_ray3_hit_plane(ploy_ray3 ray, ploy_plane3 plane, ploy_hit3 *out);

/// Makes a wall whose normal is to the left of from -> to: the walls of a boundary listed
/// counter-clockwise face inward. (On a screen with y down: listed clockwise.)
PLOY_API ploy_wall ploy_wall_make(ploy_vec2 from, ploy_vec2 to);

/// Makes a plane. The normal may have any length; zero stays zero, and such a plane has no sides.
PLOY_API ploy_plane2 ploy_plane2_make(ploy_vec2 point, ploy_vec2 normal);
PLOY_API ploy_plane3 ploy_plane3_make(ploy_vec3 point, ploy_vec3 normal);

/// Metres in front of the plane; below 0 behind it.
PLOY_API float ploy_plane2_distance(ploy_plane2 plane, ploy_vec2 point);
PLOY_API float ploy_plane3_distance(ploy_plane3 plane, ploy_vec3 point);

/// +1 in front of the plane, -1 behind, 0 on it.
PLOY_API int32_t ploy_plane2_side(ploy_plane2 plane, ploy_vec2 point);
PLOY_API int32_t ploy_plane3_side(ploy_plane3 plane, ploy_vec3 point);
