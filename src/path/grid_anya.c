// Anya: the shortest any-angle path over a grid; the technique is described in the header.
//
// Columns and lines are doubled, so that a cell's centre is whole: cell (x, y) lies between 2x and
// 2x + 2. Corners are numbered line by line; the number after the last is the start.
//
// Invariants, while there is something to do:
//   (1) a piece has a width, lies on an even line (2k) and its row beyond is free over all of it;
//   (2) its root is not on its line, and sees all of it;
//   (3) its end is where the line from the root through a whole-numbered point crosses: one
//       division of whole numbers below 2^53. Two different quotients with divisors up to 2^17
//       differ by more than they are rounded by, so comparing and "is it a corner?" are exact;
//   (4) a record's cost is the least that its corner was reached at; costs fall along parents, so
//       there is no circle of them;
//   (5) a flat piece is none of these: a path along its line, from its root to the end of a wall.
#include "path/grid_anya_internal.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "path/grid_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/heap.h"
#include "ploy/base/math.h"

enum { GRID_ANYA_WORDS = 64 }; // scanned for one unit of work
// Bits of a piece's line, above which is the line's number.
enum { GRID_ANYA_UP = 1, GRID_ANYA_TAKEN = 2, GRID_ANYA_FLAT = 4, GRID_ANYA_SHIFT = 3 };
enum { GRID_ANYA_GOAL = -1 };

// An end of a piece: the ray from the root through (x, y) crosses the piece's line there.
typedef struct grid_anya_end {
    double at;
    int32_t x, y;
} grid_anya_end;

typedef struct grid_anya_piece {
    grid_anya_end left, right;
    double cost;  // from the start to the root, in cells
    int32_t root; // corner
    int32_t line; // k << shift | flat | taken | up, which is where it goes on; or the goal
} grid_anya_piece;

// The shortest path to a corner.
typedef struct grid_anya_record {
    double cost;
    int32_t parent; // corner
    uint32_t generation;
} grid_anya_record;

struct ployi_grid_anya {
    ploy_env env;
    const ploy_grid_map *map;
    grid_anya_record *records; // of corners, and of the start
    int32_t record_count;
    uint32_t generation;
    ploy_array pieces; // grid_anya_piece
    ploy_heap open;
    int32_t start, goal;             // cells
    int32_t start_corner, last_root; // the goal's, when it was found
    int32_t start_x, start_y, goal_x, goal_y;
    int64_t owed, paid; // units of work not paid for; words that are paid for or owed
    double length;
    bool failed;
    ploy_search_outcome outcome;
    ployi_grid_anya_stats stats;
};

// ---- life ----

ploy_result ployi_grid_anya_create(const ploy_env *env, ployi_grid_anya **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ployi_grid_anya *anya = ploy_env_alloc_zero(env, sizeof *anya);
    if (anya == NULL) return PLOY_ERR_MEMORY;
    anya->env = *env;
    ploy_array_init(&anya->pieces, sizeof(grid_anya_piece), env);
    ploy_heap_init(&anya->open, 4, env);
    *out = anya;
    return PLOY_OK;
}

void ployi_grid_anya_destroy(ployi_grid_anya *anya) {
    if (anya == NULL) return;
    ploy_env env = anya->env;
    ploy_heap_fini(&anya->open);
    ploy_array_fini(&anya->pieces);
    ploy_env_free(&env, anya->records, (size_t)anya->record_count * sizeof *anya->records);
    ploy_env_free(&env, anya, sizeof *anya);
}

static ploy_result grid_anya_reserve(ployi_grid_anya *anya, int32_t count) {
    if (count > anya->record_count) {
        grid_anya_record *records =
            ploy_env_alloc_zero(&anya->env, (size_t)count * sizeof *records);
        if (records == NULL) return PLOY_ERR_MEMORY;
        ploy_env_free(&anya->env, anya->records,
                      (size_t)anya->record_count * sizeof *anya->records);
        anya->records = records;
        anya->record_count = count;
        anya->generation = 0;
    }
    if (++anya->generation == 0) {
        memset(anya->records, 0, (size_t)anya->record_count * sizeof *anya->records);
        anya->generation = 1;
    }
    return PLOY_OK;
}

// ---- rows of bits ----

// Rows -1 and height are there, and blocked; so are columns -1 and width.
static const uint64_t *grid_anya_row(const ploy_grid_map *map, int32_t y) {
    return map->rows.pass + (size_t)(y + 1) * (size_t)map->rows.words;
}

static bool grid_anya_free(const ploy_grid_map *map, int32_t x, int32_t y) {
    return ployi_grid_bit(grid_anya_row(map, y), x + 1);
}

// The first column from x to the right that is free (or is not), the width if there is none.
static inline int32_t grid_anya_scan_up(ployi_grid_anya *anya, int32_t y, int32_t x, bool wanted) {
    const uint64_t *row = grid_anya_row(anya->map, y);
    uint64_t flip = wanted ? 0 : ~(uint64_t)0;
    int32_t word = (x + 1) >> 6, last = anya->map->rows.words;
    uint64_t bits = (row[word] ^ flip) & ~(uint64_t)0 << ((x + 1) & 63);
    for (anya->stats.words++; bits == 0; anya->stats.words++) {
        if (++word == last) return anya->map->width;
        bits = row[word] ^ flip;
    }
    return ploy_mini((word << 6) + ployi_lowest_bit(bits) - 1, anya->map->width);
}

// The first one from x to the left, -1 if there is none.
static int32_t grid_anya_scan_down(ployi_grid_anya *anya, int32_t y, int32_t x, bool wanted) {
    const uint64_t *row = grid_anya_row(anya->map, y);
    uint64_t flip = wanted ? 0 : ~(uint64_t)0;
    int32_t word = (x + 1) >> 6;
    uint64_t bits = (row[word] ^ flip) & ~(uint64_t)0 >> (63 - ((x + 1) & 63));
    for (anya->stats.words++; bits == 0; anya->stats.words++) {
        if (--word < 0) return -1;
        bits = row[word] ^ flip;
    }
    return (word << 6) + ployi_highest_bit(bits) - 1;
}

// ---- geometry ----

static void grid_anya_place(const ployi_grid_anya *anya, int32_t corner, int32_t *x, int32_t *y) {
    if (corner == anya->start_corner) {
        *x = anya->start_x;
        *y = anya->start_y;
        return;
    }
    int32_t line = corner / (anya->map->width + 1);
    *x = 2 * (corner - line * (anya->map->width + 1));
    *y = 2 * line;
}

// In cells.
static double grid_anya_distance(double dx, double dy) {
    return 0.5 * sqrt(dx * dx + dy * dy);
}

static grid_anya_end grid_anya_end_make(int32_t x, int32_t y) {
    grid_anya_end end = {(double)x, x, y};
    return end;
}

// Where the ray of an end crosses another line: keeps (3).
static grid_anya_end grid_anya_cross(int32_t root_x, int32_t root_y, grid_anya_end end,
                                     int32_t line) {
    int64_t below = (int64_t)end.y - root_y;
    int64_t above = (int64_t)root_x * below + ((int64_t)end.x - root_x) * ((int64_t)line - root_y);
    end.at = (double)above / (double)below;
    return end;
}

// No path from a root through a piece to the goal is shorter.
static double grid_anya_estimate(const ployi_grid_anya *anya, int32_t root_x, int32_t root_y,
                                 const grid_anya_piece *piece) {
    double line = 2.0 * (double)(piece->line >> GRID_ANYA_SHIFT);
    double x = (double)root_x, y = (double)root_y;
    double gx = (double)anya->goal_x, gy = (double)anya->goal_y;
    // On the root's side it is as far as its mirror image beyond the line.
    if ((gy > line) == (y > line)) gy = 2.0 * line - gy;
    double at = x + (gx - x) * (line - y) / (gy - y);
    if (at < piece->left.at) {
        at = piece->left.at;
    } else if (at > piece->right.at) {
        at = piece->right.at;
    } else {
        return grid_anya_distance(gx - x, gy - y);
    }
    return grid_anya_distance(at - x, line - y) + grid_anya_distance(gx - at, gy - line);
}

// ---- opening ----

static void grid_anya_push(ployi_grid_anya *anya, const grid_anya_piece *piece, double rank) {
    int32_t index = anya->pieces.count;
    bool pushed = ploy_array_push(&anya->pieces, piece) == PLOY_OK &&
                  ploy_heap_push(&anya->open, rank, (uint64_t)index) == PLOY_OK;
    anya->failed = anya->failed || !pushed;
    anya->stats.opened++;
}

// False if a shorter path to a corner is known.
static bool grid_anya_worth(const ployi_grid_anya *anya, int32_t corner, double cost) {
    const grid_anya_record *record = &anya->records[corner];
    return record->generation != anya->generation || cost <= record->cost;
}

// A path leads to a corner. False if a shorter one is known.
static bool grid_anya_reach(ployi_grid_anya *anya, int32_t corner, int32_t parent, double cost) {
    grid_anya_record *record = &anya->records[corner];
    bool known = record->generation == anya->generation;
    if (known && cost >= record->cost) return cost == record->cost;
    record->cost = cost; // keeps (4)
    record->parent = parent;
    record->generation = anya->generation;
    anya->stats.roots++;
    return true;
}

static void grid_anya_arrive(ployi_grid_anya *anya, int32_t root, double cost) {
    int32_t x, y;
    grid_anya_place(anya, root, &x, &y);
    grid_anya_piece piece;
    memset(&piece, 0, sizeof piece);
    piece.root = root;
    piece.cost = cost;
    piece.line = GRID_ANYA_GOAL;
    grid_anya_push(anya, &piece,
                   cost +
                       grid_anya_distance((double)(anya->goal_x - x), (double)(anya->goal_y - y)));
}

// Is the goal in the cells of a row from one column to before another?
static bool grid_anya_holds_goal(const ployi_grid_anya *anya, int32_t y, int32_t from, int32_t to) {
    int32_t column = anya->goal_x >> 1;
    return y == anya->goal_y >> 1 && column >= from && column < to;
}

// What a piece leads to: the row beyond it, between the walls on either side.
typedef struct grid_anya_view {
    int32_t root_x, root_y;
    int32_t line, far;         // k, and that of the row's other side
    int32_t row, back;         // the row that it goes into, and the one that it comes from
    int32_t first, end;        // columns of the row that are free
    grid_anya_end left, right; // where its rays cross the far line
    bool up;
} grid_anya_view;

// All but the root, which is in it already. The row's end may be known.
static void grid_anya_look(ployi_grid_anya *anya, const grid_anya_piece *piece, int32_t end,
                           grid_anya_view *view) {
    view->up = (piece->line & GRID_ANYA_UP) != 0;
    view->line = piece->line >> GRID_ANYA_SHIFT;
    view->far = view->up ? view->line + 1 : view->line - 1;
    view->row = view->up ? view->line : view->line - 1;
    view->back = view->up ? view->line - 1 : view->line;
    int32_t column = (int32_t)(piece->left.at * 0.5);
    view->first = grid_anya_scan_down(anya, view->row, column, false) + 1;
    view->end = end >= 0 ? end : grid_anya_scan_up(anya, view->row, column, false);
    view->left = grid_anya_cross(view->root_x, view->root_y, piece->left, 2 * view->far);
    view->right = grid_anya_cross(view->root_x, view->root_y, piece->right, 2 * view->far);
}

// Cuts what is seen of the far line where the row's walls are.
static void grid_anya_clip(const grid_anya_view *view, grid_anya_end *left, grid_anya_end *right) {
    grid_anya_end first = grid_anya_end_make(2 * view->first, 2 * view->far);
    grid_anya_end end = grid_anya_end_make(2 * view->end, 2 * view->far);
    *left = view->left.at < first.at ? first : view->left;
    *right = view->right.at > end.at ? end : view->right;
}

// A corner of a wall that a path can bend round.
typedef struct grid_anya_knee {
    int32_t corner, column; // and the cells beside it that the path turns to
    double cost;
    bool behind; // the wall is in the row behind, is passed and left; else it is gone along
} grid_anya_knee;

// Is an end of a piece one, to that side, and is no shorter path to it known?
static inline bool grid_anya_bends(const ployi_grid_anya *anya, const grid_anya_piece *piece,
                                   const grid_anya_view *view, bool to_left, grid_anya_knee *out) {
    double at = to_left ? piece->left.at : piece->right.at;
    int32_t x = (int32_t)at;
    if ((double)x != at || (x & 1) != 0) return false;
    out->column = x / 2 - (to_left ? 1 : 0);
    out->behind = !grid_anya_free(anya->map, out->column, view->back);
    if (out->behind == !grid_anya_free(anya->map, out->column, view->row)) return false;
    // A wall is gone along if the root is on its other side.
    if (!out->behind && (to_left ? view->root_x >= x : view->root_x <= x)) return false;
    out->corner = view->line * (anya->map->width + 1) + x / 2;
    out->cost = piece->cost + grid_anya_distance((double)(x - view->root_x),
                                                 (double)(2 * view->line - view->root_y));
    return grid_anya_worth(anya, out->corner, out->cost);
}

// A part of a line whose row beyond is free: between two ends, and from one column to before
// another.
static void grid_anya_cut(grid_anya_piece *piece, int32_t line, int32_t first, int32_t end,
                          const grid_anya_end *left, const grid_anya_end *right) {
    piece->left = 2.0 * (double)first > left->at ? grid_anya_end_make(2 * first, 2 * line) : *left;
    piece->right = 2.0 * (double)end < right->at ? grid_anya_end_make(2 * end, 2 * line) : *right;
}

// Goes straight on while a piece leads to one other and nothing else. False if it ends there.
// @param end  of the free cells in the row beyond it.
static bool grid_anya_follow(ployi_grid_anya *anya, int32_t root_x, int32_t root_y, int32_t end,
                             grid_anya_piece *piece) {
    grid_anya_view view;
    view.root_x = root_x;
    view.root_y = root_y;
    for (;;) {
        grid_anya_knee knee;
        grid_anya_end left, right;
        grid_anya_look(anya, piece, end, &view);
        if (grid_anya_holds_goal(anya, view.row, view.first, view.end) ||
            grid_anya_bends(anya, piece, &view, true, &knee) ||
            grid_anya_bends(anya, piece, &view, false, &knee)) {
            return true;
        }
        grid_anya_clip(&view, &left, &right);
        if (!(left.at < right.at)) return false;
        int32_t beyond = view.up ? view.far : view.far - 1;
        int32_t first = grid_anya_scan_up(anya, beyond, (int32_t)(left.at * 0.5), true);
        if (!(2.0 * (double)first < right.at)) return false;
        end = grid_anya_scan_up(anya, beyond, first, false);
        if (2.0 * (double)end < right.at &&
            2.0 * (double)grid_anya_scan_up(anya, beyond, end, true) < right.at) {
            return true;
        }
        piece->line += (view.far - view.line) * (1 << GRID_ANYA_SHIFT);
        grid_anya_cut(piece, view.far, first, end, &left, &right); // keeps (1)
    }
}

// Opens what a root sees of a line, cut where the row beyond is blocked.
static void grid_anya_open(ployi_grid_anya *anya, int32_t root, double cost, int32_t line, bool up,
                           grid_anya_end left, grid_anya_end right) {
    int32_t beyond = up ? line : line - 1, x, y;
    if (beyond < 0 || beyond >= anya->map->height || !(left.at < right.at)) return;
    grid_anya_place(anya, root, &x, &y);
    int32_t column = (int32_t)(left.at * 0.5);
    for (;;) {
        grid_anya_piece piece;
        piece.cost = cost;
        piece.root = root;
        piece.line = line << GRID_ANYA_SHIFT | (up ? GRID_ANYA_UP : 0);
        int32_t first = grid_anya_scan_up(anya, beyond, column, true);
        if (!(2.0 * (double)first < right.at)) return;
        column = grid_anya_scan_up(anya, beyond, first, false);
        grid_anya_cut(&piece, line, first, column, &left, &right); // keeps (1)
        if (!grid_anya_follow(anya, x, y, column, &piece)) continue;
        grid_anya_push(anya, &piece, cost + grid_anya_estimate(anya, x, y, &piece));
    }
}

// From a corner at the end of a run of free cells, on the line beside it, all of the run is seen.
static void grid_anya_round(ployi_grid_anya *anya, int32_t corner, double cost, int32_t column,
                            int32_t y, bool up) {
    int32_t first = grid_anya_scan_down(anya, y, column, false) + 1;
    int32_t end = grid_anya_scan_up(anya, y, column, false), line = up ? y + 1 : y;
    if (grid_anya_holds_goal(anya, y, first, end)) grid_anya_arrive(anya, corner, cost);
    grid_anya_open(anya, corner, cost, line, up, grid_anya_end_make(2 * first, 2 * line),
                   grid_anya_end_make(2 * end, 2 * line));
}

// A path along line k: from its root's column to the right (step 1) or left (-1), where it has come
// to the edge of a cell.
typedef struct grid_anya_walk {
    int32_t root, k, first, step;
    int32_t column; // cell that lies ahead
    double cost;    // of the root
} grid_anya_walk;

static int32_t grid_anya_walk_x(const grid_anya_walk *walk) {
    return walk->step > 0 ? walk->column : walk->column + 1;
}

static double grid_anya_walk_cost(const grid_anya_walk *walk) {
    int32_t x = grid_anya_walk_x(walk);
    return walk->cost + (double)(walk->step > 0 ? x - walk->first : walk->first - x);
}

// Goes on as long as one side is free, to where a wall that it passes ends. That corner is opened
// and not turned at yet: a line may pass a hundred of them, most of them out of the way.
static void grid_anya_flat(ployi_grid_anya *anya, grid_anya_walk walk) {
    const ploy_grid_map *map = anya->map;
    int32_t k = walk.k;
    bool above = grid_anya_free(map, walk.column, k);
    bool below = grid_anya_free(map, walk.column, k - 1);
    while (above || below) {
        // The cell where either side changes; beyond the map both are blocked.
        int32_t column = walk.column;
        int32_t next_above = walk.step > 0 ? grid_anya_scan_up(anya, k, column, !above)
                                           : grid_anya_scan_down(anya, k, column, !above);
        int32_t next_below = walk.step > 0 ? grid_anya_scan_up(anya, k - 1, column, !below)
                                           : grid_anya_scan_down(anya, k - 1, column, !below);
        column =
            walk.step > 0 ? ploy_mini(next_above, next_below) : ploy_maxi(next_above, next_below);
        if (column < 0 || column >= map->width) return;
        bool above_now = grid_anya_free(map, column, k);
        bool below_now = grid_anya_free(map, column, k - 1);
        // Nothing gets through between two walls that meet in a corner.
        if ((!below && !above_now) || (!above && !below_now)) return;
        walk.column = column;
        if ((!above && above_now) || (!below && below_now)) break;
        above = above_now;
        below = below_now;
    }
    if (!above && !below) return;
    int32_t x = grid_anya_walk_x(&walk), turn = k * (map->width + 1) + x;
    double cost = grid_anya_walk_cost(&walk);
    if (!grid_anya_worth(anya, turn, cost)) return;
    grid_anya_piece piece = {grid_anya_end_make(2 * ploy_mini(walk.first, x), 2 * k),
                             grid_anya_end_make(2 * ploy_maxi(walk.first, x), 2 * k), walk.cost,
                             walk.root, k << GRID_ANYA_SHIFT | GRID_ANYA_FLAT};
    if (walk.step > 0) piece.line |= GRID_ANYA_UP;
    grid_anya_push(
        anya, &piece,
        cost + grid_anya_distance((double)(anya->goal_x - 2 * x), (double)(anya->goal_y - 2 * k)));
}

// ---- taking ----

// An end that is the corner of a wall: the path bends round it, to that side.
static void grid_anya_bend(ployi_grid_anya *anya, const grid_anya_piece *piece,
                           const grid_anya_view *view, bool to_left) {
    grid_anya_knee knee;
    if (!grid_anya_bends(anya, piece, view, to_left, &knee)) return;
    grid_anya_reach(anya, knee.corner, piece->root, knee.cost);
    int32_t x = 2 * (to_left ? knee.column + 1 : knee.column);
    // Its last ray goes on as the old one did: through the old root's image beyond the corner.
    grid_anya_end ray = to_left ? view->left : view->right;
    ray.x = 2 * x - view->root_x;
    ray.y = 4 * view->line - view->root_y;
    grid_anya_end wall = grid_anya_end_make(2 * (to_left ? view->first : view->end), 2 * view->far);
    grid_anya_end other =
        grid_anya_end_make(2 * (to_left ? view->end : view->first), 2 * view->far);
    if (to_left) {
        if (other.at < ray.at) ray = other;
        grid_anya_open(anya, knee.corner, knee.cost, view->far, view->up, wall, ray);
    } else {
        if (other.at > ray.at) ray = other;
        grid_anya_open(anya, knee.corner, knee.cost, view->far, view->up, ray, wall);
    }
    grid_anya_end ends = to_left ? piece->left : piece->right;
    if (grid_anya_holds_goal(anya, view->row, view->first, view->end)) {
        double at = grid_anya_cross(view->root_x, view->root_y, ends, anya->goal_y).at;
        bool beyond = to_left ? (double)anya->goal_x < at : (double)anya->goal_x > at;
        if (beyond) grid_anya_arrive(anya, knee.corner, knee.cost);
    }
    if (!knee.behind) return;
    grid_anya_walk walk = {knee.corner,      view->line,  x / 2,
                           to_left ? -1 : 1, knee.column, knee.cost};
    grid_anya_flat(anya, walk);
}

// Where a path along a line has come to the end of a wall, it turns or goes on.
static void grid_anya_turn(ployi_grid_anya *anya, const grid_anya_piece *piece) {
    bool right = (piece->line & GRID_ANYA_UP) != 0;
    int32_t from = (right ? piece->left.x : piece->right.x) / 2;
    int32_t to = (right ? piece->right.x : piece->left.x) / 2;
    int32_t k = piece->line >> GRID_ANYA_SHIFT, turn = k * (anya->map->width + 1) + to;
    grid_anya_walk walk = {piece->root, k, from, right ? 1 : -1, right ? to : to - 1, piece->cost};
    double cost = grid_anya_walk_cost(&walk);
    // If a shorter path leads here, one leads to all that lies ahead.
    if (!grid_anya_reach(anya, turn, piece->root, cost)) return;
    int32_t passed = walk.column - walk.step;
    for (int32_t side = 0; side < 2; side++) {
        int32_t y = k - 1 + side;
        if (grid_anya_free(anya->map, passed, y)) continue;
        if (!grid_anya_free(anya->map, walk.column, y)) continue;
        grid_anya_round(anya, turn, cost, walk.column, y, side == 1);
    }
    grid_anya_flat(anya, walk);
}

static void grid_anya_expand(ployi_grid_anya *anya, const grid_anya_piece *piece) {
    grid_anya_view view;
    grid_anya_place(anya, piece->root, &view.root_x, &view.root_y);
    grid_anya_look(anya, piece, -1, &view);
    if (grid_anya_holds_goal(anya, view.row, view.first, view.end)) {
        double goal = (double)anya->goal_x;
        if (goal >= grid_anya_cross(view.root_x, view.root_y, piece->left, anya->goal_y).at &&
            goal <= grid_anya_cross(view.root_x, view.root_y, piece->right, anya->goal_y).at) {
            grid_anya_arrive(anya, piece->root, piece->cost);
        }
    }
    grid_anya_end left, right;
    grid_anya_clip(&view, &left, &right);
    grid_anya_open(anya, piece->root, piece->cost, view.far, view.up, left, right); // keeps (2)
    grid_anya_bend(anya, piece, &view, true);
    grid_anya_bend(anya, piece, &view, false);
}

// One piece; false if the search is finished.
static bool grid_anya_take(ployi_grid_anya *anya) {
    uint64_t index;
    double rank;
    if (!ploy_heap_pop(&anya->open, &rank, &index)) return false;
    grid_anya_piece *pieces = PLOY_ARRAY_ITEMS(&anya->pieces, grid_anya_piece);
    grid_anya_piece piece = pieces[index]; // the array may move
    if (piece.line == GRID_ANYA_GOAL) {
        anya->last_root = piece.root;
        anya->length = rank;
        anya->outcome = PLOY_SEARCH_FOUND;
        return false;
    }
    if (piece.cost > anya->records[piece.root].cost) return true; // a shorter path came later
    pieces[index].line |= GRID_ANYA_TAKEN;
    anya->stats.taken++;
    if ((piece.line & GRID_ANYA_FLAT) != 0) {
        grid_anya_turn(anya, &piece);
    } else {
        grid_anya_expand(anya, &piece);
    }
    return true;
}

// ---- work ----

// What the start sees of the lines above and below its row.
static void grid_anya_begin_search(ployi_grid_anya *anya) {
    int32_t x = anya->start_x >> 1, y = anya->start_y >> 1;
    int32_t first = grid_anya_scan_down(anya, y, x, false) + 1;
    int32_t end = grid_anya_scan_up(anya, y, x, false);
    grid_anya_reach(anya, anya->start_corner, PLOY_STATE_NONE, 0.0);
    if (grid_anya_holds_goal(anya, y, first, end)) grid_anya_arrive(anya, anya->start_corner, 0.0);
    for (int32_t line = y; line <= y + 1; line++) {
        grid_anya_open(anya, anya->start_corner, 0.0, line, line > y,
                       grid_anya_end_make(2 * first, 2 * line),
                       grid_anya_end_make(2 * end, 2 * line));
    }
}

ploy_result ployi_grid_anya_begin(ployi_grid_anya *anya, const ploy_grid_map *map, int32_t start,
                                  int32_t goal) {
    anya->outcome = PLOY_SEARCH_IDLE;
    memset(&anya->stats, 0, sizeof anya->stats);
    ploy_heap_clear(&anya->open);
    ploy_array_clear(&anya->pieces);
    anya->map = NULL;
    anya->owed = anya->paid = 0;
    anya->length = 0.0;
    anya->failed = false;
    if (map == NULL || start < 0 || goal < 0 || start >= map->count || goal >= map->count) {
        return PLOY_ERR_ARGUMENT;
    }
    if (map->weights != NULL || map->tiles->def.neighbours != PLOY_TILE_EIGHT ||
        map->tiles->def.corners == PLOY_TILE_CORNERS_CUT) {
        return PLOY_ERR_UNSUPPORTED;
    }
    int32_t corners = (map->width + 1) * (map->height + 1);
    ploy_result result = grid_anya_reserve(anya, corners + 1);
    if (result != PLOY_OK) return result;
    anya->map = map;
    anya->start = start;
    anya->goal = goal;
    anya->start_corner = corners;
    anya->start_y = 2 * ployi_grid_row(map, start) + 1;
    anya->start_x = 2 * (start - ployi_grid_row(map, start) * map->width) + 1;
    anya->goal_y = 2 * ployi_grid_row(map, goal) + 1;
    anya->goal_x = 2 * (goal - ployi_grid_row(map, goal) * map->width) + 1;
    anya->outcome = PLOY_SEARCH_NONE;
    if (!ploy_grid_map_fits(map, start) || !ploy_grid_map_fits(map, goal) ||
        !ploy_grid_map_connected(map, start, goal)) {
        return PLOY_OK;
    }
    grid_anya_begin_search(anya);
    anya->outcome = anya->failed ? PLOY_SEARCH_IDLE : PLOY_SEARCH_OPEN;
    if (anya->failed) anya->map = NULL;
    return anya->failed ? PLOY_ERR_MEMORY : PLOY_OK;
}

ploy_result ployi_grid_anya_step(ployi_grid_anya *anya, ploy_budget *budget) {
    if (anya->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    while (anya->outcome == PLOY_SEARCH_OPEN) {
        if (!ployi_grid_pay(budget, &anya->owed)) return PLOY_IN_PROGRESS;
        bool more = grid_anya_take(anya);
        anya->owed = anya->stats.words / GRID_ANYA_WORDS - anya->paid / GRID_ANYA_WORDS;
        anya->paid = anya->stats.words;
        anya->stats.units += 1 + anya->owed;
        if (anya->failed) {
            anya->outcome = PLOY_SEARCH_IDLE;
            return PLOY_ERR_MEMORY;
        }
        if (!more && anya->outcome == PLOY_SEARCH_OPEN) anya->outcome = PLOY_SEARCH_NONE;
    }
    return PLOY_OK;
}

void ployi_grid_anya_cancel(ployi_grid_anya *anya) {
    anya->outcome = PLOY_SEARCH_IDLE;
}

ploy_result ployi_grid_anya_run(ployi_grid_anya *anya, const ploy_grid_map *map, int32_t start,
                                int32_t goal) {
    ploy_result result = ployi_grid_anya_begin(anya, map, start, goal);
    return result == PLOY_OK ? ployi_grid_anya_step(anya, NULL) : result;
}

static ploy_result grid_anya_task_step(void *self, ploy_budget *budget) {
    return ployi_grid_anya_step(self, budget);
}

static void grid_anya_task_cancel(void *self) {
    ployi_grid_anya_cancel(self);
}

static void grid_anya_task_describe(const void *self, ploy_describe *out) {
    ployi_grid_anya_describe(self, out);
}

ploy_task ployi_grid_anya_task(ployi_grid_anya *anya) {
    static const ploy_task_type type = {"anya", grid_anya_task_step, grid_anya_task_cancel,
                                        grid_anya_task_describe};
    ploy_task task = {&type, anya};
    return task;
}

// ---- results ----

ploy_search_outcome ployi_grid_anya_outcome(const ployi_grid_anya *anya) {
    return anya->outcome;
}

double ployi_grid_anya_length(const ployi_grid_anya *anya) {
    return anya->outcome == PLOY_SEARCH_FOUND ? anya->length : 0.0;
}

// Doubled columns and lines as metres.
static ploy_vec2 grid_anya_metres(const ployi_grid_anya *anya, double x, double y) {
    const ploy_tiles_def *def = &anya->map->tiles->def;
    return ploy_vec2_make(def->origin.x + (float)(0.5 * x) * def->size,
                          def->origin.y + (float)(0.5 * y) * def->size);
}

static ploy_vec2 grid_anya_corner(const ployi_grid_anya *anya, int32_t corner) {
    int32_t x, y;
    grid_anya_place(anya, corner, &x, &y);
    return grid_anya_metres(anya, (double)x, (double)y);
}

int32_t ployi_grid_anya_path(const ployi_grid_anya *anya, ploy_vec2 *out, int32_t capacity) {
    if (anya->outcome != PLOY_SEARCH_FOUND) return -1;
    if (anya->start == anya->goal) return 0;
    int32_t count = 1;
    for (int32_t at = anya->last_root; at != anya->start_corner; at = anya->records[at].parent) {
        count++;
    }
    if (count <= capacity) out[count - 1] = ploy_tiles_localise(anya->map->tiles, anya->goal);
    int32_t index = count - 1;
    for (int32_t at = anya->last_root; at != anya->start_corner; at = anya->records[at].parent) {
        if (--index < capacity) out[index] = grid_anya_corner(anya, at);
    }
    return count;
}

ployi_grid_anya_stats ployi_grid_anya_stats_of(const ployi_grid_anya *anya) {
    return anya->stats;
}

// ---- drawing and describing ----

void ployi_grid_anya_draw(const ployi_grid_anya *anya, ploy_draw *out) {
    if (anya->map == NULL || !ploy_draw_wants(out, PLOY_LAYER_PATHS)) return;
    ploy_agent_id nobody = ploy_agent_id_none();
    const grid_anya_piece *pieces = PLOY_ARRAY_ITEMS(&anya->pieces, grid_anya_piece);
    for (int32_t i = 0; i < anya->pieces.count; i++) {
        const grid_anya_piece *piece = &pieces[i];
        if (piece->line == GRID_ANYA_GOAL) continue;
        double line = 2.0 * (double)(piece->line >> GRID_ANYA_SHIFT);
        ploy_draw_line(out, PLOY_LAYER_PATHS,
                       (piece->line & GRID_ANYA_TAKEN) != 0 ? PLOY_STYLE_CLOSED : PLOY_STYLE_OPEN,
                       nobody, grid_anya_metres(anya, piece->left.at, line),
                       grid_anya_metres(anya, piece->right.at, line));
    }
    if (anya->outcome != PLOY_SEARCH_FOUND || anya->start == anya->goal) return;
    ploy_vec2 to = ploy_tiles_localise(anya->map->tiles, anya->goal);
    for (int32_t at = anya->last_root; at >= 0; at = anya->records[at].parent) {
        ploy_vec2 from = grid_anya_corner(anya, at);
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody, from, to);
        to = from;
    }
}

void ployi_grid_anya_describe(const ployi_grid_anya *anya, ploy_describe *out) {
    uint64_t hash = 0;
    const grid_anya_piece *pieces = PLOY_ARRAY_ITEMS(&anya->pieces, grid_anya_piece);
    for (int32_t i = 0; i < anya->pieces.count; i++) {
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)pieces[i].root);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)pieces[i].line);
        hash = ploy_hash_combine(hash, (uint64_t)(int64_t)(pieces[i].left.at * 65536.0));
        hash = ploy_hash_combine(hash, (uint64_t)(int64_t)(pieces[i].right.at * 65536.0));
    }
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(anya->outcome));
    ploy_describe_u64(out, "pieces", PLOY_STATE, hash);
    ploy_describe_i64(out, "taken", PLOY_STATE, anya->stats.taken);
    ploy_describe_i64(out, "opened", PLOY_STATE, anya->stats.opened);
    ploy_describe_i64(out, "roots", PLOY_STATE, anya->stats.roots);
    ploy_describe_i64(out, "words", PLOY_STATE, anya->stats.words);
    ploy_describe_i64(out, "units", PLOY_STATE, anya->stats.units);
    ploy_describe_f64(out, "length", PLOY_DERIVED, ployi_grid_anya_length(anya));
}

void ployi_grid_anya_memory(const ployi_grid_anya *anya, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"anya", sizeof *anya, 1};
    ploy_memory_item records = {"anya records", (size_t)anya->record_count * sizeof *anya->records,
                                1};
    fn(user, &self);
    fn(user, &records);
    ploy_array_memory(&anya->pieces, fn, user);
    ploy_heap_memory(&anya->open, fn, user);
}
