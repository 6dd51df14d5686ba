/// @file ploy/move/agitate.h
/// Agitation: breaks an orbit around a point that cannot be reached.
///
/// A mover with a limited turn rate circles a waypoint forever if its turning circle is outside the
/// waypoint's radius. The remedy counts the time since a point was last reached. When it exceeds
/// `patience`, the request is replaced for one step by a kick perpendicular to it, and the count
/// restarts. The classic kick always goes to the right, which is away from the point for agents
/// that circle to the left; `inwards` kicks to the side of the point and needs far fewer kicks.
///
/// Units: seconds. Cost: O(1). Threads: plain data.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_agitate_def_default() and change what you need.
typedef struct ploy_agitate_def {
    uint32_t cookie; ///< set by the default; leave alone
    float patience;  ///< s without reaching anything; 0: never agitated
    bool inwards;    ///< kick to the side of the point; otherwise always to the right
} ploy_agitate_def;

PLOY_API ploy_agitate_def ploy_agitate_def_default(void);
PLOY_API ploy_fields ploy_agitate_fields(void);

/// Returns the request, or the kick. Call it once per step; set *waited to 0 whenever a point is
/// reached.
/// @param waited  s, counted here; kept by the caller, initially 0.
/// @param requested  a desired move, force or acceleration, in any unit.
/// @param side    side of the point as seen along the motion: above 0 left, else right. Only
///                used with inwards.
/// @param dt      s; ignored unless above 0.
PLOY_API ploy_vec2 ploy_agitate(const ploy_agitate_def *def, float *waited, ploy_vec2 requested,
                                float side, float dt);
/// In space the kick is perpendicular to the request: with inwards toward the point, else level to
/// the right (along +x if the request points straight up or down).
/// @param toward  m, from the agent to the point.
PLOY_API ploy_vec3 ploy_agitate3(const ploy_agitate_def *def, float *waited, ploy_vec3 requested,
                                 ploy_vec3 toward, float dt);

/// As steering sources (ploy/move/source.h): they return the request of another source, or the
/// kick. All that is pointed to is borrowed.
/// @param point   the point that may be out of reach.
/// @param waited  s, kept by the caller, initially 0.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (the log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_agitate_source(const ploy_agitate_def *def,
                                         const ploy_steering_source *filtered,
                                         const ploy_vec2 *point, float *waited, const ploy_env *env,
                                         ploy_steering_source *out);
PLOY_API ploy_result ploy_agitate3_source(const ploy_agitate_def *def,
                                          const ploy_steering_source *filtered,
                                          const ploy_vec3 *point, float *waited,
                                          const ploy_env *env, ploy_steering_source *out);
