// Compact graphs without costs; see the header.
//
//     the one block:  struct | positions | starts | targets
//
// Invariant: the edges out of node n lead to targets[starts[n]] to targets[starts[n + 1] - 1].
#include "ploy/path/graph_straight.h"

#include "path/path_internal.h"

#include <math.h>

struct ploy_straight_graph {
    ploy_env env;
    size_t size;
    double cost_per_m;
    int32_t node_count, edge_count;
    ploy_vec3 *positions;
    int32_t *starts, *targets;
};

// Visits the open edges of a node. @param out  their targets; NULL: they are only counted.
static int32_t straight_targets(const ploy_graph *graph, int32_t node, int32_t *out) {
    int32_t count = 0;
    for (int32_t e = ploy_graph_first_out(graph, node); e >= 0; e = ploy_graph_next_out(graph, e)) {
        ploy_graph_edge edge;
        if (!ploy_graph_edge_at(graph, e, &edge) || (edge.flags & PLOY_GRAPH_CLOSED) != 0) continue;
        if (out != NULL) out[count] = edge.to;
        count++;
    }
    return count;
}

ploy_result ploy_straight_graph_create(const ploy_graph *graph, double cost_per_m,
                                       const ploy_env *env, ploy_straight_graph **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (graph == NULL || env == NULL || !(cost_per_m > 0.0) || !(cost_per_m < INFINITY)) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t nodes = ploy_graph_node_slots(graph), edges = 0;
    for (int32_t n = 0; n < nodes; n++) edges += straight_targets(graph, n, NULL);
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_straight_graph), nodes, sizeof(ploy_vec3), &size) ||
        !ploy_size_add_array(size, (int64_t)nodes + 1 + edges, sizeof(int32_t), &size)) {
        return PLOY_ERR_MEMORY;
    }
    ploy_straight_graph *straight = ploy_env_alloc(env, size);
    if (straight == NULL) return PLOY_ERR_MEMORY;
    straight->env = *env;
    straight->size = size;
    straight->cost_per_m = cost_per_m;
    straight->node_count = nodes;
    straight->edge_count = edges;
    straight->positions = (ploy_vec3 *)(void *)(straight + 1);
    straight->starts = (int32_t *)(void *)(straight->positions + nodes);
    straight->targets = straight->starts + nodes + 1;
    straight->starts[0] = 0;
    for (int32_t n = 0; n < nodes; n++) {
        int32_t start = straight->starts[n];
        straight->positions[n] = ploy_graph_position(graph, n);
        straight->starts[n + 1] = start + straight_targets(graph, n, straight->targets + start);
    }
    *out = straight;
    return PLOY_OK;
}

void ploy_straight_graph_destroy(ploy_straight_graph *straight) {
    if (straight == NULL) return;
    ploy_env env = straight->env;
    ploy_env_free(&env, straight, straight->size);
}

int32_t ploy_straight_graph_edge_count(const ploy_straight_graph *straight) {
    return straight->edge_count;
}

static double straight_cost(const ploy_straight_graph *straight, int32_t a, int32_t b) {
    ploy_vec3 from = straight->positions[a], to = straight->positions[b];
    double x = (double)to.x - (double)from.x, y = (double)to.y - (double)from.y;
    double z = (double)to.z - (double)from.z;
    return sqrt(x * x + y * y + z * z) * straight->cost_per_m;
}

static ploy_result straight_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_straight_graph *straight = user;
    if (state < 0 || state >= straight->node_count) return PLOY_OK;
    for (int32_t i = straight->starts[state]; i < straight->starts[state + 1]; i++) {
        int32_t to = straight->targets[i];
        ploy_result result = ploy_edges_add(out, to, straight_cost(straight, state, to), i);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static double straight_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_straight_graph *straight = user;
    // A graph without nodes has any number of states for a search.
    if (goal < 0 || goal >= straight->node_count || state < 0 || state >= straight->node_count) {
        return 0.0;
    }
    // Costs that are rounded may sum to a little less than the straight line.
    return straight_cost(straight, state, goal) * (1.0 - 1e-12);
}

ploy_space ploy_straight_graph_space(const ploy_straight_graph *straight) {
    ploy_space space = {straight->node_count, straight_expand, NULL, straight_estimate,
                        (void *)(uintptr_t)straight};
    return space;
}

void ploy_straight_graph_memory(const ploy_straight_graph *straight, ploy_memory_fn fn,
                                void *user) {
    ploy_memory_item item = {"straight graph", straight->size, 1};
    fn(user, &item);
}
