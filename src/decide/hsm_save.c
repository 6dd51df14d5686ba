// A hierarchical machine's run-time state in a file, by the ids of its states and rules.
//
//     { "policy": "scxml", "changes": 7, "done": false, "odd": false, "active": ["work", "dig"],
//       "taken": ["tired"], "histories": { "last": ["dig"] }, "current": { "work": "dig" },
//       "insides": { "dig": { as ploy_nested_save writes it } },
//       "inner": [event], "outer": [event], "later": [{ "event": event, "id": "<id>", "due": 3 }] }
//
// Histories are of the policy scxml, the current inner states (the machine's own under "") of
// keep_inner. An event is its names' hashes and its message.
//
// "odd" tells of the oddity in hsm_run.c, two active children of one state, which is gone on with
// too if nothing was edited.
//
// Loading goes from the outermost state inward, as an exchange of the definition does
// (hsm_swap.c): an active state goes on if its id is known, its parent goes on and no sibling of it
// does; what the definition wants beside those that go on is entered.
#include "hsm_internal.h"

#include <string.h>

static const char *const hsm_save_policies[] = {"scxml", "keep_inner"};

static const char *hsm_save_id(const ploy_hsm *hsm, uint32_t number) {
    ploy_hsm_state state = {number};
    return ploy_hsm_type_id(hsm->type, state);
}

static void hsm_save_set(const ploy_hsm *hsm, const uint64_t *set, ploy_json_writer *out) {
    ploy_json_write_begin_row(out);
    for (uint32_t i = 1; i < (uint32_t)hsm->type->nodes.count; i++) {
        if (ployi_hsm_has(set, i)) ploy_json_write_text(out, hsm_save_id(hsm, i));
    }
    ploy_json_write_end_array(out);
}

// True if a sibling before an active child of a compound state is active too.
static bool hsm_save_is_second(const ploy_hsm *hsm, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    uint32_t above = ployi_hsm_node_at(type, number)->parent;
    if (ployi_hsm_node_at(type, above)->kind != PLOY_HSM_STATE) return false;
    for (uint32_t k = above + 1; k < number; k = ployi_hsm_node_at(type, k)->last + 1) {
        if (ployi_hsm_has(hsm->active, k)) return true;
    }
    return false;
}

static void hsm_save_hash(ploy_json_writer *out, uint64_t hash) {
    char text[PLOYI_SAVE_ID_SIZE];
    ployi_save_id(hash, text);
    ploy_json_write_text(out, text);
}

static void hsm_save_agent(ploy_json_writer *out, const char *key, ploy_agent_id agent) {
    ploy_json_write_key(out, key);
    ploy_json_write_begin_row(out);
    ploy_json_write_u64(out, agent.id.index);
    ploy_json_write_u64(out, agent.id.generation);
    ploy_json_write_end_array(out);
}

static void hsm_save_event(const ploy_hsm_event *event, ploy_json_writer *out) {
    const ploy_message *message = &event->message;
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "names");
    ploy_json_write_begin_row(out);
    for (int32_t i = 0; i < event->count; i++) hsm_save_hash(out, event->names[i].hash);
    ploy_json_write_end_array(out);
    ploy_json_write_key(out, "kind");
    hsm_save_hash(out, message->kind.hash);
    hsm_save_agent(out, "sender", message->sender);
    hsm_save_agent(out, "receiver", message->receiver);
    ployi_save_f64(out, "due", message->due);
    ployi_save_u64(out, "order", message->order);
    ployi_save_u64(out, "size", message->size);
    ploy_json_write_key(out, "payload");
    ployi_save_bytes(out, message->payload, sizeof message->payload);
    ploy_json_write_end_object(out);
}

static void hsm_save_queue(const ploy_hsm *hsm, const char *key, const ployi_hsm_queue *queue,
                           ploy_json_writer *out) {
    ploy_json_write_key(out, key);
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < queue->count; i++) {
        hsm_save_event(&queue->events[(queue->first + i) % hsm->type->def.queue], out);
    }
    ploy_json_write_end_array(out);
}

static void hsm_save_events(const ploy_hsm *hsm, ploy_json_writer *out) {
    hsm_save_queue(hsm, "inner", &hsm->inner, out);
    hsm_save_queue(hsm, "outer", &hsm->outer, out);
    ploy_json_write_key(out, "later");
    ploy_json_write_begin_array(out);
    for (int32_t i = 0; i < hsm->later_count; i++) {
        ploy_json_write_begin_object(out);
        ploy_json_write_key(out, "event");
        hsm_save_event(&hsm->later[i].event, out);
        ploy_json_write_key(out, "id");
        hsm_save_hash(out, hsm->later[i].id.hash);
        ployi_save_f64(out, "due", hsm->later[i].due);
        ploy_json_write_end_object(out);
    }
    ploy_json_write_end_array(out);
}

static void hsm_save_insides(const ploy_hsm *hsm, ploy_json_writer *out) {
    ploy_json_write_key(out, "insides");
    ploy_json_write_begin_object(out);
    for (uint32_t i = 1; i < (uint32_t)hsm->type->nodes.count; i++) {
        const ploy_nested *inside = ployi_hsm_inside(hsm, i);
        if (inside == NULL || !(inside->entered || ployi_hsm_has(hsm->active, i))) continue;
        ploy_json_write_key(out, hsm_save_id(hsm, i));
        ploy_nested_save(inside, out);
    }
    ploy_json_write_end_object(out);
}

// What is remembered of inner states, in the way of the policy.
static void hsm_save_memory(const ploy_hsm *hsm, ploy_json_writer *out) {
    bool keep = hsm->type->def.policy == PLOY_HSM_KEEP_INNER;
    ploy_json_write_key(out, keep ? "current" : "histories");
    ploy_json_write_begin_object(out);
    for (uint32_t i = 0; i < (uint32_t)hsm->type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(hsm->type, i);
        if (keep && hsm->current[i] != 0) {
            ployi_save_text(out, hsm_save_id(hsm, i), hsm_save_id(hsm, hsm->current[i]));
        } else if (!keep && node->history >= 0) {
            ploy_json_write_key(out, hsm_save_id(hsm, i));
            hsm_save_set(hsm, ployi_hsm_history(hsm, node), out);
        }
    }
    ploy_json_write_end_object(out);
}

void ployi_hsm_save(const void *self, ploy_json_writer *out) {
    const ploy_hsm *hsm = self;
    const ploy_hsm_type *type = hsm->type;
    ploy_json_write_begin_object(out);
    ployi_save_text(out, "policy", hsm_save_policies[type->def.policy == PLOY_HSM_KEEP_INNER]);
    ployi_save_u64(out, "changes", hsm->changes);
    ployi_save_bool(out, "done", hsm->done);
    bool odd = false;
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count && !odd; i++) {
        odd = ployi_hsm_has(hsm->active, i) && hsm_save_is_second(hsm, i);
    }
    ployi_save_bool(out, "odd", odd);
    ploy_json_write_key(out, "active");
    hsm_save_set(hsm, hsm->active, out);
    ploy_json_write_key(out, "taken");
    ploy_json_write_begin_row(out);
    for (int32_t i = 0; i < type->links.count; i++) {
        if (!ployi_hsm_has(hsm->taken, (uint32_t)i)) continue;
        ploy_json_write_text(out, ploy_hsm_type_rule_id(type, i));
    }
    ploy_json_write_end_array(out);
    hsm_save_memory(hsm, out);
    hsm_save_insides(hsm, out);
    hsm_save_events(hsm, out);
    ploy_json_write_end_object(out);
}

// ---- loading ----

// The state that a text names, or 0; never a history state.
static uint32_t hsm_load_find(const ploy_hsm *hsm, const char *id) {
    uint32_t number = ploy_hsm_type_find(hsm->type, id).number;
    bool real = number != 0 && ployi_hsm_node_at(hsm->type, number)->kind < PLOY_HSM_HISTORY;
    return real ? number : 0;
}

// Puts the states of a row into a set; those that are not known are told, if `why` says so.
// @return whether all of them are, and lie inside `top`.
static bool hsm_load_set(const ploy_hsm *hsm, const ploy_json *doc, ploy_json_node row,
                         uint32_t top, uint64_t *set, ploy_diags *diags, const char *why) {
    bool whole = true;
    for (int32_t i = 0; i < ploy_json_count(doc, row); i++) {
        ploy_json_node item = ploy_json_at(doc, row, i);
        const char *id = ploy_json_text(doc, item, NULL);
        uint32_t number = hsm_load_find(hsm, id);
        if (number != 0 && ployi_hsm_within(hsm->type, number, top)) {
            ployi_hsm_put(set, number);
            continue;
        }
        whole = false;
        if (why != NULL) ploy_behavior_lost(doc, item, diags, "state", id, why);
    }
    return whole;
}

static bool hsm_load_event(const ploy_json *doc, ploy_json_node saved, ploy_hsm_event *out) {
    ploy_hsm_event event;
    memset(&event, 0, sizeof event);
    ploy_json_node names = ploy_json_member(doc, saved, "names");
    event.count = ploy_json_count(doc, names);
    if (event.count < 1 || event.count > PLOY_HSM_EVENT_PARTS) return false;
    for (int32_t i = 0; i < event.count; i++) {
        if (!ployi_load_id(doc, ploy_json_at(doc, names, i), &event.names[i].hash)) return false;
    }
    ploy_message *message = &event.message;
    static const char *const keys[] = {"sender", "receiver"};
    ploy_agent_id *agents[] = {&message->sender, &message->receiver};
    for (int32_t i = 0; i < 2; i++) {
        ploy_json_node agent = ploy_json_member(doc, saved, keys[i]);
        uint64_t parts[2] = {0, 0};
        for (int32_t k = 0; k < 2; k++) {
            if (ploy_json_u64(doc, ploy_json_at(doc, agent, k), &parts[k]) != PLOY_OK ||
                parts[k] > UINT32_MAX) {
                return false;
            }
        }
        agents[i]->id.index = (uint32_t)parts[0];
        agents[i]->id.generation = (uint32_t)parts[1];
    }
    uint64_t size = 0;
    ployi_load_u64(doc, saved, "size", &size);
    ployi_load_u64(doc, saved, "order", &message->order);
    if (size > PLOY_MESSAGE_PAYLOAD || !ployi_load_f64(doc, saved, "due", &message->due) ||
        !ployi_load_id(doc, ploy_json_member(doc, saved, "kind"), &message->kind.hash) ||
        !ployi_load_bytes(doc, ploy_json_member(doc, saved, "payload"), message->payload,
                          sizeof message->payload)) {
        return false;
    }
    message->size = (uint32_t)size;
    *out = event;
    return true;
}

static void hsm_load_queue(ploy_hsm *hsm, const char *key, ployi_hsm_queue *queue,
                           const ploy_json *doc, ploy_json_node state, ploy_diags *diags) {
    ploy_json_node saved = ploy_json_member(doc, state, key);
    queue->first = queue->count = 0;
    for (int32_t i = 0; i < ploy_json_count(doc, saved); i++) {
        ploy_json_node item = ploy_json_at(doc, saved, i);
        bool room = queue->count < hsm->type->def.queue;
        if (room && hsm_load_event(doc, item, &queue->events[queue->count])) {
            queue->count++;
        } else {
            ploy_behavior_lost(doc, item, diags, "an event of the queue", key,
                               room ? "means nothing: dropped" : "has no room: dropped");
        }
    }
}

static void hsm_load_later(ploy_hsm *hsm, const ploy_json *doc, ploy_json_node state,
                           ploy_diags *diags) {
    ploy_json_node saved = ploy_json_member(doc, state, "later");
    hsm->later_count = 0;
    for (int32_t i = 0; i < ploy_json_count(doc, saved); i++) {
        ploy_json_node item = ploy_json_at(doc, saved, i);
        ployi_hsm_later later;
        memset(&later, 0, sizeof later);
        bool room = hsm->later_count < hsm->type->def.queue;
        // They lie sorted; one that does not fit in is none that was saved.
        if (room && hsm_load_event(doc, ploy_json_member(doc, item, "event"), &later.event) &&
            ployi_load_id(doc, ploy_json_member(doc, item, "id"), &later.id.hash) &&
            ployi_load_f64(doc, item, "due", &later.due) &&
            (hsm->later_count == 0 || later.due >= hsm->later[hsm->later_count - 1].due)) {
            hsm->later[hsm->later_count++] = later;
        } else {
            ploy_behavior_lost(doc, item, diags, "an event of the queue", "later",
                               room ? "means nothing: dropped" : "has no room: dropped");
        }
    }
}

// Drops active states that cannot be: whose parent is not, or beside a sibling of theirs. The
// policy scxml only; under keep_inner a state stays entered while another one is current.
static void hsm_load_prune(ploy_hsm *hsm, const ploy_json *doc, ploy_json_node row, bool odd,
                           ploy_diags *diags) {
    const ploy_hsm_type *type = hsm->type;
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        if (!ployi_hsm_has(hsm->active, i)) continue;
        uint32_t above = ployi_hsm_node_at(type, i)->parent;
        bool fits = above == 0 || ployi_hsm_has(hsm->active, above);
        if (fits && (odd || !hsm_save_is_second(hsm, i))) continue;
        ployi_hsm_drop(hsm->active, i);
        ploy_behavior_lost(doc, row, diags, "state", hsm_save_id(hsm, i),
                           "lies elsewhere now: is not gone on with");
    }
}

static void hsm_load_histories(ploy_hsm *hsm, const ploy_json *doc, ploy_json_node state,
                               ploy_diags *diags) {
    ploy_json_node saved = ploy_json_member(doc, state, "histories");
    for (int32_t i = 0; i < ploy_json_count(doc, saved); i++) {
        ploy_json_node item = ploy_json_at(doc, saved, i);
        const char *id = ploy_json_key(doc, item, NULL);
        const ployi_hsm_node *node =
            ployi_hsm_node_at(hsm->type, ploy_hsm_type_find(hsm->type, id).number);
        bool known = node->history >= 0; // the machine itself, for an unknown id, has none
        if (!known && ploy_json_count(doc, item) == 0) continue;
        if (known) {
            uint64_t *set = ployi_hsm_history(hsm, node);
            if (hsm_load_set(hsm, doc, item, node->parent, set, diags, NULL)) continue;
            memset(set, 0, (size_t)hsm->words * sizeof *set);
        }
        ploy_behavior_lost(doc, item, diags, "history", id,
                           known ? "remembers a state that is gone: forgets" : "is gone");
    }
}

// The inner states of keep_inner. @return whether the machine has an outermost one.
static bool hsm_load_current(ploy_hsm *hsm, const ploy_json *doc, ploy_json_node state,
                             ploy_diags *diags) {
    ploy_json_node saved = ploy_json_member(doc, state, "current");
    for (int32_t i = 0; i < ploy_json_count(doc, saved); i++) {
        ploy_json_node item = ploy_json_at(doc, saved, i);
        const char *outer = ploy_json_key(doc, item, NULL);
        const char *id = ploy_json_text(doc, item, NULL);
        uint32_t around = outer[0] == '\0' ? 0 : hsm_load_find(hsm, outer);
        uint32_t inner = hsm_load_find(hsm, id);
        bool known = (around != 0 || outer[0] == '\0') && inner != 0 &&
                     ployi_hsm_node_at(hsm->type, inner)->parent == around &&
                     ployi_hsm_has(hsm->active, inner);
        if (known) {
            hsm->current[around] = inner;
        } else {
            ploy_behavior_lost(doc, item, diags, "state", id,
                               "is gone: the first one beside it is entered");
        }
    }
    return hsm->current[0] != 0;
}

// The behaviors of the states that go on.
static void hsm_load_insides(ploy_hsm *hsm, ploy_step_context *context, const ploy_json *doc,
                             ploy_json_node state, ploy_diags *diags) {
    const ploy_hsm_type *type = hsm->type;
    ploy_json_node saved = ploy_json_member(doc, state, "insides");
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        ploy_nested *inside = ployi_hsm_inside(hsm, i);
        if (inside == NULL || !ployi_hsm_has(hsm->active, i)) continue;
        const char *id = hsm_save_id(hsm, i);
        ploy_json_node item = ploy_json_member(doc, saved, id);
        if (ploy_json_is_none(item)) {
            ployi_hsm_enter_inside(hsm, context, i);
            continue;
        }
        ployi_hsm_note(hsm, ploy_nested_load(inside, &hsm->env, id, context, doc, item, diags));
    }
}

static void hsm_load_taken(ploy_hsm *hsm, const ploy_json *doc, ploy_json_node state) {
    ploy_json_node taken = ploy_json_member(doc, state, "taken");
    for (int32_t i = 0; i < ploy_json_count(doc, taken); i++) {
        const char *id = ploy_json_text(doc, ploy_json_at(doc, taken, i), NULL);
        for (int32_t k = 0; k < hsm->type->links.count; k++) {
            if (strcmp(ploy_hsm_type_rule_id(hsm->type, k), id) == 0) {
                ployi_hsm_put(hsm->taken, (uint32_t)k);
            }
        }
    }
}

ploy_result ployi_hsm_load(void *self, ploy_step_context *context, const ploy_json *doc,
                           ploy_json_node state, ploy_diags *diags) {
    ploy_hsm *hsm = self;
    const ploy_hsm_type *type = hsm->type;
    if (hsm->started) return PLOY_ERR_STATE;
    bool keep = type->def.policy == PLOY_HSM_KEEP_INNER;
    ploy_json_node policy = ploy_json_member(doc, state, "policy");
    const char *text = ploy_json_text(doc, policy, NULL);
    ployi_hsm_clear(hsm);
    bool same = strcmp(text, hsm_save_policies[keep]) == 0;
    if (!same) {
        ploy_behavior_lost(doc, policy, diags, "a machine of the policy", text,
                           "stood here: restarts");
        return ploy_behavior_enter(ploy_hsm_behavior(hsm), context);
    }
    ploy_json_node active = ploy_json_member(doc, state, "active");
    bool whole = hsm_load_set(hsm, doc, active, 0, hsm->active, diags, "is gone");
    bool some = keep ? hsm_load_current(hsm, doc, state, diags) : true;
    if (!keep) {
        bool odd = whole && ployi_load_bool(doc, state, "odd");
        hsm_load_prune(hsm, doc, active, odd, diags);
        some = false;
        for (int32_t i = 0; i < hsm->words; i++) some = some || hsm->active[i] != 0;
    }
    if (!some) {
        ploy_behavior_lost(doc, active, diags, "the machine", "hierarchical machine",
                           "was in no state that is left: restarts");
        return ploy_behavior_enter(ploy_hsm_behavior(hsm), context);
    }
    hsm->started = true;
    hsm->done = whole && ployi_load_bool(doc, state, "done");
    hsm->result = PLOY_OK;
    ployi_load_u64(doc, state, "changes", &hsm->changes);
    hsm_load_taken(hsm, doc, state);
    if (!keep) hsm_load_histories(hsm, doc, state, diags);
    hsm_load_queue(hsm, "inner", &hsm->inner, doc, state, diags);
    hsm_load_queue(hsm, "outer", &hsm->outer, doc, state, diags);
    hsm_load_later(hsm, doc, state, diags);
    hsm->busy = true;
    hsm_load_insides(hsm, context, doc, state, diags);
    if (!keep) ployi_hsm_fill(hsm, context);
    hsm->busy = false;
    return hsm->result;
}
