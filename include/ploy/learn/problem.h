/// @file ploy/learn/problem.h
/// Problems: the environments of reinforcement learners, with an interface like Gymnasium's.
///
/// A problem is reset with a seed, shows a situation, takes an action and returns a reward. An
/// episode ends when the problem is decided (terminated) or has lasted too long (truncated). A
/// situation has numbers (the observation), the index of the state if states can be counted, and
/// the actions that are allowed. An actor can only learn from what is in the situation.
///
///     ploy_problem_create(ploy_problems_find("cliff"), &env, &problem);
///     ploy_problem_reset(problem, seed);
///     while (!step.terminated && !step.truncated) step = ploy_problem_step(problem, action);
///
/// Small problems with countable states also give their model, from which ploy_oracle computes the
/// best values exactly. A game implements ploy_problem_type itself.
/// Technique: Millington, "AI for Games", 7.7; the small problems are those of Sutton and Barto,
/// "Reinforcement Learning", 2018, and of Gymnasium (FrozenLake, CartPole: Barto et al. 1983).
///
/// Steps allocate nothing. Threads: one caller for each problem; batches of them run over jobs.
#pragma once

#include "ploy/base/jobs.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"

/// Maximum number of actions, and of outcomes of one action in a model.
#define PLOY_PROBLEM_ACTIONS_MAX 66
#define PLOY_PROBLEM_OUTCOMES_MAX 16
/// Maximum number of values in an observation.
#define PLOY_PROBLEM_OBSERVED_MAX 256
/// Maximum number of observed values with a range.
#define PLOY_PROBLEM_RANGES_MAX 8

/// What can be observed and done.
typedef struct ploy_problem_space {
    int64_t states;     ///< number of states; 0: not countable
    int32_t actions;    ///< 0 to actions - 1
    int32_t observed;   ///< numbers in an observation; 0: only the state
    int32_t step_limit; ///< steps after which an episode is truncated; 0: none
    float discount;     ///< usual for this problem
    /// Ranges of the first observed numbers; for tiles.
    float low[PLOY_PROBLEM_RANGES_MAX], high[PLOY_PROBLEM_RANGES_MAX];
} ploy_problem_space;

/// The result of a step.
typedef struct ploy_problem_result {
    float reward;
    bool terminated; ///< decided: no steps follow
    bool truncated;  ///< cut off before it was decided
} ploy_problem_result;

/// One possible outcome of an action, for problems with a model.
typedef struct ploy_problem_outcome {
    double probability;
    double reward;
    int64_t state;
    bool terminated;
} ploy_problem_outcome;

/// A kind of problem. All are set except where noted.
typedef struct ploy_problem_type {
    const char *name;
    const char *help; ///< one line
    ploy_problem_space space;
    int32_t columns; ///< of a grid, for pictures; 0: not a grid
    ploy_result (*create)(const struct ploy_problem_type *type, const ploy_env *env, void **out);
    void (*destroy)(void *self);
    /// @param state  where to start; -1: the problem chooses. Ignored if states are not countable.
    void (*reset)(void *self, ploy_rng *rng, int64_t state);
    ploy_problem_result (*step)(void *self, ploy_rng *rng, int32_t action);
    /// Index of the state. NULL if states are not countable.
    int64_t (*state)(const void *self);
    /// NULL if only the state is observed.
    void (*observe)(const void *self, float *out);
    /// Clears the actions that are not allowed; all are set before the call. NULL: all are allowed.
    void (*allowed)(const void *self, bool *out);
    /// Writes the outcomes of an action and returns their number; 0 for an end state. NULL: no
    /// model.
    int32_t (*model)(int64_t state, int32_t action, ploy_problem_outcome *out);
    void (*visit)(ploy_visit *v, void *self);
    void (*draw)(const void *self, ploy_draw *out); ///< may be NULL
} ploy_problem_type;

/// One run of a problem. Opaque.
typedef struct ploy_problem ploy_problem;

/// The small problems of the library: number 0, 1, ...; NULL past the last one.
PLOY_API const ploy_problem_type *ploy_problems_at(int32_t index);
/// The problem of that name, or NULL.
PLOY_API const ploy_problem_type *ploy_problems_find(const char *name);

/// Creates a problem, reset with seed 0.
/// @return PLOY_ERR_ARGUMENT if the type lacks something, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_problem_create(const ploy_problem_type *type, const ploy_env *env,
                                         ploy_problem **out);
/// NULL is allowed.
PLOY_API void ploy_problem_destroy(ploy_problem *problem);
PLOY_API const ploy_problem_type *ploy_problem_type_of(const ploy_problem *problem);

/// Starts an episode; the seed fixes everything that is random in it.
PLOY_API void ploy_problem_reset(ploy_problem *problem, uint64_t seed);
/// Starts another episode without a new seed, in that state if states are countable; -1: the
/// problem chooses.
PLOY_API void ploy_problem_restart(ploy_problem *problem, int64_t state);
/// Does one action. A forbidden action counts as the first allowed one.
PLOY_API ploy_problem_result ploy_problem_step(ploy_problem *problem, int32_t action);
/// The situation now. `out` has room for at least PLOY_PROBLEM_OBSERVED_MAX values.
PLOY_API int64_t ploy_problem_state(const ploy_problem *problem);
PLOY_API void ploy_problem_observe(const ploy_problem *problem, float *out);
/// @param out  PLOY_PROBLEM_ACTIONS_MAX places. @return how many are allowed.
PLOY_API int32_t ploy_problem_allowed(const ploy_problem *problem, bool *out);
/// Steps in this episode.
PLOY_API int32_t ploy_problem_steps(const ploy_problem *problem);

/// Steps several problems at once, each with its action; bit-identical for any number of workers.
/// @param jobs  NULL: on the calling thread.
PLOY_API ploy_result ploy_problem_step_batch(ploy_problem *const *problems, int32_t count,
                                             const int32_t *actions, const ploy_jobs *jobs,
                                             ploy_problem_result *results);

/// The state of the episode and its random stream.
PLOY_API void ploy_problem_visit(ploy_visit *v, void *object);
/// Draws the state: a cell of 1 m for each state of a grid.
PLOY_API void ploy_problem_draw(const ploy_problem *problem, ploy_draw *out);
