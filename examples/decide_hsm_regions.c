// A soldier's legs and weapon as two machines side by side in one: each has its current state, both
// see every event, and one rule asks which state the other machine is in. Shows ploy_hsm_type_state
// with PLOY_HSM_PARALLEL and ploy_hsm_type_in.
#include <stdio.h>

#include "ploy/decide/hsm.h"

static ploy_result soldier_build(ploy_hsm_type *type) {
    ploy_hsm_state root = {0};
    ploy_maker none = ploy_maker_none();
    ploy_hsm_state both = ploy_hsm_type_state(type, "soldier", root, PLOY_HSM_PARALLEL, NULL, none);
    ploy_hsm_state legs = ploy_hsm_type_state(type, "legs", both, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state stand = ploy_hsm_type_state(type, "stand", legs, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state run = ploy_hsm_type_state(type, "run", legs, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state weapon = ploy_hsm_type_state(type, "weapon", both, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state ready = ploy_hsm_type_state(type, "ready", weapon, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_state aim = ploy_hsm_type_state(type, "aim", weapon, PLOY_HSM_STATE, NULL, none);
    ploy_hsm_rule rules[] = {
        ploy_hsm_rule_make("go", stand, "move", &run),
        ploy_hsm_rule_make("halt", run, "halt", &stand),
        ploy_hsm_rule_make("aim", ready, "enemy", &aim),
        ploy_hsm_rule_make("lower", aim, "move", &ready), // the legs answer it too
    };
    rules[2].when = ploy_hsm_type_in(type, stand); // no aiming while the legs run
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        (void)ploy_hsm_type_add(type, &rules[i]); // finish reports the first fault
    }
    return ploy_hsm_type_finish(type);
}

int main(void) {
    static const char *const events[] = {"enemy", "move", "enemy", "halt", "enemy"};
    ploy_env env = ploy_env_default();
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_hsm_type *type = NULL;
    ploy_hsm *soldier = NULL;
    if (ploy_hsm_type_create(&def, NULL, &env, &type) != PLOY_OK ||
        soldier_build(type) != PLOY_OK || ploy_hsm_create(type, NULL, &env, &soldier) != PLOY_OK) {
        return 1;
    }
    ploy_result result = ploy_behavior_enter(ploy_hsm_behavior(soldier), &context);
    for (size_t i = 0; i < sizeof events / sizeof events[0] && result == PLOY_OK; i++) {
        ploy_hsm_event event = ploy_hsm_event_make(events[i]);
        ploy_status status;
        result = ploy_hsm_send(soldier, &event);
        if (result == PLOY_OK)
            result = ploy_behavior_step(ploy_hsm_behavior(soldier), &context, &status);
        printf("%s: legs %s, weapon %s\n", events[i],
               ploy_hsm_is_in(soldier, "run") ? "run" : "stand",
               ploy_hsm_is_in(soldier, "aim") ? "aims" : "ready");
    }
    ploy_behavior_exit(ploy_hsm_behavior(soldier), &context, PLOY_EXIT_REMOVED);
    ploy_hsm_destroy(soldier);
    ploy_hsm_type_destroy(type);
    return result == PLOY_OK ? 0 : 1;
}
