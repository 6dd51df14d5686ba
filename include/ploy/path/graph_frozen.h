/// @file ploy/path/graph_frozen.h
/// A graph that no longer changes: its edges side by side, lent to searches without a copy.
///
/// Compressed rows: the edges out of node n are edges[start[n]] to edges[start[n + 1] - 1]; the
/// same again for the edges into each node, so that searches backwards cost no more. Any space of a
/// known size can be frozen: an edited graph, a matrix, a grid. What labels meant there they mean
/// here. Closed edges (infinite cost) are left out.
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
/// @param position_user  for that.
/// @return PLOY_ERR_ARGUMENT without a count; PLOY_ERR_CALLBACK for an edge that breaks the
///         contract (the log says which); what expand returned; PLOY_ERR_MEMORY, PLOY_ERR_LIMIT.
PLOY_API ploy_result ploy_space_freeze(const ploy_space *space, ploy_position_fn position,
                                       const void *position_user, const ploy_env *env,
                                       ploy_frozen_graph **out);
/// NULL is allowed.
PLOY_API void ploy_frozen_graph_destroy(ploy_frozen_graph *frozen);

PLOY_API int32_t ploy_frozen_graph_node_count(const ploy_frozen_graph *frozen);
PLOY_API int32_t ploy_frozen_graph_edge_count(const ploy_frozen_graph *frozen);
/// The edges out of a node, lent; 0 of them out of range.
PLOY_API int32_t ploy_frozen_graph_out(const ploy_frozen_graph *frozen, int32_t node,
                                       const ploy_edge **out);
/// The edges into a node, lent; each edge's `to` is the node that it comes from.
PLOY_API int32_t ploy_frozen_graph_in(const ploy_frozen_graph *frozen, int32_t node,
                                      const ploy_edge **out);
/// A row number of an edge names it among all: row of its first node plus place in that row.
/// The edge of a row number, or NULL; from, if not NULL, receives the node it leaves. O(log nodes).
PLOY_API const ploy_edge *ploy_frozen_graph_edge(const ploy_frozen_graph *frozen, int32_t row,
                                                 int32_t *from);
/// The row number of a node's first edge.
PLOY_API int32_t ploy_frozen_graph_row(const ploy_frozen_graph *frozen, int32_t node);
/// A ploy_position_fn with the frozen graph as its user.
PLOY_API ploy_vec3 ploy_frozen_graph_position(const void *frozen, int32_t node);
/// Names the contents: the same for graphs with the same nodes, edges and positions.
PLOY_API uint64_t ploy_frozen_graph_generation(const ploy_frozen_graph *frozen);
/// As a space without an estimate, valid while it lives.
PLOY_API ploy_space ploy_frozen_graph_space(const ploy_frozen_graph *frozen);

PLOY_API void ploy_frozen_graph_describe(const ploy_frozen_graph *frozen, ploy_describe *out);
PLOY_API void ploy_frozen_graph_memory(const ploy_frozen_graph *frozen, ploy_memory_fn fn,
                                       void *user);

/// A frozen graph to search, and where its nodes are. All zero, then set.
typedef struct ploy_frozen_finder_def {
    const ploy_frozen_graph *frozen; ///< must outlive the finders
    /// Whose states are the nodes: places, estimates and how edges are travelled. Read by make;
    /// what it points to must outlive the finders.
    const ploy_representation *level;
    bool both; ///< search from both ends until they meet
    /// Of the level when the graph was frozen; 0: as it is when a finder is made.
    uint64_t generation;
} ploy_frozen_finder_def;

/// Finders over a frozen graph: "frozen", or "frozen.both" from both ends. Optimal; they accept
/// cost hooks and lead to the nearest node if there is no path. "frozen" accepts a goal by
/// predicate. They refuse variety, and all requests once the level has changed: freeze again.
/// @param def  must stay as long as the factory is used.
PLOY_API ploy_finder_factory ploy_frozen_graph_finder(const ploy_frozen_finder_def *def);
