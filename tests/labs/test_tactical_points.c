// The labs `cover` and `generator`: soldiers find cover, margins keep them there, points are generated.
#include "tests/labs/lab_test.h"

TEST(soldiers_find_cover_by_every_distance) {
    static const char *const rows[][2] = {
        {"distance=straight", NULL}, {"distance=path", NULL}, {"distance=shortest", NULL}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i][0];
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        ploy_sim *sim = lab_start(t, "cover", rows[i], &env);
        lab_run(t, sim, 600);
        CHECK(lab_number(t, sim, "changes") >= 3.0);
        CHECK(lab_number(t, sim, "ambushes") > 0.0);
        CHECK(lab_number(t, sim, "rays") > 0.0);
        CHECK(lab_drawn(sim) > 60);
        lab_click(t, sim, 10, 10);
        lab_click(t, sim, 30, 10);
        CHECK(lab_number(t, sim, "noises") >= 2.0);
        CHECK(lab_number(t, sim, "heard") >= 1.0);
        lab_check_rewind(t, sim, 100);
        ploy_sim_destroy(sim);
        CHECK_INT(counts.bytes, 0);
    }
}

TEST(the_generator_condenses_a_grid_to_a_few_points) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "generator", NULL, &env);
    lab_run(t, sim, 300);
    double grid = lab_number(t, sim, "grid"), kept = lab_number(t, sim, "kept");
    CHECK(grid > 300.0);
    CHECK(lab_number(t, sim, "passed") > 0.0);
    CHECK(kept > 5.0 && kept < grid / 3);
    lab_run(t, sim, 2500);
    CHECK(lab_number(t, sim, "spots") > 0.0);
    CHECK(lab_drawn(sim) > 60);
    lab_check_rewind(t, sim, 50);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}
