// A sentry whose rules are a decision tree, who yawns when nothing happens, and whose machine is
// exchanged while he is on watch. Shows rule.tree, idle states and ploy_fsm_swap.
#include <stdio.h>

#include "ploy/decide/fsm.h"

static const ploy_blackboard_key sentry_keys[] = {
    {"sees", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "an intruder is in sight"},
    {"near", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "and near"},
};

static ploy_result sentry_tree(ploy_decision_tree *tree) {
    ploy_conditions *set = ploy_decision_tree_conditions(tree);
    ploy_decision_node defend = ploy_decision_tree_leaf(tree, "defend", ploy_maker_none());
    ploy_decision_node alarm = ploy_decision_tree_leaf(tree, "alarm", ploy_maker_none());
    ploy_decision_node near =
        ploy_decision_tree_test(tree, "near?", ploy_condition_bool(set, "near"), defend, alarm);
    return ploy_decision_tree_finish(
        tree, ploy_decision_tree_test(tree, "sees?", ploy_condition_bool(set, "sees"), near,
                                      ploy_decision_node_none()));
}

// The leaves of the tree name the states to go to.
static ploy_result sentry_build(ploy_fsm_type *type, const ploy_decision_tree *tree) {
    static const char *const ids[] = {"watch", "alarm", "defend", "yawn"};
    ploy_fsm_state states[4];
    for (int i = 0; i < 4; i++) {
        states[i] = ploy_fsm_type_state(type, ids[i], NULL, ploy_maker_none());
    }
    ploy_fsm_rule rule = ploy_fsm_rule_make("look", ploy_fsm_state_none(), ploy_condition_none(),
                                            ploy_fsm_state_none());
    rule.tree = tree;
    (void)ploy_fsm_type_add(type, &rule);
    (void)ploy_fsm_type_set_idle(type, states[3]);
    return ploy_fsm_type_finish(type, states[0]);
}

int main(void) {
    static const bool moments[][2] = {{false, false}, {false, false}, {true, false}, {true, true}};
    ploy_env env = ploy_env_default();
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_blackboard_layout *layout = NULL;
    ploy_decision_tree *tree = NULL;
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL, *edited = NULL;
    ploy_fsm *fsm = NULL;
    def.idle = 2.0f;
    if (ploy_blackboard_layout_create(sentry_keys, 2, "sentry", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &context.blackboard) != PLOY_OK ||
        ploy_decision_tree_create(layout, &env, &tree) != PLOY_OK ||
        ploy_fsm_type_create(&def, layout, &env, &type) != PLOY_OK ||
        ploy_fsm_type_create(&def, layout, &env, &edited) != PLOY_OK ||
        sentry_tree(tree) != PLOY_OK || sentry_build(type, tree) != PLOY_OK ||
        sentry_build(edited, tree) != PLOY_OK ||
        ploy_fsm_create(type, NULL, &env, &fsm) != PLOY_OK) {
        return 1;
    }
    ploy_result result = ploy_behavior_enter(ploy_fsm_behavior(fsm), &context);
    for (int i = 0; i < 4 && result == PLOY_OK; i++) {
        ploy_slot sees = {1}, near = {2};
        ploy_status status;
        (void)ploy_blackboard_set_bool(context.blackboard, sees, moments[i][0]);
        (void)ploy_blackboard_set_bool(context.blackboard, near, moments[i][1]);
        result = ploy_behavior_step(ploy_fsm_behavior(fsm), &context, &status);
        printf("%d s: %s\n", i + 1, ploy_fsm_type_id(type, ploy_fsm_current(fsm)));
    }
    bool kept = false;
    if (result == PLOY_OK) result = ploy_fsm_swap(fsm, &context, edited, true, &kept);
    printf("exchanged, state %s: %s\n", kept ? "kept" : "lost",
           ploy_fsm_type_id(edited, ploy_fsm_current(fsm)));
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(edited);
    ploy_fsm_type_destroy(type);
    ploy_decision_tree_destroy(tree);
    ploy_blackboard_destroy(context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    return result == PLOY_OK ? 0 : 1;
}
