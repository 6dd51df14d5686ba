/// @file ploy/base/hash.h
/// 64-bit hashing of bytes: XXH64 (Yann Collet's published algorithm), the same on every machine.
///
/// Not cryptographic. Used for names, maps, definition hashes and state hashes.
#pragma once

#include "ploy/base/api.h"

/// Returns the hash of size bytes. bytes may be NULL if size is 0.
PLOY_API uint64_t ploy_hash_bytes(const void *bytes, size_t size, uint64_t seed);

/// Returns the hash of zero-terminated text with seed 0.
PLOY_API uint64_t ploy_hash_text(const char *text);

/// Mixes one number into a hash, to build a hash field by field. Cheap; the order matters.
PLOY_API uint64_t ploy_hash_combine(uint64_t hash, uint64_t value);

/// A hash computed in pieces; equals ploy_hash_bytes of all pieces together.
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
