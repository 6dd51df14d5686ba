/// @file ploy/move/match.h
/// Match: move as another agent does.
///
/// Velocity match takes on another agent's velocity, rotation match its rotation. The acceleration
/// is the error over time_to_target, cut to the maximum. For run-ups, convoys, docking, and as a
/// part of flocking. Technique: Millington, *AI for Games*, chapter 3.
///
/// Units: metres, seconds, radians. Cost: O(1), O(count) in a batch; no allocation.
/// Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_match_def_default() and change what you need.
typedef struct ploy_match_def {
    uint32_t cookie;                ///< set by the default; leave alone
    float max_acceleration;         ///< m/s^2
    float max_angular_acceleration; ///< rad/s^2
    float time_to_target;           ///< s, time to reach the other's motion
} ploy_match_def;

PLOY_API ploy_match_def ploy_match_def_default(void);
PLOY_API ploy_fields ploy_match_fields(void);

/// Takes on a velocity. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_match_velocity(const ploy_match_def *def, ploy_kinematic agent,
                                           ploy_vec2 velocity);
PLOY_API ploy_steering3 ploy_match_velocity3(const ploy_match_def *def, ploy_kinematic3 agent,
                                             ploy_vec3 velocity);
/// Takes on a rotation, rad/s.
PLOY_API ploy_steering ploy_match_rotation(const ploy_match_def *def, ploy_kinematic agent,
                                           float rotation);
PLOY_API ploy_steering3 ploy_match_rotation3(const ploy_match_def *def, ploy_kinematic3 agent,
                                             ploy_vec3 rotation);

/// The same for agents [first, first + count) of a view, bit for bit.
/// @param velocities  m/s, number i for agent i, or one for all (ploy_points_one).
/// @param rotations   rad/s, number i for agent i; in space about the world's axes, or one for all.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_match_velocity_batch(const ploy_match_def *def,
                                               const ploy_kinematics *agents, int32_t first,
                                               int32_t count, const ploy_points *velocities,
                                               const ploy_steerings *out);
PLOY_API ploy_result ploy_match_velocity3_batch(const ploy_match_def *def,
                                                const ploy_kinematics3 *agents, int32_t first,
                                                int32_t count, const ploy_points3 *velocities,
                                                const ploy_steerings3 *out);
PLOY_API ploy_result ploy_match_rotation_batch(const ploy_match_def *def,
                                               const ploy_kinematics *agents, int32_t first,
                                               int32_t count, const float *rotations,
                                               const ploy_steerings *out);
PLOY_API ploy_result ploy_match_rotation3_batch(const ploy_match_def *def,
                                                const ploy_kinematics3 *agents, int32_t first,
                                                int32_t count, const ploy_points3 *rotations,
                                                const ploy_steerings3 *out);

/// Reports to a trace the error and whether the acceleration was cut.
PLOY_API void ploy_match_velocity_trace(const ploy_match_def *def, ploy_kinematic agent,
                                        ploy_vec2 velocity, ploy_agent_id id, ploy_trace *trace);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_match_velocity_source(const ploy_match_def *def,
                                                const ploy_vec2 *velocity, const ploy_env *env,
                                                ploy_steering_source *out);
PLOY_API ploy_result ploy_match_rotation_source(const ploy_match_def *def, const float *rotation,
                                                const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_match_velocity3_source(const ploy_match_def *def,
                                                 const ploy_vec3 *velocity, const ploy_env *env,
                                                 ploy_steering_source *out);
PLOY_API ploy_result ploy_match_rotation3_source(const ploy_match_def *def,
                                                 const ploy_vec3 *rotation, const ploy_env *env,
                                                 ploy_steering_source *out);
