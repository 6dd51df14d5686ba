// Truth maintenance and justification: what facts hang on, and where they came from.
//
// A rule with `logical` conditions supports what it asserts: the support hangs on the partial match
// of those conditions. When the match goes, so does the support; a fact that has lost its last one
// is retracted, after the change that caused it is through. A fact asserted without support is
// there for good, whatever supports come later (Doyle, "A Truth Maintenance System", 1979, in the
// form of CLIPS).
#include <string.h>

#include "decide/rules_internal.h"

// ---- Truth maintenance --------------------------------------------------------------------------

ployi_joined *ployi_support_match(const ploy_rules *rules, int32_t rule, ployi_joined *match) {
    int32_t logical = PLOYI_RULE(rules->base, rule)->logical;
    if (logical < 0) return NULL;
    while (match != NULL && match->pm.count > logical) match = match->left_parent;
    return match;
}

ploy_result ployi_support_add(ploy_rules *rules, ploy_fact *fact, bool is_new) {
    bool logical =
        rules->firing_rule >= 0 && PLOYI_RULE(rules->base, rules->firing_rule)->logical >= 0;
    ployi_joined *match = rules->firing_logical;
    if (!is_new && fact->supports == NULL) return PLOY_OK; // there for good already
    if (!logical) {
        ployi_support_drop_fact(rules, fact); // from now on for good
        return PLOY_OK;
    }
    if (match == NULL) return is_new ? PLOY_ERR_DENIED : PLOY_OK; // its ground is gone already
    return ployi_support_link(rules, fact, match);
}

ploy_result ployi_support_link(ploy_rules *rules, ploy_fact *fact, ployi_joined *match) {
    for (ployi_support *at = fact->supports; at != NULL; at = at->next_of_fact) {
        if (at->match == match) return PLOY_OK;
    }
    ployi_support *made = ployi_rules_take(rules, sizeof *made);
    if (made == NULL) {
        rules->fault = PLOY_OK;
        return PLOY_ERR_MEMORY;
    }
    made->match = match;
    made->fact = fact;
    made->next_of_match = match->supports;
    if (match->supports != NULL) match->supports->prev_of_match = made;
    match->supports = made;
    made->next_of_fact = fact->supports;
    if (fact->supports != NULL) fact->supports->prev_of_fact = made;
    fact->supports = made;
    return PLOY_OK;
}

static void reason_unlink_fact(ployi_support *support) {
    if (support->prev_of_fact != NULL) {
        support->prev_of_fact->next_of_fact = support->next_of_fact;
    } else {
        support->fact->supports = support->next_of_fact;
    }
    if (support->next_of_fact != NULL) support->next_of_fact->prev_of_fact = support->prev_of_fact;
}

void ployi_support_drop_fact(ploy_rules *rules, ploy_fact *fact) {
    while (fact->supports != NULL) {
        ployi_support *support = fact->supports;
        fact->supports = support->next_of_fact;
        if (support->prev_of_match != NULL) {
            support->prev_of_match->next_of_match = support->next_of_match;
        } else {
            support->match->supports = support->next_of_match;
        }
        if (support->next_of_match != NULL)
            support->next_of_match->prev_of_match = support->prev_of_match;
        ployi_rules_give(rules, support, sizeof *support);
    }
    if (fact->supports != NULL) fact->supports->prev_of_fact = NULL;
}

void ployi_support_drop_match(ploy_rules *rules, ployi_joined *match) {
    while (match->supports != NULL) {
        ployi_support *support = match->supports;
        match->supports = support->next_of_match;
        reason_unlink_fact(support);
        ploy_fact *fact = support->fact;
        ployi_rules_give(rules, support, sizeof *support);
        if (fact->supports == NULL && !fact->unsupported && !fact->gone) {
            fact->unsupported = 1;
            fact->next_unsupported = rules->unsupported;
            rules->unsupported = fact;
        }
    }
}

void ployi_support_settle(ploy_rules *rules) {
    while (rules->unsupported != NULL) {
        ploy_fact *fact = rules->unsupported;
        rules->unsupported = fact->next_unsupported;
        fact->unsupported = 0;
        // It may have been supported again, or retracted, in the meantime.
        if (!fact->gone && fact->supports == NULL) ployi_rules_remove_fact(rules, fact);
    }
}

// ---- Justification ------------------------------------------------------------------------------

ploy_result ployi_reason_note(ploy_rules *rules, const ploy_fact *fact) {
    ployi_reason reason;
    memset(&reason, 0, sizeof reason);
    reason.fact = fact->index;
    reason.rule = rules->firing_rule;
    reason.firing = rules->fired;
    reason.alive = 1;
    reason.now = rules->now;
    reason.basis = rules->reason_basis.count;
    reason.text = rules->reason_text.count;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; result == PLOY_OK && rules->firing_rule >= 0 && i < rules->firing_count;
         i++) {
        int64_t index = rules->firing_binds[i] == NULL ? -1 : rules->firing_binds[i]->fact->index;
        result = ploy_array_push(&rules->reason_basis, &index);
        reason.basis_count++;
    }
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &rules->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_rules_write_fact(rules, fact, &writer);
    reason.text_size = (int64_t)text.size;
    ployi_rules_write_bindings(rules, &writer);
    reason.bound_size = (int64_t)text.size - reason.text_size;
    if (result == PLOY_OK) result = ploy_writer_result(&writer);
    if (result == PLOY_OK) {
        result = ploy_array_push_many(&rules->reason_text, text.bytes, (int32_t)text.size);
    }
    ploy_buffer_fini(&text);
    int32_t number = rules->reasons.count;
    if (result == PLOY_OK) result = ploy_array_push(&rules->reasons, &reason);
    if (result == PLOY_OK) {
        result = ploy_map_put(&rules->reason_of, (uint64_t)fact->index, &number);
        if (result != PLOY_OK) ploy_array_pop(&rules->reasons, NULL);
    }
    if (result != PLOY_OK) { // as before
        ploy_array_resize(&rules->reason_basis, reason.basis);
        ploy_array_resize(&rules->reason_text, (int32_t)reason.text);
    }
    return result;
}

ploy_result ployi_reason_restore(ploy_rules *rules, ployi_reason reason, const int64_t *basis,
                                 const char *text, const char *bound) {
    reason.basis = rules->reason_basis.count;
    reason.text = rules->reason_text.count;
    reason.text_size = (int64_t)strlen(text);
    reason.bound_size = (int64_t)strlen(bound);
    int32_t number = rules->reasons.count;
    ploy_result result = PLOY_OK;
    if (reason.basis_count > 0) {
        result = ploy_array_push_many(&rules->reason_basis, basis, reason.basis_count);
    }
    if (result == PLOY_OK && reason.text_size > 0) {
        result = ploy_array_push_many(&rules->reason_text, text, (int32_t)reason.text_size);
    }
    if (result == PLOY_OK && reason.bound_size > 0) {
        result = ploy_array_push_many(&rules->reason_text, bound, (int32_t)reason.bound_size);
    }
    if (result == PLOY_OK) result = ploy_array_push(&rules->reasons, &reason);
    if (result == PLOY_OK) {
        result = ploy_map_put(&rules->reason_of, (uint64_t)reason.fact, &number);
    }
    return result;
}

static ployi_reason *reason_find(const ploy_rules *rules, int64_t fact_index) {
    const int32_t *number = ploy_map_get(&rules->reason_of, (uint64_t)fact_index);
    return number == NULL ? NULL : ploy_array_at(&rules->reasons, *number);
}

void ployi_reason_gone(ploy_rules *rules, const ploy_fact *fact) {
    ployi_reason *reason = reason_find(rules, fact->index);
    if (reason != NULL) reason->alive = 0;
}

int32_t ploy_rules_reason(const ploy_rules *rules, int64_t fact_index, int32_t *rule,
                          int64_t *basis, int32_t room) {
    const ployi_reason *reason = reason_find(rules, fact_index);
    if (reason == NULL) return -1;
    if (rule != NULL) *rule = reason->rule;
    const int64_t *from = PLOY_ARRAY_ITEMS(&rules->reason_basis, int64_t);
    for (int32_t i = 0; i < reason->basis_count && i < room; i++) {
        basis[i] = from[reason->basis + i];
    }
    return reason->basis_count;
}

static void reason_indent(ploy_writer *out, int32_t depth) {
    for (int32_t i = 0; i < depth; i++) ploy_write_text(out, "  ");
}

// One fact and, if it was not shown yet, where it came from. A fact is always younger than those
// it came from, so this ends; the depth is limited because each level is a call.
static ploy_result reason_tell(const ploy_rules *rules, int64_t fact_index, int32_t depth,
                               ploy_map *told, ploy_writer *out) {
    enum { REASON_DEPTH_MAX = 256 };
    const ployi_reason *reason = reason_find(rules, fact_index);
    if (reason == NULL) return PLOY_ERR_NOT_FOUND;
    reason_indent(out, depth);
    ploy_write_text(out, "f-");
    ploy_write_i64(out, fact_index);
    ploy_write_char(out, ' ');
    const char *text = PLOY_ARRAY_ITEMS(&rules->reason_text, char);
    ploy_write_bytes(out, text + reason->text, (size_t)reason->text_size);
    if (!reason->alive) ploy_write_text(out, " (gone)");
    if (reason->rule < 0) {
        ploy_write_text(out, " from outside\n");
        return PLOY_OK;
    }
    ploy_write_text(out, " from rule ");
    ploy_write_text(out, ploy_rulebase_rule_name(rules->base, reason->rule));
    ploy_write_text(out, ", firing ");
    ploy_write_u64(out, reason->firing);
    if (reason->now > 0.0) {
        ploy_write_text(out, " at ");
        ploy_write_f64(out, reason->now);
        ploy_write_text(out, " s");
    }
    if (reason->bound_size > 0) {
        ploy_write_text(out, ", with ");
        ploy_write_bytes(out, text + reason->text + reason->text_size, (size_t)reason->bound_size);
    }
    if (ploy_map_has(told, (uint64_t)fact_index) || depth >= REASON_DEPTH_MAX) {
        ploy_write_text(out, ", as above\n");
        return PLOY_OK;
    }
    ploy_write_char(out, '\n');
    ploy_result result = ploy_map_put(told, (uint64_t)fact_index, NULL);
    const int64_t *basis = PLOY_ARRAY_ITEMS(&rules->reason_basis, int64_t);
    for (int32_t i = 0; i < reason->basis_count && result == PLOY_OK; i++) {
        int64_t index = basis[reason->basis + i];
        if (index >= 0) {
            result = reason_tell(rules, index, depth + 1, told, out);
        } else {
            reason_indent(out, depth + 1);
            ploy_write_text(out, "and nothing against it (condition ");
            ploy_write_i64(out, i + 1);
            ploy_write_text(out, ")\n");
        }
    }
    return result;
}

ploy_result ploy_rules_why(const ploy_rules *rules, int64_t fact_index, ploy_writer *out) {
    ploy_map told;
    ploy_map_init(&told, 0, &rules->env);
    ploy_result result = reason_tell(rules, fact_index, 0, &told, out);
    ploy_map_fini(&told);
    return result == PLOY_OK ? ploy_writer_result(out) : result;
}
