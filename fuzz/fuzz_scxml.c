// Any bytes as a statechart, SCXML or (after a '{') JSON: what loads is written and read again to
// the same text in both forms, and runs through a few events to its end or its limit.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/machine.h"
#include "ploy/decide/hsm_chart.h"

static void must(bool condition) {
    if (!condition) abort();
}

typedef ploy_result (*load_fn)(const void *bytes, size_t size, const char *name,
                               const ploy_env *env, ploy_diags *diags, ploy_machine **out);
typedef ploy_result (*save_fn)(const ploy_machine *machine, ploy_writer *writer);

static void check_round_trip(const ploy_machine *machine, load_fn load, save_fn save) {
    ploy_env env = ploy_env_default();
    ploy_buffer first, second;
    ploy_machine *again = NULL;
    ploy_buffer_init(&first, 0, &env);
    ploy_buffer_init(&second, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&first);
    if (save(machine, &writer) == PLOY_OK) {
        ploy_result result = load(first.bytes, first.size, "again", &env, NULL, &again);
        // The other form nests deeper; only that may stop it.
        must(result == PLOY_OK || result == PLOY_ERR_LIMIT);
    }
    if (again != NULL) {
        writer = ploy_buffer_writer(&second);
        must(save(again, &writer) == PLOY_OK);
        must(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
    }
    ploy_machine_destroy(again);
    ploy_buffer_fini(&first);
    ploy_buffer_fini(&second);
}

static void check_run(const ploy_hsm_type *type) {
    static const char *const names[] = {"e", "t", "e.f", "done", "t1"};
    ploy_env env = ploy_env_default();
    ploy_hsm *hsm = NULL;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 1.0f);
    ploy_status status = PLOY_STATUS_RUNNING;
    must(ploy_hsm_create(type, NULL, &env, &hsm) == PLOY_OK);
    ploy_result result = ploy_behavior_enter(ploy_hsm_behavior(hsm), &context);
    for (int i = 0; i < 10 && result == PLOY_OK && status == PLOY_STATUS_RUNNING; i++) {
        ploy_hsm_event event = ploy_hsm_event_make(names[i % 5]);
        (void)ploy_hsm_send(hsm, &event);
        result = ploy_behavior_step(ploy_hsm_behavior(hsm), &context, &status);
        ploy_step_context_next(&context);
    }
    must(result == PLOY_OK || result == PLOY_ERR_LIMIT || result == PLOY_ERR_CAPACITY);
    ploy_behavior_exit(ploy_hsm_behavior(hsm), &context, PLOY_EXIT_REMOVED);
    ploy_hsm_destroy(hsm);
    ploy_hsm_chart *chart = NULL;
    must(ploy_hsm_chart_create(type, &env, &chart) == PLOY_OK);
    ploy_hsm_chart_destroy(chart);
    must(ploy_hsm_type_lint(type, NULL) >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_machine *machine = NULL;
    ploy_hsm_type *type = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    load_fn load = size > 0 && data[0] == '{' ? ploy_machine_load_json : ploy_machine_load_scxml;
    ploy_result result = load(data, size, "fuzz", &env, diags, &machine);
    must((result == PLOY_OK) == (machine != NULL));
    must(result == PLOY_OK || ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > 0);
    if (machine != NULL) {
        check_round_trip(machine, ploy_machine_load_scxml, ploy_machine_save_scxml);
        check_round_trip(machine, ploy_machine_load_json, ploy_machine_save_json);
        ploy_hsm_def def = ploy_hsm_def_default();
        def.changes = 20;
        result = ploy_machine_build(machine, &def, NULL, &env, diags, &type);
        must((result == PLOY_OK) == (type != NULL));
        must(result == PLOY_OK || ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > 0);
        if (type != NULL) check_run(type);
    }
    ploy_hsm_type_destroy(type);
    ploy_machine_destroy(machine);
    ploy_diags_destroy(diags);
    return 0;
}
