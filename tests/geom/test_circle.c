#include "tests/geom/geom_test.h"

#include "ploy/geom/angle.h"
#include "ploy/geom/circle.h"

static ploy_circle circle(double x, double y, double radius) {
    return ploy_circle_make(test_v2(x, y), (float)radius);
}

// From a point to a segment, in double.
static double slow_distance(ploy_segment2 s, double x, double y) {
    double fx = (double)s.from.x, fy = (double)s.from.y;
    double ex = (double)s.to.x - fx, ey = (double)s.to.y - fy, square = ex * ex + ey * ey;
    double at = square > 0 ? ((x - fx) * ex + (y - fy) * ey) / square : 0;
    at = at < 0 ? 0 : (at > 1 ? 1 : at);
    return hypot(x - fx - ex * at, y - fy - ey * at);
}

// The distance to a segment is a convex function of the place on a ray: its least value by thirds,
// then the place where it first falls to the radius by halves. -1: never.
static double slow_sweep(ploy_ray2 ray, ploy_segment2 s, double radius, double length,
                         double *least) {
    double low = 0, high = length, x = (double)ray.origin.x, y = (double)ray.origin.y;
    double dx = (double)ray.direction.x, dy = (double)ray.direction.y;
    for (int32_t i = 0; i < 200; i++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (slow_distance(s, x + dx * a, y + dy * a) <= slow_distance(s, x + dx * b, y + dy * b)) {
            high = b;
        } else {
            low = a;
        }
    }
    *least = slow_distance(s, x + dx * low, y + dy * low);
    if (slow_distance(s, x, y) <= radius) return 0;
    if (*least > radius) return -1;
    double near_end = 0, far_end = low;
    for (int32_t i = 0; i < 100; i++) {
        double middle = (near_end + far_end) / 2;
        if (slow_distance(s, x + dx * middle, y + dy * middle) > radius) {
            near_end = middle;
        } else {
            far_end = middle;
        }
    }
    return far_end;
}

// MTH-11
TEST(tangent_points_from_the_origin) {
    ploy_vec2 p[2];
    CHECK_INT(ploy_circle_tangents(circle(10, 0, 6), test_v2(0, 0), p), 2);
    CHECK_VEC2(p[0], 6.4, -4.8, 1e-6); // left of the way from the centre to the point
    CHECK_VEC2(p[1], 6.4, 4.8, 1e-6);
    CHECK_INT(ploy_circle_tangents(circle(10, 0, 6), test_v2(4, 0), p), 0);  // on it
    CHECK_INT(ploy_circle_tangents(circle(10, 0, 6), test_v2(10, 1), p), 0); // in it
    CHECK_INT(ploy_circle_tangents(circle(10, 0, 6), test_v2(NAN, 1), p), 0);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_circle c = {test_random_vec2(&rng, 100), ploy_rng_range(&rng, 0.1f, 30)};
        ploy_vec2 from = test_random_vec2(&rng, 100);
        int32_t count = ploy_circle_tangents(c, from, p);
        CHECK_INT(count, ploy_vec2_distance(from, c.centre) > c.radius ? 2 : 0);
        for (int32_t i = 0; i < count; i++) {
            ploy_vec2 spoke = ploy_vec2_sub(p[i], c.centre), line = ploy_vec2_sub(from, p[i]);
            CHECK_NEAR(ploy_vec2_length(spoke), c.radius, 3e-5);
            float size = ploy_vec2_length(spoke) * ploy_vec2_length(line);
            if (ploy_vec2_length(line) > 0.1f)
                CHECK_NEAR(ploy_vec2_dot(spoke, line) / size, 0, 1e-3);
        }
    }
}

// MTH-11: x = cx +- sqrt(R^2 - cy^2).
TEST(a_circle_crosses_the_x_axis_of_a_frame) {
    float x[2] = {9, 9};
    CHECK_INT(ploy_circle_cross_x_axis(circle(7, 3, 5), x), 2);
    CHECK_SAME(x[0], 3);
    CHECK_SAME(x[1], 11);
    CHECK_INT(ploy_circle_cross_x_axis(circle(7, -5, 5), x), 1);
    CHECK_SAME(x[0], 7);
    CHECK_INT(ploy_circle_cross_x_axis(circle(7, 6, 5), x), 0);
    CHECK_INT(ploy_circle_cross_x_axis(circle(7, NAN, 5), x), 0);
    CHECK_INT(ploy_circle_cross_x_axis(circle(7, 0, -5), x), 1);
}

TEST(circles_overlap_when_they_touch) {
    CHECK(ploy_circle_overlaps(circle(0, 0, 2), circle(5, 0, 3)));
    CHECK(!ploy_circle_overlaps(circle(0, 0, 2), circle(5.001, 0, 3)));
    CHECK(ploy_circle_contains(circle(0, 0, 5), test_v2(3, 4)));
    CHECK(!ploy_circle_contains(circle(0, 0, 5), test_v2(3, 4.001)));
    CHECK(!ploy_circle_contains(circle(0, 0, 5), test_v2(NAN, 0)));
    CHECK(ploy_circle_contains(circle(1, 1, -5), test_v2(1, 1)));
    ploy_segment2 s = {{-10, 5}, {10, 5}};
    CHECK(ploy_circle_overlaps_segment(circle(0, 0, 5), s));
    CHECK(!ploy_circle_overlaps_segment(circle(0, 0, 4.999), s));
    CHECK(ploy_circle_overlaps_segment(circle(13, 9, 5), s)); // its end
}

TEST(two_circles_meet_where_both_radii_reach) {
    ploy_vec2 p[2];
    CHECK_INT(ploy_circle_cross_circle(circle(0, 0, 5), circle(8, 0, 5), p), 2);
    CHECK_VEC2(p[0], 4, 3, 1e-6); // left of the way from the first to the second
    CHECK_VEC2(p[1], 4, -3, 1e-6);
    CHECK_INT(ploy_circle_cross_circle(circle(0, 0, 3), circle(8, 0, 5), p), 1);
    CHECK_VEC2(p[0], 3, 0, 1e-6);
    CHECK_INT(ploy_circle_cross_circle(circle(0, 0, 8), circle(3, 0, 5), p), 1);
    CHECK_VEC2(p[0], 8, 0, 1e-6);
    CHECK_INT(ploy_circle_cross_circle(circle(0, 0, 2), circle(8, 0, 5), p), 0);
    CHECK_INT(ploy_circle_cross_circle(circle(0, 0, 9), circle(1, 0, 5), p), 0);
    CHECK_INT(ploy_circle_cross_circle(circle(1, 1, 5), circle(1, 1, 5), p), 0);
    CHECK_INT(ploy_circle_cross_circle(circle(1, NAN, 5), circle(1, 1, 5), p), 0);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_circle a = {test_random_vec2(&rng, 10), ploy_rng_range(&rng, 0, 10)};
        ploy_circle b = {test_random_vec2(&rng, 10), ploy_rng_range(&rng, 0, 10)};
        int32_t count = ploy_circle_cross_circle(a, b, p);
        for (int32_t i = 0; i < count; i++) {
            CHECK_NEAR(ploy_vec2_distance(p[i], a.centre), a.radius, 1e-3);
            CHECK_NEAR(ploy_vec2_distance(p[i], b.centre), b.radius, 1e-3);
        }
        double gap = (double)ploy_vec2_distance(a.centre, b.centre);
        bool meet = gap < (double)a.radius + (double)b.radius &&
                    gap > fabs((double)a.radius - (double)b.radius);
        CHECK((count > 0) == meet);
    }
}

TEST(a_ray_meets_a_circle_at_its_near_edge) {
    ploy_hit2 hit;
    ploy_ray2 ray = ploy_ray2_make(test_v2(0, 3), test_v2(1, 0));
    CHECK(ploy_ray2_hit_circle(ray, circle(10, 0, 5), &hit));
    CHECK_NEAR(hit.distance, 6, 1e-6);
    CHECK_VEC2(hit.point, 6, 3, 1e-6);
    CHECK_VEC2(hit.normal, -0.8, 0.6, 1e-6);
    CHECK(!hit.inside);
    CHECK(!ploy_ray2_hit_circle(ray, circle(10, -2.001, 5), NULL)); // misses
    CHECK(!ploy_ray2_hit_circle(ray, circle(-10, 0, 5), NULL));     // behind
    CHECK(!ploy_ray2_hit_circle(ray, circle(10, -2, 5), NULL));     // bare touch
    CHECK(!ploy_ray2_hit_circle(ray, circle(-5, 3, 5), NULL));      // leaving from touch
    CHECK(ploy_ray2_hit_circle(ray, circle(5, 3, 5), &hit));        // entering from touch
    CHECK_SAME(hit.distance, 0);
    CHECK(ploy_ray2_hit_circle(ray, circle(-1, 3, 5), &hit)); // inside
    CHECK(hit.inside);
    CHECK_SAME(hit.distance, 0);
    CHECK_VEC2(hit.normal, 1, 0, 0);
    CHECK_VEC2(hit.point, 4, 3, 1e-6);
    CHECK(ploy_ray2_hit_circle(ray, circle(0, 3, 5), &hit)); // the very middle: back out
    CHECK_VEC2(hit.normal, -1, 0, 0);
    ray.length = 5.99f;
    CHECK(!ploy_ray2_hit_circle(ray, circle(10, 0, 5), NULL));
    ploy_ray2 still = ploy_ray2_between(test_v2(1, 1), test_v2(1, 1));
    CHECK(ploy_ray2_hit_circle(still, circle(1, 1, 2), &hit));
    CHECK_VEC2(hit.normal, 1, 0, 0);
    CHECK(!ploy_ray2_hit_circle(still, circle(9, 1, 2), &hit));
    CHECK(!ploy_ray2_hit_circle(ray, circle(NAN, 1, 2), &hit));
}

TEST(a_circle_that_is_missed_writes_nothing) {
    ploy_hit2 hit = {7, {7, 7}, {7, 7}, true}, before = hit;
    ploy_segment2 s = {{5, 5}, {9, 5}};
    ploy_sweep sweep = ploy_sweep_between(test_v2(0, 0), test_v2(20, 0), 1);
    CHECK(!ploy_ray2_hit_circle(sweep.ray, circle(9, 9, 1), &hit));
    CHECK(!ploy_sweep_hit_circle(sweep, circle(9, 9, 1), &hit));
    CHECK(!ploy_sweep_hit_capsule(sweep, s, 1, &hit));
    CHECK_BYTES(&hit, &before, offsetof(ploy_hit2, inside) + 1); // not the padding
}

TEST(a_small_circle_far_away_is_not_drowned) {
    // A ball of one metre a thousand kilometres away: the squares differ by one in 1e12.
    ploy_hit2 hit;
    ploy_ray2 ray = ploy_ray2_make(test_v2(0, 0), test_v2(1, 0));
    CHECK(ploy_ray2_hit_circle(ray, circle(1e6, 0.5, 1), &hit));
    CHECK_NEAR(hit.distance, 1e6 - sqrt(0.75), 0.07);
    CHECK_NEAR(hit.normal.y, -0.5, 1e-6);
    CHECK(!ploy_ray2_hit_circle(ray, circle(1e6, 1.01, 1), &hit));
    // So small that its edge and its middle are one: out against the ray.
    CHECK(ploy_ray2_hit_circle(ray, circle(1e9, 0, 1e-9), &hit));
    CHECK_VEC2(hit.normal, -1, 0, 0);
}

TEST(a_moving_circle_stops_where_it_touches_a_wall) {
    ploy_hit2 hit;
    ploy_segment2 wall = {{10, -5}, {10, 5}};
    ploy_sweep sweep = ploy_sweep_between(test_v2(0, 0), test_v2(20, 0), 2);
    CHECK(ploy_sweep_hit_segment(sweep, wall, &hit));
    CHECK_SAME(hit.distance, 8);
    CHECK_VEC2(hit.point, 10, 0, 0);
    CHECK_VEC2(hit.normal, -1, 0, 0);
    sweep = ploy_sweep_between(test_v2(0, 6), test_v2(20, 6), 2); // round the end
    CHECK(ploy_sweep_hit_segment(sweep, wall, &hit));
    CHECK_NEAR(hit.distance, 10 - sqrt(3.0), 1e-6);
    CHECK_VEC2(hit.point, 10, 5, 1e-6);
    CHECK_VEC2(hit.normal, -sqrt(3.0) / 2, 0.5, 1e-6);
    CHECK(!ploy_sweep_hit_segment(ploy_sweep_between(test_v2(0, 7), test_v2(20, 7), 2), wall,
                                  NULL)); // slides past in bare touch
    CHECK(!ploy_sweep_hit_segment(ploy_sweep_between(test_v2(8, -9), test_v2(8, 9), 2), wall,
                                  NULL)); // slides along
    CHECK(ploy_sweep_hit_segment(ploy_sweep_between(test_v2(9, 0), test_v2(0, 0), 2), wall, &hit));
    CHECK(hit.inside);
    CHECK_VEC2(hit.normal, -1, 0, 0);
    CHECK_VEC2(hit.point, 10, 0, 1e-6);
    CHECK(ploy_sweep_hit_segment(ploy_sweep_between(test_v2(10, 1), test_v2(20, 1), 2), wall,
                                 &hit)); // on the wall's own line
    CHECK_VEC2(hit.normal, -1, 0, 0);
    CHECK(ploy_sweep_hit_circle(ploy_sweep_between(test_v2(0, 0), test_v2(20, 0), 2),
                                circle(10, 0, 3), &hit));
    CHECK_SAME(hit.distance, 5);
    CHECK_VEC2(hit.point, 7, 0, 1e-6);
}

TEST(sweeps_agree_with_a_search_along_the_ray) {
    for (uint64_t seed = 0; seed < 6000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        bool lattice = seed % 2 == 0;
        ploy_segment2 s = {lattice ? test_lattice_vec2(&rng, 4) : test_random_vec2(&rng, 10),
                           lattice ? test_lattice_vec2(&rng, 4) : test_random_vec2(&rng, 10)};
        if (seed % 5 == 0) s.to = s.from;
        ploy_vec2 from = lattice ? test_lattice_vec2(&rng, 6) : test_random_vec2(&rng, 15);
        ploy_vec2 to = lattice ? test_lattice_vec2(&rng, 6) : test_random_vec2(&rng, 15);
        float still = seed % 3 == 0 ? 0 : ploy_rng_range(&rng, 0, 2);
        float moving = seed % 3 == 1 ? 0 : ploy_rng_range(&rng, 0.01f, 2);
        ploy_sweep sweep = ploy_sweep_between(from, to, moving);
        double radius = (double)still + (double)moving, least;
        double want = slow_sweep(sweep.ray, s, radius, (double)sweep.ray.length, &least);
        double start = slow_distance(s, (double)from.x, (double)from.y);
        // Bare touch, at the start or on the way, is decided by the last digit.
        if (fabs(least - radius) < 1e-5 || fabs(start - radius) < 1e-5) continue;
        ploy_hit2 hit;
        bool met = ploy_sweep_hit_capsule(sweep, s, still, &hit);
        CHECK(met == (want >= 0));
        if (!met) continue;
        // Nearly grazing, a tiny change of direction moves the place a lot.
        CHECK_NEAR(hit.distance, want, 2e-5 / fmax(sqrt(fmax(radius - least, 1e-6)), 0.05));
        CHECK(hit.inside == (start < radius));
        CHECK_NEAR(ploy_vec2_length(hit.normal), 1, 1e-6);
        if (hit.inside) continue;
        ploy_vec2 centre = ploy_ray2_at(sweep.ray, hit.distance);
        CHECK(ploy_vec2_dot(hit.normal, sweep.ray.direction) <= 1e-5f);
        CHECK_NEAR(slow_distance(s, (double)centre.x, (double)centre.y), radius, 1e-5);
        CHECK_NEAR(slow_distance(s, (double)hit.point.x, (double)hit.point.y), still, 1e-5);
        CHECK_NEAR(ploy_vec2_distance(hit.point, centre), moving, 1e-5);
    }
}

TEST(a_circle_and_a_capsule_of_no_length_are_the_same) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_circle c = {test_random_vec2(&rng, 10), ploy_rng_range(&rng, 0.1f, 4)};
        ploy_segment2 point = {c.centre, c.centre};
        ploy_ray2 ray = ploy_ray2_between(test_random_vec2(&rng, 10), test_random_vec2(&rng, 10));
        ploy_hit2 a = {0}, b = {0};
        CHECK(ploy_ray2_hit_circle(ray, c, &a) == ploy_ray2_hit_capsule(ray, point, c.radius, &b));
        CHECK_BYTES(&a, &b, offsetof(ploy_hit2, inside));
    }
}

TEST(far_huge_and_tiny_circles_give_finite_answers) {
    static const float sizes[] = {1e9f, 1e-9f, 1e-30f};
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        for (uint64_t seed = 0; seed < 1000; seed++) {
            TEST_SEED(seed);
            ploy_rng rng = ploy_rng_make(seed);
            float size = sizes[k];
            ploy_circle c = {test_random_vec2(&rng, size), ploy_rng_range(&rng, 0, size)};
            ploy_circle d = {test_random_vec2(&rng, size), ploy_rng_range(&rng, 0, size)};
            ploy_segment2 s = {test_random_vec2(&rng, size), test_random_vec2(&rng, size)};
            ploy_hit2 hit;
            ploy_vec2 p[2];
            int32_t count = ploy_circle_cross_circle(c, d, p);
            for (int32_t i = 0; i < count; i++) CHECK(ploy_vec2_is_finite(p[i]));
            count = ploy_circle_tangents(c, s.from, p);
            for (int32_t i = 0; i < count; i++) CHECK(ploy_vec2_is_finite(p[i]));
            if (ploy_sweep_hit_capsule(ploy_sweep_between(d.centre, c.centre, c.radius), s,
                                       d.radius, &hit)) {
                CHECK(ploy_is_finite(hit.distance) && ploy_vec2_is_finite(hit.point));
                CHECK(ploy_vec2_is_finite(hit.normal));
            }
        }
    }
}
