/// @file ploy/move/reckon.h
/// Reckoning: small predictions about moving things.
///
/// - Dead reckoning: between two messages about a remote character, its last velocity is assumed;
///   when the next message corrects it, the shown position snaps (shooters) or glides over a moment
///   (crowds in large worlds).
/// - Bounces: where will a ball that bounces between two walls cross a line?
/// - Prediction with walls: where will an agent be if walls stop it?
/// - The best of several shots, each tried in a simulation: pool, ice hockey.
/// Technique: Millington, "AI for Games", 3.5, "other uses of prediction".
///
/// Units: metres, seconds. Cost: O(1), the trials O(count) calls; no allocation. Threads: pure.
#pragma once

#include "ploy/geom/scene.h"
#include "ploy/move/kinematic.h"

/// The assumed state of a remote character. All zero: at the origin.
typedef struct ploy_reckoning {
    ploy_vec2 position; ///< m, by the last message
    ploy_vec2 velocity; ///< m/s, by the last message
    ploy_vec2 error;    ///< m, shown minus actual position when the message came
    float age;          ///< s since the message
    float blend;        ///< s in which the error fades; 0: snaps
} ploy_reckoning;

/// Applies a message with the actual position and velocity.
/// @param blend  s to glide there; 0 snaps. Numbers that are not finite are rejected.
PLOY_API ploy_result ploy_reckoning_correct(ploy_reckoning *reckoning, ploy_vec2 position,
                                            ploy_vec2 velocity, float blend);
/// Advances the time. @param dt  s, not below 0.
PLOY_API void ploy_reckoning_step(ploy_reckoning *reckoning, float dt);
/// Returns the position to show now.
PLOY_API ploy_vec2 ploy_reckoning_position(const ploy_reckoning *reckoning);
/// Visits a ploy_reckoning (ploy/base/visit.h).
PLOY_API void ploy_reckoning_visit(ploy_visit *v, void *reckoning);
PLOY_API void ploy_reckoning_describe(const ploy_reckoning *reckoning, ploy_describe *out);

/// Finds where a ball that bounces between y = min and y = max crosses the line x = line.
/// @param time  s until then; may be NULL.
/// @return false, leaving the rest unchanged, if the ball moves away from the line or the walls are
/// not in order.
PLOY_API bool ploy_reckon_bounce(ploy_vec2 position, ploy_vec2 velocity, float line, float min,
                                 float max, float *y, float *time);

/// Simulates candidate number i and returns how far from the goal it ended; NaN: not possible.
typedef float (*ploy_reckon_trial_fn)(void *user, int32_t i);
