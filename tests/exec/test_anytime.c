#include "exec/exec_internal.h"
#include "ploy/exec/anytime.h"

#include "tests/test.h"

static ploy_anytime *anytime_of(test_context *t, int32_t size, const ploy_env *env) {
    ploy_anytime_def def = ploy_anytime_def_default();
    def.size = size;
    ploy_anytime *anytime = NULL;
    CHECK_OK(ploy_anytime_create(&def, env, &anytime));
    return anytime;
}

// EXE-14: before control goes back there is a usable best guess; consumers detect new versions.
TEST(better_answers_replace_the_best_and_others_do_not) {
    ploy_env env = ploy_env_default();
    ploy_anytime *anytime = anytime_of(t, sizeof(int32_t), &env);
    int32_t answer = 1, got = 0;
    uint64_t seen = 0;
    CHECK(!ploy_anytime_publish(anytime, &answer, 1.0f)); // nobody asked
    CHECK(!ploy_anytime_fetch(anytime, &seen, &got));
    CHECK_INT(ploy_anytime_finish(anytime, PLOY_OK), PLOY_ERR_STATE);
    ploy_anytime_begin(anytime);
    CHECK(!ploy_anytime_fetch(anytime, &seen, &got)); // a question is no answer
    static const struct {
        const char *row;
        int32_t answer;
        float quality;
        bool want;
    } rows[] = {
        {"the first counts, however poor", 10, -5.0f, true},
        {"better", 11, -4.0f, true},
        {"equal is no reason to turn around", 12, -4.0f, false},
        {"worse", 13, -4.5f, false},
        {"not a number", 14, NAN, false},
        {"much better", 15, 100.0f, true},
    };
    int32_t best = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(ploy_anytime_publish(anytime, &rows[i].answer, rows[i].quality), rows[i].want);
        if (rows[i].want) best = rows[i].answer;
        CHECK_INT(ploy_anytime_fetch(anytime, &seen, &got), rows[i].want); // news only then
        CHECK_INT(got, best);
    }
    t->row = NULL;
    CHECK(!ploy_anytime_publish(anytime, NULL, 1000.0f));
    ploy_anytime_info info = ploy_anytime_get(anytime);
    CHECK_INT(info.answers, 3);
    CHECK(!info.finished && info.result == PLOY_IN_PROGRESS);
    CHECK_OK(ploy_anytime_finish(anytime, PLOY_OK));
    CHECK(ploy_anytime_fetch(anytime, &seen, &got)); // that it is final is news
    CHECK(ploy_anytime_get(anytime).finished);
    CHECK(!ploy_anytime_publish(anytime, &answer, 1e6f));
    ploy_anytime_begin(anytime);
    CHECK(ploy_anytime_get(anytime).answer == NULL);
    CHECK_UINT(ploy_anytime_get(anytime).question, 2);
    ploy_anytime_destroy(anytime);
}

TEST(an_answer_being_read_stays_whole_while_the_next_is_published) {
    ploy_env env = ploy_env_default();
    ploy_anytime *anytime = anytime_of(t, 64, &env);
    unsigned char bytes[64];
    ploy_anytime_begin(anytime);
    memset(bytes, 1, sizeof bytes);
    CHECK(ploy_anytime_publish(anytime, bytes, 1.0f));
    const unsigned char *held = ploy_anytime_get(anytime).answer;
    memset(bytes, 2, sizeof bytes);
    CHECK(ploy_anytime_publish(anytime, bytes, 2.0f));
    memset(bytes, 1, sizeof bytes);
    CHECK_BYTES(held, bytes, sizeof bytes);
    CHECK(ploy_anytime_publish(anytime, ploy_anytime_get(anytime).answer, 3.0f)); // its own
    memset(bytes, 2, sizeof bytes);
    CHECK_BYTES(ploy_anytime_get(anytime).answer, bytes, sizeof bytes);
    ploy_anytime_destroy(anytime);
}

// A search for the largest of some numbers, one a unit.
typedef struct largest {
    int32_t at, best;
    bool any;
    ploy_result error; // at the seventh
} largest;

static int32_t largest_number(int32_t i) {
    return (i * 37) % 101;
}

static ploy_result largest_step(void *self, ploy_budget *budget) {
    largest *l = self;
    while (l->at < 100) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        int32_t number = largest_number(l->at++);
        if (!l->any || number > l->best) l->best = number;
        l->any = true;
        if (l->at == 7 && l->error != PLOY_OK) return l->error;
    }
    return PLOY_OK;
}

static bool largest_best(void *user, void *answer, float *quality) {
    const largest *l = user;
    memcpy(answer, &l->best, sizeof l->best);
    *quality = (float)l->best;
    return l->any;
}

static const ploy_task_type largest_type = {"largest", largest_step, NULL, NULL};

TEST(a_sliced_task_publishes_after_every_slice) {
    ploy_env env = ploy_env_default();
    for (int64_t slice = 1; slice <= 101; slice += 7) {
        TEST_SEED(slice);
        ploy_anytime *anytime = anytime_of(t, sizeof(int32_t), &env);
        largest work = {0, 0, false, PLOY_OK};
        ploy_task task = {&largest_type, &work};
        CHECK_INT(ploy_anytime_step(anytime, task, largest_best, &work, NULL), PLOY_ERR_STATE);
        ploy_anytime_begin(anytime);
        CHECK_INT(ploy_anytime_step(anytime, task, NULL, &work, NULL), PLOY_ERR_ARGUMENT);
        ploy_result result = PLOY_IN_PROGRESS;
        for (int32_t n = 1; result == PLOY_IN_PROGRESS; n++) {
            ploy_budget budget = ploy_budget_units(slice);
            result = ploy_anytime_step(anytime, task, largest_best, &work, &budget);
            int32_t want = 0, got = -1; // what looking at all of them so far gives
            for (int32_t i = 0; i < n * (int32_t)slice && i < 100; i++) {
                if (largest_number(i) > want) want = largest_number(i);
            }
            memcpy(&got, ploy_anytime_get(anytime).answer, sizeof got);
            CHECK_INT(got, want);
            CHECK_INT(ploy_anytime_get(anytime).finished, result == PLOY_OK);
        }
        CHECK_OK(result);
        ploy_anytime_destroy(anytime);
    }
}

TEST(an_error_ends_the_question_and_keeps_the_best) {
    ploy_env env = ploy_env_default();
    ploy_anytime *anytime = anytime_of(t, sizeof(int32_t), &env);
    largest work = {0, 0, false, PLOY_ERR_LIMIT};
    ploy_task task = {&largest_type, &work};
    ploy_anytime_begin(anytime);
    CHECK_INT(ploy_anytime_step(anytime, task, largest_best, &work, NULL), PLOY_ERR_LIMIT);
    ploy_anytime_info info = ploy_anytime_get(anytime);
    CHECK(info.finished && info.answer != NULL);
    CHECK_INT(info.result, PLOY_ERR_LIMIT);
    ploy_anytime_destroy(anytime);
}

static uint64_t anytime_hash(const ploy_anytime *anytime) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_anytime_describe(anytime, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(describe_tells_the_answer_and_nothing_of_addresses) {
    ploy_env env = ploy_env_default();
    ploy_anytime *a = anytime_of(t, sizeof(int32_t), &env);
    ploy_anytime *b = anytime_of(t, sizeof(int32_t), &env);
    int32_t one = 1, two = 2;
    ploy_anytime_begin(a);
    ploy_anytime_begin(b);
    CHECK(ploy_anytime_publish(a, &one, 1) && ploy_anytime_publish(b, &one, 1));
    CHECK_UINT(anytime_hash(a), anytime_hash(b));
    CHECK(ploy_anytime_publish(a, &one, 2) && ploy_anytime_publish(b, &two, 2));
    CHECK(anytime_hash(a) != anytime_hash(b));
    ploy_anytime_destroy(a);
    ploy_anytime_destroy(b);
}

static ploy_result anytime_body(const ploy_env *env, void *arg) {
    ploy_anytime_def def = ploy_anytime_def_default();
    ploy_anytime *anytime = NULL;
    (void)arg;
    ploy_result result = ploy_anytime_create(&def, env, &anytime);
    TEST_REPORT(result, env, anytime, ploy_anytime_memory);
    ploy_anytime_destroy(anytime);
    return result;
}

TEST(anytime_create_refuses_bad_defs_and_survives_failing_allocations) {
    ploy_env env = ploy_env_default();
    ploy_anytime_def def = ploy_anytime_def_default();
    ploy_anytime *anytime = NULL;
    def.size = 0;
    CHECK_INT(ploy_anytime_create(&def, &env, &anytime), PLOY_ERR_ARGUMENT);
    memset(&def, 0, sizeof def);
    CHECK_INT(ploy_anytime_create(&def, &env, &anytime), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_anytime_create(&def, NULL, &anytime), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_anytime_create(&def, &env, NULL), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_anytime_fields(), NULL));
    CHECK_FAIL_NTH(anytime_body, NULL);
}
