/// @file ploy/move/flight.h
/// Flight: trajectories with drag, wind and lift.
///
/// The acceleration is the sum of gravity, drag (in proportion to the airspeed, to its square, or
/// both), lift from spin (the Magnus effect: a ball with backspin climbs), and whatever the game
/// adds through a callback: gusts, wells, magnets. Wind moves the air.
///
/// Drag in proportion to the speed alone is computed by a formula; everything else is integrated in
/// steps (the classic fourth-order Runge-Kutta method). Technique: Millington, "AI for Games", 3.5;
/// the book's constant B has the wrong sign.
///
/// Units: metres, seconds; z is up. Cost: O(1) with the formula, else O(time / step); no
/// allocation. Threads: pure functions if the callback is pure.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/move/trajectory.h"

/// Settings. Start from ploy_flight_def_default() and change what you need.
typedef struct ploy_flight_def {
    uint32_t cookie;    ///< set by the default; leave alone
    ploy_vec3 gravity;  ///< m/s^2
    float drag;         ///< 1/s, of the speed
    float drag_squared; ///< 1/m, of the square of the speed
    ploy_vec3 wind;     ///< m/s, the same everywhere
    ploy_vec3 spin;     ///< rad/s about the world's axes; does not fade
    float lift;         ///< acceleration per spin and speed: lift * (spin x velocity in the air)
    float step;         ///< s, where there is no formula
} ploy_flight_def;

PLOY_API ploy_flight_def ploy_flight_def_default(void);
PLOY_API ploy_fields ploy_flight_fields(void);

/// Returns the acceleration that the game adds, m/s^2. Must return the same for the same arguments.
typedef ploy_vec3 (*ploy_flight_force_fn)(void *user, ploy_vec3 position, ploy_vec3 velocity,
                                          float time);

/// A body's trajectory.
typedef struct ploy_flight {
    ploy_flight_def def;
    ploy_flight_force_fn force; ///< NULL: nothing
    void *user;
} ploy_flight;

/// Makes a flight with these settings and no callback.
PLOY_API ploy_flight ploy_flight_make(const ploy_flight_def *def);

/// A body in flight.
typedef struct ploy_flyer {
    ploy_vec3 position; ///< m
    ploy_vec3 velocity; ///< m/s
    float time;         ///< s since the start
} ploy_flyer;

/// Returns the flyer after dt seconds, in steps of at most def.step where there is no formula.
/// @param dt  s, 0 to 1e4. If dt or a setting is out of range, the flyer is unchanged.
PLOY_API ploy_flyer ploy_flight_step(const ploy_flight *flight, ploy_flyer flyer, float dt);

/// Finds when and where the flyer comes down through a height, within max_time seconds.
/// @return false, leaving out unchanged, if it does not.
PLOY_API bool ploy_flight_landing(const ploy_flight *flight, ploy_flyer flyer, float height,
                                  float max_time, ploy_landing *out);

/// Draws the trajectory of the next `time` seconds.
PLOY_API void ploy_flight_draw(const ploy_flight *flight, ploy_flyer flyer, float time,
                               ploy_style style, ploy_agent_id owner, ploy_draw *out);
