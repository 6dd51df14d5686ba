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
/// Faults stick: the calls may be chained without a look at their results, and
/// ploy_bt_builder_build reports every fault. Keys are resolved to slots when a node is added: in a
/// SubTree among the sub-tree's own keys, which are isolated but for what is remapped; under a
/// BlackboardScope among the scope's and then those around it, the nearest first.
///
/// Threads: one caller at a time.
#pragma once

#include "ploy/decide/bt.h"
#include "ploy/decide/expression.h"

/// Something that holds or not. Texts and expressions read the keys of the node's scope, and those
/// around it below a BlackboardScope; a condition of a set sees the board of the scope.
typedef struct ploy_bt_condition {
    const char *text;           ///< "health < 20 && !fleeing", see expression.h; copied. Or NULL
    const ploy_conditions *set; ///< or NULL; must outlive the tree, and have the scope's layout
    ploy_condition condition;   ///< of the set
    /// Used if text and set are NULL: holds if it comes to a number other than 0. Bound here, to
    /// the keys in the node's scope; must outlive the tree.
    ploy_expression *expression;
} ploy_bt_condition;

/// A text. What calls words of the game needs a set.
PLOY_API ploy_bt_condition ploy_bt_condition_text(const char *text);
PLOY_API ploy_bt_condition ploy_bt_condition_expression(ploy_expression *expression);
PLOY_API ploy_bt_condition ploy_bt_condition_of(const ploy_conditions *set,
                                                ploy_condition condition);

/// Settings of a node; each kind reads those that it is listed with. ploy_bt_node_make sets the
/// defaults.
///
/// Composites, children in order:
/// - Sequence: until one fails; all done is success. SequenceWithMemory: goes on after a failure
///   with the child that failed. ReactiveSequence: from the first one in each step, halting what
///   ran behind one that runs now. AsyncSequence: one child that finishes a step.
/// - Reactive nodes step the new child first and then halt the old one, as BehaviorTree.CPP 4 does,
///   because only the step shows whether the new child runs: the new leaf's start comes before the
///   old leaf's stop. A stop must therefore release only what its own leaf acquired. Keep a number
///   of it in the leaf's state (ploy_navigator_trip, a ticket) and compare it in stop.
/// - Fallback, ReactiveFallback, AsyncFallback: until one succeeds. All children SKIPPED is SKIPPED
///   here as in all composites. Without children a sequence succeeds, a fallback fails.
/// - IfThenElse: the condition once, then its branch; without a third child "else" is FAILURE.
///   WhileDoElse: the condition in each step, halting the other branch.
/// - Switch (key, values): the child of the first value that equals the key's, else the last child;
///   looked up in each step.
/// - TryCatch: a sequence of all but the last; if one fails the last runs, and FAILURE.
/// - Parallel (count: successes, -1; count2: failures, 1; negative counts from the number of
///   children + 1): all unfinished ones in each step, until enough have succeeded or failed, or too
///   few can still succeed; the rest is halted. Or (share, share2, above 0): of the children,
///   rounded up, at least one.
/// - ParallelAll (count2, 1): all to their ends; FAILURE if that many failed.
/// - ShuffledSequence, ShuffledFallback: in a new random order in each run.
/// - RandomSelector (count, 0): one random child a step until one succeeds; count tries at most, 0
///   for no end.
/// - UtilityFallback: by score (ploy_bt_builder_score), highest first, equal ones in order; a child whose
///   score is not above 0 is not tried.
///
/// Decorators:
/// - Inverter, ForceSuccess, ForceFailure: RUNNING and SKIPPED pass.
/// - Repeat (count, 1), RetryUntilSuccessful (count, 1): so often, all in one step for children
///   that finish at once; -1 is without end, one turn a step.
/// - KeepRunningUntilFailure: success is RUNNING, failure FAILURE. UntilFail (result, SUCCESS):
///   success is RUNNING, failure the result. UntilSuccess: the mirror image. Restart (count, 0):
///   again whatever the child answers, one turn a step; 0 without end, else SUCCESS after that many.
/// - Timeout (seconds; result, FAILURE): halts the child and answers the result. Delay (seconds):
///   RUNNING, then the child. Cooldown (seconds): FAILURE if the child's last run ended less than
///   that ago.
/// - RunOnce (flag, true): SKIPPED afterwards, or with false what the child answered then.
///   Limit (count, 1): FAILURE after that many starts.
/// - Precondition (condition; result, FAILURE): the result unless it holds when the child starts.
/// - Loop (key, values; result, SUCCESS): the child once for each value, one a step, after writing
///   it to the key; the result when none is left. FAILURE ends it.
/// - SkipUnlessUpdated, WaitValueUpdate (key): SKIPPED or RUNNING until the key's value changes.
/// - SemaphoreGuard (text: the semaphore's name; count: its maximum, 1): FAILURE if it is taken.
/// - Interrupter, Gate (flag: open at first, true), Hold: see ploy_bt_instance_signal. A Gate that
///   is closed fails and halts its child. A Hold keeps its child's answer until it is released.
/// - BlackboardScope (layout): separate keys below it, fresh in each run.
///
/// Leaves: AlwaysSuccess, AlwaysFailure; Sleep (seconds; seconds_max: if larger, a random time
/// between); SetBlackboard (key, value), UnsetBlackboard (key: back to zero), WasEntryUpdated
/// (key: SUCCESS if it changed since the last look); ScriptCondition (condition); Script (text or
/// expression of its condition: runs it, SUCCESS; what it cannot do ends the step with an error);
/// Signal (text: the name of the node it speaks to; result, SUCCESS).
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
    /// Keys of numbers in place of the settings of these names, NULL for none. A time is read when
    /// its node starts, a Cooldown's when it is asked; a count whenever it is looked at. What is
    /// out of range counts as the nearest number that is not; NaN as 0.
    const char *count_key;       ///< of a Parallel, Repeat, Retry, Restart, Limit, RandomSelector
    const char *count2_key;      ///< of a Parallel, ParallelAll
    const char *seconds_key;     ///< of a Timeout, Delay, Cooldown, Sleep
    const char *seconds_max_key; ///< of a Sleep
    double key_scale;            ///< seconds that 1 in a key of times means; 0: 1
    /// Of a Loop in place of its values: a key of text, values parted by ';'. Each turn takes the
    /// first away, so that Loops may share it and others add to it while it runs. What does not
    /// read as the key's type fails.
    const char *queue_key;
} ploy_bt_node_def;

/// The defaults of that kind.
PLOY_API ploy_bt_node_def ploy_bt_node_make(ploy_bt_kind kind, const char *name);

/// The key or literal of a leaf's port or a sub-tree's key.
typedef struct ploy_bt_bind {
    const char *port;
    const char *key;  ///< of the node's scope; NULL: the value
    ploy_value value; ///< a literal
} ploy_bt_bind;

/// When a node's condition or effect is looked at. The first three, in this order and only when the
/// node does not run, answer for it; WHILE halts it too, and is SKIPPED. Effects follow the answer,
/// also one that a condition gave: SUCCESS or FAILURE, then DONE; HALTED follows a halt.
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

/// What happens after a node: a function, a value written to a key, or an expression.
typedef struct ploy_bt_effect {
    void (*act)(ploy_bt_call *call); ///< or NULL
    void *user;                      ///< of act
    const char *key;                 ///< written if act is NULL
    ploy_value value;
    ploy_expression *expression; ///< run if act and key are NULL, see ploy_bt_condition
} ploy_bt_effect;

PLOY_API ploy_bt_effect ploy_bt_effect_make(const char *key, ploy_value value);
PLOY_API ploy_bt_effect ploy_bt_effect_expression(ploy_expression *expression);
PLOY_API ploy_bt_effect ploy_bt_effect_call(void (*act)(ploy_bt_call *call), void *user);

/// Opaque.
typedef struct ploy_bt_builder ploy_bt_builder;

/// @param name    of the tree.
/// @param layout  of the blackboards it will run with; NULL: none. Must outlive the tree.
PLOY_API ploy_result ploy_bt_builder_create(const char *name, const ploy_blackboard_layout *layout,
                                            const ploy_env *env, ploy_bt_builder **out);
/// NULL is allowed.
PLOY_API void ploy_bt_builder_destroy(ploy_bt_builder *builder);

/// Opens a composite or decorator with default settings, or with those of a def; what follows up to
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

/// Adds a leaf of yours. @param name  NULL: the leaf's. @param user  for its callbacks.
PLOY_API ploy_result ploy_bt_builder_add_leaf(ploy_bt_builder *builder, const ploy_bt_leaf *leaf,
                                              const char *name, void *user,
                                              const ploy_bt_bind *binds, int32_t bind_count);

/// Opens a composite or decorator of yours: a leaf with `choose`. What follows up to its close are
/// its children. Its start, stop and message, ports and state are as a leaf's; it cannot sleep.
PLOY_API ploy_result ploy_bt_builder_open_control(ploy_bt_builder *builder,
                                                  const ploy_bt_leaf *leaf, const char *name,
                                                  void *user, const ploy_bt_bind *binds,
                                                  int32_t bind_count);

/// Adds any behavior as a leaf. Each instance makes its own at the first visit. An error inside it
/// is a failure of the node, see maker.h; an error of the maker itself is a result of the step.
/// @param name  NULL: the maker's, or the kind's.
/// @param keep  false: destroys it after each run and makes another, which saves memory in rare
///              branches.
PLOY_API ploy_result ploy_bt_builder_add_behavior(ploy_bt_builder *builder, const char *name,
                                                  ploy_maker maker, bool keep);

/// Adds a copy of another tree under a SubTree node. Its keys are its own on a board of each
/// instance, but for those that are bound to keys here; a literal is what its key begins with.
/// @param autoremap  binds all other keys whose name and type are found here; not those that begin
///                   with '_'.
PLOY_API ploy_result ploy_bt_builder_add_subtree(ploy_bt_builder *builder, const ploy_bt *tree,
                                                 const char *name, const ploy_bt_bind *binds,
                                                 int32_t bind_count, bool autoremap);

/// Conditions, effects and score of the node that was opened or added last.
PLOY_API ploy_result ploy_bt_builder_when_holds(ploy_bt_builder *builder, ploy_bt_when when,
                                                const ploy_bt_condition *condition);
PLOY_API ploy_result ploy_bt_builder_then(ploy_bt_builder *builder, ploy_bt_when when,
                                          const ploy_bt_effect *effect);
/// How good a child of a UtilityFallback is now. NaN counts as impossible.
/// @param set  of the score; must outlive the tree and have the scope's layout.
PLOY_API ploy_result ploy_bt_builder_score(ploy_bt_builder *builder, const ploy_conditions *set,
                                           ploy_score score);

/// Checks the whole, the behaviors' makers included (see maker.h), and hands it out; the builder is
/// empty then. Warns of composites without
/// children or with one, of children behind one that always decides, and of a composite inside
/// one of the same kind, which could be flattened.
/// @param diags  may be NULL. @return the first fault; PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND (a
/// key, a Signal's node), PLOY_ERR_LIMIT (too many nodes, too deep), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_bt_builder_build(ploy_bt_builder *builder, ploy_diags *diags,
                                           ploy_bt **out);
