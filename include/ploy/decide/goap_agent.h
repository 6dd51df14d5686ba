/// @file ploy/decide/goap_agent.h
/// A character that pursues a goal by plans: senses the world, plans over several frames, acts,
/// monitors the plan and repairs it.
///
///     enter -> look -> plan (as the budget allows) -> act, act, ... -> the goal holds: SUCCESS
///                 ^                                     |
///                 +-- the world is not as expected <----+
///
/// The character senses the world before each action. If the goal holds, it is done. If the rest of
/// the plan is still possible and leads to the goal, it continues. If only a later part of the plan
/// does (a change happened without an action), it continues with that part; otherwise it plans
/// again. An action that fails, or that does not have its expected result, counts as a surprise:
/// the plan is checked against the actual world. Too many repairs without a completed action mean
/// failure.
///
/// Instead of a goal, it can pursue a task by recipes (ploy/decide/htn.h): it is done when the plan
/// is done, keeps a plan while the rest of it is possible, and each time it senses, replaces the
/// plan by a better recipe, compared by the record of the running one.
///
/// A loaded agent continues its plan by the ids of variables, actions, tasks and methods; a search
/// that was in progress restarts.
///
/// There are two methods to connect a body. With ploy_goap_hands, the game reports the world
/// (sense) and carries out the actions (act). With a ploy_goap_agent_type, shared by all
/// characters, the world is the blackboard and an action is any behavior: variables that are keys
/// of the layout are read from the board, the others are kept in the character's private memory. An
/// action runs the behavior set for it over as many steps as needed; when the behavior succeeds,
/// the action's gains are written to the board and the memory. An action without a behavior is done
/// at once. Enter begins to plan, exit stops the running action, and messages go to that action.
///
/// A step that needs no more memory than an earlier one allocates nothing. Threads: one caller at a
/// time.
#pragma once

#include "ploy/decide/htn.h"
#include "ploy/exec/maker.h"

typedef struct ploy_goap_hands {
    /// Fills in the world as the character knows it; the world is cleared before. Required.
    ploy_result (*sense)(void *user, ploy_step_context *context, const ploy_goap_type *type,
                         uint64_t *world);
    /// Runs one step of an action. `first` is true in its first step. Sets *status. Required.
    ploy_result (*act)(void *user, ploy_step_context *context, int32_t action, bool first,
                       ploy_status *status);
    /// Stops an action that has begun and not ended. May be NULL.
    void (*stop)(void *user, ploy_step_context *context, int32_t action);
    void *user;
} ploy_goap_hands;

typedef struct ploy_goap_agent_def {
    uint32_t cookie;
    ploy_goap_def planner;
    ploy_htn_def recipes; ///< how it decomposes a task
    int32_t max_repairs;  ///< most plans in a row without a completed action; then it fails
    bool watch;           ///< senses in every step, not only between actions
} ploy_goap_agent_def;

PLOY_API ploy_goap_agent_def ploy_goap_agent_def_default(void);
PLOY_API ploy_fields ploy_goap_agent_fields(void);

/// Opaque.
typedef struct ploy_goap_agent ploy_goap_agent;

/// @param type  finished; must outlive the agent.
PLOY_API ploy_result ploy_goap_agent_create(const ploy_goap_agent_def *def,
                                            const ploy_goap_type *type,
                                            const ploy_goap_hands *hands, const ploy_env *env,
                                            ploy_goap_agent **out);
/// NULL is allowed.
PLOY_API void ploy_goap_agent_destroy(ploy_goap_agent *agent);
/// Sets the goal; a plan for another goal is dropped at the next step.
PLOY_API ploy_result ploy_goap_agent_set_goal(ploy_goap_agent *agent, const ploy_goap_need *goal,
                                              int32_t count);
/// Sets a task instead of a goal, by recipes over the same domain; the goal is dropped.
/// @param recipes  finished; must outlive the agent.
PLOY_API ploy_result ploy_goap_agent_set_task(ploy_goap_agent *agent, const ploy_htn_type *recipes,
                                              ploy_htn_task task);
/// Returns the agent as a behavior. FAILURE when there is no plan, or none that can be followed.
PLOY_API ploy_behavior ploy_goap_agent_behavior(ploy_goap_agent *agent);

/// Returns the current plan and the position in it. @return the number of actions, 0 if there is no
/// plan.
PLOY_API int32_t ploy_goap_agent_plan(const ploy_goap_agent *agent, const int32_t **out,
                                      int32_t *place);
/// Writes why there is no plan, in sentences; nothing if there is one or none was searched for.
PLOY_API void ploy_goap_agent_explain(ploy_goap_agent *agent, ploy_writer *writer);
/// The world when last sensed.
PLOY_API const uint64_t *ploy_goap_agent_world(const ploy_goap_agent *agent);

typedef struct ploy_goap_agent_stats {
    int64_t plans;   ///< made
    int64_t actions; ///< done
    int64_t kept;    ///< surprises after which the plan still held
    int64_t skipped; ///< actions skipped because they were no longer needed
    int64_t failed;  ///< actions that failed
    int64_t better;  ///< plans replaced by a better recipe
} ploy_goap_agent_stats;
/// Statistics since create.
PLOY_API ploy_goap_agent_stats ploy_goap_agent_stats_of(const ploy_goap_agent *agent);
PLOY_API void ploy_goap_agent_describe(const ploy_goap_agent *agent, ploy_describe *out);

// ---- as a definition, over a blackboard ----

/// Goals and actions of one kind of agent. Opaque.
typedef struct ploy_goap_agent_type ploy_goap_agent_type;

/// @param domain  finished; must outlive the type. @param layout  of the boards; keys named like a
///                variable hold it: bools, whole numbers, f32 and f64 (rounded down), names for
///                choices. NULL: all variables are in the agents' memory.
/// @return PLOY_ERR_ARGUMENT for a bad def, or a key of a type its variable cannot have (the log
///         names it); PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_agent_type_create(const ploy_goap_agent_def *def,
                                                 const ploy_goap_type *domain,
                                                 const ploy_blackboard_layout *layout,
                                                 const ploy_env *env, ploy_goap_agent_type **out);
/// NULL is allowed. Destroy its agents first.
PLOY_API void ploy_goap_agent_type_destroy(ploy_goap_agent_type *type);
/// Sets the goal of the type's agents. @return as ploy_goap_agent_set_goal.
PLOY_API ploy_result ploy_goap_agent_type_set_goal(ploy_goap_agent_type *type,
                                                   const ploy_goap_need *goal, int32_t count);
/// Sets a task instead of a goal, by recipes over the same domain, which must outlive the type.
PLOY_API ploy_result ploy_goap_agent_type_set_task(ploy_goap_agent_type *type,
                                                   const ploy_htn_type *recipes,
                                                   ploy_htn_task task);
/// Sets the behavior that carries out an action. @return PLOY_ERR_NOT_FOUND if there is no such
/// action.
PLOY_API ploy_result ploy_goap_agent_type_set_action(ploy_goap_agent_type *type, const char *action,
                                                     ploy_maker maker);
/// A maker that creates agents of the type, which must outlive them and must no longer change.
PLOY_API ploy_maker ploy_goap_agent_type_maker(ploy_goap_agent_type *type);
/// Returns the agent of a behavior created by such a maker, to inspect its plan; NULL for any
/// other.
PLOY_API ploy_goap_agent *ploy_goap_agent_of(ploy_behavior behavior);
