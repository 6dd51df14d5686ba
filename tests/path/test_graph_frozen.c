#include "path/path_internal.h"
#include "ploy/path/graph_frozen.h"

#include "ploy/path/graph_check.h"
#include "ploy/path/graph_views.h"
#include "tests/path/toy_graph.h"

TEST(a_frozen_graph_says_what_the_edited_one_says) {
    ploy_env env = ploy_env_default();
    for (int64_t round = 0; round < test_rounds(200); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_graph *graph = toy_graph_random(t, &rng, round % 3 != 0, 24);
        ploy_frozen_graph *frozen = NULL;
        CHECK_OK(ploy_graph_freeze(graph, &env, &frozen));
        ploy_space slow = ploy_graph_space(graph), fast = ploy_frozen_graph_space(frozen);
        CHECK_OK(ploy_space_check(&slow, &env, NULL));
        CHECK_OK(ploy_space_check(&fast, &env, NULL));
        CHECK_INT(fast.count, slow.count);
        int32_t row = 0;
        ploy_edges edges;
        ploy_edges_init(&edges, &env);
        for (int32_t n = 0; n < slow.count; n++) {
            const ploy_edge *out = NULL;
            ploy_edges_clear(&edges);
            CHECK_OK(slow.expand(slow.user, n, &edges));
            CHECK_INT(ployi_frozen_graph_out(frozen, n, &out), edges.count);
            CHECK_INT(ployi_frozen_graph_row(frozen, n), row);
            CHECK(ploy_vec3_equal(ployi_frozen_graph_position(frozen, n),
                                  ploy_graph_position(graph, n)));
            for (int32_t i = 0; i < edges.count; i++, row++) {
                int32_t from = -1;
                CHECK(ployi_frozen_graph_edge(frozen, row, &from) == &out[i]);
                CHECK_INT(from, n);
                CHECK_INT(out[i].label, edges.view[i].label);
                CHECK_INT(out[i].to, edges.view[i].to);
                CHECK_SAME(out[i].cost, edges.view[i].cost);
            }
        }
        CHECK_INT(row, ploy_frozen_graph_edge_count(frozen));
        CHECK(ployi_frozen_graph_edge(frozen, row, NULL) == NULL);
        ploy_edges_fini(&edges);
        ploy_frozen_graph_destroy(frozen);
        ploy_graph_destroy(graph);
    }
}

// Every kind of graph, every kind of search, both directions: one cost.
TEST(all_kinds_of_graph_and_search_agree_with_brute_force) {
    ploy_env env = ploy_env_default();
    ploy_search *searches[8] = {NULL};
    ploy_search_def def = ploy_search_def_default();
    static const ploy_open_kind kinds[] = {PLOY_OPEN_HEAP, PLOY_OPEN_BUCKETS, PLOY_OPEN_FRINGE};
    int32_t count = 0;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        def.open = kinds[i];
        CHECK_OK(ploy_search_create(&def, &env, &searches[count++]));
    }
    def = ploy_search_def_default();
    def.weight = 0.0;
    CHECK_OK(ploy_search_create(&def, &env, &searches[count++]));
    def.stop = PLOY_SEARCH_STOP_PROVEN;
    def.storage = PLOY_SEARCH_PAGES;
    CHECK_OK(ploy_search_create(&def, &env, &searches[count++]));
    for (int64_t round = 0; round < test_rounds(10000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round * 7 + 1);
        ploy_graph *graph = toy_graph_random(t, &rng, round % 4 != 0, 16);
        ploy_frozen_graph *frozen = NULL;
        ploy_matrix_graph *matrix = NULL;
        CHECK_OK(ploy_graph_freeze(graph, &env, &frozen));
        ploy_space spaces[3] = {ploy_graph_space(graph), ploy_frozen_graph_space(frozen)};
        CHECK_OK(ploy_matrix_graph_create(spaces[0].count, &env, &matrix));
        for (int32_t n = 0; n < spaces[0].count; n++) {
            const ploy_edge *out = NULL;
            int32_t edges = ployi_frozen_graph_out(frozen, n, &out);
            for (int32_t i = 0; i < edges; i++) {
                if (out[i].cost < ploy_matrix_graph_get(matrix, n, out[i].to)) {
                    CHECK_OK(ploy_matrix_graph_set(matrix, n, out[i].to, out[i].cost));
                }
            }
        }
        spaces[2] = ploy_matrix_graph_space(matrix);
        int32_t start = ploy_rng_int(&rng, 0, spaces[0].count - 1);
        double costs[16], back[16];
        toy_graph_costs(t, &spaces[0], start, false, costs);
        toy_graph_costs(t, &spaces[0], start, true, back);
        for (int32_t goal = 0; goal < spaces[0].count; goal += 3) {
            for (int32_t s = 0; s < 3; s++) {
                for (int32_t i = 0; i < count; i++) {
                    CHECK_SAME(toy_graph_search(t, searches[i], &spaces[s], start, goal),
                               costs[goal]);
                }
                // Backwards the start is the goal of the way.
                ploy_search_start from = {start, 0.0};
                ploy_search_query query = ploy_search_query_make(&spaces[s], &from, goal);
                query.backward = true;
                double cost = INFINITY;
                CHECK_OK(ploy_search_run(searches[0], &query));
                (void)ploy_search_path(searches[0], goal, NULL, 0, &cost);
                CHECK_SAME(cost, back[goal]);
            }
        }
        ploy_matrix_graph_destroy(matrix);
        ploy_frozen_graph_destroy(frozen);
        ploy_graph_destroy(graph);
    }
    for (int32_t i = 0; i < count; i++) ploy_search_destroy(searches[i]);
}

static ploy_result bad_expand(void *user, int32_t state, ploy_edges *out) {
    const double *cost = user;
    return ploy_edges_add(out, state == 1 ? 7 : 0, *cost, 3);
}

TEST(a_space_that_breaks_the_contract_is_not_frozen) {
    ploy_env env = ploy_env_default();
    ploy_frozen_graph *frozen = NULL;
    double cost = 1.0;
    ploy_space space = {2, bad_expand, NULL, NULL, &cost};
    CHECK_INT(ploy_space_freeze(&space, NULL, NULL, &env, &frozen), PLOY_ERR_CALLBACK);
    CHECK(frozen == NULL);
    space.count = 0;
    CHECK_INT(ploy_space_freeze(&space, NULL, NULL, &env, &frozen), PLOY_ERR_ARGUMENT);
    space.count = 1;
    CHECK_OK(ploy_space_freeze(&space, NULL, NULL, &env, &frozen));
    CHECK_INT(ploy_frozen_graph_edge_count(frozen), 1);
    ploy_frozen_graph_destroy(frozen);
    cost = INFINITY; // closed
    CHECK_OK(ploy_space_freeze(&space, NULL, NULL, &env, &frozen));
    CHECK_INT(ploy_frozen_graph_edge_count(frozen), 0);
    ploy_frozen_graph_destroy(frozen);
    cost = NAN;
    CHECK_INT(ploy_space_freeze(&space, NULL, NULL, &env, &frozen), PLOY_ERR_CALLBACK);
}

static ploy_result freeze_body(const ploy_env *env, void *arg) {
    ploy_frozen_graph *frozen = NULL;
    ploy_result result = ploy_graph_freeze(arg, env, &frozen);
    ploy_frozen_graph_destroy(frozen);
    return result;
}

TEST(freezing_survives_a_failure_of_every_allocation) {
    ploy_graph *graph = toy_graph_make(t, true, EX_NODES, toy_ex, COUNT_OF(toy_ex));
    CHECK_FAIL_NTH(freeze_body, graph);
    ploy_graph_clear(graph);
    CHECK_FAIL_NTH(freeze_body, graph);
    ploy_graph_destroy(graph);
}
