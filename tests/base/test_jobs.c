#include "tests/test.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/base_internal.h"
#include "ploy/base/jobs.h"
#include "ploy/base/os.h"
#include "ploy/base/rng.h"

enum { ITEMS = 1000 };

// What a run did: each item written by its own call only, so no lock is needed.
typedef struct work {
    int32_t seen[ITEMS];  // how often
    int32_t first[ITEMS]; // of its chunk
    int32_t count[ITEMS]; // of its chunk
    atomic_int busy[PLOY_JOBS_WORKERS_MAX];
    atomic_int clashes; // calls with a worker that was busy, or out of range
    int32_t workers;
} work;

static void do_work(void *arg, int32_t first, int32_t count, int32_t worker) {
    work *w = arg;
    if (worker < 0 || worker >= w->workers) {
        atomic_fetch_add(&w->clashes, 1);
        return;
    }
    if (atomic_exchange(&w->busy[worker], 1) != 0) atomic_fetch_add(&w->clashes, 1);
    for (int32_t i = first; i < first + count; i++) {
        w->seen[i]++;
        w->first[i] = first;
        w->count[i] = count;
    }
    atomic_store(&w->busy[worker], 0);
}

static void check_run(test_context *t, const ploy_jobs *jobs, int32_t count, int32_t grain) {
    work *w = calloc(1, sizeof *w);
    CHECK(w != NULL);
    w->workers = ploy_jobs_workers(jobs);
    ploy_jobs_run(jobs, do_work, w, count, grain);
    int32_t step = grain < 1 ? 1 : grain;
    for (int32_t i = 0; i < ITEMS; i++) {
        CHECK_INT(w->seen[i], i < count ? 1 : 0);
        if (i >= count) continue;
        // The same chunks for any number of workers.
        CHECK_INT(w->first[i], i / step * step);
        CHECK_INT(w->count[i], count - w->first[i] < step ? count - w->first[i] : step);
    }
    CHECK_INT(atomic_load(&w->clashes), 0);
    free(w);
}

static void check_runs(test_context *t, const ploy_jobs *jobs) {
    static const int32_t counts[] = {-5, 0, 1, 2, 7, 64, 999, ITEMS};
    static const int32_t grains[] = {-1, 0, 1, 3, 64, 1000, INT32_MAX};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        for (size_t j = 0; j < COUNT_OF(grains); j++) check_run(t, jobs, counts[i], grains[j]);
    }
}

TEST(without_jobs_the_work_is_done_here) {
    CHECK_INT(ploy_jobs_workers(NULL), 1);
    check_runs(t, NULL);
}

TEST(a_pool_does_each_chunk_once_for_any_number_of_workers) {
    static const int32_t workers[] = {1, 2, 3, 4, 16};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < (PLOYI_THREADS ? COUNT_OF(workers) : 1); i++) {
        TEST_SEED(workers[i]);
        ploy_job_pool *pool = NULL;
        CHECK_OK(ploy_job_pool_create(workers[i], &env, &pool));
        const ploy_jobs *jobs = ploy_job_pool_jobs(pool);
        CHECK_INT(ploy_jobs_workers(jobs), workers[i]);
        for (int round = 0; round < 3; round++) check_runs(t, jobs);
        ploy_job_pool_destroy(pool);
    }
    ploy_job_pool_destroy(NULL);
}

TEST(create_refuses_worker_counts_out_of_range) {
    ploy_env env = ploy_env_default();
    static const int32_t bad[] = {-1, 0, PLOY_JOBS_WORKERS_MAX + 1, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        TEST_SEED(bad[i]);
        ploy_job_pool *pool = (ploy_job_pool *)&env;
        CHECK_INT(ploy_job_pool_create(bad[i], &env, &pool), PLOY_ERR_ARGUMENT);
        CHECK(pool == NULL);
    }
    CHECK_INT(ploy_job_pool_create(1, &env, NULL), PLOY_ERR_ARGUMENT);
}

#if !PLOYI_THREADS
TEST(without_threads_a_pool_has_one_worker) {
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = (ploy_job_pool *)&env;
    CHECK_INT(ploy_job_pool_create(2, &env, &pool), PLOY_ERR_UNSUPPORTED);
    CHECK(pool == NULL);
}
#endif

// As many workers as there can be, up to `wanted`.
static int32_t workers_here(int32_t wanted) {
    return PLOYI_THREADS ? wanted : 1;
}

TEST(pools_come_and_go_without_work) {
    ploy_env env = ploy_env_default();
    for (int i = 0; i < 50; i++) {
        ploy_job_pool *pool = NULL;
        CHECK_OK(ploy_job_pool_create(workers_here(1 + i % 5), &env, &pool));
        ploy_job_pool_destroy(pool);
    }
}

// Many tiny runs in a row find the gaps between the end of one and the start of the next.
static void add_one(void *arg, int32_t first, int32_t count, int32_t worker) {
    (void)worker;
    int64_t *sums = arg;
    for (int32_t i = first; i < first + count; i++) sums[i]++;
}

// Keeps a worker busy for a while.
static void spin(uint64_t nanoseconds) {
    uint64_t end = ploy_os_clock_ns() + nanoseconds;
    while (ploy_os_clock_ns() < end) {
    }
}

typedef struct slow_work {
    int64_t sums[16];
    int32_t caller; // the worker that is quick
} slow_work;

static void help_slowly(void *arg, int32_t first, int32_t count, int32_t worker) {
    slow_work *w = arg;
    spin(worker == w->caller ? 100000 : 1000000);
    add_one(w->sums, first, count, worker);
}

TEST(a_run_returns_when_the_slowest_worker_is_done) {
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    CHECK_OK(ploy_job_pool_create(workers_here(3), &env, &pool));
    for (int round = 1; round <= 10; round++) {
        slow_work w = {{0}, workers_here(3) - 1};
        ploy_jobs_run(ploy_job_pool_jobs(pool), help_slowly, &w, 16, 1);
        for (int i = 0; i < 16; i++) CHECK_INT(w.sums[i], 1);
    }
    ploy_job_pool_destroy(pool);
}

TEST(runs_in_quick_succession_do_not_mix) {
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    CHECK_OK(ploy_job_pool_create(workers_here(4), &env, &pool));
    int64_t sums[2][16] = {{0}};
    for (int i = 0; i < 2000; i++) {
        ploy_jobs_run(ploy_job_pool_jobs(pool), add_one, sums[i % 2], 1 + i % 16, 1);
    }
    int64_t want[2][16] = {{0}};
    for (int i = 0; i < 2000; i++) {
        for (int j = 0; j < 1 + i % 16; j++) want[i % 2][j]++;
    }
    CHECK_BYTES(sums, want, sizeof sums);
    ploy_job_pool_destroy(pool);
}

// A job that starts a run of its own on the same pool.
typedef struct nested_work {
    const ploy_jobs *jobs;
    int32_t inner_seen[20][30];
    atomic_int wrong_worker;
} nested_work;

typedef struct inner_work {
    int32_t *seen;
    int32_t worker;
    nested_work *outer;
} inner_work;

static void do_inner(void *arg, int32_t first, int32_t count, int32_t worker) {
    inner_work *w = arg;
    if (worker != w->worker) atomic_fetch_add(&w->outer->wrong_worker, 1);
    for (int32_t i = first; i < first + count; i++) w->seen[i]++;
}

static void do_outer(void *arg, int32_t first, int32_t count, int32_t worker) {
    nested_work *w = arg;
    for (int32_t i = first; i < first + count; i++) {
        inner_work inner = {w->inner_seen[i], worker, w};
        ploy_jobs_run(w->jobs, do_inner, &inner, 30, 4);
    }
}

TEST(a_run_inside_a_job_is_done_in_place_by_the_same_worker) {
    ploy_env env = ploy_env_default();
    for (int32_t workers = 1; workers <= workers_here(4); workers++) {
        TEST_SEED(workers);
        ploy_job_pool *pool = NULL;
        CHECK_OK(ploy_job_pool_create(workers, &env, &pool));
        nested_work w;
        memset(&w, 0, sizeof w);
        w.jobs = ploy_job_pool_jobs(pool);
        for (int round = 0; round < 20; round++) ploy_jobs_run(w.jobs, do_outer, &w, 20, 1);
        for (int i = 0; i < 20; i++) {
            for (int j = 0; j < 30; j++) CHECK_INT(w.inner_seen[i][j], 20);
        }
        CHECK_INT(atomic_load(&w.wrong_worker), 0);
        ploy_job_pool_destroy(pool);
    }
}

#if PLOYI_THREADS
// Threads of the caller's that use one pool.
typedef struct caller {
    const ploy_jobs *jobs;
    int64_t sums[64];
    ployi_thread thread;
} caller;

static void add_one_slowly(void *arg, int32_t first, int32_t count, int32_t worker) {
    spin(20000);
    add_one(arg, first, count, worker);
}

static void call_often(void *arg) {
    caller *c = arg;
    for (int i = 0; i < 120; i++) ploy_jobs_run(c->jobs, add_one_slowly, c->sums, 64, 5);
}

TEST(runs_from_several_threads_take_turns) {
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    CHECK_OK(ploy_job_pool_create(workers_here(3), &env, &pool));
    caller callers[3];
    memset(callers, 0, sizeof callers);
    for (int i = 0; i < 3; i++) {
        callers[i].jobs = ploy_job_pool_jobs(pool);
        CHECK_OK(ployi_thread_start(&callers[i].thread, call_often, &callers[i]));
    }
    for (int i = 0; i < 3; i++) ployi_thread_join(&callers[i].thread);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 64; j++) CHECK_INT(callers[i].sums[j], 120);
    }
    ploy_job_pool_destroy(pool);
}

#endif

// Sums floats into lanes chosen by the item, the way results are made independent of workers.
typedef struct float_work {
    const float *values;
    float partial[ITEMS]; // one for each chunk
    int32_t grain;
} float_work;

static void sum_chunk(void *arg, int32_t first, int32_t count, int32_t worker) {
    (void)worker;
    float_work *w = arg;
    float sum = 0.0f;
    for (int32_t i = first; i < first + count; i++) sum += w->values[i];
    w->partial[first / w->grain] = sum;
}

TEST(sums_by_chunk_have_the_same_bits_for_any_number_of_workers) {
    ploy_env env = ploy_env_default();
    float values[ITEMS];
    ploy_rng rng = ploy_rng_make(3);
    for (int i = 0; i < ITEMS; i++) values[i] = ploy_rng_range(&rng, -1e3f, 1e6f);
    float_work serial = {values, {0}, 37};
    ploy_jobs_run(NULL, sum_chunk, &serial, ITEMS, 37);
    for (int32_t workers = 1; workers <= workers_here(8); workers *= 2) {
        ploy_job_pool *pool = NULL;
        CHECK_OK(ploy_job_pool_create(workers, &env, &pool));
        float_work parallel = {values, {0}, 37};
        ploy_jobs_run(ploy_job_pool_jobs(pool), sum_chunk, &parallel, ITEMS, 37);
        CHECK_BYTES(parallel.partial, serial.partial, sizeof serial.partial);
        ploy_job_pool_destroy(pool);
    }
}

// A game's own task system: here one that runs chunks backwards, all as worker 1 of 2.
typedef struct host {
    int runs;
} host;

static void host_run(void *user, ploy_job_fn fn, void *arg, int32_t count, int32_t grain) {
    ((host *)user)->runs++;
    for (int32_t chunk = (count - 1) / grain; chunk >= 0; chunk--) {
        int32_t first = chunk * grain;
        fn(arg, first, count - first < grain ? count - first : grain, 1);
    }
}

TEST(a_hosts_own_task_system_gets_the_work) {
    host h = {0};
    ploy_jobs jobs = {host_run, &h, 2};
    check_run(t, &jobs, 100, 7);
    CHECK_INT(h.runs, 1);
    check_run(t, &jobs, 0, 7); // nothing to do: not even called
    CHECK_INT(h.runs, 1);
    check_run(t, &jobs, 10, 0);
    CHECK_INT(h.runs, 2);
    ploy_jobs empty = {NULL, NULL, 0};
    CHECK_INT(ploy_jobs_workers(&empty), 1);
    check_run(t, &empty, 100, 7);
}

static ploy_result make_pool(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_job_pool *pool = NULL;
    ploy_result result = ploy_job_pool_create(workers_here(3), env, &pool);
    if (result != PLOY_OK) return pool == NULL ? result : PLOY_ERR_STATE;
    ploy_job_pool_destroy(pool);
    return PLOY_OK;
}

TEST(a_pool_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(make_pool, NULL);
}

TEST(a_run_allocates_nothing) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_job_pool *pool = NULL;
    CHECK_OK(ploy_job_pool_create(workers_here(4), &env, &pool));
    int64_t calls = counts.calls, sums[16] = {0};
    for (int i = 0; i < 100; i++) ploy_jobs_run(ploy_job_pool_jobs(pool), add_one, sums, 16, 1);
    CHECK_INT(counts.calls, calls);
    ploy_job_pool_destroy(pool);
    CHECK_INT(counts.blocks, 0);
}
