// One step of the engine; the header draws its phases.
//
// What keeps results the same for any number of workers:
//   (1) shares of the budget are fixed before any agent thinks in parallel;
//   (2) a thinking behavior writes to itself, its slot and its outbox, and gets scratch memory of a
//       fixed size that looks the same wherever it runs;
//   (3) everything that touches others happens one at a time, in order of ids.
#include <string.h>

#include "base/compiler.h"

#include "exec/engine_internal.h"
#include "exec/exec_internal.h"

// What the worker's arena itself takes of its memory, generously.
#define ENGINE_ARENA_SLACK 1024

// Memory that is handed out once, for the workers' arenas.
typedef struct engine_bump {
    unsigned char *at;
    size_t left;
} engine_bump;

// The turns of one step, in scratch memory.
typedef struct engine_turns {
    ploy_engine *engine;
    ploy_arena **arenas; // one for each worker
    engine_bump *bumps;
    int32_t workers;
    ploy_turn *turns; // of a parallel step
    int32_t *order;   // their slots by rising number
    int32_t count;
    ploy_budget *budget; // NULL: no limit
    ploy_workload load;
} engine_turns;

static void *engine_bump_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    (void)old_size;
    engine_bump *bump = user;
    size_t size = (new_size + PLOY_ALIGNMENT - 1) / PLOY_ALIGNMENT * PLOY_ALIGNMENT;
    if (ptr != NULL || new_size == 0 || size > bump->left) return NULL;
    void *block = bump->at;
    bump->at += size;
    bump->left -= size;
    return block;
}

// Gives each worker an arena of a fixed size, cut from the scratch memory before any of them works.
static ploy_result engine_make_arenas(engine_turns *turns, ploy_arena *scratch) {
    const ploy_engine *engine = turns->engine;
    turns->arenas = ploy_arena_alloc_array(scratch, turns->workers, sizeof *turns->arenas);
    turns->bumps = ploy_arena_alloc_array(scratch, turns->workers, sizeof *turns->bumps);
    if (turns->arenas == NULL || turns->bumps == NULL) return PLOY_ERR_MEMORY;
    if (engine->def.parallel) {
        // Not zeroed, as arrays of an arena would be: of a large engine few are due.
        size_t slots = (size_t)engine->capacity;
        turns->turns = ploy_arena_alloc(scratch, slots * sizeof *turns->turns);
        turns->order = ploy_arena_alloc(scratch, slots * sizeof *turns->order);
        if (turns->turns == NULL || turns->order == NULL) return PLOY_ERR_MEMORY;
    }
    size_t size = (size_t)engine->def.scratch_kib << 10;
    for (int32_t i = 0; i < turns->workers; i++) {
        engine_bump *bump = &turns->bumps[i];
        bump->left = size + ENGINE_ARENA_SLACK;
        bump->at = ploy_arena_alloc(scratch, bump->left);
        if (bump->at == NULL) return PLOY_ERR_MEMORY;
        ploy_allocator allocator = {engine_bump_resize, bump};
        ploy_env env = ploy_env_with_allocator(allocator);
        ploy_result result = ploy_arena_create(size, size, &env, &turns->arenas[i]);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static void engine_fail(ploy_engine *engine, ployi_engine_slot *slot, ploy_result result) {
    slot->failure = result;
    ployi_engine_sync(engine, slot);
    ployi_engine_add_ending(engine, slot);
}

// ---- messages

static bool engine_tell(ploy_engine *engine, ployi_engine_slot *slot, const ploy_message *message) {
    ploy_step_context context = ployi_engine_context(engine, slot);
    if (engine->frame != NULL) context.game = engine->frame->game;
    ploy_arena_mark mark = ploy_arena_mark_of(context.scratch);
    bool handled = false;
    ploy_result result = ploy_behavior_message(slot->behavior, &context, message, &handled);
    ploy_arena_rewind(context.scratch, mark);
    ployi_engine_note_outbox(engine, slot);
    if (result != PLOY_OK) engine_fail(engine, slot, result);
    return handled;
}

// Delivers to the receiver. Not found is an answer here, not a loss.
static ploy_result engine_deliver(ploy_engine *engine, const ploy_message *message, bool *handled) {
    if (engine->depth >= PLOY_ENGINE_MESSAGE_DEPTH) return PLOY_ERR_LIMIT;
    ploy_message copy = *message; // an outbox may shift under it
    copy.order = engine->message_order++;
    bool found = false, any = false;
    engine->depth++;
    if (ploy_id_is_none(copy.receiver.id)) {
        for (int32_t i = 0; i < engine->capacity; i++) {
            ployi_engine_slot *slot = &engine->slots[i];
            if (!ployi_engine_hears(slot) || ploy_id_equal(slot->agent.id, copy.sender.id))
                continue;
            any = engine_tell(engine, slot, &copy) || any;
        }
        found = true; // no receiver in particular cannot be missing
    } else {
        int32_t next = -1;
        for (int32_t i = ployi_engine_first_of(engine, copy.receiver); i >= 0; i = next) {
            ployi_engine_slot *slot = &engine->slots[i];
            next = slot->next;
            if (!ploy_id_equal(slot->agent.id, copy.receiver.id)) continue;
            found = found || !slot->removed;
            if (ployi_engine_hears(slot)) any = engine_tell(engine, slot, &copy) || any;
        }
    }
    engine->depth--;
    if (handled != NULL) *handled = any;
    return found ? PLOY_OK : PLOY_ERR_NOT_FOUND;
}

// Sends what came out of an outbox on its way.
static ploy_result engine_post(ploy_engine *engine, const ploy_message *message) {
    ploy_result result = PLOY_ERR_NOT_FOUND;
    bool here = message->due <= engine->now && !(engine->def.route_all && engine->route != NULL);
    if (here) result = engine_deliver(engine, message, NULL);
    if (result != PLOY_ERR_NOT_FOUND) return result;
    if (engine->route == NULL) {
        engine->lost_messages++;
        return PLOY_OK;
    }
    ploy_message copy = *message; // an outbox may shift under it
    result = engine->route(engine->route_user, &copy);
    if (result != PLOY_OK) {
        engine->lost_messages++;
        ploy_env_log(&engine->env, PLOY_SEVERITY_WARNING, "message route failed");
    }
    return PLOY_OK;
}

ploy_result ployi_engine_send_now(void *user, const ploy_message *message) {
    return engine_post(user, message);
}

ploy_result ploy_engine_send(ploy_engine *engine, const ploy_message *message,
                             const ploy_engine_frame *frame, bool *handled) {
    if (engine == NULL || message == NULL || message->size > PLOY_MESSAGE_PAYLOAD) {
        return PLOY_ERR_ARGUMENT;
    }
    if (engine->phase == PLOYI_ENGINE_THINKING) return PLOY_ERR_STATE;
    if (engine->phase == PLOYI_ENGINE_BUSY) return engine_deliver(engine, message, handled);
    engine->phase = PLOYI_ENGINE_BUSY; // slots stay where they are while hooks run
    engine->frame = frame;
    ploy_result result = engine_deliver(engine, message, handled);
    ployi_engine_settle(engine);
    engine->frame = NULL;
    engine->phase = PLOYI_ENGINE_IDLE;
    return result;
}

// ---- actions

static void engine_report(ploy_engine *engine, const ploy_action_report *report) {
    ploy_engine_action_done done;
    memset(&done, 0, sizeof done);
    done.token = report->request.token;
    done.kind = report->request.kind;
    done.id = report->id;
    done.state = (int32_t)report->state;
    done.result = (int32_t)report->result;
    ploy_message message = ploy_message_make(ploy_agent_id_none(), report->request.agent,
                                             ploy_name_of(PLOY_ENGINE_ACTION_DONE));
    ploy_result result = ploy_message_set_payload(&message, &done, sizeof done);
    PLOY_ASSERT(result == PLOY_OK);
    (void)result;
    engine_deliver(engine, &message, NULL); // no receiver left is fine
}

static void engine_request(ploy_engine *engine, const ploy_action_request *request) {
    ploy_action_request copy = *request; // the outbox may shift under it
    ploy_result result = PLOY_ERR_UNSUPPORTED;
    if (engine->actions != NULL) result = ploy_actions_request(engine->actions, &copy, NULL);
    if (result == PLOY_OK) return;
    ploy_action_report refused;
    memset(&refused, 0, sizeof refused);
    refused.state = PLOY_ACTION_FAILED;
    refused.result = result;
    refused.request = copy;
    engine_report(engine, &refused); // the requester hears that it failed
}

static void engine_report_new(ploy_engine *engine) {
    ploy_action_report report;
    while (ploy_actions_finished(engine->actions, engine->reported, &report)) {
        engine->reported++;
        engine_report(engine, &report);
    }
}

static void engine_step_actions(ploy_engine *engine, float dt) {
    if (engine->actions == NULL) return;
    engine_report_new(engine); // those cancelled since the last step; stepping forgets them
    if (ploy_actions_step(engine->actions, dt) != PLOY_OK) return;
    engine->reported = 0;
    engine_report_new(engine);
}

// ---- thinking

static void engine_enter(ploy_engine *engine, ployi_engine_slot *slot) {
    slot->state = PLOYI_ENGINE_ACTIVE;
    slot->since = slot->paused ? 0 : engine->clock;
    slot->status = PLOY_STATUS_RUNNING;
    ployi_engine_sync(engine, slot);
    ploy_step_context context = ployi_engine_context(engine, slot);
    ploy_arena_mark mark = ploy_arena_mark_of(context.scratch);
    // Kept even in a serial engine: agents that enter after this one could not hear it yet.
    ployi_outbox_set_send(slot->outbox, NULL, NULL);
    ploy_result result = ploy_behavior_enter(slot->behavior, &context);
    if (!engine->def.parallel) ployi_outbox_set_send(slot->outbox, ployi_engine_send_now, engine);
    ploy_arena_rewind(context.scratch, mark);
    ployi_engine_note_outbox(engine, slot);
    if (result != PLOY_OK) engine_fail(engine, slot, result);
}

static void engine_begin_new(ploy_engine *engine) {
    // An agent registered by one that enters waits for the next step.
    int32_t count = engine->fresh_count;
    ployi_scheduler_sort(engine->fresh, engine->merge, count);
    for (int32_t i = 0; i < count; i++) {
        ployi_engine_slot *slot = &engine->slots[engine->fresh[i]];
        slot->fresh = false;
        if (slot->state != PLOYI_ENGINE_NEW || slot->removed) continue;
        // One that is replaced before it came is listed again when the step ends.
        if (slot->replacement.type == NULL) engine_enter(engine, slot);
    }
    engine->fresh_count -= count;
    memmove(engine->fresh, engine->fresh + count,
            (size_t)engine->fresh_count * sizeof *engine->fresh);
}

static void engine_trace_waiting(ploy_engine *engine) {
    if (engine->frame->trace == NULL) return;
    for (int32_t i = 0; i < ploy_scheduler_waiting_count(engine->scheduler); i++) {
        int32_t index = ployi_scheduler_waiting(engine->scheduler, i);
        const ployi_engine_slot *slot = &engine->slots[index];
        ploy_trace_begin(engine->frame->trace, slot->agent, "turn", "engine");
        double priority = engine->scheduler->items[index].schedule.priority;
        ploy_trace_option(engine->frame->trace, "think now", PLOY_OUTCOME_SKIPPED, priority,
                          "the budget of this step was used up before its turn came");
        ploy_trace_option(engine->frame->trace, "wait", PLOY_OUTCOME_WON, priority,
                          "a turn that was put off comes before others in the next step");
        ploy_trace_text(engine->frame->trace, "behavior", slot->behavior.type->name);
        ploy_trace_end(engine->frame->trace);
    }
}

// One behavior's turn. In a parallel engine several run at a time: see (2).
static void engine_think(engine_turns *turns, ploy_turn turn, int32_t worker) {
    ploy_engine *engine = turns->engine;
    ployi_engine_slot *slot = &engine->slots[turn.item];
    ploy_step_context context = ployi_engine_context(engine, slot);
    ploy_budget budget = {.units = turn.allowed, .check_every = 1};
    bool limited = turns->budget != NULL || turn.allowed != PLOY_BUDGET_UNLIMITED;
    context.dt = (float)ployi_engine_waited(engine, slot);
    context.budget = limited ? &budget : NULL;
    context.scratch = turns->arenas[worker];
    int32_t messages = 0, actions = 0;
    if (ployi_engine_may_hold(slot)) {
        messages = slot->outbox->message_count;
        actions = slot->outbox->action_count;
    }
    ploy_arena_mark mark = ploy_arena_mark_of(context.scratch);
    ploy_status status = PLOY_STATUS_RUNNING;
    ploy_result result = ploy_behavior_step(slot->behavior, &context, &status);
    ploy_arena_rewind(context.scratch, mark);
    slot->cost = budget.spent > 1 ? budget.spent : 1;
    slot->allowed = turn.allowed;
    slot->ran = true;
    slot->stepped = true;
    // It may have paused itself, in a serial engine.
    slot->since = slot->paused ? 0 : engine->clock;
    slot->last_tick = engine->tick;
    if (result != PLOY_OK) {
        // Half a thought: what it wanted to say is taken back.
        ployi_outbox_cut(slot->outbox, messages, actions);
        slot->failure = result;
        return;
    }
    slot->status = status;
    slot->finished = status != PLOY_STATUS_RUNNING;
}

// Notes what a turn came to, once no other agent thinks.
static void engine_end_turn(engine_turns *turns, int32_t index) {
    ploy_engine *engine = turns->engine;
    ployi_engine_slot *slot = &engine->slots[index];
    ploy_scheduler_report(engine->scheduler, index, slot->cost);
    ploy_workload *load = &turns->load;
    load->ran++;
    bool unlimited = slot->allowed > PLOY_BUDGET_UNLIMITED - load->allowed;
    load->allowed = unlimited ? PLOY_BUDGET_UNLIMITED : load->allowed + slot->allowed;
    load->spent = slot->cost > INT64_MAX - load->spent ? INT64_MAX : load->spent + slot->cost;
    bool dear =
        load->top_count < PLOY_WORKLOAD_TOP || load->top[PLOY_WORKLOAD_TOP - 1].units < slot->cost;
    if (dear) ployi_workload_add(load, slot->behavior.type->name, slot->agent, slot->cost);
    if (slot->failure == PLOY_OK && !slot->finished) return;
    ployi_engine_sync(engine, slot);
    ployi_engine_add_ending(engine, slot);
}

// ---- committing

static void engine_commit_messages(ploy_engine *engine, ployi_engine_slot *slot, int32_t count) {
    for (int32_t i = 0; i < count && !slot->removed; i++) {
        ploy_result result = engine_post(engine, ploy_outbox_message_at(slot->outbox, i));
        if (result != PLOY_OK) engine->lost_messages++;
    }
}

static void engine_commit_actions(ploy_engine *engine, ployi_engine_slot *slot, int32_t count) {
    for (int32_t i = 0; i < count && !slot->removed; i++) {
        engine_request(engine, ploy_outbox_action_at(slot->outbox, i));
    }
}

static void engine_commit_hook(ploy_engine *engine, ployi_engine_slot *slot) {
    // Most types have none: not worth a context for each of a crowd.
    if (slot->behavior.type->commit == NULL) return;
    if (!slot->ran || !ployi_engine_hears(slot)) return;
    ploy_step_context context = ployi_engine_context(engine, slot);
    context.game = engine->frame->game;
    ploy_arena_mark mark = ploy_arena_mark_of(context.scratch);
    ploy_result result = ploy_behavior_commit(slot->behavior, &context);
    ploy_arena_rewind(context.scratch, mark);
    ployi_engine_note_outbox(engine, slot);
    if (result != PLOY_OK) engine_fail(engine, slot, result);
}

// What all outboxes hold now goes out: all messages, then all actions. What hooks add meanwhile
// stays for the next time, so that two who answer each other do not keep the step from ending.
static void engine_commit_outboxes(ploy_engine *engine) {
    int32_t count = engine->dirty_count;
    int32_t *dirty = engine->dirty; // hooks add behind count
    ployi_scheduler_sort(dirty, engine->merge, count);
    for (int32_t i = 0; i < count; i++) {
        ployi_engine_slot *slot = &engine->slots[dirty[i]];
        slot->mark_messages = slot->outbox->message_count;
        slot->mark_actions = slot->outbox->action_count;
    }
    for (int32_t i = 0; i < count; i++) {
        ployi_engine_slot *slot = &engine->slots[dirty[i]];
        engine_commit_messages(engine, slot, slot->mark_messages);
    }
    for (int32_t i = 0; i < count; i++) {
        ployi_engine_slot *slot = &engine->slots[dirty[i]];
        engine_commit_actions(engine, slot, slot->mark_actions);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < engine->dirty_count; i++) {
        ployi_engine_slot *slot = &engine->slots[dirty[i]];
        if (slot->mark_messages > 0 || slot->mark_actions > 0) {
            ployi_outbox_drop(slot->outbox, slot->mark_messages, slot->mark_actions);
        }
        slot->mark_messages = 0;
        slot->mark_actions = 0;
        slot->dirty = !ployi_outbox_is_empty(slot->outbox);
        if (slot->dirty) dirty[kept++] = dirty[i];
    }
    engine->dirty_count = kept;
}

// Slots that have turns one after the other are far apart in memory: loads one ahead of its turn.
static inline void engine_fetch(const ploy_engine *engine, int32_t index) {
    if (index < 0) return;
    const char *slot = (const char *)&engine->slots[index];
    for (size_t at = 0; at < sizeof(ployi_engine_slot); at += 64) PLOYI_PREFETCH(slot + at);
}

// The beginning of what a behavior keeps, whose slot is there by now.
static inline void engine_fetch_self(const ploy_engine *engine, int32_t index) {
    if (index >= 0) PLOYI_PREFETCH(engine->slots[index].behavior.self);
}

// One by one: each thinks and commits before the next.
static void engine_run_serial(engine_turns *turns) {
    ploy_engine *engine = turns->engine;
    ploy_turn turn;
    while (ploy_scheduler_next(engine->scheduler, &turn)) {
        ployi_engine_slot *slot = &engine->slots[turn.item];
        engine_fetch(engine, ployi_scheduler_ahead(engine->scheduler, 4));
        engine_fetch_self(engine, ployi_scheduler_ahead(engine->scheduler, 1));
        engine_think(turns, turn, 0);
        engine_end_turn(turns, turn.item);
        int32_t actions = ployi_engine_may_hold(slot) ? slot->outbox->action_count : 0;
        if (actions > 0) {
            engine_commit_actions(engine, slot, actions);
            ployi_outbox_drop(slot->outbox, 0, actions);
        }
        ployi_engine_note_outbox(engine, slot);
        engine_commit_hook(engine, slot);
        slot->ran = false;
    }
}

static void engine_think_some(void *arg, int32_t first, int32_t count, int32_t worker) {
    engine_turns *turns = arg;
    for (int32_t i = first; i < first + count; i++) engine_think(turns, turns->turns[i], worker);
}

// All think, then all commit.
static void engine_run_parallel(engine_turns *turns) {
    ploy_engine *engine = turns->engine;
    turns->count = ploy_scheduler_plan(engine->scheduler, turns->turns);
    engine->phase = PLOYI_ENGINE_THINKING;
    const ploy_jobs *jobs = turns->workers > 1 ? engine->frame->jobs : NULL;
    ploy_jobs_run(jobs, engine_think_some, turns, turns->count, engine->def.grain);
    engine->phase = PLOYI_ENGINE_BUSY;
    for (int32_t i = 0; i < turns->count; i++) {
        int32_t index = turns->turns[i].item;
        turns->order[i] = index;
        engine_end_turn(turns, index);
        ployi_engine_note_outbox(engine, &engine->slots[index]);
    }
    engine_commit_outboxes(engine);
    ployi_scheduler_sort(turns->order, engine->merge, turns->count);
    for (int32_t i = 0; i < turns->count; i++) {
        ployi_engine_slot *slot = &engine->slots[turns->order[i]];
        engine_commit_hook(engine, slot);
        slot->ran = false;
    }
}

static void engine_run(engine_turns *turns, float dt) {
    ploy_engine *engine = turns->engine;
    int64_t units = turns->budget != NULL ? turns->budget->units : PLOY_BUDGET_UNLIMITED;
    engine_begin_new(engine);
    if (!engine->def.parallel) engine_commit_outboxes(engine);
    engine->clock += (uint64_t)((double)dt * (double)((uint64_t)1 << 40));
    ploy_result result =
        ploy_scheduler_begin(engine->scheduler, engine->tick, units, &turns->load.due);
    PLOY_ASSERT(result == PLOY_OK);
    (void)result;
    if (engine->def.parallel) {
        engine_run_parallel(turns);
    } else {
        engine_run_serial(turns);
    }
    ploy_scheduler_end(engine->scheduler);
    engine_trace_waiting(engine);
    if (turns->load.ran > 0) ploy_budget_spend(turns->budget, turns->load.spent);
    turns->load.tick = engine->tick;
    turns->load.units = units;
    turns->load.put_off = ploy_scheduler_waiting_count(engine->scheduler);
    engine->loads[engine->tick % (uint64_t)engine->def.history] = turns->load;
}

ploy_result ploy_engine_step(ploy_engine *engine, float dt, ploy_budget *budget,
                             const ploy_engine_frame *frame) {
    if (engine == NULL || !ploy_in_range(dt, 0.0f, PLOY_ENGINE_DT_MAX_S)) return PLOY_ERR_ARGUMENT;
    if (budget != NULL && budget->deadline_ns != 0) return PLOY_ERR_UNSUPPORTED;
    if (engine->phase != PLOYI_ENGINE_IDLE) return PLOY_ERR_STATE;
    ploy_engine_frame nothing;
    memset(&nothing, 0, sizeof nothing);
    if (frame == NULL) frame = &nothing;
    engine_turns turns;
    memset(&turns, 0, sizeof turns);
    turns.engine = engine;
    turns.budget = budget;
    // A trace has one reader, so it makes one worker of any number; the result is the same.
    bool alone = !engine->def.parallel || frame->trace != NULL;
    turns.workers = alone ? 1 : ploy_jobs_workers(frame->jobs);
    ploy_arena *scratch = frame->scratch != NULL ? frame->scratch : engine->scratch;
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    ploy_result result = engine_make_arenas(&turns, scratch);
    if (result == PLOY_OK) {
        ploy_env_zone_begin(&engine->env, "ploy_engine_step");
        engine->phase = PLOYI_ENGINE_BUSY;
        engine->frame = frame;
        engine->arena = turns.arenas[0];
        engine_run(&turns, dt);
        engine_step_actions(engine, dt);
        ployi_engine_settle(engine);
        engine->tick++;
        engine->now += (double)dt;
        engine->frame = NULL;
        engine->arena = NULL;
        engine->phase = PLOYI_ENGINE_IDLE;
        ploy_env_zone_end(&engine->env, "ploy_engine_step");
    }
    if (frame->scratch != NULL) {
        ploy_arena_rewind(scratch, mark);
    } else {
        ploy_arena_reset(scratch); // joins its blocks, so that the next step allocates nothing
    }
    return result;
}

#undef ENGINE_ARENA_SLACK
