// Headings to show: STE-29, M3D-09.
#include "ploy/move/heading.h"

#include "ploy/move/integrate.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"
#include "tests/test.h"

TEST(a_moving_mean_is_that_of_the_last_so_many) {
    float values[3 * 2], out[2] = {9, 9};
    ploy_moving_mean mean = ploy_moving_mean_make(values, 2, 3);
    static const float in[5][2] = {{1, 10}, {2, 20}, {3, 60}, {10, 0}, {-10, 3}};
    static const double want[5][2] = {{1, 10}, {1.5, 15}, {2, 30}, {5, 26.6666667}, {1, 21}};
    for (int i = 0; i < 5; i++) {
        ploy_moving_mean_add(&mean, in[i], out);
        CHECK_NEAR(out[0], want[i][0], 1e-5);
        CHECK_NEAR(out[1], want[i][1], 1e-5);
    }
    CHECK_INT(mean.count, 3);
    ploy_moving_mean none = ploy_moving_mean_make(NULL, 2, 3);
    ploy_moving_mean_add(&none, in[0], out); // the mean of nothing
    CHECK_SAME(out[1], 0.0f);
    CHECK_SAME(ploy_heading_smooth(&none, 0.5f), 0.5f);
}

TEST(a_trembling_heading_is_shown_steady_and_a_turn_is_followed) {
    // STE-29: ten samples. The body looks left and right in turn by 0.4 rad.
    float values[2 * 10];
    ploy_moving_mean mean = ploy_moving_mean_make(values, 2, 10);
    float shown = 0.0f, least = 10.0f, most = -10.0f;
    for (int i = 0; i < 60; i++) {
        shown = ploy_heading_smooth(&mean, 1.0f + (i % 2 == 0 ? 0.4f : -0.4f));
        if (i < 10) continue;
        least = ploy_minf(least, shown);
        most = ploy_maxf(most, shown);
    }
    CHECK_NEAR(least, 1.0, 1e-4);
    CHECK_NEAR(most, 1.0, 1e-4);
    for (int i = 0; i < 10; i++) shown = ploy_heading_smooth(&mean, -2.0f);
    CHECK_NEAR(shown, -2.0, 1e-5);
    // Across the seam at pi: the mean of 3.1 and -3.1 is not 0.
    for (int i = 0; i < 10; i++) shown = ploy_heading_smooth(&mean, i % 2 == 0 ? 3.1f : -3.1f);
    CHECK_NEAR(fabsf(shown), 3.1415927, 1e-5);
    // Opposite ones cancel: then the heading itself.
    for (int i = 0; i < 10; i++) shown = ploy_heading_smooth(&mean, i % 2 == 0 ? 0.0f : PLOY_PI_F);
    CHECK_SAME(shown, PLOY_PI_F);
}

TEST(a_direction_in_space_is_smoothed_to_a_unit_vector) {
    float values[3 * 4];
    ploy_moving_mean mean = ploy_moving_mean_make(values, 3, 4);
    ploy_vec3 shown = ploy_vec3_zero();
    for (int i = 0; i < 8; i++) {
        shown = ploy_heading_smooth3(&mean, ploy_vec3_make((float)(i % 2), (float)(1 - i % 2), 0));
    }
    CHECK_NEAR(shown.x, 0.70710678, 1e-6);
    CHECK_NEAR(shown.y, 0.70710678, 1e-6);
    ploy_vec3 up = {0, 0, 1}, down = {0, 0, -1};
    for (int i = 0; i < 4; i++) shown = ploy_heading_smooth3(&mean, i % 2 == 0 ? up : down);
    CHECK_SAME(shown.z, -1.0f);
    float flat[2];
    ploy_moving_mean other = ploy_moving_mean_make(flat, 2, 1);
    CHECK_SAME(ploy_heading_smooth3(&other, up).z, 1.0f);
}

TEST(banking_gives_the_exercise) {
    // M3D-09, exercise 3.23. Ours (x, y, z) are theirs (z, x, y).
    ploy_bank_def def = ploy_bank_def_default();
    def.full_speed = 0.0f;
    def.stiffness = PLOY_PI_F / 4.0f;
    ploy_vec3 velocity = {1, 5, 4};
    ploy_quat q = ploy_bank(&def, PLOY_PI_F / 4.0f, PLOY_PI_F / 16.0f, velocity);
    CHECK_NEAR(q.w, 0.8819720, 1e-6);
    CHECK_NEAR(q.x, 0.0173136, 1e-6);
    CHECK_NEAR(q.y, -0.3435815, 1e-6);
    CHECK_NEAR(q.z, 0.3221451, 1e-6);
    ploy_vec3 forward = ploy_quat_forward(q), up = ploy_quat_up(q);
    CHECK_NEAR(forward.x, 0.5563486, 1e-6);
    CHECK_NEAR(forward.y, 0.5563486, 1e-6);
    CHECK_NEAR(forward.z, 0.6172134, 1e-6);
    CHECK_NEAR(up.x, -0.5949035, 1e-6);
    CHECK_NEAR(up.y, -0.2519063, 1e-6);
    CHECK_NEAR(up.z, 0.7633040, 1e-6);
}

TEST(a_craft_leans_into_the_turn_and_a_car_out_of_it) {
    ploy_bank_def def = ploy_bank_def_default();
    ploy_vec3 ahead = {10, 0, 0}, climbing = {3, 0, 3};
    // Turning left as fast as it is stiff: an eighth of a circle to the left.
    ploy_vec3 up = ploy_quat_up(ploy_bank(&def, 0.0f, def.stiffness, ahead));
    CHECK_NEAR(up.y, 0.70710678, 1e-6);
    // Never a quarter.
    CHECK(ploy_quat_up(ploy_bank(&def, 0.0f, 1e5f, ahead)).z > 0.0f);
    CHECK_NEAR(ploy_quat_forward(ploy_bank(&def, 0.0f, 0.0f, climbing)).z, 0.70710678, 1e-6);
    def.body = PLOY_BANK_CAR;
    up = ploy_quat_up(ploy_bank(&def, 0.0f, def.stiffness, ahead));
    CHECK_NEAR(up.y, -0.70710678, 1e-6);
    CHECK_NEAR(ploy_quat_forward(ploy_bank(&def, 0.0f, 0.0f, climbing)).z, 0.0, 1e-6);
}

TEST(banking_fades_in_with_the_speed) {
    ploy_bank_def def = ploy_bank_def_default();
    def.full_speed = 4.0f;
    ploy_quat upright = ploy_quat_from_orientation(0.3f);
    float last = -1.0f;
    for (int i = 0; i <= 8; i++) {
        ploy_vec3 velocity = {0.5f * (float)i, 0, 0};
        float lean = ploy_quat_angle_between(ploy_bank(&def, 0.3f, 1.0f, velocity), upright);
        CHECK(lean > last);
        last = lean;
    }
    CHECK_NEAR(last, 0.78539816, 1e-5);
    ploy_quat still = ploy_bank(&def, 0.3f, 1.0f, ploy_vec3_zero());
    CHECK_BYTES(&still, &upright, sizeof still);
    def.stiffness = 0.0f; // out of range
    ploy_quat refused = ploy_bank(&def, 0.3f, 1.0f, ploy_vec3_make(9, 0, 0));
    CHECK_BYTES(&refused, &upright, sizeof still);
    CHECK_OK(ploy_fields_check_table(ploy_bank_fields(), NULL));
}

TEST(whatever_the_numbers_what_is_shown_is_a_unit_quaternion) {
    ploy_bank_def def = ploy_bank_def_default();
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        float orientation = ploy_rng_range(&rng, -3.1f, 3.1f), rotation = scene_number(&rng, 1e6f);
        ploy_vec3 velocity = scene_vec3(&rng, 0.57e6f);
        ploy_quat q = ploy_bank(&def, orientation, rotation, velocity);
        CHECK_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-5);
        // Mirrored, it leans to the other side.
        ploy_vec3 mirrored = {velocity.x, -velocity.y, velocity.z};
        ploy_quat m = ploy_bank(&def, -orientation, -rotation, mirrored);
        CHECK_NEAR(ploy_quat_up(m).y, -ploy_quat_up(q).y, 2e-5);
        CHECK_NEAR(ploy_quat_up(m).z, ploy_quat_up(q).z, 2e-5);
    }
}

TEST(a_mean_of_nothing_is_zero) {
    float value[2] = {3.0f, 4.0f}, out[2] = {7.0f, 8.0f};
    ploy_moving_mean mean = ploy_moving_mean_make(NULL, 2, 10);
    ploy_moving_mean_add(&mean, value, out);
    CHECK_SAME(out[0], 0.0f);
    CHECK_SAME(out[1], 0.0f);
}
