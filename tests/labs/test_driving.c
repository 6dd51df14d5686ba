// The lab `driving`: every body goes round the course by every method, and the run rewinds.
#include "tests/labs/lab_test.h"

TEST(every_body_goes_round_the_course_by_every_method) {
    static const char *const bodies[] = {"car", "motorbike", "tank", "human"};
    static const char *const methods[][2] = {
        {"method=control", NULL}, {"method=filter", NULL}, {"method=search", NULL}};
    ploy_env env = ploy_env_default();
    for (size_t m = 0; m < COUNT_OF(methods); m++) {
        ploy_sim *sim = lab_start(t, "driving", methods[m], &env);
        lab_run(t, sim, 3000);
        for (size_t i = 0; i < COUNT_OF(bodies); i++) {
            char path[32];
            snprintf(path, sizeof path, "%s/passed", bodies[i]);
            // A filter knows nothing of arcs: who is fast and turns widely comes round seldom.
            t->row = path;
            CHECK(lab_number(t, sim, path) >= (m == 1 ? 5.0 : 15.0));
        }
        CHECK(lab_drawn(sim) > 30);
        ploy_sim_destroy(sim);
    }
}

// Everybody comes to the pointer, wherever it goes next, and stays there.
TEST(all_come_to_the_pointer_and_the_run_rewinds) {
    static const char *const free_course[] = {"course=false", "smooth=true", NULL};
    static const char *const rows[] = {"motorbike/from its goal", "car/from its goal",
                                       "tank/from its goal", "human/from its goal"};
    static const ploy_vec2 goals[] = {{4, 8}, {-12, -3}, {15, -6}, {-9, 3}, {4, -5}};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "driving", free_course, &env);
    for (size_t g = 0; g < COUNT_OF(goals); g++) {
        lab_send_at(t, sim, "goal", goals[g].x, goals[g].y);
        if (g == 0) lab_check_rewind(t, sim, 900);
        lab_run(t, sim, 1200);
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            t->row = rows[i];
            CHECK_NEAR(lab_number(t, sim, rows[i]), 0.0, 2.0);
        }
    }
    ploy_sim_destroy(sim);
    char name[] = "driving";
    CHECK_FAIL_NTH(lab_create, name);
}
