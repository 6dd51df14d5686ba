/// @file ploy/learn/tree.h
/// Decision trees learned from examples.
///
/// A tree is built from the root: the column with the largest information gain splits the examples,
/// and each part is split again until its examples agree or no column has a gain. Categories get
/// one branch for each value, and one for missing values; numbers two, below a threshold or not,
/// and may be split again further down. A value that was never seen at a node, and every leaf whose
/// examples disagree, answers with the most frequent class there; the first class wins ties, and so
/// does the first column.
///
/// Three learners share this:
/// - "id3" builds a whole tree by information gain (Quinlan 1986, with thresholds as in C4.5);
/// - "gain_ratio" uses the gain ratio and prunes branches that are unlikely to help on new data: a
///   branch is replaced by a leaf if the leaf's error, estimated pessimistically, is not larger;
/// - "id4" takes one example at a time and keeps the tree that id3 would build (Schlimmer and
///   Fisher 1986): only where another column has become the best one is a part built again. With
///   `rebuild` = never it only splits leaves, which is cheap and makes long chains.
///
/// ploy/data/learned_tree.h turns a tree into a ploy_decision_tree. Cost: O(columns x examples) for
/// each level. Missing numbers count as larger than every threshold.
#pragma once

#include "ploy/learn/learner.h"

typedef enum ploy_tree_criterion {
    PLOY_TREE_GAIN, ///< information gain
    PLOY_TREE_RATIO ///< gain ratio, among columns of at least average gain
} ploy_tree_criterion;

/// Settings of trees built from a table.
typedef struct ploy_tree_def {
    uint32_t cookie;
    ploy_tree_criterion criterion;
    int32_t min_examples; ///< smaller parts are not split
    int32_t max_depth;    ///< edges from the root
    double prune;         ///< deviations of the pessimistic error; 0: no branch is cut off
} ploy_tree_def;

PLOY_API ploy_tree_def ploy_tree_def_default(void);
/// Tables of "id3" and of "gain_ratio", which differ in their defaults.
PLOY_API ploy_fields ploy_tree_fields(void);
PLOY_API ploy_fields ploy_tree_ratio_fields(void);
/// The learners "id3" and "gain_ratio". A unit of training is one node.
PLOY_API const ploy_learner_type *ploy_tree_learner(void);
PLOY_API const ploy_learner_type *ploy_tree_ratio_learner(void);

typedef enum ploy_id4_rebuild {
    PLOY_ID4_BEST, ///< a node is built again if another column is the best
    PLOY_ID4_NEVER ///< only leaves are split
} ploy_id4_rebuild;

/// Settings of "id4".
typedef struct ploy_id4_def {
    uint32_t cookie;
    ploy_id4_rebuild rebuild;
    double throttle;      ///< share by which a node's examples must grow between two rebuilds
    int32_t max_depth;    ///< edges from the root
    int32_t max_examples; ///< kept; later ones are ignored
} ploy_id4_def;

PLOY_API ploy_id4_def ploy_id4_def_default(void);
PLOY_API ploy_fields ploy_id4_fields(void);
/// The learner "id4". A unit of training is one example.
PLOY_API const ploy_learner_type *ploy_id4_learner(void);

/// Statistics of an "id4" learner; zeros for others.
typedef struct ploy_id4_statistics {
    int64_t splits;    ///< leaves split
    int64_t rebuilds;  ///< parts built again
    int64_t throttled; ///< rebuilds put off
    int64_t ignored;   ///< examples that came when max_examples were kept
    int32_t rebuilt;   ///< node built or split by the last example; -1 if none was
} ploy_id4_statistics;
PLOY_API ploy_id4_statistics ploy_id4_statistics_of(ploy_learner learner);

/// A node of a learned tree. Children are neighbours: child, child + 1, ...
typedef struct ploy_tree_node {
    double threshold;    ///< of a number: child 0 is below it, child 1 is not
    double gain;         ///< bits
    int32_t column;      ///< that the node tests; -1 for a leaf
    int32_t parent;      ///< -1 for the root
    int32_t child;       ///< first one; 0 for a leaf
    int32_t child_count; ///< 2 for numbers; for categories their number and one more for missing
    int32_t category;    ///< most frequent class
    int32_t examples;    ///< learned here; 0 for a value that was never seen
    int32_t first;       ///< private
    int32_t built;       ///< private
} ploy_tree_node;

/// Number of nodes of a learned tree, those without examples included; 0 for other learners. Node 0
/// is the root, and parents come before their children.
PLOY_API int32_t ploy_tree_count(ploy_learner learner);
/// A node, or NULL out of range.
PLOY_API const ploy_tree_node *ploy_tree_node_at(ploy_learner learner, int32_t index);
/// The leaf that an input reaches; -1 without a tree.
PLOY_API int32_t ploy_tree_leaf(ploy_learner learner, const double *input);
