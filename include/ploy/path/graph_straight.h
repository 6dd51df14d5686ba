/// @file ploy/path/graph_straight.h
/// A compact graph whose costs are distances: an edge stores only its target.
///
/// A grid of nodes has about eight edges per node, and the costs of all of them can be computed
/// from the positions of their ends. This graph does so each time a node is expanded. An edge takes
/// 4 bytes instead of the 32 of a frozen graph (ploy/path/graph_frozen.h), but searches take about
/// twice as long. Use it for large graphs in little memory, such as on a server with many levels.
///
/// Technique: Buckland, "Programming Game AI by Example", chapter 5 (edges without a cost). Cost:
/// creating O(nodes + edges); expanding O(edges of the node). Memory: 16 bytes a node and 4 an
/// edge, in one block. Units: metres. Threads: immutable, so any number may search it.
#pragma once

#include "ploy/path/graph.h"

/// Opaque.
typedef struct ploy_straight_graph ploy_straight_graph;

/// Copies the open edges of a graph; nodes keep their numbers. Costs and flags are not copied.
/// @param cost_per_m  cost of a metre, above 0 and finite.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_straight_graph_create(const ploy_graph *graph, double cost_per_m,
                                                const ploy_env *env, ploy_straight_graph **out);
/// NULL is allowed.
PLOY_API void ploy_straight_graph_destroy(ploy_straight_graph *straight);

PLOY_API int32_t ploy_straight_graph_edge_count(const ploy_straight_graph *straight);
/// Returns the graph as a space with the straight distance as its estimate, valid while the graph
/// exists. Labels number the edges from 0, node by node in the order added.
PLOY_API ploy_space ploy_straight_graph_space(const ploy_straight_graph *straight);
PLOY_API void ploy_straight_graph_memory(const ploy_straight_graph *straight, ploy_memory_fn fn,
                                         void *user);
