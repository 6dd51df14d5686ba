/// @file ploy/move/flock.h
/// Flocking: separation, alignment and cohesion, for one agent or for fifty thousand.
///
/// Each agent follows three rules toward the neighbours it sees: keep a distance (separation),
/// match their motion (alignment), stay with them (cohesion). The neighbours are summed up once, in
/// a ploy_neighbours, which every rule reads. A neighbour is another agent nearer than `radius`
/// (plus body_radius). By default, separation pushes with strength / distance.
///
/// Each rule can have a smaller neighbourhood: a radius and an angle to each side of the heading.
/// For three independent neighbourhoods, set `view` to all and `radius` to the largest of the three
/// radii. Separation is from all agents in its neighbourhood, or with `separation_nearest` from the
/// nearest one only. Alignment is by velocity, or by heading (the facing direction, whatever the
/// speed).
///
/// A view model, after Bourg and Seemann, determines what an agent sees:
///
///     all      all agents around
///     wide     all but a blind cone behind: |side| <= |behind| * back_factor. 1 is 270 degrees
///     limited  agents that are not behind: 180 degrees
///     narrow   a cone ahead: |side| < ahead * front_factor. 1 is 90 degrees. Files of ants
///
/// For crowds, create a ploy_flock: update sorts all agents into cells, and step reads the cells
/// around each agent. Each agent's sums run over its neighbours in the order of the cells, so the
/// bits are the same for any worker count and vector width. The plain sum over a list,
/// ploy_neighbours_find, adds in the order of the list and so may differ in the last digits; it
/// sees exactly the same neighbours. Technique: Reynolds, "Flocks, Herds, and Schools", SIGGRAPH
/// 1987.
///
/// Units: metres, seconds. Cost: O(others) for one agent; in a flock O(agents in the surrounding
/// cells) for each agent, no allocation after create. 48 to 64 bytes for each agent. Threads: after
/// update, disjoint ranges may step at the same time.
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
    PLOY_ALIGNMENT_HEADING   ///< to the mean heading, at max_speed; ignores speeds
} ploy_alignment_mode;

/// Settings. Start from ploy_flock_def_default() and change what you need.
typedef struct ploy_flock_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_view_model view;
    float radius;       ///< m, how far an agent sees
    float body_radius;  ///< m, added to radius: distances count to an agent's edge
    float front_factor; ///< of NARROW: side for each metre ahead
    float back_factor;  ///< of WIDE: side for each metre behind
    ploy_separation_mode separation;
    bool separation_nearest; ///< only the nearest agent pushes
    float separation_radius; ///< m, agents farther away do not push; capped at radius
    float separation_angle;  ///< rad to each side of the heading; pi: all around
    float separation_strength;
    float separation_weight;
    ploy_alignment_mode alignment;
    float alignment_radius; ///< m, for alignment; capped at radius
    float alignment_angle;  ///< rad to each side of the heading; pi: all around
    float alignment_weight;
    float cohesion_radius; ///< m, for cohesion; capped at radius
    float cohesion_angle;  ///< rad to each side of the heading; pi: all around
    float cohesion_weight;
    float max_speed;        ///< m/s, desired speed toward the middle
    float max_acceleration; ///< m/s^2
    float time_to_target;   ///< s, time to reach desired velocities
    bool normalise;         ///< scale each rule to max_acceleration before weighting
} ploy_flock_def;

PLOY_API ploy_flock_def ploy_flock_def_default(void);
PLOY_API ploy_fields ploy_flock_fields(void);

/// The neighbours that an agent sees, summed up.
typedef struct ploy_neighbours {
    int32_t count;           ///< seen; -1: a setting was out of range
    int32_t alignment_count; ///< of them in the neighbourhood of alignment
    int32_t cohesion_count;  ///< of them in the neighbourhood of cohesion
    ploy_vec2 middle;        ///< m, mean position for cohesion, relative to the agent
    ploy_vec2 velocity;      ///< m/s, mean for alignment; by heading: the mean of the unit headings
    ploy_vec2 push;          ///< for separation; the unit depends on the mode
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

/// Sums up the neighbours that an agent sees. A neighbour at exactly the same position pushes in a
/// direction that depends only on `self`. The count is -1 if a setting is out of range.
/// @param self  the agent's own number among the others, which is left out; -1 if it is not there.
PLOY_API ploy_neighbours ploy_neighbours_find(const ploy_flock_def *def, ploy_kinematic agent,
                                              const ploy_kinematics *others, int32_t self);
PLOY_API ploy_neighbours3 ploy_neighbours3_find(const ploy_flock_def *def, ploy_kinematic3 agent,
                                                const ploy_kinematics3 *others, int32_t self);

/// The three rules, one by one, unweighted. Each requests nothing without neighbours.
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

/// Adds the three rules by their weights, cut to max_acceleration. Requests nothing without
/// neighbours: add wander, so that an agent that has lost the flock keeps moving.
PLOY_API ploy_steering ploy_flock_steer(const ploy_flock_def *def, ploy_kinematic agent,
                                        const ploy_neighbours *seen);
PLOY_API ploy_steering3 ploy_flock3_steer(const ploy_flock_def *def, ploy_kinematic3 agent,
                                          const ploy_neighbours3 *seen);

/// Runs find and steer for agents [first, first + count) of a view, with all agents of the view as
/// neighbours, bit for bit: for flocks in space. On the plane, a ploy_flock (below) is faster.
/// @param index  of the view's positions; the ids are the agents' numbers (ploy/geom/octree.h);
/// NULL:
///               all agents are tested.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid.
PLOY_API ploy_result ploy_flock3_batch(const ploy_flock_def *def, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, const ploy_index3 *index,
                                       const ploy_steerings3 *out);

/// Reports to a trace what each rule requests.
PLOY_API void ploy_flock_trace(const ploy_flock_def *def, ploy_kinematic agent,
                               const ploy_neighbours *seen, ploy_agent_id id, ploy_trace *trace);

/// A crowd sorted into cells. Opaque. Derived only from the agents: may be rebuilt at any time.
typedef struct ploy_flock ploy_flock;

/// Creates an empty flock.
/// @param capacity  most agents, 1 to 2^24.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY with nothing left allocated.
PLOY_API ploy_result ploy_flock_create(const ploy_flock_def *def, int32_t capacity,
                                       const ploy_env *env, ploy_flock **out);
PLOY_API void ploy_flock_destroy(ploy_flock *flock);
/// Changes the settings; the next update uses them.
/// @return PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_flock_set_def(ploy_flock *flock, const ploy_flock_def *def);

/// Reads the present state of all agents of a view. Agents whose numbers are not finite are ignored
/// as neighbours. @return PLOY_ERR_CAPACITY or PLOY_ERR_ARGUMENT, changing nothing.
PLOY_API ploy_result ploy_flock_update(ploy_flock *flock, const ploy_kinematics *agents);

/// The same over jobs (NULL: on the calling thread); the same bits for any worker count. All the
/// work is parallel except a sum over the rows of cells.
PLOY_API ploy_result ploy_flock_update_all(ploy_flock *flock, const ploy_kinematics *agents,
                                           const ploy_jobs *jobs);

/// Returns what agent i saw at the update.
PLOY_API ploy_neighbours ploy_flock_neighbours(const ploy_flock *flock, int32_t i);
/// Writes the requests of agents [first, first + count) as of the update.
/// @return PLOY_ERR_ARGUMENT if the view or the range is invalid.
PLOY_API ploy_result ploy_flock_step(const ploy_flock *flock, int32_t first, int32_t count,
                                     const ploy_steerings *out);
/// Writes the requests of all agents, over jobs (NULL: on the calling thread); the same bits for
/// any worker count.
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
