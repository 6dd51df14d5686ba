// The string through the corridor, against the corners' graph of visibility.
#include "tests/path/navmesh_help.h"

TEST(ways_are_never_shorter_than_the_optimum_and_hardly_longer) {
    ploy_path *path = nav_path(t);
    double sum = 0.0, best_sum = 0.0;
    for (int32_t method = 0; method < 3; method++) {
        double worst = 1.0;
        for (int64_t seed = 0; seed < test_rounds(20); seed++) {
            TEST_SEED(seed);
            nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
            ploy_rng rng = ploy_rng_make((uint64_t)seed + 100);
            for (int32_t i = 0; i < 5; i++) {
                ploy_navmesh_place a, b;
                CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &a));
                CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &b));
                ploy_navmesh_request request = ploy_navmesh_request_make(a, b);
                request.method = (ploy_navmesh_method)method;
                CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, NULL));
                double best = nav_shortest(floor.rings, ploy_vec2_from_vec3(a.point),
                                           ploy_vec2_from_vec3(b.point));
                double length = (double)ploy_path_length(path);
                CHECK(length >= best - 1e-3);
                if (best > 1.0) worst = fmax(worst, length / best);
                sum += length;
                best_sum += best;
                // Each leg is free: seen among the pillars themselves, and by the mesh's own ray.
                ploy_navmesh_place at = a;
                for (int32_t k = 0; k + 1 < ploy_path_count(path); k++) {
                    ploy_vec2 p = ploy_path_point(path, k), q = ploy_path_point(path, k + 1);
                    ploy_navmesh_hit hit;
                    CHECK(ploy_rings_sees(floor.rings, PLOY_SOLID_OUTSIDE, p, q) || k == 0 ||
                          k + 2 == ploy_path_count(path));
                    CHECK_OK(ploy_navmesh_find_ray(floor.query, at, q, &hit));
                    CHECK(!hit.hit);
                    at = hit.place;
                }
            }
            nav_close(&floor);
        }
        CHECK(worst < 1.6);
    }
    CHECK(sum / best_sum < 1.06);
    ploy_path_destroy(path);
}

TEST(the_string_bends_only_where_it_must) {
    // A corridor in the shape of an L: one bend, at the inner corner.
    static const ploy_vec3 points[] = {{0, 0, 0}, {4, 0, 0}, {6, 0, 0}, {0, 2, 0},
                                       {4, 2, 0}, {6, 2, 0}, {4, 6, 1}, {6, 6, 1}};
    static const int32_t sizes[] = {4, 4, 4}, corners[] = {0, 1, 4, 3, 1, 2, 5, 4, 4, 5, 7, 6};
    ploy_navmesh_soup soup = {points, 8, sizes, 3, corners, 12, NULL, NULL, NULL, NULL, 0, NULL};
    nav_floor floor = nav_soup(t, soup);
    ploy_path *path = nav_path(t);
    ploy_navmesh_request request =
        ploy_navmesh_request_make(nav_at(t, floor.query, 1, 1), nav_at(t, floor.query, 5, 6));
    CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, NULL));
    CHECK_INT(ploy_path_count(path), 3);
    CHECK(ploy_vec2_equal(ploy_path_point(path, 1), ploy_vec2_make(4, 2)));
    CHECK_NEAR(ploy_path_height(path, 1), 0, 0);
    CHECK_NEAR(ploy_path_height(path, 2), 1, 1e-6);
    request.radius = 0.5f; // the bend keeps off the corner along the portals
    CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, NULL));
    for (int32_t i = 1; i + 1 < ploy_path_count(path); i++) {
        CHECK(ploy_vec2_distance(ploy_path_point(path, i), ploy_vec2_make(4, 2)) >= 0.5f - 1e-5f);
    }
    request = ploy_navmesh_request_make(request.from, request.from); // there already
    CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, NULL));
    CHECK_INT(ploy_path_count(path), 1);
    ploy_path_destroy(path);
    nav_close(&floor);
}
