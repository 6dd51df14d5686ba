// A flow field over a small cave: where to go next from every cell, before and after a wall falls.
// Shows ploy/path/grid_flow.h.
#include <ploy/path/grid_flow.h>
#include <stdio.h>

enum { WIDTH = 20, HEIGHT = 7, CELLS = WIDTH * HEIGHT };

// Row 0 is the lowest, so it is printed last.
static const char level[] = "...........#........"
                            ".####......#........"
                            "....#......#...####."
                            "....#......#......#."
                            "....####...#......#."
                            "...................."
                            "....................";

static void print_field(const ploy_grid_flow *flow, const ploy_tiles *tiles, int32_t goal) {
    static const char arrows[] = ">/^\\</v\\"; // of directions 0 to 7
    for (int32_t y = HEIGHT - 1; y >= 0; y--) {
        for (int32_t x = 0; x < WIDTH; x++) {
            int32_t cell = ploy_tiles_cell(tiles, x, y);
            int32_t direction = ploy_grid_flow_direction(flow, cell);
            char free = cell == goal ? 'G' : '.';
            char shown = ploy_tiles_passable(tiles, cell) ? free : '#';
            putchar(direction >= 0 ? arrows[direction] : shown);
        }
        putchar('\n');
    }
}

// A cell changes: the map follows, then the field.
static void change(ploy_tiles *tiles, ploy_grid_map *map, ploy_grid_flow *flow, int32_t cell,
                   uint8_t kind) {
    ploy_tiles_set(tiles, cell, kind);
    if (ploy_grid_map_refresh(map) != PLOY_OK) return;
    ploy_grid_flow_refresh(flow);
    ploy_grid_flow_step(flow, NULL); // or a slice of it in each frame
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    ploy_tiles *tiles = NULL;
    ploy_grid_map *map = NULL;
    ploy_grid_flow *flow = NULL;
    ploy_grid_map_def map_def = ploy_grid_map_def_default();
    ploy_grid_flow_def flow_def = ploy_grid_flow_def_default();
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    for (int32_t i = 0; i < CELLS; i++) {
        ploy_tiles_set(tiles, i, level[i] == '#' ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
    }
    if (ploy_grid_map_create(&map_def, tiles, &env, &map) != PLOY_OK) return 1;
    if (ploy_grid_flow_create(&flow_def, map, &env, &flow) != PLOY_OK) return 1;

    int32_t goal = ploy_tiles_cell(tiles, 16, 1), far = ploy_tiles_cell(tiles, 0, 0);
    ploy_grid_cost cost;
    if (ploy_grid_flow_run(flow, &goal, 1) != PLOY_OK) return 1;
    print_field(flow, tiles, goal);
    if (ploy_grid_flow_cost(flow, far, &cost)) printf("%.2f from the corner\n", cost.length);

    change(tiles, map, flow, ploy_tiles_cell(tiles, 11, 1), PLOY_TILE_OPEN);
    print_field(flow, tiles, goal);
    if (ploy_grid_flow_cost(flow, far, &cost)) printf("%.2f from the corner\n", cost.length);
    printf("%d of %d cells looked at again\n", (int)ploy_grid_flow_stats_of(flow).taken, CELLS);

    ploy_grid_flow_destroy(flow);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
    return 0;
}
