// A behavior that notes what is done to it, for the tests of whatever holds behaviors.
#pragma once

#include "ploy/exec/behavior.h"
#include "tests/test.h"

// What all probes of a test write to.
typedef struct lod_log {
    char text[256]; // a letter for each call: E enter, S step, X exit, C commit, M message
    int32_t size;
    int32_t alive; // entered and not exited
    int32_t most_alive;
    ploy_exit_reason reason; // of the last exit
} lod_log;

// The state of a probe: what the level's block or `self` holds. Zeroed, it runs for ever.
typedef struct lod_probe {
    lod_log *log;
    char name;
    int32_t cost;  // units of each step
    int32_t steps; // so far
    int32_t ends_after;
    int32_t fails_after;
    int32_t payload; // what transitions carry
    float dt;        // of the last step
    int64_t allowed; // units in the last step
    ploy_agent_id agent;
    bool fail_enter;
} lod_probe;

static inline void lod_log_add(lod_log *log, char what, char name) {
    if (log == NULL || log->size + 3 > (int32_t)sizeof log->text) return;
    log->text[log->size++] = what;
    if (name != 0) log->text[log->size++] = name;
    log->text[log->size] = 0;
}

static inline void lod_log_clear(lod_log *log) {
    log->size = 0;
    log->text[0] = 0;
}

// Probes in a shared block learn who they are from the world.
static inline ploy_result lod_probe_enter(void *self, ploy_step_context *context) {
    lod_probe *probe = self;
    if (probe->log == NULL && context->world != NULL) {
        const lod_probe *pattern = context->world;
        probe->log = pattern->log;
        probe->fail_enter = pattern->fail_enter;
        probe->fails_after = pattern->fails_after;
    }
    if (probe->log != NULL && ++probe->log->alive > probe->log->most_alive) {
        probe->log->most_alive = probe->log->alive;
    }
    lod_log_add(probe->log, 'E', probe->name);
    return probe->fail_enter ? PLOY_ERR_LIMIT : PLOY_OK;
}

static inline ploy_result lod_probe_step(void *self, ploy_step_context *context,
                                         ploy_status *status) {
    lod_probe *probe = self;
    lod_log_add(probe->log, 'S', probe->name);
    probe->dt = context->dt;
    probe->agent = context->agent;
    probe->allowed = context->budget != NULL ? context->budget->units : -1;
    ploy_budget_spend(context->budget, probe->cost);
    probe->steps++;
    *status = probe->steps == probe->ends_after ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return probe->steps == probe->fails_after ? PLOY_ERR_LIMIT : PLOY_OK;
}

static inline void lod_probe_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    lod_probe *probe = self;
    (void)context;
    lod_log_add(probe->log, 'X', probe->name);
    if (probe->log != NULL) {
        probe->log->alive--;
        probe->log->reason = reason;
    }
}

static inline ploy_result lod_probe_commit(void *self, ploy_step_context *context) {
    (void)context;
    lod_log_add(((lod_probe *)self)->log, 'C', ((lod_probe *)self)->name);
    return PLOY_OK;
}

static inline ploy_result lod_probe_message(void *self, ploy_step_context *context,
                                            const ploy_message *message, bool *handled) {
    (void)context, (void)message;
    lod_log_add(((lod_probe *)self)->log, 'M', ((lod_probe *)self)->name);
    *handled = true;
    return PLOY_OK;
}

static inline const ploy_behavior_type *lod_probe_type(void) {
    static const ploy_behavior_type type = {
        .name = "probe",
        .enter = lod_probe_enter,
        .step = lod_probe_step,
        .exit = lod_probe_exit,
        .commit = lod_probe_commit,
        .message = lod_probe_message,
    };
    return &type;
}

static inline ploy_behavior lod_probe_behavior(lod_probe *probe) {
    ploy_behavior behavior = {lod_probe_type(), probe};
    return behavior;
}

static inline ploy_step_context lod_context(const void *world) {
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    context.dt = 0.1f;
    context.world = world;
    return context;
}
