// The grid's own search: Dijkstra, A* and the loop that jumps share with them.
//
// Invariants, while there is something to do:
//   (1) a record is of this search exactly if its generation is the search's;
//   (2) every record with directions waiting has an entry in the bucket of its sum, or in a later
//       one; entries of records without any are left over and passed by;
//   (3) no entry lies in a bucket before the one being emptied: estimates are consistent;
//   (4) following parents from any record leads to the start, and cost strictly falls on the way.
// An answer counts when every bucket up to the one of its cost holds nothing cheaper: buckets are
// wider than the smallest difference between costs, so order within one is not to be trusted.
#include "ploy/path/grid_search.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "path/grid_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

enum { GRID_SEARCH_GENERATIONS = 1 << 16 };
// Words scanned for one unit of work.
enum { GRID_SEARCH_WORDS = 64 };
// What makes one search differ from another, known when the loop is compiled.
typedef enum grid_search_form {
    GRID_SEARCH_OCTILE, // A* on equal costs
    GRID_SEARCH_BLIND,  // Dijkstra on equal costs
    GRID_SEARCH_GENERAL // anything
} grid_search_form;

// Of PLOY_GRID_DIAGONAL modulo PLOY_GRID_STRAIGHT: takes a cost apart.
static const uint64_t grid_search_inverse = 38613965;

static const char *const grid_search_names[] = {"dijkstra", "astar", "jps", "fast"};

static const ploy_field grid_search_fields[] = {
    PLOY_FIELD_ENUM(ploy_grid_search_def, algorithm, PLOY_GRID_FAST, grid_search_names,
                    "how to search; fast is jps on a map without tables"),
};

ploy_fields ploy_grid_search_fields(void) {
    return PLOY_FIELDS(ploy_grid_search_def, grid_search_fields);
}

ploy_grid_search_def ploy_grid_search_def_default(void) {
    ploy_grid_search_def def;
    ploy_fields_default(ploy_grid_search_fields(), &def);
    return def;
}

const char *ploy_grid_algorithm_text(ploy_grid_algorithm algorithm) {
    return (unsigned)algorithm < PLOY_GRID_ALGORITHM_COUNT ? grid_search_names[algorithm] : "?";
}

ploy_result ploy_grid_search_create(const ploy_grid_search_def *def, const ploy_env *env,
                                    ploy_grid_search **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_grid_search_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_grid_search *search = ploy_env_alloc_zero(env, sizeof *search);
    if (search == NULL) return PLOY_ERR_MEMORY;
    search->env = *env;
    search->def = *def;
    search->outcome = PLOY_SEARCH_IDLE;
    *out = search;
    return PLOY_OK;
}

static size_t grid_search_head_bytes(int32_t room) {
    return (size_t)room * sizeof(int32_t) + (size_t)(room / 64 + 1) * sizeof(uint64_t);
}

void ploy_grid_search_destroy(ploy_grid_search *search) {
    if (search == NULL) return;
    ploy_env env = search->env;
    ploy_env_free(&env, search->records, (size_t)search->record_count * sizeof *search->records);
    // The bits come before the heads, for their alignment.
    ploy_env_free(&env, search->filled,
                  search->head_room > 0 ? grid_search_head_bytes(search->head_room) : 0);
    ploy_env_free(&env, search->entries, (size_t)search->entry_room * sizeof *search->entries);
    ploy_env_free(&env, search, sizeof *search);
}

// ---- buckets ----

bool ployi_grid_grow(ploy_grid_search *search) {
    int32_t room = search->entry_room > 0 ? 2 * search->entry_room : PLOY_CAPACITY(1024);
    ployi_grid_entry *entries = search->entry_room >= 1 << 29
                                    ? NULL
                                    : ploy_env_resize(&search->env, search->entries,
                                                      (size_t)search->entry_room * sizeof *entries,
                                                      (size_t)room * sizeof *entries);
    if (entries == NULL) {
        search->failed = true;
        return false;
    }
    // Zeroed, so that a region has the same bytes whatever lay there before.
    memset(entries + search->entry_room, 0, (size_t)(room - search->entry_room) * sizeof *entries);
    search->entries = entries;
    search->entry_room = room;
    return true;
}

// Goes on to the next bucket that holds anything; at least one does.
static void grid_search_next_bucket(ploy_grid_search *search) {
    int32_t slot = (int32_t)(search->bucket & (search->head_count - 1)), words;
    uint64_t bits = search->filled[slot >> 6] >> (slot & 63);
    if (bits != 0) {
        search->bucket += ployi_lowest_bit(bits);
        return;
    }
    // The ring has 64 buckets at least, so it is whole words.
    words = search->head_count / 64;
    int32_t word = slot >> 6;
    search->bucket += 64 - (slot & 63);
    for (;;) {
        word = word + 1 == words ? 0 : word + 1;
        if (search->filled[word] != 0) break;
        search->bucket += 64;
    }
    search->bucket += ployi_lowest_bit(search->filled[word]);
}

// Takes the last one put into the bucket; the bucket is not empty.
static ployi_grid_entry grid_search_pop(ploy_grid_search *search) {
    int32_t slot = (int32_t)(search->bucket & (search->head_count - 1));
    int32_t index = search->heads[slot];
    ployi_grid_entry entry = search->entries[index];
    search->heads[slot] = entry.next;
    if (entry.next < 0) search->filled[slot >> 6] &= ~((uint64_t)1 << (slot & 63));
    search->entries[index].next = search->entry_free;
    search->entry_free = index;
    search->open--;
    return entry;
}

// ---- begin ----

// Empties the ring, of which few buckets hold anything at the end of a search.
static void grid_search_clear_ring(ploy_grid_search *search) {
    for (int32_t word = 0; word < search->head_count / 64; word++) {
        for (uint64_t bits = search->filled[word]; bits != 0; bits &= bits - 1) {
            search->heads[word * 64 + ployi_lowest_bit(bits)] = -1;
        }
        search->filled[word] = 0;
    }
}

// A ring that holds the largest rise of a sum by one edge: there and back again.
static ploy_result grid_search_make_ring(ploy_grid_search *search) {
    const ploy_grid_map *map = search->map;
    int64_t rise = 2 * PLOY_GRID_DIAGONAL * (map->most + (search->layer != NULL ? UINT8_MAX : 0));
    if (search->def.algorithm >= PLOY_GRID_JPS) {
        rise = 2 * ployi_grid_octile(map->width, map->height);
    }
    int32_t count = 64;
    while (count <= (rise >> PLOYI_GRID_SHIFT) + 2) count *= 2;
    if (count == search->head_count) {
        grid_search_clear_ring(search);
        return PLOY_OK;
    }
    if (count > search->head_room) {
        uint64_t *filled =
            ploy_env_resize(&search->env, search->filled,
                            search->head_room > 0 ? grid_search_head_bytes(search->head_room) : 0,
                            grid_search_head_bytes(count));
        if (filled == NULL) return PLOY_ERR_MEMORY;
        search->filled = filled;
        search->head_room = count;
    }
    search->heads = (int32_t *)(void *)(search->filled + search->head_room / 64 + 1);
    search->head_count = count;
    memset(search->filled, 0, (size_t)(search->head_room / 64 + 1) * sizeof *search->filled);
    memset(search->heads, 0xFF, (size_t)count * sizeof *search->heads);
    return PLOY_OK;
}

static ploy_result grid_search_make_records(ploy_grid_search *search, int32_t count) {
    search->generation++;
    if (search->record_count < count) {
        ployi_grid_record *records =
            ploy_env_alloc_zero(&search->env, (size_t)count * sizeof *records);
        if (records == NULL) return PLOY_ERR_MEMORY;
        ploy_env_free(&search->env, search->records,
                      (size_t)search->record_count * sizeof *records);
        search->records = records;
        search->record_count = count;
        search->generation = 1;
    } else if (search->generation == GRID_SEARCH_GENERATIONS) {
        memset(search->records, 0, (size_t)search->record_count * sizeof *search->records);
        search->generation = 1;
    }
    return PLOY_OK;
}

static int64_t grid_search_estimate(const ploy_grid_search *search, int32_t x, int32_t y) {
    if (search->least == 0) return 0;
    int32_t dx = search->goal_x - x, dy = search->goal_y - y;
    if (search->map->tiles->def.neighbours == PLOY_TILE_FOUR) {
        return search->least * PLOY_GRID_STRAIGHT *
               ((dx < 0 ? -(int64_t)dx : dx) + (dy < 0 ? -(int64_t)dy : dy));
    }
    return search->least * ployi_grid_octile(dx, dy);
}

void ploy_grid_search_set_layer(ploy_grid_search *search, const uint8_t *extra) {
    search->layer = extra;
    search->outcome = PLOY_SEARCH_IDLE;
}

ploy_result ploy_grid_search_begin(ploy_grid_search *search, const ploy_grid_map *map,
                                   int32_t start, int32_t goal) {
    search->outcome = PLOY_SEARCH_IDLE;
    memset(&search->stats, 0, sizeof search->stats);
    search->map = NULL;
    if (map == NULL || start < 0 || start >= map->count || goal >= map->count) {
        return PLOY_ERR_ARGUMENT;
    }
    bool jumps = search->def.algorithm >= PLOY_GRID_JPS;
    if (goal < 0 && (goal != PLOY_STATE_NONE || search->def.algorithm != PLOY_GRID_DIJKSTRA)) {
        return PLOY_ERR_ARGUMENT;
    }
    bool same = search->layer == NULL && ployi_grid_jumps_allowed(map);
    if (jumps && !same) return PLOY_ERR_UNSUPPORTED;
    search->map = map;
    ploy_result result = grid_search_make_records(search, map->count);
    if (result == PLOY_OK) result = grid_search_make_ring(search);
    if (result != PLOY_OK) {
        search->map = NULL;
        return result;
    }
    search->entry_used = 0;
    search->entry_free = -1;
    search->open = 0;
    search->start = start;
    search->goal = goal;
    search->goal_x = goal < 0 ? -1 : goal % map->width;
    search->goal_y = goal < 0 ? -1 : goal / map->width;
    search->best = INT64_MAX;
    search->least = search->def.algorithm == PLOY_GRID_DIJKSTRA ? 0 : map->least;
    search->form = search->least == 0 ? GRID_SEARCH_BLIND : GRID_SEARCH_OCTILE;
    if (!same) search->form = GRID_SEARCH_GENERAL;
    search->owed = 0;
    search->words = 0;
    search->tables = search->def.algorithm == PLOY_GRID_FAST && ployi_grid_map_prepared(map);
    bool marks = search->tables && map->marks != NULL && map->mark_slack < PLOYI_GRID_SLACK_MAX;
    search->mark_count = marks ? map->def.landmarks : 0;
    for (int32_t i = 0; i < search->mark_count; i++) {
        search->goal_marks[i] = map->marks[(size_t)goal * (size_t)search->mark_count + (size_t)i];
    }
    search->failed = false;
    search->bucket = 0;
    ployi_grid_record *record = &search->records[start];
    record->cost = 0;
    record->parent = PLOY_STATE_NONE;
    record->mark = search->generation << 16;
    bool fits = ploy_grid_map_fits(map, start);
    if (goal == start) {
        search->best = 0;
        search->outcome = fits ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    if (!fits || (goal >= 0 && !ploy_grid_map_connected(map, start, goal))) {
        search->outcome = PLOY_SEARCH_NONE;
        return PLOY_OK;
    }
    record->mark |= 255u; // entered from everywhere
    search->base = grid_search_estimate(search, start % map->width, start / map->width);
    if (search->mark_count > 0) {
        int64_t far = ployi_grid_far(search, start);
        if (far > search->base) search->base = far;
    }
    ployi_grid_push(search, start, search->base);
    if (search->failed) return PLOY_ERR_MEMORY;
    search->outcome = PLOY_SEARCH_OPEN;
    return PLOY_OK;
}

// ---- steps ----

// Dijkstra and A*: the neighbours of one cell.
static inline void grid_search_expand(ploy_grid_search *search, int32_t cell, uint32_t entered,
                                      grid_search_form form) {
    const ploy_grid_map *map = search->map;
    int32_t width = map->width, y = ployi_grid_row(map, cell), x = cell - y * width;
    uint32_t around = ployi_grid_around(map, x, y);
    uint32_t fresh = search->generation << 16;
    uint32_t moves = form == GRID_SEARCH_GENERAL ? map->moves[8][around]
                                                 : ployi_grid_moves(map, entered, around);
    int64_t cost = search->records[cell].cost;
    for (; moves != 0; moves &= moves - 1) {
        int32_t direction = ployi_lowest_bit(moves);
        int32_t tx = x + ployi_tile_dx[direction], ty = y + ployi_tile_dy[direction];
        int32_t to = ty * width + tx;
        int64_t step = (direction & 1) != 0 ? PLOY_GRID_DIAGONAL : PLOY_GRID_STRAIGHT;
        if (form == GRID_SEARCH_GENERAL) {
            step *= (map->weights != NULL ? map->weights[to] : 1) +
                    (search->layer != NULL ? search->layer[to] : 0);
        }
        int64_t sum = cost + step;
        ployi_grid_record *record = &search->records[to];
        bool queued;
        // Without an order of paths the direction does not matter.
        int32_t as = form == GRID_SEARCH_GENERAL ? 0 : direction;
        if (!ployi_grid_enter(search, record, cell, sum, as, fresh, &queued) || queued) continue;
        if (to == search->goal) search->best = sum;
        if (form == GRID_SEARCH_OCTILE) {
            sum += ployi_grid_octile(search->goal_x - tx, search->goal_y - ty);
        } else if (form == GRID_SEARCH_GENERAL) {
            sum += grid_search_estimate(search, tx, ty);
        }
        if (sum < search->best) ployi_grid_push(search, to, sum);
    }
}

// One cell from the bucket; false if the search is finished.
static bool grid_search_take(ploy_grid_search *search) {
    if (search->open == 0) return false;
    grid_search_next_bucket(search);
    if (search->best < INT64_MAX &&
        search->bucket > (search->best - search->base) >> PLOYI_GRID_SHIFT) {
        return false;
    }
    ployi_grid_entry entry = grid_search_pop(search);
    ployi_grid_record *record = &search->records[entry.cell];
    uint32_t waiting = record->mark & 255u;
    if (waiting == 0 || entry.sum >= search->best) return true;
    search->stats.taken++;
    record->mark = (record->mark & ~255u) | waiting << 8;
    if (search->def.algorithm >= PLOY_GRID_JPS) {
        ployi_grid_jump(search, entry.cell, waiting);
    } else {
        switch (search->form) {
        case GRID_SEARCH_OCTILE:
            grid_search_expand(search, entry.cell, waiting, GRID_SEARCH_OCTILE);
            break;
        case GRID_SEARCH_BLIND:
            grid_search_expand(search, entry.cell, waiting, GRID_SEARCH_BLIND);
            break;
        default: grid_search_expand(search, entry.cell, waiting, GRID_SEARCH_GENERAL); break;
        }
    }
    return true;
}

ploy_result ploy_grid_search_step(ploy_grid_search *search, ploy_budget *budget) {
    if (search->outcome == PLOY_SEARCH_IDLE) return PLOY_ERR_STATE;
    while (search->outcome == PLOY_SEARCH_OPEN) {
        // Words scanned by the last jumps were more than was paid for.
        if (!ployi_grid_pay(budget, &search->owed)) return PLOY_IN_PROGRESS;
        bool more = grid_search_take(search);
        int64_t paid = search->words / GRID_SEARCH_WORDS;
        search->words = search->stats.words;
        search->owed = search->words / GRID_SEARCH_WORDS - paid;
        search->stats.units += 1 + search->owed;
        if (search->failed) {
            search->outcome = PLOY_SEARCH_IDLE;
            return PLOY_ERR_MEMORY;
        }
        if (more) continue;
        search->outcome =
            search->goal < 0 || search->best < INT64_MAX ? PLOY_SEARCH_FOUND : PLOY_SEARCH_NONE;
    }
    return PLOY_OK;
}

void ploy_grid_search_cancel(ploy_grid_search *search) {
    search->outcome = PLOY_SEARCH_IDLE;
}

ploy_result ploy_grid_search_run(ploy_grid_search *search, const ploy_grid_map *map, int32_t start,
                                 int32_t goal) {
    ploy_result result = ploy_grid_search_begin(search, map, start, goal);
    return result == PLOY_OK ? ploy_grid_search_step(search, NULL) : result;
}

static ploy_result grid_search_task_step(void *self, ploy_budget *budget) {
    return ploy_grid_search_step(self, budget);
}

static void grid_search_task_cancel(void *self) {
    ploy_grid_search_cancel(self);
}

static void grid_search_task_describe(const void *self, ploy_describe *out) {
    ploy_grid_search_describe(self, out);
}

ploy_task ploy_grid_search_task(ploy_grid_search *search) {
    static const ploy_task_type type = {"grid search", grid_search_task_step,
                                        grid_search_task_cancel, grid_search_task_describe};
    ploy_task task = {&type, search};
    return task;
}

// ---- results ----

ploy_search_outcome ploy_grid_search_outcome(const ploy_grid_search *search) {
    return search->outcome;
}

static const ployi_grid_record *grid_search_record(const ploy_grid_search *search, int32_t cell) {
    if (search->map == NULL || cell < 0 || cell >= search->map->count) return NULL;
    const ployi_grid_record *record = &search->records[cell];
    return ployi_grid_seen(search, record) ? record : NULL;
}

ploy_grid_cost ploy_grid_cost_make(int64_t straight, int64_t diagonal) {
    ploy_grid_cost cost;
    cost.straight = straight;
    cost.diagonal = diagonal;
    cost.units = straight * PLOY_GRID_STRAIGHT + diagonal * PLOY_GRID_DIAGONAL;
    cost.length = (double)straight + (double)diagonal * 1.4142135623730951;
    return cost;
}

ploy_grid_cost ployi_grid_cost_of(int64_t units) {
    // units = s q + d p, so d = units / p modulo q; both factors fit in 27 bits.
    uint64_t q = (uint64_t)PLOY_GRID_STRAIGHT;
    int64_t diagonal = (int64_t)((uint64_t)units % q * grid_search_inverse % q);
    return ploy_grid_cost_make((units - diagonal * PLOY_GRID_DIAGONAL) / PLOY_GRID_STRAIGHT,
                               diagonal);
}

bool ploy_grid_search_cost(const ploy_grid_search *search, int32_t cell, ploy_grid_cost *out) {
    const ployi_grid_record *record = grid_search_record(search, cell);
    if (record == NULL) return false;
    *out = ployi_grid_cost_of(record->cost);
    return true;
}

static int32_t grid_search_abs(int32_t v) {
    return v < 0 ? -v : v;
}

// Columns and rows from one cell to another.
static void grid_search_apart(const ploy_grid_map *map, int32_t from, int32_t to, int32_t *dx,
                              int32_t *dy) {
    int32_t from_row = ployi_grid_row(map, from), to_row = ployi_grid_row(map, to);
    *dy = to_row - from_row;
    *dx = to - from - *dy * map->width;
}

int32_t ploy_grid_search_path(const ploy_grid_search *search, int32_t cell, int32_t *out,
                              int32_t capacity) {
    const ployi_grid_record *record = grid_search_record(search, cell);
    if (record == NULL) return -1;
    int32_t width = search->map->width, count = 0, dx, dy;
    for (int32_t at = cell, from; (from = search->records[at].parent) >= 0; at = from) {
        grid_search_apart(search->map, at, from, &dx, &dy);
        count += ploy_maxi(grid_search_abs(dx), grid_search_abs(dy));
    }
    // From the end; a jump goes diagonally first and then straight, so backwards straight first.
    int32_t index = count;
    for (int32_t at = cell, from; (from = search->records[at].parent) >= 0; at = from) {
        grid_search_apart(search->map, at, from, &dx, &dy);
        int32_t step_x = (dx > 0) - (dx < 0), step_y = ((dy > 0) - (dy < 0)) * width;
        dx = grid_search_abs(dx);
        dy = grid_search_abs(dy);
        int32_t straight = dx > dy ? step_x : step_y, place = at;
        int32_t turn = index - grid_search_abs(dx - dy), end = index - ploy_maxi(dx, dy);
        while (index > turn) {
            if (--index < capacity) out[index] = place;
            place += straight;
        }
        while (index > end) {
            if (--index < capacity) out[index] = place;
            place += step_x + step_y;
        }
    }
    return count;
}

int32_t ployi_grid_search_nearest(const ploy_grid_search *search) {
    if (search->map == NULL || search->goal < 0) return -1;
    int32_t best = -1, width = search->map->width;
    int64_t best_gap = 0, best_cost = 0;
    for (int32_t cell = 0, x = 0, y = 0; cell < search->map->count; cell++) {
        const ployi_grid_record *record = &search->records[cell];
        if (ployi_grid_seen(search, record)) {
            int64_t gap = ployi_grid_octile(x - search->goal_x, y - search->goal_y);
            if (best < 0 || gap < best_gap || (gap == best_gap && record->cost < best_cost)) {
                best = cell;
                best_gap = gap;
                best_cost = record->cost;
            }
        }
        if (++x == width) {
            x = 0;
            y++;
        }
    }
    return best;
}

ploy_search_status ploy_grid_search_status(const ploy_grid_search *search, int32_t cell) {
    const ployi_grid_record *record = grid_search_record(search, cell);
    if (record == NULL) return PLOY_SEARCH_UNSEEN;
    return (record->mark & 255u) != 0 ? PLOY_SEARCH_SEEN : PLOY_SEARCH_CLOSED;
}

ploy_grid_search_stats ploy_grid_search_stats_of(const ploy_grid_search *search) {
    return search->stats;
}

// ---- sight ----

void ploy_grid_search_draw(const ploy_grid_search *search, ploy_draw *out) {
    if (search->map == NULL || !ploy_draw_wants(out, PLOY_LAYER_PATHS)) return;
    const ploy_tiles *tiles = search->map->tiles;
    int32_t width = search->map->width;
    for (int32_t first = 0, next; first < search->map->count; first = next) {
        ploy_search_status status = ploy_grid_search_status(search, first);
        int32_t end = first - first % width + width;
        for (next = first + 1; next < end && ploy_grid_search_status(search, next) == status;) {
            next++;
        }
        if (status == PLOY_SEARCH_UNSEEN) continue;
        ploy_tiles_draw_cells(tiles, first, next - first, PLOY_LAYER_PATHS,
                              status == PLOY_SEARCH_SEEN ? PLOY_STYLE_OPEN : PLOY_STYLE_CLOSED,
                              0.5f, out);
    }
    if (search->goal < 0 || grid_search_record(search, search->goal) == NULL) return;
    // Turning points are enough for a line.
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t at = search->goal, from; (from = search->records[at].parent) >= 0; at = from) {
        int32_t dx = at % width - from % width, dy = at / width - from / width;
        int32_t less = ploy_mini(grid_search_abs(dx), grid_search_abs(dy));
        int32_t turn = from + less * (((dx > 0) - (dx < 0)) + ((dy > 0) - (dy < 0)) * width);
        ploy_vec2 points[3] = {ploy_tiles_localise(tiles, from), ploy_tiles_localise(tiles, turn),
                               ploy_tiles_localise(tiles, at)};
        ploy_draw_polyline(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody, points, 3);
    }
}

void ploy_grid_search_describe(const ploy_grid_search *search, ploy_describe *out) {
    uint64_t hash = 0;
    for (int32_t cell = 0; search->map != NULL && cell < search->map->count; cell++) {
        const ployi_grid_record *record = grid_search_record(search, cell);
        if (record == NULL) continue;
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)cell);
        hash = ploy_hash_combine(hash, (uint64_t)record->cost);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)record->parent);
        hash = ploy_hash_combine(hash, record->mark & 0xFFFFu);
    }
    ploy_describe_text(out, "algorithm", PLOY_STATE,
                       ploy_grid_algorithm_text(search->def.algorithm));
    ploy_describe_text(out, "outcome", PLOY_STATE, ploy_search_outcome_text(search->outcome));
    ploy_describe_u64(out, "records", PLOY_STATE, hash);
    ploy_describe_i64(out, "open", PLOY_DERIVED, search->open);
    ploy_describe_i64(out, "taken", PLOY_STATE, search->stats.taken);
    ploy_describe_i64(out, "opened", PLOY_STATE, search->stats.opened);
    ploy_describe_i64(out, "reopened", PLOY_STATE, search->stats.reopened);
    ploy_describe_i64(out, "words", PLOY_STATE, search->stats.words);
    ploy_describe_i64(out, "units", PLOY_STATE, search->stats.units);
    ploy_describe_i64(out, "peak open", PLOY_STATE, search->stats.peak_open);
    ploy_grid_cost cost;
    if (search->goal >= 0 && ploy_grid_search_cost(search, search->goal, &cost)) {
        ploy_describe_f64(out, "length", PLOY_DERIVED, cost.length);
    }
}

void ploy_grid_search_memory(const ploy_grid_search *search, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"grid search", sizeof *search, 1};
    ploy_memory_item records = {"grid search records",
                                (size_t)search->record_count * sizeof *search->records, 1};
    size_t open = (size_t)search->entry_room * sizeof *search->entries;
    if (search->head_room > 0) open += grid_search_head_bytes(search->head_room);
    ploy_memory_item queue = {"grid search buckets", open, 2};
    fn(user, &self);
    fn(user, &records);
    fn(user, &queue);
}
