// The learners "id3" and "gain_ratio": trees built from a table, one node a unit.
//
// Nodes are numbered in the order in which they are made, so the next one to split is nodes[cursor]
// and no list of open nodes is needed. Pruning then runs from the last node back to the first.
#include "ploy/learn/tree.h"

#include "learn/tree_internal.h"

#include <string.h>

static const char *const tree_criteria[] = {"gain", "ratio"};

#define TREE_FIELDS(criterion_value, min_value, prune_value)                                    \
    PLOY_FIELD_ENUM(ploy_tree_def, criterion, criterion_value, tree_criteria, "split measure"), \
        PLOY_FIELD_I32(ploy_tree_def, min_examples, min_value, 2, 1 << 24, "",                  \
                       "smaller parts are not split"),                                          \
        PLOY_FIELD_I32(ploy_tree_def, max_depth, 256, 1, 256, "", "edges from the root"),       \
        PLOY_FIELD_F64(ploy_tree_def, prune, prune_value, 0, 10, "",                            \
                       "deviations of the pessimistic error; 0 prunes nothing")

static const ploy_field tree_fields[] = {TREE_FIELDS(PLOY_TREE_GAIN, 2, 0.0)};
// 0.6745 deviations are the upper quartile, C4.5's confidence of 25 percent.
static const ploy_field tree_ratio_fields[] = {TREE_FIELDS(PLOY_TREE_RATIO, 4, 0.6745)};

typedef struct tree_learner {
    ploy_learner_common common;
    ploy_tree_def def;
    ployi_tree tree;
    ploy_array rows;  // int32_t: the examples, sorted by node; in training only
    ploy_array spare; // int32_t, scratch
    int32_t cursor;   // node that is split next
    int32_t pruned;   // nodes left to look at for pruning
} tree_learner;

ploy_fields ploy_tree_fields(void) {
    return PLOY_FIELDS(ploy_tree_def, tree_fields);
}

ploy_fields ploy_tree_ratio_fields(void) {
    return PLOY_FIELDS(ploy_tree_def, tree_ratio_fields);
}

ploy_tree_def ploy_tree_def_default(void) {
    ploy_tree_def def;
    ploy_fields_default(ploy_tree_fields(), &def);
    return def;
}

static void tree_destroy(void *object) {
    tree_learner *self = object;
    ploy_env env = self->common.env;
    ploy_array_fini(&self->rows);
    ploy_array_fini(&self->spare);
    ployi_tree_fini(&self->tree);
    ploy_env_free(&env, self, sizeof *self);
}

static ploy_result tree_create(const void *def, const ploy_learner_common *common, void **out) {
    tree_learner *self = ploy_env_alloc_zero(&common->env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->common = *common;
    self->def = *(const ploy_tree_def *)def;
    ploy_array_init(&self->rows, sizeof(int32_t), &common->env);
    ploy_array_init(&self->spare, sizeof(int32_t), &common->env);
    ploy_result result = ployi_tree_init(&self->tree, common->schema, &common->env);
    if (result != PLOY_OK) {
        ploy_env_free(&common->env, self, sizeof *self);
        return result;
    }
    *out = self;
    return PLOY_OK;
}

static void tree_reset(void *object) {
    tree_learner *self = object;
    ploy_array_clear(&self->tree.nodes);
    ploy_array_clear(&self->tree.shares);
}

static void tree_cancel(void *object) {
    tree_learner *self = object;
    ploy_array_fini(&self->rows);
    ploy_array_fini(&self->spare);
    self->cursor = self->pruned = 0;
    for (int32_t i = 0; i < self->tree.nodes.count; i++) {
        ployi_tree_node(&self->tree, i)->first = 0; // no rows any more
    }
}

static ploy_result tree_train_begin(void *object) {
    tree_learner *self = object;
    const ploy_examples *examples = self->common.examples;
    int32_t all = ploy_examples_count(examples), target = self->tree.shape.target;
    ploy_result result = ployi_tree_reserve(&self->tree, all);
    if (result == PLOY_OK) result = ploy_array_resize(&self->spare, all);
    if (result == PLOY_OK) result = ploy_array_reserve(&self->rows, all);
    if (result == PLOY_OK) result = ploy_array_reserve(&self->tree.nodes, 1);
    if (result == PLOY_OK)
        result = ploy_array_reserve(&self->tree.shares, self->tree.shape.classes);
    if (result != PLOY_OK) {
        tree_cancel(self);
        return result;
    }
    tree_reset(self); // nothing can fail from here on
    int32_t root = ployi_tree_add(&self->tree, -1);
    for (int32_t i = 0; i < all; i++) {
        const double *row = ploy_examples_at(examples, i);
        if (ploy_is_missing(row[target])) continue;
        (void)ploy_array_push(&self->rows, &i);
        ployi_tree_shares(&self->tree, root)[(int32_t)row[target]]++;
    }
    ployi_tree_settle(&self->tree, root);
    ployi_tree_node(&self->tree, root)->built = self->rows.count;
    self->common.observed = self->rows.count;
    self->cursor = 0;
    self->pruned = -1;
    return PLOY_OK;
}

// ---- pruning

// Upper limit of the errors among n examples of which `errors` are wrong: Wilson's bound.
static double tree_pessimistic(double errors, double n, double z) {
    if (n <= 0.0) return 0.0;
    double share = errors / n, zz = z * z;
    double root = sqrt(share / n - share * share / n + zz / (4.0 * n * n));
    return n * (share + zz / (2.0 * n) + z * root) / (1.0 + zz / n);
}

// Errors of a subtree. Its nodes come behind `index`; a leaf's are its own.
static double tree_errors(const tree_learner *self, int32_t index) {
    const ploy_tree_node *node = ployi_tree_node(&self->tree, index);
    if (node->examples == 0) return 0.0;
    if (node->column < 0) {
        int32_t right = ployi_tree_shares(&self->tree, index)[node->category];
        return tree_pessimistic(node->examples - right, node->examples, self->def.prune);
    }
    double sum = 0.0;
    for (int32_t i = 0; i < node->child_count; i++) sum += tree_errors(self, node->child + i);
    return sum;
}

static void tree_prune(tree_learner *self, int32_t index) {
    ploy_tree_node *node = ployi_tree_node(&self->tree, index);
    if (node->column < 0) return;
    int32_t right = ployi_tree_shares(&self->tree, index)[node->category];
    double leaf = tree_pessimistic(node->examples - right, node->examples, self->def.prune);
    if (leaf > tree_errors(self, index) + 0.1) return;
    node->column = -1;
    node->child = node->child_count = 0;
    node->threshold = node->gain = 0.0;
}

// Drops nodes that pruning has cut off and closes the gaps, keeping the order.
static void tree_compact(tree_learner *self) {
    ployi_tree *tree = &self->tree;
    int32_t *to = PLOY_ARRAY_ITEMS(&self->spare, int32_t), kept = 0; // begin made room
    for (int32_t i = 0; i < tree->nodes.count; i++) {
        ploy_tree_node node = *ployi_tree_node(tree, i);
        // A parent that was kept has moved to to[parent]; whether it still has children is there.
        bool keep =
            i == 0 || (to[node.parent] >= 0 && ployi_tree_node(tree, to[node.parent])->column >= 0);
        to[i] = keep ? kept : -1;
        if (!keep) continue;
        if (i > 0) {
            ploy_tree_node *parent = ployi_tree_node(tree, to[node.parent]);
            if (parent->child == i) parent->child = kept; // its first child
            node.parent = to[node.parent];
        }
        memmove(ployi_tree_shares(tree, kept), ployi_tree_shares(tree, i),
                (size_t)tree->shape.classes * sizeof(int32_t));
        *ployi_tree_node(tree, kept++) = node;
    }
    tree->nodes.count = kept;
    tree->shares.count = kept * tree->shape.classes;
}

// An estimate: with every row in a separate leaf and splits in two there are twice as many nodes.
static int64_t tree_total(const void *object) {
    const tree_learner *self = object;
    int64_t nodes = 2 * (int64_t)ploy_examples_count(self->common.examples);
    return self->def.prune > 0.0 ? 2 * nodes : nodes;
}

static ploy_result tree_step(void *object, ploy_budget *budget) {
    tree_learner *self = object;
    ployi_tree_rule rule = {self->def.criterion, self->def.min_examples, self->def.max_depth};
    while (self->cursor < self->tree.nodes.count) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_result result = ployi_tree_grow(&self->tree, self->cursor, self->common.examples,
                                             PLOY_ARRAY_ITEMS(&self->rows, int32_t),
                                             PLOY_ARRAY_ITEMS(&self->spare, int32_t), &rule);
        if (result != PLOY_OK) return result;
        self->cursor++;
    }
    if (!(self->def.prune > 0.0)) return PLOY_OK;
    if (self->pruned < 0) {
        ploy_result result = ploy_array_resize(
            &self->spare, self->spare.count > self->cursor ? self->spare.count : self->cursor);
        if (result != PLOY_OK) return result;
        self->pruned = self->cursor;
    }
    while (self->pruned > 0) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        tree_prune(self, --self->pruned);
    }
    tree_compact(self);
    return PLOY_OK;
}

// ---- the front

static void tree_predict(const void *object, const double *input, double *posteriors,
                         ploy_answer *out) {
    ployi_tree_predict(&((const tree_learner *)object)->tree, input, posteriors, out);
}

static int64_t tree_size(const void *object) {
    return ployi_tree_size(&((const tree_learner *)object)->tree);
}

static void tree_visit(ploy_visit *v, void *object) {
    tree_learner *self = object;
    ploy_visit_object(v, "tree", self, sizeof *self);
    PLOY_VISIT_SCRATCH(v, self->def);
    ployi_tree_visit(v, &self->tree);
    int32_t nodes = self->tree.nodes.count, all = ploy_examples_count(self->common.examples);
    int32_t count = ploy_visit_array(v, "rows", PLOY_STATE, &self->rows, all);
    for (int32_t i = 0; i < count; i++) {
        int32_t *row = PLOY_ARRAY_AT(&self->rows, int32_t, i);
        ploy_visit_i32_in(v, "row", PLOY_STATE, row, 0, all - 1);
    }
    ploy_visit_end(v);
    PLOY_VISIT_SCRATCH(v, self->spare);
    ploy_visit_block(v, "tree.spare", self->spare.items,
                     (size_t)self->spare.capacity * self->spare.item_size);
    ploy_visit_i32_in(v, "cursor", PLOY_STATE, &self->cursor, 0, nodes);
    ploy_visit_i32_in(v, "pruned", PLOY_STATE, &self->pruned, -1, nodes);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    bool fits = !self->common.trains || (nodes > 0 && self->cursor >= 0);
    for (int32_t i = 0; i < nodes && fits && self->common.trains; i++) {
        const ploy_tree_node *node = ployi_tree_node(&self->tree, i);
        fits = ploy_range_within(node->first, node->examples, count);
    }
    for (int32_t i = 0; i < count && fits; i++) {
        const double *row =
            ploy_examples_at(self->common.examples, *PLOY_ARRAY_AT(&self->rows, int32_t, i));
        fits = !ploy_is_missing(row[self->tree.shape.target]);
    }
    if (!ploy_visit_check(v, fits, "nodes and rows do not match", NULL)) return;
    if (self->common.trains && self->pruned >= 0 && self->spare.count < nodes) {
        (void)ploy_visit_result(v, ploy_array_resize(&self->spare, nodes));
    }
}

static void tree_explain(const void *object, const double *input, ploy_trace *trace) {
    ployi_tree_explain(&((const tree_learner *)object)->tree, input, trace);
}

static void tree_draw(const void *object, ploy_draw *out) {
    ployi_tree_draw(&((const tree_learner *)object)->tree, -1, out);
}

#define TREE_TYPE(type_name, help_text, table)                                                   \
    {                                                                                            \
        type_name, help_text, "one node", "nodes",                                               \
            PLOY_LEARNER_NUMBERS | PLOY_LEARNER_CATEGORIES | PLOY_LEARNER_MISSING |              \
                PLOY_LEARNER_CLASSIFIES | PLOY_LEARNER_COUNTS,                                   \
            table, tree_create, tree_destroy, NULL, tree_train_begin, tree_step, tree_cancel,    \
            tree_predict, tree_reset, tree_size, tree_visit, tree_explain, tree_draw, tree_total \
    }

static const ploy_learner_type tree_types[] = {
    TREE_TYPE("id3", "decision tree by information gain", ploy_tree_fields),
    TREE_TYPE("gain_ratio", "decision tree by gain ratio, pruned", ploy_tree_ratio_fields),
};

const ploy_learner_type *ploy_tree_learner(void) {
    return &tree_types[0];
}

const ploy_learner_type *ploy_tree_ratio_learner(void) {
    return &tree_types[1];
}

static const ployi_tree *tree_of(ploy_learner learner) {
    if (learner.type == &tree_types[0] || learner.type == &tree_types[1]) {
        return &((const tree_learner *)learner.self)->tree;
    }
    return ployi_tree_of_id4(learner);
}

int32_t ploy_tree_count(ploy_learner learner) {
    const ployi_tree *tree = tree_of(learner);
    return tree == NULL ? 0 : tree->nodes.count;
}

const ploy_tree_node *ploy_tree_node_at(ploy_learner learner, int32_t index) {
    const ployi_tree *tree = tree_of(learner);
    return tree == NULL ? NULL : ploy_array_at(&tree->nodes, index);
}

int32_t ploy_tree_leaf(ploy_learner learner, const double *input) {
    const ployi_tree *tree = tree_of(learner);
    return tree == NULL || input == NULL ? -1 : ployi_tree_leaf(tree, input);
}
