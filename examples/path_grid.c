// A path on a tile map, found by jump point search, in slices; then its gap is walled up.
// Shows ploy/path/tiles.h, grid_map.h and grid_search.h.
#include <ploy/path/grid_search.h>
#include <stdio.h>

enum { WIDTH = 24, HEIGHT = 9, ROOM = WIDTH * HEIGHT };

static const char level[] = "........................"
                            "..########......####...."
                            ".........#......#......."
                            ".........#......#..###.."
                            ".........####...#..#...."
                            "...#............#..#...."
                            "...#............#..####."
                            "...##########...#......."
                            "........................";

// Steps, one budget a frame, until the path is found; prints the number of frames.
static int search_in_frames(ploy_grid_search *search, const ploy_grid_map *map, int32_t from,
                            int32_t to) {
    int frames = 0;
    if (ploy_grid_search_begin(search, map, from, to) != PLOY_OK) return -1;
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(4);
        result = ploy_grid_search_step(search, &budget);
        frames++;
    }
    return result == PLOY_OK ? frames : -1;
}

static void print_way(const ploy_tiles *tiles, const ploy_grid_search *search, int32_t from,
                      int32_t to) {
    char picture[ROOM];
    int32_t cells[ROOM];
    for (int32_t i = 0; i < ROOM; i++) picture[i] = ploy_tiles_passable(tiles, i) ? '.' : '#';
    int32_t count = ploy_grid_search_path(search, to, cells, ROOM);
    for (int32_t i = 0; i < count; i++) picture[cells[i]] = 'o';
    picture[from] = 'A';
    picture[to] = 'B';
    for (int32_t y = 0; y < HEIGHT; y++) printf("%.*s\n", WIDTH, picture + y * WIDTH);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    ploy_tiles *tiles = NULL;
    ploy_grid_map *map = NULL;
    ploy_grid_search *search = NULL;
    ploy_grid_map_def map_def = ploy_grid_map_def_default();
    ploy_grid_search_def search_def = ploy_grid_search_def_default();
    search_def.algorithm = PLOY_GRID_JPS;
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    for (int32_t i = 0; i < ROOM; i++) {
        ploy_tiles_set(tiles, i, level[i] == '#' ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
    }
    if (ploy_grid_map_create(&map_def, tiles, &env, &map) != PLOY_OK) return 1;
    if (ploy_grid_search_create(&search_def, &env, &search) != PLOY_OK) return 1;

    int32_t from = ploy_tiles_cell(tiles, 1, 4), to = ploy_tiles_cell(tiles, 20, 4);
    for (int turn = 0; turn < 2; turn++) {
        int frames = search_in_frames(search, map, from, to);
        ploy_grid_cost cost;
        if (ploy_grid_search_cost(search, to, &cost)) {
            printf("%d straight and %d diagonal steps, %.2f long, found in %d frames:\n",
                   (int)cost.straight, (int)cost.diagonal, cost.length, frames);
        }
        print_way(tiles, search, from, to);
        // The gap that the path went through is walled up, and the map follows.
        ploy_tiles_set(tiles, ploy_tiles_cell(tiles, 23, 6), PLOY_TILE_BLOCKED);
        if (ploy_grid_map_refresh(map) != PLOY_OK) return 1;
    }
    printf("%s\n", ploy_grid_map_connected(map, from, to) ? "there still is a path" : "no path");

    ploy_grid_search_destroy(search);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    return 0;
}
