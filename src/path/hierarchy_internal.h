// The inside of a hierarchy, shared with its search.
#pragma once

#include "ploy/path/hierarchy.h"

typedef struct ployi_hierarchy_level {
    ploy_frozen_graph *graph; // NULL at level 0, whose graph is the caller's
    int32_t *groups;          // of the nodes of the level below; NULL at level 0
    int32_t *centres;         // of this level's nodes, in the level below; NULL at level 0
    int32_t below;            // nodes of the level below
    int32_t count;            // nodes
} ployi_hierarchy_level;

struct ploy_hierarchy {
    ploy_env env;
    ploy_hierarchy_def def;
    const ploy_frozen_graph *base;
    ployi_hierarchy_level levels[PLOY_HIERARCHY_LEVELS_MAX];
    int32_t level_count;
};
