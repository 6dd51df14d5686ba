// A guard at a gate, by four kinds of decision nodes. You see "and" wired as nodes, a switch with
// many branches beside the same as a chain of tests, and a random node that keeps its choice for
// three evaluations. Shows ploy_decision_tree_wire, _switch, _chain and _random; finish refuses a
// loop.
#include <stdio.h>

#include "ploy/decide/decision_tree.h"

static const ploy_blackboard_key gate_keys[] = {
    {"near", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "a visitor is at the gate"},
    {"armed", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "with a weapon"},
    {"side", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, "0 own, 1 ally, 2 enemy"},
};

static const int64_t sides[] = {0, 1, 2};

// near and not armed: by the switch; armed: by the chain; otherwise pass the time.
static ploy_decision_node gate_build(ploy_decision_tree *tree) {
    ploy_conditions *set = ploy_decision_tree_conditions(tree);
    ploy_maker none = ploy_maker_none();
    ploy_decision_node open = ploy_decision_tree_leaf(tree, "open", none);
    ploy_decision_node ask = ploy_decision_tree_leaf(tree, "ask", none);
    ploy_decision_node fight = ploy_decision_tree_leaf(tree, "fight", none);
    ploy_decision_node yawn = ploy_decision_tree_leaf(tree, "yawn", none);
    ploy_decision_node whistle = ploy_decision_tree_leaf(tree, "whistle", none);
    ploy_decision_node calm[] = {open, open, ask}, tense[] = {open, ask, fight};
    ploy_decision_node idle[] = {yawn, whistle};
    static const float weights[] = {1, 2};
    ploy_decision_random settings = ploy_decision_random_default();
    settings.stable = true;
    settings.alternate = true; // after the time-out, a different child
    settings.evaluations = 3;
    ploy_decision_node many = ploy_decision_tree_switch(tree, "side", "side", sides, calm, 3, ask);
    ploy_decision_node two = ploy_decision_tree_chain(tree, "sides", "side", sides, tense, 3, ask);
    ploy_decision_node pass =
        ploy_decision_tree_random(tree, "pass time", &settings, idle, weights, 2);
    ploy_condition near = ploy_condition_bool(set, "near");
    ploy_condition armed = ploy_condition_bool(set, "armed");
    ploy_condition unarmed = ploy_condition_and(set, near, ploy_condition_not(set, armed));
    ploy_decision_node rest = ploy_decision_tree_test(tree, "near?", near, two, pass);
    return ploy_decision_tree_wire(tree, "unarmed?", unarmed, many, rest);
}

static void gate_decide(const ploy_decision_tree *tree, ploy_decision *decision,
                        ploy_step_context *context, bool near, bool armed, int64_t side) {
    ploy_blackboard *board = context->blackboard;
    const ploy_blackboard_layout *layout = ploy_blackboard_layout_of(board);
    (void)ploy_blackboard_set_bool(board, ploy_blackboard_layout_find(layout, "near"), near);
    (void)ploy_blackboard_set_bool(board, ploy_blackboard_layout_find(layout, "armed"), armed);
    (void)ploy_blackboard_set_i64(board, ploy_blackboard_layout_find(layout, "side"), side);
    ploy_moment moment = ploy_moment_make(context);
    printf(" %s", ploy_decision_tree_id(tree, ploy_decision_evaluate(decision, &moment)));
    ploy_step_context_next(context);
}

// A branch that leads back to its own node: building allows it, finish refuses it.
static ploy_result gate_loop(const ploy_blackboard_layout *layout, const ploy_env *env) {
    ploy_env quiet = *env;
    quiet.log = NULL;
    ploy_decision_tree *tree = NULL;
    ploy_result result = ploy_decision_tree_create(layout, &quiet, &tree);
    if (result != PLOY_OK) return result;
    ploy_condition near = ploy_condition_bool(ploy_decision_tree_conditions(tree), "near");
    ploy_decision_node leaf = ploy_decision_tree_leaf(tree, "leaf", ploy_maker_none());
    ploy_decision_node root = ploy_decision_tree_test(tree, "near?", near, leaf, leaf);
    (void)ploy_decision_tree_link(tree, root, 1, root);
    result = ploy_decision_tree_finish(tree, root);
    ploy_decision_tree_destroy(tree);
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    ploy_decision_tree *tree = NULL;
    ploy_decision_def def = ploy_decision_def_default();
    ploy_decision *decision = NULL;
    if (ploy_blackboard_layout_create(gate_keys, 3, "gate", &env, NULL, &layout) != PLOY_OK ||
        ploy_blackboard_create(layout, &env, &context.blackboard) != PLOY_OK ||
        ploy_decision_tree_create(layout, &env, &tree) != PLOY_OK ||
        ploy_decision_tree_finish(tree, gate_build(tree)) != PLOY_OK ||
        ploy_decision_create(&def, tree, &env, &decision) != PLOY_OK) {
        return 1;
    }
    printf("unarmed, by the switch:");
    for (int64_t side = 0; side < 4; side++) {
        gate_decide(tree, decision, &context, true, false, side);
    }
    printf("\narmed, by the chain:");
    for (int64_t side = 0; side < 4; side++) {
        gate_decide(tree, decision, &context, true, true, side);
    }
    printf("\nalone:");
    for (int i = 0; i < 9; i++) gate_decide(tree, decision, &context, false, false, 0);
    printf("\na loop: %s\n", ploy_result_text(gate_loop(layout, &env)));
    ploy_decision_destroy(decision);
    ploy_decision_tree_destroy(tree);
    ploy_blackboard_destroy(context.blackboard);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
