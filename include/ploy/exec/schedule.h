/// @file ploy/exec/schedule.h
/// A schedule: how often an item has a turn, and how it shares a budget with others.
///
/// Plain data with a field table, so that files, sliders and defs of other things can hold one.
/// Schedulers, engines and groups read it.
#pragma once

#include "ploy/base/fields.h"

/// Start from ploy_schedule_default().
typedef struct ploy_schedule {
    uint32_t cookie;
    int32_t period;       ///< ticks between two turns
    int32_t phase;        ///< ticks; any number, shifts the turns: due when
                          ///< (tick + phase) mod period is 0
    bool auto_phase;      ///< choose the phase when it is added, where the load is least
    bool indivisible;     ///< needs its units at once: min_slice, or its request, or no turn
    bool wants_spare;     ///< may receive what others left; false: at most its own share
    int32_t priority;     ///< share of the budget in proportion to the others'; precedence of a
                          ///< request
    int32_t min_slice;    ///< units; fewer are not worth a turn. 0: any
    int32_t max_slice;    ///< units; never given more. 0: no limit
    int32_t max_interval; ///< ticks without a turn after which it goes before others. 0: never
    int32_t request;      ///< units that it asks for, under PLOY_POLICY_REQUEST
    int32_t cost;         ///< expected units of a turn, until turns have been measured
} ploy_schedule;

/// Every tick, priority 1, no limits.
PLOY_API ploy_schedule ploy_schedule_default(void);
PLOY_API ploy_fields ploy_schedule_fields(void);

/// True if the schedule has a turn in that tick: the rule itself, without a budget.
PLOY_API bool ploy_schedule_due(const ploy_schedule *schedule, uint64_t tick);
