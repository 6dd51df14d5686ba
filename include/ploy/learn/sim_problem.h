/// @file ploy/learn/sim_problem.h
/// Simulations as problems: an actor plays any game or lab.
///
/// Actions are commands of the simulation, observations are values that it describes, by their path
/// (ploy/base/probe.h). The reward of a step is the change of one described value, such as the
/// score; a second value ends the episode when it is not 0. An episode is one run with a fresh
/// seed.
///
///     static const ploy_sim_action actions[] = {{NULL}, {"jump"}};
///     static const ploy_sim_observation observed[] = {{"state.gap", 0, 10, 20}};
///     ploy_sim_problem_def def = ploy_sim_problem_def_default();
///     def.sim = runner; def.actions = actions; def.action_count = 2; ...
///     ploy_sim_problem problem;
///     ploy_sim_problem_init(&problem, &def, &env);
///     ploy_problem_create(&problem.type, &env, &running);
///
/// If observations have levels, states can be counted: each value is rounded down to one of its
/// levels and all of them make one number (ploy/learn/discretise.h). A code of more than
/// `states_max` states is refused, because no table of that size is ever filled: group places into
/// regions, take fewer levels, or leave the states uncounted and learn with tiles or a network.
///
/// A saved problem holds the seed and the actions of its episode; a load executes them again.
/// Cost of a step: `ticks` ticks, and one description of the simulation. Starting an episode
/// allocates, steps allocate what the simulation allocates. Threads: one caller for each problem.
#pragma once

#include "ploy/exec/sim.h"
#include "ploy/learn/discretise.h"
#include "ploy/learn/problem.h"

/// One action. Pointers are borrowed.
typedef struct ploy_sim_action {
    const char *command; ///< one of the type's commands; NULL: no command
    ploy_agent_id agent; ///< if the command needs one
    ploy_value value;    ///< if the command takes one
} ploy_sim_action;

/// One observed value.
typedef struct ploy_sim_observation {
    const char *path; ///< such as "state.summary.score.x"
    float low, high;  ///< range that is divided into levels, and that tiles cover
    int32_t levels;   ///< for the counted state; 0: not a part of it
} ploy_sim_observation;

/// Settings of a problem. Pointers are borrowed and must outlive the problem.
typedef struct ploy_sim_problem_def {
    const ploy_sim_type *sim;
    const void *params; ///< of the type; NULL: its defaults
    const ploy_sim_action *actions;
    int32_t action_count;
    const ploy_sim_observation *observed;
    int32_t observed_count;
    const char *reward; ///< value whose change is the reward
    const char *ended;  ///< value that is not 0 when the episode is decided; NULL: never
    int32_t ticks;      ///< of each step
    int32_t step_limit; ///< steps after which an episode is truncated, at least 1
    float discount;
    int64_t states_max; ///< maximum number of states of the code
    int32_t region_mib; ///< addresses reserved for each run
} ploy_sim_problem_def;

/// 1 tick, 1,000 steps, discount 0.95, a million states, 16 MiB; the caller sets the rest.
PLOY_API ploy_sim_problem_def ploy_sim_problem_def_default(void);

/// A kind of problem made from a simulation; caller-owned, must outlive the problems made from it.
typedef struct ploy_sim_problem {
    ploy_problem_type type; ///< for ploy_problem_create
    ploy_sim_problem_def def;
    ploy_state_code code; ///< of the observations with levels; states is 0 if there is none
} ploy_sim_problem;

/// Fills the type.
/// @return PLOY_ERR_ARGUMENT for a missing part, PLOY_ERR_NOT_FOUND for a command that the
///         type does
///         not have, PLOY_ERR_LIMIT for too many states or observations (the log names each).
///         Paths are checked by ploy_problem_create, which returns PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_sim_problem_init(ploy_sim_problem *out, const ploy_sim_problem_def *def,
                                           const ploy_env *env);
