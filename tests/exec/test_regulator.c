#include "ploy/exec/regulator.h"

#include "tests/state.h"

// Firings at 60 Hz over 10 s, from a start at `next`.
static int32_t firings(test_context *t, ploy_regulator_mode mode, float rate, double next) {
    ploy_regulator_def def = ploy_regulator_def_default();
    def.mode = mode;
    def.rate = rate;
    ploy_regulator regulator;
    CHECK_OK(ploy_regulator_init(&regulator, &def, 0.0, 1));
    regulator.next = next;
    int32_t count = 0;
    for (int32_t k = 0; k < 600; k++) count += ploy_regulator_ready(&regulator, k / 60.0) ? 1 : 0;
    return count;
}

TEST(rates_are_kept_as_the_mode_says) { // RAV-32
    static const struct {
        const char *row;
        ploy_regulator_mode mode;
        float rate;
        double next;
        int32_t want;
    } rows[] = {
        {"restart, no offset", PLOY_REGULATOR_RESTART, 4, 0, 40},
        {"restart, offset 1 s", PLOY_REGULATOR_RESTART, 4, 1, 36},
        {"strict loses a tick each time", PLOY_REGULATOR_CLASSIC, 4, 0, 38},
        {"strict, offset 1 s", PLOY_REGULATOR_CLASSIC, 4, 1, 34},
        {"steady, no offset", PLOY_REGULATOR_STEADY, 4, 0, 40},
        {"steady, offset 1 s", PLOY_REGULATOR_STEADY, 4, 1, 36},
        {"7.5 ticks are rounded up to 8", PLOY_REGULATOR_RESTART, 8, 0, 75},
        {"steady keeps 8 a second", PLOY_REGULATOR_STEADY, 8, 0, 80},
        {"0 is always", PLOY_REGULATOR_RESTART, 0, 5, 600},
        {"below 0 is never", PLOY_REGULATOR_RESTART, -1, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(firings(t, rows[i].mode, rows[i].rate, rows[i].next), rows[i].want);
    }
}

TEST(the_start_is_random_seeded_and_may_be_bounded) { // RAV-32
    ploy_regulator_def def = ploy_regulator_def_default();
    double least = 10.0, most = 0.0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        TEST_SEED(seed);
        ploy_regulator a, b;
        CHECK_OK(ploy_regulator_init(&a, &def, 3.0, seed));
        CHECK_OK(ploy_regulator_init(&b, &def, 3.0, seed));
        CHECK_SAME(a.next, b.next);
        CHECK(a.next >= 3.0 && a.next <= 4.0);
        if (a.next < least) least = a.next;
        if (a.next > most) most = a.next;
        def.bounded = true;
        CHECK_OK(ploy_regulator_init(&b, &def, 3.0, seed));
        CHECK(b.next >= 3.0 && b.next <= 3.25);
        def.bounded = false;
    }
    CHECK(least < 3.1 && most > 3.9);
}

TEST(jitter_stays_within_its_width) { // RAV-32
    ploy_regulator_def def = ploy_regulator_def_default();
    def.jitter = 0.01f;
    def.offset = 0.0f;
    ploy_regulator regulator;
    CHECK_OK(ploy_regulator_init(&regulator, &def, 0.0, 9));
    double shortest = 1.0, longest = 0.0;
    for (int32_t i = 0; i < 300; i++) {
        double now = regulator.next;
        CHECK(ploy_regulator_ready(&regulator, now));
        double period = regulator.next - now;
        CHECK(period >= 0.2399 && period <= 0.2601);
        if (period < shortest) shortest = period;
        if (period > longest) longest = period;
    }
    CHECK(shortest < 0.245 && longest > 0.255);
}

TEST(bad_settings_are_refused_and_it_is_described) {
    ploy_regulator_def def = ploy_regulator_def_default();
    ploy_regulator regulator;
    CHECK_INT(ploy_regulator_init(NULL, &def, 0.0, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_regulator_init(&regulator, NULL, 0.0, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_regulator_init(&regulator, &def, (double)NAN, 1), PLOY_ERR_ARGUMENT);
    def.rate = NAN;
    CHECK_INT(ploy_regulator_init(&regulator, &def, 0.0, 1), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_regulator_fields(), NULL));
    def = ploy_regulator_def_default();
    CHECK_OK(ploy_regulator_init(&regulator, &def, 0.0, 1));
    ploy_hash_sink before, after;
    ploy_hash_sink_init(&before);
    ploy_hash_sink_init(&after);
    ploy_describe out = ploy_hash_sink_describe(&before);
    ploy_regulator_describe(&regulator, &out);
    CHECK(ploy_regulator_ready(&regulator, 2.0));
    out = ploy_hash_sink_describe(&after);
    ploy_regulator_describe(&regulator, &out);
    CHECK(ploy_hash_sink_result(&before) != ploy_hash_sink_result(&after));
}

TEST(a_regulator_saves_and_loads_every_field) {
    ploy_regulator_def def = ploy_regulator_def_default();
    def.jitter = 0.1f;
    ploy_regulator regulator, other;
    CHECK_OK(ploy_regulator_init(&regulator, &def, 2.0, 7));
    CHECK_OK(ploy_regulator_init(&other, &def, 5.0, 8));
    (void)ploy_regulator_ready(&regulator, 4.0);
    state_check s = {ploy_regulator_visit, &regulator, NULL, NULL, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, &other);
    for (double now = 4.0; now < 9.0; now += 0.0625) {
        CHECK(ploy_regulator_ready(&regulator, now) == ploy_regulator_ready(&other, now));
    }
}
