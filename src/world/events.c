// The register of listeners, the tree of managers, and the path of an event into the queues.
//
// A registration is in one list: that of its code, that of its single bit, or, for several bits and
// for any, the wide one, which every event asks.
//
// Invariants, also while listeners are called:
//   (1) along every list the orders of registering rise;
//   (2) a dead registration is in its list only while depth is above 0; its id is good till then,
//       but no function finds it;
//   (3) the queue has room for what `later` holds, so that the end of a run cannot fail.
#include "ploy/world/events.h"

#include "world/world_internal.h"

#include <string.h>

#include "ploy/base/math.h"
#include "world/events_internal.h"

#define EVENTS_END (-1)

static const char *const events_order_names[] = {"fifo", "deadline"};
static const char *const events_raised_names[] = {"next_run", "same_run"};

static const ploy_field events_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_events_def, capacity, 32, 0, PLOYI_EVENTS_MAX, "",
                         "events that fit before the queue grows"),
    PLOY_FIELD_I32_FIXED(ploy_events_def, listeners, 32, 0, PLOYI_EVENTS_MAX, "",
                         "listeners that fit before the register grows"),
    PLOY_FIELD_I32_FIXED(ploy_events_def, limit, 1 << 20, 1, PLOYI_EVENTS_MAX, "",
                         "most events that wait"),
    PLOY_FIELD_I32_FIXED(ploy_events_def, run_limit, 1 << 16, 1, PLOYI_EVENTS_MAX, "",
                         "most events in one run"),
    PLOY_FIELD_I32_FIXED(ploy_events_def, depth, 16, 1, 256, "", "events fired within events"),
    PLOY_FIELD_I32_FIXED(ploy_events_def, log, 64, 0, 1 << 20, "", "records that are remembered"),
    PLOY_FIELD_ENUM(ploy_events_def, order, PLOY_EVENTS_FIFO, events_order_names, "of the queue"),
    PLOY_FIELD_ENUM(ploy_events_def, raised, PLOY_EVENTS_NEXT_RUN, events_raised_names,
                    "where events go that listeners raise"),
    PLOY_FIELD_BOOL(ploy_events_def, tells_parent, false, "what is raised here goes up"),
    PLOY_FIELD_BOOL(ploy_events_def, hears_parent, false,
                    "what is raised in the parent comes down"),
};

ploy_fields ploy_events_fields(void) {
    return PLOY_FIELDS(ploy_events_def, events_fields);
}

ploy_events_def ploy_events_def_default(void) {
    ploy_events_def def;
    ploy_fields_default(ploy_events_fields(), &def);
    return def;
}

uint64_t ploy_event_code(const char *name) {
    return ploy_name_of(name).hash;
}

ploy_event ploy_event_make(const char *name) {
    ploy_event event;
    memset(&event, 0, sizeof event); // padding too
    event.name = ploy_name_of(name);
    event.code = event.name.hash;
    event.deadline = PLOY_EVENT_ANY_TIME;
    return event;
}

ploy_result ploy_event_set_payload(ploy_event *event, const void *bytes, size_t size) {
    if (event == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    if (size > PLOY_EVENT_PAYLOAD) return PLOY_ERR_CAPACITY;
    unsigned char payload[PLOY_EVENT_PAYLOAD] = {0};
    if (size > 0) memcpy(payload, bytes, size);
    memcpy(event->payload, payload, sizeof payload);
    event->size = (uint32_t)size;
    return PLOY_OK;
}

// ---- life

ploy_result ploy_events_create(const ploy_events_def *def, const ploy_env *env, ploy_events **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_events_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_events *events = ploy_env_alloc_zero(env, sizeof *events);
    if (events == NULL) return PLOY_ERR_MEMORY;
    events->env = *env;
    events->def = *def;
    ployi_listeners empty = {EVENTS_END, EVENTS_END};
    for (int32_t i = 0; i < 64; i++) events->bits[i] = empty;
    events->wide = empty;
    ployi_queue_init(&events->queue, sizeof(ploy_event), env);
    ploy_array_init(&events->later, sizeof(ploy_event), env);
    ploy_map_init(&events->codes, sizeof(ployi_listeners), env);
    result = ployi_ring_init(&events->log, sizeof(ploy_event_record), def->log, env);
    if (result == PLOY_OK) {
        result =
            ploy_pool_create(sizeof(ployi_listener), 0, PLOYI_EVENTS_MAX, env, &events->listeners);
    }
    if (result == PLOY_OK) {
        result =
            ploy_pool_create(sizeof(ployi_checker), PLOY_CAPACITY(8), 0, env, &events->checkers);
    }
    if (result == PLOY_OK) {
        result = ploy_events_reserve(events, PLOY_CAPACITY(def->capacity),
                                     PLOY_CAPACITY(def->listeners));
    }
    if (result != PLOY_OK) {
        ploy_events_destroy(events);
        return result;
    }
    *out = events;
    return PLOY_OK;
}

static void events_part(ploy_events *events) {
    if (events->parent == NULL) return;
    ploy_events **at = &events->parent->first_child;
    while (*at != events) at = &(*at)->next_sibling;
    *at = events->next_sibling;
    events->parent = NULL;
    events->next_sibling = NULL;
}

void ploy_events_destroy(ploy_events *events) {
    if (events == NULL) return;
    events_part(events);
    while (events->first_child != NULL) events_part(events->first_child);
    ploy_env env = events->env;
    ploy_pool_destroy(events->checkers);
    ploy_pool_destroy(events->listeners);
    ployi_ring_fini(&events->log);
    ploy_map_fini(&events->codes);
    ploy_array_fini(&events->later);
    ployi_queue_fini(&events->queue);
    ploy_env_free(&env, events, sizeof *events);
}

ploy_result ploy_events_reserve(ploy_events *events, int32_t count, int32_t listeners) {
    if (events == NULL || count < 0 || listeners < 0 || listeners > PLOYI_EVENTS_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ployi_queue_reserve(&events->queue, count);
    if (result == PLOY_OK) result = ploy_array_reserve(&events->later, count);
    if (result == PLOY_OK) result = ploy_pool_reserve(events->listeners, listeners);
    if (result == PLOY_OK) result = ploy_map_reserve(&events->codes, listeners);
    return result;
}

ploy_result ploy_events_set_parent(ploy_events *events, ploy_events *parent) {
    if (events == NULL) return PLOY_ERR_ARGUMENT;
    for (const ploy_events *at = parent; at != NULL; at = at->parent) {
        if (at == events) return PLOY_ERR_ARGUMENT;
    }
    // Deliveries walk along the tree, up and down from where an event was fired.
    for (const ploy_events *at = events; at != NULL; at = at->parent) {
        if (at->depth > 0) return PLOY_ERR_STATE;
    }
    for (const ploy_events *at = parent; at != NULL; at = at->parent) {
        if (at->depth > 0) return PLOY_ERR_STATE;
    }
    events_part(events);
    events->parent = parent;
    if (parent == NULL) return PLOY_OK;
    ploy_events **last = &parent->first_child;
    while (*last != NULL) last = &(*last)->next_sibling;
    *last = events;
    return PLOY_OK;
}

ploy_events *ployi_events_parent(const ploy_events *events) {
    return events != NULL ? events->parent : NULL;
}

void ploy_events_set_source(ploy_events *events, ploy_pose_source source) {
    if (events != NULL) events->source = source;
}

// ---- listeners

static ploy_interest events_interest(ploy_interest_match match, uint64_t code) {
    ploy_interest interest;
    memset(&interest, 0, sizeof interest);
    interest.match = match;
    interest.code = code;
    return interest;
}

ploy_interest ploy_interest_code(uint64_t code) {
    return events_interest(PLOY_INTEREST_CODE, code);
}

ploy_interest ploy_interest_mask(uint64_t mask) {
    return events_interest(PLOY_INTEREST_MASK, mask);
}

ploy_interest ploy_interest_any(void) {
    return events_interest(PLOY_INTEREST_ANY, 0);
}

static bool events_interest_is_good(const ploy_interest *interest) {
    bool known = interest->match == PLOY_INTEREST_CODE || interest->match == PLOY_INTEREST_ANY ||
                 (interest->match == PLOY_INTEREST_MASK && interest->code != 0);
    return known && ploy_is_finite(interest->radius) && interest->radius >= 0.0f;
}

ployi_listener *ployi_events_listener(const ploy_events *events, int32_t index) {
    return ploy_pool_get(events->listeners, ploy_pool_id_at(events->listeners, (uint32_t)index));
}

static int32_t events_bit(uint64_t one) {
    int32_t bit = 0;
    while ((one >> bit) > 1) bit++;
    return bit;
}

ployi_listeners *ployi_events_list(const ploy_events *events, const ploy_interest *interest) {
    ploy_events *self = (ploy_events *)(uintptr_t)events; // the lists lie inside
    uint64_t code = interest->code;
    if (interest->match == PLOY_INTEREST_CODE) return ploy_map_get(&events->codes, code);
    bool single = interest->match == PLOY_INTEREST_MASK && (code & (code - 1)) == 0;
    return single ? &self->bits[events_bit(code)] : &self->wide;
}

// Makes the list of a code without listeners yet.
static ploy_result events_ensure_list(ploy_events *events, const ploy_interest *interest) {
    if (interest->match != PLOY_INTEREST_CODE) return PLOY_OK;
    void *list = NULL;
    bool added = false;
    ploy_result result = ploy_map_ensure(&events->codes, interest->code, &list, &added);
    ployi_listeners empty = {EVENTS_END, EVENTS_END};
    if (added) *(ployi_listeners *)list = empty;
    return result;
}

ploy_result ploy_events_register(ploy_events *events, const ploy_listener *listener,
                                 ploy_interest interest, ploy_listener_id *out) {
    if (events == NULL || listener == NULL || listener->notify == NULL ||
        !events_interest_is_good(&interest)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = events_ensure_list(events, &interest);
    ploy_id id = ploy_id_none();
    void *item = NULL;
    if (result == PLOY_OK) result = ploy_pool_add(events->listeners, &id, &item);
    if (result != PLOY_OK) return result;
    ployi_listener *added = item;
    added->listener = *listener;
    added->interest = interest;
    added->order = events->next_listener++;
    added->id = id;
    ployi_listeners *list = ployi_events_list(events, &interest);
    added->previous = list->last;
    added->next = EVENTS_END;
    if (list->last == EVENTS_END) {
        list->first = (int32_t)id.index;
    } else {
        ployi_events_listener(events, list->last)->next = (int32_t)id.index;
    }
    list->last = (int32_t)id.index;
    events->live++;
    if (out != NULL) out->id = id;
    return PLOY_OK;
}

static void events_unlink(ploy_events *events, ployi_listener *gone) {
    ployi_listeners *list = ployi_events_list(events, &gone->interest);
    if (gone->previous == EVENTS_END) {
        list->first = gone->next;
    } else {
        ployi_events_listener(events, gone->previous)->next = gone->next;
    }
    if (gone->next == EVENTS_END) {
        list->last = gone->previous;
    } else {
        ployi_events_listener(events, gone->next)->previous = gone->previous;
    }
    // A code without listeners keeps no place; while something walks the list, it must.
    if (gone->interest.match == PLOY_INTEREST_CODE && list->first == EVENTS_END) {
        ploy_map_remove(&events->codes, gone->interest.code);
    }
    ploy_pool_remove(events->listeners, gone->id);
}

void ployi_events_sweep(ploy_events *events) {
    if (events->depth > 0 || events->dead == 0) return;
    uint32_t cursor = 0;
    void *item = NULL;
    while (events->dead > 0 && ploy_pool_next(events->listeners, &cursor, NULL, &item)) {
        ployi_listener *listener = item;
        if (!listener->dead) continue;
        events_unlink(events, listener);
        events->dead--;
    }
}

static ployi_listener *events_find(const ploy_events *events, ploy_listener_id id) {
    if (events == NULL) return NULL;
    ployi_listener *listener = ploy_pool_get(events->listeners, id.id);
    return listener != NULL && !listener->dead ? listener : NULL;
}

static void events_bury(ploy_events *events, ployi_listener *listener) {
    listener->dead = true; // keeps (2)
    events->live--;
    events->dead++;
}

ploy_result ploy_events_unregister(ploy_events *events, ploy_listener_id id) {
    ployi_listener *listener = events_find(events, id);
    if (listener == NULL) return PLOY_ERR_NOT_FOUND;
    if (events->depth > 0) {
        events_bury(events, listener);
    } else {
        events->live--;
        events_unlink(events, listener);
    }
    return PLOY_OK;
}

int32_t ploy_events_unregister_agent(ploy_events *events, ploy_agent_id agent) {
    if (events == NULL || ploy_id_is_none(agent.id)) return 0;
    int32_t count = 0;
    uint32_t cursor = 0;
    void *item = NULL;
    while (ploy_pool_next(events->listeners, &cursor, NULL, &item)) {
        ployi_listener *listener = item;
        if (listener->dead || !ploy_id_equal(listener->listener.agent.id, agent.id)) continue;
        events_bury(events, listener);
        count++;
    }
    ployi_events_sweep(events);
    return count;
}

ploy_result ploy_events_move(ploy_events *from, ploy_listener_id id, ploy_events *to,
                             ploy_listener_id *out) {
    const ployi_listener *listener = events_find(from, id);
    if (to == NULL) return PLOY_ERR_ARGUMENT;
    if (listener == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_listener_id moved;
    ploy_listener who = listener->listener;
    ploy_result result = ploy_events_register(to, &who, listener->interest, &moved);
    if (result != PLOY_OK) return result;
    ploy_events_unregister(from, id);
    if (out != NULL) *out = moved;
    return PLOY_OK;
}

int32_t ployi_events_listener_count(const ploy_events *events) {
    return events != NULL ? events->live : 0;
}

// ---- its listeners

static bool events_list_wants(const ploy_events *events, const ployi_listeners *list,
                              uint64_t code) {
    for (int32_t i = list != NULL ? list->first : EVENTS_END; i != EVENTS_END;) {
        const ployi_listener *listener = ployi_events_listener(events, i);
        const ploy_interest *interest = &listener->interest;
        bool fits = interest->match != PLOY_INTEREST_MASK || (interest->code & code) != 0;
        if (!listener->dead && fits) return true;
        i = listener->next;
    }
    return false;
}

static bool events_wanted_here(const ploy_events *events, uint64_t code) {
    if (events_list_wants(events, ploy_map_get(&events->codes, code), code)) return true;
    for (int32_t bit = 0; bit < 64; bit++) {
        bool has = ((code >> bit) & 1) != 0;
        if (has && events_list_wants(events, &events->bits[bit], code)) return true;
    }
    return events_list_wants(events, &events->wide, code);
}

// The tree below a manager, in the order of joining: the next that hears after `at`, or NULL.
// Managers that do not hear their parent are passed over with all below them.
static ploy_events *events_next_below(const ploy_events *root, const ploy_events *at) {
    ploy_events *child = at->first_child;
    while (child != NULL && !child->def.hears_parent) child = child->next_sibling;
    if (child != NULL) return child;
    for (; at != root; at = at->parent) {
        ploy_events *sibling = at->next_sibling;
        while (sibling != NULL && !sibling->def.hears_parent) sibling = sibling->next_sibling;
        if (sibling != NULL) return sibling;
    }
    return NULL;
}

static ploy_events *events_above(const ploy_events *at) {
    return at->def.tells_parent ? at->parent : NULL;
}

bool ploy_events_wanted(const ploy_events *events, uint64_t code) {
    if (events == NULL) return false;
    for (const ploy_events *at = events; at != NULL; at = events_above(at)) {
        if (events_wanted_here(at, code)) return true;
    }
    const ploy_events *below = events_next_below(events, events);
    for (; below != NULL; below = events_next_below(events, below)) {
        if (events_wanted_here(below, code)) return true;
    }
    return false;
}

// ---- raising

static bool events_is_good(const ploy_event *event) {
    return event != NULL && event->size <= PLOY_EVENT_PAYLOAD &&
           ploy_is_finite_d(event->deadline) &&
           (!event->placed || ploy_vec3_is_finite(event->position));
}

static bool events_goes_later(const ploy_events *events) {
    return events->running && events->def.raised == PLOY_EVENTS_NEXT_RUN;
}

// Makes room for one more, wherever it will go: keeps (3).
static ploy_result events_make_room(ploy_events *events) {
    int32_t count = ployi_queue_count(&events->queue) + events->later.count + 1;
    if (count > events->def.limit) return PLOY_ERR_CAPACITY;
    if (count > ployi_queue_capacity(&events->queue)) {
        int32_t more = count + count / 2 + PLOY_CAPACITY(8);
        ploy_result result = ployi_queue_reserve(&events->queue, more);
        if (result != PLOY_OK) return result;
    }
    if (!events_goes_later(events) || events->later.count < events->later.capacity) return PLOY_OK;
    return ploy_array_reserve(&events->later, count + count / 2 + PLOY_CAPACITY(8));
}

ploy_result ployi_events_enqueue(ploy_events *events, const ploy_event *event) {
    bool fifo = events->def.order == PLOY_EVENTS_FIFO;
    // The higher priority is the lower rank; written so that the lowest priority does not wrap.
    return ployi_queue_push(&events->queue, fifo ? 0.0 : event->deadline,
                            fifo ? 0 : -1 - event->priority, event->order, event, NULL);
}

static void events_put(ploy_events *events, const ploy_event *event) {
    ploy_event copy = *event;
    copy.order = events->next_order++;
    copy.raised = events->now;
    ploy_result result = PLOY_OK;
    if (events_goes_later(events)) {
        result = ploy_array_push(&events->later, &copy);
    } else {
        result = ployi_events_enqueue(events, &copy);
    }
    PLOY_ASSERT(result == PLOY_OK); // there is room
    (void)result;
    int64_t waiting = ployi_queue_count(&events->queue) + events->later.count;
    events->counts.raised++;
    if (waiting > events->counts.most_waiting) events->counts.most_waiting = waiting;
    ployi_events_note(events, PLOY_EVENT_RAISED, &copy, ploy_agent_id_none(), PLOY_OK);
}

ploy_result ploy_events_raise(ploy_events *events, const ploy_event *event) {
    if (events == NULL || !events_is_good(event)) return PLOY_ERR_ARGUMENT;
    // Room everywhere first, then nothing can fail in the middle.
    ploy_result result = PLOY_OK;
    for (ploy_events *at = events; at != NULL && result == PLOY_OK; at = events_above(at)) {
        result = events_make_room(at);
    }
    ploy_events *below = events_next_below(events, events);
    for (; below != NULL && result == PLOY_OK; below = events_next_below(events, below)) {
        result = events_make_room(below);
    }
    if (result != PLOY_OK) return result;
    for (ploy_events *at = events; at != NULL; at = events_above(at)) events_put(at, event);
    below = events_next_below(events, events);
    for (; below != NULL; below = events_next_below(events, below)) events_put(below, event);
    return PLOY_OK;
}

ploy_result ploy_events_fire(ploy_events *events, const ploy_event *event, int32_t *notified) {
    if (events == NULL || !events_is_good(event)) return PLOY_ERR_ARGUMENT;
    if (events->depth >= events->def.depth) return PLOY_ERR_LIMIT;
    // The tree must hold still while listeners of its parts are called, so all of it counts as
    // delivering.
    for (ploy_events *at = events; at != NULL; at = events_above(at)) at->depth++;
    ploy_events *below = events_next_below(events, events);
    for (; below != NULL; below = events_next_below(events, below)) below->depth++;
    ploy_event copy = *event;
    int32_t count = 0;
    for (ploy_events *at = events; at != NULL; at = events_above(at)) {
        count += ployi_events_fire_here(at, &copy);
    }
    below = events_next_below(events, events);
    for (; below != NULL; below = events_next_below(events, below)) {
        count += ployi_events_fire_here(below, &copy);
    }
    for (ploy_events *at = events; at != NULL; at = events_above(at)) {
        at->depth--;
        ployi_events_sweep(at);
    }
    below = events_next_below(events, events);
    for (; below != NULL; below = events_next_below(events, below)) {
        below->depth--;
        ployi_events_sweep(below);
    }
    if (notified != NULL) *notified = count;
    return PLOY_OK;
}

#undef EVENTS_END
