// A crowd that flocks: sorted into cells, summed up in eight lanes.
//
// The plane is cut into square cells at least as wide as the view's reach, and the cells are wrapped
// onto a table of columns and rows, both powers of two: no world size, and who is far away only shares
// a cell with somebody and fails the test of distance. update sorts the agents by cell (counting
// sort, by number within a cell), so that the three cells of a row lie side by side in memory:
//
//        row above    [......|......|......]     one run of places, two where the table wraps
//        own row      [......|.self.|......]
//        row below    [......|......|......]
//
// Whoever is in one cell looks at the same runs. They are copied once for all of them into a small
// block, each run filled up to a multiple of eight with somebody out of sight; then the block is
// walked eight at a time for each of those who look. Number k of eight adds to lane k, and the lanes
// are added in order at the end: the sums do not depend on the width of the processor's vectors, nor
// on who computes them, nor on how many look at once.
//
// The steps of one tick, and what of them runs over jobs:
//     cell of each agent, count by row    jobs, by block of agents
//     sum up                              here: one number for each row and block
//     sort by row                         jobs, by block of agents
//     sort by column                      jobs, by row: its cells stay in the nearest cache
//     copy to the places                  jobs, by place
//     look, and the rules                 jobs, by place: who comes next has nearly the same
//                                         neighbours
// Both sorts keep the order of the numbers, so the places are the same for any number of blocks.
//
// Invariants, after update:
//   (1) starts[c] .. starts[c + 1] are the places of cell c, starts[cells] = sorted;
//   (2) places hold x, y, vx, vy and the number of their agent; slot[i] is agent i's place, or -1 if
//       its numbers are not finite;
//   (3) columns and rows are at least 4, so that the three columns and rows around a cell differ.
#include "ploy/move/flock.h"

#include <string.h>

#include "base/compiler.h"
#include "move/flock_internal.h"
#include "ploy/geom/angle.h"

enum {
    FLOCK_LANES = 8,
    FLOCK_BLOCKS = 16,      // of agents, at most: each counts its rows apart
    FLOCK_BLOCK_MIN = 1024, // agents of a block, at least
    FLOCK_COPY_GRAIN = 4096,
    FLOCK_LOOK_GRAIN = 256, // agents of a job that looks
    FLOCK_EYES = 32,        // agents that look at once
    FLOCK_NEAR = 384,       // places of a block: most neighbourhoods fit into one
    FLOCK_RUNS = 6,
    FLOCK_CAPACITY_MAX = 1 << 24
};

#define FLOCK_FAR 4e9f // m, out of everybody's sight

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
    float *x, *y, *vx, *vy; // capacity + FLOCK_LANES each, by place
    float *orientation;     // by place
    int32_t *agent;         // capacity: number by place
    int32_t *slot;          // capacity: place by number
    int32_t *cell;          // capacity: cell by number, -1 for none
    int32_t *by_row;        // capacity: numbers, sorted by row only
    int32_t *starts;        // cells_max + 1
    int32_t *row_starts;    // of each block for each row: where it begins, then where it ends
};

// Twice as many cells as agents, at least 16: a power of two.
static int32_t flock_crowd_cells(int32_t count) {
    int32_t cells = 16;
    while (cells < 2 * count && cells < (1 << 25)) cells *= 2;
    return cells;
}

static int32_t flock_crowd_columns(int32_t cells) {
    int32_t columns = 4;
    while (columns * columns < cells) columns *= 2;
    return columns;
}

ploy_result ploy_flock_create(const ploy_flock_def *def, int32_t capacity, const ploy_env *env,
                              ploy_flock **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_flock_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (capacity < 1 || capacity > FLOCK_CAPACITY_MAX) return PLOY_ERR_ARGUMENT;
    int32_t cells = flock_crowd_cells(capacity);
    size_t size = 0;
    // Five lanes of floats, four of numbers, and the starts; one block. Rows of fewer agents than
    // capacity are never more.
    int32_t rows = cells / flock_crowd_columns(cells);
    if (!ploy_size_add_array(sizeof(ploy_flock), capacity + FLOCK_LANES, 9 * sizeof(float),
                             &size) ||
        !ploy_size_add_array(size, cells + 1, sizeof(int32_t), &size) ||
        !ploy_size_add_array(size, FLOCK_BLOCKS * rows, sizeof(int32_t), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_flock *flock = ploy_env_alloc_zero(env, size);
    if (flock == NULL) return PLOY_ERR_MEMORY;
    flock->env = *env;
    flock->def = *def;
    flock->size = size;
    flock->capacity = capacity;
    flock->cells_max = cells;
    flock->columns = flock->rows = 4;
    size_t lane = (size_t)(capacity + FLOCK_LANES);
    flock->x = (float *)(void *)(flock + 1);
    flock->y = flock->x + lane;
    flock->vx = flock->y + lane;
    flock->vy = flock->vx + lane;
    flock->orientation = flock->vy + lane;
    flock->agent = (int32_t *)(void *)(flock->orientation + lane);
    flock->slot = flock->agent + lane;
    flock->cell = flock->slot + lane;
    flock->by_row = flock->cell + lane;
    flock->starts = flock->by_row + lane;
    flock->row_starts = flock->starts + cells + 1;
    ployi_flock_law_make(def, &flock->law);
    *out = flock;
    return PLOY_OK;
}

void ploy_flock_destroy(ploy_flock *flock) {
    if (flock == NULL) return;
    ploy_env env = flock->env;
    ploy_env_free(&env, flock, flock->size);
}

ploy_result ploy_flock_set_def(ploy_flock *flock, const ploy_flock_def *def) {
    ploy_result result = ploy_fields_check(ploy_flock_fields(), def, &flock->env);
    if (result == PLOY_OK) flock->def = *def;
    return result;
}

// ---- update ----

// The column or row of a coordinate in a table of `lines`, a power of two. In double, because 1e9 m
// in cells of a millimetre are more than a float counts; every step after the first floor is exact.
PLOYI_INLINE int32_t flock_crowd_line(float x, double over_cell, double lines, double over_lines) {
    double line = floor((double)x * over_cell);
    return (int32_t)(line - lines * floor(line * over_lines));
}

// What is the same for every agent of an update.
typedef struct flock_crowd_table {
    double over_cell; // 1/m
    double columns, rows, over_columns, over_rows;
    int32_t column_count;
} flock_crowd_table;

PLOYI_INLINE void flock_crowd_cells_of_body(int32_t n, flock_crowd_table table,
                                            const float *restrict x, const float *restrict y,
                                            const float *restrict vx, const float *restrict vy,
                                            int32_t *restrict cell) {
    for (int32_t i = 0; i < n; i++) {
        // Finite numbers less themselves are 0, all others are not.
        float odd = (x[i] - x[i]) + (y[i] - y[i]) + ((vx[i] - vx[i]) + (vy[i] - vy[i]));
        bool fine = odd == 0.0f;
        float px = fine ? x[i] : 0.0f, py = fine ? y[i] : 0.0f;
        int32_t column = flock_crowd_line(px, table.over_cell, table.columns, table.over_columns);
        int32_t row = flock_crowd_line(py, table.over_cell, table.rows, table.over_rows);
        int32_t number = row * table.column_count + column;
        cell[i] = fine ? number : -1;
    }
}
PLOYI_KERNEL(flock_crowd_cells_of,
             (int32_t n, flock_crowd_table table, const float *restrict x, const float *restrict y,
              const float *restrict vx, const float *restrict vy, int32_t *restrict cell),
             (n, table, x, y, vx, vy, cell))

typedef struct flock_crowd_update {
    ploy_flock *flock;
    const ploy_kinematics *agents;
    flock_crowd_table table;
    int32_t blocks, block; // how many, and agents in each but the last
    int32_t column_shift;  // cell >> column_shift is its row
} flock_crowd_update;

// The agents of a block.
static int32_t flock_crowd_block(const flock_crowd_update *update, int32_t b, int32_t *first) {
    *first = b * update->block;
    return ploy_mini(update->flock->count - *first, update->block);
}

static void flock_crowd_find_cells(void *arg, int32_t from, int32_t blocks, int32_t worker) {
    const flock_crowd_update *update = arg;
    const ploy_kinematics *a = update->agents;
    ploy_flock *flock = update->flock;
    (void)worker;
    float x[PLOYI_CHUNK], y[PLOYI_CHUNK], vx[PLOYI_CHUNK], vy[PLOYI_CHUNK];
    for (int32_t b = from; b < from + blocks; b++) {
        int32_t first, count = flock_crowd_block(update, b, &first);
        for (int32_t at = first; at < first + count; at += PLOYI_CHUNK) {
            int32_t n = ploy_mini(first + count - at, PLOYI_CHUNK);
            flock_crowd_cells_of(
                n, update->table, ployi_lane_in(a->x, a->position_stride, at, n, x),
                ployi_lane_in(a->y, a->position_stride, at, n, y),
                ployi_lane_in(a->vx, a->velocity_stride, at, n, vx),
                ployi_lane_in(a->vy, a->velocity_stride, at, n, vy), flock->cell + at);
        }
        int32_t *restrict rows = flock->row_starts + (ptrdiff_t)b * flock->rows;
        const int32_t *restrict cell = flock->cell;
        int32_t shift = update->column_shift;
        memset(rows, 0, (size_t)flock->rows * sizeof *rows);
        for (int32_t i = first; i < first + count; i++) {
            if (cell[i] >= 0) rows[cell[i] >> shift]++;
        }
    }
}

// Turns counts into where each block begins in each row.
static void flock_crowd_sum_up(const flock_crowd_update *update) {
    ploy_flock *flock = update->flock;
    int32_t sum = 0;
    for (int32_t row = 0; row < flock->rows; row++) {
        for (int32_t b = 0; b < update->blocks; b++) {
            int32_t *start = &flock->row_starts[b * flock->rows + row], n = *start;
            *start = sum;
            sum += n;
        }
    }
    flock->sorted = sum;
}

// After it, row_starts says where each block ends in each row, which is where the next one begins.
static void flock_crowd_sort_rows(void *arg, int32_t from, int32_t blocks, int32_t worker) {
    const flock_crowd_update *update = arg;
    ploy_flock *flock = update->flock;
    (void)worker;
    for (int32_t b = from; b < from + blocks; b++) {
        int32_t first, count = flock_crowd_block(update, b, &first);
        int32_t *restrict rows = flock->row_starts + (ptrdiff_t)b * flock->rows;
        int32_t *restrict by_row = flock->by_row, *restrict row_cell = flock->slot;
        const int32_t *restrict cell = flock->cell;
        int32_t shift = update->column_shift;
        for (int32_t i = first; i < first + count; i++) {
            if (cell[i] < 0) continue;
            int32_t place = rows[cell[i] >> shift]++;
            by_row[place] = i;
            row_cell[place] = cell[i]; // in slot until the places are known; see sort_row
        }
    }
}

// One number of the agents at places [first, first + count), copied there.
static void flock_crowd_take(const int32_t *agent, const float *from, size_t stride, float *to,
                             int32_t first, int32_t count) {
    if (from == NULL) {
        for (int32_t k = first; k < first + count; k++) to[k] = 0.0f;
    } else if (stride == sizeof(float)) {
        for (int32_t k = first; k < first + count; k++) to[k] = from[agent[k]];
    } else {
        const char *bytes = (const char *)from;
        for (int32_t k = first; k < first + count; k++) {
            to[k] = *(const float *)(const void *)(bytes + (size_t)agent[k] * stride);
        }
    }
}

// Fills places. One number at a time for many: what it is taken from at random then stays near.
static void flock_crowd_copy(void *arg, int32_t first, int32_t count, int32_t worker) {
    const flock_crowd_update *update = arg;
    ploy_flock *flock = update->flock;
    const ploy_kinematics *a = update->agents;
    (void)worker;
    int32_t *restrict slot = flock->slot;
    const int32_t *restrict agent = flock->agent;
    for (int32_t k = first; k < first + count; k++) slot[agent[k]] = k; // keeps (2)
    flock_crowd_take(flock->agent, a->x, a->position_stride, flock->x, first, count);
    flock_crowd_take(flock->agent, a->y, a->position_stride, flock->y, first, count);
    flock_crowd_take(flock->agent, a->vx, a->velocity_stride, flock->vx, first, count);
    flock_crowd_take(flock->agent, a->vy, a->velocity_stride, flock->vy, first, count);
    if (!flock->law.looks) return;
    flock_crowd_take(flock->agent, a->orientation, a->orientation_stride, flock->orientation, first,
                     count);
}

// Sorts the agents of a row, at places [first, last), by column.
static void flock_crowd_sort_row(ploy_flock *flock, int32_t row, int32_t first, int32_t last) {
    int32_t columns = flock->columns, base = row * columns, sum = first;
    int32_t *restrict starts = flock->starts + base, *restrict agent = flock->agent;
    const int32_t *restrict by_row = flock->by_row, *restrict row_cell = flock->slot;
    if (first == last) {
        for (int32_t c = 0; c < columns; c++) starts[c] = first;
        return;
    }
    memset(starts, 0, (size_t)columns * sizeof *starts);
    // The cells lie beside the numbers: who looked them up would miss the cache each time.
    for (int32_t k = first; k < last; k++) starts[row_cell[k] - base]++;
    for (int32_t c = 0; c < columns; c++) {
        int32_t n = starts[c];
        starts[c] = sum;
        sum += n;
    }
    for (int32_t k = first; k < last; k++) agent[starts[row_cell[k] - base]++] = by_row[k];
    // Now each says where its cell ends, which is where the next one begins. keeps (1)
    memmove(starts + 1, starts, (size_t)(columns - 1) * sizeof *starts);
    starts[0] = first;
}

static void flock_crowd_sort_columns(void *arg, int32_t from, int32_t rows, int32_t worker) {
    const flock_crowd_update *update = arg;
    ploy_flock *flock = update->flock;
    const int32_t *ends = flock->row_starts + (ptrdiff_t)(update->blocks - 1) * flock->rows;
    (void)worker;
    for (int32_t row = from; row < from + rows; row++) {
        // A row begins where the last block of the row before ends.
        int32_t first = row == 0 ? 0 : ends[row - 1], last = ends[row];
        flock_crowd_sort_row(flock, row, first, last);
    }
}

ploy_result ploy_flock_update_all(ploy_flock *flock, const ploy_kinematics *agents,
                                  const ploy_jobs *jobs) {
    if (agents == NULL) return PLOY_ERR_ARGUMENT;
    if (agents->count > flock->capacity) return PLOY_ERR_CAPACITY;
    ploy_result result = ploy_kinematics_check(agents, 0, agents->count);
    if (result != PLOY_OK) return result;
    ployi_flock_law_make(&flock->def, &flock->law);
    int32_t cells = flock_crowd_cells(agents->count);
    flock->count = agents->count;
    flock->columns = flock_crowd_columns(cells);
    flock->rows = cells / flock->columns; // keeps (3)
    // A hair wider than the reach, so that rounding of the distance finds nobody beyond.
    double over_cell = 1.0 / (sqrt((double)flock->law.reach_squared) * 1.000001);
    double columns = (double)flock->columns, rows = (double)flock->rows;
    // One block for one worker: counting the rows apart is only worth it for several.
    int32_t most = ploy_jobs_workers(jobs) > 1 ? FLOCK_BLOCKS : 1;
    int32_t blocks = ploy_clampi(flock->count / FLOCK_BLOCK_MIN, 1, most);
    flock_crowd_update update = {
        flock,
        agents,
        {over_cell, columns, rows, 1.0 / columns, 1.0 / rows, flock->columns},
        blocks,
        (flock->count + blocks - 1) / blocks,
        0};
    while (flock->columns >> update.column_shift > 1) update.column_shift++;
    ploy_jobs_run(jobs, flock_crowd_find_cells, &update, blocks, 1);
    flock_crowd_sum_up(&update);
    ploy_jobs_run(jobs, flock_crowd_sort_rows, &update, blocks, 1);
    ploy_jobs_run(jobs, flock_crowd_sort_columns, &update, flock->rows,
                  ploy_maxi(flock->rows / 64, 1));
    flock->starts[cells] = flock->sorted; // keeps (1)
    for (int32_t i = 0; i < flock->count && flock->sorted < flock->count; i++) {
        if (flock->cell[i] < 0) flock->slot[i] = -1; // keeps (2)
    }
    ploy_jobs_run(jobs, flock_crowd_copy, &update, flock->sorted, FLOCK_COPY_GRAIN);
    return PLOY_OK;
}

ploy_result ploy_flock_update(ploy_flock *flock, const ploy_kinematics *agents) {
    return ploy_flock_update_all(flock, agents, NULL);
}

// ---- looking ----

// The sums of one agent, number k of eight in lane k.
typedef struct flock_crowd_sums {
    float count[FLOCK_LANES];
    float x[FLOCK_LANES], y[FLOCK_LANES];
    float vx[FLOCK_LANES], vy[FLOCK_LANES];
    float px[FLOCK_LANES], py[FLOCK_LANES];
} flock_crowd_sums;

// Those who are looked at: runs one after the other, each filled up to a multiple of eight.
typedef struct flock_crowd_near {
    float x[FLOCK_NEAR + 1], y[FLOCK_NEAR], vx[FLOCK_NEAR], vy[FLOCK_NEAR];
    int32_t count;                                             // a multiple of eight
    int32_t run[FLOCK_RUNS], at[FLOCK_RUNS], size[FLOCK_RUNS]; // first place, where it is, how many
    int32_t run_count;
} flock_crowd_near;

// Those who look, each number packed, and what they come to see.
typedef struct flock_crowd_eyes {
    float x[FLOCK_EYES], y[FLOCK_EYES];
    float hx[FLOCK_EYES], hy[FLOCK_EYES]; // heading
    float sx[FLOCK_EYES], sy[FLOCK_EYES]; // where somebody on the same spot is taken to be
    float vx[FLOCK_EYES], vy[FLOCK_EYES]; // velocity
    int32_t agent[FLOCK_EYES];
    flock_crowd_sums sums[FLOCK_EYES];
    float count[FLOCK_EYES];
    float middle_x[FLOCK_EYES], middle_y[FLOCK_EYES];
    float mean_x[FLOCK_EYES], mean_y[FLOCK_EYES];
    float push_x[FLOCK_EYES], push_y[FLOCK_EYES];
    float request_x[FLOCK_EYES], request_y[FLOCK_EYES];
} flock_crowd_eyes;

// One who looks.
typedef struct flock_crowd_eye {
    float x, y, hx, hy, sx, sy; // as in flock_crowd_eyes
} flock_crowd_eye;

// Adds `count` places to the sums of one eye. mode and looks are constants wherever it is inlined, so
// that the loop has no branch.
PLOYI_INLINE void flock_crowd_run(ployi_flock_law l, ploy_separation_mode mode, bool looks,
                                  flock_crowd_eye e, const float *restrict x,
                                  const float *restrict y, const float *restrict vx,
                                  const float *restrict vy, int32_t count,
                                  flock_crowd_sums *restrict sums) {
    const float near_squared = PLOYI_FLOCK_NEAR * PLOYI_FLOCK_NEAR;
    for (int32_t at = 0; at < count; at += FLOCK_LANES) {
        const float *restrict ax = x + at, *restrict ay = y + at;
        const float *restrict au = vx + at, *restrict av = vy + at;
        PLOYI_ROLLED
        for (int32_t k = 0; k < FLOCK_LANES; k++) {
            float ox = ax[k] - e.x, oy = ay[k] - e.y;
            float square = ox * ox + oy * oy;
            bool seen = square < l.reach_squared;
            if (looks) {
                float ahead = e.hx * ox + e.hy * oy;
                float side = fabsf(e.hx * oy - e.hy * ox);
                // ployi_flock_in_view, in the shape of masks.
                bool front = (ahead >= 0.0f) & (l.open_front | (side < ahead * l.front));
                bool back = (ahead < 0.0f) & (side > -ahead * l.back);
                seen = seen & (front | back);
            }
            bool pushes = seen & (square < l.push_squared);
            bool same = square < near_squared;
            float qx = same ? e.sx : ox, qy = same ? e.sy : oy;
            float safe = same ? near_squared : square;
            // Who does not push may be so far away that its weight is no number.
            safe = pushes ? safe : 1.0f;
            float weight = ployi_flock_weight(mode, l.strength, l.over_radius, safe);
            weight = pushes ? weight : 0.0f;
            float one = seen ? 1.0f : 0.0f;
            sums->count[k] += one;
            sums->x[k] += ox * one;
            sums->y[k] += oy * one;
            sums->vx[k] += au[k] * one;
            sums->vy[k] += av[k] * one;
            sums->px[k] -= qx * weight;
            sums->py[k] -= qy * weight;
        }
    }
}

// A function for each eye, and not for all of a cell: only as parameters of a function that is not
// inlined areed pointers believed, and sums held in registers from eight to eight.
PLOYI_INLINE void flock_crowd_sum_body(const ployi_flock_law *law, const flock_crowd_eye *eye,
                                       const float *x, const float *y, const float *vx,
                                       const float *vy, int32_t count, flock_crowd_sums *sums) {
    const ployi_flock_law l = *law;
    const flock_crowd_eye e = *eye;
    if (l.mode == PLOY_SEPARATION_INVERSE && l.looks) {
        flock_crowd_run(l, PLOY_SEPARATION_INVERSE, true, e, x, y, vx, vy, count, sums);
    } else if (l.mode == PLOY_SEPARATION_INVERSE) {
        flock_crowd_run(l, PLOY_SEPARATION_INVERSE, false, e, x, y, vx, vy, count, sums);
    } else if (l.mode == PLOY_SEPARATION_INVERSE_SQUARE) {
        flock_crowd_run(l, PLOY_SEPARATION_INVERSE_SQUARE, true, e, x, y, vx, vy, count, sums);
    } else {
        flock_crowd_run(l, PLOY_SEPARATION_LINEAR, true, e, x, y, vx, vy, count, sums);
    }
}
PLOYI_KERNEL(flock_crowd_sum,
             (const ployi_flock_law *law, const flock_crowd_eye *eye, const float *x,
              const float *y, const float *vx, const float *vy, int32_t count,
              flock_crowd_sums *sums),
             (law, eye, x, y, vx, vy, count, sums))

// Up to six runs of places, and how far they have been gone through.
typedef struct flock_crowd_runs {
    int32_t first[FLOCK_RUNS], last[FLOCK_RUNS];
    int32_t count;
    int32_t next; // the run to go on with; its first is moved on
} flock_crowd_runs;

// The places of the nine cells around a cell, row by row from below.
static flock_crowd_runs flock_crowd_around(const ploy_flock *flock, int32_t cell) {
    int32_t row = cell / flock->columns, column = cell - row * flock->columns;
    int32_t low = (column - 1) & (flock->columns - 1);
    flock_crowd_runs runs;
    runs.count = runs.next = 0;
    for (int32_t r = -1; r <= 1; r++) {
        const int32_t *starts =
            flock->starts + (ptrdiff_t)((row + r) & (flock->rows - 1)) * flock->columns;
        int32_t ends = low + 3; // beyond the table's edge it goes on at its beginning
        int32_t cut = ploy_mini(ends, flock->columns);
        runs.first[runs.count] = starts[low];
        runs.last[runs.count++] = starts[cut];
        if (ends > cut) {
            runs.first[runs.count] = starts[0];
            runs.last[runs.count++] = starts[ends - cut];
        }
    }
    return runs;
}

// Copies what fits of the runs into the block, in whole eights of each run.
// @return true if there is more.
static bool flock_crowd_fill(const ploy_flock *flock, flock_crowd_runs *runs,
                             flock_crowd_near *near) {
    near->count = near->run_count = 0;
    for (; runs->next < runs->count; runs->next++) {
        int32_t first = runs->first[runs->next], at = near->count;
        int32_t n = ploy_mini(runs->last[runs->next] - first, FLOCK_NEAR - at);
        if (n <= 0 && first < runs->last[runs->next]) return true; // the block is full
        // Eight at a time: what is beyond the run is overwritten below, and readable by its margin.
        for (int32_t k = 0; k < n; k += FLOCK_LANES) {
            memcpy(near->x + at + k, flock->x + first + k, FLOCK_LANES * sizeof(float));
            memcpy(near->y + at + k, flock->y + first + k, FLOCK_LANES * sizeof(float));
            memcpy(near->vx + at + k, flock->vx + first + k, FLOCK_LANES * sizeof(float));
            memcpy(near->vy + at + k, flock->vy + first + k, FLOCK_LANES * sizeof(float));
        }
        near->run[near->run_count] = first;
        near->at[near->run_count] = at;
        near->size[near->run_count++] = n;
        near->count += (n + FLOCK_LANES - 1) & ~(FLOCK_LANES - 1);
        for (int32_t k = at + n; k < near->count; k++) near->x[k] = FLOCK_FAR;
        runs->first[runs->next] += n;
        if (runs->first[runs->next] < runs->last[runs->next]) return true;
    }
    return false;
}

// Where a place is in the block; behind its end if it is not there.
static int32_t flock_crowd_self(const flock_crowd_near *near, int32_t place) {
    for (int32_t r = 0; r < near->run_count; r++) {
        int32_t within = place - near->run[r];
        if (within >= 0 && within < near->size[r]) return near->at[r] + within;
    }
    return FLOCK_NEAR;
}

static float flock_crowd_add(const float lanes[FLOCK_LANES]) {
    float sum = 0.0f;
    for (int32_t k = 0; k < FLOCK_LANES; k++) sum += lanes[k];
    return sum;
}

// What the eyes at these places see, as sums.
static void flock_crowd_look(const ploy_flock *flock, flock_crowd_eyes *eyes, const int32_t *places,
                             int32_t n) {
    const flock_crowd_sums nothing = {{0.0f}, {0.0f}, {0.0f}, {0.0f}, {0.0f}, {0.0f}, {0.0f}};
    flock_crowd_near near;
    near.x[FLOCK_NEAR] = FLOCK_FAR;
    for (int32_t e = 0; e < n; e++) {
        int32_t place = places[e];
        eyes->agent[e] = flock->agent[place];
        eyes->x[e] = flock->x[place];
        eyes->y[e] = flock->y[place];
        eyes->vx[e] = flock->vx[place];
        eyes->vy[e] = flock->vy[place];
        ploy_vec2 heading = {1.0f, 0.0f};
        if (flock->law.looks) heading = ploy_angle_heading(flock->orientation[place]);
        eyes->hx[e] = heading.x;
        eyes->hy[e] = heading.y;
    }
    for (int32_t e = 0; e < n; e++) {
        ploy_vec2 scatter = ployi_flock_scatter(eyes->agent[e]);
        eyes->sx[e] = scatter.x * -PLOYI_FLOCK_NEAR;
        eyes->sy[e] = scatter.y * -PLOYI_FLOCK_NEAR;
    }
    for (int32_t e = 0; e < n;) {
        int32_t cell = flock->cell[eyes->agent[e]], end = e + 1;
        while (end < n && flock->cell[eyes->agent[end]] == cell) end++;
        flock_crowd_runs runs = flock_crowd_around(flock, cell);
        for (int32_t i = e; i < end; i++) eyes->sums[i] = nothing;
        for (bool more = true; more;) {
            more = flock_crowd_fill(flock, &runs, &near);
            for (int32_t i = e; i < end; i++) {
                flock_crowd_eye eye = {eyes->x[i],  eyes->y[i],  eyes->hx[i],
                                       eyes->hy[i], eyes->sx[i], eyes->sy[i]};
                // Nobody sees itself: its own place is out of sight meanwhile.
                int32_t self = flock_crowd_self(&near, places[i]);
                float kept = near.x[self];
                near.x[self] = FLOCK_FAR;
                flock_crowd_sum(&flock->law, &eye, near.x, near.y, near.vx, near.vy, near.count,
                                &eyes->sums[i]);
                near.x[self] = kept;
            }
        }
        e = end;
    }
    for (int32_t e = 0; e < n; e++) {
        const flock_crowd_sums *sums = &eyes->sums[e];
        float count = flock_crowd_add(sums->count);
        float part = 1.0f / (count > 0.0f ? count : 1.0f);
        eyes->count[e] = count;
        eyes->middle_x[e] = flock_crowd_add(sums->x) * part;
        eyes->middle_y[e] = flock_crowd_add(sums->y) * part;
        eyes->mean_x[e] = flock_crowd_add(sums->vx) * part;
        eyes->mean_y[e] = flock_crowd_add(sums->vy) * part;
        eyes->push_x[e] = flock_crowd_add(sums->px);
        eyes->push_y[e] = flock_crowd_add(sums->py);
    }
}

ploy_neighbours ploy_flock_neighbours(const ploy_flock *flock, int32_t i) {
    ploy_neighbours out = {0, {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}};
    if (!ploy_range_within(i, 1, flock->count) || flock->slot[i] < 0) return out;
    flock_crowd_eyes eyes;
    flock_crowd_look(flock, &eyes, &flock->slot[i], 1);
    if (eyes.count[0] == 0.0f) return out;
    out.count = (int32_t)eyes.count[0];
    out.middle = ploy_vec2_make(eyes.middle_x[0], eyes.middle_y[0]);
    out.velocity = ploy_vec2_make(eyes.mean_x[0], eyes.mean_y[0]);
    out.push = ploy_vec2_make(eyes.push_x[0], eyes.push_y[0]);
    return out;
}

// ---- requests ----

PLOYI_INLINE void flock_crowd_requests_loop(ployi_flock_rules rules, flock_crowd_eyes *eyes,
                                            int32_t n) {
    for (int32_t e = 0; e < n; e++) {
        ploy_vec3 velocity = {eyes->vx[e], eyes->vy[e], 0.0f};
        ploy_vec3 middle = {eyes->middle_x[e], eyes->middle_y[e], 0.0f};
        ploy_vec3 mean = {eyes->mean_x[e], eyes->mean_y[e], 0.0f};
        ploy_vec3 push = {eyes->push_x[e], eyes->push_y[e], 0.0f};
        ploy_vec3 request = ployi_flock_request(rules, velocity, middle, mean, push, 2);
        bool sees = eyes->count[e] > 0.0f;
        eyes->request_x[e] = sees ? request.x : 0.0f;
        eyes->request_y[e] = sees ? request.y : 0.0f;
    }
}

PLOYI_INLINE void flock_crowd_requests_body(const ployi_flock_rules *rules, flock_crowd_eyes *eyes,
                                            int32_t n) {
    ployi_flock_rules r = *rules;
    r.normalise = false; // a constant in each loop, or there is a branch in it
    if (!rules->normalise) flock_crowd_requests_loop(r, eyes, n);
    r.normalise = true;
    if (rules->normalise) flock_crowd_requests_loop(r, eyes, n);
}
PLOYI_KERNEL(flock_crowd_requests,
             (const ployi_flock_rules *rules, flock_crowd_eyes *eyes, int32_t n), (rules, eyes, n))

// The requests of those at these places.
static void flock_crowd_request(const ploy_flock *flock, const ployi_flock_rules *rules,
                                const int32_t *places, int32_t n, const ploy_steerings *out) {
    flock_crowd_eyes eyes;
    flock_crowd_look(flock, &eyes, places, n);
    flock_crowd_requests(rules, &eyes, n);
    if (out->stride == sizeof(float) && out->angular == NULL && out->requested == NULL) {
        for (int32_t e = 0; e < n; e++) {
            out->x[eyes.agent[e]] = eyes.request_x[e];
            out->y[eyes.agent[e]] = eyes.request_y[e];
        }
        return;
    }
    for (int32_t e = 0; e < n; e++) {
        ploy_steering request = {
            {eyes.request_x[e], eyes.request_y[e]}, 0.0f, (uint32_t)(eyes.count[e] > 0.0f)};
        ploy_steerings_set(out, eyes.agent[e], request);
    }
}

ploy_result ploy_flock_step(const ploy_flock *flock, int32_t first, int32_t count,
                            const ploy_steerings *out) {
    if (!ploy_range_within(first, count, flock->count)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_steerings_check(out, first, count);
    if (result != PLOY_OK) return result;
    ployi_flock_rules rules = ployi_flock_rules_make(&flock->def);
    int32_t places[FLOCK_EYES], n = 0;
    for (int32_t i = first; i < first + count; i++) {
        if (flock->slot[i] < 0) {
            ploy_steerings_set(out, i, ploy_steering_none());
        } else {
            places[n++] = flock->slot[i];
        }
        if (n < FLOCK_EYES && i + 1 < first + count) continue;
        if (n > 0) flock_crowd_request(flock, &rules, places, n, out);
        n = 0;
    }
    return PLOY_OK;
}

typedef struct flock_crowd_job {
    const ploy_flock *flock;
    const ploy_steerings *out;
    ployi_flock_rules rules;
} flock_crowd_job;

static void flock_crowd_work(void *arg, int32_t first, int32_t count, int32_t worker) {
    const flock_crowd_job *job = arg;
    (void)worker;
    int32_t places[FLOCK_EYES];
    for (int32_t at = first; at < first + count; at += FLOCK_EYES) {
        int32_t n = ploy_mini(first + count - at, FLOCK_EYES);
        for (int32_t k = 0; k < n; k++) places[k] = at + k;
        flock_crowd_request(job->flock, &job->rules, places, n, job->out);
    }
}

ploy_result ploy_flock_step_all(const ploy_flock *flock, const ploy_jobs *jobs,
                                const ploy_steerings *out) {
    ploy_result result = ploy_steerings_check(out, 0, flock->count);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < flock->count && flock->sorted < flock->count; i++) {
        if (flock->slot[i] < 0) ploy_steerings_set(out, i, ploy_steering_none());
    }
    flock_crowd_job job = {flock, out, ployi_flock_rules_make(&flock->def)};
    ploy_jobs_run(jobs, flock_crowd_work, &job, flock->sorted, FLOCK_LOOK_GRAIN);
    return PLOY_OK;
}

void ploy_flock_memory(const ploy_flock *flock, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"flock", flock->size, 1};
    fn(user, &item);
}

#undef FLOCK_FAR
