// The lab `scripts` (TAC-50, 51): a synchronised pass is always caught, a hurried one by luck, and two
// climb a wall only together.
#include "tests/labs/tactics_lab.h"

TEST(a_pass_that_waits_is_always_caught) {
    ploy_env env = ploy_env_default();
    static const char *const hurried[] = {"script=hurried", NULL};
    for (int64_t seed = 1; seed <= test_rounds(5); seed++) {
        TEST_SEED(seed);
        ploy_sim *sim = tactics_lab_start(t, "scripts", NULL, (uint64_t)seed, &env);
        lab_run(t, sim, 3000);
        CHECK(lab_number(t, sim, "caught") > 10.0);
        CHECK_NEAR(lab_number(t, sim, "dropped"), 0, 0);
        CHECK(lab_drawn(sim) > 5);
        ploy_sim_destroy(sim);
        sim = tactics_lab_start(t, "scripts", hurried, (uint64_t)seed, &env);
        lab_run(t, sim, 3000);
        CHECK(lab_number(t, sim, "dropped") > 0.0);
        ploy_sim_destroy(sim);
    }
}

TEST(the_wall_is_climbed_together) {
    static const char *const wall[] = {"script=wall", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = tactics_lab_start(t, "scripts", wall, 1, &env);
    lab_run(t, sim, 2000);
    CHECK(lab_number(t, sim, "climbed") > 8.0);
    CHECK_NEAR(lab_number(t, sim, "state/aborted"), 0, 0);
    ploy_sim_destroy(sim);
}

TEST(a_runner_who_is_held_too_long_aborts_the_pass) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = tactics_lab_start(t, "scripts", NULL, 1, &env);
    for (int32_t i = 0; i < 30; i++) lab_command(t, sim, "tackle", ploy_value_none());
    lab_run(t, sim, 500);
    CHECK_NEAR(lab_number(t, sim, "state/aborted"), 1, 0);
    CHECK_NEAR(lab_number(t, sim, "dropped"), 0, 0);
    lab_command(t, sim, "call off", ploy_value_none());
    ploy_sim_destroy(sim);
}

TEST(the_scripts_rewind_and_give_their_memory_back) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_sim *sim = lab_start(t, "scripts", NULL, &env);
    lab_run(t, sim, 50);
    lab_check_rewind(t, sim, 400);
    ploy_sim_destroy(sim);
    CHECK_INT(counts.bytes, 0);
    CHECK_FAIL_NTH(lab_create, (void *)(uintptr_t) "scripts");
}

TEST(the_scripts_are_edited_while_they_run) {
    const lab_edit edit = {"scripts", "play throw for 1", "play throw for 2", "wait nothing", 9};
    lab_check_edited(t, "scripts", &edit);
}
