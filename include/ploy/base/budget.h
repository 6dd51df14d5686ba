/// @file ploy/base/budget.h
/// Budgets and sliced tasks: long work in pieces, with a limit that is the same on every machine.
///
/// A budget counts work units; what one unit is, the technique's header states it (one node expanded,
/// one rollout). Counted work is deterministic. A wall-clock deadline is possible too: then the
/// units really spent go into the input log, and a replay runs with that count instead of the
/// clock.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"

/// Units for "until it is finished".
#define PLOY_BUDGET_UNLIMITED INT64_MAX

typedef struct ploy_budget {
    int64_t units;        ///< still to spend; never below 0
    int64_t spent;        ///< spent so far
    uint64_t deadline_ns; ///< of the clock; 0 means none
    int64_t check_every;  ///< units between two looks at the clock
    int64_t check_at;     ///< spent at which the clock is looked at next
    ploy_clock_fn clock;
    void *clock_user;
} ploy_budget;

/// A budget of that many units and no deadline.
PLOY_API ploy_budget ploy_budget_units(int64_t units);

/// A budget that never ends.
PLOY_API ploy_budget ploy_budget_unlimited(void);

/// A budget that ends after that many nanoseconds of the env's clock, or after the units.
/// The clock is read every `check_every` units (at least 1), so it may overshoot by that much work.
PLOY_API ploy_budget ploy_budget_deadline(int64_t units, uint64_t nanoseconds, int64_t check_every,
                                          const ploy_env *env);

/// Spends units, if any are left: true if the caller may do that work now. The last spend may
/// overdraw, because work is indivisible; units is 0 then.
PLOY_API bool ploy_budget_spend(ploy_budget *budget, int64_t units);

/// True if nothing is left. NULL is never empty.
PLOY_API bool ploy_budget_empty(const ploy_budget *budget);

/// The shape of all long work. A technique has its own `ploy_x_begin/step/result/cancel`; this
/// interface lets a scheduler hold any of them. One-shot calls are the same task run to its end.
typedef struct ploy_task_type {
    const char *name;
    /// PLOY_IN_PROGRESS while work is left, PLOY_OK when the result is there, or an error.
    ploy_result (*step)(void *self, ploy_budget *budget);
    /// Stops early and frees what the work held; no step after it.
    void (*cancel)(void *self);
    /// May be NULL.
    void (*describe)(const void *self, ploy_describe *out);
} ploy_task_type;

typedef struct ploy_task {
    const ploy_task_type *type; ///< NULL means no task
    void *self;
} ploy_task;

/// Calls the task's own function; a task without a type is done already.
PLOY_API ploy_result ploy_task_step(ploy_task task, ploy_budget *budget);
PLOY_API void ploy_task_cancel(ploy_task task);
PLOY_API void ploy_task_describe(ploy_task task, ploy_describe *out);
