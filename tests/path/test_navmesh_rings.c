// Meshes from outlines.
#include "tests/path/navmesh_help.h"

// PTH-24: nobody on the mesh comes nearer to a wall than the radius, nor much further off.
TEST(the_floor_keeps_the_radius_from_every_wall) {
    for (int64_t seed = 0; seed < test_rounds(10); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.5f);
        ploy_navmesh_stats stats = ploy_navmesh_get_stats(floor.mesh);
        float least = INFINITY;
        for (int32_t e = 0; e < stats.edges; e++) {
            ploy_navmesh_edge edge = ploy_navmesh_get_edge(floor.mesh, e);
            if (edge.neighbour >= 0) continue;
            ploy_segment2 wall = {ploy_vec2_from_vec3(edge.from), ploy_vec2_from_vec3(edge.to)};
            float gap = INFINITY;
            for (int32_t r = 0; r < ploy_rings_count(floor.rings); r++) {
                ploy_polygon ring = ploy_rings_get(floor.rings, r);
                for (int32_t k = 0; k < ring.count; k++) {
                    float d = ploy_segment2_gap_sq(wall, ploy_polygon_edge(ring, k));
                    gap = ploy_minf(gap, sqrtf(d));
                }
            }
            least = ploy_minf(least, gap);
            CHECK(gap <= 0.5f + 0.05f + 1e-3f);
        }
        CHECK(least >= 0.5f - 1e-3f);
        nav_close(&floor);
    }
}

TEST(crossing_sides_are_refused_without_a_radius) {
    static const ploy_vec2 bow[] = {{0, 0}, {4, 4}, {4, 0}, {0, 3}};
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_add(rings, bow, 4));
    CHECK_INT(
        ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL, &mesh),
        PLOY_ERR_ARGUMENT);
    CHECK(mesh == NULL);
    CHECK_INT(ploy_navmesh_create_rings(&def, NULL, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL, &mesh),
              PLOY_ERR_ARGUMENT);
    def.radius = 9.0f; // nothing is left of the floor: a mesh without polygons
    CHECK_OK(
        ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL, &mesh));
    CHECK_INT(ploy_navmesh_get_stats(mesh).polygons, 0);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(rings);
}

static ploy_result create_rings(const ploy_env *env, void *arg) {
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = 0.3f;
    ploy_navmesh *mesh = NULL;
    ploy_result result =
        ploy_navmesh_create_rings(&def, arg, PLOY_FILL_EVEN_ODD, NULL, 0, env, NULL, &mesh);
    ploy_navmesh_destroy(mesh);
    return result;
}

TEST(create_rings_survives_every_failing_allocation) {
    static const ploy_vec2 hall[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}};
    static const ploy_vec2 pillar[] = {{3, 3}, {6, 3}, {5, 6}};
    ploy_env env = ploy_env_default();
    ploy_rings *rings = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_add(rings, hall, 4));
    CHECK_OK(ploy_rings_add_reversed(rings, pillar, 3));
    CHECK_FAIL_NTH(create_rings, rings);
    ploy_rings_destroy(rings);
}
