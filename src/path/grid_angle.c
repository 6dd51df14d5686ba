// Any-angle paths: Theta* and Lazy Theta*; the technique is described in the header.
//
// Invariants, while there is something to do:
//   (1) a record is of this search exactly if its generation is the search's;
//   (2) with theta each cell sees its parent; with lazy each closed cell does, and an open one hopes
//       to: if it does not when it is taken, it gets a neighbour as its parent instead;
//   (3) no cell whose cost and estimate are as long as the best path so far is opened.
// The answer is kept as a list of turns, the goal first, because the grid's path may be the answer.
#include "path/grid_angle_internal.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "path/grid_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/heap.h"
#include "ploy/base/math.h"

enum { GRID_ANGLE_LOOKS = 64 };  // cells looked at for one unit of work
enum { GRID_ANGLE_WINDOW = 16 }; // turns over which a path is straightened

typedef struct grid_angle_record {
    double cost;
    int32_t parent; // -1 for the start
    uint32_t mark;  // generation << 1 | closed
} grid_angle_record;

typedef struct grid_angle_turn {
    int32_t cell;
    int32_t back;  // for straightening: the one before it on the shortest path from the first
    double length; // of that way
} grid_angle_turn;

typedef enum grid_angle_phase {
    GRID_ANGLE_GRID, // the grid's own path
    GRID_ANGLE_THETA // ours
} grid_angle_phase;

struct ployi_grid_angle {
    ploy_env env;
    ployi_grid_angle_def def;
    const ploy_grid_map *map;
    ploy_grid_search *grid;   // jumps
    ploy_grid_search *slower; // A*, where corners may be cut
    grid_angle_record *records;
    int32_t record_count;
    uint32_t generation;
    ploy_indexed_heap heap;
    grid_angle_turn *turns; // the goal first, the start last
    int32_t turn_count, turn_room;
    int32_t start, goal;
    double best;  // length of the turns
    int64_t owed; // units of work done but not paid for
    int64_t paid; // cells looked at, of which the units are paid for or owed
    grid_angle_phase phase;
    ploy_search_outcome outcome;
    ployi_grid_angle_stats stats;
};

static const char *const grid_angle_names[] = {"theta", "lazy"};

static const ploy_field grid_angle_fields[] = {
    PLOY_FIELD_ENUM(ployi_grid_angle_def, algorithm, PLOY_GRID_ANGLE_LAZY, grid_angle_names,
                    "when to look"),
};

ploy_fields ployi_grid_angle_fields(void) {
    return PLOY_FIELDS(ployi_grid_angle_def, grid_angle_fields);
}

ployi_grid_angle_def ployi_grid_angle_def_default(void) {
    ployi_grid_angle_def def;
    ploy_fields_default(ployi_grid_angle_fields(), &def);
    return def;
}

const char *ployi_grid_angle_text(ploy_grid_angle_algorithm algorithm) {
    return (unsigned)algorithm < PLOY_GRID_ANGLE_COUNT ? grid_angle_names[algorithm] : "?";
}

// ---- sight ----

// Walks the cells that a line passes, comparing in whole numbers where it crosses the next column
// and the next row. Adds how many there were.
static bool grid_angle_sees(const ploy_grid_map *map, int32_t a, int32_t b, int64_t *looked) {
    int32_t ay = ployi_grid_row(map, a), x = a - ay * map->width, y = ay;
    int32_t by = ployi_grid_row(map, b), bx = b - by * map->width;
    int32_t sx = bx > x ? 1 : -1, sy = by > y ? 1 : -1;
    int64_t wide = (int64_t)(bx - x) * sx, high = (int64_t)(by - y) * sy;
    ploy_tile_corners corners = map->tiles->def.corners;
    if (!ployi_grid_fits(map, x, y)) return false;
    for (int64_t i = 0, k = 0; i < wide || k < high;) {
        int64_t later =
            (1 + 2 * i) * high - (1 + 2 * k) * wide; // the column's crossing, if above 0
        ++*looked;
        if (later == 0 && corners != PLOY_TILE_CORNERS_CUT) {
            bool beside = ployi_grid_fits(map, x + sx, y), above = ployi_grid_fits(map, x, y + sy);
            bool passes = corners == PLOY_TILE_CORNERS_CLEAR ? beside && above : beside || above;
            if (!passes) return false;
        }
        if (later <= 0) {
            x += sx;
            i++;
        }
        if (later >= 0) {
            y += sy;
            k++;
        }
        if (!ployi_grid_fits(map, x, y)) return false;
    }
    return true;
}

bool ploy_grid_sight(const ploy_grid_map *map, int32_t a, int32_t b) {
    int64_t looked = 0;
    if (a < 0 || b < 0 || a >= map->count || b >= map->count) return false;
    return grid_angle_sees(map, a, b, &looked);
}

static bool grid_angle_look(ployi_grid_angle *angle, int32_t a, int32_t b) {
    angle->stats.sights++;
    return grid_angle_sees(angle->map, a, b, &angle->stats.looked);
}

static double grid_angle_distance(const ploy_grid_map *map, int32_t a, int32_t b) {
    int32_t ay = ployi_grid_row(map, a), by = ployi_grid_row(map, b);
    double dx = (double)(a - ay * map->width - (b - by * map->width)), dy = (double)(ay - by);
    return sqrt(dx * dx + dy * dy);
}

// ---- life ----

ploy_result ployi_grid_angle_create(const ployi_grid_angle_def *def, const ploy_env *env,
                                    ployi_grid_angle **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ployi_grid_angle_fields(), def, env);
    if (result != PLOY_OK) return result;
    ployi_grid_angle *angle = ploy_env_alloc_zero(env, sizeof *angle);
    if (angle == NULL) return PLOY_ERR_MEMORY;
    angle->env = *env;
    angle->def = *def;
    ploy_indexed_heap_init(&angle->heap, 4, env);
    ploy_grid_search_def grid = ploy_grid_search_def_default();
    result = ploy_grid_search_create(&grid, env, &angle->grid);
    grid.algorithm = PLOY_GRID_ASTAR;
    if (result == PLOY_OK) result = ploy_grid_search_create(&grid, env, &angle->slower);
    if (result != PLOY_OK) {
        ployi_grid_angle_destroy(angle);
        return result;
    }
    *out = angle;
    return PLOY_OK;
}

void ployi_grid_angle_destroy(ployi_grid_angle *angle) {
    if (angle == NULL) return;
    ploy_env env = angle->env;
    ploy_grid_search_destroy(angle->grid);
    ploy_grid_search_destroy(angle->slower);
    ploy_indexed_heap_fini(&angle->heap);
    ploy_env_free(&env, angle->turns, (size_t)angle->turn_room * sizeof *angle->turns);
    ploy_env_free(&env, angle->records, (size_t)angle->record_count * sizeof *angle->records);
    ploy_env_free(&env, angle, sizeof *angle);
}

static ploy_grid_search *grid_angle_grid(const ployi_grid_angle *angle) {
    return ployi_grid_jumps_allowed(angle->map) ? angle->grid : angle->slower;
}

static ploy_result grid_angle_reserve(ployi_grid_angle *angle, int32_t count) {
    angle->generation++;
    if (count <= angle->record_count && angle->generation < (uint32_t)1 << 31) return PLOY_OK;
    if (count <= angle->record_count) {
        memset(angle->records, 0, (size_t)angle->record_count * sizeof *angle->records);
    } else {
        ploy_result result = ploy_indexed_heap_reserve(&angle->heap, count);
        if (result != PLOY_OK) return result;
        grid_angle_record *records =
            ploy_env_alloc_zero(&angle->env, (size_t)count * sizeof *records);
        if (records == NULL) return PLOY_ERR_MEMORY;
        ploy_env_free(&angle->env, angle->records,
                      (size_t)angle->record_count * sizeof *angle->records);
        angle->records = records;
        angle->record_count = count;
    }
    angle->generation = 1;
    return PLOY_OK;
}

ploy_result ployi_grid_angle_begin(ployi_grid_angle *angle, const ploy_grid_map *map, int32_t start,
                                   int32_t goal) {
    angle->outcome = PLOY_SEARCH_IDLE;
    memset(&angle->stats, 0, sizeof angle->stats);
    ploy_indexed_heap_clear(&angle->heap);
    angle->map = NULL;
    angle->turn_count = 0;
    angle->owed = angle->paid = 0;
    angle->best = 0.0;
    if (map == NULL || start < 0 || goal < 0 || start >= map->count || goal >= map->count) {
        return PLOY_ERR_ARGUMENT;
    }
    if (map->weights != NULL || map->tiles->def.neighbours != PLOY_TILE_EIGHT) {
        return PLOY_ERR_UNSUPPORTED;
    }
    ploy_result result = grid_angle_reserve(angle, map->count);
    if (result != PLOY_OK) return result;
    angle->map = map;
    angle->start = start;
    angle->goal = goal;
    angle->phase = GRID_ANGLE_GRID;
    result = ploy_grid_search_begin(grid_angle_grid(angle), map, start, goal);
    if (result != PLOY_OK) {
        angle->map = NULL;
        return result;
    }
    angle->outcome = PLOY_SEARCH_OPEN;
    return PLOY_OK;
}

// ---- turns ----

static ploy_result grid_angle_add_turn(ployi_grid_angle *angle, int32_t cell) {
    if (angle->turn_count == angle->turn_room) {
        int32_t room = angle->turn_room > 0 ? 2 * angle->turn_room : PLOY_CAPACITY(64);
        grid_angle_turn *turns =
            ploy_env_resize(&angle->env, angle->turns, (size_t)angle->turn_room * sizeof *turns,
                            (size_t)room * sizeof *turns);
        if (turns == NULL) return PLOY_ERR_MEMORY;
        memset(turns + angle->turn_room, 0, (size_t)(room - angle->turn_room) * sizeof *turns);
        angle->turns = turns;
        angle->turn_room = room;
    }
    angle->turns[angle->turn_count++].cell = cell;
    return PLOY_OK;
}

// Leaves out turns that others see past: the shortest path over lines of sight between turns that
// are not too many apart, and measures what is left.
static void grid_angle_straighten(ployi_grid_angle *angle) {
    grid_angle_turn *turns = angle->turns;
    turns[0].length = 0.0;
    for (int32_t i = 1; i < angle->turn_count; i++) {
        turns[i].length = (double)INFINITY;
        for (int32_t k = ploy_maxi(0, i - GRID_ANGLE_WINDOW); k < i; k++) {
            double length =
                turns[k].length + grid_angle_distance(angle->map, turns[k].cell, turns[i].cell);
            if (!(length < turns[i].length)) continue;
            // A leg of the path itself needs no look.
            if (k < i - 1 && !grid_angle_look(angle, turns[k].cell, turns[i].cell)) continue;
            turns[i].length = length;
            turns[i].back = k;
        }
    }
    angle->best = turns[angle->turn_count - 1].length;
    // The path leads from the last back to the first; those on it move together.
    int32_t first = angle->turn_count;
    for (int32_t i = angle->turn_count - 1;; i = turns[i].back) {
        // What moves up was passed already: of two legs the later one is always stored higher.
        turns[--first].cell = turns[i].cell;
        if (i == 0) break;
    }
    angle->turn_count -= first;
    memmove(turns, turns + first, (size_t)angle->turn_count * sizeof *turns);
}

// The grid's path as turns: the points where its jumps end, and where each bends.
static ploy_result grid_angle_take_grid(ployi_grid_angle *angle) {
    const ploy_grid_map *map = angle->map;
    const ployi_grid_record *records = grid_angle_grid(angle)->records;
    ploy_result result = grid_angle_add_turn(angle, angle->goal);
    for (int32_t at = angle->goal, from; result == PLOY_OK && (from = records[at].parent) >= 0;
         at = from) {
        int32_t from_row = ployi_grid_row(map, from), dy = ployi_grid_row(map, at) - from_row;
        int32_t dx = at - from - dy * map->width;
        int32_t step_x = (dx > 0) - (dx < 0), step_y = (dy > 0) - (dy < 0);
        int32_t less = ploy_mini(dx * step_x, dy * step_y);
        int32_t bend = from + less * (step_x + step_y * map->width);
        if (bend != from && bend != at) result = grid_angle_add_turn(angle, bend);
        if (result == PLOY_OK) result = grid_angle_add_turn(angle, from);
    }
    if (result == PLOY_OK) grid_angle_straighten(angle);
    return result;
}

// ---- Theta* ----

static void grid_angle_offer(ployi_grid_angle *angle, int32_t cell, int32_t parent, double cost) {
    grid_angle_record *record = &angle->records[cell];
    double sum = cost + grid_angle_distance(angle->map, cell, angle->goal);
    if (!(sum < angle->best)) return; // keeps (3)
    if (record->mark >> 1 == angle->generation) {
        if ((record->mark & 1u) != 0 || !(cost < record->cost)) return;
        ploy_indexed_heap_update(&angle->heap, cell, sum);
    } else {
        ploy_indexed_heap_push(&angle->heap, cell, sum); // there is room for every cell
    }
    record->cost = cost;
    record->parent = parent;
    record->mark = angle->generation << 1;
}

static uint32_t grid_angle_moves(const ploy_grid_map *map, int32_t cell) {
    int32_t y = ployi_grid_row(map, cell);
    return map->moves[8][ployi_grid_around(map, cell - y * map->width, y)];
}

static int32_t grid_angle_beside(const ploy_grid_map *map, int32_t cell, uint32_t moves) {
    int32_t direction = ployi_lowest_bit(moves);
    return cell + ployi_tile_dx[direction] + ployi_tile_dy[direction] * map->width;
}

// The hope of a lazy cell was wrong: it goes through the best of its closed neighbours. There is
// one, because it was one that opened the cell.
static void grid_angle_mend(ployi_grid_angle *angle, int32_t cell) {
    grid_angle_record *record = &angle->records[cell];
    record->cost = (double)INFINITY;
    for (uint32_t moves = grid_angle_moves(angle->map, cell); moves != 0; moves &= moves - 1) {
        int32_t near = grid_angle_beside(angle->map, cell, moves);
        const grid_angle_record *other = &angle->records[near];
        if (other->mark != (angle->generation << 1 | 1u)) continue;
        double cost = other->cost + grid_angle_distance(angle->map, near, cell);
        if (!(cost < record->cost)) continue;
        record->cost = cost;
        record->parent = near;
    }
}

// One cell; false if the search is finished.
static bool grid_angle_take(ployi_grid_angle *angle) {
    const ploy_grid_map *map = angle->map;
    int32_t cell;
    double sum;
    if (!ploy_indexed_heap_pop(&angle->heap, &cell, &sum) || !(sum < angle->best)) return false;
    bool lazy = angle->def.algorithm == PLOY_GRID_ANGLE_LAZY;
    grid_angle_record *record = &angle->records[cell];
    angle->stats.taken++;
    if (lazy && record->parent >= 0 && !grid_angle_look(angle, record->parent, cell)) {
        grid_angle_mend(angle, cell);
    }
    record->mark |= 1u;
    if (cell == angle->goal) return false;
    int32_t parent = record->parent >= 0 ? record->parent : cell;
    for (uint32_t moves = grid_angle_moves(map, cell); moves != 0; moves &= moves - 1) {
        int32_t near = grid_angle_beside(map, cell, moves), from = parent;
        if (angle->records[near].mark == (angle->generation << 1 | 1u)) continue;
        if (!lazy && from != cell && !grid_angle_look(angle, from, near)) from = cell;
        grid_angle_offer(angle, near, from,
                         angle->records[from].cost + grid_angle_distance(map, from, near));
    }
    return true;
}

// The search's path, if it reached the goal and is shorter than what is there.
static ploy_result grid_angle_take_path(ployi_grid_angle *angle) {
    const grid_angle_record *goal = &angle->records[angle->goal];
    angle->stats.straightened = true;
    if (goal->mark != (angle->generation << 1 | 1u) || !(goal->cost < angle->best)) return PLOY_OK;
    angle->stats.straightened = false;
    angle->turn_count = 0;
    for (int32_t at = angle->goal; at >= 0; at = angle->records[at].parent) {
        ploy_result result = grid_angle_add_turn(angle, at);
        if (result != PLOY_OK) return result;
    }
    grid_angle_straighten(angle);
    return PLOY_OK;
}

// ---- work ----

// What the grid's search found, or that it found nothing.
static ploy_result grid_angle_follow_grid(ployi_grid_angle *angle) {
    const ploy_grid_search *grid = grid_angle_grid(angle);
    angle->stats.taken = ploy_grid_search_stats_of(grid).taken;
    angle->stats.units = ploy_grid_search_stats_of(grid).units;
    angle->phase = GRID_ANGLE_THETA;
    if (ploy_grid_search_outcome(grid) != PLOY_SEARCH_FOUND) {
        angle->outcome = PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    ploy_result result = grid_angle_take_grid(angle);
    if (result == PLOY_OK) grid_angle_offer(angle, angle->start, PLOY_STATE_NONE, 0.0);
    return result;
}

ploy_result ployi_grid_angle_step(ployi_grid_angle *angle, ploy_budget *budget) {
    if (angle->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    ploy_result result = PLOY_OK;
    if (angle->outcome == PLOY_SEARCH_OPEN && angle->phase == GRID_ANGLE_GRID) {
        result = ploy_grid_search_step(grid_angle_grid(angle), budget);
        if (result == PLOY_IN_PROGRESS) return result;
        if (result == PLOY_OK) result = grid_angle_follow_grid(angle);
    }
    while (result == PLOY_OK && angle->outcome == PLOY_SEARCH_OPEN) {
        if (!ployi_grid_pay(budget, &angle->owed)) return PLOY_IN_PROGRESS;
        bool more = grid_angle_take(angle);
        angle->owed = angle->stats.looked / GRID_ANGLE_LOOKS - angle->paid / GRID_ANGLE_LOOKS;
        angle->paid = angle->stats.looked;
        angle->stats.units += 1 + angle->owed;
        if (more) continue;
        result = grid_angle_take_path(angle);
        angle->outcome = PLOY_SEARCH_FOUND;
    }
    if (result < PLOY_OK) angle->outcome = PLOY_SEARCH_IDLE;
    return result;
}

void ployi_grid_angle_cancel(ployi_grid_angle *angle) {
    angle->outcome = PLOY_SEARCH_IDLE;
}

ploy_result ployi_grid_angle_run(ployi_grid_angle *angle, const ploy_grid_map *map, int32_t start,
                                 int32_t goal) {
    ploy_result result = ployi_grid_angle_begin(angle, map, start, goal);
    return result == PLOY_OK ? ployi_grid_angle_step(angle, NULL) : result;
}

static ploy_result grid_angle_task_step(void *self, ploy_budget *budget) {
    return ployi_grid_angle_step(self, budget);
}

static void grid_angle_task_cancel(void *self) {
    ployi_grid_angle_cancel(self);
}

static void grid_angle_task_describe(const void *self, ploy_describe *out) {
    ployi_grid_angle_describe(self, out);
}

ploy_task ployi_grid_angle_task(ployi_grid_angle *angle) {
    static const ploy_task_type type = {"any-angle search", grid_angle_task_step,
                                        grid_angle_task_cancel, grid_angle_task_describe};
    ploy_task task = {&type, angle};
    return task;
}

// ---- results ----

ploy_search_outcome ployi_grid_angle_outcome(const ployi_grid_angle *angle) {
    return angle->outcome;
}

double ployi_grid_angle_length(const ployi_grid_angle *angle) {
    return angle->outcome == PLOY_SEARCH_FOUND ? angle->best : 0.0;
}

int32_t ployi_grid_angle_path(const ployi_grid_angle *angle, int32_t *out, int32_t capacity) {
    if (angle->outcome != PLOY_SEARCH_FOUND) return -1;
    int32_t count = angle->turn_count - 1;
    for (int32_t i = 0; i < count && i < capacity; i++) out[i] = angle->turns[count - 1 - i].cell;
    return count;
}

ployi_grid_angle_stats ployi_grid_angle_stats_of(const ployi_grid_angle *angle) {
    return angle->stats;
}

// ---- drawing and describing ----

void ployi_grid_angle_draw(const ployi_grid_angle *angle, ploy_draw *out) {
    if (angle->map == NULL || !ploy_draw_wants(out, PLOY_LAYER_PATHS)) return;
    const ploy_tiles *tiles = angle->map->tiles;
    for (int32_t cell = 0; cell < angle->map->count; cell++) {
        const grid_angle_record *record = &angle->records[cell];
        if (record->mark >> 1 != angle->generation) continue;
        ploy_tiles_draw_cells(tiles, cell, 1, PLOY_LAYER_PATHS,
                              (record->mark & 1u) != 0 ? PLOY_STYLE_CLOSED : PLOY_STYLE_OPEN, 0.5f,
                              out);
    }
    for (int32_t i = 0; i + 1 < angle->turn_count; i++) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(),
                       ploy_tiles_localise(tiles, angle->turns[i].cell),
                       ploy_tiles_localise(tiles, angle->turns[i + 1].cell));
    }
}

void ployi_grid_angle_describe(const ployi_grid_angle *angle, ploy_describe *out) {
    uint64_t hash = 0;
    for (int32_t i = 0; angle->map != NULL && i < angle->map->count; i++) {
        const grid_angle_record *record = &angle->records[i];
        if (record->mark >> 1 != angle->generation) continue;
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)i << 1 | (record->mark & 1u));
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)record->parent);
    }
    for (int32_t i = 0; i < angle->turn_count; i++) {
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)angle->turns[i].cell);
    }
    ploy_describe_text(out, "algorithm", PLOY_STATE, ployi_grid_angle_text(angle->def.algorithm));
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(angle->outcome));
    ploy_describe_u64(out, "records and turns", PLOY_STATE, hash);
    ploy_describe_i64(out, "taken", PLOY_STATE, angle->stats.taken);
    ploy_describe_i64(out, "sights", PLOY_STATE, angle->stats.sights);
    ploy_describe_i64(out, "looked", PLOY_STATE, angle->stats.looked);
    ploy_describe_i64(out, "units", PLOY_STATE, angle->stats.units);
    ploy_describe_f64(out, "length", PLOY_DERIVED, ployi_grid_angle_length(angle));
}

void ployi_grid_angle_memory(const ployi_grid_angle *angle, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"any-angle search", sizeof *angle, 1};
    ploy_memory_item records = {"any-angle records",
                                (size_t)angle->record_count * sizeof *angle->records, 1};
    ploy_memory_item turns = {"any-angle turns", (size_t)angle->turn_room * sizeof *angle->turns,
                              1};
    fn(user, &self);
    fn(user, &records);
    fn(user, &turns);
    ploy_indexed_heap_memory(&angle->heap, fn, user);
    ploy_grid_search_memory(angle->grid, fn, user);
    ploy_grid_search_memory(angle->slower, fn, user);
}
