// Five teleporters, nearly all joined, in a dense matrix: a cost is one load, and a cheap detour
// beats the direct jump. Shows ploy_matrix_graph of ploy/path/graph_views.h as a searched space.
#include <math.h>
#include <stdio.h>

#include "ploy/path/graph_views.h"
#include "ploy/search/search.h"

enum { GATES = 5 };

static void jump(const ploy_matrix_graph *matrix, ploy_search *search, int32_t from, int32_t to) {
    ploy_space space = ploy_matrix_graph_space(matrix);
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(&space, &start, to);
    ploy_edge edges[GATES];
    double cost = 0.0;
    if (ploy_search_run(search, &query) != PLOY_OK) return;
    int32_t count = ploy_search_path(search, to, edges, GATES, &cost);
    printf("%d edges; from %d to %d:", (int)ploy_matrix_graph_edge_count(matrix), (int)from,
           (int)to);
    for (int32_t i = 0; i < count; i++) printf(" -> %d", (int)edges[i].to);
    if (count < 0) printf(" no path\n");
    if (count >= 0)
        printf(", cost %.0f (direct %.0f)\n", cost, ploy_matrix_graph_get(matrix, from, to));
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    ploy_matrix_graph *matrix = NULL;
    if (ploy_matrix_graph_create(GATES, &env, &matrix) != PLOY_OK) return 1;
    if (ploy_search_create(&def, &env, &search) != PLOY_OK) return 1;
    for (int32_t from = 0; from < GATES; from++) {
        for (int32_t to = 0; to < GATES; to++) { // a jump costs the square of its distance
            if (from != to) ploy_matrix_graph_set(matrix, from, to, (from - to) * (from - to));
        }
    }
    jump(matrix, search, 0, 4);
    ploy_matrix_graph_set(matrix, 1, 2, INFINITY); // removes the edge
    jump(matrix, search, 0, 4);
    for (int32_t from = 0; from < GATES; from++) ploy_matrix_graph_set(matrix, from, 4, INFINITY);
    jump(matrix, search, 0, 4);
    ploy_result result = ploy_matrix_graph_set(matrix, 0, 1, -1.0);
    printf("a cost of -1: %s\n", result == PLOY_ERR_ARGUMENT ? "refused" : "accepted");
    ploy_search_destroy(search);
    ploy_matrix_graph_destroy(matrix);
    return 0;
}
