// Small graphs for the tests of the module, and slow, obvious answers about them.
#pragma once

#include <math.h>

#include "ploy/base/rng.h"
#include "ploy/path/graph.h"
#include "ploy/search/search.h"
#include "tests/test.h"

typedef struct toy_way {
    int32_t from, to;
    double cost;
} toy_way;

static inline ploy_graph *toy_graph_make(test_context *t, bool directed, int32_t nodes,
                                         const toy_way *ways, size_t count) {
    ploy_graph_def def = ploy_graph_def_default();
    def.directed = directed;
    ploy_env env = ploy_env_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    for (int32_t i = 0; i < nodes; i++) {
        CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_zero(), NULL));
    }
    for (size_t i = 0; i < count; i++) {
        CHECK_OK(ploy_graph_add_edge(graph, ways[i].from, ways[i].to, ways[i].cost, 0, NULL));
    }
    return graph;
}

// Whole costs, so that sums are exact whatever their order; zero costs, parallel edges, gaps and
// closed edges among them.
static inline ploy_graph *toy_graph_random(test_context *t, ploy_rng *rng, bool directed,
                                           int32_t most) {
    ploy_graph *graph = toy_graph_make(t, directed, 0, NULL, 0);
    int32_t nodes = ploy_rng_int(rng, 1, most);
    for (int32_t i = 0; i < nodes; i++) {
        ploy_vec3 at = {(float)ploy_rng_int(rng, 0, 20), (float)ploy_rng_int(rng, 0, 20),
                        (float)ploy_rng_int(rng, 0, 3)};
        CHECK_OK(ploy_graph_add_node(graph, at, NULL));
    }
    int32_t ways = ploy_rng_int(rng, 0, nodes * 3);
    for (int32_t i = 0; i < ways; i++) {
        int32_t from = ploy_rng_int(rng, 0, nodes - 1), to = ploy_rng_int(rng, 0, nodes - 1);
        uint32_t flags = ploy_rng_chance(rng, 0.05f) ? PLOY_GRAPH_CLOSED : 0;
        double cost = (double)ploy_rng_int(rng, 0, 12);
        ploy_result want = from == to ? PLOY_ERR_ARGUMENT : PLOY_OK;
        CHECK_INT(ploy_graph_add_edge(graph, from, to, cost, flags, NULL), want);
    }
    if (nodes > 2 && ploy_rng_chance(rng, 0.3f)) {
        CHECK_OK(ploy_graph_remove_node(graph, ploy_rng_int(rng, 0, nodes - 1)));
    }
    return graph;
}

// What each state costs from a start, or to it: Bellman and Ford, over and over until it rests.
static inline void toy_graph_costs(test_context *t, const ploy_space *space, int32_t start,
                                   bool backward, double *costs) {
    ploy_env env = ploy_env_default();
    ploy_edges edges;
    ploy_edges_init(&edges, &env);
    for (int32_t i = 0; i < space->count; i++) costs[i] = INFINITY;
    costs[start] = 0.0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t s = 0; s < space->count; s++) {
            ploy_edges_clear(&edges);
            CHECK_OK(space->expand(space->user, s, &edges));
            for (int32_t i = 0; i < edges.count; i++) {
                int32_t from = backward ? edges.view[i].to : s,
                        to = backward ? s : edges.view[i].to;
                if (!(costs[from] + edges.view[i].cost < costs[to])) continue;
                costs[to] = costs[from] + edges.view[i].cost;
                changed = true;
            }
        }
    }
    ploy_edges_fini(&edges);
}

// The cost of the way that a search finds, INFINITY if there is none. The path is added up again.
static inline double toy_graph_search(test_context *t, ploy_search *search, const ploy_space *space,
                                      int32_t from, int32_t to) {
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, to);
    CHECK_OK(ploy_search_run(search, &query));
    if (ploy_search_outcome_of(search) != PLOY_SEARCH_FOUND) return INFINITY;
    ploy_edge path[512];
    double cost = 0.0, sum = 0.0;
    int32_t count = ploy_search_path(search, to, path, 512, &cost);
    CHECK(count >= 0 && count <= 512);
    for (int32_t i = 0; i < count; i++) sum += path[i].cost;
    CHECK(count == 0 || path[count - 1].to == to);
    CHECK_SAME(sum, cost);
    return cost;
}

// The exercise graph EX of PTH-03: S, A, B, C, D, G.
enum { EX_S, EX_A, EX_B, EX_C, EX_D, EX_G, EX_NODES };
static const toy_way toy_ex[] = {{EX_S, EX_A, 6},  {EX_S, EX_B, 15}, {EX_A, EX_C, 6},
                                 {EX_A, EX_D, 12}, {EX_B, EX_D, 3},  {EX_B, EX_G, 15},
                                 {EX_D, EX_C, 9},  {EX_D, EX_G, 6}};
