// The lab `cooperative`: nobody stands where another does, many arrive, and it rewinds.
#include "tests/labs/lab_test.h"

TEST(cooperative_crowds_arrive_and_rewind) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "cooperative", NULL, &env);
    lab_run(t, sim, 600);
    CHECK(lab_number(t, sim, "arrived") > 20.0);
    CHECK(lab_drawn(sim) > 60);
    lab_click(t, sim, 5.5f, 5.5f);
    lab_check_rewind(t, sim, 100);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(cooperative_create_survives_every_failing_allocation) {
    static char name[] = "cooperative";
    CHECK_FAIL_NTH(lab_create, name);
}
