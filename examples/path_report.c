// The same five rooms, joined in four patterns, and the report on each: parts, symmetry, trees.
// Shows ploy_graph_report_of of ploy/path/graph.h.
#include <stdio.h>

#include "ploy/path/graph.h"

enum { ROOMS = 5 };

static void report(const char *title, const ploy_graph *graph) {
    ploy_graph_report it;
    if (ploy_graph_report_of(graph, &it) != PLOY_OK) return;
    printf("%-14s %d edges, %.1f a node, branching %.2f, parts: %d weak, %d strong;%s%s%s%s\n",
           title, (int)it.edges, it.density, it.branching, (int)it.weak_parts, (int)it.strong_parts,
           it.connected ? " connected" : " not connected", it.symmetric ? " symmetric" : "",
           it.acyclic ? " acyclic" : "",
           it.tree     ? " tree"
           : it.forest ? " forest"
                       : "");
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    int32_t slide = 0;
    if (ploy_graph_create(&def, &env, &graph) != PLOY_OK) return 1;
    for (int32_t i = 0; i < ROOMS; i++) {
        ploy_graph_add_node(graph, ploy_vec3_make((float)i, 0, 0), NULL);
    }
    for (int32_t i = 0; i + 1 < ROOMS - 1; i++) ploy_graph_add_edge(graph, i, i + 1, 1, 0, NULL);
    report("a room is cut:", graph); // the last one: a designer forgot its door
    ploy_graph_add_edge(graph, ROOMS - 2, ROOMS - 1, 1, 0, NULL);
    report("one-way doors:", graph);
    ploy_graph_add_edge(graph, ROOMS - 1, 0, 4, 0, &slide);
    report("and a slide:", graph);
    ploy_graph_remove_edge(graph, slide);
    for (int32_t i = 0; i + 1 < ROOMS; i++) ploy_graph_add_edge(graph, i + 1, i, 1, 0, NULL);
    report("two-way doors:", graph);
    ploy_graph_destroy(graph);
    return 0;
}
