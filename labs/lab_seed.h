// Labs that make something from settings and a seed: creating one, and starting again when a setting changes or a
// new seed is requested.
#pragma once

#include <string.h>

#include "labs/lab_input.h"

// First member of such a lab.
typedef struct lab_seed {
    ploy_env env;
    ploy_rng_key key;
    uint64_t seed; // number of new seeds requested so far
} lab_seed;

// A lab of zeros, with a copy of the parameters at `def`. NULL if memory is short: the region is freed as a whole.
static inline void *lab_seed_alloc(size_t size, size_t def, const void *params, size_t def_size,
                                   ploy_rng_key key, const ploy_env *env) {
    lab_seed *base = ploy_env_alloc_zero(env, size);
    if (base == NULL) return NULL;
    base->env = *env;
    base->key = key;
    memcpy((char *)base + def, params, def_size);
    return base;
}

// Takes the parameters over, and counts the command `word` as new seeds. True if the lab must start again: after
// such a command, or if a setting changed other than those at the offsets in `kept`, which are 32 bits each.
static inline bool lab_seed_again(lab_seed *base, const char *word, const size_t *kept,
                                  int32_t kept_count, void *def, size_t def_size,
                                  const ploy_sim_context *context) {
    const char *now = context->params;
    for (int32_t i = 0; i < kept_count; i++) memcpy((char *)def + kept[i], now + kept[i], 4);
    uint64_t seeds = lab_input_count(context, word);
    base->seed += seeds;
    bool again = seeds > 0 || memcmp(def, now, def_size) != 0;
    memcpy(def, now, def_size);
    return again;
}
