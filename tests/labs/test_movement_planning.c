// The lab `movement_planning`: every scene reaches its goals, the police car touches nobody, and all
// rewind to the same bytes.
#include "tests/labs/lab_test.h"

TEST(every_scene_of_movement_planning_gets_there) {
    static const struct {
        const char *scene;
        int32_t ticks;
        double trips;
    } rows[] = {{"lava", 1600, 1}, {"stones", 2200, 1}, {"headings", 1200, 2}, {"police", 1200, 4}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].scene;
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        char setting[32];
        snprintf(setting, sizeof setting, "scene=%s", rows[i].scene);
        const char *const settings[2] = {setting, NULL};
        ploy_sim *sim = lab_start(t, "movement_planning", settings, &env);
        double nearest = 1e3;
        for (int32_t k = 0; k < rows[i].ticks; k++) {
            lab_run(t, sim, 1);
            if (i == 3) nearest = lab_number(t, sim, "nearest bumper");
        }
        CHECK(lab_number(t, sim, "trips") >= rows[i].trips);
        CHECK(nearest > -1e-6);
        CHECK(lab_drawn(sim) > 10);
        lab_click(t, sim, 9.5f, 3.5f);
        lab_check_rewind(t, sim, 200);
        ploy_sim_destroy(sim);
        CHECK_INT(counts.bytes, 0);
    }
}

TEST(movement_planning_create_survives_every_failing_allocation) {
    static char name[] = "movement_planning";
    CHECK_FAIL_NTH(lab_create, name);
}
