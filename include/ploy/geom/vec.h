/// @file ploy/geom/vec.h
/// Vectors in 2D (the plane) and 3D (space). Plain data, passed by value; almost everything is
/// inline.
///
/// As a velocity, a vector is a direction and a speed; as a position, metres from the origin.
/// Functions that make sense for both vec2 and vec3 have the same name.
///
/// Ranges: finite in gives finite out for coordinates up to 1e18. length, distance, normalise,
/// with_length and limit scale very small and very large vectors first, so that squares neither
/// overflow nor underflow. The scaling is a selection, not a branch, so loops over these functions
/// vectorise. The `_sq` forms are plain sums of squares: compare them with squared thresholds.
/// Below 1e-19 m squares underflow, and points closer than that count as equal.
///
/// Normalising a zero vector gives zero and never traps. All functions are pure and may be called
/// from any thread.
///
/// The inline functions are compiled into your code. For bit-identical results, compile it as ploy
/// is compiled: with -ffp-contract=off and never with -ffast-math.
#pragma once

#include "ploy/base/api.h"

#include <math.h>

typedef struct ploy_vec2 {
    float x, y;
} ploy_vec2;

typedef struct ploy_vec3 {
    float x, y, z;
} ploy_vec3;

/// A view of points in the owner's layout: packed (stride sizeof(float) over two arrays, or
/// sizeof(ploy_vec2) over one) or inside a game's own structs. Borrowed; nothing is written.
typedef struct ploy_points {
    const float *x;
    const float *y;
    size_t stride; ///< bytes from one point to the next
    int32_t count;
} ploy_points;

/// Makes a view of an array of vectors.
PLOY_API ploy_points ploy_points_make(const ploy_vec2 *points, int32_t count);

/// Point `index` of a view; not checked.
static inline ploy_vec2 ploy_points_get(const ploy_points *points, int32_t index) {
    size_t offset = (size_t)index * points->stride;
    ploy_vec2 v = {*(const float *)(const void *)((const char *)points->x + offset),
                   *(const float *)(const void *)((const char *)points->y + offset)};
    return v;
}

// The plane.

/// Makes a vector from two components.
static inline ploy_vec2 ploy_vec2_make(float x, float y) {
    ploy_vec2 v = {x, y};
    return v;
}

/// Zero: no motion, or the origin.
static inline ploy_vec2 ploy_vec2_zero(void) {
    ploy_vec2 v = {0.0f, 0.0f};
    return v;
}

/// True if every component is exactly zero.
static inline bool ploy_vec2_is_zero(ploy_vec2 v) {
    return v.x == 0.0f && v.y == 0.0f;
}

/// True if exactly equal; false if a component is NaN.
static inline bool ploy_vec2_equal(ploy_vec2 a, ploy_vec2 b) {
    return a.x == b.x && a.y == b.y;
}

/// True if no component differs by more than tolerance.
static inline bool ploy_vec2_near(ploy_vec2 a, ploy_vec2 b, float tolerance) {
    return fabsf(a.x - b.x) <= tolerance && fabsf(a.y - b.y) <= tolerance;
}

/// False if a component is NaN or infinite.
static inline bool ploy_vec2_is_finite(ploy_vec2 v) {
    return fabsf(v.x) <= FLT_MAX && fabsf(v.y) <= FLT_MAX;
}

static inline ploy_vec2 ploy_vec2_add(ploy_vec2 a, ploy_vec2 b) {
    return ploy_vec2_make(a.x + b.x, a.y + b.y);
}

static inline ploy_vec2 ploy_vec2_sub(ploy_vec2 a, ploy_vec2 b) {
    return ploy_vec2_make(a.x - b.x, a.y - b.y);
}

/// The opposite direction.
static inline ploy_vec2 ploy_vec2_negate(ploy_vec2 v) {
    return ploy_vec2_make(-v.x, -v.y);
}

static inline ploy_vec2 ploy_vec2_scale(ploy_vec2 v, float factor) {
    return ploy_vec2_make(v.x * factor, v.y * factor);
}

/// a + b * factor, such as position + velocity * dt.
static inline ploy_vec2 ploy_vec2_add_scaled(ploy_vec2 a, ploy_vec2 b, float factor) {
    return ploy_vec2_make(a.x + b.x * factor, a.y + b.y * factor);
}

/// v / divisor; zero if the divisor is 0.
static inline ploy_vec2 ploy_vec2_divide(ploy_vec2 v, float divisor) {
    bool zero = divisor == 0.0f;
    float d = zero ? 1.0f : divisor;
    return ploy_vec2_make(zero ? 0.0f : v.x / d, zero ? 0.0f : v.y / d);
}

/// The smaller (min) or larger (max) value of each component.
static inline ploy_vec2 ploy_vec2_min(ploy_vec2 a, ploy_vec2 b) {
    return ploy_vec2_make(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y);
}

static inline ploy_vec2 ploy_vec2_max(ploy_vec2 a, ploy_vec2 b) {
    return ploy_vec2_make(b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y);
}

/// |a| |b| cos(angle between them): above 0 within a quarter turn, below 0 beyond.
static inline float ploy_vec2_dot(ploy_vec2 a, ploy_vec2 b) {
    return a.x * b.x + a.y * b.y;
}

/// |a| |b| sin(angle from a to b): above 0 if b is counter-clockwise of a.
static inline float ploy_vec2_cross(ploy_vec2 a, ploy_vec2 b) {
    return a.x * b.y - a.y * b.x;
}

/// v turned a quarter turn counter-clockwise: the side vector of a heading.
static inline ploy_vec2 ploy_vec2_perp(ploy_vec2 v) {
    return ploy_vec2_make(-v.y, v.x);
}

/// The squared length (below: distance): cheaper than the length, and enough for comparisons.
static inline float ploy_vec2_length_sq(ploy_vec2 v) {
    return ploy_vec2_dot(v, v);
}

static inline float ploy_vec2_distance_sq(ploy_vec2 a, ploy_vec2 b) {
    return ploy_vec2_length_sq(ploy_vec2_sub(a, b));
}

// A power of two, and its inverse, that scales a vector whose largest component is m so that
// squares neither overflow nor lose digits. Multiplying by either is exact.
static inline float ployi_vec_scale(float m) {
    float up = m < 0x1p-40f ? 0x1p90f : 1.0f;
    return m > 0x1p60f ? 0x1p-70f : up;
}

static inline float ployi_vec_unscale(float m) {
    float down = m < 0x1p-40f ? 0x1p-90f : 1.0f;
    return m > 0x1p60f ? 0x1p70f : down;
}

static inline float ployi_vec2_largest(ploy_vec2 v) {
    float ax = fabsf(v.x), ay = fabsf(v.y);
    return ax > ay ? ax : ay;
}

/// The length of the vector; for a velocity, the speed.
static inline float ploy_vec2_length(ploy_vec2 v) {
    float m = ployi_vec2_largest(v);
    return sqrtf(ploy_vec2_length_sq(ploy_vec2_scale(v, ployi_vec_scale(m)))) *
           ployi_vec_unscale(m);
}

/// The distance between two points.
static inline float ploy_vec2_distance(ploy_vec2 a, ploy_vec2 b) {
    return ploy_vec2_length(ploy_vec2_sub(a, b));
}

/// The vector of the given length in the direction of v; zero if v is zero. Exact along an axis.
static inline ploy_vec2 ploy_vec2_with_length(ploy_vec2 v, float length) {
    ploy_vec2 w = ploy_vec2_scale(v, ployi_vec_scale(ployi_vec2_largest(v)));
    float l = sqrtf(ploy_vec2_length_sq(w));
    float d = l == 0.0f ? 1.0f : l; // a zero vector is divided by one and stays zero
    return ploy_vec2_make(w.x / d * length, w.y / d * length);
}

/// The unit vector in the direction of v; zero stays zero. (1, 0) for any (x, 0), x > 0.
static inline ploy_vec2 ploy_vec2_normalise(ploy_vec2 v) {
    return ploy_vec2_with_length(v, 1.0f);
}

/// v if it is no longer than max, otherwise v shortened to max. Never lengthens; max below 0 or
/// NaN counts as 0.
static inline ploy_vec2 ploy_vec2_limit(ploy_vec2 v, float max) {
    float limit = max > 0.0f ? max : 0.0f;
    float s = ployi_vec_scale(ployi_vec2_largest(v));
    ploy_vec2 w = ploy_vec2_scale(v, s);
    float l = sqrtf(ploy_vec2_length_sq(w));
    bool longer = l > limit * s;
    float d = l == 0.0f ? 1.0f : l;
    return ploy_vec2_make(longer ? w.x / d * limit : v.x, longer ? w.y / d * limit : v.y);
}

/// Interpolates from a at t = 0 to b at t = 1, exactly b at 1. Other values of t extrapolate.
static inline ploy_vec2 ploy_vec2_lerp(ploy_vec2 a, ploy_vec2 b, float t) {
    float u = 1.0f - t;
    return ploy_vec2_make(a.x * u + b.x * t, a.y * u + b.y * t);
}

/// Moves from `from` toward `to` by at most `step`; exactly `to` if it is within one step. A step
/// below 0 does not move.
static inline ploy_vec2 ploy_vec2_toward(ploy_vec2 from, ploy_vec2 to, float step) {
    ploy_vec2 offset = ploy_vec2_sub(to, from);
    ploy_vec2 part = ploy_vec2_limit(offset, step);
    bool there = ploy_vec2_equal(offset, part);
    return ploy_vec2_make(there ? to.x : from.x + part.x, there ? to.y : from.y + part.y);
}

/// v reflected off a surface with the given unit normal: v - 2 (v . n) n.
static inline ploy_vec2 ploy_vec2_reflect(ploy_vec2 v, ploy_vec2 normal) {
    return ploy_vec2_add_scaled(v, normal, -2.0f * ploy_vec2_dot(v, normal));
}

/// The component of v along a unit axis (project), and the rest of v (reject).
static inline ploy_vec2 ploy_vec2_project(ploy_vec2 v, ploy_vec2 axis) {
    return ploy_vec2_scale(axis, ploy_vec2_dot(v, axis));
}

static inline ploy_vec2 ploy_vec2_reject(ploy_vec2 v, ploy_vec2 axis) {
    return ploy_vec2_sub(v, ploy_vec2_project(v, axis));
}

/// v resolved along a unit axis and its perp: x is the component along the axis, y the component
/// across it (above 0 counter-clockwise). They are |v| cos and |v| sin of the angle from the axis
/// to v.
static inline ploy_vec2 ploy_vec2_resolve(ploy_vec2 v, ploy_vec2 axis) {
    return ploy_vec2_make(ploy_vec2_dot(v, axis), ploy_vec2_cross(axis, v));
}

/// v turned by the angle of a unit heading (the complex product); resolve turns it back.
static inline ploy_vec2 ploy_vec2_rotate_by(ploy_vec2 v, ploy_vec2 heading) {
    return ploy_vec2_make(v.x * heading.x - v.y * heading.y, v.x * heading.y + v.y * heading.x);
}

/// v turned counter-clockwise about the origin by an angle in radians.
PLOY_API ploy_vec2 ploy_vec2_rotate(ploy_vec2 v, float angle);

/// The side of a on which b is: +1 counter-clockwise (or on the same line), -1 clockwise. On a
/// screen with y down, +1 is clockwise; the numbers stay the same.
static inline float ploy_vec2_side(ploy_vec2 a, ploy_vec2 b) {
    return ploy_vec2_cross(a, b) < 0.0f ? -1.0f : 1.0f;
}

/// The angle between two vectors of any length, in [0, pi]; 0 if one is zero.
PLOY_API float ploy_vec2_angle_between(ploy_vec2 a, ploy_vec2 b);

/// The turn from a to b, in (-pi, pi]: positive counter-clockwise; 0 if one is zero.
PLOY_API float ploy_vec2_angle_to(ploy_vec2 a, ploy_vec2 b);

/// True if the point is in front of an agent at that position with that heading: less than a
/// quarter turn to either side.
static inline bool ploy_vec2_in_front(ploy_vec2 position, ploy_vec2 heading, ploy_vec2 point) {
    return ploy_vec2_dot(heading, ploy_vec2_sub(point, position)) > 0.0f;
}

// Space.

/// Makes a vector from three components.
static inline ploy_vec3 ploy_vec3_make(float x, float y, float z) {
    ploy_vec3 v = {x, y, z};
    return v;
}

/// Zero: no motion, or the origin.
static inline ploy_vec3 ploy_vec3_zero(void) {
    ploy_vec3 v = {0.0f, 0.0f, 0.0f};
    return v;
}

/// Converts a point of the plane and a height to a point in space, and back.
static inline ploy_vec3 ploy_vec3_from_vec2(ploy_vec2 v, float z) {
    return ploy_vec3_make(v.x, v.y, z);
}

static inline ploy_vec2 ploy_vec2_from_vec3(ploy_vec3 v) {
    return ploy_vec2_make(v.x, v.y);
}

static inline bool ploy_vec3_is_zero(ploy_vec3 v) {
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static inline bool ploy_vec3_equal(ploy_vec3 a, ploy_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline bool ploy_vec3_near(ploy_vec3 a, ploy_vec3 b, float tolerance) {
    return fabsf(a.x - b.x) <= tolerance && fabsf(a.y - b.y) <= tolerance &&
           fabsf(a.z - b.z) <= tolerance;
}

static inline bool ploy_vec3_is_finite(ploy_vec3 v) {
    return fabsf(v.x) <= FLT_MAX && fabsf(v.y) <= FLT_MAX && fabsf(v.z) <= FLT_MAX;
}

static inline ploy_vec3 ploy_vec3_add(ploy_vec3 a, ploy_vec3 b) {
    return ploy_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline ploy_vec3 ploy_vec3_sub(ploy_vec3 a, ploy_vec3 b) {
    return ploy_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline ploy_vec3 ploy_vec3_negate(ploy_vec3 v) {
    return ploy_vec3_make(-v.x, -v.y, -v.z);
}

static inline ploy_vec3 ploy_vec3_scale(ploy_vec3 v, float factor) {
    return ploy_vec3_make(v.x * factor, v.y * factor, v.z * factor);
}

static inline ploy_vec3 ploy_vec3_add_scaled(ploy_vec3 a, ploy_vec3 b, float factor) {
    return ploy_vec3_make(a.x + b.x * factor, a.y + b.y * factor, a.z + b.z * factor);
}

static inline ploy_vec3 ploy_vec3_divide(ploy_vec3 v, float divisor) {
    bool zero = divisor == 0.0f;
    float d = zero ? 1.0f : divisor;
    return ploy_vec3_make(zero ? 0.0f : v.x / d, zero ? 0.0f : v.y / d, zero ? 0.0f : v.z / d);
}

static inline ploy_vec3 ploy_vec3_min(ploy_vec3 a, ploy_vec3 b) {
    return ploy_vec3_make(b.x < a.x ? b.x : a.x, b.y < a.y ? b.y : a.y, b.z < a.z ? b.z : a.z);
}

static inline ploy_vec3 ploy_vec3_max(ploy_vec3 a, ploy_vec3 b) {
    return ploy_vec3_make(b.x > a.x ? b.x : a.x, b.y > a.y ? b.y : a.y, b.z > a.z ? b.z : a.z);
}

static inline float ploy_vec3_dot(ploy_vec3 a, ploy_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// The vector perpendicular to both, right-handed: x cross y is z.
static inline ploy_vec3 ploy_vec3_cross(ploy_vec3 a, ploy_vec3 b) {
    return ploy_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float ploy_vec3_length_sq(ploy_vec3 v) {
    return ploy_vec3_dot(v, v);
}

static inline float ploy_vec3_distance_sq(ploy_vec3 a, ploy_vec3 b) {
    return ploy_vec3_length_sq(ploy_vec3_sub(a, b));
}

static inline float ployi_vec3_largest(ploy_vec3 v) {
    float ax = fabsf(v.x), ay = fabsf(v.y), az = fabsf(v.z);
    float m = ax > ay ? ax : ay;
    return m > az ? m : az;
}

/// The length of the vector; for a velocity, the speed.
static inline float ploy_vec3_length(ploy_vec3 v) {
    float m = ployi_vec3_largest(v);
    return sqrtf(ploy_vec3_length_sq(ploy_vec3_scale(v, ployi_vec_scale(m)))) *
           ployi_vec_unscale(m);
}

/// The distance between two points.
static inline float ploy_vec3_distance(ploy_vec3 a, ploy_vec3 b) {
    return ploy_vec3_length(ploy_vec3_sub(a, b));
}

static inline ploy_vec3 ploy_vec3_with_length(ploy_vec3 v, float length) {
    ploy_vec3 w = ploy_vec3_scale(v, ployi_vec_scale(ployi_vec3_largest(v)));
    float l = sqrtf(ploy_vec3_length_sq(w));
    float d = l == 0.0f ? 1.0f : l;
    return ploy_vec3_make(w.x / d * length, w.y / d * length, w.z / d * length);
}

static inline ploy_vec3 ploy_vec3_normalise(ploy_vec3 v) {
    return ploy_vec3_with_length(v, 1.0f);
}

static inline ploy_vec3 ploy_vec3_limit(ploy_vec3 v, float max) {
    float limit = max > 0.0f ? max : 0.0f;
    float s = ployi_vec_scale(ployi_vec3_largest(v));
    ploy_vec3 w = ploy_vec3_scale(v, s);
    float l = sqrtf(ploy_vec3_length_sq(w));
    bool longer = l > limit * s;
    float d = l == 0.0f ? 1.0f : l;
    return ploy_vec3_make(longer ? w.x / d * limit : v.x, longer ? w.y / d * limit : v.y,
                          longer ? w.z / d * limit : v.z);
}

static inline ploy_vec3 ploy_vec3_lerp(ploy_vec3 a, ploy_vec3 b, float t) {
    float u = 1.0f - t;
    return ploy_vec3_make(a.x * u + b.x * t, a.y * u + b.y * t, a.z * u + b.z * t);
}

static inline ploy_vec3 ploy_vec3_toward(ploy_vec3 from, ploy_vec3 to, float step) {
    ploy_vec3 offset = ploy_vec3_sub(to, from);
    ploy_vec3 part = ploy_vec3_limit(offset, step);
    bool there = ploy_vec3_equal(offset, part);
    return ploy_vec3_make(there ? to.x : from.x + part.x, there ? to.y : from.y + part.y,
                          there ? to.z : from.z + part.z);
}

static inline ploy_vec3 ploy_vec3_reflect(ploy_vec3 v, ploy_vec3 normal) {
    return ploy_vec3_add_scaled(v, normal, -2.0f * ploy_vec3_dot(v, normal));
}

static inline ploy_vec3 ploy_vec3_project(ploy_vec3 v, ploy_vec3 axis) {
    return ploy_vec3_scale(axis, ploy_vec3_dot(v, axis));
}

static inline ploy_vec3 ploy_vec3_reject(ploy_vec3 v, ploy_vec3 axis) {
    return ploy_vec3_sub(v, ploy_vec3_project(v, axis));
}

/// The unit vector perpendicular to v that is nearest to up (+z); left (+y) if v is along z. An
/// arbitrary unit vector if v is zero.
PLOY_API ploy_vec3 ploy_vec3_perp(ploy_vec3 v);

/// The angle between two vectors of any length, in [0, pi]; 0 if one is zero.
PLOY_API float ploy_vec3_angle_between(ploy_vec3 a, ploy_vec3 b);

static inline bool ploy_vec3_in_front(ploy_vec3 position, ploy_vec3 heading, ploy_vec3 point) {
    return ploy_vec3_dot(heading, ploy_vec3_sub(point, position)) > 0.0f;
}
