/// @file ploy/geom/capsule.h
/// Segments in space, and capsules: segments with a thickness, the bodies of upright characters.
///
/// A capsule of no length is a sphere, one of no radius a segment; both work. A thin ray meets no
/// thin segment: in space they pass. Otherwise as sphere.h: solid, strictly inside is a hit at
/// distance 0, bare touch does not stop a sweep. Units: metres. Everything here is pure; any
/// thread.
#pragma once

#include "ploy/geom/sphere.h"

typedef struct ploy_segment3 {
    ploy_vec3 from, to;
} ploy_segment3;

typedef struct ploy_capsule {
    ploy_segment3 segment; ///< its axis
    float radius;          ///< m
} ploy_capsule;

/// The two ends put together.
static inline ploy_segment3 ploy_segment3_make(ploy_vec3 from, ploy_vec3 to) {
    ploy_segment3 segment = {from, to};
    return segment;
}

/// The parts put together.
static inline ploy_capsule ploy_capsule_make(ploy_vec3 from, ploy_vec3 to, float radius) {
    ploy_capsule capsule = {{from, to}, radius};
    return capsule;
}

/// The upright capsule above its foot: height is from foot to crown, both round. No lower
/// than 2 radii.
PLOY_API ploy_capsule ploy_capsule_upright(ploy_vec3 foot, float height, float radius);

/// The box around a capsule.
PLOY_API ploy_box3 ploy_box3_of_capsule(ploy_capsule capsule);

/// The point of the segment nearest to a point. @param t  its place, 0 to 1; may be NULL.
PLOY_API ploy_vec3 ploy_segment3_closest(ploy_segment3 segment, ploy_vec3 point, float *t);
PLOY_API float ploy_segment3_distance_sq(ploy_segment3 segment, ploy_vec3 point);

/// The smallest distance between two segments, squared, and the places where it is reached (the
/// first found, where several are as near). @param s, t  on a and b, 0 to 1; may be NULL.
PLOY_API float ploy_segment3_gap_sq(ploy_segment3 a, ploy_segment3 b, float *s, float *t);

/// True if the point is in the capsule or on its surface.
PLOY_API bool ploy_capsule_contains(ploy_capsule capsule, ploy_vec3 point);

/// The point of the solid capsule nearest to a point: the point itself if it is inside.
PLOY_API ploy_vec3 ploy_capsule_closest(ploy_capsule capsule, ploy_vec3 point);

/// True if the two share a point; touching counts.
PLOY_API bool ploy_capsule_overlaps(ploy_capsule a, ploy_capsule b);
PLOY_API bool ploy_capsule_overlaps_sphere(ploy_capsule capsule, ploy_sphere sphere);

/// Where a ray enters a capsule, and where a moving sphere touches it first.
/// @param out  set only if true is returned; may be NULL.
PLOY_API bool ploy_ray3_hit_capsule(ploy_ray3 ray, ploy_capsule capsule, ploy_hit3 *out);
PLOY_API bool ploy_sweep3_hit_capsule(ploy_sweep3 sweep, ploy_capsule capsule, ploy_hit3 *out);
