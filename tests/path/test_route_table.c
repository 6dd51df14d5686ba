#include "path/path_internal.h"
#include "ploy/path/graph_tables.h"
#include "tests/path/toy_graph.h"
#include "tests/path/toy_hash.h"

static const toy_way five[] = {{0, 1, 3}, {0, 2, 2}, {0, 4, 5}, {1, 2, 3.5}, {1, 3, 1}, {3, 4, 2}};

static ploy_frozen_graph *freeze_five(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_graph *graph = toy_graph_make(t, false, 5, five, COUNT_OF(five));
    ploy_frozen_graph *frozen = NULL;
    CHECK_OK(ploy_graph_freeze(graph, &env, &frozen));
    ploy_graph_destroy(graph);
    return frozen;
}

TEST(the_tables_of_five_nodes_are_the_printed_ones) { // PLN-20, PLN-21
    static const char *const next[5] = {"ABCBE", "ABCDD", "ABCBB", "BBBDE", "ADDDE"};
    static const double costs[5][5] = {{0, 3, 2, 4, 5},
                                       {3, 0, 3.5, 1, 3},
                                       {2, 3.5, 0, 4.5, 6.5},
                                       {4, 1, 4.5, 0, 2},
                                       {5, 3, 6.5, 2, 0}};
    ploy_env env = ploy_env_default();
    ploy_frozen_graph *frozen = freeze_five(t);
    for (int32_t half = 0; half < 2; half++) {
        ploy_route_table_def def = ploy_route_table_def_default();
        ploy_route_table *table = NULL;
        def.symmetric = half == 1;
        CHECK_OK(ploy_route_table_create(&def, frozen, &env, &table));
        CHECK_INT(ployi_route_table_next(table, 0, 1), PLOY_GRAPH_NONE); // not built yet
        CHECK_OK(ploy_route_table_step(table, NULL));
        CHECK_INT(ployi_route_table_entries(table), half == 1 ? 10 : 25); // N-23
        for (int32_t a = 0; a < 5; a++) {
            for (int32_t b = 0; b < 5; b++) {
                CHECK_INT('A' + ploy_route_table_next_node(table, a, b), next[a][b]);
                CHECK_SAME(ploy_route_table_cost(table, a, b), costs[a][b]);
            }
        }
        ploy_edge path[5];
        CHECK_INT(ployi_route_table_path(table, 2, 4, path, 5), 3); // C-B-D-E
        CHECK_INT(path[0].to, 1);
        CHECK_INT(path[1].to, 3);
        CHECK_INT(path[2].to, 4);
        CHECK_INT(ployi_route_table_path(table, 2, 4, path, 1), 3);
        CHECK_INT(ployi_route_table_path(table, 2, 2, path, 5), 0);
        CHECK_INT(ployi_route_table_path(table, 2, 9, path, 5), -1);
        ploy_route_table_destroy(table);
    }
    ploy_frozen_graph_destroy(frozen);
}

TOY_HASH(ploy_route_table)

TEST(tables_agree_with_brute_force_however_they_are_built) {
    enum { MOST = 20 };
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(60); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_graph *graph = toy_graph_random(t, &rng, round % 3 != 0, MOST);
        ploy_frozen_graph *frozen = NULL;
        CHECK_OK(ploy_graph_freeze(graph, &env, &frozen));
        ploy_space space = ploy_frozen_graph_space(frozen);
        ploy_route_table_def def = ploy_route_table_def_default();
        ploy_route_table *table = NULL, *slow = NULL;
        CHECK_OK(ploy_route_table_create(&def, frozen, &env, &table));
        CHECK_OK(ploy_route_table_create(&def, frozen, &env, &slow));
        CHECK_OK(ploy_route_table_step(table, NULL));
        ploy_result result = PLOY_IN_PROGRESS;
        for (int32_t i = 0; i < 10000 && result == PLOY_IN_PROGRESS; i++) {
            ploy_budget budget = ploy_budget_units(1);
            result = ploy_route_table_step(slow, &budget);
        }
        CHECK_OK(result);
        CHECK_INT(ployi_route_table_done(slow), space.count);
        CHECK_UINT(hash_of(slow), hash_of(table));
        for (int32_t a = 0; a < space.count; a++) {
            double costs[MOST];
            toy_graph_costs(t, &space, a, false, costs);
            for (int32_t b = 0; b < space.count; b++) {
                ploy_edge path[MOST];
                double sum = 0.0;
                CHECK_SAME(ploy_route_table_cost(table, a, b), costs[b]);
                int32_t count = ployi_route_table_path(table, a, b, path, MOST);
                CHECK_INT(count >= 0, costs[b] < INFINITY); // never 0 for "no way"
                for (int32_t i = 0; i < count; i++) sum += path[i].cost;
                if (count >= 0) CHECK_SAME(sum, costs[b]);
            }
        }
        ploy_route_table_destroy(table);
        ploy_route_table_destroy(slow);
        ploy_frozen_graph_destroy(frozen);
        ploy_graph_destroy(graph);
    }
}

TEST(half_a_table_needs_ways_that_cost_the_same_both_ways) {
    ploy_env env = ploy_env_default();
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    ploy_frozen_graph *frozen = NULL;
    CHECK_OK(ploy_graph_freeze(graph, &env, &frozen));
    ploy_route_table_def def = ploy_route_table_def_default();
    def.symmetric = true;
    ploy_route_table *table = NULL;
    CHECK_OK(ploy_fields_check_table(ploy_route_table_fields(), NULL));
    CHECK_INT(ploy_route_table_create(&def, frozen, &env, &table), PLOY_ERR_ARGUMENT);
    CHECK(table == NULL);
    def.symmetric = false;
    def.costs = false; // routes alone
    CHECK_OK(ploy_route_table_create(&def, frozen, &env, &table));
    CHECK_OK(ploy_route_table_step(table, NULL));
    CHECK_INT(ployi_route_table_path(table, EX_S, EX_G, NULL, 0), 3);
    CHECK_SAME(ploy_route_table_cost(table, EX_S, EX_G), INFINITY);
    ploy_route_table_destroy(table);
    ploy_frozen_graph_destroy(frozen);
    ploy_graph_destroy(graph);
}

static ploy_result table_body(const ploy_env *env, void *arg) {
    ploy_route_table_def def = ploy_route_table_def_default();
    ploy_route_table *table = NULL;
    ploy_result result = ploy_route_table_create(&def, arg, env, &table);
    if (result == PLOY_OK) result = ploy_route_table_step(table, NULL);
    TEST_REPORT(result, env, table, ploy_route_table_memory);
    ploy_route_table_destroy(table);
    return result;
}

TEST(a_route_table_survives_a_failure_of_every_allocation) {
    ploy_frozen_graph *frozen = freeze_five(t);
    CHECK_FAIL_NTH(table_body, frozen);
    ploy_frozen_graph_destroy(frozen);
}
