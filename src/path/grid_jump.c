// Jump point search on bits, and with jump tables.
//
// A path is put in order: between two points, diagonal steps come before straight ones. Then it
// turns only where a wall makes it: after going straight past the end of a wall (no corner may be
// cut, so the cell beside must be free and the one before it not). Those cells alone are opened;
// the stop bits of the map mark them. From one, the straight line goes on, and past a wall's end
// also the direction to that side and the diagonal between. On a diagonal each cell sends two straight
// jumps out, and what they find is opened at once: nothing on the diagonal itself needs to be
// remembered.
//
//     # # # . .       E: going right along the wall; at j the wall ends,
//     E > > j .       so j is a jump point: from it right, up and up-right.
#include <string.h>

#include "base/compiler.h"
#include "path/grid_internal.h"

// PLOYI_INLINE below: into each of eight calls, whatever the length, for the sake of a constant direction.

// A jump arrived at a cell, `cost` from the start.
static inline void jump_reach(ploy_grid_search *search, int32_t from, int32_t x, int32_t y,
                              int64_t cost, int32_t direction) {
    int32_t cell = y * search->map->width + x;
    bool queued;
    // Most jumps come to where another has been; that is the first thing to ask.
    const ployi_grid_record *known = &search->records[cell];
    if (known->mark >= search->generation << 16 && cost > known->cost) return;
    int64_t sum = cost + ployi_grid_octile(search->goal_x - x, search->goal_y - y);
    if (sum >= search->best) return;
    if (search->mark_count > 0) {
        int64_t far = cost + ployi_grid_far(search, cell);
        if (far > sum) sum = far;
    }
    if (sum < search->best &&
        ployi_grid_enter(search, &search->records[cell], from, cost, direction,
                         search->generation << 16, &queued) &&
        !queued) {
        ployi_grid_push(search, cell, sum);
    }
}

static inline void jump_reach_goal(ploy_grid_search *search, int32_t from, int64_t cost) {
    if (cost >= search->best) return;
    ployi_grid_record *record = &search->records[search->goal];
    record->cost = cost;
    record->parent = from;
    record->mark = search->generation << 16 | 1u;
    search->best = cost;
}

// ---- on bits ----

// The next stop in a line behind a bit; the blocked bits at the ends bound it. Counts words beyond
// the first.
static inline int32_t jump_scan_up(const uint64_t *stops, int32_t bit, int64_t *words) {
    int32_t word = (bit + 1) >> 6;
    uint64_t found = stops[word] & ~(uint64_t)0 << ((bit + 1) & 63);
    while (found == 0) {
        found = stops[++word];
        ++*words;
    }
    return word * 64 + ployi_lowest_bit(found);
}

static inline int32_t jump_scan_down(const uint64_t *stops, int32_t bit, int64_t *words) {
    int32_t word = (bit - 1) >> 6;
    uint64_t found = stops[word] & ~(uint64_t)0 >> (63 - ((bit - 1) & 63));
    while (found == 0) {
        found = stops[--word];
        ++*words;
    }
    return word * 64 + ployi_highest_bit(found);
}

// Jumps straight from (x, y); `from` is the cell that the jump's diagonal part began at.
PLOYI_INLINE void jump_straight(ploy_grid_search *search, int32_t from, int32_t x, int32_t y,
                                int64_t cost, int32_t direction) {
    const ploy_grid_map *map = search->map;
    bool row = (direction & 3) == 0, up = direction < 4;
    const ployi_grid_lines *lines = row ? &map->rows : &map->columns;
    int32_t line = row ? y + 1 : x + 1, bit = row ? x + 1 : y + 1;
    int32_t goal_line = row ? search->goal_y + 1 : search->goal_x + 1;
    int32_t goal_bit = row ? search->goal_x + 1 : search->goal_y + 1;
    size_t at = (size_t)line * (size_t)lines->words;
    int32_t stop, steps;
    if (up) {
        stop = jump_scan_up(lines->stop_up + at, bit, &search->stats.words);
        steps = stop - bit;
    } else {
        stop = jump_scan_down(lines->stop_down + at, bit, &search->stats.words);
        steps = bit - stop;
    }
    search->stats.words++;
    if (line == goal_line) {
        int32_t ahead = up ? goal_bit - bit : bit - goal_bit;
        if (ahead > 0 && ahead <= steps) {
            // The goal is free, so it lies before the wall if the stop is one.
            jump_reach_goal(search, from, cost + ahead * PLOY_GRID_STRAIGHT);
            return;
        }
    }
    if (!ployi_grid_bit(lines->pass + at, stop)) return;
    jump_reach(search, from, row ? stop - 1 : x, row ? y : stop - 1,
               cost + steps * PLOY_GRID_STRAIGHT, direction);
}

// How far it is to the next stop, in the direction of `up`.
PLOYI_INLINE int32_t jump_scan(const uint64_t *stops, int32_t bit, bool up, int64_t *words) {
    return up ? jump_scan_up(stops, bit, words) - bit : bit - jump_scan_down(stops, bit, words);
}

// The goal, if a diagonal of that many steps passes its row (or column) and a straight jump from
// there comes to it before anything else.
PLOYI_INLINE void jump_diagonal_goal(ploy_grid_search *search, int32_t from, int32_t x, int32_t y,
                                     int64_t cost, int32_t sx, int32_t sy, int32_t steps) {
    const ploy_grid_map *map = search->map;
    int32_t dx = (search->goal_x - x) * sx, dy = (search->goal_y - y) * sy;
    int32_t turn = dx < dy ? dx : dy, left = dx < dy ? dy - dx : dx - dy;
    if (turn < 1 || turn > steps) return;
    bool row = dx > dy;
    const ployi_grid_lines *lines = row ? &map->rows : &map->columns;
    int32_t line = (row ? search->goal_y : search->goal_x) + 1;
    int32_t bit = row ? x + turn * sx + 1 : y + turn * sy + 1;
    bool up = row ? sx > 0 : sy > 0;
    const uint64_t *stops =
        (up ? lines->stop_up : lines->stop_down) + (size_t)line * (size_t)lines->words;
    // The goal is free, so it lies before the wall if the stop is one.
    if (left > 0 && left > jump_scan(stops, bit, up, &search->stats.words)) return;
    jump_reach_goal(search, from, cost + turn * PLOY_GRID_DIAGONAL + left * PLOY_GRID_STRAIGHT);
}

// Along a diagonal until a wall, jumping straight from those of its cells where that ends well. Compiled once for each
// direction (JUMP_EACH), because the scans then know theirs: most of a search's time is spent here.
// The lines of bits are walked along with the cells; the goal is looked for once, at the end.
PLOYI_INLINE void jump_diagonal(ploy_grid_search *search, int32_t from, int32_t x, int32_t y,
                                int64_t cost, int32_t direction) {
    const ploy_grid_map *map = search->map;
    const int32_t sx = direction == 1 || direction == 7 ? 1 : -1, sy = direction <= 3 ? 1 : -1;
    const int32_t along_x = sx > 0 ? 0 : 4, along_y = sy > 0 ? 2 : 6;
    ptrdiff_t row_words = map->rows.words, column_words = map->columns.words;
    ptrdiff_t row_at = (y + 1) * row_words, column_at = (x + 1) * column_words;
    // The square that a step passes, by its least corner.
    const uint64_t *squares = map->squares + row_at - (sy > 0 ? 0 : row_words);
    const uint64_t *row_hits = (sx > 0 ? map->rows.hit_up : map->rows.hit_down) + row_at;
    const uint64_t *column_hits =
        (sy > 0 ? map->columns.hit_up : map->columns.hit_down) + column_at;
    int64_t words = 0;
    int32_t steps = 0, px = x + 1, py = y + 1; // bits
    for (;; steps++) {
        if (!ployi_grid_bit(squares, sx > 0 ? px : px - 1)) break;
        px += sx;
        py += sy;
        squares += sy * row_words;
        row_hits += sy * row_words;
        column_hits += sx * column_words;
        // Few straight jumps end well; only those are made.
        if (ployi_grid_bit(row_hits, px)) {
            const uint64_t *stops =
                (sx > 0 ? map->rows.stop_up : map->rows.stop_down) + py * row_words;
            int32_t far = jump_scan(stops, px, sx > 0, &words);
            jump_reach(search, from, px - 1 + far * sx, py - 1,
                       cost + (steps + 1) * PLOY_GRID_DIAGONAL + far * PLOY_GRID_STRAIGHT, along_x);
        }
        if (ployi_grid_bit(column_hits, py)) {
            const uint64_t *stops =
                (sy > 0 ? map->columns.stop_up : map->columns.stop_down) + px * column_words;
            int32_t far = jump_scan(stops, py, sy > 0, &words);
            jump_reach(search, from, px - 1, py - 1 + far * sy,
                       cost + (steps + 1) * PLOY_GRID_DIAGONAL + far * PLOY_GRID_STRAIGHT, along_y);
        }
    }
    // Two words a step and more for long scans; a turn of the loop beside them.
    search->stats.words += words + 2 * steps + steps / 16;
    jump_diagonal_goal(search, from, x, y, cost, sx, sy, steps);
}

// ---- with tables ----

static inline int32_t jump_abs(int32_t v) {
    return v < 0 ? -v : v;
}

// Straight steps from a cell to the goal if it lies in that direction, 0 if not.
static inline int32_t jump_goal_ahead(const ploy_grid_search *search, int32_t x, int32_t y,
                                      int32_t direction) {
    int32_t dx = search->goal_x - x, dy = search->goal_y - y;
    if ((direction & 3) == 0) {
        if (dy != 0) return 0;
        return direction == 0 ? (dx > 0 ? dx : 0) : (dx < 0 ? -dx : 0);
    }
    if (dx != 0) return 0;
    return direction == 2 ? (dy > 0 ? dy : 0) : (dy < 0 ? -dy : 0);
}

PLOYI_INLINE void jump_table_straight(ploy_grid_search *search, int32_t from, int32_t x, int32_t y,
                                      int64_t cost, int32_t direction) {
    const ploy_grid_map *map = search->map;
    int32_t jump = map->jumps[(size_t)(y * map->width + x) * 8 + (size_t)direction];
    int32_t ahead = jump_goal_ahead(search, x, y, direction);
    if (ahead > 0 && ahead <= jump_abs(jump)) {
        jump_reach_goal(search, from, cost + ahead * PLOY_GRID_STRAIGHT);
    } else if (jump > 0) {
        jump_reach(search, from, x + jump * ployi_tile_dx[direction],
                   y + jump * ployi_tile_dy[direction], cost + jump * PLOY_GRID_STRAIGHT,
                   direction);
    }
}

PLOYI_INLINE void jump_table_diagonal(ploy_grid_search *search, int32_t from, int32_t x, int32_t y,
                                      int64_t cost, int32_t direction) {
    const ploy_grid_map *map = search->map;
    const int32_t sx = direction == 1 || direction == 7 ? 1 : -1, sy = direction <= 3 ? 1 : -1;
    const int32_t along_x = sx > 0 ? 0 : 4, along_y = sy > 0 ? 2 : 6;
    int32_t goal_dx = (search->goal_x - x) * sx, goal_dy = (search->goal_y - y) * sy;
    // Where the diagonal passes the goal's row or column, a straight jump may reach it.
    int32_t turn = goal_dx < goal_dy ? goal_dx : goal_dy, steps = 0;
    for (;;) {
        const int16_t *jumps = &map->jumps[(size_t)(y * map->width + x) * 8];
        int32_t jump = jumps[direction], length = jump_abs(jump);
        search->stats.words++;
        if (turn > steps && turn <= steps + length) {
            int32_t tx = x + (turn - steps) * sx, ty = y + (turn - steps) * sy;
            int64_t there = cost + (turn - steps) * PLOY_GRID_DIAGONAL;
            int32_t along = goal_dx > goal_dy ? along_x : along_y;
            int32_t left = jump_abs(goal_dx - goal_dy);
            int32_t clear = map->jumps[(size_t)(ty * map->width + tx) * 8 + (size_t)along];
            if (left <= jump_abs(clear)) {
                jump_reach_goal(search, from, there + left * PLOY_GRID_STRAIGHT);
            }
        }
        if (jump <= 0) return;
        x += jump * sx;
        y += jump * sy;
        steps += jump;
        cost += jump * PLOY_GRID_DIAGONAL;
        jumps = &map->jumps[(size_t)(y * map->width + x) * 8];
        if (jumps[along_x] > 0) {
            int32_t straight = jumps[along_x];
            jump_reach(search, from, x + straight * sx, y, cost + straight * PLOY_GRID_STRAIGHT,
                       along_x);
        }
        if (jumps[along_y] > 0) {
            int32_t straight = jumps[along_y];
            jump_reach(search, from, x, y + straight * sy, cost + straight * PLOY_GRID_STRAIGHT,
                       along_y);
        }
    }
}

// ---- one cell ----

// Calls one of two functions for each direction to go, the direction being a constant.
#define JUMP_ONE(direction, call) \
    if ((go >> (direction)&1u) != 0) call(search, cell, x, y, cost, direction);
#define JUMP_EACH(straight, diagonal) \
    JUMP_ONE(0, straight)             \
    JUMP_ONE(1, diagonal)             \
    JUMP_ONE(2, straight)             \
    JUMP_ONE(3, diagonal)             \
    JUMP_ONE(4, straight)             \
    JUMP_ONE(5, diagonal)             \
    JUMP_ONE(6, straight)             \
    JUMP_ONE(7, diagonal)

void ployi_grid_jump(ploy_grid_search *search, int32_t cell, uint32_t waiting) {
    const ploy_grid_map *map = search->map;
    int32_t y = ployi_grid_row(map, cell), x = cell - y * map->width;
    int64_t cost = search->records[cell].cost;
    // The directions that one step could take; into a wall none leads.
    uint32_t go = ployi_grid_moves(map, waiting, ployi_grid_around(map, x, y));
    if (search->tables) {
        JUMP_EACH(jump_table_straight, jump_table_diagonal)
    } else {
        JUMP_EACH(jump_straight, jump_diagonal)
    }
}
#undef JUMP_EACH
#undef JUMP_ONE

// ---- tables ----

static void jump_make_straight(ploy_grid_map *map, int32_t direction) {
    int32_t count = (direction & 3) == 0 ? map->rows.count : map->columns.count;
    for (int32_t line = 1; line < count - 1; line++) {
        ployi_grid_straight_jumps(map, direction, line, -1);
    }
}

static void jump_make_diagonal(ploy_grid_map *map, int32_t direction) {
    int32_t sy = ployi_tile_dy[direction], first = sy > 0 ? map->height - 1 : 0;
    for (int32_t y = first; y >= 0 && y < map->height; y -= sy) {
        for (int32_t x = 0; x < map->width; x++) { // cells of one row do not look at each other
            map->jumps[(size_t)(y * map->width + x) * 8 + (size_t)direction] =
                ployi_grid_diagonal_jump(map, x, y, direction);
        }
    }
}

void ployi_grid_make_tables(ploy_grid_map *map) {
    for (int32_t direction = 0; direction < 8; direction += 2) jump_make_straight(map, direction);
    for (int32_t direction = 1; direction < 8; direction += 2) jump_make_diagonal(map, direction);
}
