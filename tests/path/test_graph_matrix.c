#include "path/path_internal.h"
#include "ploy/path/graph_check.h"
#include "ploy/path/graph_views.h"
#include "tests/path/toy_graph.h"

TEST(the_matrix_of_seven_nodes_has_twelve_edges) { // GRA-02, N-01
    static const int32_t ways[][2] = {{1, 4}, {1, 6}, {2, 4}, {2, 5}, {3, 4}, {4, 1},
                                      {4, 2}, {4, 3}, {5, 2}, {5, 7}, {6, 1}, {7, 5}};
    ploy_env env = ploy_env_default();
    ploy_matrix_graph *matrix = NULL;
    CHECK_OK(ploy_matrix_graph_create(8, &env, &matrix));
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        CHECK_OK(ploy_matrix_graph_set(matrix, ways[i][0], ways[i][1], 1.0));
    }
    CHECK_INT(ploy_matrix_graph_edge_count(matrix), 12);
    CHECK_INT(ployi_matrix_graph_node_count(matrix), 8);
    CHECK_SAME(ploy_matrix_graph_get(matrix, 2, 6), INFINITY);
    CHECK_SAME(ploy_matrix_graph_get(matrix, 4, 2), 1.0);
    for (int32_t a = 0; a < 8; a++) {
        for (int32_t b = 0; b < 8; b++) {
            CHECK_SAME(ploy_matrix_graph_get(matrix, a, b), ploy_matrix_graph_get(matrix, b, a));
        }
    }
    ploy_space space = ploy_matrix_graph_space(matrix);
    CHECK_OK(ploy_space_check(&space, &env, NULL));
    CHECK_OK(ploy_matrix_graph_set(matrix, 4, 2, INFINITY));
    CHECK_INT(ploy_matrix_graph_edge_count(matrix), 11);
    CHECK_INT(ploy_matrix_graph_set(matrix, 4, 8, 1.0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_matrix_graph_set(matrix, 4, 2, -1.0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_matrix_graph_set(matrix, 4, 2, NAN), PLOY_ERR_ARGUMENT);
    CHECK_SAME(ploy_matrix_graph_get(matrix, -1, 2), INFINITY);
    ploy_matrix_graph_destroy(matrix);
    CHECK_INT(ploy_matrix_graph_create(0, &env, &matrix), PLOY_ERR_ARGUMENT);
    CHECK(matrix == NULL);
}

static ploy_result matrix_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_matrix_graph *matrix = NULL;
    ploy_result result = ploy_matrix_graph_create(5, env, &matrix);
    TEST_REPORT(result, env, matrix, ploy_matrix_graph_memory);
    ploy_matrix_graph_destroy(matrix);
    return result;
}

TEST(a_matrix_survives_a_failure_of_every_allocation) {
    CHECK_FAIL_NTH(matrix_body, NULL);
}
