// The lab `level`: the flood grows, checks appear, texts are reloaded, and it rewinds.
#include "tests/labs/lab_test.h"

TEST(the_flood_grows_and_a_new_level_is_flooded_again) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "level", NULL, &env);
    lab_run(t, sim, 10);
    CHECK_INT((int32_t)lab_number(t, sim, "shown"), 60);
    lab_run(t, sim, 200);
    double nodes = lab_number(t, sim, "nodes");
    CHECK(lab_number(t, sim, "shown") >= nodes);
    CHECK_INT((int32_t)lab_number(t, sim, "errors"), 1); // the item in the closed room
    // The wall of the third room gets a gap: more nodes, no error, and an override that no longer
    // finds its node now does.
    static const char text[] = "wall 0 0 20 0\nwall 20 0 20 10\nwall 20 10 0 10\nwall 0 10 0 0\n"
                               "wall 15 0 15 4\nspawn 1 1\nitem railgun 17 5\n";
    ploy_input reload = {PLOY_INPUT_RELOAD, "level", ploy_agent_id_none(), {0}, text,
                         sizeof text - 1};
    CHECK_OK(ploy_sim_step(sim, &reload, 1, NULL));
    lab_run(t, sim, 300);
    CHECK(lab_number(t, sim, "nodes") > nodes);
    CHECK_INT((int32_t)lab_number(t, sim, "errors"), 0);
    reload.bytes = "wal 0 0 1 1\n";
    reload.size = 12;
    CHECK_INT(ploy_sim_check_input(sim, &reload, NULL), PLOY_ERR_FORMAT);
    lab_check_rewind(t, sim, 50);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
}
