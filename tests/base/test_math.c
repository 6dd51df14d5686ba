#include "ploy/base/math.h"

#include <stdlib.h>

#include "base/math_inline.h"
#include "tests/base/math_error.h"

typedef struct function {
    const char *name;
    float (*ours)(float);
    long double (*reference)(long double);
    float min, max; // where the interesting part lies
    double bound;   // stated in math.h
} function;

static const function functions[] = {
    {"sinf", ploy_sinf, sinl, -20.0f, 20.0f, 0.5002},
    {"cosf", ploy_cosf, cosl, -20.0f, 20.0f, 0.5002},
    {"tanf", ploy_tanf, tanl, -20.0f, 20.0f, 0.5002},
    {"asinf", ploy_asinf, asinl, -1.0f, 1.0f, 0.5002},
    {"acosf", ploy_acosf, acosl, -1.0f, 1.0f, 0.5002},
    {"atanf", ploy_atanf, atanl, -4.0f, 4.0f, 0.5002},
    {"expf", ploy_expf, expl, -104.0f, 89.0f, 0.5002},
    {"exp2f", ploy_exp2f, exp2l, -150.0f, 128.0f, 0.5002},
    {"logf", ploy_logf, logl, 0.0f, 3.0f, 0.5002},
    {"log2f", ploy_log2f, log2l, 0.0f, 3.0f, 0.5002},
    {"log10f", ploy_log10f, log10l, 0.0f, 3.0f, 0.5002},
    {"tanhf", ploy_tanhf, tanhl, -10.0f, 10.0f, 0.5002},
};

static void take(const function *f, worst *w, float x) {
    worst_take(w, ulp_error_f32(f->ours(x), f->reference((long double)x)), (double)x, 0.0);
}

TEST(float_functions_keep_their_stated_error_against_long_double) {
    if (!has_reference()) {
        test_skip(t, "no long double functions to compare with");
        return;
    }
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        const function *f = &functions[i];
        TEST_SEED(i);
        ploy_rng rng = ploy_rng_make(i);
        worst w = {0.0, 0.0, 0.0, 0};
        for (int64_t k = 0; k < samples(120000); k++) {
            take(f, &w, float_of(ploy_rng_u32(&rng))); // all exponents, denormals, NaN, infinities
            take(f, &w, ploy_rng_range(&rng, f->min, f->max));
        }
        // Beside 0, 1, the ends of the range and the powers of two.
        for (int32_t e = 0; e < 255; e++) {
            for (uint32_t d = 0; d < 8; d++) {
                uint32_t bits = ((uint32_t)e << 23) + d;
                take(f, &w, float_of(bits));
                take(f, &w, float_of(bits | 0x80000000u));
                if (bits >= 8) take(f, &w, float_of(bits - 8));
                if (bits >= 8) take(f, &w, float_of((bits - 8) | 0x80000000u));
            }
        }
        worst_check(t, f->name, &w, f->bound);
    }
}

TEST(float_trigonometry_is_exact_next_to_multiples_of_half_pi_and_for_huge_angles) {
    if (!has_reference()) {
        test_skip(t, "no long double functions to compare with");
        return;
    }
    worst w[3] = {{0.0, 0.0, 0.0, 0}, {0.0, 0.0, 0.0, 0}, {0.0, 0.0, 0.0, 0}};
    for (int i = 0; i < 3; i++) {
        for (int32_t n = 1; n <= 20000; n++) {
            // Past the switch to the exact reduction as well.
            int64_t turns = n < 10000 ? n : (int64_t)n * n * 37;
            float x = (float)((double)turns * (PLOY_PI / 2));
            uint32_t bits;
            memcpy(&bits, &x, sizeof bits);
            for (uint32_t d = 0; d < 3; d++) take(&functions[i], &w[i], float_of(bits + d - 1));
        }
        // The hardest floats known: the reduced angle is tiny.
        static const float hard[] = {16367173.0f * 0x1p+72f, 0x1.27f8dep+100f,
                                     0x1.6b3e1ap+126f,       FLT_MAX,
                                     0x1.f9cbe2p+7f,         0x1.921fb6p+1f};
        for (size_t k = 0; k < COUNT_OF(hard); k++) take(&functions[i], &w[i], hard[k]);
        worst_check(t, functions[i].name, &w[i], 0.5002);
    }
}

// Every float between two powers of two, all 2^23 of them in the long run.
TEST(float_functions_keep_their_error_on_every_float_of_a_stretch) {
    if (!has_reference()) {
        test_skip(t, "no long double functions to compare with");
        return;
    }
    uint32_t step = getenv("PLOY_SOAK") != NULL ? 1 : 251;
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        worst w = {0.0, 0.0, 0.0, 0};
        for (uint32_t bits = 0x3F000000u; bits < 0x40000000u; bits += step) { // [0.5, 2)
            take(&functions[i], &w, float_of(bits));
        }
        worst_check(t, functions[i].name, &w, functions[i].bound);
    }
}

TEST(atan2f_and_powf_keep_their_stated_error_against_long_double) {
    if (!has_reference()) {
        test_skip(t, "no long double functions to compare with");
        return;
    }
    for (uint64_t seed = 1; seed <= 2; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        worst angle = {0.0, 0.0, 0.0, 0}, power = {0.0, 0.0, 0.0, 0};
        for (int64_t k = 0; k < samples(120000); k++) {
            float x = float_of(ploy_rng_u32(&rng)), y = float_of(ploy_rng_u32(&rng));
            if (k % 2 == 0) {
                x = ploy_rng_range(&rng, -8.0f, 8.0f);
                y = ploy_rng_range(&rng, -8.0f, 8.0f);
            }
            worst_take(&angle, ulp_error_f32(ploy_atan2f(y, x), atan2l(y, x)), (double)x,
                       (double)y);
            if (k % 4 == 1) x = 1.0f + ploy_rng_binomial(&rng) * 1e-3f; // large exponents matter
            if (k % 4 == 1) y = ploy_rng_range(&rng, -1e5f, 1e5f);
            if (k % 4 == 3) y = (float)ploy_rng_int(&rng, -20, 20);
            worst_take(&power, ulp_error_f32(ploy_powf(x, y), powl(x, y)), (double)x, (double)y);
        }
        worst_check(t, "atan2f", &angle, 0.5002);
        worst_check(t, "powf", &power, 0.5002);
    }
}

static bool same_bits(float a, float b) {
    if (a != a || b != b) return a != a && b != b;
    return a == b && (signbit(a) != 0) == (signbit(b) != 0);
}

TEST(float_functions_give_the_special_values_of_annex_f) {
    static const float inf = INFINITY, nan = NAN;
    static const float pi = PLOY_PI_F, half = PLOY_HALF_PI_F;
    const struct {
        const char *row;
        float got, want;
    } rows[] = {
        {"sin -0", ploy_sinf(-0.0f), -0.0f},
        {"sin inf", ploy_sinf(inf), nan},
        {"sin nan", ploy_sinf(nan), nan},
        {"cos 0", ploy_cosf(0.0f), 1.0f},
        {"cos -inf", ploy_cosf(-inf), nan},
        {"tan -0", ploy_tanf(-0.0f), -0.0f},
        {"tan inf", ploy_tanf(inf), nan},
        {"asin -0", ploy_asinf(-0.0f), -0.0f},
        {"asin 1", ploy_asinf(1.0f), half},
        {"asin -1", ploy_asinf(-1.0f), -half},
        {"asin 1.1", ploy_asinf(1.0000001f), nan},
        {"acos 1", ploy_acosf(1.0f), 0.0f},
        {"acos -1", ploy_acosf(-1.0f), pi},
        {"acos -1.1", ploy_acosf(-1.0000001f), nan},
        {"acos inf", ploy_acosf(inf), nan},
        {"atan -0", ploy_atanf(-0.0f), -0.0f},
        {"atan inf", ploy_atanf(inf), half},
        {"atan -inf", ploy_atanf(-inf), -half},
        {"atan2 0 0", ploy_atan2f(0.0f, 0.0f), 0.0f},
        {"atan2 -0 0", ploy_atan2f(-0.0f, 0.0f), -0.0f},
        {"atan2 0 -0", ploy_atan2f(0.0f, -0.0f), pi},
        {"atan2 -0 -0", ploy_atan2f(-0.0f, -0.0f), -pi},
        {"atan2 -0 1", ploy_atan2f(-0.0f, 1.0f), -0.0f},
        {"atan2 -0 -1", ploy_atan2f(-0.0f, -1.0f), -pi},
        {"atan2 0 -1", ploy_atan2f(0.0f, -1.0f), pi},
        {"atan2 1 0", ploy_atan2f(1.0f, 0.0f), half},
        {"atan2 1 -0", ploy_atan2f(1.0f, -0.0f), half},
        {"atan2 -1 0", ploy_atan2f(-1.0f, 0.0f), -half},
        {"atan2 1 inf", ploy_atan2f(1.0f, inf), 0.0f},
        {"atan2 -1 inf", ploy_atan2f(-1.0f, inf), -0.0f},
        {"atan2 1 -inf", ploy_atan2f(1.0f, -inf), pi},
        {"atan2 inf 1", ploy_atan2f(inf, 1.0f), half},
        {"atan2 inf inf", ploy_atan2f(inf, inf), PLOY_QUARTER_PI_F},
        {"atan2 -inf -inf", ploy_atan2f(-inf, -inf), -2.35619449f},
        {"atan2 nan inf", ploy_atan2f(nan, inf), nan},
        {"atan2 inf nan", ploy_atan2f(inf, nan), nan},
        {"exp 0", ploy_expf(-0.0f), 1.0f},
        {"exp inf", ploy_expf(inf), inf},
        {"exp -inf", ploy_expf(-inf), 0.0f},
        {"exp nan", ploy_expf(nan), nan},
        {"exp 89", ploy_expf(89.0f), inf},
        {"exp -104", ploy_expf(-104.0f), 0.0f},
        {"exp2 10", ploy_exp2f(10.0f), 1024.0f},
        {"exp2 -149", ploy_exp2f(-149.0f), 0x1p-149f},
        {"exp2 -150", ploy_exp2f(-150.0f), 0.0f},
        {"exp2 128", ploy_exp2f(128.0f), inf},
        {"exp2 nan", ploy_exp2f(nan), nan},
        {"log 0", ploy_logf(0.0f), -inf},
        {"log -0", ploy_logf(-0.0f), -inf},
        {"log 1", ploy_logf(1.0f), 0.0f},
        {"log inf", ploy_logf(inf), inf},
        {"log -1", ploy_logf(-1.0f), nan},
        {"log -inf", ploy_logf(-inf), nan},
        {"log nan", ploy_logf(nan), nan},
        {"log2 denormal", ploy_log2f(0x1p-149f), -149.0f},
        {"log2 8", ploy_log2f(8.0f), 3.0f},
        {"log10 1000", ploy_log10f(1000.0f), 3.0f},
        {"log10 1e10", ploy_log10f(1e10f), 10.0f},
        {"log10 0", ploy_log10f(0.0f), -inf},
        {"pow nan 0", ploy_powf(nan, 0.0f), 1.0f},
        {"pow 1 nan", ploy_powf(1.0f, nan), 1.0f},
        {"pow nan 1", ploy_powf(nan, 1.0f), nan},
        {"pow 2 nan", ploy_powf(2.0f, nan), nan},
        {"pow -8 1/3", ploy_powf(-8.0f, 0.33333334f), nan},
        {"pow -2 3", ploy_powf(-2.0f, 3.0f), -8.0f},
        {"pow -2 2", ploy_powf(-2.0f, 2.0f), 4.0f},
        {"pow -2 -1", ploy_powf(-2.0f, -1.0f), -0.5f},
        {"pow -1 inf", ploy_powf(-1.0f, inf), 1.0f},
        {"pow -1 -inf", ploy_powf(-1.0f, -inf), 1.0f},
        {"pow .5 inf", ploy_powf(0.5f, inf), 0.0f},
        {"pow .5 -inf", ploy_powf(-0.5f, -inf), inf},
        {"pow 2 inf", ploy_powf(-2.0f, inf), inf},
        {"pow 2 -inf", ploy_powf(2.0f, -inf), 0.0f},
        {"pow 0 3", ploy_powf(0.0f, 3.0f), 0.0f},
        {"pow -0 3", ploy_powf(-0.0f, 3.0f), -0.0f},
        {"pow -0 2", ploy_powf(-0.0f, 2.0f), 0.0f},
        {"pow -0 .5", ploy_powf(-0.0f, 0.5f), 0.0f},
        {"pow -0 -3", ploy_powf(-0.0f, -3.0f), -inf},
        {"pow -0 -2", ploy_powf(-0.0f, -2.0f), inf},
        {"pow -0 -.5", ploy_powf(-0.0f, -0.5f), inf},
        {"pow 0 -inf", ploy_powf(0.0f, -inf), inf},
        {"pow -inf 3", ploy_powf(-inf, 3.0f), -inf},
        {"pow -inf 2", ploy_powf(-inf, 2.0f), inf},
        {"pow -inf .5", ploy_powf(-inf, 0.5f), inf},
        {"pow -inf -3", ploy_powf(-inf, -3.0f), -0.0f},
        {"pow -inf -2", ploy_powf(-inf, -2.0f), 0.0f},
        {"pow inf 1", ploy_powf(inf, 1.0f), inf},
        {"pow inf -1", ploy_powf(inf, -1.0f), 0.0f},
        {"pow -2 huge even", ploy_powf(-2.0f, 16777216.0f), inf},
        {"pow -2 127", ploy_powf(-2.0f, 127.0f), -0x1p127f},
        {"pow 10 10", ploy_powf(10.0f, 10.0f), 1e10f},
        {"tanh -0", ploy_tanhf(-0.0f), -0.0f},
        {"tanh inf", ploy_tanhf(inf), 1.0f},
        {"tanh -inf", ploy_tanhf(-inf), -1.0f},
        {"tanh nan", ploy_tanhf(nan), nan},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        if (!same_bits(rows[i].got, rows[i].want)) CHECK_NEAR(rows[i].got, rows[i].want, -1.0);
    }
}

TEST(single_functions_give_the_bits_of_the_inline_cores) {
    for (uint64_t seed = 1; seed <= 2; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        // A loop over arrays, so that optimising compilers vectorise the cores.
        enum { COUNT = 4096 };
        static float in[COUNT], other[COUNT], s[COUNT], c[COUNT], a[COUNT], e[COUNT], l[COUNT];
        for (int i = 0; i < COUNT; i++) {
            in[i] = ploy_rng_range(&rng, -100.0f, 100.0f);
            other[i] = i % 5 == 0 ? 0.0f : ploy_rng_range(&rng, -100.0f, 100.0f);
        }
        for (int i = 0; i < COUNT; i++) ployi_sincosf_core(in[i], &s[i], &c[i]);
        for (int i = 0; i < COUNT; i++) a[i] = ployi_atan2f_core(in[i], other[i]);
        for (int i = 0; i < COUNT; i++) e[i] = ployi_expf_core(in[i]);
        for (int i = 0; i < COUNT; i++) l[i] = ployi_logf_core(in[i]);
        for (int i = 0; i < COUNT; i++) {
            CHECK(same_bits(s[i], ploy_sinf(in[i])));
            CHECK(same_bits(c[i], ploy_cosf(in[i])));
            CHECK(same_bits(a[i], ploy_atan2f(in[i], other[i])));
            CHECK(same_bits(e[i], ploy_expf(in[i])));
            CHECK(same_bits(l[i], ploy_logf(in[i])));
            float sine, cosine;
            ploy_sincosf(in[i] * 1e7f, &sine, &cosine);
            CHECK(same_bits(sine, ploy_sinf(in[i] * 1e7f)));
            CHECK(same_bits(cosine, ploy_cosf(in[i] * 1e7f)));
        }
    }
}

// Frozen: every compiler, optimisation level and system must give these bits.
TEST(float_functions_give_the_golden_bits) {
    ploy_hasher hasher;
    ploy_hasher_init(&hasher, 0);
    ploy_rng rng = ploy_rng_make(2024);
    for (int k = 0; k < 20000; k++) {
        float x = float_of(ploy_rng_u32(&rng)), y = float_of(ploy_rng_u32(&rng));
        if (k % 2 == 0) {
            x = ploy_rng_range(&rng, -10.0f, 10.0f);
            y = ploy_rng_range(&rng, -10.0f, 10.0f);
        }
        for (size_t i = 0; i < COUNT_OF(functions); i++) hash_f32(&hasher, functions[i].ours(x));
        hash_f32(&hasher, ploy_asinf(x * 0.1f));
        hash_f32(&hasher, ploy_acosf(x * 0.1f));
        hash_f32(&hasher, ploy_atan2f(y, x));
        hash_f32(&hasher, ploy_powf(x, y));
        hash_f32(&hasher, ploy_powf(fabsf(x), y));
    }
    CHECK_UINT(ploy_hasher_result(&hasher), UINT64_C(0x3ec404468c76c7de));
}

TEST(minimum_maximum_clamp_and_finite_treat_nan_as_stated) {
    CHECK_SAME(ploy_minf(1.0f, 2.0f), 1.0f);
    CHECK_SAME(ploy_minf(2.0f, 1.0f), 1.0f);
    CHECK_SAME(ploy_minf(NAN, 2.0f), 2.0f);
    CHECK_SAME(ploy_minf(2.0f, NAN), 2.0f);
    CHECK_SAME(ploy_maxf(1.0f, 2.0f), 2.0f);
    CHECK_SAME(ploy_maxf(2.0f, 1.0f), 2.0f);
    CHECK_SAME(ploy_maxf(NAN, -2.0f), -2.0f);
    CHECK_SAME(ploy_maxf(-2.0f, NAN), -2.0f);
    CHECK_SAME(ploy_clampf(5.0f, 0.0f, 1.0f), 1.0f);
    CHECK_SAME(ploy_clampf(-5.0f, 0.0f, 1.0f), 0.0f);
    CHECK_SAME(ploy_clampf(0.5f, 0.0f, 1.0f), 0.5f);
    CHECK_SAME(ploy_clampf(NAN, 0.25f, 1.0f), 0.25f);
    CHECK_INT(ploy_clampi(7, 0, 5), 5);
    CHECK_INT(ploy_clampi(-7, 0, 5), 0);
    CHECK_INT(ploy_mini(-7, 5), -7);
    CHECK_INT(ploy_maxi(-7, 5), 5);
    CHECK_SAME(ploy_lerpf(2.0f, 4.0f, 0.25f), 2.5f);
    CHECK(ploy_is_finite(FLT_MAX));
    CHECK(!ploy_is_finite(INFINITY));
    CHECK(!ploy_is_finite(-INFINITY));
    CHECK(!ploy_is_finite(NAN));
    CHECK(ploy_is_finite_d(-DBL_MAX));
    CHECK(!ploy_is_finite_d((double)INFINITY));
    CHECK(!ploy_is_finite_d((double)NAN));
}
