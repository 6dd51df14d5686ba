/// @file ploy/move/flee.h
/// Flee: move away from a point; the opposite of seek.
///
/// The same law as ploy/move/seek.h with the desired velocity pointing away, and the same two modes
/// and kinematic form. A panic distance limits fleeing to nearby threats. Techniques: as in
/// ploy/move/seek.h.
///
/// On the threat itself there is no direction: the default brakes, the other forms request nothing.
/// Units: metres, seconds. Cost: O(1), O(count) in a batch; no allocation.
/// Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/move/seek.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_flee_def_default() and change what you need.
typedef struct ploy_flee_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_pull_mode mode;
    float max_speed;        ///< m/s, the desired speed
    float max_acceleration; ///< m/s^2, the largest request
    float time_to_target;   ///< s, time to reach the desired velocity
    float panic_distance;   ///< m; threats farther away are ignored; 0 means flee from any distance
} ploy_flee_def;

PLOY_API ploy_flee_def ploy_flee_def_default(void);
PLOY_API ploy_fields ploy_flee_fields(void);

/// The acceleration of one agent. Requests nothing beyond the panic distance. Invalid if a setting
/// is out of range.
PLOY_API ploy_steering ploy_flee(const ploy_flee_def *def, ploy_kinematic agent, ploy_vec2 threat);
PLOY_API ploy_steering3 ploy_flee3(const ploy_flee_def *def, ploy_kinematic3 agent,
                                   ploy_vec3 threat);

/// The same for agents [first, first + count) of a view, bit for bit; see ploy_seek_batch.
PLOY_API ploy_result ploy_flee_batch(const ploy_flee_def *def, const ploy_kinematics *agents,
                                     int32_t first, int32_t count, const ploy_points *threats,
                                     const ploy_steerings *out);
PLOY_API ploy_result ploy_flee3_batch(const ploy_flee_def *def, const ploy_kinematics3 *agents,
                                      int32_t first, int32_t count, const ploy_points3 *threats,
                                      const ploy_steerings3 *out);

/// The kinematic form: the velocity to take on at once. Uses only max_speed and panic_distance.
PLOY_API ploy_kinematic_output ploy_flee_velocity(const ploy_flee_def *def, ploy_vec2 position,
                                                  ploy_vec2 threat);

/// Reports to a trace how ploy_flee computes its acceleration. Does nothing for NULL.
PLOY_API void ploy_flee_trace(const ploy_flee_def *def, ploy_kinematic agent, ploy_vec2 threat,
                              ploy_agent_id id, ploy_trace *trace);
PLOY_API void ploy_flee3_trace(const ploy_flee_def *def, ploy_kinematic3 agent, ploy_vec3 threat,
                               ploy_agent_id id, ploy_trace *trace);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_flee_source(const ploy_flee_def *def, const ploy_vec2 *threat,
                                      const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_flee3_source(const ploy_flee_def *def, const ploy_vec3 *threat,
                                       const ploy_env *env, ploy_steering_source *out);
