/// @file ploy/path/graph_check.h
/// Checks that a space keeps its contract: for level editors, tests and authors of an expand
/// function.
///
/// Searches check every edge they meet; this checks all of them at once and reports the faulty
/// edge. Cost: O(edges x the largest number of edges of a state).
#pragma once

#include "ploy/search/space.h"

/// A faulty edge, and what is wrong with it.
typedef struct ploy_space_fault {
    int32_t state;    ///< whose edge it is; PLOY_STATE_NONE if the space itself is faulty
    bool backward;    ///< it came from expand_back
    int32_t index;    ///< index of the edge among those of its state
    ploy_edge edge;   ///< as it was delivered
    const char *what; ///< "the cost is negative", ...
} ploy_space_fault;

/// Expands every state and checks its edges: costs are 0 or more, states exist, a second call gives
/// the same answer, and, with reverse edges, both directions have the same edges.
/// @param out  the first fault, set only with PLOY_ERR_CALLBACK; may be NULL.
/// @return PLOY_ERR_ARGUMENT for a space without expand or count; PLOY_ERR_CALLBACK if an edge is
///         wrong (the log names it too); what expand returned; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_space_check(const ploy_space *space, const ploy_env *env,
                                      ploy_space_fault *out);
