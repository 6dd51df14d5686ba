// Hierarchical machines from constant tables: the calls of hsm.h, row by row.
#include "ploy/decide/hsm_table.h"

#include <string.h>

#include "hsm_internal.h"

// The state that a row names; the root for NULL. An unknown name is a fault.
static ploy_hsm_state hsm_table_state(ploy_hsm_type *type, const char *id, const char *row) {
    ploy_hsm_state state = ploy_hsm_root();
    if (id == NULL || !ployi_build_open(&type->build)) return state;
    state = ploy_hsm_type_find(type, id);
    if (state.number != 0) return state;
    (void)ployi_build_unknown(&type->build, "state", id, row);
    return state;
}

static void hsm_table_add_rule(ploy_hsm_type *type, const ploy_hsm_rule_row *row) {
    ploy_hsm_state to = hsm_table_state(type, row->to, row->id);
    ploy_hsm_rule rule;
    memset(&rule, 0, sizeof rule);
    rule.id = row->id;
    rule.from = hsm_table_state(type, row->from, row->id);
    rule.on = row->on;
    if (row->when != NULL) rule.when = ploy_condition_text(type->conditions, row->when);
    rule.targets = &to;
    rule.target_count = row->to != NULL ? 1 : 0;
    rule.internal = row->internal;
    rule.action = row->action;
    rule.user = row->user;
    (void)ploy_hsm_type_add(type, &rule); // finish returns the first fault
}

ploy_result ploy_hsm_type_from_table(const ploy_hsm_def *def, const ploy_hsm_table *table,
                                     const ploy_blackboard_layout *layout, const ploy_env *env,
                                     ploy_hsm_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (table == NULL || env == NULL || table->state_count < 1 || table->states == NULL ||
        table->rule_count < 0 || (table->rule_count > 0 && table->rules == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_hsm_def plain = ploy_hsm_def_default();
    ploy_hsm_type *type = NULL;
    ploy_result result = ploy_hsm_type_create(def != NULL ? def : &plain, layout, env, &type);
    if (result != PLOY_OK) return result;
    result = ploy_conditions_register_words(type->conditions, table->words, table->word_count);
    for (int32_t i = 0; i < table->state_count; i++) {
        const ploy_hsm_state_row *row = &table->states[i];
        ploy_maker none = ploy_maker_none();
        (void)ploy_hsm_type_state(type, row->id, hsm_table_state(type, row->parent, row->id),
                                  row->kind, &row->hooks,
                                  row->inside != NULL ? *row->inside : none);
    }
    for (int32_t i = 0; i < table->rule_count; i++) hsm_table_add_rule(type, &table->rules[i]);
    if (result == PLOY_OK) result = ploy_hsm_type_finish(type);
    if (result != PLOY_OK) {
        ploy_hsm_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}
