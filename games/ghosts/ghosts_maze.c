// The maze of the chase: rings that spokes join, a house in the middle, a tunnel round the sides.
#include "games/ghosts/ghosts.h"

#include <string.h>

// The top row comes first; y goes up. 'X' is the tile before the door, 'P' where the player begins.
static const char maze_text[] = "#########################\n" //
                                "#.......................#\n" //
                                "#.####.#####.#####.####.#\n" //
                                "#.#o.................o#.#\n" //
                                "#.#.#####.#####.#####.#.#\n" //
                                "#...#...............#...#\n" //
                                "#.#.#.##.###.###.##.#.#.#\n" //
                                "#.#...##....X....##...#.#\n" //
                                "#.#.#.##.###-###.##.#.#.#\n" //
                                " ...#....##HHH##....#... \n" //
                                "#.#.#.##.#######.##.#.#.#\n" //
                                "#.#...##.........##...#.#\n" //
                                "#.#.#.##.###.###.##.#.#.#\n" //
                                "#...#.......P.......#...#\n" //
                                "#.#.#####.#####.#####.#.#\n" //
                                "#.#o.................o#.#\n" //
                                "#.####.#####.#####.####.#\n" //
                                "#.......................#\n" //
                                "#########################\n";

const ploy_definition ghosts_definitions[1] = {
    {"maze", "txt",
     "25 letters in 19 rows: # wall, . pip, o power, - door, HHH house, X before the door, P "
     "player"},
};

char ghosts_letter(const ghosts_game *game, ghosts_tile tile) {
    if (tile.x < 0 || tile.x >= GHOSTS_WIDTH || tile.y < 0 || tile.y >= GHOSTS_HEIGHT) return '#';
    return game->maze[GHOSTS_HEIGHT - 1 - tile.y][tile.x];
}

ghosts_tile ghosts_find(const ghosts_game *game, char letter) {
    ghosts_tile tile = {0, 0};
    for (tile.y = 0; tile.y < GHOSTS_HEIGHT; tile.y++) {
        for (tile.x = 0; tile.x < GHOSTS_WIDTH; tile.x++) {
            if (ghosts_letter(game, tile) == letter) return tile;
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

bool ghosts_open(const ghosts_game *game, ghosts_tile tile, bool inside) {
    char letter = ghosts_letter(game, tile);
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
            char letter = ghosts_letter(game, tile);
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

// ---- reading

typedef struct maze_reader {
    ghosts_game game; // only its maze
    ploy_diags *diags;
    bool good;
} maze_reader;

static void maze_fault(maze_reader *reader, int32_t row, int32_t column, const char *message) {
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "maze.txt", row + 1,
                   column + 1, message, NULL, NULL);
    reader->good = false;
}

static void maze_read_rows(maze_reader *reader, const char *text, size_t size) {
    int32_t row = 0, column = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\r') continue;
        if (text[i] == '\n') {
            if (column < GHOSTS_WIDTH && row < GHOSTS_HEIGHT) {
                maze_fault(reader, row, column, "a row has 25 letters");
            }
            row++;
            column = 0;
            continue;
        }
        if (row >= GHOSTS_HEIGHT || column >= GHOSTS_WIDTH) {
            maze_fault(reader, row, column, "a maze has 19 rows of 25 letters");
            return;
        }
        if (strchr("#.o -HXP", text[i]) == NULL || text[i] == 0) {
            maze_fault(reader, row, column, "a letter is one of #.o -HXP");
        }
        reader->game.maze[row][column++] = text[i];
    }
    if (column == GHOSTS_WIDTH) row++; // without a newline at the end
    if (row < GHOSTS_HEIGHT) maze_fault(reader, row, 0, "a maze has 19 rows of 25 letters");
}

// One of each, the house in one piece, walls above and below, and something to eat.
static void maze_check_letters(maze_reader *reader) {
    const ghosts_game *game = &reader->game;
    int32_t counts[256] = {0};
    for (int32_t row = 0; row < GHOSTS_HEIGHT; row++) {
        for (int32_t column = 0; column < GHOSTS_WIDTH; column++) {
            char letter = game->maze[row][column];
            int32_t count = ++counts[(unsigned char)letter];
            bool edge = row == 0 || row == GHOSTS_HEIGHT - 1;
            if (edge && letter != '#') maze_fault(reader, row, column, "the edge must be a wall");
            if ((letter == 'P' || letter == 'X') && count > 1) {
                maze_fault(reader, row, column, "expected exactly one X and one P");
            }
            bool beside = column > 0 && game->maze[row][column - 1] == 'H';
            if (letter == 'H' && (count > 3 || (count > 1 && !beside))) {
                maze_fault(reader, row, column, "the house is HHH in one row");
            }
        }
    }
    if (counts['P'] == 0) maze_fault(reader, 0, 0, "the player's place P is missing");
    if (counts['X'] == 0) maze_fault(reader, 0, 0, "the place before the door, X, is missing");
    if (counts['H'] < 3) maze_fault(reader, 0, 0, "the house HHH is missing");
    if (counts['.'] + counts['o'] == 0) maze_fault(reader, 0, 0, "missing dots to eat");
}

// Marks what can be reached from a tile.
static void maze_flood(const ghosts_game *game, ghosts_tile from, bool inside, bool *reached) {
    int32_t queue[GHOSTS_CELLS], first = 0, last = 0;
    reached[ghosts_cell(from)] = true;
    queue[last++] = ghosts_cell(from);
    while (first < last) {
        ghosts_tile tile = {queue[first] % GHOSTS_WIDTH, queue[first] / GHOSTS_WIDTH};
        first++;
        for (int32_t way = 0; way < GHOSTS_WAYS; way++) {
            ghosts_tile next = ghosts_next(tile, way);
            if (!ghosts_open(game, next, inside) || reached[ghosts_cell(next)]) continue;
            reached[ghosts_cell(next)] = true;
            queue[last++] = ghosts_cell(next);
        }
    }
}

// Everything hangs together, and no character is caught in a dead end.
static void maze_check_ways(maze_reader *reader) {
    const ghosts_game *game = &reader->game;
    bool outside[GHOSTS_CELLS] = {false}, all[GHOSTS_CELLS] = {false};
    maze_flood(game, ghosts_find(game, 'P'), false, outside);
    maze_flood(game, ghosts_find(game, 'X'), true, all);
    ghosts_tile tile;
    for (tile.y = GHOSTS_HEIGHT - 1; tile.y >= 0; tile.y--) {
        for (tile.x = 0; tile.x < GHOSTS_WIDTH; tile.x++) {
            int32_t row = GHOSTS_HEIGHT - 1 - tile.y, exits = 0;
            bool open = ghosts_open(game, tile, false);
            if (!ghosts_open(game, tile, true)) continue;
            if (!all[ghosts_cell(tile)] || (open && !outside[ghosts_cell(tile)])) {
                maze_fault(reader, row, tile.x, "unreachable tile");
                continue;
            }
            for (int32_t way = 0; way < GHOSTS_WAYS; way++) {
                exits += ghosts_open(game, ghosts_next(tile, way), false) ? 1 : 0;
            }
            if (open && exits < 2) maze_fault(reader, row, tile.x, "unexpected dead end");
        }
    }
}

ploy_result ghosts_read_maze(const void *bytes, size_t size, char rows[][GHOSTS_WIDTH],
                             ploy_diags *diags) {
    maze_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.diags = diags;
    reader.good = true;
    maze_read_rows(&reader, bytes, size);
    if (reader.good) maze_check_letters(&reader);
    if (reader.good) maze_check_ways(&reader);
    if (!reader.good) return PLOY_ERR_FORMAT;
    memcpy(rows, reader.game.maze, sizeof reader.game.maze);
    return PLOY_OK;
}

// Every path home and out, once for all: two floods from where they lead to.
static ploy_result maze_make_ways(ghosts_game *game, const ploy_env *env) {
    ploy_tiles_def tiles = ploy_tiles_def_default();
    tiles.width = GHOSTS_WIDTH;
    tiles.height = GHOSTS_HEIGHT;
    tiles.neighbours = PLOY_TILE_FOUR;
    ploy_grid_search_destroy(game->out);
    ploy_grid_search_destroy(game->home);
    ploy_grid_map_destroy(game->map);
    ploy_tiles_destroy(game->tiles);
    game->out = game->home = NULL;
    game->map = NULL;
    game->tiles = NULL;
    ploy_result result = ploy_tiles_create(&tiles, env, &game->tiles);
    if (result != PLOY_OK) return result;
    ghosts_tile tile;
    for (tile.y = 0; tile.y < GHOSTS_HEIGHT; tile.y++) {
        for (tile.x = 0; tile.x < GHOSTS_WIDTH; tile.x++) {
            uint8_t kind = ghosts_open(game, tile, true) ? PLOY_TILE_OPEN : PLOY_TILE_BLOCKED;
            (void)ploy_tiles_set(game->tiles, ghosts_cell(tile), kind);
        }
    }
    ploy_grid_map_def map = ploy_grid_map_def_default();
    ploy_grid_search_def search = ploy_grid_search_def_default();
    search.algorithm = PLOY_GRID_DIJKSTRA;
    result = ploy_grid_map_create(&map, game->tiles, env, &game->map);
    if (result == PLOY_OK) result = ploy_grid_search_create(&search, env, &game->home);
    if (result == PLOY_OK) result = ploy_grid_search_create(&search, env, &game->out);
    ghosts_tile house = ghosts_find(game, 'H');
    house.x++; // its middle
    if (result == PLOY_OK) {
        result = ploy_grid_search_run(game->home, game->map, ghosts_cell(house), PLOY_STATE_NONE);
    }
    if (result == PLOY_OK) {
        result = ploy_grid_search_run(game->out, game->map, ghosts_cell(ghosts_find(game, 'X')),
                                      PLOY_STATE_NONE);
    }
    return result;
}

ploy_result ghosts_take_maze(ghosts_game *game, const void *bytes, size_t size,
                             const ploy_env *env) {
    char rows[GHOSTS_HEIGHT][GHOSTS_WIDTH];
    const void *text = bytes != NULL ? bytes : maze_text;
    size_t length = bytes != NULL ? size : sizeof maze_text - 1;
    ploy_result result = ghosts_read_maze(text, length, rows, NULL);
    if (result == PLOY_OK) result = ploy_definition_text_set(&game->text, text, length, env);
    if (result != PLOY_OK) return result;
    memcpy(game->maze, rows, sizeof game->maze);
    return maze_make_ways(game, env);
}

ploy_result ghosts_write_maze(const void *state, int32_t definition, ploy_writer *out) {
    (void)definition;
    return ploy_definition_text_write(&((const ghosts_game *)state)->text, out);
}

ploy_result ghosts_check_maze(const void *state, int32_t definition, const void *bytes, size_t size,
                              const ploy_env *env, ploy_diags *diags) {
    (void)state, (void)definition, (void)env;
    char rows[GHOSTS_HEIGHT][GHOSTS_WIDTH];
    return ghosts_read_maze(bytes, size, rows, diags);
}
