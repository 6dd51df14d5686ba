// The lab `fireteam` (TAC-48, 49): fewer losses than walking, at most one advances under fire, and a
// dwell means fewer switches.
#include "tests/labs/tactics_lab.h"

TEST(the_team_loses_fewer_than_four_who_walk) {
    static const char *const walk[] = {"walk=true", NULL};
    ploy_env env = ploy_env_default();
    tactics_pairs pairs = {0.0, 0.0, 0};
    for (int64_t seed = 1; seed <= tactics_seeds(12); seed++) {
        TEST_SEED(seed);
        double rates[2];
        for (int32_t k = 0; k < 2; k++) {
            ploy_sim *sim =
                tactics_lab_start(t, "fireteam", k == 0 ? NULL : walk, (uint64_t)seed, &env);
            lab_run(t, sim, 5000);
            double rounds = lab_number(t, sim, "crossed") + lab_number(t, sim, "wiped out");
            CHECK(rounds > 0.0);
            rates[k] = lab_number(t, sim, "losses") / rounds;
            CHECK_NEAR(lab_number(t, sim, "crowded"), 0, 0); // at most one advances under fire
            CHECK(lab_drawn(sim) > 20);
            ploy_sim_destroy(sim);
        }
        tactics_pair(&pairs, rates[1] - rates[0]);
    }
    CHECK(tactics_t(&pairs) > 2.72);
}

TEST(a_dwell_means_fewer_switches) {
    static const char *const sizes[] = {"members=4", "members=7"};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        double rates[2] = {0.0, 0.0};
        t->row = sizes[i];
        for (int32_t k = 0; k < 2; k++) {
            const char *const settings[] = {sizes[i], k == 0 ? "dwell=0" : "dwell=1.5", NULL};
            ploy_sim *sim = tactics_lab_start(t, "fireteam", settings, 1, &env);
            lab_run(t, sim, 12000);
            rates[k] = lab_number(t, sim, "state/switches") / lab_number(t, sim, "member ticks");
            CHECK_NEAR(lab_number(t, sim, "crowded"), 0, 0);
            ploy_sim_destroy(sim);
        }
        CHECK(rates[1] < rates[0]);
    }
}

TEST(the_team_goes_on_after_losses_and_roles_have_an_effect) {
    static const char *const roles[] = {"roles=true", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = tactics_lab_start(t, "fireteam", NULL, 2, &env);
    for (int32_t i = 0; i < 3; i++) lab_command(t, sim, "shell", ploy_value_none());
    double x = lab_number(t, sim, "losses");
    CHECK_NEAR(x, 3, 0);
    // The log has what happened, the latest first.
    CHECK(lab_ask(sim, "log/2/time").found);
    CHECK(lab_number(t, sim, "log/0/time") >= lab_number(t, sim, "log/2/time"));
    lab_run(t, sim, 6000);
    CHECK(lab_number(t, sim, "crossed") > 0.0);
    ploy_sim_destroy(sim);
    sim = tactics_lab_start(t, "fireteam", roles, 2, &env);
    lab_run(t, sim, 12000);
    CHECK(lab_number(t, sim, "revived") > 0.0);
    ploy_sim_destroy(sim);
}

TEST(the_field_rewinds_and_gives_its_memory_back) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "fireteam", NULL, &env);
    lab_run(t, sim, 300);
    lab_check_rewind(t, sim, 1500);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
    CHECK_FAIL_NTH(lab_create, (void *)(uintptr_t) "fireteam");
}

TEST(the_roles_are_edited_while_they_run) {
    const lab_edit edit = {"roles", "suppressing >= 2 ||", "suppressing >= 1 ||",
                           "suppresing >= 2 ||", 4};
    lab_check_edited(t, "fireteam", &edit);
}
