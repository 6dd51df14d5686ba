// The lab `fuzzy_machines`: degrees blend where an ordinary machine jumps, and the two orders of
// evaluation differ.
#include "tests/labs/lab_test.h"

TEST(degrees_follow_the_intruder_and_the_orders_differ) {
    ploy_env env = ploy_env_default();
    static const char *const hurt[] = {"hurt=0.7", NULL};
    ploy_sim *sim = lab_start(t, "fuzzy_machines", hurt, &env);
    double most[5] = {0.0}, apart = 0.0;
    int32_t several = 0;
    static const char *const states[] = {"patrol", "alert", "attack", "call", "flee"};
    for (int32_t i = 0; i < 200; i++) {
        lab_run(t, sim, 6);
        int32_t active = 0;
        for (int32_t s = 0; s < 5; s++) {
            char one[64], two[64];
            snprintf(one, sizeof one, "sequential/%s", states[s]);
            snprintf(two, sizeof two, "simultaneous/%s", states[s]);
            double degree = lab_number(t, sim, one);
            CHECK(degree >= 0.0 && degree <= 1.0);
            most[s] = degree > most[s] ? degree : most[s];
            active += degree > 0.05;
            apart = fmax(apart, fabs(degree - lab_number(t, sim, two)));
        }
        several += active > 1;
    }
    for (int32_t s = 0; s < 5; s++) {
        t->row = states[s];
        CHECK(most[s] > 0.1);
    }
    t->row = NULL;
    CHECK(several > 50);      // in several states at once
    CHECK(apart > 0.05);      // the order of evaluation matters
    CHECK(most[3] < most[2]); // the call gets less than the attack
    CHECK(lab_drawn(sim) > 10);
    lab_check_rewind(t, sim, 200);
    ploy_sim_destroy(sim);
    static char name[] = "fuzzy_machines";
    CHECK_FAIL_NTH(lab_create, name);
}
