// Models of wave function collapse, as the runs see them.
#pragma once

#include "ploy/base/array.h"
#include "ploy/generate/wfc.h"

// Directions are 0 +x, 1 +y, 2 -y, 3 -x; the opposite of d is 3 - d.
#define WFC_DIRECTIONS 4

// Logarithms of weights are whole numbers of 1 / WFC_LOG_SCALE, so that sums can be undone exactly.
#define WFC_LOG_SCALE 65536.0

#define WFC_ARRAYS (7 + 2 * WFC_DIRECTIONS)

struct ploy_wfc_model {
    ploy_env env;
    int32_t n;        // tiles along a pattern's side; 1 for a model of tiles
    bool of_tiles;    // patterns are forms of tiles
    int32_t count;    // patterns
    bool ground;      // a sample with ground: the bit sets below are used
    int32_t *cells;   // n * n tiles a pattern, row by row from the lowest y; of tiles: its tile
    int32_t *turns;   // of tiles: form; of a sample NULL
    int64_t *weights; // at least 1
    int64_t *logs;    // weight * log(weight) * WFC_LOG_SCALE
    uint64_t *lowest; // patterns of the sample's lowest row, ground at their own lowest row
    int32_t wrapped;  // periodic ground: the pattern whose highest row is the ground; -1 if none
    int32_t *first[WFC_DIRECTIONS]; // count + 1: where the neighbours of a pattern begin
    int32_t *next[WFC_DIRECTIONS];  // patterns that may stand in that direction, ascending
    // The lists of all directions of a pattern in a row: other * WFC_DIRECTIONS + direction. Lists are short;
    // one loop over all four has one end that the processor cannot foresee, not four.
    int32_t *all_first, *all;
    int32_t most;                  // entries of the longest row
    ploy_array arrays[WFC_ARRAYS]; // own what the pointers above point to
};

static inline int32_t ployi_wfc_words(int32_t patterns) {
    return (patterns + 63) / 64;
}

static inline bool ployi_wfc_bit(const uint64_t *set, int32_t i) {
    return (set[i >> 6] >> (i & 63) & 1u) != 0;
}
