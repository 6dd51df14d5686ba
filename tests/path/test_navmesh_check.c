// Holes and scraps.
#include "ploy/path/navmesh_check.h"

#include "tests/path/navmesh_help.h"

// TLS-04: a decorative patch in the middle of a room that was not marked as floor.
TEST(a_patch_that_is_no_floor_is_told_of) {
    static nav_tiles tiles;
    ploy_env env = ploy_env_default();
    ploy_navmesh_soup soup = nav_grid(&tiles, 7, 5);
    // The square at column 3, row 2 is missing.
    int32_t gone = 2 * 7 + 3;
    memmove(&tiles.corners[4 * gone], &tiles.corners[4 * gone + 4],
            sizeof(int32_t) * 4 * (size_t)(34 - gone));
    soup.polygon_count--;
    soup.corner_count -= 4;
    nav_floor floor = nav_soup(t, soup);
    ploy_navmesh_spot spots[4];
    CHECK_INT(ploy_navmesh_find_holes(floor.mesh, 10.0f, &env, spots, 4), 1);
    CHECK_NEAR(spots[0].area, 1.0, 1e-6);
    CHECK_NEAR(spots[0].centre.x, 3.5, 1e-6);
    CHECK_NEAR(spots[0].centre.y, 2.5, 1e-6);
    CHECK(spots[0].polygon >= 0);
    CHECK_INT(ploy_navmesh_find_holes(floor.mesh, 0.5f, &env, NULL, 0), 0); // larger than asked for
    CHECK_INT(ploy_navmesh_find_scraps(floor.mesh, 10.0f, &env, spots, 4), 0);
    nav_close(&floor);
}

// As many holes as pillars, of their areas, whatever the polygons.
TEST(every_pillar_of_a_hall_is_a_hole) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 1; seed <= test_rounds(20); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_navmesh_spot spots[16];
        int32_t count = ploy_navmesh_find_holes(floor.mesh, 1000.0f, &env, spots, 16);
        CHECK_INT(count, ploy_rings_count(floor.rings) - 1);
        double area = 0.0;
        for (int32_t i = 0; i < count; i++) area += (double)spots[i].area;
        CHECK_NEAR(area, 1200.0 - (double)ploy_navmesh_stats_of(floor.mesh).area, 0.05);
        nav_close(&floor);
    }
}

TEST(small_islands_are_scraps) {
    static const ploy_vec3 points[] = {{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0},
                                       {3, 3, 1}, {4, 3, 1}, {4, 4, 1}, {3, 4, 1}};
    static const int32_t sizes[] = {4, 4}, corners[] = {0, 1, 2, 3, 4, 5, 6, 7};
    ploy_navmesh_soup soup = {points, 8,    sizes, 2, corners, 8,   NULL,
                              NULL,   NULL, NULL,  0, NULL,    NULL};
    ploy_env env = ploy_env_default();
    nav_floor floor = nav_soup(t, soup);
    ploy_navmesh_spot spots[2];
    CHECK_INT(ploy_navmesh_find_scraps(floor.mesh, 5.0f, &env, spots, 2), 1);
    CHECK_INT(spots[0].polygon, 1); // the table top
    CHECK_NEAR(spots[0].area, 1.0, 1e-6);
    CHECK_NEAR(spots[0].centre.z, 1.0, 1e-6);
    CHECK_INT(ploy_navmesh_find_scraps(floor.mesh, 100.0f, &env, NULL, 0), 2);
    nav_close(&floor);
}

static ploy_result check_nth(const ploy_env *env, void *arg) {
    const ploy_navmesh *mesh = arg;
    int32_t holes = ploy_navmesh_find_holes(mesh, 1e6f, env, NULL, 0);
    int32_t scraps = ploy_navmesh_find_scraps(mesh, 1e6f, env, NULL, 0);
    return holes < 0 ? holes : scraps < 0 ? scraps : PLOY_OK;
}

TEST(looking_survives_every_failing_allocation) {
    nav_floor floor = nav_hall(t, 1, 0.0f);
    CHECK_FAIL_NTH(check_nth, floor.mesh);
    nav_close(&floor);
}
