// Compiling a pattern: its fields become steps of the template's tree, tests of the fact alone, and
// keys and tests of the join that takes it in.
#include <string.h>

#include "decide/rulebase_lhs.h"

// ---- Variables ----------------------------------------------------------------------------------

void ployi_lhs_bind(ployi_lhs_context *context, uint64_t name, ployi_ref ref) {
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
    made->ref = ref;
}

void ployi_lhs_add_test(ployi_lhs_context *context, ployi_lhs_tests *tests,
                        const ployi_test *test) {
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

void ployi_lhs_add_key(ployi_lhs_context *context, ployi_lhs_keys *keys, ployi_ref left,
                       ployi_ref right) {
    if (keys->count == PLOY_RULE_FIELDS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_LIMIT, "too many equal variables", NULL);
        return;
    }
    keys->left[keys->count] = left;
    keys->right[keys->count++] = right;
}

// A group uses a variable that was bound before it began: where it meets the outer chain, the two
// must have the same value of it. So must the groups that this one is in.
static void field_use(ployi_lhs_context *context, const ployi_lhs_chain *chain, int32_t index) {
    for (; chain != NULL && index < chain->scope; chain = chain->outer) {
        ployi_ref left = context->scope[index].ref, right = left;
        right.side = PLOYI_RIGHT;
        bool known = false;
        for (int32_t i = 0; i < chain->outside->count; i++) {
            known = known || memcmp(&chain->outside->left[i], &left, sizeof left) == 0;
        }
        if (!known) ployi_lhs_add_key(context, chain->outside, left, right);
    }
}

// Where a variable is, seen from a pattern (NULL: from a test between patterns): in it, or in what
// was matched before.
enum { FIELD_HERE, FIELD_BEFORE, FIELD_UNBOUND };
static int field_resolve(ployi_lhs_context *context, const ployi_lhs_pattern *pattern,
                         const ployi_lhs_chain *chain, const char *variable, ployi_ref *out) {
    uint64_t name = ploy_name_of(variable).hash;
    for (int32_t i = 0; pattern != NULL && i < pattern->local_count; i++) {
        if (pattern->locals[i].name != name) continue;
        *out = pattern->locals[i].ref;
        return FIELD_HERE;
    }
    for (int32_t i = context->scope_count; i-- > 0;) {
        if (context->scope[i].name != name) continue;
        *out = context->scope[i].ref;
        field_use(context, chain, i);
        return FIELD_BEFORE;
    }
    return FIELD_UNBOUND;
}

static void field_unbound(ployi_lhs_context *context, const char *variable) {
    ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "variable is used before it is bound", variable);
}

bool ployi_lhs_call(ployi_lhs_context *context, const ployi_lhs_pattern *pattern,
                    const ployi_lhs_chain *chain, const ploy_rule_call *call, ployi_test *test) {
    if (call->fn == NULL || call->variable_count < 0 ||
        call->variable_count > PLOY_RULE_FIELDS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "missing function of a test", NULL);
        return false;
    }
    bool before = false;
    int32_t count = call->variable_count;
    if (call->cost > 1) context->cost += call->cost - 1;
    ployi_ref *refs = count == 0 ? NULL : ployi_lhs_alloc(context, count, sizeof *refs);
    if (context->result != PLOY_OK) return false;
    for (int32_t i = 0; i < count; i++) {
        int place = field_resolve(context, pattern, chain, call->variables[i], &refs[i]);
        if (place == FIELD_UNBOUND) {
            field_unbound(context, call->variables[i]);
            return false;
        }
        before = before || place == FIELD_BEFORE;
    }
    ployi_span span = {0, 0};
    if (count > 0) {
        ploy_result stored = ployi_rulebase_store_refs(context->base, refs, count, &span);
        if (stored != PLOY_OK) context->result = stored;
    }
    test->refs = span.first;
    test->ref_count = span.count;
    test->fn = call->fn;
    test->pair = count == 2 && test->kind == PLOY_RULE_HOLDS ? call->pair : NULL;
    test->data = call->data;
    test->key = call->key;
    return before;
}

// ---- Fields -------------------------------------------------------------------------------------

static void field_test(ployi_test *test, ploy_rule_constraint_kind kind, ployi_ref place) {
    memset(test, 0, sizeof *test);
    test->kind = (uint8_t)kind;
    test->a = place;
    test->value = ploy_rule_none();
    test->high = ploy_rule_none();
}

// One constraint as a test; true if it needs other facts than the pattern's own.
static bool field_constraint(ployi_lhs_context *context, const ployi_lhs_pattern *pattern,
                             ployi_ref place, const ploy_rule_constraint *from, ployi_test *test) {
    field_test(test, from->kind, place);
    test->negated = from->negated;
    test->strict = from->strict;
    context->cost++;
    switch (from->kind) {
    case PLOY_RULE_RANGE:
        test->high = from->high;
        test->value = from->value;
        return false;
    case PLOY_RULE_IS: test->value = from->value; return false;
    case PLOY_RULE_SAME: {
        if (from->variable == NULL) break;
        int where = field_resolve(context, pattern, pattern->chain, from->variable, &test->b);
        if (where == FIELD_UNBOUND) field_unbound(context, from->variable);
        return where == FIELD_BEFORE;
    }
    case PLOY_RULE_HOLDS:
    case PLOY_RULE_COMPUTED:
        return ployi_lhs_call(context, pattern, pattern->chain, &from->call, test);
    default: break;
    }
    ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "unknown kind of constraint", NULL);
    return false;
}

// Puts the tests of a clause where their variables are: with the fact, or at the join.
static void field_place(ployi_lhs_context *context, ployi_lhs_pattern *pattern,
                        ployi_lhs_tests *alpha, ployi_test *tests, int32_t count, bool before) {
    tests[count - 1].group_end = 1;
    tests[count - 1].clause_end = 1;
    for (int32_t i = 0; i < count; i++) {
        ployi_lhs_add_test(context, before ? &pattern->join : alpha, &tests[i]);
    }
}

static void field_constraints(ployi_lhs_context *context, ployi_lhs_pattern *pattern,
                              ployi_lhs_tests *alpha, ployi_ref place,
                              const ploy_rule_field *field) {
    int32_t count = field->constraint_count;
    if (count == 0) return;
    if (count < 0 || count > PLOY_RULE_FIELDS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_LIMIT, "too many constraints in a field", NULL);
        return;
    }
    bool groups = false, any_before = false;
    for (int32_t i = 1; i < count; i++) {
        if (field->constraints[i].group != field->constraints[0].group) groups = true;
    }
    ployi_test *tests = ployi_lhs_alloc(context, count, sizeof *tests);
    for (int32_t i = 0; i < count && context->result == PLOY_OK; i++) {
        const ploy_rule_constraint *from = &field->constraints[i];
        bool before = field_constraint(context, pattern, place, from, &tests[i]);
        if (context->result != PLOY_OK) return;
        if (groups) {
            any_before = any_before || before;
            if (i > 0 && from->group != from[-1].group) tests[i - 1].group_end = 1;
        } else if (from->kind == PLOY_RULE_SAME && !from->negated && before) {
            ployi_lhs_add_key(context, pattern->keys, tests[i].b, place);
        } else {
            field_place(context, pattern, alpha, &tests[i], 1, before);
        }
    }
    if (groups && context->result == PLOY_OK) {
        field_place(context, pattern, alpha, tests, count, any_before);
    }
}

void ployi_lhs_variable_at(ployi_lhs_context *context, ployi_lhs_pattern *pattern,
                           ployi_lhs_tests *alpha, const char *variable, ployi_ref place) {
    ployi_test test;
    field_test(&test, PLOY_RULE_SAME, place);
    int where = field_resolve(context, pattern, pattern->chain, variable, &test.b);
    if (where != FIELD_UNBOUND) context->cost++;
    if (where == FIELD_HERE) {
        test.group_end = test.clause_end = 1;
        ployi_lhs_add_test(context, alpha, &test);
        return;
    }
    if (where == FIELD_BEFORE) ployi_lhs_add_key(context, pattern->keys, test.b, place);
    if (pattern->local_count == PLOY_RULE_FIELDS_MAX) {
        ployi_lhs_fault(context, PLOY_ERR_LIMIT, "too many variables in a pattern", NULL);
        return;
    }
    ployi_lhs_variable *local = &pattern->locals[pattern->local_count++];
    local->name = ploy_name_of(variable).hash;
    local->ref = place;
}

// How the fields of a slot lie: the sequences among them, and what was passed so far.
typedef struct field_row {
    const ploy_rule_slot_pattern *slot;
    int32_t multis, singles; // in all
    int16_t before;          // single ones so far
    int16_t first_mark;
    bool passed; // a sequence
    bool multi;  // the slot holds a sequence at all
} field_row;

// Where the i-th field of a slot is, as a value and as a step of the tree.
static ployi_ref field_locate(field_row *row, int32_t i, ployi_lhs_pattern *pattern,
                              ployi_anode *node) {
    const ploy_rule_field *field = &row->slot->fields[i];
    ployi_ref place;
    memset(&place, 0, sizeof place);
    place.side = PLOYI_RIGHT;
    place.slot = node->slot = (int16_t)row->slot->slot;
    place.kind = PLOYI_REF_SLOT;
    node->kind = PLOYI_STEP_SLOT;
    if (!row->multi || (row->slot->field_count == 1 && field->multi)) return place;
    if (i == 0) { // the first one checks the length for all
        node->check = row->multis == 0 ? 2 : row->singles > 0 ? 1 : 0;
        node->length = (int16_t)row->singles;
    }
    place.field = row->before;
    if (row->multis < 2 && field->multi) {
        place.kind = PLOYI_REF_REST;
        place.mark0 = (int16_t)row->singles;
    } else if (row->multis < 2 && row->passed) {
        place.kind = PLOYI_REF_END;
        place.field = node->leave = (int16_t)(row->singles - row->before - 1);
        node->kind = PLOYI_STEP_FIELD;
        node->from_end = 1;
    } else {
        place.kind = field->multi ? PLOYI_REF_MULTI : PLOYI_REF_FIELD;
        place.mark0 = node->mark0 = row->first_mark;
        place.mark1 = node->mark1 = (int16_t)pattern->marks;
        node->kind = field->multi ? PLOYI_STEP_MULTI : PLOYI_STEP_FIELD;
        node->field = row->before;
        if (row->multis > 1) node->leave = (int16_t)(row->singles - row->before - !field->multi);
        if (field->multi) pattern->marks++;
    }
    if (field->multi) {
        row->passed = true;
    } else {
        row->before++;
    }
    return place;
}

void ployi_lhs_slot(ployi_lhs_context *context, ployi_lhs_pattern *pattern,
                    const ploy_rule_slot_pattern *slot, bool multi) {
    int32_t count = slot->field_count, first_step = pattern->step_count;
    if (count < 0 || count > PLOY_RULE_FIELDS_MAX || (count > 0 && slot->fields == NULL) ||
        (!multi && (count != 1 || slot->fields[0].multi))) {
        ployi_lhs_fault(context, PLOY_ERR_ARGUMENT, "single-value slot has several fields", NULL);
        return;
    }
    field_row row = {.slot = slot, .first_mark = (int16_t)pattern->marks, .multi = multi};
    for (int32_t i = 0; i < count; i++) row.multis += slot->fields[i].multi;
    row.singles = count - row.multis;
    if (count == 0) {
        ployi_step *step = &pattern->steps[pattern->step_count++];
        memset(step, 0, sizeof *step);
        step->node.kind = PLOYI_STEP_EMPTY;
        step->node.slot = (int16_t)slot->slot;
    }
    for (int32_t i = 0; i < count && context->result == PLOY_OK; i++) {
        const ploy_rule_field *field = &slot->fields[i];
        ployi_step *step = &pattern->steps[pattern->step_count];
        memset(step, 0, sizeof *step);
        ployi_ref place = field_locate(&row, i, pattern, &step->node);
        ployi_lhs_tests alpha = {NULL, 0, 0};
        if (field->variable != NULL) {
            ployi_lhs_variable_at(context, pattern, &alpha, field->variable, place);
        }
        field_constraints(context, pattern, &alpha, place, field);
        step->tests = alpha.items;
        step->test_count = alpha.count;
        bool constant = alpha.count == 1 && alpha.items[0].kind == PLOY_RULE_IS &&
                        !alpha.items[0].negated && !field->multi;
        if (constant) step->constant = &alpha.items[0].value;
        if (alpha.count == 0 && step->node.kind == PLOYI_STEP_FIELD) { // only the length is left
            step->node.kind = PLOYI_STEP_SLOT;
            step->node.mark0 = step->node.mark1 = step->node.field = 0;
            step->node.leave = 0;
        }
        bool needed =
            alpha.count > 0 || step->node.check != 0 || step->node.kind == PLOYI_STEP_MULTI;
        if (needed) pattern->step_count++;
    }
    if (pattern->step_count > first_step) pattern->steps[pattern->step_count - 1].node.end = 1;
}
