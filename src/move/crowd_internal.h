// A crowd's memory, and how the nearest others of an agent are found in it. Included by crowd.c
// alone: all of this is compiled into its kernel.
//
// The plane is cut into square cells half as wide as the range, wrapped onto a table of columns and
// rows as in flock_crowd.c. Agents within the range are in the 5 x 5 cells around; in a dense
// crowd the nearest ones already lie in the 3 x 3, and the outer ones are not looked at. Of the
// candidates only the nearest count: bisection finds a distance within which there are enough of
// them but not many more, and those few are ranked by counting who is nearer, without a branch.
// What is found does not depend on any of this: the nearest by distance, then by slot.
//
// Invariants, from crowd_sort to the end of the step:
//   (3) starts[c] .. starts[c + 1] are the places of cell c, by slot within a cell;
//   (4) CROWD_LANES places beyond the last are readable, with x and y at 4e9 m;
//   (5) columns and rows are at least 8, so that the five around a cell differ.
// (1) and (2) are in crowd.c.
#pragma once

#include "move/orca_internal.h"
#include "ploy/geom/bvh.h"
#include "ploy/move/crowd.h"

enum {
    CROWD_LANES = 8,
    CROWD_GRAIN = 128,
    CROWD_CAPACITY_MAX = 1 << 20,
    CROWD_CANDIDATES = 128, // looked at before the list is cut down to those that can still count
    CROWD_RANKED = 40,      // most that are ranked by counting
    CROWD_FEW = 6,          // as many are not ranked at all
    CROWD_WALLS_ASKED = 64, // boxes of walls asked for their true distance
    CROWD_TOLD = 200
};

struct ploy_crowd {
    ploy_env env;
    ploy_crowd_def def;
    size_t size; // bytes of this block
    int32_t used, count, free_count;
    int32_t columns, rows, cells_max;
    int32_t column_shift; // cell >> column_shift is its row
    double over_cell;     // 1/m
    uint64_t steps;
    // By slot.
    float *x, *y, *vx, *vy, *wx, *wy, *radius, *max_speed, *responsibility;
    float *new_vx, *new_vy, *violation;
    uint32_t *generation;
    int32_t *free, *cell;
    // By place.
    float *px, *py, *pvx, *pvy, *pradius, *presponsibility;
    int32_t *slot;
    int32_t *starts; // cells_max + 2
    // Walls.
    ploy_orca_wall *walls;
    int32_t wall_count;
    ploy_bvh2 *tree; // NULL without walls
};

// The column or row of a coordinate, before wrapping. In double: 1e9 m in cells of a centimetre are
// more than a float counts.
static inline int64_t crowd_line(float x, double over_cell) {
    double line = (double)x * over_cell;
    int64_t whole = (int64_t)line;
    return whole - ((double)whole > line); // a floor that needs no call
}

// Runs of places: up to five rows, each in two where the table wraps.
typedef struct crowd_runs {
    int32_t first[10], last[10];
    int32_t count;
    int32_t total; // places in them
} crowd_runs;

// Adds those of a run that there are.
PLOYI_INLINE void crowd_runs_put(crowd_runs *runs, int32_t first, int32_t last) {
    runs->first[runs->count] = first;
    runs->last[runs->count] = last;
    runs->count += last > first;
    runs->total += last - first;
}

// The square of cells up to `reach` cells away from one of the table.
PLOYI_INLINE void crowd_runs_make(const ploy_crowd *crowd, int32_t row, int32_t column,
                                  int32_t reach, crowd_runs *runs) {
    const int32_t *const starts = crowd->starts;
    const int32_t columns = crowd->columns, rows = crowd->rows;
    int32_t low = column - reach, end = column + reach + 1;
    runs->count = runs->total = 0;
    if (low >= 0 && end <= columns) {
        for (int32_t r = -reach; r <= reach; r++) {
            const int32_t *in_row = starts + (ptrdiff_t)(((row + r) & (rows - 1)) * columns);
            crowd_runs_put(runs, in_row[low], in_row[end]);
        }
        return;
    }
    // Beyond the table's edge it goes on at the other.
    low &= columns - 1;
    end = low + 2 * reach + 1;
    for (int32_t r = -reach; r <= reach; r++) {
        const int32_t *in_row = starts + (ptrdiff_t)(((row + r) & (rows - 1)) * columns);
        crowd_runs_put(runs, in_row[low], in_row[columns]);
        crowd_runs_put(runs, in_row[0], in_row[end - columns]);
    }
}

// Candidates: the square of the distance, and the place. Lanes behind the last are readable.
typedef struct crowd_list {
    float square[CROWD_CANDIDATES + CROWD_LANES];
    int32_t place[CROWD_CANDIDATES + CROWD_LANES];
    int32_t count;
} crowd_list;

// How many candidates are no farther than that.
PLOYI_INLINE int32_t crowd_list_within(const crowd_list *restrict list, float square) {
    int32_t sums[CROWD_LANES] = {0, 0, 0, 0, 0, 0, 0, 0}, sum = 0;
    for (int32_t at = 0; at < list->count; at += CROWD_LANES) {
        PLOYI_ROLLED
        for (int32_t k = 0; k < CROWD_LANES; k++) {
            sums[k] += ((list->square[at + k] <= square) & (at + k < list->count)) ? 1 : 0;
        }
    }
    for (int32_t k = 0; k < CROWD_LANES; k++) sum += sums[k];
    return sum;
}

// Drops who is farther than that.
PLOYI_INLINE void crowd_list_cut(crowd_list *list, float square) {
    int32_t to = 0;
    for (int32_t k = 0; k < list->count; k++) {
        float s = list->square[k];
        list->place[to] = list->place[k];
        list->square[to] = s;
        to += s <= square;
    }
    list->count = to;
}

// Cuts the list down to at least `want`, if it has as many, and hardly more: by bisection from the
// distance at which an even crowd would have a few more than that.
PLOYI_INLINE void crowd_list_bisect(crowd_list *list, int32_t want, float square_max) {
    int32_t room = want + 8;
    float low = 0.0f, high = square_max;
    float try_at = square_max * (float)(want + 4) / (float)list->count;
    for (int32_t step = 0; step < 24; step++) {
        int32_t within = crowd_list_within(list, try_at);
        if (within >= want) high = try_at;
        if (within < want) low = try_at;
        if (within >= want && within <= room) break;
        try_at = 0.5f * (low + high);
    }
    crowd_list_cut(list, high);
}

PLOYI_INLINE void crowd_list_shrink(crowd_list *list, int32_t want, float square_max) {
    if (list->count > want + 8) crowd_list_bisect(list, want, square_max);
}

// Of equally near ones, which bisection cannot distinguish, the first by slot.
static void crowd_list_sort_out(const ploy_crowd *crowd, crowd_list *list, int32_t want) {
    for (int32_t i = 0; i < want; i++) {
        int32_t best = i;
        for (int32_t k = i + 1; k < list->count; k++) {
            bool nearer = list->square[k] < list->square[best] ||
                          (list->square[k] == list->square[best] &&
                           crowd->slot[list->place[k]] < crowd->slot[list->place[best]]);
            if (nearer) best = k;
        }
        float square = list->square[i];
        int32_t place = list->place[i];
        list->square[i] = list->square[best];
        list->place[i] = list->place[best];
        list->square[best] = square;
        list->place[best] = place;
    }
    list->count = want;
}

// Adds those of some runs that are within the range.
PLOYI_INLINE void crowd_list_gather(const ploy_crowd *crowd, int32_t self, float range_squared,
                                    const crowd_runs *runs, int32_t want,
                                    crowd_list *restrict list) {
    const float x = crowd->px[self], y = crowd->py[self];
    for (int32_t r = 0; r < runs->count; r++) {
        int32_t at = runs->first[r], last = runs->last[r];
        if (last - at < CROWD_LANES / 2 && list->count < CROWD_CANDIDATES - CROWD_LANES) {
            int32_t to = list->count;
            for (; at < last; at++) {
                float ox = crowd->px[at] - x, oy = crowd->py[at] - y;
                float square = ox * ox + oy * oy;
                list->square[to] = square;
                list->place[to] = at;
                to += (square < range_squared) & (at != self);
            }
            list->count = to;
            continue;
        }
        for (; at < last; at += CROWD_LANES) {
            const float *restrict ax = crowd->px + at, *restrict ay = crowd->py + at;
            float squares[CROWD_LANES];
            PLOYI_ROLLED
            for (int32_t k = 0; k < CROWD_LANES; k++) {
                float ox = ax[k] - x, oy = ay[k] - y;
                squares[k] = ox * ox + oy * oy;
            }
            int32_t lanes = last - at < CROWD_LANES ? last - at : CROWD_LANES;
            int32_t to = list->count;
            for (int32_t k = 0; k < lanes; k++) {
                list->square[to] = squares[k];
                list->place[to] = at + k;
                to += (squares[k] < range_squared) & (at + k != self);
            }
            list->count = to;
            if (to > CROWD_CANDIDATES - CROWD_LANES) {
                crowd_list_shrink(list, want, range_squared);
                // Many at exactly the same distance: a heap on one spot.
                if (list->count > CROWD_CANDIDATES - 2 * CROWD_LANES) {
                    crowd_list_sort_out(crowd, list, want);
                }
            }
        }
    }
}

// Candidate k as neighbour number `to`.
PLOYI_INLINE void crowd_take(const ploy_crowd *crowd, float x, float y,
                             const crowd_list *restrict list, int32_t k, int32_t to,
                             ployi_orca_near *restrict near) {
    int32_t place = list->place[k], slot = crowd->slot[place];
    near->x[to] = crowd->px[place] - x;
    near->y[to] = crowd->py[place] - y;
    near->vx[to] = crowd->pvx[place];
    near->vy[to] = crowd->pvy[place];
    near->radius[to] = crowd->pradius[place];
    near->responsibility[to] = crowd->presponsibility[place];
    near->square[to] = list->square[k];
    near->number[to] = (uint32_t)slot;
    near->index[to] = slot;
}

// The nearest ones in order, by counting for each how many come before it.
PLOYI_INLINE void crowd_rank(const ploy_crowd *crowd, float x, float y, int32_t want,
                             crowd_list *restrict list, ployi_orca_near *restrict near) {
    float square[CROWD_RANKED + CROWD_LANES];
    int32_t number[CROWD_RANKED], rank[CROWD_RANKED + CROWD_LANES];
    if (list->count > CROWD_RANKED) crowd_list_sort_out(crowd, list, want);
    int32_t count = list->count, full = ployi_orca_round_up(count);
    for (int32_t k = 0; k < count; k++) {
        square[k] = list->square[k];
        number[k] = crowd->slot[list->place[k]];
    }
    ployi_orca_fill(square + count, FLT_MAX);
    int32_t total = 0;
    for (int32_t at = 0; at < full; at += CROWD_LANES) {
        int32_t sums[CROWD_LANES] = {0, 0, 0, 0, 0, 0, 0, 0};
        for (int32_t i = 0; i < count; i++) {
            const float s = square[i];
            PLOYI_ROLLED
            for (int32_t k = 0; k < CROWD_LANES; k++) sums[k] += s < square[at + k] ? 1 : 0;
        }
        for (int32_t k = 0; k < CROWD_LANES; k++) {
            rank[at + k] = sums[k];
            total += at + k < count ? sums[k] : 0;
        }
    }
    if (total != count * (count - 1) / 2) { // some are equally near: the slots decide
        for (int32_t k = 0; k < count; k++) {
            for (int32_t i = 0; i < count; i++) {
                rank[k] += square[i] == square[k] && number[i] < number[k];
            }
        }
    }
    for (int32_t k = 0; k < count; k++) {
        if (rank[k] < want) crowd_take(crowd, x, y, list, k, rank[k], near);
    }
    near->count = count < want ? count : want;
}

// Few are taken as they come: only those lines that are left have to be brought in order.
PLOYI_INLINE void crowd_choose(const ploy_crowd *crowd, float x, float y, int32_t want,
                               crowd_list *list, ployi_orca_near *near) {
    if (list->count > CROWD_FEW || list->count > want) {
        crowd_rank(crowd, x, y, want, list, near);
        return;
    }
    for (int32_t k = 0; k < list->count; k++) crowd_take(crowd, x, y, list, k, k, near);
    near->count = list->count;
}

// Sorts the lines of agents by distance, then slot: they are few, or in order already.
static inline void crowd_lines_sort(ployi_orca_lines *lines) {
    for (int32_t i = lines->walls + 1; i < lines->count; i++) {
        float x = lines->x[i], y = lines->y[i], limit = lines->limit[i], square = lines->square[i];
        int32_t index = lines->index[i], at = i;
        for (; at > lines->walls; at--) {
            bool before = square < lines->square[at - 1] ||
                          (square == lines->square[at - 1] && index < lines->index[at - 1]);
            if (!before) break;
            lines->x[at] = lines->x[at - 1];
            lines->y[at] = lines->y[at - 1];
            lines->limit[at] = lines->limit[at - 1];
            lines->square[at] = lines->square[at - 1];
            lines->index[at] = lines->index[at - 1];
        }
        lines->x[at] = x;
        lines->y[at] = y;
        lines->limit[at] = limit;
        lines->square[at] = square;
        lines->index[at] = index;
    }
}

PLOYI_INLINE void crowd_near(const ploy_crowd *crowd, const ployi_orca_law *law, int32_t self,
                             ployi_orca_near *near) {
    const float x = crowd->px[self], y = crowd->py[self];
    const int32_t want = law->max_neighbours;
    const int32_t cell = crowd->cell[crowd->slot[self]];
    const int32_t column = cell & (crowd->columns - 1), row = cell >> crowd->column_shift;
    crowd_list list;
    crowd_runs runs;
    list.count = 0;
    crowd_runs_make(crowd, row, column, 2, &runs);
    if (runs.total <= 1) { // itself
        near->count = 0;
        return;
    }
    if (runs.total > 4 * want) {
        // Dense: the inner cells may hold enough.
        crowd_runs inner;
        crowd_runs_make(crowd, row, column, 1, &inner);
        // No agent outside is nearer than the inner cells' edge; a hair less, for rounding.
        float fx = (float)((double)x * crowd->over_cell - (double)crowd_line(x, crowd->over_cell));
        float fy = (float)((double)y * crowd->over_cell - (double)crowd_line(y, crowd->over_cell));
        float edge = ploy_minf(ploy_minf(fx, 1.0f - fx), ploy_minf(fy, 1.0f - fy));
        float cover = (1.0f + edge) * (float)(0.999 / crowd->over_cell);
        crowd_list_gather(crowd, self, cover * cover, &inner, want, &list);
        if (list.count >= want) {
            crowd_list_shrink(&list, want, cover * cover);
            crowd_choose(crowd, x, y, want, &list, near);
            return;
        }
        list.count = 0;
    }
    crowd_list_gather(crowd, self, law->range_squared, &runs, want, &list);
    crowd_list_shrink(&list, want, law->range_squared);
    crowd_choose(crowd, x, y, want, &list, near);
}
