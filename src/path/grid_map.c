// A map made ready for jumps: bits in rows and columns, stops, labels, tables.
//
// Invariants, from create to destroy:
//   (1) pass bits are right for the tiles of `version`, padding is 0; rows and columns agree;
//   (2) stop_up of a line has a 1 where the cell is blocked, and where a cell beside the line is
//       free while the one before it is not: there a path may have to turn; stop_down mirrored;
//       hit_up has a 1 where the next stop above is not a wall, hit_down likewise below; squares
//       are right for all rows but the blocked ones around the map, which have none;
//   (3) labels are right, never stale;
//   (4) `prepared` means that jumps holds what a scan of the bits would find; `marks_made` that marks
//       holds the distances of all cells from the landmark of their part of the map. Otherwise
//       differences of marks less mark_slack are at most the distance of two cells, unless that is
//       PLOYI_GRID_SLACK_MAX.
#include "ploy/path/grid_map.h"

#include "path/path_internal.h"

#include <math.h>
#include <string.h>

#include "path/grid_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

enum { GRID_MAP_SIDE_MAX = 32766 }; // jumps are 16 bits long
// Cells of one refresh that tables follow; with more it is as well to make them again.
enum { GRID_MAP_PATCHES_MAX = 16 };

static const ploy_field grid_map_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_grid_map_def, size, 1, 1, PLOY_TILES_CLEARANCE_MAX, "",
                         "cells a body's side is long"),
    PLOY_FIELD_BOOL(ploy_grid_map_def, tables, false, "make jump tables"),
    PLOY_FIELD_I32_FIXED(ploy_grid_map_def, landmarks, 4, 0, PLOYI_GRID_MARKS_MAX, "",
                         "landmarks of the tables; 0: rebuilt sooner after an edit"),
};

ploy_fields ploy_grid_map_fields(void) {
    return PLOY_FIELDS(ploy_grid_map_def, grid_map_fields);
}

ploy_grid_map_def ploy_grid_map_def_default(void) {
    ploy_grid_map_def def;
    ploy_fields_default(ploy_grid_map_fields(), &def);
    return def;
}

// ---- labels ----

static bool grid_map_is_free(const void *user, int32_t cell) {
    return ploy_grid_map_fits(user, cell);
}

static int32_t grid_map_links(const void *user, int32_t cell, int32_t out[8]) {
    const ploy_grid_map *map = user;
    // Where corners may be cut, diagonal steps join parts that straight ones do not.
    bool all = map->tiles->def.neighbours == PLOY_TILE_EIGHT &&
               map->tiles->def.corners == PLOY_TILE_CORNERS_CUT;
    int32_t x = cell % map->width, y = cell / map->width, count = 0;
    for (int32_t direction = 0; direction < 8; direction += all ? 1 : 2) {
        int32_t tx = x + ployi_tile_dx[direction], ty = y + ployi_tile_dy[direction];
        if (ployi_grid_fits(map, tx, ty)) out[count++] = ty * map->width + tx;
    }
    return count;
}

// ---- bits ----

static void grid_map_set_bit(uint64_t *line, int32_t bit, bool value) {
    uint64_t one = (uint64_t)1 << (bit & 63);
    line[bit >> 6] = value ? line[bit >> 6] | one : line[bit >> 6] & ~one;
}

// Where a jump along a line ends well: swept against the direction, so that the next stop is known.
static void grid_map_hits(ployi_grid_lines *lines, int32_t line) {
    size_t at = (size_t)line * (size_t)lines->words;
    const uint64_t *pass = lines->pass + at;
    for (int32_t direction = 0; direction < 2; direction++) {
        const uint64_t *stops = (direction == 0 ? lines->stop_up : lines->stop_down) + at;
        uint64_t *hits = (direction == 0 ? lines->hit_up : lines->hit_down) + at;
        memset(hits, 0, (size_t)lines->words * sizeof *hits);
        uint64_t hit = 0;
        for (int32_t i = 0; i < lines->bits; i++) {
            int32_t bit = direction == 0 ? lines->bits - 1 - i : i;
            hits[bit >> 6] |= hit << (bit & 63);
            if (ployi_grid_bit(stops, bit)) hit = ployi_grid_bit(pass, bit) ? 1 : 0;
        }
    }
}

// Where the free cells of a line begin, seen in each direction, is where a jump beside it stops.
static void grid_map_stops(ployi_grid_lines *lines, int32_t line) {
    size_t words = (size_t)lines->words, at = (size_t)line * words;
    const uint64_t *pass = lines->pass + at;
    const uint64_t *sides[2] = {pass - words, pass + words};
    for (size_t i = 0; i < words; i++) {
        uint64_t up = ~pass[i], down = ~pass[i];
        for (int32_t k = 0; k < 2; k++) {
            const uint64_t *side = sides[k];
            uint64_t before = side[i] << 1 | (i > 0 ? side[i - 1] >> 63 : 0);
            uint64_t after = side[i] >> 1 | (i + 1 < words ? side[i + 1] << 63 : 0);
            up |= side[i] & ~before;
            down |= side[i] & ~after;
        }
        lines->stop_up[at + i] = up;
        lines->stop_down[at + i] = down;
    }
    grid_map_hits(lines, line);
}

// A step along a diagonal needs a whole square of four cells to be free.
static void grid_map_squares(ploy_grid_map *map, int32_t line) {
    size_t words = (size_t)map->rows.words, at = (size_t)line * words;
    const uint64_t *low = map->rows.pass + at, *high = low + words;
    for (size_t i = 0; i < words; i++) {
        uint64_t both = low[i] & high[i];
        uint64_t next = i + 1 < words ? low[i + 1] & high[i + 1] : 0;
        map->squares[at + i] = both & (both >> 1 | next << 63);
    }
}

static bool grid_map_fits_tiles(const ploy_grid_map *map, int32_t cell) {
    return map->tiles->clearance[cell] >= map->def.size;
}

static void grid_map_put(ploy_grid_map *map, int32_t cell, bool fits) {
    int32_t x = cell % map->width, y = cell / map->width;
    grid_map_set_bit(map->rows.pass + (size_t)(y + 1) * (size_t)map->rows.words, x + 1, fits);
    grid_map_set_bit(map->columns.pass + (size_t)(x + 1) * (size_t)map->columns.words, y + 1, fits);
}

// ---- costs ----

// All costs in use are whole numbers of one byte, and which.
static bool grid_map_costs(const ploy_tiles *tiles, int32_t *least, int32_t *most) {
    *least = 255;
    *most = 1;
    for (int32_t kind = 0; kind < PLOY_TILE_KINDS; kind++) {
        float cost = tiles->costs[kind];
        if (tiles->used[kind] == 0 || !ploy_is_finite(cost)) continue;
        if (!(cost >= 1.0f && cost <= 255.0f) || cost != floorf(cost)) return false;
        *least = ploy_mini(*least, (int32_t)cost);
        *most = ploy_maxi(*most, (int32_t)cost);
    }
    if (*least > *most) *least = *most; // nothing is free
    return true;
}

static uint8_t grid_map_weight(const ploy_tiles *tiles, int32_t cell) {
    float cost = tiles->costs[tiles->kinds[cell]];
    return ploy_is_finite(cost) ? (uint8_t)cost : 0;
}

// The steps of paths that are put in order, diagonal steps before straight ones, out of a cell that
// was entered in a direction: as in jump point search, one cell at a time. On a diagonal both of
// its straight directions may follow; a straight line goes on, and past the end of a wall it may
// turn.
static uint32_t grid_map_ordered(int32_t entered, const bool open[8]) {
    uint32_t steps = 1u << entered;
    for (int32_t side = 1; side <= 7; side += 6) { // to the left, to the right
        int32_t turn = (entered + side) % 8, beside = (entered + 2 * side) % 8;
        bool wall_ends = !open[(entered + 3 * side) % 8];
        if (entered % 2 != 0) {
            steps |= 1u << turn;
        } else if (wall_ends) {
            steps |= 1u << turn | 1u << beside;
        }
    }
    return steps;
}

// The directions open to a cell, for all that may be around it; bit 3 * row + column of the index.
static void grid_map_make_moves(ploy_grid_map *map) {
    const ploy_tiles_def *def = &map->tiles->def;
    for (int32_t around = 0; around < 512; around++) {
        bool open[8];
        for (int32_t d = 0; d < 8; d++) {
            open[d] = (around >> (3 * (ployi_tile_dy[d] + 1) + ployi_tile_dx[d] + 1) & 1) != 0;
        }
        uint32_t moves = 0;
        for (int32_t d = 0; d < 8; d++) {
            bool a = open[(d + 7) % 8], b = open[(d + 1) % 8];
            bool passes = def->corners == PLOY_TILE_CORNERS_CUT || (a && b) ||
                          (def->corners == PLOY_TILE_CORNERS_ONE && (a || b));
            bool may = d % 2 == 0 || (def->neighbours == PLOY_TILE_EIGHT && passes);
            if (open[d] && may) moves |= 1u << d;
        }
        map->moves[8][around] = (uint8_t)moves;
        for (int32_t entered = 0; entered < 8; entered++) {
            map->moves[entered][around] = (uint8_t)(moves & grid_map_ordered(entered, open));
        }
    }
}

// Weights are kept if they differ, or if all are the same but not 1.
static ploy_result grid_map_take_costs(ploy_grid_map *map) {
    int32_t least, most;
    if (!grid_map_costs(map->tiles, &least, &most)) {
        ploy_env_log(&map->env, PLOY_SEVERITY_ERROR,
                     "grid map: costs are not whole numbers from 1 to 255");
        return PLOY_ERR_UNSUPPORTED;
    }
    if (most > 1 && map->weights == NULL) {
        map->weights = ploy_env_alloc(&map->env, (size_t)map->count);
        if (map->weights == NULL) return PLOY_ERR_MEMORY;
        for (int32_t i = 0; i < map->count; i++) map->weights[i] = grid_map_weight(map->tiles, i);
    } else if (most == 1 && map->weights != NULL) {
        ploy_env_free(&map->env, map->weights, (size_t)map->count);
        map->weights = NULL;
    }
    map->least = least;
    map->most = most;
    return PLOY_OK;
}

// ---- life ----

// Everything read again.
static void grid_map_read(ploy_grid_map *map) {
    for (int32_t cell = 0; cell < map->count; cell++) {
        grid_map_put(map, cell, grid_map_fits_tiles(map, cell));
        if (map->weights != NULL) map->weights[cell] = grid_map_weight(map->tiles, cell);
    }
    for (int32_t i = 1; i < map->rows.count - 1; i++) {
        grid_map_stops(&map->rows, i);
        grid_map_squares(map, i);
    }
    for (int32_t i = 1; i < map->columns.count - 1; i++) grid_map_stops(&map->columns, i);
    ployi_labels_rebuild(&map->labels, map, grid_map_is_free);
    map->prepared = map->marks_made = false;
    map->mark_slack = PLOYI_GRID_SLACK_MAX;
    map->version = map->tiles->version;
    map->generation = map->tiles->generation;
}

// Lines of one direction: how many words, and how many in all.
static size_t grid_map_measure(ployi_grid_lines *lines, int32_t count, int32_t bits) {
    lines->count = count + 2;
    lines->bits = bits + 2;
    lines->words = (bits + 2 + 63) / 64;
    return (size_t)lines->count * (size_t)lines->words;
}

static uint64_t *grid_map_share(ployi_grid_lines *lines, uint64_t *block, size_t words) {
    lines->pass = block;
    lines->stop_up = block + words;
    lines->stop_down = block + 2 * words;
    lines->hit_up = block + 3 * words;
    lines->hit_down = block + 4 * words;
    return block + 5 * words;
}

static const char *grid_map_refusal(const ploy_grid_map_def *def, const ploy_tiles *tiles) {
    if (!ployi_tiles_plain(tiles)) return "grid map: hexagons and wrapped maps have no bitmaps";
    if (!def->tables) return NULL;
    if (tiles->def.width > GRID_MAP_SIDE_MAX || tiles->def.height > GRID_MAP_SIDE_MAX) {
        return "grid map: the map is too large for jump tables";
    }
    if (tiles->def.neighbours != PLOY_TILE_EIGHT || tiles->def.corners != PLOY_TILE_CORNERS_CLEAR) {
        return "grid map: jump tables need eight neighbours and no corner cutting";
    }
    return NULL;
}

static size_t grid_map_mark_bytes(const ploy_grid_map *map) {
    return (size_t)map->count * (size_t)map->def.landmarks * sizeof *map->marks;
}

ploy_result ploy_grid_map_create(const ploy_grid_map_def *def, const ploy_tiles *tiles,
                                 const ploy_env *env, ploy_grid_map **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || tiles == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_grid_map_fields(), def, env);
    if (result != PLOY_OK) return result;
    const char *refusal = grid_map_refusal(def, tiles);
    if (refusal != NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, refusal);
        return PLOY_ERR_UNSUPPORTED;
    }
    ploy_grid_map *map = ploy_env_alloc_zero(env, sizeof *map);
    if (map == NULL) return PLOY_ERR_MEMORY;
    map->env = *env;
    map->def = *def;
    map->tiles = tiles;
    ploy_array_init(&map->seen, sizeof(int32_t), env);
    map->width = tiles->def.width;
    map->height = tiles->def.height;
    map->count = tiles->count;
    map->shift = 26;
    while ((int64_t)1 << (map->shift - 26) < map->width) map->shift++;
    map->inverse = (((uint64_t)1 << map->shift) + (uint64_t)map->width - 1) / (uint64_t)map->width;
    size_t row_words = grid_map_measure(&map->rows, map->height, map->width);
    size_t column_words = grid_map_measure(&map->columns, map->width, map->height);
    // One word more, which a look at three bits may read at the very end.
    size_t words = 5 * (row_words + column_words) + row_words + 1;
    map->bytes = words * sizeof(uint64_t) + (size_t)map->count * sizeof(int32_t);
    map->block = ploy_env_alloc_zero(env, map->bytes);
    if (map->block == NULL) goto fail;
    uint64_t *rest = grid_map_share(&map->rows, map->block, row_words);
    map->squares = grid_map_share(&map->columns, rest, column_words);
    map->labels.up = (int32_t *)(void *)(map->block + words);
    map->labels.count = map->count;
    map->labels.links = grid_map_links;
    result = grid_map_take_costs(map);
    if (result != PLOY_OK) goto fail_with;
    if (def->tables && map->weights != NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "grid map: jump tables do not support costs");
        result = PLOY_ERR_UNSUPPORTED;
        goto fail_with;
    }
    if (def->tables) {
        map->jumps = ploy_env_alloc(env, (size_t)map->count * 8 * sizeof *map->jumps);
        if (map->jumps == NULL) goto fail;
        // What a patch may touch: six lines, in both directions.
        result = ploy_array_reserve(&map->seen, 6 * (map->width + map->height));
        if (result != PLOY_OK) goto fail_with;
    }
    if (def->tables && def->landmarks > 0) {
        map->marks = ploy_env_alloc(env, grid_map_mark_bytes(map));
        if (map->marks == NULL) goto fail;
    }
    grid_map_make_moves(map);
    grid_map_read(map);
    result = ploy_grid_map_prepare(map);
    if (result != PLOY_OK) goto fail_with;
    *out = map;
    return PLOY_OK;
fail:
    result = PLOY_ERR_MEMORY;
fail_with:
    ploy_grid_map_destroy(map);
    return result;
}

void ploy_grid_map_destroy(ploy_grid_map *map) {
    if (map == NULL) return;
    ploy_env env = map->env;
    if (map->jumps != NULL) {
        ploy_env_free(&env, map->jumps, (size_t)map->count * 8 * sizeof *map->jumps);
    }
    if (map->marks != NULL) ploy_env_free(&env, map->marks, grid_map_mark_bytes(map));
    ploy_array_fini(&map->seen);
    ploy_env_free(&env, map->weights, (size_t)map->count);
    ploy_env_free(&env, map->block, map->bytes);
    ploy_env_free(&env, map, sizeof *map);
}

// One cell of the bits, if it changed, with the stops and labels around it.
static void grid_map_follow(ploy_grid_map *map, int32_t cell) {
    bool fits = grid_map_fits_tiles(map, cell);
    int32_t x = cell % map->width, y = cell / map->width;
    if (map->weights != NULL) map->weights[cell] = grid_map_weight(map->tiles, cell);
    if (fits == ployi_grid_fits(map, x, y)) return;
    int32_t ends[8], count = fits ? 0 : grid_map_links(map, cell, ends);
    bool patch = map->prepared && map->patches++ < GRID_MAP_PATCHES_MAX;
    bool marks = patch && map->marks != NULL && map->mark_slack < PLOYI_GRID_SLACK_MAX;
    if (marks && fits) ployi_grid_patch_slack(map, cell);
    grid_map_put(map, cell, fits);
    for (int32_t i = -1; i <= 1; i++) {
        if (y + 1 + i >= 1 && y + 1 + i < map->rows.count - 1) {
            grid_map_stops(&map->rows, y + 1 + i);
            grid_map_squares(map, y + 1 + i);
        }
        if (x + 1 + i >= 1 && x + 1 + i < map->columns.count - 1) {
            grid_map_stops(&map->columns, x + 1 + i);
        }
    }
    if (fits) {
        ployi_labels_opened(&map->labels, map, cell);
    } else {
        ployi_labels_closed(&map->labels, map, ends, count);
    }
    map->marks_made = false;
    map->prepared = patch;
    if (patch) ployi_grid_patch_tables(map, cell);
    if (marks && fits) ployi_grid_patch_marks(map, cell);
}

ploy_result ploy_grid_map_refresh(ploy_grid_map *map) {
    const ploy_tiles *tiles = map->tiles;
    uint64_t behind = tiles->version - map->version;
    if (behind == 0) return PLOY_OK;
    ploy_result result = grid_map_take_costs(map);
    if (result != PLOY_OK) return result;
    // An edit of one cell changes where a large body fits within its whole size.
    if (behind > PLOYI_TILES_JOURNAL || map->def.size > 8) {
        grid_map_read(map);
        return PLOY_OK;
    }
    map->patches = 0;
    for (uint64_t v = map->version + 1; v <= tiles->version; v++) {
        int32_t cell = tiles->journal[v % PLOYI_TILES_JOURNAL];
        int32_t x = cell % map->width, y = cell / map->width, reach = map->def.size;
        for (int32_t ny = ploy_maxi(0, y - reach + 1); ny <= y; ny++) {
            for (int32_t nx = ploy_maxi(0, x - reach + 1); nx <= x; nx++) {
                grid_map_follow(map, ny * map->width + nx);
            }
        }
    }
    if (map->labels.stale) ployi_labels_rebuild(&map->labels, map, grid_map_is_free); // keeps (3)
    map->version = tiles->version;
    map->generation = tiles->generation;
    return PLOY_OK;
}

ploy_result ploy_grid_map_prepare(ploy_grid_map *map) {
    if (map->jumps == NULL || !ployi_grid_jumps_allowed(map)) return PLOY_OK;
    if (!map->prepared) ployi_grid_make_tables(map);
    map->prepared = true;
    if (map->marks == NULL || map->marks_made) return PLOY_OK;
    map->mark_slack = PLOYI_GRID_SLACK_MAX; // while they are made, and if that fails
    ploy_result result = ployi_grid_make_marks(map);
    if (result != PLOY_OK) return result;
    map->mark_slack = 0;
    map->marks_made = true;
    return PLOY_OK;
}

bool ployi_grid_map_prepared(const ploy_grid_map *map) {
    return map->prepared && map->jumps != NULL;
}

const ploy_tiles *ployi_grid_map_tiles(const ploy_grid_map *map) {
    return map->tiles;
}

int32_t ploy_grid_map_size(const ploy_grid_map *map) {
    return map->def.size;
}

uint64_t ploy_grid_map_generation(const ploy_grid_map *map) {
    uint64_t made = (uint64_t)(uint32_t)map->def.size << 2 | (map->prepared ? 1u : 0u) |
                    (map->marks_made ? 2u : 0u);
    return ploy_hash_combine(map->generation, made);
}

bool ployi_grid_map_weighted(const ploy_grid_map *map) {
    return map->weights != NULL;
}

bool ploy_grid_map_fits(const ploy_grid_map *map, int32_t cell) {
    return cell >= 0 && cell < map->count &&
           ployi_grid_fits(map, cell % map->width, cell / map->width);
}

bool ploy_grid_map_connected(const ploy_grid_map *map, int32_t a, int32_t b) {
    return ploy_grid_map_fits(map, a) && ploy_grid_map_fits(map, b) &&
           ployi_labels_root(&map->labels, a) == ployi_labels_root(&map->labels, b);
}

uint64_t ployi_grid_map_hash(const ploy_grid_map *map) {
    size_t words = (map->bytes - (size_t)map->count * sizeof(int32_t)) / sizeof(uint64_t);
    uint64_t hash = ploy_hash_bytes(map->block, words * sizeof(uint64_t), 1);
    if (map->weights != NULL) hash = ploy_hash_bytes(map->weights, (size_t)map->count, hash);
    if (ployi_grid_map_prepared(map)) {
        hash = ploy_hash_bytes(map->jumps, (size_t)map->count * 8 * sizeof *map->jumps, hash);
        bool marks = map->marks != NULL && map->marks_made;
        if (marks) hash = ploy_hash_bytes(map->marks, grid_map_mark_bytes(map), hash);
    }
    return ploy_hash_combine(hash, (uint64_t)(map->least * 256 + map->most));
}

void ploy_grid_map_memory(const ploy_grid_map *map, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"grid map", sizeof *map, 1};
    ploy_memory_item bits = {"grid map bits and labels", map->bytes, 1};
    ploy_memory_item weights = {"grid map costs", (size_t)map->count, 1};
    ploy_memory_item jumps = {"grid map jump tables", (size_t)map->count * 8 * sizeof *map->jumps,
                              1};
    ploy_memory_item marks = {"grid map landmarks", grid_map_mark_bytes(map), 1};
    fn(user, &self);
    fn(user, &bits);
    if (map->marks != NULL) fn(user, &marks);
    if (map->weights != NULL) fn(user, &weights);
    if (map->jumps != NULL) fn(user, &jumps);
    ploy_array_memory(&map->seen, fn, user);
}
