/// @file ploy/search/search_tree.h
/// The search tree of a space: the same space with a separate state for every path.
///
/// A search normally recognises a state that it has reached before (graph mode). The simplest
/// textbook loop does not: it treats each path as a new node. That is enough if the space is a
/// tree; on a space with cycles it may never end. This adapter makes any method of
/// ploy/search/search.h behave in that way (tree mode): begin with state 0, which is the start, and
/// compare how many states both modes take. It is also useful if records of states are not worth
/// their memory, and for costs that depend on the path so far.
///
/// Technique: the common loop of search with and without a closed list. Cost: O(1) an edge. Memory:
/// 24 bytes a node and 16 an edge, growing up to `capacity` nodes. Threads: one search at a time.
#pragma once

#include "ploy/search/space.h"

/// Opaque.
typedef struct ploy_search_tree ploy_search_tree;

/// Makes the tree of all paths from a state.
/// @param space     copied; its user must outlive the tree.
/// @param capacity  maximum number of nodes, 1 or more. Expanding beyond it returns PLOY_ERR_LIMIT.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_search_tree_create(const ploy_space *space, int32_t start,
                                             int32_t capacity, const ploy_env *env,
                                             ploy_search_tree **out);
/// NULL is allowed.
PLOY_API void ploy_search_tree_destroy(ploy_search_tree *tree);

/// Returns the tree as a space: node 0 is the start. Goals are predicates over nodes; see
/// ploy_search_tree_state. The estimate is that of the space for the goal given here.
/// @param goal  a state of the space, or PLOY_STATE_NONE.
PLOY_API ploy_space ploy_search_tree_space(ploy_search_tree *tree, int32_t goal);
/// Returns the state of the space at a node; PLOY_STATE_NONE for an invalid node.
PLOY_API int32_t ploy_search_tree_state(const ploy_search_tree *tree, int32_t node);
/// The number of nodes made so far.
PLOY_API int32_t ploy_search_tree_count(const ploy_search_tree *tree);
PLOY_API void ploy_search_tree_memory(const ploy_search_tree *tree, ploy_memory_fn fn, void *user);
