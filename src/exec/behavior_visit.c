#include "ploy/exec/behavior_visit.h"

void ploy_visit_behavior(ploy_visit *v, const char *name, ploy_behavior behavior,
                         ploy_step_context *context) {
    if (v->mode == PLOY_VISIT_DESCRIBE) {
        ploy_describe_begin(v->describe, name);
        ploy_behavior_describe(behavior, v->describe);
        ploy_describe_end(v->describe);
        return;
    }
    if (v->mode == PLOY_VISIT_MEMORY) ploy_behavior_memory(behavior, v->memory, v->memory_user);
    ploy_json_writer *json = ploy_visit_writer(v, name);
    if (json != NULL) ploy_behavior_save(behavior, json);
    const ploy_json *doc = NULL;
    ploy_json_node node;
    ploy_diags *diags = NULL;
    if (!ploy_visit_reader(v, name, &doc, &node, &diags) || !ploy_visit_is_ok(v)) return;
    PLOY_ASSERT(context != NULL);
    ploy_visit_result(v, ploy_behavior_load(behavior, context, doc, node, diags));
}

void ploy_visit_nested(ploy_visit *v, const char *name, ploy_mark mark, ploy_nested *nested,
                       const ploy_env *env, const char *place) {
    if (nested == NULL) return;
    PLOY_VISIT_SCRATCH(v, *nested); // what it holds describes, saves and loads itself
    if (v->mode == PLOY_VISIT_MEMORY) {
        ploy_behavior_memory(nested->behavior, v->memory, v->memory_user);
    }
    if (v->mode == PLOY_VISIT_DESCRIBE && mark == PLOY_STATE) {
        ploy_describe_begin(v->describe, name);
        ploy_nested_describe(nested, v->describe);
        ploy_describe_end(v->describe);
    }
    if (mark == PLOY_DERIVED) return;
    ploy_json_writer *json = ploy_visit_writer(v, name);
    if (json != NULL) ploy_nested_save(nested, json);
    if (!ploy_visit_loads(v) || !ploy_visit_is_ok(v)) return;
    const ploy_json *doc = NULL;
    ploy_json_node node = ploy_json_none();
    ploy_diags *diags = NULL;
    if (!ploy_visit_reader(v, name, &doc, &node, &diags)) node = ploy_json_none();
    if (!ploy_visit_is_ok(v)) return;
    PLOY_ASSERT(v->context != NULL);
    ploy_visit_result(v, ploy_nested_load(nested, env, place, v->context, doc, node, diags));
}

void ploy_visit_restart(ploy_visit *v, ploy_behavior behavior) {
    if (!ploy_visit_loads(v)) return;
    if (!ploy_visit_tolerates(v)) {
        ploy_visit_result(v, PLOY_ERR_FORMAT);
    } else if (ploy_visit_is_ok(v)) {
        ploy_visit_result(v, ploy_behavior_enter(behavior, v->context));
    }
}

static const char *visit_status_text(int32_t status) {
    return ploy_status_text((ploy_status)status);
}

void ploy_visit_status(ploy_visit *v, const char *name, ploy_mark mark, ploy_status *status) {
    ploy_visit_enum(v, name, mark, status, sizeof *status, visit_status_text,
                    PLOY_STATUS_SKIPPED + 1);
}
