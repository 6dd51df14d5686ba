// The lab `flyers`: all stay in their box, bank in their turns, and the run rewinds.
#include "tests/labs/lab_test.h"

TEST(flyers_stay_inside_and_the_leader_flies_its_curve) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "flyers", NULL, &env);
    double least = 1e9, most = 0.0, lean = 0.0;
    for (int32_t i = 0; i < 60; i++) {
        lab_run(t, sim, 20);
        double along = lab_number(t, sim, "along");
        least = along < least ? along : least;
        most = along > most ? along : most;
        double now = lab_number(t, sim, "flyer 0/lean");
        lean = now > lean ? now : lean;
        CHECK(lab_number(t, sim, "farthest outside") < 1.0);
    }
    CHECK(most - least > 25.0); // most of the way round
    CHECK(lean > 0.1);
    CHECK(lab_drawn(sim) > 100);
    ploy_sim_destroy(sim);
}

TEST(the_curve_bends_and_the_run_rewinds) {
    static const char *const plain[] = {"smooth=false", "flyers=8", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "flyers", plain, &env);
    lab_run(t, sim, 100);
    uint64_t before = ploy_sim_hash(sim);
    lab_send_at(t, sim, "bend", -10.0f, 2.0f);
    CHECK(ploy_sim_hash(sim) != before);
    lab_check_rewind(t, sim, 300);
    ploy_sim_destroy(sim);
    char name[] = "flyers";
    CHECK_FAIL_NTH(lab_create, name);
}
