// Generate and test: thresholds, relaxing, the best so far, slices.
#include "ploy/generate/accept.h"
#include "ploy/generate/scatter.h"
#include "tests/test.h"

#include <math.h>

// The number of discs, which differs from seed to seed.
static double by_count(void *user, ploy_generator generator, const char **reason) {
    (void)reason;
    if (user != NULL) (*(int32_t *)user)++;
    return (double)ploy_generator_outcome(generator).count;
}

static double never(void *user, ploy_generator generator, const char **reason) {
    (void)user, (void)generator;
    *reason = "unusable";
    return (double)NAN;
}

static ploy_accept_input input_of(ploy_accept_score score, void *user) {
    ploy_accept_input input = {ploy_scatter_generator(), NULL, NULL, score, user};
    return input;
}

TEST(the_first_attempt_above_the_threshold_wins) {
    ploy_env env = ploy_env_default();
    int32_t calls = 0;
    ploy_accept_input input = input_of(by_count, &calls);
    ploy_accept_def def = ploy_accept_def_default();
    def.threshold = 281.0f;
    ploy_accept *accept = NULL;
    CHECK_OK(ploy_accept_begin(&def, &input, ploy_rng_key_make(2), NULL, &env, &accept));
    CHECK_OK(ploy_accept_step(accept, NULL));
    ploy_generate_outcome outcome = ploy_accept_outcome(accept);
    CHECK(outcome.done && !outcome.partial);
    CHECK_INT(outcome.attempts, calls);
    CHECK(calls > 1); // a rare count
    CHECK(ploy_generator_outcome(ploy_accept_best(accept)).count >= 281);
    // It is the attempt with that number: attempt k has child k of the key.
    ploy_generator same;
    CHECK_OK(ploy_generator_run(ploy_scatter_generator(), NULL,
                                ploy_rng_key_split(ploy_rng_key_make(2), (uint64_t)calls - 1), NULL,
                                NULL, &env, &same));
    CHECK_UINT(ploy_generator_hash(same), ploy_generator_hash(ploy_accept_best(accept)));
    ploy_generator_cancel(same);
    ploy_accept_cancel(accept);
}

TEST(out_of_attempts_the_best_one_is_kept) {
    ploy_env env = ploy_env_default();
    ploy_accept_input input = input_of(by_count, NULL);
    ploy_accept_def def = ploy_accept_def_default();
    def.threshold = 100000.0f;
    def.max_attempts = 12;
    ploy_accept *accept = NULL;
    CHECK_OK(ploy_accept_begin(&def, &input, ploy_rng_key_make(3), NULL, &env, &accept));
    CHECK_OK(ploy_accept_step(accept, NULL));
    ploy_generate_outcome outcome = ploy_accept_outcome(accept);
    CHECK(outcome.partial);
    CHECK_TEXT(outcome.limit, "max_attempts");
    CHECK_INT(outcome.attempts, 12);
    ploy_accept_statistics statistics = ploy_accept_statistics_of(accept);
    CHECK(statistics.worst <= statistics.mean && statistics.mean <= statistics.best);
    CHECK_NEAR(ploy_generator_outcome(ploy_accept_best(accept)).count, statistics.best, 0);
    ploy_accept_cancel(accept);
}

TEST(a_sinking_threshold_ends_the_search) {
    ploy_env env = ploy_env_default();
    ploy_accept_input input = input_of(by_count, NULL);
    ploy_accept_def def = ploy_accept_def_default();
    def.threshold = 330.0f;
    def.relax = 5.0f;
    def.least = 290.0f; // above what there is, so it has to stop at the attempts
    def.max_attempts = 30;
    ploy_accept *accept = NULL;
    CHECK_OK(ploy_accept_begin(&def, &input, ploy_rng_key_make(3), NULL, &env, &accept));
    CHECK_OK(ploy_accept_step(accept, NULL));
    CHECK(ploy_accept_outcome(accept).partial);
    CHECK_NEAR(ploy_accept_statistics_of(accept).threshold, 290.0, 0);
    ploy_accept_cancel(accept);
    def.least = 0.0f;
    CHECK_OK(ploy_accept_begin(&def, &input, ploy_rng_key_make(3), NULL, &env, &accept));
    CHECK_OK(ploy_accept_step(accept, NULL));
    CHECK(!ploy_accept_outcome(accept).partial);
    CHECK(ploy_accept_outcome(accept).attempts > 5);
    ploy_accept_cancel(accept);
}

TEST(unusable_and_partial_attempts_do_not_win) {
    ploy_env env = ploy_env_default();
    ploy_accept_def def = ploy_accept_def_default();
    def.max_attempts = 4;
    def.threshold = 0.0f;
    ploy_accept_input input = input_of(never, NULL);
    ploy_accept *accept = NULL;
    CHECK_OK(ploy_accept_begin(&def, &input, ploy_rng_key_make(1), NULL, &env, &accept));
    CHECK_OK(ploy_accept_step(accept, NULL));
    CHECK(ploy_accept_best(accept).type == NULL);
    CHECK_INT(ploy_accept_outcome(accept).count, 0);
    CHECK_INT(ploy_accept_statistics_of(accept).unusable, 4);
    CHECK(isnan(ploy_accept_statistics_of(accept).best));
    ploy_accept_cancel(accept);
    ploy_scatter_def scatter = ploy_scatter_def_default();
    scatter.max_points = 5;
    input = input_of(by_count, NULL);
    input.def = &scatter;
    for (int32_t allow = 0; allow < 2; allow++) {
        def.allow_partial = allow == 1;
        CHECK_OK(ploy_accept_begin(&def, &input, ploy_rng_key_make(1), NULL, &env, &accept));
        CHECK_OK(ploy_accept_step(accept, NULL));
        CHECK_INT(ploy_accept_outcome(accept).partial, allow == 0);
        CHECK_INT(ploy_accept_outcome(accept).attempts, allow == 0 ? 4 : 1);
        CHECK(ploy_accept_best(accept).type != NULL);
        ploy_accept_cancel(accept);
    }
}

static uint64_t hash_sliced(test_context *t, int64_t slice) {
    ploy_env env = ploy_env_default();
    ploy_accept_input input = input_of(by_count, NULL);
    ploy_accept_def def = ploy_accept_def_default();
    def.threshold = 280.0f;
    ploy_accept *accept = NULL;
    CHECK_OK(ploy_accept_begin(&def, &input, ploy_rng_key_make(7), NULL, &env, &accept));
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(slice);
        result = ploy_accept_step(accept, &budget);
    }
    CHECK_OK(result);
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_accept_describe(accept, &out);
    ploy_accept_cancel(accept);
    return ploy_hash_sink_result(&sink);
}

TEST(slices_of_attempts_give_the_same_bits) {
    uint64_t whole = hash_sliced(t, PLOY_BUDGET_UNLIMITED);
    CHECK_UINT(hash_sliced(t, 1), whole);
    CHECK_UINT(hash_sliced(t, 7), whole);
}

static ploy_result run_accept(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_accept_input input = input_of(by_count, NULL);
    ploy_accept_def def = ploy_accept_def_default();
    def.threshold = 1e6f;
    def.max_attempts = 3;
    ploy_accept *accept = NULL;
    ploy_result result = ploy_accept_begin(&def, &input, ploy_rng_key_make(7), NULL, env, &accept);
    if (result != PLOY_OK) return result;
    result = ploy_accept_step(accept, NULL);
    ploy_accept_cancel(accept);
    return result;
}

TEST(attempts_survive_a_lack_of_memory) {
    CHECK_FAIL_NTH(run_accept, NULL);
}
