/// @file ploy/decide/hsm_table.h
/// Hierarchical machines from constant tables: states and rules as arrays of structs.
///
///     static const ploy_hsm_state_row states[] = {
///         {.id = "clean"},
///         {.id = "search", .parent = "clean"},
///         {.id = "pick up", .parent = "clean"},
///         {.id = "refuel"},
///     };
///     static const ploy_hsm_rule_row rules[] = {
///         {"seen", .from = "search", .on = "trash", .to = "pick up"},
///         {"low", .from = "clean", .on = "power.low", .to = "refuel"},
///     };
///     static const ploy_hsm_table robot = {states, 4, .rules = rules, .rule_count = 2};
///
/// The checks are those of the calls in hsm.h, and faults go to the env's log. Use those calls for
/// anything without a member in a row (contents, several targets, initial states).
#pragma once

#include "ploy/decide/hsm.h"

/// One state. Rows are in document order: the descendants of a state directly after it.
typedef struct ploy_hsm_state_row {
    const char *id;
    const char *parent; ///< the id of an earlier state; NULL: the machine
    ploy_hsm_kind kind;
    ploy_hsm_hooks hooks;
    const ploy_maker *inside; ///< makes the behavior that runs in it; NULL: none
} ploy_hsm_state_row;

/// One rule, see ploy_hsm_rule.
typedef struct ploy_hsm_rule_row {
    const char *id;
    const char *from;
    const char *on;   ///< names of events, separated by spaces; NULL: none is needed
    const char *when; ///< a condition as text, see condition.h; NULL: always
    const char *to;   ///< NULL: only the action
    bool internal;
    ploy_hsm_action_fn action;
    void *user; ///< of action
} ploy_hsm_rule_row;

typedef struct ploy_hsm_table {
    const ploy_hsm_state_row *states;
    int32_t state_count;
    const ploy_hsm_rule_row *rules;
    int32_t rule_count;
    const ploy_word *words; ///< that conditions may use; NULL: none
    int32_t word_count;
} ploy_hsm_table;

/// Builds and finishes a type.
/// @param def     NULL: the default. @param layout  as in ploy_hsm_type_create.
/// @return the first fault, with nothing left allocated: PLOY_ERR_NOT_FOUND for an unknown state,
///         and errors of ploy_hsm_type_state, ploy_hsm_type_add, ploy_condition_read and finish.
PLOY_API ploy_result ploy_hsm_type_from_table(const ploy_hsm_def *def, const ploy_hsm_table *table,
                                              const ploy_blackboard_layout *layout,
                                              const ploy_env *env, ploy_hsm_type **out);
