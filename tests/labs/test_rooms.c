// The lab `rooms`: a crash is heard, a smell spreads, a door keeps it out, the dog finds it, and it
// rewinds.
#include "tests/labs/lab_test.h"

TEST(a_smell_spreads_unless_the_doors_are_shut) {
    for (int32_t shut = 0; shut < 2; shut++) {
        ploy_env env = ploy_env_default();
        static const char *const doors[] = {"click=door", NULL};
        ploy_sim *sim = lab_start(t, "rooms", doors, &env);
        if (shut) {
            lab_click(t, sim, 6, 15); // of the cellar, where a pot boils over at tick 120
            lab_click(t, sim, 3, 12);
        }
        lab_run(t, sim, 1400);
        CHECK(lab_number(t, sim, "cellar") > 1);
        CHECK_INT(lab_number(t, sim, "hall") > 0.5, !shut);
        CHECK_INT(lab_number(t, sim, "well") > 0.5, !shut);
        CHECK(lab_number(t, sim, "guard") > 0); // the duct is always open
        ploy_sim_destroy(sim);
    }
}

TEST(a_click_is_heard) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "rooms", NULL, &env);
    lab_run(t, sim, 10);
    CHECK_NEAR(lab_number(t, sim, "percepts"), 0, 0);
    lab_click(t, sim, 9, 9);
    lab_run(t, sim, 40);
    CHECK(lab_number(t, sim, "percepts") > 0);
    lab_click(t, sim, -500, 9); // outside: nobody notices, nothing breaks
    ploy_sim_destroy(sim);
}

TEST(rooms_rewind_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "rooms", NULL, &env);
    lab_run(t, sim, 200);
    lab_click(t, sim, 9, 9);
    lab_check_rewind(t, sim, 700);
    ploy_sim_destroy(sim);
}
