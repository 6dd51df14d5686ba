// Parts, orders and trees of a graph; see the header.
#include "ploy/path/graph_tables.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/heap.h"

// An array of int32_t for a moment; one is requested even if there are no nodes, so that NULL
// always means that memory is short.
static int32_t *tables_scratch(const ploy_env *env, int64_t count, size_t *size) {
    if (!ploy_size_add_array(sizeof(int32_t), count, sizeof(int32_t), size)) return NULL;
    return ploy_env_alloc(env, *size);
}

ploy_result ploy_graph_weak_parts(const ploy_frozen_graph *frozen, const ploy_env *env,
                                  int32_t *labels, int32_t *count) {
    int32_t nodes = ploy_frozen_graph_node_count(frozen), parts = 0;
    size_t size = 0;
    int32_t *stack = tables_scratch(env, nodes, &size);
    if (stack == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < nodes; i++) labels[i] = -1;
    for (int32_t i = 0; i < nodes; i++) {
        if (labels[i] >= 0) continue;
        int32_t top = 0;
        labels[i] = parts;
        stack[top++] = i;
        while (top > 0) {
            int32_t node = stack[--top];
            for (int32_t side = 0; side < 2; side++) {
                const ploy_edge *edges = NULL;
                int32_t edge_count = side == 0 ? ployi_frozen_graph_out(frozen, node, &edges)
                                               : ployi_frozen_graph_in(frozen, node, &edges);
                for (int32_t e = 0; e < edge_count; e++) {
                    if (labels[edges[e].to] >= 0) continue;
                    labels[edges[e].to] = parts;
                    stack[top++] = edges[e].to; // each node once, so the stack is large enough
                }
            }
        }
        parts++;
    }
    ploy_env_free(env, stack, size);
    *count = parts;
    return PLOY_OK;
}

// Tarjan's search with its own stacks: graphs are deeper than C's.
typedef struct tables_strong {
    int32_t *order; // when a node was first seen, -1 before
    int32_t *low;   // the earliest seen node known to be reachable within the part
    int32_t *next;  // of a node's edges, the one to follow
    int32_t *path;  // nodes being looked at
    int32_t *open;  // nodes seen whose part is not known
    int32_t path_count, open_count, seen, parts;
    int32_t *labels;
} tables_strong;

static void tables_enter(tables_strong *run, int32_t node) {
    run->order[node] = run->low[node] = run->seen++;
    run->path[run->path_count++] = node;
    run->open[run->open_count++] = node;
}

static void tables_leave(tables_strong *run) {
    int32_t node = run->path[--run->path_count];
    if (run->path_count > 0) {
        int32_t parent = run->path[run->path_count - 1];
        if (run->low[node] < run->low[parent]) run->low[parent] = run->low[node];
    }
    if (run->low[node] != run->order[node]) return;
    int32_t member = PLOY_GRAPH_NONE;
    while (member != node) {
        member = run->open[--run->open_count];
        run->labels[member] = run->parts;
    }
    run->parts++;
}

ploy_result ploy_graph_strong_parts(const ploy_frozen_graph *frozen, const ploy_env *env,
                                    int32_t *labels, int32_t *count) {
    int32_t nodes = ploy_frozen_graph_node_count(frozen);
    size_t size = 0;
    int32_t *block = tables_scratch(env, 5 * (int64_t)nodes, &size);
    if (block == NULL) return PLOY_ERR_MEMORY;
    tables_strong run = {block,
                         block + nodes,
                         block + 2 * (size_t)nodes,
                         block + 3 * (size_t)nodes,
                         block + 4 * (size_t)nodes,
                         0,
                         0,
                         0,
                         0,
                         labels};
    for (int32_t i = 0; i < nodes; i++) {
        run.order[i] = labels[i] = -1;
        run.next[i] = 0;
    }
    for (int32_t root = 0; root < nodes; root++) {
        if (run.order[root] >= 0) continue;
        tables_enter(&run, root);
        while (run.path_count > 0) {
            int32_t node = run.path[run.path_count - 1];
            const ploy_edge *edges = NULL;
            int32_t edge_count = ployi_frozen_graph_out(frozen, node, &edges);
            if (run.next[node] == edge_count) {
                tables_leave(&run);
                continue;
            }
            int32_t to = edges[run.next[node]++].to;
            if (run.order[to] < 0)
                tables_enter(&run, to);
            else if (labels[to] < 0 && run.order[to] < run.low[node])
                run.low[node] = run.order[to];
        }
    }
    ploy_env_free(env, block, size);
    *count = run.parts;
    return PLOY_OK;
}

ploy_reach ploy_graph_reaches(const int32_t *weak, const int32_t *strong, int32_t from,
                              int32_t to) {
    if (weak[from] != weak[to]) return PLOY_REACH_NO;
    if (strong[from] == strong[to]) return PLOY_REACH_YES;
    return strong[from] < strong[to] ? PLOY_REACH_NO : PLOY_REACH_MAYBE;
}

// A cycle among nodes that have edges in left: from any of them back along such edges, until a node
// comes up again.
static int32_t tables_cycle(const ploy_frozen_graph *frozen, const int32_t *left, int32_t *seen,
                            int32_t *cycle) {
    int32_t nodes = ploy_frozen_graph_node_count(frozen), node = 0, steps = 0;
    for (int32_t i = 0; i < nodes; i++) seen[i] = -1;
    while (left[node] <= 0) node++;
    while (seen[node] < 0) {
        seen[node] = steps++;
        const ploy_edge *edges = NULL;
        int32_t count = ployi_frozen_graph_in(frozen, node, &edges), e = 0;
        while (e < count - 1 && left[edges[e].to] <= 0) e++;
        node = edges[e].to;
    }
    // The walk went against the edges, so the cycle is written from its end.
    int32_t length = steps - seen[node];
    for (int32_t i = 0; i < nodes; i++) {
        if (seen[i] >= seen[node]) cycle[length - 1 - (seen[i] - seen[node])] = i;
    }
    return length;
}

ploy_result ploy_graph_order(const ploy_frozen_graph *frozen, const ploy_env *env, int32_t *order,
                             int32_t *cycle, int32_t *cycle_count) {
    int32_t nodes = ploy_frozen_graph_node_count(frozen), done = 0;
    size_t size = 0;
    int32_t *left = tables_scratch(env, 2 * (int64_t)nodes, &size); // edges in that are not done
    if (left == NULL) return PLOY_ERR_MEMORY;
    int32_t *found = left + nodes;
    ploy_indexed_heap ready;
    ploy_result result = ploy_indexed_heap_init(&ready, 4, env);
    if (result == PLOY_OK) result = ploy_indexed_heap_reserve(&ready, nodes);
    for (int32_t i = 0; i < nodes && result == PLOY_OK; i++) {
        const ploy_edge *edges = NULL;
        left[i] = ployi_frozen_graph_in(frozen, i, &edges);
        if (left[i] == 0) result = ploy_indexed_heap_push(&ready, i, 0.0);
    }
    int32_t node = 0;
    while (result == PLOY_OK && ploy_indexed_heap_pop(&ready, &node, NULL)) {
        const ploy_edge *edges = NULL;
        int32_t count = ployi_frozen_graph_out(frozen, node, &edges);
        found[done++] = node;
        for (int32_t e = 0; e < count && result == PLOY_OK; e++) {
            if (--left[edges[e].to] == 0) result = ploy_indexed_heap_push(&ready, edges[e].to, 0.0);
        }
    }
    if (result == PLOY_OK && done < nodes) {
        if (cycle != NULL && cycle_count != NULL) {
            *cycle_count = tables_cycle(frozen, left, found, cycle);
        }
        result = PLOY_ERR_STATE;
    }
    if (result == PLOY_OK) memcpy(order, found, (size_t)nodes * sizeof *order);
    ploy_indexed_heap_fini(&ready);
    ploy_env_free(env, left, size);
    return result;
}

// The row number of an edge that was met in an in row: the same label and cost in its out row.
static int32_t tables_row_of(const ploy_frozen_graph *frozen, int32_t from, const ploy_edge *edge,
                             int32_t to) {
    const ploy_edge *edges = NULL;
    int32_t count = ployi_frozen_graph_out(frozen, from, &edges);
    for (int32_t e = 0; e < count; e++) {
        if (edges[e].to == to && edges[e].label == edge->label && edges[e].cost == edge->cost) {
            return ployi_frozen_graph_row(frozen, from) + e;
        }
    }
    return PLOY_GRAPH_NONE;
}

// Prim: offers a node's edges of one side to the nodes outside the tree.
static ploy_result tables_offer(const ploy_frozen_graph *frozen, int32_t node, bool inward,
                                int32_t *best, ploy_indexed_heap *heap) {
    const ploy_edge *edges = NULL;
    int32_t count = inward ? ployi_frozen_graph_in(frozen, node, &edges)
                           : ployi_frozen_graph_out(frozen, node, &edges);
    for (int32_t e = 0; e < count; e++) {
        int32_t other = edges[e].to;
        double known = INFINITY;
        bool waiting = ploy_indexed_heap_key(heap, other, &known);
        if (best[other] == -2 || (waiting && !(edges[e].cost < known))) continue;
        ploy_result result = waiting ? ploy_indexed_heap_update(heap, other, edges[e].cost)
                                     : ploy_indexed_heap_push(heap, other, edges[e].cost);
        if (result != PLOY_OK) return result;
        best[other] = inward ? tables_row_of(frozen, other, &edges[e], node)
                             : ployi_frozen_graph_row(frozen, node) + e;
    }
    return PLOY_OK;
}

ploy_result ploy_graph_spanning_tree(const ploy_frozen_graph *frozen, const ploy_env *env,
                                     int32_t *rows, int32_t *count, double *cost) {
    int32_t nodes = ploy_frozen_graph_node_count(frozen), taken = 0;
    size_t size = 0;
    // The row by which a node would join; -1 none yet, -2 in the tree.
    int32_t *best = tables_scratch(env, nodes, &size);
    if (best == NULL) return PLOY_ERR_MEMORY;
    double sum = 0.0;
    ploy_indexed_heap heap;
    ploy_result result = ploy_indexed_heap_init(&heap, 4, env);
    if (result == PLOY_OK) result = ploy_indexed_heap_reserve(&heap, nodes);
    for (int32_t i = 0; i < nodes; i++) best[i] = -1;
    for (int32_t root = 0; root < nodes && result == PLOY_OK; root++) {
        if (best[root] == -2) continue;
        result = ploy_indexed_heap_push(&heap, root, 0.0);
        int32_t node = 0;
        double key = 0.0;
        while (result == PLOY_OK && ploy_indexed_heap_pop(&heap, &node, &key)) {
            if (node != root) {
                rows[taken++] = best[node];
                sum += key;
            }
            best[node] = -2;
            result = tables_offer(frozen, node, false, best, &heap);
            if (result == PLOY_OK) result = tables_offer(frozen, node, true, best, &heap);
        }
    }
    ploy_indexed_heap_fini(&heap);
    ploy_env_free(env, best, size);
    if (result != PLOY_OK) return result;
    *count = taken;
    if (cost != NULL) *cost = sum;
    return PLOY_OK;
}
