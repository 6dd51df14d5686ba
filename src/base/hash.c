// XXH64, written from its published specification: four 64-bit lanes eat 32-byte stripes, are
// merged, and what is left is folded in by eights, fours and ones before a final avalanche.
//
// Invariants of ploy_hasher:
//   (1) total counts every byte ever added; lanes hold all whole stripes of them;
//   (2) tail[0 .. tail_size) are the bytes behind the last whole stripe, tail_size = total mod 32.
#include "ploy/base/hash.h"

#include <string.h>

#define HASH_PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define HASH_PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define HASH_PRIME_3 UINT64_C(0x165667B19E3779F9)
#define HASH_PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define HASH_PRIME_5 UINT64_C(0x27D4EB2F165667C5)
#define HASH_STRIPE 32

static inline uint64_t hash_rotate(uint64_t x, int bits) {
    return (x << bits) | (x >> (64 - bits));
}

// Bytes are put together by hand, so that big-endian machines agree; compilers make one load of it.
static inline uint64_t hash_read_64(const unsigned char *bytes) {
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

static inline uint64_t hash_read_32(const unsigned char *bytes) {
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24;
}

static inline uint64_t hash_round(uint64_t lane, uint64_t input) {
    return hash_rotate(lane + input * HASH_PRIME_2, 31) * HASH_PRIME_1;
}

static inline uint64_t hash_avalanche(uint64_t hash) {
    hash ^= hash >> 33;
    hash *= HASH_PRIME_2;
    hash ^= hash >> 29;
    hash *= HASH_PRIME_3;
    hash ^= hash >> 32;
    return hash;
}

static void hash_lanes_init(uint64_t lanes[4], uint64_t seed) {
    lanes[0] = seed + HASH_PRIME_1 + HASH_PRIME_2;
    lanes[1] = seed + HASH_PRIME_2;
    lanes[2] = seed;
    lanes[3] = seed - HASH_PRIME_1;
}

// Eats the whole stripes of size bytes and returns how many bytes that were.
static size_t hash_stripes(uint64_t lanes[4], const unsigned char *bytes, size_t size) {
    uint64_t a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
    size_t at = 0;
    for (; size - at >= HASH_STRIPE; at += HASH_STRIPE) {
        a = hash_round(a, hash_read_64(bytes + at));
        b = hash_round(b, hash_read_64(bytes + at + 8));
        c = hash_round(c, hash_read_64(bytes + at + 16));
        d = hash_round(d, hash_read_64(bytes + at + 24));
    }
    lanes[0] = a;
    lanes[1] = b;
    lanes[2] = c;
    lanes[3] = d;
    return at;
}

static uint64_t hash_finish(const uint64_t lanes[4], uint64_t seed, uint64_t total,
                            const unsigned char *tail, size_t tail_size) {
    uint64_t hash = seed + HASH_PRIME_5;
    if (total >= HASH_STRIPE) {
        hash = hash_rotate(lanes[0], 1) + hash_rotate(lanes[1], 7) + hash_rotate(lanes[2], 12) +
               hash_rotate(lanes[3], 18);
        for (int i = 0; i < 4; i++) {
            hash = (hash ^ hash_round(0, lanes[i])) * HASH_PRIME_1 + HASH_PRIME_4;
        }
    }
    hash += total;
    size_t at = 0;
    for (; tail_size - at >= 8; at += 8) {
        hash ^= hash_round(0, hash_read_64(tail + at));
        hash = hash_rotate(hash, 27) * HASH_PRIME_1 + HASH_PRIME_4;
    }
    if (tail_size - at >= 4) {
        hash ^= hash_read_32(tail + at) * HASH_PRIME_1;
        hash = hash_rotate(hash, 23) * HASH_PRIME_2 + HASH_PRIME_3;
        at += 4;
    }
    for (; at < tail_size; at++) {
        hash ^= tail[at] * HASH_PRIME_5;
        hash = hash_rotate(hash, 11) * HASH_PRIME_1;
    }
    return hash_avalanche(hash);
}

uint64_t ploy_hash_bytes(const void *bytes, size_t size, uint64_t seed) {
    // A null pointer must not enter pointer arithmetic, even by 0.
    static const unsigned char nothing[1] = {0};
    const unsigned char *from = size == 0 ? nothing : bytes;
    uint64_t lanes[4];
    hash_lanes_init(lanes, seed);
    size_t whole = hash_stripes(lanes, from, size);
    return hash_finish(lanes, seed, size, from + whole, size - whole);
}

uint64_t ploy_hash_text(const char *text) {
    return ploy_hash_bytes(text, strlen(text), 0);
}

// The step with which XXH64 folds in eight bytes, plus its avalanche: a map may use any bits of it.
uint64_t ploy_hash_combine(uint64_t hash, uint64_t value) {
    hash ^= hash_round(0, value);
    hash = hash_rotate(hash, 27) * HASH_PRIME_1 + HASH_PRIME_4;
    return hash_avalanche(hash);
}

void ploy_hasher_init(ploy_hasher *hasher, uint64_t seed) {
    memset(hasher, 0, sizeof *hasher);
    hasher->seed = seed;
    hash_lanes_init(hasher->lanes, seed);
}

void ploy_hasher_add(ploy_hasher *hasher, const void *bytes, size_t size) {
    if (size == 0) return;
    const unsigned char *from = bytes;
    hasher->total += size;
    size_t held = (size_t)hasher->tail_size;
    if (held > 0) {
        size_t take = HASH_STRIPE - held;
        if (take > size) take = size;
        memcpy(hasher->tail + held, from, take);
        held += take;
        from += take;
        size -= take;
        hasher->tail_size = (int32_t)held;
        if (held < HASH_STRIPE) return;
        hash_stripes(hasher->lanes, hasher->tail, HASH_STRIPE);
    }
    size_t whole = hash_stripes(hasher->lanes, from, size);
    if (size > whole) memcpy(hasher->tail, from + whole, size - whole);
    hasher->tail_size = (int32_t)(size - whole); // keeps (2)
}

uint64_t ploy_hasher_result(const ploy_hasher *hasher) {
    return hash_finish(hasher->lanes, hasher->seed, hasher->total, hasher->tail,
                       (size_t)hasher->tail_size);
}

#undef HASH_PRIME_1
#undef HASH_PRIME_2
#undef HASH_PRIME_3
#undef HASH_PRIME_4
#undef HASH_PRIME_5
#undef HASH_STRIPE
