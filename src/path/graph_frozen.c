// Compressed rows; see the header.
//
//     the one block:  struct | out edges | in edges | out starts | in starts | positions
//
// Invariants:
//   (1) starts rise from 0 to edge_count; a row is [start[n], start[n + 1]);
//   (2) every edge is once in an out row and once in an in row, with equal cost and label;
//   (3) in rows are ordered by the node that an edge comes from, then by its place in that row.
#include "ploy/path/graph_frozen.h"

#include "path/path_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "path/graph_internal.h"
#include "ploy/base/hash.h"

struct ploy_frozen_graph {
    ploy_env env;
    size_t size; // of the block
    int32_t node_count, edge_count;
    ploy_edge *out, *in;
    int32_t *out_start, *in_start; // node_count + 1 each
    ploy_vec3 *positions;
    uint64_t generation; // everything folded into one number
};

// Bytes before the edges: a whole number of alignments, because pointers may be of 4 bytes.
#define FROZEN_HEAD \
    ((sizeof(ploy_frozen_graph) + PLOY_ALIGNMENT - 1) / PLOY_ALIGNMENT * PLOY_ALIGNMENT)

static bool frozen_edge_fits(const ploy_edge *edge, int32_t count) {
    return edge->cost >= 0.0 && edge->to >= 0 && edge->to < count; // false for NaN
}

// Asks for one state's edges and counts those that are open.
static ploy_result frozen_ask(const ploy_space *space, int32_t state, ploy_edges *edges,
                              const ploy_env *env, int64_t *open) {
    ploy_edges_clear(edges);
    ploy_result result = space->expand(space->user, state, edges);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < edges->count; i++) {
        if (!frozen_edge_fits(&edges->view[i], space->count)) {
            char text[96];
            snprintf(text, sizeof text, "edge %ld of state %ld, to %ld, breaks the contract",
                     (long)i, (long)state, (long)edges->view[i].to);
            ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
            return PLOY_ERR_CALLBACK;
        }
        if (edges->view[i].cost < INFINITY) (*open)++;
    }
    return PLOY_OK;
}

static ploy_frozen_graph *frozen_alloc(int32_t nodes, int32_t edges, const ploy_env *env) {
    size_t size = 0;
    if (!ploy_size_add_array(FROZEN_HEAD, 2 * (int64_t)edges, sizeof(ploy_edge), &size) ||
        !ploy_size_add_array(size, 2 * ((int64_t)nodes + 1), sizeof(int32_t), &size) ||
        !ploy_size_add_array(size, nodes, sizeof(ploy_vec3), &size)) {
        return NULL;
    }
    ploy_frozen_graph *frozen = ploy_env_alloc_zero(env, size);
    if (frozen == NULL) return NULL;
    frozen->env = *env;
    frozen->size = size;
    frozen->node_count = nodes;
    frozen->edge_count = edges;
    frozen->out = (ploy_edge *)((char *)frozen + FROZEN_HEAD);
    frozen->in = frozen->out + edges;
    frozen->out_start = (int32_t *)(frozen->in + edges);
    frozen->in_start = frozen->out_start + nodes + 1;
    frozen->positions = (ploy_vec3 *)(frozen->in_start + nodes + 1);
    return frozen;
}

// Fills the in rows from the out rows by counting: keeps (2) and (3).
static void frozen_turn(ploy_frozen_graph *frozen) {
    int32_t *start = frozen->in_start;
    for (int32_t i = 0; i < frozen->edge_count; i++) start[frozen->out[i].to + 1]++;
    for (int32_t n = 0; n < frozen->node_count; n++) start[n + 1] += start[n];
    // Each start serves as the row's end while it fills, and is put back behind that.
    for (int32_t n = 0; n < frozen->node_count; n++) {
        for (int32_t i = frozen->out_start[n]; i < frozen->out_start[n + 1]; i++) {
            ploy_edge *edge = &frozen->in[start[frozen->out[i].to]++];
            *edge = frozen->out[i];
            edge->to = n;
        }
    }
    for (int32_t n = frozen->node_count; n > 0; n--) start[n] = start[n - 1];
    start[0] = 0;
}

static uint64_t frozen_fold(const ploy_frozen_graph *frozen) {
    ploy_hasher hasher;
    ploy_hasher_init(&hasher, 0);
    ploy_hasher_add(&hasher, frozen->out, (size_t)frozen->edge_count * sizeof *frozen->out);
    ploy_hasher_add(&hasher, frozen->out_start,
                    ((size_t)frozen->node_count + 1) * sizeof *frozen->out_start);
    ploy_hasher_add(&hasher, frozen->positions,
                    (size_t)frozen->node_count * sizeof *frozen->positions);
    return ploy_hasher_result(&hasher);
}

ploy_result ploy_graph_freeze(const ploy_graph *graph, const ploy_env *env,
                              ploy_frozen_graph **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_space space = ploy_graph_space(graph);
    if (space.count == 0) { // the count of an empty graph is known, unlike that of a puzzle
        if (env == NULL) return PLOY_ERR_ARGUMENT;
        *out = frozen_alloc(0, 0, env);
        if (*out == NULL) return PLOY_ERR_MEMORY;
        (*out)->generation = frozen_fold(*out);
        return PLOY_OK;
    }
    return ploy_space_freeze(&space, ploy_graph_position, graph, env, out);
}

ploy_result ploy_space_freeze(const ploy_space *space, ploy_position_fn position,
                              const void *position_user, const ploy_env *env,
                              ploy_frozen_graph **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (space == NULL || env == NULL || space->expand == NULL || space->count <= 0) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_edges edges;
    ploy_edges_init(&edges, env);
    ploy_frozen_graph *frozen = NULL;
    ploy_result result = PLOY_OK;
    int64_t total = 0;
    for (int32_t n = 0; n < space->count && result == PLOY_OK; n++) {
        result = frozen_ask(space, n, &edges, env, &total);
    }
    if (result == PLOY_OK && total > PLOY_GRAPH_MAX) result = PLOY_ERR_LIMIT;
    if (result == PLOY_OK) {
        frozen = frozen_alloc(space->count, (int32_t)total, env);
        if (frozen == NULL) result = PLOY_ERR_MEMORY;
    }
    int32_t at = 0;
    for (int32_t n = 0; n < space->count && result == PLOY_OK; n++) {
        int64_t open = 0;
        result = frozen_ask(space, n, &edges, env, &open);
        // A space that answers otherwise the second time must not write past the end.
        if (result == PLOY_OK && open > frozen->edge_count - at) result = PLOY_ERR_CALLBACK;
        if (result != PLOY_OK) break;
        for (int32_t i = 0; i < edges.count; i++) {
            if (edges.view[i].cost < INFINITY) frozen->out[at++] = edges.view[i];
        }
        frozen->out_start[n + 1] = at;
        if (position != NULL) frozen->positions[n] = position(position_user, n);
    }
    if (result == PLOY_OK && at != frozen->edge_count) result = PLOY_ERR_CALLBACK;
    ploy_edges_fini(&edges);
    if (result != PLOY_OK) {
        ploy_frozen_graph_destroy(frozen);
        return result;
    }
    frozen_turn(frozen);
    frozen->generation = frozen_fold(frozen);
    *out = frozen;
    return PLOY_OK;
}

void ploy_frozen_graph_destroy(ploy_frozen_graph *frozen) {
    if (frozen == NULL) return;
    ploy_env env = frozen->env;
    ploy_env_free(&env, frozen, frozen->size);
}

int32_t ploy_frozen_graph_node_count(const ploy_frozen_graph *frozen) {
    return frozen->node_count;
}

int32_t ploy_frozen_graph_edge_count(const ploy_frozen_graph *frozen) {
    return frozen->edge_count;
}

static int32_t frozen_row(const ploy_frozen_graph *frozen, const ploy_edge *edges,
                          const int32_t *start, int32_t node, const ploy_edge **out) {
    if (node < 0 || node >= frozen->node_count) {
        *out = edges;
        return 0;
    }
    *out = edges + start[node];
    return start[node + 1] - start[node];
}

int32_t ployi_frozen_graph_out(const ploy_frozen_graph *frozen, int32_t node,
                               const ploy_edge **out) {
    return frozen_row(frozen, frozen->out, frozen->out_start, node, out);
}

int32_t ployi_frozen_graph_in(const ploy_frozen_graph *frozen, int32_t node,
                              const ploy_edge **out) {
    return frozen_row(frozen, frozen->in, frozen->in_start, node, out);
}

const ploy_edge *ployi_frozen_graph_edge(const ploy_frozen_graph *frozen, int32_t row,
                                         int32_t *from) {
    if (row < 0 || row >= frozen->edge_count) return NULL;
    if (from != NULL) {
        int32_t low = 0,
                high = frozen->node_count - 1; // the last node whose row begins at or before
        while (low < high) {
            int32_t middle = low + (high - low + 1) / 2;
            if (frozen->out_start[middle] <= row)
                low = middle;
            else
                high = middle - 1;
        }
        *from = low;
    }
    return &frozen->out[row];
}

int32_t ployi_frozen_graph_row(const ploy_frozen_graph *frozen, int32_t node) {
    if (node < 0 || node >= frozen->node_count) return frozen->edge_count;
    return frozen->out_start[node];
}

ploy_vec3 ployi_frozen_graph_position(const void *frozen, int32_t node) {
    const ploy_frozen_graph *self = frozen;
    if (node < 0 || node >= self->node_count) return ploy_vec3_zero();
    return self->positions[node];
}

ployi_frozen_edges ployi_frozen_find(const ploy_frozen_graph *frozen, int32_t from, int32_t to,
                                     double cost) {
    const ploy_edge *edges = NULL;
    int32_t count = ployi_frozen_graph_out(frozen, from, &edges);
    ployi_frozen_edges found = {0, false};
    for (int32_t e = 0; e < count; e++) {
        if (edges[e].to != to) continue;
        found.count++;
        if (edges[e].cost == cost) found.equal = true;
    }
    return found;
}

static ploy_result frozen_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_edge *edges = NULL;
    int32_t count = ployi_frozen_graph_out(user, state, &edges);
    ploy_edges_lend(out, edges, count);
    return PLOY_OK;
}

static ploy_result frozen_expand_back(void *user, int32_t state, ploy_edges *out) {
    const ploy_edge *edges = NULL;
    int32_t count = ployi_frozen_graph_in(user, state, &edges);
    ploy_edges_lend(out, edges, count);
    return PLOY_OK;
}

uint64_t ployi_frozen_graph_generation(const ploy_frozen_graph *frozen) {
    return frozen->generation;
}

ploy_space ploy_frozen_graph_space(const ploy_frozen_graph *frozen) {
    ploy_space space = {frozen->node_count, frozen_expand, frozen_expand_back, NULL,
                        (void *)(uintptr_t)frozen};
    return space;
}

void ploy_frozen_graph_describe(const ploy_frozen_graph *frozen, ploy_describe *out) {
    ploy_describe_i64(out, "nodes", PLOY_STATE, frozen->node_count);
    ploy_describe_i64(out, "edges", PLOY_STATE, frozen->edge_count);
    ploy_describe_u64(out, "all", PLOY_STATE, frozen->generation);
}

void ploy_frozen_graph_memory(const ploy_frozen_graph *frozen, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"frozen graph", frozen->size, 1};
    fn(user, &item);
}

#undef FROZEN_HEAD

bool ployi_frozen_set_cost(ploy_frozen_graph *frozen, int32_t from, int32_t to, double cost) {
    if (from < 0 || to < 0 || from >= frozen->node_count || to >= frozen->node_count) return false;
    bool found = false;
    for (int32_t i = frozen->out_start[from]; i < frozen->out_start[from + 1]; i++) {
        if (frozen->out[i].to != to) continue;
        frozen->out[i].cost = cost;
        found = true;
    }
    for (int32_t i = frozen->in_start[to]; i < frozen->in_start[to + 1]; i++) {
        if (frozen->in[i].to == from) frozen->in[i].cost = cost; // keeps (2)
    }
    if (found) frozen->generation = frozen_fold(frozen);
    return found;
}
