// Shared between the files of hierarchical machines.
#pragma once

#include "decide_internal.h"
#include "ploy/decide/hsm.h"

// A state; number 0 is the machine. Numbers follow the document, so the descendants of a state are
// those from it + 1 to its last.
typedef struct ployi_hsm_node {
    ploy_name id;
    ploy_hsm_kind kind;
    uint32_t parent, last;
    int32_t children; // states, without history
    ploy_hsm_hooks hooks;
    ploy_maker inside;
    int32_t maker;                        // place of its behavior, or -1
    int32_t history;                      // place of what it remembers, or -1
    int32_t first, count;                 // of its rules
    int32_t initial_first, initial_count; // in targets
    ploy_hsm_action_fn initial_action;
    void *initial_user;
    ploy_hsm_event done; // raised when it is done
} ployi_hsm_node;

typedef struct ployi_hsm_link {
    ploy_name id;
    uint32_t from;
    ploy_condition when;
    int32_t on_first, on_count;
    int32_t target_first, target_count;
    bool internal;
    ploy_hsm_action_fn action;
    void *user;
} ployi_hsm_link;

struct ploy_hsm_type {
    ployi_build build;
    ploy_hsm_def def;
    ploy_conditions *conditions;
    ploy_array nodes;   // ployi_hsm_node
    ploy_array links;   // ployi_hsm_link
    ploy_array order;   // int32_t, rules state by state
    ploy_array ons;     // ploy_name
    ploy_array targets; // uint32_t
    int32_t makers, histories;
};

typedef struct ployi_hsm_queue {
    ploy_hsm_event *events;
    int32_t first, count;
} ployi_hsm_queue;

struct ploy_hsm {
    ploy_env env;
    const ploy_hsm_type *type;
    void *owner;
    size_t size;
    int32_t words; // of a set of states
    ploy_behavior *insides;
    ployi_hsm_queue inner, outer;
    uint64_t *active;    // set: entered and not left
    uint64_t *running;   // set: states whose behavior is entered
    uint64_t *histories; // a set for each history state
    uint64_t *scratch;   // four sets
    int32_t *enabled;    // rules, at most one for each state
    int32_t *content;    // of each state: the history rule whose action follows its enter, or -1
    uint32_t *current;   // keep_inner: the inner state of each, or 0
    uint64_t changes;
    ploy_hsm_event event; // that is being handled
    bool has_event;
    bool started, done;
    ploy_result result; // the first error of a hook in this step
};

static inline const ployi_hsm_node *ployi_hsm_node_at(const ploy_hsm_type *type, uint32_t number) {
    return &PLOY_ARRAY_ITEMS(&type->nodes, ployi_hsm_node)[number];
}

static inline const ployi_hsm_link *ployi_hsm_link_at(const ploy_hsm_type *type, int32_t index) {
    return &PLOY_ARRAY_ITEMS(&type->links, ployi_hsm_link)[index];
}

static inline const uint32_t *ployi_hsm_targets(const ploy_hsm_type *type, int32_t first) {
    return PLOY_ARRAY_AT(&type->targets, uint32_t, first);
}

// True if a lies in b.
static inline bool ployi_hsm_within(const ploy_hsm_type *type, uint32_t a, uint32_t b) {
    return a > b && a <= ployi_hsm_node_at(type, b)->last;
}

static inline bool ployi_hsm_has(const uint64_t *set, uint32_t number) {
    return (set[number / 64] >> (number % 64) & 1u) != 0;
}

static inline void ployi_hsm_put(uint64_t *set, uint32_t number) {
    set[number / 64] |= (uint64_t)1 << (number % 64);
}

static inline void ployi_hsm_drop(uint64_t *set, uint32_t number) {
    set[number / 64] &= ~((uint64_t)1 << (number % 64));
}

// What both policies do: hooks with the behaviors of a state, an action, a rule's test.
void ployi_hsm_enter_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number);
void ployi_hsm_exit_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number,
                          ploy_exit_reason reason);
void ployi_hsm_execute_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number);
void ployi_hsm_act(ploy_hsm *hsm, ploy_step_context *context, ploy_hsm_action_fn action,
                   void *user);
bool ployi_hsm_holds(const ploy_hsm *hsm, ploy_step_context *context, const ployi_hsm_link *link);
bool ployi_hsm_next_event(ploy_hsm *hsm);

// One step under keep_inner.
void ployi_hsm_levels_step(ploy_hsm *hsm, ploy_step_context *context);
