#include "ploy/base/hash.h"

#include "ploy/base/rng.h"
#include "tests/test.h"

TEST(hash_bytes_gives_the_published_vectors_of_xxh64) {
    static const struct {
        const char *row;
        uint64_t seed;
        uint64_t want;
    } rows[] = {
        {"", 0, UINT64_C(0xEF46DB3751D8E999)},
        {"a", 0, UINT64_C(0xD24EC4F1A98C6E5B)},
        {"abc", 0, UINT64_C(0x44BC2CF5AD770999)},
        {"", 2654435761u, UINT64_C(0xAC75FDA2929B17EF)},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_UINT(ploy_hash_bytes(rows[i].row, strlen(rows[i].row), rows[i].seed), rows[i].want);
        if (rows[i].seed == 0) CHECK_UINT(ploy_hash_text(rows[i].row), rows[i].want);
    }
    CHECK_UINT(ploy_hash_bytes(NULL, 0, 0), UINT64_C(0xEF46DB3751D8E999));
}

// The specification's own self-test input: bytes of a 64-bit product sequence, at lengths that end
// in each of the steps (stripes, eights, fours, ones).
TEST(hash_bytes_gives_the_vectors_of_the_reference_self_test) {
    unsigned char bytes[222];
    uint64_t state = 2654435761u;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(state >> 56);
        state *= UINT64_C(11400714785074694797);
    }
    static const struct {
        size_t size;
        uint64_t seed, want;
    } rows[] = {
        {1, 0, UINT64_C(0xE934A84ADB052768)},
        {1, 2654435761u, UINT64_C(0x5014607643A9B4C3)},
        {4, 0, UINT64_C(0x9136A0DCA57457EE)},
        {14, 0, UINT64_C(0x8282DCC4994E35C8)},
        {14, 2654435761u, UINT64_C(0xC3BD6BF63DEB6DF0)},
        {222, 0, UINT64_C(0xB641AE8CB691C174)},
        {222, 2654435761u, UINT64_C(0x20CB8AB7AE10C14A)},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        TEST_SEED(rows[i].size);
        CHECK_UINT(ploy_hash_bytes(bytes, rows[i].size, rows[i].seed), rows[i].want);
    }
}

TEST(hasher_fed_in_pieces_equals_one_call) {
    unsigned char bytes[500];
    for (uint64_t seed = 1; seed <= 300; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        size_t size = (size_t)ploy_rng_int(&rng, 0, (int32_t)sizeof bytes);
        for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)ploy_rng_u32(&rng);
        int32_t most = ploy_rng_int(&rng, 1, 100);
        ploy_hasher hasher;
        ploy_hasher_init(&hasher, seed);
        for (size_t at = 0; at < size;) {
            size_t piece = (size_t)ploy_rng_int(&rng, 0, most);
            if (piece > size - at) piece = size - at;
            ploy_hasher_add(&hasher, bytes + at, piece);
            at += piece;
            CHECK_UINT(ploy_hasher_result(&hasher), ploy_hash_bytes(bytes, at, seed));
        }
        ploy_hasher_add(&hasher, NULL, 0);
        CHECK_UINT(ploy_hasher_result(&hasher), ploy_hash_bytes(bytes, size, seed));
    }
}

TEST(hash_does_not_depend_on_alignment) {
    unsigned char bytes[128];
    for (size_t i = 0; i < 64; i++) bytes[i] = (unsigned char)(i * 7);
    uint64_t want = ploy_hash_bytes(bytes, 64, 3);
    for (size_t shift = 1; shift < 16; shift++) {
        unsigned char moved[128];
        memcpy(moved + shift, bytes, 64);
        CHECK_UINT(ploy_hash_bytes(moved + shift, 64, 3), want);
    }
}

TEST(combine_depends_on_order_and_spreads_single_bits) {
    uint64_t ab = ploy_hash_combine(ploy_hash_combine(0, 1), 2);
    uint64_t ba = ploy_hash_combine(ploy_hash_combine(0, 2), 1);
    CHECK(ab != ba);
    CHECK(ploy_hash_combine(0, 0) != 0);
    // Flipping one bit of the value flips each bit of the result about half of the time.
    int64_t flipped[64] = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t one = ploy_hash_combine(i, i * 3);
        for (int bit = 0; bit < 64; bit++) {
            uint64_t other = one ^ ploy_hash_combine(i, (i * 3) ^ UINT64_C(1) << bit);
            for (int k = 0; k < 64; k++) flipped[k] += (int64_t)(other >> k & 1);
        }
    }
    for (int k = 0; k < 64; k++) CHECK_NEAR((double)flipped[k] / 64000.0, 0.5, 0.02);
    // Frozen: golden hashes are built with it.
    CHECK_UINT(ab, UINT64_C(0x332c621bc873e476));
}
