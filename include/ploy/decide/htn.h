/// @file ploy/decide/htn.h
/// Hierarchical task networks: the planner combines recipes into a plan.
///
/// A task is primitive (an action of a ploy_goap_type) or compound. A compound task has methods in
/// order of preference; a method has conditions and a list of subtasks. Planning decomposes the
/// first remaining task and simulates its effects, so the world state at each task is known. It
/// takes the first method whose conditions hold, and backtracks to the last choice when a later
/// task cannot be done.
///
///     be a trunk thumper
///       method 0 "enemy seen": [navigate to enemy, do trunk slam]
///       method 1 "otherwise":  [choose bridge, navigate to bridge, check bridge]
///
/// The choices that led to a plan are its record: one method per compound task, in order. Records
/// compare like words in a dictionary, and a smaller one is the better plan, because methods are in
/// the order of preference. Pass the record of the running plan to the next begin to search only
/// for a better plan; the search ends as soon as the running plan is known to be the best.
///
/// Technique: total-order forward decomposition as in SHOP (Nau et al. 1999) and as games use it
/// (Humphreys, "Exploring HTN Planners through Example", 2013). One unit of budget is one task
/// examined, or 4,096 methods and conditions: a task with many methods, or many choices to undo,
/// takes several units. A search that needs no more memory than an earlier one does not allocate.
/// Threads: many threads may use a finished type; a planner takes one caller at a time.
#pragma once

#include "ploy/decide/goap.h"

/// The recipes. Opaque.
typedef struct ploy_htn_type ploy_htn_type;

/// A task of one type. All zero means none.
typedef struct ploy_htn_task {
    uint32_t number;
} ploy_htn_task;

/// @param domain  finished; its variables and actions are used; must outlive the type.
PLOY_API ploy_result ploy_htn_type_create(const ploy_goap_type *domain, const ploy_env *env,
                                          ploy_htn_type **out);
/// NULL is allowed. Destroy its planners first.
PLOY_API void ploy_htn_type_destroy(ploy_htn_type *type);
/// Returns the primitive task for an action of the domain. None after a fault, which finish
/// returns.
PLOY_API ploy_htn_task ploy_htn_type_action(ploy_htn_type *type, const char *action);
/// Adds a compound task, or returns the existing one with that id, so that tasks may refer to each
/// other.
PLOY_API ploy_htn_task ploy_htn_type_task(ploy_htn_type *type, const char *id);
/// Adds a method to a compound task, after its other methods; everything is copied.
PLOY_API ploy_result ploy_htn_type_method(ploy_htn_type *type, ploy_htn_task task, const char *id,
                                          const ploy_goap_need *needs, int32_t need_count,
                                          const ploy_htn_task *subtasks, int32_t subtask_count);
/// Ends the building. @return the first fault; PLOY_ERR_ARGUMENT for a task without methods.
PLOY_API ploy_result ploy_htn_type_finish(ploy_htn_type *type);
PLOY_API ploy_htn_task ploy_htn_type_find(const ploy_htn_type *type, const char *id);

typedef struct ploy_htn_def {
    uint32_t cookie;
    int32_t max_plan;  ///< longest plan
    int32_t max_depth; ///< most methods active at a time; stops infinite recursion
} ploy_htn_def;

PLOY_API ploy_htn_def ploy_htn_def_default(void);
PLOY_API ploy_fields ploy_htn_fields(void);

/// A planner. Opaque.
typedef struct ploy_htn ploy_htn;

PLOY_API ploy_result ploy_htn_create(const ploy_htn_def *def, const ploy_htn_type *type,
                                     const ploy_env *env, ploy_htn **out);
/// NULL is allowed.
PLOY_API void ploy_htn_destroy(ploy_htn *htn);
/// Begins to decompose a task from a world.
/// @param running  record of the running plan: only a better plan counts. May be NULL.
PLOY_API ploy_result ploy_htn_begin(ploy_htn *htn, const uint64_t *world, ploy_htn_task task,
                                    const int32_t *running, int32_t running_count);
/// Searches until it is finished (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS).
PLOY_API ploy_result ploy_htn_step(ploy_htn *htn, ploy_budget *budget);
PLOY_API void ploy_htn_cancel(ploy_htn *htn);
/// FOUND, NONE (no plan, or none better than the running one), PRUNED (a limit was reached).
PLOY_API ploy_search_outcome ploy_htn_outcome(const ploy_htn *htn);
/// The actions of the plan. @return how many, perhaps more than capacity; -1 if there is none.
PLOY_API int32_t ploy_htn_plan(const ploy_htn *htn, int32_t *out, int32_t capacity);
/// The record of the plan: the number of each method within its task.
PLOY_API int32_t ploy_htn_record(const ploy_htn *htn, int32_t *out, int32_t capacity);
/// Writes why there is no plan: the deepest point reached, what failed there and which conditions
/// were missing.
PLOY_API void ploy_htn_explain(const ploy_htn *htn, ploy_writer *writer);
PLOY_API void ploy_htn_describe(const ploy_htn *htn, ploy_describe *out);
