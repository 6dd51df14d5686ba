// A soldier who flees when he is "hurt": the rule tests the number in a fact against a fuzzy set,
// and holds from a degree of 0.5 on. You see the degree of each health and whether the rule fired;
// for a text instead of a number it does not hold. Shows ploy_fuzzy_rule_call.
#include <stdio.h>

#include "ploy/decide/fuzzy.h"
#include "ploy/decide/rules.h"

static ploy_result flee(void *user, ploy_rules *rules, int32_t rule) {
    (void)rules, (void)rule;
    ++*(int *)user;
    return PLOY_OK;
}

static ploy_result soldier_report(ploy_rules *rules, int32_t health, ploy_rule_value value,
                                  int *fired) {
    ploy_result result = ploy_rules_assert(rules, health, &value, 1, NULL);
    *fired = 0;
    if (result == PLOY_OK) result = ploy_rules_step(rules, NULL, NULL);
    return result;
}

int main(void) {
    static const double values[] = {80, 41, 40, 10};
    static const ploy_rule_slot slot = {"value", false};
    const ploy_fuzzy_rule_test hurt = {ploy_fuzzy_left_shoulder(0, 20, 60), 0.5, "h"};
    const ploy_rule_constraint is_hurt = {.kind = PLOY_RULE_HOLDS,
                                          .call = ploy_fuzzy_rule_call(&hurt)};
    const ploy_rule_field field = {.variable = "h", .constraints = &is_hurt, .constraint_count = 1};
    const ploy_rule_slot_pattern pattern = {0, &field, 1};
    ploy_env env = ploy_env_default();
    ploy_rulebase *base = NULL;
    ploy_rules *rules = NULL;
    int32_t health = 0;
    int fired = 0;
    if (ploy_rulebase_create(&env, &base) != PLOY_OK ||
        ploy_rulebase_add_template(base, "health", &slot, 1, &health) != PLOY_OK) {
        return 1;
    }
    ploy_rule_def rule = {.name = "flee"};
    rule.lhs.kind = PLOY_RULE_PATTERN;
    rule.lhs.template_index = health;
    rule.lhs.slots = &pattern;
    rule.lhs.slot_count = 1;
    ploy_rules_def def = ploy_rules_def_default();
    def.action = flee;
    def.user = &fired;
    ploy_result result = ploy_rulebase_add_rule(base, &rule, NULL, NULL, NULL);
    if (result == PLOY_OK) result = ploy_rules_create(&def, base, &env, &rules);
    for (int i = 0; i < 4 && result == PLOY_OK; i++) {
        result = soldier_report(rules, health, ploy_rule_float(values[i]), &fired);
        printf("health %g, hurt to %.3f: %s\n", values[i],
               ploy_fuzzy_membership(&hurt.set, values[i]), fired > 0 ? "flees" : "stays");
    }
    if (result == PLOY_OK) {
        result = soldier_report(rules, health, ploy_rule_symbol(ploy_name_of("fine")), &fired);
        printf("health fine: %s\n", fired > 0 ? "flees" : "stays");
    }
    ploy_rules_destroy(rules);
    ploy_rulebase_destroy(base);
    return result == PLOY_OK ? 0 : 1;
}
