// Room for an agent: a floor with a door is shrunk by the agent's radius, and for the large agent
// the door closes; then a fence line becomes a wall. Shows ploy/geom/offset.h.
#include <stdio.h>

#include "ploy/geom/offset.h"

int main(void) {
    // Two rooms of 4 m by 4 m with a door of 1 m between them.
    static const ploy_vec2 floor_plan[] = {{0, 0}, {4, 0}, {4, 1}, {5, 1}, {5, 0}, {9, 0},
                                           {9, 4}, {5, 4}, {5, 2}, {4, 2}, {4, 4}, {0, 4}};
    ploy_env env = ploy_env_default();
    ploy_rings *plan = NULL, *free_space = NULL;
    ploy_arena *scratch = NULL;
    if (ploy_rings_create(&env, &plan) != PLOY_OK ||
        ploy_rings_create(&env, &free_space) != PLOY_OK ||
        ploy_arena_create(65536, 0, &env, &scratch) != PLOY_OK ||
        ploy_rings_add(plan, floor_plan, 12) != PLOY_OK) {
        return 1;
    }
    ploy_offset_style style = ploy_offset_style_default();
    style.join = PLOY_JOIN_MITER;
    static const float radii[] = {0.0f, 0.25f, 0.45f, 0.6f};
    for (int i = 0; i < 4; i++) {
        if (ploy_rings_offset(plan, PLOY_FILL_NON_ZERO, -radii[i], &style, scratch, free_space) !=
            PLOY_OK) {
            return 1;
        }
        printf("radius %.2f m: %.2f m^2 to stand on, in %d part%s\n", (double)radii[i],
               (double)ploy_rings_area(free_space), (int)ploy_rings_count(free_space),
               ploy_rings_count(free_space) == 1 ? "" : "s");
    }
    static const ploy_vec2 fence[] = {{0, 0}, {10, 0}, {10, 5}};
    static const char *const names[] = {"butt", "square", "round"};
    ploy_polyline line = ploy_polyline_make(fence, 3, false);
    for (int i = 0; i < 3; i++) {
        style.cap = (ploy_cap)i;
        if (ploy_polyline_widen(&line, 0.5f, &style, scratch, free_space) != PLOY_OK) return 1;
        printf("fence with %s ends: %.2f m^2\n", names[i], (double)ploy_rings_area(free_space));
    }
    ploy_rings_destroy(plan);
    ploy_rings_destroy(free_space);
    ploy_arena_destroy(scratch);
    return 0;
}
