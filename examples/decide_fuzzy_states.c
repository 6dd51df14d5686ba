// A wounded soldier is calm, wary and afraid at once, each to a degree: shots move the degrees, and
// quiet moves some of them back. Shows ploy_fuzzy_fsm_type_add and ploy_fuzzy_fsm_step; a
// degree of transition above 1 is refused.
#include <stdio.h>

#include "ploy/decide/fuzzy_fsm.h"

static const ploy_blackboard_key soldier_keys[] = {
    {"shots", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "shots are heard"},
};

int main(void) {
    static const bool shots[] = {false, true, true, false, false};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_fuzzy_fsm_def def = ploy_fuzzy_fsm_def_default();
    ploy_fuzzy_fsm_type *type = NULL, *refused = NULL;
    ploy_fuzzy_fsm *fsm = NULL;
    env.log = NULL; // the refused transition below
    if (ploy_blackboard_layout_create(soldier_keys, 1, "soldier", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &context.blackboard) != PLOY_OK ||
        ploy_fuzzy_fsm_type_create(&def, layout, &env, &type) != PLOY_OK ||
        ploy_fuzzy_fsm_type_create(&def, layout, &env, &refused) != PLOY_OK) {
        return 1;
    }
    ploy_conditions *set = ploy_fuzzy_fsm_type_conditions(type);
    ploy_condition heard = ploy_condition_bool(set, "shots");
    ploy_condition quiet = ploy_condition_not(set, heard);
    int32_t calm = ploy_fuzzy_fsm_type_state(type, "calm", 1.0);
    int32_t wary = ploy_fuzzy_fsm_type_state(type, "wary", 0.0);
    int32_t afraid = ploy_fuzzy_fsm_type_state(type, "afraid", 0.0);
    ploy_fuzzy_fsm_transition alert = ploy_fuzzy_fsm_transition_make(calm, heard, wary, 0.8);
    ploy_fuzzy_fsm_transition panic = ploy_fuzzy_fsm_transition_make(wary, heard, afraid, 0.5);
    ploy_fuzzy_fsm_transition relax = ploy_fuzzy_fsm_transition_make(wary, quiet, calm, 0.6);
    alert.target_count = 2; // some fear at once
    alert.targets[1] = afraid;
    alert.dots[1] = 0.3;
    (void)ploy_fuzzy_fsm_type_add(type, &alert); // finish reports the first fault
    (void)ploy_fuzzy_fsm_type_add(type, &panic);
    (void)ploy_fuzzy_fsm_type_add(type, &relax);
    if (ploy_fuzzy_fsm_type_finish(type) != PLOY_OK ||
        ploy_fuzzy_fsm_create(type, &env, &fsm) != PLOY_OK) {
        return 1;
    }
    for (size_t i = 0; i < sizeof shots / sizeof shots[0]; i++) {
        ploy_slot slot = ploy_blackboard_layout_find(layout, "shots");
        (void)ploy_blackboard_set_bool(context.blackboard, slot, shots[i]);
        ploy_moment moment = ploy_moment_make(&context);
        ploy_fuzzy_fsm_step(fsm, &moment);
        printf("%s:", shots[i] ? "shots" : "quiet");
        for (int32_t s = 0; s < ploy_fuzzy_fsm_type_count(type); s++) {
            printf(" %s %.2f", ploy_fuzzy_fsm_type_id(type, s), ploy_fuzzy_fsm_degree(fsm, s));
        }
        printf("\n");
    }
    int32_t one = ploy_fuzzy_fsm_type_state(refused, "one", 1.0);
    ploy_fuzzy_fsm_transition more =
        ploy_fuzzy_fsm_transition_make(one, ploy_condition_none(), one, 1.5);
    printf("a degree above 1: %s\n", ploy_result_text(ploy_fuzzy_fsm_type_add(refused, &more)));
    ploy_fuzzy_fsm_destroy(fsm);
    ploy_fuzzy_fsm_type_destroy(refused);
    ploy_fuzzy_fsm_type_destroy(type);
    ploy_blackboard_destroy(context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
