// Maps of four neighbours for the tests of searches for many agents.
#pragma once

#include <stdlib.h>

#include "ploy/base/rng.h"
#include "ploy/path/conflicts.h"
#include "ploy/path/tiles.h"
#include "tests/test.h"

#define CROWD_UNUSED __attribute__((unused)) static

typedef struct crowd_map {
    ploy_tiles *tiles;
    ploy_tiles_walker *walker;
    ploy_space space;
} crowd_map;

CROWD_UNUSED void crowd_map_open(test_context *t, int32_t width, int32_t height, crowd_map *map) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = width;
    def.height = height;
    def.neighbours = PLOY_TILE_FOUR;
    CHECK_OK(ploy_tiles_create(&def, &env, &map->tiles));
    map->walker = ploy_env_alloc(&env, sizeof *map->walker);
    CHECK(map->walker != NULL);
    *map->walker = ploy_tiles_walker_make(map->tiles, NULL);
    map->space = ploy_tiles_space(map->walker);
}

CROWD_UNUSED crowd_map crowd_map_make(test_context *t, int32_t width, int32_t height, float walls,
                                      uint64_t seed) {
    crowd_map map;
    crowd_map_open(t, width, height, &map);
    ploy_rng rng = ploy_rng_make(seed + 1000);
    for (int32_t i = 0; i < width * height; i++) {
        if (ploy_rng_chance(&rng, walls)) CHECK_OK(ploy_tiles_set(map.tiles, i, 0));
    }
    return map;
}

CROWD_UNUSED void crowd_map_free(crowd_map *map) {
    ploy_env env = ploy_env_default();
    ploy_tiles_destroy(map->tiles);
    ploy_env_free(&env, map->walker, sizeof *map->walker);
}

// Agents with starts and goals of their own, all different; perhaps fewer than asked for.
CROWD_UNUSED int32_t crowd_agents(const crowd_map *map, uint64_t seed, ploy_conflicts_agent *out,
                                  int32_t count) {
    ploy_rng rng = ploy_rng_make(seed + 77);
    int32_t cells[4096], open = 0, made = 0;
    for (int32_t i = 0; i < map->space.count && i < 4096; i++) {
        if (ploy_tiles_passable(map->tiles, i)) cells[open++] = i;
    }
    ploy_rng_shuffle(&rng, cells, open, sizeof *cells);
    for (; made < count && 2 * made + 1 < open; made++) {
        out[made].start = cells[2 * made];
        out[made].goal = cells[2 * made + 1];
    }
    return made;
}

CROWD_UNUSED bool crowd_is_edge(test_context *t, const ploy_space *space, int32_t from,
                                int32_t to) {
    ploy_env env = ploy_env_default();
    ploy_edges edges;
    bool is = false;
    ploy_edges_init(&edges, &env);
    CHECK_OK(space->expand(space->user, from, &edges));
    for (int32_t i = 0; i < edges.count; i++) is = is || edges.view[i].to == to;
    ploy_edges_fini(&edges);
    return is;
}

// A public map and the first agents of its scenario; read here, because tests of path know no data.
CROWD_UNUSED bool crowd_map_load(test_context *t, const char *name, crowd_map *map) {
    char path[512];
    size_t size = 0;
    int width = 0, height = 0, used = 0;
    snprintf(path, sizeof path, "%s/mapf/%s", test_data_dir(), name);
    char *text = test_read_file(path, &size);
    if (text == NULL) return false;
    CHECK_INT(sscanf(text, "type octile height %d width %d map %n", &height, &width, &used), 2);
    crowd_map_open(t, width, height, map);
    const char *at = text + used;
    for (int32_t i = 0; i < width * height; i++, at++) {
        while (*at == '\n' || *at == '\r') at++;
        if (*at != '.') CHECK_OK(ploy_tiles_set(map->tiles, i, 0));
    }
    free(text);
    return true;
}

CROWD_UNUSED int32_t crowd_scenario(test_context *t, const crowd_map *map, const char *name,
                                    ploy_conflicts_agent *out, int32_t count) {
    char path[512];
    size_t size = 0;
    int32_t made = 0, width = ploy_tiles_width(map->tiles);
    snprintf(path, sizeof path, "%s/mapf/%s", test_data_dir(), name);
    char *text = test_read_file(path, &size);
    CHECK(text != NULL);
    for (const char *line = strchr(text, '\n'); line != NULL && made < count;
         line = strchr(line + 1, '\n')) {
        int sx = 0, sy = 0, gx = 0, gy = 0;
        if (sscanf(line, " %*d %*s %*d %*d %d %d %d %d", &sx, &sy, &gx, &gy) != 4) break;
        out[made].start = sy * width + sx;
        out[made++].goal = gy * width + gx;
    }
    free(text);
    return made;
}
