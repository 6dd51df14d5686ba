// Sub-trees of behavior trees: a built tree is copied under a SubTree node of another.
//
// A copy is as good as a call and needs no stack at run time: the parts of the tree are appended to
// the draft's, and every index in them is moved by where they begin there.
#include <string.h>

#include "decide/bt_builder_internal.h"
#include "decide/expression_internal.h"

// Where the parts of a copied tree begin in the draft.
typedef struct bt_subtree_base {
    uint32_t nodes, extras, leaves, makers, ports, hooks, refs, values, scopes, texts, guards;
} bt_subtree_base;

static uint32_t bt_subtree_shift(uint32_t index, uint32_t base) {
    return index == PLOYI_BT_NONE ? index : index + base;
}

static bool bt_subtree_copy_plain(ploy_bt_builder *builder, const ploy_bt *tree) {
    ploy_bt *draft = &builder->draft;
    const struct {
        ploy_array *to;
        const ploy_array *from;
    } copies[] = {
        {&draft->texts, &tree->texts},   {&draft->values, &tree->values},
        {&draft->makers, &tree->makers}, {&draft->ports, &tree->ports},
        {&draft->leaves, &tree->leaves}, {&draft->hooks, &tree->hooks},
        {&draft->extras, &tree->extras}, {&draft->nodes, &tree->nodes},
    };
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        if (copies[i].from->count == 0) continue;
        if (ploy_array_push_many(copies[i].to, copies[i].from->items, copies[i].from->count) !=
            PLOY_OK) {
            ployi_bt_builder_memory(builder);
            return false;
        }
    }
    return true;
}

static void bt_subtree_replace(ployi_bt_test *test, const ploy_expression *from,
                               const ploy_expression *to) {
    if (test->expression == from) test->expression = to;
}

// Expressions that the tree owns are copied, because it may be destroyed before this one.
static bool bt_subtree_copy_expressions(ploy_bt_builder *builder, const ploy_bt *tree,
                                        const bt_subtree_base *base) {
    ploy_bt *draft = &builder->draft;
    for (int32_t k = 0; k < tree->expressions.count; k++) {
        const ploy_expression *own = *PLOYI_BT_AT(tree, expressions, ploy_expression *, k);
        ploy_expression *copy = NULL;
        ploy_result result = ployi_expression_copy(own, &builder->env, &copy);
        if (result == PLOY_OK) result = ploy_array_push(&draft->expressions, &copy);
        if (result != PLOY_OK) {
            ploy_expression_destroy(copy);
            ployi_bt_builder_memory(builder);
            return false;
        }
        for (uint32_t i = base->extras; i < (uint32_t)draft->extras.count; i++) {
            bt_subtree_replace(&PLOYI_BT_AT(draft, extras, ployi_bt_extra, i)->condition, own,
                               copy);
        }
        for (uint32_t i = base->hooks; i < (uint32_t)draft->hooks.count; i++) {
            bt_subtree_replace(&PLOYI_BT_AT(draft, hooks, ployi_bt_hook, i)->test, own, copy);
        }
    }
    return true;
}

static void bt_subtree_shift_copied(ploy_bt *draft, const bt_subtree_base *base, uint32_t parent) {
    for (uint32_t i = base->nodes; i < (uint32_t)draft->nodes.count; i++) {
        ployi_bt_node *node = PLOYI_BT_AT(draft, nodes, ployi_bt_node, i);
        node->end += base->nodes;
        node->parent = node->parent == PLOYI_BT_NONE ? parent : node->parent + base->nodes;
        uint32_t first = ployi_bt_has_leaf(node)          ? base->leaves
                         : node->kind == PLOY_BT_BEHAVIOR ? base->makers
                                                          : base->extras;
        node->extra = bt_subtree_shift(node->extra, first);
        node->hook = bt_subtree_shift(node->hook, base->hooks);
        node->name += base->texts;
    }
    for (uint32_t i = base->extras; i < (uint32_t)draft->extras.count; i++) {
        ployi_bt_extra *extra = PLOYI_BT_AT(draft, extras, ployi_bt_extra, i);
        extra->ref = bt_subtree_shift(extra->ref, base->refs);
        extra->condition.ref = bt_subtree_shift(extra->condition.ref, base->refs);
        for (int32_t k = 0; k < PLOYI_BT_SETTINGS; k++) {
            extra->keys[k] = bt_subtree_shift(extra->keys[k], base->refs);
        }
        extra->first_value += base->values;
        extra->scope = bt_subtree_shift(extra->scope, base->scopes - 1);
        extra->text = bt_subtree_shift(extra->text, base->texts);
    }
    for (uint32_t i = base->nodes; i < (uint32_t)draft->nodes.count; i++) {
        const ployi_bt_node *node = PLOYI_BT_AT(draft, nodes, ployi_bt_node, i);
        if (node->kind != PLOY_BT_SIGNAL && node->kind != PLOY_BT_SEMAPHORE_GUARD) continue;
        ployi_bt_extra *extra = PLOYI_BT_AT(draft, extras, ployi_bt_extra, node->extra);
        extra->target += node->kind == PLOY_BT_SIGNAL ? base->nodes : base->guards;
    }
    for (uint32_t i = base->leaves; i < (uint32_t)draft->leaves.count; i++) {
        PLOYI_BT_AT(draft, leaves, ployi_bt_bound_leaf, i)->first_port += base->ports;
    }
    for (uint32_t i = base->ports; i < (uint32_t)draft->ports.count; i++) {
        ployi_bt_port *port = PLOYI_BT_AT(draft, ports, ployi_bt_port, i);
        port->ref = bt_subtree_shift(port->ref, base->refs);
        port->value = bt_subtree_shift(port->value, base->values);
    }
    for (uint32_t i = base->hooks; i < (uint32_t)draft->hooks.count; i++) {
        ployi_bt_hook *hook = PLOYI_BT_AT(draft, hooks, ployi_bt_hook, i);
        hook->next = bt_subtree_shift(hook->next, base->hooks);
        hook->test.ref = bt_subtree_shift(hook->test.ref, base->refs);
    }
}

// The place of a sub-tree's own key: on its board, or where it is bound to.
static ployi_bt_ref bt_subtree_remap(ploy_bt_builder *builder, ployi_bt_ref ref, uint32_t scope,
                                     const ploy_blackboard_layout *layout,
                                     const ploy_bt_bind *binds, int32_t bind_count,
                                     bool autoremap) {
    ployi_bt_ref own = {scope, ref.slot};
    const char *name = ploy_blackboard_layout_name(layout, ref.slot);
    const ploy_bt_bind *bind = ployi_bt_builder_bind(binds, bind_count, name);
    if (bind != NULL && bind->key == NULL) return own; // a literal
    if (bind == NULL && (!autoremap || name[0] == '_')) return own;
    // Without a bind the key need not be there, so look before asking.
    uint32_t outer = builder->scope[builder->depth];
    const char *key = bind != NULL ? bind->key : name;
    for (; outer != PLOYI_BT_NONE && bind == NULL;) {
        const ployi_bt_scope *around = PLOYI_BT_AT(&builder->draft, scopes, ployi_bt_scope, outer);
        if (around->layout != NULL &&
            !ploy_slot_is_none(ploy_blackboard_layout_find(around->layout, key))) {
            break;
        }
        outer = around->parent;
    }
    if (outer == PLOYI_BT_NONE) return own;
    ploy_value_type type = PLOY_VALUE_NONE;
    uint32_t found = ployi_bt_builder_key(builder, key, &type);
    if (found == PLOYI_BT_NONE) return own;
    if (type == ploy_blackboard_layout_type(layout, ref.slot)) {
        return *PLOYI_BT_AT(&builder->draft, refs, ployi_bt_ref, found);
    }
    if (bind != NULL) {
        ployi_bt_builder_fault(builder, PLOY_ERR_ARGUMENT, "wrong type of key for", name);
    }
    return own;
}

static bool bt_subtree_literals(ploy_bt_builder *builder, uint32_t scope,
                                const ploy_blackboard_layout *layout, const ploy_bt_bind *binds,
                                int32_t bind_count) {
    for (int32_t i = 0; i < bind_count; i++) {
        ploy_slot slot = ploy_slot_none();
        if (layout != NULL && binds[i].port != NULL) {
            slot = ploy_blackboard_layout_find(layout, binds[i].port);
        }
        if (ploy_slot_is_none(slot)) {
            ployi_bt_builder_fault(builder, PLOY_ERR_NOT_FOUND, "unknown key of the sub-tree",
                                   binds[i].port);
            return false;
        }
        if (binds[i].key != NULL) continue;
        ployi_bt_literal literal = {{scope, slot}, ploy_value_none()};
        ploy_value_type type = ploy_blackboard_layout_type(layout, slot);
        if (!ployi_bt_builder_convert(builder, &binds[i].value, type, binds[i].port,
                                      &literal.value) ||
            ployi_bt_builder_push(builder, &builder->draft.literals, &literal) == PLOYI_BT_NONE) {
            return false;
        }
    }
    return true;
}

static uint32_t bt_subtree_depth_of(const ploy_bt *tree) {
    uint32_t deepest = 0;
    for (int32_t i = 0; i < tree->nodes.count; i++) {
        ploy_bt_node_info info;
        ploy_bt_node_at(tree, i, &info);
        if ((uint32_t)info.depth > deepest) deepest = (uint32_t)info.depth;
    }
    return deepest;
}

// Scopes and literals of the copied tree; its scope 0 becomes the new one.
static bool bt_subtree_copy_scopes(ploy_bt_builder *builder, const ploy_bt *tree, uint32_t scope,
                                   const bt_subtree_base *base) {
    ploy_bt *draft = &builder->draft;
    for (int32_t i = 1; i < tree->scopes.count; i++) {
        ployi_bt_scope copy = *PLOYI_BT_AT(tree, scopes, ployi_bt_scope, i);
        copy.node += base->nodes;
        copy.parent = bt_subtree_shift(copy.parent, scope);
        if (ployi_bt_builder_push(builder, &draft->scopes, &copy) == PLOYI_BT_NONE) return false;
    }
    for (int32_t i = 0; i < tree->literals.count; i++) {
        ployi_bt_literal copy = *PLOYI_BT_AT(tree, literals, ployi_bt_literal, i);
        copy.ref.scope += scope;
        if (ployi_bt_builder_push(builder, &draft->literals, &copy) == PLOYI_BT_NONE) return false;
    }
    return true;
}

ploy_result ploy_bt_builder_add_subtree(ploy_bt_builder *builder, const ploy_bt *tree,
                                        const char *name, const ploy_bt_bind *binds,
                                        int32_t bind_count, bool autoremap) {
    if (builder == NULL || tree == NULL || bind_count < 0 || (bind_count > 0 && binds == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (builder->fault != PLOY_OK) return builder->fault;
    ploy_bt *draft = &builder->draft;
    if ((uint32_t)builder->depth + 2 + bt_subtree_depth_of(tree) >= PLOY_BT_DEPTH_MAX) {
        return ployi_bt_builder_fault(builder, PLOY_ERR_LIMIT, "nodes are nested too deeply at",
                                      name);
    }
    if (draft->nodes.count + 1 > PLOY_BT_NODES_MAX - tree->nodes.count) {
        return ployi_bt_builder_fault(builder, PLOY_ERR_LIMIT, "too many nodes at", name);
    }
    const ploy_blackboard_layout *layout = PLOYI_BT_AT(tree, scopes, ployi_bt_scope, 0)->layout;
    ployi_bt_scope own = {layout, PLOYI_BT_NONE, (uint32_t)draft->nodes.count, false};
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_SUBTREE, name);
    if (name == NULL) def.name = ploy_bt_name(tree);
    uint32_t node = PLOYI_BT_NONE;
    if (ployi_bt_builder_add(builder, &def, &node) != PLOY_OK) return builder->fault;
    uint32_t scope = ployi_bt_builder_push(builder, &draft->scopes, &own);
    if (scope == PLOYI_BT_NONE) return builder->fault;
    PLOYI_BT_AT(draft, extras, ployi_bt_extra, (uint32_t)draft->extras.count - 1)->scope = scope;
    if (!bt_subtree_literals(builder, scope, layout, binds, bind_count)) return builder->fault;
    // References first: looking keys up adds more references.
    ploy_array refs;
    ploy_array_init(&refs, sizeof(ployi_bt_ref), &builder->env);
    for (int32_t i = 0; i < tree->refs.count && builder->fault == PLOY_OK; i++) {
        ployi_bt_ref ref = *PLOYI_BT_AT(tree, refs, ployi_bt_ref, i);
        if (ref.scope == 0) {
            ref = bt_subtree_remap(builder, ref, scope, layout, binds, bind_count, autoremap);
        } else {
            ref.scope += scope;
        }
        ployi_bt_builder_push(builder, &refs, &ref);
    }
    bt_subtree_base base = {(uint32_t)draft->nodes.count,
                            (uint32_t)draft->extras.count,
                            (uint32_t)draft->leaves.count,
                            (uint32_t)draft->makers.count,
                            (uint32_t)draft->ports.count,
                            (uint32_t)draft->hooks.count,
                            (uint32_t)draft->refs.count,
                            (uint32_t)draft->values.count,
                            scope + 1,
                            (uint32_t)draft->texts.count,
                            draft->guards};
    if (builder->fault == PLOY_OK && refs.count > 0 &&
        ploy_array_push_many(&draft->refs, refs.items, refs.count) != PLOY_OK) {
        ployi_bt_builder_memory(builder);
    }
    ploy_array_fini(&refs);
    if (builder->fault != PLOY_OK || !bt_subtree_copy_plain(builder, tree) ||
        !bt_subtree_copy_expressions(builder, tree, &base) ||
        !bt_subtree_copy_scopes(builder, tree, scope, &base)) {
        return builder->fault;
    }
    bt_subtree_shift_copied(draft, &base, node);
    draft->guards += tree->guards;
    PLOYI_BT_AT(draft, nodes, ployi_bt_node, node)->end = (uint32_t)draft->nodes.count;
    builder->last = node;
    return PLOY_OK;
}
