/// @file ploy/generate/random.h
/// Random numbers for content: well-known generators, a mixing function, samplers of areas.
///
/// ploy_rng (ploy/base/rng.h) is the generator that the library uses. The generators here are for
/// games that have to reproduce the numbers of another program: the Mersenne Twister of most
/// standard libraries, and two of Marsaglia's and Vigna's xorshift family. Plain data: copy one to
/// save it. All bits are state.
/// Technique: Matsumoto and Nishimura, "Mersenne Twister", 1998; Marsaglia, "Xorshift RNGs", 2003;
/// Vigna, "Further scramblings of Marsaglia's xorshift generators", 2014.
///
/// Not for secrets. Threads: one user at a time for each generator; ploy_mix is pure.
#pragma once

#include "ploy/base/rng.h"
#include "ploy/geom/vec.h"

/// MT19937: 32 bits per draw, period 2^19937 - 1, 2.5 kB of state.
typedef struct ploy_mt19937 {
    uint32_t state[624];
    int32_t index; ///< next word of state
} ploy_mt19937;

/// Equal to std::mt19937 of C++ with that seed; 5489 is its default.
PLOY_API ploy_mt19937 ploy_mt19937_make(uint32_t seed);
PLOY_API uint32_t ploy_mt19937_u32(ploy_mt19937 *rng);

/// xorshift32 with shifts 13, 17, 5: period 2^32 - 1. Its low bits are weak.
typedef struct ploy_xorshift32 {
    uint32_t state; ///< never 0
} ploy_xorshift32;

/// @param seed  the first state; 0 counts as 1, because the state 0 never changes.
PLOY_API ploy_xorshift32 ploy_xorshift32_make(uint32_t seed);
PLOY_API uint32_t ploy_xorshift32_u32(ploy_xorshift32 *rng);

/// xorshift128+ with shifts 23, 17, 26, as in most browsers: period 2^128 - 1.
typedef struct ploy_xorshift128 {
    uint64_t state[2]; ///< not both 0
} ploy_xorshift128;

/// @param a, b  the first state; two zeros count as (1, 0).
PLOY_API ploy_xorshift128 ploy_xorshift128_make(uint64_t a, uint64_t b);
PLOY_API uint64_t ploy_xorshift128_u64(ploy_xorshift128 *rng);

/// Mixes a seed and up to three numbers (coordinates, ids, ploy_hash_text of a name) into 64 bits.
/// One changed bit of any argument changes half of the result's bits on average.
PLOY_API uint64_t ploy_mix(uint64_t seed, uint64_t a, uint64_t b, uint64_t c);

/// A point of the disc around the origin, uniform over its area. Two words.
PLOY_API ploy_vec2 ploy_rng_disc(ploy_rng *rng, float radius);
/// A point of the ring between two radii, uniform over its area. Two words.
/// @param inner  m, 0 <= inner <= outer.
PLOY_API ploy_vec2 ploy_rng_annulus(ploy_rng *rng, float inner, float outer);
