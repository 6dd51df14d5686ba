#include "path/path_internal.h"
#include "ploy/path/graph_tables.h"

#include "tests/path/toy_graph.h"

enum { MOST = 24 };

static ploy_frozen_graph *frozen_random(test_context *t, ploy_rng *rng, bool directed) {
    ploy_env env = ploy_env_default();
    ploy_graph *graph = toy_graph_random(t, rng, directed, MOST);
    ploy_frozen_graph *frozen = NULL;
    CHECK_OK(ploy_graph_freeze(graph, &env, &frozen));
    ploy_graph_destroy(graph);
    return frozen;
}

TEST(labels_say_who_reaches_whom) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        bool directed = round % 3 != 0;
        ploy_frozen_graph *frozen = frozen_random(t, &rng, directed);
        ploy_space space = ploy_frozen_graph_space(frozen);
        int32_t weak[MOST], strong[MOST], weak_count = 0, strong_count = 0;
        double costs[MOST][MOST];
        CHECK_OK(ploy_graph_weak_parts(frozen, &env, weak, &weak_count));
        CHECK_OK(ploy_graph_strong_parts(frozen, &env, strong, &strong_count));
        CHECK(weak_count <= strong_count && strong_count <= space.count);
        for (int32_t i = 0; i < space.count; i++) toy_graph_costs(t, &space, i, false, costs[i]);
        for (int32_t a = 0; a < space.count; a++) {
            for (int32_t b = 0; b < space.count; b++) {
                bool there = costs[a][b] < INFINITY, back = costs[b][a] < INFINITY;
                ploy_reach reach = ploy_graph_reaches(weak, strong, a, b);
                CHECK_INT(strong[a] == strong[b], there && back);
                if (there)
                    CHECK(weak[a] == weak[b] && reach != PLOY_REACH_NO);
                else
                    CHECK(reach != PLOY_REACH_YES);
                if (there && !back) CHECK(strong[a] > strong[b]);
                if (!directed) CHECK_INT(reach, there ? PLOY_REACH_YES : PLOY_REACH_NO);
            }
        }
        ploy_frozen_graph_destroy(frozen);
    }
}

TEST(an_order_leads_forward_and_a_cycle_is_shown) {
    ploy_env env = ploy_env_default();
    int32_t orders = 0, cycles = 0;
    for (int64_t round = 0; round < test_rounds(400); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_frozen_graph *frozen = frozen_random(t, &rng, true);
        int32_t nodes = ploy_frozen_graph_node_count(frozen);
        int32_t order[MOST], cycle[MOST], count = 0, strong[MOST], parts = 0;
        ploy_result result = ploy_graph_order(frozen, &env, order, cycle, &count);
        CHECK_OK(ploy_graph_strong_parts(frozen, &env, strong, &parts));
        CHECK_INT(result, parts == nodes ? PLOY_OK : PLOY_ERR_STATE);
        if (result == PLOY_OK) {
            int32_t place[MOST];
            for (int32_t i = 0; i < nodes; i++) place[order[i]] = i;
            for (int32_t n = 0; n < nodes; n++) {
                const ploy_edge *edges = NULL;
                int32_t edge_count = ployi_frozen_graph_out(frozen, n, &edges);
                for (int32_t e = 0; e < edge_count; e++) CHECK(place[n] < place[edges[e].to]);
            }
            orders++;
        } else {
            CHECK(count > 0);
            for (int32_t i = 0; i < count; i++) {
                const ploy_edge *edges = NULL;
                int32_t edge_count = ployi_frozen_graph_out(frozen, cycle[i], &edges), e = 0;
                while (e < edge_count && edges[e].to != cycle[(i + 1) % count]) e++;
                CHECK(e < edge_count);
            }
            cycles++;
        }
        ploy_frozen_graph_destroy(frozen);
    }
    CHECK(orders > 20 && cycles > 20);
}

TEST(of_the_nodes_that_could_come_next_the_lowest_does) {
    static const toy_way ways[] = {{5, 0, 1}, {4, 0, 1}, {5, 2, 1},
                                   {2, 3, 1}, {3, 1, 1}, {4, 1, 1}};
    ploy_env env = ploy_env_default();
    ploy_graph *graph = toy_graph_make(t, true, 6, ways, COUNT_OF(ways));
    ploy_frozen_graph *frozen = NULL;
    CHECK_OK(ploy_graph_freeze(graph, &env, &frozen));
    int32_t order[6];
    static const int32_t want[] = {4, 5, 0, 2, 3, 1};
    CHECK_OK(ploy_graph_order(frozen, &env, order, NULL, NULL));
    CHECK_BYTES(order, want, sizeof want);
    ploy_frozen_graph_destroy(frozen);
    ploy_graph_destroy(graph);
}

// The cheapest tree by taking edge after edge, cheapest first, unless it closes a ring.
static double slow_tree(const ploy_frozen_graph *frozen, int32_t *taken) {
    int32_t part[MOST], nodes = ploy_frozen_graph_node_count(frozen);
    int32_t edges = ploy_frozen_graph_edge_count(frozen);
    double sum = 0.0;
    *taken = 0;
    for (int32_t i = 0; i < nodes; i++) part[i] = i;
    for (double cost = 0.0; cost <= 12.0; cost += 1.0) {
        for (int32_t row = 0; row < edges; row++) {
            int32_t from = 0;
            const ploy_edge *edge = ployi_frozen_graph_edge(frozen, row, &from);
            if (edge->cost != cost || part[from] == part[edge->to]) continue;
            int32_t old = part[from], now = part[edge->to];
            for (int32_t i = 0; i < nodes; i++) {
                if (part[i] == old) part[i] = now;
            }
            sum += cost;
            (*taken)++;
        }
    }
    return sum;
}

TEST(the_spanning_tree_is_as_cheap_as_kruskals) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_frozen_graph *frozen = frozen_random(t, &rng, round % 2 == 0);
        int32_t rows[MOST], count = 0, want_count = 0, weak[MOST], parts = 0;
        double cost = -1.0, sum = 0.0, want = slow_tree(frozen, &want_count);
        CHECK_OK(ploy_graph_spanning_tree(frozen, &env, rows, &count, &cost));
        CHECK_OK(ploy_graph_weak_parts(frozen, &env, weak, &parts));
        CHECK_INT(count, want_count);
        CHECK_INT(count, ploy_frozen_graph_node_count(frozen) - parts);
        CHECK_SAME(cost, want);
        for (int32_t i = 0; i < count; i++)
            sum += ployi_frozen_graph_edge(frozen, rows[i], NULL)->cost;
        CHECK_SAME(sum, want);
        ploy_frozen_graph_destroy(frozen);
    }
}

static ploy_result tables_body(const ploy_env *env, void *arg) {
    int32_t labels[EX_NODES], count = 0;
    ploy_result result = ploy_graph_weak_parts(arg, env, labels, &count);
    if (result == PLOY_OK) result = ploy_graph_strong_parts(arg, env, labels, &count);
    if (result == PLOY_OK) result = ploy_graph_order(arg, env, labels, NULL, NULL);
    if (result == PLOY_OK) result = ploy_graph_spanning_tree(arg, env, labels, &count, NULL);
    return result;
}

TEST(tables_survive_a_failure_of_every_allocation) {
    ploy_env env = ploy_env_default();
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    ploy_frozen_graph *frozen = NULL;
    CHECK_OK(ploy_graph_freeze(graph, &env, &frozen));
    CHECK_FAIL_NTH(tables_body, frozen);
    ploy_frozen_graph_destroy(frozen);
    ploy_graph_destroy(graph);
}
