/// @file ploy/move/agitate.h
/// Agitation: out of the orbit around a point that cannot be reached.
///
/// A mover with a limited turn rate circles a waypoint forever if its turning circle is outside
/// the waypoint's radius. The cure counts the time since something was last reached; when that is
/// longer than `patience`, the request is replaced for one step by one across it, and the count
/// starts again. The classic kick always goes to the right, which is away from the point for agents
/// that circle to the left; `inwards` kicks to the side on which the point lies and needs far fewer
/// kicks.
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

/// The request, or the kick. Call it once a step; set *waited to 0 whenever something is reached.
/// @param waited  s, counted here; the caller's, 0 to begin with.
/// @param request    a desired move, force or acceleration of any unit.
/// @param side    where the point lies as seen along the motion: above 0 left, below 0 right.
///                Looked at with inwards alone; 0 is right.
/// @param dt      s; a step that is not above 0 counts nothing.
PLOY_API ploy_vec2 ploy_agitate(const ploy_agitate_def *def, float *waited, ploy_vec2 requested,
                                float side, float dt);
/// In space: across the request, toward the point with inwards, else level to the right (along +x
/// where the request leads up or down).
/// @param toward  m, from the agent to the point.
PLOY_API ploy_vec3 ploy_agitate3(const ploy_agitate_def *def, float *waited, ploy_vec3 requested,
                                 ploy_vec3 toward, float dt);

/// As steering sources (ploy/move/source.h): the request of another source, or the kick. All that
/// is pointed to is borrowed.
/// @param point   the one that cannot be reached. @param waited  s, the caller's, 0 to begin with.
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
