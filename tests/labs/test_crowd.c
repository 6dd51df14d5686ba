// The lab `crowd`: in every scene all get to the other side and back; it rewinds to the same bytes
// and survives every failing allocation.
#include "tests/labs/lab_test.h"

TEST(in_every_scene_all_get_across_and_back_and_it_rewinds) {
    static const char *const rows[][3] = {
        {"scene=circle", "count=60", NULL},
        {"scene=corridor", "count=80", NULL},
        {"scene=doorway", "count=40", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i][0];
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        ploy_sim *sim = lab_start(t, "crowd", rows[i], &env);
        lab_run(t, sim, 100);
        CHECK(lab_drawn(sim) > 80);
        lab_send_at(t, sim, "select", 0.0f, 0.0f);
        lab_check_rewind(t, sim, 300);
        for (int32_t ticks = 0; ticks < 6000 && lab_number(t, sim, "crossings") < 2.0;
             ticks += 100) {
            lab_run(t, sim, 100);
        }
        CHECK(lab_number(t, sim, "crossings") >= 2.0);
        CHECK(lab_number(t, sim, "selected") > 0.0);
        ploy_sim_destroy(sim);
        CHECK_INT(counts.bytes, 0);
    }
}

TEST(crowd_create_survives_every_failing_allocation) {
    static char name[] = "crowd";
    CHECK_FAIL_NTH(lab_create, name);
}
