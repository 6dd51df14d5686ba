// The float functions: thin shells around the cores in math_inline.h, plus what is too rare or too
// branchy for a vector loop (huge arguments, the special cases of pow).
#include "ploy/base/math.h"

#include "base/math_inline.h"
#include "base/math_reduce.h"

// Any float: the core where it holds, otherwise the exact reduction. Infinities give NaN.
static void math_sincos_any(float x, double *sin_out, double *cos_out) {
    if (!(fabsf(x) > PLOYI_SINCOSF_MAX)) { // NaN goes here and stays NaN
        ployi_sincos_wide((double)x, sin_out, cos_out);
        return;
    }
    double high, low;
    int32_t quadrant = ployi_reduce_exact((double)x, &high, &low);
    ployi_sincos_turn(high, (uint64_t)quadrant, sin_out, cos_out);
}

float ploy_sinf(float x) {
    double s, c;
    math_sincos_any(x, &s, &c);
    return (float)s;
}

float ploy_cosf(float x) {
    double s, c;
    math_sincos_any(x, &s, &c);
    return (float)c;
}

void ploy_sincosf(float x, float *sin_out, float *cos_out) {
    double s, c;
    math_sincos_any(x, &s, &c);
    *sin_out = (float)s;
    *cos_out = (float)c;
}

// No float lies on a pole, so the quotient is finite.
float ploy_tanf(float x) {
    double s, c;
    math_sincos_any(x, &s, &c);
    return (float)(s / c);
}

// The root of (1 - x)(1 + x) is the other side of the triangle. The differences are exact or nearly
// so in double, which keeps acos accurate next to 1. Beyond 1 the root is NaN, and so is the angle.
float ploy_asinf(float x) {
    double wide = (double)x;
    return (float)ployi_atan2_wide(wide, sqrt((1.0 - wide) * (1.0 + wide)));
}

float ploy_acosf(float x) {
    double wide = (double)x;
    return (float)ployi_atan2_wide(sqrt((1.0 - wide) * (1.0 + wide)), wide);
}

float ploy_atanf(float x) {
    return (float)ployi_atan2_wide((double)x, 1.0);
}

float ploy_atan2f(float y, float x) {
    return ployi_atan2f_core(y, x);
}

float ploy_expf(float x) {
    return ployi_expf_core(x);
}

float ploy_exp2f(float x) {
    return ployi_exp2_narrow((double)x);
}

float ploy_logf(float x) {
    return ployi_logf_core(x);
}

float ploy_log2f(float x) {
    double exponent;
    double log_m = ployi_log_split((double)x, &exponent);
    return ployi_logf_special(x, exponent + log_m * 0x1.71547652b82fep+0);
}

float ploy_log10f(float x) {
    double exponent;
    double log_m = ployi_log_split((double)x, &exponent);
    return ployi_logf_special(x, exponent * 0x1.34413509f79ffp-2 + log_m * 0x1.bcb7b1526e50ep-2);
}

// The exponents whose kind decides about negative bases: 0: not a whole number, 1: odd, 2: even.
// Floats from 2^24 on are all even.
static int math_parity(float y) {
    float size = fabsf(y);
    if (size >= 16777216.0f) return 2;
    if (floorf(size) != size) return 0;
    return floorf(size * 0.5f) * 2.0f == size ? 2 : 1;
}

float ploy_powf(float x, float y) {
    if (y == 0.0f || x == 1.0f) return 1.0f; // even for NaN
    if (x != x || y != y) return x + y;
    float size = fabsf(x);
    int parity = copysignf(1.0f, x) < 0.0f ? math_parity(y) : 2;
    float sign = parity == 1 ? -1.0f : 1.0f;
    if (fabsf(y) > FLT_MAX) { // infinite
        if (size == 1.0f) return 1.0f;
        return (size > 1.0f) == (y > 0.0f) ? INFINITY : 0.0f;
    }
    if (size == 0.0f || size > FLT_MAX) {
        return sign * ((size == 0.0f) == (y > 0.0f) ? 0.0f : INFINITY);
    }
    if (x < 0.0f && parity == 0) return NAN;
    double exponent;
    double log_m = ployi_log_split((double)size, &exponent);
    double power = (double)y * (exponent + log_m * 0x1.71547652b82fep+0);
    return sign * ployi_exp2_narrow(power);
}

// (e^2x - 1) / (e^2x + 1), the numerator without cancellation. From 9.02 on it is 1.
float ploy_tanhf(float x) {
    double size = fabs((double)x);
    size = size > 10.0 ? 10.0 : size;
    double scale;
    double rest = ployi_exp_split(2.0 * size, &scale);
    double minus_1 = scale * rest + (scale - 1.0);
    return (float)copysign(minus_1 / (minus_1 + 2.0), (double)x);
}

bool ploy_is_finite(float x) {
    return fabsf(x) <= FLT_MAX;
}

bool ploy_is_finite_d(double x) {
    return fabs(x) <= DBL_MAX;
}
