// Shared between bt_builder.c, bt_builder_leaf.c and bt_subtree.c, which copies trees into others.
//
// Invariants:
//   (1) stack[0 .. depth - 1] are the open nodes, each the parent of the next;
//   (2) after the first fault nothing is added any more, except to the list of faults;
//   (3) the present scope is where a key of the next node is looked up.
#pragma once

#include "decide/bt_internal.h"

struct ploy_bt_builder {
    ploy_env env;
    ploy_bt draft;
    ploy_result fault;
    ploy_diags *diags; // of the faults while building
    int32_t depth;
    uint32_t last; // node, for hooks
    uint32_t stack[PLOY_BT_DEPTH_MAX];
    uint32_t scope[PLOY_BT_DEPTH_MAX + 1]; // present scope at each depth
};

// Notes a fault and returns the builder's first.
ploy_result ployi_bt_builder_fault(ploy_bt_builder *builder, ploy_result code, const char *what,
                                   const char *name);
// Memory is not a fault of the tree: nothing is said, and the builder remembers.
ploy_result ployi_bt_builder_memory(ploy_bt_builder *builder);
// Adds a copy of an item. @return its index, NONE if memory is short.
uint32_t ployi_bt_builder_push(ploy_bt_builder *builder, ploy_array *array, const void *item);
// Finds a key in the present scope, or, below a BlackboardScope, in those around it.
uint32_t ployi_bt_builder_key(ploy_bt_builder *builder, const char *name, ploy_value_type *type);
// A literal in the type of what it is for.
bool ployi_bt_builder_convert(ploy_bt_builder *builder, const ploy_value *value,
                              ploy_value_type type, const char *name, ploy_value *out);
// The bind of that port, or NULL.
const ploy_bt_bind *ployi_bt_builder_bind(const ploy_bt_bind *binds, int32_t count,
                                          const char *port);
// Adds a node as a child of the open one. @return NONE after a fault.
uint32_t ployi_bt_builder_node(ploy_bt_builder *builder, ploy_bt_kind kind, const char *name,
                               uint32_t extra);
// Makes the node the one that takes children, its keys found from that scope on.
ploy_result ployi_bt_builder_enter(ploy_bt_builder *builder, uint32_t node, uint32_t scope);
// Adds a node with its settings as a child of the open one.
ploy_result ployi_bt_builder_add(ploy_bt_builder *builder, const ploy_bt_node_def *def,
                                 uint32_t *out);
