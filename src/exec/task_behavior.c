// Long work as a behavior.
//
// Invariant: task has a type exactly while it is begun and neither done nor cancelled.
#include "ploy/exec/task_behavior.h"

#include <string.h>

struct ploy_task_behavior {
    ploy_env env;
    ploy_task_behavior_def def;
    ploy_task task;
    int64_t slices; // of the task under way, or of the last
};

ploy_result ploy_task_behavior_create(const ploy_task_behavior_def *def, const ploy_env *env,
                                      ploy_task_behavior **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (def == NULL || env == NULL || def->begin == NULL ||
        (def->save == NULL) != (def->load == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_task_behavior *behavior = ploy_env_alloc_zero(env, sizeof *behavior);
    if (behavior == NULL) return PLOY_ERR_MEMORY;
    behavior->env = *env;
    behavior->def = *def;
    if (behavior->def.name == NULL) behavior->def.name = "";
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

// Takes over a task that a hook made.
static ploy_result task_behavior_take(ploy_task_behavior *behavior, ploy_result made,
                                      ploy_task task) {
    if (made != PLOY_OK) return made;
    if (task.type == NULL || task.type->step == NULL) return PLOY_ERR_CALLBACK;
    behavior->task = task;
    return PLOY_OK;
}

static ploy_result task_behavior_enter(void *self, ploy_step_context *context) {
    ploy_task_behavior *behavior = self;
    ploy_task task = {NULL, NULL};
    behavior->slices = 0;
    ploy_result result = behavior->def.begin(behavior->def.user, context, &task);
    return task_behavior_take(behavior, result, task);
}

static ploy_result task_behavior_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_task_behavior *behavior = self;
    if (behavior->task.type == NULL) { // saved when it was done, and stepped again
        *status = PLOY_STATUS_SUCCESS;
        return PLOY_OK;
    }
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
    ploy_describe_text(out, "task", PLOY_NOTE, behavior->def.name);
    ploy_describe_i64(out, "slices", PLOY_STATE, behavior->slices);
    ploy_describe_bool(out, "under_way", PLOY_STATE, behavior->task.type != NULL);
    ploy_task_describe(behavior->task, out);
}

// { "slices": 3, "task": what the def's save wrote }
static void task_behavior_save(const void *self, ploy_json_writer *out) {
    const ploy_task_behavior *behavior = self;
    ploy_json_write_begin_object(out);
    ploy_json_write_key(out, "slices");
    ploy_json_write_i64(out, behavior->slices);
    ploy_json_write_key(out, "under_way");
    ploy_json_write_bool(out, behavior->task.type != NULL);
    if (behavior->task.type != NULL && behavior->def.save != NULL) {
        ploy_json_write_key(out, "task");
        behavior->def.save(behavior->def.user, behavior->task, out);
    }
    ploy_json_write_end_object(out);
}

static ploy_result task_behavior_load(void *self, ploy_step_context *context, const ploy_json *doc,
                                      ploy_json_node state, ploy_diags *diags) {
    ploy_task_behavior *behavior = self;
    int64_t slices = 0;
    bool under_way = true;
    (void)ploy_json_i64(doc, ploy_json_member(doc, state, "slices"), &slices);
    (void)ploy_json_bool(doc, ploy_json_member(doc, state, "under_way"), &under_way);
    behavior->slices = slices > 0 ? slices : 0;
    if (!under_way) return PLOY_OK;
    ploy_json_node saved = ploy_json_member(doc, state, "task");
    if (behavior->def.load != NULL && !ploy_json_is_none(saved)) {
        ploy_task task = {NULL, NULL};
        ploy_result result = behavior->def.load(behavior->def.user, context, doc, saved, &task);
        if (result != PLOY_ERR_FORMAT) return task_behavior_take(behavior, result, task);
    }
    ploy_behavior_lost(doc, state, diags, "task", behavior->def.name, "begins again");
    return task_behavior_enter(behavior, context);
}

static const ploy_behavior_type task_behavior_type = {
    .name = "task",
    .enter = task_behavior_enter,
    .step = task_behavior_step,
    .exit = task_behavior_exit,
    .destroy = task_behavior_free,
    .describe = task_behavior_describe,
    .save = task_behavior_save,
    .load = task_behavior_load,
};

ploy_behavior ploy_task_behavior_get(ploy_task_behavior *behavior) {
    ploy_behavior out = {&task_behavior_type, behavior};
    return out;
}

ploy_task ploy_task_behavior_task(const ploy_task_behavior *behavior) {
    return behavior->task;
}

static ploy_result task_behavior_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_task_behavior *behavior = NULL;
    ploy_result result = ploy_task_behavior_create(user, env, &behavior);
    if (result == PLOY_OK) *out = ploy_task_behavior_get(behavior);
    return result;
}

ploy_maker ploy_task_behavior_maker(const ploy_task_behavior_def *def) {
    return ploy_maker_of(task_behavior_make, (void *)(uintptr_t)def); // read only
}
