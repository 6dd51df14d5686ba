// Shared between the files of behavior trees: what a definition and an instance are made of.
//
// A definition is a set of arrays that refer to each other by index, so that a sub-tree is taken
// over by copying and shifting:
//
//     nodes    depth first: the first child of i is i + 1, the next sibling of i is nodes[i].end
//     extras   settings of the kinds that have any         leaves   callbacks and ports
//     hooks    conditions, effects and scores, in lists    refs     (scope, slot) of every key
//     scopes   boards: 0 is the character's own            texts    names, ended by zeros
//
// Invariants, from build to destroy:
//   (1) i < nodes[i].end <= count, and children lie within their parent's range;
//   (2) every index in a node, extra, leaf or hook is PLOYI_BT_NONE or within its array;
//   (3) nodes[i].resume is the topmost ancestor that must be asked again while i runs, or i.
#pragma once

#include "ploy/base/array.h"
#include "ploy/decide/bt_builder.h"
#include "ploy/exec/maker.h"

#define PLOYI_BT_NONE UINT32_MAX

enum {
    PLOYI_BT_FLAG_PRE = 1,
    PLOYI_BT_FLAG_POST = 2,
    PLOYI_BT_FLAG_HALTED = 4,
    PLOYI_BT_FLAG_QUICK = 8,    // a leaf that is nothing but a step
    PLOYI_BT_FLAG_INVERTS = 16, // an Inverter over such a leaf, and no more
    PLOYI_BT_FLAG_PLAIN = 32    // a Sequence or Fallback of nothing but these and its like
};

typedef struct ployi_bt_node {
    uint8_t kind;
    uint8_t flags;     // which hooks it has
    uint16_t children; // how many
    uint32_t end;
    uint32_t parent; // PLOYI_BT_NONE for the root
    uint32_t resume;
    uint32_t state; // its first word in the instance; 0 if it has none
    uint32_t extra; // of extras; of leaves for LEAF and CONTROL; of makers for BEHAVIOR
    uint32_t hook;  // first, or PLOYI_BT_NONE
    uint32_t name;  // of texts
} ployi_bt_node;

typedef struct ployi_bt_ref {
    uint32_t scope;
    ploy_slot slot; // none: unbound
} ployi_bt_ref;

typedef struct ployi_bt_test {
    const ploy_conditions *set;
    ploy_condition condition;
    ploy_score score; // of the set, if the hook is a score
    void *user;       // of the hook's effect
    uint32_t ref;
    ploy_value value;                  // that an effect writes
    const ploy_expression *expression; // its names are the references from ref on
} ployi_bt_test;

// Settings that may come from keys.
enum {
    PLOYI_BT_SETTING_COUNT,
    PLOYI_BT_SETTING_COUNT2,
    PLOYI_BT_SETTING_SECONDS,
    PLOYI_BT_SETTING_SECONDS_MAX,
    PLOYI_BT_SETTING_QUEUE,
    PLOYI_BT_SETTINGS
};

typedef struct ployi_bt_extra {
    double seconds, seconds_max;
    double scale;                     // seconds for 1 in a key
    uint32_t keys[PLOYI_BT_SETTINGS]; // references, or PLOYI_BT_NONE
    int32_t count, count2;
    float share, share2;
    ploy_status result;
    bool flag;
    uint32_t ref;
    uint32_t first_value, value_count; // of values
    uint32_t text;                     // of texts, or PLOYI_BT_NONE
    uint32_t target;                   // of a Signal: the node; of a guard: which of the guards
    uint32_t scope;                    // of a SubTree or BlackboardScope
    ployi_bt_test condition;
} ployi_bt_extra;

typedef struct ployi_bt_port {
    uint32_t ref;   // PLOYI_BT_NONE: a literal, or unbound
    uint32_t value; // of values; PLOYI_BT_NONE: none
} ployi_bt_port;

// In a plain sub-tree, where a leaf's answer leads: to another leaf, or out.
enum { PLOYI_BT_NEVER = PLOY_STATUS_SKIPPED + 1 }; // no leaf answers that
enum { PLOYI_BT_TURN_FAILURE = 0x7ffffffe, PLOYI_BT_TURN_SUCCESS = 0x7fffffff };
typedef struct ployi_bt_turn {
    uint32_t next;       // of quick, or what the sub-tree answers
    uint32_t first_mark; // of marks: the nodes above that have answered with that
    uint32_t mark_count;
} ployi_bt_turn;

typedef struct ployi_bt_mark {
    uint32_t node;
    uint32_t byte;
} ployi_bt_mark;

// What a quick leaf needs, close together: most visits are such leaves.
typedef struct ployi_bt_quick {
    ploy_result (*step)(ploy_bt_call *call, ploy_status *status);
    void *user;
    uint32_t node;
    uint32_t on;            // the answer that leads to the next of these, or NEVER
    uint32_t turn;          // of turns: after success; that after failure follows it
    bool decides;           // that answer decides for the one or two nodes above, too:
    ployi_bt_mark marks[2]; // these; one alone is here twice
} ployi_bt_quick;

typedef struct ployi_bt_bound_leaf {
    ploy_bt_leaf leaf;
    void *user;
    uint32_t first_port; // of ports
    uint32_t state;      // byte offset in the instance's leaf states
    bool plain;          // nothing but step or test: no start, no stop, no state
} ployi_bt_bound_leaf;

// What wakes a leaf; precedes the state of one that sleeps.
typedef struct ployi_bt_wake {
    double until;     // s of context->now; 0: not by time
    uint32_t changes; // of the port's slot when it fell asleep
    int32_t port;     // whose change wakes it, or -1
    bool message;     // a message wakes it
    bool asleep;
    char reserved[6];
} ployi_bt_wake;

typedef struct ployi_bt_maker {
    ploy_maker maker;
    bool keep;
    uint32_t node; // whose it is; set when the tree is finished
} ployi_bt_maker;

enum { PLOYI_BT_SCORE = PLOY_BT_ON_HALTED + 1 };

typedef struct ployi_bt_hook {
    uint32_t next; // PLOYI_BT_NONE ends
    uint32_t when; // ploy_bt_when, or PLOYI_BT_SCORE
    ployi_bt_test test;
    void (*act)(ploy_bt_call *call);
} ployi_bt_hook;

typedef struct ployi_bt_scope {
    const ploy_blackboard_layout *layout; // NULL: no keys
    uint32_t parent;                      // the scope around it, PLOYI_BT_NONE for an isolated one
    uint32_t node;                        // whose it is
    bool fresh;                           // a BlackboardScope: reset in each run
} ployi_bt_scope;

// A key of a sub-tree that begins with a literal.
typedef struct ployi_bt_literal {
    ployi_bt_ref ref;
    ploy_value value;
} ployi_bt_literal;

// The arrays, in the definition and while it is built. X(member, item type).
#define PLOYI_BT_ARRAYS(X)            \
    X(nodes, ployi_bt_node)           \
    X(extras, ployi_bt_extra)         \
    X(leaves, ployi_bt_bound_leaf)    \
    X(quick, ployi_bt_quick)          \
    X(turns, ployi_bt_turn)           \
    X(marks, ployi_bt_mark)           \
    X(makers, ployi_bt_maker)         \
    X(ports, ployi_bt_port)           \
    X(hooks, ployi_bt_hook)           \
    X(refs, ployi_bt_ref)             \
    X(values, ploy_value)             \
    X(scopes, ployi_bt_scope)         \
    X(literals, ployi_bt_literal)     \
    X(ids, uint64_t)                  \
    X(expressions, ploy_expression *) \
    X(texts, char)

struct ploy_bt {
    ploy_env env;
#define PLOYI_BT_MEMBER(member, type) ploy_array member;
    PLOYI_BT_ARRAYS(PLOYI_BT_MEMBER)
#undef PLOYI_BT_MEMBER
    uint32_t name;  // of texts
    uint32_t words; // of an instance
    uint32_t guards;
    size_t leaf_bytes;
    size_t board_bytes;
    ploy_semaphores *semaphores; // of instances that are created without any
};

#define PLOYI_BT_AT(bt, member, type, index) (&PLOY_ARRAY_ITEMS(&(bt)->member, type)[index])

static inline const char *ployi_bt_text(const ploy_bt *bt, uint32_t text) {
    return PLOYI_BT_AT(bt, texts, char, text);
}

// True if the node has callbacks of the game's: its extra is of leaves.
static inline bool ployi_bt_has_leaf(const ployi_bt_node *node) {
    return node->kind == PLOY_BT_LEAF || node->kind == PLOY_BT_CONTROL;
}

static inline const ployi_bt_extra *ployi_bt_extra_of(const ploy_bt *bt,
                                                      const ployi_bt_node *node) {
    return PLOYI_BT_AT(bt, extras, ployi_bt_extra, node->extra);
}

void ployi_bt_init(ploy_bt *bt, const ploy_env *env);
void ployi_bt_fini(ploy_bt *bt);
// Least and most children, and whether the kind holds, see PLOY_BT_KINDS.
int32_t ployi_bt_kind_least(ploy_bt_kind kind);
int32_t ployi_bt_kind_most(ploy_bt_kind kind);
bool ployi_bt_kind_holds(ploy_bt_kind kind);
// Words of state that a node needs in an instance.
uint32_t ployi_bt_kind_words(ploy_bt_kind kind, int32_t children);
// Takes over a finished draft: checks, lays out, warns. In bt_build.c.
ploy_result ployi_bt_finish(ploy_bt *bt, ploy_diags *diags);

// Whether the makers of behaviors that run on the tree's own board fit a layout; those below a
// SubTree or BlackboardScope are checked against its boards. In bt_build.c.
ploy_result ployi_bt_check_makers(const ploy_bt *bt, const ploy_blackboard_layout *layout,
                                  ploy_diags *diags);

// A node's byte in an instance: 0 is idle, else its last status + 1.
enum { PLOYI_BT_IDLE = 0, PLOYI_BT_RUNS = PLOY_STATUS_RUNNING + 1 };

struct ploy_bt_instance {
    const ploy_bt *bt;
    ploy_env env;
    size_t size;
    uint32_t cursor; // where the next step begins
    uint32_t signal; // an Interrupter spoken to within the step that is going on, or PLOYI_BT_NONE
    uint32_t draws;  // random draws so far
    bool stepping;
    ploy_semaphores *semaphores;
    uint32_t *words;
    uint32_t *seen; // tick + 1 of the last visit, or NULL
    unsigned char *status;
    unsigned char *leaf_state;
    int32_t *guards;          // semaphore of each
    ploy_blackboard **boards; // of each scope; 0 is set by each step
    ploy_nested *behaviors;   // of each maker
};

// Halts a node and what runs below it, innermost first. In bt_step.c.
void ployi_bt_halt(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node,
                   ploy_exit_reason reason);
// Shuffles as Durstenfeld did, from the last place down; draw gives 0 to count - 1.
void ployi_bt_shuffle(uint32_t *order, int32_t count, int32_t (*draw)(void *user, int32_t count),
                      void *user);
// In bt_leaf.c: whether a condition holds, what an effect does.
bool ployi_bt_holds(const ployi_bt_test *test, ploy_bt_call *call);
ploy_result ployi_bt_run(const ploy_bt_instance *instance, const ployi_bt_test *test,
                         ploy_step_context *context, ploy_expression_value *out);
void ployi_bt_set(const ploy_bt_instance *instance, uint32_t ref, const ploy_value *value);
ploy_blackboard_ref ployi_bt_ref_of(const ploy_bt_instance *instance, uint32_t ref);
static inline ployi_bt_wake *ployi_bt_wake_of(const ploy_bt_instance *instance,
                                              const ployi_bt_bound_leaf *bound) {
    return (ployi_bt_wake *)(void *)(instance->leaf_state + bound->state - sizeof(ployi_bt_wake));
}
// True if the leaf sleeps and nothing has woken it. In bt_leaf.c.
bool ployi_bt_asleep(const ploy_bt_instance *instance, const ployi_bt_bound_leaf *bound,
                     double now);
// A call for a node's callback.
ploy_bt_call ployi_bt_call(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node);

// In bt_visit.c, see ploy_behavior_type.
void ployi_bt_visit(ploy_visit *v, void *object);
