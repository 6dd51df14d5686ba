// Definitions of rule sets: see the header.
#include <string.h>

#include "rule_set_internal.h"

#include "decide/decide_internal.h"

static const char *const rule_set_arbiters[] = {"first", "least-recent", "random", "specific",
                                                "priority"};
static const char *const rule_set_suspensions[] = {"never", "until-change", "until-match"};

static const ploy_field rule_set_fields[] = {
    PLOY_FIELD_ENUM(ploy_rule_set_def, arbiter, PLOY_RULE_ARBITER_FIRST, rule_set_arbiters,
                    "which of the triggered rules fires"),
    PLOY_FIELD_ENUM(ploy_rule_set_def, suspension, PLOY_SUSPEND_NEVER, rule_set_suspensions,
                    "how long a rule that fired must wait"),
    PLOY_FIELD_U64(ploy_rule_set_def, seed, 0, "of the random arbiter"),
};

ploy_fields ploy_rule_set_fields(void) {
    return PLOY_FIELDS(ploy_rule_set_def, rule_set_fields);
}

ploy_rule_set_def ploy_rule_set_def_default(void) {
    ploy_rule_set_def def;
    memset(&def, 0, sizeof def);
    ploy_fields_default(ploy_rule_set_fields(), &def);
    return def;
}

ploy_set_rule ploy_set_rule_make(const char *name) {
    ploy_set_rule rule;
    memset(&rule, 0, sizeof rule);
    rule.name = name;
    return rule;
}

ploy_result ploy_rule_set_type_create(const ploy_rule_set_def *def,
                                      const ploy_blackboard_layout *layout, const ploy_env *env,
                                      ploy_rule_set_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_rule_set_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_rule_set_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->def = *def;
    type->layout = layout;
    type->build.env = *env;
    ploy_array_init(&type->entries, sizeof(ployi_set_entry), env);
    result = ployi_build_init(&type->build, env);
    if (result == PLOY_OK) result = ploy_conditions_create(layout, env, &type->conditions);
    if (result == PLOY_OK) {
        result = ploy_rule_tree_load("", 0, "items", NULL, env, &type->items);
    }
    if (result != PLOY_OK) {
        ploy_rule_set_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_rule_set_type_destroy(ploy_rule_set_type *type) {
    if (type == NULL) return;
    ploy_env env = type->build.env;
    for (int32_t i = 0; i < type->entries.count; i++) {
        ploy_rule_tree_destroy(ployi_set_entry_at(type, i)->pattern);
    }
    ploy_array_fini(&type->entries);
    ploy_conditions_destroy(type->conditions);
    ploy_rule_tree_destroy(type->items);
    ployi_build_fini(&type->build);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_conditions *ploy_rule_set_type_conditions(ploy_rule_set_type *type) {
    return type->conditions;
}

// The name of an entry; none after a fault.
static ploy_name rule_set_type_name(ploy_rule_set_type *type, const char *name) {
    ploy_name id = ployi_build_name(&type->build, "invalid rule name", name);
    for (int32_t i = 0; i < type->entries.count && !ploy_name_is_none(id); i++) {
        if (!ploy_name_equal(ployi_set_entry_at(type, i)->name, id)) continue;
        (void)ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "duplicate rule name", name);
        id.hash = 0;
    }
    return id;
}

// A copy of a text that lives as long as the type; NULL for NULL, or after a fault.
static const char *rule_set_type_text(ploy_rule_set_type *type, const char *text) {
    if (text == NULL) return NULL;
    ploy_name name = ployi_build_name(&type->build, "invalid text of a rule", text);
    return ploy_name_is_none(name) ? NULL : ployi_build_text(&type->build, name);
}

ploy_result ploy_rule_set_type_add(ploy_rule_set_type *type, const ploy_set_rule *rule) {
    if (type == NULL || rule == NULL || rule->name == NULL) return PLOY_ERR_ARGUMENT;
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    if (!ployi_condition_valid(type->conditions, rule->condition) ||
        !ployi_score_valid(type->conditions, rule->priority)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown condition of rule",
                                 rule->name);
    }
    ployi_set_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.rule = *rule;
    entry.name = rule_set_type_name(type, rule->name);
    entry.rule.name = ployi_build_text(&type->build, entry.name);
    entry.rule.pattern = rule_set_type_text(type, rule->pattern);
    entry.rule.remove = rule_set_type_text(type, rule->remove);
    entry.rule.add = rule_set_type_text(type, rule->add);
    entry.rule.on = rule_set_type_text(type, rule->on);
    entry.rule.off = rule_set_type_text(type, rule->off);
    if (type->build.result != PLOY_OK) return type->build.result;
    ploy_result result = PLOY_OK;
    if (rule->pattern != NULL) {
        result = ploy_rule_tree_load(rule->pattern, strlen(rule->pattern), rule->name, NULL,
                                     &type->build.env, &entry.pattern);
    }
    if (entry.rule.clauses <= 0) {
        entry.rule.clauses = ployi_condition_size(type->conditions, rule->condition) +
                             (entry.pattern != NULL ? ployi_rule_tree_size(entry.pattern) : 0);
    }
    if (result == PLOY_OK) result = ploy_array_push(&type->entries, &entry);
    if (result != PLOY_OK) {
        ploy_rule_tree_destroy(entry.pattern);
        return ployi_build_fault(&type->build, result, "invalid pattern of rule", rule->name);
    }
    return PLOY_OK;
}

ploy_result ploy_rule_set_type_add_set(ploy_rule_set_type *type, const char *name,
                                       const ploy_rule_set_type *inner, bool active) {
    if (type == NULL || name == NULL) return PLOY_ERR_ARGUMENT;
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    // A finished type holds only finished ones, so none can hold itself.
    if (inner == NULL || !inner->build.finished) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "expected a finished set, found",
                                 name);
    }
    ployi_set_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.name = rule_set_type_name(type, name);
    entry.rule.name = ployi_build_text(&type->build, entry.name);
    entry.set = inner;
    entry.active = active;
    if (type->build.result != PLOY_OK) return type->build.result;
    ploy_result result = ploy_array_push(&type->entries, &entry);
    if (result != PLOY_OK) return ployi_build_fault(&type->build, result, "set", name);
    return PLOY_OK;
}

ploy_result ploy_rule_set_type_items(ploy_rule_set_type *type, const char *text,
                                     ploy_diags *diags) {
    if (type == NULL || text == NULL) return PLOY_ERR_ARGUMENT;
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    ploy_rule_tree *items = NULL;
    ploy_result result =
        ploy_rule_tree_load(text, strlen(text), "items", diags, &type->build.env, &items);
    if (result != PLOY_OK) return ployi_build_fault(&type->build, result, "invalid items", text);
    ploy_rule_tree_destroy(type->items);
    type->items = items;
    return PLOY_OK;
}

// True if a set of that name is in the type, at any depth.
static bool rule_set_type_has_set(const ploy_rule_set_type *type, ploy_name name) {
    for (int32_t i = 0; i < type->entries.count; i++) {
        const ployi_set_entry *entry = ployi_set_entry_at(type, i);
        if (entry->set == NULL) continue;
        if (ploy_name_equal(entry->name, name)) return true;
        if (rule_set_type_has_set(entry->set, name)) return true;
    }
    return false;
}

static ploy_maker rule_set_type_maker_at(const void *user, int32_t index) {
    return ployi_set_entry_at(user, index)->rule.maker;
}

ploy_result ploy_rule_set_type_finish(ploy_rule_set_type *type) {
    if (type->build.finished) return PLOY_ERR_STATE;
    if (type->build.result == PLOY_OK) {
        type->build.result = ploy_conditions_result(type->conditions);
    }
    // Rules may switch sets around this one, which are not known here; those of this one are.
    for (int32_t i = 0; i < type->entries.count && type->build.result == PLOY_OK; i++) {
        ploy_maker maker = rule_set_type_maker_at(type, i);
        type->build.result = ploy_maker_check(maker, type->layout, &type->build.env, NULL);
    }
    type->build.finished = type->build.result == PLOY_OK;
    return type->build.result;
}

bool ployi_set_rule_holds(const ploy_rule_set_type *type, const ployi_set_entry *entry,
                          const ploy_rule_tree *items, const ploy_moment *moment,
                          ploy_rule_bindings *bindings) {
    if (!ploy_condition_test(type->conditions, entry->rule.condition, moment)) return false;
    return entry->pattern == NULL || ploy_rule_tree_match(items, entry->pattern, bindings);
}

double ployi_set_rule_score(const ploy_rule_set_type *type, const ployi_set_entry *entry,
                            const ploy_set_turn *turn) {
    if (type->def.arbiter == PLOY_RULE_ARBITER_SPECIFIC) return entry->rule.clauses;
    if (type->def.arbiter != PLOY_RULE_ARBITER_PRIORITY) return 0.0;
    ploy_moment moment = *turn->moment;
    moment.asker = turn;
    return (double)ploy_score_value(type->conditions, entry->rule.priority, &moment);
}

// ---- the maker ----

static ploy_result rule_set_type_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_rule_set *set = NULL;
    ploy_result result = ploy_rule_set_create(user, env, &set);
    if (result == PLOY_OK) *out = ploy_rule_set_behavior(set);
    return result;
}

static ploy_result rule_set_type_check(const void *user, const ploy_blackboard_layout *layout,
                                       ploy_diags *diags) {
    const ploy_rule_set_type *type = user;
    ploy_result result = ployi_choice_check(type->entries.count, rule_set_type_maker_at, type,
                                            &type->build.env, type->layout, layout, diags);
    for (int32_t i = 0; i < type->entries.count; i++) {
        const ployi_set_entry *entry = ployi_set_entry_at(type, i);
        const ploy_set_rule *rule = &entry->rule;
        ploy_result one = PLOY_OK;
        if (entry->set != NULL) one = rule_set_type_check(entry->set, layout, diags);
        const char *const names[] = {rule->on, rule->off};
        for (size_t k = 0; k < 2; k++) {
            if (names[k] == NULL || rule_set_type_has_set(type, ploy_name_of(names[k]))) continue;
            ploy_diags_add(diags, PLOY_SEVERITY_WARNING, PLOY_OK, rule->name, 0, 0,
                           "switches a set that is outside this one", names[k], NULL);
        }
        if (result == PLOY_OK) result = one;
    }
    return result;
}

ploy_maker ploy_rule_set_type_maker(ploy_rule_set_type *type) {
    ploy_maker maker = {rule_set_type_make, type, NULL, rule_set_type_check};
    return maker;
}
