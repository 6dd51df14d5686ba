#include "exec/exec_internal.h"
#include "ploy/exec/distribution.h"

#include <stdlib.h>

#include "ploy/base/math.h"
#include "tests/test.h"

enum { CROWD = 10000, AGE = 0, WEALTH = 1, TRADE = 2, PROPERTIES = 3 };

static float crowd_values[CROWD * PROPERTIES], other_values[CROWD * PROPERTIES];

static ploy_people crowd_of(float *values, int32_t count) {
    ploy_people people = {values, PROPERTIES, count, NULL, NULL};
    return people;
}

static void town(ploy_distribution out[PROPERTIES]) {
    static const int32_t trades[] = {50, 0, 30, 20}; // nobody is of trade 1
    out[AGE] = ploy_distribution_normal(38, 11);
    out[WEALTH] = ploy_distribution_power(10, 2.5f);
    out[TRADE] = ploy_distribution_histogram(trades, 4);
}

// What compress is to find out: kinds and ranges alone.
static void blank(ploy_distribution out[PROPERTIES]) {
    out[AGE] = ploy_distribution_normal(0, 0);
    out[WEALTH] = ploy_distribution_power(0, 2);
    out[TRADE] = ploy_distribution_histogram(NULL, 4);
}

// EXE-21: compress and uncompress 10,000: mean and deviation within 2 %, exponent within 3 %.
TEST(ten_thousand_people_come_back_as_the_same_town) {
    for (int32_t quota = 0; quota < 2; quota++) {
        t->row = quota != 0 ? "by quota" : "free";
        ploy_distribution first[PROPERTIES], second[PROPERTIES], third[PROPERTIES];
        int32_t count = 0;
        town(first);
        blank(second);
        blank(third);
        ploy_people people = crowd_of(crowd_values, CROWD);
        CHECK_OK(ploy_people_sample(&people, first, PROPERTIES, ploy_rng_key_make(1), false));
        CHECK_OK(ploy_people_compress(&people, second, PROPERTIES, &count));
        CHECK_INT(count, CROWD);
        people = crowd_of(other_values, CROWD);
        CHECK_OK(ploy_people_sample(&people, second, PROPERTIES, ploy_rng_key_make(2), quota != 0));
        CHECK_OK(ploy_people_compress(&people, third, PROPERTIES, &count));
        CHECK_NEAR(third[AGE].mean, second[AGE].mean, 0.02 * (double)second[AGE].mean);
        CHECK_NEAR(third[AGE].deviation, second[AGE].deviation,
                   0.02 * (double)second[AGE].deviation);
        CHECK_NEAR(third[WEALTH].exponent, 2.5, 0.03 * 2.5);
        CHECK_NEAR(third[WEALTH].x_min, 10, 0.1);
        CHECK_INT(third[TRADE].counts[1], 0);
        for (int32_t i = 0; i < 4; i++) {
            int32_t slack = quota != 0 ? 0 : 300; // by quota the very same numbers
            CHECK(abs(third[TRADE].counts[i] - second[TRADE].counts[i]) <= slack);
        }
    }
}

TEST(quantiles_are_those_of_the_textbook) {
    static const struct {
        double u, want;
    } normal[] = {{0.5, 0},
                  {0.8413447460685429, 1},
                  {0.15865525393145707, -1},
                  {0.975, 1.959963985},
                  {0.025, -1.959963985},
                  {0.99, 2.326347874},
                  {0.001, -3.090232306},
                  {0.9999, 3.719016485},
                  {0.02425, -1.972961},
                  {0.024, -1.977368428}};
    ploy_distribution d = ploy_distribution_normal(0, 1);
    for (size_t i = 0; i < COUNT_OF(normal); i++) {
        TEST_SEED(i);
        CHECK_NEAR(ployi_distribution_quantile(&d, (float)normal[i].u), normal[i].want, 2e-4);
    }
    d = ploy_distribution_power(2, 3); // P(x > v) = (v / 2)^-2
    CHECK_NEAR(ployi_distribution_quantile(&d, 0.75f), 4, 1e-5);
    CHECK_NEAR(ployi_distribution_quantile(&d, 0.99f), 20, 1e-3);
    static const int32_t counts[] = {1, 0, 3};
    d = ploy_distribution_histogram(counts, 3);
    CHECK_NEAR(ployi_distribution_quantile(&d, 0.2f), 0, 0);
    CHECK_NEAR(ployi_distribution_quantile(&d, 0.26f), 2, 0);
    CHECK_NEAR(ployi_distribution_quantile(&d, 1.0f), 2, 0);
    CHECK_NEAR(ployi_distribution_quantile(&d, NAN), 0, 0);
    // Rising, and finite up to the ends.
    for (int32_t kind = 0; kind < 2; kind++) {
        d = kind == 0 ? ploy_distribution_normal(0, 1) : ploy_distribution_power(1, 1.5f);
        float last = -1e9f;
        for (int32_t i = 0; i <= 2000; i++) {
            float x = ployi_distribution_quantile(&d, (float)i / 2000);
            CHECK(ploy_is_finite(x) && x >= last);
            last = x;
        }
    }
}

TEST(samples_depend_on_key_id_and_draw_and_on_nothing_else) {
    ploy_distribution d = ploy_distribution_normal(10, 3);
    ploy_rng_key key = ploy_rng_key_make(5);
    float first = ploy_distribution_sample(&d, key, 17, 2);
    for (int32_t i = 0; i < 100; i++) ploy_distribution_sample(&d, key, (uint32_t)i, 2);
    CHECK_NEAR(ploy_distribution_sample(&d, key, 17, 2), first, 0);
    CHECK(ploy_distribution_sample(&d, key, 18, 2) != first);
    CHECK(ploy_distribution_sample(&d, key, 17, 3) != first);
    CHECK(ploy_distribution_sample(&d, ploy_rng_key_make(6), 17, 2) != first);
    d.min = 9;
    d.max = 11;
    for (uint32_t i = 0; i < 1000; i++) {
        CHECK(ploy_in_range(ploy_distribution_sample(&d, key, i, 0), 9, 11));
    }
}

// EXE-21, exercise 10.5: free draws may leave out the soldiers; a quota never does.
TEST(a_quota_gives_each_category_its_share_whatever_the_crowd) {
    static const int32_t trades[] = {8, 2}; // a fifth are soldiers
    ploy_distribution d = ploy_distribution_histogram(trades, 2);
    int32_t none = 0;
    for (int64_t seed = 0; seed < test_rounds(2000); seed++) {
        TEST_SEED(seed);
        int32_t free_soldiers = 0, quota_soldiers = 0;
        ploy_rng_key key = ploy_rng_key_make((uint64_t)seed);
        for (int32_t i = 0; i < 10; i++) {
            free_soldiers += ploy_distribution_sample(&d, key, (uint32_t)i, 0) == 1;
            quota_soldiers += ploy_distribution_quota(&d, 10, i, key, 0) == 1;
        }
        none += free_soldiers == 0;
        CHECK_INT(quota_soldiers, 2);
    }
    CHECK_NEAR((double)none / (double)test_rounds(2000), 0.1074, 0.03); // 0.8^10
    for (int32_t count = 1; count < 200; count++) {
        TEST_SEED(count);
        int32_t soldiers = 0;
        for (int32_t i = 0; i < count; i++) {
            soldiers += ploy_distribution_quota(&d, count, i, ploy_rng_key_make(3), 1) == 1;
        }
        CHECK(soldiers >= count / 5 && soldiers <= (count + 4) / 5);
    }
    // A category in the middle, both of whose ends cut through a part.
    static const int32_t three[] = {3, 5, 3};
    d = ploy_distribution_histogram(three, 3);
    for (int32_t count = 1; count < 200; count++) {
        TEST_SEED(count);
        int32_t middle = 0;
        for (int32_t i = 0; i < count; i++) {
            middle += ploy_distribution_quota(&d, count, i, ploy_rng_key_make(4), 0) == 1;
        }
        CHECK(middle >= count * 5 / 11 && middle <= (count * 5 + 10) / 11);
    }
}

TEST(a_quota_takes_every_part_of_the_distribution_once_in_another_order) {
    ploy_distribution d = ploy_distribution_power(1, 2); // quantile(u) = 1 / (1 - u)
    for (int32_t count = 1; count <= 300; count += 13) {
        TEST_SEED(count);
        bool seen[300] = {false};
        int32_t in_place = 0;
        for (int32_t i = 0; i < count; i++) {
            double u =
                1 - 1 / (double)ploy_distribution_quota(&d, count, i, ploy_rng_key_make(9), 0);
            int32_t part = ploy_clampi((int32_t)(u * count + 1e-4), 0, count - 1);
            CHECK(!seen[part]);
            seen[part] = true;
            in_place += part == i;
        }
        if (count > 20) CHECK(in_place < count / 2);
    }
}

TEST(named_characters_are_neither_merged_nor_drawn_over) {
    enum { FEW = 20 };
    float values[FEW * PROPERTIES];
    uint8_t named[FEW] = {0};
    ploy_distribution d[PROPERTIES];
    town(d);
    ploy_people people = crowd_of(values, FEW);
    CHECK_OK(ploy_people_sample(&people, d, PROPERTIES, ploy_rng_key_make(1), false));
    people.named = named;
    named[4] = 1;
    values[4 * PROPERTIES + AGE] = 1e6f; // a dragon
    ploy_distribution got[PROPERTIES];
    int32_t count = 0;
    blank(got);
    CHECK_OK(ploy_people_compress(&people, got, PROPERTIES, &count));
    CHECK_INT(count, FEW - 1);
    CHECK(got[AGE].mean < 100);
    CHECK_OK(ploy_people_sample(&people, got, PROPERTIES, ploy_rng_key_make(2), true));
    CHECK_NEAR(values[4 * PROPERTIES + AGE], 1e6, 0);
    // Ids instead of rows: whoever has the id is the same in another place.
    uint32_t ids[FEW];
    float again[FEW * PROPERTIES];
    for (uint32_t i = 0; i < FEW; i++) ids[i] = FEW - 1 - i;
    people.named = NULL;
    CHECK_OK(ploy_people_sample(&people, d, PROPERTIES, ploy_rng_key_make(1), false));
    people.values = again;
    people.ids = ids;
    CHECK_OK(ploy_people_sample(&people, d, PROPERTIES, ploy_rng_key_make(1), false));
    CHECK_BYTES(&again[0], &values[(FEW - 1) * PROPERTIES], PROPERTIES * sizeof(float));
}

TEST(estimates_leave_out_what_is_no_value_and_never_fail) {
    float values[] = {NAN, INFINITY, -5, 0, 2.5f, 1, 1, 7};
    ploy_people people = {values, 1, (int32_t)COUNT_OF(values), NULL, NULL};
    ploy_distribution d = ploy_distribution_histogram(NULL, 4);
    CHECK_INT(ploy_people_estimate(&people, 0, &d), 3); // 0, 1, 1
    CHECK_INT(d.counts[1], 2);
    d = ploy_distribution_power(0, 2);
    CHECK_INT(ploy_people_estimate(&people, 0, &d), 4); // 2.5, 1, 1, 7
    CHECK_NEAR(d.x_min, 1, 0);
    CHECK_NEAR(d.exponent, 1 + 4 / (log(2.5) + log(7)), 1e-5);
    d = ploy_distribution_power(2, 2);
    CHECK_INT(ploy_people_estimate(&people, 0, &d), 2); // 2.5 and 7
    float same[] = {3, 3, 3};
    people.values = same;
    people.count = 3;
    d = ploy_distribution_power(0, 2);
    CHECK_INT(ploy_people_estimate(&people, 0, &d), 3);
    CHECK_OK(ployi_distribution_check(&d));
    CHECK(ploy_distribution_sample(&d, ploy_rng_key_make(1), 0, 0) < 4);
    d = ploy_distribution_normal(1, 2);
    people.count = 0;
    CHECK_INT(ploy_people_estimate(&people, 0, &d), 0);
    CHECK_NEAR(d.mean, 1, 0); // as it was
    CHECK_INT(ploy_people_estimate(&people, -1, &d), 0);
}

TEST(numbers_that_make_no_distribution_are_refused) {
    float value = 0;
    ploy_people people = {&value, 1, 1, NULL, NULL};
    ploy_distribution bad[] = {
        ploy_distribution_normal(NAN, 1),     ploy_distribution_normal(0, -1),
        ploy_distribution_power(0, 2),        ploy_distribution_power(1, 1),
        ploy_distribution_power(1, INFINITY), ploy_distribution_histogram((const int32_t[]){-1}, 1),
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        TEST_SEED(i);
        CHECK_INT(ployi_distribution_check(&bad[i]), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_people_sample(&people, &bad[i], 1, ploy_rng_key_make(1), true),
                  PLOY_ERR_ARGUMENT);
    }
    ploy_distribution good = ploy_distribution_normal(0, 1);
    CHECK_INT(ploy_people_sample(&people, &good, 2, ploy_rng_key_make(1), true),
              PLOY_ERR_ARGUMENT); // two columns of a stride of one
    CHECK_INT(ploy_people_compress(NULL, &good, 1, NULL), PLOY_ERR_ARGUMENT);
    good.max = -2e9f;
    CHECK_INT(ployi_distribution_check(&good), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_distribution_check(NULL), PLOY_ERR_ARGUMENT);
    CHECK_TEXT(ployi_distribution_kind_text(PLOY_DISTRIBUTION_POWER), "power");
    CHECK_TEXT(ployi_distribution_kind_text((ploy_distribution_kind)7), "?");
}
