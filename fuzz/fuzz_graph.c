// Graphs and waypoint networks. The first byte chooses: text that is loaded, saved and loaded
// again, or edits of a graph that are compared with a plain list of edges.
#include <stdlib.h>
#include <string.h>

#include "ploy/path/graph_check.h"
#include "ploy/path/graph_tables.h"
#include "ploy/path/graph_text.h"
#include "ploy/path/network.h"

enum { NODES = 16, EDGES = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
    if (!condition) abort();
}

// Loads text into either kind of object and saves that as text.
typedef ploy_result (*pass_fn)(const void *bytes, size_t size, const ploy_env *env,
                               ploy_buffer *out);

static ploy_result pass_graph(const void *bytes, size_t size, const ploy_env *env,
                              ploy_buffer *out) {
    ploy_graph *graph = NULL;
    ploy_result result = ploy_graph_load(bytes, size, "fuzz", env, NULL, &graph);
    check((result == PLOY_OK) == (graph != NULL));
    if (result != PLOY_OK) return result;
    ploy_writer writer = ploy_buffer_writer(out);
    ploy_graph_report report;
    check(ploy_graph_save(graph, &writer) == PLOY_OK);
    check(ploy_graph_report_of(graph, &report) == PLOY_OK);
    ploy_graph_destroy(graph);
    return PLOY_OK;
}

static ploy_result pass_network(const void *bytes, size_t size, const ploy_env *env,
                                ploy_buffer *out) {
    ploy_network *network = NULL;
    ploy_result result = ploy_network_load(bytes, size, "fuzz", env, NULL, &network);
    check((result == PLOY_OK) == (network != NULL));
    if (result != PLOY_OK) return result;
    ploy_writer writer = ploy_buffer_writer(out);
    check(ploy_network_save(network, &writer) == PLOY_OK);
    (void)ploy_network_closest(network, ploy_vec3_zero(), true, NULL, NULL);
    ploy_network_destroy(network);
    return PLOY_OK;
}

// What could be loaded is saved, loaded and saved as the same text.
static void pass_twice(pass_fn pass, const uint8_t *data, size_t size, const ploy_env *env) {
    ploy_buffer first, second;
    ploy_buffer_init(&first, 0, env);
    ploy_buffer_init(&second, 0, env);
    if (pass(data, size, env, &first) == PLOY_OK) {
        check(pass(first.bytes, first.size, env, &second) == PLOY_OK);
        check(strcmp(ploy_buffer_text(&first), ploy_buffer_text(&second)) == 0);
    }
    ploy_buffer_fini(&first);
    ploy_buffer_fini(&second);
}

typedef struct model {
    bool nodes[NODES];
    int32_t from[EDGES], to[EDGES], count;
} model;

// How many edges lead from one node to another.
static int32_t count_of(const model *m, int32_t from, int32_t to) {
    int32_t count = 0;
    for (int32_t i = 0; i < m->count; i++) count += m->from[i] == from && m->to[i] == to;
    return count;
}

static void drop(model *m, int32_t index) {
    m->count--;
    m->from[index] = m->from[m->count];
    m->to[index] = m->to[m->count];
}

static void compare(const model *m, const ploy_graph *graph, const ploy_env *env) {
    ploy_space space = ploy_graph_space(graph);
    check(space.count == 0 || ploy_space_check(&space, env, NULL) == PLOY_OK);
    check(ploy_graph_edge_count(graph) == m->count);
    for (int32_t n = 0; n < NODES; n++) {
        int32_t counts[NODES] = {0};
        check(ploy_graph_has_node(graph, n) == m->nodes[n]);
        for (int32_t e = ploy_graph_first_out(graph, n); e >= 0;
             e = ploy_graph_next_out(graph, e)) {
            ploy_graph_edge edge;
            check(ploy_graph_edge_at(graph, e, &edge));
            check(edge.from == n);
            counts[edge.to]++;
        }
        for (int32_t to = 0; to < NODES; to++) check(counts[to] == count_of(m, n, to));
    }
}

static void edit(const uint8_t *data, size_t size, const ploy_env *env) {
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    model m;
    memset(&m, 0, sizeof m);
    if (ploy_graph_create(&def, env, &graph) != PLOY_OK) return;
    for (; size >= 2 && m.count < EDGES; data += 2, size -= 2) {
        int32_t a = data[0] % NODES, b = data[1] % NODES, edge = 0;
        switch (data[0] / NODES % 4) {
        case 0:
            if (ploy_graph_put_node(graph, a, ploy_vec3_zero()) == PLOY_OK) m.nodes[a] = true;
            break;
        case 1:
            if (ploy_graph_remove_node(graph, a) != PLOY_OK) break;
            m.nodes[a] = false;
            for (int32_t i = m.count - 1; i >= 0; i--) {
                if (m.from[i] == a || m.to[i] == a) drop(&m, i);
            }
            break;
        case 2:
            edge = ploy_graph_find_edge(graph, a, b);
            check((edge >= 0) == (count_of(&m, a, b) > 0));
            if (edge < 0) break;
            check(ploy_graph_remove_edge(graph, edge) == PLOY_OK);
            for (int32_t i = 0; i < m.count; i++) {
                if (m.from[i] != a || m.to[i] != b) continue;
                drop(&m, i);
                break;
            }
            break;
        default:
            if (ploy_graph_add_edge(graph, a, b, 1.0, 0, NULL) != PLOY_OK) break;
            m.from[m.count] = a;
            m.to[m.count++] = b;
            break;
        }
    }
    compare(&m, graph, env);
    ploy_graph_destroy(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    ploy_env env = ploy_env_default();
    switch (data[0] % 3) {
    case 0: pass_twice(pass_graph, data + 1, size - 1, &env); break;
    case 1: pass_twice(pass_network, data + 1, size - 1, &env); break;
    default: edit(data + 1, size - 1, &env); break;
    }
    return 0;
}
