// Paths through a generated dungeon: tiles whose doors cost more, a mesh, waypoints. Shows
// ploy/data/plan.h.
#include "ploy/data/plan.h"
#include "ploy/generate/dungeon.h"

#include <stdio.h>

// The three forms of a plan.
static ploy_result make_world(const ploy_floor_plan *plan, const ploy_env *env, ploy_tiles **tiles,
                              ploy_navmesh **mesh, ploy_network **network) {
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = 0.3f;
    ploy_result result = ploy_tiles_from_plan(plan, env, tiles);
    if (result == PLOY_OK) result = ploy_navmesh_from_plan(plan, &def, env, NULL, mesh);
    if (result == PLOY_OK) result = ploy_network_from_plan(plan, env, network);
    if (result == PLOY_OK)
        result = ploy_tiles_set_cost(*tiles, PLOY_PLAN_DOOR, 3.0f); // doors take time
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_dungeon_def def = ploy_dungeon_def_default();
    def.width = def.height = 32;
    ploy_generator generator;
    if (ploy_generator_run(ploy_dungeon_generator(), &def, ploy_rng_key_make(3), NULL, NULL, &env,
                           &generator) != PLOY_OK) {
        return 1;
    }
    const ploy_floor_plan *plan = ploy_generator_content(generator).plan;
    ploy_floor_plan_view view = ploy_floor_plan_get(plan);

    ploy_tiles *tiles = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_network *network = NULL;
    if (make_world(plan, &env, &tiles, &mesh, &network) != PLOY_OK) return 1;
    int32_t from = ploy_tiles_quantise(tiles, ploy_floor_plan_point(plan, view.entrance));
    int32_t to = ploy_tiles_quantise(tiles, ploy_floor_plan_point(plan, view.exit));
    printf("tiles: %d x %d, exit %s\n", (int)ploy_tiles_width(tiles), (int)ploy_tiles_height(tiles),
           ploy_tiles_connected(tiles, from, to) ? "reachable" : "unreachable");
    printf("mesh: %d polygons\n", (int)ploy_navmesh_stats_of(mesh).polygons);
    printf("network: %d rooms and %d doors make %d waypoints\n", (int)view.room_count,
           (int)view.door_count, (int)ploy_network_count(network));
    printf("a step in direction 1 is (%d, %d)\n", (int)ploy_plan_step_x(1),
           (int)ploy_plan_step_y(1));
    ploy_network_destroy(network);
    ploy_navmesh_destroy(mesh);
    ploy_tiles_destroy(tiles);
    ploy_generator_cancel(generator);
    return 0;
}
