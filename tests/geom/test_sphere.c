#include "tests/geom/solid_test.h"

static double sphere_distance(const void *shape, const double at[3]) {
    const ploy_sphere *s = shape;
    double c[3] = {(double)s->centre.x, (double)s->centre.y, (double)s->centre.z};
    return fmax(0, test_distance3(c, at) - fmax(0, (double)s->radius));
}

static double box_distance(const void *shape, const double at[3]) {
    const ploy_box3 *b = shape;
    double on[3] = {fmin(fmax(at[0], (double)b->min.x), (double)b->max.x),
                    fmin(fmax(at[1], (double)b->min.y), (double)b->max.y),
                    fmin(fmax(at[2], (double)b->min.z), (double)b->max.z)};
    return test_distance3(on, at);
}

TEST(points_in_spheres_and_nearest_points) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_sphere s = ploy_sphere_make(test_random_vec3(&rng, 3), ploy_rng_range(&rng, 0, 3));
        ploy_vec3 p = test_random_vec3(&rng, 5);
        double at[3] = {(double)p.x, (double)p.y, (double)p.z};
        double distance = sphere_distance(&s, at);
        CHECK_INT(ploy_sphere_contains(s, p), distance <= 0);
        ploy_vec3 on = ploy_sphere_closest(s, p);
        CHECK_NEAR(ploy_vec3_distance(on, p), distance, 1e-5);
        if (distance == 0) CHECK(ploy_vec3_equal(on, p));
        ploy_box3 box = ploy_box3_of_sphere(s);
        CHECK(ploy_box3_contains(ploy_box3_grow(box, 1e-5f), ploy_sphere_closest(s, p)));
    }
}

TEST(touching_spheres_overlap) {
    ploy_sphere a = ploy_sphere_make(test_v3(0, 0, 0), 2),
                b = ploy_sphere_make(test_v3(3, 4, 0), 3);
    CHECK(ploy_sphere_overlaps(a, b));
    b.centre.x = 3.001f;
    CHECK(!ploy_sphere_overlaps(a, b));
    b.radius = NAN; // a point
    CHECK(!ploy_sphere_overlaps(a, b));
    b.centre = test_v3(0, 0, 2);
    CHECK(ploy_sphere_overlaps(a, b));
    ploy_box3 box = ploy_box3_make(test_v3(3, 4, 0), test_v3(9, 9, 9));
    a.radius = 5;
    CHECK(ploy_sphere_overlaps_box(a, box));
    a.radius = 4.99f;
    CHECK(!ploy_sphere_overlaps_box(a, box));
    CHECK(!ploy_sphere_overlaps_box(a, ploy_box3_empty()));
    ploy_plane3 ground = ploy_plane3_make(test_v3(0, 0, 0), test_v3(0, 0, 1));
    CHECK_INT(ploy_sphere_side(ploy_sphere_make(test_v3(9, 9, 2), 1), ground), 1);
    CHECK_INT(ploy_sphere_side(ploy_sphere_make(test_v3(9, 9, 1), 1), ground), 0);
    CHECK_INT(ploy_sphere_side(ploy_sphere_make(test_v3(9, 9, -2), 1), ground), -1);
}

TEST(what_a_ray_and_a_sweep_tell_of_a_sphere) {
    ploy_sphere s = ploy_sphere_make(test_v3(10, 0, 0), 2);
    ploy_hit3 hit;
    CHECK(ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(0, 0, 0), test_v3(5, 0, 0)), s, &hit));
    CHECK_SAME(hit.distance, 8);
    CHECK_VEC3(hit.point, 8, 0, 0, 0);
    CHECK_VEC3(hit.normal, -1, 0, 0, 0);
    CHECK(!hit.inside);
    ploy_sweep3 sweep = ploy_sweep3_between(test_v3(0, 0, 0), test_v3(20, 0, 0), 1);
    CHECK(ploy_sweep3_hit_sphere(sweep, s, &hit));
    CHECK_SAME(hit.distance, 7);
    CHECK_VEC3(hit.point, 8, 0, 0, 0);
    CHECK(!ploy_sweep3_hit_sphere(ploy_sweep3_between(test_v3(0, 0, 0), test_v3(6.9, 0, 0), 1), s,
                                  NULL));
    // Inside, in the very middle, in bare touch, leaving.
    CHECK(ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(11, 0, 0), test_v3(0, 1, 0)), s, &hit));
    CHECK(hit.inside);
    CHECK_VEC3(hit.normal, 1, 0, 0, 0);
    CHECK_VEC3(hit.point, 12, 0, 0, 0);
    CHECK(ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(10, 0, 0), test_v3(0, 1, 0)), s, &hit));
    CHECK_VEC3(hit.normal, 0, -1, 0, 0);
    CHECK(ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(10, 0, 0), test_v3(0, 0, 0)), s, &hit));
    CHECK_VEC3(hit.normal, 0, 0, 1, 0);
    CHECK(!ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(0, 2, 0), test_v3(1, 0, 0)), s, NULL));
    CHECK(!ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(12, 0, 0), test_v3(1, 0, 0)), s, NULL));
    CHECK(!ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(0, 0, 0), test_v3(0, 0, 0)), s, NULL));
    s.centre.x = NAN;
    CHECK(!ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(0, 0, 0), test_v3(1, 0, 0)), s, NULL));
    // A point is not met by a thin ray, but by a ball.
    s = ploy_sphere_make(test_v3(10, 0, 0), 0);
    CHECK(!ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(0, 0, 0), test_v3(1, 0, 0)), s, NULL));
    CHECK(ploy_sweep3_hit_sphere(sweep, s, &hit));
    CHECK_SAME(hit.distance, 9);
}

TEST(a_sweep_meets_a_plane_where_its_lowest_point_does) {
    ploy_plane3 ground = ploy_plane3_make(test_v3(0, 0, 0), test_v3(0, 0, 2));
    ploy_hit3 hit;
    CHECK(ploy_sweep3_hit_plane(ploy_sweep3_between(test_v3(1, 2, 9), test_v3(1, 2, 0), 2), ground,
                                &hit));
    CHECK_SAME(hit.distance, 7);
    CHECK_VEC3(hit.point, 1, 2, 0, 0);
    CHECK_VEC3(hit.normal, 0, 0, 1, 0);
    CHECK(ploy_sweep3_hit_plane(ploy_sweep3_between(test_v3(1, 2, -9), test_v3(1, 2, 0), 2), ground,
                                &hit));
    CHECK_VEC3(hit.normal, 0, 0, -1, 0);
    CHECK(!ploy_sweep3_hit_plane(ploy_sweep3_between(test_v3(1, 2, 9), test_v3(9, 9, 9), 2), ground,
                                 NULL));
    CHECK(!ploy_sweep3_hit_plane(ploy_sweep3_between(test_v3(1, 2, 2), test_v3(9, 2, 2), 2), ground,
                                 NULL));
    CHECK(ploy_sweep3_hit_plane(ploy_sweep3_between(test_v3(1, 2, 1), test_v3(9, 2, 1), 2), ground,
                                &hit));
    CHECK(hit.inside);
    CHECK_VEC3(hit.point, 1, 2, 0, 0);
    CHECK(ploy_sweep3_hit_plane(ploy_sweep3_between(test_v3(1, 2, 0), test_v3(1, 2, 5), 2), ground,
                                &hit));
    CHECK_VEC3(hit.normal, 0, 0, -1, 0);
}

TEST(sweeps_against_spheres_and_boxes_agree_with_small_steps) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        bool lattice = seed % 3 == 0;
        ploy_vec3 from = lattice ? test_lattice_vec3(&rng, 5) : test_random_vec3(&rng, 6);
        ploy_vec3 to = lattice ? test_lattice_vec3(&rng, 5) : test_random_vec3(&rng, 6);
        ploy_vec3 a = lattice ? test_lattice_vec3(&rng, 3) : test_random_vec3(&rng, 3);
        ploy_vec3 b = lattice ? test_lattice_vec3(&rng, 3) : test_random_vec3(&rng, 3);
        float radius = lattice ? (float)ploy_rng_int(&rng, 1, 2) : ploy_rng_range(&rng, 0, 2);
        ploy_sweep3 sweep = ploy_sweep3_between(from, to, radius);
        ploy_hit3 hit;
        ploy_sphere s = ploy_sphere_make(a, lattice ? 1 : ploy_rng_range(&rng, 0.01f, 2));
        bool got = ploy_sweep3_hit_sphere(sweep, s, &hit);
        CHECK_SLOW_SWEEP(got, hit, sphere_distance, &s, sweep.ray, (double)radius);
        CHECK_INT(ploy_sweep3_hit_sphere(sweep, s, NULL), got);
        ploy_box3 box = ploy_box3_make(a, b);
        got = ploy_sweep3_hit_box(sweep, box, &hit);
        CHECK_SLOW_SWEEP(got, hit, box_distance, &box, sweep.ray, (double)radius);
        CHECK_INT(ploy_sphere_overlaps_box(ploy_sphere_make(from, radius), box),
                  ploy_box3_distance_sq(box, from) <= radius * radius);
    }
    ploy_sweep3 sweep = ploy_sweep3_between(test_v3(-9, 0, 0), test_v3(9, 0, 0), 1);
    CHECK(!ploy_sweep3_hit_box(sweep, ploy_box3_empty(), NULL));
}

TEST(turning_and_moving_changes_no_distance) {
    for (uint64_t seed = 0; seed < 1000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        test_motion motion = test_random_motion(&rng);
        ploy_vec3 from = test_random_vec3(&rng, 6), to = test_random_vec3(&rng, 6);
        ploy_sphere s = ploy_sphere_make(test_random_vec3(&rng, 3), 2), moved = s;
        moved.centre = test_moved(&motion, s.centre);
        ploy_hit3 a, b;
        bool hit_a = ploy_sweep3_hit_sphere(ploy_sweep3_between(from, to, 1), s, &a);
        bool hit_b = ploy_sweep3_hit_sphere(
            ploy_sweep3_between(test_moved(&motion, from), test_moved(&motion, to), 1), moved, &b);
        if (hit_a && hit_b) {
            CHECK_NEAR(a.distance, b.distance, 1e-2);
            ploy_vec3 point = test_moved(&motion, a.point);
            CHECK_VEC3(b.point, point.x, point.y, point.z, 1e-2);
        }
    }
}

TEST(far_away_a_small_sphere_is_still_met) {
    // 2^27 m out, where a float counts in steps of 16 m.
    ploy_sphere s = ploy_sphere_make(test_v3(0x1p27, 0x1p27, 32), 48);
    ploy_hit3 hit;
    CHECK(ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(0, 0x1p27, 0), test_v3(1, 0, 0)), s, &hit));
    double half = sqrt(48.0 * 48.0 - 32.0 * 32.0);
    CHECK_NEAR(hit.distance, 0x1p27 - half, 16);
    CHECK_NEAR(hit.normal.z, -32.0 / 48.0, 1e-6);
    CHECK(
        !ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(0, 0x1p27, -16), test_v3(1, 0, 0)), s, NULL));
    ploy_sphere tiny = ploy_sphere_make(test_v3(3e-15, 0, 0), 1e-15f);
    CHECK(ploy_ray3_hit_sphere(ploy_ray3_make(test_v3(0, 0, 0), test_v3(1, 0, 0)), tiny, &hit));
    CHECK_NEAR(hit.distance * 1e15f, 2, 1e-5);
}
