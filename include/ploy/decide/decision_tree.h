/// @file ploy/decide/decision_tree.h
/// Decision trees: from a root through tests to a leaf that names the action.
///
/// The tree is a definition: built once, finished, shared. A ploy_decision is one character's
/// state: its current leaf, the choices of its random nodes and the behaviors in its leaves.
///
///     ploy_decision_node creep = ploy_decision_tree_leaf(tree, "creep", ploy_maker_none());
///     ploy_decision_node attack = ploy_decision_tree_leaf(tree, "attack", ploy_maker_none());
///     ploy_decision_node root = ploy_decision_tree_test(tree, "seen?", seen, attack, creep);
///     ploy_decision_tree_finish(tree, root);
///
/// Nodes are added children first, so trees cannot loop; several branches may share a node.
/// ploy_decision_tree_link changes a branch later, for loaders, and finish refuses loops. None
/// represents "no action" wherever a leaf is allowed.
///
/// Faults are kept as in condition.h: adding returns none and finish returns the first fault.
/// Technique: Millington, "AI for Games", 5.2. Cost: O(nodes on the path). Threads: a finished tree
/// may be used by many threads; a decision takes one caller at a time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/decide/condition.h"
#include "ploy/exec/maker.h"

typedef struct ploy_decision_tree ploy_decision_tree;

/// A node of one tree. All zero means none: no action.
typedef struct ploy_decision_node {
    uint32_t number;
} ploy_decision_node;

static inline ploy_decision_node ploy_decision_node_none(void) {
    ploy_decision_node node = {0};
    return node;
}

static inline bool ploy_decision_node_is_none(ploy_decision_node node) {
    return node.number == 0;
}

/// Creates an empty tree. @param layout  as in ploy_conditions_create.
PLOY_API ploy_result ploy_decision_tree_create(const ploy_blackboard_layout *layout,
                                               const ploy_env *env, ploy_decision_tree **out);
/// NULL is allowed. Destroy its decisions first.
PLOY_API void ploy_decision_tree_destroy(ploy_decision_tree *tree);

/// Returns the set of conditions that the nodes test; add to it while building.
PLOY_API ploy_conditions *ploy_decision_tree_conditions(ploy_decision_tree *tree);

/// Adds a leaf: an action. Several nodes may have it as a child.
/// @param id     stable, unique in the tree.
/// @param maker  of the behavior that runs the action; none if the game reads the leaf and acts.
PLOY_API ploy_decision_node ploy_decision_tree_leaf(ploy_decision_tree *tree, const char *id,
                                                    ploy_maker maker);

/// Adds a test with two branches. The condition must not be none.
PLOY_API ploy_decision_node ploy_decision_tree_test(ploy_decision_tree *tree, const char *id,
                                                    ploy_condition condition,
                                                    ploy_decision_node yes, ploy_decision_node no);

/// The same test as separate nodes: and, or, xor and not become tree structure, tested in the order
/// of the condition. The last node created is returned and has the id; the others are named by the
/// id with "/1", "/2" and so on.
PLOY_API ploy_decision_node ploy_decision_tree_wire(ploy_decision_tree *tree, const char *id,
                                                    ploy_condition condition,
                                                    ploy_decision_node yes, ploy_decision_node no);

/// Adds a node with many branches: the i64 under the key selects the child of an equal value.
/// @param values     count different values, 1 to 65535.
/// @param otherwise  for every other value.
PLOY_API ploy_decision_node ploy_decision_tree_switch(ploy_decision_tree *tree, const char *id,
                                                      const char *key, const int64_t *values,
                                                      const ploy_decision_node *children,
                                                      int32_t count, ploy_decision_node otherwise);

/// The same as a chain of tests with two branches, tested in the given order and named as in
/// ploy_decision_tree_wire.
PLOY_API ploy_decision_node ploy_decision_tree_chain(ploy_decision_tree *tree, const char *id,
                                                     const char *key, const int64_t *values,
                                                     const ploy_decision_node *children,
                                                     int32_t count, ploy_decision_node otherwise);

/// How a random node chooses, and for how long it keeps the choice.
typedef struct ploy_decision_random {
    uint32_t cookie;      ///< set by the default; leave alone
    bool stable;          ///< keeps its choice as long as every evaluation reaches the node
    bool alternate;       ///< when the time is over, the new choice differs from the last
    int32_t evaluations;  ///< a new choice is made after this many; 0: never
    int32_t spread;       ///< plus up to this many, drawn each time
    float seconds;        ///< a new choice is made after this time; 0: never
    float seconds_spread; ///< plus up to this time, drawn each time
} ploy_decision_random;

PLOY_API ploy_decision_random ploy_decision_random_default(void);
PLOY_API ploy_fields ploy_decision_random_fields(void);

/// Adds a node that draws one of its children, in proportion to weights (NULL: all equal).
/// @param settings  NULL: the default.
PLOY_API ploy_decision_node ploy_decision_tree_random(ploy_decision_tree *tree, const char *id,
                                                      const ploy_decision_random *settings,
                                                      const ploy_decision_node *children,
                                                      const float *weights, int32_t count);

/// Changes a branch, for loaders that read a child after its parent. Branch numbers: for a test, 0
/// is yes and 1 is no; for a switch, the index of the value, and `count` for otherwise; for a
/// random node, the index of the child.
PLOY_API ploy_result ploy_decision_tree_link(ploy_decision_tree *tree, ploy_decision_node node,
                                             int32_t branch, ploy_decision_node child);

/// Finishes the tree: nothing can be added afterwards.
/// @return the first fault, or PLOY_ERR_FORMAT if nodes form a loop (the log names one of them).
PLOY_API ploy_result ploy_decision_tree_finish(ploy_decision_tree *tree, ploy_decision_node root);

PLOY_API int32_t ploy_decision_tree_count(const ploy_decision_tree *tree);
/// The node with that id, or none.
PLOY_API ploy_decision_node ploy_decision_tree_find(const ploy_decision_tree *tree, const char *id);
/// The id of a node; "" for none.
PLOY_API const char *ploy_decision_tree_id(const ploy_decision_tree *tree, ploy_decision_node node);

/// True for leaves and none.
PLOY_API bool ploy_decision_tree_is_leaf(const ploy_decision_tree *tree, ploy_decision_node node);

/// The cost of evaluating a finished tree.
typedef struct ploy_decision_report {
    int32_t decisions;    ///< reachable nodes that decide
    int32_t leaves;       ///< reachable leaves; no action counts as one
    int32_t max_depth;    ///< decisions on the longest branch
    double average_depth; ///< decisions on a branch, weighted as below
    double expected_cost; ///< sum of the tests' costs on a branch, weighted as below
} ploy_decision_report;

/// Computes the expected cost of a tree from the likelihood of its leaves. The branches to one leaf
/// share its likelihood.
/// @param weights  for each node, index number - 1, how often it is the result (only leaves are
///                 read; no action counts as never); NULL: all branches to a leaf or to no action
///                 are equally likely.
/// @return PLOY_ERR_STATE before finish, PLOY_ERR_ARGUMENT for weights below 0 or with a sum of 0.
PLOY_API ploy_result ploy_decision_tree_judge(const ploy_decision_tree *tree, const double *weights,
                                              ploy_decision_report *out);

/// Reports likely mistakes in a finished tree: nodes that cannot be reached, tests whose branches
/// are the same, tests that are already decided by the same test above. @return how many. diags may
/// be NULL.
PLOY_API int32_t ploy_decision_tree_lint(const ploy_decision_tree *tree, ploy_diags *diags);

/// Writes the tree as indented text, one node per line; shared nodes are written once.
PLOY_API void ploy_decision_tree_print(const ploy_decision_tree *tree, ploy_writer *writer);

/// One character's state in a tree. Opaque.
typedef struct ploy_decision ploy_decision;

/// Settings of a decision.
typedef struct ploy_decision_def {
    uint32_t cookie; ///< set by the default; leave alone
    bool count;      ///< counts the visits of each node: for coverage, and as weights of a report
} ploy_decision_def;

PLOY_API ploy_decision_def ploy_decision_def_default(void);
PLOY_API ploy_fields ploy_decision_fields(void);

/// @param tree  finished; must outlive the decision.
PLOY_API ploy_result ploy_decision_create(const ploy_decision_def *def,
                                          const ploy_decision_tree *tree, const ploy_env *env,
                                          ploy_decision **out);
/// NULL is allowed.
PLOY_API void ploy_decision_destroy(ploy_decision *decision);

/// Evaluates the tree once and returns the leaf, without running it. Never allocates. Random nodes
/// draw from the context's key by the node's id, the agent and the number of the evaluation.
PLOY_API ploy_decision_node ploy_decision_evaluate(ploy_decision *decision,
                                                   const ploy_moment *moment);

/// Returns the decision as a behavior: each step evaluates the tree, exits the old leaf's behavior
/// if the leaf has changed, and steps the new one's. The status is the leaf's; RUNNING for a leaf
/// without a behavior, FAILURE for no action. Messages go to the current leaf.
PLOY_API ploy_behavior ploy_decision_behavior(ploy_decision *decision);
/// A maker that creates decisions of a finished tree with the default def.
PLOY_API ploy_maker ploy_decision_tree_maker(ploy_decision_tree *tree);

PLOY_API void ploy_decision_describe(const ploy_decision *decision, ploy_describe *out);
