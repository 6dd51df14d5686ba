/// @file ploy/move/arrive.h
/// Arrive: go to a point and stop there.
///
/// Outside slow_radius the agent seeks the target at max_speed; inside, the desired speed falls in
/// proportion to the distance; within target_radius the agent has arrived.
///
///     max_speed ____________
///                           \            desired speed by distance
///                            \__
///          far      slow_radius  target_radius
///
/// The acceleration is the error between desired and present velocity over time_to_target, cut to
/// max_acceleration. A slow_radius below max_speed^2 / max_acceleration is too small: the agent
/// brakes too late and overshoots.
///
/// Settings of other books: for Buckland's decelerations (slow 3, normal 2, fast 1) set slow_radius
/// = max_speed * 0.3 * that number, with target_radius 0 and time_to_target 1. The kinematic form's
/// time to target (Millington) is slow_radius / max_speed. Technique: Reynolds, "Steering Behaviors
/// for Autonomous Characters", GDC 1999.
///
/// Units: metres, seconds. Cost: O(1), O(count) in a batch; no allocation.
/// Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_arrive_def_default() and change what you need.
typedef struct ploy_arrive_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float max_speed;        ///< m/s
    float max_acceleration; ///< m/s^2
    float slow_radius;      ///< m, where braking begins
    float target_radius;    ///< m, near enough
    float time_to_target;   ///< s, time to reach the desired velocity
    bool stop_inside;       ///< brake within target_radius; otherwise request nothing and drift on
} ploy_arrive_def;

PLOY_API ploy_arrive_def ploy_arrive_def_default(void);
PLOY_API ploy_fields ploy_arrive_fields(void);

/// The phase of an agent's approach.
typedef enum ploy_arrive_phase {
    PLOY_ARRIVE_FULL_SPEED, ///< outside slow_radius
    PLOY_ARRIVE_SLOWING,    ///< between the two radii
    PLOY_ARRIVE_THERE       ///< within target_radius, or exactly at the target
} ploy_arrive_phase;

/// "full speed", "slowing", "there".
PLOY_API const char *ploy_arrive_phase_text(ploy_arrive_phase phase);
PLOY_API ploy_arrive_phase ploy_arrive_phase_of(const ploy_arrive_def *def, ploy_vec2 position,
                                                ploy_vec2 target);
PLOY_API ploy_arrive_phase ploy_arrive3_phase_of(const ploy_arrive_def *def, ploy_vec3 position,
                                                 ploy_vec3 target);

/// The acceleration of one agent. Requests nothing once the agent has arrived and is at rest (or
/// has arrived and stop_inside is off). Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_arrive(const ploy_arrive_def *def, ploy_kinematic agent,
                                   ploy_vec2 target);
PLOY_API ploy_steering3 ploy_arrive3(const ploy_arrive_def *def, ploy_kinematic3 agent,
                                     ploy_vec3 target);

/// The same for agents [first, first + count) of a view, bit for bit.
/// @param targets  number i for agent i, or one for all (ploy_points_one).
/// @param out      only the range is written, and only on PLOY_OK.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_arrive_batch(const ploy_arrive_def *def, const ploy_kinematics *agents,
                                       int32_t first, int32_t count, const ploy_points *targets,
                                       const ploy_steerings *out);
PLOY_API ploy_result ploy_arrive3_batch(const ploy_arrive_def *def, const ploy_kinematics3 *agents,
                                        int32_t first, int32_t count, const ploy_points3 *targets,
                                        const ploy_steerings3 *out);

/// The kinematic form: the velocity to take on at once. Requests nothing once the agent has
/// arrived. Uses only max_speed and the two radii.
PLOY_API ploy_kinematic_output ploy_arrive_velocity(const ploy_arrive_def *def, ploy_vec2 position,
                                                    ploy_vec2 target);

/// Reports to a trace how ploy_arrive computes its acceleration: the phases with the speed each
/// would request, and the present one. Does nothing for NULL.
PLOY_API void ploy_arrive_trace(const ploy_arrive_def *def, ploy_kinematic agent, ploy_vec2 target,
                                ploy_agent_id id, ploy_trace *trace);
PLOY_API void ploy_arrive3_trace(const ploy_arrive_def *def, ploy_kinematic3 agent,
                                 ploy_vec3 target, ploy_agent_id id, ploy_trace *trace);
/// Draws the two radii around the target.
PLOY_API void ploy_arrive_draw(const ploy_arrive_def *def, ploy_vec2 target, ploy_agent_id owner,
                               ploy_draw *out);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_arrive_source(const ploy_arrive_def *def, const ploy_vec2 *target,
                                        const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_arrive3_source(const ploy_arrive_def *def, const ploy_vec3 *target,
                                         const ploy_env *env, ploy_steering_source *out);
