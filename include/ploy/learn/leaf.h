/// @file ploy/learn/leaf.h
/// Learned leaves: any learner or actor as a behavior in any decision maker.
///
/// A leaf reads its inputs from the agent's blackboard, queries the learner or actor, and writes
/// the class or action to another key, as an index. It succeeds at once, or fails if there is no
/// opinion, so that a tree can fall back to a hand-made rule. The decision maker that holds the
/// leaf acts on the answer: a switch over the key, conditions, utilities.
///
///     ploy_learned_leaf_def def = ploy_learned_leaf_def_default();
///     def.learner = bayes; def.layout = layout; def.answer_key = "brake";
///     ploy_learned_leaf_create(&def, &env, &leaf);
///     ploy_bt_builder_behavior(builder, "decide", ploy_learned_leaf_maker(leaf)); // or any holder
///
/// Columns of a learner are keys of the same names: numbers f32 or f64, categories i64 (an invalid
/// index counts as missing). At most 256 columns. The leaf only predicts; the game decides what to
/// observe. Cost: one prediction per step. Allocates nothing. Threads: many agents may share one
/// leaf while nothing learns.
#pragma once

#include "ploy/exec/maker.h"
#include "ploy/learn/actor.h"
#include "ploy/learn/learner.h"

/// Settings of a leaf. Set a learner or an actor; pointers are borrowed until the leaf is
/// destroyed.
typedef struct ploy_learned_leaf_def {
    ploy_learner learner; ///< must classify
    ploy_actor actor;     ///< acts greedily
    const ploy_blackboard_layout *layout;
    /// Keys (f32, f64, i64 or bool) of an actor's observation, in its order; NULL for a learner.
    const char *const *observed;
    int32_t observed_count;
    const char *state_key;  ///< i64, of an actor's counted state; NULL: not counted
    const char *answer_key; ///< i64, receives the class or action
    double confidence;      ///< a learner's answer below this counts as no opinion
} ploy_learned_leaf_def;

PLOY_API ploy_learned_leaf_def ploy_learned_leaf_def_default(void);

/// A learned leaf, shared by all agents. Opaque.
typedef struct ploy_learned_leaf ploy_learned_leaf;

/// @return PLOY_ERR_ARGUMENT if neither or both of learner and actor are set, if the
///         learner does not
///         classify, or for a key of the wrong type; PLOY_ERR_NOT_FOUND for a key that the layout
///         lacks (each fault goes to the env's log); PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_learned_leaf_create(const ploy_learned_leaf_def *def, const ploy_env *env,
                                              ploy_learned_leaf **out);
/// NULL is allowed. Its behaviors must be gone.
PLOY_API void ploy_learned_leaf_destroy(ploy_learned_leaf *leaf);

/// The class or action for the values on a blackboard; -1 for no opinion. Changes nothing.
PLOY_API int32_t ploy_learned_leaf_choose(const ploy_learned_leaf *leaf,
                                          const ploy_blackboard *board);
/// Makes the behaviors. Each reports its alternatives to the trace.
PLOY_API ploy_maker ploy_learned_leaf_maker(const ploy_learned_leaf *leaf);
