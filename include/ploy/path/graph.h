/// @file ploy/path/graph.h
/// A graph that can be edited between searches: places and the edges between them.
///
/// Nodes and edges have numbers that never shift: a removed one leaves a gap, and all others keep
/// their numbers. Removing a node also removes its edges; the node can be added again under its old
/// number. An edge has one direction and a cost; two nodes may be joined by several (a drop and a
/// ladder). In an undirected graph every edge has a twin that leads back and changes with it.
///
/// Edges can be closed temporarily, which keeps them but hides them from searches. Positions are
/// used only by heuristics and drawings, so any number of dimensions works.
///
/// As a ploy_space (ploy_graph_space) its states are the nodes' numbers, gaps included, and the
/// labels are the edges' numbers. Freeze a graph that no longer changes (ploy/path/graph_frozen.h).
///
/// Cost: adding, removing or changing an edge is O(1), finding one O(edges of its node), removing a
/// node O(its edges). 40 bytes a node and 40 an edge. Only adding allocates. Threads: many may read
/// at a time; changes need a single caller. Units: metres; costs in the game's unit.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/vec.h"
#include "ploy/search/space.h"

/// No node, no edge.
#define PLOY_GRAPH_NONE (-1)
/// The flag of a closed edge; the other 31 bits are the game's.
#define PLOY_GRAPH_CLOSED 0x80000000u
/// Most nodes, and most edges.
#define PLOY_GRAPH_MAX (1 << 28)

/// Opaque.
typedef struct ploy_graph ploy_graph;

typedef struct ploy_graph_def {
    uint32_t cookie;
    bool directed; ///< false: each edge has a twin that leads back
    bool parallel; ///< several edges from one node to another
    bool loops;    ///< edges from a node to itself
} ploy_graph_def;

typedef struct ploy_graph_node {
    ploy_vec3 position; ///< m
    uint64_t user;      ///< the game's own: a kind of item, an id
} ploy_graph_node;

typedef struct ploy_graph_edge {
    int32_t from, to;
    double cost;    ///< 0 or more, finite
    uint32_t flags; ///< the game's, and PLOY_GRAPH_CLOSED
    int32_t twin;   ///< the edge that leads back in an undirected graph, otherwise PLOY_GRAPH_NONE
} ploy_graph_edge;

PLOY_API ploy_graph_def ploy_graph_def_default(void);
PLOY_API ploy_fields ploy_graph_fields(void);
/// Creates an empty graph. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_create(const ploy_graph_def *def, const ploy_env *env,
                                       ploy_graph **out);
/// NULL is allowed.
PLOY_API void ploy_graph_destroy(ploy_graph *graph);
/// Removes everything and keeps the memory; numbers begin at 0 again.
PLOY_API void ploy_graph_clear(ploy_graph *graph);
/// Reserves memory, so that adding up to this many allocates nothing.
PLOY_API ploy_result ploy_graph_reserve(ploy_graph *graph, int32_t nodes, int32_t edges);

/// Adds a node after all others.
/// @param out  its number; may be NULL.
/// @return PLOY_ERR_ARGUMENT for a position that is not finite; PLOY_ERR_MEMORY, PLOY_ERR_LIMIT.
PLOY_API ploy_result ploy_graph_add_node(ploy_graph *graph, ploy_vec3 position, int32_t *out);
/// Adds a node under a given number: that of a gap, which restores the node without edges, or the
/// next free one.
/// @return PLOY_ERR_EXISTS if it exists; PLOY_ERR_ARGUMENT beyond the next free number; as add.
PLOY_API ploy_result ploy_graph_put_node(ploy_graph *graph, int32_t node, ploy_vec3 position);
/// Removes a node and every edge from and to it. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_graph_remove_node(ploy_graph *graph, int32_t node);
PLOY_API bool ploy_graph_has_node(const ploy_graph *graph, int32_t node);
/// @return false, leaving out alone, if there is no such node.
PLOY_API bool ploy_graph_node_at(const ploy_graph *graph, int32_t node, ploy_graph_node *out);
/// Replaces position and user word. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_graph_set_node(ploy_graph *graph, int32_t node,
                                         const ploy_graph_node *value);

/// Adds an edge, and its twin in an undirected graph (a loop has none). An edge takes the number
/// that was freed last, or the next free one.
/// @param out  its number; may be NULL.
/// @return PLOY_ERR_NOT_FOUND if an end is missing; PLOY_ERR_ARGUMENT for a cost that is negative,
///         infinite or NaN, or a loop if def forbids loops; PLOY_ERR_EXISTS for a second edge if
///         def forbids parallel ones; PLOY_ERR_MEMORY, PLOY_ERR_LIMIT. Nothing changes on failure.
PLOY_API ploy_result ploy_graph_add_edge(ploy_graph *graph, int32_t from, int32_t to, double cost,
                                         uint32_t flags, int32_t *out);
/// Adds edges in both directions, or neither. In a directed graph they are independent afterwards;
/// in an undirected one this is the same as add_edge. @return as add_edge; PLOY_ERR_ARGUMENT for a
/// loop.
PLOY_API ploy_result ploy_graph_add_both(ploy_graph *graph, int32_t a, int32_t b, double cost,
                                         uint32_t flags);
/// Removes an edge, and its twin. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_graph_remove_edge(ploy_graph *graph, int32_t edge);
/// @return false, leaving out alone, if there is no such edge.
PLOY_API bool ploy_graph_edge_at(const ploy_graph *graph, int32_t edge, ploy_graph_edge *out);
/// Changes an edge, and its twin. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_graph_set_cost(ploy_graph *graph, int32_t edge, double cost);
/// Closes or opens an edge, and its twin, leaving the other flags alone.
PLOY_API ploy_result ploy_graph_set_open(ploy_graph *graph, int32_t edge, bool open);
/// Identifies the contents: equal for graphs that were made and edited in the same way, different
/// after every edit. It does not depend on addresses or the process.
PLOY_API uint64_t ploy_graph_generation(const ploy_graph *graph);
/// Returns the first edge from one node to another, in the order added, or PLOY_GRAPH_NONE.
PLOY_API int32_t ploy_graph_find_edge(const ploy_graph *graph, int32_t from, int32_t to);

/// Count numbers in use and gaps: the size that a search has to reserve.
PLOY_API int32_t ploy_graph_node_slots(const ploy_graph *graph);
PLOY_API int32_t ploy_graph_edge_slots(const ploy_graph *graph);
/// Count without gaps. Twins count as two edges; closed edges are included.
PLOY_API int32_t ploy_graph_node_count(const ploy_graph *graph);
PLOY_API int32_t ploy_graph_edge_count(const ploy_graph *graph);

/// Returns the first node at or after a number, or PLOY_GRAPH_NONE: `for (n =
/// ploy_graph_next_node(g, 0); n >= 0; n = ploy_graph_next_node(g, n + 1))`.
PLOY_API int32_t ploy_graph_next_node(const ploy_graph *graph, int32_t node);
/// Iterate over the edges out of and into a node in the order added: the first, then the next.
PLOY_API int32_t ploy_graph_first_out(const ploy_graph *graph, int32_t node);
PLOY_API int32_t ploy_graph_next_out(const ploy_graph *graph, int32_t edge);
PLOY_API int32_t ploy_graph_first_in(const ploy_graph *graph, int32_t node);
PLOY_API int32_t ploy_graph_next_in(const ploy_graph *graph, int32_t edge);

/// Returns the graph as a space without an estimate, valid while the graph exists. Changing the
/// graph invalidates searches under way, but not replanners that are notified.
PLOY_API ploy_space ploy_graph_space(const ploy_graph *graph);
/// Returns a node's position, zero for a gap: a ploy_position_fn (ploy/path/heuristic.h) with the
/// graph as its user.
PLOY_API ploy_vec3 ploy_graph_position(const void *graph, int32_t node);

/// Properties of a whole graph, as searches see it: closed edges are left out.
typedef struct ploy_graph_report {
    int32_t nodes, edges;
    double density;       ///< edges a node; 0 without nodes
    double fullness;      ///< edges as a share of all possible ones without loops and parallels
    double branching;     ///< mean edges out of the nodes that have any
    int32_t weak_parts;   ///< unconnected parts, ignoring directions
    int32_t strong_parts; ///< parts in which each node reaches every other
    bool connected;       ///< each node reaches every other
    bool symmetric;       ///< each edge has an edge of equal cost that leads back
    bool euclidean;       ///< each cost is the distance between its ends, within a share of 1e-6
    bool acyclic;         ///< a DAG: no path leads back to where it began
    bool forest;          ///< never two paths between two nodes, ignoring directions
    bool tree;            ///< a forest of one part
} ploy_graph_report;

/// Examines the whole graph. O(nodes + edges x the largest number of edges of a node).
/// @return PLOY_ERR_MEMORY: the call allocates temporary memory from the graph's env.
PLOY_API ploy_result ploy_graph_report_of(const ploy_graph *graph, ploy_graph_report *out);

/// Describes the counts, and a hash of all nodes and edges.
PLOY_API void ploy_graph_describe(const ploy_graph *graph, ploy_describe *out);
/// Draws edges as lines (closed ones muted) and nodes as points.
PLOY_API void ploy_graph_draw(const ploy_graph *graph, ploy_draw *out);
PLOY_API void ploy_graph_memory(const ploy_graph *graph, ploy_memory_fn fn, void *user);
