// The exact search, against the corners' graph of visibility.
#include "ploy/path/navmesh_exact.h"
#include "tests/path/navmesh_help.h"

static ploy_navmesh_exact *exact_of(test_context *t, const ploy_navmesh *mesh, int32_t nodes) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_exact_def def = ploy_navmesh_exact_def_default();
    ploy_navmesh_exact *exact = NULL;
    def.nodes = nodes;
    CHECK_OK(ploy_navmesh_exact_create(&def, mesh, &env, &exact));
    return exact;
}

TEST(no_way_is_shorter) {
    CHECK_OK(ploy_fields_check_table(ploy_navmesh_exact_fields(), NULL));
    ploy_path *path = nav_path(t);
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_navmesh_exact *exact = exact_of(t, floor.mesh, 1 << 14);
        ploy_rng rng = ploy_rng_make((uint64_t)seed + 100);
        for (int32_t i = 0; i < 8; i++) {
            ploy_navmesh_place a, b;
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &a));
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &b));
            CHECK_OK(ploy_navmesh_exact_begin(exact, a, b));
            CHECK_OK(ploy_navmesh_exact_step(exact, NULL));
            float length = 0.0f;
            CHECK_INT(ploy_navmesh_exact_outcome(exact, &length), PLOY_PATH_FOUND);
            CHECK_OK(ploy_navmesh_exact_path(exact, path));
            double best = nav_shortest(floor.rings, ploy_vec2_from_vec3(a.point),
                                       ploy_vec2_from_vec3(b.point));
            CHECK_NEAR(ploy_path_length(path), best, 1e-3);
            CHECK_NEAR(length, best, 1e-3);
            ploy_navmesh_place at = a; // and every leg of it is free
            for (int32_t k = 1; k < ploy_path_count(path); k++) {
                ploy_navmesh_hit hit;
                CHECK_OK(ploy_navmesh_find_ray(floor.query, at, ploy_path_point(path, k), &hit));
                CHECK(!hit.hit);
                at = ploy_navmesh_hit_place(floor.query, &hit);
            }
        }
        ploy_navmesh_exact_destroy(exact);
        nav_close(&floor);
    }
    ploy_path_destroy(path);
}

// On a lattice roots, pieces and goals lie on one line all the time.
TEST(ways_along_lines_of_the_mesh_are_exact_too) {
    static nav_tiles tiles;
    static const ploy_vec2 outline[] = {{0, 0}, {6, 0}, {6, 6}, {0, 6}};
    static const ploy_vec2 pillar[] = {{2, 2}, {4, 2}, {4, 4}, {2, 4}};
    ploy_env env = ploy_env_default();
    ploy_navmesh_soup soup = nav_grid(&tiles, 6, 6);
    int32_t kept = 0;
    for (int32_t i = 0; i < 36; i++) { // all squares but the four of the pillar
        bool gone = (i % 6 == 2 || i % 6 == 3) && (i / 6 == 2 || i / 6 == 3);
        if (!gone) memmove(&tiles.corners[4 * kept++], &tiles.corners[4 * i], 4 * sizeof(int32_t));
    }
    soup.polygon_count = kept;
    soup.corner_count = 4 * kept;
    nav_floor floor = nav_soup(t, soup);
    CHECK_OK(ploy_rings_create(&env, &floor.rings));
    CHECK_OK(ploy_rings_add(floor.rings, outline, 4));
    CHECK_OK(ploy_rings_add_reversed(floor.rings, pillar, 4));
    ploy_navmesh_exact *exact = exact_of(t, floor.mesh, 1 << 14);
    for (int32_t i = 0; i < 49 * 49; i++) {
        ploy_vec2 a = {(float)(i / 49 % 7), (float)(i / 49 / 7)};
        ploy_vec2 b = {(float)(i % 49 % 7), (float)(i % 49 / 7)};
        if (!ploy_rings_contains(floor.rings, a, PLOY_FILL_EVEN_ODD) ||
            !ploy_rings_contains(floor.rings, b, PLOY_FILL_EVEN_ODD)) {
            continue;
        }
        float length = 0.0f;
        CHECK_OK(ploy_navmesh_exact_begin(exact, nav_at(t, floor.query, a.x, a.y),
                                          nav_at(t, floor.query, b.x, b.y)));
        CHECK_OK(ploy_navmesh_exact_step(exact, NULL));
        CHECK_INT(ploy_navmesh_exact_outcome(exact, &length), PLOY_PATH_FOUND);
        CHECK_NEAR(length, nav_shortest(floor.rings, a, b), 1e-4);
    }
    ploy_navmesh_exact_destroy(exact);
    nav_close(&floor);
}

TEST(slices_limits_and_bad_places) {
    nav_floor floor = nav_hall(t, 4, 0.0f);
    ploy_navmesh_exact *exact = exact_of(t, floor.mesh, 1 << 14);
    ploy_navmesh_place a = nav_at(t, floor.query, 0.1f, 0.1f);
    ploy_navmesh_place b = nav_at(t, floor.query, 39.9f, 29.9f), none = {-1, {0, 0, 0}, 0};
    ploy_path *path = nav_path(t);
    float whole = 0.0f, sliced = 0.0f;
    CHECK_INT(ploy_navmesh_exact_begin(exact, a, none), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_navmesh_exact_path(exact, path), PLOY_ERR_STATE);
    CHECK_OK(ploy_navmesh_exact_begin(exact, a, b));
    CHECK_OK(ploy_navmesh_exact_step(exact, NULL));
    CHECK_INT(ploy_navmesh_exact_outcome(exact, &whole), PLOY_PATH_FOUND);
    CHECK_OK(ploy_navmesh_exact_begin(exact, a, b));
    ploy_result result = PLOY_IN_PROGRESS;
    int32_t steps = 0;
    for (; result == PLOY_IN_PROGRESS; steps++) {
        ploy_budget one = ploy_budget_units(1);
        result = ploy_navmesh_exact_step(exact, &one);
    }
    CHECK_OK(result);
    CHECK(steps > 3);
    CHECK_INT(ploy_navmesh_exact_outcome(exact, &sliced), PLOY_PATH_FOUND);
    CHECK_SAME(sliced, whole);
    ploy_navmesh_exact_destroy(exact);
    exact = exact_of(t, floor.mesh, 16);
    CHECK_OK(ploy_navmesh_exact_begin(exact, a, b));
    CHECK_INT(ploy_navmesh_exact_step(exact, NULL), PLOY_ERR_LIMIT);
    CHECK_INT(ploy_navmesh_exact_outcome(exact, NULL), PLOY_PATH_NONE);
    ploy_navmesh_exact_destroy(exact);
    ploy_path_destroy(path);
    nav_close(&floor);
}

static ploy_result create_exact(const ploy_env *env, void *arg) {
    ploy_navmesh_exact_def def = ploy_navmesh_exact_def_default();
    ploy_navmesh_exact *exact = NULL;
    ploy_result result = ploy_navmesh_exact_create(&def, arg, env, &exact);
    TEST_REPORT(result, env, exact, ploy_navmesh_exact_memory);
    ploy_navmesh_exact_destroy(exact);
    return result;
}

TEST(create_exact_survives_every_failing_allocation) {
    nav_floor floor = nav_hall(t, 3, 0.0f);
    CHECK_FAIL_NTH(create_exact, floor.mesh);
    nav_close(&floor);
}
