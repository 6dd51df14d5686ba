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

// { "slices": 3, "under_way": true, "task": what the def's save wrote }
static void task_behavior_visit(ploy_visit *v, void *object) {
    ploy_task_behavior *behavior = object;
    const ploy_task_behavior_def *def = &behavior->def;
    const ploy_json *doc = NULL;
    ploy_json_node node;
    bool under_way = behavior->task.type != NULL;
    ploy_visit_object(v, "task behavior", behavior, sizeof *behavior);
    PLOY_VISIT_SCRATCH(v, behavior->env);
    PLOY_VISIT_SCRATCH(v, behavior->def);
    PLOY_VISIT_SCRATCH(v, behavior->task);
    ploy_describe_text(v->describe, "task", PLOY_NOTE, def->name);
    if (ploy_visit_tolerates(v)) behavior->slices = 0;
    ploy_visit_i64_in(v, "slices", PLOY_STATE, &behavior->slices, 0, INT64_MAX);
    ploy_describe_bool(v->describe, "under_way", PLOY_STATE, under_way);
    ploy_json_writer *json = ploy_visit_writer(v, "under_way");
    if (json != NULL) ploy_json_write_bool(json, under_way);
    if (v->describe != NULL) ploy_task_describe(behavior->task, v->describe);
    json = under_way && def->save != NULL ? ploy_visit_writer(v, "task") : NULL;
    if (json != NULL) def->save(def->user, behavior->task, json);
    if (!ploy_visit_loads(v)) return;
    under_way = true;
    if (ploy_visit_reader(v, "under_way", &doc, &node, NULL)) {
        (void)ploy_json_bool(doc, node, &under_way);
    }
    if (!under_way || !ploy_visit_is_ok(v)) return;
    if (def->load != NULL && ploy_visit_optional(v, "task", false) &&
        ploy_visit_reader(v, "task", &doc, &node, NULL)) {
        ploy_task task = {NULL, NULL};
        ploy_result result = def->load(def->user, v->context, doc, node, &task);
        if (result != PLOY_ERR_FORMAT) {
            ploy_visit_result(v, task_behavior_take(behavior, result, task));
            return;
        }
    }
    ploy_visit_lost(v, "task", def->name, "begins again");
    if (ploy_visit_tolerates(v)) ploy_visit_result(v, task_behavior_enter(behavior, v->context));
}

static const ploy_behavior_type task_behavior_type = {
    .name = "task",
    .enter = task_behavior_enter,
    .step = task_behavior_step,
    .exit = task_behavior_exit,
    .destroy = task_behavior_free,
    .visit = task_behavior_visit,
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
