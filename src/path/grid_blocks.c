// Grids in blocks; the technique is described in the header.
//
// Invariants, from create to destroy:
//   (1) places of a block are in the order of its sides (right, upper, left, lower) and along
//       them, each cell once; so what a block holds depends on the map alone;
//   (2) a place with a side set has its counterpart in the block on that side, because both find
//       the same entrances on their border;
//   (3) costs are those of paths that stay inside of the block.
#include "ploy/path/grid_blocks.h"

#include <string.h>

#include "base/compiler.h"
#include "path/grid_blocks_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

// A stretch of free cells at least as long has a place at each end, a shorter one in its middle.
enum { GRID_BLOCKS_LONG = 6 };

static const ploy_field grid_blocks_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_grid_blocks_def, side, 16, 4, PLOYI_BLOCK_SIDE_MAX, "",
                         "cells of a block's side"),
    PLOY_FIELD_F32(ploy_grid_blocks_def, weight, 1.1, 1, 10, "", "of the estimate"),
};

ploy_fields ploy_grid_blocks_fields(void) {
    return PLOY_FIELDS(ploy_grid_blocks_def, grid_blocks_fields);
}

ploy_grid_blocks_def ploy_grid_blocks_def_default(void) {
    ploy_grid_blocks_def def;
    ploy_fields_default(ploy_grid_blocks_fields(), &def);
    return def;
}

int32_t ployi_block_of(const ploy_grid_blocks *blocks, int32_t cell) {
    int32_t y = ployi_grid_row(blocks->map, cell), x = cell - y * blocks->map->width;
    return y / blocks->def.side * blocks->columns + x / blocks->def.side;
}

// ---- inside of a block ----

// The block of a cell as the place of a flood.
static void grid_blocks_enclose(const ploy_grid_blocks *blocks, int32_t cell,
                                ployi_block_flood *flood) {
    int32_t side = blocks->def.side, block = ployi_block_of(blocks, cell);
    flood->x = block % blocks->columns * side;
    flood->y = block / blocks->columns * side;
    flood->width = ploy_mini(side, blocks->map->width - flood->x);
    flood->height = ploy_mini(side, blocks->map->height - flood->y);
}

// Floods the place that is set. With a cell to get to (or -1), paths that must become longer than
// the limit are left alone.
static inline void grid_blocks_flood(const ploy_grid_blocks *blocks, int32_t from, bool backward,
                                     int32_t to, int64_t limit, ployi_block_flood *flood) {
    const ploy_grid_map *map = blocks->map;
    for (int32_t i = 0; i < PLOYI_BLOCK_CELLS; i++) flood->costs[i] = INT64_MAX;
    memset(flood->ways, -1, sizeof flood->ways);
    int32_t to_y = to < 0 ? 0 : ployi_grid_row(map, to), to_x = to - to_y * map->width;
    int32_t at = ployi_block_local(map, flood, from);
    if (!ploy_grid_map_fits(map, from)) return;
    flood->costs[at] = 0;
    // So few cells need no order: a cell that gained waits in a ring, at most once.
    uint8_t ring[PLOYI_BLOCK_CELLS], head = 0;
    bool waits[PLOYI_BLOCK_CELLS] = {false};
    int32_t count = 1;
    ring[0] = (uint8_t)at;
    while (count > 0) {
        int32_t local = ring[head++], lx = local % flood->width, ly = local / flood->width;
        int32_t x = flood->x + lx, y = flood->y + ly, cell = y * map->width + x;
        count--;
        waits[local] = false;
        for (uint32_t moves = map->moves[8][ployi_grid_around(map, x, y)]; moves != 0;
             moves &= moves - 1) {
            int32_t direction = ployi_lowest_bit(moves);
            int32_t nx = lx + ployi_tile_dx[direction], ny = ly + ployi_tile_dy[direction];
            if (nx < 0 || ny < 0 || nx >= flood->width || ny >= flood->height) continue;
            int32_t near = ny * flood->width + nx;
            int32_t enters =
                cell + ployi_tile_dx[direction] + ployi_tile_dy[direction] * map->width;
            int64_t step = direction % 2 != 0 ? PLOY_GRID_DIAGONAL : PLOY_GRID_STRAIGHT;
            if (map->weights != NULL) step *= map->weights[backward ? cell : enters];
            int64_t sum = flood->costs[local] + step;
            if (sum >= flood->costs[near]) continue;
            if (to >= 0) {
                int32_t dx = flood->x + nx - to_x, dy = flood->y + ny - to_y;
                if (sum + map->least * ployi_grid_octile(dx, dy) > limit) continue;
            }
            flood->costs[near] = sum;
            flood->ways[near] = (int8_t)direction;
            if (waits[near]) continue;
            waits[near] = true;
            ring[(uint8_t)(head + count++)] = (uint8_t)near;
        }
    }
}

void ployi_block_flood_run(const ploy_grid_blocks *blocks, int32_t from, bool backward,
                           ployi_block_flood *flood) {
    grid_blocks_enclose(blocks, from, flood);
    grid_blocks_flood(blocks, from, backward, -1, INT64_MAX, flood);
}

// Where a stretch of at most PLOYI_BLOCK_SIDE_MAX begins that holds both, in their middle.
static int32_t grid_blocks_middle(int32_t a, int32_t b, int32_t size) {
    int32_t first = (a + b + 1 - PLOYI_BLOCK_SIDE_MAX) / 2;
    return ploy_maxi(0, ploy_mini(first, size - PLOYI_BLOCK_SIDE_MAX));
}

bool ployi_block_flood_near(const ploy_grid_blocks *blocks, int32_t from, int32_t to,
                            ployi_block_flood *flood) {
    const ploy_grid_map *map = blocks->map;
    int32_t y = ployi_grid_row(map, from), x = from - y * map->width;
    int32_t to_y = ployi_grid_row(map, to), to_x = to - to_y * map->width;
    if (to_x - x >= PLOYI_BLOCK_SIDE_MAX || x - to_x >= PLOYI_BLOCK_SIDE_MAX ||
        to_y - y >= PLOYI_BLOCK_SIDE_MAX || y - to_y >= PLOYI_BLOCK_SIDE_MAX) {
        return false;
    }
    flood->x = grid_blocks_middle(x, to_x, map->width);
    flood->y = grid_blocks_middle(y, to_y, map->height);
    flood->width = ploy_mini(PLOYI_BLOCK_SIDE_MAX, map->width - flood->x);
    flood->height = ploy_mini(PLOYI_BLOCK_SIDE_MAX, map->height - flood->y);
    grid_blocks_flood(blocks, from, false, -1, INT64_MAX, flood);
    return true;
}

void ployi_block_flood_to(const ploy_grid_blocks *blocks, int32_t from, int32_t to, double length,
                          ployi_block_flood *flood) {
    // A length is off by far less than a unit for each step, and paths differ by far more.
    grid_blocks_enclose(blocks, from, flood);
    int64_t limit = (int64_t)(length * (double)PLOY_GRID_STRAIGHT) + 65536;
    grid_blocks_flood(blocks, from, false, to, limit, flood);
}

static void grid_blocks_add(ploy_grid_blocks *blocks, int32_t block, int32_t cell, int32_t side) {
    int32_t *cells = blocks->cells + (size_t)block * (size_t)blocks->room;
    uint8_t *sides = blocks->sides + (size_t)block * (size_t)blocks->room;
    int32_t place = 0;
    while (place < blocks->counts[block] && cells[place] != cell) place++;
    if (place == blocks->counts[block]) cells[blocks->counts[block]++] = cell;
    sides[place] = (uint8_t)(sides[place] | 1u << side);
}

// The entrances on one side of a block; side s is crossed in direction 2 s.
static void grid_blocks_find(ploy_grid_blocks *blocks, int32_t block, int32_t side) {
    const ploy_grid_map *map = blocks->map;
    int32_t size = blocks->def.side, dx = ployi_tile_dx[2 * side], dy = ployi_tile_dy[2 * side];
    int32_t x = block % blocks->columns * size, y = block / blocks->columns * size;
    int32_t last_x = ploy_mini(x + size, map->width) - 1;
    int32_t last_y = ploy_mini(y + size, map->height) - 1;
    if (dx > 0) x = last_x;
    if (dy > 0) y = last_y;
    int32_t along_x = dx == 0 ? 1 : 0, along_y = 1 - along_x;
    int32_t length = along_x != 0 ? last_x - x + 1 : last_y - y + 1, run = 0;
    if (x + dx < 0 || y + dy < 0 || x + dx >= map->width || y + dy >= map->height) return;
    for (int32_t i = 0; i <= length; i++) {
        int32_t cx = x + i * along_x, cy = y + i * along_y;
        if (i < length && ployi_grid_fits(map, cx, cy) && ployi_grid_fits(map, cx + dx, cy + dy)) {
            run++;
            continue;
        }
        if (run == 0) continue;
        int32_t back = run >= GRID_BLOCKS_LONG ? run : (run + 1) / 2;
        grid_blocks_add(blocks, block, (cy - back * along_y) * map->width + cx - back * along_x,
                        side);
        if (run >= GRID_BLOCKS_LONG) {
            grid_blocks_add(blocks, block, (cy - along_y) * map->width + cx - along_x, side);
        }
        run = 0;
    }
}

static void grid_blocks_make(ploy_grid_blocks *blocks, int32_t block) {
    size_t room = (size_t)blocks->room, first = (size_t)block * room;
    memset(blocks->cells + first, 0, room * sizeof *blocks->cells);
    memset(blocks->sides + first, 0, room);
    memset(blocks->costs + first * room, 0xFF, room * room * sizeof *blocks->costs);
    blocks->counts[block] = 0;
    for (int32_t side = 0; side < 4; side++) grid_blocks_find(blocks, block, side);
    for (int32_t from = 0; from < blocks->counts[block]; from++) {
        ployi_block_flood flood;
        ployi_block_flood_run(blocks, blocks->cells[first + (size_t)from], false, &flood);
        for (int32_t to = 0; to < blocks->counts[block]; to++) {
            int32_t local =
                ployi_block_local(blocks->map, &flood, blocks->cells[first + (size_t)to]);
            if (flood.costs[local] == INT64_MAX) continue;
            ploy_grid_cost cost = ployi_grid_cost_of(flood.costs[local]);
            ployi_block_cost *out = &blocks->costs[(first + (size_t)from) * room + (size_t)to];
            out->straight = (uint16_t)cost.straight;
            out->diagonal = (uint16_t)cost.diagonal;
        }
    }
}

// ---- life ----

ploy_result ploy_grid_blocks_create(const ploy_grid_blocks_def *def, const ploy_grid_map *map,
                                    const ploy_env *env, ploy_grid_blocks **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || map == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_grid_blocks_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (map->tiles->def.corners == PLOY_TILE_CORNERS_CUT &&
        map->tiles->def.neighbours == PLOY_TILE_EIGHT) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "grid blocks: map allows cutting corners");
        return PLOY_ERR_UNSUPPORTED;
    }
    ploy_grid_blocks *blocks = ploy_env_alloc_zero(env, sizeof *blocks);
    if (blocks == NULL) return PLOY_ERR_MEMORY;
    blocks->env = *env;
    blocks->def = *def;
    blocks->map = map;
    blocks->columns = (map->width + def->side - 1) / def->side;
    blocks->rows = (map->height + def->side - 1) / def->side;
    blocks->count = blocks->columns * blocks->rows;
    blocks->room = 2 * def->side + 2; // every other cell of each side
    size_t room = (size_t)blocks->room;
    size_t one = sizeof(int32_t) + room * (sizeof(int32_t) + 1 + room * sizeof(ployi_block_cost));
    if (!ploy_size_add_array(0, blocks->count, one, &blocks->bytes)) blocks->bytes = SIZE_MAX;
    blocks->counts = blocks->bytes == SIZE_MAX ? NULL : ploy_env_alloc_zero(env, blocks->bytes);
    if (blocks->counts == NULL) {
        ploy_env_free(env, blocks, sizeof *blocks);
        return PLOY_ERR_MEMORY;
    }
    size_t places = (size_t)blocks->count * room;
    blocks->cells = blocks->counts + blocks->count;
    blocks->costs = (ployi_block_cost *)(void *)(blocks->cells + places);
    blocks->sides = (uint8_t *)(blocks->costs + places * room);
    blocks->version = map->version;
    for (int32_t i = 0; i < blocks->count; i++) grid_blocks_make(blocks, i);
    *out = blocks;
    return PLOY_OK;
}

void ploy_grid_blocks_destroy(ploy_grid_blocks *blocks) {
    if (blocks == NULL) return;
    ploy_env env = blocks->env;
    ploy_env_free(&env, blocks->counts, blocks->bytes);
    ploy_env_free(&env, blocks, sizeof *blocks);
}

// Blocks of the cells around a changed one; a block twice is made twice, which harms nothing.
static int32_t grid_blocks_around(ploy_grid_blocks *blocks, int32_t cell) {
    const ploy_grid_map *map = blocks->map;
    int32_t y = ployi_grid_row(map, cell), x = cell - y * map->width, made = 0;
    int32_t home = ployi_block_of(blocks, cell);
    grid_blocks_make(blocks, home);
    for (int32_t d = 0; d < 8; d += 2) {
        int32_t nx = x + ployi_tile_dx[d], ny = y + ployi_tile_dy[d];
        if (nx < 0 || ny < 0 || nx >= map->width || ny >= map->height) continue;
        int32_t block = ployi_block_of(blocks, ny * map->width + nx);
        if (block == home) continue;
        grid_blocks_make(blocks, block);
        made++;
    }
    return made + 1;
}

int32_t ploy_grid_blocks_refresh(ploy_grid_blocks *blocks) {
    const ploy_grid_map *map = blocks->map;
    int32_t made = 0, reach = map->def.size;
    if (map->version == blocks->version) return 0;
    // As ploy_grid_map_refresh; the journal must still hold what the map has followed.
    if (map->tiles->version - blocks->version > PLOYI_TILES_JOURNAL || reach > 8) {
        for (int32_t i = 0; i < blocks->count; i++) grid_blocks_make(blocks, i);
        blocks->version = map->version;
        return blocks->count;
    }
    for (uint64_t v = blocks->version + 1; v <= map->version; v++) {
        int32_t cell = map->tiles->journal[v % PLOYI_TILES_JOURNAL];
        int32_t y = ployi_grid_row(map, cell), x = cell - y * map->width;
        for (int32_t ny = ploy_maxi(0, y - reach + 1); ny <= y; ny++) {
            for (int32_t nx = ploy_maxi(0, x - reach + 1); nx <= x; nx++) {
                made += grid_blocks_around(blocks, ny * map->width + nx);
            }
        }
    }
    blocks->version = map->version;
    return made;
}

int32_t ploy_grid_blocks_places(const ploy_grid_blocks *blocks) {
    int32_t sum = 0;
    for (int32_t i = 0; i < blocks->count; i++) sum += blocks->counts[i];
    return sum;
}

uint64_t ploy_grid_blocks_hash(const ploy_grid_blocks *blocks) {
    return ploy_hash_bytes(blocks->counts, blocks->bytes, 1);
}

void ploy_grid_blocks_draw(const ploy_grid_blocks *blocks, ploy_draw *out) {
    const ploy_tiles *tiles = blocks->map->tiles;
    ploy_agent_id nobody = ploy_agent_id_none();
    if (!ploy_draw_wants(out, PLOY_LAYER_REGIONS)) return;
    float size = tiles->def.size, side = (float)blocks->def.side * size;
    ploy_vec2 origin = tiles->def.origin;
    float right = origin.x + (float)blocks->map->width * size;
    float top = origin.y + (float)blocks->map->height * size;
    for (int32_t i = 1; i < blocks->columns; i++) {
        float x = origin.x + (float)i * side;
        ploy_draw_line(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, nobody,
                       ploy_vec2_make(x, origin.y), ploy_vec2_make(x, top));
    }
    for (int32_t i = 1; i < blocks->rows; i++) {
        float y = origin.y + (float)i * side;
        ploy_draw_line(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, nobody,
                       ploy_vec2_make(origin.x, y), ploy_vec2_make(right, y));
    }
    for (int32_t i = 0; i < blocks->count; i++) {
        for (int32_t k = 0; k < blocks->counts[i]; k++) {
            ploy_tiles_draw_cells(tiles, blocks->cells[i * blocks->room + k], 1, PLOY_LAYER_REGIONS,
                                  PLOY_STYLE_OPEN, 0.3f, out);
        }
    }
}

void ploy_grid_blocks_memory(const ploy_grid_blocks *blocks, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"grid blocks", sizeof *blocks, 1};
    ploy_memory_item places = {"grid blocks places and costs", blocks->bytes, 1};
    fn(user, &self);
    fn(user, &places);
}
