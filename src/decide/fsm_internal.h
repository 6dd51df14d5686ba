// Shared between the files of state machines.
#pragma once

#include "decide_internal.h"
#include "ploy/decide/fsm.h"

typedef struct ployi_fsm_item {
    ploy_name id;
    ploy_fsm_hooks hooks;
    ploy_maker inside;
    int32_t maker; // place of its behavior, or -1
    int32_t level; // of the alarm that it answers, or 0
    size_t data_at, data_size;
    bool keep, final;
    ploy_status status;   // if final
    int32_t first, count; // of its rules in `order`
} ployi_fsm_item;

typedef struct ployi_fsm_link {
    ploy_fsm_rule rule; // its texts are the caller's and not read after adding
    ploy_name id, on;
    int32_t level;   // of an alarm, or 0
    int32_t tree;    // place of its decision, or -1
    int32_t targets; // first state for the tree's nodes
    int32_t size;    // single tests
} ployi_fsm_link;

struct ploy_fsm_type {
    ployi_build build;
    ploy_fsm_def def;
    ploy_conditions *conditions;
    ploy_array items;   // ployi_fsm_item
    ploy_array links;   // ployi_fsm_link
    ploy_array order;   // int32_t, rules state by state, as they are looked at
    ploy_array targets; // uint32_t, states for trees' nodes
    ploy_fsm_hooks global;
    uint32_t initial, idle;
    int32_t makers, trees;
    size_t data_size;
};

struct ploy_fsm {
    ploy_env env;
    const ploy_fsm_type *type;
    void *owner;
    void *block; // see fsm.c
    size_t block_size;
    ploy_behavior *insides;
    ploy_decision **decisions;
    uint64_t *fired; // the change at which each rule fired last, or NULL
    uint32_t *stack;
    char *data;
    double elapsed, idle; // s
    uint64_t changes;
    uint32_t current, previous, pending;
    int32_t depth;   // states put aside
    int32_t nesting; // changes within changes
    int32_t last;    // rule that led here, or -1
    ploy_status status;
    bool inside; // the present state's behavior is entered
    bool leaving, busy;
    bool started;
};

static inline const ployi_fsm_item *ployi_fsm_item_at(const ploy_fsm_type *type, uint32_t number) {
    return &PLOY_ARRAY_ITEMS(&type->items, ployi_fsm_item)[number - 1];
}

static inline const ployi_fsm_link *ployi_fsm_link_at(const ploy_fsm_type *type, int32_t index) {
    return &PLOY_ARRAY_ITEMS(&type->links, ployi_fsm_link)[index];
}

// The rule to fire, or -1. *to is its target; 0 for a rule that stays.
int32_t ployi_fsm_choose(ploy_fsm *fsm, const ploy_moment *moment, uint32_t *to);

// In fsm_save.c, see ploy_behavior_type.
void ployi_fsm_save(const void *self, ploy_json_writer *out);
ploy_result ployi_fsm_load(void *self, ploy_step_context *context, const ploy_json *doc,
                           ploy_json_node state, ploy_diags *diags);
