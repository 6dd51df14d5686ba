// The lab `jumping`: both get over their gaps, what cannot be done is not tried, and the run rewinds.
#include "tests/labs/lab_test.h"

TEST(the_runner_gets_from_ledge_to_ledge_and_the_hopper_over_every_chasm) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "jumping", NULL, &env);
    lab_run(t, sim, 3600);
    CHECK(lab_number(t, sim, "runner/jumps") >= 12.0);
    CHECK_NEAR(lab_number(t, sim, "runner/falls"), 0.0, 0.0);
    CHECK_NEAR(lab_number(t, sim, "stuck"), 0.0, 0.0);
    CHECK(lab_number(t, sim, "hopper/jumps") >= 12.0);
    CHECK_NEAR(lab_number(t, sim, "hopper/falls"), 0.0, 0.0);
    CHECK(lab_drawn(sim) > 20);
    ploy_sim_destroy(sim);
}

TEST(who_cannot_jump_so_far_does_not_try) {
    static const char *const weak[] = {"jump.take_off_speed=1.5", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "jumping", weak, &env);
    lab_run(t, sim, 600);
    CHECK(lab_number(t, sim, "stuck") > 0.0);
    CHECK_NEAR(lab_number(t, sim, "runner/falls"), 0.0, 0.0);
    // The one below knows nothing of distances: it falls.
    CHECK(lab_number(t, sim, "hopper/falls") > 0.0);
    ploy_sim_destroy(sim);
}

TEST(a_click_sends_the_runner_and_a_push_does_not_make_it_fall) {
    static const char *const calm[] = {"roaming=false", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "jumping", calm, &env);
    for (int32_t to = 0; to < 2; to++) {
        lab_send_at(t, sim, "go", to == 0 ? 17.0f : -17.0f, 0.0f);
        for (int32_t i = 0; i < 20; i++) {
            lab_run(t, sim, 60);
            if (i % 7 == 3) lab_command(t, sim, "push", ploy_value_none());
        }
        lab_run(t, sim, 2400);
        CHECK_NEAR(lab_number(t, sim, "ledge"), to == 0 ? 5.0 : 0.0, 0.0);
    }
    CHECK_NEAR(lab_number(t, sim, "runner/falls"), 0.0, 0.0);
    lab_send_at(t, sim, "go", 5.0f, 0.0f);
    lab_check_rewind(t, sim, 300);
    ploy_sim_destroy(sim);
    char name[] = "jumping";
    CHECK_FAIL_NTH(lab_create, name);
}
