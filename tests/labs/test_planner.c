// The lab `planner`: it rewinds to the same bytes, clicked or not, and survives every failing
// allocation.
#include "tests/labs/lab_test.h"

TEST(planner_rewinds_to_the_same_bytes) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "planner", NULL, &env);
    lab_run(t, sim, 300);
    CHECK(lab_drawn(sim) > 10);
    lab_check_rewind(t, sim, 900);
    lab_check_rewind_clicking(t, sim);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(planner_create_survives_every_failing_allocation) {
    static char name[] = "planner";
    CHECK_FAIL_NTH(lab_create, name);
}

// Fed again and again; with the pond frozen there is no plan and he says why; and open again he
// goes on.
TEST(planner_eats_despairs_and_recovers) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "planner", NULL, &env);
    // Without the axe he would gather three times for 4 each instead of 1 + 2 + 2; without fish
    // there is nothing to eat.
    lab_run(t, sim, 60);
    CHECK_NEAR(lab_number(t, sim, "woodcutter/take the axe/dearer without"), 7.0, 0.0);
    CHECK(lab_number(t, sim, "woodcutter/fish/dearer without") > 1e9);
    lab_run(t, sim, 2340);
    double meals = lab_number(t, sim, "meals");
    CHECK(meals >= 1.0);
    CHECK_NEAR(lab_number(t, sim, "despairs"), 0.0, 0.0);
    lab_click(t, sim, 7.0f, -5.0f);
    lab_run(t, sim, 1200);
    CHECK(lab_number(t, sim, "despairs") >= 1.0);
    lab_click(t, sim, 7.0f, -5.0f);
    meals = lab_number(t, sim, "meals");
    lab_run(t, sim, 2400);
    CHECK(lab_number(t, sim, "meals") > meals);
    ploy_sim_destroy(sim);
}
