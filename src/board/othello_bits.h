// Othello on two bitboards, shared by the rules and the solver. Square = column + 8 * row, row 0 at the top; boards smaller
// than 8x8 use the top left corner, and the squares outside are never occupied.
#pragma once

#include "base/compiler.h"
#include "othello_rays.h"

// The squares of a board of that many rows and columns.
static inline uint64_t othello_mask(int32_t size) {
    uint64_t row = size == 8 ? 0xFFu : (1u << size) - 1u;
    uint64_t mask = 0;
    for (int32_t y = 0; y < size; y++) mask |= row << (8 * y);
    return mask;
}

static inline int32_t othello_count(uint64_t bits) {
    return ployi_popcount(bits);
}

// Discs of the other side that a disc on an empty square turns.
static inline uint64_t othello_flips(uint64_t own, uint64_t other, int32_t square) {
    const uint64_t *rays = othello_rays[square];
    uint64_t flips = 0;
    for (int32_t i = 0; i < 4;
         i++) { // The nearest square that the other side does not hold is the lowest one.
        uint64_t open = rays[i] & ~other;
        uint64_t end = open & (~open + 1) & own;
        flips |= rays[i] & (end - (end != 0));
    }
    for (int32_t i = 4; i < 8; i++) {
        uint64_t open = (rays[i] & ~other) | 1; // square 0 is on no ray that ends before it
        uint64_t end = (UINT64_C(1) << ployi_highest_bit(open)) & own & rays[i];
        flips |= rays[i] & (~(end << 1) + 1);
    }
    return flips;
}

static inline uint64_t othello_moves_along(uint64_t own, uint64_t between, int32_t shift) {
    uint64_t up = between & (own << shift);
    uint64_t down = between & (own >> shift);
    uint64_t twice_up = between & (between << shift);
    uint64_t twice_down = between & (between >> shift);
    up |= between & (up << shift);
    down |= between & (down >> shift);
    up |= twice_up & (up << (2 * shift));
    down |= twice_down & (down >> (2 * shift));
    up |= twice_up & (up << (2 * shift));
    down |= twice_down & (down >> (2 * shift));
    return (up << shift) | (down >> shift);
}

// Empty squares on which own may place a disc. A run of discs to turn never includes the left or right column, except
// when it runs up or down.
static inline uint64_t othello_moves(uint64_t own, uint64_t other, uint64_t mask) {
    uint64_t inner = other & UINT64_C(0x7E7E7E7E7E7E7E7E);
    uint64_t moves = othello_moves_along(own, inner, 1) | othello_moves_along(own, inner, 7) |
                     othello_moves_along(own, inner, 9) | othello_moves_along(own, other, 8);
    return moves & mask & ~(own | other);
}

// Squares all of whose neighbours along a diagonal, in both directions up to the rim, are full.
static inline uint64_t othello_full_diagonal(uint64_t full, int32_t shift, uint64_t low_rim,
                                             uint64_t high_rim) {
    uint64_t up = full, down = full;
    for (int32_t i = 0; i < 7; i++) {
        up = full & ((up >> shift) | high_rim);
        down = full & ((down << shift) | low_rim);
    }
    return up & down;
}

// Discs of own that can never be turned, as far as full lines and stable neighbours prove it: in each of the four
// directions the line is full, or the disc touches the rim or a stable disc of the same colour.
static inline uint64_t othello_stable(uint64_t own, uint64_t other, uint64_t mask) {
    const uint64_t left = UINT64_C(0x0101010101010101), right = left << 7;
    const uint64_t top = 0xFF, foot = top << 56;
    uint64_t full = own | other | ~mask;
    uint64_t vertical = full & ((full >> 8) | (full << 56));
    vertical &= (vertical >> 16) | (vertical << 48);
    vertical &= (vertical >> 32) | (vertical << 32);
    uint64_t row = full & (full >> 4);
    row &= row >> 2;
    row = ((row & (row >> 1)) & left) * 0xFF;
    uint64_t falling = othello_full_diagonal(full, 9, left | top, right | foot);
    uint64_t rising = othello_full_diagonal(full, 7, right | top, left | foot);
    uint64_t stable = row & vertical & falling & rising & own;
    for (uint64_t old = ~stable; stable != old;) {
        old = stable;
        uint64_t firm = stable | ~mask;
        stable |= own & (row | (firm << 1) | left | (firm >> 1) | right) &
                  (vertical | (firm << 8) | top | (firm >> 8) | foot) &
                  (falling | (firm << 9) | left | top | (firm >> 9) | right | foot) &
                  (rising | (firm << 7) | right | top | (firm >> 7) | left | foot);
    }
    return stable;
}

// Empty squares beside a disc of the other side: moves of own that may become possible.
static inline uint64_t othello_frontier(uint64_t own, uint64_t other, uint64_t mask) {
    uint64_t near = other | ((other & UINT64_C(0x7F7F7F7F7F7F7F7F)) << 1) |
                    ((other & UINT64_C(0xFEFEFEFEFEFEFEFE)) >> 1);
    near |= (near << 8) | (near >> 8);
    return near & mask & ~(own | other);
}

// The corners of a board.
static inline uint64_t othello_corners(int32_t size) {
    uint64_t row = 1u | 1u << (size - 1);
    return row | row << (8 * (size - 1));
}

// Final difference of discs for own; empty squares go to the winner.
static inline int32_t othello_margin(uint64_t own, uint64_t other, int32_t squares) {
    int32_t mine = othello_count(own), theirs = othello_count(other);
    if (mine == theirs) return 0;
    return mine > theirs ? squares - 2 * theirs : 2 * mine - squares;
}

// Mixes a position to 64 bits.
static inline uint64_t othello_mix(uint64_t own, uint64_t other) {
    uint64_t hash =
        own * UINT64_C(0x9E3779B97F4A7C15) ^ (other * UINT64_C(0xC2B2AE3D27D4EB4F) + (other >> 29));
    hash = (hash ^ (hash >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ (hash >> 32);
}
