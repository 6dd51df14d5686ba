// The lab `triggers`: things happen by themselves, clicks place and remove, and it rewinds.
#include "tests/labs/lab_test.h"

TEST(walkers_heal_hear_and_open_the_door) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "triggers", NULL, &env);
    lab_run(t, sim, 1200);
    CHECK(lab_number(t, sim, "healed") > 3);
    CHECK(lab_number(t, sim, "heard") > 3);
    CHECK(lab_number(t, sim, "door until") > 0);
    ploy_sim_destroy(sim);
}

TEST(clicks_place_and_remove_triggers) {
    ploy_env env = ploy_env_default();
    static const char *const quiet[] = {"speed=0", "tiring=0", "loudness=30", NULL};
    ploy_sim *sim = lab_start(t, "triggers", quiet, &env);
    lab_run(t, sim, 30);
    double before = lab_number(t, sim, "heard");
    lab_click(t, sim, 0, 0); // a noise that everybody hears, standing still
    lab_run(t, sim, 20);
    CHECK_NEAR(lab_number(t, sim, "heard") - before, 24, 0);
    lab_set(t, sim, "place", ploy_value_text("remove"));
    lab_click(t, sim, -4, -5); // a plate
    lab_click(t, sim, 4, 5);
    lab_set(t, sim, "speed", ploy_value_f32(2));
    double door = lab_number(t, sim, "door until");
    lab_run(t, sim, 600);
    CHECK_NEAR(lab_number(t, sim, "door until"), door, 0); // without plates nobody opens it
    ploy_sim_destroy(sim);
}

TEST(triggers_rewind_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "triggers", NULL, &env);
    lab_run(t, sim, 100);
    lab_click(t, sim, 3, 3);
    lab_check_rewind(t, sim, 700);
    ploy_sim_destroy(sim);
}
