// Check where waypoints are wrong. You will see a level whose cells belong to the nearest waypoint,
// and the cells for which that waypoint is behind a wall: a character there would be sent to the
// wrong side; and how many pieces each waypoint's domain has, seen from above. Shows ploy_domains_check and
// ploy_domains_split.
#include <stdio.h>

#include "ploy/path/graph_tools.h"

enum { SIDE = 9 };

static void print(const ploy_tiles *tiles, const ploy_domains *domains,
                  const ploy_domains_issue *issues, int32_t count) {
    for (int32_t y = SIDE - 1; y >= 0; y--) {
        for (int32_t x = 0; x < SIDE; x++) {
            int32_t cell = y * SIDE + x;
            ploy_vec2 at = ploy_tiles_localise(tiles, cell);
            char letter = (char)('a' + ploy_domains_find(domains, ploy_vec3_from_vec2(at, 0.0f)));
            if (ploy_tiles_get(tiles, cell) == PLOY_TILE_BLOCKED) letter = '#';
            for (int32_t i = 0; i < count; i++) {
                if (issues[i].cell == cell) letter = '!';
            }
            putchar(letter);
        }
        putchar('\n');
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = def.height = SIDE;
    ploy_tiles *tiles = NULL;
    if (ploy_tiles_create(&def, &env, &tiles) != PLOY_OK) return 1;
    for (int32_t x = 0; x < SIDE; x++) { // a wall between two corridors
        if (ploy_tiles_set(tiles, 3 * SIDE + x, PLOY_TILE_BLOCKED) != PLOY_OK) return 1;
    }
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_vec3 points[3] = {ploy_vec3_from_vec2(ploy_tiles_localise(tiles, 2 * SIDE + 4), 0.0f),
                           ploy_vec3_from_vec2(ploy_tiles_localise(tiles, 7 * SIDE + 4), 0.0f),
                           ploy_vec3_from_vec2(ploy_tiles_localise(tiles, 4 * SIDE + 4), 0.0f)};
    for (int32_t count = 2; count <= 3; count++) {
        ploy_domains domains = {PLOY_DOMAIN_PLAIN, points, NULL, count, NULL, NULL};
        ploy_domains_issue issues[SIDE * SIDE];
        int32_t found = 0;
        if (ploy_domains_check(&domains, &walker, 1.0f, &env, issues, SIDE * SIDE, &found) !=
            PLOY_OK) {
            return 1;
        }
        printf("%d waypoints: %d cells belong to one behind the wall\n", (int)count, (int)found);
        print(tiles, &domains, issues, found);
        int32_t pieces[3];
        ploy_box2 level = {{0, 0}, {SIDE, SIDE}};
        if (ploy_domains_split(&domains, level, SIDE, SIDE, &env, pieces) != PLOY_OK) return 1;
        printf("pieces:");
        for (int32_t i = 0; i < count; i++) printf(" %d", (int)pieces[i]);
        printf("\n");
    }
    ploy_tiles_destroy(tiles);
    return 0;
}
