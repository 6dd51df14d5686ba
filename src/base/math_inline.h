// The float functions' cores, inline and without branches, so that batch loops vectorise over them.
// The public functions of math.c call these same cores; single and batch forms therefore give equal
// bits.
//
// Everything is computed in double. A double carries 29 bits more than the float result, so short
// polynomials (fitted with the Remez exchange for the least relative error, their error given
// beside each) and plain sums lie far below the final rounding, and float denormals are ordinary
// numbers. Names: ployi_x_wide takes and returns doubles of float accuracy, ployi_xf_core floats.
//
// Rounding to an integer adds and subtracts 1.5 * 2^52: the sum's low mantissa bits are then the
// integer. This needs no conversion instruction, which differ between machines for NaN and large
// numbers.
#pragma once

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define PLOYI_ROUND_MAGIC 0x1.8p52

// Largest |x| for which ployi_sincosf_core holds its accuracy.
#define PLOYI_SINCOSF_MAX 262144.0f

static inline uint64_t ployi_bits_of_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double ployi_double_of_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// sin and cos of r in [-pi/4, pi/4]; relative errors 2^-37 and 2^-42. The factor form of the sine
// keeps the sign of a zero.
static inline double ployi_sin_poly(double r) {
    double z = r * r;
    double p = 2.7179337723345644e-06;
    p = p * z - 0.00019839292607794697;
    p = p * z + 0.008333329243870905;
    p = p * z - 0.16666666640272687;
    return r * (1.0 + z * p);
}

static inline double ployi_cos_poly(double r) {
    double z = r * r;
    double p = -2.720398282248391e-07;
    p = p * z + 2.479943858896461e-05;
    p = p * z - 0.0013888883417681023;
    p = p * z + 0.04166666661852426;
    return 1.0 + z * (z * p - 0.5);
}

// sin and cos of r + quadrant * pi/2. Masks instead of comparisons: SSE2 has no 64-bit compare, and
// without these gcc would not vectorise.
static inline void ployi_sincos_turn(double r, uint64_t quadrant, double *sin_out,
                                     double *cos_out) {
    uint64_t s = ployi_bits_of_double(ployi_sin_poly(r));
    uint64_t c = ployi_bits_of_double(ployi_cos_poly(r));
    uint64_t swap = (s ^ c) & (0 - (quadrant & 1));
    uint64_t sign = UINT64_C(1) << 63;
    *sin_out = ployi_double_of_bits(s ^ swap ^ (quadrant << 62 & sign));
    *cos_out = ployi_double_of_bits(c ^ swap ^ ((quadrant + 1) << 62 & sign));
}

// For |x| <= PLOYI_SINCOSF_MAX, x the value of a float. Cody and Waite's reduction: pi/2 in a part
// of 33 bits, whose product with the quadrant number is exact, and a rest of 53.
static inline void ployi_sincos_wide(double x, double *sin_out, double *cos_out) {
    double shifted = x * 0x1.45f306dc9c883p-1 + PLOYI_ROUND_MAGIC;
    double n = shifted - PLOYI_ROUND_MAGIC;
    double r = (x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a626331p-34;
    ployi_sincos_turn(r, ployi_bits_of_double(shifted), sin_out, cos_out);
}

static inline void ployi_sincosf_core(float x, float *sin_out, float *cos_out) {
    double s, c;
    ployi_sincos_wide((double)x, &s, &c);
    *sin_out = (float)s;
    *cos_out = (float)c;
}

// The angle of (x, y). The quotient is brought below tan(pi/8) by turning through pi/4 if needed;
// polynomial error 2^-40. Differences of the two operands are exact where they are taken, because
// the operands are floats (or one a float and the other near 1) of almost equal size.
static inline double ployi_atan2_wide(double y, double x) {
    double ay = fabs(y), ax = fabs(x);
    int steep = ay > ax;
    double big = steep ? ay : ax;
    double small = steep ? ax : ay;
    // Infinities represent directions: (inf, inf) is a diagonal, (inf, finite) an axis.
    int infinite = big > DBL_MAX;
    small = infinite ? (small > DBL_MAX ? 1.0 : 0.0) : small;
    big = infinite ? 1.0 : big;
    big = big == 0.0 ? 1.0 : big;
    int turned = small > big * 0x1.a827999fcef32p-2;
    double q = (turned ? small - big : small) / (turned ? small + big : big);
    double z = q * q;
    double p = -0.03790456744335247;
    p = p * z + 0.06990129145986088;
    p = p * z - 0.0899660698290838;
    p = p * z + 0.11103979469117416;
    p = p * z - 0.1428542234138808;
    p = p * z + 0.19999994295769238;
    p = p * z - 0.33333333295486656;
    double angle = (turned ? 0x1.921fb54442d18p-1 : 0.0) + q * (1.0 + z * p);
    angle = steep ? 0x1.921fb54442d18p+0 - angle : angle;
    angle = copysign(1.0, x) < 0.0 ? 0x1.921fb54442d18p+1 - angle : angle;
    angle = x != x || y != y ? x + y : angle;
    return copysign(angle, y);
}

static inline float ployi_atan2f_core(float y, float x) {
    return (float)ployi_atan2_wide((double)y, (double)x);
}

// e^x - 1 = scale * rest + (scale - 1) with scale a power of two; |x| < 700. Polynomial error
// 2^-37.
static inline double ployi_exp_split(double x, double *scale) {
    double shifted = x * 0x1.71547652b82fep+0 + PLOYI_ROUND_MAGIC;
    double n = shifted - PLOYI_ROUND_MAGIC;
    double r = x - n * 0x1.62e42fefa39efp-1;
    double p = 2.4882285838263215e-05;
    p = p * r + 0.0001990478230138856;
    p = p * r + 0.0013888810015134864;
    p = p * r + 0.008333289363499759;
    p = p * r + 0.04166666694840407;
    p = p * r + 0.16666666752494655;
    p = p * r + 0.49999999999753747;
    // The low bits of the shifted sum are n; moved up, they are an exponent.
    *scale = ployi_double_of_bits((ployi_bits_of_double(shifted) + 1023u) << 52);
    return r + r * r * p;
}

// Beyond these ends the float result is 0 or infinity anyway. NaN passes through.
static inline float ployi_expf_core(float x) {
    double wide = x < -110.0f ? -110.0 : (double)x;
    wide = x > 90.0f ? 90.0 : wide;
    double scale;
    double rest = ployi_exp_split(wide, &scale);
    return (float)(scale + scale * rest);
}

static inline float ployi_exp2_narrow(double x) {
    x = x < -160.0 ? -160.0 : x;
    x = x > 130.0 ? 130.0 : x;
    double shifted = x + PLOYI_ROUND_MAGIC;
    double whole = shifted - PLOYI_ROUND_MAGIC;
    double scale; // of the fraction: 1, but for rounding at its very ends
    double rest = ployi_exp_split((x - whole) * 0x1.62e42fefa39efp-1, &scale);
    scale *= ployi_double_of_bits((ployi_bits_of_double(shifted) + 1023u) << 52);
    return (float)(scale + scale * rest);
}

// x = 2^exponent * m with m in [sqrt(1/2), sqrt(2)); returns log(m), relative error 2^-51, for
// positive normal doubles, which all positive floats are. log(m) = 2 atanh(s).
static inline double ployi_log_split(double x, double *exponent) {
    uint64_t bits = ployi_bits_of_double(x);
    // Subtracting sqrt(1/2)'s bits puts the boundary there; the bias makes the difference positive.
    uint64_t field = (bits - UINT64_C(0x3FE6A09E667F3BCD) + (UINT64_C(1024) << 52)) >> 52;
    double m = ployi_double_of_bits(bits - ((field - 1024u) << 52));
    // field is in [0, 2047]; as the low bits of a large double it becomes one without a conversion.
    *exponent = ployi_double_of_bits(UINT64_C(0x4330000000000000) | field) - (0x1p52 + 1024.0);
    double f = m - 1.0;
    double s = f / (2.0 + f);
    double z = s * s;
    double p = 0.08411432857971196;
    p = p * z + 0.09061700003131193;
    p = p * z + 0.11111689407803935;
    p = p * z + 0.142857085177652;
    p = p * z + 0.2000000002640534;
    p = p * z + 0.33333333333293114;
    return 2.0 * s + 2.0 * s * (z * p);
}

// Puts in the values that the formula does not give: log of 0, of infinity, of negatives and NaN.
static inline float ployi_logf_special(float x, double result) {
    float value = (float)result;
    value = x == 0.0f ? -INFINITY : value;
    value = x > FLT_MAX ? x : value;
    return x < 0.0f ? NAN : x != x ? x : value;
}

static inline float ployi_logf_core(float x) {
    double exponent;
    double log_m = ployi_log_split((double)x, &exponent);
    return ployi_logf_special(x, exponent * 0x1.62e42fefa39efp-1 + log_m);
}
