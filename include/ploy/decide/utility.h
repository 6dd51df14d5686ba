/// @file ploy/decide/utility.h
/// Utility: every option gets a score, and the largest wins.
///
/// An option has considerations. Each takes one score (ploy/decide/condition.h: a key of the
/// blackboard, a function or a text), maps a range of the score to 0..1 and applies a response
/// curve; the option's score is the product of its considerations times its weight. One
/// consideration of 0 rules an option out, and a guard condition can do so before anything is
/// computed.
///
/// A product of many numbers below 1 is small even if each is good, so options with many
/// considerations would lose to those with few. The compensation of Mark ("Behavioral Mathematics
/// for Game AI", and his talks with Lewis) restores a part: with n considerations each value v
/// becomes v + (1 - v) (1 - 1/n) v. The running option gets a bonus, so that two nearly equal
/// options do not alternate.
///
///     static const ploy_utility_row rows[] = {
///         {.option = "eat", .score = "hunger", .high = 100, .curve = {PLOY_CURVE_POWER, .exponent = 2}},
///         {.option = "eat", .score = "food"},
///         {.option = "flee", .when = "sees_enemy", .score = "1 - health", .weight = 2},
///     };
///     ploy_utility_type_from(&def, layout, NULL, 0, rows, 3, env, &type);
///
/// Cost of a choice: O(considerations); nothing allocates. Ties go to the option added first unless
/// the def sets another rule. An option whose behavior fails with an error counts as failed.
///
/// When to use which: utility chooses between behaviors by response curves; gob (ploy/decide/gob.h)
/// chooses between actions by what they change; an arbiter (ploy/decide/arbiter.h) chooses between
/// goals, with personalities. Threads: many threads may use a finished type; a chooser takes one
/// caller at a time.
#pragma once

#include "ploy/decide/condition.h"
#include "ploy/exec/maker.h"

/// Maximum number of points in a table curve.
#define PLOY_CURVE_POINTS_MAX 16

typedef enum ploy_curve_kind {
    PLOY_CURVE_LINEAR,   ///< slope x + offset
    PLOY_CURVE_POWER,    ///< slope x^exponent + offset; 2 is quadratic
    PLOY_CURVE_INVERSE,  ///< slope / x^exponent + offset: like the pull of a magnet
    PLOY_CURVE_LOGISTIC, ///< 1 / (1 + e^(-slope (x - offset)))
    PLOY_CURVE_TABLE     ///< straight lines between points
} ploy_curve_kind;

/// A response curve: maps a number to 0..1. Plain data; make it with the calls below.
typedef struct ploy_curve {
    ploy_curve_kind kind;
    int32_t count; ///< points of a table
    float slope, exponent, offset;
    float x[PLOY_CURVE_POINTS_MAX]; ///< rising
    float y[PLOY_CURVE_POINTS_MAX];
} ploy_curve;

/// y = slope x + offset. (1, 0) is the identity, (-1, 1) inverts 0..1.
PLOY_API ploy_curve ploy_curve_linear(float slope, float offset);
/// y = x^exponent for x of 0 or more; exponents of 0.01 to 100.
PLOY_API ploy_curve ploy_curve_power(float exponent);
/// y = k / x^exponent: 1, 2 and 3 are GOA's divisions by distance, its square and its cube.
PLOY_API ploy_curve ploy_curve_inverse(float k, float exponent);
/// y = 1 / (1 + e^(-steepness (x - middle))).
PLOY_API ploy_curve ploy_curve_logistic(float steepness, float middle);
/// Straight lines between 1 to PLOY_CURVE_POINTS_MAX points with rising x, level outside.
/// @return PLOY_ERR_ARGUMENT for too many points or none, x not rising or a number that is not
///         finite.
PLOY_API ploy_result ploy_curve_table(const float *x, const float *y, int32_t count,
                                      ploy_curve *out);
/// The curve at x, clamped to 0..1; NaN gives 0. An inverse curve is 1 at 0 and below.
PLOY_API float ploy_curve_at(const ploy_curve *curve, float x);

/// Options and considerations, shared. Opaque.
typedef struct ploy_utility_type ploy_utility_type;

/// An option of one type. All zero means none.
typedef struct ploy_utility_option {
    uint32_t number;
} ploy_utility_option;

static inline bool ploy_utility_option_equal(ploy_utility_option a, ploy_utility_option b) {
    return a.number == b.number;
}

typedef struct ploy_utility_def {
    uint32_t cookie;
    bool compensate;  ///< do not penalize options with many considerations
    float commitment; ///< added to the score of the running option
    float least;      ///< options that score less are not taken
    int32_t ties;     ///< a ploy_ties
} ploy_utility_def;

PLOY_API ploy_utility_def ploy_utility_def_default(void);
PLOY_API ploy_fields ploy_utility_fields(void);

/// Begins a type. @param layout  as in ploy_conditions_create.
PLOY_API ploy_result ploy_utility_type_create(const ploy_utility_def *def,
                                              const ploy_blackboard_layout *layout,
                                              const ploy_env *env, ploy_utility_type **out);
/// NULL is allowed. Destroy its choosers first.
PLOY_API void ploy_utility_type_destroy(ploy_utility_type *type);
/// The conditions and scores of its options.
PLOY_API ploy_conditions *ploy_utility_type_conditions(ploy_utility_type *type);

/// Adds an option. @param weight  0 or more. @param inside  what runs while it is chosen; may be
/// none.
PLOY_API ploy_utility_option ploy_utility_type_option(ploy_utility_type *type, const char *id,
                                                      float weight, ploy_maker inside);
/// The option is possible only while this holds.
PLOY_API ploy_result ploy_utility_type_guard(ploy_utility_type *type, ploy_utility_option option,
                                             ploy_condition when);
/// Adds a consideration: maps [low, high] of the score to 0..1 and clamps. NaN gives 0.
/// @param score  of the type's conditions.
PLOY_API ploy_result ploy_utility_type_consider(ploy_utility_type *type, ploy_utility_option option,
                                                ploy_score score, float low, float high,
                                                ploy_curve curve);
/// Ends the building. @return the first fault.
PLOY_API ploy_result ploy_utility_type_finish(ploy_utility_type *type);

/// A row of a constant table: one consideration of an option. Rows of the same option must be
/// consecutive; its first row sets the weight, guard and behavior.
typedef struct ploy_utility_row {
    const char *option;
    float weight;      ///< 0: 1
    const char *when;  ///< the guard as text; NULL: always
    ploy_maker inside; ///< all zero: none
    const char *score; ///< as text; NULL: no consideration
    float low, high;   ///< both 0: 0 to 1
    ploy_curve curve;  ///< all zero: the score unchanged
} ploy_utility_row;

/// Makes a finished type from a table, with the same checks as the calls above.
/// @param def    NULL for the default. @param words  the words that the texts may use; may be NULL.
/// @return the first fault, which is also written to the env's log.
PLOY_API ploy_result ploy_utility_type_from(const ploy_utility_def *def,
                                            const ploy_blackboard_layout *layout,
                                            const ploy_word *words, int32_t word_count,
                                            const ploy_utility_row *rows, int32_t row_count,
                                            const ploy_env *env, ploy_utility_type **out);

PLOY_API int32_t ploy_utility_type_count(const ploy_utility_type *type);
PLOY_API ploy_utility_option ploy_utility_type_find(const ploy_utility_type *type, const char *id);
/// "" for none.
PLOY_API const char *ploy_utility_type_id(const ploy_utility_type *type,
                                          ploy_utility_option option);

/// The score of an option, without commitment; 0 if its guard does not hold.
PLOY_API float ploy_utility_score(const ploy_utility_type *type, ploy_utility_option option,
                                  const ploy_moment *moment);

/// The best option, or none. @param running  gets the commitment bonus; may be none.
/// @param score  may be NULL.
PLOY_API ploy_utility_option ploy_utility_choose(const ploy_utility_type *type,
                                                 const ploy_moment *moment,
                                                 ploy_utility_option running, float *score);

/// One character's chooser: a behavior that runs the best option's behavior and leaves it when
/// another becomes better. Opaque.
typedef struct ploy_utility ploy_utility;

/// @param type  finished; must outlive the chooser.
PLOY_API ploy_result ploy_utility_create(const ploy_utility_type *type, const ploy_env *env,
                                         ploy_utility **out);
/// NULL is allowed.
PLOY_API void ploy_utility_destroy(ploy_utility *utility);
/// As a behavior. A step chooses an option, then steps its behavior; when that ends, its status
/// becomes the chooser's. Without any option the status is FAILURE; an option without a behavior is
/// SUCCESS at once.
PLOY_API ploy_behavior ploy_utility_behavior(ploy_utility *utility);
/// Makes choosers.
PLOY_API ploy_maker ploy_utility_type_maker(ploy_utility_type *type);
/// The running option, or none.
PLOY_API ploy_utility_option ploy_utility_current(const ploy_utility *utility);
PLOY_API void ploy_utility_describe(const ploy_utility *utility, ploy_describe *out);
