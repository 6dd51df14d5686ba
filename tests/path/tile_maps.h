// Maps for the tests of tiles and grids, and the slow, obvious answers about them.
#pragma once

#include <stdlib.h>

#include "ploy/base/rng.h"
#include "ploy/path/grid_search.h"
#include "ploy/path/tiles.h"
#include "tests/test.h"

static inline ploy_tiles *maps_make(test_context *t, const ploy_tiles_def *def) {
    ploy_env env = ploy_env_default();
    ploy_tiles *tiles = NULL;
    CHECK_OK(ploy_tiles_create(def, &env, &tiles));
    return tiles;
}

static inline ploy_tiles *maps_plain(test_context *t, int32_t width, int32_t height) {
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = width;
    def.height = height;
    return maps_make(t, &def);
}

static inline int32_t maps_count(const ploy_tiles *tiles) {
    return ploy_tiles_width(tiles) * ploy_tiles_height(tiles);
}

static inline ploy_grid_map *maps_grid_with(test_context *t, const ploy_tiles *tiles,
                                            const ploy_grid_map_def *def) {
    ploy_env env = ploy_env_default();
    ploy_grid_map *map = NULL;
    CHECK_OK(ploy_grid_map_create(def, tiles, &env, &map));
    return map;
}

static inline ploy_grid_map *maps_grid(test_context *t, const ploy_tiles *tiles, int32_t size,
                                       bool tables) {
    ploy_grid_map_def def = ploy_grid_map_def_default();
    def.size = size;
    def.tables = tables;
    return maps_grid_with(t, tiles, &def);
}

static inline ploy_grid_search *maps_search(test_context *t, ploy_grid_algorithm algorithm) {
    ploy_env env = ploy_env_default();
    ploy_grid_search_def def = ploy_grid_search_def_default();
    def.algorithm = algorithm;
    ploy_grid_search *search = NULL;
    CHECK_OK(ploy_grid_search_create(&def, &env, &search));
    return search;
}

// Rows of text, '#' is blocked, digits are kinds.
static inline ploy_tiles *maps_text(test_context *t, const char *text, int32_t width,
                                    int32_t height) {
    ploy_tiles *tiles = maps_plain(t, width, height);
    for (int32_t i = 0; i < width * height; i++) {
        uint8_t kind = text[i] == '#' ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN;
        if (text[i] >= '0' && text[i] <= '9') kind = (uint8_t)(text[i] - '0');
        CHECK_OK(ploy_tiles_set(tiles, i, kind));
    }
    return tiles;
}

// Blocks about that share of the cells, in lumps and single ones.
static inline void maps_scatter(ploy_tiles *tiles, ploy_rng *rng, float share) {
    int32_t width = ploy_tiles_width(tiles), count = maps_count(tiles);
    int32_t left = (int32_t)(share * (float)count);
    for (int32_t guard = 0; left > 0 && guard < count; guard++) {
        int32_t x = ploy_rng_int(rng, 0, width - 1);
        int32_t y = ploy_rng_int(rng, 0, ploy_tiles_height(tiles) - 1);
        int32_t long_x = ploy_rng_int(rng, 1, 5), long_y = ploy_rng_int(rng, 1, 5);
        if (ploy_rng_below(rng, 2) == 0) long_x = 1;
        if (ploy_rng_below(rng, 2) == 0) long_y = 1;
        for (int32_t i = 0; i < long_x * long_y; i++) {
            int32_t cell = ploy_tiles_cell(tiles, x + i % long_x, y + i / long_x);
            if (cell < 0) continue;
            ploy_tiles_set(tiles, cell, PLOY_TILE_BLOCKED);
            left--;
        }
    }
}

// Everything that steps of the walker lead to, asked step by step.
static inline bool *maps_flood(const ploy_tiles *tiles, int32_t start) {
    int32_t count = maps_count(tiles), head = 0, tail = 0;
    bool *reached = calloc((size_t)count, sizeof *reached);
    int32_t *queue = malloc((size_t)count * sizeof *queue);
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    if (ploy_tiles_passable(tiles, start)) {
        reached[start] = true;
        queue[tail++] = start;
    }
    while (head < tail) {
        int32_t cell = queue[head++];
        for (int32_t direction = 0; direction < 8; direction++) {
            int32_t to = ploy_tiles_neighbour(tiles, cell, direction);
            if (to < 0 || reached[to]) continue;
            if (!(ploy_tiles_walker_step(&walker, cell, direction) < (double)INFINITY)) continue;
            reached[to] = true;
            queue[tail++] = to;
        }
    }
    free(queue);
    return reached;
}

// A point in halves of a cell, so that centres and corners of cells are whole.
typedef struct maps_point {
    int64_t x, y;
} maps_point;

static inline maps_point maps_centre(int32_t cell, int32_t width) {
    maps_point point = {2 * (cell % width) + 1, 2 * (cell / width) + 1};
    return point;
}

// Which side of the line from a to b a point lies on.
static inline int64_t maps_side(maps_point a, maps_point b, maps_point at) {
    return (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
}

// Does a segment touch a cell's closed square? With open squares only their inside counts.
static inline bool maps_touches(maps_point a, maps_point b, int32_t cell, int32_t width,
                                bool open) {
    int64_t x = 2 * (cell % width), y = 2 * (cell / width), edge = open ? 1 : 0;
    if ((a.x < x + edge && b.x < x + edge) || (a.x > x + 2 - edge && b.x > x + 2 - edge)) {
        return false;
    }
    if ((a.y < y + edge && b.y < y + edge) || (a.y > y + 2 - edge && b.y > y + 2 - edge)) {
        return false;
    }
    int32_t left = 0, right = 0, on = 0;
    for (int32_t i = 0; i < 4; i++) {
        maps_point corner = {x + i % 2 * 2, y + i / 2 * 2};
        int64_t s = maps_side(a, b, corner);
        left += s > 0;
        right += s < 0;
        on += s == 0;
    }
    return open ? left > 0 && right > 0 : on > 0 || (left > 0 && right > 0);
}

// A square of 24 cells with two walls that a way from the first cell to the last winds around.
static inline ploy_tiles *maps_winding(test_context *t) {
    ploy_tiles *tiles = maps_plain(t, 24, 24);
    for (int32_t i = 0; i < 20; i++) {
        CHECK_OK(ploy_tiles_set(tiles, 8 * 24 + i, PLOY_TILE_BLOCKED));
        CHECK_OK(ploy_tiles_set(tiles, 16 * 24 + 23 - i, PLOY_TILE_BLOCKED));
    }
    return tiles;
}

// Lumps thrown over 80 x 60 cells, and two cells far apart that a way joins.
static inline ploy_grid_map *maps_far(test_context *t, int64_t seed, ploy_tiles **tiles,
                                      int32_t *start, int32_t *goal) {
    ploy_rng rng = ploy_rng_make((uint64_t)seed);
    *tiles = maps_plain(t, 80, 60);
    maps_scatter(*tiles, &rng, 0.3f);
    ploy_grid_map *map = maps_grid(t, *tiles, 1, false);
    *start = 0;
    *goal = 80 * 60 - 1;
    while (!ploy_grid_map_fits(map, *start)) ++*start;
    while (!ploy_grid_map_connected(map, *start, *goal)) --*goal;
    return map;
}
