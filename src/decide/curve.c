// Response curves; see ploy/decide/utility.h.
#include <string.h>

#include "ploy/base/math.h"

#include "decide/decide_internal.h"
#include "ploy/decide/utility.h"

static ploy_curve curve_make(ploy_curve_kind kind, float slope, float exponent, float offset) {
    ploy_curve curve;
    memset(&curve, 0, sizeof curve);
    curve.kind = kind;
    curve.slope = slope;
    curve.exponent = exponent;
    curve.offset = offset;
    return curve;
}

ploy_curve ploy_curve_linear(float slope, float offset) {
    return curve_make(PLOY_CURVE_LINEAR, slope, 1.0f, offset);
}

ploy_curve ploy_curve_power(float exponent) {
    return curve_make(PLOY_CURVE_POWER, 1.0f, exponent, 0.0f);
}

ploy_curve ploy_curve_inverse(float k, float exponent) {
    return curve_make(PLOY_CURVE_INVERSE, k, exponent, 0.0f);
}

ploy_curve ploy_curve_logistic(float steepness, float middle) {
    return curve_make(PLOY_CURVE_LOGISTIC, steepness, 1.0f, middle);
}

ploy_result ploy_curve_table(const float *x, const float *y, int32_t count, ploy_curve *out) {
    if (x == NULL || y == NULL || out == NULL || count < 1 || count > PLOY_CURVE_POINTS_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_curve curve = curve_make(PLOY_CURVE_TABLE, 1.0f, 1.0f, 0.0f);
    curve.count = count;
    memcpy(curve.x, x, (size_t)count * sizeof *x);
    memcpy(curve.y, y, (size_t)count * sizeof *y);
    ploy_result result = ployi_curve_check(&curve);
    if (result == PLOY_OK) *out = curve;
    return result;
}

ploy_result ployi_curve_check(const ploy_curve *curve) {
    if (curve == NULL || (uint32_t)curve->kind > (uint32_t)PLOY_CURVE_TABLE) {
        return PLOY_ERR_ARGUMENT;
    }
    if (!ploy_in_range(curve->slope, -1e6f, 1e6f) || !ploy_in_range(curve->offset, -1e6f, 1e6f) ||
        !ploy_in_range(curve->exponent, 0.01f, 100.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (curve->kind != PLOY_CURVE_TABLE) return PLOY_OK;
    if (curve->count < 1 || curve->count > PLOY_CURVE_POINTS_MAX) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < curve->count; i++) {
        if (!ploy_in_range(curve->x[i], -1e9f, 1e9f) || !ploy_in_range(curve->y[i], -1e9f, 1e9f)) {
            return PLOY_ERR_ARGUMENT;
        }
        if (i > 0 && !(curve->x[i] > curve->x[i - 1])) return PLOY_ERR_ARGUMENT;
    }
    return PLOY_OK;
}

static float curve_table_at(const ploy_curve *curve, float x) {
    if (curve->count < 1 || curve->count > PLOY_CURVE_POINTS_MAX) return 0.0f;
    int32_t last = curve->count - 1;
    if (x <= curve->x[0]) return curve->y[0];
    if (x >= curve->x[last]) return curve->y[last];
    int32_t i = 1;
    while (x > curve->x[i]) i++;
    float share = (x - curve->x[i - 1]) / (curve->x[i] - curve->x[i - 1]);
    return curve->y[i - 1] + share * (curve->y[i] - curve->y[i - 1]);
}

float ploy_curve_at(const ploy_curve *curve, float x) {
    float y = 0.0f;
    if (!(x == x)) return 0.0f;
    switch (curve->kind) {
    case PLOY_CURVE_LINEAR: y = curve->slope * x + curve->offset; break;
    case PLOY_CURVE_POWER:
        y = curve->slope * (x > 0.0f ? ploy_powf(x, curve->exponent) : 0.0f) + curve->offset;
        break;
    case PLOY_CURVE_INVERSE:
        if (x <= 0.0f) return 1.0f;
        y = curve->slope / ploy_powf(x, curve->exponent) + curve->offset;
        break;
    case PLOY_CURVE_LOGISTIC:
        y = 1.0f / (1.0f + ploy_expf(-curve->slope * (x - curve->offset)));
        break;
    case PLOY_CURVE_TABLE: y = curve_table_at(curve, x); break;
    }
    return y == y ? ploy_clampf(y, 0.0f, 1.0f) : 0.0f;
}
