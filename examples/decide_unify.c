// Who should get the radio? Patterns over a small database: a variable represents the same thing
// wherever it occurs, and conditions have ranges, comparisons, not and or. You see what each
// variable is bound to, and patterns that match nothing. Shows ploy_rule_tree_match.
#include <stdio.h>
#include <string.h>

#include "ploy/decide/rule_tree.h"

int main(void) {
    static const char squad[] = "(Johnson (health 38)) (Sale (health 42)) (Whisker (health 12))\n"
                                "(Radio (held-by Whisker))\n";
    static const struct {
        const char *pattern, *variable;
    } questions[] = {
        {"(?who (health 0-15)) (Radio (held-by ?who))", "who"},  // the same ?who twice
        {"(?who (health 40-50)) (Radio (held-by ?who))", "who"}, // the healthy do not hold it
        {"(?weak (health 0-15)) (?strong (health >=40))", "strong"},
        {"(?who (health ?a)) (Sale (health ?b)) (< ?a ?b)", "who"},
        {"(Sale (health ?a)) (?who (health ?b)) (< ?a ?b)", "who"}, // no one is healthier
        {"(not (?x (health >50))) (?who (health <20))", "who"},
        {"(or (?who (health >100)) (?who (health 42)))", "who"},
    };
    ploy_env env = ploy_env_default();
    ploy_rule_tree *items = NULL;
    if (ploy_rule_tree_load(squad, strlen(squad), "squad", NULL, &env, &items) != PLOY_OK) return 1;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        const char *text = questions[i].pattern;
        ploy_rule_tree *pattern = NULL;
        ploy_rule_bindings bound;
        if (ploy_rule_tree_load(text, strlen(text), "pattern", NULL, &env, &pattern) != PLOY_OK) {
            return 1;
        }
        if (ploy_rule_tree_match(items, pattern, &bound)) {
            printf("%s: ?%s is %s\n", text, questions[i].variable,
                   ploy_rule_bindings_text(&bound, questions[i].variable));
        } else {
            printf("%s: no match\n", text);
        }
        ploy_rule_tree_destroy(pattern);
    }
    ploy_rule_tree_destroy(items);
    return 0;
}
