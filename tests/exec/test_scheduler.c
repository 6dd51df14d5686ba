#include "exec/exec_internal.h"
#include "ploy/exec/scheduler.h"

#include "ploy/base/rng.h"
#include "tests/state.h"

static ploy_scheduler *scheduler_of(test_context *t, ploy_policy policy) {
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.policy = policy;
    def.capacity = 2;
    ploy_scheduler *scheduler = NULL;
    CHECK_OK(ploy_scheduler_create(&def, &env, &scheduler));
    return scheduler;
}

static ploy_schedule every(int32_t period, int32_t phase, int32_t priority) {
    ploy_schedule schedule = ploy_schedule_default();
    schedule.period = period;
    schedule.phase = phase;
    schedule.priority = priority;
    return schedule;
}

// Runs a tick in which every item spends `spends[item]`; notes who had what.
static int32_t run(test_context *t, ploy_scheduler *scheduler, uint64_t tick, int64_t units,
                   const int64_t *spends, int64_t *allowed) {
    CHECK_OK(ploy_scheduler_begin(scheduler, tick, units, NULL));
    ploy_turn turn;
    int32_t turns = 0;
    while (ploy_scheduler_next(scheduler, &turn)) {
        if (allowed != NULL) allowed[turn.item] = turn.allowed;
        ploy_scheduler_report(scheduler, turn.item, spends != NULL ? spends[turn.item] : 1);
        turns++;
    }
    ploy_scheduler_end(scheduler);
    return turns;
}

TEST(schedules_are_checked_and_tell_when_they_are_due) { // EXE-02, EXE-03
    ploy_env env = ploy_env_default();
    ploy_schedule schedule = ploy_schedule_default();
    CHECK_OK(ployi_schedule_check(&schedule, &env));
    schedule.min_slice = 5;
    schedule.max_slice = 4;
    CHECK_INT(ployi_schedule_check(&schedule, &env), PLOY_ERR_ARGUMENT);
    schedule.max_slice = 5;
    schedule.period = 7;
    schedule.max_interval = 6;
    CHECK_INT(ployi_schedule_check(&schedule, &env), PLOY_ERR_ARGUMENT);
    schedule.max_interval = 7;
    CHECK_OK(ployi_schedule_check(&schedule, NULL));
    CHECK_INT(ployi_schedule_check(NULL, &env), PLOY_ERR_ARGUMENT);
    schedule = every(5, 2, 1); // EXE-06's example: phase 2 runs at 3, 8
    CHECK(ploy_schedule_due(&schedule, 3));
    CHECK(ploy_schedule_due(&schedule, 8));
    CHECK(!ploy_schedule_due(&schedule, 2));
    CHECK_OK(ploy_fields_check_table(ploy_schedule_fields(), NULL));
    CHECK_OK(ploy_fields_check_table(ploy_scheduler_fields(), NULL));
}

// The obvious version: every item looked at in every tick (EXE-02), with the order rules of the
// header.
typedef struct plain_item {
    bool used, enabled, put_off;
    ploy_schedule schedule;
} plain_item;

typedef struct plain {
    plain_item items[64];
    int32_t waiting[64];
    int32_t waiting_count;
    int32_t cursor;
} plain;

static int32_t plain_list(const plain *p, uint64_t tick, int32_t *out) {
    int32_t count = 0;
    for (int32_t i = 0; i < p->waiting_count; i++) {
        if (p->items[p->waiting[i]].put_off) out[count++] = p->waiting[i];
    }
    for (int32_t i = 0; i < 64; i++) {
        int32_t item = (p->cursor + i) % 64;
        const plain_item *it = &p->items[item];
        if (!it->used || !it->enabled || it->put_off) continue;
        if (ploy_schedule_due(&it->schedule, tick)) out[count++] = item;
    }
    return count;
}

TEST(turns_are_those_of_the_plain_scan_whatever_changes) { // EXE-02, EXE-04
    for (int64_t seed = 1; seed <= test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_scheduler *scheduler = scheduler_of(t, PLOY_POLICY_PRIORITY);
        static plain p;
        memset(&p, 0, sizeof p);
        uint64_t tick = 0;
        for (int32_t round = 0; round < 300; round++) {
            for (int32_t k = ploy_rng_int(&rng, 0, 3); k > 0; k--) {
                int32_t item = ploy_rng_int(&rng, 0, 63);
                plain_item *it = &p.items[item];
                // Short periods, some of the longest with a list, some beyond.
                int32_t period = ploy_rng_chance(&rng, 0.7f) ? ploy_rng_int(&rng, 1, 6)
                                                             : ploy_rng_int(&rng, 250, 262);
                ploy_schedule schedule =
                    every(period, ploy_rng_int(&rng, -300, 300), ploy_rng_int(&rng, 1, 5));
                if (!it->used) {
                    CHECK_OK(ploy_scheduler_add(scheduler, item, &schedule));
                    CHECK_INT(ploy_scheduler_add(scheduler, item, &schedule), PLOY_ERR_EXISTS);
                    it->used = it->enabled = true;
                    it->put_off = false;
                    it->schedule = schedule;
                } else if (ploy_rng_chance(&rng, 0.2f)) {
                    CHECK_OK(ploy_scheduler_remove(scheduler, item));
                    it->used = it->put_off = false;
                } else if (ploy_rng_chance(&rng, 0.5f)) {
                    CHECK_OK(ploy_scheduler_set(scheduler, item, &schedule));
                    it->schedule = schedule;
                } else {
                    it->enabled = !it->enabled;
                    it->put_off = false;
                    CHECK_OK(ploy_scheduler_set_enabled(scheduler, item, it->enabled));
                }
            }
            if (ploy_rng_chance(&rng, 0.1f)) tick += (uint64_t)ploy_rng_int(&rng, 1, 600);
            int32_t want[64], due = 0;
            int32_t count = plain_list(&p, tick, want);
            int32_t budget = ploy_rng_int(&rng, 0, 12);
            CHECK_OK(ploy_scheduler_begin(scheduler, tick, budget, &due));
            CHECK_INT(due, count);
            ploy_turn turns[64];
            int32_t served = 0;
            if (round % 2 == 0) {
                while (ploy_scheduler_next(scheduler, &turns[served])) {
                    ploy_scheduler_report(scheduler, turns[served].item, 1);
                    served++;
                }
                CHECK_INT(served, count < budget ? count : budget);
            } else {
                served = ploy_scheduler_plan(scheduler, turns);
                for (int32_t i = 0; i < served; i++) {
                    ploy_scheduler_report(scheduler, turns[i].item, turns[i].allowed);
                }
                CHECK(served <= count);
            }
            ploy_scheduler_end(scheduler);
            for (int32_t i = 0; i < served; i++) {
                CHECK_INT(turns[i].item, want[i]);
                CHECK(turns[i].allowed >= 1);
                p.items[want[i]].put_off = false;
                p.cursor = want[i] + 1;
            }
            p.waiting_count = 0;
            for (int32_t i = served; i < count; i++) {
                p.items[want[i]].put_off = true;
                p.waiting[p.waiting_count++] = want[i];
            }
            if (p.waiting_count == 0) p.cursor = 0;
            CHECK_INT(ploy_scheduler_waiting_count(scheduler), p.waiting_count);
            for (int32_t i = 0; i < p.waiting_count; i++) {
                CHECK_INT(ployi_scheduler_waiting(scheduler, i), p.waiting[i]);
            }
            tick++;
        }
        ploy_scheduler_destroy(scheduler);
    }
}

TEST(policies_divide_the_units) { // EXE-10, EXE-12, EXE-13
    static const struct {
        const char *row;
        ploy_policy policy;
        int64_t units;
        int32_t priority[3];
        int64_t spends[3], want[3];
    } rows[] = {
        {"even: an overrun shrinks the later",
         PLOY_POLICY_EVEN,
         12,
         {9, 1, 1},
         {6, 2, 4},
         {4, 3, 4}},
        {"priority: 2, 4, 6, where the listing gives 2, 3.33, 3.33",
         PLOY_POLICY_PRIORITY,
         12,
         {1, 2, 3},
         {2, 4, 6},
         {2, 4, 6}},
        {"priority only", PLOY_POLICY_PRIORITY_ONLY, 12, {1, 2, 3}, {2, 4, 6}, {2, 4, 6}},
        {"adaptive begins as priority", PLOY_POLICY_ADAPTIVE, 12, {1, 2, 3}, {2, 4, 6}, {2, 4, 6}},
        {"no limit",
         PLOY_POLICY_PRIORITY,
         PLOY_BUDGET_UNLIMITED,
         {1, 2, 3},
         {2, 4, 6},
         {PLOY_BUDGET_UNLIMITED, PLOY_BUDGET_UNLIMITED, PLOY_BUDGET_UNLIMITED}},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].row;
        ploy_scheduler *scheduler = scheduler_of(t, rows[r].policy);
        bool only = rows[r].policy == PLOY_POLICY_PRIORITY_ONLY;
        for (int32_t i = 0; i < 3; i++) {
            // Periods don't count where everybody runs in every tick.
            ploy_schedule schedule = every(only ? 7 : 1, only ? 3 : 0, rows[r].priority[i]);
            CHECK_OK(ploy_scheduler_add(scheduler, i, &schedule));
        }
        int64_t allowed[3] = {0};
        CHECK_INT(run(t, scheduler, 0, rows[r].units, rows[r].spends, allowed), 3);
        for (int32_t i = 0; i < 3; i++) CHECK_INT(allowed[i], rows[r].want[i]);
        ploy_scheduler_destroy(scheduler);
    }
}

TEST(requests_are_granted_by_precedence_and_after_some_waits_first) { // EXE-13
    ploy_scheduler *scheduler = scheduler_of(t, PLOY_POLICY_REQUEST);
    static const int32_t asks[3] = {6, 6, 3};
    int64_t spends[3] = {6, 6, 3};
    for (int32_t i = 0; i < 3; i++) {
        ploy_schedule schedule = every(1, 0, 3 - i);
        schedule.indivisible = i == 1;
        schedule.request = asks[i];
        CHECK_OK(ploy_scheduler_add(scheduler, i, &schedule));
    }
    for (uint64_t tick = 0; tick < 8; tick++) { // patience is 8
        int64_t allowed[3] = {0};
        CHECK_INT(run(t, scheduler, tick, 10, spends, allowed), 2);
        CHECK_INT(allowed[0], 6);
        CHECK_INT(allowed[1], 0);
        CHECK_INT(allowed[2], 3);
        ploy_service service;
        CHECK_OK(ploy_scheduler_service(scheduler, 1, &service));
        CHECK_INT(service.waiting, tick + 1);
    }
    int64_t allowed[3] = {0};
    run(t, scheduler, 8, 10, spends, allowed);
    CHECK_INT(allowed[1], 6); // first now
    CHECK_INT(allowed[0], 4); // min(request, what is left)
    CHECK_OK(ployi_scheduler_set_request(scheduler, 0, 2));
    CHECK_INT(ployi_scheduler_set_request(scheduler, 0, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ployi_scheduler_set_request(scheduler, 9, 1), PLOY_ERR_NOT_FOUND);
    allowed[0] = 0;
    run(t, scheduler, 9, 10, spends, allowed);
    CHECK_INT(allowed[0], 2);
    // One that asks for more than there ever is still has its turn when it is first.
    ploy_schedule schedule = every(1, 0, 1);
    schedule.indivisible = true;
    schedule.request = 100;
    CHECK_OK(ploy_scheduler_set(scheduler, 1, &schedule));
    bool had = false;
    for (uint64_t tick = 10; tick < 30 && !had; tick++) {
        allowed[1] = 0;
        run(t, scheduler, tick, 10, spends, allowed);
        had = allowed[1] == 100;
    }
    CHECK(had);
    ploy_scheduler_destroy(scheduler);
}

TEST(one_that_overspends_again_and_again_gets_less_and_recovers) { // EXE-13
    ploy_scheduler *scheduler = scheduler_of(t, PLOY_POLICY_ADAPTIVE);
    ploy_schedule schedule = every(1, 0, 1);
    CHECK_OK(ploy_scheduler_add(scheduler, 0, &schedule));
    CHECK_OK(ploy_scheduler_add(scheduler, 1, &schedule));
    ploy_service service;
    int64_t allowed[2] = {0};
    for (uint64_t tick = 0; tick < 40; tick++) {
        int64_t spends[2] = {2 * allowed[0], 1};
        run(t, scheduler, tick, 100, spends, allowed);
    }
    CHECK_OK(ploy_scheduler_service(scheduler, 0, &service));
    CHECK(service.bias < 0.2f);
    CHECK(allowed[0] < 20);
    CHECK(service.overruns > 5);
    for (uint64_t tick = 40; tick < 400; tick++) {
        int64_t spends[2] = {1, 1};
        run(t, scheduler, tick, 100, spends, allowed);
    }
    CHECK_OK(ploy_scheduler_service(scheduler, 0, &service));
    CHECK(service.bias > 0.95f);
    CHECK(allowed[0] >= 48);
    ploy_scheduler_destroy(scheduler);
}

static void give_to_even(void *user, const ploy_turn_ask *asks, int32_t count, int64_t units,
                         int64_t *allowances) {
    (*(int32_t *)user)++;
    for (int32_t i = 0; i < count; i++) allowances[i] = asks[i].item % 2 == 0 ? units / 4 : 0;
}

TEST(a_policy_of_the_callers_own) { // EXE-13
    ploy_scheduler *scheduler = scheduler_of(t, PLOY_POLICY_EVEN);
    int32_t calls = 0;
    CHECK_INT(ploy_scheduler_set_policy(scheduler, PLOY_POLICY_CUSTOM, NULL, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_scheduler_set_policy(scheduler, PLOY_POLICY_EVEN, give_to_even, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_scheduler_set_policy(scheduler, PLOY_POLICY_CUSTOM, give_to_even, &calls));
    ploy_schedule schedule = every(1, 0, 1);
    for (int32_t i = 0; i < 5; i++) CHECK_OK(ploy_scheduler_add(scheduler, i, &schedule));
    int64_t allowed[5] = {0};
    CHECK_INT(run(t, scheduler, 0, 40, NULL, allowed), 3);
    CHECK_INT(calls, 1);
    for (int32_t i = 0; i < 5; i++) CHECK_INT(allowed[i], i % 2 == 0 ? 10 : 0);
    // Whom it leaves out for ever still has the first turn of a tick, once he waits longest.
    for (uint64_t tick = 1; tick < 6; tick++) run(t, scheduler, tick, 40, NULL, allowed);
    for (int32_t i = 0; i < 5; i++) CHECK(allowed[i] > 0);
    CHECK_OK(ploy_scheduler_begin(scheduler, 9, 1, NULL));
    CHECK_INT(ploy_scheduler_set_policy(scheduler, PLOY_POLICY_EVEN, NULL, NULL), PLOY_ERR_STATE);
    ploy_scheduler_destroy(scheduler);
}

TEST(slices_have_least_and_most_and_spare_is_for_those_who_want_it) { // EXE-13
    ploy_scheduler *scheduler = scheduler_of(t, PLOY_POLICY_EVEN);
    ploy_schedule schedule = every(1, 0, 1);
    schedule.max_slice = 3;
    CHECK_OK(ploy_scheduler_add(scheduler, 0, &schedule));
    schedule = every(1, 0, 1);
    schedule.wants_spare = false;
    CHECK_OK(ploy_scheduler_add(scheduler, 1, &schedule));
    schedule.wants_spare = true;
    schedule.min_slice = 20;
    CHECK_OK(ploy_scheduler_add(scheduler, 2, &schedule));
    int64_t allowed[3] = {0}, spends[3] = {1, 1, 20};
    run(t, scheduler, 0, 30, spends, allowed);
    CHECK_INT(allowed[0], 3);
    CHECK_INT(allowed[1], 10); // its own third, although 29 / 2 were there
    CHECK_INT(allowed[2], 28);
    spends[0] = 11;
    allowed[2] = 0;
    CHECK_INT(run(t, scheduler, 1, 30, spends, allowed), 2);
    CHECK_INT(allowed[2], 0); // 18 left, 20 needed: put off
    allowed[2] = 0;
    run(t, scheduler, 2, 10, spends, allowed);
    CHECK_INT(allowed[2], 20); // first now, whatever there is
    ploy_scheduler_destroy(scheduler);
}

TEST(a_turn_that_would_cost_more_than_is_left_is_put_off_if_wanted) { // NTU-26
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.predict = true;
    ploy_scheduler *scheduler = NULL;
    CHECK_OK(ploy_scheduler_create(&def, &env, &scheduler));
    ploy_rng rng = ploy_rng_make(4);
    enum { MINDS = 12, BUDGET = 30 };
    int64_t spends[MINDS];
    uint64_t last[MINDS] = {0};
    for (int32_t i = 0; i < MINDS; i++) {
        ploy_schedule schedule = every(ploy_rng_int(&rng, 1, 4), i, 1);
        spends[i] = ploy_rng_int(&rng, 1, 12);
        schedule.cost = (int32_t)spends[i];
        CHECK_OK(ploy_scheduler_add(scheduler, i, &schedule));
    }
    for (uint64_t tick = 0; tick < 500; tick++) {
        CHECK_OK(ploy_scheduler_begin(scheduler, tick, BUDGET, NULL));
        ploy_turn turn;
        int64_t spent = 0;
        while (ploy_scheduler_next(scheduler, &turn)) {
            spent += spends[turn.item];
            CHECK(tick - last[turn.item] <= 4 + MINDS - 1); // the stated bound
            last[turn.item] = tick;
            ploy_scheduler_report(scheduler, turn.item, spends[turn.item]);
        }
        CHECK(spent <= BUDGET); // costs are steady, so the prediction is exact
        ploy_scheduler_end(scheduler);
    }
    ploy_scheduler_destroy(scheduler);
}

TEST(nobody_waits_longer_than_the_bound_under_any_policy) {
    for (int64_t seed = 1; seed <= test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_policy policy = (ploy_policy)(seed % PLOY_POLICY_CUSTOM);
        ploy_scheduler *scheduler = scheduler_of(t, policy);
        int32_t count = ploy_rng_int(&rng, 1, 20);
        int64_t spends[20];
        int32_t periods[20];
        for (int32_t i = 0; i < count; i++) {
            ploy_schedule schedule = every(ploy_rng_int(&rng, 1, 5), i, ploy_rng_int(&rng, 1, 9));
            periods[i] = schedule.period;
            spends[i] = ploy_rng_int(&rng, 0, 30);
            schedule.indivisible = ploy_rng_chance(&rng, 0.3f);
            schedule.min_slice = ploy_rng_int(&rng, 0, 20);
            schedule.request = ploy_rng_int(&rng, 1, 30);
            if (ploy_rng_chance(&rng, 0.3f)) schedule.max_interval = schedule.period;
            CHECK_OK(ploy_scheduler_add(scheduler, i, &schedule));
        }
        for (uint64_t tick = 0; tick < 300; tick++) {
            run(t, scheduler, tick, ploy_rng_int(&rng, 1, 20), spends, NULL);
        }
        int32_t patience = policy == PLOY_POLICY_REQUEST ? 8 : 0;
        for (int32_t i = 0; i < count; i++) {
            ploy_service service;
            CHECK_OK(ploy_scheduler_service(scheduler, i, &service));
            CHECK(service.worst_interval <= (uint64_t)(periods[i] + count - 1 + patience));
            CHECK(service.turns >= 300 / (periods[i] + count + patience));
        }
        ploy_scheduler_destroy(scheduler);
    }
}

TEST(one_past_its_longest_interval_goes_before_others) {
    ploy_scheduler *scheduler = scheduler_of(t, PLOY_POLICY_PRIORITY);
    ploy_schedule schedule = every(1, 0, 1);
    for (int32_t i = 0; i < 10; i++) CHECK_OK(ploy_scheduler_add(scheduler, i, &schedule));
    schedule.max_interval = 2;
    CHECK_OK(ploy_scheduler_add(scheduler, 10, &schedule));
    for (uint64_t tick = 0; tick < 100; tick++) run(t, scheduler, tick, 2, NULL, NULL);
    ploy_service urgent, other;
    CHECK_OK(ploy_scheduler_service(scheduler, 10, &urgent));
    CHECK_OK(ploy_scheduler_service(scheduler, 3, &other));
    CHECK_UINT(urgent.worst_interval, 2);
    CHECK(other.worst_interval > 4);
    CHECK(other.worst_interval <= 1 + 10);
    ploy_scheduler_destroy(scheduler);
}

TEST(statistics_add_up) { // EXE-09
    ploy_scheduler *scheduler = scheduler_of(t, PLOY_POLICY_EVEN);
    ploy_schedule schedule = every(2, 0, 1);
    CHECK_OK(ploy_scheduler_add(scheduler, 0, &schedule));
    CHECK_OK(ploy_scheduler_add(scheduler, 1, &schedule));
    int64_t spends[2] = {9, 1};
    for (uint64_t tick = 0; tick < 8; tick++) run(t, scheduler, tick, 10, spends, NULL);
    ploy_service a, b;
    CHECK_OK(ploy_scheduler_service(scheduler, 0, &a));
    CHECK_OK(ploy_scheduler_service(scheduler, 1, &b));
    CHECK_INT(a.turns, 4);
    CHECK_INT(a.spent, 36);
    CHECK_INT(a.most_spent, 9);
    CHECK_INT(a.overruns, 4); // 5 allowed, 9 spent
    CHECK_SAME(a.mean, 9.0);
    CHECK_SAME(a.share, 0.9);
    CHECK_INT(b.overruns, 0);
    CHECK_UINT(a.worst_interval, 2);
    CHECK_UINT(a.last_tick, 6);
    CHECK_INT(ploy_scheduler_service(scheduler, 2, &a), PLOY_ERR_NOT_FOUND);
    ploy_scheduler_destroy(scheduler);
}

TEST(bad_calls_are_refused_and_change_nothing) {
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = ploy_scheduler_def_default();
    ploy_scheduler *scheduler = (ploy_scheduler *)&env;
    def.policy = PLOY_POLICY_CUSTOM; // without its function
    CHECK_INT(ploy_scheduler_create(&def, &env, &scheduler), PLOY_ERR_ARGUMENT);
    CHECK(scheduler == NULL);
    def.policy = (ploy_policy)77;
    CHECK_INT(ploy_scheduler_create(&def, &env, &scheduler), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_scheduler_create(NULL, &env, &scheduler), PLOY_ERR_ARGUMENT);
    scheduler = scheduler_of(t, PLOY_POLICY_EVEN);
    ploy_schedule schedule = every(1, 0, 1);
    CHECK_INT(ploy_scheduler_add(scheduler, -1, &schedule), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_scheduler_add(scheduler, INT32_MAX, &schedule), PLOY_ERR_ARGUMENT);
    schedule.period = 0;
    CHECK_INT(ploy_scheduler_add(scheduler, 0, &schedule), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_scheduler_remove(scheduler, 0), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_scheduler_set_enabled(scheduler, 0, true), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_scheduler_count(scheduler), 0);
    CHECK(!ployi_scheduler_contains(scheduler, 0));
    CHECK_OK(ploy_scheduler_begin(scheduler, 5, 10, NULL));
    CHECK_INT(ploy_scheduler_begin(scheduler, 6, 10, NULL), PLOY_ERR_STATE);
    ploy_scheduler_end(scheduler);
    ploy_scheduler_end(scheduler);
    CHECK_INT(ploy_scheduler_begin(scheduler, 5, 10, NULL), PLOY_ERR_ARGUMENT); // it is over
    CHECK_UINT(ploy_scheduler_tick(scheduler), 6);
    ploy_turn turn;
    CHECK(!ploy_scheduler_next(scheduler, &turn));
    ploy_scheduler_report(scheduler, 3, 1);
    CHECK_INT(ployi_scheduler_waiting(scheduler, 0), -1);
    CHECK_TEXT(ploy_policy_text(PLOY_POLICY_REQUEST), "request");
    CHECK_TEXT(ploy_policy_text((ploy_policy)99), "?");
    ploy_scheduler_destroy(scheduler);
    ploy_scheduler_destroy(NULL);
}

static ploy_result make_and_fill(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.capacity = 1;
    ploy_scheduler *scheduler = NULL;
    ploy_result result = ploy_scheduler_create(&def, env, &scheduler);
    if (result != PLOY_OK) return scheduler == NULL ? result : PLOY_ERR_STATE;
    for (int32_t i = 0; i < 6 && result == PLOY_OK; i++) {
        ploy_schedule schedule = every(i < 5 ? 1 + i : 1000, i, 1);
        schedule.auto_phase = true;
        result = ploy_scheduler_add(scheduler, i, &schedule);
        if (ploy_scheduler_count(scheduler) != (result == PLOY_OK ? i + 1 : i)) {
            result = PLOY_ERR_STATE;
        }
        int32_t calls = 0;
        if (result == PLOY_OK && i == 1) {
            result = ploy_scheduler_set_policy(scheduler, PLOY_POLICY_CUSTOM, give_to_even, &calls);
        }
    }
    ploy_scheduler_destroy(scheduler);
    return result;
}

TEST(memory_is_reported_survives_failure_and_is_not_needed_by_ticks) {
    CHECK_FAIL_NTH(make_and_fill, NULL);
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_scheduler_def def = ploy_scheduler_def_default();
    ploy_scheduler *scheduler = NULL;
    CHECK_OK(ploy_scheduler_create(&def, &env, &scheduler));
    for (int32_t i = 0; i < 100; i++) {
        ploy_schedule schedule = every(1 + i * 5, i, 1);
        CHECK_OK(ploy_scheduler_add(scheduler, i, &schedule));
    }
    int64_t bytes = 0, calls = counts.calls;
    ploy_scheduler_memory(scheduler, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    for (uint64_t tick = 0; tick < 1000; tick++) run(t, scheduler, tick, 5, NULL, NULL);
    CHECK_INT(counts.calls, calls);
    ploy_scheduler_destroy(scheduler);
    CHECK_INT(counts.blocks, 0);
}

static ploy_scheduler *scheduler_full(test_context *t, const ploy_env *env, bool run) {
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.capacity = 8;
    ploy_scheduler *scheduler = NULL;
    CHECK_OK(ploy_scheduler_create(&def, env, &scheduler));
    for (int32_t i = 0; i < 6; i++) {
        ploy_schedule schedule = ploy_schedule_default();
        schedule.period = i == 5 ? 5000 : i + 1;
        schedule.priority = 1 + i;
        schedule.max_interval = i == 2 ? 9 : 0;
        CHECK_OK(ploy_scheduler_add(scheduler, i == 3 ? 7 : i, &schedule));
    }
    for (uint64_t tick = 0; tick < 17 && run; tick++) {
        ploy_turn turn;
        CHECK_OK(ploy_scheduler_begin(scheduler, tick, 6, NULL));
        while (ploy_scheduler_next(scheduler, &turn)) {
            ploy_scheduler_report(scheduler, turn.item, 1 + (int64_t)tick % 4);
        }
        ploy_scheduler_end(scheduler);
    }
    return scheduler;
}

TEST(a_scheduler_saves_and_loads) {
    static const char *const skip[] = {"policy",  "waiting", "tick", "spent",
                                       "put_off", "enabled", NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_scheduler *a = scheduler_full(t, &env, true);
    state_check s = {ploy_scheduler_visit, a, NULL, skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    ploy_scheduler *b = scheduler_full(t, &env, false);
    state_check_copy(t, &s, b);
    for (uint64_t tick = 17; tick < 60; tick++) { // both hand out the same turns
        ploy_turn one, two;
        CHECK_OK(ploy_scheduler_begin(a, tick, 6, NULL));
        CHECK_OK(ploy_scheduler_begin(b, tick, 6, NULL));
        while (ploy_scheduler_next(a, &one)) {
            CHECK(ploy_scheduler_next(b, &two));
            CHECK_INT(one.item, two.item);
            CHECK_INT(one.allowed, two.allowed);
            ploy_scheduler_report(a, one.item, 1 + (int64_t)tick % 4);
            ploy_scheduler_report(b, two.item, 1 + (int64_t)tick % 4);
        }
        CHECK(!ploy_scheduler_next(b, &two));
        ploy_scheduler_end(a);
        ploy_scheduler_end(b);
        CHECK_UINT(ploy_visit_hash(ploy_scheduler_visit, b, NULL), state_hash(&s));
    }
    ploy_scheduler_destroy(a);
    ploy_scheduler_destroy(b);
}
