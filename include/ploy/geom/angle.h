/// @file ploy/geom/angle.h
/// Angles: radians, 0 along +x, counter-clockwise, kept in [-pi, pi).
///
/// An orientation is an angle; the heading for it is the unit vector (cos a, sin a), computed when
/// needed, never stored. Rates (rad/s) do not wrap: one turn per second is not the same as no
/// rotation.
///
/// As everywhere in ploy, pi as a float is PLOY_PI_F, slightly above the true pi; "[-pi, pi)" means
/// -PLOY_PI_F <= a < PLOY_PI_F. Everything here is pure; any thread.
#pragma once

#include "ploy/base/math.h"
#include "ploy/geom/vec.h"

/// Wraps a finite angle into [-pi, pi). An angle already in that range is returned unchanged;
/// others are reduced by the true 2 pi, correct to a float's last digit however large they are. NaN
/// and infinities give NaN.
PLOY_API float ploy_angle_wrap(float angle);

/// The same result, to the bit, for |angle| <= 9.42 (nearly 3 pi, which covers the sum of two
/// wrapped angles), without a call or a branch, so that loops vectorise. Beyond that range the
/// result is not wrapped.
static inline float ploy_angle_wrap_turn(float angle) {
    // In double, because the float nearest to 2 pi is off by more than a float's last digit near 0.
    double less = angle >= PLOY_PI_F ? 2.0 * PLOY_PI : 0.0;
    double more = angle < -PLOY_PI_F ? 2.0 * PLOY_PI : 0.0;
    return (float)((double)angle - less + more);
}

/// The shortest turn from one orientation to another, in [-pi, pi): positive counter-clockwise.
/// Computed in double, so that it is correct for any two finite angles, wrapped or not.
PLOY_API float ploy_angle_difference(float from, float to);

/// Turns from `from` toward `to` in the shorter direction by at most `step` radians, wrapped;
/// exactly wrap(to) if it is within one step. A step below 0 does not turn.
PLOY_API float ploy_angle_toward(float from, float to, float step);

/// Interpolates from `from` at t = 0 in the shorter direction to `to` at t = 1, wrapped.
PLOY_API float ploy_angle_lerp(float from, float to, float t);

/// The unit vector of an orientation: (cos a, sin a).
PLOY_API ploy_vec2 ploy_angle_heading(float angle);

/// The orientation of a vector of any length, in [-pi, pi); 0 for a zero vector. To keep the old
/// orientation in that case, check ploy_vec2_is_zero first.
PLOY_API float ploy_angle_of(ploy_vec2 v);

/// Converts degrees to radians, and back. Not wrapped.
PLOY_API float ploy_angle_from_degrees(float degrees);
PLOY_API float ploy_angle_to_degrees(float angle);
