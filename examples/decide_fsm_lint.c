// A machine with three mistakes: a state that no rule leads to, a rule that never gets its turn and
// a state that cannot be left. You see what validation reports and the machine as a Graphviz graph.
// Shows ploy_fsm_type_lint and ploy_fsm_type_print.
#include <stdio.h>

#include "ploy/decide/fsm.h"

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    if (ploy_fsm_type_create(&def, NULL, &env, &type) != PLOY_OK) return 1;
    ploy_maker none = ploy_maker_none();
    ploy_fsm_state dig = ploy_fsm_type_state(type, "dig", NULL, none);
    ploy_fsm_state rest = ploy_fsm_type_state(type, "rest", NULL, none);
    ploy_fsm_state swim = ploy_fsm_type_state(type, "swim", NULL, none);
    ploy_condition tired = ploy_condition_elapsed(ploy_fsm_type_conditions(type), 8.0);
    ploy_fsm_rule rules[] = {
        ploy_fsm_rule_make("always", dig, ploy_condition_none(), rest),
        ploy_fsm_rule_make("tired", dig, tired, rest), // after one that always fires
        ploy_fsm_rule_make("dry", swim, tired, dig),   // nothing leads to swim
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        (void)ploy_fsm_type_add(type, &rules[i]); // finish reports the first fault
    }
    if (ploy_fsm_type_finish(type, dig) != PLOY_OK) return 1;
    ploy_diags *diags = NULL;
    if (ploy_diags_create(16, &env, &diags) != PLOY_OK) return 1;
    ploy_buffer text;
    ploy_buffer_init(&text, 4096, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    printf("%d doubts\n", (int)ploy_fsm_type_lint(type, diags));
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char line[256];
        (void)ploy_diag_print(ploy_diags_get(diags, i), line, sizeof line);
        printf("%s\n", line);
    }
    ploy_fsm_type_print(type, &writer);
    printf("%s", ploy_buffer_text(&text));
    ploy_buffer_fini(&text);
    ploy_diags_destroy(diags);
    ploy_fsm_type_destroy(type);
    return 0;
}
