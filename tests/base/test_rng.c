#include "base/base_internal.h"
#include "ploy/base/rng.h"

#include <stdlib.h>

#include "base/philox_inline.h"
#include "ploy/base/hash.h"
#include "tests/test.h"

TEST(many_floats_are_those_drawn_one_by_one) {
    for (int32_t skip = 0; skip < 5; skip++) {
        for (int32_t count = 0; count < 150; count++) {
            TEST_SEED(count);
            ploy_rng one = ploy_rng_make(7), many = ploy_rng_make(7);
            float drawn[150];
            for (int32_t i = 0; i < skip; i++) {
                (void)ploy_rng_u32(&one);
                (void)ploy_rng_u32(&many);
            }
            ploy_rng_floats(&many, count, drawn);
            for (int32_t i = 0; i < count; i++) CHECK_SAME(drawn[i], ploy_rng_float(&one));
            CHECK_BYTES(&many, &one, sizeof one);
        }
    }
}

TEST(philox_gives_the_published_known_answers) {
    static const struct {
        const char *row;
        uint32_t counter[4], key[2], want[4];
    } rows[] = {
        {"zeros", {0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {"ones",
         {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {"digits of pi",
         {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        uint32_t got[4];
        ployi_philox4x32(rows[i].counter, rows[i].key, got);
        CHECK_BYTES(got, rows[i].want, sizeof got);
    }
}

// The header's table of counters, spelled out.
TEST(streams_keyed_draws_and_child_keys_use_the_documented_counters) {
    ploy_rng_key key = {UINT64_C(0x0123456789ABCDEF)};
    uint32_t words[2] = {0x89ABCDEFu, 0x01234567u};
    ploy_rng rng = ploy_rng_from_key(key, UINT64_C(0x1122334455667788));
    for (uint32_t block = 0; block < 3; block++) {
        uint32_t counter[4] = {block, 0x80000000u, 0x55667788u, 0x11223344u}, want[4];
        ployi_philox4x32(counter, words, want);
        for (int i = 0; i < 4; i++) CHECK_UINT(ploy_rng_u32(&rng), want[i]);
    }
    rng.counter = UINT64_C(0x3FFFFFFF00000007);
    uint32_t late[4] = {7, 0xBFFFFFFFu, 0x55667788u, 0x11223344u}, want[4];
    ployi_philox4x32(late, words, want);
    CHECK_UINT(ploy_rng_u32(&rng), want[0]);

    uint32_t keyed[4] = {0x9ABCDEF0u, 0x12345678u, 77, 3};
    ployi_philox4x32(keyed, words, want);
    uint64_t tick = UINT64_C(0x123456789ABCDEF0);
    CHECK_UINT(ploy_rng_u32_at(key, 77, tick, 3), want[0]);
    CHECK_UINT(ploy_rng_u64_at(key, 77, tick, 3), want[0] | (uint64_t)want[1] << 32);
    CHECK_UINT(ploy_rng_u32_at(key, 77, tick | UINT64_C(3) << 62, 3), want[0]);
    CHECK_SAME(ploy_rng_float_at(key, 77, tick, 3), (float)(want[0] >> 8) / 16777216.0f);
    CHECK_SAME(ploy_rng_binomial_at(key, 77, tick, 3),
               (float)(want[0] >> 8) / 16777216.0f - (float)(want[1] >> 8) / 16777216.0f);

    uint32_t child[4] = {0, 0x40000000u, 0xEEDDCCBBu, 0xAAu};
    ployi_philox4x32(child, words, want);
    CHECK_UINT(ploy_rng_key_split(key, UINT64_C(0xAAEEDDCCBB)).bits,
               want[0] | (uint64_t)want[1] << 32);
}

TEST(key_make_is_a_bijection_on_neighbouring_seeds_and_split_keys_differ) {
    enum { COUNT = 2000 };
    static uint64_t seen[3 * COUNT];
    ploy_rng_key root = ploy_rng_key_make(1);
    for (uint64_t i = 0; i < COUNT; i++) {
        seen[i] = ploy_rng_key_make(i).bits;
        seen[COUNT + i] = ploy_rng_key_split(root, i).bits;
        seen[2 * COUNT + i] = ploy_rng_key_split(ploy_rng_key_split(root, i), 0).bits;
    }
    for (size_t i = 0; i < COUNT_OF(seen); i++) {
        for (size_t k = 0; k < i; k++) {
            if (seen[i] == seen[k]) TEST_SEED(i);
            if (seen[i] == seen[k]) CHECK(seen[i] != seen[k]);
        }
    }
}

// Frozen: a change here changes every game that was ever recorded.
TEST(every_draw_gives_its_golden_values) {
    ploy_rng rng = ploy_rng_make(42);
    CHECK_UINT(ploy_rng_key_make(42).bits, UINT64_C(0xbdd732262feb6e95));
    CHECK_UINT(ploy_rng_u32(&rng), 0xca8aebe3);
    CHECK_UINT(ploy_rng_u64(&rng), UINT64_C(0x84daa3f1828a5bd8));
    CHECK_SAME(ploy_rng_float(&rng), 0x1.f9388p-6f);
    CHECK_SAME(ploy_rng_double(&rng), 0x1.34a7d3fd94415p-1);
    CHECK_SAME(ploy_rng_range(&rng, -3.0f, 9.0f), 0x1.08165ap+3f);
    CHECK_INT(ploy_rng_int(&rng, -1000, 1000), 387);
    CHECK_INT(ploy_rng_int(&rng, INT32_MIN, INT32_MAX), 1764015067);
    CHECK_UINT(ploy_rng_below(&rng, 1000000007), 0x30f0cee8);
    CHECK_SAME(ploy_rng_binomial(&rng), 0x1.21ec3p-4f);
    CHECK_SAME(ploy_rng_normal(&rng), -0x1.3de722p+0f);
    ploy_rng other = ployi_rng_split(&rng);
    CHECK_UINT(ploy_rng_u32(&other), 0x49c5910e);
    CHECK_UINT(ploy_rng_u32(&rng), 0x1835b337);
    ploy_rng_key key = ploy_rng_key_make(42);
    CHECK_UINT(ploy_rng_key_split(key, 7).bits, UINT64_C(0xc04d4b9a5ff63aea));
    CHECK_UINT(ploy_rng_u32_at(key, 1, 2, 3), 0x2cc28b3);
    CHECK_UINT(ploy_rng_u64_at(key, 1, 2, 3), UINT64_C(0xdecf296c02cc28b3));
    CHECK_SAME(ploy_rng_float_at(key, 1, 2, 3), 0x1.6614p-7f);
    CHECK_SAME(ploy_rng_range_at(key, 1, 2, 3, -3.0f, 9.0f), -0x1.6f371p+1f);
    CHECK_INT(ploy_rng_int_at(key, 1, 2, 3, -1000, 1000), 741);
    CHECK_SAME(ploy_rng_binomial_at(key, 1, 2, 3), -0x1.b80602p-1f);
    CHECK_SAME(ploy_rng_normal_at(key, 1, 2, 3), 0x1.07f5aep+1f);

    // Long runs of everything, folded into one number.
    ploy_hasher hasher;
    ploy_hasher_init(&hasher, 0);
    for (int i = 0; i < 5000; i++) {
        float f[3] = {ploy_rng_range(&rng, -5.0f, 5.0f), ploy_rng_binomial(&rng),
                      ploy_rng_normal(&rng)};
        for (int k = 0; k < 3; k++) {
            uint32_t bits;
            memcpy(&bits, &f[k], sizeof bits);
            ploy_hasher_add(&hasher, &bits, sizeof bits);
        }
        uint8_t items[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        ploy_rng_shuffle(&rng, items, 8, 1);
        ploy_hasher_add(&hasher, items, sizeof items);
        static const float weights[] = {1.0f, 0.5f, 0.0f, 7.0f};
        uint8_t mixed[3] = {(uint8_t)ploy_rng_weighted(&rng, weights, 4),
                            (uint8_t)ploy_rng_chance(&rng, 0.3f),
                            (uint8_t)ploy_rng_int(&rng, 0, 200)};
        ploy_hasher_add(&hasher, mixed, sizeof mixed);
    }
    CHECK_UINT(ploy_hasher_result(&hasher), UINT64_C(0xb7fa9d5c2d8ce2c9));
}

TEST(a_copied_stream_goes_on_like_the_original) {
    ploy_rng rng = ploy_rng_make(5);
    for (int i = 0; i < 7; i++) ploy_rng_u32(&rng);
    ploy_rng copy = rng;
    for (int i = 0; i < 100; i++) CHECK_UINT(ploy_rng_u32(&copy), ploy_rng_u32(&rng));
    CHECK_BYTES(&copy, &rng, sizeof rng);
}

// Pearson's statistic against a uniform expectation.
static double chi_square(const int64_t *counts, int cells, int64_t draws) {
    double expected = (double)draws / cells, sum = 0.0;
    for (int i = 0; i < cells; i++) {
        double off = (double)counts[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

// For k degrees of freedom the statistic has mean k and variance 2k. The seeds are fixed; the
// bounds are wide enough that another golden seed would pass as well, and any real bias is far
// outside.
static void check_uniform(test_context *t, const int64_t *counts, int cells, int64_t draws) {
    double k = cells - 1, spread = 5.0 * sqrt(2.0 * k);
    CHECK_NEAR(chi_square(counts, cells, draws), k, spread < k ? spread : k + 8.0 * sqrt(k));
}

TEST(integers_and_floats_are_uniform) {
    enum { DRAWS = 120000 };
    for (uint64_t seed = 1; seed <= 3; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_rng_key key = ploy_rng_key_make(seed);
        int64_t by_int[60] = {0}, by_below[60] = {0}, by_float[60] = {0}, by_double[60] = {0};
        int64_t keyed_int[60] = {0}, keyed_float[60] = {0}, bits[32] = {0};
        for (int i = 0; i < DRAWS; i++) {
            int32_t value = ploy_rng_int(&rng, -30, 29);
            CHECK(value >= -30 && value <= 29);
            by_int[value + 30]++;
            by_below[ploy_rng_below(&rng, 60)]++;
            by_float[(int)(ploy_rng_float(&rng) * 60.0f)]++;
            by_double[(int)(ploy_rng_double(&rng) * 60.0)]++;
            uint32_t agent = (uint32_t)i % 300;
            uint64_t tick = (uint64_t)i / 300;
            value = ploy_rng_int_at(key, agent, tick, 0, 100, 159);
            CHECK(value >= 100 && value <= 159);
            keyed_int[value - 100]++;
            keyed_float[(int)(ploy_rng_float_at(key, agent, tick, 1) * 60.0f)]++;
            uint32_t word = ploy_rng_u32_at(key, agent, tick, 2);
            for (int bit = 0; bit < 32; bit++) bits[bit] += word >> bit & 1;
        }
        check_uniform(t, by_int, 60, DRAWS);
        check_uniform(t, by_below, 60, DRAWS);
        check_uniform(t, by_float, 60, DRAWS);
        check_uniform(t, by_double, 60, DRAWS);
        check_uniform(t, keyed_int, 60, DRAWS);
        check_uniform(t, keyed_float, 60, DRAWS);
        for (int bit = 0; bit < 32; bit++) {
            CHECK_NEAR((double)bits[bit], DRAWS / 2.0, 5.0 * sqrt(DRAWS / 4.0));
        }
    }
}

// With 3 * 2^30 values a plain multiply or modulo would give a third of them twice the chance.
TEST(wide_ranges_have_no_bias) {
    enum { DRAWS = 90000 };
    ploy_rng rng = ploy_rng_make(11);
    ploy_rng_key key = ploy_rng_key_make(12);
    int64_t third[3] = {0}, residue[3] = {0}, keyed[3] = {0}, keyed_residue[3] = {0};
    for (int i = 0; i < DRAWS; i++) {
        int32_t value = ploy_rng_int(&rng, INT32_MIN, INT32_MAX - (1 << 30));
        uint32_t from_0 = (uint32_t)value - (uint32_t)INT32_MIN;
        third[from_0 >> 30]++;
        residue[from_0 % 3]++;
        value = ploy_rng_int_at(key, (uint32_t)i, 0, 0, INT32_MIN, INT32_MAX - (1 << 30));
        from_0 = (uint32_t)value - (uint32_t)INT32_MIN;
        keyed[from_0 >> 30]++;
        keyed_residue[from_0 % 3]++;
    }
    check_uniform(t, third, 3, DRAWS);
    check_uniform(t, residue, 3, DRAWS);
    check_uniform(t, keyed, 3, DRAWS);
    check_uniform(t, keyed_residue, 3, DRAWS);
    int64_t wide[3] = {0};
    for (int i = 0; i < DRAWS; i++) wide[ploy_rng_below(&rng, UINT64_C(3) << 62) >> 62]++;
    check_uniform(t, wide, 3, DRAWS);
}

TEST(ranges_hold_their_ends_at_the_edges) {
    ploy_rng rng = ploy_rng_make(3);
    for (int i = 0; i < 2000; i++) {
        CHECK_INT(ploy_rng_int(&rng, 7, 7), 7);
        CHECK_INT(ploy_rng_int(&rng, 7, -7), 7);
        CHECK_UINT(ploy_rng_below(&rng, 0), 0);
        CHECK_UINT(ploy_rng_below(&rng, 1), 0);
        CHECK_SAME(ploy_rng_range(&rng, 2.0f, 2.0f), 2.0f);
        CHECK_SAME(ploy_rng_range(&rng, 2.0f, 1.0f), 2.0f);
        CHECK_SAME(ploy_rng_range(&rng, 2.0f, NAN), 2.0f);
        // Two neighbouring floats: rounding would reach max half of the time.
        CHECK_SAME(ploy_rng_range(&rng, 1.0f, 1.00000012f), 1.0f);
        CHECK_SAME(ploy_rng_range(&rng, -1.00000012f, -1.0f), -1.00000012f);
        float value = ploy_rng_range(&rng, -FLT_MAX, FLT_MAX);
        CHECK(value >= -FLT_MAX && value < FLT_MAX);
        value = ploy_rng_range(&rng, -0x1p-149f, 0.0f);
        CHECK(value >= -0x1p-149f && value < 0.0f);
        value = ploy_rng_range(&rng, 16777216.0f, 16777220.0f);
        CHECK(value >= 16777216.0f && value < 16777220.0f);
        CHECK(ploy_rng_chance(&rng, 1.0f));
        CHECK(!ploy_rng_chance(&rng, 0.0f));
        CHECK(!ploy_rng_chance(&rng, -1.0f));
        CHECK(!ploy_rng_chance(&rng, NAN));
    }
    ploy_rng_key key = ploy_rng_key_make(3);
    for (uint32_t i = 0; i < 2000; i++) {
        CHECK_INT(ploy_rng_int_at(key, i, 0, 0, 5, 5), 5);
        CHECK_INT(ploy_rng_int_at(key, i, 0, 0, 5, 4), 5);
        CHECK_SAME(ploy_rng_range_at(key, i, 0, 0, 2.0f, 2.0f), 2.0f);
    }
}

// MOV-08: mean 0, variance 1/6, P(|x| < 0.5) = 0.75, P(|x| < 0.1) = 0.19.
TEST(binomial_is_triangular_in_both_forms) {
    enum { DRAWS = 200000 };
    for (uint64_t seed = 1; seed <= 3; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_rng_key key = ploy_rng_key_make(seed);
        for (int form = 0; form < 2; form++) {
            double sum = 0.0, squares = 0.0;
            int64_t half = 0, tenth = 0, positive = 0;
            for (int i = 0; i < DRAWS; i++) {
                float x = form == 0 ? ploy_rng_binomial(&rng)
                                    : ploy_rng_binomial_at(key, (uint32_t)i % 1000,
                                                           (uint64_t)i / 1000, 4);
                CHECK(x > -1.0f && x < 1.0f);
                sum += (double)x;
                squares += (double)x * (double)x;
                half += fabsf(x) < 0.5f;
                tenth += fabsf(x) < 0.1f;
                positive += x > 0.0f;
            }
            // Five deviations of the respective estimate.
            CHECK_NEAR(sum / DRAWS, 0.0, 5.0 * sqrt(1.0 / 6.0 / DRAWS));
            CHECK_NEAR(squares / DRAWS, 1.0 / 6.0, 5.0 * sqrt(7.0 / 180.0 / DRAWS));
            CHECK_NEAR((double)half / DRAWS, 0.75, 5.0 * sqrt(0.75 * 0.25 / DRAWS));
            CHECK_NEAR((double)tenth / DRAWS, 0.19, 5.0 * sqrt(0.19 * 0.81 / DRAWS));
            CHECK_NEAR((double)positive / DRAWS, 0.5, 5.0 * sqrt(0.25 / DRAWS));
        }
    }
}

TEST(normal_has_the_moments_and_tails_of_the_bell_curve) {
    enum { DRAWS = 200000 };
    ploy_rng rng = ploy_rng_make(8);
    ploy_rng_key key = ploy_rng_key_make(8);
    for (int form = 0; form < 2; form++) {
        double sums[4] = {0.0, 0.0, 0.0, 0.0};
        int64_t within_1 = 0, within_2 = 0;
        for (int i = 0; i < DRAWS; i++) {
            double x = form == 0 ? (double)ploy_rng_normal(&rng)
                                 : (double)ploy_rng_normal_at(key, (uint32_t)i, 1, 0);
            CHECK(fabs(x) < 6.67);
            sums[0] += x;
            sums[1] += x * x;
            sums[2] += x * x * x;
            sums[3] += x * x * x * x;
            within_1 += fabs(x) < 1.0;
            within_2 += fabs(x) < 2.0;
        }
        CHECK_NEAR(sums[0] / DRAWS, 0.0, 5.0 * sqrt(1.0 / DRAWS));
        CHECK_NEAR(sums[1] / DRAWS, 1.0, 5.0 * sqrt(2.0 / DRAWS));
        CHECK_NEAR(sums[2] / DRAWS, 0.0, 5.0 * sqrt(15.0 / DRAWS));
        CHECK_NEAR(sums[3] / DRAWS, 3.0, 5.0 * sqrt(96.0 / DRAWS));
        CHECK_NEAR((double)within_1 / DRAWS, 0.682689, 0.0053);
        CHECK_NEAR((double)within_2 / DRAWS, 0.954500, 0.0024);
    }
}

TEST(shuffle_gives_every_order_of_four_equally_often) {
    enum { DRAWS = 48000 };
    int64_t counts[24] = {0};
    ploy_rng rng = ploy_rng_make(6);
    for (int i = 0; i < DRAWS; i++) {
        uint16_t items[4] = {0, 1, 2, 3};
        ploy_rng_shuffle(&rng, items, 4, sizeof items[0]);
        // The order's number in the factorial system.
        int number = 0;
        for (int a = 0; a < 4; a++) {
            int smaller = 0;
            for (int b = a + 1; b < 4; b++) smaller += items[b] < items[a];
            number = number * (4 - a) + smaller;
        }
        counts[number]++;
    }
    check_uniform(t, counts, 24, DRAWS);
}

TEST(shuffle_moves_whole_items_of_any_size_and_leaves_few_alone) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        struct {
            char bytes[100];
        } items[50];
        for (int i = 0; i < 50; i++) memset(&items[i], i + 1, sizeof items[i]);
        ploy_rng_shuffle(&rng, items, 50, sizeof items[0]);
        bool seen[51] = {false};
        for (int i = 0; i < 50; i++) {
            int id = items[i].bytes[0];
            CHECK(id >= 1 && id <= 50 && !seen[id]);
            seen[id] = true;
            for (int k = 0; k < 100; k++) CHECK_INT(items[i].bytes[k], id);
        }
        ploy_rng before = rng;
        ploy_rng_shuffle(&rng, items, 1, sizeof items[0]);
        ploy_rng_shuffle(&rng, NULL, 0, 4);
        ploy_rng_shuffle(&rng, NULL, -5, 4);
        CHECK_BYTES(&rng, &before, sizeof rng);
    }
}

TEST(weighted_picks_in_proportion_and_ignores_bad_weights) {
    enum { DRAWS = 100000 };
    static const float weights[] = {0.0f, 1.0f, NAN, 2.0f, -5.0f, 5.0f, 0.0f};
    int64_t counts[7] = {0};
    ploy_rng rng = ploy_rng_make(2);
    for (int i = 0; i < DRAWS; i++) {
        int32_t index = ploy_rng_weighted(&rng, weights, 7);
        CHECK(index >= 0 && index < 7);
        counts[index]++;
    }
    CHECK_INT(counts[0] + counts[2] + counts[4] + counts[6], 0);
    CHECK_NEAR((double)counts[1] / DRAWS, 0.125, 0.006);
    CHECK_NEAR((double)counts[3] / DRAWS, 0.25, 0.008);
    CHECK_NEAR((double)counts[5] / DRAWS, 0.625, 0.008);
    // Infinity counts as the largest float, so it wins against ordinary weights.
    static const float infinite[] = {1.0f, INFINITY, 1.0f};
    for (int i = 0; i < 100; i++) CHECK_INT(ploy_rng_weighted(&rng, infinite, 3), 1);
    static const float nothing[] = {0.0f, -1.0f, NAN};
    ploy_rng before = rng;
    CHECK_INT(ploy_rng_weighted(&rng, nothing, 3), -1);
    CHECK_INT(ploy_rng_weighted(&rng, NULL, 0), -1);
    CHECK_BYTES(&rng, &before, sizeof rng);
}

TEST(keyed_draws_do_not_depend_on_order_or_on_how_a_batch_is_split) {
    enum { COUNT = 1000 };
    static float whole[COUNT], parts[COUNT];
    ploy_rng_key key = ploy_rng_key_make(77);
    for (uint64_t tick = 0; tick < 5; tick++) {
        TEST_SEED(tick);
        for (uint32_t i = 0; i < COUNT; i++) {
            whole[i] = ployi_rng_binomial_at_inline(key, i, tick, 0);
        }
        for (uint32_t i = COUNT; i-- > 400;) parts[i] = ploy_rng_binomial_at(key, i, tick, 0);
        for (uint32_t i = 0; i < 400; i++) parts[i] = ploy_rng_binomial_at(key, i, tick, 0);
        CHECK_BYTES(parts, whole, sizeof whole);
    }
}

// Neighbouring agents, ticks, draws, streams and keys share no linear pattern.
TEST(neighbouring_draws_are_not_correlated) {
    enum { COUNT = 40000 };
    ploy_rng_key key = ploy_rng_key_make(1), other_key = ploy_rng_key_make(2);
    double sums[5] = {0.0};
    ploy_rng stream_0 = ploy_rng_from_key(key, 0), stream_1 = ploy_rng_from_key(key, 1);
    for (uint32_t i = 0; i < COUNT; i++) {
        double x = (double)ploy_rng_float_at(key, i, 9, 0) - 0.5;
        sums[0] += x * ((double)ploy_rng_float_at(key, i + 1, 9, 0) - 0.5);
        sums[1] += x * ((double)ploy_rng_float_at(key, i, 10, 0) - 0.5);
        sums[2] += x * ((double)ploy_rng_float_at(key, i, 9, 1) - 0.5);
        sums[3] += x * ((double)ploy_rng_float_at(other_key, i, 9, 0) - 0.5);
        sums[4] +=
            ((double)ploy_rng_float(&stream_0) - 0.5) * ((double)ploy_rng_float(&stream_1) - 0.5);
    }
    // Each product has mean 0 and deviation 1/12.
    for (int i = 0; i < 5; i++) CHECK_NEAR(sums[i] / COUNT, 0.0, 5.0 / 12.0 / sqrt(COUNT));
}

TEST(chance_keeps_rare_rates) {
    enum { DRAWS = 300000 };
    ploy_rng rng = ploy_rng_make(10);
    static const float rates[] = {0.5f, 0.1f, 0.001f};
    for (size_t i = 0; i < COUNT_OF(rates); i++) {
        int64_t hits = 0;
        for (int k = 0; k < DRAWS; k++) hits += ploy_rng_chance(&rng, rates[i]);
        double p = (double)rates[i];
        CHECK_NEAR((double)hits / DRAWS, p, 5.0 * sqrt(p * (1.0 - p) / DRAWS));
    }
}
