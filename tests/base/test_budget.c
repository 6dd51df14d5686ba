#include "ploy/base/budget.h"
#include "tests/test.h"

// A clock that only moves when told, and counts how often it is read.
typedef struct test_clock {
    uint64_t now;
    int64_t reads;
} test_clock;

static uint64_t read_clock(void *user) {
    test_clock *clock = user;
    clock->reads++;
    return clock->now;
}

static ploy_env clock_env(test_clock *clock) {
    ploy_env env = ploy_env_default();
    env.clock = read_clock;
    env.clock_user = clock;
    return env;
}

TEST(units_are_spent_until_none_are_left) {
    ploy_budget budget = ploy_budget_units(3);
    CHECK(!ploy_budget_empty(&budget));
    CHECK(ploy_budget_spend(&budget, 1));
    CHECK(ploy_budget_spend(&budget, 2));
    CHECK(ploy_budget_empty(&budget));
    CHECK(!ploy_budget_spend(&budget, 1));
    CHECK_INT(budget.spent, 3);
    CHECK_INT(budget.units, 0);
}

TEST(the_last_spend_may_overdraw_because_work_is_indivisible) {
    ploy_budget budget = ploy_budget_units(3);
    CHECK(ploy_budget_spend(&budget, 5));
    CHECK_INT(budget.spent, 5);
    CHECK_INT(budget.units, 0);
    CHECK(!ploy_budget_spend(&budget, 1));
    CHECK_INT(budget.spent, 5);
}

TEST(odd_amounts_neither_overflow_nor_give_back) {
    ploy_budget budget = ploy_budget_units(-5);
    CHECK(ploy_budget_empty(&budget));
    budget = ploy_budget_units(2);
    CHECK(ploy_budget_spend(&budget, -7));
    CHECK(ploy_budget_spend(&budget, 0));
    CHECK_INT(budget.units, 2);
    CHECK_INT(budget.spent, 0);
    budget = ploy_budget_unlimited();
    CHECK(ploy_budget_spend(&budget, INT64_MAX));
    CHECK(ploy_budget_spend(&budget, INT64_MAX));
    CHECK(!ploy_budget_empty(&budget));
    CHECK_INT(budget.spent, INT64_MAX);
}

TEST(no_budget_is_never_empty) {
    CHECK(!ploy_budget_empty(NULL));
    CHECK(ploy_budget_spend(NULL, 1000));
}

TEST(a_deadline_ends_the_budget_and_the_units_spent_are_known) {
    test_clock clock = {1000, 0};
    ploy_env env = clock_env(&clock);
    ploy_budget budget = ploy_budget_deadline(1000, 50, 10, &env);
    CHECK_INT(clock.reads, 1);
    int64_t done = 0;
    while (ploy_budget_spend(&budget, 1)) {
        done++;
        clock.now += 2; // 2 ns a unit: 25 units fit, the clock is read at 0, 10, 20, 30
    }
    CHECK_INT(done, 30);
    CHECK_INT(budget.spent, 30);
    CHECK_INT(clock.reads, 5);
    CHECK(ploy_budget_empty(&budget));
    // A replay with that count does the same work without a clock.
    ploy_budget replay = ploy_budget_units(budget.spent);
    int64_t again = 0;
    while (ploy_budget_spend(&replay, 1)) again++;
    CHECK_INT(again, done);
}

TEST(a_deadline_that_has_passed_allows_nothing) {
    test_clock clock = {1000, 0};
    ploy_env env = clock_env(&clock);
    ploy_budget budget = ploy_budget_deadline(1000, 50, 10, &env);
    clock.now = 1050;
    CHECK(!ploy_budget_spend(&budget, 1));
    CHECK_INT(budget.spent, 0);
    budget = ploy_budget_deadline(1000, 0, 0, &env);
    CHECK(!ploy_budget_spend(&budget, 1));
    CHECK_INT(budget.check_every, 1);
}

TEST(the_ends_of_the_clock_are_safe) {
    test_clock clock = {0, 0};
    ploy_env env = clock_env(&clock);
    ploy_budget budget = ploy_budget_deadline(5, 0, 1, &env);
    CHECK_UINT(budget.deadline_ns, 1); // 0 would mean none
    clock.now = UINT64_MAX - 5;
    budget = ploy_budget_deadline(5, 100, 1, &env);
    CHECK_UINT(budget.deadline_ns, UINT64_MAX);
    CHECK(ploy_budget_spend(&budget, 1));
    budget = ploy_budget_deadline(INT64_MAX, 100, INT64_MAX, &env);
    CHECK(ploy_budget_spend(&budget, 7));
    CHECK(ploy_budget_spend(&budget, 7));
    CHECK_INT(budget.spent, 14);
}

TEST(units_end_a_deadline_budget_too) {
    test_clock clock = {1000, 0};
    ploy_env env = clock_env(&clock);
    ploy_budget budget = ploy_budget_deadline(3, 1000000, 1, &env);
    int64_t done = 0;
    while (ploy_budget_spend(&budget, 1)) done++;
    CHECK_INT(done, 3);
}

TEST(without_a_clock_of_its_own_the_systems_is_used) {
    ploy_budget budget = ploy_budget_deadline(5, 3600u * 1000000000ull, 1, NULL);
    CHECK(ploy_budget_spend(&budget, 1));
    ploy_env env = ploy_env_default();
    budget = ploy_budget_deadline(5, 0, 1, &env);
    CHECK(!ploy_budget_spend(&budget, 1));
}

// Sums 1 to goal, one unit an addition.
typedef struct test_sum {
    int64_t goal, at, sum;
    bool cancelled;
} test_sum;

static ploy_result sum_step(void *self, ploy_budget *budget) {
    test_sum *sum = self;
    if (sum->goal < 0) return PLOY_ERR_STATE;
    while (sum->at < sum->goal) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        sum->sum += ++sum->at;
    }
    return PLOY_OK;
}

static void sum_cancel(void *self) {
    ((test_sum *)self)->cancelled = true;
}

static void sum_describe(const void *self, ploy_describe *out) {
    ploy_describe_i64(out, "sum", PLOY_STATE, ((const test_sum *)self)->sum);
}

static const ploy_task_type sum_type = {"sum", sum_step, sum_cancel, sum_describe};

TEST(slices_of_any_size_give_the_result_of_one_shot) {
    for (int64_t slice = 1; slice <= 12; slice++) {
        TEST_SEED(slice);
        test_sum sum = {10, 0, 0, false};
        ploy_task task = {&sum_type, &sum};
        ploy_result result = PLOY_IN_PROGRESS;
        int64_t steps = 0;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(slice);
            result = ploy_task_step(task, &budget);
            steps++;
        }
        CHECK_OK(result);
        CHECK_INT(sum.sum, 55);
        CHECK_INT(steps, slice >= 10 ? 1 : (10 + slice - 1) / slice);
    }
    test_sum sum = {10, 0, 0, false};
    ploy_task task = {&sum_type, &sum};
    CHECK_OK(ploy_task_step(task, NULL));
    CHECK_INT(sum.sum, 55);
}

TEST(a_task_passes_calls_on_and_none_passes_nothing) {
    test_sum sum = {-1, 0, 7, false};
    ploy_task task = {&sum_type, &sum};
    CHECK_INT(ploy_task_step(task, NULL), PLOY_ERR_STATE);
    ploy_hash_sink sink, empty;
    ploy_hash_sink_init(&sink);
    ploy_hash_sink_init(&empty);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_task_describe(task, &out);
    CHECK(ploy_hash_sink_result(&sink) != ploy_hash_sink_result(&empty));
    ploy_task_describe(task, NULL);
    ploy_task_cancel(task);
    CHECK(sum.cancelled);
    ploy_task none = {NULL, NULL};
    CHECK_INT(ploy_task_step(none, NULL), PLOY_ERR_ARGUMENT);
    ploy_task_cancel(none);
    ploy_task_describe(none, &out);
    static const ploy_task_type bare_type = {"bare", NULL, NULL, NULL};
    ploy_task bare = {&bare_type, NULL};
    CHECK_INT(ploy_task_step(bare, NULL), PLOY_ERR_ARGUMENT);
    ploy_task_cancel(bare);
    ploy_task_describe(bare, &out);
}
