// Shared between the files of actions.
#pragma once

#include "decide_internal.h"
#include "ploy/decide/actions.h"

// A part or a compound. They stand depth first: the first part of compound i is i + 1, the next
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
