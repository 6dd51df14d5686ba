// Jump tables and landmarks that follow the edit of one cell.
//
// Straight jumps change in the three rows and columns around the cell; those are made again. A
// diagonal jump changes if a cell that it passes begins or ends to see a jump point straight on, or
// if it passes the edited cell; from each such place it is followed backwards until a value stays.
// The tables equal newly built ones, to the bit.
//
// Landmarks keep their old distances. A cell that was closed only makes paths longer, so they are
// still lower bounds. One that was opened makes the path between two of its neighbours shorter by d at
// most, which a flood of a small square bounds; so any distance by d at most, and estimates less the
// sum of such slack are lower bounds. What the slack of the cell's own entry adds: both steps to it.
#include <string.h>

#include "base/compiler.h"
#include "path/grid_internal.h"
#include "ploy/base/math.h"

// ---- tables ----

static int16_t grid_patch_longer(int16_t jump) {
    return (int16_t)(jump > 0 ? jump + 1 : jump - 1);
}

int16_t ployi_grid_diagonal_jump(const ploy_grid_map *map, int32_t x, int32_t y,
                                 int32_t direction) {
    int32_t sx = ployi_tile_dx[direction], sy = ployi_tile_dy[direction];
    if (!ployi_grid_fits(map, x, y) || !ployi_grid_fits(map, x + sx, y) ||
        !ployi_grid_fits(map, x, y + sy) || !ployi_grid_fits(map, x + sx, y + sy)) {
        return 0;
    }
    const int16_t *next = &map->jumps[(size_t)((y + sy) * map->width + x + sx) * 8];
    bool turn = next[sx > 0 ? 0 : 4] > 0 || next[sy > 0 ? 2 : 6] > 0;
    return turn ? (int16_t)1 : grid_patch_longer(next[direction]);
}

// Where the jumps of a line's bit are kept.
static int16_t *grid_patch_jump(const ploy_grid_map *map, int32_t direction, int32_t line,
                                int32_t bit) {
    bool row = (direction & 3) == 0;
    int32_t cell = row ? (line - 1) * map->width + bit - 1 : (bit - 1) * map->width + line - 1;
    return &map->jumps[(size_t)cell * 8 + (size_t)direction];
}

void ployi_grid_straight_jumps(ploy_grid_map *map, int32_t direction, int32_t line,
                               int32_t around) {
    bool row = (direction & 3) == 0, up = direction < 4;
    const ployi_grid_lines *lines = row ? &map->rows : &map->columns;
    int32_t step = up ? 1 : -1, last = lines->bits - 2;
    size_t at = (size_t)line * (size_t)lines->words;
    const uint64_t *pass = lines->pass + at;
    const uint64_t *stops = (up ? lines->stop_up : lines->stop_down) + at;
    int32_t bit = up ? last : 1;
    int16_t jump = 0; // of the next cell
    if (around >= 0) {
        bit = ploy_clampi(around + 2 * step, 1, last);
        if (bit + step >= 1 && bit + step <= last) {
            jump = *grid_patch_jump(map, direction, line, bit + step);
        }
    }
    for (; bit >= 1 && bit <= last; bit -= step) {
        if (!ployi_grid_bit(pass, bit) || !ployi_grid_bit(pass, bit + step)) {
            jump = 0;
        } else {
            jump = ployi_grid_bit(stops, bit + step) ? (int16_t)1 : grid_patch_longer(jump);
        }
        int16_t *known = grid_patch_jump(map, direction, line, bit);
        if (around >= 0) {
            // Behind the edit a jump that stays leaves all others as they are.
            bool behind = up ? bit < around - 1 : bit > around + 1;
            if (behind && *known == jump) return;
            if ((*known > 0) != (jump > 0)) {
                int32_t cell =
                    row ? (line - 1) * map->width + bit - 1 : (bit - 1) * map->width + line - 1;
                PLOY_ARRAY_ITEMS(&map->seen, int32_t)[map->seen.count++] = cell;
            }
        }
        *known = jump;
    }
}

// Follows a diagonal backwards from a cell until a jump stays as it was.
static void grid_patch_diagonal(ploy_grid_map *map, int32_t x, int32_t y, int32_t direction) {
    int32_t sx = ployi_tile_dx[direction], sy = ployi_tile_dy[direction];
    for (; x >= 0 && y >= 0 && x < map->width && y < map->height; x -= sx, y -= sy) {
        int16_t jump = ployi_grid_diagonal_jump(map, x, y, direction);
        int16_t *known = &map->jumps[(size_t)(y * map->width + x) * 8 + (size_t)direction];
        if (*known == jump) return;
        *known = jump;
    }
}

void ployi_grid_patch_tables(ploy_grid_map *map, int32_t cell) {
    int32_t y = ployi_grid_row(map, cell), x = cell - y * map->width;
    ploy_array *seen = &map->seen;
    seen->count = 0; // room for all cells of six lines, both ways; see create
    for (int32_t i = 0; i <= 2; i++) {
        for (int32_t side = 0; side < 8; side += 4) {
            if (y + i >= 1 && y + i < map->rows.count - 1) {
                ployi_grid_straight_jumps(map, side, y + i, x + 1);
            }
            if (x + i >= 1 && x + i < map->columns.count - 1) {
                ployi_grid_straight_jumps(map, side + 2, x + i, y + 1);
            }
        }
    }
    const int32_t *cells = PLOY_ARRAY_ITEMS(seen, int32_t);
    for (int32_t direction = 1; direction < 8; direction += 2) {
        int32_t sx = ployi_tile_dx[direction], sy = ployi_tile_dy[direction];
        for (int32_t i = 0; i < seen->count; i++) {
            int32_t sy_at = ployi_grid_row(map, cells[i]), sx_at = cells[i] - sy_at * map->width;
            grid_patch_diagonal(map, sx_at - sx, sy_at - sy, direction);
        }
        for (int32_t i = 0; i < 9; i++) {
            grid_patch_diagonal(map, x + i % 3 - 1, y + i / 3 - 1, direction);
        }
    }
}

// ---- landmarks ----

enum { GRID_PATCH_REACH = 8, GRID_PATCH_SIDE = 2 * GRID_PATCH_REACH + 1 };
enum { GRID_PATCH_CELLS = GRID_PATCH_SIDE * GRID_PATCH_SIDE };

// Costs from one cell to the others of the square around the edited one.
static void grid_patch_flood(const ploy_grid_map *map, int32_t left, int32_t low, int32_t from_x,
                             int32_t from_y, int64_t costs[GRID_PATCH_CELLS]) {
    int32_t ring[GRID_PATCH_CELLS], head = 0, count = 1;
    bool waits[GRID_PATCH_CELLS] = {false};
    for (int32_t i = 0; i < GRID_PATCH_CELLS; i++) costs[i] = INT64_MAX;
    ring[0] = (from_y - low) * GRID_PATCH_SIDE + from_x - left;
    costs[ring[0]] = 0;
    while (count > 0) { // cells that gained wait in a ring, at most once
        int32_t local = ring[head];
        int32_t lx = local % GRID_PATCH_SIDE, ly = local / GRID_PATCH_SIDE;
        head = head + 1 < GRID_PATCH_CELLS ? head + 1 : 0;
        count--;
        waits[local] = false;
        for (uint32_t moves = map->moves[8][ployi_grid_around(map, left + lx, low + ly)];
             moves != 0; moves &= moves - 1) {
            int32_t direction = ployi_lowest_bit(moves);
            int32_t nx = lx + ployi_tile_dx[direction], ny = ly + ployi_tile_dy[direction];
            if (nx < 0 || ny < 0 || nx >= GRID_PATCH_SIDE || ny >= GRID_PATCH_SIDE) continue;
            int32_t near = ny * GRID_PATCH_SIDE + nx;
            int64_t sum =
                costs[local] + (direction % 2 != 0 ? PLOY_GRID_DIAGONAL : PLOY_GRID_STRAIGHT);
            if (sum >= costs[near]) continue;
            costs[near] = sum;
            if (waits[near]) continue;
            waits[near] = true;
            ring[(head + count++) % GRID_PATCH_CELLS] = near;
        }
    }
}

void ployi_grid_patch_slack(ploy_grid_map *map, int32_t cell) {
    int32_t y = ployi_grid_row(map, cell), x = cell - y * map->width;
    int32_t left = x - GRID_PATCH_REACH, low = y - GRID_PATCH_REACH;
    int64_t costs[GRID_PATCH_CELLS], most = 0;
    for (int32_t from = 0; from < 8; from++) {
        int32_t ax = x + ployi_tile_dx[from], ay = y + ployi_tile_dy[from];
        if (ax < 0 || ay < 0 || ax >= map->width || ay >= map->height) continue;
        if (!ployi_grid_fits(map, ax, ay)) continue;
        grid_patch_flood(map, left, low, ax, ay, costs);
        for (int32_t to = from + 1; to < 8; to++) {
            int32_t bx = x + ployi_tile_dx[to], by = y + ployi_tile_dy[to];
            if (bx < 0 || by < 0 || bx >= map->width || by >= map->height) continue;
            if (!ployi_grid_fits(map, bx, by)) continue;
            int64_t old = costs[(by - low) * GRID_PATCH_SIDE + bx - left];
            if (old == INT64_MAX) { // perhaps joined far away, perhaps not at all
                map->mark_slack = PLOYI_GRID_SLACK_MAX;
                return;
            }
            int64_t saved = old - ployi_grid_octile(ax - bx, ay - by);
            most = saved > most ? saved : most;
        }
    }
    int64_t slack = (2 * most + 3 * PLOY_GRID_STRAIGHT) >> PLOYI_GRID_MARK_SHIFT;
    slack += map->mark_slack + 2;
    map->mark_slack = slack < PLOYI_GRID_SLACK_MAX ? (int32_t)slack : PLOYI_GRID_SLACK_MAX;
}

void ployi_grid_patch_marks(ploy_grid_map *map, int32_t cell) {
    int32_t y = ployi_grid_row(map, cell), x = cell - y * map->width;
    size_t count = (size_t)map->def.landmarks;
    int32_t *own = map->marks + (size_t)cell * count;
    memset(own, 0, count * sizeof *own);
    bool first = true;
    for (uint32_t moves = map->moves[8][ployi_grid_around(map, x, y)]; moves != 0;
         moves &= moves - 1) {
        int32_t direction = ployi_lowest_bit(moves);
        int32_t near = cell + ployi_tile_dx[direction] + ployi_tile_dy[direction] * map->width;
        int64_t step = direction % 2 != 0 ? PLOY_GRID_DIAGONAL : PLOY_GRID_STRAIGHT;
        const int32_t *marks = map->marks + (size_t)near * count;
        for (size_t i = 0; i < count; i++) {
            int32_t distance = marks[i] + (int32_t)(step >> PLOYI_GRID_MARK_SHIFT);
            if (first || distance < own[i]) own[i] = distance;
        }
        first = false;
    }
}
