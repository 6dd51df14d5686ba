// What the files of the planners share: the service and its tickets (planners.c), searches and
// their turns (planners_work.c), paths composed and cached (planners_paths.c).
//
// Invariants, from create to destroy:
//   (1) a slot is free (and in the free list), queued (and in the queue, or joined to an active
//       slot with an equal request), active (and some worker's) or done;
//   (2) the queue's key is turn - priority x 2^40, so equal priorities come in the order of turns;
//   (3) a slot's path holds its answer while the slot is done;
//   (4) a cached path has the generation of the finder that found it, or it is empty;
//   (5) each finder of a profile is there once for each worker.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/heap.h"
#include "ploy/path/planners.h"

typedef enum ployi_planners_state {
    PLOYI_PLANNERS_FREE,
    PLOYI_PLANNERS_QUEUED,
    PLOYI_PLANNERS_ACTIVE,
    PLOYI_PLANNERS_DONE
} ployi_planners_state;

typedef struct ployi_planners_slot {
    ploy_path_request request;
    ploy_path_options options;
    ploy_path *path;
    ploy_vec3 now; // where the agent is, as far as it was reported
    int64_t units;
    int64_t since; // steps made before it was asked
    uint64_t turn;
    const char *finder; // name of the one that answered or is at work
    ployi_planners_state state;
    ploy_path_outcome outcome;
    ploy_result result;
    uint32_t generation;
    int32_t end;
    int32_t first;  // finder to try next
    int32_t which;  // finder that answered
    int32_t asked;  // searches made again because the agent had left
    int32_t cached; // 1: from an earlier path, or an equal request
    int32_t joined; // the active slot whose answer it waits for + 1; 0: none
} ployi_planners_slot;

// One finder of a profile, made once for each worker.
typedef struct ployi_planners_finder {
    ploy_finder *made;
    const char *name;
} ployi_planners_finder;

typedef struct ployi_planners_profile {
    ploy_name name;
    ployi_planners_finder finders[PLOY_PLANNERS_FINDERS];
    int32_t count;
    ploy_cost_hook costs;
} ployi_planners_profile;

typedef struct ployi_planners_worker {
    ploy_finder finder; // at work; none if idle
    int32_t which;      // of the profile's finders
    int32_t slot;       // -1: idle
    ploy_budget budget; // of a step over jobs
    ploy_result result;
    int64_t replay; // units that a loaded search spends again
    ploy_path_outcome replay_outcome;
} ployi_planners_worker;

// A path that was found: one point for each state, the ends of the request left out.
typedef struct ployi_planners_known {
    ploy_array states; // int32_t; empty: unused
    ploy_path *path;
    uint64_t used;
    uint64_t generation;
    int32_t goal, profile, finder;
} ployi_planners_known;

struct ploy_planners {
    ploy_env env;
    ploy_planners_def def;
    ploy_planners_fn listener;
    void *listener_user;
    ployi_planners_profile profiles[PLOY_PLANNERS_PROFILES + 1]; // the first has no name
    ploy_planners_stats stats;
    ploy_indexed_heap queue;
    ploy_path *raw; // scratch
    ployi_planners_worker *workers;
    ployi_planners_known *known;
    int32_t *free_slots;
    uint64_t next_turn, clock;
    int64_t steps; // made so far
    int32_t profile_count, free_count, cursor, reserved;
    size_t size;
    ployi_planners_slot slots[];
};

// The number of a request's profile; 0, the one without a name, if it is not known.
int32_t ployi_planners_profile_of(const ploy_planners *planners, ploy_name profile);
// The hook of a request: its own, or that of its profile. fn NULL: none.
static inline ploy_cost_hook ployi_planners_hook(const ploy_planners *planners,
                                                 const ployi_planners_slot *slot) {
    if (slot->options.costs.fn != NULL) return slot->options.costs;
    return planners->profiles[ployi_planners_profile_of(planners, slot->request.profile)].costs;
}
// A slot's request as finders get it.
ploy_finder_request ployi_planners_ask(const ploy_planners *planners,
                                       const ployi_planners_slot *slot);
// Logs why none of a profile's finders can serve a slot.
void ployi_planners_explain(const ploy_planners *planners, const ployi_planners_slot *slot);

// Of the service: what ploy_planners_visit describes.
void ployi_planners_describe(const void *user, ploy_describe *out);

// Puts a slot into the queue, or back to its old place in it.
ploy_result ployi_planners_enqueue(ploy_planners *planners, int32_t index);
// An answer is there; the listener is called.
void ployi_planners_done(ploy_planners *planners, int32_t index, ploy_path_outcome outcome);

// The straight line into the slot's path, if it is free. *out: whether it is.
ploy_result ployi_planners_straight(ploy_planners *planners, ployi_planners_slot *slot,
                                    ploy_finder finder, bool *out);
// A cached path, or the rest of one, into the slot's path. *out: whether there is one.
ploy_result ployi_planners_recall(ploy_planners *planners, ployi_planners_slot *slot,
                                  ploy_finder finder, int32_t which, bool *out);
// A finder's path, smoothed, into the slot's; it is cached if others may use it.
ploy_result ployi_planners_take(ploy_planners *planners, ployi_planners_slot *slot,
                                ploy_finder finder, int32_t which);
// Makes the slot's path start where its agent is now. *again: it cannot, search from there.
ploy_result ployi_planners_join(ploy_planners *planners, ployi_planners_slot *slot, bool *again);
// Smooths a path into another, as far as the finder knows what is free.
ploy_result ployi_planners_smooth(ploy_planners *planners, const ployi_planners_slot *slot,
                                  ploy_finder finder, const ploy_path *from, ploy_path *out);
// Forgets all cached paths, or those of one profile.
void ployi_planners_forget(ploy_planners *planners, int32_t profile);

// The worker of a slot, which is active.
ployi_planners_worker *ployi_planners_worker_of(ploy_planners *planners, int32_t index);
// Stops a worker, which leaves its slot without one; joined slots return to the queue.
void ployi_planners_stop(ploy_planners *planners, ployi_planners_worker *worker);
// How many are at work.
int32_t ployi_planners_active(const ploy_planners *planners);
// Puts all requests under way back into the queue.
void ployi_planners_restart(ploy_planners *planners);
ploy_result ployi_planners_step(void *user, ploy_budget *budget);
