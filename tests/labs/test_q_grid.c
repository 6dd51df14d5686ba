// The labs `q_grid` and `network`: what they learn, and the same bytes after a rewind.
#include "tests/labs/lab_test.h"

TEST(the_cliff_is_learned_in_the_lab) {
    ploy_env env = ploy_env_default();
    static const char *const settings[] = {"problem=trap", "speed=200", "restart=0.1", NULL};
    ploy_sim *sim = lab_start(t, "q_grid", settings, &env);
    lab_run(t, sim, 100);
    CHECK_INT((int64_t)lab_number(t, sim, "play/steps"), 20000);
    CHECK(lab_drawn(sim) > 20);
    ploy_sim_destroy(sim);
}

TEST(q_grid_and_network_rewind_to_the_same_bytes) {
    static const char *const names[] = {"q_grid", "network"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        t->row = names[i];
        ploy_env env = ploy_env_default();
        ploy_sim *sim = lab_start(t, names[i], NULL, &env);
        lab_run(t, sim, 10);
        lab_check_rewind(t, sim, 20);
        lab_command(t, sim, "again", ploy_value_none());
        lab_check_rewind(t, sim, 20);
        ploy_sim_destroy(sim);
    }
}

TEST(a_network_separates_the_ring) {
    ploy_env env = ploy_env_default();
    static const char *const settings[] = {"noise=0", NULL};
    ploy_sim *sim = lab_start(t, "network", settings, &env);
    lab_run(t, sim, 300);
    CHECK_INT((int64_t)lab_number(t, sim, "learned"), 60000);
    CHECK(lab_drawn(sim) > 700);
    lab_command(t, sim, "look", ploy_value_vec2(0.5f, 0.25f));
    lab_run(t, sim, 1);
    ploy_sim_destroy(sim);
}

TEST(a_convolution_tells_pictures_apart) {
    ploy_env env = ploy_env_default();
    static const char *const settings[] = {"shape=pictures", "noise=0", "units=8", NULL};
    ploy_sim *sim = lab_start(t, "network", settings, &env);
    int32_t fresh = lab_drawn(sim);
    CHECK(fresh > 25 * 64 + 8 * 9); // pictures and filters
    lab_run(t, sim, 100);
    double wrong = lab_number(t, sim, "unseen");
    printf("network: error on unseen pictures %.2f\n", wrong);
    CHECK(wrong < 0.1);
    CHECK(lab_number(t, sim, "clicked") >= 100.0); // of those that are not learned
    lab_command(t, sim, "look", ploy_value_vec2(-0.9f, 0.9f));
    CHECK_INT((int64_t)lab_number(t, sim, "clicked"), 100);
    lab_command(t, sim, "look", ploy_value_vec2(0.9f, -0.9f));
    CHECK_INT((int64_t)lab_number(t, sim, "clicked"), 124);
    lab_check_rewind(t, sim, 20);
    ploy_sim_destroy(sim);
}

TEST(q_grid_and_network_survive_a_lack_of_memory) {
    char q_grid[] = "q_grid", network[] = "network";
    CHECK_FAIL_NTH(lab_create, q_grid);
    CHECK_FAIL_NTH(lab_create, network);
}
