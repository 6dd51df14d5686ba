#include "exec/exec_internal.h"
#include "ploy/exec/phase.h"

#include "tests/test.h"

static ploy_scheduler *scheduler_of(test_context *t, int32_t look_ahead) {
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.look_ahead = look_ahead;
    ploy_scheduler *scheduler = NULL;
    CHECK_OK(ploy_scheduler_create(&def, &env, &scheduler));
    return scheduler;
}

static void add(test_context *t, ploy_scheduler *scheduler, int32_t item, int32_t period,
                int32_t phase, bool automatic) {
    ploy_schedule schedule = ploy_schedule_default();
    schedule.period = period;
    schedule.phase = phase;
    schedule.auto_phase = automatic;
    CHECK_OK(ploy_scheduler_add(scheduler, item, &schedule));
}

static int32_t first_turn(test_context *t, const ploy_scheduler *scheduler, int32_t item) {
    ploy_schedule schedule;
    CHECK_OK(ploy_scheduler_get(scheduler, item, &schedule));
    int32_t tick = 0;
    while (!ploy_schedule_due(&schedule, (uint64_t)tick)) tick++;
    return tick;
}

TEST(automatic_phases_take_the_tick_with_the_least_load) { // EXE-06
    static const struct {
        const char *row;
        int32_t look_ahead, count, period[5], first[5];
    } rows[] = {
        {"2, 4, 8", 8, 3, {2, 4, 8}, {0, 1, 3}},
        {"three of 3", 8, 3, {3, 3, 3}, {0, 1, 2}},
        {"figure 10.4: after four of period 5", 10, 5, {5, 5, 5, 5, 5}, {0, 1, 2, 3, 4}},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].row;
        ploy_scheduler *scheduler = scheduler_of(t, rows[r].look_ahead);
        for (int32_t i = 0; i < rows[r].count; i++) {
            add(t, scheduler, i, rows[r].period[i], 0, true);
            CHECK_INT(first_turn(t, scheduler, i), rows[r].first[i]);
        }
        for (uint64_t tick = 0; tick < 24; tick++) {
            CHECK(ployi_scheduler_workload(scheduler, tick, false) <= 1.0);
        }
        ploy_scheduler_destroy(scheduler);
    }
    t->row = NULL;
    // The figure itself: those before begin at 0, 1, 2, 4, and the new one finds 3.
    ploy_scheduler *scheduler = scheduler_of(t, 10);
    static const int32_t first[] = {0, 1, 2, 4};
    for (int32_t i = 0; i < 4; i++) add(t, scheduler, i, 5, -first[i], false);
    static const double load[] = {1, 1, 1, 0, 1, 1, 1, 1, 0, 1};
    for (uint64_t k = 0; k < 10; k++)
        CHECK_SAME(ployi_scheduler_workload(scheduler, k, false), load[k]);
    CHECK_INT(ploy_scheduler_pick_phase(scheduler, 5), 2);
    add(t, scheduler, 4, 5, 0, true);
    CHECK_INT(first_turn(t, scheduler, 4), 3);
    CHECK_INT(ploy_scheduler_pick_phase(scheduler, 0), 0);
    ploy_scheduler_destroy(scheduler);
}

TEST(automatic_phases_count_from_the_present_tick_and_weigh_costs) { // EXE-06
    ploy_scheduler *scheduler = scheduler_of(t, 12);
    for (uint64_t tick = 0; tick < 7; tick++) {
        CHECK_OK(ploy_scheduler_begin(scheduler, tick, 10, NULL));
        ploy_scheduler_end(scheduler);
    }
    // In a window of 11 ticks from 7, odd ones stand 6 times and even ones 5: means, not sums.
    add(t, scheduler, 0, 2, 0, true);
    CHECK_INT(first_turn(t, scheduler, 0), 1);
    ploy_schedule dear = ploy_schedule_default();
    dear.period = 2;
    dear.phase = 0; // even ticks
    dear.cost = 100;
    CHECK_OK(ploy_scheduler_add(scheduler, 1, &dear));
    for (int32_t i = 2; i < 12; i++) {
        add(t, scheduler, i, 2, 0, true);
        CHECK_INT(first_turn(t, scheduler, i), 1); // ten cheap ones beside one dear one
    }
    CHECK_SAME(ployi_scheduler_workload(scheduler, 8, true), 100.0);
    CHECK_SAME(ployi_scheduler_workload(scheduler, 9, true), 11.0);
    ploy_scheduler_destroy(scheduler);
}

TEST(long_periods_are_spread_too) {
    ploy_scheduler *scheduler = scheduler_of(t, 64);
    for (int32_t i = 0; i < 64; i++) {
        add(t, scheduler, i, 1000, 0, true);
        CHECK_INT(first_turn(t, scheduler, i), i);
        CHECK_OK(ploy_scheduler_set_enabled(scheduler, i, i % 2 == 0)); // they count all the same
    }
    ploy_scheduler_destroy(scheduler);
}

TEST(clumping_is_counted_over_a_whole_cycle) { // EXE-05, EXE-02, EXE-03
    static const struct {
        const char *row;
        int32_t period[3], phase[3];
        int64_t cycle;
        double min, max;
        int64_t histogram[4];
    } rows[] = {
        {"2, 4, 8 without phase", {2, 4, 8}, {0, 0, 0}, 8, 0, 3, {4, 2, 1, 1}},
        {"with phases 0, 3, 5", {2, 4, 8}, {0, 3, 5}, 8, 0, 1, {1, 7, 0, 0}},
        {"with phases 0, 1, 3", {2, 4, 8}, {0, 1, 3}, 8, 0, 1, {1, 7, 0, 0}},
        {"with phases 0, 1, 7", {2, 4, 8}, {0, 1, 7}, 8, 0, 1, {1, 7, 0, 0}},
        {"with phases 0, 3, 1", {2, 4, 8}, {0, 3, 1}, 8, 0, 1, {1, 7, 0, 0}},
        {"2, 3, 5 meet in one tick of 30", {2, 3, 5}, {0, 0, 0}, 30, 0, 3, {8, 14, 7, 1}},
        {"whatever the phases", {2, 3, 5}, {1, 1, 3}, 30, 0, 3, {8, 14, 7, 1}},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].row;
        ploy_scheduler *scheduler = scheduler_of(t, 8);
        for (int32_t i = 0; i < 3; i++) {
            add(t, scheduler, i, rows[r].period[i], rows[r].phase[i], false);
        }
        ploy_clumping got;
        CHECK_OK(ploy_scheduler_clumping(scheduler, false, 1000, ploy_rng_key_make(1), &got));
        CHECK(got.exact);
        CHECK_INT(got.ticks, rows[r].cycle);
        CHECK_SAME(got.min, rows[r].min);
        CHECK_SAME(got.max, rows[r].max);
        for (int32_t i = 0; i < 4; i++) CHECK_INT(got.histogram[i], rows[r].histogram[i]);
        // Drawn ticks come near it.
        ploy_clumping drawn;
        CHECK_OK(ploy_scheduler_clumping(scheduler, false, 7, ploy_rng_key_make(1), &drawn));
        CHECK(!drawn.exact);
        CHECK_INT(drawn.ticks, 7);
        ploy_scheduler_destroy(scheduler);
    }
    t->row = NULL;
    // 100 characters, each every 30 ticks.
    ploy_scheduler *scheduler = scheduler_of(t, 8);
    for (int32_t i = 0; i < 100; i++) add(t, scheduler, i, 30, i, false);
    ploy_clumping got;
    CHECK_OK(ploy_scheduler_clumping(scheduler, true, 30, ploy_rng_key_make(1), &got));
    CHECK_INT(got.histogram[3], 20);
    CHECK_INT(got.histogram[4], 10);
    CHECK_NEAR(got.mean, 100.0 / 30.0, 1e-12);
    CHECK_NEAR(got.sd, 0.47140452, 1e-6);
    CHECK_INT(ploy_scheduler_clumping(scheduler, true, 0, ploy_rng_key_make(1), &got),
              PLOY_ERR_ARGUMENT);
    ploy_scheduler_destroy(scheduler);
}

TEST(drawn_clumping_comes_near_the_exact_one) { // EXE-05
    ploy_scheduler *scheduler = scheduler_of(t, 64);
    static const int32_t periods[] = {2, 3, 5, 7, 11};
    for (int32_t i = 0; i < 5; i++) add(t, scheduler, i, periods[i], 0, false);
    CHECK_UINT(ployi_scheduler_cycle(scheduler, 2310), 2310);
    CHECK_UINT(ployi_scheduler_cycle(scheduler, 2309), 0);
    ploy_clumping exact, drawn;
    CHECK_OK(ploy_scheduler_clumping(scheduler, false, 2310, ploy_rng_key_make(1), &exact));
    CHECK_OK(ploy_scheduler_clumping(scheduler, false, 2309, ploy_rng_key_make(1), &drawn));
    CHECK(exact.exact && !drawn.exact);
    CHECK_NEAR(drawn.mean, exact.mean, 0.1);
    CHECK_NEAR(drawn.sd, exact.sd, 0.1);
    CHECK_SAME(exact.max, 5.0);
    ploy_scheduler_destroy(scheduler);
}
