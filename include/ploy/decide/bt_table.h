/// @file ploy/decide/bt_table.h
/// Behavior trees from constant tables: a row for each node, depth first.
///
///     static const ploy_bt_row rows[] = {
///         {.depth = 0, PLOY_BT_REACTIVE_FALLBACK, "guard"},
///         {1, PLOY_BT_SEQUENCE, "fight", .when = "enemy && health > 30"},
///         {2, PLOY_BT_LEAF, "draw", .step = draw},
///         {2, PLOY_BT_LEAF, "strike", .step = strike},
///         {1, PLOY_BT_LEAF, "patrol", .step = patrol},
///     };
///     ploy_result result = ploy_bt_from_table("guard", rows, 5, layout, &env, NULL, &bt);
///
/// Everything is checked as by the calls of bt_builder.h. Features without a member in the row
/// (sub-trees, effects, scores) need those calls.
#pragma once

#include "ploy/decide/bt_builder.h"

/// One node. Depth and kind are required.
typedef struct ploy_bt_row {
    int32_t depth;     ///< 0 for the root; its parent is the nearest row before it of depth - 1
    ploy_bt_kind kind; ///< of settings, if those are given
    const char *name;  ///< NULL: that of the leaf, maker or kind
    /// Of a ScriptCondition or Precondition: the condition it tests. Of any other node: the node
    /// runs only while this holds, and is SKIPPED otherwise (PLOY_BT_WHILE). A condition as text,
    /// see expression.h; NULL: none.
    const char *when;
    bool (*test)(ploy_bt_call *call); ///< of a LEAF: test or step, as in ploy_bt_leaf
    ploy_result (*step)(ploy_bt_call *call, ploy_status *status);
    const ploy_bt_leaf *leaf; ///< of a LEAF, replaces test and step; of a CONTROL
    void *user;               ///< for the callbacks
    const ploy_bt_bind *binds;
    int32_t bind_count;
    const ploy_maker *maker;          ///< of a BEHAVIOR
    const ploy_bt_node_def *settings; ///< of other kinds; NULL: the defaults
} ploy_bt_row;

/// Builds a tree.
/// @param layout  layout of the blackboards that the tree will run with; NULL: none. Must outlive
///                the tree, as must everything the rows point to.
/// @param diags   faults and warnings; NULL: faults go to the env's log.
/// @return the first fault, with nothing left allocated: PLOY_ERR_FORMAT for a depth that skips a
///         level or a text that cannot be parsed, and the errors of ploy_bt_builder_build.
PLOY_API ploy_result ploy_bt_from_table(const char *name, const ploy_bt_row *rows, int32_t count,
                                        const ploy_blackboard_layout *layout, const ploy_env *env,
                                        ploy_diags *diags, ploy_bt **out);
