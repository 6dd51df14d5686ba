// Shared by trigger_system.c (what there is) and trigger_step.c (what happens).
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/base/pool.h"
#include "ploy/geom/bvh.h"
#include "ploy/world/trigger.h"
#include "world/ring_internal.h"

typedef struct ployi_triggers_trigger {
    ploy_trigger_def def; // its corners lie in `corners`
    ploy_vec2 *corners;   // own copy, or NULL
    int32_t corner_count;
    bool active;
    bool resting; // inactive because it fired
    bool ending;  // its life is over: goes with the next update
    bool started; // life_until is set
    uint32_t epoch;
    int32_t rest; // ticks
    int32_t life; // ticks
    int32_t visits;
    double rest_until; // s
    double life_until; // s
    uint64_t born;     // the first step in which it takes part
    uint64_t fired, last_tick;
    ploy_agent_id last_agent;
} ployi_triggers_trigger;

typedef struct ployi_triggers_agent {
    ploy_agent_id agent;
    uint32_t mask;
    float first_test_s;
    bool started; // next is set
    int32_t first_pair;
    double period; // s; 0: every step
    double next;   // s
} ployi_triggers_agent;

typedef struct ployi_triggers_pair {
    ploy_id trigger;
    uint32_t epoch;
    int32_t next; // pair of the agent, or place in the free list; -1 ends
    int32_t visits;
    bool inside;
    bool told; // of a trigger that fires once for each
} ployi_triggers_pair;

typedef struct ployi_triggers_test {
    ploy_id agent; // in the pool
    int32_t first, count;
} ployi_triggers_test;

typedef struct ployi_triggers_outcome {
    ploy_id trigger;
    ploy_trigger_event_kind what;
} ployi_triggers_outcome;

struct ploy_triggers {
    ploy_env env;
    ploy_pool *pool;   // of ployi_triggers_trigger
    ploy_pool *agents; // of ployi_triggers_agent
    ploy_map places;   // agent id -> id in `agents`
    ploy_bvh2 *bvh;
    int32_t bvh_capacity;
    ploy_array pairs;
    int32_t free_pair;
    int32_t free_count;
    ploy_array tests, touches, found, outcomes; // scratch
    ployi_ring log;                             // of ploy_trigger_event
    uint64_t tick;
    double now;
    bool stepped; // now is set
    bool busy;    // in a step or use
};

// An index for that many triggers.
ploy_result ployi_triggers_make_bvh(const ploy_env *env, int32_t capacity, ploy_bvh2 **out);
// NULL if it is gone.
ployi_triggers_trigger *ployi_triggers_of(const ploy_triggers *triggers, ploy_id id);
// The place of an agent, NULL if it takes no part. id may be NULL.
ployi_triggers_agent *ployi_triggers_agent_of(const ploy_triggers *triggers, ploy_agent_id agent,
                                              ploy_id *id);
ployi_triggers_pair *ployi_triggers_pair_at(const ploy_triggers *triggers, int32_t index);
// The pair of an agent and a trigger, or NULL.
ployi_triggers_pair *ployi_triggers_pair_of(const ploy_triggers *triggers,
                                            const ployi_triggers_agent *agent, ploy_id trigger);
// Gives the pair at *link back and closes the list.
void ployi_triggers_free_pair(ploy_triggers *triggers, int32_t *link);
bool ployi_triggers_pair_inside(const ployi_triggers_pair *pair,
                                const ployi_triggers_trigger *trigger);
// What is worth keeping of a pair when the agent is outside.
bool ployi_triggers_pair_is_needed(const ployi_triggers_pair *pair,
                                   const ployi_triggers_trigger *trigger);
