// Shared between the files of state machines.
#pragma once

#include "decide_internal.h"
#include "ploy/base/map.h"
#include "ploy/decide/fsm.h"

// How a rule is looked at when nothing special is to be considered: one test and a target.
typedef struct ployi_fsm_quick {
    ploy_condition when;
    ploy_slot slot; // of a bool, if the condition is nothing but that
    uint32_t to;
    int32_t link;
    bool plain;   // a plain GO: no alarm, stack, tree or message, and not from every state
    bool message; // only looked at when a message arrives
    bool want;    // what the bool must be
} ployi_fsm_quick;

// A rule of a simple state: the bool at offset, in the values of a board, and what it must be. There
// are PLOYI_FSM_TESTS in a row, so that all states take the same branches; unused ones never hold.
typedef struct ployi_fsm_test {
    int32_t offset;
    int32_t want;
} ployi_fsm_test;

enum { PLOYI_FSM_TESTS = 4 };

typedef struct ployi_fsm_item {
    int32_t first, count; // of its rules in `order` and `quick`
    int32_t tests, rows;  // in `tests`: the first, and how many rows of them
    int32_t maker;        // place of its behavior, or -1
    bool keep, final;
    bool acts;          // it has an execute hook or a behavior
    bool simple;        // a step is nothing but plain rules, each of which tests a bool
    ploy_status status; // if final
    ploy_name id;
    ploy_fsm_hooks hooks;
    ploy_maker inside;
    int32_t level; // of the alarm that it answers, or 0
    size_t data_at, data_size;
} ployi_fsm_item;

// Where a tree's node leads to, and what is done on the way.
typedef struct ployi_fsm_target {
    uint32_t to; // 0: the node is no leaf
    ploy_result (*action)(void *user, const ploy_fsm_turn *turn);
    void *user;
} ployi_fsm_target;

typedef struct ployi_fsm_link {
    ploy_fsm_rule rule; // its texts and leaves are the caller's and not read after adding
    ploy_name id, on;
    int32_t level;   // of an alarm, or 0
    int32_t tree;    // place of its decision, or -1
    int32_t targets; // first of the tree's nodes
    int32_t size;    // single tests
} ployi_fsm_link;

struct ploy_fsm_type {
    ployi_build build;
    ploy_fsm_def def;
    const ploy_blackboard_layout *layout;
    ploy_blackboard_layout *own_layout; // of a table's keys, or NULL
    ploy_conditions *conditions;
    ploy_array items;   // ployi_fsm_item
    ploy_array links;   // ployi_fsm_link
    ploy_array order;   // int32_t, rules state by state, as they are looked at
    ploy_array quick;   // ployi_fsm_quick, beside order
    ploy_array tests;   // ployi_fsm_test, of simple states
    ploy_array targets; // ployi_fsm_target
    ploy_map state_of;  // name -> uint32_t, number of a state
    ploy_map rule_of;   // name -> no value, ids of the rules
    ploy_fsm_hooks global;
    uint32_t initial, idle;
    int32_t makers, trees;
    size_t data_size;
};

// What a change does to the states put aside.
typedef enum ployi_fsm_aside {
    PLOYI_FSM_LEAVE_ASIDE,
    PLOYI_FSM_PUSH_ASIDE,
    PLOYI_FSM_POP_ASIDE
} ployi_fsm_aside;

typedef struct ployi_fsm_past {
    uint64_t tick;
    double now;
    uint32_t from, to;
    int32_t rule;
} ployi_fsm_past;

struct ploy_fsm {
    // What every step reads comes first, to lie in one line of the cache.
    const ploy_fsm_type *type;
    double elapsed; // s in the present state
    uint32_t current, previous;
    bool started;
    bool leaving, busy;
    bool stepping; // the present state's behavior has a call under way
    ploy_nested *insides;
    void *owner;
    uint64_t changes;
    int32_t nesting; // changes within changes
    int32_t last;    // rule that led here, or -1
    uint32_t pending;
    ployi_fsm_aside pending_aside;
    int32_t depth; // states put aside
    int32_t past_count, past_next;
    void *block; // see fsm.c
    size_t block_size;
    ploy_decision **decisions;
    uint64_t *fired; // the change at which each rule fired last, or NULL
    ployi_fsm_past *past;
    uint32_t *stack;
    char *data;
    ploy_env env;
};

static inline const ployi_fsm_item *ployi_fsm_item_at(const ploy_fsm_type *type, uint32_t number) {
    return &PLOY_ARRAY_ITEMS(&type->items, ployi_fsm_item)[number - 1];
}

static inline const ployi_fsm_link *ployi_fsm_link_at(const ploy_fsm_type *type, int32_t index) {
    return &PLOY_ARRAY_ITEMS(&type->links, ployi_fsm_link)[index];
}

// The behavior of a state; NULL if it has none.
static inline ploy_nested *ployi_fsm_inside(const ploy_fsm *fsm, uint32_t number) {
    if (number == 0) return NULL;
    int32_t maker = ployi_fsm_item_at(fsm->type, number)->maker;
    return maker >= 0 ? &fsm->insides[maker] : NULL;
}

// The status that conditions see.
static inline ploy_status ployi_fsm_status(const ploy_fsm *fsm) {
    const ploy_nested *inside = ployi_fsm_inside(fsm, fsm->current);
    return inside != NULL ? inside->status : PLOY_STATUS_RUNNING;
}

// A rule to fire.
typedef struct ployi_fsm_choice {
    int32_t rule;                 // or -1
    uint32_t to;                  // 0 for a rule that stays
    const ployi_fsm_target *leaf; // of its tree, or NULL
} ployi_fsm_choice;

// Which rule fires now; with a message, of those that answer it.
ployi_fsm_choice ployi_fsm_choose(ploy_fsm *fsm, ploy_step_context *context,
                                  const ploy_message *message);

// Makes the block for fsm->type; on failure nothing is left. And frees it with all that it owns.
ploy_result ployi_fsm_make_block(ploy_fsm *fsm);
void ployi_fsm_free_block(ploy_fsm *fsm);

// As in ploy_behavior_type.
ploy_result ployi_fsm_enter(void *self, ploy_step_context *context);
void ployi_fsm_exit(void *self, ploy_step_context *context, ploy_exit_reason reason);
void ployi_fsm_visit(ploy_visit *v, void *object);
