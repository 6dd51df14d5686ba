// A room with a pillar: where one may stand, what a shot meets, and the smallest shapes around the
// players. Shows ploy/geom/polygon.h, polygon_hit.h, rings.h, simplify.h and hull.h.
#include <stdio.h>

#include "ploy/geom/hull.h"
#include "ploy/geom/polygon_hit.h"
#include "ploy/geom/rings.h"
#include "ploy/geom/simplify.h"

int main(void) {
    static const ploy_vec2 room[] = {{0, 0}, {10, 0}, {10, 4}, {4, 4}, {4, 8}, {0, 8}};
    static const ploy_vec2 pillar[] = {{6, 1}, {8, 1}, {8, 3}, {6, 3}};
    static const char *const where[] = {"outside", "on the wall", "inside"};
    ploy_env env = ploy_env_default();
    ploy_rings *floor_area = NULL;
    if (ploy_rings_create(&env, &floor_area) != PLOY_OK) return 1;
    ploy_rings_add(floor_area, room, 6);
    ploy_rings_add_reversed(floor_area, pillar, 4); // a hole
    printf("floor: %.0f m^2\n", (double)ploy_rings_area(floor_area));
    static const ploy_vec2 spots[] = {{2, 6}, {7, 2}, {6, 2}, {7, 6}};
    for (int i = 0; i < 4; i++) {
        printf("(%.0f, %.0f) is %s\n", (double)spots[i].x, (double)spots[i].y,
               where[ploy_rings_locate(floor_area, spots[i], PLOY_FILL_EVEN_ODD)]);
    }
    ploy_rings_destroy(floor_area);

    ploy_polygon block = ploy_polygon_make(pillar, 4);
    ploy_vec2 gun = {1, 2}, target = {9, 2.5f};
    ploy_hit2 hit;
    if (ploy_ray2_hit_polygon(ploy_ray2_between(gun, target), block, &hit)) {
        printf("a shot stops after %.2f m", (double)hit.distance);
    }
    if (ploy_sweep_hit_polygon(ploy_sweep_between(gun, target, 0.5f), block, &hit)) {
        printf(", a body after %.2f m\n", (double)hit.distance);
    }

    static const ploy_vec2 players[] = {{1, 1}, {2, 3}, {3, 2}, {4, 4}, {2, 2}, {3, 3.5f}};
    ploy_vec2 corners[6];
    int32_t count = ploy_hull2(players, 6, corners);
    ploy_circle circle = ploy_circle_around(players, 6);
    ploy_arena *scratch = NULL;
    if (ploy_arena_create(4096, 0, &env, &scratch) != PLOY_OK) return 1;
    ploy_obb2 box;
    if (ploy_obb2_around(players, 6, scratch, &box) != PLOY_OK) return 1;
    printf("players: hull of %d corners, %.2f m^2; circle of radius %.2f m; box of %.2f m^2\n",
           (int)count, (double)ploy_polygon_area(ploy_polygon_make(corners, count)),
           (double)circle.radius, (double)ploy_obb2_area(box));

    static const ploy_vec2 traced[] = {{0, 0},    {2, 0.1f}, {4, -0.1f}, {6, 0},
                                       {6.1f, 3}, {6, 6},    {3, 6.1f},  {0, 6}};
    ploy_vec2 plain[8];
    if (ploy_polygon_simplify(ploy_polygon_make(traced, 8), 0.2f, true, scratch, plain, &count) !=
        PLOY_OK) {
        return 1;
    }
    printf("traced outline: 8 corners, within 0.2 m of %d\n", (int)count);
    ploy_arena_destroy(scratch);
    return 0;
}
