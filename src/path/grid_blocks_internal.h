// The inside of grids in blocks, shared with their routes.
#pragma once

#include "path/grid_internal.h"
#include "ploy/path/grid_blocks.h"

enum { PLOYI_BLOCK_SIDE_MAX = 16, PLOYI_BLOCK_CELLS = 256 };

// The cost of a path inside of a block, by parts. A path passes 256 cells of cost 255 at most, so
// sums fit.
typedef struct ployi_block_cost {
    uint16_t straight, diagonal; // UINT16_MAX: no path
} ployi_block_cost;

struct ploy_grid_blocks {
    ploy_env env;
    ploy_grid_blocks_def def;
    const ploy_grid_map *map;
    uint64_t version;
    int32_t columns, rows, count;
    int32_t room;            // places that a block may have
    size_t bytes;            // of the one block of memory
    int32_t *counts;         // of places, for each block; the memory begins here
    int32_t *cells;          // of places: block * room + place
    ployi_block_cost *costs; // from place to place: (block * room + from) * room + to
    uint8_t *sides;          // of places: bit d / 2 is set if one crosses there in direction d
};

// Costs inside of a block, from one of its cells to all others or back; and the step before.
typedef struct ployi_block_flood {
    int32_t x, y, width, height; // of the block
    int64_t costs[PLOYI_BLOCK_CELLS];
    int8_t ways[PLOYI_BLOCK_CELLS]; // the direction that a cell was entered in; -1 at the beginning
} ployi_block_flood;

int32_t ployi_block_of(const ploy_grid_blocks *blocks, int32_t cell);
void ployi_block_flood_run(const ploy_grid_blocks *blocks, int32_t from, bool backward,
                           ployi_block_flood *flood);
// The same in a square around two cells, in whatever blocks; false if they are too far apart.
bool ployi_block_flood_near(const ploy_grid_blocks *blocks, int32_t from, int32_t to,
                            ployi_block_flood *flood);
// The same as the first for the path to one cell whose length is known: only what such paths pass is
// looked at.
void ployi_block_flood_to(const ploy_grid_blocks *blocks, int32_t from, int32_t to, double length,
                          ployi_block_flood *flood);

// A cell of the flood's block as an index into it.
static inline int32_t ployi_block_local(const ploy_grid_map *map, const ployi_block_flood *flood,
                                        int32_t cell) {
    int32_t row = ployi_grid_row(map, cell);
    return (row - flood->y) * flood->width + cell - row * map->width - flood->x;
}

static inline double ployi_block_length(ployi_block_cost cost) {
    return (double)cost.straight + (double)cost.diagonal * 1.4142135623730951;
}
