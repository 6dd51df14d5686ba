/// @file ploy/geom/capsule.h
/// Segments in space, and capsules: thick segments, such as the bodies of upright characters.
///
/// A capsule of length 0 is a sphere and one of radius 0 is a segment; both are valid. A ray never
/// hits a segment of radius 0. Otherwise as in sphere.h: capsules are solid, a start strictly
/// inside is a hit at distance 0, and merely touching does not stop a sweep. Units: metres. Pure;
/// any thread.
#pragma once

#include "ploy/geom/sphere.h"

typedef struct ploy_segment3 {
    ploy_vec3 from, to;
} ploy_segment3;

typedef struct ploy_capsule {
    ploy_segment3 segment; ///< its axis
    float radius;          ///< m
} ploy_capsule;

/// Makes a segment from its two ends.
static inline ploy_segment3 ploy_segment3_make(ploy_vec3 from, ploy_vec3 to) {
    ploy_segment3 segment = {from, to};
    return segment;
}

/// Makes a capsule from its ends and radius.
static inline ploy_capsule ploy_capsule_make(ploy_vec3 from, ploy_vec3 to, float radius) {
    ploy_capsule capsule = {{from, to}, radius};
    return capsule;
}

/// Makes an upright capsule above its lowest point. height is the total height, including both
/// round ends; at least 2 radii.
PLOY_API ploy_capsule ploy_capsule_upright(ploy_vec3 foot, float height, float radius);

/// The box around a capsule.
PLOY_API ploy_box3 ploy_box3_of_capsule(ploy_capsule capsule);

/// The point of the segment nearest to a point. @param t  its position on the segment, 0 to 1; may
/// be NULL.
PLOY_API ploy_vec3 ploy_segment3_closest(ploy_segment3 segment, ploy_vec3 point, float *t);
PLOY_API float ploy_segment3_distance_sq(ploy_segment3 segment, ploy_vec3 point);

/// The squared distance between two segments, and the places where they are nearest (the first
/// found, if several are equally near). @param s, t  positions on a and b, 0 to 1; may be NULL.
PLOY_API float ploy_segment3_gap_sq(ploy_segment3 a, ploy_segment3 b, float *s, float *t);

/// True if the point is in the capsule or on its surface.
PLOY_API bool ploy_capsule_contains(ploy_capsule capsule, ploy_vec3 point);

/// The point of the solid capsule nearest to a point: the point itself if it is inside.
PLOY_API ploy_vec3 ploy_capsule_closest(ploy_capsule capsule, ploy_vec3 point);

/// True if the two share a point; touching counts.
PLOY_API bool ploy_capsule_overlaps(ploy_capsule a, ploy_capsule b);
PLOY_API bool ploy_capsule_overlaps_sphere(ploy_capsule capsule, ploy_sphere sphere);

/// Finds where a ray enters a capsule, and where a moving sphere first touches it.
/// @param out  set only if true is returned; may be NULL.
PLOY_API bool ploy_ray3_hit_capsule(ploy_ray3 ray, ploy_capsule capsule, ploy_hit3 *out);
PLOY_API bool ploy_sweep3_hit_capsule(ploy_sweep3 sweep, ploy_capsule capsule, ploy_hit3 *out);
