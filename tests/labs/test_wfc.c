// The lab `wfc`: it ends, painted tiles are kept and can be undone, the same bytes after a rewind.
#include "tests/labs/lab_test.h"

TEST(painted_tiles_are_kept_and_undone) {
    ploy_env env = ploy_env_default();
    const char *const settings[] = {"slice=100000", "tile=water", NULL};
    ploy_sim *sim = lab_start(t, "wfc", settings, &env);
    lab_run(t, sim, 3);
    double before = lab_number(t, sim, "run/tiles");
    lab_command(t, sim, "paint", ploy_value_vec2(12.5f, 12.5f));
    lab_run(t, sim, 3);
    CHECK_INT((int64_t)lab_number(t, sim, "painted"), 1);
    CHECK_INT((int64_t)lab_number(t, sim, "paint 0/column"), 12);
    CHECK(lab_drawn(sim) > 24 * 24);
    lab_command(t, sim, "paint", ploy_value_vec2(-3.0f, 1.0f)); // outside
    lab_command(t, sim, "undo", ploy_value_none());
    lab_run(t, sim, 3);
    CHECK_INT((int64_t)lab_number(t, sim, "painted"), 0);
    CHECK_NEAR(lab_number(t, sim, "run/tiles"), before, 0); // the first run again
    ploy_sim_destroy(sim);
}

TEST(wfc_rewinds_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "wfc", NULL, &env);
    lab_run(t, sim, 10);
    lab_check_rewind(t, sim, 30);
    lab_command(t, sim, "paint", ploy_value_vec2(3.5f, 3.5f));
    lab_command(t, sim, "seed", ploy_value_none());
    lab_check_rewind(t, sim, 30);
    ploy_sim_destroy(sim);
}

TEST(wfc_survives_a_lack_of_memory) {
    char name[] = "wfc";
    CHECK_FAIL_NTH(lab_create, name);
}
