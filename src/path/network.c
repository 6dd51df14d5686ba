// The waypoint network as a container; see the header. Getting about is in network_find.c, text in
// network_text.c.
//
// Invariants:
//   (1) items and the graph's nodes have the same slots; an item is in use exactly if its node is
//       present, and then the map finds its slot by its id, and the index has its box;
//   (2) free slots are in a list that runs through next_free;
//   (3) each edge of the graph costs the distance of its ends times its modifier, which is at least
//       `least`.
#include "ploy/path/network.h"

#include "path/path_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "path/network_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/path/heuristic.h"

ploy_result ploy_network_create(const ploy_env *env, ploy_network **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_network *network = ploy_env_alloc_zero(env, sizeof *network);
    if (network == NULL) return PLOY_ERR_MEMORY;
    network->env = *env;
    network->free_slot = PLOY_GRAPH_NONE;
    ploy_array_init(&network->items, sizeof(ployi_network_item), env);
    ploy_array_init(&network->links, sizeof(ployi_network_link), env);
    ploy_array_init(&network->places, sizeof(ploy_network_place), env);
    ploy_map_init(&network->slots, sizeof(int32_t), env);
    ploy_graph_def def = ploy_graph_def_default();
    def.parallel = false;
    ploy_result result = ploy_graph_create(&def, env, &network->graph);
    if (result != PLOY_OK) {
        ploy_network_destroy(network);
        return result;
    }
    *out = network;
    return PLOY_OK;
}

static ployi_network_item *network_items(const ploy_network *network) {
    return PLOY_ARRAY_ITEMS(&network->items, ployi_network_item);
}

void ploy_network_destroy(ploy_network *network) {
    if (network == NULL) return;
    ploy_env env = network->env;
    for (int32_t i = 0; i < network->items.count; i++) {
        const ployi_network_item *item = &network_items(network)[i];
        ploy_env_free(&env, item->blind, (size_t)item->blind_size);
    }
    ploy_graph_destroy(network->graph);
    ploy_array_fini(&network->items);
    ploy_array_fini(&network->links);
    ploy_array_fini(&network->places);
    ploy_map_fini(&network->slots);
    ploy_bvh3_destroy(network->index);
    ploy_env_free(&env, network, sizeof *network);
}

int32_t ploy_network_state(const ploy_network *network, uint64_t id) {
    const int32_t *slot = id != PLOY_WAYPOINT_NONE ? ploy_map_get(&network->slots, id) : NULL;
    return slot != NULL ? *slot : PLOY_STATE_NONE;
}

ployi_network_item *ployi_network_at(const ploy_network *network, uint64_t id) {
    int32_t slot = ploy_network_state(network, id);
    return slot >= 0 ? &network_items(network)[slot] : NULL;
}

// Checks a waypoint and makes its orientation unit.
static bool network_clean(const ploy_waypoint *waypoint, ploy_waypoint *out) {
    if (waypoint == NULL || waypoint->id == PLOY_WAYPOINT_NONE) return false;
    if (!ploy_vec3_is_finite(waypoint->position)) return false;
    if (!(waypoint->radius >= 0.0f && waypoint->radius <= FLT_MAX)) return false;
    ploy_quat q = waypoint->orientation;
    double length = sqrt((double)q.w * (double)q.w + (double)q.x * (double)q.x +
                         (double)q.y * (double)q.y + (double)q.z * (double)q.z);
    if (!(length > 1e-6 && length < INFINITY)) return false; // false for NaN
    *out = *waypoint;
    // One that is unit already stays as it is, so that files are read back to the same bits.
    if (fabs(length - 1.0) > 1e-6) {
        out->orientation.w = (float)((double)q.w / length);
        out->orientation.x = (float)((double)q.x / length);
        out->orientation.y = (float)((double)q.y / length);
        out->orientation.z = (float)((double)q.z / length);
    }
    return true;
}

static ploy_box3 network_box(const ploy_waypoint *waypoint) {
    ploy_box3 box = ploy_box3_make(waypoint->position, waypoint->position);
    return ploy_box3_grow(box, ploy_minf(waypoint->radius, 1e30f));
}

// Makes room in the index for a slot: a larger one takes the place of it.
static ploy_result network_make_index(ploy_network *network, int32_t slot) {
    if (slot < network->index_capacity) return PLOY_OK;
    ploy_bvh_def def = ploy_bvh_def_default();
    ploy_bvh3 *index = NULL;
    def.capacity = ploy_maxi(2 * slot, PLOY_CAPACITY(16));
    ploy_result result = ploy_bvh3_create(&def, &network->env, &index);
    if (result != PLOY_OK) return result;
    ploy_waypoint waypoint;
    for (int32_t cursor = 0; ploy_network_next(network, &cursor, &waypoint);) {
        (void)ploy_bvh3_insert(index, cursor - 1, network_box(&waypoint));
    }
    ploy_bvh3_destroy(network->index);
    network->index = index;
    network->index_capacity = def.capacity;
    return PLOY_OK;
}

ploy_result ploy_network_add(ploy_network *network, const ploy_waypoint *waypoint) {
    ployi_network_item item;
    memset(&item, 0, sizeof item);
    if (!network_clean(waypoint, &item.waypoint)) return PLOY_ERR_ARGUMENT;
    if (ploy_map_has(&network->slots, waypoint->id)) return PLOY_ERR_EXISTS;
    int32_t slot = network->free_slot >= 0 ? network->free_slot : network->items.count;
    item.next_free = PLOY_GRAPH_NONE;
    // Each step is taken back if a later one fails.
    ploy_result result = network_make_index(network, slot);
    if (result == PLOY_OK) result = ploy_map_put(&network->slots, waypoint->id, &slot);
    if (result != PLOY_OK) return result;
    if (slot == network->items.count) result = ploy_array_push(&network->items, NULL);
    if (result == PLOY_OK) {
        result = ploy_graph_put_node(network->graph, slot, waypoint->position);
        if (result != PLOY_OK && slot == network->items.count - 1 && network->free_slot != slot) {
            (void)ploy_array_pop(&network->items, NULL);
        }
    }
    if (result != PLOY_OK) {
        (void)ploy_map_remove(&network->slots, waypoint->id);
        return result;
    }
    if (network->free_slot == slot) network->free_slot = network_items(network)[slot].next_free;
    network_items(network)[slot] = item;
    (void)ploy_bvh3_insert(network->index, slot, network_box(&item.waypoint)); // keeps (1)
    return PLOY_OK;
}

static double network_length(const ploy_network *network, int32_t from, int32_t to) {
    ploy_heuristic_def straight = ploy_heuristic_def_default();
    return ploy_heuristic_between(&straight, ploy_graph_position(network->graph, from),
                                  ploy_graph_position(network->graph, to));
}

static ployi_network_link *network_links(const ploy_network *network) {
    return PLOY_ARRAY_ITEMS(&network->links, ployi_network_link);
}

// Gives an edge the cost of (3).
static void network_price(ploy_network *network, int32_t edge) {
    ploy_graph_edge found;
    if (!ploy_graph_edge_at(network->graph, edge, &found)) return;
    double cost = network_length(network, found.from, found.to) *
                  (double)network_links(network)[edge].modifier;
    (void)ploy_graph_set_cost(network->graph, edge, cost);
}

// Finds the least modifier again after one that may have been it is gone.
static void network_find_least(ploy_network *network) {
    float least = INFINITY;
    for (int32_t e = 0; e < ploy_graph_edge_slots(network->graph); e++) {
        ploy_graph_edge found;
        if (!ploy_graph_edge_at(network->graph, e, &found)) continue;
        least = ploy_minf(least, network_links(network)[e].modifier);
    }
    network->least = least < INFINITY ? least : 0.0f;
}

ploy_result ploy_network_set(ploy_network *network, const ploy_waypoint *waypoint) {
    ploy_waypoint clean;
    if (!network_clean(waypoint, &clean)) return PLOY_ERR_ARGUMENT;
    int32_t slot = ploy_network_state(network, waypoint->id);
    if (slot < 0) return PLOY_ERR_NOT_FOUND;
    network_items(network)[slot].waypoint = clean;
    (void)ploy_bvh3_move(network->index, slot, network_box(&clean));
    ploy_graph_node node = {clean.position, 0};
    (void)ploy_graph_set_node(network->graph, slot, &node);
    const ploy_graph *graph = network->graph;
    for (int32_t e = ploy_graph_first_out(graph, slot); e >= 0; e = ploy_graph_next_out(graph, e)) {
        network_price(network, e);
    }
    for (int32_t e = ploy_graph_first_in(graph, slot); e >= 0; e = ploy_graph_next_in(graph, e)) {
        network_price(network, e);
    }
    return PLOY_OK;
}

ploy_result ploy_network_remove(ploy_network *network, uint64_t id) {
    int32_t slot = ploy_network_state(network, id);
    if (slot < 0) return PLOY_ERR_NOT_FOUND;
    ployi_network_item *item = &network_items(network)[slot];
    ploy_env_free(&network->env, item->blind, (size_t)item->blind_size);
    memset(item, 0, sizeof *item);
    item->next_free = network->free_slot; // keeps (2)
    network->free_slot = slot;
    (void)ploy_graph_remove_node(network->graph, slot);
    (void)ploy_map_remove(&network->slots, id);
    (void)ploy_bvh3_remove(network->index, slot);
    network_find_least(network);
    return PLOY_OK;
}

void ploy_network_clear(ploy_network *network) {
    for (int32_t i = 0; i < network->items.count; i++) {
        const ployi_network_item *item = &network_items(network)[i];
        ploy_env_free(&network->env, item->blind, (size_t)item->blind_size);
    }
    ploy_graph_clear(network->graph);
    ploy_array_clear(&network->items);
    ploy_array_clear(&network->links);
    ploy_array_clear(&network->places);
    ploy_map_clear(&network->slots);
    if (network->index != NULL) ploy_bvh3_clear(network->index);
    network->free_slot = PLOY_GRAPH_NONE;
    network->least = 0.0f;
}

bool ploy_network_get(const ploy_network *network, uint64_t id, ploy_waypoint *out) {
    const ployi_network_item *item = ployi_network_at(network, id);
    if (item == NULL) return false;
    *out = item->waypoint;
    return true;
}

int32_t ploy_network_count(const ploy_network *network) {
    return ploy_graph_node_count(network->graph);
}

bool ploy_network_next(const ploy_network *network, int32_t *cursor, ploy_waypoint *out) {
    int32_t slot = ploy_graph_next_node(network->graph, *cursor);
    if (slot < 0) return false;
    *cursor = slot + 1;
    *out = network_items(network)[slot].waypoint;
    return true;
}

ploy_box3 ployi_network_extents(const ploy_network *network) {
    ploy_box3 all = ploy_box3_empty();
    ploy_waypoint waypoint;
    for (int32_t cursor = 0; ploy_network_next(network, &cursor, &waypoint);) {
        ploy_box3 one = ploy_box3_make(waypoint.position, waypoint.position);
        all = ploy_box3_merge(all, ploy_box3_grow(one, waypoint.radius));
    }
    return all;
}

static bool network_modifier_fits(float modifier) {
    return modifier >= 0.0f && modifier <= FLT_MAX; // false for NaN
}

// The modifiers have a place for each edge slot that is about to be used.
static ploy_result network_make_links(ploy_network *network, int32_t more) {
    int32_t wanted = ploy_graph_edge_slots(network->graph) + more;
    if (wanted <= network->links.count) return PLOY_OK;
    return ploy_array_resize(&network->links, wanted);
}

static ploy_result network_join(ploy_network *network, int32_t from, int32_t to, float modifier) {
    int32_t edge = 0;
    double cost = network_length(network, from, to) * (double)modifier;
    ploy_result result = ploy_graph_add_edge(network->graph, from, to, cost, 0, &edge);
    if (result != PLOY_OK) return result;
    network_links(network)[edge].modifier = modifier;
    network_links(network)[edge].data = 0;
    if (ploy_graph_edge_count(network->graph) == 1 || modifier < network->least) {
        network->least = modifier;
    }
    return PLOY_OK;
}

ploy_result ploy_network_connect(ploy_network *network, uint64_t from, uint64_t to,
                                 float modifier) {
    int32_t a = ploy_network_state(network, from), b = ploy_network_state(network, to);
    if (a < 0 || b < 0) return PLOY_ERR_NOT_FOUND;
    if (!network_modifier_fits(modifier)) return PLOY_ERR_ARGUMENT;
    ploy_result result = network_make_links(network, 1);
    return result == PLOY_OK ? network_join(network, a, b, modifier) : result;
}

ploy_result ploy_network_connect_both(ploy_network *network, uint64_t a, uint64_t b,
                                      float modifier) {
    if (ploy_network_edge_at(network, b, a, NULL)) return PLOY_ERR_EXISTS;
    ploy_result result = ploy_network_connect(network, a, b, modifier);
    if (result != PLOY_OK) return result;
    result = ploy_network_connect(network, b, a, modifier);
    if (result != PLOY_OK) (void)ploy_network_disconnect(network, a, b);
    return result;
}

// The edge's number, or PLOY_GRAPH_NONE.
static int32_t network_edge(const ploy_network *network, uint64_t from, uint64_t to) {
    int32_t a = ploy_network_state(network, from), b = ploy_network_state(network, to);
    return a >= 0 && b >= 0 ? ploy_graph_find_edge(network->graph, a, b) : PLOY_GRAPH_NONE;
}

ploy_result ploy_network_disconnect(ploy_network *network, uint64_t from, uint64_t to) {
    int32_t edge = network_edge(network, from, to);
    if (edge < 0) return PLOY_ERR_NOT_FOUND;
    (void)ploy_graph_remove_edge(network->graph, edge);
    if (!(network_links(network)[edge].modifier > network->least)) network_find_least(network);
    return PLOY_OK;
}

bool ploy_network_edge_at(const ploy_network *network, uint64_t from, uint64_t to,
                          ploy_waypoint_edge *out) {
    int32_t edge = network_edge(network, from, to);
    ploy_graph_edge found;
    if (edge < 0 || !ploy_graph_edge_at(network->graph, edge, &found)) return false;
    if (out != NULL) {
        out->modifier = network_links(network)[edge].modifier;
        out->data = network_links(network)[edge].data;
        out->open = (found.flags & PLOY_GRAPH_CLOSED) == 0;
        out->cost = found.cost;
    }
    return true;
}

ploy_result ploy_network_set_edge(ploy_network *network, uint64_t from, uint64_t to,
                                  const ploy_waypoint_edge *edge) {
    int32_t number = network_edge(network, from, to);
    if (number < 0) return PLOY_ERR_NOT_FOUND;
    if (edge == NULL || !network_modifier_fits(edge->modifier)) return PLOY_ERR_ARGUMENT;
    float old = network_links(network)[number].modifier;
    network_links(network)[number].modifier = edge->modifier;
    network_links(network)[number].data = edge->data;
    network_price(network, number);
    // Scanned again only if the one that was the least has grown.
    if (edge->modifier < network->least)
        network->least = edge->modifier;
    else if (old == network->least && edge->modifier > old)
        network_find_least(network);
    return ploy_graph_set_open(network->graph, number, edge->open);
}

int32_t ploy_network_edge_count(const ploy_network *network) {
    return ploy_graph_edge_count(network->graph);
}

ploy_result ploy_network_blind_resize(ploy_network *network, uint64_t id, int32_t size) {
    ployi_network_item *item = ployi_network_at(network, id);
    if (item == NULL) return PLOY_ERR_NOT_FOUND;
    if (size < 0 || size > PLOY_WAYPOINT_BLIND_MAX) return PLOY_ERR_ARGUMENT;
    unsigned char *blind = NULL;
    if (size > 0) {
        blind = ploy_env_alloc_zero(&network->env, (size_t)size);
        if (blind == NULL) return PLOY_ERR_MEMORY;
    }
    ploy_env_free(&network->env, item->blind, (size_t)item->blind_size);
    item->blind = blind;
    item->blind_size = size;
    return PLOY_OK;
}

int32_t ploy_network_blind_size(const ploy_network *network, uint64_t id) {
    const ployi_network_item *item = ployi_network_at(network, id);
    return item != NULL ? item->blind_size : 0;
}

// Where bytes of a block lie; NULL with the result why not.
static unsigned char *network_blind(const ploy_network *network, uint64_t id, int32_t offset,
                                    int32_t size, ploy_result *result) {
    const ployi_network_item *item = ployi_network_at(network, id);
    *result = item == NULL ? PLOY_ERR_NOT_FOUND : PLOY_ERR_ARGUMENT;
    if (item == NULL || size < 1 || !ploy_range_within(offset, size, item->blind_size)) return NULL;
    *result = PLOY_OK;
    return item->blind + offset;
}

ploy_result ploy_network_blind_read(const ploy_network *network, uint64_t id, int32_t offset,
                                    void *out, int32_t size) {
    ploy_result result = PLOY_OK;
    const unsigned char *from = network_blind(network, id, offset, size, &result);
    if (from != NULL) memcpy(out, from, (size_t)size);
    return result;
}

ploy_result ploy_network_blind_write(ploy_network *network, uint64_t id, int32_t offset,
                                     const void *bytes, int32_t size) {
    ploy_result result = PLOY_OK;
    unsigned char *to = network_blind(network, id, offset, size, &result);
    if (to != NULL) memcpy(to, bytes, (size_t)size);
    return result;
}

// Numbers of a record, low byte first, so that files are the same on every machine.
static uint32_t network_word(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static void network_set_word(unsigned char *bytes, uint32_t word) {
    for (int32_t i = 0; i < 4; i++) bytes[i] = (unsigned char)(word >> (8 * i));
}

// Where a tag's record begins, or -1.
static int32_t network_tag(const ployi_network_item *item, uint32_t tag) {
    for (int32_t at = 0; at + 8 <= item->blind_size; at += 8) {
        if (network_word(item->blind + at) == tag) return at;
    }
    return -1;
}

ploy_result ploy_network_set_tag(ploy_network *network, uint64_t id, uint32_t tag, uint32_t value) {
    ployi_network_item *item = ployi_network_at(network, id);
    if (item == NULL) return PLOY_ERR_NOT_FOUND;
    if (tag == 0 || item->blind_size % 8 != 0) return PLOY_ERR_ARGUMENT;
    int32_t at = network_tag(item, tag);
    if (at < 0) {
        at = item->blind_size;
        if (at + 8 > PLOY_WAYPOINT_BLIND_MAX) return PLOY_ERR_LIMIT;
        unsigned char *blind =
            ploy_env_resize(&network->env, item->blind, (size_t)at, (size_t)at + 8);
        if (blind == NULL) return PLOY_ERR_MEMORY;
        item->blind = blind;
        item->blind_size = at + 8;
        network_set_word(blind + at, tag);
    }
    network_set_word(item->blind + at + 4, value);
    return PLOY_OK;
}

bool ploy_network_tag(const ploy_network *network, uint64_t id, uint32_t tag, uint32_t *value) {
    const ployi_network_item *item = ployi_network_at(network, id);
    int32_t at =
        item != NULL && tag != 0 && item->blind_size % 8 == 0 ? network_tag(item, tag) : -1;
    if (at < 0) return false;
    *value = network_word(item->blind + at + 4);
    return true;
}

ploy_result ploy_network_add_place(ploy_network *network, const ploy_network_place *place) {
    if (place == NULL || place->id == PLOY_WAYPOINT_NONE || !ploy_vec3_is_finite(place->position) ||
        !(place->radius >= 0.0f && place->radius <= FLT_MAX)) {
        return PLOY_ERR_ARGUMENT;
    }
    const ploy_network_place *places = PLOY_ARRAY_ITEMS(&network->places, ploy_network_place);
    for (int32_t i = 0; i < network->places.count; i++) {
        if (places[i].id == place->id) return PLOY_ERR_EXISTS;
    }
    return ploy_array_push(&network->places, place);
}

int32_t ploy_network_place_count(const ploy_network *network) {
    return network->places.count;
}

bool ploy_network_place_at(const ploy_network *network, int32_t index, ploy_network_place *out) {
    const ploy_network_place *place = ploy_array_at(&network->places, index);
    if (place == NULL) return false;
    *out = *place;
    return true;
}

void ploy_network_describe(const ploy_network *network, ploy_describe *out) {
    uint64_t hash = 0;
    ploy_waypoint waypoint;
    for (int32_t cursor = 0; ploy_network_next(network, &cursor, &waypoint);) {
        const ployi_network_item *item = &network_items(network)[cursor - 1];
        const ploy_quat *q = &waypoint.orientation;
        float numbers[5] = {q->w, q->x, q->y, q->z, waypoint.radius};
        hash = ploy_hash_combine(hash, waypoint.id);
        hash = ploy_hash_combine(hash, ploy_hash_bytes(numbers, sizeof numbers, 0));
        hash = ploy_hash_combine(hash, ploy_hash_bytes(item->blind, (size_t)item->blind_size, 0));
    }
    for (int32_t e = 0; e < ploy_graph_edge_slots(network->graph); e++) {
        ploy_graph_edge found;
        if (!ploy_graph_edge_at(network->graph, e, &found)) continue;
        const ployi_network_link *link = &network_links(network)[e];
        hash =
            ploy_hash_combine(hash, ploy_hash_bytes(&link->modifier, sizeof(float), (uint64_t)e));
        if (link->data != 0) hash = ploy_hash_combine(hash, link->data);
    }
    const ploy_network_place *places = PLOY_ARRAY_ITEMS(&network->places, ploy_network_place);
    for (int32_t i = 0; i < network->places.count; i++) {
        ploy_vec3 at = places[i].position;
        float numbers[4] = {at.x, at.y, at.z, places[i].radius};
        hash = ploy_hash_combine(hash, places[i].id);
        hash = ploy_hash_combine(hash, ploy_hash_bytes(numbers, sizeof numbers, 0));
    }
    ploy_describe_u64(out, "waypoints", PLOY_STATE, hash);
    ploy_describe_i64(out, "places", PLOY_STATE, network->places.count);
    ploy_describe_begin(out, "graph");
    ploy_graph_describe(network->graph, out);
    ploy_describe_end(out);
}

void ploy_network_draw(const ploy_network *network, ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    ploy_graph_draw(network->graph, out);
    ploy_waypoint waypoint;
    for (int32_t cursor = 0; ploy_network_next(network, &cursor, &waypoint);) {
        ploy_vec3 forward = {1.0f, 0.0f, 0.0f};
        float length = waypoint.radius > 0.5f ? waypoint.radius : 0.5f;
        ploy_vec3 tip = ploy_vec3_add_scaled(
            waypoint.position, ploy_quat_rotate(waypoint.orientation, forward), length);
        ploy_vec2 at = ploy_vec2_from_vec3(waypoint.position);
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none, at, waypoint.radius);
        ploy_draw_arrow(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none, at, ploy_vec2_from_vec3(tip));
    }
    const ploy_network_place *places = PLOY_ARRAY_ITEMS(&network->places, ploy_network_place);
    for (int32_t i = 0; i < network->places.count; i++) {
        ploy_draw_circle(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, none,
                         ploy_vec2_from_vec3(places[i].position), places[i].radius);
    }
}

void ploy_network_memory(const ploy_network *network, ploy_memory_fn fn, void *user) {
    ploy_memory_item blind = {"blind data", 0, 0};
    for (int32_t i = 0; i < network->items.count; i++) {
        blind.bytes += (size_t)network_items(network)[i].blind_size;
        blind.blocks += network_items(network)[i].blind != NULL;
    }
    ploy_memory_item self = {"network", sizeof *network, 1};
    fn(user, &self);
    fn(user, &blind);
    ploy_array_memory(&network->items, fn, user);
    ploy_array_memory(&network->links, fn, user);
    ploy_array_memory(&network->places, fn, user);
    ploy_map_memory(&network->slots, fn, user);
    if (network->index != NULL) ploy_bvh3_memory(network->index, fn, user);
    ploy_graph_memory(network->graph, fn, user);
}
