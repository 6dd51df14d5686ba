/// @file ploy/decide/goap_agent.h
/// A character that pursues a goal by plans: looks, plans over several frames, acts, watches, and
/// repairs what no longer holds.
///
///     enter -> look -> plan (as the budget allows) -> act, act, ... -> the goal holds: SUCCESS
///                 ^                                     |
///                 +-- the world is not as expected <----+
///
/// Before each action the character looks. If the goal holds it is done. If the rest of its plan is
/// still possible and leads to the goal, it goes on; if a later part of it does from here
/// (something came about by itself), it goes on from there; else it plans again. An action that
/// fails, or that was done and did not bring what was expected, counts as a surprise: the plan is
/// checked against the world as it is. Too many repairs without a completed action mean failure.
///
/// Instead of a goal it can pursue a task by recipes (ploy/decide/htn.h): it is done when the plan
/// is, a plan is kept while what is left of it can be done, and at each look a better recipe, by
/// the record of the one that runs, takes its place.
///
/// A saved agent goes on with its plan by the ids of variables, actions, tasks and methods; a
/// search that was under way restarts.
///
/// Two methods to give it a body. By hands, the game says how the world is (sense) and does the
/// actions (act). By a ploy_goap_agent_type, shared by all characters, the world is the blackboard
/// and an action is any behavior: variables that are keys of the layout are read from the board,
/// the others are the character's own memory; an action runs the behavior that was set for it over
/// as many steps as it takes, and when it succeeded its gains are written to the board and the
/// memory. An action without a behavior is done at once. Enter begins to plan, exit leaves the
/// action that runs, and messages go to that action.
///
/// Nothing allocates in a step that needs no more than an earlier one did. Threads: one caller at a
/// time.
#pragma once

#include "ploy/decide/htn.h"
#include "ploy/exec/maker.h"

typedef struct ploy_goap_hands {
    /// Fills in the world as the character knows it; it is cleared before. Required.
    ploy_result (*sense)(void *user, ploy_step_context *context, const ploy_goap_type *type,
                         uint64_t *world);
    /// One step of an action. `first` in its first step. Sets *status. Required.
    ploy_result (*act)(void *user, ploy_step_context *context, int32_t action, bool first,
                       ploy_status *status);
    /// An action that began does not end by itself. May be NULL.
    void (*stop)(void *user, ploy_step_context *context, int32_t action);
    void *user;
} ploy_goap_hands;

typedef struct ploy_goap_agent_def {
    uint32_t cookie;
    ploy_goap_def planner;
    ploy_htn_def recipes; ///< how it decomposes a task
    int32_t max_repairs;  ///< plans in a row without an action done; then it fails
    bool watch;           ///< looks in every step, not only between actions
} ploy_goap_agent_def;

PLOY_API ploy_goap_agent_def ploy_goap_agent_def_default(void);
PLOY_API ploy_fields ploy_goap_agent_fields(void);

/// Opaque.
typedef struct ploy_goap_agent ploy_goap_agent;

/// @param type  finished; must outlive it.
PLOY_API ploy_result ploy_goap_agent_create(const ploy_goap_agent_def *def,
                                            const ploy_goap_type *type,
                                            const ploy_goap_hands *hands, const ploy_env *env,
                                            ploy_goap_agent **out);
/// NULL is allowed.
PLOY_API void ploy_goap_agent_destroy(ploy_goap_agent *agent);
/// Sets its goal; a plan for another one is given up at the next step.
PLOY_API ploy_result ploy_goap_agent_set_goal(ploy_goap_agent *agent, const ploy_goap_need *goal,
                                              int32_t count);
/// Sets what it does instead, by recipes over the same domain; a goal is forgotten.
/// @param recipes  finished; must outlive it.
PLOY_API ploy_result ploy_goap_agent_set_task(ploy_goap_agent *agent, const ploy_htn_type *recipes,
                                              ploy_htn_task task);
/// As a behavior. FAILURE when there is no plan, or none that can be kept to.
PLOY_API ploy_behavior ploy_goap_agent_behavior(ploy_goap_agent *agent);

/// The plan in force and the place in it. @return how many actions, 0 if there is none.
PLOY_API int32_t ploy_goap_agent_plan(const ploy_goap_agent *agent, const int32_t **out,
                                      int32_t *place);
/// Why there is no plan, in sentences; nothing if there is one or none was looked for.
PLOY_API void ploy_goap_agent_explain(ploy_goap_agent *agent, ploy_writer *writer);
/// The world at the last look.
PLOY_API const uint64_t *ploy_goap_agent_world(const ploy_goap_agent *agent);

typedef struct ploy_goap_agent_stats {
    int64_t plans;   ///< made
    int64_t actions; ///< done
    int64_t kept;    ///< surprises after which the plan still held
    int64_t skipped; ///< actions left out because they were not needed any more
    int64_t failed;  ///< actions that failed
    int64_t better;  ///< plans that a better recipe took the place of
} ploy_goap_agent_stats;
/// What it has done since create.
PLOY_API ploy_goap_agent_stats ploy_goap_agent_stats_of(const ploy_goap_agent *agent);
PLOY_API void ploy_goap_agent_describe(const ploy_goap_agent *agent, ploy_describe *out);

// ---- as a definition, over a blackboard ----

/// Goals and actions of one kind of agent. Opaque.
typedef struct ploy_goap_agent_type ploy_goap_agent_type;

/// @param domain  finished; must outlive it. @param layout  of the boards; its keys with the ids of
///                variables are those: bools, whole numbers, f32 and f64 (rounded down), names for
///                choices. NULL: all variables are the agents' memory.
/// @return PLOY_ERR_ARGUMENT for a bad def, or a key of a type its variable cannot have (the log
///         says which); PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_agent_type_create(const ploy_goap_agent_def *def,
                                                 const ploy_goap_type *domain,
                                                 const ploy_blackboard_layout *layout,
                                                 const ploy_env *env, ploy_goap_agent_type **out);
/// NULL is allowed. Its agents must be gone.
PLOY_API void ploy_goap_agent_type_destroy(ploy_goap_agent_type *type);
/// Sets the goal of its agents. @return as ploy_goap_agent_set_goal.
PLOY_API ploy_result ploy_goap_agent_type_set_goal(ploy_goap_agent_type *type,
                                                   const ploy_goap_need *goal, int32_t count);
/// Sets what they do instead, by recipes over the same domain, which must outlive it.
PLOY_API ploy_result ploy_goap_agent_type_set_task(ploy_goap_agent_type *type,
                                                   const ploy_htn_type *recipes,
                                                   ploy_htn_task task);
/// Sets the behavior that carries out an action. @return PLOY_ERR_NOT_FOUND for no such action.
PLOY_API ploy_result ploy_goap_agent_type_set_action(ploy_goap_agent_type *type, const char *action,
                                                     ploy_maker maker);
/// Makes agents of the type, which must outlive them and is not to be changed any more.
PLOY_API ploy_maker ploy_goap_agent_type_maker(ploy_goap_agent_type *type);
/// The agent behind a behavior that such a maker made, to look at its plan; NULL for any other.
PLOY_API ploy_goap_agent *ploy_goap_agent_of(ploy_behavior behavior);
