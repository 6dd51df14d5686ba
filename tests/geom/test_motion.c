#include "geom/geom_internal.h"
#include "tests/geom/geom_test.h"

#include "ploy/geom/motion.h"

// MTH-13
TEST(the_worked_examples_of_constant_acceleration) {
    CHECK_SAME(ployi_motion_rate(5, 2), 2.5);            // 5 m in 2 s
    CHECK_SAME(ploy_motion_distance(35, 0, 0.5f), 17.5); // 35 mph for half an hour
    CHECK_SAME(ploy_motion_distance(4, 0, 2), 8);        // 4 m/s for 2 s
    for (int32_t i = 0; i <= 5; i++) {
        TEST_SEED(i);
        CHECK_SAME(ploy_motion_speed(0, 2, (float)i), 2 * i); // from rest at 2 m/s^2
    }
    CHECK_SAME(ploy_motion_speed(3, 2, 3), 9);
    CHECK_SAME(ploy_motion_distance(2, 2, 2), 8); // between t = 1 and t = 3
    CHECK_SAME(ploy_motion_distance(0, 2, 3) - ploy_motion_distance(0, 2, 1), 8);
    float v = 0;
    CHECK(ploy_motion_speed_after(0, 9.8f, 381, &v)); // dropped from 381 m
    CHECK_NEAR(v, 86.415, 1e-3);
    CHECK_NEAR(v, sqrt(7467.6), 1e-5);
    CHECK_SAME(ployi_motion_rate(5 - 2, 1), 3);
    CHECK_SAME(ployi_motion_rate(3 - 7, 1), -4);
    CHECK_SAME(ployi_motion_rate(3, 0), 0);
}

// MTH-14: the integration itself is the integrators'; the law of force is here.
TEST(force_is_mass_times_acceleration) {
    CHECK_SAME(ploy_motion_acceleration(3000, 2000), 1.5);
    CHECK_SAME(ploy_motion_acceleration(3000, 0), 0);
    CHECK_SAME(ploy_motion_acceleration(3000, NAN), 0);
    // m = 1, F = 400, dt = 0.1, at most 150: velocity first, then position by the new velocity.
    static const float want_v[5] = {40, 80, 120, 150, 150}, want_x[5] = {4, 12, 24, 39, 54};
    ploy_vec2 velocity = {0, 0}, position = {0, 0};
    for (int32_t i = 0; i < 5; i++) {
        TEST_SEED(i);
        ploy_vec2 force = {400, 0};
        ploy_vec2 a = ploy_vec2_scale(force, ploy_motion_acceleration(1, 1));
        velocity = ploy_vec2_limit(ploy_vec2_add_scaled(velocity, a, 0.1f), 150);
        position = ploy_vec2_add_scaled(position, velocity, 0.1f);
        CHECK_NEAR(velocity.x, want_v[i], 1e-4);
        CHECK_NEAR(position.x, want_x[i], 1e-4);
    }
}

TEST(times_and_ways_agree_with_each_other) {
    for (uint64_t seed = 0; seed < 5000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float u = ploy_rng_range(&rng, -20, 20), a = ploy_rng_range(&rng, -10, 10);
        if (seed % 5 == 0) a = 0;
        float s = ploy_rng_range(&rng, -100, 100), time = -1, v = -1;
        bool reached = ploy_motion_time_to_distance(u, a, s, &time);
        // The slow way: step finely and watch for the crossing.
        bool crossed = false;
        double at = 0, dt = 0.002, before = 0;
        for (int32_t i = 1; i < 50000 && !crossed; i++) {
            at = (double)i * dt;
            double way = (double)u * at + 0.5 * (double)a * at * at;
            crossed = (before - (double)s) * (way - (double)s) <= 0;
            before = way;
        }
        if (reached && time < 90) {
            CHECK_NEAR(ploy_motion_distance(u, a, time), s, 2e-3);
            // A turning point between two samples hides two crossings.
            if (crossed) CHECK_NEAR(time, at, 2 * dt + 0.05);
        }
        if (crossed) CHECK(reached);
        bool fast = ploy_motion_speed_after(u, a, s, &v);
        CHECK(fast == reached);
        if (fast && time < 90) CHECK_NEAR(v, fabsf(ploy_motion_speed(u, a, time)), 1e-2);
    }
}

TEST(speeds_that_are_never_reached_are_refused) {
    float time = 77, v = 77;
    CHECK(ploy_motion_time_to_speed(3, 2, 9, &time));
    CHECK_SAME(time, 3);
    CHECK(ploy_motion_time_to_speed(0, 2, 1, &time));
    CHECK_SAME(time, 0.5);
    CHECK(ploy_motion_time_to_speed(3, 0, 3, &time));
    CHECK_SAME(time, 0);
    time = 77;
    CHECK(!ploy_motion_time_to_speed(3, 0, 4, &time));
    CHECK(!ploy_motion_time_to_speed(3, -1, 4, &time));
    CHECK(!ploy_motion_time_to_speed(NAN, 1, 4, &time));
    CHECK(!ploy_motion_time_to_distance(3, -1, 5, &time)); // turns back at 4.5 m
    CHECK(!ploy_motion_time_to_distance(0, 0, 5, &time));
    CHECK(!ploy_motion_time_to_distance(NAN, 0, 5, &time));
    CHECK_SAME(time, 77);
    CHECK(!ploy_motion_speed_after(3, -1, 5, &v));
    CHECK_SAME(v, 77);
    CHECK(ploy_motion_speed_after(3, -1, 4.5f, &v)); // to the very point where it turns
    CHECK_SAME(v, 0);
    CHECK(ploy_motion_time_to_distance(0, 0, 0, &time));
    CHECK_SAME(time, 0);
}

TEST(braking_takes_half_the_square_of_the_speed_over_the_deceleration) {
    CHECK_SAME(ploy_motion_stopping_distance(10, 5), 10);
    CHECK_SAME(ploy_motion_stopping_distance(-10, 5), 10);
    CHECK_SAME(ploy_motion_stopping_distance(0, 0), 0);
    CHECK(isinf(ploy_motion_stopping_distance(1, 0)));
    CHECK_SAME(ploy_motion_stopping_speed(10, 5), 10);
    CHECK_SAME(ploy_motion_stopping_speed(-1, 5), 0);
    CHECK_SAME(ploy_motion_stopping_speed(1, NAN), 0);
    CHECK(ploy_is_finite(ploy_motion_stopping_distance(1e6f, 1e-3f)));
}
