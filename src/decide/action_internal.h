// Shared between the files of actions.
#pragma once

#include "decide_internal.h"
#include "ploy/decide/actions.h"

// A part or a compound. They are stored depth first: the first part of compound i is i + 1, the next
// sibling of i is nodes[i].end.
typedef struct ployi_action_node {
    ploy_action_part part; // its texts are those of the book's names; the name only of a compound
    ploy_name name, style;
    int32_t end;
    int32_t join; // ploy_action_join, or -1 for a single part
} ployi_action_node;

// An outermost one, with what it comes to as a whole.
typedef struct ployi_action_entry {
    ploy_name name;
    ploy_action_terms terms;
    int32_t node;
    uint32_t resources; // of all its parts
    bool interrupts;
} ployi_action_entry;

struct ploy_action_book {
    ployi_build build;
    ploy_array nodes;   // ployi_action_node
    ploy_array entries; // ployi_action_entry
    ploy_action_both_fn both;
    void *both_user;
    int32_t open[PLOY_ACTION_DEPTH_MAX]; // compounds that are not closed
    int32_t depth;
    int32_t most_parts; // of one action
};

static inline const ployi_action_node *ployi_action_node_at(const ploy_action_book *book,
                                                            int32_t node) {
    return &PLOY_ARRAY_ITEMS(&book->nodes, ployi_action_node)[node];
}

static inline const ployi_action_entry *ployi_action_entry_at(const ploy_action_book *book,
                                                              int32_t action) {
    return &PLOY_ARRAY_ITEMS(&book->entries, ployi_action_entry)[action];
}

// ---- the manager; invariants in action_manager.c ----

typedef struct ployi_action_manager_entry {
    ploy_action_request request;
    double expiry, queued; // s
    uint64_t order;        // of asking
    ploy_name source;
    int32_t action; // of the book
    int32_t state;  // ploy_action_state; UNKNOWN: free
    uint32_t generation;
    float priority;
} ployi_action_manager_entry;

_Static_assert(sizeof(ployi_action_manager_entry) == 80 + 48, "an entry must have no gaps");

enum {
    PLOYI_ACTION_PART_IDLE,
    PLOYI_ACTION_PART_RUNS,
    PLOYI_ACTION_PART_DONE,
    PLOYI_ACTION_PART_FAILED
};

typedef struct ployi_action_manager_part {
    ploy_action_id id;
    float seconds; // since it began
    int32_t state;
} ployi_action_manager_part;

_Static_assert(sizeof(ploy_action_event) == 56, "an event must have no gaps");

struct ploy_action_manager {
    ploy_env env;
    const ploy_action_book *book;
    size_t size;
    ploy_action_manager_def def;
    ploy_agent_id agent;
    uint64_t asked;  // actions so far
    uint64_t events; // so far
    int32_t queue_count, active_count;
    ployi_action_manager_entry *entries; // queue + active of the def
    ployi_action_manager_part *parts;
    ploy_action_event *log; // a ring
    int32_t *queue, *active;
};

ployi_action_manager_part *ployi_action_manager_parts(const ploy_action_manager *manager,
                                                      int32_t index);
// Puts an entry into the queue or the active ones, in order.
void ployi_action_manager_insert(const ploy_action_manager *manager, int32_t *list, int32_t *count,
                                 int32_t index);
// Who acts from now on; the manager must have no actions.
void ployi_action_manager_act_as(ploy_action_manager *manager, ploy_agent_id agent);
