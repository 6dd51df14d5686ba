/// @file ploy/path/graph_tables.h
/// Tables computed once for a static graph: connected parts, a topological order, a minimum
/// spanning tree, and all routes.
///
/// Everything here reads a frozen graph (ploy/path/graph_frozen.h); any space can be frozen.
/// Techniques: Tarjan 1972 (strong parts), Kahn 1962 (order), Prim 1957 (tree), Dijkstra 1959.
/// Threads: results are immutable, except a route table that is still being built.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/path/graph_frozen.h"

/// Labels the weak parts: nodes with the same label are joined, ignoring directions.
/// @param labels  one for each node, 0, 1, ... in the order of their lowest nodes.
/// @param count   how many parts. @return PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_weak_parts(const ploy_frozen_graph *frozen, const ploy_env *env,
                                           int32_t *labels, int32_t *count);
/// Labels the strong parts: nodes with the same label reach each other. A part is numbered after
/// all parts that it leads to, so an edge never leads to a higher label.
PLOY_API ploy_result ploy_graph_strong_parts(const ploy_frozen_graph *frozen, const ploy_env *env,
                                             int32_t *labels, int32_t *count);

typedef enum ploy_reach { PLOY_REACH_NO, PLOY_REACH_YES, PLOY_REACH_MAYBE } ploy_reach;

/// Returns whether there is a path, from the labels, without a search. In graphs whose edges lead
/// in both directions the answer is never MAYBE.
PLOY_API ploy_reach ploy_graph_reaches(const int32_t *weak, const int32_t *strong, int32_t from,
                                       int32_t to);

/// Finds an order in which no edge leads backwards; among the nodes that could come next, the
/// lowest does.
/// @param order  room for all nodes. @param cycle  room for all nodes; may be NULL.
/// @param cycle_count  how many nodes of a cycle were written if there is one: each has an edge to
///                     the next and the last one to the first. May be NULL.
/// @return PLOY_ERR_STATE if there is a cycle; order is untouched then. PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_order(const ploy_frozen_graph *frozen, const ploy_env *env,
                                      int32_t *order, int32_t *cycle, int32_t *cycle_count);

/// Finds the cheapest edges that connect each weak part, ignoring directions. Grows from the lowest
/// node of each part; among equal edges the one to the lower node is taken.
/// @param rows   room for as many as there are nodes: row numbers of the edges, in the order taken.
/// @param count  how many. @param cost  their sum; may be NULL. @return PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_spanning_tree(const ploy_frozen_graph *frozen, const ploy_env *env,
                                              int32_t *rows, int32_t *count, double *cost);

/// All routes: the next edge from each node to every other, and the cost of the whole path. For
/// worlds that do not change, if memory allows: 12 bytes for each pair of nodes, 4 without costs, 8
/// without routes, 4 if the costs of a symmetric graph are stored once. Opaque.
typedef struct ploy_route_table ploy_route_table;

typedef struct ploy_route_table_def {
    uint32_t cookie;
    bool routes;    ///< store the next edge
    bool costs;     ///< store costs
    bool symmetric; ///< every path costs the same in both directions: store half of the costs
} ploy_route_table_def;

/// Most nodes of a route table.
#define PLOY_ROUTE_TABLE_MAX 32768

PLOY_API ploy_route_table_def ploy_route_table_def_default(void);
PLOY_API ploy_fields ploy_route_table_fields(void);
/// Creates a table, to be built with step.
/// @param frozen  must stay valid until the table is destroyed.
/// @return PLOY_ERR_ARGUMENT, also for `symmetric` if an edge has no equal one that leads back;
///         PLOY_ERR_LIMIT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_route_table_create(const ploy_route_table_def *def,
                                             const ploy_frozen_graph *frozen, const ploy_env *env,
                                             ploy_route_table **out);
/// NULL is allowed.
PLOY_API void ploy_route_table_destroy(ploy_route_table *table);
/// Continues building. One unit is one state taken in a search; each node is the goal of one
/// search.
/// @param budget  NULL: to the end. @return PLOY_IN_PROGRESS, PLOY_OK, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_route_table_step(ploy_route_table *table, ploy_budget *budget);

/// Returns the next node; the node itself at the goal; PLOY_GRAPH_NONE where there is no path.
PLOY_API int32_t ploy_route_table_next_node(const ploy_route_table *table, int32_t from,
                                            int32_t to);
/// Returns the cost of the path; INFINITY where there is none, and for goals not yet built.
PLOY_API double ploy_route_table_cost(const ploy_route_table *table, int32_t from, int32_t to);
/// Describes the progress of the build and hashes of routes and costs.
PLOY_API void ploy_route_table_describe(const ploy_route_table *table, ploy_describe *out);
PLOY_API void ploy_route_table_memory(const ploy_route_table *table, ploy_memory_fn fn, void *user);
