// The lab `waypoints`: the network serves its walker, posts close ways, and it rewinds.
#include "tests/labs/lab_test.h"

TEST(waypoints_serve_a_walker_and_posts_close_ways) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "waypoints", NULL, &env);
    lab_run(t, sim, 1500);
    CHECK(lab_number(t, sim, "arrived") > 1.0);
    CHECK(lab_drawn(sim) > 40);
    for (int32_t i = 0; i < 12; i++) lab_click(t, sim, 6.0f + 4.0f * (float)i, 20.0f);
    CHECK(lab_number(t, sim, "shut") > 0.0);
    lab_check_rewind(t, sim, 200);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}
