// The same question by the grid's own search and by lines of any angle.
// Shows ploy/path/grid_angle.h.
#include <ploy/path/grid_angle.h>
#include <stdio.h>

enum { WIDTH = 30, HEIGHT = 9, CELLS = WIDTH * HEIGHT };

// Two open rows below, and a block of wall that stands on them.
static bool is_wall(int32_t x, int32_t y) {
    return y >= 2 && x >= 8 && x < 12;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    ploy_tiles *tiles = NULL;
    ploy_grid_map *map = NULL;
    ploy_grid_search *grid = NULL;
    ploy_grid_angle *angle = NULL;
    ploy_grid_map_def map_def = ploy_grid_map_def_default();
    ploy_grid_search_def grid_def = ploy_grid_search_def_default();
    ploy_grid_angle_def angle_def = ploy_grid_angle_def_default();
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    for (int32_t i = 0; i < CELLS; i++) {
        bool wall = is_wall(i % WIDTH, i / WIDTH);
        ploy_tiles_set(tiles, i, wall ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
    }
    if (ploy_grid_map_create(&map_def, tiles, &env, &map) != PLOY_OK) return 1;
    if (ploy_grid_search_create(&grid_def, &env, &grid) != PLOY_OK) return 1;
    if (ploy_grid_angle_create(&angle_def, &env, &angle) != PLOY_OK) return 1;

    int32_t from = ploy_tiles_cell(tiles, 2, 7), to = ploy_tiles_cell(tiles, 27, 5), turns[16];
    ploy_grid_cost cost;
    if (ploy_grid_search_run(grid, map, from, to) != PLOY_OK) return 1;
    if (ploy_grid_angle_run(angle, map, from, to) != PLOY_OK) return 1;
    if (ploy_grid_search_cost(grid, to, &cost)) {
        printf("in eight directions: %.3f long, %d steps\n", cost.length,
               (int)ploy_grid_search_path(grid, to, NULL, 0));
    }
    int32_t count = ploy_grid_angle_path(angle, turns, 16);
    printf("in any: %.3f long, by way of", ploy_grid_angle_length(angle));
    for (int32_t i = 0; i < count; i++) printf(" (%d, %d)", turns[i] % WIDTH, turns[i] / WIDTH);
    printf("\nfrom the start one %s the goal\n",
           ploy_grid_sight(map, from, to) ? "sees" : "does not see");

    ploy_grid_angle_destroy(angle);
    ploy_grid_search_destroy(grid);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    return 0;
}
