// Sliding, walls and random places.
#include "tests/path/navmesh_help.h"

// The distance to the nearest wall of all.
static float wall_gap(const ploy_navmesh *mesh, ploy_vec2 at) {
    float best = INFINITY;
    for (int32_t e = 0; e < ploy_navmesh_stats_of(mesh).edges; e++) {
        ploy_navmesh_edge edge = ploy_navmesh_edge_at(mesh, e);
        ploy_segment2 side = {ploy_vec2_from_vec3(edge.from), ploy_vec2_from_vec3(edge.to)};
        if (edge.neighbour < 0) best = ploy_minf(best, ploy_segment2_distance(side, at));
    }
    return best;
}

TEST(the_nearest_wall_is_the_nearest_of_all) {
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        for (int32_t i = 0; i < 40; i++) {
            ploy_navmesh_place from;
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &from));
            ploy_vec2 at = ploy_vec2_from_vec3(from.point), near;
            float best = wall_gap(floor.mesh, at), gap;
            int32_t edge, count;
            CHECK_OK(ploy_navmesh_find_wall(floor.query, from, 100.0f, &gap, &edge, &near));
            CHECK_NEAR(gap, best, 1e-5);
            CHECK_NEAR(ploy_vec2_distance(near, at), best, 1e-5);
            CHECK_INT(ploy_navmesh_edge_at(floor.mesh, edge).neighbour, -1);
            CHECK_OK(ploy_navmesh_find_wall(floor.query, from, 0.5f * best, &gap, &edge, NULL));
            CHECK_NEAR(gap, 0.5 * (double)best, 1e-6);
            CHECK_INT(edge, -1);
            // Of the walls around, the nearest come first, however few there is room for.
            ploy_segment2 walls[64], few[3];
            CHECK_OK(ploy_navmesh_find_walls(floor.query, from, best + 4.0f, walls, 64, &count));
            CHECK(count >= 1 && count <= 64);
            CHECK_NEAR(ploy_segment2_distance(walls[0], at), best, 1e-5);
            for (int32_t k = 1; k < count; k++) {
                CHECK(ploy_segment2_distance(walls[k], at) <= best + 4.0f + 1e-4f);
                CHECK(ploy_segment2_distance(walls[k], at) >=
                      ploy_segment2_distance(walls[k - 1], at) - 1e-5f);
            }
            int32_t again;
            CHECK_OK(ploy_navmesh_find_walls(floor.query, from, best + 4.0f, few, 3, &again));
            CHECK_INT(again, count);
            CHECK_BYTES(few, walls, sizeof few[0] * (size_t)ploy_mini(count, 3));
        }
        nav_close(&floor);
    }
}

TEST(a_move_ends_on_the_floor_and_no_further_off_than_the_ray) {
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_navmesh_place at;
        CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &at));
        for (int32_t i = 0; i < 100; i++) { // a walk that keeps bumping into things
            ploy_vec2 from = ploy_vec2_from_vec3(at.point);
            ploy_vec2 to = {from.x + ploy_rng_range(&rng, -4, 4),
                            from.y + ploy_rng_range(&rng, -4, 4)};
            ploy_navmesh_hit hit;
            ploy_navmesh_place moved;
            CHECK_OK(ploy_navmesh_find_ray(floor.query, at, to, &hit));
            CHECK_OK(ploy_navmesh_find_move(floor.query, at, to, &moved));
            ploy_vec2 end = ploy_vec2_from_vec3(moved.point);
            CHECK(ploy_rings_contains(floor.rings, end, PLOY_FILL_EVEN_ODD) ||
                  wall_gap(floor.mesh, end) < 1e-4f);
            float left = ploy_vec2_distance(end, to);
            CHECK(left <= ploy_vec2_distance(hit.at, to) + 1e-4f);
            if (!hit.hit) CHECK(left <= 1e-5f);
            at = moved;
        }
        nav_close(&floor);
    }
}

TEST(a_move_into_a_wall_slides_along_it) {
    static nav_tiles tiles;
    nav_floor floor = nav_soup(t, nav_grid(&tiles, 8, 4));
    ploy_navmesh_place moved, from = nav_at(t, floor.query, 1.5f, 0.5f);
    CHECK_OK(ploy_navmesh_find_move(floor.query, from, ploy_vec2_make(4.25f, -2.0f), &moved));
    CHECK_NEAR(moved.point.x, 4.25, 1e-6);
    CHECK_NEAR(moved.point.y, 0.0, 1e-6);
    CHECK_NEAR(moved.distance, 2.0, 1e-6);
    ploy_vec2 nan = {NAN, 0};
    CHECK_INT(ploy_navmesh_find_move(floor.query, from, nan, &moved), PLOY_ERR_ARGUMENT);
    nav_close(&floor);
}

TEST(random_places_are_spread_by_area_and_within_reach) {
    static nav_tiles tiles;
    ploy_navmesh_soup soup = nav_grid(&tiles, 4, 1);
    tiles.vertices[4].x = tiles.vertices[9].x = 7.0f; // the last polygon is four times as large
    tiles.flags[1] = 2;
    nav_floor floor = nav_soup(t, soup);
    ploy_navmesh_filter filter = ploy_navmesh_filter_default();
    filter.exclude = 2;
    CHECK_OK(ploy_navmesh_query_set_filter(floor.query, &filter));
    int32_t hits[4] = {0, 0, 0, 0}, left = 0;
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 6000; i++) {
        ploy_navmesh_place place;
        CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &place));
        CHECK(ploy_navmesh_holds(floor.mesh, place.polygon, ploy_vec2_from_vec3(place.point)));
        hits[place.polygon]++;
        left += place.polygon == 3 && place.point.x < 5.0f;
    }
    CHECK_INT(hits[1], 0);
    CHECK_NEAR(hits[0], 1000, 130); // more than four deviations
    CHECK_NEAR(hits[2], 1000, 130);
    CHECK_NEAR(hits[3], 4000, 150);
    CHECK_NEAR(left, 2000, 150);
    ploy_navmesh_place from = {2, {2.5f, 0.5f, 0}, 0}, place;
    for (int32_t i = 0; i < 200; i++) {
        CHECK_OK(ploy_navmesh_find_random_near(floor.query, from, 1.5f, &rng, &place));
        CHECK(ploy_vec3_distance(place.point, from.point) <= 1.5f + 1e-5f);
        CHECK(place.polygon >= 2); // the others lie behind forbidden ground
    }
    filter.include = 4;
    CHECK_OK(ploy_navmesh_query_set_filter(floor.query, &filter));
    CHECK_INT(ploy_navmesh_find_random(floor.query, &rng, &place), PLOY_ERR_NOT_FOUND);
    nav_close(&floor);
}
