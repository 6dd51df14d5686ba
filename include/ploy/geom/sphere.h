/// @file ploy/geom/sphere.h
/// Spheres, and moving spheres: bodies that fly and swim.
///
/// The rules are those of circle.h: a sphere is solid, and a ray or sweep that starts strictly
/// inside hits it at distance 0 with `inside` set and the normal pointing away from the centre.
/// Shapes at rest that touch count as overlapping; a ray or sweep that only touches while it slides
/// past or moves away hits nothing. A radius below 0 or NaN counts as 0.
///
/// A sweep is a sphere moved along a ray; `point` of its hit is the point of contact, and the
/// centre is then at ploy_ray3_at(sweep.ray, hit.distance). Inner sums are double, so coordinates
/// up to 1e9 m are fine; NaN input gives false. Units: metres. Everything here is pure; any thread.
#pragma once

#include "ploy/geom/box.h"
#include "ploy/geom/segment.h"

typedef struct ploy_sphere {
    ploy_vec3 centre;
    float radius; ///< m
} ploy_sphere;

/// A sphere moved along a ray.
typedef struct ploy_sweep3 {
    ploy_ray3 ray;
    float radius; ///< m
} ploy_sweep3;

static inline ploy_sphere ploy_sphere_make(ploy_vec3 centre, float radius) {
    ploy_sphere sphere = {centre, radius};
    return sphere;
}

/// Makes the sweep of a sphere from one position to another.
PLOY_API ploy_sweep3 ploy_sweep3_between(ploy_vec3 from, ploy_vec3 to, float radius);

/// The box around a sphere.
PLOY_API ploy_box3 ploy_box3_of_sphere(ploy_sphere sphere);

/// True if the point is in the sphere or on its surface.
PLOY_API bool ploy_sphere_contains(ploy_sphere sphere, ploy_vec3 point);

/// The point of the solid sphere nearest to a point: the point itself if it is inside.
PLOY_API ploy_vec3 ploy_sphere_closest(ploy_sphere sphere, ploy_vec3 point);

/// True if the two share a point; touching counts.
PLOY_API bool ploy_sphere_overlaps(ploy_sphere a, ploy_sphere b);
PLOY_API bool ploy_sphere_overlaps_box(ploy_sphere sphere, ploy_box3 box);

/// +1 if all of the sphere is in front of the plane, -1 if all is behind, 0 if they share a point.
PLOY_API int32_t ploy_sphere_side(ploy_sphere sphere, ploy_plane3 plane);

/// Finds where a ray enters a sphere.
/// @param out  set only if true is returned; may be NULL. The same applies to all functions below.
PLOY_API bool ploy_ray3_hit_sphere(ploy_ray3 ray, ploy_sphere sphere, ploy_hit3 *out);

/// Finds the first contact of a moving sphere with a sphere at rest, a plane (from either side; if
/// the sphere cuts the plane at the start, it starts inside) or a box.
PLOY_API bool ploy_sweep3_hit_sphere(ploy_sweep3 sweep, ploy_sphere sphere, ploy_hit3 *out);
PLOY_API bool ploy_sweep3_hit_plane(ploy_sweep3 sweep, ploy_plane3 plane, ploy_hit3 *out);
PLOY_API bool ploy_sweep3_hit_box(ploy_sweep3 sweep, ploy_box3 box, ploy_hit3 *out);
