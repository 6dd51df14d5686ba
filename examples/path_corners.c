// Graphs made from geometry: the corners of two houses and the paths between them, whose domain a
// place lies in, and neighbours among villages.
// Shows ploy_graph_add_corners, ploy_domains_find and ploy_graph_join_delaunay.
#include <math.h>
#include <stdio.h>

#include "ploy/path/corners.h"
#include "ploy/path/domains.h"
#include "ploy/search/search.h"

static void add_house(ploy_rings *rings, float x, float y, float width, float height) {
    ploy_vec2 corners[] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    ploy_rings_add(rings, corners, 4);
}

static void around_the_houses(const ploy_env *env, ploy_graph *graph) {
    ploy_rings *houses = NULL;
    ploy_arena *arena = NULL;
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    int32_t corners = 0;
    if (ploy_rings_create(env, &houses) != PLOY_OK) return;
    if (ploy_arena_create(0, 0, env, &arena) != PLOY_OK) return;
    if (ploy_search_create(&def, env, &search) != PLOY_OK) return;
    add_house(houses, 0, 0, 4, 10);
    add_house(houses, 8, -6, 4, 10);
    ploy_graph_add_corners(graph, houses, 1.0f, INFINITY, true, arena, NULL, &corners);
    printf("%d corners, %d edges\n", (int)corners, (int)ploy_graph_edge_count(graph) / 2);
    ploy_space space = ploy_graph_space(graph);
    int32_t goal = corners - 1;
    ploy_search_start start = {0, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, goal);
    ploy_edge path[8];
    double cost = 0.0;
    ploy_search_run(search, &query);
    int32_t count = ploy_search_path(search, goal, path, 8, &cost);
    ploy_vec3 at = ploy_graph_position(graph, 0);
    printf("(%g, %g)", (double)at.x, (double)at.y);
    for (int32_t i = 0; i < count; i++) {
        at = ploy_graph_position(graph, path[i].to);
        printf(" - (%g, %g)", (double)at.x, (double)at.y);
    }
    printf(": %.2f m\n", cost);
    ploy_search_destroy(search);
    ploy_arena_destroy(arena);
    ploy_rings_destroy(houses);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    if (ploy_graph_create(&def, &env, &graph) != PLOY_OK) return 1;
    around_the_houses(&env, graph);
    ploy_graph_clear(graph);

    static const ploy_vec3 villages[] = {{0, 0, 0}, {10, 0, 0}, {5, 8, 0}, {5, 2, 0}, {20, 1, 0}};
    static const float weights[] = {1, 1, 1, 1, 3}; // the last one is a town
    int32_t joined = 0;
    for (int32_t i = 0; i < 5; i++) ploy_graph_add_node(graph, villages[i], NULL);
    ploy_graph_join_delaunay(graph, 12.0, NULL, NULL, &joined);
    printf("%d roads between neighbours\n", (int)joined);
    ploy_domains plain = {PLOY_DOMAIN_PLAIN, villages, NULL, 5, NULL, NULL};
    ploy_domains town = {PLOY_DOMAIN_SHIFTED, villages, weights, 5, NULL, NULL};
    ploy_vec3 inn = {14.5f, 0, 0};
    printf("the inn belongs to village %d, or to town %d\n", (int)ploy_domains_find(&plain, inn),
           (int)ploy_domains_find(&town, inn));
    ploy_graph_destroy(graph);
    return 0;
}
