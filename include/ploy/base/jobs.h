/// @file ploy/base/jobs.h
/// Jobs: hands a loop to several workers without changing its result.
///
/// ploy starts no thread unasked. A `const ploy_jobs *` comes from the caller: NULL runs the work
/// here and now, ploy_job_pool is ploy's own small pool, and a game fills the struct with its own
/// task system. The range is always cut into the same chunks, whatever the number of workers, and
/// the work writes only to its own part of the output; so results are equal for any worker count.
///
/// Jobs never wait for each other: a job that waits for another one of the same run may hang.
#pragma once

#include "ploy/base/env.h"

/// Works on items [first, first + count). `worker` is below the jobs' worker count and no two
/// calls with the same worker run at once: use it to pick scratch memory, never to decide a result.
typedef void (*ploy_job_fn)(void *arg, int32_t first, int32_t count, int32_t worker);

typedef struct ploy_jobs {
    /// Runs fn over [0, count) in chunks of `grain` items (the last may be shorter) and returns
    /// when all are done. count and grain are at least 1.
    void (*run)(void *user, ploy_job_fn fn, void *arg, int32_t count, int32_t grain);
    void *user;
    int32_t workers; ///< at least 1; the calling thread counts
} ploy_jobs;

/// Workers of jobs; 1 for NULL.
PLOY_API int32_t ploy_jobs_workers(const ploy_jobs *jobs);

/// Runs fn over [0, count) in chunks of `grain` items. count <= 0 does nothing; grain < 1 counts
/// as 1.
PLOY_API void ploy_jobs_run(const ploy_jobs *jobs, ploy_job_fn fn, void *arg, int32_t count,
                            int32_t grain);

/// ploy's own pool of threads. Opaque.
typedef struct ploy_job_pool ploy_job_pool;

/// Most workers of a pool.
#define PLOY_JOBS_WORKERS_MAX 256

/// Starts workers - 1 threads; the one that calls run is the last worker.
/// @param workers  1 to PLOY_JOBS_WORKERS_MAX.
/// @return PLOY_ERR_UNSUPPORTED where there are no threads and workers is above 1; PLOY_ERR_SYSTEM
///         if the system refuses a thread; PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_job_pool_create(int32_t workers, const ploy_env *env,
                                          ploy_job_pool **out);

/// Stops and joins the threads. No run may be under way. NULL is allowed.
PLOY_API void ploy_job_pool_destroy(ploy_job_pool *pool);

/// The pool as jobs; valid while the pool lives. A run started from inside a job runs in place, as
/// the same worker. Runs started from several threads take turns.
PLOY_API const ploy_jobs *ploy_job_pool_jobs(ploy_job_pool *pool);
