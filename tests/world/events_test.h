// What the tests of events share: an ear that remembers what it heard and does what it is told.
#pragma once

#include "ploy/world/events.h"
#include "tests/world/world_test.h"

enum { EAR_MOST = 64 };

typedef struct ear {
    ploy_events *events;
    int32_t count;
    uint64_t heard[EAR_MOST]; // codes
    int32_t *clock;           // counts all that is heard by anybody
    int32_t last;             // of the clock
    ploy_result answer;
    void (*on)(struct ear *self, const ploy_event *event);
    ploy_listener_id ids[4];
    struct ear *other;
} ear;

static inline ploy_result ear_notify(void *user, const ploy_event *event) {
    ear *self = user;
    if (self->count < EAR_MOST) self->heard[self->count] = event->code;
    self->count++;
    if (self->clock != NULL) self->last = (*self->clock)++;
    if (self->on != NULL) self->on(self, event);
    return self->answer;
}

static inline ploy_listener ear_listener(ear *self, int32_t agent) {
    ploy_listener listener = {agent > 0 ? ploy_agent_id_make((uint32_t)agent, 1)
                                        : ploy_agent_id_none(),
                              ear_notify, self};
    return listener;
}

static inline ploy_listener_id ear_open(test_context *t, ear *self, ploy_events *events,
                                        int32_t agent, ploy_interest interest) {
    ploy_listener listener = ear_listener(self, agent);
    ploy_listener_id id = {{0, 0}};
    self->events = events;
    CHECK_OK(ploy_events_register(events, &listener, interest, &id));
    self->ids[0] = id;
    return id;
}

static inline ploy_events *events_of(test_context *t, const ploy_events_def *def) {
    ploy_env env = ploy_env_default();
    ploy_events_def plain = ploy_events_def_default();
    ploy_events *events = NULL;
    CHECK_OK(ploy_events_create(def != NULL ? def : &plain, &env, &events));
    return events;
}

static inline ploy_event event_of(uint64_t code) {
    ploy_event event = ploy_event_make("event");
    event.code = code;
    return event;
}

static inline void raise_code(test_context *t, ploy_events *events, uint64_t code) {
    ploy_event event = event_of(code);
    CHECK_OK(ploy_events_raise(events, &event));
}
