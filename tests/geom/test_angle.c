#include "tests/geom/geom_test.h"

#include "ploy/geom/angle.h"

// MTH-02, MTH-05
TEST(degrees_and_radians_are_the_same_angles) {
    CHECK_SAME(ploy_angle_from_degrees(180), PLOY_PI_F);
    CHECK_SAME(ploy_angle_from_degrees(90), PLOY_HALF_PI_F);
    CHECK_SAME(ploy_angle_from_degrees(45), PLOY_QUARTER_PI_F);
    CHECK_SAME(ploy_angle_from_degrees(360), PLOY_TWO_PI_F);
    CHECK_NEAR(PLOY_PI, 3.14159, 5e-6);
    CHECK_NEAR(ploy_angle_from_degrees(1), 2 * PLOY_PI / 360, 1e-9);
    CHECK_SAME(ploy_angle_to_degrees(PLOY_PI_F), 180);
    for (int32_t i = -720; i <= 720; i++) {
        TEST_SEED(i + 720);
        CHECK_NEAR(ploy_angle_to_degrees(ploy_angle_from_degrees((float)i)), i, 1e-4);
    }
}

// MTH-02: the angles of any triangle sum to half a turn.
TEST(triangle_angles_sum_to_half_a_turn) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec2 p[3];
        for (int32_t i = 0; i < 3; i++) p[i] = test_random_vec2(&rng, 100);
        double sum = 0;
        for (int32_t i = 0; i < 3; i++) {
            sum += (double)ploy_vec2_angle_between(ploy_vec2_sub(p[(i + 1) % 3], p[i]),
                                                   ploy_vec2_sub(p[(i + 2) % 3], p[i]));
        }
        CHECK_NEAR(sum, PLOY_PI, 1e-6);
    }
}

// MTH-05
TEST(right_triangles_solve_with_sin_cos_and_tan) {
    CHECK_NEAR(6 * ploy_tanf(0.9f), 7.56, 5e-3);
    CHECK_NEAR(3 / ploy_sinf(0.3f), 10.15, 5e-3);
    CHECK_NEAR(10.0 / 13.0, 0.769, 5e-4);
    CHECK_NEAR(ploy_acosf(10.0f / 13.0f), 0.693160, 1e-6);
    CHECK_NEAR(ploy_atan2f(3, 4), ploy_asinf(0.6f), 1e-6);
}

// MOV-13
TEST(wrap_brings_any_angle_into_half_a_turn_either_way) {
    CHECK_NEAR(ploy_angle_wrap(3 * PLOY_HALF_PI_F), -PLOY_PI / 2, 3e-7);
    CHECK_NEAR(ploy_angle_wrap(7), 0.7168147, 1e-7);
    CHECK_NEAR(ploy_angle_wrap(0.1f - 6.2f), 0.1831853, 3e-7);
    CHECK_SAME(ploy_angle_wrap(-PLOY_PI_F), -PLOY_PI_F);
    CHECK_NEAR(ploy_angle_wrap(PLOY_PI_F), -PLOY_PI, 2e-7);
    CHECK_SAME(ploy_angle_wrap(0), 0);
    CHECK(isnan(ploy_angle_wrap(NAN)) && isnan(ploy_angle_wrap(INFINITY)));
    // 350 degrees to 10 degrees is 20 degrees on.
    CHECK_NEAR(ploy_angle_difference(ploy_angle_from_degrees(350), ploy_angle_from_degrees(10)),
               20 * PLOY_PI / 180, 5e-7);
}

TEST(wrap_agrees_with_a_long_double_reduction_however_large_the_angle) {
    for (uint64_t seed = 0; seed < 50000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float angle = ploy_rng_range(&rng, -1, 1) * ploy_exp2f(ploy_rng_range(&rng, 0, 40));
        // Long double has 64 bits: enough for 2^40 and 23 digits below 1.
        long double turn = 6.283185307179586476925286766559L;
        long double want = (long double)angle - floorl((long double)angle / turn + 0.5L) * turn;
        float got = ploy_angle_wrap(angle);
        CHECK(got >= -PLOY_PI_F && got < PLOY_PI_F);
        double error = (double)got - (double)want;
        if (error > 3) error -= 2 * PLOY_PI; // the two ends are one direction
        if (error < -3) error += 2 * PLOY_PI;
        CHECK_NEAR(error, 0, 2.5e-7);
        CHECK_SAME(ploy_angle_wrap(got), got);
    }
}

TEST(wrap_keeps_the_direction_of_the_very_largest_angles) {
    for (uint64_t seed = 0; seed < 5000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float angle = ploy_rng_range(&rng, -1, 1) * ploy_exp2f(ploy_rng_range(&rng, 40, 127));
        float got = ploy_angle_wrap(angle);
        CHECK(got >= -PLOY_PI_F && got < PLOY_PI_F);
        CHECK_VEC2(ploy_angle_heading(got), ploy_cosf(angle), ploy_sinf(angle), 3e-7);
    }
}

TEST(wrap_within_a_turn_gives_the_same_bits_as_wrap) {
    for (uint64_t seed = 0; seed < 50000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float angle = ploy_rng_range(&rng, -9.42f, 9.42f);
        if (seed % 10 == 0) angle = (float)ploy_rng_int(&rng, -2, 2) * PLOY_PI_F;
        if (seed % 10 == 1) angle = nextafterf(angle, 100);
        CHECK_SAME(ploy_angle_wrap_turn(angle), ploy_angle_wrap(angle));
        float got = ploy_angle_wrap_turn(angle);
        CHECK(got >= -PLOY_PI_F && got < PLOY_PI_F);
    }
    float around[6] = {PLOY_PI_F,
                       -PLOY_PI_F,
                       nextafterf(PLOY_PI_F, 0),
                       nextafterf(PLOY_PI_F, 9),
                       nextafterf(-PLOY_PI_F, 0),
                       nextafterf(-PLOY_PI_F, -9)};
    for (int32_t i = 0; i < 6; i++) {
        float got = ploy_angle_wrap(around[i]);
        CHECK(got >= -PLOY_PI_F && got < PLOY_PI_F);
        CHECK_VEC2(ploy_angle_heading(got), -1, 0, 1e-6);
    }
}

TEST(difference_is_the_turn_from_one_to_the_other) {
    for (uint64_t seed = 0; seed < 5000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float from = ploy_rng_range(&rng, -20, 20), to = ploy_rng_range(&rng, -20, 20);
        float turn = ploy_angle_difference(from, to);
        CHECK(turn >= -PLOY_PI_F && turn < PLOY_PI_F);
        ploy_vec2 want = ploy_angle_heading(to);
        CHECK_VEC2(ploy_angle_heading(from + turn), want.x, want.y, 5e-6);
        CHECK_NEAR(fabsf(turn), ploy_vec2_angle_between(ploy_angle_heading(from), want), 1e-5);
    }
    CHECK_SAME(ploy_angle_difference(1, 1), 0);
    // Just below pi, but rounded it is pi, which is not in the range.
    CHECK_SAME(ploy_angle_difference(-1.5e-7f, nextafterf(PLOY_PI_F, 0)), -PLOY_PI_F);
    CHECK(isnan(ploy_angle_difference(NAN, 1)));
    CHECK(ploy_is_finite(ploy_angle_difference(-3e38f, 3e38f)));
}

TEST(toward_turns_the_short_way_and_stops_there) {
    CHECK_NEAR(ploy_angle_toward(3, -3, 0.1f), 3.1, 1e-6);
    CHECK_NEAR(ploy_angle_toward(3.1f, -3, 0.1f), 3.2 - 2 * PLOY_PI, 1e-6);
    CHECK_SAME(ploy_angle_toward(3.1f, -3, 0.2f), -3);
    CHECK_SAME(ploy_angle_toward(1, 2, 0), 1);
    CHECK_SAME(ploy_angle_toward(1, 2, -5), 1);
    CHECK_SAME(ploy_angle_toward(-PLOY_PI_F, 2, -5), -PLOY_PI_F);
    CHECK_NEAR(ploy_angle_lerp(3, -3, 0.5f), -PLOY_PI, 3e-7);
    CHECK_SAME(ploy_angle_lerp(3, -3, 0), 3);
    CHECK_SAME(ploy_angle_lerp(3, -3, 1), -3);
}

TEST(headings_and_angles_are_each_others_inverse) {
    CHECK_VEC2(ploy_angle_heading(0), 1, 0, 0);
    CHECK_VEC2(ploy_angle_heading(PLOY_HALF_PI_F), 0, 1, 1e-7);
    CHECK_SAME(ploy_angle_of(test_v2(0, 0)), 0);
    CHECK_SAME(ploy_angle_of(test_v2(-0.0, -0.0)), 0);
    CHECK_SAME(ploy_angle_of(test_v2(-5, 0)), -PLOY_PI_F);
    CHECK_SAME(ploy_angle_of(test_v2(-5, -0.0)), -PLOY_PI_F);
    for (uint64_t seed = 0; seed < 5000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float angle = ploy_rng_range(&rng, -3.14159f, 3.14159f);
        ploy_vec2 v = ploy_vec2_scale(ploy_angle_heading(angle), ploy_rng_range(&rng, 0.01f, 1e9f));
        CHECK_NEAR(ploy_angle_of(v), angle, 5e-7);
    }
}
