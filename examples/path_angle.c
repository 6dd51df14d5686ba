// One question on a grid, three answers: steps in eight directions, lines between cells, and the
// shortest path of all, which touches the corners that it bends round.
// Shows ploy_grid_finder, ploy_grid_angle_finder and ploy_grid_anya_finder.
#include <stdio.h>

#include "ploy/path/finders.h"

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

// The length of a finder's path, and where it bends.
static void print_path(const char *name, const ploy_finder_factory *factory,
                       const ploy_finder_request *request, ploy_path *path, const ploy_env *env) {
    ploy_finder finder;
    if (ploy_finder_make(factory, env, &finder) != PLOY_OK) return;
    if (ploy_finder_run(finder, request, NULL) == PLOY_OK &&
        ploy_finder_path(finder, path) == PLOY_OK) {
        printf("%s: %.3f", name, ploy_finder_state_of(finder)->cost);
        for (int32_t i = 1; i < ploy_path_count(path) && ploy_path_count(path) < 9; i++) {
            printf(" (%g, %g)", ploy_path_point(path, i).x, ploy_path_point(path, i).y);
        }
        printf("\n");
    }
    ploy_finder_destroy(finder);
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
    ploy_path_def path_def = ploy_path_def_default();
    ploy_grid_map *map = NULL;
    ploy_path *path = NULL;
    if (ploy_grid_map_create(&map_def, tiles, &env, &map) != PLOY_OK ||
        ploy_path_create(&path_def, &env, &path) != PLOY_OK) {
        return 1;
    }
    ploy_path_request ends = ploy_path_request_make(
        ploy_agent_id_none(), ploy_vec3_make(1.5f, 4.5f, 0), ploy_vec3_make(18.5f, 7.5f, 0));
    ploy_finder_request request = ploy_finder_request_make(&ends);
    ploy_finder_factory steps = ploy_grid_finder(map, PLOY_GRID_JPS);
    ploy_finder_factory lines = ploy_grid_angle_finder(map, PLOY_GRID_ANGLE_LAZY);
    ploy_finder_factory shortest = ploy_grid_anya_finder(map);
    print_path("in steps", &steps, &request, path, &env);
    print_path("in lines between cells", &lines, &request, path, &env);
    print_path("the shortest", &shortest, &request, path, &env);
    ploy_path_destroy(path);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    return 0;
}
