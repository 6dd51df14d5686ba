/// @file ploy/move/collision.h
/// Collision avoidance among agents that move.
///
/// Closest approach: if both keep their velocities, when are they nearest, and how near? Only the
/// earliest meeting within `horizon` that comes closer than the sum of the radii counts, and the
/// agent accelerates away from where the other will be then. Who overlaps already, or would meet
/// centre to centre, is avoided as it is now. An exact head-on meeting has no side: with `sidestep`
/// both step to their own right, and so pass each other.
///
/// The cone is the cheap form: the agent evades every agent that is near and within the angle
/// ahead, by where the other will be. It panics where no collision would happen and misses those
/// from the side.
///
/// The formulas printed in the book have signs missing; these are the corrected ones.
/// Techniques: Reynolds ("unaligned collision avoidance"), GDC 1999; Millington, chapter 3.
///
/// Units: metres, seconds. Cost: O(others) for each agent, no allocation; crowds set `range` and
/// hand the batch forms an index of the agents (ploy/geom/grid.h): then it is O(near ones).
/// Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/geom/index.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_collision_def_default() and change what you need.
typedef struct ploy_collision_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float radius;           ///< m, of every body without one in radii
    const float *radii;     ///< m, of each of the others by number, borrowed; NULL: all have radius
    float horizon;          ///< s, later meetings do not count
    float range;            ///< m, agents farther away are ignored; 0: none is
    float max_acceleration; ///< m/s^2, length of every acceleration returned
    bool sidestep;          ///< step aside in a head-on meeting
} ploy_collision_def;

PLOY_API ploy_collision_def ploy_collision_def_default(void);
PLOY_API ploy_fields ploy_collision_fields(void);

/// The meeting that counts.
typedef struct ploy_approach {
    int32_t index;    ///< of the other; -1: none
    float time;       ///< s from now; 0 for who overlaps already
    float separation; ///< m between the centres then
} ploy_approach;

/// When two movers are nearest, and how near: from now on, so never below 0. Equal velocities: now.
PLOY_API ploy_approach ploy_closest_approach(ploy_kinematic a, ploy_kinematic b);
PLOY_API ploy_approach ploy_closest_approach3(ploy_kinematic3 a, ploy_kinematic3 b);

/// The earliest collision of an agent; of equally early ones the first.
/// @param self  the agent's own number among the others, which is left out; -1 if it is not there.
PLOY_API ploy_approach ploy_collision_find(const ploy_collision_def *def, ploy_kinematic agent,
                                           const ploy_kinematics *others, int32_t self);
PLOY_API ploy_approach ploy_collision3_find(const ploy_collision_def *def, ploy_kinematic3 agent,
                                            const ploy_kinematics3 *others, int32_t self);

/// The acceleration of one agent. Requests nothing when no agent comes too near.
PLOY_API ploy_steering ploy_avoid_collision(const ploy_collision_def *def, ploy_kinematic agent,
                                            const ploy_kinematics *others, int32_t self);
PLOY_API ploy_steering3 ploy_avoid_collision3(const ploy_collision_def *def, ploy_kinematic3 agent,
                                              const ploy_kinematics3 *others, int32_t self);

/// The same for agents [first, first + count) of a view among all of it, bit for bit.
/// @param index  of the view's positions, ids being the agents' numbers: those within def.range are
///               asked. NULL, or a range of 0: all are.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_avoid_collision_batch(const ploy_collision_def *def,
                                                const ploy_kinematics *agents, int32_t first,
                                                int32_t count, const ploy_index2 *index,
                                                const ploy_steerings *out);
PLOY_API ploy_result ploy_avoid_collision3_batch(const ploy_collision_def *def,
                                                 const ploy_kinematics3 *agents, int32_t first,
                                                 int32_t count, const ploy_index3 *index,
                                                 const ploy_steerings3 *out);

/// Reports to a trace who is met when, and how near.
PLOY_API void ploy_avoid_collision_trace(const ploy_collision_def *def, ploy_kinematic agent,
                                         const ploy_kinematics *others, int32_t self,
                                         ploy_agent_id id, ploy_trace *trace);

/// Settings of the cone.
typedef struct ploy_cone_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float half_angle;       ///< rad to each side of the agent's nose
    float distance;         ///< m, those farther away do not count
    float max_acceleration; ///< m/s^2, length of every acceleration returned
    float max_prediction;   ///< s, the furthest look ahead; 0: from where they are now
    bool average;           ///< evade the middle of all in the cone; otherwise the nearest
} ploy_cone_def;

PLOY_API ploy_cone_def ploy_cone_def_default(void);
PLOY_API ploy_fields ploy_cone_fields(void);

/// The acceleration of one agent, away from who is in its cone.
PLOY_API ploy_steering ploy_avoid_cone(const ploy_cone_def *def, ploy_kinematic agent,
                                       const ploy_kinematics *others, int32_t self);
PLOY_API ploy_steering3 ploy_avoid_cone3(const ploy_cone_def *def, ploy_kinematic3 agent,
                                         const ploy_kinematics3 *others, int32_t self);

/// The same for agents [first, first + count) of a view among all of it, bit for bit; index as in
/// ploy_avoid_collision_batch, asked for those within def.distance.
PLOY_API ploy_result ploy_avoid_cone_batch(const ploy_cone_def *def, const ploy_kinematics *agents,
                                           int32_t first, int32_t count, const ploy_index2 *index,
                                           const ploy_steerings *out);
PLOY_API ploy_result ploy_avoid_cone3_batch(const ploy_cone_def *def,
                                            const ploy_kinematics3 *agents, int32_t first,
                                            int32_t count, const ploy_index3 *index,
                                            const ploy_steerings3 *out);

/// The direction that passes another agent at the side: the direction to it turned by atan(2 radius
/// / distance), to the side that needs the smaller turn from `request`. `request` itself, with its
/// length, if the other is farther away than `within`; keeps the length of request always.
PLOY_API ploy_vec2 ploy_pass_by(ploy_vec2 position, ploy_vec2 requested, ploy_vec2 other,
                                float radius, float within);
/// In space the turn is in the plane of the request and the direction to the other; where the
/// request leads straight at it, to the right as seen along it, or along +x if that is up or down.
PLOY_API ploy_vec3 ploy_pass_by3(ploy_vec3 position, ploy_vec3 requested, ploy_vec3 other,
                                 float radius, float within);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @param self  the agent's own number among the others, which is left out; -1 if it is not there.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_avoid_collision_source(const ploy_collision_def *def,
                                                 const ploy_kinematics *others, int32_t self,
                                                 const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_avoid_cone_source(const ploy_cone_def *def, const ploy_kinematics *others,
                                            int32_t self, const ploy_env *env,
                                            ploy_steering_source *out);
PLOY_API ploy_result ploy_avoid_collision3_source(const ploy_collision_def *def,
                                                  const ploy_kinematics3 *others, int32_t self,
                                                  const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_avoid_cone3_source(const ploy_cone_def *def,
                                             const ploy_kinematics3 *others, int32_t self,
                                             const ploy_env *env, ploy_steering_source *out);

/// Settings of passing by as a source. Start from ploy_pass_by_def_default().
typedef struct ploy_pass_by_def {
    uint32_t cookie; ///< set by the default; leave alone
    float radius;    ///< m, of the body to pass
    float within;    ///< m, from which distance on it is passed at the side
} ploy_pass_by_def;

PLOY_API ploy_pass_by_def ploy_pass_by_def_default(void);
PLOY_API ploy_fields ploy_pass_by_fields(void);
/// The request of another source, turned to pass a body at the side. Borrowed; fails as above.
PLOY_API ploy_result ploy_pass_by_source(const ploy_pass_by_def *def,
                                         const ploy_steering_source *filtered,
                                         const ploy_vec2 *other, const ploy_env *env,
                                         ploy_steering_source *out);
PLOY_API ploy_result ploy_pass_by3_source(const ploy_pass_by_def *def,
                                          const ploy_steering_source *filtered,
                                          const ploy_vec3 *other, const ploy_env *env,
                                          ploy_steering_source *out);
