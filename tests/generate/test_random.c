// Random numbers for content: published vectors, mixing, uniform areas.
#include "ploy/generate/random.h"
#include "tests/test.h"

#include <math.h>

TEST(mersenne_twister_gives_the_published_numbers) {
    static const uint32_t first[] = {3499211612u, 581869302u, 3890346734u, 3586334585u, 545404204u};
    static const uint32_t one[] = {1791095845u, 4282876139u, 3093770124u, 4005303368u, 491263u};
    ploy_mt19937 rng = ploy_mt19937_make(5489);
    for (size_t i = 0; i < COUNT_OF(first); i++) CHECK_UINT(ploy_mt19937_u32(&rng), first[i]);
    uint32_t last = 0;
    for (int32_t i = (int32_t)COUNT_OF(first); i < 10000; i++) last = ploy_mt19937_u32(&rng);
    CHECK_UINT(last, 4123659995u);
    rng = ploy_mt19937_make(1);
    for (size_t i = 0; i < COUNT_OF(one); i++) CHECK_UINT(ploy_mt19937_u32(&rng), one[i]);
}

TEST(xorshift_gives_the_published_numbers) {
    static const uint32_t narrow[] = {270369u, 67634689u, 2647435461u, 307599695u, 2398689233u};
    static const uint64_t wide[] = {3, 8388677, 33554692, UINT64_C(70368777736387)};
    ploy_xorshift32 a = ploy_xorshift32_make(1);
    for (size_t i = 0; i < COUNT_OF(narrow); i++) CHECK_UINT(ploy_xorshift32_u32(&a), narrow[i]);
    ploy_xorshift128 b = ploy_xorshift128_make(1, 2);
    for (size_t i = 0; i < COUNT_OF(wide); i++) CHECK_UINT(ploy_xorshift128_u64(&b), wide[i]);
    a = ploy_xorshift32_make(0);
    CHECK(ploy_xorshift32_u32(&a) != 0);
    b = ploy_xorshift128_make(0, 0);
    ploy_xorshift128_u64(&b);
    CHECK(ploy_xorshift128_u64(&b) != 0);
}

// Keys are made as SplitMix64 makes its numbers, so its published numbers are those of its seeds.
TEST(keys_of_seeds_are_the_published_numbers_of_splitmix) {
    static const uint64_t numbers[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                       UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                       UINT64_C(16408922859458223821)};
    for (uint64_t i = 0; i < COUNT_OF(numbers); i++) {
        uint64_t seed = 1234567 + i * UINT64_C(0x9E3779B97F4A7C15);
        CHECK_UINT(ploy_rng_key_make(seed).bits, numbers[i]);
    }
}

static int32_t bits_of(uint64_t x) {
    int32_t count = 0;
    for (; x != 0; x &= x - 1) count++;
    return count;
}

TEST(mix_spreads_every_bit) {
    ploy_rng rng = ploy_rng_make(11);
    double sum[256] = {0};
    int32_t least = 64;
    enum { SAMPLES = 100000 };
    for (int32_t i = 0; i < SAMPLES; i++) {
        uint64_t arg[4];
        for (int32_t k = 0; k < 4; k++) {
            // Half of the inputs are small numbers, as coordinates are.
            arg[k] = ploy_rng_u64(&rng) >> (i % 2 == 0 ? 0 : 56);
        }
        uint64_t plain = ploy_mix(arg[0], arg[1], arg[2], arg[3]);
        int32_t bit = i % 256;
        arg[bit / 64] ^= UINT64_C(1) << (bit % 64);
        int32_t changed = bits_of(plain ^ ploy_mix(arg[0], arg[1], arg[2], arg[3]));
        sum[bit] += changed;
        if (changed < least) least = changed;
    }
    CHECK(least >= 2);
    for (int32_t bit = 0; bit < 256; bit++) CHECK_NEAR(sum[bit] / (SAMPLES / 256), 32.0, 4.0);
    CHECK(ploy_mix(1, 2, 3, 4) != ploy_mix(1, 3, 2, 4)); // the order counts
}

TEST(disc_samples_are_uniform_over_the_area) {
    ploy_rng rng = ploy_rng_make(3);
    enum { SAMPLES = 200000 };
    double mean = 0.0, inner = 0.0, x = 0.0, y = 0.0, ring = 0.0;
    for (int32_t i = 0; i < SAMPLES; i++) {
        ploy_vec2 p = ploy_rng_disc(&rng, 3.0f);
        double r = sqrt((double)p.x * (double)p.x + (double)p.y * (double)p.y);
        CHECK(r <= 3.0 + 1e-6);
        mean += r;
        inner += r < 1.5;
        x += (double)p.x;
        y += (double)p.y;
        ploy_vec2 q = ploy_rng_annulus(&rng, 1.0f, 2.0f);
        double s = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y);
        CHECK(s >= 1.0 - 1e-6 && s <= 2.0 + 1e-6);
        ring += s < 1.5;
    }
    CHECK_NEAR(mean / SAMPLES, 2.0, 0.01); // 2/3 of the radius
    CHECK_NEAR(inner / SAMPLES, 0.25, 0.005);
    CHECK_NEAR(x / SAMPLES, 0.0, 0.015);
    CHECK_NEAR(y / SAMPLES, 0.0, 0.015);
    CHECK_NEAR(ring / SAMPLES, 1.25 / 3.0, 0.005);
}
