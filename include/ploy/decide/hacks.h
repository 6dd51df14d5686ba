/// @file ploy/decide/hacks.h
/// Cheap believability: what to try before any elaborate decision system.
///
/// - A picker chooses a behavior at random by weight and avoids repeating the last one.
/// - A sidestepper moves toward its target and occasionally steps aside, which players read as
///   dodging.
/// - Gestures: a table that maps events to animations, with a pause after each, so that a character
///   stamps its foot at the right moment and not all the time.
///
/// Technique: Millington, "AI for Games", 3rd edition, 2.1.4 and 2.2.1. Random numbers come from
/// the key, the agent and the tick, so only the plain state here has to be kept. Units: metres,
/// seconds, radians. Nothing allocates. Threads: one caller for each state.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/geom/vec.h"

/// How a sidestepper moves. Start from ploy_sidestep_def_default().
typedef struct ploy_sidestep_def {
    uint32_t cookie;
    float speed;     ///< m/s, forward
    float side;      ///< m/s, sideways during a step
    float duration;  ///< s, length of a step aside
    float pause_min; ///< s between two steps aside
    float pause_max; ///< s
} ploy_sidestep_def;

PLOY_API ploy_sidestep_def ploy_sidestep_def_default(void);
PLOY_API ploy_fields ploy_sidestep_fields(void);

/// The state of a sidestepper; start with all zero.
typedef struct ploy_sidestep {
    float wait; ///< s until the next step aside begins
    float left; ///< s left of the current step aside
    float side; ///< 1 left, -1 right
} ploy_sidestep;

/// Returns the velocity for this step: toward the target, and sideways while dodging. Zero at the
/// target.
PLOY_API ploy_vec2 ploy_sidestep_step(const ploy_sidestep_def *def, ploy_sidestep *state,
                                      ploy_vec2 from, ploy_vec2 target, float dt, ploy_rng_key key,
                                      ploy_agent_id agent, uint64_t tick);

/// One row of a table of gestures.
typedef struct ploy_gesture {
    ploy_name trigger;   ///< what happened: "rival passed"
    ploy_name animation; ///< "shake fist"
    float pause;         ///< s before this row plays again
    float chance;        ///< 0 to 1
} ploy_gesture;

/// Returns the animation for a trigger: that of the first matching row whose pause is over and
/// whose chance comes up, or none. Stores in `ready` when the row may play again.
/// @param ready  one for each row: when it may play again, s; zeros at first.
PLOY_API ploy_name ploy_gesture_find(const ploy_gesture *rows, int32_t count, double *ready,
                                     ploy_name trigger, double now, ploy_rng_key key,
                                     ploy_agent_id agent, uint64_t tick);
