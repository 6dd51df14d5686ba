#include "tests/geom/geom_test.h"

#include "ploy/geom/angle.h"

static const double half = 0.70710678118654752;

// The product q (0, v) q* written out in double: the slow, obvious version.
static ploy_vec3 slow_rotate(ploy_quat q, ploy_vec3 v) {
    double w = (double)q.w, x = (double)q.x, y = (double)q.y, z = (double)q.z;
    double a = (double)v.x, b = (double)v.y, c = (double)v.z;
    double pw = -x * a - y * b - z * c, px = w * a + y * c - z * b, py = w * b + z * a - x * c,
           pz = w * c + x * b - y * a;
    return test_v3(-pw * x + px * w - py * z + pz * y, -pw * y + py * w - pz * x + px * z,
                   -pw * z + pz * w - px * y + py * x);
}

static double length_of(ploy_quat q) {
    return sqrt((double)q.w * (double)q.w + (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                (double)q.z * (double)q.z);
}

// M3D-01
TEST(axis_and_angle_make_cos_and_axis_times_sin_of_half) {
    ploy_quat q = ploy_quat_from_axis_angle(test_v3(0, 0, 5), PLOY_HALF_PI_F);
    CHECK_QUAT(q, half, 0, 0, half, 1e-7);
    CHECK_VEC3(ploy_quat_rotate(q, test_v3(1, 0, 0)), 0, 1, 0, 1e-6);
    CHECK_VEC3(ploy_quat_unrotate(q, test_v3(0, 1, 0)), 1, 0, 0, 1e-6);
    CHECK_QUAT(ploy_quat_from_axis_angle(ploy_vec3_zero(), 3), 1, 0, 0, 0, 0);
    // Exercise 3.21: cos^2 + sin^2 (ax^2 + ay^2 + az^2) = 1 for every axis and angle.
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 axis = test_random_vec3(&rng, 1);
        CHECK_NEAR(length_of(ploy_quat_from_axis_angle(axis, ploy_rng_range(&rng, -50, 50))), 1,
                   3e-7);
    }
}

// M3D-01: r = pr qr - pi qi - pj qj - pk qk and so on, on numbers that give whole results.
TEST(the_product_is_hamiltons) {
    ploy_quat p = ploy_quat_make(1, 2, 3, 4), q = ploy_quat_make(5, 6, 7, 8);
    CHECK_QUAT(ploy_quat_multiply(p, q), -60, 12, 30, 24, 0);
    CHECK_QUAT(ploy_quat_multiply(q, p), -60, 20, 14, 32, 0); // not commutative
    ploy_quat i = ploy_quat_make(0, 1, 0, 0), j = ploy_quat_make(0, 0, 1, 0);
    CHECK_QUAT(ploy_quat_multiply(i, j), 0, 0, 0, 1, 0);
    CHECK_QUAT(ploy_quat_multiply(j, i), 0, 0, 0, -1, 0);
    CHECK_QUAT(ploy_quat_conjugate(p), 1, -2, -3, -4, 0);
}

// M3D-04 exercise 3.22, in the text's axes: s faces +x, t by its printed parts.
TEST(the_turn_between_two_orientations_is_the_exercise_s) {
    ploy_quat s = test_quat_from_y_up(half, 0, half, 0);
    ploy_quat u = test_quat_from_y_up(0.5, 0.4075414, 0.7641401, 0);
    ploy_quat local = ploy_quat_multiply(ploy_quat_conjugate(s), u);
    ploy_quat world = ploy_quat_multiply(u, ploy_quat_conjugate(s));
    ploy_quat want_local = test_quat_from_y_up(0.8938820, 0.2881753, 0.1867752, 0.2881753);
    ploy_quat want_world = test_quat_from_y_up(0.8938820, 0.2881753, 0.1867752, -0.2881753);
    CHECK_QUAT(local, want_local.w, want_local.x, want_local.y, want_local.z, 1e-6);
    CHECK_QUAT(world, want_world.w, want_world.x, want_world.y, want_world.z, 1e-6);
    CHECK_NEAR(ploy_quat_angle_between(s, u), 0.9297304, 1e-6);
    ploy_vec3 forward = test_from_y_up(1, 0, 0); // s faces +x
    CHECK_VEC3(ploy_quat_forward(s), forward.x, forward.y, forward.z, 1e-6);
}

// M3D-05
TEST(an_orientation_follows_a_direction_staying_near_its_base) {
    ploy_quat base = ploy_quat_identity();
    ploy_quat want = test_quat_from_y_up(0.7071068, 0, 0.7071068, 0);
    ploy_quat got = ploy_quat_from_forward(test_from_y_up(1, 0, 0), base);
    CHECK_QUAT(got, want.w, want.x, want.y, want.z, 1e-6);
    // 135 degrees about up; an arc sine would give 45.
    got = ploy_quat_from_forward(test_from_y_up(half, 0, -half), base);
    ploy_vec3 turn = ploy_quat_to_rotation(got);
    CHECK_VEC3(turn, 0, 0, 0.75 * PLOY_PI, 1e-6);
    // Not of unit length, same direction, zero, opposite.
    CHECK_QUAT(ploy_quat_from_forward(test_from_y_up(7, 0, 0), base), want.w, want.x, want.y,
               want.z, 1e-6);
    ploy_quat tilted = ploy_quat_from_axis_angle(test_v3(1, 0, 0), 0.3f);
    CHECK_QUAT(ploy_quat_from_forward(ploy_vec3_zero(), tilted), tilted.w, tilted.x, tilted.y,
               tilted.z, 0);
    CHECK_NEAR(ploy_quat_angle_between(ploy_quat_from_forward(test_v3(1, 0, 0), tilted), tilted), 0,
               1e-6);
    got = ploy_quat_from_forward(test_v3(-1, 0, 0), tilted);
    CHECK_VEC3(ploy_quat_forward(got), -1, 0, 0, 1e-6);
    ploy_vec3 up = ploy_quat_up(tilted);
    CHECK_VEC3(ploy_quat_up(got), up.x, up.y, up.z, 1e-6);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_quat from = test_random_quat(&rng);
        ploy_vec3 way = test_random_vec3(&rng, 1e9f), unit = ploy_vec3_normalise(way);
        ploy_quat q = ploy_quat_from_forward(way, from);
        CHECK_VEC3(ploy_quat_forward(q), unit.x, unit.y, unit.z, 1e-6);
        CHECK_NEAR(length_of(q), 1, 2e-7);
        // Nearest: the turn is no larger than the angle between the two directions.
        CHECK_NEAR(ploy_quat_angle_between(from, q),
                   ploy_vec3_angle_between(ploy_quat_forward(from), way), 3e-6);
    }
}

TEST(rotate_agrees_with_the_product_written_out) {
    for (uint64_t seed = 0; seed < 5000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_quat q = test_random_quat(&rng), p = test_random_quat(&rng);
        ploy_vec3 v = test_random_vec3(&rng, 10), want = slow_rotate(q, v);
        ploy_vec3 got = ploy_quat_rotate(q, v);
        CHECK_VEC3(got, want.x, want.y, want.z, 1e-5);
        CHECK_NEAR(ploy_vec3_length(got), ploy_vec3_length(v), 1e-5);
        CHECK_VEC3(ploy_quat_unrotate(q, got), v.x, v.y, v.z, 2e-5);
        // p q turns by q first.
        ploy_vec3 both = ploy_quat_rotate(ploy_quat_multiply(p, q), v);
        ploy_vec3 after = ploy_quat_rotate(p, ploy_quat_rotate(q, v));
        CHECK_VEC3(both, after.x, after.y, after.z, 2e-5);
        // -q is the same orientation.
        ploy_quat minus = ploy_quat_make(-q.w, -q.x, -q.y, -q.z);
        CHECK_NEAR(ploy_quat_angle_between(q, minus), 0, 1e-6);
    }
}

TEST(normalise_repairs_drift_and_knows_zero) {
    CHECK_QUAT(ploy_quat_normalise(ploy_quat_make(0, 0, 0, 0)), 1, 0, 0, 0, 0);
    CHECK_QUAT(ploy_quat_normalise(ploy_quat_make(0, 3e38f, 0, 0)), 0, 1, 0, 0, 0);
    CHECK_QUAT(ploy_quat_normalise(ploy_quat_make(0, 0, 1e-40f, 0)), 0, 0, 1, 0, 0);
    ploy_quat q = ploy_quat_identity(), step = ploy_quat_from_axis_angle(test_v3(1, 2, 3), 0.01f);
    for (int32_t i = 0; i < 100000; i++) q = ploy_quat_normalise(ploy_quat_multiply(step, q));
    CHECK_NEAR(length_of(q), 1, 1e-7);
}

TEST(between_takes_one_direction_to_the_other_also_when_they_are_opposite) {
    CHECK_QUAT(ploy_quat_between(test_v3(1, 0, 0), test_v3(9, 0, 0)), 1, 0, 0, 0, 1e-7);
    CHECK_QUAT(ploy_quat_between(test_v3(1, 0, 0), test_v3(-9, 0, 0)), 0, 0, 0, 1, 1e-7);
    CHECK_QUAT(ploy_quat_between(test_v3(0, 0, 1), test_v3(0, 0, -1)), 0, 0, 1, 0, 1e-7);
    CHECK_QUAT(ploy_quat_between(test_v3(0, 0, 0), test_v3(0, 0, -1)), 1, 0, 0, 0, 0);
    for (uint64_t seed = 0; seed < 5000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 a = ploy_vec3_normalise(test_random_vec3(&rng, 1));
        ploy_vec3 b = ploy_vec3_normalise(test_random_vec3(&rng, 1));
        if (seed % 4 == 0) { // very nearly opposite
            float tiny = ploy_exp2f(ploy_rng_range(&rng, -30, -8));
            b = ploy_vec3_add_scaled(ploy_vec3_negate(a), b, tiny);
            b = ploy_vec3_normalise(b);
        }
        ploy_quat q = ploy_quat_between(a, b);
        CHECK_NEAR(length_of(q), 1, 2e-7);
        CHECK_VEC3(ploy_quat_rotate(q, a), b.x, b.y, b.z, 3e-6);
    }
}

TEST(look_points_forward_along_the_direction_and_keeps_the_top_up) {
    CHECK_QUAT(ploy_quat_look(test_v3(1, 0, 0), test_v3(0, 0, 1)), 1, 0, 0, 0, 1e-7);
    CHECK_QUAT(ploy_quat_look(test_v3(0, 1, 0), test_v3(0, 0, 1)), half, 0, 0, half, 1e-7);
    CHECK_QUAT(ploy_quat_look(ploy_vec3_zero(), test_v3(0, 0, 1)), 1, 0, 0, 0, 0);
    CHECK_VEC3(ploy_quat_forward(ploy_quat_look(test_v3(0, 0, 4), test_v3(0, 0, 1))), 0, 0, 1,
               1e-6);
    for (uint64_t seed = 0; seed < 5000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 way = ploy_vec3_normalise(test_random_vec3(&rng, 1));
        ploy_vec3 up = test_random_vec3(&rng, 5);
        ploy_quat q = ploy_quat_look(way, up);
        CHECK_NEAR(length_of(q), 1, 3e-7);
        CHECK_VEC3(ploy_quat_forward(q), way.x, way.y, way.z, 2e-6);
        CHECK_NEAR(ploy_vec3_dot(ploy_quat_left(q), ploy_vec3_normalise(up)), 0, 3e-6);
        CHECK(ploy_vec3_dot(ploy_quat_up(q), up) > -1e-4f);
    }
}

TEST(rotation_vectors_go_there_and_back) {
    CHECK_VEC3(ploy_quat_to_rotation(ploy_quat_identity()), 0, 0, 0, 0);
    CHECK_VEC3(ploy_quat_to_rotation(ploy_quat_make(-1, 0, 0, 0)), 0, 0, 0, 0);
    CHECK_VEC3(ploy_quat_to_rotation(ploy_quat_from_rotation(test_v3(0, 1e-6, 0))), 0, 1e-6, 0,
               1e-12);
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 turn =
            ploy_vec3_with_length(test_random_vec3(&rng, 1), ploy_rng_range(&rng, 0, 3.1f));
        CHECK_VEC3(ploy_quat_to_rotation(ploy_quat_from_rotation(turn)), turn.x, turn.y, turn.z,
                   2e-6);
    }
}

TEST(planar_orientation_is_a_turn_about_up) {
    for (uint64_t seed = 0; seed < 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float angle = ploy_rng_range(&rng, -3.14f, 3.14f);
        ploy_quat q = ploy_quat_from_orientation(angle);
        ploy_vec2 heading = ploy_angle_heading(angle);
        CHECK_VEC3(ploy_quat_forward(q), heading.x, heading.y, 0, 3e-7);
        CHECK_NEAR(ploy_quat_to_orientation(q), angle, 1e-6);
        // Pitched up to just below the vertical the planar orientation stays.
        ploy_quat pitch =
            ploy_quat_from_axis_angle(test_v3(0, 1, 0), ploy_rng_range(&rng, -1.5f, 1.5f));
        CHECK_NEAR(ploy_quat_to_orientation(ploy_quat_multiply(q, pitch)), angle, 2e-5);
    }
    ploy_quat up = ploy_quat_multiply(ploy_quat_from_orientation(1),
                                      ploy_quat_from_axis_angle(test_v3(0, 1, 0), -PLOY_HALF_PI_F));
    CHECK_VEC3(ploy_quat_forward(up), 0, 0, 1, 1e-6);
    CHECK_NEAR(ploy_quat_to_orientation(up), 1, 1e-5);
    ploy_quat down = ploy_quat_multiply(
        ploy_quat_from_orientation(1), ploy_quat_from_axis_angle(test_v3(0, 1, 0), PLOY_HALF_PI_F));
    CHECK_NEAR(ploy_quat_to_orientation(down), 1, 1e-5);
    CHECK(ploy_quat_to_orientation(ploy_quat_from_orientation(PLOY_PI_F)) < PLOY_PI_F);
}

TEST(slerp_turns_at_constant_speed_the_short_way) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_quat a = test_random_quat(&rng), b = test_random_quat(&rng);
        if (seed % 3 == 0) { // nearly the same
            b = ploy_quat_integrate(a, test_random_vec3(&rng, 1), ploy_rng_range(&rng, 0, 1e-3f));
        }
        float whole = ploy_quat_angle_between(a, b), s = ploy_rng_float(&rng);
        CHECK(whole >= 0 && whole <= PLOY_PI_F + 1e-6f);
        ploy_quat mid = ploy_quat_slerp(a, b, s);
        CHECK_NEAR(length_of(mid), 1, 2e-7);
        CHECK_NEAR(ploy_quat_angle_between(a, mid), whole * s, 2e-6);
        CHECK_NEAR(ploy_quat_angle_between(mid, b), whole * (1 - s), 2e-6);
        CHECK_NEAR(ploy_quat_angle_between(ploy_quat_slerp(a, b, 0), a), 0, 1e-6);
        CHECK_NEAR(ploy_quat_angle_between(ploy_quat_slerp(a, b, 1), b), 0, 1e-6);
        // nlerp goes by the same way and meets slerp half way.
        CHECK_NEAR(
            ploy_quat_angle_between(ploy_quat_nlerp(a, b, 0.5f), ploy_quat_slerp(a, b, 0.5f)), 0,
            2e-6);
        float step = ploy_rng_range(&rng, 0, 4);
        ploy_quat next = ploy_quat_toward(a, b, step);
        CHECK_NEAR(ploy_quat_angle_between(a, next), step < whole ? step : whole, 2e-6);
    }
}

// M3D-02's exact form: a constant rotation for a second is the rotation vector itself.
TEST(integrating_a_constant_rotation_is_exact_for_any_step) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_quat start = test_random_quat(&rng), q = start;
        ploy_vec3 rotation = test_random_vec3(&rng, 3);
        int32_t steps = ploy_rng_int(&rng, 1, 64);
        for (int32_t i = 0; i < steps; i++) {
            q = ploy_quat_integrate(q, rotation, 1.0f / (float)steps);
        }
        ploy_quat want = ploy_quat_multiply(ploy_quat_from_rotation(rotation), start);
        CHECK_NEAR(ploy_quat_angle_between(q, want), 0, 1e-5);
    }
    ploy_quat q = ploy_quat_integrate(ploy_quat_identity(), test_v3(1e6, 1e6, -1e6), 1e3f);
    CHECK_NEAR(length_of(q), 1, 1e-6);
}
