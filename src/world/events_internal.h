// Shared by the files of events: events.c keeps the register and the tree, events_run.c delivers,
// events_sight.c describes it.
#pragma once

#include "ploy/base/map.h"
#include "ploy/base/pool.h"
#include "ploy/world/events.h"
#include "world/queue_internal.h"
#include "world/ring_internal.h"

#define PLOYI_EVENTS_MAX (1 << 24)

// Listeners of one code, of one bit, or of several, in order of registering.
typedef struct ployi_listeners {
    int32_t first, last;
} ployi_listeners;

// One registration. Dead ones stay in their list while something is being delivered.
typedef struct ployi_listener {
    ploy_listener listener;
    ploy_interest interest;
    uint64_t order;
    int64_t notified;
    ploy_id id;
    int32_t previous, next; // indexes in the pool; -1 ends
    bool dead;
    bool reserved[7];
} ployi_listener;

typedef struct ployi_checker {
    ploy_checker checker;
    int64_t calls, spared;
    ploy_result last; // what it answered
    int32_t reserved;
} ployi_checker;

struct ploy_events {
    ploy_env env;
    ploy_events_def def;
    ploy_pose_source source;
    ploy_pool *listeners; // ployi_listener
    ploy_pool *checkers;  // ployi_checker
    ploy_map codes;       // code to ployi_listeners
    ployi_listeners bits[64];
    ployi_listeners wide; // masks of several bits, and any
    ployi_queue queue;    // ploy_event
    ploy_array later;     // ploy_event: raised while a run delivers
    ployi_ring log;       // ploy_event_record
    ploy_events *parent, *first_child, *next_sibling;
    uint64_t next_order, next_listener;
    double now;
    ploy_events_counts counts;
    int32_t live;     // listeners that are not dead
    int32_t dead;     // listeners to be swept
    int32_t depth;    // deliveries within each other
    int32_t checking; // inside checkers
    bool running;     // inside a run's deliveries
    bool reserved[7];
};

ployi_listener *ployi_events_listener(const ploy_events *events, int32_t index);
// The list that a registration belongs to, or NULL if that code never had a listener.
ployi_listeners *ployi_events_list(const ploy_events *events, const ploy_interest *interest);
// Forgets the dead once nothing is being delivered.
void ployi_events_sweep(ploy_events *events);
void ployi_events_note(ploy_events *events, ploy_event_stage stage, const ploy_event *event,
                       ploy_agent_id listener, ploy_result result);
// Delivers an event in one manager, past its queue. Returns how many listeners were called.
int32_t ployi_events_fire_here(ploy_events *events, const ploy_event *event);
// The fields of an event, into the open group. v->context: names, or NULL.
void ployi_event_visit(ploy_visit *v, ploy_event *event, ploy_mark mark);
// Puts an event into the queue in the order that the def asks for.
ploy_result ployi_events_enqueue(ploy_events *events, const ploy_event *event);
