// Well-known generators; the header names their sources.
#include "ploy/generate/random.h"

#include "ploy/base/math.h"

#include <math.h>

// ---- Mersenne Twister

enum { MT_WORDS = 624, MT_SHIFT = 397 };

ploy_mt19937 ploy_mt19937_make(uint32_t seed) {
    ploy_mt19937 rng;
    rng.state[0] = seed;
    for (uint32_t i = 1; i < MT_WORDS; i++) {
        uint32_t before = rng.state[i - 1];
        rng.state[i] = 1812433253u * (before ^ (before >> 30)) + i;
    }
    rng.index = MT_WORDS;
    return rng;
}

static void mt19937_refill(ploy_mt19937 *rng) {
    for (int32_t i = 0; i < MT_WORDS; i++) {
        uint32_t next = rng->state[(i + 1) % MT_WORDS];
        uint32_t word = (rng->state[i] & 0x80000000u) | (next & 0x7FFFFFFFu);
        uint32_t twist = (word & 1u) != 0 ? 0x9908B0DFu : 0u;
        rng->state[i] = rng->state[(i + MT_SHIFT) % MT_WORDS] ^ (word >> 1) ^ twist;
    }
    rng->index = 0;
}

uint32_t ploy_mt19937_u32(ploy_mt19937 *rng) {
    if (rng->index >= MT_WORDS) mt19937_refill(rng);
    uint32_t word = rng->state[rng->index++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9D2C5680u;
    word ^= (word << 15) & 0xEFC60000u;
    return word ^ (word >> 18);
}

// ---- xorshift

ploy_xorshift32 ploy_xorshift32_make(uint32_t seed) {
    ploy_xorshift32 rng = {seed == 0 ? 1 : seed};
    return rng;
}

uint32_t ploy_xorshift32_u32(ploy_xorshift32 *rng) {
    uint32_t x = rng->state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    rng->state = x;
    return x;
}

ploy_xorshift128 ploy_xorshift128_make(uint64_t a, uint64_t b) {
    ploy_xorshift128 rng = {{a == 0 && b == 0 ? 1 : a, b}};
    return rng;
}

uint64_t ploy_xorshift128_u64(ploy_xorshift128 *rng) {
    uint64_t x = rng->state[0], y = rng->state[1];
    uint64_t sum = x + y; // of the state before the update
    rng->state[0] = y;
    x ^= x << 23;
    rng->state[1] = x ^ y ^ (x >> 17) ^ (y >> 26);
    return sum;
}

// ---- mixing

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): a bijection that spreads every bit.
static uint64_t mix_spread(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

uint64_t ploy_mix(uint64_t seed, uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t step = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = mix_spread(seed + step);
    hash = mix_spread((hash ^ a) + step);
    hash = mix_spread((hash ^ b) + step);
    return mix_spread((hash ^ c) + step);
}

// ---- areas

ploy_vec2 ploy_rng_disc(ploy_rng *rng, float radius) {
    return ploy_rng_annulus(rng, 0.0f, radius);
}

// The area inside a radius grows with its square, so a uniform radius would crowd the centre.
ploy_vec2 ploy_rng_annulus(ploy_rng *rng, float inner, float outer) {
    float angle = ploy_rng_float(rng) * PLOY_TWO_PI_F;
    float share = ploy_rng_float(rng);
    float radius = sqrtf(inner * inner + share * (outer * outer - inner * inner));
    float sine, cosine;
    ploy_sincosf(angle, &sine, &cosine);
    return ploy_vec2_make(radius * cosine, radius * sine);
}
