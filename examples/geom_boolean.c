// Rooms less furniture: two rooms and a corridor grow together, a table is cut out, and the cellar
// below shares a part of them. You will see areas and corners. Shows ploy/geom/boolean.h.
#include <stdio.h>

#include "ploy/geom/boolean.h"

static void add_box(ploy_rings *rings, float x, float y, float width, float height) {
    const ploy_vec2 corners[] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    ploy_rings_add(rings, corners, 4);
}

static void tell(const char *title, const ploy_rings *rings) {
    printf("%s: %.1f m^2, %d corners", title, (double)ploy_rings_area(rings),
           (int)ploy_rings_corners(rings));
    for (int32_t i = 0; i < ploy_rings_count(rings); i++) {
        printf("%s%s", i > 0 ? " and " : ", ", ploy_rings_is_hole(rings, i) ? "a hole" : "an area");
    }
    printf("\n");
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_rings *rooms = NULL, *other = NULL;
    ploy_arena *scratch = NULL;
    if (ploy_rings_create(&env, &rooms) != PLOY_OK || ploy_rings_create(&env, &other) != PLOY_OK ||
        ploy_arena_create(16384, 0, &env, &scratch) != PLOY_OK) {
        return 1;
    }
    add_box(rooms, 0, 0, 4, 4);
    add_box(rooms, 8, 0, 4, 4);
    add_box(rooms, 3, 1, 6, 1); // the corridor reaches into both
    // Rings that overlap are one area under the non-zero rule; the union with nothing joins them.
    ploy_rings_boolean(rooms, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_NON_ZERO, scratch, rooms);
    tell("rooms", rooms);

    add_box(other, 1, 2, 2, 1); // a table in the middle of the first room
    ploy_rings_boolean(rooms, other, PLOY_BOOLEAN_DIFFERENCE, PLOY_FILL_NON_ZERO, scratch, rooms);
    tell("less the table", rooms);

    ploy_rings_clear(other);
    add_box(other, 2, -1, 7, 3);
    ploy_rings_boolean(rooms, other, PLOY_BOOLEAN_INTERSECTION, PLOY_FILL_NON_ZERO, scratch, other);
    tell("above the cellar", other);

    ploy_rings_destroy(rooms);
    ploy_rings_destroy(other);
    ploy_arena_destroy(scratch);
    return 0;
}
