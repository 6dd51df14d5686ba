// Looking for rules that can never fire, and templates that nothing uses.
#include <string.h>

#include "data/clips_internal.h"

// Marks the templates whose facts an expression can make.
static void lint_made(const ployi_x *x, bool *made, bool *any) {
    if (x == NULL) return;
    if (x->kind == PLOYI_X_CALL && x->function != NULL) {
        const char *name = x->function->name;
        if (strcmp(name, "assert") == 0) {
            for (int32_t i = 0; i < x->count; i++) made[x->args[i]->index] = true;
        }
        // What these make shows only when they run.
        if (strcmp(name, "assert-string") == 0 || strcmp(name, "load-facts") == 0 ||
            strcmp(name, "eval") == 0) {
            *any = true;
        }
    }
    for (int32_t i = 0; i < x->count; i++) lint_made(x->args[i], made, any);
}

static void lint_body(const ployi_body *body, bool *made, bool *any) {
    for (int32_t i = 0; i < body->count; i++) lint_made(body->items[i], made, any);
}

// Marks what the conditions look at; the first pattern that must match and cannot, or -1.
static int32_t lint_ce(const ploy_rule_ce *ce, const bool *made, bool *used, bool needed) {
    if (ce->kind == PLOY_RULE_PATTERN) {
        used[ce->template_index] = true;
        return needed && !made[ce->template_index] ? ce->template_index : -1;
    }
    bool inner = needed && ce->kind != PLOY_RULE_NOT && ce->kind != PLOY_RULE_FORALL &&
                 ce->kind != PLOY_RULE_OR;
    int32_t found = -1;
    for (int32_t i = 0; i < ce->item_count; i++) {
        int32_t one = lint_ce(&ce->items[i], made, used, inner);
        if (found < 0) found = one;
    }
    return found;
}

int32_t ploy_clips_lint(const ploy_clips *clips, ploy_diags *diags) {
    int32_t count = ploy_rulebase_template_count(clips->base), faults = 0;
    size_t size = (size_t)count * 2 * sizeof(bool);
    bool *made = ploy_env_alloc_zero(&clips->env, size);
    if (made == NULL) return 0;
    bool *used = made + count, any = false;
    made[0] = used[0] = true; // the initial fact
    for (int32_t i = 0; i < clips->deffacts.count; i++) {
        lint_body(&((const ployi_deffacts *)ploy_array_at(&clips->deffacts, i))->body, made, &any);
    }
    for (int32_t i = 0; i < clips->functions.count; i++) {
        const ployi_deffunction *function = ploy_array_at(&clips->functions, i);
        lint_body(&function->body, made, &any);
    }
    for (int32_t i = 0; i < clips->defrules.count; i++) {
        const ployi_defrule *rule = ploy_array_at(&clips->defrules, i);
        if (!rule->removed) lint_body(&rule->body, made, &any);
    }
    for (const ploy_fact *fact = ploy_rules_next_fact(clips->rules, NULL); fact != NULL;
         fact = ploy_rules_next_fact(clips->rules, fact)) {
        made[ploy_fact_template(fact)] = true;
    }
    for (int32_t i = 0; i < clips->defrules.count; i++) {
        const ployi_defrule *rule = ploy_array_at(&clips->defrules, i);
        if (rule->removed) continue;
        int32_t missing = lint_ce(&rule->conditions, made, used, !any);
        if (missing < 0) continue;
        faults++;
        ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_ERR_NOT_FOUND, rule->name, rule->line, 0,
                       "rule never fires because nothing asserts",
                       ploy_rulebase_template_name(clips->base, missing), NULL);
    }
    for (int32_t i = 0; i < count; i++) {
        if (used[i] || made[i]) continue;
        faults++;
        ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_ERR_NOT_FOUND,
                       ploy_rulebase_template_name(clips->base, i), 0, 0, "unused template", NULL,
                       NULL);
    }
    ploy_env_free(&clips->env, made, size);
    return faults;
}
