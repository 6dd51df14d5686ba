// Errors of the repeatable math in units in the last place, measured against long double.
#pragma once

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "tests/test.h"

static inline float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// PLOY_SOAK in the environment makes the sample 50 times as large.
static inline int64_t samples(int64_t normal) {
    return getenv("PLOY_SOAK") != NULL ? normal * 50 : normal;
}

// Needs more bits than a double, as x87 and quad precision have, and a libm that computes them:
// some only widen their double results. Elsewhere the golden hashes still speak.
static inline bool has_reference(void) {
    volatile long double one = 1.0L;
    long double error = expl(one) - 2.718281828459045235360287471352662498L;
    return LDBL_MANT_DIG > DBL_MANT_DIG && fabsl(error) < 0x1p-60L;
}

// |got - want| in units of want's last place in a format with that many mantissa bits. Where want
// is beyond the largest number, infinity and the largest number are both within half a unit's
// reach of what rounding may give, so only they pass. NaN matches NaN.
static inline double ulp_error(long double got, long double want, int mantissa_bits,
                               int min_exponent, long double largest) {
    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got) ? 0.0 : INFINITY;
    if (isinf(want)) return got == want ? 0.0 : INFINITY;
    int exponent = want == 0.0L ? min_exponent : ilogbl(want);
    if (exponent < min_exponent) exponent = min_exponent;
    long double unit = ldexpl(1.0L, exponent - mantissa_bits + 1);
    if (isinf(got)) {
        // Infinity stands for the first number that does not fit.
        if ((got > 0) != (want > 0)) return INFINITY;
        got = got > 0 ? largest : -largest;
    }
    return (double)(fabsl(got - want) / unit);
}

static inline double ulp_error_f32(float got, long double want) {
    if (fabsl(want) >= 0x1p128L) return isinf(got) && (got > 0) == (want > 0) ? 0.0 : INFINITY;
    return ulp_error(got, want, 24, -126, 0x1p128L);
}

static inline double ulp_error_f64(double got, long double want) {
    if (fabsl(want) >= 0x1p1024L) return isinf(got) && (got > 0) == (want > 0) ? 0.0 : INFINITY;
    return ulp_error(got, want, 53, -1022, 0x1p1024L);
}

// The largest error seen by one function and where.
typedef struct worst {
    double error;
    double x, y;
    int64_t count;
} worst;

static inline void worst_take(worst *w, double error, double x, double y) {
    w->count++;
    if (!(error <= w->error)) {
        w->error = error;
        w->x = x;
        w->y = y;
    }
}

static inline void worst_check(test_context *t, const char *name, const worst *w, double bound) {
    printf("    %-12s worst %.5f ulp at (%a, %a), %lld samples\n", name, w->error, w->x, w->y,
           (long long)w->count);
    t->row = name;
    CHECK(w->count > 0);
    CHECK(w->error <= bound);
    t->row = NULL;
}

// Adds a result to a golden hash. The bits of a NaN are no promise, that it is one is.
static inline void hash_f32(ploy_hasher *hasher, float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x) bits = 0x7FC00000u;
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(bits >> 8 * i);
    ploy_hasher_add(hasher, bytes, sizeof bytes);
}

static inline void hash_f64(ploy_hasher *hasher, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x) bits = UINT64_C(0x7FF8000000000000);
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(bits >> 8 * i);
    ploy_hasher_add(hasher, bytes, sizeof bytes);
}
