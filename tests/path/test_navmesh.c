// The mesh itself: its parts, heights and clearances.
#include "path/path_internal.h"
#include "tests/path/navmesh_help.h"

TEST(the_field_table_is_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_navmesh_fields(), NULL));
}

// PTH-23: a strip of k triangles.
TEST(a_strip_has_the_counts_of_both_graphs) {
    for (int32_t k = 1; k <= 20; k++) {
        ploy_vec3 vertices[22];
        int32_t sizes[20], corners[60];
        nav_floor floor = nav_soup(t, nav_strip(k, vertices, sizes, corners));
        ploy_navmesh_stats stats = ploy_navmesh_stats_of(floor.mesh);
        CHECK_INT(stats.polygons, k);    // nodes of the graph of polygons
        CHECK_INT(stats.portals, k - 1); // its links; nodes of the graph of edges
        CHECK_INT(stats.portal_pairs, k > 1 ? k - 2 : 0);
        CHECK_INT(stats.walls, k + 2);
        CHECK_INT(stats.islands, 1);
        CHECK_NEAR(stats.area, 2.0 * k, 1e-4);
        nav_close(&floor);
    }
}

TEST(twins_are_each_others_and_lie_the_other_way_round) {
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.0f);
        ploy_navmesh_stats stats = ploy_navmesh_stats_of(floor.mesh);
        CHECK_NEAR(stats.area, ploy_rings_area(floor.rings), 0.01);
        for (int32_t i = 0; i < stats.polygons; i++) {
            ploy_navmesh_polygon p = ploy_navmesh_polygon_at(floor.mesh, i);
            CHECK(p.count >= 3 && p.count <= 8 && p.surface > 0.0f);
            for (int32_t e = p.first; e < p.first + p.count; e++) {
                ploy_navmesh_edge edge = ploy_navmesh_edge_at(floor.mesh, e);
                if (edge.twin < 0) {
                    CHECK_INT(edge.neighbour, -1);
                    continue;
                }
                ploy_navmesh_edge twin = ploy_navmesh_edge_at(floor.mesh, edge.twin);
                CHECK_INT(twin.twin, e);
                CHECK_INT(twin.neighbour, i);
                CHECK(ploy_vec3_equal(edge.from, twin.to) && ploy_vec3_equal(edge.to, twin.from));
            }
        }
        nav_close(&floor);
    }
}

TEST(heights_follow_the_floor_and_stop_at_its_rim) {
    static const ploy_vec3 vertices[] = {{0, 0, 0}, {4, 0, 4}, {4, 2, 4}, {0, 2, 0}};
    static const int32_t sizes[] = {4}, corners[] = {0, 1, 2, 3};
    ploy_navmesh_soup soup = {vertices, 4,    sizes, 1, corners, 4,   NULL,
                              NULL,     NULL, NULL,  0, NULL,    NULL};
    nav_floor floor = nav_soup(t, soup);
    static const struct {
        const char *row;
        ploy_vec2 at;
        float height;
        bool held;
    } rows[] = {{"a corner", {0, 0}, 0, true},
                {"within", {1, 1}, 1, true},
                {"within, higher", {3.5f, 0.5f}, 3.5f, true},
                {"on the rim", {4, 1}, 4, true},
                {"beyond it", {9, 1}, 4, false},
                {"before it", {-3, 5}, 0, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_NEAR(ploy_navmesh_height(floor.mesh, 0, rows[i].at), rows[i].height, 1e-5);
        CHECK_INT(ploy_navmesh_holds(floor.mesh, 0, rows[i].at), rows[i].held);
    }
    CHECK_NEAR(ploy_navmesh_height(floor.mesh, 7, rows[1].at), 0, 0); // no such polygon
    CHECK_INT(ploy_navmesh_polygon_at(floor.mesh, -1).count, 0);
    CHECK_INT(ploy_navmesh_edge_at(floor.mesh, 99).neighbour, -1);
    nav_close(&floor);
}

// PTH-24: the clearance of a portal is its length less the radius at each end on a wall.
TEST(portals_are_trimmed_where_they_touch_walls) {
    static nav_tiles tiles;
    nav_floor floor = nav_soup(t, nav_grid(&tiles, 3, 3));
    int32_t seen[3] = {0, 0, 0};
    for (int32_t e = 0; e < 36; e++) {
        ploy_navmesh_edge edge = ploy_navmesh_edge_at(floor.mesh, e);
        int32_t ends = (edge.wall_from ? 1 : 0) + (edge.wall_to ? 1 : 0);
        float left = ployi_navmesh_clearance(floor.mesh, e, 0.3f);
        if (edge.neighbour < 0) {
            CHECK(left < 0.0f);
            continue;
        }
        CHECK_NEAR(left, 1.0f - 0.3f * (float)ends, 1e-6);
        seen[ends]++;
    }
    CHECK_INT(seen[0], 8); // the four sides of the middle, from both sides
    CHECK_INT(seen[1], 16);
    CHECK_INT(seen[2], 0);
    nav_close(&floor);
}
