/// @file ploy/exec/anytime.h
/// An answer that improves: the best so far is there at any time.
///
/// Long thinking must not leave a character idle. The thinker publishes its best
/// answer before it yields; the actor reads the newest one, walks roughly in the
/// right direction meanwhile, and turns when a better answer comes. A version number shows whether
/// there is anything new to look at.
/// Technique: anytime algorithms; Millington, "AI for Games", 3rd ed. 2019, chapter 10.
///
///     publisher                                   consumer
///     ploy_anytime_begin                          if (ploy_anytime_fetch(a, &seen, &answer))
///     ploy_anytime_publish (better and better)        act on the answer, provisional or not
///     ploy_anytime_finish
///
/// An answer is a fixed number of the caller's bytes: plain data without addresses and without
/// gaps, because its bytes are hashed and rewound.
///
/// Cost: publish and fetch copy the bytes, nothing else; no allocation after create.
/// Threads: any number of readers while no thread publishes. In a parallel engine publish in
/// commit, when no agent thinks.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"

/// Opaque.
typedef struct ploy_anytime ploy_anytime;

typedef struct ploy_anytime_def {
    uint32_t cookie;
    int32_t size; ///< bytes of an answer
} ploy_anytime_def;

PLOY_API ploy_anytime_def ploy_anytime_def_default(void);
PLOY_API ploy_fields ploy_anytime_fields(void);

/// Creates it without a question and without an answer. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_anytime_create(const ploy_anytime_def *def, const ploy_env *env,
                                         ploy_anytime **out);
/// NULL is allowed.
PLOY_API void ploy_anytime_destroy(ploy_anytime *anytime);

/// The publisher's side.

/// A new question: the old answer is gone, the version rises.
PLOY_API void ploy_anytime_begin(ploy_anytime *anytime);

/// Offers an answer. It becomes the best one if it is the first to this question, or better than
/// the best; an equal one does not, so that no agent turns around for nothing.
/// @param answer  the def's size in bytes; copied.
/// @param quality  larger is better; minus a cost, for instance.
/// @return true if it is the best now. False also for a quality that is NaN, before the first
///         question and after the end.
PLOY_API bool ploy_anytime_publish(ploy_anytime *anytime, const void *answer, float quality);

/// Ends the question: nothing better will come. The version rises, because the best answer is now
/// final.
/// @param result  PLOY_OK, or the error for which thinking stopped; the best answer stays.
/// @return PLOY_ERR_STATE if no question is open.
PLOY_API ploy_result ploy_anytime_finish(ploy_anytime *anytime, ploy_result result);

/// Writes the best answer so far to `answer`. @return false if there is none yet.
typedef bool (*ploy_anytime_best_fn)(void *user, void *answer, float *quality);

/// One slice of a task for the open question: steps it, publishes the best so far, and finishes
/// when the task does.
/// @return what the task's step returned; PLOY_ERR_STATE if no question is open.
PLOY_API ploy_result ploy_anytime_step(ploy_anytime *anytime, ploy_task task,
                                       ploy_anytime_best_fn best, void *user, ploy_budget *budget);

/// The consumer's side.

typedef struct ploy_anytime_info {
    uint64_t version;  ///< rises with each question, better answer and end; 0: nothing yet
    uint64_t question; ///< how many were begun
    int64_t answers;   ///< accepted for this question
    const void
        *answer;   ///< the best so far, or NULL; valid until the second publish after this call
    float quality; ///< of the best so far; 0 if there is none
    bool finished; ///< nothing better will come
    ploy_result result; ///< why it ended; PLOY_IN_PROGRESS until then
} ploy_anytime_info;

/// The state of the question.
PLOY_API ploy_anytime_info ploy_anytime_get(const ploy_anytime *anytime);

/// Copies the best answer if its version differs from *seen, and stores the version in *seen.
/// @return false, leaving both alone, if there is nothing new or no answer yet.
PLOY_API bool ploy_anytime_fetch(const ploy_anytime *anytime, uint64_t *seen, void *answer);

PLOY_API void ploy_anytime_describe(const ploy_anytime *anytime, ploy_describe *out);
PLOY_API void ploy_anytime_memory(const ploy_anytime *anytime, ploy_memory_fn fn, void *user);
