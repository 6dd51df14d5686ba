/// @file ploy/exec/pace.h
/// A pace: how many units of work fit into the milliseconds a game has.
///
/// Budgets count units, because a deadline would do different work on every machine and could not
/// be replayed. A game has milliseconds. A pace converts between them: it measures how long units
/// take and computes before each step how many fit into the time. That number is an input like any
/// other: log it (PLOY_INPUT_UNITS) and the session replays with the same counts, bit for bit, on a
/// machine of any speed. The number differs from machine to machine and from run to run; keep it
/// out of the simulation's state.
///
///     int64_t units = ploy_pace_begin(&pace, 2000000);      // 2 ms
///     ploy_budget budget = ploy_budget_units(units);        // log units here, or replay them
///     ploy_engine_step(engine, dt, &budget, &frame);
///     ploy_pace_end(&pace, budget.spent);
///
/// A slower measurement counts at once, a faster one only gradually: steady frames matter more than
/// using all the time. A step whose turns overrun their units still takes longer than planned.
#pragma once

#include "ploy/base/env.h"

typedef struct ploy_pace {
    double ns_per_unit; ///< measured, running
    int64_t min_units;  ///< never fewer
    int64_t max_units;  ///< never more
    uint64_t began;     ///< ns, of the step under way
    ploy_env env;       ///< whose clock is read
} ploy_pace;

/// @param ns_per_unit  a first guess, above 0; a high one starts cautiously.
/// @param min_units,  max_units 1 <= min <= max: at least one turn must come out of every step.
/// @return PLOY_ERR_ARGUMENT, leaving the pace alone.
PLOY_API ploy_result ploy_pace_init(ploy_pace *pace, double ns_per_unit, int64_t min_units,
                                    int64_t max_units, const ploy_env *env);

/// Begins a step: the units that should fit into the given nanoseconds.
PLOY_API int64_t ploy_pace_begin(ploy_pace *pace, uint64_t nanoseconds);
/// Ends it and learns from it. Nothing is learnt from a step that spent nothing.
PLOY_API void ploy_pace_end(ploy_pace *pace, int64_t spent);
