// What the engine's tests share: a behavior that does what its test tells it, and short ways to make
// engines and to step them.
#pragma once

#include <string.h>

#include "ploy/exec/engine.h"
#include "tests/test.h"

// A behavior that does what its test tells it and counts what is done to it.
typedef struct probe {
    int32_t enters, steps, exits, commits, messages, destroys;
    ploy_exit_reason last_exit;
    ploy_result step_result, enter_result, message_result, commit_result;
    ploy_status status;
    int64_t spends;
    int64_t allowed; // units it was given
    float dt;
    double now;
    int32_t order; // in the list of all turns
    int32_t *turns;
    uint64_t draw;
    ploy_name last_kind;
    ploy_agent_id last_sender;
    void *game_seen;
    const void *world_seen;
    ploy_engine_action_done done;
    void (*on_step)(struct probe *self, ploy_step_context *context);
    void (*on_message)(struct probe *self, ploy_step_context *context, const ploy_message *message);
    void (*on_exit)(struct probe *self);
    void *user;
    ploy_agent_id other;
} probe;

static inline ploy_result probe_enter(void *self, ploy_step_context *context) {
    probe *p = self;
    (void)context;
    p->enters++;
    return p->enter_result;
}

static inline ploy_result probe_step(void *self, ploy_step_context *context, ploy_status *status) {
    probe *p = self;
    p->steps++;
    p->dt = context->dt;
    p->now = context->now;
    p->world_seen = context->world;
    p->game_seen = context->game;
    p->draw = ploy_rng_u64_at(context->key, context->agent.id.index, context->tick, 0);
    p->allowed = context->budget != NULL ? context->budget->units : -1;
    ploy_budget_spend(context->budget, p->spends);
    if (p->turns != NULL) p->order = (*p->turns)++;
    if (p->on_step != NULL) p->on_step(p, context);
    *status = p->status;
    return p->step_result;
}

static inline void probe_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    probe *p = self;
    (void)context;
    p->exits++;
    p->last_exit = reason;
    if (p->on_exit != NULL) p->on_exit(p);
}

static inline ploy_result probe_commit(void *self, ploy_step_context *context) {
    probe *p = self;
    p->commits++;
    p->game_seen = context->game;
    return p->commit_result;
}

static inline ploy_result probe_message(void *self, ploy_step_context *context,
                                        const ploy_message *message, bool *handled) {
    probe *p = self;
    p->messages++;
    p->last_kind = message->kind;
    p->last_sender = message->sender;
    p->game_seen = context->game;
    if (ploy_name_equal(message->kind, ploy_name_of(PLOY_ENGINE_ACTION_DONE))) {
        memcpy(&p->done, message->payload, sizeof p->done);
    }
    if (p->on_message != NULL) p->on_message(p, context, message);
    *handled = true;
    return p->message_result;
}

static inline void probe_destroy(void *self) {
    ((probe *)self)->destroys++;
}

static inline void probe_visit(ploy_visit *v, void *object) {
    ploy_visit_i32(v, "steps", PLOY_STATE, &((probe *)object)->steps);
}

static const ploy_behavior_type probe_type = {
    .name = "probe",
    .enter = probe_enter,
    .step = probe_step,
    .exit = probe_exit,
    .commit = probe_commit,
    .message = probe_message,
    .destroy = probe_destroy,
    .visit = probe_visit,
};

static inline ploy_agent_id agent(int32_t index) {
    return ploy_agent_id_make((uint32_t)index, 1);
}

static inline ploy_engine *engine_of(test_context *t, bool parallel) {
    ploy_env env = ploy_env_default();
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = parallel;
    def.capacity = 2; // so that it grows in every test
    ploy_engine *engine = NULL;
    CHECK_OK(ploy_engine_create(&def, &env, &engine));
    return engine;
}

static inline ploy_engine_id add(test_context *t, ploy_engine *engine, probe *p, int32_t index) {
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior.type = &probe_type;
    entry.behavior.self = p;
    entry.agent = agent(index);
    ploy_engine_id id = {{0, 0}};
    CHECK_OK(ploy_engine_register(engine, &entry, &id));
    return id;
}

static inline ploy_result set_schedule(ploy_engine *engine, ploy_engine_id id, int32_t period,
                                       int32_t phase, int32_t priority) {
    ploy_schedule schedule = ploy_schedule_default();
    schedule.period = period;
    schedule.phase = phase;
    schedule.priority = priority;
    return ploy_engine_set_schedule(engine, id, &schedule);
}

static inline void step(test_context *t, ploy_engine *engine, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_engine_step(engine, 0.25f, NULL, NULL));
}

static inline ploy_engine_turn turn_of(test_context *t, const ploy_engine *engine,
                                       ploy_engine_id id) {
    ploy_engine_info info;
    CHECK_OK(ploy_engine_get(engine, id, &info));
    return info.turn;
}
