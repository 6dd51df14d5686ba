// A house of two floors planned from floor to floor, room to room, step to step: only the first
// steps are computed, and the walker plans again at each door.
// Shows ploy/path/hierarchy.h.
#include <ploy/path/hierarchy.h>
#include <stdio.h>

enum { PLACES = 12, ROOMS = 5, FLOORS = 2 };
static const char *const names[PLACES] = {"bed",   "desk",       "bedroom door", "landing",
                                          "sill",  "stair head", "stair foot",   "hall",
                                          "coats", "table",      "stove",        "larder"};
// The room that each place is in, and the floor of each room.
static const int32_t rooms[PLACES] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4};
static const int32_t floors[ROOMS] = {0, 0, 1, 1, 1};
static const struct {
    int32_t a, b;
    double metres;
} edges[] = {{0, 1, 2}, {1, 2, 3}, {0, 2, 4}, {2, 3, 1}, {3, 4, 3},  {3, 5, 2},
             {5, 6, 5}, {6, 7, 2}, {7, 8, 1}, {7, 9, 4}, {9, 10, 2}, {10, 11, 2}};

static ploy_frozen_graph *build_house(const ploy_env *env) {
    ploy_graph_def def = ploy_graph_def_default();
    def.directed = false;
    ploy_graph *graph = NULL;
    ploy_frozen_graph *house = NULL;
    if (ploy_graph_create(&def, env, &graph) != PLOY_OK) return NULL;
    for (int32_t i = 0; i < PLACES; i++) ploy_graph_add_node(graph, ploy_vec3_zero(), NULL);
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        ploy_graph_add_edge(graph, edges[i].a, edges[i].b, edges[i].metres, 0, NULL);
    }
    if (ploy_graph_freeze(graph, env, &house) != PLOY_OK) house = NULL;
    ploy_graph_destroy(graph);
    return house;
}

// Walks to the end of each plan and asks again.
static void walk(ploy_hierarchy_search *search, const ploy_hierarchy *hierarchy, int32_t at,
                 int32_t goal) {
    while (at != goal) {
        ploy_edge steps[PLACES];
        double metres = 0.0;
        if (ploy_hierarchy_search_run(search, hierarchy, at, goal) != PLOY_OK) return;
        int32_t count = ploy_hierarchy_search_path(search, steps, PLACES, &metres);
        printf("level %d first, %g m:", (int)ploy_hierarchy_search_first_level(search), metres);
        for (int32_t i = 0; i < count; i++) printf(" -> %s", names[steps[i].to]);
        printf("\n");
        at = ploy_hierarchy_search_end(search);
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_hierarchy_def def = ploy_hierarchy_def_default();
    ploy_hierarchy_search_def search_def = ploy_hierarchy_search_def_default();
    ploy_hierarchy *hierarchy = NULL;
    ploy_hierarchy_search *search = NULL;
    ploy_frozen_graph *house = build_house(&env);
    if (house == NULL || ploy_hierarchy_create(&def, house, &env, &hierarchy) != PLOY_OK) return 1;
    if (ploy_hierarchy_add_level(hierarchy, rooms, ROOMS, NULL) != PLOY_OK) return 1;
    if (ploy_hierarchy_add_level(hierarchy, floors, FLOORS, NULL) != PLOY_OK) return 1;
    if (ploy_hierarchy_search_create(&search_def, &env, &search) != PLOY_OK) return 1;
    printf("from the landing to the hall: %g\n", ploy_hierarchy_cost(hierarchy, 1, 1, 2));
    walk(search, hierarchy, 0, 11);
    ploy_hierarchy_search_destroy(search);
    ploy_hierarchy_destroy(hierarchy);
    ploy_frozen_graph_destroy(house);
    return 0;
}
