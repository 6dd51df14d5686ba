// Reads a map as the Tiled editor writes it, and asks what a game asks: where does the player begin, what is the
// cell there, and what does it cost to walk? Shows ploy_tiled_load, ploy_tiles_from_tiled.
#include <ploy/ploy.h>

#include <stdio.h>
#include <string.h>

static const char text[] =
    "<map width='4' height='2' tilewidth='16' tileheight='16'>"
    " <tileset firstgid='1' name='land' tilewidth='16' tileheight='16' tilecount='3' columns='3'>"
    "  <tile id='1'><properties><property name='cost' type='float' "
    "value='2.5'/></properties></tile>"
    "  <tile id='2'><properties><property name='solid' type='bool' "
    "value='true'/></properties></tile>"
    " </tileset>"
    " <layer width='4' height='2'><data encoding='csv'>1,1,3,1, 1,2,2,1</data></layer>"
    " <objectgroup><object id='1' name='start' x='8' y='24'><point/></object></objectgroup>"
    "</map>";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiled *map = NULL;
    ploy_tiles *tiles = NULL;
    ploy_tiled_use use = ploy_tiled_use_default();
    if (ploy_tiled_load(text, strlen(text), "land.tmx", NULL, &env, NULL, &map) != PLOY_OK ||
        ploy_tiles_from_tiled(map, &use, &env, NULL, &tiles) != PLOY_OK) {
        return 1;
    }
    ploy_tiled_view view = ploy_tiled_get(map);
    const ploy_tiled_object *start = &view.objects[0];
    ploy_vec2 at = ploy_tiled_position(map, &use, start->x, start->y);
    printf("%s is at %g, %g m\n", start->name, (double)at.x, (double)at.y);
    printf("the tile there is number %u\n", (unsigned)ploy_tiled_cell(map, 0, 0, 1));
    for (int32_t y = 1; y >= 0; y--) {
        for (int32_t x = 0; x < 4; x++) {
            int32_t cell = ploy_tiles_cell(tiles, x, y);
            if (ploy_tiles_passable(tiles, cell)) {
                printf(" %3g", (double)ploy_tiles_cost(tiles, ploy_tiles_get(tiles, cell)));
            } else {
                printf("   #");
            }
        }
        printf("\n");
    }
    ploy_tiles_destroy(tiles);
    ploy_tiled_destroy(map);
    return 0;
}
