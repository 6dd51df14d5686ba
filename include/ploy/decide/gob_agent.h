/// @file ploy/decide/gob_agent.h
/// Goal-oriented behavior as a behavior: motives that grow, and the actions that relieve them.
///
/// The type holds motives and actions (ploy/decide/gob.h) and is shared. An agent's motives grow by
/// their rates, or are read from its knowledge (a ploy_score). An idle agent chooses an action as
/// set in the def, runs the action's behavior and, on success, applies the action's changes. An
/// action without a behavior takes its duration.
///
///     ploy_motive hunger = ploy_motive_make("hunger", 20);
///     ploy_gob_agent_type_motive(type, &hunger, ploy_score_none());
///     ploy_gob_agent_type_action(type, &eat, ploy_condition_text(set, "food > 0"), eating);
///     ploy_gob_agent_type_finish(type);
///
/// Technique: Millington, "AI for Games", 5.7. Cost of a choice: O(motives x actions); nothing
/// allocates. Threads: a finished type may be used by many threads; an agent takes one caller at a
/// time.
#pragma once

#include "ploy/decide/condition.h"
#include "ploy/decide/gob.h"
#include "ploy/exec/maker.h"

/// Motives and actions, shared. Opaque.
typedef struct ploy_gob_agent_type ploy_gob_agent_type;

/// @param layout  as in ploy_conditions_create.
PLOY_API ploy_result ploy_gob_agent_type_create(const ploy_gob_def *def,
                                                const ploy_blackboard_layout *layout,
                                                const ploy_env *env, ploy_gob_agent_type **out);
/// NULL is allowed. Destroy its agents first.
PLOY_API void ploy_gob_agent_type_destroy(ploy_gob_agent_type *type);
/// Returns the set of conditions and scores of its motives and actions.
PLOY_API ploy_conditions *ploy_gob_agent_type_conditions(ploy_gob_agent_type *type);

/// Adds a motive; add all motives before the actions. The name is copied.
/// @param score  the insistence, read in each step; none: the motive starts at motive->value and
///               grows.
PLOY_API ploy_result ploy_gob_agent_type_motive(ploy_gob_agent_type *type,
                                                const ploy_motive *motive, ploy_score score);
/// Adds an action; its name and its changes, one for each motive, are copied.
/// @param when    the action is possible only while this holds; none: always.
/// @param inside  makes the behavior that carries it out; none: only time passes.
PLOY_API ploy_result ploy_gob_agent_type_action(ploy_gob_agent_type *type,
                                                const ploy_gob_action *action, ploy_condition when,
                                                ploy_maker inside);
/// Finishes the type. @return the first fault.
PLOY_API ploy_result ploy_gob_agent_type_finish(ploy_gob_agent_type *type);

/// One agent. Opaque.
typedef struct ploy_gob_agent ploy_gob_agent;

/// @param type  finished; must outlive the agent.
PLOY_API ploy_result ploy_gob_agent_create(const ploy_gob_agent_type *type, const ploy_env *env,
                                           ploy_gob_agent **out);
/// NULL is allowed.
PLOY_API void ploy_gob_agent_destroy(ploy_gob_agent *agent);
/// Returns the agent's motives, for reading and for changes from outside, such as a blow. @param
/// count  may be NULL.
PLOY_API ploy_motive *ploy_gob_agent_motives(ploy_gob_agent *agent, int32_t *count);
/// The name of the action that it performs; "" for none.
PLOY_API const char *ploy_gob_agent_action(const ploy_gob_agent *agent);
/// Returns the agent as a behavior: RUNNING while it acts or has just finished an action, FAILURE
/// if no action is possible. Motives are kept across exit and enter.
PLOY_API ploy_behavior ploy_gob_agent_behavior(ploy_gob_agent *agent);
PLOY_API ploy_maker ploy_gob_agent_type_maker(ploy_gob_agent_type *type);
PLOY_API void ploy_gob_agent_describe(const ploy_gob_agent *agent, ploy_describe *out);
