// Shared by senses.c, which runs the senses, and senses_visit.c, which describes and saves them.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/heap.h"
#include "ploy/base/map.h"
#include "ploy/base/pool.h"
#include "ploy/geom/grid.h"
#include "ploy/world/senses.h"

// A signal added from within a callback.
typedef struct ployi_senses_waiting {
    ploy_signal signal;
    ploy_agent_id to; // none: all
} ployi_senses_waiting;

struct ploy_senses {
    ploy_env env;
    ploy_senses_def def;
    size_t slots_size; // bytes of the block behind slots
    ploy_sensor *slots;
    ploy_pose *poses;
    float *x;
    float *y;
    ploy_found *found; // room for the answers of the grid
    bool *used;
    ploy_map by_agent; // agent to int32_t
    ploy_grid *grid;
    ploy_heap queue;
    ploy_pool *pending;  // ploy_percept
    ploy_array active;   // ploy_signal, by order
    ploy_array heard;    // uint32_t, `words` for each active
    ploy_array waiting;  // ployi_senses_waiting
    ploy_vec3 wind;      // m/s
    double now;          // s
    double sampled;      // s
    double last_step;    // s
    uint64_t next_order; // of signals
    int32_t count;
    int32_t words; // of a row of heard
    bool started;  // now is the clock's
    bool stale;
    bool stepping;
};
