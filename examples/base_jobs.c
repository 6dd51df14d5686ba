// Several workers, one result: a loop handed to threads in chunks. You will see that the sum has
// the same bits whatever the number of workers. Shows ploy_jobs and ploy_job_pool.
#include <stdio.h>
#include <string.h>

#include "ploy/base/jobs.h"

enum { AGENTS = 10000, GRAIN = 256, CHUNKS = (AGENTS + GRAIN - 1) / GRAIN };

typedef struct threat_job {
    float threat[AGENTS]; // one for each agent: written by its own job only
    float sums[CHUNKS];   // one for each chunk, not for each worker: workers differ, chunks do not
} threat_job;

static void threat_chunk(void *arg, int32_t first, int32_t count, int32_t worker) {
    (void)worker; // picks scratch memory where some is needed, never a result
    threat_job *job = arg;
    float sum = 0;
    for (int32_t i = first; i < first + count; i++) {
        job->threat[i] = 1.0f / (float)(i + 1);
        sum += job->threat[i];
    }
    job->sums[first / GRAIN] = sum;
}

static float threat_total(const ploy_jobs *jobs, threat_job *job) {
    memset(job, 0, sizeof *job);
    ploy_jobs_run(jobs, threat_chunk, job, AGENTS, GRAIN);
    float total = 0;
    for (int i = 0; i < CHUNKS; i++) total += job->sums[i]; // always in this order
    return total;
}

int main(void) {
    static threat_job job;
    ploy_env env = ploy_env_default();
    float alone = threat_total(NULL, &job); // no jobs: here and now
    printf("alone:     %.9g\n", (double)alone);
    for (int32_t workers = 2; workers <= 4; workers++) {
        ploy_job_pool *pool = NULL;
        if (ploy_job_pool_create(workers, &env, &pool) != PLOY_OK) return 1;
        float total = threat_total(ploy_job_pool_jobs(pool), &job);
        printf("%d workers: %.9g, %s\n", (int)workers, (double)total,
               memcmp(&total, &alone, sizeof total) == 0 ? "the same bits" : "different");
        ploy_job_pool_destroy(pool);
    }
    return 0;
}
