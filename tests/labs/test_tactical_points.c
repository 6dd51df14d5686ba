// The labs `cover` and `generator`: soldiers find cover, margins keep them there, points are generated.
#include "tests/labs/lab_edit.h"

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

TEST(the_query_is_edited_while_soldiers_live_by_it) {
    static const lab_edit edits[] = {
        {"cover", "test hidden in 0.6..1 weight 2", "test hidden weight 1", "test hiden weight 1",
         5},
        {"cover", "from points within 30", "from ring 8 count 12", "from places within 9", 0},
        {"cover", "margin", "margin 0.3 # ", "quality calm = cover\nmargin", 2},
    };
    for (size_t i = 0; i < COUNT_OF(edits); i++) {
        t->row = edits[i].to;
        ploy_env env = ploy_env_default();
        ploy_sim *sim = lab_start(t, "cover", NULL, &env);
        lab_run(t, sim, 95); // a query is under way
        lab_check_edit(t, sim, &edits[i]);
        ploy_sim_destroy(sim);
    }
}

// Places in the open instead of cover: the edit takes effect at once.
TEST(an_edited_query_sends_soldiers_elsewhere) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "cover", NULL, &env);
    lab_run(t, sim, 300);
    double before = lab_number(t, sim, "changes");
    ploy_input input =
        lab_reload_input("cover", "from points\ntest distance self weight 1 from 0 to 40\n");
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
    lab_run(t, sim, 120);
    CHECK(lab_number(t, sim, "changes") > before); // the farthest point, not the one held
    ploy_sim_destroy(sim);
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
