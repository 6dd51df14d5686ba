// Floor plans as worlds: every room can be reached in tiles, mesh and network as in the plan.
#include "tests/test.h"

#include "ploy/data/plan.h"
#include "ploy/generate/dungeon.h"
#include "ploy/generate/generator.h"
#include "ploy/path/navmesh_query.h"

static ploy_generator generate(test_context *t, const char *name, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_generator generator = {NULL, NULL};
    for (int32_t i = 0; ploy_generators_at(i) != NULL; i++) {
        const ploy_generator_type *type = ploy_generators_at(i);
        if (strcmp(type->name, name) != 0) continue;
        CHECK_OK(
            ploy_generator_run(type, NULL, ploy_rng_key_make(seed), NULL, NULL, &env, &generator));
        return generator;
    }
    CHECK(false);
    return generator;
}

static const char *const names[] = {"maze",        "caves",     "dungeon",
                                    "subdivision", "accretion", "pieces"};

TEST(tiles_join_all_rooms) {
    ploy_env env = ploy_env_default();
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        t->row = names[n];
        ploy_generator generator = generate(t, names[n], n);
        const ploy_floor_plan *plan = ploy_generator_content(generator).plan;
        ploy_floor_plan_view view = ploy_floor_plan_get(plan);
        ploy_tiles *tiles = NULL;
        CHECK_OK(ploy_tiles_from_plan(plan, &env, &tiles));
        int32_t from = ploy_tiles_quantise(tiles, ploy_floor_plan_point(plan, view.entrance));
        for (int32_t i = 0; i < view.width * view.height; i++) {
            int32_t to = ploy_tiles_quantise(tiles, ploy_floor_plan_point(plan, i));
            CHECK(ploy_tiles_passable(tiles, to) == (view.kinds[i] != PLOY_PLAN_SOLID));
            if (view.kinds[i] != PLOY_PLAN_SOLID) CHECK(ploy_tiles_connected(tiles, from, to));
            CHECK_INT(ploy_tiles_get(tiles, to), view.kinds[i]);
        }
        ploy_tiles_destroy(tiles);
        ploy_generator_cancel(generator);
    }
}

TEST(a_mesh_holds_every_open_cell) {
    ploy_env env = ploy_env_default();
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        t->row = names[n];
        ploy_generator generator = generate(t, names[n], n);
        const ploy_floor_plan *plan = ploy_generator_content(generator).plan;
        ploy_floor_plan_view view = ploy_floor_plan_get(plan);
        ploy_navmesh_def def = ploy_navmesh_def_default();
        def.radius = 0.1f;
        ploy_navmesh *mesh = NULL;
        CHECK_OK(ploy_navmesh_from_plan(plan, &def, &env, NULL, &mesh));
        int32_t polygons = ploy_navmesh_stats_of(mesh).polygons;
        CHECK(polygons > 0);
        for (int32_t i = 0; i < view.width * view.height; i += 7) {
            ploy_vec2 at = ploy_floor_plan_point(plan, i);
            bool held = false;
            for (int32_t p = 0; p < polygons && !held; p++) held = ploy_navmesh_holds(mesh, p, at);
            CHECK(held == (view.kinds[i] != PLOY_PLAN_SOLID));
        }
        ploy_navmesh_destroy(mesh);
        ploy_generator_cancel(generator);
    }
}

TEST(a_network_leads_from_room_to_room) {
    ploy_env env = ploy_env_default();
    ploy_generator generator = generate(t, "dungeon", 3);
    const ploy_floor_plan *plan = ploy_generator_content(generator).plan;
    ploy_floor_plan_view view = ploy_floor_plan_get(plan);
    ploy_network *network = NULL;
    CHECK_OK(ploy_network_from_plan(plan, &env, &network));
    CHECK_INT(ploy_network_count(network), view.room_count + view.door_count);
    // Flood fill over the waypoints: every room is reached from the first.
    bool seen[2000] = {false};
    seen[0] = true;
    for (bool more = true; more;) {
        more = false;
        for (int32_t a = 0; a < view.room_count + view.door_count; a++) {
            for (int32_t b = 0; b < view.room_count + view.door_count; b++) {
                uint64_t id_a = a < view.room_count
                                    ? (uint64_t)a + 1
                                    : PLOY_PLAN_DOOR_WAYPOINT + (uint64_t)(a - view.room_count);
                uint64_t id_b = b < view.room_count
                                    ? (uint64_t)b + 1
                                    : PLOY_PLAN_DOOR_WAYPOINT + (uint64_t)(b - view.room_count);
                ploy_waypoint_edge edge;
                if (!seen[a] || seen[b] || !ploy_network_edge_at(network, id_a, id_b, &edge))
                    continue;
                seen[b] = more = true;
            }
        }
    }
    for (int32_t i = 0; i < view.room_count; i++) CHECK(seen[i]);
    ploy_network_destroy(network);
    ploy_generator_cancel(generator);
}

// A ramp that is too steep in its right half, with a pond in the left: what is left is one island.
TEST(dry_ground_that_is_not_too_steep_is_walked) {
    ploy_env env = ploy_env_default();
    ploy_heightmap_def def = ploy_heightmap_def_default();
    def.columns = 21;
    def.rows = 11;
    def.spacing = 2.0f;
    ploy_heightmap *map = NULL;
    CHECK_OK(ploy_heightmap_create(&def, &env, &map));
    void *layer = NULL;
    CHECK_OK(ploy_heightmap_add(map, "water", PLOY_HEIGHTMAP_F32, &layer));
    float *water = layer;
    for (int32_t i = 0; i < ploy_heightmap_cells(map); i++) {
        int32_t column = i % 21;
        ploy_heightmap_elevation(map)[i] =
            column <= 10 ? 0.5f * (float)column : 5.0f + 3.0f * (float)(column - 10);
        water[i] = column == 4 && i / 21 == 5 ? 1.0f : 0.0f;
    }
    ploy_navmesh_def mesh_def = ploy_navmesh_def_default();
    ploy_navmesh *mesh = NULL;
    CHECK_OK(ploy_navmesh_from_heights(map, 0.5f, &mesh_def, &env, NULL, &mesh));
    ploy_navmesh_stats stats = ploy_navmesh_stats_of(mesh);
    // Ten by ten squares of two triangles, less the six that touch the pond.
    CHECK_INT(stats.polygons, 2 * 10 * 10 - 6);
    CHECK_INT(stats.islands, 1);
    CHECK_NEAR(stats.area, 10 * 10 * 4.0f - 6 * 2.0f, 1e-3);
    ploy_navmesh_destroy(mesh);
    CHECK_OK(ploy_navmesh_from_heights(map, 2.0f, &mesh_def, &env, NULL, &mesh));
    CHECK_INT(ploy_navmesh_stats_of(mesh).polygons, 2 * 20 * 10 - 6);
    ploy_navmesh_destroy(mesh);
    CHECK_INT(ploy_navmesh_from_heights(map, -1.0f, &mesh_def, &env, NULL, &mesh),
              PLOY_ERR_ARGUMENT);
    CHECK(mesh == NULL);
    ploy_heightmap_destroy(map);
}

static ploy_result convert_heights(const ploy_env *env, void *arg) {
    ploy_navmesh *mesh = NULL;
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_result result = ploy_navmesh_from_heights(arg, 10.0f, &def, env, NULL, &mesh);
    ploy_navmesh_destroy(mesh);
    return result;
}

TEST(a_mesh_of_heights_survives_failed_allocations) {
    ploy_env env = ploy_env_default();
    ploy_heightmap_def def = ploy_heightmap_def_default();
    def.columns = def.rows = 6;
    ploy_heightmap *map = NULL;
    CHECK_OK(ploy_heightmap_create(&def, &env, &map));
    CHECK_FAIL_NTH(convert_heights, map);
    ploy_heightmap_destroy(map);
}

static ploy_result convert(const ploy_env *env, void *arg) {
    ploy_tiles *tiles = NULL;
    ploy_network *network = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_result result = ploy_tiles_from_plan(arg, env, &tiles);
    if (result == PLOY_OK) result = ploy_network_from_plan(arg, env, &network);
    if (result == PLOY_OK) result = ploy_navmesh_from_plan(arg, &def, env, NULL, &mesh);
    ploy_tiles_destroy(tiles);
    ploy_network_destroy(network);
    ploy_navmesh_destroy(mesh);
    return result;
}

TEST(conversions_survive_failed_allocations) {
    ploy_env env = ploy_env_default();
    ploy_dungeon_def def = ploy_dungeon_def_default();
    def.width = def.height = 20;
    ploy_generator generator;
    CHECK_OK(ploy_generator_run(ploy_dungeon_generator(), &def, ploy_rng_key_make(1), NULL, NULL,
                                &env, &generator));
    CHECK_FAIL_NTH(convert, (void *)(uintptr_t)ploy_generator_content(generator).plan);
    ploy_generator_cancel(generator);
}
