#include "apps/golden/golden_run.h"

#include "labs/labs.h"
#include "ploy/base/jobs.h"
#include "ploy/exec/sim.h"

ploy_result golden_run(const char *lab, uint64_t ticks, uint64_t seed, int32_t workers,
                       uint64_t *hash) {
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), lab, NULL);
    if (type == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    ploy_sim *sim = NULL;
    // One worker is no pool at all, so that builds without threads take the same path.
    ploy_result result = workers == 1 ? PLOY_OK : ploy_job_pool_create(workers, &env, &pool);
    if (result == PLOY_OK) {
        ploy_sim_def def = ploy_sim_def_default();
        def.seed = seed;
        const ploy_jobs *jobs = pool == NULL ? NULL : ploy_job_pool_jobs(pool);
        result = ploy_sim_create(&def, type, NULL, jobs, &env, &sim);
    }
    for (uint64_t i = 0; i < ticks && result == PLOY_OK; i++) {
        result = ploy_sim_step(sim, NULL, 0, NULL);
    }
    if (result == PLOY_OK) *hash = ploy_sim_hash(sim);
    ploy_sim_destroy(sim);
    ploy_job_pool_destroy(pool);
    return result;
}
