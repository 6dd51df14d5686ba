// Spanning trees: the catalog's graph, and Prim against Kruskal on random ones.
#include "tests/test.h"

#include "ploy/base/rng.h"
#include "ploy/generate/spanning.h"

static const ploy_spanning_link graph[] = {{0, 1, 4}, {0, 2, 3}, {1, 2, 1}, {1, 3, 2}, {2, 3, 4},
                                           {2, 4, 5}, {3, 4, 2}, {3, 5, 7}, {4, 5, 6}};

static float total(const ploy_spanning_link *links, const int32_t *chosen, int32_t count) {
    float sum = 0.0f;
    for (int32_t i = 0; i < count; i++) sum += links[chosen[i]].cost;
    return sum;
}

TEST(prim_takes_the_links_of_the_catalog_in_their_order) {
    static const int32_t want[] = {1, 2, 3, 6, 8}; // A-C, C-B, B-D, D-E, E-F
    ploy_env env = ploy_env_default();
    int32_t chosen[5], count = 0;
    CHECK_OK(ploy_spanning_prim(graph, 9, 6, 0, &env, chosen, &count));
    CHECK_INT(count, 5);
    CHECK_BYTES(chosen, want, sizeof want);
    CHECK_SAME(total(graph, chosen, count), 14);
    CHECK_OK(ploy_spanning_kruskal(graph, 9, 6, &env, chosen, &count));
    CHECK_INT(count, 5);
    CHECK_SAME(total(graph, chosen, count), 14);
}

TEST(prim_and_kruskal_cost_the_same) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(500); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t nodes = ploy_rng_int(&rng, 1, 40), links = ploy_rng_int(&rng, 0, 120);
        ploy_spanning_link all[120];
        for (int32_t i = 0; i < links; i++) {
            all[i].a = ploy_rng_int(&rng, 0, nodes - 1);
            all[i].b = ploy_rng_int(&rng, 0, nodes - 1);
            all[i].cost = (float)ploy_rng_int(&rng, -3, 12);
        }
        int32_t prim[40], kruskal[40], prim_count = 0, kruskal_count = 0;
        int32_t start = ploy_rng_int(&rng, 0, nodes - 1);
        CHECK_OK(ploy_spanning_prim(all, links, nodes, start, &env, prim, &prim_count));
        CHECK_OK(ploy_spanning_kruskal(all, links, nodes, &env, kruskal, &kruskal_count));
        CHECK_INT(prim_count, kruskal_count); // as many trees
        CHECK_SAME(total(all, prim, prim_count), total(all, kruskal, kruskal_count));
    }
}

TEST(bad_graphs_are_refused) {
    ploy_env env = ploy_env_default();
    int32_t chosen[4], count = 7;
    ploy_spanning_link bad = {0, 3, 1.0f};
    CHECK_INT(ploy_spanning_prim(&bad, 1, 3, 0, &env, chosen, &count), PLOY_ERR_ARGUMENT);
    bad.b = 2;
    bad.cost = NAN;
    CHECK_INT(ploy_spanning_kruskal(&bad, 1, 3, &env, chosen, &count), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_spanning_prim(&bad, 0, 3, 3, &env, chosen, &count), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_spanning_prim(&bad, 0, 3, 2, &env, chosen, &count));
    CHECK_INT(count, 0);
}

static ploy_result both(const ploy_env *env, void *arg) {
    int32_t chosen[5], count = 0;
    (void)arg;
    ploy_result result = ploy_spanning_prim(graph, 9, 6, 0, env, chosen, &count);
    return result == PLOY_OK ? ploy_spanning_kruskal(graph, 9, 6, env, chosen, &count) : result;
}

TEST(trees_survive_failed_allocations) {
    CHECK_FAIL_NTH(both, NULL);
}
