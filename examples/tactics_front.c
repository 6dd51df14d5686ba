// Holds the front: finds the weakest place of the own border, sends the reserve there, and looks
// again. Shows ploy_influence_weakest, ploy_influence_sectors and exact moves.
#include "ploy/tactics/influence.h"

#include <stdio.h>

enum { WIDTH = 24, HEIGHT = 8 };

static void print_front(const ploy_influence *map) {
    int32_t weakest = ploy_influence_weakest(map, 0);
    for (int32_t y = HEIGHT - 1; y >= 0; y--) {
        for (int32_t x = 0; x < WIDTH; x++) {
            int32_t place = y * WIDTH + x;
            putchar(place == weakest ? '!' : ploy_influence_owner(map, place) == 0 ? 'o' : '.');
        }
        putchar('\n');
    }
    printf("weakest at %d,%d: lead %.3f\n", weakest % WIDTH, weakest / WIDTH,
           (double)ploy_influence_security(map, weakest));
}

int main(void) {
    static const struct {
        int32_t side, x, y;
        float strength;
    } units[] = {{0, 4, 1, 3}, {0, 5, 6, 3}, {1, 17, 1, 4}, {1, 19, 4, 2}, {1, 16, 6, 2}};
    ploy_env env = ploy_env_default();
    ploy_influence_def def = ploy_influence_def_default();
    ploy_influence_type type = ploy_influence_type_default();
    ploy_places places = ploy_places_grid(WIDTH, HEIGHT, ploy_vec2_make(0, 0), 1.0f);
    ploy_influence *map = NULL;
    ploy_influence_unit reserve;
    if (ploy_influence_create(&def, &places, &env, &map) != PLOY_OK ||
        ploy_influence_add_type(map, &type, NULL) != PLOY_OK) {
        return 1;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        int32_t place = units[i].y * WIDTH + units[i].x;
        if (ploy_influence_add(map, units[i].side, 0, place, units[i].strength, NULL) != PLOY_OK) {
            return 1;
        }
    }
    if (ploy_influence_add(map, 0, 0, 4 * WIDTH, 2.0f, &reserve) != PLOY_OK) return 1;
    print_front(map);
    ploy_weak_sector sector;
    int32_t count = ploy_influence_sectors(map, 0, 0.1f, 1, &sector, 1);
    printf("weak sectors: %d, the longest with %d cells around %.1f,%.1f\n", count, sector.size,
           (double)sector.centre.x, (double)sector.centre.y);
    // The move subtracts and adds exactly the reserve's own influence.
    int32_t weakest = ploy_influence_weakest(map, 0);
    if (ploy_influence_move(map, reserve, weakest) != PLOY_OK) return 1;
    printf("the reserve moves there: lead %.3f\n", (double)ploy_influence_security(map, weakest));
    print_front(map);
    ploy_influence_destroy(map);
    return 0;
}
