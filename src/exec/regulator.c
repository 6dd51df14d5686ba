// Regulators; the technique is described in the header.
#include "ploy/exec/regulator.h"

#include "ploy/base/math.h"

static const char *const regulator_modes[] = {"restart", "steady", "classic"};

static const ploy_field regulator_fields[] = {
    PLOY_FIELD_ENUM(ploy_regulator_def, mode, PLOY_REGULATOR_RESTART, regulator_modes,
                    "what counts as time, and from when the next counts"),
    PLOY_FIELD_F32(ploy_regulator_def, rate, 4, -1, 1e6f, "1/s",
                   "times a second; 0 is always, below 0 never"),
    PLOY_FIELD_F32(ploy_regulator_def, offset, 1, 0, 1e6f, "s", "most that the random start waits"),
    PLOY_FIELD_BOOL(ploy_regulator_def, bounded, false, "the start waits a period at most"),
    PLOY_FIELD_F32(ploy_regulator_def, jitter, 0, 0, 1e6f, "s",
                   "most by which each period is longer or shorter"),
};

ploy_regulator_def ploy_regulator_def_default(void) {
    ploy_regulator_def def;
    ploy_fields_default(ploy_regulator_fields(), &def);
    return def;
}

ploy_fields ploy_regulator_fields(void) {
    return PLOY_FIELDS(ploy_regulator_def, regulator_fields);
}

ploy_result ploy_regulator_init(ploy_regulator *regulator, const ploy_regulator_def *def,
                                double now, uint64_t seed) {
    if (regulator == NULL || !ploy_is_finite_d(now)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check_diags(ploy_regulator_fields(), def, "", NULL);
    if (result != PLOY_OK) return result;
    regulator->period = def->rate > 0.0f ? 1.0 / (double)def->rate : (double)def->rate;
    regulator->jitter = def->jitter;
    regulator->mode = (int32_t)def->mode;
    regulator->rng = ploy_rng_make(seed);
    double offset = (double)def->offset;
    if (def->bounded && def->rate > 0.0f && offset > regulator->period) offset = regulator->period;
    regulator->next = now + offset * (double)ploy_rng_range(&regulator->rng, 0.0f, 1.0f);
    return PLOY_OK;
}

bool ploy_regulator_ready(ploy_regulator *regulator, double now) {
    if (regulator->period < 0.0) return false;
    if (!(regulator->period > 0.0)) return true;
    bool classic = regulator->mode == PLOY_REGULATOR_CLASSIC;
    if (!(classic ? now > regulator->next : now >= regulator->next)) return false;
    double from = regulator->mode == PLOY_REGULATOR_STEADY ? regulator->next : now;
    double period = regulator->period;
    if (regulator->jitter > 0.0f) {
        period += (double)ploy_rng_range(&regulator->rng, -regulator->jitter, regulator->jitter);
        // A jitter wider than the period must not let time run backwards.
        if (period < 0.0) period = 0.0;
    }
    regulator->next = from + period;
    return true;
}

void ploy_regulator_visit(ploy_visit *v, void *object) {
    ploy_regulator *regulator = object;
    ploy_visit_struct(v, "regulator", regulator, sizeof *regulator);
    ploy_visit_f64(v, "next", PLOY_STATE, &regulator->next);
    ploy_visit_f64(v, "period", PLOY_STATE, &regulator->period);
    ploy_visit_f32_in(v, "jitter", PLOY_STATE, &regulator->jitter, 0.0f, 1e6f);
    ploy_visit_i32_in(v, "mode", PLOY_STATE, &regulator->mode, 0, PLOY_REGULATOR_CLASSIC);
    ploy_visit_rng(v, "rng", PLOY_STATE, &regulator->rng);
}

void ploy_regulator_describe(const ploy_regulator *regulator, ploy_describe *out) {
    ploy_visit_describe(ploy_regulator_visit, regulator, NULL, out);
}
