/// @file ploy/world/alarms.h
/// Alarms: events at a time of day, once or repeatedly.
///
/// A shopkeeper who goes home at five should not check the clock in every tick. Instead the game
/// sets an alarm; the alarm manager sorts alarms by time and raises their events in an event
/// manager when the game's clock passes them. The game controls the clock: it may stop, run at any
/// speed, and be set forward and back.
///
/// Technique: Millington, "AI for Games", 3rd ed. 2019, chapter 11 (timed interests, a separate
/// manager for clock alarms).
///
/// Units: seconds of the game's clock; a day is `day` of them. Cost: O(log alarms) each. Allocates
/// only when it grows. Threads: one caller at a time.
#pragma once

#include "ploy/base/visit.h"
#include "ploy/world/events.h"

/// Most events that one step or jump raises.
#define PLOY_ALARMS_RAISED_MAX 65536

/// Opaque.
typedef struct ploy_alarms ploy_alarms;

typedef struct ploy_alarm_id {
    ploy_id id;
} ploy_alarm_id;

typedef struct ploy_alarms_def {
    uint32_t cookie;
    int32_t capacity; ///< alarms that fit before it grows
    double day;       ///< s of the clock in a day
    double start;     ///< s, initial time of the clock
} ploy_alarms_def;

PLOY_API ploy_alarms_def ploy_alarms_def_default(void);
PLOY_API ploy_fields ploy_alarms_fields(void);

/// @param events  where events are raised; kept. May not be NULL.
PLOY_API ploy_result ploy_alarms_create(const ploy_alarms_def *def, ploy_events *events,
                                        const ploy_env *env, ploy_alarms **out);
PLOY_API void ploy_alarms_destroy(ploy_alarms *alarms);
PLOY_API ploy_result ploy_alarms_reserve(ploy_alarms *alarms, int32_t count);

/// Seconds since midnight of a time of day: (17, 0, 0) is 61,200 in a day of 86,400 s.
PLOY_API double ploy_alarms_time(const ploy_alarms *alarms, int32_t hours, int32_t minutes,
                                 double seconds);

/// Sets an alarm at a time of the clock.
/// @param at      s; an alarm at or before the clock is due in the next step.
/// @param repeat  s between two; 0: once. Counted from `at`, so that nothing drifts.
/// @return PLOY_ERR_ARGUMENT for numbers that are not finite, a negative repeat or one below 1e-3;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_alarms_set(ploy_alarms *alarms, double at, double repeat,
                                     const ploy_event *event, ploy_alarm_id *out);
/// Sets an alarm at a time of day, starting the next time the clock reaches it.
/// @param time_of_day  s since midnight, 0 to the length of a day.
/// @param daily        every day; false: once.
PLOY_API ploy_result ploy_alarms_set_daily(ploy_alarms *alarms, double time_of_day, bool daily,
                                           const ploy_event *event, ploy_alarm_id *out);
/// @return PLOY_ERR_NOT_FOUND if the alarm is no longer set.
PLOY_API ploy_result ploy_alarms_cancel(ploy_alarms *alarms, ploy_alarm_id id);

/// Advances the clock to now and raises the events of the alarms that it passed, in order of time,
/// then of setting. A repeating alarm that was passed several times is raised once for each.
/// @param now    s, not before the clock.
/// @param fired  how many were raised; may be NULL.
/// @return PLOY_IN_PROGRESS after PLOY_ALARMS_RAISED_MAX events: the clock stops at the next alarm,
///         and another step continues; the error of raising: the clock stops at that alarm, and the
///         next step tries it again; PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_alarms_step(ploy_alarms *alarms, double now, int32_t *fired);

/// What a jump of the clock does to the alarms that it passes.
typedef enum ploy_alarms_jump_rule {
    PLOY_ALARMS_SKIP, ///< nothing is raised: single alarms are dropped, repeating ones continue
    PLOY_ALARMS_ONCE, ///< each is raised once, however often it was passed
    PLOY_ALARMS_EACH  ///< as if the clock had run there
} ploy_alarms_jump_rule;

/// Sets the clock forward or back. A jump back raises nothing: repeating alarms are raised again at
/// their next time; single alarms that were already raised are not restored.
/// @return as ploy_alarms_step.
PLOY_API ploy_result ploy_alarms_jump(ploy_alarms *alarms, double now, ploy_alarms_jump_rule rule,
                                      int32_t *fired);

/// The clock, s.
PLOY_API double ploy_alarms_now(const ploy_alarms *alarms);
/// Seconds since midnight, and days since the clock was 0.
PLOY_API double ploy_alarms_time_of_day(const ploy_alarms *alarms);
PLOY_API int64_t ploy_alarms_day(const ploy_alarms *alarms);
PLOY_API int32_t ploy_alarms_count(const ploy_alarms *alarms);
/// Visits a ploy_alarms (ploy/base/visit.h): clock and alarms, which keep their ids.
/// v->context: a ploy_names for texts behind names, or NULL.
PLOY_API void ploy_alarms_visit(ploy_visit *v, void *alarms);
PLOY_API void ploy_alarms_describe(const ploy_alarms *alarms, const ploy_names *names,
                                   ploy_describe *out);
PLOY_API void ploy_alarms_memory(const ploy_alarms *alarms, ploy_memory_fn fn, void *user);
