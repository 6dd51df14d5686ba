// Roads between places; see the header.
//
// Every cell has a mask of the directions in which a road leaves it, so that roads which meet join by
// themselves. Nodes are the cells of places and those whose mask has not exactly two directions;
// links follow the masks from node to node at the end.
#include "ploy/generate/roads.h"

#include <string.h>

#include "generate/generate_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/search/search.h"

// Cells that one unit of budget pays for.
#define ROADS_UNIT 64
// Tries for each random place.
#define ROADS_TRIES 64

// Directions: 0 to 3 along the axes, then the diagonals. opposite(i) is 3 - i or 11 - i.
static const int32_t roads_dx[8] = {1, 0, 0, -1, 1, -1, 1, -1};
static const int32_t roads_dy[8] = {0, 1, -1, 0, 1, 1, -1, -1};

static int32_t roads_opposite(int32_t direction) {
    return direction < 4 ? 3 - direction : 11 - direction;
}

static const ploy_field roads_fields[] = {
    PLOY_FIELD_I32(ploy_roads_def, places, 6, 0, 200, "", "random places if none are given"),
    PLOY_FIELD_F32(ploy_roads_def, max_slope, 2, 0.01f, 100, "", "steepest step, rise over run"),
    PLOY_FIELD_F32(ploy_roads_def, slope_cost, 60, 0, 1e4f, "", "how expensive slopes are"),
    PLOY_FIELD_F32(ploy_roads_def, bridge, 6, 1, 1e4f, "", "factor on the cost over water"),
    PLOY_FIELD_F32(ploy_roads_def, detour, 1.8f, 1, 1e4f, "",
                   "network to direct cost at which a pair gets its own road"),
    PLOY_FIELD_I32(ploy_roads_def, neighbours, 2, 0, 16, "",
                   "nearest places that are tried; 0: the network stays a tree"),
    PLOY_FIELD_I32(ploy_roads_def, max_states, 20000000, 1, 2000000000, "",
                   "cells taken by all searches together"),
};

ploy_fields ploy_roads_fields(void) {
    return PLOY_FIELDS(ploy_roads_def, roads_fields);
}

ploy_roads_def ploy_roads_def_default(void) {
    ploy_roads_def def;
    ploy_fields_default(ploy_roads_fields(), &def);
    return def;
}

typedef enum roads_stage {
    ROADS_TREE,    // from the network to the nearest place that is left
    ROADS_NETWORK, // a pair, along roads only
    ROADS_DIRECT,  // the same pair, anywhere
    ROADS_DONE
} roads_stage;

typedef struct roads_pair {
    int32_t a, b; // places
    float distance;
} roads_pair;

struct ploy_roads {
    ploy_env env;
    ploy_roads_def def;
    ploy_trace *trace;
    ploy_heightmap *map;
    int32_t columns, rows;
    float spacing;
    const float *elevation, *water; // water may be NULL
    uint8_t *road;                  // layer
    uint8_t *masks;                 // of each cell: bit i for a road in direction i
    int32_t *place_at;              // of each cell: its place, or -1
    ploy_array places;              // int32_t: cells
    uint8_t *joined;                // of each place
    ploy_array starts;              // ploy_search_start: all cells of the network
    ploy_array pairs, path;         // roads_pair, ploy_edge
    ploy_array nodes, links, points;
    ploy_search *search;
    ploy_space space;
    roads_stage stage;
    bool searching;
    int32_t pair;
    double network_cost;
    int64_t taken; // by earlier searches
    ploy_generate_outcome outcome;
};

// ---- the space

static double roads_cost(const ploy_roads *roads, int32_t from, int32_t to, int32_t direction) {
    float run = roads->spacing * (direction < 4 ? 1.0f : 1.41421356f);
    float slope = fabsf(roads->elevation[to] - roads->elevation[from]) / run;
    if (!(slope <= roads->def.max_slope)) return INFINITY;
    float cost = run * (1.0f + roads->def.slope_cost * slope * slope);
    if (roads->water != NULL && roads->water[to] > 0.0f) cost *= roads->def.bridge;
    return (double)cost;
}

static int32_t roads_near(const ploy_roads *roads, int32_t cell, int32_t direction) {
    int32_t x = cell % roads->columns + roads_dx[direction];
    int32_t y = cell / roads->columns + roads_dy[direction];
    if (x < 0 || y < 0 || x >= roads->columns || y >= roads->rows) return -1;
    return y * roads->columns + x;
}

static ploy_result roads_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_roads *roads = user;
    for (int32_t i = 0; i < 8; i++) {
        int32_t near = roads_near(roads, state, i);
        if (near < 0) continue;
        // Along roads only: where the mask says so.
        if (roads->stage == ROADS_NETWORK && (roads->masks[state] >> i & 1) == 0) continue;
        double cost = roads_cost(roads, state, near, i);
        if (cost == INFINITY) continue;
        ploy_result result = ploy_edges_add(out, near, cost, i);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static bool roads_is_goal(void *user, int32_t state) {
    const ploy_roads *roads = user;
    int32_t place = roads->place_at[state];
    return place >= 0 && roads->joined[place] == 0;
}

// ---- begin

static ploy_result roads_add_place(ploy_roads *roads, int32_t cell) {
    roads->outcome.attempts++;
    if (cell < 0 || roads->place_at[cell] >= 0) {
        roads->outcome.rejected++;
        return PLOY_OK;
    }
    roads->place_at[cell] = roads->places.count;
    return ploy_array_push(&roads->places, &cell);
}

// Dry and less steep than half the steepest step, in any direction.
static bool roads_buildable(const ploy_roads *roads, int32_t cell) {
    if (roads->water != NULL && roads->water[cell] > 0.0f) return false;
    for (int32_t i = 0; i < 8; i++) {
        int32_t near = roads_near(roads, cell, i);
        if (near < 0) return false;
        float rise = fabsf(roads->elevation[near] - roads->elevation[cell]);
        if (rise > 0.5f * roads->def.max_slope * roads->spacing) return false;
    }
    return true;
}

static ploy_result roads_random_places(ploy_roads *roads, ploy_rng_key key) {
    ploy_rng rng = ploy_rng_from_key(ploy_generate_stream(key, "places"), 0);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < roads->def.places && result == PLOY_OK; i++) {
        int32_t cell = -1;
        for (int32_t k = 0; k < ROADS_TRIES && cell < 0; k++) {
            int32_t drawn = ploy_rng_int(&rng, 0, roads->columns * roads->rows - 1);
            if (roads_buildable(roads, drawn) && roads->place_at[drawn] < 0) cell = drawn;
        }
        result = roads_add_place(roads, cell);
    }
    roads->outcome.draws = ploy_generate_draws(&rng);
    return result;
}

static ploy_result roads_add_pair(ploy_roads *roads, int32_t a, int32_t b, float distance) {
    roads_pair pair = {ploy_mini(a, b), ploy_maxi(a, b), distance};
    const roads_pair *pairs = roads->pairs.items;
    int32_t at = 0;
    for (; at < roads->pairs.count; at++) {
        if (pairs[at].a == pair.a && pairs[at].b == pair.b) return PLOY_OK;
    }
    for (at = 0; at < roads->pairs.count && pairs[at].distance <= distance; at++) {
    }
    return ploy_array_insert(&roads->pairs, at, &pair);
}

// Each place with its nearest neighbours, the nearest pairs first.
static ploy_result roads_find_pairs(ploy_roads *roads) {
    const int32_t *places = roads->places.items;
    for (int32_t a = 0; a < roads->places.count; a++) {
        ploy_vec2 here = ploy_heightmap_position(roads->map, places[a]);
        float least = -1.0f;
        for (int32_t k = 0; k < roads->def.neighbours; k++) {
            int32_t best = -1;
            float nearest = 0.0f;
            for (int32_t b = 0; b < roads->places.count; b++) {
                ploy_vec2 there = ploy_heightmap_position(roads->map, places[b]);
                float distance = ploy_vec2_length(ploy_vec2_sub(there, here));
                if (b == a || distance <= least || (best >= 0 && distance >= nearest)) continue;
                best = b;
                nearest = distance;
            }
            if (best < 0) break;
            ploy_result result = roads_add_pair(roads, a, best, nearest);
            if (result != PLOY_OK) return result;
            least = nearest;
        }
    }
    return PLOY_OK;
}

static ploy_result roads_allocate(ploy_roads *roads, const ploy_heightmap *map) {
    ploy_result result = ploy_heightmap_copy(map, &roads->env, &roads->map);
    if (result != PLOY_OK) return result;
    const ploy_heightmap_def *size = ploy_heightmap_def_of(roads->map);
    roads->columns = size->columns;
    roads->rows = size->rows;
    roads->spacing = size->spacing;
    roads->elevation = ploy_heightmap_elevation(roads->map);
    roads->water = ploy_heightmap_layer(roads->map, "water", PLOY_HEIGHTMAP_F32);
    void *layer = NULL;
    result = ploy_heightmap_add(roads->map, "road", PLOY_HEIGHTMAP_U8, &layer);
    if (result != PLOY_OK) return result;
    size_t cells = (size_t)ploy_heightmap_cells(roads->map);
    roads->road = layer;
    memset(roads->road, 0, cells);
    roads->masks = ploy_env_alloc_zero(&roads->env, cells);
    roads->place_at = ploy_env_alloc(&roads->env, cells * sizeof *roads->place_at);
    if (roads->masks == NULL || roads->place_at == NULL) return PLOY_ERR_MEMORY;
    for (size_t i = 0; i < cells; i++) roads->place_at[i] = -1;
    ploy_search_def def = ploy_search_def_default();
    def.weight = 0.0;
    roads->space.count = (int32_t)cells;
    roads->space.expand = roads_expand;
    roads->space.user = roads;
    return ploy_search_create(&def, &roads->env, &roads->search);
}

static ploy_result roads_join(ploy_roads *roads, int32_t cell) {
    int32_t place = roads->place_at[cell];
    if (place >= 0) roads->joined[place] = 1;
    if (roads->road[cell] != 0) return PLOY_OK;
    roads->road[cell] = 1;
    ploy_search_start start = {cell, 0.0};
    return ploy_array_push(&roads->starts, &start);
}

static ploy_result roads_set_places(ploy_roads *roads, ploy_rng_key key, const ploy_vec2 *places,
                                    int32_t count) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = roads_add_place(roads, ploy_heightmap_quantise(roads->map, places[i]));
    }
    if (result == PLOY_OK && places == NULL) result = roads_random_places(roads, key);
    if (result == PLOY_OK) result = roads_find_pairs(roads);
    if (result != PLOY_OK || roads->places.count == 0) return result;
    roads->joined = ploy_env_alloc_zero(&roads->env, (size_t)roads->places.count);
    if (roads->joined == NULL) return PLOY_ERR_MEMORY;
    return roads_join(roads, ((const int32_t *)roads->places.items)[0]);
}

ploy_result ploy_roads_begin(const ploy_roads_def *def, ploy_rng_key key, const ploy_heightmap *map,
                             const ploy_vec2 *places, int32_t count, ploy_trace *trace,
                             const ploy_env *env, ploy_roads **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (map == NULL || count < 0 || (count > 0 && places == NULL)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_roads_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_roads *roads = ploy_env_alloc_zero(env, sizeof *roads);
    if (roads == NULL) return PLOY_ERR_MEMORY;
    roads->env = *env;
    roads->def = *def;
    roads->trace = trace;
    roads->outcome.limit = "";
    ploy_array_init(&roads->places, sizeof(int32_t), env);
    ploy_array_init(&roads->starts, sizeof(ploy_search_start), env);
    ploy_array_init(&roads->pairs, sizeof(roads_pair), env);
    ploy_array_init(&roads->path, sizeof(ploy_edge), env);
    ploy_array_init(&roads->nodes, sizeof(ploy_road_node), env);
    ploy_array_init(&roads->links, sizeof(ploy_road_link), env);
    ploy_array_init(&roads->points, sizeof(ploy_vec3), env);
    result = roads_allocate(roads, map);
    if (result == PLOY_OK) result = roads_set_places(roads, key, places, count);
    if (result != PLOY_OK) {
        ploy_roads_cancel(roads);
        return result;
    }
    *out = roads;
    return PLOY_OK;
}

// ---- roads

static void roads_trace(const ploy_roads *roads, const char *name, bool built, double cost,
                        const char *why) {
    if (roads->trace == NULL) return;
    ploy_trace_begin(roads->trace, ploy_agent_id_none(), "road", "roads");
    ploy_trace_option(roads->trace, name, built ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, -cost,
                      why);
    ploy_trace_end(roads->trace);
}

// Adds the path that the search found to the network.
static ploy_result roads_build(ploy_roads *roads) {
    int32_t goal = ploy_search_goal(roads->search);
    double cost = 0.0;
    int32_t count = ploy_search_path(roads->search, goal, NULL, 0, &cost);
    ploy_result result = ploy_array_resize(&roads->path, count);
    if (result != PLOY_OK) return result;
    ploy_edge *path = roads->path.items;
    ploy_search_path(roads->search, goal, path, count, NULL);
    for (int32_t i = 0; i < count; i++) {
        int32_t back = roads_opposite(path[i].label);
        int32_t from = roads_near(roads, path[i].to, back);
        roads->masks[from] |= (uint8_t)(1 << path[i].label);
        roads->masks[path[i].to] |= (uint8_t)(1 << back);
        result = roads_join(roads, from);
        if (result == PLOY_OK) result = roads_join(roads, path[i].to);
        if (result != PLOY_OK) return result;
    }
    roads->outcome.count++;
    roads_trace(roads, "path", true, cost, roads->stage == ROADS_TREE ? "nearest place" : "detour");
    return PLOY_OK;
}

static ploy_result roads_begin_search(ploy_roads *roads) {
    ploy_search_query query;
    if (roads->stage == ROADS_TREE) {
        query = ploy_search_query_make(&roads->space, roads->starts.items, PLOY_STATE_NONE);
        query.start_count = roads->starts.count;
        query.is_goal = roads_is_goal;
        query.user = roads;
        return ploy_search_begin(roads->search, &query);
    }
    const roads_pair *pair = ploy_array_at(&roads->pairs, roads->pair);
    const int32_t *places = roads->places.items;
    ploy_search_start start = {places[pair->a], 0.0};
    query = ploy_search_query_make(&roads->space, &start, places[pair->b]);
    return ploy_search_begin(roads->search, &query);
}

static bool roads_all_joined(const ploy_roads *roads) {
    for (int32_t i = 0; i < roads->places.count; i++) {
        if (roads->joined[i] == 0) return false;
    }
    return true;
}

static void roads_next_pair(ploy_roads *roads) {
    roads->pair++;
    roads->stage = ROADS_NETWORK;
}

// A search has ended: what comes of it, and which one is next.
static ploy_result roads_finish_search(ploy_roads *roads) {
    bool found = ploy_search_outcome_of(roads->search) == PLOY_SEARCH_FOUND;
    double cost = 0.0;
    if (found) ploy_search_path(roads->search, ploy_search_goal(roads->search), NULL, 0, &cost);
    switch (roads->stage) {
    case ROADS_TREE:
        if (found) return roads_build(roads);
        for (int32_t i = 0; i < roads->places.count; i++) {
            if (roads->joined[i] == 0) roads->outcome.rejected++;
        }
        roads_trace(roads, "place", false, INFINITY, "no path reaches it");
        roads->stage = ROADS_NETWORK;
        break;
    case ROADS_NETWORK:
        roads->network_cost = cost;
        if (found) {
            roads->stage = ROADS_DIRECT;
        } else {
            roads_next_pair(roads);
        }
        break;
    case ROADS_DIRECT: {
        ploy_result result = PLOY_OK;
        if (found && roads->network_cost > (double)roads->def.detour * cost) {
            result = roads_build(roads);
        } else {
            roads_trace(roads, "path", false, cost, "the network is short enough");
        }
        roads_next_pair(roads);
        return result;
    }
    case ROADS_DONE: break;
    }
    return PLOY_OK;
}

// ---- the network

static int32_t roads_degree(uint8_t mask) {
    int32_t count = 0;
    for (; mask != 0; mask = (uint8_t)(mask & (mask - 1))) count++;
    return count;
}

static bool roads_is_node(const ploy_roads *roads, int32_t cell) {
    if (roads->road[cell] == 0) return false;
    return roads->place_at[cell] >= 0 || roads_degree(roads->masks[cell]) != 2;
}

static ploy_vec3 roads_position(const ploy_roads *roads, int32_t cell) {
    ploy_vec2 at = ploy_heightmap_position(roads->map, cell);
    return ploy_vec3_make(at.x, at.y, roads->elevation[cell]);
}

static ploy_result roads_add_nodes(ploy_roads *roads) {
    int32_t cells = roads->columns * roads->rows;
    for (int32_t cell = 0; cell < cells; cell++) {
        if (!roads_is_node(roads, cell)) continue;
        ploy_road_node node = {roads_position(roads, cell), cell, roads->place_at[cell]};
        // From here on the array holds nodes instead of places.
        roads->place_at[cell] = roads->nodes.count;
        ploy_result result = ploy_array_push(&roads->nodes, &node);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Follows a road from a node to the next one, removing it from the masks.
static ploy_result roads_add_link(ploy_roads *roads, int32_t node, int32_t cell,
                                  int32_t direction) {
    const ploy_road_node *nodes = roads->nodes.items;
    ploy_road_link link = {node, -1, roads->points.count, 0, 0.0f};
    ploy_vec3 last = roads_position(roads, cell);
    ploy_result result = ploy_array_push(&roads->points, &last);
    while (result == PLOY_OK) {
        int32_t next = roads_near(roads, cell, direction);
        roads->masks[cell] &= (uint8_t) ~(1 << direction);
        roads->masks[next] &= (uint8_t) ~(1 << roads_opposite(direction));
        ploy_vec3 position = roads_position(roads, next);
        link.length += ploy_vec3_length(ploy_vec3_sub(position, last));
        last = position;
        cell = next;
        result = ploy_array_push(&roads->points, &position);
        int32_t there = roads->place_at[cell];
        if (there >= 0 && nodes[there].cell == cell) {
            link.to = there;
            break;
        }
        for (direction = 0; (roads->masks[cell] >> direction & 1) == 0;) direction++;
    }
    link.count = roads->points.count - link.first;
    return result == PLOY_OK ? ploy_array_push(&roads->links, &link) : result;
}

static ploy_result roads_add_links(ploy_roads *roads) {
    ploy_result result = roads_add_nodes(roads);
    for (int32_t i = 0; i < roads->nodes.count && result == PLOY_OK; i++) {
        int32_t cell = ((const ploy_road_node *)roads->nodes.items)[i].cell;
        for (int32_t k = 0; k < 8 && result == PLOY_OK; k++) {
            if ((roads->masks[cell] >> k & 1) != 0) result = roads_add_link(roads, i, cell, k);
        }
    }
    roads->outcome.count = roads->links.count;
    roads->outcome.done = true;
    roads->outcome.partial = roads->outcome.limit[0] != '\0';
    return result;
}

ploy_result ploy_roads_step(ploy_roads *roads, ploy_budget *budget) {
    if (roads == NULL) return PLOY_ERR_ARGUMENT;
    while (roads->stage != ROADS_DONE) {
        if (roads->stage == ROADS_TREE && roads_all_joined(roads)) roads->stage = ROADS_NETWORK;
        if (roads->stage == ROADS_NETWORK && roads->pair >= roads->pairs.count) break;
        ploy_result result = PLOY_OK;
        if (!roads->searching) result = roads_begin_search(roads);
        if (result != PLOY_OK) return result;
        roads->searching = true;
        int64_t left = roads->def.max_states - roads->taken;
        if (left <= 0) {
            roads->outcome.limit = "max_states";
            break;
        }
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        roads->outcome.units++;
        ploy_budget part = ploy_budget_units(left < ROADS_UNIT ? left : ROADS_UNIT);
        result = ploy_search_step(roads->search, &part);
        roads->taken += part.spent;
        if (result == PLOY_IN_PROGRESS) continue;
        if (result != PLOY_OK) return result;
        roads->searching = false;
        result = roads_finish_search(roads);
        if (result != PLOY_OK) return result;
    }
    if (roads->outcome.done) return PLOY_OK;
    roads->stage = ROADS_DONE;
    return roads_add_links(roads);
}

ploy_generate_outcome ploy_roads_outcome(const ploy_roads *roads) {
    return roads->outcome;
}

const ploy_heightmap *ploy_roads_heights(const ploy_roads *roads) {
    return roads->map;
}

const ploy_road_node *ploy_roads_nodes(const ploy_roads *roads, int32_t *count) {
    *count = roads->nodes.count;
    return roads->nodes.items;
}

const ploy_road_link *ploy_roads_links(const ploy_roads *roads, int32_t *count) {
    *count = roads->links.count;
    return roads->links.items;
}

const ploy_vec3 *ploy_roads_points(const ploy_roads *roads) {
    return roads->points.items;
}

void ploy_roads_cancel(ploy_roads *roads) {
    if (roads == NULL) return;
    size_t cells = roads->map != NULL ? (size_t)ploy_heightmap_cells(roads->map) : 0;
    ploy_search_destroy(roads->search);
    ploy_env_free(&roads->env, roads->masks, cells);
    ploy_env_free(&roads->env, roads->place_at, cells * sizeof *roads->place_at);
    ploy_env_free(&roads->env, roads->joined, (size_t)roads->places.count);
    ploy_array *arrays[] = {&roads->places, &roads->starts, &roads->pairs, &roads->path,
                            &roads->nodes,  &roads->links,  &roads->points};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) ploy_array_fini(arrays[i]);
    ploy_heightmap_destroy(roads->map);
    ploy_env env = roads->env;
    ploy_env_free(&env, roads, sizeof *roads);
}

// ---- sight

void ploy_roads_describe(const ploy_roads *roads, ploy_describe *out) {
    ploy_describe_begin(out, "heights");
    ploy_heightmap_describe(roads->map, out);
    ploy_describe_end(out);
    uint64_t hash = 0;
    const ploy_road_link *links = roads->links.items;
    double length = 0.0;
    for (int32_t i = 0; i < roads->links.count; i++) {
        hash = ploy_hash_combine(hash, (uint64_t)links[i].from);
        hash = ploy_hash_combine(hash, (uint64_t)links[i].to);
        hash = ploy_hash_combine(hash, ployi_generate_bits(links[i].length));
        length += (double)links[i].length;
    }
    ploy_describe_u64(out, "hash of the links", PLOY_STATE, hash);
    ploy_describe_begin(out, "statistics");
    ploy_describe_i64(out, "places", PLOY_NOTE, roads->places.count);
    ploy_describe_i64(out, "nodes", PLOY_NOTE, roads->nodes.count);
    ploy_describe_i64(out, "links", PLOY_NOTE, roads->links.count);
    ploy_describe_f64(out, "length", PLOY_NOTE, length);
    ploy_describe_end(out);
}

void ploy_roads_draw(const ploy_roads *roads, ploy_draw *out) {
    ploy_draw_key(out, PLOY_STYLE_TARGET, "places");
    ploy_draw_key(out, PLOY_STYLE_PLAIN, "junctions");
    int32_t side = ploy_maxi(roads->columns, roads->rows);
    ploy_heightmap_draw(roads->map, (side + 127) / 128, out);
    const ploy_road_node *nodes = roads->nodes.items;
    for (int32_t i = 0; i < roads->nodes.count; i++) {
        ploy_vec2 at = {nodes[i].position.x, nodes[i].position.y};
        bool place = nodes[i].place >= 0;
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, place ? PLOY_STYLE_TARGET : PLOY_STYLE_PLAIN,
                       ploy_agent_id_none(), at, (place ? 1.5f : 0.7f) * roads->spacing, 1.0f);
    }
}

void ploy_roads_memory(const ploy_roads *roads, ploy_memory_fn fn, void *user) {
    size_t cells = (size_t)ploy_heightmap_cells(roads->map);
    ploy_memory_item self = {"roads", sizeof *roads, 1};
    ploy_memory_item marks = {"cells", cells * (1 + sizeof *roads->place_at), 2};
    ploy_memory_item joined = {"joined", (size_t)roads->places.count, roads->joined != NULL};
    fn(user, &self);
    fn(user, &marks);
    fn(user, &joined);
    const ploy_array *arrays[] = {&roads->places, &roads->starts, &roads->pairs, &roads->path,
                                  &roads->nodes,  &roads->links,  &roads->points};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
    ploy_search_memory(roads->search, fn, user);
    ploy_heightmap_memory(roads->map, fn, user);
}

// ---- the front

static ploy_content roads_content(const ploy_roads *roads) {
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_HEIGHTS;
    content.heights = roads->map;
    content.area =
        ploy_box2_make(ploy_heightmap_position(roads->map, 0),
                       ploy_heightmap_position(roads->map, roads->columns * roads->rows - 1));
    return content;
}

PLOYI_GENERATOR_CALLS(roads)

static ploy_result roads_front_begin(const void *def, ploy_rng_key key, const ploy_content *input,
                                     ploy_trace *trace, const ploy_env *env, void **out) {
    ploy_roads *roads = NULL;
    ploy_array places;
    ploy_array_init(&places, sizeof(ploy_vec2), env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < input->point_count && result == PLOY_OK; i++) {
        result = ploy_array_push(&places, &input->points[i].position);
    }
    if (result == PLOY_OK) {
        result = ploy_roads_begin(def, key, input->heights, places.items, places.count, trace, env,
                                  &roads);
    }
    ploy_array_fini(&places);
    *out = roads;
    return result;
}

const ploy_generator_type *ploy_roads_generator(void) {
    static const ploy_generator_type type = {
        "roads",
        "joins places into a network of roads around steep terrain and water",
        "64 cells taken by a search",
        PLOY_CONTENT_HEIGHTS,
        PLOY_CONTENT_POINTS,
        PLOY_CONTENT_HEIGHTS,
        PLOYI_GENERATOR_TABLE(roads),
    };
    return &type;
}
