#include "tests/geom/solid_test.h"

#include "ploy/geom/obb3.h"

// The nearest point by clamping in the frame that the quaternion functions give.
static double obb_distance(const void *shape, const double at[3]) {
    const ploy_obb3 *b = shape;
    ploy_vec3 axes[3] = {ploy_quat_forward(b->orientation), ploy_quat_left(b->orientation),
                         ploy_quat_up(b->orientation)};
    double c[3] = {(double)b->centre.x, (double)b->centre.y, (double)b->centre.z};
    double half[3] = {(double)b->half.x, (double)b->half.y, (double)b->half.z}, sum = 0;
    for (int32_t i = 0; i < 3; i++) {
        double a[3] = {(double)axes[i].x, (double)axes[i].y, (double)axes[i].z};
        double along = (at[0] - c[0]) * a[0] + (at[1] - c[1]) * a[1] + (at[2] - c[2]) * a[2];
        double gap = fmax(0, fabs(along) - fmax(0, half[i]));
        sum += gap * gap;
    }
    return sqrt(sum);
}

static ploy_obb3 random_obb(ploy_rng *rng, uint64_t seed) {
    ploy_vec3 half = {ploy_rng_range(rng, 0.1f, 2), ploy_rng_range(rng, 0.1f, 2),
                      ploy_rng_range(rng, 0.1f, 2)};
    if (seed % 9 == 0) half.z = 0; // a plate
    ploy_obb3 box = ploy_obb3_make(test_random_vec3(rng, 3), half, test_random_quat(rng));
    if (seed % 7 == 0) box.orientation = ploy_quat_identity();
    return box;
}

// Corner i, or any point for parts in [-1, 1].
static ploy_vec3 obb_point(const ploy_obb3 *b, float x, float y, float z) {
    ploy_vec3 local = {b->half.x * x, b->half.y * y, b->half.z * z};
    return ploy_vec3_add(b->centre, ploy_quat_rotate(b->orientation, local));
}

TEST(points_of_oriented_boxes) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_obb3 box = random_obb(&rng, seed);
        ploy_vec3 p = test_random_vec3(&rng, 6);
        double at[3] = {(double)p.x, (double)p.y, (double)p.z}, want = obb_distance(&box, at);
        CHECK_NEAR(sqrt((double)ploy_obb3_distance_sq(box, p)), want, 1e-5);
        ploy_vec3 on = ploy_obb3_closest(box, p);
        CHECK_NEAR(ploy_vec3_distance(on, p), want, 1e-5);
        CHECK(ploy_obb3_distance_sq(box, on) < 1e-10f);
        if (fabs(want - 1) > 1e-4) {
            CHECK_INT(ploy_obb3_overlaps_sphere(box, ploy_sphere_make(p, 1)), want < 1);
        }
        float x = ploy_rng_range(&rng, -0.99f, 0.99f), y = ploy_rng_range(&rng, -0.99f, 0.99f);
        if (box.half.z > 0) CHECK(ploy_obb3_contains(box, obb_point(&box, x, y, 0.5f)));
        CHECK(!ploy_obb3_contains(box, obb_point(&box, x, 1.01f, y)));
        ploy_box3 around = ploy_box3_grow(ploy_box3_of_obb3(box), 1e-5f);
        for (int32_t i = 0; i < 8; i++) {
            CHECK(ploy_box3_contains(around, obb_point(&box, (i & 1) != 0 ? 1.0f : -1.0f,
                                                       (i & 2) != 0 ? 1.0f : -1.0f,
                                                       (i & 4) != 0 ? 1.0f : -1.0f)));
        }
    }
}

TEST(sweeps_against_oriented_boxes_agree_with_small_steps) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_obb3 box = random_obb(&rng, seed + 1);
        if (box.half.z == 0) box.half.z = 0.5f;
        ploy_vec3 from = test_random_vec3(&rng, 6), to = test_random_vec3(&rng, 6);
        float radius = seed % 2 == 0 ? 0 : ploy_rng_range(&rng, 0, 1);
        ploy_sweep3 sweep = ploy_sweep3_between(from, to, radius);
        ploy_hit3 hit;
        bool got = ploy_sweep3_hit_obb3(sweep, box, &hit);
        CHECK_SLOW_SWEEP(got, hit, obb_distance, &box, sweep.ray, (double)radius);
        if (radius == 0) CHECK_INT(ploy_ray3_hit_obb3(sweep.ray, box, NULL), got);
    }
}

TEST(overlap_is_what_alternating_nearest_points_find) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_obb3 a = random_obb(&rng, seed), b = random_obb(&rng, seed + 3);
        // Convex shapes: going back and forth between nearest points ends at the gap.
        ploy_vec3 p = a.centre, q = b.centre;
        for (int32_t i = 0; i < 400; i++) {
            q = ploy_obb3_closest(b, p);
            p = ploy_obb3_closest(a, q);
        }
        float gap = ploy_vec3_distance(p, q);
        bool got = ploy_obb3_overlaps(a, b);
        CHECK_INT(ploy_obb3_overlaps(b, a), got);
        if (gap < 1e-6f) CHECK(got);
        if (gap > 1e-2f) CHECK(!got);
        // As told of both turned and moved; bare touch may change.
        test_motion motion = test_random_motion(&rng);
        ploy_obb3 c = a, d = b;
        c.centre = test_moved(&motion, a.centre);
        d.centre = test_moved(&motion, b.centre);
        c.orientation = ploy_quat_multiply(motion.turn, a.orientation);
        d.orientation = ploy_quat_multiply(motion.turn, b.orientation);
        if (gap > 1e-2f) CHECK(!ploy_obb3_overlaps(c, d));
    }
    // Axis-aligned ones touch exactly as plain boxes do.
    for (uint64_t seed = 0; seed < 1000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_box3 a = ploy_box3_make(test_lattice_vec3(&rng, 3), test_lattice_vec3(&rng, 3));
        ploy_box3 b = ploy_box3_make(test_lattice_vec3(&rng, 3), test_lattice_vec3(&rng, 3));
        CHECK_INT(ploy_obb3_overlaps(ploy_obb3_of_box(a), ploy_obb3_of_box(b)),
                  ploy_box3_overlaps(a, b));
    }
}

TEST(odd_boxes_are_defined) {
    ploy_obb3 point = ploy_obb3_of_box(ploy_box3_empty());
    CHECK(ploy_vec3_is_zero(point.centre) && ploy_vec3_is_zero(point.half));
    ploy_obb3 box = ploy_obb3_make(test_v3(1, 2, 3), test_v3(-1, NAN, 2), ploy_quat_identity());
    CHECK(ploy_obb3_contains(box, test_v3(1, 2, 5))); // a stick
    CHECK(!ploy_obb3_contains(box, test_v3(1.1, 2, 5)));
    box.orientation = ploy_quat_make(0, 0, 0, 0); // no turn
    CHECK(ploy_obb3_contains(box, test_v3(1, 2, 5)));
    box.centre.x = NAN;
    CHECK(!ploy_obb3_overlaps(box, point));
    CHECK(!ploy_ray3_hit_obb3(ploy_ray3_make(test_v3(0, 0, 0), test_v3(1, 0, 0)), box, NULL));
}
