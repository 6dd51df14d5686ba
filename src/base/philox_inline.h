// The Philox4x32-10 block function and the layout of its counter, inline, so that batch loops can
// hold it in vector registers. rng.c and the batch forms of other modules draw through these same
// functions; that single and batch draws agree is therefore no coincidence.
//
// A key is 64 bits. The four words of the counter under one key:
//
//     word                     0          1                         2          3
//     stream block    counter low   counter high | 2 << 30   stream low  stream high
//     keyed draw         tick low      tick high | 0 << 30        agent         draw
//     child key                 0              0 | 1 << 30        n low       n high
//
// The two top bits of word 1 name the use, so the three never meet under one key. Ticks and block
// counters keep 62 bits: at a thousand a second that is 146 million years.
#pragma once

#include "ploy/base/rng.h"

#define PLOYI_PHILOX_USE_KEYED 0x00000000u
#define PLOYI_PHILOX_USE_CHILD 0x40000000u
#define PLOYI_PHILOX_USE_STREAM 0x80000000u
#define PLOYI_PHILOX_USE_MASK 0x3fffffffu

// Salmon et al. 2011, with the constants given there. Unrolled by the compiler.
static inline void ployi_philox4x32_inline(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3,
                                           uint32_t k0, uint32_t k1, uint32_t out[4]) {
    for (int round = 0; round < 10; round++) {
        uint64_t product_0 = (uint64_t)c0 * 0xD2511F53u;
        uint64_t product_1 = (uint64_t)c2 * 0xCD9E8D57u;
        c0 = (uint32_t)(product_1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)product_1;
        c2 = (uint32_t)(product_0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)product_0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

// The block of one keyed draw.
static inline void ployi_rng_block_at(ploy_rng_key key, uint32_t agent, uint64_t tick,
                                      uint32_t draw, uint32_t out[4]) {
    ployi_philox4x32_inline(
        (uint32_t)tick, ((uint32_t)(tick >> 32) & PLOYI_PHILOX_USE_MASK) | PLOYI_PHILOX_USE_KEYED,
        agent, draw, (uint32_t)key.bits, (uint32_t)(key.bits >> 32), out);
}

// 24 bits of a word as a float in [0, 1). The int32_t detour is exact and vectorises on SSE2,
// where an unsigned conversion does not.
static inline float ployi_rng_unit(uint32_t word) {
    return (float)(int32_t)(word >> 8) * (1.0f / 16777216.0f);
}

// U - U. Both are multiples of 2^-24, so the difference is exact.
static inline float ployi_rng_binomial_words(uint32_t a, uint32_t b) {
    return ployi_rng_unit(a) - ployi_rng_unit(b);
}

// ploy_rng_binomial_at, inline.
static inline float ployi_rng_binomial_at_inline(ploy_rng_key key, uint32_t agent, uint64_t tick,
                                                 uint32_t draw) {
    uint32_t block[4];
    ployi_rng_block_at(key, agent, tick, draw, block);
    return ployi_rng_binomial_words(block[0], block[1]);
}
