// Hull, circle and box around points, against trying everything.
#include "tests/geom/polygon_test.h"

#include "ploy/geom/hull.h"
#include "ploy/geom/predicates.h"

enum { HULL_POINTS = 40 };

static int32_t hull_points(ploy_rng *rng, ploy_vec2 *points, int32_t most) {
    int32_t count = ploy_rng_int(rng, 1, most), kind = ploy_rng_int(rng, 0, 4);
    for (int32_t i = 0; i < count; i++) {
        if (kind == 0) points[i] = test_lattice_vec2(rng, 2);
        if (kind == 1) points[i] = test_random_vec2(rng, 1e9f);
        if (kind == 2) points[i] = test_random_vec2(rng, 1e-3f);
        if (kind == 3) { // far out, on a line but for the last bit
            float x = ploy_rng_range(rng, 1000, 1001);
            points[i] = ploy_vec2_make(x, ploy_rng_chance(rng, 0.5f) ? x : nextafterf(x, 0));
        }
        if (kind == 4) points[i] = test_random_vec2(rng, 10.0f);
    }
    return count;
}

TEST(the_hull_holds_all_points_and_has_no_corner_too_many) {
    for (int64_t seed = 0; seed < test_rounds(4000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[HULL_POINTS], hull[HULL_POINTS], again[HULL_POINTS];
        int32_t count = hull_points(&rng, points, HULL_POINTS);
        int32_t corners = ploy_hull2(points, count, hull);
        CHECK(corners >= 1 && corners <= count);
        ploy_polygon polygon = ploy_polygon_make(hull, corners);
        for (int32_t i = 0; i < count; i++) CHECK(ploy_polygon_contains(polygon, points[i]));
        if (corners >= 3) CHECK(ploy_polygon_is_convex(polygon));
        for (int32_t i = 0; i < corners; i++) {
            bool given = false;
            for (int32_t k = 0; k < count; k++) given |= ploy_vec2_equal(hull[i], points[k]);
            CHECK(given);
            if (corners >= 3) {
                CHECK_INT(ploy_orient2(hull[i], hull[(i + 1) % corners], hull[(i + 2) % corners]),
                          1);
            }
            CHECK(i == 0 || hull[0].x < hull[i].x ||
                  (hull[0].x == hull[i].x && hull[0].y < hull[i].y));
        }
        ploy_rng_shuffle(&rng, points, count, sizeof *points); // the order changes no bit
        CHECK_INT(ploy_hull2(points, count, again), corners);
        CHECK_BYTES(again, hull, (size_t)corners * sizeof *hull);
        CHECK_INT(ploy_hull2(points, count, points), corners); // in place
        CHECK_BYTES(points, hull, (size_t)corners * sizeof *hull);
    }
}

TEST(hulls_of_little) {
    const ploy_vec2 points[] = {{NAN, 0}, {3, 3}, {1, 1}, {-0.0f, 0}, {INFINITY, 2}, {2, 2}};
    ploy_vec2 out[6];
    CHECK_INT(ploy_hull2(points, 0, out), 0);
    CHECK_INT(ploy_hull2(points, 1, out), 0);
    CHECK_INT(ploy_hull2(points, 2, out), 1);
    CHECK_INT(ploy_hull2(points, 6, out), 2);
    CHECK_VEC2(out[0], 0, 0, 0);
    CHECK(!signbit(out[0].x));
    CHECK_VEC2(out[1], 3, 3, 0);
    const ploy_vec2 one[] = {{1, 1}, {1, 1}, {1, 1}};
    CHECK_INT(ploy_hull2(one, 3, out), 1);
}

static void circle_try(const ploy_vec2 *points, int32_t count, double x, double y, double *best) {
    double most = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double dx = (double)points[i].x - x, dy = (double)points[i].y - y;
        most = fmax(most, sqrt(dx * dx + dy * dy));
    }
    if (most < *best) *best = most;
}

// The least radius of the circles on any two points and through any three, each as large as it must
// be to hold all.
static double circle_slow(const ploy_vec2 *p, int32_t n) {
    double best = INFINITY;
    circle_try(p, n, (double)p[0].x, (double)p[0].y, &best);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t k = i + 1; k < n; k++) {
            circle_try(p, n, ((double)p[i].x + (double)p[k].x) / 2,
                       ((double)p[i].y + (double)p[k].y) / 2, &best);
            for (int32_t m = k + 1; m < n; m++) {
                double bx = (double)p[k].x - (double)p[i].x, by = (double)p[k].y - (double)p[i].y;
                double cx = (double)p[m].x - (double)p[i].x, cy = (double)p[m].y - (double)p[i].y;
                double d = 2 * (bx * cy - by * cx), b = bx * bx + by * by, c = cx * cx + cy * cy;
                if (d == 0.0) continue;
                circle_try(p, n, (double)p[i].x + (cy * b - by * c) / d,
                           (double)p[i].y + (bx * c - cx * b) / d, &best);
            }
        }
    }
    return best;
}

TEST(the_circle_holds_all_points_and_is_the_smallest) {
    for (int64_t seed = 0; seed < test_rounds(3000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[HULL_POINTS];
        int32_t count = hull_points(&rng, points, 12);
        ploy_circle circle = ploy_circle_around(points, count);
        double size = 0.0;
        for (int32_t i = 0; i < count; i++) {
            CHECK(ploy_circle_contains(circle, points[i]));
            size = fmax(size, fmax(fabs((double)points[i].x), fabs((double)points[i].y)));
        }
        CHECK_NEAR(circle.radius, circle_slow(points, count), size * 2e-7);
    }
}

TEST(circles_around_many_and_none) {
    ploy_circle none = ploy_circle_around(NULL, 0);
    CHECK_SAME(none.radius, 0);
    const ploy_vec2 bad[] = {{NAN, 0}, {1, 2}};
    ploy_circle one = ploy_circle_around(bad, 2);
    CHECK_VEC2(one.centre, 1, 2, 0);
    CHECK_SAME(one.radius, 0);
    static ploy_vec2 ring[5000]; // many on one circle: the hard case
    for (int32_t i = 0; i < 5000; i++) {
        double sine, cosine;
        ploy_sincos((double)i * 2.399963, &sine, &cosine);
        ring[i] = test_v2(7 + 3 * cosine, -2 + 3 * sine);
    }
    ploy_circle all = ploy_circle_around(ring, 5000);
    CHECK_VEC2(all.centre, 7, -2, 1e-6);
    CHECK_NEAR(all.radius, 3, 1e-6);
}

static ploy_arena *hull_arena(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_arena *arena = NULL;
    CHECK_OK(ploy_arena_create(1024, 0, &env, &arena));
    return arena;
}

TEST(the_turned_box_holds_all_points_and_is_the_smallest) {
    ploy_arena *arena = hull_arena(t);
    for (int64_t seed = 0; seed < test_rounds(3000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 points[HULL_POINTS], hull[HULL_POINTS];
        int32_t count = hull_points(&rng, points, HULL_POINTS);
        ploy_obb2 box;
        CHECK_OK(ploy_obb2_around(points, count, arena, &box));
        double size = 0.0;
        for (int32_t i = 0; i < count; i++) {
            CHECK(ploy_obb2_contains(box, points[i]));
            size = fmax(size, fmax(fabs((double)points[i].x), fabs((double)points[i].y)));
        }
        int32_t corners = ploy_hull2(points, count, hull);
        double least = corners < 3 ? 0.0 : INFINITY;
        for (int32_t i = 0; i < corners && corners >= 3; i++) {
            ploy_vec2 a = hull[i], b = hull[(i + 1) % corners];
            double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y;
            double length = sqrt(x * x + y * y), low = INFINITY, high = -INFINITY, top = 0.0;
            for (int32_t k = 0; k < corners; k++) {
                double u = (double)hull[k].x - (double)a.x, v = (double)hull[k].y - (double)a.y;
                low = fmin(low, (u * x + v * y) / length);
                high = fmax(high, (u * x + v * y) / length);
                top = fmax(top, (v * x - u * y) / length);
            }
            least = fmin(least, (high - low) * top);
        }
        // Rounding centre and axis to floats may widen each side by that share of the coordinates.
        CHECK_NEAR(ploy_obb2_area(box), least, size * size * 2e-6);
    }
    ploy_obb2 none;
    CHECK_OK(ploy_obb2_around(NULL, 0, arena, &none));
    CHECK_SAME(ploy_obb2_area(none), 0);
    CHECK_UINT(ploy_arena_used(arena), 0);
    ploy_arena_destroy(arena);
}

TEST(a_turned_rectangle_is_its_own_box) {
    ploy_arena *arena = hull_arena(t);
    for (int32_t i = 0; i < 100; i++) {
        float sine, cosine;
        ploy_sincosf((float)i * 0.1f, &sine, &cosine);
        ploy_obb2 given =
            ploy_obb2_make(test_v2(3, 4), ploy_vec2_make(cosine, sine), test_v2(5, 2));
        ploy_vec2 corners[4];
        ploy_obb2_corners(given, corners);
        ploy_obb2 box;
        CHECK_OK(ploy_obb2_around(corners, 4, arena, &box));
        CHECK_VEC2(box.centre, 3, 4, 1e-5);
        CHECK_NEAR(ploy_obb2_area(box), 40, 1e-4);
    }
    ploy_arena_destroy(arena);
}

static ploy_result obb_body(const ploy_env *env, void *arg) {
    (void)arg;
    static const ploy_vec2 box[] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    ploy_arena *arena = NULL;
    ploy_result result = ploy_arena_create(0, 0, env, &arena);
    if (result != PLOY_OK) return result;
    ploy_obb2 out;
    result = ploy_obb2_around(box, 4, arena, &out);
    ploy_arena_destroy(arena);
    return result;
}

TEST(obb_around_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(obb_body, NULL);
}
