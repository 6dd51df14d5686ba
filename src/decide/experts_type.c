// Definitions of the blackboard architecture: see the header.
#include <string.h>

#include "experts_internal.h"

#include "decide/decide_internal.h"

static const ploy_field experts_fields[] = {
    PLOY_FIELD_I32(ploy_experts_def, actions, 16, 1, 10000, "", "most actions under discussion"),
    PLOY_FIELD_BOOL(ploy_experts_def, random_ties, false, "equal insistence is drawn"),
    PLOY_FIELD_U64(ploy_experts_def, seed, 0, "of the draws"),
};

ploy_fields ploy_experts_fields(void) {
    return PLOY_FIELDS(ploy_experts_def, experts_fields);
}

ploy_experts_def ploy_experts_def_default(void) {
    ploy_experts_def def;
    memset(&def, 0, sizeof def);
    ploy_fields_default(ploy_experts_fields(), &def);
    return def;
}

ploy_expert ploy_expert_make(const char *name) {
    ploy_expert expert;
    memset(&expert, 0, sizeof expert);
    expert.name = name;
    return expert;
}

ploy_result ploy_experts_type_create(const ploy_experts_def *def,
                                     const ploy_blackboard_layout *layout, const ploy_env *env,
                                     ploy_experts_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || layout == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_experts_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_experts_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->def = *def;
    type->layout = layout;
    type->build.env = *env;
    result = ployi_build_init(&type->build, env);
    if (result == PLOY_OK) result = ploy_conditions_create(layout, env, &type->conditions);
    if (result != PLOY_OK) {
        ploy_experts_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_experts_type_destroy(ploy_experts_type *type) {
    if (type == NULL) return;
    ploy_env env = type->build.env;
    ploy_conditions_destroy(type->conditions);
    ployi_build_fini(&type->build);
    ploy_env_free(&env, type, sizeof *type);
}

ploy_conditions *ploy_experts_type_conditions(ploy_experts_type *type) {
    return type->conditions;
}

ploy_result ploy_experts_type_add(ploy_experts_type *type, const ploy_expert *expert,
                                  int32_t *out) {
    if (type == NULL || expert == NULL || expert->name == NULL) return PLOY_ERR_ARGUMENT;
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    if (type->count == PLOY_EXPERTS_MAX) {
        return ployi_build_fault(&type->build, PLOY_ERR_CAPACITY, "out of memory for expert",
                                 expert->name);
    }
    if (!ployi_condition_valid(type->conditions, expert->condition) ||
        !ployi_score_valid(type->conditions, expert->insistence)) {
        return ployi_build_fault(&type->build, PLOY_ERR_ARGUMENT, "unknown condition of expert",
                                 expert->name);
    }
    for (int32_t i = 0; i < type->count; i++) {
        if (strcmp(type->experts[i].name, expert->name) != 0) continue;
        return ployi_build_fault(&type->build, PLOY_ERR_EXISTS, "duplicate expert name",
                                 expert->name);
    }
    ploy_name name = ployi_build_name(&type->build, "invalid expert name", expert->name);
    if (ploy_name_is_none(name)) return type->build.result;
    ploy_expert *made = &type->experts[type->count];
    *made = *expert;
    made->name = ployi_build_text(&type->build, name);
    if (out != NULL) *out = type->count;
    type->count++;
    return PLOY_OK;
}

// ---- rules as experts ----

static ploy_set_turn experts_rule_turn(const ployi_expert_rule *rule, const ploy_moment *moment) {
    const ployi_set_entry *entry = ployi_set_entry_at(rule->rules, rule->entry);
    ploy_set_turn turn = {NULL, moment, NULL, rule->rules->def.user, entry->rule.data};
    return turn;
}

static float experts_rule_insists(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    const ployi_expert_rule *rule = user;
    const ployi_set_entry *entry = ployi_set_entry_at(rule->rules, rule->entry);
    if (!ployi_set_rule_holds(rule->rules, entry, NULL, moment, NULL)) return 0.0f;
    if (rule->rules->def.arbiter == PLOY_RULE_ARBITER_FIRST) return 1.0f;
    ploy_set_turn own = experts_rule_turn(rule, moment);
    return (float)ployi_set_rule_score(rule->rules, entry, &own);
}

static void experts_rule_runs(const ploy_expert_turn *turn) {
    const ployi_expert_rule *rule = turn->data;
    const ployi_set_entry *entry = ployi_set_entry_at(rule->rules, rule->entry);
    ploy_moment moment = ploy_moment_make(turn->context);
    if (entry->rule.fire == NULL) return;
    ploy_set_turn own = experts_rule_turn(rule, &moment);
    ploy_result result = entry->rule.fire(&own);
    if (result != PLOY_OK) {
        ploy_trace_text(turn->context->trace, entry->rule.name, ploy_result_text(result));
    }
}

ploy_result ploy_experts_type_add_rules(ploy_experts_type *type, const ploy_rule_set_type *rules) {
    if (type == NULL || rules == NULL || !rules->build.finished) return PLOY_ERR_ARGUMENT;
    if (!ployi_build_open(&type->build)) return PLOY_ERR_STATE;
    bool fits = rules->def.suspension == PLOY_SUSPEND_NEVER &&
                (rules->def.arbiter == PLOY_RULE_ARBITER_FIRST ||
                 rules->def.arbiter == PLOY_RULE_ARBITER_SPECIFIC ||
                 rules->def.arbiter == PLOY_RULE_ARBITER_PRIORITY) &&
                (rules->layout == NULL || rules->layout == type->layout);
    for (int32_t i = 0; i < rules->entries.count && fits; i++) {
        const ployi_set_entry *entry = ployi_set_entry_at(rules, i);
        fits = entry->set == NULL && entry->pattern == NULL && entry->rule.add == NULL &&
               entry->rule.remove == NULL && entry->rule.on == NULL && entry->rule.off == NULL;
    }
    if (!fits) {
        return ployi_build_fault(
            &type->build, PLOY_ERR_UNSUPPORTED, "cannot make experts from rules, the first is",
            rules->entries.count > 0 ? ployi_set_entry_at(rules, 0)->rule.name : "");
    }
    for (int32_t i = 0; i < rules->entries.count; i++) {
        const ployi_set_entry *entry = ployi_set_entry_at(rules, i);
        if (type->count < PLOY_EXPERTS_MAX) {
            type->rules[type->count].rules = rules;
            type->rules[type->count].entry = i;
        }
        ploy_expert expert = ploy_expert_make(entry->rule.name);
        ployi_expert_rule *rule = &type->rules[type->count < PLOY_EXPERTS_MAX ? type->count : 0];
        expert.insistence =
            ploy_score_call(type->conditions, entry->rule.name, experts_rule_insists, rule);
        expert.run = experts_rule_runs;
        expert.maker = entry->rule.maker;
        expert.data = rule;
        ploy_result result = ploy_experts_type_add(type, &expert, NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_maker experts_type_maker_at(const void *user, int32_t index) {
    return ((const ploy_experts_type *)user)->experts[index].maker;
}

ploy_result ploy_experts_type_finish(ploy_experts_type *type) {
    if (type->build.finished) return PLOY_ERR_STATE;
    if (type->build.result == PLOY_OK) {
        type->build.result = ploy_conditions_result(type->conditions);
    }
    for (int32_t i = 0; i < type->count && type->build.result == PLOY_OK; i++) {
        type->build.result =
            ploy_maker_check(experts_type_maker_at(type, i), type->layout, &type->build.env, NULL);
    }
    type->build.finished = type->build.result == PLOY_OK;
    return type->build.result;
}

const char *ploy_experts_type_name(const ploy_experts_type *type, int32_t expert) {
    return expert >= 0 && expert < type->count ? type->experts[expert].name : NULL;
}

float ployi_expert_insists(const ploy_experts_type *type, int32_t expert,
                           const ploy_expert_turn *turn) {
    const ploy_expert *it = &type->experts[expert];
    ploy_moment moment = ploy_moment_make(turn->context);
    if (!ploy_condition_test(type->conditions, it->condition, &moment)) return 0.0f;
    if (ploy_score_is_none(it->insistence)) return it->insists;
    moment.asker = turn;
    return ploy_score_value(type->conditions, it->insistence, &moment);
}

// ---- the maker ----

static ploy_result experts_type_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_experts *experts = NULL;
    ploy_result result = ploy_experts_create(user, env, &experts);
    if (result == PLOY_OK) *out = ploy_experts_behavior(experts);
    return result;
}

static ploy_result experts_type_check(const void *user, const ploy_blackboard_layout *layout,
                                      ploy_diags *diags) {
    const ploy_experts_type *type = user;
    return ployi_choice_check(type->count, experts_type_maker_at, type, &type->build.env,
                              type->layout, layout, diags);
}

ploy_maker ploy_experts_type_maker(ploy_experts_type *type) {
    ploy_maker maker = {experts_type_make, type, NULL, experts_type_check};
    return maker;
}
