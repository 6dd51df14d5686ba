// Building behavior trees: the game's own leaves, controls and behaviors.
#include <string.h>

#include "decide/bt_builder_internal.h"

const ploy_bt_bind *ployi_bt_builder_bind(const ploy_bt_bind *binds, int32_t count,
                                          const char *port) {
    for (int32_t i = 0; i < count; i++) {
        if (binds[i].port != NULL && strcmp(binds[i].port, port) == 0) return &binds[i];
    }
    return NULL;
}

static bool bt_leaf_build_port(ploy_bt_builder *builder, const ploy_bt_port *port,
                               const ploy_bt_bind *bind, ployi_bt_port *out) {
    out->ref = out->value = PLOYI_BT_NONE;
    if (bind == NULL) {
        if (!port->optional) {
            ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "missing value of port", port->name);
        }
        return port->optional;
    }
    ploy_value value;
    if (bind->key == NULL) {
        if (!ployi_bt_builder_convert(builder, &bind->value, port->type, port->name, &value)) {
            return false;
        }
        out->value = ployi_bt_builder_push(builder, &builder->draft.values, &value);
        return out->value != PLOYI_BT_NONE;
    }
    ploy_value_type type = PLOY_VALUE_NONE;
    out->ref = ployi_bt_builder_key(builder, bind->key, &type);
    if (out->ref == PLOYI_BT_NONE) return false;
    if (type == port->type) return true;
    ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "wrong type of key for port", port->name);
    return false;
}

// Every bind must name something that is there.
static bool bt_leaf_build_known(ploy_bt_builder *builder, const ploy_bt_bind *binds, int32_t count,
                                const ploy_bt_leaf *leaf) {
    for (int32_t i = 0; i < count; i++) {
        bool known = false;
        for (int32_t k = 0; k < leaf->port_count && binds[i].port != NULL; k++) {
            known = known || strcmp(leaf->ports[k].name, binds[i].port) == 0;
        }
        if (known) continue;
        ployi_bt_builder_fault(builder, PLOY_ERR_NOT_FOUND, "unknown port", binds[i].port);
        return false;
    }
    return true;
}

// Checks and adds what the game's node does and is bound to. @return its index, NONE after a fault.
static uint32_t bt_leaf_build(ploy_bt_builder *builder, const ploy_bt_leaf *leaf, void *user,
                              const ploy_bt_bind *binds, int32_t bind_count, bool callable) {
    bool sized = leaf->state_size >= 0 && leaf->state_size <= 1 << 20 && leaf->port_count >= 0 &&
                 leaf->port_count <= 1000 && (leaf->port_count == 0 || leaf->ports != NULL);
    if (!callable || leaf->name == NULL || !sized || bind_count < 0 ||
        (bind_count > 0 && binds == NULL)) {
        ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "incomplete leaf", leaf->name);
        return PLOYI_BT_NONE;
    }
    if (!bt_leaf_build_known(builder, binds, bind_count, leaf)) return PLOYI_BT_NONE;
    ployi_bt_bound_leaf bound;
    memset(&bound, 0, sizeof bound);
    bound.leaf = *leaf;
    bound.user = user;
    bound.first_port = (uint32_t)builder->draft.ports.count;
    bound.plain = leaf->start == NULL && leaf->stop == NULL && leaf->state_size == 0 &&
                  leaf->message == NULL && !leaf->sleeps;
    for (int32_t i = 0; i < leaf->port_count; i++) {
        ployi_bt_port port;
        const ploy_bt_bind *bind = ployi_bt_builder_bind(binds, bind_count, leaf->ports[i].name);
        if (!bt_leaf_build_port(builder, &leaf->ports[i], bind, &port)) return PLOYI_BT_NONE;
        if (ployi_bt_builder_push(builder, &builder->draft.ports, &port) == PLOYI_BT_NONE) {
            return PLOYI_BT_NONE;
        }
    }
    return ployi_bt_builder_push(builder, &builder->draft.leaves, &bound);
}

ploy_result ploy_bt_builder_add_leaf(ploy_bt_builder *builder, const ploy_bt_leaf *leaf,
                                     const char *name, void *user, const ploy_bt_bind *binds,
                                     int32_t bind_count) {
    if (builder == NULL || leaf == NULL) return PLOY_ERR_ARGUMENT;
    if (builder->fault != PLOY_OK) return builder->fault;
    bool callable = (leaf->test != NULL) != (leaf->step != NULL) && leaf->choose == NULL;
    uint32_t at = bt_leaf_build(builder, leaf, user, binds, bind_count, callable);
    if (at == PLOYI_BT_NONE) return builder->fault;
    ployi_bt_builder_node(builder, PLOY_BT_LEAF, name != NULL ? name : leaf->name, at);
    return builder->fault;
}

ploy_result ploy_bt_builder_open_control(ploy_bt_builder *builder, const ploy_bt_leaf *leaf,
                                         const char *name, void *user, const ploy_bt_bind *binds,
                                         int32_t bind_count) {
    if (builder == NULL || leaf == NULL) return PLOY_ERR_ARGUMENT;
    if (builder->fault != PLOY_OK) return builder->fault;
    bool callable =
        leaf->choose != NULL && leaf->test == NULL && leaf->step == NULL && !leaf->sleeps;
    uint32_t at = bt_leaf_build(builder, leaf, user, binds, bind_count, callable);
    if (at == PLOYI_BT_NONE) return builder->fault;
    uint32_t node =
        ployi_bt_builder_node(builder, PLOY_BT_CONTROL, name != NULL ? name : leaf->name, at);
    if (node == PLOYI_BT_NONE) return builder->fault;
    return ployi_bt_builder_enter(builder, node, builder->scope[builder->depth]);
}

ploy_result ploy_bt_builder_add_behavior(ploy_bt_builder *builder, const char *name,
                                         ploy_maker maker, bool keep) {
    if (builder == NULL) return PLOY_ERR_ARGUMENT;
    if (builder->fault != PLOY_OK) return builder->fault;
    if (name == NULL) name = maker.name;
    if (ploy_maker_is_none(maker)) {
        return ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "missing maker for the behavior",
                                      name);
    }
    ployi_bt_maker made = {maker, keep, PLOYI_BT_NONE};
    uint32_t at = ployi_bt_builder_push(builder, &builder->draft.makers, &made);
    if (at == PLOYI_BT_NONE) return builder->fault;
    ployi_bt_builder_node(builder, PLOY_BT_BEHAVIOR, name, at);
    return builder->fault;
}
