// The lab `planners`: the budget is kept in every tick, walkers arrive, and it rewinds.
#include "tests/labs/lab_test.h"

TEST(planners_keep_the_budget_and_walkers_arrive) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    static const char *const settings[] = {"units=60", NULL};
    ploy_sim *sim = lab_start(t, "planners", settings, &env);
    for (int32_t i = 0; i < 400; i++) {
        lab_run(t, sim, 1);
        CHECK(lab_number(t, sim, "spent") <= 60.0);
    }
    CHECK(lab_number(t, sim, "service/answers") > 60.0);
    CHECK(lab_drawn(sim) > 60);
    lab_run(t, sim, 600);
    CHECK(lab_number(t, sim, "arrived") > 10.0);
    for (int32_t i = 0; i < 5; i++) lab_click(t, sim, 10.5f + (float)i, 10.5f);
    lab_check_rewind(t, sim, 100);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(planners_create_survives_every_failing_allocation) {
    static char name[] = "planners";
    CHECK_FAIL_NTH(lab_create, name);
}
