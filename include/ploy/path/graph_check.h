/// @file ploy/path/graph_check.h
/// Does a space keep its contract? For level editors, tests and authors of an expand function.
///
/// Searches check every edge they meet; this asks for all of them at once and says which edge is
/// the faulty one. Cost: O(edges x the largest number of edges of a state).
#pragma once

#include "ploy/search/space.h"

/// Which edge is wrong, and how.
typedef struct ploy_space_fault {
    int32_t state;    ///< whose edge it is; PLOY_STATE_NONE if the space itself is wrong
    bool backward;    ///< it came from expand_back
    int32_t index;    ///< of the edge among its state's
    ploy_edge edge;   ///< as it was delivered
    const char *what; ///< "the cost is negative", ...
} ploy_space_fault;

/// Asks every state for its edges: costs that are 0 or more, states that exist, the same answer
/// when asked twice, and, with reverse edges, the same edges in both directions.
/// @param out  the first fault, set only with PLOY_ERR_CALLBACK; may be NULL.
/// @return PLOY_ERR_ARGUMENT for a space without expand or count; PLOY_ERR_CALLBACK if an edge is
///         wrong (the log names it too); what expand returned; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_space_check(const ploy_space *space, const ploy_env *env,
                                      ploy_space_fault *out);
