// A facade by rules: drawn at random it may end without its awning, a plan finds the firings that make
// one, and a tower shows the windows of a wall. Shows ploy/generate/grammar.h and skyscraper.h.
#include "ploy/generate/grammar.h"
#include "ploy/generate/skyscraper.h"

#include <stdio.h>

enum { FACADE, DOOR, WINDOW, SHOPFRONT, PLACE, AWNING, WALL };

static const char *const symbols[] = {"facade", "door",   "window", "shopfront",
                                      "place",  "awning", "wall"};

static ploy_token_rule tokens[] = {
    {"house", FACADE, {WINDOW, DOOR, PLACE}, 3, {0}, 0, 1, 1, 0},
    {"shop", FACADE, {SHOPFRONT, DOOR, PLACE}, 3, {0}, 0, 1, 2, 0},
    {"awning", PLACE, {AWNING}, 1, {DOOR, SHOPFRONT}, 2, 1, 1, 0}, // needs both, and keeps them
    {"bare", PLACE, {WALL}, 1, {0}, 0, 1, 1, 0},
};

static bool has_awning(void *user, const void *object) {
    int32_t count = 0;
    (void)user;
    const ploy_token *nodes = ploy_tokens_derivation(object, &count);
    return count > 0 && nodes[count - 1].symbol == AWNING;
}

static void print_tokens(const char *name, const ploy_tokens *object) {
    int32_t count = 0;
    const ploy_token *nodes = ploy_tokens_derivation(object, &count);
    printf("%s:", name);
    for (int32_t i = 0; i < ploy_tokens_count(object); i++) {
        printf(" %s", symbols[nodes[ploy_tokens_at(object, i)].symbol]);
    }
    printf("\n");
}

// The cheapest firings that end with an awning; the object is kept.
static ploy_result plan_facade(const ploy_grammar_rule *rules, const ploy_env *env,
                               ploy_tokens **out) {
    ploy_tokens *start = NULL;
    ploy_grammar_object calls = ploy_tokens_object();
    ploy_grammar_plan_def def = ploy_grammar_plan_def_default();
    def.method = PLOY_GRAMMAR_DIJKSTRA;
    ploy_grammar_plan *plan = NULL;
    ploy_result result = ploy_tokens_create(FACADE, env, &start);
    if (result == PLOY_OK) {
        result = ploy_grammar_plan_begin(&def, rules, 4, &calls, start, ploy_rng_key_make(1), env,
                                         &plan);
    }
    if (result == PLOY_OK) result = ploy_grammar_plan_step(plan, NULL);
    if (result == PLOY_OK && ploy_grammar_plan_outcome_of(plan).found) {
        for (int32_t i = 0; i < ploy_grammar_plan_outcome_of(plan).length; i++) {
            printf("fire %s\n", rules[ploy_grammar_plan_rules(plan)[i]].name);
        }
    }
    if (result == PLOY_OK) result = ploy_tokens_copy(ploy_grammar_plan_object(plan), env, out);
    ploy_grammar_plan_cancel(plan);
    ploy_tokens_destroy(start);
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_grammar_rule rules[4];
    ploy_token_rules(tokens, 4, rules);
    for (int32_t i = 0; i < 4; i++) rules[i].complete = has_awning;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        ploy_tokens *object = NULL;
        ploy_grammar_work work;
        if (ploy_tokens_create(FACADE, &env, &object) != PLOY_OK) return 1;
        if (ploy_grammar_init(&work, rules, 4, object, ploy_rng_key_make(seed), 100, NULL, &env) ||
            ploy_grammar_step(&work, NULL)) {
            return 1;
        }
        print_tokens("drawn", object);
        ploy_grammar_fini(&work);
        ploy_tokens_destroy(object);
    }

    ploy_tokens *facade = NULL;
    if (plan_facade(rules, &env, &facade) != PLOY_OK) return 1;
    print_tokens("planned", facade);
    ploy_tokens_destroy(facade);
    static const float importances[] = {1.0f, 2.0f, 7.0f};
    printf("of importances 1, 2 and 7 a draw of 2.9 takes rule %d\n",
           (int)ploy_grammar_pick(importances, 3, 2.9f));

    ploy_skyscraper_def tower = ploy_skyscraper_def_default();
    tower.split_weight = 0.0f;
    ploy_skyscraper *skyscraper = NULL;
    if (ploy_skyscraper_begin(&tower, ploy_rng_key_make(4), NULL, &env, &skyscraper) != PLOY_OK)
        return 1;
    if (ploy_skyscraper_step(skyscraper, NULL) != PLOY_OK) return 1;
    int32_t count = 0;
    const ploy_building *building = ploy_skyscraper_building(skyscraper);
    const ploy_building_part *parts = ploy_building_parts(building, &count);
    printf("tower of %g m, %d parts; a wall of the ground floor:\n",
           (double)ploy_building_height(building), (int)ploy_skyscraper_outcome(skyscraper).count);
    for (int32_t i = 0; i < count; i++) {
        if (parts[i].kind < PLOY_BUILDING_PICTURE || parts[i].floor != 0 || parts[i].side != 2)
            continue;
        printf("  %s\n", ploy_building_kind_text((ploy_building_kind)parts[i].kind));
    }
    ploy_skyscraper_cancel(skyscraper);
    return 0;
}
