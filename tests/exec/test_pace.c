#include "ploy/exec/pace.h"

#include "tests/test.h"

static uint64_t fake_clock(void *user) {
    return *(uint64_t *)user;
}

TEST(a_pace_finds_the_units_that_fit_and_slows_down_faster_than_up) { // ENG-05
    uint64_t now = 1000;
    ploy_env env = ploy_env_default();
    env.clock = fake_clock;
    env.clock_user = &now;
    ploy_pace pace;
    CHECK_OK(ploy_pace_init(&pace, 1000.0, 10, 100000, &env));
    CHECK_INT(ploy_pace_begin(&pace, 2000000), 2000);
    // A unit takes 500 ns: the guess was too careful. In time twice as many fit.
    int64_t units = 2000, rounds = 0;
    while (units < 3960 && rounds < 1000) {
        units = ploy_pace_begin(&pace, 2000000);
        now += (uint64_t)units * 500;
        ploy_pace_end(&pace, units);
        rounds++;
    }
    CHECK(units >= 3960 && units <= 4000);
    CHECK(rounds > 20);
    // Then everything becomes four times as slow, and a few steps suffice to notice.
    for (rounds = 0; units > 1050 && rounds < 100; rounds++) {
        units = ploy_pace_begin(&pace, 2000000);
        now += (uint64_t)units * 2000;
        ploy_pace_end(&pace, units);
    }
    CHECK(rounds < 10);
    CHECK_INT(ploy_pace_begin(&pace, 0), 10);
    CHECK_INT(ploy_pace_begin(&pace, UINT64_MAX), 100000);
    double before = pace.ns_per_unit;
    now += 5000;
    ploy_pace_end(&pace, 0); // nothing to learn from
    CHECK_SAME(pace.ns_per_unit, before);
}

TEST(a_pace_refuses_what_makes_no_sense) {
    ploy_env env = ploy_env_default();
    ploy_pace pace;
    CHECK_INT(ploy_pace_init(NULL, 1.0, 1, 2, &env), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_pace_init(&pace, 0.0, 1, 2, &env), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_pace_init(&pace, (double)NAN, 1, 2, &env), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_pace_init(&pace, 1.0, 0, 2, &env), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_pace_init(&pace, 1.0, 3, 2, &env), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_pace_init(&pace, 1.0, 1, 2, NULL), PLOY_ERR_ARGUMENT);
}
