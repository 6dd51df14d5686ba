// The lab `obstacles`: the course can be run by every way of combining, and the run rewinds.
#include "tests/labs/lab_test.h"

TEST(runners_arrive_by_every_way_of_combining) {
    static const struct {
        const char *mode[2];
        double least; // arrivals of 16 runners in a minute
    } rows[] = {
        {{"combine.mode=sum", NULL}, 10},       {{"combine.mode=running sum", NULL}, 10},
        {{"combine.mode=dither", NULL}, 10},    {{"combine.mode=priority", NULL}, 10},
        {{"combine.mode=cooperate", NULL}, 10},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_sim *sim = lab_start(t, "obstacles", rows[i].mode, &env);
        lab_run(t, sim, 3600);
        t->row = rows[i].mode[0];
        double arrived = lab_number(t, sim, "arrived");
        t->row = rows[i].mode[0];
        CHECK(arrived >= rows[i].least);
        CHECK(lab_drawn(sim) > 40);
        ploy_sim_destroy(sim);
    }
}

TEST(the_goal_moves_and_the_run_rewinds) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "obstacles", NULL, &env);
    lab_run(t, sim, 100);
    lab_send_at(t, sim, "goal", 15.0f, 9.0f);
    CHECK_NEAR(lab_number(t, sim, "runner 3/stops"), 2.0, 0.0);
    lab_check_rewind(t, sim, 400);
    ploy_sim_destroy(sim);
    char name[] = "obstacles";
    CHECK_FAIL_NTH(lab_create, name);
}
