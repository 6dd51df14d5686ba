// Sense graphs; the technique is described in the header.
//
// Invariants, from create to destroy:
//   (1) every link's ends are nodes; out_links[first_out[i] .. first_out[i + 1]) are node i's, by
//       index;
//   (2) names and corners lie in the one block, after the arrays;
//   (3) the index holds each node's bounds under its number, grown by more than rounding takes.
#include "ploy/world/room_graph.h"

#include <string.h>

#include "ploy/base/map.h"
#include "ploy/base/math.h"
#include "ploy/geom/bvh.h"
#include "world/world_internal.h"

struct ploy_room_graph {
    ploy_env env;
    size_t size;
    const ploy_modalities *modalities;
    int32_t node_count, link_count;
    ploy_room *nodes;
    ploy_room_link *links;
    int32_t *first_out; // node_count + 1
    int32_t *out_links;
    ploy_bvh2 *bvh;
    ploy_map by_name; // name -> int32_t
};

ploy_room ploy_room_make(const char *name, ploy_zone zone, const ploy_modalities *modalities) {
    ploy_room node;
    memset(&node, 0, sizeof node);
    node.name = name;
    node.zone = zone;
    for (int32_t i = 0; i < ployi_modalities_count(modalities); i++) {
        node.attenuation[i] = ploy_modalities_get(modalities, i)->attenuation;
        node.dissipation[i] = ploy_modalities_get(modalities, i)->dissipation;
    }
    return node;
}

ploy_room_link ploy_room_link_make(int32_t from, int32_t to, ploy_vec3 start, ploy_vec3 end,
                                   const ploy_modalities *modalities) {
    ploy_room_link link;
    memset(&link, 0, sizeof link);
    link.from = from;
    link.to = to;
    link.start = start;
    link.end = end;
    link.distance = ploy_vec3_distance(start, end);
    for (int32_t i = 0; i < ployi_modalities_count(modalities); i++) {
        link.attenuation[i] = ploy_modalities_get(modalities, i)->attenuation;
    }
    return link;
}

static bool sense_graph_shares_are_fine(const float *shares) {
    for (int32_t i = 0; i < PLOY_MODALITIES_MAX; i++) {
        if (!ploy_in_range(shares[i], 0.0f, 1.0f)) return false;
    }
    return true;
}

static bool sense_graph_place_is_fine(ploy_vec3 at) {
    return ploy_in_range(at.x, -PLOY_ZONE_REACH_M, PLOY_ZONE_REACH_M) &&
           ploy_in_range(at.y, -PLOY_ZONE_REACH_M, PLOY_ZONE_REACH_M) &&
           ploy_in_range(at.z, -PLOY_ZONE_REACH_M, PLOY_ZONE_REACH_M);
}

static ploy_result sense_graph_refuse(const ploy_env *env, const char *why) {
    ploy_env_log(env, PLOY_SEVERITY_ERROR, why);
    return PLOY_ERR_ARGUMENT;
}

static ploy_result sense_graph_check(const ploy_room *nodes, int32_t node_count,
                                     const ploy_room_link *links, int32_t link_count,
                                     const ploy_env *env) {
    if (node_count < 1 || node_count > PLOY_ROOM_GRAPH_MAX || nodes == NULL) {
        return sense_graph_refuse(env, "number of sense graph nodes is not 1 to 2^20");
    }
    if (link_count < 0 || link_count > PLOY_ROOM_GRAPH_MAX || (link_count > 0 && links == NULL)) {
        return sense_graph_refuse(env, "number of sense graph links exceeds 2^20");
    }
    for (int32_t i = 0; i < node_count; i++) {
        if (nodes[i].name == NULL || nodes[i].name[0] == '\0') {
            return sense_graph_refuse(env, "sense graph node has no name");
        }
        if (ployi_zone_check(&nodes[i].zone) != PLOY_OK) {
            return sense_graph_refuse(env, "sense graph node has an invalid zone");
        }
        if (!sense_graph_shares_are_fine(nodes[i].attenuation) ||
            !sense_graph_shares_are_fine(nodes[i].dissipation)) {
            return sense_graph_refuse(
                env, "sense graph node's attenuation or dissipation is not in 0 to 1");
        }
    }
    for (int32_t i = 0; i < link_count; i++) {
        const ploy_room_link *link = &links[i];
        if (link->from < 0 || link->from >= node_count || link->to < 0 || link->to >= node_count ||
            link->from == link->to) {
            return sense_graph_refuse(env, "link of the sense graph has an unknown node");
        }
        if (!sense_graph_place_is_fine(link->start) || !sense_graph_place_is_fine(link->end) ||
            !ploy_in_range(link->distance, 0.0f, PLOY_ZONE_REACH_M) ||
            !sense_graph_shares_are_fine(link->attenuation)) {
            return sense_graph_refuse(
                env, "sense graph link has an invalid place, distance or attenuation");
        }
    }
    return PLOY_OK;
}

// Copies zones' corners and names behind the arrays. Keeps (2).
static void sense_graph_copy_texts(ploy_room_graph *graph, ploy_vec2 *corners, char *texts) {
    for (int32_t i = 0; i < graph->node_count; i++) {
        ploy_room *node = &graph->nodes[i];
        if (node->zone.kind == PLOY_ZONE_POLYGON) {
            int32_t count = node->zone.polygon.count;
            memcpy(corners, node->zone.polygon.points, (size_t)count * sizeof *corners);
            node->zone.polygon = ploy_polygon_make(corners, count);
            corners += count;
        }
        size_t length = strlen(node->name) + 1;
        memcpy(texts, node->name, length);
        node->name = texts;
        texts += length;
    }
}

// Counting sort of the links by where they begin. Keeps (1).
static void sense_graph_sort_links(ploy_room_graph *graph) {
    memset(graph->first_out, 0, ((size_t)graph->node_count + 1) * sizeof *graph->first_out);
    for (int32_t i = 0; i < graph->link_count; i++) graph->first_out[graph->links[i].from + 1]++;
    for (int32_t i = 0; i < graph->node_count; i++) {
        graph->first_out[i + 1] += graph->first_out[i];
    }
    for (int32_t i = graph->link_count - 1; i >= 0; i--) {
        graph->out_links[--graph->first_out[graph->links[i].from + 1]] = i;
    }
    // Each first_out[i + 1] went down to where node i begins: one place up is where it belongs.
    for (int32_t i = 0; i < graph->node_count; i++) {
        graph->first_out[i] = graph->first_out[i + 1];
    }
    graph->first_out[graph->node_count] = graph->link_count;
}

static ploy_result sense_graph_index(ploy_room_graph *graph) {
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = graph->node_count;
    ploy_result result = ploy_bvh2_create(&def, &graph->env, &graph->bvh);
    if (result == PLOY_OK) result = ploy_map_reserve(&graph->by_name, graph->node_count);
    for (int32_t i = 0; result == PLOY_OK && i < graph->node_count; i++) {
        ploy_box2 box = ploy_zone_bounds(&graph->nodes[i].zone);
        (void)ploy_bvh2_insert(graph->bvh, i, ployi_zone_slack_box(box)); // keeps (3)
        ploy_name name = ploy_name_of(graph->nodes[i].name);
        if (ploy_map_has(&graph->by_name, name.hash)) return PLOY_ERR_EXISTS;
        result = ploy_map_put(&graph->by_name, name.hash, &i);
    }
    return result;
}

ploy_result ploy_room_graph_create(const ploy_room *nodes, int32_t node_count,
                                   const ploy_room_link *links, int32_t link_count,
                                   const ploy_modalities *modalities, const ploy_env *env,
                                   ploy_room_graph **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || modalities == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = sense_graph_check(nodes, node_count, links, link_count, env);
    if (result != PLOY_OK) return result;
    int64_t corners = 0, texts = 0;
    for (int32_t i = 0; i < node_count; i++) {
        if (nodes[i].zone.kind == PLOY_ZONE_POLYGON) corners += nodes[i].zone.polygon.count;
        texts += (int64_t)strlen(nodes[i].name) + 1;
    }
    size_t head = (sizeof(ploy_room_graph) + 15u) & ~(size_t)15u, size = head;
    if (!ploy_size_add_array(size, node_count, sizeof(ploy_room), &size) ||
        !ploy_size_add_array(size, link_count, sizeof(ploy_room_link) + sizeof(int32_t), &size) ||
        !ploy_size_add_array(size, (int64_t)node_count + 1, sizeof(int32_t), &size) ||
        !ploy_size_add_array(size, corners, sizeof(ploy_vec2), &size) ||
        !ploy_size_add_array(size, texts, 1, &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_room_graph *graph = ploy_env_alloc_zero(env, size);
    if (graph == NULL) return PLOY_ERR_MEMORY;
    graph->env = *env;
    graph->size = size;
    graph->modalities = modalities;
    graph->node_count = node_count;
    graph->link_count = link_count;
    graph->nodes = (ploy_room *)(void *)((unsigned char *)graph + head);
    graph->links = (ploy_room_link *)(void *)(graph->nodes + node_count);
    graph->out_links = (int32_t *)(void *)(graph->links + link_count);
    graph->first_out = graph->out_links + link_count;
    ploy_vec2 *corner_room = (ploy_vec2 *)(void *)(graph->first_out + node_count + 1);
    memcpy(graph->nodes, nodes, (size_t)node_count * sizeof *nodes);
    if (link_count > 0) memcpy(graph->links, links, (size_t)link_count * sizeof *links);
    sense_graph_copy_texts(graph, corner_room, (char *)(corner_room + corners));
    sense_graph_sort_links(graph);
    ploy_map_init(&graph->by_name, sizeof(int32_t), env);
    result = sense_graph_index(graph);
    if (result != PLOY_OK) {
        ploy_room_graph_destroy(graph);
        return result;
    }
    *out = graph;
    return PLOY_OK;
}

void ploy_room_graph_destroy(ploy_room_graph *graph) {
    if (graph == NULL) return;
    ploy_env env = graph->env;
    ploy_bvh2_destroy(graph->bvh);
    ploy_map_fini(&graph->by_name);
    ploy_env_free(&env, graph, graph->size);
}

int32_t ploy_room_graph_node_count(const ploy_room_graph *graph) {
    return graph->node_count;
}

int32_t ploy_room_graph_link_count(const ploy_room_graph *graph) {
    return graph->link_count;
}

const ploy_room *ploy_room_graph_node(const ploy_room_graph *graph, int32_t index) {
    return index >= 0 && index < graph->node_count ? &graph->nodes[index] : NULL;
}

const ploy_room_link *ploy_room_graph_link(const ploy_room_graph *graph, int32_t index) {
    return index >= 0 && index < graph->link_count ? &graph->links[index] : NULL;
}

const int32_t *ploy_room_graph_out(const ploy_room_graph *graph, int32_t node, int32_t *count) {
    *count = 0;
    if (node < 0 || node >= graph->node_count) return NULL;
    *count = graph->first_out[node + 1] - graph->first_out[node];
    return graph->out_links + graph->first_out[node];
}

const ploy_modalities *ployi_room_graph_modalities(const ploy_room_graph *graph) {
    return graph->modalities;
}

int32_t ploy_room_graph_find(const ploy_room_graph *graph, const char *name) {
    const int32_t *index = ploy_map_find_text(&graph->by_name, name);
    return index != NULL && strcmp(graph->nodes[*index].name, name) == 0 ? *index : -1;
}

typedef struct sense_graph_search {
    const ploy_room_graph *graph;
    ploy_vec3 point;
    int32_t best;
} sense_graph_search;

static bool sense_graph_visit(void *user, int32_t id, double *limit) {
    (void)limit;
    sense_graph_search *search = user;
    bool lower = search->best < 0 || id < search->best;
    if (lower && ploy_zone_contains(&search->graph->nodes[id].zone, search->point)) {
        search->best = id;
    }
    return true;
}

int32_t ploy_room_graph_locate(const ploy_room_graph *graph, ploy_vec3 point) {
    sense_graph_search search = {graph, point, -1};
    ploy_query2 query = ploy_query2_radius(ploy_vec2_make(point.x, point.y), 0.0f);
    ploy_bvh2_visit(graph->bvh, &query, sense_graph_visit, &search, NULL);
    return search.best;
}

void ploy_room_graph_describe(const ploy_room_graph *graph, ploy_describe *out) {
    ploy_describe_begin(out, "nodes");
    for (int32_t i = 0; i < graph->node_count; i++) {
        ploy_describe_begin_item(out, i);
        ploy_describe_text(out, "name", PLOY_DERIVED, graph->nodes[i].name);
        ploy_zone_describe(&graph->nodes[i].zone, "zone", PLOY_DERIVED, out);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "links");
    for (int32_t i = 0; i < graph->link_count; i++) {
        const ploy_room_link *link = &graph->links[i];
        ploy_describe_begin_item(out, i);
        ploy_describe_text(out, "from", PLOY_DERIVED, graph->nodes[link->from].name);
        ploy_describe_text(out, "to", PLOY_DERIVED, graph->nodes[link->to].name);
        ploy_describe_f32(out, "distance", PLOY_DERIVED, link->distance);
        for (int32_t m = 0; m < ployi_modalities_count(graph->modalities); m++) {
            ploy_describe_f32(out, ploy_modalities_get(graph->modalities, m)->name, PLOY_DERIVED,
                              link->attenuation[m]);
        }
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

void ploy_room_graph_draw(const ploy_room_graph *graph, ploy_draw *out) {
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < graph->node_count; i++) {
        const ploy_room *node = &graph->nodes[i];
        ploy_vec3 at = ploy_zone_centre(&node->zone);
        ploy_zone_draw(&node->zone, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, nobody, 0.03f, out);
        ploy_draw_text(out, nobody, ploy_vec2_make(at.x, at.y), node->name);
    }
    for (int32_t i = 0; i < graph->link_count; i++) {
        const ploy_room_link *link = &graph->links[i];
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody,
                       ploy_vec2_make(link->start.x, link->start.y),
                       ploy_vec2_make(link->end.x, link->end.y));
    }
}

void ploy_room_graph_memory(const ploy_room_graph *graph, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"sense graph", graph->size, 1};
    fn(user, &item);
    ploy_bvh2_memory(graph->bvh, fn, user);
    ploy_map_memory(&graph->by_name, fn, user);
}
