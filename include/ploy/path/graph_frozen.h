/// @file ploy/path/graph_frozen.h
/// A graph that no longer changes: its edges are contiguous, and searches read them without a copy.
///
/// Compressed rows: the edges out of node n are edges[start[n]] to edges[start[n + 1] - 1]; the
/// edges into each node are stored in the same way, so that backward searches cost no more. Any
/// space of a known size can be frozen: an edited graph, a matrix, a grid. Labels keep their
/// meaning. Closed edges (infinite cost) are left out.
///
/// Cost: freezing O(nodes + edges); expanding O(1). 20 bytes a node and 32 an edge, in one block.
/// Threads: immutable, so any number may search it.
#pragma once

#include "ploy/path/finder.h"
#include "ploy/path/graph.h"
#include "ploy/path/heuristic.h"
#include "ploy/path/representation.h"

/// Opaque.
typedef struct ploy_frozen_graph ploy_frozen_graph;

/// Freezes an edited graph: nodes keep their numbers, gaps become nodes without edges, labels are
/// the edges' numbers.
PLOY_API ploy_result ploy_graph_freeze(const ploy_graph *graph, const ploy_env *env,
                                       ploy_frozen_graph **out);
/// Freezes any space whose count is known.
/// @param position       where its states are; NULL: all at the origin.
/// @param position_user  passed to position.
/// @return PLOY_ERR_ARGUMENT without a count; PLOY_ERR_CALLBACK for an edge that breaks the
///         contract (the log names it); what expand returned; PLOY_ERR_MEMORY, PLOY_ERR_LIMIT.
PLOY_API ploy_result ploy_space_freeze(const ploy_space *space, ploy_position_fn position,
                                       const void *position_user, const ploy_env *env,
                                       ploy_frozen_graph **out);
/// NULL is allowed.
PLOY_API void ploy_frozen_graph_destroy(ploy_frozen_graph *frozen);

PLOY_API int32_t ploy_frozen_graph_node_count(const ploy_frozen_graph *frozen);
PLOY_API int32_t ploy_frozen_graph_edge_count(const ploy_frozen_graph *frozen);
/// Returns the graph as a space without an estimate, valid while the graph exists.
PLOY_API ploy_space ploy_frozen_graph_space(const ploy_frozen_graph *frozen);

PLOY_API void ploy_frozen_graph_describe(const ploy_frozen_graph *frozen, ploy_describe *out);
PLOY_API void ploy_frozen_graph_memory(const ploy_frozen_graph *frozen, ploy_memory_fn fn,
                                       void *user);

/// A frozen graph to search, and where its nodes are. Zero it, then set the members.
typedef struct ploy_frozen_finder_def {
    const ploy_frozen_graph *frozen; ///< must outlive the finders
    /// A representation whose states are the nodes: places, estimates and how edges are travelled.
    /// Read by make; what it points to must outlive the finders.
    const ploy_representation *level;
    bool both; ///< search from both ends until they meet
    /// Generation of the level when the graph was frozen; 0: the one at the time a finder is made.
    uint64_t generation;
} ploy_frozen_finder_def;

/// Finders over a frozen graph: "frozen", or "frozen.both" from both ends. Optimal; they accept
/// cost hooks and lead to the nearest node if there is no path. "frozen" accepts a goal by
/// predicate. They refuse per-agent variation, and every request once the level has changed; freeze
/// it again then.
/// @param def  must stay valid as long as the factory is used.
PLOY_API ploy_finder_factory ploy_frozen_graph_finder(const ploy_frozen_finder_def *def);
