// Shared by the files of the scheduler: scheduler.c keeps the items, scheduler_turns.c hands out
// turns, phase.c looks ahead.
#pragma once

#include "ploy/base/heap.h"
#include "ploy/base/json.h"
#include "ploy/base/visit.h"
#include "ploy/exec/scheduler.h"

// Costs are kept in sixteenths of a unit, so that their running mean is a whole number.
#define PLOYI_SCHEDULER_COST_ONE 16

// Beyond that the heap's keys would round.
#define PLOYI_SCHEDULER_TICK_MAX ((uint64_t)1 << 53)

typedef struct ployi_scheduler_item {
    int32_t slot; // ticks: due when tick mod period is this
    bool used;
    bool enabled;
    bool listed;  // has a turn still to come in the tick under way
    bool put_off; // is in waiting
    bool plain;   // its schedule sets no limits: whatever its share is
    ploy_schedule schedule;
    int64_t cost; // running mean of a turn, in sixteenths
    int64_t allowed;
    uint64_t last;  // tick of the last turn
    uint64_t from;  // the same, or if it is later, the tick from which it may have turns
    int64_t streak; // ticks in a row in which it was put off
    int64_t turns, waits, spent, most_spent, last_spent, overruns;
    uint64_t worst_interval;
    float ratio; // of spent to allowed, running mean
    float bias;  // of an adaptive policy
} ployi_scheduler_item;

// The items of one period that are due in the same ticks.
typedef struct ployi_scheduler_bucket {
    int32_t first, last; // enabled ones by rising number (of [0]: all); -1 if there is none
    int64_t weight;      // sum of the costs of all, enabled or not
    int64_t count;       // of all
} ployi_scheduler_bucket;

// What a tick is about: begun, and how it is read.
typedef enum ployi_scheduler_phase {
    PLOYI_SCHEDULER_IDLE,
    PLOYI_SCHEDULER_BEGUN,
    PLOYI_SCHEDULER_SERIAL, // turn by turn
    PLOYI_SCHEDULER_PLANNED // all at once: reports change no share
} ployi_scheduler_phase;

struct ploy_scheduler {
    ploy_env env;
    ploy_scheduler_def def;
    ploy_allocate_fn allocate; // of PLOY_POLICY_CUSTOM
    void *allocate_user;
    ployi_scheduler_item *items;
    int32_t *order;   // the turns of the tick under way; five arrays in one block
    int32_t *merge;   // room for sorting them
    int32_t *waiting; // those put off, the longest waiting first
    // Of each item, in the list of its phase; -1 ends both. Not in the items: a walk along a list
    // waits for one load after the other, which are fast only where they are dense.
    int32_t *next, *prev;
    int32_t capacity, count;
    int32_t waiting_count;
    int32_t cursor;  // behind the last that had a turn, if others were put off; else 0
    int32_t bounded; // items with a max_interval
    int32_t at, due; // in order
    int32_t served;  // turns handed out in this tick
    bool shares;     // in this tick, plain items get a share of what remains and no more is asked
    ployi_scheduler_phase phase;
    uint64_t tick; // the next to begin; while one is under way, that one
    int64_t units, remaining;
    int64_t weight; // of the turns still to come
    int64_t total_weight;
    int64_t spent; // by all, ever
    // Lists by period: buckets[period] has `period` lists; [0] has one, of those with long periods.
    ployi_scheduler_bucket *buckets[PLOY_SCHEDULER_DIRECT_MAX + 1];
    int32_t linked[PLOY_SCHEDULER_DIRECT_MAX + 1]; // enabled items of each short one
    int32_t periods[PLOY_SCHEDULER_DIRECT_MAX];    // that have lists, in the order of their making
    int32_t period_count;
    int32_t reserved;
    ploy_indexed_heap later; // enabled ones with long periods, by the tick of their next turn
    int64_t *loads;          // look_ahead numbers, for phasing
    ploy_turn_ask *asks;     // of PLOY_POLICY_CUSTOM: capacity of them, and as many allowances
    int64_t *allowances;
};

// The item, or NULL.
static inline ployi_scheduler_item *ployi_scheduler_find(const ploy_scheduler *scheduler,
                                                         int32_t item) {
    if (item < 0 || item >= scheduler->capacity || !scheduler->items[item].used) return NULL;
    return &scheduler->items[item];
}

// The item that a turn ahead is likely to be for; -1 if there is none. A hint: what is spent meanwhile may
// change it.
static inline int32_t ployi_scheduler_ahead(const ploy_scheduler *scheduler, int32_t turns) {
    int32_t at = scheduler->at + turns;
    return at >= 0 && at < scheduler->due ? scheduler->order[at] : -1;
}

// The first tick at or after `tick` in which an item with that period and slot is due.
uint64_t ployi_scheduler_next_due(uint64_t tick, int32_t period, int32_t slot);

// The slot at which an item of that period would add least to the load ahead.
int32_t ployi_scheduler_pick_slot(ploy_scheduler *scheduler, int32_t period);

// Sorts numbers that are in rising runs, which end at bounds[0], bounds[1], ..., into rising
// order; merge has room for as many. The result is in numbers.
void ployi_scheduler_merge(int32_t *numbers, int32_t *merge, int32_t *bounds, int32_t runs);
// The same for numbers in any order; fast when they rise already.
void ployi_scheduler_sort(int32_t *numbers, int32_t *merge, int32_t count);

// ---- in a file (scheduler_save.c) ----

// What an item's service came to, as one JSON object.
void ployi_scheduler_save_item(const ploy_scheduler *scheduler, int32_t item,
                               ploy_json_writer *out);
// The tick to come and what concerns all, as one JSON object; not who waits, which the holder names.
void ployi_scheduler_save_all(const ploy_scheduler *scheduler, ploy_json_writer *out);
// Continues at the saved tick. All items keep their schedules; those that are enabled are due as
// from that tick on.
void ployi_scheduler_load_all(ploy_scheduler *scheduler, const ploy_json *doc, ploy_json_node node);
ploy_result ployi_scheduler_load_item(ploy_scheduler *scheduler, int32_t item, const ploy_json *doc,
                                      ploy_json_node node, ploy_diags *diags);
// Puts an enabled item behind those that wait.
void ployi_scheduler_wait(ploy_scheduler *scheduler, int32_t item);
// Changes an item's mean cost, which its phase's load depends on. In scheduler.c.
void ployi_scheduler_set_cost(ploy_scheduler *scheduler, int32_t item, int64_t cost);

// One item's schedule and how it fares, and what concerns all, into an open group. The holder of
// a scheduler calls ployi_scheduler_visit_memory first, and in a load makes sure that the item is
// in use.
void ployi_scheduler_visit_memory(ploy_visit *v, ploy_scheduler *scheduler);
// How an item fares, without its schedule.
void ployi_scheduler_visit_service(ploy_visit *v, ployi_scheduler_item *record);
void ployi_scheduler_visit_item(ploy_visit *v, ploy_scheduler *scheduler, int32_t item);
void ployi_scheduler_visit_all(ploy_visit *v, ploy_scheduler *scheduler);
// After a load: whether those that wait are in use, enabled, marked so, and there once.
bool ployi_scheduler_waiting_is_sound(ploy_scheduler *scheduler);
