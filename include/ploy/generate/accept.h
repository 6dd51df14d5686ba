/// @file ploy/generate/accept.h
/// Generate and test: repeats any generator until its content scores well enough.
///
/// For conditions that a generator cannot guarantee while it works: the distance from the guard
/// room to the armoury, the number of dead ends on the main path. Each attempt has its own key. The
/// first one whose score reaches the threshold wins. The threshold may fall with every attempt, so
/// that a long search ends with a usable result. When the attempts are used up, the best one so far
/// is the result, marked partial. Technique: Millington, "AI for Games", 8.4.6, with scores, a
/// limit and statistics.
///
/// One unit of budget is one unit of the generator. Memory: two generators at a time.
#pragma once

#include "ploy/generate/generator.h"

typedef struct ploy_accept ploy_accept;

/// Settings. Start from ploy_accept_def_default().
typedef struct ploy_accept_def {
    uint32_t cookie;
    int32_t max_attempts; ///< limit
    float threshold;      ///< minimum score of the first attempt
    float relax;          ///< how much the threshold falls after each attempt
    float least;          ///< lower limit of the threshold; not above threshold
    bool allow_partial;   ///< content that ended at a limit of its generator may win
} ploy_accept_def;

PLOY_API ploy_accept_def ploy_accept_def_default(void);
PLOY_API ploy_fields ploy_accept_fields(void);

/// The score of finished content, larger is better; NaN: unusable.
/// @param reason  may be set to the reason for a low score, for the trace; the text must stay
///                valid.
typedef double (*ploy_accept_score)(void *user, ploy_generator generator, const char **reason);

/// The generator to repeat.
typedef struct ploy_accept_input {
    const ploy_generator_type *type;
    const void *def;           ///< of the generator; copied. NULL: its defaults
    const ploy_content *input; ///< of the generator; NULL: none. Must stay valid until cancel
    ploy_accept_score score;
    void *user; ///< of score
} ploy_accept_input;

/// Statistics of the attempts.
typedef struct ploy_accept_statistics {
    int64_t attempts;   ///< finished
    int64_t partial;    ///< of those, ended at a limit of the generator
    int64_t unusable;   ///< of those, with a score that is not a number
    double best, worst; ///< scores; NaN before the first usable one
    double mean;
    double threshold; ///< of the attempt under way
} ploy_accept_statistics;

/// Starts. @param trace  may be NULL; receives one decision for each attempt.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY; or the error of the generator's begin.
PLOY_API ploy_result ploy_accept_begin(const ploy_accept_def *def, const ploy_accept_input *input,
                                       ploy_rng_key key, ploy_trace *trace, const ploy_env *env,
                                       ploy_accept **out);
PLOY_API ploy_result ploy_accept_step(ploy_accept *accept, ploy_budget *budget);
/// Count is 1 once there is a usable attempt. Draws are those of the best one.
PLOY_API ploy_generate_outcome ploy_accept_outcome(const ploy_accept *accept);
/// The best attempt so far, or none. Valid until the next step or cancel.
PLOY_API ploy_generator ploy_accept_best(const ploy_accept *accept);
PLOY_API ploy_accept_statistics ploy_accept_statistics_of(const ploy_accept *accept);
PLOY_API void ploy_accept_cancel(ploy_accept *accept);
/// Outcome, statistics and the best attempt.
PLOY_API void ploy_accept_describe(const ploy_accept *accept, ploy_describe *out);
