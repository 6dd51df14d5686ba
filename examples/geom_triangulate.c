// A room with a pillar, cut into triangles: the triangle that contains an agent, a wall that is added
// and one that is refused, a point that is removed again. Shows ploy/geom/cdt.h.
#include <stdio.h>

#include "ploy/geom/cdt.h"

static const ploy_vec2 room[] = {{0, 0}, {10, 0}, {10, 8}, {0, 8}};
static const ploy_vec2 pillar[] = {{4, 3}, {4, 5}, {6, 5}, {6, 3}};

static void count(const char *what, const ploy_cdt *cdt) {
    ploy_cdt_view view = ploy_cdt_get(cdt);
    int inside = 0;
    for (int32_t t = 0; t < view.triangle_count; t++) {
        if ((view.triangles[t].flags & PLOY_CDT_INSIDE) != 0) inside++;
    }
    printf("%s: %d triangles, %d of them floor\n", what, (int)view.triangle_count, inside);
}

static ploy_result build(ploy_cdt *cdt, ploy_rings *rings) {
    ploy_result result = ploy_rings_add(rings, room, 4);
    if (result == PLOY_OK) result = ploy_rings_add(rings, pillar, 4);
    // Sides become constraints; what the rings hold, by the even-odd rule, is inside.
    if (result == PLOY_OK) result = ploy_cdt_build_rings(cdt, rings, PLOY_FILL_EVEN_ODD, NULL);
    return result;
}

static bool walkable(const ploy_cdt *cdt, ploy_vec2 point) {
    ploy_cdt_location at = ploy_cdt_locate(cdt, point, -1);
    if (at.place == PLOY_CDT_OUTSIDE) return false;
    return (ploy_cdt_get(cdt).triangles[at.triangle].flags & PLOY_CDT_INSIDE) != 0;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_cdt_def def = ploy_cdt_def_default();
    ploy_cdt *cdt = NULL;
    ploy_rings *rings = NULL;
    ploy_diags *diags = NULL;
    if (ploy_cdt_create(&def, &env, &cdt) != PLOY_OK ||
        ploy_rings_create(&env, &rings) != PLOY_OK ||
        ploy_diags_create(4, &env, &diags) != PLOY_OK || build(cdt, rings) != PLOY_OK) {
        return 1;
    }
    count("room with a pillar", cdt);
    printf("(2, 2) is %s, (5, 4) is %s\n",
           walkable(cdt, ploy_vec2_make(2, 2)) ? "floor" : "not floor",
           walkable(cdt, ploy_vec2_make(5, 4)) ? "floor" : "not floor");

    // A wall from the left side of the room to a corner of the pillar; vertices 0 to 7 are the
    // rings' corners in order.
    int32_t door = -1;
    if (ploy_cdt_insert_point(cdt, ploy_vec2_make(0, 4), &door) != PLOY_OK ||
        ploy_cdt_insert_edge(cdt, door, 5, diags) != PLOY_OK) {
        return 1;
    }
    count("with a wall", cdt);
    if (ploy_cdt_insert_edge(cdt, 0, 3, diags) == PLOY_OK) printf("a wall along a wall is fine\n");
    if (ploy_cdt_insert_edge(cdt, 4, 3, diags) != PLOY_OK) {
        printf("refused: %s\n", ploy_diags_get(diags, 0)->message);
    }

    // Nothing ends at the door once the wall is gone, so it can go too.
    if (ploy_cdt_remove_edge(cdt, door, 5) != PLOY_OK ||
        ploy_cdt_remove_point(cdt, door) != PLOY_OK) {
        return 1;
    }
    count("as before", cdt);
    ploy_diags_destroy(diags);
    ploy_rings_destroy(rings);
    ploy_cdt_destroy(cdt);
    return 0;
}
