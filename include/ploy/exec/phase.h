/// @file ploy/exec/phase.h
/// Phases: how evenly the turns of schedules are spread over the coming ticks, and where one more
/// fits.
///
/// If all agents with a period of 10 think in the same tick, nine ticks are idle and the tenth is
/// too long. A phase moves a schedule's turns without changing their number. Periods that share
/// divisors (2, 4, 8) can be kept apart by phases; those that share none (2, 3, 5) meet in one tick
/// of their product whatever the phases are.
///
/// Techniques: Millington, "AI for Games", 3rd ed. 2019, 10.1.2; automatic phasing after Wright and
/// Marshall 2000. Differences: the phase is the negative of the first turn's tick, as the rule
/// (tick + phase) mod period = 0 requires it; a candidate is rated by all its turns within the
/// look-ahead (the largest load, then the mean, then the earliest), not by its first alone; loads
/// may be weighted by the cost of turns.
///
/// Units: ticks; loads are turns, or units of work if weighted. Threads: many at a time, while no
/// thread changes the scheduler; picking a phase takes one caller, because it uses the scheduler's
/// memory.
#pragma once

#include "ploy/base/rng.h"
#include "ploy/exec/scheduler.h"

/// Bars of a histogram.
#define PLOY_CLUMPING_BARS 32

/// How evenly turns are spread. The closer min and max are to the mean, the better.
typedef struct ploy_clumping {
    bool exact;    ///< every tick of one whole cycle was counted; false: ticks were drawn
    int64_t ticks; ///< counted
    double min, max, mean;
    double sd;                             ///< standard deviation
    double bar;                            ///< load from one bar to the next; the first begins at 0
    int64_t histogram[PLOY_CLUMPING_BARS]; ///< ticks by load
} ploy_clumping;

/// Measures the load over one cycle, if it is not longer than max_ticks, or else over max_ticks
/// ticks drawn with the key.
/// @param max_ticks  1 to 2^30.
/// @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_scheduler_clumping(const ploy_scheduler *scheduler, bool weighed,
                                             int64_t max_ticks, ploy_rng_key key,
                                             ploy_clumping *out);

/// The phase that auto_phase would choose for one more item of that period, from the scheduler's
/// next tick on. Cost: O(look_ahead x different periods).
/// @param period  1 to 2^20; others give 0.
PLOY_API int32_t ploy_scheduler_pick_phase(ploy_scheduler *scheduler, int32_t period);
