// Voronoi cells against the nearest site of all.
#include "tests/geom/polygon_test.h"

#include "ploy/geom/voronoi.h"

enum { MOST_SITES = 80 };

typedef struct dual {
    ploy_cdt *cdt;
    ploy_voronoi *voronoi;
    ploy_arena *arena;
} dual;

static dual dual_make(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_cdt_def def = ploy_cdt_def_default();
    dual all;
    CHECK_OK(ploy_cdt_create(&def, &env, &all.cdt));
    CHECK_OK(ploy_voronoi_create(&env, &all.voronoi));
    CHECK_OK(ploy_arena_create(1 << 14, 0, &env, &all.arena));
    return all;
}

static void dual_free(test_context *t, dual *all) {
    CHECK_UINT(ploy_arena_used(all->arena), 0);
    ploy_cdt_destroy(all->cdt);
    ploy_voronoi_destroy(all->voronoi);
    ploy_arena_destroy(all->arena);
}

static double gap_sq(ploy_vec2 a, ploy_vec2 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    return x * x + y * y;
}

static double nearest_sq(const ploy_vec2 *sites, int32_t count, ploy_vec2 point) {
    double best = INFINITY;
    for (int32_t i = 0; i < count; i++) best = fmin(best, gap_sq(sites[i], point));
    return best;
}

static ploy_box2 box_of(float size) {
    return ploy_box2_make(ploy_vec2_make(-size, -size), ploy_vec2_make(size, size));
}

// Kinds of sites: scattered, on a lattice (circles everywhere), on a line, few.
static int32_t random_sites(ploy_rng *rng, int64_t seed, float size, ploy_vec2 *sites) {
    int32_t count = ploy_rng_int(rng, 1, seed % 5 == 4 ? 3 : MOST_SITES);
    ploy_vec2 way = test_lattice_vec2(rng, 3);
    for (int32_t i = 0; i < count; i++) {
        if (seed % 5 == 1) {
            sites[i] = ploy_vec2_scale(test_lattice_vec2(rng, 4), size / 5.0f);
        } else if (seed % 5 == 2) {
            sites[i] = ploy_vec2_scale(way, (float)ploy_rng_int(rng, -16, 16) * size / 64.0f);
        } else {
            sites[i] = test_random_vec2(rng, size * (seed % 5 == 3 ? 1.5f : 1.0f));
        }
    }
    return count;
}

TEST(a_point_is_in_the_cell_of_its_nearest_site) {
    dual all = dual_make(t);
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float size = seed % 7 == 0 ? 1e6f : (seed % 7 == 1 ? 1e-3f : 10.0f);
        ploy_vec2 sites[MOST_SITES];
        int32_t count = random_sites(&rng, seed, size, sites);
        CHECK_OK(ploy_cdt_build(all.cdt, sites, count, NULL, 0, NULL));
        CHECK_OK(ploy_voronoi_build(all.voronoi, all.cdt, box_of(size), all.arena));
        ploy_voronoi_view view = ploy_voronoi_get(all.voronoi);
        double area = 0.0;
        for (int32_t s = 0; s < view.site_count; s++) {
            ploy_polygon cell = ploy_voronoi_cell_of(all.voronoi, s);
            area += (double)ploy_polygon_area(cell);
            for (int32_t k = 0; k < cell.count; k++) {
                // No site is nearer to a corner; across an edge both are equally near.
                double own = gap_sq(cell.points[k], view.sites[s]);
                double slack = (double)size * (double)size * 1e-5;
                CHECK(own <= nearest_sq(sites, count, cell.points[k]) + slack);
                int32_t behind = view.neighbours[view.cells[s].first + k];
                if (behind < 0) continue;
                CHECK(behind != s);
                ploy_vec2 next = cell.points[(k + 1) % cell.count];
                CHECK_NEAR(own, gap_sq(cell.points[k], view.sites[behind]), slack);
                CHECK_NEAR(gap_sq(next, view.sites[s]), gap_sq(next, view.sites[behind]), slack);
            }
        }
        CHECK_NEAR(area, 4.0 * (double)size * (double)size, 1e-4 * (double)size * (double)size);
        int32_t hint = -1;
        for (int32_t i = 0; i < 30; i++) {
            ploy_vec2 point = test_random_vec2(&rng, size);
            if (i % 5 == 0) point = sites[ploy_rng_int(&rng, 0, count - 1)];
            hint = ploy_voronoi_nearest(all.voronoi, point, i % 3 == 0 ? -1 : hint);
            CHECK(hint >= 0);
            CHECK_SAME(gap_sq(view.sites[hint], point), nearest_sq(sites, count, point));
            if (fabsf(point.x) > size || fabsf(point.y) > size) continue;
            ploy_polygon cell = ploy_voronoi_cell_of(all.voronoi, hint);
            CHECK(ploy_polygon_distance_sq(cell, point) <= size * size * 1e-10f);
        }
    }
    dual_free(t, &all);
}

TEST(four_sites_on_a_circle_meet_in_a_point) {
    dual all = dual_make(t);
    static const ploy_vec2 sites[] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {1, 1}};
    CHECK_OK(ploy_cdt_build(all.cdt, sites, 5, NULL, 0, NULL)); // one of them twice
    CHECK_OK(ploy_voronoi_build(all.voronoi, all.cdt, box_of(3), all.arena));
    ploy_voronoi_view view = ploy_voronoi_get(all.voronoi);
    CHECK_INT(view.site_count, 4);
    CHECK_INT(view.corner_count, 16); // squares, without an edge across the middle
    for (int32_t s = 0; s < 4; s++) {
        ploy_polygon cell = ploy_voronoi_cell_of(all.voronoi, s);
        CHECK_SAME(ploy_polygon_area(cell), 9);
        int32_t box = 0;
        for (int32_t k = 0; k < 4; k++) box += view.neighbours[view.cells[s].first + k] < 0;
        CHECK_INT(box, 2);
    }
    dual_free(t, &all);
}

TEST(no_sites_one_site_and_what_is_refused) {
    dual all = dual_make(t);
    static const ploy_vec2 sites[] = {{0, 0}, {1, 0}, {0, 1}};
    static const ploy_cdt_edge edge = {0, 1};
    ploy_vec2 zero = ploy_vec2_zero();
    CHECK_OK(ploy_voronoi_build(all.voronoi, all.cdt, box_of(3), all.arena));
    CHECK_INT(ploy_voronoi_nearest(all.voronoi, zero, 0), -1);
    CHECK_OK(ploy_cdt_build(all.cdt, sites, 1, NULL, 0, NULL));
    CHECK_OK(ploy_voronoi_build(all.voronoi, all.cdt, box_of(3), all.arena));
    CHECK_SAME(ploy_polygon_area(ploy_voronoi_cell_of(all.voronoi, 0)), 36);
    CHECK_INT(ploy_voronoi_nearest(all.voronoi, ploy_vec2_make(9, 9), 77), 0);
    CHECK_INT(ploy_voronoi_nearest(all.voronoi, ploy_vec2_make(NAN, 9), 0), -1);
    CHECK_INT(ploy_voronoi_cell_of(all.voronoi, 5).count, 0);
    CHECK_OK(ploy_cdt_build(all.cdt, sites, 3, &edge, 1, NULL));
    CHECK_INT(ploy_voronoi_build(all.voronoi, all.cdt, box_of(3), all.arena), PLOY_ERR_STATE);
    CHECK_OK(ploy_cdt_build(all.cdt, sites, 3, NULL, 0, NULL));
    CHECK_INT(ploy_voronoi_build(all.voronoi, all.cdt, box_of(NAN), all.arena), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_voronoi_build(all.voronoi, all.cdt, box_of(0), all.arena), PLOY_ERR_ARGUMENT);
    CHECK_SAME(ploy_polygon_area(ploy_voronoi_cell_of(all.voronoi, 0)), 36); // as it was
    dual_free(t, &all);
}

static ploy_result voronoi_body(const ploy_env *env, void *arg) {
    test_context *t = arg;
    static const ploy_vec2 line[] = {{0, 0}, {1, 1}, {3, 3}, {2, 2}, {5, 5}};
    dual all = {NULL, NULL, NULL};
    ploy_cdt_def def = ploy_cdt_def_default();
    ploy_result result = ploy_cdt_create(&def, env, &all.cdt);
    if (result == PLOY_OK) result = ploy_voronoi_create(env, &all.voronoi);
    if (result == PLOY_OK) result = ploy_arena_create(64, 0, env, &all.arena);
    if (result == PLOY_OK) result = ploy_cdt_build(all.cdt, line, 5, NULL, 0, NULL);
    if (result == PLOY_OK) {
        result = ploy_voronoi_build(all.voronoi, all.cdt, box_of(9), all.arena);
        CHECK(result == PLOY_OK || ploy_voronoi_get(all.voronoi).site_count == 0);
    }
    if (result == PLOY_OK) {
        int64_t bytes = 0;
        ploy_cdt_memory(all.cdt, test_sum_memory, &bytes);
        ploy_voronoi_memory(all.voronoi, test_sum_memory, &bytes);
        ploy_arena_memory(all.arena, test_sum_memory, &bytes);
        result = test_reported(env, bytes, "triangulation, cells and arena");
    }
    ploy_cdt_destroy(all.cdt);
    ploy_voronoi_destroy(all.voronoi);
    ploy_arena_destroy(all.arena);
    return result;
}

TEST(voronoi_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(voronoi_body, t);
}
