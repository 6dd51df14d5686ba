/// @file ploy/move/feelers.h
/// Feelers: keep off walls, or along them.
///
/// Wall avoidance sends rays ahead into the scene (ploy/geom/scene.h) and reacts to the nearest
/// hit:
///
///     single    one long ray. Fine in open halls; grazes edges
///     parallel  two rays, one at each side of the body. Good at obtuse corners
///     fan       three rays: a long one ahead, a whisker of whisker_length to each side
///
/// Which of the hits counts depends on the free part of the feeler; equal ones by the order
/// centre, left, right. Response `seek` goes for the hit point plus avoid_distance along the wall's
/// normal (Millington); `push` accelerates along the normal in proportion to how far the feeler has
/// gone in (Buckland; the printed loop takes the wrong feeler's length, this one does not).
///
/// The state, ploy_feelers, is the caller's and makes two things possible. The fan adapts: it opens
/// at widen_rate while it meets something and closes at narrow_rate when it does not. And corner
/// traps end: in an acute corner left and right feeler alternate and the agent creeps into it;
/// after trap_count changes within the last trap_time seconds (of a fan: with a wall ahead too) it
/// backs out in the direction it came from for hold_time, toward the side that was freer in that
/// time. Ignoring one side instead, as is often done, leads through the wall or keeps the agent
/// where it is.
///
/// Wall following keeps a wall at one side, at a distance.
///
/// Units: metres, seconds, radians. Cost: one to three rays. Threads: pure, over the caller's
/// state.
#pragma once

#include "ploy/geom/scene.h"
#include "ploy/move/seek.h"
#include "ploy/move/source.h"

typedef enum ploy_feeler_layout {
    PLOY_FEELERS_SINGLE,
    PLOY_FEELERS_PARALLEL,
    PLOY_FEELERS_FAN
} ploy_feeler_layout;

typedef enum ploy_feeler_response { PLOY_FEELERS_SEEK, PLOY_FEELERS_PUSH } ploy_feeler_response;

/// Settings. Start from ploy_feelers_def_default() and change what you need.
typedef struct ploy_feelers_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_feeler_layout layout;
    ploy_feeler_response response;
    ploy_seek_def seek;   ///< of response seek: how it goes for the point
    float length;         ///< m, of the long ray
    float whisker_length; ///< m, of the others
    float angle;          ///< rad, of the whiskers: at rest, or always if it does not adapt
    float max_angle;      ///< rad, of an adaptive fan
    float widen_rate;     ///< rad/s; 0: the fan does not adapt
    float narrow_rate;    ///< rad/s
    float radius;         ///< m, half the distance of parallel rays
    float avoid_distance; ///< m, of response seek: how far from the wall the point is
    float strength;       ///< 1/s^2, of response push: acceleration for each metre gone in
    bool one_sided;       ///< ignore walls whose normal points along the ray, met from behind
    int32_t trap_count;   ///< changes of side that make a trap; 0: never
    float trap_time;      ///< s, within which
    float hold_time;      ///< s, for which it backs out
    uint64_t mask; ///< layers of the scene that are walls, the lower 32 bits; 0, the default: all
} ploy_feelers_def;

PLOY_API ploy_feelers_def ploy_feelers_def_default(void);
PLOY_API ploy_fields ploy_feelers_fields(void);

/// Parts of trap_time by which the past is forgotten.
#define PLOY_FEELERS_SLICES 8

/// What an agent keeps from step to step. All zero to begin with; plain data to copy.
typedef struct ploy_feelers {
    float spread;     ///< rad, of an adaptive fan, beyond def.angle
    int32_t side;     ///< of the last hit: -1 right, 1 left, 0 centre or none yet
    int32_t held;     ///< the side toward which it backs out: 1 left, -1 right, 0 not yet
    float hold_left;  ///< s that it still backs out
    ploy_vec2 escape; ///< unit, where it backs out to
    int32_t slice;    ///< the present part of the time that is remembered
    float slice_time; ///< s of it
    int32_t changes[PLOY_FEELERS_SLICES];  ///< of side, in each part
    float left_free[PLOY_FEELERS_SLICES];  ///< sums of free parts of the feelers on the left
    float right_free[PLOY_FEELERS_SLICES]; ///< on the right
} ploy_feelers;

/// One cast ray.
typedef struct ploy_feeler {
    ploy_vec2 from, to;
    int32_t side; ///< 1 left, 0 centre, -1 right
} ploy_feeler;

/// The rays of an agent: along the velocity, the orientation at rest. Returns how many, 0 if a
/// setting is out of range. state may be NULL.
PLOY_API int32_t ploy_feelers_make(const ploy_feelers_def *def, const ploy_feelers *state,
                                   ploy_kinematic agent, ploy_feeler out[3]);

/// The acceleration of one agent. Requests nothing when no feeler meets a wall.
/// @param state  may be NULL: then the fan does not adapt and traps are not seen.
PLOY_API ploy_steering ploy_avoid_walls(const ploy_feelers_def *def, ploy_feelers *state,
                                        ploy_kinematic agent, const ploy_scene *scene, float dt);

/// The same for agents [first, first + count) of a view, bit for bit. The scene must be one that
/// may be asked from the calling thread.
/// @param states  number i of agent i; may be NULL.
/// @return PLOY_ERR_ARGUMENT if a setting, a view, dt or the range is not right.
PLOY_API ploy_result ploy_avoid_walls_batch(const ploy_feelers_def *def, ploy_feelers *states,
                                            const ploy_kinematics *agents, int32_t first,
                                            int32_t count, const ploy_scene *scene, float dt,
                                            const ploy_steerings *out);

/// The whole body swept ahead instead of rays: nothing narrower than the body is missed. The point
/// sought is where the body's centre would touch, plus avoid_distance along the normal.
PLOY_API ploy_steering ploy_avoid_walls_swept(const ploy_feelers_def *def, ploy_kinematic agent,
                                              const ploy_scene *scene);

/// The same in space: tunnels, canyons, hulls.
PLOY_API ploy_steering3 ploy_avoid_walls_swept3(const ploy_feelers_def *def, ploy_kinematic3 agent,
                                                const ploy_scene *scene);

/// Both for agents [first, first + count) of a view, bit for bit; the scene as in
/// ploy_avoid_walls_batch.
PLOY_API ploy_result ploy_avoid_walls_swept_batch(const ploy_feelers_def *def,
                                                  const ploy_kinematics *agents, int32_t first,
                                                  int32_t count, const ploy_scene *scene,
                                                  const ploy_steerings *out);
PLOY_API ploy_result ploy_avoid_walls_swept3_batch(const ploy_feelers_def *def,
                                                   const ploy_kinematics3 *agents, int32_t first,
                                                   int32_t count, const ploy_scene *scene,
                                                   const ploy_steerings3 *out);

/// Reports to a trace which feelers meet what. Casts the rays again and changes nothing.
PLOY_API void ploy_avoid_walls_trace(const ploy_feelers_def *def, const ploy_feelers *state,
                                     ploy_kinematic agent, const ploy_scene *scene,
                                     ploy_agent_id id, ploy_trace *trace);
/// Visits a ploy_feelers (ploy/base/visit.h).
PLOY_API void ploy_feelers_visit(ploy_visit *v, void *state);
PLOY_API void ploy_feelers_describe(const ploy_feelers *state, ploy_describe *out);
/// Draws the feelers.
PLOY_API void ploy_feelers_draw(const ploy_feelers_def *def, const ploy_feelers *state,
                                ploy_kinematic agent, ploy_agent_id owner, ploy_draw *out);

/// Settings of wall following.
typedef struct ploy_wall_follow_def {
    uint32_t cookie;    ///< set by the default; leave alone
    ploy_seek_def seek; ///< how it goes
    float distance;     ///< m, to keep from the wall
    float ahead;        ///< m along the wall to the point it seeks
    float reach;        ///< m, walls farther away are not seen
    bool right;         ///< keep the wall at the right; otherwise at the left
} ploy_wall_follow_def;

PLOY_API ploy_wall_follow_def ploy_wall_follow_def_default(void);
PLOY_API ploy_fields ploy_wall_follow_fields(void);

/// The acceleration of one agent: along the wall ahead if there is one, else along the one at its
/// side, else round the corner it has just passed. Requests nothing where no wall is in reach.
PLOY_API ploy_steering ploy_wall_follow(const ploy_wall_follow_def *def, ploy_kinematic agent,
                                        const ploy_scene *scene);
/// The same for agents [first, first + count) of a view, bit for bit; the scene as in
/// ploy_avoid_walls_batch.
PLOY_API ploy_result ploy_wall_follow_batch(const ploy_wall_follow_def *def,
                                            const ploy_kinematics *agents, int32_t first,
                                            int32_t count, const ploy_scene *scene,
                                            const ploy_steerings *out);

/// As steering sources (ploy/move/source.h); all pointers are borrowed, state included.
/// @param state  may be NULL, as in ploy_avoid_walls.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_avoid_walls_source(const ploy_feelers_def *def, const ploy_scene *scene,
                                             ploy_feelers *state, const ploy_env *env,
                                             ploy_steering_source *out);
PLOY_API ploy_result ploy_avoid_walls_swept_source(const ploy_feelers_def *def,
                                                   const ploy_scene *scene, const ploy_env *env,
                                                   ploy_steering_source *out);
PLOY_API ploy_result ploy_wall_follow_source(const ploy_wall_follow_def *def,
                                             const ploy_scene *scene, const ploy_env *env,
                                             ploy_steering_source *out);
PLOY_API ploy_result ploy_avoid_walls_swept3_source(const ploy_feelers_def *def,
                                                    const ploy_scene *scene, const ploy_env *env,
                                                    ploy_steering_source *out);
