// A few agents whose poses the tests set, and a table of modalities.
#pragma once

#include "ploy/world/sense.h"
#include "tests/test.h"

enum { CROWD_MAX = 64 };

typedef struct crowd {
    ploy_pose poses[CROWD_MAX];
    bool gone[CROWD_MAX];
} crowd;

// Agent number i has index i and generation 1.
static inline ploy_agent_id crowd_agent(int32_t i) {
    return ploy_agent_id_make((uint32_t)i, 1);
}

static inline bool crowd_pose(void *user, ploy_agent_id agent, ploy_pose *out) {
    const crowd *all = user;
    if (agent.id.index >= CROWD_MAX || all->gone[agent.id.index]) return false;
    *out = all->poses[agent.id.index];
    return true;
}

static inline void crowd_put(crowd *all, int32_t i, float x, float y) {
    all->poses[i] = ploy_pose_make2(ploy_vec2_make(x, y), 0.0f, 0.0f);
    all->gone[i] = false;
}

// One modality of a kind other, as the catalogue's vectors want it.
static inline ploy_modality sense_modality(const char *name, float attenuation, float range,
                                           float inverse_speed) {
    ploy_modality modality = ploy_modality_default();
    modality.name = name;
    modality.attenuation = attenuation;
    modality.max_range = range;
    modality.inverse_speed = inverse_speed;
    return modality;
}

static inline ploy_modalities *sense_table(test_context *t, const ploy_modality *items,
                                           int32_t count) {
    ploy_env env = ploy_env_default();
    ploy_modalities *table = NULL;
    CHECK_OK(ploy_modalities_create(items, count, &env, &table));
    return table;
}

static inline ploy_signal sense_signal(int32_t modality, float strength, float x, float y) {
    return ploy_signal_make(modality, strength, ploy_vec3_make(x, y, 0), ploy_name_of("noise"));
}
