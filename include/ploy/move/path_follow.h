/// @file ploy/move/path_follow.h
/// Path following: steering along a path without leaving it and without tracing it exactly.
///
///     rabbit      seek a point a little further along the path than the nearest one
///     predictive  the same, from the predicted position in predict_time; never steps back along
///                 the path. Smoother at corners; cuts them where parts of the path come close
///     tube        no steering while the predicted position is within tube_radius of the path;
///                 otherwise back to the nearest point. For crowds on a road
///
/// The caller keeps the distance reached, `along` (m): start with 0 and pass it in every step. A
/// window limits the search to the part of the path around `along`, so that an agent stays on its
/// part of a road that passes close to itself; a window of 0 searches the whole path. A negative
/// `ahead` follows the path backwards. Closed paths repeat. At the end of an open path the agent
/// arrives and stops; with `stop` off it continues to seek.
///
/// Waypoint following goes from corner to corner instead: it seeks the next point and, once near
/// enough, the one after it. An agent that cannot turn tightly enough may orbit a waypoint forever;
/// see ploy/move/agitate.h for a remedy. Techniques: Reynolds, GDC 1999; Millington, chapter 3;
/// Buckland, chapter 3.
///
/// Units: metres, seconds. Cost: the search along the path, no allocation. On a spline with a table
/// of lengths, the search starts at the distance reached and rarely looks elsewhere; the result
/// equals that of a full search, bit for bit. Threads: pure functions over the caller's state.
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
    ploy_arrive_def arrive; ///< how it moves; the radii apply only at the end of the path
    float ahead;            ///< m, from the nearest point to the one it seeks; below 0: backwards
    float predict_time;     ///< s, of PREDICTIVE and TUBE
    float tube_radius;      ///< m, of TUBE
    float window;           ///< m along the path before and after `along`; 0: the whole path
    bool stop;              ///< at the end of an open path
} ploy_path_follow_def;

PLOY_API ploy_path_follow_def ploy_path_follow_def_default(void);
PLOY_API ploy_fields ploy_path_follow_fields(void);

/// The acceleration of one agent along a polyline (ploy_path_polyline gives a path's) or a spline.
/// @param along  m, the distance reached: read and advanced. In metres on a spline too. Requests
/// nothing inside the tube and on a path without points. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_path_follow(const ploy_path_follow_def *def, ploy_kinematic agent,
                                        const ploy_polyline *path, float *along);
PLOY_API ploy_steering ploy_spline_follow(const ploy_path_follow_def *def, ploy_kinematic agent,
                                          const ploy_spline2 *spline, float *along);

/// In space, along a spline or straight lines between the caller's points.
/// @param closed  the last point leads to the first; a spline stores this itself.
PLOY_API ploy_steering3 ploy_spline_follow3(const ploy_path_follow_def *def, ploy_kinematic3 agent,
                                            const ploy_spline3 *spline, float *along);
PLOY_API ploy_steering3 ploy_path_follow3(const ploy_path_follow_def *def, ploy_kinematic3 agent,
                                          const ploy_vec3 *points, int32_t count, bool closed,
                                          float *along);

/// The same for agents [first, first + count) of a view on one path, bit for bit.
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

/// True at the end of an open path: `along` is at the end (the start, if backwards) and the agent
/// is within arrive.target_radius of that point.
PLOY_API bool ploy_path_follow_done(const ploy_path_follow_def *def, ploy_kinematic agent,
                                    const ploy_polyline *path, float along);

/// Reports to a trace the distance reached, the target point and the resulting request. along is
/// the value after the step.
PLOY_API void ploy_path_follow_trace(const ploy_path_follow_def *def, ploy_kinematic agent,
                                     const ploy_polyline *path, float along, ploy_agent_id id,
                                     ploy_trace *trace);

/// Settings of waypoint following.
typedef struct ploy_waypoints_def {
    uint32_t cookie;        ///< set by the default; leave alone
    ploy_arrive_def arrive; ///< how it moves; the radii apply at the last waypoint of an open path
    float radius;           ///< m, at which a waypoint counts as reached
} ploy_waypoints_def;

PLOY_API ploy_waypoints_def ploy_waypoints_def_default(void);
PLOY_API ploy_fields ploy_waypoints_fields(void);

/// Seeks waypoint *next and, once near enough, advances *next: round and round a closed path, or to
/// the last point of an open one, where the agent arrives. *next out of range counts as 0. Requests
/// nothing on a path without points. Invalid if a setting is out of range.
PLOY_API ploy_steering ploy_waypoints(const ploy_waypoints_def *def, ploy_kinematic agent,
                                      const ploy_polyline *path, int32_t *next);
/// The same in space, over the caller's points.
/// @param closed  the last point leads to the first; otherwise the agent arrives at the last.
PLOY_API ploy_steering3 ploy_waypoints3(const ploy_waypoints_def *def, ploy_kinematic3 agent,
                                        const ploy_vec3 *points, int32_t count, bool closed,
                                        int32_t *next);

/// The same for agents [first, first + count) of a view on one path, bit for bit.
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
