// The lab `plant`: branch by branch or letter by letter, and back.
#include "tests/labs/lab_test.h"

TEST(plant_grows_a_tree_and_rewinds) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "plant", NULL, &env);
    lab_run(t, sim, 5);
    CHECK_NEAR(lab_number(t, sim, "branches"), 40.0, 0.0); // eight a tick
    lab_check_rewind(t, sim, 200);
    CHECK(lab_number(t, sim, "leaves") > 100.0);
    CHECK(lab_drawn(sim) > 500);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(plant_draws_letters) {
    static const char *const settings[] = {"kind=letters", "letters.preset=koch", "slice=100000",
                                           NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "plant", settings, &env);
    lab_run(t, sim, 3);
    CHECK_NEAR(lab_number(t, sim, "branches"), 625.0, 0.0);
    CHECK_NEAR(lab_number(t, sim, "letters"), 1249.0, 0.0);
    CHECK(lab_drawn(sim) > 625);
    ploy_sim_destroy(sim);
}

TEST(plant_create_survives_every_failing_allocation) {
    static char name[] = "plant";
    CHECK_FAIL_NTH(lab_create, name);
}
