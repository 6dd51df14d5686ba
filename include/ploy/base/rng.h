/// @file ploy/base/rng.h
/// Repeatable random numbers: Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1,
/// 2, 3", 2011).
///
/// The generator has two forms. ploy_rng is a stream: seed it, draw from it. The keyed form has no
/// state: a draw is a function of (key, agent, tick, draw number), so splitting a batch over
/// workers changes nothing. Streams split without overlap by number or by key.
///
/// A block of four 32-bit words is a function of a 64-bit key and a 128-bit counter. Under one key,
/// no two uses share a counter, because two of its bits identify the use:
///
///     counter word           0                    1                 2           3
///     stream block    counter low   counter high, use bits 10   stream low  stream high
///     keyed draw         tick low      tick high, use bits 00        agent         draw
///     child key                 0              0, use bits 01        n low       n high
///
/// Counters and ticks therefore have 62 bits; higher bits of a tick are ignored.
///
/// Not cryptographic. Threads: a stream has one caller at a time; keyed draws can be made from any
/// thread.
#pragma once

#include "ploy/base/api.h"

/// The key of the stateless draws.
typedef struct ploy_rng_key {
    uint64_t bits;
} ploy_rng_key;

/// A stream. Plain data: copy it to save it. All bits are state.
typedef struct ploy_rng {
    uint64_t key;
    uint64_t counter; ///< number of the next block
    uint64_t stream;
    uint32_t block[4]; ///< the last block; its last `left` words are not yet used
    uint32_t left;
    uint32_t reserved; ///< 0
} ploy_rng;

/// Makes a key from a seed; different seeds give different keys.
PLOY_API ploy_rng_key ploy_rng_key_make(uint64_t seed);
/// Returns an independent key for a part: the n-th child.
PLOY_API ploy_rng_key ploy_rng_key_split(ploy_rng_key key, uint64_t n);

/// Returns stream 0 of the seed's key.
PLOY_API ploy_rng ploy_rng_make(uint64_t seed);
/// Returns stream `stream` of a key; different streams never overlap.
PLOY_API ploy_rng ploy_rng_from_key(ploy_rng_key key, uint64_t stream);

/// Returns the next word. The comments below give the number of words that each draw uses.
PLOY_API uint32_t ploy_rng_u32(ploy_rng *rng);
/// Two words; the first is the low half.
PLOY_API uint64_t ploy_rng_u64(ploy_rng *rng);
/// [0, 1) in steps of 2^-24. One word.
PLOY_API float ploy_rng_float(ploy_rng *rng);
/// Draws the next `count` numbers of ploy_rng_float at once: the same numbers, several times as
/// fast.
PLOY_API void ploy_rng_floats(ploy_rng *rng, int32_t count, float *out);
/// [0, 1) in steps of 2^-53. Two words.
PLOY_API double ploy_rng_double(ploy_rng *rng);
/// [min, max), both finite; min unless min < max. One word.
PLOY_API float ploy_rng_range(ploy_rng *rng, float min, float max);
/// min to max, both included, without bias. max below min counts as min. One word, rarely more.
PLOY_API int32_t ploy_rng_int(ploy_rng *rng, int32_t min, int32_t max);
/// 0 to count - 1 without bias; 0 for count 0. Two words, hardly ever more; none for count 0.
PLOY_API uint64_t ploy_rng_below(ploy_rng *rng, uint64_t count);
/// Returns true with the given probability, to within 2^-32; false for NaN. One word.
PLOY_API bool ploy_rng_chance(ploy_rng *rng, float probability);
/// U - U: triangular on (-1, 1), mean 0, variance 1/6. Values near 0 are more likely. Two words.
PLOY_API float ploy_rng_binomial(ploy_rng *rng);
/// Normal with mean 0 and deviation 1 (Box and Muller, the cosine half), at most 6.67 from 0. Two
/// words.
PLOY_API float ploy_rng_normal(ploy_rng *rng);
/// Shuffles count items of size bytes (Fisher and Yates). One ploy_rng_int for each item but one.
PLOY_API void ploy_rng_shuffle(ploy_rng *rng, void *items, int32_t count, size_t size);
/// Returns an index with probability weight / sum; weights below 0 and NaN count as 0, infinity as
/// FLT_MAX. Returns -1 if the sum is 0. Two words, none for -1.
PLOY_API int32_t ploy_rng_weighted(ploy_rng *rng, const float *weights, int32_t count);

/// The keyed forms: draw number `draw` of agent `agent` in tick `tick`. Each draw number has a
/// separate block, of which u32, float and range use word 0; u64, binomial, normal and int use
/// words 0 and 1 (int uses words 2 and 3 in place of a rejected pair, leaving a bias below 2^-64).
/// Two different kinds of draw with the same number are therefore not independent: give each draw
/// its own number.
PLOY_API uint32_t ploy_rng_u32_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw);
PLOY_API uint64_t ploy_rng_u64_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw);
PLOY_API float ploy_rng_float_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw);
PLOY_API float ploy_rng_range_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw,
                                 float min, float max);
PLOY_API int32_t ploy_rng_int_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw,
                                 int32_t min, int32_t max);
PLOY_API float ploy_rng_binomial_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw);
PLOY_API float ploy_rng_normal_at(ploy_rng_key key, uint32_t agent, uint64_t tick, uint32_t draw);
