// The definition of decision trees; the technique is described in the header.
//
// Invariants:
//   (1) every child's number is 0 (no action) or that of an item;
//   (2) the values of a switch are sorted and differ; `places` has the branch each was given as;
//   (3) finished means: no fault, no loop, root is 0 or an item.
#include "decision_internal.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/number.h"

static const ploy_field decision_random_table[] = {
    PLOY_FIELD_BOOL(ploy_decision_random, stable, true,
                    "keeps its choice while every evaluation comes through it"),
    PLOY_FIELD_BOOL(ploy_decision_random, alternate, false,
                    "never the same again when the time is over"),
    PLOY_FIELD_I32(ploy_decision_random, evaluations, 0, 0, 1 << 30, "",
                   "evaluations until the choice is made again; 0 is never"),
    PLOY_FIELD_I32(ploy_decision_random, spread, 0, 0, 1 << 29, "",
                   "evaluations by which it may be later"),
    PLOY_FIELD_F32(ploy_decision_random, seconds, 0, 0, 1e9f, "s",
                   "time until the choice is made again; 0 is never"),
    PLOY_FIELD_F32(ploy_decision_random, seconds_spread, 0, 0, 1e9f, "s",
                   "time by which it may be later"),
};

ploy_decision_random ploy_decision_random_default(void) {
    ploy_decision_random settings;
    ploy_fields_default(ploy_decision_random_fields(), &settings);
    return settings;
}

ploy_fields ploy_decision_random_fields(void) {
    return PLOY_FIELDS(ploy_decision_random, decision_random_table);
}

ploy_result ploy_decision_tree_create(const ploy_blackboard_layout *layout, const ploy_env *env,
                                      ploy_decision_tree **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_decision_tree *tree = ploy_env_alloc_zero(env, sizeof *tree);
    if (tree == NULL) return PLOY_ERR_MEMORY;
    tree->build.env = *env;
    tree->layout = layout;
    ploy_array_init(&tree->items, sizeof(ployi_decision_item), env);
    ploy_array_init(&tree->children, sizeof(uint32_t), env);
    ploy_array_init(&tree->values, sizeof(int64_t), env);
    ploy_array_init(&tree->places, sizeof(int32_t), env);
    ploy_array_init(&tree->weights, sizeof(float), env);
    ploy_array_init(&tree->makers, sizeof(ploy_maker), env);
    ploy_array_init(&tree->randoms, sizeof(ploy_decision_random), env);
    ploy_result result = ployi_build_init(&tree->build, env);
    if (result == PLOY_OK) result = ploy_conditions_create(layout, env, &tree->conditions);
    if (result != PLOY_OK) {
        ploy_decision_tree_destroy(tree);
        return result;
    }
    *out = tree;
    return PLOY_OK;
}

void ploy_decision_tree_destroy(ploy_decision_tree *tree) {
    if (tree == NULL) return;
    ploy_env env = tree->build.env;
    ploy_array *arrays[] = {&tree->items,   &tree->children, &tree->values, &tree->places,
                            &tree->weights, &tree->makers,   &tree->randoms};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) ploy_array_fini(arrays[i]);
    ploy_conditions_destroy(tree->conditions);
    ployi_build_fini(&tree->build);
    ploy_env_free(&env, tree, sizeof *tree);
}

ploy_conditions *ploy_decision_tree_conditions(ploy_decision_tree *tree) {
    return tree->conditions;
}

static ploy_decision_node decision_tree_fault(ploy_decision_tree *tree, ploy_result code,
                                              const char *what, const char *id) {
    (void)ployi_build_fault(&tree->build, code, what, id);
    return ploy_decision_node_none();
}

static bool decision_tree_has(const ploy_decision_tree *tree, ploy_decision_node node) {
    return node.number <= (uint32_t)tree->items.count;
}

ploy_decision_node ploy_decision_tree_find(const ploy_decision_tree *tree, const char *id) {
    ploy_decision_node node = {0};
    ploy_name name = ploy_name_of(id);
    if (ploy_name_is_none(name)) return node;
    const ployi_decision_item *items = PLOY_ARRAY_ITEMS(&tree->items, ployi_decision_item);
    for (int32_t i = 0; i < tree->items.count; i++) {
        if (!ploy_name_equal(items[i].id, name)) continue;
        node.number = (uint32_t)i + 1;
        break;
    }
    return node;
}

// Adds an item with its children. The arrays may hold more than the items use after a fault; a
// tree with a fault is only destroyed.
static ploy_decision_node decision_tree_add(ploy_decision_tree *tree, const char *id,
                                            ployi_decision_item item,
                                            const ploy_decision_node *children, int32_t count) {
    if (!ployi_build_open(&tree->build)) return ploy_decision_node_none();
    for (int32_t i = 0; i < count; i++) {
        if (!decision_tree_has(tree, children[i])) {
            return decision_tree_fault(tree, PLOY_ERR_ARGUMENT, "unknown child of node", id);
        }
    }
    if (!ploy_decision_node_is_none(ploy_decision_tree_find(tree, id))) {
        return decision_tree_fault(tree, PLOY_ERR_EXISTS, "duplicate node id", id);
    }
    item.id = ployi_build_name(&tree->build, "invalid node id", id);
    item.first = tree->children.count;
    ploy_result result = tree->build.result;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        result = ploy_array_push(&tree->children, &children[i].number);
    }
    if (result == PLOY_OK) result = ploy_array_push(&tree->items, &item);
    if (result != PLOY_OK) return decision_tree_fault(tree, result, "out of memory for node", id);
    ploy_decision_node node = {(uint32_t)tree->items.count};
    return node;
}

static ployi_decision_item decision_tree_item(ployi_decision_kind kind, int32_t count) {
    ployi_decision_item item;
    memset(&item, 0, sizeof item);
    item.kind = kind;
    item.count = count;
    item.extra = -1;
    return item;
}

ploy_decision_node ploy_decision_tree_leaf(ploy_decision_tree *tree, const char *id,
                                           ploy_maker maker) {
    if (!ployi_build_open(&tree->build)) return ploy_decision_node_none();
    ployi_decision_item item = decision_tree_item(PLOYI_DECISION_LEAF, 0);
    if (!ploy_maker_is_none(maker)) {
        item.extra = tree->makers.count;
        ploy_result result = ploy_array_push(&tree->makers, &maker);
        if (result != PLOY_OK)
            return decision_tree_fault(tree, result, "out of memory for leaf", id);
    }
    return decision_tree_add(tree, id, item, NULL, 0);
}

ploy_decision_node ploy_decision_tree_test(ploy_decision_tree *tree, const char *id,
                                           ploy_condition condition, ploy_decision_node yes,
                                           ploy_decision_node no) {
    if (!ployi_build_open(&tree->build)) return ploy_decision_node_none();
    if (ploy_condition_is_none(condition) || !ployi_condition_valid(tree->conditions, condition)) {
        return decision_tree_fault(tree, PLOY_ERR_ARGUMENT, "missing condition of node", id);
    }
    ployi_decision_item item = decision_tree_item(PLOYI_DECISION_TEST, 2);
    item.condition = condition;
    ploy_decision_node children[2] = {yes, no};
    return decision_tree_add(tree, id, item, children, 2);
}

// "id/3" for the inner nodes of what is wired, id itself for the outermost.
static void decision_tree_inner_id(const char *id, int32_t number, bool outermost, char *text,
                                   size_t size) {
    char digits[PLOY_PRINT_I64_SIZE];
    ploy_print_i64(number, digits);
    size_t used = 0;
    for (const char *c = id; *c != '\0' && used + 1 < size; c++) text[used++] = *c;
    if (!outermost && used + 1 < size) text[used++] = '/';
    for (const char *c = digits; !outermost && *c != '\0' && used + 1 < size; c++) {
        text[used++] = *c;
    }
    text[used] = '\0';
}

// The second part is wired first, as the first one's branches lead to it. Depth is bounded by that of
// conditions.
static ploy_decision_node decision_tree_wire(ploy_decision_tree *tree, const char *id,
                                             ploy_condition condition, ploy_decision_node yes,
                                             ploy_decision_node no, bool outermost, int32_t *made) {
    ploy_condition a, b;
    switch (ploy_condition_parts(tree->conditions, condition, &a, &b)) {
    case PLOY_CONDITION_NOT: return decision_tree_wire(tree, id, a, no, yes, outermost, made);
    case PLOY_CONDITION_AND:
        yes = decision_tree_wire(tree, id, b, yes, no, false, made);
        return decision_tree_wire(tree, id, a, yes, no, outermost, made);
    case PLOY_CONDITION_OR:
        no = decision_tree_wire(tree, id, b, yes, no, false, made);
        return decision_tree_wire(tree, id, a, yes, no, outermost, made);
    case PLOY_CONDITION_XOR: {
        ploy_decision_node other = decision_tree_wire(tree, id, b, no, yes, false, made);
        ploy_decision_node same = decision_tree_wire(tree, id, b, yes, no, false, made);
        return decision_tree_wire(tree, id, a, other, same, outermost, made);
    }
    case PLOY_CONDITION_TEST: break;
    }
    char text[128];
    decision_tree_inner_id(id, ++*made, outermost, text, sizeof text);
    return ploy_decision_tree_test(tree, text, condition, yes, no);
}

ploy_decision_node ploy_decision_tree_wire(ploy_decision_tree *tree, const char *id,
                                           ploy_condition condition, ploy_decision_node yes,
                                           ploy_decision_node no) {
    if (!ployi_build_open(&tree->build)) return ploy_decision_node_none();
    int32_t made = 0;
    return decision_tree_wire(tree, id != NULL ? id : "", condition, yes, no, true, &made);
}

// Finds the slot of an i64 key, or notes a fault.
static bool decision_tree_key(ploy_decision_tree *tree, const char *key, const int64_t *values,
                              const ploy_decision_node *children, int32_t count, ploy_slot *out) {
    if (!ployi_build_open(&tree->build)) return false;
    if (values == NULL || children == NULL || count < 1 || count > UINT16_MAX || key == NULL) {
        (void)decision_tree_fault(tree, PLOY_ERR_ARGUMENT, "missing values for key", key);
        return false;
    }
    *out = ploy_slot_none();
    if (tree->layout != NULL) {
        *out = ploy_blackboard_layout_find(tree->layout, key);
        if (ploy_blackboard_layout_type(tree->layout, *out) == PLOY_VALUE_I64) return true;
    }
    (void)decision_tree_fault(tree, PLOY_ERR_NOT_FOUND, "expected an i64 key, found", key);
    return false;
}

ploy_decision_node ploy_decision_tree_switch(ploy_decision_tree *tree, const char *id,
                                             const char *key, const int64_t *values,
                                             const ploy_decision_node *children, int32_t count,
                                             ploy_decision_node otherwise) {
    ployi_decision_item item = decision_tree_item(PLOYI_DECISION_SWITCH, count);
    if (!decision_tree_key(tree, key, values, children, count, &item.slot)) {
        return ploy_decision_node_none();
    }
    item.table = tree->values.count;
    ploy_result result = ploy_array_push_many(&tree->values, values, count);
    if (result == PLOY_OK) result = ploy_array_push_many(&tree->places, NULL, count);
    if (result != PLOY_OK)
        return decision_tree_fault(tree, result, "out of memory for values of", id);
    // Insertion sort keeps (2); switches are built once and rarely large.
    int64_t *sorted = PLOY_ARRAY_ITEMS(&tree->values, int64_t) + item.table;
    int32_t *places = PLOY_ARRAY_ITEMS(&tree->places, int32_t) + item.table;
    for (int32_t i = 0; i < count; i++) {
        int32_t at = i;
        for (; at > 0 && sorted[at - 1] > values[i]; at--) {
            sorted[at] = sorted[at - 1];
            places[at] = places[at - 1];
        }
        sorted[at] = values[i];
        places[at] = i;
        if (at > 0 && sorted[at - 1] == values[i]) {
            return decision_tree_fault(tree, PLOY_ERR_EXISTS, "duplicate value in node", id);
        }
    }
    // The children and the one for the rest are adjacent, so it is added on its own after.
    ploy_decision_node node = decision_tree_add(tree, id, item, children, count);
    if (ploy_decision_node_is_none(node)) return node;
    if (!decision_tree_has(tree, otherwise)) {
        return decision_tree_fault(tree, PLOY_ERR_ARGUMENT, "unknown child of node", id);
    }
    result = ploy_array_push(&tree->children, &otherwise.number);
    if (result != PLOY_OK) return decision_tree_fault(tree, result, "out of memory for node", id);
    return node;
}

ploy_decision_node ploy_decision_tree_chain(ploy_decision_tree *tree, const char *id,
                                            const char *key, const int64_t *values,
                                            const ploy_decision_node *children, int32_t count,
                                            ploy_decision_node otherwise) {
    ploy_slot slot;
    if (!decision_tree_key(tree, key, values, children, count, &slot)) {
        return ploy_decision_node_none();
    }
    ploy_decision_node node = otherwise;
    for (int32_t i = count - 1; i >= 0; i--) {
        char text[128];
        decision_tree_inner_id(id != NULL ? id : "", count - i, i == 0, text, sizeof text);
        ploy_condition equal = ploy_condition_int(tree->conditions, key, values[i], values[i]);
        node = ploy_decision_tree_test(tree, text, equal, children[i], node);
    }
    return node;
}

ploy_decision_node ploy_decision_tree_random(ploy_decision_tree *tree, const char *id,
                                             const ploy_decision_random *settings,
                                             const ploy_decision_node *children,
                                             const float *weights, int32_t count) {
    if (!ployi_build_open(&tree->build)) return ploy_decision_node_none();
    ploy_decision_random used = ploy_decision_random_default();
    if (settings != NULL) used = *settings;
    ploy_result result = ploy_fields_check(ploy_decision_random_fields(), &used, &tree->build.env);
    if (result != PLOY_OK || children == NULL || count < 1 || count > UINT16_MAX) {
        return decision_tree_fault(tree, PLOY_ERR_ARGUMENT, "invalid settings of random node", id);
    }
    ployi_decision_item item = decision_tree_item(PLOYI_DECISION_RANDOM, count);
    item.table = tree->weights.count;
    item.extra = tree->randoms.count;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        float weight = weights != NULL ? weights[i] : 1.0f;
        if (!ploy_in_range(weight, 0.0f, 1e9f)) {
            return decision_tree_fault(tree, PLOY_ERR_ARGUMENT, "invalid weight in node", id);
        }
        item.weight_sum += weight;
        result = ploy_array_push(&tree->weights, &weight);
    }
    if (!(item.weight_sum > 0.0f)) {
        return decision_tree_fault(tree, PLOY_ERR_ARGUMENT, "missing weight above zero in node",
                                   id);
    }
    if (result == PLOY_OK) result = ploy_array_push(&tree->randoms, &used);
    if (result != PLOY_OK) return decision_tree_fault(tree, result, "out of memory for node", id);
    return decision_tree_add(tree, id, item, children, count);
}

ploy_result ploy_decision_tree_link(ploy_decision_tree *tree, ploy_decision_node node,
                                    int32_t branch, ploy_decision_node child) {
    if (!ployi_build_open(&tree->build)) return PLOY_ERR_STATE;
    if (ploy_decision_node_is_none(node) || !decision_tree_has(tree, node) ||
        !decision_tree_has(tree, child)) {
        return PLOY_ERR_ARGUMENT;
    }
    const ployi_decision_item *item = ployi_decision_item_at(tree, node.number);
    if (branch < 0 || branch >= ployi_decision_ways(item)) return PLOY_ERR_ARGUMENT;
    PLOY_ARRAY_ITEMS(&tree->children, uint32_t)[item->first + branch] = child.number;
    return PLOY_OK;
}

// Nodes in an order in which every node precedes its children, from the root: the reverse of
// the order in which a depth-first walk leaves them. Colors: 0 new, 1 under way, 2 done.
typedef struct decision_tree_walk {
    uint8_t *color;  // of each node
    int32_t *branch; // the next child to look at
    uint32_t *stack;
    uint32_t *order; // filled from the end
    int32_t left;    // where order begins
    uint32_t loop;   // a node of a loop, or 0
    size_t size;
    void *memory;
} decision_tree_walk;

// Walks all that one node leads to.
static void decision_tree_walk_from(const ploy_decision_tree *tree, uint32_t root,
                                    decision_tree_walk *walk) {
    int32_t depth = 0;
    if (root != 0) walk->stack[depth++] = root, walk->color[root] = 1;
    while (depth > 0 && walk->loop == 0) {
        uint32_t number = walk->stack[depth - 1];
        const ployi_decision_item *item = ployi_decision_item_at(tree, number);
        if (walk->branch[number] == ployi_decision_ways(item)) {
            walk->color[number] = 2;
            walk->order[--walk->left] = number;
            depth--;
            continue;
        }
        uint32_t child = ployi_decision_children(tree, item)[walk->branch[number]++];
        if (child == 0 || walk->color[child] == 2) continue;
        if (walk->color[child] == 1) {
            walk->loop = child;
        } else {
            walk->color[child] = 1;
            walk->stack[depth++] = child;
        }
    }
}

// Walks from the root and, if asked, from every node that it does not lead to.
static ploy_result decision_tree_walk_run(const ploy_decision_tree *tree, uint32_t root, bool all,
                                          decision_tree_walk *walk) {
    int32_t count = tree->items.count + 1; // number 0 has a place too
    size_t each = sizeof(uint8_t) + sizeof(int32_t) + 2 * sizeof(uint32_t);
    memset(walk, 0, sizeof *walk);
    if (!ploy_size_add_array(0, count, each, &walk->size)) return PLOY_ERR_LIMIT;
    walk->memory = ploy_env_alloc_zero(&tree->build.env, walk->size);
    if (walk->memory == NULL) return PLOY_ERR_MEMORY;
    walk->branch = walk->memory;
    walk->stack = (uint32_t *)(void *)(walk->branch + count);
    walk->order = walk->stack + count;
    walk->color = (uint8_t *)(void *)(walk->order + count);
    walk->left = count;
    decision_tree_walk_from(tree, root, walk);
    for (uint32_t i = 1; all && walk->loop == 0 && i <= (uint32_t)tree->items.count; i++) {
        if (walk->color[i] == 0) decision_tree_walk_from(tree, i, walk);
    }
    return PLOY_OK;
}

static void decision_tree_walk_end(const ploy_decision_tree *tree, decision_tree_walk *walk) {
    ploy_env_free(&tree->build.env, walk->memory, walk->size);
}

ploy_result ploy_decision_tree_finish(ploy_decision_tree *tree, ploy_decision_node root) {
    if (tree->build.finished) return PLOY_ERR_STATE;
    if (tree->build.result != PLOY_OK) return tree->build.result;
    ploy_result result = ploy_conditions_result(tree->conditions);
    if (result != PLOY_OK) return tree->build.result = result;
    if (!decision_tree_has(tree, root)) {
        return ployi_build_fault(&tree->build, PLOY_ERR_ARGUMENT, "unknown root", "");
    }
    // Every node is looked at, not only what the root leads to: a loop is a mistake anywhere.
    decision_tree_walk walk;
    result = decision_tree_walk_run(tree, root.number, true, &walk);
    if (result != PLOY_OK) return tree->build.result = result;
    uint32_t loop = walk.loop;
    decision_tree_walk_end(tree, &walk);
    if (loop != 0) {
        ploy_name id = ployi_decision_item_at(tree, loop)->id;
        return ployi_build_fault(&tree->build, PLOY_ERR_FORMAT, "unexpected cycle of nodes at",
                                 ployi_build_text(&tree->build, id));
    }
    for (uint32_t i = 1; i <= (uint32_t)tree->items.count; i++) {
        const ployi_decision_item *item = ployi_decision_item_at(tree, i);
        if (item->kind != PLOYI_DECISION_LEAF || item->extra < 0) continue;
        ploy_maker maker = PLOY_ARRAY_ITEMS(&tree->makers, ploy_maker)[item->extra];
        result = ploy_maker_check(maker, tree->layout, &tree->build.env, NULL);
        if (result == PLOY_OK) continue;
        return ployi_build_fault(&tree->build, result, "cannot use the behavior in leaf",
                                 ployi_build_text(&tree->build, item->id));
    }
    tree->root = root.number;
    tree->build.finished = true;
    return PLOY_OK;
}

int32_t ploy_decision_tree_count(const ploy_decision_tree *tree) {
    return tree->items.count;
}

const char *ploy_decision_tree_id(const ploy_decision_tree *tree, ploy_decision_node node) {
    if (ploy_decision_node_is_none(node) || !decision_tree_has(tree, node)) return "";
    return ployi_build_text(&tree->build, ployi_decision_item_at(tree, node.number)->id);
}

bool ploy_decision_tree_is_leaf(const ploy_decision_tree *tree, ploy_decision_node node) {
    if (ploy_decision_node_is_none(node) || !decision_tree_has(tree, node)) return true;
    return ployi_decision_item_at(tree, node.number)->kind == PLOYI_DECISION_LEAF;
}

// For each node: paths that lead to it from the root, and over all of them the sums of decisions and
// costs. In the order of the walk every node's numbers are complete before it is looked at.
typedef struct decision_tree_sum {
    double ways, depths, costs;
    int32_t longest;
} decision_tree_sum;

static void decision_tree_spread(const ploy_decision_tree *tree, const decision_tree_walk *walk,
                                 decision_tree_sum *sums) {
    sums[tree->root].ways = 1.0;
    for (int32_t i = walk->left; i <= tree->items.count; i++) {
        uint32_t number = walk->order[i];
        const ployi_decision_item *item = ployi_decision_item_at(tree, number);
        double cost = 1.0;
        if (item->kind == PLOYI_DECISION_TEST) {
            cost = (double)ployi_condition_cost(tree->conditions, item->condition);
        }
        const decision_tree_sum *from = &sums[number];
        for (int32_t k = 0; k < ployi_decision_ways(item); k++) {
            decision_tree_sum *to = &sums[ployi_decision_children(tree, item)[k]];
            to->ways += from->ways;
            to->depths += from->depths + from->ways;
            to->costs += from->costs + from->ways * cost;
            if (from->longest + 1 > to->longest) to->longest = from->longest + 1;
        }
    }
}

ploy_result ploy_decision_tree_judge(const ploy_decision_tree *tree, const double *weights,
                                     ploy_decision_report *out) {
    if (!tree->build.finished) return PLOY_ERR_STATE;
    size_t size = 0;
    if (!ploy_size_add_array(0, (int64_t)tree->items.count + 1, sizeof(decision_tree_sum), &size)) {
        return PLOY_ERR_LIMIT;
    }
    decision_tree_walk walk;
    ploy_result result = decision_tree_walk_run(tree, tree->root, false, &walk);
    if (result != PLOY_OK) return result;
    decision_tree_sum *sums = ploy_env_alloc_zero(&tree->build.env, size);
    if (sums == NULL) {
        decision_tree_walk_end(tree, &walk);
        return PLOY_ERR_MEMORY;
    }
    decision_tree_spread(tree, &walk, sums);
    ploy_decision_report report;
    memset(&report, 0, sizeof report);
    double total = 0.0;
    for (uint32_t i = 0; i <= (uint32_t)tree->items.count && result == PLOY_OK; i++) {
        if (!(sums[i].ways > 0.0)) continue;
        bool leaf = i == 0 || ployi_decision_item_at(tree, i)->kind == PLOYI_DECISION_LEAF;
        if (!leaf) {
            report.decisions++;
            continue;
        }
        report.leaves++;
        if (sums[i].longest > report.max_depth) report.max_depth = sums[i].longest;
        double weight = weights == NULL ? sums[i].ways : i == 0 ? 0.0 : weights[i - 1];
        if (!(weight >= 0.0) || !ploy_is_finite_d(weight)) result = PLOY_ERR_ARGUMENT;
        total += weight;
        report.average_depth += weight * sums[i].depths / sums[i].ways;
        report.expected_cost += weight * sums[i].costs / sums[i].ways;
    }
    ploy_env_free(&tree->build.env, sums, size);
    decision_tree_walk_end(tree, &walk);
    if (result == PLOY_OK && !(total > 0.0)) result = PLOY_ERR_ARGUMENT;
    if (result != PLOY_OK) return result;
    report.average_depth /= total;
    report.expected_cost /= total;
    *out = report;
    return PLOY_OK;
}

// The only parent of a node, or 0; *branch is the branch that leads here.
static uint32_t decision_tree_only_parent(const ploy_decision_tree *tree, uint32_t number,
                                          int32_t *branch) {
    uint32_t parent = 0;
    for (uint32_t i = 1; i <= (uint32_t)tree->items.count; i++) {
        const ployi_decision_item *item = ployi_decision_item_at(tree, i);
        for (int32_t k = 0; k < ployi_decision_ways(item); k++) {
            if (ployi_decision_children(tree, item)[k] != number) continue;
            if (parent != 0) return 0;
            parent = i;
            *branch = k;
        }
    }
    return parent;
}

int32_t ploy_decision_tree_lint(const ploy_decision_tree *tree, ploy_diags *diags) {
    int32_t doubts = 0;
    decision_tree_walk walk;
    if (!tree->build.finished) return 0;
    if (decision_tree_walk_run(tree, tree->root, false, &walk) != PLOY_OK) return 0;
    for (uint32_t i = 1; i <= (uint32_t)tree->items.count; i++) {
        const ployi_decision_item *item = ployi_decision_item_at(tree, i);
        const char *id = ployi_build_text(&tree->build, item->id);
        if (walk.color[i] == 0) {
            ployi_lint(diags, &doubts, "unreachable node", id);
            continue;
        }
        if (item->kind != PLOYI_DECISION_TEST) continue;
        const uint32_t *ways = ployi_decision_children(tree, item);
        if (ways[0] == ways[1]) ployi_lint(diags, &doubts, "both branches are the same at", id);
        int32_t branch = 0;
        uint32_t above = decision_tree_only_parent(tree, i, &branch);
        for (int32_t steps = 0; above != 0 && steps < tree->items.count; steps++) {
            const ployi_decision_item *parent = ployi_decision_item_at(tree, above);
            if (parent->kind == PLOYI_DECISION_TEST &&
                parent->condition.number == item->condition.number) {
                ployi_lint(diags, &doubts, "test is already decided above node", id);
                break;
            }
            above = decision_tree_only_parent(tree, above, &branch);
        }
    }
    decision_tree_walk_end(tree, &walk);
    return doubts;
}

static void decision_tree_print_line(const ploy_decision_tree *tree, uint32_t number, int32_t depth,
                                     ploy_writer *writer) {
    for (int32_t i = 0; i < depth; i++) ploy_write_text(writer, "  ");
    if (number == 0) {
        ploy_write_text(writer, "no action\n");
        return;
    }
    const ployi_decision_item *item = ployi_decision_item_at(tree, number);
    ploy_write_text(writer, ployi_build_text(&tree->build, item->id));
    if (item->kind == PLOYI_DECISION_TEST) {
        ploy_write_text(writer, ": ");
        ploy_condition_print(tree->conditions, item->condition, writer);
    } else if (item->kind == PLOYI_DECISION_SWITCH) {
        ploy_write_text(writer, ": ");
        ploy_write_text(writer, ploy_blackboard_layout_name(tree->layout, item->slot));
    } else if (item->kind == PLOYI_DECISION_RANDOM) {
        ploy_write_text(writer, ": random");
    }
    ploy_write_char(writer, '\n');
}

void ploy_decision_tree_print(const ploy_decision_tree *tree, ploy_writer *writer) {
    decision_tree_walk walk;
    if (!tree->build.finished) return;
    // The walk's own memory is used again: branch counts and the stack of the second walk.
    if (decision_tree_walk_run(tree, 0, false, &walk) != PLOY_OK) return;
    int32_t depth = 0;
    decision_tree_print_line(tree, tree->root, 0, writer);
    if (tree->root != 0) walk.stack[depth++] = tree->root, walk.color[tree->root] = 1;
    while (depth > 0) {
        uint32_t number = walk.stack[depth - 1];
        const ployi_decision_item *item = ployi_decision_item_at(tree, number);
        if (walk.branch[number] == ployi_decision_ways(item)) {
            depth--;
            continue;
        }
        uint32_t child = ployi_decision_children(tree, item)[walk.branch[number]++];
        decision_tree_print_line(tree, child, depth, writer);
        if (child != 0 && walk.color[child] == 0) {
            walk.color[child] = 1;
            walk.stack[depth++] = child;
        }
    }
    decision_tree_walk_end(tree, &walk);
}
