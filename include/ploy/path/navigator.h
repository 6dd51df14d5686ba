/// @file ploy/path/navigator.h
/// A planner: one character's path, from the request to the arrival.
///
/// It asks a path service, says where to steer meanwhile, follows the path edge by edge and reports
/// how each is travelled, notices being stuck, and asks again when the goal has moved, the world
/// has changed or an edge takes too long; never more often than it is allowed to.
///
///     idle -> waiting -> following -> arrived
///                ^           |
///                +-- again --+     (stuck, goal moved, path blocked)     failed: there is no path
///
/// Stuck is either of: an edge takes longer than its length at full speed and a margin; the end of
/// the edge has not come nearer for a while. A small margin replans often, a large one looks
/// stuck. Technique: Buckland, "Programming Game AI by Example", chapters 8 and 9.
///
/// One navigator can serve several behaviors in turn, as a body has one path. Each begin starts a
/// trip with a number; a behavior that stops cancels its own trip only (ploy_navigator_cancel_trip).
/// Reactive tree nodes start the new leaf before they halt the old one, so a plain cancel in the
/// old leaf's stop would end the new leaf's path.
///
///     ploy_navigator_step(navigator, &service, position, dt);
///     ploy_crowd_set_wanted(crowd, body, ploy_navigator_wanted(navigator, position, speed));
///
/// Units: metres, seconds. Memory: the path's. Threads: as the service.
#pragma once

#include "ploy/path/planners.h"

/// Opaque.
typedef struct ploy_navigator ploy_navigator;

typedef struct ploy_navigator_def {
    uint32_t cookie;
    float max_speed;   ///< m/s, of the body
    float arrive;      ///< m: so near an edge's end is its end
    float margin;      ///< s that an edge may take beyond its length at full speed
    float stall;       ///< s without coming nearer to the edge's end
    float replan_wait; ///< s between two requests
    float goal_moved;  ///< m that the goal may move before the path is requested again
    int32_t tries;     ///< requests in a row that may end without a path, or stuck
} ploy_navigator_def;

typedef enum ploy_navigator_state {
    PLOY_NAVIGATOR_IDLE,
    PLOY_NAVIGATOR_WAITING,   ///< for the service
    PLOY_NAVIGATOR_FOLLOWING, ///< the path; a better one may be under way
    PLOY_NAVIGATOR_ARRIVED,
    PLOY_NAVIGATOR_FAILED
} ploy_navigator_state;

PLOY_API ploy_navigator_def ploy_navigator_def_default(void);
PLOY_API ploy_fields ploy_navigator_fields(void);
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navigator_create(const ploy_navigator_def *def, const ploy_env *env,
                                           ploy_navigator **out);
/// Frees it; a ticket that is out is the service's: stop first. NULL is allowed.
PLOY_API void ploy_navigator_destroy(ploy_navigator *planner);

/// Gives up what it was after and requests a path. @return as ploy_path_service_request.
PLOY_API ploy_result ploy_navigator_begin(ploy_navigator *planner, const ploy_path_service *service,
                                          const ploy_path_request *request);
/// Requests the cheapest of a kind instead of a place: the nearest item (options.is_goal), or for
/// any other request with options. While it waits, the target is where it is; set_goal and a goal
/// that moved do not apply. Steps go through the planners' service.
/// @param planners  must stay until the navigator is cancelled or begins something else.
/// @return as ploy_planners_request.
PLOY_API ploy_result ploy_navigator_begin_options(ploy_navigator *planner, ploy_planners *planners,
                                                  const ploy_path_request *request,
                                                  const ploy_path_options *options);
/// Uses a path that is there already: one made by hand, or the leader's that a squad shares.
/// @return PLOY_ERR_ARGUMENT for an empty path, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_navigator_follow(ploy_navigator *planner,
                                           const ploy_path_service *service, const ploy_path *path);
/// The number of the present trip, which each begin and follow starts: 1 for the first, 0 before it.
PLOY_API uint32_t ploy_navigator_trip(const ploy_navigator *planner);
/// Gives up a trip if it is the present one; otherwise changes nothing. NULL service: the ticket is
/// forgotten. @return true if it was.
PLOY_API bool ploy_navigator_cancel_trip(ploy_navigator *planner, const ploy_path_service *service,
                                         uint32_t trip);
/// Gives up, whatever it is after. NULL service: the ticket is forgotten.
PLOY_API void ploy_navigator_cancel(ploy_navigator *planner, const ploy_path_service *service);
/// Says where the goal is now. The path is requested again if it moved far enough.
PLOY_API void ploy_navigator_set_goal(ploy_navigator *planner, ploy_vec3 to);
/// Looks whether what is left of the path is still free, and asks again if not.
/// @param clear  NULL: ask again whatever there is. @return false if it is blocked.
PLOY_API bool ploy_navigator_check(ploy_navigator *planner,
                                   bool (*clear)(void *user, ploy_vec3 from, ploy_vec3 to),
                                   void *user);

/// One tick: polls, moves on to the next edge, asks again where there is reason to.
/// @return PLOY_ERR_ARGUMENT for a position that is not finite; what the service returned, but a
///         full queue, which is asked again later.
PLOY_API ploy_result ploy_navigator_step(ploy_navigator *planner, const ploy_path_service *service,
                                         ploy_vec3 position, float dt);

/// The state of a navigator.
PLOY_API ploy_navigator_state ploy_navigator_state_of(const ploy_navigator *planner);
/// Where to steer: the end of the present edge; while waiting straight to the goal.
PLOY_API ploy_vec3 ploy_navigator_target(const ploy_navigator *planner);
/// The velocity to ask of the body: at that speed (or the edge's limit, if lower) toward the end of
/// the present edge, slowing down only before the end of the whole path. Zero unless it follows a
/// path. The speed also counts as the body's full speed from now on, in place of max_speed: an agent
/// that walks slowly on purpose is not stuck.
/// @param speed  m/s, 0 or more; 0 while the body stands still on purpose.
PLOY_API ploy_vec2 ploy_navigator_wanted(ploy_navigator *planner, ploy_vec2 position, float speed);
/// How the present edge is travelled; NULL while there is none.
PLOY_API const ploy_path_edge *ploy_navigator_edge(const ploy_navigator *planner);
/// The present edge's number, -1 while there is none.
PLOY_API int32_t ploy_navigator_edge_index(const ploy_navigator *planner);
/// The path; empty before the first answer.
PLOY_API const ploy_path *ploy_navigator_path(const ploy_navigator *planner);

typedef struct ploy_navigator_stats {
    int32_t requests;    ///< asked of the service
    int32_t stuck_slow;  ///< times an edge took too long
    int32_t stuck_stall; ///< times the edge's end did not come nearer
    int32_t moved;       ///< times the goal had moved too far
    int32_t blocked;     ///< times the path was not free any more
} ploy_navigator_stats;

/// Visits a ploy_navigator (ploy/base/visit.h). A load needs a service that knows the ticket; one
/// saved with options needs a navigator that was begun with them.
PLOY_API void ploy_navigator_visit(ploy_visit *v, void *planner);
PLOY_API void ploy_navigator_describe(const ploy_navigator *planner, ploy_describe *out);
PLOY_API void ploy_navigator_memory(const ploy_navigator *planner, ploy_memory_fn fn, void *user);
