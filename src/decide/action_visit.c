// The actions of a character: what they show of themselves, and what is in their file, by the names
// of the book's actions and parts.
//
//     { "asked": 7,
//       "active": [{ "action": "pull lever", "priority": 2, "queued": 1.5, "expiry": 9, "order": 4,
//                    "source": "8f...", "target": [1, 2], "style": "0...", "token": 15,
//                    "position": [1, 0, 2], "reach": 0.5, "parameters": [0, 0, 0, 0],
//                    "parts": [{ "part": "pull lever", "state": "running" },
//                              { "part": "walk", "state": "done", "seconds": 2.5 }] }],
//       "queue": [{ ... }] }
//
// Parts are in the order of the book, those that have not begun are left out.
#include <float.h>
#include <math.h>
#include <string.h>

#include "action_internal.h"

#include "decide/decide_internal.h"
#include "ploy/base/math.h"

static const char *manager_visit_part_state(int32_t state) {
    static const char *const states[] = {"idle", "running", "done", "failed"};
    return states[state];
}

// A name that the file leaves out if it is none.
static void manager_visit_name(ploy_visit *v, const char *key, ploy_name *name) {
    PLOY_VISIT_SCRATCH(v, *name); // visited if there is one
    if (ploy_visit_optional(v, key, !ploy_name_is_none(*name))) {
        ploy_visit_hex64(v, key, PLOY_SAVED, &name->hash);
    }
}

// The agent is the manager's, kind and flags follow from the action.
static void manager_visit_request(ploy_visit *v, ploy_action_request *request) {
    if (v->describe != NULL) {
        ploy_action_request_describe(request, "request", PLOY_STATE, v->describe);
    }
    PLOY_VISIT_SCRATCH(v, request->agent);
    PLOY_VISIT_SCRATCH(v, request->kind);
    PLOY_VISIT_SCRATCH(v, request->flags);
    manager_visit_name(v, "style", &request->style);
    ploy_visit_u64(v, "token", PLOY_SAVED, &request->token);
    (void)ploy_visit_fixed(v, "target", PLOY_SAVED, 2);
    ploy_visit_u32(v, "index", PLOY_SAVED, &request->target.index);
    ploy_visit_u32(v, "generation", PLOY_SAVED, &request->target.generation);
    ploy_visit_end(v);
    ploy_visit_vec3(v, "position", PLOY_SAVED, &request->position.x, &request->position.y,
                    &request->position.z);
    ploy_visit_f32_in(v, "reach", PLOY_SAVED, &request->reach, 0.0f, FLT_MAX);
    float *p = request->parameters;
    ploy_visit_vec4(v, "parameters", PLOY_SAVED, &p[0], &p[1], &p[2], &p[3]);
    int64_t effect = 0;
    PLOY_VISIT_SCRATCH(v, request->effect);
    if (ploy_visit_packed(v, "effect", PLOY_SAVED, request->effect, 0, PLOY_ACTION_EFFECT_COUNT - 1,
                          &effect)) {
        ploy_action_effect read = (ploy_action_effect)effect;
        PLOY_VISIT_WRITE(v, request->effect, read);
    }
}

static void manager_describe_parts(const ploy_action_manager *manager, int32_t index,
                                   ploy_describe *out) {
    int32_t action = manager->entries[index].action;
    const ployi_action_manager_part *parts = ployi_action_manager_parts(manager, index);
    int32_t first = ployi_action_entry_at(manager->book, action)->node;
    for (int32_t i = 0; i < ployi_action_book_parts(manager->book, action); i++) {
        if (parts[i].state == PLOYI_ACTION_PART_IDLE) continue;
        ploy_describe_begin(out, ployi_action_node_at(manager->book, first + i)->part.name);
        ploy_describe_text(out, "state", PLOY_STATE, manager_visit_part_state(parts[i].state));
        ploy_describe_id(out, "id", PLOY_STATE, parts[i].id.id);
        ploy_describe_f32(out, "seconds", PLOY_STATE, parts[i].seconds);
        ploy_describe_end(out);
    }
}

// A part of the open list. False if the book has another part there.
static bool manager_load_part(ploy_visit *v, ploy_action_manager *manager, int32_t index) {
    int32_t action = manager->entries[index].action;
    int32_t first = ployi_action_entry_at(manager->book, action)->node;
    int64_t place = -1;
    const char *name = ploy_visit_peek(v, "part"), *state = ploy_visit_peek(v, "state");
    if (!ploy_visit_packed(v, "place", PLOY_SAVED, 0, 0,
                           ployi_action_book_parts(manager->book, action) - 1, &place)) {
        return false;
    }
    const ployi_action_node *node = ployi_action_node_at(manager->book, first + (int32_t)place);
    if (strcmp(node->part.name, name) != 0) return false;
    ployi_action_manager_part *part = &ployi_action_manager_parts(manager, index)[place];
    // A compound that runs is one whose parts are looked at; the body knows only single ones.
    if (strcmp(state, manager_visit_part_state(PLOYI_ACTION_PART_DONE)) == 0) {
        part->state = PLOYI_ACTION_PART_DONE;
        ploy_visit_f32(v, "seconds", PLOY_SAVED, &part->seconds);
    } else if (node->join >= 0) {
        part->state = PLOYI_ACTION_PART_RUNS;
    }
    return true;
}

// Parts that were done stay so; those that ran are requested again. A book whose parts have other
// names or places begins the action again, which is reported.
static void manager_visit_parts(ploy_visit *v, ploy_action_manager *manager, int32_t index) {
    int32_t action = manager->entries[index].action;
    ployi_action_manager_part *parts = ployi_action_manager_parts(manager, index);
    int32_t first = ployi_action_entry_at(manager->book, action)->node;
    if (v->describe != NULL) manager_describe_parts(manager, index, v->describe);
    int32_t count = ploy_visit_count(v, "parts", PLOY_SAVED, 0, INT32_MAX);
    bool known = true;
    for (int32_t i = 0; i < count && ploy_visit_loads(v); i++) {
        ploy_visit_begin_item(v, i, PLOY_SAVED);
        known = known && manager_load_part(v, manager, index);
        ploy_visit_end(v);
    }
    for (int32_t i = 0; i < ployi_action_book_parts(manager->book, action); i++) {
        int64_t unread = 0;
        if (v->mode != PLOY_VISIT_SAVE || parts[i].state == PLOYI_ACTION_PART_IDLE) continue;
        ploy_visit_begin_item(v, i, PLOY_SAVED);
        ploy_json_writer *json = ploy_visit_writer(v, "part");
        ploy_json_write_text(json, ployi_action_node_at(manager->book, first + i)->part.name);
        (void)ploy_visit_packed(v, "place", PLOY_SAVED, i, 0, INT32_MAX, &unread);
        json = ploy_visit_writer(v, "state");
        ploy_json_write_text(json, manager_visit_part_state(parts[i].state));
        ploy_visit_f32(v, "seconds", PLOY_SAVED, &parts[i].seconds);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    if (known) return;
    memset(parts, 0, (size_t)manager->def.parts * sizeof *parts);
    ploy_visit_lost(v, "action", ploy_action_book_name(manager->book, action),
                    "has other parts now: it begins again");
}

static void manager_visit_entry(ploy_visit *v, ploy_action_manager *manager, int32_t index) {
    ployi_action_manager_entry *entry = &manager->entries[index];
    ploy_visit_struct(v, "action", entry, sizeof *entry);
    PLOY_VISIT_SCRATCH(v, entry->action); // by its name
    PLOY_VISIT_SCRATCH(v, entry->state);  // by its list
    PLOY_VISIT_SCRATCH(v, entry->generation);
    PLOY_VISIT_SCRATCH(v, entry->expiry); // visited if there is one
    ploy_describe_text(v->describe, "action", PLOY_NOTE,
                       ploy_action_book_name(manager->book, entry->action));
    ploy_visit_f32(v, "priority", PLOY_STATE, &entry->priority);
    ploy_visit_f64(v, "queued", PLOY_STATE, &entry->queued);
    ploy_describe_f64(v->describe, "expiry", PLOY_STATE, entry->expiry);
    if (ploy_visit_optional(v, "expiry", ploy_is_finite_d(entry->expiry))) {
        ploy_visit_f64(v, "expiry", PLOY_SAVED, &entry->expiry);
    }
    ploy_describe_name(v->describe, "source", PLOY_STATE, entry->source);
    manager_visit_name(v, "source", &entry->source);
    ploy_visit_u64(v, "order", PLOY_STATE, &entry->order);
    manager_visit_request(v, &entry->request);
    manager_visit_parts(v, manager, index);
}

// Makes an entry for the open item and loads it.
static void manager_load_entry(ploy_visit *v, ploy_action_manager *manager, bool active) {
    const char *name = ploy_visit_peek(v, "action");
    int32_t action = ploy_action_book_find(manager->book, ploy_name_of(name));
    int32_t *count = active ? &manager->active_count : &manager->queue_count;
    bool room = *count < (active ? manager->def.active : manager->def.queue);
    if (action < 0 || !room) {
        ploy_visit_lost(v, "action", name,
                        action < 0 ? "no longer exists: it is dropped"
                                   : "has no room: it is dropped");
        return;
    }
    int32_t index = 0; // there are as many entries as fit into both lists, so one is free
    while (manager->entries[index].state != PLOY_ACTION_UNKNOWN) index++;
    ployi_action_manager_entry *entry = &manager->entries[index];
    uint32_t generation = entry->generation;
    memset(entry, 0, sizeof *entry);
    entry->generation = generation;
    entry->request = ploy_action_request_make(manager->agent, ploy_name_of(name), PLOY_ACTION_MOVE);
    entry->action = action;
    entry->state = active ? PLOY_ACTION_ACTING : PLOY_ACTION_WAITING;
    entry->expiry = (double)INFINITY;
    manager_visit_entry(v, manager, index);
    ployi_action_manager_insert(manager, active ? manager->active : manager->queue, count, index);
}

static void manager_visit_list(ploy_visit *v, ploy_action_manager *manager, bool active) {
    const int32_t *list = active ? manager->active : manager->queue;
    int32_t now = active ? manager->active_count : manager->queue_count;
    int32_t count = ploy_visit_count(v, active ? "active" : "queue", PLOY_STATE, now, INT32_MAX);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        if (ploy_visit_loads(v)) {
            manager_load_entry(v, manager, active);
        } else {
            ploy_json_writer *json = ploy_visit_writer(v, "action");
            int32_t action = manager->entries[list[i]].action;
            if (json != NULL) {
                ploy_json_write_text(json, ploy_action_book_name(manager->book, action));
            }
            manager_visit_entry(v, manager, list[i]);
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

static void manager_describe_log(const ploy_action_manager *manager, ploy_describe *out) {
    ploy_describe_begin(out, "log");
    for (int32_t i = 0; i < ploy_action_manager_event_count(manager); i++) {
        ploy_action_event event;
        ploy_action_manager_event(manager, i, &event);
        int32_t action = ploy_action_book_find(manager->book, event.action);
        ploy_describe_begin_item(out, i);
        ploy_describe_text(out, "action", PLOY_NOTE, ploy_action_book_name(manager->book, action));
        ploy_describe_text(out, "event", PLOY_NOTE, ploy_action_event_text(event.kind));
        ploy_describe_f64(out, "now", PLOY_NOTE, event.now);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

void ploy_action_manager_visit(ploy_visit *v, void *object) {
    ploy_action_manager *manager = object;
    if (ploy_visit_loads(v)) {
        bool busy = manager->queue_count > 0 || manager->active_count > 0;
        if (!ploy_visit_result(v, busy ? PLOY_ERR_STATE : PLOY_OK)) return;
    }
    ploy_visit_block(v, "action manager", manager, manager->size);
    ploy_visit_struct(v, "action manager", manager, sizeof *manager);
    PLOY_VISIT_SCRATCH(v, manager->env);
    PLOY_VISIT_SCRATCH(v, manager->book);
    PLOY_VISIT_SCRATCH(v, manager->size);
    PLOY_VISIT_SCRATCH(v, manager->def);
    PLOY_VISIT_SCRATCH(v, manager->agent);
    PLOY_VISIT_SCRATCH(v, manager->events);      // the log is a note
    PLOY_VISIT_SCRATCH(v, manager->queue_count); // the lengths of lists
    PLOY_VISIT_SCRATCH(v, manager->active_count);
    PLOY_VISIT_SCRATCH(v, manager->entries);
    PLOY_VISIT_SCRATCH(v, manager->parts);
    PLOY_VISIT_SCRATCH(v, manager->log);
    PLOY_VISIT_SCRATCH(v, manager->queue);
    PLOY_VISIT_SCRATCH(v, manager->active);
    manager_visit_list(v, manager, true);
    manager_visit_list(v, manager, false);
    ploy_visit_u64(v, "asked", PLOY_STATE, &manager->asked);
    if (v->describe != NULL) manager_describe_log(manager, v->describe);
}

void ploy_action_manager_describe(const ploy_action_manager *manager, ploy_describe *out) {
    ploy_visit_describe(ploy_action_manager_visit, manager, NULL, out);
}
