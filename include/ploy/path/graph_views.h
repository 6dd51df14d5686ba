/// @file ploy/path/graph_views.h
/// Two more kinds of graph: the dense matrix, and costs that are computed when they are requested.
///
/// The matrix looks up an edge and its cost in one load, and takes 8 bytes for each pair of nodes:
/// for small graphs in which nearly all nodes are joined.
///
/// Lazy costs wrap another space and replace the cost of each edge with a callback's result: how
/// dangerous, loud or crowded it is now. Results are cached until the next tick, because a search
/// meets an edge often and many searches run in one tick.
///
/// Threads: the matrix as ploy_graph. Lazy costs have a cache, so one caller at a time.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/path/costs.h"
#include "ploy/search/space.h"

/// Most nodes of a matrix: labels are from x count + to and fit an int32_t.
#define PLOY_MATRIX_GRAPH_MAX 32768

/// Opaque.
typedef struct ploy_matrix_graph ploy_matrix_graph;

/// Creates a matrix without edges. @return PLOY_ERR_ARGUMENT for a count outside 1 to
/// PLOY_MATRIX_GRAPH_MAX; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_matrix_graph_create(int32_t count, const ploy_env *env,
                                              ploy_matrix_graph **out);
/// NULL is allowed.
PLOY_API void ploy_matrix_graph_destroy(ploy_matrix_graph *matrix);
/// @param cost  0 or more; INFINITY removes the edge. @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_matrix_graph_set(ploy_matrix_graph *matrix, int32_t from, int32_t to,
                                           double cost);
/// Returns the cost of an edge; INFINITY if there is none.
PLOY_API double ploy_matrix_graph_get(const ploy_matrix_graph *matrix, int32_t from, int32_t to);
/// Returns the number of edges.
PLOY_API int32_t ploy_matrix_graph_edge_count(const ploy_matrix_graph *matrix);
/// Returns the matrix as a space, valid while the matrix exists; expanding is O(nodes).
PLOY_API ploy_space ploy_matrix_graph_space(const ploy_matrix_graph *matrix);
PLOY_API void ploy_matrix_graph_describe(const ploy_matrix_graph *matrix, ploy_describe *out);
PLOY_API void ploy_matrix_graph_memory(const ploy_matrix_graph *matrix, ploy_memory_fn fn,
                                       void *user);

/// Opaque.
typedef struct ploy_lazy_costs ploy_lazy_costs;

typedef struct ploy_lazy_costs_def {
    uint32_t cookie;
    /// One result is cached for each label from 0 to labels - 1, and is used only for the edge that
    /// it is of. Where several edges have the same label, as the directions of tiles, the last one
    /// is kept. 24 bytes each.
    int32_t labels;
} ploy_lazy_costs_def;

PLOY_API ploy_lazy_costs_def ploy_lazy_costs_def_default(void);
PLOY_API ploy_fields ploy_lazy_costs_fields(void);
/// @param inner  copied; its user pointer must stay valid. Its estimate is passed on.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_lazy_costs_create(const ploy_lazy_costs_def *def, const ploy_space *inner,
                                            ploy_cost_fn cost, void *user, const ploy_env *env,
                                            ploy_lazy_costs **out);
/// NULL is allowed.
PLOY_API void ploy_lazy_costs_destroy(ploy_lazy_costs *lazy);
/// Drops all cached results; call it when the world has changed. O(1).
PLOY_API void ploy_lazy_costs_tick(ploy_lazy_costs *lazy);
/// Returns the space, valid while the object exists.
PLOY_API ploy_space ploy_lazy_costs_space(ploy_lazy_costs *lazy);
PLOY_API void ploy_lazy_costs_memory(const ploy_lazy_costs *lazy, ploy_memory_fn fn, void *user);
