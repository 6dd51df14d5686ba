/// @file ploy/learn/actor.h
/// Actors: reinforcement learners, which learn from rewards.
///
/// An actor receives the situation and returns an action; after each action it receives the reward
/// and the next situation. The rewards may come late: credit flows back along the chain of actions.
/// The game owns the transitions, so an actor learns online as well as offline, and also from the
/// actions of a player: ploy_actor_learn takes any step.
///
///     "q"               Q-learning: off-policy, learns the best policy while exploring
///     "sarsa"           on-policy: learns the value of the policy it follows, exploration included
///     "expected_sarsa"  the same with the mean over the next actions, which is less noisy
///     "td"              values of states, for problems whose next states can be predicted
///     "actor_critic"    preferences for actions, trained by the critique of a state's value
///     "dqn"             Q-learning with a network, a replay buffer and a slow copy as target
///
/// Values are stored in a dense table, in a hash map that grows, in tiles over the observation
/// (linear function approximation), or in a network.
/// Technique: Millington, "AI for Games", 7.7; Watkins 1989 (Q-learning), Rummery and Niranjan 1994
/// (SARSA), van Seijen et al. 2009, Sutton and Barto 2018 (traces, n steps, tiles, actor-critic),
/// Mnih et al. 2015 and van Hasselt et al. 2016 (DQN and its double form).
///
/// A unit of ploy_play is one step of the problem. Steps allocate nothing, except that a hash map
/// grows. Threads: one caller for each actor.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/trace.h"
#include "ploy/learn/net.h"
#include "ploy/learn/problem.h"

/// What an actor observes when it acts.
typedef struct ploy_situation {
    int64_t state;            ///< -1: not countable
    const float *observation; ///< NULL: only the state
    const bool *allowed;      ///< one for each action; NULL: all
} ploy_situation;

typedef struct ploy_actor_type ploy_actor_type;

/// First member of every actor's object; ploy_actor_create fills it.
typedef struct ploy_actor_common {
    ploy_env env;
    const ploy_actor_type *type;
    ploy_problem_space space;
    void *def;     ///< the actor's copy of its settings
    uint64_t seed; ///< of rng, for a reset
    bool frozen;   ///< acts greedily, with its best net, and learns nothing
    int64_t steps; ///< learned from
    ploy_rng rng;  ///< of exploration
} ploy_actor_common;

/// A kind of actor. All are set except where noted.
struct ploy_actor_type {
    const char *name;
    const char *help;
    ploy_fields (*fields)(void);
    /// def was checked. PLOY_ERR_ARGUMENT if the space does not suit it (the log gives the reason).
    ploy_result (*create)(const void *def, const ploy_actor_common *common, void **out);
    void (*destroy)(void *self);
    /// An action to explore with.
    int32_t (*choose)(void *self, const ploy_situation *now);
    /// Learns from one step. `next_action` is the action that follows, -1 if the episode has ended.
    ploy_result (*learn)(void *self, const ploy_situation *now, int32_t action,
                         ploy_problem_result result, const ploy_situation *next,
                         int32_t next_action);
    /// Values of all actions.
    void (*values)(const void *self, const ploy_situation *now, double *out);
    /// How often an action was learned from in that situation; -1: not counted. NULL: never
    /// counted.
    int64_t (*visits)(const void *self, const ploy_situation *now, int32_t action);
    void (*visit)(ploy_visit *v, void *self);
    /// Keeps what it has learned for its frozen form if `score` is the best so far. NULL: it has
    /// one form only.
    bool (*keep_best)(void *self, double score);
    /// Restores the state after create, except for common.
    void (*reset)(void *self);
};

typedef struct ploy_actor {
    const ploy_actor_type *type; ///< NULL means none
    void *self;
} ploy_actor;

/// Every actor of the library: number 0, 1, ...; NULL past the last one.
PLOY_API const ploy_actor_type *ploy_actors_at(int32_t index);
PLOY_API const ploy_actor_type *ploy_actors_find(const char *name);

/// @param def  settings, as in its field table; NULL: the defaults.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range or the actor cannot work in the
///         space (the
///         log gives the reason), PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_actor_create(const ploy_actor_type *type, const void *def,
                                       const ploy_problem_space *space, uint64_t seed,
                                       const ploy_env *env, ploy_actor *out);
/// None is allowed.
PLOY_API void ploy_actor_destroy(ploy_actor actor);
/// The space and settings that the actor was created with.
PLOY_API const ploy_problem_space *ploy_actor_space(ploy_actor actor);
PLOY_API const void *ploy_actor_def(ploy_actor actor);
/// Chooses an action with exploration; the best one if frozen. Action 0 in a situation that the
/// actor's space does not have: a state or numbers out of range, or none.
PLOY_API int32_t ploy_actor_choose(ploy_actor actor, const ploy_situation *now);
/// The best action; among equals, the first. -1 if none is allowed, or in such a situation.
PLOY_API int32_t ploy_actor_best(ploy_actor actor, const ploy_situation *now);
/// Learns from a step that the actor made. @param next_action  the action that follows, -1 at an
/// end. @return PLOY_ERR_ARGUMENT for an unknown action, such a situation or a reward that is not
/// finite, PLOY_ERR_LIMIT for a full table, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_actor_learn(ploy_actor actor, const ploy_situation *now, int32_t action,
                                      ploy_problem_result result, const ploy_situation *next,
                                      int32_t next_action);
/// Values of all actions, PLOY_PROBLEM_ACTIONS_MAX places; 0 in such a situation.
PLOY_API void ploy_actor_values(ploy_actor actor, const ploy_situation *now, double *out);
/// Freezes or unfreezes an actor. A frozen actor still acts, greedily, but no longer learns.
PLOY_API void ploy_actor_freeze(ploy_actor actor, bool frozen);
PLOY_API bool ploy_actor_frozen(ploy_actor actor);
/// Clears everything learned, as after create; has no effect on a frozen actor.
PLOY_API void ploy_actor_reset(ploy_actor actor);
/// A "dqn" forgets: its net at the end of training is often not its best one. Call this between
/// slices of training with a score of the present net. If it is the best so far, the net is kept: a
/// frozen actor acts with the kept net, which is saved with it, and training continues with the
/// present one. Other actors keep nothing, and neither does a frozen one.
/// @return whether the net was kept.
PLOY_API bool ploy_actor_keep_best(ploy_actor actor, double score);
/// Steps learned from since create or reset.
PLOY_API int64_t ploy_actor_steps(ploy_actor actor);
/// The visitor of an actor; the object is a ploy_actor *. Saves what was learned, without space and
/// settings (ploy/data/actor_file.h saves those too).
PLOY_API void ploy_actor_visit(ploy_visit *v, void *object);
PLOY_API uint64_t ploy_actor_hash(ploy_actor actor);
PLOY_API void ploy_actor_describe(ploy_actor actor, ploy_describe *out);
PLOY_API void ploy_actor_memory(ploy_actor actor, ploy_memory_fn fn, void *user);
/// Reports every action with its value and how often it was tried.
PLOY_API void ploy_actor_explain(ploy_actor actor, const ploy_situation *now, ploy_agent_id agent,
                                 ploy_trace *trace);

// ---- settings

typedef enum ploy_q_store {
    PLOY_Q_DENSE, ///< a table of all states and actions
    PLOY_Q_HASH,  ///< only visited pairs; all others are 0
    PLOY_Q_TILES  ///< overlapping grids over the observation
} ploy_q_store;

/// How a value changes over the steps, from first to last.
typedef enum ploy_q_schedule {
    PLOY_Q_CONSTANT,
    PLOY_Q_LINEAR,    ///< in equal steps
    PLOY_Q_GEOMETRIC, ///< in equal ratios
    PLOY_Q_VISITS ///< learning rates only: 1 / n^0.65 for the n-th visit of a pair, not below last
} ploy_q_schedule;

/// Settings of "q", "sarsa" and "expected_sarsa".
typedef struct ploy_q_def {
    uint32_t cookie;
    ploy_q_store store;
    ploy_q_schedule rate_schedule;
    float rate, rate_last; ///< learning rate
    float discount;        ///< 0: the problem's
    ploy_q_schedule explore_schedule;
    float explore, explore_last; ///< share of random actions
    int32_t schedule_steps;      ///< over which both change
    float trace;                 ///< lambda of eligibility traces; 0: none
    int32_t steps;               ///< n of n-step returns, 1 to 16
    int32_t tilings;             ///< overlapping grids
    int32_t tiles;               ///< of each dimension
    int32_t states_max; ///< maximum number of states of a table, or of entries of a hash map
} ploy_q_def;

PLOY_API ploy_q_def ploy_q_def_default(void);
PLOY_API ploy_fields ploy_q_fields(void);

/// Settings of "actor_critic".
typedef struct ploy_actor_critic_def {
    uint32_t cookie;
    float critic_rate, actor_rate;
    float discount;    ///< 0: the problem's
    float temperature; ///< of the softmax over preferences
    int32_t states_max;
} ploy_actor_critic_def;

PLOY_API ploy_actor_critic_def ploy_actor_critic_def_default(void);
PLOY_API ploy_fields ploy_actor_critic_fields(void);

/// Settings of "td": values of states only. It chooses by the value that the model predicts for
/// each action.
typedef struct ploy_td_def {
    uint32_t cookie;
    float rate, rate_last; ///< learning rate: 1 / n^0.7 for the n-th visit, within these
    float discount;        ///< 0: the problem's
    float explore;         ///< share of random actions
    float trace;           ///< lambda: 0 looks one step ahead, 1 to the end of the episode
    int32_t states_max;
    /// Outcomes of an action, as in ploy_problem_type; NULL: all actions count as equal. Not a
    /// setting.
    int32_t (*model)(int64_t state, int32_t action, ploy_problem_outcome *out);
} ploy_td_def;

PLOY_API ploy_td_def ploy_td_def_default(void);
PLOY_API ploy_fields ploy_td_fields(void);

/// Settings of "dqn".
typedef struct ploy_dqn_def {
    uint32_t cookie;
    int32_t hidden, hidden2; ///< units of the hidden layers; 0: no second one
    float rate;
    float discount; ///< 0: the problem's
    float explore, explore_last;
    int32_t explore_steps;
    int32_t buffer;       ///< steps remembered
    int32_t batch;        ///< steps learned at a time
    int32_t every;        ///< steps between two batches
    int32_t target_every; ///< steps between two copies to the target net
    int32_t warm_up;      ///< steps before it learns
    bool doubled;         ///< double DQN: the net chooses, the target net gives the value
} ploy_dqn_def;

PLOY_API ploy_dqn_def ploy_dqn_def_default(void);
PLOY_API ploy_fields ploy_dqn_fields(void);
/// The network of a "dqn", for files: the one that it kept as its best, otherwise the present one.
/// NULL for other actors. Its inputs are the observed numbers as they are, or, where states are
/// counted, one for each state (1 for the present one); it has an output for each action.
PLOY_API const ploy_net *ploy_dqn_net(ploy_actor actor);

/// The update rule alone: moves value by `rate` towards reward + discount * best of the next state.
static inline double ploy_q_update(double value, double rate, double reward, double discount,
                                   double next_best) {
    return (1.0 - rate) * value + rate * (reward + discount * next_best);
}

// ---- playing

/// The result of playing.
typedef struct ploy_play_report {
    int64_t steps, episodes;
    double mean_return; ///< of the last 100 episodes that ended
    double last_return;
} ploy_play_report;

/// Steps of one actor in one problem, in slices. Opaque.
typedef struct ploy_play_task ploy_play_task;

/// @param restart  share of steps that end a walk early (nu). Above 0 each walk starts in a random
///                 state; 0, for online learning, where the problem starts.
/// @return PLOY_ERR_ARGUMENT also if the actor was created for a space with another number of
///         states, actions or observed numbers; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_play_begin(ploy_problem *problem, ploy_actor actor, int64_t steps,
                                     float restart, uint64_t seed, const ploy_env *env,
                                     ploy_play_task **out);
/// PLOY_IN_PROGRESS until all steps are done. Budget NULL: no limit.
PLOY_API ploy_result ploy_play_step(ploy_play_task *task, ploy_budget *budget);
PLOY_API ploy_play_report ploy_play_result(const ploy_play_task *task);
/// The counters of a task; problem and actor have their own visitors.
PLOY_API void ploy_play_visit(ploy_visit *v, void *object);
/// Ends the task, whether finished or not. NULL is allowed.
PLOY_API void ploy_play_cancel(ploy_play_task *task);
/// Mean return of that many episodes with the actor frozen. Episodes use seeds from `seed` on. 0 if
/// the actor was created for another space.
PLOY_API double ploy_play_greedy(ploy_problem *problem, ploy_actor actor, int32_t episodes,
                                 uint64_t seed);
/// Plays greedy episodes with the present net of an actor that is not frozen, and scores it by
/// their mean return (ploy_actor_keep_best). The problem is another one than that of the training.
/// @param score  the mean return; may be NULL.
/// @return whether the net was kept; false if the actor was created for another space.
PLOY_API bool ploy_play_keep_best(ploy_problem *problem, ploy_actor actor, int32_t episodes,
                                  uint64_t seed, double *score);

// ---- the oracle

/// Computes the best value of every state and action exactly (value iteration), for a problem with
/// a model.
/// @param q  states * actions values; pairs of end states are 0.
/// @return PLOY_ERR_UNSUPPORTED without a model, PLOY_ERR_LIMIT if it does not converge in 100,000
///         sweeps.
PLOY_API ploy_result ploy_oracle_best(const ploy_problem_type *type, double discount, double *q);
/// Values of every state under a policy: shares[state * actions + action]; NULL: all actions
/// equally likely.
PLOY_API ploy_result ploy_oracle_policy(const ploy_problem_type *type, double discount,
                                        const double *shares, double *values);
/// The best policy by policy iteration. @param sweeps  how many improvements it took; may be NULL.
PLOY_API ploy_result ploy_oracle_improve(const ploy_problem_type *type, double discount,
                                         int32_t *policy, double *values, int32_t *sweeps);
/// Largest difference between an actor's values and the best ones, over all states except end
/// states.
PLOY_API double ploy_oracle_error(const ploy_problem_type *type, ploy_actor actor, const double *q);
/// True if the actor's best action is a best action in every state that the best policy can reach
/// from anywhere; within `tolerance` of the best value.
PLOY_API bool ploy_oracle_agrees(const ploy_problem_type *type, ploy_actor actor, const double *q,
                                 double tolerance);

/// A loop of the greedy policy: a reward trap.
typedef struct ploy_trap {
    int64_t state;   ///< the lowest of the loop
    int32_t length;  ///< steps in the loop
    int32_t trapped; ///< states from which the policy enters the loop
    double reward;   ///< for each step
} ploy_trap;

/// Follows the greedy policy from each state, along the likeliest outcomes, and reports every loop.
/// @param room  maximum number of traps written. @return how many loops there are; -1 if memory
/// runs out or there is no model.
PLOY_API int32_t ploy_oracle_traps(const ploy_problem_type *type, ploy_actor actor,
                                   const ploy_env *env, ploy_trap *traps, int32_t room);
