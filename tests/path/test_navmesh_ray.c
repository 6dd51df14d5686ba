// Straight walks, against the outline itself.
#include "ploy/geom/line_of_sight.h"
#include "tests/path/navmesh_help.h"

TEST(a_ray_gets_there_if_the_outline_lets_one_see_it) {
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        for (int32_t i = 0; i < 60; i++) {
            ploy_navmesh_place from;
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &from));
            ploy_vec2 a = ploy_vec2_from_vec3(from.point);
            ploy_vec2 b = {ploy_rng_range(&rng, -2, 42), ploy_rng_range(&rng, -2, 32)};
            ploy_navmesh_hit hit;
            CHECK_OK(ploy_navmesh_find_ray(floor.query, from, b, &hit));
            CHECK_INT(!hit.hit, ploy_rings_sees(floor.rings, PLOY_SOLID_OUTSIDE, a, b));
            // Where it stops is the nearest side of the outline on the way.
            float nearest = INFINITY;
            for (int32_t r = 0; r < ploy_rings_count(floor.rings); r++) {
                ploy_polygon ring = ploy_rings_get(floor.rings, r);
                for (int32_t k = 0; k < ring.count; k++) {
                    ploy_crossing2 cross;
                    ploy_segment2 way = {a, b};
                    if (ploy_segment2_crosses(way, ploy_polygon_edge(ring, k), &cross)) {
                        nearest = ploy_minf(nearest, cross.r);
                    }
                }
            }
            CHECK_NEAR(hit.share, hit.hit ? nearest : 1.0f, 1e-3);
            if (!hit.hit) {
                CHECK(ploy_navmesh_holds(floor.mesh, hit.polygon, b));
            } else {
                ploy_vec2 way = ploy_vec2_sub(b, a);
                CHECK(ploy_vec2_dot(hit.normal, way) < 0.0f);
                CHECK_INT(ploy_navmesh_edge_at(floor.mesh, hit.edge).neighbour, -1);
            }
        }
        nav_close(&floor);
    }
}

// On a lattice every line through vertices and along edges is met.
TEST(lines_through_vertices_and_along_edges_pass) {
    static nav_tiles tiles;
    ploy_navmesh_soup soup = nav_grid(&tiles, 6, 6);
    tiles.flags[2 * 6 + 2] = 2; // a pillar from (2, 2) to (3, 3)
    nav_floor floor = nav_soup(t, soup);
    ploy_navmesh_filter filter = ploy_navmesh_filter_default();
    filter.exclude = 2;
    CHECK_OK(ploy_navmesh_query_set_filter(floor.query, &filter));
    for (int32_t i = 0; i < 49 * 49; i++) {
        ploy_vec2 a = {(float)(i / 49 % 7), (float)(i / 49 / 7)};
        ploy_vec2 b = {(float)(i % 49 % 7), (float)(i % 49 / 7)};
        // The pillar is in the way if the line goes through its inside: then its middle part does.
        ploy_vec2 corners[4] = {{2, 2}, {3, 2}, {3, 3}, {2, 3}};
        ploy_polygon pillar = ploy_polygon_make(corners, 4);
        ploy_polygon_crossing met[8];
        ploy_segment2 way = {a, b};
        int32_t count = ploy_polygon_cross_segment(pillar, way, met, 8);
        bool blocked = false;
        for (int32_t k = 0; k + 1 < count; k++) {
            ploy_vec2 middle = ploy_vec2_lerp(met[k].point, met[k + 1].point, 0.5f);
            blocked |= ploy_polygon_locate(pillar, middle) == PLOY_LOCATION_INSIDE;
        }
        for (int32_t p = 0; p < 36; p++) { // from every polygon that the start belongs to
            if (p == 14 || !ploy_navmesh_holds(floor.mesh, p, a)) continue;
            ploy_navmesh_place from = {p, ploy_vec3_from_vec2(a, 0), 0};
            ploy_navmesh_hit hit;
            CHECK_OK(ploy_navmesh_find_ray(floor.query, from, b, &hit));
            CHECK_INT(hit.hit, blocked);
        }
    }
    ploy_navmesh_hit hit;
    ploy_navmesh_place none = {-1, {0, 0, 0}, 0};
    CHECK_INT(ploy_navmesh_find_ray(floor.query, none, ploy_vec2_zero(), &hit), PLOY_ERR_ARGUMENT);
    nav_close(&floor);
}
