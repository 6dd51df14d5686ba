/// @file ploy/geom/triangle.h
/// Triangles in space: the pieces of floors and walls.
///
/// A triangle is thin and has two sides; its front is where a, b, c appear counter-clockwise. Rays
/// and sweeps hit it from both sides, and the returned normal is against them. A triangle without
/// area is the segments of its edges: nearest points and moving spheres find them, a ray hits
/// nothing. Watertight: a ray through an edge that two triangles share hits at least one of them,
/// within double precision. A ray in the triangle's plane hits nothing. Units: metres. Pure; any
/// thread.
#pragma once

#include "ploy/geom/sphere.h"

typedef struct ploy_triangle3 {
    ploy_vec3 a, b, c;
} ploy_triangle3;

/// Makes a triangle from its corners.
static inline ploy_triangle3 ploy_triangle3_make(ploy_vec3 a, ploy_vec3 b, ploy_vec3 c) {
    ploy_triangle3 triangle = {a, b, c};
    return triangle;
}

/// The unit normal of the front; zero without area.
PLOY_API ploy_vec3 ploy_triangle3_normal(ploy_triangle3 triangle);

/// m^2.
PLOY_API float ploy_triangle3_area(ploy_triangle3 triangle);

/// The box around a triangle.
PLOY_API ploy_box3 ploy_box3_of_triangle(ploy_triangle3 triangle);

/// The point of the triangle nearest to a point, and the squared distance to it.
PLOY_API ploy_vec3 ploy_triangle3_closest(ploy_triangle3 triangle, ploy_vec3 point);
PLOY_API float ploy_triangle3_distance_sq(ploy_triangle3 triangle, ploy_vec3 point);

/// True if the two share a point; touching counts.
PLOY_API bool ploy_triangle3_overlaps_sphere(ploy_triangle3 triangle, ploy_sphere sphere);

/// The same with a box. Technique: separating axes (Akenine-Moeller, "Fast 3D Triangle-Box Overlap
/// Testing", 2001).
PLOY_API bool ploy_triangle3_overlaps_box(ploy_triangle3 triangle, ploy_box3 box);

/// Finds where a ray hits the triangle, and where a moving sphere first touches it.
/// @param out  set only if true is returned; may be NULL.
PLOY_API bool ploy_ray3_hit_triangle(ploy_ray3 ray, ploy_triangle3 triangle, ploy_hit3 *out);
PLOY_API bool ploy_sweep3_hit_triangle(ploy_sweep3 sweep, ploy_triangle3 triangle, ploy_hit3 *out);
