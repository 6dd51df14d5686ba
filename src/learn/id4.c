// The learner "id4": a tree that grows by one example at a time.
//
// Every node keeps a table of counts (tree_internal.h), so that looking for a better column costs
// the size of the table and not the number of examples, unless the schema has numbers. The examples
// of a leaf are a linked list.
//
// Invariants:
//   (1) nodes are in the order in which id3 makes them, level by level, so that equal trees have
//       equal bytes;
//   (2) tables, heads and next follow from examples and nodes; they are rebuilt after a load.
#include "ploy/learn/tree.h"

#include "learn/tree_internal.h"

#include <string.h>

static const char *const id4_rebuilds[] = {"best", "never"};

static const ploy_field id4_fields[] = {
    PLOY_FIELD_ENUM(ploy_id4_def, rebuild, PLOY_ID4_BEST, id4_rebuilds, "when a part is rebuilt"),
    PLOY_FIELD_F64(ploy_id4_def, throttle, 0, 0, 100, "",
                   "share by which examples grow between rebuilds"),
    PLOY_FIELD_I32(ploy_id4_def, max_depth, 64, 1, 256, "", "edges from the root"),
    PLOY_FIELD_I32_FIXED(ploy_id4_def, max_examples, 100000, 1, 1 << 24, "",
                         "examples kept; later ones are ignored"),
};

typedef struct id4 {
    ploy_learner_common common;
    ploy_id4_def def;
    ployi_tree tree;
    ploy_examples *examples;
    ploy_array tables; // int32_t, one table for each node
    ploy_array heads;  // int32_t, the last example of each leaf; -1 for none
    ploy_array next;   // int32_t, the example before it in its leaf; -1 for none
    ploy_array rows;   // int32_t, scratch
    ploy_id4_statistics statistics;
} id4;

ploy_fields ploy_id4_fields(void) {
    return PLOY_FIELDS(ploy_id4_def, id4_fields);
}

ploy_id4_def ploy_id4_def_default(void) {
    ploy_id4_def def;
    ploy_fields_default(ploy_id4_fields(), &def);
    return def;
}

static int32_t *id4_table(const id4 *self, int32_t node) {
    return PLOY_ARRAY_ITEMS(&self->tables, int32_t) +
           (size_t)node * (size_t)self->tree.shape.stride;
}

static int32_t *id4_head(const id4 *self, int32_t node) {
    return PLOY_ARRAY_AT(&self->heads, int32_t, node);
}

static void id4_destroy(void *object) {
    id4 *self = object;
    ploy_env env = self->common.env;
    ploy_array_fini(&self->rows);
    ploy_array_fini(&self->next);
    ploy_array_fini(&self->heads);
    ploy_array_fini(&self->tables);
    ploy_examples_destroy(self->examples);
    ployi_tree_fini(&self->tree);
    ploy_env_free(&env, self, sizeof *self);
}

static ploy_result id4_create(const void *def, const ploy_learner_common *common, void **out) {
    id4 *self = ploy_env_alloc_zero(&common->env, sizeof *self);
    if (self == NULL) return PLOY_ERR_MEMORY;
    self->common = *common;
    self->def = *(const ploy_id4_def *)def;
    ploy_array_init(&self->tables, sizeof(int32_t), &common->env);
    ploy_array_init(&self->heads, sizeof(int32_t), &common->env);
    ploy_array_init(&self->next, sizeof(int32_t), &common->env);
    ploy_array_init(&self->rows, sizeof(int32_t), &common->env);
    self->statistics.rebuilt = -1;
    ploy_result result = ployi_tree_init(&self->tree, common->schema, &common->env);
    if (result != PLOY_OK) {
        ploy_env_free(&common->env, self, sizeof *self);
        return result;
    }
    result = ploy_examples_create(common->schema, &common->env, &self->examples);
    if (result != PLOY_OK) {
        id4_destroy(self);
        return result;
    }
    *out = self;
    return PLOY_OK;
}

static void id4_reset(void *object) {
    id4 *self = object;
    ploy_examples_clear(self->examples);
    ploy_array_clear(&self->tree.nodes);
    ploy_array_clear(&self->tree.shares);
    ploy_array_clear(&self->tables);
    ploy_array_clear(&self->heads);
    ploy_array_clear(&self->next);
    memset(&self->statistics, 0, sizeof self->statistics);
    self->statistics.rebuilt = -1;
}

// ---- rebuilding a part

static void id4_gather(id4 *self, int32_t node) {
    const ploy_tree_node *item = ployi_tree_node(&self->tree, node);
    int32_t *rows = PLOY_ARRAY_ITEMS(&self->rows, int32_t);
    for (int32_t i = *id4_head(self, node); i >= 0; i = *PLOY_ARRAY_AT(&self->next, int32_t, i)) {
        rows[self->rows.count++] = i; // room for all examples was made
    }
    for (int32_t i = 0; i < item->child_count; i++) id4_gather(self, item->child + i);
}

static ploy_result id4_grow(ployi_tree *part, const id4 *self, int32_t *rows, int32_t *spare,
                            int32_t count, int32_t depth) {
    ployi_tree_rule rule = {PLOY_TREE_GAIN, 2, self->def.max_depth - depth};
    ploy_result result = ployi_tree_reserve(part, count);
    if (result != PLOY_OK) return result;
    if (ployi_tree_add(part, -1) < 0) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        const double *row = ploy_examples_at(self->examples, rows[i]);
        ployi_tree_shares(part, 0)[(int32_t)row[part->shape.target]]++;
    }
    ployi_tree_settle(part, 0);
    ployi_tree_node(part, 0)->built = count;
    for (int32_t i = 0; i < part->nodes.count; i++) {
        result = ployi_tree_grow(part, i, self->examples, rows, spare, &rule);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// The tree with one part exchanged, level by level again: keeps (1).
typedef struct id4_merge {
    ploy_array nodes, shares, tables, heads;
    ploy_array from; // int32_t: index in the old tree, or -1 - index in the part
} id4_merge;

static ploy_result id4_merge_add(id4_merge *m, const id4 *self, const ployi_tree *part, int32_t at,
                                 int32_t from, int32_t parent) {
    if (from == at) from = -1; // the exchanged part begins
    const ployi_tree *source = from >= 0 ? &self->tree : part;
    int32_t index = from >= 0 ? from : -1 - from;
    ploy_tree_node node = *ployi_tree_node(source, index);
    node.parent = parent;
    node.first = 0;
    int32_t head = from >= 0 ? *id4_head(self, from) : -1;
    ploy_result result = ploy_array_push(&m->nodes, &node);
    if (result == PLOY_OK) {
        result = ploy_array_push_many(&m->shares, ployi_tree_shares(source, index),
                                      source->shape.classes);
    }
    if (result == PLOY_OK && source->shape.stride > 0) {
        result = ploy_array_push_many(&m->tables, from >= 0 ? id4_table(self, from) : NULL,
                                      source->shape.stride);
    }
    if (result == PLOY_OK) result = ploy_array_push(&m->heads, &head);
    if (result == PLOY_OK) result = ploy_array_push(&m->from, &from);
    return result;
}

static ploy_result id4_merge_all(id4_merge *m, const id4 *self, const ployi_tree *part,
                                 int32_t at) {
    ploy_result result = id4_merge_add(m, self, part, at, 0, -1);
    for (int32_t i = 0; i < m->nodes.count && result == PLOY_OK; i++) {
        ploy_tree_node node = *PLOY_ARRAY_AT(&m->nodes, ploy_tree_node, i);
        int32_t from = *PLOY_ARRAY_AT(&m->from, int32_t, i), first = m->nodes.count;
        for (int32_t k = 0; k < node.child_count && result == PLOY_OK; k++) {
            int32_t child = from >= 0 ? node.child + k : -1 - (node.child + k);
            result = id4_merge_add(m, self, part, at, child, i);
        }
        if (node.child_count > 0) PLOY_ARRAY_AT(&m->nodes, ploy_tree_node, i)->child = first;
    }
    return result;
}

static void id4_take(ploy_array *to, ploy_array *from) {
    ploy_array old = *to;
    *to = *from;
    *from = old;
}

// Puts an example into the tables and the leaf below a node; not into its counts.
static void id4_drop(id4 *self, int32_t node, int32_t example) {
    const double *row = ploy_examples_at(self->examples, example);
    for (;;) {
        if (self->tree.shape.stride > 0) {
            ployi_tree_table_add(&self->tree.shape, id4_table(self, node), row, 1);
        }
        const ploy_tree_node *item = ployi_tree_node(&self->tree, node);
        if (item->column < 0) break;
        node = item->child + ployi_tree_branch(&self->tree.shape, item, row);
    }
    *PLOY_ARRAY_AT(&self->next, int32_t, example) = *id4_head(self, node);
    *id4_head(self, node) = example;
}

static void id4_merge_fini(id4_merge *m) {
    ploy_array_fini(&m->nodes);
    ploy_array_fini(&m->shares);
    ploy_array_fini(&m->tables);
    ploy_array_fini(&m->heads);
    ploy_array_fini(&m->from);
}

// Builds the part under a node again, with the newest example in it.
static ploy_result id4_rebuild(id4 *self, int32_t at, int32_t example) {
    const ploy_env *env = &self->common.env;
    ployi_tree part;
    id4_merge m;
    ploy_array_init(&m.nodes, sizeof(ploy_tree_node), env);
    ploy_array_init(&m.shares, sizeof(int32_t), env);
    ploy_array_init(&m.tables, sizeof(int32_t), env);
    ploy_array_init(&m.heads, sizeof(int32_t), env);
    ploy_array_init(&m.from, sizeof(int32_t), env);
    ploy_result result = ployi_tree_init(&part, self->common.schema, env);
    if (result != PLOY_OK) return result;
    ploy_array_clear(&self->rows);
    id4_gather(self, at);
    int32_t count = self->rows.count + 1, *rows = PLOY_ARRAY_ITEMS(&self->rows, int32_t);
    rows[count - 1] = example;
    result = id4_grow(&part, self, rows, rows + self->rows.capacity / 2, count,
                      ployi_tree_depth(&self->tree, at));
    if (result == PLOY_OK) result = id4_merge_all(&m, self, &part, at);
    if (result == PLOY_OK) { // nothing can fail from here on
        int32_t root = 0;
        while (*PLOY_ARRAY_AT(&m.from, int32_t, root) != -1) root++;
        self->statistics.rebuilt = root;
        id4_take(&self->tree.nodes, &m.nodes);
        id4_take(&self->tree.shares, &m.shares);
        id4_take(&self->tables, &m.tables);
        id4_take(&self->heads, &m.heads);
        for (int32_t i = 0; i < count; i++) id4_drop(self, root, rows[i]);
    }
    id4_merge_fini(&m);
    ployi_tree_fini(&part);
    return result;
}

// ---- learning

// Adds n = 1, or takes back n = -1, an example in the counts from the root to a node.
static void id4_count(id4 *self, const double *row, int32_t node, int32_t n) {
    if (self->tree.shape.stride > 0) {
        ployi_tree_table_add(&self->tree.shape, id4_table(self, node), row, n);
    }
    ployi_tree_shares(&self->tree, node)[(int32_t)row[self->tree.shape.target]] += n;
    ployi_tree_settle(&self->tree, node);
}

typedef enum id4_verdict { ID4_DOWN, ID4_STAY, ID4_REBUILD } id4_verdict;

// What a node does with an example that it has counted.
static id4_verdict id4_judge(id4 *self, int32_t at) {
    const ploy_tree_node *node = ployi_tree_node(&self->tree, at);
    const int32_t *shares = ployi_tree_shares(&self->tree, at);
    if (node->column < 0) {
        bool pure = shares[node->category] == node->examples;
        bool deep = ployi_tree_depth(&self->tree, at) >= self->def.max_depth;
        return pure || deep ? ID4_STAY : ID4_REBUILD;
    }
    if (self->def.rebuild == PLOY_ID4_NEVER) return ID4_DOWN;
    ploy_array_clear(&self->rows);
    if (self->tree.shape.numbers > 0) {
        id4_gather(self, at);
        PLOY_ARRAY_ITEMS(&self->rows, int32_t)
        [self->rows.count++] = ploy_examples_count(self->examples) - 1;
    }
    ploy_gain gain;
    int32_t best = ployi_tree_choose(&self->tree, id4_table(self, at), shares, self->examples,
                                     PLOY_ARRAY_ITEMS(&self->rows, int32_t), node->examples,
                                     PLOY_TREE_GAIN, node->column, &gain);
    if (best == node->column && gain.threshold == node->threshold) {
        ployi_tree_node(&self->tree, at)->gain = gain.gain;
        return ID4_DOWN;
    }
    if (node->examples < node->built * (1.0 + self->def.throttle)) {
        self->statistics.throttled++;
        return ID4_DOWN;
    }
    return ID4_REBUILD;
}

static ploy_result id4_reserve(id4 *self, const double *example) {
    int32_t count = ploy_examples_count(self->examples) + 1;
    ploy_result result = ployi_tree_reserve(&self->tree, count);
    // Two lists: the examples of a part and room to sort them.
    if (result == PLOY_OK && self->rows.capacity < 2 * count) {
        result = ploy_array_reserve(&self->rows, 2 * count + count);
    }
    if (result == PLOY_OK && self->next.capacity < count) {
        result = ploy_array_reserve(&self->next, count + count / 2);
    }
    if (result == PLOY_OK && self->tree.nodes.count == 0) {
        int32_t stride = self->tree.shape.stride;
        result = ploy_array_reserve(&self->heads, 1);
        if (result == PLOY_OK) result = ploy_array_reserve(&self->tables, stride);
        if (result == PLOY_OK && ployi_tree_add(&self->tree, -1) < 0) result = PLOY_ERR_MEMORY;
        if (result == PLOY_OK) {
            int32_t none = -1;
            (void)ploy_array_push(&self->heads, &none);
            if (stride > 0) (void)ploy_array_push_many(&self->tables, NULL, stride);
        }
    }
    return result == PLOY_OK ? ploy_examples_add(self->examples, example) : result;
}

static void id4_undo(id4 *self, const double *row, int32_t last) {
    int32_t at = 0;
    for (;;) {
        const ploy_tree_node *node = ployi_tree_node(&self->tree, at);
        int32_t child =
            node->column < 0 ? -1 : node->child + ployi_tree_branch(&self->tree.shape, node, row);
        id4_count(self, row, at, -1);
        if (at == last) break;
        at = child;
    }
}

static ploy_result id4_observe(void *object, const double *example) {
    id4 *self = object;
    int32_t count = ploy_examples_count(self->examples);
    if (count >= self->def.max_examples) {
        self->statistics.ignored++;
        return PLOY_OK;
    }
    bool first = self->tree.nodes.count == 0;
    ploy_id4_statistics before = self->statistics;
    ploy_result result = id4_reserve(self, example);
    if (result != PLOY_OK) {
        if (first) id4_reset(self);
        return result;
    }
    self->next.count = count + 1;
    self->statistics.rebuilt = -1;
    int32_t at = 0;
    id4_verdict verdict = ID4_DOWN;
    while (verdict == ID4_DOWN) {
        id4_count(self, example, at, 1);
        verdict = id4_judge(self, at);
        if (verdict != ID4_DOWN) break;
        const ploy_tree_node *node = ployi_tree_node(&self->tree, at);
        at = node->child + ployi_tree_branch(&self->tree.shape, node, example);
    }
    if (verdict == ID4_STAY) {
        *PLOY_ARRAY_AT(&self->next, int32_t, count) = *id4_head(self, at);
        *id4_head(self, at) = count;
        return PLOY_OK;
    }
    bool leaf = ployi_tree_node(&self->tree, at)->column < 0;
    result = id4_rebuild(self, at, count);
    if (result == PLOY_OK) {
        self->statistics.splits += leaf;
        self->statistics.rebuilds += !leaf;
        return PLOY_OK;
    }
    id4_undo(self, example, at);
    ployi_examples_pop(self->examples);
    self->next.count = count;
    self->statistics = before;
    if (first) id4_reset(self);
    return result;
}

// ---- the front

static void id4_predict(const void *object, const double *input, double *posteriors,
                        ploy_answer *out) {
    ployi_tree_predict(&((const id4 *)object)->tree, input, posteriors, out);
}

static int64_t id4_size(const void *object) {
    return ployi_tree_size(&((const id4 *)object)->tree);
}

// Rebuilds tables and lists from examples and nodes; the load made room.
static void id4_restore(void *object) {
    id4 *self = object;
    int32_t nodes = self->tree.nodes.count, count = ploy_examples_count(self->examples);
    (void)ploy_array_resize(&self->tables, nodes * self->tree.shape.stride);
    (void)ploy_array_resize(&self->heads, nodes);
    (void)ploy_array_resize(&self->next, count);
    for (int32_t i = 0; i < self->tables.count; i++) *PLOY_ARRAY_AT(&self->tables, int32_t, i) = 0;
    for (int32_t i = 0; i < nodes; i++) *id4_head(self, i) = -1;
    for (int32_t i = 0; i < count && nodes > 0; i++) id4_drop(self, 0, i);
}

// Whether the counts of all nodes are those of the examples; the tables serve as scratch.
static bool id4_fits(id4 *self) {
    int32_t nodes = self->tree.nodes.count, count = ploy_examples_count(self->examples);
    if ((nodes == 0) != (count == 0) || count > self->def.max_examples) return false;
    int64_t sum = 0;
    for (int32_t i = 0; i < nodes; i++) {
        const ploy_tree_node *node = ployi_tree_node(&self->tree, i);
        if (node->column < 0) sum += node->examples;
        int32_t total = 0;
        for (int32_t k = 0; k < self->tree.shape.classes; k++) {
            total += ployi_tree_shares(&self->tree, i)[k];
        }
        if (total != node->examples || node->built > count) return false;
    }
    for (int32_t i = 0; i < count; i++) {
        const double *row = ploy_examples_at(self->examples, i);
        if (ploy_is_missing(row[self->tree.shape.target])) return false;
        int32_t leaf = ployi_tree_leaf(&self->tree, row);
        if (ployi_tree_shares(&self->tree, leaf)[(int32_t)row[self->tree.shape.target]] == 0) {
            return false;
        }
    }
    return sum == count;
}

static void id4_visit(ploy_visit *v, void *object) {
    id4 *self = object;
    ploy_visit_object(v, "id4", self, sizeof *self);
    PLOY_VISIT_SCRATCH(v, self->common); // visited by the front
    ploy_visit_after(v, id4_restore, self);
    PLOY_VISIT_SCRATCH(v, self->def);
    PLOY_VISIT_SCRATCH(v, self->examples);
    PLOY_VISIT_SCRATCH(v, self->tables);
    PLOY_VISIT_SCRATCH(v, self->heads);
    PLOY_VISIT_SCRATCH(v, self->next);
    PLOY_VISIT_SCRATCH(v, self->rows);
    ploy_visit_buffer(v, "id4.tables", &self->tables);
    ploy_visit_buffer(v, "id4.heads", &self->heads);
    ploy_visit_buffer(v, "id4.next", &self->next);
    ploy_visit_buffer(v, "id4.rows", &self->rows);
    ploy_visit_begin(v, "tree", PLOY_STATE);
    ployi_tree_visit(v, &self->tree);
    ploy_visit_end(v);
    ploy_examples_visit(v, self->examples);
    ploy_visit_i64_in(v, "splits", PLOY_STATE, &self->statistics.splits, 0, INT64_MAX);
    ploy_visit_i64_in(v, "rebuilds", PLOY_STATE, &self->statistics.rebuilds, 0, INT64_MAX);
    ploy_visit_i64_in(v, "throttled", PLOY_STATE, &self->statistics.throttled, 0, INT64_MAX);
    ploy_visit_i64_in(v, "ignored", PLOY_STATE, &self->statistics.ignored, 0, INT64_MAX);
    int32_t nodes = self->tree.nodes.count, count = ploy_examples_count(self->examples);
    ploy_visit_i32_in(v, "rebuilt", PLOY_STATE, &self->statistics.rebuilt, -1, nodes - 1);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    if (!ploy_visit_check(v, id4_fits(self), "nodes and examples do not match", NULL)) return;
    int64_t tables = (int64_t)nodes * self->tree.shape.stride;
    ploy_result result = tables > INT32_MAX ? PLOY_ERR_LIMIT : PLOY_OK;
    if (result == PLOY_OK) result = ploy_array_reserve(&self->tables, (int32_t)tables);
    if (result == PLOY_OK) result = ploy_array_reserve(&self->heads, nodes);
    if (result == PLOY_OK) result = ploy_array_reserve(&self->next, count);
    (void)ploy_visit_result(v, result);
}

static void id4_explain(const void *object, const double *input, ploy_trace *trace) {
    ployi_tree_explain(&((const id4 *)object)->tree, input, trace);
}

static void id4_draw(const void *object, ploy_draw *out) {
    const id4 *self = object;
    ployi_tree_draw(&self->tree, self->statistics.rebuilt, out);
}

static const ploy_learner_type id4_type = {
    "id4",
    "decision tree that takes one example at a time",
    "one example",
    "nodes",
    PLOY_LEARNER_NUMBERS | PLOY_LEARNER_CATEGORIES | PLOY_LEARNER_MISSING |
        PLOY_LEARNER_CLASSIFIES | PLOY_LEARNER_COUNTS,
    ploy_id4_fields,
    id4_create,
    id4_destroy,
    id4_observe,
    NULL,
    NULL,
    NULL,
    id4_predict,
    id4_reset,
    id4_size,
    id4_visit,
    id4_explain,
    id4_draw,
    NULL,
};

const ploy_learner_type *ploy_id4_learner(void) {
    return &id4_type;
}

ploy_id4_statistics ploy_id4_statistics_of(ploy_learner learner) {
    if (learner.type == &id4_type) return ((const id4 *)learner.self)->statistics;
    ploy_id4_statistics none;
    memset(&none, 0, sizeof none);
    none.rebuilt = -1;
    return none;
}

const ployi_tree *ployi_tree_of_id4(ploy_learner learner) {
    return learner.type == &id4_type ? &((const id4 *)learner.self)->tree : NULL;
}
