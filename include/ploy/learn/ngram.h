/// @file ploy/learn/ngram.h
/// Predicts the next action from the last ones: counts, N-grams, hierarchical N-grams, string
/// matching.
///
/// The target is the action; each example is one action, in the order of play. Every other column
/// is context that is known before the action, such as a stance, and is part of the window.
///
/// - "raw": how often each action occurred. Also the 1-gram.
/// - "ngram": counts of what followed each window of the last `length` - 1 actions. No opinion if
///   the window is new.
/// - "hierarchical": all lengths up to `length` at once; the longest window that was seen more than
///   `threshold` times answers. Fast to start and sharp later.
/// - "string": searches the whole history for the last `length` - 1 actions. The slow form of an
///   N-gram, for short sequences.
///
/// The lowest action wins ties. An opinion can be gated: `threshold` requires enough samples,
/// `min_share` a clear answer, and `certain` tests a lower bound of the share (Wilson, 95 %)
/// instead of the share itself. Long windows need many samples: start at 4 and tune with
/// ploy_ngram_curve. Technique: Millington, "AI for Games", 7.3. Cost: O(length) per action,
/// O(length + actions) per prediction; memory grows with the number of windows seen, or is actions
/// ^ length if `dense`.
#pragma once

#include "ploy/base/rng.h"
#include "ploy/learn/learner.h"

/// Longest N-gram.
#define PLOY_NGRAM_LENGTH_MAX 16
/// Maximum number of counters of a dense store.
#define PLOY_NGRAM_DENSE_MAX (1 << 24)

/// Settings of "raw", "ngram" and "hierarchical"; their tables differ in the defaults.
typedef struct ploy_ngram_def {
    uint32_t cookie;
    int32_t length;      ///< actions in a sequence: the window and the one that follows
    bool levels;         ///< also counts all shorter sequences, and falls back on them
    int32_t threshold;   ///< a window must have been seen more often than this
    double min_share;    ///< minimum share of the answer; less is no opinion
    bool certain;        ///< min_share applies to a lower bound of the share
    bool dense;          ///< one array for all windows instead of only those seen
    int32_t max_windows; ///< kept, unless dense; further ones are ignored
} ploy_ngram_def;

PLOY_API ploy_ngram_def ploy_ngram_def_default(void);
PLOY_API ploy_fields ploy_ngram_fields(void);
PLOY_API ploy_fields ploy_ngram_raw_fields(void);
PLOY_API ploy_fields ploy_ngram_hierarchical_fields(void);
/// The learners "ngram", "raw" and "hierarchical". A unit of training is one action.
PLOY_API const ploy_learner_type *ploy_ngram_learner(void);
PLOY_API const ploy_learner_type *ploy_ngram_raw_learner(void);
PLOY_API const ploy_learner_type *ploy_ngram_hierarchical_learner(void);

/// Settings of "string".
typedef struct ploy_string_def {
    uint32_t cookie;
    int32_t length;      ///< actions in a sequence: the window and the one that follows
    int32_t max_actions; ///< kept; the older half is dropped when there are more
} ploy_string_def;

PLOY_API ploy_string_def ploy_string_def_default(void);
PLOY_API ploy_fields ploy_string_fields(void);
/// The learner "string". A unit of training is one action.
PLOY_API const ploy_learner_type *ploy_string_learner(void);

/// Counts how often a predictor is right when it predicts each action before observing it. No
/// opinion counts as wrong.
/// @param actions  indexes of the target's categories.
/// @param right    receives the number of hits.
/// @return PLOY_ERR_ARGUMENT if an action is out of range or the schema has other columns; the
///         error of observing.
PLOY_API ploy_result ploy_ngram_score(ploy_learner learner, const int32_t *actions, int32_t count,
                                      int32_t *right);
/// The share of hits of an N-gram of each length from 1 to max: the largest share shows the best
/// window for such sequences.
/// @param shares  max of them.
PLOY_API ploy_result ploy_ngram_curve(const ploy_schema *schema, const int32_t *actions,
                                      int32_t count, int32_t max, const ploy_env *env,
                                      double *shares);

/// Limits that keep a predictor beatable.
typedef struct ploy_handicap_def {
    uint32_t cookie;
    float use;            ///< [0, 1], probability that a prediction is used
    float min_confidence; ///< less certain predictions are not used
} ploy_handicap_def;
PLOY_API ploy_handicap_def ploy_handicap_def_default(void);
PLOY_API ploy_fields ploy_handicap_fields(void);
/// The answer, or no opinion. Draws one number, whether it is used or not.
PLOY_API ploy_answer ploy_handicap_apply(const ploy_handicap_def *def, ploy_answer answer,
                                         ploy_rng *rng);
