// Simpler outlines: what is left out stays near, what was simple stays simple.
#include "geom/geom_internal.h"
#include "tests/geom/polygon_test.h"

#include "ploy/geom/simplify.h"

static ploy_arena *arena_make(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(0, 0, &env, &arena));
    return arena;
}

// A thin band that wavers: simple, and easily crossed by its own shortcuts.
static ploy_polygon test_band(ploy_rng *rng, ploy_vec2 *points) {
    int32_t half = TEST_CORNERS / 2;
    for (int32_t i = 0; i < half; i++) {
        float y = ploy_rng_range(rng, -3, 3);
        points[i] = ploy_vec2_make((float)i, y - 0.1f);
        points[TEST_CORNERS - 1 - i] = ploy_vec2_make((float)i, y + 0.1f);
    }
    return ploy_polygon_make(points, TEST_CORNERS);
}

TEST(straight_corners_are_dropped) {
    ploy_vec2 box[] = {{1, 0}, {2, 0}, {2, 0}, {2, 1}, {2, 2}, {2, 3},
                       {2, 2}, {1, 2}, {0, 2}, {0, 0}, {0, 0}};
    CHECK_INT(ployi_polygon_drop_straight(box, 11), 4);
    CHECK_SAME(ploy_polygon_area(ploy_polygon_make(box, 4)), 4);
    ploy_vec2 flat[] = {{0, 0}, {1, 1}, {3, 3}, {2, 2}};
    CHECK_INT(ployi_polygon_drop_straight(flat, 4), 0);
    CHECK_INT(ployi_polygon_drop_straight(flat, 0), 0);
    CHECK_INT(ployi_polygon_drop_straight(flat, 1), 0);
}

TEST(dropping_straight_corners_keeps_the_inside) {
    for (int64_t seed = 0; seed < test_rounds(6000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS], less[TEST_CORNERS];
        ploy_polygon polygon = test_lattice_polygon(&rng, ploy_rng_int(&rng, 1, 3), 12, points);
        memcpy(less, points, sizeof less);
        ploy_polygon simpler =
            ploy_polygon_make(less, ployi_polygon_drop_straight(less, polygon.count));
        CHECK_SAME(ploy_polygon_signed_area(simpler), ploy_polygon_signed_area(polygon));
        for (int32_t i = 0; i < simpler.count; i++) { // nothing straight is left
            CHECK(test_cross(less[i], less[(i + 1) % simpler.count],
                             less[(i + 2) % simpler.count]) != 0);
        }
        for (int32_t i = 0; i < 6; i++) {
            ploy_vec2 point = test_lattice_vec2(&rng, 3);
            ploy_location was = ploy_polygon_locate(polygon, point);
            if (was == PLOY_LOCATION_ON) continue; // perhaps on a spike that is gone
            CHECK_INT(ploy_polygon_locate(simpler, point), was);
            CHECK_INT(ployi_polygon_winding(simpler, point), ployi_polygon_winding(polygon, point));
        }
    }
}

TEST(corners_left_out_lie_near_the_edge_that_replaces_them) {
    ploy_arena *arena = arena_make(t);
    int64_t dropped = 0, tangled = 0;
    for (int64_t seed = 0; seed < test_rounds(3000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS], out[TEST_CORNERS];
        ploy_polygon star = test_star(&rng, ploy_vec2_zero(), 10.0f, points);
        if (seed % 4 == 0) star = test_lattice_polygon(&rng, 4, 9, points);
        if (seed % 4 == 2) star = test_band(&rng, points);
        float tolerance = ploy_rng_range(&rng, 0.0f, 6.0f);
        bool was_simple = ploy_polygon_is_simple(star);
        for (int32_t keep_simple = 0; keep_simple < 2; keep_simple++) {
            int32_t count = -1;
            CHECK_OK(ploy_polygon_simplify(star, tolerance, keep_simple == 1, arena, out, &count));
            CHECK(count >= 1 && count <= star.count);
            if (ploy_polygon_turn(star) != 0) CHECK(count >= 3);
            bool simple = ploy_polygon_is_simple(ploy_polygon_make(out, count));
            if (keep_simple == 1 && was_simple) CHECK(simple);
            tangled += keep_simple == 0 && was_simple && !simple;
            // Each kept corner is found in order, and what lies between is near.
            int32_t at = 0;
            CHECK_VEC2(out[0], points[0].x, points[0].y, 0);
            for (int32_t k = 0; k < count; k++) {
                ploy_segment2 edge = ploy_polygon_edge(ploy_polygon_make(out, count), k);
                int32_t next = at + 1;
                if (k + 1 < count) {
                    while (next < star.count && !ploy_vec2_equal(points[next], edge.to)) next++;
                    CHECK(next < star.count);
                } else {
                    next = star.count;
                }
                for (int32_t i = at + 1; i < next && seed % 4 != 0; i++) {
                    CHECK(ploy_segment2_distance(edge, points[i]) <= tolerance * 1.00001f + 1e-6f);
                    dropped++;
                }
                at = next;
            }
        }
    }
    CHECK(dropped > 1000 && tangled > 10); // or nothing was put to the test
    CHECK_UINT(ploy_arena_used(arena), 0);
    ploy_arena_destroy(arena);
}

TEST(simplifying_in_place_gives_the_same) {
    ploy_arena *arena = arena_make(t);
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[TEST_CORNERS], out[TEST_CORNERS];
        ploy_polygon star = test_star(&rng, ploy_vec2_zero(), 10.0f, points);
        int32_t count, again;
        CHECK_OK(ploy_polygon_simplify(star, 2.0f, true, arena, out, &count));
        CHECK_OK(ploy_polygon_simplify(star, 2.0f, true, arena, points, &again));
        CHECK_INT(again, count);
        CHECK_BYTES(points, out, (size_t)count * sizeof *out);
    }
    ploy_arena_destroy(arena);
}

TEST(simplify_refuses_bad_tolerances) {
    static const ploy_vec2 box[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    ploy_arena *arena = arena_make(t);
    ploy_vec2 out[4];
    int32_t count = -7;
    ploy_polygon polygon = ploy_polygon_make(box, 4);
    CHECK_INT(ploy_polygon_simplify(polygon, -1, true, arena, out, &count), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_polygon_simplify(polygon, NAN, true, arena, out, &count), PLOY_ERR_ARGUMENT);
    CHECK_INT(count, -7);
    CHECK_OK(ploy_polygon_simplify(polygon, INFINITY, true, arena, out, &count));
    CHECK_INT(count, 3);
    CHECK_OK(ploy_polygon_simplify(ploy_polygon_make(NULL, 0), 1, true, arena, out, &count));
    CHECK_INT(count, 0);
    ploy_arena_destroy(arena);
}

static ploy_result simplify_body(const ploy_env *env, void *arg) {
    (void)arg;
    static const ploy_vec2 box[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    ploy_arena *arena = NULL;
    ploy_result result = ploy_arena_create(16, 0, env, &arena);
    if (result != PLOY_OK) return result;
    ploy_vec2 out[4];
    int32_t count;
    result = ploy_polygon_simplify(ploy_polygon_make(box, 4), 0.1f, true, arena, out, &count);
    ploy_arena_destroy(arena);
    return result;
}

TEST(simplify_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(simplify_body, NULL);
}
