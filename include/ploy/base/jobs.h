/// @file ploy/base/jobs.h
/// Jobs: distribute a loop over several workers without changing its result.
///
/// ploy starts no thread by itself. The caller passes a `const ploy_jobs *`: NULL runs the work in
/// the calling thread, ploy_job_pool is ploy's own small pool, and a game can fill the struct with
/// its own task system. The range is always split into the same chunks, whatever the number of
/// workers, and each chunk writes only to its own part of the output, so results are equal for any
/// worker count.
///
/// Jobs never wait for each other: a job that waits for another one of the same run may hang.
#pragma once

#include "ploy/base/env.h"

/// Works on items [first, first + count). `worker` is below the jobs' worker count and no two calls
/// with the same worker run at once: use it to select scratch memory, never to decide a result.
typedef void (*ploy_job_fn)(void *arg, int32_t first, int32_t count, int32_t worker);

typedef struct ploy_jobs {
    /// Runs fn over [0, count) in chunks of `grain` items (the last may be shorter) and returns
    /// when all are done. count and grain are at least 1.
    void (*run)(void *user, ploy_job_fn fn, void *arg, int32_t count, int32_t grain);
    void *user;
    int32_t workers; ///< at least 1, including the calling thread
} ploy_jobs;

/// Returns the number of workers; 1 for NULL.
PLOY_API int32_t ploy_jobs_workers(const ploy_jobs *jobs);

/// Runs fn over [0, count) in chunks of `grain` items. count <= 0 does nothing; grain < 1 counts
/// as 1.
PLOY_API void ploy_jobs_run(const ploy_jobs *jobs, ploy_job_fn fn, void *arg, int32_t count,
                            int32_t grain);

/// ploy's own pool of threads. Opaque.
typedef struct ploy_job_pool ploy_job_pool;

/// Most workers of a pool.
#define PLOY_JOBS_WORKERS_MAX 256

/// Starts workers - 1 threads; the thread that calls run is the last worker.
/// @param workers  1 to PLOY_JOBS_WORKERS_MAX.
/// @return PLOY_ERR_UNSUPPORTED if the platform has no threads and workers is above 1;
///         PLOY_ERR_SYSTEM if the system refuses a thread; PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_job_pool_create(int32_t workers, const ploy_env *env,
                                          ploy_job_pool **out);

/// Stops and joins the threads. No run may be in progress. NULL is allowed.
PLOY_API void ploy_job_pool_destroy(ploy_job_pool *pool);

/// Returns the pool as jobs; valid while the pool exists. A run started from inside a job runs in
/// place, as the same worker. Runs started from several threads take turns.
PLOY_API const ploy_jobs *ploy_job_pool_jobs(ploy_job_pool *pool);
