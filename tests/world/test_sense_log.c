// The ring of examinations: what stays, what is found, what describing costs the hash.
#include "ploy/world/sense_log.h"
#include "tests/state.h"
#include "tests/world/sense_test.h"
#include "world/world_internal.h"

static ploy_result sense_log_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_sense_log *log = NULL;
    ploy_result result = ploy_sense_log_create(4, env, &log);
    ploy_sense_log_destroy(log);
    return result;
}

TEST(a_log_survives_each_failing_allocation) {
    CHECK_FAIL_NTH(sense_log_make, NULL);
    ploy_env env = ploy_env_default();
    ploy_sense_log *log = NULL;
    CHECK_INT(ploy_sense_log_create(0, &env, &log), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sense_log_create((1 << 20) + 1, &env, &log), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_sense_log_create(1, &env, NULL), PLOY_ERR_ARGUMENT);
}

TEST(the_ring_keeps_the_newest) {
    ploy_env env = ploy_env_default();
    ploy_sense_log *log = NULL;
    CHECK_OK(ploy_sense_log_create(3, &env, &log));
    ploy_sense_entry entry;
    memset(&entry, 0, sizeof entry);
    CHECK(ploy_sense_log_get(log, 0) == NULL);
    for (int32_t i = 0; i < 5; i++) {
        entry.sensor = crowd_agent(i % 2 + 1);
        entry.source = crowd_agent(7);
        entry.order = (uint64_t)i;
        ployi_sense_log_add(log, &entry);
    }
    CHECK_INT(ploy_sense_log_count(log), 3);
    CHECK_UINT(ployi_sense_log_total(log), 5);
    for (int32_t age = 0; age < 3; age++) {
        CHECK_UINT(ploy_sense_log_get(log, age)->order, (uint64_t)(4 - age));
    }
    CHECK(ploy_sense_log_get(log, 3) == NULL);
    CHECK(ploy_sense_log_get(log, -1) == NULL);
    CHECK_UINT(ploy_sense_log_find(log, crowd_agent(2), crowd_agent(7), UINT64_MAX)->order, 3);
    CHECK_UINT(ploy_sense_log_find(log, crowd_agent(1), crowd_agent(7), 2)->order, 2);
    CHECK(ploy_sense_log_find(log, crowd_agent(1), crowd_agent(7), 0) == NULL);
    CHECK(ploy_sense_log_find(log, crowd_agent(1), crowd_agent(8), UINT64_MAX) == NULL);
    ploy_sense_log_clear(log);
    CHECK_INT(ploy_sense_log_count(log), 0);
    CHECK_UINT(ployi_sense_log_total(log), 5);
    ployi_sense_log_add(NULL, &entry);
    ploy_sense_log_destroy(log);
}

TEST(describing_a_log_never_changes_a_hash) {
    ploy_env env = ploy_env_default();
    ploy_sense_log *log = NULL;
    CHECK_OK(ploy_sense_log_create(3, &env, &log));
    ploy_hash_sink empty, sink;
    ploy_hash_sink_init(&empty);
    ploy_hash_sink_init(&sink);
    ploy_sense_entry entry;
    memset(&entry, 0, sizeof entry);
    ployi_sense_log_add(log, &entry);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_sense_log_describe(log, 10, &out);
    CHECK_UINT(ploy_hash_sink_result(&sink), ploy_hash_sink_result(&empty));
    ploy_sense_log_destroy(log);
}

TEST(a_log_is_saved_whole) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    for (int32_t made = 0; made < 9; made++) {
        ploy_sense_log *one = NULL, *two = NULL;
        CHECK_OK(ploy_sense_log_create(4, &env, &one));
        for (int32_t i = 0; i < made; i++) {
            ploy_sense_entry entry;
            memset(&entry, 0, sizeof entry);
            entry.sensor = crowd_agent(i + 1);
            entry.source = crowd_agent(7);
            entry.order = (uint64_t)i;
            entry.time = 0.25 * i;
            entry.reason = (ploy_sense_reason)(i % PLOY_SENSE_REASON_COUNT);
            ployi_sense_log_add(one, &entry);
            if (i == 4) ploy_sense_log_clear(one);
        }
        state_check s = {ploy_sense_log_visit, one, NULL, NULL, NULL};
        state_check_cover(t, &s);
        state_check_memory(t, &s, &counts);
        state_check_files(t, &s);
        CHECK_OK(ploy_sense_log_create(4, &env, &two));
        state_check_copy(t, &s, two);
        CHECK_INT(ploy_sense_log_count(two), ploy_sense_log_count(one));
        for (int32_t age = 0; age < ploy_sense_log_count(one); age++) {
            const ploy_sense_entry *a = ploy_sense_log_get(one, age);
            CHECK_INT(memcmp(a, ploy_sense_log_get(two, age), sizeof *a), 0);
        }
        ploy_sense_log_destroy(one);
        ploy_sense_log_destroy(two);
    }
    CHECK_INT(counts.bytes, 0);
}
