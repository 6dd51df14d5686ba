// Nodes, splits and pictures of learned trees; see tree_internal.h.
//
// Invariants:
//   (1) children of a node are neighbours, and their indexes are above its own;
//   (2) shares of a node add up to its examples; a leaf without examples answers as its parent.
#include "ploy/base/math.h"
#include "ploy/base/number.h"

#include "learn/tree_internal.h"

#include <stdio.h>
#include <string.h>

// ---- life

static ploy_result tree_shape_init(ployi_tree_shape *shape, const ploy_schema *schema,
                                   const ploy_env *env) {
    memset(shape, 0, sizeof *shape);
    shape->schema = schema;
    shape->columns = ploy_schema_count(schema);
    shape->classes = ploy_schema_classes(schema);
    shape->target = ploy_schema_target(schema);
    shape->offset_size = (size_t)shape->columns * sizeof *shape->offset;
    shape->offset = ploy_env_alloc(env, shape->offset_size);
    if (shape->offset == NULL) return PLOY_ERR_MEMORY;
    int64_t stride = 0;
    for (int32_t i = 0; i < shape->columns; i++) {
        shape->offset[i] = -1;
        if (i == shape->target) continue;
        if (ploy_schema_kind_at(schema, i) == PLOY_COLUMN_NUMBER) {
            shape->numbers++;
            continue;
        }
        shape->offset[i] = (int32_t)stride;
        stride += ((int64_t)ploy_schema_value_count(schema, i) + 1) * shape->classes;
        if (stride > 1 << 26) return PLOY_ERR_LIMIT;
    }
    shape->stride = (int32_t)stride;
    return PLOY_OK;
}

ploy_result ployi_tree_init(ployi_tree *tree, const ploy_schema *schema, const ploy_env *env) {
    memset(tree, 0, sizeof *tree);
    ploy_array_init(&tree->nodes, sizeof(ploy_tree_node), env);
    ploy_array_init(&tree->shares, sizeof(int32_t), env);
    ploy_array_init(&tree->scratch.values, sizeof(ployi_tree_value), env);
    ploy_array_init(&tree->scratch.xlog, sizeof(double), env);
    ploy_result result = tree_shape_init(&tree->shape, schema, env);
    if (result == PLOY_OK) {
        // Gains first: they need the largest alignment.
        size_t gains = (size_t)tree->shape.columns * sizeof(ploy_gain);
        tree->scratch.size =
            gains + ((size_t)tree->shape.stride + (size_t)tree->shape.classes) * sizeof(int32_t);
        tree->scratch.gains = ploy_env_alloc_zero(env, tree->scratch.size);
        if (tree->scratch.gains == NULL) {
            result = PLOY_ERR_MEMORY;
        } else {
            tree->scratch.below = (int32_t *)(void *)((char *)tree->scratch.gains + gains);
            tree->scratch.table = tree->scratch.below + tree->shape.classes;
        }
    }
    if (result != PLOY_OK) ployi_tree_fini(tree);
    return result;
}

void ployi_tree_fini(ployi_tree *tree) {
    ploy_env env = tree->nodes.env;
    ploy_env_free(&env, tree->shape.offset, tree->shape.offset_size);
    ploy_env_free(&env, tree->scratch.gains, tree->scratch.size);
    ploy_array_fini(&tree->scratch.values);
    ploy_array_fini(&tree->scratch.xlog);
    ploy_array_fini(&tree->nodes);
    ploy_array_fini(&tree->shares);
    memset(&tree->shape, 0, sizeof tree->shape);
    tree->scratch.gains = NULL;
}

ploy_result ployi_tree_reserve(ployi_tree *tree, int32_t examples) {
    ploy_array *xlog = &tree->scratch.xlog;
    while (xlog->count <= examples) {
        double n = xlog->count, value = xlog->count < 2 ? 0.0 : n * ploy_log2(n);
        ploy_result result = ploy_array_push(xlog, &value);
        if (result != PLOY_OK) return result;
    }
    if (tree->shape.numbers == 0 || tree->scratch.values.count >= 2 * examples) return PLOY_OK;
    return ploy_array_resize(&tree->scratch.values, 2 * examples); // half of it to merge into
}

// ---- splits

void ployi_tree_table_add(const ployi_tree_shape *shape, int32_t *table, const double *row,
                          int32_t n) {
    int32_t category = (int32_t)row[shape->target];
    for (int32_t i = 0; i < shape->columns; i++) {
        if (shape->offset[i] < 0) continue;
        int32_t value =
            ploy_is_missing(row[i]) ? ploy_schema_value_count(shape->schema, i) : (int32_t)row[i];
        table[shape->offset[i] + value * shape->classes + category] += n;
    }
}

int32_t ployi_tree_branch(const ployi_tree_shape *shape, const ploy_tree_node *node,
                          const double *row) {
    double value = row[node->column];
    if (shape->offset[node->column] < 0) return value < node->threshold ? 0 : 1;
    // Out of range cannot come from a table; a caller's input is not checked in every step.
    if (!(value >= 0.0 && value < node->child_count - 1)) return node->child_count - 1;
    return (int32_t)value;
}

// Examples times entropy, in bits: n log2 n minus the same of each class.
static double tree_bits(const double *xlog, const int32_t *counts, int32_t classes,
                        int32_t *total) {
    double sum = 0.0;
    int32_t n = 0;
    for (int32_t i = 0; i < classes; i++) {
        n += counts[i];
        sum += xlog[counts[i]];
    }
    *total = n;
    return xlog[n] - sum;
}

static ploy_gain tree_gain_of_categories(const ployi_tree *tree, const int32_t *table,
                                         int32_t column, double bits, int32_t count) {
    const double *xlog = PLOY_ARRAY_ITEMS(&tree->scratch.xlog, double);
    const ployi_tree_shape *shape = &tree->shape;
    ploy_gain gain = {0.0, 0.0, 0.0, 0};
    double after = 0.0, split = xlog[count];
    int32_t values = ploy_schema_value_count(shape->schema, column) + 1;
    for (int32_t i = 0; i < values; i++) {
        int32_t n = 0;
        after +=
            tree_bits(xlog, table + shape->offset[column] + i * shape->classes, shape->classes, &n);
        split -= xlog[n];
        gain.parts += n > 0;
    }
    if (gain.parts < 2) return gain;
    gain.gain = (bits - after) / count;
    gain.ratio = gain.gain * count / split;
    return gain;
}

// Merge sort by value, stable; `spare` is as long as `items`.
static void tree_sort(ployi_tree_value *items, ployi_tree_value *spare, int32_t count) {
    for (int32_t width = 1; width < count; width *= 2) {
        for (int32_t start = 0; start < count; start += 2 * width) {
            int32_t middle = start + width < count ? start + width : count;
            int32_t end = middle + width < count ? middle + width : count;
            int32_t a = start, b = middle;
            for (int32_t k = start; k < end; k++) {
                bool left = a < middle && (b >= end || items[a].value <= items[b].value);
                spare[k] = items[left ? a++ : b++];
            }
        }
        memcpy(items, spare, (size_t)count * sizeof *items);
        if (width > INT32_MAX / 4) break;
    }
}

static double tree_middle(double below, double above) {
    double middle = below + (above - below) * 0.5;
    return middle > below ? middle : above; // neighbours have no number between them
}

static ploy_gain tree_gain_of_numbers(ployi_tree *tree, const ploy_examples *examples,
                                      const int32_t *rows, int32_t count, int32_t column,
                                      const int32_t *shares, double bits) {
    const double *xlog = PLOY_ARRAY_ITEMS(&tree->scratch.xlog, double);
    int32_t classes = tree->shape.classes, *below = tree->scratch.below;
    ployi_tree_value *items = PLOY_ARRAY_ITEMS(&tree->scratch.values, ployi_tree_value);
    for (int32_t i = 0; i < count; i++) {
        const double *row = ploy_examples_at(examples, rows[i]);
        ployi_tree_value item = {row[column], (int32_t)row[tree->shape.target], rows[i]};
        items[i] = item;
    }
    tree_sort(items, items + count, count);
    ploy_gain best = {0.0, 0.0, 0.0, 0};
    memset(below, 0, (size_t)classes * sizeof *below);
    double sum_below = 0.0, sum_above = 0.0; // of n log2 n over the classes
    for (int32_t i = 0; i < classes; i++) sum_above += xlog[shares[i]];
    for (int32_t i = 0; i + 1 < count; i++) {
        int32_t category = items[i].category, n = below[category]++;
        sum_below += xlog[n + 1] - xlog[n];
        sum_above += xlog[shares[category] - n - 1] - xlog[shares[category] - n];
        if (!(items[i].value < items[i + 1].value) || ploy_is_missing(items[i + 1].value)) continue;
        int32_t left = i + 1, right = count - left;
        double gain = (bits - (xlog[left] - sum_below) - (xlog[right] - sum_above)) / count;
        if (gain > best.gain + PLOYI_TREE_TIE) { // the first of equal ones wins
            best.gain = gain;
            best.ratio = gain * count / (xlog[count] - xlog[left] - xlog[right]);
            best.threshold = tree_middle(items[i].value, items[i + 1].value);
            best.parts = 2;
        }
    }
    return best;
}

int32_t ployi_tree_choose(ployi_tree *tree, const int32_t *table, const int32_t *shares,
                          const ploy_examples *examples, const int32_t *rows, int32_t count,
                          ploy_tree_criterion criterion, int32_t keep, ploy_gain *gain) {
    const double *xlog = PLOY_ARRAY_ITEMS(&tree->scratch.xlog, double);
    ploy_gain *gains = tree->scratch.gains;
    int32_t total = 0, useful = 0;
    double bits = tree_bits(xlog, shares, tree->shape.classes, &total), sum = 0.0;
    for (int32_t i = 0; i < tree->shape.columns; i++) {
        if (i == tree->shape.target) {
            memset(&gains[i], 0, sizeof gains[i]);
        } else if (tree->shape.offset[i] >= 0) {
            gains[i] = tree_gain_of_categories(tree, table, i, bits, count);
        } else {
            gains[i] = tree_gain_of_numbers(tree, examples, rows, count, i, shares, bits);
        }
        if (gains[i].gain <= PLOYI_TREE_TIE) continue;
        sum += gains[i].gain;
        useful++;
    }
    double least = criterion == PLOY_TREE_RATIO && useful > 0 ? sum / useful : 0.0;
    int32_t best = -1;
    double best_score = 0.0;
    for (int32_t i = 0; i < tree->shape.columns; i++) {
        if (gains[i].gain <= PLOYI_TREE_TIE || gains[i].gain < least - PLOYI_TREE_TIE) continue;
        double score = criterion == PLOY_TREE_RATIO ? gains[i].ratio : gains[i].gain;
        bool better = score > best_score + PLOYI_TREE_TIE;
        if (best < 0 || better || (i == keep && score > best_score - PLOYI_TREE_TIE)) {
            best = i;
            best_score = score > best_score ? score : best_score;
        }
    }
    if (best >= 0) *gain = gains[best];
    return best;
}

// ---- growing

int32_t ployi_tree_add(ployi_tree *tree, int32_t parent) {
    ploy_tree_node node;
    memset(&node, 0, sizeof node);
    node.column = -1;
    node.parent = parent;
    if (ploy_array_push_many(&tree->shares, NULL, tree->shape.classes) != PLOY_OK) return -1;
    if (ploy_array_push(&tree->nodes, &node) != PLOY_OK) {
        tree->shares.count -= tree->shape.classes;
        return -1;
    }
    return tree->nodes.count - 1;
}

void ployi_tree_settle(ployi_tree *tree, int32_t index) {
    ploy_tree_node *node = ployi_tree_node(tree, index);
    int32_t *shares = ployi_tree_shares(tree, index), total = 0;
    for (int32_t i = 0; i < tree->shape.classes; i++) total += shares[i];
    node->examples = total;
    node->category = 0;
    for (int32_t i = 1; i < tree->shape.classes; i++) {
        if (shares[i] > shares[node->category]) node->category = i;
    }
}

int32_t ployi_tree_depth(const ployi_tree *tree, int32_t node) {
    int32_t depth = 0;
    for (; ployi_tree_node(tree, node)->parent >= 0; depth++) {
        node = ployi_tree_node(tree, node)->parent;
    }
    return depth;
}

static bool tree_is_pure(const ployi_tree *tree, int32_t index) {
    const ploy_tree_node *node = ployi_tree_node(tree, index);
    return ployi_tree_shares(tree, index)[node->category] == node->examples;
}

// Sorts the node's rows by branch, stable, and gives each child its part.
static void tree_partition(ployi_tree *tree, int32_t index, const ploy_examples *examples,
                           int32_t *rows, int32_t *spare) {
    const ploy_tree_node node = *ployi_tree_node(tree, index);
    for (int32_t i = 0; i < node.examples; i++) {
        const double *row = ploy_examples_at(examples, rows[node.first + i]);
        int32_t child = node.child + ployi_tree_branch(&tree->shape, &node, row);
        ployi_tree_shares(tree, child)[(int32_t)row[tree->shape.target]]++;
    }
    int32_t first = node.first;
    for (int32_t k = 0; k < node.child_count; k++) {
        ploy_tree_node *child = ployi_tree_node(tree, node.child + k);
        ployi_tree_settle(tree, node.child + k);
        child->first = first;
        child->built = child->examples;
        first += child->examples;
    }
    memcpy(spare, rows + node.first, (size_t)node.examples * sizeof *rows);
    for (int32_t i = 0; i < node.examples; i++) {
        const double *row = ploy_examples_at(examples, spare[i]);
        int32_t child = node.child + ployi_tree_branch(&tree->shape, &node, row);
        rows[ployi_tree_node(tree, child)->first++] = spare[i];
    }
    for (int32_t k = 0; k < node.child_count; k++) {
        ploy_tree_node *child = ployi_tree_node(tree, node.child + k);
        child->first -= child->examples;
    }
}

ploy_result ployi_tree_grow(ployi_tree *tree, int32_t index, const ploy_examples *examples,
                            int32_t *rows, int32_t *spare, const ployi_tree_rule *rule) {
    const ploy_tree_node *node = ployi_tree_node(tree, index);
    if (node->examples < 2 || node->examples < rule->min_examples || tree_is_pure(tree, index) ||
        ployi_tree_depth(tree, index) >= rule->max_depth) {
        return PLOY_OK;
    }
    int32_t *table = tree->scratch.table;
    memset(table, 0, (size_t)tree->shape.stride * sizeof *table);
    for (int32_t i = 0; i < node->examples; i++) {
        ployi_tree_table_add(&tree->shape, table, ploy_examples_at(examples, rows[node->first + i]),
                             1);
    }
    ploy_gain gain;
    int32_t column =
        ployi_tree_choose(tree, table, ployi_tree_shares(tree, index), examples, rows + node->first,
                          node->examples, rule->criterion, -1, &gain);
    if (column < 0) return PLOY_OK;
    bool number = tree->shape.offset[column] < 0;
    int32_t children = number ? 2 : ploy_schema_value_count(tree->shape.schema, column) + 1;
    int32_t first = tree->nodes.count;
    for (int32_t i = 0; i < children; i++) {
        if (ployi_tree_add(tree, index) >= 0) continue;
        tree->nodes.count = first; // the node stays a leaf
        tree->shares.count = first * tree->shape.classes;
        return PLOY_ERR_MEMORY;
    }
    ploy_tree_node *grown = ployi_tree_node(tree, index); // the array may have moved
    grown->column = column;
    grown->threshold = gain.threshold;
    grown->gain = gain.gain;
    grown->child = first;
    grown->child_count = children;
    tree_partition(tree, index, examples, rows, spare);
    return PLOY_OK;
}

// ---- answers

int32_t ployi_tree_leaf(const ployi_tree *tree, const double *input) {
    if (tree->nodes.count == 0) return -1;
    int32_t at = 0;
    for (const ploy_tree_node *node = ployi_tree_node(tree, 0); node->column >= 0;
         node = ployi_tree_node(tree, at)) {
        at = node->child + ployi_tree_branch(&tree->shape, node, input);
    }
    return at;
}

// The node whose examples answer for a leaf.
static int32_t tree_answering(const ployi_tree *tree, int32_t leaf) {
    if (leaf < 0 || ployi_tree_node(tree, leaf)->examples > 0) return leaf;
    return ployi_tree_node(tree, leaf)->parent;
}

void ployi_tree_predict(const ployi_tree *tree, const double *input, double *posteriors,
                        ploy_answer *out) {
    int32_t leaf = tree_answering(tree, ployi_tree_leaf(tree, input));
    if (leaf < 0) return;
    const int32_t *shares = ployi_tree_shares(tree, leaf);
    int32_t total = 0;
    for (int32_t i = 0; i < tree->shape.classes; i++) total += shares[i];
    if (total == 0) return;
    out->opinion = true;
    out->category = ployi_tree_node(tree, leaf)->category;
    out->confidence = (double)shares[out->category] / total;
    for (int32_t i = 0; i < tree->shape.classes && posteriors != NULL; i++) {
        posteriors[i] = (double)shares[i] / total;
    }
}

int64_t ployi_tree_size(const ployi_tree *tree) {
    int64_t size = 0;
    for (int32_t i = 0; i < tree->nodes.count; i++) size += ployi_tree_node(tree, i)->examples > 0;
    return size;
}

// ---- state

static bool tree_node_fits(const ployi_tree *tree, int32_t index) {
    const ploy_tree_node *node = ployi_tree_node(tree, index);
    if (node->parent >= index || (node->parent < 0) != (index == 0)) return false;
    if (node->column < 0) return node->child == 0 && node->child_count == 0;
    if (node->column >= tree->shape.columns || node->column == tree->shape.target) return false;
    int32_t want = tree->shape.offset[node->column] < 0
                       ? 2
                       : ploy_schema_value_count(tree->shape.schema, node->column) + 1;
    return node->child > index && node->child_count == want &&
           node->child <= tree->nodes.count - want;
}

void ployi_tree_visit(ploy_visit *v, ployi_tree *tree) {
    PLOY_VISIT_SCRATCH(v, tree->shape);
    PLOY_VISIT_SCRATCH(v, tree->scratch);
    ploy_visit_block(v, "tree.offset", tree->shape.offset, tree->shape.offset_size);
    ploy_visit_block(v, "tree.scratch", tree->scratch.gains, tree->scratch.size);
    ploy_visit_buffer(v, "tree.values", &tree->scratch.values);
    ploy_visit_buffer(v, "tree.logarithms", &tree->scratch.xlog);
    int32_t classes = tree->shape.classes;
    int32_t count = ploy_visit_array(v, "nodes", PLOY_STATE, &tree->nodes, 1 << 24);
    for (int32_t i = 0; i < count; i++) {
        ploy_tree_node *node = ployi_tree_node(tree, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_i32_in(v, "column", PLOY_STATE, &node->column, -1, tree->shape.columns - 1);
        ploy_visit_f64(v, "threshold", PLOY_STATE, &node->threshold);
        ploy_visit_f64(v, "gain", PLOY_STATE, &node->gain);
        ploy_visit_i32_in(v, "parent", PLOY_STATE, &node->parent, -1, count - 1);
        ploy_visit_i32_in(v, "child", PLOY_STATE, &node->child, 0, count - 1);
        ploy_visit_i32_in(v, "children", PLOY_STATE, &node->child_count, 0, count);
        ploy_visit_i32_in(v, "category", PLOY_STATE, &node->category, 0, classes - 1);
        ploy_visit_i32_in(v, "examples", PLOY_STATE, &node->examples, 0, INT32_MAX);
        ploy_visit_i32_in(v, "first", PLOY_STATE, &node->first, 0, INT32_MAX);
        ploy_visit_i32_in(v, "built", PLOY_STATE, &node->built, 0, INT32_MAX);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    int32_t shares = ploy_visit_array(v, "shares", PLOY_STATE, &tree->shares, INT32_MAX);
    for (int32_t i = 0; i < shares; i++) {
        ploy_visit_i32_in(v, "share", PLOY_STATE, ployi_tree_shares(tree, 0) + i, 0, INT32_MAX);
    }
    ploy_visit_end(v);
    bool fits = true;
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        fits = shares == count * classes && count >= 0;
        for (int32_t i = 0; i < count && fits; i++) fits = tree_node_fits(tree, i);
    }
    ploy_visit_check(v, fits, "the nodes are not a tree", "parents before their children");
}

// ---- sight

static void tree_branch_text(const ployi_tree *tree, const ploy_tree_node *node, int32_t branch,
                             char *text, size_t size) {
    const char *column = ploy_schema_name_at(tree->shape.schema, node->column);
    if (tree->shape.offset[node->column] < 0) {
        char number[PLOY_PRINT_F64_SIZE];
        ploy_print_f64(node->threshold, number);
        snprintf(text, size, "%s %s %s", column, branch == 0 ? "<" : ">=", number);
    } else if (branch == node->child_count - 1) {
        snprintf(text, size, "%s is missing", column);
    } else {
        snprintf(text, size, "%s = %s", column,
                 ploy_schema_value_at(tree->shape.schema, node->column, branch));
    }
}

void ployi_tree_explain(const ployi_tree *tree, const double *input, ploy_trace *trace) {
    int32_t at = 0;
    for (const ploy_tree_node *node = ployi_tree_node(tree, 0); node->column >= 0;
         node = ployi_tree_node(tree, at)) {
        int32_t branch = ployi_tree_branch(&tree->shape, node, input);
        char text[3 * PLOY_COLUMN_NAME_MAX];
        tree_branch_text(tree, node, branch, text, sizeof text);
        ploy_trace_option(trace, text, PLOY_OUTCOME_WON, node->gain, "branch on the path");
        at = node->child + branch;
    }
    const ploy_schema *schema = tree->shape.schema;
    at = tree_answering(tree, at);
    const int32_t *shares = ployi_tree_shares(tree, at);
    int32_t total = 0;
    for (int32_t i = 0; i < tree->shape.classes; i++) total += shares[i];
    for (int32_t i = 0; i < tree->shape.classes; i++) {
        if (shares[i] == 0) continue;
        ploy_trace_option(trace, ploy_schema_value_at(schema, tree->shape.target, i),
                          i == ployi_tree_node(tree, at)->category ? PLOY_OUTCOME_WON
                                                                   : PLOY_OUTCOME_LOST,
                          (double)shares[i] / total, "share of the examples at the leaf");
    }
}

typedef struct tree_picture {
    const ployi_tree *tree;
    ploy_draw *out;
    int32_t marked, depth; // of the whole tree
    float leaves, width;   // leaves drawn so far, metres for each
} tree_picture;

static int32_t tree_leaves(const ployi_tree *tree, int32_t *depth) {
    int32_t leaves = 0;
    *depth = 0;
    for (int32_t i = 0; i < tree->nodes.count; i++) {
        const ploy_tree_node *node = ployi_tree_node(tree, i);
        if (node->examples == 0 || node->column >= 0) continue;
        leaves++;
        int32_t here = ployi_tree_depth(tree, i);
        if (here > *depth) *depth = here;
    }
    return leaves;
}

// Apart from tree_draw_node, whose frames should stay small.
static void tree_draw_branch(tree_picture *p, const ploy_tree_node *node, int32_t branch,
                             ploy_vec2 from, ploy_vec2 to) {
    char text[3 * PLOY_COLUMN_NAME_MAX];
    tree_branch_text(p->tree, node, branch, text, sizeof text);
    ploy_draw_text(p->out, ploy_agent_id_none(),
                   ploy_vec2_make(0.5f * (from.x + to.x), 0.5f * (from.y + to.y)), text);
}

// Draws a subtree and returns where its root is. Depth is bounded by max_depth.
static ploy_vec2 tree_draw_node(tree_picture *p, int32_t index, int32_t depth) {
    const ploy_tree_node *node = ployi_tree_node(p->tree, index);
    float y = 95.0f - 90.0f * (float)depth / (float)(p->depth > 0 ? p->depth : 1);
    const ploy_schema *schema = p->tree->shape.schema;
    ploy_style style = index == p->marked ? PLOY_STYLE_WARNING
                       : node->column < 0 ? PLOY_STYLE_GOOD
                                          : PLOY_STYLE_AGENT_A;
    if (node->column < 0) {
        ploy_vec2 at = ploy_vec2_make((p->leaves + 0.5f) * p->width, y);
        p->leaves += 1.0f;
        ploy_draw_disc(p->out, PLOY_LAYER_AGENTS, style, ploy_agent_id_none(), at, 1.0f, 0.8f);
        ploy_draw_text(p->out, ploy_agent_id_none(), ploy_vec2_make(at.x, at.y - 3.0f),
                       ploy_schema_value_at(schema, p->tree->shape.target, node->category));
        return at;
    }
    float low = p->leaves;
    ploy_vec2 ends[32]; // the first children's; more are drawn without an edge
    int32_t branches[32];
    int32_t count = 0;
    for (int32_t i = 0; i < node->child_count; i++) {
        if (ployi_tree_node(p->tree, node->child + i)->examples == 0) continue;
        ploy_vec2 end = tree_draw_node(p, node->child + i, depth + 1);
        if (count == 32) continue;
        branches[count] = i;
        ends[count++] = end;
    }
    ploy_vec2 at = ploy_vec2_make(0.5f * (low + p->leaves) * p->width, y);
    for (int32_t i = 0; i < count; i++) {
        ploy_draw_line(p->out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(), at,
                       ends[i]);
        tree_draw_branch(p, node, branches[i], at, ends[i]);
    }
    ploy_draw_disc(p->out, PLOY_LAYER_AGENTS, style, ploy_agent_id_none(), at, 1.4f, 0.8f);
    return at;
}

void ployi_tree_draw(const ployi_tree *tree, int32_t marked, ploy_draw *out) {
    if (tree->nodes.count == 0) return;
    tree_picture p = {tree, out, marked, 0, 0.0f, 100.0f};
    int32_t leaves = tree_leaves(tree, &p.depth);
    p.width = 100.0f / (float)(leaves > 0 ? leaves : 1);
    (void)tree_draw_node(&p, 0, 0);
}
