#include "tests/geom/geom_test.h"

#include "ploy/geom/adapt.h"
#include "ploy/geom/angle.h"

static const ploy_vec3 forward = {1, 0, 0}, left = {0, 1, 0}, up = {0, 0, 1};

TEST(each_host_finds_its_own_axes) {
    static const struct {
        const char *row;
        ploy_axes axes;
        ploy_vec3 forward, left, up;
        bool mirrors;
    } rows[] = {
        {"ploy", PLOY_AXES_PLOY, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, false},
        {"z_up_right", PLOY_AXES_Z_UP_RIGHT, {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, false},
        {"y_up_right", PLOY_AXES_Y_UP_RIGHT, {0, 0, -1}, {-1, 0, 0}, {0, 1, 0}, false},
        {"y_up_forward", PLOY_AXES_Y_UP_FORWARD, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, false},
        {"y_up_left", PLOY_AXES_Y_UP_LEFT, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}, true},
        {"z_up_left", PLOY_AXES_Z_UP_LEFT, {1, 0, 0}, {0, -1, 0}, {0, 0, 1}, true},
        {"screen", PLOY_AXES_SCREEN, {1, 0, 0}, {0, -1, 0}, {0, 0, 1}, true},
    };
    CHECK_INT(COUNT_OF(rows), PLOY_AXES_COUNT);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_adapter host = ploy_adapter_make(rows[i].axes, 1);
        ploy_vec3 f = ploy_adapter_direction_to_host(host, forward);
        ploy_vec3 l = ploy_adapter_direction_to_host(host, left);
        ploy_vec3 u = ploy_adapter_direction_to_host(host, up);
        CHECK(ploy_vec3_equal(f, rows[i].forward));
        CHECK(ploy_vec3_equal(l, rows[i].left));
        CHECK(ploy_vec3_equal(u, rows[i].up));
        CHECK(ploy_adapter_mirrors(host) == rows[i].mirrors);
        // A right-handed host sees left = up cross forward, a left-handed one the opposite.
        float hand = ploy_vec3_dot(ploy_vec3_cross(u, f), l);
        CHECK_SAME(hand, rows[i].mirrors ? -1 : 1);
        CHECK_TEXT(ploy_axes_text(rows[i].axes), rows[i].row);
    }
    CHECK_TEXT(ploy_axes_text((ploy_axes)99), "?");
}

TEST(round_trips_are_exact) {
    for (uint64_t seed = 0; seed < 700; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_adapter host = ploy_adapter_make((ploy_axes)(seed % PLOY_AXES_COUNT), 1);
        ploy_vec3 v = test_random_vec3(&rng, 1e9f);
        ploy_quat q = test_random_quat(&rng);
        float angle = ploy_rng_range(&rng, -3, 3), height = 0;
        CHECK(ploy_vec3_equal(
            ploy_adapter_point_from_host(host, ploy_adapter_point_to_host(host, v)), v));
        CHECK(ploy_vec3_equal(
            ploy_adapter_direction_from_host(host, ploy_adapter_direction_to_host(host, v)), v));
        CHECK(ploy_vec3_equal(
            ploy_adapter_rotation_from_host(host, ploy_adapter_rotation_to_host(host, v)), v));
        CHECK(ploy_quat_equal(ploy_adapter_quat_from_host(host, ploy_adapter_quat_to_host(host, q)),
                              q));
        CHECK_SAME(ploy_adapter_angle_from_host(host, ploy_adapter_angle_to_host(host, angle)),
                   angle);
        ploy_vec2 flat = ploy_adapter_plane_from_host(
            host, ploy_adapter_plane_to_host(host, ploy_vec2_from_vec3(v), v.z), &height);
        CHECK_VEC2(flat, v.x, v.y, 0);
        CHECK_SAME(height, v.z);
        // Lengths and angles stay.
        ploy_vec3 w = test_random_vec3(&rng, 10), x = test_random_vec3(&rng, 10);
        CHECK_NEAR(
            ploy_vec3_dot(ploy_adapter_point_to_host(host, w), ploy_adapter_point_to_host(host, x)),
            ploy_vec3_dot(w, x), 1e-4);
    }
}

// Turning a vector here and then telling the host gives what the host gets by telling first and
// turning there by its own hand. A left hand's product is written the same way: the formula of the
// quaternion does not know which hand it is of.
TEST(turning_then_telling_is_telling_then_turning) {
    for (uint64_t seed = 0; seed < 2100; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_adapter host = ploy_adapter_make((ploy_axes)(seed % PLOY_AXES_COUNT), 1);
        ploy_vec3 v = test_random_vec3(&rng, 10);
        ploy_quat q = test_random_quat(&rng), p = test_random_quat(&rng);
        ploy_vec3 here = ploy_adapter_point_to_host(host, ploy_quat_rotate(q, v));
        ploy_quat host_q = ploy_adapter_quat_to_host(host, q);
        ploy_vec3 there = ploy_quat_rotate(host_q, ploy_adapter_point_to_host(host, v));
        CHECK_VEC3(there, here.x, here.y, here.z, 1e-5);
        // Products go over as well.
        ploy_quat both = ploy_adapter_quat_to_host(host, ploy_quat_multiply(p, q));
        ploy_quat apart = ploy_quat_multiply(ploy_adapter_quat_to_host(host, p), host_q);
        CHECK_NEAR(ploy_quat_angle_between(both, apart), 0, 2e-6);
        // A rotation vector is the same turn.
        ploy_vec3 turn = ploy_quat_to_rotation(q);
        ploy_quat by_turn = ploy_quat_from_rotation(ploy_adapter_rotation_to_host(host, turn));
        CHECK_NEAR(ploy_quat_angle_between(by_turn, host_q), 0, 2e-6);
        // Forward in the host's own local axes lands where ploy's forward does.
        ploy_vec3 local = ploy_adapter_direction_to_host(host, forward);
        ploy_vec3 want = ploy_adapter_direction_to_host(host, ploy_quat_forward(q));
        CHECK_VEC3(ploy_quat_rotate(host_q, local), want.x, want.y, want.z, 2e-6);
    }
}

TEST(planar_orientation_becomes_the_turn_about_the_hosts_up_axis) {
    for (uint64_t seed = 0; seed < 2100; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_adapter host = ploy_adapter_make((ploy_axes)(seed % PLOY_AXES_COUNT), 1);
        float angle = ploy_rng_range(&rng, -3, 3);
        ploy_vec2 heading = ploy_angle_heading(angle);
        ploy_vec3 want = ploy_adapter_direction_to_host(host, ploy_vec3_from_vec2(heading, 0));
        // The host turns its own forward about its own up by its own angle.
        ploy_vec3 host_up = ploy_adapter_direction_to_host(host, up);
        ploy_vec3 host_forward = ploy_adapter_direction_to_host(host, forward);
        ploy_quat turn =
            ploy_quat_from_axis_angle(host_up, ploy_adapter_angle_to_host(host, angle));
        CHECK_VEC3(ploy_quat_rotate(turn, host_forward), want.x, want.y, want.z, 2e-6);
    }
    // In numbers: a quarter turn to the left is +90 degrees in Godot and -90 in Unity and Unreal.
    CHECK_SAME(ploy_adapter_angle_to_host(ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1), 1.5f), 1.5);
    CHECK_SAME(ploy_adapter_angle_to_host(ploy_adapter_make(PLOY_AXES_Y_UP_LEFT, 1), 1.5f), -1.5);
    CHECK_SAME(ploy_adapter_angle_to_host(ploy_adapter_make(PLOY_AXES_Z_UP_LEFT, 1), 1.5f), -1.5);
}

// The axes of the y-up text: (sin w, cos w) on its (x, z), quaternion parts permuted.
TEST(the_y_up_text_s_axes_are_one_of_the_hosts) {
    ploy_adapter host = ploy_adapter_make(PLOY_AXES_Y_UP_FORWARD, 1);
    for (uint64_t seed = 0; seed < 500; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_vec3 v = test_random_vec3(&rng, 10);
        ploy_vec3 want = test_from_y_up((double)v.x, (double)v.y, (double)v.z);
        CHECK(ploy_vec3_equal(ploy_adapter_point_from_host(host, v), want));
        ploy_quat q = test_random_quat(&rng);
        ploy_quat parts = test_quat_from_y_up((double)q.w, (double)q.x, (double)q.y, (double)q.z);
        CHECK(ploy_quat_equal(ploy_adapter_quat_from_host(host, q), parts));
        float angle = ploy_rng_range(&rng, -3, 3);
        ploy_vec3 theirs = ploy_vec3_make(ploy_sinf(angle), 0, ploy_cosf(angle));
        ploy_vec2 heading = ploy_adapter_plane_from_host(host, theirs, NULL);
        CHECK_NEAR(ploy_angle_of(heading), ploy_adapter_angle_from_host(host, angle), 1e-6);
    }
    // MOV-02: 0 is (0, 1), a quarter turn (1, 0), half a turn (0, -1), a quarter back (-1, 0).
    static const struct {
        float angle, x, z;
    } facts[] = {{0, 0, 1}, {PLOY_HALF_PI_F, 1, 0}, {PLOY_PI_F, 0, -1}, {-PLOY_HALF_PI_F, -1, 0}};
    for (size_t i = 0; i < COUNT_OF(facts); i++) {
        ploy_vec2 heading = ploy_angle_heading(facts[i].angle);
        ploy_vec3 theirs = ploy_adapter_plane_to_host(host, heading, 0);
        CHECK_VEC3(theirs, facts[i].x, 0, facts[i].z, 1e-6);
    }
}

TEST(hosts_may_measure_in_centimetres) {
    ploy_adapter unreal = ploy_adapter_make(PLOY_AXES_Z_UP_LEFT, 100);
    CHECK_VEC3(ploy_adapter_point_to_host(unreal, test_v3(1, 2, 3)), 100, -200, 300, 0);
    CHECK_VEC3(ploy_adapter_point_from_host(unreal, test_v3(100, -200, 300)), 1, 2, 3, 0);
    CHECK_VEC3(ploy_adapter_direction_to_host(unreal, test_v3(0, 1, 0)), 0, -1, 0, 0);
    float height = 0;
    CHECK_VEC2(ploy_adapter_plane_from_host(unreal, test_v3(50, 50, 150), &height), 0.5, -0.5, 0);
    CHECK_SAME(height, 1.5);
    // What makes no sense counts as ploy's own.
    ploy_adapter odd = ploy_adapter_make((ploy_axes)-3, NAN);
    CHECK_INT(odd.axes, PLOY_AXES_PLOY);
    CHECK_SAME(odd.units_per_metre, 1);
    CHECK_INT(ploy_adapter_make(PLOY_AXES_COUNT, 1).axes, PLOY_AXES_PLOY);
    odd.axes = PLOY_AXES_COUNT; // filled in by hand
    CHECK_VEC3(ploy_adapter_point_to_host(odd, test_v3(1, 2, 3)), 1, 2, 3, 0);
    CHECK_SAME(ploy_adapter_make(PLOY_AXES_PLOY, 0).units_per_metre, 1);
    CHECK_SAME(ploy_adapter_make(PLOY_AXES_PLOY, INFINITY).units_per_metre, 1);
    CHECK(!signbit(ploy_adapter_point_to_host(unreal, test_v3(0, 0, 0)).y)); // no -0 to print
}
