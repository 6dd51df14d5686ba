// Meshes from polygons: what is refused, welded and reported.
#include "tests/path/navmesh_help.h"

static const ploy_vec3 squares[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {2, 0, 0}, {2, 1, 0}, {1, 0, 0}, {1, 1, 0}};

static ploy_result build(const ploy_navmesh_soup *soup, bool skip, ploy_diags *diags,
                         ploy_navmesh **mesh) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.skip_faults = skip;
    return ploy_navmesh_create(&def, soup, &env, diags, mesh);
}

// PTH-21: load, weld vertices, build adjacency, turn what is clockwise.
TEST(doubled_vertices_are_welded_and_clockwise_polygons_turned) {
    static const int32_t sizes[] = {4, 4}, corners[] = {0, 1, 2, 3, 7, 5, 4, 6};
    ploy_navmesh_soup soup = {squares, 8,    sizes, 2, corners, 8,   NULL,
                              NULL,    NULL, NULL,  0, NULL,    NULL};
    nav_floor floor = nav_soup(t, soup);
    ploy_navmesh_stats stats = ploy_navmesh_stats_of(floor.mesh);
    CHECK_INT(stats.vertices, 6);
    CHECK_INT(stats.portals, 1);
    CHECK_INT(stats.islands, 1);
    CHECK_NEAR(stats.area, 2.0, 1e-6);
    CHECK_NEAR(ploy_navmesh_polygon_at(floor.mesh, 1).centre.x, 1.5, 1e-6);
    nav_close(&floor);
}

TEST(a_closed_edge_is_a_wall_whichever_way_the_polygon_is_turned) {
    static const int32_t sizes[] = {4, 4}, corners[] = {0, 1, 2, 3, 7, 5, 4, 6};
    for (int32_t which = 0; which < 8; which++) {
        uint8_t closed[8] = {0};
        closed[which] = 1;
        ploy_navmesh_soup soup = {squares, 8,      sizes, 2, corners, 8,   NULL,
                                  NULL,    closed, NULL,  0, NULL,    NULL};
        nav_floor floor = nav_soup(t, soup);
        bool shared = which == 1 || which == 7; // 1 -> 2 and 6 -> 7
        CHECK_INT(ploy_navmesh_stats_of(floor.mesh).portals, shared ? 0 : 1);
        CHECK_INT(ploy_navmesh_stats_of(floor.mesh).islands, shared ? 2 : 1);
        nav_close(&floor);
    }
}

TEST(faulty_polygons_are_refused_or_left_out) {
    static const ploy_vec3 points[] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},   {1, 1, 0},
                                       {4, 0, 0}, {1, 0, 0}, {3, 3, 0}, {3, 0.5f, 0}};
    static const struct {
        const char *row;
        int32_t sizes[3], corners[12], count;
        const char *message;
    } rows[] = {
        {"not convex", {4, 4}, {0, 1, 2, 3, 1, 5, 7, 8}, 2, "the polygon is not convex"},
        {"no area", {4, 3}, {0, 1, 2, 3, 0, 6, 1}, 2, "the polygon has no area"},
        {"two corners", {4, 3}, {0, 1, 2, 3, 1, 1, 5}, 2, "fewer than three different corners"},
        {"overlapping",
         {4, 3},
         {0, 1, 2, 3, 0, 1, 4},
         2,
         "edge belongs to three polygons, or two polygons overlap"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        int32_t corner_count = rows[i].sizes[0] + rows[i].sizes[1];
        ploy_navmesh_soup soup = {
            points, 9, rows[i].sizes, 2,   rows[i].corners, corner_count, NULL, NULL, NULL,
            NULL,   0, NULL,          NULL};
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(10, &env, &diags));
        ploy_navmesh *mesh = NULL;
        CHECK_INT(build(&soup, false, diags, &mesh), PLOY_ERR_ARGUMENT);
        CHECK(mesh == NULL);
        CHECK_INT(ploy_diags_count(diags), 1);
        CHECK_INT(ploy_diags_get(diags, 0)->line, 2);
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, rows[i].message);
        CHECK_OK(build(&soup, true, diags, &mesh));
        CHECK_INT(ploy_navmesh_stats_of(mesh).skipped, 1);
        ploy_navmesh_destroy(mesh);
        ploy_diags_destroy(diags);
    }
}

// PTH-21: T-junctions are reported.
TEST(a_vertex_within_anothers_edge_is_a_t_junction) {
    static const ploy_vec3 points[] = {{0, 0, 0},  {2, 0, 0},  {2, 1, 0}, {0, 1, 0}, {1, 0, 0},
                                       {1, -1, 0}, {0, -1, 0}, {0, 0, 9}, {1, 0, 9}, {0.5f, -1, 9}};
    static const int32_t sizes[] = {4, 4, 3}, corners[] = {0, 1, 2, 3, 6, 5, 4, 0, 9, 8, 7};
    ploy_navmesh_soup soup = {points, 10,   sizes, 3, corners, 11,  NULL,
                              NULL,   NULL, NULL,  0, NULL,    NULL};
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(10, &env, &diags));
    ploy_navmesh *mesh = NULL;
    CHECK_OK(build(&soup, false, diags, &mesh));
    CHECK_INT(ploy_navmesh_stats_of(mesh).t_junctions, 1); // the one 9 m above is none
    CHECK_INT(ploy_diags_count(diags), 1);
    CHECK_INT(ploy_diags_get(diags, 0)->severity, PLOY_SEVERITY_WARNING);
    CHECK_INT(ploy_diags_get(diags, 0)->line, 1);
    ploy_navmesh_destroy(mesh);
    ploy_diags_destroy(diags);
}

TEST(impossible_arrays_are_refused) {
    static const int32_t sizes[] = {4}, corners[] = {0, 1, 2, 3}, wrong[] = {0, 1, 2, 8};
    static const uint8_t areas[] = {PLOY_NAVMESH_AREAS};
    static const ploy_vec3 nan_points[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, NAN}, {0, 1, 0}};
    ploy_navmesh_soup good = {squares, 8,    sizes, 1, corners, 4,   NULL,
                              NULL,    NULL, NULL,  0, NULL,    NULL};
    ploy_navmesh_link far = ploy_navmesh_link_make(squares[0], ploy_vec3_make(50, 50, 0));
    ploy_navmesh_soup bad[8];
    for (int32_t i = 0; i < 8; i++) bad[i] = good;
    bad[0].corners = wrong;
    bad[1].areas = areas;
    bad[2].vertices = nan_points;
    bad[3].corner_count = 3;
    bad[4].corner_count = 5;
    bad[5].vertices = NULL;
    bad[6].polygon_count = -1;
    bad[7].links = &far;
    bad[7].link_count = 1;
    ploy_navmesh *mesh = NULL;
    for (int32_t i = 0; i < 8; i++) {
        CHECK_INT(build(&bad[i], false, NULL, &mesh), PLOY_ERR_ARGUMENT);
        CHECK(mesh == NULL);
    }
    CHECK_OK(build(&bad[7], true, NULL, &mesh));
    CHECK_INT(ploy_navmesh_stats_of(mesh).links, 0);
    ploy_navmesh_destroy(mesh);
    good.polygon_count = good.corner_count = good.vertex_count = 0;
    CHECK_OK(build(&good, false, NULL, &mesh)); // an empty mesh is one
    ploy_navmesh_destroy(mesh);
    ploy_env env = ploy_env_default();
    ploy_navmesh_def zero;
    memset(&zero, 0, sizeof zero);
    CHECK_INT(ploy_navmesh_create(&zero, &good, &env, NULL, &mesh), PLOY_ERR_ARGUMENT);
}

static ploy_result create_and_destroy(const ploy_env *env, void *arg) {
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_navmesh *mesh = NULL;
    ploy_result result = ploy_navmesh_create(&def, arg, env, NULL, &mesh);
    ploy_navmesh_destroy(mesh);
    return result;
}

TEST(create_survives_every_failing_allocation) {
    static nav_tiles tiles;
    ploy_navmesh_soup soup = nav_grid(&tiles, 3, 2);
    ploy_navmesh_link link =
        ploy_navmesh_link_make(ploy_vec3_make(0.5f, 0.5f, 0), ploy_vec3_make(2.5f, 1.5f, 0));
    soup.links = &link;
    soup.link_count = 1;
    CHECK_FAIL_NTH(create_and_destroy, &soup);
}
