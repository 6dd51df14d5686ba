// A safe detour: the same two waypoints, by the shortest path and by one that avoids an enemy. Shows
// ploy_tactics_link_points and ploy_tactical_costs_hook.
#include "ploy/path/graph_views.h"
#include "ploy/search/search.h"
#include "ploy/tactics/costs.h"
#include "ploy/tactics/influence.h"

#include <stdio.h>

static int find(const ploy_space *space, double scale, const ploy_env *env, const char *name) {
    ploy_search_def def = ploy_search_def_default();
    ploy_search_start start = {0, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, 2);
    ploy_search *search = NULL;
    ploy_edge path[16];
    double cost = 0.0;
    def.weight = scale;
    if (ploy_search_create(&def, env, &search) != PLOY_OK ||
        ploy_search_run(search, &query) != PLOY_OK) {
        return 1;
    }
    int32_t count = ploy_search_path(search, 2, path, 16, &cost);
    printf("%s: 0", name);
    for (int32_t i = 0; i < count; i++) printf(" -> %d", path[i].to);
    printf(", cost %.2f\n", cost);
    ploy_search_destroy(search);
    return 0;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_graph_def graph_def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    if (ploy_graph_create(&graph_def, &env, &graph) != PLOY_OK) return 1;
    // A road from 0 over 1 to 2, and two covered points beside it that are linked in.
    static const ploy_vec3 road[] = {{0, 0, 0}, {8, 0, 0}, {16, 0, 0}};
    static const ploy_vec3 cover[] = {{3, 7, 0}, {13, 7, 0}};
    int32_t nodes[2], joined[2];
    for (int32_t i = 0; i < 3; i++) {
        if (ploy_graph_add_node(graph, road[i], NULL) != PLOY_OK) return 1;
        if (i > 0 && ploy_graph_add_both(graph, i - 1, i, 8.0, 0) != PLOY_OK) return 1;
    }
    if (ploy_tactics_link_points(graph, cover, 2, 8.0f, NULL, 0, nodes, joined) != PLOY_OK ||
        ploy_graph_add_both(graph, nodes[0], nodes[1], 10.0, 0) != PLOY_OK) {
        return 1;
    }
    printf("cover %d has %d links, cover %d has %d\n", nodes[0], joined[0], nodes[1], joined[1]);
    // An enemy at the middle of the road, as influence on the waypoints.
    ploy_places places = ploy_places_graph(graph);
    ploy_influence_def def = ploy_influence_def_default();
    ploy_influence_type type = ploy_influence_type_default();
    ploy_influence *enemy = NULL;
    ploy_tactics_layer *danger = NULL;
    type.drop = PLOY_INFLUENCE_SQUARE;
    if (ploy_influence_create(&def, &places, &env, &enemy) != PLOY_OK ||
        ploy_influence_add_type(enemy, &type, NULL) != PLOY_OK ||
        ploy_influence_add(enemy, 0, 0, 1, 6.0f, NULL) != PLOY_OK ||
        ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &danger) != PLOY_OK ||
        ploy_influence_read(enemy, PLOY_INFLUENCE_VALUE, 0, 0, places.count, danger) != PLOY_OK) {
        return 1;
    }
    ploy_tactical_costs_def costs_def = ploy_tactical_costs_def_default();
    ploy_tactical_profile careful = {{3.0f}, 1};
    ploy_tactical_costs *costs = NULL;
    ploy_lazy_costs_def lazy_def = ploy_lazy_costs_def_default();
    ploy_lazy_costs *lazy = NULL;
    ploy_space space = ploy_graph_space(graph);
    double scale = 0.0;
    if (ploy_tactical_costs_create(&costs_def, &places, &env, &costs) != PLOY_OK ||
        ploy_tactical_costs_add(costs, danger) != PLOY_OK ||
        ploy_tactical_costs_set(costs, &careful) != PLOY_OK ||
        ploy_tactical_costs_scale(costs, &space, &scale) != PLOY_OK) {
        return 1;
    }
    ploy_cost_hook hook = ploy_tactical_costs_hook(costs);
    if (ploy_lazy_costs_create(&lazy_def, &space, hook.fn, hook.user, &env, &lazy) != PLOY_OK) {
        return 1;
    }
    ploy_space tactical = ploy_lazy_costs_space(lazy);
    int status = find(&space, 1.0, &env, "shortest") + find(&tactical, scale, &env, "careful");
    ploy_lazy_costs_destroy(lazy);
    ploy_tactical_costs_destroy(costs);
    ploy_tactics_layer_destroy(danger);
    ploy_influence_destroy(enemy);
    ploy_graph_destroy(graph);
    return status;
}
