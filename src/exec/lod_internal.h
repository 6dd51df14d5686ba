// Shared by the definition of level of detail, its selectors and what is built of them.
#pragma once

#include "ploy/exec/lod.h"

enum { LOD_TRANSITIONS_MAX = (PLOY_LOD_LEVELS_MAX + 2) * (PLOY_LOD_LEVELS_MAX + 2) };

// Invariants in lod.c.
struct ploy_lod {
    ploy_env env;
    size_t size; // of this block: struct | transitions | names
    ploy_lod_def def;
    int32_t level_count;
    int32_t state_size;
    ploy_lod_level levels[PLOY_LOD_LEVELS_MAX];
    ploy_lod_transition *transitions;
    int8_t by_middle[PLOY_LOD_LEVELS_MAX];
    int16_t pairs[PLOY_LOD_LEVELS_MAX + 1][PLOY_LOD_LEVELS_MAX + 1]; // [from + 1][to + 1]
};

// True if the level is one, and importance is within its range.
bool ployi_lod_fits(const ploy_lod *lod, int32_t level, float importance);

// How the arbitration rates a level that fits; smaller is better.
double ployi_lod_demerit(const ploy_lod *lod, int32_t level, float importance);

// Invariants in lod_selector.c.
struct ploy_lod_selector {
    ploy_env env;
    size_t size; // of this block
    const ploy_lod *lod;
    ploy_agent_id agent;
    int32_t level;
    float importance;
    bool entered;
    bool nobody; // made for no agent: the one that steps it
    bool warned; // that no level fits, since one last did
    int64_t switches;
    int64_t uncovered;
    ploy_behavior *made;
    void *state;
    void *handover;
};

// The behavior of a level; none for PLOY_LOD_NONE.
ploy_behavior ployi_lod_selector_behavior_of(const ploy_lod_selector *selector, int32_t level);
