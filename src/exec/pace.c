// Paces: a running measure of nanoseconds a unit, quick to slow down and slow to speed up.
#include "ploy/exec/pace.h"

#include "ploy/base/math.h"

ploy_result ploy_pace_init(ploy_pace *pace, double ns_per_unit, int64_t min_units,
                           int64_t max_units, const ploy_env *env) {
    if (pace == NULL || env == NULL || !(ns_per_unit > 0.0) || !ploy_is_finite_d(ns_per_unit) ||
        min_units < 1 || max_units < min_units) {
        return PLOY_ERR_ARGUMENT;
    }
    pace->ns_per_unit = ns_per_unit;
    pace->min_units = min_units;
    pace->max_units = max_units;
    pace->began = 0;
    pace->env = *env;
    return PLOY_OK;
}

int64_t ploy_pace_begin(ploy_pace *pace, uint64_t nanoseconds) {
    pace->began = ploy_env_clock(&pace->env);
    double units = (double)nanoseconds / pace->ns_per_unit;
    if (!(units > (double)pace->min_units)) return pace->min_units;
    if (units >= (double)pace->max_units) return pace->max_units;
    return (int64_t)units;
}

void ploy_pace_end(ploy_pace *pace, int64_t spent) {
    uint64_t now = ploy_env_clock(&pace->env);
    if (spent < 1 || now <= pace->began) return;
    double measured = (double)(now - pace->began) / (double)spent;
    double part = measured > pace->ns_per_unit ? 0.5 : 0.05;
    pace->ns_per_unit += part * (measured - pace->ns_per_unit);
}
