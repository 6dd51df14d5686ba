/// @file ploy/move/obstacle.h
/// Obstacle avoidance: steering around circles and spheres.
///
/// The agent looks along a box ahead of it (a cylinder in space), as wide as its own body and
/// longer the faster it moves. Only the nearest circle (sphere) that reaches into the box counts:
/// the agent is pushed sideways away from it, more the nearer and more central it is, and brakes.
///
/// The option `classic` is the push as printed in Buckland's book, which always goes to the left
/// and grows on the wrong side. The default pushes away: -sign(ly) (R - |ly|) m, with ly the
/// obstacle's distance to the left of the agent's line, R the sum of the radii and m = 1 + (length
/// - lx) / length. An obstacle exactly ahead is passed on the right.
///
/// For big or square obstacles use the feelers of ploy/move/feelers.h, for moving ones
/// ploy/move/collision.h. This is not collision resolution: it only reduces contacts. Techniques:
/// Reynolds, GDC 1999; Buckland, chapter 3.
///
/// Units: metres, seconds. Cost: O(obstacles), no allocation. Threads: pure functions.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/geom/circle.h"
#include "ploy/geom/sphere.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_obstacle_def_default() and change what you need.
typedef struct ploy_obstacle_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float radius;           ///< m, of the agent's body
    float look_ahead;       ///< m, length of the box at rest; at max_speed it is twice that
    float max_speed;        ///< m/s
    float strength;         ///< 1/s^2, acceleration for each metre of push
    float braking;          ///< 1/s^2, deceleration for each metre of overlap ahead
    float max_acceleration; ///< m/s^2
    bool classic;           ///< the push as it was printed
} ploy_obstacle_def;

PLOY_API ploy_obstacle_def ploy_obstacle_def_default(void);
PLOY_API ploy_fields ploy_obstacle_fields(void);

/// The obstacle ahead.
typedef struct ploy_obstacle_threat {
    int32_t index;  ///< of the obstacle; -1: none
    float distance; ///< m along the agent's line to the point of contact
    float length;   ///< m, of the box
} ploy_obstacle_threat;

/// Returns the nearest obstacle in the box; of equally near ones, the first. The box points along
/// the velocity, or at rest along the orientation. index is also -1 if a setting is out of range.
PLOY_API ploy_obstacle_threat ploy_obstacle_find(const ploy_obstacle_def *def, ploy_kinematic agent,
                                                 const ploy_circle *obstacles, int32_t count);
PLOY_API ploy_obstacle_threat ploy_obstacle3_find(const ploy_obstacle_def *def,
                                                  ploy_kinematic3 agent,
                                                  const ploy_sphere *obstacles, int32_t count);

/// The acceleration of one agent. Requests nothing if no obstacle is in the box.
PLOY_API ploy_steering ploy_avoid_obstacles(const ploy_obstacle_def *def, ploy_kinematic agent,
                                            const ploy_circle *obstacles, int32_t count);
PLOY_API ploy_steering3 ploy_avoid_obstacles3(const ploy_obstacle_def *def, ploy_kinematic3 agent,
                                              const ploy_sphere *obstacles, int32_t count);

/// The same for agents [first, first + count) of a view, bit for bit.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_avoid_obstacles_batch(const ploy_obstacle_def *def,
                                                const ploy_kinematics *agents, int32_t first,
                                                int32_t count, const ploy_circle *obstacles,
                                                int32_t obstacle_count, const ploy_steerings *out);
PLOY_API ploy_result ploy_avoid_obstacles3_batch(const ploy_obstacle_def *def,
                                                 const ploy_kinematics3 *agents, int32_t first,
                                                 int32_t count, const ploy_sphere *obstacles,
                                                 int32_t obstacle_count,
                                                 const ploy_steerings3 *out);

/// Reports to a trace which obstacle counts and how hard the agent is pushed.
PLOY_API void ploy_avoid_obstacles_trace(const ploy_obstacle_def *def, ploy_kinematic agent,
                                         const ploy_circle *obstacles, int32_t count,
                                         ploy_agent_id id, ploy_trace *trace);
/// Draws the box.
PLOY_API void ploy_avoid_obstacles_draw(const ploy_obstacle_def *def, ploy_kinematic agent,
                                        ploy_agent_id owner, ploy_draw *out);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_avoid_obstacles_source(const ploy_obstacle_def *def,
                                                 const ploy_circle *obstacles, int32_t count,
                                                 const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_avoid_obstacles3_source(const ploy_obstacle_def *def,
                                                  const ploy_sphere *obstacles, int32_t count,
                                                  const ploy_env *env, ploy_steering_source *out);
