/// @file ploy/decide/condition.h
/// Conditions and scores: tests and numbers computed from what an agent knows.
///
/// A guard, a transition, a rule or a consideration is a ploy_condition or a ploy_score. Both
/// belong to a set (ploy_conditions), which is part of one definition and shared by all its
/// instances. Keys are resolved to slots when something is added; testing allocates nothing.
///
///     ploy_condition weak = ploy_condition_text(set, "health < 20 && !fleeing");
///     ploy_score near = ploy_score_text(set, "1 - distance / 100");
///     ploy_condition far = ploy_condition_range(set, "distance", 20, INFINITY);
///     ploy_condition both = ploy_condition_and(set, far, weak);
///
/// The text is an expression (ploy/decide/expression.h) without assignments. Its names are keys of
/// the layout and words of the set: functions of the game, with numbers in parentheses if they take
/// any. Every set has these words:
///
///     after(2)             2 s have passed in the current state
///     on('noise')          a message of this kind is being handled
///     status('failure')    the behavior in the current state returned this
///
/// Adding returns the condition or score, or none after a fault. The first fault is kept: the env's
/// log reports it, ploy_conditions_result() returns it, and a definition that uses the set refuses
/// to finish.
///
/// Technique: condition objects as in Millington, "AI for Games", chapter 5. Ranges include both
/// ends; no range contains NaN. `and` and `or` test the second part only if the first did not
/// decide. Cost: O(tests made). Threads: adding takes one caller; testing may run on many threads.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/exec/behavior.h"

/// Most arguments of a named callback, deepest nesting of conditions, and most single tests in a
/// condition.
#define PLOY_CONDITION_ARGS_MAX 4
#define PLOY_CONDITION_DEPTH_MAX 64
#define PLOY_CONDITION_SIZE_MAX 65535

/// A condition of one set. All zero means none, which always holds.
typedef struct ploy_condition {
    uint32_t number;
} ploy_condition;

static inline ploy_condition ploy_condition_none(void) {
    ploy_condition condition = {0};
    return condition;
}

static inline bool ploy_condition_is_none(ploy_condition condition) {
    return condition.number == 0;
}

/// A score of one set. All zero means none, whose value is 0.
typedef struct ploy_score {
    uint32_t number;
} ploy_score;

static inline ploy_score ploy_score_none(void) {
    ploy_score score = {0};
    return score;
}

static inline bool ploy_score_is_none(ploy_score score) {
    return score.number == 0;
}

/// Which of several options with the same score wins.
typedef enum ploy_ties {
    PLOY_TIES_FIRST, ///< the one added first
    PLOY_TIES_LAST,
    PLOY_TIES_RANDOM, ///< each equally likely, drawn from the context's key
    PLOY_TIES_COUNT
} ploy_ties;

/// What a test or a score may read.
typedef struct ploy_moment {
    ploy_step_context *context;
    const ploy_message *message; ///< the message being handled, or NULL
    double elapsed;              ///< s in the current state, as counted by the caller
    ploy_status status;          ///< of the behavior in the current state; RUNNING if there is none
    const void *asker;           ///< the caller, for conditions that the caller created, or NULL
} ploy_moment;

/// A moment outside any state.
PLOY_API ploy_moment ploy_moment_make(ploy_step_context *context);

/// A test by the game: line of sight, a prediction, a script.
/// @param args  the arguments that the condition was given; NULL if none.
typedef bool (*ploy_condition_fn)(void *user, const ploy_moment *moment, const float *args);

/// A number from the game. NaN counts as impossible: no option with that score is chosen.
typedef float (*ploy_score_fn)(void *user, const ploy_moment *moment, const float *args);

/// The set. Opaque.
typedef struct ploy_conditions ploy_conditions;

/// @param layout  layout of the blackboards that will be tested; must outlive the set. NULL: no
///                keys.
PLOY_API ploy_result ploy_conditions_create(const ploy_blackboard_layout *layout,
                                            const ploy_env *env, ploy_conditions **out);
/// NULL is allowed.
PLOY_API void ploy_conditions_destroy(ploy_conditions *set);
PLOY_API void ploy_conditions_memory(const ploy_conditions *set, ploy_memory_fn fn, void *user);

/// Returns the first fault since the set was created, or PLOY_OK.
PLOY_API ploy_result ploy_conditions_result(const ploy_conditions *set);

/// Adds a word to the set's vocabulary, for ploy_condition_named and for texts. A word hides a key
/// of the same name. @param arity  how many numbers it takes, 0 to PLOY_CONDITION_ARGS_MAX.
PLOY_API ploy_result ploy_conditions_register(ploy_conditions *set, const char *name,
                                              ploy_condition_fn fn, void *user, int32_t arity);

/// Creates the condition that `name('text')` represents; returns none to refuse the text.
typedef ploy_condition (*ploy_condition_quoted_fn)(void *user, ploy_conditions *set,
                                                   const char *text);
/// Adds a word that takes one quoted text and is resolved when it is read, such as In('state').
PLOY_API ploy_result ploy_conditions_register_quoted(ploy_conditions *set, const char *name,
                                                     ploy_condition_quoted_fn fn, void *user);

/// One row of a game's table of words: a test or a score.
typedef struct ploy_word {
    const char *name;
    ploy_condition_fn test; ///< or NULL
    ploy_score_fn score;    ///< if test is NULL
    void *user;
    int32_t arity; ///< numbers that it takes
} ploy_word;

/// Registers a table of words. @return the first fault.
PLOY_API ploy_result ploy_conditions_register_words(ploy_conditions *set, const ploy_word *words,
                                                    int32_t count);

/// Reads a condition from text.
PLOY_API ploy_condition ploy_condition_text(ploy_conditions *set, const char *text);
/// Reads a score from text.
PLOY_API ploy_score ploy_score_text(ploy_conditions *set, const char *text);
/// The same for loaders: faults are reported to diags with their position and the nearest valid
/// name, and are not kept as faults of the set. @param name  of the file. @param line, column
/// where the text begins.
/// @param out  set only on PLOY_OK.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_NOT_FOUND for an unknown name, PLOY_ERR_ARGUMENT for a type
///         that does not fit, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY, PLOY_ERR_STATE after a fault.
PLOY_API ploy_result ploy_condition_read(ploy_conditions *set, const char *text, const char *name,
                                         int32_t line, int32_t column, ploy_diags *diags,
                                         ploy_condition *out);
PLOY_API ploy_result ploy_score_read(ploy_conditions *set, const char *text, const char *name,
                                     int32_t line, int32_t column, ploy_diags *diags,
                                     ploy_score *out);

/// Always holds, like none, but can be used as a part of other conditions.
PLOY_API ploy_condition ploy_condition_always(ploy_conditions *set);
/// The bool under the key is true.
PLOY_API ploy_condition ploy_condition_bool(ploy_conditions *set, const char *key);
/// The i64 or u64 under the key is in [min, max].
PLOY_API ploy_condition ploy_condition_int(ploy_conditions *set, const char *key, int64_t min,
                                           int64_t max);
/// The i64 under the key is one of the values; count is 1 to 65535.
PLOY_API ploy_condition ploy_condition_any_of(ploy_conditions *set, const char *key,
                                              const int64_t *values, int32_t count);
/// The name under the key equals the text.
PLOY_API ploy_condition ploy_condition_is(ploy_conditions *set, const char *key, const char *text);
/// The f32 or f64 under the key is in [min, max].
PLOY_API ploy_condition ploy_condition_range(ploy_conditions *set, const char *key, double min,
                                             double max);
/// The length of the vector under the key is in [min, max].
PLOY_API ploy_condition ploy_condition_length(ploy_conditions *set, const char *key, float min,
                                              float max);
/// The function returns true. The name is for descriptions.
PLOY_API ploy_condition ploy_condition_call(ploy_conditions *set, const char *name,
                                            ploy_condition_fn fn, void *user);
/// The registered function returns true. A fault if there is no function of that name (the log
/// reports the nearest name) or it takes a different number of arguments.
PLOY_API ploy_condition ploy_condition_named(ploy_conditions *set, const char *name,
                                             const float *args, int32_t count);
/// This many seconds have passed in the current state.
PLOY_API ploy_condition ploy_condition_elapsed(ploy_conditions *set, double seconds);
/// The behavior in the current state returned this status.
PLOY_API ploy_condition ploy_condition_status(ploy_conditions *set, ploy_status status);
/// A message of this kind is being handled.
PLOY_API ploy_condition ploy_condition_message(ploy_conditions *set, const char *kind);

/// Both hold; b is tested only if a holds.
PLOY_API ploy_condition ploy_condition_and(ploy_conditions *set, ploy_condition a,
                                           ploy_condition b);
/// At least one holds; b is tested only if a does not hold.
PLOY_API ploy_condition ploy_condition_or(ploy_conditions *set, ploy_condition a, ploy_condition b);
/// Exactly one holds.
PLOY_API ploy_condition ploy_condition_xor(ploy_conditions *set, ploy_condition a,
                                           ploy_condition b);
/// a does not hold.
PLOY_API ploy_condition ploy_condition_not(ploy_conditions *set, ploy_condition a);

/// True if the condition holds. With a blackboard of another layout, or none, every test of a key
/// fails.
PLOY_API bool ploy_condition_test(const ploy_conditions *set, ploy_condition condition,
                                  const ploy_moment *moment);

/// The number under the key: bool, i64, u64, f32 or f64.
PLOY_API ploy_score ploy_score_key(ploy_conditions *set, const char *key);
/// The function's result. The name is for descriptions.
PLOY_API ploy_score ploy_score_call(ploy_conditions *set, const char *name, ploy_score_fn fn,
                                    void *user);
/// Returns the number. NaN if it cannot be computed: a blackboard of another layout, or an
/// expression that fails.
PLOY_API float ploy_score_value(const ploy_conditions *set, ploy_score score,
                                const ploy_moment *moment);

/// How a condition is joined.
typedef enum ploy_condition_join {
    PLOY_CONDITION_TEST, ///< a single test
    PLOY_CONDITION_NOT,  ///< a only
    PLOY_CONDITION_AND,
    PLOY_CONDITION_OR,
    PLOY_CONDITION_XOR
} ploy_condition_join;

/// Returns how a condition is joined and sets its parts; none for parts that it does not have. a
/// and b may be NULL.
PLOY_API ploy_condition_join ploy_condition_parts(const ploy_conditions *set,
                                                  ploy_condition condition, ploy_condition *a,
                                                  ploy_condition *b);

/// Writes the condition as text: "(distance in [20, inf] and not armed)".
PLOY_API void ploy_condition_print(const ploy_conditions *set, ploy_condition condition,
                                   ploy_writer *writer);
