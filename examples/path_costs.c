// One village, three kinds of cost: danger that changes from tick to tick, houses that share one
// plan, and landmarks that know where there is no path.
// Shows ploy_lazy_costs, ploy_graph_instances and ploy_landmarks.
#include <stdio.h>

#include "ploy/path/graph.h"
#include "ploy/path/graph_instances.h"
#include "ploy/path/graph_views.h"
#include "ploy/path/heuristic.h"
#include "ploy/path/heuristic_tables.h"
#include "ploy/search/search.h"

enum { SQUARE, BRIDGE, FORD, MILL, ISLAND, PLACES };

static double with_danger(void *user, int32_t from, int32_t to, int32_t label, double base) {
    (void)from;
    (void)label;
    const double *danger = user;
    return to == BRIDGE ? base + *danger : base;
}

static void ask(const char *what, ploy_search *search, const ploy_space *space, int32_t goal) {
    ploy_search_start start = {SQUARE, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, goal);
    double cost = 0.0;
    if (ploy_search_run(search, &query) != PLOY_OK) return;
    int32_t steps = ploy_search_path(search, goal, NULL, 0, &cost);
    int taken = (int)ploy_search_stats_of(search).taken;
    if (steps < 0)
        printf("%s: no path, %d places looked at\n", what, taken);
    else
        printf("%s: %d steps, cost %g, %d places looked at\n", what, (int)steps, cost, taken);
}

static ploy_graph *make(const ploy_env *env, int32_t nodes, const int32_t (*edges)[3], int count) {
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    if (ploy_graph_create(&def, env, &graph) != PLOY_OK) return NULL;
    for (int32_t i = 0; i < nodes; i++) ploy_graph_add_node(graph, ploy_vec3_zero(), NULL);
    for (int i = 0; i < count; i++) {
        ploy_graph_add_both(graph, edges[i][0], edges[i][1], (double)edges[i][2], 0);
    }
    return graph;
}

int main(void) {
    static const int32_t roads[][3] = {
        {SQUARE, BRIDGE, 2}, {BRIDGE, MILL, 2}, {SQUARE, FORD, 4}, {FORD, MILL, 4}};
    static const int32_t halls[][3] = {{0, 1, 1}, {1, 2, 1}}; // door, hall, loft
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    ploy_graph *village = make(&env, PLACES, roads, 4), *house = make(&env, 3, halls, 2);
    if (village == NULL || house == NULL) return 1;
    if (ploy_search_create(&def, &env, &search) != PLOY_OK) return 1;
    ploy_space roads_space = ploy_graph_space(village), house_space = ploy_graph_space(house);

    double danger = 0.0;
    ploy_lazy_costs_def lazy_def = ploy_lazy_costs_def_default();
    ploy_lazy_costs *lazy = NULL;
    if (ploy_lazy_costs_create(&lazy_def, &roads_space, with_danger, &danger, &env, &lazy) !=
        PLOY_OK) {
        return 1;
    }
    ploy_space safe = ploy_lazy_costs_space(lazy);
    ask("to the mill", search, &safe, MILL);
    danger = 10.0;
    ploy_lazy_costs_tick(lazy);
    ask("with a troll at the bridge", search, &safe, MILL);

    ploy_graph_instances *all = NULL;
    if (ploy_graph_instances_create(&roads_space, &env, &all) != PLOY_OK) return 1;
    for (int32_t i = 0; i < 2; i++) {
        ploy_graph_instances_add(all, &house_space, NULL);
        ploy_graph_instances_add_door(all, i, 0, i == 0 ? SQUARE : MILL, PLOY_DOOR_BOTH, 0, NULL);
    }
    ploy_space streets = ploy_graph_instances_space(all);
    ask("to the miller's loft", search, &streets, ploy_graph_instances_offset(all, 1) + 2);

    int32_t marks[2], count = 0;
    ploy_landmarks *landmarks = NULL;
    ploy_landmarks_choose(&roads_space, SQUARE, 2, &env, marks, &count);
    if (ploy_landmarks_create(&roads_space, marks, count, &env, &landmarks) != PLOY_OK) return 1;
    ploy_guide guide = ploy_guide_make(&roads_space, NULL, NULL, NULL);
    ask("to the island", search, &roads_space, ISLAND);
    guide.landmarks = landmarks;
    ploy_space guided = ploy_guide_space(&guide);
    ask("to the island, with landmarks", search, &guided, ISLAND);
    ploy_landmarks_destroy(landmarks);
    ploy_graph_instances_destroy(all);
    ploy_lazy_costs_destroy(lazy);
    ploy_search_destroy(search);
    ploy_graph_destroy(village);
    ploy_graph_destroy(house);
    return 0;
}
