/// @file ploy/exec/task_behavior.h
/// Long work as a behavior: a search, a plan or an analysis that has a slice in each turn until it
/// is done.
///
/// A ploy_task does its work in slices; this gives it turns. Each turn it may spend its units, runs
/// on while work is left (PLOY_STATUS_RUNNING), and ends with PLOY_STATUS_SUCCESS; an error of the
/// task stops the behavior. If it is interrupted, replaced or removed, the task is cancelled.
/// Period 1 gives a slice in every tick.
///
/// Technique: interruptible processes, Millington, "AI for Games", 3rd ed. 2019, 10.1.4.
#pragma once

#include "ploy/exec/behavior.h"

typedef struct ploy_task_behavior ploy_task_behavior;

/// Makes the task when the behavior enters, each time anew.
typedef ploy_result (*ploy_task_begin_fn)(void *user, const ploy_step_context *context,
                                          ploy_task *out);

/// @param name   what the behavior is called; borrowed.
/// @param begin  called on each enter.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_task_behavior_create(const char *name, ploy_task_begin_fn begin,
                                               void *user, const ploy_env *env,
                                               ploy_task_behavior **out);
/// Cancels the task, if one is under way. NULL is allowed. An engine that has the behavior calls it
/// itself.
PLOY_API void ploy_task_behavior_destroy(ploy_task_behavior *behavior);

/// As a behavior, to be registered.
PLOY_API ploy_behavior ploy_task_behavior_get(ploy_task_behavior *behavior);
/// The task under way; type NULL if there is none.
PLOY_API ploy_task ploy_task_behavior_task(const ploy_task_behavior *behavior);
