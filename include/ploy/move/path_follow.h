/// @file ploy/move/path_follow.h
/// Path following: along a path, without losing it and without sticking to it.
///
///     rabbit      seek a point a little further along than the nearest one
///     predictive  the same from where the agent will be in predict_time; never steps back along the
///                 path. Smoother at corners, which it cuts where two parts of the path come close
///     tube        no steering at all while the place in predict_time is within tube_radius of the
///                 path; otherwise back to the nearest point. Crowds on a road
///
/// The place reached, `along` (m), is the caller's: start with 0, hand it back every step. A window
/// keeps the search near it, so that an agent on a road that comes close to itself stays on its own
/// strand; a window of 0 looks at the whole path. A negative `ahead` follows backwards. Closed
/// paths go round; at the end of an open one the agent arrives and stops, with `stop` off it seeks
/// on.
///
/// Waypoint following goes from corner to corner instead: seek the next point, and the one after it
/// when it is near enough. An agent that cannot turn tightly enough may orbit a waypoint forever;
/// see ploy/move/agitate.h for the cure.
/// Techniques: Reynolds, GDC 1999; Millington, chapter 3; Buckland, chapter 3.
///
/// Units: metres, seconds. Cost: the search along the path, no allocation. On a spline that has its
/// table of lengths the search begins at the place reached and hardly looks elsewhere; the answer
/// is that of searching everywhere, to the bit.
/// Threads: pure functions over the caller's state.
#pragma once

#include "ploy/geom/polyline.h"
#include "ploy/geom/spline.h"
#include "ploy/move/arrive.h"
#include "ploy/move/source.h"

typedef enum ploy_path_follow_form {
    PLOY_PATH_FOLLOW_RABBIT,
    PLOY_PATH_FOLLOW_PREDICTIVE,
    PLOY_PATH_FOLLOW_TUBE
} ploy_path_follow_form;

/// Settings. Start from ploy_path_follow_def_default() and change what you need.
typedef struct ploy_path_follow_def {
    uint32_t cookie; ///< set by the default; leave alone
    ploy_path_follow_form form;
    ploy_arrive_def arrive; ///< how it goes; the radii count at the end of the path alone
    float ahead;            ///< m, from the nearest point to the one it seeks; below 0: backwards
    float predict_time;     ///< s, of PREDICTIVE and TUBE
    float tube_radius;      ///< m, of TUBE
    float window;           ///< m along the path to each side of the last place; 0: all of it
    bool stop;              ///< at the end of an open path
} ploy_path_follow_def;

PLOY_API ploy_path_follow_def ploy_path_follow_def_default(void);
PLOY_API ploy_fields ploy_path_follow_fields(void);

/// The acceleration of one agent along a polyline (ploy_path_polyline gives a path's) or a spline.
/// @param along  m, the place reached: read and moved on. On a spline metres along as well.
/// Requests nothing inside the tube and on a path without points. Invalid if a setting is out of
/// range.
PLOY_API ploy_steering ploy_path_follow(const ploy_path_follow_def *def, ploy_kinematic agent,
                                        const ploy_polyline *path, float *along);
PLOY_API ploy_steering ploy_spline_follow(const ploy_path_follow_def *def, ploy_kinematic agent,
                                          const ploy_spline2 *spline, float *along);

/// In space along a spline, or straight from point to point of the caller's.
/// @param closed  back to the first point and round again; a spline knows by itself.
PLOY_API ploy_steering3 ploy_spline_follow3(const ploy_path_follow_def *def, ploy_kinematic3 agent,
                                            const ploy_spline3 *spline, float *along);
PLOY_API ploy_steering3 ploy_path_follow3(const ploy_path_follow_def *def, ploy_kinematic3 agent,
                                          const ploy_vec3 *points, int32_t count, bool closed,
                                          float *along);

/// The same for agents [first, first + count) of a view on one way, bit for bit.
/// @param alongs  number i of agent i; only the range is read and written.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid; then nothing changes.
PLOY_API ploy_result ploy_path_follow_batch(const ploy_path_follow_def *def,
                                            const ploy_kinematics *agents, int32_t first,
                                            int32_t count, const ploy_polyline *path, float *alongs,
                                            const ploy_steerings *out);
PLOY_API ploy_result ploy_spline_follow_batch(const ploy_path_follow_def *def,
                                              const ploy_kinematics *agents, int32_t first,
                                              int32_t count, const ploy_spline2 *spline,
                                              float *alongs, const ploy_steerings *out);
PLOY_API ploy_result ploy_spline_follow3_batch(const ploy_path_follow_def *def,
                                               const ploy_kinematics3 *agents, int32_t first,
                                               int32_t count, const ploy_spline3 *spline,
                                               float *alongs, const ploy_steerings3 *out);
PLOY_API ploy_result ploy_path_follow3_batch(const ploy_path_follow_def *def,
                                             const ploy_kinematics3 *agents, int32_t first,
                                             int32_t count, const ploy_vec3 *points,
                                             int32_t point_count, bool closed, float *alongs,
                                             const ploy_steerings3 *out);

/// True at the end of an open path: the place is the last one (the first, backwards) and the agent
/// within arrive.target_radius of it.
PLOY_API bool ploy_path_follow_done(const ploy_path_follow_def *def, ploy_kinematic agent,
                                    const ploy_polyline *path, float along);

/// Reports to a trace the place, the point sought and what came of it. along is the place after the
/// step.
PLOY_API void ploy_path_follow_trace(const ploy_path_follow_def *def, ploy_kinematic agent,
                                     const ploy_polyline *path, float along, ploy_agent_id id,
                                     ploy_trace *trace);

/// Settings of waypoint following.
typedef struct ploy_waypoints_def {
    uint32_t cookie;        ///< set by the default; leave alone
    ploy_arrive_def arrive; ///< how it goes; the radii count at the last waypoint of an open path
    float radius;           ///< m, at which a waypoint counts as reached
} ploy_waypoints_def;

PLOY_API ploy_waypoints_def ploy_waypoints_def_default(void);
PLOY_API ploy_fields ploy_waypoints_fields(void);

/// Goes for waypoint *next, and moves on to the one after it when it is near enough: round a closed
/// path, to the last of an open one, where it arrives. *next out of range counts as 0. Asks for
/// nothing on a path without points. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_waypoints(const ploy_waypoints_def *def, ploy_kinematic agent,
                                      const ploy_polyline *path, int32_t *next);
/// The same in space, over points of the caller's.
/// @param closed  round and round; otherwise it arrives at the last.
PLOY_API ploy_steering3 ploy_waypoints3(const ploy_waypoints_def *def, ploy_kinematic3 agent,
                                        const ploy_vec3 *points, int32_t count, bool closed,
                                        int32_t *next);

/// The same for agents [first, first + count) of a view on one way, bit for bit.
/// @param nexts  number i of agent i; only the range is read and written.
/// @return PLOY_ERR_ARGUMENT if a setting, a view or the range is invalid; then nothing changes.
PLOY_API ploy_result ploy_waypoints_batch(const ploy_waypoints_def *def,
                                          const ploy_kinematics *agents, int32_t first,
                                          int32_t count, const ploy_polyline *path, int32_t *nexts,
                                          const ploy_steerings *out);
PLOY_API ploy_result ploy_waypoints3_batch(const ploy_waypoints_def *def,
                                           const ploy_kinematics3 *agents, int32_t first,
                                           int32_t count, const ploy_vec3 *points,
                                           int32_t point_count, bool closed, int32_t *nexts,
                                           const ploy_steerings3 *out);

/// As steering sources (ploy/move/source.h); all pointers are borrowed, state included.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range (env's log names it) or a pointer is
///         NULL; then out is none.
PLOY_API ploy_result ploy_path_follow_source(const ploy_path_follow_def *def,
                                             const ploy_polyline *path, float *along,
                                             const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_spline_follow_source(const ploy_path_follow_def *def,
                                               const ploy_spline2 *spline, float *along,
                                               const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_waypoints_source(const ploy_waypoints_def *def, const ploy_polyline *path,
                                           int32_t *next, const ploy_env *env,
                                           ploy_steering_source *out);
PLOY_API ploy_result ploy_path_follow3_source(const ploy_path_follow_def *def,
                                              const ploy_vec3 *points, int32_t count, bool closed,
                                              float *along, const ploy_env *env,
                                              ploy_steering_source *out);
PLOY_API ploy_result ploy_spline_follow3_source(const ploy_path_follow_def *def,
                                                const ploy_spline3 *spline, float *along,
                                                const ploy_env *env, ploy_steering_source *out);
PLOY_API ploy_result ploy_waypoints3_source(const ploy_waypoints_def *def, const ploy_vec3 *points,
                                            int32_t count, bool closed, int32_t *next,
                                            const ploy_env *env, ploy_steering_source *out);
