// Shared between the files of the rule engine: the network as it is compiled, and as it works.
#pragma once

#include <string.h>

#include "ploy/base/array.h"

#include "base/compiler.h"
#include "decide/decide_internal.h"
#include "ploy/base/map.h"
#include "ploy/base/rng.h"
#include "ploy/decide/rulebase.h"
#include "ploy/decide/rules.h"
#include "ploy/exec/behavior.h"

// ---- The definition -----------------------------------------------------------------------------

enum { PLOYI_LEFT, PLOYI_RIGHT, PLOYI_LAST };
enum {
    PLOYI_REF_SLOT,
    PLOYI_REF_FIELD,
    PLOYI_REF_END,   // a field behind the only sequence of its slot: `field` others follow it
    PLOYI_REF_REST,  // the only sequence of its slot: `field` others before it, mark0 in all
    PLOYI_REF_MULTI, // one of several sequences
    PLOYI_REF_FACT
};

// Where a value lies in a match: which pattern's fact, which slot, which place of it. A place after
// sequences of unknown length is its count of single fields plus the lengths of the marks before.
typedef struct ployi_ref {
    uint8_t side, kind;
    int16_t pattern, slot, field;
    int16_t mark0,
        mark1; // marks of this slot before the place: [mark0, mark1); MULTI: mark1 itself
} ployi_ref;

// One primitive test. Tests are in lists: groups of them are joined by "and", the groups of a
// clause by "or", the clauses by "and".
typedef struct ployi_test {
    uint8_t kind; // a ploy_rule_constraint_kind
    uint8_t negated, strict;
    uint8_t group_end, clause_end;
    uint8_t spare[3];
    ployi_ref a, b;          // what is tested, and the variable it is compared with
    int32_t refs, ref_count; // of a call, in the base's refs
    ploy_rule_value value, high;
    ploy_rule_call_fn fn;
    ploy_rule_pair_fn pair; // NULL unless it has two refs
    const void *data;
    uint64_t key;
} ployi_test;

typedef struct ployi_span {
    int32_t first, count;
} ployi_span;

enum { PLOYI_STEP_ANY, PLOYI_STEP_SLOT, PLOYI_STEP_FIELD, PLOYI_STEP_MULTI, PLOYI_STEP_EMPTY };

// A node of a template's tree of tests. Siblings: newest first, which is the order of CLIPS. As
// there, the first field of a slot checks how many the slot has, and fields that need no test have
// no node.
typedef struct ployi_anode {
    uint8_t kind, end, selector, constant;
    uint8_t check;    // 1: the slot has at least `length` items, 2: exactly that many
    uint8_t from_end; // the place is counted from the end: `leave` others follow
    uint8_t spare[2];
    int16_t slot, field, leave, mark0, mark1, length;
    ployi_span tests;
    int32_t child, sibling;
    int32_t memory; // that a match of all so far goes to, or -1
    int32_t keys;   // identity of the keys of that memory, -1 for a node without one
} ployi_anode;

typedef struct ployi_amem {
    int32_t node;
    ployi_span keys; // right-hand refs, in the base's refs
    int32_t join;    // newest first
    int32_t marks;   // how many marks a match has
    int32_t template_index;
} ployi_amem;

enum { PLOYI_JOIN, PLOYI_NOT, PLOYI_EXISTS, PLOYI_PRIME, PLOYI_TERMINAL };

typedef struct ployi_join {
    uint8_t kind, logical, spare[2];
    int32_t left;                     // the join before, or -1
    int32_t memory;                   // right side: facts of a pattern, or -1
    int32_t group;                    // right side: last join of a group in brackets, or -1
    int32_t depth;                    // binds of a left token
    ployi_span left_keys, right_keys; // refs, equally many; equal values meet
    ployi_span tests, after;          // `after`: tests that follow a negation
    int32_t next_in_memory;
    int32_t link;       // children, newest first
    int32_t next_first; // next of the joins without a left one
    int32_t rule;       // of a terminal
} ployi_join;

typedef struct ployi_link {
    int32_t join, side, next;
} ployi_link;

typedef struct ployi_variable {
    ploy_name name;
    ployi_ref ref;
} ployi_variable;

typedef struct ployi_rule {
    ploy_name name;
    int32_t module, salience, auto_focus;
    int32_t terminal;
    int32_t logical; // binds of the part that supports what it asserts; -1: none
    int32_t cost;
    ployi_span variables;
    const void *data;
} ployi_rule;

typedef struct ployi_template {
    ploy_name name;
    ployi_span slots;
    int32_t ordered;
    int32_t root; // first node of the tree, or -1
} ployi_template;

typedef struct ployi_slot {
    ploy_name name;
    int32_t multi;
} ployi_slot;

struct ploy_rulebase {
    ploy_env env;
    ploy_names *names;
    ploy_name false_name;
    ploy_array templates, slots, nodes, memories, joins, links, tests, refs, rules, variables;
    ploy_map by_name;   // template name -> index
    ploy_map constants; // selector and value -> node
    int32_t first_join; // joins without a left one, newest first
};

#define PLOYI_TEMPLATE(base, i) (&PLOY_ARRAY_ITEMS(&(base)->templates, ployi_template)[i])
#define PLOYI_SLOT(base, i) (&PLOY_ARRAY_ITEMS(&(base)->slots, ployi_slot)[i])
#define PLOYI_NODE(base, i) (&PLOY_ARRAY_ITEMS(&(base)->nodes, ployi_anode)[i])
#define PLOYI_MEMORY(base, i) (&PLOY_ARRAY_ITEMS(&(base)->memories, ployi_amem)[i])
#define PLOYI_JOINS(base, i) (&PLOY_ARRAY_ITEMS(&(base)->joins, ployi_join)[i])
#define PLOYI_LINK(base, i) (&PLOY_ARRAY_ITEMS(&(base)->links, ployi_link)[i])
#define PLOYI_TEST(base, i) (&PLOY_ARRAY_ITEMS(&(base)->tests, ployi_test)[i])
#define PLOYI_REF(base, i) (&PLOY_ARRAY_ITEMS(&(base)->refs, ployi_ref)[i])
#define PLOYI_RULE(base, i) (&PLOY_ARRAY_ITEMS(&(base)->rules, ployi_rule)[i])

// A pattern ready to be placed: steps in the order written.
typedef struct ployi_step {
    ployi_anode node;
    const ployi_test *tests;
    int32_t test_count;
    const ploy_rule_value *constant; // the one value it requires, or NULL
} ployi_step;

// Finds or makes the memory of a pattern. keys: the right-hand refs its join looks it up by.
ploy_result ployi_rulebase_place(ploy_rulebase *base, int32_t template_index,
                                 const ployi_step *steps, int32_t step_count, const ployi_ref *keys,
                                 int32_t key_count, int32_t marks, int32_t *out);

// The first node under a selector that requires this value, or -1; its siblings require it too.
int32_t ployi_rulebase_constant(const ploy_rulebase *base, int32_t selector,
                                const ploy_rule_value *value);

// True if a list of tests equals a stored one.
bool ployi_rulebase_same_tests(const ploy_rulebase *base, ployi_span span, const ployi_test *tests,
                               int32_t count);
bool ployi_rulebase_same_refs(const ploy_rulebase *base, ployi_span span, const ployi_ref *refs,
                              int32_t count);
ploy_result ployi_rulebase_store_tests(ploy_rulebase *base, const ployi_test *tests, int32_t count,
                                       ployi_span *out);
ploy_result ployi_rulebase_store_refs(ploy_rulebase *base, const ployi_ref *refs, int32_t count,
                                      ployi_span *out);

// ---- At work ------------------------------------------------------------------------------------

typedef struct ployi_pm ployi_pm;
typedef struct ployi_alpha ployi_alpha;
typedef struct ployi_joined ployi_joined;
typedef struct ployi_activation ployi_activation;
typedef struct ployi_support ployi_support;

// A partial match: the beginning of a fact in a pattern's memory (ployi_alpha) and of facts joined
// so far (ployi_joined). Lists are doubly linked, because any of them may go at any time.
struct ployi_pm {
    uint32_t hash;
    int32_t owner; // the join in whose memory it is; a pattern's memory for facts
    int16_t side;  // PLOYI_LEFT or PLOYI_RIGHT of that join, PLOYI_LAST of a terminal
    int16_t going; // its fact is being retracted: nothing new is made with it
    int32_t count; // binds
    ployi_pm *next, *prev;
    ployi_joined *children; // made from this one
    ployi_joined *blocked;  // those that this one blocks
};

struct ployi_alpha {
    ployi_pm pm;
    ploy_fact *fact;
    ployi_alpha *next_of_fact;
    int32_t mark_count, spare;
    // pairs of start and length follow
};

// Binds follow, and the activation's room if it is a terminal's.
struct ployi_joined {
    ployi_pm pm;
    ployi_joined *left_parent, *next_left, *prev_left;
    ployi_pm *right_parent;
    ployi_joined *next_right, *prev_right;
    ployi_support *supports; // facts that last only with this match
    union {
        struct { // left of a join: what a negation found, or existence
            ployi_pm *blocker;
            ployi_joined *next_blocked, *prev_blocked;
        };
        ployi_activation *activation; // of a terminal's; NULL once it has fired
    };
};

static inline ployi_alpha **ployi_binds(const ployi_joined *joined) {
    return (ployi_alpha **)(uintptr_t)(joined + 1);
}
static inline int32_t *ployi_marks(const ployi_alpha *alpha) {
    return (int32_t *)(uintptr_t)(alpha + 1);
}

struct ployi_activation {
    ployi_activation *next, *prev; // of its group, in the order of firing
    ployi_joined *match;
    int32_t rule, salience;
    uint64_t timetag;
    uint32_t draw; // for the random strategy
    int32_t group; // of its agenda
};

// Bytes up to the activation, a multiple of 8 because that has 64-bit numbers.
static inline size_t ployi_joined_size(int32_t count) {
    return (sizeof(ployi_joined) + (size_t)count * sizeof(ployi_alpha *) + 7) / 8 * 8;
}
static inline ployi_activation *ployi_joined_activation(const ployi_joined *joined) {
    return (ployi_activation *)((uintptr_t)joined + ployi_joined_size(joined->pm.count));
}

// That a fact hangs on a match: in the list of both.
struct ployi_support {
    ployi_support *next_of_match, *prev_of_match;
    ployi_support *next_of_fact, *prev_of_fact;
    ployi_joined *match;
    ploy_fact *fact;
};

struct ploy_fact {
    ploy_fact *next, *prev; // of all
    ploy_fact *next_of_template, *prev_of_template;
    ploy_fact *next_same;    // of its hash
    ploy_fact *next_indexed; // of the same place in the table of indices
    ployi_alpha *matches;    // newest first
    ployi_support *supports;
    ploy_fact *next_unsupported;
    int64_t index;
    uint64_t timetag;
    uint32_t hash;
    int32_t template_index;
    int32_t slot_count, value_count; // all values of the block, those in sequences too
    int32_t holds;                   // outside references that keep the block of a gone fact
    int32_t rule;                    // that made it, or -1: from outside
    uint8_t gone, unsupported;
    uint8_t spare[6];
    // slots, then the items of sequences
};

static inline ploy_rule_value *ployi_fact_values(const ploy_fact *fact) {
    return (ploy_rule_value *)(uintptr_t)(fact + 1);
}

// Chains of a hashed memory; tails only where new ones go to the end.
typedef struct ployi_memory {
    ployi_pm **heads, **tails;
    int32_t size, count;
} ployi_memory;

typedef struct ployi_agenda_group {
    ployi_activation *first, *last;
    int32_t salience, next; // in the order of falling salience
} ployi_agenda_group;

typedef struct ployi_agenda {
    int32_t first_group;
    int32_t count;
} ployi_agenda;

// Something that an action requests, in a batch: to retract a fact, which is held until then, or to
// assert values, which are in the list of values.
typedef struct ployi_batch {
    ploy_fact *fact; // NULL: asserts
    int32_t template_index, first, count;
} ployi_batch;

typedef struct ployi_reason {
    int64_t fact;
    int32_t rule;  // -1: from outside
    int32_t basis; // facts that matched, in the list of indexes; -1 for a negation
    int32_t basis_count;
    int32_t alive;
    uint64_t firing;
    double now;              // s, when the rules ran as a behavior; else 0
    int64_t text, text_size; // its text, in the list of characters
    int64_t bound_size;      // behind it, what the rule's variables stood for
} ployi_reason;

enum { PLOYI_SIZE_CLASSES = 65 };

struct ploy_rules {
    ploy_env env;
    const ploy_rulebase *base;
    ploy_rules_def def;
    ploy_names *names; // texts made at run time
    // memory: chunks cut into pieces by size, freed pieces kept by size
    void *free_pieces[PLOYI_SIZE_CLASSES];
    struct ployi_large *large; // pieces too big for a chunk
    ploy_array chunks;
    char *chunk_at, *chunk_end;
    int64_t tokens;  // partial matches of joins in use
    int64_t matches; // of patterns
    // facts
    ploy_fact *first_fact, *last_fact;
    ploy_array of_template; // ployi_fact_list by template
    ploy_fact **same;       // buckets of equal hashes
    ploy_fact **indexed;    // buckets of the last bits of indices, as many
    int32_t same_size, fact_count;
    int64_t next_index;
    uint64_t timetag;
    ploy_fact *unsupported; // to be retracted, the newest first
    ploy_fact *trash;       // gone, their memory not yet free
    int32_t keep;           // while above 0, the trash stays
    // network
    ploy_array left, right, alpha; // ployi_memory by join, join, pattern memory
    int32_t known_joins, known_memories, known_rules, known_templates, known_nodes;
    uint32_t events; // a bit for each that is reported
    int32_t busy;    // inside the network: no change from outside now
    int32_t retracting;
    ploy_result fault;
    // agenda
    ploy_array agendas, groups, focus, rule_states;
    int32_t free_group, activation_count;
    uint64_t activation_tag;
    ploy_rng rng;
    // firing
    ployi_joined *firing_logical; // of its logical conditions; NULL once it is gone
    ployi_alpha **firing_binds;   // a copy, because the action may retract what it matched
    int32_t firing_count, firing_logical_gone;
    ploy_array firing_copies;
    int32_t firing_rule;
    uint64_t fired;
    bool halted;
    ploy_array batch, batch_values; // ployi_batch; ploy_rule_value, items of sequences included
    bool applying;                  // a batch
    void (*fired_hook)(void *user, int32_t rule); // after an action; of the behavior
    void *hook_user;
    ploy_step_context *context; // of the step as a behavior, or NULL
    double now;
    ploy_array reasons, reason_basis, reason_text;
    ploy_map reason_of;
};

typedef struct ployi_fact_list {
    ploy_fact *first, *last;
    int64_t count;
} ployi_fact_list;

typedef struct ployi_rule_state {
    int32_t salience, removed;
    int64_t activations;
} ployi_rule_state;

struct ploy_rule_frame {
    const ploy_rules *rules;
    ployi_alpha *const *left; // binds
    ployi_alpha *const *right;
    const ployi_ref *refs;
};

// Memory by size; pieces are zeroed. NULL sets rules->fault.
void *ployi_rules_take(ploy_rules *rules, size_t size);
// The same with whatever was there: the caller sets every byte.
void *ployi_rules_take_raw(ploy_rules *rules, size_t size);
void ployi_rules_give(ploy_rules *rules, void *piece, size_t size);
// Both inline for the joins, which take and give more than all others: a list's first.
static inline void *ployi_rules_take_quick(ploy_rules *rules, size_t size) {
    size_t index = (size + 15) / 16;
    void *piece = index < PLOYI_SIZE_CLASSES ? rules->free_pieces[index] : NULL;
    if (piece == NULL) return ployi_rules_take_raw(rules, size);
    char *next;
    memcpy(&next, piece, sizeof(void *));
    rules->free_pieces[index] = next;
    if (next == NULL) return piece;
    // The next piece is filled soon and was given back long ago: fetched while this one is filled.
    PLOYI_PREFETCH(next);
    if (index > 4) PLOYI_PREFETCH(next + 64);
    if (index > 8) PLOYI_PREFETCH(next + 128);
    return piece;
}
static inline void ployi_rules_give_quick(ploy_rules *rules, void *piece, size_t size) {
    size_t index = (size + 15) / 16;
    if (index >= PLOYI_SIZE_CLASSES) {
        ployi_rules_give(rules, piece, size);
        return;
    }
    memcpy(piece, &rules->free_pieces[index], sizeof(void *));
    rules->free_pieces[index] = piece;
}
void ployi_rules_drop_pieces(ploy_rules *rules, bool all); // all of them are free again
size_t ployi_rules_memory_size(const ploy_rules *rules);
// Reports the chunks and the pieces that are too large for one.
void ployi_rules_report_pieces(const ploy_rules *rules, ploy_memory_fn fn, void *user);
// Reports all that the rules own.
void ployi_rules_report(const ploy_rules *rules, ploy_memory_fn fn, void *user);

ploy_rule_value ployi_ref_get_far(const ployi_ref *ref, const ployi_alpha *alpha);

// Where the value that a ref names lies, or NULL if it must be made. Inline, because nearly every
// join asks: single slots and fields at a fixed place here, the rest in a function.
static inline const ploy_rule_value *ployi_ref_at(const ployi_ref *ref, const ployi_alpha *alpha) {
    if (alpha == NULL) return NULL;
    const ploy_rule_value *slot = &ployi_fact_values(alpha->fact)[ref->slot];
    if (ref->kind == PLOYI_REF_SLOT) return slot;
    int32_t at = ref->field;
    if (ref->kind == PLOYI_REF_END) {
        at = slot->count - 1 - at;
    } else if (ref->kind != PLOYI_REF_FIELD || ref->mark0 != ref->mark1) {
        return NULL;
    }
    return at >= 0 && at < slot->count ? &slot->as.items[at] : NULL;
}

// The value itself, of a ref whose side is known; `room` is for one that must be made.
static inline const ploy_rule_value *ployi_ref_key(const ployi_ref *ref, ployi_alpha *const *binds,
                                                   ploy_rule_value *room) {
    const ployi_alpha *alpha = binds[ref->pattern];
    const ploy_rule_value *at = ployi_ref_at(ref, alpha);
    if (at != NULL) return at;
    *room = ployi_ref_get_far(ref, alpha);
    return room;
}
static inline const ploy_rule_value *ployi_ref_see(const ployi_ref *ref, ployi_alpha *const *left,
                                                   ployi_alpha *const *right,
                                                   ploy_rule_value *room) {
    return ployi_ref_key(ref, ref->side == PLOYI_LEFT ? left : right, room);
}

static inline ploy_rule_value ployi_ref_get(const ployi_ref *ref, ployi_alpha *const *left,
                                            ployi_alpha *const *right) {
    ploy_rule_value room;
    return *ployi_ref_see(ref, left, right, &room);
}

static inline bool ployi_rule_simple(const ploy_rule_value *value) {
    return value->type > PLOY_RULE_NONE && value->type <= PLOY_RULE_INTEGER;
}

static inline bool ployi_rule_same(const ploy_rule_value *a, const ploy_rule_value *b) {
    if (ployi_rule_simple(a)) return a->type == b->type && a->as.bits == b->as.bits;
    return ploy_rule_equal(a, b);
}

// Multiplicative hashing: the upper half of the product depends on all bits, the lower half on the
// lower ones, and tables look at the lowest.
static inline uint32_t ployi_rule_mix(uint64_t bits, int32_t type, uint32_t seed) {
    uint64_t mixed = (bits + (uint64_t)type + seed * UINT64_C(0xD6E8FEB86659FD93)) *
                     UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(mixed >> 32);
}

static inline uint32_t ployi_rule_fold(const ploy_rule_value *value, uint32_t seed) {
    if (ployi_rule_simple(value)) return ployi_rule_mix(value->as.bits, value->type, seed);
    return ployi_rule_hash(value, seed);
}

// The joins (rules_match.c).
bool ployi_match_tests(const ploy_rules *rules, ployi_span span, ployi_alpha *const *left,
                       ployi_alpha *const *right);
uint32_t ployi_match_hash(const ploy_rules *rules, ployi_span keys, ployi_alpha *const *binds);
bool ployi_match_agree(const ploy_rules *rules, const ployi_join *join, const ployi_joined *left,
                       ployi_pm *right);
// At the front of a left memory, at the end of one with tails. `hashed`: it has keys at all. False
// without memory, with the fault set.
bool ployi_match_insert(ploy_rules *rules, ployi_memory *memory, ployi_pm *pm, bool tails,
                        bool hashed);
// Passes a match of a join on to one of its children. right: NULL from a negation or existence.
void ployi_match_drive_to(ploy_rules *rules, ployi_joined *left, ployi_pm *right,
                          const ployi_link *link);
void ployi_match_drive_alone(ploy_rules *rules, ployi_joined *left, const ployi_join *join);
void ployi_match_assert_left(ploy_rules *rules, ployi_joined *left, int32_t join);
void ployi_match_assert_right(ploy_rules *rules, ployi_pm *right, int32_t join);
void ployi_rules_unmatch(ploy_rules *rules, ploy_fact *fact);

static inline ployi_memory *ployi_match_left(const ploy_rules *rules, int32_t join) {
    return &PLOY_ARRAY_ITEMS(&rules->left, ployi_memory)[join];
}
static inline ployi_memory *ployi_match_right(const ploy_rules *rules, const ployi_join *join,
                                              int32_t index) {
    return join->memory >= 0 ? &PLOY_ARRAY_ITEMS(&rules->alpha, ployi_memory)[join->memory]
                             : &PLOY_ARRAY_ITEMS(&rules->right, ployi_memory)[index];
}
static inline ployi_pm *ployi_match_chain(const ployi_memory *memory, uint32_t hash) {
    return memory->size == 0 ? NULL : memory->heads[hash & (uint32_t)(memory->size - 1)];
}

// Facts into the network, and the network as it grows (rules_pattern.c).
void ployi_rules_match(ploy_rules *rules, ploy_fact *fact);
void ployi_rules_prime(ploy_rules *rules);
ploy_result ployi_rules_grow(ploy_rules *rules);
void ployi_rules_forget(ploy_rules *rules); // all partial matches

// The agenda.
void ployi_agenda_add(ploy_rules *rules, int32_t rule, ployi_joined *match);
void ployi_agenda_remove(ploy_rules *rules, ployi_activation *activation);
void ployi_agenda_unlink(ploy_rules *rules, ployi_activation *activation); // without telling
ployi_activation *ployi_agenda_first(const ploy_rules *rules, int32_t module);
ployi_activation *ployi_agenda_next(const ploy_rules *rules, const ployi_activation *activation);

// Truth maintenance. The partial match of the logical conditions of a rule's match; NULL: none.
ployi_joined *ployi_support_match(const ploy_rules *rules, int32_t rule, ployi_joined *match);
ploy_result ployi_support_add(ploy_rules *rules, ploy_fact *fact, bool is_new);
void ployi_support_drop_fact(ploy_rules *rules, ploy_fact *fact);
void ployi_support_drop_match(ploy_rules *rules, ployi_joined *match);
void ployi_support_settle(ploy_rules *rules);

// Reasons.
ploy_result ployi_reason_note(ploy_rules *rules, const ploy_fact *fact);
void ployi_reason_gone(ploy_rules *rules, const ploy_fact *fact);

// Writes what the variables of the rule that fires represent.
void ployi_rules_write_bindings(const ploy_rules *rules, ploy_writer *out);

// Does what the action of a batch requested: first all removals, then all additions.
ploy_result ployi_rules_apply_batch(ploy_rules *rules);

// ---- taking up what was saved ----

// Puts a match on the agenda as it was there.
void ployi_agenda_restore(ploy_rules *rules, int32_t rule, ployi_joined *match, int32_t salience,
                          uint64_t timetag, uint32_t draw);
// That a fact hangs on a match.
ploy_result ployi_support_link(ploy_rules *rules, ploy_fact *fact, ployi_joined *match);
// A justification as it was.
ploy_result ployi_reason_restore(ploy_rules *rules, ployi_reason reason, const int64_t *basis,
                                 const char *text, const char *bound);

// Facts (rules_facts.c). Forgets them all, their memory being free already.
void ployi_facts_forget(ploy_rules *rules);
void ployi_facts_fini(ploy_rules *rules);
// Frees the memory of gone facts that nothing refers to.
void ployi_rules_empty_trash(ploy_rules *rules);
// Takes a fact out, with what was matched; the supports are settled by the caller.
void ployi_rules_remove_fact(ploy_rules *rules, ploy_fact *fact);
void ployi_rules_tell(const ploy_rules *rules, ploy_rule_event event, const ploy_fact *fact,
                      const ployi_activation *activation, int32_t module);

// Notifies the watcher, if there is one.
static inline void ployi_rules_watch(const ploy_rules *rules, ploy_rule_event event,
                                     const ploy_fact *fact, const ployi_activation *activation,
                                     int32_t module) {
    if (rules->def.watch == NULL || (rules->events >> event & 1) == 0) return;
    ployi_rules_tell(rules, event, fact, activation, module);
}

// The facts, the agenda and what supports facts; a network is not a list of fields, so they have
// their own save and load. A load cannot be undone.
void ployi_rules_visit(ploy_visit *v, const char *name, ploy_rules *rules);
