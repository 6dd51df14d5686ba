/// @file ploy/exec/task_behavior.h
/// Long work as a behavior: a search, a plan or an analysis that runs a slice in each step until it
/// is done.
///
/// Each step gives the ploy_task its units. The status is PLOY_STATUS_RUNNING while work is left
/// and PLOY_STATUS_SUCCESS at the end; an error of the task is an error of the step. If the
/// behavior is interrupted, replaced or removed, the task is cancelled. Period 1 gives a slice in
/// every tick.
///
/// Saving: the def's save writes the task's state and its load makes a task from it, which
/// continues where it was. Without them the task restarts with the state of the world as it is
/// then, and the number of slices starts from 0.
///
/// Technique: interruptible processes, Millington, "AI for Games", 3rd ed. 2019, 10.1.4.
#pragma once

#include "ploy/exec/maker.h"

typedef struct ploy_task_behavior ploy_task_behavior;

/// Makes the task when the behavior enters, each time again.
typedef ploy_result (*ploy_task_begin_fn)(void *user, const ploy_step_context *context,
                                          ploy_task *out);

/// Which task. Start from all zero; it is copied.
typedef struct ploy_task_behavior_def {
    const char *name;         ///< what the behavior is called; borrowed; NULL: ""
    ploy_task_begin_fn begin; ///< called on each enter; required
    /// Writes the state of a task under way as one JSON value. NULL: it restarts when loaded.
    void (*save)(void *user, ploy_task task, ploy_json_writer *out);
    /// Makes a task that continues from what save wrote. Comes with save.
    /// @return PLOY_ERR_FORMAT if that is not valid any more: it restarts, and diags say so.
    ploy_result (*load)(void *user, const ploy_step_context *context, const ploy_json *doc,
                        ploy_json_node saved, ploy_task *out);
    void *user; ///< handed to all of them; shared by all behaviors of a maker
} ploy_task_behavior_def;

/// @return PLOY_ERR_ARGUMENT without begin, or with only one of save and load; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_task_behavior_create(const ploy_task_behavior_def *def,
                                               const ploy_env *env, ploy_task_behavior **out);
/// Cancels the task, if one is under way. NULL is allowed. An engine that owns the behavior calls
/// it.
PLOY_API void ploy_task_behavior_destroy(ploy_task_behavior *behavior);

/// As a behavior, to be registered.
PLOY_API ploy_behavior ploy_task_behavior_get(ploy_task_behavior *behavior);
/// Makes such behaviors. @param def  must stay as it is for as long as the maker is used.
PLOY_API ploy_maker ploy_task_behavior_maker(const ploy_task_behavior_def *def);
/// The task under way; type NULL if there is none.
PLOY_API ploy_task ploy_task_behavior_task(const ploy_task_behavior *behavior);
