// Runs landscape modifiers: waves over rows, or stages over workers; see terrain_internal.h.
#include "ploy/generate/terrain.h"

#include <string.h>

#include "generate/terrain_internal.h"

// Rows of a chunk that goes to a worker.
#define TERRAIN_GRAIN 16
// Squares along the longer side of the picture of a map.
#define TERRAIN_DETAIL 128

static ploy_result terrain_make(const ployi_terrain_type *type, const void *def, ploy_trace *trace,
                                const ploy_env *env, ploy_terrain **out) {
    ploy_result result = ploy_fields_check(type->fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_terrain *terrain = ploy_env_alloc_zero(env, type->size);
    if (terrain == NULL) return PLOY_ERR_MEMORY;
    terrain->type = type;
    terrain->env = *env;
    terrain->trace = trace;
    terrain->outcome.limit = "";
    memcpy((char *)terrain + type->def_offset, def, type->fields().size);
    *out = terrain;
    return PLOY_OK;
}

static ploy_result terrain_setup(ploy_terrain *terrain, ploy_rng_key key, ploy_heightmap *map,
                                 bool owns_map) {
    terrain->map = map;
    terrain->owns_map = owns_map;
    terrain->stages = 1;
    terrain->items = ploy_heightmap_def_of(map)->rows;
    terrain->outcome.count = ploy_heightmap_cells(map);
    return terrain->type->setup(terrain, key);
}

ploy_result ployi_terrain_begin_own(const ployi_terrain_type *type, const void *def,
                                    ploy_rng_key key, ploy_heightmap *map, ploy_trace *trace,
                                    const ploy_env *env, ploy_terrain **out) {
    *out = NULL;
    ploy_terrain *terrain = NULL;
    ploy_result result = terrain_make(type, def, trace, env, &terrain);
    if (result != PLOY_OK) {
        ploy_heightmap_destroy(map);
        return result;
    }
    result = terrain_setup(terrain, key, map, true);
    if (result != PLOY_OK) {
        ploy_terrain_cancel(terrain);
        return result;
    }
    *out = terrain;
    return PLOY_OK;
}

ploy_result ployi_terrain_begin(const ployi_terrain_type *type, const void *def, ploy_rng_key key,
                                const ploy_heightmap *input, ploy_trace *trace, const ploy_env *env,
                                ploy_terrain **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (input == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(type->fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_heightmap *map = NULL;
    result = ploy_heightmap_copy(input, env, &map);
    if (result != PLOY_OK) return result;
    return ployi_terrain_begin_own(type, def, key, map, trace, env, out);
}

ploy_result ployi_terrain_run(const ployi_terrain_type *type, const void *def, ploy_rng_key key,
                              ploy_heightmap *map, const ploy_env *env) {
    if (map == NULL) return PLOY_ERR_ARGUMENT;
    ploy_terrain *terrain = NULL;
    ploy_result result = terrain_make(type, def, NULL, env, &terrain);
    if (result != PLOY_OK) return result;
    result = terrain_setup(terrain, key, map, false);
    if (result == PLOY_OK) result = ploy_terrain_step(terrain, NULL);
    ploy_terrain_cancel(terrain);
    return result;
}

ploy_result ployi_terrain_scratch(ploy_terrain *terrain, int64_t count) {
    size_t bytes = 0;
    if (count < 1 || count > INT32_MAX || !ploy_size_add_array(0, count, sizeof(float), &bytes)) {
        return PLOY_ERR_LIMIT;
    }
    terrain->scratch = ploy_env_alloc_zero(&terrain->env, bytes);
    if (terrain->scratch == NULL) return PLOY_ERR_MEMORY;
    terrain->scratch_count = (int32_t)count;
    return PLOY_OK;
}

// ---- step

typedef struct terrain_stage {
    ploy_terrain *terrain;
    int32_t stage;
} terrain_stage;

static void terrain_job(void *arg, int32_t first, int32_t count, int32_t worker) {
    const terrain_stage *job = arg;
    (void)worker;
    job->terrain->type->stage(job->terrain, job->stage, first, count);
}

static void terrain_pass_by_jobs(ploy_terrain *terrain) {
    for (int32_t stage = 0; stage < terrain->stages; stage++) {
        terrain_stage job = {terrain, stage};
        ploy_jobs_run(terrain->jobs, terrain_job, &job, terrain->items, TERRAIN_GRAIN);
    }
}

static void terrain_wave(ploy_terrain *terrain) {
    for (int32_t stage = 0; stage < terrain->stages; stage++) {
        int32_t item = terrain->wave - stage;
        if (item >= 0 && item < terrain->items) {
            terrain->type->stage(terrain, stage, item, 1);
        }
    }
}

static void terrain_pass_begin(ploy_terrain *terrain) {
    ploy_trace_begin(terrain->trace, ploy_agent_id_none(), "pass", terrain->type->name);
    ploy_trace_i64(terrain->trace, "number", terrain->pass);
    if (terrain->type->pass_begin != NULL) terrain->type->pass_begin(terrain);
    ploy_trace_end(terrain->trace);
    terrain->begun = true;
}

ploy_result ploy_terrain_step(ploy_terrain *terrain, ploy_budget *budget) {
    if (terrain == NULL) return PLOY_ERR_ARGUMENT;
    const ployi_terrain_type *type = terrain->type;
    int32_t waves = terrain->items + terrain->stages - 1;
    while (terrain->pass < terrain->passes) {
        if (!terrain->begun) terrain_pass_begin(terrain);
        if (terrain->jobs != NULL && !type->ordered && terrain->wave == 0) {
            if (!ploy_budget_spend(budget, waves)) return PLOY_IN_PROGRESS;
            terrain_pass_by_jobs(terrain);
            terrain->wave = waves;
            terrain->outcome.units += waves;
        }
        for (; terrain->wave < waves; terrain->wave++) {
            if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
            terrain_wave(terrain);
            terrain->outcome.units++;
        }
        terrain->wave = 0;
        terrain->begun = false;
        terrain->pass++;
        terrain->outcome.attempts++;
        if (type->pass_end != NULL && type->pass_end(terrain)) terrain->passes = terrain->pass;
    }
    terrain->outcome.done = true;
    return PLOY_OK;
}

void ploy_terrain_set_jobs(ploy_terrain *terrain, const ploy_jobs *jobs) {
    terrain->jobs = jobs;
}

ploy_generate_outcome ploy_terrain_outcome(const ploy_terrain *terrain) {
    ploy_generate_outcome outcome = terrain->outcome;
    outcome.total = (int64_t)terrain->passes * (terrain->items + terrain->stages - 1);
    return outcome;
}

const ploy_heightmap *ploy_terrain_heights(const ploy_terrain *terrain) {
    return terrain->map;
}

void ploy_terrain_cancel(ploy_terrain *terrain) {
    if (terrain == NULL) return;
    if (terrain->type->fini != NULL) terrain->type->fini(terrain);
    if (terrain->owns_map) ploy_heightmap_destroy(terrain->map);
    ploy_env_free(&terrain->env, terrain->scratch, (size_t)terrain->scratch_count * sizeof(float));
    ploy_env env = terrain->env;
    ploy_env_free(&env, terrain, terrain->type->size);
}

void ploy_terrain_describe(const ploy_terrain *terrain, ploy_describe *out) {
    ploy_describe_begin(out, "heights");
    ploy_heightmap_describe(terrain->map, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "statistics");
    ploy_describe_i64(out, "passes", PLOY_NOTE, terrain->pass);
    if (terrain->type->describe != NULL) terrain->type->describe(terrain, out);
    ploy_describe_end(out);
}

void ploy_terrain_draw(const ploy_terrain *terrain, ploy_draw *out) {
    const ploy_heightmap_def *def = ploy_heightmap_def_of(terrain->map);
    int32_t side = def->columns > def->rows ? def->columns : def->rows;
    ploy_heightmap_draw(terrain->map, (side + TERRAIN_DETAIL - 1) / TERRAIN_DETAIL, out);
}

void ploy_terrain_memory(const ploy_terrain *terrain, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"terrain", terrain->type->size, 1};
    fn(user, &self);
    if (terrain->scratch != NULL) {
        ploy_memory_item scratch = {"scratch", (size_t)terrain->scratch_count * sizeof(float), 1};
        fn(user, &scratch);
    }
    if (terrain->owns_map) ploy_heightmap_memory(terrain->map, fn, user);
}

// ---- the front

ploy_result ployi_terrain_front_step(void *self, ploy_budget *budget) {
    return ploy_terrain_step(self, budget);
}

ploy_generate_outcome ployi_terrain_front_outcome(const void *self) {
    return ploy_terrain_outcome(self);
}

ploy_content ployi_terrain_front_content(const void *self) {
    const ploy_terrain *terrain = self;
    ploy_content content = ploy_content_none();
    content.kinds = PLOY_CONTENT_HEIGHTS;
    content.heights = terrain->map;
    content.area = ploy_heightmap_box(terrain->map);
    return content;
}

void ployi_terrain_front_cancel(void *self) {
    ploy_terrain_cancel(self);
}

void ployi_terrain_front_describe(const void *self, ploy_describe *out) {
    ploy_terrain_describe(self, out);
}

void ployi_terrain_front_draw(const void *self, ploy_draw *out) {
    ploy_terrain_draw(self, out);
}

void ployi_terrain_front_memory(const void *self, ploy_memory_fn fn, void *user) {
    ploy_terrain_memory(self, fn, user);
}
