// The lab `goals`: it rewinds to the same bytes, clicked or not, and survives every failing
// allocation.
#include "tests/labs/lab_test.h"

TEST(goals_rewinds_to_the_same_bytes) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "goals", NULL, &env);
    lab_run(t, sim, 300);
    CHECK(lab_drawn(sim) > 10);
    lab_check_rewind(t, sim, 900);
    lab_check_rewind_clicking(t, sim);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(goals_create_survives_every_failing_allocation) {
    static char name[] = "goals";
    CHECK_FAIL_NTH(lab_create, name);
}

TEST(goals_collectors_collect_and_an_order_is_carried_out) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "goals", NULL, &env);
    lab_run(t, sim, 3000);
    CHECK(lab_number(t, sim, "collected") >= 3.0);
    CHECK_NEAR(lab_number(t, sim, "obeyed"), 0.0, 0.0);
    lab_click(t, sim, 8.0f, 6.0f);
    lab_run(t, sim, 600);
    CHECK_NEAR(lab_number(t, sim, "obeyed"), 1.0, 0.0);
    ploy_sim_destroy(sim);
}
