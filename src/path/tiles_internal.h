// The inside of a map of tiles, shared with the grid's own searches.
#pragma once

#include "path/labels.h"
#include "ploy/path/tiles.h"

// That many single edits are remembered, for users that follow a map without reading it all again.
enum { PLOYI_TILES_JOURNAL = 64 };

struct ploy_tiles {
    ploy_env env;
    ploy_tiles_def def;
    size_t bytes; // of the one block
    int32_t count;
    int32_t directions; // 4, 6 or 8
    uint64_t version;
    uint64_t generation;                  // the def and every edit since, folded in order
    int32_t journal[PLOYI_TILES_JOURNAL]; // cell of the edit that led to version v: at v % JOURNAL
    float costs[PLOY_TILE_KINDS];
    int32_t used[PLOY_TILE_KINDS]; // cells of each kind
    float least;                   // cost of a passable kind that is used; 1 if none is
    ployi_labels labels;
    uint8_t *kinds;
    uint8_t *clearance;
};

// The column and row of each direction of squares.
extern const int8_t ployi_tile_dx[8], ployi_tile_dy[8];

static inline bool ployi_tiles_free(const ploy_tiles *tiles, int32_t cell) {
    return tiles->clearance[cell] > 0;
}

// True for maps on which bodies may be larger than a cell.
static inline bool ployi_tiles_plain(const ploy_tiles *tiles) {
    return tiles->def.neighbours != PLOY_TILE_HEX && !tiles->def.wrap_x && !tiles->def.wrap_y;
}
