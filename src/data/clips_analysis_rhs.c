// The actions of a CLIPS rule: variables that are never bound, functions that would get the wrong
// type, slots that would be changed to what they may not hold.
#include "data/clips_analysis.h"

#include <string.h>

void ployi_analysis_binds(ployi_analysis *a, const ployi_x *x) {
    if (x == NULL) return;
    const ployi_x *first = x->count > 0 ? x->args[0] : NULL;
    bool binds = x->kind == PLOYI_X_CALL && x->function != NULL && first != NULL &&
                 first->kind == PLOYI_X_LOCAL;
    if (binds && strcmp(x->function->name, "bind") == 0) {
        ployi_analysis_local *local = &a->locals[first->index];
        local->given = ployi_constraint_either(
            a->clips, local->given,
            ployi_constraint_of(a->clips, x->count > 1 ? x->args[1] : NULL));
    } else if (binds && strcmp(x->function->name, "loop-for-count") == 0) {
        a->locals[first->index].looped = true;
    } else if (binds && (strcmp(x->function->name, "progn$") == 0 ||
                         strcmp(x->function->name, "foreach") == 0)) {
        a->locals[first->index].looped = true;
        a->locals[x->index].looped = true; // its position
    }
    for (int32_t i = 0; i < x->count; i++) ployi_analysis_binds(a, x->args[i]);
}

// What the conditions give a variable: its last place there says most. NULL: nothing is known.
static const ployi_constraint *actions_matched(ployi_analysis *a, const ployi_x *x) {
    ployi_analysis_local *local = &a->locals[x->index];
    if (local->asked) return local->matched;
    local->asked = true;
    local->matched = NULL;
    ployi_constraint any = ployi_constraint_any(), fact = any, many = any;
    fact.any = many.any = false;
    fact.types = PLOYI_TYPE_FACT | PLOYI_TYPE_INSTANCE;
    many.multi = true;
    for (int32_t i = 0; i < a->ce_count; i++) {
        const ployi_analysis_ce *ce = &a->ces[i];
        if (ce->ce->kind == PLOY_RULE_TEST || ce->lone || ce->begin > 1) continue;
        if (ce->ce->address != NULL && strcmp(ce->ce->address, x->name) == 0) {
            local->matched = ployi_constraint_keep(a->clips, &fact);
        }
        for (int32_t k = ce->first; k < ce->node_end; k = a->nodes[k].end) {
            const ployi_analysis_node *node = &a->nodes[k];
            if (node->variable == NULL || strcmp(node->variable, x->name) != 0) continue;
            local->matched = node->allowed;
            if (node->multi || node->allowed == NULL) {
                local->matched = ployi_constraint_keep(a->clips, node->multi ? &many : &any);
            }
        }
    }
    return local->matched;
}

static bool actions_argument(ployi_analysis *a, const ployi_x *call, int32_t i) {
    const ployi_x *x = call->args[i];
    if (x->kind != PLOYI_X_LOCAL || x->index >= PLOYI_SCOPE_MAX) return true;
    char letter = ployi_clips_argument_letter(call->function, i + 1);
    if (letter == 'u') return true;
    const ployi_analysis_local *local = &a->locals[x->index];
    if (local->looped) return true;
    const ployi_constraint *given =
        ployi_constraint_either(a->clips, local->given, actions_matched(a, x));
    given = ployi_constraint_both(a->clips, given, ployi_constraint_letter(a->clips, letter));
    if (a->clips->failed || !ployi_constraint_empty(given)) return !a->clips->failed;
    ployi_analysis_message message;
    ployi_analysis_begin(a, &message, "[RULECSTR3] Previous variable bindings of ?", x->name);
    ployi_analysis_say(&message, " caused the type restrictions\nfor argument #", NULL);
    ploy_write_i64(&message.out, i + 1);
    ployi_analysis_say(&message, " of the expression ", NULL);
    ployi_clips_write_x(a->clips, call, &message.out);
    ployi_analysis_end(a, &message, "\nfound in the rule's RHS to be violated.");
    return false;
}

// A variable that neither the conditions nor the actions bind.
static bool actions_defined(ployi_analysis *a, const ployi_x *x) {
    if (x == NULL) return true;
    if (x->kind == PLOYI_X_LOCAL) {
        if (x->index >= PLOYI_SCOPE_MAX) return true; // a query binds it
        const ployi_analysis_local *local = &a->locals[x->index];
        bool known = local->given != NULL || local->looped || actions_matched(a, x) != NULL;
        if (known || a->clips->failed) return known;
        ployi_analysis_message message;
        ployi_analysis_begin(a, &message, "[PRCCODE3] Undefined variable ", x->name);
        ployi_analysis_end(a, &message, " referenced in RHS of defrule.");
        return false;
    }
    for (int32_t i = 0; i < x->count; i++) {
        if (!actions_defined(a, x->args[i])) return false;
    }
    return true;
}

static bool actions_action(ployi_analysis *a, const ployi_x *x) {
    for (int32_t i = 0; i < x->count; i++) {
        if (x->args[i] == NULL) continue;
        if (x->kind == PLOYI_X_CALL && x->function != NULL && !actions_argument(a, x, i)) {
            return false;
        }
        if (!actions_action(a, x->args[i])) return false;
    }
    return true;
}

// (modify ?f (slot value)) where ?f is the address of a fact whose template is known.
static bool actions_modify(ployi_analysis *a, const ployi_x *x) {
    bool modify =
        x->kind == PLOYI_X_CALL && x->function != NULL && x->count > 0 &&
        (strcmp(x->function->name, "modify") == 0 || strcmp(x->function->name, "duplicate") == 0);
    for (int32_t i = 0; i < a->ce_count && modify; i++) {
        const ploy_rule_ce *ce = a->ces[i].ce;
        if (x->args[0] == NULL || x->args[0]->kind != PLOYI_X_LOCAL || ce->address == NULL ||
            strcmp(ce->address, x->args[0]->name) != 0) {
            continue;
        }
        const char *place =
            x->function->name[0] == 'm' ? "the modify command" : "the duplicate command";
        for (int32_t k = 1; k < x->count; k++) {
            const ployi_x *list = x->args[k];
            int32_t slot = ploy_rulebase_find_slot(a->clips->base, ce->template_index, list->name);
            if (slot >= 0 && !ployi_clips_check_slot(a->clips, ce->template_index, slot, list->args,
                                                     list->count, place)) {
                a->failed = true;
                return false;
            }
        }
    }
    for (int32_t i = 0; i < x->count; i++) {
        if (x->args[i] != NULL && !actions_modify(a, x->args[i])) return false;
    }
    return true;
}

void ployi_analysis_actions(ployi_analysis *a) {
    for (int32_t i = 0; i < a->rhs->count && !a->clips->unchecked; i++) {
        if (!actions_action(a, a->rhs->items[i])) return;
    }
    for (int32_t i = 0; i < a->rhs->count; i++) {
        if (!actions_defined(a, a->rhs->items[i])) return;
    }
    for (int32_t i = 0; i < a->rhs->count && !a->clips->unchecked; i++) {
        if (!actions_modify(a, a->rhs->items[i])) return;
    }
}
