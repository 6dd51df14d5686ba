// State machines from constant tables: the calls of fsm.h, row by row.
#include "ploy/decide/fsm_table.h"

#include "fsm_internal.h"

// The state that a row names; none for NULL. An unknown name is a fault.
static ploy_fsm_state fsm_table_state(ploy_fsm_type *type, const char *id, const char *row) {
    ploy_fsm_state state = {0};
    if (id == NULL || !ployi_build_open(&type->build)) return state;
    state = ploy_fsm_type_find(type, id);
    if (state.number != 0) return state;
    (void)ployi_build_unknown(&type->build, "state", id, row);
    return state;
}

static void fsm_table_add_state(ploy_fsm_type *type, const ploy_fsm_state_row *row) {
    ploy_maker none = ploy_maker_none();
    ploy_fsm_state state =
        ploy_fsm_type_state(type, row->id, &row->hooks, row->inside != NULL ? *row->inside : none);
    if (row->data_size > 0) {
        (void)ploy_fsm_type_set_data(type, state, row->data_size, row->keep_data);
    }
    if (row->final != PLOY_STATUS_RUNNING) (void)ploy_fsm_type_set_final(type, state, row->final);
}

static void fsm_table_add_rule(ploy_fsm_type *type, const ploy_fsm_rule_row *row) {
    ploy_condition when = ploy_condition_none();
    if (row->when != NULL) when = ploy_condition_text(type->conditions, row->when);
    ploy_fsm_rule rule = ploy_fsm_rule_make(row->id, fsm_table_state(type, row->from, row->id),
                                            when, fsm_table_state(type, row->to, row->id));
    rule.on = row->on;
    rule.priority = row->priority;
    rule.effect = row->effect;
    rule.action = row->action;
    rule.user = row->user;
    (void)ploy_fsm_type_add(type, &rule); // finish returns the first fault
}

// The private layout of a table's keys. Faults go to the log.
static ploy_result fsm_table_layout(const ploy_fsm_table *table, const ploy_env *env,
                                    ploy_blackboard_layout **out) {
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(16, env, &diags);
    if (result == PLOY_OK) {
        result =
            ploy_blackboard_layout_create(table->keys, table->key_count, "table", env, diags, out);
    }
    if (result != PLOY_OK && diags != NULL) ploy_diags_log(diags, env);
    ploy_diags_destroy(diags);
    return result;
}

ploy_result ploy_fsm_type_from_table(const ploy_fsm_def *def, const ploy_fsm_table *table,
                                     const ploy_blackboard_layout *layout, const ploy_env *env,
                                     ploy_fsm_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (table == NULL || env == NULL || table->state_count < 1 || table->states == NULL ||
        table->rule_count < 0 || (table->rule_count > 0 && table->rules == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_fsm_def plain = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    ploy_blackboard_layout *own = NULL;
    ploy_result result = PLOY_OK;
    if (layout == NULL && table->key_count != 0) {
        result = fsm_table_layout(table, env, &own);
        if (result != PLOY_OK) return result;
    }
    result =
        ploy_fsm_type_create(def != NULL ? def : &plain, own != NULL ? own : layout, env, &type);
    if (result != PLOY_OK) {
        ploy_blackboard_layout_destroy(own);
        return result;
    }
    type->own_layout = own;
    result = ploy_conditions_register_words(type->conditions, table->words, table->word_count);
    for (int32_t i = 0; i < table->state_count; i++) fsm_table_add_state(type, &table->states[i]);
    for (int32_t i = 0; i < table->rule_count; i++) fsm_table_add_rule(type, &table->rules[i]);
    if (table->global != NULL) (void)ploy_fsm_type_set_global(type, table->global);
    if (table->idle != NULL) {
        (void)ploy_fsm_type_set_idle(type, fsm_table_state(type, table->idle, "idle"));
    }
    const char *initial = table->initial != NULL ? table->initial : table->states[0].id;
    ploy_fsm_state first = fsm_table_state(type, initial, "initial");
    if (result == PLOY_OK) result = ploy_fsm_type_finish(type, first);
    if (result != PLOY_OK) {
        ploy_fsm_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}
