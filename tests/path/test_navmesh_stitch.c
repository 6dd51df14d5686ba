// T-junctions that are mended.
#include "tests/path/navmesh_help.h"

// A wide square below, two narrow ones above: the vertex between these lies within its upper edge.
static const ploy_vec3 brick_points[] = {{0, 0, 0}, {4, 0, 0}, {4, 2, 0}, {0, 2, 0},
                                         {2, 2, 0}, {2, 4, 0}, {0, 4, 0}, {4, 4, 0}};
static const int32_t brick_sizes[] = {4, 4, 4};
static const int32_t brick_corners[] = {0, 1, 2, 3, 3, 4, 5, 6, 4, 2, 7, 5};

static ploy_navmesh_soup bricks(const ploy_vec3 *points) {
    ploy_navmesh_soup soup = {points, 8,    brick_sizes, 3, brick_corners, 12,  NULL,
                              NULL,   NULL, NULL,        0, NULL,          NULL};
    return soup;
}

static ploy_navmesh *laid(test_context *t, ploy_navmesh_soup soup, bool stitch) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_navmesh *mesh = NULL;
    def.stitch = stitch;
    CHECK_OK(ploy_navmesh_create(&def, &soup, &env, NULL, &mesh));
    return mesh;
}

TEST(a_vertex_within_an_edge_becomes_a_corner_of_it) {
    ploy_navmesh *plain = laid(t, bricks(brick_points), false);
    ploy_navmesh *mended = laid(t, bricks(brick_points), true);
    CHECK_INT(ploy_navmesh_stats_of(plain).t_junctions, 1);
    CHECK_INT(ploy_navmesh_stats_of(plain).islands, 2);
    CHECK_INT(ploy_navmesh_stats_of(mended).t_junctions, 0);
    CHECK_INT(ploy_navmesh_stats_of(mended).islands, 1);
    CHECK_INT(ploy_navmesh_stats_of(mended).portals, 3);
    CHECK_INT(ploy_navmesh_polygon_at(mended, 0).count, 5);
    CHECK_SAME(ploy_navmesh_stats_of(mended).area, ploy_navmesh_stats_of(plain).area);
    ploy_navmesh_destroy(plain);
    ploy_navmesh_destroy(mended);
}

TEST(what_lies_beside_the_edge_or_on_another_floor_is_left_alone) {
    static const struct {
        const char *row;
        float y, z;
        int32_t islands;
    } rows[] = {{"exactly", 2.0f, 0.0f, 1},
                {"a little beyond", 2.0001f, 0.0f, 2},
                {"a step higher", 2.0f, 0.4f, 1},
                {"another floor", 2.0f, 3.0f, 2}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_vec3 points[8];
        memcpy(points, brick_points, sizeof points);
        points[4] = ploy_vec3_make(2.0f, rows[i].y, rows[i].z);
        ploy_navmesh *mesh = laid(t, bricks(points), true);
        CHECK_INT(ploy_navmesh_stats_of(mesh).islands, rows[i].islands);
        ploy_navmesh_destroy(mesh);
    }
}

static ploy_result stitch_nth(const ploy_env *env, void *arg) {
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_navmesh_soup soup = bricks(brick_points);
    ploy_navmesh *mesh = NULL;
    (void)arg;
    def.stitch = true;
    ploy_result result = ploy_navmesh_create(&def, &soup, env, NULL, &mesh);
    ploy_navmesh_destroy(mesh);
    return result;
}

TEST(mending_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(stitch_nth, NULL);
}
