// What can be said of a graph as a whole; see ploy_graph_report_of.
#include <math.h>

#include "path/graph_internal.h"

#include "path/path_internal.h"
#include "ploy/path/graph_tables.h"

static bool report_is_distance(const ploy_frozen_graph *frozen, int32_t from,
                               const ploy_edge *edge) {
    ploy_heuristic_def straight = ploy_heuristic_def_default();
    double length = ploy_heuristic_between(&straight, ployi_frozen_graph_position(frozen, from),
                                           ployi_frozen_graph_position(frozen, edge->to));
    return fabs(edge->cost - length) <= 1e-6 * length;
}

// Gaps are nodes of the frozen form and separate parts; they are taken off again.
static void report_fill(const ploy_graph *graph, const ploy_frozen_graph *frozen, int32_t weak,
                        int32_t strong, ploy_graph_report *out) {
    int32_t gaps = ploy_graph_node_slots(graph) - ploy_graph_node_count(graph);
    int32_t sources = 0, loops = 0, pairs = 0, parallel = 0;
    out->nodes = ploy_graph_node_count(graph);
    out->edges = ploy_frozen_graph_edge_count(frozen);
    out->weak_parts = weak - gaps;
    out->strong_parts = strong - gaps;
    out->symmetric = out->euclidean = true;
    for (int32_t n = 0; n < ploy_frozen_graph_node_count(frozen); n++) {
        const ploy_edge *edges = NULL;
        int32_t count = ployi_frozen_graph_out(frozen, n, &edges);
        sources += count > 0;
        for (int32_t e = 0; e < count; e++) {
            ployi_frozen_edges back = ployi_frozen_find(frozen, edges[e].to, n, edges[e].cost);
            if (!back.equal) out->symmetric = false;
            if (!report_is_distance(frozen, n, &edges[e])) out->euclidean = false;
            if (ployi_frozen_find(frozen, n, edges[e].to, 0.0).count > 1) parallel++;
            if (edges[e].to == n)
                loops++;
            else if (n < edges[e].to || back.count == 0)
                pairs++; // each joined pair once
        }
    }
    double nodes = (double)out->nodes, edges = (double)out->edges;
    out->density = out->nodes > 0 ? edges / nodes : 0.0;
    out->fullness = out->nodes > 1 ? edges / (nodes * (nodes - 1.0)) : 0.0;
    out->branching = sources > 0 ? edges / (double)sources : 0.0;
    out->connected = out->strong_parts <= 1;
    out->acyclic = out->strong_parts == out->nodes && loops == 0;
    out->forest = loops == 0 && parallel == 0 && pairs == out->nodes - out->weak_parts;
    out->tree = out->forest && out->weak_parts == 1;
}

ploy_result ploy_graph_report_of(const ploy_graph *graph, ploy_graph_report *out) {
    ploy_env env = ployi_graph_env(graph);
    ploy_frozen_graph *frozen = NULL;
    ploy_result result = ploy_graph_freeze(graph, &env, &frozen);
    if (result != PLOY_OK) return result;
    size_t size = ((size_t)ploy_frozen_graph_node_count(frozen) + 1) * sizeof(int32_t);
    int32_t *labels = ploy_env_alloc(&env, size), weak = 0, strong = 0;
    result = labels != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) result = ploy_graph_weak_parts(frozen, &env, labels, &weak);
    if (result == PLOY_OK) result = ploy_graph_strong_parts(frozen, &env, labels, &strong);
    if (result == PLOY_OK) report_fill(graph, frozen, weak, strong, out);
    ploy_env_free(&env, labels, size);
    ploy_frozen_graph_destroy(frozen);
    return result;
}
