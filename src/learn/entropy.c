// Entropy and the gain of every column.
#include "ploy/learn/entropy.h"

#include "ploy/base/math.h"

#include "learn/tree_internal.h"

#include <string.h>

double ploy_entropy(const int32_t *counts, int32_t classes) {
    double sum = 0.0, total = 0.0;
    for (int32_t i = 0; i < classes; i++) total += counts[i];
    for (int32_t i = 0; i < classes; i++) {
        if (counts[i] <= 0) continue;
        double share = counts[i] / total;
        sum -= share * ploy_log2(share);
    }
    return sum > 0.0 ? sum : 0.0;
}

static ploy_result entropy_gains(ployi_tree *tree, const ploy_examples *examples, int32_t *rows,
                                 ploy_gain *gains) {
    int32_t all = ploy_examples_count(examples), count = 0;
    ploy_result result = ployi_tree_reserve(tree, all);
    int32_t root = result == PLOY_OK ? ployi_tree_add(tree, -1) : -1;
    if (root < 0) return PLOY_ERR_MEMORY;
    memset(tree->scratch.table, 0, (size_t)tree->shape.stride * sizeof(int32_t));
    for (int32_t i = 0; i < all; i++) {
        const double *row = ploy_examples_at(examples, i);
        if (ploy_is_missing(row[tree->shape.target])) continue;
        rows[count++] = i;
        ployi_tree_table_add(&tree->shape, tree->scratch.table, row, 1);
        ployi_tree_shares(tree, root)[(int32_t)row[tree->shape.target]]++;
    }
    ploy_gain best;
    (void)ployi_tree_choose(tree, tree->scratch.table, ployi_tree_shares(tree, root), examples,
                            rows, count, PLOY_TREE_GAIN, -1, &best);
    memcpy(gains, tree->scratch.gains, (size_t)tree->shape.columns * sizeof *gains);
    return PLOY_OK;
}

ploy_result ploy_examples_gains(const ploy_examples *examples, const ploy_env *env,
                                ploy_gain *gains) {
    const ploy_schema *schema = ploy_examples_schema(examples);
    if (examples == NULL || env == NULL || gains == NULL || ploy_schema_classes(schema) == 0) {
        return PLOY_ERR_ARGUMENT;
    }
    ployi_tree tree;
    ploy_result result = ployi_tree_init(&tree, schema, env);
    if (result != PLOY_OK) return result;
    size_t size = ((size_t)ploy_examples_count(examples) + 1) * sizeof(int32_t);
    int32_t *rows = ploy_env_alloc(env, size);
    result = rows == NULL ? PLOY_ERR_MEMORY : entropy_gains(&tree, examples, rows, gains);
    ploy_env_free(env, rows, size);
    ployi_tree_fini(&tree);
    return result;
}
