// Graphs as text; see the header.
#include "ploy/path/graph_text.h"

#include "path/path_internal.h"

#include <float.h>
#include <string.h>

#include "path/path_lines.h"

ploy_result ploy_graph_save(const ploy_graph *graph, ploy_writer *writer) {
    ploy_graph_def def = ployi_graph_def_of(graph);
    ploy_write_text(writer, "graph 1\noptions");
    if (def.directed) ploy_write_text(writer, " directed");
    if (def.parallel) ploy_write_text(writer, " parallel");
    if (def.loops) ploy_write_text(writer, " loops");
    ploy_write_char(writer, '\n');
    int32_t slots = ploy_graph_node_slots(graph);
    for (int32_t n = 0; n < slots; n++) {
        ploy_graph_node node;
        bool there = ploy_graph_node_at(graph, n, &node);
        ploy_write_text(writer, there ? "node " : "gap ");
        ploy_write_i64(writer, n);
        if (there) {
            float at[3] = {node.position.x, node.position.y, node.position.z};
            for (int32_t i = 0; i < 3; i++) {
                ploy_write_char(writer, ' ');
                ploy_write_f32(writer, at[i]);
            }
            if (node.user != 0) {
                ploy_write_char(writer, ' ');
                ploy_write_u64(writer, node.user);
            }
        }
        ploy_write_char(writer, '\n');
    }
    for (int32_t n = 0; n < slots; n++) {
        for (int32_t e = ploy_graph_first_out(graph, n); e >= 0;
             e = ploy_graph_next_out(graph, e)) {
            ploy_graph_edge edge;
            if (!ploy_graph_edge_at(graph, e, &edge)) continue;
            // Of twins the one from the lower node comes first in this walk.
            if (edge.twin >= 0 && edge.to < edge.from) continue;
            ploy_write_text(writer, "edge ");
            ploy_write_i64(writer, edge.from);
            ploy_write_char(writer, ' ');
            ploy_write_i64(writer, edge.to);
            ploy_write_char(writer, ' ');
            ploy_write_f64(writer, edge.cost);
            if (edge.flags != 0) {
                ploy_write_char(writer, ' ');
                ploy_write_hex64(writer, edge.flags);
            }
            ploy_write_char(writer, '\n');
        }
    }
    return ploy_writer_result(writer);
}

// The second line, before there is a graph.
static bool graphtext_options(ployi_lines *lines, ploy_graph_def *def) {
    if (!ployi_lines_next(lines) || !ployi_lines_is(lines, 0, "options")) {
        ployi_lines_fault(lines, 0, PLOY_ERR_FORMAT, "missing options in the second line",
                          "options");
        return false;
    }
    def->directed = def->parallel = def->loops = false;
    for (int32_t i = 1; i < lines->count; i++) {
        if (ployi_lines_is(lines, i, "directed"))
            def->directed = true;
        else if (ployi_lines_is(lines, i, "parallel"))
            def->parallel = true;
        else if (ployi_lines_is(lines, i, "loops"))
            def->loops = true;
        else {
            ployi_lines_fault(lines, i, PLOY_ERR_FORMAT, "unknown option",
                              "directed, parallel or loops");
            return false;
        }
    }
    return true;
}

// A node or a gap. False: memory is short; faults of the text are remembered by the lines.
static ploy_result graphtext_node(ployi_lines *lines, ploy_graph *graph, bool gap) {
    int32_t number = 0;
    ploy_graph_node node;
    memset(&node, 0, sizeof node);
    bool good = ployi_lines_counts(lines, gap ? 2 : 5, gap ? 2 : 6) &&
                ployi_lines_i32(lines, 1, 0, PLOY_GRAPH_MAX, &number);
    if (good && number != ploy_graph_node_slots(graph)) {
        ployi_lines_fault(lines, 1, PLOY_ERR_FORMAT, "node numbers are out of order", NULL);
        good = false;
    }
    if (good && !gap) {
        good = ployi_lines_f32(lines, 2, -FLT_MAX, FLT_MAX, &node.position.x) &&
               ployi_lines_f32(lines, 3, -FLT_MAX, FLT_MAX, &node.position.y) &&
               ployi_lines_f32(lines, 4, -FLT_MAX, FLT_MAX, &node.position.z) &&
               (lines->count < 6 || ployi_lines_u64(lines, 5, false, UINT64_MAX, &node.user));
    }
    if (!good && lines->result == PLOY_OK) lines->result = PLOY_ERR_FORMAT;
    ploy_result result = ploy_graph_add_node(graph, node.position, &number);
    if (result != PLOY_OK) return result;
    return gap ? ploy_graph_remove_node(graph, number) : ploy_graph_set_node(graph, number, &node);
}

static ploy_result graphtext_edge(ployi_lines *lines, ploy_graph *graph) {
    int32_t from = 0, to = 0;
    double cost = 0.0;
    uint64_t flags = 0;
    if (!ployi_lines_counts(lines, 4, 5) || !ployi_lines_i32(lines, 1, 0, PLOY_GRAPH_MAX, &from) ||
        !ployi_lines_i32(lines, 2, 0, PLOY_GRAPH_MAX, &to) ||
        !ployi_lines_f64(lines, 3, 0.0, DBL_MAX, &cost) ||
        (lines->count == 5 && !ployi_lines_u64(lines, 4, true, UINT32_MAX, &flags))) {
        return PLOY_OK;
    }
    ploy_result result = ploy_graph_add_edge(graph, from, to, cost, (uint32_t)flags, NULL);
    const char *why = result == PLOY_ERR_NOT_FOUND  ? "edge has an unknown node"
                      : result == PLOY_ERR_ARGUMENT ? "edge leads back to its own node"
                      : result == PLOY_ERR_EXISTS   ? "duplicate edge"
                                                    : NULL;
    if (why == NULL) return result;
    bool second = result == PLOY_ERR_NOT_FOUND && ploy_graph_has_node(graph, from);
    ployi_lines_fault(lines, second ? 2 : 1, PLOY_ERR_FORMAT, why, NULL);
    return PLOY_OK;
}

ploy_result ploy_graph_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                            ploy_diags *diags, ploy_graph **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if ((bytes == NULL && size > 0) || env == NULL) return PLOY_ERR_ARGUMENT;
    ployi_lines lines;
    ployi_lines_init(&lines, size > 0 ? bytes : "", size, name, diags);
    ploy_graph_def def = ploy_graph_def_default();
    if (!ployi_lines_header(&lines, "graph") || !graphtext_options(&lines, &def)) {
        return lines.result;
    }
    ploy_graph *graph = NULL;
    ploy_result result = ploy_graph_create(&def, env, &graph);
    while (result == PLOY_OK && ployi_lines_next(&lines)) {
        if (ployi_lines_is(&lines, 0, "node"))
            result = graphtext_node(&lines, graph, false);
        else if (ployi_lines_is(&lines, 0, "gap"))
            result = graphtext_node(&lines, graph, true);
        else if (ployi_lines_is(&lines, 0, "edge"))
            result = graphtext_edge(&lines, graph);
        else {
            ployi_lines_fault(&lines, 0, PLOY_ERR_FORMAT, "unknown keyword", "node, gap or edge");
        }
    }
    if (result == PLOY_OK) result = lines.result;
    if (result != PLOY_OK) {
        ploy_graph_destroy(graph);
        return result;
    }
    *out = graph;
    return PLOY_OK;
}
