// Whom a behavior of crowds asks about one agent: the agents that an index finds around it, or all.
#pragma once

#include "ploy/geom/index.h"

// More than this around one agent: all agents are tested.
#define PLOYI_NEAR_MAX 256

typedef struct ployi_near {
    int32_t count;
    bool all; // number k is agent k
    ploy_found found[PLOYI_NEAR_MAX];
} ployi_near;

// An index finds in rising order of numbers, in which all agents would come, so sums have the same
// bits. Asked a hair farther than counts, because distances are rounded.
static inline float ployi_near_reach(float reach) {
    return reach * 1.000001f;
}

static inline void ployi_near_set(ployi_near *near, int32_t found, int32_t everybody) {
    near->all = found < 0 || found > PLOYI_NEAR_MAX;
    near->count = near->all ? everybody : found;
}

// index may be NULL.
static inline void ployi_near_find(ployi_near *near, const ploy_index2 *index, ploy_vec2 at,
                                   float reach, int32_t everybody) {
    int32_t found = -1;
    if (index != NULL) {
        ploy_query2 query = ploy_query2_radius(at, ployi_near_reach(reach));
        found = ploy_index2_find(*index, &query, near->found, PLOYI_NEAR_MAX, NULL);
    }
    ployi_near_set(near, found, everybody);
}

static inline void ployi_near_find3(ployi_near *near, const ploy_index3 *index, ploy_vec3 at,
                                    float reach, int32_t everybody) {
    int32_t found = -1;
    if (index != NULL) {
        ploy_query3 query = ploy_query3_radius(at, ployi_near_reach(reach));
        found = ploy_index3_find(*index, &query, near->found, PLOYI_NEAR_MAX, NULL);
    }
    ployi_near_set(near, found, everybody);
}

static inline int32_t ployi_near_id(const ployi_near *near, int32_t k) {
    return near->all ? k : near->found[k].id;
}
