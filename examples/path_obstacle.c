// A crate is pushed into a passage and out again: only the tiles that it touches are cut again, and
// the path around it is found. Shows ploy/path/navmesh_tiles.h.
#include <stdio.h>

#include "ploy/path/navmesh_query.h"
#include "ploy/path/navmesh_tiles.h"

// How far it is from one end of the hall to the other on the mesh of now.
static ploy_result tell(const char *when, const ploy_navmesh_tiles *tiles, const ploy_env *env) {
    const ploy_navmesh *mesh = ploy_navmesh_tiles_mesh(tiles);
    ploy_path_def def = ploy_path_def_default();
    ploy_navmesh_query *query = NULL;
    ploy_path *path = NULL;
    ploy_navmesh_place from, to;
    ploy_result result = ploy_navmesh_query_create(mesh, env, &query);
    if (result == PLOY_OK) result = ploy_path_create(&def, env, &path);
    if (result == PLOY_OK) {
        result = ploy_navmesh_find_nearest(query, ploy_vec3_make(1, 10, 0), -1, NULL, &from);
    }
    if (result == PLOY_OK) {
        result = ploy_navmesh_find_nearest(query, ploy_vec3_make(39, 10, 0), -1, NULL, &to);
    }
    if (result == PLOY_OK) {
        ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
        result = ploy_navmesh_find_path(query, &request, path, NULL);
    }
    if (result == PLOY_OK) {
        printf("%s: %d of %d tiles cut, %.1f m\n", when,
               (int)ploy_navmesh_tiles_stats_of(tiles).cut,
               (int)(ploy_navmesh_tiles_stats_of(tiles).columns *
                     ploy_navmesh_tiles_stats_of(tiles).rows),
               (double)ploy_path_length(path));
    }
    ploy_path_destroy(path);
    ploy_navmesh_query_destroy(query);
    return result;
}

static ploy_result play(ploy_navmesh_tiles *tiles, const ploy_env *env) {
    static const ploy_vec2 crate[] = {{17, 4}, {21, 4}, {21, 16}, {17, 16}};
    ploy_id id;
    ploy_result result = ploy_navmesh_tiles_refresh(tiles, NULL);
    if (result == PLOY_OK) result = tell("empty", tiles, env);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_add(tiles, crate, 4, &id);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_refresh(tiles, NULL);
    if (result == PLOY_OK) result = tell("with a crate", tiles, env);
    // A hole in the crate, with a door: a link that is switched without cutting a tile.
    ploy_navmesh_link hole =
        ploy_navmesh_link_make(ploy_vec3_make(16, 10, 0), ploy_vec3_make(22, 10, 0));
    ploy_id door;
    if (result == PLOY_OK) result = ploy_navmesh_tiles_add_link(tiles, &hole, &door);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_refresh(tiles, NULL);
    if (result == PLOY_OK) result = tell("through its hole", tiles, env);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_set_link(tiles, door, false);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_refresh(tiles, NULL);
    if (result == PLOY_OK) result = tell("its door closed", tiles, env);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_remove_link(tiles, door);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_remove(tiles, id);
    if (result == PLOY_OK) result = ploy_navmesh_tiles_refresh(tiles, NULL);
    if (result == PLOY_OK) result = tell("without it", tiles, env);
    return result;
}

int main(void) {
    static const ploy_vec2 hall[] = {{0, 0}, {40, 0}, {40, 20}, {0, 20}};
    ploy_env env = ploy_env_default();
    ploy_navmesh_tiles_def def = ploy_navmesh_tiles_def_default();
    ploy_rings *rings = NULL;
    ploy_navmesh_tiles *tiles = NULL;
    def.tile = 8.0f;
    def.radius = 0.4f;
    ploy_result result = ploy_rings_create(&env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, hall, 4);
    if (result == PLOY_OK) {
        result = ploy_navmesh_tiles_create(&def, rings, PLOY_FILL_NON_ZERO, &env, &tiles);
    }
    if (result == PLOY_OK) result = play(tiles, &env);
    ploy_navmesh_tiles_destroy(tiles);
    ploy_rings_destroy(rings);
    return result == PLOY_OK ? 0 : 1;
}
