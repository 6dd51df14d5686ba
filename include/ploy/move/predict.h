/// @file ploy/move/predict.h
/// Prediction: where a target will be when we get there.
///
/// Pursuit, evasion and interception differ from seek and flee in one thing: they look ahead by
/// some time T and take the point where the other will be then, if it goes on as it does now. How
/// long to look ahead is a matter of taste, and each book has its own formula:
///
///     own speed    distance / own speed, at most max_time             (Millington; the default)
///     max speed    distance / the speed it could have
///     both speeds  distance / (that speed + the other's speed)        (Buckland)
///     scaled       distance * scale                                   (Reynolds)
///     closing      distance / |relative velocity|                     (Bourg and Seemann)
///     exact        the first moment at which it could be there, going straight at that speed
///     relative     as closing; and pursue and evade look at the other as the agent sees it move,
///                  standing still in its own eyes. The request brakes by itself; top speeds are the
///                  integrator's business
///
/// One velocity added to all agents, a current or a carrier that all are on, changes nothing with
/// `relative`, and only with it: swimmers and craft in space need not know the current. How far max
/// speed, scaled and closing look ahead does not change either, but where they then go does, as do
/// all others: a chaser with a speed relative to the floor has to know the floor.
///
/// No formula looks ahead further than max_time. turn_time adds what turning round costs: nothing
/// for a target ahead, turn_time at the side, twice that behind.
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

/// Where something will be after a time: for a caller that knows more than that it goes straight on
/// (it will turn at a wall, it is on a road). On the plane z is 0 and the orientation is not given.
/// @param time  s, 0 to max_time. A result that is not finite counts as straight on.
typedef ploy_vec3 (*ploy_predict_fn)(void *user, ploy_kinematic3 target, float time);

/// Settings. Start from ploy_predict_def_default() and change what you need.
typedef struct ploy_predict_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_prediction method;
    float max_time;  ///< s, the furthest look ahead
    float scale;     ///< s/m, of SCALED: how long to look ahead for each metre between the two
    float turn_time; ///< s added for a target at the side, twice that behind; 0: turning is free
    ploy_predict_fn position; ///< where the other will be; NULL: straight on. Not used by RELATIVE
    void *user;               ///< handed to position
} ploy_predict_def;

PLOY_API ploy_predict_def ploy_predict_def_default(void);
PLOY_API ploy_fields ploy_predict_fields(void);

/// How far to look ahead, in seconds: 0 to max_time. 0 if a setting is out of range.
/// @param max_speed  m/s, the speed that the agent could have.
PLOY_API float ploy_predict_time(const ploy_predict_def *def, float max_speed, ploy_kinematic agent,
                                 ploy_kinematic target);
PLOY_API float ploy_predict_time3(const ploy_predict_def *def, float max_speed,
                                  ploy_kinematic3 agent, ploy_kinematic3 target);

/// Where something is after a time, if it goes on as it does.
PLOY_API ploy_vec2 ploy_predict_position(ploy_kinematic target, float time);
