// The lab `descent`: with named streams play never changes a level; with one stream it does.
#include "tests/labs/lab_test.h"

TEST(named_streams_give_both_players_the_same_levels) {
    ploy_env env = ploy_env_default();
    static const char *const settings[] = {"pace=100", "fights_first=1000", NULL};
    ploy_sim *sim = lab_start(t, "descent", settings, &env);
    lab_run(t, sim, 800);
    CHECK(lab_number(t, sim, "equal levels") > 50);
    CHECK_INT((int64_t)lab_number(t, sim, "different levels"), 0);
    CHECK_SAME(lab_number(t, sim, "fighter/gold"), lab_number(t, sim, "sneak/gold"));
    CHECK(lab_number(t, sim, "fighter/combat draws") >= 100000);
    CHECK_INT((int64_t)lab_number(t, sim, "sneak/combat draws"), 0);
    ploy_sim_destroy(sim);
}

TEST(one_stream_for_all_lets_them_drift_apart) {
    ploy_env env = ploy_env_default();
    static const char *const settings[] = {"pace=100", "streams=false", NULL};
    ploy_sim *sim = lab_start(t, "descent", settings, &env);
    lab_run(t, sim, 400);
    CHECK(lab_number(t, sim, "different levels") > lab_number(t, sim, "equal levels"));
    ploy_sim_destroy(sim);
}

TEST(descent_rewinds_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    static const char *const settings[] = {"pace=30", NULL};
    ploy_sim *sim = lab_start(t, "descent", settings, &env);
    lab_run(t, sim, 10);
    lab_check_rewind(t, sim, 60);
    CHECK(lab_drawn(sim) > 10);
    ploy_sim_destroy(sim);
}

TEST(descent_survives_a_lack_of_memory) {
    char name[] = "descent";
    CHECK_FAIL_NTH(lab_create, name);
}
