/// @file ploy/decide/arbiter.h
/// Arbitration: which strategy a character pursues, by how desirable each is just now.
///
/// Every strategy has an evaluator: a function that maps what the character knows to a number from
/// 0 to 1, and a goal that is installed when it wins. The number is multiplied by a bias, so that
/// the same evaluators make an aggressive and a cautious character: its personality, which can be
/// loaded from a file. Evaluators see a read-only view of a state, not the character, so the same
/// arbiter can be asked about somebody else: what would I want in his place?
///
/// Ties go to the evaluator added last; if all are 0 the last wins. A strategy that wins again goes
/// on untouched. Technique: Buckland, "Programming Game AI by Example", chapter 9.
///
/// Cost: O(evaluators); nothing allocates after adding. Threads: one caller at a time; asking a
/// const arbiter may run on many.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/rng.h"
#include "ploy/decide/goals.h"

/// Most characters of a strategy's name.
#define PLOY_ARBITER_NAME_MAX 31

/// How desirable a strategy is to whoever the view shows.
typedef float (*ploy_desirability_fn)(void *user, const void *view);

/// One strategy. Copied when it is added.
typedef struct ploy_evaluator {
    const char *name;
    ploy_desirability_fn desirability;
    const ploy_goal_type *goal; ///< put on the root when it wins
    unsigned char params[PLOY_GOAL_PARAMS_MAX];
    size_t param_size;
    float bias; ///< 1: none
    void *user;
} ploy_evaluator;

/// Without parameters, bias 1.
PLOY_API ploy_evaluator ploy_evaluator_make(const char *name, ploy_desirability_fn desirability,
                                            const ploy_goal_type *goal, void *user);

typedef struct ploy_arbiter_def {
    uint32_t cookie;
    float commitment;  ///< added to the score of the strategy that runs
    bool keep_under;   ///< a new strategy goes in front of the old one instead of replacing it
    bool clamp_biased; ///< scores are clamped to 1 after the bias, not before
    double period;     ///< s between two arbitrations while a strategy runs
} ploy_arbiter_def;

PLOY_API ploy_arbiter_def ploy_arbiter_def_default(void);
PLOY_API ploy_fields ploy_arbiter_fields(void);

/// Opaque.
typedef struct ploy_arbiter ploy_arbiter;

PLOY_API ploy_result ploy_arbiter_create(const ploy_arbiter_def *def, const ploy_env *env,
                                         ploy_arbiter **out);
/// NULL is allowed.
PLOY_API void ploy_arbiter_destroy(ploy_arbiter *arbiter);
/// Adds a strategy behind the others. @return PLOY_ERR_EXISTS for a name used twice,
/// PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_arbiter_add(ploy_arbiter *arbiter, const ploy_evaluator *evaluator);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_arbiter_remove(ploy_arbiter *arbiter, const char *name);
/// Replaces the whole set. Nothing changes on an error.
PLOY_API ploy_result ploy_arbiter_replace(ploy_arbiter *arbiter, const ploy_evaluator *evaluators,
                                          int32_t count);
PLOY_API int32_t ploy_arbiter_count(const ploy_arbiter *arbiter);
PLOY_API const char *ploy_arbiter_name(const ploy_arbiter *arbiter, int32_t index);
/// 0 to 10. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_arbiter_set_bias(ploy_arbiter *arbiter, const char *name, float bias);
/// NaN if there is none.
PLOY_API float ploy_arbiter_bias(const ploy_arbiter *arbiter, const char *name);
/// Every bias drawn from [low, high].
PLOY_API void ploy_arbiter_draw_biases(ploy_arbiter *arbiter, ploy_rng *rng, float low, float high);
/// Reads a personality, {"bias": {"attack": 1.5, "health": 0.6}}: all faults at once, with their
/// places; nothing changes then.
PLOY_API ploy_result ploy_arbiter_load(ploy_arbiter *arbiter, const void *bytes, size_t size,
                                       const char *name, ploy_diags *diags);

/// What a view scores with an evaluator.
PLOY_API float ploy_arbiter_score(const ploy_arbiter *arbiter, int32_t index, const void *view);
/// The strategy that a view would pursue: one's own, or one's guess of somebody else's.
/// @param margin  to the runner-up: how sure the guess is; may be NULL.
/// @return its index, -1 if there is none.
PLOY_API int32_t ploy_arbiter_choose(const ploy_arbiter *arbiter, const void *view, float *score,
                                     float *margin);

/// Chooses and installs, if it is time to: at once when the goals have nothing to do or their
/// strategy is no longer in the set, else every def.period.
PLOY_API ploy_result ploy_arbiter_step(ploy_arbiter *arbiter, ploy_goals *goals,
                                       ploy_step_context *context, const void *view);
/// The strategy installed last, -1 before.
PLOY_API int32_t ploy_arbiter_current(const ploy_arbiter *arbiter);
PLOY_API void ploy_arbiter_describe(const ploy_arbiter *arbiter, ploy_describe *out);

/// A feature of 0 to 1: cost between the cut-offs over the upper one; 1 for what is not there
/// (INFINITY, NaN) or beyond it. @param least  above 0, so that one may divide by the feature.
PLOY_API float ploy_feature_distance(float cost, float least, float most);
/// have / most, within 0 and 1; 0 if most is 0.
PLOY_API float ploy_feature_share(float have, float most);
