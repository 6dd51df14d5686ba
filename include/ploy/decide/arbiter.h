/// @file ploy/decide/arbiter.h
/// Arbitration: chooses the strategy that an agent pursues, by how desirable each is now.
///
/// Every strategy has a score from 0 to 1 (ploy/decide/condition.h) and a goal that is installed
/// when it wins. The score is multiplied by a bias, so that the same strategies can make an
/// aggressive or a cautious character. The biases are its personality, which can be loaded from a
/// file. A score reads a moment, not the agent, so the same arbiter can also predict what another
/// agent will do.
///
/// The type holds the strategies and is shared. An arbiter belongs to one agent: its biases, its
/// tree of goals (ploy/decide/goals.h) and the strategy it pursues. It is a behavior that chooses
/// and steps the goals. A strategy that wins again continues unchanged. Ties go to the strategy
/// added first; Buckland's rule, the last, is PLOY_TIES_LAST.
///
/// When to use which: an arbiter chooses between goals, with personalities; utility
/// (ploy/decide/utility.h) chooses between behaviors by response curves; gob (ploy/decide/gob.h)
/// chooses between actions by what they change.
///
/// Technique: Buckland, "Programming Game AI by Example", chapter 9. Cost: O(strategies) per
/// choice; after create, only goals allocate. Threads: a finished type may be used by many threads;
/// an arbiter takes one caller at a time, but many threads may choose with a const arbiter.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/rng.h"
#include "ploy/decide/condition.h"
#include "ploy/decide/goals.h"
#include "ploy/exec/maker.h"

/// Most characters in a strategy's name.
#define PLOY_ARBITER_NAME_MAX 31

/// One strategy. Copied when it is added.
typedef struct ploy_evaluator {
    const char *name;
    ploy_score score;           ///< of the type's conditions
    const ploy_goal_type *goal; ///< added to the root when the strategy wins; must outlive the type
    unsigned char params[PLOY_GOAL_PARAMS_MAX];
    size_t param_size;
    float bias; ///< 1: none
} ploy_evaluator;

/// Without parameters, bias 1.
PLOY_API ploy_evaluator ploy_evaluator_make(const char *name, ploy_score score,
                                            const ploy_goal_type *goal);

typedef struct ploy_arbiter_def {
    uint32_t cookie;
    float commitment;  ///< added to the score of the current strategy
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
/// NULL is allowed. Destroy its arbiters first.
PLOY_API void ploy_arbiter_type_destroy(ploy_arbiter_type *type);
/// Returns the set that the scores belong to.
PLOY_API ploy_conditions *ploy_arbiter_type_conditions(ploy_arbiter_type *type);
/// Adds a strategy after the others. @return PLOY_ERR_EXISTS for a name used twice,
/// PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; the type then refuses to finish.
PLOY_API ploy_result ploy_arbiter_type_add(ploy_arbiter_type *type,
                                           const ploy_evaluator *evaluator);
/// Finishes the type. @return the first fault.
PLOY_API ploy_result ploy_arbiter_type_finish(ploy_arbiter_type *type);
PLOY_API int32_t ploy_arbiter_type_count(const ploy_arbiter_type *type);
/// "" if there is no such index.
PLOY_API const char *ploy_arbiter_type_name(const ploy_arbiter_type *type, int32_t index);

/// One agent's arbiter. Opaque.
typedef struct ploy_arbiter ploy_arbiter;

/// @param type   finished; must outlive the arbiter.
/// @param owner  for the hooks of its goals; may be NULL.
PLOY_API ploy_result ploy_arbiter_create(const ploy_arbiter_type *type, void *owner,
                                         const ploy_env *env, ploy_arbiter **out);
/// NULL is allowed.
PLOY_API void ploy_arbiter_destroy(ploy_arbiter *arbiter);
/// Returns the arbiter's goals. The goals of the strategies are registered there; the caller must
/// register the goals they add below them if those are to be saved.
PLOY_API ploy_goals *ploy_arbiter_goals(ploy_arbiter *arbiter);
/// Replaces the strategies. Biases and the strategy pursued are kept by name; a strategy that no
/// longer exists is replaced in the next step. @return PLOY_ERR_MEMORY, with nothing changed.
PLOY_API ploy_result ploy_arbiter_set_type(ploy_arbiter *arbiter, const ploy_arbiter_type *type);

/// Sets a strategy's bias, 0 to 10. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_arbiter_set_bias(ploy_arbiter *arbiter, const char *name, float bias);
/// Reads a personality, {"bias": {"attack": 1.5, "health": 0.6}}: reports all faults at once, with
/// their positions; after a fault, nothing changes.
PLOY_API ploy_result ploy_arbiter_load(ploy_arbiter *arbiter, const void *bytes, size_t size,
                                       const char *name, ploy_diags *diags);

/// Returns the score of a strategy with this arbiter's bias.
PLOY_API float ploy_arbiter_score(const ploy_arbiter *arbiter, int32_t index,
                                  const ploy_moment *moment);
/// Returns the strategy that the agent of the moment would pursue: this agent, or a prediction for
/// another.
/// @param margin  score difference to the runner-up: how certain the choice is; may be NULL.
/// @return the strategy's index, -1 if there is none.
PLOY_API int32_t ploy_arbiter_choose(const ploy_arbiter *arbiter, const ploy_moment *moment,
                                     float *score, float *margin);

/// Chooses and installs a strategy when due: at once if the goals have nothing to do or their
/// strategy no longer exists, otherwise every def.period. The behavior calls this.
PLOY_API ploy_result ploy_arbiter_step(ploy_arbiter *arbiter, ploy_step_context *context);
/// Returns the strategy that is pursued; -1 if there is none.
PLOY_API int32_t ploy_arbiter_current(const ploy_arbiter *arbiter);
/// Returns the arbiter as a behavior: a step chooses and steps the goals. RUNNING while there is a
/// strategy; FAILURE if there is none.
PLOY_API ploy_behavior ploy_arbiter_behavior(ploy_arbiter *arbiter);
/// A maker that creates such behaviors, without an owner.
PLOY_API ploy_maker ploy_arbiter_type_maker(ploy_arbiter_type *type);
PLOY_API void ploy_arbiter_describe(const ploy_arbiter *arbiter, ploy_describe *out);

/// A feature of 0 to 1: cost, clamped to [least, most], divided by most; 1 if the target does not
/// exist (INFINITY, NaN) or is beyond most. @param least  above 0, so that the feature can be a
/// divisor.
PLOY_API float ploy_feature_distance(float cost, float least, float most);
/// have / most, clamped to [0, 1]; 0 if most is 0.
PLOY_API float ploy_feature_share(float have, float most);
