// The actions of a character in a file, by the names of the book's actions and parts.
//
//     { "asked": 7,
//       "active": [{ "action": "pull lever", "priority": 2, "queued": 1.5, "expiry": 9, "order": 4,
//                    "source": "8f...", "target": [1, 2], "style": "0...", "token": 15,
//                    "position": [1, 0, 2], "reach": 0.5, "parameters": [0, 0, 0, 0],
//                    "parts": [{ "part": "pull lever", "state": "running" },
//                              { "part": "walk", "state": "done", "seconds": 2.5 }] }],
//       "queue": [{ ... }] }
//
// Parts stand in the order of the book, those that have not begun are left out.
#include <string.h>

#include "action_internal.h"
#include "ploy/base/math.h"

static const char *const action_save_states[] = {"idle", "running", "done", "failed"};

static void action_save_name(ploy_json_writer *out, const char *key, ploy_name name) {
    char id[PLOYI_SAVE_ID_SIZE];
    if (ploy_name_is_none(name)) return;
    ployi_save_id(name.hash, id);
    ployi_save_text(out, key, id);
}

static void action_save_floats(ploy_json_writer *out, const char *key, const float *values,
                               int32_t count) {
    ploy_json_write_key(out, key);
    ploy_json_write_begin_row(out);
    for (int32_t i = 0; i < count; i++) ploy_json_write_f64(out, (double)values[i]);
    ploy_json_write_end_array(out);
}

static void action_save_parts(const ploy_action_manager *manager, int32_t index,
                              ploy_json_writer *out) {
    const ployi_action_manager_entry *entry = &manager->entries[index];
    const ployi_action_manager_part *parts = ployi_action_manager_parts(manager, index);
    int32_t first = ployi_action_entry_at(manager->book, entry->action)->node;
    ploy_json_write_key(out, "parts");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < ploy_action_book_parts(manager->book, entry->action); i++) {
        if (parts[i].state == PLOYI_ACTION_PART_IDLE) continue;
        ploy_json_write_begin_object(out);
        ployi_save_text(out, "part", ployi_action_node_at(manager->book, first + i)->part.name);
        ployi_save_u64(out, "place", (uint64_t)i);
        ployi_save_text(out, "state", action_save_states[parts[i].state]);
        ployi_save_f64(out, "seconds", (double)parts[i].seconds);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_array(out);
}

static void action_save_list(const ploy_action_manager *manager, const char *key,
                             const int32_t *list, int32_t count, ploy_json_writer *out) {
    ploy_json_write_key(out, key);
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < count; i++) {
        const ployi_action_manager_entry *entry = &manager->entries[list[i]];
        const ploy_action_request *request = &entry->request;
        const float position[3] = {request->position.x, request->position.y, request->position.z};
        ploy_json_write_begin_object(out);
        ployi_save_text(out, "action", ploy_action_book_name(manager->book, entry->action));
        ployi_save_f64(out, "priority", (double)entry->priority);
        ployi_save_f64(out, "queued", entry->queued);
        if (ploy_is_finite_d(entry->expiry)) ployi_save_f64(out, "expiry", entry->expiry);
        ployi_save_u64(out, "order", entry->order);
        action_save_name(out, "source", entry->source);
        action_save_name(out, "style", request->style);
        ployi_save_u64(out, "token", request->token);
        ploy_json_write_key(out, "target");
        ploy_json_write_begin_row(out);
        ploy_json_write_u64(out, request->target.index);
        ploy_json_write_u64(out, request->target.generation);
        ploy_json_write_end_array(out);
        action_save_floats(out, "position", position, 3);
        ployi_save_f64(out, "reach", (double)request->reach);
        action_save_floats(out, "parameters", request->parameters, 4);
        ployi_save_u64(out, "effect", (uint64_t)request->effect);
        action_save_parts(manager, list[i], out);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_array(out);
}

void ploy_action_manager_save(const ploy_action_manager *manager, ploy_json_writer *out) {
    ploy_json_write_begin_object(out);
    ployi_save_u64(out, "asked", manager->asked);
    action_save_list(manager, "active", manager->active, manager->active_count, out);
    action_save_list(manager, "queue", manager->queue, manager->queue_count, out);
    ploy_json_write_end_object(out);
}

// ---- loading ----

static float action_load_float(const ploy_json *doc, ploy_json_node node) {
    double value = 0.0;
    if (ploy_json_f64(doc, node, &value) != PLOY_OK) return 0.0f;
    return ploy_is_finite((float)value) ? (float)value : 0.0f;
}

static uint32_t action_load_u32(const ploy_json *doc, ploy_json_node node) {
    uint64_t value = 0;
    (void)ploy_json_u64(doc, node, &value);
    return value <= UINT32_MAX ? (uint32_t)value : 0;
}

static void action_load_request(const ploy_json *doc, ploy_json_node item,
                                ploy_action_request *request) {
    ploy_json_node target = ploy_json_member(doc, item, "target");
    ploy_json_node position = ploy_json_member(doc, item, "position");
    ploy_json_node parameters = ploy_json_member(doc, item, "parameters");
    uint64_t effect = 0;
    (void)ployi_load_id(doc, ploy_json_member(doc, item, "style"), &request->style.hash);
    ployi_load_u64(doc, item, "token", &request->token);
    ployi_load_u64(doc, item, "effect", &effect);
    if (effect < PLOY_ACTION_EFFECT_COUNT) request->effect = (ploy_action_effect)effect;
    request->target.index = action_load_u32(doc, ploy_json_at(doc, target, 0));
    request->target.generation = action_load_u32(doc, ploy_json_at(doc, target, 1));
    request->position.x = action_load_float(doc, ploy_json_at(doc, position, 0));
    request->position.y = action_load_float(doc, ploy_json_at(doc, position, 1));
    request->position.z = action_load_float(doc, ploy_json_at(doc, position, 2));
    request->reach = action_load_float(doc, ploy_json_member(doc, item, "reach"));
    if (request->reach < 0.0f) request->reach = 0.0f;
    for (int32_t i = 0; i < 4; i++) {
        request->parameters[i] = action_load_float(doc, ploy_json_at(doc, parameters, i));
    }
}

// Parts that were done stay so; those that ran are asked for again. A book whose parts have other
// names or places begins the action again, which is reported.
static void action_load_parts(ploy_action_manager *manager, int32_t index, const ploy_json *doc,
                              ploy_json_node item, ploy_diags *diags) {
    int32_t action = manager->entries[index].action;
    int32_t first = ployi_action_entry_at(manager->book, action)->node;
    ployi_action_manager_part *parts = ployi_action_manager_parts(manager, index);
    ploy_json_node saved = ploy_json_member(doc, item, "parts");
    bool known = true;
    for (int32_t i = 0; i < ploy_json_count(doc, saved); i++) {
        ploy_json_node part = ploy_json_at(doc, saved, i);
        uint64_t place = UINT64_MAX;
        ployi_load_u64(doc, part, "place", &place);
        const char *name = ploy_json_text(doc, ploy_json_member(doc, part, "part"), NULL);
        const char *state = ploy_json_text(doc, ploy_json_member(doc, part, "state"), NULL);
        const ployi_action_node *node =
            place < (uint64_t)ploy_action_book_parts(manager->book, action)
                ? ployi_action_node_at(manager->book, first + (int32_t)place)
                : NULL;
        if (node == NULL || strcmp(node->part.name, name) != 0) {
            known = false;
            break;
        }
        ployi_action_manager_part *made = &parts[place];
        bool done = strcmp(state, action_save_states[PLOYI_ACTION_PART_DONE]) == 0;
        // A compound that runs is one whose parts are looked at; the body knows only single ones.
        if (done) made->state = PLOYI_ACTION_PART_DONE;
        if (!done && node->join >= 0) made->state = PLOYI_ACTION_PART_RUNS;
        if (done) made->seconds = action_load_float(doc, ploy_json_member(doc, part, "seconds"));
    }
    if (known) return;
    memset(parts, 0, (size_t)manager->def.parts * sizeof *parts);
    ploy_behavior_lost(doc, item, diags, "action", ploy_action_book_name(manager->book, action),
                       "has other parts now: it begins again");
}

static void action_load_list(ploy_action_manager *manager, bool active, const ploy_json *doc,
                             ploy_json_node saved, ploy_diags *diags) {
    for (int32_t i = 0; i < ploy_json_count(doc, saved); i++) {
        ploy_json_node item = ploy_json_at(doc, saved, i);
        const char *name = ploy_json_text(doc, ploy_json_member(doc, item, "action"), NULL);
        int32_t action = ploy_action_book_find(manager->book, ploy_name_of(name));
        int32_t *count = active ? &manager->active_count : &manager->queue_count;
        bool room = *count < (active ? manager->def.active : manager->def.queue);
        if (action < 0 || !room) {
            ploy_behavior_lost(doc, item, diags, "action", name,
                               action < 0 ? "is gone: it is dropped"
                                          : "has no room: it is dropped");
            continue;
        }
        int32_t index = 0; // there are as many entries as fit into both lists, so one is free
        while (manager->entries[index].state != PLOY_ACTION_UNKNOWN) index++;
        ployi_action_manager_entry *entry = &manager->entries[index];
        uint32_t generation = entry->generation;
        memset(entry, 0, sizeof *entry);
        entry->generation = generation;
        entry->request =
            ploy_action_request_make(manager->agent, ploy_name_of(name), PLOY_ACTION_MOVE);
        action_load_request(doc, item, &entry->request);
        entry->action = action;
        entry->state = active ? PLOY_ACTION_ACTING : PLOY_ACTION_WAITING;
        entry->priority = action_load_float(doc, ploy_json_member(doc, item, "priority"));
        entry->expiry = (double)INFINITY;
        (void)ployi_load_f64(doc, item, "queued", &entry->queued);
        (void)ployi_load_f64(doc, item, "expiry", &entry->expiry);
        ployi_load_u64(doc, item, "order", &entry->order);
        (void)ployi_load_id(doc, ploy_json_member(doc, item, "source"), &entry->source.hash);
        if (active) action_load_parts(manager, index, doc, item, diags);
        ployi_action_manager_insert(manager, active ? manager->active : manager->queue, count,
                                    index);
    }
}

ploy_result ploy_action_manager_load(ploy_action_manager *manager, const ploy_json *doc,
                                     ploy_json_node saved, ploy_diags *diags) {
    if (manager == NULL || doc == NULL) return PLOY_ERR_ARGUMENT;
    if (manager->queue_count > 0 || manager->active_count > 0) return PLOY_ERR_STATE;
    ployi_load_u64(doc, saved, "asked", &manager->asked);
    action_load_list(manager, true, doc, ploy_json_member(doc, saved, "active"), diags);
    action_load_list(manager, false, doc, ploy_json_member(doc, saved, "queue"), diags);
    return PLOY_OK;
}
