// The floor of a map in the forms that paths are searched on: a fine graph by flood fill, a coarse
// one made from it, a mesh, and rooms above the nodes of the fine graph; and what it costs to walk
// from each node to each item.
//
// Technique: Buckland, "Programming Game AI by Example", 2005, chapter 8; each item has a node, so
// that a search for the nearest item of a kind ends there. Nodes keep a little more than the radius
// from walls; requests measure with a little less, so that a bot at a wall finds its node.
#include <math.h>
#include <string.h>

#include "games/raven/raven.h"
#include "ploy/geom/boolean.h"
#include "ploy/path/graph_tools.h"
#include "ploy/search/search.h"

enum { NAV_NODES_MAX = 20000, NAV_LINKS = 8 };

typedef struct nav_probe {
    const ploy_scene *scene;
    float radius;
} nav_probe;

static bool nav_walks(void *user, ploy_vec3 from, ploy_vec3 to) {
    const nav_probe *probe = user;
    if (from.x == to.x && from.y == to.y) {
        return ploy_scene_overlap(probe->scene, from, probe->radius, RAVEN_LAYER_WALL, NULL, 0) ==
               0;
    }
    return !ploy_scene_sweep(probe->scene, from, to, probe->radius, RAVEN_LAYER_WALL, NULL);
}

static ploy_vec3 nav_at(ploy_vec2 point) {
    return ploy_vec3_make(point.x, point.y, 0.0f);
}

// ---- graphs

// Adds a node for each item, joined to the nearest nodes that it can be walked to from.
static ploy_result nav_add_items(raven_map *map, ploy_graph *graph, nav_probe *probe, float reach,
                                 bool keep) {
    int32_t nodes = ploy_graph_node_slots(graph);
    for (int32_t i = 0; i < map->item_count; i++) {
        raven_item *item = &map->items[i];
        ploy_vec3 at = nav_at(item->position);
        int32_t best[NAV_LINKS], count = 0, added = PLOY_GRAPH_NONE;
        float lengths[NAV_LINKS];
        for (int32_t n = ploy_graph_next_node(graph, 0); n >= 0 && n < nodes;
             n = ploy_graph_next_node(graph, n + 1)) {
            ploy_vec3 place = ploy_graph_position(graph, n);
            float length = ploy_vec3_distance(at, place);
            if (length > reach || !nav_walks(probe, at, place)) continue;
            int32_t k = count;
            if (count == NAV_LINKS) {
                if (length >= lengths[NAV_LINKS - 1]) continue;
                k = NAV_LINKS - 1;
            } else {
                count++;
            }
            while (k > 0 && lengths[k - 1] > length) {
                lengths[k] = lengths[k - 1];
                best[k] = best[k - 1];
                k--;
            }
            lengths[k] = length;
            best[k] = n;
        }
        ploy_result result = ploy_graph_add_node(graph, at, &added);
        ploy_graph_node node = {at, (uint64_t)i + 1};
        if (result == PLOY_OK) result = ploy_graph_set_node(graph, added, &node);
        for (int32_t k = 0; k < count && result == PLOY_OK; k++) {
            result = ploy_graph_add_both(graph, added, best[k], (double)lengths[k], 0);
        }
        if (result != PLOY_OK) return result;
        if (keep) item->node = count > 0 ? added : PLOY_GRAPH_NONE;
    }
    return PLOY_OK;
}

static ploy_result nav_make_graphs(raven_map *map, const raven_def *def, const ploy_env *env) {
    ploy_graph_def graph = ploy_graph_def_default();
    graph.directed = true;
    nav_probe probe = {&map->scene, def->radius + 0.02f};
    int32_t added = 0, first = 0;
    ploy_result result = ploy_graph_create(&graph, env, &map->fine);
    if (result == PLOY_OK) {
        result = ploy_graph_add_flood(map->fine, nav_at(map->spawns[0]), def->node_spacing, true,
                                      NAV_NODES_MAX, nav_walks, &probe, &first, &added);
    }
    if (result == PLOY_OK) {
        result = nav_add_items(map, map->fine, &probe, 1.6f * def->node_spacing, true);
    }
    return result;
}

static ploy_result nav_make_view(raven_map *map, const raven_def *def, const ploy_graph *graph,
                                 float reach, const ploy_env *env, ploy_graph_representation **view,
                                 ploy_frozen_graph **frozen) {
    ploy_graph_representation_def settings = ploy_graph_representation_def_default();
    settings.reach = reach * def->node_spacing;
    ploy_result result = ploy_graph_representation_create(&settings, graph, &map->scene, env, view);
    return result == PLOY_OK ? ploy_graph_freeze(graph, env, frozen) : result;
}

// ---- mesh

static ploy_result nav_make_mesh(raven_map *map, const raven_def *def, const ploy_env *env) {
    const float half = 0.01f; // m, of the walls' thickness
    ploy_rings *walls = NULL, *floor = NULL;
    ploy_arena *scratch = NULL;
    ploy_result result = ploy_rings_create(env, &walls);
    if (result == PLOY_OK) result = ploy_rings_create(env, &floor);
    if (result == PLOY_OK) result = ploy_arena_create(1 << 16, 0, env, &scratch);
    for (int32_t i = 0; i < map->wall_count && result == PLOY_OK; i++) {
        ploy_vec2 a = map->walls[i].from, b = map->walls[i].to;
        ploy_vec2 along = ploy_vec2_sub(b, a);
        bool point = ploy_vec2_length_sq(along) == 0.0f;
        along = point ? ploy_vec2_make(half, 0.0f) : ploy_vec2_with_length(along, half);
        ploy_vec2 aside = ploy_vec2_make(-along.y, along.x);
        ploy_vec2 from = ploy_vec2_sub(a, along), to = ploy_vec2_add(b, along);
        ploy_vec2 corners[4] = {ploy_vec2_sub(from, aside), ploy_vec2_sub(to, aside),
                                ploy_vec2_add(to, aside), ploy_vec2_add(from, aside)};
        result = ploy_rings_add(walls, corners, 4);
    }
    if (result == PLOY_OK) {
        const float rim = 1.0f;
        ploy_vec2 min = map->box.min, max = map->box.max;
        ploy_vec2 corners[4] = {{min.x - rim, min.y - rim},
                                {max.x + rim, min.y - rim},
                                {max.x + rim, max.y + rim},
                                {min.x - rim, max.y + rim}};
        result = ploy_rings_add(floor, corners, 4);
    }
    if (result == PLOY_OK) {
        result = ploy_rings_boolean(floor, walls, PLOY_BOOLEAN_DIFFERENCE, PLOY_FILL_NON_ZERO,
                                    scratch, floor);
    }
    if (result == PLOY_OK) {
        ploy_navmesh_def mesh = ploy_navmesh_def_default();
        mesh.radius = def->radius;
        result = ploy_navmesh_create_rings(&mesh, floor, PLOY_FILL_NON_ZERO, NULL, 0, env, NULL,
                                           &map->mesh);
    }
    ploy_rings_destroy(walls);
    ploy_rings_destroy(floor);
    ploy_arena_destroy(scratch);
    return result;
}

// ---- rooms

// The room that a node is in: one of the text's, or one for all corridors; levels without rooms
// are cut into squares.
static int32_t nav_zone(const raven_map *map, ploy_vec3 at) {
    const float square = 10.0f;
    for (int32_t i = 0; i < map->zone_count; i++) {
        const ploy_box2 *zone = &map->zones[i];
        if (at.x >= zone->min.x && at.x <= zone->max.x && at.y >= zone->min.y &&
            at.y <= zone->max.y) {
            return i;
        }
    }
    if (map->zone_count > 0) return map->zone_count;
    int32_t column = (int32_t)((at.x - map->box.min.x) / square);
    int32_t row = (int32_t)((at.y - map->box.min.y) / square);
    return row * 1000 + column;
}

// Numbers the connected parts of zones, each a group of the hierarchy.
static ploy_result nav_make_rooms(raven_map *map, const ploy_env *env) {
    int32_t nodes = map->node_count;
    size_t bytes = sizeof(int32_t) * (size_t)(nodes + 1);
    map->room_of = ploy_env_alloc_zero(env, bytes);
    int32_t *queue = ploy_env_alloc_zero(env, bytes);
    if (map->room_of == NULL || queue == NULL) {
        if (queue != NULL) ploy_env_free(env, queue, bytes);
        return PLOY_ERR_MEMORY;
    }
    for (int32_t i = 0; i < nodes; i++) map->room_of[i] = -1;
    for (int32_t i = 0; i < nodes; i++) {
        if (map->room_of[i] >= 0) continue;
        int32_t zone = nav_zone(map, ploy_graph_position(map->fine, i)), tail = 0;
        map->room_of[i] = map->room_count;
        queue[tail++] = i;
        for (int32_t head = 0; head < tail; head++) {
            for (int32_t e = ploy_graph_first_out(map->fine, queue[head]); e >= 0;
                 e = ploy_graph_next_out(map->fine, e)) {
                ploy_graph_edge edge;
                if (!ploy_graph_edge_at(map->fine, e, &edge) || map->room_of[edge.to] >= 0 ||
                    nav_zone(map, ploy_graph_position(map->fine, edge.to)) != zone) {
                    continue;
                }
                map->room_of[edge.to] = map->room_count;
                queue[tail++] = edge.to;
            }
        }
        map->room_count++;
    }
    ploy_env_free(env, queue, bytes);
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    ploy_result result = ploy_hierarchy_create(&def, map->fine_frozen, env, &map->rooms);
    if (result != PLOY_OK || map->room_count < 2) return result;
    return ploy_hierarchy_add_level(map->rooms, map->room_of, map->room_count, NULL);
}

// ---- costs

// Edges have the same cost in both directions, so that a search from the item gives the cost to it.
static ploy_result nav_make_costs(raven_map *map, const ploy_env *env) {
    int32_t nodes = map->node_count;
    size_t count = (size_t)map->item_count * (size_t)nodes + 1;
    map->costs = ploy_env_alloc_zero(env, sizeof(float) * count);
    if (map->costs == NULL) return PLOY_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) map->costs[i] = INFINITY;
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    ploy_result result = ploy_search_create(&def, env, &search);
    ploy_space space = ploy_frozen_graph_space(map->fine_frozen);
    for (int32_t i = 0; i < map->item_count && result == PLOY_OK; i++) {
        ploy_search_start start = {map->items[i].node, 0.0};
        ploy_search_query query = ploy_search_query_make(&space, &start, PLOY_STATE_NONE);
        if (start.state < 0) continue;
        result = ploy_search_run(search, &query);
        for (int32_t n = 0; n < nodes && result == PLOY_OK; n++) {
            ploy_search_node node;
            if (!ploy_search_get(search, n, &node)) continue;
            map->costs[(size_t)i * (size_t)nodes + (size_t)n] = (float)node.cost;
        }
    }
    ploy_search_destroy(search);
    return result;
}

// ---- all of it

ploy_result raven_nav_build(raven_map *map, const raven_def *def, const ploy_env *env) {
    ploy_result result = nav_make_graphs(map, def, env);
    if (result == PLOY_OK) {
        map->node_count = ploy_graph_node_slots(map->fine);
        result = nav_make_view(map, def, map->fine, 3.0f, env, &map->fine_view, &map->fine_frozen);
    }
    if (result == PLOY_OK) result = nav_make_mesh(map, def, env);
    if (result == PLOY_OK) result = nav_make_rooms(map, env);
    if (result == PLOY_OK) result = nav_make_costs(map, env);
    if (result != PLOY_OK) return result;
    map->fine_level = ploy_graph_representation_view(map->fine_view);
    map->fine_finder.frozen = map->fine_frozen;
    map->fine_finder.level = &map->fine_level;
    map->room_finder = ploy_hierarchy_finder_def_default();
    map->room_finder.hierarchy = map->rooms;
    map->room_finder.level = &map->fine_level;
    map->room_finder.search.mode = PLOY_HIERARCHY_EXCLUDE;
    return PLOY_OK;
}

// Thinning a large graph takes longer than everything else together, so it waits until the coarse
// graph is used.
ploy_result raven_nav_need_coarse(raven_map *map, const raven_def *def, const ploy_env *env) {
    if (map->coarse_frozen != NULL) return PLOY_OK;
    ploy_graph_def graph = ploy_graph_def_default();
    graph.directed = true;
    nav_probe probe = {&map->scene, def->radius + 0.02f};
    ploy_result result = PLOY_OK;
    if (map->coarse == NULL) result = ploy_graph_create(&graph, env, &map->coarse);
    // Groups that touch are not always joined by a straight line, so the edges are made again by
    // sight; where that splits the graph, more nodes are kept.
    for (float reach = 6.0f; reach > 0.9f && result == PLOY_OK; reach *= 0.7f) {
        ploy_graph_report report;
        ploy_graph_clear(map->coarse);
        result = ploy_graph_reduce(map->fine, reach * def->node_spacing, nav_walks, &probe,
                                   map->coarse, NULL);
        for (int32_t e = 0; e < ploy_graph_edge_slots(map->coarse); e++) {
            (void)ploy_graph_remove_edge(map->coarse, e);
        }
        if (result == PLOY_OK) {
            result = ploy_graph_join_visible(map->coarse, 3.0 * (double)(reach * def->node_spacing),
                                             nav_walks, &probe, NULL);
        }
        if (result == PLOY_OK) result = ploy_graph_report_of(map->coarse, &report);
        if (result == PLOY_OK && report.connected) break;
    }
    if (result == PLOY_OK) {
        result = nav_add_items(map, map->coarse, &probe, 8.0f * def->node_spacing, false);
    }
    if (result == PLOY_OK) {
        result = nav_make_view(map, def, map->coarse, 12.0f, env, &map->coarse_view,
                               &map->coarse_frozen);
    }
    if (result != PLOY_OK) return result;
    map->coarse_level = ploy_graph_representation_view(map->coarse_view);
    map->coarse_finder.frozen = map->coarse_frozen;
    map->coarse_finder.level = &map->coarse_level;
    return PLOY_OK;
}

void raven_nav_destroy(raven_map *map, const ploy_env *env) {
    size_t nodes = (size_t)map->node_count;
    if (map->costs != NULL) {
        ploy_env_free(env, map->costs, sizeof(float) * ((size_t)map->item_count * nodes + 1));
    }
    ploy_hierarchy_destroy(map->rooms);
    if (map->room_of != NULL) ploy_env_free(env, map->room_of, sizeof(int32_t) * (nodes + 1));
    ploy_navmesh_destroy(map->mesh);
    ploy_frozen_graph_destroy(map->fine_frozen);
    ploy_frozen_graph_destroy(map->coarse_frozen);
    ploy_graph_representation_destroy(map->fine_view);
    ploy_graph_representation_destroy(map->coarse_view);
    ploy_graph_destroy(map->fine);
    ploy_graph_destroy(map->coarse);
}
