/// @file ploy/decide/condition.h
/// Conditions and scores: yes-or-no questions and numbers about what an agent knows.
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
/// any. Every set knows these words:
///
///     after(2)             2 s have passed in the present state
///     on('noise')          a message of this kind is being handled
///     status('failure')    the behavior in the present state returned this
///
/// Adding returns the condition or score, or none after a fault. The first fault is kept: the env's
/// log reports it, ploy_conditions_result() returns it, and a definition that uses the set refuses
/// to finish.
///
/// Technique: condition objects as in Millington, "AI for Games", chapter 5. Both ends of a range
/// belong to it; no range contains NaN. `and` and `or` test the second part only if the first did
/// not decide.
/// Cost: O(tests made). Threads: adding takes one caller; testing may run on many threads.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/exec/behavior.h"

/// Arguments that a named callback may take, how deep conditions may nest, and most single tests
/// in one.
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
    const ploy_message *message; ///< that is being handled, or NULL
    double elapsed;              ///< s in the present state, as the caller counts them
    ploy_status status;          ///< of the behavior in the present state; RUNNING if there is none
    const void *asker;           ///< the caller, for conditions that it made itself, or NULL
} ploy_moment;

/// A moment outside any state.
PLOY_API ploy_moment ploy_moment_make(ploy_step_context *context);

/// A test of the game: line of sight, a prediction, a script.
/// @param args  as many as the condition was given; NULL if none.
typedef bool (*ploy_condition_fn)(void *user, const ploy_moment *moment, const float *args);

/// A number of the game. NaN counts as impossible: no option with that score is chosen.
typedef float (*ploy_score_fn)(void *user, const ploy_moment *moment, const float *args);

/// The set. Opaque.
typedef struct ploy_conditions ploy_conditions;

/// @param layout  of the blackboards that will be asked; must outlive the set. NULL: no keys.
PLOY_API ploy_result ploy_conditions_create(const ploy_blackboard_layout *layout,
                                            const ploy_env *env, ploy_conditions **out);
/// NULL is allowed.
PLOY_API void ploy_conditions_destroy(ploy_conditions *set);

/// The first fault since the set was made, or PLOY_OK.
PLOY_API ploy_result ploy_conditions_result(const ploy_conditions *set);

/// Adds a word to the set's vocabulary, for ploy_condition_named and for texts. A word hides a key
/// of the same name. @param arity  how many numbers it takes, 0 to PLOY_CONDITION_ARGS_MAX.
PLOY_API ploy_result ploy_conditions_register(ploy_conditions *set, const char *name,
                                              ploy_condition_fn fn, void *user, int32_t arity);

/// Makes the condition that `name('text')` represents; none if it refuses the text.
typedef ploy_condition (*ploy_condition_quoted_fn)(void *user, ploy_conditions *set,
                                                   const char *text);
/// Adds a word that takes one quoted text and is resolved when it is read, such as In('state').
PLOY_API ploy_result ploy_conditions_register_quoted(ploy_conditions *set, const char *name,
                                                     ploy_condition_quoted_fn fn, void *user);

/// Words for a whole table of a game: a test or a score each.
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
/// The same for loaders: faults go to diags with their place and the nearest valid name, and are
/// not faults of the set. @param name  of the file. @param line, column  where the text begins.
/// @param out  set only on PLOY_OK.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_NOT_FOUND for an unknown name, PLOY_ERR_ARGUMENT for a type
///         that does not fit, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY, PLOY_ERR_STATE after a fault.
PLOY_API ploy_result ploy_condition_read(ploy_conditions *set, const char *text, const char *name,
                                         int32_t line, int32_t column, ploy_diags *diags,
                                         ploy_condition *out);
PLOY_API ploy_result ploy_score_read(ploy_conditions *set, const char *text, const char *name,
                                     int32_t line, int32_t column, ploy_diags *diags,
                                     ploy_score *out);

/// Always holds, as none does, but can be named as a part of others.
PLOY_API ploy_condition ploy_condition_always(ploy_conditions *set);
/// The bool under the key is true.
PLOY_API ploy_condition ploy_condition_bool(ploy_conditions *set, const char *key);
/// The i64 or u64 under the key is in [min, max].
PLOY_API ploy_condition ploy_condition_int(ploy_conditions *set, const char *key, int64_t min,
                                           int64_t max);
/// The i64 under the key is one of these, 1 to 65535 of them.
PLOY_API ploy_condition ploy_condition_any_of(ploy_conditions *set, const char *key,
                                              const int64_t *values, int32_t count);
/// The name under the key is that of the text.
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
/// The registered function returns true. A fault if there is none of that name (the log has the
/// nearest) or it takes another number of arguments.
PLOY_API ploy_condition ploy_condition_named(ploy_conditions *set, const char *name,
                                             const float *args, int32_t count);
/// This many seconds have passed in the present state.
PLOY_API ploy_condition ploy_condition_elapsed(ploy_conditions *set, double seconds);
/// The behavior in the present state returned this status.
PLOY_API ploy_condition ploy_condition_status(ploy_conditions *set, ploy_status status);
/// A message of this kind is being handled.
PLOY_API ploy_condition ploy_condition_message(ploy_conditions *set, const char *kind);

/// Both hold; b is tested only if a holds.
PLOY_API ploy_condition ploy_condition_and(ploy_conditions *set, ploy_condition a,
                                           ploy_condition b);
/// One holds; b is tested only if a does not hold.
PLOY_API ploy_condition ploy_condition_or(ploy_conditions *set, ploy_condition a, ploy_condition b);
/// Exactly one holds.
PLOY_API ploy_condition ploy_condition_xor(ploy_conditions *set, ploy_condition a,
                                           ploy_condition b);
/// a does not hold.
PLOY_API ploy_condition ploy_condition_not(ploy_conditions *set, ploy_condition a);

/// True if it holds. A blackboard of another layout, or none, fails every test of a key.
PLOY_API bool ploy_condition_test(const ploy_conditions *set, ploy_condition condition,
                                  const ploy_moment *moment);

/// The number under the key: bool, i64, u64, f32 or f64.
PLOY_API ploy_score ploy_score_key(ploy_conditions *set, const char *key);
/// The function's result. The name is for descriptions.
PLOY_API ploy_score ploy_score_call(ploy_conditions *set, const char *name, ploy_score_fn fn,
                                    void *user);
/// The number. NaN if it cannot be computed: a blackboard of another layout, or an expression that
/// fails.
PLOY_API float ploy_score_value(const ploy_conditions *set, ploy_score score,
                                const ploy_moment *moment);
/// Writes it as text.
PLOY_API void ploy_score_print(const ploy_conditions *set, ploy_score score, ploy_writer *writer);

/// How a condition is joined.
typedef enum ploy_condition_join {
    PLOY_CONDITION_TEST, ///< a single test
    PLOY_CONDITION_NOT,  ///< a only
    PLOY_CONDITION_AND,
    PLOY_CONDITION_OR,
    PLOY_CONDITION_XOR
} ploy_condition_join;

/// Its parts; none where it has fewer. a and b may be NULL.
PLOY_API ploy_condition_join ploy_condition_parts(const ploy_conditions *set,
                                                  ploy_condition condition, ploy_condition *a,
                                                  ploy_condition *b);

/// Writes it as text: "(distance in [20, inf] and not armed)".
PLOY_API void ploy_condition_print(const ploy_conditions *set, ploy_condition condition,
                                   ploy_writer *writer);
