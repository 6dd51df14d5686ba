// The dense matrix; see the header.
#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"

#include "path/path_internal.h"
#include "ploy/path/graph_views.h"

struct ploy_matrix_graph {
    ploy_env env;
    size_t size;
    int32_t count;
    double costs[]; // rows of count; INFINITY where there is no edge
};

ploy_result ploy_matrix_graph_create(int32_t count, const ploy_env *env, ploy_matrix_graph **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || count < 1 || count > PLOY_MATRIX_GRAPH_MAX) return PLOY_ERR_ARGUMENT;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_matrix_graph), (int64_t)count * count, sizeof(double),
                             &size)) {
        return PLOY_ERR_MEMORY;
    }
    ploy_matrix_graph *matrix = ploy_env_alloc(env, size);
    if (matrix == NULL) return PLOY_ERR_MEMORY;
    matrix->env = *env;
    matrix->size = size;
    matrix->count = count;
    for (int64_t i = 0; i < (int64_t)count * count; i++) matrix->costs[i] = INFINITY;
    *out = matrix;
    return PLOY_OK;
}

void ploy_matrix_graph_destroy(ploy_matrix_graph *matrix) {
    if (matrix == NULL) return;
    ploy_env env = matrix->env;
    ploy_env_free(&env, matrix, matrix->size);
}

static bool matrix_has(const ploy_matrix_graph *matrix, int32_t from, int32_t to) {
    return from >= 0 && from < matrix->count && to >= 0 && to < matrix->count;
}

ploy_result ploy_matrix_graph_set(ploy_matrix_graph *matrix, int32_t from, int32_t to,
                                  double cost) {
    if (!matrix_has(matrix, from, to) || !(cost >= 0.0)) return PLOY_ERR_ARGUMENT;
    matrix->costs[(int64_t)from * matrix->count + to] = cost;
    return PLOY_OK;
}

double ploy_matrix_graph_get(const ploy_matrix_graph *matrix, int32_t from, int32_t to) {
    if (!matrix_has(matrix, from, to)) return INFINITY;
    return matrix->costs[(int64_t)from * matrix->count + to];
}

int32_t ployi_matrix_graph_node_count(const ploy_matrix_graph *matrix) {
    return matrix->count;
}

int32_t ploy_matrix_graph_edge_count(const ploy_matrix_graph *matrix) {
    int32_t count = 0;
    for (int64_t i = 0; i < (int64_t)matrix->count * matrix->count; i++) {
        count += matrix->costs[i] < INFINITY;
    }
    return count;
}

// A row (step 1) or a column of the matrix as edges.
static ploy_result matrix_edges(const ploy_matrix_graph *matrix, int32_t state, bool backward,
                                ploy_edges *out) {
    for (int32_t other = 0; other < matrix->count; other++) {
        int32_t label = backward ? other * matrix->count + state : state * matrix->count + other;
        if (!(matrix->costs[label] < INFINITY)) continue;
        ploy_result result = ploy_edges_add(out, other, matrix->costs[label], label);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result matrix_expand(void *user, int32_t state, ploy_edges *out) {
    return matrix_edges(user, state, false, out);
}

static ploy_result matrix_expand_back(void *user, int32_t state, ploy_edges *out) {
    return matrix_edges(user, state, true, out);
}

ploy_space ploy_matrix_graph_space(const ploy_matrix_graph *matrix) {
    ploy_space space = {matrix->count, matrix_expand, matrix_expand_back, NULL,
                        (void *)(uintptr_t)matrix};
    return space;
}

void ploy_matrix_graph_describe(const ploy_matrix_graph *matrix, ploy_describe *out) {
    size_t bytes = (size_t)matrix->count * (size_t)matrix->count * sizeof(double);
    ploy_describe_i64(out, "nodes", PLOY_STATE, matrix->count);
    ploy_describe_i64(out, "edges", PLOY_DERIVED, ploy_matrix_graph_edge_count(matrix));
    ploy_describe_u64(out, "costs", PLOY_STATE, ploy_hash_bytes(matrix->costs, bytes, 0));
}

void ploy_matrix_graph_memory(const ploy_matrix_graph *matrix, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"matrix graph", matrix->size, 1};
    fn(user, &item);
}
