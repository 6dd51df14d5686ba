// The inside of grid maps and grid searches, shared between the map, A* and the jumps.
#pragma once

#include "base/compiler.h"
#include "path/labels.h"
#include "path/tiles_internal.h"
#include "ploy/base/array.h"
#include "ploy/path/grid_search.h"

// Lines of bits: rows or columns, with a blocked line and a blocked bit on every side, so that no
// scan asks where the map ends. Cell (x, y) is bit x + 1 of row y + 1, bit y + 1 of column x + 1.
typedef struct ployi_grid_lines {
    uint64_t *pass;      // 1: the body fits
    uint64_t *stop_up;   // 1: a jump towards higher bits stops here, at a wall or a jump point
    uint64_t *stop_down; // and towards lower bits
    uint64_t *hit_up;    // 1: a jump from here towards higher bits stops at a jump point
    uint64_t *hit_down;  // and towards lower bits
    int32_t words;       // of a line
    int32_t count;       // of lines
    int32_t bits;        // of a line
} ployi_grid_lines;

struct ploy_grid_map {
    ploy_env env;
    ploy_grid_map_def def;
    const ploy_tiles *tiles;
    uint64_t version;
    uint64_t generation; // of the tiles that it follows
    int32_t width, height, count;
    uint64_t inverse; // of width, and its shift: a row without a division, see ployi_grid_row
    int32_t shift;
    size_t bytes; // of the block of bits and labels
    uint64_t *block;
    ployi_grid_lines rows, columns;
    uint64_t *squares; // in rows, 1: this cell, the next, and the two above them are free
    ployi_labels labels;
    uint8_t *weights; // of each cell, or NULL if all cost the same
    int32_t least, most;
    int16_t *jumps; // eight a cell: above 0 steps to the jump point, else minus the steps to a wall
    int32_t
        *marks; // def.landmarks a cell: its distance from each, in units >> PLOYI_GRID_MARK_SHIFT
    bool prepared;      // the jump tables are right
    bool marks_made;    // the landmarks were measured on the map as it is
    int32_t mark_slack; // else what estimates by them may be too large, in the units of marks
    int32_t patches;    // cells patched by the refresh at hand
    ploy_array seen;    // int32_t: scratch of a patch, reserved by create
    // Directions open to a cell, by the nine bits around it: all of them at 8, and those of paths
    // in order by the direction it was entered in.
    uint8_t moves[9][512];
};

// False while edits of the tiles wait for a refresh.
static inline bool ployi_grid_map_follows(const ploy_grid_map *map) {
    return map->version == map->tiles->version;
}

// cell / width. With inverse = 2^shift / width rounded up and shift = 26 + log2 of width rounded
// up, the error is below cell / 2^shift < 1 / width for every cell of a map, and nothing overflows.
static inline int32_t ployi_grid_row(const ploy_grid_map *map, int32_t cell) {
    return (int32_t)((uint64_t)(uint32_t)cell * map->inverse >> map->shift);
}

static inline bool ployi_grid_bit(const uint64_t *line, int32_t bit) {
    return (line[bit >> 6] >> (bit & 63) & 1u) != 0;
}

static inline bool ployi_grid_fits(const ploy_grid_map *map, int32_t x, int32_t y) {
    return ployi_grid_bit(map->rows.pass + (size_t)(y + 1) * (size_t)map->rows.words, x + 1);
}

// The three bits of a line around a place; bit is the one before it.
static inline uint32_t ployi_grid_three(const uint64_t *line, int32_t bit) {
    int32_t word = bit >> 6, shift = bit & 63;
    uint64_t bits = line[word] >> shift;
    if (shift > 61) bits |= line[word + 1] << (64 - shift);
    return (uint32_t)(bits & 7u);
}

// The nine bits of a cell and its neighbours: bit 3 * row + column.
static inline uint32_t ployi_grid_around(const ploy_grid_map *map, int32_t x, int32_t y) {
    size_t words = (size_t)map->rows.words;
    const uint64_t *line = map->rows.pass + (size_t)y * words;
    return ployi_grid_three(line, x) | ployi_grid_three(line + words, x) << 3 |
           ployi_grid_three(line + 2 * words, x) << 6;
}

// Steps of paths in order out of a cell that was entered in any of some directions.
static inline uint32_t ployi_grid_moves(const ploy_grid_map *map, uint32_t entered,
                                        uint32_t around) {
    uint32_t moves = 0;
    for (; entered != 0; entered &= entered - 1) {
        moves |= map->moves[ployi_lowest_bit(entered)][around];
    }
    return moves;
}

// True if jumps are right on this map.
static inline bool ployi_grid_jumps_allowed(const ploy_grid_map *map) {
    return map->weights == NULL && map->tiles->def.neighbours == PLOY_TILE_EIGHT &&
           map->tiles->def.corners == PLOY_TILE_CORNERS_CLEAR;
}

// ---- searches ----

// A bucket is 2^25 units wide, 0.36 of a step. With the octile estimate and equal costs a step
// raises the sum of cost and estimate by 0 or by at least 2 - sqrt(2) = 0.59 of a step, so what a
// cell opens has its own sum or goes into a later bucket.
enum { PLOYI_GRID_SHIFT = 25 };
// Distances from landmarks are kept in units of 2^22, 0.045 of a step: the longest shortest path of
// a map (of 2^26 cells at most, and it fills no 2 x 2 of them) fits in 31 bits then.
enum { PLOYI_GRID_MARK_SHIFT = 22, PLOYI_GRID_MARKS_MAX = 8 };

// Landmarks with so much slack are not used.
enum { PLOYI_GRID_SLACK_MAX = 1 << 16 };

typedef struct ployi_grid_record {
    int64_t cost;
    int32_t parent; // cell, -1 for the start
    // Generation << 16 | directions it was entered in and followed << 8 | those that wait. All of
    // them at the same least cost: paths in order may go on differently from each.
    uint32_t mark;
} ployi_grid_record;

// One that waits in a bucket.
typedef struct ployi_grid_entry {
    int64_t sum; // cost and estimate
    int32_t cell;
    int32_t next; // in the bucket or in the free list, -1 at the end
} ployi_grid_entry;

struct ploy_grid_search {
    ploy_env env;
    ploy_grid_search_def def;
    const ploy_grid_map *map;
    const uint8_t *layer; // added to the cost of each cell, or NULL
    ployi_grid_record *records;
    int32_t record_count;
    uint32_t generation; // 16 bits
    int32_t *heads;      // of buckets, a ring: bucket b is at b & (head_count - 1)
    int32_t head_count;  // a power of two, or 0
    uint64_t *filled;    // a bit for each bucket that is not empty
    int32_t head_room;   // allocated
    ployi_grid_entry *entries;
    int32_t entry_room, entry_used, entry_free;
    int32_t open;
    int64_t bucket; // the one that is being emptied
    int64_t base;   // sum of the start
    int32_t start, goal, goal_x, goal_y;
    int64_t best;  // cost of the best path to the goal so far
    int64_t least; // cost of the cheapest cell, for estimates; 0 makes Dijkstra
    int64_t owed;  // units of work done but not paid for
    int64_t words; // scanned, of which the units are paid for or owed
    int32_t form;  // of the loop, see grid_search.c
    bool tables, failed;
    int32_t mark_count; // landmarks in use, and the goal's distances from them
    int32_t goal_marks[PLOYI_GRID_MARKS_MAX];
    ploy_search_outcome outcome;
    ploy_grid_search_stats stats;
};

// Pays units that are owed for work done, and one for what comes next; never more than there are, so
// that budgets hold exactly. False if the budget is empty before that.
static inline bool ployi_grid_pay(ploy_budget *budget, int64_t *owed) {
    if (budget == NULL) *owed = 0;
    for (; *owed > 0; --*owed) {
        if (!ploy_budget_spend(budget, 1)) return false;
    }
    return ploy_budget_spend(budget, 1);
}

static inline int64_t ployi_grid_octile(int32_t dx, int32_t dy) {
    int64_t x = dx < 0 ? -(int64_t)dx : dx, y = dy < 0 ? -(int64_t)dy : dy;
    int64_t less = x < y ? x : y;
    return PLOY_GRID_STRAIGHT * (x + y - 2 * less) + PLOY_GRID_DIAGONAL * less;
}

// The least that the rest of a path from a cell may cost, by the landmarks: both distances are
// rounded down, so one quantum is taken off, and what edits made of them. Never below 0.
static inline int64_t ployi_grid_far(const ploy_grid_search *search, int32_t cell) {
    const int32_t *marks = search->map->marks + (size_t)cell * (size_t)search->mark_count;
    int32_t least = 1 + search->map->mark_slack, most = least;
    for (int32_t i = 0; i < search->mark_count; i++) {
        int32_t apart = marks[i] - search->goal_marks[i];
        if (apart < 0) apart = -apart;
        if (apart > most) most = apart;
    }
    return (int64_t)(most - least) << PLOYI_GRID_MARK_SHIFT;
}

// Units taken apart.
ploy_grid_cost ployi_grid_cost_of(int64_t units);

// Room for more entries; false, and `failed`, if there is none.
bool ployi_grid_grow(ploy_grid_search *search);

// Puts a cell into its bucket. Out of memory sets `failed`.
static inline void ployi_grid_push(ploy_grid_search *search, int32_t cell, int64_t sum) {
    int32_t index = search->entry_free;
    if (index >= 0) {
        search->entry_free = search->entries[index].next;
    } else {
        if (search->entry_used == search->entry_room && !ployi_grid_grow(search)) return;
        index = search->entry_used++;
    }
    // Landmarks' estimates are rounded, so a sum may fall by a little: it stays in this bucket.
    int64_t bucket = (sum - search->base) >> PLOYI_GRID_SHIFT;
    if (bucket < search->bucket) bucket = search->bucket;
    int32_t slot = (int32_t)bucket & (search->head_count - 1);
    ployi_grid_entry *entry = &search->entries[index];
    entry->sum = sum;
    entry->cell = cell;
    entry->next = search->heads[slot];
    search->heads[slot] = index;
    search->filled[slot >> 6] |= (uint64_t)1 << (slot & 63);
    search->open++;
    search->stats.opened++;
    if (search->open > search->stats.peak_open) search->stats.peak_open = search->open;
}

// The record of a cell for this search, fresh if it is of an older one.
static inline bool ployi_grid_seen(const ploy_grid_search *search,
                                   const ployi_grid_record *record) {
    return record->mark >> 16 == search->generation;
}

// A path of that cost leads into a cell in a direction. False if that is nothing new; true if the
// cell has to wait (`fresh` is the generation, shifted), and then *queued says whether it does.
static inline bool ployi_grid_enter(ploy_grid_search *search, ployi_grid_record *record,
                                    int32_t from, int64_t cost, int32_t direction, uint32_t fresh,
                                    bool *queued) {
    uint32_t bit = 1u << direction, mark = record->mark;
    *queued = false;
    if (mark >= fresh) { // marks only grow, so it is of this search
        bool same = cost == record->cost;
        if (cost > record->cost || (same && ((mark | mark >> 8) & bit) != 0)) return false;
        *queued = same && (mark & 255u) != 0; // at this very cost
        if ((mark & 255u) == 0) search->stats.reopened++;
        if (same) {
            record->mark = mark | bit;
            return true;
        }
    }
    record->cost = cost;
    record->parent = from;
    record->mark = fresh | bit;
    return true;
}

// Follows the jumps out of a cell in the directions that wait.
void ployi_grid_jump(ploy_grid_search *search, int32_t cell, uint32_t waiting);
// Straight jumps of one line, against the direction, so that the next cell's is known. All of them,
// or those that the edit of a bit changes (around, else -1): then cells that begin or cease to see a
// jump point are added to `seen`.
void ployi_grid_straight_jumps(ploy_grid_map *map, int32_t direction, int32_t line, int32_t around);
// The diagonal jump of a cell whose straight jumps and those further on are known.
int16_t ployi_grid_diagonal_jump(const ploy_grid_map *map, int32_t x, int32_t y, int32_t direction);
// Makes the tables right again after the bits around a cell have changed.
void ployi_grid_patch_tables(ploy_grid_map *map, int32_t cell);
// Adds the slack of a cell that is about to be opened; and, after it was, gives it its distances.
void ployi_grid_patch_slack(ploy_grid_map *map, int32_t cell);
void ployi_grid_patch_marks(ploy_grid_map *map, int32_t cell);
// Makes the tables.
void ployi_grid_make_tables(ploy_grid_map *map);
// Chooses landmarks and measures how far every cell is from them. PLOY_ERR_MEMORY.
ploy_result ployi_grid_make_marks(ploy_grid_map *map);
