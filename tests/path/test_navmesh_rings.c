// Meshes from outlines.
#include "geom/geom_internal.h"
#include "ploy/path/navmesh_exact.h"
#include "tests/path/navmesh_help.h"

// PTH-24: nobody on the mesh comes nearer to a wall than the radius, nor much further off.
TEST(the_floor_keeps_the_radius_from_every_wall) {
    for (int64_t seed = 0; seed < test_rounds(10); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.5f);
        ploy_navmesh_stats stats = ploy_navmesh_stats_of(floor.mesh);
        float least = INFINITY;
        for (int32_t e = 0; e < stats.edges; e++) {
            ploy_navmesh_edge edge = ploy_navmesh_edge_at(floor.mesh, e);
            if (edge.neighbour >= 0) continue;
            ploy_segment2 wall = {ploy_vec2_from_vec3(edge.from), ploy_vec2_from_vec3(edge.to)};
            float gap = INFINITY;
            for (int32_t r = 0; r < ploy_rings_count(floor.rings); r++) {
                ploy_polygon ring = ploy_rings_get(floor.rings, r);
                for (int32_t k = 0; k < ring.count; k++) {
                    float d = ploy_segment2_gap_sq(wall, ploy_polygon_edge(ring, k));
                    gap = ploy_minf(gap, sqrtf(d));
                }
            }
            least = ploy_minf(least, gap);
            CHECK(gap <= 0.5f + 0.05f + 1e-3f);
        }
        CHECK(least >= 0.5f - 1e-3f);
        nav_close(&floor);
    }
}

TEST(crossing_sides_are_refused_without_a_radius) {
    static const ploy_vec2 bow[] = {{0, 0}, {4, 4}, {4, 0}, {0, 3}};
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_add(rings, bow, 4));
    CHECK_INT(
        ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL, &mesh),
        PLOY_ERR_ARGUMENT);
    CHECK(mesh == NULL);
    CHECK_INT(ploy_navmesh_create_rings(&def, NULL, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL, &mesh),
              PLOY_ERR_ARGUMENT);
    def.radius = 9.0f; // nothing is left of the floor: a mesh without polygons
    CHECK_OK(
        ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, &env, NULL, &mesh));
    CHECK_INT(ploy_navmesh_stats_of(mesh).polygons, 0);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(rings);
}

static ploy_result create_rings(const ploy_env *env, void *arg) {
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = 0.3f;
    ploy_navmesh *mesh = NULL;
    ploy_result result =
        ploy_navmesh_create_rings(&def, arg, PLOY_FILL_EVEN_ODD, NULL, 0, env, NULL, &mesh);
    ploy_navmesh_destroy(mesh);
    return result;
}

TEST(create_rings_survives_every_failing_allocation) {
    static const ploy_vec2 hall[] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}};
    static const ploy_vec2 pillar[] = {{3, 3}, {6, 3}, {5, 6}};
    ploy_env env = ploy_env_default();
    ploy_rings *rings = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_rings_add(rings, hall, 4));
    CHECK_OK(ploy_rings_add_reversed(rings, pillar, 3));
    CHECK_FAIL_NTH(create_rings, rings);
    ploy_rings_destroy(rings);
}

// ---- several sizes ----

enum { SIZE_COUNT = 4 };
static const float size_radii[SIZE_COUNT] = {0.0f, 0.4f, 0.9f, 1.6f};

static ploy_navmesh_exact *sized_exact(test_context *t, const ploy_navmesh *mesh, float radius) {
    ploy_env env = ploy_env_default();
    ploy_navmesh_exact_def def = ploy_navmesh_exact_def_default();
    ploy_navmesh_exact *exact = NULL;
    def.radius = radius;
    CHECK_OK(ploy_navmesh_exact_create(&def, mesh, &env, &exact));
    return exact;
}

static double sized_shortest(test_context *t, ploy_navmesh_exact *exact, ploy_navmesh_place from,
                             ploy_navmesh_place to) {
    float length = 0.0f;
    CHECK_OK(ploy_navmesh_exact_begin(exact, from, to));
    CHECK_OK(ploy_navmesh_exact_step(exact, NULL));
    return ploy_navmesh_exact_outcome(exact, &length) == PLOY_PATH_FOUND ? (double)length : -1.0;
}

// For each of its radii the mesh answers as one that was built with that radius alone: the same
// floor, places, shortest ways, rays, and what cannot be reached.
TEST(a_clearance_query_equals_a_mesh_built_at_that_radius) {
    for (int64_t seed = 1; seed <= test_rounds(15); seed++) {
        TEST_SEED(seed);
        ploy_env env = ploy_env_default();
        ploy_navmesh_def def = ploy_navmesh_def_default();
        nav_floor all = {NULL, NULL, NULL};
        CHECK_OK(ploy_rings_create(&env, &all.rings));
        nav_rings(t, (uint64_t)seed, &env, all.rings);
        CHECK_OK(ploy_navmesh_create_sizes(&def, all.rings, PLOY_FILL_EVEN_ODD, size_radii,
                                           SIZE_COUNT, NULL, 0, &env, NULL, &all.mesh));
        CHECK_OK(ploy_navmesh_query_create(all.mesh, &env, &all.query));
        CHECK_INT(ploy_navmesh_stats_of(all.mesh).t_junctions, 0);
        for (int32_t s = 0; s < SIZE_COUNT; s++) {
            float radius = size_radii[s];
            nav_floor one = nav_hall(t, (uint64_t)seed, radius);
            double area = 0.0;
            for (int32_t i = 0; i < ploy_navmesh_stats_of(all.mesh).polygons; i++) {
                ploy_navmesh_polygon p = ploy_navmesh_polygon_at(all.mesh, i);
                if (p.clearance >= radius) area += (double)p.surface;
            }
            CHECK_NEAR(area, ploy_navmesh_stats_of(one.mesh).area, 0.01);
            ploy_navmesh_filter filter = ploy_navmesh_filter_default();
            filter.clearance = radius;
            CHECK_OK(ploy_navmesh_query_set_filter(all.query, &filter));
            ploy_navmesh_exact *wide = sized_exact(t, all.mesh, radius);
            ploy_navmesh_exact *own = sized_exact(t, one.mesh, 0.0f);
            ploy_rng rng = ploy_rng_make((uint64_t)seed);
            for (int32_t i = 0; i < 12; i++) {
                ploy_navmesh_place a, b;
                CHECK_OK(ploy_navmesh_find_random(one.query, &rng, &a));
                CHECK_OK(ploy_navmesh_find_random(one.query, &rng, &b));
                ploy_navmesh_place from = nav_at(t, all.query, a.point.x, a.point.y);
                ploy_navmesh_place to = nav_at(t, all.query, b.point.x, b.point.y);
                CHECK(from.distance < 1e-4f && to.distance < 1e-4f);
                double want = sized_shortest(t, own, a, b);
                CHECK_NEAR(sized_shortest(t, wide, from, to), want, 1e-3);
                ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
                ploy_navmesh_answer answer;
                request.radius = radius;
                ploy_path *path = nav_path(t);
                CHECK_OK(ploy_navmesh_find_path(all.query, &request, path, &answer));
                CHECK_INT(answer.outcome, want >= 0.0 ? PLOY_PATH_FOUND : PLOY_PATH_PARTIAL);
                if (want >= 0.0) CHECK((double)ploy_path_length(path) > want - 1e-3);
                ploy_path_destroy(path);
                ploy_navmesh_hit hit, own_hit;
                ploy_vec2 end = ploy_vec2_from_vec3(b.point);
                CHECK_OK(ploy_navmesh_find_ray(all.query, from, end, &hit));
                CHECK_OK(ploy_navmesh_find_ray(one.query, a, end, &own_hit));
                CHECK_NEAR(hit.share, own_hit.share, 1e-4);
            }
            ploy_navmesh_exact_destroy(wide);
            ploy_navmesh_exact_destroy(own);
            nav_close(&one);
        }
        nav_close(&all);
    }
}

TEST(sizes_between_take_the_next_larger_floor_and_those_beyond_none) {
    nav_floor all = {NULL, NULL, NULL};
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    CHECK_OK(ploy_rings_create(&env, &all.rings));
    nav_rings(t, 3, &env, all.rings);
    CHECK_OK(ploy_navmesh_create_sizes(&def, all.rings, PLOY_FILL_EVEN_ODD, size_radii, SIZE_COUNT,
                                       NULL, 0, &env, NULL, &all.mesh));
    CHECK_OK(ploy_navmesh_query_create(all.mesh, &env, &all.query));
    ploy_navmesh_filter filter = ploy_navmesh_filter_default();
    ploy_navmesh_place place;
    filter.clearance = 0.5f;
    CHECK_OK(ploy_navmesh_query_set_filter(all.query, &filter));
    CHECK_OK(ploy_navmesh_find_nearest(all.query, ploy_vec3_zero(), -1, NULL, &place));
    CHECK(ploy_navmesh_polygon_at(all.mesh, place.polygon).clearance >= 0.9f);
    filter.clearance = 2.0f;
    CHECK_OK(ploy_navmesh_query_set_filter(all.query, &filter));
    CHECK_INT(ploy_navmesh_find_nearest(all.query, ploy_vec3_zero(), -1, NULL, &place),
              PLOY_ERR_NOT_FOUND);
    filter.clearance = NAN;
    CHECK_INT(ploy_navmesh_query_set_filter(all.query, &filter), PLOY_ERR_ARGUMENT);
    // Bytes keep clearances.
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    ploy_navmesh *again = NULL;
    CHECK_OK(ploy_navmesh_save(all.mesh, &writer));
    CHECK_OK(ploy_navmesh_load(bytes.bytes, bytes.size, "sizes", &env, NULL, &again));
    CHECK_UINT(nav_hash(again), nav_hash(all.mesh));
    for (int32_t i = 0; i < ploy_navmesh_stats_of(again).polygons; i++) {
        CHECK_SAME(ploy_navmesh_polygon_at(again, i).clearance,
                   ploy_navmesh_polygon_at(all.mesh, i).clearance);
    }
    ploy_navmesh_destroy(again);
    ploy_buffer_fini(&bytes);
    nav_close(&all);
}

static ploy_result sizes_nth(const ploy_env *env, void *arg) {
    static const ploy_vec2 room[] = {{0, 0}, {8, 0}, {8, 8}, {0, 8}};
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL;
    (void)arg;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, room, 4);
    if (result == PLOY_OK) {
        result = ploy_navmesh_create_sizes(&def, rings, PLOY_FILL_NON_ZERO, size_radii, SIZE_COUNT,
                                           NULL, 0, env, NULL, &mesh);
    }
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(rings);
    return result;
}

TEST(sizes_survive_every_failing_allocation_and_refuse_what_cannot_be) {
    CHECK_FAIL_NTH(sizes_nth, NULL);
    static const struct {
        const char *row;
        float radii[2];
        int32_t count;
    } rows[] = {{"none", {0.5f, 1.0f}, 0},        {"below zero", {-1.0f, 1.0f}, 2},
                {"descending", {1.0f, 0.5f}, 2},  {"too near", {0.5f, 0.52f}, 2},
                {"not a number", {NAN, 1.0f}, 2}, {"too many", {0.5f, 1.0f}, 9}};
    ploy_env env = ploy_env_default();
    ploy_navmesh_def def = ploy_navmesh_def_default();
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_navmesh_create_sizes(&def, rings, PLOY_FILL_NON_ZERO, rows[i].radii,
                                            rows[i].count, NULL, 0, &env, NULL, &mesh),
                  PLOY_ERR_ARGUMENT);
        CHECK(mesh == NULL);
    }
    ploy_rings_destroy(rings);
}
