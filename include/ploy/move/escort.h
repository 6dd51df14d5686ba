/// @file ploy/move/escort.h
/// Escort: keep a position relative to moving agents.
///
///     interpose       stay halfway between two: a bodyguard, a player who intercepts a pass
///     offset pursuit  hold a slot in a leader's own axes: formations, marking, docking
///     fly by          pass a target at a distance without stopping: a strafing run
///     follow          walk behind a leader, and stay out of its path
///
/// Interpose, offset pursuit and follow arrive at the predicted slot; fly by seeks it, because it
/// does not stop. Nothing here prevents two bodies in one slot: add separation (ploy/move/flock.h)
/// between followers. Techniques: Reynolds, GDC 1999; Buckland, *Programming Game AI by Example*,
/// chapter 3.
///
/// Units: metres, seconds. Cost: O(1), O(count) in a batch; no allocation.
/// Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/move/arrive.h"
#include "ploy/move/predict.h"
#include "ploy/move/seek.h"
#include "ploy/move/source.h"

// Interpose.

/// Settings. Start from ploy_interpose_def_default() and change what you need.
typedef struct ploy_interpose_def {
    uint32_t cookie;        ///< set by the default; leave alone
    ploy_arrive_def arrive; ///< how it moves to the middle
    float max_time;         ///< s, the furthest look ahead
} ploy_interpose_def;

PLOY_API ploy_interpose_def ploy_interpose_def_default(void);
PLOY_API ploy_fields ploy_interpose_fields(void);

/// Returns the middle between the two when the agent arrives: the agent needs T = distance to the
/// present middle / max_speed, and both continue for T.
PLOY_API ploy_vec2 ploy_interpose_point(const ploy_interpose_def *def, ploy_kinematic agent,
                                        ploy_kinematic a, ploy_kinematic b);
PLOY_API ploy_vec3 ploy_interpose3_point(const ploy_interpose_def *def, ploy_kinematic3 agent,
                                         ploy_kinematic3 a, ploy_kinematic3 b);
/// The acceleration of one agent. A fixed point is an agent at rest (ploy_kinematic_make). Requests
/// nothing once there and at rest. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_interpose(const ploy_interpose_def *def, ploy_kinematic agent,
                                      ploy_kinematic a, ploy_kinematic b);
PLOY_API ploy_steering3 ploy_interpose3(const ploy_interpose_def *def, ploy_kinematic3 agent,
                                        ploy_kinematic3 a, ploy_kinematic3 b);
/// The same for agents [first, first + count) of a view, bit for bit. Views of one are the same for
/// all. @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_interpose_batch(const ploy_interpose_def *def,
                                          const ploy_kinematics *agents, int32_t first,
                                          int32_t count, const ploy_kinematics *a,
                                          const ploy_kinematics *b, const ploy_steerings *out);
PLOY_API ploy_result ploy_interpose3_batch(const ploy_interpose_def *def,
                                           const ploy_kinematics3 *agents, int32_t first,
                                           int32_t count, const ploy_kinematics3 *a,
                                           const ploy_kinematics3 *b, const ploy_steerings3 *out);
PLOY_API void ploy_interpose_trace(const ploy_interpose_def *def, ploy_kinematic agent,
                                   ploy_kinematic a, ploy_kinematic b, ploy_agent_id id,
                                   ploy_trace *trace);

// Offset pursuit.

typedef struct ploy_offset_pursuit_def {
    uint32_t cookie;        ///< set by the default; leave alone
    ploy_arrive_def arrive; ///< how it moves to the slot
    float max_time;         ///< s, the furthest look ahead
} ploy_offset_pursuit_def;

PLOY_API ploy_offset_pursuit_def ploy_offset_pursuit_def_default(void);
PLOY_API ploy_fields ploy_offset_pursuit_fields(void);

/// Returns where the slot will be: W = the offset from the leader in the leader's axes (x ahead, y
/// left), moved by the leader's velocity for T = |W - position| / (max_speed + leader's speed).
PLOY_API ploy_vec2 ploy_offset_pursuit_point(const ploy_offset_pursuit_def *def,
                                             ploy_kinematic agent, ploy_kinematic leader,
                                             ploy_vec2 offset);
PLOY_API ploy_vec3 ploy_offset_pursuit3_point(const ploy_offset_pursuit_def *def,
                                              ploy_kinematic3 agent, ploy_kinematic3 leader,
                                              ploy_vec3 offset);
PLOY_API ploy_steering ploy_offset_pursuit(const ploy_offset_pursuit_def *def, ploy_kinematic agent,
                                           ploy_kinematic leader, ploy_vec2 offset);
PLOY_API ploy_steering3 ploy_offset_pursuit3(const ploy_offset_pursuit_def *def,
                                             ploy_kinematic3 agent, ploy_kinematic3 leader,
                                             ploy_vec3 offset);
/// @param offsets  m, number i for agent i, or one for all (ploy_points_one).
PLOY_API ploy_result ploy_offset_pursuit_batch(const ploy_offset_pursuit_def *def,
                                               const ploy_kinematics *agents, int32_t first,
                                               int32_t count, const ploy_kinematics *leaders,
                                               const ploy_points *offsets,
                                               const ploy_steerings *out);
PLOY_API ploy_result ploy_offset_pursuit3_batch(const ploy_offset_pursuit_def *def,
                                                const ploy_kinematics3 *agents, int32_t first,
                                                int32_t count, const ploy_kinematics3 *leaders,
                                                const ploy_points3 *offsets,
                                                const ploy_steerings3 *out);
PLOY_API void ploy_offset_pursuit_trace(const ploy_offset_pursuit_def *def, ploy_kinematic agent,
                                        ploy_kinematic leader, ploy_vec2 offset, ploy_agent_id id,
                                        ploy_trace *trace);

// Fly by.

typedef struct ploy_fly_by_def {
    uint32_t cookie;          ///< set by the default; leave alone
    ploy_seek_def seek;       ///< how it seeks the point
    ploy_predict_def predict; ///< how far it looks ahead
    float distance;           ///< m, the distance at which to pass
} ploy_fly_by_def;

PLOY_API ploy_fly_by_def ploy_fly_by_def_default(void);
PLOY_API ploy_fields ploy_fly_by_fields(void);

/// Returns the point `distance` beside the target's predicted position, on the side on which the
/// agent would pass; on the left if it heads straight at the target.
PLOY_API ploy_vec2 ploy_fly_by_point(const ploy_fly_by_def *def, ploy_kinematic agent,
                                     ploy_kinematic target);
PLOY_API ploy_vec3 ploy_fly_by3_point(const ploy_fly_by_def *def, ploy_kinematic3 agent,
                                      ploy_kinematic3 target);
PLOY_API ploy_steering ploy_fly_by(const ploy_fly_by_def *def, ploy_kinematic agent,
                                   ploy_kinematic target);
PLOY_API ploy_steering3 ploy_fly_by3(const ploy_fly_by_def *def, ploy_kinematic3 agent,
                                     ploy_kinematic3 target);
PLOY_API ploy_result ploy_fly_by_batch(const ploy_fly_by_def *def, const ploy_kinematics *agents,
                                       int32_t first, int32_t count, const ploy_kinematics *targets,
                                       const ploy_steerings *out);
PLOY_API ploy_result ploy_fly_by3_batch(const ploy_fly_by_def *def, const ploy_kinematics3 *agents,
                                        int32_t first, int32_t count,
                                        const ploy_kinematics3 *targets,
                                        const ploy_steerings3 *out);
PLOY_API void ploy_fly_by_trace(const ploy_fly_by_def *def, ploy_kinematic agent,
                                ploy_kinematic target, ploy_agent_id id, ploy_trace *trace);

// Leader following.

typedef struct ploy_follow_def {
    uint32_t cookie;        ///< set by the default; leave alone
    ploy_arrive_def arrive; ///< how it moves to its place
    float behind;           ///< m, distance of its place behind the leader
    float clear_length;     ///< m ahead of the leader that followers keep clear
    float clear_time;       ///< s of the leader's motion added to clear_length
    float clear_width;      ///< m to each side of the leader's line
} ploy_follow_def;

PLOY_API ploy_follow_def ploy_follow_def_default(void);
PLOY_API ploy_fields ploy_follow_fields(void);

/// The acceleration of one follower: to its place behind the leader, or sideways out of the
/// leader's path (to the left if it is exactly on the line). For single file, let each agent follow
/// the one before it.
PLOY_API ploy_steering ploy_follow(const ploy_follow_def *def, ploy_kinematic agent,
                                   ploy_kinematic leader);
PLOY_API ploy_steering3 ploy_follow3(const ploy_follow_def *def, ploy_kinematic3 agent,
                                     ploy_kinematic3 leader);
PLOY_API ploy_result ploy_follow_batch(const ploy_follow_def *def, const ploy_kinematics *agents,
                                       int32_t first, int32_t count, const ploy_kinematics *leaders,
                                       const ploy_steerings *out);
PLOY_API ploy_result ploy_follow3_batch(const ploy_follow_def *def, const ploy_kinematics3 *agents,
                                        int32_t first, int32_t count,
                                        const ploy_kinematics3 *leaders,
                                        const ploy_steerings3 *out);
PLOY_API void ploy_follow_trace(const ploy_follow_def *def, ploy_kinematic agent,
                                ploy_kinematic leader, ploy_agent_id id, ploy_trace *trace);
/// Draws the place behind the leader and the area ahead of it that followers keep clear.
PLOY_API void ploy_follow_draw(const ploy_follow_def *def, ploy_kinematic leader,
                               ploy_agent_id owner, ploy_draw *out);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_fly_by_source(const ploy_fly_by_def *def, const ploy_kinematic *target,
                                        const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_follow_source(const ploy_follow_def *def, const ploy_kinematic *leader,
                                        const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_interpose_source(const ploy_interpose_def *def, const ploy_kinematic *a,
                                           const ploy_kinematic *b, const ploy_env *env,
                                           ploy_steering_source *out);
PLOY_API ploy_result ploy_offset_pursuit_source(const ploy_offset_pursuit_def *def,
                                                const ploy_kinematic *leader,
                                                const ploy_vec2 *offset, const ploy_env *env,
                                                ploy_steering_source *out);
PLOY_API ploy_result ploy_fly_by3_source(const ploy_fly_by_def *def, const ploy_kinematic3 *target,
                                         const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_follow3_source(const ploy_follow_def *def, const ploy_kinematic3 *leader,
                                         const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_interpose3_source(const ploy_interpose_def *def, const ploy_kinematic3 *a,
                                            const ploy_kinematic3 *b, const ploy_env *env,
                                            ploy_steering_source *out);
PLOY_API ploy_result ploy_offset_pursuit3_source(const ploy_offset_pursuit_def *def,
                                                 const ploy_kinematic3 *leader,
                                                 const ploy_vec3 *offset, const ploy_env *env,
                                                 ploy_steering_source *out);
