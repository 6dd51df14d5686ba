// One character walks through a level drawn as text: tiles, walls, mesh and paths with one call each,
// then a cast that owns its position. Shows ploy_tiles_from_text, ploy_rings_from_tiles, ploy_cast.
#include <stdio.h>
#include <string.h>

#include "ploy/data/character.h"
#include "ploy/data/tiles_text.h"
#include "ploy/path/finders.h"
#include "ploy/path/outlines.h"

static const char level[] = "############\n"
                            "#a....#....#\n"
                            "#.....#..b.#\n"
                            "#..........#\n"
                            "############\n";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles *tiles = NULL;
    ploy_rings *walls = NULL, *floor = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_planners *planners = NULL;
    ploy_cast *cast = NULL;
    ploy_navmesh_def mesh_def = ploy_navmesh_def_default();
    mesh_def.radius = 0.4f;
    ploy_planners_def planners_def = ploy_planners_def_default();
    ploy_navmesh_finder_def search = ploy_navmesh_finder_def_default();
    if (ploy_tiles_from_text(level, strlen(level), "#", "level", &env, NULL, &tiles) != PLOY_OK ||
        ploy_rings_create(&env, &walls) != PLOY_OK || ploy_rings_create(&env, &floor) != PLOY_OK ||
        ploy_rings_from_tiles(tiles, &env, walls, floor) != PLOY_OK ||
        ploy_navmesh_create_rings(&mesh_def, floor, PLOY_FILL_NON_ZERO, NULL, 0, &env, NULL,
                                  &mesh) != PLOY_OK ||
        ploy_planners_create(&planners_def, &env, &planners) != PLOY_OK)
        return 1;
    search.mesh = mesh;
    ploy_finder_factory finder = ploy_navmesh_finder(&search);
    ploy_name any = {0};
    if (ploy_planners_add_finder(planners, any, &finder) != PLOY_OK) return 1;
    ploy_cast_place place = {ploy_planners_service(planners), NULL, walls, NULL};
    ploy_cast_def def = ploy_cast_def_default();
    ploy_character_def guard = ploy_character_def_default();
    ploy_behavior none = {NULL, NULL};
    ploy_vec2 from = {0, 0}, to = {0, 0};
    ploy_agent_id id;
    ploy_tiles_find_kind(tiles, 'a', &from);
    ploy_tiles_find_kind(tiles, 'b', &to);
    if (ploy_cast_create(&def, &place, &env, &cast) != PLOY_OK ||
        ploy_cast_add(cast, &guard, NULL, none, from, 0, &id) != PLOY_OK ||
        ploy_cast_go(cast, id, to, 1.5f, NULL) != PLOY_OK)
        return 1;
    for (int tick = 0; tick <= 480; tick++) {
        ploy_vec2 at = ploy_cast_position(cast, id);
        if (tick % 120 == 0) printf("%d s: %.1f, %.1f\n", tick / 60, (double)at.x, (double)at.y);
        (void)ploy_path_service_step(&place.service, NULL);
        if (ploy_cast_step(cast, 1.0f / 60, NULL) != PLOY_OK) return 1;
    }
    printf("%d body in the crowd\n", (int)ploy_crowd_count(ploy_cast_crowd(cast)));
    ploy_cast_destroy(cast);
    ploy_planners_destroy(planners);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(floor);
    ploy_rings_destroy(walls);
    ploy_tiles_destroy(tiles);
    return 0;
}
