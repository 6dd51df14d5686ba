/// @file ploy/path/planners.h
/// Planners: one path service over any finders, for any number of characters.
///
/// A fixed set of searches serves one queue: the most urgent request first, and the oldest first
/// among equals. The searches under way take turns, `slice` units each, and the turn carries over
/// from step to step, so that no request starves. A step uses exactly the budget, or less if there
/// is less to do.
///
///     request -> queue -> [search 0] [search 1] ... -> answer, kept until it is polled
///                          ^ cache, straight line, no path at all: answered without a search
///
/// Each profile has finders (ploy/path/finder.h), tried in the order in which they were added: the
/// first one that can serve a request searches. A finder that ends without a path, or at its own
/// limit, hands over to the next one if that can do more: for example, if a partial path was
/// requested and only the next one supports them. If no finder can serve a request, the request is
/// refused and the log gives the reason.
///
///     ploy_planners_add_finder(planners, none, &jps);      // what jumps cannot serve
///     ploy_planners_add_finder(planners, none, &generic);  // the next one does
///
/// ploy_planners_peek returns the best path so far of an unfinished search, so that a character can
/// set out at once. A request that starts on a cached path to the same goal reuses the remainder of
/// that path. A request equal to one that is being searched (ends, radius, mask, profile, variety)
/// waits for that search and gets a copy of its answer, without spending units. Requests may ask for the cheapest of a kind instead of a place (an item), and for a
/// path different from the best one (variety). A hook adds costs to a path beyond its length, for a
/// profile or a single request (ploy/path/costs.h).
///
/// If ploy_path_service_move has reported the agent's position, a path starts where the agent is
/// when the answer is fetched: points it has passed are dropped, and if no part of the path is
/// visible from there, the search is repeated, at most three times.
///
/// After an edit of the data that a finder searches, searches under way restart and cached paths
/// are not reused. Both compare generations, so no call is needed. Call ploy_planners_changed after
/// the answers of a hook or a scene have changed.
///
/// Techniques: Buckland, "Programming Game AI by Example", chapter 8 (time-sliced planning, path
/// manager; its cursor restarts each update and starves the last requests; ours does not);
/// Millington, "AI for Games" (planner pool, plan reuse).
///
/// One unit of budget is one unit of a finder, or one request that needs no search. Memory is
/// allocated at create and add_finder; searches and paths grow to the size of the largest request.
/// Threads: one caller at a time. ploy_planners_step_jobs runs searches on workers.
#pragma once

#include "ploy/base/jobs.h"
#include "ploy/exec/path_service.h"
#include "ploy/path/finder.h"
#include "ploy/path/smooth.h"

/// Opaque.
typedef struct ploy_planners ploy_planners;

/// Most profiles of one service, and most finders of one profile.
#define PLOY_PLANNERS_PROFILES 16
#define PLOY_PLANNERS_FINDERS 8

typedef struct ploy_planners_def {
    uint32_t cookie;
    int32_t capacity; ///< most tickets at once
    int32_t searches; ///< at most this many under way
    int32_t slice;    ///< units that a search takes before the next one's turn
    int32_t cached;   ///< paths kept for reuse; 0: none. Mesh paths are not cached
    bool straight;    ///< try the straight line first; on meshes the search finds it as quickly
    bool partial;     ///< if there is no path, lead to the nearest reachable point
    ploy_smooth_kind smooth;
    float turn_radius; ///< m, of smoothing; 0: any
    float variety;     ///< share by which estimates vary in requests that ask for variety
} ploy_planners_def;

PLOY_API ploy_planners_def ploy_planners_def_default(void);
PLOY_API ploy_fields ploy_planners_fields(void);
/// Creates planners without finders. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_planners_create(const ploy_planners_def *def, const ploy_env *env,
                                          ploy_planners **out);
/// NULL is allowed.
PLOY_API void ploy_planners_destroy(ploy_planners *planners);

/// Adds a finder to a profile, after its existing ones. Creates one instance for each search that
/// may be under way. Searches under way restart.
/// @param profile  none: requests without a profile, or with one that has no finders.
/// @param factory  read here only; what its finders point to must outlive the planners.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_CAPACITY beyond PLOY_PLANNERS_PROFILES profiles or
///         PLOY_PLANNERS_FINDERS finders; or the factory's error. Nothing changes on failure.
PLOY_API ploy_result ploy_planners_add_finder(ploy_planners *planners, ploy_name profile,
                                              const ploy_finder_factory *factory);
/// Sets a hook for all requests of a profile; without a name, for requests that have none. Paths
/// with a hook are not smoothed, because smoothing would cut through what they avoid. Call
/// ploy_planners_changed after the hook's answers have changed. @param costs  copied; NULL: none.
/// @return PLOY_ERR_NOT_FOUND for a profile without finders.
PLOY_API ploy_result ploy_planners_set_costs(ploy_planners *planners, ploy_name profile,
                                             const ploy_cost_hook *costs);

/// Makes room for paths of that many points in every ticket and for any search of the finders added
/// so far, so that requests, steps and answers allocate nothing. Meshes, grids and hierarchies still
/// grow as they need to; frozen graphs do not.
/// @return PLOY_ERR_ARGUMENT if points is negative, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_planners_reserve(ploy_planners *planners, int32_t points);

/// Called when an answer is ready. The request is no longer under way, so the callback may make
/// another one.
typedef void (*ploy_planners_fn)(void *user, ploy_path_ticket ticket, ploy_agent_id agent,
                                 ploy_path_outcome outcome, int32_t end_state);
PLOY_API void ploy_planners_set_listener(ploy_planners *planners, ploy_planners_fn fn, void *user);

/// Further options of a request. Start from ploy_path_options_make().
typedef struct ploy_path_options {
    int32_t priority; ///< -1000 to 1000; higher goes first
    uint32_t variety; ///< not 0: a different path for each number
    /// The goal is the cheapest state (on a mesh, polygon) that satisfies this, and the request's
    /// `to` is not read. NULL: the goal is `to`.
    bool (*is_goal)(void *user, int32_t state);
    void *user;           ///< of is_goal
    ploy_cost_hook costs; ///< of this request, in place of its profile's; its path is not cached
} ploy_path_options;

PLOY_API ploy_path_options ploy_path_options_make(void);

/// Requests a path. @param options  NULL: the defaults.
/// @return as ploy_path_service_request; PLOY_ERR_UNSUPPORTED if no finder of the profile can serve
///         it, and the log gives the reason.
PLOY_API ploy_result ploy_planners_request(ploy_planners *planners,
                                           const ploy_path_request *request,
                                           const ploy_path_options *options, ploy_path_ticket *out);

/// The progress of a request.
typedef enum ploy_planners_stage {
    PLOY_PLANNERS_QUEUED,
    PLOY_PLANNERS_ACTIVE,
    PLOY_PLANNERS_DONE
} ploy_planners_stage;

typedef struct ploy_planners_status {
    ploy_planners_stage stage;
    ploy_path_outcome outcome;
    ploy_result result; ///< PLOY_ERR_UNSUPPORTED: no remaining finder could serve it
    int64_t units;      ///< spent on it
    int32_t end_state;  ///< where its path ends (on a mesh, a polygon), or PLOY_STATE_NONE
    bool cached;        ///< the answer was taken from the cache, or from an equal request
    const char *finder; ///< name of the finder that searches or answered; NULL: none yet
} ploy_planners_status;

/// @return false, leaving out alone, if the ticket has expired.
PLOY_API bool ploy_planners_get(const ploy_planners *planners, ploy_path_ticket ticket,
                                ploy_planners_status *out);

/// Writes the path to the nearest point reached so far. The request is not affected, and its
/// outcome stays PLOY_PATH_OPEN. On meshes and grid maps this visits all edges or cells.
/// @return PLOY_ERR_STATE while it is queued, PLOY_ERR_UNSUPPORTED if the finder has no path
///         before its end, PLOY_ERR_CHANGED, PLOY_ERR_NOT_FOUND, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_planners_peek(ploy_planners *planners, ploy_path_ticket ticket,
                                        ploy_path *path);

/// Steps the service with its searches spread over jobs. The budget is divided before they run, so
/// the answers are the same for any number of workers, but may differ from those of plain steps.
/// The env's allocator and hooks must allow calls from many threads.
PLOY_API ploy_result ploy_planners_step_jobs(ploy_planners *planners, ploy_budget *budget,
                                             const ploy_jobs *jobs);

/// Reports that the world has changed without a new generation (a hook's answers, a scene). Drops
/// cached paths and restarts searches under way.
PLOY_API void ploy_planners_changed(ploy_planners *planners);

typedef struct ploy_planners_stats {
    int64_t requests, answers, cancelled;
    int64_t units;        ///< spent since create
    int64_t searched;     ///< answers that took a search
    int64_t straight;     ///< answers that were a straight line
    int64_t hits, misses; ///< of the cache
    int64_t merged;       ///< answers copied from an equal request
    int64_t restarted;    ///< searches restarted because their map had changed
    int64_t waited;       ///< steps from request to answer, summed over answers
    int64_t longest_wait; ///< steps, the longest for one answer
    int32_t queued, active;
} ploy_planners_stats;

/// Statistics since create.
PLOY_API ploy_planners_stats ploy_planners_stats_of(const ploy_planners *planners);

/// Returns the path service interface, valid as long as the planners exist.
PLOY_API ploy_path_service ploy_planners_service(ploy_planners *planners);
/// Visits a ploy_planners (ploy/base/visit.h): requests, searches under way, answers and the cache,
/// so that tickets stay valid. A load needs the same def, finders and map; requests with callbacks
/// cannot be loaded.
PLOY_API void ploy_planners_visit(ploy_visit *v, void *planners);
PLOY_API void ploy_planners_memory(const ploy_planners *planners, ploy_memory_fn fn, void *user);
