// What a guard sees past two pillars, and the paths around them for an agent with a radius: pillars
// grown by it, and their corners as nodes, joined where nothing is between them. Shows
// ploy/geom/visibility.h and ploy/geom/line_of_sight.h.
#include <stdio.h>

#include "ploy/geom/offset.h"
#include "ploy/geom/visibility.h"

enum { MOST_STONES = 64 };

static ploy_result look(const ploy_rings *pillars, ploy_vec2 guard, ploy_arena *scratch,
                        ploy_rings *seen) {
    ploy_visibility_def def = ploy_visibility_def_default();
    def.radius = 10.0f;
    def.angle = 1.5707964f; // a quarter of a turn, along +x
    ploy_result result =
        ploy_visibility_find_rings(&def, guard, pillars, PLOY_SOLID_INSIDE, scratch, seen);
    if (result == PLOY_OK) {
        printf("the guard sees %.1f of %.1f m^2\n", (double)ploy_rings_area(seen),
               (double)(0.5f * def.angle * def.radius * def.radius));
    }
    return result;
}

static ploy_result walk_round(const ploy_rings *pillars, ploy_arena *scratch, ploy_rings *grown) {
    ploy_result result = ploy_rings_expand(pillars, PLOY_FILL_NON_ZERO, 0.5f, 0.1f, scratch, grown);
    if (result != PLOY_OK) return result;
    ploy_vec2 stones[MOST_STONES];
    int32_t count = ploy_rings_bends(grown, PLOY_SOLID_INSIDE, stones, MOST_STONES), lines = 0;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < i; k++) {
            lines += ploy_rings_sees(grown, PLOY_SOLID_INSIDE, stones[i], stones[k]);
        }
    }
    printf("an agent of 0.5 m has %d corners to pass, with %d straight lines between them\n",
           (int)count, (int)lines);
    return PLOY_OK;
}

int main(void) {
    static const ploy_vec2 near_pillar[] = {{3, -1}, {4, -1}, {4, 0}, {3, 0}};
    static const ploy_vec2 far_pillar[] = {{5, 1}, {7, 1}, {7, 2}, {5, 2}};
    ploy_env env = ploy_env_default();
    ploy_rings *pillars = NULL, *out = NULL;
    ploy_arena *scratch = NULL;
    ploy_vec2 guard = {0, 0}, coin = {6, 0.5f}, key = {8, 2};
    if (ploy_rings_create(&env, &pillars) != PLOY_OK || ploy_rings_create(&env, &out) != PLOY_OK ||
        ploy_arena_create(65536, 0, &env, &scratch) != PLOY_OK ||
        ploy_rings_add(pillars, near_pillar, 4) != PLOY_OK ||
        ploy_rings_add(pillars, far_pillar, 4) != PLOY_OK ||
        look(pillars, guard, scratch, out) != PLOY_OK) {
        return 1;
    }
    printf("the coin is %s\n",
           ploy_rings_contains(out, coin, PLOY_FILL_NON_ZERO) ? "seen" : "hidden");
    printf("the key is %s\n",
           ploy_rings_contains(out, key, PLOY_FILL_NON_ZERO) ? "seen" : "hidden");
    if (walk_round(pillars, scratch, out) != PLOY_OK) return 1;
    ploy_rings_destroy(pillars);
    ploy_rings_destroy(out);
    ploy_arena_destroy(scratch);
    return 0;
}
