// What the tree learners share: nodes, the choice of a split, building in slices.
//
// A table holds, for every column of categories, how many examples of each class have each value:
//
//     column 1: [value 0: class 0, class 1, ..] [value 1: ..] .. [missing: ..]  column 2: ..
//
// Numbers have no part in it; their splits are found by sorting the examples.
#pragma once

#include "ploy/learn/entropy.h"
#include "ploy/learn/tree.h"

#include "learn/learn_internal.h"

#define PLOYI_TREE_TIE 1e-10 // gains nearer than this are equal

typedef struct ployi_tree_shape {
    const ploy_schema *schema;
    int32_t columns, classes, target;
    int32_t stride;  // counts in a table
    int32_t numbers; // columns of numbers
    int32_t *offset; // of each column's part of a table; -1 for numbers and the target
    size_t offset_size;
} ployi_tree_shape;

typedef struct ployi_tree_value {
    double value;
    int32_t category;
    int32_t row;
} ployi_tree_value;

// Scratch of a choice.
typedef struct ployi_tree_scratch {
    int32_t *table; // one table
    ploy_gain *gains;
    int32_t *below;    // one count for each class
    size_t size;       // of the block that starts at `table`
    ploy_array values; // ployi_tree_value
    ploy_array xlog;   // double: n log2 n for n = 0, 1, ...
} ployi_tree_scratch;

typedef struct ployi_tree {
    ployi_tree_shape shape;
    ployi_tree_scratch scratch;
    ploy_array nodes;  // ploy_tree_node
    ploy_array shares; // int32_t, one for each class of each node
} ployi_tree;

typedef struct ployi_tree_rule {
    ploy_tree_criterion criterion;
    int32_t min_examples, max_depth;
} ployi_tree_rule;

ploy_result ployi_tree_init(ployi_tree *tree, const ploy_schema *schema, const ploy_env *env);
void ployi_tree_fini(ployi_tree *tree);
// Makes room for choices over that many examples.
ploy_result ployi_tree_reserve(ployi_tree *tree, int32_t examples);

static inline ploy_tree_node *ployi_tree_node(const ployi_tree *tree, int32_t index) {
    return PLOY_ARRAY_ITEMS(&tree->nodes, ploy_tree_node) + index;
}
static inline int32_t *ployi_tree_shares(const ployi_tree *tree, int32_t index) {
    return PLOY_ARRAY_ITEMS(&tree->shares, int32_t) + (size_t)index * (size_t)tree->shape.classes;
}

// Adds n examples like this row to a table.
void ployi_tree_table_add(const ployi_tree_shape *shape, int32_t *table, const double *row,
                          int32_t n);
// The child that a value goes to.
int32_t ployi_tree_branch(const ployi_tree_shape *shape, const ploy_tree_node *node,
                          const double *row);
// The best column, or -1 if none has a gain. `keep` wins ties; -1: the first column does.
// rows[0..count) are indexes into examples; NULL if the schema has no numbers.
int32_t ployi_tree_choose(ployi_tree *tree, const int32_t *table, const int32_t *shares,
                          const ploy_examples *examples, const int32_t *rows, int32_t count,
                          ploy_tree_criterion criterion, int32_t keep, ploy_gain *gain);

// Adds a node without examples. @return its index or -1 without memory.
int32_t ployi_tree_add(ployi_tree *tree, int32_t parent);
// Sets its most frequent class and its examples from its shares.
void ployi_tree_settle(ployi_tree *tree, int32_t node);
// Splits the node with examples rows[first..first + examples), or leaves it a leaf.
ploy_result ployi_tree_grow(ployi_tree *tree, int32_t node, const ploy_examples *examples,
                            int32_t *rows, int32_t *spare, const ployi_tree_rule *rule);
int32_t ployi_tree_leaf(const ployi_tree *tree, const double *input);
int32_t ployi_tree_depth(const ployi_tree *tree, int32_t node);

void ployi_tree_predict(const ployi_tree *tree, const double *input, double *posteriors,
                        ploy_answer *out);
int64_t ployi_tree_size(const ployi_tree *tree);
void ployi_tree_visit(ploy_visit *v, ployi_tree *tree);
void ployi_tree_explain(const ployi_tree *tree, const double *input, ploy_trace *trace);
void ployi_tree_draw(const ployi_tree *tree, int32_t marked, ploy_draw *out);

// The tree of a learner of this module; NULL for others.
const ployi_tree *ployi_tree_of_id4(ploy_learner learner);
