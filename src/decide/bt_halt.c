// The end of a run in a behavior tree: effects, leaving, halting; see bt_step.c for the walk.
#include "decide/bt_walk.h"

void ployi_bt_effects(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node,
                      uint32_t when) {
    const ploy_bt *bt = instance->bt;
    uint32_t next = PLOYI_BT_AT(bt, nodes, ployi_bt_node, node)->hook;
    while (next != PLOYI_BT_NONE) {
        const ployi_bt_hook *hook = PLOYI_BT_AT(bt, hooks, ployi_bt_hook, next);
        next = hook->next;
        if (hook->when != when) continue;
        if (hook->act != NULL) {
            ploy_bt_call call = ployi_bt_call(instance, context, node);
            call.user = hook->test.user;
            hook->act(&call);
        } else if (hook->test.expression != NULL) {
            // There is no one left to report its failure to; the types are checked, so hardly one does.
            ployi_bt_run(instance, &hook->test, context, NULL);
        } else {
            ployi_bt_set(instance, hook->test.ref, &hook->test.value);
        }
    }
}

// The board that a behavior leaf is shown: that of its scope.
ploy_blackboard *ployi_bt_board_of(const ploy_bt_instance *instance, uint32_t node) {
    const ploy_bt *bt = instance->bt;
    uint32_t up = PLOYI_BT_AT(bt, nodes, ployi_bt_node, node)->parent;
    while (up != PLOYI_BT_NONE) {
        const ployi_bt_node *around = PLOYI_BT_AT(bt, nodes, ployi_bt_node, up);
        if (around->kind == PLOY_BT_SUBTREE || around->kind == PLOY_BT_BLACKBOARD_SCOPE) {
            return instance->boards[ployi_bt_extra_of(bt, around)->scope];
        }
        up = around->parent;
    }
    return instance->boards[0];
}

void ployi_bt_leave(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node,
                    ploy_exit_reason reason) {
    const ployi_bt_node *at = PLOYI_BT_AT(instance->bt, nodes, ployi_bt_node, node);
    ploy_nested *behavior = &instance->behaviors[at->extra];
    ploy_blackboard *board = context->blackboard;
    context->blackboard = ployi_bt_board_of(instance, node);
    ploy_nested_exit(behavior, context, reason);
    context->blackboard = board;
    if (!PLOYI_BT_AT(instance->bt, makers, ployi_bt_maker, at->extra)->keep) {
        ploy_nested_destroy(behavior);
    }
}

// What a node does when its run ends, however it ends.
void ployi_bt_end(ploy_bt_instance *instance, const ploy_step_context *context,
                  const ployi_bt_node *node) {
    uint32_t *words = &instance->words[node->state];
    if (node->kind == PLOY_BT_SEMAPHORE_GUARD) {
        uint32_t guard = ployi_bt_extra_of(instance->bt, node)->target;
        if (words[0] != 0) ploy_semaphores_release(instance->semaphores, instance->guards[guard]);
        words[0] = 0;
    } else if (node->kind == PLOY_BT_COOLDOWN) {
        words[0] = 1;
        ployi_bt_set_time(&words[1], context->now);
    }
}

void ployi_bt_halt(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node,
                   ploy_exit_reason reason) {
    if (instance->status[node] != PLOYI_BT_RUNS) return;
    const ployi_bt_node *nodes = PLOY_ARRAY_ITEMS(&instance->bt->nodes, ployi_bt_node);
    const ployi_bt_node *at = &nodes[node];
    // As deep as the tree, which is PLOY_BT_DEPTH_MAX at most.
    for (uint32_t child = node + 1; child < at->end; child = nodes[child].end) {
        ployi_bt_halt(instance, context, child, reason);
    }
    switch ((ploy_bt_kind)at->kind) {
    case PLOY_BT_LEAF:
    case PLOY_BT_CONTROL: {
        ploy_bt_call call = ployi_bt_call(instance, context, node);
        const ployi_bt_bound_leaf *bound =
            PLOYI_BT_AT(instance->bt, leaves, ployi_bt_bound_leaf, at->extra);
        if (bound->leaf.stop != NULL) bound->leaf.stop(&call, reason);
        break;
    }
    case PLOY_BT_BEHAVIOR: ployi_bt_leave(instance, context, node, reason); break;
    case PLOY_BT_REPEAT:
    case PLOY_BT_RETRY: instance->words[at->state] = 0; break;
    case PLOY_BT_SEMAPHORE_GUARD:
    case PLOY_BT_COOLDOWN: ployi_bt_end(instance, context, at); break;
    default: break;
    }
    instance->status[node] = PLOYI_BT_IDLE;
    if ((at->flags & PLOYI_BT_FLAG_HALTED) != 0) {
        ployi_bt_effects(instance, context, node, PLOY_BT_ON_HALTED);
    }
}

void ployi_bt_halt_node(const ployi_bt_walk *walk, uint32_t node) {
    ployi_bt_halt(walk->instance, walk->context, node, PLOY_EXIT_INTERRUPTED);
}

void ployi_bt_halt_children(const ployi_bt_walk *walk, uint32_t node) {
    for (uint32_t child = node + 1; child < walk->nodes[node].end; child = walk->nodes[child].end) {
        if (ployi_bt_runs(walk, child)) ployi_bt_halt_node(walk, child);
    }
}
