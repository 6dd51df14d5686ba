// Jobs: the serial run and the pool.
//
// One run at a time. The caller posts it under the mutex and works too; each free worker takes the
// next chunk from one counter. The counter hands out each chunk once, and a chunk is the same range
// of items, whichever worker takes it.
//
// Invariants of the pool, all under the mutex except next_chunk:
//   (1) while open, the posted run may be joined; it is closed only when every chunk was taken;
//   (2) active counts the threads working on the posted run; the caller returns, and another run is
//       posted, only at active 0, so no worker ever sees half of two runs;
//   (3) while busy, `caller` is the thread that posted the run.
//
// Waking a thread can take as long as a short run, and runs come in rows: a step of a crowd is
// several. So a waiting worker first looks at a counter for some 2,000 pauses, about as long as waking
// takes, and only then goes to sleep. The counters only say when it is worth taking the mutex.
#include "ploy/base/jobs.h"

#include <string.h>

#include "base/base_internal.h"
#include "base/compiler.h"

#if PLOYI_THREADS
#include <stdatomic.h>
#endif

static int32_t jobs_chunk_count(int32_t count, int32_t grain) {
    return (int32_t)(((int64_t)count + grain - 1) / grain);
}

static void jobs_run_chunk(ploy_job_fn fn, void *arg, int32_t count, int32_t grain, int32_t chunk,
                           int32_t worker) {
    int32_t first = chunk * grain; // below count, so it cannot overflow
    int32_t left = count - first;
    fn(arg, first, left < grain ? left : grain, worker);
}

static void jobs_run_serial(ploy_job_fn fn, void *arg, int32_t count, int32_t grain,
                            int32_t worker) {
    int32_t chunks = jobs_chunk_count(count, grain);
    for (int32_t i = 0; i < chunks; i++) jobs_run_chunk(fn, arg, count, grain, i, worker);
}

int32_t ploy_jobs_workers(const ploy_jobs *jobs) {
    return jobs == NULL || jobs->workers < 1 ? 1 : jobs->workers;
}

void ploy_jobs_run(const ploy_jobs *jobs, ploy_job_fn fn, void *arg, int32_t count, int32_t grain) {
    if (count <= 0) return;
    if (grain < 1) grain = 1;
    if (jobs == NULL || jobs->run == NULL) {
        jobs_run_serial(fn, arg, count, grain, 0);
    } else {
        jobs->run(jobs->user, fn, arg, count, grain);
    }
}

#if PLOYI_THREADS

typedef struct jobs_worker {
    ploy_job_pool *pool;
    ployi_thread thread;
    ployi_thread_id id; // set by the thread itself before its first job
    bool known;         // id is set
    int32_t number;
} jobs_worker;

struct ploy_job_pool {
    ploy_env env;
    size_t size; // bytes of this block
    ploy_jobs jobs;
    ployi_mutex mutex;
    ployi_condition work; // threads wait for a run
    ployi_condition done; // callers wait for active 0, or for their turn
    ploy_job_fn fn;
    void *arg;
    int32_t count;
    int32_t grain;
    int32_t chunks;
    atomic_uint posted;      // changes with every run posted, and at the stop
    atomic_uint finished;    // changes when active has come to 0
    atomic_llong next_chunk; // runs past chunks by one for each thread, so wider than int32_t
    int32_t active;
    ployi_thread_id caller;
    bool busy;
    bool open;
    bool stop;
    int32_t thread_count; // started
    jobs_worker workers[];
};

static void jobs_take_chunks(ploy_job_pool *pool, int32_t worker) {
    // Relaxed is enough: the run itself was posted under the mutex, and its end goes through it.
    for (;;) {
        long long chunk = atomic_fetch_add_explicit(&pool->next_chunk, 1, memory_order_relaxed);
        if (chunk >= pool->chunks) return;
        jobs_run_chunk(pool->fn, pool->arg, pool->count, pool->grain, (int32_t)chunk, worker);
    }
}

enum { JOBS_LOOKS = 2000 };

// Looks whether a counter has left a value, for a while. The mutex is not held.
static void jobs_look(atomic_uint *counter, unsigned value) {
    for (int i = 0; i < JOBS_LOOKS; i++) {
        if (atomic_load_explicit(counter, memory_order_relaxed) != value) return;
        PLOYI_PAUSE();
    }
}

static void jobs_count_up(atomic_uint *counter) {
    atomic_fetch_add_explicit(counter, 1u, memory_order_relaxed);
}

static void jobs_thread_main(void *arg) {
    jobs_worker *self = arg;
    ploy_job_pool *pool = self->pool;
    ployi_mutex_lock(&pool->mutex);
    self->id = ployi_thread_current();
    self->known = true;
    for (;;) {
        if (!pool->open && !pool->stop) {
            unsigned posted = atomic_load_explicit(&pool->posted, memory_order_relaxed);
            ployi_mutex_unlock(&pool->mutex);
            jobs_look(&pool->posted, posted);
            ployi_mutex_lock(&pool->mutex);
        }
        while (!pool->open && !pool->stop) ployi_condition_wait(&pool->work, &pool->mutex);
        if (pool->stop) break;
        pool->active++;
        ployi_mutex_unlock(&pool->mutex);
        jobs_take_chunks(pool, self->number);
        ployi_mutex_lock(&pool->mutex);
        pool->open = false; // every chunk is taken: no worker needs to join any more. keeps (1)
        if (--pool->active == 0) {
            jobs_count_up(&pool->finished);
            ployi_condition_broadcast(&pool->done);
        }
    }
    ployi_mutex_unlock(&pool->mutex);
}

// The number of the worker that this thread is right now, or -1. Under the mutex.
static int32_t jobs_current_worker(const ploy_job_pool *pool) {
    ployi_thread_id self = ployi_thread_current();
    if (pool->busy && ployi_thread_same(self, pool->caller)) return pool->thread_count;
    for (int32_t i = 0; i < pool->thread_count; i++) {
        const jobs_worker *worker = &pool->workers[i];
        if (worker->known && ployi_thread_same(self, worker->id)) return worker->number;
    }
    return -1;
}

static void jobs_pool_run(void *user, ploy_job_fn fn, void *arg, int32_t count, int32_t grain) {
    ploy_job_pool *pool = user;
    ployi_mutex_lock(&pool->mutex);
    int32_t nested = jobs_current_worker(pool);
    if (nested >= 0) {
        ployi_mutex_unlock(&pool->mutex);
        jobs_run_serial(fn, arg, count, grain, nested);
        return;
    }
    while (pool->busy) ployi_condition_wait(&pool->done, &pool->mutex);
    pool->busy = true;
    pool->caller = ployi_thread_current();
    pool->fn = fn;
    pool->arg = arg;
    pool->count = count;
    pool->grain = grain;
    pool->chunks = jobs_chunk_count(count, grain);
    atomic_store_explicit(&pool->next_chunk, 0, memory_order_relaxed);
    int32_t helpers = pool->chunks - 1; // one chunk is the caller's own
    if (helpers > 0) {
        pool->open = true;
        jobs_count_up(&pool->posted);
        if (helpers >= pool->thread_count) {
            ployi_condition_broadcast(&pool->work);
        } else {
            for (int32_t i = 0; i < helpers; i++) ployi_condition_signal(&pool->work);
        }
    }
    ployi_mutex_unlock(&pool->mutex);

    jobs_take_chunks(pool, pool->thread_count);

    ployi_mutex_lock(&pool->mutex);
    pool->open = false;
    if (pool->active > 0) { // the others have a chunk each at most
        unsigned finished = atomic_load_explicit(&pool->finished, memory_order_relaxed);
        ployi_mutex_unlock(&pool->mutex);
        jobs_look(&pool->finished, finished);
        ployi_mutex_lock(&pool->mutex);
    }
    while (pool->active > 0) ployi_condition_wait(&pool->done, &pool->mutex);
    pool->busy = false;
    ployi_condition_broadcast(&pool->done); // callers that wait for a turn
    ployi_mutex_unlock(&pool->mutex);
}

// Stops and joins the threads that were started.
static void jobs_stop(ploy_job_pool *pool) {
    ployi_mutex_lock(&pool->mutex);
    PLOY_ASSERT(!pool->busy);
    pool->stop = true;
    jobs_count_up(&pool->posted);
    ployi_condition_broadcast(&pool->work);
    ployi_mutex_unlock(&pool->mutex);
    for (int32_t i = 0; i < pool->thread_count; i++) ployi_thread_join(&pool->workers[i].thread);
}

ploy_result ploy_job_pool_create(int32_t workers, const ploy_env *env, ploy_job_pool **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    if (workers < 1 || workers > PLOY_JOBS_WORKERS_MAX) return PLOY_ERR_ARGUMENT;
    size_t size = sizeof(ploy_job_pool) + (size_t)(workers - 1) * sizeof(jobs_worker);
    ploy_job_pool *pool = ploy_env_alloc_zero(env, size);
    if (pool == NULL) return PLOY_ERR_MEMORY;
    pool->env = *env;
    pool->size = size;
    pool->jobs.run = jobs_pool_run;
    pool->jobs.user = pool;
    pool->jobs.workers = workers;
    atomic_init(&pool->posted, 0u);
    atomic_init(&pool->finished, 0u);
    atomic_init(&pool->next_chunk, 0);
    ploy_result result = ployi_mutex_init(&pool->mutex);
    if (result != PLOY_OK) goto fail;
    result = ployi_condition_init(&pool->work);
    if (result != PLOY_OK) goto fail_mutex;
    result = ployi_condition_init(&pool->done);
    if (result != PLOY_OK) goto fail_work;
    for (int32_t i = 0; i < workers - 1; i++) {
        jobs_worker *worker = &pool->workers[i];
        worker->pool = pool;
        worker->number = i;
        result = ployi_thread_start(&worker->thread, jobs_thread_main, worker);
        if (result != PLOY_OK) goto fail_threads;
        pool->thread_count++;
    }
    *out = pool;
    return PLOY_OK;
fail_threads:
    jobs_stop(pool);
    ployi_condition_fini(&pool->done);
fail_work:
    ployi_condition_fini(&pool->work);
fail_mutex:
    ployi_mutex_fini(&pool->mutex);
fail:
    ploy_env_free(env, pool, size);
    return result;
}

void ploy_job_pool_destroy(ploy_job_pool *pool) {
    if (pool == NULL) return;
    jobs_stop(pool);
    ployi_condition_fini(&pool->done);
    ployi_condition_fini(&pool->work);
    ployi_mutex_fini(&pool->mutex);
    ploy_env env = pool->env;
    ploy_env_free(&env, pool, pool->size);
}

#else

struct ploy_job_pool {
    ploy_env env;
    ploy_jobs jobs;
};

static void jobs_pool_run(void *user, ploy_job_fn fn, void *arg, int32_t count, int32_t grain) {
    (void)user;
    jobs_run_serial(fn, arg, count, grain, 0);
}

ploy_result ploy_job_pool_create(int32_t workers, const ploy_env *env, ploy_job_pool **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    if (workers < 1 || workers > PLOY_JOBS_WORKERS_MAX) return PLOY_ERR_ARGUMENT;
    if (workers > 1) return PLOY_ERR_UNSUPPORTED;
    ploy_job_pool *pool = ploy_env_alloc_zero(env, sizeof *pool);
    if (pool == NULL) return PLOY_ERR_MEMORY;
    pool->env = *env;
    pool->jobs.run = jobs_pool_run;
    pool->jobs.user = pool;
    pool->jobs.workers = 1;
    *out = pool;
    return PLOY_OK;
}

void ploy_job_pool_destroy(ploy_job_pool *pool) {
    if (pool == NULL) return;
    ploy_env env = pool->env;
    ploy_env_free(&env, pool, sizeof *pool);
}

#endif

const ploy_jobs *ploy_job_pool_jobs(ploy_job_pool *pool) {
    return &pool->jobs;
}
