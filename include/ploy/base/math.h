/// @file ploy/base/math.h
/// Repeatable math: the same bits from every compiler, system and optimisation level.
///
/// libm differs between platforms, so ploy has its own functions: plain polynomials in a fixed
/// order of operations. Names follow libm: with a final f for float, without for double. sqrtf and
/// sqrt are exact on every platform and need no replacement. Special values (NaN, infinities,
/// signed zeros, domain errors) behave as in Annex F of the C standard; errno is never set. The
/// bits of a NaN result are not guaranteed.
///
/// Any finite argument is reduced exactly. Largest errors, in units in the last place of the
/// result, as checked against long double by tests/base/test_math.c and test_math_double.c:
///
///     float    all functions                          0.5002
///     double   log2 log10                             0.51
///              exp exp2                               0.55   (denormal results 0.8)
///              pow                                    0.6    (denormal results 0.85)
///              asin acos atan atan2                   0.7
///              sin cos tanh                           0.85
///              log                                    0.9
///              tan                                    0.95
#pragma once

#include "ploy/base/api.h"

#include <math.h>

#define PLOY_PI 3.14159265358979323846
#define PLOY_PI_F 3.14159265f
#define PLOY_TWO_PI_F 6.28318531f
#define PLOY_HALF_PI_F 1.57079633f
#define PLOY_QUARTER_PI_F 0.785398163f

/// The float forms.
PLOY_API float ploy_sinf(float x);
PLOY_API float ploy_cosf(float x);
PLOY_API void ploy_sincosf(float x, float *sin_out, float *cos_out);
PLOY_API float ploy_tanf(float x);
PLOY_API float ploy_asinf(float x);
PLOY_API float ploy_acosf(float x);
PLOY_API float ploy_atanf(float x);
PLOY_API float ploy_atan2f(float y, float x);
PLOY_API float ploy_expf(float x);
PLOY_API float ploy_exp2f(float x);
PLOY_API float ploy_logf(float x);
PLOY_API float ploy_log2f(float x);
PLOY_API float ploy_log10f(float x);
PLOY_API float ploy_powf(float x, float y);
PLOY_API float ploy_tanhf(float x);

/// The double forms.
PLOY_API double ploy_sin(double x);
PLOY_API double ploy_cos(double x);
PLOY_API void ploy_sincos(double x, double *sin_out, double *cos_out);
PLOY_API double ploy_tan(double x);
PLOY_API double ploy_asin(double x);
PLOY_API double ploy_acos(double x);
PLOY_API double ploy_atan(double x);
PLOY_API double ploy_atan2(double y, double x);
PLOY_API double ploy_exp(double x);
PLOY_API double ploy_exp2(double x);
PLOY_API double ploy_log(double x);
PLOY_API double ploy_log2(double x);
PLOY_API double ploy_log10(double x);
PLOY_API double ploy_pow(double x, double y);
PLOY_API double ploy_tanh(double x);

/// Return the smaller, the larger, and x clamped to [min, max]. If one operand is NaN, min and max
/// return the other; clamp returns min.
static inline float ploy_minf(float a, float b) {
    return b < a || a != a ? b : a;
}
static inline float ploy_maxf(float a, float b) {
    return b > a || a != a ? b : a;
}
static inline float ploy_clampf(float x, float min, float max) {
    return ploy_minf(ploy_maxf(x, min), max);
}
static inline int32_t ploy_mini(int32_t a, int32_t b) {
    return b < a ? b : a;
}
static inline int32_t ploy_maxi(int32_t a, int32_t b) {
    return b > a ? b : a;
}
static inline int32_t ploy_clampi(int32_t x, int32_t min, int32_t max) {
    return ploy_mini(ploy_maxi(x, min), max);
}
static inline float ploy_lerpf(float a, float b, float t) {
    return a + (b - a) * t;
}
/// Return false for NaN and infinities, regardless of compiler flags.
PLOY_API bool ploy_is_finite(float x);
PLOY_API bool ploy_is_finite_d(double x);
