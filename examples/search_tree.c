// The same search in tree mode and in graph mode: without a closed list every path is a new node, so
// a small street grid takes many more states, and a cycle without a goal never ends.
// Shows ploy/search/search_tree.h with the methods of ploy/search/search.h.
#include <stdio.h>

#include "ploy/search/search.h"
#include "ploy/search/search_tree.h"

enum { SIDE = 5 };

// Streets of a grid: every crossing leads to its neighbours.
static ploy_result streets(void *user, int32_t state, ploy_edges *out) {
    static const int32_t dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    (void)user;
    for (int32_t i = 0; i < 4; i++) {
        int32_t x = state % SIDE + dx[i], y = state / SIDE + dy[i];
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE) continue;
        ploy_result result = ploy_edges_add(out, y * SIDE + x, 1.0, i);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

typedef struct target {
    const ploy_search_tree *tree;
    int32_t state;
} target;

static bool is_target(void *user, int32_t node) {
    const target *at = user;
    return ploy_search_tree_state(at->tree, node) == at->state;
}

static void report(const char *mode, const ploy_search_query *query, const ploy_env *env) {
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    def.order = PLOY_SEARCH_BREADTH;
    def.storage = PLOY_SEARCH_PAGES;
    if (ploy_search_create(&def, env, &search) != PLOY_OK) return;
    ploy_result result = ploy_search_run(search, query);
    if (result == PLOY_OK) {
        printf("%s: %s after %d states\n", mode,
               ploy_search_outcome_text(ploy_search_outcome_of(search)),
               (int)ploy_search_stats_of(search).taken);
    } else {
        printf("%s: %s\n", mode, ploy_result_text(result));
    }
    ploy_search_destroy(search);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_space space = {SIDE * SIDE, streets, NULL, NULL, NULL};
    ploy_search_start start = {0, 0.0};
    int32_t goals[2] = {3 * SIDE + 3, SIDE * SIDE}; // the second one does not exist
    for (int32_t i = 0; i < 2; i++) {
        ploy_search_tree *tree = NULL;
        if (ploy_search_tree_create(&space, 0, 100000, &env, &tree) != PLOY_OK) return 1;
        target at = {tree, goals[i]};
        ploy_space all = ploy_search_tree_space(tree, goals[i]);
        ploy_search_query query = ploy_search_query_make(&all, &start, PLOY_STATE_NONE);
        query.is_goal = is_target;
        query.user = &at;
        report(i == 0 ? "tree mode" : "tree mode, no such place", &query, &env);
        ploy_search_tree_destroy(tree);
    }
    ploy_search_query query = ploy_search_query_make(&space, &start, goals[0]);
    report("graph mode", &query, &env);
    return 0;
}
