// An L-system from text. You will see its strings grow by the rules, the branches that the turtle
// draws, and what a mistake in the text is reported as. Shows ploy/generate/lsystem.h.
#include <stdio.h>
#include <string.h>

#include "ploy/generate/lsystem.h"

static const char weed[] = "# a weed\n"
                           "axiom X\n"
                           "angle 25\n"
                           "rule X -> F[+X]F[-X]X\n"
                           "rule F -> FF\n";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_lsystem_rules *rules = NULL;
    if (ploy_lsystem_rules_load(weed, strlen(weed), "weed.txt", &env, NULL, &rules) != PLOY_OK) {
        return 1;
    }
    for (int generation = 0; generation <= 5; generation++) {
        ploy_lsystem_def def = ploy_lsystem_def_default();
        def.generations = generation;
        ploy_lsystem *lsystem = NULL;
        if (ploy_lsystem_begin(&def, ploy_rng_key_make(1), rules, NULL, &env, &lsystem) !=
                PLOY_OK ||
            ploy_lsystem_step(lsystem, NULL) != PLOY_OK) {
            return 1;
        }
        int32_t length = 0, branches = 0;
        const char *string = ploy_lsystem_string(lsystem, &length);
        ploy_plant_branches(ploy_lsystem_plant(lsystem), &branches);
        printf("%d: %4d letters, %4d branches  %.24s%s\n", generation, (int)length, (int)branches,
               string, length > 24 ? "..." : "");
        ploy_lsystem_cancel(lsystem);
    }
    ploy_lsystem_rules_destroy(rules);

    static const char wrong[] = "axiom X\nangel 25\nrule XY -> F\n";
    ploy_diags *diags = NULL;
    if (ploy_diags_create(8, &env, &diags) != PLOY_OK) return 1;
    ploy_lsystem_rules_load(wrong, strlen(wrong), "wrong.txt", &env, diags, &rules);
    for (int i = 0; i < ploy_diags_count(diags); i++) {
        char text[256];
        ploy_diag_print(ploy_diags_get(diags, i), text, sizeof text);
        printf("%s\n", text);
    }
    ploy_diags_destroy(diags);
    return 0;
}
