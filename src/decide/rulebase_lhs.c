// Compiling the conditions of a rule.
//
// Each alternative of the conditions' normal form (rulebase_ways.c) becomes a chain of joins:
//
//     pattern 1 ──► join ──► join ──► terminal
//                    ▲         ▲ right side: a pattern's memory, or the last join of a group
//
// A negated group "(not (and b c))" is a separate chain that begins at the outer chain's end and
// comes back on the right side of a negation:
//
//     a ──► join ─────────────────► negation ──► ...
//              └──► b ──► c ───────────▲
//
// The two meet again by the variables of the outer chain that the group uses; if it uses none, any
// match of the group blocks every outer match. That is the network of CLIPS 6.30, and so is the
// order in which matches arise in it.
#include <string.h>

#include "decide/rulebase_lhs.h"

// What a join tests; its parts may be NULL.
typedef struct lhs_parts {
    const ployi_lhs_keys *keys;
    const ployi_lhs_tests *tests, *after;
    int32_t key_count, test_count, after_count;
} lhs_parts;

static bool lhs_same(const ploy_rulebase *base, const ployi_join *join, const ployi_join *want,
                     const lhs_parts *parts) {
    int32_t keys = parts->key_count;
    return join->kind == want->kind && join->logical == want->logical &&
           join->memory == want->memory && join->group == want->group && join->left == want->left &&
           join->depth == want->depth &&
           ployi_rulebase_same_refs(base, join->left_keys, keys ? parts->keys->left : NULL, keys) &&
           ployi_rulebase_same_refs(base, join->right_keys, keys ? parts->keys->right : NULL,
                                    keys) &&
           ployi_rulebase_same_tests(base, join->tests,
                                     parts->test_count ? parts->tests->items : NULL,
                                     parts->test_count) &&
           ployi_rulebase_same_tests(base, join->after,
                                     parts->after_count ? parts->after->items : NULL,
                                     parts->after_count);
}

// An equal join; -1: none. It would be among the joins under the same one before and among those of
// the same memory. Both lists can be long, one of them rarely is: so they are walked side by side.
static int32_t lhs_find(const ploy_rulebase *base, const ployi_join *want, const lhs_parts *parts) {
    bool first = want->left < 0, remembers = want->memory >= 0;
    int32_t at = first ? base->first_join : PLOYI_JOINS(base, want->left)->link;
    int32_t beside = remembers ? PLOYI_MEMORY(base, want->memory)->join : -1;
    if (want->kind == PLOYI_TERMINAL) return -1;
    while (at >= 0 && (!remembers || beside >= 0)) {
        int32_t index = first ? at : PLOYI_LINK(base, at)->join;
        const ployi_join *join = PLOYI_JOINS(base, index);
        bool left = first || PLOYI_LINK(base, at)->side == PLOYI_LEFT;
        if (left && lhs_same(base, join, want, parts)) return index;
        at = first ? join->next_first : PLOYI_LINK(base, at)->next;
        if (!remembers) continue;
        if (lhs_same(base, PLOYI_JOINS(base, beside), want, parts)) return beside;
        beside = PLOYI_JOINS(base, beside)->next_in_memory;
    }
    return -1;
}

// Finds an equal join under the same one before, or makes it.
static int32_t lhs_join(ployi_lhs_context *context, const ployi_join *want,
                        const ployi_lhs_keys *keys, const ployi_lhs_tests *tests,
                        const ployi_lhs_tests *after) {
    ploy_rulebase *base = context->base;
    int32_t key_count = keys == NULL ? 0 : keys->count;
    int32_t test_count = tests == NULL ? 0 : tests->count;
    int32_t after_count = after == NULL ? 0 : after->count;
    if (context->result != PLOY_OK) return -1;
    lhs_parts parts = {keys, tests, after, key_count, test_count, after_count};
    bool first = want->left < 0;
    int32_t same = lhs_find(base, want, &parts);
    if (same >= 0) return same;
    ployi_join made = *want;
    made.link = -1;
    made.next_first = -1;
    made.next_in_memory = -1;
    ploy_result result = PLOY_OK;
    if (key_count > 0) {
        result = ployi_rulebase_store_refs(base, keys->left, key_count, &made.left_keys);
        if (result == PLOY_OK) {
            result = ployi_rulebase_store_refs(base, keys->right, key_count, &made.right_keys);
        }
    }
    if (result == PLOY_OK && test_count > 0) {
        result = ployi_rulebase_store_tests(base, tests->items, test_count, &made.tests);
    }
    if (result == PLOY_OK && after_count > 0) {
        result = ployi_rulebase_store_tests(base, after->items, after_count, &made.after);
    }
    int32_t index = base->joins.count;
    int32_t links = base->links.count;
    ployi_link left_link = {index, PLOYI_LEFT, -1}, right_link = {index, PLOYI_RIGHT, -1};
    if (result == PLOY_OK && !first) result = ploy_array_push(&base->links, &left_link);
    if (result == PLOY_OK && made.group >= 0) result = ploy_array_push(&base->links, &right_link);
    if (result == PLOY_OK) result = ploy_array_push(&base->joins, &made);
    if (result != PLOY_OK) {
        context->result = result;
        return -1;
    }
    ployi_join *join = PLOYI_JOINS(base, index);
    if (first) {
        join->next_first = base->first_join;
        base->first_join = index;
    } else {
        // A group's path comes before the path past it, or matches would arise only to vanish: what
        // the path brings to the right side blocks what comes to the left. It was linked just now,
        // so it is the first; the left side goes behind it.
        int32_t *at_link = &PLOYI_JOINS(base, made.left)->link;
        if (made.group >= 0 && *at_link >= 0) at_link = &PLOYI_LINK(base, *at_link)->next;
        PLOYI_LINK(base, links)->next = *at_link;
        *at_link = links++;
    }
    if (made.group >= 0) {
        PLOYI_LINK(base, links)->next = PLOYI_JOINS(base, made.group)->link;
        PLOYI_JOINS(base, made.group)->link = links;
    }
    if (made.memory >= 0) {
        join->next_in_memory = PLOYI_MEMORY(base, made.memory)->join;
        PLOYI_MEMORY(base, made.memory)->join = index;
    }
    return index;
}

// A test between patterns, or the negation of several, as a clause.
static void lhs_add_clause(ployi_lhs_context *context, const ployi_lhs_chain *chain,
                           const ployi_lhs_node *node, ployi_lhs_tests *out) {
    int32_t count = node->count == 0 ? 1 : node->count;
    for (int32_t i = 0; i < count && context->result == PLOY_OK; i++) {
        const ploy_rule_ce *ce = node->count == 0 ? node->ce : node->items[i]->ce;
        ployi_test test;
        memset(&test, 0, sizeof test);
        test.kind = PLOY_RULE_HOLDS;
        test.negated = node->count > 0;
        test.value = ploy_rule_none();
        test.high = ploy_rule_none();
        test.group_end = 1;
        test.clause_end = i + 1 == count;
        ployi_lhs_call(context, NULL, chain, &ce->call, &test);
        context->cost++;
        ployi_lhs_add_test(context, out, &test);
    }
}

// Tests that follow a condition directly; returns how many.
static int32_t lhs_following_tests(ployi_lhs_context *context, ployi_lhs_chain *chain,
                                   ployi_lhs_node *const *nodes, int32_t count,
                                   ployi_lhs_tests *out) {
    int32_t taken = 0;
    while (taken < count && nodes[taken]->kind == PLOY_RULE_TEST && context->result == PLOY_OK) {
        lhs_add_clause(context, chain, nodes[taken], out);
        taken++;
    }
    return taken;
}

// The pattern at the chain's end. Variables stay in scope unless it is negated.
static void lhs_compile_pattern(ployi_lhs_context *context, ployi_lhs_chain *chain,
                                const ployi_lhs_node *node, uint8_t kind,
                                ployi_lhs_node *const *following, int32_t follow_count,
                                int32_t *taken, bool logical) {
    const ploy_rule_ce *ce = node->ce;
    ploy_rulebase *base = context->base;
    const ployi_template *form = ploy_array_at(&base->templates, ce->template_index);
    if (form == NULL || ce->slot_count < 0 || ce->slot_count > PLOY_RULE_SLOTS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "unknown template in a pattern", NULL);
        return;
    }
    int32_t step_room = 1;
    for (int32_t i = 0; i < ce->slot_count; i++) {
        const ploy_rule_slot_pattern *slot = &ce->slots[i];
        if (slot->slot < 0 || slot->slot >= form->slots.count || slot->field_count < 0 ||
            slot->field_count > PLOY_RULE_FIELDS_MAX) {
            ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "unknown slot in a pattern", NULL);
            return;
        }
        step_room += slot->field_count + 1;
    }
    ployi_lhs_pattern *pattern = ployi_lhs_alloc(context, 1, sizeof *pattern);
    ployi_lhs_keys *keys = ployi_lhs_alloc(context, 1, sizeof *keys);
    ployi_step *steps = ployi_lhs_alloc(context, step_room, sizeof *steps);
    if (context->result != PLOY_OK) return;
    pattern->chain = chain;
    pattern->keys = keys;
    pattern->steps = steps;
    context->cost++;
    if (ce->address != NULL) {
        ployi_ref place;
        memset(&place, 0, sizeof place);
        place.side = PLOYI_RIGHT;
        place.kind = PLOYI_REF_FACT;
        ployi_lhs_tests alpha = {NULL, 0, 0};
        ployi_lhs_variable_at(context, pattern, &alpha, ce->address, place);
        context->cost -= alpha.count;
    }
    for (int32_t i = 0; i < ce->slot_count && context->result == PLOY_OK; i++) {
        int32_t slot = ce->slots[i].slot;
        ployi_lhs_slot(context, pattern, &ce->slots[i],
                       PLOYI_SLOT(base, form->slots.first + slot)->multi != 0);
    }
    if (pattern->step_count == 0) {
        memset(&steps[0], 0, sizeof steps[0]);
        steps[0].node.kind = PLOYI_STEP_ANY;
        pattern->step_count = 1;
    }
    if (context->result != PLOY_OK) return;
    ployi_join want = {.kind = kind,
                       .logical = logical,
                       .left = chain->join,
                       .group = -1,
                       .depth = chain->depth,
                       .rule = -1};
    ploy_result placed =
        ployi_rulebase_place(base, ce->template_index, steps, pattern->step_count, keys->right,
                             keys->count, pattern->marks, &want.memory);
    if (placed != PLOY_OK) {
        context->result = placed;
        return;
    }
    int32_t bind = chain->depth++;
    if (kind == PLOYI_JOIN) {
        for (int32_t i = 0; i < pattern->local_count; i++) {
            ployi_ref ref = pattern->locals[i].ref;
            ref.side = PLOYI_LEFT;
            ref.pattern = (int16_t)bind;
            ployi_lhs_bind(context, pattern->locals[i].name, ref);
        }
    }
    // A test that follows sees the new fact on the right of this very join. Behind a negation CLIPS
    // does not count it.
    ployi_lhs_tests tests = {NULL, 0, 0};
    int32_t cost = context->cost;
    *taken = lhs_following_tests(context, chain, following, follow_count, &tests);
    if (kind != PLOYI_JOIN) context->cost = cost;
    if (context->result != PLOY_OK) return;
    if (kind == PLOYI_JOIN) {
        for (int32_t i = 0; i < tests.count; i++) {
            for (int32_t k = 0; k < tests.items[i].ref_count; k++) {
                ployi_ref *ref = PLOYI_REF(base, tests.items[i].refs + k);
                if (ref->side == PLOYI_LEFT && ref->pattern == bind) {
                    ref->side = PLOYI_RIGHT;
                    ref->pattern = 0;
                }
            }
            ployi_lhs_add_test(context, &pattern->join, &tests.items[i]);
        }
        tests.count = 0;
    }
    chain->join = lhs_join(context, &want, keys, &pattern->join, &tests);
}

static void lhs_compile(ployi_lhs_context *context, ployi_lhs_chain *chain,
                        ployi_lhs_node *const *nodes, int32_t count, int32_t *logical_depth,
                        int32_t depth);

// A negated (or existing) group: a chain from the end of the outer one to the right of a join.
static void lhs_compile_group(ployi_lhs_context *context, ployi_lhs_chain *chain,
                              const ployi_lhs_node *node, uint8_t kind,
                              ployi_lhs_node *const *following, int32_t follow_count,
                              int32_t *taken, int32_t depth) {
    ployi_lhs_keys *keys = ployi_lhs_alloc(context, 1, sizeof *keys);
    if (context->result != PLOY_OK) return;
    ployi_lhs_chain inner = {.outer = chain,
                             .join = chain->join,
                             .depth = chain->depth,
                             .scope = context->scope_count,
                             .outside = keys};
    lhs_compile(context, &inner, node->items, node->count, NULL, depth + 1);
    context->scope_count = inner.scope;
    if (context->result != PLOY_OK) return;
    ployi_join want = {.kind = kind,
                       .logical = node->logical,
                       .left = chain->join,
                       .memory = -1,
                       .group = inner.join,
                       .depth = chain->depth,
                       .rule = -1};
    chain->depth++;
    ployi_lhs_tests after = {NULL, 0, 0};
    *taken = lhs_following_tests(context, chain, following, follow_count, &after);
    if (*taken > 0) context->cost++; // CLIPS counts the test as a pattern here
    chain->join = lhs_join(context, &want, keys, NULL, &after);
}

static void lhs_compile(ployi_lhs_context *context, ployi_lhs_chain *chain,
                        ployi_lhs_node *const *nodes, int32_t count, int32_t *logical_depth,
                        int32_t depth) {
    // A chain that begins with a test, or is empty, begins with a join that needs no fact.
    if (chain->join < 0 && (count == 0 || nodes[0]->kind == PLOY_RULE_TEST)) {
        ployi_join want = {.kind = PLOYI_PRIME, .left = -1, .memory = -1, .group = -1, .rule = -1};
        ployi_lhs_tests tests = {NULL, 0, 0};
        int32_t taken = lhs_following_tests(context, chain, nodes, count, &tests);
        if (context->result != PLOY_OK) return;
        if (taken > 0) context->cost++; // CLIPS counts the test as a pattern here
        if (taken > 0 && nodes[taken - 1]->logical && logical_depth != NULL) *logical_depth = 1;
        want.logical = taken > 0 && nodes[taken - 1]->logical;
        chain->join = lhs_join(context, &want, NULL, &tests, NULL);
        chain->depth = 1;
        if (taken > 0) nodes += taken;
        count -= taken;
    }
    for (int32_t i = 0; i < count && context->result == PLOY_OK; i++) {
        ployi_lhs_node *node = nodes[i];
        int32_t taken = 0;
        if (chain->depth >= PLOY_RULE_PATTERNS_MAX) {
            ployi_lhs_fault(context, PLOY_ERR_LIMIT, "too many patterns in a rule", NULL);
            return;
        }
        const ployi_lhs_node *single = node;
        uint8_t kind = PLOYI_JOIN;
        if (node->kind == PLOY_RULE_NOT || node->kind == PLOY_RULE_EXISTS) {
            kind = node->kind == PLOY_RULE_NOT ? PLOYI_NOT : PLOYI_EXISTS;
            single = node->count == 1 ? node->items[0] : NULL;
        }
        if (node->kind == PLOY_RULE_TEST) {
            // At the beginning of a group: a join without facts that only tests.
            ployi_lhs_tests tests = {NULL, 0, 0};
            taken = lhs_following_tests(context, chain, nodes + i, count - i, &tests) - 1;
            context->cost++;
            ployi_join want = {.kind = PLOYI_PRIME,
                               .left = chain->join,
                               .memory = -1,
                               .group = -1,
                               .depth = chain->depth,
                               .rule = -1};
            chain->depth++;
            chain->join = lhs_join(context, &want, NULL, &tests, NULL);
        } else if (single != NULL && single->kind == PLOY_RULE_PATTERN) {
            lhs_compile_pattern(context, chain, single, kind, nodes + i + 1, count - i - 1, &taken,
                                node->logical);
        } else {
            lhs_compile_group(context, chain, node, kind, nodes + i + 1, count - i - 1, &taken,
                              depth);
        }
        if (context->result != PLOY_OK) return;
        bool logical = node->logical;
        for (int32_t k = 1; k <= taken; k++) logical = logical || nodes[i + k]->logical;
        if (logical && logical_depth != NULL) *logical_depth = chain->depth;
        i += taken;
    }
}

// One alternative: its chain, its terminal, its variables.
static void lhs_compile_way(ployi_lhs_context *context, ployi_lhs_list way) {
    ploy_rulebase *base = context->base;
    context->scope_count = 0;
    context->cost = 0;
    ployi_lhs_chain chain = {.join = -1};
    ployi_rule rule = {.module = context->def->module,
                       .salience = context->def->salience,
                       .auto_focus = context->def->auto_focus,
                       .logical = -1,
                       .data = context->def->data};
    lhs_compile(context, &chain, way.items, way.count, &rule.logical, 0);
    if (context->result != PLOY_OK) return;
    ploy_result result = ploy_names_add(base->names, context->def->name, &rule.name);
    rule.cost = context->def->cost > 0 ? context->def->cost : context->cost;
    rule.variables.first = base->variables.count;
    for (int32_t i = 0; result == PLOY_OK && i < context->scope_count; i++) {
        ployi_variable variable = {{context->scope[i].name}, context->scope[i].ref};
        bool known = false;
        const ployi_variable *made = PLOY_ARRAY_ITEMS(&base->variables, ployi_variable);
        for (int32_t k = rule.variables.first; k < base->variables.count; k++) {
            if (made[k].name.hash == variable.name.hash) known = true;
        }
        if (known) continue; // the first binding counts
        result = ploy_array_push(&base->variables, &variable);
    }
    rule.variables.count = base->variables.count - rule.variables.first;
    if (result == PLOY_OK) result = ploy_array_reserve(&base->rules, base->rules.count + 1);
    if (result != PLOY_OK) {
        context->result = result;
        return;
    }
    ployi_join want = {.kind = PLOYI_TERMINAL,
                       .left = chain.join,
                       .memory = -1,
                       .group = -1,
                       .depth = chain.depth,
                       .rule = base->rules.count};
    rule.terminal = lhs_join(context, &want, NULL, NULL, NULL);
    if (context->result == PLOY_OK) context->result = ploy_array_push(&base->rules, &rule);
}

// The texts of all variables are kept, so that their names can be shown.
static void lhs_keep_names(ployi_lhs_context *context, const ployi_lhs_node *node) {
    const ploy_rule_ce *ce = node->ce;
    for (int32_t i = 0; i < node->count; i++) lhs_keep_names(context, node->items[i]);
    if (node->kind != PLOY_RULE_PATTERN || context->result != PLOY_OK) return;
    if (ce->address != NULL) {
        context->result = ploy_names_add(context->base->names, ce->address, NULL);
    }
    for (int32_t i = 0; i < ce->slot_count; i++) {
        for (int32_t k = 0; k < ce->slots[i].field_count && context->result == PLOY_OK; k++) {
            const char *variable = ce->slots[i].fields[k].variable;
            if (variable == NULL) continue;
            context->result = ploy_names_add(context->base->names, variable, NULL);
        }
    }
}

ploy_result ploy_rulebase_add_rule(ploy_rulebase *base, const ploy_rule_def *def, ploy_diags *diags,
                                   int32_t *first, int32_t *count) {
    if (base == NULL || def == NULL || def->name == NULL || def->name[0] == '\0' ||
        def->module < 0 || def->module > 10000 || def->salience < -10000 || def->salience > 10000) {
        return PLOY_ERR_ARGUMENT;
    }
    ployi_lhs_context context = {.base = base, .diags = diags, .def = def};
    ploy_result result = ploy_arena_create(PLOY_CAPACITY(16384), 0, &base->env, &context.arena);
    if (result != PLOY_OK) return result;
    int32_t rules = base->rules.count;
    ployi_lhs_ways ways = ployi_lhs_expand(&context, &def->lhs);
    for (int32_t i = 0; i < ways.count && context.result == PLOY_OK; i++) {
        for (int32_t k = 0; k < ways.items[i].count; k++) {
            lhs_keep_names(&context, ways.items[i].items[k]);
        }
        if (context.result == PLOY_OK) lhs_compile_way(&context, ways.items[i]);
    }
    ploy_arena_destroy(context.arena);
    if (context.result != PLOY_OK) {
        // What was made of it stays in the network, but leads nowhere.
        for (int32_t i = 0; i < base->joins.count; i++) {
            ployi_join *join = PLOYI_JOINS(base, i);
            if (join->kind == PLOYI_TERMINAL && join->rule >= rules) join->rule = -1;
        }
        while (base->rules.count > rules) ploy_array_pop(&base->rules, NULL);
        return context.result;
    }
    if (first != NULL) *first = rules;
    if (count != NULL) *count = base->rules.count - rules;
    return PLOY_OK;
}
