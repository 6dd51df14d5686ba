// The lab `scatter`: its panels fill, its numbers are as expected, it rewinds to the same bytes.
#include "tests/labs/lab_test.h"

TEST(panels_fill_and_keep_their_distances) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "scatter", NULL, &env);
    lab_run(t, sim, 400);
    CHECK_INT((int64_t)lab_number(t, sim, "uniform/count"), 300);
    CHECK_INT((int64_t)lab_number(t, sim, "Halton 2 3/count"), 300);
    CHECK(lab_number(t, sim, "Bridson/nearest") >= 1.0 - 1e-4);
    CHECK(lab_number(t, sim, "rejection/nearest") >= 1.0 - 1e-4);
    CHECK(lab_number(t, sim, "uniform/nearest") < lab_number(t, sim, "Halton 2 3/nearest"));
    CHECK(lab_number(t, sim, "uniform/mean") < lab_number(t, sim, "Halton 2 3/mean"));
    CHECK(lab_drawn(sim) > 2000);
    ploy_sim_destroy(sim);
}

TEST(every_source_of_random_numbers_fills_the_uniform_panel) {
    static const char *const sources[] = {"random=philox", "random=mt19937", "random=xorshift32",
                                          "random=xorshift128"};
    double means[4];
    for (int32_t i = 0; i < 4; i++) {
        ploy_env env = ploy_env_default();
        const char *const settings[] = {sources[i], "speed=100", NULL};
        ploy_sim *sim = lab_start(t, "scatter", settings, &env);
        lab_run(t, sim, 5);
        CHECK_INT((int64_t)lab_number(t, sim, "uniform/count"), 300);
        means[i] = lab_number(t, sim, "uniform/mean");
        CHECK_NEAR(means[i], 0.58, 0.08); // half the distance of a lattice
        CHECK(i == 0 || means[i] != means[0]);
        ploy_sim_destroy(sim);
    }
}

TEST(scatter_rewinds_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "scatter", NULL, &env);
    lab_run(t, sim, 20);
    lab_check_rewind(t, sim, 40);
    lab_command(t, sim, "again", ploy_value_none());
    lab_check_rewind(t, sim, 40);
    lab_set(t, sim, "stride", ploy_value_i64(22)); // shares a factor with 11 and with 2
    lab_run(t, sim, 5);
    CHECK((int64_t)lab_number(t, sim, "Halton 11 13/count") > 0);
    ploy_sim_destroy(sim);
}

TEST(scatter_survives_a_lack_of_memory) {
    char name[] = "scatter";
    CHECK_FAIL_NTH(lab_create, name);
}
