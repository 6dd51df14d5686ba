// A level as places: a hall with a wall in it as a mesh and as a grid. What is seen from where, who
// owns what, and what an edge costs. Shows ploy_places_navmesh, ploy_sight_map_sees and
// ploy_flood_read.
#include "ploy/tactics/automata.h"
#include "ploy/tactics/costs.h"
#include "ploy/tactics/difficulty.h"
#include "ploy/tactics/flood.h"
#include "ploy/tactics/sight_map.h"

#include <stdio.h>

// Sight amid a scene: a wall of 6 m across a room of 12 m by 12 m.
static int look(const ploy_env *env) {
    ploy_places cells = ploy_places_grid(6, 6, ploy_vec2_make(0, 0), 2.0f);
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_sight_map_def def = ploy_sight_map_def_default();
    ploy_plain_scene *walls = NULL;
    ploy_sight_map *map = NULL;
    static const int32_t posts[] = {0, 5, 30, 35};
    def.mode = PLOY_SIGHT_IMPORTANT;
    def.eye = 0.0f;
    if (ploy_plain_scene_create(&scene_def, env, &walls) != PLOY_OK ||
        ploy_plain_scene_add_segment(walls, ploy_vec2_make(6, 0), ploy_vec2_make(6, 6), 1, NULL) !=
            PLOY_OK ||
        ploy_sight_map_create(&def, &cells, env, &map) != PLOY_OK ||
        ploy_sight_map_set_important(map, posts, 4) != PLOY_OK) {
        return 1;
    }
    ploy_scene scene = ploy_plain_scene_interface(walls);
    ploy_sight_map_set_scene(map, &scene);
    printf("0 sees 5: %s, 35: %s; posts seen: %g\n", ploy_sight_map_sees(map, 0, 5) ? "yes" : "no",
           ploy_sight_map_sees(map, 0, 35) ? "yes" : "no", (double)ploy_sight_map_at(map, 0));
    ploy_sight_rays rays =
        ploy_sight_rays_cast(&scene, ploy_vec3_make(3, 3, 0), 4.0f, 64, UINT32_MAX);
    printf("%d of 64 rays meet the wall\n", rays.hits);
    ploy_sight_map_destroy(map);
    ploy_plain_scene_destroy(walls);
    return 0;
}

// Influence and territory on the polygons of a mesh.
static int own(const ploy_env *env) {
    static const ploy_vec2 hall[] = {{0, 0}, {30, 0}, {30, 10}, {0, 10}};
    static const ploy_vec2 pillar[] = {{10, 4}, {10, 6}, {20, 6}, {20, 4}};
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_navmesh_def mesh_def = ploy_navmesh_def_default();
    if (ploy_rings_create(env, &rings) != PLOY_OK || ploy_rings_add(rings, hall, 4) != PLOY_OK ||
        ploy_rings_add(rings, pillar, 4) != PLOY_OK ||
        ploy_navmesh_create_rings(&mesh_def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, env, NULL,
                                  &mesh) != PLOY_OK) {
        return 1;
    }
    ploy_places places = ploy_places_navmesh(mesh);
    int32_t left = places.nearest(&places, ploy_vec3_make(1, 5, 0));
    int32_t right = places.nearest(&places, ploy_vec3_make(29, 5, 0));
    ploy_influence_def def = ploy_influence_def_default();
    ploy_influence_type type = ploy_influence_type_default();
    ploy_influence *map = NULL;
    ploy_tactics_layer *owners = NULL, *cost = NULL;
    type.threshold = 0.25f;
    if (ploy_influence_create(&def, &places, env, &map) != PLOY_OK ||
        ploy_influence_add_type(map, &type, NULL) != PLOY_OK ||
        ploy_influence_add(map, 0, 0, left, 4.0f, NULL) != PLOY_OK ||
        ploy_influence_add(map, 1, 0, right, 2.0f, NULL) != PLOY_OK ||
        ploy_tactics_layer_create(&places, PLOY_TACTICS_CATEGORIES, env, &owners) != PLOY_OK ||
        ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, env, &cost) != PLOY_OK ||
        ploy_influence_owners(map, owners) != PLOY_OK) {
        return 1;
    }
    printf("reach of strength 4: %g; owners left %g, right %g\n",
           (double)ploy_influence_type_reach(&type, 4.0f),
           (double)ploy_tactics_layer_at(owners, left),
           (double)ploy_tactics_layer_at(owners, right));
    ploy_influence_set_all_known(map, false); // a side that has seen nothing
    printf("unknown places have no owner: %d\n", ploy_influence_owner(map, left));
    ploy_flood_def flood_def = ploy_flood_def_default();
    ploy_flood_source sources[2] = {{left, 4.0f}, {right, 2.0f}};
    ploy_flood *flood = NULL;
    if (ploy_flood_create(&flood_def, &places, NULL, env, &flood) != PLOY_OK ||
        ploy_flood_run(flood, sources, 2) != PLOY_OK || ploy_flood_read(flood, cost) != PLOY_OK) {
        return 1;
    }
    ploy_tactical_costs_def costs_def = ploy_tactical_costs_def_default();
    ploy_tactical_profile avoid = {{2.0f}, 1};
    ploy_tactical_costs *costs = NULL;
    costs_def.cached = true;
    if (ploy_tactical_costs_create(&costs_def, &places, env, &costs) != PLOY_OK ||
        ploy_tactical_costs_add(costs, cost) != PLOY_OK ||
        ploy_tactical_costs_set(costs, &avoid) != PLOY_OK) {
        return 1;
    }
    ploy_tactical_costs_refresh(costs); // after the layer has changed
    printf("an edge of 1 m at home costs %g\n", ploy_tactical_costs_edge(costs, left, left, 1.0));
    ploy_tactical_costs_destroy(costs);
    ploy_flood_destroy(flood);
    ploy_tactics_layer_destroy(cost);
    ploy_tactics_layer_destroy(owners);
    ploy_influence_destroy(map);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(rings);
    return 0;
}

int main(void) {
    static const float heights[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    static const uint8_t around[8] = {PLOY_BASE_DEFENSIVE, PLOY_BASE_DEFENSIVE};
    ploy_env env = ploy_env_default();
    if (look(&env) != 0 || own(&env) != 0) return 1;
    ploy_heightfield field = ploy_heightfield_make(heights, 3, 3, ploy_vec2_make(0, 0), 1.0f);
    ploy_places places = ploy_places_grid(2, 2, ploy_vec2_make(0, 0), 1.0f);
    ploy_difficulty_def def = ploy_difficulty_def_default();
    printf("slope %g\n", (double)ploy_difficulty_rugged(&def, &places, &field, 0));
    ploy_automaton_site site = {0, 0, PLOY_BASE_FREE, around, 8};
    printf("between two towers: %s\n",
           ploy_base_allows(&site, PLOY_BASE_RESEARCH) ? "research" : "nothing");
    return 0;
}
