// Walls and floor of a level from geometry: an OBJ floor with a hole becomes a mesh, and its rims the
// walls that a crowd keeps away from. Shows ploy_rings_from_navmesh and ploy_crowd_add_rings.
#include <stdio.h>
#include <string.h>

#include "ploy/data/obj.h"
#include "ploy/move/crowd.h"
#include "ploy/path/outlines.h"

static const char floor_obj[] = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\n"
                                "v 0 1 0\nv 1 1 0\nv 2 1 0\nv 3 1 0\n"
                                "v 0 2 0\nv 1 2 0\nv 2 2 0\nv 3 2 0\n"
                                "v 0 3 0\nv 1 3 0\nv 2 3 0\nv 3 3 0\n"
                                "f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 5 6 10 9\n"
                                "f 7 8 12 11\nf 9 10 14 13\nf 10 11 15 14\nf 11 12 16 15\n";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_obj *obj = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_rings *walls = NULL, *floor = NULL;
    ploy_crowd *crowd = NULL;
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_crowd_def crowd_def = ploy_crowd_def_default();
    if (ploy_obj_load(floor_obj, strlen(floor_obj), PLOY_AXES_PLOY, "floor.obj", &env, NULL,
                      &obj) != PLOY_OK)
        return 1;
    ploy_navmesh_soup soup = ploy_obj_soup(obj);
    if (ploy_navmesh_create(&def, &soup, &env, NULL, &mesh) != PLOY_OK ||
        ploy_rings_create(&env, &walls) != PLOY_OK || ploy_rings_create(&env, &floor) != PLOY_OK ||
        ploy_rings_from_navmesh(mesh, &env, walls, floor) != PLOY_OK ||
        ploy_crowd_create(&crowd_def, &env, &crowd) != PLOY_OK ||
        ploy_crowd_add_rings(crowd, walls) != PLOY_OK)
        return 1;
    int32_t edges = 0;
    (void)ploy_crowd_walls(crowd, &edges);
    printf("floor: %d rings, %.0f m^2; walls of the crowd: %d edges\n",
           (int)ploy_rings_count(floor), (double)ploy_rings_area(floor), (int)edges);
    ploy_crowd_destroy(crowd);
    ploy_rings_destroy(floor);
    ploy_rings_destroy(walls);
    ploy_navmesh_destroy(mesh);
    ploy_obj_destroy(obj);
    return 0;
}
