// Products wider than 64 bits, without the compilers' 128-bit extension, which Windows and strict
// C11 lack.
#pragma once

#include <stdint.h>

// a * b: returns the high half and stores the low one.
static inline uint64_t ployi_multiply_64(uint64_t a, uint64_t b, uint64_t *low) {
    uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32;
    uint64_t b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
    uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    // Three numbers below 2^32 cannot overflow.
    uint64_t middle = (p00 >> 32) + (p01 & 0xFFFFFFFFu) + (p10 & 0xFFFFFFFFu);
    *low = (middle << 32) | (p00 & 0xFFFFFFFFu);
    return p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
}

// Zero bits above the highest one bit; x is not 0.
static inline int ployi_leading_zeros_64(uint64_t x) {
    int zeros = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (x >> (64 - step) == 0) {
            zeros += step;
            x <<= step;
        }
    }
    return zeros;
}
