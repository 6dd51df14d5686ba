// The tree of a space: the same paths as in graph mode where both end, and more states.
#include "ploy/search/search_tree.h"

#include "ploy/base/rng.h"
#include "ploy/search/search.h"
#include "tests/test.h"

// A small directed graph without cycles, or with them: edges to any, or only to higher states.
enum { NODES = 9, EDGES = 3 };
typedef struct wood {
    int32_t to[NODES][EDGES];
    double cost[NODES][EDGES];
} wood;

static ploy_result wood_expand(void *user, int32_t state, ploy_edges *out) {
    const wood *of = user;
    for (int32_t i = 0; i < EDGES; i++) {
        if (of->to[state][i] < 0) continue;
        ploy_result result = ploy_edges_add(out, of->to[state][i], of->cost[state][i], i);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static wood grow(uint64_t seed, bool cycles) {
    ploy_rng rng = ploy_rng_make(seed);
    wood out;
    for (int32_t i = 0; i < NODES; i++) {
        for (int32_t k = 0; k < EDGES; k++) {
            int32_t from = cycles ? 0 : i + 1;
            uint32_t choices = (uint32_t)(NODES - from);
            out.to[i][k] = from < NODES ? from + (int32_t)ploy_rng_below(&rng, choices) : -1;
            out.cost[i][k] = 1.0 + (double)ploy_rng_below(&rng, 9);
        }
    }
    return out;
}

typedef struct aim {
    const ploy_search_tree *tree;
    int32_t goal;
} aim;

static bool is_goal(void *user, int32_t node) {
    const aim *at = user;
    return ploy_search_tree_state(at->tree, node) == at->goal;
}

typedef struct outcome {
    double cost;
    int64_t taken;
    ploy_result result;
} outcome;

static outcome search_run(test_context *t, ploy_search_order order, ploy_search_query *query) {
    ploy_env env = ploy_env_default();
    ploy_search_def def = ploy_search_def_default();
    ploy_search *search = NULL;
    outcome out = {-1.0, 0, PLOY_OK};
    def.order = order;
    def.storage = PLOY_SEARCH_PAGES;
    CHECK_OK(ploy_search_create(&def, &env, &search));
    out.result = ploy_search_run(search, query);
    if (ploy_search_goal(search) >= 0) {
        (void)ploy_search_path(search, ploy_search_goal(search), NULL, 0, &out.cost);
    }
    out.taken = ploy_search_stats_of(search).taken;
    ploy_search_destroy(search);
    return out;
}

static outcome in_tree(test_context *t, const ploy_space *space, ploy_search_order order,
                       int32_t goal, int32_t capacity) {
    ploy_env env = ploy_env_default();
    ploy_search_tree *tree = NULL;
    CHECK_OK(ploy_search_tree_create(space, 0, capacity, &env, &tree));
    ploy_space view = ploy_search_tree_space(tree, goal);
    ploy_search_start start = {0, 0.0};
    ploy_search_query query = ploy_search_query_make(&view, &start, PLOY_STATE_NONE);
    aim at = {tree, goal};
    query.is_goal = is_goal;
    query.user = &at;
    outcome out = search_run(t, order, &query);
    ploy_search_tree_destroy(tree);
    return out;
}

TEST(tree_mode_finds_what_graph_mode_finds_and_takes_more_states) { // NTU-01
    static const ploy_search_order orders[] = {PLOY_SEARCH_BEST, PLOY_SEARCH_BREADTH,
                                               PLOY_SEARCH_DEPTH};
    int64_t graph_taken = 0, tree_taken = 0;
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        wood of = grow((uint64_t)seed, false);
        ploy_space space = {NODES, wood_expand, NULL, NULL, &of};
        for (int32_t i = 0; i < 3; i++) {
            for (int32_t goal = 1; goal < NODES; goal++) {
                ploy_search_start start = {0, 0.0};
                ploy_search_query query = ploy_search_query_make(&space, &start, goal);
                outcome plain = search_run(t, orders[i], &query);
                outcome tree = in_tree(t, &space, orders[i], goal, 100000);
                CHECK_OK(tree.result);
                CHECK((plain.cost < 0.0) == (tree.cost < 0.0));
                if (i == 0) CHECK_NEAR(tree.cost, plain.cost, 1e-12);
                graph_taken += plain.taken;
                tree_taken += tree.taken;
            }
        }
    }
    CHECK(tree_taken > 2 * graph_taken);
}

TEST(a_cycle_ends_at_the_limit_instead_of_never) {
    wood of = grow(3, true);
    for (int32_t k = 0; k < EDGES; k++) of.to[0][k] = 0; // only in circles
    ploy_space space = {NODES, wood_expand, NULL, NULL, &of};
    outcome tree = in_tree(t, &space, PLOY_SEARCH_BREADTH, 5, 1000);
    CHECK_INT(tree.result, PLOY_ERR_LIMIT);
    CHECK(tree.cost < 0.0);
}

static ploy_result make_one(const ploy_env *env, void *arg) {
    ploy_search_tree *tree = NULL;
    ploy_result result = ploy_search_tree_create(arg, 0, 1000, env, &tree);
    if (result != PLOY_OK) return result;
    ploy_space view = ploy_search_tree_space(tree, PLOY_STATE_NONE);
    ploy_edges edges;
    ploy_edges_init(&edges, env);
    for (int32_t i = 0; i < 8 && result == PLOY_OK; i++) {
        ploy_edges_clear(&edges);
        int32_t before = ploy_search_tree_count(tree);
        result = view.expand(view.user, i, &edges);
        if (result != PLOY_OK && ploy_search_tree_count(tree) != before) result = PLOY_OK;
    }
    ploy_edges_fini(&edges);
    ploy_search_tree_destroy(tree);
    return result;
}

TEST(bad_trees_are_refused_and_memory_may_run_out) {
    ploy_env env = ploy_env_default();
    wood of = grow(1, true);
    ploy_space space = {NODES, wood_expand, NULL, NULL, &of};
    ploy_search_tree *tree = NULL;
    CHECK_INT(ploy_search_tree_create(&space, NODES, 10, &env, &tree), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_search_tree_create(&space, 0, 0, &env, &tree), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_search_tree_create(NULL, 0, 10, &env, &tree), PLOY_ERR_ARGUMENT);
    CHECK_FAIL_NTH(make_one, &space);
    test_counts counts = {0, 0, 0};
    env = test_counting_env(&counts);
    CHECK_OK(ploy_search_tree_create(&space, 0, 100, &env, &tree));
    ploy_space view = ploy_search_tree_space(tree, PLOY_STATE_NONE);
    ploy_edges edges;
    ploy_edges_init(&edges, &env);
    CHECK_OK(view.expand(view.user, 0, &edges));
    CHECK_INT(ploy_search_tree_state(tree, 99), PLOY_STATE_NONE);
    ploy_edges_fini(&edges);
    int64_t told = 0;
    ploy_search_tree_memory(tree, test_sum_memory, &told);
    CHECK_INT(told, counts.bytes);
    ploy_search_tree_destroy(tree);
}
