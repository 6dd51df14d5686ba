#include "ploy/exec/behavior_visit.h"

void ploy_visit_behavior(ploy_visit *v, const char *name, ploy_behavior behavior,
                         ploy_step_context *context) {
    if (v->mode == PLOY_VISIT_DESCRIBE) {
        ploy_describe_begin(v->describe, name);
        ploy_behavior_describe(behavior, v->describe);
        ploy_describe_end(v->describe);
        return;
    }
    ploy_json_writer *json = ploy_visit_writer(v, name);
    if (json != NULL) ploy_behavior_save(behavior, json);
    const ploy_json *doc = NULL;
    ploy_json_node node;
    ploy_diags *diags = NULL;
    if (!ploy_visit_reader(v, name, &doc, &node, &diags) || !ploy_visit_is_ok(v)) return;
    PLOY_ASSERT(context != NULL);
    ploy_visit_result(v, ploy_behavior_load(behavior, context, doc, node, diags));
}
