/// @file ploy/exec/workload.h
/// The load of one tick: who was due, who ran, who was postponed, and who spent most.
///
/// An engine keeps one for each of its last ticks; a simulation hands the last one out, so that the
/// most expensive ticks of a recorded session can be found.
#pragma once

#include "ploy/base/id.h"

/// How many of the most expensive behaviors a workload lists.
#define PLOY_WORKLOAD_TOP 4

/// One of the behaviors that spent most.
typedef struct ploy_workload_top {
    const char *name; ///< of the behavior's type; "" if it has none
    ploy_agent_id agent;
    int64_t units;
} ploy_workload_top;

typedef struct ploy_workload {
    uint64_t tick;
    int64_t units;   ///< budget of the tick; PLOY_BUDGET_UNLIMITED if there was none
    int64_t allowed; ///< units handed out, each turn's own; PLOY_BUDGET_UNLIMITED likewise
    int64_t spent;   ///< units actually spent
    int32_t due;     ///< turns that were due, including those postponed before
    int32_t ran;     ///< turns that took place
    int32_t put_off; ///< turns that the budget postponed
    int32_t top_count;
    ploy_workload_top top[PLOY_WORKLOAD_TOP]; ///< the most expensive first
} ploy_workload;
