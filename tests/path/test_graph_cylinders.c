// Generalised cylinders: nodes where corridors overlap, edges that stay inside them.
#include "ploy/base/rng.h"
#include "ploy/path/graph_tools.h"
#include "tests/test.h"

static ploy_graph *empty_graph(test_context *t, const ploy_env *env) {
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, env, &graph));
    return graph;
}

TEST(two_crossing_corridors_have_five_nodes_and_a_gap_is_not_crossed) { // NTU-12
    ploy_env env = ploy_env_default();
    ploy_capsule cross[2] = {
        ploy_capsule_make(ploy_vec3_make(-5, 0, 0), ploy_vec3_make(5, 0, 0), 1.0f),
        ploy_capsule_make(ploy_vec3_make(0, -5, 0), ploy_vec3_make(0, 5, 0), 1.0f)};
    ploy_graph *graph = empty_graph(t, &env);
    int32_t first = -1, added = -1;
    CHECK_OK(ploy_graph_add_cylinders(graph, cross, 2, 0.3f, &first, &added));
    CHECK_INT(first, 0);
    CHECK_INT(added, 5);
    CHECK_INT(ploy_graph_edge_count(graph), 8); // four corridors in both directions
    ploy_graph_clear(graph);
    cross[1].segment.from.z = cross[1].segment.to.z = 1.5f; // 1.5 m apart, 1.4 m free
    CHECK_OK(ploy_graph_add_cylinders(graph, cross, 2, 0.3f, NULL, &added));
    CHECK_INT(added, 4);
    CHECK_INT(ploy_graph_edge_count(graph), 4);
    ploy_graph_clear(graph);
    CHECK_OK(ploy_graph_add_cylinders(graph, cross, 2, 1.1f, NULL, &added)); // too wide
    CHECK_INT(added, 0);
    ploy_graph_destroy(graph);
}

static bool inside_one(const ploy_capsule *list, int32_t count, ploy_vec3 a, ploy_vec3 b,
                       float body) {
    for (int32_t i = 0; i < count; i++) {
        ploy_capsule free = list[i];
        free.radius += 1e-3f - body;
        if (free.radius < 0.0f) continue;
        if (ploy_capsule_contains(free, a) && ploy_capsule_contains(free, b)) return true;
    }
    return false;
}

TEST(every_edge_is_inside_a_corridor_and_overlaps_are_joined) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        enum { CORRIDORS = 24 };
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_capsule list[CORRIDORS];
        for (int32_t i = 0; i < CORRIDORS; i++) {
            ploy_vec3 a = {ploy_rng_range(&rng, 0, 40), ploy_rng_range(&rng, 0, 40),
                           ploy_rng_range(&rng, 0, 6)};
            ploy_vec3 b = {ploy_rng_range(&rng, 0, 40), ploy_rng_range(&rng, 0, 40),
                           ploy_rng_range(&rng, 0, 6)};
            list[i] = ploy_capsule_make(a, i % 8 == 0 ? a : b, ploy_rng_range(&rng, 0.2f, 3.0f));
        }
        float body = 0.5f;
        ploy_graph *graph = empty_graph(t, &env);
        CHECK_OK(ploy_graph_add_cylinders(graph, list, CORRIDORS, body, NULL, NULL));
        for (int32_t e = 0; e < ploy_graph_edge_slots(graph); e++) {
            ploy_graph_edge edge;
            if (!ploy_graph_edge_at(graph, e, &edge)) continue;
            CHECK(inside_one(list, CORRIDORS, ploy_graph_position(graph, edge.from),
                             ploy_graph_position(graph, edge.to), body));
        }
        // Corridors that overlap belong to one part: no more parts than the double loop finds.
        int32_t group[CORRIDORS], parts = 0;
        for (int32_t i = 0; i < CORRIDORS; i++) group[i] = i;
        for (int32_t round = 0; round < CORRIDORS; round++) {
            for (int32_t i = 0; i < CORRIDORS; i++) {
                for (int32_t k = 0; k < CORRIDORS; k++) {
                    ploy_capsule a = list[i], b = list[k];
                    a.radius -= body;
                    b.radius -= body;
                    if (a.radius < 0.0f || b.radius < 0.0f || !ploy_capsule_overlaps(a, b))
                        continue;
                    if (group[k] < group[i]) group[i] = group[k];
                }
            }
        }
        for (int32_t i = 0; i < CORRIDORS; i++) parts += group[i] == i && list[i].radius >= body;
        ploy_graph_report report;
        CHECK_OK(ploy_graph_report_of(graph, &report));
        CHECK_INT(report.weak_parts, parts);
        ploy_graph_destroy(graph);
    }
}

static ploy_result make_one(const ploy_env *env, void *arg) {
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    ploy_result result = ploy_graph_create(&def, env, &graph);
    if (result == PLOY_OK) result = ploy_graph_add_cylinders(graph, arg, 3, 0.1f, NULL, NULL);
    if (result != PLOY_OK && graph != NULL && ploy_graph_node_count(graph) != 0) {
        result = PLOY_OK; // it must leave nothing behind
    }
    ploy_graph_destroy(graph);
    return result;
}

TEST(bad_corridors_are_refused_and_memory_may_run_out) {
    ploy_env env = ploy_env_default();
    ploy_graph *graph = empty_graph(t, &env);
    ploy_capsule list[3] = {
        ploy_capsule_make(ploy_vec3_make(-5, 0, 0), ploy_vec3_make(5, 0, 0), 1.0f),
        ploy_capsule_make(ploy_vec3_make(0, -5, 0), ploy_vec3_make(0, 5, 0), 1.0f),
        ploy_capsule_make(ploy_vec3_make(3, -5, 0), ploy_vec3_make(3, 5, 0), 1.0f)};
    CHECK_INT(ploy_graph_add_cylinders(graph, list, 0, 0.1f, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_graph_add_cylinders(graph, list, 3, -0.1f, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_FAIL_NTH(make_one, list);
    list[1].radius = -1.0f;
    CHECK_INT(ploy_graph_add_cylinders(graph, list, 3, 0.1f, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_graph_node_count(graph), 0);
    ploy_graph_destroy(graph);
}
