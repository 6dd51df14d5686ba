// What the files of the planners share: the service and its tickets (planners.c), searches and
// their turns (planners_work.c), ways written and remembered (planners_ways.c).
//
// Invariants, from create to destroy:
//   (1) a slot is free (and in the free list), queued (and in the queue), active (and some
//       search's) or done;
//   (2) the queue's key is turn - priority x 2^40, so equal priorities come in the order of turns;
//   (3) a slot's path holds its answer while the slot is done;
//   (4) a remembered way belongs to the present version, or it is empty.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/heap.h"
#include "ploy/path/heuristic.h"
#include "ploy/path/planners.h"
#include "ploy/search/search.h"

typedef enum ployi_planners_state {
    PLOYI_PLANNERS_FREE,
    PLOYI_PLANNERS_QUEUED,
    PLOYI_PLANNERS_ACTIVE,
    PLOYI_PLANNERS_DONE
} ployi_planners_state;

typedef struct ployi_planners_slot {
    ploy_path_request request;
    ploy_path_options wish;
    ploy_path *path;
    int64_t units;
    uint64_t turn;
    ployi_planners_state state;
    ploy_path_outcome outcome;
    uint32_t generation;
    int32_t start, end;
    int32_t cached; // 1: from an earlier way
} ployi_planners_slot;

// What a profile plans on: a mesh if it has queries, one for each worker; otherwise the division, of
// which a grid map may answer most questions, if it has searches, also one for each worker.
typedef struct ployi_planners_ground {
    ploy_name profile;
    ploy_representation division;
    ploy_planners_mesh mesh;
    ploy_navmesh_query **queries;
    const ploy_grid_map *map;
    ploy_tiles_walker walker; // over the map's tiles; the division's
    ploy_grid_search **searches;
    ploy_cost_hook costs;
} ployi_planners_ground;

// One of the searches. `space` is what it searches: the division's, or with estimates that vary and
// costs that a hook knows. `query` is the mesh's while one is searched, `grid` the grid map's.
typedef struct ployi_planners_worker {
    ploy_search *search;
    ploy_navmesh_query *query;
    ploy_grid_search *grid;
    ploy_space space, inner;
    ploy_edges edges; // of the space behind a hook
    ploy_heuristic_def noise;
    bool varied;
    ploy_cost_hook costs;
    ploy_budget budget; // of a step over jobs
    ploy_result result;
    int32_t slot; // -1: idle
} ployi_planners_worker;

typedef struct ployi_planners_way {
    ploy_array edges; // ploy_edge; empty: unused
    uint64_t used;
    uint64_t generation; // of what it was found on
    int32_t start, goal, ground;
    int32_t reserved;
} ployi_planners_way;

struct ploy_planners {
    ploy_env env;
    ploy_planners_def def;
    ploy_planners_fn listener;
    void *listener_user;
    ployi_planners_ground grounds[PLOY_PLANNERS_PROFILES + 1]; // the first is create's
    ploy_planners_stats stats;
    ploy_indexed_heap queue;
    ploy_array edges; // ploy_edge, scratch
    ploy_array cells; // int32_t, scratch
    ploy_path *raw;   // scratch
    ployi_planners_worker *workers;
    ployi_planners_way *ways;
    int32_t *free_slots;
    uint64_t next_turn, clock;
    int32_t ground_count, free_count, cursor, reserved;
    size_t size;
    ployi_planners_slot slots[];
};

// The number of a profile's ground; 0, that of create, for one that is not known.
int32_t ployi_planners_find_ground(const ploy_planners *planners, ploy_name profile);
static inline const ployi_planners_ground *
ployi_planners_ground_of(const ploy_planners *planners, const ployi_planners_slot *slot) {
    return &planners->grounds[ployi_planners_find_ground(planners, slot->request.profile)];
}
// The hook of a request: its own, or that of its profile. fn NULL: none.
static inline ploy_cost_hook ployi_planners_hook(const ploy_planners *planners,
                                                 const ployi_planners_slot *slot) {
    if (slot->wish.costs.fn != NULL) return slot->wish.costs;
    return ployi_planners_ground_of(planners, slot)->costs;
}
// Puts a slot into the queue, or back to its old place in it.
ploy_result ployi_planners_enqueue(ploy_planners *planners, int32_t index);
// An answer is there; the listener is told.
void ployi_planners_done(ploy_planners *planners, int32_t index, ploy_path_outcome outcome);

// Appends a place, unless it is no edge because one stands there already.
ploy_result ployi_planners_append(ploy_path *path, ploy_vec3 at, const ploy_path_edge *edge);
// Writes from, the states' places and (if it gets there) to, smoothed.
ploy_result ployi_planners_compose(ploy_planners *planners, const ployi_planners_slot *slot,
                                   const ploy_edge *edges, int32_t count, bool arrives,
                                   ploy_path *out);
// The edges of a search's way to a state, in the scratch array.
ploy_result ployi_planners_take_edges(ploy_planners *planners, const ploy_search *search,
                                      int32_t state);
// The same of a grid's search.
ploy_result ployi_planners_take_cells(ploy_planners *planners, const ployi_planners_slot *slot,
                                      const ploy_grid_search *grid, int32_t cell);
// A known way to the goal that passes the start, and from which edge on it is wanted.
const ployi_planners_way *ployi_planners_recall(ploy_planners *planners, int32_t ground,
                                                int32_t start, int32_t goal, int32_t *from);
// Remembers the scratch edges in place of what was used longest ago. Out of memory: it does not.
void ployi_planners_remember(ploy_planners *planners, int32_t ground, int32_t start, int32_t goal);

// The worker that is at work on a slot, which is active.
ployi_planners_worker *ployi_planners_worker_of(ploy_planners *planners, int32_t index);
// Stops a worker: its slot is nobody's then.
void ployi_planners_stop(ployi_planners_worker *worker);
// How many are at work.
int32_t ployi_planners_active(const ploy_planners *planners);
ploy_result ployi_planners_step(void *user, ploy_budget *budget);
