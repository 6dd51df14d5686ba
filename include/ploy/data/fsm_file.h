/// @file ploy/data/fsm_file.h
/// State machines as text: designers join states, tests and rules that programmers made.
///
///     { "initial": "patrol",
///       "states": [ { "id": "patrol", "do": "walk" }, { "id": "chase", "do": "run" } ],
///       "rules": [
///         { "id": "sees it", "from": "patrol", "when": "sees", "to": "chase" },
///         { "id": "lost it", "from": "chase", "to": "patrol",
///           "when": { "all": [ { "not": "sees" }, { "after": 2 } ] } },
///         { "id": "hurt", "to": "flee", "priority": 1, "when": { "key": "health", "max": 10 } } ] }
///
/// The palette says what `do` and `when` may name. A file loads whole or not at all: every fault is
/// reported with its line and column and the nearest valid name. Comments and trailing commas are
/// allowed. What was loaded is a ploy_fsm_type like any other: print it as a Graphviz graph, lint
/// it, and exchange it in running characters, which stay in their states (ploy_fsm_swap).
///
/// | member | |
/// |---|---|
/// | `initial` | the state to begin in |
/// | `states` | `id`; `do`: an action of the palette; `final`: `success` or `failure` |
/// | `rules` | `id`; `from`: a state, else every other; `to`; `when`; `on`: a kind of message;
/// |         | `priority`; `effect`: `go`, `push`, `pop`, `revert`, `stay` |
/// | `global` | an action that is done in every state |
/// | `idle` | the state entered after `settings.idle` seconds without a change |
/// | `settings` | of ploy_fsm_def |
///
/// A condition is the name of a test or of a bool on the blackboard, or an object with one of `not`,
/// `all`, `any`, `test` with `args`, `key` with `min` and `max`, `after` (seconds in the state).
///
/// Technique: Millington, "AI for Games", 3rd edition, 2019, chapter 12: behavior tools.
/// Cost: O(rules x rules) at most, for equal ids. Threads: one caller at a time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/decide/fsm.h"

/// Most states and rules in a file, and how deep conditions may nest.
#define PLOY_FSM_FILE_STATES_MAX 1000
#define PLOY_FSM_FILE_RULES_MAX 10000
#define PLOY_FSM_FILE_DEPTH_MAX 32

/// Something a state may do.
typedef struct ploy_fsm_action {
    const char *name;
    ploy_fsm_hooks hooks;
    ploy_maker inside; ///< a behavior that runs in the state; all zero: none
} ploy_fsm_action;

/// Something a rule may ask.
typedef struct ploy_fsm_test {
    const char *name;
    ploy_condition_fn fn;
    void *user;
    int32_t arity; ///< numbers that it takes
} ploy_fsm_test;

/// What files may name.
typedef struct ploy_fsm_palette {
    const ploy_fsm_action *actions;
    int32_t action_count;
    const ploy_fsm_test *tests;
    int32_t test_count;
    const ploy_blackboard_layout *layout; ///< for `key`, and bools by name; may be NULL. Kept
} ploy_fsm_palette;

/// Loads a finished type.
/// @param name   of the file, for messages.
/// @param diags  gets every fault; may be NULL.
/// @param out    the type on PLOY_OK, otherwise NULL.
/// @return PLOY_ERR_FORMAT if something in the file is wrong, PLOY_ERR_LIMIT if it is too large,
///         PLOY_ERR_ARGUMENT for a palette that lacks something, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_fsm_load(const void *bytes, size_t size, const char *name,
                                   const ploy_fsm_palette *palette, const ploy_env *env,
                                   ploy_diags *diags, ploy_fsm_type **out);
