/// @file ploy/geom/quat.h
/// Quaternions: orientation in space without gimbal lock.
///
/// A quaternion (w, x, y, z) has unit length and rotates local vectors into the world: v' = q v q*.
/// q and -q are the same orientation. The product a b rotates by b first, then by a. Axes are
/// right-handed: x forward, y left, z up. A rotation rate is a vec3: its axis times rad/s, in world
/// axes.
///
/// Quaternions were chosen over Euler angles, which are ambiguous and can lose an axis, and over
/// matrices, whose nine numbers drift away from a rotation; one normalise corrects the drift of a
/// quaternion. Technique: Hamilton's quaternions; slerp as in Shoemake, "Animating Rotation with
/// Quaternion Curves", SIGGRAPH 1985. Everything here is pure; any thread.
#pragma once

#include "ploy/geom/vec.h"

typedef struct ploy_quat {
    float w, x, y, z;
} ploy_quat;

/// Makes a quaternion from four components, without normalising.
static inline ploy_quat ploy_quat_make(float w, float x, float y, float z) {
    ploy_quat q = {w, x, y, z};
    return q;
}

/// No rotation: facing +x with z up.
static inline ploy_quat ploy_quat_identity(void) {
    ploy_quat q = {1.0f, 0.0f, 0.0f, 0.0f};
    return q;
}

/// True if the numbers are exactly equal. q and -q are not equal, although they are the same
/// orientation; to compare orientations, use ploy_quat_angle_between.
static inline bool ploy_quat_equal(ploy_quat a, ploy_quat b) {
    return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline float ploy_quat_dot(ploy_quat a, ploy_quat b) {
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/// The inverse rotation of a unit quaternion.
static inline ploy_quat ploy_quat_conjugate(ploy_quat q) {
    return ploy_quat_make(q.w, -q.x, -q.y, -q.z);
}

/// Rotates by b, then by a.
static inline ploy_quat ploy_quat_multiply(ploy_quat a, ploy_quat b) {
    return ploy_quat_make(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                          a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                          a.w * b.y + a.y * b.w - a.x * b.z + a.z * b.x,
                          a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x);
}

/// q scaled to unit length; the identity for zero. Each product adds a rounding error: normalise a
/// quaternion that is multiplied every step.
static inline ploy_quat ploy_quat_normalise(ploy_quat q) {
    // Doubles hold the square of any finite float, so no scaling is needed.
    double w = (double)q.w, x = (double)q.x, y = (double)q.y, z = (double)q.z;
    double length = sqrt(w * w + x * x + y * y + z * z);
    bool zero = length == 0.0;
    double d = zero ? 1.0 : length;
    return ploy_quat_make(zero ? 1.0f : (float)(w / d), (float)(x / d), (float)(y / d),
                          (float)(z / d));
}

/// Local to world: v' = q v q*, for a unit q.
static inline ploy_vec3 ploy_quat_rotate(ploy_quat q, ploy_vec3 v) {
    // v + 2 w (u x v) + 2 u x (u x v): the product expanded, at less than half the cost.
    ploy_vec3 u = ploy_vec3_make(q.x, q.y, q.z);
    ploy_vec3 t = ploy_vec3_scale(ploy_vec3_cross(u, v), 2.0f);
    return ploy_vec3_add(ploy_vec3_add_scaled(v, t, q.w), ploy_vec3_cross(u, t));
}

/// World to local.
static inline ploy_vec3 ploy_quat_unrotate(ploy_quat q, ploy_vec3 v) {
    return ploy_quat_rotate(ploy_quat_conjugate(q), v);
}

/// The local axes in the world: (1, 0, 0), (0, 1, 0) and (0, 0, 1) rotated by q.
static inline ploy_vec3 ploy_quat_forward(ploy_quat q) {
    return ploy_quat_rotate(q, ploy_vec3_make(1.0f, 0.0f, 0.0f));
}

static inline ploy_vec3 ploy_quat_left(ploy_quat q) {
    return ploy_quat_rotate(q, ploy_vec3_make(0.0f, 1.0f, 0.0f));
}

static inline ploy_vec3 ploy_quat_up(ploy_quat q) {
    return ploy_quat_rotate(q, ploy_vec3_make(0.0f, 0.0f, 1.0f));
}

/// Makes a rotation by an angle about an axis of any length, right-handed: (cos a/2, axis sin a/2).
/// The identity if the axis is zero.
PLOY_API ploy_quat ploy_quat_from_axis_angle(ploy_vec3 axis, float angle);

/// Converts from a vector of axis times angle, and back. The returned angle is in [0, pi].
PLOY_API ploy_quat ploy_quat_from_rotation(ploy_vec3 rotation);
PLOY_API ploy_vec3 ploy_quat_to_rotation(ploy_quat q);

/// Converts a planar orientation: a rotation about up.
PLOY_API ploy_quat ploy_quat_from_orientation(float orientation);

/// The planar orientation of q's forward axis, in [-pi, pi). If q faces straight up or down, the up
/// axis is used instead, so that an agent that pitches past the vertical does not flip.
PLOY_API float ploy_quat_to_orientation(ploy_quat q);

/// The shortest rotation from one direction to another; both may have any length. For opposite
/// directions: half a turn about the perpendicular nearest to up. The identity if one is zero.
PLOY_API ploy_quat ploy_quat_between(ploy_vec3 from, ploy_vec3 to);

/// The orientation nearest to `base` that faces along a direction of any length; base itself for
/// zero. With the identity as base, an agent stays upright for directions in the plane; a tilted
/// base leans into turns. Opposite to base: half a turn about base's up.
PLOY_API ploy_quat ploy_quat_from_forward(ploy_vec3 direction, ploy_quat base);

/// The orientation that faces along a direction with its up axis as near to `up` as possible. Both
/// may have any length. If they are parallel, up is replaced by ploy_vec3_perp of the direction.
PLOY_API ploy_quat ploy_quat_look(ploy_vec3 direction, ploy_vec3 up);

/// The angle of the rotation from a to b, in [0, pi].
PLOY_API float ploy_quat_angle_between(ploy_quat a, ploy_quat b);

/// Interpolates from a at t = 0 by the shorter rotation to b at t = 1: slerp at constant speed;
/// nlerp is cheaper and takes the same rotation at a slightly uneven speed.
PLOY_API ploy_quat ploy_quat_slerp(ploy_quat a, ploy_quat b, float t);
PLOY_API ploy_quat ploy_quat_nlerp(ploy_quat a, ploy_quat b, float t);

/// Rotates from a toward b by at most `step` radians; exactly b if it is within one step.
PLOY_API ploy_quat ploy_quat_toward(ploy_quat a, ploy_quat b, float step);

/// q after rotating at `rotation` (rad/s, world axes) for dt seconds; exact for a constant rate,
/// and normalised.
PLOY_API ploy_quat ploy_quat_integrate(ploy_quat q, ploy_vec3 rotation, float dt);
