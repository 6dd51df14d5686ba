// The string through the corridor, against the corners' graph of visibility.
#include "geom/geom_internal.h"
#include "ploy/path/navmesh_exact.h"
#include "tests/path/navmesh_help.h"

// What a way over the middles of the portals that the shortest one meets may cost: moving a place on
// a portal to its middle makes the two legs there longer by no more than the portal is wide.
static double by_middles(const ploy_navmesh *mesh, const ploy_path *shortest) {
    double most = (double)ploy_path_length(shortest);
    for (int32_t e = 0; e < ploy_navmesh_stats_of(mesh).edges; e++) {
        ploy_navmesh_edge edge = ploy_navmesh_edge_at(mesh, e);
        if (edge.twin < e) continue; // a wall, or seen from the other side
        ploy_segment2 portal = {ploy_vec2_from_vec3(edge.from), ploy_vec2_from_vec3(edge.to)};
        for (int32_t k = 1; k < ploy_path_count(shortest); k++) {
            ploy_segment2 leg = {ploy_path_point(shortest, k - 1), ploy_path_point(shortest, k)};
            if (ploy_segment2_gap_sq(leg, portal) > 1e-6f) continue;
            most += (double)ploy_segment2_length(portal);
            break;
        }
    }
    return most;
}

// PTH-21, PTH-22, PTH-23. A search that fixes its places before it knows the string has no bound that
// is worth much: over 2,000 ways in such halls the worst of the edges' is 1.71 times the shortest, of
// the polygons' 2.81, of the crossings' 1.033; few are so bad.
TEST(ways_are_never_shorter_than_the_optimum_and_hardly_longer) {
    static const struct {
        const char *row;
        ploy_navmesh_method method;
        double mean, far, far_share; // most: of the ratio, and how many may be that far off
    } rows[] = {{"edges", PLOY_NAVMESH_EDGES, 1.02, 1.2, 0.03},
                {"polygons", PLOY_NAVMESH_POLYGONS, 1.04, 1.2, 0.06},
                {"crossings", PLOY_NAVMESH_CROSSINGS, 1.002, 1.05, 0.0}};
    ploy_env env = ploy_env_default();
    ploy_path *path = nav_path(t), *shortest = nav_path(t);
    double sum[COUNT_OF(rows)] = {0}, best_sum = 0.0;
    int32_t far[COUNT_OF(rows)] = {0}, all = 0;
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_navmesh_exact_def def = ploy_navmesh_exact_def_default();
        ploy_navmesh_exact *exact = NULL;
        def.nodes = 4096;
        CHECK_OK(ploy_navmesh_exact_create(&def, floor.mesh, &env, &exact));
        ploy_rng rng = ploy_rng_make((uint64_t)seed + 100);
        for (int32_t i = 0; i < 5; i++) {
            ploy_navmesh_place a, b;
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &a));
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &b));
            double best = nav_shortest(floor.rings, ploy_vec2_from_vec3(a.point),
                                       ploy_vec2_from_vec3(b.point));
            CHECK_OK(ploy_navmesh_exact_begin(exact, a, b));
            CHECK_OK(ploy_navmesh_exact_step(exact, NULL));
            CHECK_OK(ploy_navmesh_exact_path(exact, shortest));
            all++;
            best_sum += best;
            for (size_t m = 0; m < COUNT_OF(rows); m++) {
                t->row = rows[m].row;
                ploy_navmesh_request request = ploy_navmesh_request_make(a, b);
                ploy_navmesh_answer answer;
                request.method = rows[m].method;
                CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, &answer));
                double length = (double)ploy_path_length(path);
                CHECK(length >= best - 1e-3);
                sum[m] += length;
                far[m] += length > fmax(best, 1.0) * rows[m].far;
                if (request.method == PLOY_NAVMESH_EDGES) {
                    // Middles are joined by lines within polygons: no string is longer than those.
                    CHECK(length <= (double)answer.cost + 1e-3);
                    CHECK((double)answer.cost <= by_middles(floor.mesh, shortest) + 1e-3);
                }
                // Each leg is free: seen among the pillars themselves, and by the mesh's own ray.
                ploy_navmesh_place at = a;
                for (int32_t k = 0; k + 1 < ploy_path_count(path); k++) {
                    ploy_vec2 p = ploy_path_point(path, k), q = ploy_path_point(path, k + 1);
                    ploy_navmesh_hit hit;
                    CHECK(ploy_rings_sees(floor.rings, PLOY_SOLID_OUTSIDE, p, q) || k == 0 ||
                          k + 2 == ploy_path_count(path));
                    CHECK_OK(ploy_navmesh_find_ray(floor.query, at, q, &hit));
                    CHECK(!hit.hit);
                    at = ploy_navmesh_hit_place(floor.query, &hit);
                }
            }
        }
        ploy_navmesh_exact_destroy(exact);
        nav_close(&floor);
    }
    for (size_t m = 0; m < COUNT_OF(rows); m++) {
        t->row = rows[m].row;
        CHECK(sum[m] <= best_sum * rows[m].mean);
        CHECK((double)far[m] <= rows[m].far_share * (double)all);
    }
    ploy_path_destroy(shortest);
    ploy_path_destroy(path);
}

TEST(the_string_bends_only_where_it_must) {
    // A corridor in the shape of an L: one bend, at the inner corner.
    static const ploy_vec3 points[] = {{0, 0, 0}, {4, 0, 0}, {6, 0, 0}, {0, 2, 0},
                                       {4, 2, 0}, {6, 2, 0}, {4, 6, 1}, {6, 6, 1}};
    static const int32_t sizes[] = {4, 4, 4}, corners[] = {0, 1, 4, 3, 1, 2, 5, 4, 4, 5, 7, 6};
    ploy_navmesh_soup soup = {points, 8,    sizes, 3, corners, 12,  NULL,
                              NULL,   NULL, NULL,  0, NULL,    NULL};
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

TEST(a_search_shows_how_near_it_has_come_and_goes_on_as_if_unasked) {
    ploy_path *path = nav_path(t), *want = nav_path(t);
    int32_t glimpses = 0;
    for (int64_t seed = 0; seed < test_rounds(9); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_navmesh_request request = ploy_navmesh_request_make(
            nav_at(t, floor.query, 0.2f, 0.2f), nav_at(t, floor.query, 39.5f, 29.5f));
        ploy_vec2 goal = ploy_vec2_from_vec3(request.to.point);
        ploy_navmesh_answer whole, answer;
        request.method = (ploy_navmesh_method)(seed % 3);
        CHECK_OK(ploy_navmesh_find_path(floor.query, &request, want, &whole));
        ploy_navmesh_query_cancel(floor.query);
        CHECK_INT(ploy_navmesh_query_peek(floor.query, path), PLOY_ERR_STATE);
        CHECK_INT(ploy_navmesh_query_peek(floor.query, NULL), PLOY_ERR_ARGUMENT);
        CHECK_OK(ploy_navmesh_query_begin(floor.query, &request));
        float last = INFINITY;
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(1);
            CHECK_OK(ploy_navmesh_query_peek(floor.query, path));
            int32_t count = ploy_path_count(path), polygons;
            ploy_navmesh_query_corridor(floor.query, &polygons);
            CHECK_INT(polygons, 0);
            float gap = ploy_vec2_distance(ploy_path_point(path, count - 1), goal);
            CHECK(gap <= last + 1e-4f); // never farther than before
            last = gap;
            ploy_navmesh_place at = request.from;
            for (int32_t k = 1; k < count; k++) {
                ploy_navmesh_hit hit;
                CHECK_OK(ploy_navmesh_find_ray(floor.query, at, ploy_path_point(path, k), &hit));
                CHECK(!hit.hit || hit.share > 0.999f); // it may end at a wall
                at = ploy_navmesh_hit_place(floor.query, &hit);
            }
            glimpses += count > 2;
            result = ploy_navmesh_query_step(floor.query, &budget);
        }
        CHECK_OK(result);
        answer = ploy_navmesh_query_answer(floor.query);
        CHECK_INT(answer.pops, whole.pops);
        CHECK_OK(ploy_navmesh_query_peek(floor.query, path)); // the way itself
        CHECK_INT(ploy_path_count(path), ploy_path_count(want));
        CHECK_SAME(ploy_path_length(path), ploy_path_length(want));
        nav_close(&floor);
    }
    CHECK(glimpses > 20);
    ploy_path_destroy(want);
    ploy_path_destroy(path);
}
