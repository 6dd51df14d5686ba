// A small rule system over nested items: a rule that rewrites them, a set of rules that another rule
// switches on, an arbiter that picks among them, and a question answered backwards. Shows rule_set
// over rule_tree, and prove.
#include <stdio.h>
#include <string.h>

#include "ploy/decide/prove.h"
#include "ploy/decide/rule_set.h"

static ploy_result print(void *user, const void *bytes, size_t size) {
    (void)user;
    return fwrite(bytes, 1, size, stdout) == size ? PLOY_OK : PLOY_ERR_SYSTEM;
}

static ploy_result tell(const ploy_set_turn *turn) {
    printf("%s gives the radio to %s\n", ploy_rule_bindings_text(turn->bindings, "weak"),
           ploy_rule_bindings_text(turn->bindings, "strong"));
    return PLOY_OK;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_rule_set_def def = ploy_rule_set_def_default();
    def.arbiter = PLOY_RULE_ARBITER_SPECIFIC;
    ploy_rule_set_type *radio = NULL, *squad = NULL;
    ploy_rule_set *set = NULL;
    if (ploy_rule_set_type_create(&def, NULL, &env, &radio) != PLOY_OK) return 1;
    ploy_set_rule swap = ploy_set_rule_make("swap radio");
    swap.pattern = "(?weak (health <15)) (Radio (held-by ?weak)) (?strong (health >45))";
    swap.remove = "(Radio (held-by ?weak))";
    swap.add = "(Radio (held-by ?strong))";
    swap.fire = tell;
    (void)ploy_rule_set_type_add(radio, &swap); // finish reports faults
    if (ploy_rule_set_type_finish(radio) != PLOY_OK) return 1;
    if (ploy_rule_set_type_create(&def, NULL, &env, &squad) != PLOY_OK) return 1;
    ploy_set_rule rest = ploy_set_rule_make("rest"), hear = ploy_set_rule_make("hear a shot");
    hear.pattern = "(Shot ?from)";
    hear.remove = "(Shot ?from)";
    hear.on = "radio"; // from now on the holder must be able-bodied
    (void)ploy_rule_set_type_add(squad, &rest);
    (void)ploy_rule_set_type_add(squad, &hear);
    (void)ploy_rule_set_type_add_set(squad, "radio", radio, false);
    (void)ploy_rule_set_type_items(squad,
                                   "(Johnson (health 38)) (Whisker (health 12))\n"
                                   "(Captain (health 57)) (Radio (held-by Whisker))\n",
                                   NULL);
    if (ploy_rule_set_type_finish(squad) != PLOY_OK) return 1;
    if (ploy_rule_set_create(squad, &env, &set) != PLOY_OK) return 1;
    for (int i = 0; i < 4; i++) {
        const char *fired = NULL;
        if (i == 1) (void)ploy_rule_tree_add(ploy_rule_set_items(set), "(Shot \"the old mill\")");
        if (ploy_rule_set_step(set, NULL, &fired, NULL) == PLOY_OK) printf("fired: %s\n", fired);
    }
    ploy_writer out = ploy_writer_make(print, NULL);
    ploy_rule_tree_save(ploy_rule_set_items(set), &out);
    static const char known[] = "(covers Captain Johnson) (covers Johnson Sale)\n"
                                "(safe ?a ?c) <- (covers ?a ?b), (covers ?b ?c)\n";
    ploy_clauses *clauses = NULL;
    if (ploy_clauses_load(known, strlen(known), "known", NULL, &env, &clauses) != PLOY_OK) return 1;
    (void)ploy_clauses_prove(clauses, "(safe ?who Sale)", NULL, &out);
    ploy_clauses_destroy(clauses);
    ploy_rule_set_destroy(set);
    ploy_rule_set_type_destroy(squad);
    ploy_rule_set_type_destroy(radio);
    return 0;
}
