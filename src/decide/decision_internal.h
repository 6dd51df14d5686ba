// Shared between the tree's definition and its decisions.
#pragma once

#include "decide_internal.h"
#include "ploy/decide/decision_tree.h"

typedef enum ployi_decision_kind {
    PLOYI_DECISION_LEAF,
    PLOYI_DECISION_TEST,
    PLOYI_DECISION_SWITCH,
    PLOYI_DECISION_RANDOM
} ployi_decision_kind;

// The kind is the dispatch: a switch on it decides whether a node is a leaf and how it tests.
typedef struct ployi_decision_item {
    ploy_name id;
    ployi_decision_kind kind;
    ploy_condition condition;
    ploy_slot slot;
    int32_t first, count; // of its children; a switch has one more, for every other value
    int32_t table;        // first of a switch's values, or of a random node's weights
    int32_t extra;        // a leaf's maker or a random node's settings, by number; -1: none
    float weight_sum;
} ployi_decision_item;

struct ploy_decision_tree {
    ployi_build build;
    const ploy_blackboard_layout *layout;
    ploy_conditions *conditions;
    ploy_array items;    // ployi_decision_item
    ploy_array children; // uint32_t, numbers of nodes
    ploy_array values;   // int64_t, sorted within a node
    ploy_array places;   // int32_t beside values: the branch as it was given
    ploy_array weights;  // float
    ploy_array makers;   // ploy_maker
    ploy_array randoms;  // ploy_decision_random
    uint32_t root;
};

static inline const ployi_decision_item *ployi_decision_item_at(const ploy_decision_tree *tree,
                                                                uint32_t number) {
    return &PLOY_ARRAY_ITEMS(&tree->items, ployi_decision_item)[number - 1];
}

static inline const uint32_t *ployi_decision_children(const ploy_decision_tree *tree,
                                                      const ployi_decision_item *item) {
    return PLOY_ARRAY_AT(&tree->children, uint32_t, item->first);
}

// Children of an item, the one for every other value included.
static inline int32_t ployi_decision_ways(const ployi_decision_item *item) {
    return item->kind == PLOYI_DECISION_SWITCH ? item->count + 1 : item->count;
}
