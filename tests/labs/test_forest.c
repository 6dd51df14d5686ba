// The lab `forest`: places fill up, species keep apart, and it rewinds.
#include "tests/labs/lab_test.h"

TEST(forest_fills_up_and_rewinds) {
    static const char *const settings[] = {"slice=200", NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "forest", settings, &env);
    lab_check_rewind(t, sim, 20);
    lab_run(t, sim, 200);
    CHECK(lab_drawn(sim) > 500);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(forest_create_survives_every_failing_allocation) {
    static char name[] = "forest";
    CHECK_FAIL_NTH(lab_create, name);
}
