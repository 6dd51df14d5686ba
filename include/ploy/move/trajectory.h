/// @file ploy/move/trajectory.h
/// Trajectories: where something thrown will be, where it comes down, and how to hit a point.
///
/// In free fall everything is a formula: `ploy_projectile_at` is the place after t seconds,
/// `ploy_projectile_landing` solves for the height of the ground, and `ploy_firing_find` turns it
/// round: which directions hit a point with a given speed? There are two, a low and a high arc,
/// that become one at the limit of the range and none beyond it.
///
///               . - ' ' - .
///            .     high     .
///          .    _ . - . _     .
///         . . '    low    ' .  .
///     from                     to
///
/// With air in the way see ploy/move/flight.h and ploy/move/aim.h.
/// Technique: the quadratic in t^2 of constant acceleration, solved in double; see Millington, "AI
/// for Games", 3.5. Where his listing takes the root first and asks later, this asks first.
///
/// Units: metres, seconds; z is up. Cost: O(1), rough terrain O(iterations); no allocation.
/// Threads: pure functions.
#pragma once

#include "ploy/base/trace.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/scene.h"
#include "ploy/geom/vec.h"

/// Of the Earth, m/s^2. Games often use about twice as much for what is thrown.
#define PLOY_GRAVITY_MPS2 9.81f

/// Something in free fall. Each has its own gravity; zero makes its path a straight line, which
/// is near enough for what is fast and seen briefly.
typedef struct ploy_projectile {
    ploy_vec3 position; ///< m
    ploy_vec3 velocity; ///< m/s
    ploy_vec3 gravity;  ///< m/s^2
} ploy_projectile;

/// One with the Earth's gravity.
PLOY_API ploy_projectile ploy_projectile_make(ploy_vec3 position, ploy_vec3 velocity);

/// Place and velocity after t seconds; before now for a t below 0.
PLOY_API ploy_vec3 ploy_projectile_at(const ploy_projectile *projectile, float t);

/// Where something comes down.
typedef struct ploy_landing {
    float time;      ///< s from now
    ploy_vec3 point; ///< m
} ploy_landing;

/// When and where it comes down through a height: the floor's to get out of the way, the chest's
/// to catch it.
/// @return false, leaving out unchanged, if it never gets so high, has passed for good, or does not
///         come to it.
PLOY_API bool ploy_projectile_landing(const ploy_projectile *projectile, float height,
                                      ploy_landing *out);

/// The same on uneven terrain: lands on the height of the terrain below the last guess, until two
/// guesses are within `tolerance` metres. There is no promise that this ends; `iterations` is
/// where it gives up. On ledges ask the scene whether the point can be stood on.
/// @param iterations  1 to 1000.
/// @return false, leaving out unchanged, if it did not settle, misses the height or the ground
///         ends.
PLOY_API bool ploy_projectile_landing_on(const ploy_projectile *projectile, const ploy_scene *scene,
                                         uint32_t mask, float tolerance, int32_t iterations,
                                         ploy_landing *out);

/// Draws the trajectory of the first `time` seconds, and a point at its end.
PLOY_API void ploy_projectile_draw(const ploy_projectile *projectile, float time, ploy_style style,
                                   ploy_agent_id owner, ploy_draw *out);

/// A solution to hit something.
typedef struct ploy_shot {
    ploy_vec3 direction; ///< unit
    float time;          ///< s until it hits
} ploy_shot;

typedef enum ploy_arc {
    PLOY_ARC_LOW, ///< sooner there, fewer ceilings: the usual choice
    PLOY_ARC_HIGH ///< over walls
} ploy_arc;

/// "low", "high".
PLOY_API const char *ploy_arc_text(ploy_arc arc);

/// All directions that hit a point: out[PLOY_ARC_LOW] and out[PLOY_ARC_HIGH].
/// @param speed  m/s, above 0.
/// @return how many there are: 2, 1 (without gravity; both members of out are the same then), or 0,
///         leaving out unchanged, beyond the range. On the very point it takes no time; the
///         direction is up, and the high arc falls back.
PLOY_API int32_t ploy_firing_find(ploy_vec3 from, ploy_vec3 to, float speed, ploy_vec3 gravity,
                                  ploy_shot out[2]);

/// The same at a target that goes on with its velocity: aims at where it will be when the shot
/// gets there, by repetition.
/// @param tolerance  m between two guesses that is near enough.
/// @return false, leaving out unchanged, if out of range or not settled within 64 rounds.
PLOY_API bool ploy_firing_lead(ploy_vec3 from, ploy_vec3 target, ploy_vec3 target_velocity,
                               float speed, ploy_vec3 gravity, ploy_arc arc, float tolerance,
                               ploy_shot *out);

/// One way to throw: how hard, which arc.
typedef struct ploy_throw {
    const char *name; ///< for the trace
    float speed;      ///< m/s
    ploy_arc arc;
} ploy_throw;

/// Takes the first of several throws that reaches the point with nothing in the way: indoors, where
/// the fastest is not always possible.
/// @param scene  NULL: nothing is in the way.
/// @param trace  may be NULL; receives which throws were possible and why others were not.
/// @return its index, or -1, leaving out unchanged.
PLOY_API int32_t ploy_firing_choose(ploy_vec3 from, ploy_vec3 to, ploy_vec3 gravity,
                                    const ploy_throw *throws, int32_t count, float radius,
                                    const ploy_scene *scene, uint32_t mask, ploy_agent_id id,
                                    ploy_trace *trace, ploy_shot *out);
