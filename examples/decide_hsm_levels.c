// Rules between the levels of a hierarchical machine: how far each leads up or down, and a type
// that allows only rules between siblings and refuses the others. Shows ploy_hsm_type_level and the
// setting same_level of ploy_hsm_def.
#include <stdio.h>

#include "ploy/decide/hsm.h"

static ploy_result patrol_build(const ploy_hsm_def *def, bool cross, const ploy_env *env,
                                ploy_hsm_type **out) {
    ploy_result result = ploy_hsm_type_create(def, NULL, env, out);
    if (result != PLOY_OK) return result;
    ploy_hsm_state root = {0};
    ploy_maker none = ploy_maker_none();
    ploy_hsm_state guard = ploy_hsm_type_state(*out, "guard", root, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state walk = ploy_hsm_type_state(*out, "walk", guard, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state look = ploy_hsm_type_state(*out, "look", guard, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state fight = ploy_hsm_type_state(*out, "fight", root, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_rule rules[] = {
        ploy_hsm_rule_make("stop", walk, "noise", &look),    // siblings
        ploy_hsm_rule_make("enemy", guard, "enemy", &fight), // siblings, one level up
        ploy_hsm_rule_make("ambush", look, "shot", &fight),  // from inside guard out of it
        ploy_hsm_rule_make("search", fight, "lost", &look),  // into guard
    };
    for (int i = 0; i < (cross ? 4 : 2); i++) {
        (void)ploy_hsm_type_add(*out, &rules[i]); // finish reports the first fault
    }
    return ploy_hsm_type_finish(*out);
}

int main(void) {
    static const char *const rules[] = {"stop", "enemy", "ambush", "search", "flee"};
    ploy_env env = ploy_env_default();
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_hsm_type *free_type = NULL, *strict = NULL, *refused = NULL;
    env.log = NULL;
    if (patrol_build(&def, true, &env, &free_type) != PLOY_OK) return 1;
    for (int i = 0; i < 5; i++) {
        int32_t level = 0;
        ploy_result result = ploy_hsm_type_level(free_type, rules[i], &level);
        if (result == PLOY_OK)
            printf("%s: %+d\n", rules[i], (int)level);
        else
            printf("%s: %s\n", rules[i], ploy_result_text(result));
    }
    def.same_level = true;
    printf("siblings only: %s\n", ploy_result_text(patrol_build(&def, false, &env, &strict)));
    printf("with the others: %s\n", ploy_result_text(patrol_build(&def, true, &env, &refused)));
    ploy_hsm_type_destroy(refused);
    ploy_hsm_type_destroy(strict);
    ploy_hsm_type_destroy(free_type);
    return 0;
}
