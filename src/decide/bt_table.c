// Behavior trees from constant tables: the calls of bt_builder.h, row by row.
#include "ploy/decide/bt_table.h"

#include <string.h>

#include "decide/bt_builder_internal.h"

static void bt_table_add_leaf(ploy_bt_builder *builder, const ploy_bt_row *row) {
    ploy_bt_leaf leaf;
    memset(&leaf, 0, sizeof leaf);
    if (row->leaf != NULL) {
        leaf = *row->leaf;
    } else {
        leaf.name = row->name;
        leaf.test = row->test;
        leaf.step = row->step;
    }
    (void)ploy_bt_builder_add_leaf(builder, &leaf, row->name, row->user, row->binds,
                                   row->bind_count);
}

// Adds a node; opens it if it can have children.
static void bt_table_add(ploy_bt_builder *builder, const ploy_bt_row *row) {
    ploy_bt_node_def def = ploy_bt_node_make(row->kind, row->name);
    if (row->settings != NULL) {
        def = *row->settings;
        def.kind = row->kind;
        if (row->name != NULL) def.name = row->name;
    }
    bool own = row->kind == PLOY_BT_CONDITION || row->kind == PLOY_BT_PRECONDITION;
    ploy_bt_condition when = ploy_bt_condition_text(row->when);
    if (row->when != NULL && own) def.condition = when;
    if (row->kind == PLOY_BT_LEAF) {
        bt_table_add_leaf(builder, row);
    } else if (row->kind == PLOY_BT_CONTROL) {
        (void)ploy_bt_builder_open_control(builder, row->leaf, row->name, row->user, row->binds,
                                           row->bind_count);
    } else if (row->kind == PLOY_BT_BEHAVIOR) {
        ploy_maker none = ploy_maker_none();
        (void)ploy_bt_builder_add_behavior(builder, row->name,
                                           row->maker != NULL ? *row->maker : none, true);
    } else if (row->kind >= PLOY_BT_ALWAYS_SUCCESS) {
        (void)ploy_bt_builder_add_node(builder, &def);
    } else {
        (void)ploy_bt_builder_open_node(builder, &def);
    }
    if (row->when != NULL && !own) {
        (void)ploy_bt_builder_when_holds(builder, PLOY_BT_WHILE, &when);
    }
}

static ploy_result bt_table_build(ploy_bt_builder *builder, const ploy_bt_row *rows,
                                  int32_t count) {
    int32_t open = 0; // nodes that are open: the depth that a child of the last of them has
    for (int32_t i = 0; i < count && builder->fault == PLOY_OK; i++) {
        if (rows[i].depth < 0 || rows[i].depth > open) {
            return ployi_bt_builder_fault(builder, PLOY_ERR_FORMAT, "missing parent row of node",
                                          rows[i].name);
        }
        for (; open > rows[i].depth; open--) (void)ploy_bt_builder_close(builder);
        bt_table_add(builder, &rows[i]);
        if (rows[i].kind < PLOY_BT_ALWAYS_SUCCESS) open++;
    }
    for (; open > 0 && builder->fault == PLOY_OK; open--) (void)ploy_bt_builder_close(builder);
    return builder->fault;
}

ploy_result ploy_bt_from_table(const char *name, const ploy_bt_row *rows, int32_t count,
                               const ploy_blackboard_layout *layout, const ploy_env *env,
                               ploy_diags *diags, ploy_bt **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (rows == NULL || env == NULL || count < 1) return PLOY_ERR_ARGUMENT;
    ploy_bt_builder *builder = NULL;
    ploy_result result = ploy_bt_builder_create(name, layout, env, &builder);
    if (result != PLOY_OK) return result;
    ploy_diags *own = NULL;
    if (diags == NULL) result = ploy_diags_create(16, env, &own);
    if (result == PLOY_OK) {
        (void)bt_table_build(builder, rows, count); // build returns the first fault
        result = ploy_bt_builder_build(builder, diags != NULL ? diags : own, out);
    }
    if (result != PLOY_OK && own != NULL) ploy_diags_log(own, env);
    ploy_diags_destroy(own);
    ploy_bt_builder_destroy(builder);
    return result;
}
