#include "ploy/base/math.h"

#include <stdlib.h>

#include "base/math_reduce.h"
#include "tests/base/math_error.h"

typedef struct function {
    const char *name;
    double (*ours)(double);
    long double (*reference)(long double);
    double min, max; // where the interesting part lies
    double bound;    // stated in math.h
} function;

static const function functions[] = {
    {"sin", ploy_sin, sinl, -100.0, 100.0, 0.85},
    {"cos", ploy_cos, cosl, -100.0, 100.0, 0.85},
    {"tan", ploy_tan, tanl, -100.0, 100.0, 0.95},
    {"asin", ploy_asin, asinl, -1.0, 1.0, 0.7},
    {"acos", ploy_acos, acosl, -1.0, 1.0, 0.7},
    {"atan", ploy_atan, atanl, -4.0, 4.0, 0.7},
    {"exp", ploy_exp, expl, -708.0, 710.0, 0.55},
    {"exp2", ploy_exp2, exp2l, -1022.0, 1024.0, 0.55},
    {"log", ploy_log, logl, 0.0, 3.0, 0.9},
    {"log2", ploy_log2, log2l, 0.0, 3.0, 0.51},
    {"log10", ploy_log10, log10l, 0.0, 3.0, 0.51},
    {"tanh", ploy_tanh, tanhl, -3.0, 3.0, 0.85},
};

// Rounding to a denormal after rounding to a double adds up to a quarter unit there.
static double bound_of(const function *f, double result) {
    return fabs(result) < DBL_MIN ? f->bound + 0.25 : f->bound;
}

static void take(test_context *t, const function *f, worst *w, double x) {
    double got = f->ours(x);
    double error = ulp_error_f64(got, f->reference((long double)x));
    if (!(error <= bound_of(f, got))) {
        printf("%s(%a) = %a is %g ulp off\n", f->name, x, got, error);
        CHECK(error <= bound_of(f, got));
    }
    worst_take(w, error, x, 0.0);
}

TEST(double_functions_keep_their_stated_error_against_long_double) {
    if (!has_reference()) {
        test_skip(t, "no long double functions to compare with");
        return;
    }
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        const function *f = &functions[i];
        TEST_SEED(i);
        ploy_rng rng = ploy_rng_make(i);
        worst w = {0.0, 0.0, 0.0, 0};
        for (int64_t k = 0; k < samples(50000); k++) {
            take(t, f, &w, double_of(ploy_rng_u64(&rng))); // all exponents, NaN, infinities
            take(t, f, &w, f->min + (f->max - f->min) * ploy_rng_double(&rng));
            take(t, f, &w, (f->min + (f->max - f->min) * ploy_rng_double(&rng)) * 0.01);
        }
        for (int32_t e = 0; e < 2047; e++) {
            uint64_t bits = (uint64_t)e << 52;
            take(t, f, &w, double_of(bits));
            take(t, f, &w, -double_of(bits + 1));
            if (bits > 0) take(t, f, &w, double_of(bits - 1));
        }
        worst_check(t, f->name, &w, f->bound + 0.25);
    }
}

TEST(denormal_results_of_exp_are_rounded_within_three_quarters_of_a_unit) {
    if (!has_reference()) {
        test_skip(t, "no long double functions to compare with");
        return;
    }
    worst w[2] = {{0.0, 0.0, 0.0, 0}, {0.0, 0.0, 0.0, 0}};
    ploy_rng rng = ploy_rng_make(3);
    for (int64_t k = 0; k < samples(10000); k++) {
        take(t, &functions[6], &w[0], -708.0 - 38.0 * ploy_rng_double(&rng));
        take(t, &functions[7], &w[1], -1022.0 - 55.0 * ploy_rng_double(&rng));
    }
    worst_check(t, "exp", &w[0], 0.8);
    worst_check(t, "exp2", &w[1], 0.8);
}

TEST(double_trigonometry_is_exact_next_to_multiples_of_half_pi_and_for_huge_angles) {
    if (!has_reference()) {
        test_skip(t, "no long double functions to compare with");
        return;
    }
    for (int i = 0; i < 3; i++) {
        worst w = {0.0, 0.0, 0.0, 0};
        for (int32_t n = 1; n <= 15000; n++) {
            double turns = n < 8000 ? (double)n : (double)n * n * 37.0 * n;
            uint64_t bits;
            double x = turns * (PLOY_PI / 2);
            memcpy(&bits, &x, sizeof bits);
            for (uint64_t d = 0; d < 3; d++) take(t, &functions[i], &w, double_of(bits + d - 1));
        }
        // The double nearest of all to a multiple of pi/2, and other known hard ones.
        static const double hard[] = {
            0x1.6ac5b262ca1ffp+849, 0x1.ae548a9d57a14p+1015, DBL_MAX, 0x1.921fb54442d18p+0,
            0x1.1475cc9eedf01p+5,   0x1.921fb54442d18p+19,   1e22,    1048576.0,
            1048575.9999999999};
        for (size_t k = 0; k < COUNT_OF(hard); k++) {
            take(t, &functions[i], &w, hard[k]);
            take(t, &functions[i], &w, -hard[k]);
        }
        worst_check(t, functions[i].name, &w, functions[i].bound);
    }
}

TEST(the_exact_reduction_agrees_with_the_short_one_where_both_hold) {
    ploy_rng rng = ploy_rng_make(9);
    for (int64_t k = 0; k < samples(20000); k++) {
        double x = (ploy_rng_double(&rng) - 0.5) * 2000.0;
        double high, low;
        int32_t quadrant = ployi_reduce_exact(x, &high, &low);
        // x is quadrant quarter turns and the rest, up to whole turns.
        double s = ploy_sin(high), c = ploy_cos(high);
        double want = quadrant == 0 ? s : quadrant == 1 ? c : quadrant == 2 ? -s : -c;
        CHECK_NEAR(ploy_sin(x), want, 2e-16);
        CHECK(fabs(high) <= 0.7853981633974484);
        CHECK(fabs(low) <= fabs(high) * 0x1p-52);
    }
    double high, low;
    CHECK_INT(ployi_reduce_exact((double)INFINITY, &high, &low), 0);
    CHECK(high != high);
}

TEST(atan2_and_pow_keep_their_stated_error_against_long_double) {
    if (!has_reference()) {
        test_skip(t, "no long double functions to compare with");
        return;
    }
    for (uint64_t seed = 1; seed <= 2; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        worst angle = {0.0, 0.0, 0.0, 0}, power = {0.0, 0.0, 0.0, 0}, small = power;
        for (int64_t k = 0; k < samples(80000); k++) {
            double x = double_of(ploy_rng_u64(&rng)), y = double_of(ploy_rng_u64(&rng));
            if (k % 2 == 0) {
                x = (ploy_rng_double(&rng) - 0.5) * 16.0;
                y = (ploy_rng_double(&rng) - 0.5) * 16.0;
            }
            if (k % 16 == 0) x *= 0x1p-1060; // denormals against denormals
            if (k % 16 == 0) y *= 0x1p-1060;
            worst_take(&angle, ulp_error_f64(ploy_atan2(y, x), atan2l(y, x)), x, y);
            if (k % 4 == 1) x = 1.0 + (ploy_rng_double(&rng) - 0.5) * 1e-3;
            if (k % 4 == 1) y = (ploy_rng_double(&rng) - 0.5) * 2e6;
            if (k % 4 == 2) y *= 30.0;
            if (k % 4 == 3) y = (double)ploy_rng_int(&rng, -20, 20);
            double got = ploy_pow(x, y);
            worst_take(fabs(got) < DBL_MIN ? &small : &power, ulp_error_f64(got, powl(x, y)), x, y);
        }
        worst_check(t, "atan2", &angle, 0.7);
        worst_check(t, "pow", &power, 0.6);
        worst_check(t, "pow denormal", &small, 0.85);
    }
}

static bool same_bits(double a, double b) {
    if (a != a || b != b) return a != a && b != b;
    return a == b && (signbit(a) != 0) == (signbit(b) != 0);
}

// The system's libm is the reference for special values: it follows Annex F too.
TEST(double_functions_give_the_special_values_of_annex_f) {
    static const struct {
        const char *row;
        double (*ours)(double);
        double (*libm)(double);
    } rows[] = {
        {"sin", ploy_sin, sin},    {"cos", ploy_cos, cos},       {"tan", ploy_tan, tan},
        {"asin", ploy_asin, asin}, {"acos", ploy_acos, acos},    {"atan", ploy_atan, atan},
        {"exp", ploy_exp, exp},    {"exp2", ploy_exp2, exp2},    {"log", ploy_log, log},
        {"log2", ploy_log2, log2}, {"log10", ploy_log10, log10}, {"tanh", ploy_tanh, tanh},
    };
    static const double special[] = {0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     (double)INFINITY,
                                     -(double)INFINITY,
                                     (double)NAN,
                                     5e-324,
                                     -5e-324,
                                     8.0,
                                     1000.0,
                                     -1000.0,
                                     1.5,
                                     -1.5,
                                     1e-300,
                                     709.0,
                                     710.5,
                                     -745.0,
                                     -746.5,
                                     1023.0,
                                     -1074.0,
                                     -1075.0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        for (size_t k = 0; k < COUNT_OF(special); k++) {
            double got = rows[i].ours(special[k]), want = rows[i].libm(special[k]);
            // Ordinary results may differ in their last bit; special ones may not at all.
            bool ordinary = fabs(want) <= DBL_MAX && want != 0.0 && fabs(want) != 1.0;
            if (ordinary) CHECK_NEAR(got, want, fabs(want) * 0x1p-52 + 5e-324);
            if (!ordinary && !same_bits(got, want)) CHECK_NEAR(got, want, -1.0);
        }
    }
    static const double both[] = {0.0,
                                  -0.0,
                                  1.0,
                                  -1.0,
                                  (double)INFINITY,
                                  -(double)INFINITY,
                                  (double)NAN,
                                  0.5,
                                  -0.5,
                                  2.0,
                                  -2.0,
                                  3.0,
                                  -3.0,
                                  2.5,
                                  -2.5,
                                  5e-324,
                                  -5e-324,
                                  1e300,
                                  -1e300,
                                  9007199254740993.0,
                                  9007199254740991.0,
                                  -9007199254740991.0};
    for (size_t i = 0; i < COUNT_OF(both); i++) {
        for (size_t k = 0; k < COUNT_OF(both); k++) {
            double y = both[i], x = both[k];
            double got = ploy_atan2(y, x), want = atan2(y, x);
            t->row = "atan2";
            if (want == 0.0 || want != want) CHECK(same_bits(got, want));
            if (want == want) CHECK_NEAR(got, want, fabs(want) * 0x1p-52);
            got = ploy_pow(x, y);
            want = pow(x, y);
            t->row = "pow";
            bool ordinary = fabs(want) <= DBL_MAX && want != 0.0;
            if (ordinary) CHECK_NEAR(got, want, fabs(want) * 0x1p-51);
            if (!ordinary && !same_bits(got, want)) CHECK_NEAR(got, want, -1.0);
        }
    }
    t->row = NULL;
    for (int n = -307; n <= 308; n++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", n);
        CHECK_SAME(ploy_log10(strtod(text, NULL)), (double)n);
    }
    for (int n = -1074; n <= 1023; n++) {
        CHECK_SAME(ploy_log2(ldexp(1.0, n)), (double)n);
        CHECK_SAME(ploy_exp2((double)n), ldexp(1.0, n));
        CHECK_SAME(ploy_pow(2.0, (double)n), ldexp(1.0, n));
    }
    for (int n = 0; n <= 22; n++) CHECK_SAME(ploy_pow(10.0, (double)n), pow(10.0, (double)n));
}

TEST(sincos_gives_the_bits_of_sin_and_cos) {
    ploy_rng rng = ploy_rng_make(4);
    for (int k = 0; k < 20000; k++) {
        double x =
            k % 2 == 0 ? double_of(ploy_rng_u64(&rng)) : (ploy_rng_double(&rng) - 0.5) * 50.0;
        double s, c;
        ploy_sincos(x, &s, &c);
        CHECK(same_bits(s, ploy_sin(x)));
        CHECK(same_bits(c, ploy_cos(x)));
    }
    double s, c;
    ploy_sincos(-0.0, &s, &c);
    CHECK(same_bits(s, -0.0));
}

// Frozen: every compiler, optimisation level and system must give these bits.
TEST(double_functions_give_the_golden_bits) {
    ploy_hasher hasher;
    ploy_hasher_init(&hasher, 0);
    ploy_rng rng = ploy_rng_make(2025);
    for (int k = 0; k < 10000; k++) {
        double x = double_of(ploy_rng_u64(&rng)), y = double_of(ploy_rng_u64(&rng));
        if (k % 2 == 0) {
            x = (ploy_rng_double(&rng) - 0.5) * 20.0;
            y = (ploy_rng_double(&rng) - 0.5) * 20.0;
        }
        for (size_t i = 0; i < COUNT_OF(functions); i++) hash_f64(&hasher, functions[i].ours(x));
        hash_f64(&hasher, ploy_asin(x * 0.1));
        hash_f64(&hasher, ploy_acos(x * 0.1));
        hash_f64(&hasher, ploy_atan2(y, x));
        hash_f64(&hasher, ploy_pow(x, y));
        hash_f64(&hasher, ploy_pow(fabs(x), y));
    }
    CHECK_UINT(ploy_hasher_result(&hasher), UINT64_C(0xdca43723f118c7da));
}
