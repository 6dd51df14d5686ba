#include "tests/geom/geom_test.h"

// MTH-06
TEST(vectors_add_and_scale_as_the_worked_example_says) {
    ploy_vec2 sum = ploy_vec2_add(ploy_vec2_add(test_v2(-5, 5), test_v2(0, -10)),
                                  ploy_vec2_add(test_v2(13, 7), test_v2(-4, 3)));
    CHECK_VEC2(sum, 4, 5, 0);
    CHECK_VEC2(ploy_vec2_scale(sum, 2), 8, 10, 0);
    CHECK_NEAR(ploy_vec2_length(sum), 6.403, 5e-4);
    CHECK_VEC2(ploy_vec2_normalise(sum), 0.624695, 0.780869, 1e-6);
    CHECK_SAME(ploy_vec2_length_sq(sum), 41);
    CHECK_VEC2(ploy_vec2_sub(sum, test_v2(1, 7)), 3, -2, 0);
    CHECK_VEC2(ploy_vec2_negate(sum), -4, -5, 0);
    CHECK_VEC2(ploy_vec2_divide(sum, 2), 2, 2.5, 0);
    CHECK_VEC2(ploy_vec2_divide(sum, 0), 0, 0, 0);
    CHECK(ploy_vec2_is_zero(ploy_vec2_zero()) && !ploy_vec2_is_zero(sum));
    CHECK(ploy_vec2_equal(sum, test_v2(4, 5)) && !ploy_vec2_equal(sum, test_v2(4, 6)));
    CHECK_NEAR(ploy_vec3_length(test_v3(1, 2, 2)), 3, 0);
}

// MTH-04
TEST(an_archer_reaches_what_is_within_range_squared) {
    ploy_vec2 archer = test_v2(8, 4), target = test_v2(2, 1);
    CHECK_SAME(ploy_vec2_distance_sq(archer, target), 45);
    CHECK_NEAR(ploy_vec2_distance(archer, target), 6.7082039, 1e-6);
    CHECK(ploy_vec2_distance_sq(archer, target) <= 10.0f * 10.0f);
}

// MTH-07: theta from the y axis, the y part is |v| cos, the x part |v| sin.
TEST(a_vector_resolves_into_parts_along_axes) {
    for (int32_t i = -12; i <= 12; i++) {
        TEST_SEED(i + 12);
        float theta = (float)i * 0.25f;
        ploy_vec2 v = ploy_vec2_scale(ploy_vec2_make(ploy_sinf(theta), ploy_cosf(theta)),
                                      3.0f); // theta clockwise from y
        ploy_vec2 parts = ploy_vec2_resolve(v, test_v2(0, 1));
        CHECK_NEAR(parts.x, 3.0f * ploy_cosf(theta), 1e-6);
        CHECK_NEAR(-parts.y, 3.0f * ploy_sinf(theta), 1e-6);
    }
    ploy_vec2 axis = test_v2(0.6, 0.8), v = test_v2(3, -2);
    ploy_vec2 along = ploy_vec2_project(v, axis), across = ploy_vec2_reject(v, axis);
    CHECK_VEC2(ploy_vec2_add(along, across), 3, -2, 1e-6);
    CHECK_NEAR(ploy_vec2_dot(across, axis), 0, 1e-6);
    CHECK_NEAR(ploy_vec2_length(along), 0.2, 1e-6);
}

// MTH-08: the exact angle is 0.896055; 0.902 came from a rounded cosine.
TEST(the_angle_between_vectors_is_unsigned_and_exact) {
    CHECK_NEAR(ploy_vec2_angle_between(test_v2(1, 0), test_v2(4, 5)), 0.896055, 1e-6);
    CHECK_NEAR(ploy_vec2_angle_between(test_v2(1, 0), test_v2(4, -5)), 0.896055, 1e-6);
    CHECK_NEAR(ploy_vec2_angle_to(test_v2(1, 0), test_v2(4, -5)), -0.896055, 1e-6);
    CHECK_NEAR(ploy_vec2_angle_between(test_v2(3, 0), test_v2(-2, 0)), PLOY_PI, 1e-6);
    CHECK_SAME(ploy_vec2_angle_between(test_v2(0, 0), test_v2(-2, 0)), 0);
    CHECK_SAME(ploy_vec2_angle_to(test_v2(-1, 0), test_v2(-2, 0)), 0);
    CHECK_NEAR(ploy_vec2_angle_to(test_v2(-1, 0), test_v2(1, 0)), PLOY_PI, 1e-6); // not -pi
    // Almost parallel: acos of the dot would give 0.
    CHECK_NEAR(ploy_vec2_angle_between(test_v2(1, 0), test_v2(1, 1e-6)), 1e-6, 1e-12);
    CHECK_NEAR(ploy_vec3_angle_between(test_v3(1, 0, 0), test_v3(4, 5, 0)), 0.896055, 1e-6);
    CHECK_NEAR(ploy_vec3_angle_between(test_v3(0, 0, 1e30), test_v3(0, 1e-30, 0)), PLOY_PI / 2,
               1e-6);
    CHECK_SAME(ploy_vec3_angle_between(test_v3(0, 0, 0), test_v3(0, 1, 0)), 0);
}

TEST(in_front_means_less_than_a_quarter_turn_away) {
    ploy_vec2 at = test_v2(2, 3), heading = test_v2(0, 1);
    CHECK(ploy_vec2_in_front(at, heading, test_v2(5, 3.1)));
    CHECK(!ploy_vec2_in_front(at, heading, test_v2(5, 3)));
    CHECK(!ploy_vec2_in_front(at, heading, test_v2(2, 2)));
    CHECK(ploy_vec3_in_front(test_v3(0, 0, 0), test_v3(0, 0, 1), test_v3(9, 9, 0.1)));
}

// MTH-09: the numbers of a y-down screen stay, the words change.
TEST(side_tells_left_from_right) {
    CHECK_SAME(ploy_vec2_side(test_v2(1, 0), test_v2(0, 1)), 1);
    CHECK_SAME(ploy_vec2_side(test_v2(1, 0), test_v2(0, -1)), -1);
    CHECK_SAME(ploy_vec2_side(test_v2(1, 0), test_v2(2, 0)), 1);
    CHECK_VEC2(ploy_vec2_perp(test_v2(1, 0)), 0, 1, 0);
    CHECK_SAME(ploy_vec2_cross(test_v2(1, 0), test_v2(0, 1)), 1);
    CHECK_VEC3(ploy_vec3_cross(test_v3(1, 0, 0), test_v3(0, 1, 0)), 0, 0, 1, 0);
    CHECK_VEC3(ploy_vec3_cross(test_v3(0, 1, 0), test_v3(0, 0, 1)), 1, 0, 0, 0);
}

TEST(limit_only_shortens) {
    CHECK_VEC2(ploy_vec2_limit(test_v2(3, 4), 10), 3, 4, 0);
    CHECK_VEC2(ploy_vec2_limit(test_v2(3, 4), 5), 3, 4, 0);
    CHECK_VEC2(ploy_vec2_limit(test_v2(3, 4), 1), 0.6, 0.8, 1e-7);
    CHECK_VEC2(ploy_vec2_limit(test_v2(3, 4), 0), 0, 0, 0);
    CHECK_VEC2(ploy_vec2_limit(test_v2(3, 4), -2), 0, 0, 0);
    CHECK_VEC2(ploy_vec2_limit(test_v2(3, 4), NAN), 0, 0, 0);
    CHECK_VEC2(ploy_vec2_limit(test_v2(0, 0), 1), 0, 0, 0);
    CHECK_VEC2(ploy_vec2_limit(test_v2(1e-40, 0), 1), 1e-40f, 0, 0);
    CHECK_VEC2(ploy_vec2_limit(test_v2(3e37, 0), 2), 2, 0, 0);
    CHECK_VEC3(ploy_vec3_limit(test_v3(2, 4, 4), 3), 1, 2, 2, 1e-6);
    for (uint64_t seed = 0; seed < 5000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = ploy_exp2f(ploy_rng_range(&rng, -120, 60));
        ploy_vec2 v = test_random_vec2(&rng, size);
        float max = ploy_exp2f(ploy_rng_range(&rng, -120, 60));
        ploy_vec2 w = ploy_vec2_limit(v, max);
        double length = hypot((double)v.x, (double)v.y), got = hypot((double)w.x, (double)w.y);
        if (length <= (double)max * (1 - 1e-6)) {
            CHECK(ploy_vec2_equal(v, w));
        } else if (length >= (double)max * (1 + 1e-6)) {
            CHECK_NEAR(got / (double)max, 1, 3e-7);
        }
    }
}

TEST(normalise_gives_zero_for_zero_and_unit_length_for_everything_else) {
    CHECK_VEC2(ploy_vec2_normalise(ploy_vec2_zero()), 0, 0, 0);
    CHECK_VEC3(ploy_vec3_normalise(ploy_vec3_zero()), 0, 0, 0, 0);
    CHECK_VEC2(ploy_vec2_with_length(ploy_vec2_zero(), 7), 0, 0, 0);
    for (uint64_t seed = 0; seed < 20000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        // From the smallest denormal to nearly the largest float.
        float size = ploy_exp2f(ploy_rng_range(&rng, -149, 127));
        ploy_vec2 v = test_random_vec2(&rng, size);
        ploy_vec3 w = test_random_vec3(&rng, size);
        double length2 = sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y);
        double length3 =
            sqrt((double)w.x * (double)w.x + (double)w.y * (double)w.y + (double)w.z * (double)w.z);
        if (length2 > 0) {
            ploy_vec2 unit = ploy_vec2_normalise(v);
            CHECK_NEAR(unit.x, (double)v.x / length2, 2e-7);
            CHECK_NEAR(unit.y, (double)v.y / length2, 2e-7);
            if (length2 < 3e38) CHECK_NEAR(ploy_vec2_length(v), length2, length2 * 2e-7 + 1.5e-45);
        }
        if (length3 > 0) {
            ploy_vec3 unit = ploy_vec3_normalise(w);
            CHECK_NEAR(unit.x, (double)w.x / length3, 2e-7);
            CHECK_NEAR(unit.y, (double)w.y / length3, 2e-7);
            CHECK_NEAR(unit.z, (double)w.z / length3, 2e-7);
        }
        // Along an axis it is exact.
        if (v.x != 0.0f) {
            ploy_vec2 axis = ploy_vec2_normalise(ploy_vec2_make(v.x, 0));
            CHECK_VEC2(axis, v.x > 0 ? 1 : -1, 0, 0);
            CHECK_SAME(ploy_vec2_length(ploy_vec2_make(0, v.x)), fabsf(v.x));
        }
    }
}

TEST(coordinates_up_to_1e18_stay_finite) {
    ploy_vec2 far_out = test_v2(1e18, -1e18);
    ploy_vec3 far_up = test_v3(1e18, -1e18, 1e18);
    CHECK(ploy_is_finite(ploy_vec2_length_sq(far_out)));
    CHECK(ploy_is_finite(ploy_vec2_distance_sq(far_out, ploy_vec2_negate(far_out))));
    CHECK(ploy_is_finite(ploy_vec3_distance_sq(far_up, ploy_vec3_negate(far_up))));
    CHECK(ploy_vec2_is_finite(ploy_vec2_normalise(far_out)));
    CHECK(ploy_vec2_is_finite(ploy_vec2_rotate(far_out, 1)));
    CHECK(ploy_vec3_is_finite(ploy_vec3_cross(far_up, test_v3(1e18, 1, 2))));
    CHECK(!ploy_vec2_is_finite(test_v2(NAN, 0)) && !ploy_vec2_is_finite(test_v2(0, -INFINITY)));
    CHECK(!ploy_vec3_is_finite(test_v3(0, 0, INFINITY)));
}

TEST(near_and_equal_refuse_nan) {
    CHECK(ploy_vec2_near(test_v2(1, 2), test_v2(1.1, 1.9), 0.11f));
    CHECK(!ploy_vec2_near(test_v2(1, 2), test_v2(1.1, 1.9), 0.09f));
    CHECK(!ploy_vec2_near(test_v2(NAN, 2), test_v2(1.1, 1.9), 100));
    CHECK(!ploy_vec2_equal(test_v2(NAN, 2), test_v2(NAN, 2)));
    CHECK(ploy_vec3_near(test_v3(1, 2, 3), test_v3(1, 2, 3), 0));
}

TEST(rotate_turns_counter_clockwise) {
    CHECK_VEC2(ploy_vec2_rotate(test_v2(2, 0), PLOY_HALF_PI_F), 0, 2, 1e-6);
    CHECK_VEC2(ploy_vec2_rotate_by(test_v2(2, 1), test_v2(0, 1)), -1, 2, 0);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec2 v = test_random_vec2(&rng, 100);
        float angle = ploy_rng_range(&rng, -10, 10);
        ploy_vec2 turned = ploy_vec2_rotate(v, angle);
        double want_x = (double)v.x * cos((double)angle) - (double)v.y * sin((double)angle);
        double want_y = (double)v.x * sin((double)angle) + (double)v.y * cos((double)angle);
        CHECK_VEC2(turned, want_x, want_y, 2e-5);
        ploy_vec2 heading = ploy_vec2_make(ploy_cosf(angle), ploy_sinf(angle));
        CHECK_VEC2(ploy_vec2_resolve(turned, heading), v.x, v.y, 4e-5);
    }
}

TEST(reflect_bounces_off_a_normal) {
    CHECK_VEC2(ploy_vec2_reflect(test_v2(3, -2), test_v2(0, 1)), 3, 2, 0);
    CHECK_VEC3(ploy_vec3_reflect(test_v3(3, -2, 5), test_v3(0, 0, 1)), 3, -2, -5, 0);
    CHECK_VEC2(ploy_vec2_reflect(test_v2(1, 0), test_v2(-0.6, 0.8)), 0.28, 0.96, 1e-6);
}

TEST(lerp_is_exact_at_both_ends) {
    for (uint64_t seed = 0; seed < 1000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec2 a = test_random_vec2(&rng, 1000), b = test_random_vec2(&rng, 1);
        CHECK(ploy_vec2_equal(ploy_vec2_lerp(a, b, 0), a));
        CHECK(ploy_vec2_equal(ploy_vec2_lerp(a, b, 1), b));
        ploy_vec3 c = test_random_vec3(&rng, 1000), d = test_random_vec3(&rng, 1);
        CHECK(ploy_vec3_equal(ploy_vec3_lerp(c, d, 0), c));
        CHECK(ploy_vec3_equal(ploy_vec3_lerp(c, d, 1), d));
    }
    CHECK_VEC2(ploy_vec2_lerp(test_v2(1, 2), test_v2(3, 6), 0.5f), 2, 4, 0);
}

TEST(toward_arrives_exactly_and_never_overshoots) {
    ploy_vec2 at = test_v2(0.1, 0.2), goal = test_v2(7.3, -4.9);
    int32_t steps = 0;
    while (!ploy_vec2_equal(at, goal)) {
        float before = ploy_vec2_distance(at, goal);
        at = ploy_vec2_toward(at, goal, 0.5f);
        CHECK(ploy_vec2_distance(at, goal) < before);
        CHECK(++steps < 100);
    }
    CHECK_INT(steps, 18);
    CHECK_VEC2(ploy_vec2_toward(at, test_v2(0, 0), -1), at.x, at.y, 0);
    CHECK_VEC3(ploy_vec3_toward(test_v3(0, 0, 0), test_v3(0, 0, 9), 4), 0, 0, 4, 0);
    CHECK_VEC3(ploy_vec3_toward(test_v3(0, 0, 0), test_v3(0, 0, 3), 4), 0, 0, 3, 0);
}

TEST(perp_in_space_is_a_perpendicular_near_up) {
    CHECK_VEC3(ploy_vec3_perp(test_v3(5, 0, 0)), 0, 0, 1, 0);
    CHECK_VEC3(ploy_vec3_perp(test_v3(0, 0, -2)), 0, 1, 0, 0);
    CHECK_NEAR(ploy_vec3_length(ploy_vec3_perp(ploy_vec3_zero())), 1, 0);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 v = test_random_vec3(&rng, 10);
        if (seed % 2 == 0) v.z *= 1000; // nearly upright
        ploy_vec3 perp = ploy_vec3_perp(v);
        CHECK_NEAR(ploy_vec3_length(perp), 1, 2e-7);
        CHECK_NEAR(ploy_vec3_dot(perp, ploy_vec3_normalise(v)), 0, 3e-7);
        if (seed % 2 != 0) CHECK(perp.z >= 0);
    }
}

TEST(a_view_reads_packed_points_and_a_games_own_structs) {
    typedef struct soldier {
        int32_t health;
        float height;
        ploy_vec2 position;
        char name[5];
    } soldier;
    soldier squad[3] = {{1, 2, {3, 4}, "a"}, {1, 2, {5, 6}, "b"}, {1, 2, {7, 8}, "c"}};
    ploy_points own = {&squad[0].position.x, &squad[0].position.y, sizeof squad[0], 3};
    CHECK_VEC2(ploy_points_get(&own, 2), 7, 8, 0);
    ploy_vec2 packed[2] = {{1, 2}, {3, 4}};
    ploy_points view = ploy_points_make(packed, 2);
    CHECK_VEC2(ploy_points_get(&view, 1), 3, 4, 0);
    float x[2] = {1, 2}, y[2] = {3, 4};
    ploy_points arrays = {x, y, sizeof(float), 2};
    CHECK_VEC2(ploy_points_get(&arrays, 1), 2, 4, 0);
    CHECK_INT(ploy_points_make(NULL, 0).count, 0);
}

TEST(least_and_greatest_parts) {
    CHECK_VEC2(ploy_vec2_min(test_v2(1, 5), test_v2(2, 3)), 1, 3, 0);
    CHECK_VEC2(ploy_vec2_max(test_v2(1, 5), test_v2(2, 3)), 2, 5, 0);
    CHECK_VEC3(ploy_vec3_min(test_v3(1, 5, 9), test_v3(2, 3, 10)), 1, 3, 9, 0);
    CHECK_VEC3(ploy_vec3_max(test_v3(1, 5, 9), test_v3(2, 3, 10)), 2, 5, 10, 0);
    CHECK_VEC3(ploy_vec3_add_scaled(test_v3(1, 2, 3), test_v3(1, 1, 2), 2), 3, 4, 7, 0);
    CHECK_VEC3(ploy_vec3_divide(test_v3(2, 4, 6), 2), 1, 2, 3, 0);
    CHECK_VEC3(ploy_vec3_divide(test_v3(2, 4, 6), 0), 0, 0, 0, 0);
    CHECK_VEC2(ploy_vec2_from_vec3(ploy_vec3_from_vec2(test_v2(3, 4), 5)), 3, 4, 0);
    ploy_vec3 v = test_v3(3, 4, 12), axis = test_v3(0, 0.6, 0.8);
    CHECK_NEAR(ploy_vec3_dot(ploy_vec3_reject(v, axis), axis), 0, 1e-5);
    CHECK_SAME(ploy_vec3_distance(test_v3(1, 1, 1), test_v3(4, 5, 13)), 13);
}
