// Schedules: the field table and the rule of periods and phases (Millington 2019, chapter 10, whose
// listings print the modulo the wrong way round).
#include "ploy/exec/schedule.h"

#include "exec/exec_internal.h"

static const ploy_field schedule_fields[] = {
    PLOY_FIELD_I32(ploy_schedule, period, 1, 1, 1 << 20, "ticks", "time between two turns"),
    PLOY_FIELD_I32(ploy_schedule, phase, 0, -(1 << 30), 1 << 30, "ticks", "shifts the turns"),
    PLOY_FIELD_BOOL(ploy_schedule, auto_phase, false, "choose the phase where the load is least"),
    PLOY_FIELD_BOOL(ploy_schedule, indivisible, false, "needs its units at once"),
    PLOY_FIELD_BOOL(ploy_schedule, wants_spare, true, "may be given what others left"),
    PLOY_FIELD_I32(ploy_schedule, priority, 1, 1, 1000, "",
                   "share of the budget in proportion to the others'"),
    PLOY_FIELD_I32(ploy_schedule, min_slice, 0, 0, 1 << 30, "units",
                   "fewer are not worth a turn; 0 is any"),
    PLOY_FIELD_I32(ploy_schedule, max_slice, 0, 0, 1 << 30, "units",
                   "never given more; 0 is no limit"),
    PLOY_FIELD_I32(ploy_schedule, max_interval, 0, 0, 1 << 30, "ticks",
                   "without a turn for so long, it goes before others; 0 is never"),
    PLOY_FIELD_I32(ploy_schedule, request, 1, 1, 1 << 30, "units",
                   "what it asks for under the request policy"),
    PLOY_FIELD_I32(ploy_schedule, cost, 1, 1, 1 << 30, "units",
                   "what a turn is expected to cost until some were measured"),
};

ploy_schedule ploy_schedule_default(void) {
    ploy_schedule schedule;
    ploy_fields_default(ploy_schedule_fields(), &schedule);
    return schedule;
}

ploy_fields ploy_schedule_fields(void) {
    return PLOY_FIELDS(ploy_schedule, schedule_fields);
}

ploy_result ployi_schedule_check(const ploy_schedule *schedule, const ploy_env *env) {
    ploy_result result = ploy_fields_check(ploy_schedule_fields(), schedule, env);
    if (result != PLOY_OK) return result;
    const char *fault = NULL;
    if (schedule->max_slice > 0 && schedule->max_slice < schedule->min_slice) {
        fault = "ploy_schedule: max_slice is below min_slice";
    }
    if (schedule->max_interval > 0 && schedule->max_interval < schedule->period) {
        fault = "ploy_schedule: max_interval is below period";
    }
    if (fault == NULL) return PLOY_OK;
    if (env != NULL) ploy_env_log(env, PLOY_SEVERITY_ERROR, fault);
    return PLOY_ERR_ARGUMENT;
}

bool ploy_schedule_due(const ploy_schedule *schedule, uint64_t tick) {
    // Added before the modulo, so that any phase works with any period.
    int64_t at = (int64_t)(tick % (uint64_t)schedule->period) + schedule->phase;
    return at % schedule->period == 0;
}
