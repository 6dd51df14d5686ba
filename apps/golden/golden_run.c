#include "apps/golden/golden_run.h"

#include <stdlib.h>
#include <string.h>

#include "games/games.h"
#include "labs/labs.h"
#include "ploy/base/jobs.h"
#include "ploy/exec/sim.h"

enum { GOLDEN_SCENE_MAX = 256 };

// Cuts "seek:followers=500,..." into the lab's or game's type and its parameters, which the caller frees.
static ploy_result read_scene(const char *scene, const ploy_sim_type **type, void **params) {
    char text[GOLDEN_SCENE_MAX];
    size_t size = strlen(scene);
    if (size >= sizeof text) return PLOY_ERR_LIMIT;
    memcpy(text, scene, size + 1);
    char *setting = strchr(text, ':');
    if (setting != NULL) *setting++ = 0;
    *type = ploy_sim_type_find(ploy_labs(), text, NULL);
    if (*type == NULL) *type = ploy_sim_type_find(ploy_games(), text, NULL);
    if (*type == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_fields fields = (*type)->fields();
    *params = malloc(fields.size);
    if (*params == NULL) return PLOY_ERR_MEMORY;
    ploy_fields_default(fields, *params);
    while (setting != NULL) {
        char *next = strchr(setting, ',');
        if (next != NULL) *next++ = 0;
        char *value = strchr(setting, '=');
        if (value == NULL) return PLOY_ERR_FORMAT;
        *value++ = 0;
        ploy_result result = ploy_fields_set_text(fields, *params, setting, value, NULL);
        if (result != PLOY_OK) return result;
        setting = next;
    }
    return PLOY_OK;
}

ploy_result golden_run(const char *scene, uint64_t ticks, uint64_t seed, int32_t workers,
                       uint64_t *hash) {
    const ploy_sim_type *type = NULL;
    void *params = NULL;
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    ploy_sim *sim = NULL;
    ploy_result result = read_scene(scene, &type, &params);
    // One worker is no pool at all, so that builds without threads take the same path.
    if (result == PLOY_OK && workers != 1) result = ploy_job_pool_create(workers, &env, &pool);
    if (result == PLOY_OK) {
        ploy_sim_def def = ploy_sim_def_default();
        def.seed = seed;
        const ploy_jobs *jobs = pool == NULL ? NULL : ploy_job_pool_jobs(pool);
        result = ploy_sim_create(&def, type, params, jobs, &env, &sim);
    }
    for (uint64_t i = 0; i < ticks && result == PLOY_OK; i++) {
        result = ploy_sim_step(sim, NULL, 0, NULL);
    }
    if (result == PLOY_OK) *hash = ploy_sim_hash(sim);
    ploy_sim_destroy(sim);
    ploy_job_pool_destroy(pool);
    free(params);
    return result;
}
