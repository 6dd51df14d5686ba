/// @file ploy/geom/angle.h
/// Angles: radians, 0 along +x, counter-clockwise, held in [-pi, pi).
///
/// An orientation is an angle; a heading is the unit vector (cos a, sin a) that goes with it and is
/// computed when needed, never stored. Rates (rad/s) do not wrap: once around each second is not
/// the same as standing still.
///
/// As everywhere in ploy, pi as a float is PLOY_PI_F, a hair above the true pi; "[-pi, pi)" means
/// -PLOY_PI_F <= a < PLOY_PI_F. Everything here is pure; any thread.
#pragma once

#include "ploy/base/math.h"
#include "ploy/geom/vec.h"

/// Turns any finite angle into the same direction within [-pi, pi). One that is there already
/// comes back unchanged; others are reduced by the true 2 pi, correct to a float's last digit
/// however large they are. NaN and infinities give NaN.
PLOY_API float ploy_angle_wrap(float angle);

/// The same bits for |angle| <= 9.42 (nearly 3 pi: the sum of two wrapped angles and more), without
/// a call or a branch, so that loops vectorise. Beyond that range the result is not wrapped.
static inline float ploy_angle_wrap_turn(float angle) {
    // In double, as the float nearest 2 pi is wrong by more than a float's last digit near 0.
    double less = angle >= PLOY_PI_F ? 2.0 * PLOY_PI : 0.0;
    double more = angle < -PLOY_PI_F ? 2.0 * PLOY_PI : 0.0;
    return (float)((double)angle - less + more);
}

/// The shortest turn from one orientation to another, in [-pi, pi): positive counter-clockwise.
/// Computed in double, so that it is right for any two finite angles, wrapped or not.
PLOY_API float ploy_angle_difference(float from, float to);

/// From `from` toward `to` in the shorter direction by at most `step` radians, wrapped; exactly
/// wrap(to) when that is near enough. A step below 0 stays.
PLOY_API float ploy_angle_toward(float from, float to, float step);

/// From `from` at t = 0 in the shorter direction to `to` at t = 1, wrapped.
PLOY_API float ploy_angle_lerp(float from, float to, float t);

/// The unit vector of an orientation: (cos a, sin a).
PLOY_API ploy_vec2 ploy_angle_heading(float angle);

/// The orientation of a vector of any length, in [-pi, pi); 0 for zero. Ask ploy_vec2_is_zero
/// first where "no direction" must keep an old orientation.
PLOY_API float ploy_angle_of(ploy_vec2 v);

/// 180 degrees are pi radians. Not wrapped.
PLOY_API float ploy_angle_from_degrees(float degrees);
PLOY_API float ploy_angle_to_degrees(float angle);
