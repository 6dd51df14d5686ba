// One question on a grid, three answers: steps in eight directions, lines between cells, and the
// shortest way of all, which touches the corners that it bends round.
// Shows ploy_grid_search, ploy_grid_angle and ploy_grid_anya.
#include <stdio.h>

#include "ploy/path/grid_angle.h"
#include "ploy/path/grid_anya.h"

enum { WIDTH = 20, HEIGHT = 9 };

static const char *const rows[HEIGHT] = {
    "....................", //
    "....................", //
    "....#####...........", //
    "....#####.....##....", //
    "....#####.....##....", //
    "..............##....", //
    "..............##....", //
    "..............##....", //
    "..............##....", //
};

// The shortest way: its length, and where it bends.
static void tell(const ploy_grid_map *map, int32_t from, int32_t to, const ploy_env *env) {
    ploy_grid_anya *anya = NULL;
    ploy_vec2 turns[16];
    if (ploy_grid_anya_create(env, &anya) != PLOY_OK) return;
    if (ploy_grid_anya_run(anya, map, from, to) == PLOY_OK) {
        int32_t count = ploy_grid_anya_path(anya, turns, 16);
        printf("the shortest: %.3f, by", ploy_grid_anya_length(anya));
        for (int32_t i = 0; i < count; i++) printf(" (%g, %g)", turns[i].x, turns[i].y);
        printf("\n");
    }
    ploy_grid_anya_destroy(anya);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    def.width = WIDTH;
    def.height = HEIGHT;
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++) {
        if (rows[i / WIDTH][i % WIDTH] == '#') ploy_tiles_set(tiles, i, PLOY_TILE_BLOCKED);
    }
    ploy_grid_map_def map_def = ploy_grid_map_def_default();
    ploy_grid_search_def search_def = ploy_grid_search_def_default();
    ploy_grid_angle_def angle_def = ploy_grid_angle_def_default();
    ploy_grid_map *map = NULL;
    ploy_grid_search *search = NULL;
    ploy_grid_angle *angle = NULL;
    int32_t from = 4 * WIDTH + 1, to = 7 * WIDTH + 18;
    ploy_grid_cost cost;
    if (ploy_grid_map_create(&map_def, tiles, &env, &map) != PLOY_OK ||
        ploy_grid_search_create(&search_def, &env, &search) != PLOY_OK ||
        ploy_grid_angle_create(&angle_def, &env, &angle) != PLOY_OK) {
        return 1;
    }
    if (ploy_grid_search_run(search, map, from, to) == PLOY_OK &&
        ploy_grid_search_cost(search, to, &cost)) {
        printf("in steps: %.3f\n", cost.length);
    }
    if (ploy_grid_angle_run(angle, map, from, to) == PLOY_OK) {
        printf("in lines between cells: %.3f\n", ploy_grid_angle_length(angle));
    }
    tell(map, from, to, &env);
    ploy_grid_angle_destroy(angle);
    ploy_grid_search_destroy(search);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    return 0;
}
