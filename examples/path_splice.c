// A guard is half way to the gate when a door closes: the rest of the path is found again and joined
// to what was walked. Shows ploy_path_splice with a finder.
#include <stdio.h>

#include "ploy/path/finders.h"

enum { WIDTH = 9, HEIGHT = 5 };
static const char *const rows[HEIGHT] = {"....#....", "....#....", ".........", "....#....",
                                         "........."};

static ploy_vec3 centre(int x, int y) {
    return ploy_vec3_make((float)x + 0.5f, (float)y + 0.5f, 0.0f);
}

static void print_path(const char *what, const ploy_path *path) {
    printf("%s: %d points, %.2f m, cost %.2f\n", what, (int)ploy_path_count(path),
           (double)ploy_path_length(path), ploy_path_cost(path));
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def tiles_def = ploy_tiles_def_default();
    ploy_path_def path_def = ploy_path_def_default();
    tiles_def.width = WIDTH;
    tiles_def.height = HEIGHT;
    ploy_tiles *tiles = NULL;
    ploy_finder finder = {NULL, NULL};
    ploy_path *route = NULL, *rest = NULL;
    if (ploy_tiles_create(&tiles_def, &env, &tiles) != PLOY_OK) return 1;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        if (rows[i / WIDTH][i % WIDTH] == '#') ploy_tiles_set(tiles, i, PLOY_TILE_BLOCKED);
    }
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_representation level = ploy_tiles_representation(&walker);
    ploy_finder_factory factory = ploy_representation_finder(&level, PLOY_SPACE_ASTAR);
    if (ploy_finder_make(&factory, &env, &finder) != PLOY_OK) return 1;
    if (ploy_path_create(&path_def, &env, &route) != PLOY_OK) return 1;
    if (ploy_path_create(&path_def, &env, &rest) != PLOY_OK) return 1;
    ploy_path_request ask =
        ploy_path_request_make(ploy_agent_id_none(), centre(0, 0), centre(8, 0));
    ploy_finder_request request = ploy_finder_request_make(&ask);
    if (ploy_finder_run(finder, &request, NULL) != PLOY_OK) return 1;
    if (ploy_finder_path(finder, route) != PLOY_OK) return 1;
    print_path("planned", route);
    ploy_tiles_set(tiles, 2 * WIDTH + 4, PLOY_TILE_BLOCKED); // the door
    int at = 2;                                              // walked so far
    ploy_vec2 here = ploy_path_point(route, at);
    request.path.from = ploy_vec3_from_vec2(here, 0.0f);
    if (ploy_finder_run(finder, &request, NULL) != PLOY_OK) return 1;
    if (ploy_finder_path(finder, rest) != PLOY_OK) return 1;
    print_path("the rest", rest);
    if (ploy_path_splice(route, at, rest) != PLOY_OK) return 1;
    print_path("in all", route);
    ploy_finder_destroy(finder);
    ploy_path_destroy(route);
    ploy_path_destroy(rest);
    ploy_tiles_destroy(tiles);
    return 0;
}
