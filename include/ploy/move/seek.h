/// @file ploy/move/seek.h
/// Seek: move toward a point at full effort, without stopping there.
///
/// By default the agent corrects its velocity: the acceleration is the difference between the
/// desired velocity (straight at the target, at max_speed) and the current velocity, divided by
/// time_to_target and cut to max_acceleration. In mode `full` the agent accelerates toward the
/// target with max_acceleration, whatever its velocity; then the integrator must limit the speed,
/// and the agent orbits a moving target. Both overshoot; to stop at a point use ploy/move/arrive.h.
///
/// `ploy_seek_velocity` is the kinematic form for movers without inertia: full speed toward the
/// target, at once. Techniques: Reynolds, "Steering Behaviors for Autonomous Characters", GDC 1999,
/// and the acceleration form common in game engines.
///
/// At the target itself there is no direction: the default brakes, the other forms request nothing.
/// Units: metres, seconds. Cost: O(1), O(count) in a batch; no allocation.
/// Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

typedef enum ploy_pull_mode {
    PLOY_PULL_VELOCITY, ///< the velocity error over time_to_target
    PLOY_PULL_FULL      ///< max_acceleration straight along the line
} ploy_pull_mode;

/// Settings. Start from ploy_seek_def_default() and change what you need.
typedef struct ploy_seek_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_pull_mode mode;
    float max_speed;        ///< m/s, the desired speed
    float max_acceleration; ///< m/s^2, the largest request
    float time_to_target;   ///< s, time to reach the desired velocity
} ploy_seek_def;

PLOY_API ploy_seek_def ploy_seek_def_default(void);

/// Name, unit, range, default and help of each setting: for sliders, files and messages.
/// `ploy_fields_check(ploy_seek_fields(), &def, env)` logs the setting that is out of range.
PLOY_API ploy_fields ploy_seek_fields(void);

/// The acceleration of one agent. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_seek(const ploy_seek_def *def, ploy_kinematic agent, ploy_vec2 target);
PLOY_API ploy_steering3 ploy_seek3(const ploy_seek_def *def, ploy_kinematic3 agent,
                                   ploy_vec3 target);

/// The same for agents [first, first + count) of a view, bit for bit.
/// @param targets  number i for agent i, or one for all (ploy_points_one).
/// @param out      only the range is written, and only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_seek_batch(const ploy_seek_def *def, const ploy_kinematics *agents,
                                     int32_t first, int32_t count, const ploy_points *targets,
                                     const ploy_steerings *out);
PLOY_API ploy_result ploy_seek3_batch(const ploy_seek_def *def, const ploy_kinematics3 *agents,
                                      int32_t first, int32_t count, const ploy_points3 *targets,
                                      const ploy_steerings3 *out);

/// The kinematic form: the velocity to take on at once. Uses only max_speed.
PLOY_API ploy_kinematic_output ploy_seek_velocity(const ploy_seek_def *def, ploy_vec2 position,
                                                  ploy_vec2 target);
PLOY_API ploy_kinematic3_output ploy_seek3_velocity(const ploy_seek_def *def, ploy_vec3 position,
                                                    ploy_vec3 target);

/// Reports to a trace how ploy_seek computes its acceleration: the desired velocity, the error, and
/// whether it had to be cut. Does nothing for NULL.
PLOY_API void ploy_seek_trace(const ploy_seek_def *def, ploy_kinematic agent, ploy_vec2 target,
                              ploy_agent_id id, ploy_trace *trace);
PLOY_API void ploy_seek3_trace(const ploy_seek_def *def, ploy_kinematic3 agent, ploy_vec3 target,
                               ploy_agent_id id, ploy_trace *trace);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_seek_source(const ploy_seek_def *def, const ploy_vec2 *target,
                                      const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_seek3_source(const ploy_seek_def *def, const ploy_vec3 *target,
                                       const ploy_env *env, ploy_steering_source *out);
