// A hierarchical machine's run-time state: what it shows of itself, and what is in its file, by the
// ids of its states and rules.
//
//     { "policy": "scxml", "changes": 7, "done": false, "odd": false, "active": ["work", "dig"],
//       "taken": ["tired"], "histories": { "last": ["dig"] }, "current": { "work": "dig" },
//       "insides": { "dig": { as ploy_nested_save writes it } },
//       "inner": [event], "outer": [event], "later": [{ "event": event, "id": "<id>", "due": 3 }] }
//
// Histories are of the policy scxml, the current inner states (the machine's own under "") of
// keep_inner. An event is its names' hashes and its message.
//
// "odd" is the oddity in hsm_run.c, two active children of one state, which is gone on with
// too if nothing was edited.
//
// Loading goes from the outermost state inward, as an exchange of the definition does
// (hsm_swap.c): an active state goes on if its id is known, its parent goes on and no sibling of it
// does; what the definition requires beside those that go on is entered.
#include "hsm_internal.h"

#include "decide/decide_internal.h"

#include <float.h>
#include <string.h>

static const char *const hsm_visit_policies[] = {"scxml", "keep_inner"};

static const char *hsm_visit_id(const ploy_hsm *hsm, uint32_t number) {
    ploy_hsm_state state = {number};
    return ploy_hsm_type_id(hsm->type, state);
}

// True if a sibling before an active child of a compound state is active too.
static bool hsm_visit_is_second(const ploy_hsm *hsm, uint32_t number) {
    const ploy_hsm_type *type = hsm->type;
    uint32_t above = ployi_hsm_node_at(type, number)->parent;
    if (ployi_hsm_node_at(type, above)->kind != PLOY_HSM_STATE) return false;
    for (uint32_t k = above + 1; k < number; k = ployi_hsm_node_at(type, k)->last + 1) {
        if (ployi_hsm_has(hsm->active, k)) return true;
    }
    return false;
}

static const char *hsm_visit_text(const void *user, uint32_t number) {
    ploy_hsm_state state = {number};
    return ploy_hsm_type_id(user, state);
}

// The state that a text names, or 0; never a history state.
static uint32_t hsm_visit_find(const ploy_hsm *hsm, const char *id) {
    uint32_t number = ploy_hsm_type_find(hsm->type, id).number;
    bool real = number != 0 && ployi_hsm_node_at(hsm->type, number)->kind < PLOY_HSM_HISTORY;
    return real ? number : 0;
}

// A set of states as a list of ids. In a load, those that are not known are reported, if `why` says so.
// @return whether all of them are, and lie inside `top`.
static bool hsm_visit_set(ploy_visit *v, ploy_hsm *hsm, const char *key, uint64_t *set,
                          uint32_t top, const char *why) {
    size_t size = (size_t)hsm->words * sizeof *set;
    bool whole = true;
    int32_t count = ploy_visit_count(v, key, PLOY_SAVED, 0, INT32_MAX);
    for (uint32_t i = 1; i < (uint32_t)hsm->type->nodes.count; i++) {
        ploy_json_writer *json = ployi_hsm_has(set, i) ? ploy_visit_writer(v, "state") : NULL;
        if (json != NULL) ploy_json_write_text(json, hsm_visit_id(hsm, i));
    }
    if (ploy_visit_loads(v)) ploy_visit_write(v, set, set, size);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) memset(set, 0, size);
    for (int32_t i = 0; i < count && ploy_visit_loads(v); i++) {
        const ploy_json *doc = NULL;
        ploy_json_node node;
        if (!ploy_visit_reader(v, "state", &doc, &node, NULL)) break;
        const char *id = ploy_json_text(doc, node, NULL);
        uint32_t number = hsm_visit_find(hsm, id);
        if (number != 0 && ployi_hsm_within(hsm->type, number, top)) {
            if (ploy_visit_is_ok(v)) ployi_hsm_put(set, number);
            continue;
        }
        whole = false;
        if (why != NULL) ploy_visit_lost(v, "state", id, why);
    }
    ploy_visit_end(v);
    return whole;
}

// ---- events ----

static void hsm_visit_agent(ploy_visit *v, const char *key, ploy_agent_id *agent) {
    (void)ploy_visit_fixed(v, key, PLOY_SAVED, 2);
    ploy_visit_u32(v, "index", PLOY_SAVED, &agent->id.index);
    ploy_visit_u32(v, "generation", PLOY_SAVED, &agent->id.generation);
    ploy_visit_end(v);
}

// The members of an event in the open group. False if a load has no event there.
static bool hsm_visit_event(ploy_visit *v, ploy_hsm_event *event) {
    ploy_message *message = &event->message;
    if (v->describe != NULL) ploy_message_describe(message, "event", PLOY_STATE, v->describe);
    int32_t count = ploy_visit_list(v, "names", PLOY_SAVED, &event->count, PLOY_HSM_EVENT_PARTS);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_hex64(v, "name", PLOY_SAVED, &event->names[i].hash);
    }
    ploy_visit_end(v);
    ploy_visit_hex64(v, "kind", PLOY_SAVED, &message->kind.hash);
    hsm_visit_agent(v, "sender", &message->sender);
    hsm_visit_agent(v, "receiver", &message->receiver);
    ploy_visit_f64(v, "due", PLOY_SAVED, &message->due);
    ploy_visit_u64(v, "order", PLOY_SAVED, &message->order);
    ploy_visit_u32_in(v, "size", PLOY_SAVED, &message->size, 0, PLOY_MESSAGE_PAYLOAD);
    bool payload =
        ploy_visit_bytes(v, "payload", PLOY_SAVED, message->payload, sizeof message->payload);
    return event->count >= 1 && payload;
}

static void hsm_visit_queue(ploy_visit *v, ploy_hsm *hsm, const char *key, const char *name,
                            ployi_hsm_queue *queue) {
    ploy_hsm_event blank;
    memset(&blank, 0, sizeof blank);
    int32_t room = hsm->type->def.queue, kept = 0, start = 0;
    ploy_visit_key(v, key);
    int32_t count = ploy_visit_count(v, name, PLOY_STATE, queue->count,
                                     ploy_visit_tolerates(v) ? INT32_MAX : room);
    if (ploy_visit_loads(v)) PLOY_VISIT_WRITE(v, queue->first, start);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        if (kept == room) { // only in a load
            ploy_visit_lost(v, "an event of the queue", key, "has no room: dropped");
            ploy_visit_end(v);
            continue;
        }
        ploy_hsm_event *event = &queue->events[(queue->first + kept) % room];
        ploy_visit_write(v, event, &blank, sizeof blank);
        if (hsm_visit_event(v, event)) {
            kept++;
        } else {
            ploy_visit_lost(v, "an event of the queue", key, "means nothing: dropped");
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    PLOY_VISIT_WRITE(v, queue->count, kept);
}

// Events for later are sorted by the time at which they are due.
static void hsm_visit_later(ploy_visit *v, ploy_hsm *hsm) {
    ployi_hsm_later blank;
    memset(&blank, 0, sizeof blank);
    int32_t room = hsm->type->def.queue, kept = 0;
    int32_t count = ploy_visit_count(v, "later", PLOY_STATE, hsm->later_count,
                                     ploy_visit_tolerates(v) ? INT32_MAX : room);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_begin_item(v, i, PLOY_STATE);
        if (kept == room) { // only in a load
            ploy_visit_lost(v, "an event of the queue", "later", "has no room: dropped");
            ploy_visit_end(v);
            continue;
        }
        ployi_hsm_later *later = &hsm->later[kept];
        ploy_visit_write(v, later, &blank, sizeof blank);
        ploy_visit_f64(v, "due", PLOY_STATE, &later->due);
        ploy_visit_hex64(v, "id", PLOY_STATE, &later->id.hash);
        ploy_visit_key(v, "event");
        ploy_visit_begin(v, "event", PLOY_SAVED);
        bool fits = hsm_visit_event(v, &later->event);
        ploy_visit_end(v);
        if (fits && (kept == 0 || later->due >= hsm->later[kept - 1].due)) {
            kept++;
        } else {
            ploy_visit_lost(v, "an event of the queue", "later", "means nothing: dropped");
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    PLOY_VISIT_WRITE(v, hsm->later_count, kept);
}

// ---- states ----

// Drops active states that cannot be: whose parent is not, or beside a sibling of theirs. The
// policy scxml only; under keep_inner a state stays entered while another one is current.
static void hsm_visit_prune(ploy_visit *v, ploy_hsm *hsm, bool odd) {
    const ploy_hsm_type *type = hsm->type;
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        if (!ployi_hsm_has(hsm->active, i)) continue;
        uint32_t above = ployi_hsm_node_at(type, i)->parent;
        bool fits = above == 0 || ployi_hsm_has(hsm->active, above);
        if (fits && (odd || !hsm_visit_is_second(hsm, i))) continue;
        ployi_hsm_drop(hsm->active, i);
        ploy_visit_lost(v, "state", hsm_visit_id(hsm, i), "lies elsewhere now: does not continue");
    }
}

// The inner states of keep_inner.
static void hsm_visit_current(ploy_visit *v, ploy_hsm *hsm) {
    const ploy_hsm_type *type = hsm->type;
    ploy_visit_table states = {
        hsm_visit_text, NULL,
        type,           (uint32_t)type->nodes.count,
        "state",        "no longer exists: the first one beside it is entered"};
    ploy_visit_begin(v, "current", PLOY_SAVED);
    for (uint32_t i = 0; i < (uint32_t)type->nodes.count; i++) {
        uint32_t none = 0;
        if (!ploy_visit_optional(v, hsm_visit_id(hsm, i), hsm->current[i] != 0)) {
            PLOY_VISIT_WRITE(v, hsm->current[i], none);
            continue;
        }
        bool known = ploy_visit_ref(v, hsm_visit_id(hsm, i), PLOY_SAVED, &hsm->current[i], &states);
        if (!ploy_visit_loads(v)) continue;
        uint32_t inner = known ? hsm->current[i] : 0;
        bool fits = inner != 0 && ployi_hsm_node_at(type, inner)->kind < PLOY_HSM_HISTORY &&
                    ployi_hsm_node_at(type, inner)->parent == i &&
                    ployi_hsm_has(hsm->active, inner);
        if (fits) continue;
        if (known) ploy_visit_lost(v, "state", hsm_visit_id(hsm, inner), states.lost);
        PLOY_VISIT_WRITE(v, hsm->current[i], none);
    }
    ploy_visit_gone(v, &states);
    ploy_visit_end(v);
}

static void hsm_visit_histories(ploy_visit *v, ploy_hsm *hsm) {
    const ploy_hsm_type *type = hsm->type;
    ploy_visit_table states = {
        hsm_visit_text, NULL, type, (uint32_t)type->nodes.count, "history", "no longer exists"};
    ploy_visit_begin(v, "histories", PLOY_SAVED);
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        const char *id = hsm_visit_id(hsm, i);
        if (node->history < 0 || !ploy_visit_optional(v, id, true)) continue;
        uint64_t *set = ployi_hsm_history(hsm, node);
        if (hsm_visit_set(v, hsm, id, set, node->parent, NULL)) continue;
        ploy_visit_lost(v, "history", id, "remembers a state that no longer exists: forgets");
        if (ploy_visit_is_ok(v)) memset(set, 0, (size_t)hsm->words * sizeof *set);
    }
    ploy_visit_gone(v, &states);
    ploy_visit_end(v);
}

// The rules followed in the last step that changed something.
static void hsm_visit_taken(ploy_visit *v, ploy_hsm *hsm) {
    const ploy_hsm_type *type = hsm->type;
    int32_t count = ploy_visit_count(v, "taken", PLOY_SAVED, 0, INT32_MAX);
    for (int32_t i = 0; i < type->links.count; i++) {
        ploy_json_writer *json =
            ployi_hsm_has(hsm->taken, (uint32_t)i) ? ploy_visit_writer(v, "rule") : NULL;
        if (json != NULL) ploy_json_write_text(json, ployi_hsm_type_rule_id(type, i));
    }
    for (int32_t i = 0; i < count && ploy_visit_loads(v); i++) {
        const ploy_json *doc = NULL;
        ploy_json_node node;
        if (!ploy_visit_reader(v, "rule", &doc, &node, NULL)) break;
        for (int32_t k = 0; k < type->links.count && ploy_visit_is_ok(v); k++) {
            if (strcmp(ployi_hsm_type_rule_id(type, k), ploy_json_text(doc, node, NULL)) == 0) {
                ployi_hsm_put(hsm->taken, (uint32_t)k);
            }
        }
    }
    ploy_visit_end(v);
}

// The behaviors of the states that go on.
static void hsm_visit_insides(ploy_visit *v, ploy_hsm *hsm) {
    const ploy_hsm_type *type = hsm->type;
    for (int32_t i = 0; i < type->makers && v->mode == PLOY_VISIT_MEMORY; i++) {
        ploy_visit_nested(v, "inside", PLOY_DERIVED, &hsm->insides[i], &hsm->env, NULL);
    }
    if (v->mode == PLOY_VISIT_MEMORY) return;
    ploy_visit_begin(v, "insides", PLOY_SAVED);
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        ploy_nested *inside = ployi_hsm_inside(hsm, i);
        const char *id = hsm_visit_id(hsm, i);
        bool active = inside != NULL && ployi_hsm_has(hsm->active, i);
        if (inside == NULL || !(active || (inside->entered && !ploy_visit_loads(v)))) continue;
        if (ploy_visit_optional(v, id, true)) {
            ploy_visit_nested(v, id, PLOY_SAVED, inside, &hsm->env, id);
        } else if (ploy_visit_is_ok(v)) {
            ployi_hsm_enter_inside(hsm, v->context, i);
        }
    }
    ploy_visit_end(v);
}

static void hsm_describe_states(const ploy_hsm *hsm, ploy_describe *out) {
    const ploy_hsm_type *type = hsm->type;
    ploy_describe_begin(out, "states");
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count; i++) {
        const ployi_hsm_node *node = ployi_hsm_node_at(type, i);
        ploy_hsm_state current = {hsm->current[i]};
        ploy_describe_begin(out, ployi_build_text(&type->build, node->id));
        if (node->history >= 0) {
            uint64_t hash = 0;
            for (int32_t k = 0; k < hsm->words; k++) {
                hash = hash * 31u + ployi_hsm_history(hsm, node)[k];
            }
            ploy_describe_u64(out, "remembers", PLOY_STATE, hash);
        } else if (type->def.policy == PLOY_HSM_SCXML) {
            ploy_describe_bool(out, "active", PLOY_STATE, ployi_hsm_has(hsm->active, i));
        } else if (node->children > 0) {
            ploy_describe_text(out, "inner", PLOY_STATE, ploy_hsm_type_id(type, current));
        }
        if (node->maker >= 0) ploy_nested_describe(&hsm->insides[node->maker], out);
        ploy_describe_end(out);
    }
    ploy_hsm_state outermost = {hsm->current[0]};
    ploy_describe_text(out, "outermost", PLOY_STATE, ploy_hsm_type_id(type, outermost));
    ploy_describe_end(out);
}

static void hsm_visit_members(ploy_visit *v, ploy_hsm *hsm) {
    ploy_visit_object(v, "hsm", hsm, sizeof *hsm);
    ploy_visit_block(v, "hsm.block", hsm->block, hsm->size);
    PLOY_VISIT_SCRATCH(v, hsm->type);
    PLOY_VISIT_SCRATCH(v, hsm->owner);
    PLOY_VISIT_SCRATCH(v, hsm->block);
    PLOY_VISIT_SCRATCH(v, hsm->size);
    PLOY_VISIT_SCRATCH(v, hsm->words);
    PLOY_VISIT_SCRATCH(v, hsm->insides);
    PLOY_VISIT_SCRATCH(v, hsm->inner);
    PLOY_VISIT_SCRATCH(v, hsm->outer);
    PLOY_VISIT_SCRATCH(v, hsm->active);
    PLOY_VISIT_SCRATCH(v, hsm->histories);
    PLOY_VISIT_SCRATCH(v, hsm->scratch);
    PLOY_VISIT_SCRATCH(v, hsm->taken);
    PLOY_VISIT_SCRATCH(v, hsm->later);
    PLOY_VISIT_SCRATCH(v, hsm->later_count); // the length of a list
    PLOY_VISIT_SCRATCH(v, hsm->enabled);
    PLOY_VISIT_SCRATCH(v, hsm->content);
    PLOY_VISIT_SCRATCH(v, hsm->current);
    PLOY_VISIT_SCRATCH(v, hsm->has_event); // only within a step, as are
    PLOY_VISIT_SCRATCH(v, hsm->busy);
    PLOY_VISIT_SCRATCH(v, hsm->fresh);
    PLOY_VISIT_SCRATCH(v, hsm->recalled);
    PLOY_VISIT_SCRATCH(v, hsm->result);
    PLOY_VISIT_SCRATCH(v, hsm->event);
    PLOY_VISIT_SCRATCH(v, hsm->env);
    PLOY_VISIT_SCRATCH(v, hsm->started); // always, when it is saved
    ploy_describe_bool(v->describe, "started", PLOY_STATE, hsm->started);
}

// The policy and the active states. @return false if the machine restarts; *whole is false if some
// states are gone.
static bool hsm_visit_active(ploy_visit *v, ploy_hsm *hsm, bool *whole) {
    const ploy_hsm_type *type = hsm->type;
    bool keep = type->def.policy == PLOY_HSM_KEEP_INNER, odd = false;
    ploy_value policy = ploy_value_text(hsm_visit_policies[keep]);
    if (v->describe == NULL && (!ploy_visit_optional(v, "policy", true) ||
                                !ploy_visit_same(v, "policy", PLOY_SAVED, &policy))) {
        return false;
    }
    *whole = hsm_visit_set(v, hsm, "active", hsm->active, 0, "no longer exists");
    for (uint32_t i = 1; i < (uint32_t)type->nodes.count && !odd; i++) {
        odd = ployi_hsm_has(hsm->active, i) && hsm_visit_is_second(hsm, i);
    }
    const ploy_json *doc = NULL;
    ploy_json_node node;
    ploy_json_writer *json = ploy_visit_writer(v, "odd");
    if (json != NULL) ploy_json_write_bool(json, odd);
    odd = false;
    if (ploy_visit_reader(v, "odd", &doc, &node, NULL)) (void)ploy_json_bool(doc, node, &odd);
    if (keep) hsm_visit_current(v, hsm);
    if (!ploy_visit_loads(v)) return true;
    bool some = keep && hsm->current[0] != 0;
    if (!keep) hsm_visit_prune(v, hsm, odd && *whole);
    for (int32_t i = 0; i < hsm->words && !keep; i++) some = some || hsm->active[i] != 0;
    if (!some) {
        ploy_visit_lost(v, "the machine", "hierarchical machine",
                        "was in no state that is left: restarts");
    }
    return some;
}

void ployi_hsm_visit(ploy_visit *v, void *object) {
    ploy_hsm *hsm = object;
    bool keep = hsm->type->def.policy == PLOY_HSM_KEEP_INNER, whole = true, yes = true, no = false;
    if (ploy_visit_tolerates(v)) {
        if (!ploy_visit_result(v, hsm->started ? PLOY_ERR_STATE : PLOY_OK)) return;
        ployi_hsm_clear(hsm);
        hsm->done = false;
        hsm->inner.first = hsm->inner.count = hsm->outer.first = hsm->outer.count = 0;
        hsm->later_count = 0;
    }
    hsm_visit_members(v, hsm);
    if (!hsm_visit_active(v, hsm, &whole)) {
        ploy_visit_restart(v, ploy_hsm_behavior(hsm));
        return;
    }
    PLOY_VISIT_WRITE(v, hsm->started, yes);
    ploy_visit_bool(v, "done", PLOY_STATE, &hsm->done);
    if (!whole) PLOY_VISIT_WRITE(v, hsm->done, no);
    ploy_visit_u64(v, "changes", PLOY_STATE, &hsm->changes);
    hsm_visit_queue(v, hsm, "inner", "raised", &hsm->inner);
    hsm_visit_queue(v, hsm, "outer", "sent", &hsm->outer);
    hsm_visit_later(v, hsm);
    if (v->describe != NULL) hsm_describe_states(hsm, v->describe);
    hsm_visit_taken(v, hsm);
    if (!keep) hsm_visit_histories(v, hsm);
    if (ploy_visit_loads(v)) {
        hsm->result = PLOY_OK;
        hsm->busy = true;
    }
    hsm_visit_insides(v, hsm);
    if (!ploy_visit_loads(v)) return;
    if (!keep && ploy_visit_is_ok(v)) ployi_hsm_fill(hsm, v->context);
    hsm->busy = false;
    ploy_visit_result(v, hsm->result);
}

void ploy_hsm_describe(const ploy_hsm *hsm, ploy_describe *out) {
    ploy_visit_describe(ployi_hsm_visit, hsm, NULL, out);
}
