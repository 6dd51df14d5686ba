// A crowd that flocks: sorted into cells. flock_look.c sums it up.
//
// The plane is cut into cells as high as the view's reach and half as wide, and the cells are wrapped
// onto a table of columns and rows, both powers of two: no world size, and agents far away only share
// a cell and fail the test of distance. update sorts the agents by cell (counting sort, by number
// within a cell), so that the cells of a row are side by side in memory:
//
//        row above    [...|...|...|...|...]     one run of places, two where the table wraps
//        own row      [...|...|.self.|...|...]
//        row below    [...|...|...|...|...]
//
// The steps of one tick, and what of them runs over jobs:
//     cell of each agent, count by row    jobs, by block of agents
//     sum up                              here: one number for each row and block
//     sort by row                         jobs, by block of agents
//     sort by column                      jobs, by row: its cells stay in the nearest cache
//     copy to the places                  jobs, by place
//     look, and the rules                 jobs, by place: the next agent has nearly the same
//                                         neighbours
// Both sorts keep the order of the numbers, so the places are the same for any number of blocks.
//
// Invariants, after update:
//   (1) starts[c] .. starts[c + 1] are the places of cell c, starts[cells] = sorted;
//   (2) places hold x, y, vx, vy and the number of their agent; slot[i] is agent i's place, or -1 if
//       its numbers are not finite;
//   (3) there are at least 16 columns and 4 rows, so that the cells around a cell differ.
#include <string.h>

#include "base/compiler.h"

#include "move/flock_crowd_internal.h"
#include "move/move_internal.h"
#include "ploy/geom/angle.h"

enum {
    FLOCK_BLOCKS = 16,      // of agents, at most: each counts its rows apart
    FLOCK_BLOCK_MIN = 1024, // agents of a block, at least
    FLOCK_COPY_GRAIN = 4096,
    FLOCK_CAPACITY_MAX = 1 << 24
};

// Twice as many cells as agents, at least 64: a power of two.
static int32_t flock_crowd_cells(int32_t count) {
    int32_t cells = 64;
    while (cells < 2 * count && cells < (1 << 25)) cells *= 2;
    return cells;
}

// Twice as many columns as rows, or four times: the world is about as wide as it is high.
static int32_t flock_crowd_columns(int32_t cells) {
    int32_t columns = 16;
    while (columns * columns < PLOYI_FLOCK_FINE * cells) columns *= 2;
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
    // Six lanes of floats, four of numbers, and the starts; one block. Rows of fewer agents than
    // capacity are never more.
    int32_t rows = cells / flock_crowd_columns(cells);
    if (!ploy_size_add_array(sizeof(ploy_flock), capacity + PLOYI_FLOCK_LANES, 10 * sizeof(float),
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
    flock->columns = 16;
    flock->rows = 4;
    size_t lane = (size_t)(capacity + PLOYI_FLOCK_LANES);
    flock->x = (float *)(void *)(flock + 1);
    flock->y = flock->x + lane;
    flock->vx = flock->y + lane;
    flock->vy = flock->vx + lane;
    flock->hx = flock->vy + lane;
    flock->hy = flock->hx + lane;
    flock->agent = (int32_t *)(void *)(flock->hy + lane);
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
    double over_cell, over_column; // 1/m, by height and by width
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
        int32_t column = flock_crowd_line(px, table.over_column, table.columns, table.over_columns);
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
    if (!flock->law.looks && !flock->law.headings) return;
    flock_crowd_take(flock->agent, a->orientation, a->orientation_stride, flock->hx, first, count);
    for (int32_t k = first; k < first + count; k++) {
        ploy_vec2 heading = ploy_angle_heading(flock->hx[k]);
        flock->hx[k] = heading.x;
        flock->hy[k] = heading.y;
    }
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
    ploy_result result = ployi_kinematics_check(agents, 0, agents->count);
    if (result != PLOY_OK) return result;
    ployi_flock_law_make(&flock->def, &flock->law);
    int32_t cells = flock_crowd_cells(agents->count);
    flock->count = agents->count;
    flock->columns = flock_crowd_columns(cells);
    flock->rows = cells / flock->columns; // keeps (3)
    // A hair wider than the reach, so that rounding of the distance finds no agent beyond.
    double over_cell = 1.0 / (sqrt((double)flock->law.reach_squared) * 1.000001);
    double columns = (double)flock->columns, rows = (double)flock->rows;
    // One block for one worker: counting the rows apart is only worth it for several.
    int32_t most = ploy_jobs_workers(jobs) > 1 ? FLOCK_BLOCKS : 1;
    int32_t blocks = ploy_clampi(flock->count / FLOCK_BLOCK_MIN, 1, most);
    flock_crowd_update update = {flock,
                                 agents,
                                 {over_cell, over_cell * PLOYI_FLOCK_FINE, columns, rows,
                                  1.0 / columns, 1.0 / rows, flock->columns},
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

#include "base/compiler.h"
void ploy_flock_memory(const ploy_flock *flock, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"flock", flock->size, 1};
    fn(user, &item);
}
#include "base/compiler.h"
