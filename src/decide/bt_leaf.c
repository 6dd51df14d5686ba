// What leaves, conditions and effects of behavior trees reach: ports, sleep, conditions.
#include "decide/bt_walk.h"

ploy_blackboard_ref ployi_bt_ref_of(const ploy_bt_instance *instance, uint32_t ref) {
    ploy_blackboard_ref out = {NULL, {0}};
    if (ref == PLOYI_BT_NONE) return out;
    const ployi_bt_ref *key = PLOYI_BT_AT(instance->bt, refs, ployi_bt_ref, ref);
    out.board = instance->boards[key->scope];
    out.slot = key->slot;
    return out;
}

void ployi_bt_set(const ploy_bt_instance *instance, uint32_t ref, const ploy_value *value) {
    ploy_blackboard_ref key = ployi_bt_ref_of(instance, ref);
    // The builder converted the value to the key's type, so this cannot be refused.
    if (key.board != NULL) ploy_blackboard_set(key.board, key.slot, value);
}

ploy_result ployi_bt_run(const ploy_bt_instance *instance, const ployi_bt_test *test,
                         ploy_step_context *context, ploy_expression_value *out) {
    ploy_moment moment = ploy_moment_make(context);
    ploy_blackboard_ref refs[PLOY_EXPRESSION_NAMES_MAX];
    for (int32_t i = 0; i < ploy_expression_name_count(test->expression); i++) {
        refs[i] = ployi_bt_ref_of(instance, test->ref + (uint32_t)i);
    }
    return ploy_expression_run(test->expression, refs, &moment, out);
}

bool ployi_bt_holds(const ployi_bt_test *test, ploy_bt_call *call) {
    if (test->set != NULL) {
        ploy_step_context *context = call->context;
        ploy_blackboard *board = context->blackboard;
        ploy_moment moment = ploy_moment_make(context);
        context->blackboard = ployi_bt_board_of(call->instance, (uint32_t)call->node);
        bool holds = ploy_condition_test(test->set, test->condition, &moment);
        context->blackboard = board;
        return holds;
    }
    ploy_expression_value came;
    return ployi_bt_run(call->instance, test, call->context, &came) == PLOY_OK && !came.is_text &&
           came.number != 0.0;
}

static const ployi_bt_bound_leaf *bt_leaf_of(const ploy_bt_call *call) {
    const ploy_bt *bt = call->instance->bt;
    const ployi_bt_node *node = PLOYI_BT_AT(bt, nodes, ployi_bt_node, call->node);
    if (!ployi_bt_has_leaf(node)) return NULL;
    return PLOYI_BT_AT(bt, leaves, ployi_bt_bound_leaf, node->extra);
}

static const ployi_bt_port *bt_leaf_port(const ploy_bt_call *call, int32_t port) {
    const ployi_bt_bound_leaf *bound = bt_leaf_of(call);
    if (bound == NULL || port < 0 || port >= bound->leaf.port_count) return NULL;
    return PLOYI_BT_AT(call->instance->bt, ports, ployi_bt_port,
                       bound->first_port + (uint32_t)port);
}

ploy_blackboard_ref ploy_bt_port_ref(const ploy_bt_call *call, int32_t port) {
    const ployi_bt_port *bound = bt_leaf_port(call, port);
    return ployi_bt_ref_of(call->instance, bound != NULL ? bound->ref : PLOYI_BT_NONE);
}

ploy_result ploy_bt_port_get(const ploy_bt_call *call, int32_t port, ploy_value *out) {
    const ployi_bt_port *bound = bt_leaf_port(call, port);
    if (bound == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    if (bound->ref != PLOYI_BT_NONE) {
        ploy_blackboard_ref key = ployi_bt_ref_of(call->instance, bound->ref);
        return key.board != NULL ? ploy_blackboard_get(key.board, key.slot, out)
                                 : PLOY_ERR_NOT_FOUND;
    }
    if (bound->value == PLOYI_BT_NONE) return PLOY_ERR_NOT_FOUND;
    *out = *PLOYI_BT_AT(call->instance->bt, values, ploy_value, bound->value);
    return PLOY_OK;
}

ploy_result ploy_bt_port_set(const ploy_bt_call *call, int32_t port, const ploy_value *value) {
    const ployi_bt_port *bound = bt_leaf_port(call, port);
    if (bound == NULL || value == NULL) return PLOY_ERR_ARGUMENT;
    if (bound->ref == PLOYI_BT_NONE) {
        return bound->value != PLOYI_BT_NONE ? PLOY_ERR_DENIED : PLOY_ERR_NOT_FOUND;
    }
    ploy_blackboard_ref key = ployi_bt_ref_of(call->instance, bound->ref);
    if (key.board == NULL) return PLOY_ERR_NOT_FOUND;
    return ploy_blackboard_set(key.board, key.slot, value);
}

ploy_result ploy_bt_sleep(ploy_bt_call *call, int32_t port, double seconds, bool message) {
    const ployi_bt_bound_leaf *bound = bt_leaf_of(call);
    if (bound == NULL || !bound->leaf.sleeps) return PLOY_ERR_STATE;
    ploy_blackboard_ref key = ploy_bt_port_ref(call, port);
    if (port >= 0 && key.board == NULL) return PLOY_ERR_ARGUMENT;
    ployi_bt_wake *wake = ployi_bt_wake_of(call->instance, bound);
    wake->until = seconds > 0.0 ? call->context->now + seconds : 0.0;
    wake->port = port >= 0 ? port : -1;
    wake->changes = port >= 0 ? ploy_blackboard_slot_changes(key.board, key.slot) : 0;
    wake->message = message;
    wake->asleep = true;
    return PLOY_OK;
}

bool ployi_bt_asleep(const ploy_bt_instance *instance, const ployi_bt_bound_leaf *bound,
                     double now) {
    const ployi_bt_wake *wake = ployi_bt_wake_of(instance, bound);
    if (!wake->asleep) return false;
    if (wake->until > 0.0 && now >= wake->until) return false;
    if (wake->port < 0) return true;
    const ployi_bt_port *port =
        PLOYI_BT_AT(instance->bt, ports, ployi_bt_port, bound->first_port + (uint32_t)wake->port);
    ploy_blackboard_ref key = ployi_bt_ref_of(instance, port->ref);
    return key.board == NULL || ploy_blackboard_slot_changes(key.board, key.slot) == wake->changes;
}

ploy_bt_call ployi_bt_call(ploy_bt_instance *instance, ploy_step_context *context, uint32_t node) {
    ploy_bt_call call = {context, instance, (int32_t)node, NULL, NULL};
    const ployi_bt_bound_leaf *bound = bt_leaf_of(&call);
    if (bound != NULL) {
        call.user = bound->user;
        if (bound->leaf.state_size > 0) call.state = instance->leaf_state + bound->state;
    }
    return call;
}
