// The tree of all paths of a space; see the header.
//
// Invariants:
//   (1) node 0 is the start; every other node is the target of exactly one edge of the list;
//   (2) a node's edges are [first, first + count) of the list once it was expanded (first >= 0), so
//       expanding it again gives the same nodes.
#include "ploy/search/search_tree.h"

#include "ploy/base/array.h"

typedef struct tree_node {
    int32_t state;
    int32_t first, count; // of its edges; first -1: not expanded
} tree_node;

struct ploy_search_tree {
    ploy_env env;
    ploy_space space;
    ploy_edges found; // of the space, scratch
    ploy_array nodes; // tree_node
    ploy_array edges; // ploy_edge, whose targets are nodes
    int32_t goal, capacity;
};

ploy_result ploy_search_tree_create(const ploy_space *space, int32_t start, int32_t capacity,
                                    const ploy_env *env, ploy_search_tree **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (space == NULL || space->expand == NULL || env == NULL || start < 0 || capacity < 1 ||
        (space->count > 0 && start >= space->count)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_search_tree *tree = ploy_env_alloc_zero(env, sizeof *tree);
    if (tree == NULL) return PLOY_ERR_MEMORY;
    tree_node root = {start, -1, 0};
    tree->env = *env;
    tree->space = *space;
    tree->goal = PLOY_STATE_NONE;
    tree->capacity = capacity;
    ploy_edges_init(&tree->found, env);
    ploy_array_init(&tree->nodes, sizeof(tree_node), env);
    ploy_array_init(&tree->edges, sizeof(ploy_edge), env);
    ploy_result result = ploy_array_push(&tree->nodes, &root);
    if (result != PLOY_OK) {
        ploy_search_tree_destroy(tree);
        return result;
    }
    *out = tree;
    return PLOY_OK;
}

void ploy_search_tree_destroy(ploy_search_tree *tree) {
    if (tree == NULL) return;
    ploy_env env = tree->env;
    ploy_edges_fini(&tree->found);
    ploy_array_fini(&tree->nodes);
    ploy_array_fini(&tree->edges);
    ploy_env_free(&env, tree, sizeof *tree);
}

// Adds the children of a node, or none of them.
static ploy_result tree_grow(ploy_search_tree *tree, int32_t node) {
    tree_node *parent = PLOY_ARRAY_AT(&tree->nodes, tree_node, node);
    int32_t nodes = tree->nodes.count, first = tree->edges.count;
    ploy_edges_clear(&tree->found);
    ploy_result result = tree->space.expand(tree->space.user, parent->state, &tree->found);
    if (result != PLOY_OK) return result;
    if (tree->found.count > tree->capacity - nodes) return PLOY_ERR_LIMIT;
    for (int32_t i = 0; i < tree->found.count && result == PLOY_OK; i++) {
        ploy_edge edge = tree->found.view[i];
        tree_node child = {edge.to, -1, 0};
        edge.to = nodes + i;
        result = ploy_array_push(&tree->edges, &edge);
        if (result == PLOY_OK) result = ploy_array_push(&tree->nodes, &child);
    }
    if (result != PLOY_OK) {
        (void)ploy_array_resize(&tree->edges, first);
        (void)ploy_array_resize(&tree->nodes, nodes);
        return result;
    }
    parent = PLOY_ARRAY_AT(&tree->nodes, tree_node, node); // it may have moved
    parent->first = first;
    parent->count = tree->found.count; // keeps (2)
    return PLOY_OK;
}

static ploy_result tree_expand(void *user, int32_t node, ploy_edges *out) {
    ploy_search_tree *tree = user;
    if (node < 0 || node >= tree->nodes.count) return PLOY_ERR_ARGUMENT;
    if (PLOY_ARRAY_AT(&tree->nodes, tree_node, node)->first < 0) {
        ploy_result result = tree_grow(tree, node);
        if (result != PLOY_OK) return result;
    }
    const tree_node *parent = PLOY_ARRAY_AT(&tree->nodes, tree_node, node);
    if (parent->count == 0) return PLOY_OK;
    ploy_edges_lend(out, PLOY_ARRAY_AT(&tree->edges, ploy_edge, parent->first), parent->count);
    return PLOY_OK;
}

static double tree_estimate(void *user, int32_t node, int32_t goal) {
    ploy_search_tree *tree = user;
    (void)goal; // the goal of the tree's search is a predicate
    int32_t state = ploy_search_tree_state(tree, node);
    return state < 0 ? 0.0 : tree->space.estimate(tree->space.user, state, tree->goal);
}

ploy_space ploy_search_tree_space(ploy_search_tree *tree, int32_t goal) {
    ploy_space space = {0, tree_expand, NULL, NULL, tree};
    tree->goal = goal;
    if (tree->space.estimate != NULL) space.estimate = tree_estimate;
    return space;
}

int32_t ploy_search_tree_state(const ploy_search_tree *tree, int32_t node) {
    if (node < 0 || node >= tree->nodes.count) return PLOY_STATE_NONE;
    return PLOY_ARRAY_AT(&tree->nodes, tree_node, node)->state;
}

int32_t ploy_search_tree_count(const ploy_search_tree *tree) {
    return tree->nodes.count;
}

void ploy_search_tree_memory(const ploy_search_tree *tree, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"search tree", sizeof *tree, 1};
    ploy_memory_item found = {"edges", (size_t)tree->found.capacity * sizeof(ploy_edge), 1};
    fn(user, &item);
    fn(user, &found);
    ploy_array_memory(&tree->nodes, fn, user);
    ploy_array_memory(&tree->edges, fn, user);
}
