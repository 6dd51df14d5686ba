// Convex merging: polygons convex, together the area, neighbours that know each other, and no edge
// left that could go.
#include "geom/geom_internal.h"
#include "tests/geom/polygon_test.h"

#include "ploy/geom/boolean.h"
#include "ploy/geom/merge.h"
#include "ploy/geom/predicates.h"

typedef struct merging {
    ploy_rings *rings;
    ploy_cdt *cdt;
    ploy_merge *merge;
    ploy_arena *arena;
} merging;

static merging merging_make(test_context *t, int32_t max_corners, bool walls) {
    ploy_env env = ploy_env_default();
    ploy_cdt_def cdt_def = ploy_cdt_def_default();
    ploy_merge_def def = ploy_merge_def_default();
    def.max_corners = max_corners;
    def.walls = walls;
    merging all;
    CHECK_OK(ploy_rings_create(&env, &all.rings));
    CHECK_OK(ploy_cdt_create(&cdt_def, &env, &all.cdt));
    CHECK_OK(ploy_merge_create(&def, &env, &all.merge));
    CHECK_OK(ploy_arena_create(1 << 14, 0, &env, &all.arena));
    return all;
}

static void merging_free(test_context *t, merging *all) {
    CHECK_UINT(ploy_arena_used(all->arena), 0);
    ploy_rings_destroy(all->rings);
    ploy_cdt_destroy(all->cdt);
    ploy_merge_destroy(all->merge);
    ploy_arena_destroy(all->arena);
}

// Whether two neighbours over an edge could be one polygon.
static bool could_join(ploy_polygon a, int32_t edge, ploy_polygon b, int32_t back) {
    const ploy_vec2 *p = a.points, *q = b.points;
    int32_t n = a.count, m = b.count;
    ploy_vec2 v = p[edge], w = p[(edge + 1) % n];
    return ploy_orient2(p[(edge + n - 1) % n], v, q[(back + 2) % m]) >= 0 &&
           ploy_orient2(q[(back + m - 1) % m], w, p[(edge + 2) % n]) >= 0 &&
           !ploy_vec2_equal(p[(edge + n - 1) % n], q[(back + 2) % m]) &&
           !ploy_vec2_equal(q[(back + m - 1) % m], p[(edge + 2) % n]);
}

static void check_merged(test_context *t, const merging *all, int32_t max_corners, bool walls) {
    ploy_merge_view view = ploy_merge_get(all->merge);
    ploy_cdt_view mesh = ploy_cdt_get(all->cdt);
    double area = 0.0, want = 0.0;
    CHECK_INT(view.triangle_count, mesh.triangle_count);
    for (int32_t i = 0; i < mesh.triangle_count; i++) {
        const ploy_cdt_triangle *own = &mesh.triangles[i];
        CHECK((view.polygon_of[i] >= 0) == ((own->flags & PLOY_CDT_INSIDE) != 0));
        if (view.polygon_of[i] < 0) continue;
        ploy_vec2 c[3];
        for (int32_t k = 0; k < 3; k++) c[k] = mesh.points[own->corner[k]];
        want += (double)ploy_polygon_area(ploy_polygon_make(c, 3));
        // Its middle is in its polygon.
        ploy_vec2 middle = test_v2(((double)c[0].x + (double)c[1].x + (double)c[2].x) / 3.0,
                                   ((double)c[0].y + (double)c[1].y + (double)c[2].y) / 3.0);
        ploy_polygon polygon = ployi_merge_polygon_at(all->merge, view.polygon_of[i]);
        CHECK(ploy_polygon_distance_sq(polygon, middle) < 1e-6f);
    }
    int32_t corners = 0;
    for (int32_t i = 0; i < view.polygon_count; i++) {
        ploy_polygon polygon = ployi_merge_polygon_at(all->merge, i);
        CHECK_INT(view.polygons[i].first, corners);
        corners += polygon.count;
        CHECK(polygon.count >= 3 && polygon.count <= max_corners);
        CHECK(ploy_polygon_is_convex(polygon));
        CHECK_INT(ploy_polygon_turn(polygon), 1);
        area += (double)ploy_polygon_area(polygon);
        for (int32_t k = 0; k < polygon.count; k++) {
            int32_t behind = view.neighbours[view.polygons[i].first + k];
            ploy_segment2 edge = ploy_polygon_edge(polygon, k);
            int32_t vertex = view.vertices[view.polygons[i].first + k], triangle, index;
            int32_t next = view.vertices[view.polygons[i].first + (k + 1) % polygon.count];
            CHECK(ploy_vec2_equal(ploy_cdt_point(all->cdt, vertex), edge.from));
            CHECK(ploy_cdt_find_edge(all->cdt, vertex, next, &triangle, &index));
            bool constraint =
                (mesh.triangles[triangle].flags & ((uint32_t)PLOY_CDT_CONSTRAINT_0 << index)) != 0;
            int32_t other = mesh.triangles[triangle].neighbour[index];
            if (behind < 0) { // nothing behind, or a wall
                CHECK(other < 0 || view.polygon_of[other] < 0 || (constraint && walls));
                continue;
            }
            CHECK(behind != i && behind == view.polygon_of[other]);
            ploy_polygon back = ployi_merge_polygon_at(all->merge, behind);
            int32_t same = -1;
            for (int32_t m = 0; m < back.count; m++) {
                ploy_segment2 their = ploy_polygon_edge(back, m);
                if (ploy_vec2_equal(their.from, edge.to) && ploy_vec2_equal(their.to, edge.from)) {
                    same = m;
                }
            }
            CHECK(same >= 0);
            CHECK_INT(view.neighbours[view.polygons[behind].first + same], i);
            if (polygon.count + back.count - 2 <= max_corners && !constraint) {
                CHECK(!could_join(polygon, k, back, same));
            }
            ploy_segment2 portal;
            CHECK(ploy_merge_portal(all->merge, i, behind, &portal));
            for (int32_t m = 0; m < back.count; m++) { // all of it ahead of who goes through
                CHECK(ploy_orient2(portal.from, portal.to, back.points[m]) >= 0);
            }
        }
    }
    CHECK_INT(view.corner_count, corners);
    CHECK_NEAR(area, want, 1e-4 * want + 1e-12);
}

TEST(a_square_is_one_polygon_and_a_cross_five_at_most) {
    merging all = merging_make(t, PLOY_MERGE_CORNERS_MAX, true);
    static const ploy_vec2 square[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    static const ploy_vec2 cross[] = {{1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {2, 2},
                                      {2, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}, {1, 1}};
    CHECK_OK(ploy_rings_add(all.rings, square, 4));
    CHECK_OK(ploy_cdt_build_rings(all.cdt, all.rings, PLOY_FILL_NON_ZERO, NULL));
    CHECK_OK(ploy_merge_build(all.merge, all.cdt, all.arena));
    CHECK_INT(ploy_merge_get(all.merge).polygon_count, 1);
    check_merged(t, &all, PLOY_MERGE_CORNERS_MAX, true);
    ploy_segment2 portal;
    CHECK(!ploy_merge_portal(all.merge, 0, 1, &portal));
    CHECK(!ploy_merge_portal(all.merge, -1, 0, &portal));
    CHECK_INT(ployi_merge_polygon_at(all.merge, 7).count, 0);
    ploy_rings_clear(all.rings);
    CHECK_OK(ploy_rings_add(all.rings, cross, 12));
    CHECK_OK(ploy_cdt_build_rings(all.cdt, all.rings, PLOY_FILL_NON_ZERO, NULL));
    CHECK_OK(ploy_merge_build(all.merge, all.cdt, all.arena));
    // The best is 3; four times that is the bound, 5 is what the longest-first order leaves.
    CHECK(ploy_merge_get(all.merge).polygon_count <= 5);
    check_merged(t, &all, PLOY_MERGE_CORNERS_MAX, true);
    ploy_cdt_clear(all.cdt);
    CHECK_OK(ploy_merge_build(all.merge, all.cdt, all.arena));
    CHECK_INT(ploy_merge_get(all.merge).polygon_count, 0);
    merging_free(t, &all);
}

// With all vertices on outlines: reflex corners / 2 + 1 polygons are the least there can be (for a
// ring without holes), and the bound four times the best.
TEST(stars_stay_within_the_bound) {
    merging all = merging_make(t, PLOY_MERGE_CORNERS_MAX, true);
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS];
        ploy_polygon star = test_star(&rng, ploy_vec2_zero(), 10.0f, points);
        if (!ploy_polygon_is_simple(star)) continue;
        if (ploy_polygon_turn(star) < 0) ploy_polygon_reverse(points, star.count);
        ploy_rings_clear(all.rings);
        CHECK_OK(ploy_rings_add(all.rings, points, star.count));
        CHECK_OK(ploy_cdt_build_rings(all.cdt, all.rings, PLOY_FILL_NON_ZERO, NULL));
        CHECK_OK(ploy_merge_build(all.merge, all.cdt, all.arena));
        check_merged(t, &all, PLOY_MERGE_CORNERS_MAX, true);
        int32_t reflex = 0;
        for (int32_t i = 0; i < star.count; i++) {
            reflex += ploy_orient2(points[i], points[(i + 1) % star.count],
                                   points[(i + 2) % star.count]) < 0;
        }
        CHECK(ploy_merge_get(all.merge).polygon_count <= 2 * reflex + 1);
    }
    merging_free(t, &all);
}

TEST(areas_with_holes_walls_and_limits_hold_together) {
    for (int64_t seed = 0; seed < test_rounds(120); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t most = seed % 3 == 0 ? PLOY_MERGE_CORNERS_MAX : ploy_rng_int(&rng, 3, 7);
        bool walls = seed % 2 == 0;
        merging all = merging_make(t, most, walls);
        ploy_vec2 points[TEST_CORNERS];
        for (int32_t i = 0; i < 4; i++) {
            ploy_polygon polygon =
                seed % 4 < 2 ? test_lattice_polygon(&rng, 6, 12, points)
                             : test_star(&rng, test_random_vec2(&rng, 6.0f), 6.0f, points);
            if (polygon.count >= 3) CHECK_OK(ploy_rings_add(all.rings, points, polygon.count));
        }
        CHECK_OK(ploy_rings_boolean(all.rings, NULL, PLOY_BOOLEAN_UNION, PLOY_FILL_EVEN_ODD,
                                    all.arena, all.rings));
        CHECK_OK(ploy_cdt_build_rings(all.cdt, all.rings, PLOY_FILL_NON_ZERO, NULL));
        // Points within, and walls between some of them where they fit.
        int32_t last = -1;
        for (int32_t i = 0; i < 10; i++) {
            int32_t vertex;
            CHECK_OK(ploy_cdt_insert_point(all.cdt, test_lattice_vec2(&rng, 5), &vertex));
            if (last >= 0 && i % 3 == 0) (void)ploy_cdt_insert_edge(all.cdt, last, vertex, NULL);
            last = vertex;
        }
        CHECK_OK(ploy_merge_build(all.merge, all.cdt, all.arena));
        check_merged(t, &all, most, walls);
        merging_free(t, &all);
    }
}

static ploy_result merge_body(const ploy_env *env, void *arg) {
    test_context *t = arg;
    static const ploy_vec2 ell[] = {{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 4}, {0, 4}};
    merging all = {NULL, NULL, NULL, NULL};
    ploy_cdt_def cdt_def = ploy_cdt_def_default();
    ploy_merge_def def = ploy_merge_def_default();
    ploy_result result = ploy_rings_create(env, &all.rings);
    if (result == PLOY_OK) result = ploy_cdt_create(&cdt_def, env, &all.cdt);
    if (result == PLOY_OK) result = ploy_merge_create(&def, env, &all.merge);
    if (result == PLOY_OK) result = ploy_arena_create(64, 0, env, &all.arena);
    if (result == PLOY_OK) result = ploy_rings_add(all.rings, ell, 6);
    if (result == PLOY_OK) {
        result = ploy_cdt_build_rings(all.cdt, all.rings, PLOY_FILL_NON_ZERO, NULL);
    }
    if (result == PLOY_OK) {
        result = ploy_merge_build(all.merge, all.cdt, all.arena);
        CHECK(result == PLOY_OK || ploy_merge_get(all.merge).polygon_count == 0);
    }
    if (result == PLOY_OK) {
        int64_t bytes = 0;
        ploy_rings_memory(all.rings, test_sum_memory, &bytes);
        ploy_cdt_memory(all.cdt, test_sum_memory, &bytes);
        ploy_merge_memory(all.merge, test_sum_memory, &bytes);
        ploy_arena_memory(all.arena, test_sum_memory, &bytes);
        result = test_reported(env, bytes, "rings, triangulation, merge and arena");
    }
    ploy_rings_destroy(all.rings);
    ploy_cdt_destroy(all.cdt);
    ploy_merge_destroy(all.merge);
    ploy_arena_destroy(all.arena);
    return result;
}

TEST(merge_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(merge_body, t);
}

TEST(merge_refuses_settings_out_of_range) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_merge *merge = NULL;
    ploy_merge_def def = ploy_merge_def_default();
    def.max_corners = 2;
    CHECK_INT(ploy_merge_create(&def, &env, &merge), PLOY_ERR_ARGUMENT);
    CHECK(merge == NULL);
    CHECK_OK(ploy_fields_check_table(ploy_merge_fields(), NULL));
}
