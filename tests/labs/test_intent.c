// The lab `squad` (TAC-42 to 47): posts by intent, explicit orders, three schemes, and why the player
// belongs on top.
#include "tests/labs/tactics_lab.h"

TEST(the_squad_stays_with_the_player_in_every_scheme) {
    ploy_env env = ploy_env_default();
    static const char *const schemes[] = {"scheme=direct", "scheme=poll", "scheme=events"};
    for (size_t i = 0; i < COUNT_OF(schemes); i++) {
        const char *const settings[] = {schemes[i], NULL};
        ploy_sim *sim = tactics_lab_start(t, "intent", settings, 1, &env);
        lab_run(t, sim, 1600);
        CHECK(lab_number(t, sim, "given") > 20.0);
        CHECK(lab_number(t, sim, "reports/seen") > 0.0); // members' sightings reach the player
        CHECK(lab_number(t, sim, "state/alone") < 300.0);
        CHECK(lab_drawn(sim) > 8);
        ploy_sim_destroy(sim);
    }
}

TEST(with_a_commander_above_the_player_walks_alone) {
    static const char *const commander[] = {"commander=true", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = tactics_lab_start(t, "intent", commander, 1, &env);
    lab_run(t, sim, 1600);
    CHECK(lab_number(t, sim, "state/alone") > 800.0); // the plan is subverted
    ploy_sim_destroy(sim);
}

TEST(explicit_orders_come_first_and_expire) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = tactics_lab_start(t, "intent", NULL, 1, &env);
    lab_run(t, sim, 200);
    lab_command(t, sim, "regroup", ploy_value_none());
    lab_run(t, sim, 390);
    CHECK(lab_number(t, sim, "state/alone") > 100.0); // at the rally point, as ordered
    double before = lab_number(t, sim, "state/alone");
    lab_run(t, sim, 800);
    CHECK(lab_number(t, sim, "state/alone") < before + 300.0); // expired: with the player again
    lab_send_at(t, sim, "defend", 10.0f, 0.0f);
    lab_command(t, sim, "cover", ploy_value_none());
    lab_command(t, sim, "assault", ploy_value_none());
    lab_run(t, sim, 50);
    for (int32_t i = 0; i < 4; i++) lab_command(t, sim, "fall", ploy_value_none());
    lab_run(t, sim, 50);
    CHECK_NEAR(lab_number(t, sim, "reports/lost"), 3, 0); // the player hears of each
    ploy_sim_destroy(sim);
}

TEST(the_squad_rewinds_and_gives_its_memory_back) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    static const char *const events[] = {"scheme=events", NULL};
    ploy_sim *sim = lab_start(t, "intent", events, &env);
    lab_run(t, sim, 300);
    lab_check_rewind(t, sim, 600);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
    CHECK_FAIL_NTH(lab_create, (void *)(uintptr_t) "intent");
}
