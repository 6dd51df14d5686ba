/// @file ploy/path/planners.h
/// Planners: one path service over grids, graphs and meshes, for as many characters as there are.
///
/// A fixed set of searches serves one queue: the most urgent request first, of equals the oldest.
/// The searches under way take turns, `slice` states each, and the turn is kept from step to step,
/// so that nobody starves; the number of states taken in a step is exactly the budget, or all that
/// there was to do.
///
///     request -> queue -> [search 0] [search 1] ... -> answer, kept until it is polled
///                          ^ cache, straight line, no way at all: answered without a search
///
/// Before it is done, a search can be asked for the best so far (ploy_planners_peek), so that a
/// character sets out at once. What was found is kept: a later request whose start lies on a known
/// way to the same goal gets the rest of it. Requests may ask for the cheapest of a kind instead of
/// a place (an item), and for a way of their own beside the best one (variety).
///
/// What is planned on is a division (tiles, graphs, networks, whatever answers its questions), a
/// grid map with its own searches, or a mesh, whose ways are pulled tight. Each profile may have another; a hook says what ground costs
/// a profile or a single request beyond its length (ploy/path/costs.h).
///
/// Techniques: Buckland, "Programming Game AI by Example", chapter 8 (time-sliced planning, path
/// manager; its cursor begins anew each update and starves the last, ours does not); Millington,
/// "AI for Games" (planner pool, plan reuse).
///
/// One unit of budget is one state (of a mesh: one node; of a grid map: as its searches count) taken,
/// or one request that needs no search.
/// Memory: at create; searches and paths grow until they are as large as questions get.
/// Threads: one caller at a time. ploy_planners_step_jobs runs searches on workers.
#pragma once

#include "ploy/base/jobs.h"
#include "ploy/exec/path_service.h"
#include "ploy/path/costs.h"
#include "ploy/path/grid_search.h"
#include "ploy/path/navmesh_query.h"
#include "ploy/path/representation.h"
#include "ploy/path/smooth.h"

/// Opaque.
typedef struct ploy_planners ploy_planners;

/// Most profiles of one service.
#define PLOY_PLANNERS_PROFILES 16

typedef struct ploy_planners_def {
    uint32_t cookie;
    int32_t capacity; ///< most tickets at once
    int32_t searches; ///< at most so many under way
    int32_t slice;    ///< units that a search takes before the next one's turn
    int32_t cached;   ///< ways over divisions that are remembered; 0: none
    bool straight;    ///< try the straight way first; on meshes it is as good as found anyway
    bool partial;     ///< where there is no way, go as near as one can get
    ploy_smooth_kind smooth;
    float turn_radius; ///< m, of smoothing; 0: any
    float variety;     ///< of requests that ask for it: by how much estimates vary, as a share
} ploy_planners_def;

PLOY_API ploy_planners_def ploy_planners_def_default(void);
PLOY_API ploy_fields ploy_planners_fields(void);
/// @param division  of requests without a profile; copied, what it points to must stay.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_planners_create(const ploy_planners_def *def,
                                          const ploy_representation *division, const ploy_env *env,
                                          ploy_planners **out);

/// The same over the tiles of a grid map, with the map's own searches: jumps instead of neighbours.
/// What those cannot answer is searched as a division of the tiles: requests with a hook, a way of
/// their own or any state of a kind, those that get as near as they can, all while the map is behind
/// its tiles, and jumps on a map with costs.
/// @param map  must outlive it. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_planners_create_grid(const ploy_planners_def *def,
                                               const ploy_grid_map *map,
                                               ploy_grid_algorithm algorithm, const ploy_env *env,
                                               ploy_planners **out);

/// A mesh to plan on. Start from ploy_planners_mesh_make(). A request's radius trims portals or, in
/// a mesh for several sizes, wants that clearance; its mask is not used.
typedef struct ploy_planners_mesh {
    const ploy_navmesh *mesh; ///< must stay; after it was replaced set it again
    ploy_navmesh_filter filter;
    ploy_navmesh_method method;
    float reach;  ///< m, seen from above: how far from the floor one may be asked for
    float height; ///< m, up and down likewise
} ploy_planners_mesh;

/// The default filter, crossings, a reach of 2 m, any height.
PLOY_API ploy_planners_mesh ploy_planners_mesh_make(const ploy_navmesh *mesh);
/// The same over a mesh. @return PLOY_ERR_ARGUMENT, also for a filter out of range;
/// PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_planners_create_mesh(const ploy_planners_def *def,
                                               const ploy_planners_mesh *mesh, const ploy_env *env,
                                               ploy_planners **out);
/// NULL is allowed.
PLOY_API void ploy_planners_destroy(ploy_planners *planners);

/// A profile's own division: other costs, another body. Requests of unknown profiles get what
/// create was given. @return PLOY_ERR_ARGUMENT, PLOY_ERR_CAPACITY.
PLOY_API ploy_result ploy_planners_set_profile(ploy_planners *planners, ploy_name profile,
                                               const ploy_representation *division);
/// A profile's own mesh or filter; without a name that of create, also in place of a division.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY; everything is as it was then.
PLOY_API ploy_result ploy_planners_set_mesh(ploy_planners *planners, ploy_name profile,
                                            const ploy_planners_mesh *mesh);
/// A profile's own grid map: another size of body. As ploy_planners_set_mesh.
PLOY_API ploy_result ploy_planners_set_grid(ploy_planners *planners, ploy_name profile,
                                            const ploy_grid_map *map,
                                            ploy_grid_algorithm algorithm);
/// A hook for all requests of a profile; without a name for those that have none. Ways with costs
/// are not smoothed, which would cut through what they avoid. After its answers have changed call
/// ploy_planners_changed. @param costs  copied; NULL: none. @return PLOY_ERR_NOT_FOUND for a
/// profile that was not set.
PLOY_API ploy_result ploy_planners_set_costs(ploy_planners *planners, ploy_name profile,
                                             const ploy_cost_hook *costs);

/// Told when an answer is there; the request is no longer under way then, so that asking for
/// another is fine.
typedef void (*ploy_planners_fn)(void *user, ploy_path_ticket ticket, ploy_agent_id agent,
                                 ploy_path_outcome outcome, int32_t end_state);
PLOY_API void ploy_planners_set_listener(ploy_planners *planners, ploy_planners_fn fn, void *user);

/// What else a request may say. Start from ploy_path_options_make().
typedef struct ploy_path_options {
    int32_t priority; ///< -1000 to 1000; higher goes first
    uint32_t variety; ///< not 0: a way of its own for each number
    /// Any state (of a mesh: polygon) that satisfies this, the cheapest; the request's `to` is not
    /// read. NULL: the place.
    bool (*is_goal)(void *user, int32_t state);
    void *user;           ///< of is_goal
    ploy_cost_hook costs; ///< of this request, in place of its profile's; its way is not remembered
} ploy_path_options;

PLOY_API ploy_path_options ploy_path_options_make(void);

/// Asks for a route. @param wish  NULL: nothing special.
/// @return as ploy_path_service_request.
PLOY_API ploy_result ploy_planners_request(ploy_planners *planners,
                                           const ploy_path_request *request,
                                           const ploy_path_options *wish, ploy_path_ticket *out);

/// Where a request stands.
typedef enum ploy_planners_stage {
    PLOY_PLANNERS_QUEUED,
    PLOY_PLANNERS_ACTIVE,
    PLOY_PLANNERS_DONE
} ploy_planners_stage;

typedef struct ploy_planners_status {
    ploy_planners_stage stage;
    ploy_path_outcome outcome;
    int64_t units;     ///< spent on it
    int32_t end_state; ///< where its way ends, of a mesh a polygon; PLOY_STATE_NONE
    bool cached;       ///< the answer came from an earlier one
} ploy_planners_status;

/// @return false, leaving out alone, for a ticket that is none any more.
PLOY_API bool ploy_planners_get(const ploy_planners *planners, ploy_path_ticket ticket,
                                ploy_planners_status *out);

/// The way to the place nearest to the goal that is known so far; the request goes on as if nobody
/// had asked, and its status says PLOY_PATH_OPEN. On meshes and grid maps this looks at all edges or
/// cells.
/// @return PLOY_ERR_STATE while it is queued, PLOY_ERR_NOT_FOUND, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_planners_peek(ploy_planners *planners, ploy_path_ticket ticket,
                                        ploy_path *path);

/// The step of the service, with its searches spread over jobs. The budget is shared out before
/// they run, so the answers are the same for any number of workers, but not those of plain steps.
/// The env's allocator and hooks must allow calls from many threads.
PLOY_API ploy_result ploy_planners_step_jobs(ploy_planners *planners, ploy_budget *budget,
                                             const ploy_jobs *jobs);

/// The world has changed: what is remembered is forgotten, searches under way begin again.
PLOY_API void ploy_planners_changed(ploy_planners *planners);

typedef struct ploy_planners_stats {
    int64_t requests, answers, cancelled;
    int64_t units;        ///< spent since create
    int64_t searched;     ///< answers that took a search
    int64_t straight;     ///< answers that were a straight line
    int64_t hits, misses; ///< of the cache
    int32_t queued, active;
} ploy_planners_stats;

/// What has been done so far.
PLOY_API ploy_planners_stats ploy_planners_stats_of(const ploy_planners *planners);

/// The interface over it, valid as long as it lives.
PLOY_API ploy_path_service ploy_planners_service(ploy_planners *planners);
PLOY_API void ploy_planners_memory(const ploy_planners *planners, ploy_memory_fn fn, void *user);
