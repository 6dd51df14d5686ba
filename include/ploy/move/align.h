/// @file ploy/move/align.h
/// Align: turn to an orientation, and stop turning there.
///
///     align  to a given orientation
///     face   to a point, wherever the agent goes
///     look   along the velocity, gradually: helicopters, hovercraft, people who sidestep
///
/// This is arrive for angles: outside slow_angle the agent turns at max_rotation, inside in
/// proportion to the remaining angle, and within target_angle it has arrived. In space, the angle
/// and the axis are those of the single rotation to the desired orientation; face and look turn to
/// the upright orientation (head toward +z) that faces the direction, or take the shortest rotation
/// if the direction is straight up or down. All of them request only an angular acceleration; set
/// the integrator's facing to `free`. To look away, align to the orientation plus pi. Technique:
/// Millington, *AI for Games*, chapter 3.
///
/// Units: radians, seconds. Cost: O(1), O(count) in a batch; no allocation.
/// Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_align_def_default() and change what you need.
typedef struct ploy_align_def {
    uint32_t cookie;                ///< set by the default; leave alone
    float max_rotation;             ///< rad/s
    float max_angular_acceleration; ///< rad/s^2
    float slow_angle;               ///< rad, where braking begins
    float target_angle;             ///< rad, near enough
    float time_to_target;           ///< s, time to reach the desired rotation
} ploy_align_def;

PLOY_API ploy_align_def ploy_align_def_default(void);
PLOY_API ploy_fields ploy_align_fields(void);

/// Turns to an orientation in the shorter direction. Requests nothing once there. Invalid if a
/// setting is out of range.
PLOY_API ploy_steering ploy_align(const ploy_align_def *def, ploy_kinematic agent,
                                  float orientation);
PLOY_API ploy_steering3 ploy_align3(const ploy_align_def *def, ploy_kinematic3 agent,
                                    ploy_quat orientation);

/// Turns to a point. Also requests nothing at the point itself.
PLOY_API ploy_steering ploy_face(const ploy_align_def *def, ploy_kinematic agent, ploy_vec2 point);
PLOY_API ploy_steering3 ploy_face3(const ploy_align_def *def, ploy_kinematic3 agent,
                                   ploy_vec3 point);

/// Turns into the direction of motion. Also requests nothing at rest.
PLOY_API ploy_steering ploy_look(const ploy_align_def *def, ploy_kinematic agent);
PLOY_API ploy_steering3 ploy_look3(const ploy_align_def *def, ploy_kinematic3 agent);

/// The same for agents [first, first + count) of a view, bit for bit.
/// @param orientations  rad, number i for agent i.
/// @param points        number i for agent i, or one for all (ploy_points_one).
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_align_batch(const ploy_align_def *def, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, const float *orientations,
                                      const ploy_steerings *out);
PLOY_API ploy_result ploy_face_batch(const ploy_align_def *def, const ploy_kinematics *agents,
                                     int32_t first, int32_t count, const ploy_points *points,
                                     const ploy_steerings *out);
PLOY_API ploy_result ploy_look_batch(const ploy_align_def *def, const ploy_kinematics *agents,
                                     int32_t first, int32_t count, const ploy_steerings *out);
PLOY_API ploy_result ploy_align3_batch(const ploy_align_def *def, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, const ploy_quat *orientations,
                                       const ploy_steerings3 *out);
PLOY_API ploy_result ploy_face3_batch(const ploy_align_def *def, const ploy_kinematics3 *agents,
                                      int32_t first, int32_t count, const ploy_points3 *points,
                                      const ploy_steerings3 *out);
PLOY_API ploy_result ploy_look3_batch(const ploy_align_def *def, const ploy_kinematics3 *agents,
                                      int32_t first, int32_t count, const ploy_steerings3 *out);

/// Reports to a trace the remaining angle, the desired rotation and whether it was cut.
PLOY_API void ploy_align_trace(const ploy_align_def *def, ploy_kinematic agent, float orientation,
                               ploy_agent_id id, ploy_trace *trace);
PLOY_API void ploy_face_trace(const ploy_align_def *def, ploy_kinematic agent, ploy_vec2 point,
                              ploy_agent_id id, ploy_trace *trace);
PLOY_API void ploy_look_trace(const ploy_align_def *def, ploy_kinematic agent, ploy_agent_id id,
                              ploy_trace *trace);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_align_source(const ploy_align_def *def, const float *orientation,
                                       const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_face_source(const ploy_align_def *def, const ploy_vec2 *point,
                                      const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_look_source(const ploy_align_def *def, const ploy_env *env,
                                      ploy_steering_source *out);
PLOY_API ploy_result ploy_align3_source(const ploy_align_def *def, const ploy_quat *orientation,
                                        const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_face3_source(const ploy_align_def *def, const ploy_vec3 *point,
                                       const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_look3_source(const ploy_align_def *def, const ploy_env *env,
                                       ploy_steering_source *out);
