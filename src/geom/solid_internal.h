// Shared between the shapes of space: vectors in double, and the moving sphere's first touch with a
// point and a segment, of which the larger shapes are made.
//
// A sphere that moves meets a shape where its centre meets the shape grown by its radius (the
// Minkowski sum). Grown by a radius a point is a sphere, a segment a capsule, a triangle a thick
// plate with three capsules for its rim, a box a larger box with capsules for its edges.
#pragma once

#include "ploy/geom/segment.h"
#include "ploy/geom/vec.h"

typedef struct ployi_dvec3 {
    double x, y, z;
} ployi_dvec3;

static inline ployi_dvec3 ployi_dvec3_make(double x, double y, double z) {
    ployi_dvec3 v = {x, y, z};
    return v;
}

static inline ployi_dvec3 ployi_dvec3_of(ploy_vec3 v) {
    return ployi_dvec3_make((double)v.x, (double)v.y, (double)v.z);
}

// a - b
static inline ployi_dvec3 ployi_dvec3_between(ploy_vec3 a, ploy_vec3 b) {
    return ployi_dvec3_make((double)a.x - (double)b.x, (double)a.y - (double)b.y,
                            (double)a.z - (double)b.z);
}

static inline ployi_dvec3 ployi_dvec3_sub(ployi_dvec3 a, ployi_dvec3 b) {
    return ployi_dvec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline ployi_dvec3 ployi_dvec3_scale(ployi_dvec3 v, double factor) {
    return ployi_dvec3_make(v.x * factor, v.y * factor, v.z * factor);
}

static inline ployi_dvec3 ployi_dvec3_add_scaled(ployi_dvec3 a, ployi_dvec3 b, double factor) {
    return ployi_dvec3_make(a.x + b.x * factor, a.y + b.y * factor, a.z + b.z * factor);
}

static inline double ployi_dvec3_dot(ployi_dvec3 a, ployi_dvec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ployi_dvec3 ployi_dvec3_cross(ployi_dvec3 a, ployi_dvec3 b) {
    return ployi_dvec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline bool ployi_dvec3_is_zero(ployi_dvec3 v) {
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

static inline ploy_vec3 ployi_dvec3_round(ployi_dvec3 v) {
    return ploy_vec3_make((float)v.x, (float)v.y, (float)v.z);
}

// A unit vector, or zero. Floats squared fit a double from the smallest to the largest.
static inline ployi_dvec3 ployi_dvec3_unit(ployi_dvec3 v) {
    double length = sqrt(ployi_dvec3_dot(v, v));
    if (!(length > 0.0)) return ployi_dvec3_make(0.0, 0.0, 0.0);
    return ployi_dvec3_make(v.x / length, v.y / length, v.z / length);
}

// A radius as the shapes read it: below 0 and NaN count as 0.
static inline double ployi_solid_radius(float radius) {
    return radius > 0.0f ? (double)radius : 0.0;
}

// In sphere.c. All places are given from the ray's origin.

// The first touch found so far; distance -1: none.
typedef struct ployi_touch {
    double distance;
    ployi_dvec3 normal; // unit, out of the shape
} ployi_touch;

// Distance along the ray to a sphere that the origin is not strictly inside; -1 if it is not met.
// `along` need not be of unit length: the answer counts in its lengths.
double ployi_enter_sphere(ployi_dvec3 centre, double radius, ployi_dvec3 along);
// Makes *best the touch with a capsule, or a sphere if from = to, if that comes sooner.
void ployi_touch_capsule(ployi_dvec3 from, ployi_dvec3 to, double radius, ployi_dvec3 along,
                         ployi_touch *best);
// Fills a hit. A start inside is reported as the vector from the nearest point of the shape's skeleton (a
// centre, an axis, a thin plate) to the origin and how thick the shape is around it.
bool ployi_touch_tell(ploy_ray3 ray, const ployi_touch *touch, double moving, ploy_hit3 *out);
bool ployi_inside_tell(ploy_ray3 ray, ployi_dvec3 offset, ployi_dvec3 fallback, double still,
                       ploy_hit3 *out);

// In triangle.c: where a ray meets a triangle whose corners are given from its origin; *front is
// its unit normal and *rate how fast the ray goes along that.
bool ployi_enter_triangle(ployi_dvec3 a, ployi_dvec3 b, ployi_dvec3 c, ployi_dvec3 along,
                          double *distance, ployi_dvec3 *front, double *rate);

// In capsule.c: the place of the nearest point on a segment, 0 to 1, and the vector from it to the
// point.
ployi_dvec3 ployi_segment3_offset(ploy_vec3 from, ploy_vec3 to, ploy_vec3 point, double *place);
