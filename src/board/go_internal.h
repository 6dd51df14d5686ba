// What the rules of Go and its playouts share: positions, and groups found by filling.
#pragma once

#include <string.h>

#include "ploy/board/go.h"

enum { GO_POINTS = 361, GO_EMPTY = 2, GO_OUTSIDE = 3, GO_NONE = 0xFFFF };

// Followed by the points, padding to 8, and the hashes of all boards so far.
typedef struct go_position {
    uint64_t board;       // XOR of the keys of all stones
    int32_t prisoners[2]; // stones that black and white have captured
    uint16_t plies;
    uint16_t ko;   // point that may not be played now, or GO_NONE
    uint16_t past; // boards remembered
    uint16_t
        last[2]; // points of the last two moves, the newest first; GO_NONE: a pass, or not known
    uint8_t side, passes;
    uint8_t size;
    uint8_t unused[3];
} go_position;

static inline uint8_t *go_cells(go_position *p) {
    return (uint8_t *)(p + 1);
}

static inline const uint8_t *go_cells_of(const go_position *p) {
    return (const uint8_t *)(p + 1);
}

// Neighbours of a point. @return their number.
static inline int32_t go_near(int32_t size, int32_t point, int32_t out[4]) {
    int32_t x = point % size, count = 0;
    if (point >= size) out[count++] = point - size;
    if (x > 0) out[count++] = point - 1;
    if (x < size - 1) out[count++] = point + 1;
    if (point < size * (size - 1)) out[count++] = point + size;
    return count;
}

// A group and its liberties, as far as they were looked at.
typedef struct go_group {
    int32_t count;     // stones
    int32_t liberties; // different ones, up to the limit asked for
    int32_t liberty;   // the last one found
    uint64_t seen[6];  // stones and liberties
    uint16_t stones[GO_POINTS];
} go_group;

static inline bool go_mark(uint64_t seen[6], int32_t point) {
    uint64_t bit = UINT64_C(1) << (point & 63);
    if ((seen[point >> 6] & bit) != 0) return false;
    seen[point >> 6] |= bit;
    return true;
}

// Fills the group that a stone of a colour on a point has or would have, until it has `limit` liberties, `except` (-1:
// none) not counted.
static inline void go_fill(const go_position *p, int32_t start, int32_t colour, int32_t except,
                           int32_t limit, go_group *group) {
    const uint8_t *cells = go_cells_of(p);
    group->count = 1;
    group->liberties = 0;
    group->liberty = -1;
    memset(group->seen, 0, sizeof group->seen);
    group->stones[0] = (uint16_t)start;
    go_mark(group->seen, start);
    for (int32_t i = 0; i < group->count; i++) {
        int32_t near[4], count = go_near(p->size, group->stones[i], near);
        for (int32_t k = 0; k < count; k++) {
            if (cells[near[k]] == GO_EMPTY) {
                if (near[k] == except || !go_mark(group->seen, near[k])) continue;
                group->liberty = near[k];
                if (++group->liberties >= limit) return;
            } else if (cells[near[k]] == colour && go_mark(group->seen, near[k])) {
                group->stones[group->count++] = (uint16_t)near[k];
            }
        }
    }
}

// What a stone on a point would capture: stones, their number and key.
typedef struct go_catch {
    int32_t count;
    uint64_t key;
    uint16_t stones[GO_POINTS];
} go_catch;

// @return false for an occupied point, suicide, or a board that may not come again.
bool ployi_go_legal(const void *rules, const go_position *p, int32_t point, go_catch *caught);

// Whether the 3x3 patterns have the surroundings of an empty point.
bool ployi_go_pattern(const go_position *p, int32_t point);
ploy_board_move ployi_go_playout(const void *rules, const void *position, ploy_rng *rng);
float ployi_go_prior(const void *rules, const void *position, ploy_board_move move);
