/// @file ploy/move/collision.h
/// Collision avoidance among moving agents.
///
/// Closest approach: if both keep their velocities, when are they nearest, and how near? Only the
/// earliest meeting within `horizon` that comes closer than the sum of the radii counts, and the
/// agent accelerates away from where the other will be then. An agent that already overlaps, or
/// would meet centre to centre, is avoided at its present position. In an exact head-on meeting
/// neither side is better: with `sidestep` both step to their own right and pass each other.
///
/// The cone is the cheap form: the agent evades the predicted positions of agents that are near and
/// within an angle ahead. It reacts where no collision would happen, and misses collisions from the
/// side.
///
/// The formulas printed in Millington's book lack signs; these are corrected. Techniques: Reynolds
/// ("unaligned collision avoidance"), GDC 1999; Millington, chapter 3.
///
/// Units: metres, seconds. Cost: O(others) for each agent, no allocation; for crowds, set `range`
/// and pass an index of the agents (ploy/geom/grid.h) to the batch forms: then the cost is O(agents
/// in range). Threads: pure functions; disjoint ranges of one batch may run at the same time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/geom/index.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

/// Settings. Start from ploy_collision_def_default() and change what you need.
typedef struct ploy_collision_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float radius;           ///< m, of every body that is not in radii
    const float *radii;     ///< m, of each of the others by number, borrowed; NULL: all have radius
    float horizon;          ///< s, later meetings are ignored
    float range;            ///< m, agents farther away are ignored; 0: no limit
    float max_acceleration; ///< m/s^2, length of every acceleration returned
    bool sidestep;          ///< step aside in a head-on meeting
} ploy_collision_def;

PLOY_API ploy_collision_def ploy_collision_def_default(void);
PLOY_API ploy_fields ploy_collision_fields(void);

/// One meeting of two agents.
typedef struct ploy_approach {
    int32_t index;    ///< of the other; -1: none
    float time;       ///< s from now; 0 if they already overlap
    float separation; ///< m between the centres then
} ploy_approach;

/// Returns when two agents are nearest, and how near. The time is never below 0; it is 0 for equal
/// velocities.
PLOY_API ploy_approach ploy_closest_approach(ploy_kinematic a, ploy_kinematic b);
PLOY_API ploy_approach ploy_closest_approach3(ploy_kinematic3 a, ploy_kinematic3 b);

/// Returns the earliest collision of an agent; of equally early ones, the first.
/// @param self  the agent's own number among the others, which is left out; -1 if it is not there.
PLOY_API ploy_approach ploy_collision_find(const ploy_collision_def *def, ploy_kinematic agent,
                                           const ploy_kinematics *others, int32_t self);
PLOY_API ploy_approach ploy_collision3_find(const ploy_collision_def *def, ploy_kinematic3 agent,
                                            const ploy_kinematics3 *others, int32_t self);

/// The acceleration of one agent. Requests nothing if no agent comes too near.
PLOY_API ploy_steering ploy_avoid_collision(const ploy_collision_def *def, ploy_kinematic agent,
                                            const ploy_kinematics *others, int32_t self);
PLOY_API ploy_steering3 ploy_avoid_collision3(const ploy_collision_def *def, ploy_kinematic3 agent,
                                              const ploy_kinematics3 *others, int32_t self);

/// The same for agents [first, first + count) of a view among all of its agents, bit for bit.
/// @param index  of the view's positions; the ids are the agents' numbers. Only agents within
///               def.range are tested. NULL, or a range of 0: all agents are tested.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_avoid_collision_batch(const ploy_collision_def *def,
                                                const ploy_kinematics *agents, int32_t first,
                                                int32_t count, const ploy_index2 *index,
                                                const ploy_steerings *out);
PLOY_API ploy_result ploy_avoid_collision3_batch(const ploy_collision_def *def,
                                                 const ploy_kinematics3 *agents, int32_t first,
                                                 int32_t count, const ploy_index3 *index,
                                                 const ploy_steerings3 *out);

/// Reports to a trace which agent is met, when, and how near.
PLOY_API void ploy_avoid_collision_trace(const ploy_collision_def *def, ploy_kinematic agent,
                                         const ploy_kinematics *others, int32_t self,
                                         ploy_agent_id id, ploy_trace *trace);

/// Settings of the cone.
typedef struct ploy_cone_def {
    uint32_t cookie;        ///< set by the default; leave alone
    float half_angle;       ///< rad to each side of the agent's nose
    float distance;         ///< m, agents farther away are ignored
    float max_acceleration; ///< m/s^2, length of every acceleration returned
    float max_prediction;   ///< s, the longest look ahead; 0: uses present positions
    bool average;           ///< evade the mean position of all in the cone; otherwise the nearest
} ploy_cone_def;

PLOY_API ploy_cone_def ploy_cone_def_default(void);
PLOY_API ploy_fields ploy_cone_fields(void);

/// The acceleration of one agent, away from the agents in its cone.
PLOY_API ploy_steering ploy_avoid_cone(const ploy_cone_def *def, ploy_kinematic agent,
                                       const ploy_kinematics *others, int32_t self);
PLOY_API ploy_steering3 ploy_avoid_cone3(const ploy_cone_def *def, ploy_kinematic3 agent,
                                         const ploy_kinematics3 *others, int32_t self);

/// The same for agents [first, first + count) of a view among all of its agents, bit for bit; index
/// as in ploy_avoid_collision_batch, with def.distance as the range.
PLOY_API ploy_result ploy_avoid_cone_batch(const ploy_cone_def *def, const ploy_kinematics *agents,
                                           int32_t first, int32_t count, const ploy_index2 *index,
                                           const ploy_steerings *out);
PLOY_API ploy_result ploy_avoid_cone3_batch(const ploy_cone_def *def,
                                            const ploy_kinematics3 *agents, int32_t first,
                                            int32_t count, const ploy_index3 *index,
                                            const ploy_steerings3 *out);

/// Turns a request so that it passes another agent at the side: the direction to the agent, turned
/// by atan(2 radius / distance) to the side that is nearer to `requested`. Returns `requested`
/// unchanged if the other is farther away than `within`. Always keeps the length.
PLOY_API ploy_vec2 ploy_pass_by(ploy_vec2 position, ploy_vec2 requested, ploy_vec2 other,
                                float radius, float within);
/// In space the turn is in the plane of the request and the direction to the other. If the request
/// points straight at the other, the turn is to the right as seen along the request, or along +x if
/// the request points straight up or down.
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
    float within;    ///< m, distance within which the body is passed at the side
} ploy_pass_by_def;

PLOY_API ploy_pass_by_def ploy_pass_by_def_default(void);
PLOY_API ploy_fields ploy_pass_by_fields(void);
/// Makes a source that turns another source's request to pass a body at the side. Borrows and fails
/// as above.
PLOY_API ploy_result ploy_pass_by_source(const ploy_pass_by_def *def,
                                         const ploy_steering_source *filtered,
                                         const ploy_vec2 *other, const ploy_env *env,
                                         ploy_steering_source *out);
PLOY_API ploy_result ploy_pass_by3_source(const ploy_pass_by_def *def,
                                          const ploy_steering_source *filtered,
                                          const ploy_vec3 *other, const ploy_env *env,
                                          ploy_steering_source *out);
