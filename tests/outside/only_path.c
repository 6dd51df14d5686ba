// Links ploy::path alone: a wall from side to side separates a map; exit status 1 if it does not.
#include <stdio.h>

#include "ploy/path/tiles.h"

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    def.width = def.height = 4;
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    for (int32_t y = 0; y < 4; y++)
        ploy_tiles_set(tiles, ploy_tiles_cell(tiles, 2, y), PLOY_TILE_BLOCKED);
    ploy_tiles_refresh(tiles);
    bool connected = ploy_tiles_connected(tiles, 0, 3);
    printf("%s\n", connected ? "connected" : "separate");
    ploy_tiles_destroy(tiles);
    return connected ? 1 : 0;
}
