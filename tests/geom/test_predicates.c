// Orientation and circle, against integers large enough to hold every product of four floats.
#include "geom/geom_internal.h"
#include "tests/geom/geom_test.h"

#include "geom/predicates_inline.h"
#include "ploy/geom/predicates.h"

#include <float.h>

// A whole number of 64 words of 32 bits in two's complement: 2048 bits. A float times 2^149 is a
// whole number below 2^277, a product of four of them below 2^1108, and sums of 48 fit.
enum { BIG_WORDS = 64 };

typedef struct big {
    uint32_t word[BIG_WORDS];
} big;

static big big_add(big a, big b) {
    uint64_t carry = 0;
    for (int32_t i = 0; i < BIG_WORDS; i++) {
        carry += (uint64_t)a.word[i] + b.word[i];
        a.word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

static big big_negate(big a) {
    big one = {{1}};
    for (int32_t i = 0; i < BIG_WORDS; i++) a.word[i] = ~a.word[i];
    return big_add(a, one);
}

static big big_sub(big a, big b) {
    return big_add(a, big_negate(b));
}

static int32_t big_sign(big a) {
    if (a.word[BIG_WORDS - 1] >> 31 != 0) return -1;
    for (int32_t i = 0; i < BIG_WORDS; i++) {
        if (a.word[i] != 0) return 1;
    }
    return 0;
}

static big big_mul(big a, big b) {
    bool negative = false;
    if (big_sign(a) < 0) a = big_negate(a), negative = !negative;
    if (big_sign(b) < 0) b = big_negate(b), negative = !negative;
    big product = {{0}};
    for (int32_t i = 0; i < BIG_WORDS; i++) {
        if (a.word[i] == 0) continue;
        uint64_t carry = 0;
        for (int32_t k = 0; i + k < BIG_WORDS; k++) {
            carry += (uint64_t)a.word[i] * b.word[k] + product.word[i + k];
            product.word[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return negative ? big_negate(product) : product;
}

// A double times 2^400, which must be whole. Floats, and the doubles made here, are.
static big big_of(double number) {
    int exponent;
    double mantissa = frexp(fabs(number), &exponent);
    uint64_t bits = (uint64_t)ldexp(mantissa, 53);
    int32_t shift = exponent - 53 + 400;
    while (shift < 0 && bits != 0)
        bits >>= 1, shift++; // only zeros go: checked by the callers' range
    big out = {{0}};
    for (int32_t i = 0; i < 64 && bits != 0; i++) {
        if ((bits >> i & 1) != 0) {
            int32_t at = shift + i;
            out.word[at / 32] |= (uint32_t)1 << (at % 32);
        }
    }
    return number < 0.0 ? big_negate(out) : out;
}

// A float times 2^149.
static big big_of_float(float number) {
    return big_of(ldexp((double)number, 149 - 400));
}

static int32_t orient_slow(const big a[2], const big b[2], const big c[2]) {
    return big_sign(big_sub(big_mul(big_sub(a[0], c[0]), big_sub(b[1], c[1])),
                            big_mul(big_sub(a[1], c[1]), big_sub(b[0], c[0]))));
}

static void big_point(ploy_vec2 v, big out[2]) {
    out[0] = big_of_float(v.x);
    out[1] = big_of_float(v.y);
}

static int32_t orient2_slow(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c) {
    big p[3][2];
    big_point(a, p[0]);
    big_point(b, p[1]);
    big_point(c, p[2]);
    return orient_slow(p[0], p[1], p[2]);
}

static int32_t in_circle_slow(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c, ploy_vec2 d) {
    ploy_vec2 point[4] = {a, b, c, d};
    big p[4][2], lift[3];
    for (int32_t i = 0; i < 4; i++) big_point(point[i], p[i]);
    for (int32_t i = 0; i < 3; i++) {
        p[i][0] = big_sub(p[i][0], p[3][0]);
        p[i][1] = big_sub(p[i][1], p[3][1]);
        lift[i] = big_add(big_mul(p[i][0], p[i][0]), big_mul(p[i][1], p[i][1]));
    }
    big sum = {{0}};
    for (int32_t i = 0; i < 3; i++) {
        int32_t j = (i + 1) % 3, k = (i + 2) % 3;
        big minor = big_sub(big_mul(p[j][0], p[k][1]), big_mul(p[k][0], p[j][1]));
        sum = big_add(sum, big_mul(lift[i], minor));
    }
    return big_sign(sum);
}

// Any finite float: all exponents, denormal ones too.
static float any_float(ploy_rng *rng) {
    for (;;) {
        uint32_t bits = ploy_rng_u32(rng);
        float number;
        memcpy(&number, &bits, sizeof number);
        if (ploy_is_finite(number)) return number;
    }
}

static float next_by(float number, int32_t steps) {
    for (; steps > 0; steps--) number = nextafterf(number, INFINITY);
    for (; steps < 0; steps++) number = nextafterf(number, -INFINITY);
    return number;
}

// A point of one of several families, most of them made to be hard.
static ploy_vec2 family_point(ploy_rng *rng, int32_t family) {
    switch (family) {
    case 0: return test_random_vec2(rng, 100.0f);
    case 1: return test_lattice_vec2(rng, 3);
    case 2: { // a step or two beside one line, where nothing but the last bits tell
        float x = ploy_rng_range(rng, 0.4f, 0.6f);
        return ploy_vec2_make(x, next_by(x, ploy_rng_int(rng, -1, 1)));
    }
    case 3: { // any size at all
        float x = any_float(rng);
        return ploy_vec2_make(x, any_float(rng));
    }
    case 4: { // huge beside tiny
        float size = ploy_rng_chance(rng, 0.5f) ? 1e9f : 1e-9f;
        return test_random_vec2(rng, size);
    }
    case 5: { // a lattice far from the origin
        ploy_vec2 at = test_lattice_vec2(rng, 4);
        return ploy_vec2_make(16777200.0f + at.x, -8388600.0f + at.y);
    }
    case 6: { // the smallest floats there are
        ploy_vec2 at = test_lattice_vec2(rng, 3);
        return ploy_vec2_make(at.x * 1.4e-45f, at.y * 1.4e-45f);
    }
    default: { // the largest
        ploy_vec2 at = test_lattice_vec2(rng, 1);
        return ploy_vec2_make(at.x * FLT_MAX, at.y * FLT_MAX);
    }
    }
}

TEST(orientation_of_known_points) {
    ploy_vec2 o = {0, 0}, x = {1, 0}, y = {0, 1};
    CHECK_INT(ploy_orient2(o, x, y), 1);
    CHECK_INT(ploy_orient2(o, y, x), -1);
    CHECK_INT(ploy_orient2(o, x, x), 0);
    CHECK_INT(ploy_orient2(o, x, test_v2(2, 0)), 0);
    CHECK_INT(ploy_orient2(test_v2(1e9, 1e9), test_v2(-1e9, -1e9), test_v2(1, 1)), 0);
    CHECK_INT(ploy_orient2(test_v2(1e9, 1e9), test_v2(-1e9, -1e9), test_v2(1, 0.99999994)), 1);
    CHECK_INT(ploy_orient2(test_v2(-FLT_MAX, -FLT_MAX), test_v2(FLT_MAX, FLT_MAX),
                           ploy_vec2_make(0.0f, 1.4e-45f)),
              1);
}

TEST(circle_of_known_points) {
    ploy_vec2 a = {0, 0}, b = {1, 0}, c = {1, 1};
    CHECK_INT(ploy_in_circle(a, b, c, test_v2(0.5, 0.5)), 1);
    CHECK_INT(ploy_in_circle(a, c, b, test_v2(0.5, 0.5)), -1);
    CHECK_INT(ploy_in_circle(a, b, c, test_v2(0, 1)), 0);
    CHECK_INT(ploy_in_circle(a, b, c, test_v2(0, 1.0000001)), -1);
    CHECK_INT(ploy_in_circle(a, b, c, test_v2(0, 0.99999994)), 1);
    CHECK_INT(ploy_in_circle(a, b, test_v2(2, 0), test_v2(7, 1)), 1); // left of the line
    CHECK_INT(ploy_in_circle(a, b, test_v2(2, 0), test_v2(7, -1)), -1);
    CHECK_INT(ploy_in_circle(a, b, test_v2(2, 0), test_v2(7, 0)), 0);
}

TEST(numbers_that_are_not_finite_give_zero) {
    ploy_vec2 o = {0, 0}, x = {1, 0}, y = {0, 1};
    const float bad[] = {INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ploy_vec2 p = {bad[i], 0.5f}, q = {0.5f, bad[i]};
        CHECK_INT(ploy_orient2(p, x, y), 0);
        CHECK_INT(ploy_orient2(o, x, q), 0);
        CHECK_INT(ploy_in_circle(o, x, y, p), 0);
        CHECK_INT(ploy_in_circle(q, x, y, o), 0);
        CHECK_INT(ployi_orient2_d((double)bad[i], 0, 1, 0, 0, 1), 0);
    }
    CHECK_INT(ployi_orient2_d(1e141, 0, 1, 0, 0, 1), 0);
    CHECK_INT(ployi_orient2_d(1, 0, 1e-141, 0, 0, 1), 0);
}

TEST(orientation_is_that_of_whole_numbers) {
    int64_t zeros = 0, rounds = test_rounds(6000);
    for (int64_t seed = 0; seed < rounds; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t family = (int32_t)(seed % 8);
        ploy_vec2 a = family_point(&rng, family), b = family_point(&rng, family);
        ploy_vec2 c = family_point(&rng, family);
        int32_t want = orient2_slow(a, b, c);
        zeros += want == 0;
        CHECK_INT(ploy_orient2(a, b, c), want);
        CHECK_INT(ployi_orient2_exact(a, b, c), want);
        CHECK_INT(ploy_orient2(b, c, a), want);
        CHECK_INT(ploy_orient2(b, a, c), -want);
    }
    CHECK(zeros > rounds / 50); // or the families are not hard
}

TEST(orientation_of_doubles_is_that_of_whole_numbers) {
    for (int64_t seed = 0; seed < test_rounds(3000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        double number[6];
        for (int32_t i = 0; i < 6; i++) {
            number[i] = ploy_rng_double(&rng) * 2.0 - 1.0;
            if (seed % 3 == 1) number[i] = ldexp(number[i], ploy_rng_int(&rng, -200, 200));
            if (seed % 3 == 2) { // on a line but for the last bits
                double along = floor((double)ploy_rng_int(&rng, 0, 1000)) * 0.37;
                number[i] = (i % 2 == 0 ? 1.0 : 3.0) * (i % 2 == 0 ? along : number[i - 1]);
            }
        }
        big p[3][2];
        for (int32_t i = 0; i < 6; i++) p[i / 2][i % 2] = big_of(number[i]);
        CHECK_INT(ployi_orient2_d(number[0], number[1], number[2], number[3], number[4], number[5]),
                  orient_slow(p[0], p[1], p[2]));
    }
}

TEST(circle_is_that_of_whole_numbers) {
    int64_t zeros = 0, rounds = test_rounds(3000);
    for (int64_t seed = 0; seed < rounds; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t family = (int32_t)(seed % 8);
        ploy_vec2 p[4];
        for (int32_t i = 0; i < 4; i++) p[i] = family_point(&rng, family);
        int32_t want = in_circle_slow(p[0], p[1], p[2], p[3]);
        zeros += want == 0;
        CHECK_INT(ploy_in_circle(p[0], p[1], p[2], p[3]), want);
        CHECK_INT(ployi_in_circle_exact(p[0], p[1], p[2], p[3]), want);
        CHECK_INT(ploy_in_circle(p[1], p[0], p[2], p[3]), -want);
    }
    CHECK(zeros > rounds / 50);
}

TEST(corners_of_a_rectangle_lie_on_one_circle_wherever_it_stands) {
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float size = seed % 2 == 0 ? 1e9f : 1.0f;
        ploy_vec2 low = test_random_vec2(&rng, size), high = test_random_vec2(&rng, size);
        ploy_vec2 b = {high.x, low.y}, d = {low.x, high.y};
        CHECK_INT(ploy_in_circle(low, b, high, d), 0);
        int32_t turn = ploy_orient2(low, b, high);
        float out = high.y > low.y ? nextafterf(d.y, INFINITY) : nextafterf(d.y, -INFINITY);
        CHECK_INT(ploy_in_circle(low, b, high, ploy_vec2_make(d.x, out)), -turn);
    }
}
