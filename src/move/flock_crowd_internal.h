// The crowd of flocking: what update (flock_crowd.c) sorts and look (flock_look.c) reads.
#pragma once

#include "move/flock_internal.h"

enum {
    PLOYI_FLOCK_LANES = 8,
    PLOYI_FLOCK_FINE = 2 // columns of a reach
};

struct ploy_flock {
    ploy_env env;
    ploy_flock_def def;
    ployi_flock_law law; // of the update
    size_t size;         // bytes of this block
    int32_t capacity;
    int32_t count;  // agents of the update
    int32_t sorted; // of them in the table
    int32_t columns, rows;
    int32_t cells_max;
    float *x, *y, *vx, *vy; // capacity + PLOYI_FLOCK_LANES each, by place
    float *hx, *hy;         // heading by place, if a view or the alignment needs it
    int32_t *agent;         // capacity: number by place
    int32_t *slot;          // capacity: place by number
    int32_t *cell;          // capacity: cell by number, -1 for none
    int32_t *by_row;        // capacity: numbers, sorted by row only
    int32_t *starts;        // cells_max + 1
    int32_t *row_starts;    // of each block for each row: where it begins, then where it ends
};
