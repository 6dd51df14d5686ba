/// @file ploy/decide/arbiter.h
/// Arbitration: which strategy an agent pursues, by how desirable each is now.
///
/// Every strategy has a score from 0 to 1 (ploy/decide/condition.h) and a goal that is installed
/// when it wins. The score is multiplied by a bias, so that the same strategies make an aggressive
/// and a cautious character: its personality, which can be loaded from a file. A score reads a
/// moment, not the agent, so the same arbiter can be asked about another agent: what would I do in
/// its place?
///
/// The type holds the strategies and is shared; an arbiter is one agent's: its biases, its tree of
/// goals (ploy/decide/goals.h) and what it pursues. It is a behavior that chooses and steps the
/// goals. A strategy that wins again goes on untouched. Ties go to the strategy added first;
/// Buckland's rule, the last, is PLOY_TIES_LAST.
///
/// When to use which: an arbiter chooses between goals, with personalities; utility
/// (ploy/decide/utility.h) chooses between behaviors by response curves; gob (ploy/decide/gob.h)
/// chooses between actions by what they change.
///
/// Technique: Buckland, "Programming Game AI by Example", chapter 9.
/// Cost: O(strategies) a choice; nothing allocates after create but goals. Threads: a finished type
/// may be used by many; an arbiter takes one caller at a time, choosing with a const one many.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/rng.h"
#include "ploy/decide/condition.h"
#include "ploy/decide/goals.h"
#include "ploy/exec/maker.h"

/// Most characters of a strategy's name.
#define PLOY_ARBITER_NAME_MAX 31

/// One strategy. Copied when it is added.
typedef struct ploy_evaluator {
    const char *name;
    ploy_score score;           ///< of the type's conditions
    const ploy_goal_type *goal; ///< put on the root when it wins; must outlive the type
    unsigned char params[PLOY_GOAL_PARAMS_MAX];
    size_t param_size;
    float bias; ///< 1: none
} ploy_evaluator;

/// Without parameters, bias 1.
PLOY_API ploy_evaluator ploy_evaluator_make(const char *name, ploy_score score,
                                            const ploy_goal_type *goal);

typedef struct ploy_arbiter_def {
    uint32_t cookie;
    float commitment;  ///< added to the score of the strategy that runs
    bool keep_under;   ///< a new strategy goes in front of the old one instead of replacing it
    bool clamp_biased; ///< scores are clamped to 1 after the bias, not before
    double period;     ///< s between two arbitrations while a strategy runs
    int32_t ties;      ///< a ploy_ties
    int32_t capacity;  ///< most goals at a time
} ploy_arbiter_def;

PLOY_API ploy_arbiter_def ploy_arbiter_def_default(void);
PLOY_API ploy_fields ploy_arbiter_fields(void);

/// The strategies, shared. Opaque.
typedef struct ploy_arbiter_type ploy_arbiter_type;

/// @param layout  as in ploy_conditions_create.
PLOY_API ploy_result ploy_arbiter_type_create(const ploy_arbiter_def *def,
                                              const ploy_blackboard_layout *layout,
                                              const ploy_env *env, ploy_arbiter_type **out);
/// NULL is allowed. Its arbiters must be gone.
PLOY_API void ploy_arbiter_type_destroy(ploy_arbiter_type *type);
/// The set that its scores belong to.
PLOY_API ploy_conditions *ploy_arbiter_type_conditions(ploy_arbiter_type *type);
/// Adds a strategy behind the others. @return PLOY_ERR_EXISTS for a name used twice,
/// PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; the type refuses to finish then.
PLOY_API ploy_result ploy_arbiter_type_add(ploy_arbiter_type *type,
                                           const ploy_evaluator *evaluator);
/// Ends the building. @return the first fault.
PLOY_API ploy_result ploy_arbiter_type_finish(ploy_arbiter_type *type);
PLOY_API int32_t ploy_arbiter_type_count(const ploy_arbiter_type *type);
/// "" if there is no such index.
PLOY_API const char *ploy_arbiter_type_name(const ploy_arbiter_type *type, int32_t index);

/// One agent's arbiter. Opaque.
typedef struct ploy_arbiter ploy_arbiter;

/// @param type   finished; must outlive it.
/// @param owner  for the hooks of its goals; may be NULL.
PLOY_API ploy_result ploy_arbiter_create(const ploy_arbiter_type *type, void *owner,
                                         const ploy_env *env, ploy_arbiter **out);
/// NULL is allowed.
PLOY_API void ploy_arbiter_destroy(ploy_arbiter *arbiter);
/// Its goals. The goals of its strategies are registered there; those that they add below them are
/// the caller's to register, if they are to be saved.
PLOY_API ploy_goals *ploy_arbiter_goals(ploy_arbiter *arbiter);
/// Replaces the strategies. Biases and the strategy pursued are kept by name; one that is gone is
/// replaced in the next step. @return PLOY_ERR_MEMORY, with nothing changed.
PLOY_API ploy_result ploy_arbiter_set_type(ploy_arbiter *arbiter, const ploy_arbiter_type *type);

/// 0 to 10. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_arbiter_set_bias(ploy_arbiter *arbiter, const char *name, float bias);
/// Reads a personality, {"bias": {"attack": 1.5, "health": 0.6}}: all faults at once, with their
/// places; nothing changes then.
PLOY_API ploy_result ploy_arbiter_load(ploy_arbiter *arbiter, const void *bytes, size_t size,
                                       const char *name, ploy_diags *diags);

/// The score of a strategy with this arbiter's bias.
PLOY_API float ploy_arbiter_score(const ploy_arbiter *arbiter, int32_t index,
                                  const ploy_moment *moment);
/// The strategy that the agent of the moment would pursue: this one, or a guess about another.
/// @param margin  to the runner-up: how sure the guess is; may be NULL.
/// @return its index, -1 if there is none.
PLOY_API int32_t ploy_arbiter_choose(const ploy_arbiter *arbiter, const ploy_moment *moment,
                                     float *score, float *margin);

/// Chooses and installs, if it is time to: at once when the goals have nothing to do or their
/// strategy is no longer in the set, else every def.period. The behavior calls it.
PLOY_API ploy_result ploy_arbiter_step(ploy_arbiter *arbiter, ploy_step_context *context);
/// As a behavior: a step chooses and steps the goals. RUNNING while there is a strategy; FAILURE if
/// there is none.
PLOY_API ploy_behavior ploy_arbiter_behavior(ploy_arbiter *arbiter);
/// Makes such behaviors, without an owner.
PLOY_API ploy_maker ploy_arbiter_type_maker(ploy_arbiter_type *type);
PLOY_API void ploy_arbiter_describe(const ploy_arbiter *arbiter, ploy_describe *out);

/// A feature of 0 to 1: cost between the cut-offs over the upper one; 1 for what is not there
/// (INFINITY, NaN) or beyond it. @param least  above 0, so that one may divide by the feature.
PLOY_API float ploy_feature_distance(float cost, float least, float most);
/// have / most, within 0 and 1; 0 if most is 0.
PLOY_API float ploy_feature_share(float have, float most);
