/// @file ploy/decide/condition.h
/// Conditions: tests of what a character knows, joined by and, or, not and exclusive or.
///
/// The same conditions decide in a decision tree, trigger a transition of a machine and guard a
/// node. A set of conditions belongs to one definition and is shared by all its instances: keys are
/// resolved to slots when a condition is added, callbacks are named, and testing allocates nothing.
///
///     ploy_condition far = ploy_condition_range(set, "distance", 20, INFINITY);
///     ploy_condition weak = ploy_condition_range(set, "health", 0, 10);
///     ploy_condition both = ploy_condition_and(set, far, weak);
///
/// Adding returns the condition, or none after a fault. The first fault stays: the env's log says
/// which, ploy_conditions_result() returns it, and whatever is built on the set refuses to finish.
///
/// Technique: condition objects as in Millington, "AI for Games", chapter 5. Both ends of a range
/// belong to it; NaN is in none. And and or look at the second only if the first left it open.
/// Cost: O(tests looked at). Threads: adding takes one caller; testing may run on many.
#pragma once

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

/// What a test may look at.
typedef struct ploy_moment {
    ploy_step_context *context;
    const ploy_message *message; ///< that is being handled, or NULL
    double elapsed;              ///< s in the present state, as whoever asks counts them
    ploy_status status;          ///< of the behavior in the present state; RUNNING if there is none
    const void *asker;           ///< what asks, for conditions that it made itself, or NULL
} ploy_moment;

/// A moment outside any state.
PLOY_API ploy_moment ploy_moment_make(ploy_step_context *context);

/// A test of the game's own: line of sight, a prediction, a script.
/// @param args  as many as the condition was given; NULL if none.
typedef bool (*ploy_condition_fn)(void *user, const ploy_moment *moment, const float *args);

/// The set. Opaque.
typedef struct ploy_conditions ploy_conditions;

/// @param layout  of the blackboards that will be asked; must outlive the set. NULL: no keys.
PLOY_API ploy_result ploy_conditions_create(const ploy_blackboard_layout *layout,
                                            const ploy_env *env, ploy_conditions **out);
/// NULL is allowed.
PLOY_API void ploy_conditions_destroy(ploy_conditions *set);

/// The first fault since the set was made, or PLOY_OK.
PLOY_API ploy_result ploy_conditions_result(const ploy_conditions *set);

/// Puts a word into the set's vocabulary: what ploy_condition_named finds.
/// @param arity  how many numbers it takes, 0 to PLOY_CONDITION_ARGS_MAX.
PLOY_API ploy_result ploy_conditions_register(ploy_conditions *set, const char *name,
                                              ploy_condition_fn fn, void *user, int32_t arity);

/// Always holds, as none does, but can be named as a part of others.
PLOY_API ploy_condition ploy_condition_always(ploy_conditions *set);
/// The bool under the key is true.
PLOY_API ploy_condition ploy_condition_bool(ploy_conditions *set, const char *key);
/// The i64 or u64 under the key lies in [min, max].
PLOY_API ploy_condition ploy_condition_int(ploy_conditions *set, const char *key, int64_t min,
                                           int64_t max);
/// The i64 under the key is one of these, 1 to 65535 of them.
PLOY_API ploy_condition ploy_condition_any_of(ploy_conditions *set, const char *key,
                                              const int64_t *values, int32_t count);
/// The name under the key is that of the text.
PLOY_API ploy_condition ploy_condition_is(ploy_conditions *set, const char *key, const char *text);
/// The f32 or f64 under the key lies in [min, max].
PLOY_API ploy_condition ploy_condition_range(ploy_conditions *set, const char *key, double min,
                                             double max);
/// The length of the vector under the key lies in [min, max].
PLOY_API ploy_condition ploy_condition_length(ploy_conditions *set, const char *key, float min,
                                              float max);
/// The function says so. The name is for people.
PLOY_API ploy_condition ploy_condition_call(ploy_conditions *set, const char *name,
                                            ploy_condition_fn fn, void *user);
/// A registered function says so. A fault if there is none of the name (the log has the nearest) or
/// it takes another number of arguments.
PLOY_API ploy_condition ploy_condition_named(ploy_conditions *set, const char *name,
                                             const float *args, int32_t count);
/// So many seconds have passed in the present state.
PLOY_API ploy_condition ploy_condition_elapsed(ploy_conditions *set, double seconds);
/// The behavior in the present state came to this.
PLOY_API ploy_condition ploy_condition_status(ploy_conditions *set, ploy_status status);
/// A message of this kind is being handled.
PLOY_API ploy_condition ploy_condition_message(ploy_conditions *set, const char *kind);

/// Both hold; b is looked at only if a does.
PLOY_API ploy_condition ploy_condition_and(ploy_conditions *set, ploy_condition a,
                                           ploy_condition b);
/// One holds; b is looked at only if a does not.
PLOY_API ploy_condition ploy_condition_or(ploy_conditions *set, ploy_condition a, ploy_condition b);
/// Exactly one holds.
PLOY_API ploy_condition ploy_condition_xor(ploy_conditions *set, ploy_condition a,
                                           ploy_condition b);
/// a does not hold.
PLOY_API ploy_condition ploy_condition_not(ploy_conditions *set, ploy_condition a);

/// What one look at a single test costs, in any unit, for judging trees: 1 unless set. The cost of
/// a joined condition is the sum of its parts.
PLOY_API ploy_result ploy_condition_set_cost(ploy_conditions *set, ploy_condition condition,
                                             float cost);
PLOY_API float ploy_condition_cost(const ploy_conditions *set, ploy_condition condition);

/// Single tests in a condition: how specific it is.
PLOY_API int32_t ploy_condition_size(const ploy_conditions *set, ploy_condition condition);

/// True if it belongs to the set, or is none.
PLOY_API bool ploy_condition_valid(const ploy_conditions *set, ploy_condition condition);

/// True if it holds. A blackboard of another layout, or none, fails every test of a key.
PLOY_API bool ploy_condition_test(const ploy_conditions *set, ploy_condition condition,
                                  const ploy_moment *moment);

/// How a condition is joined, for those who take it apart.
typedef enum ploy_condition_join {
    PLOY_CONDITION_TEST, ///< a single test
    PLOY_CONDITION_NOT,  ///< a only
    PLOY_CONDITION_AND,
    PLOY_CONDITION_OR,
    PLOY_CONDITION_XOR
} ploy_condition_join;

/// Its parts; none where there are not so many. a and b may be NULL.
PLOY_API ploy_condition_join ploy_condition_parts(const ploy_conditions *set,
                                                  ploy_condition condition, ploy_condition *a,
                                                  ploy_condition *b);

/// Writes it as text: "(distance in [20, inf] and not armed)".
PLOY_API void ploy_condition_print(const ploy_conditions *set, ploy_condition condition,
                                   ploy_writer *writer);
