// The lab `doors`: agents get through a door and up by a lift, again and again, and a door that closes too
// soon is tried again.
#include "tests/labs/lab_test.h"

TEST(agents_pass_the_door_and_ride_the_lift) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "doors", NULL, &env);
    bool between = false, shut = false;
    for (int32_t i = 0; i < 100; i++) {
        lab_run(t, sim, 60);
        shut = shut || lab_number(t, sim, "open") == 0.0;
        double lift = lab_number(t, sim, "lift");
        between = between || (lift > 0.0 && lift < 1.0);
    }
    static const char *const least[] = {"first/arrivals", "second/arrivals", "first/doors",
                                        "second/doors",   "first/rides",     "second/rides"};
    for (size_t i = 0; i < COUNT_OF(least); i++) {
        double count = lab_number(t, sim, least[i]);
        t->row = least[i];
        CHECK(count >= 4.0);
    }
    t->row = NULL;
    CHECK(shut && between);
    CHECK(lab_number(t, sim, "opened") >= 6.0); // it closed in between
    CHECK(lab_drawn(sim) > 15);
    lab_check_rewind(t, sim, 600);
    ploy_sim_destroy(sim);
}

TEST(a_door_that_closes_too_soon_is_tried_again) {
    ploy_env env = ploy_env_default();
    // The walk from the switch to the door takes longer: most times it is shut again.
    static const char *const hasty[] = {"open_time=0.5", NULL};
    ploy_sim *sim = lab_start(t, "doors", hasty, &env);
    lab_run(t, sim, 3600);
    double passed = lab_number(t, sim, "first/doors") + lab_number(t, sim, "second/doors");
    CHECK(lab_number(t, sim, "opened") >= passed + 4.0);
    lab_set(t, sim, "open_time", ploy_value_f32(6.0f));
    lab_run(t, sim, 3600);
    CHECK(lab_number(t, sim, "first/doors") + lab_number(t, sim, "second/doors") > passed + 3.0);
    ploy_sim_destroy(sim);
}

TEST(doors_create_survives_every_failing_allocation) {
    static char name[] = "doors";
    CHECK_FAIL_NTH(lab_create, name);
}
