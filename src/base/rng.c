// Philox4x32-10 as streams and as keyed draws; philox_inline.h has the block function and draws the
// counter's layout.
//
// Invariants of ploy_rng:
//   (1) left <= 4; block[4 - left .. 4) are the words not handed out yet;
//   (2) counter is the number of the next block of the stream.
#include "ploy/base/rng.h"

#include "base/base_internal.h"

#include <string.h>

#include "base/compiler.h"
#include "base/math_inline.h"
#include "base/philox_inline.h"
#include "base/wide_inline.h"
#include "ploy/base/math.h"

// Stafford's variant 13 of the 64-bit finaliser: a bijection, so different seeds give different
// keys, and neighbouring seeds give keys that share no pattern.
static uint64_t rng_mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    x ^= x >> 27;
    x *= UINT64_C(0x94D049BB133111EB);
    x ^= x >> 31;
    return x;
}

static uint64_t rng_join(uint32_t low, uint32_t high) {
    return (uint64_t)low | (uint64_t)high << 32;
}

ploy_rng_key ploy_rng_key_make(uint64_t seed) {
    ploy_rng_key key = {rng_mix(seed + UINT64_C(0x9E3779B97F4A7C15))};
    return key;
}

ploy_rng_key ploy_rng_key_split(ploy_rng_key key, uint64_t n) {
    uint32_t block[4];
    ployi_philox4x32_inline(0, PLOYI_PHILOX_USE_CHILD, (uint32_t)n, (uint32_t)(n >> 32),
                            (uint32_t)key.bits, (uint32_t)(key.bits >> 32), block);
    ploy_rng_key child = {rng_join(block[0], block[1])};
    return child;
}

void ployi_philox4x32(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    ployi_philox4x32_inline(counter[0], counter[1], counter[2], counter[3], key[0], key[1], out);
}

PLOYI_INLINE void rng_blocks_body(int32_t count, uint64_t first, uint64_t stream, uint64_t key,
                                  uint32_t *restrict a, uint32_t *restrict b, uint32_t *restrict c,
                                  uint32_t *restrict d) {
    for (int32_t i = 0; i < count; i++) {
        uint64_t at = first + (uint64_t)i;
        uint32_t high = ((uint32_t)(at >> 32) & PLOYI_PHILOX_USE_MASK) | PLOYI_PHILOX_USE_STREAM;
        uint32_t out[4];
        ployi_philox4x32_inline((uint32_t)at, high, (uint32_t)stream, (uint32_t)(stream >> 32),
                                (uint32_t)key, (uint32_t)(key >> 32), out);
        a[i] = out[0];
        b[i] = out[1];
        c[i] = out[2];
        d[i] = out[3];
    }
}
PLOYI_KERNEL(rng_blocks,
             (int32_t count, uint64_t first, uint64_t stream, uint64_t key, uint32_t *restrict a,
              uint32_t *restrict b, uint32_t *restrict c, uint32_t *restrict d),
             (count, first, stream, key, a, b, c, d))

ploy_rng ploy_rng_make(uint64_t seed) {
    return ploy_rng_from_key(ploy_rng_key_make(seed), 0);
}

ploy_rng ploy_rng_from_key(ploy_rng_key key, uint64_t stream) {
    ploy_rng rng;
    memset(&rng, 0, sizeof rng);
    rng.key = key.bits;
    rng.stream = stream;
    return rng;
}

ploy_rng ployi_rng_split(ploy_rng *rng) {
    ploy_rng_key key = {ploy_rng_u64(rng)};
    return ploy_rng_from_key(key, 0);
}

uint32_t ploy_rng_u32(ploy_rng *rng) {
    if (rng->left - 1u > 3u) { // 0, or a number that is not the generator's
        uint32_t high = (uint32_t)(rng->counter >> 32) & PLOYI_PHILOX_USE_MASK;
        ployi_philox4x32_inline((uint32_t)rng->counter, high | PLOYI_PHILOX_USE_STREAM,
                                (uint32_t)rng->stream, (uint32_t)(rng->stream >> 32),
                                (uint32_t)rng->key, (uint32_t)(rng->key >> 32), rng->block);
        rng->counter++;
        rng->left = 4;
    }
    return rng->block[4 - rng->left--];
}

uint64_t ploy_rng_u64(ploy_rng *rng) {
    uint32_t low = ploy_rng_u32(rng);
    uint32_t high = ploy_rng_u32(rng);
    return rng_join(low, high);
}

float ploy_rng_float(ploy_rng *rng) {
    return ployi_rng_unit(ploy_rng_u32(rng));
}

void ploy_rng_floats(ploy_rng *rng, int32_t count, float *out) {
    enum { BLOCKS = 16 };
    uint32_t words[4][BLOCKS];
    int32_t at = 0;
    while (at < count && rng->left > 0) out[at++] = ploy_rng_float(rng);
    while (count - at >= 4) {
        int32_t blocks = (count - at) / 4 < BLOCKS ? (count - at) / 4 : BLOCKS;
        rng_blocks(blocks, rng->counter, rng->stream, rng->key, words[0], words[1], words[2],
                   words[3]);
        for (int32_t i = 0; i < 4 * blocks; i++) out[at++] = ployi_rng_unit(words[i % 4][i / 4]);
        rng->counter += (uint64_t)blocks;
        for (int32_t k = 0; k < 4; k++) rng->block[k] = words[k][blocks - 1]; // as if drawn singly
    }
    while (at < count) out[at++] = ploy_rng_float(rng);
}

double ploy_rng_double(ploy_rng *rng) {
    return (double)(int64_t)(ploy_rng_u64(rng) >> 11) * (1.0 / 9007199254740992.0);
}

// The product in double cannot overflow. Rounding to float may reach max, which the interval
// leaves out, so the float below it is taken; it is not below min, because min < max.
static float rng_scale(float unit, float min, float max) {
    if (!(min < max)) return min;
    float value = (float)((double)min + ((double)max - (double)min) * (double)unit);
    if (value < max) return value;
    uint32_t bits;
    memcpy(&bits, &max, sizeof bits);
    if (max > 0.0f) bits--;
    if (max < 0.0f) bits++;
    if (max == 0.0f) bits = 0x80000001u; // the largest float below zero
    memcpy(&value, &bits, sizeof bits);
    return value;
}

float ploy_rng_range(ploy_rng *rng, float min, float max) {
    return rng_scale(ploy_rng_float(rng), min, max);
}

// Lemire, "Fast random integer generation in an interval", 2019: the high half of word * count is
// the result; low halves below 2^32 mod count would make some results likelier and are drawn again.
int32_t ploy_rng_int(ploy_rng *rng, int32_t min, int32_t max) {
    if (max < min) max = min;
    uint32_t count = (uint32_t)max - (uint32_t)min + 1u;
    uint32_t word = ploy_rng_u32(rng);
    if (count == 0) return (int32_t)((int64_t)word + INT32_MIN); // all 2^32 values
    uint64_t product = (uint64_t)word * count;
    if ((uint32_t)product < count) {
        uint32_t unfair = (0u - count) % count;
        while ((uint32_t)product < unfair) product = (uint64_t)ploy_rng_u32(rng) * count;
    }
    return (int32_t)((int64_t)min + (int64_t)(product >> 32));
}

uint64_t ploy_rng_below(ploy_rng *rng, uint64_t count) {
    if (count == 0) return 0;
    uint64_t low;
    uint64_t high = ployi_multiply_64(ploy_rng_u64(rng), count, &low);
    if (low < count) {
        uint64_t unfair = (0u - count) % count;
        while (low < unfair) high = ployi_multiply_64(ploy_rng_u64(rng), count, &low);
    }
    return high;
}

// All 32 bits take part, so that rare events keep their rate down to 2^-32.
bool ploy_rng_chance(ploy_rng *rng, float probability) {
    return (double)ploy_rng_u32(rng) * (1.0 / 4294967296.0) < (double)probability;
}

float ploy_rng_binomial(ploy_rng *rng) {
    uint32_t a = ploy_rng_u32(rng);
    uint32_t b = ploy_rng_u32(rng);
    return ployi_rng_binomial_words(a, b);
}

// Box and Muller's cosine half. The sine half is dropped: keeping it would be state that a copy or
// a hash of the stream has to carry. radius comes from (0, 1], so the logarithm is finite; the
// largest result is sqrt(64 ln 2) = 6.66.
static float rng_normal_words(uint32_t a, uint32_t b) {
    double exponent, sine, cosine;
    double log_m = ployi_log_split(((double)a + 1.0) * (1.0 / 4294967296.0), &exponent);
    ployi_sincos_wide((double)b * (2.0 * PLOY_PI / 4294967296.0), &sine, &cosine);
    return (float)(sqrt(-2.0 * (exponent * 0x1.62e42fefa39efp-1 + log_m)) * cosine);
}

float ploy_rng_normal(ploy_rng *rng) {
    uint32_t a = ploy_rng_u32(rng);
    uint32_t b = ploy_rng_u32(rng);
    return rng_normal_words(a, b);
}

static void rng_swap(unsigned char *a, unsigned char *b, size_t size) {
    unsigned char held[64];
    while (size > 0) {
        size_t part = size < sizeof held ? size : sizeof held;
        memcpy(held, a, part);
        memcpy(a, b, part);
        memcpy(b, held, part);
        a += part;
        b += part;
        size -= part;
    }
}

void ploy_rng_shuffle(ploy_rng *rng, void *items, int32_t count, size_t size) {
    unsigned char *bytes = items;
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t j = ploy_rng_int(rng, 0, i);
        if (i != j) rng_swap(bytes + (size_t)i * size, bytes + (size_t)j * size, size);
    }
}

static double rng_weight(float weight) {
    if (!(weight > 0.0f)) return 0.0; // NaN too
    return weight > FLT_MAX ? (double)FLT_MAX : (double)weight;
}

int32_t ploy_rng_weighted(ploy_rng *rng, const float *weights, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; i++) sum += rng_weight(weights[i]);
    if (!(sum > 0.0)) return -1;
    double at = ploy_rng_double(rng) * sum;
    int32_t last = -1; // the last index with a weight, for when rounding carries at to the sum
    double below = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double weight = rng_weight(weights[i]);
        if (weight == 0.0) continue;
        below += weight;
        last = i;
        if (at < below) break;
    }
    return last;
}

uint32_t ploy_rng_u32_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw) {
    uint32_t block[4];
    ployi_rng_block_at(key, agent, tick, draw, block);
    return block[0];
}

uint64_t ploy_rng_u64_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw) {
    uint32_t block[4];
    ployi_rng_block_at(key, agent, tick, draw, block);
    return rng_join(block[0], block[1]);
}

float ploy_rng_float_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw) {
    return ployi_rng_unit(ploy_rng_u32_at(key, agent, tick, draw));
}

float ploy_rng_range_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw, float min,
                        float max) {
    return rng_scale(ploy_rng_float_at(key, agent, tick, draw), min, max);
}

// A keyed draw has one block and no next one. 64 bits make a rejection rarer than 2^-32, and the
// other half of the block replaces it; a second one is let through, a bias below 2^-64.
int32_t ploy_rng_int_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw, int32_t min,
                        int32_t max) {
    if (max < min) max = min;
    uint64_t count = (uint64_t)((int64_t)max - (int64_t)min) + 1u;
    uint32_t block[4];
    ployi_rng_block_at(key, agent, tick, draw, block);
    uint64_t low;
    uint64_t high = ployi_multiply_64(rng_join(block[0], block[1]), count, &low);
    if (low < count && low < (0u - count) % count) {
        high = ployi_multiply_64(rng_join(block[2], block[3]), count, &low);
    }
    return (int32_t)((int64_t)min + (int64_t)high);
}

float ploy_rng_binomial_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw) {
    return ployi_rng_binomial_at_inline(key, agent, tick, draw);
}

float ploy_rng_normal_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw) {
    uint32_t block[4];
    ployi_rng_block_at(key, agent, tick, draw, block);
    return rng_normal_words(block[0], block[1]);
}
