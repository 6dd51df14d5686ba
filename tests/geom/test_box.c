#include "tests/geom/geom_test.h"

#include "ploy/geom/box.h"

static ploy_box2 box(double x1, double y1, double x2, double y2) {
    return ploy_box2_make(test_v2(x1, y1), test_v2(x2, y2));
}

static double slow_distance(ploy_box2 b, double x, double y) {
    double dx = fmax(fmax((double)b.min.x - x, x - (double)b.max.x), 0);
    double dy = fmax(fmax((double)b.min.y - y, y - (double)b.max.y), 0);
    return hypot(dx, dy);
}

// Any two corners make the same box; with y down nothing changes.
TEST(boxes_are_made_of_any_two_corners) {
    ploy_box2 a = box(4, 1, -2, 3);
    CHECK_VEC2(a.min, -2, 1, 0);
    CHECK_VEC2(a.max, 4, 3, 0);
    CHECK_VEC2(ploy_box2_centre(a), 1, 2, 0);
    ploy_box3 b = ploy_box3_make(test_v3(4, 1, 9), test_v3(-2, 3, 5));
    CHECK_VEC3(b.min, -2, 1, 5, 0);
    CHECK_VEC3(b.max, 4, 3, 9, 0);
    CHECK_VEC3(ploy_box3_centre(b), 1, 2, 7, 0);
}

// MTH-11: axis-aligned box overlap.
TEST(boxes_overlap_when_they_share_a_point) {
    static const struct {
        const char *row;
        double a[4], b[4];
        bool want;
    } rows[] = {
        {"apart in x", {0, 0, 1, 1}, {2, 0, 3, 1}, false},
        {"apart in y", {0, 0, 1, 1}, {0, 2, 1, 3}, false},
        {"touching", {0, 0, 1, 1}, {1, 0, 3, 1}, true},
        {"touching at a corner", {0, 0, 1, 1}, {1, 1, 3, 3}, true},
        {"inside", {0, 0, 9, 9}, {2, 2, 3, 3}, true},
        {"crossing", {0, 4, 9, 5}, {4, 0, 5, 9}, true},
        {"flat", {0, 0, 0, 9}, {-1, 3, 1, 3}, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        const double *a = rows[i].a, *b = rows[i].b;
        ploy_box2 first = box(a[0], a[1], a[2], a[3]), second = box(b[0], b[1], b[2], b[3]);
        CHECK(ploy_box2_overlaps(first, second) == rows[i].want);
        CHECK(ploy_box2_overlaps(second, first) == rows[i].want);
        ploy_box3 high = {{first.min.x, first.min.y, 0}, {first.max.x, first.max.y, 1}};
        ploy_box3 low = {{second.min.x, second.min.y, 1}, {second.max.x, second.max.y, 2}};
        CHECK(ploy_box3_overlaps(high, low) == rows[i].want);
        CHECK(ploy_box3_overlaps(low, high) == rows[i].want);
        low.min.z = 1.5f;
        CHECK(!ploy_box3_overlaps(high, low));
    }
}

TEST(the_empty_box_holds_touches_and_adds_nothing) {
    ploy_box2 none = ploy_box2_empty(), some = box(0, 0, 2, 2);
    CHECK(ploy_box2_is_empty(none) && !ploy_box2_is_empty(some));
    ploy_box2 narrow = {{1, 0}, {0, 5}}; // the wrong way round in one part only
    CHECK(ploy_box2_is_empty(narrow) && !ploy_box2_overlaps(narrow, some));
    CHECK(!ploy_box2_contains(none, test_v2(0, 0)));
    CHECK(!ploy_box2_overlaps(none, some) && !ploy_box2_overlaps(some, none));
    CHECK(!ploy_box2_overlaps_circle(none, ploy_circle_make(test_v2(0, 0), 1e9f)));
    CHECK_VEC2(ploy_box2_merge(none, some).max, 2, 2, 0);
    CHECK_VEC2(ploy_box2_merge(some, none).min, 0, 0, 0);
    CHECK(ploy_box2_is_empty(ploy_box2_grow(none, 5)));
    CHECK(ploy_box2_is_empty(ploy_box2_grow(some, -1.5f)));
    CHECK(!ploy_box2_is_empty(ploy_box2_grow(some, -1)));
    CHECK(!ploy_ray2_hit_box(ploy_ray2_make(test_v2(0, 0), test_v2(1, 0)), none, NULL));
    CHECK(!ploy_sweep_hit_box(ploy_sweep_between(test_v2(0, 0), test_v2(1, 0), 1), none, NULL));
    CHECK_VEC2(ploy_box2_closest(none, test_v2(3, 4)), 3, 4, 0);
    CHECK(ploy_box2_is_empty(ploy_box2_around(NULL, 0)));
    ploy_box3 none3 = ploy_box3_empty();
    CHECK(ploy_box3_is_empty(none3) && !ploy_box3_contains(none3, test_v3(0, 0, 0)));
    CHECK(ploy_box3_is_empty(ploy_box3_grow(none3, 1)) &&
          ploy_box3_is_empty(ploy_box3_around(NULL, 0)));
    CHECK(!ploy_ray3_hit_box(ploy_ray3_make(test_v3(0, 0, 0), test_v3(1, 0, 0)), none3, NULL));
    CHECK_SAME(ploy_box3_distance_sq(none3, test_v3(0, 0, 0)), 0);
}

TEST(boxes_are_put_around_things) {
    ploy_vec2 p[3] = {{1, 5}, {-2, 3}, {0, 9}};
    ploy_box2 around = ploy_box2_around(p, 3);
    CHECK_VEC2(around.min, -2, 3, 0);
    CHECK_VEC2(around.max, 1, 9, 0);
    CHECK_VEC2(ploy_box2_of_circle(ploy_circle_make(test_v2(1, 2), 3)).min, -2, -1, 0);
    ploy_segment2 s = {{5, 1}, {2, 7}};
    CHECK_VEC2(ploy_box2_of_segment(s).min, 2, 1, 0);
    CHECK_VEC2(ploy_box2_grow(around, 1).max, 2, 10, 0);
    CHECK_VEC2(ploy_box2_merge(around, box(8, 8, 9, 8)).max, 9, 9, 0);
    ploy_vec3 q[2] = {{1, 5, 2}, {-2, 3, 8}};
    CHECK_VEC3(ploy_box3_around(q, 2).max, 1, 5, 8, 0);
    CHECK_VEC3(ploy_box3_merge(ploy_box3_around(q, 1), ploy_box3_around(q + 1, 1)).min, -2, 3, 2,
               0);
    CHECK_VEC3(ploy_box3_grow(ploy_box3_around(q, 2), 1).min, -3, 2, 1, 0);
}

TEST(the_nearest_point_of_a_box_is_the_clamped_one) {
    ploy_box2 b = box(0, 0, 4, 2);
    CHECK_VEC2(ploy_box2_closest(b, test_v2(7, 6)), 4, 2, 0);
    CHECK_SAME(ploy_box2_distance_sq(b, test_v2(7, 6)), 25);
    CHECK_VEC2(ploy_box2_closest(b, test_v2(1, 1)), 1, 1, 0);
    CHECK_SAME(ploy_box2_distance_sq(b, test_v2(1, 1)), 0);
    CHECK(ploy_box2_overlaps_circle(b, ploy_circle_make(test_v2(7, 6), 5)));
    CHECK(!ploy_box2_overlaps_circle(b, ploy_circle_make(test_v2(7, 6), 4.999f)));
    CHECK(!ploy_box2_overlaps_circle(b, ploy_circle_make(test_v2(NAN, 1), 5)));
    ploy_box3 c = ploy_box3_make(test_v3(0, 0, 0), test_v3(1, 1, 1));
    CHECK_VEC3(ploy_box3_closest(c, test_v3(2, 0.5, -1)), 1, 0.5, 0, 0);
    CHECK_SAME(ploy_box3_distance_sq(c, test_v3(2, 0.5, -2)), 5);
}

TEST(a_ray_enters_a_box_through_its_near_face) {
    ploy_hit2 hit;
    ploy_box2 b = box(2, -1, 4, 1);
    ploy_ray2 ray = ploy_ray2_make(test_v2(0, 0), test_v2(1, 0));
    CHECK(ploy_ray2_hit_box(ray, b, &hit));
    CHECK_SAME(hit.distance, 2);
    CHECK_VEC2(hit.point, 2, 0, 0);
    CHECK_VEC2(hit.normal, -1, 0, 0);
    CHECK(ploy_ray2_hit_box(ploy_ray2_make(test_v2(3, 5), test_v2(0, -2)), b, &hit));
    CHECK_SAME(hit.distance, 4);
    CHECK_VEC2(hit.normal, 0, 1, 0);
    CHECK(!ploy_ray2_hit_box(ploy_ray2_make(test_v2(5, 0), test_v2(1, 0)), b, NULL)); // behind
    CHECK(!ploy_ray2_hit_box(ploy_ray2_make(test_v2(0, 2), test_v2(1, 0)), b, NULL)); // beside
    CHECK(!ploy_ray2_hit_box(ploy_ray2_make(test_v2(0, 1), test_v2(1, 0)), b, NULL)); // sliding
    CHECK(!ploy_ray2_hit_box(ploy_ray2_make(test_v2(4, 0), test_v2(1, 0)), b, NULL)); // leaving
    CHECK(ploy_ray2_hit_box(ploy_ray2_make(test_v2(2, 0), test_v2(1, 0)), b, &hit));  // entering
    CHECK_SAME(hit.distance, 0);
    CHECK(!hit.inside);
    CHECK(ploy_ray2_hit_box(ploy_ray2_make(test_v2(3.5, 0), test_v2(-1, 0)), b, &hit));
    CHECK(hit.inside);
    CHECK_VEC2(hit.normal, 1, 0, 0);
    CHECK_VEC2(hit.point, 4, 0, 0);
    ray.length = 1.9f;
    CHECK(!ploy_ray2_hit_box(ray, b, NULL));
    CHECK(!ploy_ray2_hit_box(ploy_ray2_make(test_v2(NAN, 0), test_v2(1, 0)), b, NULL));
    CHECK(ploy_ray2_hit_box(ploy_ray2_make(test_v2(0, 0), test_v2(1, 0)), box(3, 0, 5, 0), &hit));
    CHECK_SAME(hit.distance, 3); // a flat box, end on
    ploy_hit3 hit3;
    ploy_box3 c = ploy_box3_make(test_v3(2, -1, -1), test_v3(4, 1, 1));
    CHECK(ploy_ray3_hit_box(ploy_ray3_make(test_v3(3, 0, 9), test_v3(0, 0, -1)), c, &hit3));
    CHECK_SAME(hit3.distance, 8);
    CHECK_VEC3(hit3.normal, 0, 0, 1, 0);
    CHECK(ploy_ray3_hit_box(ploy_ray3_make(test_v3(3, 0, 0.9), test_v3(0, 1, 0)), c, &hit3));
    CHECK(hit3.inside);
    CHECK_VEC3(hit3.normal, 0, 0, 1, 0);
}

TEST(a_box_that_is_missed_writes_nothing) {
    ploy_hit2 hit = {7, {7, 7}, {7, 7}, true}, before = hit;
    ploy_hit3 hit3 = {7, {7, 7, 7}, {7, 7, 7}, true}, before3 = hit3;
    ploy_sweep sweep = ploy_sweep_between(test_v2(0, 0), test_v2(20, 0), 1);
    CHECK(!ploy_ray2_hit_box(sweep.ray, box(5, 5, 9, 9), &hit));
    CHECK(!ploy_sweep_hit_box(sweep, box(5, 5, 9, 9), &hit));
    ploy_box3 high = ploy_box3_make(test_v3(5, -1, 5), test_v3(9, 1, 9));
    CHECK(!ploy_ray3_hit_box(ploy_ray3_make(test_v3(0, 0, 0), test_v3(1, 0, 0)), high, &hit3));
    CHECK_BYTES(&hit, &before, offsetof(ploy_hit2, inside) + 1); // not the padding
    CHECK_BYTES(&hit3, &before3, offsetof(ploy_hit3, inside) + 1);
}

TEST(rays_agree_with_a_walk_through_the_box) {
    for (uint64_t seed = 0; seed < 4000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_box3 b = ploy_box3_make(test_random_vec3(&rng, 10), test_random_vec3(&rng, 10));
        ploy_vec3 from = test_random_vec3(&rng, 15), to = test_random_vec3(&rng, 15);
        if (seed % 4 == 0) to.y = from.y; // along a face
        ploy_ray3 ray = ploy_ray3_between(from, to);
        ploy_hit3 hit;
        bool met = ploy_ray3_hit_box(ray, b, &hit);
        // The walk: which parts of the way are inside?
        float first = -1;
        for (int32_t i = 0; i <= 400; i++) {
            float at = ray.length * (float)i / 400;
            if (ploy_box3_contains(b, ploy_ray3_at(ray, at))) {
                first = at;
                break;
            }
        }
        if (first >= 0) {
            CHECK(met);
            CHECK(hit.distance <= first + 1e-4f);
            CHECK(first - hit.distance <= ray.length / 400 + 1e-4f);
        } else if (met) {
            // Cut a corner between two samples: then the box is nearly touched there.
            CHECK(ploy_box3_distance_sq(b, hit.point) < 1e-8f);
        }
        if (!met) continue;
        CHECK(hit.inside == ploy_box3_contains(b, from));
        if (!hit.inside) CHECK(ploy_vec3_dot(hit.normal, ray.direction) < 0);
        // The plane's answer for the same box without depth.
        ploy_box2 flat = {ploy_vec2_from_vec3(b.min), ploy_vec2_from_vec3(b.max)};
        ploy_ray2 low = ploy_ray2_between(ploy_vec2_from_vec3(from), ploy_vec2_from_vec3(to));
        ploy_hit2 hit2;
        CHECK(ploy_ray2_hit_box(low, flat, &hit2));
        CHECK_NEAR(ploy_box2_distance_sq(flat, hit2.point), 0, 1e-6);
    }
}

TEST(a_moving_circle_rounds_the_corners_of_a_box) {
    ploy_hit2 hit;
    ploy_box2 b = box(10, -5, 20, 5);
    CHECK(ploy_sweep_hit_box(ploy_sweep_between(test_v2(0, 0), test_v2(30, 0), 2), b, &hit));
    CHECK_SAME(hit.distance, 8);
    CHECK_VEC2(hit.normal, -1, 0, 0);
    CHECK(ploy_sweep_hit_box(ploy_sweep_between(test_v2(0, 6), test_v2(30, 6), 2), b, &hit));
    CHECK_NEAR(hit.distance, 10 - sqrt(3.0), 1e-6);
    CHECK_VEC2(hit.point, 10, 5, 1e-6);
    CHECK(ploy_sweep_hit_box(ploy_sweep_between(test_v2(0, 0), test_v2(30, 0), 0), b, &hit));
    CHECK_SAME(hit.distance, 10);
    CHECK(ploy_sweep_hit_box(ploy_sweep_between(test_v2(12, 0), test_v2(30, 0), 1), b, &hit));
    CHECK(hit.inside);
    CHECK_VEC2(hit.normal, -1, 0, 0);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_box2 c = ploy_box2_make(test_random_vec2(&rng, 8), test_random_vec2(&rng, 8));
        ploy_vec2 from = test_random_vec2(&rng, 15), to = test_random_vec2(&rng, 15);
        float radius = ploy_rng_range(&rng, 0.01f, 3);
        ploy_sweep sweep = ploy_sweep_between(from, to, radius);
        bool met = ploy_sweep_hit_box(sweep, c, &hit);
        // The way is free up to the hit, and nowhere nearer than the radius if there is none.
        double start = slow_distance(c, (double)from.x, (double)from.y);
        if (fabs(start - (double)radius) < 1e-5) continue;
        CHECK((met && hit.inside) == (start < (double)radius));
        if (met && hit.inside) continue;
        float end = met ? hit.distance : sweep.ray.length;
        for (int32_t i = 0; i <= 200; i++) {
            ploy_vec2 at = ploy_ray2_at(sweep.ray, end * (float)i / 200);
            CHECK(slow_distance(c, (double)at.x, (double)at.y) >= (double)radius - 1e-3);
        }
        if (!met) continue;
        ploy_vec2 at = ploy_ray2_at(sweep.ray, end);
        CHECK_NEAR(slow_distance(c, (double)at.x, (double)at.y), radius, 1e-4);
    }
}
