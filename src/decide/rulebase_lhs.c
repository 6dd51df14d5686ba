// Compiling the conditions of a rule.
//
// Each alternative of the conditions' normal form (rulebase_ways.c) becomes a chain of joins:
//
//     pattern 1 ──► join ──► join ──► terminal
//                    ▲         ▲ right side: a pattern's memory, or the last join of a group
//
// A negated group "(not (and b c))" is a chain of its own that ends on the right side of a
// negation. Variables of the outer chain that it uses are compared there. Where that would be too
// late, because the group uses one inside a negation of its own, the group's chain begins at the
// outer chain's end (it is `linked`), and the two meet again by the facts they share.
#include <string.h>

#include "decide/rulebase_lhs.h"

// Tests that are being gathered.
typedef struct lhs_tests {
    ployi_test *items;
    int32_t count, room;
} lhs_tests;

typedef struct lhs_keys {
    ployi_ref left[PLOY_RULE_FIELDS_MAX], right[PLOY_RULE_FIELDS_MAX];
    int32_t count;
} lhs_keys;

// A chain under construction.
typedef struct lhs_group {
    struct lhs_group *outer;
    int32_t id;        // of the space its binds are counted in
    int32_t join;      // the last one, or -1
    int32_t depth;     // binds so far
    lhs_tests outside; // tests for where the group meets the outer chain
    lhs_keys *outside_keys;
} lhs_group;

// The pattern under construction.
typedef struct lhs_pattern {
    lhs_group *group;
    ployi_lhs_variable locals[PLOY_RULE_FIELDS_MAX];
    int32_t local_count;
    lhs_tests join;
    lhs_keys *keys;
    ployi_step *steps;
    int32_t step_count;
    int32_t marks;
    bool negated;
} lhs_pattern;

// ---- Variables ----------------------------------------------------------------------------------

static const ployi_lhs_variable *lhs_find(const ployi_lhs_context *context, uint64_t name) {
    for (int32_t i = context->scope_count; i-- > 0;) {
        if (context->scope[i].name == name) return &context->scope[i];
    }
    return NULL;
}

static void lhs_bind(ployi_lhs_context *context, uint64_t name, int32_t group, ployi_ref ref) {
    if (context->scope_count == context->scope_room) {
        int32_t room = context->scope_room * 2 + 16;
        ployi_lhs_variable *larger = ployi_lhs_alloc(context, room, sizeof *larger);
        if (larger == NULL) return;
        if (context->scope_count > 0) {
            memcpy(larger, context->scope, (size_t)context->scope_count * sizeof *larger);
        }
        context->scope = larger;
        context->scope_room = room;
    }
    ployi_lhs_variable *made = &context->scope[context->scope_count++];
    made->name = name;
    made->group = group;
    made->ref = ref;
}

static void lhs_add_test(ployi_lhs_context *context, lhs_tests *tests, const ployi_test *test) {
    if (tests->count == tests->room) {
        int32_t room = tests->room * 2 + 8;
        ployi_test *larger = ployi_lhs_alloc(context, room, sizeof *larger);
        if (larger == NULL) return;
        if (tests->count > 0) memcpy(larger, tests->items, (size_t)tests->count * sizeof *larger);
        tests->items = larger;
        tests->room = room;
    }
    tests->items[tests->count++] = *test;
}

static void lhs_add_key(ployi_lhs_context *context, lhs_keys *keys, ployi_ref left,
                        ployi_ref right) {
    if (keys->count == PLOY_RULE_FIELDS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_LIMIT, "too many equal variables", NULL);
        return;
    }
    keys->left[keys->count] = left;
    keys->right[keys->count++] = right;
}

// Where a variable is, seen from a pattern (NULL: from a test between patterns).
enum { LHS_LOCAL, LHS_GROUP, LHS_OUTSIDE, LHS_UNBOUND };
static int lhs_resolve(const ployi_lhs_context *context, const lhs_pattern *pattern,
                       const lhs_group *group, uint64_t name, ployi_ref *out) {
    if (pattern != NULL) {
        for (int32_t i = 0; i < pattern->local_count; i++) {
            if (pattern->locals[i].name != name) continue;
            *out = pattern->locals[i].ref;
            return LHS_LOCAL;
        }
    }
    const ployi_lhs_variable *found = lhs_find(context, name);
    if (found == NULL) return LHS_UNBOUND;
    *out = found->ref;
    return found->group == group->id ? LHS_GROUP : LHS_OUTSIDE;
}

// A ref of the group's own facts as the meeting join sees it: on its right.
static ployi_ref lhs_turn_right(ployi_ref ref, int32_t depth) {
    if (ref.side == PLOYI_RIGHT) ref.pattern = (int16_t)depth;
    ref.side = PLOYI_RIGHT;
    return ref;
}

// Resolves the variables of a call; returns the farthest place of any.
static int lhs_resolve_call(ployi_lhs_context *context, const lhs_pattern *pattern,
                            const lhs_group *group, const ploy_rule_call *call, ployi_test *test) {
    int far = LHS_LOCAL;
    if (call->fn == NULL || call->variable_count < 0 ||
        call->variable_count > PLOY_RULE_FIELDS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "a test has no function", NULL);
        return far;
    }
    int32_t count = call->variable_count;
    if (call->cost > 1) context->cost += call->cost - 1;
    ployi_ref *refs = count == 0 ? NULL : ployi_lhs_alloc(context, count, sizeof *refs);
    int *places = count == 0 ? NULL : ployi_lhs_alloc(context, count, sizeof *places);
    if (context->result != PLOY_OK) return far;
    for (int32_t i = 0; i < count; i++) {
        places[i] =
            lhs_resolve(context, pattern, group, ploy_name_of(call->variables[i]).hash, &refs[i]);
        if (places[i] == LHS_UNBOUND) {
            ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "a variable is used before it is bound",
                            call->variables[i]);
            return far;
        }
        if (places[i] > far) far = places[i];
    }
    if (far == LHS_OUTSIDE) {
        int32_t depth = pattern == NULL ? 0 : group->depth;
        for (int32_t i = 0; i < count; i++) {
            if (places[i] != LHS_OUTSIDE) refs[i] = lhs_turn_right(refs[i], depth);
        }
    }
    ployi_span span = {0, 0};
    if (count > 0) {
        ploy_result stored = ployi_rulebase_store_refs(context->base, refs, count, &span);
        if (stored != PLOY_OK) context->result = stored;
    }
    test->refs = span.first;
    test->ref_count = span.count;
    test->fn = call->fn;
    test->data = call->data;
    test->key = call->key;
    return far;
}

// ---- Patterns -----------------------------------------------------------------------------------

// One constraint as a test; returns how far its variables are.
static int lhs_constraint(ployi_lhs_context *context, const lhs_pattern *pattern, ployi_ref place,
                          const ploy_rule_constraint *from, ployi_test *test) {
    memset(test, 0, sizeof *test);
    test->kind = (uint8_t)from->kind;
    test->negated = from->negated;
    test->strict = from->strict;
    test->a = place;
    test->value = ploy_rule_none();
    test->high = ploy_rule_none();
    context->cost++;
    switch (from->kind) {
    case PLOY_RULE_RANGE:
        test->high = from->high;
        test->value = from->value;
        return LHS_LOCAL;
    case PLOY_RULE_IS: test->value = from->value; return LHS_LOCAL;
    case PLOY_RULE_SAME: {
        if (from->variable == NULL) break;
        int far = lhs_resolve(context, pattern, pattern->group, ploy_name_of(from->variable).hash,
                              &test->b);
        if (far == LHS_UNBOUND) {
            ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "a variable is used before it is bound",
                            from->variable);
            return LHS_LOCAL;
        }
        return far;
    }
    case PLOY_RULE_HOLDS:
    case PLOY_RULE_COMPUTED:
        return lhs_resolve_call(context, pattern, pattern->group, &from->call, test);
    default: break;
    }
    ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "no such kind of constraint", NULL);
    return LHS_LOCAL;
}

// Puts the tests of a clause where their variables are: with the fact, at the join, or outside,
// where the whole group is on the right. fars: how far each test's own variables are.
static void lhs_place_clause(ployi_lhs_context *context, lhs_pattern *pattern, lhs_tests *alpha,
                             ployi_test *tests, const int *fars, int32_t count, int far) {
    tests[count - 1].group_end = 1;
    tests[count - 1].clause_end = 1;
    lhs_tests *where = alpha;
    if (far == LHS_GROUP) where = &pattern->join;
    if (far == LHS_OUTSIDE) where = &pattern->group->outside;
    int32_t depth = pattern->group->depth;
    for (int32_t i = 0; i < count; i++) {
        ployi_test *test = &tests[i];
        if (far == LHS_OUTSIDE) {
            test->a = lhs_turn_right(test->a, depth);
            if (fars[i] != LHS_OUTSIDE) {
                if (test->kind == PLOY_RULE_SAME) test->b = lhs_turn_right(test->b, depth);
                for (int32_t k = 0; k < test->ref_count; k++) {
                    ployi_ref *ref = PLOYI_REF(context->base, test->refs + k);
                    *ref = lhs_turn_right(*ref, depth);
                }
            }
        }
        lhs_add_test(context, where, test);
    }
}

static void lhs_constraints(ployi_lhs_context *context, lhs_pattern *pattern, lhs_tests *alpha,
                            ployi_ref place, const ploy_rule_field *field) {
    int32_t count = field->constraint_count;
    if (count == 0) return;
    if (count < 0 || count > PLOY_RULE_FIELDS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_LIMIT, "a field has too many constraints", NULL);
        return;
    }
    bool groups = false;
    for (int32_t i = 1; i < count; i++) {
        if (field->constraints[i].group != field->constraints[0].group) groups = true;
    }
    ployi_test *tests = ployi_lhs_alloc(context, count, sizeof *tests);
    int *fars = ployi_lhs_alloc(context, count, sizeof *fars);
    int far_all = LHS_LOCAL;
    for (int32_t i = 0; i < count && context->result == PLOY_OK; i++) {
        const ploy_rule_constraint *from = &field->constraints[i];
        fars[i] = lhs_constraint(context, pattern, place, from, &tests[i]);
        if (context->result != PLOY_OK) return;
        if (!groups) {
            bool equal = from->kind == PLOY_RULE_SAME && !from->negated;
            if (equal && fars[i] == LHS_GROUP) {
                lhs_add_key(context, pattern->keys, tests[i].b, place);
            } else if (equal && fars[i] == LHS_OUTSIDE) {
                lhs_add_key(context, pattern->group->outside_keys, tests[i].b,
                            lhs_turn_right(place, pattern->group->depth));
            } else {
                lhs_place_clause(context, pattern, alpha, &tests[i], &fars[i], 1, fars[i]);
            }
            continue;
        }
        if (fars[i] > far_all) far_all = fars[i];
        if (i > 0 && from->group != from[-1].group) tests[i - 1].group_end = 1;
    }
    if (groups && context->result == PLOY_OK) {
        lhs_place_clause(context, pattern, alpha, tests, fars, count, far_all);
    }
}

static void lhs_variable_at(ployi_lhs_context *context, lhs_pattern *pattern, lhs_tests *alpha,
                            const char *variable, ployi_ref place) {
    uint64_t name = ploy_name_of(variable).hash;
    ployi_ref other;
    int far = lhs_resolve(context, pattern, pattern->group, name, &other);
    if (far == LHS_LOCAL) {
        ployi_test test;
        memset(&test, 0, sizeof test);
        test.kind = PLOY_RULE_SAME;
        test.a = place;
        test.b = other;
        test.value = ploy_rule_none();
        test.high = ploy_rule_none();
        test.group_end = test.clause_end = 1;
        context->cost++;
        lhs_add_test(context, alpha, &test);
        return;
    }
    if (far == LHS_GROUP) {
        lhs_add_key(context, pattern->keys, other, place);
        context->cost++;
    } else if (far == LHS_OUTSIDE) {
        lhs_add_key(context, pattern->group->outside_keys, other,
                    lhs_turn_right(place, pattern->group->depth));
        context->cost++;
    }
    if (pattern->local_count == PLOY_RULE_FIELDS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_LIMIT, "a pattern has too many variables", NULL);
        return;
    }
    ployi_lhs_variable *local = &pattern->locals[pattern->local_count++];
    local->name = name;
    local->group = pattern->group->id;
    local->ref = place;
}

static void lhs_slot(ployi_lhs_context *context, lhs_pattern *pattern,
                     const ploy_rule_slot_pattern *slot, bool multi) {
    int32_t count = slot->field_count;
    if (count < 0 || count > PLOY_RULE_FIELDS_MAX || (count > 0 && slot->fields == NULL) ||
        (!multi && (count != 1 || slot->fields[0].multi))) {
        ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "a slot of one value takes one field", NULL);
        return;
    }
    int16_t first_mark = (int16_t)pattern->marks;
    int16_t singles = 0;
    int32_t singles_left = 0;
    for (int32_t i = 0; i < count; i++) singles_left += !slot->fields[i].multi;
    if (count == 0) {
        ployi_step *step = &pattern->steps[pattern->step_count++];
        memset(step, 0, sizeof *step);
        step->node.kind = PLOYI_STEP_EMPTY;
        step->node.slot = (int16_t)slot->slot;
        step->node.end = 1;
    }
    for (int32_t i = 0; i < count && context->result == PLOY_OK; i++) {
        const ploy_rule_field *field = &slot->fields[i];
        bool whole = multi && count == 1 && field->multi;
        ployi_ref place;
        memset(&place, 0, sizeof place);
        place.side = PLOYI_RIGHT;
        place.slot = (int16_t)slot->slot;
        place.kind = PLOYI_REF_SLOT;
        ployi_step *step = &pattern->steps[pattern->step_count];
        memset(step, 0, sizeof *step);
        step->node.slot = (int16_t)slot->slot;
        step->node.kind = PLOYI_STEP_SLOT;
        step->node.end = i + 1 == count;
        if (multi && !whole) {
            place.kind = field->multi ? PLOYI_REF_MULTI : PLOYI_REF_FIELD;
            place.field = singles;
            place.mark0 = first_mark;
            place.mark1 = (int16_t)pattern->marks;
            step->node.kind = field->multi ? PLOYI_STEP_MULTI : PLOYI_STEP_FIELD;
            step->node.field = singles;
            step->node.mark0 = first_mark;
            step->node.mark1 = (int16_t)pattern->marks;
            if (field->multi) {
                pattern->marks++;
            } else {
                singles++;
                singles_left--;
            }
            step->node.leave = (int16_t)singles_left;
        }
        lhs_tests alpha = {NULL, 0, 0};
        if (field->variable != NULL) {
            lhs_variable_at(context, pattern, &alpha, field->variable, place);
        }
        lhs_constraints(context, pattern, &alpha, place, field);
        step->tests = alpha.items;
        step->test_count = alpha.count;
        bool constant = alpha.count == 1 && alpha.items[0].kind == PLOY_RULE_IS &&
                        !alpha.items[0].negated && step->node.kind != PLOYI_STEP_MULTI && !whole;
        if (constant) step->constant = &alpha.items[0].value;
        bool needed = alpha.count > 0 || (multi && !whole);
        if (needed) pattern->step_count++;
    }
}

// Finds an equal join under the same one before, or makes it.
static int32_t lhs_join(ployi_lhs_context *context, const ployi_join *want, const lhs_keys *keys,
                        const lhs_tests *tests, const lhs_tests *after) {
    ploy_rulebase *base = context->base;
    int32_t key_count = keys == NULL ? 0 : keys->count;
    int32_t test_count = tests == NULL ? 0 : tests->count;
    int32_t after_count = after == NULL ? 0 : after->count;
    if (context->result != PLOY_OK) return -1;
    bool first = want->left < 0;
    int32_t at = first ? base->first_join : PLOYI_JOINS(base, want->left)->link;
    while (at >= 0 && want->kind != PLOYI_TERMINAL) {
        int32_t index = first ? at : PLOYI_LINK(base, at)->join;
        const ployi_join *join = PLOYI_JOINS(base, index);
        if ((first || PLOYI_LINK(base, at)->side == PLOYI_LEFT) && join->kind == want->kind &&
            join->logical == want->logical && join->memory == want->memory &&
            join->group == want->group && join->left == want->left && join->depth == want->depth &&
            ployi_rulebase_same_refs(base, join->left_keys, key_count ? keys->left : NULL,
                                     key_count) &&
            ployi_rulebase_same_refs(base, join->right_keys, key_count ? keys->right : NULL,
                                     key_count) &&
            ployi_rulebase_same_tests(base, join->tests, test_count ? tests->items : NULL,
                                      test_count) &&
            ployi_rulebase_same_tests(base, join->after, after_count ? after->items : NULL,
                                      after_count)) {
            return index;
        }
        at = first ? join->next_first : PLOYI_LINK(base, at)->next;
    }
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
        PLOYI_LINK(base, links)->next = PLOYI_JOINS(base, made.left)->link;
        PLOYI_JOINS(base, made.left)->link = links++;
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
static void lhs_add_clause(ployi_lhs_context *context, lhs_group *group, const ployi_lhs_node *node,
                           lhs_tests *out) {
    int32_t count = node->count == 0 ? 1 : node->count;
    ployi_test *tests = ployi_lhs_alloc(context, count, sizeof *tests);
    int *fars = ployi_lhs_alloc(context, count, sizeof *fars);
    int far = LHS_LOCAL;
    for (int32_t i = 0; i < count && context->result == PLOY_OK; i++) {
        const ploy_rule_ce *ce = node->count == 0 ? node->ce : node->items[i]->ce;
        ployi_test *test = &tests[i];
        memset(test, 0, sizeof *test);
        test->kind = PLOY_RULE_HOLDS;
        test->negated = node->count > 0;
        test->value = ploy_rule_none();
        test->high = ploy_rule_none();
        test->group_end = 1;
        test->clause_end = i + 1 == count;
        fars[i] = lhs_resolve_call(context, NULL, group, &ce->call, test);
        if (fars[i] > far) far = fars[i];
        context->cost++;
    }
    for (int32_t i = 0; i < count && context->result == PLOY_OK; i++) {
        if (far == LHS_OUTSIDE && fars[i] != LHS_OUTSIDE) {
            for (int32_t k = 0; k < tests[i].ref_count; k++) {
                ployi_ref *ref = PLOYI_REF(context->base, tests[i].refs + k);
                *ref = lhs_turn_right(*ref, 0);
            }
        }
        lhs_add_test(context, far == LHS_OUTSIDE ? &group->outside : out, &tests[i]);
    }
}

// Tests that follow a condition directly; returns how many.
static int32_t lhs_following_tests(ployi_lhs_context *context, lhs_group *group,
                                   ployi_lhs_node *const *nodes, int32_t count, lhs_tests *out) {
    int32_t taken = 0;
    while (taken < count && nodes[taken]->kind == PLOY_RULE_TEST && context->result == PLOY_OK) {
        lhs_add_clause(context, group, nodes[taken], out);
        taken++;
    }
    return taken;
}

// The pattern at the chain's end. Variables stay in scope unless it is negated.
static void lhs_compile_pattern(ployi_lhs_context *context, lhs_group *group,
                                const ployi_lhs_node *node, uint8_t kind,
                                ployi_lhs_node *const *following, int32_t follow_count,
                                int32_t *taken, bool logical) {
    const ploy_rule_ce *ce = node->ce;
    ploy_rulebase *base = context->base;
    const ployi_template *form = ploy_array_at(&base->templates, ce->template_index);
    if (form == NULL || ce->slot_count < 0 || ce->slot_count > PLOY_RULE_SLOTS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "a pattern names no template", NULL);
        return;
    }
    int32_t step_room = 1;
    for (int32_t i = 0; i < ce->slot_count; i++) {
        const ploy_rule_slot_pattern *slot = &ce->slots[i];
        if (slot->slot < 0 || slot->slot >= form->slots.count || slot->field_count < 0 ||
            slot->field_count > PLOY_RULE_FIELDS_MAX) {
            ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "a pattern names no slot", NULL);
            return;
        }
        step_room += slot->field_count + 1;
    }
    lhs_pattern *pattern = ployi_lhs_alloc(context, 1, sizeof *pattern);
    lhs_keys *keys = ployi_lhs_alloc(context, 1, sizeof *keys);
    ployi_step *steps = ployi_lhs_alloc(context, step_room, sizeof *steps);
    if (context->result != PLOY_OK) return;
    pattern->group = group;
    pattern->keys = keys;
    pattern->steps = steps;
    pattern->negated = kind != PLOYI_JOIN;
    context->cost++;
    if (ce->address != NULL) {
        ployi_ref place;
        memset(&place, 0, sizeof place);
        place.side = PLOYI_RIGHT;
        place.kind = PLOYI_REF_FACT;
        lhs_tests alpha = {NULL, 0, 0};
        lhs_variable_at(context, pattern, &alpha, ce->address, place);
        context->cost -= alpha.count;
    }
    for (int32_t i = 0; i < ce->slot_count && context->result == PLOY_OK; i++) {
        int32_t slot = ce->slots[i].slot;
        lhs_slot(context, pattern, &ce->slots[i],
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
                       .left = group->join,
                       .group = -1,
                       .depth = group->depth,
                       .rule = -1};
    ploy_result placed =
        ployi_rulebase_place(base, ce->template_index, steps, pattern->step_count, keys->right,
                             keys->count, pattern->marks, &want.memory);
    if (placed != PLOY_OK) {
        context->result = placed;
        return;
    }
    int32_t bind = group->depth++;
    if (kind == PLOYI_JOIN) {
        for (int32_t i = 0; i < pattern->local_count; i++) {
            ployi_ref ref = pattern->locals[i].ref;
            ref.side = PLOYI_LEFT;
            ref.pattern = (int16_t)bind;
            lhs_bind(context, pattern->locals[i].name, group->id, ref);
        }
    }
    // A test that follows sees the new fact on the right of this very join.
    lhs_tests tests = {NULL, 0, 0};
    *taken = lhs_following_tests(context, group, following, follow_count, &tests);
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
            lhs_add_test(context, &pattern->join, &tests.items[i]);
        }
        tests.count = 0;
    }
    group->join = lhs_join(context, &want, keys, &pattern->join, &tests);
}

static bool lhs_has_name(const uint64_t *names, int32_t count, uint64_t name) {
    for (int32_t i = 0; i < count; i++) {
        if (names[i] == name) return true;
    }
    return false;
}

typedef struct lhs_names {
    uint64_t *items;
    int32_t count, room;
} lhs_names;

static void lhs_add_name(ployi_lhs_context *context, lhs_names *names, const char *text) {
    if (text == NULL || context->result != PLOY_OK) return;
    uint64_t name = ploy_name_of(text).hash;
    if (lhs_has_name(names->items, names->count, name)) return;
    if (names->count == names->room) {
        int32_t room = names->room * 2 + 16;
        uint64_t *larger = ployi_lhs_alloc(context, room, sizeof *larger);
        if (larger == NULL) return;
        if (names->count > 0) memcpy(larger, names->items, (size_t)names->count * sizeof *larger);
        names->items = larger;
        names->room = room;
    }
    names->items[names->count++] = name;
}

// All variables a condition names; `only_binding` leaves out those inside constraints.
static void lhs_collect(ployi_lhs_context *context, const ployi_lhs_node *node, bool only_binding,
                        lhs_names *names) {
    const ploy_rule_ce *ce = node->ce;
    if (node->kind == PLOY_RULE_PATTERN) {
        lhs_add_name(context, names, ce->address);
        for (int32_t i = 0; i < ce->slot_count; i++) {
            for (int32_t k = 0; k < ce->slots[i].field_count; k++) {
                const ploy_rule_field *field = &ce->slots[i].fields[k];
                lhs_add_name(context, names, field->variable);
                for (int32_t c = 0; !only_binding && c < field->constraint_count; c++) {
                    const ploy_rule_constraint *from = &field->constraints[c];
                    if (from->kind == PLOY_RULE_SAME) lhs_add_name(context, names, from->variable);
                    if (from->kind != PLOY_RULE_HOLDS && from->kind != PLOY_RULE_COMPUTED) continue;
                    for (int32_t v = 0; v < from->call.variable_count; v++) {
                        lhs_add_name(context, names, from->call.variables[v]);
                    }
                }
            }
        }
    } else if (node->kind == PLOY_RULE_TEST && node->count == 0) {
        for (int32_t v = 0; !only_binding && v < ce->call.variable_count; v++) {
            lhs_add_name(context, names, ce->call.variables[v]);
        }
    } else {
        for (int32_t i = 0; i < node->count; i++) {
            lhs_collect(context, node->items[i], only_binding, names);
        }
    }
}

// True if a negation inside the group needs a variable that only the outer chain binds.
static bool lhs_needs_link(ployi_lhs_context *context, const ployi_lhs_node *group) {
    lhs_names bound = {NULL, 0, 0};
    for (int32_t i = 0; i < group->count && context->result == PLOY_OK; i++) {
        const ployi_lhs_node *node = group->items[i];
        if (node->kind == PLOY_RULE_PATTERN) {
            lhs_collect(context, node, true, &bound);
        } else if (node->kind != PLOY_RULE_TEST) {
            lhs_names used = {NULL, 0, 0};
            lhs_collect(context, node, false, &used);
            for (int32_t k = 0; k < used.count; k++) {
                if (!lhs_has_name(bound.items, bound.count, used.items[k]) &&
                    lhs_find(context, used.items[k]) != NULL) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void lhs_compile(ployi_lhs_context *context, lhs_group *group, ployi_lhs_node *const *nodes,
                        int32_t count, int32_t *logical_depth, int32_t depth);

// A negated (or existing) group: a chain of its own that ends on the right of a join.
static void lhs_compile_group(ployi_lhs_context *context, lhs_group *group,
                              const ployi_lhs_node *node, uint8_t kind,
                              ployi_lhs_node *const *following, int32_t follow_count,
                              int32_t *taken, int32_t depth) {
    int32_t scope = context->scope_count;
    lhs_keys *keys = ployi_lhs_alloc(context, 1, sizeof *keys);
    if (context->result != PLOY_OK) return;
    bool linked = group->join >= 0 && lhs_needs_link(context, node);
    lhs_group inner = {.outer = group, .join = -1, .outside_keys = keys};
    inner.id = linked ? group->id : ++context->next_group;
    if (linked) {
        inner.join = group->join;
        inner.depth = group->depth;
        for (int32_t i = 0; i < group->depth; i++) {
            ployi_ref ref;
            memset(&ref, 0, sizeof ref);
            ref.kind = PLOYI_REF_BIND;
            ref.pattern = (int16_t)i;
            ployi_ref right = ref;
            right.side = PLOYI_RIGHT;
            lhs_add_key(context, keys, ref, right);
        }
    }
    lhs_compile(context, &inner, node->items, node->count, NULL, depth + 1);
    context->scope_count = scope;
    if (context->result != PLOY_OK) return;
    ployi_join want = {.kind = kind,
                       .logical = node->logical,
                       .left = group->join,
                       .memory = -1,
                       .group = inner.join,
                       .depth = group->depth,
                       .rule = -1};
    group->depth++;
    lhs_tests after = {NULL, 0, 0};
    *taken = lhs_following_tests(context, group, following, follow_count, &after);
    group->join = lhs_join(context, &want, keys, &inner.outside, &after);
}

static void lhs_compile(ployi_lhs_context *context, lhs_group *group, ployi_lhs_node *const *nodes,
                        int32_t count, int32_t *logical_depth, int32_t depth) {
    // A chain that begins with a test, or is empty, begins with a join that needs no fact.
    if (group->join < 0 && (count == 0 || nodes[0]->kind == PLOY_RULE_TEST)) {
        ployi_join want = {.kind = PLOYI_PRIME, .left = -1, .memory = -1, .group = -1, .rule = -1};
        lhs_tests tests = {NULL, 0, 0};
        int32_t taken = lhs_following_tests(context, group, nodes, count, &tests);
        if (context->result != PLOY_OK) return;
        if (taken > 0 && nodes[taken - 1]->logical && logical_depth != NULL) *logical_depth = 1;
        want.logical = taken > 0 && nodes[taken - 1]->logical;
        group->join = lhs_join(context, &want, NULL, &tests, NULL);
        group->depth = 1;
        if (taken > 0) nodes += taken;
        count -= taken;
    }
    for (int32_t i = 0; i < count && context->result == PLOY_OK; i++) {
        ployi_lhs_node *node = nodes[i];
        int32_t taken = 0;
        if (group->depth >= PLOY_RULE_PATTERNS_MAX) {
            ployi_lhs_fault(context, PLOY_ERR_LIMIT, "a rule has too many patterns", NULL);
            return;
        }
        const ployi_lhs_node *single = node;
        uint8_t kind = PLOYI_JOIN;
        if (node->kind == PLOY_RULE_NOT || node->kind == PLOY_RULE_EXISTS) {
            kind = node->kind == PLOY_RULE_NOT ? PLOYI_NOT : PLOYI_EXISTS;
            single = node->count == 1 ? node->items[0] : NULL;
        }
        if (node->kind == PLOY_RULE_TEST) {
            // After a linked group's beginning: a join without facts that only tests.
            lhs_tests tests = {NULL, 0, 0};
            taken = lhs_following_tests(context, group, nodes + i, count - i, &tests) - 1;
            ployi_join want = {.kind = PLOYI_PRIME,
                               .left = group->join,
                               .memory = -1,
                               .group = -1,
                               .depth = group->depth,
                               .rule = -1};
            group->depth++;
            group->join = lhs_join(context, &want, NULL, &tests, NULL);
        } else if (single != NULL && single->kind == PLOY_RULE_PATTERN) {
            lhs_compile_pattern(context, group, single, kind, nodes + i + 1, count - i - 1, &taken,
                                node->logical);
        } else {
            lhs_compile_group(context, group, node, kind, nodes + i + 1, count - i - 1, &taken,
                              depth);
        }
        if (context->result != PLOY_OK) return;
        bool logical = node->logical;
        for (int32_t k = 1; k <= taken; k++) logical = logical || nodes[i + k]->logical;
        if (logical && logical_depth != NULL) *logical_depth = group->depth;
        i += taken;
    }
}

// One alternative: its chain, its terminal, its variables.
static void lhs_compile_way(ployi_lhs_context *context, ployi_lhs_list way) {
    ploy_rulebase *base = context->base;
    context->scope_count = 0;
    context->next_group = 0;
    context->cost = 0;
    lhs_group group = {.join = -1};
    ployi_rule rule = {.module = context->def->module,
                       .salience = context->def->salience,
                       .auto_focus = context->def->auto_focus,
                       .logical = -1,
                       .data = context->def->data};
    lhs_compile(context, &group, way.items, way.count, &rule.logical, 0);
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
                       .left = group.join,
                       .memory = -1,
                       .group = -1,
                       .depth = group.depth,
                       .rule = base->rules.count};
    rule.terminal = lhs_join(context, &want, NULL, NULL, NULL);
    if (context->result == PLOY_OK) context->result = ploy_array_push(&base->rules, &rule);
}

// The texts of all variables are kept, so that their names can be told.
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
