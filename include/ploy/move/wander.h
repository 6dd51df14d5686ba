/// @file ploy/move/wander.h
/// Wander: motion without a goal that still looks intended.
///
/// Each agent chases a point on a circle ahead of it. The point drifts a little every step, so the
/// heading changes smoothly; a random push each frame would only jitter.
///
///                    .-'''-.
///     agent >------ |   +   o  point, `drift` radians round from straight ahead
///       circle_offset '-...-' circle_radius
///
/// Three forms:
/// - SEEK (the default) steers for the point as ploy/move/seek.h does, so its speed settles at
///   max_speed. Let the integrator turn the agent toward its velocity.
/// - FACE turns towards the point and accelerates straight ahead with max_acceleration; the
///   integrator must limit the speed and leave the orientation free.
/// - JITTER shifts the point itself by a random step and pulls it back onto the circle; the
///   acceleration is the vector to the point, one m/s^2 for each metre.
/// A circle far ahead allows gentle turns only, one around the agent any. In space the circle is a
/// sphere, which circle_height may flatten: bees and birds turn more readily than they climb.
///
/// For kinematic movers, use `ploy_wander_velocity`: always straight ahead at max_speed, turning at
/// random. Techniques: Reynolds, "Steering Behaviors for Autonomous Characters", GDC 1999, and its
/// variants in Millington, "AI for Games", and Buckland, "Programming Game AI by Example".
///
/// Random numbers depend only on (key, agent, tick, draw): they are the same for any order and any
/// number of workers. Units: metres, seconds, radians. Cost: O(1), O(count) in a group; no
/// allocation after create. Threads: disjoint ranges of one group may step at the same time.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"
#include "ploy/move/kinematic.h"
#include "ploy/move/source.h"

typedef enum ploy_wander_form {
    PLOY_WANDER_SEEK,
    PLOY_WANDER_FACE,
    PLOY_WANDER_JITTER
} ploy_wander_form;

/// The factor of the drift of one step.
typedef enum ploy_wander_pace {
    PLOY_WANDER_PER_SECOND,      ///< dt; more steps a second wander less
    PLOY_WANDER_PER_ROOT_SECOND, ///< the root of dt: the same spread at any frame rate
    PLOY_WANDER_PER_STEP         ///< 1
} ploy_wander_pace;

/// Settings. Start from ploy_wander_def_default() and change what you need.
typedef struct ploy_wander_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_wander_form form;
    ploy_wander_pace pace;
    float circle_offset;            ///< m, from the agent to the circle's centre
    float circle_radius;            ///< m; wider means sharper turns
    float circle_height;            ///< m, the sphere's radius along up; in space only
    float drift_rate;               ///< rad/s (by pace), largest drift of SEEK and FACE
    float jitter;                   ///< m/s (by pace), largest shift of JITTER along each axis
    float max_speed;                ///< m/s, of SEEK and of the kinematic form
    float max_acceleration;         ///< m/s^2
    float time_to_target;           ///< s, of SEEK: time to reach the desired velocity
    float max_rotation;             ///< rad/s, of FACE and of the kinematic form
    float max_angular_acceleration; ///< rad/s^2, of FACE
    float slow_angle;               ///< rad, of FACE: turns more slowly within it
    float time_to_turn;             ///< s, of FACE: time to reach the desired rotation
} ploy_wander_def;

PLOY_API ploy_wander_def ploy_wander_def_default(void);

/// Name, unit, range, default and help of each setting: for sliders, files and messages.
PLOY_API ploy_fields ploy_wander_fields(void);

/// One agent, whose drift the caller keeps: an angle, 0 to begin straight ahead.
/// @param drift  rad; advanced by one step, into [-pi, pi).
/// @param dt     s; 0 <= dt <= PLOY_DT_MAX_S.
/// @param id     the agent's number among those that draw from the key.
/// @return invalid, and drift unchanged, if a setting or dt is out of range.
PLOY_API ploy_steering ploy_wander_steer(const ploy_wander_def *def, ploy_kinematic agent,
                                         float *drift, float dt, ploy_rng_key key, uint32_t id,
                                         uint64_t tick);
/// In space the drift is a unit vector in the agent's own axes, (1, 0, 0) to begin with.
PLOY_API ploy_steering3 ploy_wander3_steer(const ploy_wander_def *def, ploy_kinematic3 agent,
                                           ploy_vec3 *drift, float dt, ploy_rng_key key,
                                           uint32_t id, uint64_t tick);

/// The kinematic form: straight ahead at max_speed, with a random rotation of at most max_rotation
/// (small ones likelier). The integrator must leave the orientation free.
PLOY_API ploy_kinematic_output ploy_wander_velocity(const ploy_wander_def *def,
                                                    ploy_kinematic agent, ploy_rng_key key,
                                                    uint32_t id, uint64_t tick);
PLOY_API ploy_kinematic3_output ploy_wander3_velocity(const ploy_wander_def *def,
                                                      ploy_kinematic3 agent, ploy_rng_key key,
                                                      uint32_t id, uint64_t tick);

/// Reports to a trace where the circle is, where on it the point has drifted to, and the resulting
/// request.
PLOY_API void ploy_wander_trace(const ploy_wander_def *def, ploy_kinematic agent, float drift,
                                ploy_agent_id id, ploy_trace *trace);
/// Draws circle and point.
PLOY_API void ploy_wander_draw(const ploy_wander_def *def, ploy_kinematic agent, float drift,
                               ploy_agent_id owner, ploy_draw *out);

/// Drifts for a group of agents on the plane. Opaque.
typedef struct ploy_wander ploy_wander;

/// Creates the group; every agent's drift starts straight ahead.
/// @param capacity  most agents the group holds, 1 to 2^24.
/// @param out       the object on PLOY_OK, otherwise NULL.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (the log names it) or the def did
///         not start from the default; PLOY_ERR_MEMORY with nothing left allocated.
PLOY_API ploy_result ploy_wander_create(const ploy_wander_def *def, int32_t capacity,
                                        const ploy_env *env, ploy_wander **out);

/// Frees everything create allocated. NULL is allowed.
PLOY_API void ploy_wander_destroy(ploy_wander *wander);

/// Changes the settings from the next step on; the drifts stay. Unchanged unless PLOY_OK.
PLOY_API ploy_result ploy_wander_set_def(ploy_wander *wander, const ploy_wander_def *def);

/// Steps agents [first, first + count) of the view and writes their accelerations; agent i draws as
/// number i. Equals ploy_wander_steer for each, bit for bit.
/// @param dt   s; 0 <= dt <= PLOY_DT_MAX_S.
/// @param out  only the range is written, and only on PLOY_OK.
PLOY_API ploy_result ploy_wander_step(ploy_wander *wander, const ploy_kinematics *agents,
                                      int32_t first, int32_t count, float dt, ploy_rng_key key,
                                      uint64_t tick, const ploy_steerings *out);

/// Agent i's drift; 0 out of range.
PLOY_API float ploy_wander_drift(const ploy_wander *wander, int32_t i);
/// Visits a ploy_wander (ploy/base/visit.h): a load needs the same capacity.
PLOY_API void ploy_wander_visit(ploy_visit *v, void *wander);
PLOY_API void ploy_wander_describe(const ploy_wander *wander, ploy_describe *out);
PLOY_API void ploy_wander_memory(const ploy_wander *wander, ploy_memory_fn fn, void *user);

/// The same for agents in space. Opaque.
typedef struct ploy_wander3 ploy_wander3;

PLOY_API ploy_result ploy_wander3_create(const ploy_wander_def *def, int32_t capacity,
                                         const ploy_env *env, ploy_wander3 **out);
PLOY_API void ploy_wander3_destroy(ploy_wander3 *wander);
PLOY_API ploy_result ploy_wander3_set_def(ploy_wander3 *wander, const ploy_wander_def *def);
PLOY_API ploy_result ploy_wander3_step(ploy_wander3 *wander, const ploy_kinematics3 *agents,
                                       int32_t first, int32_t count, float dt, ploy_rng_key key,
                                       uint64_t tick, const ploy_steerings3 *out);
/// Agent i's drift; (1, 0, 0) out of range.
PLOY_API ploy_vec3 ploy_wander3_drift(const ploy_wander3 *wander, int32_t i);
/// Visits a ploy_wander3 (ploy/base/visit.h): a load needs the same capacity.
PLOY_API void ploy_wander3_visit(ploy_visit *v, void *wander);
PLOY_API void ploy_wander3_describe(const ploy_wander3 *wander, ploy_describe *out);
PLOY_API void ploy_wander3_memory(const ploy_wander3 *wander, ploy_memory_fn fn, void *user);

/// As steering sources (ploy/move/source.h); all pointers are borrowed, state included.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_wander_source(const ploy_wander_def *def, float *drift,
                                        const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_wander3_source(const ploy_wander_def *def, ploy_vec3 *drift,
                                         const ploy_env *env, ploy_steering_source *out);
