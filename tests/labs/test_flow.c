// The lab `flow`: agents arrive, painted walls are followed, and it rewinds to the same bytes.
#include "tests/labs/lab_test.h"

TEST(flow_brings_agents_to_the_goal) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "flow", NULL, &env);
    lab_run(t, sim, 600);
    double before = lab_number(t, sim, "arrived");
    CHECK(before > 50.0);
    CHECK(lab_drawn(sim) > 300);
    // The goal moves, and they go there.
    lab_send_at(t, sim, "goal", 5.5f, 20.5f);
    lab_run(t, sim, 1200);
    CHECK(lab_number(t, sim, "arrived") > before + 50.0);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}

TEST(flow_rewinds_to_the_same_bytes) {
    static const char *const few[] = {"count=60", "slice=20", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "flow", few, &env);
    for (int32_t i = 0; i < 20; i++) lab_click(t, sim, 20.0f + (float)i, 10.0f + (float)(i % 3));
    lab_check_rewind(t, sim, 200);
    lab_check_rewind_clicking(t, sim);
    ploy_sim_destroy(sim);
}

TEST(flow_create_survives_every_failing_allocation) {
    static char name[] = "flow";
    CHECK_FAIL_NTH(lab_create, name);
}
