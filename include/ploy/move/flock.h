/// @file ploy/move/flock.h
/// Flocking: separation, alignment and cohesion, for one agent or for fifty thousand.
///
/// Each agent looks at those around it that it can see and follows three rules: keep off those too
/// near (separation), move as they do (alignment), stay with them (cohesion). What it sees is
/// summed up once, in a ploy_neighbours, and every rule reads that. Others count, the agent itself
/// does not; who is nearer than `radius` (plus body_radius) is near; separation pushes with
/// strength / distance.
///
/// Each rule can have a smaller neighbourhood: a radius and an angle to each side of the heading.
/// For three independent neighbourhoods set `view` to all and `radius` to the largest of the three.
/// Separation is from all agents in its neighbourhood, or with `separation_nearest` from the
/// nearest one only. Alignment is by velocity, or by heading (where an agent looks, whatever its
/// speed).
///
/// What an agent sees is given by a view model, after Bourg and Seemann:
///
///     all      all agents around
///     wide     all but a blind cone behind: |side| <= |behind| * back_factor. 1 is 270 degrees
///     limited  agents that are not behind: 180 degrees
///     narrow   a cone ahead: |side| < ahead * front_factor. 1 is 90 degrees. Files of ants
///
/// For crowds create a ploy_flock: update sorts all agents into cells, step reads the cells around
/// each agent. Each agent's sums run over its neighbours in the order of the cells, so the bits are
/// the same for any worker count and vector width. The plain sum over a list, ploy_neighbours_find,
/// adds in the order of the list and so may differ in the last digits; it sees exactly the same
/// neighbours. Technique: Reynolds, "Flocks, Herds, and Schools", SIGGRAPH 1987.
///
/// Units: metres, seconds. Cost: O(others) for one agent; in a flock O(agents in the cells around),
/// no allocation after create. 48 to 64 bytes an agent. Threads: after update, disjoint ranges may
/// step at the same time.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/jobs.h"
#include "ploy/base/trace.h"
#include "ploy/geom/index.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

typedef enum ploy_view_model {
    PLOY_VIEW_ALL,
    PLOY_VIEW_WIDE,
    PLOY_VIEW_LIMITED,
    PLOY_VIEW_NARROW
} ploy_view_model;

typedef enum ploy_separation_mode {
    PLOY_SEPARATION_INVERSE,        ///< strength / distance
    PLOY_SEPARATION_INVERSE_SQUARE, ///< strength / distance^2
    PLOY_SEPARATION_LINEAR          ///< strength * (radius - distance) / radius
} ploy_separation_mode;

typedef enum ploy_alignment_mode {
    PLOY_ALIGNMENT_VELOCITY, ///< to the mean velocity
    PLOY_ALIGNMENT_HEADING   ///< to the mean heading, at max_speed; speeds do not count
} ploy_alignment_mode;

/// Settings. Start from ploy_flock_def_default() and change what you need.
typedef struct ploy_flock_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_view_model view;
    float radius;       ///< m, how far an agent sees
    float body_radius;  ///< m, added to it: agents count from their edge on
    float front_factor; ///< of NARROW: side for each metre ahead
    float back_factor;  ///< of WIDE: side for each metre behind
    ploy_separation_mode separation;
    bool separation_nearest; ///< only the nearest agent pushes
    float separation_radius; ///< m, those farther away do not push; at most radius counts
    float separation_angle;  ///< rad to each side of the heading; pi: all around
    float separation_strength;
    float separation_weight;
    ploy_alignment_mode alignment;
    float alignment_radius; ///< m, for alignment; at most radius counts
    float alignment_angle;  ///< rad to each side of the heading; pi: all around
    float alignment_weight;
    float cohesion_radius; ///< m, for cohesion; at most radius counts
    float cohesion_angle;  ///< rad to each side of the heading; pi: all around
    float cohesion_weight;
    float max_speed;        ///< m/s, desired speed toward the middle
    float max_acceleration; ///< m/s^2
    float time_to_target;   ///< s in which desired velocities are to be reached
    bool normalise;         ///< each rule counts as max_acceleration long before its weight
} ploy_flock_def;

PLOY_API ploy_flock_def ploy_flock_def_default(void);
PLOY_API ploy_fields ploy_flock_fields(void);

/// What an agent sees of the others.
typedef struct ploy_neighbours {
    int32_t count;           ///< seen; -1: a setting was out of range
    int32_t alignment_count; ///< of them in the neighbourhood of alignment
    int32_t cohesion_count;  ///< of them in the neighbourhood of cohesion
    ploy_vec2 middle;        ///< m, mean position for cohesion, from the agent
    ploy_vec2 velocity;      ///< m/s, mean for alignment; by heading: the mean of the unit headings
    ploy_vec2 push;          ///< of the separation; its unit depends on the mode
} ploy_neighbours;

typedef struct ploy_neighbours3 {
    int32_t count;
    int32_t alignment_count;
    int32_t cohesion_count;
    ploy_vec3 middle;
    ploy_vec3 velocity;
    ploy_vec3 push;
} ploy_neighbours3;

/// True if the agent sees a point: near enough, and within the view.
PLOY_API bool ploy_flock_sees(const ploy_flock_def *def, ploy_kinematic agent, ploy_vec2 point);
PLOY_API bool ploy_flock3_sees(const ploy_flock_def *def, ploy_kinematic3 agent, ploy_vec3 point);

/// Sums up whom an agent sees among others. An agent on the very same spot pushes in a direction
/// that depends on `self` alone. A count of -1 if a setting is out of range.
/// @param self  the agent's own number among the others, which is left out; -1 if it is not there.
PLOY_API ploy_neighbours ploy_neighbours_find(const ploy_flock_def *def, ploy_kinematic agent,
                                              const ploy_kinematics *others, int32_t self);
PLOY_API ploy_neighbours3 ploy_neighbours3_find(const ploy_flock_def *def, ploy_kinematic3 agent,
                                                const ploy_kinematics3 *others, int32_t self);

/// The three rules alone, unweighted. Each requests nothing without neighbours.
PLOY_API ploy_steering ploy_separate(const ploy_flock_def *def, const ploy_neighbours *seen);
PLOY_API ploy_steering ploy_conform(const ploy_flock_def *def, ploy_kinematic agent,
                                    const ploy_neighbours *seen);
PLOY_API ploy_steering ploy_cohere(const ploy_flock_def *def, ploy_kinematic agent,
                                   const ploy_neighbours *seen);
PLOY_API ploy_steering3 ploy_separate3(const ploy_flock_def *def, const ploy_neighbours3 *seen);
PLOY_API ploy_steering3 ploy_conform3(const ploy_flock_def *def, ploy_kinematic3 agent,
                                      const ploy_neighbours3 *seen);
PLOY_API ploy_steering3 ploy_cohere3(const ploy_flock_def *def, ploy_kinematic3 agent,
                                     const ploy_neighbours3 *seen);

/// All three by their weights, cut to max_acceleration. Requests nothing without neighbours: add
/// wander, so that an agent that has lost the flock does not stand still.
PLOY_API ploy_steering ploy_flock_steer(const ploy_flock_def *def, ploy_kinematic agent,
                                        const ploy_neighbours *seen);
PLOY_API ploy_steering3 ploy_flock3_steer(const ploy_flock_def *def, ploy_kinematic3 agent,
                                          const ploy_neighbours3 *seen);

/// What find and steer make of agents [first, first + count) of a view among all of it, bit for
/// bit: flocks in space. On the plane a ploy_flock (below) does it faster.
/// @param index  of the view's positions, ids being the agents' numbers (ploy/geom/octree.h); NULL:
///               all agents are tested.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_flock3_batch(const ploy_flock_def *def, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, const ploy_index3 *index,
                                       const ploy_steerings3 *out);

/// Reports to a trace what each rule asks for.
PLOY_API void ploy_flock_trace(const ploy_flock_def *def, ploy_kinematic agent,
                               const ploy_neighbours *seen, ploy_agent_id id, ploy_trace *trace);

/// A crowd sorted into cells. Opaque. Derived from the agents alone: it may be rebuilt
/// at any time.
typedef struct ploy_flock ploy_flock;

/// Creates an empty one.
/// @param capacity  most agents, 1 to 2^24.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY with nothing left allocated.
PLOY_API ploy_result ploy_flock_create(const ploy_flock_def *def, int32_t capacity,
                                       const ploy_env *env, ploy_flock **out);
PLOY_API void ploy_flock_destroy(ploy_flock *flock);
/// Other settings from now on; the next update sees them.
/// @return PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_flock_set_def(ploy_flock *flock, const ploy_flock_def *def);

/// Takes all agents of a view as they are now. Those whose numbers are not finite are no agent's
/// neighbours. @return PLOY_ERR_CAPACITY or PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_flock_update(ploy_flock *flock, const ploy_kinematics *agents);

/// The same over jobs (NULL: on the calling thread); the same bits for any worker count. All of it
/// is shared but a sum over the rows of cells.
PLOY_API ploy_result ploy_flock_update_all(ploy_flock *flock, const ploy_kinematics *agents,
                                           const ploy_jobs *jobs);

/// What agent i saw at the update, and its request.
PLOY_API ploy_neighbours ploy_flock_neighbours(const ploy_flock *flock, int32_t i);
/// The requests of agents [first, first + count) as of the update.
/// @return PLOY_ERR_ARGUMENT if the view or the range is invalid.
PLOY_API ploy_result ploy_flock_step(const ploy_flock *flock, int32_t first, int32_t count,
                                     const ploy_steerings *out);
/// The requests of all, over jobs (NULL: on the calling thread); the same bits for any worker
/// count.
PLOY_API ploy_result ploy_flock_step_all(const ploy_flock *flock, const ploy_jobs *jobs,
                                         const ploy_steerings *out);
PLOY_API void ploy_flock_memory(const ploy_flock *flock, ploy_memory_fn fn, void *user);

/// As steering sources (ploy/move/source.h); all pointers are borrowed.
/// @param self  the agent's own number among the others, which is left out; -1 if it is not there.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_flock_source(const ploy_flock_def *def, const ploy_kinematics *others,
                                       int32_t self, const ploy_env *env,
                                       ploy_steering_source *out);
PLOY_API ploy_result ploy_separate_source(const ploy_flock_def *def, const ploy_kinematics *others,
                                          int32_t self, const ploy_env *env,
                                          ploy_steering_source *out);
PLOY_API ploy_result ploy_conform_source(const ploy_flock_def *def, const ploy_kinematics *others,
                                         int32_t self, const ploy_env *env,
                                         ploy_steering_source *out);
PLOY_API ploy_result ploy_cohere_source(const ploy_flock_def *def, const ploy_kinematics *others,
                                        int32_t self, const ploy_env *env,
                                        ploy_steering_source *out);
PLOY_API ploy_result ploy_flock3_source(const ploy_flock_def *def, const ploy_kinematics3 *others,
                                        int32_t self, const ploy_env *env,
                                        ploy_steering_source *out);
PLOY_API ploy_result ploy_separate3_source(const ploy_flock_def *def,
                                           const ploy_kinematics3 *others, int32_t self,
                                           const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_conform3_source(const ploy_flock_def *def, const ploy_kinematics3 *others,
                                          int32_t self, const ploy_env *env,
                                          ploy_steering_source *out);
PLOY_API ploy_result ploy_cohere3_source(const ploy_flock_def *def, const ploy_kinematics3 *others,
                                         int32_t self, const ploy_env *env,
                                         ploy_steering_source *out);
