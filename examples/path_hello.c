// Hello, path: the shortest path around a wall, cell by cell. Shows ploy_tiles and ploy_grid_search.
#include <stdio.h>

#include "ploy/path/grid_search.h"

int main(void) {
    static const char level[] = "......" // '#' is a wall
                                ".####."
                                "....#.";
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = 6;
    def.height = 3;
    ploy_grid_map_def map_def = ploy_grid_map_def_default();
    ploy_grid_search_def search_def = ploy_grid_search_def_default();
    ploy_tiles *tiles = NULL;
    ploy_grid_map *map = NULL;
    ploy_grid_search *search = NULL;
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    for (int32_t i = 0; i < 18; i++) {
        (void)ploy_tiles_set(tiles, i, level[i] == '#' ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
    }
    int32_t start = ploy_tiles_cell(tiles, 3, 2), goal = ploy_tiles_cell(tiles, 5, 2), cells[18];
    if (ploy_grid_map_create(&map_def, tiles, &env, &map) != PLOY_OK ||
        ploy_grid_search_create(&search_def, &env, &search) != PLOY_OK ||
        ploy_grid_search_run(search, map, start, goal) != PLOY_OK) {
        return 1;
    }
    int32_t count = ploy_grid_search_path(search, goal, cells, 18);
    for (int32_t i = 0; i < count; i++) printf("(%d, %d)\n", (int)cells[i] % 6, (int)cells[i] / 6);
    ploy_grid_search_destroy(search);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    return 0;
}
