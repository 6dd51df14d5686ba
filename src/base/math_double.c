// The double functions, and the exact reduction of large angles.
//
// Accuracy comes from pairs: a sum or product of doubles is kept as high + low, its rounded value
// and what rounding lost (Dekker 1971; Knuth's two-sum). No fused multiply-add is used, because not
// every machine has one and results must not depend on it. Reductions and kernels produce pairs and
// round once at the end, so the errors stay close to half a unit in the last place. Polynomials
// were fitted with the Remez exchange for the least relative error.
#include "ploy/base/math.h"

#include "base/math_inline.h"
#include "base/math_reduce.h"
#include "base/math_tables.h"
#include "base/wide_inline.h"

static const mathd_pair mathd_half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const mathd_pair mathd_pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

// a + b where |a| >= |b| or a is 0.
static mathd_pair mathd_sum_ordered(double a, double b) {
    mathd_pair sum;
    sum.high = a + b;
    sum.low = b - (sum.high - a);
    return sum;
}

static mathd_pair mathd_sum(double a, double b) {
    mathd_pair sum;
    sum.high = a + b;
    double part = sum.high - a;
    sum.low = (a - (sum.high - part)) + (b - part);
    return sum;
}

// a * b by Veltkamp's splitting; no part may overflow, so |a|, |b| < 2^990.
static mathd_pair mathd_product(double a, double b) {
    double big_a = a * 134217729.0, big_b = b * 134217729.0; // 2^27 + 1
    double a1 = big_a - (big_a - a), b1 = big_b - (big_b - b);
    double a2 = a - a1, b2 = b - b1;
    mathd_pair product;
    product.high = a * b;
    product.low = ((a1 * b1 - product.high) + a1 * b2 + a2 * b1) + a2 * b2;
    return product;
}

static mathd_pair mathd_pair_product(mathd_pair a, mathd_pair b) {
    mathd_pair product = mathd_product(a.high, b.high);
    product.low += a.high * b.low + a.low * b.high;
    return mathd_sum_ordered(product.high, product.low);
}

static mathd_pair mathd_pair_sum(mathd_pair a, mathd_pair b) {
    mathd_pair sum = mathd_sum(a.high, b.high);
    sum.low += a.low + b.low;
    return mathd_sum_ordered(sum.high, sum.low);
}

static mathd_pair mathd_pair_quotient(mathd_pair a, mathd_pair b) {
    double q = a.high / b.high;
    mathd_pair back = mathd_product(q, b.high);
    double rest = ((a.high - back.high) - back.low) + (a.low - q * b.low);
    return mathd_sum_ordered(q, rest / b.high);
}

static double mathd_power_of_2(int exponent) { // -1022 to 1023
    return ployi_double_of_bits((uint64_t)(exponent + 1023) << 52);
}

// y * 2^exponent, rounded once, for y in [0.5, 4] and |exponent| < 1200.
static double mathd_scale(double y, int exponent) {
    if (exponent > 1000) return y * mathd_power_of_2(1000) * mathd_power_of_2(exponent - 1000);
    if (exponent < -1000) return y * mathd_power_of_2(exponent + 1000) * mathd_power_of_2(-1000);
    return y * mathd_power_of_2(exponent);
}

// Reduction ----------------------------------------------------------------------------------

// 64 bits of the table from a bit on.
static uint64_t mathd_two_over_pi_bits(int bit) {
    int word = bit / 64, shift = bit % 64;
    uint64_t high = mathd_two_over_pi[word];
    return shift == 0 ? high : high << shift | mathd_two_over_pi[word + 1] >> (64 - shift);
}

// Payne and Hanek 1983: multiply only by those bits of 2/pi that matter. With x = m * 2^e, bits of
// 2/pi worth 2^(2 - e) or more contribute whole turns. The 192 bits behind them give the quadrant
// in the product's two top bits and the fraction in 190 more; no double comes nearer than 2^-62 to
// a multiple of pi/2, so well over 100 bits of the fraction are left after cancellation.
int32_t ployi_reduce_exact(double x, double *high, double *low) {
    uint64_t bits = ployi_bits_of_double(x);
    int field = (int)(bits >> 52 & 2047);
    if (field == 2047) {
        *high = x - x;
        *low = x - x;
        return 0;
    }
    if (field < 1022) { // below 1/2, already reduced; the table's zero bits last down to there
        *high = x;
        *low = 0.0;
        return 0;
    }
    uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int start = field - 1075 - 2 + 64;
    uint64_t unused, p0, p1, p2;
    uint64_t carry_1 = ployi_multiply_64(m, mathd_two_over_pi_bits(start + 128), &p2);
    uint64_t carry_0 = ployi_multiply_64(m, mathd_two_over_pi_bits(start + 64), &p1);
    unused = ployi_multiply_64(m, mathd_two_over_pi_bits(start), &p0);
    (void)unused; // whole turns
    p1 += carry_1;
    p0 += carry_0 + (p1 < carry_1 ? 1 : 0);
    // The nearest quadrant: the fraction, as a signed number, lies in [-1/2, 1/2).
    int32_t quadrant = (int32_t)(p0 >> 62);
    p0 = p0 << 2 | p1 >> 62;
    p1 = p1 << 2 | p2 >> 62;
    p2 <<= 2;
    int negative = p0 >> 63 != 0;
    if (negative) {
        quadrant++;
        p0 = ~p0;
        p1 = ~p1;
        p2 = ~p2; // one unit of 2^-190 off, which does not matter
    }
    PLOY_ASSERT(p0 != 0); // nothing comes that near
    int zeros = ployi_leading_zeros_64(p0 | 1);
    if (zeros > 0) {
        p0 = p0 << zeros | p1 >> (64 - zeros);
        p1 = p1 << zeros | p2 >> (64 - zeros);
    }
    // 53 bits and 53 more, each converted exactly.
    mathd_pair fraction;
    fraction.high = (double)(int64_t)(p0 >> 11) * mathd_power_of_2(-zeros - 53);
    fraction.low = (double)(int64_t)((p0 & 2047) << 42 | p1 >> 22) * mathd_power_of_2(-zeros - 106);
    mathd_pair angle = mathd_pair_product(fraction, mathd_half_pi);
    int flip = negative != (bits >> 63 != 0);
    *high = flip ? -angle.high : angle.high;
    *low = flip ? -angle.low : angle.low;
    return (bits >> 63 != 0 ? -quadrant : quadrant) & 3;
}

// x = quadrant * pi/2 + pair.
static int32_t mathd_reduce(double x, mathd_pair *rest) {
    double size = fabs(x);
    if (size <= 0x1.921fb54442d18p-1) {
        rest->high = x;
        rest->low = 0.0;
        return 0;
    }
    if (size < 1048576.0) {
        // Cody and Waite: parts of 33, 33 and 53 bits; the first two products are exact.
        double shifted = x * 0x1.45f306dc9c883p-1 + PLOYI_ROUND_MAGIC;
        double n = shifted - PLOYI_ROUND_MAGIC;
        mathd_pair r = mathd_sum(x - n * 0x1.921fb544p+0, -(n * 0x1.0b4611a6p-34));
        r.low -= n * 0x1.3198a2e037073p-69;
        *rest = mathd_sum_ordered(r.high, r.low);
        // The parts are wrong by 2^-99 at most; only next to a multiple of pi/2 does that show.
        if (fabs(rest->high) > 0x1p-30) return (int32_t)(ployi_bits_of_double(shifted) & 3);
    }
    return ployi_reduce_exact(x, &rest->high, &rest->low);
}

// Trigonometry -------------------------------------------------------------------------------

// sin of a pair in [-pi/4, pi/4]; polynomial error 2^-57 of the result.
static mathd_pair mathd_sin_kernel(mathd_pair r) {
    double x = r.high;
    double z = x * x;
    double p = 1.5895416728274614e-10;
    p = p * z - 2.5050734105831726e-08;
    p = p * z + 2.7557313536712963e-06;
    p = p * z - 0.00019841269829353335;
    p = p * z + 0.008333333333321834;
    p = p * z - 0.1666666666666663;
    return mathd_sum_ordered(x, x * z * p + r.low * (1.0 - 0.5 * z));
}

// cos likewise; polynomial error 2^-63. The square's rounding would show next to 1, so it is kept.
static mathd_pair mathd_cos_kernel(mathd_pair r) {
    mathd_pair square = mathd_product(r.high, r.high);
    double z = square.high;
    double p = -1.135797170209966e-11;
    p = p * z + 2.08756901572381e-09;
    p = p * z - 2.7557314102416165e-07;
    p = p * z + 2.4801587288591848e-05;
    p = p * z - 0.001388888888887265;
    p = p * z + 0.04166666666666659;
    mathd_pair sum = mathd_sum_ordered(1.0, -0.5 * z);
    return mathd_sum_ordered(sum.high, sum.low + (z * z * p - 0.5 * square.low - r.high * r.low));
}

void ploy_sincos(double x, double *sin_out, double *cos_out) {
    mathd_pair r;
    int32_t quadrant = mathd_reduce(x, &r);
    double s = fabs(x) < 0x1p-27 ? x : mathd_sin_kernel(r).high; // as in ploy_sin
    double c = mathd_cos_kernel(r).high;
    double sine = (quadrant & 1) != 0 ? c : s;
    double cosine = (quadrant & 1) != 0 ? s : c;
    *sin_out = (quadrant & 2) != 0 ? -sine : sine;
    *cos_out = ((quadrant + 1) & 2) != 0 ? -cosine : cosine;
}

double ploy_sin(double x) {
    if (fabs(x) < 0x1p-27) return x; // also keeps the sign of zero
    mathd_pair r;
    int32_t quadrant = mathd_reduce(x, &r);
    double size = (quadrant & 1) != 0 ? mathd_cos_kernel(r).high : mathd_sin_kernel(r).high;
    return (quadrant & 2) != 0 ? -size : size;
}

double ploy_cos(double x) {
    mathd_pair r;
    int32_t quadrant = mathd_reduce(x, &r);
    double size = (quadrant & 1) != 0 ? mathd_sin_kernel(r).high : mathd_cos_kernel(r).high;
    return ((quadrant + 1) & 2) != 0 ? -size : size;
}

double ploy_tan(double x) {
    if (fabs(x) < 0x1p-27) return x;
    mathd_pair r;
    int32_t quadrant = mathd_reduce(x, &r);
    mathd_pair s = mathd_sin_kernel(r), c = mathd_cos_kernel(r);
    if ((quadrant & 1) == 0) return mathd_pair_quotient(s, c).high;
    return -mathd_pair_quotient(c, s).high;
}

// Inverse trigonometry -----------------------------------------------------------------------

// (asin(x) - x) / x^3 as a polynomial of z = x^2 in [0, 1/4]; error 2^-63 of the angle.
static double mathd_asin_poly(double z) {
    double p = 0.03367067269890632;
    p = p * z - 0.026194964665249267;
    p = p * z + 0.02486076509160943;
    p = p * z + 0.000666836861986376;
    p = p * z + 0.010014254640768029;
    p = p * z + 0.00948302444925682;
    p = p * z + 0.011585830442853141;
    p = p * z + 0.013961887437217739;
    p = p * z + 0.017352944391752636;
    p = p * z + 0.022372151642765885;
    p = p * z + 0.030381944643460713;
    p = p * z + 0.04464285713970983;
    p = p * z + 0.07500000000002513;
    p = p * z + 0.1666666666666666;
    return p;
}

// asin(sqrt((1 - size) / 2)) for size in [1/2, 1]: half of acos(size). 1 - size is exact there, and
// the root's own rounding is put right by one Newton step.
static mathd_pair mathd_half_acos(double size) {
    double z = (1.0 - size) * 0.5;
    mathd_pair angle = {0.0, 0.0};
    if (z == 0.0) return angle;
    double root = sqrt(z);
    mathd_pair square = mathd_product(root, root);
    double correction = ((z - square.high) - square.low) / (2.0 * root);
    return mathd_sum_ordered(root, correction + root * z * mathd_asin_poly(z));
}

double ploy_asin(double x) {
    double size = fabs(x);
    if (!(size <= 1.0)) return x != x ? x : NAN;
    if (size <= 0.5) {
        if (size < 0x1p-27) return x;
        double z = x * x;
        return x + x * z * mathd_asin_poly(z);
    }
    mathd_pair half = mathd_half_acos(size);
    mathd_pair sum = mathd_sum_ordered(mathd_half_pi.high, -2.0 * half.high);
    return copysign(sum.high + (sum.low + (mathd_half_pi.low - 2.0 * half.low)), x);
}

double ploy_acos(double x) {
    double size = fabs(x);
    if (!(size <= 1.0)) return x != x ? x : NAN;
    if (size <= 0.5) {
        double z = x * x;
        mathd_pair sum = mathd_sum_ordered(mathd_half_pi.high, -x);
        return sum.high + (sum.low + (mathd_half_pi.low - x * z * mathd_asin_poly(z)));
    }
    mathd_pair half = mathd_half_acos(size);
    if (x > 0.0) return 2.0 * half.high;
    mathd_pair sum = mathd_sum_ordered(mathd_pi.high, -2.0 * half.high);
    return sum.high + (sum.low + (mathd_pi.low - 2.0 * half.low));
}

// atan of a pair q >= 0 that is finite and, where below 1, not so small that its square matters to
// no bit. Above 7/16 the angle of c is taken out: atan(q) = atan(c) + atan((q - c) / (1 + q c)).
static mathd_pair mathd_atan_kernel(mathd_pair q) {
    static const struct {
        double c;
        mathd_pair angle;
    } steps[] = {
        {0.5, {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56}},
        {1.0, {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}},
        {1.5, {0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56}},
    };
    mathd_pair base = {0.0, 0.0}, t = q;
    if (q.high > 0.4375) {
        if (q.high < 2.4375) {
            int i = q.high < 0.6875 ? 0 : q.high < 1.1875 ? 1 : 2;
            mathd_pair above = mathd_sum(q.high, -steps[i].c);
            above.low += q.low;
            mathd_pair below = mathd_product(q.high, steps[i].c);
            below.low += q.low * steps[i].c;
            mathd_pair one = {1.0, 0.0};
            t = mathd_pair_quotient(above, mathd_pair_sum(one, below));
            base = steps[i].angle;
        } else {
            mathd_pair minus_one = {-1.0, 0.0};
            t = mathd_pair_quotient(minus_one, q);
            base = mathd_half_pi;
        }
    }
    double z = t.high * t.high;
    double p = 0.013676362557387913; // error 2^-62 of the angle
    p = p * z - 0.03189775555825891;
    p = p * z + 0.04432064732141069;
    p = p * z - 0.0519982759975957;
    p = p * z + 0.05873969013214555;
    p = p * z - 0.06665896623150777;
    p = p * z + 0.0769225906081222;
    p = p * z - 0.09090907032584501;
    p = p * z + 0.11111111055455845;
    p = p * z - 0.14285714284830262;
    p = p * z + 0.19999999999992946;
    p = p * z - 0.33333333333333315;
    mathd_pair sum = mathd_sum(base.high, t.high);
    double rest = t.low * (1.0 - z) + t.high * z * p;
    return mathd_sum_ordered(sum.high, sum.low + (base.low + rest));
}

double ploy_atan(double x) {
    double size = fabs(x);
    if (size < 0x1p-27 || x != x) return x;
    if (size > 0x1p60) return copysign(mathd_half_pi.high, x);
    mathd_pair q = {size, 0.0};
    return copysign(mathd_atan_kernel(q).high, x);
}

double ploy_atan2(double y, double x) {
    if (x != x || y != y) return x + y;
    double ax = fabs(x), ay = fabs(y);
    int behind = copysign(1.0, x) < 0.0;
    double angle;
    if (ax > DBL_MAX && ay > DBL_MAX) {
        angle = behind ? 3.0 * 0x1.921fb54442d18p-1 : 0x1.921fb54442d18p-1;
    } else if (ay == 0.0 || ax > DBL_MAX) {
        angle = behind ? mathd_pi.high : 0.0;
    } else if (ax == 0.0 || ay > DBL_MAX) {
        angle = mathd_half_pi.high;
    } else {
        // Both to the neighbourhood of 1 by an exact power of two, so that nothing below over- or
        // underflows; denormals first grow into normal numbers.
        int shift_y = ay < 0x1p-1000 ? 100 : 0, shift_x = ax < 0x1p-1000 ? 100 : 0;
        ay *= mathd_power_of_2(shift_y);
        ax *= mathd_power_of_2(shift_x);
        uint64_t field = UINT64_C(2047) << 52;
        uint64_t bits_y = ployi_bits_of_double(ay), bits_x = ployi_bits_of_double(ax);
        int order = (int)(bits_y >> 52) - shift_y - ((int)(bits_x >> 52) - shift_x);
        if (order > 60) {
            angle = mathd_half_pi.high;
        } else if (order < -60) {
            angle = behind ? mathd_pi.high : fabs(y) / fabs(x); // may underflow, rightly
        } else {
            ay = ployi_double_of_bits((bits_y & ~field) | UINT64_C(1023) << 52);
            ax = ployi_double_of_bits((bits_x & ~field) | UINT64_C(1023) << 52);
            mathd_pair a = {ay * mathd_power_of_2(order), 0.0}, b = {ax, 0.0};
            mathd_pair result = mathd_atan_kernel(mathd_pair_quotient(a, b));
            angle = result.high;
            if (behind) {
                mathd_pair sum = mathd_sum_ordered(mathd_pi.high, -result.high);
                angle = sum.high + (sum.low + (mathd_pi.low - result.low));
            }
        }
    }
    return copysign(angle, y);
}

// Exponentials and logarithms ----------------------------------------------------------------

// Adds 2^20 to the integer that rounding leaves in the low bits, so that it is positive there.
#define MATHD_EXP_MAGIC (PLOYI_ROUND_MAGIC + 0x1p20)

// 2^(n / 32) * e^r = pair * 2^exponent for |r| <= ln(2) / 64, n as rounded by MATHD_EXP_MAGIC;
// polynomial error 2^-63.
static mathd_pair mathd_exp_kernel(double shifted, double r, int *exponent) {
    unsigned n = (unsigned)(ployi_bits_of_double(shifted) & 0x1FFFFF);
    mathd_pair root = mathd_roots_of_2[n % 32];
    *exponent = (int)(n / 32) - 32768;
    double p = 0.0013888948289277423;
    p = p * r + 0.008333367736766895;
    p = p * r + 0.041666666666241914;
    p = p * r + 0.16666666666529026;
    p = p * r + 0.5;
    double grow = r + r * r * p;
    return mathd_sum_ordered(root.high, root.low + root.high * grow);
}

// e^(x + low) = pair * 2^exponent; |x| <= 800.
static mathd_pair mathd_exp(double x, double low, int *exponent) {
    double shifted = x * 0x1.71547652b82fep+5 + MATHD_EXP_MAGIC;
    double n = shifted - MATHD_EXP_MAGIC;
    double r = ((x - n * 0x1.62e42fefp-6) - n * 0x1.473de6af278edp-39) + low;
    return mathd_exp_kernel(shifted, r, exponent);
}

double ploy_exp(double x) {
    if (x != x) return x;
    if (x > 710.0) return INFINITY;
    if (x < -746.0) return 0.0;
    int exponent;
    mathd_pair power = mathd_exp(x, 0.0, &exponent);
    return mathd_scale(power.high, exponent);
}

double ploy_exp2(double x) {
    if (x != x) return x;
    if (x >= 1024.0) return INFINITY;
    if (x < -1076.0) return 0.0;
    double shifted = x * 32.0 + MATHD_EXP_MAGIC;
    double n = shifted - MATHD_EXP_MAGIC;
    int exponent;
    mathd_pair power =
        mathd_exp_kernel(shifted, (x - n * 0.03125) * 0x1.62e42fefa39efp-1, &exponent);
    return mathd_scale(power.high, exponent);
}

// x = 2^exponent * m, m in [sqrt(1/2), sqrt(2)), for any positive finite x. Returns m.
static double mathd_log_reduce(double x, double *exponent) {
    double shift = 0.0;
    if (x < DBL_MIN) { // denormal
        x *= 0x1p54;
        shift = 54.0;
    }
    uint64_t bits = ployi_bits_of_double(x);
    uint64_t field = (bits - UINT64_C(0x3FE6A09E667F3BCD) + (UINT64_C(1024) << 52)) >> 52;
    *exponent = (double)((int)field - 1024) - shift;
    return ployi_double_of_bits(bits - ((field - 1024u) << 52));
}

// log(m) as a pair with about 68 correct bits, which pow needs, for m in [sqrt(1/2), sqrt(2)). With
// f = m * inverse - 1 it is -log(inverse) + f - f^2/2 + f^3 P(f); only the cubic term, at most
// 2^-14 of f, is rounded. Polynomial error 2^-75 of f.
static mathd_pair mathd_log_pair(double m) {
    uint64_t bits = ployi_bits_of_double(m);
    int index = (int)(bits >> 46 & 63) + (m < 1.0 ? -26 : 38);
    double inverse = mathd_logs[index].inverse;
    mathd_pair base = mathd_logs[index].log;
    double upper = ployi_double_of_bits(bits & ~UINT64_C(0x3FFFFFF));
    mathd_pair f = mathd_sum(upper * inverse - 1.0, (m - upper) * inverse); // all exact
    double x = f.high;
    double p = -0.09686524411861631;
    p = p * x + 0.11109141913147962;
    p = p * x - 0.12500036035056947;
    p = p * x + 0.14285714659606033;
    p = p * x - 0.1666666666550439;
    p = p * x + 0.19999999999983772;
    p = p * x - 0.2500000000000001;
    p = p * x + 0.3333333333333333;
    mathd_pair square = mathd_product(x, x);
    mathd_pair a = mathd_sum(base.high, x);
    mathd_pair b = mathd_sum(a.high, -0.5 * square.high);
    double rest = x * square.high * p + (f.low - 0.5 * square.low - x * f.low);
    return mathd_sum_ordered(b.high, a.low + b.low + (base.low + rest));
}

// The special values that all logarithms share: true, with the result, if x is one.
static int mathd_log_special(double x, double *result) {
    if (x > 0.0 && x <= DBL_MAX) return 0;
    *result = x == 0.0 ? -INFINITY : x < 0.0 ? NAN : x; // infinity and NaN stay
    return 1;
}

// log(x) as a pair; x positive and finite. ln(2) in 40 bits and a rest: the first product is exact.
static mathd_pair mathd_log(double x) {
    double exponent;
    mathd_pair log_m = mathd_log_pair(mathd_log_reduce(x, &exponent));
    mathd_pair whole = mathd_sum(exponent * 0x1.62e42fefa2p-1, exponent * 0x1.9ef35793c7673p-41);
    return mathd_pair_sum(whole, log_m);
}

double ploy_log(double x) {
    double special;
    if (mathd_log_special(x, &special)) return special;
    // The commonest of the logarithms has a shorter method than the pairs: log(1 + f) =
    // f - f^2/2 + s (f^2/2 + 2 z P(z)), z = s^2, whose large terms f and f^2/2 are all but exact.
    double exponent;
    double f = mathd_log_reduce(x, &exponent) - 1.0; // exact
    double s = f / (2.0 + f);
    double z = s * s;
    double p = 0.0739953405802128; // error 2^-59
    p = p * z + 0.0765687776355441;
    p = p * z + 0.09091787587964216;
    p = p * z + 0.11111099189125052;
    p = p * z + 0.14285714372071903;
    p = p * z + 0.19999999999703738;
    p = p * z + 0.33333333333333676;
    double half_square = 0.5 * f * f;
    double rest = s * (half_square + 2.0 * z * p) + exponent * 0x1.9ef35793c7673p-41;
    return exponent * 0x1.62e42fefa2p-1 + (f - (half_square - rest));
}

double ploy_log2(double x) {
    double special, exponent;
    if (mathd_log_special(x, &special)) return special;
    static const mathd_pair log2_e = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
    mathd_pair log_m = mathd_log_pair(mathd_log_reduce(x, &exponent));
    mathd_pair part = mathd_pair_product(log_m, log2_e);
    mathd_pair whole = {exponent, 0.0};
    return mathd_pair_sum(whole, part).high;
}

double ploy_log10(double x) {
    double special;
    if (mathd_log_special(x, &special)) return special;
    static const mathd_pair log10_e = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
    return mathd_pair_product(mathd_log(x), log10_e).high;
}

// The exponents whose kind decides about negative bases: 0: not a whole number, 1: odd, 2: even.
// Doubles from 2^53 on are all even.
static int mathd_parity(double y) {
    double size = fabs(y);
    if (size >= 0x1p53) return 2;
    if (floor(size) != size) return 0;
    return floor(size * 0.5) * 2.0 == size ? 2 : 1;
}

double ploy_pow(double x, double y) {
    if (y == 0.0 || x == 1.0) return 1.0; // even for NaN
    if (x != x || y != y) return x + y;
    double size = fabs(x);
    int parity = copysign(1.0, x) < 0.0 ? mathd_parity(y) : 2;
    double sign = parity == 1 ? -1.0 : 1.0;
    if (fabs(y) > DBL_MAX) { // infinite
        if (size == 1.0) return 1.0;
        return (size > 1.0) == (y > 0.0) ? INFINITY : 0.0;
    }
    if (size == 0.0 || size > DBL_MAX) {
        return sign * ((size == 0.0) == (y > 0.0) ? 0.0 : INFINITY);
    }
    if (x < 0.0 && parity == 0) return NAN;
    mathd_pair log_x = mathd_log(size);
    double rough = y * log_x.high;
    if (rough > 710.0) return sign * INFINITY;
    if (rough < -746.0) return sign * 0.0;
    if (fabs(rough) < 0x1p-60) return sign; // also keeps tiny products away from the splitting
    mathd_pair power = mathd_product(y, log_x.high);
    int exponent;
    power = mathd_exp(power.high, power.low + y * log_x.low, &exponent);
    return sign * mathd_scale(power.high, exponent);
}

// (tanh(x) - x) / x^3 fitted below 0.55 (error 2^-65); 1 - 2 / (e^2x + 1) above, where the fraction
// is at most a half; 1 from 20 on.
double ploy_tanh(double x) {
    double size = fabs(x);
    if (size < 0x1p-27 || x != x) return x;
    if (size > 20.0) return copysign(1.0, x);
    if (size > 0.55) {
        int exponent;
        mathd_pair power = mathd_exp(2.0 * size, 0.0, &exponent);
        double scale = mathd_power_of_2(exponent);
        mathd_pair scaled = {power.high * scale, power.low * scale};
        mathd_pair one = {1.0, 0.0}, two = {2.0, 0.0};
        mathd_pair fraction = mathd_pair_quotient(two, mathd_pair_sum(scaled, one));
        return copysign((1.0 - fraction.high) - fraction.low, x);
    }
    double z = x * x;
    double p = 7.447213903868469e-06;
    p = p * z - 3.296362155450061e-05;
    p = p * z + 9.396581907763848e-05;
    p = p * z - 0.00023821362524807733;
    p = p * z + 0.0005898329350138617;
    p = p * z - 0.0014558058308751232;
    p = p * z + 0.0035921251606864132;
    p = p * z - 0.008863235336077047;
    p = p * z + 0.0218694885278171;
    p = p * z - 0.053968253968043355;
    p = p * z + 0.13333333333333067;
    p = p * z - 0.3333333333333333;
    return x + x * z * p;
}

#undef MATHD_EXP_MAGIC
