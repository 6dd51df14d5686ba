// A guard decides by a tree: attack, creep, move or nothing. You see the tree, what it answers and
// what it costs. Shows ploy_decision_tree: tests, merging, judging.
#include <stdio.h>

#include "ploy/decide/decision_tree.h"

static const ploy_blackboard_key guard_keys[] = {
    {"visible", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the enemy is seen"},
    {"audible", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the enemy is heard"},
    {"flanked", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the enemy is at its side"},
    {"distance", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "m to the enemy"},
};

static ploy_result guard_build(ploy_decision_tree *tree) {
    ploy_conditions *set = ploy_decision_tree_conditions(tree);
    ploy_maker none = ploy_maker_none();
    ploy_decision_node nothing = ploy_decision_node_none();
    ploy_decision_node attack = ploy_decision_tree_leaf(tree, "attack", none);
    ploy_decision_node move = ploy_decision_tree_leaf(tree, "move", none);
    ploy_decision_node creep = ploy_decision_tree_leaf(tree, "creep", none);
    ploy_decision_node flank = ploy_decision_tree_test(
        tree, "flanked?", ploy_condition_bool(set, "flanked"), move, attack);
    ploy_decision_node near = ploy_decision_tree_test(
        tree, "near?", ploy_condition_range(set, "distance", 0, 10), attack, flank);
    ploy_decision_node heard = ploy_decision_tree_test(
        tree, "audible?", ploy_condition_bool(set, "audible"), creep, nothing);
    ploy_decision_node root =
        ploy_decision_tree_test(tree, "visible?", ploy_condition_bool(set, "visible"), near, heard);
    return ploy_decision_tree_finish(tree, root);
}

int main(void) {
    static const struct {
        bool visible, audible, flanked;
        float distance;
    } moments[] = {{false, false, false, 50},
                   {false, true, false, 30},
                   {true, true, true, 20},
                   {true, true, true, 5}};
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_decision_tree *tree = NULL;
    ploy_decision_def def = ploy_decision_def_default();
    ploy_decision *decision = NULL;
    if (ploy_blackboard_layout_create(guard_keys, 4, "guard", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &context.blackboard) != PLOY_OK ||
        ploy_decision_tree_create(layout, &env, &tree) != PLOY_OK || guard_build(tree) != PLOY_OK ||
        ploy_decision_create(&def, tree, &env, &decision) != PLOY_OK) {
        return 1;
    }
    ploy_buffer text;
    ploy_buffer_init(&text, 4096, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_decision_tree_print(tree, &writer);
    printf("%s", ploy_buffer_text(&text));
    for (size_t i = 0; i < sizeof moments / sizeof moments[0]; i++) {
        bool flags[3] = {moments[i].visible, moments[i].audible, moments[i].flanked};
        for (uint32_t k = 0; k < 3; k++) {
            ploy_slot slot = {k + 1};
            (void)ploy_blackboard_set_bool(context.blackboard, slot, flags[k]);
        }
        ploy_slot distance = ploy_blackboard_layout_find(layout, "distance");
        (void)ploy_blackboard_set_f32(context.blackboard, distance, moments[i].distance);
        ploy_moment moment = ploy_moment_make(&context);
        ploy_decision_node leaf = ploy_decision_evaluate(decision, &moment);
        const char *id = ploy_decision_tree_id(tree, leaf);
        printf("at %.0f m: %s\n", (double)moments[i].distance, id[0] != '\0' ? id : "nothing");
    }
    ploy_decision_report report = {0};
    (void)ploy_decision_tree_judge(tree, NULL, &report);
    printf("%d decisions, at most %d on a path, %.1f on average\n", (int)report.decisions,
           (int)report.max_depth, report.average_depth);
    ploy_buffer_fini(&text);
    ploy_decision_destroy(decision);
    ploy_decision_tree_destroy(tree);
    ploy_blackboard_destroy(context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
