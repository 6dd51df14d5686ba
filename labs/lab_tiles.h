// What labs on tiles share: making a map, throwing walls, painting.
#pragma once

#include <string.h>

#include "ploy/base/rng.h"
#include "ploy/path/tiles.h"

// Walls in strokes, with gaps between them, over about that share of the cells.
static inline void lab_tiles_strokes(uint8_t *kinds, int32_t width, int32_t height, float share,
                                     ploy_rng *rng) {
    int32_t left = (int32_t)(share * (float)(width * height));
    memset(kinds, PLOY_TILE_OPEN, (size_t)(width * height));
    while (left > 0) {
        int32_t x = ploy_rng_int(rng, 0, width - 1), y = ploy_rng_int(rng, 0, height - 1);
        int32_t length = ploy_rng_int(rng, 2, 14);
        bool across = ploy_rng_below(rng, 2) == 0;
        for (int32_t i = 0; i < length && x < width && y < height; i++, left--) {
            kinds[y * width + x] = PLOY_TILE_BLOCKED;
            if (across) {
                x++;
            } else {
                y++;
            }
        }
    }
}

static inline ploy_result lab_tiles_make(int32_t width, int32_t height, const ploy_env *env,
                                         ploy_tiles **out) {
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = width;
    def.height = height;
    return ploy_tiles_create(&def, env, out);
}

// A square brush around a cell.
static inline void lab_tiles_paint(ploy_tiles *tiles, int32_t cell, int32_t size, uint8_t kind) {
    int32_t width = ploy_tiles_width(tiles);
    int32_t x = cell % width - size / 2, y = cell / width - size / 2;
    for (int32_t i = 0; i < size * size; i++) {
        int32_t painted = ploy_tiles_cell(tiles, x + i % size, y + i / size);
        if (painted >= 0) ploy_tiles_set(tiles, painted, kind);
    }
}

// The first free cell that is joined to another (or any, if that is below 0), from a drawn one on.
static inline int32_t lab_tiles_somewhere(ploy_tiles *tiles, uint32_t draw, int32_t from) {
    int32_t count = ploy_tiles_width(tiles) * ploy_tiles_height(tiles);
    int32_t cell = (int32_t)(draw % (uint32_t)count);
    ploy_tiles_refresh(tiles);
    for (int32_t i = 0; i < count; i++, cell = cell + 1 == count ? 0 : cell + 1) {
        if (!ploy_tiles_passable(tiles, cell)) continue;
        if (from < 0 || ploy_tiles_connected(tiles, from, cell)) break;
    }
    return cell;
}
