// The lab `strategy`: nations play to the end, a person chooses, and everything rewinds.
#include "tests/labs/lab_test.h"

TEST(strategy_nations_play_to_the_end_and_rewind) {
    static const char *const firsts[] = {"first=monte_carlo", "first=search", "first=options"};
    for (size_t i = 0; i < COUNT_OF(firsts); i++) {
        t->row = firsts[i];
        ploy_env env = ploy_env_default();
        const char *settings[] = {firsts[i], "pause=1", "playouts=60", NULL};
        ploy_sim *sim = lab_start(t, "strategy", settings, &env);
        lab_run(t, sim, 3);
        lab_check_rewind(t, sim, 6);
        CHECK(lab_drawn(sim) > 20);
        lab_run(t, sim, 120);
        CHECK(lab_number(t, sim, "games") >= 1.0);
        ploy_sim_destroy(sim);
    }
}

TEST(strategy_a_person_attacks_by_click) {
    ploy_env env = ploy_env_default();
    const char *settings[] = {"first=person", "pause=1", NULL};
    ploy_sim *sim = lab_start(t, "strategy", settings, &env);
    lab_run(t, sim, 10);
    CHECK_NEAR(lab_number(t, sim, "chosen"), 0.0, 0.0);
    lab_click(t, sim, 1.5f, 2.5f); // the city beside the capital
    lab_run(t, sim, 2);
    CHECK(lab_drawn(sim) > 20);
    lab_command(t, sim, "economy", ploy_value_none());
    lab_check_rewind(t, sim, 6);
    lab_command(t, sim, "new", ploy_value_none());
    ploy_sim_destroy(sim);
}

TEST(strategy_survives_lack_of_memory) {
    CHECK_FAIL_NTH(lab_create, "strategy");
}
