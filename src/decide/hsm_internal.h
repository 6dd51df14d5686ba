// Shared between the files of hierarchical machines.
#pragma once

#include "decide_internal.h"
#include "ploy/base/map.h"
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
    ploy_hsm_content on_enter, on_exit, on_initial;
    ploy_hsm_event done; // raised when it is done
} ployi_hsm_node;

// One step of a content.
typedef struct ployi_hsm_op {
    ploy_hsm_event event; // of raise, send and fail
    ploy_name text;       // its name, a log's text, the id of a cancel
    ploy_name id;         // of a send
    double delay;
    ploy_condition when;
    ploy_hsm_action_fn action;
    void *user;
    ploy_hsm_op_kind kind;
    int32_t next; // of if and else if: the next branch, or the end
    int32_t end;  // of if, else if and else: the end
} ployi_hsm_op;

typedef struct ployi_hsm_block {
    int32_t first, count;
} ployi_hsm_block;

typedef struct ployi_hsm_link {
    ploy_name id;
    uint32_t from;
    ploy_condition when;
    int32_t on_first, on_count;
    int32_t target_first, target_count;
    uint32_t domain; // if fixed_exit
    bool internal;
    bool any;         // it answers every event
    bool fixed_exit;  // inside what it happens depends on no history: see ployi_hsm_prepare
    bool fixed_entry; // nor what it enters
    ploy_hsm_action_fn action;
    void *user;
    ploy_hsm_content content;
} ployi_hsm_link;

// Sets of a type: states without inner ones; those that do something in a step; those that do
// something when they are entered or left.
enum { PLOYI_HSM_ATOMIC, PLOYI_HSM_ACTS, PLOYI_HSM_LOUD, PLOYI_HSM_TYPE_SETS };
// Sets of a rule, if they are fixed: inside what it happens, what it enters, and by default.
enum { PLOYI_HSM_INSIDE, PLOYI_HSM_ENTRY, PLOYI_HSM_DEFAULT, PLOYI_HSM_LINK_SETS };

struct ploy_hsm_type {
    ployi_build build;
    ploy_hsm_def def;
    ploy_conditions *conditions;
    ploy_array nodes;   // ployi_hsm_node
    ploy_array links;   // ployi_hsm_link
    ploy_array order;   // int32_t, rules state by state
    ploy_array ons;     // ploy_name
    ploy_array targets; // uint32_t
    ploy_array ops;     // ployi_hsm_op
    ploy_array blocks;  // ployi_hsm_block; content n is block n - 1
    ploy_array holders; // uint32_t, the states with behaviors, by their makers' places
    ploy_array recalls; // uint32_t, the history states, by their places
    ploy_map state_of;  // name -> uint32_t, number of a state
    ploy_map rule_of;   // name -> int32_t, number of a rule
    ploy_array sets;    // uint64_t: of the type, then for each history what it needs, then of rules
    int32_t words;      // of a set
    int32_t eventless;  // rules that wait for no event
    bool defaults;      // some history has a rule
    const ploy_blackboard_layout *layout;
    int32_t makers, histories;
};

typedef struct ployi_hsm_queue {
    ploy_hsm_event *events;
    int32_t first, count;
} ployi_hsm_queue;

// An event sent for later.
typedef struct ployi_hsm_later {
    ploy_hsm_event event;
    ploy_name id; // to cancel it by, or none
    double due;   // s, as context.now
} ployi_hsm_later;

struct ploy_hsm {
    const ploy_hsm_type *type;
    void *owner;
    void *block;   // all of the following, so that a swap can exchange it
    size_t size;   // of the block
    int32_t words; // of a set of states
    ploy_nested *insides;
    ployi_hsm_queue inner, outer;
    uint64_t *active;       // set: entered and not left
    uint64_t *histories;    // a set for each history state
    uint64_t *scratch;      // PLOYI_HSM_SETS sets
    uint64_t *taken;        // set: rules followed in the last step that changed something
    ployi_hsm_later *later; // sorted by due, then as they were sent
    int32_t later_count;
    int32_t *enabled;  // rules, at most one for each state
    int32_t *content;  // of each state: the history rule whose action follows its enter, or -1
    uint32_t *current; // keep_inner: the inner state of each, or 0
    uint64_t changes;
    bool has_event;
    bool started, done;
    bool busy;            // a call of the behavior is under way
    bool fresh;           // taken is of this step
    bool recalled;        // a history was looked up while states to enter were collected
    ploy_result result;   // the first error of a hook in this step
    ploy_hsm_event event; // that is being handled
    ploy_env env;
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

enum { PLOYI_HSM_SETS = 4 };

static inline const uint64_t *ployi_hsm_type_set(const ploy_hsm_type *type, int32_t which) {
    return PLOY_ARRAY_ITEMS(&type->sets, uint64_t) + (size_t)which * (size_t)type->words;
}

// What a history remembers of the active states.
static inline const uint64_t *ployi_hsm_wanted(const ploy_hsm_type *type, int32_t history) {
    return ployi_hsm_type_set(type, PLOYI_HSM_TYPE_SETS + history);
}

static inline const uint64_t *ployi_hsm_link_set(const ploy_hsm_type *type, int32_t rule,
                                                 int32_t which) {
    return ployi_hsm_type_set(type, PLOYI_HSM_TYPE_SETS + type->histories +
                                        rule * PLOYI_HSM_LINK_SETS + which);
}

static inline uint64_t *ployi_hsm_history(const ploy_hsm *hsm, const ployi_hsm_node *node) {
    return hsm->histories + (size_t)node->history * (size_t)hsm->words;
}

// The behavior of a state; NULL if it has none.
static inline ploy_nested *ployi_hsm_inside(const ploy_hsm *hsm, uint32_t number) {
    int32_t maker = ployi_hsm_node_at(hsm->type, number)->maker;
    return maker >= 0 ? &hsm->insides[maker] : NULL;
}

// True if the number is that of a content, or none.
static inline bool ployi_hsm_content_valid(const ploy_hsm_type *type, ploy_hsm_content content) {
    return content.number <= (uint32_t)type->blocks.count;
}

// What both policies do: hooks with the behaviors of a state, an action, a rule's test.
void ployi_hsm_enter_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number);
void ployi_hsm_exit_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number,
                          ploy_exit_reason reason);
void ployi_hsm_execute_state(ploy_hsm *hsm, ploy_step_context *context, uint32_t number);
void ployi_hsm_act(ploy_hsm *hsm, ploy_step_context *context, ploy_hsm_action_fn action,
                   void *user);
// A rule's action and content; marks it as taken.
void ployi_hsm_fire(ploy_hsm *hsm, ploy_step_context *context, int32_t rule);
// Does a content; none does nothing.
void ployi_hsm_do(ploy_hsm *hsm, ploy_step_context *context, ploy_hsm_content content);
// Puts what is due into the outer queue, as far as there is room.
void ployi_hsm_deliver(ploy_hsm *hsm, double now);
// The moment that conditions see.
ploy_moment ployi_hsm_moment(const ploy_hsm *hsm, ploy_step_context *context);
bool ployi_hsm_is_active(const ploy_hsm *hsm, uint32_t number);
// Enters the behavior of a state.
void ployi_hsm_enter_inside(ploy_hsm *hsm, ploy_step_context *context, uint32_t number);
// Keeps the first error of a step.
void ployi_hsm_note(ploy_hsm *hsm, ploy_result result);
// Raises an event of the machine's own; a full queue is an error of the step.
void ployi_hsm_raise_own(ploy_hsm *hsm, const ploy_hsm_event *event);
bool ployi_hsm_holds(const ploy_hsm *hsm, ploy_step_context *context, const ployi_hsm_link *link);
// The first rule of a state that holds, or -1; traces those examined.
int32_t ployi_hsm_rule_of(const ploy_hsm *hsm, ploy_step_context *context, uint32_t number);
bool ployi_hsm_next_event(ploy_hsm *hsm);

// Fills the type's sets when it is finished. In hsm_prepare.c.
ploy_result ployi_hsm_prepare(ploy_hsm_type *type);
// Inside what a rule happens; adds what its targets enter to the sets of the machine. In hsm_run.c.
uint32_t ployi_hsm_domain(const ploy_hsm *hsm, const ployi_hsm_link *link);
void ployi_hsm_collect(ploy_hsm *hsm, const ployi_hsm_link *link, uint32_t domain);
void ployi_hsm_begin_entry(ploy_hsm *hsm);

// One step under keep_inner.
void ployi_hsm_levels_step(ploy_hsm *hsm, ploy_step_context *context);

// The policy scxml: entering the initial states; all events that wait; leaving a set of states, the
// last of the document first; entering what the active states still miss.
void ployi_hsm_start(ploy_hsm *hsm, ploy_step_context *context);
void ployi_hsm_run(ploy_hsm *hsm, ploy_step_context *context);
void ployi_hsm_exit_set(ploy_hsm *hsm, ploy_step_context *context, const uint64_t *exits,
                        ploy_exit_reason reason);
void ployi_hsm_fill(ploy_hsm *hsm, ploy_step_context *context);

// As before the first enter: in no state, nothing remembered. Events that wait stay.
void ployi_hsm_clear(ploy_hsm *hsm);
void ployi_hsm_visit(ploy_visit *v, void *object);

// Makes the block for hsm->type, with the behaviors; nothing is left on failure. And frees it.
ploy_result ployi_hsm_make_block(ploy_hsm *hsm);
void ployi_hsm_free_block(ploy_hsm *hsm);
