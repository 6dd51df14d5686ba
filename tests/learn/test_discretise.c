// Bins, sectors and codes of states.
#include "learn_examples.h"

#include "ploy/learn/discretise.h"

TEST(thresholds_are_as_in_the_table_of_braking) {
    ploy_bins bins = {{20.0}, 1};
    static const double speeds[] = {11.3, 70.2, 72.7, 89.4, 15.2, 8.6, 69.4, 12.1, 20.0};
    static const int32_t fast[] = {0, 1, 1, 1, 0, 0, 1, 0, 1};
    for (size_t i = 0; i < COUNT_OF(speeds); i++) {
        CHECK_INT(ploy_bins_find(&bins, speeds[i]), fast[i]);
    }
    CHECK_INT(ploy_bins_find(&bins, PLOY_MISSING), 1);
}

TEST(bins_follow_the_data) {
    double values[] = {1, 2, 2, 3, 50, 51, 52, 53, 100, PLOY_MISSING};
    ploy_bins bins;
    CHECK_OK(ploy_bins_equal_width(values, 10, 3, &bins));
    CHECK_INT(bins.count, 2);
    CHECK_NEAR(bins.thresholds[0], 34.0, 1e-9);
    CHECK_OK(ploy_bins_equal_frequency(values, 10, 3, &bins));
    CHECK_INT(bins.count, 2);
    CHECK_SAME(bins.thresholds[0], 2.5); // 2 | 3
    CHECK_SAME(bins.thresholds[1], 51.5);
    CHECK_OK(ploy_bins_clusters(values, 10, 3, &bins));
    CHECK_INT(bins.count, 2);
    CHECK_NEAR(bins.thresholds[0], 0.5 * (2.0 + 51.5), 1e-9);
    CHECK_NEAR(bins.thresholds[1], 0.5 * (51.5 + 100.0), 1e-9);
    double same[] = {4, 4, 4};
    CHECK_OK(ploy_bins_clusters(same, 3, 3, &bins));
    CHECK_INT(bins.count, 0);
    CHECK_OK(ploy_bins_equal_width(same, 0, 3, &bins));
    CHECK_INT(bins.count, 0);
    CHECK_INT(ploy_bins_equal_width(same, 3, 65, &bins), PLOY_ERR_ARGUMENT);
}

TEST(sectors_are_centred_in_front) {
    static const struct {
        double angle;
        int32_t want;
    } rows[] = {{0.0, 0},  {0.78, 0}, {0.79, 1}, {1.6, 1},   {3.1, 2},
                {-3.1, 2}, {-1.5, 3}, {-0.7, 0}, {6.283, 0}, {-100.0, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_INT(ploy_sector(rows[i].angle, 4), rows[i].want);
    }
    CHECK_INT(ploy_sector(NAN, 4), 0);
    CHECK_INT(ploy_sector(2.0, 1), 0);
}

TEST(states_are_numbers_within_a_limit) {
    ploy_env env = ploy_env_default();
    int32_t sentries[3] = {34, 34, 34};
    ploy_state_code code;
    CHECK_OK(ploy_state_code_make(sentries, 3, 100000, &env, &code));
    CHECK_UINT(code.states, 39304);
    for (uint64_t state = 0; state < code.states; state += 97) {
        int32_t values[3];
        ploy_state_decode(&code, state, values);
        CHECK_UINT(ploy_state_encode(&code, values), state);
    }
    CHECK_INT(ploy_state_code_make(sentries, 3, 39303, &env, &code), PLOY_ERR_LIMIT);
    int32_t explosion[10];
    for (int32_t i = 0; i < 10; i++) explosion[i] = 8000;
    CHECK_INT(ploy_state_code_make(explosion, 10, UINT64_MAX, &env, &code), PLOY_ERR_LIMIT);
    int32_t wrong[2] = {3, 0}, outside[3] = {99, -1, 5};
    CHECK_INT(ploy_state_code_make(wrong, 2, 10, &env, &code), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_state_code_make(sentries, 3, 100000, &env, &code));
    CHECK(ploy_state_encode(&code, outside) < code.states);
}
