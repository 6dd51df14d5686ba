// Long work as a behavior.
//
// Invariant: task has a type exactly while it is begun and neither done nor cancelled.
#include "ploy/exec/task_behavior.h"

#include <string.h>

struct ploy_task_behavior {
    ploy_env env;
    const char *name;
    ploy_task_begin_fn begin;
    void *user;
    ploy_task task;
    int64_t slices; // of the task under way, or of the last
};

ploy_result ploy_task_behavior_create(const char *name, ploy_task_begin_fn begin, void *user,
                                      const ploy_env *env, ploy_task_behavior **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (begin == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_task_behavior *behavior = ploy_env_alloc_zero(env, sizeof *behavior);
    if (behavior == NULL) return PLOY_ERR_MEMORY;
    behavior->env = *env;
    behavior->name = name != NULL ? name : "";
    behavior->begin = begin;
    behavior->user = user;
    *out = behavior;
    return PLOY_OK;
}

static void task_behavior_cancel(ploy_task_behavior *behavior) {
    ploy_task_cancel(behavior->task);
    memset(&behavior->task, 0, sizeof behavior->task);
}

void ploy_task_behavior_destroy(ploy_task_behavior *behavior) {
    if (behavior == NULL) return;
    task_behavior_cancel(behavior);
    ploy_env env = behavior->env;
    ploy_env_free(&env, behavior, sizeof *behavior);
}

static ploy_result task_behavior_enter(void *self, ploy_step_context *context) {
    ploy_task_behavior *behavior = self;
    ploy_task task = {NULL, NULL};
    behavior->slices = 0;
    ploy_result result = behavior->begin(behavior->user, context, &task);
    if (result != PLOY_OK) return result;
    if (task.type == NULL || task.type->step == NULL) return PLOY_ERR_CALLBACK;
    behavior->task = task;
    return PLOY_OK;
}

static ploy_result task_behavior_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_task_behavior *behavior = self;
    behavior->slices++;
    ploy_result result = ploy_task_step(behavior->task, context->budget);
    if (result < PLOY_OK) return result; // exit cancels it
    if (result == PLOY_OK) memset(&behavior->task, 0, sizeof behavior->task);
    *status = result == PLOY_OK ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void task_behavior_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context, (void)reason;
    task_behavior_cancel(self); // nothing is left of one that is done
}

static void task_behavior_free(void *self) {
    ploy_task_behavior_destroy(self);
}

static void task_behavior_describe(const void *self, ploy_describe *out) {
    const ploy_task_behavior *behavior = self;
    ploy_describe_text(out, "task", PLOY_NOTE, behavior->name);
    ploy_describe_i64(out, "slices", PLOY_STATE, behavior->slices);
    ploy_describe_bool(out, "under_way", PLOY_STATE, behavior->task.type != NULL);
    ploy_task_describe(behavior->task, out);
}

static const ploy_behavior_type task_behavior_type = {
    .name = "task",
    .enter = task_behavior_enter,
    .step = task_behavior_step,
    .exit = task_behavior_exit,
    .destroy = task_behavior_free,
    .describe = task_behavior_describe,
};

ploy_behavior ploy_task_behavior_get(ploy_task_behavior *behavior) {
    ploy_behavior out = {&task_behavior_type, behavior};
    return out;
}

ploy_task ploy_task_behavior_task(const ploy_task_behavior *behavior) {
    return behavior->task;
}
