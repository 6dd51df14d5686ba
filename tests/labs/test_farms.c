// The lab `farms`: couriers go to kitchens and through houses; two levels take fewer nodes for paths that are
// hardly longer.
#include "tests/labs/lab_test.h"

TEST(farms_couriers_deliver_letters_by_both_methods) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "farms", NULL, &env);
    CHECK(lab_number(t, sim, "nodes") == 10000 + 20 * 4 + 20 * 6);
    // Both start at the same place with the same letter.
    CHECK(lab_number(t, sim, "plain/farm") == lab_number(t, sim, "levels/farm"));
    CHECK(lab_number(t, sim, "levels/cost") >= lab_number(t, sim, "plain/cost") - 1e-6);
    double best = 0.0, found = 0.0, most = 0.0, less = 0.0;
    for (int32_t i = 0; i < 40; i++) {
        lab_run(t, sim, 60);
        if (lab_number(t, sim, "plain/letter") != lab_number(t, sim, "levels/letter")) continue;
        best = lab_number(t, sim, "plain/cost in all");
        found = lab_number(t, sim, "levels/cost in all");
        most = lab_number(t, sim, "plain/taken in all");
        less = lab_number(t, sim, "levels/taken in all");
        CHECK(found >= best - 1e-6 && found <= 1.15 * best);
        CHECK(less * 3.0 < most);
    }
    CHECK(best > 0.0 && less > 0.0);
    CHECK(lab_number(t, sim, "plain/letter") >= 4.0 && lab_number(t, sim, "levels/letter") >= 4.0);
    CHECK(lab_number(t, sim, "plain/rooms") >= 8.0); // into the kitchens and out again
    CHECK(lab_number(t, sim, "levels/rooms") >= 8.0);
    CHECK(lab_drawn(sim) > 50);
    lab_check_rewind(t, sim, 120);
    ploy_sim_destroy(sim);
}

TEST(farms_with_dear_doors_are_entered_for_letters_alone) {
    ploy_env env = ploy_env_default();
    static const char *const dear[] = {"door_cost=50", NULL};
    ploy_sim *free_doors = lab_start(t, "farms", NULL, &env);
    ploy_sim *sim = lab_start(t, "farms", dear, &env);
    lab_run(t, free_doors, 2400);
    lab_run(t, sim, 2400);
    // In by the front door and out by it: two nodes each time, and the same room twice.
    double letters = lab_number(t, sim, "plain/letter") - 1.0;
    CHECK(lab_number(t, sim, "plain/rooms") <= 4.0 * letters + 4.0);
    CHECK(lab_number(t, free_doors, "plain/rooms") > lab_number(t, sim, "plain/rooms"));
    ploy_sim_destroy(free_doors);
    ploy_sim_destroy(sim);
}

TEST(farms_create_survives_failing_allocations) {
    static char name[] = "farms";
    CHECK_FAIL_NTH(lab_create, name);
}
