/// @file ploy/exec/path_service.h
/// Paths as a service: request, poll, cancel.
///
/// Finding a path may take longer than a frame, so no agent waits for it: a character requests a
/// path, does something else meanwhile, and polls until the path is ready. A grid, a navigation
/// mesh or the game's own code can implement the interface; `exec` has the simplest service,
/// ploy_direct_paths, which goes straight or not at all.
///
/// Threads: one caller at a time. In a parallel engine call it from commit and message hooks.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/path.h"
#include "ploy/geom/scene.h"

/// A request under way; all zero means none.
typedef struct ploy_path_ticket {
    ploy_id id;
} ploy_path_ticket;

/// The request. Plain data without gaps; start from ploy_path_request_make().
typedef struct ploy_path_request {
    ploy_agent_id agent; ///< for whom; may be none
    ploy_name profile;   ///< how it moves ("walker", "tank"), for services that know; or none
    ploy_vec3 from;      ///< m
    ploy_vec3 to;        ///< m
    float radius;        ///< m, of the body
    uint32_t mask;       ///< layers of the scene that block it
} ploy_path_request;

/// A request with every byte set: a point that everything blocks.
PLOY_API ploy_path_request ploy_path_request_make(ploy_agent_id agent, ploy_vec3 from,
                                                  ploy_vec3 to);

/// Checks a request by itself: finite numbers, a radius of 0 or more.
PLOY_API ploy_result ploy_path_request_check(const ploy_path_request *request);

typedef enum ploy_path_outcome {
    PLOY_PATH_OPEN,    ///< the search is not finished
    PLOY_PATH_FOUND,   ///< here it is
    PLOY_PATH_PARTIAL, ///< nearest reachable point
    PLOY_PATH_NONE     ///< there is no path
} ploy_path_outcome;

/// "open", "found", "partial", "none".
PLOY_API const char *ploy_path_outcome_text(ploy_path_outcome outcome);

/// The interface. All callbacks but move, describe and draw are needed.
typedef struct ploy_path_service {
    ploy_result (*request)(void *user, const ploy_path_request *request, ploy_path_ticket *out);
    ploy_result (*poll)(void *user, ploy_path_ticket ticket, ploy_path *path,
                        ploy_path_outcome *outcome);
    ploy_result (*cancel)(void *user, ploy_path_ticket ticket);
    ploy_result (*step)(void *user, ploy_budget *budget);
    /// Reports the agent's current position. May be NULL.
    ploy_result (*move)(void *user, ploy_path_ticket ticket, ploy_vec3 from);
    void (*describe)(const void *user, ploy_describe *out); ///< may be NULL
    void (*draw)(const void *user, ploy_draw *out);         ///< may be NULL
    void *user;
} ploy_path_service;

/// Requests a path. @return PLOY_ERR_ARGUMENT, PLOY_ERR_CAPACITY if too many are requested already,
/// PLOY_ERR_UNSUPPORTED for a service (or NULL) that lacks the call.
PLOY_API ploy_result ploy_path_service_request(const ploy_path_service *service,
                                               const ploy_path_request *request,
                                               ploy_path_ticket *out);

/// Checks whether the path is ready. Any outcome other than PLOY_PATH_OPEN uses the ticket up; on
/// FOUND and PARTIAL `path` holds the path, which begins at `from` (its only point if start and
/// goal coincide). `path` may be NULL if only the outcome is needed.
/// @return PLOY_ERR_NOT_FOUND if the ticket has expired. On PLOY_ERR_MEMORY the path is
///         empty and the ticket still valid.
PLOY_API ploy_result ploy_path_service_poll(const ploy_path_service *service,
                                            ploy_path_ticket ticket, ploy_path *path,
                                            ploy_path_outcome *outcome);

/// Reports where the agent is while it waits: the path will start there, not where the request was
/// made. Call it once a tick. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT for a place that is not
/// finite, PLOY_ERR_UNSUPPORTED for a service whose paths start where the request was made.
PLOY_API ploy_result ploy_path_service_move(const ploy_path_service *service,
                                            ploy_path_ticket ticket, ploy_vec3 from);

/// Gives a ticket back. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_path_service_cancel(const ploy_path_service *service,
                                              ploy_path_ticket ticket);

/// Works on the requests, oldest first, until they are answered (PLOY_OK) or the budget is empty
/// (PLOY_IN_PROGRESS). NULL budget: until they are answered.
PLOY_API ploy_result ploy_path_service_step(const ploy_path_service *service, ploy_budget *budget);

PLOY_API void ploy_path_service_describe(const ploy_path_service *service, ploy_describe *out);
PLOY_API void ploy_path_service_draw(const ploy_path_service *service, ploy_draw *out);

/// Straight lines: the path is from and to if the scene's sweep finds nothing between them,
/// otherwise there is none. One unit of budget is one sweep. All memory is taken at create. Opaque.
typedef struct ploy_direct_paths ploy_direct_paths;

typedef struct ploy_direct_paths_def {
    uint32_t cookie;
    int32_t capacity; ///< most tickets at once
} ploy_direct_paths_def;

PLOY_API ploy_direct_paths_def ploy_direct_paths_def_default(void);
PLOY_API ploy_fields ploy_direct_paths_fields(void);

/// @param scene  copied; what it points to must stay. NULL: nothing blocks.
PLOY_API ploy_result ploy_direct_paths_create(const ploy_direct_paths_def *def,
                                              const ploy_scene *scene, const ploy_env *env,
                                              ploy_direct_paths **out);
PLOY_API void ploy_direct_paths_destroy(ploy_direct_paths *paths);

/// The interface over it, valid as long as it lives.
PLOY_API ploy_path_service ploy_direct_paths_service(ploy_direct_paths *paths);
PLOY_API void ploy_direct_paths_memory(const ploy_direct_paths *paths, ploy_memory_fn fn,
                                       void *user);
