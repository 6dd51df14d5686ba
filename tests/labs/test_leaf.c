// The lab `leaf`: three stems with the known turns, the same bytes after a rewind.
#include "tests/labs/lab_test.h"

TEST(stems_have_the_metallic_turns) {
    ploy_env env = ploy_env_default();
    for (int32_t form = 0; form < 2; form++) {
        const char *const settings[] = {form == 0 ? "form=whorl" : "form=spiral", NULL};
        ploy_sim *sim = lab_start(t, "leaf", settings, &env);
        lab_run(t, sim, 100);
        CHECK_NEAR(lab_number(t, sim, "0/turn"), 3.8832221, 1e-6);
        CHECK_NEAR(lab_number(t, sim, "1/turn"), 2.6025805, 1e-6);
        CHECK_INT((int64_t)lab_number(t, sim, "2/count"), 55);
        CHECK(lab_drawn(sim) > 150);
        ploy_sim_destroy(sim);
    }
}

TEST(leaf_rewinds_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "leaf", NULL, &env);
    lab_run(t, sim, 10);
    lab_check_rewind(t, sim, 30);
    lab_set(t, sim, "jitter", ploy_value_f32(0.2f));
    lab_command(t, sim, "again", ploy_value_none());
    lab_check_rewind(t, sim, 30);
    ploy_sim_destroy(sim);
}

TEST(leaf_survives_a_lack_of_memory) {
    char name[] = "leaf";
    CHECK_FAIL_NTH(lab_create, name);
}
