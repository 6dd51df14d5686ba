// A crowd that flocks: sorted into cells, summed up in eight lanes.
//
// The plane is cut into square cells at least as wide as the view's reach, and the cells are wrapped
// onto a table of columns and rows, both powers of two: no world size, and who is far away only shares
// a cell with somebody and fails the test of distance. update sorts the agents by cell (counting
// sort, by number within a cell), so that the three cells of a row lie side by side in memory:
//
//        row above    [......|......|......]     one run of numbers, two where the table wraps
//        own row      [......|.self.|......]
//        row below    [......|......|......]
//
// Each run is walked eight agents at a time. Number k of eight adds to lane k, and the lanes are
// added in order at the end: the sums do not depend on the width of the processor's vectors, nor on
// who computes them.
//
// Invariants, after update:
//   (1) starts[c] .. starts[c + 1] are the places of cell c, starts[cells] = sorted;
//   (2) places hold x, y, vx, vy and the number of their agent; slot[i] is agent i's place, or -1 if
//       its numbers are not finite;
//   (3) eight places beyond the last are readable, with x and y at 4e9 m, out of everybody's sight;
//   (4) columns and rows are at least 4, so that the three columns and rows around a cell differ.
#include "ploy/move/flock.h"

#include "move/flock_internal.h"
#include "ploy/geom/angle.h"

enum { FLOCK_LANES = 8, FLOCK_GRAIN = 256, FLOCK_CAPACITY_MAX = 1 << 24 };

struct ploy_flock {
    ploy_env env;
    ploy_flock_def def;
    ployi_flock_law law; // of the update
    size_t size;         // bytes of this block
    int32_t capacity;
    int32_t count;  // agents of the update
    int32_t sorted; // of them in the table
    int32_t columns, rows;
    double over_cell; // 1/m, of the update
    int32_t cells_max;
    float *x, *y, *vx, *vy; // capacity + FLOCK_LANES each, by place
    float *orientation;     // by place
    int32_t *agent;         // capacity: number by place
    int32_t *slot;          // capacity: place by number
    int32_t *cell;          // capacity: cell by number, -1 for none
    int32_t *starts;        // cells_max + 1
};

// Twice as many cells as agents, at least 16: a power of two.
static int32_t flock_crowd_cells(int32_t count) {
    int32_t cells = 16;
    while (cells < 2 * count && cells < (1 << 25)) cells *= 2;
    return cells;
}

ploy_result ploy_flock_create(const ploy_flock_def *def, int32_t capacity, const ploy_env *env,
                              ploy_flock **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_flock_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (capacity < 1 || capacity > FLOCK_CAPACITY_MAX) return PLOY_ERR_ARGUMENT;
    int32_t cells = flock_crowd_cells(capacity);
    size_t size = 0;
    // Five lanes of floats, three of numbers, and the starts; one block.
    if (!ploy_size_add_array(sizeof(ploy_flock), capacity + FLOCK_LANES, 8 * sizeof(float),
                             &size) ||
        !ploy_size_add_array(size, cells + 1, sizeof(int32_t), &size)) {
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
    flock->starts = flock->cell + lane;
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

// The column or row of a coordinate, before wrapping. In double: 1e9 m in cells of a millimetre
// are more than a float counts.
static int64_t flock_crowd_line(float x, double over_cell) {
    return (int64_t)floor((double)x * over_cell);
}

static int32_t flock_crowd_cell(const ploy_flock *flock, float x, float y, double over_cell) {
    int64_t column = flock_crowd_line(x, over_cell) & (flock->columns - 1);
    int64_t row = flock_crowd_line(y, over_cell) & (flock->rows - 1);
    return (int32_t)(row * flock->columns + column);
}

static double flock_crowd_over_cell(const ployi_flock_law *law) {
    // A hair wider than the reach, so that rounding of the distance finds nobody beyond.
    return 1.0 / (sqrt((double)law->reach_squared) * 1.000001);
}

ploy_result ploy_flock_update(ploy_flock *flock, const ploy_kinematics *agents) {
    if (agents == NULL) return PLOY_ERR_ARGUMENT;
    if (agents->count > flock->capacity) return PLOY_ERR_CAPACITY;
    ploy_result result = ploy_kinematics_check(agents, 0, agents->count);
    if (result != PLOY_OK) return result;
    ployi_flock_law_make(&flock->def, &flock->law);
    int32_t cells = flock_crowd_cells(agents->count);
    flock->count = agents->count;
    flock->columns = 4;
    while (flock->columns * flock->columns < cells) flock->columns *= 2;
    flock->rows = cells / flock->columns; // keeps (4)
    double over_cell = flock_crowd_over_cell(&flock->law);
    flock->over_cell = over_cell;
    int32_t *starts = flock->starts;
    for (int32_t c = 0; c <= cells; c++) starts[c] = 0;
    for (int32_t i = 0; i < agents->count; i++) {
        ploy_kinematic agent = ploy_kinematics_get(agents, i);
        flock->cell[i] = -1;
        if (!ploy_vec2_is_finite(agent.position) || !ploy_vec2_is_finite(agent.velocity)) continue;
        int32_t cell = flock_crowd_cell(flock, agent.position.x, agent.position.y, over_cell);
        flock->cell[i] = cell;
        starts[cell + 1]++;
    }
    for (int32_t c = 0; c < cells; c++) starts[c + 1] += starts[c]; // keeps (1)
    flock->sorted = starts[cells];
    for (int32_t i = 0; i < agents->count; i++) {
        flock->slot[i] = -1;
        if (flock->cell[i] < 0) continue;
        ploy_kinematic agent = ploy_kinematics_get(agents, i);
        int32_t place = starts[flock->cell[i]]++;
        flock->x[place] = agent.position.x;
        flock->y[place] = agent.position.y;
        flock->vx[place] = agent.velocity.x;
        flock->vy[place] = agent.velocity.y;
        flock->orientation[place] = agent.orientation;
        flock->agent[place] = i;
        flock->slot[i] = place; // keeps (2)
    }
    // The starts have become ends: move them back by one cell.
    for (int32_t c = cells; c > 0; c--) starts[c] = starts[c - 1];
    starts[0] = 0;
    for (int32_t k = 0; k < FLOCK_LANES; k++) { // keeps (3)
        flock->x[flock->sorted + k] = flock->y[flock->sorted + k] = 4e9f;
        flock->vx[flock->sorted + k] = flock->vy[flock->sorted + k] = 0.0f;
    }
    return PLOY_OK;
}

// The sums of one agent, number k of eight in lane k.
typedef struct flock_crowd_sums {
    float count[FLOCK_LANES];
    float x[FLOCK_LANES], y[FLOCK_LANES];
    float vx[FLOCK_LANES], vy[FLOCK_LANES];
    float px[FLOCK_LANES], py[FLOCK_LANES];
} flock_crowd_sums;

// The agent that looks.
typedef struct flock_crowd_eye {
    float x, y;
    float hx, hy; // heading
    float sx, sy; // where somebody on the same spot is taken to be
    int32_t place;
} flock_crowd_eye;

// gcc unrolls a loop of eight before it looks for vectors, and then finds only pieces of them.
#if defined(__GNUC__) && !defined(__clang__)
#define FLOCK_CROWD_ROLLED _Pragma("GCC unroll 1")
#else
#define FLOCK_CROWD_ROLLED
#endif

// Adds the places [first, last) to the sums. mode, looks and open_front are constants wherever it
// is inlined, so that the loop has no branch.
PLOYI_INLINE void flock_crowd_run(const ployi_flock_law *law, ploy_separation_mode mode, bool looks,
                                  const flock_crowd_eye *eye, const float *restrict x,
                                  const float *restrict y, const float *restrict vx,
                                  const float *restrict vy, int32_t first, int32_t last,
                                  flock_crowd_sums *restrict sums) {
    const float near_squared = PLOYI_FLOCK_NEAR * PLOYI_FLOCK_NEAR;
    const ployi_flock_law l = *law; // copies, which no store below can change
    const flock_crowd_eye e = *eye;
    for (int32_t at = first; at < last; at += FLOCK_LANES) {
        const float *restrict ax = x + at, *restrict ay = y + at;
        const float *restrict au = vx + at, *restrict av = vy + at;
        int32_t self = e.place - at, rest = last - at;
        FLOCK_CROWD_ROLLED
        for (int32_t k = 0; k < FLOCK_LANES; k++) {
            float ox = ax[k] - e.x, oy = ay[k] - e.y;
            float square = ox * ox + oy * oy;
            bool seen = (square < l.reach_squared) & (k < rest) & (k != self);
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

// Up to six runs of places.
typedef struct flock_crowd_runs {
    int32_t first[6], last[6];
    int32_t count;
} flock_crowd_runs;

PLOYI_INLINE void flock_crowd_sum_body(const ployi_flock_law *law, const flock_crowd_eye *eye,
                                       const float *x, const float *y, const float *vx,
                                       const float *vy, const flock_crowd_runs *runs,
                                       flock_crowd_sums *sums) {
    for (int32_t r = 0; r < runs->count; r++) {
        int32_t first = runs->first[r], last = runs->last[r];
        if (law->mode == PLOY_SEPARATION_INVERSE && law->looks) {
            flock_crowd_run(law, PLOY_SEPARATION_INVERSE, true, eye, x, y, vx, vy, first, last,
                            sums);
        } else if (law->mode == PLOY_SEPARATION_INVERSE) {
            flock_crowd_run(law, PLOY_SEPARATION_INVERSE, false, eye, x, y, vx, vy, first, last,
                            sums);
        } else if (law->mode == PLOY_SEPARATION_INVERSE_SQUARE) {
            flock_crowd_run(law, PLOY_SEPARATION_INVERSE_SQUARE, true, eye, x, y, vx, vy, first,
                            last, sums);
        } else {
            flock_crowd_run(law, PLOY_SEPARATION_LINEAR, true, eye, x, y, vx, vy, first, last,
                            sums);
        }
    }
}
PLOYI_KERNEL(flock_crowd_sum,
             (const ployi_flock_law *law, const flock_crowd_eye *eye, const float *x,
              const float *y, const float *vx, const float *vy, const flock_crowd_runs *runs,
              flock_crowd_sums *sums),
             (law, eye, x, y, vx, vy, runs, sums))

// The places of the nine cells around a point, row by row from below.
static flock_crowd_runs flock_crowd_around(const ploy_flock *flock, float x, float y) {
    int64_t column = flock_crowd_line(x, flock->over_cell);
    int64_t row = flock_crowd_line(y, flock->over_cell);
    int32_t low = (int32_t)((column - 1) & (flock->columns - 1));
    flock_crowd_runs runs;
    runs.count = 0;
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

static float flock_crowd_add(const float lanes[FLOCK_LANES]) {
    float sum = 0.0f;
    for (int32_t k = 0; k < FLOCK_LANES; k++) sum += lanes[k];
    return sum;
}

static ploy_neighbours flock_crowd_look(const ploy_flock *flock, int32_t i) {
    ploy_neighbours out = {0, {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}};
    int32_t place = flock->slot[i];
    if (place < 0) return out;
    ploy_vec2 heading = {1.0f, 0.0f};
    if (flock->law.looks) heading = ploy_angle_heading(flock->orientation[place]);
    ploy_vec2 scatter = ploy_vec2_scale(ployi_flock_scatter(i), -PLOYI_FLOCK_NEAR);
    flock_crowd_eye eye = {flock->x[place], flock->y[place], heading.x, heading.y,
                           scatter.x,       scatter.y,       place};
    flock_crowd_runs runs = flock_crowd_around(flock, eye.x, eye.y);
    flock_crowd_sums sums = {{0.0f}, {0.0f}, {0.0f}, {0.0f}, {0.0f}, {0.0f}, {0.0f}};
    flock_crowd_sum(&flock->law, &eye, flock->x, flock->y, flock->vx, flock->vy, &runs, &sums);
    out.count = (int32_t)flock_crowd_add(sums.count);
    if (out.count == 0) return out;
    float part = 1.0f / (float)out.count;
    out.middle = ploy_vec2_make(flock_crowd_add(sums.x) * part, flock_crowd_add(sums.y) * part);
    out.velocity = ploy_vec2_make(flock_crowd_add(sums.vx) * part, flock_crowd_add(sums.vy) * part);
    out.push = ploy_vec2_make(flock_crowd_add(sums.px), flock_crowd_add(sums.py));
    return out;
}

ploy_neighbours ploy_flock_neighbours(const ploy_flock *flock, int32_t i) {
    ploy_neighbours none = {0, {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}};
    return ploy_range_within(i, 1, flock->count) ? flock_crowd_look(flock, i) : none;
}

static void flock_crowd_wish(const ploy_flock *flock, int32_t i, const ploy_steerings *out) {
    ploy_neighbours seen = flock_crowd_look(flock, i);
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    int32_t place = flock->slot[i];
    if (place >= 0) agent.velocity = ploy_vec2_make(flock->vx[place], flock->vy[place]);
    ploy_steerings_set(out, i, ploy_flock_steer(&flock->def, agent, &seen));
}

ploy_result ploy_flock_step(const ploy_flock *flock, int32_t first, int32_t count,
                            const ploy_steerings *out) {
    if (!ploy_range_within(first, count, flock->count)) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_steerings_check(out, first, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = first; i < first + count; i++) flock_crowd_wish(flock, i, out);
    return PLOY_OK;
}

typedef struct flock_crowd_job {
    const ploy_flock *flock;
    const ploy_steerings *out;
} flock_crowd_job;

static void flock_crowd_work(void *arg, int32_t first, int32_t count, int32_t worker) {
    const flock_crowd_job *job = arg;
    (void)worker;
    // By place, not by number: who comes next has nearly the same neighbours, still in the cache.
    for (int32_t place = first; place < first + count; place++) {
        flock_crowd_wish(job->flock, job->flock->agent[place], job->out);
    }
}

ploy_result ploy_flock_step_all(const ploy_flock *flock, const ploy_jobs *jobs,
                                const ploy_steerings *out) {
    ploy_result result = ploy_steerings_check(out, 0, flock->count);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < flock->count && flock->sorted < flock->count; i++) {
        if (flock->slot[i] < 0) ploy_steerings_set(out, i, ploy_steering_none());
    }
    flock_crowd_job job = {flock, out};
    ploy_jobs_run(jobs, flock_crowd_work, &job, flock->sorted, FLOCK_GRAIN);
    return PLOY_OK;
}

void ploy_flock_memory(const ploy_flock *flock, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"flock", flock->size, 1};
    fn(user, &item);
}

#undef FLOCK_CROWD_ROLLED
