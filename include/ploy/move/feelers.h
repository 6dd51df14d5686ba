/// @file ploy/move/feelers.h
/// Feelers: avoid walls, or follow them.
///
/// Wall avoidance sends rays ahead into the scene (ploy/geom/scene.h) and reacts to the nearest
/// hit:
///
///     single    one long ray. Fine in open halls; grazes edges
///     parallel  two rays, one at each side of the body. Good at obtuse corners
///     fan       three rays: a long one ahead, a whisker of whisker_length to each side
///
/// The hit whose feeler has the smallest free part counts; ties are resolved in the order centre,
/// left, right. Response `seek` seeks the hit point plus avoid_distance along the wall's normal
/// (Millington); `push` accelerates along the normal in proportion to how far the feeler is inside
/// the wall (Buckland; the printed loop uses the wrong feeler's length, which is corrected here).
///
/// The caller keeps the state, ploy_feelers, which serves two purposes. The fan adapts: it opens at
/// widen_rate while a feeler hits something, and closes at narrow_rate otherwise. Corner traps are
/// resolved: in an acute corner the left and right feelers alternate and the agent creeps into it.
/// After trap_count changes within the last trap_time seconds (for a fan, with a wall ahead too)
/// the agent backs out in the direction it came from for hold_time, toward the side that was freer
/// in that time. The common alternative, ignoring one side, leads through the wall or leaves the
/// agent stuck.
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
    ploy_seek_def seek;   ///< of response seek: how it seeks the point
    float length;         ///< m, of the long ray
    float whisker_length; ///< m, of the others
    float angle;          ///< rad, of the whiskers: at rest, or always if the fan does not adapt
    float max_angle;      ///< rad, of an adaptive fan
    float widen_rate;     ///< rad/s; 0: the fan does not adapt
    float narrow_rate;    ///< rad/s
    float radius;         ///< m, half the distance between parallel rays
    float avoid_distance; ///< m, of response seek: how far from the wall the point is
    float strength;       ///< 1/s^2, of response push: acceleration for each metre inside
    bool one_sided;       ///< ignore walls hit from behind, whose normal points along the ray
    int32_t trap_count;   ///< changes of side that count as a trap; 0: never
    float trap_time;      ///< s, the time for trap_count changes
    float hold_time;      ///< s, how long it backs out
    uint64_t mask; ///< layers of the scene that are walls, the lower 32 bits; 0, the default: all
} ploy_feelers_def;

PLOY_API ploy_feelers_def ploy_feelers_def_default(void);
PLOY_API ploy_fields ploy_feelers_fields(void);

/// Number of slices of trap_time in which the past is recorded.
#define PLOY_FEELERS_SLICES 8

/// The state that an agent keeps from step to step. Initially all zero; plain data, may be copied.
typedef struct ploy_feelers {
    float spread;     ///< rad, of an adaptive fan, beyond def.angle
    int32_t side;     ///< of the last hit: -1 right, 1 left, 0 centre or none yet
    int32_t held;     ///< the side to which it backs out: 1 left, -1 right, 0 not yet
    float hold_left;  ///< s left of backing out
    ploy_vec2 escape; ///< unit, the direction in which it backs out
    int32_t slice;    ///< index of the present slice
    float slice_time; ///< s elapsed in the present slice
    int32_t changes[PLOY_FEELERS_SLICES];  ///< of side, in each slice
    float left_free[PLOY_FEELERS_SLICES];  ///< sums of free parts of the feelers on the left
    float right_free[PLOY_FEELERS_SLICES]; ///< on the right
} ploy_feelers;

/// One cast ray.
typedef struct ploy_feeler {
    ploy_vec2 from, to;
    int32_t side; ///< 1 left, 0 centre, -1 right
} ploy_feeler;

/// Makes the rays of an agent, along the velocity, or at rest along the orientation. Returns their
/// number, 0 if a setting is out of range. state may be NULL.
PLOY_API int32_t ploy_feelers_make(const ploy_feelers_def *def, const ploy_feelers *state,
                                   ploy_kinematic agent, ploy_feeler out[3]);

/// The acceleration of one agent. Requests nothing if no feeler hits a wall.
/// @param state  may be NULL: then the fan does not adapt and traps are not detected.
PLOY_API ploy_steering ploy_avoid_walls(const ploy_feelers_def *def, ploy_feelers *state,
                                        ploy_kinematic agent, const ploy_scene *scene, float dt);

/// The same for agents [first, first + count) of a view, bit for bit. The scene must allow queries
/// from the calling thread.
/// @param states  number i of agent i; may be NULL.
/// @return PLOY_ERR_ARGUMENT if a setting, a view, dt or the range is invalid.
PLOY_API ploy_result ploy_avoid_walls_batch(const ploy_feelers_def *def, ploy_feelers *states,
                                            const ploy_kinematics *agents, int32_t first,
                                            int32_t count, const ploy_scene *scene, float dt,
                                            const ploy_steerings *out);

/// Sweeps the whole body ahead instead of casting rays: obstacles narrower than the body are not
/// missed. Seeks the position of the body's centre at contact, plus avoid_distance along the
/// normal.
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

/// Reports to a trace what each feeler hits. Casts the rays again and changes nothing.
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
    ploy_seek_def seek; ///< how it moves
    float distance;     ///< m, to keep from the wall
    float ahead;        ///< m along the wall to the point it seeks
    float reach;        ///< m, walls farther away are ignored
    bool right;         ///< keep the wall at the right; otherwise at the left
} ploy_wall_follow_def;

PLOY_API ploy_wall_follow_def ploy_wall_follow_def_default(void);
PLOY_API ploy_fields ploy_wall_follow_fields(void);

/// The acceleration of one agent: along the wall ahead if there is one, else along the wall at its
/// side, else round the corner it has just passed. Requests nothing if no wall is in reach.
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
