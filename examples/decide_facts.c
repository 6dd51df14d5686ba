// A fire alarm by rules over facts: smoke in a room means fire there, and fire in a room that opens
// to another brings smoke into that one. Each firing adds a fact that makes the next rule match,
// until none is left. A fact asserted twice is reported. Shows ploy_rules_assert, ploy_rules_step
// and ploy_rules_variable.
#include <stdio.h>

#include "ploy/decide/rules.h"

typedef struct house {
    int32_t smoke, fire, door; // templates
    int32_t burns, spreads;    // rules
    int32_t room, next;        // variables of the two
} house;

static ploy_result house_action(void *user, ploy_rules *rules, int32_t rule) {
    const house *it = user;
    bool burns = rule == it->burns;
    ploy_rule_value room = ploy_rules_variable(rules, burns ? it->room : it->next);
    ploy_name name = {room.as.text};
    printf("%s: %s in the %s\n", burns ? "burns" : "spreads", burns ? "fire" : "smoke",
           ploy_rules_text_of(rules, name));
    ploy_result result = ploy_rules_assert(rules, burns ? it->fire : it->smoke, &room, 1, NULL);
    return result == PLOY_ERR_EXISTS ? PLOY_OK : result;
}

static ploy_result house_build(house *it, ploy_rulebase *base) {
    static const ploy_rule_slot room[] = {{"room", false}}, rooms[] = {{"a", false}, {"b", false}};
    static const ploy_rule_field a = {.variable = "a"}, b = {.variable = "b"};
    static const ploy_rule_slot_pattern in_a[] = {{0, &a, 1}}, a_to_b[] = {{0, &a, 1}, {1, &b, 1}};
    ploy_result result = ploy_rulebase_add_template(base, "smoke", room, 1, &it->smoke);
    if (result == PLOY_OK) result = ploy_rulebase_add_template(base, "fire", room, 1, &it->fire);
    if (result == PLOY_OK) result = ploy_rulebase_add_template(base, "door", rooms, 2, &it->door);
    if (result != PLOY_OK) return result;
    // (smoke ?a) => fire in ?a; (fire ?a) (door ?a ?b) => smoke in ?b.
    const ploy_rule_ce both[] = {
        {.kind = PLOY_RULE_PATTERN, .template_index = it->fire, .slots = in_a, .slot_count = 1},
        {.kind = PLOY_RULE_PATTERN, .template_index = it->door, .slots = a_to_b, .slot_count = 2}};
    ploy_rule_def burns = {.name = "burns"}, spreads = {.name = "spreads"};
    burns.lhs = both[0];
    burns.lhs.template_index = it->smoke;
    spreads.lhs.kind = PLOY_RULE_AND;
    spreads.lhs.items = both;
    spreads.lhs.item_count = 2;
    result = ploy_rulebase_add_rule(base, &burns, NULL, &it->burns, NULL);
    if (result == PLOY_OK) {
        result = ploy_rulebase_add_rule(base, &spreads, NULL, &it->spreads, NULL);
    }
    it->room = ploy_rulebase_find_variable(base, it->burns, "a");
    it->next = ploy_rulebase_find_variable(base, it->spreads, "b");
    return result;
}

int main(void) {
    static const char *const doors[][2] = {{"kitchen", "hall"}, {"hall", "study"}};
    ploy_env env = ploy_env_default();
    ploy_rulebase *base = NULL;
    ploy_rules *rules = NULL;
    house it = {0};
    if (ploy_rulebase_create(&env, &base) != PLOY_OK || house_build(&it, base) != PLOY_OK) return 1;
    ploy_rules_def def = ploy_rules_def_default();
    def.action = house_action;
    def.user = &it;
    ploy_result result = ploy_rules_create(&def, base, &env, &rules);
    ploy_name kitchen = {0};
    for (int i = 0; i < 2 && result == PLOY_OK; i++) {
        ploy_name from, to;
        result = ploy_rules_text(rules, doors[i][0], &from);
        if (result == PLOY_OK) result = ploy_rules_text(rules, doors[i][1], &to);
        if (result != PLOY_OK) break;
        if (i == 0) kitchen = from;
        ploy_rule_value door[] = {ploy_rule_symbol(from), ploy_rule_symbol(to)};
        result = ploy_rules_assert(rules, it.door, door, 2, NULL);
    }
    ploy_rule_value where = ploy_rule_symbol(kitchen);
    if (result == PLOY_OK) result = ploy_rules_step(rules, NULL, NULL);
    if (result == PLOY_OK) {
        printf("without smoke: %d firings\n", (int)ploy_rules_fired(rules));
        result = ploy_rules_assert(rules, it.smoke, &where, 1, NULL);
    }
    if (result == PLOY_OK) result = ploy_rules_step(rules, NULL, NULL);
    if (result == PLOY_OK) {
        printf("smoke in the kitchen: %d firings\n", (int)ploy_rules_fired(rules));
        printf("the same again: %s\n",
               ploy_result_text(ploy_rules_assert(rules, it.smoke, &where, 1, NULL)));
    }
    ploy_rules_destroy(rules);
    ploy_rulebase_destroy(base);
    return result == PLOY_OK ? 0 : 1;
}
