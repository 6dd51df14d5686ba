// Hierarchical machines under the policy `keep_inner`: an outer state's rules come first, and a
// state that is left as a whole remembers its inner one without leaving it.
// Technique: Millington, "AI for Games", 5.3.9, with a rule's action after what it leaves, the
// active actions of a state whose inner one is entered first, and rules that go up and down again.
#include "hsm_internal.h"

// The state of the present path inward whose rule fires, outermost first; its rule, or -1.
static int32_t hsm_levels_choose(ploy_hsm *hsm, ploy_step_context *context) {
    for (uint32_t i = hsm->current[0]; i != 0; i = hsm->current[i]) {
        int32_t rule = ployi_hsm_rule_of(hsm, context, i);
        if (rule >= 0) return rule;
    }
    return -1;
}

// Leaves one state; with deep_exit first what is inside, which stays remembered.
static void hsm_levels_leave(ploy_hsm *hsm, ploy_step_context *context, uint32_t number) {
    uint32_t inner = hsm->current[number];
    if (hsm->type->def.deep_exit && inner != 0) hsm_levels_leave(hsm, context, inner);
    ployi_hsm_exit_state(hsm, context, number, PLOY_EXIT_INTERRUPTED);
    if (hsm->type->def.clear_inner) hsm->current[number] = 0;
}

// Enters the inner states of one that was entered as a whole, as the settings require.
static void hsm_levels_resume(ploy_hsm *hsm, ploy_step_context *context, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    const ployi_hsm_node *node = ployi_hsm_node_at(type, number);
    if (node->children == 0) return;
    uint32_t inner = hsm->current[number];
    bool again = inner != 0 && type->def.deep_exit;
    bool first = inner == 0 && type->def.eager;
    if (first) inner = hsm->current[number] = ployi_hsm_targets(type, node->initial_first)[0];
    if (!again && !first) return;
    ployi_hsm_enter_state(hsm, context, inner);
    hsm_levels_resume(hsm, context, inner);
}

// Enters the states from below `top` down to the target. What one of them remembers gives way.
static void hsm_levels_descend(ploy_hsm *hsm, ploy_step_context *context, uint32_t top,
                               uint32_t target) {
    uint32_t parent = ployi_hsm_node_at(hsm->type, target)->parent;
    if (parent != top) hsm_levels_descend(hsm, context, top, parent);
    // A remembered inner state was never left, unless leaving is deep.
    if (parent != top && hsm->current[parent] != 0 && !hsm->type->def.deep_exit) {
        hsm_levels_leave(hsm, context, hsm->current[parent]);
    }
    hsm->current[parent] = target;
    ployi_hsm_enter_state(hsm, context, target);
}

// Follows a rule; returns the state inside which it happened.
static uint32_t hsm_levels_follow(ploy_hsm *hsm, ploy_step_context *context, int32_t rule) {
    const ploy_hsm_type *type = hsm->type;
    const ployi_hsm_link *link = ployi_hsm_link_at(type, rule);
    if (link->target_count == 0) {
        ployi_hsm_fire(hsm, context, rule);
        return link->from;
    }
    uint32_t target = ployi_hsm_targets(type, link->target_first)[0];
    uint32_t from = link->from;
    uint32_t top = ployi_hsm_node_at(type, from)->parent;
    while (!ployi_hsm_within(type, target, top)) {
        hsm_levels_leave(hsm, context, from);
        hsm->current[top] = 0; // left from inside: forgotten
        from = top;
        top = ployi_hsm_node_at(type, top)->parent;
    }
    hsm_levels_leave(hsm, context, from);
    ployi_hsm_fire(hsm, context, rule);
    hsm_levels_descend(hsm, context, top, target);
    hsm_levels_resume(hsm, context, target);
    hsm->changes++;
    return top;
}

void ployi_hsm_levels_step(ploy_hsm *hsm, ploy_step_context *context) {
    const ploy_hsm_type *type = hsm->type;
    (void)ployi_hsm_next_event(hsm);
    int32_t rule = hsm_levels_choose(hsm, context);
    if (rule < 0 && hsm->has_event) {
        hsm->has_event = false; // no state answers it; rules without an event have their turn
        rule = hsm_levels_choose(hsm, context);
    }
    uint32_t around;
    if (rule >= 0) {
        around = hsm_levels_follow(hsm, context, rule);
    } else {
        // Inward to the last state that has a current one, or that must get its first now.
        around = 0;
        while (hsm->current[around] != 0) around = hsm->current[around];
        const ployi_hsm_node *node = ployi_hsm_node_at(type, around);
        if (node->children > 0) {
            uint32_t first = ployi_hsm_targets(type, node->initial_first)[0];
            hsm->current[around] = first;
            ployi_hsm_enter_state(hsm, context, first);
        }
    }
    for (; around != 0; around = ployi_hsm_node_at(type, around)->parent) {
        ployi_hsm_execute_state(hsm, context, around);
    }
    hsm->has_event = false;
}
