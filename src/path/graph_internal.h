// Shared by the files of the editable graph.
#pragma once

#include "ploy/path/graph_frozen.h"

// The env it was made with.
ploy_env ployi_graph_env(const ploy_graph *graph);
// Removes the nodes from a number on, with their edges. @return result.
ploy_result ployi_graph_undo(ploy_graph *graph, int32_t first, ploy_result result);

// The edges from one node to another: how many, and whether one costs exactly so much.
typedef struct ployi_frozen_edges {
    int32_t count;
    bool equal;
} ployi_frozen_edges;

// Gives the edges from one node to another a cost. False if there are none. For the owner alone.
bool ployi_frozen_set_cost(ploy_frozen_graph *frozen, int32_t from, int32_t to, double cost);

ployi_frozen_edges ployi_frozen_find(const ploy_frozen_graph *frozen, int32_t from, int32_t to,
                                     double cost);
