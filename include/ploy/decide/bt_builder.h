/// @file ploy/decide/bt_builder.h
/// Building behavior trees in C.
///
///     ploy_bt_builder_open(builder, PLOY_BT_FALLBACK, "root");
///         ploy_bt_builder_open(builder, PLOY_BT_SEQUENCE, "fight");
///             ploy_bt_builder_add_leaf(builder, &sees_enemy, NULL, NULL, NULL, 0);
///             ploy_bt_builder_add_leaf(builder, &attack, NULL, NULL, NULL, 0);
///         ploy_bt_builder_close(builder);
///         ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_SUCCESS, "idle");
///     ploy_bt_builder_close(builder);
///     ploy_result result = ploy_bt_builder_build(builder, diags, &bt);
///
/// Faults are kept: calls may be chained without checking their results, and ploy_bt_builder_build
/// reports every fault. Keys are resolved to slots when a node is added: in a SubTree among the
/// sub-tree's own keys, which are isolated except for remapped keys; under a BlackboardScope among
/// the scope's keys, then those of the enclosing scopes, the nearest first.
///
/// Threads: one caller at a time.
#pragma once

#include "ploy/decide/bt.h"
#include "ploy/decide/expression.h"

/// A condition of a node. Texts and expressions read the keys of the node's scope and, below a
/// BlackboardScope, those of the enclosing scopes; a condition of a set reads the scope's
/// blackboard.
typedef struct ploy_bt_condition {
    const char *text;           ///< "health < 20 && !fleeing", see expression.h; copied. Or NULL
    const ploy_conditions *set; ///< or NULL; must outlive the tree, and have the scope's layout
    ploy_condition condition;   ///< of the set
    /// Used if text and set are NULL: holds if its value is a number other than 0. The builder
    /// binds it to the keys in the node's scope; must outlive the tree.
    ploy_expression *expression;
} ploy_bt_condition;

/// A condition from text. Text that calls the game's words needs a set instead.
PLOY_API ploy_bt_condition ploy_bt_condition_text(const char *text);
PLOY_API ploy_bt_condition ploy_bt_condition_expression(ploy_expression *expression);
PLOY_API ploy_bt_condition ploy_bt_condition_of(const ploy_conditions *set,
                                                ploy_condition condition);

/// Settings of a node; each kind reads only the settings listed with it. ploy_bt_node_make sets the
/// defaults.
///
/// Composites, children in order:
/// - Sequence: until one fails; SUCCESS if none does. SequenceWithMemory: after a failure, resumes
///   at the child that failed. ReactiveSequence: starts at the first child in each step; if a child
///   runs, a later child that was running is halted. AsyncSequence: at most one child finishes per
///   step.
/// - Reactive nodes step the new child first and then halt the old one, as BehaviorTree.CPP 4 does,
///   because only the step shows whether the new child runs: the new leaf's start comes before the
///   old leaf's stop. A stop must therefore release only what its own leaf acquired. Keep an
///   identifier of it in the leaf's state (ploy_navigator_trip, a ticket) and compare that in stop.
/// - Fallback, ReactiveFallback, AsyncFallback: until one succeeds. As in all composites, the
///   result is SKIPPED if all children are SKIPPED. Without children, a sequence succeeds and a
///   fallback fails.
/// - IfThenElse: tests the condition once, then runs the branch; without a third child, "else" is
///   FAILURE. WhileDoElse: tests the condition in each step and halts the other branch.
/// - Switch (key, values): the child of the first value that equals the key's, otherwise the last
///   child; checked in each step.
/// - TryCatch: a sequence of all children but the last; if one fails, the last runs, and the result
///   is FAILURE.
/// - Parallel (count: successes, -1; count2: failures, 1; negative: that number + number of
///   children + 1): all unfinished children in each step, until enough have succeeded or failed, or
///   too few can still succeed; the rest are halted. Or (share, share2, above 0): a share of the
///   children, rounded up, at least one.
/// - ParallelAll (count2, 1): runs all to their ends; FAILURE if count2 of them failed.
/// - ShuffledSequence, ShuffledFallback: in a new random order in each run.
/// - RandomSelector (count, 0): one random child per step until one succeeds; at most count tries,
///   0 for no limit.
/// - UtilityFallback: by score (ploy_bt_builder_score), highest first, equal scores in order;
///   children with a score of 0 or less are not tried.
///
/// Decorators:
/// - Inverter, ForceSuccess, ForceFailure: RUNNING and SKIPPED pass.
/// - Repeat (count, 1), RetryUntilSuccessful (count, 1): count times, all in one step for children
///   that finish at once; -1: forever, once per step.
/// - KeepRunningUntilFailure: success is RUNNING, failure FAILURE. UntilFail (result, SUCCESS):
///   success is RUNNING, failure the result. UntilSuccess: the mirror image. Restart (count, 0):
///   repeats the child whatever it returns, once per step; 0: forever, otherwise SUCCESS after
///   count runs.
/// - Timeout (seconds; result, FAILURE): halts the child and returns the result. Delay (seconds):
///   RUNNING, then the child. Cooldown (seconds): FAILURE if the child's last run ended less than
///   that ago.
/// - RunOnce (flag, true): SKIPPED after the first run, or with false what the child returned in
///   it. Limit (count, 1): FAILURE after that many starts.
/// - Precondition (condition; result, FAILURE): returns the result unless the condition holds when
///   the child starts.
/// - Loop (key, values; result, SUCCESS): the child once for each value, one per step, after
///   writing the value to the key; the result when no value is left. FAILURE ends the loop.
/// - SkipUnlessUpdated, WaitValueUpdate (key): SKIPPED or RUNNING until the key's value changes.
/// - SemaphoreGuard (text: the semaphore's name; count: its maximum, 1): FAILURE if it is taken.
/// - Interrupter, Gate (flag: open at first, true), Hold: see ploy_bt_instance_signal. A closed
///   Gate fails and halts its child. A Hold keeps its child's status until it is signaled.
/// - BlackboardScope (layout): separate keys below it, fresh in each run.
///
/// Leaves: AlwaysSuccess, AlwaysFailure; Sleep (seconds; seconds_max: if larger, a random time
/// between the two); SetBlackboard (key, value), UnsetBlackboard (key: back to zero),
/// WasEntryUpdated (key: SUCCESS if it changed since the last check); ScriptCondition (condition);
/// Script (text or expression of its condition: runs it and returns SUCCESS; a failed evaluation
/// ends the step with an error); Signal (text: the name of the node to signal; result, SUCCESS).
typedef struct ploy_bt_node_def {
    ploy_bt_kind kind;
    const char *name; ///< NULL: the kind's
    int32_t count, count2;
    float share, share2; ///< 0 to 1
    double seconds, seconds_max;
    ploy_status result;
    bool flag;
    const char *key;
    const ploy_value *values; ///< of a Switch, a Loop; SetBlackboard has one
    int32_t value_count;
    const char *text;
    ploy_bt_condition condition;
    const ploy_blackboard_layout *layout; ///< must outlive the tree
    /// Keys of numbers that replace the settings of the same names; NULL for none. A time is read
    /// when its node starts, a Cooldown's when it is visited; a count whenever it is checked.
    /// Values out of range are clamped; NaN counts as 0.
    const char *count_key;       ///< of a Parallel, Repeat, Retry, Restart, Limit, RandomSelector
    const char *count2_key;      ///< of a Parallel, ParallelAll
    const char *seconds_key;     ///< of a Timeout, Delay, Cooldown, Sleep
    const char *seconds_max_key; ///< of a Sleep
    double key_scale;            ///< seconds per unit of the keys of times; 0: 1
    /// For a Loop, replaces its values: a text key with values separated by ';'. Each turn removes
    /// the first value, so that Loops may share the queue and others may add to it while a Loop
    /// runs. A value that cannot be read as the key's type fails.
    const char *queue_key;
} ploy_bt_node_def;

/// The defaults of that kind.
PLOY_API ploy_bt_node_def ploy_bt_node_make(ploy_bt_kind kind, const char *name);

/// Binds a leaf's port or a sub-tree's key to a key or literal.
typedef struct ploy_bt_bind {
    const char *port;
    const char *key;  ///< of the node's scope; NULL: the value
    ploy_value value; ///< a literal
} ploy_bt_bind;

/// When a node's condition or effect is evaluated. The first three are tested in this order, only
/// when the node is not running, and replace its status. WHILE is also tested while the node runs;
/// if it does not hold, the node is halted and returns SKIPPED. Effects follow the status, even one
/// set by a condition: SUCCESS or FAILURE, then DONE; HALTED follows a halt.
typedef enum ploy_bt_when {
    PLOY_BT_FAILURE_IF,
    PLOY_BT_SUCCESS_IF,
    PLOY_BT_SKIP_IF,
    PLOY_BT_WHILE,
    PLOY_BT_ON_SUCCESS,
    PLOY_BT_ON_FAILURE,
    PLOY_BT_ON_DONE,
    PLOY_BT_ON_HALTED
} ploy_bt_when;

/// An effect after a node: a function, a value written to a key, or an expression.
typedef struct ploy_bt_effect {
    void (*act)(ploy_bt_call *call); ///< or NULL
    void *user;                      ///< of act
    const char *key;                 ///< written if act is NULL
    ploy_value value;
    ploy_expression *expression; ///< run if act and key are NULL, see ploy_bt_condition
} ploy_bt_effect;

PLOY_API ploy_bt_effect ploy_bt_effect_make(const char *key, ploy_value value);
PLOY_API ploy_bt_effect ploy_bt_effect_expression(ploy_expression *expression);

/// Opaque.
typedef struct ploy_bt_builder ploy_bt_builder;

/// @param name    name of the tree.
/// @param layout  layout of the blackboards that the tree will run with; NULL: none. Must outlive
///                the tree.
PLOY_API ploy_result ploy_bt_builder_create(const char *name, const ploy_blackboard_layout *layout,
                                            const ploy_env *env, ploy_bt_builder **out);
/// NULL is allowed.
PLOY_API void ploy_bt_builder_destroy(ploy_bt_builder *builder);

/// Opens a composite or decorator with default settings, or with those of a def; nodes added before
/// its close are its children. Every call returns the builder's first fault so far.
PLOY_API ploy_result ploy_bt_builder_open(ploy_bt_builder *builder, ploy_bt_kind kind,
                                          const char *name);
PLOY_API ploy_result ploy_bt_builder_open_node(ploy_bt_builder *builder,
                                               const ploy_bt_node_def *def);
PLOY_API ploy_result ploy_bt_builder_close(ploy_bt_builder *builder);
/// Adds a built-in leaf.
PLOY_API ploy_result ploy_bt_builder_add(ploy_bt_builder *builder, ploy_bt_kind kind,
                                         const char *name);
PLOY_API ploy_result ploy_bt_builder_add_node(ploy_bt_builder *builder,
                                              const ploy_bt_node_def *def);

/// Adds a custom leaf. @param name  NULL: the leaf's. @param user  for its callbacks.
PLOY_API ploy_result ploy_bt_builder_add_leaf(ploy_bt_builder *builder, const ploy_bt_leaf *leaf,
                                              const char *name, void *user,
                                              const ploy_bt_bind *binds, int32_t bind_count);

/// Opens a custom composite or decorator: a leaf with `choose`. Nodes added before its close are
/// its children. Its start, stop, message, ports and state work as in a leaf; it cannot sleep.
PLOY_API ploy_result ploy_bt_builder_open_control(ploy_bt_builder *builder,
                                                  const ploy_bt_leaf *leaf, const char *name,
                                                  void *user, const ploy_bt_bind *binds,
                                                  int32_t bind_count);

/// Adds any behavior as a leaf. Each instance creates its own behavior at the first visit. An error
/// inside the behavior is a failure of the node, see maker.h; an error of the maker itself is
/// returned by the step.
/// @param name  NULL: the maker's, or the kind's.
/// @param keep  false: destroys the behavior after each run and creates a new one for the next,
///              which saves memory in rarely visited branches.
PLOY_API ploy_result ploy_bt_builder_add_behavior(ploy_bt_builder *builder, const char *name,
                                                  ploy_maker maker, bool keep);

/// Adds a copy of another tree under a SubTree node. Its keys are private, on a blackboard in each
/// instance, except those bound to keys of this tree; a literal is the initial value of its key.
/// @param autoremap  also binds all other keys whose name and type exist in this tree, except those
///                   that begin with '_'.
PLOY_API ploy_result ploy_bt_builder_add_subtree(ploy_bt_builder *builder, const ploy_bt *tree,
                                                 const char *name, const ploy_bt_bind *binds,
                                                 int32_t bind_count, bool autoremap);

/// Conditions, effects and score of the node that was opened or added last.
PLOY_API ploy_result ploy_bt_builder_when_holds(ploy_bt_builder *builder, ploy_bt_when when,
                                                const ploy_bt_condition *condition);
PLOY_API ploy_result ploy_bt_builder_then(ploy_bt_builder *builder, ploy_bt_when when,
                                          const ploy_bt_effect *effect);
/// Sets the score of a child of a UtilityFallback. NaN counts as impossible.
/// @param set  of the score; must outlive the tree and have the scope's layout.
PLOY_API ploy_result ploy_bt_builder_score(ploy_bt_builder *builder, const ploy_conditions *set,
                                           ploy_score score);

/// Checks the whole tree, including the behaviors' makers (see maker.h), and returns it; the
/// builder is then empty. Warns of composites with no child or only one, of children after one that
/// always decides, and of a composite inside one of the same kind, which could be flattened.
/// @param diags  may be NULL.
/// @return the first fault; PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND (a key, a Signal's node),
///         PLOY_ERR_LIMIT (too many nodes, too deep), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_bt_builder_build(ploy_bt_builder *builder, ploy_diags *diags,
                                           ploy_bt **out);
