/// @file ploy/learn/tune.h
/// Parameter search: finds good settings for anything that can be scored.
///
/// The search never calls the game. It requests the scores of a few points at a time, and the
/// caller evaluates them: in a loop, on many threads or on many machines. The same scores give the
/// same search, wherever they were computed.
///
///     while ((points = ploy_tune_ask(tune, &count)) != NULL) {
///         for (int32_t i = 0; i < count; i++) scores[i] = play(points + i * parameters);
///         ploy_tune_tell(tune, scores);
///     }
///
/// Methods, all combinable with the options of the def:
/// - steepest: tries one step down and up in every parameter and takes the best (2 n evaluations);
/// - first: takes the first neighbour that is better;
/// - direct: steepest, with random noise on every score that shrinks with the temperature;
/// - boltzmann: first, but a worse neighbour is taken with probability exp(-loss / temperature);
/// - spsa: two evaluations per step, whatever the number of parameters (Spall 1992); for noisy
///   scores;
/// - cma: draws a generation from a normal distribution and moves and bends it towards the best
///   half (CMA-ES, Hansen 2016); for landscapes with narrow ridges, and for noisy scores.
///
/// Momentum repeats a move that paid off, even over a small dip. Adaptive steps grow after a
/// success and shrink after a failure; the search then ends when they are below min_step. Several
/// starts keep the best end. Annealing cools after every step and ends at min_temperature. The best
/// point ever scored is always kept; it is not guaranteed to be the global optimum. Technique:
/// Millington, "AI for Games", 7.2, with its errata.
///
/// The present point of spsa and cma is the centre of the points that they draw. With noisy scores
/// it is a better answer than the best point ever scored, which partly owes its score to luck.
///
/// Cost: O(n) memory and work for each evaluation, besides the evaluation (cma: O(n^2)). Nothing is
/// allocated after create, except by `memo`. Threads: one caller.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"

/// Maximum number of parameters.
#define PLOY_TUNE_PARAMETERS_MAX 256

typedef enum ploy_tune_method {
    PLOY_TUNE_STEEPEST,
    PLOY_TUNE_FIRST,
    PLOY_TUNE_DIRECT,
    PLOY_TUNE_BOLTZMANN,
    PLOY_TUNE_SPSA,
    PLOY_TUNE_CMA
} ploy_tune_method;

typedef enum ploy_tune_cooling {
    PLOY_TUNE_GEOMETRIC, ///< temperature times `cooling` after every step
    PLOY_TUNE_LINEAR     ///< temperature minus `cooling` times the first temperature
} ploy_tune_cooling;

typedef enum ploy_tune_starts {
    PLOY_TUNE_RANDOM, ///< the given point first, then random ones
    PLOY_TUNE_HALTON, ///< the given point first, then spread evenly
    PLOY_TUNE_GRID    ///< the given point first, then centres of a grid
} ploy_tune_starts;

/// Settings of a search.
typedef struct ploy_tune_def {
    uint32_t cookie;
    ploy_tune_method method;
    bool minimise;      ///< scores are energies: smaller is better
    double momentum;    ///< [0, 1), share of the last improvement that a repeated move is given
    bool accumulate;    ///< momentum adds up over several moves
    bool adaptive;      ///< steps grow and shrink
    double step_up;     ///< factor after a success
    double step_down;   ///< factor after a failure
    double min_step;    ///< ends a trial; a share of each parameter's step
    double max_step;    ///< largest step, as such a share
    double sigma;       ///< cma: spread of the first generation, in steps of each parameter
    int32_t population; ///< cma: points in a generation; 0: 4 + 3 ln(parameters)
    bool random_order;  ///< first and boltzmann: neighbours in random order
    int32_t starts;     ///< trials
    ploy_tune_starts spread;
    double temperature; ///< at first, in units of the score
    double min_temperature;
    double cooling;
    ploy_tune_cooling schedule;
    int32_t repeats;         ///< evaluations of each point, averaged: for noisy scores
    bool reevaluate;         ///< scores the present point again in every step: for drifting scores
    bool memo;               ///< never requests a point twice: for repeatable scores
    int32_t max_evaluations; ///< never exceeded; repeats count
    int32_t max_steps;       ///< of each trial
    int32_t stagnation;      ///< steps without a new best that end a trial; 0: never
    bool has_target;         ///< stops at `target`
    double target;
    uint64_t seed;
} ploy_tune_def;

PLOY_API ploy_tune_def ploy_tune_def_default(void);
PLOY_API ploy_fields ploy_tune_fields(void);

/// One parameter.
typedef struct ploy_tune_range {
    double min, max;
    double step;    ///< of one move, above 0
    double initial; ///< where the first trial starts
} ploy_tune_range;

/// A range from a setting of any field table: its limits, its present value, and a twentieth of the
/// range as the step; whole numbers and enums move by 1 at least.
/// @return PLOY_ERR_NOT_FOUND for an unknown path, PLOY_ERR_ARGUMENT if it is not one number.
PLOY_API ploy_result ploy_tune_range_of(ploy_fields fields, const void *def, const char *path,
                                        ploy_tune_range *out);
/// Sets the setting to a value of a point, rounded if the setting is an integer.
PLOY_API ploy_result ploy_tune_apply(ploy_fields fields, void *def, const char *path, double value);

/// A search under way. Opaque.
typedef struct ploy_tune ploy_tune;

/// @param ranges  one for each parameter, copied.
/// @return PLOY_ERR_ARGUMENT if a setting or a range is invalid, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tune_create(const ploy_tune_def *def, const ploy_tune_range *ranges,
                                      int32_t parameters, const ploy_env *env, ploy_tune **out);
/// NULL is allowed.
PLOY_API void ploy_tune_destroy(ploy_tune *tune);

/// The points to score next, one after the other, valid until ploy_tune_tell. Another call returns
/// the same points.
/// @return NULL when the search is over.
PLOY_API const double *ploy_tune_ask(ploy_tune *tune, int32_t *count);
/// Takes the scores of these points, in the same order. Scores are limited to -1e150 to 1e150, so
/// that their squares stay finite; NaN counts as the worst.
/// @return PLOY_ERR_STATE if nothing was requested, PLOY_ERR_MEMORY (memo only; nothing changed).
PLOY_API ploy_result ploy_tune_tell(ploy_tune *tune, const double *scores);

/// Scores a point.
typedef double (*ploy_tune_fn)(void *user, const double *point, int32_t parameters);
/// Evaluates the points with a function, until the search is over (PLOY_OK) or the budget is empty
/// (PLOY_IN_PROGRESS). A unit is one evaluation.
PLOY_API ploy_result ploy_tune_step(ploy_tune *tune, ploy_tune_fn fn, void *user,
                                    ploy_budget *budget);

/// The outcome of a search, so far or at its end.
typedef struct ploy_tune_outcome {
    bool done;
    const char *reason;  ///< "optimum", "evaluations", "steps", "stagnation", "target", "cold"; ""
    int64_t evaluations; ///< points scored, repeats counted
    int64_t saved;       ///< evaluations that memo has saved
    int64_t steps;
    int32_t trial;
    double score; ///< of the present point
    double best;  ///< best score ever
    double step;  ///< present size of steps, as a share of each parameter's
    double temperature;
    double ruggedness; ///< 1 - correlation of neighbouring scores: 0 smooth, 1 random
} ploy_tune_outcome;
PLOY_API ploy_tune_outcome ploy_tune_outcome_of(const ploy_tune *tune);
/// The best point ever scored, and the present one.
PLOY_API const double *ploy_tune_best(const ploy_tune *tune);
PLOY_API const double *ploy_tune_at(const ploy_tune *tune);
/// All state: a checkpoint, from which a search over the same ranges continues bit-identically.
PLOY_API void ploy_tune_visit(ploy_visit *v, void *object);
