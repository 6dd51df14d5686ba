// The fill of a search drawn as text: what Dijkstra looks at and what A* does, halfway and at the end.
// Shows ploy_grid_search_status and ploy_grid_search_stats_of of ploy/path/grid_search.h.
#include <stdio.h>

#include "ploy/path/grid_search.h"

enum { WIDTH = 24, HEIGHT = 7, CELLS = WIDTH * HEIGHT };
static const char level[] = "........................"
                            "............#..........."
                            "............#..........."
                            "............#..........."
                            "............#..........."
                            "............#..........."
                            "........................";

// Closed cells are '-', open ones '+', those of the path 'o'.
static void print_fill(const ploy_grid_search *search, int32_t from, int32_t to) {
    char picture[CELLS];
    int32_t path[CELLS];
    for (int32_t i = 0; i < CELLS; i++) {
        ploy_search_status status = ploy_grid_search_status(search, i);
        picture[i] = status == PLOY_SEARCH_CLOSED ? '-'
                     : status == PLOY_SEARCH_SEEN ? '+'
                                                  : level[i];
    }
    int32_t count = ploy_grid_search_outcome(search) == PLOY_SEARCH_FOUND
                        ? ploy_grid_search_path(search, to, path, CELLS)
                        : 0;
    for (int32_t i = 0; i < count; i++) picture[path[i]] = 'o';
    picture[from] = 'A';
    picture[to] = 'B';
    for (int32_t y = 0; y < HEIGHT; y++) printf("%.*s\n", WIDTH, picture + y * WIDTH);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_grid_map_def map_def = ploy_grid_map_def_default();
    ploy_tiles *tiles = NULL;
    ploy_grid_map *map = NULL;
    def.width = WIDTH;
    def.height = HEIGHT;
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    for (int32_t i = 0; i < CELLS; i++) {
        if (level[i] == '#') ploy_tiles_set(tiles, i, PLOY_TILE_BLOCKED);
    }
    if (ploy_grid_map_create(&map_def, tiles, &env, &map) != PLOY_OK) return 1;
    int32_t from = ploy_tiles_cell(tiles, 8, 3), to = ploy_tiles_cell(tiles, 20, 3);
    for (int32_t kind = PLOY_GRID_DIJKSTRA; kind <= PLOY_GRID_ASTAR; kind++) {
        ploy_grid_search_def search_def = ploy_grid_search_def_default();
        ploy_grid_search *search = NULL;
        search_def.algorithm = (ploy_grid_algorithm)kind;
        if (ploy_grid_search_create(&search_def, &env, &search) != PLOY_OK) return 1;
        if (ploy_grid_search_begin(search, map, from, to) != PLOY_OK) return 1;
        for (int32_t part = 0; part < 2; part++) {
            ploy_budget some = ploy_budget_units(30);
            ploy_grid_search_step(search, part == 0 ? &some : NULL);
            ploy_grid_search_stats stats = ploy_grid_search_stats_of(search);
            printf("%s, %s: %d taken, %d opened, at most %d open\n",
                   ploy_grid_algorithm_text(search_def.algorithm),
                   ploy_search_outcome_text(ploy_grid_search_outcome(search)), (int)stats.taken,
                   (int)stats.opened, (int)stats.peak_open);
            print_fill(search, from, to);
        }
        ploy_grid_search_destroy(search);
    }
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    return 0;
}
