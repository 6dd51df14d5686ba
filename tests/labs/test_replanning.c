// The lab `replanning`: mending takes less than searching anew, and it rewinds to the same bytes.
#include "tests/labs/lab_test.h"

TEST(replanning_takes_less_than_searching_anew) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "replanning", NULL, &env);
    lab_run(t, sim, 1500);
    CHECK(lab_number(t, sim, "changes/doors") > 20.0);
    CHECK(lab_number(t, sim, "changes/mended") < lab_number(t, sim, "changes/anew"));
    CHECK(lab_drawn(sim) > 100);
    double doors = lab_number(t, sim, "changes/doors");
    for (int32_t i = 0; i < 40; i++) lab_click(t, sim, 8.5f, 0.5f + (float)i); // along a wall
    CHECK(lab_number(t, sim, "changes/doors") > doors);
    lab_check_rewind(t, sim, 400);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(replanning_create_survives_every_failing_allocation) {
    static char name[] = "replanning";
    CHECK_FAIL_NTH(lab_create, name);
}
