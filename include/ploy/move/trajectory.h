/// @file ploy/move/trajectory.h
/// Trajectories: where a projectile will be, where it lands, and how to hit a point.
///
/// In free fall there is a formula for everything: `ploy_projectile_at` returns the position after
/// t seconds, `ploy_projectile_landing` solves for the height of the floor, and `ploy_firing_find`
/// solves the inverse: which directions hit a point with a given speed? There are two, a low and a
/// high arc, which become one at the limit of the range; beyond it there is none.
///
///               . - ' ' - .
///            .     high     .
///          .    _ . - . _     .
///         . . '    low    ' .  .
///     from                     to
///
/// For air resistance see ploy/move/flight.h and ploy/move/aim.h. Technique: the quadratic in t^2
/// of constant acceleration, solved in double; see Millington, "AI for Games", 3.5. Unlike the
/// book's listing, the sign is checked before the root is taken.
///
/// Units: metres, seconds; z is up. Cost: O(1), rough terrain O(iterations); no allocation.
/// Threads: pure functions.
#pragma once

#include "ploy/base/trace.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/scene.h"
#include "ploy/geom/vec.h"

/// The Earth's gravity, m/s^2. Games often use about twice as much for projectiles.
#define PLOY_GRAVITY_MPS2 9.81f

/// A body in free fall. Each has its own gravity; zero makes its path a straight line, which is
/// accurate enough for fast projectiles seen briefly.
typedef struct ploy_projectile {
    ploy_vec3 position; ///< m
    ploy_vec3 velocity; ///< m/s
    ploy_vec3 gravity;  ///< m/s^2
} ploy_projectile;

/// Makes a projectile with the Earth's gravity.
PLOY_API ploy_projectile ploy_projectile_make(ploy_vec3 position, ploy_vec3 velocity);

/// Returns the position after t seconds; a t below 0 is in the past.
PLOY_API ploy_vec3 ploy_projectile_at(const ploy_projectile *projectile, float t);

/// A landing.
typedef struct ploy_landing {
    float time;      ///< s from now
    ploy_vec3 point; ///< m
} ploy_landing;

/// Finds when and where it comes down through a height: the floor's height to avoid it, the chest's
/// to catch it.
/// @return false, leaving out unchanged, if it never reaches the height, or has already passed it
///         for good.
PLOY_API bool ploy_projectile_landing(const ploy_projectile *projectile, float height,
                                      ploy_landing *out);

/// Draws the trajectory of the first `time` seconds, and a point at its end.
PLOY_API void ploy_projectile_draw(const ploy_projectile *projectile, float time, ploy_style style,
                                   ploy_agent_id owner, ploy_draw *out);

/// A firing solution.
typedef struct ploy_shot {
    ploy_vec3 direction; ///< unit
    float time;          ///< s until it hits
} ploy_shot;

typedef enum ploy_arc {
    PLOY_ARC_LOW, ///< faster, hits fewer ceilings: the usual choice
    PLOY_ARC_HIGH ///< over walls
} ploy_arc;

/// "low", "high".
PLOY_API const char *ploy_arc_text(ploy_arc arc);

/// Finds all directions that hit a point: out[PLOY_ARC_LOW] and out[PLOY_ARC_HIGH].
/// @param speed  m/s, above 0.
/// @return the number of directions: 2, 1 (without gravity; then both members of out are the
///         same), or 0, leaving out unchanged, beyond the range. If from and to coincide, the low
///         arc takes no time; the direction is up, and the high arc falls back.
PLOY_API int32_t ploy_firing_find(ploy_vec3 from, ploy_vec3 to, float speed, ploy_vec3 gravity,
                                  ploy_shot out[2]);

/// The same for a target at constant velocity: aims, by iteration, at where the target will be when
/// the shot arrives.
/// @param tolerance  m between two estimates that is near enough.
/// @return false, leaving out unchanged, if out of range or not converged within 64 rounds.
PLOY_API bool ploy_firing_lead(ploy_vec3 from, ploy_vec3 target, ploy_vec3 target_velocity,
                               float speed, ploy_vec3 gravity, ploy_arc arc, float tolerance,
                               ploy_shot *out);

/// One kind of throw: speed and arc.
typedef struct ploy_throw {
    const char *name; ///< for the trace
    float speed;      ///< m/s
    ploy_arc arc;
} ploy_throw;

/// Takes the first of several throws that reaches the point without hitting anything. For indoors,
/// where the fastest throw is not always possible.
/// @param scene  NULL: nothing blocks.
/// @param trace  may be NULL; receives which throws were possible and why others were not.
/// @return the index of the throw, or -1, leaving out unchanged.
PLOY_API int32_t ploy_firing_choose(ploy_vec3 from, ploy_vec3 to, ploy_vec3 gravity,
                                    const ploy_throw *throws, int32_t count, float radius,
                                    const ploy_scene *scene, uint32_t mask, ploy_agent_id id,
                                    ploy_trace *trace, ploy_shot *out);
