// The lab `terrain`: its stages come one after another, can be cut short, and it rewinds.
#include "tests/labs/lab_test.h"

TEST(terrain_goes_through_its_stages_and_rewinds) {
    static const char *const settings[] = {"cells=48", "slice=2000", "droplets.count=500",
                                           "thermal.passes=5", NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "terrain", settings, &env);
    lab_check_rewind(t, sim, 3);
    lab_run(t, sim, 60);
    CHECK(lab_number(t, sim, "complete") > 0.0);
    CHECK_NEAR(lab_number(t, sim, "stages"), 5.0, 0.0); // hills, droplets, thermal, water, roads
    CHECK(lab_drawn(sim) > 1000);
    lab_check_rewind(t, sim, 5);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(terrain_shows_any_stage_in_relief) {
    static const char *const settings[] = {"cells=32",    "stages=2",     "use_faults=true",
                                           "view=relief", "slice=100000", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "terrain", settings, &env);
    lab_run(t, sim, 10);
    CHECK_NEAR(lab_number(t, sim, "stages"), 2.0, 0.0);
    CHECK(lab_drawn(sim) > 900);
    ploy_sim_destroy(sim);
}

TEST(terrain_create_survives_every_failing_allocation) {
    static char name[] = "terrain";
    CHECK_FAIL_NTH(lab_create, name);
}
