// The variables of a CLIPS rule and what they may hold: unbound ones, patterns that can never
// match, functions that would get the wrong type. What is found and in which order is as in CLIPS
// 6.30, because its messages are compared with ours.
//
// The conditions become one row of nodes, in the order they are written:
//
//   (a (x ?p&:(> ?p 3)))  (test (neq ?p 5))
//   ce 0: head ?p | term : | argument ?p      ce 1: argument ?p
//
// Each node knows what it allows. A variable that is bound hands that on to all nodes of its name
// that come after it and can see it; where nothing is left, no fact can match.
//
// Invariants:
//   (1) nodes of a condition are adjacent, a field's head before its terms, a term before the
//       variables of its call;
//   (2) everything made here is in the scratch memory and is gone when the rule has been read.
#include "data/clips_analysis.h"

#include <string.h>

// ---- Messages -----------------------------------------------------------------------------------

void ployi_clips_write_x(ploy_clips *clips, const ployi_x *x, ploy_writer *out) {
    if (x->kind == PLOYI_X_VALUE) {
        ploy_rules_write_value(clips->rules, &x->value, out);
    } else if (x->kind == PLOYI_X_LOCAL || x->kind == PLOYI_X_GLOBAL) {
        ploy_write_text(out, "?");
        ploy_write_text(out, x->name);
    } else {
        const char *name = "";
        if (x->kind == PLOYI_X_USER) {
            const ployi_deffunction *made = ploy_array_at(&clips->functions, x->index);
            name = made->name;
        } else if (x->function != NULL) {
            name = x->function->name;
        }
        ploy_write_text(out, "(");
        ploy_write_text(out, name);
        for (int32_t i = 0; i < x->count; i++) {
            if (x->args[i] == NULL) continue;
            ploy_write_text(out, " ");
            ployi_clips_write_x(clips, x->args[i], out);
        }
        ploy_write_text(out, ")");
    }
}

void ployi_analysis_say(ployi_analysis_message *message, const char *text, const char *name) {
    ploy_write_text(&message->out, text);
    if (name != NULL) ploy_write_text(&message->out, name);
}

void ployi_analysis_begin(ployi_analysis *a, ployi_analysis_message *message, const char *text,
                          const char *name) {
    ploy_buffer_init(&message->text, 0, &a->clips->env);
    message->out = ploy_buffer_writer(&message->text);
    ployi_analysis_say(message, text, name);
}

static void analysis_say_place(ployi_analysis_message *message, const char *before, int32_t ce,
                               const char *slot, int32_t field) {
    ploy_write_text(&message->out, before);
    ploy_write_i64(&message->out, ce);
    if (slot != NULL) {
        ployi_analysis_say(message, " slot ", slot);
    } else if (field > 0) {
        ploy_write_text(&message->out, " field #");
        ploy_write_i64(&message->out, field);
    }
}

void ployi_analysis_end(ployi_analysis *a, ployi_analysis_message *message, const char *text) {
    ploy_write_text(&message->out, text);
    a->clips->parse_failed = false;
    ployi_clips_fault(a->clips, ploy_buffer_text(&message->text), NULL);
    ploy_buffer_fini(&message->text);
    a->failed = true;
}

// ---- Nodes --------------------------------------------------------------------------------------

static int32_t analysis_count_x(const ployi_x *x) {
    if (x == NULL) return 0;
    if (x->kind == PLOYI_X_LOCAL) return 1;
    int32_t count = 0;
    for (int32_t i = 0; i < x->count; i++) count += analysis_count_x(x->args[i]);
    return count;
}

// Room for every leaf of the conditions and every node they come to.
static void analysis_count(const ploy_rule_ce *ce, int32_t *ces, int32_t *nodes) {
    for (int32_t i = 0; i < ce->item_count; i++) analysis_count(&ce->items[i], ces, nodes);
    if (ce->kind != PLOY_RULE_PATTERN && ce->kind != PLOY_RULE_TEST) return;
    (*ces)++;
    if (ce->kind == PLOY_RULE_TEST) *nodes += analysis_count_x(ce->call.data);
    for (int32_t i = 0; i < ce->slot_count; i++) {
        for (int32_t k = 0; k < ce->slots[i].field_count; k++) {
            const ploy_rule_field *field = &ce->slots[i].fields[k];
            *nodes += 1 + field->constraint_count;
            for (int32_t j = 0; j < field->constraint_count; j++) {
                *nodes += analysis_count_x(field->constraints[j].call.data);
            }
        }
    }
}

static ployi_analysis_node *analysis_add(ployi_analysis *a) {
    return &a->nodes[a->node_count++];
}

static void analysis_add_x(ployi_analysis *a, const ployi_x *x, const ployi_x *call,
                           int32_t place) {
    if (x->kind == PLOYI_X_LOCAL) {
        if (x->index >= PLOYI_SCOPE_MAX) return; // a query binds it
        ployi_analysis_node *node = analysis_add(a);
        node->variable = x->name;
        node->call = call;
        node->argument = place;
        if (call != NULL && call->kind == PLOYI_X_CALL) {
            node->allowed = ployi_constraint_letter(
                a->clips, ployi_clips_argument_letter(call->function, place));
        }
        return;
    }
    for (int32_t i = 0; i < x->count; i++) {
        if (x->args[i] != NULL) analysis_add_x(a, x->args[i], x, i + 1);
    }
}

static const ployi_constraint *analysis_slot_allows(const ployi_analysis *a, const ploy_rule_ce *ce,
                                                    int32_t slot) {
    const ployi_deftemplate *made = ploy_array_at(&a->clips->templates, ce->template_index);
    return made->slots == NULL ? NULL : made->slots[slot].constraint;
}

// What one field of a slot allows before anything is known about variables.
static const ployi_constraint *analysis_field_allows(ployi_analysis *a, const ploy_rule_ce *ce,
                                                     const ploy_rule_slot_pattern *slot,
                                                     const ploy_rule_field *field) {
    const ployi_constraint *allowed = analysis_slot_allows(a, ce, slot->slot);
    if (allowed != NULL && !allowed->multi) return allowed;
    if (allowed == NULL && (field->variable == NULL || field->multi)) return NULL;
    static const ployi_clips_range endless = {{PLOY_RULE_NONE, 0, {0}}, {PLOY_RULE_NONE, 0, {0}}};
    ployi_constraint one = allowed == NULL ? ployi_constraint_any() : *allowed;
    one.size = &endless;
    if (!field->multi) return ployi_constraint_keep(a->clips, &one);
    // A sequence: what the fields beside it leave of the slot's cardinality.
    int64_t singles = 0, multis = 0;
    for (int32_t i = 0; i < slot->field_count; i++) {
        if (slot->fields[i].multi) {
            multis++;
        } else {
            singles++;
        }
    }
    ployi_constraint many = ployi_constraint_any();
    ployi_clips_range *size = ploy_arena_alloc_array(a->clips->scratch, 1, sizeof *size);
    if (size == NULL) {
        a->clips->failed = true;
        return NULL;
    }
    *size = many.size[0];
    if (allowed->size[0].high.type == PLOY_RULE_INTEGER) {
        size->high = ploy_rule_integer(allowed->size[0].high.as.integer - singles);
    }
    if (multis == 1) size->low = ploy_rule_integer(allowed->size[0].low.as.integer - singles);
    many.any = many.single = false;
    many.multi = true;
    many.size = size;
    many.inside = ployi_constraint_keep(a->clips, &one);
    return ployi_constraint_keep(a->clips, &many);
}

static void analysis_add_pattern(ployi_analysis *a, const ploy_rule_ce *ce) {
    for (int32_t i = 0; i < ce->slot_count; i++) {
        const ploy_rule_slot_pattern *slot = &ce->slots[i];
        for (int32_t k = 0; k < slot->field_count; k++) {
            const ploy_rule_field *field = &slot->fields[k];
            ployi_analysis_node *head = analysis_add(a);
            head->variable = field->variable;
            head->multi = field->multi;
            head->allowed = analysis_field_allows(a, ce, slot, field);
            for (int32_t j = 0; j < field->constraint_count; j++) {
                ployi_analysis_node *term = analysis_add(a);
                term->term = &field->constraints[j];
                term->variable = term->term->variable;
                term->negated = term->term->negated;
                term->multi = field->multi;
                if (term->term->call.data != NULL) {
                    analysis_add_x(a, term->term->call.data, NULL, 1);
                }
                term->end = a->node_count;
            }
            head->end = a->node_count;
        }
    }
}

static void analysis_add_ce(ployi_analysis *a, const ploy_rule_ce *ce, int32_t depth, bool lone) {
    ployi_analysis_ce *made = &a->ces[a->ce_count++];
    memset(made, 0, sizeof *made);
    made->ce = ce;
    made->which = ++a->which;
    made->begin = made->end = depth;
    made->lone = lone;
    made->first = a->node_count;
    if (ce->kind == PLOY_RULE_PATTERN) {
        analysis_add_pattern(a, ce);
    } else {
        analysis_add_x(a, ce->call.data, NULL, 1);
    }
    made->node_end = a->node_count;
}

static void analysis_walk(ployi_analysis *a, const ploy_rule_ce *ce, int32_t depth);

// Items inside of brackets that let no variable out.
static void analysis_group(ployi_analysis *a, const ploy_rule_ce *items, int32_t count,
                           int32_t depth) {
    if (count == 1 && items[0].kind == PLOY_RULE_PATTERN) {
        analysis_add_ce(a, &items[0], depth, true);
        return;
    }
    int32_t first = a->ce_count;
    bool tests = true;
    for (int32_t i = 0; i < count; i++) analysis_walk(a, &items[i], depth + 1);
    for (int32_t i = first; i < a->ce_count; i++) {
        tests = tests && a->ces[i].ce->kind == PLOY_RULE_TEST;
    }
    if (a->ce_count > 0) a->ces[a->ce_count - 1].end = depth;
    // Nothing but tests is a test itself.
    for (int32_t i = first; i < a->ce_count && tests; i++) {
        a->ces[i].begin = a->ces[i].end = depth;
    }
}

static void analysis_walk_or(ployi_analysis *a, const ploy_rule_ce *ce, int32_t depth) {
    int32_t pick = 0;
    if (a->or_count < PLOY_RULE_ORS_MAX) {
        a->items[a->or_count] = ce->item_count;
        pick = a->picks[a->or_count++];
    }
    for (int32_t i = 0; i < ce->item_count; i++) {
        int32_t ces = 0, nodes = 0;
        if (i == pick) {
            analysis_walk(a, &ce->items[i], depth);
        } else {
            analysis_count(&ce->items[i], &ces, &nodes);
            a->which += ces;
        }
    }
}

static void analysis_walk(ployi_analysis *a, const ploy_rule_ce *ce, int32_t depth) {
    switch (ce->kind) {
    case PLOY_RULE_PATTERN:
    case PLOY_RULE_TEST: analysis_add_ce(a, ce, depth, false); break;
    case PLOY_RULE_OR: analysis_walk_or(a, ce, depth); break;
    case PLOY_RULE_NOT:
        if (ce->item_count == 1 && ce->items[0].kind == PLOY_RULE_OR) { // none of them
            for (int32_t i = 0; i < ce->items[0].item_count; i++) {
                analysis_group(a, &ce->items[0].items[i], 1, depth);
            }
            break;
        }
        analysis_group(a, ce->items, ce->item_count, depth);
        break;
    case PLOY_RULE_EXISTS: analysis_group(a, ce->items, ce->item_count, depth); break;
    case PLOY_RULE_FORALL: // no first without the others
        analysis_walk(a, &ce->items[0], depth + 1);
        if (ce->item_count > 1) analysis_group(a, ce->items + 1, ce->item_count - 1, depth + 1);
        a->ces[a->ce_count - 1].end = depth;
        break;
    default:
        for (int32_t i = 0; i < ce->item_count; i++) analysis_walk(a, &ce->items[i], depth);
        break;
    }
}

// ---- Variables ----------------------------------------------------------------------------------

// A variable as it is handed on.
typedef struct analysis_bound {
    const char *name;
    const ployi_constraint *allowed;
    bool multi, typed; // typed: one value and a sequence must not be mixed
    bool binds;        // and not only restricts
    bool address;
} analysis_bound;

// False if one value and a sequence are mixed.
static bool analysis_hand(ployi_analysis *a, ployi_analysis_node *node, const analysis_bound *bound,
                          bool ignore) {
    if (node->variable == NULL || strcmp(node->variable, bound->name) != 0) return true;
    bool mixed = bound->typed && !ignore && node->argument == 0 && node->multi != bound->multi;
    if (mixed) return false;
    if (bound->allowed != NULL && !node->negated) {
        node->allowed = ployi_constraint_both(a->clips, bound->allowed, node->allowed);
    }
    if (bound->binds) {
        node->bound = true;
        node->bound_multi = bound->multi;
    }
    return true;
}

// To all nodes from one on that can see it.
static bool analysis_spread(ployi_analysis *a, int32_t ce_index, int32_t from,
                            const analysis_bound *bound) {
    const ployi_analysis_ce *ce = &a->ces[ce_index];
    bool fine = true, ignore = ce->ce->kind == PLOY_RULE_TEST;
    for (int32_t i = from; i < ce->node_end && fine; i++) {
        fine = analysis_hand(a, &a->nodes[i], bound, false);
    }
    bool further = !ce->lone && ce->begin <= ce->end;
    for (int32_t k = ce_index + 1; k < a->ce_count && further && fine; k++) {
        ployi_analysis_ce *next = &a->ces[k];
        if (bound->binds && next->ce->address != NULL &&
            strcmp(next->ce->address, bound->name) == 0) {
            fine = !bound->multi;
            next->address_bound = true;
            next->address_was_an_address = bound->address;
        }
        for (int32_t i = next->first; i < next->node_end && fine; i++) {
            fine = analysis_hand(a, &a->nodes[i], bound, ignore);
        }
        further = next->end >= ce->begin;
    }
    if (fine) return true;
    ployi_analysis_message message;
    ployi_analysis_begin(a, &message, "[ANALYSIS3] Variable ?", bound->name);
    ployi_analysis_end(a, &message, " is used as both a single and multifield variable in the LHS");
    return false;
}

// Hands on what the variables of calls must be: (> ?x 3) makes ?x a number. `groups` are those of
// an `|`: only what all of them say counts.
static bool analysis_spread_calls(ployi_analysis *a, int32_t ce, int32_t first, int32_t end,
                                  int32_t from) {
    for (int32_t i = first; i < end; i++) {
        const char *name = a->nodes[i].variable;
        bool before = a->nodes[i].argument == 0;
        for (int32_t k = first; k < i && !before; k++) {
            before = a->nodes[k].argument > 0 && strcmp(a->nodes[k].variable, name) == 0;
        }
        if (before) continue;
        const ployi_constraint *all = NULL, *group = NULL;
        int32_t groups = 0, used = 0, seen = -1;
        for (int32_t k = first; k <= end; k++) {
            const ployi_analysis_node *node = &a->nodes[k];
            bool starts = k == end || (node->term != NULL && node->term->group != seen);
            if (starts) {
                if (seen >= 0 || (k == end && groups == 0)) {
                    groups++;
                    if (group != NULL) {
                        all = used == 0 ? group : ployi_constraint_either(a->clips, all, group);
                        used++;
                    }
                }
                group = NULL;
                if (k == end) break;
                seen = node->term->group;
            }
            if (node->argument > 0 && node->allowed != NULL && strcmp(node->variable, name) == 0) {
                group = group == NULL ? node->allowed
                                      : ployi_constraint_both(a->clips, group, node->allowed);
            }
        }
        if (used < groups || all == NULL) continue;
        analysis_bound bound = {name, all, a->nodes[i].bound_multi, groups == 1, false, false};
        if (!analysis_spread(a, ce, from, &bound)) return false;
    }
    return true;
}

static void analysis_unbound(ployi_analysis *a, const ployi_analysis_node *node, int32_t ce,
                             const char *slot, int32_t field) {
    ployi_analysis_message message;
    ployi_analysis_begin(a, &message, "[ANALYSIS4] Variable ?", node->variable);
    ployi_analysis_say(&message, " ", NULL);
    if (node->call != NULL) {
        ployi_analysis_say(&message, "found in the expression ", NULL);
        ployi_clips_write_x(a->clips, node->call, &message.out);
        ployi_analysis_say(&message, "\n", NULL);
    }
    analysis_say_place(&message, "was referenced in CE #", ce, slot, field);
    ployi_analysis_end(a, &message, " before being defined.");
}

// The variables of a call, arguments in [first, end).
static bool analysis_check_call(ployi_analysis *a, int32_t first, int32_t end, int32_t ce,
                                const char *slot, int32_t field) {
    for (int32_t i = first; i < end; i++) {
        const ployi_analysis_node *node = &a->nodes[i];
        if (!node->bound) {
            analysis_unbound(a, node, ce, slot, field);
            return false;
        }
        if (a->clips->unchecked || !ployi_constraint_empty(node->allowed)) continue;
        ployi_analysis_message message;
        ployi_analysis_begin(a, &message, "[RULECSTR2] Previous variable bindings of ?",
                             node->variable);
        ployi_analysis_say(&message, " caused the type restrictions\nfor argument #", NULL);
        ploy_write_i64(&message.out, node->argument);
        ployi_analysis_say(&message, " of the expression ", NULL);
        if (node->call != NULL) ployi_clips_write_x(a->clips, node->call, &message.out);
        analysis_say_place(&message, "\nfound in CE #", ce, slot, field);
        ployi_analysis_end(a, &message, " to be violated.");
        return false;
    }
    return true;
}

static bool analysis_check_terms(ployi_analysis *a, int32_t head, int32_t ce, const char *slot,
                                 int32_t field) {
    const ployi_analysis_node *top = &a->nodes[head];
    for (int32_t i = head + 1; i < top->end; i = a->nodes[i].end) {
        const ployi_analysis_node *node = &a->nodes[i];
        if (node->variable != NULL && !node->bound) {
            analysis_unbound(a, node, ce, slot, field);
            return false;
        }
        if (!analysis_check_call(a, i + 1, node->end, ce, slot, field)) return false;
        if (node->term->kind != PLOY_RULE_IS || a->clips->unchecked) continue;
        ployi_violation found = ployi_constraint_check(top->allowed, &node->term->value);
        if (found == PLOYI_VIOLATES_NOTHING) continue;
        a->clips->parse_failed = false;
        ployi_constraint_fault(a->clips, "A literal restriction value", NULL, ce, slot, field,
                               found, top->allowed);
        a->failed = true;
        return false;
    }
    return true;
}

// What the terms of a field leave of what it allows.
static const ployi_constraint *analysis_connect(ployi_analysis *a, int32_t head) {
    const ployi_analysis_node *top = &a->nodes[head];
    const ployi_constraint *any_of = NULL;
    for (int32_t i = head + 1; i < top->end;) {
        int32_t group = a->nodes[i].term->group, end = i;
        const ployi_constraint *all_of = NULL;
        for (; end < top->end && a->nodes[end].term->group == group; end = a->nodes[end].end) {
            const ployi_analysis_node *node = &a->nodes[end];
            const ployi_constraint *one = node->allowed;
            if (node->negated) continue;
            if (node->term->kind == PLOY_RULE_COMPUTED) {
                const ployi_x *x = node->term->call.data;
                one = x->kind == PLOYI_X_CALL ? ployi_constraint_of(a->clips, x) : NULL;
            } else if (node->term->kind == PLOY_RULE_IS) {
                one = ployi_constraint_value(a->clips, &node->term->value);
            }
            if (one != NULL) all_of = ployi_constraint_both(a->clips, all_of, one);
        }
        all_of = ployi_constraint_both(a->clips, all_of, top->allowed);
        for (int32_t k = i; k < end; k = a->nodes[k].end) {
            const ployi_analysis_node *node = &a->nodes[k];
            if (node->negated && node->term->kind == PLOY_RULE_IS) {
                all_of = ployi_constraint_without(a->clips, all_of, &node->term->value);
            }
        }
        any_of = ployi_constraint_either(a->clips, any_of, all_of);
        i = end;
    }
    return any_of == NULL ? top->allowed : any_of;
}

// Whether the fields of a slot that holds a sequence can come to a number that it allows.
static bool analysis_check_size(ployi_analysis *a, const ployi_constraint *allowed, int32_t first,
                                int32_t end) {
    int64_t least = 0, most = 0;
    bool open = false;
    for (int32_t i = first; i < end; i = a->nodes[i].end) {
        const ployi_analysis_node *node = &a->nodes[i];
        if (!node->multi) {
            least++;
            most++;
            continue;
        }
        const ployi_constraint *one = node->allowed;
        open = open || one == NULL || one->size[one->size_count - 1].high.type == PLOY_RULE_NONE;
        if (one == NULL) continue;
        if (one->size[0].low.type != PLOY_RULE_NONE) least += one->size[0].low.as.integer;
        most += one->size[one->size_count - 1].high.as.integer;
    }
    const ployi_clips_range *size = &allowed->size[0];
    bool low = !open && size->low.as.integer > most;
    return !low && (size->high.type == PLOY_RULE_NONE || size->high.as.integer >= least);
}

static bool analysis_field(ployi_analysis *a, int32_t ce_index, int32_t head, const char *slot,
                           int32_t field) {
    const ployi_analysis_ce *ce = &a->ces[ce_index];
    ployi_analysis_node *top = &a->nodes[head];
    analysis_bound bound = {top->variable, top->allowed, top->multi, true, true, false};
    if (top->variable != NULL) {
        for (int32_t i = head + 1; i < top->end; i++) analysis_hand(a, &a->nodes[i], &bound, false);
    }
    if (!analysis_spread_calls(a, ce_index, head + 1, top->end, top->end)) return false;
    if (!analysis_check_terms(a, head, ce->which, slot, field)) return false;
    if (a->clips->failed) return false;
    top->allowed = analysis_connect(a, head);
    if (a->clips->failed) return false;
    if (ployi_constraint_empty(top->allowed) && !a->clips->unchecked) {
        ployi_analysis_message message;
        ployi_analysis_begin(a, &message, "[RULECSTR1] ", NULL);
        if (top->variable != NULL) {
            ployi_analysis_say(&message, "Variable ?", top->variable);
            analysis_say_place(&message, " in CE #", ce->which, slot, field);
        } else {
            analysis_say_place(&message, "Pattern #", ce->which, slot, field);
        }
        ployi_analysis_end(a, &message,
                           "\nhas constraint conflicts which make the pattern unmatchable.");
        return false;
    }
    return true;
}

static bool analysis_pattern(ployi_analysis *a, int32_t ce_index) {
    const ployi_analysis_ce *ce = &a->ces[ce_index];
    const ploy_rule_ce *pattern = ce->ce;
    if (pattern->address != NULL) {
        ployi_constraint fact = ployi_constraint_any();
        fact.any = false;
        fact.types = PLOYI_TYPE_FACT | PLOYI_TYPE_INSTANCE;
        analysis_bound bound = {
            pattern->address, ployi_constraint_keep(a->clips, &fact), false, true, true, true};
        if (!analysis_spread(a, ce_index, ce->first, &bound)) return false;
    }
    bool ordered = ploy_rulebase_template_ordered(a->clips->base, pattern->template_index);
    int32_t head = ce->first;
    for (int32_t i = 0; i < pattern->slot_count; i++) {
        int32_t slot = pattern->slots[i].slot, first = head;
        const char *name =
            ordered ? NULL : ploy_rulebase_slot(a->clips->base, pattern->template_index, slot).name;
        const ployi_constraint *allowed = analysis_slot_allows(a, pattern, slot);
        for (int32_t k = 0; k < pattern->slots[i].field_count; k++) {
            if (!analysis_field(a, ce_index, head, name, k + 1)) return false;
            const ployi_analysis_node *top = &a->nodes[head];
            head = top->end;
            if (k + 1 == pattern->slots[i].field_count && allowed != NULL && allowed->multi &&
                !a->clips->unchecked && !analysis_check_size(a, allowed, first, head)) {
                a->clips->parse_failed = false;
                ployi_constraint_fault(a->clips, "The group of restrictions", NULL, ce->which, name,
                                       0, PLOYI_VIOLATES_SIZE, allowed);
                a->failed = true;
                return false;
            }
            if (top->variable == NULL) continue;
            analysis_bound bound = {top->variable, top->allowed, top->multi, true, true, false};
            if (!analysis_spread(a, ce_index, top->end, &bound)) return false;
        }
    }
    return true;
}

// The last of the tests in a row, which CLIPS makes one of: its first fault is reported, and what its
// calls ask for is for what follows.
static int32_t analysis_last_test(const ployi_analysis *a, int32_t i) {
    while (i + 1 < a->ce_count && a->ces[i + 1].ce->kind == PLOY_RULE_TEST &&
           a->ces[i].begin == a->ces[i].end && a->ces[i].begin == a->ces[i + 1].begin) {
        i++;
    }
    return i;
}

static void analysis_lhs(ployi_analysis *a) {
    for (int32_t i = 0; i < a->ce_count && !a->clips->failed; i++) {
        const ployi_analysis_ce *ce = &a->ces[i];
        if (ce->ce->kind == PLOY_RULE_TEST) {
            int32_t last = analysis_last_test(a, i), end = a->ces[last].node_end;
            for (bool fine = true; i <= last && fine; i++) {
                const ployi_analysis_ce *one = &a->ces[i];
                fine = analysis_check_call(a, one->first, one->node_end, one->which, NULL, 0);
            }
            i = last;
            if (!analysis_spread_calls(a, last, ce->first, end, end)) return;
            continue;
        }
        if (ce->address_bound) {
            ployi_analysis_message message;
            bool twice = ce->address_was_an_address;
            ployi_analysis_begin(a, &message,
                                 twice ? "[ANALYSIS1] Duplicate pattern-address ?"
                                       : "[ANALYSIS2] Pattern-address ?",
                                 ce->ce->address);
            analysis_say_place(&message, twice ? " found in CE #" : " used in CE #", ce->which,
                               NULL, 0);
            ployi_analysis_end(a, &message,
                               twice ? "." : " was previously bound within a pattern CE.");
        }
        if (!analysis_pattern(a, i)) return;
    }
}

// The next choice of the `or`s; false after the last.
static bool analysis_turn(ployi_analysis *a) {
    for (int32_t i = a->or_count - 1; i >= 0; i--) {
        if (++a->picks[i] < a->items[i]) return true;
        a->picks[i] = 0;
    }
    return false;
}

bool ployi_clips_analyse(ploy_clips *clips, const ploy_rule_ce *lhs, const ployi_body *rhs) {
    ploy_arena_mark mark = ploy_arena_mark_of(clips->scratch);
    int32_t ces = 0, nodes = 0, ways = 0;
    analysis_count(lhs, &ces, &nodes);
    ployi_analysis *a = ploy_arena_alloc_array(clips->scratch, 1, sizeof *a);
    bool fine = a != NULL;
    if (fine) a->clips = clips;
    for (int32_t i = 0; fine && i < rhs->count; i++) ployi_analysis_binds(a, rhs->items[i]);
    while (fine && ways++ < PLOY_RULE_ORS_MAX) {
        ploy_arena_mark way = ploy_arena_mark_of(clips->scratch);
        a->rhs = rhs;
        for (int32_t i = 0; i < PLOYI_SCOPE_MAX; i++) a->locals[i].asked = false;
        a->ces = ploy_arena_alloc_array(clips->scratch, ces + 1, sizeof *a->ces);
        a->nodes = ploy_arena_alloc_array(clips->scratch, nodes + 1, sizeof *a->nodes);
        a->ce_count = a->node_count = a->which = a->or_count = 0;
        if (a->ces == NULL || a->nodes == NULL) clips->failed = true;
        if (!clips->failed) analysis_walk(a, lhs, 1);
        if (!clips->failed) analysis_lhs(a);
        if (!clips->failed && !a->failed) ployi_analysis_actions(a);
        fine = !a->failed && !clips->failed;
        bool more = fine && analysis_turn(a);
        ploy_arena_rewind(clips->scratch, way);
        if (!more) break;
    }
    ploy_arena_rewind(clips->scratch, mark);
    return fine;
}
