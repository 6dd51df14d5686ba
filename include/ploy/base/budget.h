/// @file ploy/base/budget.h
/// Budgets and sliced tasks: long work in pieces, with a limit that is the same on every machine.
///
/// A budget counts work units; each technique's header defines its unit (one node expanded, one
/// rollout). Counted work is deterministic. A wall-clock deadline is also possible: the units
/// actually spent are then written to the input log, and a replay runs with that count instead of
/// the clock.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"

/// Units that mean "until finished".
#define PLOY_BUDGET_UNLIMITED INT64_MAX

typedef struct ploy_budget {
    int64_t units;        ///< units left; never below 0
    int64_t spent;        ///< spent so far
    uint64_t deadline_ns; ///< clock time; 0 means none
    int64_t check_every;  ///< units between two reads of the clock
    int64_t check_at;     ///< value of spent at which the clock is read next
    ploy_clock_fn clock;
    void *clock_user;
} ploy_budget;

/// Returns a budget of the given units without a deadline.
PLOY_API ploy_budget ploy_budget_units(int64_t units);

/// Returns a budget that never ends.
PLOY_API ploy_budget ploy_budget_unlimited(void);

/// Returns a budget that ends after the given nanoseconds of the env's clock, or after the units.
/// The clock is read every `check_every` units (at least 1), so it may overshoot by that much work.
PLOY_API ploy_budget ploy_budget_deadline(int64_t units, uint64_t nanoseconds, int64_t check_every,
                                          const ploy_env *env);

/// Spends units, if any are left. Returns true if the caller may do that work now. The last spend
/// may overdraw, because work is indivisible; units is then 0.
PLOY_API bool ploy_budget_spend(ploy_budget *budget, int64_t units);

/// Returns true if nothing is left. NULL is never empty.
PLOY_API bool ploy_budget_empty(const ploy_budget *budget);

/// The interface of all long work. Each technique has its own `ploy_x_begin/step/result/cancel`;
/// this interface lets a scheduler hold any of them. A one-shot call runs the same task to its end.
typedef struct ploy_task_type {
    const char *name;
    /// Returns PLOY_IN_PROGRESS while work is left, PLOY_OK when the result is ready, or an error.
    ploy_result (*step)(void *self, ploy_budget *budget);
    /// Stops early and frees what the work held; step is not called afterwards.
    void (*cancel)(void *self);
    /// May be NULL.
    void (*describe)(const void *self, ploy_describe *out);
} ploy_task_type;

typedef struct ploy_task {
    const ploy_task_type *type; ///< NULL means no task
    void *self;
} ploy_task;

/// These call the task's own function; a task without a type counts as done.
PLOY_API ploy_result ploy_task_step(ploy_task task, ploy_budget *budget);
PLOY_API void ploy_task_cancel(ploy_task task);
PLOY_API void ploy_task_describe(ploy_task task, ploy_describe *out);
