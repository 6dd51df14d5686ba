/// @file ploy/decide/fsm_table.h
/// State machines from constant tables: states and rules as arrays of structs.
///
///     static const ploy_fsm_state_row states[] = {
///         {"patrol", .hooks = {.execute = walk}},
///         {"attack", .hooks = {.execute = strike}},
///     };
///     static const ploy_fsm_rule_row rules[] = {
///         {"spotted", .from = "patrol", .when = "sees_enemy", .to = "attack"},
///         {"lost", .from = "attack", .when = "!sees_enemy && after(2)", .to = "patrol"},
///     };
///     static const ploy_fsm_table guard = {states, 2, .rules = rules, .rule_count = 2};
///     ploy_result result = ploy_fsm_type_from_table(NULL, &guard, layout, &env, &type);
///
/// Everything is checked as by the calls of fsm.h, and faults go to the env's log. Features without
/// a member in the row (decision trees, alarms, scores) need those calls.
#pragma once

#include "ploy/decide/fsm.h"

/// One state. Only the id is required.
typedef struct ploy_fsm_state_row {
    const char *id;
    ploy_fsm_hooks hooks;
    const ploy_maker *inside; ///< makes the behavior that runs in the state; NULL: none
    size_t data_size;         ///< private bytes, see ploy_fsm_type_set_data
    bool keep_data;
    ploy_status final; ///< SUCCESS or FAILURE: the state is final
} ploy_fsm_state_row;

/// One rule, see ploy_fsm_rule.
typedef struct ploy_fsm_rule_row {
    const char *id;
    const char *from; ///< a state's id; NULL: every state but the target
    const char *when; ///< a condition as text, see condition.h; NULL: always
    const char *to;   ///< a state's id; NULL for effects without a target
    const char *on;   ///< the kind of message that it answers; NULL: none
    int32_t priority;
    ploy_fsm_effect effect;
    ploy_result (*action)(void *user, const ploy_fsm_turn *turn);
    void *user; ///< of action
} ploy_fsm_rule_row;

typedef struct ploy_fsm_table {
    const ploy_fsm_state_row *states;
    int32_t state_count;
    const ploy_fsm_rule_row *rules;
    int32_t rule_count;
    const char *initial;          ///< NULL: the first state
    const char *idle;             ///< the idle state; NULL: none
    const ploy_fsm_hooks *global; ///< NULL: none
    const ploy_word *words;       ///< that conditions may call; NULL: none
    int32_t word_count;
    const ploy_blackboard_key *keys; ///< of a private layout if none is given, see
                                     ///< ploy_fsm_type_layout; NULL: none
    int32_t key_count;
} ploy_fsm_table;

/// Builds and finishes a type.
/// @param def     NULL: the default.
/// @param layout  as in ploy_fsm_type_create; NULL: the table's keys.
/// @return the first fault, with nothing left allocated: PLOY_ERR_NOT_FOUND for an unknown state,
///         and errors of ploy_fsm_type_state, ploy_fsm_type_add, ploy_condition_read and finish.
PLOY_API ploy_result ploy_fsm_type_from_table(const ploy_fsm_def *def, const ploy_fsm_table *table,
                                              const ploy_blackboard_layout *layout,
                                              const ploy_env *env, ploy_fsm_type **out);
