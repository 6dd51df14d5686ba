// Waypoint networks as text; see network.h.
//
//     wpn 1
//     waypoint <id> <x y z> <qx qy qz qw> <radius> <blind bytes or ->
//     edge <from> <to> <modifier> <open 0|1>
//     poi <id> <x y z> <radius>
//
// Ids and bytes are hexadecimal. The quaternion has its w last in the file and first in memory.
#include <float.h>
#include <string.h>

#include "path/network_internal.h"

#include "path/path_internal.h"
#include "path/path_lines.h"

static void networktext_floats(ploy_writer *writer, const float *numbers, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        ploy_write_char(writer, ' ');
        ploy_write_f32(writer, numbers[i]);
    }
}

static void networktext_waypoint(const ployi_network_item *item, ploy_writer *writer) {
    const ploy_waypoint *w = &item->waypoint;
    float numbers[8] = {w->position.x,    w->position.y,    w->position.z,    w->orientation.x,
                        w->orientation.y, w->orientation.z, w->orientation.w, w->radius};
    ploy_write_text(writer, "waypoint ");
    ploy_write_hex64(writer, w->id);
    networktext_floats(writer, numbers, 8);
    ploy_write_text(writer, item->blind_size > 0 ? " " : " -");
    for (int32_t i = 0; i < item->blind_size; i++) {
        static const char digits[] = "0123456789abcdef";
        ploy_write_char(writer, digits[item->blind[i] >> 4]);
        ploy_write_char(writer, digits[item->blind[i] & 15]);
    }
    ploy_write_char(writer, '\n');
}

ploy_result ploy_network_save(const ploy_network *network, ploy_writer *writer) {
    const ploy_graph *graph = network->graph;
    ploy_waypoint waypoint;
    ploy_write_text(writer, "wpn 1\n");
    for (int32_t cursor = 0; ploy_network_next(network, &cursor, &waypoint);) {
        networktext_waypoint(ployi_network_at(network, waypoint.id), writer);
    }
    for (int32_t n = ploy_graph_next_node(graph, 0); n >= 0;
         n = ploy_graph_next_node(graph, n + 1)) {
        for (int32_t e = ploy_graph_first_out(graph, n); e >= 0;
             e = ploy_graph_next_out(graph, e)) {
            ploy_graph_edge edge;
            if (!ploy_graph_edge_at(graph, e, &edge)) continue;
            ploy_write_text(writer, "edge ");
            ploy_write_hex64(writer, ploy_network_id(network, edge.from));
            ploy_write_char(writer, ' ');
            ploy_write_hex64(writer, ploy_network_id(network, edge.to));
            const ployi_network_link *link = PLOY_ARRAY_AT(&network->links, ployi_network_link, e);
            networktext_floats(writer, &link->modifier, 1);
            ploy_write_text(writer, (edge.flags & PLOY_GRAPH_CLOSED) != 0 ? " 0" : " 1");
            if (link->data != 0) {
                ploy_write_char(writer, ' ');
                ploy_write_hex64(writer, link->data);
            }
            ploy_write_char(writer, '\n');
        }
    }
    for (int32_t i = 0; i < network->places.count; i++) {
        const ploy_network_place *p = ploy_array_at(&network->places, i);
        float numbers[4] = {p->position.x, p->position.y, p->position.z, p->radius};
        ploy_write_text(writer, "poi ");
        ploy_write_hex64(writer, p->id);
        networktext_floats(writer, numbers, 4);
        ploy_write_char(writer, '\n');
    }
    return ploy_writer_result(writer);
}

static bool networktext_vec3(ployi_lines *lines, int32_t word, ploy_vec3 *out) {
    return ployi_lines_f32(lines, word, -FLT_MAX, FLT_MAX, &out->x) &&
           ployi_lines_f32(lines, word + 1, -FLT_MAX, FLT_MAX, &out->y) &&
           ployi_lines_f32(lines, word + 2, -FLT_MAX, FLT_MAX, &out->z);
}

static int32_t networktext_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// The blind bytes, the last word of a waypoint.
static ploy_result networktext_blind(ployi_lines *lines, int32_t word, ploy_network *network,
                                     uint64_t id) {
    const char *text = lines->words[word];
    size_t length = lines->lengths[word];
    if (ployi_lines_is(lines, word, "-")) return PLOY_OK;
    bool good = length % 2 == 0 && length / 2 <= PLOY_WAYPOINT_BLIND_MAX;
    for (size_t i = 0; i < length && good; i++) good = networktext_digit(text[i]) >= 0;
    if (!good) {
        ployi_lines_fault(lines, word, PLOY_ERR_FORMAT, "invalid bytes",
                          "pairs of hexadecimal digits, or -");
        return PLOY_OK;
    }
    ploy_result result = ploy_network_blind_resize(network, id, (int32_t)(length / 2));
    for (size_t i = 0; i < length / 2 && result == PLOY_OK; i++) {
        int32_t byte = networktext_digit(text[2 * i]) * 16 + networktext_digit(text[2 * i + 1]);
        ployi_network_at(network, id)->blind[i] = (unsigned char)byte;
    }
    return result;
}

// Turns what adding said into a fault of the text; memory is no fault of the text.
static ploy_result networktext_refused(ployi_lines *lines, int32_t word, ploy_result result) {
    const char *why = result == PLOY_ERR_EXISTS      ? "duplicate name"
                      : result == PLOY_ERR_NOT_FOUND ? "unknown waypoint"
                      : result == PLOY_ERR_ARGUMENT  ? "invalid line"
                                                     : NULL;
    if (why == NULL) return result;
    ployi_lines_fault(lines, word, PLOY_ERR_FORMAT, why, NULL);
    return PLOY_OK;
}

static ploy_result networktext_read_waypoint(ployi_lines *lines, ploy_network *network) {
    ploy_waypoint w;
    if (!ployi_lines_counts(lines, 11, 11) || !ployi_lines_u64(lines, 1, true, UINT64_MAX, &w.id) ||
        !networktext_vec3(lines, 2, &w.position) ||
        !ployi_lines_f32(lines, 5, -2.0f, 2.0f, &w.orientation.x) ||
        !ployi_lines_f32(lines, 6, -2.0f, 2.0f, &w.orientation.y) ||
        !ployi_lines_f32(lines, 7, -2.0f, 2.0f, &w.orientation.z) ||
        !ployi_lines_f32(lines, 8, -2.0f, 2.0f, &w.orientation.w) ||
        !ployi_lines_f32(lines, 9, 0.0f, FLT_MAX, &w.radius)) {
        return PLOY_OK;
    }
    ploy_result result = ploy_network_add(network, &w);
    if (result != PLOY_OK) return networktext_refused(lines, 1, result);
    return networktext_blind(lines, 10, network, w.id);
}

static ploy_result networktext_read_edge(ployi_lines *lines, ploy_network *network) {
    uint64_t from = 0, to = 0;
    ploy_waypoint_edge edge = {1.0f, true, 0.0, 0};
    int32_t open = 1;
    if (!ployi_lines_counts(lines, 5, 6) || !ployi_lines_u64(lines, 1, true, UINT64_MAX, &from) ||
        !ployi_lines_u64(lines, 2, true, UINT64_MAX, &to) ||
        !ployi_lines_f32(lines, 3, 0.0f, FLT_MAX, &edge.modifier) ||
        !ployi_lines_i32(lines, 4, 0, 1, &open) ||
        (lines->count > 5 && !ployi_lines_u64(lines, 5, true, UINT64_MAX, &edge.data))) {
        return PLOY_OK;
    }
    ploy_result result = ploy_network_connect(network, from, to, edge.modifier);
    if (result != PLOY_OK) {
        bool second = ploy_network_state(network, from) >= 0;
        return networktext_refused(lines, second ? 2 : 1, result);
    }
    edge.open = open == 1;
    return ploy_network_set_edge(network, from, to, &edge);
}

static ploy_result networktext_read_place(ployi_lines *lines, ploy_network *network) {
    ploy_network_place place;
    if (!ployi_lines_counts(lines, 6, 6) ||
        !ployi_lines_u64(lines, 1, true, UINT64_MAX, &place.id) ||
        !networktext_vec3(lines, 2, &place.position) ||
        !ployi_lines_f32(lines, 5, 0.0f, FLT_MAX, &place.radius)) {
        return PLOY_OK;
    }
    ploy_result result = ploy_network_add_place(network, &place);
    return result != PLOY_OK ? networktext_refused(lines, 1, result) : PLOY_OK;
}

ploy_result ploy_network_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                              ploy_diags *diags, ploy_network **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if ((bytes == NULL && size > 0) || env == NULL) return PLOY_ERR_ARGUMENT;
    ployi_lines lines;
    ployi_lines_init(&lines, size > 0 ? bytes : "", size, name, diags);
    if (!ployi_lines_header(&lines, "wpn")) return lines.result;
    ploy_network *network = NULL;
    ploy_result result = ploy_network_create(env, &network);
    while (result == PLOY_OK && ployi_lines_next(&lines)) {
        if (ployi_lines_is(&lines, 0, "waypoint")) {
            result = networktext_read_waypoint(&lines, network);
        } else if (ployi_lines_is(&lines, 0, "edge")) {
            result = networktext_read_edge(&lines, network);
        } else if (ployi_lines_is(&lines, 0, "poi")) {
            result = networktext_read_place(&lines, network);
        } else {
            ployi_lines_fault(&lines, 0, PLOY_ERR_FORMAT, "unknown keyword",
                              "waypoint, edge or poi");
        }
    }
    if (result == PLOY_OK) result = lines.result;
    if (result != PLOY_OK) {
        ploy_network_destroy(network);
        return result;
    }
    *out = network;
    return PLOY_OK;
}
