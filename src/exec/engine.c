// The engine's register: slots, ids, agents, and what happens to behaviors between steps.
//
// Invariants, while the engine is idle:
//   (1) slots are FREE or hold a behavior with a type; count counts the latter; every slot has an
//       outbox for as long as it exists;
//   (2) the chain of a bucket holds exactly the slots in use whose agent hashes to it, by rising
//       index, so that walking it is walking in order of ids;
//   (3) a behavior in state ACTIVE has entered and not exited; no other has;
//   (4) ran, finished, removed, failure and replacement are clear;
//   (5) the scheduler has an item for each slot in use, enabled if the slot may think; a slot in
//       state NEW is in fresh, one whose outbox holds something in dirty, and ending is empty;
//   (6) every byte of a slot is set, so that equal states have equal bytes.
// While the engine is busy slots do not move: they grow outside steps only.
#include "ploy/exec/engine.h"

#include "exec/exec_internal.h"

#include <stdio.h>
#include <string.h>

#include "exec/engine_internal.h"
#include "ploy/base/hash.h"

// Numbers for each slot in the block of buckets and lists: ending has two, the rest one.
#define ENGINE_LISTS 6

static const ploy_field engine_fields[] = {
    PLOY_FIELD_BOOL(ploy_engine_def, parallel, false, "think all, then commit"),
    PLOY_FIELD_BOOL(ploy_engine_def, route_all, false, "the route gets every message"),
    PLOY_FIELD_I32_FIXED(ploy_engine_def, capacity, 64, 1, 1 << 24, "",
                         "behaviors that fit before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_engine_def, outbox_messages, 8, 0, 4096, "",
                         "most messages one behavior sends in a step"),
    PLOY_FIELD_I32_FIXED(ploy_engine_def, outbox_actions, 4, 0, 4096, "",
                         "most actions one behavior asks for in a step"),
    PLOY_FIELD_I32_FIXED(ploy_engine_def, scratch_kib, 64, 1, 1 << 20, "KiB",
                         "scratch memory for a behavior's turn"),
    PLOY_FIELD_I32_FIXED(ploy_engine_def, grain, 16, 1, 1 << 20, "",
                         "behaviors that a worker takes at a time"),
    PLOY_FIELD_I32_FIXED(ploy_engine_def, history, 32, 1, 1 << 16, "ticks",
                         "whose load is remembered"),
    PLOY_FIELD_U64(ploy_engine_def, seed, 1, "what the behaviors' random keys come from"),
    PLOY_FIELD_DEF(ploy_engine_def, scheduler, ploy_scheduler_fields, "how the budget is divided"),
};

static const ploy_field engine_entry_fields[] = {
    PLOY_FIELD_DEF(ploy_engine_entry, schedule, ploy_schedule_fields, "when and how much"),
    PLOY_FIELD_BOOL(ploy_engine_entry, once, false, "when finished, stays so"),
};

ploy_engine_def ploy_engine_def_default(void) {
    ploy_engine_def def;
    ploy_fields_default(ploy_engine_fields(), &def);
    return def;
}

ploy_fields ploy_engine_fields(void) {
    return PLOY_FIELDS(ploy_engine_def, engine_fields);
}

ploy_engine_entry ploy_engine_entry_default(void) {
    ploy_engine_entry entry;
    ploy_fields_default(ploy_engine_entry_fields(), &entry);
    return entry;
}

ploy_fields ploy_engine_entry_fields(void) {
    return PLOY_FIELDS(ploy_engine_entry, engine_entry_fields);
}

// ---- slots

static int32_t *engine_bucket(const ploy_engine *engine, ploy_agent_id agent) {
    uint64_t hash = ploy_hash_combine(0, ploy_id_to_u64(agent.id));
    return &engine->buckets[hash % (uint64_t)engine->capacity];
}

static void engine_chain(ploy_engine *engine, int32_t index) {
    int32_t *link = engine_bucket(engine, engine->slots[index].agent);
    while (*link >= 0 && *link < index) link = &engine->slots[*link].next;
    engine->slots[index].next = *link;
    *link = index; // keeps (2)
}

static void engine_unchain(ploy_engine *engine, int32_t index) {
    int32_t *link = engine_bucket(engine, engine->slots[index].agent);
    while (*link != index) link = &engine->slots[*link].next;
    *link = engine->slots[index].next;
}

size_t ployi_engine_lists_size(const ploy_engine *engine) {
    return (size_t)engine->capacity * ENGINE_LISTS * sizeof *engine->buckets;
}

void ployi_engine_rebuild(void *object) {
    ploy_engine *engine = object;
    engine->fresh_count = engine->dirty_count = engine->ending_count = 0;
    for (int32_t i = 0; i < engine->capacity; i++) engine->buckets[i] = -1;
    for (int32_t i = 0; i < engine->capacity; i++) {
        ployi_engine_slot *slot = &engine->slots[i];
        slot->fresh = slot->dirty = slot->ending = false;
        slot->filled = true; // to be looked at
        if (slot->state == PLOYI_ENGINE_FREE) continue;
        engine_chain(engine, i);
        if (slot->state == PLOYI_ENGINE_NEW) ployi_engine_add_fresh(engine, slot);
        ployi_engine_note_outbox(engine, slot);
    }
}

// Room for `capacity` slots, each with its outbox; nothing changes on failure.
static ploy_result engine_grow(ploy_engine *engine, int32_t capacity) {
    int32_t old = engine->capacity;
    size_t slot_size = 0, bucket_size = 0;
    if (!ploy_size_add_array(0, capacity, sizeof(ployi_engine_slot), &slot_size) ||
        !ploy_size_add_array(0, capacity, ENGINE_LISTS * sizeof(int32_t), &bucket_size)) {
        return PLOY_ERR_MEMORY;
    }
    ployi_engine_slot *slots = ploy_env_alloc_zero(&engine->env, slot_size);
    int32_t *buckets = ploy_env_alloc_zero(&engine->env, bucket_size); // and the lists
    ploy_result result = slots != NULL && buckets != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) result = ploy_scheduler_reserve(engine->scheduler, capacity);
    int32_t made = old;
    while (result == PLOY_OK && made < capacity) {
        slots[made].generation = 1;
        slots[made].next = made + 1 < capacity ? made + 1 : engine->first_free;
        result = ploy_outbox_create(ploy_agent_id_none(), engine->def.outbox_messages,
                                    engine->def.outbox_actions, &engine->env, &slots[made].outbox);
        if (result == PLOY_OK) made++;
    }
    if (result != PLOY_OK) {
        while (made > old) ploy_outbox_destroy(slots[--made].outbox);
        ploy_env_free(&engine->env, slots, slot_size);
        ploy_env_free(&engine->env, buckets, bucket_size);
        return result;
    }
    int32_t *fresh = buckets + capacity, *dirty = fresh + capacity;
    if (old > 0) {
        memcpy(slots, engine->slots, (size_t)old * sizeof *slots);
        memcpy(fresh, engine->fresh, (size_t)engine->fresh_count * sizeof *fresh);
        memcpy(dirty, engine->dirty, (size_t)engine->dirty_count * sizeof *dirty);
    }
    ploy_env_free(&engine->env, engine->slots, (size_t)old * sizeof *slots);
    ploy_env_free(&engine->env, engine->buckets, (size_t)old * ENGINE_LISTS * sizeof *buckets);
    engine->slots = slots;
    engine->buckets = buckets;
    engine->fresh = fresh;
    engine->dirty = dirty;
    engine->ending = dirty + capacity; // empty: it grows outside steps only
    engine->merge = engine->ending + 2 * capacity;
    engine->capacity = capacity;
    engine->first_free = old;
    for (int32_t i = 0; i < capacity; i++) {
        buckets[i] = -1;
        ployi_outbox_set_filled(slots[i].outbox, &slots[i].filled); // the slots have moved
        if (engine->def.parallel || i < old) continue;
        ployi_outbox_set_send(slots[i].outbox, ployi_engine_send_now, engine);
    }
    for (int32_t i = 0; i < old; i++) {
        if (slots[i].state != PLOYI_ENGINE_FREE) engine_chain(engine, i);
    }
    return PLOY_OK;
}

ployi_engine_slot *ployi_engine_find(const ploy_engine *engine, ploy_engine_id id) {
    if (ploy_id_is_none(id.id) || id.id.index >= (uint32_t)engine->capacity) return NULL;
    ployi_engine_slot *slot = &engine->slots[id.id.index];
    bool there = slot->state != PLOYI_ENGINE_FREE && slot->generation == id.id.generation;
    return there && !slot->removed ? slot : NULL;
}

int32_t ployi_engine_first_of(const ploy_engine *engine, ploy_agent_id agent) {
    return *engine_bucket(engine, agent);
}

void ployi_engine_add_fresh(ploy_engine *engine, ployi_engine_slot *slot) {
    if (slot->fresh) return;
    slot->fresh = true;
    engine->fresh[engine->fresh_count++] = (int32_t)(slot - engine->slots);
}

void ployi_engine_add_ending(ploy_engine *engine, ployi_engine_slot *slot) {
    if (slot->ending) return;
    slot->ending = true;
    engine->ending[engine->ending_count++] = (int32_t)(slot - engine->slots);
}

void ployi_engine_add_dirty(ploy_engine *engine, ployi_engine_slot *slot) {
    if (slot->dirty) return;
    slot->dirty = true;
    engine->dirty[engine->dirty_count++] = (int32_t)(slot - engine->slots);
}

bool ployi_engine_hears(const ployi_engine_slot *slot) {
    return slot->state == PLOYI_ENGINE_ACTIVE && slot->failure == PLOY_OK && !slot->removed;
}

void ployi_engine_sync(ploy_engine *engine, const ployi_engine_slot *slot) {
    bool may = ployi_engine_hears(slot) && !slot->paused && slot->replacement.type == NULL;
    ploy_result result =
        ploy_scheduler_set_enabled(engine->scheduler, (int32_t)(slot - engine->slots), may);
    PLOY_ASSERT(result == PLOY_OK);
    (void)result;
}

// ---- life

ploy_result ploy_engine_create(const ploy_engine_def *def, const ploy_env *env, ploy_engine **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_engine_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_engine *engine = ploy_env_alloc_zero(env, sizeof *engine);
    if (engine == NULL) return PLOY_ERR_MEMORY;
    engine->env = *env;
    engine->def = *def;
    engine->key = ploy_rng_key_make(def->seed);
    engine->first_free = -1;
    engine->loads = ploy_env_alloc_zero(env, (size_t)def->history * sizeof *engine->loads);
    result = engine->loads != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) result = ploy_arena_create(0, 0, env, &engine->scratch);
    if (result == PLOY_OK) {
        ploy_scheduler_def scheduler = def->scheduler;
        scheduler.capacity = def->capacity;
        result = ploy_scheduler_create(&scheduler, env, &engine->scheduler);
    }
    if (result == PLOY_OK) result = engine_grow(engine, def->capacity);
    if (result != PLOY_OK) {
        ploy_engine_destroy(engine);
        return result;
    }
    *out = engine;
    return PLOY_OK;
}

static void engine_exit(ploy_engine *engine, ployi_engine_slot *slot, ploy_exit_reason reason) {
    ploy_step_context context = ployi_engine_context(engine, slot);
    // Farewells are heard only from agents that stay.
    if (reason != PLOY_EXIT_FINISHED) context.outbox = NULL;
    ploy_arena_mark mark = ploy_arena_mark_of(context.scratch);
    ploy_behavior_exit(slot->behavior, &context, reason);
    ploy_arena_rewind(context.scratch, mark);
    ployi_engine_note_outbox(engine, slot);
}

void ploy_engine_destroy(ploy_engine *engine) {
    if (engine == NULL) return;
    ploy_env env = engine->env;
    engine->phase = PLOYI_ENGINE_BUSY; // an agent registered in an exit hook finds no room
    engine->first_free = -1;
    for (int32_t i = 0; i < engine->capacity; i++) {
        ployi_engine_slot *slot = &engine->slots[i];
        if (slot->state == PLOYI_ENGINE_ACTIVE) engine_exit(engine, slot, PLOY_EXIT_REMOVED);
        if (slot->state != PLOYI_ENGINE_FREE) ploy_behavior_destroy(slot->behavior);
        ploy_behavior_destroy(slot->replacement);
        slot->state = PLOYI_ENGINE_FREE;
    }
    for (int32_t i = 0; i < engine->capacity; i++) ploy_outbox_destroy(engine->slots[i].outbox);
    ploy_env_free(&env, engine->slots, (size_t)engine->capacity * sizeof *engine->slots);
    ploy_env_free(&env, engine->buckets,
                  (size_t)engine->capacity * ENGINE_LISTS * sizeof *engine->buckets);
    ploy_env_free(&env, engine->loads, (size_t)engine->def.history * sizeof *engine->loads);
    ploy_scheduler_destroy(engine->scheduler);
    ploy_arena_destroy(engine->scratch);
    ploy_env_free(&env, engine, sizeof *engine);
}

ploy_result ploy_engine_register(ploy_engine *engine, const ploy_engine_entry *entry,
                                 ploy_engine_id *out) {
    if (engine == NULL || entry == NULL) return PLOY_ERR_ARGUMENT;
    if (engine->phase == PLOYI_ENGINE_THINKING) return PLOY_ERR_STATE;
    ploy_result result = ploy_fields_check(ploy_engine_entry_fields(), entry, &engine->env);
    if (result != PLOY_OK) return result;
    if (entry->behavior.type == NULL || entry->behavior.type->step == NULL ||
        ploy_id_is_none(entry->agent.id)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (engine->first_free < 0) {
        if (engine->phase != PLOYI_ENGINE_IDLE) return PLOY_ERR_CAPACITY;
        if (engine->capacity > INT32_MAX / 2) return PLOY_ERR_MEMORY;
        result = engine_grow(engine, engine->capacity * 2);
        if (result != PLOY_OK) return result;
    }
    int32_t index = engine->first_free;
    result = ploy_scheduler_add(engine->scheduler, index, &entry->schedule);
    if (result != PLOY_OK) return result;
    ployi_engine_slot *slot = &engine->slots[index];
    engine->first_free = slot->next;
    slot->behavior = entry->behavior;
    slot->blackboard = entry->blackboard;
    slot->agent = entry->agent;
    slot->key = ploy_rng_key_split(engine->key, (uint64_t)index);
    slot->once = entry->once;
    slot->state = PLOYI_ENGINE_NEW;
    slot->since = engine->clock;
    ployi_engine_sync(engine, slot);
    ployi_engine_add_fresh(engine, slot);
    ployi_outbox_assign(slot->outbox, entry->agent);
    engine_chain(engine, index);
    engine->count++;
    if (out != NULL) out->id = ploy_id_make((uint32_t)index, slot->generation);
    return PLOY_OK;
}

// Settles at once outside steps; within one its end does.
static void engine_settle_if_idle(ploy_engine *engine, ployi_engine_slot *slot) {
    ployi_engine_sync(engine, slot);
    ployi_engine_add_ending(engine, slot);
    if (engine->phase != PLOYI_ENGINE_IDLE) return;
    engine->phase = PLOYI_ENGINE_BUSY;
    ployi_engine_settle(engine);
    engine->phase = PLOYI_ENGINE_IDLE;
}

ploy_result ploy_engine_unregister(ploy_engine *engine, ploy_engine_id id) {
    if (engine == NULL) return PLOY_ERR_ARGUMENT;
    if (engine->phase == PLOYI_ENGINE_THINKING) return PLOY_ERR_STATE;
    ployi_engine_slot *slot = ployi_engine_find(engine, id);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    slot->removed = true;
    engine_settle_if_idle(engine, slot);
    return PLOY_OK;
}

ploy_result ploy_engine_replace(ploy_engine *engine, ploy_engine_id id, ploy_behavior behavior) {
    if (engine == NULL || behavior.type == NULL || behavior.type->step == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    if (engine->phase == PLOYI_ENGINE_THINKING) return PLOY_ERR_STATE;
    ployi_engine_slot *slot = ployi_engine_find(engine, id);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_behavior_destroy(slot->replacement); // replaced before it came to anything
    slot->replacement = behavior;
    engine_settle_if_idle(engine, slot);
    return PLOY_OK;
}

ploy_result ploy_engine_reload(ploy_engine *engine, ploy_engine_id id, ploy_behavior behavior,
                               const ploy_engine_frame *frame, ploy_diags *diags) {
    if (engine == NULL || behavior.type == NULL || behavior.type->step == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    if (engine->phase != PLOYI_ENGINE_IDLE) return PLOY_ERR_STATE;
    ployi_engine_slot *slot = ployi_engine_find(engine, id);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    if (slot->state != PLOYI_ENGINE_ACTIVE) return ploy_engine_replace(engine, id, behavior);
    engine->phase = PLOYI_ENGINE_BUSY; // slots stay where they are while hooks run
    engine->frame = frame;
    ploy_step_context context = ployi_engine_context(engine, slot);
    ploy_arena_mark mark = ploy_arena_mark_of(context.scratch);
    bool left = false;
    ploy_result result = ployi_behavior_hand_over(slot->behavior, &context, behavior, &context,
                                                  &engine->env, diags, &left);
    ploy_arena_rewind(context.scratch, mark);
    ploy_behavior_destroy(left ? slot->behavior : behavior);
    if (left) slot->behavior = behavior;
    ployi_engine_note_outbox(engine, slot);
    if (left && result != PLOY_OK) {
        slot->failure = result;
        ployi_engine_sync(engine, slot);
        ployi_engine_add_ending(engine, slot);
    }
    ployi_engine_settle(engine);
    engine->frame = NULL;
    engine->phase = PLOYI_ENGINE_IDLE;
    return result;
}

ploy_result ploy_engine_restart(ploy_engine *engine, ploy_engine_id id) {
    if (engine == NULL) return PLOY_ERR_ARGUMENT;
    ployi_engine_slot *slot = ployi_engine_find(engine, id);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    bool ended = slot->state == PLOYI_ENGINE_DONE || slot->state == PLOYI_ENGINE_FAILED;
    if (engine->phase == PLOYI_ENGINE_THINKING || !ended) return PLOY_ERR_STATE;
    slot->state = PLOYI_ENGINE_NEW;
    slot->result = PLOY_OK;
    slot->stepped = false;
    ployi_engine_add_fresh(engine, slot);
    return PLOY_OK;
}

ploy_result ploy_engine_set_schedule(ploy_engine *engine, ploy_engine_id id,
                                     const ploy_schedule *schedule) {
    if (engine == NULL) return PLOY_ERR_ARGUMENT;
    if (engine->phase == PLOYI_ENGINE_THINKING) return PLOY_ERR_STATE;
    if (ployi_engine_find(engine, id) == NULL) return PLOY_ERR_NOT_FOUND;
    return ploy_scheduler_set(engine->scheduler, (int32_t)id.id.index, schedule);
}

ploy_result ploy_engine_schedule(const ploy_engine *engine, ploy_engine_id id, ploy_schedule *out) {
    if (engine == NULL) return PLOY_ERR_ARGUMENT;
    if (ployi_engine_find(engine, id) == NULL) return PLOY_ERR_NOT_FOUND;
    return ploy_scheduler_get(engine->scheduler, (int32_t)id.id.index, out);
}

ploy_result ployi_engine_set_request(ploy_engine *engine, ploy_engine_id id, int32_t units) {
    if (engine == NULL) return PLOY_ERR_ARGUMENT;
    if (engine->phase == PLOYI_ENGINE_THINKING) return PLOY_ERR_STATE;
    if (ployi_engine_find(engine, id) == NULL) return PLOY_ERR_NOT_FOUND;
    return ployi_scheduler_set_request(engine->scheduler, (int32_t)id.id.index, units);
}

ploy_result ploy_engine_set_policy(ploy_engine *engine, ploy_policy policy,
                                   ploy_allocate_fn allocate, void *user) {
    if (engine == NULL) return PLOY_ERR_ARGUMENT;
    if (engine->phase != PLOYI_ENGINE_IDLE) return PLOY_ERR_STATE;
    return ploy_scheduler_set_policy(engine->scheduler, policy, allocate, user);
}

ploy_result ploy_engine_set_paused(ploy_engine *engine, ploy_engine_id id, bool paused) {
    if (engine == NULL) return PLOY_ERR_ARGUMENT;
    if (engine->phase == PLOYI_ENGINE_THINKING) return PLOY_ERR_STATE;
    ployi_engine_slot *slot = ployi_engine_find(engine, id);
    if (slot == NULL) return PLOY_ERR_NOT_FOUND;
    if (paused == slot->paused) return PLOY_OK;
    slot->since = engine->clock - slot->since; // from a moment to a length of time, or back
    slot->paused = paused;
    ployi_engine_sync(engine, slot);
    return PLOY_OK;
}

void ployi_engine_set_actions(ploy_engine *engine, ploy_actions *actions) {
    engine->actions = actions;
    engine->reported = actions != NULL ? ploy_actions_finished_count(actions) : 0;
}

void ploy_engine_set_route(ploy_engine *engine, ploy_engine_route_fn fn, void *user) {
    engine->route = fn;
    engine->route_user = user;
}

// ---- the end of a step

static void engine_log_failure(ploy_engine *engine, const ployi_engine_slot *slot) {
    char text[240];
    snprintf(text, sizeof text, "behavior '%.80s' of agent %u:%u has stopped: %.100s",
             slot->behavior.type->name != NULL ? slot->behavior.type->name : "",
             (unsigned)slot->agent.id.index, (unsigned)slot->agent.id.generation,
             ploy_result_text(slot->failure));
    ploy_env_log(&engine->env, PLOY_SEVERITY_ERROR, text);
}

static void engine_free_slot(ploy_engine *engine, int32_t index) {
    ployi_engine_slot *slot = &engine->slots[index];
    engine_unchain(engine, index);
    ploy_outbox *outbox = slot->outbox;
    uint32_t generation = slot->generation + 1;
    bool fresh = slot->fresh, dirty = slot->dirty, ending = slot->ending;
    ployi_outbox_assign(outbox, ploy_agent_id_none());
    ploy_scheduler_remove(engine->scheduler, index);
    memset(slot, 0, sizeof *slot); // keeps (4) and (6)
    slot->fresh = fresh;           // its number is still in the lists
    slot->dirty = dirty;
    slot->ending = ending;
    slot->outbox = outbox;
    slot->generation = generation != 0 ? generation : 1;
    slot->next = engine->first_free;
    engine->first_free = index;
    engine->count--;
}

static void engine_settle_slot(ploy_engine *engine, int32_t index) {
    ployi_engine_slot *slot = &engine->slots[index];
    if (slot->failure != PLOY_OK) {
        engine_log_failure(engine, slot);
        slot->result = slot->failure;
        slot->failure = PLOY_OK;
        slot->finished = false;
        slot->state = PLOYI_ENGINE_FAILED; // before the hook: it gets no more messages
        ploy_outbox_clear(slot->outbox);
        engine_exit(engine, slot, PLOY_EXIT_ERROR);
    }
    if (slot->finished) {
        slot->finished = false;
        slot->state = slot->once ? PLOYI_ENGINE_DONE : PLOYI_ENGINE_NEW;
        if (!slot->once) ployi_engine_add_fresh(engine, slot);
        engine_exit(engine, slot, PLOY_EXIT_FINISHED);
    }
    if (slot->removed) {
        bool entered = slot->state == PLOYI_ENGINE_ACTIVE;
        slot->state = PLOYI_ENGINE_DONE;
        if (entered) engine_exit(engine, slot, PLOY_EXIT_REMOVED);
        ploy_behavior_destroy(slot->behavior);
        ploy_behavior_destroy(slot->replacement);
        engine_free_slot(engine, index);
    } else if (slot->replacement.type != NULL) {
        bool entered = slot->state == PLOYI_ENGINE_ACTIVE;
        slot->state = PLOYI_ENGINE_NEW;
        if (entered) engine_exit(engine, slot, PLOY_EXIT_REPLACED);
        ploy_behavior_destroy(slot->behavior);
        slot->behavior = slot->replacement;
        memset(&slot->replacement, 0, sizeof slot->replacement);
        slot->result = PLOY_OK;
        slot->stepped = false;
        ployi_engine_add_fresh(engine, slot);
        ploy_outbox_clear(slot->outbox);
    }
    if (slot->state != PLOYI_ENGINE_FREE) ployi_engine_sync(engine, slot);
}

void ployi_engine_settle(ploy_engine *engine) {
    // An exit hook may remove or replace others, so once more until nothing is left to do.
    while (engine->ending_count > 0) {
        int32_t count = engine->ending_count;
        ployi_scheduler_sort(engine->ending, engine->merge, count);
        // Out of the list before the hooks run: one may be put into it again, behind the others.
        for (int32_t i = 0; i < count; i++) engine->slots[engine->ending[i]].ending = false;
        for (int32_t i = 0; i < count; i++) {
            int32_t index = engine->ending[i];
            const ployi_engine_slot *slot = &engine->slots[index];
            bool ends = slot->failure != PLOY_OK || slot->finished || slot->removed ||
                        slot->replacement.type != NULL;
            if (ends) engine_settle_slot(engine, index);
        }
        engine->ending_count -= count;
        memmove(engine->ending, engine->ending + count,
                (size_t)engine->ending_count * sizeof *engine->ending);
    }
}

#undef ENGINE_LISTS
