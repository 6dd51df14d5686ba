// Sense graphs as text, and what looks wrong in one.
#include "ploy/world/room_graph.h"

#include "world/world_internal.h"

#include <string.h>

#include "ploy/base/map.h"

// ---- writing ----

static void graph_text_place(ploy_json_writer *json, const char *key, ploy_vec3 at) {
    ploy_value value = ploy_value_vec3(at.x, at.y, at.z);
    ploy_json_write_key(json, key);
    ploy_json_write_value(json, &value);
}

static void graph_text_shares(ploy_json_writer *json, const char *key, const float *shares,
                              const ploy_modalities *modalities) {
    ploy_json_write_key(json, key);
    ploy_json_write_begin_object(json);
    for (int32_t i = 0; i < ployi_modalities_count(modalities); i++) {
        ploy_json_write_key(json, ploy_modalities_get(modalities, i)->name);
        ploy_json_write_f32(json, shares[i]);
    }
    ploy_json_write_end_object(json);
}

void ploy_room_graph_save(const ploy_room_graph *graph, ploy_json_writer *json) {
    const ploy_modalities *modalities = ployi_room_graph_modalities(graph);
    ploy_json_write_begin_object(json);
    ploy_json_write_key(json, "nodes");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < ploy_room_graph_node_count(graph); i++) {
        const ploy_room *node = ploy_room_graph_node(graph, i);
        ploy_json_write_begin_object(json);
        ploy_json_write_key(json, "name");
        ploy_json_write_text(json, node->name);
        ploy_json_write_key(json, "zone");
        ployi_zone_save_json(&node->zone, json);
        graph_text_shares(json, "attenuation", node->attenuation, modalities);
        graph_text_shares(json, "dissipation", node->dissipation, modalities);
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
    ploy_json_write_key(json, "links");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < ploy_room_graph_link_count(graph); i++) {
        const ploy_room_link *link = ploy_room_graph_link(graph, i);
        ploy_json_write_begin_object(json);
        ploy_json_write_key(json, "from");
        ploy_json_write_text(json, ploy_room_graph_node(graph, link->from)->name);
        ploy_json_write_key(json, "to");
        ploy_json_write_text(json, ploy_room_graph_node(graph, link->to)->name);
        graph_text_place(json, "start", link->start);
        graph_text_place(json, "end", link->end);
        ploy_json_write_key(json, "distance");
        ploy_json_write_f32(json, link->distance);
        graph_text_shares(json, "attenuation", link->attenuation, modalities);
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
    ploy_json_write_end_object(json);
}

// ---- reading ----

typedef struct graph_text_reader {
    ploy_env env;
    const ploy_json *doc;
    const ploy_modalities *modalities;
    ploy_diags *diags;
    bool fine; // no fault so far
    ploy_room *nodes;
    int32_t node_count; // read
    ploy_room_link *links;
    int32_t link_count; // read
    ploy_vec2 *corners;
    int32_t corners_used;
    ploy_map by_name; // -> int32_t
    size_t node_bytes, link_bytes, corner_bytes;
} graph_text_reader;

static void graph_text_fault(graph_text_reader *reader, ploy_json_node at, const char *message,
                             const char *expected, const char *nearest) {
    reader->fine = false;
    ploy_json_fault(reader->doc, at, reader->diags, message, expected, nearest);
}

// {"sound": 0.9, ...} over what the shares are already.
static void graph_text_read_shares(graph_text_reader *reader, ploy_json_node parent,
                                   const char *key, float *shares) {
    const ploy_json *doc = reader->doc;
    ploy_json_node object = ploy_json_member(doc, parent, key);
    if (ploy_json_is_none(object)) return;
    if (ploy_json_type_of(doc, object) != PLOY_JSON_OBJECT) {
        graph_text_fault(reader, object, "expected an object of modalities", NULL, NULL);
        return;
    }
    for (int32_t i = 0; i < ploy_json_count(doc, object); i++) {
        ploy_json_node value = ploy_json_at(doc, object, i);
        const char *name = ploy_json_key(doc, value, NULL);
        int32_t index = ploy_modalities_find(reader->modalities, name);
        float share = 0.0f;
        if (index < 0) {
            ploy_nearest nearest = ploy_nearest_make(name);
            for (int32_t m = 0; m < ployi_modalities_count(reader->modalities); m++) {
                ploy_nearest_offer(&nearest, ploy_modalities_get(reader->modalities, m)->name);
            }
            graph_text_fault(reader, value, "unknown modality", NULL, nearest.best);
        } else if (ploy_json_f32(doc, value, &share) != PLOY_OK ||
                   !ploy_in_range(share, 0.0f, 1.0f)) {
            graph_text_fault(reader, value, "invalid share", "a number from 0 to 1", NULL);
        } else {
            shares[index] = share;
        }
    }
}

static void graph_text_read_node(graph_text_reader *reader, ploy_json_node item,
                                 int32_t corners_left) {
    static const char *const keys[] = {"name", "zone", "attenuation", "dissipation"};
    const ploy_json *doc = reader->doc;
    if (ploy_json_check_keys(doc, item, keys, 4, reader->diags) > 0) reader->fine = false;
    ploy_json_node name = ploy_json_member(doc, item, "name");
    size_t length = 0;
    const char *text = ploy_json_text(doc, name, &length);
    if (ploy_json_type_of(doc, name) != PLOY_JSON_TEXT || length == 0 || strlen(text) != length) {
        graph_text_fault(reader, ploy_json_is_none(name) ? item : name, "missing node name", NULL,
                         NULL);
    }
    if (length > 0 && ploy_map_find_text(&reader->by_name, text) != NULL) {
        graph_text_fault(reader, name, "duplicate node name", NULL, NULL);
    }
    ploy_zone zone = ploy_zone_circle(ploy_vec2_zero(), 1.0f);
    if (ployi_zone_load_json(doc, ploy_json_member(doc, item, "zone"),
                             reader->corners + reader->corners_used, corners_left, reader->diags,
                             &zone) != PLOY_OK) {
        reader->fine = false;
    }
    if (zone.kind == PLOY_ZONE_POLYGON) reader->corners_used += zone.polygon.count;
    ploy_room *node = &reader->nodes[reader->node_count];
    *node = ploy_room_make(text, zone, reader->modalities);
    graph_text_read_shares(reader, item, "attenuation", node->attenuation);
    graph_text_read_shares(reader, item, "dissipation", node->dissipation);
    if (length > 0) {
        // Reserved, so it cannot fail.
        (void)ploy_map_put_text(&reader->by_name, text, &reader->node_count);
    }
    reader->node_count++;
}

static int32_t graph_text_read_end(graph_text_reader *reader, ploy_json_node item,
                                   const char *key) {
    ploy_json_node name = ploy_json_member(reader->doc, item, key);
    const char *text = ploy_json_text(reader->doc, name, NULL);
    const int32_t *index = ploy_map_find_text(&reader->by_name, text);
    if (index != NULL) return *index;
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < reader->node_count; i++) {
        ploy_nearest_offer(&nearest, reader->nodes[i].name);
    }
    graph_text_fault(reader, ploy_json_is_none(name) ? item : name, "missing nodes of the link",
                     key, nearest.best);
    return 0;
}

static bool graph_text_read_place(graph_text_reader *reader, ploy_json_node item, const char *key,
                                  ploy_vec3 *out) {
    const ploy_json *doc = reader->doc;
    ploy_json_node node = ploy_json_member(doc, item, key);
    if (ploy_json_is_none(node)) return false;
    float parts[3] = {0.0f, 0.0f, 0.0f};
    int32_t count = ploy_json_count(doc, node);
    bool fine = ploy_json_type_of(doc, node) == PLOY_JSON_ARRAY && (count == 2 || count == 3);
    for (int32_t i = 0; fine && i < count; i++) {
        fine = ploy_json_f32(doc, ploy_json_at(doc, node, i), &parts[i]) == PLOY_OK;
    }
    if (!fine) graph_text_fault(reader, node, "invalid place", "two or three numbers", NULL);
    *out = ploy_vec3_make(parts[0], parts[1], parts[2]);
    return true;
}

static void graph_text_read_link(graph_text_reader *reader, ploy_json_node item) {
    static const char *const keys[] = {"from",     "to",   "start",      "end",
                                       "distance", "both", "attenuation"};
    const ploy_json *doc = reader->doc;
    if (ploy_json_check_keys(doc, item, keys, 7, reader->diags) > 0) reader->fine = false;
    int32_t from = graph_text_read_end(reader, item, "from");
    int32_t to = graph_text_read_end(reader, item, "to");
    ploy_vec3 start = ploy_vec3_make(0.0f, 0.0f, 0.0f);
    if (!graph_text_read_place(reader, item, "start", &start)) {
        graph_text_fault(reader, item, "missing start of the link", NULL, NULL);
    }
    ploy_vec3 end = start;
    (void)graph_text_read_place(reader, item, "end", &end);
    ploy_room_link link = ploy_room_link_make(from, to, start, end, reader->modalities);
    ploy_json_node distance = ploy_json_member(doc, item, "distance");
    if (!ploy_json_is_none(distance) && (ploy_json_f32(doc, distance, &link.distance) != PLOY_OK ||
                                         !ploy_in_range(link.distance, 0.0f, PLOY_ZONE_REACH_M))) {
        graph_text_fault(reader, distance, "invalid distance", "metres, at least 0", NULL);
    }
    ploy_json_node both = ploy_json_member(doc, item, "both");
    bool two = false;
    if (!ploy_json_is_none(both) && ploy_json_bool(doc, both, &two) != PLOY_OK) {
        graph_text_fault(reader, both, "expected true or false for 'both'", NULL, NULL);
    }
    graph_text_read_shares(reader, item, "attenuation", link.attenuation);
    if (reader->fine && from == to) {
        graph_text_fault(reader, item, "link leads back to its own node", NULL, NULL);
    }
    reader->links[reader->link_count++] = link;
    if (!two) return;
    link.from = to;
    link.to = from;
    link.start = end;
    link.end = start;
    reader->links[reader->link_count++] = link;
}

// How many corners all polygons together may have: what is in the text.
static int64_t graph_text_count_corners(const ploy_json *doc, ploy_json_node nodes) {
    int64_t count = 0;
    for (int32_t i = 0; i < ploy_json_count(doc, nodes); i++) {
        ploy_json_node zone = ploy_json_member(doc, ploy_json_at(doc, nodes, i), "zone");
        count += ploy_json_count(doc, ploy_json_member(doc, zone, "points"));
    }
    return count;
}

static ploy_result graph_text_allocate(graph_text_reader *reader, int32_t nodes, int32_t links,
                                       int64_t corners) {
    if (!ploy_size_add_array(0, nodes, sizeof *reader->nodes, &reader->node_bytes) ||
        !ploy_size_add_array(0, 2 * (int64_t)links + 1, sizeof *reader->links,
                             &reader->link_bytes) ||
        !ploy_size_add_array(0, corners + 1, sizeof *reader->corners, &reader->corner_bytes)) {
        return PLOY_ERR_MEMORY;
    }
    reader->nodes = ploy_env_alloc(&reader->env, reader->node_bytes);
    reader->links = ploy_env_alloc(&reader->env, reader->link_bytes);
    reader->corners = ploy_env_alloc(&reader->env, reader->corner_bytes);
    if (reader->nodes == NULL || reader->links == NULL || reader->corners == NULL) {
        return PLOY_ERR_MEMORY;
    }
    return ploy_map_reserve(&reader->by_name, nodes);
}

static ploy_result graph_text_read(graph_text_reader *reader, ploy_room_graph **out) {
    static const char *const keys[] = {"nodes", "links"};
    const ploy_json *doc = reader->doc;
    ploy_json_node root = ploy_json_root(doc), nodes = ploy_json_member(doc, root, "nodes");
    ploy_json_node links = ploy_json_member(doc, root, "links");
    if (ploy_json_type_of(doc, root) == PLOY_JSON_OBJECT) {
        if (ploy_json_check_keys(doc, root, keys, 2, reader->diags) > 0) reader->fine = false;
    }
    int32_t node_count = ploy_json_count(doc, nodes), link_count = ploy_json_count(doc, links);
    if (ploy_json_type_of(doc, nodes) != PLOY_JSON_ARRAY || node_count == 0) {
        graph_text_fault(reader, root, "expected an object with an array of nodes", NULL, NULL);
        return PLOY_ERR_FORMAT;
    }
    if (!ploy_json_is_none(links) && ploy_json_type_of(doc, links) != PLOY_JSON_ARRAY) {
        graph_text_fault(reader, links, "expected an array of links", NULL, NULL);
        return PLOY_ERR_FORMAT;
    }
    if (node_count > PLOY_ROOM_GRAPH_MAX || link_count > PLOY_ROOM_GRAPH_MAX / 2) {
        graph_text_fault(reader, root, "sense graph is too large", NULL, NULL);
        return PLOY_ERR_LIMIT;
    }
    int64_t corners = graph_text_count_corners(doc, nodes);
    ploy_result result = graph_text_allocate(reader, node_count, link_count, corners);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < node_count; i++) {
        graph_text_read_node(reader, ploy_json_at(doc, nodes, i),
                             (int32_t)corners - reader->corners_used);
    }
    for (int32_t i = 0; i < link_count; i++) {
        graph_text_read_link(reader, ploy_json_at(doc, links, i));
    }
    if (!reader->fine) return PLOY_ERR_FORMAT;
    result = ploy_room_graph_create(reader->nodes, reader->node_count, reader->links,
                                    reader->link_count, reader->modalities, &reader->env, out);
    if (result == PLOY_ERR_ARGUMENT) {
        graph_text_fault(reader, root, "link place is out of range", NULL, NULL);
        result = PLOY_ERR_FORMAT;
    }
    return result;
}

ploy_result ploy_room_graph_load(const void *bytes, size_t size, const char *name,
                                 const ploy_modalities *modalities, const ploy_env *env,
                                 ploy_diags *diags, ploy_room_graph **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (modalities == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_json *doc = NULL;
    ploy_json_def def = ploy_json_def_default();
    def.relaxed = true; // written by hand, often
    ploy_result result = ploy_json_load(bytes, size, name, &def, env, diags, &doc);
    if (result != PLOY_OK) return result;
    graph_text_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.env = *env;
    reader.doc = doc;
    reader.modalities = modalities;
    reader.diags = diags;
    reader.fine = true;
    ploy_map_init(&reader.by_name, sizeof(int32_t), env);
    result = graph_text_read(&reader, out);
    ploy_map_fini(&reader.by_name);
    ploy_env_free(env, reader.nodes, reader.node_bytes);
    ploy_env_free(env, reader.links, reader.link_bytes);
    ploy_env_free(env, reader.corners, reader.corner_bytes);
    ploy_json_destroy(doc);
    return result;
}

// ---- lint ----

typedef struct graph_text_lint {
    const char *name;
    ploy_diags *diags;
    int32_t count;
} graph_text_lint;

static void graph_text_warn(graph_text_lint *lint, const char *message, const char *what) {
    lint->count++;
    ploy_diags_add(lint->diags, PLOY_SEVERITY_WARNING, PLOY_ERR_STATE, lint->name, 0, 0, message,
                   what, NULL);
}

// Whether anything passes the link, and whether its ends are where they should be.
static void graph_text_lint_link(graph_text_lint *lint, const ploy_room_graph *graph,
                                 const ploy_room_link *link, uint32_t *carried) {
    const ploy_room *from = ploy_room_graph_node(graph, link->from);
    const ploy_room *to = ploy_room_graph_node(graph, link->to);
    uint32_t passes = 0;
    for (int32_t m = 0; m < PLOY_MODALITIES_MAX; m++) {
        if (link->attenuation[m] > 0.0f) passes |= 1u << m;
    }
    *carried |= passes;
    if (passes == 0) graph_text_warn(lint, "link out of this node carries nothing", from->name);
    // Bodies are a little off a wall; a metre is not an error.
    if (!ploy_zone_touches(&from->zone, link->start, 1.0f)) {
        graph_text_warn(lint, "link starts outside the node it leaves", from->name);
    }
    if (!ploy_zone_touches(&to->zone, link->end, 1.0f)) {
        graph_text_warn(lint, "link ends outside the node it leads to", to->name);
    }
}

int32_t ploy_room_graph_lint(const ploy_room_graph *graph, const char *name, ploy_diags *diags) {
    graph_text_lint lint = {name, diags, 0};
    const ploy_modalities *modalities = ployi_room_graph_modalities(graph);
    int32_t links = ploy_room_graph_link_count(graph);
    uint32_t carried = 0;
    for (int32_t i = 0; i < links; i++) {
        graph_text_lint_link(&lint, graph, ploy_room_graph_link(graph, i), &carried);
    }
    for (int32_t i = 0; i < ploy_room_graph_node_count(graph); i++) {
        int32_t out = 0;
        bool reached = false;
        (void)ploy_room_graph_out(graph, i, &out);
        for (int32_t l = 0; l < links && out == 0 && !reached; l++) {
            reached = ploy_room_graph_link(graph, l)->to == i;
        }
        if (out == 0 && !reached) {
            graph_text_warn(&lint, "unreachable node, no link leaves or enters it",
                            ploy_room_graph_node(graph, i)->name);
        }
    }
    for (int32_t m = 0; links > 0 && m < ployi_modalities_count(modalities); m++) {
        const ploy_modality *modality = ploy_modalities_get(modalities, m);
        if ((carried >> m & 1u) == 0 && modality->kind != PLOY_SENSE_TOUCH) {
            graph_text_warn(&lint, "unused modality, no link carries it", modality->name);
        }
    }
    return lint.count;
}
