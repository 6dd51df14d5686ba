// The lab `hierarchy`: the walker arrives, an edit makes few blocks anew, and it rewinds to the same
// bytes.
#include "tests/labs/lab_test.h"

TEST(hierarchy_walks_and_follows_edits) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "hierarchy", NULL, &env);
    double goal = lab_number(t, sim, "walker/goal"), last = goal;
    int32_t goals = 0;
    for (int32_t i = 0; i < 3000 && goals < 2; i++) {
        lab_run(t, sim, 1);
        double now = lab_number(t, sim, "walker/goal");
        goals += now != last;
        last = now;
    }
    CHECK(goals == 2); // it came to one and set out for another
    CHECK(lab_drawn(sim) > 100);
    lab_click(t, sim, 40.5f, 30.5f);
    CHECK(lab_number(t, sim, "blocks/made by the last edit") < 24.0); // 9 cells, at most 3 each
    CHECK(lab_number(t, sim, "route/taken") < lab_number(t, sim, "best/taken"));
    lab_check_rewind(t, sim, 300);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(hierarchy_create_survives_every_failing_allocation) {
    static char name[] = "hierarchy";
    CHECK_FAIL_NTH(lab_create, name);
}
