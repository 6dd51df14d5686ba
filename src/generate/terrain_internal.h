// Shared by the landscape modifiers: a modifier as a list of stages over rows.
//
// A pass runs every stage over all items (rows of the map). Within a stage items do not depend on
// each other; stage s of item i may read what the earlier stages wrote for items i - 1 to i + 1, and
// nothing that they have not written before wave i + s + 1. A serial run can therefore go over the
// map once, each stage one item behind the stage before it, while the rows are still in the cache:
//
//     wave w:   stage 0 of item w,  stage 1 of item w - 1,  stage 2 of item w - 2, ...
//
// With workers each stage runs over all items before the next one begins. Both give the same bits.
#pragma once

#include "ploy/generate/terrain.h"

typedef struct ployi_terrain_type {
    const char *name;
    size_t size;       // of the struct that begins with ploy_terrain
    size_t def_offset; // of the def in it
    ploy_fields (*fields)(void);
    bool ordered; // items must run one after another
    // Allocates layers and scratch, sets passes, stages and items. terrain is zero but for what
    // ploy_terrain holds and the def.
    ploy_result (*setup)(ploy_terrain *terrain, ploy_rng_key key);
    // Before the first item of a pass; adds values to the open decision of the trace. May be NULL.
    void (*pass_begin)(ploy_terrain *terrain);
    void (*stage)(ploy_terrain *terrain, int32_t stage, int32_t first, int32_t count);
    // After a pass; returns true to end before the last one. May be NULL.
    bool (*pass_end)(ploy_terrain *terrain);
    // Frees what setup made besides the scratch. May be NULL.
    void (*fini)(ploy_terrain *terrain);
    // Statistics, into the open group "statistics". May be NULL.
    void (*describe)(const ploy_terrain *terrain, ploy_describe *out);
} ployi_terrain_type;

struct ploy_terrain {
    const ployi_terrain_type *type;
    ploy_env env;
    ploy_trace *trace;
    const ploy_jobs *jobs;
    ploy_heightmap *map;
    bool owns_map;
    float *scratch;
    int32_t scratch_count;
    int32_t passes, stages, items;
    int32_t pass, wave;
    bool begun; // the present pass
    ploy_generate_outcome outcome;
};

// The common part of begin: works on a copy of `input`.
ploy_result ployi_terrain_begin(const ployi_terrain_type *type, const void *def, ploy_rng_key key,
                                const ploy_heightmap *input, ploy_trace *trace, const ploy_env *env,
                                ploy_terrain **out);
// The same over a map that becomes the terrain's own, also on failure.
ploy_result ployi_terrain_begin_own(const ployi_terrain_type *type, const void *def,
                                    ploy_rng_key key, ploy_heightmap *map, ploy_trace *trace,
                                    const ploy_env *env, ploy_terrain **out);
// The common part of run: works on `map` itself.
ploy_result ployi_terrain_run(const ployi_terrain_type *type, const void *def, ploy_rng_key key,
                              ploy_heightmap *map, const ploy_env *env);
// Scratch of `count` floats, zeroed. Called at most once by setup.
ploy_result ployi_terrain_scratch(ploy_terrain *terrain, int64_t count);

// The calls of the front: every modifier's ploy_generator_type holds these.
ploy_result ployi_terrain_front_step(void *self, ploy_budget *budget);
ploy_generate_outcome ployi_terrain_front_outcome(const void *self);
ploy_content ployi_terrain_front_content(const void *self);
void ployi_terrain_front_cancel(void *self);
void ployi_terrain_front_describe(const void *self, ploy_describe *out);
void ployi_terrain_front_draw(const void *self, ploy_draw *out);
void ployi_terrain_front_memory(const void *self, ploy_memory_fn fn, void *user);

#define PLOYI_TERRAIN_TABLE                                                                 \
    ployi_terrain_front_step, ployi_terrain_front_outcome, ployi_terrain_front_content,     \
        ployi_terrain_front_cancel, ployi_terrain_front_describe, ployi_terrain_front_draw, \
        ployi_terrain_front_memory

// Writes begin, run and the front of modifier X, whose ployi_terrain_type is X_type.
#define PLOYI_TERRAIN_MODIFIER(X, help, unit)                                                    \
    ploy_result ploy_##X##_begin(const ploy_##X##_def *def, ploy_rng_key key,                    \
                                 const ploy_heightmap *map, ploy_trace *trace,                   \
                                 const ploy_env *env, ploy_terrain **out) {                      \
        return ployi_terrain_begin(&X##_type, def, key, map, trace, env, out);                   \
    }                                                                                            \
    ploy_result ploy_##X##_run(const ploy_##X##_def *def, ploy_rng_key key, ploy_heightmap *map, \
                               const ploy_env *env) {                                            \
        return ployi_terrain_run(&X##_type, def, key, map, env);                                 \
    }                                                                                            \
    static ploy_result X##_front_begin(const void *def, ploy_rng_key key,                        \
                                       const ploy_content *input, ploy_trace *trace,             \
                                       const ploy_env *env, void **out) {                        \
        ploy_terrain *terrain = NULL;                                                            \
        ploy_result result =                                                                     \
            ployi_terrain_begin(&X##_type, def, key, input->heights, trace, env, &terrain);      \
        *out = terrain;                                                                          \
        return result;                                                                           \
    }                                                                                            \
    const ploy_generator_type *ploy_##X##_generator(void) {                                      \
        static const ploy_generator_type type = {#X,                                             \
                                                 help,                                           \
                                                 unit,                                           \
                                                 PLOY_CONTENT_HEIGHTS,                           \
                                                 0,                                              \
                                                 PLOY_CONTENT_HEIGHTS,                           \
                                                 ploy_##X##_fields,                              \
                                                 X##_front_begin,                                \
                                                 PLOYI_TERRAIN_TABLE};                           \
        return &type;                                                                            \
    }
