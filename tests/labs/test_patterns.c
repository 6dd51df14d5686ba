// The lab `patterns`: patterns are played, broken off and gone on with, and the run rewinds.
#include "tests/labs/lab_test.h"

TEST(patterns_are_played_and_the_hunter_catches_the_guard) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "patterns", NULL, &env);
    lab_run(t, sim, 3000);
    CHECK(lab_number(t, sim, "caught") >= 2.0);
    CHECK(lab_number(t, sim, "bombs") >= 10.0);
    CHECK(lab_drawn(sim) > 400);
    CHECK(lab_number(t, sim, "square/instructions done") >= 8.0);
    CHECK(lab_number(t, sim, "zigzag/instructions done") >= 8.0);
    CHECK(lab_number(t, sim, "eights/instructions done") >= 8.0);
    ploy_sim_destroy(sim);
}

TEST(a_pattern_that_is_broken_off_goes_on_where_it_was) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "patterns", NULL, &env);
    lab_run(t, sim, 500);
    lab_command(t, sim, "break off", ploy_value_none());
    double turn = lab_number(t, sim, "turn"), place = lab_number(t, sim, "place in the patrol");
    lab_run(t, sim, 300);
    CHECK_NEAR(lab_number(t, sim, "turn"), turn, 0.0);
    CHECK_NEAR(lab_number(t, sim, "place in the patrol"), place, 0.0);
    lab_command(t, sim, "break off", ploy_value_none());
    lab_run(t, sim, 60);
    CHECK(lab_number(t, sim, "turn") > turn);
    lab_send_at(t, sim, "hunter", -10.0f, 0.0f);
    lab_command(t, sim, "begin", ploy_value_none());
    CHECK(lab_number(t, sim, "place in the patrol") <= 1.0);
    lab_check_rewind(t, sim, 300);
    ploy_sim_destroy(sim);
    char name[] = "patterns";
    CHECK_FAIL_NTH(lab_create, name);
}
