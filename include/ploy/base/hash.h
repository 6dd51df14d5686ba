/// @file ploy/base/hash.h
/// 64-bit hashing of bytes: XXH64 (Yann Collet's published algorithm), the same on every machine.
///
/// Not for secrets. Used for names, maps, definition hashes and state hashes.
#pragma once

#include "ploy/base/api.h"

/// Hash of size bytes. bytes may be NULL if size is 0.
PLOY_API uint64_t ploy_hash_bytes(const void *bytes, size_t size, uint64_t seed);

/// Hash of zero-terminated text, seed 0.
PLOY_API uint64_t ploy_hash_text(const char *text);

/// Mixes one number into a hash: cheap, order matters, for building hashes field by field.
PLOY_API uint64_t ploy_hash_combine(uint64_t hash, uint64_t value);

/// A hash fed in pieces; equals ploy_hash_bytes of all of them together.
typedef struct ploy_hasher {
    uint64_t seed;
    uint64_t lanes[4];
    uint64_t total;
    unsigned char tail[32];
    int32_t tail_size;
} ploy_hasher;

PLOY_API void ploy_hasher_init(ploy_hasher *hasher, uint64_t seed);
PLOY_API void ploy_hasher_add(ploy_hasher *hasher, const void *bytes, size_t size);
PLOY_API uint64_t ploy_hasher_result(const ploy_hasher *hasher);
