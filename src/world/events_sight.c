// What can be seen of events: the log, histories, counts, the register and the queue.
#include "ploy/base/hash.h"

#include "world/events_internal.h"
#include "world/world_internal.h"

const char *ployi_event_stage_text(ploy_event_stage stage) {
    switch (stage) {
    case PLOY_EVENT_RAISED: return "raised";
    case PLOY_EVENT_FIRED: return "fired";
    case PLOY_EVENT_NOTIFIED: return "notified";
    case PLOY_EVENT_UNHEARD: return "unheard";
    }
    return "?";
}

void ployi_events_note(ploy_events *events, ploy_event_stage stage, const ploy_event *event,
                       ploy_agent_id listener, ploy_result result) {
    uint64_t number;
    ploy_event_record *record = ployi_ring_push(&events->log, &number);
    if (record == NULL) return;
    record->stage = stage;
    record->result = result;
    record->time = events->now;
    record->code = event->code;
    record->name = event->name;
    record->order = event->order;
    record->sender = event->sender;
    record->listener = listener;
}

int32_t ployi_events_waiting(const ploy_events *events) {
    return events != NULL ? ployi_queue_count(&events->queue) + events->later.count : 0;
}

int32_t ployi_events_record_count(const ploy_events *events) {
    return events != NULL ? ployi_ring_count(&events->log) : 0;
}

bool ploy_events_record(const ploy_events *events, int32_t age, ploy_event_record *out) {
    const ploy_event_record *record = events != NULL ? ployi_ring_newest(&events->log, age) : NULL;
    if (record == NULL || out == NULL) return false;
    *out = *record;
    return true;
}

int32_t ploy_events_history(const ploy_events *events, ploy_agent_id agent, ploy_event_record *out,
                            int32_t capacity) {
    int32_t count = 0;
    ploy_event_record record;
    for (int32_t age = 0; count < capacity && ploy_events_record(events, age, &record); age++) {
        if (record.stage != PLOY_EVENT_NOTIFIED) continue;
        if (ploy_id_equal(record.listener.id, agent.id)) out[count++] = record;
    }
    return count;
}

ploy_events_counts ploy_events_counts_of(const ploy_events *events) {
    ploy_events_counts none = {0, 0, 0, 0, 0, 0, 0, 0};
    return events != NULL ? events->counts : none;
}

static void events_visit_counts(ploy_visit *v, ploy_events_counts *counts) {
    ploy_visit_begin(v, "counts", PLOY_STATE);
    ploy_visit_i64(v, "raised", PLOY_NOTE, &counts->raised);
    ploy_visit_i64(v, "delivered", PLOY_NOTE, &counts->delivered);
    ploy_visit_i64(v, "notified", PLOY_NOTE, &counts->notified);
    ploy_visit_i64(v, "unheard", PLOY_NOTE, &counts->unheard);
    ploy_visit_i64(v, "errors", PLOY_NOTE, &counts->errors);
    ploy_visit_i64(v, "checks", PLOY_NOTE, &counts->checks);
    ploy_visit_i64(v, "spared", PLOY_NOTE, &counts->spared);
    ploy_visit_i64(v, "most waiting", PLOY_NOTE, &counts->most_waiting);
    ploy_visit_end(v);
}

// What a listener registered for is the game's to register again: a load compares it.
static void events_visit_listener(ploy_visit *v, ployi_listener *listener) {
    static const char *const matches[] = {"code", "mask", "any"};
    const ploy_interest *interest = &listener->interest;
    ploy_value order = ploy_value_u64(listener->order), code = ploy_value_u64(interest->code);
    ploy_value match = ploy_value_text(matches[interest->match]);
    ploy_value radius = ploy_value_f32(interest->radius), id = ploy_value_id(listener->id);
    ploy_visit_struct(v, "listener", listener, sizeof *listener);
    char name[24];
    ployi_print_id(listener->id, name, sizeof name);
    ploy_visit_begin_agent(v, name, PLOY_STATE, listener->listener.agent);
    ploy_visit_same(v, "id", PLOY_SAVED, &id);
    ploy_visit_same(v, "order", PLOY_STATE, &order);
    ploy_visit_same(v, "match", PLOY_STATE, &match);
    ploy_visit_same(v, "code", PLOY_STATE, &code);
    ploy_visit_same(v, "radius", PLOY_STATE, &radius);
    ploy_visit_i64(v, "notified", PLOY_NOTE, &listener->notified);
    ploy_visit_end(v);
    PLOY_VISIT_SCRATCH(v, listener->listener);
    PLOY_VISIT_SCRATCH(v, listener->interest);
    PLOY_VISIT_SCRATCH(v, listener->order);
    PLOY_VISIT_SCRATCH(v, listener->id);
    PLOY_VISIT_SCRATCH(v, listener->previous);
    PLOY_VISIT_SCRATCH(v, listener->next);
    PLOY_VISIT_SCRATCH(v, listener->dead);
    PLOY_VISIT_SCRATCH(v, listener->reserved);
}

static void events_visit_checker(ploy_visit *v, ployi_checker *checker, int64_t index) {
    ploy_value code = ploy_value_u64(checker->checker.code);
    ploy_value period = ploy_value_i64(checker->checker.period);
    ploy_value phase = ploy_value_i64(checker->checker.phase);
    ploy_visit_struct(v, "checker", checker, sizeof *checker);
    ploy_visit_begin_item(v, index, PLOY_STATE);
    ploy_visit_same(v, "code", PLOY_STATE, &code);
    ploy_visit_same(v, "period", PLOY_STATE, &period);
    ploy_visit_same(v, "phase", PLOY_STATE, &phase);
    ploy_visit_i64(v, "calls", PLOY_NOTE, &checker->calls);
    ploy_visit_i64(v, "spared", PLOY_NOTE, &checker->spared);
    ploy_visit_code(v, "last", PLOY_NOTE, &checker->last);
    ploy_visit_end(v);
    PLOY_VISIT_SCRATCH(v, checker->checker);
    PLOY_VISIT_SCRATCH(v, checker->reserved);
}

static void events_visit_register(ploy_visit *v, ploy_events *events) {
    uint32_t cursor = 0;
    void *item = NULL;
    int32_t left = ploy_visit_fixed(v, "listeners", PLOY_STATE, ploy_pool_count(events->listeners));
    while (left-- > 0 && ploy_pool_next(events->listeners, &cursor, NULL, &item)) {
        events_visit_listener(v, item);
    }
    ploy_visit_end(v);
    cursor = 0;
    left = ploy_visit_fixed(v, "checkers", PLOY_STATE, ploy_pool_count(events->checkers));
    for (int64_t i = 0; i < left && ploy_pool_next(events->checkers, &cursor, NULL, &item); i++) {
        events_visit_checker(v, item, i);
    }
    ploy_visit_end(v);
}

void ployi_event_visit(ploy_visit *v, ploy_event *event, ploy_mark mark) {
    ploy_visit_struct(v, "event", event, sizeof *event);
    if (mark == PLOY_SAVED) {
        ploy_visit_name(v, "name", mark, &event->name);
    } else {
        ployi_visit_name(v, "name", mark, &event->name);
    }
    ploy_visit_u64(v, "code", mark, &event->code);
    ploy_visit_id(v, "sender", mark, &event->sender.id);
    bool placed = ploy_visit_optional(v, "position", event->placed);
    if (ploy_visit_loads(v)) ploy_visit_write(v, &event->placed, &placed, sizeof placed);
    PLOY_VISIT_SCRATCH(v, event->placed); // saved as the presence of its position
    PLOY_VISIT_SCRATCH(v, event->position);
    if (placed) {
        ploy_vec3 *at = &event->position;
        ploy_visit_vec3(v, "position", mark, &at->x, &at->y, &at->z);
    }
    ploy_visit_i32(v, "priority", mark, &event->priority);
    ploy_visit_f64_in(v, "deadline", mark, &event->deadline, -(double)INFINITY, (double)INFINITY);
    ploy_visit_f64(v, "raised", mark, &event->raised);
    ploy_visit_u64(v, "order", mark, &event->order);
    if (v->describe != NULL) {
        uint64_t payload = ploy_hash_bytes(event->payload, sizeof event->payload, event->size);
        ploy_describe_u64(v->describe, "payload", mark, payload);
    }
    ploy_visit_u32_in(v, "size", PLOY_SAVED, &event->size, 0, PLOY_EVENT_PAYLOAD);
    ploy_visit_bytes(v, "payload", PLOY_SAVED, event->payload, sizeof event->payload);
    PLOY_VISIT_SCRATCH(v, event->reserved);
}

static void events_key(const void *item, double *time, int32_t *rank, uint64_t *order) {
    const ploy_event *event = item;
    *time = event->deadline;
    *rank = -1 - event->priority;
    *order = event->order;
}

static void events_key_fifo(const void *item, double *time, int32_t *rank, uint64_t *order) {
    *time = 0.0;
    *rank = 0;
    *order = ((const ploy_event *)item)->order;
}

static void events_rebuild(void *object) {
    ploy_events *events = object;
    bool fifo = events->def.order == PLOY_EVENTS_FIFO;
    ployi_queue_rebuild(&events->queue, fifo ? events_key_fifo : events_key);
}

static const char *events_stage_text(int32_t stage) {
    return ployi_event_stage_text((ploy_event_stage)stage);
}

static void events_visit_log(ploy_visit *v, ploy_events *events) {
    int32_t records = ployi_ring_visit(v, "log", &events->log);
    for (int32_t age = 0; age < records; age++) {
        ploy_event_record *record = ployi_ring_record(&events->log, age);
        ploy_visit_begin_agent(v, events_stage_text((int32_t)record->stage), PLOY_STATE,
                               record->listener);
        ploy_visit_f64(v, "time", PLOY_NOTE, &record->time);
        ployi_visit_name(v, "name", PLOY_NOTE, &record->name);
        ploy_visit_u64(v, "order", PLOY_NOTE, &record->order);
        ploy_visit_id(v, "sender", PLOY_NOTE, &record->sender.id);
        ploy_visit_code(v, "result", PLOY_NOTE, &record->result);
        // In the description, the group's owner and name.
        ploy_visit_id(v, "listener", PLOY_SAVED, &record->listener.id);
        PLOY_VISIT_ENUM(v, "stage", PLOY_SAVED, record->stage, events_stage_text, 4);
        ploy_visit_u64(v, "code", PLOY_SAVED, &record->code);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static void events_visit_scratch(ploy_visit *v, ploy_events *events) {
    PLOY_VISIT_SCRATCH(v, events->env);
    PLOY_VISIT_SCRATCH(v, events->def);
    PLOY_VISIT_SCRATCH(v, events->source);
    PLOY_VISIT_SCRATCH(v, events->listeners);
    PLOY_VISIT_SCRATCH(v, events->checkers);
    PLOY_VISIT_SCRATCH(v, events->codes);
    PLOY_VISIT_SCRATCH(v, events->bits);
    PLOY_VISIT_SCRATCH(v, events->wide);
    PLOY_VISIT_SCRATCH(v, events->parent);
    PLOY_VISIT_SCRATCH(v, events->first_child);
    PLOY_VISIT_SCRATCH(v, events->next_sibling);
    PLOY_VISIT_SCRATCH(v, events->live);
    PLOY_VISIT_SCRATCH(v, events->dead);
    PLOY_VISIT_SCRATCH(v, events->depth);
    PLOY_VISIT_SCRATCH(v, events->checking);
    PLOY_VISIT_SCRATCH(v, events->running);
    PLOY_VISIT_SCRATCH(v, events->reserved);
    if (v->memory == NULL) return;
    ploy_pool_memory(events->listeners, v->memory, v->memory_user);
    ploy_pool_memory(events->checkers, v->memory, v->memory_user);
    ploy_map_memory(&events->codes, v->memory, v->memory_user);
}

void ploy_events_visit(ploy_visit *v, void *object) {
    ploy_events *events = object;
    ploy_visit_object(v, "events", events, sizeof *events);
    events_visit_scratch(v, events);
    if (!ploy_visit_check(v, events->depth == 0 && !events->running && events->checking == 0,
                          "cannot load while an event is being delivered", NULL)) {
        return;
    }
    ploy_visit_after(v, events_rebuild, events);
    ploy_visit_buffer(v, "events.later", &events->later); // empty between two runs
    ploy_visit_f64(v, "now", PLOY_STATE, &events->now);
    ploy_visit_u64(v, "next order", PLOY_STATE, &events->next_order);
    ploy_visit_u64(v, "next listener", PLOY_STATE, &events->next_listener);
    events_visit_counts(v, &events->counts);
    events_visit_register(v, events);
    ployi_queue_visit(v, &events->queue, events->def.limit);
    int32_t left = ploy_visit_fixed(v, "waiting", PLOY_STATE, ployi_queue_taken(&events->queue));
    for (int32_t i = 0; i < ployi_queue_places(&events->queue) && left > 0; i++) {
        ploy_event *event = ployi_queue_at(&events->queue, i, NULL);
        if (event == NULL) continue;
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ployi_event_visit(v, event, PLOY_STATE);
        ploy_visit_end(v);
        left--;
    }
    ploy_visit_end(v);
    events_visit_log(v, events);
}

void ploy_events_describe(const ploy_events *events, const ploy_names *names, ploy_describe *out) {
    ploy_visit_describe(ploy_events_visit, events, (void *)(uintptr_t)names, out);
}

void ploy_events_draw(const ploy_events *events, ploy_draw *out) {
    if (events == NULL || out == NULL) return;
    for (int32_t i = 0; i < ployi_queue_places(&events->queue); i++) {
        const ploy_event *event = ployi_queue_at(&events->queue, i, NULL);
        if (event == NULL || !event->placed) continue;
        ploy_draw_point(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, event->sender,
                        ploy_vec2_from_vec3(event->position));
    }
    uint32_t cursor = 0;
    void *item = NULL;
    while (ploy_pool_next(events->listeners, &cursor, NULL, &item)) {
        const ployi_listener *listener = item;
        ploy_agent_id agent = listener->listener.agent;
        ploy_pose pose;
        if (!(listener->interest.radius > 0.0f)) continue;
        if (!ploy_pose_source_get(&events->source, agent, &pose)) continue;
        ploy_draw_circle(out, PLOY_LAYER_SENSES, PLOY_STYLE_GHOST, agent,
                         ploy_vec2_from_vec3(pose.frame.position), listener->interest.radius);
    }
}

void ploy_events_memory(const ploy_events *events, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_events_visit, events, fn, user);
}
