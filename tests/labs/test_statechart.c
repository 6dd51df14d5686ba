// The lab `statechart`: buttons send events, it rewinds to the same bytes and survives every failing
// allocation.
#include "tests/labs/lab_edit.h"

TEST(statechart_rewinds_to_the_same_bytes) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "statechart", NULL, &env);
    lab_run(t, sim, 300);
    CHECK(lab_drawn(sim) > 30);
    lab_check_rewind(t, sim, 900);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

// Numbers of states, in the order of the chart.
enum { MENU = 3, SETTINGS = 4, RUNNING = 6, PAUSED = 7, SAVING = 9, CALM = 11, WILD = 12 };

TEST(statechart_goes_through_an_application) { // FSM-20
    static const char *const settings[] = {"every=0", NULL};
    static const struct {
        int button, ticks, screen;
    } rows[] = {
        {3, 1, SETTINGS}, {4, 1, MENU},     {0, 1, RUNNING}, {1, 1, PAUSED},
        {2, 1, SAVING},   {3, 121, PAUSED}, // saved after two seconds: back where it was
        {1, 1, RUNNING},  {2, 1, SAVING},   {5, 1, MENU},    {4, 200, MENU}, // and cancelled
    };
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "statechart", settings, &env);
    lab_run(t, sim, 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        TEST_SEED(i);
        lab_click(t, sim, 3.0f + 4.0f * (float)rows[i].button, 0.0f);
        lab_run(t, sim, rows[i].ticks);
        CHECK_NEAR(lab_number(t, sim, "screen"), rows[i].screen, 0.0);
        bool wild = rows[i].screen == RUNNING;
        CHECK_NEAR(lab_number(t, sim, "music"), wild ? WILD : CALM, 0.0);
    }
    ploy_sim_destroy(sim);
}

TEST(statechart_create_survives_every_failing_allocation) {
    static char name[] = "statechart";
    CHECK_FAIL_NTH(lab_create, name);
}

TEST(statechart_goes_on_with_an_edited_definition) {
    static const lab_edit edit = {"application", "target='settings'", "target='saving'",
                                  "target='setings'", 7};
    lab_check_edited(t, "statechart", &edit);
}
