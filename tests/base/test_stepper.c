#include "base/base_internal.h"
#include "tests/test.h"

#include "ploy/base/rng.h"
#include "ploy/base/stepper.h"

TEST(stepper_init_refuses_steps_out_of_range) {
    ploy_stepper stepper;
    memset(&stepper, 7, sizeof stepper);
    ploy_stepper before = stepper;
    CHECK_INT(ploy_stepper_init(&stepper, 0, 5), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_stepper_init(&stepper, -1, 5), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_stepper_init(&stepper, NAN, 5), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_stepper_init(&stepper, 1e-7, 5), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_stepper_init(&stepper, 1, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_stepper_init(&stepper, 1, 1000001), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_stepper_init(NULL, 1, 5), PLOY_ERR_ARGUMENT);
    CHECK_BYTES(&stepper, &before, sizeof stepper);
    CHECK_OK(ploy_stepper_init(&stepper, 0.02, 5));
    CHECK_INT(stepper.ticks, 0);
}

// MTH-12: physics at 30 Hz, thinking at 10 Hz, frames as they come.
TEST(components_keep_rates_of_their_own) {
    ploy_stepper physics, thinking;
    CHECK_OK(ploy_stepper_init(&physics, 1.0 / 30, 8));
    CHECK_OK(ploy_stepper_init(&thinking, 1.0 / 10, 8));
    for (int32_t frame = 1; frame <= 6000; frame++) {
        TEST_SEED(frame);
        int32_t moved = ploy_stepper_step(&physics, 1.0 / 60);
        int32_t thought = ploy_stepper_step(&thinking, 1.0 / 60);
        CHECK_INT(moved, frame % 2 == 0 ? 1 : 0); // to the frame, however long it runs
        CHECK_INT(thought, frame % 6 == 0 ? 1 : 0);
    }
    CHECK_UINT(physics.ticks, 3000);
    CHECK_UINT(thinking.ticks, 1000);
    CHECK_NEAR(ployi_stepper_now(&thinking), 100, 1e-12);
}

TEST(uneven_frames_lose_no_time) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_stepper stepper;
        CHECK_OK(ploy_stepper_init(&stepper, 0.02, 1000));
        double sum = 0;
        for (int32_t i = 0; i < 2000; i++) {
            double frame = ploy_rng_double(&rng) * 0.1;
            sum += frame;
            int32_t due = ploy_stepper_step(&stepper, frame);
            CHECK(due >= 0 && due <= 6);
            float alpha = ploy_stepper_alpha(&stepper);
            CHECK(alpha >= 0 && alpha < 1);
        }
        CHECK_NEAR((double)stepper.ticks * 0.02 + stepper.pending, sum, 1e-9);
        CHECK_NEAR(ploy_stepper_alpha(&stepper), stepper.pending / 0.02, 1e-5);
        CHECK_SAME(stepper.dropped, 0);
    }
}

TEST(a_long_stop_is_given_up_and_counted) {
    ploy_stepper stepper;
    CHECK_OK(ploy_stepper_init(&stepper, 0.1, 5));
    CHECK_INT(ploy_stepper_step(&stepper, 10.05), 5);
    CHECK_NEAR(stepper.dropped, 9.5, 1e-9);
    CHECK_NEAR(ploy_stepper_alpha(&stepper), 0.5, 1e-6); // drawing does not jump
    CHECK_INT(ploy_stepper_step(&stepper, 0.05), 1);
    CHECK_INT(ploy_stepper_step(&stepper, 1e300), 5);
    CHECK(ploy_stepper_alpha(&stepper) >= 0 && ploy_stepper_alpha(&stepper) < 1);
    CHECK_INT(ploy_stepper_step(&stepper, 0.1), 1); // and all is well again
}

TEST(times_that_are_no_times_count_as_none) {
    ploy_stepper stepper;
    CHECK_OK(ploy_stepper_init(&stepper, 0.1, 5));
    CHECK_INT(ploy_stepper_step(&stepper, -5), 0);
    CHECK_INT(ploy_stepper_step(&stepper, NAN), 0);
    CHECK_INT(ploy_stepper_step(&stepper, INFINITY), 0);
    CHECK_INT(ploy_stepper_step(&stepper, 0), 0);
    CHECK_SAME(stepper.pending, 0);
    // Virtual seconds: one update is one unit of time.
    CHECK_OK(ploy_stepper_init(&stepper, 1, 1));
    for (int32_t i = 0; i < 100; i++) CHECK_INT(ploy_stepper_step(&stepper, 1), 1);
    CHECK_SAME(ployi_stepper_now(&stepper), 100);
}
