// Tools that lay out, join, thin and price graphs.
#include "ploy/base/rng.h"
#include "ploy/path/graph_tools.h"
#include "tests/test.h"

static ploy_graph *new_graph(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    return graph;
}

// A room of 10 m with a wall at x = 5 that has a door from y = 4 to 6; bodies of 0.3 m.
static bool room_walks(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user;
    for (int32_t i = 0; i <= 20; i++) {
        float x = from.x + (to.x - from.x) * (float)i / 20,
              y = from.y + (to.y - from.y) * (float)i / 20;
        if (x < 0.3f || x > 9.7f || y < 0.3f || y > 9.7f) return false;
        if (x > 4.7f && x < 5.3f && (y < 4.3f || y > 5.7f)) return false;
    }
    return true;
}

TEST(a_flood_fills_what_can_be_walked_to_and_nothing_else) { // PLN-06, TLS-08
    for (int32_t diagonal = 0; diagonal < 2; diagonal++) {
        ploy_graph *graph = new_graph(t);
        int32_t first = -1, added = 0;
        CHECK_OK(ploy_graph_add_flood(graph, ploy_vec3_make(1, 1, 0), 0.5f, diagonal == 1, 1000,
                                      room_walks, NULL, &first, &added));
        CHECK_INT(first, 0);
        CHECK_INT(added, ploy_graph_node_count(graph));
        ploy_graph_report report;
        CHECK_OK(ploy_graph_report_of(graph, &report));
        CHECK(report.connected && report.symmetric && report.euclidean);
        bool beyond = false;
        for (int32_t i = 0; i < added; i++) {
            ploy_vec3 at = ploy_graph_position(graph, i);
            CHECK(room_walks(NULL, at, at));
            beyond = beyond || at.x > 6;
        }
        CHECK(beyond); // through the door
        // Every free place of the lattice is there: the room is one part.
        int32_t want = 0;
        for (int32_t i = 0; i < 400; i++) {
            ploy_vec3 at = {(float)(i % 20) * 0.5f, (float)(i / 20) * 0.5f, 0};
            want += room_walks(NULL, at, at);
        }
        CHECK_INT(added, want);
        CHECK_INT(ploy_graph_add_flood(graph, ploy_vec3_make(1, 1, 0), 0.5f, true, 20, room_walks,
                                       NULL, NULL, NULL),
                  PLOY_ERR_LIMIT);
        CHECK_INT(ploy_graph_node_count(graph), added);
        CHECK_INT(ploy_graph_add_flood(graph, ploy_vec3_make(5, 1, 0), 0.5f, true, 20, room_walks,
                                       NULL, NULL, NULL),
                  PLOY_ERR_ARGUMENT); // in the wall
        ploy_graph_destroy(graph);
    }
}

TEST(pruning_a_row_leaves_the_neighbours) { // TLS-07
    ploy_graph *graph = new_graph(t);
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_make((float)i, 0, 0), NULL));
    }
    int32_t joined = 0, removed = 0;
    CHECK_OK(ploy_graph_join_visible(graph, 10, NULL, NULL, &joined));
    CHECK_INT(joined, 3);
    CHECK_OK(ploy_graph_prune(graph, &removed));
    CHECK_INT(removed, 1);
    CHECK(ploy_graph_find_edge(graph, 0, 1) >= 0 && ploy_graph_find_edge(graph, 2, 1) >= 0);
    CHECK_INT(ploy_graph_find_edge(graph, 0, 2), PLOY_GRAPH_NONE);
    ploy_graph_destroy(graph);
}

TEST(pruning_never_splits_what_hangs_together) {
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_graph *graph = new_graph(t);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        for (int32_t i = 0; i < 30; i++) {
            CHECK_OK(ploy_graph_add_node(
                graph, ploy_vec3_make(ploy_rng_range(&rng, 0, 9), ploy_rng_range(&rng, 0, 9), 0),
                NULL));
        }
        for (int32_t i = 0; i < 70; i++) { // as walls would leave some
            int32_t a = ploy_rng_int(&rng, 0, 29), b = ploy_rng_int(&rng, 0, 29);
            if (a != b && ploy_graph_find_edge(graph, a, b) < 0) {
                CHECK_OK(ploy_graph_add_both(graph, a, b, 1, 0));
            }
        }
        ploy_graph_report before, after;
        CHECK_OK(ploy_graph_report_of(graph, &before));
        CHECK_OK(ploy_graph_prune(graph, NULL));
        CHECK_OK(ploy_graph_report_of(graph, &after));
        CHECK_INT(after.weak_parts, before.weak_parts);
        CHECK_INT(after.strong_parts, before.strong_parts);
        CHECK(after.edges < before.edges);
        ploy_graph_destroy(graph);
    }
}

static bool door_sees(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user; // a wall along x = 5 with a door between y = 0 and 1
    if ((from.x < 5) == (to.x < 5)) return true;
    float y = from.y + (to.y - from.y) * (5 - from.x) / (to.x - from.x);
    return y > 0 && y < 1;
}

TEST(regions_are_joined_where_enough_is_seen_and_prices_follow_slopes) { // TLS-05, TLS-06
    ploy_obb2 regions[2] = {{{2, 5}, {1, 0}, {2, 5}}, {{8, 5}, {1, 0}, {2, 5}}};
    static const float shares[] = {0.0f, 0.9f};
    for (int32_t i = 0; i < 2; i++) {
        ploy_graph *graph = new_graph(t);
        int32_t joined = -1;
        CHECK_OK(ploy_graph_join_regions(graph, regions, 2, 200, shares[i], 3, door_sees, NULL,
                                         NULL, &joined));
        CHECK_INT(joined, i == 0 ? 1 : 0);
        ploy_graph_destroy(graph);
    }
    ploy_graph *graph = new_graph(t);
    int32_t up = -1, down = -1;
    CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_make(0, 0, 0), NULL));
    CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_make(4, 0, 3), NULL));
    CHECK_OK(ploy_graph_add_edge(graph, 0, 1, 1, 0, &up));
    CHECK_OK(ploy_graph_add_edge(graph, 1, 0, 1, 0, &down));
    ploy_graph_prices scout = {1, 1, 0}, artillery = {1, 10, 2}, bad = {1, -1, 0};
    ploy_graph_edge edge;
    CHECK_OK(ploy_graph_price(graph, &scout));
    CHECK(ploy_graph_edge_at(graph, up, &edge));
    CHECK_NEAR(edge.cost, 5 * 1.75, 1e-5);
    CHECK_OK(ploy_graph_price(graph, &artillery));
    CHECK(ploy_graph_edge_at(graph, up, &edge));
    CHECK_NEAR(edge.cost, 5 * 8.5, 1e-5);
    CHECK(ploy_graph_edge_at(graph, down, &edge));
    CHECK_NEAR(edge.cost, 5 * 2.5, 1e-5);
    CHECK_INT(ploy_graph_price(graph, &bad), PLOY_ERR_ARGUMENT);
    ploy_graph_destroy(graph);
}

static bool small_walks(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user;
    (void)from;
    return to.x >= 0 && to.x < 3 && to.y >= 0 && to.y < 3;
}

static ploy_result flood_small(const ploy_env *env, void *arg) {
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    (void)arg;
    ploy_result result = ploy_graph_create(&def, env, &graph);
    if (result == PLOY_OK) {
        result = ploy_graph_add_flood(graph, ploy_vec3_make(0, 0, 0), 1, true, 50, small_walks,
                                      NULL, NULL, NULL);
    }
    if (result == PLOY_OK) result = ploy_graph_prune(graph, NULL);
    TEST_REPORT(result, env, graph, ploy_graph_memory);
    ploy_graph_destroy(graph);
    return result;
}

TEST(tools_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(flood_small, NULL);
}
