/// @file ploy/geom/motion.h
/// Motion at constant acceleration: distances, speeds and times without simulation.
///
/// u is the speed at the start, v the speed at the end, a the acceleration, s the distance and t
/// the time:
///     v = u + a t      s = u t + a t^2 / 2      v^2 = u^2 + 2 a s      t = (v - u) / a
/// For braking, kicking a ball, jumping, dropping. Speeds and distances are signed along one line;
/// for vectors, call them once for each axis. To step such motion, use the integrator
/// (ploy/move/integrate.h). Units: metres, seconds. Pure; any thread.
#pragma once

#include "ploy/geom/vec.h"

/// a = F / m; 0 if the mass is not above 0.
PLOY_API float ploy_motion_acceleration(float force, float mass);

/// v = u + a t.
static inline float ploy_motion_speed(float u, float a, float t) {
    return u + a * t;
}

/// s = u t + a t^2 / 2.
static inline float ploy_motion_distance(float u, float a, float t) {
    return (u + 0.5f * a * t) * t;
}

/// The speed, never below 0, after a distance: v^2 = u^2 + 2 a s.
/// @return false if the motion reverses before that distance.
PLOY_API bool ploy_motion_speed_after(float u, float a, float s, float *v);

/// Finds the first time, not below 0, at which the speed is v. @return false if there is none.
PLOY_API bool ploy_motion_time_to_speed(float u, float a, float v, float *t);

/// Finds the first time, not below 0, at which the distance is s. @return false if there is none.
PLOY_API bool ploy_motion_time_to_distance(float u, float a, float s, float *t);

/// Distance covered while braking from a speed (either sign) with a deceleration above 0. INFINITY
/// if the deceleration is not above 0 and the speed is not 0.
PLOY_API float ploy_motion_stopping_distance(float speed, float deceleration);

/// The largest speed from which braking stops within a distance: sqrt(2 a s); 0 if the distance or
/// the deceleration is not above 0.
PLOY_API float ploy_motion_stopping_speed(float distance, float deceleration);
