// The lab `fleet`: the fleet takes one course, the player steers, and the run rewinds.
#include "tests/labs/lab_test.h"

TEST(the_fleet_takes_one_course) {
    static const char *const all[] = {"leaders=0", "flock.view=all", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "fleet", all, &env);
    double before = lab_number(t, sim, "one course");
    lab_run(t, sim, 2400);
    CHECK(lab_number(t, sim, "one course") > before + 0.3);
    CHECK(lab_drawn(sim) > 20);
    ploy_sim_destroy(sim);
}

TEST(the_player_steers_and_the_run_rewinds) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "fleet", NULL, &env);
    lab_command(t, sim, "left", ploy_value_none());
    lab_run(t, sim, 60);
    CHECK(lab_number(t, sim, "craft 0/rotation") > 0.1);
    lab_command(t, sim, "right", ploy_value_none());
    lab_run(t, sim, 120);
    CHECK(lab_number(t, sim, "craft 0/rotation") < -0.1);
    lab_send_at(t, sim, "turn to", 0.0f, 0.0f);
    lab_command(t, sim, "ahead", ploy_value_none());
    CHECK_NEAR(lab_number(t, sim, "rudder"), 0.0, 0.0);
    lab_check_rewind(t, sim, 200);
    ploy_sim_destroy(sim);
    char name[] = "fleet";
    CHECK_FAIL_NTH(lab_create, name);
}
