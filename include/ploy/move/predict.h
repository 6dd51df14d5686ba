/// @file ploy/move/predict.h
/// Prediction: where a target will be when the agent reaches it.
///
/// Pursuit, evasion and interception differ from seek and flee in one way: they look ahead by some
/// time T and use the point where the target will be then if it keeps its velocity. There are
/// several formulas for T:
///
///     own speed    distance / own speed, at most max_time             (Millington; the default)
///     max speed    distance / the agent's top speed
///     both speeds  distance / (top speed + the target's speed)        (Buckland)
///     scaled       distance * scale                                   (Reynolds)
///     closing      distance / |relative velocity|                     (Bourg and Seemann)
///     exact        the first moment at which the agent could be there, straight at its top speed
///     relative     as closing; pursue and evade work in the agent's frame of reference, in which
///                  the agent is at rest. The request includes braking; the integrator limits
///                  the speed
///
/// Only `relative` is unaffected when the same velocity is added to all agents (a current, or a
/// carrier that all are on): swimmers and spacecraft need not know the current. With max speed,
/// scaled and closing, T does not change either, but the point does; all other formulas are
/// affected as well. A pursuer whose speed is relative to the floor must know the floor's velocity.
///
/// No formula looks ahead further than max_time. turn_time adds the time to turn round: nothing for
/// a target ahead, turn_time at the side, twice that behind.
///
/// Units: metres, seconds. Cost: O(1). Threads: pure functions.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/move/kinematic.h"

typedef enum ploy_prediction {
    PLOY_PREDICTION_OWN_SPEED,
    PLOY_PREDICTION_MAX_SPEED,
    PLOY_PREDICTION_BOTH_SPEEDS,
    PLOY_PREDICTION_SCALED,
    PLOY_PREDICTION_CLOSING,
    PLOY_PREDICTION_EXACT,
    PLOY_PREDICTION_RELATIVE
} ploy_prediction;

/// Returns where a target will be after a time, if the caller knows more than its velocity (it will
/// turn at a wall, it is on a road). On the plane z is 0 and the orientation is not set.
/// @param time  s, 0 to max_time. A result that is not finite counts as straight on.
typedef ploy_vec3 (*ploy_predict_fn)(void *user, ploy_kinematic3 target, float time);

/// Settings. Start from ploy_predict_def_default() and change what you need.
typedef struct ploy_predict_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_prediction method;
    float max_time;  ///< s, the longest look ahead
    float scale;     ///< s/m, of SCALED: how long to look ahead for each metre between the two
    float turn_time; ///< s added for a target at the side, twice that behind; 0: turning is free
    ploy_predict_fn position; ///< where the other will be; NULL: straight on. Not used by RELATIVE
    void *user;               ///< passed to position
} ploy_predict_def;

PLOY_API ploy_predict_def ploy_predict_def_default(void);
PLOY_API ploy_fields ploy_predict_fields(void);

/// Returns how far to look ahead, in seconds: 0 to max_time. 0 if a setting is out of range.
/// @param max_speed  m/s, the agent's top speed.
PLOY_API float ploy_predict_time(const ploy_predict_def *def, float max_speed, ploy_kinematic agent,
                                 ploy_kinematic target);

/// Returns the position after a time at constant velocity.
PLOY_API ploy_vec2 ploy_predict_position(ploy_kinematic target, float time);
