/// @file ploy/exec/lod_schedule.h
/// Scheduling by importance: a character that matters less thinks less often and with a smaller
/// share.
///
/// Periods are integers, so importance is divided into bands; a margin at their ends keeps a
/// character that hovers there from changing all the time. The priority is a smooth curve. Rarer
/// turns show as late reactions, smaller shares as poorer answers; using both needs less of either.
///
///     importance  0      0.25      0.5      0.75      1
///     period      |  64   |   16    |    4    |   1    |      of the default
///
/// The result is what ploy_engine_set_schedule takes.
/// Technique: Millington, "AI for Games", 3rd ed. 2019, chapter 10.
///
/// Cost: O(bands), no allocation. Threads: anywhere.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/exec/schedule.h"

#define PLOY_LOD_BANDS_MAX 8

/// A band reaches from `min` to the next band.
typedef struct ploy_lod_band {
    float min;      ///< importance, 0 to 1
    int32_t period; ///< ticks between two turns
} ploy_lod_band;

typedef struct ploy_lod_schedule_def {
    uint32_t cookie;
    float margin;         ///< how far past its ends a band is still kept, in importance
    int32_t priority_min; ///< share of the budget at importance 0
    int32_t priority_max; ///< share of the budget at importance 1
    float curve;          ///< power of importance between them; 1: a line
    int32_t band_count;   ///< 1 to PLOY_LOD_BANDS_MAX
    /// The most important first: min falling to 0, periods not falling. Periods that divide each
    /// other can be phased so that they never clash; see the default.
    ploy_lod_band bands[PLOY_LOD_BANDS_MAX];
} ploy_lod_schedule_def;

PLOY_API ploy_lod_schedule_def ploy_lod_schedule_def_default(void);
/// All but the bands.
PLOY_API ploy_fields ploy_lod_schedule_fields(void);

/// The schedule for the engine. Plain data; `band` is the state to pass in next time.
typedef struct ploy_lod_schedule {
    int32_t period;
    int32_t phase;
    int32_t priority;
    int32_t band;
} ploy_lod_schedule;

/// Sets period, phase and priority of a schedule and leaves the rest alone: read the engine's
/// (ploy_engine_schedule), apply, and set it again.
PLOY_API void ploy_lod_schedule_apply(const ploy_lod_schedule *lod, ploy_schedule *schedule);

/// Finds the schedule. @param def must have passed the check; @param importance is clamped to 0..1,
/// NaN counts as 0; @param number the character's own, from which the phase comes, so that those of
/// one band take turns; @param band that of the last schedule, or -1.
PLOY_API ploy_lod_schedule ploy_lod_schedule_find(const ploy_lod_schedule_def *def,
                                                  float importance, int32_t number, int32_t band);

/// The same for characters [first, first + count): `schedules` holds the last ones and receives the
/// new ones. Begin with band -1 in each. changed may be NULL.
/// @param changed  how many changed; only those need ploy_engine_set_schedule.
/// @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_lod_schedule_batch(const ploy_lod_schedule_def *def,
                                             const float *importances, int32_t first, int32_t count,
                                             ploy_lod_schedule *schedules, int32_t *changed);

/// Why this band. @param last  the band before.
PLOY_API void ploy_lod_schedule_trace(const ploy_lod_schedule_def *def, float importance,
                                      int32_t last, ploy_agent_id agent, ploy_trace *trace);
PLOY_API void ploy_lod_schedule_describe(const ploy_lod_schedule *schedule, ploy_mark mark,
                                         ploy_describe *out);
