#include "path/path_internal.h"
#include "ploy/path/graph_text.h"

#include "tests/path/toy_graph.h"
#include "tests/path/toy_text.h"

static void save(test_context *t, const ploy_graph *graph, ploy_buffer *buffer) {
    ploy_buffer_clear(buffer);
    ploy_writer writer = ploy_buffer_writer(buffer);
    CHECK_OK(ploy_graph_save(graph, &writer));
}

TEST(what_is_saved_and_loaded_is_saved_again_as_the_same_text) {
    ploy_env env = ploy_env_default();
    ploy_buffer first, second;
    ploy_buffer_init(&first, 0, &env);
    ploy_buffer_init(&second, 0, &env);
    for (int64_t round = 0; round < test_rounds(100); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_graph *graph = toy_graph_random(t, &rng, round % 2 == 0, 12), *loaded = NULL;
        ploy_graph_node node = {ploy_vec3_make(0.1f, -1e-7f, 3e20f), ploy_rng_u64(&rng)};
        if (ploy_graph_has_node(graph, 0)) CHECK_OK(ploy_graph_set_node(graph, 0, &node));
        save(t, graph, &first);
        CHECK_OK(ploy_graph_load(first.bytes, first.size, "a", &env, NULL, &loaded));
        save(t, loaded, &second);
        CHECK_TEXT(ploy_buffer_text(&second), ploy_buffer_text(&first));
        CHECK_INT(ploy_graph_node_count(loaded), ploy_graph_node_count(graph));
        CHECK_INT(ploy_graph_edge_count(loaded), ploy_graph_edge_count(graph));
        ploy_space a = ploy_graph_space(graph), b = ploy_graph_space(loaded);
        double want[12], got[12];
        toy_graph_costs(t, &a, 0, false, want);
        toy_graph_costs(t, &b, 0, false, got);
        for (int32_t i = 0; i < a.count; i++) CHECK_SAME(got[i], want[i]);
        ploy_graph_destroy(graph);
        ploy_graph_destroy(loaded);
    }
    ploy_buffer_fini(&first);
    ploy_buffer_fini(&second);
}

static ploy_result load_bad(const char *text, size_t size, ploy_diags *diags, bool *made) {
    ploy_env env = ploy_env_default();
    ploy_graph *graph = NULL;
    ploy_result result = ploy_graph_load(text, size, "bad", &env, diags, &graph);
    *made = graph != NULL;
    return result;
}

TEST(faults_are_told_with_line_and_column) {
    static const toy_fault rows[] = {
        {"nothing", "", PLOY_ERR_FORMAT, 0, 0, 1},
        {"another kind", "map 1\n", PLOY_ERR_FORMAT, 1, 1, 1},
        {"another version", "graph 2\noptions\n", PLOY_ERR_VERSION, 1, 7, 1},
        {"no options", "graph 1\nnode 0 0 0 0\n", PLOY_ERR_FORMAT, 2, 1, 1},
        {"an unknown option", "graph 1\noptions directed fast\n", PLOY_ERR_FORMAT, 2, 18, 1},
        {"an unknown line", "graph 1\noptions\nnod 0 0 0 0\n", PLOY_ERR_FORMAT, 3, 1, 1},
        {"a missing word", "graph 1\noptions\nnode 0 0 0\n", PLOY_ERR_FORMAT, 3, 11, 1},
        {"one word too many", "graph 1\noptions\ngap 0 1\n", PLOY_ERR_FORMAT, 3, 7, 1},
        {"no number", "graph 1\noptions\nnode 0 0 x 0\n", PLOY_ERR_FORMAT, 3, 10, 1},
        {"not finite", "graph 1\noptions\nnode 0 0 nan 0\n", PLOY_ERR_FORMAT, 3, 10, 1},
        {"out of order", "graph 1\noptions\nnode 1 0 0 0\n", PLOY_ERR_FORMAT, 3, 6, 1},
        {"a missing end", "graph 1\noptions\nnode 0 0 0 0\n edge 0 1 2\n", PLOY_ERR_FORMAT, 4, 9,
         1},
        {"a loop", "graph 1\noptions\nnode 0 0 0 0\nedge 0 0 2\n", PLOY_ERR_FORMAT, 4, 6, 1},
        {"a negative cost, and it goes on",
         "graph 1\noptions\nnode 0 0 0 0\nnode 1 0 0 0\nedge 0 1 -2\nedge 1 0 inf\n",
         PLOY_ERR_FORMAT, 5, 10, 2},
        {"twice the same",
         "graph 1\noptions directed\nnode 0 0 0 0\nnode 1 0 0 0\nedge 0 1 2\nedge 0 1 2",
         PLOY_ERR_FORMAT, 6, 6, 1},
    };
    toy_faults_check(t, rows, COUNT_OF(rows), load_bad);
}

static const char small[] = "graph 1 # kind\r\noptions parallel\n\nnode 0 0 0 0\ngap 1\n"
                            "node 2 1 2.5 0 77\nedge 0 2 5 80000001\nedge 2 0 1";

TEST(comments_blank_lines_and_foreign_line_ends_are_read) {
    ploy_env env = ploy_env_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_load(small, sizeof small - 1, "g", &env, NULL, &graph));
    ploy_graph_node node;
    ploy_graph_edge edge;
    CHECK(ploy_graph_node_at(graph, 2, &node) && !ploy_graph_has_node(graph, 1));
    CHECK_UINT(node.user, 77);
    CHECK_SAME(node.position.y, 2.5f);
    CHECK(ploy_graph_edge_at(graph, 0, &edge));
    CHECK_UINT(edge.flags, PLOY_GRAPH_CLOSED | 1u);
    CHECK(ployi_graph_def_of(graph).parallel && !ployi_graph_def_of(graph).directed);
    ploy_graph_destroy(graph);
}

static ploy_result load_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_graph *graph = NULL;
    ploy_result result = ploy_graph_load(small, sizeof small - 1, "g", env, NULL, &graph);
    ploy_graph_destroy(graph);
    return result;
}

TEST(loading_survives_a_failure_of_every_allocation_and_every_cut) {
    CHECK_FAIL_NTH(load_body, NULL);
    ploy_env env = ploy_env_default();
    for (size_t size = 0; size < sizeof small; size++) {
        ploy_graph *graph = NULL;
        (void)ploy_graph_load(small, size, "g", &env, NULL, &graph);
        ploy_graph_destroy(graph);
    }
    CHECK_INT(ploy_graph_load(NULL, 4, "g", &env, NULL, NULL), PLOY_ERR_ARGUMENT);
}
