// Schedules by importance; the technique is described in the header.
#include "ploy/exec/lod_schedule.h"

#include "exec/exec_internal.h"

#include <string.h>

#include "ploy/base/math.h"

#define LOD_SCHEDULE_PERIOD_MAX (1 << 20)
#define LOD_SCHEDULE_PRIORITY_MAX 1000000

static const ploy_field lod_schedule_fields[] = {
    PLOY_FIELD_F32(ploy_lod_schedule_def, margin, 0.05, 0, 1, "",
                   "how far past its ends a band is still kept"),
    PLOY_FIELD_I32(ploy_lod_schedule_def, priority_min, 1, 1, LOD_SCHEDULE_PRIORITY_MAX, "",
                   "share of the budget at importance 0"),
    PLOY_FIELD_I32(ploy_lod_schedule_def, priority_max, 100, 1, LOD_SCHEDULE_PRIORITY_MAX, "",
                   "share of the budget at importance 1"),
    PLOY_FIELD_F32(ploy_lod_schedule_def, curve, 2, 0.01, 100, "",
                   "power of importance in the priority"),
    PLOY_FIELD_I32(ploy_lod_schedule_def, band_count, 1, 1, PLOY_LOD_BANDS_MAX, "",
                   "number of bands"),
};

ploy_fields ploy_lod_schedule_fields(void) {
    return PLOY_FIELDS(ploy_lod_schedule_def, lod_schedule_fields);
}

ploy_lod_schedule_def ploy_lod_schedule_def_default(void) {
    static const ploy_lod_band bands[] = {{0.75f, 1}, {0.5f, 4}, {0.25f, 16}, {0.0f, 64}};
    ploy_lod_schedule_def def;
    ploy_fields_default(ploy_lod_schedule_fields(), &def);
    def.band_count = (int32_t)(sizeof bands / sizeof bands[0]);
    memcpy(def.bands, bands, sizeof bands);
    return def;
}

ploy_result ployi_lod_schedule_check(const ploy_lod_schedule_def *def, const ploy_env *env) {
    ploy_result result = ploy_fields_check(ploy_lod_schedule_fields(), def, env);
    if (result != PLOY_OK) return result;
    bool fine = def->priority_min <= def->priority_max;
    for (int32_t i = 0; i < def->band_count; i++) {
        const ploy_lod_band *band = &def->bands[i];
        fine = fine && ploy_in_range(band->min, 0.0f, 1.0f) && band->period >= 1 &&
               band->period <= LOD_SCHEDULE_PERIOD_MAX;
        if (i > 0) fine = fine && band->min < band[-1].min && band->period >= band[-1].period;
    }
    if (fine && def->bands[def->band_count - 1].min == 0.0f) return PLOY_OK;
    ploy_env_log(env, PLOY_SEVERITY_ERROR,
                 "ploy_lod_schedule_def: bands must fall in importance to 0, with rising periods "
                 "and priorities");
    return PLOY_ERR_ARGUMENT;
}

static bool lod_schedule_stays(const ploy_lod_schedule_def *def, float importance, int32_t band) {
    if (band < 0 || band >= def->band_count) return false;
    float low = def->bands[band].min - def->margin;
    float high = band > 0 ? def->bands[band - 1].min + def->margin : 1.0f;
    return importance >= low && (band == 0 || importance < high);
}

static int32_t lod_schedule_band(const ploy_lod_schedule_def *def, float importance, int32_t last) {
    if (lod_schedule_stays(def, importance, last)) return last;
    int32_t band = 0;
    while (band + 1 < def->band_count && importance < def->bands[band].min) band++;
    return band;
}

ploy_lod_schedule ploy_lod_schedule_find(const ploy_lod_schedule_def *def, float importance,
                                         int32_t number, int32_t band) {
    importance = ploy_clampf(importance, 0.0f, 1.0f);
    ploy_lod_schedule out;
    out.band = lod_schedule_band(def, importance, band);
    out.period = def->bands[out.band].period;
    out.phase = number;
    float part = def->curve == 1.0f ? importance : ploy_powf(importance, def->curve);
    float range = (float)(def->priority_max - def->priority_min);
    out.priority = def->priority_min + (int32_t)(part * range + 0.5f);
    return out;
}

ploy_result ploy_lod_schedule_batch(const ploy_lod_schedule_def *def, const float *importances,
                                    int32_t first, int32_t count, ploy_lod_schedule *schedules,
                                    int32_t *changed) {
    if (def == NULL || first < 0 || count < 0 || first > INT32_MAX - count ||
        (count > 0 && (importances == NULL || schedules == NULL))) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t others = 0;
    for (int32_t i = first; i < first + count; i++) {
        ploy_lod_schedule next = ploy_lod_schedule_find(def, importances[i], i, schedules[i].band);
        if (memcmp(&next, &schedules[i], sizeof next) != 0) others++;
        schedules[i] = next;
    }
    if (changed != NULL) *changed = others;
    return PLOY_OK;
}

void ploy_lod_schedule_trace(const ploy_lod_schedule_def *def, float importance, int32_t last,
                             ploy_agent_id agent, ploy_trace *trace) {
    if (trace == NULL) return;
    importance = ploy_clampf(importance, 0.0f, 1.0f);
    bool stays = lod_schedule_stays(def, importance, last);
    int32_t chosen = lod_schedule_band(def, importance, last);
    ploy_trace_begin(trace, agent, "schedule", "bands of importance");
    ploy_trace_f32(trace, "importance", importance);
    for (int32_t i = 0; i < def->band_count; i++) {
        char name[32] = "every ";
        ploy_value period = ploy_value_i64(def->bands[i].period);
        ploy_value_print(&period, name + 6, sizeof name - 6);
        bool won = i == chosen;
        ploy_trace_option(trace, name, won ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                          (double)def->bands[i].min,
                          !won    ? "importance is outside of the band"
                          : stays ? "still within the margin"
                                  : "importance is within the band");
    }
    ploy_trace_end(trace);
}

void ploy_lod_schedule_describe(const ploy_lod_schedule *schedule, ploy_mark mark,
                                ploy_describe *out) {
    ploy_describe_i64(out, "period", mark, schedule->period);
    ploy_describe_i64(out, "phase", mark, schedule->phase);
    ploy_describe_i64(out, "priority", mark, schedule->priority);
    ploy_describe_i64(out, "band", mark, schedule->band);
}

#undef LOD_SCHEDULE_PERIOD_MAX
#undef LOD_SCHEDULE_PRIORITY_MAX

void ploy_lod_schedule_apply(const ploy_lod_schedule *lod, ploy_schedule *schedule) {
    schedule->period = lod->period;
    schedule->phase = lod->phase;
    schedule->priority = lod->priority;
    schedule->auto_phase = false; // the band's phases are laid out already
}
