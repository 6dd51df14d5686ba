// The normal form of conditions: alternatives without `or`.
//
// `forall` becomes two negations, "not (a or b)" becomes "not a, not b", and every `or` that is left
// multiplies the alternatives.
#include "decide/rulebase_lhs.h"

enum { LHS_DEPTH_MAX = 64, LHS_NODES_MAX = 100000 };

void *ployi_lhs_alloc(ployi_lhs_context *context, int64_t count, size_t size) {
    void *made = ploy_arena_alloc_array(context->arena, count, size);
    if (made == NULL) context->result = PLOY_ERR_MEMORY;
    return made;
}

void ployi_lhs_fault(ployi_lhs_context *context, ploy_result code, const char *message,
                     const char *what) {
    if (context->result == PLOY_OK) context->result = code;
    ploy_diags_add(context->diags, PLOY_SEVERITY_ERROR, code, context->def->name, 0, 0, message,
                   what, NULL);
}

// ---- The normal form ----------------------------------------------------------------------------

static ployi_lhs_node *ways_new(ployi_lhs_context *context, ploy_rule_ce_kind kind,
                                const ploy_rule_ce *ce, bool logical) {
    if (++context->nodes > LHS_NODES_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_LIMIT, "too many alternatives in the conditions", NULL);
    }
    ployi_lhs_node *node = ployi_lhs_alloc(context, 1, sizeof *node);
    if (context->result != PLOY_OK) return NULL;
    node->kind = kind;
    node->ce = ce;
    node->logical = logical;
    return node;
}

static ployi_lhs_ways ways_one_way(ployi_lhs_context *context, ployi_lhs_node *node) {
    ployi_lhs_ways ways = {NULL, 0};
    ployi_lhs_list *list = ployi_lhs_alloc(context, 1, sizeof *list);
    ployi_lhs_node **items = ployi_lhs_alloc(context, 1, sizeof *items);
    if (context->result != PLOY_OK) return ways;
    items[0] = node;
    list->items = items;
    list->count = 1;
    ways.items = list;
    ways.count = 1;
    return ways;
}

static ployi_lhs_node *ways_negation(ployi_lhs_context *context, ploy_rule_ce_kind kind,
                                     ployi_lhs_list list, bool logical) {
    ployi_lhs_node *node = ways_new(context, kind, NULL, logical);
    if (node == NULL) return NULL;
    node->items = list.items;
    node->count = list.count;
    return node;
}

// Every alternative of the one followed by every alternative of the other.
static ployi_lhs_ways ways_product(ployi_lhs_context *context, ployi_lhs_ways a, ployi_lhs_ways b) {
    ployi_lhs_ways ways = {NULL, 0};
    if ((int64_t)a.count * b.count > PLOY_RULE_ORS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_LIMIT, "too many alternatives in the conditions", NULL);
        return ways;
    }
    ways.items = ployi_lhs_alloc(context, (int64_t)a.count * b.count, sizeof *ways.items);
    if (context->result != PLOY_OK) return ways;
    for (int32_t i = 0; i < a.count; i++) {
        for (int32_t k = 0; k < b.count; k++) {
            ployi_lhs_list *list = &ways.items[ways.count++];
            list->count = a.items[i].count + b.items[k].count;
            list->items = ployi_lhs_alloc(context, list->count, sizeof *list->items);
            if (context->result != PLOY_OK) return ways;
            for (int32_t n = 0; n < a.items[i].count; n++) list->items[n] = a.items[i].items[n];
            for (int32_t n = 0; n < b.items[k].count; n++) {
                list->items[a.items[i].count + n] = b.items[k].items[n];
            }
        }
    }
    return ways;
}

static ployi_lhs_ways ways_expand(ployi_lhs_context *context, const ploy_rule_ce *ce, bool logical,
                                  int32_t depth);

static ployi_lhs_ways ways_expand_all(ployi_lhs_context *context, const ploy_rule_ce *items,
                                      int32_t count, bool logical, int32_t depth) {
    ployi_lhs_ways ways = {NULL, 1};
    ways.items = ployi_lhs_alloc(context, 1, sizeof *ways.items);
    for (int32_t i = 0; i < count && context->result == PLOY_OK; i++) {
        ways = ways_product(context, ways, ways_expand(context, &items[i], logical, depth));
    }
    return ways;
}

static bool ways_only_tests(ployi_lhs_list list) {
    for (int32_t i = 0; i < list.count; i++) {
        if (list.items[i]->kind != PLOY_RULE_TEST) return false;
    }
    return list.count > 0;
}

// A list negated. Tests alone need no join: "not (t and u)" is a separate test, a node with the
// two as items, and negated twice they are themselves again. Patterns negated twice exist. That is
// what CLIPS does too.
static ployi_lhs_ways ways_negate(ployi_lhs_context *context, ployi_lhs_list list, bool logical) {
    if (ways_only_tests(list)) {
        if (list.count == 1 && list.items[0]->count > 0) {
            ployi_lhs_ways ways = ways_one_way(context, NULL);
            if (context->result != PLOY_OK) return ways;
            ways.items[0].items = list.items[0]->items;
            ways.items[0].count = list.items[0]->count;
            return ways;
        }
        bool simple = true;
        for (int32_t i = 0; i < list.count; i++) simple = simple && list.items[i]->count == 0;
        if (simple) {
            return ways_one_way(context, ways_negation(context, PLOY_RULE_TEST, list, logical));
        }
    }
    if (list.count == 1 && list.items[0]->kind == PLOY_RULE_NOT) {
        ployi_lhs_list inner = {list.items[0]->items, list.items[0]->count};
        return ways_one_way(context, ways_negation(context, PLOY_RULE_EXISTS, inner, logical));
    }
    return ways_one_way(context, ways_negation(context, PLOY_RULE_NOT, list, logical));
}

// All alternatives negated, which must all hold.
static ployi_lhs_ways ways_none_of(ployi_lhs_context *context, ployi_lhs_ways ways, bool logical) {
    ployi_lhs_ways all = {NULL, 1};
    all.items = ployi_lhs_alloc(context, 1, sizeof *all.items);
    for (int32_t i = 0; i < ways.count && context->result == PLOY_OK; i++) {
        all = ways_product(context, all, ways_negate(context, ways.items[i], logical));
    }
    return all;
}

static ployi_lhs_ways ways_expand(ployi_lhs_context *context, const ploy_rule_ce *ce, bool logical,
                                  int32_t depth) {
    ployi_lhs_ways none = {NULL, 0};
    if (depth > LHS_DEPTH_MAX)
        ployi_lhs_fault(context, PLOY_ERR_LIMIT, "conditions are nested too deeply", NULL);
    if (ce->item_count < 0 || (ce->item_count > 0 && ce->items == NULL)) {
        ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "empty condition", NULL);
    }
    if (context->result != PLOY_OK) return none;
    switch (ce->kind) {
    case PLOY_RULE_PATTERN:
    case PLOY_RULE_TEST: return ways_one_way(context, ways_new(context, ce->kind, ce, logical));
    case PLOY_RULE_AND:
        return ways_expand_all(context, ce->items, ce->item_count, logical, depth + 1);
    case PLOY_RULE_LOGICAL:
        return ways_expand_all(context, ce->items, ce->item_count, true, depth + 1);
    case PLOY_RULE_OR: {
        ployi_lhs_ways ways = {NULL, 0};
        ways.items = ployi_lhs_alloc(context, PLOY_RULE_ORS_MAX, sizeof *ways.items);
        for (int32_t i = 0; i < ce->item_count && context->result == PLOY_OK; i++) {
            ployi_lhs_ways part = ways_expand(context, &ce->items[i], logical, depth + 1);
            if (ways.count + part.count > PLOY_RULE_ORS_MAX) {
                ployi_lhs_fault(context, PLOY_ERR_LIMIT, "too many alternatives in the conditions",
                                NULL);
                break;
            }
            for (int32_t k = 0; k < part.count; k++) ways.items[ways.count++] = part.items[k];
        }
        return ways;
    }
    case PLOY_RULE_NOT: {
        ployi_lhs_ways inner =
            ways_expand_all(context, ce->items, ce->item_count, false, depth + 1);
        return ways_none_of(context, inner, logical);
    }
    case PLOY_RULE_EXISTS: {
        ployi_lhs_ways inner =
            ways_expand_all(context, ce->items, ce->item_count, false, depth + 1);
        if (inner.count != 1 || context->result != PLOY_OK) {
            ployi_lhs_ways not_one = ways_none_of(context, inner, false);
            return ways_none_of(context, not_one, logical);
        }
        if (ways_only_tests(inner.items[0])) return inner;
        return ways_one_way(context,
                            ways_negation(context, PLOY_RULE_EXISTS, inner.items[0], logical));
    }
    case PLOY_RULE_FORALL: {
        if (ce->item_count < 1) {
            ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "forall needs a condition", NULL);
            return none;
        }
        ployi_lhs_ways first = ways_expand(context, &ce->items[0], false, depth + 1);
        ployi_lhs_ways rest =
            ways_expand_all(context, ce->items + 1, ce->item_count - 1, false, depth + 1);
        rest = ways_none_of(context, rest, false);
        if (context->result != PLOY_OK) return none;
        return ways_none_of(context, ways_product(context, first, rest), logical);
    }
    default:
        ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "unknown kind of condition", NULL);
        return none;
    }
}

ployi_lhs_ways ployi_lhs_expand(ployi_lhs_context *context, const ploy_rule_ce *ce) {
    return ways_expand(context, ce, false, 0);
}
