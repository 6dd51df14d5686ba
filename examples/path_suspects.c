// A mesh with a crate-sized hole in the floor and a table top that counts as floor: both are named
// for a person to look at, larger ones are not. Shows ploy/path/navmesh_check.h.
#include <stdio.h>

#include "ploy/path/navmesh_check.h"

static void suspects(const char *title, const ploy_navmesh *mesh, float max_area,
                     const ploy_env *env) {
    ploy_navmesh_spot spots[4];
    for (int32_t kind = 0; kind < 2; kind++) {
        int32_t count = kind == 0 ? ploy_navmesh_find_holes(mesh, max_area, env, spots, 4)
                                  : ploy_navmesh_find_scraps(mesh, max_area, env, spots, 4);
        printf("%s: %s: %d", title, kind == 0 ? "holes" : "scraps", (int)count);
        for (int32_t i = 0; i < count && i < 4; i++) {
            printf(", %.1f m2 at (%.1f, %.1f)", (double)spots[i].area, (double)spots[i].centre.x,
                   (double)spots[i].centre.y);
        }
        printf("\n");
    }
}

int main(void) {
    static const ploy_vec2 hall[] = {{0, 0}, {20, 0}, {20, 12}, {0, 12}};
    static const ploy_vec2 crate[] = {{4, 4}, {5, 4}, {5, 5}, {4, 5}};
    static const ploy_vec2 pond[] = {{10, 2}, {18, 2}, {18, 10}, {10, 10}};
    static const ploy_vec2 table[] = {{13, 5}, {15, 5}, {15, 6}, {13, 6}}; // in the pond
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL;
    def.radius = 0.0f;
    if (ploy_rings_create(&env, &rings) != PLOY_OK) return 1;
    if (ploy_rings_add(rings, hall, 4) != PLOY_OK) return 1;
    if (ploy_rings_add_reversed(rings, crate, 4) != PLOY_OK) return 1;
    if (ploy_rings_add_reversed(rings, pond, 4) != PLOY_OK) return 1;
    if (ploy_rings_add(rings, table, 4) != PLOY_OK) return 1;
    if (ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL, &mesh) !=
        PLOY_OK) {
        return 1;
    }
    suspects("up to 4 m2", mesh, 4.0f, &env);
    suspects("up to 0.5 m2", mesh, 0.5f, &env);
    suspects("up to 100 m2", mesh, 100.0f, &env);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(rings);
    return 0;
}
