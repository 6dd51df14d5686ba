/// @file ploy/path/navigator.h
/// A navigator: one character's path, from the request to the arrival.
///
/// It requests a path from a path service, returns where to steer meanwhile, follows the path edge
/// by edge, reports how each edge is travelled and detects when the character is stuck. It requests
/// a new path when the goal has moved, the world has changed or an edge takes too long, but never
/// more often than replan_wait allows.
///
///     idle -> waiting -> following -> arrived
///                ^           |
///                +-- again --+     (stuck, goal moved, path blocked)     failed: there is no path
///
/// A character is stuck if an edge takes longer than its length at full speed plus a margin, or if
/// it has not come nearer to the end of the edge for a while. With a small margin it replans often;
/// with a large one it looks stuck. Technique: Buckland, "Programming Game AI by Example", chapters
/// 8 and 9.
///
/// One navigator can serve several behaviors in turn, because a body has one path. Each begin
/// starts a trip with a number; a behavior that stops cancels its own trip only
/// (ploy_navigator_cancel_trip). Reactive tree nodes start the new leaf before they halt the old
/// one, so a plain cancel in the old leaf's stop would end the new leaf's path.
///
///     ploy_navigator_step(navigator, &service, position, dt);
///     ploy_crowd_set_wanted(crowd, body, ploy_navigator_wanted(navigator, position, speed));
///
/// Units: metres, seconds. Memory: that of the path. Threads: as for the service.
#pragma once

#include "ploy/base/trace.h"
#include "ploy/path/planners.h"

/// Opaque.
typedef struct ploy_navigator ploy_navigator;

typedef struct ploy_navigator_def {
    uint32_t cookie;
    float max_speed;   ///< m/s, of the body
    float arrive;      ///< m: distance at which an edge's end counts as reached
    float margin;      ///< s that an edge may take beyond its length at full speed
    float stall;       ///< s without coming nearer to the edge's end
    float replan_wait; ///< s between two requests
    float goal_moved;  ///< m that the goal may move before the path is requested again
    int32_t tries;     ///< requests in a row that may end without a path, or stuck
} ploy_navigator_def;

typedef enum ploy_navigator_state {
    PLOY_NAVIGATOR_IDLE,
    PLOY_NAVIGATOR_WAITING,   ///< for the service
    PLOY_NAVIGATOR_FOLLOWING, ///< a new path may already be requested
    PLOY_NAVIGATOR_ARRIVED,
    PLOY_NAVIGATOR_FAILED
} ploy_navigator_state;

PLOY_API ploy_navigator_def ploy_navigator_def_default(void);
PLOY_API ploy_fields ploy_navigator_fields(void);
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navigator_create(const ploy_navigator_def *def, const ploy_env *env,
                                           ploy_navigator **out);
/// Frees it. An open ticket stays with the service: cancel first. NULL is allowed.
PLOY_API void ploy_navigator_destroy(ploy_navigator *planner);

/// Cancels the current trip and requests a path. @return as ploy_path_service_request.
PLOY_API ploy_result ploy_navigator_begin(ploy_navigator *planner, const ploy_path_service *service,
                                          const ploy_path_request *request);
/// Requests a path with options, such as the cheapest goal of a kind instead of a place: the
/// nearest item (options.is_goal). While waiting, the target is the current position; set_goal and
/// the check for a moved goal do not apply. Steps go through the planners' service.
/// @param planners  must stay valid until the navigator is cancelled or begins something else.
/// @return as ploy_planners_request.
PLOY_API ploy_result ploy_navigator_begin_options(ploy_navigator *planner, ploy_planners *planners,
                                                  const ploy_path_request *request,
                                                  const ploy_path_options *options);
/// Follows an existing path: one made by hand, or the leader's path that a squad shares.
/// @return PLOY_ERR_ARGUMENT for an empty path, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navigator_follow(ploy_navigator *planner,
                                           const ploy_path_service *service, const ploy_path *path);
/// Returns the number of the current trip. Each begin and follow starts a new one: 1 for the first,
/// 0 before it.
PLOY_API uint32_t ploy_navigator_trip(const ploy_navigator *planner);
/// Cancels a trip if it is the current one; otherwise changes nothing. NULL service: drops the
/// ticket. @return true if it was current.
PLOY_API bool ploy_navigator_cancel_trip(ploy_navigator *planner, const ploy_path_service *service,
                                         uint32_t trip);
/// Cancels the current trip. NULL service: drops the ticket.
PLOY_API void ploy_navigator_cancel(ploy_navigator *planner, const ploy_path_service *service);
/// Sets where the goal is now. The path is requested again if the goal has moved far enough.
PLOY_API void ploy_navigator_set_goal(ploy_navigator *planner, ploy_vec3 to);
/// Checks whether the rest of the path is still free, and requests a new path if not.
/// @param clear  NULL: always request a new path. @return false if it is blocked.
PLOY_API bool ploy_navigator_check(ploy_navigator *planner,
                                   bool (*clear)(void *user, ploy_vec3 from, ploy_vec3 to),
                                   void *user);

/// Runs one tick: polls the service, advances to the next edge, requests a new path if needed.
/// @return PLOY_ERR_ARGUMENT for a position that is not finite; the service's error, except for a
///         full queue, for which the request is repeated later.
PLOY_API ploy_result ploy_navigator_step(ploy_navigator *planner, const ploy_path_service *service,
                                         ploy_vec3 position, float dt);

/// The state of a navigator.
PLOY_API ploy_navigator_state ploy_navigator_state_of(const ploy_navigator *planner);
/// Returns where to steer: the end of the current edge, or the goal while waiting.
PLOY_API ploy_vec3 ploy_navigator_target(const ploy_navigator *planner);
/// Returns the requested velocity: at that speed (or the edge's limit, if lower) toward the end of
/// the current edge, slowing down only before the end of the whole path. Zero unless a path is
/// followed. The speed also counts as the body's full speed from now on, in place of max_speed: an
/// agent that walks slowly deliberately is not stuck.
/// @param speed  m/s, 0 or more; 0 while the body stands still deliberately.
PLOY_API ploy_vec2 ploy_navigator_wanted(ploy_navigator *planner, ploy_vec2 position, float speed);
/// Returns how the current edge is travelled; NULL if there is none.
PLOY_API const ploy_path_edge *ploy_navigator_edge(const ploy_navigator *planner);
/// Returns the current edge's number, -1 if there is none.
PLOY_API int32_t ploy_navigator_edge_index(const ploy_navigator *planner);
/// The path; empty before the first answer.
PLOY_API const ploy_path *ploy_navigator_path(const ploy_navigator *planner);

/// Reports to a trace which option the navigator chose, and why not the others: follow its path,
/// wait for one, be there, give up. Call it after ploy_navigator_step. NULL trace: does nothing.
PLOY_API void ploy_navigator_explain(const ploy_navigator *planner, ploy_agent_id agent,
                                     ploy_trace *trace);

typedef struct ploy_navigator_stats {
    int32_t requests;    ///< made to the service
    int32_t stuck_slow;  ///< times an edge took too long
    int32_t stuck_stall; ///< times the edge's end did not come nearer
    int32_t moved;       ///< times the goal had moved too far
    int32_t blocked;     ///< times the path was no longer free
} ploy_navigator_stats;

/// Visits a ploy_navigator (ploy/base/visit.h). A load needs a service that knows the ticket; one
/// saved with options needs a navigator that was begun with them.
PLOY_API void ploy_navigator_visit(ploy_visit *v, void *planner);
PLOY_API void ploy_navigator_describe(const ploy_navigator *planner, ploy_describe *out);
PLOY_API void ploy_navigator_memory(const ploy_navigator *planner, ploy_memory_fn fn, void *user);
