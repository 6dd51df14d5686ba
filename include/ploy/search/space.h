/// @file ploy/search/space.h
/// A state space: what can be searched.
///
/// States are numbered. A graph, a grid or a mesh numbers its nodes from 0 and has a known count; a
/// puzzle or a planner creates states as the search reaches them and numbers them with ploy_states
/// (ploy/search/states.h). A search needs only the edges that leave a state and an estimate of the
/// remaining cost.
///
/// An edge carries a label that identifies it: the number of a connection or of an action. A path
/// is a list of edges, not of states, because two states may be joined by a drop and by a ladder.
///
/// The contract, checked on every edge: costs are 0 or more and not NaN; an infinite cost means
/// that there is no edge; states are below `count` if that is known. Estimates are 0 or more; an
/// infinite estimate means that the goal cannot be reached from the state. Callbacks must return
/// the same for the same state while a search runs.
///
/// Threads: searches only read a space; several may run at a time if its callbacks allow it.
#pragma once

#include "ploy/base/env.h"

/// No state.
#define PLOY_STATE_NONE (-1)

/// An edge out of a state.
typedef struct ploy_edge {
    int32_t to;    ///< the state it leads to (backwards: the one it comes from)
    int32_t label; ///< identifies the edge or action; returned in the path
    double cost;   ///< 0 or more; INFINITY: closed
} ploy_edge;

/// The list of edges that expand fills. Created by a search; the space can lend its own array
/// instead.
typedef struct ploy_edges {
    ploy_env env;
    const ploy_edge *view; ///< the edges
    int32_t count;
    ploy_edge *items; ///< the array's own memory
    int32_t capacity;
} ploy_edges;

/// Starts empty and allocates nothing.
PLOY_API void ploy_edges_init(ploy_edges *edges, const ploy_env *env);
PLOY_API void ploy_edges_fini(ploy_edges *edges);
/// Removes the edges and keeps the memory.
PLOY_API void ploy_edges_clear(ploy_edges *edges);
/// Appends an edge. @return PLOY_ERR_MEMORY; PLOY_ERR_STATE after an array was lent.
PLOY_API ploy_result ploy_edges_add(ploy_edges *edges, int32_t to, double cost, int32_t label);
/// Lends an array instead, so that stored graphs copy nothing. The array must stay valid until the
/// next expand.
PLOY_API void ploy_edges_lend(ploy_edges *edges, const ploy_edge *view, int32_t count);

typedef struct ploy_space {
    /// The number of states, 0 to count - 1; 0 if it is not known beforehand.
    int32_t count;
    /// The edges out of a state, in a fixed order. Required. An error ends the search. A state
    /// with very many edges may be expanded in parts: PLOY_IN_PROGRESS means that the search
    /// follows the edges added so far, and calls expand again for the same state, with an empty
    /// list, in its next unit. Only best first (any order but depth) accepts that; other methods
    /// end with PLOY_ERR_CALLBACK.
    ploy_result (*expand)(void *user, int32_t state, ploy_edges *out);
    /// The edges into a state, for searches that go backwards. May be NULL.
    ploy_result (*expand_back)(void *user, int32_t state, ploy_edges *out);
    /// Estimates the cost from a state to the goal; goal is PLOY_STATE_NONE if there is no single
    /// goal. NULL: every estimate is 0.
    double (*estimate)(void *user, int32_t state, int32_t goal);
    void *user;
} ploy_space;
