// The inside of a hierarchy, shared with its search.
#pragma once

#include "ploy/path/heuristic.h"
#include "ploy/path/hierarchy.h"

typedef struct ployi_hierarchy_level {
    ploy_frozen_graph *graph; // NULL at level 0, whose graph is the caller's
    int32_t *groups;          // of the nodes of the level below; NULL at level 0
    int32_t *centres;         // of this level's nodes, in the level below; NULL at level 0
    int32_t below;            // nodes of the level below
    int32_t count;            // nodes
    float *areas;             // of this level's nodes, m^2; NULL: 1 each
} ployi_hierarchy_level;

struct ploy_hierarchy {
    ploy_env env;
    ploy_hierarchy_def def;
    const ploy_frozen_graph *base; // NULL if level 0 is any space
    ploy_space space;              // level 0
    ploy_position_fn position;
    const void *position_user;
    uint64_t edits; // by set_cost
    ployi_hierarchy_level levels[PLOY_HIERARCHY_LEVELS_MAX];
    int32_t level_count;
};

// Where a node of a level is.
ploy_vec3 ployi_hierarchy_position(const ploy_hierarchy *hierarchy, int32_t level, int32_t node);
// Names the contents of levels 1 and up, and of a frozen level 0.
uint64_t ployi_hierarchy_generation(const ploy_hierarchy *hierarchy);
