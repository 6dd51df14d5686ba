// Compact graphs: the same paths as a frozen graph with stored distances, in an eighth of the memory.
#include "ploy/path/graph_straight.h"

#include <math.h>

#include "ploy/base/rng.h"
#include "ploy/path/graph_frozen.h"
#include "ploy/search/search.h"
#include "tests/test.h"

// Nodes in a box, joined to others at the cost of the distance; some edges are closed.
static ploy_graph *random_graph(test_context *t, uint64_t seed, int32_t nodes, double price) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_rng rng = ploy_rng_make(seed);
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    for (int32_t i = 0; i < nodes; i++) {
        ploy_vec3 at = {ploy_rng_range(&rng, 0, 50), ploy_rng_range(&rng, 0, 50),
                        ploy_rng_range(&rng, 0, 9)};
        CHECK_OK(ploy_graph_add_node(graph, at, NULL));
    }
    for (int32_t i = 0; i < nodes * 3; i++) {
        int32_t a = (int32_t)ploy_rng_below(&rng, (uint32_t)nodes);
        int32_t b = (int32_t)ploy_rng_below(&rng, (uint32_t)nodes), edge = -1;
        if (a == b || ploy_graph_find_edge(graph, a, b) >= 0) continue;
        ploy_vec3 from = ploy_graph_position(graph, a), to = ploy_graph_position(graph, b);
        double x = (double)to.x - (double)from.x, y = (double)to.y - (double)from.y;
        double z = (double)to.z - (double)from.z;
        double cost = sqrt(x * x + y * y + z * z) * price;
        CHECK_OK(ploy_graph_add_edge(graph, a, b, cost, 0, &edge));
        if (i % 7 == 0) CHECK_OK(ploy_graph_set_open(graph, edge, false));
    }
    CHECK_OK(ploy_graph_remove_node(graph, nodes / 2));
    return graph;
}

static double run(test_context *t, const ploy_space *space, int32_t from, int32_t to) {
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, to);
    double cost = -1.0;
    CHECK_OK(ploy_search_run(search, &query));
    if (ploy_search_outcome_of(search) == PLOY_SEARCH_FOUND) {
        (void)ploy_search_path(search, to, NULL, 0, &cost);
    }
    ploy_search_destroy(search);
    return cost;
}

TEST(paths_cost_what_stored_distances_cost) { // GRA-05
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        double price = seed % 2 == 0 ? 1.0 : 2.5;
        ploy_graph *graph = random_graph(t, (uint64_t)seed, 80, price);
        ploy_straight_graph *straight = NULL;
        ploy_frozen_graph *frozen = NULL;
        CHECK_OK(ploy_straight_graph_create(graph, price, &env, &straight));
        CHECK_OK(ploy_graph_freeze(graph, &env, &frozen));
        CHECK_INT(ploy_straight_graph_edge_count(straight), ploy_frozen_graph_edge_count(frozen));
        ploy_space one = ploy_straight_graph_space(straight), two = ploy_frozen_graph_space(frozen);
        for (int32_t to = 1; to < 80; to += 3) {
            double want = run(t, &two, 0, to), got = run(t, &one, 0, to);
            CHECK_NEAR(got, want, 1e-9 * (1.0 + fabs(want)));
        }
        int64_t small = 0, large = 0;
        ploy_straight_graph_memory(straight, test_sum_memory, &small);
        ploy_frozen_graph_memory(frozen, test_sum_memory, &large);
        CHECK(small - 80 * 16 - 200 < 4 * ploy_straight_graph_edge_count(straight));
        CHECK(large > 32 * ploy_frozen_graph_edge_count(frozen));
        ploy_straight_graph_destroy(straight);
        ploy_frozen_graph_destroy(frozen);
        ploy_graph_destroy(graph);
    }
}

static ploy_result make_one(const ploy_env *env, void *arg) {
    ploy_straight_graph *straight = NULL;
    ploy_result result = ploy_straight_graph_create(arg, 1.0, env, &straight);
    ploy_straight_graph_destroy(straight);
    return result;
}

TEST(bad_prices_are_refused_and_memory_may_run_out) {
    ploy_env env = ploy_env_default();
    ploy_graph *graph = random_graph(t, 1, 10, 1.0);
    ploy_straight_graph *straight = NULL;
    static const double prices[] = {0.0, -1.0, INFINITY, NAN};
    for (int32_t i = 0; i < 4; i++) {
        CHECK_INT(ploy_straight_graph_create(graph, prices[i], &env, &straight), PLOY_ERR_ARGUMENT);
    }
    CHECK_FAIL_NTH(make_one, graph);
    ploy_graph_destroy(graph);
}
