// The ground within polygons.
#include "tests/path/navmesh_help.h"

// A square of 4 m with a hill of 3 m in its middle, and an even one beside it.
static const ploy_vec3 hill_vertices[] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0},
                                          {0, 4, 0}, {8, 0, 0}, {8, 4, 0}};
static const int32_t hill_sizes[] = {4, 4}, hill_corners[] = {0, 1, 2, 3, 1, 4, 5, 2};
static const ploy_vec3 hill_ground[] = {{0, 0, 0}, {4, 0, 1}, {4, 4, 0}, {0, 4, 0}, {2, 2, 3}};
static const int32_t hill_counts[] = {4, 0};
static const int32_t hill_triangles[] = {0, 1, 4, 2, 1, 4, 2, 3, 4, 3, 0, 4}; // either way round

static ploy_navmesh_detail hill_detail(void) {
    ploy_navmesh_detail detail = {hill_ground, 5, hill_counts, hill_triangles, 4};
    return detail;
}

static ploy_navmesh_soup hill_soup(const ploy_navmesh_detail *detail) {
    ploy_navmesh_soup soup = {hill_vertices, 6,    hill_sizes, 2, hill_corners, 8,     NULL,
                              NULL,          NULL, NULL,       0, NULL,         detail};
    return soup;
}

TEST(a_point_is_as_high_as_the_triangle_over_it) {
    static const struct {
        const char *row;
        int32_t polygon;
        ploy_vec2 at;
        double height;
    } rows[] = {{"the top", 0, {2, 2}, 3},
                {"half way up", 0, {2, 1}, 1.75},
                {"on a ridge", 0, {3, 3}, 1.5},
                {"a corner that the detail lifts", 0, {4, 0}, 1},
                {"beyond it", 0, {-3, 2}, 0},
                {"the even square", 1, {6, 2}, 0},
                {"its own corner is not", 1, {4, 0}, 0}};
    ploy_navmesh_detail detail = hill_detail();
    nav_floor floor = nav_soup(t, hill_soup(&detail));
    CHECK_INT(ploy_navmesh_stats_of(floor.mesh).details, 4);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_NEAR(ploy_navmesh_height(floor.mesh, rows[i].polygon, rows[i].at), rows[i].height,
                   1e-6);
    }
    // Places, rays and bends have those heights too.
    ploy_navmesh_place top = nav_at(t, floor.query, 2, 2), foot = nav_at(t, floor.query, 7, 2);
    CHECK_NEAR(top.point.z, 3, 1e-6);
    ploy_navmesh_hit hit;
    CHECK_OK(ploy_navmesh_find_ray(floor.query, foot, ploy_vec2_make(2, 1), &hit));
    CHECK_NEAR(ploy_navmesh_hit_place(floor.query, &hit).point.z, 1.75, 1e-6);
    nav_close(&floor);
}

TEST(ways_bend_at_the_height_of_the_ground) {
    // Round the corner at (4, 4) of an L, which the detail of its first square lifts.
    static const ploy_vec3 points[] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0},
                                       {8, 0, 0}, {8, 4, 0}, {8, 8, 0}, {4, 8, 0}};
    static const int32_t sizes[] = {4, 4, 4}, corners[] = {0, 1, 2, 3, 1, 4, 5, 2, 2, 5, 6, 7};
    static const ploy_vec3 ground[] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 2}, {0, 4, 0}};
    static const int32_t counts[] = {2, 0, 0}, triangles[] = {0, 1, 2, 0, 2, 3};
    ploy_navmesh_detail detail = {ground, 4, counts, triangles, 2};
    ploy_navmesh_soup soup = {points, 8,    sizes, 3, corners, 12,     NULL,
                              NULL,   NULL, NULL,  0, NULL,    &detail};
    nav_floor floor = nav_soup(t, soup);
    ploy_path *path = nav_path(t);
    ploy_navmesh_request request =
        ploy_navmesh_request_make(nav_at(t, floor.query, 1, 3), nav_at(t, floor.query, 5, 7));
    CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, NULL));
    CHECK_INT(ploy_path_count(path), 3);
    CHECK(ploy_vec2_equal(ploy_path_point(path, 1), ploy_vec2_make(4, 4)));
    CHECK_NEAR(ploy_path_height(path, 1), 2, 1e-6);
    ploy_path_destroy(path);
    nav_close(&floor);
}

TEST(gaps_and_flat_triangles_give_heights_between_those_of_corners) {
    static const int32_t counts[] = {2, 0}, triangles[] = {0, 0, 4, 0, 4, 3}; // one quarter alone
    ploy_navmesh_detail detail = {hill_ground, 5, counts, triangles, 2};
    nav_floor floor = nav_soup(t, hill_soup(&detail));
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 at = {ploy_rng_range(&rng, -1, 5), ploy_rng_range(&rng, -1, 5)};
        float height = ploy_navmesh_height(floor.mesh, 0, at);
        CHECK(height >= -0.01f && height <= 3.01f);
    }
    nav_close(&floor);
}

TEST(polygons_that_are_left_out_take_their_ground_with_them) {
    static const int32_t sizes[] = {2, 4, 4}, corners[] = {0, 1, 1, 4, 5, 2, 0, 1, 2, 3};
    static const int32_t counts[] = {1, 0, 4};
    static const int32_t triangles[] = {3, 2, 1, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    ploy_navmesh_detail detail = {hill_ground, 5, counts, triangles, 5};
    ploy_navmesh_soup soup = {hill_vertices, 6,    sizes, 3, corners, 10,     NULL,
                              NULL,          NULL, NULL,  0, NULL,    &detail};
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_navmesh *mesh = NULL;
    def.skip_faults = true;
    CHECK_OK(ploy_navmesh_create(&def, &soup, &env, NULL, &mesh));
    CHECK_INT(ploy_navmesh_stats_of(mesh).polygons, 2);
    CHECK_INT(ploy_navmesh_stats_of(mesh).details, 4);
    CHECK_NEAR(ploy_navmesh_height(mesh, 0, ploy_vec2_make(6, 2)), 0, 1e-6);
    CHECK_NEAR(ploy_navmesh_height(mesh, 1, ploy_vec2_make(2, 2)), 3, 1e-6);
    // The mesh as a soup has it still.
    ploy_navmesh_soup *again = NULL;
    CHECK_OK(ploy_navmesh_soup_create(mesh, &env, &again));
    CHECK(again->detail != NULL);
    CHECK_INT(again->detail->triangle_count, 4);
    ploy_navmesh_soup_destroy(again);
    ploy_navmesh_destroy(mesh);
}

TEST(ground_that_cannot_be_is_refused) {
    static const int32_t few[] = {3, 0}, less[] = {-1, 5}, many[] = {4, 1};
    static const int32_t wild[] = {0, 1, 4, 1, 2, 5, 2, 3, 4, 3, 0, 4};
    static const ploy_vec3 nowhere[] = {{0, 0, 0}, {4, 0, 0}, {4, 4, NAN}, {0, 4, 0}, {2, 2, 3}};
    ploy_navmesh_detail details[8];
    for (size_t i = 0; i < COUNT_OF(details); i++) details[i] = hill_detail();
    details[0].sizes = few;
    details[1].sizes = less;
    details[2].sizes = many;
    details[3].triangles = wild;
    details[4].vertices = nowhere;
    details[5].vertex_count = -1;
    details[6].triangle_count = PLOY_NAVMESH_CORNERS_MAX + 1;
    details[7].vertices = NULL;
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    for (size_t i = 0; i < COUNT_OF(details); i++) {
        TEST_SEED(i);
        ploy_navmesh_soup soup = hill_soup(&details[i]);
        ploy_navmesh *mesh = NULL;
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_navmesh_create(&def, &soup, &env, diags, &mesh), PLOY_ERR_ARGUMENT);
        CHECK(mesh == NULL && ploy_diags_count(diags) == 1);
        ploy_diags_destroy(diags);
    }
}

static ploy_result detail_nth(const ploy_env *env, void *arg) {
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_navmesh *mesh = NULL;
    ploy_result result = ploy_navmesh_create(&def, arg, env, NULL, &mesh);
    ploy_navmesh_destroy(mesh);
    return result;
}

TEST(building_with_detail_survives_every_failing_allocation) {
    ploy_navmesh_detail detail = hill_detail();
    ploy_navmesh_soup soup = hill_soup(&detail);
    CHECK_FAIL_NTH(detail_nth, &soup);
}
