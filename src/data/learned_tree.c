// Learned trees as decision trees; see the header.
#include "ploy/data/learned_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct learned_build {
    ploy_learner learner;
    const ploy_schema *schema;
    const ploy_maker *makers;
    ploy_decision_tree *tree;
    ploy_decision_node *nodes; // one for each node of the learned tree
    int64_t *values;           // scratch: 0, 1, ... for switches
    ploy_decision_node *children;
} learned_build;

static void learned_node(learned_build *b, int32_t index) {
    const ploy_tree_node *node = ploy_tree_node_at(b->learner, index);
    char id[2 * PLOY_COLUMN_NAME_MAX];
    // A value that was never seen answers as its parent.
    const ploy_tree_node *answers = node->examples == 0 && node->parent >= 0
                                        ? ploy_tree_node_at(b->learner, node->parent)
                                        : node;
    if (node->column < 0) {
        snprintf(id, sizeof id, "%s/%d",
                 ploy_schema_value_at(b->schema, ploy_schema_target(b->schema), answers->category),
                 (int)index);
        b->nodes[index] = ploy_decision_tree_leaf(
            b->tree, id, b->makers != NULL ? b->makers[answers->category] : ploy_maker_none());
        return;
    }
    const char *key = ploy_schema_name_at(b->schema, node->column);
    snprintf(id, sizeof id, "%s/%d", key, (int)index);
    if (ploy_schema_kind_at(b->schema, node->column) == PLOY_COLUMN_NUMBER) {
        ploy_conditions *set = ploy_decision_tree_conditions(b->tree);
        ploy_condition above = ploy_condition_range(set, key, node->threshold, (double)INFINITY);
        b->nodes[index] = ploy_decision_tree_test(b->tree, id, above, b->nodes[node->child + 1],
                                                  b->nodes[node->child]);
        return;
    }
    for (int32_t i = 0; i < node->child_count; i++) {
        b->values[i] = i;
        b->children[i] = b->nodes[node->child + i];
    }
    int32_t last = node->child_count - 1; // missing
    b->nodes[index] = ploy_decision_tree_switch(b->tree, id, key, b->values, b->children, last,
                                                b->children[last]);
}

static ploy_result learned_build_all(learned_build *b, const ploy_env *env) {
    int32_t count = ploy_tree_count(b->learner), widest = 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t children = ploy_tree_node_at(b->learner, i)->child_count;
        if (children > widest) widest = children;
    }
    size_t nodes = (size_t)count * sizeof *b->nodes, values = (size_t)widest * sizeof *b->values,
           children = (size_t)widest * sizeof *b->children;
    b->nodes = ploy_env_alloc_zero(env, nodes);
    b->values = ploy_env_alloc_zero(env, values);
    b->children = ploy_env_alloc_zero(env, children);
    ploy_result result = PLOY_ERR_MEMORY;
    if (b->nodes != NULL && b->values != NULL && b->children != NULL) {
        for (int32_t i = count - 1; i >= 0; i--) learned_node(b, i); // children come behind parents
        result = ploy_decision_tree_finish(b->tree, b->nodes[0]);
    }
    ploy_env_free(env, b->children, children);
    ploy_env_free(env, b->values, values);
    ploy_env_free(env, b->nodes, nodes);
    return result;
}

ploy_result ploy_learned_tree_create(ploy_learner learner, const ploy_blackboard_layout *layout,
                                     const ploy_maker *makers, const ploy_env *env,
                                     ploy_decision_tree **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (learner.type != ploy_tree_learner() && learner.type != ploy_tree_ratio_learner() &&
        learner.type != ploy_id4_learner()) {
        return PLOY_ERR_ARGUMENT;
    }
    if (ploy_tree_count(learner) == 0) return PLOY_ERR_STATE;
    learned_build b;
    memset(&b, 0, sizeof b);
    b.learner = learner;
    b.schema = ploy_learner_schema(learner);
    b.makers = makers;
    ploy_result result = ploy_decision_tree_create(layout, env, &b.tree);
    if (result != PLOY_OK) return result;
    result = learned_build_all(&b, env);
    if (result == PLOY_OK) {
        *out = b.tree;
    } else {
        ploy_decision_tree_destroy(b.tree);
    }
    return result;
}

int32_t ploy_learned_tree_class(ploy_learner learner, const ploy_decision_tree *tree,
                                ploy_decision_node leaf) {
    if (!ploy_decision_tree_is_leaf(tree, leaf)) return -1;
    const char *id = ploy_decision_tree_id(tree, leaf), *slash = strrchr(id, '/');
    char name[PLOY_COLUMN_NAME_MAX];
    if (slash == NULL || (size_t)(slash - id) >= sizeof name) return -1;
    memcpy(name, id, (size_t)(slash - id));
    name[slash - id] = 0;
    const ploy_schema *schema = ploy_learner_schema(learner);
    return ploy_schema_find_value(schema, ploy_schema_target(schema), name);
}
