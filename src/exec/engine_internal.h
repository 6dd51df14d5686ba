// Shared by the files of the engine: engine.c keeps the register, engine_step.c runs it,
// engine_tell.c describes it.
#pragma once

#include "exec/exec_internal.h"
#include "exec/scheduler_internal.h"
#include "ploy/exec/engine.h"

// Where a behavior is in its life.
typedef enum ployi_engine_state {
    PLOYI_ENGINE_FREE,   // the slot is free
    PLOYI_ENGINE_NEW,    // not entered; will be in the next step
    PLOYI_ENGINE_ACTIVE, // entered
    PLOYI_ENGINE_DONE,   // exited for good
    PLOYI_ENGINE_FAILED  // exited by an error
} ployi_engine_state;

// What the engine is doing, and so what may be asked of it.
typedef enum ployi_engine_phase {
    PLOYI_ENGINE_IDLE,
    PLOYI_ENGINE_BUSY,    // in a step, one at a time: slots may not move
    PLOYI_ENGINE_THINKING // in parallel: nothing may change
} ployi_engine_phase;

typedef struct ployi_engine_slot {
    ploy_behavior behavior;
    ploy_behavior replacement; // takes over when the step ends; type NULL if there is none
    ploy_blackboard *blackboard;
    ploy_outbox *outbox; // of the slot; stays when the behavior goes
    ploy_agent_id agent;
    ploy_rng_key key;
    uint64_t since;     // engine's clock at the last turn; while paused, the time waited before
    uint64_t last_tick; // of the last turn
    int64_t allowed;    // units of the last turn
    int64_t cost;       // of the last turn
    uint32_t generation;
    int32_t next; // in the agent's chain, or in the list of free slots; -1 ends both
    int32_t mark_messages, mark_actions; // in the outbox when the commit began
    ployi_engine_state state;
    ploy_status status;
    ploy_result result;  // what stopped it
    ploy_result failure; // of this step; the end of the step acts on it
    bool once;
    bool paused;
    bool stepped;  // had a turn since it was registered, replaced or restarted
    bool ran;      // in this step
    bool finished; // in this step: exits when the step ends
    bool removed;  // in this step: goes when the step ends
    bool fresh;    // is in the list of that name, and so on
    bool dirty;
    bool ending;
    bool filled; // the outbox was written to since it was last looked at
} ployi_engine_slot;

struct ploy_engine {
    ploy_env env;
    ploy_engine_def def;
    ploy_rng_key key;
    ploy_arena *scratch; // for frames that bring none
    ploy_actions *actions;
    ploy_engine_route_fn route;
    void *route_user;
    uint64_t tick;
    double now; // s
    uint64_t message_order;
    int64_t lost_messages;
    ployi_engine_slot *slots;
    ploy_scheduler *scheduler; // an item for each slot in use, enabled while it may think
    uint64_t clock;            // in 2^-40 s, so that differences are exact
    int32_t *buckets; // first slot of the agents that hash to it, or -1; as many as slots. One
                      // block with the lists below
    int32_t *fresh;   // slots in state NEW, perhaps others
    int32_t *dirty;   // slots whose outboxes hold something, perhaps others
    int32_t *ending;  // slots that finished, failed, go or are replaced; twice as long
    int32_t *merge;   // room for sorting them
    int32_t fresh_count, dirty_count, ending_count;
    ploy_workload *loads; // of the last def.history ticks: that of tick t at t mod history
    int32_t count, capacity;
    int32_t first_free;
    int32_t reported; // of the actions that ended, those whose report was delivered
    int32_t depth;    // of messages within messages
    ployi_engine_phase phase;
    // Of the step under way; not state.
    const ploy_engine_frame *frame;
    ploy_arena *arena;
};

// The slot behind an id, or NULL.
ployi_engine_slot *ployi_engine_find(const ploy_engine *engine, ploy_engine_id id);

// First slot of those that may hold the agent's behaviors, by rising index; go on along next.
int32_t ployi_engine_first_of(const ploy_engine *engine, ploy_agent_id agent);

// Puts a slot into a list, unless it is there already. Not while others think.
void ployi_engine_add_fresh(ploy_engine *engine, ployi_engine_slot *slot);
void ployi_engine_add_dirty(ploy_engine *engine, ployi_engine_slot *slot);
void ployi_engine_add_ending(ploy_engine *engine, ployi_engine_slot *slot);

// True if the slot hears messages, and if it may also have turns.
bool ployi_engine_hears(const ployi_engine_slot *slot);

// Sets in the scheduler whether the slot may have turns now.
void ployi_engine_sync(ploy_engine *engine, const ployi_engine_slot *slot);

// Seconds since the slot's last turn, without those in which it was paused.
static inline double ployi_engine_waited(const ploy_engine *engine, const ployi_engine_slot *slot) {
    uint64_t waited = slot->paused ? slot->since : engine->clock - slot->since;
    return (double)waited / ((double)((uint64_t)1 << 40));
}

// What its last turn was, or why it had none.
ploy_engine_turn ployi_engine_turn(const ploy_engine *engine, int32_t index);

// Sets up chains and lists again from the slots: for after a load. Takes an engine.
void ployi_engine_rebuild(void *engine);
// Bytes of the block of buckets and lists.
size_t ployi_engine_lists_size(const ploy_engine *engine);

// A context for a slot's hook, in the frame of the step under way.
static inline ploy_step_context ployi_engine_context(const ploy_engine *engine,
                                                     const ployi_engine_slot *slot) {
    const ploy_engine_frame *frame = engine->frame;
    ploy_step_context context = {
        .tick = engine->tick,
        .now = engine->now,
        .agent = slot->agent,
        .blackboard = slot->blackboard,
        .trace = frame != NULL ? frame->trace : NULL,
        .scratch = engine->arena != NULL ? engine->arena : engine->scratch,
        .outbox = slot->outbox,
        .key = slot->key,
        .world = frame != NULL ? frame->world : NULL,
    };
    return context;
}

// After a hook that had the outbox: lists the slot if there is something in it. Almost always there
// is not, and then no other look is needed. Not while others think.
static inline void ployi_engine_note_outbox(ploy_engine *engine, ployi_engine_slot *slot) {
    if (!slot->filled) return; // without a look at the outbox, which is far from the slot in memory
    slot->filled = false;
    if (!ployi_outbox_is_empty(slot->outbox)) ployi_engine_add_dirty(engine, slot);
}

// True if the outbox may hold something.
static inline bool ployi_engine_may_hold(const ployi_engine_slot *slot) {
    return slot->filled || slot->dirty;
}

// Ends what finished, failed, goes or is replaced. Outside a step, or at its end.
void ployi_engine_settle(ploy_engine *engine);

// The serial engine's outboxes hand their messages to this.
ploy_result ployi_engine_send_now(void *user, const ploy_message *message);
