/// @file ploy/data/learned_tree.h
/// Converts learned trees to decision trees, which run in any mind.
///
/// Every column that the tree tests is a key of the blackboard: numbers f32 or f64, categories i64
/// (the index of the value; any other value counts as missing). Leaves are named
/// "<class>/<node>", tests "<column>/<node>". Threads: pure.
#pragma once

#include "ploy/decide/decision_tree.h"
#include "ploy/learn/tree.h"

/// Makes a finished decision tree from a learner of ploy/learn/tree.h.
/// @param makers  of the behavior for each class; NULL: leaves have no behavior, and the game calls
///                ploy_decision_evaluate.
/// @return PLOY_ERR_STATE if nothing was learned, PLOY_ERR_ARGUMENT for another learner, or the
///         error of ploy_decision_tree_finish for a key that is missing in the layout.
PLOY_API ploy_result ploy_learned_tree_create(ploy_learner learner,
                                              const ploy_blackboard_layout *layout,
                                              const ploy_maker *makers, const ploy_env *env,
                                              ploy_decision_tree **out);
/// Returns the class of a leaf of such a tree; -1 for a node that is not a leaf.
PLOY_API int32_t ploy_learned_tree_class(ploy_learner learner, const ploy_decision_tree *tree,
                                         ploy_decision_node leaf);
