// The lab `house` (TAC-53): nobody enters before the bang, the second never before the first, corners
// differ, every round ends, and the script costs fewer casualties than rushing in.
#include "tests/labs/tactics_lab.h"

static const char *const team[][2] = {
    {"members=4", NULL}, {"members=3", NULL}, {"members=2", NULL}};

TEST(every_house_is_cleared_or_aborted_by_the_rules) {
    ploy_env env = ploy_env_default();
    int64_t fallen = 0;
    double cleared = 0.0, aborted = 0.0;
    for (int64_t seed = 1; seed <= tactics_seeds(6); seed++) {
        TEST_SEED(seed);
        for (size_t i = 0; i < COUNT_OF(team); i++) {
            ploy_sim *sim = tactics_lab_start(t, "house", team[i], (uint64_t)seed, &env);
            lab_run(t, sim, 4000);
            double rounds = lab_number(t, sim, "state/round");
            double ended = lab_number(t, sim, "cleared") + lab_number(t, sim, "state/aborted");
            CHECK(rounds >= 12.0); // none takes longer than a minute
            CHECK(ended >= rounds);
            CHECK_NEAR(lab_number(t, sim, "too early"), 0, 0);
            CHECK_NEAR(lab_number(t, sim, "out of order"), 0, 0);
            CHECK_NEAR(lab_number(t, sim, "same corner"), 0, 0);
            CHECK_NEAR(lab_number(t, sim, "unexplained"), 0, 0); // aborted with a reason
            cleared += lab_number(t, sim, "cleared");
            aborted += lab_number(t, sim, "state/aborted");
            fallen += (int64_t)lab_number(t, sim, "fallen");
            CHECK(lab_drawn(sim) > 10);
            ploy_sim_destroy(sim);
        }
    }
    CHECK(fallen > 0);              // or the casualties would never be tried
    CHECK(cleared > 2.0 * aborted); // some houses are lost by any team of two
}

TEST(a_blocked_door_aborts_and_leaves_nothing) {
    static const char *const blocked[] = {"blocked=1", "hostiles=0", "pause=60", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = tactics_lab_start(t, "house", blocked, 3, &env);
    lab_run(t, sim, 600);
    // A room without hostiles counts as cleared by the grenade alone; nobody is inside.
    CHECK_NEAR(lab_number(t, sim, "state/round"), 0, 0);
    CHECK_NEAR(lab_number(t, sim, "cleared") + lab_number(t, sim, "state/aborted"), 1, 0);
    CHECK_NEAR(lab_number(t, sim, "member 0/entered"), -1, 0);
    CHECK(!lab_ask(sim, "signals/signals/0/scope").found);
    ploy_sim_destroy(sim);
}

TEST(the_script_costs_fewer_casualties_than_rushing_in) {
    static const char *const rush[] = {"rush=true", NULL};
    ploy_env env = ploy_env_default();
    tactics_pairs pairs = {0.0, 0.0, 0};
    for (int64_t seed = 1; seed <= tactics_seeds(12); seed++) {
        TEST_SEED(seed);
        double rates[2];
        for (int32_t k = 0; k < 2; k++) {
            ploy_sim *sim =
                tactics_lab_start(t, "house", k == 0 ? NULL : rush, (uint64_t)seed, &env);
            lab_run(t, sim, 3000);
            rates[k] = lab_number(t, sim, "fallen") / (lab_number(t, sim, "state/round") + 1.0);
            ploy_sim_destroy(sim);
        }
        tactics_pair(&pairs, rates[1] - rates[0]);
    }
    CHECK(tactics_t(&pairs) > 2.72);
}

TEST(the_house_rewinds_and_gives_its_memory_back) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "house", NULL, &env);
    lab_run(t, sim, 100);
    lab_check_rewind(t, sim, 700);
    lab_command(t, sim, "call off", ploy_value_none());
    lab_command(t, sim, "next", ploy_value_none());
    lab_run(t, sim, 200);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
    CHECK_FAIL_NTH(lab_create, (void *)(uintptr_t) "house");
}

TEST(the_house_script_is_edited_while_it_runs) {
    const lab_edit edit = {"house", "play throw", "play throw for 0.5", "wait never", 0};
    lab_check_edited(t, "house", &edit);
}
