// An engine's state: described, saved, loaded and counted. The behaviors themselves are callbacks of
// the game, so a load needs the same ones in the same slots and only gives them back what they were
// doing.
//
// A load has two parts. The visitor restores everything but the minds, all or nothing. Then each
// mind that was running is loaded instead of being entered; one that fails ends as if its enter had
// failed.
#include "exec/engine_internal.h"

#include "exec/exec_internal.h"

static const char *engine_visit_state_text(int32_t state) {
    switch ((ployi_engine_state)state) {
    case PLOYI_ENGINE_NEW: return "new";
    case PLOYI_ENGINE_ACTIVE: return "active";
    case PLOYI_ENGINE_DONE: return "done";
    case PLOYI_ENGINE_FAILED: return "failed";
    case PLOYI_ENGINE_FREE: break;
    }
    return "free";
}

static const char *engine_visit_status_text(int32_t status) {
    return ploy_status_text((ploy_status)status);
}

// What lives only within a step, or is fixed when it is registered.
static void engine_visit_slot_scratch(ploy_visit *v, ployi_engine_slot *slot) {
    ploy_visit_struct(v, "engine.slot", slot, sizeof *slot);
    PLOY_VISIT_SCRATCH(v, slot->behavior);
    PLOY_VISIT_SCRATCH(v, slot->replacement);
    PLOY_VISIT_SCRATCH(v, slot->blackboard);
    PLOY_VISIT_SCRATCH(v, slot->outbox);
    PLOY_VISIT_SCRATCH(v, slot->agent);
    PLOY_VISIT_SCRATCH(v, slot->key);
    PLOY_VISIT_SCRATCH(v, slot->allowed);
    PLOY_VISIT_SCRATCH(v, slot->cost);
    PLOY_VISIT_SCRATCH(v, slot->generation);
    PLOY_VISIT_SCRATCH(v, slot->next);
    PLOY_VISIT_SCRATCH(v, slot->mark_messages);
    PLOY_VISIT_SCRATCH(v, slot->mark_actions);
    PLOY_VISIT_SCRATCH(v, slot->failure);
    PLOY_VISIT_SCRATCH(v, slot->ran);
    PLOY_VISIT_SCRATCH(v, slot->finished);
    PLOY_VISIT_SCRATCH(v, slot->removed);
    PLOY_VISIT_SCRATCH(v, slot->fresh);
    PLOY_VISIT_SCRATCH(v, slot->dirty);
    PLOY_VISIT_SCRATCH(v, slot->ending);
    PLOY_VISIT_SCRATCH(v, slot->filled);
}

static void engine_visit_mind(ploy_visit *v, ployi_engine_slot *slot) {
    if (v->describe != NULL) {
        ploy_describe_begin(v->describe, "self");
        ploy_behavior_describe(slot->behavior, v->describe);
        ploy_describe_end(v->describe);
    } else if (ploy_visit_optional(v, "self", slot->state == PLOYI_ENGINE_ACTIVE)) {
        ploy_json_node node; // taken up when the whole load has succeeded
        ploy_json_writer *json = ploy_visit_writer(v, "self");
        if (json != NULL) ploy_behavior_save(slot->behavior, json);
        (void)ploy_visit_reader(v, "self", NULL, &node, NULL);
    }
}

static void engine_visit_slot(ploy_visit *v, ploy_engine *engine, int32_t index) {
    ployi_engine_slot *slot = &engine->slots[index];
    ploy_value name = ploy_value_text(slot->behavior.type->name);
    ploy_value agent = ploy_value_id(slot->agent.id), number = ploy_value_i64(index);
    engine_visit_slot_scratch(v, slot);
    ploy_visit_same(v, "slot", PLOY_SAVED, &number);
    ploy_visit_same(v, "agent", PLOY_SAVED, &agent);
    ploy_visit_same(v, "behavior", PLOY_STATE, &name);
    PLOY_VISIT_ENUM(v, "state", PLOY_STATE, slot->state, engine_visit_state_text,
                    PLOYI_ENGINE_FAILED + 1);
    ploy_visit_check(v, slot->state != PLOYI_ENGINE_FREE, "slot is in use", NULL);
    ploy_describe_text(v->describe, "turn", PLOY_NOTE,
                       ployi_engine_turn_text(ployi_engine_turn(engine, index)));
    PLOY_VISIT_ENUM(v, "status", PLOY_STATE, slot->status, engine_visit_status_text,
                    PLOY_STATUS_SKIPPED + 1);
    bool failed = v->describe == NULL || slot->result != PLOY_OK;
    if (failed) ploy_visit_code(v, "error", PLOY_STATE, &slot->result);
    ploy_visit_bool(v, "once", PLOY_STATE, &slot->once);
    ploy_visit_bool(v, "paused", PLOY_STATE, &slot->paused);
    ploy_describe_f64(v->describe, "waited", PLOY_STATE, ployi_engine_waited(engine, slot));
    ploy_visit_u64(v, "clock", PLOY_SAVED, &slot->since);
    ploy_visit_u64(v, "stepped_tick", PLOY_SAVED, &slot->last_tick);
    ploy_visit_bool(v, "stepped", PLOY_SAVED, &slot->stepped);
    ploy_visit_begin(v, "turns", PLOY_SAVED);
    ploy_visit_bool(v, "enabled", PLOY_SAVED, &engine->scheduler->items[index].enabled);
    ployi_scheduler_visit_item(v, engine->scheduler, index);
    ploy_visit_end(v);
    ploy_visit_begin(v, "outbox", PLOY_STATE);
    if (v->memory == NULL) ploy_outbox_visit(v, slot->outbox); // counted with the free slots'
    ploy_visit_end(v);
    engine_visit_mind(v, slot);
    if (slot->blackboard == NULL || v->memory != NULL) return; // the game's
    ploy_visit_begin(v, "blackboard", PLOY_STATE);
    ploy_visit_tolerate(v, true); // its keys may have been edited
    ploy_blackboard_visit(v, slot->blackboard);
    ploy_visit_end(v);
    ploy_visit_tolerate(v, false);
}

// Generations of all slots and the order in which the free ones are taken: what ids depend on.
static void engine_visit_places(ploy_visit *v, ploy_engine *engine) {
    int32_t count = ploy_visit_fixed(v, "places", PLOY_SAVED, engine->capacity);
    for (int32_t i = 0; i < count; i++) {
        ployi_engine_slot *slot = &engine->slots[i];
        bool unused = slot->state == PLOYI_ENGINE_FREE;
        ploy_visit_begin(v, "place", PLOY_SAVED);
        ploy_visit_u32_in(v, "generation", PLOY_SAVED, &slot->generation, 1, UINT32_MAX);
        if (unused) {
            ploy_visit_i32_in(v, "next", PLOY_SAVED, &slot->next, -1, engine->capacity - 1);
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "first_free", PLOY_SAVED, &engine->first_free, -1, engine->capacity - 1);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    int32_t steps = 0, at = engine->first_free;
    while (at >= 0 && engine->slots[at].state == PLOYI_ENGINE_FREE && steps < engine->capacity) {
        at = engine->slots[at].next;
        steps++;
    }
    ploy_visit_check(v, at < 0 && steps == engine->capacity - engine->count, "invalid free list",
                     NULL);
}

static void engine_visit_memory(ploy_visit *v, ploy_engine *engine) {
    ploy_visit_object(v, "engine", engine, sizeof *engine);
    ploy_visit_block(v, "engine.slots", engine->slots,
                     (size_t)engine->capacity * sizeof *engine->slots);
    ploy_visit_block(v, "engine.lists", engine->buckets, ployi_engine_lists_size(engine));
    ploy_visit_block(v, "engine.workloads", engine->loads,
                     (size_t)engine->def.history * sizeof *engine->loads);
    for (int32_t i = 0; i < engine->capacity && v->memory != NULL; i++) {
        ploy_visit_block(v, "engine.outboxes", engine->slots[i].outbox,
                         engine->slots[i].outbox->size);
    }
    if (v->memory != NULL) ploy_arena_memory(engine->scratch, v->memory, v->memory_user);
}

static void engine_visit_scratch(ploy_visit *v, ploy_engine *engine) {
    PLOY_VISIT_SCRATCH(v, engine->env);
    PLOY_VISIT_SCRATCH(v, engine->def);
    PLOY_VISIT_SCRATCH(v, engine->key);
    PLOY_VISIT_SCRATCH(v, engine->scratch);
    PLOY_VISIT_SCRATCH(v, engine->actions);
    PLOY_VISIT_SCRATCH(v, engine->route);
    PLOY_VISIT_SCRATCH(v, engine->route_user);
    PLOY_VISIT_SCRATCH(v, engine->slots);
    PLOY_VISIT_SCRATCH(v, engine->scheduler);
    PLOY_VISIT_SCRATCH(v, engine->buckets);
    PLOY_VISIT_SCRATCH(v, engine->fresh);
    PLOY_VISIT_SCRATCH(v, engine->dirty);
    PLOY_VISIT_SCRATCH(v, engine->ending);
    PLOY_VISIT_SCRATCH(v, engine->merge);
    PLOY_VISIT_SCRATCH(v, engine->fresh_count);
    PLOY_VISIT_SCRATCH(v, engine->dirty_count);
    PLOY_VISIT_SCRATCH(v, engine->ending_count);
    PLOY_VISIT_SCRATCH(v,
                       engine->loads); // statistics of the last ticks, which a load does not bring
    PLOY_VISIT_SCRATCH(v, engine->count);
    PLOY_VISIT_SCRATCH(v, engine->capacity);
    PLOY_VISIT_SCRATCH(v, engine->reported);
    PLOY_VISIT_SCRATCH(v, engine->depth);
    PLOY_VISIT_SCRATCH(v, engine->phase);
    PLOY_VISIT_SCRATCH(v, engine->frame);
    PLOY_VISIT_SCRATCH(v, engine->arena);
}

void ploy_engine_visit(ploy_visit *v, void *object) {
    ploy_engine *engine = object;
    engine_visit_memory(v, engine);
    engine_visit_scratch(v, engine);
    ploy_visit_u64(v, "tick", PLOY_STATE, &engine->tick);
    ploy_visit_f64(v, "now", PLOY_STATE, &engine->now);
    ploy_visit_u64(v, "messages", PLOY_STATE, &engine->message_order);
    ploy_visit_i64_in(v, "lost_messages", PLOY_NOTE, &engine->lost_messages, 0, INT64_MAX);
    ploy_describe_i64(v->describe, "behaviors", PLOY_DERIVED, engine->count);
    ploy_visit_u64(v, "clock", PLOY_SAVED, &engine->clock);
    ploy_visit_begin(v, "scheduler", PLOY_SAVED);
    ployi_scheduler_visit_memory(v, engine->scheduler);
    ploy_visit_after(v, ployi_engine_rebuild, engine);
    ployi_scheduler_visit_all(v, engine->scheduler);
    ploy_visit_end(v);
    // What ploy_scheduler_begin requires of the engine's next step.
    ploy_visit_check(
        v, engine->scheduler->tick <= engine->tick && engine->tick <= PLOYI_SCHEDULER_TICK_MAX,
        "invalid tick", NULL);
    if (v->describe == NULL) engine_visit_places(v, engine);
    int32_t left = ploy_visit_fixed(v, "slots", PLOY_SAVED, engine->count);
    for (int32_t i = 0; i < engine->capacity && left > 0; i++) {
        const ployi_engine_slot *slot = &engine->slots[i];
        if (slot->state == PLOYI_ENGINE_FREE) continue;
        char name[48];
        ploy_value id = ploy_value_id(ploy_id_make((uint32_t)i, slot->generation));
        ploy_value_print(&id, name, sizeof name);
        ploy_visit_begin_agent(v, name, PLOY_STATE, slot->agent);
        engine_visit_slot(v, engine, i);
        ploy_visit_end(v);
        left--;
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, ployi_scheduler_waiting_is_sound(engine->scheduler),
                         "inconsistent list of waiting behaviors", NULL);
    }
}

void ploy_engine_describe(const ploy_engine *engine, ploy_describe *out) {
    ploy_visit_describe(ploy_engine_visit, engine, NULL, out);
}

void ploy_engine_memory(const ploy_engine *engine, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_engine_visit, engine, fn, user);
}

// Takes up the mind of a slot that was running.
static void engine_load_mind(ploy_engine *engine, ployi_engine_slot *slot, const ploy_json *doc,
                             ploy_json_node saved, ploy_diags *diags) {
    ploy_step_context context = ployi_engine_context(engine, slot);
    ploy_arena_mark mark = ploy_arena_mark_of(context.scratch);
    ploy_result result = ploy_behavior_load(slot->behavior, &context, doc, saved, diags);
    ploy_arena_rewind(context.scratch, mark);
    ployi_engine_note_outbox(engine, slot);
    if (result == PLOY_OK) return;
    slot->failure = result;
    ployi_engine_sync(engine, slot);
    ployi_engine_add_ending(engine, slot);
}

ploy_result ploy_engine_load(ploy_engine *engine, const ploy_engine_frame *frame,
                             const ploy_json *doc, ploy_json_node node, ploy_diags *diags) {
    if (engine == NULL || doc == NULL) return PLOY_ERR_ARGUMENT;
    if (engine->phase != PLOYI_ENGINE_IDLE) return PLOY_ERR_STATE;
    for (int32_t i = 0; i < engine->capacity; i++) {
        if (engine->slots[i].state == PLOYI_ENGINE_ACTIVE) return PLOY_ERR_STATE;
    }
    ploy_result result =
        ploy_visit_load(ploy_engine_visit, engine, NULL, doc, node, &engine->env, diags);
    if (result != PLOY_OK) return result;
    ploy_json_node slots = ploy_json_member(doc, node, "slots");
    engine->phase = PLOYI_ENGINE_BUSY; // slots stay where they are while hooks run
    engine->frame = frame;
    for (int32_t i = 0, k = 0; i < engine->capacity; i++) {
        ployi_engine_slot *slot = &engine->slots[i];
        if (slot->state == PLOYI_ENGINE_FREE) continue;
        ploy_json_node saved = ploy_json_member(doc, ploy_json_at(doc, slots, k++), "self");
        if (slot->state == PLOYI_ENGINE_ACTIVE) engine_load_mind(engine, slot, doc, saved, diags);
    }
    ployi_engine_settle(engine);
    engine->frame = NULL;
    engine->phase = PLOYI_ENGINE_IDLE;
    return PLOY_OK;
}
