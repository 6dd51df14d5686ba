// Areas: the same scatter in a polygon, and on the grass of a tile map. You will see that nothing
// is placed on the path. Shows ploy_scatter_area_polygon and ploy_scatter_area_tiles.
#include <stdio.h>
#include <string.h>

#include "ploy/ploy.h"

static int place(ploy_scatter_area area, const char *what) {
    ploy_env env = ploy_env_default();
    ploy_scatter_def def = ploy_scatter_def_default();
    def.width = 24.0f;
    def.height = 8.0f;
    def.radius_min = def.radius_max = 0.4f;
    def.centre_start = false;
    def.restarts = 100; // the path divides the grass: start again on the other side
    ploy_scatter_input input;
    memset(&input, 0, sizeof input);
    input.area = area;
    ploy_scatter *scatter = NULL;
    if (ploy_scatter_begin(&def, ploy_rng_key_make(3), &input, NULL, &env, &scatter) != PLOY_OK) {
        return 1;
    }
    ploy_result result = ploy_scatter_step(scatter, NULL);
    char map[8][25];
    memset(map, '.', sizeof map);
    int32_t count = 0;
    const ploy_placed *items = ploy_scatter_points(scatter, &count);
    for (int32_t i = 0; i < count; i++) {
        map[(int)items[i].position.y][(int)items[i].position.x] = '*';
    }
    printf("%s: %d\n", what, (int)count);
    for (int y = 7; y >= 0; y--) printf("%.24s\n", map[y]);
    ploy_scatter_cancel(scatter);
    return result == PLOY_OK ? 0 : 1;
}

int main(void) {
    static const ploy_vec2 corners[] = {{1, 1}, {22, 1}, {12, 7}};
    ploy_polygon triangle = ploy_polygon_make(corners, 3);
    int failed = place(ploy_scatter_area_polygon(&triangle), "flowers in the bed");

    // Tiles: 1 is grass, 0 the path from the lower left to the upper right.
    int32_t tiles[8 * 24];
    for (int i = 0; i < 8 * 24; i++) tiles[i] = i % 24 / 3 != i / 24;
    ploy_scatter_tiles grass = {ploy_content_none(), 1, 1};
    grass.content.kinds = PLOY_CONTENT_TILES;
    grass.content.area = ploy_box2_make(ploy_vec2_make(0, 0), ploy_vec2_make(24, 8));
    grass.content.tiles = tiles;
    grass.content.tile_columns = 24;
    grass.content.tile_rows = 8;
    grass.content.tile_size = 1.0f;
    return failed + place(ploy_scatter_area_tiles(&grass), "bushes beside the path");
}
