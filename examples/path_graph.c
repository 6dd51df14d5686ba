// A castle as a graph: the path to the keep, what happens when the bridge is raised, and the same
// graph frozen, with every route computed beforehand. Then what else a frozen graph answers: which room
// is reachable at all, the shortest cable past every room, and the order of quests.
// Shows ploy_graph, a guide with a heuristic, ploy_graph_freeze and ploy/path/graph_tables.h.
#include <stdio.h>

#include "ploy/path/graph_tables.h"
#include "ploy/path/heuristic.h"
#include "ploy/search/search.h"

enum { GATE, YARD, STABLE, KITCHEN, STAIRS, KEEP, ROOMS };
static const char *const names[] = {"gate", "yard", "stable", "kitchen", "stairs", "keep"};
static const ploy_vec3 places[] = {{0, 0, 0},  {10, 0, 0}, {10, 8, 0},
                                   {20, 8, 0}, {20, 0, 0}, {30, 0, 6}};

static void tell(const ploy_graph *graph, ploy_search *search) {
    ploy_space space = ploy_graph_space(graph);
    ploy_guide guide = ploy_guide_make(&space, NULL, ploy_graph_position, graph);
    ploy_space guided = ploy_guide_space(&guide);
    ploy_search_start start = {GATE, 0.0};
    ploy_search_query query = ploy_search_query_make(&guided, &start, KEEP);
    ploy_edge path[ROOMS];
    double cost = 0.0;
    if (ploy_search_run(search, &query) != PLOY_OK) return;
    int32_t count = ploy_search_path(search, KEEP, path, ROOMS, &cost);
    printf("gate");
    for (int32_t i = 0; i < count; i++) printf(" - %s", names[path[i].to]);
    printf(count >= 0 ? ": %.1f m\n" : ": no path\n", cost);
}

static void cable(const ploy_frozen_graph *castle, const ploy_env *env) {
    int32_t rows[ROOMS], weak[ROOMS], strong[ROOMS], count = 0, parts = 0;
    double length = 0.0;
    if (ploy_graph_spanning_tree(castle, env, rows, &count, &length) != PLOY_OK) return;
    printf("%d cables of %.0f m reach every room\n", (int)count, length);
    if (ploy_graph_weak_parts(castle, env, weak, &parts) != PLOY_OK) return;
    if (ploy_graph_strong_parts(castle, env, strong, &parts) != PLOY_OK) return;
    printf("the gate is %s from the keep\n",
           ploy_graph_reaches(weak, strong, KEEP, GATE) == PLOY_REACH_YES ? "in reach" : "cut off");
}

// Quests whose edges say what must be done before: the sword needs ore, the dragon needs both.
static void quests(ploy_graph *graph, const ploy_env *env) {
    static const char *const quest[] = {"dragon", "sword", "ore", "map"};
    static const int32_t before[][2] = {{2, 1}, {1, 0}, {3, 0}};
    ploy_frozen_graph *frozen = NULL;
    int32_t order[4];
    ploy_graph_clear(graph);
    for (int32_t i = 0; i < 4; i++) ploy_graph_add_node(graph, ploy_vec3_zero(), NULL);
    for (int32_t i = 0; i < 3; i++) {
        ploy_graph_add_edge(graph, before[i][0], before[i][1], 1, 0, NULL);
    }
    if (ploy_graph_freeze(graph, env, &frozen) != PLOY_OK) return;
    if (ploy_graph_order(frozen, env, order, NULL, NULL) == PLOY_OK) {
        printf("quests:");
        for (int32_t i = 0; i < 4; i++) printf(" %s", quest[order[i]]);
        printf("\n");
    }
    ploy_frozen_graph_destroy(frozen);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    ploy_search_def search_def = ploy_search_def_default();
    ploy_search *search = NULL;
    if (ploy_graph_create(&def, &env, &graph) != PLOY_OK) return 1;
    if (ploy_search_create(&search_def, &env, &search) != PLOY_OK) return 1;
    for (int32_t i = 0; i < ROOMS; i++) ploy_graph_add_node(graph, places[i], NULL);
    int32_t bridge = 0;
    ploy_graph_add_both(graph, GATE, YARD, 10, 0);
    ploy_graph_add_both(graph, YARD, STABLE, 8, 0);
    ploy_graph_add_both(graph, STABLE, KITCHEN, 10, 0);
    ploy_graph_add_both(graph, KITCHEN, STAIRS, 8, 0);
    ploy_graph_add_both(graph, STAIRS, KEEP, 12, 0);
    ploy_graph_add_edge(graph, KEEP, STAIRS, 7, 0, NULL); // a slide: down only
    ploy_graph_add_edge(graph, YARD, STAIRS, 10, 0, &bridge);
    tell(graph, search);
    ploy_graph_set_open(graph, bridge, false);
    printf("the bridge is raised\n");
    tell(graph, search);

    ploy_frozen_graph *frozen = NULL;
    ploy_route_table_def table_def = ploy_route_table_def_default();
    ploy_route_table *table = NULL;
    if (ploy_graph_freeze(graph, &env, &frozen) != PLOY_OK) return 1;
    if (ploy_route_table_create(&table_def, frozen, &env, &table) != PLOY_OK) return 1;
    ploy_route_table_step(table, NULL);
    printf("from the keep to the gate: %.0f m, first to the %s\n",
           ploy_route_table_cost(table, KEEP, GATE),
           names[ploy_route_table_next_node(table, KEEP, GATE)]);
    ploy_route_table_destroy(table);
    cable(frozen, &env);
    ploy_frozen_graph_destroy(frozen);
    quests(graph, &env);
    ploy_search_destroy(search);
    ploy_graph_destroy(graph);
    return 0;
}
