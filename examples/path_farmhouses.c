// A country of 10,000 places with forty farmhouses of two designs: each design is stored once, and
// each farmhouse is one node of the level above. Shows ploy/path/graph_instances.h under
// ploy/path/hierarchy.h.
#include <stdio.h>

#include "ploy/path/graph_instances.h"
#include "ploy/path/hierarchy.h"
#include "ploy/path/tiles.h"

enum { SIDE = 100, PLACES = SIDE * SIDE, FARMS = 40, BLOCK = 10, BLOCKS = (SIDE / BLOCK) };

// A row of rooms, the first with the front door and the last with the back door.
static ploy_graph *make_design(int32_t rooms, const ploy_env *env) {
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    def.directed = false;
    if (ploy_graph_create(&def, env, &graph) != PLOY_OK) return NULL;
    for (int32_t i = 0; i < rooms; i++) {
        ploy_graph_add_node(graph, ploy_vec3_zero(), NULL);
        if (i > 0) ploy_graph_add_edge(graph, i - 1, i, 0.5, 0, NULL);
    }
    return graph;
}

// Where a farmhouse is: its rooms are all there.
static int32_t farm_place(int32_t farm) {
    return (farm % 8 * 12 + 5) + (farm / 8 * 18 + 7) * SIDE;
}

static ploy_vec3 position(const void *user, int32_t node) {
    const ploy_graph_instances *all = user;
    int32_t place = node;
    for (int32_t i = 0; node >= PLACES && i < FARMS; i++) {
        if (node >= ploy_graph_instances_offset(all, i)) place = farm_place(i);
    }
    return ploy_vec3_make((float)(place % SIDE), (float)(place / SIDE), 0.0f);
}

static void travel(const ploy_graph_instances *all, const ploy_hierarchy *hierarchy, int32_t from,
                   int32_t to, const ploy_env *env) {
    ploy_search_def plain_def = ploy_search_def_default();
    ploy_hierarchy_search_def def = ploy_hierarchy_search_def_default();
    ploy_search *plain = NULL;
    ploy_hierarchy_search *search = NULL;
    ploy_space space = ploy_graph_instances_space(all);
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, to);
    double best = 0.0, cost = 0.0;
    def.mode = PLOY_HIERARCHY_EXCLUDE;
    if (ploy_search_create(&plain_def, env, &plain) == PLOY_OK &&
        ploy_hierarchy_search_create(&def, env, &search) == PLOY_OK &&
        ploy_search_run(plain, &query) == PLOY_OK &&
        ploy_hierarchy_search_run(search, hierarchy, from, to) == PLOY_OK) {
        ploy_search_path(plain, to, NULL, 0, &best);
        ploy_hierarchy_search_path(search, NULL, 0, &cost);
        printf(
            "%d to %d: %.1f with %d nodes taken; by the hierarchy %.1f with %d\n", (int)from,
            (int)to, best, (int)ploy_search_stats_of(plain).taken, cost,
            (int)(ploy_hierarchy_search_taken(search, 0) + ploy_hierarchy_search_taken(search, 1)));
    }
    ploy_hierarchy_search_destroy(search);
    ploy_search_destroy(plain);
}

int main(void) {
    static int32_t groups[PLACES + FARMS * 6];
    static float areas[PLACES + FARMS * 6];
    ploy_env env = ploy_env_default();
    ploy_tiles_def map = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    map.width = map.height = SIDE;
    if (ploy_tiles_create(&map, &env, &tiles) != PLOY_OK) return 1;
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_space country = ploy_tiles_space(&walker);
    ploy_graph *designs[2] = {make_design(4, &env), make_design(6, &env)};
    if (designs[0] == NULL || designs[1] == NULL) return 1;
    ploy_graph_instances *all = NULL;
    if (ploy_graph_instances_create(&country, &env, &all) != PLOY_OK) return 1;
    for (int32_t i = 0; i < FARMS; i++) {
        ploy_space rooms = ploy_graph_space(designs[i % 2]);
        int32_t place = farm_place(i), last = rooms.count - 1;
        if (ploy_graph_instances_add(all, &rooms, NULL) != PLOY_OK) return 1;
        ploy_graph_instances_add_door(all, i, 0, place, PLOY_DOOR_BOTH, 0.0, NULL);
        ploy_graph_instances_add_door(all, i, last, place + 3, PLOY_DOOR_BOTH, 0.0, NULL);
    }
    ploy_space space = ploy_graph_instances_space(all);
    printf("%d nodes, farmhouse 2 begins at %d\n", (int)space.count,
           (int)ploy_graph_instances_offset(all, 2));
    // Blocks of the country, and each farmhouse.
    for (int32_t i = 0; i < PLACES; i++) {
        groups[i] = i / SIDE / BLOCK * BLOCKS + i % SIDE / BLOCK;
        areas[i] = 1.0f;
    }
    for (int32_t i = 0; i < FARMS; i++) {
        for (int32_t n = ploy_graph_instances_offset(all, i);
             n < ploy_graph_instances_offset(all, i + 1); n++) {
            groups[n] = BLOCKS * BLOCKS + i;
            areas[n] = n == ploy_graph_instances_offset(all, i) + 1 ? 30.0f : 10.0f; // the kitchen
        }
    }
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    ploy_hierarchy *hierarchy = NULL;
    def.centre = PLOY_HIERARCHY_CENTRE_LARGEST;
    if (ploy_hierarchy_create_space(&def, &space, position, all, &env, &hierarchy) != PLOY_OK ||
        ploy_hierarchy_set_areas(hierarchy, areas) != PLOY_OK ||
        ploy_hierarchy_add_level(hierarchy, groups, BLOCKS * BLOCKS + FARMS, NULL) != PLOY_OK) {
        return 1;
    }
    int32_t farm = BLOCKS * BLOCKS; // the first one as a node of level 1
    printf("it is represented by room %d\n",
           (int)(ploy_hierarchy_node(hierarchy, 1, farm, 0) - PLACES));
    int32_t kitchen = ploy_graph_instances_offset(all, 39) + 2;
    travel(all, hierarchy, 0, kitchen, &env);
    travel(all, hierarchy, 99, ploy_graph_instances_offset(all, 12), &env);
    // The author says that the dogs of the first farm let no traveller through.
    ploy_hierarchy_set_cost(hierarchy, 1, farm, 0, 1000.0);
    printf("through the first farm: %.0f\n", ploy_hierarchy_cost(hierarchy, 1, farm, 0));
    ploy_hierarchy_destroy(hierarchy);
    ploy_graph_instances_destroy(all);
    for (int32_t i = 0; i < 2; i++) ploy_graph_destroy(designs[i]);
    ploy_tiles_destroy(tiles);
    return 0;
}
