// What can be seen of events: the log, histories, counts, the register and the queue.
#include "ploy/base/hash.h"
#include "world/events_internal.h"

const char *ploy_event_stage_text(ploy_event_stage stage) {
    switch (stage) {
    case PLOY_EVENT_RAISED: return "raised";
    case PLOY_EVENT_FIRED: return "fired";
    case PLOY_EVENT_TOLD: return "told";
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

int32_t ploy_events_waiting(const ploy_events *events) {
    return events != NULL ? ployi_queue_count(&events->queue) + events->later.count : 0;
}

int32_t ploy_events_record_count(const ploy_events *events) {
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
        if (record.stage != PLOY_EVENT_TOLD) continue;
        if (ploy_id_equal(record.listener.id, agent.id)) out[count++] = record;
    }
    return count;
}

ploy_events_counts ploy_events_counts_of(const ploy_events *events) {
    ploy_events_counts none = {0, 0, 0, 0, 0, 0, 0, 0};
    return events != NULL ? events->counts : none;
}

static void events_describe_counts(const ploy_events *events, ploy_describe *out) {
    const ploy_events_counts *counts = &events->counts;
    ploy_describe_begin(out, "counts");
    ploy_describe_i64(out, "raised", PLOY_NOTE, counts->raised);
    ploy_describe_i64(out, "delivered", PLOY_NOTE, counts->delivered);
    ploy_describe_i64(out, "told", PLOY_NOTE, counts->told);
    ploy_describe_i64(out, "unheard", PLOY_NOTE, counts->unheard);
    ploy_describe_i64(out, "errors", PLOY_NOTE, counts->errors);
    ploy_describe_i64(out, "checks", PLOY_NOTE, counts->checks);
    ploy_describe_i64(out, "spared", PLOY_NOTE, counts->spared);
    ploy_describe_i64(out, "most waiting", PLOY_NOTE, counts->most_waiting);
    ploy_describe_end(out);
}

static void events_describe_listeners(const ploy_events *events, ploy_describe *out) {
    static const char *const matches[] = {"code", "mask", "any"};
    uint32_t cursor = 0;
    void *item = NULL;
    ploy_describe_begin(out, "listeners");
    while (ploy_pool_next(events->listeners, &cursor, NULL, &item)) {
        const ployi_listener *listener = item;
        char name[24];
        ployi_print_id(listener->id, name, sizeof name);
        ploy_describe_begin_agent(out, name, listener->listener.agent);
        ploy_describe_u64(out, "order", PLOY_STATE, listener->order);
        ploy_describe_text(out, "match", PLOY_STATE, matches[listener->interest.match]);
        ploy_describe_u64(out, "code", PLOY_STATE, listener->interest.code);
        ploy_describe_f32(out, "radius", PLOY_STATE, listener->interest.radius);
        ploy_describe_i64(out, "told", PLOY_NOTE, listener->told);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    cursor = 0;
    ploy_describe_begin(out, "checkers");
    for (int64_t i = 0; ploy_pool_next(events->checkers, &cursor, NULL, &item); i++) {
        const ployi_checker *checker = item;
        ploy_describe_begin_item(out, i);
        ploy_describe_u64(out, "code", PLOY_STATE, checker->checker.code);
        ploy_describe_i64(out, "period", PLOY_STATE, checker->checker.period);
        ploy_describe_i64(out, "phase", PLOY_STATE, checker->checker.phase);
        ploy_describe_i64(out, "calls", PLOY_NOTE, checker->calls);
        ploy_describe_i64(out, "spared", PLOY_NOTE, checker->spared);
        ploy_describe_text(out, "last", PLOY_NOTE, ploy_result_text(checker->last));
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

static void events_describe_event(const ploy_event *event, int32_t index, const ploy_names *names,
                                  ploy_describe *out) {
    uint64_t payload = ploy_hash_bytes(event->payload, sizeof event->payload, event->size);
    ploy_describe_begin_item(out, index);
    ployi_describe_name(out, "name", PLOY_STATE, names, event->name);
    ploy_describe_u64(out, "code", PLOY_STATE, event->code);
    ploy_describe_id(out, "sender", PLOY_STATE, event->sender.id);
    if (event->placed) {
        ploy_vec3 at = event->position;
        ploy_describe_vec3(out, "position", PLOY_STATE, at.x, at.y, at.z);
    }
    ploy_describe_i64(out, "priority", PLOY_STATE, event->priority);
    ploy_describe_f64(out, "deadline", PLOY_STATE, event->deadline);
    ploy_describe_f64(out, "raised", PLOY_STATE, event->raised);
    ploy_describe_u64(out, "order", PLOY_STATE, event->order);
    ploy_describe_u64(out, "payload", PLOY_STATE, payload);
    ploy_describe_end(out);
}

void ploy_events_describe(const ploy_events *events, const ploy_names *names, ploy_describe *out) {
    if (events == NULL || out == NULL) return;
    ploy_describe_f64(out, "now", PLOY_STATE, events->now);
    ploy_describe_u64(out, "next order", PLOY_STATE, events->next_order);
    ploy_describe_u64(out, "next listener", PLOY_STATE, events->next_listener);
    events_describe_counts(events, out);
    events_describe_listeners(events, out);
    ploy_describe_begin(out, "waiting");
    for (int32_t i = 0; i < ployi_queue_places(&events->queue); i++) {
        const ploy_event *event = ployi_queue_at(&events->queue, i, NULL);
        if (event != NULL) events_describe_event(event, i, names, out);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "log");
    ploy_event_record record;
    for (int32_t age = 0; ploy_events_record(events, age, &record); age++) {
        ploy_describe_begin_agent(out, ploy_event_stage_text(record.stage), record.listener);
        ploy_describe_f64(out, "time", PLOY_NOTE, record.time);
        ployi_describe_name(out, "name", PLOY_NOTE, names, record.name);
        ploy_describe_u64(out, "order", PLOY_NOTE, record.order);
        ploy_describe_id(out, "sender", PLOY_NOTE, record.sender.id);
        ploy_describe_text(out, "result", PLOY_NOTE, ploy_result_text(record.result));
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
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
    if (events == NULL || fn == NULL) return;
    ploy_memory_item item = {"events", sizeof *events, 1};
    fn(user, &item);
    ploy_pool_memory(events->listeners, fn, user);
    ploy_pool_memory(events->checkers, fn, user);
    ploy_map_memory(&events->codes, fn, user);
    ployi_queue_memory(&events->queue, fn, user);
    ploy_array_memory(&events->later, fn, user);
    ployi_ring_memory(&events->log, fn, user);
}
