/// @file ploy/generate/spanning.h
/// Spanning trees: the subset of possible links that joins everything at the least cost.
///
/// Prim's algorithm grows one tree from a start; Kruskal's takes the cheapest links that close no
/// loop. Both give the same total; with equal costs the trees may differ. The caller sets the
/// costs: distances, or distances with a bias, such as more expensive links between two hard rooms.
/// Technique: Prim 1957 with a heap, Kruskal 1956 with union-find.
///
/// Cost: O(links log links); memory for the call only. Ties: Prim takes the lower node, Kruskal the
/// earlier link. Threads: any.
#pragma once

#include "ploy/base/env.h"

typedef struct ploy_spanning_link {
    int32_t a, b; ///< nodes, 0 to node_count - 1
    float cost;   ///< finite
} ploy_spanning_link;

/// Prim from `start`. Unreachable nodes get separate trees, each from its lowest node.
/// @param chosen  numbers of the links taken, in the order in which they were; room for
///                node_count - 1.
/// @param count   how many: node_count less the number of trees.
/// @return PLOY_ERR_ARGUMENT if a node is out of range or a cost is not finite; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_spanning_prim(const ploy_spanning_link *links, int32_t link_count,
                                        int32_t node_count, int32_t start, const ploy_env *env,
                                        int32_t *chosen, int32_t *count);
/// Kruskal, in the order of cost. Parameters as above.
PLOY_API ploy_result ploy_spanning_kruskal(const ploy_spanning_link *links, int32_t link_count,
                                           int32_t node_count, const ploy_env *env, int32_t *chosen,
                                           int32_t *count);
