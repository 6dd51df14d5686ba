// Shared by graph_senses.c (sensors, waves, delivery) and graph_smell.c (what lingers).
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/heap.h"
#include "ploy/base/map.h"
#include "ploy/base/pool.h"
#include "ploy/world/room_senses.h"

typedef struct ployi_graph_sensor {
    ploy_sensor sensor;
    int32_t node;                           // at the last step, -1 for none
    double next_smell[PLOY_MODALITIES_MAX]; // s, had not sensed that smell before
} ployi_graph_sensor;

// What a wave knows of a node.
typedef struct ployi_graph_seen {
    uint32_t wave; // the last wave that is about to enter it
    uint32_t left; // the last wave that entered and left it
    double key;    // of the best entry of that wave
} ployi_graph_seen;

// A percept on its way.
typedef struct ployi_graph_record {
    ploy_percept percept;
    ploy_id sensor; // none: the place is free
    int32_t next_free;
} ployi_graph_record;

// A smell in a node.
typedef struct ployi_graph_cell {
    bool active;
    float intensity; // at `updated`, where it entered
    float travelled; // m it came so far
    int32_t through; // the link it came by, -1 for none
    double updated;  // s
    double since;    // s at which it came into the empty node
    ploy_vec3 entry;
    ploy_signal signal;
} ployi_graph_cell;

// A smell on a link.
typedef struct ployi_graph_arrival {
    double time;
    float intensity;
    float travelled;
    ploy_signal signal;
    bool on_way;
} ployi_graph_arrival;

struct ploy_room_senses {
    ploy_env env;
    ploy_room_senses_def def;
    const ploy_room_graph *graph;
    const ploy_modalities *modalities;
    ploy_pose_source poses;
    ploy_sense_locate_fn locate;
    void *locate_user;
    int32_t node_count, link_count;
    ploy_pool *sensors;   // of ployi_graph_sensor
    ploy_map by_agent;    // -> id in sensors
    int32_t *node_first;  // node_count + 1: places in node_list
    ploy_array node_list; // int32_t, indexes of sensors, by node, then index
    bool lists_stale;
    float *gain;            // by link
    ployi_graph_seen *seen; // by node
    uint32_t wave_count;
    ploy_heap wave; // open list; payload: place in entries
    ploy_array entries;
    ploy_array batch; // int32_t, records of the signal that spreads
    ploy_heap sorter; // of one signal's percepts, by sensor
    ploy_heap due;    // by time; payload: place in records
    ploy_array records;
    int32_t free_record;
    int32_t free_count;
    ploy_array late; // int32_t, records made in a callback
    // Smells, numbered among themselves.
    int32_t smell_count;
    int32_t smell_of[PLOY_MODALITIES_MAX]; // by modality; -1: no smell
    int32_t modality_of[PLOY_MODALITIES_MAX];
    ployi_graph_cell *cells;       // node * smell_count + smell
    ployi_graph_arrival *arrivals; // link * smell_count + smell
    ploy_heap arriving;            // by time; payload: place in arrivals
    ploy_array sources;            // ploy_signal
    int32_t active_cells;
    ploy_vec3 wind;
    int32_t cursor; // in cells, of a run that goes on
    bool running;
    double run_now;    // s, time stamp of the run
    double run_before; // s, of the run before
    double now;
    bool stepped;
    bool busy;
    uint64_t next_order;
    ploy_sense_log *log;
};

// factor^distance, with the usual cases for nothing.
float ployi_graph_fade(float factor, float distance);
int32_t ployi_graph_locate(const ploy_room_senses *senses, ploy_vec3 point);
// Room for that many more percepts.
ploy_result ployi_graph_reserve_records(ploy_room_senses *senses, int64_t more);
// Tests and, if it is sensed, makes a record that waits in the batch. True if so.
bool ployi_graph_offer(ploy_room_senses *senses, int32_t sensor_index, ploy_percept *percept,
                       double now);
// Moves the batch, sorted, to where it is delivered from.
void ployi_graph_queue_sorted(ploy_room_senses *senses);

ploy_result ployi_graph_smell_create(ploy_room_senses *senses);
void ployi_graph_smell_destroy(ploy_room_senses *senses);
// A smell comes into a node at a time: from a source, or by a link.
void ployi_graph_smell_put(ploy_room_senses *senses, int32_t smell, int32_t node, float intensity,
                           float travelled, int32_t through, ploy_vec3 entry, double time,
                           const ploy_signal *signal);
ploy_result ployi_graph_smell_step(ploy_room_senses *senses, double now, ploy_budget *budget);
void ployi_graph_smell_draw(const ploy_room_senses *senses, ploy_draw *out);
