// The maze of the chase: rings that spokes join, a house in the middle, a tunnel round the sides.
#include "games/ghosts/ghosts.h"

#include <string.h>

// The top row comes first; y goes up. 'X' is the tile before the door, 'P' where the player begins.
static const char *const maze_rows[GHOSTS_HEIGHT] = {
    "#########################", //
    "#.......................#", //
    "#.####.#####.#####.####.#", //
    "#.#o.................o#.#", //
    "#.#.#####.#####.#####.#.#", //
    "#...#...............#...#", //
    "#.#.#.##.###.###.##.#.#.#", //
    "#.#...##....X....##...#.#", //
    "#.#.#.##.###-###.##.#.#.#", //
    " ...#....##HHH##....#... ", //
    "#.#.#.##.#######.##.#.#.#", //
    "#.#...##.........##...#.#", //
    "#.#.#.##.###.###.##.#.#.#", //
    "#...#.......P.......#...#", //
    "#.#.#####.#####.#####.#.#", //
    "#.#o.................o#.#", //
    "#.####.#####.#####.####.#", //
    "#.......................#", //
    "#########################", //
};

char ghosts_letter(ghosts_tile tile) {
    if (tile.x < 0 || tile.x >= GHOSTS_WIDTH || tile.y < 0 || tile.y >= GHOSTS_HEIGHT) return '#';
    return maze_rows[GHOSTS_HEIGHT - 1 - tile.y][tile.x];
}

ghosts_tile ghosts_find(char letter) {
    ghosts_tile tile = {0, 0};
    for (tile.y = 0; tile.y < GHOSTS_HEIGHT; tile.y++) {
        for (tile.x = 0; tile.x < GHOSTS_WIDTH; tile.x++) {
            if (ghosts_letter(tile) == letter) return tile;
        }
    }
    return tile;
}

ploy_vec2 ghosts_way_vector(int32_t way) {
    static const ploy_vec2 vectors[GHOSTS_WAYS] = {
        {1.0f, 0.0f}, {0.0f, 1.0f}, {-1.0f, 0.0f}, {0.0f, -1.0f}};
    return vectors[way];
}

ghosts_tile ghosts_next(ghosts_tile tile, int32_t way) {
    ploy_vec2 step = ghosts_way_vector(way);
    ghosts_tile next = {(tile.x + (int32_t)step.x + GHOSTS_WIDTH) % GHOSTS_WIDTH,
                        tile.y + (int32_t)step.y};
    return next;
}

bool ghosts_open(ghosts_tile tile, bool inside) {
    char letter = ghosts_letter(tile);
    return letter != '#' && (inside || (letter != '-' && letter != 'H'));
}

int32_t ghosts_cell(ghosts_tile tile) {
    return tile.y * GHOSTS_WIDTH + tile.x;
}

int32_t ghosts_opposite(int32_t way) {
    return (way + 2) % GHOSTS_WAYS;
}

ploy_vec2 ghosts_position(const ghosts_mover *mover) {
    ploy_vec2 at = ploy_vec2_make((float)mover->tile.x, (float)mover->tile.y);
    return ploy_vec2_add(at, ploy_vec2_scale(ghosts_way_vector(mover->way), mover->along));
}

bool ghosts_bit(const uint32_t *rows, ghosts_tile tile) {
    return (rows[tile.y] >> tile.x & 1u) != 0;
}

void ghosts_fill(ghosts_game *game) {
    memset(game->pips, 0, sizeof game->pips);
    memset(game->powers, 0, sizeof game->powers);
    ghosts_tile tile;
    for (tile.y = 0; tile.y < GHOSTS_HEIGHT; tile.y++) {
        for (tile.x = 0; tile.x < GHOSTS_WIDTH; tile.x++) {
            char letter = ghosts_letter(tile);
            if (letter == '.') game->pips[tile.y] |= 1u << tile.x;
            if (letter == 'o') game->powers[tile.y] |= 1u << tile.x;
        }
    }
}

int32_t ghosts_pips_left(const ghosts_game *game) {
    int32_t left = 0;
    for (int32_t y = 0; y < GHOSTS_HEIGHT; y++) {
        for (uint32_t row = game->pips[y] | game->powers[y]; row != 0; row &= row - 1) left++;
    }
    return left;
}

// Every way home and out, once for all: two floods from where they lead to.
ploy_result ghosts_make_ways(ghosts_game *game, const ploy_env *env) {
    ploy_tiles_def tiles = ploy_tiles_def_default();
    tiles.width = GHOSTS_WIDTH;
    tiles.height = GHOSTS_HEIGHT;
    tiles.neighbours = PLOY_TILE_FOUR;
    ploy_result result = ploy_tiles_create(&tiles, env, &game->tiles);
    if (result != PLOY_OK) return result;
    ghosts_tile tile;
    for (tile.y = 0; tile.y < GHOSTS_HEIGHT; tile.y++) {
        for (tile.x = 0; tile.x < GHOSTS_WIDTH; tile.x++) {
            uint8_t kind = ghosts_open(tile, true) ? PLOY_TILE_OPEN : PLOY_TILE_BLOCKED;
            (void)ploy_tiles_set(game->tiles, ghosts_cell(tile), kind);
        }
    }
    ploy_grid_map_def map = ploy_grid_map_def_default();
    ploy_grid_search_def search = ploy_grid_search_def_default();
    search.algorithm = PLOY_GRID_DIJKSTRA;
    result = ploy_grid_map_create(&map, game->tiles, env, &game->map);
    if (result == PLOY_OK) result = ploy_grid_search_create(&search, env, &game->home);
    if (result == PLOY_OK) result = ploy_grid_search_create(&search, env, &game->out);
    ghosts_tile house = ghosts_find('H');
    house.x++; // its middle
    if (result == PLOY_OK) {
        result = ploy_grid_search_run(game->home, game->map, ghosts_cell(house), PLOY_STATE_NONE);
    }
    if (result == PLOY_OK) {
        result = ploy_grid_search_run(game->out, game->map, ghosts_cell(ghosts_find('X')),
                                      PLOY_STATE_NONE);
    }
    return result;
}
