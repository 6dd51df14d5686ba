// A small rule system over nested items: a rewriting rule, an arbiter that picks among rules, and a
// question answered backwards. Shows rule_tree, rule_set and prove.
#include <stdio.h>
#include <string.h>

#include "ploy/decide/prove.h"
#include "ploy/decide/rule_set.h"
#include "ploy/decide/rule_tree.h"

typedef struct squad {
    ploy_rule_tree *items, *weak, *calm;
    ploy_rule_bindings bound;
} squad;

static ploy_result print(void *user, const void *bytes, size_t size) {
    (void)user;
    return fwrite(bytes, 1, size, stdout) == size ? PLOY_OK : PLOY_ERR_SYSTEM;
}

static bool weak_matches(void *user, void *data) {
    squad *self = user;
    (void)data;
    return ploy_rule_tree_match(self->items, self->weak, &self->bound);
}
static void weak_fires(void *user, void *data) {
    squad *self = user;
    (void)data;
    printf("%s gives the radio away\n", ploy_rule_bindings_text(&self->bound, "person"));
    (void)ploy_rule_tree_remove(self->items, "(Radio (held-by Whisker))");
    (void)ploy_rule_tree_add(self->items, "(Radio (held-by Johnson))");
}
static bool calm_matches(void *user, void *data) {
    squad *self = user;
    (void)data;
    return ploy_rule_tree_match(self->items, self->calm, NULL);
}

static ploy_rule_tree *load(const char *text, const ploy_env *env) {
    ploy_rule_tree *tree = NULL;
    (void)ploy_rule_tree_load(text, strlen(text), "example", NULL, env, &tree);
    return tree;
}

int main(void) {
    ploy_env env = ploy_env_default();
    squad self;
    memset(&self, 0, sizeof self);
    self.items =
        load("(Johnson (health 38)) (Whisker (health 12)) (Radio (held-by Whisker))", &env);
    self.weak = load("(?person (health <15)) (Radio (held-by ?person))", &env);
    self.calm = load("(not (?enemy (distance <50)))", &env);
    ploy_rule_set_def def = ploy_rule_set_def_default();
    def.arbiter = PLOY_RULE_ARBITER_SPECIFIC;
    def.user = &self;
    ploy_rule_set *set = NULL;
    if (ploy_rule_set_create(&def, &env, &set) != PLOY_OK) return 1;
    ploy_set_rule rest = {"rest", 1, calm_matches, NULL, NULL, NULL, NULL};
    ploy_set_rule swap = {"swap radio", 2, weak_matches, weak_fires, NULL, NULL, NULL};
    if (ploy_rule_set_add(set, &rest) != PLOY_OK || ploy_rule_set_add(set, &swap) != PLOY_OK)
        return 1;
    for (int i = 0; i < 2; i++) printf("fired: %s\n", ploy_rule_set_step(set, NULL));
    ploy_writer out = ploy_writer_make(print, NULL);
    ploy_rule_tree_save(self.items, &out);
    static const char known[] = "(covers Captain Johnson) (covers Johnson Sale)\n"
                                "(safe ?a ?c) <- (covers ?a ?b), (covers ?b ?c)\n";
    ploy_clauses *clauses = NULL;
    if (ploy_clauses_load(known, strlen(known), "known", NULL, &env, &clauses) != PLOY_OK) return 1;
    (void)ploy_clauses_prove(clauses, "(safe ?who Sale)", NULL, &out);
    ploy_clauses_destroy(clauses);
    ploy_rule_set_destroy(set);
    ploy_rule_tree_destroy(self.items);
    ploy_rule_tree_destroy(self.weak);
    ploy_rule_tree_destroy(self.calm);
    return 0;
}
